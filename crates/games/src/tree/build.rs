//! From a tree as somebody wrote it down to a tree that is a game: checked, put into order, and with the
//! information sets worked out once and for all.
//!
//! Readers hand over the nodes in prefix order (a node, then its subtrees from left to right), which needs no
//! recursion however deep the tree is. The order in which a file lists moves does not matter: moves are
//! sorted by name and nodes renumbered, so two files that say the same give equal trees.

use std::collections::{HashMap, HashSet};

use fogtree_core::{Chance, Facts, Game, MAX_PLAYERS, Observer, Player, Players, Rules, Step, Utility};

use super::beliefs::Beliefs;
use super::{BadTree, Edge, Infoset, Kind, Node, State, Tree};

/// A tree may not have more nodes than this.
pub const MOST_NODES: usize = 1 << 22;

/// Chance probabilities must add up to 1 within this.
const TOLERANCE: f64 = 1e-9;

/// A tree being written down in prefix order.
#[derive(Debug, Default)]
pub(super) struct Draft {
    pub(super) title: String,
    pub(super) about: String,
    pub(super) players: Vec<String>,
    /// Whose information set it is, and its label if it has one.
    pub(super) infosets: Vec<(Player, Option<String>)>,
    names: Vec<String>,
    numbers: HashMap<String, u32>,
    nodes: Vec<Sketch>,
    /// Nodes some of whose subtrees are still to come: the next one on top.
    open: Vec<(u32, u32)>,
    /// The moves of all nodes so far, to each of which belongs a node.
    moves: usize,
}

/// A node as it was written down.
#[derive(Debug)]
pub(super) enum Sketch {
    Chance(Vec<Branch>),
    Decision(u32, Vec<Branch>),
    End(Vec<f64>),
}

/// A move as it was written down.
#[derive(Clone, Debug)]
pub(super) struct Branch {
    name: u32,
    p: f64,
    seen: Players,
    to: u32,
}

impl Sketch {
    fn branches(&self) -> &[Branch] {
        match self {
            Sketch::Chance(branches) | Sketch::Decision(_, branches) => branches,
            Sketch::End(_) => &[],
        }
    }

    fn branches_mut(&mut self) -> &mut [Branch] {
        match self {
            Sketch::Chance(branches) | Sketch::Decision(_, branches) => branches,
            Sketch::End(_) => &mut [],
        }
    }
}

impl Draft {
    pub(super) fn new(title: &str, about: &str, players: Vec<String>) -> Draft {
        Draft { title: title.to_string(), about: about.to_string(), players, ..Draft::default() }
    }

    /// A move with this name; `p` counts at chance nodes only.
    pub(super) fn branch(&mut self, name: &str, p: f64, seen: Players) -> Branch {
        let known = self.numbers.get(name).copied();
        let name = known.unwrap_or_else(|| {
            let next = self.names.len() as u32;
            self.numbers.insert(name.to_string(), next);
            self.names.push(name.to_string());
            next
        });
        Branch { name, p, seen, to: u32::MAX }
    }

    /// Adds the next node in prefix order.
    pub(super) fn push(&mut self, node: Sketch) -> Result<(), BadTree> {
        // Counted before they come: a line of a file may repeat a million moves that were described once.
        self.moves += node.branches().len();
        if self.moves >= MOST_NODES {
            return Err(BadTree::TooLarge { most: MOST_NODES });
        }
        let number = self.nodes.len() as u32;
        if let Some((parent, next)) = self.open.last_mut() {
            let branches = self.nodes[*parent as usize].branches_mut();
            branches[*next as usize].to = number;
            *next += 1;
            if *next as usize == branches.len() {
                self.open.pop();
            }
        }
        if !node.branches().is_empty() {
            self.open.push((number, 0));
        }
        self.nodes.push(node);
        Ok(())
    }

    /// The names of the moves that lead to a node.
    fn history(&self, node: usize) -> String {
        // Only for messages, so the parents are looked for rather than kept.
        let mut names = Vec::new();
        let mut below = node;
        for parent in (0..node).rev() {
            if let Some(b) = self.nodes[parent].branches().iter().find(|b| b.to as usize == below) {
                names.push(self.names[b.name as usize].as_str());
                below = parent;
            }
        }
        names.reverse();
        history_text(&names)
    }

    fn at(&self, node: usize, what: String) -> BadTree {
        BadTree::Node { history: self.history(node), what }
    }

    /// The tree, if it is one that can be played.
    pub(super) fn finish(mut self) -> Result<Tree, BadTree> {
        debug_assert!(self.open.is_empty() && !self.nodes.is_empty(), "readers hand over whole trees");
        self.check_players()?;
        for node in 0..self.nodes.len() {
            self.check(node).map_err(|what| self.at(node, what))?;
        }
        self.label_infosets();
        let mut tree = self.in_order()?;
        tree.show_everything_if_nothing_is_hidden();
        tree.facts = facts(&tree);
        tree.beliefs = Beliefs::all(&tree);
        tree.check_recall()?;
        Ok(tree)
    }

    pub(super) fn check_players(&self) -> Result<(), BadTree> {
        let bad = |what: String| Err(BadTree::Players { what });
        if self.players.is_empty() || self.players.len() > MAX_PLAYERS {
            return bad(format!("there must be 1 to {MAX_PLAYERS} players, not {}", self.players.len()));
        }
        for (i, name) in self.players.iter().enumerate() {
            if !is_word(name) {
                return bad(format!("a player's name is one word, not '{name}'"));
            }
            if self.players[..i].contains(name) {
                return bad(format!("two players are called '{name}'"));
            }
        }
        Ok(())
    }

    fn check(&self, node: usize) -> Result<(), String> {
        let sketch = &self.nodes[node];
        if let Sketch::End(rewards) = sketch {
            if rewards.len() != self.players.len() {
                return Err(format!("{} rewards for {} players", rewards.len(), self.players.len()));
            }
            return match rewards.iter().find(|r| !r.is_finite()) {
                Some(reward) => Err(format!("a reward of {reward}")),
                None => Ok(()),
            };
        }
        let branches = sketch.branches();
        if branches.is_empty() {
            return Err("no moves".to_string());
        }
        let mut names = HashSet::new();
        for branch in branches {
            let name = &self.names[branch.name as usize];
            if !is_word(name) {
                return Err(format!("the name of a move is one word, not '{name}'"));
            }
            if !names.insert(branch.name) {
                return Err(format!("two moves are called '{name}'"));
            }
        }
        match sketch {
            Sketch::Chance(branches) => check_probabilities(branches.iter().map(|b| b.p)),
            _ => Ok(()),
        }
    }

    /// Gives information sets without a label one of their own: the player's name and a number.
    fn label_infosets(&mut self) {
        let mut used: HashSet<String> = self.infosets.iter().filter_map(|(_, label)| label.clone()).collect();
        let mut count = vec![0; self.players.len()];
        for (player, label) in &mut self.infosets {
            if label.is_some() {
                continue;
            }
            let number = &mut count[player.index()];
            let free = loop {
                *number += 1;
                let candidate = format!("{}-{number}", self.players[player.index()]);
                if used.insert(candidate.clone()) {
                    break candidate;
                }
            };
            *label = Some(free);
        }
    }

    /// The nodes with their moves sorted by name, renumbered in the prefix order that follows.
    fn in_order(&mut self) -> Result<Tree, BadTree> {
        let (actions, action_number) = self.sorted_names(|node| matches!(node, Sketch::Decision(..)));
        let (outcomes, outcome_number) = self.sorted_names(|node| matches!(node, Sketch::Chance(_)));
        let mut tree = Tree {
            title: std::mem::take(&mut self.title),
            about: std::mem::take(&mut self.about),
            players: self.players.clone(),
            actions,
            outcomes,
            infosets: Vec::new(),
            nodes: Vec::with_capacity(self.nodes.len()),
            edges: Vec::with_capacity(self.nodes.len() - 1),
            rewards: Vec::new(),
            facts: no_facts(),
            beliefs: Vec::new(),
        };
        let mut infoset_number = vec![u32::MAX; self.infosets.len()];
        // Nodes to come: the draft's number, and the parent and the edge that leads there.
        let mut stack = vec![(0u32, u32::MAX, u32::MAX)];
        while let Some((old, parent, edge)) = stack.pop() {
            let number = tree.nodes.len() as u32;
            if let Some(edge) = tree.edges.get_mut(edge as usize) {
                edge.to = number;
            }
            let depth = tree.nodes.get(parent as usize).map_or(0, |n| n.depth + 1);
            let sketch = &self.nodes[old as usize];
            let kind = match sketch {
                Sketch::Chance(_) => Kind::Chance,
                Sketch::Decision(set, _) => {
                    let (player, label) = &self.infosets[*set as usize];
                    let set = &mut infoset_number[*set as usize];
                    if *set == u32::MAX {
                        *set = tree.infosets.len() as u32;
                        let label = label.clone().unwrap_or_default();
                        tree.infosets.push(Infoset { player: *player, label, first: number, size: 0 });
                    }
                    tree.infosets[*set as usize].size += 1;
                    Kind::Decision(*set)
                }
                Sketch::End(rewards) => {
                    let at = tree.rewards.len() as u32;
                    tree.rewards.extend_from_slice(rewards);
                    Kind::End(at)
                }
            };
            let numbers = if kind == Kind::Chance { &outcome_number } else { &action_number };
            let mut branches = sketch.branches().to_vec();
            branches.sort_by_key(|b| numbers[b.name as usize]);
            let from = tree.edges.len() as u32;
            for (i, b) in branches.iter().enumerate().rev() {
                stack.push((b.to, number, from + i as u32));
            }
            tree.edges.extend(branches.iter().map(|b| Edge {
                name: numbers[b.name as usize],
                to: u32::MAX,
                p: b.p,
                seen: b.seen,
            }));
            tree.nodes.push(Node { kind, parent, edge, depth, edges: (from, branches.len() as u32) });
            if let Kind::Decision(set) = kind {
                tree.check_moves(number, &tree.infosets[set as usize])?;
            }
        }
        Ok(tree)
    }

    /// The names of moves at some kind of nodes in order, and the place of every name among them.
    fn sorted_names(&self, kind: impl Fn(&Sketch) -> bool) -> (Vec<String>, Vec<u32>) {
        let mut used = vec![false; self.names.len()];
        for branch in self.nodes.iter().filter(|&node| kind(node)).flat_map(Sketch::branches) {
            used[branch.name as usize] = true;
        }
        let mut order: Vec<usize> = (0..used.len()).filter(|&i| used[i]).collect();
        order.sort_by_key(|&i| &self.names[i]);
        let mut place = vec![u32::MAX; used.len()];
        for (at, &i) in order.iter().enumerate() {
            place[i] = at as u32;
        }
        (order.into_iter().map(|i| self.names[i].clone()).collect(), place)
    }
}

/// Whether the probabilities of a chance node are positive and add up to 1.
pub(super) fn check_probabilities(probabilities: impl Iterator<Item = f64>) -> Result<(), String> {
    let mut sum = 0.0;
    for p in probabilities {
        if p.is_nan() || p <= 0.0 {
            return Err(format!("probabilities must be positive, not {p}"));
        }
        sum += p;
    }
    if (sum - 1.0).abs() > TOLERANCE {
        return Err(format!("the probabilities add up to {sum}, not to 1"));
    }
    Ok(())
}

/// Whether a text can be the name of a move or a player: not empty, and nothing blank in it.
pub(super) fn is_word(text: &str) -> bool {
    !text.is_empty() && !text.chars().any(|c| c.is_whitespace() || c.is_control())
}

/// Turns labels into words that differ: blanks become `_`, an empty label becomes its place in the list
/// (from 1), and a word met before gets `_2`, `_3` and so on.
pub(super) fn words<'a>(labels: impl Iterator<Item = &'a str>) -> Vec<String> {
    let mut used = Unlike::default();
    let blank = |c: char| c.is_whitespace() || c.is_control();
    let word = |(i, label): (usize, &str)| {
        let word: String =
            label.trim_matches(blank).chars().map(|c| if blank(c) { '_' } else { c }).collect();
        if word.is_empty() { used.text(&(i + 1).to_string()) } else { used.text(&word) }
    };
    labels.enumerate().map(word).collect()
}

/// Makes texts differ.
#[derive(Debug, Default)]
pub(super) struct Unlike {
    used: HashSet<String>,
    /// How often a text was asked for.
    count: HashMap<String, usize>,
}

impl Unlike {
    /// The text, or if it was given before, the text with `_2`, `_3` and so on.
    pub(super) fn text(&mut self, text: &str) -> String {
        let count = self.count.entry(text.to_string()).or_default();
        loop {
            *count += 1;
            let candidate = if *count == 1 { text.to_string() } else { format!("{text}_{count}") };
            if self.used.insert(candidate.clone()) {
                return candidate;
            }
        }
    }
}

impl BadTree {
    /// Something wrong at the node to which these moves lead.
    pub(super) fn at(history: &[&str], what: impl Into<String>) -> BadTree {
        BadTree::Node { history: history_text(history), what: what.into() }
    }
}

pub(super) fn history_text(names: &[&str]) -> String {
    const SHOWN: usize = 30;
    match names {
        [] => "the start".to_string(),
        names if names.len() <= SHOWN => format!("'{}'", names.join(" ")),
        names => format!("'... {}'", names[names.len() - SHOWN..].join(" ")),
    }
}

impl Tree {
    pub(super) fn history(&self, node: u32) -> String {
        let mut names = Vec::new();
        let mut at = node;
        while at != 0 {
            let Node { parent, edge, .. } = self.nodes[at as usize];
            names.push(self.name_of(parent, edge));
            at = parent;
        }
        names.reverse();
        history_text(&names)
    }

    /// Every node of an information set must offer the same moves.
    fn check_moves(&self, node: u32, set: &Infoset) -> Result<(), BadTree> {
        let names = |node| self.edges_of(node).iter().map(|e| e.name);
        if names(node).eq(names(set.first)) {
            return Ok(());
        }
        let listed =
            |node| names(node).map(|n| self.actions[n as usize].as_str()).collect::<Vec<_>>().join(" ");
        Err(BadTree::Moves {
            infoset: set.label.clone(),
            one: self.history(set.first),
            one_moves: listed(set.first),
            other: self.history(node),
            other_moves: listed(node),
        })
    }

    /// In a tree without hidden information everybody sees every move.
    fn show_everything_if_nothing_is_hidden(&mut self) {
        if self.infosets.iter().all(|set| set.size == 1) {
            let everybody = Players::first(self.players.len());
            self.edges.iter_mut().for_each(|edge| edge.seen = everybody);
        }
    }

    /// In every node of an information set the player must have done and seen the same.
    fn check_recall(&self) -> Result<(), BadTree> {
        for (number, node) in (0..).zip(&self.nodes) {
            let Kind::Decision(set) = node.kind else { continue };
            let set = &self.infosets[set as usize];
            let class = |node| self.info(&State(node), Observer::Seat(set.player));
            if set.size > 1 && class(number) != class(set.first) {
                return Err(BadTree::Recall {
                    player: self.players[set.player.index()].clone(),
                    infoset: set.label.clone(),
                    one: self.history(set.first),
                    other: self.history(number),
                });
            }
        }
        Ok(())
    }
}

fn no_facts() -> Facts {
    Facts { utility: Utility::General, utility_bounds: (0.0, 0.0), ..Facts::open(0, 0) }
}

fn facts(tree: &Tree) -> Facts {
    let players = tree.players.len();
    let least = tree.rewards.iter().copied().fold(f64::INFINITY, f64::min);
    let greatest = tree.rewards.iter().copied().fold(f64::NEG_INFINITY, f64::max);
    let sums = || tree.rewards.chunks(players).map(|r| r.iter().sum::<f64>());
    let slack = 1e-9 * greatest.abs().max(least.abs());
    let always = |value: f64| sums().all(|sum| (sum - value).abs() <= slack);
    Facts {
        players,
        hidden: tree.infosets.iter().any(|set| set.size > 1),
        hidden_moves: has_hidden_moves(tree),
        chance: if tree.outcomes.is_empty() { Chance::Never } else { Chance::Listed },
        simultaneous: false,
        utility: match sums().next() {
            _ if always(0.0) => Utility::ZeroSum,
            Some(first) if always(first) => Utility::ConstantSum,
            _ => Utility::General,
        },
        utility_bounds: (least, greatest),
        max_length: tree.nodes.iter().map(|n| n.depth).max().unwrap_or(0),
    }
}

/// Whether somewhere two actions of a player after which the game goes on look the same to another.
fn has_hidden_moves(tree: &Tree) -> bool {
    let mut actions = Vec::new();
    (0..).zip(&tree.nodes).any(|(number, node)| {
        let Kind::Decision(set) = node.kind else { return false };
        let mover = tree.infosets[set as usize].player;
        let state = State(number);
        actions.clear();
        tree.actions(&state, mover, &mut actions);
        actions.retain(|a| {
            let edge = tree.edge(number, a.0).expect("a legal action has an edge");
            !matches!(tree.nodes[edge.to as usize].kind, Kind::End(_))
        });
        Players::first(tree.players.len()).iter().filter(|&other| other != mover).any(|other| {
            let sight = |&a| tree.observe(&state, Step::Moves(&[(mover, a)]), Observer::Seat(other));
            let mut seen: Vec<_> = actions.iter().map(sight).collect();
            seen.sort_unstable();
            seen.windows(2).any(|pair| pair[0] == pair[1])
        })
    })
}

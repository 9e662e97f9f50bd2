//! How the nodes of a search that finds them by key came about, written down only for a search that is to be
//! explained.
//!
//! Searches of information sets keep no pointers from a move to what follows it: keys lead there. A [`Trace`]
//! goes along on every iteration and notes, whenever a node is met for the first time, below which node and
//! move of the same tree it lies and what was seen in between; after the search it tells depths, the principal
//! variation and the tree. It draws nothing at random and changes nothing.

use std::collections::HashMap;

use fogtree_core::explain::{Decider, Reached};
use fogtree_core::{
    Explain, LineStep, MAX_PLAYERS, Move, Observation, Observer, Player, Rewards, SearchTree, TreeLimits,
    TreeNode,
};

use crate::kit::insertion_sort;

/// No node.
const NONE: u32 = u32::MAX;

/// What a trace, or another account of a tree, has to tell after a search.
#[derive(Debug, Default)]
pub(crate) struct Explanation {
    pub(crate) profile: Vec<u64>,
    pub(crate) line: Vec<LineStep>,
    pub(crate) trees: Vec<SearchTree>,
}

impl Explanation {
    /// Counts a node so many moves below its root.
    pub(crate) fn count(&mut self, depth: usize) {
        if self.profile.len() <= depth {
            self.profile.resize(depth + 1, 0);
        }
        self.profile[depth] += 1;
    }

    /// Adds the nodes that another search made, by depth.
    pub(crate) fn add_profile(&mut self, other: &[u64]) {
        self.profile.resize(self.profile.len().max(other.len()), 0);
        self.profile.iter_mut().zip(other).for_each(|(mine, theirs)| *mine += theirs);
    }
}

/// The statistics of a search, by node.
pub(crate) trait Statistics<L = Move> {
    /// How often the search decided at a node.
    fn visits(&self, node: u32) -> u64;

    /// The moves of a node with their visits and how often each was legal, if that is known; `own` says that it
    /// is a decision of the searcher.
    fn moves(&self, node: u32, own: bool) -> Vec<(L, u64, Option<u64>)>;
}

/// Where a node lies.
#[derive(Debug)]
struct Origin<L> {
    /// Whose decision it is, in whose tree.
    who: Player,
    tree: u8,
    depth: u32,
    /// The node above and the move made there; there is no move for nodes from earlier searches.
    parent: u32,
    action: Option<L>,
    /// What others chose at the same time as this tree shows it, and what was seen since.
    others: Vec<(Player, L)>,
    seen: Vec<Note>,
}

/// Something seen, and whether that says more than the names of the moves do.
#[derive(Clone, PartialEq, Eq, Debug)]
struct Note {
    seen: Observation,
    news: bool,
}

/// Where an iteration is in one tree.
#[derive(Debug)]
struct Place<L> {
    /// The decisions of the turn before this one in the tree, and of this one.
    before: Vec<(u32, Player, L)>,
    now: Vec<(u32, Player, L)>,
    seen: Vec<Note>,
}

impl<L> Default for Place<L> {
    fn default() -> Self {
        Place { before: Vec::new(), now: Vec::new(), seen: Vec::new() }
    }
}

/// The rewards of every move of a node, summed per player.
#[derive(Debug)]
struct Totals<L> {
    actions: Vec<L>,
    visits: Vec<u64>,
    sums: Vec<f64>,
}

/// The account of a search.
#[derive(Debug)]
pub(crate) struct Trace<L = Move> {
    me: Player,
    players: usize,
    limits: Option<TreeLimits>,
    origins: Vec<Origin<L>>,
    places: [Place<L>; MAX_PLAYERS],
    path: Vec<(u32, L)>,
    totals: Vec<Totals<L>>,
}

impl<L: Copy + Ord> Trace<L> {
    /// The account of a search by `me`.
    pub(crate) fn new(me: Player, players: usize, explain: Explain) -> Trace<L> {
        Trace {
            me,
            players,
            limits: explain.tree,
            origins: Vec::new(),
            places: Default::default(),
            path: Vec::new(),
            totals: Vec::new(),
        }
    }

    /// Nodes of the searcher's tree that are there from earlier searches, by their parents.
    pub(crate) fn keep(&mut self, tree: usize, parents: impl Iterator<Item = u32>) {
        for parent in parents {
            let depth = self.origins.get(parent as usize).map_or(0, |o| o.depth + 1);
            self.origins.push(Origin {
                who: self.me,
                tree: tree as u8,
                depth,
                parent,
                action: None,
                others: Vec::new(),
                seen: Vec::new(),
            });
        }
    }

    /// An iteration begins.
    #[cold]
    #[inline(never)]
    pub(crate) fn restart(&mut self) {
        for place in &mut self.places {
            place.before.clear();
            place.now.clear();
            place.seen.clear();
        }
        self.path.clear();
    }

    /// A player decided at a node, which may be new. Nodes are numbered as they are made.
    #[cold]
    #[inline(never)]
    pub(crate) fn pass(&mut self, tree: usize, node: u32, who: Player, action: L) {
        let place = &mut self.places[tree];
        if node as usize == self.origins.len() {
            let above = place.before.iter().position(|m| m.1 == self.me).unwrap_or(0);
            let parent = place.before.get(above).map_or(NONE, |m| m.0);
            let others = place.before.iter().enumerate().filter(|(i, _)| *i != above);
            self.origins.push(Origin {
                who,
                tree: tree as u8,
                depth: self.origins.get(parent as usize).map_or(0, |o| o.depth + 1),
                parent,
                action: place.before.get(above).map(|m| m.2),
                others: others.map(|(_, m)| (m.1, m.2)).collect(),
                seen: place.seen.clone(),
            });
        }
        place.now.push((node, who, action));
        self.path.push((node, action));
    }

    /// A tree sees a step; `news` if the names of the moves do not say the same.
    #[cold]
    #[inline(never)]
    pub(crate) fn step(&mut self, tree: usize, seen: Option<&Observation>, news: bool) {
        let place = &mut self.places[tree];
        if !place.now.is_empty() {
            std::mem::swap(&mut place.before, &mut place.now);
            place.now.clear();
            place.seen.clear();
        }
        place.seen.extend(seen.map(|seen| Note { seen: seen.clone(), news }));
    }

    /// An iteration has ended.
    #[cold]
    #[inline(never)]
    pub(crate) fn reward(&mut self, rewards: &Rewards) {
        if self.limits.is_none() {
            return;
        }
        for (i, &(node, action)) in self.path.iter().enumerate() {
            if self.path[..i].contains(&(node, action)) {
                continue;
            }
            if self.totals.len() <= node as usize {
                let none = || Totals { actions: Vec::new(), visits: Vec::new(), sums: Vec::new() };
                self.totals.resize_with(node as usize + 1, none);
            }
            let totals = &mut self.totals[node as usize];
            let at = totals.actions.iter().position(|a| *a == action).unwrap_or_else(|| {
                totals.actions.push(action);
                totals.visits.push(0);
                totals.sums.extend(rewards.iter().map(|_| 0.0));
                totals.actions.len() - 1
            });
            totals.visits[at] += 1;
            let sums = &mut totals.sums[at * self.players..][..self.players];
            sums.iter_mut().zip(rewards.iter()).for_each(|(sum, r)| *sum += r);
        }
    }

    /// The mean rewards after one move of a node, or after all of them.
    fn means(&self, node: u32, action: Option<L>) -> Option<Rewards> {
        let totals = self.totals.get(node as usize)?;
        let chosen = || (0..totals.actions.len()).filter(|&i| action.is_none_or(|a| totals.actions[i] == a));
        let visits: u64 = chosen().map(|i| totals.visits[i]).sum();
        let sum = |p: Player| chosen().map(|i| totals.sums[i * self.players + p.index()]).sum::<f64>();
        (visits > 0).then(|| Rewards::from_fn(self.players, |p| sum(p) / visits as f64))
    }

    /// The node at which the searcher decides, if searches begin there.
    pub(crate) fn root(&self) -> Option<u32> {
        self.origins.iter().position(|o| o.who == self.me && o.parent == NONE).map(|node| node as u32)
    }

    /// All there is to tell after the move `made` was chosen at `root`.
    pub(crate) fn tell(
        &self,
        statistics: &dyn Statistics<L>,
        root: Option<u32>,
        made: L,
        words: Words<'_, L>,
    ) -> Explanation {
        let teller = Teller { trace: self, statistics, words, below: Below::new(&self.origins) };
        let mut telling = Explanation {
            line: root.map_or_else(Vec::new, |root| teller.line(root, made)),
            ..Explanation::default()
        };
        self.origins.iter().for_each(|o| telling.count(o.depth as usize));
        if let Some(limits) = self.limits {
            let mut trees: Vec<usize> =
                (0..MAX_PLAYERS).filter(|&t| self.origins.iter().any(|o| usize::from(o.tree) == t)).collect();
            let own = self.origins.iter().find(|o| o.who == self.me).map(|o| usize::from(o.tree));
            insertion_sort::sort_by_key(&mut trees, |t| (Some(*t) != own, *t));
            telling.trees = trees.into_iter().map(|t| teller.tree(t, Some(t) == own, limits)).collect();
        }
        telling
    }
}

/// The nodes below each node, as lists linked through arrays.
struct Below {
    first: Vec<u32>,
    next: Vec<u32>,
}

impl Below {
    fn new<L>(origins: &[Origin<L>]) -> Below {
        let mut below = Below { first: vec![NONE; origins.len()], next: vec![NONE; origins.len()] };
        for (id, origin) in origins.iter().enumerate().rev() {
            if let Some(first) = below.first.get_mut(origin.parent as usize) {
                below.next[id] = std::mem::replace(first, id as u32);
            }
        }
        below
    }

    fn of(&self, node: u32) -> impl Iterator<Item = u32> {
        let some = |id: u32| (id != NONE).then_some(id);
        std::iter::successors(some(self.first[node as usize]), move |&id| some(self.next[id as usize]))
    }
}

/// The game's own words.
#[derive(Clone, Copy)]
pub(crate) struct Words<'a, L> {
    /// The name of a player's move.
    pub(crate) name: &'a dyn Fn(Player, L) -> String,
    /// What an observation means.
    pub(crate) explain: &'a dyn Fn(&Observation, Observer) -> String,
}

struct Teller<'a, L> {
    trace: &'a Trace<L>,
    statistics: &'a dyn Statistics<L>,
    words: Words<'a, L>,
    below: Below,
}

/// Something to be written into a tree, below the entry `parent`.
enum Entry<L> {
    Node(u32, Option<usize>),
    Move { node: u32, action: L, visits: u64, available: Option<u64>, parent: usize },
}

impl<L: Copy + Ord> Teller<'_, L> {
    fn moves(&self, node: u32) -> Vec<(L, u64, Option<u64>)> {
        self.statistics.moves(node, self.trace.origins[node as usize].who == self.trace.me)
    }

    fn after(&self, node: u32, action: L) -> impl Iterator<Item = u32> {
        self.below.of(node).filter(move |&id| self.trace.origins[id as usize].action == Some(action))
    }

    fn line(&self, root: u32, made: L) -> Vec<LineStep> {
        let origins = &self.trace.origins;
        let mut line = Vec::new();
        let mut at = Some((root, made));
        while let Some((node, action)) = at {
            let who = origins[node as usize].who;
            line.push(LineStep { by: Some(who), name: (self.words.name)(who, action) });
            // The last of equals in reverse is the first.
            let next = self.after(node, action).collect::<Vec<_>>().into_iter().rev();
            let next = next
                .max_by_key(|&id| self.statistics.visits(id))
                .filter(|&id| self.moves(id).iter().any(|m| m.1 > 0));
            at = next.map(|id| {
                let origin = &origins[id as usize];
                let others = origin.others.iter();
                line.extend(others.map(|&(p, a)| LineStep { by: Some(p), name: (self.words.name)(p, a) }));
                let news = origin.seen.iter().filter(|n| n.news);
                let by = Observer::Seat(self.trace.me);
                line.extend(news.map(|n| LineStep { by: None, name: (self.words.explain)(&n.seen, by) }));
                let moves = self.moves(id);
                let best = moves.iter().max_by_key(|m| (m.1, std::cmp::Reverse(m.0)));
                (id, best.expect("a node in the line has moves").0)
            });
        }
        line
    }

    /// What was learned on the way to a node, in words.
    fn learned(&self, origin: &Origin<L>, by: Player) -> Vec<String> {
        let others = origin.others.iter();
        let moves = others.map(|&(p, a)| format!("player {p} plays {}", (self.words.name)(p, a)));
        let seen = origin.seen.iter().map(|n| (self.words.explain)(&n.seen, Observer::Seat(by)));
        moves.chain(seen).collect()
    }

    fn tree(&self, tree: usize, own: bool, limits: TreeLimits) -> SearchTree {
        let origins = &self.trace.origins;
        let of = if own { self.trace.me } else { Player(tree as u8) };
        let mut nodes: Vec<TreeNode> = Vec::new();
        let roots = (0..origins.len() as u32).rev().filter(|&id| {
            let origin = &origins[id as usize];
            usize::from(origin.tree) == tree && origin.parent == NONE
        });
        let mut stack: Vec<Entry<L>> = roots.map(|id| Entry::Node(id, None)).collect();
        while let Some(entry) = stack.pop() {
            let place = nodes.len();
            match entry {
                Entry::Node(id, parent) => {
                    let origin = &origins[id as usize];
                    let visits = self.statistics.visits(id);
                    if let Some(parent) = parent
                        && !limits.admit(origin.depth, visits)
                    {
                        nodes[parent].left_out += 1;
                        continue;
                    }
                    nodes.push(TreeNode {
                        parent,
                        depth: origin.depth,
                        reached: match parent {
                            None if origin.seen.is_empty() => Reached::Root,
                            _ => Reached::Seen(self.learned(origin, of)),
                        },
                        turn: Some(Decider::Player(origin.who)),
                        visits,
                        available: None,
                        values: self.trace.means(id, None),
                        left_out: 0,
                    });
                    let mut moves = self.moves(id);
                    insertion_sort::sort_by_key(&mut moves, |m| (m.1, std::cmp::Reverse(m.0)));
                    stack.extend(moves.into_iter().map(|(action, visits, available)| Entry::Move {
                        node: id,
                        action,
                        visits,
                        available,
                        parent: place,
                    }));
                    let kept = self.below.of(id).filter(|&id| origins[id as usize].action.is_none());
                    stack.extend(kept.map(|id| Entry::Node(id, Some(place))));
                }
                Entry::Move { node, action, visits, available, parent } => {
                    let origin = &origins[node as usize];
                    if !limits.admit(origin.depth + 1, visits) {
                        nodes[parent].left_out += 1;
                        continue;
                    }
                    nodes.push(TreeNode {
                        parent: Some(parent),
                        depth: origin.depth + 1,
                        reached: Reached::Move(origin.who, (self.words.name)(origin.who, action)),
                        turn: None,
                        visits,
                        available,
                        values: self.trace.means(node, Some(action)),
                        left_out: 0,
                    });
                    let mut next: Vec<u32> = self.after(node, action).collect();
                    insertion_sort::sort_by_key(&mut next, |&id| {
                        (self.statistics.visits(id), std::cmp::Reverse(id))
                    });
                    stack.extend(next.into_iter().map(|id| Entry::Node(id, Some(place))));
                }
            }
        }
        SearchTree { of, nodes }
    }
}

/// Adds up the trees of several searches of the same position, node by node, and leaves out what the limits say.
pub(crate) fn merge_trees(all: Vec<Vec<SearchTree>>, limits: TreeLimits) -> Vec<SearchTree> {
    let mut merged: Vec<SearchTree> = Vec::new();
    let mut places: HashMap<(Player, Option<usize>, Reached, Option<Decider>), usize> = HashMap::new();
    for tree in all.into_iter().flatten() {
        let at = merged.iter().position(|t| t.of == tree.of).unwrap_or_else(|| {
            merged.push(SearchTree { of: tree.of, nodes: Vec::new() });
            merged.len() - 1
        });
        let nodes = &mut merged[at].nodes;
        let mut moved: Vec<usize> = Vec::with_capacity(tree.nodes.len());
        for node in tree.nodes {
            let parent = node.parent.map(|p| moved[p]);
            let place =
                *places.entry((tree.of, parent, node.reached.clone(), node.turn)).or_insert(nodes.len());
            moved.push(place);
            match nodes.get_mut(place) {
                None => nodes.push(TreeNode { parent, ..node }),
                Some(known) => add(known, &node),
            }
        }
    }
    merged.iter_mut().for_each(|tree| prune(tree, limits));
    merged
}

fn add(to: &mut TreeNode, node: &TreeNode) {
    let visits = to.visits + node.visits;
    let share = node.visits as f64 / visits.max(1) as f64;
    to.values = match (to.values.take(), &node.values) {
        (Some(a), Some(b)) => Some(a.iter().zip(b.iter()).map(|(a, b)| a + (b - a) * share).collect()),
        (a, b) => a.or_else(|| b.clone()),
    };
    to.visits = visits;
    to.available = to.available.zip(node.available).map(|(a, b)| a + b);
}

fn prune(tree: &mut SearchTree, limits: TreeLimits) {
    let mut moved: Vec<Option<usize>> = Vec::with_capacity(tree.nodes.len());
    let mut kept: Vec<TreeNode> = Vec::new();
    for node in std::mem::take(&mut tree.nodes) {
        let parent = node.parent.map(|p| moved[p]);
        moved.push(None);
        match parent {
            Some(None) => {}
            Some(Some(parent)) if !limits.admit(node.depth, node.visits) => kept[parent].left_out += 1,
            parent => {
                *moved.last_mut().expect("just pushed") = Some(kept.len());
                kept.push(TreeNode { parent: parent.flatten(), ..node });
            }
        }
    }
    tree.nodes = kept;
}

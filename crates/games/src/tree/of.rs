//! From any small game to its tree, which can then be written to a file and handed to other programs.

use std::collections::HashMap;

use fogtree_core::history::{Event, events_of};
use fogtree_core::text::plain;
use fogtree_core::{Key, Keys, MAX_PLAYERS, Notation, Observer, Player, Players, Step, Turn};

use super::build::{Draft, Sketch, Unlike, history_text, words};
use super::{BadTree, Tree, number};

/// A node still to come.
struct Pending<R: Notation> {
    state: R::State,
    keys: Keys,
    /// What players chose in a simultaneous turn that is not complete.
    chosen: Vec<(Player, R::Action)>,
    /// The last thing each player did or saw, as a place in the diary.
    last: [u32; MAX_PLAYERS],
    /// The last entry in the list of moves.
    history: u32,
}

/// Something a player did or saw, and what it did or saw before that.
enum Entry<R: Notation> {
    Own(u32, R::Action),
    Observation(u32, fogtree_core::Observation),
}

/// No entry.
const NOTHING: u32 = u32::MAX;

/// Walks a game in prefix order and drafts its tree.
struct Walk<'a, R: Notation> {
    rules: &'a R,
    players: usize,
    most: usize,
    nodes: usize,
    draft: Draft,
    infosets: HashMap<(Player, Key), u32>,
    labels: Unlike,
    diary: Vec<Entry<R>>,
    /// Every move with the one before it.
    moves: Vec<(u32, String)>,
    stack: Vec<Pending<R>>,
}

impl Tree {
    /// The tree of a game that has at most `most` nodes.
    ///
    /// Information sets are those of [`Keys`], labelled by what the player did and saw. Players who move at the
    /// same time move one after the other, in seat order, without seeing what the others chose.
    pub fn of<R: Notation>(rules: &R, most: usize) -> Result<Tree, BadTree> {
        let start = rules.start();
        let players = rules.facts().players;
        let roles: Vec<String> = Player::all(players).map(|p| rules.role(&start, p)).collect();
        let mut walk = Walk {
            rules,
            players,
            most,
            nodes: 0,
            draft: Draft::new("", "", words(roles.iter().map(String::as_str))),
            infosets: HashMap::new(),
            labels: Unlike::default(),
            diary: Vec::new(),
            moves: Vec::new(),
            stack: vec![Pending {
                state: start,
                keys: Keys::start(players),
                chosen: Vec::new(),
                last: [NOTHING; MAX_PLAYERS],
                history: NOTHING,
            }],
        };
        while let Some(node) = walk.stack.pop() {
            walk.visit(&node)?;
        }
        walk.draft.finish()
    }
}

impl<R: Notation> Walk<'_, R> {
    fn visit(&mut self, node: &Pending<R>) -> Result<(), BadTree> {
        self.nodes += 1;
        if self.nodes > self.most {
            return Err(BadTree::TooLarge { most: self.most });
        }
        let rules = self.rules;
        let first_child = self.stack.len();
        match rules.turn(&node.state) {
            Turn::Terminal => {
                self.draft.push(Sketch::End(rules.rewards(&node.state).iter().copied().collect()))?;
            }
            Turn::Chance => {
                let mut outcomes = Vec::new();
                rules.chance(&node.state, &mut outcomes);
                outcomes.retain(|(_, p)| *p > 0.0);
                if outcomes.is_empty() {
                    return Err(BadTree::Sampled { history: self.history(node) });
                }
                let mut branches = Vec::with_capacity(outcomes.len());
                for (outcome, p) in &outcomes {
                    let name = rules.outcome_name(outcome);
                    let p = number::without_rounding_error(*p);
                    branches.push(self.draft.branch(&name, p, Players::default()));
                    self.follow(node, Step::Chance(outcome), name);
                }
                self.draft.push(Sketch::Chance(branches))?;
            }
            turn @ (Turn::Player(_) | Turn::Simultaneous(_)) => {
                let mut to_move = turn.players().iter().skip(node.chosen.len());
                let Some(player) = to_move.next() else {
                    return Err(BadTree::at(&[], "nobody is to move, although the game goes on"));
                };
                let is_last = to_move.next().is_none();
                let set = self.infoset(node, player);
                let mut actions = Vec::new();
                rules.actions(&node.state, player, &mut actions);
                let mut branches = Vec::with_capacity(actions.len());
                for &action in &actions {
                    let name = rules.action_name(action);
                    branches.push(self.draft.branch(&name, 1.0, Players::default()));
                    let mut chosen = node.chosen.clone();
                    chosen.push((player, action));
                    if is_last {
                        self.follow(node, Step::Moves(&chosen), name);
                    } else {
                        let history = self.note_move(node.history, name);
                        let (state, keys, last) = (node.state.clone(), node.keys, node.last);
                        self.stack.push(Pending { state, keys, chosen, last, history });
                    }
                }
                self.draft.push(Sketch::Decision(set, branches))?;
            }
        }
        self.stack[first_child..].reverse();
        Ok(())
    }

    /// Puts the node after a step on the stack.
    fn follow(&mut self, node: &Pending<R>, step: Step<'_, R>, name: String) {
        let mut last = node.last;
        for p in Player::all(self.players) {
            let last = &mut last[p.index()];
            for event in events_of(self.rules, &node.state, step, Observer::Seat(p)) {
                self.diary.push(match event {
                    Event::Own(_) => Entry::Own(*last, step.action_of(p).expect("it was its own action")),
                    Event::Seen(seen) => Entry::Observation(*last, seen),
                });
                *last = self.diary.len() as u32 - 1;
            }
        }
        let keys = node.keys.after(self.rules, &node.state, step);
        let mut state = node.state.clone();
        self.rules.apply(&mut state, step);
        let history = self.note_move(node.history, name);
        self.stack.push(Pending { state, keys, chosen: Vec::new(), last, history });
    }

    fn note_move(&mut self, before: u32, name: String) -> u32 {
        self.moves.push((before, name));
        self.moves.len() as u32 - 1
    }

    fn history(&self, node: &Pending<R>) -> String {
        let mut names = Vec::new();
        let mut at = node.history;
        while let Some((before, name)) = self.moves.get(at as usize) {
            names.push(name.as_str());
            at = *before;
        }
        names.reverse();
        history_text(&names)
    }

    /// The information set in which a player decides.
    fn infoset(&mut self, node: &Pending<R>, player: Player) -> u32 {
        let key = (player, node.keys.of(Observer::Seat(player)));
        if let Some(&set) = self.infosets.get(&key) {
            return set;
        }
        let label = self.label(player, node.last[player.index()]);
        let label = self.labels.text(&label);
        let set = self.draft.infosets.len() as u32;
        self.draft.infosets.push((player, Some(label)));
        self.infosets.insert(key, set);
        set
    }

    /// The player's name and the last things it did and saw.
    fn label(&self, player: Player, last: u32) -> String {
        const SHOWN: usize = 12;
        let mut past = Vec::new();
        let mut at = last;
        while let Some(entry) = self.diary.get(at as usize) {
            if past.len() == SHOWN {
                past.push("...".to_string());
                break;
            }
            let (before, text) = match entry {
                Entry::Own(before, action) => (*before, format!("you: {}", self.rules.action_name(*action))),
                Entry::Observation(before, seen) => {
                    (*before, self.rules.explain(seen, Observer::Seat(player)))
                }
            };
            past.push(plain(&text).split_whitespace().collect::<Vec<_>>().join(" "));
            at = before;
        }
        past.push(self.draft.players[player.index()].clone());
        past.reverse();
        past.join("; ")
    }
}

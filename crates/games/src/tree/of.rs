//! From any small game to its tree, which can then be written to a file and handed to other programs.

use std::collections::HashMap;

use fogtree_core::text::plain;
use fogtree_core::world::{events_of, key_after};
use fogtree_core::{
    Event, Key, MAX_PLAYERS, Model, Move, Observation, Observer, Player, Players, Turn, World, WorldStep,
};

use super::build::{Draft, Sketch, Unlike, history_text, words};
use super::{BadTree, Tree, number};

/// A node still to come.
struct Pending {
    world: Box<dyn World>,
    keys: [Key; MAX_PLAYERS],
    /// What players chose in a simultaneous turn that is not complete.
    chosen: Vec<(Player, Move)>,
    /// The last thing each player did or saw, as a place in the diary.
    last: [u32; MAX_PLAYERS],
    /// The last entry in the list of moves.
    history: u32,
}

/// Something a player did or saw.
enum Entry {
    Own(Move),
    Seen(Observation),
}

/// No entry.
const NOTHING: u32 = u32::MAX;

/// Walks a game in prefix order and drafts its tree.
struct Walk<'a> {
    game: &'a dyn Model,
    players: usize,
    most: usize,
    nodes: usize,
    draft: Draft,
    infosets: HashMap<(Player, Key), u32>,
    labels: Unlike,
    /// What players did and saw, each with the place of what the player did or saw before.
    diary: Vec<(u32, Entry)>,
    /// Every move with the one before it.
    moves: Vec<(u32, String)>,
    stack: Vec<Pending>,
}

impl Tree {
    /// The tree of a game that has at most `most` nodes.
    ///
    /// Information sets are those of [`Key`], labelled by what the player did and saw. Players who move at the
    /// same time move one after the other, in seat order, without seeing what the others chose.
    pub fn of(game: &dyn Model, most: usize) -> Result<Tree, BadTree> {
        let world = game.start();
        let players = game.facts().players;
        let roles: Vec<String> = Player::all(players).map(|p| world.role(p)).collect();
        let mut walk = Walk {
            game,
            players,
            most,
            nodes: 0,
            draft: Draft::new("", "", words(roles.iter().map(String::as_str))),
            infosets: HashMap::new(),
            labels: Unlike::default(),
            diary: Vec::new(),
            moves: Vec::new(),
            stack: vec![Pending {
                world,
                keys: std::array::from_fn(|i| Key::root(Observer::Seat(Player(i as u8)))),
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

impl Walk<'_> {
    fn visit(&mut self, node: &Pending) -> Result<(), BadTree> {
        self.nodes += 1;
        if self.nodes > self.most {
            return Err(BadTree::TooLarge { most: self.most });
        }
        let world = &*node.world;
        let first_child = self.stack.len();
        match world.turn() {
            Turn::Terminal => {
                self.draft.push(Sketch::End(world.rewards().iter().copied().collect()))?;
            }
            Turn::Chance => {
                let mut outcomes = Vec::new();
                world.chances(&mut outcomes);
                outcomes.retain(|(_, p)| *p > 0.0);
                if outcomes.is_empty() {
                    return Err(BadTree::Sampled { history: self.history(node) });
                }
                let mut branches = Vec::with_capacity(outcomes.len());
                for (outcome, p) in &outcomes {
                    let name = world.outcome_name(outcome);
                    let p = number::without_rounding_error(*p);
                    branches.push(self.draft.branch(&name, p, Players::default()));
                    self.follow(node, WorldStep::Chance(outcome), name);
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
                let mut moves = Vec::new();
                world.legal(player, &mut moves);
                let mut branches = Vec::with_capacity(moves.len());
                for &mv in &moves {
                    let name = self.game.move_name(mv);
                    branches.push(self.draft.branch(&name, 1.0, Players::default()));
                    let mut chosen = node.chosen.clone();
                    chosen.push((player, mv));
                    if is_last {
                        self.follow(node, WorldStep::Moves(&chosen), name);
                    } else {
                        let history = self.note_move(node.history, name);
                        let (world, keys, last) = (node.world.clone(), node.keys, node.last);
                        self.stack.push(Pending { world, keys, chosen, last, history });
                    }
                }
                self.draft.push(Sketch::Decision(set, branches))?;
            }
        }
        self.stack[first_child..].reverse();
        Ok(())
    }

    /// Puts the node after a step on the stack.
    fn follow(&mut self, node: &Pending, step: WorldStep<'_>, name: String) {
        let (mut keys, mut last) = (node.keys, node.last);
        for p in Player::all(self.players) {
            let by = Observer::Seat(p);
            for event in events_of(self.game, &*node.world, step, by) {
                let entry = match event {
                    Event::Own(_) => Entry::Own(step.move_of(p).expect("it was its own move")),
                    Event::Seen(seen) => Entry::Seen(seen),
                };
                self.diary.push((last[p.index()], entry));
                last[p.index()] = self.diary.len() as u32 - 1;
            }
            keys[p.index()] = key_after(self.game, keys[p.index()], &*node.world, step, by);
        }
        let mut world = node.world.clone();
        world.apply(step);
        let history = self.note_move(node.history, name);
        self.stack.push(Pending { world, keys, chosen: Vec::new(), last, history });
    }

    fn note_move(&mut self, before: u32, name: String) -> u32 {
        self.moves.push((before, name));
        self.moves.len() as u32 - 1
    }

    fn history(&self, node: &Pending) -> String {
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
    fn infoset(&mut self, node: &Pending, player: Player) -> u32 {
        let key = (player, node.keys[player.index()]);
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
        while let Some((before, entry)) = self.diary.get(at as usize) {
            if past.len() == SHOWN {
                past.push("...".to_string());
                break;
            }
            let text = match entry {
                Entry::Own(mv) => format!("you: {}", self.game.move_name(*mv)),
                Entry::Seen(seen) => self.game.explain(seen, Observer::Seat(player)),
            };
            past.push(plain(&text).split_whitespace().collect::<Vec<_>>().join(" "));
            at = *before;
        }
        past.push(self.draft.players[player.index()].clone());
        past.reverse();
        past.join("; ")
    }
}

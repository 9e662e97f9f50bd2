//! Where in a game the tree begins, and how the searcher gets there from what its seat did and saw.

use fogtree_core::{Budget, Event, InfoSet, Key, Model, Move, Player, Turn, World, WorldStep};

use super::store::NONE;
use super::tree::Tree;
use crate::kit::keyed::{key_of, keys_after, start_keys};
use crate::kit::steps::agreeing;

/// More steps than this are not looked at to find out what happened.
const MOST_STEPS: u32 = 1_000_000;

/// A state with the history that led there.
#[derive(Clone, Debug)]
pub(super) struct Place {
    pub(super) state: Box<dyn World>,
    /// The keys of both seats.
    pub(super) keys: [Key; 2],
    /// How many events the searcher had been through.
    pub(super) taken: usize,
    /// What the tree holds here.
    pub(super) child: u32,
    /// How likely each player was to do what led here, and chance.
    pub(super) reach: [f64; 2],
    pub(super) chance: f64,
}

impl Place {
    /// The start of a game.
    pub(super) fn start(rules: &dyn Model, child: u32) -> Place {
        Place { state: rules.start(), keys: start_keys(), taken: 0, child, reach: [1.0; 2], chance: 1.0 }
    }

    /// Whether this is, or came before, what a seat has been through.
    pub(super) fn leads_to(&self, info: &InfoSet) -> bool {
        let before = info.events.get(..self.taken);
        before.is_some_and(|events| key_of(info.seat, events) == self.keys[info.seat.index()])
    }
}

/// How likely a player is to make each of its moves at a node.
pub(super) type Likely<'a> = dyn Fn(u32, usize, usize) -> f64 + 'a;

/// A search for the steps that agree with what a seat did and saw.
pub(super) struct Follow<'a> {
    pub(super) rules: &'a dyn Model,
    pub(super) tree: &'a Tree,
    pub(super) seat: Player,
    pub(super) events: &'a [Event],
    /// The state in which it ends.
    pub(super) end: &'a dyn World,
    pub(super) likely: &'a Likely<'a>,
    pub(super) until: &'a Budget,
    pub(super) steps: u32,
}

impl Follow<'_> {
    /// Where all events have been gone through and the seat is to decide.
    pub(super) fn from(&mut self, place: &Place) -> Option<Place> {
        let turn = place.state.turn();
        let players = turn.players();
        if players.contains(self.seat) && place.taken == self.events.len() {
            return place.state.same(self.end).then(|| place.clone());
        }
        match turn {
            Turn::Terminal => None,
            Turn::Chance => {
                let mut outcomes = Vec::new();
                place.state.chances(&mut outcomes);
                if outcomes.is_empty() {
                    outcomes.extend(self.tree.listed(place.child).map(|(_, outcome)| (outcome.clone(), 1.0)));
                }
                outcomes.iter().find_map(|(outcome, p)| self.step(place, WorldStep::Chance(outcome), &[], *p))
            }
            _ => {
                let legal = [0, 1].map(|seat| self.legal(place, players.contains(Player(seat)), seat));
                let joint = legal[0].iter().flat_map(|&a| legal[1].iter().map(move |&b| [a, b]));
                joint.collect::<Vec<_>>().into_iter().find_map(|joint| {
                    let moves = [0, 1].map(|seat| joint[seat].1.map(|action| (Player(seat as u8), action)));
                    let moves: Vec<_> = moves.into_iter().flatten().collect();
                    let arms = joint.map(|(arm, _)| arm);
                    self.step(place, WorldStep::Moves(&moves), &arms, 1.0)
                })
            }
        }
    }

    /// What a seat may have done, with the place among its moves: only what it did if it is the searcher.
    fn legal(&self, place: &Place, moves: bool, seat: u8) -> Vec<(usize, Option<Move>)> {
        if !moves {
            return vec![(0, None)];
        }
        let mut legal = Vec::new();
        place.state.legal(Player(seat), &mut legal);
        let own = (seat == self.seat.0).then(|| self.events.get(place.taken));
        let done = |action: &Move| match own {
            None => true,
            Some(event) => event == Some(&Event::Own(self.rules.code(*action))),
        };
        let legal = legal.into_iter().enumerate().filter(|(_, action)| done(action));
        legal.map(|(arm, action)| (arm, Some(action))).collect()
    }

    fn step(&mut self, place: &Place, step: WorldStep<'_>, arms: &[usize], p: f64) -> Option<Place> {
        self.steps += 1;
        if self.steps > MOST_STEPS || self.steps.is_multiple_of(256) && self.until.is_stopped() {
            return None;
        }
        let taken = agreeing(self.rules, &*place.state, step, self.seat, self.events, place.taken)?;
        let mut next = Place { taken, child: NONE, chance: place.chance * p, ..place.clone() };
        if place.child != NONE {
            if let WorldStep::Chance(outcome) = step {
                next.child = self.tree.after_draw(place.child, outcome);
            } else if let [row, column] = *arms {
                next.child = self.tree.after_moves(place.child, [row, column]);
                next.reach[0] *= (self.likely)(place.child, 0, row);
                next.reach[1] *= (self.likely)(place.child, 1, column);
            }
        }
        next.keys = keys_after(self.rules, place.keys, &*place.state, step);
        next.state.apply(step);
        self.from(&next)
    }
}

/// Shows all nodes below a place, each with the keys of both seats.
pub(super) fn each_node(rules: &dyn Model, tree: &Tree, place: &Place, see: &mut dyn FnMut(u32, [Key; 2])) {
    if place.child == NONE {
        return;
    }
    let turn = place.state.turn();
    let mut go = |step: WorldStep<'_>, child: u32| {
        let keys = keys_after(rules, place.keys, &*place.state, step);
        let mut next = Place { keys, child, ..place.clone() };
        next.state.apply(step);
        each_node(rules, tree, &next, see);
    };
    if turn == Turn::Chance {
        for (draw, outcome) in tree.listed(place.child) {
            go(WorldStep::Chance(outcome), tree.child(super::tree::Link::Draw(draw)));
        }
        return;
    }
    let node = place.child;
    let players = turn.players();
    for (joint, slot) in tree.store.tried(node) {
        let child = tree.child(super::tree::Link::Slot(slot));
        if child == NONE {
            continue;
        }
        let columns = tree.store.nodes[node as usize].columns();
        let arms = [joint / columns, joint % columns];
        let moves = players.iter().map(|p| (p, tree.actions_of(node, p.index())[arms[p.index()] as usize]));
        go(WorldStep::Moves(&moves.collect::<Vec<_>>()), child);
    }
    see(node, place.keys);
}

//! Choices in the tree by its own statistics: an untried move if one is legal, else by the bound
//!
//! `mean + c * sqrt(ln a / n)`,
//!
//! of subset-armed bandits, where `n` counts the visits of a move and `a` how often it was legal when the
//! search decided there, the present world apart (`icarus/AMB-23`). Choices made at the same time are left to
//! EXP3, if it is asked for.

use fogtree_core::{Move, Player, Rng, World};

use super::Simultaneous;
use super::engine::Engine;
use crate::kit::places::{InTurn, Places};
use crate::kit::selection::{Best, Roots};
use crate::kit::store::{Edge, Form, NodeId, Store};
use crate::learn::Knowledge;

impl<K: Knowledge> Engine<K> {
    /// Chooses by the statistics of the tree alone. The legal actions may have been listed already.
    #[inline(always)]
    pub(super) fn decide_by_tree(
        &mut self,
        world: &dyn World,
        who: Player,
        together: bool,
        listed: bool,
    ) -> (Move, bool) {
        let exp3 = together && self.config.simultaneous == Simultaneous::Exp3;
        // What the searcher may do is the same in all worlds; what the others may do is not.
        let own = who == self.me();
        if self.split > 0 && !own {
            return self.decide_informed(world, who, exp3, listed);
        }
        let key = self.node_key(self.keys[self.tree_of(who)], who);
        let known = self.store.find(key);
        let ranked = known.filter(|&node| own && !exp3 && self.store.node(node).form == Form::Ranked);
        if let Some(node) = ranked {
            self.store.node_mut(node).visits += 1;
            let place = best_of_all(&self.store, node, self.config.c as f32, &self.roots, &mut self.ties);
            return self.take(node, place, who, 0.0);
        }
        if !listed {
            self.scratch.actions.clear();
            world.legal(who, &mut self.scratch.actions);
        }
        let made = known.or_else(|| self.store.insert(key, self.last(who)));
        let choice = made.and_then(|node| {
            let (place, probability) = match (exp3, own) {
                (true, _) => self.choose_exp3(node)?,
                (false, true) => (self.choose_own(node)?, 0.0),
                (false, false) => (self.choose_among(node)?, 0.0),
            };
            Some((node, place, probability))
        });
        match choice {
            Some((node, place, probability)) => self.take(node, place, who, probability),
            None => (*self.playout.pick(&self.scratch.actions), false),
        }
    }

    /// At a node of the searcher, while moves are untried.
    pub(super) fn choose_own(&mut self, node: NodeId) -> Option<u32> {
        let c = self.config.c as f32;
        choose_own(&mut self.store, node, &self.scratch.actions, c, &self.roots, &mut self.ties)
    }

    /// At a node of another player: only what is legal in this world can be chosen, and whatever is legal has
    /// been available once more.
    pub(super) fn choose_among(&mut self, node: NodeId) -> Option<u32> {
        let trying = self.store.node(node).form == Form::Trying;
        if self.masks && trying {
            let legal = self.scratch.actions.iter().fold(0, |bits, &mv| bits | 1 << mv);
            let tried = self.store.edges(node).iter().fold(0, |bits, e| bits | 1 << e.action);
            if legal & !tried != 0 {
                let mv = self.ties.bit_of(legal & !tried);
                let place = self.store.add_move(node, Edge::tried_among(mv, legal))?;
                self.store.node_mut(node).visits += 1;
                return Some(place);
            }
            self.rank(node);
        }
        let at = self.store.node_mut(node);
        at.form = Form::Ranked;
        at.visits += 1;
        Some(self.best_of_legal(node))
    }

    /// The move with the greatest bound among those legal in this world, which have been available once more. One that
    /// was never legal here before has an infinite bound, and from now on a place.
    #[inline(always)]
    fn best_of_legal(&mut self, node: NodeId) -> u32 {
        let c = self.config.c as f32;
        let (mut best, mut places) = (Best::default(), InTurn::default());
        self.fresh.clear();
        let edges = self.store.edges_mut(node);
        for action in &self.scratch.actions {
            let Some(place) = places.find(edges, action) else {
                best.offer(!(self.fresh.len() as u32), f32::INFINITY, &mut self.ties);
                self.fresh.push(*action);
                continue;
            };
            let edge = &mut edges[place];
            best.offer(place as u32, bound(edge, c, &self.roots), &mut self.ties);
            edge.available += 1;
        }
        if self.fresh.is_empty() { best.place } else { self.make_room(node, best.place) }
    }

    /// Makes room for moves that were never legal here before. Answers the place of the chosen one, which was a place
    /// among the others or, with all bits turned, among the new ones.
    #[cold]
    fn make_room(&mut self, node: NodeId, chosen: u32) -> u32 {
        let old = self.store.edges(node).get(chosen as usize).map(|edge| edge.action);
        let action = old.unwrap_or_else(|| self.fresh[!chosen as usize]);
        self.store.add_available(node, &self.fresh, 1);
        self.store.edges(node).binary_search_by(|e| e.action.cmp(&action)).unwrap_or(0) as u32
    }

    /// The move with the greatest bound among those of a node that are legal in this world, and how many these
    /// are; they have been available once more.
    #[inline(always)]
    pub(super) fn best_legal(&mut self, node: NodeId) -> (Best, usize) {
        let c = self.config.c as f32;
        let (mut best, mut found, mut places) = (Best::default(), 0, InTurn::default());
        let edges = self.store.edges_mut(node);
        for action in &self.scratch.actions {
            let Some(place) = places.find(edges, action) else { continue };
            let edge = &mut edges[place];
            found += 1;
            best.offer(place as u32, bound(edge, c, &self.roots), &mut self.ties);
            edge.available += 1;
        }
        (best, found)
    }

    /// Every visit so far tried a move and remembered what was legal: turns that into counts.
    #[cold]
    fn rank(&mut self, node: NodeId) {
        let mut counts = [0; 64];
        for world in self.store.edges(node).iter().map(Edge::world) {
            counts.iter_mut().enumerate().for_each(|(code, count)| *count += (world >> code & 1) as u32);
        }
        let edges = self.store.edges(node);
        self.fresh.clear();
        let met = (0..).zip(&counts).filter(|(_, count)| **count > 0).map(|(mv, _)| mv);
        self.fresh.extend(met.filter(|mv| edges.binary_search_by(|e| e.action.cmp(mv)).is_err()));
        self.store.add_moves(node, &self.fresh);
        for edge in self.store.edges_mut(node) {
            edge.rank(counts[edge.action as usize]);
        }
    }

    /// At a node of a simultaneous turn.
    pub(super) fn choose_exp3(&mut self, node: NodeId) -> Option<(u32, f32)> {
        self.exp3.choose_at(&mut self.store, node, &self.scratch.actions, &mut self.ties)
    }
}

/// The bound of a move where what is legal differs from world to world.
#[inline(always)]
fn bound<L>(edge: &Edge<L>, c: f32, roots: &Roots) -> f32 {
    match edge.visits {
        0 => f32::INFINITY,
        _ => edge.value + c * roots.of(edge.available) * edge.width(),
    }
}

/// One of the legal moves that are not among those tried, at random. Both lists are in order, all that was
/// tried is legal, and there is something left.
#[inline]
fn pick_untried<L: Copy + Ord>(legal: &[L], tried: &[Edge<L>], rng: &mut Rng) -> L {
    let mut skip = rng.below((legal.len() - tried.len()) as u32) as usize;
    let mut tried = tried.iter().peekable();
    for &action in legal {
        if tried.next_if(|e| e.action == action).is_some() {
            continue;
        }
        if skip == 0 {
            return action;
        }
        skip -= 1;
    }
    unreachable!("fewer moves were tried than are legal")
}

/// Chooses at a node where the same moves are always legal, these: an untried one if there is any, else by
/// the bound. `None` if the memory is used up.
pub(crate) fn choose_own<L: Copy + Ord>(
    store: &mut Store<L>,
    at: NodeId,
    legal: &[L],
    c: f32,
    roots: &Roots,
    ties: &mut Rng,
) -> Option<u32> {
    let tried = store.edges(at);
    if tried.len() < legal.len() {
        let action = pick_untried(legal, tried, ties);
        let place = store.add_move(at, Edge::new(action))?;
        store.node_mut(at).visits += 1;
        return Some(place);
    }
    store.node_mut(at).form = Form::Ranked;
    store.node_mut(at).visits += 1;
    Some(best_of_all(store, at, c, roots, ties))
}

/// The move with the greatest bound at a node where the same moves are always legal and all have been tried;
/// they have been available at every visit before this one.
#[inline(always)]
pub(super) fn best_of_all<L: Copy + Ord>(
    store: &Store<L>,
    at: NodeId,
    c: f32,
    roots: &Roots,
    ties: &mut Rng,
) -> u32 {
    let explore = c * roots.of(store.node(at).visits - 1);
    let mut best = Best::default();
    for (i, edge) in store.edges(at).iter().enumerate() {
        best.offer(i as u32, edge.value + explore * edge.width(), ties);
    }
    best.place
}

//! One tree for many worlds: every iteration draws a world and is otherwise ordinary UCT.
//!
//! This is the other reading of determinized search (Pipan 2021, App. A 1.4; `tubstap/2.4`): nodes are sequences
//! of moves, whoever saw them. At a node only what is legal in the present world can be chosen, and the bound has
//! the visits of the node under the logarithm however often a move was legal: counting that instead makes it
//! SO-ISMCTS.

use std::sync::Arc;

use fogtree_core::{
    Agent, AgentFailure, Budget, Decision, InfoSet, Model, Move, Outcome, Player, Purpose, Report, Rng, Seed,
    World, WorldStep, state_hash,
};

use super::{Edge, NONE, UctSearch};
use crate::kit::determinize::Determinizer;
use crate::kit::root::RootTable;
use crate::kit::selection::Best;

impl UctSearch {
    /// Chooses among what is legal in this world: something untried if there is any, else by the bound.
    pub(super) fn choose_shared(&mut self, at: u32, state: &dyn World, p: Player) -> (Move, u32) {
        self.scratch.actions.clear();
        state.legal(p, &mut self.scratch.actions);
        if !self.admit(at) {
            return (*self.playout.pick(&self.scratch.actions), NONE);
        }
        let node = &mut self.nodes[at as usize];
        node.visits += 1;
        let first = node.first as usize;
        let explore = self.settings.c * f64::from(node.visits).ln().sqrt();
        let edges = &self.edges[first..first + node.count as usize];
        let mut legal = self.scratch.actions.iter().peekable();
        let mut best = Best::default();
        for (i, edge) in edges.iter().enumerate() {
            if legal.next_if(|&&action| action == edge.action).is_none() {
                continue;
            }
            let bound = if edge.visits == 0 { f64::INFINITY } else { edge.bound(explore) };
            best.offer(i as u32, bound, &mut self.ties);
        }
        self.follow(first + best.place as usize, p)
    }

    /// Lets chance draw in this world; returns the node that follows, `NONE` if it has just been made. What may be drawn,
    /// and where in the list it is, differs from world to world, and in some it may be somebody's turn instead:
    /// outcomes are told apart by name, beside the moves of the node. Those that are equally likely take turns.
    pub(super) fn draw_shared(&mut self, at: u32, state: &mut dyn World) -> u32 {
        let key = |outcome: &Outcome| (at, state_hash(&state.outcome_name(outcome)));
        let mut listed = std::mem::take(&mut self.listed);
        state.chances(&mut listed);
        let even = listed.windows(2).all(|w| w[0].1 == w[1].1) && !listed.is_empty();
        let outcome = if even {
            let visits = |outcome: &Outcome| self.drawn.get(&key(outcome)).map_or(0, |draw| draw.1);
            let visits: Vec<u32> = listed.iter().map(|(outcome, _)| visits(outcome)).collect();
            let least = visits.iter().min().copied().unwrap_or(0);
            let rested = || (0..listed.len()).filter(|&i| visits[i] == least);
            let nth = self.ties.below(rested().count() as u32) as usize;
            let place = rested().nth(nth).expect("some came up least often");
            listed.swap_remove(place).0
        } else {
            state.sample_chance(&mut self.playout)
        };
        let key = key(&outcome);
        listed.clear();
        self.listed = listed;
        state.apply(WorldStep::Chance(&outcome));
        if let Some((next, visits)) = self.drawn.get_mut(&key) {
            *visits += 1;
            return *next;
        }
        let made = self.new_node();
        if made != NONE {
            self.drawn.insert(key, (made, 1));
        }
        NONE
    }

    /// Makes room at a node for what is legal, its moves being in rising order. Answers whether there was room.
    fn admit(&mut self, at: u32) -> bool {
        let node = &self.nodes[at as usize];
        let (first, count) = (node.first as usize, node.count as usize);
        let known = &self.edges[first..first + count];
        let legal = &self.scratch.actions;
        let mut rest = known.iter().peekable();
        let is_known = |action: &Move| {
            while rest.next_if(|edge| edge.action < *action).is_some() {}
            rest.next_if(|edge| edge.action == *action).is_some()
        };
        if legal.iter().all(is_known) {
            return true;
        }
        if at != 0 && self.is_full() {
            return false;
        }
        let mut merged = Vec::with_capacity(count + legal.len());
        let mut new = legal.iter().peekable();
        let fresh = |&action: &Move| Edge { total: 0.0, visits: 0, child: NONE, action };
        for edge in known {
            while let Some(action) = new.next_if(|&&action| action < edge.action) {
                merged.push(fresh(action));
            }
            new.next_if(|&&action| action == edge.action);
            merged.push(edge.clone());
        }
        merged.extend(new.map(fresh));
        let node = &mut self.nodes[at as usize];
        (node.first, node.count) = (self.edges.len() as u32, merged.len() as u32);
        node.tried = node.count;
        self.edges.append(&mut merged);
        true
    }
}

/// The player with one tree for all worlds of its information set.
#[derive(Debug)]
pub struct OneTree {
    game: Arc<dyn Model>,
    search: UctSearch,
    sampling: Rng,
}

impl OneTree {
    /// A player of a game.
    pub fn new(game: &Arc<dyn Model>, search: UctSearch) -> OneTree {
        let search = UctSearch { shared: true, proofs: None, ..search };
        OneTree { game: Arc::clone(game), search, sampling: Seed(0).stream(Purpose::Sampling) }
    }
}

impl Agent for OneTree {
    fn start(&mut self, _seat: Player, seed: Seed) {
        self.search.seed(seed);
        self.sampling = seed.stream(Purpose::Sampling);
    }

    fn act(&mut self, info: &InfoSet, budget: &Budget) -> Result<Decision, AgentFailure> {
        let game = &*self.game;
        let search = &mut self.search;
        let mut table = RootTable::new(&info.legal, game.facts().players);
        search.clear();
        search.sums = None;
        let mut worlds = Determinizer::new(game, info);
        let mut world = game.start();
        let opened = search.opened.clone();
        let (mut depth, mut total) = (0, 0);
        let mut clock = budget.start();
        while info.legal.len() > 1 && clock.tick() {
            clock.show(|| table.progress(search.nodes.len() as u64, depth));
            worlds.draw(&mut self.sampling, &mut *world);
            let (tried, rewards) = search.iterate(game, opened.as_deref(), &mut *world, info.seat);
            table.add(table.index_of(tried), &rewards, 1.0);
            depth = depth.max(search.path.len());
            total += search.path.len() as u64;
        }
        let iterations = clock.done();
        let report = Report {
            iterations,
            nodes: search.nodes.len() as u64,
            depth: depth as u32,
            time: clock.elapsed(),
            moves: table.reports_of_worlds(),
            bytes: Some(search.bytes() as u64),
            mean_depth: (iterations > 0).then(|| total as f64 / iterations as f64),
            ..Report::default()
        };
        Ok(Decision { action: search.settings.last.of(&table, info.seat, &mut search.ties), report })
    }
}

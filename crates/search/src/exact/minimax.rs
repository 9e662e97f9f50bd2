//! Minimax on a known state: every line of play, and among equals the line where the other may err.
//!
//! For the player to move,
//! `m(s) = max over moves a of -m(s after a) + epsilon * mean over moves a of -m(s after a)`,
//! so that of two moves that are worth the same the one is better after which the other has fewer good
//! replies. With more than two players everybody maximises its own reward (max^n), with chance values are
//! means (expectimax). Equal states are looked at once. Source: Whitehouse 2014, §5.1.2 (`ismcts/3.8`).
//!
//! There is no chance in what this search does: of moves that are still equal the first is played, so that it
//! can serve as a model of an opponent. Players of a simultaneous turn choose one after another, as in
//! [`crate::uct`].

use std::collections::HashMap;
use std::sync::Arc;
use std::time::Instant;

use fogtree_core::{
    Budget, Decision, Facts, Model, Move, MoveReport, Player, Report, Rewards, Turn, World, WorldStep,
};
use smallvec::SmallVec;

use crate::Scale;
use crate::kit::node_budget::{NODES, NodeBudget, guess};
use crate::kit::steps::{Chosen, after_all};

/// By how much the mean of all moves counts where nothing else is given.
pub const EPSILON: f64 = 1e-3;

/// Values closer than this are equal.
pub(crate) const TIE: f64 = 1e-12;

/// How a minimax search is made.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Settings {
    /// By how much the mean of all moves counts, for rewards scaled to [-1, 1]; 0 is plain minimax.
    pub epsilon: f64,
    /// The states it may look into per decision; beyond these it guesses.
    pub nodes: u64,
}

impl Default for Settings {
    fn default() -> Self {
        Settings { epsilon: EPSILON, nodes: NODES }
    }
}

/// What a state is worth to every player.
#[derive(Clone, Debug)]
struct Worth {
    /// By the formula, for rewards scaled to [-1, 1].
    score: SmallVec<[f64; 2]>,
    /// The rewards if all play by the formula.
    reward: SmallVec<[f64; 2]>,
}

impl Worth {
    fn zero(players: usize) -> Worth {
        Worth { score: SmallVec::from_elem(0.0, players), reward: SmallVec::from_elem(0.0, players) }
    }

    fn add(&mut self, other: &Worth, weight: f64) {
        add(&mut self.score, &other.score, weight);
        add(&mut self.reward, &other.reward, weight);
    }
}

fn add(to: &mut [f64], from: &[f64], weight: f64) {
    to.iter_mut().zip(from).for_each(|(t, f)| *t += weight * f);
}

/// The place of the greatest number, the first of equals.
pub(crate) fn first_best(values: impl Iterator<Item = f64>) -> usize {
    let mut best = (0, f64::NEG_INFINITY);
    for (i, value) in values.enumerate() {
        if value > best.1 + TIE {
            best = (i, value);
        }
    }
    best.0
}

/// The search itself, for rules of which the state is known.
#[derive(Debug)]
pub struct Minimax {
    facts: Facts,
    scale: Scale,
    settings: Settings,
    /// States whose worth is no guess.
    memo: HashMap<Box<dyn World>, Worth>,
    node_budget: NodeBudget,
}

impl Minimax {
    /// A search with these settings.
    pub fn new(rules: &Arc<dyn Model>, settings: Settings) -> Minimax {
        let facts = rules.facts();
        Minimax {
            scale: Scale::of(facts),
            facts: facts.clone(),
            settings,
            memo: HashMap::new(),
            node_budget: NodeBudget::default(),
        }
    }

    /// What can be said of the game.
    pub(crate) fn facts(&self) -> &Facts {
        &self.facts
    }

    /// How it searches.
    pub(crate) fn settings(&self) -> Settings {
        self.settings
    }

    /// Forgets what it has found out.
    pub fn clear(&mut self) {
        self.memo.clear();
    }

    /// Searches for the move of `who` in a state where it is to move.
    pub fn search(&mut self, root: &dyn World, who: Player, legal: &[Move], budget: &Budget) -> Decision {
        self.search_within(self.settings.nodes, root, who, legal, budget)
    }

    /// The same with another limit to the states it may look into.
    pub(crate) fn search_within(
        &mut self,
        nodes: u64,
        root: &dyn World,
        who: Player,
        legal: &[Move],
        budget: &Budget,
    ) -> Decision {
        let began = Instant::now();
        if self.memo.len() as u64 > self.settings.nodes {
            self.memo.clear();
        }
        let mut start = root.boxed();
        start.drop_history();
        let root = &start;
        // The searcher's own choice comes first, as in UCT.
        let others: Vec<Player> = root.turn().players().iter().filter(|&p| p != who).collect();
        let (moves, node_budget) = NodeBudget::spend(budget, |node_budget| {
            std::mem::swap(&mut self.node_budget, node_budget);
            let mut moves = Vec::with_capacity(legal.len());
            for (i, &action) in legal.iter().enumerate() {
                let limit = self.node_budget.share(nodes, legal.len() - i);
                moves.push(self.choose(&**root, &Chosen::from_iter([(who, action)]), &others, limit, 0));
            }
            std::mem::swap(&mut self.node_budget, node_budget);
            moves
        });
        let chosen = first_best(moves.iter().map(|worth| worth.score[who.index()]));
        let report = |(&action, worth): (&Move, &Worth)| {
            MoveReport::of(action, 1, Some(worth.reward.iter().copied().collect()))
        };
        let report = Report {
            moves: legal.iter().zip(&moves).map(report).collect(),
            iterations: legal.len() as u64,
            nodes: node_budget.opened(),
            depth: node_budget.depth() + 1,
            time: began.elapsed(),
            ..Report::default()
        };
        Decision { action: legal[chosen], report }
    }

    fn value(&mut self, state: &(dyn World + 'static), limit: u64, depth: u32) -> Worth {
        let turn = state.turn();
        if turn == Turn::Terminal {
            return self.worth(&state.rewards());
        }
        if let Some(known) = self.memo.get(state) {
            return known.clone();
        }
        if !self.node_budget.open(1, limit, depth) {
            return self.guess(state);
        }
        let guesses = self.node_budget.guesses();
        let value = match turn {
            Turn::Chance => self.draw(state, limit, depth),
            _ => {
                let players: SmallVec<[Player; 2]> = turn.players().iter().collect();
                self.choose(state, &Chosen::new(), &players, limit, depth)
            }
        };
        if self.node_budget.guesses() == guesses {
            self.memo.insert(state.boxed(), value.clone());
        }
        value
    }

    /// The worth of a turn in which some have chosen and some have yet to.
    fn choose(
        &mut self,
        state: &(dyn World + 'static),
        made: &Chosen,
        waiting: &[Player],
        limit: u64,
        depth: u32,
    ) -> Worth {
        let Some((&who, rest)) = waiting.split_first() else {
            return self.value(&*after_all(state, made), limit, depth + 1);
        };
        let mut legal = Vec::new();
        state.legal(who, &mut legal);
        let mut sum = Worth::zero(self.facts.players);
        let mut best: Option<Worth> = None;
        for (i, &action) in legal.iter().enumerate() {
            let mut made = made.clone();
            made.push((who, action));
            let limit = self.node_budget.share(limit, legal.len() - i);
            let worth = self.choose(state, &made, rest, limit, depth);
            sum.add(&worth, 1.0);
            let better = |b: &Worth| worth.score[who.index()] > b.score[who.index()] + TIE;
            if best.as_ref().is_none_or(better) {
                best = Some(worth);
            }
        }
        let mut best = best.expect("a player to move has a move");
        add(&mut best.score, &sum.score, self.settings.epsilon / legal.len() as f64);
        best
    }

    /// The mean over what chance may draw; a guess where that cannot be listed.
    fn draw(&mut self, state: &(dyn World + 'static), limit: u64, depth: u32) -> Worth {
        let mut outcomes = Vec::new();
        state.chances(&mut outcomes);
        if outcomes.is_empty() {
            self.node_budget.guessed();
            return self.guess(state);
        }
        let mut mean = Worth::zero(self.facts.players);
        for (i, (outcome, p)) in outcomes.iter().enumerate() {
            let next = state.after(WorldStep::Chance(outcome));
            let limit = self.node_budget.share(limit, outcomes.len() - i);
            mean.add(&self.value(&*next, limit, depth + 1), *p);
        }
        mean
    }

    fn guess(&self, state: &(dyn World + 'static)) -> Worth {
        let guess = |p| guess(&self.facts, state, p);
        self.worth(&Rewards::from_fn(self.facts.players, guess))
    }

    fn worth(&self, rewards: &Rewards) -> Worth {
        let scaled = |r: &f64| 2.0 * self.scale.value(*r) - 1.0;
        Worth { score: rewards.iter().map(scaled).collect(), reward: rewards.iter().copied().collect() }
    }
}

//! Monte Carlo counterfactual regret minimisation: iterations that look at a few leaves (Lanctot and others
//! 2009; Lisý 2014, §2.5.1).
//!
//! *External sampling* tries every action of the player it updates and draws one outcome of chance and one
//! action of each other player. *Outcome sampling* follows a single path and makes up for what it did not
//! look at by weights. An iteration updates every player once, as in OpenSpiel.

use fogtree_core::{MAX_PLAYERS, Player, Rng};

use crate::checkpoint::Memory;
use crate::compiled::{Compiled, Node};
use crate::deep::with_stack;
use crate::iterative::Iterative;
use crate::strategy::Profile;

/// What an iteration looks at.
#[derive(Clone, Copy, PartialEq, Debug)]
pub enum Sampling {
    /// All actions of the updated player, one of everybody else.
    External,
    /// One path.
    Outcome {
        /// How likely the updated player tries an action at random instead of its strategy; 0.6 by default.
        exploration: f64,
    },
}

/// Sampling regret minimisation on a compiled game.
#[derive(Clone, Debug)]
pub struct SamplingCfr<'a> {
    game: &'a Compiled,
    sampling: Sampling,
    iterations: u64,
    /// Of each player and sequence.
    pub(super) regrets: Vec<Vec<f64>>,
    averages: Vec<Vec<f64>>,
    rng: Rng,
    scratch: Vec<f64>,
    path: Vec<Visit>,
}

/// A decision on a sampled path.
#[derive(Clone, Copy, Debug)]
struct Visit {
    player: Player,
    set: usize,
    /// The place of the action among the actions of the set.
    action: usize,
    /// Chance's and the player's own part in the probability of getting here.
    own_reach: f64,
    /// Chance's and the others' part.
    others_reach: f64,
    /// The probability that a sample gets here.
    sampled: f64,
    /// The probability of chance's draws between this decision and the next, or the end.
    chance_after: f64,
}

impl<'a> SamplingCfr<'a> {
    /// Before the first iteration.
    pub fn new(game: &'a Compiled, sampling: Sampling, rng: Rng) -> Self {
        let zeros = || game.treeplexes().iter().map(|t| vec![0.0; t.sequences()]).collect();
        SamplingCfr {
            game,
            sampling,
            iterations: 0,
            regrets: zeros(),
            averages: zeros(),
            rng,
            scratch: Vec::new(),
            path: Vec::new(),
        }
    }

    /// External sampling below a node; what it is worth to the updated player.
    fn traverse(&mut self, node: u32, who: Player) -> f64 {
        let game = self.game;
        match game.nodes()[node as usize] {
            Node::Leaf { number } => game.rewards(number)[who.index()],
            Node::Chance { child, chances, count } => {
                let unit = self.rng.unit();
                let drawn = draw(&game.chances()[chances as usize..][..count as usize], unit);
                self.traverse(child + drawn as u32, who)
            }
            Node::Decision { player, child, set } if player == who => {
                let actions = game.treeplex(who).actions(set as usize);
                let (base, count) = (self.scratch.len(), actions.len());
                self.scratch.resize(base + 2 * count, 0.0);
                matched(&self.regrets[who.index()][actions.clone()], &mut self.scratch[base..base + count]);
                let mut value = 0.0;
                for i in 0..count {
                    let worth = self.traverse(child + i as u32, who);
                    value += self.scratch[base + i] * worth;
                    self.scratch[base + count + i] = worth;
                }
                let worths = &self.scratch[base + count..base + 2 * count];
                for (regret, worth) in self.regrets[who.index()][actions].iter_mut().zip(worths) {
                    *regret += worth - value;
                }
                self.scratch.truncate(base);
                value
            }
            Node::Decision { player, child, set } => {
                let actions = game.treeplex(player).actions(set as usize);
                let (base, count) = (self.scratch.len(), actions.len());
                self.scratch.resize(base + count, 0.0);
                let strategy = &mut self.scratch[base..];
                matched(&self.regrets[player.index()][actions.clone()], strategy);
                // Of each player's information sets only those count that the update of the player before it
                // meets: one update in a two-player game, and one of several with more players.
                if player.index() == (who.index() + 1) % game.players() {
                    let sums = &mut self.averages[player.index()][actions];
                    sums.iter_mut().zip(strategy.iter()).for_each(|(sum, p)| *sum += p);
                }
                let drawn = draw(strategy, self.rng.unit());
                self.scratch.truncate(base);
                self.traverse(child + drawn as u32, who)
            }
        }
    }

    /// Outcome sampling: follows one path, which `choose` draws from one distribution after another, and
    /// leaves the decisions on it in `path`. Returns the leaf.
    pub(super) fn descend(
        &mut self,
        who: Player,
        exploration: f64,
        mut choose: impl FnMut(&[f64], &mut Rng) -> usize,
    ) -> u32 {
        let game = self.game;
        let mut reach = [1.0; MAX_PLAYERS];
        let (mut chance, mut sampled, mut node) = (1.0, 1.0, 0);
        self.path.clear();
        loop {
            match game.nodes()[node as usize] {
                Node::Leaf { number } => return number,
                Node::Chance { child, chances, count } => {
                    let listed = &game.chances()[chances as usize..][..count as usize];
                    let drawn = choose(listed, &mut self.rng);
                    chance *= listed[drawn];
                    sampled *= listed[drawn];
                    if let Some(last) = self.path.last_mut() {
                        last.chance_after *= listed[drawn];
                    }
                    node = child + drawn as u32;
                }
                Node::Decision { player, child, set } => {
                    let actions = game.treeplex(player).actions(set as usize);
                    let count = actions.len();
                    self.scratch.clear();
                    self.scratch.resize(2 * count, 0.0);
                    let (strategy, tried) = self.scratch.split_at_mut(count);
                    matched(&self.regrets[player.index()][actions], strategy);
                    let explore = if player == who { exploration } else { 0.0 };
                    for (tried, p) in tried.iter_mut().zip(&*strategy) {
                        *tried = (1.0 - explore) * p + explore / count as f64;
                    }
                    let action = choose(tried, &mut self.rng);
                    let others = (0..game.players()).filter(|&p| p != player.index());
                    self.path.push(Visit {
                        player,
                        set: set as usize,
                        action,
                        own_reach: chance * reach[player.index()],
                        others_reach: chance * others.map(|p| reach[p]).product::<f64>(),
                        sampled,
                        chance_after: 1.0,
                    });
                    reach[player.index()] *= strategy[action];
                    sampled *= tried[action];
                    node = child + action as u32;
                }
            }
        }
    }

    /// Learns from the path in `path`, which ended at this leaf (equilibrium 2.5 without targeting; ER-1: the
    /// probabilities of chance count both on the way to an information set and behind it).
    pub(super) fn learn(&mut self, who: Player, leaf: u32, exploration: f64) {
        let game = self.game;
        let payoff = game.rewards(leaf)[who.index()];
        // The probability of the rest of the path, and of sampling all of it, from the last decision backwards.
        let mut tail = 1.0;
        let mut sampled_all = None;
        for visit in (0..self.path.len()).rev() {
            let visit = self.path[visit];
            let actions = game.treeplex(visit.player).actions(visit.set);
            let count = actions.len();
            self.scratch.clear();
            self.scratch.resize(count, 0.0);
            matched(&self.regrets[visit.player.index()][actions.clone()], &mut self.scratch);
            let p = self.scratch[visit.action];
            let explore = if visit.player == who { exploration } else { 0.0 };
            let tried = (1.0 - explore) * p + explore / count as f64;
            let q = *sampled_all.get_or_insert(visit.sampled * tried * visit.chance_after);
            let behind = tail * visit.chance_after;
            tail = behind * p;
            if visit.player == who {
                let weight = payoff * visit.others_reach / q;
                let regrets = &mut self.regrets[who.index()][actions];
                for (i, regret) in regrets.iter_mut().enumerate() {
                    *regret += weight * (if i == visit.action { behind } else { 0.0 } - tail);
                }
            } else {
                let weight = visit.own_reach / visit.sampled;
                let sums = &mut self.averages[visit.player.index()][actions];
                sums.iter_mut().zip(&self.scratch).for_each(|(sum, p)| *sum += weight * p);
            }
        }
    }
}

impl Iterative for SamplingCfr<'_> {
    fn iterate(&mut self) {
        self.iterations += 1;
        for who in Player::all(self.game.players()) {
            match self.sampling {
                Sampling::External => {
                    let depth = self.game.depth();
                    with_stack(depth, || self.traverse(0, who));
                }
                Sampling::Outcome { exploration } => {
                    let leaf = self.descend(who, exploration, |p, rng| draw(p, rng.unit()));
                    self.learn(who, leaf, exploration);
                }
            }
        }
    }

    fn iterations(&self) -> u64 {
        self.iterations
    }

    fn average(&self) -> Profile {
        Profile::from_weights(self.game, &self.averages)
    }

    fn memory(&self) -> Memory {
        let tables = self.regrets.iter().chain(&self.averages).cloned().collect();
        Memory { iterations: self.iterations, rng: Some(self.rng.clone()), tables }
    }

    fn restore(&mut self, memory: Memory) {
        self.iterations = memory.iterations;
        self.rng = memory.rng.unwrap_or_else(|| self.rng.clone());
        self.regrets = memory.tables;
        self.averages = self.regrets.split_off(self.game.players());
    }
}

/// Regret matching.
#[inline]
fn matched(regrets: &[f64], strategy: &mut [f64]) {
    let mut sum = 0.0;
    for (p, regret) in strategy.iter_mut().zip(regrets) {
        *p = regret.max(0.0);
        sum += *p;
    }
    super::match_regrets(strategy, sum);
}

/// The place at which a number in `[0, 1)` falls if the probabilities are laid end to end.
#[inline]
fn draw(probabilities: &[f64], mut unit: f64) -> usize {
    let mut last = 0;
    for (i, &p) in probabilities.iter().enumerate() {
        if p > 0.0 {
            last = i;
            if unit < p {
                return i;
            }
            unit -= p;
        }
    }
    last
}

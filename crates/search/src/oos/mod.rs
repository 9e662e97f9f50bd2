//! Online outcome sampling (OOS): Monte Carlo counterfactual regret minimisation at play time.
//!
//! Every iteration samples one game from its very start for each of the two players. The player whose turn it
//! is to be updated explores, both otherwise play by regret matching, and what came of the game updates the
//! regrets in the information sets passed; the average strategies approach an equilibrium, whatever the
//! search aims at. Source: Lisý 2014, §3.2.4 (`equilibrium/2.5`); `search` has the weights and says how they
//! follow from the printed recursion, which loses the probabilities of chance (`equilibrium/ER-1`).
//!
//! Information sets live in a hash table and are kept for a whole match. The first information set that is
//! not in the table is added, and the rest of the game is random play ([`Expansion`]).
//!
//! # Aiming
//!
//! Sampling from the start spends most of its time elsewhere than where the match is. A share `delta` of the
//! samples is therefore *biased*: until it gets to the information set of the decision, or to the public
//! state ([`Aim`]), it only takes choices that lead there (`target`). The weights make up for it: in
//! expectation every sample updates all regrets as full sweeps of the game would. Without a rest of unbiased
//! samples this breaks down, since the opponent then learns as if it knew where the match is
//! (`equilibrium/T-11`).
//!
//! # Utilities
//!
//! Outcome sampling is right for utilities shifted by any constant, but its variance grows with their size. A
//! player's utility is its reward less half of what both get, half the difference of the rewards: in games of
//! constant sum the zero-sum game that is meant.
//!
//! Published parameters (Lisý 2014, §4.3; `equilibrium/2.8`): `gamma` 0.4, `epsilon` 0.01; `delta` 0.9 is the
//! default of the author's programs.

use std::sync::Arc;
use std::time::Instant;

use fogtree_core::{
    Agent, AgentFailure, AverageStrategy, Budget, Chance, Decision, InfoSet, Key, Mixed, Model, Player,
    Purpose, Report, Rewards, Rng, Seed, Utility,
};

use crate::kit::root::RootTable;

pub mod entry;
mod search;
mod table;
pub(crate) mod target;
#[cfg(test)]
mod tests;

use search::{Search, Streams};
use target::{KeyList, Listed, Target};

/// What biased samples aim at.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Aim {
    /// Nothing: no sample is biased.
    Nothing,
    /// The information set of the decision, as in the source.
    InformationSet,
    /// All histories that look like the match to the public.
    PublicState,
}

/// Which strategy is played after the search.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Play {
    /// The average of all strategies of the search, which approaches an equilibrium.
    Average,
    /// The strategy that regret matching has come to.
    Current,
}

/// How the probabilities of chance enter the weights of a sample (`equilibrium/ER-1`). Only one way is right;
/// the others are here to be studied.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Weights {
    /// On the way down in the reach of the others, on the way back in the tail.
    Corrected,
    /// As the source prints it: on the way down, but missing from the tail.
    Printed,
    /// The other half: in the tail, but missing on the way down.
    Half,
}

impl Weights {
    /// The factor at a decision that chance reaches with probability `here`, in a game in which it drew what
    /// has probability `end`.
    #[inline]
    fn of_regrets(self, here: f64, end: f64) -> f64 {
        match self {
            Weights::Corrected => 1.0,
            Weights::Printed => here / end,
            Weights::Half => 1.0 / here,
        }
    }

    #[inline]
    fn of_average(self, here: f64) -> f64 {
        match self {
            Weights::Corrected | Weights::Printed => 1.0,
            Weights::Half => 1.0 / here,
        }
    }
}

/// Which information sets a sample adds to the table.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Expansion {
    /// The first that is not there; then play is random, as in the source.
    One,
    /// All it meets.
    All,
}

/// The parameters of the search.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Settings {
    /// The probability that the updated player explores.
    pub gamma: f64,
    /// The share of biased samples; the search only converges if it is less than 1.
    pub delta: f64,
    /// The share of uniform play in every strategy, so that nothing is ever out of reach.
    pub epsilon: f64,
    /// What biased samples aim at.
    pub aim: Aim,
    /// Whether samples after a change of aim get weights comparable to those before.
    pub reweight: bool,
    /// Which strategy is played.
    pub play: Play,
    /// How chance enters the weights.
    pub weights: Weights,
    /// Which information sets are added.
    pub expansion: Expansion,
    /// The most bytes for information sets; beyond them play is random where nothing is known.
    pub memory: usize,
}

impl Default for Settings {
    fn default() -> Self {
        Settings {
            gamma: 0.4,
            delta: 0.9,
            epsilon: 0.01,
            aim: Aim::InformationSet,
            reweight: false,
            play: Play::Average,
            weights: Weights::Corrected,
            expansion: Expansion::One,
            memory: 1 << 30,
        }
    }
}

/// The player by online outcome sampling.
#[derive(Debug)]
pub struct Oos {
    game: Arc<dyn Model>,
    settings: Settings,
    search: Search,
    streams: Streams,
    ties: Rng,
    /// The longest way of an iteration through the table, and the ways of all of them together.
    depth: usize,
    made: u64,
}

impl Oos {
    /// A player of a two-player game in which rewards always add up to the same and chance can be listed.
    ///
    /// # Panics
    /// If the game is not of that kind.
    pub fn new(game: &Arc<dyn Model>, settings: Settings) -> Oos {
        let facts = game.facts();
        assert_eq!(facts.players, 2, "OOS is for two players");
        assert_ne!(facts.utility, Utility::General, "OOS is for games of constant sum");
        assert_ne!(facts.chance, Chance::Sampled, "OOS is for games whose chance can be listed");
        let stream = |purpose| Seed(0).stream(purpose);
        Oos {
            game: Arc::clone(game),
            settings,
            search: Search::new(game, settings),
            streams: Streams { sampling: stream(Purpose::Sampling), playout: stream(Purpose::Playout) },
            ties: stream(Purpose::Ties),
            depth: 0,
            made: 0,
        }
    }

    /// The average strategy in the information set with this key, in the order of its actions, if the search
    /// has one.
    pub fn average(&self, key: Key) -> Option<Vec<f64>> {
        let mut strategy = Vec::new();
        let set = self.search.table.place(key)?;
        self.search.table.average(set, &mut strategy).then_some(strategy)
    }

    /// The strategy of regret matching in the information set with this key, if the search has met it.
    pub fn current(&self, key: Key) -> Option<Vec<f64>> {
        let mut strategy = Vec::new();
        self.search.table.strategy(self.search.table.place(key)?, self.settings.epsilon, &mut strategy);
        Some(strategy)
    }

    /// What to aim at for a decision. A history that is not given cannot be aimed at.
    fn target(&self, info: &InfoSet, until: &Budget) -> Target {
        let own = KeyList::of_events(info.seat, &info.events);
        if own.last() != info.key || self.settings.delta == 0.0 {
            return Target::None;
        }
        let keys = match self.settings.aim {
            Aim::Nothing => return Target::None,
            Aim::InformationSet => own,
            Aim::PublicState => KeyList::of_public(&*self.game, &own, until).unwrap_or(own),
        };
        Listed::of(&*self.game, &keys, until).map_or(Target::Keys(keys), Target::Listed)
    }

    /// Makes a pair of iterations, both biased or neither.
    fn iterate(&mut self, mut see: impl FnMut(Player, &Search, &Rewards)) {
        let delta = self.search.delta;
        let biased = delta > 0.0 && self.streams.sampling.unit() < delta;
        for updated in Player::all(2) {
            let rewards = self.search.iterate(updated, biased, &mut self.streams);
            self.depth = self.depth.max(self.search.depth);
            self.made += self.search.depth as u64;
            if let Some(rewards) = rewards {
                see(updated, &self.search, &rewards);
            }
        }
    }
}

impl Agent for Oos {
    fn start(&mut self, _seat: Player, seed: Seed) {
        self.streams.sampling = seed.stream(Purpose::Sampling);
        self.streams.playout = seed.stream(Purpose::Playout);
        self.ties = seed.stream(Purpose::Ties);
        self.search.table.clear();
    }

    fn prepare(&mut self, budget: &Budget) -> u64 {
        self.search.aim(Target::None);
        let mut clock = budget.start();
        while clock.tick() {
            self.iterate(|_, _, _| ());
        }
        clock.done()
    }

    fn average_strategies(&self, tell: &mut dyn FnMut(AverageStrategy<'_>)) {
        self.search.table.average_strategies(tell);
    }

    fn act(&mut self, info: &InfoSet, budget: &Budget) -> Result<Decision, AgentFailure> {
        let began = Instant::now();
        (self.depth, self.made) = (0, 0);
        let kept = self.search.table.len();
        let target = self.target(info, budget);
        self.search.aim(target);
        let mut root = RootTable::new(&info.legal, 2);
        let left = Budget { watch: budget.watch.clone(), ..budget.after(0, began.elapsed()) };
        let mut clock = left.start();
        while clock.tick() {
            clock.show(|| root.progress(self.search.table.len() as u64, self.depth));
            self.iterate(|updated, search, rewards| {
                if updated != info.seat {
                    return;
                }
                let Some(set) = search.table.place(info.key) else { return };
                if let Some(visit) = search.path.iter().find(|visit| visit.set == set) {
                    root.add(visit.taken as usize, rewards, visit.weight);
                }
            });
        }
        let strategy = match self.settings.play {
            Play::Average => self.average(info.key),
            Play::Current => self.current(info.key),
        };
        let uniform = || vec![1.0 / info.legal.len() as f64; info.legal.len()];
        let strategy = strategy.filter(|s| s.len() == info.legal.len()).unwrap_or_else(uniform);
        let action = info.legal[self.ties.weighted(strategy.iter().copied())];
        let iterations = clock.done();
        let report = Report {
            moves: root.reports_of_worlds(),
            iterations,
            nodes: self.search.table.len() as u64,
            depth: self.depth as u32,
            time: began.elapsed(),
            bytes: Some(self.search.table.bytes() as u64),
            mean_depth: Some(self.made as f64 / (2 * iterations) as f64),
            figures: vec![("kept nodes".to_string(), kept as f64)],
            mixed: Some(Mixed::Found(strategy)),
            ..Report::default()
        };
        Ok(Decision { action, report })
    }
}

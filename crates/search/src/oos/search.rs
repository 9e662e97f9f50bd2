//! The iteration: one sampled game, which updates the regrets of one player and the average of the other.
//!
//! # Weights
//!
//! The source's recursion (Lisý 2014, Figs 3.7 and 3.8; `equilibrium/2.5`) carries the reach probabilities
//! `pi_i` and `pi_-i` and the sampling probabilities `s_u` (unbiased) and `s_b` (biased) down to a leaf, and
//! the tail probability `x` and the leaf's sampling probability `q` back up. Only quotients of these are ever
//! used:
//!
//! - the average of the other player's strategy gains weight `pi_-i(h) / S(h)` with
//!   `S = (1 - delta) s_u + delta s_b`;
//! - the regrets of the updated player `i` gain `u_i pi_-i(h) x / q`, where the tail `x` contains chance, the
//!   other player and `i` itself.
//!
//! Chance and the other player are drawn as they play, but for the restriction of biased samples, so their
//! probabilities cancel. Here both sampling probabilities are carried *divided by* `pi_-i`: chance and the
//! other player then change `s_b` alone, by 1 over the probability of all choices that are on the way. With
//! `Move = S / pi_-i` the two weights are `1 / A(h)`, and `u_i t / A(z)` with `t` the product of `i`'s own
//! probabilities behind `h`. Nothing has to be known about the probabilities of chance where it is not
//! restricted, nor about random play to the end, and nothing underflows. Both halves of `equilibrium/ER-1`
//! hold by construction; the defective forms are had by factors that undo them ([`Weights`]).

use std::sync::Arc;

use fogtree_core::{
    Eyes, Key, Model, Move, Outcome, Player, Rewards, Rng, Simulation, Turn, World, WorldStep,
};

use super::table::{Found, Set, Table};
use super::target::{Place, Target};
use super::{Expansion, Settings, Weights};
use crate::kit::keyed::{keys_after, start_keys};

/// Where the choices of an iteration come from.
pub(super) trait Choices {
    /// An index, with these probabilities.
    fn draw(&mut self, probabilities: &[f64]) -> usize;

    /// What chance does.
    fn outcome(&mut self, state: &dyn World) -> Outcome;

    /// Random play to the end.
    fn playout(&mut self, state: &mut dyn World) -> Rewards;

    /// Lets chance draw, and both players see it; returns whose turn it is then.
    fn play_chance(&mut self, game: &dyn Model, state: &mut dyn World, keys: &mut [Key; 2]) -> Turn {
        let outcome = self.outcome(state);
        *keys = keys_after(game, *keys, state, WorldStep::Chance(&outcome));
        state.apply(WorldStep::Chance(&outcome));
        state.turn()
    }
}

/// Choices from random streams.
#[derive(Debug)]
pub(super) struct Streams {
    pub(super) sampling: Rng,
    pub(super) playout: Rng,
}

impl Choices for Streams {
    #[inline]
    fn draw(&mut self, probabilities: &[f64]) -> usize {
        let mut left = self.sampling.unit();
        let mut last = 0;
        for (i, &p) in probabilities.iter().enumerate() {
            if p > 0.0 {
                last = i;
                if left < p {
                    break;
                }
                left -= p;
            }
        }
        last
    }

    #[inline]
    fn outcome(&mut self, state: &dyn World) -> Outcome {
        state.sample_chance(&mut self.sampling)
    }

    #[inline]
    fn play_chance(&mut self, _: &dyn Model, state: &mut dyn World, keys: &mut [Key; 2]) -> Turn {
        state.play_chance(&mut self.sampling, Eyes::Both(keys))
    }

    #[inline]
    fn playout(&mut self, state: &mut dyn World) -> Rewards {
        state.playout(Simulation::UNIFORM, &mut self.playout)
    }
}

/// A choice of the updated player.
#[derive(Clone, Copy, Debug)]
pub(super) struct Visit {
    pub(super) set: Set,
    pub(super) taken: u32,
    /// How likely the player's strategy takes it.
    p: f64,
    /// How likely chance is to draw what led here.
    chance: f64,
    /// The product of the player's probabilities behind it, over `A` of the leaf; known when the game is
    /// over.
    pub(super) weight: f64,
}

/// How a history was sampled, and how likely it was; see the [module](self).
#[derive(Clone, Copy, Debug)]
struct Sample {
    updated: Player,
    biased: bool,
    place: Place,
    /// `s_u / pi_-i`.
    plain: f64,
    /// `s_b / pi_-i`.
    aimed: f64,
    /// The probability of chance's draws, where it matters.
    chance: f64,
}

/// What came of a choice.
enum Next {
    Take(Move),
    /// The same, and then random play to the end.
    TakeAndRoll(Move),
    /// Random play to the end.
    Roll,
    /// The other player never does what the target needs: no weight is left for anything.
    Dead,
}

/// The search: what it has learnt, what it aims at, and room for an iteration.
#[derive(Debug)]
pub(super) struct Search {
    game: Arc<dyn Model>,
    settings: Settings,
    pub(super) table: Table,
    target: Target,
    /// The share of biased samples: 0 without a target.
    pub(super) delta: f64,
    /// The factor of all weights, to make samples comparable with those before the target changed.
    scale: f64,
    start: Box<dyn World>,
    state: Box<dyn World>,
    /// The choices of the updated player in the last iteration.
    pub(super) path: Vec<Visit>,
    /// How many choices in information sets the last iteration made.
    pub(super) depth: usize,
    moves: Vec<(Player, Move)>,
    theirs: Vec<Move>,
    outcomes: Vec<(Outcome, f64)>,
    strategy: Vec<f64>,
    drawn_from: Vec<f64>,
    places: Vec<Place>,
}

impl Search {
    pub(super) fn new(game: &Arc<dyn Model>, settings: Settings) -> Search {
        Search {
            game: Arc::clone(game),
            settings,
            table: Table::new(settings.memory),
            target: Target::None,
            delta: 0.0,
            scale: 1.0,
            start: game.start(),
            state: game.start(),
            path: Vec::new(),
            depth: 0,
            moves: Vec::with_capacity(2),
            theirs: Vec::new(),
            outcomes: Vec::new(),
            strategy: Vec::new(),
            drawn_from: Vec::new(),
            places: Vec::new(),
        }
    }

    /// Aims at a target from now on. Re-weighting multiplies weights by `delta r_b / r_u + 1 - delta` with
    /// the probabilities that a biased and an unbiased sample get to the target, by average strategies
    /// (`equilibrium/2.5`); of listed histories a biased sample misses none. Targets that could not be listed
    /// are not re-weighted.
    pub(super) fn aim(&mut self, target: Target) {
        self.delta = if matches!(target, Target::None) { 0.0 } else { self.settings.delta };
        self.scale = match &target {
            Target::Listed(listed) if self.settings.reweight => {
                match listed.reach(&*self.game, &self.table) {
                    reach if reach > 0.0 => self.delta / reach + 1.0 - self.delta,
                    _ => 1.0,
                }
            }
            _ => 1.0,
        };
        self.target = target;
    }

    /// One iteration that updates the regrets of one player; returns the rewards, if the sample got to an
    /// end.
    pub(super) fn iterate(
        &mut self,
        updated: Player,
        biased: bool,
        choices: &mut impl Choices,
    ) -> Option<Rewards> {
        let game = Arc::clone(&self.game);
        self.state.clone_from(&self.start);
        self.path.clear();
        self.depth = 0;
        let mut keys = start_keys();
        let mut sample =
            Sample { updated, biased, place: self.target.root(), plain: 1.0, aimed: 1.0, chance: 1.0 };
        if sample.place == Place::Outside {
            // Nothing leads to the target: no sample is biased.
            sample.place = Place::Inside;
        }
        let mut turn = self.state.turn();
        let rewards = 'game: loop {
            sample.place = self.target.arrive(sample.place, turn);
            match turn {
                Turn::Terminal => break self.state.rewards(),
                Turn::Chance => {
                    let free = !matches!(sample.place, Place::On(_));
                    if free && self.settings.weights == Weights::Corrected {
                        turn = choices.play_chance(&*game, &mut *self.state, &mut keys);
                        continue;
                    }
                    let place = self.draw(&*game, &mut sample, choices);
                    turn = self.state.play_outcome(place, Eyes::Both(&mut keys));
                }
                _ => {
                    self.moves.clear();
                    let mut rolling = false;
                    for who in turn.players().iter() {
                        match self.choose(&*game, turn, who, keys[who.index()], &mut sample, choices) {
                            Next::Take(action) => self.moves.push((who, action)),
                            Next::TakeAndRoll(action) => {
                                rolling = true;
                                self.moves.push((who, action));
                            }
                            Next::Roll if self.moves.is_empty() => {
                                break 'game choices.playout(&mut *self.state);
                            }
                            Next::Roll => {
                                rolling = true;
                                self.theirs.clear();
                                self.state.legal(who, &mut self.theirs);
                                self.drawn_from.clear();
                                self.drawn_from.resize(self.theirs.len(), 1.0 / self.theirs.len() as f64);
                                self.moves.push((who, self.theirs[choices.draw(&self.drawn_from)]));
                            }
                            Next::Dead => return None,
                        }
                    }
                    if rolling {
                        self.state.apply(WorldStep::Moves(&self.moves));
                        break choices.playout(&mut *self.state);
                    }
                    turn = self.state.play(&self.moves, Eyes::Both(&mut keys));
                }
            }
        };
        self.learn(&sample, &rewards);
        Some(rewards)
    }

    /// `A`: the sampling probability over the reach of chance and the other player.
    #[inline]
    fn sampled(&self, sample: &Sample) -> f64 {
        (1.0 - self.delta) * sample.plain + self.delta * sample.aimed
    }

    /// What chance draws, by its place in the list.
    fn draw(&mut self, game: &dyn Model, sample: &mut Sample, choices: &mut impl Choices) -> u32 {
        let on = match sample.place {
            Place::On(at) => Some(at),
            _ => None,
        };
        self.outcomes.clear();
        self.state.chances(&mut self.outcomes);
        self.drawn_from.clear();
        self.drawn_from.extend(self.outcomes.iter().map(|(_, p)| *p));
        let mut allowed = 0.0;
        if let Some(at) = on {
            self.target.lead_outcomes(game, &*self.state, at, &self.outcomes, &mut self.places);
            let on_the_way = self.places.iter().zip(&self.outcomes).filter(|(p, _)| **p != Place::Outside);
            allowed = on_the_way.map(|(_, (_, p))| p).sum();
        }
        let drawn = if allowed > 0.0 {
            if sample.biased {
                for (p, place) in self.drawn_from.iter_mut().zip(&self.places) {
                    *p = if *place == Place::Outside { 0.0 } else { *p / allowed };
                }
            }
            let drawn = choices.draw(&self.drawn_from);
            sample.place = self.places[drawn];
            sample.aimed *= if sample.place == Place::Outside { 0.0 } else { 1.0 / allowed };
            drawn
        } else {
            if on.is_some() {
                sample.place = Place::Inside;
            }
            choices.draw(&self.drawn_from)
        };
        sample.chance *= self.outcomes[drawn].1;
        drawn as u32
    }

    /// Lets a player choose in its information set.
    #[inline]
    fn choose(
        &mut self,
        game: &dyn Model,
        turn: Turn,
        who: Player,
        key: Key,
        sample: &mut Sample,
        choices: &mut impl Choices,
    ) -> Next {
        let (set, new) = match self.table.find(&*self.state, who, key) {
            Found::Info(set) => (set, false),
            Found::New(set) => (set, true),
            Found::Full => return Next::Roll,
        };
        self.depth += 1;
        self.table.visit(set);
        self.table.strategy(set, self.settings.epsilon, &mut self.strategy);
        let own = who == sample.updated;
        if !own {
            let weight = self.scale * self.settings.weights.of_average(sample.chance) / self.sampled(sample);
            self.table.add_strategy(set, &self.strategy, weight);
        }
        let chance = sample.chance;
        let rolling = new && self.settings.expansion == Expansion::One;
        let taken = match sample.place {
            Place::On(at) if !rolling => self.choose_on_the_way(game, turn, who, set, at, sample, choices),
            _ => self.choose_freely(own, sample, choices),
        };
        let Some(taken) = taken else { return Next::Dead };
        if own {
            let p = self.strategy[taken];
            self.path.push(Visit { set, taken: taken as u32, p, chance, weight: 0.0 });
        }
        let action = self.table.action(set, taken);
        if rolling { Next::TakeAndRoll(action) } else { Next::Take(action) }
    }

    /// Chooses where nothing is restricted: the updated player explores.
    #[inline]
    fn choose_freely(&mut self, own: bool, sample: &mut Sample, choices: &mut impl Choices) -> Option<usize> {
        if !own {
            return Some(choices.draw(&self.strategy));
        }
        let gamma = self.settings.gamma;
        let floor = gamma / self.strategy.len() as f64;
        self.drawn_from.clear();
        self.drawn_from.extend(self.strategy.iter().map(|p| (1.0 - gamma) * p + floor));
        let taken = choices.draw(&self.drawn_from);
        sample.plain *= self.drawn_from[taken];
        sample.aimed *= self.drawn_from[taken];
        Some(taken)
    }

    /// Chooses on the way to the target; `None` if the other player never chooses what leads there.
    #[expect(clippy::too_many_arguments, reason = "a turn is described by all of these")]
    fn choose_on_the_way(
        &mut self,
        game: &dyn Model,
        turn: Turn,
        who: Player,
        set: Set,
        at: u32,
        sample: &mut Sample,
        choices: &mut impl Choices,
    ) -> Option<usize> {
        let own = who == sample.updated;
        self.target.lead_actions(
            game,
            &*self.state,
            at,
            who,
            self.table.actions(set),
            turn,
            &mut self.theirs,
            self.moves.last().copied(),
            &mut self.places,
        );
        let leads = |place: &Place| *place != Place::Outside;
        let ways = self.places.iter().filter(|p| leads(p)).count();
        if ways == 0 {
            sample.place = Place::Inside;
            return self.choose_freely(own, sample, choices);
        }
        let on_the_way = self.places.iter().zip(&self.strategy).filter(|(place, _)| leads(place));
        let allowed: f64 = on_the_way.map(|(_, p)| p).sum();
        let gamma = if own { self.settings.gamma } else { 0.0 };
        let (floor, floor_on_the_way) = (gamma / self.places.len() as f64, gamma / ways as f64);
        let plain = |p: f64| (1.0 - gamma) * p + floor;
        // Where regret matching has nothing for the choices on the way they are equally likely (ER-8).
        let aimed = |place: &Place, p: f64| match leads(place) {
            true if allowed > 0.0 => (1.0 - gamma) * p / allowed + floor_on_the_way,
            true => 1.0 / ways as f64,
            false => 0.0,
        };
        self.drawn_from.clear();
        if sample.biased {
            self.drawn_from.extend(self.places.iter().zip(&self.strategy).map(|(place, &p)| aimed(place, p)));
        } else {
            self.drawn_from.extend(self.strategy.iter().map(|&p| plain(p)));
        }
        let taken = choices.draw(&self.drawn_from);
        let (place, p) = (self.places[taken], self.strategy[taken]);
        sample.place = place;
        if own {
            sample.plain *= plain(p);
            sample.aimed *= aimed(&place, p);
        } else if p > 0.0 {
            sample.aimed *= aimed(&place, p) / p;
        } else {
            return None;
        }
        Some(taken)
    }

    /// Learns from the choices in `path`, from the last backwards.
    #[inline]
    fn learn(&mut self, sample: &Sample, rewards: &Rewards) {
        let (own, other) = (rewards[sample.updated], rewards[sample.updated.other()]);
        // What is won beyond an equal share: the zero-sum game in disguise.
        let utility = (own - other) / 2.0;
        let mut tail = self.scale / self.sampled(sample);
        for visit in self.path.iter_mut().rev() {
            visit.weight = tail;
            let factor = utility * self.settings.weights.of_regrets(visit.chance, sample.chance);
            let earned = tail * visit.p;
            self.table.add_regret(visit.set, visit.taken, tail * factor, earned * factor);
            tail = earned;
            if tail == 0.0 {
                break;
            }
        }
    }
}

//! Exact players of games with hidden information: which worlds they think possible, and how they decide.
//!
//! A [`BeliefPlayer`] lists the worlds of its information set and asks a [`Judge`] for the best move:
//! [`Minimax`] in each world with a vote weighted by the worlds (PIMC-minimax, `ismcts/3.11`) or
//! [`Expectimax`] over all of them at once (`ismcts/3.12`). With a [`OpponentModel`] of its opponents it leaves out the
//! worlds in which the model would have played otherwise than was seen (`ismcts/3.13`): a Bayesian filter for
//! opponents without randomness, whose likelihoods are 0 or 1. Source: Whitehouse 2014, §5.1.2.

use std::collections::HashMap;
use std::fmt;
use std::sync::Arc;
use std::time::Instant;

use fogtree_core::{
    Agent, AgentFailure, Budget, Decision, Event, Info, InfoSet, Key, Model, Move, Observer, Player, Purpose,
    Report, Rng, Seed, Turn, World,
};

use crate::exact::expectimax::{Expectimax, Merge, Worlds, put};
use crate::exact::minimax::{Minimax, Settings};
use crate::kit::determinize::Determinizer;
use crate::kit::keyed::key_of;
use crate::kit::steps::{agreeing, each_step};
use crate::kit::vote::{Tally, Vote};

/// A world, and how many of the events of a seat led there.
type Followed = (Box<dyn World>, usize);

/// The worlds drawn where they cannot be listed and no number is given.
pub const SAMPLES: usize = 100;
/// The most worlds followed through a game where no number is given.
pub const CANDIDATES: usize = 100_000;

/// Decides for a player who knows that the state is one of several.
pub trait Judge: Send {
    /// A game begins: what was found out in other games is forgotten.
    fn start(&mut self);

    /// Searches for the move of `who`, who is to move in all these states. The same worlds always give the
    /// same move.
    fn judge(
        &mut self,
        worlds: &[(Box<dyn World>, f64)],
        who: Player,
        legal: &[Move],
        budget: &Budget,
    ) -> Decision;
}

impl Judge for Minimax {
    fn start(&mut self) {
        self.clear();
    }

    fn judge(
        &mut self,
        worlds: &[(Box<dyn World>, f64)],
        who: Player,
        legal: &[Move],
        budget: &Budget,
    ) -> Decision {
        let began = Instant::now();
        let facts = self.facts();
        let mut tally = Tally::new(who, legal, facts.players, facts.utility_bounds.0);
        let time = budget.time.map(|t| t / worlds.len().max(1) as u32);
        let budget = Budget { time, ..budget.clone() };
        let mut left = self.settings().nodes;
        for (i, (world, weight)) in worlds.iter().enumerate() {
            if i > 0 && budget.is_stopped() {
                break;
            }
            let nodes = left / (worlds.len() - i) as u64;
            let decision = self.search_within(nodes, &**world, who, legal, &budget);
            left = left.saturating_sub(decision.report.nodes);
            tally.add(&decision, *weight);
        }
        let mut report = Report { time: began.elapsed(), ..tally.report() };
        // These are all the worlds there are, or are taken for that: nothing was sampled.
        report.moves.iter_mut().for_each(|m| m.margins = None);
        Decision { action: tally.first(Vote::WeightedMajority), report }
    }
}

impl Judge for Expectimax {
    fn start(&mut self) {
        self.clear();
    }

    fn judge(
        &mut self,
        worlds: &[(Box<dyn World>, f64)],
        who: Player,
        legal: &[Move],
        budget: &Budget,
    ) -> Decision {
        self.search(worlds, who, legal, budget)
    }
}

/// What a player takes the others for.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum ModelKind {
    /// Players who know the state and play minimax.
    Minimax,
    /// Players who know their information set and let minimax vote.
    PimcMinimax,
    /// Players who know their information set and play information-set expectimax.
    IsExpectimax,
}

/// What the other players would do, as one player imagines them.
pub struct OpponentModel {
    game: Arc<dyn Model>,
    judge: Box<dyn Judge>,
    sees_state: bool,
    samples: usize,
    memo: HashMap<(Player, Info), Move>,
}

impl fmt::Debug for OpponentModel {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("OpponentModel").field("sees_state", &self.sees_state).finish_non_exhaustive()
    }
}

impl OpponentModel {
    /// A model of this kind. Where worlds cannot be listed it takes `samples` of them.
    pub fn new(game: &Arc<dyn Model>, kind: ModelKind, settings: Settings, samples: usize) -> OpponentModel {
        let judge: Box<dyn Judge> = match kind {
            ModelKind::Minimax | ModelKind::PimcMinimax => Box::new(Minimax::new(game, settings)),
            ModelKind::IsExpectimax => Box::new(Expectimax::new(game, settings.nodes)),
        };
        let sees_state = kind == ModelKind::Minimax;
        OpponentModel { game: Arc::clone(game), judge, sees_state, samples, memo: HashMap::new() }
    }

    fn start(&mut self) {
        self.judge.start();
        self.memo.clear();
    }

    /// What a player to move would do in a state.
    pub fn action(&mut self, state: &dyn World, who: Player) -> Move {
        self.action_until(state, who, &Budget::default())
    }

    /// The same, but anything once it is stopped.
    fn action_until(&mut self, state: &dyn World, who: Player, until: &Budget) -> Move {
        let game = &*self.game;
        let mut legal = Vec::new();
        state.legal(who, &mut legal);
        if let [only] = legal[..] {
            return only;
        }
        if self.sees_state {
            return self.judge.judge(&[(state.boxed(), 1.0)], who, &legal, until).action;
        }
        let known = state.info(Observer::Seat(who));
        if let Some(&action) = self.memo.get(&(who, known.clone())) {
            return action;
        }
        if until.stop.is_some() && !game.find_worlds(&known, None, &until.deadline()) {
            return legal[0];
        }
        let mut rng = Seed(0).stream(Purpose::Sampling);
        let worlds = list(game, (&known, None), who, self.samples, &mut rng);
        let action = self.judge.judge(&worlds, who, &legal, until).action;
        if !until.is_stopped() {
            self.memo.insert((who, known), action);
        }
        action
    }
}

/// The worlds in which this is known and `who` is to move, as likely as is believed if anything is; so many
/// drawn ones where they cannot be listed.
fn list(
    game: &dyn Model,
    (known, belief): (&Info, Option<&[f64]>),
    who: Player,
    samples: usize,
    rng: &mut Rng,
) -> Worlds<Box<dyn World>> {
    let mut worlds = Vec::new();
    if game.enumerate(known, &mut worlds) {
        worlds.retain(|(s, weight)| *weight > 0.0 && s.turn().players().contains(who));
        if let Some(belief) = belief.filter(|_| game.hidden_part().is_some()) {
            weigh(belief, &mut worlds);
        }
        return worlds;
    }
    let mut draws = match belief {
        Some(belief) => Determinizer::believed(game, known, belief),
        None => Determinizer::known(game, known),
    };
    let mut places = HashMap::new();
    let mut world = game.start();
    for _ in 0..samples.max(1) {
        let weight = draws.draw_weighed(rng, &mut *world);
        let place = *places.entry(world.boxed()).or_insert(worlds.len());
        put(&mut worlds, place, world.boxed(), weight, Merge::Chance);
    }
    worlds
}

/// Weighs worlds so that the values of the hidden part are as likely as is believed, and those of the same
/// value stay as likely as they were among each other. If nothing is left that is believed in, all stay as
/// they were.
fn weigh(belief: &[f64], worlds: &mut Worlds<Box<dyn World>>) {
    let believed = |state: &dyn World| state.hidden_value().filter(|&value| belief[value] > 0.0);
    let mut masses = vec![0.0; belief.len()];
    for (state, weight) in &*worlds {
        if let Some(value) = believed(&**state) {
            masses[value] += weight;
        }
    }
    if masses.iter().any(|mass| *mass > 0.0) {
        worlds.retain_mut(|(state, weight)| {
            let value = believed(&**state);
            *weight *= value.map_or(0.0, |value| belief[value] / masses[value]);
            value.is_some()
        });
    }
}

/// The worlds that a player thinks possible, followed through a game.
#[derive(Debug)]
pub struct Candidates {
    game: Arc<dyn Model>,
    model: Option<OpponentModel>,
    samples: usize,
    most: usize,
    sampling: Rng,
    worlds: Worlds<Box<dyn World>>,
    /// How many events these worlds account for, and the key of these.
    heard: usize,
    key: Key,
}

impl Candidates {
    /// All worlds of the information set, or `samples` of them where they cannot be listed. With a model, only
    /// those in which the others played by it; it is left aside once there are more than `most` worlds to
    /// follow.
    pub fn new(
        game: &Arc<dyn Model>,
        model: Option<OpponentModel>,
        samples: usize,
        most: usize,
    ) -> Candidates {
        let mut candidates = Candidates {
            game: Arc::clone(game),
            model,
            samples,
            most,
            sampling: Seed(0).stream(Purpose::Sampling),
            worlds: Vec::new(),
            heard: 0,
            key: Key(0),
        };
        candidates.start(Player(0), Seed(0));
        candidates
    }

    fn start(&mut self, seat: Player, seed: Seed) {
        self.sampling = seed.stream(Purpose::Sampling);
        self.worlds = vec![(self.game.start(), 1.0)];
        self.heard = 0;
        self.key = Key::root(Observer::Seat(seat));
        if let Some(model) = &mut self.model {
            model.start();
        }
    }

    /// The worlds that a seat thinks possible when it is to move.
    pub fn worlds(&mut self, info: &InfoSet) -> Worlds<Box<dyn World>> {
        self.worlds_until(info, &Budget::default())
    }

    /// The same; if it is stopped on the way, it leaves the model aside.
    fn worlds_until(&mut self, info: &InfoSet, until: &Budget) -> Worlds<Box<dyn World>> {
        if let Some(mut model) = self.model.take() {
            let found = self.follow(info, &mut model, until);
            self.model = Some(model);
            if let Some(worlds) = found {
                return worlds;
            }
        }
        let known = (&info.known, info.belief.as_deref());
        list(&*self.game, known, info.seat, self.samples, &mut self.sampling)
    }

    /// Goes on from the worlds of the last decision; `None` if there are too many or none.
    fn follow(
        &mut self,
        info: &InfoSet,
        model: &mut OpponentModel,
        until: &Budget,
    ) -> Option<Worlds<Box<dyn World>>> {
        if info.events.get(..self.heard).is_none_or(|heard| key_of(info.seat, heard) != self.key) {
            self.worlds = vec![(self.game.start(), 1.0)];
            self.heard = 0;
        }
        let events = &info.events[self.heard..];
        let filtered = self.walk(info.seat, events, Some(model), until)?;
        let worlds = if filtered.is_empty() { self.walk(info.seat, events, None, until)? } else { filtered };
        if worlds.is_empty() {
            return None;
        }
        self.worlds = worlds;
        self.heard = info.events.len();
        self.key = key_of(info.seat, &info.events);
        Some(self.worlds.clone())
    }

    /// The worlds in which the seat is to move after these events, with the others playing by the model if
    /// there is one. `None` if there are too many on the way, chance cannot list what follows, or it was stopped.
    fn walk(
        &self,
        seat: Player,
        events: &[Event],
        mut model: Option<&mut OpponentModel>,
        until: &Budget,
    ) -> Option<Worlds<Box<dyn World>>> {
        let game = &*self.game;
        let mut arrived = Vec::new();
        let mut layer: Vec<(Followed, f64)> =
            self.worlds.iter().map(|(s, weight)| ((s.clone(), 0), *weight)).collect();
        while !layer.is_empty() {
            let mut next = Vec::new();
            let mut places = HashMap::new();
            for ((state, at), weight) in layer {
                let turn = state.turn();
                let decides = turn.players().contains(seat);
                if turn == Turn::Terminal || (at == events.len() && decides) {
                    if decides {
                        arrived.push((state, weight));
                    }
                    continue;
                }
                let own = match events.get(at) {
                    Some(Event::Own(code)) if decides => own_action(game, &*state, seat, *code),
                    _ => None,
                };
                let merge = if turn == Turn::Chance { Merge::Chance } else { Merge::Same };
                let mut steps = 0;
                each_step(&*state, own.map(|a| (seat, a)), |step, p| {
                    steps += 1;
                    let Some(reached) = agreeing(game, &*state, step, seat, events, at) else { return };
                    let as_modelled = |model: &mut OpponentModel| {
                        step.moves()
                            .iter()
                            .all(|&(q, a)| q == seat || model.action_until(&*state, q, until) == a)
                    };
                    if !model.as_deref_mut().is_none_or(as_modelled) {
                        return;
                    }
                    let after = state.after(step);
                    let after = (after, reached);
                    let place = *places.entry(after.clone()).or_insert(next.len());
                    put(&mut next, place, after, weight * p, merge);
                });
                if steps == 0 || next.len() + arrived.len() > self.most || until.is_stopped() {
                    return None;
                }
            }
            layer = next;
        }
        Some(arrived)
    }
}

/// The action of this code.
pub(crate) fn own_action(game: &dyn Model, state: &dyn World, seat: Player, code: u64) -> Option<Move> {
    let mut legal = Vec::new();
    state.legal(seat, &mut legal);
    legal.into_iter().find(|&a| game.code(a) == code)
}

/// The player that asks a judge about the worlds it thinks possible.
#[derive(Debug)]
pub struct BeliefPlayer<J> {
    candidates: Candidates,
    judge: J,
}

impl<J: Judge> BeliefPlayer<J> {
    /// A player that decides by `judge` among these worlds.
    pub fn new(candidates: Candidates, judge: J) -> BeliefPlayer<J> {
        BeliefPlayer { candidates, judge }
    }
}

impl<J: Judge> Agent for BeliefPlayer<J> {
    fn start(&mut self, seat: Player, seed: Seed) {
        self.candidates.start(seat, seed);
        self.judge.start();
    }

    fn act(&mut self, info: &InfoSet, budget: &Budget) -> Result<Decision, AgentFailure> {
        let until = Budget { stop: budget.stop.clone(), ..Budget::default() };
        let worlds = self.candidates.worlds_until(info, &until);
        let mut decision = self.judge.judge(&worlds, info.seat, &info.legal, budget);
        decision.report.figures.push(("worlds".to_string(), worlds.len() as f64));
        Ok(decision)
    }
}

//! A game with one thing about it replaced: every method of [`Broken`] is a field that may be set wrong.

use std::fmt::Debug;
use std::hash::{Hash, Hasher};

use fogtree_core::{
    Evaluations, Extras, Facts, FastPlay, Game, HiddenPart, InfoExtras, Notation, Observation, Observer,
    Playable, Player, Rewards, Rng, Rules, Scene, Scratch, Step, Tensors, Turn,
};
use serde::{Deserialize, Serialize};

/// A game that does as `inner` does, except where a field was set.
#[allow(clippy::type_complexity)]
pub(crate) struct Broken<G: Playable> {
    pub(crate) inner: G,
    pub(crate) facts: fn(&G) -> Facts,
    pub(crate) turn: fn(&G, &G::State) -> Turn,
    pub(crate) actions: fn(&G, &G::State, Player, &mut Vec<G::Action>),
    pub(crate) chance: fn(&G, &G::State, &mut Vec<(G::Outcome, f64)>),
    pub(crate) sample_chance: fn(&G, &G::State, &mut Rng) -> G::Outcome,
    pub(crate) is_possible: fn(&G, &G::State, &G::Outcome) -> bool,
    pub(crate) apply: fn(&G, &mut G::State, Step<'_, G>),
    pub(crate) observe: fn(&G, &G::State, Step<'_, G>, Observer) -> Option<Observation>,
    pub(crate) rewards: fn(&G, &G::State) -> Rewards,
    pub(crate) code: fn(&G, G::Action) -> u64,
    pub(crate) codes: fn(&G) -> Option<usize>,
    pub(crate) decode: fn(&G, u64) -> G::Action,
    pub(crate) action_name: fn(&G, G::Action) -> String,
    pub(crate) parse_action: fn(&G, &str) -> Option<G::Action>,
    pub(crate) outcome_name: fn(&G, &G::Outcome) -> String,
    pub(crate) parse_outcome: fn(&G, &str) -> Option<G::Outcome>,
    pub(crate) explain: fn(&G, &Observation, Observer) -> String,
    pub(crate) role: fn(&G, &G::State, Player) -> String,
    pub(crate) evaluate: fn(&G, &G::State, Player) -> Option<f64>,
    pub(crate) random_action: fn(&G, &G::State, Player, &mut Rng) -> G::Action,
    pub(crate) playout: fn(&G, &mut G::State, &mut Rng) -> Rewards,
    pub(crate) known: fn(&G, &G::State, Observer) -> Info<G::Info>,
    pub(crate) reuse_sampler: fn(&G, &mut G::Sampler, &G::Info),
    pub(crate) sample: fn(&G, &G::Info, &mut G::Sampler, &mut Rng, &mut G::State) -> f64,
    pub(crate) enumerate: fn(&G, &G::Info, &mut Vec<(G::State, f64)>) -> bool,
    pub(crate) scene: fn(&G, &Info<G::Info>) -> Scene,
    pub(crate) spots: fn(&G, &Info<G::Info>, Player, G::Action) -> Vec<String>,
    pub(crate) value_name: fn(&G, usize) -> String,
    pub(crate) value: fn(&G, &G::State) -> Option<usize>,
    pub(crate) private: fn(&G, usize, Player) -> u64,
    pub(crate) prior: fn(&G, &G::Info, &mut [f64]),
    pub(crate) propagate: fn(&G, &mut [f64], &G::Info, &G::Info),
    pub(crate) tensor: fn(&G, &Info<G::Info>, Player, &mut [f32]),
    pub(crate) sample_value: fn(&G, &mut G::Sampler, usize, &mut Rng, &mut G::State) -> bool,
}

/// The hidden part of a game that has one.
pub(crate) fn hidden<G: Playable>(game: &G) -> &dyn HiddenPart<G> {
    game.info_extras().hidden_part.expect("asked only of games that have one")
}

/// The tensors of a game that has them.
pub(crate) fn tensors<G: Playable>(game: &G) -> &dyn Tensors<G> {
    game.info_extras().tensors.expect("asked only of games that have them")
}

impl<G: Playable + Default> Broken<G> {
    /// The game as it should be.
    pub(crate) fn sound() -> Broken<G> {
        Broken {
            inner: G::default(),
            facts: |g| g.facts(),
            turn: |g, s| g.turn(s),
            actions: |g, s, who, out| g.actions(s, who, out),
            chance: |g, s, out| g.chance(s, out),
            sample_chance: |g, s, rng| g.sample_chance(s, rng),
            is_possible: |g, s, outcome| g.is_possible(s, outcome),
            apply: |g, s, step| g.apply(s, step),
            observe: |g, s, step, by| g.observe(s, step, by),
            rewards: |g, s| g.rewards(s),
            code: |g, action| g.code(action),
            codes: |g| g.codes(),
            decode: |g, code| g.decode(code),
            action_name: |g, action| g.action_name(action),
            parse_action: |g, name| g.parse_action(name),
            outcome_name: |g, outcome| g.outcome_name(outcome),
            parse_outcome: |g, name| g.parse_outcome(name),
            explain: |g, seen, by| g.explain(seen, by),
            role: |g, s, seat| g.role(s, seat),
            evaluate: |g, s, who| g.extras().evaluations?.evaluate(None, s, who),
            random_action: |g, s, who, rng| g.random_action(s, who, rng, &mut Scratch::default()),
            playout: |g, s, rng| g.playout(s, rng, &mut Scratch::default()),
            known: |g, s, by| Info::only(g.info(s, by)),
            reuse_sampler: |g, used, known| g.reuse_sampler(used, known),
            sample: |g, _, from, rng, into| g.sample(from, rng, into),
            enumerate: |g, known, out| g.enumerate(known, out),
            scene: |g, known| g.scene(&known.inner),
            spots: |g, known, who, action| g.spots(&known.inner, who, action),
            value_name: |g, value| hidden(g).name(value),
            value: |g, s| hidden(g).value(s),
            private: |g, value, seat| hidden(g).private(value, seat),
            prior: |g, known, belief| hidden(g).prior(known, belief),
            propagate: |g, belief, before, after| hidden(g).propagate(belief, before, after),
            tensor: |g, known, seat, out| tensors(g).write(&known.inner, seat, out),
            sample_value: |g, from, value, rng, into| hidden(g).sample(from, value, rng, into),
        }
    }
}

/// What is known, with room for what should not be in it.
#[derive(Clone, PartialEq, Eq, Hash, Debug, Serialize, Deserialize)]
pub(crate) struct Info<K> {
    pub(crate) inner: K,
    /// Compared and sent.
    pub(crate) told: u64,
    /// Compared, but not sent.
    #[serde(skip)]
    pub(crate) unsent: u64,
    /// Sent, but not compared.
    pub(crate) slipped: Slipped,
}

impl<K> Info<K> {
    pub(crate) fn only(inner: K) -> Info<K> {
        Info { inner, told: 0, unsent: 0, slipped: Slipped(0) }
    }
}

/// A number that takes no part in comparisons.
#[derive(Clone, Copy, Debug, Serialize, Deserialize)]
pub(crate) struct Slipped(pub(crate) u64);

impl PartialEq for Slipped {
    fn eq(&self, _other: &Slipped) -> bool {
        true
    }
}

impl Eq for Slipped {}

impl Hash for Slipped {
    fn hash<H: Hasher>(&self, _state: &mut H) {}
}

fn inner_step<'a, G: Playable>(step: Step<'a, Broken<G>>) -> Step<'a, G> {
    match step {
        Step::Chance(outcome) => Step::Chance(outcome),
        Step::Moves(moves) => Step::Moves(moves),
    }
}

impl<G: Playable> Rules for Broken<G> {
    type State = G::State;
    type Action = G::Action;
    type Outcome = G::Outcome;

    fn facts(&self) -> Facts {
        (self.facts)(&self.inner)
    }

    fn start(&self) -> G::State {
        self.inner.start()
    }

    fn turn(&self, state: &G::State) -> Turn {
        (self.turn)(&self.inner, state)
    }

    fn actions(&self, state: &G::State, who: Player, out: &mut Vec<G::Action>) {
        (self.actions)(&self.inner, state, who, out);
    }

    fn chance(&self, state: &G::State, out: &mut Vec<(G::Outcome, f64)>) {
        (self.chance)(&self.inner, state, out);
    }

    fn sample_chance(&self, state: &G::State, rng: &mut Rng) -> G::Outcome {
        (self.sample_chance)(&self.inner, state, rng)
    }

    fn is_possible(&self, state: &G::State, outcome: &G::Outcome) -> bool {
        (self.is_possible)(&self.inner, state, outcome)
    }

    fn apply(&self, state: &mut G::State, step: Step<'_, Self>) {
        (self.apply)(&self.inner, state, inner_step(step));
    }

    fn observe(&self, before: &G::State, step: Step<'_, Self>, by: Observer) -> Option<Observation> {
        (self.observe)(&self.inner, before, inner_step(step), by)
    }

    fn rewards(&self, state: &G::State) -> Rewards {
        (self.rewards)(&self.inner, state)
    }

    fn code(&self, action: G::Action) -> u64 {
        (self.code)(&self.inner, action)
    }

    fn extras(&self) -> Extras<'_, Self> {
        Extras { evaluations: Some(self), ..Extras::NONE }
    }
}

impl<G: Playable> Notation for Broken<G> {
    fn action_name(&self, action: G::Action) -> String {
        (self.action_name)(&self.inner, action)
    }

    fn parse_action(&self, name: &str) -> Option<G::Action> {
        (self.parse_action)(&self.inner, name)
    }

    fn outcome_name(&self, outcome: &G::Outcome) -> String {
        (self.outcome_name)(&self.inner, outcome)
    }

    fn parse_outcome(&self, name: &str) -> Option<G::Outcome> {
        (self.parse_outcome)(&self.inner, name)
    }

    fn explain(&self, seen: &Observation, by: Observer) -> String {
        (self.explain)(&self.inner, seen, by)
    }

    fn role(&self, state: &G::State, seat: Player) -> String {
        (self.role)(&self.inner, state, seat)
    }
}

impl<G: Playable> FastPlay for Broken<G> {
    fn random_action(
        &self,
        state: &G::State,
        who: Player,
        rng: &mut Rng,
        _: &mut Scratch<Self>,
    ) -> G::Action {
        (self.random_action)(&self.inner, state, who, rng)
    }

    fn playout(&self, state: &mut G::State, rng: &mut Rng, _: &mut Scratch<Self>) -> Rewards {
        (self.playout)(&self.inner, state, rng)
    }

    const DECODES: bool = G::DECODES;

    fn decode(&self, code: u64) -> G::Action {
        (self.decode)(&self.inner, code)
    }

    fn codes(&self) -> Option<usize> {
        (self.codes)(&self.inner)
    }
}

impl<G: Playable> Evaluations<Broken<G>> for Broken<G> {
    fn evaluate(&self, _: Option<usize>, state: &G::State, who: Player) -> Option<f64> {
        (self.evaluate)(&self.inner, state, who)
    }
}

impl<G: Playable> Game for Broken<G> {
    type Info = Info<G::Info>;
    type Sampler = (G::Info, G::Sampler);

    fn info(&self, state: &G::State, by: Observer) -> Self::Info {
        (self.known)(&self.inner, state, by)
    }

    fn sampler(&self, known: &Self::Info) -> Self::Sampler {
        (known.inner.clone(), self.inner.sampler(&known.inner))
    }

    fn reuse_sampler(&self, (last, used): &mut Self::Sampler, known: &Self::Info) {
        last.clone_from(&known.inner);
        (self.reuse_sampler)(&self.inner, used, &known.inner);
    }

    fn sample(&self, (known, from): &mut Self::Sampler, rng: &mut Rng, into: &mut G::State) -> f64 {
        (self.sample)(&self.inner, known, from, rng, into)
    }

    fn enumerate(&self, known: &Self::Info, out: &mut Vec<(G::State, f64)>) -> bool {
        (self.enumerate)(&self.inner, &known.inner, out)
    }

    fn scene(&self, known: &Self::Info) -> Scene {
        (self.scene)(&self.inner, known)
    }

    fn spots(&self, known: &Self::Info, who: Player, action: G::Action) -> Vec<String> {
        (self.spots)(&self.inner, known, who, action)
    }

    fn info_extras(&self) -> InfoExtras<'_, Self> {
        InfoExtras {
            hidden_part: self.inner.info_extras().hidden_part.map(|_| self as _),
            tensors: self.inner.info_extras().tensors.map(|_| self as _),
            ..InfoExtras::NONE
        }
    }
}

impl<G: Playable> Tensors<Broken<G>> for Broken<G> {
    fn shape(&self) -> Vec<usize> {
        tensors(&self.inner).shape()
    }
    fn write(&self, known: &Info<G::Info>, seat: Player, out: &mut [f32]) {
        (self.tensor)(&self.inner, known, seat, out);
    }
}

impl<G: Playable> HiddenPart<Broken<G>> for Broken<G> {
    fn values(&self) -> usize {
        hidden(&self.inner).values()
    }
    fn name(&self, value: usize) -> String {
        (self.value_name)(&self.inner, value)
    }
    fn value(&self, state: &G::State) -> Option<usize> {
        (self.value)(&self.inner, state)
    }
    fn private(&self, value: usize, seat: Player) -> u64 {
        (self.private)(&self.inner, value, seat)
    }
    fn prior(&self, known: &Info<G::Info>, belief: &mut [f64]) {
        (self.prior)(&self.inner, &known.inner, belief);
    }
    fn propagate(&self, belief: &mut [f64], before: &Info<G::Info>, after: &Info<G::Info>) {
        (self.propagate)(&self.inner, belief, &before.inner, &after.inner);
    }
    fn sample(
        &self,
        (_, from): &mut (G::Info, G::Sampler),
        value: usize,
        rng: &mut Rng,
        into: &mut G::State,
    ) -> bool {
        (self.sample_value)(&self.inner, from, value, rng, into)
    }
}

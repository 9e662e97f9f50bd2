//! Simultaneous turns, one player after another.
//!
//! Sequential algorithms and the extensive form of the sources need one player to move at a time. [`Serial`]
//! asks the players of a simultaneous turn in seat order and makes the step when the last has chosen; until
//! then nobody sees what the others chose, not even that they have. Keys are those of the simultaneous game.
//! Only this adapter ever holds pending choices.

use arrayvec::ArrayVec;
use serde::{Deserialize, Serialize};

use crate::{
    Deadline, Episodes, Evaluations, Extras, Facts, FastPlay, Game, InfoExtras, MAX_PLAYERS, Notation,
    Observation, Observer, Player, Policy, Rewards, Rng, Rules, Scene, Step, Tensors, Turn,
};

/// A game whose simultaneous turns are taken one after another.
#[derive(Clone, Debug)]
pub struct Serial<G>(pub G);

/// A state of the game inside and the choices already made in its turn.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct SerialState<S, A> {
    /// The state of the game inside.
    pub inner: S,
    pending: ArrayVec<(Player, A), MAX_PLAYERS>,
}

/// What an observer knows: of the game inside, and its own pending choice.
#[derive(Clone, PartialEq, Eq, Hash, Debug, Serialize, Deserialize)]
pub struct SerialInfo<K> {
    by: Observer,
    inner: K,
    /// The code of the observer's own pending choice.
    own: Option<u64>,
}

impl<R: Rules> Serial<R> {
    /// The players of a simultaneous turn who have yet to choose, if there is such a turn.
    fn waiting(&self, s: &SerialState<R::State, R::Action>) -> Option<ArrayVec<Player, MAX_PLAYERS>> {
        match self.0.turn(&s.inner) {
            Turn::Simultaneous(players) => Some(players.iter().skip(s.pending.len()).collect()),
            _ => None,
        }
    }

    /// All choices of the turn, if this one completes it.
    fn completed(
        &self,
        s: &SerialState<R::State, R::Action>,
        (who, action): (Player, R::Action),
    ) -> Option<ArrayVec<(Player, R::Action), MAX_PLAYERS>> {
        match self.waiting(s) {
            Some(waiting) if waiting.len() > 1 => None,
            _ => {
                let mut all = s.pending.clone();
                all.push((who, action));
                Some(all)
            }
        }
    }
}

impl<R: Rules> Rules for Serial<R> {
    type State = SerialState<R::State, R::Action>;
    type Action = R::Action;
    type Outcome = R::Outcome;

    fn facts(&self) -> Facts {
        let facts = self.0.facts();
        let max_length = facts.max_length * if facts.simultaneous { facts.players as u32 } else { 1 };
        let hidden_moves = facts.hidden_moves || facts.simultaneous;
        Facts {
            hidden: facts.hidden || facts.simultaneous,
            hidden_moves,
            simultaneous: false,
            max_length,
            ..facts
        }
    }

    fn start(&self) -> Self::State {
        SerialState { inner: self.0.start(), pending: ArrayVec::new() }
    }

    fn turn(&self, s: &Self::State) -> Turn {
        match self.waiting(s) {
            Some(waiting) => Turn::Player(waiting[0]),
            None => self.0.turn(&s.inner),
        }
    }

    fn actions(&self, s: &Self::State, who: Player, out: &mut Vec<R::Action>) {
        self.0.actions(&s.inner, who, out);
    }

    fn chance(&self, s: &Self::State, out: &mut Vec<(R::Outcome, f64)>) {
        self.0.chance(&s.inner, out);
    }

    fn sample_chance(&self, s: &Self::State, rng: &mut Rng) -> R::Outcome {
        self.0.sample_chance(&s.inner, rng)
    }

    fn is_possible(&self, s: &Self::State, outcome: &R::Outcome) -> bool {
        self.0.is_possible(&s.inner, outcome)
    }

    fn apply(&self, s: &mut Self::State, step: Step<'_, Self>) {
        match step {
            Step::Chance(outcome) => self.0.apply(&mut s.inner, Step::Chance(outcome)),
            Step::Moves(moves) => match self.completed(s, moves[0]) {
                Some(all) => {
                    self.0.apply(&mut s.inner, Step::Moves(&all));
                    s.pending.clear();
                }
                None => s.pending.push(moves[0]),
            },
        }
    }

    fn observe(&self, before: &Self::State, step: Step<'_, Self>, by: Observer) -> Option<Observation> {
        match step {
            Step::Chance(outcome) => self.0.observe(&before.inner, Step::Chance(outcome), by),
            Step::Moves(moves) => {
                let all = self.completed(before, moves[0])?;
                self.0.observe(&before.inner, Step::Moves(&all), by)
            }
        }
    }

    fn rewards(&self, s: &Self::State) -> Rewards {
        self.0.rewards(&s.inner)
    }

    fn code(&self, action: R::Action) -> u64 {
        self.0.code(action)
    }

    fn extras(&self) -> Extras<'_, Self> {
        let inner = self.0.extras();
        Extras {
            evaluations: inner.evaluations.map(|_| self as _),
            episodes: inner.episodes.map(|_| self as _),
            ..Extras::NONE
        }
    }
}

impl<R: Notation> Notation for Serial<R> {
    fn action_name(&self, action: R::Action) -> String {
        self.0.action_name(action)
    }

    fn parse_action(&self, name: &str) -> Option<R::Action> {
        self.0.parse_action(name)
    }

    fn outcome_name(&self, outcome: &R::Outcome) -> String {
        self.0.outcome_name(outcome)
    }

    fn parse_outcome(&self, name: &str) -> Option<R::Outcome> {
        self.0.parse_outcome(name)
    }

    fn explain(&self, seen: &Observation, by: Observer) -> String {
        self.0.explain(seen, by)
    }

    fn ending(&self, end: &Self::State, by: Observer) -> Option<String> {
        self.0.ending(&end.inner, by)
    }

    fn scene_of(&self, s: &Self::State) -> Scene {
        let mut scene = self.0.scene_of(&s.inner);
        for &(p, a) in &s.pending {
            scene.caption += &format!(" Player {p} chose {}.", self.0.action_name(a));
        }
        scene
    }

    fn role(&self, s: &Self::State, seat: Player) -> String {
        self.0.role(&s.inner, seat)
    }
}

impl<R: FastPlay> FastPlay for Serial<R> {
    fn codes(&self) -> Option<usize> {
        self.0.codes()
    }
}

impl<G: Game> Game for Serial<G> {
    type Info = SerialInfo<G::Info>;
    type Sampler = (SerialInfo<G::Info>, G::Sampler);

    fn info(&self, s: &Self::State, by: Observer) -> Self::Info {
        let own = s.pending.iter().find(|(p, _)| by.is(*p)).map(|&(_, a)| self.0.code(a));
        SerialInfo { by, inner: self.0.info(&s.inner, by), own }
    }

    fn sampler(&self, known: &Self::Info) -> Self::Sampler {
        (known.clone(), self.0.sampler(&known.inner))
    }

    fn find_worlds(&self, known: &Self::Info, before: Option<&Self::Info>, until: &Deadline) -> bool {
        self.0.find_worlds(&known.inner, before.map(|info| &info.inner), until)
    }

    fn reuse_sampler(&self, sampler: &mut Self::Sampler, known: &Self::Info) {
        sampler.0.clone_from(known);
        self.0.reuse_sampler(&mut sampler.1, &known.inner);
    }

    /// The others' pending choices are uniform over what is legal; the weight makes up for worlds in which
    /// more or fewer choices are.
    fn sample(&self, (known, inner): &mut Self::Sampler, rng: &mut Rng, into: &mut Self::State) -> f64 {
        let mut weight = self.0.sample(inner, rng, &mut into.inner);
        into.pending.clear();
        let (Turn::Simultaneous(players), Some(me)) = (self.0.turn(&into.inner), known.by.seat()) else {
            return weight;
        };
        let mut legal = Vec::new();
        for p in players.iter().take_while(|&p| p < me || p == me && known.own.is_some()) {
            legal.clear();
            self.0.actions(&into.inner, p, &mut legal);
            let action = if p == me {
                legal.iter().copied().find(|&a| Some(self.0.code(a)) == known.own)
            } else {
                weight *= legal.len() as f64;
                Some(*rng.pick(&legal))
            };
            into.pending.push((p, action.expect("an own choice is legal in every world")));
        }
        weight
    }

    fn scene(&self, known: &Self::Info) -> Scene {
        let mut scene = self.0.scene(&known.inner);
        if known.own.is_some() {
            scene.caption += " You have chosen.";
        }
        scene
    }

    fn spots(&self, known: &Self::Info, who: Player, action: G::Action) -> Vec<String> {
        self.0.spots(&known.inner, who, action)
    }

    fn info_extras(&self) -> InfoExtras<'_, Self> {
        InfoExtras { tensors: self.0.info_extras().tensors.map(|_| self as _), ..InfoExtras::NONE }
    }
}

/// The numbers of the game inside. A pending choice is not among them: whoever has made one waits.
impl<G: Game> Tensors<Serial<G>> for Serial<G> {
    fn shape(&self) -> Vec<usize> {
        self.0.info_extras().tensors.map_or(Vec::new(), Tensors::shape)
    }

    fn write(&self, known: &SerialInfo<G::Info>, seat: Player, out: &mut [f32]) {
        if let Some(tensors) = self.0.info_extras().tensors {
            tensors.write(&known.inner, seat, out);
        }
    }
}

impl<R: Rules> Evaluations<Serial<R>> for Serial<R> {
    fn evaluations(&self) -> &'static [Policy] {
        self.0.extras().evaluations.map_or(&[], Evaluations::evaluations)
    }

    fn evaluate(
        &self,
        which: Option<usize>,
        s: &SerialState<R::State, R::Action>,
        who: Player,
    ) -> Option<f64> {
        self.0.extras().evaluations?.evaluate(which, &s.inner, who)
    }
}

/// Features are those of the game inside; episodes there are none.
impl<R: Rules> Episodes<Serial<R>> for Serial<R> {
    fn features(&self, s: &SerialState<R::State, R::Action>, by: Player, out: &mut Vec<u32>) {
        if let Some(episodes) = self.0.extras().episodes {
            episodes.features(&s.inner, by, out);
        }
    }
}

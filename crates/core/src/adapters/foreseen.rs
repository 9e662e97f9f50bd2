//! Chance fixed in advance.
//!
//! A determinization in the sense of the sources fixes *all* future deals and dice. [`Foreseen`] gives every
//! world a stream from which its chance is drawn, so that chance never has a turn and the same world always
//! rolls the same dice. Whether to search under it is the agent's choice: averaging over chance is the other.

use crate::{
    Chance, Deadline, Episodes, Evaluations, Extras, Facts, FastPlay, Game, InfoExtras, Notation,
    Observation, Observer, Player, Policy, Purpose, Rewards, Rng, Rules, Scene, Seed, Step, Tensors, Turn,
};

/// A game whose chance is drawn from a stream that belongs to the world.
#[derive(Clone, Debug)]
pub struct Foreseen<G> {
    game: G,
    seed: Seed,
}

/// A state of the game inside and the stream that decides all further chance.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct ForeseenState<S> {
    /// The state of the game inside; chance is never to draw in it.
    pub inner: S,
    stream: Seed,
}

impl<G: Rules> Foreseen<G> {
    /// The game whose first world draws from this seed.
    pub fn new(game: G, seed: Seed) -> Foreseen<G> {
        Foreseen { game, seed }
    }

    /// The game inside.
    pub fn inner(&self) -> &G {
        &self.game
    }

    /// A world: a state of the game inside with its future fixed by a seed.
    pub fn world(&self, state: G::State, seed: Seed) -> ForeseenState<G::State> {
        let mut world = ForeseenState { inner: state, stream: seed };
        self.settle(&mut world, |_, _| {});
        world
    }

    /// Lets the stream draw while it is chance's turn, showing each draw before it is made.
    fn settle(&self, world: &mut ForeseenState<G::State>, mut draw: impl FnMut(&G::State, &G::Outcome)) {
        while self.game.turn(&world.inner) == Turn::Chance {
            let outcome = self.game.sample_chance(&world.inner, &mut world.stream.stream(Purpose::Deal));
            world.stream = world.stream.number(1);
            draw(&world.inner, &outcome);
            self.game.apply(&mut world.inner, Step::Chance(&outcome));
        }
    }
}

impl<G: Rules> Rules for Foreseen<G> {
    type State = ForeseenState<G::State>;
    type Action = G::Action;
    type Outcome = std::convert::Infallible;

    fn facts(&self) -> Facts {
        let facts = self.game.facts();
        Facts { chance: Chance::Never, hidden: facts.hidden || facts.chance != Chance::Never, ..facts }
    }

    fn start(&self) -> Self::State {
        self.world(self.game.start(), self.seed)
    }

    fn turn(&self, s: &Self::State) -> Turn {
        self.game.turn(&s.inner)
    }

    fn actions(&self, s: &Self::State, who: Player, out: &mut Vec<G::Action>) {
        self.game.actions(&s.inner, who, out);
    }

    fn apply(&self, s: &mut Self::State, step: Step<'_, Self>) {
        self.game.apply(&mut s.inner, Step::Moves(step.moves()));
        self.settle(s, |_, _| {});
    }

    /// What is seen of the moves and of every draw that follows, each with its number in front.
    fn observe(&self, before: &Self::State, step: Step<'_, Self>, by: Observer) -> Option<Observation> {
        let mut words = Vec::new();
        let mut number = 0;
        let mut note = |seen: Option<Observation>| {
            if let Some(seen) = seen {
                words.push(number);
                words.extend_from_slice(seen.as_words());
            }
            number += 1;
        };
        let moves = Step::Moves(step.moves());
        note(self.game.observe(&before.inner, moves, by));
        let mut world = before.clone();
        self.game.apply(&mut world.inner, moves);
        self.settle(&mut world, |state, outcome| {
            note(self.game.observe(state, Step::Chance(outcome), by));
        });
        (!words.is_empty()).then(|| Observation::words(&words))
    }

    fn rewards(&self, s: &Self::State) -> Rewards {
        self.game.rewards(&s.inner)
    }

    fn code(&self, action: G::Action) -> u64 {
        self.game.code(action)
    }

    fn extras(&self) -> Extras<'_, Self> {
        let inner = self.game.extras();
        Extras {
            evaluations: inner.evaluations.map(|_| self as _),
            episodes: inner.episodes.map(|_| self as _),
            ..Extras::NONE
        }
    }
}

impl<G: Notation> Notation for Foreseen<G> {
    fn action_name(&self, action: G::Action) -> String {
        self.game.action_name(action)
    }

    fn parse_action(&self, name: &str) -> Option<G::Action> {
        self.game.parse_action(name)
    }

    fn ending(&self, end: &Self::State, by: Observer) -> Option<String> {
        self.game.ending(&end.inner, by)
    }

    fn scene_of(&self, s: &Self::State) -> Scene {
        self.game.scene_of(&s.inner)
    }

    fn role(&self, s: &Self::State, seat: Player) -> String {
        self.game.role(&s.inner, seat)
    }
}

impl<G: FastPlay> FastPlay for Foreseen<G> {
    fn codes(&self) -> Option<usize> {
        self.game.codes()
    }
}

impl<G: Game> Game for Foreseen<G> {
    type Info = G::Info;
    type Sampler = G::Sampler;

    fn info(&self, s: &Self::State, by: Observer) -> G::Info {
        self.game.info(&s.inner, by)
    }

    fn sampler(&self, known: &G::Info) -> G::Sampler {
        self.game.sampler(known)
    }

    fn find_worlds(&self, known: &G::Info, before: Option<&G::Info>, until: &Deadline) -> bool {
        self.game.find_worlds(known, before, until)
    }

    fn reuse_sampler(&self, sampler: &mut G::Sampler, known: &G::Info) {
        self.game.reuse_sampler(sampler, known);
    }

    fn sample(&self, from: &mut G::Sampler, rng: &mut Rng, into: &mut Self::State) -> f64 {
        let weight = self.game.sample(from, rng, &mut into.inner);
        into.stream = Seed(rng.bits());
        self.settle(into, |_, _| {});
        weight
    }

    fn scene(&self, known: &G::Info) -> Scene {
        self.game.scene(known)
    }

    fn spots(&self, known: &G::Info, who: Player, action: G::Action) -> Vec<String> {
        self.game.spots(known, who, action)
    }

    fn info_extras(&self) -> InfoExtras<'_, Self> {
        InfoExtras { tensors: self.game.info_extras().tensors.map(|_| self as _), ..InfoExtras::NONE }
    }
}

impl<G: Game> Tensors<Foreseen<G>> for Foreseen<G> {
    fn shape(&self) -> Vec<usize> {
        self.game.info_extras().tensors.map_or(Vec::new(), Tensors::shape)
    }

    fn write(&self, known: &G::Info, seat: Player, out: &mut [f32]) {
        if let Some(tensors) = self.game.info_extras().tensors {
            tensors.write(known, seat, out);
        }
    }
}

impl<G: Rules> Evaluations<Foreseen<G>> for Foreseen<G> {
    fn evaluations(&self) -> &'static [Policy] {
        self.game.extras().evaluations.map_or(&[], Evaluations::evaluations)
    }

    fn evaluate(&self, which: Option<usize>, s: &ForeseenState<G::State>, who: Player) -> Option<f64> {
        self.game.extras().evaluations?.evaluate(which, &s.inner, who)
    }
}

/// Features are those of the game inside; episodes there are none.
impl<G: Rules> Episodes<Foreseen<G>> for Foreseen<G> {
    fn features(&self, s: &ForeseenState<G::State>, by: Player, out: &mut Vec<u32>) {
        if let Some(episodes) = self.game.extras().episodes {
            episodes.features(&s.inner, by, out);
        }
    }
}

//! A cursor on a state of one game: the typed code below the interface of engines.

use std::any::Any;
use std::cell::Cell;
use std::mem::take;
use std::sync::Arc;

use arrayvec::ArrayVec;

use super::erased::{Shared, known};
use super::{Eyes, Info, Move, Outcome, SampledOutcome, Sampler, SearchKey, Simulation, World, WorldStep};
use crate::history::key_after;
use crate::{
    Game, MAX_PLAYERS, Observation, Observer, Player, Rewards, Rng, Scratch, Selective, Step, Turn,
    judged_by, random_step, state_hash,
};

/// A state of a game, and buffers for what is listed in it.
pub(super) struct Walk<G: Game> {
    pub(super) shared: Arc<Shared<G>>,
    pub(super) state: G::State,
    scratch: Cell<Scratch<G>>,
    outcomes: Cell<Vec<(G::Outcome, f64)>>,
}

/// The actions of one step.
type Joint<G> = ArrayVec<(Player, <G as crate::Rules>::Action), MAX_PLAYERS>;

impl<G: Game> Walk<G> {
    pub(super) fn new(shared: Arc<Shared<G>>, state: G::State) -> Walk<G> {
        let scratch = Scratch::default();
        Walk { shared, state, scratch: Cell::new(scratch), outcomes: Cell::default() }
    }

    /// Calls with the buffers, which are empty.
    #[inline]
    fn with_scratch<T>(&self, call: impl FnOnce(&mut Scratch<G>) -> T) -> T {
        let mut scratch = self.scratch.replace(Scratch::default());
        scratch.actions.clear();
        let result = call(&mut scratch);
        self.scratch.set(scratch);
        result
    }

    #[inline]
    fn encode(&self, action: G::Action) -> Move {
        self.shared.moves.put(self.shared.game.code(action), action)
    }

    #[inline]
    fn joint(&self, moves: &[(Player, Move)]) -> Joint<G> {
        moves.iter().map(|&(p, m)| (p, self.shared.moves.get(m))).collect()
    }

    /// Calls with everything that chance may draw, if it can be listed.
    fn with_outcomes<T>(&self, call: impl FnOnce(&mut Vec<(G::Outcome, f64)>) -> T) -> T {
        let mut listed = self.outcomes.take();
        listed.clear();
        self.shared.game.chance(&self.state, &mut listed);
        let result = call(&mut listed);
        self.outcomes.set(listed);
        result
    }

    /// The outcome at a place of the list.
    #[inline]
    fn listed(&self, place: u32) -> G::Outcome {
        self.with_outcomes(|listed| listed.swap_remove(place as usize).0)
    }

    fn outcome(&self, outcome: &Outcome) -> G::Outcome {
        match outcome {
            Outcome::Listed(place) => self.listed(*place),
            Outcome::Sampled(outcome) => {
                let outcome = (&**outcome as &dyn Any).downcast_ref::<Drawn<G::Outcome>>();
                outcome.expect("an outcome of this game").0.clone()
            }
        }
    }

    /// Calls with a step of the game's own types.
    #[inline]
    fn with_step<T>(&self, step: WorldStep<'_>, call: impl FnOnce(Step<'_, G>) -> T) -> T {
        match step {
            WorldStep::Chance(outcome) => call(Step::Chance(&self.outcome(outcome))),
            WorldStep::Moves(moves) => call(Step::Moves(&self.joint(moves))),
        }
    }

    /// Makes a step that is watched.
    #[inline(always)]
    fn make(&mut self, step: Step<'_, G>, eyes: Eyes<'_>) -> Turn {
        let game = &*self.shared.game;
        match eyes {
            Eyes::Closed => {}
            Eyes::All(keys) => see_all(game, &self.state, step, keys),
            Eyes::One(by, key) => {
                for &(p, action) in step.moves() {
                    *key = key.told(p, game.code(action));
                }
                *key = key.seen(game.observe(&self.state, step, Observer::Seat(by)).as_ref());
            }
            Eyes::Both(keys) => {
                for (i, key) in keys.iter_mut().enumerate() {
                    *key = key_after(game, *key, &self.state, step, Observer::Seat(Player(i as u8)));
                }
            }
        }
        game.apply(&mut self.state, step);
        game.turn(&self.state)
    }
}

/// Lets every player see a step. If all see the same, that is hashed at once; who moves alone sees nothing more.
#[inline(always)]
fn see_all<G: Game>(game: &G, before: &G::State, step: Step<'_, G>, keys: &mut [SearchKey]) {
    let moves = step.moves();
    for &(p, action) in moves {
        let key = &mut keys[p.index()];
        *key = key.own(game.code(action));
    }
    let Some(seen) = game.seen_by_all(before, step) else {
        for (i, key) in keys.iter_mut().enumerate() {
            *key = key.seen(game.observe(before, step, Observer::Seat(Player(i as u8))).as_ref());
        }
        return;
    };
    let alone = if let [(p, _)] = moves { Some((p.index(), keys[p.index()])) } else { None };
    match seen.as_words() {
        &[word] => keys.iter_mut().for_each(|key| *key = key.saw(&[word])),
        words => keys.iter_mut().for_each(|key| *key = key.saw(words)),
    }
    if let Some((p, own)) = alone {
        keys[p] = own;
    }
}

/// An outcome of a game, of too many to list.
#[derive(Debug)]
struct Drawn<O>(O);

impl<O: Eq + std::fmt::Debug + Send + Sync + 'static> SampledOutcome for Drawn<O> {
    fn same(&self, other: &dyn SampledOutcome) -> bool {
        (other as &dyn Any).downcast_ref::<Drawn<O>>().is_some_and(|other| self.0 == other.0)
    }
}

/// Whether outcomes are all equally likely.
fn are_even<O>(listed: &[(O, f64)]) -> bool {
    listed.windows(2).all(|w| (w[0].1 - w[1].1).abs() < 1e-12)
}

impl<G: Game> World for Walk<G> {
    fn turn(&self) -> Turn {
        self.shared.game.turn(&self.state)
    }

    fn legal(&self, who: Player, out: &mut Vec<Move>) {
        self.with_scratch(|scratch| {
            self.shared.game.actions(&self.state, who, &mut scratch.actions);
            let from = out.len();
            out.extend(scratch.actions.iter().map(|&action| self.encode(action)));
            if !self.shared.moves.in_order() {
                out[from..].sort_unstable();
            }
        });
    }

    fn rewards(&self) -> Rewards {
        self.shared.game.rewards(&self.state)
    }

    fn play(&mut self, moves: &[(Player, Move)], eyes: Eyes<'_>) -> Turn {
        if let &[(p, m)] = moves {
            let action = self.shared.moves.get(m);
            return self.make(Step::Moves(&[(p, action)]), eyes);
        }
        let joint = self.joint(moves);
        self.make(Step::Moves(&joint), eyes)
    }

    fn apply(&mut self, step: WorldStep<'_>) {
        match step {
            WorldStep::Chance(outcome) => {
                let outcome = self.outcome(outcome);
                self.shared.game.apply(&mut self.state, Step::Chance(&outcome));
            }
            WorldStep::Moves(moves) => {
                let joint = self.joint(moves);
                self.shared.game.apply(&mut self.state, Step::Moves(&joint));
            }
        }
    }

    fn observe(&self, step: WorldStep<'_>, by: Observer) -> Option<Observation> {
        self.with_step(step, |step| self.shared.game.observe(&self.state, step, by))
    }

    fn chances(&self, out: &mut Vec<(Outcome, f64)>) {
        let listed = |(place, (_, p)): (u32, &(G::Outcome, f64))| (Outcome::Listed(place), *p);
        self.with_outcomes(|all| out.extend((0..).zip(all.iter()).map(listed)));
    }

    fn even_chances(&self) -> Option<u32> {
        self.with_outcomes(|listed| {
            let even = !listed.is_empty() && listed.len() <= 64 && are_even(listed);
            even.then_some(listed.len() as u32)
        })
    }

    fn play_chance(&mut self, place: Option<u32>, rng: &mut Rng, eyes: Eyes<'_>) -> Turn {
        let outcome = match place {
            Some(place) => self.listed(place),
            None => self.shared.game.sample_chance(&self.state, rng),
        };
        self.make(Step::Chance(&outcome), eyes)
    }

    fn sample_chance(&self, rng: &mut Rng) -> Outcome {
        let drawn = self.shared.game.sample_chance(&self.state, rng);
        let place = self.with_outcomes(|listed| listed.iter().position(|(outcome, _)| *outcome == drawn));
        match place {
            Some(place) => Outcome::Listed(place as u32),
            None => Outcome::Sampled(Arc::new(Drawn(drawn))),
        }
    }

    fn outcome_name(&self, outcome: &Outcome) -> String {
        self.shared.game.outcome_name(&self.outcome(outcome))
    }

    fn parse_outcome(&self, name: &str) -> Option<Outcome> {
        let game = &*self.shared.game;
        let drawn = game.parse_outcome(name).filter(|outcome| game.is_possible(&self.state, outcome))?;
        let place = self.with_outcomes(|listed| listed.iter().position(|(outcome, _)| *outcome == drawn));
        Some(match place {
            Some(place) => Outcome::Listed(place as u32),
            None => Outcome::Sampled(Arc::new(Drawn(drawn))),
        })
    }

    fn random_move(&self, who: Player, rng: &mut Rng) -> Move {
        self.encode(
            self.with_scratch(|scratch| self.shared.game.random_action(&self.state, who, rng, scratch)),
        )
    }

    fn policy_move(&self, policy: Option<usize>, who: Player, rng: &mut Rng) -> Move {
        let Some(policy) = policy else { return self.random_move(who, rng) };
        self.encode(
            self.with_scratch(|scratch| {
                self.shared.game.policy_action(policy, &self.state, who, rng, scratch)
            }),
        )
    }

    fn random_step(&mut self, rng: &mut Rng) {
        let mut scratch = take(self.scratch.get_mut());
        random_step(&*self.shared.game, &mut self.state, rng, &mut scratch);
        self.scratch.set(scratch);
    }

    fn playout(&mut self, how: Simulation, rng: &mut Rng) -> Rewards {
        let empty = Scratch::default();
        let mut scratch = self.scratch.replace(empty);
        let (game, state) = (&*self.shared.game, &mut self.state);
        let rewards = match how {
            Simulation { policy: None, horizon: None, .. } => game.playout(state, rng, &mut scratch),
            Simulation { policy: Some(policy), horizon: None, .. } => {
                game.policy_playout(policy, state, rng, &mut scratch)
            }
            Simulation { policy, horizon: Some(horizon), evaluation } => {
                let rewards = game.playout_to(policy, horizon, state, rng, &mut scratch);
                match evaluation.filter(|_| game.turn(state) != Turn::Terminal) {
                    Some(_) => judged_by(game, evaluation, state),
                    None => rewards,
                }
            }
        };
        self.scratch.set(scratch);
        rewards
    }

    fn random_play(&mut self, rng: &mut Rng) -> u64 {
        let mut scratch = take(self.scratch.get_mut());
        let (game, state) = (&*self.shared.game, &mut self.state);
        let mut moves = 0;
        loop {
            let turn = game.turn(state);
            if turn == Turn::Terminal {
                break;
            }
            moves += turn.players().len() as u64;
            random_step(game, state, rng, &mut scratch);
        }
        self.scratch.set(scratch);
        moves
    }

    fn evaluate(&self, which: Option<usize>, who: Player) -> Option<f64> {
        match which {
            Some(which) => self.shared.game.evaluate_by(which, &self.state, who),
            None => self.shared.game.evaluate(&self.state, who),
        }
    }

    fn evaluate_leaf(&self, which: Option<usize>) -> Rewards {
        judged_by(&*self.shared.game, which, &self.state)
    }

    fn episode(&self) -> Option<u32> {
        self.shared.game.episode(&self.state)
    }

    fn features(&self, by: Player, out: &mut Vec<u32>) {
        self.shared.game.features(&self.state, by, out);
    }

    fn fingerprint(&self) -> u64 {
        self.shared.game.fingerprint(&self.state)
    }

    fn drop_history(&mut self) {
        self.shared.game.forget(&mut self.state);
    }

    fn move_prior(&self, who: Player, moves: &[Move], out: &mut Vec<f32>) {
        self.with_scratch(|scratch| {
            scratch.actions.extend(moves.iter().map(|&m| self.shared.moves.get(m)));
            self.shared.game.promise(&self.state, who, &scratch.actions, out);
        });
    }

    fn candidates(&self, who: Player, asked: Selective, out: &mut Vec<Move>) {
        self.with_scratch(|scratch| {
            self.shared.game.select(&self.state, who, asked, &mut scratch.actions);
            out.extend(scratch.actions.iter().map(|&action| self.encode(action)));
        });
    }

    fn info(&self, by: Observer) -> Info {
        Info(Arc::new(self.shared.game.info(&self.state, by)))
    }

    fn info_into(&self, by: Observer, info: &mut Info) {
        match Arc::get_mut(&mut info.0).and_then(|there| (there as &mut dyn Any).downcast_mut()) {
            Some(there) => *there = self.shared.game.info(&self.state, by),
            None => *info = self.info(by),
        }
    }

    fn info_hash(&self, by: Observer) -> u64 {
        state_hash(&self.shared.game.info(&self.state, by))
    }

    fn hidden_value(&self) -> Option<usize> {
        self.shared.game.hidden_part()?.value(&self.state)
    }

    fn put_hidden(&mut self, value: usize) -> bool {
        self.shared.game.hidden_part().is_some_and(|part| part.put(&mut self.state, value))
    }

    fn abstracted(&self, who: Player) -> u64 {
        self.shared.game.info_tree().map_or(0, |tree| tree.abstracted(&self.state, who))
    }

    fn show(&self) -> String {
        self.shared.game.show(&self.state)
    }

    fn role(&self, seat: Player) -> String {
        self.shared.game.role(&self.state, seat)
    }

    fn bytes(&self) -> usize {
        size_of::<G::State>()
    }

    fn boxed(&self) -> Box<dyn World> {
        Box::new(Walk::new(Arc::clone(&self.shared), self.state.clone()))
    }

    fn copy_from(&mut self, other: &dyn World) {
        let other = other.as_any().downcast_ref::<Walk<G>>().expect("a world of the same game");
        if !Arc::ptr_eq(&self.shared, &other.shared) {
            self.shared = Arc::clone(&other.shared);
        }
        self.state.clone_from(&other.state);
    }

    fn same(&self, other: &dyn World) -> bool {
        other.as_any().downcast_ref::<Walk<G>>().is_some_and(|other| self.state == other.state)
    }

    fn state_hash(&self) -> u64 {
        state_hash(&self.state)
    }

    fn as_any(&self) -> &dyn Any {
        self
    }

    fn as_any_mut(&mut self) -> &mut dyn Any {
        self
    }
}

/// The sampler of a game.
pub(super) struct Draws<G: Game> {
    game: Arc<G>,
    sampler: G::Sampler,
}

impl<G: Game> Draws<G> {
    pub(super) fn new(game: Arc<G>, info: &G::Info) -> Draws<G> {
        let sampler = game.sampler(info);
        Draws { game, sampler }
    }
}

fn state_of<G: Game>(world: &mut dyn World) -> &mut G::State {
    &mut world.as_any_mut().downcast_mut::<Walk<G>>().expect("a world of this game").state
}

impl<G: Game> Sampler for Draws<G> {
    fn sample(&mut self, rng: &mut Rng, world: &mut dyn World) -> f64 {
        self.game.sample(&mut self.sampler, rng, state_of::<G>(world))
    }

    fn sample_value(&mut self, value: usize, rng: &mut Rng, world: &mut dyn World) -> bool {
        let part = self.game.hidden_part();
        part.is_some_and(|part| part.sample(&mut self.sampler, value, rng, state_of::<G>(world)))
    }

    fn reuse(&mut self, info: &Info) {
        self.game.reuse_sampler(&mut self.sampler, known::<G>(info));
    }
}

//! A cursor on a state of one game: the typed code below the interface of engines.

use std::any::Any;
use std::cell::{Cell, RefCell};
use std::sync::Arc;

use arrayvec::ArrayVec;

use super::erased::{Shared, known};
use super::{Eyes, Info, Move, Outcome, SampledOutcome, Sampler, SearchKey, Simulation, World, WorldStep};
use crate::companions::{fingerprint, playout_to};
use crate::history::key_after;
use crate::{
    MAX_PLAYERS, Observation, Observer, Playable, Player, Rewards, Rng, Scene, Scratch, Selective, Step,
    Turn, evaluate_leaf, random_step, state_hash,
};

/// A state of a game, and buffers for what is listed in it.
pub(super) struct Walk<G: Playable> {
    pub(super) shared: Arc<Shared<G>>,
    pub(super) state: G::State,
    /// Draws the states of this world, if somebody asked for that.
    sampler: Option<Box<G::Sampler>>,
    scratch: RefCell<Scratch<G>>,
    /// What chance may draw, in the state for which `is_listed` was set.
    outcomes: RefCell<Vec<(G::Outcome, f64)>>,
    is_listed: Cell<bool>,
}

impl<G: Playable> Walk<G> {
    pub(super) fn new(shared: Arc<Shared<G>>, state: G::State) -> Walk<G> {
        Walk {
            shared,
            state,
            sampler: None,
            scratch: RefCell::default(),
            outcomes: RefCell::default(),
            is_listed: Cell::new(false),
        }
    }

    /// The state, to be changed.
    #[inline]
    pub(super) fn state_mut(&mut self) -> &mut G::State {
        self.is_listed.set(false);
        &mut self.state
    }

    /// Calls with everything that chance may draw, if it can be listed.
    #[inline]
    fn with_outcomes<T>(&self, call: impl FnOnce(&[(G::Outcome, f64)]) -> T) -> T {
        let mut listed = self.outcomes.borrow_mut();
        list(&*self.shared.game, &self.state, self.is_listed.replace(true), &mut listed);
        call(&listed)
    }

    /// Calls with an outcome of the game's own type.
    #[inline]
    fn with_outcome<T>(&self, outcome: &Outcome, call: impl FnOnce(&G::Outcome) -> T) -> T {
        match outcome {
            Outcome::Listed(place) => self.with_outcomes(|listed| call(&listed[*place as usize].0)),
            Outcome::Sampled(outcome) => {
                let outcome = (&**outcome as &dyn Any).downcast_ref::<Drawn<G::Outcome>>();
                call(&outcome.expect("an outcome of this game").0)
            }
        }
    }

    /// An outcome for engines.
    fn erased(&self, drawn: G::Outcome) -> Outcome {
        let place = self.with_outcomes(|listed| listed.iter().position(|(outcome, _)| *outcome == drawn));
        match place {
            Some(place) => Outcome::Listed(place as u32),
            None => Outcome::Sampled(Arc::new(Drawn(drawn))),
        }
    }

    /// Plays out.
    #[inline(always)]
    fn run(&mut self, how: Simulation, rng: &mut Rng) -> Rewards {
        if how.policy.is_none() && how.horizon.is_none() {
            self.is_listed.set(false);
            return self.shared.game.playout(&mut self.state, rng, self.scratch.get_mut());
        }
        self.run_by_policy(how, rng)
    }

    #[inline(never)]
    fn run_by_policy(&mut self, how: Simulation, rng: &mut Rng) -> Rewards {
        self.is_listed.set(false);
        let (game, state, scratch) = (&*self.shared.game, &mut self.state, self.scratch.get_mut());
        let Simulation { policy, horizon, evaluation } = how;
        match game.extras().policies {
            Some(policies) => policies.policy_playout(game, policy, horizon, state, rng, scratch),
            None => playout_to(game, horizon, state, rng, scratch, |state, who, rng, scratch| {
                game.random_action(state, who, rng, scratch)
            }),
        };
        match game.turn(state) {
            Turn::Terminal => game.rewards(state),
            _ => evaluate_leaf(game, evaluation, state),
        }
    }

    /// Calls with a step of the game's own types.
    #[inline]
    fn with_step<T>(&self, step: WorldStep<'_>, call: impl FnOnce(Step<'_, G>) -> T) -> T {
        match step {
            WorldStep::Chance(outcome) => self.with_outcome(outcome, |outcome| call(Step::Chance(outcome))),
            WorldStep::Moves(moves) => {
                with_actions(&self.shared, moves, |actions| call(Step::Moves(actions)))
            }
        }
    }
}

/// Lists what chance may draw, unless that is what the list holds already.
#[inline(always)]
fn list<G: Playable>(game: &G, state: &G::State, is_listed: bool, outcomes: &mut Vec<(G::Outcome, f64)>) {
    if !is_listed {
        outcomes.clear();
        game.chance(state, outcomes);
    }
}

/// Calls with the actions of moves.
#[inline(always)]
fn with_actions<G: Playable, T>(
    shared: &Shared<G>,
    moves: &[(Player, Move)],
    call: impl FnOnce(&[(Player, G::Action)]) -> T,
) -> T {
    let mut actions = ArrayVec::<_, MAX_PLAYERS>::new();
    for &(p, mv) in moves {
        actions.push((p, shared.decode(mv)));
    }
    call(&actions)
}

/// Makes a step that is watched; returns whose turn it is then.
#[inline(always)]
fn make<G: Playable>(game: &G, state: &mut G::State, step: Step<'_, G>, eyes: Eyes<'_>) -> Turn {
    see(game, state, step, eyes);
    game.apply(state, step);
    game.turn(state)
}

/// Lets those who watch see a step about to be made.
#[inline(always)]
fn see<G: Playable>(game: &G, state: &G::State, step: Step<'_, G>, eyes: Eyes<'_>) {
    match eyes {
        Eyes::Closed => {}
        Eyes::All(keys) => see_all(game, state, step, keys),
        Eyes::Seat(by, key) => {
            if let Some(action) = step.action_of(by) {
                *key = key.own(game.code(action));
            }
            *key = key.seen(game.observe(state, step, Observer::Seat(by)).as_ref());
        }
        Eyes::One(by, key) => {
            for &(p, action) in step.moves() {
                *key = key.told(p, game.code(action));
            }
            *key = key.seen(game.observe(state, step, Observer::Seat(by)).as_ref());
        }
        Eyes::Both(keys) => {
            for (i, key) in keys.iter_mut().enumerate() {
                *key = key_after(game, *key, state, step, Observer::Seat(Player(i as u8)));
            }
        }
    }
}

/// Lets every player see a step. If all see the same, that is hashed at once; who moves alone sees nothing more.
#[inline(always)]
fn see_all<G: Playable>(game: &G, before: &G::State, step: Step<'_, G>, keys: &mut [SearchKey]) {
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

impl<G: Playable> World for Walk<G> {
    fn turn(&self) -> Turn {
        self.shared.game.turn(&self.state)
    }

    fn legal(&self, who: Player, out: &mut Vec<Move>) {
        let listed = &mut self.scratch.borrow_mut().actions;
        listed.clear();
        self.shared.game.actions(&self.state, who, listed);
        self.shared.encode_all(listed, out);
    }

    fn rewards(&self) -> Rewards {
        self.shared.game.rewards(&self.state)
    }

    fn play(&mut self, moves: &[(Player, Move)], eyes: Eyes<'_>) -> Turn {
        self.is_listed.set(false);
        let (shared, state) = (&*self.shared, &mut self.state);
        if let [(p, mv)] = *moves {
            return make(&*shared.game, state, Step::Moves(&[(p, shared.decode(mv))]), eyes);
        }
        with_actions(shared, moves, |actions| make(&*shared.game, state, Step::Moves(actions), eyes))
    }

    fn apply(&mut self, step: WorldStep<'_>) -> Turn {
        match step {
            WorldStep::Moves(moves) => self.play(moves, Eyes::Closed),
            WorldStep::Chance(Outcome::Listed(place)) => self.play_outcome(*place, Eyes::Closed),
            WorldStep::Chance(Outcome::Sampled(outcome)) => {
                let outcome = (&**outcome as &dyn Any).downcast_ref::<Drawn<G::Outcome>>();
                let outcome = &outcome.expect("an outcome of this game").0;
                self.is_listed.set(false);
                make(&*self.shared.game, &mut self.state, Step::Chance(outcome), Eyes::Closed)
            }
        }
    }

    fn after(&self, step: WorldStep<'_>) -> Box<dyn World> {
        let mut state = self.state.clone();
        self.with_step(step, |step| self.shared.game.apply(&mut state, step));
        Box::new(Walk::new(Arc::clone(&self.shared), state))
    }

    fn observe(&self, step: WorldStep<'_>, by: Observer) -> Option<Observation> {
        self.with_step(step, |step| self.shared.game.observe(&self.state, step, by))
    }

    fn look(&self, step: WorldStep<'_>, eyes: Eyes<'_>) {
        self.with_step(step, |step| see(&*self.shared.game, &self.state, step, eyes));
    }

    fn legal_as_seen(&self, who: Player, by: Player, out: &mut Vec<(SearchKey, Move)>) {
        let (shared, listed) = (&*self.shared, &mut self.scratch.borrow_mut().actions);
        listed.clear();
        shared.game.actions(&self.state, who, listed);
        out.extend(listed.iter().map(|&action| {
            let seen = shared.game.observe(&self.state, Step::Moves(&[(who, action)]), Observer::Seat(by));
            (SearchKey::root(3).seen(seen.as_ref()), shared.encode(action))
        }));
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

    fn play_chance_in_turn(&mut self, left: &mut u64, rng: &mut Rng, eyes: Eyes<'_>) -> (Option<u32>, Turn) {
        let (game, state, listed) = (&*self.shared.game, &mut self.state, self.outcomes.get_mut());
        list(game, state, self.is_listed.replace(false), listed);
        let k = listed.len();
        if k > 0 && k <= 64 && are_even(listed) {
            let all = u64::MAX >> (64 - k);
            if *left & all == 0 {
                *left = all;
            }
            let place = rng.bit_of(*left & all);
            *left &= all & !(1 << place);
            (Some(place), make(game, state, Step::Chance(&listed[place as usize].0), eyes))
        } else {
            let outcome = game.sample_chance(state, rng);
            (None, make(game, state, Step::Chance(&outcome), eyes))
        }
    }

    fn play_chance(&mut self, rng: &mut Rng, eyes: Eyes<'_>) -> Turn {
        self.is_listed.set(false);
        let outcome = self.shared.game.sample_chance(&self.state, rng);
        make(&*self.shared.game, &mut self.state, Step::Chance(&outcome), eyes)
    }

    fn play_outcome(&mut self, place: u32, eyes: Eyes<'_>) -> Turn {
        let (game, state, listed) = (&*self.shared.game, &mut self.state, self.outcomes.get_mut());
        list(game, state, self.is_listed.replace(false), listed);
        make(game, state, Step::Chance(&listed[place as usize].0), eyes)
    }

    fn sample_chance(&self, rng: &mut Rng) -> Outcome {
        self.erased(self.shared.game.sample_chance(&self.state, rng))
    }

    fn outcome_name(&self, outcome: &Outcome) -> String {
        self.with_outcome(outcome, |outcome| self.shared.game.outcome_name(outcome))
    }

    fn parse_outcome(&self, name: &str) -> Option<Outcome> {
        let game = &*self.shared.game;
        let drawn = game.parse_outcome(name).filter(|outcome| game.is_possible(&self.state, outcome))?;
        Some(self.erased(drawn))
    }

    fn random_move(&self, who: Player, rng: &mut Rng) -> Move {
        let scratch = &mut self.scratch.borrow_mut();
        self.shared.encode(self.shared.game.random_action(&self.state, who, rng, scratch))
    }

    fn policy_move(&self, policy: Option<usize>, who: Player, rng: &mut Rng) -> Move {
        let (Some(policy), Some(policies)) = (policy, self.shared.game.extras().policies) else {
            return self.random_move(who, rng);
        };
        let scratch = &mut self.scratch.borrow_mut();
        self.shared.encode(policies.policy_action(policy, &self.state, who, rng, scratch))
    }

    fn random_step(&mut self, rng: &mut Rng) {
        self.is_listed.set(false);
        random_step(&*self.shared.game, &mut self.state, rng, self.scratch.get_mut());
    }

    fn determinize(&mut self, info: &Info) {
        self.sampler = Some(Box::new(self.shared.game.sampler(known::<G>(info))));
    }

    fn draw(&mut self, rng: &mut Rng) -> (f64, Turn) {
        self.is_listed.set(false);
        let sampler = self.sampler.as_mut().expect("worlds are drawn after somebody said from what");
        let weight = self.shared.game.sample(sampler, rng, &mut self.state);
        (weight, self.shared.game.turn(&self.state))
    }

    fn play_out(&mut self, moves: &[(Player, Move)], how: Simulation, rng: &mut Rng) -> Rewards {
        let (shared, state) = (&*self.shared, &mut self.state);
        match *moves {
            [(p, mv)] => shared.game.apply(state, Step::Moves(&[(p, shared.decode(mv))])),
            _ => with_actions(shared, moves, |actions| shared.game.apply(state, Step::Moves(actions))),
        }
        self.run(how, rng)
    }

    fn playout(&mut self, how: Simulation, rng: &mut Rng) -> Rewards {
        self.run(how, rng)
    }

    fn random_play(&mut self, rng: &mut Rng) -> u64 {
        self.is_listed.set(false);
        let (game, state, scratch) = (&*self.shared.game, &mut self.state, self.scratch.get_mut());
        let mut moves = 0;
        loop {
            let turn = game.turn(state);
            if turn == Turn::Terminal {
                break;
            }
            moves += turn.players().len() as u64;
            random_step(game, state, rng, scratch);
        }
        moves
    }

    fn evaluate(&self, which: Option<usize>, who: Player) -> Option<f64> {
        self.shared.game.extras().evaluations?.evaluate(which, &self.state, who)
    }

    fn evaluate_leaf(&self, which: Option<usize>) -> Rewards {
        evaluate_leaf(&*self.shared.game, which, &self.state)
    }

    fn episode(&self) -> Option<u32> {
        self.shared.game.extras().episodes?.episode(&self.state)
    }

    fn features(&self, by: Player, out: &mut Vec<u32>) {
        if let Some(episodes) = self.shared.game.extras().episodes {
            episodes.features(&self.state, by, out);
        }
    }

    fn fingerprint(&self) -> u64 {
        fingerprint(&*self.shared.game, &self.state)
    }

    fn drop_history(&mut self) {
        self.is_listed.set(false);
        if let Some(memory) = self.shared.game.extras().memory {
            memory.drop_history(&mut self.state);
        }
    }

    fn move_prior(&self, who: Player, moves: &[Move], out: &mut Vec<f32>) {
        let Some(known) = self.shared.game.extras().selective_search else { return };
        let listed = &mut self.scratch.borrow_mut().actions;
        listed.clear();
        listed.extend(moves.iter().map(|&m| self.shared.decode(m)));
        known.move_prior(&self.state, who, listed, out);
    }

    fn candidates(&self, who: Player, asked: Selective, out: &mut Vec<Move>) {
        let Some(known) = self.shared.game.extras().selective_search else { return };
        let listed = &mut self.scratch.borrow_mut().actions;
        listed.clear();
        known.candidates(&self.state, who, asked, listed);
        self.shared.encode_all(listed, out);
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

    fn tensor(&self, seat: Player, out: &mut [f32]) {
        out.fill(0.0);
        if let Some(tensors) = self.shared.game.info_extras().tensors {
            tensors.write(&self.shared.game.info(&self.state, Observer::Seat(seat)), seat, out);
        }
    }

    fn hidden_value(&self) -> Option<usize> {
        self.shared.game.info_extras().hidden_part?.value(&self.state)
    }

    fn put_hidden(&mut self, value: usize) -> bool {
        self.is_listed.set(false);
        self.shared.game.info_extras().hidden_part.is_some_and(|part| part.put(&mut self.state, value))
    }

    fn abstracted(&self, who: Player) -> u64 {
        self.shared.game.info_extras().info_tree.map_or(0, |tree| tree.abstracted(&self.state, who))
    }

    fn show(&self) -> String {
        self.shared.game.show(&self.state)
    }

    fn scene(&self) -> Scene {
        self.shared.game.scene_of(&self.state)
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
        self.state_mut().clone_from(&other.state);
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
pub(super) struct Draws<G: Playable> {
    game: Arc<G>,
    sampler: G::Sampler,
}

impl<G: Playable> Draws<G> {
    pub(super) fn new(game: Arc<G>, info: &G::Info) -> Draws<G> {
        let sampler = game.sampler(info);
        Draws { game, sampler }
    }
}

fn state_of<G: Playable>(world: &mut dyn World) -> &mut G::State {
    world.as_any_mut().downcast_mut::<Walk<G>>().expect("a world of this game").state_mut()
}

impl<G: Playable> Sampler for Draws<G> {
    fn sample(&mut self, rng: &mut Rng, world: &mut dyn World) -> f64 {
        self.game.sample(&mut self.sampler, rng, state_of::<G>(world))
    }

    fn sample_value(&mut self, value: usize, rng: &mut Rng, world: &mut dyn World) -> bool {
        let part = self.game.info_extras().hidden_part;
        part.is_some_and(|part| part.sample(&mut self.sampler, value, rng, state_of::<G>(world)))
    }

    fn reuse(&mut self, info: &Info) {
        self.game.reuse_sampler(&mut self.sampler, known::<G>(info));
    }
}

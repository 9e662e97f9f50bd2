//! Any game as engines see it.

use std::any::Any;
use std::fmt;
use std::ops::ControlFlow;
use std::sync::Arc;

use serde_json::Value;

use super::moves::Moves;
use super::walk::{Draws, Walk};
use super::{Beliefs, ErasedInfo, Info, InfoTrees, Model, Move, Sampler, World};
use crate::{
    Deadline, Evaluations, Facts, HiddenPart, InfoTree, Observation, Observer, Playable, Player, Policies,
    Policy, Rng, Scene, SelectiveSearch, Tensors, state_hash,
};

/// A game behind the interface of engines.
pub struct Erased<G: Playable>(Arc<Shared<G>>);

impl<G: Playable> Clone for Erased<G> {
    fn clone(&self) -> Erased<G> {
        Erased(Arc::clone(&self.0))
    }
}

impl<G: Playable> fmt::Debug for Erased<G> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Erased").field("facts", &self.0.facts).finish_non_exhaustive()
    }
}

/// What all worlds of a game share.
pub(super) struct Shared<G: Playable> {
    pub(super) game: Arc<G>,
    pub(super) facts: Facts,
    pub(super) moves: Moves<G::Action>,
}

impl<G: Playable> Erased<G> {
    /// A game as engines see it.
    pub fn new(game: impl Into<Arc<G>>) -> Erased<G> {
        let game = game.into();
        let codes = if G::DECODES { Some(0) } else { game.codes() };
        let (facts, moves) = (game.facts(), Moves::below(codes));
        Erased(Arc::new(Shared { game, facts, moves }))
    }

    /// A game as engines see it, without its type.
    pub fn any(game: impl Into<Arc<G>>) -> Arc<dyn Model> {
        Arc::new(Erased::new(game))
    }

    /// The game.
    pub fn game(&self) -> &Arc<G> {
        &self.0.game
    }

    /// A world in this state.
    pub fn world(&self, state: G::State) -> Box<dyn World> {
        Box::new(Walk::new(Arc::clone(&self.0), state))
    }

    /// The state that a world of this game is in.
    ///
    /// # Panics
    /// If it is a world of another game.
    pub fn state<'a>(&self, world: &'a dyn World) -> &'a G::State {
        &world.as_any().downcast_ref::<Walk<G>>().expect("a world of this game").state
    }

    /// What is known, for engines.
    pub fn info(&self, info: G::Info) -> Info {
        Info(Arc::new(info))
    }

    /// The move of an action.
    #[inline]
    pub fn encode(&self, action: G::Action) -> Move {
        self.0.encode(action)
    }

    /// The action of a move.
    #[inline]
    pub fn decode(&self, mv: Move) -> G::Action {
        self.0.decode(mv)
    }
}

impl<G: Playable> Shared<G> {
    /// The move of an action.
    #[inline]
    pub(super) fn encode(&self, action: G::Action) -> Move {
        let code = self.game.code(action);
        if G::DECODES { code as Move } else { self.moves.put(code, action) }
    }

    /// Appends the moves of actions.
    #[inline]
    pub(super) fn encode_all(&self, actions: &[G::Action], out: &mut Vec<Move>) {
        let code = |action| self.game.code(action);
        match G::DECODES {
            true => out.extend(actions.iter().map(|&action| code(action) as Move)),
            false => self.moves.put_all(actions, code, out),
        }
    }

    /// The action of a move.
    #[inline]
    pub(super) fn decode(&self, mv: Move) -> G::Action {
        if G::DECODES { self.game.decode(mv.into()) } else { self.moves.get(mv) }
    }
}

/// What an observer of a game knows, by its type.
///
/// # Panics
/// If it is known in another game.
pub(super) fn known<G: Playable>(info: &Info) -> &G::Info {
    info.downcast().expect("what is known belongs to this game")
}

impl<T> ErasedInfo for T
where
    T: Eq + std::hash::Hash + fmt::Debug + Send + Sync + serde::Serialize + 'static,
{
    fn same(&self, other: &dyn ErasedInfo) -> bool {
        (other as &dyn Any).downcast_ref::<T>().is_some_and(|other| self == other)
    }

    fn state_hash(&self) -> u64 {
        state_hash(self)
    }

    fn to_json(&self) -> Value {
        serde_json::to_value(self).expect("what is known serialises")
    }
}

impl<G: Playable> Model for Erased<G> {
    fn facts(&self) -> &Facts {
        &self.0.facts
    }

    fn start(&self) -> Box<dyn World> {
        self.world(self.0.game.start())
    }

    fn on_thread(&self, work: &mut (dyn FnMut() + Send)) {
        self.0.game.on_thread(work);
    }

    fn moves(&self) -> Option<usize> {
        self.0.game.codes().filter(|_| self.0.moves.is_dense())
    }

    fn code(&self, mv: Move) -> u64 {
        self.0.moves.code(mv)
    }

    fn move_of_code(&self, code: u64) -> Option<Move> {
        if G::DECODES { Move::try_from(code).ok() } else { self.0.moves.find(code) }
    }

    fn move_name(&self, mv: Move) -> String {
        self.0.game.action_name(self.decode(mv))
    }

    fn parse_move(&self, name: &str) -> Option<Move> {
        self.0.game.parse_action(name).map(|action| self.encode(action))
    }

    fn explain(&self, seen: &Observation, by: Observer) -> String {
        self.0.game.explain(seen, by)
    }

    fn view(&self, info: &Info) -> String {
        self.0.game.view(known::<G>(info))
    }

    fn scene(&self, info: &Info) -> Scene {
        self.0.game.scene(known::<G>(info))
    }

    fn spots(&self, info: &Info, who: Player, mv: Move) -> Vec<String> {
        self.0.game.spots(known::<G>(info), who, self.decode(mv))
    }

    fn info_from_json(&self, value: Value) -> Result<Info, serde_json::Error> {
        Ok(self.info(serde_json::from_value(value)?))
    }

    fn sampler(&self, info: &Info) -> Box<dyn Sampler> {
        Box::new(Draws::new(Arc::clone(&self.0.game), known::<G>(info)))
    }

    fn find_worlds(&self, info: &Info, before: Option<&Info>, until: &Deadline) -> bool {
        self.0.game.find_worlds(known::<G>(info), before.map(known::<G>), until)
    }

    fn enumerate(&self, info: &Info, out: &mut Vec<(Box<dyn World>, f64)>) -> bool {
        let mut listed = Vec::new();
        let can = self.0.game.enumerate(known::<G>(info), &mut listed);
        out.extend(listed.into_iter().map(|(state, weight)| (self.world(state), weight)));
        can
    }

    fn policies(&self) -> &'static [Policy] {
        self.0.game.extras().policies.map_or(&[], Policies::policies)
    }

    fn evaluations(&self) -> &'static [Policy] {
        self.0.game.extras().evaluations.map_or(&[], Evaluations::evaluations)
    }

    fn orders(&self) -> u32 {
        self.0.game.extras().selective_search.map_or(1, SelectiveSearch::orders)
    }

    fn hidden_part(&self) -> Option<&dyn Beliefs> {
        self.0.game.info_extras().hidden_part.map(|_| self as &dyn Beliefs)
    }

    fn info_tree(&self) -> Option<&dyn InfoTrees> {
        self.0.game.info_extras().info_tree.map(|_| self as &dyn InfoTrees)
    }

    fn tensor_shape(&self) -> Option<Vec<usize>> {
        self.0.game.info_extras().tensors.map(Tensors::shape)
    }

    fn tensor(&self, info: &Info, seat: Player, out: &mut [f32]) {
        out.fill(0.0);
        if let Some(tensors) = self.0.game.info_extras().tensors {
            tensors.write(known::<G>(info), seat, out);
        }
    }

    fn perfect_info_variant(&self) -> Option<Arc<dyn Model>> {
        self.0.game.extras().perfect_info_variant?.perfect_info_variant().map(|game| Erased::any(game))
    }

    fn reveal(&self, world: &mut dyn World) {
        let walk = world.as_any_mut().downcast_mut::<Walk<G>>().expect("a world of this game");
        walk.shared = Arc::clone(&self.0);
        if let Some(variant) = self.0.game.extras().perfect_info_variant {
            variant.reveal(walk.state_mut());
        }
    }
}

impl<G: Playable> Erased<G> {
    fn part(&self) -> &dyn HiddenPart<G> {
        self.0
            .game
            .info_extras()
            .hidden_part
            .expect("beliefs are asked for only where there is a hidden part")
    }

    fn tree(&self) -> &dyn InfoTree<G> {
        self.0
            .game
            .info_extras()
            .info_tree
            .expect("information trees are asked for only where there are some")
    }
}

impl<G: Playable> Beliefs for Erased<G> {
    fn values(&self) -> usize {
        self.part().values()
    }

    fn name(&self, value: usize) -> String {
        self.part().name(value)
    }

    fn is_whole(&self) -> bool {
        self.part().is_whole()
    }

    fn private(&self, value: usize, seat: Player) -> u64 {
        self.part().private(value, seat)
    }

    fn prior(&self, info: &Info, belief: &mut [f64]) {
        self.part().prior(known::<G>(info), belief);
    }

    fn propagate(&self, belief: &mut [f64], before: &Info, after: &Info) {
        self.part().propagate(belief, known::<G>(before), known::<G>(after));
    }
}

impl<G: Playable> InfoTrees for Erased<G> {
    fn evaluations(&self) -> &'static [Policy] {
        self.tree().evaluations()
    }

    fn simulations(&self) -> &'static [Policy] {
        self.tree().simulations()
    }

    fn root(&self, info: &Info) -> Info {
        self.info(self.tree().root(known::<G>(info)))
    }

    fn moves(&self, info: &Info, out: &mut Vec<Move>) {
        let mut actions = Vec::new();
        self.tree().actions(known::<G>(info), &mut actions);
        out.extend(actions.into_iter().map(|action| self.encode(action)));
    }

    fn after(&self, info: &Info, mv: Move, visit: &mut dyn FnMut(&Info) -> ControlFlow<()>) {
        let mut visit = |info: &G::Info| visit(&self.info(info.clone()));
        self.tree().after(known::<G>(info), self.decode(mv), &mut visit);
    }

    fn evaluate(&self, evaluation: usize, info: &Info) -> f64 {
        self.tree().evaluate(evaluation, known::<G>(info))
    }

    fn simulate(&self, simulation: usize, info: &Info, turns: u32, rng: &mut Rng) -> f64 {
        self.tree().simulate(simulation, known::<G>(info), turns, rng)
    }
}

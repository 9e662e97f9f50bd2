//! One search in one world after another: select, expand, play out, back up.
//!
//! ```text
//! search(g, B):  if the game is over: return its rewards
//!                if N(B) = 0: N(B) = 1; return a playout from g
//!                if g is not in B: add it with its actions
//!                N(B) += 1
//!                a = at a node of the searcher the action with the greatest bound (1),
//!                    at another's drawn by how likely the action is predicted to be (6)
//!                R = search(g·a, B·a)
//!                N(g,a) += 1;  U(g,a) += (R - U(g,a)) / N(g,a);  return R
//! ```

use arrayvec::ArrayVec;
use fogtree_core::{
    Explain, Facts, MAX_PLAYERS, Model, Move, Player, Purpose, Rewards, Rng, Seed, Simulation, Turn, World,
    WorldStep,
};

use super::belief_keys::{BeliefKeys, Roots};
use super::formulas::{bound, predict};
use super::store::{Arm, Arrival, BeliefId, Choice, Node, NodeId, Store, Weighing};
use super::{Predict, Prior, Settings, Variant, View};
use crate::Scale;
use crate::kit::explanation::Trace;
use crate::kit::scratch::Scratch;
use crate::kit::selection::Best;
use fogtree_core::SearchKey;

/// The choices of one iteration, each with who made it.
type Path = Vec<(Choice, Player)>;

/// Where an iteration begins.
#[derive(Clone, Copy, Debug)]
pub(super) struct Origin {
    /// How many worlds were drawn before this one.
    pub(super) number: usize,
    /// P(g) of the world.
    pub(super) prior: f64,
    pub(super) roots: Roots,
}

/// A search and its tree.
pub(super) struct Search {
    pub(super) store: Store,
    pub(super) path: Path,
    pub(super) trace: Option<Box<Trace<Move>>>,
    pub(super) sampling: Rng,
    pub(super) ties: Rng,
    playout: Rng,
    variant: Variant,
    c: f64,
    predict: Predict,
    /// The game's policy by which it is played out.
    simulation: Simulation,
    pub(super) belief_keys: BeliefKeys,
    scale: Scale,
    me: Player,
    origin: Origin,
    /// The world in which the root was first met.
    first: usize,
    utilities: Vec<f64>,
    scratch: Scratch,
}

impl Search {
    pub(super) fn new(facts: &Facts, settings: &Settings) -> Search {
        let weighing = match settings.guess.prior {
            Prior::Exponent => Weighing::Printed(settings.guess.lambda),
            Prior::Factor => Weighing::Bayes(settings.guess.lambda),
        };
        let stream = |purpose| Seed(0).stream(purpose);
        Search {
            store: Store::new(weighing, settings.memory),
            path: Vec::with_capacity(64),
            trace: None,
            sampling: stream(Purpose::Sampling),
            ties: stream(Purpose::Ties),
            playout: stream(Purpose::Playout),
            variant: settings.variant,
            c: settings.c,
            predict: settings.predict,
            simulation: settings.simulation,
            belief_keys: BeliefKeys::new(settings.keys, facts.players),
            scale: Scale::of(facts),
            me: Player(0),
            origin: Origin { number: 0, prior: 1.0, roots: [SearchKey::root(0); MAX_PLAYERS] },
            first: 0,
            utilities: Vec::new(),
            scratch: Scratch::default(),
        }
    }

    pub(super) fn seed(&mut self, seed: Seed) {
        self.sampling = seed.stream(Purpose::Sampling);
        self.ties = seed.stream(Purpose::Ties);
        self.playout = seed.stream(Purpose::Playout);
    }

    /// A decision of the searcher begins.
    pub(super) fn begin(&mut self, me: Player, players: usize, explain: Option<Explain>) {
        self.me = me;
        self.belief_keys.begin(me);
        self.store.clear();
        self.trace = explain.map(|explain| Box::new(Trace::new(me, players, explain)));
    }

    /// One iteration in a world, which is left at the end of the game. Also returns the searcher's first choice.
    pub(super) fn iterate(
        &mut self,
        game: &dyn Model,
        world: &mut dyn World,
        origin: Origin,
    ) -> (Option<Move>, Rewards) {
        self.origin = origin;
        self.path.clear();
        self.belief_keys.restart(origin.roots);
        if let Some(trace) = &mut self.trace {
            trace.restart();
        }
        let mut first = None;
        let mut at_root = true;
        let mut joint: ArrayVec<(Player, Move), MAX_PLAYERS> = ArrayVec::new();
        let mut turn = world.turn();
        loop {
            match turn {
                Turn::Terminal => break,
                Turn::Chance => {
                    let outcome = world.sample_chance(&mut self.playout);
                    turn = self.make(game, world, WorldStep::Chance(&outcome));
                }
                Turn::Player(_) | Turn::Simultaneous(_) => {
                    let players = turn.players();
                    let mark = world.state_hash();
                    let mut on = true;
                    joint.clear();
                    for p in players.iter() {
                        let chosen = self.decide(world, mark, p, at_root);
                        on &= chosen.is_some();
                        if p == self.me {
                            first = first.or(chosen);
                        }
                        match chosen {
                            Some(action) => joint.push((p, action)),
                            None if players.len() == 1 => {}
                            None => joint.push((p, self.random_action(world, p))),
                        }
                    }
                    if !on {
                        if !joint.is_empty() {
                            world.apply(WorldStep::Moves(&joint));
                        }
                        break;
                    }
                    turn = self.make(game, world, WorldStep::Moves(&joint));
                    at_root = false;
                }
            }
        }
        let rewards = world.playout(self.simulation, &mut self.playout);
        self.back_up(&rewards);
        (first, rewards)
    }

    fn make(&mut self, game: &dyn Model, world: &mut dyn World, step: WorldStep<'_>) -> Turn {
        self.belief_keys.step(game, world, step, self.trace.as_deref_mut());
        world.apply(step)
    }

    fn random_action(&mut self, world: &dyn World, who: Player) -> Move {
        match self.simulation.policy {
            None => world.random_move(who, &mut self.playout),
            Some(policy) => world.policy_move(Some(policy), who, &mut self.playout),
        }
    }

    /// What a player does in the belief state it is in; nothing if the tree ends here.
    fn decide(&mut self, world: &dyn World, mark: u64, who: Player, at_root: bool) -> Option<Move> {
        let key = self.belief_keys.node(who);
        let own = who == self.me;
        let prior = if at_root { self.origin.prior } else { 1.0 };
        let (node, known) = match self.store.arrive(key) {
            Arrival::New => {
                // As printed, a search that ends in a playout leaves N(B) at 0; only the root is counted elsewhere.
                if (at_root || self.variant != Variant::Literal) && !self.store.is_full() {
                    self.store.meet(key);
                    self.first = if at_root { self.origin.number } else { self.first };
                }
                return None;
            }
            Arrival::Kept(node) => (Some(node), self.store.find_belief(node, mark)),
            Arrival::Again => (None, None),
        };
        if known.is_none() && self.store.is_full() {
            return None;
        }
        // As printed, expanding a belief sets its count back to 0.
        let forgotten = self.variant == Variant::Literal && self.first == self.origin.number;
        let node = node.unwrap_or_else(|| self.store.keep(key, own, u32::from(!forgotten)));
        let belief = known.unwrap_or_else(|| {
            self.scratch.actions.clear();
            world.legal(who, &mut self.scratch.actions);
            self.store.expand(node, mark, prior, &self.scratch.actions)
        });
        self.store.set_prior(belief, prior);
        self.store.node_mut(node).visits += 1;
        let entry = match (own, self.predict) {
            (false, Predict::Softmax { lambda, .. }) => self.draw(node, belief, lambda),
            _ => self.best(node, belief),
        };
        let action = self.store.arm(self.store.entries(belief)[entry as usize].arm).action;
        self.path.push((Choice { node, belief, entry }, who));
        if let Some(trace) = &mut self.trace {
            trace.pass(self.belief_keys.tree_of(who), node, who, action);
        }
        Some(action)
    }

    /// The utility of an action in a belief state (3). As printed, it is 0 in all beliefs in which it was not
    /// tried; else these are left out.
    #[inline]
    pub(super) fn utility(&self, node: &Node, arm: &Arm) -> f64 {
        match self.variant {
            Variant::Corrected if arm.weight > 0.0 => arm.value / arm.weight,
            Variant::Corrected => node.mean(),
            _ if node.weight > 0.0 => arm.value / node.weight,
            _ => 0.0,
        }
    }

    /// The legal action with the greatest bound.
    fn best(&mut self, node: NodeId, belief: BeliefId) -> u32 {
        let at = self.store.node(node);
        let mut best = Best::default();
        for (i, entry) in self.store.entries(belief).iter().enumerate() {
            let arm = self.store.arm(entry.arm);
            let bound = bound(self.utility(at, arm), self.c, at.visits, arm.visits);
            best.offer(i as u32, bound as f32, &mut self.ties);
        }
        best.place
    }

    /// A legal action drawn by how likely it is predicted to be.
    fn draw(&mut self, node: NodeId, belief: BeliefId, lambda: f64) -> u32 {
        let at = self.store.node(node);
        let mut utilities = std::mem::take(&mut self.utilities);
        utilities.clear();
        utilities.extend(self.store.entries(belief).iter().map(|e| self.utility(at, self.store.arm(e.arm))));
        predict(lambda, &mut utilities);
        let drawn = self.ties.weighted(utilities.iter().copied());
        self.utilities = utilities;
        drawn as u32
    }

    fn back_up(&mut self, rewards: &Rewards) {
        if let Some(trace) = &mut self.trace {
            trace.reward(rewards);
        }
        for &(choice, who) in &self.path {
            let view = match self.predict {
                Predict::Softmax { view: View::Searcher, .. } => self.me,
                _ => who,
            };
            self.store.credit(choice, self.scale.value(rewards[view]));
        }
        if self.variant == Variant::Literal {
            // The main loop counts the root once more.
            if let Some(&(choice, _)) = self.path.first() {
                self.store.node_mut(choice.node).visits += 1;
            }
        }
    }

    /// The root, once it is kept: the first of all nodes at which the searcher decides.
    pub(super) fn root(&self) -> Option<NodeId> {
        (0..self.store.len() as NodeId).find(|&id| self.store.node(id).own)
    }
}

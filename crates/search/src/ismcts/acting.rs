//! Re-determinizing ISMCTS: every decision is judged in worlds drawn by the player who makes it.
//!
//! In the other members of the family all worlds come from the searcher's information set, so that the opponents of
//! the tree act as if they knew the searcher's secrets. Here a node learns only from worlds that its own player
//! thinks possible. An iteration walks down a world of the searcher, who chooses by the bound while the others
//! play as often as they have chosen so far, and credits the searcher's moves alone. The next iterations take one of the others' decisions on that
//! way, draw a *new* world from what that player knew there, walk on from it and credit that player's moves;
//! after [`HOPS`] such hops, which also teach what the others think the searcher would do, the search returns
//! to the root. Nodes are named by what their player knows. The idea of a new determinization at each node from
//! the acting player's view is J. Goodman's (*Re-determinizing Information Set Monte Carlo Tree Search in
//! Hanabi*, 2019), where the redrawn cards are put back after the choice; crediting a move only by
//! worlds of its own information set keeps that without having to know the game.

use std::mem::swap;

use arrayvec::ArrayVec;
use fogtree_core::{
    Budget, Deadline, Explain, Eyes, Info, InfoSet, MAX_PLAYERS, Model, Move, Observer, Player, Purpose,
    Rewards, Rng, SearchKey, Seed, Turn, World, WorldStep,
};

use super::choose::choose_own;
use super::search::Search;
use super::{Config, Simultaneous, explain};
use crate::Scale;
use crate::kit::determinize::Determinizer;
use crate::kit::explanation::{Explanation, Trace};
use crate::kit::scratch::Scratch;
use crate::kit::selection::{Exp3, Roots};
use crate::kit::store::{NONE, NodeId, Size, Store};

/// How many worlds of others follow one of the searcher's.
const HOPS: u32 = 2;

/// One search of one thread.
pub(crate) struct ActingEngine {
    config: Config,
    scale: Scale,
    players: usize,
    store: Store,
    me: Player,
    /// The owner's moves on the way down, by node and place, with the probability of those drawn by EXP3.
    path: Vec<(NodeId, u32, f32)>,
    /// What the player of a decision on the way down knew there, one of those of other players at random.
    elsewhere: Option<Player>,
    known: Option<Info>,
    /// What the last of the other players to decide knew.
    spare: Option<Info>,
    /// Draws worlds of other players, until then.
    draws: Option<Determinizer>,
    until: Option<Deadline>,
    others: u32,
    hops: u32,
    trace: Option<Box<Trace<Move>>>,
    roots: Roots,
    exp3: Exp3,
    scratch: Scratch,
    sampling: Rng,
    playout: Rng,
    ties: Rng,
}

impl ActingEngine {
    pub(crate) fn new(game: &dyn Model, config: Config) -> ActingEngine {
        let stream = |purpose| Seed(0).stream(purpose);
        ActingEngine {
            config,
            scale: Scale::of(game.facts()),
            players: game.facts().players,
            store: Store::new(config.memory),
            me: Player(0),
            path: Vec::with_capacity(64),
            elsewhere: None,
            known: None,
            spare: None,
            draws: None,
            until: None,
            others: 0,
            hops: 0,
            trace: None,
            roots: Roots::default(),
            exp3: Exp3::default(),
            scratch: Scratch::default(),
            sampling: stream(Purpose::Sampling),
            playout: stream(Purpose::Playout),
            ties: stream(Purpose::Ties),
        }
    }

    fn find(&self, who: Player, known: u64) -> (u64, Option<NodeId>) {
        let key = SearchKey::root(who.0.into()).with(known).0;
        (key, self.store.find(key))
    }

    /// Chooses for the owner of the world, by the bound or, at the same time as others, by EXP3 if that is asked
    /// for; also answers whether the tree goes on below.
    fn decide(&mut self, world: &dyn World, owner: Player, together: bool) -> (Move, bool) {
        let exp3 = together && self.config.simultaneous == Simultaneous::Exp3;
        self.scratch.actions.clear();
        world.legal(owner, &mut self.scratch.actions);
        let (key, known) = self.find(owner, world.info_hash(Observer::Seat(owner)));
        let made = known.or_else(|| self.store.insert(key, NONE));
        let chosen = made.and_then(|node| {
            let (store, legal) = (&mut self.store, &self.scratch.actions);
            Some(if exp3 {
                let (place, p) = self.exp3.choose_at(store, node, legal, &mut self.ties)?;
                (node, place, p)
            } else {
                let c = self.config.c as f32;
                (node, choose_own(store, node, legal, c, &self.roots, &mut self.ties)?, 0.0)
            })
        });
        let Some(chosen @ (node, place, _)) = chosen else {
            return (*self.playout.pick(&self.scratch.actions), false);
        };
        self.path.push(chosen);
        let edge = &self.store.edges(node)[place as usize];
        if let Some(trace) = &mut self.trace {
            trace.pass(owner.index(), node, owner, edge.action);
        }
        (edge.action, edge.visits > 0)
    }

    /// Chooses for another player as often as its own worlds have led the search there, or as EXP3 would now; at
    /// random if they never did.
    fn guess(&mut self, world: &dyn World, who: Player, exp3: bool) -> Move {
        let by = Observer::Seat(who);
        match &mut self.spare {
            Some(known) => world.info_into(by, known),
            none => *none = Some(world.info(by)),
        }
        let (_, node) = self.find(who, self.spare.as_ref().map_or(0, Info::state_hash));
        // A fair pick among however many decisions of others there will be.
        self.others += 1;
        if self.ties.below(self.others) == 0 {
            self.elsewhere = Some(who);
            swap(&mut self.known, &mut self.spare);
        }
        match node {
            Some(node) if exp3 => {
                self.scratch.actions.clear();
                world.legal(who, &mut self.scratch.actions);
                self.exp3.draw_at(&self.store, node, &self.scratch.actions, &mut self.playout).0
            }
            Some(node) => {
                let edges = self.store.edges(node);
                edges[self.playout.weighted(edges.iter().map(|e| f64::from(e.visits)))].action
            }
            None => world.random_move(who, &mut self.playout),
        }
    }

    /// Notes what the owner of the world sees of a step, if somebody wants to know.
    fn see(&mut self, world: &dyn World, step: WorldStep<'_>, owner: Player) {
        if let Some(trace) = &mut self.trace {
            let seen = world.observe(step, Observer::Seat(owner));
            trace.step(owner.index(), seen.as_ref(), true);
        }
    }

    /// Walks down a world and credits the moves of its owner. Returns the owner's first move and the rewards.
    fn walk(&mut self, world: &mut dyn World, owner: Player) -> (Option<Move>, Rewards) {
        self.path.clear();
        (self.elsewhere, self.others) = (None, 0);
        if let Some(trace) = &mut self.trace {
            trace.restart();
        }
        let mut first = None;
        let mut joint: ArrayVec<(Player, Move), MAX_PLAYERS> = ArrayVec::new();
        loop {
            let turn = world.turn();
            let mut on = true;
            match turn {
                Turn::Terminal => break,
                Turn::Chance if self.trace.is_none() => {
                    world.play_chance(&mut self.playout, Eyes::Closed);
                    continue;
                }
                Turn::Chance => {
                    let outcome = world.sample_chance(&mut self.playout);
                    self.see(world, WorldStep::Chance(&outcome), owner);
                    world.apply(WorldStep::Chance(&outcome));
                    continue;
                }
                Turn::Player(_) | Turn::Simultaneous(_) => joint.clear(),
            }
            let exp3 =
                matches!(turn, Turn::Simultaneous(_)) && self.config.simultaneous == Simultaneous::Exp3;
            for p in turn.players().iter() {
                let action = if p == owner {
                    let (action, more) = self.decide(world, p, exp3);
                    first = first.or(Some(action));
                    on = more;
                    action
                } else {
                    self.guess(world, p, exp3)
                };
                joint.push((p, action));
            }
            self.see(world, WorldStep::Moves(&joint), owner);
            world.apply(WorldStep::Moves(&joint));
            if !on {
                break;
            }
        }
        let simulation = self.config.simulation;
        let rewards = world.playout(simulation, &mut self.playout);
        if let Some(trace) = &mut self.trace {
            trace.reward(&rewards);
        }
        let reward = self.scale.value(rewards[owner]) as f32;
        for &(node, place, probability) in &self.path {
            self.store.edges_mut(node)[place as usize].credit_choice(reward, probability);
        }
        (first, rewards)
    }
}

impl Search for ActingEngine {
    fn seed(&mut self, seed: Seed) {
        self.sampling = seed.stream(Purpose::Sampling);
        self.playout = seed.stream(Purpose::Playout);
        self.ties = seed.stream(Purpose::Ties);
        self.store.clear();
    }

    fn begin(&mut self, info: &InfoSet) -> (u64, u64) {
        self.me = info.seat;
        (self.elsewhere, self.hops) = (None, 0);
        self.store.clear();
        (0, 0)
    }

    fn plan(&mut self, budget: &Budget) {
        let limited = budget.time.is_some() || budget.stop.is_some();
        self.until = limited.then(|| budget.deadline());
    }

    /// Goes on from somebody else's decision of the iteration before if it is time for that, else from the
    /// world given.
    fn iterate(
        &mut self,
        game: &dyn Model,
        world: &mut dyn World,
        _turn: Turn,
    ) -> (Option<Move>, Rewards, usize) {
        if self.hops < HOPS
            && let (Some(who), Some(known)) = (self.elsewhere.take(), &self.known)
        {
            self.hops += 1;
            if self.until.as_ref().is_some_and(|until| !game.find_worlds(known, None, until)) {
                let (first, rewards) = self.walk(world, self.me);
                return (first, rewards, self.path.len());
            }
            let draws = self.draws.get_or_insert_with(|| Determinizer::known(game, known));
            draws.turn_to(known);
            draws.draw(&mut self.sampling, world);
            let (_, rewards) = self.walk(world, who);
            return (None, rewards, self.path.len());
        }
        self.hops = 0;
        let (first, rewards) = self.walk(world, self.me);
        (first, rewards, self.path.len())
    }

    fn sampling(&mut self) -> &mut Rng {
        &mut self.sampling
    }

    fn size(&self) -> &dyn Size {
        &self.store
    }

    fn trace(&mut self, explain: Option<Explain>) {
        self.trace = explain::trace(explain, self.me, self.players, self.me.index(), &self.store);
    }

    fn tell(&self, game: &dyn Model, made: Move) -> Explanation {
        explain::tell(self.trace.as_deref(), game, &self.store, made)
    }
}

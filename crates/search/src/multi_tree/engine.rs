//! MT-MO-ISMCTS: the loop of MO-ISMCTS with several trees per player, and what it counts on the way.
//!
//! Every iteration walks down one world. Each player's decisions are looked up by what that player did and saw
//! since the root together with its secret, what it knows of the hidden part for itself, so that players
//! decide by what they know (Whitehouse 2014, Algorithm 6). Only decisions of a tree's own player have statistics;
//! between them there are but running keys. On the searcher's way to its next decision the values of the hidden part are
//! counted, for the particle filter; so they are on the way that the public sees.

mod choose;

use arrayvec::ArrayVec;
use fogtree_core::{
    Budget, Explain, Eyes, InfoSet, MAX_PLAYERS, Model, Move, Observer, Player, Players, Purpose, Rewards,
    Rng, Seed, Simulation, Turn, World, WorldStep, world::Beliefs,
};

use super::arm::{Arm, credit};
use super::counts::{Counts, Mover};
use super::{Counted, OutsiderEvidence, Settings, Trees};
use crate::Scale;
use crate::kit::chance::ChanceNodes;
use crate::kit::codes::Codes;
use crate::kit::determinize::Determinizer;
use crate::kit::explanation::{Explanation, Trace, Words};
use crate::kit::insertion_sort;
use crate::kit::root::RootTable;
use crate::kit::scratch::Scratch;
use crate::kit::selection::{Exp3, Roots};
use crate::kit::store::{NONE, NodeId, Size, Store};
use fogtree_core::SearchKey;

/// A move on the way down: where it was chosen, by whom, and how likely if EXP3 chose, 0 otherwise.
#[derive(Clone, Copy, Debug)]
struct Chosen {
    /// The place of the move among all.
    edge: u32,
    who: Player,
    probability: f32,
}

/// One part of a search.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Part {
    /// In worlds that an outsider holds possible.
    Outside,
    /// In worlds of the searcher's information set.
    Own,
    /// The same, and the others play as often as they did so far and learn nothing.
    AgainstHabits,
}

/// The random numbers of a search.
#[derive(Clone, Debug)]
pub(super) struct Streams {
    sampling: Rng,
    playout: Rng,
    ties: Rng,
}

impl Streams {
    pub(super) fn of(seed: Seed) -> Streams {
        Streams {
            sampling: seed.stream(Purpose::Sampling),
            playout: seed.stream(Purpose::Playout),
            ties: seed.stream(Purpose::Ties),
        }
    }
}

/// How large a search was.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub(super) struct Extent {
    pub(super) iterations: u64,
    pub(super) depth: usize,
    /// The moves made in the trees by all iterations together.
    pub(super) made: u64,
}

/// One search of one thread.
pub(super) struct Engine {
    settings: Settings,
    scale: Scale,
    me: Player,
    players: usize,
    store: Store<Arm<Move>>,
    codes: Codes,
    chances: ChanceNodes,
    path: Vec<Chosen>,
    /// The keys and nodes of the players who are to decide now.
    found: [(u64, Option<NodeId>); MAX_PLAYERS],
    /// The last node of each player on the way down.
    last: [NodeId; MAX_PLAYERS],
    /// What each player did and saw, at the root and on the way down.
    roots_of_trees: [SearchKey; MAX_PLAYERS],
    keys: [SearchKey; MAX_PLAYERS],
    public: SearchKey,
    everything: SearchKey,
    /// The secret of each player, for every value of the hidden part and for an unsettled one.
    secrets_of: Vec<[u64; MAX_PLAYERS]>,
    secrets: [u64; MAX_PLAYERS],
    /// The searcher's own secret.
    secret: u64,
    values: usize,
    /// The players who may make the same moves in all worlds that lead to one of their nodes.
    same_moves: Players,
    /// What the searcher's next decision needs counted, and what an outsider's belief needs.
    pub(super) own: Counts,
    pub(super) outside: Counts,
    counting: Counting,
    /// Who still follows its habits, against which the searcher plays.
    followed: Players,
    fresh: Vec<Arm<Move>>,
    /// Whether a set of moves fits into a mask of 64 bits.
    masks: bool,
    roots: Roots,
    exp3: Exp3,
    scratch: Scratch,
    weights: Vec<u32>,
    streams: Streams,
    trace: Option<Box<Trace<Arm<Move>>>>,
}

/// What an iteration does.
#[derive(Clone, Copy, Debug)]
struct Counting {
    part: Part,
    /// Whether the searcher is in its decision tree, and how often it has chosen there.
    decision_tree: bool,
    choices: u32,
    own: bool,
    outside: bool,
    /// Whether the public's way is followed at all.
    public: bool,
    /// The value by which all places are counted, if that is the one at the root.
    by: Option<usize>,
}

impl Engine {
    pub(super) fn new(game: &dyn Model, settings: Settings) -> Engine {
        let facts = game.facts();
        Engine {
            settings,
            scale: Scale::of(facts),
            me: Player(0),
            players: facts.players,
            store: Store::new(settings.memory),
            codes: Codes::new(game),
            chances: ChanceNodes::new(1 << 20),
            path: Vec::with_capacity(64),
            found: [(0, None); MAX_PLAYERS],
            last: [NONE; MAX_PLAYERS],
            roots_of_trees: [SearchKey::root(0); MAX_PLAYERS],
            keys: [SearchKey::root(0); MAX_PLAYERS],
            public: SearchKey::root(0),
            everything: SearchKey::root(0),
            secrets_of: Vec::new(),
            secrets: [0; MAX_PLAYERS],
            secret: 0,
            values: 0,
            same_moves: Players::default(),
            own: Counts::new(settings.memory / 4),
            outside: Counts::new(settings.memory / 4),
            counting: Counting {
                part: Part::Own,
                decision_tree: true,
                choices: 0,
                own: false,
                outside: false,
                public: false,
                by: None,
            },
            followed: Players::default(),
            fresh: Vec::new(),
            masks: game.moves().is_some_and(|moves| moves <= 64),
            roots: Roots::default(),
            exp3: Exp3::default(),
            scratch: Scratch::default(),
            weights: Vec::new(),
            streams: Streams::of(Seed(0)),
            trace: None,
        }
    }

    /// Forgets everything and draws from a new seed.
    pub(super) fn seed(&mut self, seed: Seed) {
        self.streams = Streams::of(seed);
        self.clear();
    }

    fn clear(&mut self) {
        self.store.clear();
        self.chances.clear();
        self.own.clear();
        self.outside.clear();
    }

    /// Draws from other streams from now on; returns the ones so far.
    pub(super) fn exchange(&mut self, streams: Streams) -> Streams {
        std::mem::replace(&mut self.streams, streams)
    }

    /// Prepares to search from an information set of a player with this secret.
    pub(super) fn begin(
        &mut self,
        part: Option<&dyn Beliefs>,
        info: &InfoSet,
        private: Option<u64>,
        explain: Option<Explain>,
    ) {
        self.clear();
        self.me = info.seat;
        self.roots_of_trees = std::array::from_fn(|i| SearchKey::root(i as u64));
        self.roots_of_trees[self.me.index()] = SearchKey::root(u64::MAX).after(&info.events);
        let part = part.filter(|_| self.settings.trees == Trees::PerSecret);
        self.values = part.map_or(0, Beliefs::values);
        let secret = |p, value| part.map_or(0, |part| secret_of(part.private(value, p)));
        let secrets = |value| {
            std::array::from_fn(|i| if i < self.players { secret(Player(i as u8), value) } else { 0 })
        };
        self.secrets_of.clear();
        self.secrets_of.extend((0..self.values).map(secrets));
        self.secrets_of.push([0; MAX_PLAYERS]);
        self.secret = private.filter(|_| part.is_some()).map_or(0, secret_of);
        self.trace = explain.map(|explain| Box::new(Trace::new(self.me, self.players, explain)));
        self.same_moves = self.players_with_same_moves(part);
    }

    /// All, if what a player knows for itself is all that is hidden, and has trees apart; else the searcher, unless it looks
    /// outside. Accounts tell how often each move was legal, so there that is counted.
    fn players_with_same_moves(&self, part: Option<&dyn Beliefs>) -> Players {
        let apart = self.masks && self.trace.is_none();
        match part {
            Some(part) if apart && part.is_whole() => Players::first(self.players),
            _ if self.settings.self_determinization.looks_outside() => Players::default(),
            _ => Players::default().with(self.me),
        }
    }

    /// What the searcher did and saw at the root; from there its events lead on.
    pub(super) fn own_root(&self) -> SearchKey {
        self.roots_of_trees[self.me.index()]
    }

    /// Where the public's way begins.
    pub(super) fn public_root() -> SearchKey {
        SearchKey::root(u64::MAX - 1)
    }

    /// The node of a player with a secret after what it did and saw.
    #[inline]
    fn node_key(key: SearchKey, who: Player, secret: u64) -> u64 {
        key.with(u64::from(who.0) ^ secret).0
    }

    /// Searches in worlds drawn so; counts what came of the searcher's moves in its decision tree.
    pub(super) fn run(
        &mut self,
        game: &dyn Model,
        part: Option<&dyn Beliefs>,
        what: Part,
        worlds: &mut Determinizer,
        budget: &Budget,
        table: &mut RootTable,
    ) -> Extent {
        let mut world = game.start();
        let mut extent = Extent::default();
        let mut clock = budget.start();
        while clock.tick() {
            clock.show(|| table.progress(self.store.nodes(), extent.depth));
            worlds.draw(&mut self.streams.sampling, &mut *world);
            self.enter(part, &*world, what);
            let (first, rewards) = self.iterate(game, part, &mut *world);
            if let Some(first) = first.filter(|_| self.counting.decision_tree) {
                table.add(table.index_of(first), &rewards, 1.0);
            }
            extent.depth = extent.depth.max(self.path.len());
            extent.made += self.path.len() as u64;
        }
        extent.iterations = clock.done();
        extent
    }

    /// Which tree each player is in, and what is to be counted.
    fn enter(&mut self, part: Option<&dyn Beliefs>, world: &dyn World, what: Part) {
        let value = self.value(part, world);
        self.secrets = self.secrets_of[value.min(self.values)];
        let decision_tree = what != Part::Outside || self.secrets[self.me.index()] == self.secret;
        let infers = part.is_some() && self.settings.inference.is_some();
        let looks_outside = infers && self.settings.self_determinization.looks_outside();
        let merged = self.settings.outsider_evidence == OutsiderEvidence::Merged;
        self.counting = Counting {
            part: what,
            decision_tree,
            choices: 0,
            own: infers && decision_tree,
            outside: looks_outside && (what == Part::Outside || merged),
            public: looks_outside,
            by: self.settings.inference.filter(|i| i.counted == Counted::AtRoot).map(|_| value),
        };
        self.keys = self.roots_of_trees;
        self.public = Self::public_root();
        self.path.clear();
        self.last = [NONE; MAX_PLAYERS];
        self.everything = SearchKey::root(7);
        self.followed = Players::first(self.players);
        if let Some(trace) = &mut self.trace {
            trace.restart();
        }
        if self.counting.own {
            self.own.pass(self.keys[self.me.index()], value);
        }
        if self.counting.outside {
            self.outside.pass(self.public, value);
        }
    }

    /// The present value of the hidden part; one more than the greatest if it is not settled.
    #[inline]
    fn value(&self, part: Option<&dyn Beliefs>, world: &dyn World) -> usize {
        part.map_or(0, |part| world.hidden_value().unwrap_or_else(|| part.values()))
    }

    fn iterate(
        &mut self,
        game: &dyn Model,
        part: Option<&dyn Beliefs>,
        world: &mut dyn World,
    ) -> (Option<Move>, Rewards) {
        let mut first = None;
        let mut joint: ArrayVec<(Player, Move), MAX_PLAYERS> = ArrayVec::new();
        let mut turn = world.turn();
        loop {
            if turn == Turn::Terminal {
                break;
            }
            if turn == Turn::Chance {
                let (outcome, place) = self.chances.draw(world, self.everything.0, &mut self.streams.playout);
                self.everything = self.everything.own(place);
                turn = self.make(game, part, world, WorldStep::Chance(&outcome), true);
                continue;
            }
            let on = self.decide_all(world, turn, &mut joint);
            first = first.or_else(|| WorldStep::Moves(&joint).move_of(self.me));
            turn = self.make(game, part, world, WorldStep::Moves(&joint), on);
            if !on {
                break;
            }
        }
        let rewards = world.playout(Simulation::UNIFORM, &mut self.streams.playout);
        self.back_up(&rewards);
        (first, rewards)
    }

    /// Makes a step and counts where it leads; returns whose turn it is then. Only if the tree goes on do all players
    /// have to see it.
    #[inline]
    fn make(
        &mut self,
        game: &dyn Model,
        part: Option<&dyn Beliefs>,
        world: &mut dyn World,
        step: WorldStep<'_>,
        on: bool,
    ) -> Turn {
        let counting = self.counting.own || self.counting.outside;
        let (own, public) = (self.keys[self.me.index()], self.public);
        if on {
            self.everything = self.everything.own(self.joint_code(game, step.moves()));
            self.see_all(world, step);
        } else if counting {
            self.see(world, step, self.me);
        }
        if self.counting.public && (on || counting) {
            self.public = public.seen(world.observe(step, Observer::Public).as_ref());
        }
        let turn = world.apply(step);
        if counting {
            let value = self.counting.by.unwrap_or_else(|| self.value(part, world));
            self.count(value, Mover::of(step, self.me), own, public);
        }
        turn
    }

    #[inline]
    fn see_all(&mut self, world: &dyn World, step: WorldStep<'_>) {
        match self.trace.is_some() {
            true => Player::all(self.players).for_each(|p| self.see(world, step, p)),
            false => world.look(step, Eyes::All(&mut self.keys[..self.players])),
        }
    }

    #[inline]
    fn see(&mut self, world: &dyn World, step: WorldStep<'_>, p: Player) {
        if let Some(trace) = &mut self.trace {
            trace.step(p.index(), world.observe(step, Observer::Seat(p)).as_ref(), true);
        }
        world.look(step, Eyes::Seat(p, &mut self.keys[p.index()]));
    }

    /// A number for the moves of a step.
    #[inline]
    fn joint_code(&self, game: &dyn Model, moves: &[(Player, Move)]) -> u64 {
        let code = |m: &(Player, Move)| self.codes.of(game, m.1);
        moves.iter().fold(0, |word: u64, m| word.wrapping_mul(0x9e37_79b9_7f4a_7c15).wrapping_add(code(m)))
    }

    /// Counts where a step has led, from these keys of the searcher and of the public.
    fn count(&mut self, value: usize, by: Mover, own: SearchKey, public: SearchKey) {
        let here = self.keys[self.me.index()];
        if self.counting.own && here != own {
            self.own.step(own, here, by);
            self.own.pass(here, value);
            if self.counting.public {
                self.own.link(here, self.public);
            }
        }
        if self.counting.outside && self.public != public {
            self.outside.step(public, self.public, by);
            self.outside.pass(self.public, value);
        }
    }

    /// The key of the node at which a player is, and the node, if it is there.
    #[inline(always)]
    fn find(&self, who: Player) -> (u64, Option<NodeId>) {
        let seen = self.keys[who.index()];
        let key = Self::node_key(seen, who, self.secrets[who.index()]);
        (key, self.store.find(key))
    }

    /// The same for players who may choose at the same time. Most of the time of a large search goes into waiting for memory;
    /// these waits are independent, so all nodes and their moves are touched before anything is done with them.
    #[inline]
    fn find_all(&mut self, players: Players) {
        let mut touched = 0;
        for (i, p) in players.iter().enumerate() {
            let found = self.find(p);
            touched ^= found.1.map_or(0, |node| self.store.touch(node));
            self.found[i] = found;
        }
        std::hint::black_box(touched);
    }

    fn back_up(&mut self, rewards: &Rewards) {
        if let Some(trace) = &mut self.trace {
            trace.reward(rewards);
        }
        let mut scaled = [0.0; MAX_PLAYERS];
        for (to, &reward) in scaled.iter_mut().zip(rewards.iter()) {
            *to = self.scale.value(reward) as f32;
        }
        for chosen in &self.path {
            let reward = scaled[chosen.who.index()];
            let edge = self.store.edge_mut(chosen.edge);
            if chosen.probability > 0.0 {
                edge.visits += 1;
                edge.value += reward / chosen.probability;
                continue;
            }
            credit(edge, reward);
        }
    }

    /// How often each move was tried at the root over all secrets that the searcher could have.
    pub(super) fn popularity(&self, legal: &[Move]) -> Vec<u64> {
        let mut secrets: Vec<u64> = self.secrets_of.iter().map(|s| s[self.me.index()]).collect();
        insertion_sort::sort_by_key(&mut secrets, |&s| s);
        secrets.dedup();
        let mut visits = vec![0; legal.len()];
        for secret in secrets {
            let Some(node) = self.root_node(secret) else { continue };
            for edge in self.store.edges(node) {
                if let Ok(place) = legal.binary_search(&edge.action.action) {
                    visits[place] += u64::from(edge.visits);
                }
            }
        }
        visits
    }

    fn root_node(&self, secret: u64) -> Option<NodeId> {
        self.store.find(Self::node_key(self.own_root(), self.me, secret))
    }

    pub(super) fn nodes(&self) -> u64 {
        self.store.nodes()
    }

    pub(super) fn tried(&self) -> u64 {
        self.store.tried()
    }

    pub(super) fn bytes(&self) -> u64 {
        (self.store.bytes() + self.own.bytes() + self.outside.bytes()) as u64
    }

    /// What there is to tell after this move was chosen.
    pub(super) fn tell(&self, game: &dyn Model, made: Move) -> Explanation {
        let name = |_, arm: Arm<Move>| game.move_name(arm.action);
        let words = Words { name: &name, explain: &|seen, by| game.explain(seen, by) };
        let root = self.root_node(self.secret);
        let tell = |trace: &Trace<_>| trace.tell(&self.store, root, Arm::of(made), words);
        self.trace.as_deref().map_or_else(Explanation::default, tell)
    }
}

/// What tells one secret from another, and from none.
fn secret_of(private: u64) -> u64 {
    private.wrapping_add(1).wrapping_mul(0x9e37_79b9_7f4a_7c15) << 8
}

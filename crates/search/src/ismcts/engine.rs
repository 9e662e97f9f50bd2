//! One search with one or several observers: the loop that SO-ISMCTS and MO-ISMCTS share.
//!
//! Every iteration draws a world and walks down it. At a decision the acting player's node is looked up by
//! what that player did and saw since the root (several observers), or by all moves and what the searcher saw
//! (a single one). If a legal move there is untried, one is tried and the rest is played at random; otherwise
//! a bound decides (`choose`). A move's mean is that of its own player's rewards (max^n). Sources: Cowling,
//! Powley and Whitehouse 2012; Whitehouse 2014, Algorithms 2 to 5.

use arrayvec::ArrayVec;
use fogtree_core::{
    Budget, Chance, Event, Explain, Eyes, InfoSet, MAX_PLAYERS, Model, Move, Observer, Player, Players,
    Purpose, Rewards, Rng, Seed, Turn, World, WorldStep,
};

use super::search::Search;
use super::{Config, Observers, Simultaneous, explain};
use crate::Scale;
use crate::kit::chance::ChanceNodes;
use crate::kit::codes::Codes;
use crate::kit::explanation::{Explanation, Trace};
use crate::kit::narrow::Order;
use crate::kit::scratch::Scratch;
use crate::kit::selection::{Exp3, Roots};
use crate::kit::store::{NONE, NodeId, Size, Store};
use crate::learn::{Arm, Knowledge, Tally};
use fogtree_core::SearchKey;

/// A move on the way down: where it was chosen, by whom, and how likely if EXP3 chose, 0 otherwise.
#[derive(Clone, Copy, Debug)]
struct Chosen {
    node: NodeId,
    edge: u32,
    who: Player,
    probability: f32,
}

/// One search of one thread, with what it learns from playouts.
pub(crate) struct Engine<K> {
    pub(super) config: Config,
    pub(super) knowledge: K,
    scale: Scale,
    me: Player,
    pub(super) players: usize,
    pub(super) store: Store,
    chances: ChanceNodes,
    path: Vec<Chosen>,
    /// The last node of each player on the way down.
    last: [NodeId; MAX_PLAYERS],
    /// What each tree has seen at its root, and on the way down.
    roots_of_trees: [SearchKey; MAX_PLAYERS],
    pub(super) keys: [SearchKey; MAX_PLAYERS],
    everything: SearchKey,
    pub(super) fresh: Vec<Move>,
    pub(super) arms: Vec<Arm>,
    /// Every how many visits a node is split off for what a player holds; 0 for never.
    pub(super) split: u32,
    /// What each player knows at the root of this world, hashed, if nodes are split off and every player has a tree.
    pub(super) held: [u64; MAX_PLAYERS],
    narrows: bool,
    pub(super) order: Order,
    /// Whether a set of moves fits into a mask of 64 bits.
    pub(super) masks: bool,
    codes: Codes,
    /// Whether chance ever draws below the root, for which places are named by all that was done.
    draws: bool,
    pub(super) roots: Roots,
    pub(super) exp3: Exp3,
    pub(super) scratch: Scratch,
    sampling: Rng,
    pub(super) playout: Rng,
    pub(super) ties: Rng,
    trace: Option<Box<Trace<Move>>>,
}

impl<K: Knowledge> Engine<K> {
    pub(crate) fn new(game: &dyn Model, config: Config, knowledge: K) -> Engine<K> {
        let facts = game.facts();
        let stream = |purpose| Seed(0).stream(purpose);
        Engine {
            config,
            knowledge,
            scale: Scale::of(facts),
            me: Player(0),
            players: facts.players,
            store: Store::new(config.memory),
            chances: ChanceNodes::new(1 << 20),
            path: Vec::with_capacity(64),
            last: [NONE; MAX_PLAYERS],
            roots_of_trees: [SearchKey::root(0); MAX_PLAYERS],
            keys: [SearchKey::root(0); MAX_PLAYERS],
            everything: SearchKey::root(0),
            fresh: Vec::new(),
            arms: Vec::new(),
            split: config.opponents.split(game),
            held: [0; MAX_PLAYERS],
            narrows: !config.narrow.is_off(),
            order: Order::default(),
            masks: game.moves().is_some_and(|moves| moves <= 64),
            codes: Codes::new(game),
            draws: facts.chance != Chance::Never,
            roots: Roots::default(),
            exp3: Exp3::default(),
            scratch: Scratch::default(),
            sampling: stream(Purpose::Sampling),
            playout: stream(Purpose::Playout),
            ties: stream(Purpose::Ties),
            trace: None,
        }
    }

    /// The searcher.
    pub(super) fn me(&self) -> Player {
        self.me
    }

    /// The last node of a player on the way down.
    pub(super) fn last(&self, who: Player) -> NodeId {
        self.last[who.index()]
    }

    /// The tree in which a player's decisions are kept.
    #[inline]
    pub(super) fn tree_of(&self, who: Player) -> usize {
        match self.config.observers {
            Observers::Multiple => who.index(),
            Observers::Single | Observers::Partial | Observers::Acting => 0,
        }
    }

    /// The keys of the trees' roots. The searcher's goes on from what it did and saw, so that its tree can be
    /// kept from move to move.
    fn root_keys(&self, events: &[Event]) -> [SearchKey; MAX_PLAYERS] {
        let own = SearchKey::root(u64::MAX).after(events);
        let mut keys = std::array::from_fn(|i| SearchKey::root(i as u64));
        keys[self.tree_of(self.me)] = own;
        keys
    }

    /// Empties the store, or keeps what is below the new root.
    fn prepare(&mut self, root: SearchKey) -> (usize, u32) {
        self.chances.clear();
        if self.config.reuse && self.config.observers == Observers::Multiple {
            return self.store.keep_below(self.node_key(root, self.me));
        }
        self.store.clear();
        (0, 0)
    }

    /// The key of a player's node in its tree.
    #[inline]
    pub(super) fn node_key(&self, key: SearchKey, who: Player) -> u64 {
        key.with(u64::from(who.0)).0
    }

    /// Players of one turn choose without seeing one another's choices. By the bound they choose one after the other, the
    /// searcher first, and once one of them tries something new the rest choose at random, for else those who are
    /// rewarded alike would have equal statistics and choose alike for ever.
    fn decide_together(
        &mut self,
        game: &dyn Model,
        world: &dyn World,
        players: Players,
        joint: &mut ArrayVec<(Player, Move), MAX_PLAYERS>,
    ) -> bool {
        joint.clear();
        if self.config.simultaneous == Simultaneous::Exp3 {
            return players.iter().fold(true, |on, p| {
                let (action, more) = self.decide(game, world, p, true);
                joint.push((p, action));
                on & more
            });
        }
        let me = self.me;
        let own = players.contains(me).then(|| self.decide(game, world, me, true));
        let mut on = own.is_none_or(|(_, more)| more);
        for p in players.iter() {
            let (action, more) = match own {
                Some(decided) if p == me => decided,
                _ if on => self.decide(game, world, p, true),
                _ => (self.decide_at_random(game, world, p), false),
            };
            on &= more;
            joint.push((p, action));
        }
        on
    }

    fn decide_at_random(&mut self, game: &dyn Model, world: &dyn World, who: Player) -> Move {
        if K::LEARNS {
            self.knowledge.arrive(game, world, who, &mut self.scratch);
        }
        let action = world.random_move(who, &mut self.playout);
        if K::LEARNS {
            self.knowledge.made(game, who, action);
        }
        action
    }

    /// Lets every tree see a step about to be made.
    #[inline]
    fn observe(&mut self, game: &dyn Model, world: &dyn World, step: WorldStep<'_>) {
        match self.config.observers {
            Observers::Multiple => {
                for p in Player::all(self.players) {
                    let mut key = self.keys[p.index()];
                    if let Some(action) = step.move_of(p) {
                        key = key.own(game.code(action));
                    }
                    let seen = world.observe(step, Observer::Seat(p));
                    if let Some(trace) = &mut self.trace {
                        trace.step(p.index(), seen.as_ref(), true);
                    }
                    self.keys[p.index()] = key.seen(seen.as_ref());
                }
            }
            Observers::Single | Observers::Partial | Observers::Acting => {
                let mut key = self.keys[0];
                for &(p, action) in step.moves() {
                    key = key.own(game.code(action) ^ u64::from(p.0) << 56);
                }
                let seen = world.observe(step, Observer::Seat(self.me));
                if let Some(trace) = &mut self.trace {
                    let moves = step.moves();
                    trace.step(0, seen.as_ref(), moves.is_empty() || moves[0].0 == self.me);
                }
                self.keys[0] = key.seen(seen.as_ref());
            }
        }
    }

    /// Chooses a move for a player who moves alone; also answers whether the tree goes on below it.
    #[inline(always)]
    fn decide_alone(&mut self, game: &dyn Model, world: &dyn World, who: Player) -> (Move, bool) {
        match K::LEARNS || self.narrows {
            true => self.decide(game, world, who, false),
            false => self.decide_by_tree(world, who, false, false),
        }
    }

    /// Chooses a move for a player; also answers whether the tree goes on below it.
    #[inline(never)]
    fn decide(&mut self, game: &dyn Model, world: &dyn World, who: Player, together: bool) -> (Move, bool) {
        if !K::LEARNS {
            return match self.narrows && !together {
                true => self.decide_narrowed(world, who),
                false => self.decide_by_tree(world, who, together, false),
            };
        }
        let listed = self.knowledge.arrive(game, world, who, &mut self.scratch);
        let exp3 = together && self.config.simultaneous == Simultaneous::Exp3;
        let (action, on) = match self.knowledge.guides() && !exp3 {
            true => self.decide_by_guide(game, world, who, listed),
            false => self.decide_by_tree(world, who, together, listed),
        };
        self.knowledge.made(game, who, action);
        (action, on)
    }

    /// Goes down a move.
    #[inline(always)]
    pub(super) fn take(&mut self, node: NodeId, place: u32, who: Player, probability: f32) -> (Move, bool) {
        self.last[who.index()] = node;
        self.path.push(Chosen { node, edge: place, who, probability });
        let tree = self.tree_of(who);
        let edge = &self.store.edges(node)[place as usize];
        if let Some(trace) = &mut self.trace {
            trace.pass(tree, node, who, edge.action);
        }
        (edge.action, edge.visits > 0)
    }

    /// Makes a step of players in the trees; returns whose turn it is then.
    #[inline(always)]
    fn play(&mut self, game: &dyn Model, world: &mut dyn World, moves: &[(Player, Move)]) -> Turn {
        if K::LEARNS {
            self.knowledge.step(game, world, WorldStep::Moves(moves));
        }
        if self.draws {
            for &(_, mv) in moves {
                self.everything = self.everything.own(self.codes.of(game, mv));
            }
        }
        let eyes = match self.trace.is_some() {
            true => {
                self.observe(game, world, WorldStep::Moves(moves));
                Eyes::Closed
            }
            false => eyes(self.config.observers, self.me, &mut self.keys[..self.players]),
        };
        let turn = world.play(moves, eyes);
        if K::LEARNS {
            self.knowledge.enter(world);
        }
        turn
    }

    /// Makes the step of players that leads out of the trees, and plays out.
    #[inline(always)]
    fn play_out(&mut self, game: &dyn Model, world: &mut dyn World, moves: &[(Player, Move)]) -> Rewards {
        if !K::LEARNS {
            return world.play_out(moves, self.config.simulation, &mut self.playout);
        }
        self.knowledge.step(game, world, WorldStep::Moves(moves));
        world.play(moves, Eyes::Closed);
        self.knowledge.enter(world);
        self.knowledge.playout(game, world, &mut self.playout, &mut self.scratch)
    }

    /// Lets chance draw; returns whose turn it is then.
    #[inline]
    fn play_chance(&mut self, game: &dyn Model, world: &mut dyn World) -> Turn {
        if K::LEARNS || self.trace.is_some() {
            return self.play_chance_seen(game, world);
        }
        let key = self.everything.0;
        let eyes = eyes(self.config.observers, self.me, &mut self.keys[..self.players]);
        let (place, turn) = self.chances.play(world, key, &mut self.playout, eyes);
        self.everything = self.everything.own(place);
        turn
    }

    /// Lets chance draw where somebody looks at the outcome before the step is made.
    #[inline(never)]
    fn play_chance_seen(&mut self, game: &dyn Model, world: &mut dyn World) -> Turn {
        let (outcome, place) = self.chances.draw(world, self.everything.0, &mut self.playout);
        let step = WorldStep::Chance(&outcome);
        self.everything = self.everything.own(place);
        match self.trace.is_some() {
            true => self.observe(game, world, step),
            false => world.look(step, eyes(self.config.observers, self.me, &mut self.keys[..self.players])),
        }
        if K::LEARNS {
            self.knowledge.step(game, world, step);
        }
        let turn = world.apply(step);
        if K::LEARNS {
            self.knowledge.enter(world);
        }
        turn
    }

    fn back_up(&mut self, rewards: &Rewards) {
        if let Some(trace) = &mut self.trace {
            trace.reward(rewards);
        }
        for chosen in &self.path {
            let reward = self.scale.value(rewards[chosen.who]) as f32;
            let edge = &mut self.store.edges_mut(chosen.node)[chosen.edge as usize];
            edge.credit_choice(reward, chosen.probability);
        }
    }
}

/// Those who see the steps in the trees, with their keys.
#[inline]
fn eyes(observers: Observers, me: Player, keys: &mut [SearchKey]) -> Eyes<'_> {
    match observers {
        Observers::Multiple => Eyes::All(keys),
        Observers::Single | Observers::Partial | Observers::Acting => Eyes::One(me, &mut keys[0]),
    }
}

impl<K: Knowledge> Search for Engine<K> {
    fn seed(&mut self, seed: Seed) {
        self.sampling = seed.stream(Purpose::Sampling);
        self.playout = seed.stream(Purpose::Playout);
        self.ties = seed.stream(Purpose::Ties);
        self.store.clear();
        self.knowledge.forget();
    }

    fn begin(&mut self, info: &InfoSet) -> (u64, u64) {
        self.me = info.seat;
        self.knowledge.begin(self.config.reuse);
        self.roots_of_trees = self.root_keys(&info.events);
        let (nodes, visits) = self.prepare(self.roots_of_trees[self.tree_of(self.me)]);
        (nodes as u64, u64::from(visits))
    }

    fn plan(&mut self, budget: &Budget) {
        self.knowledge.plan(budget.iterations);
    }

    fn iterate(
        &mut self,
        game: &dyn Model,
        world: &mut dyn World,
        turn: Turn,
    ) -> (Option<Move>, Rewards, usize) {
        self.keys = self.roots_of_trees;
        self.path.clear();
        self.last = [NONE; MAX_PLAYERS];
        self.everything = SearchKey::root(7);
        if self.split > 0 {
            self.look_at_hands(world);
        }
        if let Some(trace) = &mut self.trace {
            trace.restart();
        }
        if K::LEARNS {
            self.knowledge.restart(world);
        }
        let mut first = None;
        let mut joint: ArrayVec<(Player, Move), MAX_PLAYERS> = ArrayVec::new();
        let mut turn = turn;
        let rewards = loop {
            match turn {
                // Playouts of some games draw even if nothing is left to play.
                Turn::Terminal => {
                    break self.knowledge.playout(game, world, &mut self.playout, &mut self.scratch);
                }
                Turn::Chance => turn = self.play_chance(game, world),
                Turn::Player(p) => {
                    let (mv, on) = self.decide_alone(game, world, p);
                    first = first.or_else(|| (p == self.me).then_some(mv));
                    if !on {
                        break self.play_out(game, world, &[(p, mv)]);
                    }
                    turn = self.play(game, world, &[(p, mv)]);
                }
                Turn::Simultaneous(players) => {
                    let on = self.decide_together(game, world, players, &mut joint);
                    first = first.or_else(|| WorldStep::Moves(&joint).move_of(self.me));
                    if !on {
                        break self.play_out(game, world, &joint);
                    }
                    turn = self.play(game, world, &joint);
                }
            }
        };
        self.back_up(&rewards);
        if K::LEARNS {
            self.knowledge.learn(&rewards);
        }
        (first, rewards, self.path.len())
    }

    fn sampling(&mut self) -> &mut Rng {
        &mut self.sampling
    }

    fn size(&self) -> &dyn Size {
        &self.store
    }

    fn trace(&mut self, explain: Option<Explain>) {
        self.trace = explain::trace(explain, self.me, self.players, self.tree_of(self.me), &self.store);
    }

    fn tell(&self, game: &dyn Model, made: Move) -> Explanation {
        explain::tell(self.trace.as_deref(), game, &self.store, made)
    }

    fn learnt(&self) -> (Vec<Tally>, u64) {
        (self.knowledge.tallies(), self.knowledge.bytes())
    }
}

#[cfg(test)]
mod tests {
    use fogtree_core::{Budget, Erased, WorldStep};
    use fogtree_games::tree::{self, Tree};

    use super::*;
    use crate::learn::Plain;
    use crate::testing::{Table, known_in, params};

    /// Whitehouse 2014, Fig. 5.10 (`ismcts/3.14.b`): in each of three worlds the second player has two of three
    /// moves. Every visit of its node makes both legal moves available, and no other; the searcher's moves are
    /// always available.
    #[test]
    fn availability_counts_the_legal_moves_of_each_world() {
        let game = Erased::any(Tree::from_params(&params(&tree::ABOUT, "name=ismcts-b")).unwrap());
        let table = Table::after(&game, "x");
        let info = known_in(&game, &*table.world, Player(0));
        let config = Config { memory: 1 << 24, ..Config::new(Observers::Single) };
        let mut engine = Engine::new(&*game, config, Plain(config.simulation));
        engine.seed(Seed(3));
        let findings = engine.search(&*game, &info, &Budget::iterations(3000));

        engine.keys = engine.root_keys(&[]);
        let a1 = game.parse_move("a1").unwrap();
        engine.observe(&*game, &*table.world, WorldStep::Moves(&[(Player(0), a1)]));
        let key = engine.node_key(engine.keys[0], Player(1));
        let node = engine.store.find(key).expect("the second player's node");
        let visits = engine.store.node(node).visits;
        let edges = engine.store.edges(node);
        let names: Vec<String> = edges.iter().map(|e| game.move_name(e.action)).collect();
        assert_eq!(names, ["b1", "b2", "b3"]);
        assert_eq!(edges.iter().map(|e| e.visits).sum::<u32>(), visits);
        assert_eq!(edges.iter().map(|e| e.available).sum::<u32>(), 2 * visits, "two legal moves a visit");
        for edge in edges {
            let share = f64::from(edge.available) / f64::from(visits);
            assert!((share - 2.0 / 3.0).abs() < 0.05 && edge.visits < edge.available, "{share}");
        }
        let tried = findings.table.reports().iter().find(|m| m.action == a1).unwrap().visits;
        assert_eq!(u64::from(visits), tried - 1, "the first try of a1 ended the tree there");
    }
}

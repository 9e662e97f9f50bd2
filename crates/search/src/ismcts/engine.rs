//! One search with one or several observers: the loop that SO-ISMCTS and MO-ISMCTS share.
//!
//! Every iteration draws a world and walks down it. At a decision the acting player's node is looked up by
//! what that player did and saw since the root (several observers), or by all moves and what the searcher saw
//! (a single one). If a legal move there is untried, one is tried and the rest is played at random; otherwise
//! the subset-armed bound decides,
//!
//! `mean + c * sqrt(ln a / n)`,
//!
//! where `n` counts the visits of a move and `a` how often it was legal when the search decided there, the
//! present world apart (Cowling, Powley and Whitehouse 2012; Whitehouse 2014, Algorithms 2 to 5; `icarus/AMB-23`).
//! A move's mean is that of its own player's rewards (max^n).

use arrayvec::ArrayVec;
use fogtree_core::{
    Budget, Event, Explain, Game, InfoSet, MAX_PLAYERS, Observer, Player, Players, Purpose, Rewards, Rng,
    Scratch, Seed, Step, Turn,
};

use super::chance::ChanceNodes;
use super::keys::SearchKey;
use super::select::{Exp3, Roots};
use super::store::{Edge, Form, NONE, NodeId, Size, Store};
use super::worlds::Draws;
use super::{Config, Observers, Together, explain};
use crate::Scale;
use crate::icarus::{Arm, Knowledge, Tally};
use crate::narrow::Order;
use crate::root::RootTable;
use crate::short;
use crate::trace::{Telling, Trace};

/// A move on the way down: where it was chosen, by whom, and how likely if EXP3 chose, 0 otherwise.
#[derive(Clone, Copy, Debug)]
struct Chosen {
    node: NodeId,
    edge: u32,
    who: Player,
    probability: f32,
}

/// What one search leaves behind.
pub(crate) struct Findings<A> {
    pub(crate) table: RootTable<A>,
    pub(crate) iterations: u64,
    pub(crate) depth: u32,
    /// The moves made in the tree by all iterations together.
    pub(crate) made: u64,
    pub(crate) nodes: u64,
    pub(crate) tried: u64,
    pub(crate) bytes: u64,
    pub(crate) kept: (u64, u64),
    pub(crate) learnt: Vec<Tally>,
}

/// A search of one thread: what differs from engine to engine, and the loop that does not.
pub(crate) trait Search<G: Game>: Send {
    /// Forgets everything and draws from a new seed.
    fn seed(&mut self, seed: Seed);

    /// Prepares to search from an information set; returns the nodes and visits kept from before.
    fn begin(&mut self, info: &InfoSet<G>) -> (u64, u64);

    /// One iteration in a world, from the root: returns the searcher's first move, the rewards, and how many
    /// moves were made in the tree.
    fn iterate(&mut self, game: &G, world: &mut G::State) -> (Option<G::Action>, Rewards, usize);

    /// The stream from which worlds are drawn.
    fn sampling(&mut self) -> &mut Rng;

    /// How large the tree is.
    fn size(&self) -> &dyn Size;

    /// Begins, or leaves off, to write down how nodes come about.
    fn trace(&mut self, explain: Option<Explain>);

    /// What was written down, after this move was chosen.
    fn tell(&self, game: &G, made: G::Action) -> Telling;

    /// How much each enhancement has learnt, and the bytes of all together.
    fn learnt(&self) -> (Vec<Tally>, u64) {
        (Vec::new(), 0)
    }

    /// Searches from an information set of the searcher.
    fn search(&mut self, game: &G, info: &InfoSet<G>, budget: &Budget) -> Findings<G::Action> {
        let kept = self.begin(info);
        self.trace(budget.explain);
        let mut table = RootTable::new(&info.legal, game.facts().players);
        let mut worlds = Draws::new(game, &info.known);
        let mut world = game.start();
        let (mut depth, mut total) = (0, 0);
        let mut clock = budget.start();
        while clock.tick() {
            clock.show(|| table.progress(self.size().nodes(), depth));
            worlds.draw(game, self.sampling(), &mut world);
            let (first, rewards, made) = self.iterate(game, &mut world);
            if let Some(first) = first {
                table.add(table.index_of(first), &rewards, 1.0);
            }
            depth = depth.max(made);
            total += made as u64;
        }
        let (learnt, bytes) = self.learnt();
        Findings {
            table,
            iterations: clock.done(),
            depth: depth as u32,
            made: total,
            nodes: self.size().nodes(),
            tried: self.size().tried(),
            bytes: self.size().bytes() + bytes,
            kept,
            learnt,
        }
    }
}

/// One search of one thread, with what it learns from playouts.
pub(crate) struct Engine<G: Game, K> {
    pub(super) config: Config,
    pub(super) knowledge: K,
    scale: Scale,
    me: Player,
    players: usize,
    pub(super) store: Store<G::Action>,
    chances: ChanceNodes<G::Outcome>,
    path: Vec<Chosen>,
    /// The last node of each player on the way down.
    last: [NodeId; MAX_PLAYERS],
    /// What each tree has seen at its root, and on the way down.
    roots_of_trees: [SearchKey; MAX_PLAYERS],
    pub(super) keys: [SearchKey; MAX_PLAYERS],
    everything: SearchKey,
    pub(super) fresh: Vec<G::Action>,
    pub(super) arms: Vec<Arm>,
    narrows: bool,
    pub(super) order: Order,
    /// The actions met so far by code, where a set of actions fits into a mask of 64 bits.
    by_code: Option<Box<[Option<G::Action>; 64]>>,
    pub(super) roots: Roots,
    exp3: Exp3,
    pub(super) scratch: Scratch<G>,
    sampling: Rng,
    pub(super) playout: Rng,
    pub(super) ties: Rng,
    trace: Option<Box<Trace<G::Action>>>,
}

impl<G: Game, K: Knowledge<G>> Engine<G, K> {
    pub(crate) fn new(game: &G, config: Config, knowledge: K) -> Engine<G, K> {
        let facts = game.facts();
        let stream = |purpose| Seed(0).stream(purpose);
        Engine {
            config,
            knowledge,
            scale: Scale::of(&facts),
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
            narrows: !config.narrow.is_off(),
            order: Order::default(),
            by_code: game.codes().filter(|&codes| codes <= 64).map(|_| Box::new([None; 64])),
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

    /// Players of one turn choose without seeing one another's choices.
    fn decide_together(
        &mut self,
        game: &G,
        world: &G::State,
        players: Players,
        joint: &mut ArrayVec<(Player, G::Action), MAX_PLAYERS>,
    ) -> bool {
        joint.clear();
        let mut on = true;
        for p in players.iter() {
            let (action, more) = self.decide(game, world, p, true);
            on &= more;
            joint.push((p, action));
        }
        on
    }

    /// Lets every tree see a step about to be made.
    #[inline]
    fn observe(&mut self, game: &G, world: &G::State, step: Step<'_, G>) {
        for &(_, action) in step.moves() {
            self.everything = self.everything.own(game.code(action));
        }
        match self.config.observers {
            Observers::Multiple => {
                for p in Player::all(self.players) {
                    let mut key = self.keys[p.index()];
                    if let Some(action) = step.action_of(p) {
                        key = key.own(game.code(action));
                    }
                    let seen = game.observe(world, step, Observer::Seat(p));
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
                let seen = game.observe(world, step, Observer::Seat(self.me));
                if let Some(trace) = &mut self.trace {
                    let moves = step.moves();
                    trace.step(0, seen.as_ref(), moves.is_empty() || moves[0].0 == self.me);
                }
                self.keys[0] = key.seen(seen.as_ref());
            }
        }
    }

    /// Chooses a move for a player; also answers whether the tree goes on below it.
    #[inline]
    fn decide(&mut self, game: &G, world: &G::State, who: Player, together: bool) -> (G::Action, bool) {
        if !K::LEARNS {
            return match self.narrows && !together {
                true => self.decide_narrowed(game, world, who),
                false => self.decide_by_tree(game, world, who, together),
            };
        }
        self.knowledge.arrive(game, world, who, &mut self.scratch);
        let exp3 = together && self.config.together == Together::Exp3;
        let (action, on) = match self.knowledge.guides() && !exp3 {
            true => self.decide_by_guide(game, world, who),
            false => self.decide_by_tree(game, world, who, together),
        };
        self.knowledge.made(game, who, action);
        (action, on)
    }

    /// Chooses by the statistics of the tree alone.
    fn decide_by_tree(
        &mut self,
        game: &G,
        world: &G::State,
        who: Player,
        together: bool,
    ) -> (G::Action, bool) {
        let key = self.node_key(self.keys[self.tree_of(who)], who);
        let known = self.store.find(key);
        let exp3 = together && self.config.together == Together::Exp3;
        // What the searcher may do is the same in all worlds; what the others may do is not.
        let own = who == self.me;
        let ranked = known.filter(|&node| own && !exp3 && self.store.node(node).form == Form::Ranked);
        if let Some(node) = ranked {
            self.store.node_mut(node).visits += 1;
            let place = best_of_all(&self.store, node, self.config.c as f32, &self.roots, &mut self.ties);
            return self.take(node, place, who, 0.0);
        }
        self.scratch.actions.clear();
        game.actions(world, who, &mut self.scratch.actions);
        let made = known.or_else(|| self.store.insert(key, self.last[who.index()]));
        let choice = made.and_then(|node| {
            let (place, probability) = match (exp3, own) {
                (true, _) => self.choose_exp3(node)?,
                (false, true) => (self.choose_own(node)?, 0.0),
                (false, false) => (self.choose_among(game, node)?, 0.0),
            };
            Some((node, place, probability))
        });
        match choice {
            Some((node, place, probability)) => self.take(node, place, who, probability),
            None => (*self.playout.pick(&self.scratch.actions), false),
        }
    }

    /// Goes down a move.
    #[inline(always)]
    pub(super) fn take(
        &mut self,
        node: NodeId,
        place: u32,
        who: Player,
        probability: f32,
    ) -> (G::Action, bool) {
        self.last[who.index()] = node;
        self.path.push(Chosen { node, edge: place, who, probability });
        let tree = self.tree_of(who);
        let edge = &self.store.edges(node)[place as usize];
        if let Some(trace) = &mut self.trace {
            trace.pass(tree, node, who, edge.action);
        }
        (edge.action, edge.visits > 0)
    }

    /// At a node of the searcher, while moves are untried.
    fn choose_own(&mut self, node: NodeId) -> Option<u32> {
        let c = self.config.c as f32;
        choose_own(&mut self.store, node, &self.scratch.actions, c, &self.roots, &mut self.ties)
    }

    /// At a node of another player: only what is legal in this world can be chosen, and whatever is legal has
    /// been available once more.
    fn choose_among(&mut self, game: &G, node: NodeId) -> Option<u32> {
        let trying = self.store.node(node).form == Form::Trying;
        if let Some(by_code) = self.by_code.as_mut().filter(|_| trying) {
            let mut legal = 0;
            for &action in &self.scratch.actions {
                let code = game.code(action);
                by_code[code as usize] = Some(action);
                legal |= 1 << code;
            }
            let tried = self.store.edges(node).iter().fold(0, |bits, e| bits | 1 << game.code(e.action));
            if legal & !tried != 0 {
                let code = self.ties.bit_of(legal & !tried);
                let action = by_code[code as usize].expect("it is legal");
                let place = self.store.add_move(node, Edge::tried_among(action, legal))?;
                self.store.node_mut(node).visits += 1;
                return Some(place);
            }
            self.rank(game, node);
        }
        self.store.node_mut(node).form = Form::Ranked;
        self.store.admit(node, &self.scratch.actions, &mut self.fresh);
        self.store.node_mut(node).visits += 1;
        let c = self.config.c as f32;
        let mut best = Best::default();
        let mut legal = self.scratch.actions.iter().peekable();
        for (i, edge) in self.store.edges_mut(node).iter_mut().enumerate() {
            while legal.next_if(|&&a| a < edge.action).is_some() {}
            if legal.next_if(|&&a| a == edge.action).is_none() {
                continue;
            }
            let b = match edge.visits {
                0 => f32::INFINITY,
                _ => edge.value + c * self.roots.of(edge.available) * edge.width(),
            };
            edge.available += 1;
            best.offer(i as u32, b, &mut self.ties);
        }
        Some(best.place)
    }

    /// Every visit so far tried a move and remembered what was legal: turns that into counts.
    #[cold]
    fn rank(&mut self, game: &G, node: NodeId) {
        let mut counts = [0; 64];
        for world in self.store.edges(node).iter().map(Edge::world) {
            counts.iter_mut().enumerate().for_each(|(code, count)| *count += (world >> code & 1) as u32);
        }
        let by_code = self.by_code.as_ref().expect("only masks remember worlds");
        let edges = self.store.edges(node);
        self.fresh.clear();
        let met =
            by_code.iter().zip(&counts).filter(|(_, count)| **count > 0).filter_map(|(&action, _)| action);
        self.fresh.extend(met.filter(|a| edges.binary_search_by(|e| e.action.cmp(a)).is_err()));
        short::sort_by_key(&mut self.fresh, |&a| a);
        self.store.add_moves(node, &self.fresh);
        for edge in self.store.edges_mut(node) {
            edge.rank(counts[game.code(edge.action) as usize]);
        }
    }

    /// At a node of a simultaneous turn. A move that was never tried has won nothing yet.
    fn choose_exp3(&mut self, node: NodeId) -> Option<(u32, f32)> {
        let visits = self.store.node(node).visits;
        let actions = &self.scratch.actions;
        let mut edges = self.store.edges(node).iter().peekable();
        let sums = actions.iter().map(|action| {
            while edges.next_if(|e| e.action < *action).is_some() {}
            f64::from(edges.next_if(|e| e.action == *action).map_or(0.0, |e| e.value))
        });
        let (chosen, probability) = self.exp3.choose((0..).zip(sums), visits, &mut self.ties);
        let action = actions[chosen as usize];
        let place = match self.store.edges(node).binary_search_by(|e| e.action.cmp(&action)) {
            Ok(place) => place as u32,
            Err(_) => self.store.add_move(node, Edge::new(action))?,
        };
        self.store.node_mut(node).visits += 1;
        Some((place, probability))
    }

    /// Makes a step in the tree.
    #[inline]
    fn make(&mut self, game: &G, world: &mut G::State, step: Step<'_, G>) {
        if K::LEARNS {
            self.knowledge.step(game, world, step);
        }
        game.apply(world, step);
        if K::LEARNS {
            self.knowledge.enter(game, world);
        }
    }

    fn back_up(&mut self, rewards: &Rewards) {
        if let Some(trace) = &mut self.trace {
            trace.reward(rewards);
        }
        for chosen in &self.path {
            let reward = self.scale.value(rewards[chosen.who]) as f32;
            let edge = &mut self.store.edges_mut(chosen.node)[chosen.edge as usize];
            if chosen.probability > 0.0 {
                edge.visits += 1;
                edge.value += reward / chosen.probability;
            } else {
                edge.credit(reward);
            }
        }
    }
}

impl<G: Game, K: Knowledge<G>> Search<G> for Engine<G, K> {
    fn seed(&mut self, seed: Seed) {
        self.sampling = seed.stream(Purpose::Sampling);
        self.playout = seed.stream(Purpose::Playout);
        self.ties = seed.stream(Purpose::Ties);
        self.store.clear();
        self.knowledge.forget();
    }

    fn begin(&mut self, info: &InfoSet<G>) -> (u64, u64) {
        self.me = info.seat;
        self.knowledge.begin(self.config.reuse);
        self.roots_of_trees = self.root_keys(&info.events);
        let (nodes, visits) = self.prepare(self.roots_of_trees[self.tree_of(self.me)]);
        (nodes as u64, u64::from(visits))
    }

    fn iterate(&mut self, game: &G, world: &mut G::State) -> (Option<G::Action>, Rewards, usize) {
        self.keys = self.roots_of_trees;
        self.path.clear();
        self.last = [NONE; MAX_PLAYERS];
        self.everything = SearchKey::root(7);
        if let Some(trace) = &mut self.trace {
            trace.restart();
        }
        if K::LEARNS {
            self.knowledge.restart(game, world);
        }
        let mut first = None;
        let mut joint: ArrayVec<(Player, G::Action), MAX_PLAYERS> = ArrayVec::new();
        loop {
            let turn = game.turn(world);
            let on = match turn {
                Turn::Over => false,
                Turn::Chance => {
                    let (outcome, place) =
                        self.chances.draw(game, world, self.everything.0, &mut self.playout);
                    let step = Step::Chance(&outcome);
                    self.everything = self.everything.own(place);
                    self.observe(game, world, step);
                    self.make(game, world, step);
                    true
                }
                Turn::Player(p) => {
                    let (action, on) = self.decide(game, world, p, false);
                    first = first.or_else(|| (p == self.me).then_some(action));
                    let step = Step::Moves(&[(p, action)]);
                    if on {
                        self.observe(game, world, step);
                    }
                    self.make(game, world, step);
                    on
                }
                Turn::Together(players) => {
                    let on = self.decide_together(game, world, players, &mut joint);
                    let own = joint.iter().find(|m| m.0 == self.me).map(|m| m.1);
                    first = first.or(own);
                    if on {
                        self.observe(game, world, Step::Moves(&joint));
                    }
                    self.make(game, world, Step::Moves(&joint));
                    on
                }
            };
            if !on {
                break;
            }
        }
        let rewards = self.knowledge.playout(game, world, &mut self.playout, &mut self.scratch);
        self.back_up(&rewards);
        if K::LEARNS {
            self.knowledge.learn(game, &rewards);
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

    fn tell(&self, game: &G, made: G::Action) -> Telling {
        explain::tell(self.trace.as_deref(), game, &self.store, made)
    }

    fn learnt(&self) -> (Vec<Tally>, u64) {
        (self.knowledge.tallies(), self.knowledge.bytes())
    }
}

/// One of the legal moves that are not among those tried, at random. Both lists are in order, all that was
/// tried is legal, and there is something left.
#[inline]
fn pick_untried<L: Copy + Ord>(legal: &[L], tried: &[Edge<L>], rng: &mut Rng) -> L {
    let mut skip = rng.below((legal.len() - tried.len()) as u32) as usize;
    let mut tried = tried.iter().peekable();
    for &action in legal {
        if tried.next_if(|e| e.action == action).is_some() {
            continue;
        }
        if skip == 0 {
            return action;
        }
        skip -= 1;
    }
    unreachable!("fewer moves were tried than are legal")
}

/// Chooses at a node where the same moves are always legal, these: an untried one if there is any, else by
/// the bound. `None` if the memory is used up.
pub(crate) fn choose_own<L: Copy + Ord>(
    store: &mut Store<L>,
    at: NodeId,
    legal: &[L],
    c: f32,
    roots: &Roots,
    ties: &mut Rng,
) -> Option<u32> {
    let tried = store.edges(at);
    if tried.len() < legal.len() {
        let action = pick_untried(legal, tried, ties);
        let place = store.add_move(at, Edge::new(action))?;
        store.node_mut(at).visits += 1;
        return Some(place);
    }
    store.node_mut(at).form = Form::Ranked;
    store.node_mut(at).visits += 1;
    Some(best_of_all(store, at, c, roots, ties))
}

/// The move with the greatest bound at a node where the same moves are always legal and all have been tried;
/// they have been available at every visit before this one.
#[inline(always)]
fn best_of_all<L: Copy + Ord>(store: &Store<L>, at: NodeId, c: f32, roots: &Roots, ties: &mut Rng) -> u32 {
    let explore = c * roots.of(store.node(at).visits - 1);
    let mut best = Best::default();
    for (i, edge) in store.edges(at).iter().enumerate() {
        best.offer(i as u32, edge.value + explore * edge.width(), ties);
    }
    best.place
}

/// The greatest bound so far; ties are broken at random.
pub(crate) struct Best {
    pub(crate) place: u32,
    bound: f32,
    tied: u32,
}

impl Default for Best {
    fn default() -> Self {
        Best { place: 0, bound: f32::NEG_INFINITY, tied: 0 }
    }
}

impl Best {
    #[inline]
    pub(crate) fn offer(&mut self, place: u32, bound: f32, ties: &mut Rng) {
        if bound > self.bound {
            *self = Best { place, bound, tied: 1 };
        } else if bound == self.bound {
            self.tied += 1;
            if ties.below(self.tied) == 0 {
                self.place = place;
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use fogtree_core::{Line, Rules};
    use fogtree_games::tree::{self, Tree};

    use super::*;
    use crate::icarus::Plain;

    /// Whitehouse 2014, Fig. 5.10 (`ismcts/3.14.b`): in each of three worlds the second player has two of three
    /// moves. Every visit of its node makes both legal moves available, and no other; the searcher's moves are
    /// always available.
    #[test]
    fn availability_counts_the_legal_moves_of_each_world() {
        let spec = "tree(name=ismcts-b)".parse().unwrap();
        let game = Tree::from_params(&tree::ABOUT.params(&spec).unwrap()).unwrap();
        let mut line = Line::start(&game);
        line.play_words(&game, ["x"]).unwrap();
        let by = Observer::Seat(Player(0));
        let mut legal = Vec::new();
        game.actions(line.state(), Player(0), &mut legal);
        let known = game.known(line.state(), by);
        let info = InfoSet { seat: Player(0), known, legal, events: Vec::new(), key: line.key(by) };
        let config = Config { memory: 1 << 24, ..Config::new(Observers::Single) };
        let mut engine = Engine::new(&game, config, Plain(config.simulation));
        engine.seed(Seed(3));
        let findings = engine.search(&game, &info, &Budget::iterations(3000));

        engine.keys = engine.root_keys(&[]);
        let a1 = game.parse_action("a1").unwrap();
        engine.observe(&game, line.state(), Step::Moves(&[(Player(0), a1)]));
        let key = engine.node_key(engine.keys[0], Player(1));
        let node = engine.store.find(key).expect("the second player's node");
        let visits = engine.store.node(node).visits;
        let edges = engine.store.edges(node);
        let names: Vec<String> = edges.iter().map(|e| game.action_name(e.action)).collect();
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

//! SO-ISMCTS with partially observable moves: one tree, whose moves are what the searcher sees of them.
//!
//! At another player's node the legal moves are grouped by what the searcher would see; the bound chooses a
//! group and one of its moves is made at random, since the tree knows nothing by which to tell them apart. That
//! frees the search from fusing its strategy over moves it cannot see, at the price of a random opponent within a
//! group (Whitehouse 2014, §6.3.1; `ismcts/3.15`). A step of which nothing is seen leads back to the same
//! node, which is then met twice in an iteration and counts once.
//!
//! What is seen of a simultaneous turn depends on everybody's choice, so there each player chooses among its plain
//! actions, as with a single observer.
//!
//! What is learnt from playouts is used below the tree only.

use arrayvec::ArrayVec;
use fogtree_core::{
    Budget, Explain, Eyes, InfoSet, MAX_PLAYERS, Model, Move, Observer, Player, Purpose, Rewards, Rng, Seed,
    Turn, World, WorldStep,
};

use super::Config;
use super::choose::choose_own;
use super::explain::{self, Labels};
use super::search::Search;
use crate::Scale;
use crate::kit::chance::ChanceNodes;
use crate::kit::codes::Codes;
use crate::kit::explanation::Explanation;
use crate::kit::insertion_sort;
use crate::kit::scratch::Scratch;
use crate::kit::selection::{Best, Roots};
use crate::kit::split::find_or_split;
use crate::kit::store::{NONE, NodeId, Size, Store};
use crate::learn::{Knowledge, Tally};
use fogtree_core::SearchKey;

/// A move of a tree: the code of an own action, or a hash of what is seen of another's.
pub(super) type Label = u64;

struct Chosen {
    node: NodeId,
    label: Label,
    who: Player,
}

/// One search of one thread.
pub(crate) struct PartialEngine<K> {
    config: Config,
    knowledge: K,
    scale: Scale,
    me: Player,
    players: usize,
    store: Store<Label>,
    codes: Codes,
    chances: ChanceNodes,
    /// Every how many visits a node is split off for what a player holds; 0 for never.
    split: u32,
    path: Vec<Chosen>,
    root: SearchKey,
    key: SearchKey,
    everything: SearchKey,
    /// The legal moves with their labels.
    labelled: Vec<(SearchKey, Move)>,
    /// The labels, each once, in the order of the moves.
    labels: Vec<Label>,
    fresh: Vec<Label>,
    roots: Roots,
    scratch: Scratch,
    sampling: Rng,
    playout: Rng,
    ties: Rng,
    account: Option<Labels>,
}

impl<K: Knowledge> PartialEngine<K> {
    pub(crate) fn new(game: &dyn Model, config: Config, knowledge: K) -> PartialEngine<K> {
        let facts = game.facts();
        let stream = |purpose| Seed(0).stream(purpose);
        PartialEngine {
            config,
            knowledge,
            scale: Scale::of(facts),
            me: Player(0),
            players: facts.players,
            store: Store::new(config.memory),
            codes: Codes::new(game),
            chances: ChanceNodes::new(1 << 20),
            split: config.opponents.split(game),
            path: Vec::with_capacity(64),
            root: SearchKey::root(0),
            key: SearchKey::root(0),
            everything: SearchKey::root(0),
            labelled: Vec::new(),
            labels: Vec::new(),
            fresh: Vec::new(),
            roots: Roots::default(),
            scratch: Scratch::default(),
            sampling: stream(Purpose::Sampling),
            playout: stream(Purpose::Playout),
            ties: stream(Purpose::Ties),
            account: None,
        }
    }

    /// Lets the tree see a step about to be made.
    fn see(&mut self, game: &dyn Model, world: &dyn World, step: WorldStep<'_>) {
        for &(p, action) in step.moves() {
            self.everything = self.everything.told(p, self.codes.of(game, action));
        }
        if let Some(account) = &mut self.account {
            // What is seen of another's move is its label.
            let labelled = matches!(step.moves(), [(p, _)] if *p != self.me);
            let seen = world.observe(step, Observer::Seat(self.me));
            account.trace.step(0, seen.as_ref().filter(|_| !labelled), true);
        }
    }

    /// Labels the legal moves.
    fn label(&mut self, game: &dyn Model, world: &dyn World, who: Player, by_sight: bool) {
        self.labelled.clear();
        if by_sight {
            world.legal_as_seen(who, self.me, &mut self.labelled);
        } else {
            self.scratch.actions.clear();
            world.legal(who, &mut self.scratch.actions);
            let coded = |&action: &Move| (SearchKey(self.codes.of(game, action)), action);
            self.labelled.extend(self.scratch.actions.iter().map(coded));
        }
        self.labels.clear();
        for (label, _) in &self.labelled {
            if !self.labels.contains(&label.0) {
                self.labels.push(label.0);
            }
        }
    }

    fn decide(&mut self, game: &dyn Model, world: &dyn World, who: Player, by_sight: bool) -> (Move, bool) {
        if K::LEARNS {
            self.knowledge.arrive(game, world, who, &mut self.scratch);
        }
        let decided = self.decide_by_tree(game, world, who, by_sight);
        if K::LEARNS {
            self.knowledge.made(game, who, decided.0);
        }
        decided
    }

    fn decide_by_tree(
        &mut self,
        game: &dyn Model,
        world: &dyn World,
        who: Player,
        by_sight: bool,
    ) -> (Move, bool) {
        self.label(game, world, who, by_sight);
        let made = self.arrive(world, who);
        let chosen = made.and_then(|node| Some((node, self.choose(node, who)?)));
        let Some((node, place)) = chosen else { return (self.playout.pick(&self.labelled).1, false) };
        let edge = self.store.edges(node)[place as usize];
        let label = edge.action;
        self.path.push(Chosen { node, label, who });
        let action = self.pick(label);
        if let Some(account) = &mut self.account {
            account.pass(game, world, self.me, (node, label, who), action, by_sight);
        }
        (action, edge.visits > 0)
    }

    /// The node at which a player decides. `None` if the memory is used up.
    fn arrive(&mut self, world: &dyn World, who: Player) -> Option<NodeId> {
        insertion_sort::sort_by_key(&mut self.labels, |&l| l);
        let shared = self.key.with(u64::from(who.0));
        if self.split == 0 || who == self.me {
            return self.store.find(shared.0).or_else(|| self.store.insert(shared.0, NONE));
        }
        let private = shared.with(world.info_hash(Observer::Seat(who))).0;
        find_or_split(&mut self.store, (shared.0, private), NONE, &self.labels, self.split)
    }

    /// One of the moves with this label, at random.
    fn pick(&mut self, label: Label) -> Move {
        let count = self.labelled.iter().filter(|l| l.0.0 == label).count();
        let nth = if count > 1 { self.playout.below(count as u32) as usize } else { 0 };
        let mut alike = self.labelled.iter().filter(|l| l.0.0 == label);
        alike.nth(nth).expect("a label is that of a legal move").1
    }

    /// The place of the label chosen at a node. `None` if the memory is used up.
    fn choose(&mut self, node: NodeId, who: Player) -> Option<u32> {
        if who == self.me {
            let c = self.config.c as f32;
            return choose_own(&mut self.store, node, &self.labels, c, &self.roots, &mut self.ties);
        }
        Some(self.choose_among(node))
    }

    /// The place of the label with the greatest bound among those available.
    fn choose_among(&mut self, node: NodeId) -> u32 {
        let again = self.path.iter().any(|c| c.node == node);
        let place_of =
            |store: &Store<Label>, label: &Label| store.edges(node).binary_search_by_key(label, |e| e.action);
        self.fresh.clear();
        let store = &self.store;
        self.fresh.extend(self.labels.iter().filter(|&l| place_of(store, l).is_err()));
        if !self.fresh.is_empty() {
            self.store.add_moves(node, &self.fresh);
        }
        self.store.node_mut(node).visits += u32::from(!again);
        let c = self.config.c as f32;
        let mut best = Best::default();
        for label in &self.labels {
            let place = place_of(&self.store, label).expect("available labels have been added");
            let edge = &mut self.store.edges_mut(node)[place];
            let bound = match edge.visits {
                0 => f32::INFINITY,
                _ => edge.value + c * self.roots.of(edge.available) * edge.width(),
            };
            edge.available += u32::from(!again);
            best.offer(place as u32, bound, &mut self.ties);
        }
        best.place
    }

    /// Makes a step in the tree; returns whose turn it is then.
    #[inline]
    fn make(&mut self, game: &dyn Model, world: &mut dyn World, step: WorldStep<'_>) -> Turn {
        self.see(game, world, step);
        if K::LEARNS {
            self.knowledge.step(game, world, step);
        }
        let eyes = Eyes::Seat(self.me, &mut self.key);
        let turn = match step {
            WorldStep::Moves(moves) => world.play(moves, eyes),
            WorldStep::Chance(_) => {
                world.look(step, eyes);
                world.apply(step)
            }
        };
        if K::LEARNS {
            self.knowledge.enter(world);
        }
        turn
    }

    fn back_up(&mut self, rewards: &Rewards) {
        if let Some(account) = &mut self.account {
            account.trace.reward(rewards);
        }
        for (i, chosen) in self.path.iter().enumerate() {
            let before = &self.path[..i];
            if before.iter().any(|c| (c.node, c.label) == (chosen.node, chosen.label)) {
                continue;
            }
            let reward = self.scale.value(rewards[chosen.who]) as f32;
            let edges = self.store.edges_mut(chosen.node);
            if let Some(edge) = edges.iter_mut().find(|e| e.action == chosen.label) {
                edge.credit(reward);
            }
        }
    }
}

impl<K: Knowledge> Search for PartialEngine<K> {
    fn seed(&mut self, seed: Seed) {
        self.sampling = seed.stream(Purpose::Sampling);
        self.playout = seed.stream(Purpose::Playout);
        self.ties = seed.stream(Purpose::Ties);
        self.store.clear();
        self.knowledge.forget();
    }

    fn begin(&mut self, info: &InfoSet) -> (u64, u64) {
        self.me = info.seat;
        self.knowledge.begin(false);
        self.root = SearchKey::root(u64::MAX).after(&info.events);
        self.chances.clear();
        self.store.clear();
        (0, 0)
    }

    fn plan(&mut self, budget: &Budget) {
        self.knowledge.plan(budget.iterations);
    }

    fn iterate(
        &mut self,
        game: &dyn Model,
        world: &mut dyn World,
        mut turn: Turn,
    ) -> (Option<Move>, Rewards, usize) {
        self.key = self.root;
        self.path.clear();
        self.everything = SearchKey::root(7);
        if let Some(account) = &mut self.account {
            account.trace.restart();
        }
        if K::LEARNS {
            self.knowledge.restart(world);
        }
        let mut first = None;
        let mut joint: ArrayVec<(Player, Move), MAX_PLAYERS> = ArrayVec::new();
        loop {
            let mut on = true;
            match turn {
                Turn::Terminal => break,
                Turn::Chance => {
                    let (outcome, place) = self.chances.draw(world, self.everything.0, &mut self.playout);
                    self.everything = self.everything.own(place);
                    turn = self.make(game, world, WorldStep::Chance(&outcome));
                    continue;
                }
                Turn::Player(_) | Turn::Simultaneous(_) => {}
            }
            joint.clear();
            for p in turn.players().iter() {
                let by_sight = p != self.me && matches!(turn, Turn::Player(_));
                let (action, more) = self.decide(game, world, p, by_sight);
                on &= more;
                joint.push((p, action));
            }
            first = first.or_else(|| joint.iter().find(|m| m.0 == self.me).map(|m| m.1));
            turn = self.make(game, world, WorldStep::Moves(&joint));
            if !on {
                break;
            }
        }
        let rewards = self.knowledge.playout(game, world, &mut self.playout, &mut self.scratch);
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
        self.account = explain::trace(explain, self.me, self.players, 0, &self.store).map(Labels::new);
    }

    fn tell(&self, game: &dyn Model, made: Move) -> Explanation {
        let told = |account: &Labels| account.tell(game, &self.store, game.code(made));
        self.account.as_ref().map_or_else(Explanation::default, told)
    }

    fn learnt(&self) -> (Vec<Tally>, u64) {
        (self.knowledge.tallies(), self.knowledge.bytes())
    }
}

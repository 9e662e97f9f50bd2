//! Monte Carlo tree search for games whose players choose at the same time and otherwise see everything.
//!
//! Such a game is a tree of matrix games. At every node both players choose without seeing each other; the joint
//! move leads to the next node, or through chance, which keeps no statistics, to one of several. A player who moves
//! alone plays a matrix game against somebody with one choice. A search from the start of the game therefore learns
//! strategies of *both* players in the whole tree, which [`Agent::average_strategies`] tells. Source: Lisý 2014, §3.1.
//!
//! # SM-MCTS
//!
//! [`Method::Mcts`]: a learner for each player at each node chooses and is told the reward (`equilibrium/2.3`). An
//! iteration ends where it leaves the tree: it adds one node, plays on at random from there (or asks the game what
//! it thinks of the state) and tells all nodes on its way. Four rules of [`Selection`] and three of
//! [`Propagate`]ing rewards make the family; with [`Propagate::Mean`] it is SM-MCTS-A.
//!
//! # SM-OOS
//!
//! [`Method::Oos`]: counterfactual regrets from sampled games, corrected as `equilibrium/ER-1` says
//! (`equilibrium/2.4`).
//!
//! # From move to move
//!
//! Nothing is hidden, so what a seat did and saw tells what happened: the subtree below the joint move becomes the
//! tree and the rest is dropped. Asked again in the same place, the search goes on where it stopped.

use std::sync::Arc;
use std::time::Instant;

use fogtree_core::{
    Agent, AgentFailure, AverageStrategy, Budget, Decision, Eyes, InfoSet, Mixed, Model, Move, MoveReport,
    Player, Purpose, Report, Rewards, Rng, Seed, Simulation, Turn, World, WorldStep, kept_figures,
};

use crate::Scale;
use crate::kit::root::RootTable;

mod draw;
pub mod entry;
mod explain;
mod learn;
mod outcome;
mod place;
mod settings;
mod store;
mod tree;

// What is not generic is compiled once and not inlined: every game has its own copy of the rest.
use learn::Choice;
use place::{Follow, Place, each_node};
pub use settings::{
    Average, Expand, Leaf, Mcts, Method, Oos, Play, Progress, Propagate, Selection, Settings, Weights,
};
use store::NONE;
use tree::{Link, Tree};

/// The player of two-player games in which nothing is hidden but what the other chooses at the same moment and what
/// one wins the other loses.
#[derive(Debug)]
pub struct SmMcts {
    game: Arc<dyn Model>,
    settings: Settings,
    scale: Scale,
    /// What both players get together.
    sum: f64,
    tree: Tree,
    spare: Tree,
    /// Where the tree begins.
    root: Place,
    world: Box<dyn World>,
    path: Vec<Choice>,
    scores: Vec<f64>,
    /// Who learns next.
    learner: usize,
    depth: usize,
    /// The moves made in the tree by all iterations of a decision.
    made: u64,
    playout: Rng,
    ties: Rng,
    sampling: Rng,
}

impl SmMcts {
    /// A player of a game of two players whose rewards always add up to the same number.
    ///
    /// # Panics
    /// If the game has more or fewer than two players.
    pub fn new(game: &Arc<dyn Model>, settings: Settings) -> SmMcts {
        let facts = game.facts();
        assert_eq!(facts.players, 2, "SM-MCTS is for two players");
        let unvisited = match settings.method {
            Method::Mcts(Mcts { selection: Selection::Rm { unvisited, .. }, .. }) => unvisited,
            _ => 0.5,
        };
        let stream = |purpose| Seed(0).stream(purpose);
        let mut world = game.start();
        let rewards = world.playout(Simulation::UNIFORM, &mut stream(Purpose::Playout));
        SmMcts {
            game: Arc::clone(game),
            settings,
            scale: Scale::of(facts),
            sum: rewards.iter().sum(),
            tree: Tree::new(unvisited, settings.memory),
            spare: Tree::new(unvisited, settings.memory),
            root: Place::start(&**game, NONE),
            world,
            path: Vec::new(),
            scores: Vec::new(),
            learner: 0,
            depth: 0,
            made: 0,
            playout: stream(Purpose::Playout),
            ties: stream(Purpose::Ties),
            sampling: stream(Purpose::Sampling),
        }
    }

    /// How often each move was made wherever the search has been: the empirical frequencies, where
    /// [`Agent::average_strategies`] tells the average strategies.
    pub fn frequencies(&self, tell: &mut dyn FnMut(AverageStrategy<'_>)) {
        self.tell(tell, &|node, seat, out| self.tree.frequencies(node, seat, out));
    }

    fn tell(
        &self,
        tell: &mut dyn FnMut(AverageStrategy<'_>),
        strategy_of: &dyn Fn(u32, usize, &mut Vec<f64>),
    ) {
        let mut strategy = Vec::new();
        let root = Place { child: self.tree.root, ..self.root.clone() };
        each_node(&*self.game, &self.tree, &root, &mut |node, keys| {
            let at = &self.tree.store.nodes[node as usize];
            for seat in (0..2).filter(|&seat| at.counts[seat] > 0 && at.visits > 0) {
                strategy_of(node, seat, &mut strategy);
                let key = keys[seat];
                tell(AverageStrategy {
                    key,
                    seat: Player(seat as u8),
                    strategy: &strategy,
                    visits: at.visits.into(),
                });
            }
        });
    }

    /// One iteration from the root; returns the first player's reward in [0, 1].
    #[inline(never)]
    fn iterate(&mut self) -> f64 {
        self.world.clone_from(&self.root.state);
        self.path.clear();
        let turn = outcome::Turn { learner: self.learner, weight: self.weight(self.learner) };
        self.learner = 1 - self.learner;
        let mut link = Some(Link::Root);
        let mut reach = 1.0;
        let mut next = self.world.turn();
        let rewards = loop {
            match next {
                Turn::Terminal => break Some(self.world.rewards()),
                Turn::Chance => {
                    let drawn = self.world.sample_chance(&mut self.playout);
                    next = self.world.apply(WorldStep::Chance(&drawn));
                    link = link.and_then(|link| self.tree.draw(link, &drawn));
                    continue;
                }
                Turn::Player(_) | Turn::Simultaneous(_) => {}
            }
            let Some(here) = link else { break None };
            let known = self.tree.child(here);
            let is_new = known == NONE;
            let node = match is_new {
                true => self.tree.grow(&*self.world, here),
                false => Some(known),
            };
            let Some(node) = node else { break None };
            let mut choice = match &self.settings.method {
                Method::Mcts(mcts) if is_new && mcts.expand == Expand::Leave => break None,
                Method::Mcts(mcts) => {
                    mcts.select(&mut self.tree.store, node, &mut self.scores, &mut self.ties)
                }
                Method::Oos(oos) => oos.select(&mut self.tree.store, node, turn, reach, &mut self.ties),
            };
            reach *= choice.p[0];
            let joint = choice.joint(&self.tree.store.nodes[node as usize]);
            choice.slot = self.tree.slot(node, joint);
            link = (choice.slot != NONE).then_some(Link::Slot(choice.slot));
            self.path.push(choice);
            let made = |p: Player| (p, self.tree.action(node, p.index(), choice.arms[p.index()]));
            next = match next {
                Turn::Player(p) => self.world.play(&[made(p)], Eyes::Closed),
                _ => self.world.play(&[made(Player(0)), made(Player(1))], Eyes::Closed),
            };
            if is_new {
                break None;
            }
        };
        let reward = match rewards {
            Some(rewards) => self.scale.value(rewards[Player(0)]),
            None => self.judge(next),
        };
        match &self.settings.method {
            Method::Mcts(mcts) => mcts.update(&mut self.tree.store, &self.path, reward),
            Method::Oos(oos) => oos.update(&mut self.tree.store, &self.path, turn, reward),
        }
        self.depth = self.depth.max(self.path.len());
        self.made += self.path.len() as u64;
        reward
    }

    /// What the first player gets from here on, in [0, 1].
    fn judge(&mut self, turn: Turn) -> f64 {
        let guess = match (self.settings.leaf, turn) {
            (_, Turn::Terminal) => Some(self.world.rewards()[Player(0)]),
            (Leaf::Evaluation, _) => self.world.evaluate(None, Player(0)),
            (Leaf::Rollout, _) => None,
        };
        let reward = guess.unwrap_or_else(|| {
            let rewards: Rewards = self.world.playout(Simulation::UNIFORM, &mut self.playout);
            rewards[Player(0)]
        });
        self.scale.value(reward)
    }

    /// How much an iteration in which this player learns counts.
    fn weight(&self, learner: usize) -> f64 {
        match self.settings.method {
            Method::Oos(Oos { progress: Progress::Reach, .. }) => {
                self.root.reach[1 - learner] * self.root.chance
            }
            _ => 1.0,
        }
    }

    /// Brings the tree up to a decision.
    fn progress(&mut self, info: &InfoSet, budget: &Budget) {
        let game = Arc::clone(&self.game);
        let mut end = game.start();
        (game.sampler(&info.known)).sample(&mut self.sampling, &mut *end);
        self.root.child = self.tree.root;
        let found = if self.root.leads_to(info) {
            self.follow(&*game, info, &self.root, &*end, budget)
        } else {
            None
        };
        let found = found.or_else(|| self.follow(&*game, info, &Place::start(&*game, NONE), &*end, budget));
        let place = found.unwrap_or_else(|| {
            // What happened cannot be found out, only where it led.
            let mut place = Place { state: end, taken: info.events.len(), ..Place::start(&*game, NONE) };
            place.keys[info.seat.index()] = info.key;
            place.keys[info.seat.other().index()] = info.key.own(u64::MAX);
            place
        });
        if place.child == NONE {
            self.tree.clear();
        } else if place.child != self.tree.root {
            self.tree.keep(place.child, &mut self.spare);
        }
        self.root = place;
    }

    fn follow(
        &self,
        game: &dyn Model,
        info: &InfoSet,
        from: &Place,
        end: &dyn World,
        until: &Budget,
    ) -> Option<Place> {
        let gamma = match self.settings.method {
            Method::Oos(oos) => oos.gamma,
            Method::Mcts(_) => 0.0,
        };
        let likely = |node: u32, seat: usize, arm: usize| {
            let mut strategy = Vec::new();
            self.tree.average(&self.settings.method, node, seat, &mut strategy);
            strategy.get(arm).map_or(1.0, |p| (1.0 - gamma) * p + gamma / strategy.len() as f64)
        };
        let (rules, tree, seat, events) = (game, &self.tree, info.seat, &info.events);
        Follow { rules, tree, seat, events, end, likely: &likely, until, steps: 0 }.from(from)
    }

    /// The move to play by a strategy over the legal moves.
    /// The probabilities from which a move is drawn, if it is drawn.
    fn mixed(&self, strategy: &[f64]) -> Option<Mixed> {
        let sum: f64 = strategy.iter().sum();
        let drawn = matches!(self.settings.play, Play::Mix) && sum > 0.0;
        drawn.then(|| Mixed::Found(strategy.iter().map(|p| p / sum).collect()))
    }

    fn decide(&mut self, legal: &[Move], strategy: &[f64]) -> Move {
        match self.settings.play {
            Play::Mix => legal[self.ties.weighted(strategy.iter().copied())],
            Play::Max => {
                let most = strategy.iter().copied().fold(0.0, f64::max);
                let tied: Vec<_> = legal.iter().zip(strategy).filter(|(_, p)| **p >= most).collect();
                *self.ties.pick(&tied).0
            }
        }
    }

    /// The searcher's node at the root, if there is one.
    fn node(&self) -> Option<u32> {
        (self.tree.root & store::DRAWS == 0).then_some(self.tree.root)
    }
}

impl Agent for SmMcts {
    fn start(&mut self, _seat: Player, seed: Seed) {
        self.playout = seed.stream(Purpose::Playout);
        self.ties = seed.stream(Purpose::Ties);
        self.sampling = seed.stream(Purpose::Sampling);
        self.tree.clear();
        self.root = Place::start(&*self.game, NONE);
        self.learner = 0;
    }

    fn prepare(&mut self, budget: &Budget) -> u64 {
        if self.root.taken > 0 {
            self.tree.clear();
            self.root = Place::start(&*self.game, NONE);
        }
        let mut clock = budget.start();
        while clock.tick() {
            self.iterate();
        }
        clock.done()
    }

    fn act(&mut self, info: &InfoSet, budget: &Budget) -> Result<Decision, AgentFailure> {
        let began = Instant::now();
        let game = Arc::clone(&self.game);
        self.progress(info, budget);
        (self.depth, self.made) = (0, 0);
        let kept_nodes = self.tree.len() as u64;
        let kept_visits = self.node().map_or(0, |node| self.tree.store.nodes[node as usize].visits.into());
        let mut table = RootTable::new(&info.legal, 2);
        let mut clock = budget.start();
        let seat = info.seat.index();
        while info.legal.len() > 1 && clock.tick() {
            clock.show(|| table.progress(self.tree.len() as u64, self.depth));
            let value = self.iterate();
            let first = self.scale.reward(value);
            if let Some(choice) = self.path.first() {
                let rewards = [first, self.sum - first].into_iter().collect();
                table.add(choice.arms[seat] as usize, &rewards, 1.0);
            }
        }
        let (iterations, time) = (clock.done(), began.elapsed());
        let (mut strategy, mut visits) = (Vec::new(), Vec::new());
        if let Some(node) = self.node() {
            self.tree.average(&self.settings.method, node, seat, &mut strategy);
            self.tree.store.visits(node, seat, &mut visits);
        }
        strategy.resize(info.legal.len(), 1.0);
        visits.resize(info.legal.len(), 0.0);
        let action = self.decide(&info.legal, &strategy);
        let made = info.legal.iter().position(|&a| a == action).unwrap_or(0);
        let (tree, me, scale, sum) = (&self.tree, info.seat, self.scale, self.sum);
        let account = explain::Account { rules: &*game, start: &*self.root.state, tree, me, scale, sum };
        let asked = budget.explain.filter(|_| iterations > 0);
        let told = asked.map(|explain| account.tell(made, explain)).unwrap_or_default();
        let all = table.reports().into_iter().zip(&visits);
        let moves = all.map(|(found, &n)| MoveReport { visits: n as u64, ..found }).collect();
        let report = Report {
            moves,
            iterations,
            nodes: self.tree.len() as u64,
            depth: self.depth as u32,
            time,
            bytes: Some(self.tree.bytes() as u64),
            mean_depth: (iterations > 0).then(|| self.made as f64 / iterations as f64),
            profile: told.profile,
            line: told.line,
            trees: told.trees,
            mixed: self.mixed(&strategy),
            figures: kept_figures(kept_nodes, kept_visits).to_vec(),
            ..Report::default()
        };
        Ok(Decision { action, report })
    }

    fn average_strategies(&self, tell: &mut dyn FnMut(AverageStrategy<'_>)) {
        self.tell(tell, &|node, seat, out| self.tree.average(&self.settings.method, node, seat, out));
    }
}

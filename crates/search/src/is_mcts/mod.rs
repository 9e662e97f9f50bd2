//! IS-MCTS: Monte Carlo search whose statistics belong to information sets, not to nodes of a tree.
//!
//! Every iteration plays a game from a state the searcher may be in. Whoever is to move looks its information
//! set up in a hash table, by the key of what it did and saw, and lets the learner there choose; the first
//! information set met for the first time ends the descent, random play the game, and all learners passed are
//! told the reward. Players of one turn choose without seeing each other, since their keys change only once the
//! turn is complete. Source: Lisý 2014, §3.2.3 (`equilibrium/2.6.3`).
//!
//! # Where iterations start
//!
//! With [`Settings::beliefs`] the searcher keeps the states it may be in, with probabilities that follow from
//! chance and from how often its own search lets the opponent choose what leads there
//! (`equilibrium/2.6.4`): a state is picked uniformly and gets `1 + 100 p` iterations. Where the opponent moved
//! before the searcher's first decision, half of the budget of that decision goes into a search from the start of
//! the game, which says what the opponent may have done. Without beliefs, or where the states are too many to
//! list, worlds are drawn from what the searcher knows, all equally likely apart from chance.
//!
//! # Smooth UCT
//!
//! [`Selection::Smooth`] chooses by the upper confidence bound with probability `eta_k`, otherwise by its own
//! average play so far (Heinrich and Silver, *Smooth UCT search in computer poker*, IJCAI 2015), so that
//! opponents learn against average behaviour as in fictitious play.

use std::hash::{DefaultHasher, Hash, Hasher};
use std::sync::Arc;
use std::time::{Duration, Instant};

use fogtree_core::{
    Agent, Budget, Decision, Game, Habit, InfoSet, Key, MoveReport, Observer, Player, Purpose, Report,
    Rewards, Rng, Scratch, Seed, Step, Turn,
};

use crate::Scale;
use crate::keyed::{KeyMap, keys_after};
use crate::root::RootTable;
use crate::trace::{Telling, Trace, Words};

mod beliefs;
mod table;

use beliefs::{Beliefs, Candidate, Opponent, Tracked, start_of};
use table::{Choice, Found, Table};

/// How many iterations a state of probability 1 gets beyond the one that every state gets.
const PER_CERTAINTY: f64 = 100.0;

/// How the learner of an information set chooses. Rewards are scaled to [0, 1].
#[derive(Clone, Copy, PartialEq, Debug)]
pub enum Selection {
    /// The first move with the greatest upper confidence bound. Players who choose at the same time in a game
    /// that is alike for both then choose alike for ever and learn nothing of the rest (`equilibrium/ER-9`).
    Uct {
        /// The exploration constant.
        c: f64,
    },
    /// A random one of the moves whose bound is at most `tau` below the greatest.
    Ruct {
        /// The exploration constant.
        c: f64,
        /// How close is as good.
        tau: f64,
    },
    /// EXP3.
    Exp3 {
        /// The probability of exploring.
        gamma: f64,
    },
    /// Regret matching.
    Rm {
        /// The probability of exploring.
        gamma: f64,
    },
    /// Upper confidence bounds mixed with the average play so far.
    Smooth(Smooth),
}

/// The parameters of Smooth UCT.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Smooth {
    /// The exploration constant.
    pub c: f64,
    /// The least probability of following the bound.
    pub gamma: f64,
    /// The probability of following the bound at first.
    pub eta: f64,
    /// How fast that probability falls.
    pub d: f64,
}

impl Smooth {
    /// The probability of following the bound after `n` visits: `max(gamma, eta / (1 + d sqrt(n)))`.
    #[inline]
    pub fn eta_after(self, n: f64) -> f64 {
        (self.eta / (1.0 + self.d * n.sqrt())).max(self.gamma)
    }
}

/// Which move is played after the search.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Play {
    /// The most visited.
    Max,
    /// One drawn in proportion to the visits.
    Mix,
}

/// The parameters of the search.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Settings {
    /// How learners choose.
    pub selection: Selection,
    /// Whether the states the game may be in are tracked with their probabilities.
    pub beliefs: bool,
    /// Which move is played.
    pub play: Play,
}

impl Default for Settings {
    fn default() -> Self {
        Settings { selection: Selection::Ruct { c: 1.0, tau: 0.01 }, beliefs: true, play: Play::Mix }
    }
}

/// The IS-MCTS player of two-player games in which what one wins the other loses.
#[derive(Debug)]
pub struct IsMcts<G: Game> {
    game: Arc<G>,
    settings: Settings,
    scale: Scale,
    table: Table<G::Action>,
    beliefs: Beliefs<G>,
    model: KeyMap<Vec<f64>>,
    world: Option<G::State>,
    path: Vec<Choice>,
    depth: usize,
    /// The moves made in the table by all iterations of a decision.
    made: u64,
    trace: Option<Box<Trace<G::Action>>>,
    sampling: Rng,
    playout: Rng,
    ties: Rng,
    scratch: Scratch<G>,
}

impl<G: Game> IsMcts<G> {
    /// A player of a game of two players whose rewards always add up to the same number.
    ///
    /// # Panics
    /// If the game has more or fewer than two players.
    pub fn new(game: &Arc<G>, settings: Settings) -> IsMcts<G> {
        let facts = game.facts();
        assert_eq!(facts.players, 2, "IS-MCTS is for two players");
        let stream = |purpose| Seed(0).stream(purpose);
        IsMcts {
            game: Arc::clone(game),
            settings,
            scale: Scale::of(&facts),
            table: Table::new(settings.selection),
            beliefs: Beliefs::start(&**game, Player(0)),
            model: KeyMap::default(),
            world: None,
            path: Vec::new(),
            depth: 0,
            made: 0,
            trace: None,
            sampling: stream(Purpose::Sampling),
            playout: stream(Purpose::Playout),
            ties: stream(Purpose::Ties),
            scratch: Scratch::default(),
        }
    }

    /// Lets beliefs follow these strategies of the opponent instead of what the search makes of it: for the keys
    /// of information sets, how likely each legal action is, in their order. Elsewhere the search decides.
    #[must_use]
    pub fn with_model(mut self, strategies: impl IntoIterator<Item = (Key, Vec<f64>)>) -> Self {
        self.model = strategies.into_iter().collect();
        self
    }

    /// How often each move was chosen in the information set with this key, if it was ever visited.
    pub fn visits(&self, key: Key) -> Option<Vec<(G::Action, u32)>> {
        self.table.counts(key).map(Iterator::collect)
    }

    /// The states the game may have been in at the last decision, with their probabilities; none if they are
    /// not tracked.
    pub fn believed(&self) -> impl Iterator<Item = (&G::State, f64)> {
        self.beliefs.candidates().iter().map(|c| (&c.state, c.p))
    }

    /// Brings the beliefs up to a decision; also returns how many iterations that took.
    fn track(&mut self, info: &InfoSet<G>, budget: &Budget) -> (Tracked, u64) {
        if !self.beliefs.lead_to(info) {
            self.beliefs = Beliefs::start(&*self.game, info.seat);
        }
        let fresh = self.beliefs.are_fresh();
        let tracked = self.progress(info, budget);
        let affordable = budget.iterations.is_none_or(|n| n >= 2);
        if !(fresh && affordable && tracked == Tracked::Guessing) {
            return (tracked, 0);
        }
        let half = Budget {
            iterations: budget.iterations.map(|n| n / 2),
            time: budget.time.map(|t| t / 2),
            ..budget.after(0, Duration::ZERO)
        };
        let spent = self.prepare(&half);
        self.beliefs = Beliefs::start(&*self.game, info.seat);
        (self.progress(info, budget), spent)
    }

    fn progress(&mut self, info: &InfoSet<G>, budget: &Budget) -> Tracked {
        let opponent = Opponent { table: &self.table, model: &self.model };
        self.beliefs.progress(&*self.game, opponent, &info.events, info.key, budget)
    }

    /// One iteration from a state; returns the rewards.
    fn iterate(&mut self, from: &G::State, mut keys: [Key; 2]) -> Rewards {
        let game = Arc::clone(&self.game);
        let mut state = self.world.take().unwrap_or_else(|| from.clone());
        state.clone_from(from);
        self.path.clear();
        if let Some(trace) = &mut self.trace {
            trace.restart();
        }
        let mut descending = true;
        let mut moves = std::mem::take(&mut self.scratch.moves);
        while descending {
            match game.turn(&state) {
                Turn::Over => break,
                Turn::Chance => {
                    let outcome = game.sample_chance(&state, &mut self.playout);
                    self.witness(&game, &state, Step::Chance(&outcome));
                    keys = keys_after(&*game, keys, &state, Step::Chance(&outcome));
                    game.apply(&mut state, Step::Chance(&outcome));
                }
                turn => {
                    moves.clear();
                    for p in turn.players().iter() {
                        let (action, old) = self.choose(&game, &state, p, keys[p.index()]);
                        descending &= old;
                        moves.push((p, action));
                    }
                    let step = Step::Moves(&moves);
                    if descending {
                        self.witness(&game, &state, step);
                        keys = keys_after(&*game, keys, &state, step);
                    }
                    game.apply(&mut state, step);
                }
            }
        }
        self.scratch.moves = moves;
        let rewards = game.playout(&mut state, &mut self.playout, &mut self.scratch);
        for &choice in &self.path {
            self.table.update(choice, self.scale.value(rewards[choice.who]));
        }
        if let Some(trace) = &mut self.trace {
            trace.reward(&rewards);
        }
        self.depth = self.depth.max(self.path.len());
        self.made += self.path.len() as u64;
        self.world = Some(state);
        rewards
    }

    /// Lets the account of the search see a step about to be made.
    #[inline]
    fn witness(&mut self, game: &G, state: &G::State, step: Step<'_, G>) {
        if let Some(trace) = &mut self.trace {
            for p in Player::all(2) {
                trace.step(p.index(), game.observe(state, step, Observer::Seat(p)).as_ref(), true);
            }
        }
    }

    /// What a player does in its information set, and whether that was met before.
    fn choose(&mut self, game: &G, state: &G::State, who: Player, key: Key) -> (G::Action, bool) {
        let (set, old) = match self.table.find(game, state, who, key) {
            Found::Known(set) => (set, true),
            Found::New(set) => (set, false),
            Found::Full => {
                return (game.random_action(state, who, &mut self.playout, &mut self.scratch), false);
            }
        };
        let (action, choice) = self.table.select(set, who, &mut self.ties);
        self.path.push(choice);
        if let Some(trace) = &mut self.trace {
            trace.pass(who.index(), choice.set, who, action);
        }
        (action, old)
    }

    /// Counts the searcher's first choice of an iteration, which it made at the root.
    fn record(&self, seat: Player, rewards: &Rewards, root: &mut RootTable<G::Action>) {
        if let Some(&choice) = self.path.iter().find(|choice| choice.who == seat) {
            root.add(root.index_of(self.table.action(choice)), rewards, 1.0);
        }
    }

    /// Searches from the states believed possible.
    fn search_beliefs(&mut self, info: &InfoSet<G>, budget: &Budget, root: &mut RootTable<G::Action>) -> u64 {
        let candidates = self.beliefs.take();
        let mut clock = budget.start();
        let (mut at, mut left) = (0, 0);
        while clock.tick() {
            clock.show(|| root.progress(self.table.len() as u64, self.depth));
            if left == 0 {
                at = self.sampling.below(candidates.len() as u32) as usize;
                let more = PER_CERTAINTY * candidates[at].p;
                left = 1 + more as u64 + u64::from(self.sampling.unit() < more.fract());
            }
            left -= 1;
            let Candidate { state, keys, .. } = &candidates[at];
            let rewards = self.iterate(state, *keys);
            self.record(info.seat, &rewards, root);
        }
        self.beliefs.put_back(candidates);
        clock.done()
    }

    /// Searches from worlds drawn from what is known. Where draws have weights, a draw replaces the one before
    /// with the probability that makes worlds come up in proportion to their weights (Metropolis).
    fn search_draws(&mut self, info: &InfoSet<G>, budget: &Budget, root: &mut RootTable<G::Action>) -> u64 {
        let game = Arc::clone(&self.game);
        let mut sampler = game.sampler(&info.known);
        let (mut world, mut drawn) = (game.start(), game.start());
        let (mut keys, mut weight) = ([info.key; 2], 0.0);
        let other = info.seat.other();
        let mut clock = budget.start();
        while clock.tick() {
            clock.show(|| root.progress(self.table.len() as u64, self.depth));
            let w = game.sample(&mut sampler, &mut self.sampling, &mut drawn);
            if w >= weight || self.sampling.unit() * weight < w {
                std::mem::swap(&mut world, &mut drawn);
                weight = w;
                keys[other.index()] = key_of_known(&*game, &world, other);
            }
            let rewards = self.iterate(&world, keys);
            self.record(info.seat, &rewards, root);
        }
        clock.done()
    }

    /// The move to play, given how often each legal move was chosen.
    fn decide(&mut self, legal: &[G::Action], visits: &[u64]) -> G::Action {
        let most = visits.iter().copied().max().unwrap_or(0);
        match self.settings.play {
            _ if most == 0 => *self.ties.pick(legal),
            Play::Mix => legal[self.ties.weighted(visits.iter().map(|&n| n as f64))],
            Play::Max => {
                let tied: Vec<_> = legal.iter().zip(visits).filter(|(_, n)| **n == most).collect();
                *self.ties.pick(&tied).0
            }
        }
    }
}

/// A key for an information set reached by an unknown history.
fn key_of_known<G: Game>(game: &G, state: &G::State, who: Player) -> Key {
    let by = Observer::Seat(who);
    let mut hasher = DefaultHasher::new();
    game.known(state, by).hash(&mut hasher);
    let low = hasher.finish();
    low.hash(&mut hasher);
    Key::root(by).own(low).own(hasher.finish())
}

impl<G: Game> Agent<G> for IsMcts<G> {
    fn start(&mut self, seat: Player, seed: Seed) {
        self.sampling = seed.stream(Purpose::Sampling);
        self.playout = seed.stream(Purpose::Playout);
        self.ties = seed.stream(Purpose::Ties);
        self.table.clear();
        self.beliefs = Beliefs::start(&*self.game, seat);
    }

    fn prepare(&mut self, budget: &Budget) -> u64 {
        let start = start_of(&*self.game);
        let mut clock = budget.start();
        while clock.tick() {
            self.iterate(&start.state, start.keys);
        }
        clock.done()
    }

    fn habits(&self, tell: &mut dyn FnMut(Habit<'_>)) {
        self.table.habits(tell);
    }

    fn act(&mut self, info: &InfoSet<G>, budget: &Budget) -> Decision<G::Action> {
        let began = Instant::now();
        (self.depth, self.made) = (0, 0);
        // What is left of earlier decisions cannot be told.
        let explain = budget.explain.filter(|_| self.table.len() == 0);
        self.trace = explain.map(|explain| Box::new(Trace::new(info.seat, 2, explain)));
        let mut root = RootTable::new(&info.legal, 2);
        let (tracked, spent) = match self.settings.beliefs {
            true => self.track(info, budget),
            false => (Tracked::Lost, 0),
        };
        let left = Budget { watch: budget.watch.clone(), ..budget.after(spent, began.elapsed()) };
        let forced = info.legal.len() == 1;
        let made = match tracked {
            Tracked::Lost if forced => 0,
            Tracked::Lost => self.search_draws(info, &left, &mut root),
            _ => self.search_beliefs(info, &left, &mut root),
        };
        let visits: Vec<u64> = match self.table.counts(info.key) {
            Some(counts) => counts.map(|(_, n)| n.into()).collect(),
            None => vec![0; info.legal.len()],
        };
        let decisions = Some(visits.iter().sum());
        let report = |(found, &visits): (MoveReport<G::Action>, &u64)| MoveReport {
            visits,
            availability: decisions,
            ..found
        };
        let moves = root.reports().into_iter().zip(&visits).map(report).collect();
        let time = began.elapsed();
        let action = self.decide(&info.legal, &visits);
        let place = self.table.place(info.key);
        let words = Words {
            name: &|_, action| self.game.action_name(action),
            explain: &|seen, by| self.game.explain(seen, by),
        };
        let told = self.trace.take().map(|trace| trace.tell(&self.table, place, action, words));
        let Telling { profile, line, trees } = told.unwrap_or_default();
        let iterations = spent + made;
        let report = Report {
            moves,
            iterations,
            nodes: self.table.len() as u64,
            depth: self.depth as u32,
            time,
            bytes: Some(self.table.bytes() as u64),
            mean_depth: (iterations > 0).then(|| self.made as f64 / iterations as f64),
            profile,
            line,
            trees,
            ..Report::default()
        };
        Decision { action, report }
    }
}

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
//! # Forgetting
//!
//! With [`Recall::Abstract`] information sets are those of players who remember less than they could, as a game with an
//! [`InfoTree`](fogtree_core::InfoTree) tells: statistics of many histories come together, and states that are alike in
//! what is remembered are tracked as one (§5.3.2 of the source). Should they still be too many, tracking goes on from a
//! thousand that are drawn.
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
    Agent, AgentFailure, AverageStrategy, Budget, Deadline, Decision, Eyes, Facts, InfoSet, Key, Mixed,
    Model, Move, MoveReport, Observer, Player, Purpose, Report, Rewards, Rng, Seed, Simulation, Turn, World,
    WorldStep,
};

use crate::Scale;
use crate::kit::determinize::Determinizer;
use crate::kit::explanation::{Explanation, Trace, Words};
use crate::kit::keyed::{KeyMap, keys_after};
use crate::kit::node_budget::guess;
use crate::kit::root::RootTable;
use crate::kit::scratch::Scratch;

mod beliefs;
pub mod entry;
mod settings;
mod table;

use beliefs::{Beliefs, Candidate, Opponent, Tracked, start_of};
pub use settings::{Play, Playout, Recall, Selection, Settings, Smooth};
use table::{Choice, Found, Table};

/// From so many worlds tracking goes on where states are too many.
const REDRAWN: usize = 1000;

/// How many iterations a state of probability 1 gets beyond the one that every state gets.
const PER_CERTAINTY: f64 = 100.0;

/// The IS-MCTS player of two-player games in which what one wins the other loses.
#[derive(Debug)]
pub struct IsMcts {
    game: Arc<dyn Model>,
    settings: Settings,
    facts: Facts,
    scale: Scale,
    table: Table,
    beliefs: Beliefs,
    model: KeyMap<Vec<f64>>,
    world: Option<Box<dyn World>>,
    path: Vec<Choice>,
    depth: usize,
    /// The moves made in the table by all iterations of a decision.
    made: u64,
    trace: Option<Box<Trace<Move>>>,
    sampling: Rng,
    playout: Rng,
    ties: Rng,
    scratch: Scratch,
}

impl IsMcts {
    /// A player of a game of two players whose rewards always add up to the same number.
    ///
    /// # Panics
    /// If the game has more or fewer than two players.
    pub fn new(game: &Arc<dyn Model>, settings: Settings) -> IsMcts {
        let facts = game.facts();
        assert_eq!(facts.players, 2, "IS-MCTS is for two players");
        let stream = |purpose| Seed(0).stream(purpose);
        IsMcts {
            game: Arc::clone(game),
            settings,
            scale: Scale::of(facts),
            facts: facts.clone(),
            table: Table::new(settings.selection, settings.memory),
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
    pub fn visits(&self, key: Key) -> Option<Vec<(Move, u32)>> {
        self.table.counts(key).map(Iterator::collect)
    }

    /// The states the game may have been in at the last decision, with their probabilities; none if they are
    /// not tracked.
    pub fn believed(&self) -> impl Iterator<Item = (&dyn World, f64)> {
        self.beliefs.candidates().iter().map(|c| (&*c.state, c.p))
    }

    /// Brings the beliefs up to a decision, each step in half of the time that is left; also returns how many
    /// iterations that took.
    fn track(&mut self, info: &InfoSet, budget: &Budget) -> (Tracked, u64) {
        let until = budget.deadline();
        if !self.beliefs.lead_to(info) {
            self.beliefs = self.first_beliefs(info.seat);
        }
        let fresh = self.beliefs.are_fresh();
        let mut tracked = self.progress(info, &until.share(0.5));
        if tracked == Tracked::Lost && self.forgets() && !budget.is_stopped() {
            self.redraw(info, &until.share(0.5));
            tracked = Tracked::Fully;
        }
        let affordable = budget.iterations.is_none_or(|n| n >= 2);
        if !(fresh && affordable && tracked == Tracked::Guessing) {
            return (tracked, 0);
        }
        let half = Budget {
            iterations: budget.iterations.map(|n| n / 2),
            time: until.left().map(|left| left / 2),
            ..budget.after(0, Duration::ZERO)
        };
        let spent = self.prepare(&half);
        self.beliefs = self.first_beliefs(info.seat);
        (self.progress(info, &until.share(0.5)), spent)
    }

    /// Whether players forget in this game.
    fn forgets(&self) -> bool {
        self.settings.recall == Recall::Abstract && self.game.info_tree().is_some()
    }

    /// The keys of both players in a state in which they remember what the game says.
    fn remembered(state: &dyn World) -> [Key; 2] {
        let word = |who| state.abstracted(who);
        [0, 1].map(|seat| Key::root(Observer::Seat(Player(seat))).own(word(Player(seat))))
    }

    /// The keys of both players in a state, if they forget; else these.
    fn keys_in(&self, state: &dyn World, keys: [Key; 2]) -> [Key; 2] {
        if self.forgets() { Self::remembered(state) } else { keys }
    }

    fn first_beliefs(&self, seat: Player) -> Beliefs {
        let keys = |state: &dyn World| Self::remembered(state);
        Beliefs::start(&*self.game, seat).abstracted(self.forgets().then_some(&keys))
    }

    /// Goes on from worlds drawn from what is known, all equally likely.
    fn redraw(&mut self, info: &InfoSet, until: &Deadline) {
        let mut sampler = self.game.sampler(&info.known);
        let mut state = self.game.start();
        let mut found: Vec<Candidate> = Vec::new();
        let mut places: KeyMap<usize> = KeyMap::default();
        let mut sum = 0.0;
        for _ in 0..REDRAWN {
            let p = sampler.sample(&mut self.sampling, &mut *state);
            let keys = Self::remembered(&*state);
            let at = *places.entry(keys[info.seat.other().index()]).or_insert(found.len());
            sum += p;
            match found.get_mut(at) {
                Some(candidate) => candidate.p += p,
                None => found.push(Candidate { state: state.boxed(), keys, p }),
            }
            if until.has_passed() {
                break;
            }
        }
        found.iter_mut().for_each(|candidate| candidate.p /= sum);
        self.beliefs.replace(found, info.events.len(), info.key);
    }

    fn progress(&mut self, info: &InfoSet, until: &Deadline) -> Tracked {
        let forgets = self.forgets();
        let game = &*self.game;
        let keys = |state: &dyn World| Self::remembered(state);
        let opponent = Opponent { table: &self.table, model: &self.model };
        let events = (&info.events[..], info.key);
        self.beliefs.progress(game, opponent, forgets.then_some(&keys), events, until)
    }

    /// One iteration from a state; returns the rewards.
    fn iterate(&mut self, from: &dyn World, mut keys: [Key; 2]) -> Rewards {
        let game = Arc::clone(&self.game);
        let mut state = self.world.take().unwrap_or_else(|| from.boxed());
        state.copy_from(from);
        self.path.clear();
        if let Some(trace) = &mut self.trace {
            trace.restart();
        }
        let forgets = self.forgets();
        let mut descending = true;
        let mut turns = 0;
        let mut moves = std::mem::take(&mut self.scratch.moves);
        let quick = !forgets && self.trace.is_none();
        let mut turn = state.turn();
        while descending {
            match turn {
                Turn::Terminal => break,
                Turn::Chance if quick => {
                    turn = state.play_chance(&mut self.playout, Eyes::Both(&mut keys));
                }
                Turn::Chance => {
                    let outcome = state.sample_chance(&mut self.playout);
                    self.witness(&*state, WorldStep::Chance(&outcome));
                    if !forgets {
                        keys = keys_after(&*game, keys, &*state, WorldStep::Chance(&outcome));
                    }
                    state.apply(WorldStep::Chance(&outcome));
                    if forgets {
                        keys = Self::remembered(&*state);
                    }
                    turn = state.turn();
                }
                Turn::Player(_) | Turn::Simultaneous(_) => {
                    moves.clear();
                    for p in turn.players().iter() {
                        let (action, old) = self.choose(&*state, p, keys[p.index()]);
                        descending &= old;
                        moves.push((p, action));
                    }
                    if descending && !quick {
                        let step = WorldStep::Moves(&moves);
                        self.witness(&*state, step);
                        if !forgets {
                            keys = keys_after(&*game, keys, &*state, step);
                        }
                    }
                    let eyes = if descending && quick { Eyes::Both(&mut keys) } else { Eyes::Closed };
                    turn = state.play(&moves, eyes);
                    turns += 1;
                    if self.settings.playout.cutoff.is_some_and(|most| turns >= most) {
                        break;
                    }
                    if descending && forgets {
                        keys = Self::remembered(&*state);
                    }
                }
            }
        }
        self.scratch.moves = moves;
        let rewards = self.play_out(&mut *state, turns);
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

    /// Plays on from a state so many turns below the root.
    fn play_out(&mut self, state: &mut dyn World, turns: u32) -> Rewards {
        let (rng, scratch) = (&mut self.playout, &mut self.scratch);
        let Playout { policy, cutoff } = self.settings.playout;
        let Some(cutoff) = cutoff else {
            return match policy {
                None => state.playout(Simulation::UNIFORM, rng),
                Some(policy) => {
                    state.playout(Simulation { policy: Some(policy), ..Simulation::UNIFORM }, rng)
                }
            };
        };
        for _ in turns..cutoff {
            let turn = state.turn();
            match (turn, policy) {
                (Turn::Terminal, _) => break,
                (Turn::Chance, _) | (_, None) => state.random_step(rng),
                (_, Some(policy)) => {
                    let mut moves = std::mem::take(&mut scratch.moves);
                    moves.clear();
                    for p in turn.players().iter() {
                        moves.push((p, state.policy_move(Some(policy), p, rng)));
                    }
                    state.apply(WorldStep::Moves(&moves));
                    scratch.moves = moves;
                }
            }
        }
        match state.turn() {
            Turn::Terminal => state.rewards(),
            _ => Rewards::from_fn(2, |p| guess(&self.facts, state, p)),
        }
    }

    /// Lets the account of the search see a step about to be made.
    #[inline]
    fn witness(&mut self, state: &dyn World, step: WorldStep<'_>) {
        if let Some(trace) = &mut self.trace {
            for p in Player::all(2) {
                trace.step(p.index(), state.observe(step, Observer::Seat(p)).as_ref(), true);
            }
        }
    }

    /// What a player does in its information set, and whether that was met before.
    fn choose(&mut self, state: &dyn World, who: Player, key: Key) -> (Move, bool) {
        let (set, old) = match self.table.find(state, who, key) {
            Found::Info(set) => (set, true),
            Found::New(set) => (set, false),
            Found::Full => {
                return (state.random_move(who, &mut self.playout), false);
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
    fn record(&self, seat: Player, rewards: &Rewards, root: &mut RootTable) {
        if let Some(&choice) = self.path.iter().find(|choice| choice.who == seat) {
            root.add(root.index_of(self.table.action(choice)), rewards, 1.0);
        }
    }

    /// Searches from the states believed possible.
    fn search_beliefs(&mut self, info: &InfoSet, budget: &Budget, root: &mut RootTable) -> u64 {
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
            let rewards = self.iterate(&**state, *keys);
            self.record(info.seat, &rewards, root);
        }
        self.beliefs.put_back(candidates);
        clock.done()
    }

    /// Searches from worlds drawn from what is known. Where draws have weights, a draw replaces the one before
    /// with the probability that makes worlds come up in proportion to their weights (Metropolis).
    fn search_draws(&mut self, info: &InfoSet, budget: &Budget, root: &mut RootTable) -> u64 {
        let game = Arc::clone(&self.game);
        let mut worlds = Determinizer::new(&*game, info);
        let (mut world, mut drawn) = (game.start(), game.start());
        let (mut keys, mut weight) = ([info.key; 2], 0.0);
        let other = info.seat.other();
        let mut clock = budget.start();
        while clock.tick() {
            clock.show(|| root.progress(self.table.len() as u64, self.depth));
            let w = worlds.draw_weighed(&mut self.sampling, &mut *drawn);
            if w >= weight || self.sampling.unit() * weight < w {
                std::mem::swap(&mut world, &mut drawn);
                weight = w;
                keys = match self.forgets() {
                    true => Self::remembered(&*world),
                    false => {
                        keys[other.index()] = key_of_known(&*world, other);
                        keys
                    }
                };
            }
            let rewards = self.iterate(&*world, keys);
            self.record(info.seat, &rewards, root);
        }
        clock.done()
    }

    /// The probabilities from which a move is drawn, if it is drawn.
    fn mixed(&self, visits: &[u64]) -> Option<Mixed> {
        let all: u64 = visits.iter().sum();
        let share = |&n: &u64| if all > 0 { n as f64 / all as f64 } else { 1.0 / visits.len() as f64 };
        (self.settings.play == Play::Mix).then(|| Mixed::Found(visits.iter().map(share).collect()))
    }

    /// The move to play, given how often each legal move was chosen.
    fn decide(&mut self, legal: &[Move], visits: &[u64]) -> Move {
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

impl IsMcts {
    /// The key by which the information set to decide in is found in the table.
    fn root_key(&mut self, info: &InfoSet) -> Key {
        if !self.forgets() {
            return info.key;
        }
        match self.beliefs.candidates().first() {
            Some(candidate) if self.settings.beliefs => candidate.keys[info.seat.index()],
            _ => {
                let (mut sampler, mut world) = (self.game.sampler(&info.known), self.game.start());
                sampler.sample(&mut self.sampling, &mut *world);
                Self::remembered(&*world)[info.seat.index()]
            }
        }
    }
}

/// A key for an information set reached by an unknown history.
fn key_of_known(state: &dyn World, who: Player) -> Key {
    let by = Observer::Seat(who);
    let mut hasher = DefaultHasher::new();
    state.info_hash(by).hash(&mut hasher);
    let low = hasher.finish();
    low.hash(&mut hasher);
    Key::root(by).own(low).own(hasher.finish())
}

impl Agent for IsMcts {
    fn start(&mut self, seat: Player, seed: Seed) {
        self.sampling = seed.stream(Purpose::Sampling);
        self.playout = seed.stream(Purpose::Playout);
        self.ties = seed.stream(Purpose::Ties);
        self.table.clear();
        self.beliefs = self.first_beliefs(seat);
    }

    fn prepare(&mut self, budget: &Budget) -> u64 {
        let start = start_of(&*self.game);
        let mut clock = budget.start();
        let keys = self.keys_in(&*start.state, start.keys);
        while clock.tick() {
            self.iterate(&*start.state, keys);
        }
        clock.done()
    }

    fn average_strategies(&self, tell: &mut dyn FnMut(AverageStrategy<'_>)) {
        self.table.average_strategies(tell);
    }

    fn act(&mut self, info: &InfoSet, budget: &Budget) -> Result<Decision, AgentFailure> {
        let began = Instant::now();
        (self.depth, self.made) = (0, 0);
        if self.table.is_full() {
            // There must be room for this decision.
            self.table.clear();
        }
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
        let key = self.root_key(info);
        let visits: Vec<u64> = match self.table.counts(key) {
            Some(counts) => counts.map(|(_, n)| n.into()).collect(),
            None => vec![0; info.legal.len()],
        };
        let decisions = Some(visits.iter().sum());
        let report =
            |(found, &visits): (MoveReport, &u64)| MoveReport { visits, availability: decisions, ..found };
        let moves = root.reports().into_iter().zip(&visits).map(report).collect();
        let time = began.elapsed();
        let action = self.decide(&info.legal, &visits);
        let place = self.table.place(key);
        let words = Words {
            name: &|_, action| self.game.move_name(action),
            explain: &|seen, by| self.game.explain(seen, by),
        };
        let told = self.trace.take().map(|trace| trace.tell(&self.table, place, action, words));
        let Explanation { profile, line, trees } = told.unwrap_or_default();
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
            mixed: self.mixed(&visits),
            ..Report::default()
        };
        Ok(Decision { action, report })
    }
}

//! Growing-tree counterfactual regret minimisation (GT-CFR): an equilibrium of the game, or of as much of it
//! as there is time for.
//!
//! For two players with rewards of a constant sum. What is searched, in the order of preference:
//!
//! - the *whole game*, if it has few enough nodes and is walked within a share of the time ([`WholeGame`]):
//!   then the rest of the time goes into iterations of regret minimisation, and later decisions find what
//!   earlier ones learnt;
//! - one *tree* from the start of the game, if the histories that agree with what the seat did and saw can be
//!   listed: it grows mostly towards and below the decision while regrets are minimised in all of it
//!   (`tree`);
//! - else MO-ISMCTS decides, and the report says so.
//!
//! Both work on the sequence form (`form`), where an iteration is two passes over the leaves. Starting at the
//! start of the game, not at the decision, is what makes the strategies those of an equilibrium: the other
//! player's range follows from what it gains elsewhere. What is played is the average strategy.
//!
//! With a budget in iterations all of it is reproducible: a game of at most `nodes` nodes is walked whatever
//! time that takes, the tree gets at most [`NODES_PER_ITERATION`] nodes per iteration, and a game begins with
//! what its seed says. With a budget in time what was learnt is kept between games as well.
//!
//! Sources: Schmid and others 2023 (Student of Games); Farina, Kroer and Sandholm 2021 (PCFR+).

use std::fmt;
use std::iter::once_with;
use std::sync::Arc;
use std::time::Instant;

use fogtree_core::explain::MoveProgress;
use fogtree_core::{
    Agent, AgentFailure, AverageStrategy, Budget, Chance, Deadline, Decision, InfoSet, Mixed, Model,
    MoveReport, PerPlayer, Player, Progress, Purpose, Report, Rewards, Rng, Seed, Simulation,
};

use crate::oos::target::KeyList;

pub mod entry;
mod form;
#[cfg(test)]
mod tests;
mod tree;
mod whole;

use form::{Form, Judgement};
pub use tree::Growth;
use tree::Tree;
pub use whole::{NotWalked, Size, WholeGame};

/// The parameters of the search.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Settings {
    /// The share of the time in which the whole game may be walked; 0 for never.
    pub whole: f64,
    /// By which part the tree grows between two iterations.
    pub growth: f64,
    /// The share of the budget in which the tree does not grow any more.
    pub polish: f64,
    /// Moves less likely than this part of the likeliest are not played.
    pub purify: f64,
    /// How leaves are replaced.
    pub tree: Growth,
}

impl Default for Settings {
    fn default() -> Settings {
        let tree = Growth { rollouts: 8, c: 0.5, nodes: 1_000_000 };
        Settings { whole: 0.3, growth: 0.5, polish: 0.5, purify: 0.0, tree }
    }
}

/// With a budget in iterations the tree gets so many nodes for each.
pub const NODES_PER_ITERATION: u64 = 32;
/// A whole game is solved when nobody could gain more than this part of the range of rewards.
const SOLVED: f64 = 1e-5;
/// The share of the time in which histories may be listed.
const LISTING: f64 = 0.5;
/// What a report takes, in iterations.
const REPORT: u32 = 3;

/// What is known of the whole game.
#[derive(Debug)]
enum Whole {
    Unknown,
    Estimated(Size),
    Refused,
    Walked(Box<WholeGame>),
}

/// The player by growing-tree counterfactual regret minimisation.
pub struct GtCfr {
    game: Arc<dyn Model>,
    settings: Settings,
    /// Half of what both players get together.
    half: f64,
    /// Decides where nothing else can.
    fallback: Box<dyn Agent>,
    whole: Whole,
    /// Iterations of the whole game after which to look again whether it is solved, and whether it is.
    look: u64,
    is_solved: bool,
    tree: Option<Tree>,
    /// Whether the histories of this game could not be listed.
    is_lost: bool,
    /// Whether a game has begun since the last decision.
    is_new: bool,
    sampling: Rng,
    ties: Rng,
}

impl fmt::Debug for GtCfr {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("GtCfr").field("settings", &self.settings).finish_non_exhaustive()
    }
}

/// What the search stands on.
#[derive(Clone, Copy, PartialEq, Eq)]
enum On {
    Whole,
    Tree,
    Nothing,
}

impl GtCfr {
    /// A player of a two-player game in which rewards always add up to the same, and who decides where it
    /// cannot.
    pub fn new(game: &Arc<dyn Model>, settings: Settings, fallback: Box<dyn Agent>) -> GtCfr {
        let mut rng = Seed(0).stream(Purpose::Playout);
        let half = game.start().playout(Simulation::UNIFORM, &mut rng).iter().sum::<f64>() / 2.0;
        GtCfr {
            game: Arc::clone(game),
            settings,
            half,
            fallback,
            whole: Whole::Unknown,
            look: 0,
            is_solved: false,
            tree: None,
            is_lost: false,
            is_new: true,
            sampling: Seed(0).stream(Purpose::Sampling),
            ties: Seed(0).stream(Purpose::Ties),
        }
    }

    /// Forgets what must not be kept.
    fn begin(&mut self, budget: &Budget) {
        let is_timed = budget.time.is_some();
        if std::mem::take(&mut self.is_new) && !is_timed {
            (self.tree, self.is_solved, self.look) = (None, false, 0);
            if let Whole::Walked(whole) = &mut self.whole {
                whole.forget();
            }
        }
        if self.tree.as_ref().is_some_and(Tree::is_full) {
            self.tree = None;
        }
    }

    /// Tries to walk the whole game; answers whether it is there.
    fn walk(&mut self, until: &Deadline) -> bool {
        let nodes = self.settings.tree.nodes;
        let until = until.share(self.settings.whole);
        if let Whole::Unknown = self.whole {
            let listed = self.game.facts().chance != Chance::Sampled && self.settings.whole > 0.0;
            self.whole = match listed {
                true => Whole::Estimated(Size::estimate(&*self.game, &until)),
                false => Whole::Refused,
            };
        }
        if let Whole::Estimated(size) = self.whole {
            match WholeGame::walk_size(&self.game, nodes, size, &until) {
                Ok(whole) => self.whole = Whole::Walked(Box::new(whole)),
                Err(NotWalked::OutOfTime) => {}
                Err(_) => self.whole = Whole::Refused,
            }
        }
        matches!(self.whole, Whole::Walked(_))
    }

    /// Finds out what can be searched; `info` is the decision, if there is one.
    fn stand(&mut self, info: Option<&InfoSet>, until: &Deadline) -> On {
        if self.walk(until)
            && let Whole::Walked(whole) = &self.whole
            && info.is_none_or(|info| whole.form.knows(info))
        {
            return On::Whole;
        }
        if self.is_lost {
            return On::Nothing;
        }
        let Some(info) = info else {
            self.tree.get_or_insert_with(|| Tree::new(&self.game, self.settings.tree));
            return On::Tree;
        };
        let keys = KeyList::of_events(info.seat, &info.events);
        let until = until.share(LISTING);
        // A tree that was kept may have no room for this decision.
        let new = once_with(|| Tree::new(&self.game, self.settings.tree));
        for mut tree in self.tree.take().into_iter().chain(new) {
            let found = keys.last() == info.key && tree.aim(info.seat, &keys, &until, &mut self.sampling);
            if found && tree.form.knows(info) {
                self.tree = Some(tree);
                return On::Tree;
            }
        }
        self.is_lost = until.is_timed() || !until.has_passed();
        On::Nothing
    }

    fn form(&self, on: On) -> Option<&Form> {
        match (on, &self.whole) {
            (On::Whole, Whole::Walked(whole)) => Some(&whole.form),
            (On::Tree, _) => self.tree.as_ref().map(|tree| &tree.form),
            _ => None,
        }
    }

    /// Searches until the budget is used up; returns the iterations made.
    fn search(&mut self, on: On, info: Option<&InfoSet>, budget: &Budget) -> u64 {
        let until = budget.deadline();
        let growing = until.share(1.0 - self.settings.polish);
        let most = budget.iterations.unwrap_or(u64::MAX);
        let grown = (most as f64 * (1.0 - self.settings.polish)) as u64;
        let nodes = self.tree.as_ref().map_or(0, Tree::len);
        let limit = nodes.saturating_add(most.saturating_mul(NODES_PER_ITERATION).min(1 << 40) as usize);
        let mut clock = budget.start();
        while clock.tick() {
            let mut began = Instant::now();
            if on == On::Whole {
                if !self.improve() {
                    break;
                }
            } else if let Some(tree) = &mut self.tree {
                if clock.done() <= grown.max(1) && !growing.has_passed() {
                    grow(tree, self.settings.growth, limit, &growing, &mut self.sampling);
                    began = Instant::now();
                }
                tree.form.iterate();
            }
            clock.show(|| self.progress(on, info));
            if until.left().is_some_and(|left| left < began.elapsed() * REPORT) {
                break;
            }
        }
        clock.done()
    }

    /// Makes an iteration on the whole game, unless it is solved.
    fn improve(&mut self) -> bool {
        let Whole::Walked(whole) = &mut self.whole else { return false };
        if self.is_solved {
            return false;
        }
        whole.iterate();
        if whole.iterations() > self.look {
            let (low, high) = self.game.facts().utility_bounds;
            self.is_solved = self.look > 0 && whole.exploitability() <= SOLVED * (high - low);
            self.look = (2 * self.look).max(FIRST_LOOK);
        }
        true
    }

    fn progress(&self, on: On, info: Option<&InfoSet>) -> Progress {
        let (Some(form), Some(info)) = (self.form(on), info) else { return Progress::default() };
        let mut strategy = Vec::new();
        if let Some(set) = form.find(info.seat, info.key) {
            form.write_average(info.seat, set, &mut strategy);
        }
        let of = |p: &f64| MoveProgress { visits: visits(*p, form), values: None };
        let (nodes, depth) = self.size(on);
        let moves = strategy.iter().map(of).collect();
        Progress { moves, nodes, depth, ..Progress::default() }
    }

    fn size(&self, on: On) -> (u64, u32) {
        match (on, &self.whole, &self.tree) {
            (On::Whole, Whole::Walked(whole), _) => (whole.nodes() as u64, whole.depth() as u32),
            (On::Tree, _, Some(tree)) => (tree.len() as u64, tree.depth() as u32),
            _ => (0, 0),
        }
    }

    /// The strategy to play, and what there is to say of it.
    fn decide(&mut self, on: On, info: &InfoSet) -> Option<(Vec<f64>, Judgement)> {
        let purify = self.settings.purify;
        let form = self.form(on)?;
        let set = form.find(info.seat, info.key)?;
        let mut strategy = Vec::new();
        form.write_average(info.seat, set, &mut strategy);
        let judgement = form.judge(Some((info.seat, set)));
        let least = purify * strategy.iter().copied().fold(0.0, f64::max);
        strategy.iter_mut().filter(|p| **p < least).for_each(|p| *p = 0.0);
        let sum: f64 = strategy.iter().sum();
        strategy.iter_mut().for_each(|p| *p /= sum);
        Some((strategy, judgement))
    }
}

/// Iterations after which to look for the first time whether a game is solved.
const FIRST_LOOK: u64 = 256;

/// Lets a tree grow by a part of its size.
fn grow(tree: &mut Tree, growth: f64, limit: usize, until: &Deadline, rng: &mut Rng) {
    let wanted = tree.len() + 16 + (growth * tree.len() as f64) as usize;
    let mut count = 0u32;
    while tree.len() < wanted.min(limit) && tree.can_grow() {
        tree.grow(until, rng);
        count += 1;
        if count.is_multiple_of(16) && until.has_passed() {
            break;
        }
    }
}

/// How often a move would have been chosen in as many iterations.
fn visits(p: f64, form: &Form) -> u64 {
    (p * form.iterations() as f64).round() as u64
}

impl Agent for GtCfr {
    fn start(&mut self, seat: Player, seed: Seed) {
        (self.is_new, self.is_lost) = (true, false);
        self.sampling = seed.stream(Purpose::Sampling);
        self.ties = seed.stream(Purpose::Ties);
        self.fallback.start(seat, seed.named("fallback"));
    }

    fn prepare(&mut self, budget: &Budget) -> u64 {
        let began = Instant::now();
        self.begin(budget);
        let on = self.stand(None, &budget.deadline());
        self.search(on, None, &budget.after(0, began.elapsed()))
    }

    fn observe(&mut self, event: &fogtree_core::Event) {
        self.fallback.observe(event);
    }

    fn average_strategies(&self, tell: &mut dyn FnMut(AverageStrategy<'_>)) {
        match (&self.whole, &self.tree) {
            (Whole::Walked(whole), _) => whole.average_strategies(tell),
            (_, Some(tree)) => tree.form.average_strategies(tell),
            _ => {}
        }
    }

    fn act(&mut self, info: &InfoSet, budget: &Budget) -> Result<Decision, AgentFailure> {
        let began = Instant::now();
        self.begin(budget);
        let on = self.stand(Some(info), &budget.deadline());
        let left = Budget { watch: budget.watch.clone(), ..budget.after(0, began.elapsed()) };
        if on == On::Nothing {
            let mut decision = self.fallback.act(info, &left)?;
            let why = "mo-ismcts, since the histories that agree with the own events are too many to list";
            decision.report.remark = Some(why.to_string());
            return Ok(decision);
        }
        let kept = self.form(on).map_or(0, Form::iterations);
        let iterations = self.search(on, Some(info), &left);
        let Some((strategy, judged)) = self.decide(on, info) else {
            return self.fallback.act(info, &left);
        };
        let action = info.legal[self.ties.weighted(strategy.iter().copied())];
        let (nodes, depth) = self.size(on);
        let half = self.half;
        let rewards = |worth: f64| -> Rewards {
            PerPlayer::from_fn(2, |p| half + if p == info.seat { worth } else { -worth })
        };
        let form = self.form(on);
        let moves = info.legal.iter().zip(&strategy).enumerate().map(|(i, (&mv, &p))| {
            let values = judged.moves.as_ref().map(|moves| rewards(moves[i]));
            MoveReport::of(mv, form.map_or(0, |form| visits(p, form)), values)
        });
        let remark = match on {
            On::Whole => "the whole game",
            _ => "a growing tree from the start of the game",
        };
        let bytes = match (on, &self.tree) {
            (On::Tree, Some(tree)) => tree.bytes(),
            _ => form.map_or(0, Form::bytes),
        };
        let report = Report {
            moves: moves.collect(),
            mixed: Some(Mixed::Found(strategy)),
            iterations,
            nodes,
            depth,
            time: began.elapsed(),
            bytes: Some(bytes as u64),
            figures: vec![
                ("kept iterations".to_string(), kept as f64),
                ("leaves".to_string(), form.map_or(0, Form::leaves) as f64),
                ("value".to_string(), half + judged.value),
                ("exploitability".to_string(), judged.exploitability),
            ],
            remark: Some(remark.to_string()),
            ..Report::default()
        };
        Ok(Decision { action, report })
    }

    fn end(&mut self, rewards: &Rewards) {
        self.fallback.end(rewards);
    }
}

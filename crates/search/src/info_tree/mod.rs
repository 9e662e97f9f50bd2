//! Search from one player's view: on the tree of what it may know, without the other players' choices.
//!
//! Decisions alternate with observations: the player does something, then sees one of the things that may be seen. The
//! tree is not that of the game, in which what is seen follows from what others choose; here the others are
//! [`Opponent::Paranoid`], so that the worst is seen, even if no play of theirs could always bring it about, or
//! [`Opponent::Overconfident`], so that anything is. Such a tree can be far smaller than the game (Lisý 2014, §3.2.1 and
//! §3.2.2; `equilibrium/2.6.2`). It needs a game that knows its [`InfoTrees`].
//!
//! [`Method::Minimax`] looks at everything, a turn deeper each time as long as the budget lasts, and answers from the last
//! depth that it finished ("MM" in chapter 5 of the source); [`Method::Uct`] grows a tree where it promises most ("SO").
//! An iteration of either is one information set that was judged.

use std::ops::ControlFlow;
use std::sync::Arc;
use std::time::Instant;

use fogtree_core::{
    Agent, AgentFailure, Budget, Decision, Info, InfoSet, Model, Move, MoveReport, Player, Purpose, Report,
    Rng, Seed, world::InfoTrees,
};

pub mod entry;
mod minimax;
mod uct;

/// What the others are taken to do.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Opponent {
    /// What is worst for the searcher.
    Paranoid,
    /// Anything, so that every observation is as likely as every other.
    Overconfident,
}

/// How the tree is searched.
#[derive(Clone, Copy, PartialEq, Debug)]
pub enum Method {
    /// Every line to a depth in turns that begins here and grows as long as the budget lasts.
    Minimax {
        /// The first depth. If it cannot be finished, the move is random.
        least: u32,
    },
    /// Upper confidence bounds on values as the game gives them, not scaled to any range.
    Uct {
        /// The exploration constant.
        c: f64,
        /// How new information sets are judged.
        leaf: Leaf,
    },
}

/// How a search with bounds judges an information set that it meets for the first time.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Leaf {
    /// By the evaluation.
    Evaluate,
    /// By one of the game's simulations, by its number, to this depth in turns from the root.
    Simulate {
        /// Which simulation.
        which: usize,
        /// To which depth.
        depth: u32,
    },
}

/// The parameters of the search.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Settings {
    /// How it searches.
    pub method: Method,
    /// What the others are taken to do.
    pub opponent: Opponent,
    /// Which of the game's evaluations is used, by its number.
    pub evaluation: usize,
}

/// The player.
#[derive(Debug)]
pub struct InfoTreePlayer {
    game: Arc<dyn Model>,
    settings: Settings,
    playout: Rng,
    ties: Rng,
}

impl InfoTreePlayer {
    /// A player of a game that knows its tree of information sets; in others it moves at random.
    pub fn new(game: &Arc<dyn Model>, settings: Settings) -> InfoTreePlayer {
        let stream = |purpose| Seed(0).stream(purpose);
        InfoTreePlayer {
            game: Arc::clone(game),
            settings,
            playout: stream(Purpose::Playout),
            ties: stream(Purpose::Ties),
        }
    }
}

/// What a search found out.
struct Found {
    /// How often each move was tried, and its value; none if the search came to nothing.
    moves: Vec<(u64, f64)>,
    /// The moves that are best.
    best: Vec<usize>,
    iterations: u64,
    nodes: u64,
    depth: u32,
}

impl Agent for InfoTreePlayer {
    fn start(&mut self, _seat: Player, seed: Seed) {
        self.playout = seed.stream(Purpose::Playout);
        self.ties = seed.stream(Purpose::Ties);
    }

    fn act(&mut self, info: &InfoSet, budget: &Budget) -> Result<Decision, AgentFailure> {
        let began = Instant::now();
        let game = Arc::clone(&self.game);
        let Some(tree) = game.info_tree().filter(|_| info.legal.len() > 1) else {
            return Ok(Decision { action: *self.ties.pick(&info.legal), report: Report::default() });
        };
        let root = tree.root(&info.known);
        let Settings { method, opponent, evaluation } = self.settings;
        let found = match method {
            Method::Minimax { least } => {
                minimax::Search::new(tree, opponent, evaluation, budget).deepen(&root, &info.legal, least)
            }
            Method::Uct { c, leaf } => {
                let judge = uct::Judge { leaf, evaluation };
                uct::Search::new(tree, opponent, judge, c, &mut self.playout).run(&root, budget)
            }
        };
        let action = match &found.best[..] {
            [] => *self.ties.pick(&info.legal),
            best => info.legal[*self.ties.pick(best)],
        };
        let report = |(&action, &(visits, _)): (&Move, &(u64, f64))| MoveReport::of(action, visits, None);
        let report = Report {
            moves: info.legal.iter().zip(&found.moves).map(report).collect(),
            iterations: found.iterations,
            nodes: found.nodes,
            depth: found.depth,
            time: began.elapsed(),
            ..Report::default()
        };
        Ok(Decision { action, report })
    }
}

/// The places of the greatest values.
fn greatest(values: impl Iterator<Item = f64> + Clone) -> Vec<usize> {
    let most = values.clone().fold(f64::NEG_INFINITY, f64::max);
    values.enumerate().filter(|(_, value)| *value >= most).map(|(i, _)| i).collect()
}

/// All that the seat may know after it has done this.
fn all_after(tree: &dyn InfoTrees, known: &Info, action: Move, out: &mut Vec<Info>) {
    tree.after(known, action, &mut |next| {
        out.push(next.clone());
        ControlFlow::Continue(())
    });
}

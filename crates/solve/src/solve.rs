//! Solving a game from end to end: compile, iterate within limits, tell how it goes, hand back a strategy.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use fogtree_core::{Deadline, Playable, Purpose, Seed};

use crate::backward::{Backward, NotBackward};
use crate::best_response::Evaluation;
use crate::cfr::{Cfr, FictitiousPlay, SamplingCfr};
use crate::checkpoint::{self, BadCheckpoint, Checkpoint, Origin};
use crate::compiled::{Compiled, DEFAULT_LIMIT, Refusal};
use crate::deep::with_stack;
use crate::iterative::Iterative;
use crate::lp::{NoSolution, solve_in_time};
use crate::solver::Solver;
use crate::strategy::Profile;

/// What to do and for how long. Whatever limit is met first ends it; without any, 1000 iterations.
#[derive(Clone, Debug)]
pub struct Config {
    /// How.
    pub solver: Solver,
    /// At most this many iterations.
    pub iterations: Option<u64>,
    /// At most this long; evaluations in between do not count.
    pub time: Option<Duration>,
    /// Until exploitability is no more than this.
    pub target: Option<f64>,
    /// How many nodes of the tree, or states, may be kept.
    pub limit: usize,
    /// What sampling solvers draw from.
    pub seed: Seed,
    /// Where iterative solvers are saved from time to time, and go on from.
    pub checkpoint: Option<Checkpoint>,
    /// Ends it early when set. Solvers that iterate then have a result as at any other end, the others none.
    pub stop: Option<Arc<AtomicBool>>,
}

impl Config {
    /// The defaults for a solver.
    pub fn new(solver: Solver) -> Config {
        Config {
            solver,
            iterations: None,
            time: None,
            target: None,
            limit: DEFAULT_LIMIT,
            seed: Seed(1),
            checkpoint: None,
            stop: None,
        }
    }

    fn is_stopped(&self) -> bool {
        self.stop.as_ref().is_some_and(|stop| stop.load(Ordering::Relaxed))
    }

    /// When solving that starts now must have ended.
    fn deadline(&self) -> Deadline {
        Deadline::after(self.time, self.stop.clone())
    }
}

/// How far a solver has come.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Progress {
    /// Iterations made.
    pub iterations: u64,
    /// Seconds spent on them.
    pub seconds: f64,
    /// What the first player earns if all play the average strategies so far.
    pub value: f64,
    /// What all players together would gain by best responses.
    pub nash_conv: f64,
    /// NashConv divided by the number of players.
    pub exploitability: f64,
}

/// What came of it.
#[derive(Clone, Debug)]
pub struct Outcome {
    /// What each player earns; the exact value where the solver finds it.
    pub values: Vec<f64>,
    /// What all players together would gain by best responses to the strategies; `None` if the tree was too
    /// large for that.
    pub nash_conv: Option<f64>,
    /// Iterations made, or matrices solved.
    pub iterations: u64,
    /// Seconds spent on solving, compiling the game not included.
    pub seconds: f64,
    /// The compiled game and the strategies found, if the tree was small enough.
    pub strategies: Option<(Compiled, Profile)>,
}

impl Outcome {
    /// NashConv divided by the number of players.
    pub fn exploitability(&self) -> Option<f64> {
        self.nash_conv.map(|n| n / self.values.len() as f64)
    }
}

/// Why a game was not solved.
#[derive(Clone, PartialEq, Debug, thiserror::Error)]
pub enum Unsolved {
    /// The tree cannot be compiled.
    #[error(transparent)]
    Refusal(#[from] Refusal),
    /// Not a game for a linear programme.
    #[error(transparent)]
    NoSolution(#[from] NoSolution),
    /// Not a game for backward induction.
    #[error(transparent)]
    NotBackward(#[from] NotBackward),
    /// It could not be saved, or not gone on from what was.
    #[error(transparent)]
    Checkpoint(#[from] BadCheckpoint),
    /// Only iterative solvers have something to save.
    #[error("only solvers that iterate have checkpoints: the cfr and mccfr families and fictitious-play")]
    NothingToSave,
}

/// Solves a game; `tell` is called after the first iteration and whenever their number has grown by a quarter.
pub fn solve<G: Playable>(
    game: &G,
    config: &Config,
    tell: &mut dyn FnMut(&Progress),
) -> Result<Outcome, Unsolved> {
    let iterates = !matches!(config.solver, Solver::Backward(_) | Solver::SequenceLp);
    if config.checkpoint.is_some() && !iterates {
        return Err(Unsolved::NothingToSave);
    }
    if let Solver::Backward(method) = config.solver {
        return backward(game, method, config);
    }
    let compiled = Compiled::in_time(game, config.limit, &Deadline::after(None, config.stop.clone()))?;
    let run = run(&compiled, config, tell)?;
    Ok(Outcome {
        nash_conv: Some(run.evaluation.nash_conv()),
        values: run.evaluation.values,
        iterations: run.iterations,
        seconds: run.seconds,
        strategies: Some((compiled, run.profile)),
    })
}

struct Run {
    iterations: u64,
    seconds: f64,
    profile: Profile,
    evaluation: Evaluation,
}

fn run(game: &Compiled, config: &Config, tell: &mut dyn FnMut(&Progress)) -> Result<Run, Unsolved> {
    match config.solver {
        Solver::Cfr(variant, updates) => iterate(game, config, tell, Cfr::new(game, variant, updates)),
        Solver::Sampling(sampling) => iterate(
            game,
            config,
            tell,
            SamplingCfr::new(game, sampling, config.seed.stream(Purpose::Sampling)),
        ),
        Solver::FictitiousPlay => iterate(game, config, tell, FictitiousPlay::new(game)),
        Solver::SequenceLp => {
            let start = Instant::now();
            let solution = solve_in_time(game, &config.deadline())?;
            let seconds = start.elapsed().as_secs_f64();
            let (iterations, profile) = (solution.iterations, solution.profile);
            Ok(Run { iterations, seconds, profile, evaluation: solution.evaluation })
        }
        Solver::Backward(_) => unreachable!("backward induction works without the tree"),
    }
}

fn iterate(
    game: &Compiled,
    config: &Config,
    tell: &mut dyn FnMut(&Progress),
    mut solver: impl Iterative,
) -> Result<Run, Unsolved> {
    let unlimited = config.iterations.is_none() && config.time.is_none() && config.target.is_none();
    let most = if unlimited { 1000 } else { config.iterations.unwrap_or(u64::MAX) };
    let time = config.time.unwrap_or(Duration::MAX);
    let (mut iterations, mut spent, mut next) = (0, Duration::ZERO, 1);
    let every = config.checkpoint.as_ref().map_or(Duration::MAX, |c| c.every);
    let origin = Origin { seed: config.seed, game: config.checkpoint.as_ref().map_or(0, |_| game.sum()) };
    if let Some(checkpoint) = &config.checkpoint {
        checkpoint::is_writable(&checkpoint.path)?;
        let lengths: Vec<usize> = solver.memory().tables.iter().map(Vec::len).collect();
        if let Some((memory, before)) = checkpoint.load(origin, &lengths)? {
            (iterations, spent) = (memory.iterations, before);
            next = iterations + 1 + iterations / 4;
            solver.restore(memory);
        }
    }
    let save = |solver: &dyn Iterative, spent| match &config.checkpoint {
        Some(checkpoint) => checkpoint.save(origin, &solver.memory(), spent),
        None => Ok(()),
    };
    let mut saved = Instant::now();
    loop {
        let mut start = Instant::now();
        while iterations < next.min(most) && spent + start.elapsed() < time && !config.is_stopped() {
            solver.iterate();
            iterations += 1;
            if saved.elapsed() >= every {
                spent += start.elapsed();
                save(&solver, spent)?;
                start = Instant::now();
                saved = start;
            }
        }
        spent += start.elapsed();
        let profile = solver.average();
        let evaluation = Evaluation::of(game, &profile);
        let (nash_conv, exploitability) = (evaluation.nash_conv(), evaluation.exploitability());
        let seconds = spent.as_secs_f64();
        tell(&Progress { iterations, seconds, value: evaluation.values[0], nash_conv, exploitability });
        let good = config.target.is_some_and(|target| exploitability <= target);
        if good || iterations >= most || spent >= time || config.is_stopped() {
            save(&solver, spent)?;
            return Ok(Run { iterations, seconds, profile, evaluation });
        }
        next = iterations + 1 + iterations / 4;
    }
}

fn backward<G: Playable>(
    game: &G,
    method: crate::backward::Method,
    config: &Config,
) -> Result<Outcome, Unsolved> {
    let start = Instant::now();
    let mut backward = Backward::new(game, method, config.limit)?.until(config.deadline());
    let levels = (game.facts().max_length as usize).min(config.limit);
    let first = with_stack(levels, || backward.value(&game.start()))?;
    let (seconds, effort) = (start.elapsed().as_secs_f64(), backward.effort());
    let strategies = match Compiled::in_time(game, config.limit, &config.deadline()) {
        Ok(compiled) => {
            let profile = with_stack(levels, || backward.profile(&compiled))?;
            Some((compiled, profile))
        }
        Err(Refusal::OutOfTime) => return Err(NotBackward::OutOfTime.into()),
        Err(_) => None,
    };
    let evaluation = strategies.as_ref().map(|(compiled, profile)| Evaluation::of(compiled, profile));
    let sum = backward.sum_of_rewards();
    Ok(Outcome {
        values: vec![first, sum - first],
        nash_conv: evaluation.map(|e| e.nash_conv()),
        iterations: effort.matrices,
        seconds,
        strategies,
    })
}

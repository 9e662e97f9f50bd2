//! `fogtree solve`: equilibria of whole games.

use std::io::Write as _;
use std::sync::Arc;
use std::sync::atomic::Ordering;

use fogtree_core::Seed;
use fogtree_core::files::write_whole;
use fogtree_solve::{Checkpoint, Config, Progress, Solver, Unsolved};
use fogtree_table::wire::Solution;
use fogtree_table::{Registry, Solved};

use super::curves::CurveFiles;
use super::exploit::time;
use super::list;
use crate::arguments::Solve;
use crate::failure::Failure;
use crate::interrupt;
use crate::output::{check_place, count, emit, emit_json};

/// Solves a game, prints how it goes, and writes the strategies if asked to.
pub(crate) fn run(registry: &Registry, arguments: &Solve, json: bool) -> Result<(), Failure> {
    let Some(spec) = arguments.game.as_ref().filter(|_| !arguments.list) else {
        return list::solvers(json);
    };
    let game = registry.game(spec)?;
    let stop = interrupt::flag();
    let config = Config { stop: Some(Arc::clone(&stop)), ..config(spec, arguments)? };
    let mut curve =
        CurveFiles::new(&arguments.curve, format!("{spec} with {}", arguments.with), "iterations", json)?;
    for (option, path) in [("strategy", &arguments.strategy), ("checkpoint", &arguments.checkpoint)] {
        path.as_ref().map_or(Ok(()), |path| check_place(option, path))?;
    }
    let mut tell = |progress: &Progress| curve.add(progress.into());
    let keep = arguments.strategy.as_ref().map(|_| arguments.with.as_str());
    let solved = game.solve(&config, keep, &mut tell);
    let stopped = stop.load(Ordering::Relaxed);
    let solved = solved.map_err(|why| match why {
        Unsolved::Checkpoint(_) => Failure::Run(why.to_string()),
        _ if stopped => Failure::Interrupted("stopped before there was anything to show".into()),
        _ => Failure::Input(why.to_string()),
    })?;
    if let Some(path) = &arguments.strategy {
        let file = solved.strategies.as_ref();
        let file =
            file.ok_or_else(|| Failure::Run("the tree is too large to write strategies down".into()))?;
        write_whole(path, |out| out.write_all(file.write().as_bytes())).map_err(Failure::Run)?;
    }
    curve.write()?;
    if json {
        emit_json(&Solution::of(spec, &arguments.with, &solved))?;
    } else {
        emit(&for_people(&solved, spec, arguments))?;
    }
    if !stopped {
        return Ok(());
    }
    let kept = arguments.checkpoint.as_ref();
    let kept =
        kept.map_or_else(String::new, |path| format!("; the same command goes on from {}", path.display()));
    Err(Failure::Interrupted(format!("stopped after {} iterations{kept}", count(solved.iterations))))
}

fn config(game: &str, arguments: &Solve) -> Result<Config, Failure> {
    let solver = Solver::from_spec(&arguments.with.parse()?)?;
    let checkpoint = match &arguments.checkpoint {
        None => None,
        Some(path) => Some(Checkpoint {
            path: path.clone(),
            every: time("every", &arguments.every)?,
            label: format!("{game} with {}", arguments.with),
        }),
    };
    if arguments.target.is_some_and(|t| t.is_nan() || t <= 0.0) {
        return Err(Failure::Input("--target: expected an exploitability above 0".into()));
    }
    Ok(Config {
        iterations: arguments.iterations,
        time: arguments.time.as_deref().map(|text| time("time", text)).transpose()?,
        target: arguments.target,
        limit: arguments.nodes,
        seed: Seed(arguments.seed),
        checkpoint,
        ..Config::new(solver)
    })
}

fn for_people(solved: &Solved, game: &str, arguments: &Solve) -> String {
    let size = match (solved.nodes, solved.infosets) {
        (Some(nodes), Some(sets)) => {
            format!(", {} nodes, {} information sets", count(nodes as u64), count(sets as u64))
        }
        _ => String::new(),
    };
    let exploitability = match (solved.exploitability, solved.nash_conv) {
        (Some(e), Some(n)) => format!("exploitability {e:.3e} (NashConv {n:.3e})"),
        _ => "exact by construction; the tree is too large to check it by best responses".to_string(),
    };
    let values: Vec<String> = solved.values.iter().map(|v| format!("{v:.6}")).collect();
    let written = arguments.strategy.as_ref();
    let written = written.map_or_else(String::new, |path| format!("strategies in {}\n", path.display()));
    format!(
        "\n{game} with {}{size}\nvalues {}, {exploitability}\n{} iterations in {:.3} s\n{written}",
        arguments.with,
        values.join(" "),
        count(solved.iterations),
        solved.seconds,
    )
}

//! `fogtree solve` and `fogtree exploit`: equilibria of whole games, and how far strategies are from one.

use fogtree_core::Seed;
use fogtree_core::files::read_text;
use fogtree_solve::strategy::LARGEST_FILE;
use fogtree_solve::{Config, Progress, Solver, StrategyFile};
use fogtree_table::{Registry, Solved, Unstitched, stitch, time_from_text};
use serde_json::{Value, json};

use super::catalogue;
use crate::arguments::{Exploit, Solve};
use crate::failure::Failure;
use crate::output::{count, emit, emit_line};

/// Solves a game, prints how it goes, and writes the strategies if asked to.
pub(crate) fn run(registry: &Registry, arguments: &Solve, json: bool) -> Result<(), Failure> {
    let Some(spec) = arguments.game.as_ref().filter(|_| !arguments.list) else {
        return catalogue::solvers(json);
    };
    let game = registry.game(spec)?;
    let config = config(arguments)?;
    if !json {
        emit(&format!("{:>12} {:>10} {:>14} {:>14}\n", "iterations", "seconds", "value", "exploitability"))?;
    }
    let mut written = Ok(());
    let mut tell = |progress: &Progress| {
        if written.is_ok() {
            written = show(progress, json);
        }
    };
    let keep = arguments.strategy.as_ref().map(|_| arguments.with.as_str());
    let solved = game.solve(&config, keep, &mut tell).map_err(|why| Failure::Input(why.to_string()))?;
    written?;
    if let Some(path) = &arguments.strategy {
        let file = solved.strategies.as_ref();
        let file =
            file.ok_or_else(|| Failure::Run("the tree is too large to write strategies down".into()))?;
        std::fs::write(path, file.write())
            .map_err(|why| Failure::Run(format!("cannot write {}: {why}", path.display())))?;
    }
    if json {
        return emit_line(&for_scripts(&solved, spec, arguments).to_string());
    }
    emit(&for_people(&solved, spec, arguments))
}

fn config(arguments: &Solve) -> Result<Config, Failure> {
    let solver = Solver::from_spec(&arguments.with.parse()?)?;
    let bad = |option: &str, expected: &str| Failure::Input(format!("--{option}: expected {expected}"));
    let time = match &arguments.time {
        None => None,
        Some(text) => {
            let time = time_from_text(text);
            Some(time.ok_or_else(|| bad("time", "a time such as 500ms, 1s or 2m"))?)
        }
    };
    if arguments.iterations == Some(0) {
        return Err(bad("iterations", "at least 1"));
    }
    if arguments.target.is_some_and(|t| t.is_nan() || t <= 0.0) {
        return Err(bad("target", "an exploitability above 0"));
    }
    Ok(Config {
        iterations: arguments.iterations,
        time,
        target: arguments.target,
        limit: arguments.nodes,
        seed: Seed(arguments.seed),
        ..Config::new(solver)
    })
}

fn show(progress: &Progress, json: bool) -> Result<(), Failure> {
    let Progress { iterations, seconds, value, nash_conv, exploitability } = *progress;
    if json {
        let line = json!({
            "iterations": iterations,
            "seconds": seconds,
            "value": value,
            "nash_conv": nash_conv,
            "exploitability": exploitability,
        });
        return emit_line(&line.to_string());
    }
    emit(&format!("{iterations:>12} {seconds:>10.3} {value:>14.6} {exploitability:>14.3e}\n"))
}

fn for_scripts(solved: &Solved, game: &str, arguments: &Solve) -> Value {
    json!({
        "game": game,
        "solver": arguments.with,
        "value": solved.values[0],
        "values": solved.values,
        "nash_conv": solved.nash_conv,
        "exploitability": solved.exploitability,
        "iterations": solved.iterations,
        "seconds": solved.seconds,
        "nodes": solved.nodes,
        "infosets": solved.infosets,
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

/// Says how much best responses gain against an agent, or against the strategies of a file.
pub(crate) fn exploit(registry: &Registry, arguments: &Exploit, json: bool) -> Result<(), Failure> {
    let file = strategies(registry, arguments)?;
    let spec = arguments.game.as_ref().unwrap_or(&file.game);
    let found = registry.game(spec)?.exploit(&file, arguments.nodes);
    let found = found.map_err(|why| Failure::Input(why.to_string()))?;
    let evaluation = &found.evaluation;
    if json {
        let value = json!({
            "game": spec,
            "solver": file.solver,
            "value": evaluation.values[0],
            "values": evaluation.values,
            "best_responses": evaluation.best,
            "nash_conv": evaluation.nash_conv(),
            "exploitability": evaluation.exploitability(),
            "infosets": found.infosets,
            "missing": found.missing,
        });
        return emit_line(&value.to_string());
    }
    let rows = evaluation.values.iter().zip(&evaluation.best).enumerate();
    let rows = rows.map(|(seat, (value, best))| {
        format!("player {seat} earns {value:.6}, a best response would earn {best:.6}\n")
    });
    let missing = match found.missing {
        0 => String::new(),
        n => format!(
            "{n} of {} information sets are not in the file and were played at random\n",
            found.infosets
        ),
    };
    emit(&format!(
        "{spec}, {}\n{}{missing}exploitability {:.3e} (NashConv {:.3e})\n",
        file.solver,
        rows.collect::<String>(),
        evaluation.exploitability(),
        evaluation.nash_conv()
    ))
}

/// The strategies of the file, or of the agent.
fn strategies(registry: &Registry, arguments: &Exploit) -> Result<StrategyFile, Failure> {
    if let Some(path) = &arguments.strategy {
        let text = read_text(path, LARGEST_FILE)
            .map_err(|why| Failure::Input(format!("cannot read {}: {why}", path.display())))?;
        return StrategyFile::read(&text).map_err(|why| Failure::Input(format!("{}: {why}", path.display())));
    }
    let (Some(spec), Some(agent)) = (&arguments.game, &arguments.agent) else {
        return Err(Failure::Input("expected --strategy FILE, or a game and --agent AGENT".into()));
    };
    if arguments.samples == 0 {
        return Err(Failure::Input("--samples 0: expected at least 1".into()));
    }
    let game = registry.game(spec)?;
    stitch(
        &*game,
        &mut || registry.agent(agent, &*game),
        arguments.samples,
        Seed(arguments.seed),
        arguments.nodes,
    )
    .map_err(|why| match why {
        Unstitched::Failed(_) => Failure::Run(why.to_string()),
        _ => Failure::Input(why.to_string()),
    })
}

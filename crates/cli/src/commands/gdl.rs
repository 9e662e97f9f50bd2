//! `fogtree gdl`: rule sheets checked, written anew, played and measured.

use std::io::IsTerminal;
use std::path::Path;
use std::time::{Duration, Instant};

use fogtree_core::files::read_bytes;
use fogtree_core::{Purpose, Seed};
use fogtree_gdl::propnet::{Budget, Evaluation};
use fogtree_gdl::simulate::{End, playout, speed};
use fogtree_gdl::wellformed::{Method, Verdict, WellFormed, well_formed};
use fogtree_gdl::{Interpreter, Level, Limits, Propnet, Reasoner, Report, Scrambling, Sheet, TermId, print};
use serde_json::json;

use crate::arguments::{Gdl, GdlCheck};
use crate::failure::Failure;
use crate::output::{count, emit, emit_line, quantity, table};

/// Larger rule sheets are not read.
const LARGEST_SHEET: u64 = 64 << 20;

/// Matches of random players are broken off after this many steps.
const MOST_STEPS: usize = 10_000;

/// Does what the command line asks for.
pub(crate) fn run(command: &Gdl, json: bool) -> Result<(), Failure> {
    match command {
        Gdl::Check(arguments) => check(arguments, json),
        Gdl::Format { file } => written(&print::sheet(&sheet(file)?), json),
        Gdl::Scramble { file, seed } => {
            let sheet = sheet(file)?;
            written(&Scrambling::new(&sheet, Seed(*seed)).sheet(&sheet), json)
        }
        Gdl::Run { file, seed } => play(file, *seed, json),
        Gdl::Bench { files, time } => bench(files, *time, json),
    }
}

fn written(sheet: &str, json: bool) -> Result<(), Failure> {
    if json { emit_line(&json!({"sheet": sheet}).to_string()) } else { emit(sheet) }
}

fn report(path: &Path, level: Level) -> Result<Report, Failure> {
    let bytes = read_bytes(path, LARGEST_SHEET)
        .map_err(|why| Failure::Input(format!("{}: {why}", path.display())))?;
    Ok(Report::of(&bytes, level))
}

/// A sheet that has a meaning; what is wrong with one that has none is shown.
fn sheet(path: &Path) -> Result<Sheet, Failure> {
    let report = report(path, Level::Lenient)?;
    let accepted = report.accepted();
    match report.sheet {
        Some(sheet) if accepted => Ok(sheet),
        _ => {
            let first = report.diagnostics.first().map_or_else(String::new, |d| {
                let at = report.position(d);
                format!("line {}, column {}: {}", at.line, at.column, d.message)
            });
            let command = format!("fogtree gdl check {}", path.display());
            Err(Failure::Input(format!("{}: {first}; all of it: {command}", path.display())))
        }
    }
}

fn check(arguments: &GdlCheck, json: bool) -> Result<(), Failure> {
    let path = &arguments.file;
    let level: Level = arguments.level.parse().map_err(Failure::Input)?;
    let report = report(path, level)?;
    let game = match &report.sheet {
        Some(sheet) if report.accepted() => Interpreter::new(sheet, Limits::default()).ok(),
        _ => None,
    };
    let formed = game.map(|game| well_formed(&game, &fogtree_gdl::wellformed::Effort::default()));
    let name = path.display().to_string();
    if json {
        let mut line = report.json();
        line["file"] = json!(name);
        line["well_formed"] = match &formed {
            Some(Ok(formed)) => json!(formed),
            Some(Err(trouble)) => json!({"trouble": trouble.to_string()}),
            None => serde_json::Value::Null,
        };
        emit_line(&line.to_string())?;
    } else {
        emit(&report.render(&name, std::io::stdout().is_terminal()))?;
        match &formed {
            Some(Ok(formed)) => emit(&properties(formed))?,
            Some(Err(trouble)) => emit_line(&format!("the game could not be looked at: {trouble}"))?,
            None => {}
        }
    }
    if report.accepted() {
        return Ok(());
    }
    let errors = report.count(fogtree_gdl::Severity::Error);
    Err(Failure::Input(format!("{name}: {errors} error{} at this level", if errors == 1 { "" } else { "s" })))
}

/// How well formed a game is, in a few lines.
fn properties(formed: &WellFormed) -> String {
    let seen = match formed.method {
        Method::Search { states } => format!("all {} states were looked at", count(states as u64)),
        Method::Simulation { matches, .. } => {
            format!("{} matches of random players were looked at", count(matches as u64))
        }
    };
    let rows = [
        ("every match ends", &formed.terminating),
        ("everybody can always move", &formed.playable),
        ("one goal for everybody at the end", &formed.one_goal),
        ("goals always there and never falling", &formed.monotonic),
        ("everybody can win", &formed.winnable),
    ];
    let rows: Vec<Vec<String>> = rows
        .into_iter()
        .map(|(name, verdict)| {
            let text = match verdict {
                Verdict::Proved => "yes".to_string(),
                Verdict::Supported => "as far as was seen".to_string(),
                Verdict::Doubtful { why } => format!("doubtful: {why}"),
                Verdict::Refuted { why, moves } => format!("no: {why}, after {} steps", moves.len()),
            };
            vec![name.to_string(), text]
        })
        .collect();
    format!("{seen}; the longest match had {} steps\n\n{}", formed.longest, table(&["property", ""], &rows))
}

/// Plays one match of random players and shows what happens.
fn play(path: &Path, seed: u64, json: bool) -> Result<(), Failure> {
    let sheet = sheet(path)?;
    let game = Interpreter::new(&sheet, Limits::default())
        .map_err(|why| Failure::Input(format!("{}: {why:?}", path.display())))?;
    let trouble = |why| Failure::Run(format!("{}: {why}", path.display()));
    let played = playout(&game, &mut Seed(seed).stream(Purpose::Playout), MOST_STEPS).map_err(trouble)?;
    let show = |ids: &[TermId]| ids.iter().map(|&id| game.terms().show(id).to_string()).collect::<Vec<_>>();
    let roles = show(game.roles());
    let mut state = game.initial().map_err(trouble)?;
    for (number, moves) in played.moves.iter().enumerate() {
        let mut seen = Vec::new();
        for role in 0..roles.len() {
            let mut percepts = Vec::new();
            game.percepts(&state, moves, role, &mut percepts).map_err(trouble)?;
            seen.push(show(&percepts));
        }
        let names = show(moves);
        if json {
            emit_line(&json!({"step": number + 1, "moves": names, "sees": seen}).to_string())?;
        } else {
            let parts = roles.iter().zip(&names).zip(&seen).map(|((role, action), seen)| {
                let seen = if seen.is_empty() { String::new() } else { format!(" sees {}", seen.join(" ")) };
                format!("{role}: {action}{seen}")
            });
            emit_line(&format!("{:>3}  {}", number + 1, parts.collect::<Vec<_>>().join("  |  ")))?;
        }
        state = game.next(&state, moves).map_err(trouble)?;
    }
    let goals: Vec<Option<u8>> = (0..roles.len()).map(|role| game.goal(&state, role).ok()).collect();
    let end = match played.end {
        End::Terminal => "over".to_string(),
        End::Stuck { role } => format!("{} has no legal move", roles[role]),
        End::TooLong => format!("broken off after {} steps", count(MOST_STEPS as u64)),
    };
    if json {
        return emit_line(&json!({"end": end, "roles": roles, "goals": goals}).to_string());
    }
    let goals = roles.iter().zip(goals).map(|(role, goal)| match goal {
        Some(goal) => format!("{role} {goal}"),
        None => format!("{role} -"),
    });
    emit_line(&format!("{end}: {}", goals.collect::<Vec<_>>().join(", ")))
}

/// Measures both reasoners in random play: state changes a second, legal moves of all roles, tests for the end and
/// goals at the end included.
fn bench(files: &[std::path::PathBuf], time: f64, json: bool) -> Result<(), Failure> {
    if !(time > 0.0 && time <= 3600.0) {
        return Err(Failure::Input(format!("--time {time}: expected seconds above 0, at most 3600")));
    }
    let time = Duration::from_secs_f64(time);
    let mut rows = Vec::new();
    for path in files {
        let sheet = sheet(path)?;
        let wrong = |why: String| Failure::Run(format!("{}: {why}", path.display()));
        let game = Interpreter::new(&sheet, Limits::default()).map_err(|why| wrong(format!("{why:?}")))?;
        let interpreted = speed(&game, &mut Seed(1).stream(Purpose::Playout), time)
            .map_err(|why| wrong(why.to_string()))?
            .per_second();
        let began = Instant::now();
        let compiled = Propnet::new(&sheet, &Budget::default());
        let built = began.elapsed().as_secs_f64() * 1e3;
        let name = path.file_stem().unwrap_or_default().to_string_lossy().into_owned();
        let (one, batch, note) = match &compiled {
            Ok(net) => {
                let how = match net.evaluation() {
                    Evaluation::Forward => "forward",
                    Evaluation::Differential => "differential",
                };
                (Some(one_by_one(net, time)?), Some(in_batches(net, time)?), how.to_string())
            }
            Err(refusal) => (None, None, format!("left to the interpreter: {refusal}")),
        };
        if json {
            let line = json!({
                "sheet": name, "interpreter": interpreted, "compiled": one, "batched": batch,
                "built_milliseconds": built, "evaluation": note,
            });
            emit_line(&line.to_string())?;
        } else {
            let number = |n: Option<f64>| n.map_or_else(|| "-".to_string(), quantity);
            let built = format!("{built:.1} ms");
            rows.push(vec![name, quantity(interpreted), number(one), number(batch), built, note]);
        }
    }
    if json {
        return Ok(());
    }
    let header = ["sheet", "interpreted/s", "compiled/s", "64 at once/s", "compiled in", "evaluation"];
    emit(&format!("state changes a second of random play, one thread\n\n{}", table(&header, &rows)))
}

fn one_by_one(net: &Propnet, time: Duration) -> Result<f64, Failure> {
    let start = net.initial().map_err(|why| Failure::Run(why.to_string()))?;
    let (mut simulator, mut rng) = (net.simulator(), Seed(1).stream(Purpose::Playout));
    let (mut steps, mut goals, began) = (0, Vec::new(), Instant::now());
    while began.elapsed() < time {
        steps += simulator.playout(&start, MOST_STEPS, &mut rng).0;
        simulator.goals(&mut goals);
    }
    Ok(steps as f64 / began.elapsed().as_secs_f64())
}

fn in_batches(net: &Propnet, time: Duration) -> Result<f64, Failure> {
    let start = net.initial().map_err(|why| Failure::Run(why.to_string()))?;
    let (mut batch, mut rng) = (net.batch(), Seed(1).stream(Purpose::Playout));
    let (mut steps, began) = (0, Instant::now());
    while began.elapsed() < time {
        batch.playouts(&start, 640, MOST_STEPS, &mut rng, |length, _, _| steps += length);
    }
    Ok(steps as f64 / began.elapsed().as_secs_f64())
}

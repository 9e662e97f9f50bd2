//! `fogtree match`: many games between agents.

use std::fs::File;
use std::io::{BufWriter, IsTerminal, Write};
use std::sync::atomic::Ordering;

use fogtree_core::spec::Spec;
use fogtree_core::{Record, Seed};
use fogtree_lab::deals::Deals;
use fogtree_lab::experiment::report::WIN_RATES;
use fogtree_lab::series::{Seats, Series};
use fogtree_lab::until::Until;
use fogtree_table::Registry;
use fogtree_table::wire::{MatchResult, Settled};
use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};

use crate::arguments::Match;
use crate::failure::Failure;
use crate::interrupt;
use crate::output::{emit, emit_json, table};

/// Plays a match and prints its result.
pub(crate) fn run(registry: &Registry, arguments: Match, json: bool) -> Result<(), Failure> {
    let game = registry.game(&arguments.game)?;
    let roles = arguments.roles.as_deref().map(read_roles).transpose()?;
    // Whoever guesses the seed can compute the deals.
    let mut agents = arguments.agents.iter().chain(roles.iter().flatten().map(|(_, agent)| agent));
    let outside = agents.any(|agent| registry.reaches_outside(agent));
    let usual = || if outside { Seed::unguessable() } else { Seed(1) };
    let seed = arguments.seed.map_or_else(usual, Seed);
    let seats = roles.map_or_else(|| Seats::Rotated(arguments.agents), Seats::Roles);
    let cores = std::thread::available_parallelism().map_or(1, usize::from);
    let series = Series {
        game: arguments.game,
        seats,
        games: arguments.games,
        seed,
        deals: Deals::Fresh,
        until: arguments.until.as_deref().map(read_until).transpose()?,
        threads: arguments.threads.unwrap_or(cores),
        follow: Vec::new(),
    };
    // Before the file is opened: a match that cannot be played must not empty an older record.
    series.check(registry, &*game)?;
    let mut file = match &arguments.record {
        None => None,
        Some(path) => Some(BufWriter::new(File::create(path).map_err(|error| {
            Failure::Input(format!("cannot write records to {}: {error}", path.display()))
        })?)),
    };
    let bar = games_bar(Some(series.games), "{eta} left");
    let (stop, mut written) = (interrupt::flag(), Ok(()));
    let mut done = |_, record: &Record| {
        bar.inc(1);
        if let (Some(file), Ok(())) = (&mut file, &written) {
            written = file.write_all(record.to_lines().as_bytes()).and_then(|()| file.flush());
            stop.fetch_or(written.is_err(), Ordering::Relaxed);
        }
    };
    let outcome = series.run(registry, &*game, &stop, &mut done);
    bar.finish_and_clear();
    written.map_err(|error| Failure::Run(format!("the records could not be written: {error}")))?;
    let outcome = outcome?;
    if json {
        emit_json(&outcome)?;
    } else {
        emit(&for_people(&outcome))?;
    }
    if outcome.games == series.games || outcome.settled.is_some() {
        return Ok(());
    }
    Err(Failure::Interrupted(format!("stopped after {} of {} games", outcome.games, series.games)))
}

/// Reads `role=AGENT,role=AGENT`; agents may have parameters of their own.
fn read_roles(text: &str) -> Result<Vec<(String, String)>, Failure> {
    let spec: Spec = format!("roles({text})")
        .parse()
        .map_err(|_| Failure::Input(format!("--roles '{text}' is not of the form role=AGENT,role=AGENT")))?;
    if spec.params.is_empty() {
        return Err(Failure::Input("--roles names no role".into()));
    }
    Ok(spec.params)
}

/// Reads `ELO0,ELO1`.
fn read_until(text: &str) -> Result<Until, Failure> {
    let numbers: Option<Vec<f64>> = text.split(',').map(|word| word.trim().parse().ok()).collect();
    match numbers.as_deref() {
        Some(&[null, other]) => Ok(Until::of_elo([null, other])),
        _ => Err(Failure::Input(format!(
            "--until '{text}': expected two numbers of rating points, as in 0,20"
        ))),
    }
}

/// A bar of games on a terminal, and after their number what the template says.
pub(super) fn games_bar(games: Option<u64>, template: &str) -> ProgressBar {
    let terminal = std::io::stderr().is_terminal();
    let target = if terminal { ProgressDrawTarget::stderr() } else { ProgressDrawTarget::hidden() };
    let style = ProgressStyle::with_template(&format!("{{bar:40}} {{pos}}/{{len}} games, {template}"))
        .unwrap_or_else(|_| ProgressStyle::default_bar());
    ProgressBar::with_draw_target(games, target).with_style(style)
}

fn for_people(outcome: &MatchResult) -> String {
    let by_role = outcome.agents.iter().any(|a| a.role.is_some());
    let elo = outcome.agents.iter().any(|a| a.elo.is_some());
    let mut header = vec!["agent", "wins", "draws", "losses", "win rate", "95 % interval", "mean reward"];
    if by_role {
        header.insert(0, "role");
    }
    let places = outcome.agents.iter().any(|a| a.mean_place.is_some());
    if places {
        header.insert(header.len() - 1, "place");
    }
    if elo {
        header.push("Elo");
    }
    header.push("time per move");
    let rows = outcome.agents.iter().map(|a| {
        let cheating = if a.cheating { " (cheating)" } else { "" };
        let mut row = vec![
            format!("{}{cheating}", a.agent),
            a.wins.to_string(),
            a.draws.to_string(),
            a.losses.to_string(),
            format!("{:.1} %", 100.0 * a.win_rate),
            format!("{:.1} % to {:.1} %", 100.0 * a.low, 100.0 * a.high),
            format!("{:.3} ± {:.3}", a.mean_reward, 1.96 * a.reward_error),
        ];
        if places {
            let place = a.mean_place.map_or_else(|| "-".to_string(), |place| format!("{place:.2}"));
            row.insert(row.len() - 1, place);
        }
        if let Some(role) = a.role.as_ref().filter(|_| by_role) {
            row.insert(0, role.clone());
        }
        if elo {
            row.push(a.elo.map_or_else(|| "-".to_string(), |e| format!("{e:+.0}")));
        }
        row.push(time(a.seconds_per_move));
        row
    });
    let idle = outcome.agents.iter().filter(|a| a.games == 0);
    let idle = idle.filter_map(|a| a.role.as_deref()).map(|r| format!("\nno seat ever had the role '{r}'\n"));
    let idle: String = idle.collect();
    let settled = match outcome.settled {
        None => String::new(),
        Some(Settled { games, stronger }) => {
            let not = if stronger { "" } else { "not " };
            format!("\nsettled after {games} games: the first agent is {not}that much stronger\n")
        }
    };
    let counted = if places { format!("\n{WIN_RATES}\n") } else { String::new() };
    format!(
        "{}: {} games, seed {}, {:.1} moves a game\n\n{}{counted}{idle}{settled}",
        outcome.game,
        outcome.games,
        outcome.seed.0,
        outcome.moves_per_game,
        table(&header, &rows.collect::<Vec<_>>())
    )
}

pub(super) fn time(seconds: f64) -> String {
    match seconds {
        s if s >= 1.0 => format!("{s:.2} s"),
        s if s >= 1e-3 => format!("{:.1} ms", s * 1e3),
        s => format!("{:.1} us", s * 1e6),
    }
}

//! `fogtree ggp`: general game playing over HTTP.

use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

use fogtree_core::files::read_bytes;
use fogtree_core::{Budget, Seed};
use fogtree_gdl::Sheet;
use fogtree_serve::agent::Agents;
use fogtree_serve::contact::{self, Contact, Local, Remote};
use fogtree_serve::host::{self, Host};
use fogtree_serve::http::Limits;
use fogtree_serve::http::server::Server;
use fogtree_serve::legal::{Choice, LegalMoves};
use fogtree_serve::manager::{self, BadMatch, Match, Participant, Replacement, random_id};
use fogtree_serve::message::Dialect;
use fogtree_serve::player::{Player, PlayerMaker, Refusal, Start};
use fogtree_serve::record::{BadRecord, End, Record, Step};
use fogtree_table::{Registry, Unavailable};
use serde_json::json;

use crate::arguments::{Ggp, GgpManager, GgpPlayer, GgpReplacement};
use crate::failure::Failure;
use crate::interrupt;
use crate::output::{check_place, emit_harmless};

/// Larger rule sheets are not read.
const LARGEST_SHEET: u64 = 64 << 20;

/// Does what the command line asks for.
pub(crate) fn run(command: &Ggp, json: bool) -> Result<(), Failure> {
    match command {
        Ggp::Player(arguments) => player(arguments, json),
        Ggp::Manager(arguments) => conduct(arguments, json),
        Ggp::Info { players } => info(players, json),
        Ggp::Replay { record, rules } => replay(record, rules, json),
    }
}

/// Whoever plays under this name: any agent, or two that need no more than the rules.
fn maker(agent: &str, seed: Seed) -> Result<Box<dyn PlayerMaker>, Failure> {
    let choice = match agent {
        "random" => Choice::Random,
        "first-legal" => Choice::First,
        _ => return searcher(agent, seed),
    };
    Ok(Box::new(LegalMoves::new(choice, seed)))
}

fn searcher(agent: &str, seed: Seed) -> Result<Box<dyn PlayerMaker>, Failure> {
    let registry = Registry::standard();
    // An agent that cannot be had is told now, not when the first match begins.
    let smallest = registry.game("gdl(sheet=monty-hall)").expect("a sheet that is built in");
    match registry.agent(agent, &*smallest) {
        Ok(known) if known.cheats => {
            return Err(Failure::Input(format!("{agent} needs the true state, which no manager shows")));
        }
        Err(Unavailable::Spec(why)) => return Err(Failure::Input(why.to_string())),
        Ok(_) | Err(Unavailable::Unsuitable { .. }) => {}
    }
    Ok(Box::new(Agents::new(registry, agent, seed)))
}

/// A player inside the manager. Its choices follow from its seed, not from the random name of its match.
struct Inside(Box<dyn PlayerMaker>);

impl PlayerMaker for Inside {
    fn name(&self) -> String {
        self.0.name()
    }

    fn start(&self, start: &Start, budget: &Budget) -> Result<Box<dyn Player>, Refusal> {
        self.0.start(&Start { id: "match".to_string(), ..start.clone() }, budget)
    }
}

/// A dialect by name; `None` for `auto`.
fn dialect(name: &str) -> Result<Option<Dialect>, Failure> {
    if name == "auto" {
        return Ok(None);
    }
    name.parse().map(Some).map_err(|why| Failure::Input(format!("--dialect {name}: {why}, and auto")))
}

fn player(arguments: &GgpPlayer, json: bool) -> Result<(), Failure> {
    let maker = maker(&arguments.agent, arguments.seed.map_or_else(Seed::unguessable, Seed))?;
    let options = host::Options {
        matches: arguments.matches,
        dialect: dialect(&arguments.dialect)?,
        web: arguments.web,
        ..host::Options::default()
    };
    let host = Arc::new(Host::new(maker, options));
    let (address, port) = (arguments.host.as_str(), arguments.port);
    // Every match may have a message under way and another one after it.
    let usual = Limits::default();
    let connections = usual.connections.max(2 * arguments.matches + usual.kept);
    let limits = Limits { connections, kept: usual.kept.max(arguments.matches), ..usual };
    let server = Server::start((address, port), limits, host)
        .map_err(|why| Failure::Input(format!("cannot listen at {address} port {port}: {why}")))?;
    let at = server.address();
    emit_harmless(&match json {
        true => json!({"listening": at.to_string(), "agent": arguments.agent}).to_string(),
        false => format!("{} listens at {at}; end with Ctrl-C", arguments.agent),
    })?;
    server.wait();
    Ok(())
}

/// How long a player may take to say who it is.
const INFO: Duration = Duration::from_secs(5);

fn info(players: &[String], json: bool) -> Result<(), Failure> {
    let mut silent = Vec::new();
    for player in players {
        let remote = Remote::new(player).map_err(Failure::Input)?;
        match contact::info(&remote, INFO) {
            Ok(info) if json => emit_harmless(&json!({"player": player, "info": info}).to_string())?,
            Ok(info) => {
                let name = info.name.as_deref().unwrap_or("somebody");
                let status = if info.available { "available" } else { "busy" };
                emit_harmless(&format!("{player}: {name}, {status}"))?;
            }
            Err(why) => silent.push(format!("{player}: {why}")),
        }
    }
    if silent.is_empty() { Ok(()) } else { Err(Failure::Run(silent.join("; "))) }
}

fn sheet(path: &Path) -> Result<Sheet, Failure> {
    let wrong = |why: String| Failure::Input(format!("{}: {why}", path.display()));
    let bytes = read_bytes(path, LARGEST_SHEET).map_err(wrong)?;
    manager::rules(&bytes).map_err(|why| match why {
        BadMatch::Rules(report) => {
            let first = report.diagnostics.first().map_or_else(String::new, |d| {
                let at = report.position(d);
                format!("line {}, column {}: {}", at.line, at.column, d.message)
            });
            wrong(format!("{first}; all of it: fogtree gdl check {}", path.display()))
        }
        other => wrong(other.to_string()),
    })
}

/// A number of seconds that an option gives.
fn seconds(option: &str, value: f64) -> Result<Duration, Failure> {
    let fits = (0.0..=3600.0).contains(&value);
    let wrong = || Failure::Input(format!("--{option} {value}: expected 0 to 3600 seconds"));
    fits.then(|| Duration::from_secs_f64(value)).ok_or_else(wrong)
}

/// Names between commas, of which there may be some in the parameters of agents, too.
fn names(text: &str) -> Result<Vec<String>, Failure> {
    let (mut names, mut depth) = (vec![String::new()], 0_i32);
    for c in text.chars() {
        depth += i32::from(c == '(') - i32::from(c == ')');
        match c {
            ',' if depth == 0 => names.push(String::new()),
            c => names.last_mut().expect("there is one").push(c),
        }
    }
    if depth != 0 || names.iter().any(|name| name.trim().is_empty()) {
        return Err(Failure::Input(format!(
            "--players '{text}': expected host:port or agents, with commas between"
        )));
    }
    Ok(names.iter().map(|name| name.trim().to_string()).collect())
}

/// Who plays, and how everybody is spoken to.
fn participants(arguments: &GgpManager, open: bool, seed: Seed) -> Result<Vec<Participant>, Failure> {
    let named = arguments.dialect.iter().map(|d| dialect(d)).collect::<Result<Vec<_>, _>>()?;
    let listed = names(&arguments.players)?;
    if named.len() != 1 && named.len() != listed.len() {
        let (dialects, players) = (named.len(), listed.len());
        return Err(Failure::Input(format!("--dialect: expected 1 or {players} dialects, not {dialects}")));
    }
    let usual = if open { Dialect::Gdl } else { Dialect::B };
    let dialects = named.iter().cycle().map(|dialect| dialect.unwrap_or(usual));
    let seeds = (0..).map(|n| seed.named("player").number(n));
    let players = listed.iter().zip(dialects).zip(seeds).map(|((player, dialect), seed)| {
        let contact: Box<dyn Contact> = match player.contains(':') && !player.contains('(') {
            true => Box::new(Remote::new(player).map_err(|why| Failure::Input(format!("--players {why}")))?),
            false => {
                let inside = Box::new(Inside(maker(player, seed)?));
                Box::new(Local(Arc::new(Host::new(inside, host::Options::default()))))
            }
        };
        Ok(Participant { contact, dialect })
    });
    players.collect()
}

fn conduct(arguments: &GgpManager, json: bool) -> Result<(), Failure> {
    let sheet = sheet(&arguments.rules)?;
    if let Some(path) = &arguments.record {
        check_place("record", path)?;
    }
    let game = arguments.rules.file_stem().unwrap_or_default().to_string_lossy().into_owned();
    let seed = arguments.seed.map_or_else(Seed::unguessable, Seed);
    let options = manager::Options {
        id: arguments.id.clone().unwrap_or_else(|| random_id(&game)),
        game: Some(game),
        start_clock: arguments.start_clock,
        play_clock: arguments.play_clock,
        grace: seconds("grace", arguments.grace)?,
        pause: seconds("pause", arguments.pause)?,
        preview: arguments.preview,
        replacement: match arguments.replacement {
            GgpReplacement::Random => Replacement::Random,
            GgpReplacement::First => Replacement::First,
        },
        seed,
        most_steps: arguments.most_steps,
        keep_states: arguments.states,
        // Players are told when a match is broken off.
        stop: Some(interrupt::flag()),
        ..manager::Options::default()
    };
    let players = participants(arguments, sheet.is_open(), seed)?;
    let conducted = Match::new(&sheet, players, options).map_err(|why| Failure::Input(why.to_string()))?;
    let roles = conducted.roles().to_vec();
    let (mut number, mut written) = (0, Ok(()));
    let record = conducted.play(|step| {
        number += 1;
        if written.is_ok() {
            written =
                emit_harmless(&if json { step_json(number, step) } else { step_text(number, &roles, step) });
        }
    });
    if let Some(path) = &arguments.record {
        record.write(path).map_err(Failure::Run)?;
    }
    written?;
    emit_harmless(&if json { end_json(&record) } else { end_text(&record) })?;
    match &record.end {
        End::Terminal => Ok(()),
        End::Aborted(why) => Err(Failure::Run(format!("the match was broken off: {why}"))),
    }
}

fn step_json(number: usize, step: &Step) -> String {
    json!({"step": number, "moves": step.moves, "sees": step.percepts, "answers": step.answers}).to_string()
}

fn step_text(number: usize, roles: &[String], step: &Step) -> String {
    let parts = roles.iter().zip(&step.moves).zip(&step.answers).map(|((role, made), answer)| {
        let note = match answer {
            Some(answer) if !answer.error.is_empty() => format!(" [{}]", answer.error),
            _ => String::new(),
        };
        format!("{role}: {made}{note}")
    });
    format!("{number:>3}  {}", parts.collect::<Vec<_>>().join("  |  "))
}

fn end_json(record: &Record) -> String {
    json!({
        "id": record.id, "end": record.end, "steps": record.steps.len(), "roles": record.roles,
        "players": record.players, "goals": record.goals, "errors": record.errors(),
    })
    .to_string()
}

fn end_text(record: &Record) -> String {
    let goal = |goal: &Option<u8>| goal.map_or_else(|| "-".to_string(), |goal| goal.to_string());
    let wrong = |n: usize| match n {
        0 => String::new(),
        1 => " (1 move replaced)".to_string(),
        n => format!(" ({n} moves replaced)"),
    };
    let roles = record.roles.iter().zip(&record.players).zip(record.goals.iter().zip(record.errors()));
    let roles = roles.filter(|((_, player), _)| player.is_some());
    let parts: Vec<String> = roles
        .map(|((role, _), (value, errors))| format!("{role} {}{}", goal(value), wrong(errors)))
        .collect();
    format!("{} steps: {}", record.steps.len(), parts.join(", "))
}

fn replay(record: &Path, rules: &Path, json: bool) -> Result<(), Failure> {
    let sheet = sheet(rules)?;
    let name = record.display();
    let failure = |why: BadRecord| match why {
        BadRecord::Departure { .. } | BadRecord::Reasoner(_) => Failure::Run(format!("{name}: {why}")),
        _ => Failure::Input(format!("{name}: {why}")),
    };
    let record = Record::read(record).map_err(failure)?;
    record.replay(&sheet).map_err(failure)?;
    if json {
        return emit_harmless(&end_json(&record));
    }
    emit_harmless(&format!("{name} agrees with the rules; {}", end_text(&record)))
}

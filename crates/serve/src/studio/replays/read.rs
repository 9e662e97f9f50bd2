//! Records as they are read: ours, with any number of games, and matches of general game playing.

use std::collections::HashMap;
use std::sync::Arc;
use std::time::{Duration, Instant};

use fogtree_core::{Erased, Record};
use fogtree_gdl::any_reasoner::AnyReasoner;
use fogtree_gdl::game::{GdlGame, OWN, Options, load_fastest};
use fogtree_gdl::{Limits, Sheet, propnet};
use fogtree_table::{AnyGame, Registry, erase};

use super::super::refusal::Refusal;
use super::{Recorded, RecordedGame};
use crate::record::{self as ggp, rules_key};

/// More games in a record are not read.
const MOST_GAMES: usize = 1000;
/// Reading takes no longer.
const LONGEST: Duration = Duration::from_secs(20);
/// Longer rule sheets in records are not read.
const LARGEST_SHEET: usize = 256 << 10;

/// The format that a record says it has.
#[derive(serde::Deserialize)]
struct Format {
    format: String,
}

/// The games of a record.
pub(super) fn read(text: &str, registry: &Registry) -> Result<Vec<Recorded>, Refusal> {
    let text = text.trim_start_matches('\u{feff}');
    let format = serde_json::from_str(text).map_or(String::new(), |Format { format }| format);
    if format == ggp::FORMAT {
        return Ok(vec![read_match(text, registry)?]);
    }
    let texts = Record::split(text);
    if texts.is_empty() {
        return Err(Refusal::bad("the record is empty"));
    }
    if texts.len() > MOST_GAMES {
        return Err(Refusal::bad(format!(
            "the record has {} games; {MOST_GAMES} can be opened",
            texts.len()
        )));
    }
    let (began, mut games) = (Instant::now(), HashMap::new());
    let mut all = Vec::new();
    for (number, text) in (1..).zip(&texts) {
        if began.elapsed() > LONGEST {
            return Err(Refusal::bad("the record takes too long to read: send fewer games"));
        }
        let read = read_game(text, number, registry, &mut games);
        all.push(read.map_err(|why| match texts.len() {
            1 => Refusal::bad(why),
            _ => Refusal::bad(format!("game {number}: {why}")),
        })?);
    }
    Ok(all)
}

/// A game of ours, gone through from its start to its end.
fn read_game(
    text: &str,
    number: usize,
    registry: &Registry,
    games: &mut HashMap<String, Arc<dyn AnyGame>>,
) -> Result<Recorded, String> {
    let record = Record::from_lines(text).map_err(|why| why.to_string())?;
    let spec = record.header.game.clone();
    let game = match games.get(&spec) {
        Some(game) => Arc::clone(game),
        None => registry.game(&spec).map_err(|why| why.to_string())?.shared(),
    };
    games.insert(spec.clone(), Arc::clone(&game));
    let players = game.facts().players;
    if record.header.agents.len() > players {
        let agents = record.header.agents.len();
        return Err(format!("{agents} agents are recorded in a game of {players} players"));
    }
    let played = game.replay(&record, usize::MAX).map_err(|why| why.to_string())?;
    let names = record.steps.into_iter().map(|step| match step.chance {
        Some(drawn) => vec![drawn],
        None => step.moves.into_iter().map(|(_, name)| name).collect(),
    });
    let names: Vec<Vec<String>> = names.collect();
    let about = RecordedGame {
        number,
        game: spec,
        agents: record.header.agents,
        cheating: record.header.cheating,
        steps: names.len(),
        names,
        rewards: played.rewards().map(|rewards| rewards.iter().copied().collect()),
    };
    Ok(Recorded { about, game })
}

/// The sheet of ours with these rules, by name.
fn own_sheet(rules: fogtree_core::Key) -> Option<(&'static str, &'static str)> {
    let is_it = |text: &str| Sheet::read(text).is_ok_and(|sheet| rules_key(&sheet) == rules);
    OWN.iter().copied().find(|(_, text)| is_it(text))
}

/// The rules that a record carries, made a game within the bounds of a server.
fn carried(record: &ggp::Record) -> Result<GdlGame<AnyReasoner>, Refusal> {
    let missing = "its rules are none of the sheets that are built in, and the record does not carry them";
    let text = record.sheet.as_deref().ok_or_else(|| Refusal::bad(missing))?;
    if text.len() > LARGEST_SHEET {
        return Err(Refusal::bad(format!("the rules in the record have more than {LARGEST_SHEET} bytes")));
    }
    if !Sheet::read(text).is_ok_and(|sheet| rules_key(&sheet) == record.rules) {
        return Err(Refusal::bad("the rules in the record are not those of the match"));
    }
    let steps = u32::try_from(record.steps.len()).unwrap_or(u32::MAX);
    let options = Options {
        limits: Limits { steps: 10_000_000, atoms: 500_000, until: Instant::now().checked_add(LONGEST / 2) },
        compiling: propnet::Budget { time: Duration::from_secs(3), facts: 200_000, instances: 400_000 },
        steps: Options::default().steps.max(steps.saturating_add(1)),
        knowable: None,
        ..Options::default()
    };
    load_fastest(text, &options)
        .map_err(|why| Refusal::bad(format!("the rules in the record: {}", why.brief())))
}

/// A match that a manager has recorded, as a line of play.
fn read_match(text: &str, registry: &Registry) -> Result<Recorded, Refusal> {
    let record = ggp::Record::parse(text).map_err(|why| Refusal::bad(why.to_string()))?;
    let joint_moves: Vec<Vec<String>> = record.steps.iter().map(|step| step.moves.clone()).collect();
    let wrong = |why: &dyn std::fmt::Display| Refusal::bad(why.to_string());
    let (names, game) = match own_sheet(record.rules) {
        Some((name, text)) => {
            let rules = load_fastest(text, &Options::default()).map_err(|why| wrong(&why.brief()))?;
            let names = rules.steps_of_match(&joint_moves).map_err(|why| wrong(&why))?;
            (names, registry.game(&format!("gdl(sheet={name})"))?.shared())
        }
        None => {
            let rules = carried(&record)?;
            let names = rules.steps_of_match(&joint_moves).map_err(|why| wrong(&why))?;
            // No registry knows it by this name, but those who keep things by name can tell it from others.
            let spec = format!("sheet-{}", record.rules);
            (names, erase(Erased::new(rules.tracked()), &spec).shared())
        }
    };
    let mut table = game.table();
    for step in &names {
        table.play_words(&step.iter().map(String::as_str).collect::<Vec<_>>())?;
    }
    let played_by = record.roles.iter().zip(&record.players).filter(|(role, _)| *role != "random");
    let agents = played_by.map(|(_, name)| name.clone().unwrap_or_default());
    let about = RecordedGame {
        number: 1,
        game: game.spec().to_string(),
        agents: agents.take(game.facts().players).collect(),
        cheating: Vec::new(),
        steps: names.len(),
        names,
        rewards: table.rewards().map(|rewards| rewards.iter().copied().collect()),
    };
    Ok(Recorded { about, game })
}

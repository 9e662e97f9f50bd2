//! Golden playthroughs: for every registered game one seeded random game, with everything an observer can ask
//! for, kept as a file. A change of rules, observations, keys, names or views shows up as a difference.
//!
//! `FOGTREE_BLESS=1 cargo test -p fogtree-table --test playthroughs` writes the files anew; review the diff.

use std::collections::BTreeSet;
use std::fmt::Write;
use std::path::PathBuf;

use fogtree_core::{Observer, Player, Purpose, Seed, Turn, text};
use fogtree_table::{AnyTable, Registry};

/// Instances beside the default of every registered game, by the name of their file.
const MORE: &[(&str, &str)] = &[
    ("goofspiel-hidden-random", "goofspiel(cards=5,bids=hidden,prizes=random,lowest=1,last=automatic)"),
    ("leduc-poker", "leduc-poker"),
    ("liars-dice-3", "liars-dice(players=3,dice=2,faces=4,wild=no)"),
    ("mnk-large", "mnk(m=9,n=9,k=5)"),
    ("phantom-mnk-announced", "phantom-mnk(m=4,n=4,k=4,failed=announced)"),
    ("dark-hex-abrupt", "dark-hex(turn=abrupt,rows=3,columns=4)"),
    ("phantom-mnk-abrupt", "phantom-mnk(turn=abrupt)"),
    ("phantom-mnk-centre", "phantom-mnk(opening=centre,reward=signed)"),
    ("prisoners-dilemma", "prisoners-dilemma"),
    ("tree-coin", "coin-guess"),
];

/// Long games are shown up to this step, and at their end.
const SHOWN: usize = 24;

/// The most outcomes of chance that are shown.
const OUTCOMES: usize = 60;

fn folder() -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("tests/playthroughs")
}

fn instances(registry: &Registry) -> Vec<(String, String)> {
    let defaults = registry.games().map(|about| (about.name.to_string(), about.name.to_string()));
    let more = MORE.iter().map(|(file, spec)| ((*file).to_string(), (*spec).to_string()));
    defaults.chain(more).collect()
}

fn playthrough(registry: &Registry, spec: &str) -> String {
    let game = registry.game(spec).unwrap_or_else(|why| panic!("{spec}: {why}"));
    let facts = game.facts();
    let mut out = format!("game: {spec}\n{facts:#?}\n");
    let mut rng = Seed(2026).named(spec).stream(Purpose::Deal);
    let mut table = game.table();
    loop {
        let over = table.turn() == Turn::Terminal;
        if table.steps() <= SHOWN || over {
            show(&mut out, facts.players, &*table);
        }
        if over {
            return out;
        }
        if table.turn() == Turn::Chance {
            table.draw(&mut rng);
        } else {
            let players = table.turn().players();
            let choose = |p: Player| (p, *rng.pick(&table.moves(p)));
            let choices: Vec<_> = players.iter().map(choose).collect();
            table.choose(&choices).unwrap();
        }
        if table.steps() <= SHOWN {
            writeln!(out, "\nplay: {}", table.last_names().join(" ")).unwrap();
            show_told(&mut out, facts.players, &*table);
        }
    }
}

/// What observers are told of the last step, once for all who are told the same.
fn show_told(out: &mut String, players: usize, table: &dyn AnyTable) {
    let mut told: Vec<(String, Vec<String>)> = Vec::new();
    for by in Observer::all(players) {
        let Some(what) = table.told(by).map(|what| text::plain(&what)) else { continue };
        match told.iter_mut().find(|(same, _)| *same == what) {
            Some((_, who)) => who.push(by.to_string()),
            None => told.push((what, vec![by.to_string()])),
        }
    }
    for (what, who) in told {
        writeln!(out, "told {}: {what}", who.join(", ")).unwrap();
    }
}

fn show(out: &mut String, players: usize, table: &dyn AnyTable) {
    writeln!(out, "\n# step {}: {:?}", table.steps(), table.turn()).unwrap();
    for p in table.turn().players().iter() {
        writeln!(out, "legal {p}: {}", table.legal(p).join(" ")).unwrap();
    }
    if table.turn() == Turn::Chance {
        let outcomes = table.chance().map_or_else(
            || "sampled only".to_string(),
            |list| {
                let shown = list.iter().take(OUTCOMES).map(|(name, p)| format!("{name}:{p:.6}"));
                let rest = list.len().saturating_sub(OUTCOMES);
                let rest = (rest > 0).then(|| format!("and {rest} more"));
                shown.chain(rest).collect::<Vec<_>>().join(" ")
            },
        );
        writeln!(out, "chance: {outcomes}").unwrap();
    }
    for by in Observer::all(players) {
        writeln!(out, "{by}: {}", table.key(by)).unwrap();
        for line in text::plain(&table.view(by)).lines() {
            writeln!(out, "  {}", line.trim_end()).unwrap();
        }
    }
    if let Some(rewards) = table.rewards() {
        writeln!(out, "rewards: {:?}", rewards.as_slice()).unwrap();
    }
}

#[test]
fn every_game_plays_as_recorded() {
    let registry = Registry::standard();
    let bless = std::env::var_os("FOGTREE_BLESS").is_some();
    let mut different = Vec::new();
    for (file, spec) in instances(&registry) {
        let path = folder().join(format!("{file}.txt"));
        let now = playthrough(&registry, &spec);
        if bless {
            std::fs::create_dir_all(folder()).unwrap();
            std::fs::write(&path, now).unwrap();
            continue;
        }
        match std::fs::read_to_string(&path) {
            Err(_) => different.push(format!("{spec} has no playthrough {file}.txt")),
            Ok(then) if then != now => {
                let line = then.lines().zip(now.lines()).position(|(a, b)| a != b).unwrap_or(0) + 1;
                different.push(format!("{spec} departs from {file}.txt at line {line}"));
            }
            Ok(_) => {}
        }
    }
    assert!(different.is_empty(), "{}", different.join("\n"));
}

#[test]
fn every_playthrough_belongs_to_a_game() {
    let known: BTreeSet<String> =
        instances(&Registry::standard()).into_iter().map(|(file, _)| file).collect();
    for entry in std::fs::read_dir(folder()).unwrap() {
        let path = entry.unwrap().path();
        let name = path.file_stem().unwrap().to_string_lossy().into_owned();
        assert!(known.contains(&name), "{} belongs to no registered game", path.display());
    }
}

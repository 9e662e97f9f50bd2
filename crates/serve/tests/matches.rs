//! Whole matches between manager and players, on the loopback interface and in one program.

mod common;

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use common::{host, local, options, remote, serve, sheet};
use fogtree_gdl::Sheet;
use fogtree_serve::contact::{self, Local, Remote};
use fogtree_serve::host::Host;
use fogtree_serve::legal::Choice::{self, First, Random};
use fogtree_serve::manager::{BadMatch, Match, Options, Participant, Replacement, rules};
use fogtree_serve::message::{Dialect, one_line};
use fogtree_serve::record::{End, Record};

/// Plays a match of HTTP players and checks that nothing at all went wrong.
fn play(name: &str, players: &[(Choice, Dialect)], seed: u64) -> Record {
    let sheet = sheet(name);
    let servers: Vec<_> = players.iter().zip(seed..).map(|(p, seed)| serve(p.0, seed)).collect();
    for (server, choice) in servers.iter().zip(players.iter().map(|p| p.0)) {
        let info =
            contact::info(&*remote(server.address(), Dialect::A).contact, Duration::from_secs(30)).unwrap();
        let name = if choice == First { "first-legal" } else { "random" };
        assert_eq!((info.name.as_deref(), info.available), (Some(name), true));
    }
    let participants = servers.iter().zip(players).map(|(s, p)| remote(s.address(), p.1)).collect();
    let options =
        Options { keep_states: true, seed: fogtree_core::Seed(seed), preview: Some(5), ..options(name) };
    let record = Match::new(&sheet, participants, options).unwrap().play(|_| ());
    check(&record, &sheet);
    let asked = record.preview.iter().chain(&record.start).chain(&record.stop).flatten();
    assert!(
        asked.clone().count() == 3 * players.len() && asked.clone().all(|a| a.error.is_empty()),
        "{record:?}"
    );
    assert_eq!(record.errors().iter().sum::<usize>(), 0, "{record:?}");
    record
}

/// A record that agrees with the rules, and is the same after it was written and read.
fn check(record: &Record, sheet: &Sheet) {
    assert_eq!(record.end, End::Terminal);
    record.replay(sheet).unwrap();
    let text = serde_json::to_string(record).unwrap();
    assert_eq!(Record::parse(&text).unwrap(), *record);
}

#[test]
fn matches_in_plain_gdl() {
    for seed in 1..=3 {
        let record = play("tic-tac-toe", &[(Random, Dialect::Gdl), (Random, Dialect::Gdl)], seed);
        let goals: u8 = record.goals.iter().map(|g| g.unwrap()).sum();
        assert!(goals == 100 && (5..=9).contains(&record.steps.len()), "{record:?}");
        assert!(
            record.steps.iter().all(|s| s.percepts.iter().all(Vec::is_empty)),
            "nobody perceives anything"
        );
    }
    play("breakthrough", &[(First, Dialect::Gdl), (Random, Dialect::Gdl)], 1);
}

#[test]
fn matches_in_dialect_a() {
    for name in ["krieg-tic-tac-toe-3x3", "latent-tic-tac-toe", "phantom-tic-tac-toe", "meier", "kuhn-poker"]
    {
        play(name, &[(Random, Dialect::A), (Random, Dialect::A)], 1);
    }
    let record = play("monty-hall", &[(Random, Dialect::A)], 2);
    assert_eq!(record.players.iter().flatten().count(), 1, "nobody plays random");
}

#[test]
fn matches_in_dialect_b() {
    for name in
        ["krieg-tic-tac-toe-3x3", "latent-tic-tac-toe", "all-in-or-fold", "meier", "blind-breakthrough"]
    {
        play(name, &[(Random, Dialect::B), (Random, Dialect::B)], 3);
    }
    play("monty-hall", &[(First, Dialect::B)], 2);
}

#[test]
fn one_match_may_have_players_of_both_dialects() {
    play("kuhn-poker", &[(Random, Dialect::A), (Random, Dialect::B)], 5);
}

/// Players of GDL-II play plain GDL because every move is a percept of everybody.
#[test]
fn plain_games_are_bridged() {
    for (one, other) in [(Dialect::A, Dialect::B), (Dialect::B, Dialect::Gdl)] {
        let record = play("tic-tac-toe", &[(Random, one), (Random, other)], 7);
        let [first, ..] = &record.steps[..] else { panic!() };
        for percepts in &first.percepts {
            let did = |role: usize| format!("(did {} {})", record.roles[role], first.moves[role]);
            let mut expected = vec![did(0), did(1)];
            expected.sort();
            let mut percepts = percepts.clone();
            percepts.sort();
            assert_eq!(percepts, expected);
        }
    }
}

/// Names mean nothing to anybody: a scrambled sheet is played as well.
#[test]
fn scrambled_sheets_are_played() {
    let plain = sheet("latent-tic-tac-toe");
    let scrambled = fogtree_gdl::Scrambling::new(&plain, fogtree_core::Seed(9)).sheet(&plain);
    let scrambled = rules(scrambled.as_bytes()).unwrap();
    let players = vec![local(Random, 1, Dialect::A), local(Random, 2, Dialect::B)];
    let record = Match::new(&scrambled, players, options("m")).unwrap().play(|_| ());
    check(&record, &scrambled);
    assert_eq!(record.errors(), [0, 0]);
}

#[test]
fn players_in_the_same_program_play_the_same_match() {
    let over_http = play("krieg-tic-tac-toe-3x3", &[(Random, Dialect::B), (Random, Dialect::B)], 11);
    let sheet = sheet("krieg-tic-tac-toe-3x3");
    let players = vec![local(Random, 11, Dialect::B), local(Random, 12, Dialect::B)];
    let seed = fogtree_core::Seed(11);
    let options = Options { keep_states: true, seed, ..options("krieg-tic-tac-toe-3x3") };
    let mut told = 0;
    let inside = Match::new(&sheet, players, options).unwrap().play(|_| told += 1);
    let moves = |record: &Record| record.steps.iter().map(|s| s.moves.clone()).collect::<Vec<_>>();
    assert_eq!(moves(&over_http), moves(&inside));
    assert_eq!((told, &inside.goals), (inside.steps.len(), &over_http.goals));
    assert_eq!(inside.players, [Some("random".to_string()), Some("random".to_string())]);
}

#[test]
fn players_are_free_again_afterwards() {
    let sheet = sheet("tic-tac-toe");
    let hosts = [Arc::new(host(Random, 1)), Arc::new(host(First, 2))];
    let players = || -> Vec<Participant> {
        let player =
            |h: &Arc<Host>| Participant { contact: Box::new(Local(h.clone())), dialect: Dialect::Gdl };
        hosts.iter().map(player).collect()
    };
    for number in 0..3 {
        let record = Match::new(&sheet, players(), options(&format!("m{number}"))).unwrap().play(|_| ());
        check(&record, &sheet);
        assert!(hosts.iter().all(|h| h.matches() == 0));
    }
}

#[test]
fn a_match_can_be_broken_off() {
    let sheet = sheet("tic-tac-toe");
    let hosts = [Arc::new(host(Random, 1)), Arc::new(host(First, 2))];
    let player = |h: &Arc<Host>| Participant { contact: Box::new(Local(h.clone())), dialect: Dialect::Gdl };
    let stop = Arc::new(AtomicBool::new(false));
    let options = Options { stop: Some(stop.clone()), ..options("m") };
    let mut steps = 0;
    let record = Match::new(&sheet, hosts.iter().map(player).collect(), options).unwrap().play(|_| {
        steps += 1;
        stop.store(steps == 2, Ordering::Relaxed);
    });
    assert!(matches!(&record.end, End::Aborted(why) if why.contains("stopped")), "{:?}", record.end);
    assert_eq!((record.steps.len(), &record.goals[..]), (2, &[None, None][..]));
    assert!(record.stop.iter().flatten().all(|a| a.reply == "ABORTED"));
    assert!(hosts.iter().all(|h| h.matches() == 0));
    record.replay(&sheet).unwrap();
    let options = Options { most_steps: 3, ..common::options("m") };
    let players = vec![local(Random, 1, Dialect::Gdl), local(Random, 2, Dialect::Gdl)];
    let long = Match::new(&sheet, players, options).unwrap().play(|_| ());
    assert!(matches!(&long.end, End::Aborted(why) if why.contains("after 3 steps")));
}

/// Rules that leave a role without a move end the match; the players are told.
#[test]
fn a_match_that_cannot_go_on_is_broken_off() {
    let stuck = Sheet::read(
        "(role p) (init a) (<= (legal p m) (true a)) (<= (next b) (does p m)) (<= terminal (true c))",
    );
    let stuck = stuck.unwrap();
    let record = Match::new(&stuck, vec![local(First, 1, Dialect::Gdl)], options("m")).unwrap().play(|_| ());
    assert!(
        matches!(&record.end, End::Aborted(why) if why.contains("p has no legal move")),
        "{:?}",
        record.end
    );
    record.replay(&stuck).unwrap();
}

#[test]
fn matches_that_cannot_be_are_refused() {
    let two = |dialect| vec![local(First, 1, dialect), local(First, 2, dialect)];
    let plain = sheet("tic-tac-toe");
    let hidden = sheet("kuhn-poker");
    assert!(matches!(Match::new(&hidden, two(Dialect::Gdl), options("m")), Err(BadMatch::Hidden)));
    let one = vec![local(First, 1, Dialect::A)];
    let count = Match::new(&hidden, one, options("m")).err().unwrap().to_string();
    assert!(count.contains("1 players for 2 roles"), "{count}");
    for id in ["", "a b", "a(", "?x"] {
        assert!(matches!(Match::new(&plain, two(Dialect::Gdl), options(id)), Err(BadMatch::Id(_))), "{id}");
    }
    assert!(rules(b"(role a").is_err() && rules(b"").is_err() && rules(b"\xff").is_err());
    assert!(Remote::new("127.0.0.1").is_ok() && Remote::new("localhost:1").is_ok());
    assert!(Remote::new("127.0.0.1:x").is_err() && Remote::new("").is_err());
}

/// What random draws depends on the seed and on nothing that players do.
#[test]
fn chance_is_uniform_and_comes_from_the_seed() {
    let sheet = sheet("all-in-or-fold");
    let deal = |seed: u64, choice| {
        let players = vec![local(choice, seed, Dialect::A), local(choice, seed + 1, Dialect::A)];
        let options = Options { seed: fogtree_core::Seed(seed), ..options("m") };
        Match::new(&sheet, players, options).unwrap().play(|_| ()).steps[0].moves[0].clone()
    };
    let mut counts = std::collections::HashMap::new();
    for seed in 0..300 {
        *counts.entry(deal(seed, First)).or_insert(0) += 1;
    }
    assert!((0..10).all(|seed| deal(seed, First) == deal(seed, Random)));
    assert_eq!(counts.len(), 6);
    // Six deals, 50 of each expected; 20.5 is the 0.1 % point of chi-square with 5 degrees of freedom.
    let chi: f64 = counts.values().map(|&n| f64::from(n - 50).powi(2) / 50.0).sum();
    assert!(chi < 20.5, "{counts:?}");
}

#[test]
fn steps_can_be_slowed_down() {
    let sheet = sheet("kuhn-poker");
    let players = vec![local(First, 1, Dialect::A), local(First, 2, Dialect::A)];
    let options = Options { pause: Duration::from_millis(30), ..options("m") };
    let began = std::time::Instant::now();
    let record = Match::new(&sheet, players, options).unwrap().play(|_| ());
    assert!(began.elapsed() >= Duration::from_millis(30) * record.steps.len() as u32);
}

#[test]
fn records_are_checked_against_the_rules() {
    let sheet = sheet("krieg-tic-tac-toe-3x3");
    let players = vec![local(Random, 1, Dialect::A), local(Random, 2, Dialect::A)];
    let options = Options { keep_states: true, replacement: Replacement::First, ..options("m") };
    let record = Match::new(&sheet, players, options).unwrap().play(|_| ());
    let path = std::env::temp_dir().join(format!("fogtree-serve-{}.json", std::process::id()));
    record.write(&path).unwrap();
    assert_eq!(Record::read(&path).unwrap(), record);
    std::fs::remove_file(&path).unwrap();
    let changed = |change: &dyn Fn(&mut Record)| {
        let mut copy = record.clone();
        change(&mut copy);
        copy.replay(&sheet).err().map(|why| why.to_string()).unwrap_or_default()
    };
    let other = |text: &str| if text == "(mark 1 1)" { "(mark 2 2)" } else { "(mark 1 1)" }.to_string();
    assert_eq!(changed(&|_| ()), "");
    for (what, change) in [
        (
            "answered",
            &(|r: &mut Record| r.steps[0].moves[0] = other(&r.steps[0].moves[0])) as &dyn Fn(&mut Record),
        ),
        ("not legal", &|r| r.steps[0].moves[0] = "noop".to_string()),
        ("not legal", &|r| r.steps[0].moves[0] = "(((".to_string()),
        ("perceives", &|r| r.steps[0].percepts[0].clear()),
        ("perceives", &|r| r.steps[0].percepts[1].push("?".to_string())),
        ("which is legal", &|r| r.steps[0].answers[0].as_mut().unwrap().error = "IL x".to_string()),
        ("another", &|r| drop(r.steps[1].state.as_mut().unwrap().pop())),
        ("another", &|r| drop(r.last_state.as_mut().unwrap().pop())),
        ("the goals are", &|r| r.goals[0] = Some(1)),
        ("the goals are", &|r| r.goals[0] = None),
        ("roles", &|r| r.roles.reverse()),
        ("each of 2 roles", &|r| drop(r.steps[0].moves.pop())),
        ("was over", &|r| r.end = End::Aborted(String::new())),
        ("over before", &|r| r.steps.push(r.steps[0].clone())),
    ] {
        let why = changed(change);
        assert!(why.contains(what), "{what}: {why}");
    }
    let cut = changed(&|r| {
        r.steps.truncate(1);
        r.last_state = None;
    });
    assert!(cut.contains("not over"), "{cut}");
    let wrong = record.replay(&common::sheet("tic-tac-toe")).unwrap_err().to_string();
    assert!(wrong.contains("other rules"), "{wrong}");
    // Layout and comments are no part of the rules.
    record.replay(&Sheet::read(&format!("; so\n{}\n", one_line(&sheet).to_uppercase())).unwrap()).unwrap();
    for bad in [
        "",
        "{}",
        "[1]",
        "null",
        &serde_json::to_string(&record).unwrap().replace("\"version\":1", "\"version\":2"),
    ] {
        assert!(Record::parse(bad).is_err());
    }
}

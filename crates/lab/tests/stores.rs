//! What is in a store is what was written, or the store is refused.

use std::path::{Path, PathBuf};
use std::sync::atomic::AtomicBool;

use fogtree_lab::experiment::shards::{Shard, merge};
use fogtree_lab::experiment::{Directory, Plan, Runner, Store, StoreError, export, summarise};
use fogtree_table::Registry;

const FILE: &str = r#"
title = "small"
seed = 7
unit = 3
follow = ["worlds", "chosen"]
[agents]
flat = "flat-mc(iterations={n})"
search = "is-mcts(selection=rm)"
[sweep]
n = [10, 20]
[[cells]]
game = ["kuhn-poker", "mnk(m=3,n=3,k=3)"]
seats = ["flat", "random"]
games = 8
[[cells]]
game = "hearts-round"
seats = ["flat", "random", "random", "random"]
games = 8
[[curves]]
game = "kuhn-poker"
agents = ["search"]
iterations = 200
runs = 2
"#;

fn folder(name: &str) -> PathBuf {
    let path = std::env::temp_dir().join(format!("fogtree-stores-{}-{name}", std::process::id()));
    let _ = std::fs::remove_dir_all(&path);
    std::fs::create_dir_all(&path).unwrap();
    path
}

fn plan(text: &str) -> Plan {
    Plan::of(text, None, &Registry::standard()).unwrap()
}

/// Does what is missing, and says how many games are new.
fn run(plan: &Plan, store: &Store) -> u64 {
    let registry = Registry::standard();
    let runner = Runner { plan, registry: &registry, store, threads: 2 };
    let mut new = 0;
    assert!(runner.run(&AtomicBool::new(false), &mut |p| new = p.new).unwrap());
    store.settle().unwrap();
    new
}

/// All that a store says: every seat of every game, and the curves.
fn content(plan: &Plan, store: &Store) -> Result<String, String> {
    let mut text = Vec::new();
    export::json_lines(plan, store, &mut text).map_err(|why| why.to_string())?;
    for cell in 0..plan.cells.len() {
        let curves = store.curves(cell).map_err(|why| why.to_string())?;
        text.extend(format!("{curves:?}\n").bytes());
    }
    let cells = summarise(plan, store).map_err(|why| why.to_string())?;
    Ok(String::from_utf8(text).unwrap() + &serde_json::to_string(&cells).unwrap())
}

/// What a reader finds in a file, and whether a runner takes it.
fn looked_at(path: &Path, plan: &Plan) -> (Result<String, String>, Result<(), StoreError>) {
    let read = Store::read(path).map_err(|why| why.to_string()).and_then(|(store, kept)| {
        if kept == *plan { content(plan, &store) } else { Err("another plan".to_string()) }
    });
    (read, Store::open(path, plan).map(|_| ()))
}

/// Bits flipped all over the file, cells of all tables changed, rows deleted and added, the file cut off or
/// overwritten: a reader says what was written or refuses, and a runner refuses what a reader refuses.
#[test]
fn no_corruption_is_silently_wrong() {
    let (plan, path) = (plan(FILE), folder("corrupt"));
    let file = path.join("whole.sqlite");
    let store = Store::open(&file, &plan).unwrap();
    run(&plan, &store);
    drop(store);
    let (whole, hurt) = (std::fs::read(&file).unwrap(), path.join("hurt.sqlite"));
    let expected = looked_at(&file, &plan).0.unwrap();
    let (mut tried, mut refused) = (0, 0);
    let mut look = |what: &str, must_refuse: bool| {
        tried += 1;
        let (read, opened) = looked_at(&hurt, &plan);
        for log in ["hurt.sqlite-wal", "hurt.sqlite-shm"] {
            let _ = std::fs::remove_file(path.join(log));
        }
        match (&read, &opened) {
            (Ok(found), Ok(())) => {
                assert!(!must_refuse, "{what}: it was taken");
                assert!(*found == expected, "{what}: silently wrong");
            }
            (Err(_), Err(_)) => refused += 1,
            _ => panic!("{what}: read {:?}, opened {opened:?}", read.map(|_| ())),
        }
    };

    for flip in 0..400 {
        let mut bytes = whole.clone();
        let at = flip * (bytes.len() / 400) + flip * 7 % 97;
        bytes[at] ^= 1 << (flip % 8);
        std::fs::write(&hurt, &bytes).unwrap();
        look(&format!("bit {} of byte {at}", flip % 8), false);
    }
    for at in 0..100 {
        let mut bytes = whole.clone();
        bytes[at] ^= 1 << (at % 8);
        std::fs::write(&hurt, &bytes).unwrap();
        look(&format!("byte {at} of the head"), false);
    }
    for part in 1..16 {
        std::fs::write(&hurt, &whole[..whole.len() * part / 16]).unwrap();
        look(&format!("cut off after {part} parts of 16"), true);
        let mut bytes = whole.clone();
        bytes[whole.len() * part / 16..][..512].fill(0);
        std::fs::write(&hurt, &bytes).unwrap();
        look(&format!("zeros after {part} parts of 16"), false);
    }
    let changes = [
        "UPDATE units SET cell = 99 WHERE cell = 1 AND first = 0",
        "UPDATE units SET first = 1 WHERE cell = 1 AND first = 0",
        "UPDATE units SET count = 2 WHERE cell = 1 AND first = 0",
        "UPDATE units SET sum = sum + 1 WHERE cell = 1",
        "UPDATE units SET sum = NULL",
        "DELETE FROM units WHERE cell = 0 AND first = 3",
        "DELETE FROM games WHERE number = 2",
        "DELETE FROM seats WHERE number < 40",
        "DELETE FROM seats WHERE cell = 4 AND number = 7 AND seat = 3",
        "DELETE FROM followed WHERE place = 0 AND number = 1",
        "DELETE FROM points WHERE done > 100",
        "DELETE FROM meta WHERE key = 'plan'",
        "DELETE FROM meta WHERE key = 'sum'",
        "UPDATE meta SET value = replace(value, 'small', 'smell')",
        "UPDATE meta SET value = replace(value, '\"games\":8', '\"games\":9')",
        "INSERT INTO games VALUES (0, 99, 1, 1, 1)",
        "INSERT INTO seats SELECT cell, number, 9, entrant, role, cheating, reward, score,
            moves, micros, iterations, nodes, depth, mean_depths, place FROM seats WHERE cell = 0 AND number = 0 AND seat = 0",
        "UPDATE games SET deal = deal + 1 WHERE cell = 2 AND number = 4",
        "UPDATE games SET steps = 'many' WHERE cell = 2 AND number = 4",
        "UPDATE seats SET entrant = 77 WHERE cell = 0 AND number = 0",
        "UPDATE seats SET reward = reward + 1e-9 WHERE cell = 3 AND number = 1",
        "UPDATE seats SET score = 1 - score WHERE cell = 3 AND number = 1",
        "UPDATE seats SET role = role || ' ' WHERE cell = 3 AND number = 1",
        "UPDATE seats SET reward = 'x' WHERE cell = 3 AND number = 1",
        "UPDATE seats SET number = number + 8 WHERE cell = 3 AND number = 7",
        "UPDATE points SET nash_conv = nash_conv / 2",
        "UPDATE followed SET value = value + 1 WHERE cell = 4",
        "DROP TABLE followed",
        "DROP TABLE meta",
        "ALTER TABLE seats RENAME COLUMN reward TO rewards",
        "PRAGMA user_version = 2",
        "PRAGMA user_version = 0",
        "PRAGMA user_version = 4",
    ];
    for change in changes {
        std::fs::write(&hurt, &whole).unwrap();
        let connection = rusqlite::Connection::open(&hurt).unwrap();
        connection.execute_batch(change).unwrap();
        connection.close().unwrap();
        look(change, true);
    }
    assert!(tried > 500 && refused > 150, "{refused} of {tried}");
    println!("{refused} of {tried} were refused, the others changed nothing");
    std::fs::remove_dir_all(path).unwrap();
}

/// A store that is damaged says so, what is damaged and what to do.
#[test]
fn what_is_damaged_is_said() {
    let (plan, path) = (plan(FILE), folder("said"));
    let file = path.join("a.sqlite");
    run(&plan, &Store::open(&file, &plan).unwrap());
    let connection = rusqlite::Connection::open(&file).unwrap();
    connection.execute_batch("UPDATE seats SET moves = moves + 1 WHERE cell = 1 AND number = 4").unwrap();
    drop(connection);
    let why = Store::open(&file, &plan).unwrap_err().to_string();
    assert!(
        why.contains("the unit at game 3 of cell 1") && why.contains("run the experiment again"),
        "{why}"
    );
    std::fs::remove_dir_all(path).unwrap();
}

#[test]
fn stores_of_something_else_are_refused() {
    let (plan, path) = (plan(FILE), folder("refused"));
    let file = path.join("a.sqlite");
    drop(Store::open(&file, &plan).unwrap());
    let other = Plan { seed: fogtree_core::Seed(8), ..plan.clone() };
    assert!(matches!(Store::open(&file, &other), Err(StoreError::Other { found, .. }) if found == "small"));
    std::fs::write(path.join("b.sqlite"), "not a database, but long enough to look at: ".repeat(50)).unwrap();
    assert!(matches!(Store::open(&path.join("b.sqlite"), &plan), Err(StoreError::Damaged(_))));
    let newer = rusqlite::Connection::open(&file).unwrap();
    newer.pragma_update(None, "user_version", 99).unwrap();
    drop(newer);
    assert!(matches!(Store::open(&file, &plan), Err(StoreError::Newer { found: 99 })));
    assert!(matches!(Store::read(&file), Err(StoreError::Newer { found: 99 })));
    std::fs::remove_dir_all(path).unwrap();
}

/// More games, more values of the sweep and more cells: what was played before stays, what is new is played,
/// and the result is that of a store that had the larger plan from the start.
#[test]
fn a_finished_experiment_grows() {
    let larger = FILE
        .replace("n = [10, 20]", "n = [5, 10, 20]")
        .replace("games = 8", "games = 11")
        .replace("runs = 2", "runs = 3")
        .replace(
            "[[curves]]",
            "[[cells]]\ngame = \"nim\"\nseats = [\"flat\", \"random\"]\ngames = 2\n[[curves]]",
        );
    let (small, large, path) = (plan(FILE), plan(&larger), folder("grown"));
    let (grown, whole) = (path.join("grown.sqlite"), path.join("whole.sqlite"));
    run(&small, &Store::open(&grown, &small).unwrap());
    let store = Store::open(&grown, &large).unwrap();
    let before: u64 = store.units().unwrap().iter().map(|unit| unit.count).sum();
    assert_eq!(before, 6 * 6 + 2, "of 8 games the last 2 are done again, as part of a whole unit");
    let new = run(&large, &store);
    let at_once = Store::open(&whole, &large).unwrap();
    assert_eq!(run(&large, &at_once), before + new);
    let timeless = |store: &Store| {
        let mut games: Vec<_> = (0..large.cells.len()).map(|cell| store.games(cell).unwrap()).collect();
        games.iter_mut().flatten().flat_map(|g| &mut g.seats).for_each(|s| s.effort.micros = 0);
        let curves: Vec<_> =
            (0..large.cells.len()).map(|cell| store.curves(cell).unwrap().concat()).collect();
        let values = curves.concat().iter().map(|p| (p.done, p.nash_conv)).collect::<Vec<_>>();
        (games, values)
    };
    assert_eq!(timeless(&store), timeless(&at_once));
    drop(store);
    assert_eq!(Store::read(&grown).unwrap().1, large);
    for (from, to) in [("games = 11", "games = 9"), ("seed = 7", "seed = 8"), ("hearts-round", "hearts")] {
        let why = Store::open(&grown, &plan(&larger.replace(from, to))).unwrap_err();
        assert!(matches!(why, StoreError::Other { .. }), "{why}");
    }
    std::fs::remove_dir_all(path).unwrap();
}

/// Results of every seat come with the whole specification of its agent and the values of the sweep.
#[test]
fn exports_say_who_played() {
    let (plan, path) = (plan(FILE), folder("export"));
    let store = Store::open(&path.join("a.sqlite"), &plan).unwrap();
    run(&plan, &store);
    let mut csv = Vec::new();
    export::csv(&plan, &store, &mut csv).unwrap();
    let csv = String::from_utf8(csv).unwrap();
    let head = csv.lines().next().unwrap();
    assert!(head.starts_with("cell,game,number,") && head.ends_with(",depth,place,spec,sweep_n"), "{head}");
    for n in ["10", "20"] {
        assert!(csv.lines().any(|line| line.ends_with(&format!(",flat-mc(iterations={n}),{n}"))), "{csv}");
    }
    assert!(store.made().unwrap()[0].to_string().starts_with("Fogtree "));
    std::fs::remove_dir_all(path).unwrap();
}

/// Sweeps are counted before they are spelt out.
#[test]
fn a_sweep_without_end_is_refused() {
    let values: Vec<String> = (1..=100).map(|n| n.to_string()).collect();
    let sweep: String =
        ["a", "b", "c", "d", "e", "f"].map(|n| format!("{n} = [{}]\n", values.join(","))).concat();
    let text = format!(
        "title = \"a\"\n[agents]\nx = \"flat-mc(iterations={{a}}{{b}}{{c}}{{d}}{{e}}{{f}})\"\n[sweep]\n{sweep}\
         [[cells]]\ngame = \"nim\"\nseats = [\"x\", \"random\"]\ngames = 1"
    );
    let why = Plan::of(&text, None, &Registry::standard()).unwrap_err().to_string();
    assert!(why.contains("more than 100000 cells"), "{why}");
}

/// Files of shards that have no end, and numbers of shards that no experiment has.
#[test]
fn endless_shards_are_refused() {
    let (plan, path, registry) = (plan(FILE), folder("endless"), Registry::standard());
    let store = Store::open(&path.join("a.sqlite"), &plan).unwrap();
    let shard = Shard { number: 0, of: 2 };
    shard.work(&plan, &registry, &path).unwrap();
    let good = std::fs::read_to_string(shard.path(&path)).unwrap();
    let foreign = good.replacen("\"cell\":0", "\"cell\":77", 1);
    for text in [foreign, good.lines().next().unwrap().repeat(9), good.replacen('\n', "\n{}\n", 1)] {
        std::fs::write(shard.path(&path), text).unwrap();
        let merged = merge(&plan, 2, &path, &store).unwrap();
        assert_eq!((merged.units, merged.bad.len()), (0, 1));
    }
    #[cfg(unix)]
    {
        std::fs::remove_file(shard.path(&path)).unwrap();
        std::os::unix::fs::symlink("/dev/zero", shard.path(&path)).unwrap();
        let merged = merge(&plan, 2, &path, &store).unwrap();
        assert!(merged.bad[0].to_string().contains("not a file"), "{:?}", merged.bad);
    }
    let directory = Directory::new(&path);
    directory.divide(u64::MAX).unwrap();
    let why = directory.shard_count(&plan).unwrap_err().to_string();
    assert!(why.contains("units of work"), "{why}");
    std::fs::remove_dir_all(path).unwrap();
}

/// Tournaments of more than two: one against the field, and every choice of players in every order of seats.
#[test]
fn more_than_two_meet() {
    let text = |pairing: &str, agents: &str| {
        format!(
            "title = \"a\"\n[[tournaments]]\ngame = \"liars-dice(players=3,dice=1,faces=3)\"\nagents = {agents}\n\
             pairing = \"{pairing}\"\ngames = 12\n"
        )
    };
    let three = r#"["random", "flat-mc(iterations=5)", "flat-mc(iterations=6)"]"#;
    let field = plan(&text("one-against-field", three));
    let names = |plan: &Plan, cell: usize| {
        plan.cells[cell].agents().iter().map(|a| a.name.clone()).collect::<Vec<_>>()
    };
    assert_eq!(field.cells.len(), 6);
    assert_eq!(names(&field, 0), ["random", "flat-mc(iterations=5)", "flat-mc(iterations=5)"]);

    let all = plan(&text("all-seatings", three));
    assert_eq!(all.cells.len(), 1);
    let path = folder("seatings");
    let store = Store::open(&path.join("a.sqlite"), &all).unwrap();
    run(&all, &store);
    let games = store.games(0).unwrap();
    let mut orders: Vec<Vec<usize>> =
        games.iter().take(6).map(|game| game.seats.iter().map(|seat| seat.entrant).collect()).collect();
    assert!(games[..6].iter().all(|game| game.deal == games[0].deal) && games[6].deal != games[0].deal);
    orders.sort();
    orders.dedup();
    assert_eq!(orders.len(), 6, "every order of three");
    let cells = summarise(&all, &store).unwrap();
    let rates: f64 = cells[0].entrants.iter().map(|entrant| entrant.standing.win_rate).sum();
    assert!((rates - 1.0).abs() < 1e-9 && cells[0].even == Some(1.0 / 3.0));
    let four = r#"["random", "flat-mc(iterations=5)", "flat-mc(iterations=6)", "flat-mc(iterations=7)"]"#;
    assert_eq!(plan(&text("all-seatings", four)).cells.len(), 4);
    let few = Plan::of(&text("all-seatings", r#"["random", "uct"]"#), None, &Registry::standard());
    assert!(few.unwrap_err().to_string().contains("expected 3 to 16 agents"));
    std::fs::remove_dir_all(path).unwrap();
}

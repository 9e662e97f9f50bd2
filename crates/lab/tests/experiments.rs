//! Experiment files, plans, units, stores and shards.

use std::path::PathBuf;
use std::sync::atomic::AtomicBool;

use fogtree_lab::experiment::shards::{Shard, merge};
use fogtree_lab::experiment::{
    Directory, Done, ExperimentFile, Plan, Published, Runner, Store, Unit, Verdict, Worker, published,
    summarise,
};
use fogtree_table::Registry;

const FILE: &str = r#"
title = "small"
seed = 7
unit = 3
[agents]
flat = "flat-mc(iterations={n})"
random = "random"
search = "is-mcts(selection=rm)"
[sweep]
n = [10, 20]
[[cells]]
game = ["kuhn-poker", "phantom-mnk(m=3,n=3,k=3)"]
seats = ["flat", "random"]
games = 8
deals = { set = { seed = 3, count = 2 } }
[[tournaments]]
game = "kuhn-poker"
agents = ["random", "flat"]
pairing = "ordered"
games = 4
[[curves]]
game = "kuhn-poker"
agents = ["search"]
iterations = 500
runs = 2
[scales]
double = 2
"#;

fn folder(name: &str) -> PathBuf {
    let path = std::env::temp_dir().join(format!("fogtree-experiments-{}-{name}", std::process::id()));
    let _ = std::fs::remove_dir_all(&path);
    std::fs::create_dir_all(&path).unwrap();
    path
}

fn plan(text: &str) -> Plan {
    Plan::of(text, None, &Registry::standard()).unwrap()
}

/// A result without what depends on the clock.
fn timeless(mut done: Done) -> Done {
    done.games.iter_mut().flat_map(|g| &mut g.seats).for_each(|s| s.effort.micros = 0);
    done.points.iter_mut().for_each(|p| p.seconds = 0.0);
    done
}

/// Everything in a store but the clocks.
fn content(plan: &Plan, store: &Store) -> Vec<Done> {
    let units = store.units().unwrap();
    let cell = |cell| {
        let games = store.games(cell).unwrap();
        let points = store.curves(cell).unwrap().concat();
        timeless(Done { unit: Unit { cell, first: 0, count: 0 }, games, points })
    };
    assert!(units.len() <= plan.units().len());
    (0..plan.cells.len()).map(cell).collect()
}

#[test]
fn cells_are_spelt_out() {
    let plan = plan(FILE);
    let labels: Vec<String> = plan.cells.iter().map(|cell| cell.label()).collect();
    assert_eq!(labels[0], "kuhn-poker: flat - random, n=10");
    assert_eq!(labels[3], "phantom-mnk(m=3,n=3,k=3): flat - random, n=20");
    // Of the ordered pairs only random against itself has nothing to sweep.
    assert_eq!((labels[4].as_str(), plan.cells.len()), ("kuhn-poker: random - random", 4 + 1 + 3 * 2 + 1));
    let sizes: Vec<u64> = plan.units().iter().filter(|u| u.cell == 0).map(|u| u.count).collect();
    assert_eq!(sizes, [3, 3, 2]);
    let doubled = Plan::of(FILE, Some("double"), &Registry::standard()).unwrap();
    assert_eq!((doubled.cells[0].size(), doubled.cells[4].size()), (16, 8));
}

/// Names that change together make one row of values; pairs may be of two lists, by role.
#[test]
fn rows_and_pairs_are_spelt_out() {
    let text = r#"
        title = "a"
        [agents]
        flat = "flat-mc(iterations={n})"
        pimc = "pimc(determinizations={d},iterations={s})"
        random = "random"
        [sweep]
        n = [10, 20]
        "d, s" = [[1, 100], [4, 25]]
        [[tournaments]]
        game = "kuhn-poker"
        agents = ["pimc"]
        against = ["flat", "random"]
        roles = ["second", "first"]
        pairing = "ordered"
        games = 4
        [[claims]]
        text = "it matters"
        trend = { agent = "pimc", role = "second", against = "random", over = "d", at_least = 0 }
    "#;
    let plan = plan(text);
    let labels: Vec<String> = plan.cells.iter().map(|cell| cell.label()).collect();
    let against_flat = [(1, 10), (4, 10), (1, 20), (4, 20)];
    for (d, n) in against_flat {
        let label = format!("kuhn-poker: second=pimc - first=flat, d={d}, n={n}");
        assert_eq!(labels.iter().filter(|l| **l == label).count(), 1, "{labels:?}");
    }
    assert_eq!(labels[4..], [1, 4].map(|d| format!("kuhn-poker: second=pimc - first=random, d={d}")));
    let last = plan.cells[5].series(plan.seed, &plan.follow).unwrap();
    assert!(format!("{:?}", last.seats).contains("pimc(determinizations=4,iterations=25)"));
    for (from, to, why) in [
        ("[4, 25]", "[4]", "one value for each of 'd, s'"),
        ("[4, 25]", "4", "one value for each of 'd, s'"),
        ("ordered", "round-robin", "only ordered pairs"),
        ("over = \"d\"", "over = \"s\"", "'s'"),
    ] {
        let error = Plan::of(&text.replace(from, to), None, &Registry::standard()).unwrap_err().to_string();
        assert!(error.contains(why), "{error}");
    }
}

/// First decisions are nobody's win; asking everywhere makes one point a run.
#[test]
fn decisions_and_strategies_are_measured() {
    let text = r#"
        title = "a"
        [agents]
        deep = "so-ismcts(iterations=400)"
        shallow = "so-ismcts(iterations=20)"
        [[searches]]
        game = "phantom-mnk(m=3,n=3,k=3)"
        agents = ["deep", "shallow"]
        trials = 5
        [[curves]]
        game = "kuhn-poker"
        agents = ["deep"]
        samples = 3
        runs = 2
        [[claims]]
        text = "more iterations make more nodes"
        search = { agent = "deep", per = "shallow", figure = "nodes", at_least = 2 }
        [[claims]]
        text = "it is no equilibrium"
        curve = { agent = "deep", at_least = 1e-6 }
    "#;
    let (plan, registry, path) = (plan(text), Registry::standard(), folder("decisions"));
    let store = Store::open(&path.join("store.sqlite"), &plan).unwrap();
    let worker = Worker::new(&plan, &registry);
    plan.units().iter().for_each(|unit| store.keep(&worker.run(unit).unwrap()).unwrap());
    let cells = summarise(&plan, &store).unwrap();
    let [curve, first, _] = cells.as_slice() else { panic!("three cells") };
    let deep = &first.entrants[0];
    assert_eq!((first.done, deep.search.iterations), (5, 400.0));
    assert_eq!((deep.standing.wins, deep.standing.draws, deep.standing.losses), (0, 0, 0));
    assert_eq!((curve.done, curve.ends.len(), curve.curve[0].done), (2, 2, 3));
    assert!(curve.ends.iter().all(|&end| end > 0.0));
    let claims = ExperimentFile::read(text).unwrap().claims;
    assert_eq!(claims[0].judge(&cells).unwrap().verdict, Verdict::Reproduced);
    assert_eq!(claims[1].judge(&cells).unwrap().games, 2);
    let both = text.replace("samples = 3", "samples = 3\niterations = 3");
    let error = Plan::of(&both, None, &registry).unwrap_err().to_string();
    assert!(error.contains("either iterations or samples"), "{error}");
    std::fs::remove_dir_all(path).unwrap();
}

/// A scale may change the sweep; several players take one place in turn; claims may take several of them together.
#[test]
fn scales_change_sweeps_and_players_take_turns() {
    let text = r#"
        title = "turns"
        [agents]
        a = "flat-mc(iterations={n})"
        b = "random"
        other = "random"
        [sweep]
        n = [100, 200]
        [[cells]]
        game = "mnk(m=3,n=3,k=3)"
        seats = ["player", "other"]
        player = ["a", "b"]
        games = 10
        [scales]
        small = { factor = 0.5, sweep = { n = [5] } }
        [[claims]]
        text = "two players together win what they win"
        gain = { agent = ["a", "b"], over = ["a", "b"], at_least = -0.1, at_most = 0.1 }
        [[claims]]
        text = "this is not played at a small scale"
        only = { n = "200" }
        share = { agent = "a", at_least = 0.5 }
    "#;
    let registry = Registry::standard();
    let names = |plan: &Plan| plan.cells.iter().map(|cell| cell.label()).collect::<Vec<_>>();
    let game = "mnk(m=3,n=3,k=3)";
    let whole = plan(text);
    assert_eq!(
        names(&whole),
        [
            format!("{game}: a - other, n=100"),
            format!("{game}: a - other, n=200"),
            format!("{game}: b - other")
        ]
    );
    let small = Plan::of(text, Some("small"), &registry).unwrap();
    assert_eq!(names(&small), [format!("{game}: a - other, n=5"), format!("{game}: b - other")]);
    assert_eq!(small.cells[0].size(), 5);
    let path = folder("turns");
    let store = Store::open(&path.join("a.sqlite"), &small).unwrap();
    let runner = Runner { plan: &small, registry: &registry, store: &store, threads: 1 };
    assert!(runner.run(&AtomicBool::new(false), &mut |_| ()).unwrap());
    let (cells, file) = (summarise(&small, &store).unwrap(), ExperimentFile::read(text).unwrap());
    let findings: Vec<_> = file.claims.iter().map(|claim| claim.judge(&cells).unwrap()).collect();
    assert_eq!((findings[0].measured, findings[0].games), (Some(0.0), 20));
    assert_eq!((findings[1].games, findings[1].verdict), (0, Verdict::Inconclusive { more: None }));
    let wrong = text.replace("sweep = { n = [5] }", "sweep = { m = [5] }");
    let error = Plan::of(&wrong, None, &registry).unwrap_err().to_string();
    assert!(error.contains("the sweep has no 'm'"), "{error}");
    std::fs::remove_dir_all(path).unwrap();
}

#[test]
fn scales_are_numbers_above_zero() {
    for scale in ["inf", "nan", "-1", "0"] {
        let text = FILE.replace("double = 2", &format!("double = {scale}"));
        let error = Plan::of(&text, Some("double"), &Registry::standard()).unwrap_err().to_string();
        assert!(error.contains("scale 'double': expected a number above 0"), "{error}");
    }
}

#[test]
fn what_is_wrong_with_a_file_is_said_with_its_place() {
    let cases = [
        ("title = 3", "line 1, column 9"),
        ("title = \"a\"\nbetter = 1", "line 2, column 1: unknown field `better`"),
        ("title = \"a\"", "nothing to do"),
        (
            "title = \"a\"\n[agents]\na = \"random\"\n[[cells]]\ngame = \"nim\"\nseats = [\"a\", \"a\"]\ngames = 1000000000000000000",
            "fewer games",
        ),
        (
            "title = \"a\"\n[agents]\na = \"random\"\n[[cells]]\ngame = \"nim\"\nseats = [\"b\", \"a\"]\ngames = 1",
            "line 6, column 10: no agent is called 'b'; there are: a; and those of `fogtree agents`",
        ),
        (
            "title = \"a\"\n[agents]\na = \"randon\"\n[[cells]]\ngame = \"nim\"\nseats = [\"a\", \"a\"]\ngames = 1",
            "random",
        ),
        (
            "title = \"a\"\n[agents]\na = \"random\"\n[[cells]]\ngame = \"nin\"\nseats = [\"a\", \"a\"]\ngames = 1",
            "line 5, column 8",
        ),
        (
            "title = \"a\"\n[agents]\na = \"random\"\n[[cells]]\ngame = \"nim\"\nseats = [\"a\"]\ngames = 1",
            "nim is for 2 players, but there are 1 seats",
        ),
        (
            "title = \"a\"\n[[cells]]\ngame = \"nim\"\nseats = [\"b\", \"random\"]\ngames = 1",
            "none in [agents]",
        ),
        (
            "title = \"a\"\n[[cells]]\ngame = \"nin\"\nseats = [\"random\", \"flat-mc(iterations=3)\"]\ngames = 1",
            "line 3, column 8",
        ),
        (
            "title = \"a\"\n[[tournaments]]\ngame = \"hearts-round\"\nagents = [\"random\", \"flat-mc\"]\npairing = \"gauntlet\"\ngames = 1",
            "line 3, column 8: the game is for 4 players; pairing: one-against-field or all-seatings",
        ),
        (
            "title = \"a\"\n[agents]\na = \"random\"\n[[cells]]\ngame = \"nim\"\nseats = [\"a\", \"a\"]\ngames = 0",
            "line 7, column 9: expected at least 1",
        ),
        (
            "title = \"a\"\n[agents]\na = \"random\"\n[[cells]]\ngame = \"nim\"\ngames = 1",
            "either seats or roles",
        ),
        (
            "title = \"a\"\n[agents]\na = \"random\"\n[[cells]]\ngame = \"nim\"\nseats = [\"a\", \"a\"]\ngames = 9\nuntil = { elo = [5, 5] }",
            "line 8, column 9: until: elo = [5, 5]: expected two rising numbers",
        ),
        (
            "title = \"a\"\n[agents]\na = \"random\"\n[[cells]]\ngame = \"dou-di-zhu\"\nseats = [\"a\", \"a\", \"a\"]\ngames = 9\nuntil = { elo = [0, 5] }",
            "line 8, column 9: until: only matches between two",
        ),
    ];
    for (text, expected) in cases {
        let error = Plan::of(text, None, &Registry::standard()).unwrap_err().to_string();
        assert!(error.contains(expected), "{text}\n{error}");
    }
}

/// A unit comes out the same on any machine: nothing but the plan and the unit goes in.
#[test]
fn units_are_idempotent() {
    let (plan, registry) = (plan(FILE), Registry::standard());
    for unit in plan.units() {
        let written = serde_json::to_string(&unit).unwrap();
        let read: Unit = serde_json::from_str(&written).unwrap();
        let again: Plan = serde_json::from_str(&serde_json::to_string(&plan).unwrap()).unwrap();
        let a = timeless(Worker::new(&plan, &registry).run(&unit).unwrap());
        let b = timeless(Worker::new(&again, &registry).run(&read).unwrap());
        assert_eq!(a, b);
    }
}

#[test]
fn runs_resume_and_shards_merge_to_the_same_store() {
    let (plan, registry, path) = (plan(FILE), Registry::standard(), folder("merge"));
    let whole = Store::open(&path.join("whole.sqlite"), &plan).unwrap();
    let runner = |store, threads| Runner { plan: &plan, registry: &registry, store, threads };
    let mut told = Vec::new();
    let go = AtomicBool::new(false);
    assert!(runner(&whole, 2).run(&go, &mut |p| told.push((p.done, p.of))).unwrap());
    assert_eq!((told[0].0, told[told.len() - 1].0), (0, told[0].1));
    let expected = content(&plan, &whole);

    let parts = Store::open(&path.join("parts.sqlite"), &plan).unwrap();
    let worker = Worker::new(&plan, &registry);
    for unit in plan.units().iter().step_by(2) {
        parts.keep(&worker.run(unit).unwrap()).unwrap();
        parts.keep(&worker.run(unit).unwrap()).unwrap();
    }
    assert!(runner(&parts, 1).run(&go, &mut |_| ()).unwrap());
    assert_eq!(content(&plan, &parts), expected);

    let shards = path.join("shards");
    let merged = Store::open(&path.join("merged.sqlite"), &plan).unwrap();
    for number in [3, 0, 2] {
        Shard { number, of: 4 }.work(&plan, &registry, &shards).unwrap();
    }
    let result = merge(&plan, 4, &shards, &merged).unwrap();
    assert_eq!((result.missing, result.bad), (vec![1], vec![]));
    Shard { number: 1, of: 4 }.work(&plan, &registry, &shards).unwrap();
    assert_eq!(merge(&plan, 4, &shards, &merged).unwrap().missing, Vec::<u64>::new());
    assert_eq!(content(&plan, &merged), expected);

    let damaged = Shard { number: 2, of: 4 }.path(&shards);
    let text = std::fs::read_to_string(&damaged).unwrap();
    for broken in
        [text.replacen("\"reward\":", "\"reward\":1", 1), text[..text.len() / 2].to_string(), String::new()]
    {
        std::fs::write(&damaged, broken).unwrap();
        let result = merge(&plan, 4, &shards, &merged).unwrap();
        assert_eq!((result.missing, result.bad.len()), (vec![2], 1));
        assert_eq!(content(&plan, &merged), expected, "the store is left alone");
    }
    std::fs::remove_dir_all(path).unwrap();
}

/// A sequential test ends a match as soon as it is settled, after the same games however many threads play, whatever
/// was there before, and when shards are merged.
#[test]
fn a_settled_match_is_not_played_on() {
    let text = r#"
        title = "settled"
        unit = 5
        [agents]
        flat = "flat-mc(iterations=60)"
        random = "random"
        [[cells]]
        game = "mnk(m=3,n=3,k=3)"
        seats = ["flat", "random"]
        games = 400
        until = { elo = [0, 100] }
        [[tournaments]]
        game = "mnk(m=3,n=3,k=3)"
        agents = ["random", "flat"]
        pairing = "round-robin"
        games = 400
        until = { elo = [0, 100], alpha = 0.01, beta = 0.01 }
    "#;
    let (plan, registry, path) = (plan(text), Registry::standard(), folder("settled"));
    let go = AtomicBool::new(false);
    let run = |name: &str, threads| {
        let store = Store::open(&path.join(name), &plan).unwrap();
        let runner = Runner { plan: &plan, registry: &registry, store: &store, threads };
        let mut last = None;
        assert!(runner.run(&go, &mut |p| last = Some((p.done, p.of))).unwrap());
        (store, last.unwrap())
    };
    let (one, (done, of)) = run("one.sqlite", 1);
    assert!(done == of && of < 200, "{done} of {of}");
    let expected = content(&plan, &one);
    let (four, _) = run("four.sqlite", 4);
    assert_eq!(content(&plan, &four), expected);

    let cells = summarise(&plan, &one).unwrap();
    let settled: Vec<_> = cells.iter().map(|cell| cell.settled.unwrap()).collect();
    assert!(settled[0].stronger && !settled[1].stronger, "{settled:?}");
    for (cell, settled) in cells.iter().zip(settled) {
        assert_eq!((cell.done, cell.of), (settled.games, settled.games));
        assert!(settled.games % 5 == 0 && settled.games >= 20, "{settled:?}");
        assert!(cell.p.unwrap() < 1e-3 && cell.p_of_all.unwrap() >= cell.p.unwrap());
    }

    let partial = Store::open(&path.join("later.sqlite"), &plan).unwrap();
    let worker = Worker::new(&plan, &registry);
    for unit in plan.units().iter().rev().step_by(7) {
        partial.keep(&worker.run(unit).unwrap()).unwrap();
    }
    drop(partial);
    assert_eq!(content(&plan, &run("later.sqlite", 2).0), expected);

    let merged = Store::open(&path.join("merged.sqlite"), &plan).unwrap();
    for number in 0..3 {
        Shard { number, of: 3 }.work(&plan, &registry, &path).unwrap();
    }
    merge(&plan, 3, &path, &merged).unwrap();
    assert_eq!(content(&plan, &merged), expected);
    std::fs::remove_dir_all(path).unwrap();
}

/// What is read back from a Parquet file is what the comma-separated values say.
#[cfg(feature = "parquet")]
#[test]
fn parquet_holds_the_same_rows() {
    use fogtree_lab::experiment::export;
    use parquet::file::reader::{FileReader, SerializedFileReader};
    use parquet::record::RowAccessor;

    let (plan, registry, path) = (plan(FILE), Registry::standard(), folder("parquet"));
    let store = Store::open(&path.join("a.sqlite"), &plan).unwrap();
    let runner = Runner { plan: &plan, registry: &registry, store: &store, threads: 2 };
    assert!(runner.run(&AtomicBool::new(false), &mut |_| ()).unwrap());
    let (mut csv, file) = (Vec::new(), path.join("a.parquet"));
    export::csv(&plan, &store, &mut csv).unwrap();
    export::parquet(&plan, &store, std::fs::File::create(&file).unwrap()).unwrap();
    let reader = SerializedFileReader::new(std::fs::File::open(&file).unwrap()).unwrap();
    let rows: Vec<_> = reader.get_row_iter(None).unwrap().map(Result::unwrap).collect();
    let csv = String::from_utf8(csv).unwrap();
    let lines: Vec<&str> = csv.lines().skip(1).collect();
    assert_eq!((rows.len(), lines.len()), (2 * (4 * 8 + 7 * 4), 120));
    for (row, line) in rows.iter().zip(lines) {
        let game = row.get_string(1).unwrap();
        let quoted = if game.contains(',') { format!("\"{game}\"") } else { game.clone() };
        let head = format!("{},{quoted},{},", row.get_long(0).unwrap(), row.get_long(2).unwrap());
        assert!(line.starts_with(&head), "{line} {head}");
        let part = format!(
            ",{},{},{},{},{},{},",
            row.get_string(6).unwrap(),
            row.get_string(7).unwrap(),
            row.get_bool(8).unwrap(),
            row.get_double(9).unwrap(),
            row.get_double(10).unwrap(),
            row.get_long(11).unwrap()
        );
        assert!(line.contains(&part), "{line} {part}");
    }
    std::fs::remove_dir_all(path).unwrap();
}

/// What a player believes is kept with every decision: in the smallest game of spies and resistance, a spy is sure of
/// the truth, and whoever is not begins with the prior.
#[test]
fn beliefs_are_followed_from_decision_to_decision() {
    let text = r#"
title = "who believes what"
follow = ["truth", "log-loss"]
unit = 2
[agents]
plain = "mt-mo-ismcts(iterations=20,infer=off)"
random = "random"
[[cells]]
game = "resistance"
roles = { spies = "plain", resistance = "plain" }
games = 4
[[cells]]
game = "resistance"
roles = { spies = "random", resistance = "random" }
games = 2
"#;
    let (plan, registry, path) = (plan(text), Registry::standard(), folder("followed"));
    let store = Store::open(&path.join("a.sqlite"), &plan).unwrap();
    let worker = Worker::new(&plan, &registry);
    let mut made = Vec::new();
    for unit in plan.units() {
        let done = worker.run(&unit).unwrap();
        store.keep(&done).unwrap();
        made.extend(done.games.into_iter().filter(|_| unit.cell == 0));
    }
    assert_eq!(store.games(0).unwrap(), made, "what is kept is what was followed");
    for seat in made.iter().flat_map(|game| &game.seats) {
        assert!(!seat.followed.is_empty());
        let [truth, loss] = &seat.followed[..2] else { panic!("two numbers a decision") };
        assert_eq!((truth.name.as_str(), loss.name.as_str()), ("truth", "log-loss"));
        let prior = if seat.role == "spies" { 1.0 } else { 1.0 / 6.0 };
        assert!((truth.value - prior).abs() < 1e-9, "two of the four others are spies: {truth:?}");
        assert!((loss.value + prior.ln()).abs() < 1e-9);
        assert!(truth.step >= 1, "after the deal");
        let episodes: Vec<_> = seat.followed.iter().map(|f| f.episode.unwrap()).collect();
        assert!(episodes.is_sorted() && episodes[0] == 1, "missions in order: {episodes:?}");
    }
    assert!(store.games(1).unwrap().iter().flat_map(|game| &game.seats).all(|seat| seat.followed.is_empty()));
    let cells = fogtree_lab::experiment::summarise(&plan, &store).unwrap();
    assert!(cells[0].entrants.iter().all(|entrant| !entrant.trajectories.is_empty()));
    drop(store);

    // A store of the first version has no place for what is followed, nor for places and sums, and every
    // first place is a whole one. It is read all the same, and brought up to date when it is opened.
    let old = rusqlite::Connection::open(path.join("a.sqlite")).unwrap();
    let earlier = "DROP TABLE followed; ALTER TABLE units DROP COLUMN sum; ALTER TABLE seats DROP COLUMN place;
        UPDATE seats SET score = 1 WHERE score > 0; DELETE FROM meta WHERE key <> 'plan'; PRAGMA user_version = 1;";
    old.execute_batch(earlier).unwrap();
    drop(old);
    let unfollowed = |store: &Store| {
        let mut games = made.clone();
        games.iter_mut().flat_map(|game| &mut game.seats).for_each(|seat| seat.followed.clear());
        assert_eq!(store.games(0).unwrap(), games);
    };
    let (read, _) = Store::read(&path.join("a.sqlite")).unwrap();
    unfollowed(&read);
    drop(read);
    for _ in 0..2 {
        unfollowed(&Store::open(&path.join("a.sqlite"), &plan).unwrap());
    }
    std::fs::remove_dir_all(path).unwrap();
}

/// What a game counts is followed like what agents report, one number for each seat and game: early attacks in
/// TUBSTAP and what is left of the armies (`tubstap/1.11`).
#[test]
fn what_a_game_counts_is_followed() {
    let text = r#"
title = "who attacks early"
follow = ["attacks-0-5", "hp", "no-such-thing"]
unit = 2
[agents]
eager = "policy(name=always)"
random = "random"
[[cells]]
game = "tubstap(map=pass)"
seats = ["eager", "random"]
games = 6
"#;
    let (plan, registry, path) = (plan(text), Registry::standard(), folder("counted"));
    let store = Store::open(&path.join("a.sqlite"), &plan).unwrap();
    let worker = Worker::new(&plan, &registry);
    let mut made = Vec::new();
    for unit in plan.units() {
        let done = worker.run(&unit).unwrap();
        store.keep(&done).unwrap();
        made.extend(done.games);
    }
    assert_eq!(store.games(0).unwrap(), made, "what is kept is what was counted");
    let mut attacks = 0.0;
    for game in &made {
        for seat in &game.seats {
            let mut found: Vec<(&str, f64)> =
                seat.followed.iter().map(|f| (f.name.as_str(), f.value)).collect();
            found.sort_by_key(|f| f.0);
            let [("attacks-0-5", early), ("hp", left)] = found[..] else { panic!("{found:?}") };
            assert!((0.0..=20.0).contains(&left) && early.fract() == 0.0, "{found:?}");
            attacks += early;
        }
    }
    assert!(attacks > 0.0, "two armies around one mountain meet");
    drop(store);
    std::fs::remove_dir_all(path).unwrap();
}

#[test]
fn only_one_runner_at_a_time() {
    let directory = Directory::new(folder("lock"));
    let first = directory.lock().unwrap();
    assert!(directory.lock().unwrap_err().to_string().contains("another program"));
    assert!(directory.is_taken());
    drop(first);
    assert!(!directory.is_taken());
    assert!(directory.lock().is_ok());
    std::fs::remove_dir_all(directory.path()).unwrap();
}

/// Every published experiment can be done as it stands, and each of its claims is about something in it.
#[test]
fn published_experiments_can_be_planned_and_judged() {
    let (registry, path) = (Registry::standard(), folder("published"));
    for Published { id, text, file } in published().into_iter().filter(|e| e.file.tests.is_empty()) {
        let plan = Plan::of(text, Some("quick"), &registry).unwrap_or_else(|why| panic!("{id}: {why}"));
        let store = Store::open(&path.join(id.replace('/', "-")), &plan).unwrap();
        let cells = summarise(&plan, &store).unwrap();
        for claim in &file.claims {
            let finding = claim.judge(&cells).unwrap_or_else(|why| panic!("{id}: {why}"));
            assert_eq!(finding.verdict, Verdict::Inconclusive { more: None }, "nothing has been played yet");
        }
    }
    std::fs::remove_dir_all(path).unwrap();
}

/// A million rows are summed up in a few seconds, whatever the machine is doing.
#[test]
fn large_stores_are_summed_up_quickly() {
    let text = FILE.replace("games = 8", "games = 500000").replace("unit = 3", "unit = 5000");
    let (plan, path) = (plan(&text), folder("large"));
    let store = Store::open(&path.join("large.sqlite"), &plan).unwrap();
    let worker = {
        let registry = Registry::standard();
        Worker::new(&plan, &registry).run(&Unit { cell: 0, first: 0, count: 1 }).unwrap()
    };
    let template = worker.games[0].clone();
    for unit in plan.units().into_iter().filter(|u| u.cell == 0) {
        let games = (unit.first..unit.first + unit.count).map(|number| {
            let mut game = template.clone();
            game.number = number;
            game
        });
        store.keep(&Done { unit: unit.clone(), games: games.collect(), points: Vec::new() }).unwrap();
    }
    let clock = std::time::Instant::now();
    let summary = summarise(&plan, &store).unwrap();
    assert_eq!(summary[0].done, 500_000);
    assert!(clock.elapsed().as_secs() < 15, "{:?}", clock.elapsed());
    std::fs::remove_dir_all(path).unwrap();
}

use std::sync::atomic::AtomicBool;

use fogtree_table::Registry;

use super::*;
use crate::experiment::{Plan, Runner, Store, summarise};

/// What is known of all cells of a file that was played to its end.
fn played(name: &str, text: &str) -> Vec<CellSummary> {
    let registry = Registry::standard();
    let plan = Plan::of(text, None, &registry).unwrap();
    let path = std::env::temp_dir().join(format!("fogtree-report-{}-{name}.sqlite", std::process::id()));
    let store = Store::open(&path, &plan).unwrap();
    let runner = Runner { plan: &plan, registry: &registry, store: &store, threads: 2 };
    assert!(runner.run(&AtomicBool::new(false), &mut |_| ()).unwrap());
    let cells = summarise(&plan, &store).unwrap();
    drop(store);
    std::fs::remove_file(path).unwrap();
    cells
}

fn pictures(cells: &[CellSummary]) -> Vec<Picture> {
    let report = Report {
        title: "",
        source: None,
        notes: None,
        cells,
        findings: &[],
        file: "",
        command: "",
        made: &[],
    };
    report.pictures()
}

/// Four at a table are even at a quarter; a game of points has a picture of rewards; equal entrants are one
/// row.
#[test]
fn games_for_four_are_even_at_a_quarter() {
    let text = r#"
        title = "four"
        [agents]
        a = "random"
        [[cells]]
        game = "hearts-round"
        seats = ["a", "random", "random", "random"]
        games = 40
    "#;
    let cells = played("four", text);
    let names: Vec<&str> = cells[0].entrants.iter().map(|e| e.name.as_str()).collect();
    assert_eq!(names, ["a", "random"], "equal entrants are taken together");
    let [one, field] = &cells[0].entrants[..] else { panic!("two") };
    assert_eq!((one.standing.games, field.standing.games), (40, 40));
    assert!((one.standing.win_rate + 3.0 * field.standing.win_rate - 1.0).abs() < 1e-9);
    let places = one.standing.mean_place.unwrap() + 3.0 * field.standing.mean_place.unwrap();
    assert!((places - 10.0).abs() < 1e-9, "places 1 to 4: {places}");
    let played: Vec<&CellSummary> = cells.iter().collect();
    let bars = bars("hearts-round", &played, Measure::WinRate);
    assert_eq!(bars.axis.references.iter().map(|r| r.value).collect::<Vec<_>>(), [0.25]);
    let pictures = pictures(&cells);
    assert_eq!(pictures.iter().filter(|p| p.name.ends_with("-rewards")).count(), 1);
    assert!(matches(&cells).markdown().contains("| place |"));
}

/// One against the field: a map of who does what alone, around a third; equals are not tested for being even.
#[test]
fn one_against_the_field_is_a_map() {
    let text = r#"
        title = "field"
        [[tournaments]]
        game = "liars-dice(players=3,dice=1,faces=3)"
        agents = ["random", "flat-mc(iterations=5)", "flat-mc(iterations=6)"]
        pairing = "one-against-field"
        games = 6
    "#;
    let cells = played("field", text);
    assert!(cells.iter().all(|cell| cell.p.is_none() && cell.entrants.len() == 2));
    let played: Vec<&CellSummary> = cells.iter().collect();
    let map = heat("liars-dice", &played, Measure::WinRate).unwrap();
    assert_eq!(map.middle, 1.0 / 3.0);
    assert_eq!(map.cells[0][1], Some(cells[0].entrants[0].standing.win_rate));
    assert_eq!(map.cells[0][0], None);
}

/// Who wins money need not win often: both are drawn. Where a reward is 1 for a win, wins alone are.
#[test]
fn rewards_are_drawn_where_they_say_more() {
    let text = r#"
        title = "money"
        [agents]
        a = "random"
        b = "flat-mc(iterations=20)"
        c = "flat-mc(iterations=21)"
        [[tournaments]]
        game = ["leduc-poker", "mnk(m=3,n=3,k=3)"]
        agents = ["a", "b", "c"]
        pairing = "round-robin"
        games = 30
    "#;
    let names: Vec<String> = pictures(&played("money", text)).into_iter().map(|p| p.name).collect();
    let expected = ["1-leduc-poker-pairs", "2-leduc-poker-pairs-rewards", "3-leduc-poker-rewards"];
    assert_eq!(names[..3], expected);
    assert_eq!(names[3..], ["4-mnk-m-3-n-3-k-3-pairs"]);
}

/// First decisions are nobody's win, and nothing is drawn of them.
#[test]
fn cells_without_games_have_no_bars() {
    let text = r#"
        title = "decisions"
        [[searches]]
        game = "kuhn-poker"
        agents = ["so-ismcts(iterations=20)"]
        trials = 3
    "#;
    assert_eq!(pictures(&played("decisions", text)), []);
}

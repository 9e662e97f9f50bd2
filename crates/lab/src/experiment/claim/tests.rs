//! Claims against made-up results.

use fogtree_table::wire::Standing;

use super::*;
use crate::experiment::summary::Entrant;
use crate::follow::{Followed, Trajectory};

/// A file with one claim, given as a line.
fn file(claim: &str) -> String {
    format!(
        r#"title = "small"
follow = ["truth"]
[agents]
a = "random"
b = "random"
[sweep]
n = [1, 2]
"d,s" = [[1, 100], [4, 25]]
word = ["x"]
[[cells]]
game = "nim"
roles = {{ first = "a", second = "b" }}
games = 10
[[claims]]
text = "claim"
{claim}
"#
    )
}

fn claim(text: &str) -> ClaimTable {
    ExperimentFile::read(&file(text)).unwrap_or_else(|why| panic!("{text}: {why}")).claims.remove(0)
}

fn error(text: &str) -> String {
    ExperimentFile::read(&file(text)).unwrap_err().to_string()
}

/// An entrant that won so many of its results in so many games, with rewards 0 and 1.
fn entrant(name: &str, role: &str, (wins, results): (u64, u64), games: u64) -> Entrant {
    let (share, n) = (wins as f64 / results as f64, games as f64);
    let standing = Standing {
        mean_place: None,
        agent: "random".to_string(),
        role: Some(role.to_string()),
        cheating: false,
        games,
        wins,
        draws: 0,
        losses: results - wins,
        win_rate: share,
        low: 0.0,
        high: 1.0,
        mean_reward: share,
        reward_error: (share * (1.0 - share) / n).sqrt(),
        elo: None,
        seconds_per_move: 0.0,
    };
    let (trajectories, scores) = (Vec::new(), Vec::new());
    Entrant { name: name.to_string(), standing, search: SearchFigures::default(), trajectories, scores }
}

/// A match of so many games in which `a` won some.
fn cell(values: &[(&str, &str)], wins: u64, games: u64) -> CellSummary {
    CellSummary {
        even: None,
        cell: 0,
        label: String::new(),
        game: "nim".to_string(),
        values: values.iter().map(|(n, v)| (n.to_string(), v.to_string())).collect(),
        done: games,
        of: games,
        settled: None,
        p: None,
        p_of_all: None,
        entrants: vec![
            entrant("a", "first", (wins, games), games),
            entrant("b", "second", (games - wins, games), games),
        ],
        searcher: None,
        curve: Vec::new(),
        ends: Vec::new(),
    }
}

fn search_of(agent: &str, ends: &[f64]) -> CellSummary {
    let searcher = Some(agent.to_string());
    CellSummary { entrants: Vec::new(), searcher, ends: ends.to_vec(), ..cell(&[], 0, 1) }
}

#[track_caller]
fn close(found: Option<f64>, expected: f64) {
    assert!((found.unwrap() - expected).abs() < 1e-5, "{found:?} is not {expected}");
}

#[test]
fn names_that_are_not_there_are_errors_with_their_place() {
    let agents = "no agent is called 'c'; there are: a, b";
    assert_eq!(error(r#"stronger = ["a", "c"]"#), format!("line 16, column 18: {agents}"));
    assert_eq!(error(r#"share = { agent = "c", at_least = 0 }"#), format!("line 16, column 19: {agents}"));
    assert!(error(r#"gain = { agent = "a", over = "c", at_least = 0 }"#).contains("line 16, column 30"));
    assert!(error(r#"reward = { agent = "a", against = "c", at_least = 0 }"#).contains(agents));
    assert!(error(r#"search = { agent = "a", per = "c", figure = "depth", at_least = 0 }"#).contains(agents));
    assert!(error(r#"curve = { agent = "c", at_most = 0 }"#).contains(agents));
    assert!(error(r#"order = ["a", "c"]"#).contains(agents));
    assert!(error(r#"share = { agent = "a", role = "third", at_least = 0 }"#).contains("the role 'third'"));
    assert!(error(r#"search = { agent = "a", figure = "width", at_least = 0 }"#).contains("unknown variant"));
    let trend = |over: &str, log| {
        error(&format!(r#"trend = {{ agent = "a", over = "{over}", log = {log}, at_least = 0 }}"#))
    };
    assert!(trend("m", true).contains("line 16, column 31: no positive numbers called 'm' are swept"));
    assert!(trend("word", false).contains("no numbers called 'word' are swept"));
    assert!(trend("s", false).contains("no numbers called 's'"), "d tells the cells apart");
}

#[test]
fn claims_say_one_thing_with_a_bound_about_cells_that_exist() {
    assert!(error("").contains("line 15, column 8: expected exactly one of stronger, share,"));
    assert!(
        error(
            r#"stronger = ["a", "b"]
order = ["a", "b"]"#
        )
        .contains("exactly one")
    );
    assert!(error(r#"share = { agent = "a" }"#).contains("at_least, at_most or both"));
    let only = |only: &str| error(&format!("stronger = [\"a\", \"b\"]\nonly = {{ {only} }}"));
    assert_eq!(only(r#"n = "3""#), "line 17, column 14: 'n' is never this; its values: 1, 2");
    assert!(only(r#"m = "3""#).contains("nothing is swept that is called 'm'"));
    assert!(only(r#"game = "go""#).contains("its values: nim"));
    claim("stronger = [\"a\", \"b\"]\nonly = { n = \"2\", d = \"4\", game = \"nim\" }");
}

/// Clopper and Pearson's intervals: 70 of 100 are 0.600 to 0.788, 55 of 100 are 0.447 to 0.650.
#[test]
fn the_interval_decides() {
    let verdict = |wins| claim(r#"stronger = ["a", "b"]"#).judge(&[cell(&[], wins, 100)]).unwrap().verdict;
    assert_eq!(verdict(70), Verdict::Reproduced);
    assert_eq!(verdict(30), Verdict::NotReproduced);
    // The interval is about twice as wide as the distance, so four times the games would do.
    assert!(matches!(verdict(55), Verdict::Inconclusive { more: Some(250..=350) }));
    let between = claim(r#"share = { agent = "b", role = "second", at_least = 0.2, at_most = 0.4 }"#);
    assert_eq!(between.judge(&[cell(&[], 70, 100)]).unwrap().verdict, Verdict::Reproduced);
    let nobody = claim(r#"share = { agent = "b", role = "first", at_least = 0.2 }"#);
    assert!(nobody.judge(&[cell(&[], 70, 100)]).unwrap_err().to_string().contains("no cell"));
}

/// 35 of 100 are 0.257 to 0.452: more than one of four equals wins, less than one of two.
#[test]
fn stronger_is_more_than_an_equal_would_win() {
    let of =
        |players: u32, games| CellSummary { even: Some(1.0 / f64::from(players)), ..cell(&[], games, 100) };
    let verdict = |cells: &[CellSummary]| claim(r#"stronger = ["a", "b"]"#).judge(cells).unwrap().verdict;
    assert_eq!(verdict(&[of(4, 35)]), Verdict::Reproduced);
    assert_eq!(verdict(&[of(2, 35)]), Verdict::NotReproduced);
    assert_eq!(verdict(&[of(4, 15)]), Verdict::NotReproduced);
    // Together they should win 75 of 200; 0.375 lies just within the interval around 85, below that around 95.
    assert!(matches!(verdict(&[of(4, 35), of(2, 50)]), Verdict::Inconclusive { .. }));
    assert_eq!(verdict(&[of(4, 40), of(2, 55)]), Verdict::Reproduced);
}

/// Two partners who win together are one result, not two.
#[test]
fn several_seats_count_once_a_game() {
    let mut partners = cell(&[], 30, 100);
    partners.entrants[1] = entrant("b", "second", (140, 200), 100);
    let share = claim(r#"share = { agent = "b", at_least = 0.5 }"#).judge(&[partners.clone()]).unwrap();
    assert_eq!((share.games, share.measured), (100, Some(0.7)));
    let reward = claim(r#"reward = { agent = "b", at_least = 0.5 }"#).judge(&[partners]).unwrap();
    assert_eq!(reward.games, 100);
    close(reward.low, 0.7 - 1.959964 * (0.7 * 0.3 / 100.0_f64).sqrt());
}

/// Games 1, 2 and 4 were played by both, with differences of 1/2, 0 and 1: 0.5 +- t(2) / sqrt(12), where
/// t(2) = 4.302653. The third game of `b` has no like. Cells with other values are compared with their own kind.
#[test]
fn paired_games_are_compared_one_by_one() {
    let with = |name: &str, values: &[(&str, &str)], scores: &[(u64, f64)]| {
        let mut cell = cell(values, 50, 100);
        cell.entrants[0].name = name.to_string();
        cell.entrants[0].scores = scores.to_vec();
        cell
    };
    let (four, five) = ([("n", "4")], [("n", "5")]);
    let cells = [
        with("a", &four, &[(1, 1.0), (2, 0.5), (4, 1.0)]),
        with("b", &five, &[(1, 1.0), (2, 1.0)]),
        with("b", &four, &[(1, 0.5), (2, 0.5), (3, 1.0), (4, 0.0)]),
    ];
    let text = r#"gain = { agent = "a", over = "b", role = "first", paired = true, at_least = -2 }"#;
    let found = claim(text).judge(&cells).unwrap();
    assert_eq!((found.games, found.measured, found.verdict), (3, Some(0.5), Verdict::Reproduced));
    close(found.low, 0.5 - 4.302653 / 12.0_f64.sqrt());
    let none = claim(text).judge(&cells[..2]).unwrap_err();
    assert!(none.to_string().contains("no cell"), "{none}");
}

/// The means of cells weigh as many games as they have: (0.5 * 100 + 0.8 * 300) / 400 with the error
/// sqrt(100 * 0.25 + 300 * 0.16) / 400.
#[test]
fn rewards_are_pooled() {
    let found = claim(r#"reward = { agent = "a", against = "b", at_least = 0.7 }"#)
        .judge(&[cell(&[], 50, 100), cell(&[], 240, 300)])
        .unwrap();
    close(found.measured, 0.725);
    close(found.high, 0.725 + 1.959964 * 73.0_f64.sqrt() / 400.0);
    assert_eq!((found.games, found.verdict), (400, Verdict::Inconclusive { more: found_more(&found) }));
}

/// 0.6 less 0.4; both means have the variance 0.6 * 0.4 / 100.
#[test]
fn what_one_earns_more_than_another() {
    let found = claim(r#"earns = { agent = "a", over = "b", at_least = 0 }"#);
    let found = found.judge(&[cell(&[], 60, 100)]).unwrap();
    close(found.measured, 0.2);
    close(found.low, 0.2 - 1.959964 * 0.0048_f64.sqrt());
    assert_eq!(found.verdict, Verdict::Reproduced);
}

fn found_more(found: &Finding) -> Option<u64> {
    match found.verdict {
        Verdict::Inconclusive { more } => more,
        _ => None,
    }
}

/// Weights 100 / (0.5 * 0.5) = 400 and 100 / (61/102 * 41/102) = 415.994, so the slope's error is
/// sqrt(1/400 + 1/415.994) = 0.070028.
#[test]
fn two_points_make_a_slope() {
    let cells = [cell(&[("n", "1")], 50, 100), cell(&[("n", "2")], 60, 100)];
    let found = claim(r#"trend = { agent = "a", over = "n", at_least = 0 }"#).judge(&cells).unwrap();
    close(found.measured, 0.1);
    close(found.high, 0.1 + 1.959964 * 0.070028);
    assert_eq!(found.games, 200);
    let falling = claim(r#"trend = { agent = "b", role = "second", over = "n", log = true, at_most = 0 }"#);
    close(falling.judge(&cells).unwrap().measured, -0.1);
}

/// Doublings, not differences; places out of range do not count; other levels elsewhere do not tilt the slope.
#[test]
fn slopes_are_within_what_else_is_equal() {
    let doubling = [cell(&[("d", "4")], 500, 1000), cell(&[("d", "16")], 700, 1000)];
    let log = r#"trend = { agent = "a", over = "d", log = true, at_least = 0 }"#;
    let found = claim(log).judge(&doubling).unwrap();
    close(found.measured, 0.1);
    assert_eq!(found.verdict, Verdict::Reproduced);

    let levels = [
        cell(&[("n", "1"), ("d", "1")], 10, 100),
        cell(&[("n", "1"), ("d", "2")], 20, 100),
        cell(&[("n", "2"), ("d", "2")], 70, 100),
        cell(&[("n", "2"), ("d", "4")], 80, 100),
        cell(&[("n", "2"), ("d", "400")], 0, 100),
    ];
    let found = claim(r#"trend = { agent = "a", over = "d", log = true, to = 4, at_least = 0 }"#);
    close(found.judge(&levels).unwrap().measured, 0.1);
    let alone = claim(r#"trend = { agent = "a", over = "d", from = 300, at_least = 0 }"#);
    assert!(alone.judge(&levels).is_err(), "one place has no slope");
}

#[test]
fn searches_are_compared() {
    let mut cells = [cell(&[], 1, 10), cell(&[], 1, 30)];
    for (cell, depth) in cells.iter_mut().zip([4.0, 8.0]) {
        cell.entrants[0].search.depth = depth;
        cell.entrants[1].search.depth = 2.0;
    }
    let depth = r#"search = { agent = "a", figure = "depth", at_least = 7.1 }"#;
    let found = claim(depth).judge(&cells).unwrap();
    assert_eq!((found.measured, found.verdict), (Some(7.0), Verdict::NotReproduced));
    let ratio = r#"search = { agent = "a", per = "b", figure = "depth", at_least = 3, at_most = 4 }"#;
    let found = claim(ratio).judge(&cells).unwrap();
    assert_eq!((found.measured, found.verdict, found.games), (Some(3.5), Verdict::Reproduced, 80));
}

/// Student's quantile for two degrees of freedom is 4.302653: 0.2 +- 4.302653 * 0.1 / sqrt(3).
#[test]
fn runs_of_a_search_spread() {
    let spread = claim(r#"curve = { agent = "a", at_most = 0.5 }"#);
    let found = spread.judge(&[search_of("a", &[0.1, 0.2, 0.3])]).unwrap();
    close(found.high, 0.448414);
    assert_eq!((found.games, found.verdict), (3, Verdict::Reproduced));
    let one = spread.judge(&[search_of("a", &[0.6])]).unwrap();
    assert_eq!((one.low, one.verdict), (Some(0.6), Verdict::NotReproduced));
    let none = spread.judge(&[search_of("a", &[])]).unwrap();
    assert_eq!(none.verdict, Verdict::Inconclusive { more: None });
}

#[test]
fn searches_end_in_order() {
    let order = claim(r#"order = ["a", "b"]"#);
    let verdict =
        |a: &[f64], b: &[f64]| order.judge(&[search_of("a", a), search_of("b", b)]).unwrap().verdict;
    assert_eq!(verdict(&[0.1, 0.11, 0.12], &[0.3, 0.31, 0.32]), Verdict::Reproduced);
    assert_eq!(verdict(&[0.3, 0.31, 0.32], &[0.1, 0.11, 0.12]), Verdict::NotReproduced);
    assert_eq!(verdict(&[0.1, 0.2, 0.3], &[0.15, 0.25, 0.35]), Verdict::Inconclusive { more: None });
    assert_eq!(verdict(&[0.1], &[0.2]), Verdict::Reproduced);
    assert_eq!(verdict(&[], &[0.2]), Verdict::Inconclusive { more: None });
}

/// A cell in which the numbers of `a` in three games were followed, the first game in two seats.
fn followed() -> CellSummary {
    let trajectory = |game, won, values: &[f64]| Trajectory {
        game,
        won,
        followed: (0..)
            .zip(values)
            .map(|(i, &value)| Followed {
                name: "truth".to_string(),
                step: 2 * i,
                episode: Some(i as u32),
                value,
            })
            .collect(),
    };
    let mut cell = cell(&[], 2, 3);
    cell.entrants[0].trajectories = vec![
        trajectory(0, true, &[0.2, 0.1, 1.0]),
        trajectory(0, true, &[0.2, 0.5, 0.6]),
        trajectory(1, true, &[0.2, 0.2]),
        trajectory(2, false, &[0.2, 0.9, 0.4]),
    ];
    cell.entrants[1].trajectories = vec![trajectory(0, false, &[0.5]), trajectory(1, false, &[0.3])];
    cell
}

#[test]
fn what_is_followed_is_one_number_a_game() {
    let cells = [followed()];
    let value = |text: &str| {
        let text = format!(r#"follow = {{ agent = "a", name = "truth", at_least = 0, {text} }}"#);
        let finding = claim(&text).judge(&cells).unwrap();
        (finding.measured.unwrap(), finding.games)
    };
    let near = |(found, games): (f64, u64), expected: f64, of| {
        assert!((found - expected).abs() < 1e-12 && games == of, "{found} in {games} games, not {expected}");
    };
    near(value(r#"at = "first""#), 0.2, 3);
    near(value(r#"at = "last""#), (0.8 + 0.2 + 0.4) / 3.0, 3);
    near(value(r#"at = "rise""#), (0.6 + 0.0 + 0.2) / 3.0, 3);
    near(value(r#"at = "highest""#), (0.8 + 0.2 + 0.9) / 3.0, 3);
    near(value(r#"at = "lowest""#), (0.15 + 0.2 + 0.2) / 3.0, 3);
    near(value(r#"at = "mean", won = false"#), 0.5, 1);
    near(value(r#"at = "last", won = true"#), 0.5, 2);
    near(value(r#"at = "last", to_step = 2"#), (0.3 + 0.2 + 0.9) / 3.0, 3);
    near(value(r#"at = "first", from_episode = 2"#), (0.8 + 0.4) / 2.0, 2);
    near(value(r#"at = "last", to_episode = 0"#), 0.2, 3);
    near(value(r#"at = "highest", above = 0.99"#), 0.5 / 3.0, 3);
    near(value(r#"at = "last", over = "b""#), 1.4 / 3.0 - 0.4, 5);
    // A share of games comes with the Clopper-Pearson interval: 1 of 3 above 0.85.
    let share = claim(
        r#"follow = { agent = "a", name = "truth", at = "highest", above = 0.85, from_episode = 1, to_episode = 1, at_least = 0 }"#,
    );
    let finding = share.judge(&cells).unwrap();
    close(finding.measured, 1.0 / 3.0);
    close(finding.low, 0.008_404);
    close(finding.high, 0.905_701);
    assert!(
        error(r#"follow = { agent = "a", name = "worlds", at = "last", at_least = 0 }"#)
            .contains("nothing is followed")
    );
}

/// Numbers 8, 4 and 1 at 1, 2 and 3: the logarithms (base 2) are 3, 2, 0 with mean 5/3; xx = 2, xy = -3, yy = 14/3,
/// so R^2 = 9 / (28/3) = 27/28. With 2 instead of 1 they lie on a line.
#[test]
fn what_falls_exponentially_lies_on_a_line() {
    let text = r#"title = "small"
follow = ["g-1", "g-2", "g-3"]
[agents]
a = "random"
b = "random"
[sweep]
n = [1, 2, 3]
word = ["x"]
[[cells]]
game = "nim"
roles = { first = "a", second = "b" }
games = 10
[[claims]]
text = "claim"
exponential = { agent = "a", name = "g-{n}", over = "n", at_least = 0.95 }
"#;
    let claim = ExperimentFile::read(text).unwrap().claims.remove(0);
    let cells = |last: f64| {
        [("1", 8.0), ("2", 4.0), ("3", last)].map(|(n, value)| {
            let mut cell = followed();
            cell.values = [("n".to_string(), n.to_string())].into();
            let followed = Followed { name: format!("g-{n}"), step: 0, episode: None, value };
            let other = Followed { name: "g-9".to_string(), step: 0, episode: None, value: 77.0 };
            cell.entrants[0].trajectories =
                vec![Trajectory { game: 0, won: true, followed: vec![followed, other] }];
            cell
        })
    };
    close(claim.judge(&cells(1.0)).unwrap().measured, 27.0 / 28.0);
    close(claim.judge(&cells(2.0)).unwrap().measured, 1.0);
    let with = |from: &str, to: &str| ExperimentFile::read(&text.replace(from, to)).unwrap_err().to_string();
    assert!(with("g-{n}", "h-{n}").contains("nothing is followed that is called 'h-1'"));
    assert!(with(r#"over = "n""#, r#"over = "word""#).contains("no numbers called 'word' are swept"));
}

#[test]
fn draws_count_half_or_as_lost() {
    let drawn = |wins, draws, losses| {
        let mut cell = cell(&[], wins, wins + draws + losses);
        let standing = &mut cell.entrants[0].standing;
        (standing.draws, standing.losses) = (draws, losses);
        standing.win_rate = (wins as f64 + draws as f64 / 2.0) / standing.games as f64;
        [cell]
    };
    let share = r#"share = { agent = "a", at_least = 0.5 }"#;
    close(claim(share).judge(&drawn(40, 40, 20)).unwrap().measured, 0.6);
    let lost = format!("draws = \"lost\"\n{share}");
    close(claim(&lost).judge(&drawn(40, 40, 20)).unwrap().measured, 0.4);
    let gain = "draws = \"lost\"\ngain = { agent = \"a\", over = \"b\", at_least = 0 }";
    close(claim(gain).judge(&drawn(40, 40, 20)).unwrap().measured, 0.4 - 0.6);
    assert!(error("draws = \"won\"\nstronger = [\"a\", \"b\"]").contains("expected `half` or `lost`"));
    let paired = "gain = { agent = \"a\", over = \"b\", paired = true, at_least = 0 }";
    assert!(error(&format!("draws = \"lost\"\n{paired}")).contains("gains that are not paired"));
    assert!(
        error("draws = \"lost\"\nsearch = { agent = \"a\", figure = \"depth\", at_least = 1 }")
            .contains("line 15")
    );
}

//! Our own sheets: facts of these games that do not come from our reasoner.

mod common;

use std::collections::{HashMap, HashSet};

use common::{OWN, after, joint, legal, own, own_text, percepts, public};
use fogtree_core::{Purpose, Seed};
use fogtree_gdl::explore::{Budget, Explored, RandomPlay, explore};
use fogtree_gdl::interpreter::State;
use fogtree_gdl::knowable::{self, knowable};
use fogtree_gdl::simulate::{End, playout};
use fogtree_gdl::wellformed::{self, Method, Verdict, well_formed};
use fogtree_gdl::{Interpreter, Level, Reasoner, Report};

fn all(game: &Interpreter) -> (Explored<State>, RandomPlay) {
    let found = explore(game, Budget { states: 1_000_000, transitions: 10_000_000 }).unwrap();
    let play = found.random_play(game).unwrap().expect("a game that ends");
    (found, play)
}

/// How many sequences of joint moves of each length there are that do not go beyond the end.
#[allow(clippy::mutable_key_type, reason = "what a state remembers is not part of its hash")]
fn perft(game: &Interpreter, depth: usize) -> Vec<u64> {
    let mut layer: HashMap<State, u64> = HashMap::from([(game.initial().unwrap(), 1)]);
    let mut counts = Vec::new();
    for _ in 0..depth {
        let mut next: HashMap<State, u64> = HashMap::new();
        for (state, ways) in layer {
            if game.terminal(&state).unwrap() {
                continue;
            }
            let moves: Vec<Vec<String>> = (0..game.roles().len()).map(|r| legal(game, &state, r)).collect();
            let (mover, _) = moves.iter().enumerate().max_by_key(|(_, m)| m.len()).unwrap();
            assert!(
                moves.iter().enumerate().all(|(r, m)| r == mover || m.len() == 1),
                "one role moves at a time"
            );
            for choice in &moves[mover] {
                let texts: Vec<&str> = moves
                    .iter()
                    .enumerate()
                    .map(|(r, m)| if r == mover { choice } else { &m[0] }.as_str())
                    .collect();
                *next.entry(game.next(&state, &joint(game, &texts)).unwrap()).or_default() += ways;
            }
        }
        counts.push(next.values().sum());
        layer = next;
    }
    counts
}

#[test]
fn every_sheet_is_accepted_at_its_level_without_a_word() {
    let directory = concat!(env!("CARGO_MANIFEST_DIR"), "/../../games/gdl");
    let mut found: Vec<String> = std::fs::read_dir(directory)
        .unwrap()
        .filter_map(|e| Some(e.unwrap().file_name().to_str()?.strip_suffix(".kif")?.to_string()))
        .collect();
    found.sort();
    assert_eq!(found, OWN);
    for name in OWN {
        let text = own_text(name);
        let level = if text.contains("\n; GDL-II.") { Level::GdlII } else { Level::Strict };
        assert!(text.contains("\n; GDL"), "{name} says what it is");
        let report = Report::of(text.as_bytes(), level);
        assert!(report.diagnostics.is_empty(), "{}", report.render(name, false));
    }
}

#[test]
fn every_sheet_is_well_formed_as_far_as_is_seen() {
    for name in OWN {
        let effort = wellformed::Effort {
            budget: Budget { states: 3_000, transitions: 15_000 },
            matches: 40,
            ..Default::default()
        };
        let report = well_formed(&own(name), &effort).unwrap();
        assert!(report.is_good(), "{name}: {report:?}");
        let small = matches!(report.method, Method::Search { .. });
        assert_eq!(
            small,
            ["all-in-or-fold", "kuhn-poker", "meier", "monty-hall"].contains(&name),
            "{name}: {report:?}"
        );
    }
}

#[test]
fn every_role_always_knows_what_is_legal() {
    for name in OWN {
        let effort = knowable::Effort { matches: 4, worlds: 60, transitions: 400, ..Default::default() };
        let report = knowable(&own(name), &effort).unwrap();
        assert_eq!(report.difference, None, "{name}");
        assert!(report.decisions > 0);
    }
    // At most four states are possible after the deal: two cards the other may hold, and what he did with them.
    let report = knowable(&own("all-in-or-fold"), &knowable::Effort::default()).unwrap();
    assert!(report.complete && report.most_worlds == 4, "{report:?}");
}

#[test]
fn legality_that_cannot_be_known_is_found() {
    // Tic-tac-toe's legality without seeing: a cell may secretly be taken.
    let text = own_text("latent-tic-tac-toe").replace(
        "(not (true (tried ?p ?m ?n))))\n(<= (legal ?p noop)",
        "(true (cell ?m ?n blank)))\n(<= (legal ?p noop)",
    );
    assert_ne!(text, own_text("latent-tic-tac-toe"));
    let report = knowable(&common::interpret(&text), &knowable::Effort::default()).unwrap();
    let difference = report.difference.unwrap();
    assert_eq!((difference.role.as_str(), difference.moves.len()), ("oplayer", 1));
    assert!(difference.legal_or_not.starts_with("(mark "));
}

#[test]
fn badly_formed_games_are_found_out() {
    let check = |text: &str, states| {
        let effort = wellformed::Effort {
            budget: Budget { states, transitions: 1000 },
            matches: 20,
            steps: 50,
            ..Default::default()
        };
        well_formed(&common::interpret(text), &effort).unwrap()
    };
    let refuted =
        |v: &Verdict, moves: usize| matches!(v, Verdict::Refuted { moves: m, .. } if m.len() == moves);
    let base = "(role a) (init (n 0)) (s 0 1) (s 1 2) (<= (next (n ?y)) (true (n ?x)) (s ?x ?y)) (<= terminal (true (n 2)))";
    let good =
        check(&format!("{base} (legal a go) (<= (goal a 0) (not terminal)) (<= (goal a 100) terminal)"), 100);
    assert_eq!((good.is_good(), good.method, good.longest), (true, Method::Search { states: 3 }, 2));
    assert_eq!(good.monotonic, Verdict::Proved);
    let endless = check(
        "(role a) (init x) (legal a stay) (legal a stop) (<= (next x) (does a stay)) (<= (next y) (does a stop)) (<= terminal (true y)) (goal a 100)",
        100,
    );
    assert!(refuted(&endless.terminating, 0) && endless.playable == Verdict::Proved, "{endless:?}");
    let stuck = check(&format!("{base} (<= (legal a go) (true (n 0))) (goal a 100)"), 100);
    assert!(refuted(&stuck.playable, 1), "{stuck:?}");
    let twice = check(&format!("{base} (legal a go) (goal a 100) (<= (goal a 50) terminal)"), 100);
    assert!(refuted(&twice.one_goal, 2) && refuted(&twice.monotonic, 2), "{twice:?}");
    let none = check(&format!("{base} (legal a go) (<= (goal a 100) (true (n 0)))"), 100);
    assert!(refuted(&none.one_goal, 2) && refuted(&none.winnable, 0), "{none:?}");
    let falling = check(
        &format!("{base} (legal a go) (<= (goal a 100) (true (n 0))) (<= (goal a 90) (not (true (n 0))))"),
        100,
    );
    assert!(
        refuted(&falling.monotonic, 1)
            && falling.one_goal == Verdict::Proved
            && refuted(&falling.winnable, 0)
    );
    // The same by simulation.
    let large = |goals: &str, legal: &str| {
        check(&format!("(role a) (role b) (bit 0) (bit 1) (s 0 1) (s 1 2) (s 2 3) (s 3 4) (s 4 5) (s 5 6) (init (n 0))
            (<= (next (n ?y)) (true (n ?x)) (s ?x ?y)) (<= (next (h ?x ?r ?b)) (true (n ?x)) (does ?r ?b))
            (<= (next (h ?x ?r ?b)) (true (h ?x ?r ?b))) {legal} (<= terminal (true (n 6))) {goals}"), 50)
    };
    let good = large("(<= (goal ?r 100) (role ?r))", "(<= (legal ?r ?b) (role ?r) (bit ?b))");
    assert!(matches!(good.method, Method::Simulation { matches: 20, .. }) && good.is_good(), "{good:?}");
    assert_eq!((good.terminating, good.winnable, good.longest), (Verdict::Supported, Verdict::Proved, 6));
    let poor = large("(goal a 100) (goal b 99)", "(<= (legal ?r ?b) (role ?r) (bit ?b))");
    assert!(matches!(poor.winnable, Verdict::Doubtful { .. }));
    let stuck =
        large("(<= (goal ?r 100) (role ?r))", "(<= (legal ?r ?b) (role ?r) (bit ?b) (not (true (n 4))))");
    assert!(refuted(&stuck.playable, 4), "{stuck:?}");
}

#[test]
fn tic_tac_toe_has_its_known_numbers() {
    let (found, play) = all(&own("tic-tac-toe"));
    assert_eq!((found.states.len(), play.matches), (5478, 255_168.0));
    assert_eq!((play.shortest, play.longest), (5, 9));
    // Random players: the first wins 737/1260, loses 121/420 and draws 8/63 of the matches.
    let first = 100.0 * 737.0 / 1260.0 + 50.0 * 8.0 / 63.0;
    assert!((play.goals[0].unwrap() - first).abs() < 1e-9, "{play:?}");
    if let Some(public) = public("tictactoe") {
        let (public, same) = all(&public);
        assert_eq!((public.states.len(), same.matches, same.goals), (5478, 255_168.0, play.goals));
    }
}

#[test]
fn connect_four_has_its_known_numbers() {
    assert_eq!(perft(&own("connect-four"), 6), [7, 49, 343, 2401, 16807, 117_649]);
}

#[test]
fn connect_four_has_its_known_numbers_further_down() {
    assert_eq!(perft(&own("connect-four"), 8)[6..], [823_536, 5_673_234]);
}

/// Counts the lines of breakthrough with boards of its own.
fn breakthrough_lines(own: u64, other: u64, up: bool, depth: usize) -> u64 {
    if depth == 0 {
        return 1;
    }
    let mut lines = 0;
    for cell in (0..64_i32).filter(|c| own >> c & 1 == 1) {
        for side in [-1, 0, 1] {
            let (x, y) = (cell % 8 + side, cell / 8 + if up { 1 } else { -1 });
            if !(0..8).contains(&x) || !(0..8).contains(&y) {
                continue;
            }
            let to = 1 << (y * 8 + x);
            if own & to != 0 || (side == 0 && other & to != 0) {
                continue;
            }
            lines += breakthrough_lines(other & !to, own & !(1 << cell) | to, !up, depth - 1);
        }
    }
    lines
}

#[test]
fn breakthrough_has_as_many_lines_as_a_board_says() {
    let (white, black) = (0xffff, 0xffff << 48);
    // Nobody can be through before the eleventh step.
    let expected: Vec<u64> = (1..=3).map(|d| breakthrough_lines(white, black, true, d)).collect();
    assert_eq!(expected[..2], [22, 484], "eight straight and fourteen diagonal moves each");
    assert_eq!(perft(&own("breakthrough"), 3), expected);
    // Shorter boards meet earlier: the captures of the small blind game are those of a small open one.
    let mut rng = Seed(3).stream(Purpose::Playout);
    for name in ["breakthrough", "blind-breakthrough"] {
        let game = own(name);
        for _ in 0..20 {
            let played = playout(&game, &mut rng, 1000).unwrap();
            assert_eq!(played.end, End::Terminal);
            let goals: Vec<u8> = (0..2).map(|r| game.goal(&played.last, r).unwrap()).collect();
            assert!(goals == [100, 0] || goals == [0, 100], "no draws");
        }
    }
}

#[test]
fn a_blocked_step_is_tried_again() {
    let game = own("blind-breakthrough");
    let w = "(move 1 2 1 3)";
    let state = after(&game, &[&[w, "noop"]]);
    let blocked = joint(&game, &["noop", "(move 1 4 1 3)"]);
    assert_eq!(percepts(&game, &state, &blocked, 1), ["yourturn"]);
    assert_eq!(percepts(&game, &state, &blocked, 0), Vec::<String>::new());
    let next = game.next(&state, &blocked).unwrap();
    assert_eq!(legal(&game, &state, 1).len(), 13, "five straight and eight diagonal moves");
    assert_eq!(legal(&game, &next, 1).len(), 12, "the one that failed is known to fail");
    let capture = joint(&game, &["noop", "(move 2 4 1 3)"]);
    assert_eq!(percepts(&game, &next, &capture, 1), ["capture"]);
    assert_eq!(percepts(&game, &next, &capture, 0), ["yourturn", "(lost 1 3)"]);
    let last = game.next(&next, &capture).unwrap();
    assert_eq!(common::fluents(&game, &last).iter().filter(|f| f.starts_with("(piece white")).count(), 9);
}

/// 284 627 states that are not terminal, 10.53 steps and 64.84 : 35.16 points in random play, 5 to 17 steps: the
/// numbers of the author's sheet, computed elsewhere.
fn has_the_latent_numbers(game: &Interpreter) {
    let (found, play) = all(game);
    assert_eq!(found.inner(), 284_627);
    assert!((play.steps - 10.53).abs() < 0.005, "{play:?}");
    assert_eq!((play.shortest, play.longest), (5, 17));
    assert!((play.goals[0].unwrap() - 64.84).abs() < 0.005 && (play.goals[1].unwrap() - 35.16).abs() < 0.005);
}

#[test]
fn latent_tic_tac_toe_has_its_known_numbers() {
    has_the_latent_numbers(&own("latent-tic-tac-toe"));
}

#[test]
fn the_original_latent_tic_tac_toe_has_its_known_numbers() {
    if let Some(original) = public("latenttictactoe") {
        has_the_latent_numbers(&original);
    }
}

#[test]
fn latent_tic_tac_toe_is_played_like_the_original() {
    let Some(original) = public("latenttictactoe") else { return };
    let ours = own("latent-tic-tac-toe");
    let mut rng = Seed(4).stream(Purpose::Playout);
    let (mut steps, mut points, matches) = (0, 0, 400);
    for _ in 0..matches {
        let (mut a, mut b) = (ours.initial().unwrap(), original.initial().unwrap());
        while !ours.terminal(&a).unwrap() {
            assert_eq!(original.terminal(&b), Ok(false));
            let mut texts = Vec::new();
            for role in 0..2 {
                let moves = legal(&ours, &a, role);
                assert_eq!(moves, legal(&original, &b, role));
                texts.push(moves[rng.below(moves.len() as u32) as usize].clone());
            }
            let texts: Vec<&str> = texts.iter().map(String::as_str).collect();
            let (m, n) = (joint(&ours, &texts), joint(&original, &texts));
            for role in 0..2 {
                let theirs: Vec<String> = percepts(&original, &b, &n, role)
                    .iter()
                    .map(|p| if p.starts_with("control") { "yourturn".to_string() } else { p.clone() })
                    .collect();
                assert_eq!(percepts(&ours, &a, &m, role), theirs);
            }
            (a, b) = (ours.next(&a, &m).unwrap(), original.next(&b, &n).unwrap());
            steps += 1;
        }
        assert_eq!(original.terminal(&b), Ok(true));
        points += u32::from(ours.goal(&a, 0).unwrap());
        assert_eq!(ours.goal(&a, 0), original.goal(&b, 0));
    }
    // 10.53 and 64.84 are exact; these are means of 400.
    let (steps, points) = (f64::from(steps) / f64::from(matches), f64::from(points) / f64::from(matches));
    assert!((steps - 10.53).abs() < 0.5 && (points - 64.84).abs() < 9.0, "{steps} {points}");
}

#[test]
fn meier_has_the_numbers_of_the_original() {
    for game in std::iter::once(own("meier")).chain(public("meier")) {
        let (_, play) = all(&game);
        let [first, second] = [1, 2].map(|r: usize| play.goals[r].unwrap());
        assert!((first - 34.84).abs() < 0.005 && (second - 65.16).abs() < 0.005, "{play:?}");
        assert_eq!(play.shortest, 3, "roll, claim, doubt");
        assert_eq!(play.longest, 63, "21 claims, each with a roll and an answer");
    }
    let game = own("meier");
    let state = game.initial().unwrap();
    assert_eq!(legal(&game, &state, 0).len(), 36);
    let rolled = joint(&game, &["(roll 2 5)", "noop", "noop"]);
    assert_eq!(percepts(&game, &state, &rolled, 1), ["(rolled 2 5)"]);
    assert_eq!(percepts(&game, &state, &rolled, 2), Vec::<String>::new());
    let state = game.next(&state, &rolled).unwrap();
    assert_eq!(legal(&game, &state, 1).len(), 21);
    let claimed = game.next(&state, &joint(&game, &["noop", "(claim 2 1)", "noop"])).unwrap();
    assert_eq!(legal(&game, &claimed, 2), ["doubt"], "nothing is above a Meier");
    let claimed = game.next(&state, &joint(&game, &["noop", "(claim 5 2)", "noop"])).unwrap();
    let over = game.next(&claimed, &joint(&game, &["noop", "noop", "doubt"])).unwrap();
    assert_eq!((game.goal(&over, 1), game.goal(&over, 2)), (Ok(100), Ok(0)), "the claim was true");
}

/// `gdl/9.8`: of random first claims 20 in 21 are bluffs, not 35 in 36.
#[test]
fn random_claims_of_meier_are_nearly_always_bluffs() {
    let game = own("meier");
    let start = game.initial().unwrap();
    let (mut bluffs, mut claims) = (0, 0);
    for roll in legal(&game, &start, 0) {
        let rolled = game.next(&start, &joint(&game, &[roll.as_str(), "noop", "noop"])).unwrap();
        for claim in legal(&game, &rolled, 1) {
            let claimed = game.next(&rolled, &joint(&game, &["noop", claim.as_str(), "noop"])).unwrap();
            let over = game.next(&claimed, &joint(&game, &["noop", "noop", "doubt"])).unwrap();
            bluffs += u32::from(game.goal(&over, 2) == Ok(100));
            claims += 1;
        }
    }
    assert_eq!((bluffs, claims), (36 * 20, 36 * 21));
}

#[test]
fn all_in_or_fold_is_fair_and_pays_as_told() {
    let game = own("all-in-or-fold");
    let (found, play) = all(&game);
    let goals: Vec<_> = play.goals.iter().map(|g| (g.unwrap() * 1e6).round()).collect();
    assert_eq!(goals, [100e6, 50e6, 50e6]);
    assert_eq!((play.shortest, play.longest, play.matches), (3, 3, 24.0));
    assert_eq!(found.states.len(), 1 + 6 + 12 + 24);
    let end = |a, b| {
        after(&game, &[&["(deal king jack)", "noop", "noop"], &["noop", a, "noop"], &["noop", "noop", b]])
    };
    for (a, b, goals) in [
        ("allin", "allin", [100, 0]),
        ("allin", "fold", [75, 25]),
        ("fold", "allin", [25, 75]),
        ("fold", "fold", [50, 50]),
    ] {
        let state = end(a, b);
        assert_eq!([game.goal(&state, 1).unwrap(), game.goal(&state, 2).unwrap()], goals);
    }
}

#[test]
fn switching_finds_the_car_in_two_of_three() {
    for (name, stay) in [("monty-hall", "stay"), ("montyhall", "noop")] {
        let Some(game) = (if stay == "stay" { Some(own(name)) } else { public(name) }) else { continue };
        let (candidate, random) = if stay == "stay" { (1, 0) } else { (0, 1) };
        let (_, play) = all(&game);
        assert_eq!(play.goals[candidate].map(|g| (g * 1e6).round()), Some(50e6), "random candidates");
        // Every course of chance, for a candidate who chooses door 1 and then switches or stays.
        for (decision, expected) in [("switch", 200.0 / 3.0), (stay, 100.0 / 3.0)] {
            let mut value = 0.0;
            let first = game.initial().unwrap();
            for hide in legal(&game, &first, random) {
                let order = |a: &str, b: &str| {
                    let mut texts = vec![a.to_string(); 2];
                    texts[random] = b.to_string();
                    let texts: Vec<&str> = texts.iter().map(String::as_str).collect();
                    joint(&game, &texts)
                };
                let second = game.next(&first, &order("(choose 1)", &hide)).unwrap();
                let opens = legal(&game, &second, random);
                for open in &opens {
                    let third = game.next(&second, &order("noop", open)).unwrap();
                    let last = game.next(&third, &order(decision, "noop")).unwrap();
                    assert_eq!(game.terminal(&last), Ok(true));
                    value += f64::from(game.goal(&last, candidate).unwrap()) / 3.0 / opens.len() as f64;
                }
            }
            assert!((value - expected).abs() < 1e-9, "{name} {decision} {value}");
        }
    }
}

#[test]
fn mastermind_counts_pegs() {
    let game = own("mastermind");
    let colours = ["red", "green", "blue", "yellow"];
    let code = |n: usize| [n / 16, n / 4 % 4, n % 4];
    let text =
        |what: &str, c: [usize; 3]| format!("({what} {} {} {})", colours[c[0]], colours[c[1]], colours[c[2]]);
    for hidden in (0..64).step_by(3) {
        let state = after(&game, &[&[&text("hide", code(hidden)), "noop"]]);
        for guess in 0..64 {
            let (h, g) = (code(hidden), code(guess));
            let black = (0..3).filter(|&i| h[i] == g[i]).count();
            let count = |c: [usize; 3], k| c.iter().filter(|&&x| x == k).count();
            let alike: usize = (0..4).map(|k| count(h, k).min(count(g, k))).sum();
            let moves = joint(&game, &["noop", &text("guess", g)]);
            let expected = [format!("(black {black})"), format!("(white {})", alike - black)];
            assert_eq!(percepts(&game, &state, &moves, 1), expected, "{h:?} {g:?}");
        }
    }
    let found = after(
        &game,
        &[
            &["(hide red red blue)", "noop"],
            &["noop", "(guess blue red red)"],
            &["noop", "(guess red red blue)"],
        ],
    );
    assert_eq!((game.terminal(&found), game.goal(&found, 1)), (Ok(true), Ok(80)));
    // A guess finds the code with 1/64; five guesses are worth 100, 80, 60, 40, 20.
    let p: f64 = 1.0 / 64.0;
    let exact: f64 = (0..5).map(|i| (1.0 - p).powi(i) * p * f64::from(100 - 20 * i)).sum();
    let mut rng = Seed(5).stream(Purpose::Playout);
    let n = 500;
    let sum: u32 =
        (0..n).map(|_| u32::from(game.goal(&playout(&game, &mut rng, 10).unwrap().last, 1).unwrap())).sum();
    assert!((f64::from(sum) / f64::from(n) - exact).abs() < 3.0);
}

#[test]
fn krieg_tic_tac_toe_clashes_and_tells() {
    let game = own("krieg-tic-tac-toe-3x3");
    let first = game.initial().unwrap();
    assert_eq!((legal(&game, &first, 0).len(), legal(&game, &first, 1).len()), (9, 9));
    let clash = joint(&game, &["(mark 2 2)", "(mark 2 2)"]);
    assert_eq!(percepts(&game, &first, &clash, 0), ["clash"]);
    let state = game.next(&first, &clash).unwrap();
    assert_eq!(legal(&game, &state, 0).len(), 9, "nobody got the cell");
    let state = game.next(&state, &joint(&game, &["(mark 1 1)", "(mark 2 2)"])).unwrap();
    let taken = joint(&game, &["(mark 2 2)", "(mark 1 2)"]);
    assert_eq!(
        (percepts(&game, &state, &taken, 0), percepts(&game, &state, &taken, 1)),
        (vec!["taken".to_string()], vec!["yours".to_string()])
    );
    let state = game.next(&state, &taken).unwrap();
    assert_eq!((legal(&game, &state, 0).len(), legal(&game, &state, 1).len()), (7, 7));
    // Two lines at once are a draw.
    let both: &[&[&str]] =
        &[&["(mark 1 1)", "(mark 3 1)"], &["(mark 1 2)", "(mark 3 2)"], &["(mark 1 3)", "(mark 3 3)"]];
    let state = after(&game, both);
    assert_eq!(
        (game.terminal(&state), game.goal(&state, 0), game.goal(&state, 1)),
        (Ok(true), Ok(50), Ok(50))
    );
    for name in ["krieg-tic-tac-toe-4x4", "krieg-tic-tac-toe-5x5"] {
        let game = own(name);
        let four: Vec<[String; 2]> =
            (1..=4).map(|i| [format!("(mark {i} {i})"), format!("(mark {} {i})", i % 4 + 1)]).collect();
        let moves: Vec<[&str; 2]> = four.iter().map(|[a, b]| [a.as_str(), b.as_str()]).collect();
        let moves: Vec<&[&str]> = moves.iter().map(|m| &m[..]).collect();
        let state = after(&game, &moves);
        assert_eq!((game.goal(&state, 0), game.goal(&state, 1)), (Ok(100), Ok(0)), "{name}");
    }
}

#[test]
fn bombs_burn_rows_and_columns() {
    let game = own("bomberman");
    let stay = "(move nowhere)";
    let wait: &[&str] = &[stay, stay];
    let first = game.initial().unwrap();
    assert_eq!(legal(&game, &first, 0), ["dropbomb", "(move east)", "(move north)", "(move nowhere)"]);
    assert_eq!(legal(&game, &first, 1), ["dropbomb", "(move nowhere)", "(move south)", "(move west)"]);
    // Dropped at (1,1): three, two, one, zero, fire along the first row and the first column.
    let mut moves: Vec<&[&str]> = vec![&["dropbomb", "(move nowhere)"]];
    moves.extend([wait; 4]);
    let state = after(&game, &moves);
    let fires = common::fluents(&game, &state).iter().filter(|f| f.starts_with("(fire")).count();
    assert_eq!(fires, 15);
    assert_eq!(
        (game.terminal(&state), game.goal(&state, 0), game.goal(&state, 1)),
        (Ok(true), Ok(0), Ok(100))
    );
    // In the corner (8,8) a wall is on both sides that matter: nothing burns.
    let mut moves: Vec<&[&str]> = vec![&["(move nowhere)", "dropbomb"]];
    moves.extend([wait; 48]);
    assert_eq!(game.terminal(&after(&game, &moves[..48])), Ok(false));
    let state = after(&game, &moves);
    assert_eq!(
        (game.terminal(&state), game.goal(&state, 0), game.goal(&state, 1)),
        (Ok(true), Ok(50), Ok(50))
    );
    // Every cell can be reached from every other one.
    let places = |role: &str| {
        let mut seen = HashSet::new();
        let mut todo = vec![first.clone()];
        while let Some(state) = todo.pop() {
            let at = common::fluents(&game, &state)
                .into_iter()
                .find(|f| f.starts_with(&format!("(at {role} ")))
                .unwrap();
            if !seen.insert(at) {
                continue;
            }
            let own = usize::from(role == "bomberwoman");
            for action in legal(&game, &state, own).iter().filter(|m| m.starts_with("(move")) {
                let mut texts = [stay, stay];
                texts[own] = action;
                let mut fluents = Vec::new();
                game.fluents(&game.next(&state, &joint(&game, &texts)).unwrap(), &mut fluents);
                // Time does not matter for where one can go.
                let time = game.terms().parse("(time 1)").unwrap();
                let still = |&f: &fogtree_gdl::TermId| game.terms().show(f).to_string().starts_with("(time");
                let fluents: Vec<_> = fluents.into_iter().map(|f| if still(&f) { time } else { f }).collect();
                todo.push(game.state(&fluents).unwrap());
            }
        }
        seen.len()
    };
    assert_eq!((places("bomberman"), places("bomberwoman")), (64, 64));
}

/// Public sheets by random play, against means found elsewhere with another interpreter.
#[test]
fn public_sheets_play_as_they_do_elsewhere() {
    // Name, role, mean goal, its tolerance, mean steps, its tolerance, most steps.
    for (name, role, goal, about, steps, near, most) in [
        ("montyhall", 0, 50.0, 8.0, 3.0, 0.01, 3),
        ("pennies", 0, 49.0, 8.0, 2.0, 0.01, 2),
        ("meier", 1, 34.84, 8.0, 5.4, 0.6, 63),
        ("mastermind448", 1, 29.0, 6.0, 11.9, 0.3, 12),
        ("mastermind", 1, 18.0, 6.0, 8.9, 0.3, 9),
        ("transit", 0, 61.0, 14.0, 18.2, 1.5, 29),
        ("kriegTTT_5x5", 0, 50.0, 15.0, 15.4, 2.0, 29),
        ("stratego", 1, 68.0, 45.0, 33.8, 12.0, 50),
        ("vis_pacman3p", 0, 17.0, 20.0, 57.0, 30.0, 99),
    ] {
        let Some(game) = public(name) else { return };
        let mut rng = Seed(6).stream(Purpose::Playout);
        let n = if near > 1.0 { 60 } else { 200 };
        let (mut sum, mut length, mut scored) = (0.0, 0, 0);
        for _ in 0..n {
            let played = playout(&game, &mut rng, 200).unwrap();
            assert_eq!(played.end, End::Terminal, "{name}");
            assert!(played.moves.len() <= most, "{name}");
            length += played.moves.len();
            // The Krieg sheet may give two goals at once.
            if let Ok(goal) = game.goal(&played.last, role) {
                sum += f64::from(goal);
                scored += 1;
            } else {
                assert_eq!(name, "kriegTTT_5x5");
            }
        }
        let (mean, length) = (sum / f64::from(scored), length as f64 / f64::from(n));
        assert!((mean - goal).abs() < about, "{name}: goal {mean}");
        assert!((length - steps).abs() < near, "{name}: steps {length}");
    }
}

#[test]
fn every_public_sheet_can_be_played() {
    for name in ["8puzzle", "buttons", "hanoi", "pick-small", "roshambo2", "small_dominion", "tictactoe"] {
        let Some(game) = public(name) else { return };
        let mut rng = Seed(7).stream(Purpose::Playout);
        for _ in 0..3 {
            let played = playout(&game, &mut rng, 300).unwrap();
            assert_eq!(played.end, End::Terminal, "{name}");
            for role in 0..game.roles().len() {
                assert!(game.goal(&played.last, role).is_ok(), "{name}");
            }
        }
    }
    let public = |name| public(name).expect("the others were there");
    let buttons = well_formed(&public("buttons"), &wellformed::Effort::default()).unwrap();
    assert!(buttons.is_good() && matches!(buttons.method, Method::Search { .. }), "{buttons:?}");
    // Its 'random' has no goal at all; the older Krieg sheet can give two values at once.
    let pennies = well_formed(&public("pennies"), &wellformed::Effort::default()).unwrap();
    assert!(matches!(pennies.one_goal, Verdict::Refuted { .. }), "{pennies:?}");
    let effort = wellformed::Effort { budget: Budget { states: 10, transitions: 10 }, ..Default::default() };
    let krieg = well_formed(&public("kriegTTT_5x5"), &effort).unwrap();
    assert!(matches!(&krieg.one_goal, Verdict::Refuted { why, .. } if why.contains("0, 100")), "{krieg:?}");
}

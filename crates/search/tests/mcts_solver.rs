//! MCTS-Solver against exact values (`icarus/2.4-mcts-solver`).

mod common;

use std::collections::HashMap;
use std::fmt::Write as _;

use common::oracle::exact;
use common::{legal, model, params};
use fogtree_core::{Budget, Decision, Erased, Model, Playable, Player, Purpose, Rng, Seed, Step, Turn};
use fogtree_games::connect_four::{self, ConnectFour};
use fogtree_games::mnk::{self, SmallMnk};
use fogtree_games::tree::Tree;
use fogtree_search::UctSearch;
use fogtree_search::uct::{Joint, Others, Settings};

const SOLVING: Settings = Settings { solve: true, ..Settings::USUAL };

fn search<G: Playable>(game: &Erased<G>, settings: Settings, state: &G::State, n: u64) -> Decision {
    let world = game.world(state.clone());
    let Turn::Player(who) = world.turn() else { panic!("nobody is to move") };
    let search = &mut UctSearch::with(&model(game), settings);
    search.search(&*world, who, &legal(&*world, who), &Budget::iterations(n))
}

fn search_at_start<G: Playable>(game: &Erased<G>, settings: Settings, n: u64) -> Decision {
    search(game, settings, &game.game().start(), n)
}

/// A game tree in Gambit's format, of perfect information.
struct Grown {
    text: String,
    players: usize,
    chance: bool,
    nodes: usize,
    rng: Rng,
}

impl Grown {
    fn tree(players: usize, chance: bool, seed: u64) -> Erased<Tree> {
        let names: Vec<String> = (1..=players).map(|p| format!("\"{p}\"")).collect();
        let text = format!("EFG 2 R \"grown\" {{ {} }} \"\"\n", names.join(" "));
        let rng = Seed(seed).stream(Purpose::Playout);
        let mut grown = Grown { text, players, chance, nodes: 0, rng };
        grown.grow(0);
        Erased::new(Tree::from_efg(&grown.text).unwrap())
    }

    fn grow(&mut self, depth: usize) {
        self.nodes += 1;
        let id = self.nodes;
        let text = &mut self.text;
        if depth > 0 && (depth == 6 || self.rng.below(5) == 0) {
            // With two players wins, draws and losses, with more hardly ever the same twice.
            let rewards: Vec<String> = match self.players {
                2 => {
                    let half_points = self.rng.below(3);
                    [half_points, 2 - half_points].map(|n| format!("{}", f64::from(n) / 2.0)).to_vec()
                }
                n => (0..n).map(|_| self.rng.below(1 << 24).to_string()).collect(),
            };
            writeln!(text, "t \"\" {id} \"\" {{ {} }}", rewards.join(", ")).unwrap();
            return;
        }
        if depth > 0 && self.chance && self.rng.below(4) == 0 {
            writeln!(text, "c \"\" {id} \"\" {{ \"h\" 1/4 \"t\" 3/4 }} 0").unwrap();
            (0..2).for_each(|_| self.grow(depth + 1));
            return;
        }
        let moves = if depth == 0 { 3 } else { 1 + self.rng.below(3) };
        let player = 1 + if depth == 0 { 0 } else { self.rng.below(self.players as u32) };
        let names: Vec<String> = (0..moves).map(|m| format!("\"m{m}\"")).collect();
        writeln!(text, "p \"\" {player} {id} \"\" {{ {} }} 0", names.join(" ")).unwrap();
        (0..moves).for_each(|_| self.grow(depth + 1));
    }
}

/// Searches a game from the start; what is said to be proven must be so, and the best if the search ended by it.
/// Returns the iterations made and how many moves were proven.
fn check<G: Playable>(game: &Erased<G>, n: u64) -> (u64, usize) {
    let rules = game.game();
    let mut state = rules.start();
    while rules.turn(&state) == Turn::Chance {
        let outcome = rules.sample_chance(&state, &mut Seed(1).stream(Purpose::Deal));
        rules.apply(&mut state, Step::Chance(&outcome));
    }
    let Turn::Player(who) = rules.turn(&state) else { panic!("somebody is to move") };
    let decision = search(game, SOLVING, &state, n);
    let after = |action| {
        let mut next = state.clone();
        rules.apply(&mut next, Step::Moves(&[(who, game.decode(action))]));
        exact(&**rules, &next, &mut HashMap::new())
    };
    let mut proven = 0;
    for report in &decision.report.moves {
        let (value, name) = (after(report.action), game.move_name(report.action));
        if report.proven {
            assert_eq!(report.values, Some(value), "{name} in {state:?}");
            proven += 1;
        }
    }
    if decision.report.iterations < n {
        assert_eq!(after(decision.action)[who], exact(&**rules, &state, &mut HashMap::new())[who]);
    }
    (decision.report.iterations, proven)
}

/// Random trees, in which a player may move several times in a row, for two who share a point and for three each for
/// itself: the search ends by proof, with the values of backward induction.
#[test]
fn random_games_are_solved() {
    for players in [2, 3] {
        for seed in 0..300 {
            let (iterations, proven) = check(&Grown::tree(players, false, seed), 100_000);
            assert!(iterations < 100_000 && proven > 0, "{players} players, seed {seed}");
        }
    }
}

/// Where chance comes in, only what lies before it is proven.
#[test]
fn chance_is_not_proven() {
    let (mut settled, mut open) = (0, 0);
    for seed in 0..300 {
        let (iterations, proven) = check(&Grown::tree(2, true, seed), 3000);
        settled += usize::from(iterations < 3000);
        open += usize::from(iterations == 3000 && proven < 3);
    }
    assert!(settled > 20 && open > 20, "{settled} settled, {open} open");
}

#[test]
fn tic_tac_toe_is_a_draw_and_small_connect_four_is_solved() {
    let game = Erased::new(SmallMnk::from_params(&params(&mnk::ABOUT, "")).unwrap());
    let (iterations, proven) = check(&game, 1_000_000);
    assert!(iterations < 1_000_000 && proven == 9, "{proven} in {iterations}");
    let text = "columns=4,rows=4,connect=3";
    let game = Erased::new(ConnectFour::from_params(&params(&connect_four::ABOUT, text)).unwrap());
    let (iterations, proven) = check(&game, 1_000_000);
    assert!(iterations < 1_000_000 && proven > 0, "{proven} in {iterations}");
}

/// A trap: one move wins against all answers but one. Averages take it for good; a proof takes one look at the answer.
#[test]
fn a_move_that_is_proven_to_lose_is_not_played() {
    let answers = (0..60).map(|i| format!("\"a{i}\"")).collect::<Vec<_>>().join(" ");
    let won = "t \"\" 1 \"\" { 1, 0 }\n".repeat(59);
    let text = format!(
        "EFG 2 R \"trap\" {{ \"one\" \"two\" }} \"\"\np \"\" 1 1 \"\" {{ \"trap\" \"even\" }} 0\n\
         p \"\" 2 1 \"\" {{ {answers} }} 0\n{won}t \"\" 2 \"\" {{ 0, 1 }}\nt \"\" 3 \"\" {{ 0.5, 0.5 }}\n"
    );
    let game = Erased::new(Tree::from_efg(&text).unwrap());
    let name = |settings| game.move_name(search_at_start(&game, settings, 150).action);
    assert_eq!(name(Settings::USUAL), "trap");
    assert_eq!(name(SOLVING), "even");
}

/// What is won after a coin cannot be proven. If that is likely it is better than a proven draw, if not it is worse, and
/// in both cases its mean is its own.
#[test]
fn a_proven_draw_is_compared_with_what_is_likely() {
    for (tenths, played) in [(9, "coin"), (2, "even")] {
        let text = format!(
            "EFG 2 R \"coin\" {{ \"one\" \"two\" }} \"\"\np \"\" 1 1 \"\" {{ \"even\" \"coin\" }} 0\n\
             t \"\" 1 \"\" {{ 0.5, 0.5 }}\nc \"\" 2 \"\" {{ \"h\" {tenths}/10 \"t\" {}/10 }} 0\n\
             t \"\" 2 \"\" {{ 1, 0 }}\nt \"\" 3 \"\" {{ 0, 1 }}\n",
            10 - tenths
        );
        let game = Erased::new(Tree::from_efg(&text).unwrap());
        let decision = search_at_start(&game, SOLVING, 400);
        assert_eq!(game.move_name(decision.action), played);
        let of = |name: &str| {
            let mut moves = decision.report.moves.iter();
            moves.find(|m| game.move_name(m.action) == name).unwrap()
        };
        let (even, coin) = (of("even"), of("coin"));
        assert!(even.proven && !coin.proven && decision.report.iterations == 400);
        let mean = coin.values.as_ref().unwrap()[Player(0)];
        assert!((mean - f64::from(tenths) / 10.0).abs() < 0.08, "{mean} for {tenths}/10");
    }
}

/// As long as there is hope, a move that is not known to lose is played, even if it has lost so far or was never tried.
#[test]
fn proven_losses_are_played_last() {
    let text = "EFG 2 R \"hope\" { \"one\" \"two\" } \"\"\np \"\" 1 1 \"\" { \"a\" \"b\" \"c\" } 0\n\
                t \"\" 1 \"\" { 0, 1 }\nt \"\" 1 \"\" { 0, 1 }\n\
                c \"\" 1 \"\" { \"h\" 1/1000 \"t\" 999/1000 } 0\nt \"\" 2 \"\" { 1, 0 }\nt \"\" 1 \"\" { 0, 1 }\n";
    let game = Erased::new(Tree::from_efg(text).unwrap());
    for n in [2, 3, 50] {
        let decision = search_at_start(&game, SOLVING, n);
        let made = decision.report.moves.iter().find(|m| m.action == decision.action).unwrap();
        assert!(!made.proven, "after {n} iterations");
    }
}

/// Whoever cannot prove does what it did without.
#[test]
fn nothing_is_proven_where_players_do_not_choose_for_themselves_and_in_turn() {
    let game = Erased::new(SmallMnk::from_params(&params(&mnk::ABOUT, "")).unwrap());
    for settings in [
        Settings { joint: Joint::Decoupled, ..Settings::USUAL },
        Settings { others: Others::Searcher, ..Settings::USUAL },
    ] {
        let moves = |settings| search_at_start(&game, settings, 3000).report.moves;
        assert_eq!(moves(Settings { solve: true, ..settings }), moves(settings));
    }
}

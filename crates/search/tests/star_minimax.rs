//! Alpha-beta, \*-minimax and miximax against searches that look at everything (`ismcts/3.8`, `gdl/5.2`).

mod common;

use std::time::{Duration, Instant};

use common::oracle::successors;
use common::{infoset, model, params, trust_game};
use fogtree_core::{
    Agent, Budget, Erased, Move, Playable, Player, Purpose, Report, Rng, Rules, Seed, Step, Turn,
};
use fogtree_games::connect_four::{self, ConnectFour};
use fogtree_games::mnk::{self, SmallMnk};
use fogtree_games::nannon::{self, Nannon};
use fogtree_games::nim::{self, Nim};
use fogtree_games::othello::{self, Othello};
use fogtree_search::exact::minimax;
use fogtree_search::exact::star_minimax::{Opponents, Settings};
use fogtree_search::{KnownState, Minimax, StarMinimax};

/// A position after so many random steps, at which somebody has a choice.
fn position<R: Playable>(
    rules: &R,
    steps: usize,
    rng: &mut Rng,
) -> Option<(R::State, Player, Vec<R::Action>)> {
    let mut state = rules.start();
    let mut done = 0;
    loop {
        match rules.turn(&state) {
            Turn::Terminal | Turn::Simultaneous(_) => return None,
            Turn::Chance => {
                let outcome = rules.sample_chance(&state, rng);
                rules.apply(&mut state, Step::Chance(&outcome));
            }
            Turn::Player(p) => {
                let mut legal = Vec::new();
                rules.actions(&state, p, &mut legal);
                if done >= steps && legal.len() > 1 {
                    return Some((state, p, legal));
                }
                let action = *rng.pick(&legal);
                rules.apply(&mut state, Step::Moves(&[(p, action)]));
            }
        }
        done += 1;
    }
}

/// The moves of actions, which come in the order of actions.
fn encoded<G: Playable>(game: &Erased<G>, actions: &[G::Action]) -> Vec<Move> {
    actions.iter().map(|&action| game.encode(action)).collect()
}

fn values(report: &Report, who: Player) -> Vec<f64> {
    report.moves.iter().map(|m| m.values.as_ref().expect("every move has a value")[who]).collect()
}

/// Finds what minimax finds, looking into fewer states than there are lines of play.
fn agrees_with_minimax<G: Playable>(game: G, steps: std::ops::Range<usize>) {
    let erased = Erased::new(game);
    let (game, any) = (erased.game(), model(&erased));
    let mut rng = Seed(11).stream(Purpose::Playout);
    let (mut compared, mut looked, mut all) = (0, 0, 0);
    for steps in steps.cycle().take(20) {
        let Some((state, who, legal)) = position(&**game, steps, &mut rng) else { continue };
        let (world, legal) = (erased.world(state.clone()), encoded(&erased, &legal));
        let budget = Budget::default();
        let whole = minimax::Settings { epsilon: 0.0, ..minimax::Settings::default() };
        let expected = Minimax::new(&any, whole).search(&*world, who, &legal, &budget).report;
        let found = StarMinimax::new(&any, Settings::default()).search(&*world, who, &legal, &budget).report;
        for (found, expected) in values(&found, who).into_iter().zip(values(&expected, who)) {
            assert!(
                (found - expected).abs() < 1e-9,
                "{found} instead of {expected} in {}",
                game.show(&state)
            );
        }
        compared += 1;
        looked += found.nodes;
        all += lines(&**game, &state, who);
    }
    assert!(compared > 10 && looked < all, "{looked} of {all} states in {compared} positions");
}

/// How many states a search sees that goes down all lines, as often as alpha-beta does: once for every depth.
fn lines<R: Playable>(rules: &R, state: &R::State, who: Player) -> u64 {
    fn below<R: Playable>(rules: &R, state: &R::State, depth: u32, deepest: &mut Vec<u64>) {
        if rules.turn(state) == Turn::Terminal {
            return;
        }
        if deepest.len() <= depth as usize {
            deepest.resize(depth as usize + 1, 0);
        }
        deepest[depth as usize] += 1;
        for (next, _) in successors(rules, state) {
            below(rules, &next, depth + 1, deepest);
        }
    }
    let mut by_depth = Vec::new();
    assert_eq!(rules.turn(state), Turn::Player(who));
    below(rules, state, 0, &mut by_depth);
    let depths = by_depth.len() as u64;
    by_depth.iter().enumerate().skip(1).map(|(depth, n)| n * (depths - depth as u64)).sum()
}

#[test]
fn alpha_beta_finds_what_minimax_finds() {
    agrees_with_minimax(SmallMnk::from_params(&params(&mnk::ABOUT, "")).unwrap(), 2..6);
    agrees_with_minimax(Nim::from_params(&params(&nim::ABOUT, "")).unwrap(), 2..5);
    let small = params(&connect_four::ABOUT, "columns=4,rows=4");
    agrees_with_minimax(ConnectFour::from_params(&small).unwrap(), 7..12);
}

/// Star1: with dice in between.
#[test]
fn star_minimax_finds_what_expectimax_finds() {
    agrees_with_minimax(Nannon::from_params(&params(&nannon::ABOUT, "limit=4")).unwrap(), 0..4);
}

/// Against a random opponent a move is worth the mean over the replies, the best of the searcher's own.
#[test]
fn miximax_takes_the_others_for_chance() {
    fn worth<R: Playable>(rules: &R, state: &R::State, me: Player) -> f64 {
        if rules.turn(state) == Turn::Terminal {
            return rules.rewards(state)[me];
        }
        let (mut best, mut mean) = (f64::NEG_INFINITY, 0.0);
        for (next, p) in successors(rules, state) {
            let worth = worth(rules, &next, me);
            best = best.max(worth);
            mean += p * worth;
        }
        if rules.turn(state) == Turn::Player(me) { best } else { mean }
    }
    let erased = Erased::new(SmallMnk::from_params(&params(&mnk::ABOUT, "")).unwrap());
    let (game, any) = (erased.game(), model(&erased));
    let mut rng = Seed(5).stream(Purpose::Playout);
    for steps in [2, 3, 4, 3, 2, 4] {
        let Some((state, who, legal)) = position(&**game, steps, &mut rng) else { continue };
        let (world, moves) = (erased.world(state), encoded(&erased, &legal));
        let settings = Settings { opponents: Opponents::Random, ..Settings::default() };
        let found = StarMinimax::new(&any, settings).search(&*world, who, &moves, &Budget::default());
        for (&action, found) in legal.iter().zip(values(&found.report, who)) {
            let mut next = state;
            game.apply(&mut next, Step::Moves(&[(who, action)]));
            let expected = worth(&**game, &next, who);
            assert!((found - expected).abs() < 1e-9, "{found} instead of {expected}");
        }
    }
}

/// The second player's own interest would make `trust` worth 9; whoever fears the worst plays `safe`.
#[test]
fn several_opponents_are_feared() {
    let game = trust_game();
    let info = infoset(&game, "", Player(0));
    let mut player = KnownState::new(&game, StarMinimax::new(&game, Settings::default()));
    player.start(Player(0), Seed(1));
    let decision = player.act(&info, &Budget::default()).unwrap();
    assert_eq!(game.move_name(decision.action), "safe");
    assert_eq!(values(&decision.report, Player(0)), [5.0, 0.0]);
}

/// Whatever is given out, a move is found: nodes, depth, time.
#[test]
fn limits_are_kept() {
    let game = Erased::any(Othello::from_params(&params(&othello::ABOUT, "")).unwrap());
    let info = infoset(&game, "", Player(0));
    let act = |settings, budget: &Budget| {
        let mut player = KnownState::new(&game, StarMinimax::new(&game, settings));
        player.start(Player(0), Seed(1));
        player.act(&info, budget).unwrap().report
    };
    let few = act(Settings { nodes: 5000, ..Settings::default() }, &Budget::default());
    assert!(few.nodes <= 5000 && few.depth > 2, "{} nodes, {} deep", few.nodes, few.depth);
    let flat = act(Settings { depth: 3, ..Settings::default() }, &Budget::default());
    assert_eq!(flat.depth, 3);
    let began = Instant::now();
    let time = Budget { time: Some(Duration::from_millis(50)), ..Budget::default() };
    let timed = act(Settings { nodes: u64::MAX, ..Settings::default() }, &time);
    assert!(timed.depth > 1 && began.elapsed() < Duration::from_secs(5));
}

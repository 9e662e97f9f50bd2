//! Minimax, PIMC and the exact players of hidden-information games against values found on paper.

mod common;

use std::collections::HashMap;
use std::sync::Arc;
use std::time::Duration;

use common::oracle;
use common::{Played, Table, infoset, legal, micro, model, params};
use fogtree_core::{
    Agent, Budget, Decision, Erased, Model, Move, MoveReport, Observer, PerPlayer, Playable, Player, Purpose,
    Report, Scratch, Seed, Step, Turn, World, random_step,
};
use fogtree_games::connect_four::{self, ConnectFour};
use fogtree_games::kuhn_poker::KuhnPoker;
use fogtree_games::mnk::{self, SmallMnk};
use fogtree_games::nim::{self, Nim};
use fogtree_games::phantom_mnk::{self, Hidden, PhantomMnk};
use fogtree_games::poker::{self, Poker};
use fogtree_games::tree::Tree;
use fogtree_search::exact::minimax::Settings;
use fogtree_search::{
    BeliefPlayer, Candidates, Division, Expectimax, KnownState, Minimax, ModelKind, NODES, OpponentModel,
    Pimc, Tally, UctSearch, Vote,
};

const FIRST: Player = Player(0);
const SECOND: Player = Player(1);
const VOTES: [Vote; 5] =
    [Vote::Majority, Vote::WeightedMajority, Vote::SumOfScores, Vote::AveragedRewards, Vote::SummedVisits];

fn after<R: Playable>(rules: &R, state: &R::State, who: Player, action: R::Action) -> R::State {
    let mut next = state.clone();
    rules.apply(&mut next, Step::Moves(&[(who, action)]));
    next
}

/// The name of the chosen move and the value of every move to the one who decides.
fn told(game: &dyn Model, who: Player, decision: &Decision) -> (String, Vec<f64>) {
    let value = |m: &MoveReport| m.values.as_ref().unwrap()[who];
    (game.move_name(decision.action), decision.report.moves.iter().map(value).collect())
}

fn minimax(game: &Arc<dyn Model>, epsilon: f64) -> Minimax {
    Minimax::new(game, Settings { epsilon, nodes: NODES })
}

fn search_at_start(search: &mut Minimax, game: &Arc<dyn Model>, budget: &Budget) -> Decision {
    let start = game.start();
    search.search(&*start, FIRST, &legal(&*start, FIRST), budget)
}

fn minimax_at_start(text: &str, epsilon: f64) -> (String, Vec<f64>) {
    let game = Erased::any(Tree::read(text).unwrap());
    let decision = search_at_start(&mut minimax(&game, epsilon), &game, &Budget::default());
    told(&*game, FIRST, &decision)
}

/// In all positions of random games minimax tells the exact value of every move and plays a best one.
fn assert_exact<G: Playable>(rules: G, games: u64) {
    let erased = Erased::new(rules);
    let rules = &**erased.game();
    let mut search = minimax(&model(&erased), 1e-3);
    let mut memo = HashMap::new();
    let mut scratch = Scratch::default();
    for game in 0..games {
        let mut rng = Seed(game).stream(Purpose::Playout);
        let mut state = rules.start();
        while let Turn::Player(who) = rules.turn(&state) {
            let world = erased.world(state.clone());
            let decision = search.search(&*world, who, &legal(&*world, who), &Budget::default());
            for m in &decision.report.moves {
                let action = erased.decode(m.action);
                let exact = oracle::exact(rules, &after(rules, &state, who, action), &mut memo)[FIRST];
                assert_eq!(m.values.as_ref().unwrap()[FIRST], exact, "{state:?} {action:?}");
            }
            let action = erased.decode(decision.action);
            let chosen = oracle::exact(rules, &after(rules, &state, who, action), &mut memo)[FIRST];
            assert_eq!(chosen, oracle::exact(rules, &state, &mut memo)[FIRST]);
            random_step(rules, &mut state, &mut rng, &mut scratch);
        }
    }
}

#[test]
fn minimax_is_exact() {
    assert_exact(SmallMnk::from_params(&params(&mnk::ABOUT, "")).unwrap(), 20);
    let small = "columns=4,rows=4,connect=3";
    assert_exact(ConnectFour::from_params(&params(&connect_four::ABOUT, small)).unwrap(), 10);
}

/// Bouton's theorem: the player to move wins if the heaps' binary sum without carry is not 0.
#[test]
fn minimax_knows_nim() {
    for heaps in [[1, 2, 3], [3, 4, 5], [1, 4, 5], [2, 2, 6], [7, 1, 6], [2, 3, 4]] {
        let [a, b, c] = heaps;
        let game = Nim::from_params(&params(&nim::ABOUT, &format!("heaps=[{a},{b},{c}]"))).unwrap();
        let game = Erased::any(game);
        let decision = search_at_start(&mut minimax(&game, 1e-3), &game, &Budget::default());
        let best = told(&*game, FIRST, &decision).1.into_iter().fold(f64::MIN, f64::max);
        assert_eq!(best, if a ^ b ^ c == 0 { 0.0 } else { 1.0 }, "{heaps:?}");
    }
}

/// Two moves are worth 0. After `b` two of three replies are mistakes, after `a` one of two: plain minimax
/// takes the first, with the tie-break it takes `b`. `c` is worth less, whatever the other may do wrong.
#[test]
fn minimax_hopes_for_mistakes_of_the_other() {
    let text = r#"{"players": ["P1", "P2"], "root": {"player": "P1", "moves": [
        {"move": "a", "then": {"player": "P2", "moves": [
            {"move": "x", "then": {"rewards": [0, 0]}}, {"move": "y", "then": {"rewards": [1, -1]}}]}},
        {"move": "b", "then": {"player": "P2", "moves": [
            {"move": "x", "then": {"rewards": [0, 0]}}, {"move": "y", "then": {"rewards": [1, -1]}},
            {"move": "z", "then": {"rewards": [1, -1]}}]}},
        {"move": "c", "then": {"player": "P2", "moves": [
            {"move": "x", "then": {"rewards": [-1, 1]}}, {"move": "y", "then": {"rewards": [1, -1]}},
            {"move": "z", "then": {"rewards": [1, -1]}}, {"move": "zz", "then": {"rewards": [1, -1]}}]}}
    ]}}"#;
    for epsilon in [1e-2, 1e-3, 1e-5] {
        assert_eq!(minimax_at_start(text, epsilon), ("b".to_string(), vec![0.0, 0.0, -1.0]));
    }
    assert_eq!(minimax_at_start(text, 0.0).0, "a");
}

/// After `a` the player itself could still go wrong, after `b` it could not.
#[test]
fn minimax_avoids_chances_for_mistakes_of_its_own() {
    let text = r#"{"players": ["P1", "P2"], "root": {"player": "P1", "moves": [
        {"move": "a", "then": {"player": "P1", "moves": [
            {"move": "x", "then": {"rewards": [0, 0]}}, {"move": "y", "then": {"rewards": [-1, 1]}}]}},
        {"move": "b", "then": {"player": "P1", "moves": [
            {"move": "x", "then": {"rewards": [0, 0]}}, {"move": "y", "then": {"rewards": [0, 0]}}]}}
    ]}}"#;
    assert_eq!(minimax_at_start(text, 1e-3).0, "b");
    assert_eq!(minimax_at_start(text, 0.0).0, "a");
}

/// Everybody maximises its own reward (max^n), and chance is averaged: after `a` P2 takes 5 and leaves 1,
/// after `b` P3 takes 2 and leaves 3, after `c` chance gives 0.5 * 6 + 0.25 * 0 + 0.25 * 4 = 4.
#[test]
fn minimax_plays_for_many_and_averages_chance() {
    let text = r#"{"players": ["P1", "P2", "P3"], "root": {"player": "P1", "moves": [
        {"move": "a", "then": {"player": "P2", "moves": [
            {"move": "x", "then": {"rewards": [9, 4, 0]}}, {"move": "y", "then": {"rewards": [1, 5, 0]}}]}},
        {"move": "b", "then": {"player": "P3", "moves": [
            {"move": "x", "then": {"rewards": [3, 0, 2]}}, {"move": "y", "then": {"rewards": [8, 9, 1]}}]}},
        {"move": "c", "then": {"chance": [
            {"move": "x", "p": "1/2", "then": {"rewards": [6, 0, 0]}},
            {"move": "y", "p": "1/4", "then": {"rewards": [0, 0, 0]}},
            {"move": "z", "p": "1/4", "then": {"rewards": [4, 0, 0]}}]}}
    ]}}"#;
    assert_eq!(minimax_at_start(text, 1e-3), ("c".to_string(), vec![1.0, 3.0, 4.0]));
}

/// A board far too large to see through: the limit is kept, and a win in one move is still found.
#[test]
fn minimax_keeps_its_limit() {
    let game = Erased::any(ConnectFour::from_params(&params(&connect_four::ABOUT, "")).unwrap());
    let nodes = 3000;
    let search = Minimax::new(&game, Settings { nodes, ..Settings::default() });
    let mut agent = KnownState::new(&game, search);
    for (words, best) in [("7 1 7 2 7 1", "7"), ("4 3 4 3 4 1", "4"), ("1 4 7 4 1 4 7", "4")] {
        let table = Table::after(&game, words);
        let Turn::Player(who) = table.world.turn() else { panic!("the game goes on") };
        let decision = agent.act(&table.cheating(who), &Budget::default()).unwrap();
        let won = |m: &&MoveReport| m.values.as_ref().unwrap()[who] == game.facts().utility_bounds.1;
        let winning: Vec<_> = decision.report.moves.iter().filter(won).map(|m| m.action).collect();
        assert!(winning.contains(&decision.action), "{words}");
        assert!(winning.contains(&game.parse_move(best).unwrap()), "{words}");
        assert!(decision.report.nodes <= 2 * nodes, "{}", decision.report.nodes);
    }
    let stopped = Budget { stop: Some(Arc::new(true.into())), ..Budget::default() };
    let mut search = minimax(&game, 1e-3);
    assert_eq!(search_at_start(&mut search, &game, &stopped).report.nodes, 0);
    let short = Budget { time: Some(Duration::from_millis(20)), ..Budget::default() };
    let report = search_at_start(&mut search, &game, &short).report;
    assert!(report.time < Duration::from_millis(500), "{:?}", report.time);
}

/// What a search says of the moves 0, 1, ... in one world: visits and value.
fn found(chosen: Move, moves: &[(u64, f64)]) -> Decision {
    let report = |(action, &(visits, value)): (Move, &(u64, f64))| {
        MoveReport::of(action, visits, (visits > 0).then(|| PerPlayer::zero_sum(value)))
    };
    let moves: Vec<_> = (0..).zip(moves).map(report).collect();
    let iterations = moves.iter().map(|m| m.visits).sum();
    Decision { action: chosen, report: Report { moves, iterations, nodes: 7, depth: 3, ..Report::default() } }
}

/// Three worlds, of weights 1, 1 and 5. Move 0 has two of three votes, move 1 has 5 of 7 by weight. Neither was
/// tried in the third world, which counts as the least reward there, -1.
#[test]
fn each_vote_has_a_winner_of_its_own() {
    let mut tally = Tally::new(FIRST, &[0, 1, 2, 3, 4], 2, -1.0);
    let (a, b, c, e) = ((30, 0.1), (30, 0.2), (2, 0.6), (60, 0.3));
    tally.add(&found(0, &[a, b, c, (100, 1.0), e]), 1.0);
    tally.add(&found(0, &[a, b, c, (1, 0.0), e]), 1.0);
    tally.add(&found(1, &[(0, 0.1), (0, 0.2), c, (1, 0.0), e]), 5.0);
    let winners = VOTES.map(|vote| tally.choose(vote, &mut Seed(1).stream(Purpose::Ties)));
    assert_eq!(winners, [0, 1, 2, 3, 4]);
    let scores = |vote| (0..5).map(|i| tally.score(vote, i)).collect::<Vec<_>>();
    let close = |a: &[f64], b: &[f64]| a.iter().zip(b).all(|(a, b)| (a - b).abs() < 1e-12);
    assert_eq!(scores(Vote::Majority), [2.0, 1.0, 0.0, 0.0, 0.0]);
    assert_eq!(scores(Vote::WeightedMajority), [2.0, 5.0, 0.0, 0.0, 0.0]);
    assert!(close(&scores(Vote::SumOfScores), &[0.2 - 5.0, 0.4 - 5.0, 4.2, 1.0, 2.1]));
    assert!(close(&scores(Vote::AveragedRewards), &[0.1, 0.2, 0.6, 100.0 / 106.0, 0.3]));
    assert_eq!(scores(Vote::SummedVisits), [60.0, 60.0, 14.0, 106.0, 420.0]);
    let report = tally.report();
    assert_eq!((report.nodes, report.depth), (21, 3));
    assert_eq!(report.moves.iter().map(|m| m.visits).collect::<Vec<_>>(), [60, 60, 6, 102, 180]);
    assert_eq!(report.iterations, 408);
}

#[test]
fn tied_votes_are_drawn() {
    let mut tally = Tally::new(FIRST, &[0, 1, 2], 2, -1.0);
    tally.add(&found(0, &[(5, 0.0), (5, 0.0), (1, -1.0)]), 1.0);
    tally.add(&found(1, &[(5, 0.0), (5, 0.0), (1, -1.0)]), 1.0);
    for vote in VOTES {
        let mut ties = Seed(3).stream(Purpose::Ties);
        let chosen = [(); 200].map(|()| tally.choose(vote, &mut ties));
        let firsts = chosen.iter().filter(|&&a| a == 0).count();
        assert!((60..140).contains(&firsts) && !chosen.contains(&2), "{vote:?}: {firsts}");
        assert_eq!(tally.first(vote), 0);
    }
}

fn pimc_uct(game: &Arc<dyn Model>, vote: Vote) -> Pimc<UctSearch> {
    Pimc::new(game, UctSearch::new(game, 0.7), Division::default(), vote)
}

fn pimc_minimax(game: &Arc<dyn Model>, worlds: u64, vote: Vote) -> Pimc<Minimax> {
    let division = Division { determinizations: Some(worlds), ..Division::default() };
    Pimc::new(game, minimax(game, 1e-3), division, vote)
}

fn exact(game: &Arc<dyn Model>, model: Option<ModelKind>) -> Candidates {
    let model = model.map(|kind| OpponentModel::new(game, kind, Settings::default(), 100));
    Candidates::new(game, model, 100, 100_000)
}

fn voting_minimax(game: &Arc<dyn Model>, model: Option<ModelKind>) -> BeliefPlayer<Minimax> {
    BeliefPlayer::new(exact(game, model), minimax(game, 1e-3))
}

fn expectimax(game: &Arc<dyn Model>, model: Option<ModelKind>) -> BeliefPlayer<Expectimax> {
    BeliefPlayer::new(exact(game, model), Expectimax::new(game, NODES))
}

fn ask(agent: &mut impl Agent, game: &Arc<dyn Model>, words: &str, seat: Player) -> (String, Vec<f64>) {
    told(&**game, seat, &agent.act(&infoset(game, words, seat), &Budget::default()).unwrap())
}

/// `ismcts/2.5`: in each world by itself a guess is worth 1, so PIMC guesses; it is worth 1/2.
#[test]
fn pimc_guesses_the_coin_and_expectimax_does_not() {
    let game = micro("coin");
    for vote in VOTES {
        assert_eq!(ask(&mut pimc_uct(&game, vote), &game, "heads", FIRST).0, "guess", "{vote:?}");
        let minimax = &mut pimc_minimax(&game, 40, vote);
        if vote != Vote::SummedVisits {
            let (action, values) = ask(minimax, &game, "tails", FIRST);
            assert_eq!((action.as_str(), values[0]), ("guess", 1.0));
            assert!((values[1] - 0.9).abs() < 1e-12);
        }
    }
    assert_eq!(ask(&mut voting_minimax(&game, None), &game, "heads", FIRST).0, "guess");
    assert_eq!(
        ask(&mut expectimax(&game, None), &game, "heads", FIRST),
        ("take".to_string(), vec![0.5, 0.9])
    );
}

/// `ismcts/3.14` (a).
#[test]
fn the_worked_tree_a() {
    let game = micro("ismcts-a");
    for vote in VOTES {
        assert_eq!(ask(&mut pimc_uct(&game, vote), &game, "y", FIRST).0, "a1", "{vote:?}");
    }
    let minimax = &mut pimc_minimax(&game, 40, Vote::SumOfScores);
    assert_eq!(ask(minimax, &game, "x", FIRST), ("a1".to_string(), vec![1.0, 0.5]));
    assert_eq!(ask(&mut expectimax(&game, None), &game, "x", FIRST), ("a2".to_string(), vec![0.0, 0.5]));
}

/// `ismcts/3.14` (b), with the rewards of our file. Minimax values a1 at 0 in x and z and at 1 in y: two of
/// three worlds vote for a2, worth 0.25 in all, but the mean says a1. Among information sets a1 is worth 0.
#[test]
fn the_worked_tree_b() {
    let game = micro("ismcts-b");
    for (vote, best) in [(Vote::Majority, "a2"), (Vote::WeightedMajority, "a2"), (Vote::SumOfScores, "a1")] {
        assert_eq!(ask(&mut pimc_minimax(&game, 2000, vote), &game, "x", FIRST).0, best, "{vote:?}");
    }
    let (action, values) = ask(&mut voting_minimax(&game, None), &game, "x", FIRST);
    assert_eq!(action, "a2");
    assert!((values[0] - 1.0 / 3.0).abs() < 1e-12 && (values[1] - 0.25).abs() < 1e-12);
    assert_eq!(ask(&mut expectimax(&game, None), &game, "x", FIRST), ("a2".to_string(), vec![0.0, 0.25]));
}

/// Kuhn poker against an opponent who knows both cards, but must choose between what the searcher sees.
///
/// With the queen, a bet is worth +1 against the jack, which folds, and -2 against the king. After a check,
/// a bet of the other leaves jack and king possible, and a call is then worth 0: the jack bets (0), the king
/// shows (-1). With the king both are worth 1. With the jack a bet is called, a check costs 1.
#[test]
fn expectimax_in_kuhn_poker() {
    let game = Erased::any(KuhnPoker);
    let mut agent = expectimax(&game, None);
    let mut value = |words: &str, seat| {
        let info = infoset(&game, words, seat);
        let decision = agent.act(&info, &Budget::default()).unwrap();
        let value = |m: &MoveReport| (game.move_name(m.action), m.values.as_ref().unwrap()[seat]);
        decision.report.moves.iter().map(value).collect::<HashMap<_, _>>()
    };
    for (words, check, bet) in [("Q J", -0.5, -0.5), ("K J", 1.0, 1.0), ("J Q", -1.0, -2.0)] {
        let values = value(words, FIRST);
        assert_eq!((values["check"], values["bet"]), (check, bet), "{words}");
    }
    for (words, fold, call) in [("J Q bet", -1.0, 0.0), ("J K bet", -1.0, 2.0), ("Q J bet", -1.0, -2.0)] {
        let values = value(words, SECOND);
        assert_eq!((values["fold"], values["call"]), (fold, call), "{words}");
    }
}

/// PIMC values the same decisions world by world. With the queen after a check: the jack shows or bets into a
/// call, the king bets out, so -1 and 1 either way.
#[test]
fn voting_minimax_in_kuhn_poker() {
    let game = Erased::any(KuhnPoker);
    let mut agent = voting_minimax(&game, None);
    assert_eq!(ask(&mut agent, &game, "J Q bet", SECOND), ("fold".to_string(), vec![-1.0, 0.0]));
    assert_eq!(ask(&mut agent, &game, "J K bet", SECOND), ("call".to_string(), vec![-1.0, 2.0]));
    assert_eq!(ask(&mut agent, &game, "Q J", FIRST).1, [0.0, -0.5]);
}

/// P2 knows whether the state is x, y or z and moves l, m or r; then P1 guesses the state. Knowing the state,
/// P1 guesses right after l, which costs P2 1; m costs 2, r costs 2 in x and nothing in y and z.
const GUESS: &str = r#"{"players": ["P1", "P2"], "root": {"chance": [
    {"move": "x", "p": "1/2", "then": {"player": "P2", "infoset": "x", "moves": [
        {"move": "l", "seen": "all", "then": {"player": "P1", "infoset": "l", "moves": [
            {"move": "x", "then": {"rewards": [1, -1]}}, {"move": "y", "then": {"rewards": [-1, 1]}},
            {"move": "z", "then": {"rewards": [-1, 1]}}]}},
        {"move": "m", "seen": "all", "then": {"player": "P1", "infoset": "m", "moves": [
            {"move": "x", "then": {"rewards": [2, -2]}}, {"move": "y", "then": {"rewards": [-1, 1]}},
            {"move": "z", "then": {"rewards": [-1, 1]}}]}},
        {"move": "r", "seen": "all", "then": {"player": "P1", "infoset": "r", "moves": [
            {"move": "x", "then": {"rewards": [2, -2]}}, {"move": "y", "then": {"rewards": [-1, 1]}},
            {"move": "z", "then": {"rewards": [-1, 1]}}]}}]}},
    {"move": "y", "p": "1/4", "then": {"player": "P2", "infoset": "y", "moves": [
        {"move": "l", "seen": "all", "then": {"player": "P1", "infoset": "l", "moves": [
            {"move": "x", "then": {"rewards": [-1, 1]}}, {"move": "y", "then": {"rewards": [1, -1]}},
            {"move": "z", "then": {"rewards": [-1, 1]}}]}},
        {"move": "m", "seen": "all", "then": {"player": "P1", "infoset": "m", "moves": [
            {"move": "x", "then": {"rewards": [-1, 1]}}, {"move": "y", "then": {"rewards": [2, -2]}},
            {"move": "z", "then": {"rewards": [-1, 1]}}]}},
        {"move": "r", "seen": "all", "then": {"player": "P1", "infoset": "r", "moves": [
            {"move": "x", "then": {"rewards": [-1, 1]}}, {"move": "y", "then": {"rewards": [0, 0]}},
            {"move": "z", "then": {"rewards": [-1, 1]}}]}}]}},
    {"move": "z", "p": "1/4", "then": {"player": "P2", "infoset": "z", "moves": [
        {"move": "l", "seen": "all", "then": {"player": "P1", "infoset": "l", "moves": [
            {"move": "x", "then": {"rewards": [-1, 1]}}, {"move": "y", "then": {"rewards": [-1, 1]}},
            {"move": "z", "then": {"rewards": [1, -1]}}]}},
        {"move": "m", "seen": "all", "then": {"player": "P1", "infoset": "m", "moves": [
            {"move": "x", "then": {"rewards": [-1, 1]}}, {"move": "y", "then": {"rewards": [-1, 1]}},
            {"move": "z", "then": {"rewards": [2, -2]}}]}},
        {"move": "r", "seen": "all", "then": {"player": "P1", "infoset": "r", "moves": [
            {"move": "x", "then": {"rewards": [-1, 1]}}, {"move": "y", "then": {"rewards": [-1, 1]}},
            {"move": "z", "then": {"rewards": [0, 0]}}]}}]}}
]}}"#;

/// The candidates after these words, as the words that lead to them, with their weights.
fn candidates(
    game: &Arc<dyn Model>,
    model: Option<ModelKind>,
    words: &str,
    lines: &[&str],
) -> Vec<(usize, f64)> {
    let states: Vec<_> = lines.iter().map(|words| Table::after(game, words).world).collect();
    let worlds = exact(game, model).worlds(&infoset(game, words, FIRST));
    let total: f64 = worlds.iter().map(|w| w.1).sum();
    let place = |s: &dyn World| states.iter().position(|t| **t == *s).expect("a line of the list");
    let mut found: Vec<_> = worlds.iter().map(|(s, w)| (place(&**s), w / total)).collect();
    found.sort_unstable_by_key(|f| f.0);
    found
}

#[test]
fn inference_leaves_out_what_the_model_would_not_have_played() {
    let game = Erased::any(Tree::read(GUESS).unwrap());
    let after = |word: &str| ["x", "y", "z"].map(|state| format!("{state} {word}"));
    let check = |model, word: &str, expected: &[(usize, f64)]| {
        let lines = after(word);
        let lines: Vec<&str> = lines.iter().map(String::as_str).collect();
        // Whatever the true state is, the same is inferred.
        for line in &lines {
            assert_eq!(candidates(&game, model, line, &lines), expected, "{model:?} {line}");
        }
    };
    let all = [(0, 0.5), (1, 0.25), (2, 0.25)];
    for word in ["l", "m", "r"] {
        check(None, word, &all);
    }
    // P2 sees the state, so that all models play l in x and r in y and z, and nobody ever plays m.
    for model in [ModelKind::Minimax, ModelKind::PimcMinimax, ModelKind::IsExpectimax] {
        check(Some(model), "l", &[(0, 1.0)]);
        check(Some(model), "r", &[(1, 0.5), (2, 0.5)]);
        check(Some(model), "m", &all);
    }
    // After r, x seems most likely; who infers knows better than to guess it.
    assert_eq!(ask(&mut voting_minimax(&game, None), &game, "x r", FIRST).0, "x");
    assert_eq!(ask(&mut voting_minimax(&game, Some(ModelKind::Minimax)), &game, "x r", FIRST).0, "y");
    assert_eq!(
        ask(&mut expectimax(&game, None), &game, "y r", FIRST),
        ("x".to_string(), vec![0.5, -0.75, -0.75])
    );
    let inferring = &mut expectimax(&game, Some(ModelKind::IsExpectimax));
    assert_eq!(ask(inferring, &game, "y r", FIRST), ("y".to_string(), vec![-1.0, -0.5, -0.5]));
}

/// A coin that P1 sees (h with 2/3) and a type that P2 sees. P2 passes (p, worth 0) or goes (g): type x gains
/// 1 on h and loses 4 on t, type y the other way round.
fn coin_and_type() -> Arc<dyn Model> {
    let end = |gain: i32| {
        format!(
            r#"{{"player": "P2", "infoset": "TYPE", "moves": [
                {{"move": "g", "seen": "all", "then": {{"player": "P1", "infoset": "g COIN", "moves": [
                    {{"move": "u", "then": {{"rewards": [{0}, {gain}]}}}},
                    {{"move": "v", "then": {{"rewards": [{0}, {gain}]}}}}]}}}},
                {{"move": "p", "seen": "all", "then": {{"rewards": [0, 0]}}}}]}}"#,
            -gain
        )
    };
    let side = |coin: &str, p: &str, x: i32, y: i32| {
        format!(
            r#"{{"move": "{coin}", "p": "{p}", "seen": ["P1"], "then": {{"chance": [
                {{"move": "x", "p": "1/2", "seen": ["P2"], "then": {}}},
                {{"move": "y", "p": "1/2", "seen": ["P2"], "then": {}}}]}}}}"#,
            end(x).replace("TYPE", "x").replace("COIN", coin),
            end(y).replace("TYPE", "y").replace("COIN", coin)
        )
    };
    let sides = [side("h", "2/3", 1, -1), side("t", "1/3", -4, 4)].join(", ");
    let text = format!(r#"{{"players": ["P1", "P2"], "root": {{"chance": [{sides}]}}}}"#);
    Erased::any(Tree::read(&text).unwrap())
}

/// Seen to go, P2 is of type x on h and y on t if it knows the coin; of type x if it goes by the likelier side;
/// of type y if it goes by the mean, which is 2/3 - 4/3 for x and -2/3 + 4/3 for y.
#[test]
fn models_differ_in_what_they_know_and_how_they_decide() {
    let game = coin_and_type();
    for (model, on_heads, on_tails) in
        [(ModelKind::Minimax, 0, 1), (ModelKind::PimcMinimax, 0, 0), (ModelKind::IsExpectimax, 1, 1)]
    {
        for (coin, expected) in [("h", on_heads), ("t", on_tails)] {
            let lines = ["x", "y"].map(|kind| format!("{coin} {kind} g"));
            let lines: Vec<&str> = lines.iter().map(String::as_str).collect();
            let found = candidates(&game, Some(model), lines[0], &lines);
            assert_eq!(found, [(expected, 1.0)], "{model:?} {coin}");
        }
    }
}

/// Plays games in which one seat does as a model does and the other at random: the other, inferring by the
/// same model, never leaves out the true state, and keeps only states that agree with what it knows, in
/// proportion to their weights. Returns how often it left something out.
fn assert_truth_stays<G: Playable>(game: G, kind: ModelKind, games: u64) -> u64 {
    let erased = Erased::new(game);
    let (game, any) = (&**erased.game(), model(&erased));
    let mut narrowed = 0;
    for number in 0..games {
        let seat = Player((number % 2) as u8);
        let settings = Settings { nodes: 20_000, ..Settings::default() };
        let mut played = OpponentModel::new(&any, kind, settings, 20);
        let model = OpponentModel::new(&any, kind, settings, 20);
        let mut candidates = Candidates::new(&any, Some(model), 20, 100_000);
        let mut rng = Seed(number).stream(Purpose::Playout);
        let mut scratch = Scratch::default();
        let mut table = Table::start(&any);
        loop {
            let state = erased.state(&*table.world).clone();
            let step = match game.turn(&state) {
                Turn::Terminal => break,
                Turn::Chance => Played::Chance(table.world.sample_chance(&mut rng)),
                Turn::Player(p) if p == seat => {
                    let by = Observer::Seat(seat);
                    let info = table.infoset(seat);
                    let known: &G::Info = info.known.downcast().unwrap();
                    let worlds = candidates.worlds(&info);
                    let worlds: Vec<(&G::State, f64)> =
                        worlds.iter().map(|(world, weight)| (erased.state(&**world), *weight)).collect();
                    assert!(worlds.iter().any(|(s, _)| **s == state), "{kind:?} {number}: {state:?}");
                    let mut listed = Vec::new();
                    if game.enumerate(known, &mut listed) {
                        let listed: HashMap<_, _> = listed.into_iter().collect();
                        narrowed += u64::from(worlds.len() < listed.len());
                        let factor = worlds[0].1 / listed[worlds[0].0];
                        for (s, weight) in worlds {
                            assert!((weight / listed[s] / factor - 1.0).abs() < 1e-9, "{s:?}");
                        }
                    } else {
                        assert!(worlds.iter().all(|(s, _)| game.info(s, by) == *known));
                    }
                    let action = game.random_action(&state, p, &mut rng, &mut scratch);
                    Played::Moves(vec![(p, erased.encode(action))])
                }
                Turn::Player(p) => Played::Moves(vec![(p, played.action(&*table.world, p))]),
                Turn::Simultaneous(_) => panic!("these games have no simultaneous moves"),
            };
            table.play(step.step());
        }
    }
    narrowed
}

#[test]
fn a_right_model_never_leaves_out_the_truth() {
    let leduc = || Poker::from_params(&params(&poker::ABOUT, "types=3,copies=2,bets=1,raises=1")).unwrap();
    let phantom = || PhantomMnk::<Hidden>::from_params(&params(&phantom_mnk::ABOUT, "m=3,n=2,k=2")).unwrap();
    for kind in [ModelKind::Minimax, ModelKind::PimcMinimax, ModelKind::IsExpectimax] {
        assert_truth_stays(KuhnPoker, kind, 40);
        assert!(assert_truth_stays(leduc(), kind, 30) > 0, "{kind:?} infers nothing");
        assert_truth_stays(phantom(), kind, 20);
    }
}

/// Asked about positions in any order, a player infers the same as when it follows the game.
#[test]
fn inference_does_not_depend_on_the_order_of_questions() {
    let game = Erased::any(Tree::read(GUESS).unwrap());
    let mut one = exact(&game, Some(ModelKind::Minimax));
    for words in ["x l", "y r", "z m", "y r", "x l"] {
        let info = infoset(&game, words, FIRST);
        assert_eq!(one.worlds(&info), exact(&game, Some(ModelKind::Minimax)).worlds(&info), "{words}");
    }
}

/// Phantom games cannot list their worlds, and this one is too large to see through.
#[test]
fn expectimax_keeps_its_limit() {
    let game = PhantomMnk::<Hidden>::from_params(&params(&phantom_mnk::ABOUT, "m=4,n=4,k=4")).unwrap();
    let game = Erased::any(game);
    let nodes = 5000;
    let mut agent = BeliefPlayer::new(exact(&game, None), Expectimax::new(&game, nodes));
    let report = agent.act(&infoset(&game, "a1 b2", FIRST), &Budget::default()).unwrap().report;
    assert!(report.nodes > 0 && report.nodes <= 2 * nodes, "{}", report.nodes);
    let mut agent =
        BeliefPlayer::new(exact(&game, None), Minimax::new(&game, Settings { nodes, epsilon: 0.0 }));
    let report = agent.act(&infoset(&game, "a1 b2", FIRST), &Budget::default()).unwrap().report;
    assert!(report.nodes > 0 && report.nodes <= 3 * nodes, "{}", report.nodes);
}

#[test]
fn pimc_divides_its_budget() {
    let game = Erased::any(KuhnPoker);
    let info = infoset(&game, "J Q", FIRST);
    let run = |division, budget: &Budget| {
        let search = UctSearch::new(&game, 0.7);
        Pimc::new(&game, search, division, Vote::SummedVisits).act(&info, budget).unwrap().report
    };
    let report = run(Division::default(), &Budget::default());
    assert_eq!((report.iterations, report.moves.iter().map(|m| m.visits).sum::<u64>()), (10_000, 10_000));
    let few = Division { determinizations: Some(7), iterations: 11 };
    assert_eq!(run(few, &Budget::default()).iterations, 77);
    assert_eq!(run(few, &Budget::iterations(25)).iterations, 25);
    let timed = Budget { time: Some(Duration::from_millis(100)), ..Budget::default() };
    let report = run(Division::default(), &timed);
    assert!(report.iterations > 10_000 && report.time < Duration::from_millis(500), "{report:?}");
    let stopped = Budget { stop: Some(Arc::new(true.into())), ..Budget::default() };
    assert!(run(Division::default(), &stopped).iterations < 100);
}

#[test]
fn a_forced_move_takes_no_search() {
    let game = Erased::any(Nim::from_params(&params(&nim::ABOUT, "heaps=[1]")).unwrap());
    let mut agent = pimc_uct(&game, Vote::SummedVisits);
    let decision = agent.act(&infoset(&game, "", FIRST), &Budget::default()).unwrap();
    assert_eq!((decision.report.iterations, decision.report.moves.len()), (0, 1));
}

#[test]
fn the_same_seed_gives_the_same_decision() {
    let game = Erased::any(PhantomMnk::<Hidden>::from_params(&params(&phantom_mnk::ABOUT, "")).unwrap());
    let info = infoset(&game, "b2 a1", FIRST);
    let run = |seed| {
        let mut agent = pimc_uct(&game, Vote::SummedVisits);
        agent.start(FIRST, Seed(seed));
        let decision = agent.act(&info, &Budget::default()).unwrap();
        (decision.action, decision.report.moves)
    };
    assert_eq!(run(1), run(1));
    assert_ne!(run(1), run(2));
}

/// `ismcts/3.10`: the ensemble sees the coin, so that its guess is right and worth 1.
#[test]
fn the_cheating_ensemble_sees_the_true_state() {
    let game = micro("coin");
    let search = UctSearch::new(&game, 0.7);
    let mut agent = Pimc::new(&game, search, Division::default(), Vote::SummedVisits);
    for side in ["heads", "tails"] {
        let info = Table::after(&game, &format!("{side} guess")).cheating(FIRST);
        let decision = agent.act(&info, &Budget::default()).unwrap();
        assert_eq!(game.move_name(decision.action), side);
        assert_eq!(decision.report.iterations, 10_000);
    }
}

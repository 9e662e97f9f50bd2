//! Information-set search against what the sources say it must do.

mod common;

use std::sync::Arc;

use common::{Table, decide_by_ismcts as decide, micro, params, play, trust_game};
use fogtree_core::{Agent, Budget, Erased, InfoSet, Model, MoveReport, Player, Seed, Turn};
use fogtree_games::goofspiel::{self, Goofspiel};
use fogtree_games::kuhn_poker::KuhnPoker;
use fogtree_games::matrix::{self, Matrix};
use fogtree_games::mnk::{self, SmallMnk};
use fogtree_games::phantom_mnk::{self, Hidden, PhantomMnk};
use fogtree_search::ismcts::{Config, Ismcts, Observers, Opponents, Simultaneous};
use fogtree_search::{Uct, UctSearch};

const ALL: [Observers; 4] = [Observers::Single, Observers::Partial, Observers::Multiple, Observers::Acting];

fn config(observers: Observers) -> Config {
    Config { memory: 1 << 28, ..Config::new(observers) }
}

fn infoset(game: &Arc<dyn Model>, words: &[&str], seat: Player) -> InfoSet {
    common::infoset(game, &words.join(" "), seat)
}

/// Whitehouse 2014, §3.3.1 (`ismcts/2.5`): guessing the hidden coin is worth 1/2, so the sure 0.9 is taken.
#[test]
fn no_strategy_fusion_on_the_coin() {
    let game = micro("coin");
    for observers in ALL {
        let info = infoset(&game, &["heads"], Player(0));
        let decision = decide(&game, config(observers), &info, 2000, 1);
        let name = game.move_name(decision.action);
        let best = decision.report.moves.iter().max_by_key(|m| m.visits).unwrap();
        let value = best.values.as_ref().unwrap()[Player(0)];
        assert!((value - 0.9).abs() < 1e-6, "{name} is worth {value}");
    }
}

/// Whitehouse 2014, Fig. 5.8 (`ismcts/3.14.a`): a2 is worth 0.5, a1 nothing to somebody who cannot see.
#[test]
fn the_worked_tree_is_decided_rightly() {
    let game = micro("ismcts-a");
    for observers in ALL {
        let (start, mut listed) = (game.start(), Vec::new());
        start.chances(&mut listed);
        let outcome = start.outcome_name(&listed[0].0);
        let info = infoset(&game, &[&outcome], Player(0));
        let decision = decide(&game, config(observers), &info, 4000, 2);
        assert_eq!(game.move_name(decision.action), "a2");
    }
}

/// Where all moves are seen, one tree and several are the same search, decision by decision, under one seed.
#[test]
fn one_tree_is_as_good_as_several_where_all_moves_are_seen() {
    let game = Erased::any(KuhnPoker);
    for (words, seat) in [(&["J", "Q"][..], 0), (&["K", "Q", "bet"], 1), (&["Q", "K", "check", "bet"], 0)] {
        for seed in 0..20 {
            let info = infoset(&game, words, Player(seat));
            let single = decide(&game, config(Observers::Single), &info, 300, seed);
            let several = decide(&game, config(Observers::Multiple), &info, 300, seed);
            assert_eq!(single.action, several.action);
            assert_eq!(single.report.moves, several.report.moves, "{words:?}, seed {seed}");
            let partial = decide(&game, config(Observers::Partial), &info, 300, seed);
            assert_eq!(single.report.moves, partial.report.moves, "{words:?}, seed {seed}");
        }
    }
}

/// In a game of perfect information the moves rank as under UCT.
#[test]
fn perfect_information_is_searched_as_by_uct() {
    let game = Erased::any(SmallMnk::from_params(&params(&mnk::ABOUT, "")).unwrap());
    // X in a corner and in the opposite one, O in the centre: O must take a side, not a corner.
    let info = infoset(&game, &["a1", "b2", "c3"], Player(1));
    let mut uct = Uct::new(&game, UctSearch::new(&game, 0.7));
    uct.start(Player(1), Seed(1));
    let by_uct = uct.act(&info, &Budget::iterations(20_000)).unwrap().report;
    for observers in ALL {
        let report = decide(&game, config(observers), &info, 20_000, 1).report;
        let sides = |moves: &[MoveReport]| -> Vec<bool> {
            let mut order: Vec<_> = moves.iter().collect();
            order.sort_by_key(|m| std::cmp::Reverse(m.visits));
            order
                .iter()
                .map(|m| ["b1", "a2", "c2", "b3"].contains(&game.move_name(m.action).as_str()))
                .collect()
        };
        assert_eq!(sides(&report.moves), [true, true, true, true, false, false]);
        assert_eq!(sides(&by_uct.moves), sides(&report.moves));
    }
}

/// Both players of matching pennies mix about evenly under EXP3 (`ismcts/3.7`). RIS-MCTS has only bounds.
#[test]
fn simultaneous_choices_are_mixed() {
    let pennies = "rows=[1,-1;-1,1]";
    let game = Erased::any(Matrix::from_params(&params(&matrix::ABOUT, pennies)).unwrap());
    for observers in ALL {
        for seat in [0, 1] {
            let info = infoset(&game, &[], Player(seat));
            let moves = decide(&game, config(observers), &info, 20_000, 3).report.moves;
            let share = moves[0].visits as f64 / moves.iter().map(|m| m.visits).sum::<u64>() as f64;
            assert!((share - 0.5).abs() < 0.1, "{observers:?} seat {seat}: {share}");
        }
    }
}

#[test]
fn the_same_seed_and_threads_give_the_same_search() {
    let game = Erased::any(PhantomMnk::<Hidden>::from_params(&params(&phantom_mnk::ABOUT, "")).unwrap());
    let info = infoset(&game, &["b2", "a1"], Player(0));
    for threads in [1, 2, 3] {
        let config = Config { threads, ..config(Observers::Multiple) };
        let run = |seed| decide(&game, config, &info, 3001, seed).report;
        let (first, second) = (run(1), run(1));
        assert_eq!(first.moves, second.moves);
        assert_ne!(first.moves, run(2).moves);
        assert_eq!(first.iterations, 3001);
        assert_eq!(first.moves.iter().map(|m| m.visits).sum::<u64>(), 3001);
    }
}

#[test]
fn a_search_without_memory_goes_on() {
    let game =
        Erased::any(PhantomMnk::<Hidden>::from_params(&params(&phantom_mnk::ABOUT, "m=4,n=4,k=4")).unwrap());
    let info = infoset(&game, &[], Player(0));
    let small = Config { memory: 200_000, ..config(Observers::Multiple) };
    let report = decide(&game, small, &info, 50_000, 1).report;
    assert_eq!(report.iterations, 50_000);
    assert!(report.nodes < 2000, "{} nodes", report.nodes);
}

/// Whitehouse 2014, Fig. 6.4 (`ismcts/E22`): a tree for each player is stronger than one in which hidden moves count
/// as seen.
#[test]
fn several_observers_beat_one_at_phantom_444() {
    let parameters = params(&phantom_mnk::ABOUT, "m=4,n=4,k=4,failed=announced");
    let game = Erased::any(PhantomMnk::<Hidden>::from_params(&parameters).unwrap());
    let [mut one, mut several] =
        [Observers::Single, Observers::Multiple].map(|observers| Ismcts::new(&game, config(observers)));
    let (low, high) = game.facts().utility_bounds;
    let games = 120;
    let total: f64 = (0..games)
        .map(|i| play(&game, [&mut several, &mut one], Player((i % 2) as u8), Seed(22).number(i), 10_000))
        .sum();
    let share = (total / games as f64 - low) / (high - low);
    assert!(share > 0.54, "{share}");
}

/// The searcher's own tree is kept: in phantom 4,4,4, with 30 000 iterations, a third of the visits on average
/// (docs/evidence/speed.md).
#[test]
fn the_own_tree_is_kept_from_move_to_move() {
    let game =
        Erased::any(PhantomMnk::<Hidden>::from_params(&params(&phantom_mnk::ABOUT, "m=4,n=4,k=4")).unwrap());
    let keep = Config { reuse: true, ..config(Observers::Multiple) };
    let (mut kept, mut searched) = (0.0, 0.0);
    for seed in 0..3 {
        let mut agents: Vec<Ismcts> = (0..2).map(|_| Ismcts::new(&game, keep)).collect();
        for (agent, p) in agents.iter_mut().zip(Player::all(2)) {
            agent.start(p, Seed(seed).number(u64::from(p.0)));
        }
        let mut words: Vec<String> = Vec::new();
        let mut moved = [false; 2];
        loop {
            let list: Vec<&str> = words.iter().map(String::as_str).collect();
            let table = Table::after(&game, &list.join(" "));
            let Turn::Player(who) = table.world.turn() else { break };
            let budget = Budget::iterations(30_000);
            let decision = agents[who.index()].act(&table.infoset(who), &budget).unwrap();
            if moved[who.index()] && decision.report.iterations > 0 {
                kept += decision.report.figure("kept visits").unwrap();
                searched += decision.report.iterations as f64;
            }
            moved[who.index()] = true;
            words.push(game.move_name(decision.action));
        }
    }
    let share = kept / searched;
    assert!(share > 0.3, "{share:.2} of the visits of a search were kept");
}

/// Whatever the game offers is searched: hidden bids with random prizes have chance, simultaneous moves and
/// hidden information at once.
#[test]
fn hidden_bids_are_searched() {
    let text = "cards=5,bids=hidden,prizes=random";
    let game = Erased::any(Goofspiel::from_params(&params(&goofspiel::ABOUT, text)).unwrap());
    for observers in ALL {
        for simultaneous in [Simultaneous::Exp3, Simultaneous::Ucb1] {
            let info = infoset(&game, &["3", "1", "2", "4"], Player(1));
            let config = Config { simultaneous, ..config(observers) };
            let report = decide(&game, config, &info, 5000, 4).report;
            assert_eq!(report.moves.len(), 4);
            assert!(report.depth > 2);
        }
    }
}

/// A king calls a bet, a jack folds.
#[test]
fn kuhn_poker_is_played_sensibly() {
    let game = Erased::any(KuhnPoker);
    for observers in ALL {
        let info = infoset(&game, &["Q", "K", "bet"], Player(1));
        assert_eq!(game.move_name(decide(&game, config(observers), &info, 500, 5).action), "call");
        let info = infoset(&game, &["Q", "J", "bet"], Player(1));
        assert_eq!(game.move_name(decide(&game, config(observers), &info, 500, 5).action), "fold");
    }
}

/// `ismcts/7.1`: a search does not mind whether results are worth 1, 1/2, 0 or 1, 0, -1.
#[test]
fn the_scale_of_the_rewards_does_not_matter() {
    let games = ["reward=unit", "reward=signed"]
        .map(|text| Erased::any(SmallMnk::from_params(&params(&mnk::ABOUT, text)).unwrap()));
    for observers in ALL {
        for seed in 0..5 {
            let visits = games.each_ref().map(|game| {
                let info = infoset(game, &["a1"], Player(1));
                let report = decide(game, config(observers), &info, 1000, seed).report;
                report.moves.iter().map(|m| m.visits).collect::<Vec<_>>()
            });
            assert_eq!(visits[0], visits[1], "{observers:?}, seed {seed}");
        }
    }
}

/// With a king a bet looks worth no more than the ante to a search whose opponent is judged in the searcher's own
/// worlds: it folds its queen, since every world there has the king. Judged in its own worlds it must
/// call sometimes, since the bet may be a bluff, and then the king wins 2.
#[test]
fn the_searchers_secret_does_not_leak_into_the_others() {
    let game = Erased::any(KuhnPoker);
    let info = infoset(&game, &["K", "Q"], Player(0));
    let worth_of_a_bet = |observers| {
        let config = Config { c: 2.0, ..config(observers) };
        let mean = (0..5).map(|seed| {
            let decision = decide(&game, config, &info, 30_000, seed);
            let bet = decision.report.moves.iter().find(|m| game.move_name(m.action) == "bet").unwrap();
            bet.values.as_ref().unwrap()[Player(0)]
        });
        mean.sum::<f64>() / 5.0
    };
    let (leaking, tight) = (worth_of_a_bet(Observers::Multiple), worth_of_a_bet(Observers::Acting));
    assert!(leaking < 1.05, "{leaking}");
    assert!(tight > leaking + 0.05, "{tight} against {leaking}");
}

/// Informed searches of every kind: at once, and after a while.
fn informed() -> impl Iterator<Item = Config> {
    let trees = [Observers::Single, Observers::Partial, Observers::Multiple];
    trees.into_iter().flat_map(|observers| {
        [1, 16].map(|split| Config { opponents: Opponents::Informed { split }, ..config(observers) })
    })
}

/// Where nothing is hidden there is nothing more to know.
#[test]
fn informed_opponents_change_nothing_where_all_is_open() {
    let game = Erased::any(SmallMnk::from_params(&params(&mnk::ABOUT, "")).unwrap());
    let info = infoset(&game, &["a1", "b2", "c3"], Player(1));
    for config in informed() {
        let published = Config { opponents: Opponents::Published, ..config };
        let [one, other] = [config, published].map(|config| decide(&game, config, &info, 5000, 1).report);
        assert_eq!(one.moves, other.moves, "{:?}", config.observers);
        assert_eq!((one.nodes, one.depth), (other.nodes, other.depth));
    }
}

/// The sure 0.9 on the coin, the worked tree and three players' trust, as without (see above).
#[test]
fn informed_searches_decide_the_worked_examples_rightly() {
    for config in informed() {
        let coin = micro("coin");
        let best = decide(&coin, config, &infoset(&coin, &["heads"], Player(0)), 2000, 1).report;
        let best = best.moves.iter().max_by_key(|m| m.visits).unwrap().clone();
        assert!((best.values.unwrap()[Player(0)] - 0.9).abs() < 1e-6, "{config:?}");
        let trust = trust_game();
        let decision = decide(&trust, config, &infoset(&trust, &[], Player(0)), 4000, 2);
        assert_eq!(trust.move_name(decision.action), "trust", "{config:?}");
    }
}

/// Who bets with the queen in Kuhn poker wins 1 of a jack that folds and loses 2 to a king that calls, -1/2 in the mean.
/// An opponent who decides for both cards together calls: 0 in the mean against -1 for folding.
#[test]
fn informed_opponents_use_what_they_hold() {
    let game = Erased::any(KuhnPoker);
    let info = infoset(&game, &["Q", "J"], Player(0));
    let worth_of_a_bet = |config: Config| {
        let decision = decide(&game, config, &info, 30_000, 5);
        let bet = decision.report.moves.iter().find(|m| game.move_name(m.action) == "bet").unwrap();
        bet.values.as_ref().unwrap()[Player(0)]
    };
    for informed in informed() {
        let Config { observers, opponents, .. } = informed;
        let value = worth_of_a_bet(informed);
        assert!((value + 0.5).abs() < 0.15, "{observers:?}, {opponents:?}: {value}");
        let published = worth_of_a_bet(Config { opponents: Opponents::Published, ..informed });
        assert!(published.abs() < 0.15, "{observers:?}: {published}");
    }
}

/// Three players, each for itself (max^n): the second takes its own 2 rather than hurt the first, so `trust` is worth
/// 9 to the first; who fears that all others are against it would take the sure 5. The third player's choice shows
/// that rewards are not mixed up between the others.
#[test]
fn every_player_maximises_its_own_reward() {
    let game = trust_game();
    let info = infoset(&game, &[], Player(0));
    for observers in ALL {
        let decision = decide(&game, config(observers), &info, 3000, 1);
        assert_eq!(game.move_name(decision.action), "trust", "{observers:?}");
    }
    let mut uct = Uct::new(&game, UctSearch::new(&game, 0.7));
    uct.start(Player(0), Seed(1));
    let decision = uct.act(&info, &Budget::iterations(3000)).unwrap();
    assert_eq!(game.move_name(decision.action), "trust");
}

//! Trees of matrix games: convergence, what slows it down, and where it ends.

use std::collections::HashMap;

use fogtree_core::{Agent, Budget, Erased, Key, Keys, Observer, Player, Rules, Seed, Step};
use fogtree_search::SmMcts;
use fogtree_search::bandit::Ties;
use fogtree_search::sm_mcts::{
    Expand, Leaf, Mcts, Method, Oos, Play, Propagate, Selection, Settings, Weights,
};
use fogtree_solve::lp::Matrix;
use fogtree_solve::{Compiled, Evaluation, Profile};

use crate::common::{
    DRM, EXP3, Layers, averages, chain, compiled, goofspiel, matrix_game, mcts, mean, model, nash_conv,
    played, profile, searched,
};
use crate::tables::infoset;

fn oos(weights: Weights) -> Settings {
    Settings::of(Method::Oos(Oos { weights, ..Settings::OOS }))
}

fn duct(c: f64, ties: Ties) -> Settings {
    mcts(Selection::Duct { c, ties })
}

fn frequencies_conv(tree: &Compiled, agent: &SmMcts) -> f64 {
    Evaluation::of(tree, &profile(tree, |tell| agent.frequencies(tell))).nash_conv()
}

/// How much both could gain in a matrix game.
fn matrix_conv(matrix: &Matrix, row: &[f64], column: &[f64]) -> f64 {
    let best = matrix.against_columns(column).into_iter().fold(f64::MIN, f64::max);
    best - matrix.against_rows(row).into_iter().fold(f64::MAX, f64::min)
}

/// The strategies of an agent by key.
fn strategies(agent: &SmMcts) -> HashMap<Key, (Vec<f64>, u64)> {
    let mut all = HashMap::new();
    agent.average_strategies(&mut |told| {
        all.insert(told.key, (told.strategy.to_vec(), told.visits));
    });
    all
}

/// Equilibrium T-08, TH-6: SM-MCTS-A ends within `2 D^2 epsilon` of a subgame-perfect equilibrium, where `epsilon`
/// is the exploration of regret matching.
#[test]
fn t_08_means_converge_in_every_subgame() {
    let epsilon = 0.05;
    let settings = played(Selection::Drm { gamma: epsilon }, Propagate::Mean);
    for (branching, depth) in [(2, 2), (3, 2), (2, 3)] {
        for seed in 0..5 {
            let game = Erased::new(Layers::random(branching, depth, seed));
            let tree = compiled(&game);
            let agent = searched(&game, settings, seed, 200_000);
            let conv = nash_conv(&tree, &agent);
            let bound = 2.0 * f64::from(depth).powi(2) * epsilon;
            assert!(conv <= bound, "{branching} by {depth}, seed {seed}: {conv}");
            if depth > 2 {
                continue;
            }
            let strategies = strategies(&agent);
            let k = branching as usize;
            for (child, leaves) in game.game().leaves.chunks(k * k).enumerate() {
                let moves = [child / k, child % k].map(|a| a as u8);
                let moves = [(Player(0), moves[0]), (Player(1), moves[1])];
                let keys = Keys::start(2).after(&**game.game(), &game.game().start(), Step::Moves(&moves));
                let at = Player::all(2).map(|p| strategies.get(&keys.of(Observer::Seat(p))));
                let [Some((row, visits)), Some((column, _))] = at.collect::<Vec<_>>()[..] else { continue };
                let conv = matrix_conv(&Matrix::new(k, leaves.to_vec()), row, column);
                assert!(conv <= 2.0 * epsilon || *visits < 2000, "{child}: {conv} after {visits} visits");
            }
        }
    }
}

/// Equilibrium E1, TH-8: passing samples up is no slower than passing means up, and faster in deep games. Random
/// games, frequencies; the means are over 24 games each.
#[test]
fn th_8_samples_converge_faster_than_means() {
    let conv = |depth: u8, propagate| {
        let run = |seed| {
            let game = Erased::new(Layers::random(2, depth, seed));
            frequencies_conv(&compiled(&game), &searched(&game, played(DRM, propagate), seed, 20_000))
        };
        mean((0..24).map(run))
    };
    let gaps = [2, 3, 4].map(|depth| {
        let (samples, means) = (conv(depth, Propagate::Sample), conv(depth, Propagate::Mean));
        assert!(samples <= means + 0.01, "depth {depth}: {samples} against {means}");
        means - samples
    });
    assert!(gaps[2] > gaps[0] + 0.03, "{gaps:?}");
}

/// What play settles at where every matrix has a strict saddle point even when all play explores: the saddle points
/// mixed with exploration. Returns nothing for other games.
fn explored_optimum(game: &Layers, tree: &Compiled, gamma: f64) -> Option<Profile> {
    let k = usize::from(game.branching);
    let mixed = |best: usize| -> Vec<f64> {
        (0..k).map(|i| (1.0 - gamma) * f64::from(u8::from(i == best)) + gamma / k as f64).collect()
    };
    let strict = |matrix: &Matrix| {
        let (row, column) = matrix.saddle()?;
        let rows: Vec<&[f64]> = matrix.rows().collect();
        let value = rows[row][column];
        let apart = (0..k).all(|i| i == row || rows[i][column] < value - 0.1)
            && (0..k).all(|j| j == column || rows[row][j] > value + 0.1);
        apart.then_some((row, column))
    };
    let mut solution = Profile::uniform(tree);
    let mut values = Vec::new();
    for (child, leaves) in game.leaves.chunks(k * k).enumerate() {
        let matrix = Matrix::new(k, leaves.to_vec());
        let (row, column) = strict(&matrix)?;
        let moves = [(Player(0), (child / k) as u8), (Player(1), (child % k) as u8)];
        let keys = Keys::start(2).after(game, &game.start(), Step::Moves(&moves));
        for (p, best) in [(Player(0), row), (Player(1), column)] {
            let set = tree.treeplex(p).find(keys.of(Observer::Seat(p))).unwrap();
            solution.set(tree, p, set, &mixed(best));
        }
        let against = matrix.against_columns(&mixed(column));
        values.push(mixed(row).iter().zip(against).map(|(p, v)| p * v).sum());
    }
    let (row, column) = strict(&Matrix::new(k, values))?;
    for (p, best) in [(Player(0), row), (Player(1), column)] {
        let set = tree.treeplex(p).find(Keys::start(2).of(Observer::Seat(p))).unwrap();
        solution.set(tree, p, set, &mixed(best));
    }
    Some(solution)
}

/// Equilibrium TH-12, E2: what is played ends at the exploitability of the optimum mixed with exploration, in games
/// whose optimum is pure. (In the interior there is no floor: see T-04.)
#[test]
fn th_12_exploration_leaves_a_floor() {
    let gamma = 0.05;
    let mut games = 0;
    for seed in 0..5000 {
        let game = Erased::new(Layers::random(2, 2, seed));
        let tree = compiled(&game);
        let Some(optimum) = explored_optimum(game.game(), &tree, gamma) else { continue };
        let floor = Evaluation::of(&tree, &optimum).nash_conv();
        for (selection, propagate, iterations, tolerance) in [
            (Selection::Drm { gamma }, Propagate::Sample, 400_000, 0.1),
            (Selection::Drm { gamma }, Propagate::Mean, 1_000_000, 0.2),
            (Selection::Exp3 { gamma }, Propagate::Sample, 400_000, 0.1),
            (Selection::Rm { gamma, unvisited: 0.5 }, Propagate::Sample, 400_000, 0.1),
        ] {
            let conv = nash_conv(&tree, &searched(&game, played(selection, propagate), 1, iterations));
            let case = format!("{selection:?}, {propagate:?}, seed {seed}");
            assert!((conv - floor).abs() < tolerance * floor, "{case}: {conv}, floor {floor}");
        }
        games += 1;
        if games == 2 {
            break;
        }
    }
    assert_eq!(games, 2);
}

/// Equilibrium TH-10: outcome sampling converges, with either weights, also through chance.
#[test]
fn th_10_outcome_sampling_converges() {
    for weights in [Weights::Path, Weights::Local] {
        for (branching, depth) in [(2, 2), (3, 2), (2, 4)] {
            let game = Erased::new(Layers::random(branching, depth, 5));
            let tree = compiled(&game);
            let convs = [1000, 200_000].map(|n| nash_conv(&tree, &searched(&game, oos(weights), 1, n)));
            assert!(convs[1] < 0.02 && convs[1] < 0.2 * convs[0], "{weights:?}, depth {depth}: {convs:?}");
        }
        let game = goofspiel("cards=3,prizes=random,lowest=1,reward=points");
        let tree = compiled(&game);
        let uniform = Evaluation::of(&tree, &Profile::uniform(&tree)).nash_conv();
        let conv = nash_conv(&tree, &searched(&game, oos(weights), 1, 300_000));
        assert!(conv < 0.05 * uniform, "{weights:?}: {conv} of {uniform}");
    }
}

/// The other searches find their way through chance too.
#[test]
fn chance_is_told_apart_by_what_it_draws() {
    let game = goofspiel("cards=3,prizes=random,lowest=1,reward=points");
    let tree = compiled(&game);
    let uniform = Evaluation::of(&tree, &Profile::uniform(&tree)).nash_conv();
    for selection in [Settings::RM, DRM, EXP3] {
        let conv = nash_conv(&tree, &searched(&game, mcts(selection), 1, 300_000));
        assert!(conv < 0.15 * uniform, "{selection:?}: {conv} of {uniform}");
    }
}

/// Equilibrium E3, in small: goofspiel with five cards, as many iterations for all. Outcome sampling comes closest,
/// whatever the lowest card is worth (where it is worth nothing, coupled regret matching is as close after twice as
/// many); bounds that break exact ties only go nowhere.
#[test]
fn e_3_outcome_sampling_is_fastest() {
    for (text, uniform, iterations) in [("cards=5,lowest=1", 1.6, 200_000), ("cards=5", 1.766_667, 100_000)] {
        let game = goofspiel(text);
        let tree = compiled(&game);
        assert!((Evaluation::of(&tree, &Profile::uniform(&tree)).nash_conv() - uniform).abs() < 1e-6);
        let conv = |settings| nash_conv(&tree, &searched(&game, settings, 1, iterations));
        let sampling = conv(oos(Weights::Path));
        let others = [Settings::RM, EXP3].map(|selection| conv(mcts(selection)));
        // The source's C = 5 and its tolerance, on rewards in [0, 1].
        let bounds = conv(duct(2.5, Ties::Random(Settings::TAU)));
        let exact = conv(duct(2.5, Ties::EXACT));
        assert!(sampling < 0.3 && others.iter().all(|&other| sampling < other), "{sampling}, {others:?}");
        assert!(sampling < bounds && bounds > 0.35 && exact > 0.5, "{text}: {sampling}, {bounds}, {exact}");
    }
}

/// Both ways with new nodes converge, and so does a search that asks the game instead of playing on.
#[test]
fn er_10_either_way_with_new_nodes_converges() {
    let game = goofspiel("cards=4,lowest=1");
    let tree = compiled(&game);
    for expand in [Expand::Choose, Expand::Leave] {
        for propagate in [Propagate::Sample, Propagate::JointMean] {
            for leaf in [Leaf::Rollout, Leaf::Evaluation] {
                let method = Method::Mcts(Mcts { expand, propagate, ..Mcts::new(Settings::RM) });
                let settings = Settings { leaf, ..Settings::of(method) };
                let conv = nash_conv(&tree, &searched(&game, settings, 1, 200_000));
                assert!(conv < 0.05, "{expand:?}, {propagate:?}, {leaf:?}: {conv}");
            }
        }
    }
    // What is left empty is visited once less.
    let visits = |expand| {
        let method = Method::Mcts(Mcts { expand, ..Mcts::new(Settings::RM) });
        let agent = searched(&game, Settings::of(method), 1, 100);
        strategies(&agent)[&Key::root(Observer::Seat(Player(0)))].1
    };
    assert_eq!((visits(Expand::Choose), visits(Expand::Leave)), (100, 99));
}

/// Equilibrium TH-13: in the chain the best leaf lies at the end of a way on which every step looks worse than
/// leaving. The iterations that UCT needs to prefer the way grow faster than exponentially with its length.
#[test]
fn th_13_bounds_may_take_very_long() {
    let needed = |depth: u8| {
        let game = Erased::new(chain(depth));
        let tree = compiled(&game);
        let mut agent = SmMcts::new(&model(&game), duct(0.7, Ties::First));
        agent.start(Player(0), Seed(1));
        let root = tree.treeplex(Player(0)).find(Key::root(Observer::Seat(Player(0)))).unwrap();
        let mut done = 0;
        while averages(&tree, &agent).at(&tree, Player(0), root)[1] <= 0.5 {
            done += agent.prepare(&Budget::iterations((done / 10).max(1)));
        }
        done as f64
    };
    let times = [2, 3, 4, 5].map(needed);
    let growth: Vec<f64> = times.windows(2).map(|w| w[1] / w[0]).collect();
    assert!(growth.windows(2).all(|w| w[1] > 2.0 * w[0]), "{times:?}");
}

/// Equilibrium ER-25: DUCT may play its most visited move or draw one; in a game that needs mixing the first is
/// exploited.
#[test]
fn er_25_the_most_likely_move_or_one_drawn() {
    let game = model(&matrix_game("[1,-1;-1,1]"));
    let info = infoset(&game, "", Player(0));
    for method in [Method::Mcts(Mcts::new(Settings::RM)), duct(1.0, Ties::Random(Settings::TAU)).method] {
        let firsts = |play| {
            let first = |seed| {
                let mut agent = SmMcts::new(&game, Settings { play, ..Settings::of(method) });
                agent.start(Player(0), Seed(seed));
                let decision = agent.act(&info, &Budget::iterations(201)).unwrap();
                let most = decision.report.moves.iter().max_by_key(|m| m.visits).unwrap().action;
                (decision.action == info.legal[0], decision.action == most)
            };
            (0..60).map(first).collect::<Vec<_>>()
        };
        let mixed = firsts(Play::Mix).iter().filter(|f| f.0).count();
        assert!((15..=45).contains(&mixed), "{mixed}");
        if let Method::Mcts(Mcts { selection: Selection::Duct { .. }, .. }) = method {
            assert!(firsts(Play::Max).iter().all(|f| f.1));
        }
    }
}

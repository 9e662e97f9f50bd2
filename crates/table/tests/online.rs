//! How far from equilibrium searches are, from the root and along matches.

use fogtree_core::{Budget, Deadline, Seed};
use fogtree_table::{
    Asking, Matches, Point, Registry, SeatAgent, StrategyPlayer, Unmeasured, agent_strategy, along_matches,
    converge,
};

const NODES: usize = 100_000;

fn root(game: &str, agent: &str, iterations: u64) -> Result<Vec<Point>, Unmeasured> {
    let registry = Registry::standard();
    let game = registry.game(game).unwrap();
    let mut agent = registry.agent(agent, &*game).unwrap();
    let mut points = Vec::new();
    let budget = Budget::iterations(iterations);
    converge(&*game, &mut agent, &budget, Seed(1), NODES, &mut |point| points.push(point.clone()))?;
    Ok(points)
}

/// Equilibrium 6.1: the average strategies of regret matching come close to an equilibrium of Kuhn poker, step
/// by step, and the iterations add up.
#[test]
fn searches_converge_from_the_root() {
    let points = root("kuhn-poker", "is-mcts(selection=rm)", 100_000).unwrap();
    assert_eq!((points[0].done, points[points.len() - 1].done), (100, 100_000));
    assert!(points.is_sorted_by(|a, b| a.done < b.done && a.seconds <= b.seconds));
    let conv = |point: &Point| point.evaluation.nash_conv();
    assert!(conv(&points[0]) > 0.2 && conv(&points[points.len() - 1]) < 0.1, "{points:?}");
    assert_eq!(points[points.len() - 1].sets, 12);
}

#[test]
fn what_tells_nothing_and_what_is_too_large_cannot_be_measured() {
    let error = root("kuhn-poker", "mo-ismcts", 100).unwrap_err();
    assert!(matches!(&error, Unmeasured::Tells(agent) if agent == "mo-ismcts"), "{error}");
    assert!(matches!(root("othello", "is-mcts", 100), Err(Unmeasured::Refusal(_))));
}

/// Equilibrium 6.2: along matches a player who always has the same strategy shows that strategy, at least where
/// its own play and random opponents lead.
#[test]
fn a_fixed_strategy_is_found_again_along_matches() {
    let registry = Registry::standard();
    for spec in ["kuhn-poker", "goofspiel(cards=3,bids=hidden)"] {
        let game = registry.game(spec).unwrap();
        let fixed = agent_strategy(
            &*game,
            &mut || registry.agent("random", &*game),
            Asking { samples: 3, count: true, seed: Seed(1) },
            NODES,
            &Deadline::NEVER,
        )
        .unwrap()
        .file;
        let expected = game.exploit(&fixed, NODES, &Deadline::NEVER).unwrap().evaluation.nash_conv();
        let mut player = || {
            let agent = Box::new(StrategyPlayer::new(fixed.clone()));
            Ok(SeatAgent { spec: "fixed".to_string(), agent, cheats: false, budget: Budget::default() })
        };
        let mut points = Vec::new();
        let matches = Matches { count: 200, every: 100 };
        along_matches(&*game, &mut player, matches, Seed(1), NODES, &Deadline::NEVER, &mut |p| {
            points.push(p.clone());
        })
        .unwrap();
        assert_eq!(points.iter().map(|p| p.done).collect::<Vec<_>>(), [100, 200]);
        let found = points[1].evaluation.nash_conv();
        assert!((found - expected).abs() < 1e-9, "{spec}: {found} instead of {expected}");
    }
}

/// Searches along matches are far better than random play, whose NashConv is 11/12.
#[test]
fn searches_are_measured_along_matches() {
    let registry = Registry::standard();
    let game = registry.game("kuhn-poker").unwrap();
    let mut agent = || registry.agent("is-mcts(selection=rm,iterations=2000)", &*game);
    let mut last = None;
    let matches = Matches { count: 50, every: 50 };
    along_matches(&*game, &mut agent, matches, Seed(1), NODES, &Deadline::NEVER, &mut |p| {
        last = Some(p.clone());
    })
    .unwrap();
    let conv = last.unwrap().evaluation.nash_conv();
    assert!(conv < 0.4, "{conv}");
}

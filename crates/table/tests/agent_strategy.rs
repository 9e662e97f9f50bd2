//! Strategies put together from decisions.

use fogtree_core::{Budget, Deadline, Seed};
use fogtree_solve::StrategyFile;
use fogtree_solve::strategy::Entry;
use fogtree_table::{NoAgentStrategy, Registry, SeatAgent, StrategyPlayer, agent_strategy};

const NODES: usize = 100_000;

/// Every entry with one action for sure: which, depends on the key.
fn pure(file: &StrategyFile) -> StrategyFile {
    let entries = file.infosets.iter().map(|entry| {
        let choice = (entry.key.0 % entry.actions.len() as u128) as usize;
        let certain = (0..entry.actions.len()).map(|i| f64::from(u8::from(i == choice))).collect();
        Entry { probabilities: certain, ..entry.clone() }
    });
    StrategyFile::of_entries(&file.game, "pure", entries.collect())
}

/// Equilibrium T-20: the strategy stitched from a fixed strategy is that strategy, and just as exploitable.
#[test]
fn t_20_stitching_a_fixed_strategy_gives_it_back() {
    let registry = Registry::standard();
    for spec in ["kuhn-poker", "goofspiel(cards=3,bids=hidden)", "non-locality"] {
        let game = registry.game(spec).unwrap();
        let random = agent_strategy(
            &*game,
            &mut || registry.agent("random", &*game),
            1,
            Seed(1),
            NODES,
            &Deadline::NEVER,
        )
        .unwrap();
        let fixed = pure(&random);
        let mut player = || {
            let agent = Box::new(StrategyPlayer::new(fixed.clone()));
            Ok(SeatAgent { spec: "pure".to_string(), agent, cheats: false, budget: Budget::default() })
        };
        let stitched = agent_strategy(&*game, &mut player, 3, Seed(1), NODES, &Deadline::NEVER).unwrap();
        assert_eq!(stitched, fixed);
        let [a, b] = [&stitched, &fixed].map(|file| game.exploit(file, NODES, &Deadline::NEVER).unwrap());
        assert_eq!(a, b);
        assert_eq!(a.missing, 0, "{spec}");
        assert!(a.evaluation.nash_conv() > 0.0, "{spec}");
    }
}

/// Exact players of a game in which nothing is hidden play a best response to each other.
#[test]
fn minimax_cannot_be_exploited() {
    let registry = Registry::standard();
    let game = registry.game("mnk(m=3,n=2,k=2)").unwrap();
    let file = agent_strategy(
        &*game,
        &mut || registry.agent("minimax", &*game),
        1,
        Seed(1),
        NODES,
        &Deadline::NEVER,
    )
    .unwrap();
    assert!(game.exploit(&file, NODES, &Deadline::NEVER).unwrap().evaluation.nash_conv().abs() < 1e-9);
}

/// Stitched from its decisions in Leduc poker, MO-ISMCTS is less exploitable if its opponents know what they hold.
#[test]
fn informed_opponents_make_less_exploitable() {
    let registry = Registry::standard();
    let game = registry.game("leduc-poker").unwrap();
    let nash_conv = |options: &str| {
        let spec = format!("mo-ismcts(iterations=1000{options})");
        let mut agent = || registry.agent(&spec, &*game);
        let file = agent_strategy(&*game, &mut agent, 2, Seed(1), NODES, &Deadline::NEVER).unwrap();
        game.exploit(&file, NODES, &Deadline::NEVER).unwrap().evaluation.nash_conv()
    };
    let (published, informed) = (nash_conv(""), nash_conv(",opponents=informed,split=16"));
    assert!(informed < 0.8 * published, "{informed} against {published}");
}

#[test]
fn large_games_and_cheats_are_refused() {
    let registry = Registry::standard();
    let game = registry.game("othello").unwrap();
    let file =
        agent_strategy(&*game, &mut || registry.agent("random", &*game), 1, Seed(1), 1000, &Deadline::NEVER);
    assert_eq!(file, Err(NoAgentStrategy::TooLarge(1000)));
    let game = registry.game("kuhn-poker").unwrap();
    let file = agent_strategy(
        &*game,
        &mut || registry.agent("cheating-uct", &*game),
        1,
        Seed(1),
        1000,
        &Deadline::NEVER,
    );
    assert!(matches!(file, Err(NoAgentStrategy::Cheating(_))));
}

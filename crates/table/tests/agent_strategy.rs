//! Strategies put together from decisions.

use fogtree_core::{Budget, Deadline, Seed};
use fogtree_solve::strategy::Entry;
use fogtree_solve::{Config, Solver, StrategyFile};
use fogtree_table::{
    Asking, Found, Local, NoAgentStrategy, NoLocalResponse, Registry, SeatAgent, StrategyPlayer,
    agent_strategy, local_response,
};

const NODES: usize = 100_000;

fn asking(samples: u32) -> Asking {
    Asking { samples, count: false, seed: Seed(1) }
}

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
            asking(1),
            NODES,
            &Deadline::NEVER,
        )
        .unwrap()
        .file;
        let fixed = pure(&random);
        let mut player = || {
            let agent = Box::new(StrategyPlayer::new(fixed.clone()));
            Ok(SeatAgent { spec: "pure".to_string(), agent, cheats: false, budget: Budget::default() })
        };
        let stitched = agent_strategy(&*game, &mut player, asking(3), NODES, &Deadline::NEVER).unwrap().file;
        assert_eq!(stitched, fixed);
        let [a, b] = [&stitched, &fixed].map(|file| game.exploit(file, NODES, &Deadline::NEVER).unwrap());
        assert_eq!(a, b);
        assert_eq!(a.missing, Some(0), "{spec}");
        assert!(a.evaluation.nash_conv() > 0.0, "{spec}");
    }
}

/// Exact players of a game in which nothing is hidden play a best response to each other.
#[test]
fn minimax_cannot_be_exploited() {
    let registry = Registry::standard();
    let game = registry.game("mnk(m=3,n=2,k=2)").unwrap();
    let file =
        agent_strategy(&*game, &mut || registry.agent("minimax", &*game), asking(1), NODES, &Deadline::NEVER)
            .unwrap()
            .file;
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
        let file = agent_strategy(&*game, &mut agent, asking(2), NODES, &Deadline::NEVER).unwrap().file;
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
        agent_strategy(&*game, &mut || registry.agent("uct", &*game), asking(1), 1000, &Deadline::NEVER);
    assert_eq!(file, Err(NoAgentStrategy::TooLarge(1000)));
    let game = registry.game("kuhn-poker").unwrap();
    let file = agent_strategy(
        &*game,
        &mut || registry.agent("cheating-uct", &*game),
        asking(1),
        1000,
        &Deadline::NEVER,
    );
    assert!(matches!(file, Err(NoAgentStrategy::Cheating(_))));
}

/// Exploitability of an agent in a game, and how its strategy was found.
fn exploitability(spec: &str, agent: &str, asking: Asking) -> (f64, Found) {
    let registry = Registry::standard();
    let game = registry.game(spec).unwrap();
    let mut make = || registry.agent(agent, &*game);
    let asked = agent_strategy(&*game, &mut make, asking, NODES, &Deadline::NEVER).unwrap();
    let found = game.exploit(&asked.file, NODES, &Deadline::NEVER).unwrap();
    (found.evaluation.exploitability(), asked.found)
}

/// Uniform play is the equilibrium of rock, paper, scissors; where a won paper pays double, it loses 50/3 of 100.
#[test]
fn agents_that_say_how_they_draw_are_taken_at_their_word() {
    let twice = Asking { samples: 2, ..asking(1) };
    for agent in ["random", "policy"] {
        let (found, how) = exploitability("rock-paper-scissors", agent, twice);
        assert_eq!(how, Found::Exact);
        assert!(found.abs() < 1e-12, "{found}");
    }
    let (found, how) = exploitability("rock-paper-scissors", "random", Asking { count: true, ..asking(20) });
    assert_eq!(how, Found::Counted);
    assert!(found > 0.01, "{found}");
    // The average of one search is near the equilibrium; a few of its choices are not.
    let agent = "oos(iterations=20000)";
    let (own, how) = exploitability("kuhn-poker", agent, twice);
    assert_eq!(how, Found::Own);
    let (counted, how) = exploitability("kuhn-poker", agent, Asking { count: true, ..twice });
    assert_eq!(how, Found::Counted);
    assert!(own < 0.05 && own < counted, "{own} {counted}");
    for (agent, expected) in [
        ("is-mcts(iterations=200,play=mix)", Found::Own),
        ("is-mcts(iterations=200,play=max)", Found::Counted),
        ("mt-mo-ismcts(iterations=200,final=soft:1)", Found::Own),
        ("mo-ismcts(iterations=200)", Found::Counted),
        ("first-legal", Found::Exact),
    ] {
        assert_eq!(exploitability("kuhn-poker", agent, asking(1)).1, expected, "{agent}");
    }
}

/// In a game too large to walk uniform play is written down as nothing, which is evaluated by merging histories.
#[test]
fn uniform_play_of_large_games_is_evaluated() {
    let registry = Registry::standard();
    let game = registry.game("phantom-mnk(opening=centre,reward=signed)").unwrap();
    let mut make = || registry.agent("random", &*game);
    let asked = agent_strategy(&*game, &mut make, asking(1), 1_000_000, &Deadline::NEVER).unwrap();
    assert_eq!((asked.found, asked.file.infosets.len()), (Found::Exact, 0));
    let found = game.exploit(&asked.file, 1_000_000, &Deadline::NEVER).unwrap();
    let [first, second] = [found.evaluation.best[0], found.evaluation.best[1]];
    // Equilibrium 3.8.
    assert!((first - 0.942_708).abs() < 1e-6 && (second - 0.495_238).abs() < 1e-6, "{first} {second}");
    assert!(found.evaluation.values.iter().sum::<f64>().abs() < 1e-9);
}

/// A strategy file, as an agent.
fn player(file: &StrategyFile) -> SeatAgent {
    let agent = Box::new(StrategyPlayer::new(file.clone()));
    SeatAgent { spec: "file".to_string(), agent, cheats: false, budget: Budget::default() }
}

/// A local best response earns no more than an exact one, and much against bad play.
#[test]
fn local_best_responses_are_lower_bounds() {
    let registry = Registry::standard();
    for (spec, games, agents) in [
        ("kuhn-poker", 2000, &["random", "first-legal", "is-mcts(iterations=100,play=mix)"][..]),
        ("leduc-poker", 600, &["random", "first-legal"]),
        ("rock-paper-scissors", 500, &["first-legal"]),
    ] {
        let game = registry.game(spec).unwrap();
        for agent in agents {
            let exact = exploitability(spec, agent, asking(1)).0;
            let local = Local { games, rollouts: 30, asking: asking(1) };
            let mut make = || registry.agent(agent, &*game);
            let found = local_response(&*game, &mut make, local, &Deadline::NEVER).unwrap();
            let (least, margin) = (found.nash_conv / 2.0, found.margin / 2.0);
            assert!(
                least <= exact + 2.0 * margin + 1e-9,
                "{spec} {agent}: {least} +- {margin}, exactly {exact}"
            );
            assert!(least - margin > 0.0, "{spec} {agent}: {least} +- {margin}, exactly {exact}");
            assert_eq!((found.games, found.lost), (games, 0));
        }
    }
}

/// Nothing gains against an equilibrium.
#[test]
fn local_best_responses_gain_nothing_against_an_equilibrium() {
    let registry = Registry::standard();
    let game = registry.game("kuhn-poker").unwrap();
    let config =
        Config { limit: NODES, ..Config::new(Solver::from_spec(&"sequence-lp".parse().unwrap()).unwrap()) };
    let file = game.solve(&config, Some("sequence-lp"), &mut |_| ()).unwrap().strategies.unwrap();
    let local = Local { games: 3000, rollouts: 30, asking: asking(1) };
    let found = local_response(&*game, &mut || Ok(player(&file)), local, &Deadline::NEVER).unwrap();
    assert_eq!(found.found, Found::Exact);
    assert!(found.nash_conv <= 2.0 * found.margin, "{found:?}");
    let game = registry.game("matrix(rows=[3:3,0:5;5:0,1:1])").unwrap();
    let mut make = || registry.agent("random", &*game);
    let found = local_response(&*game, &mut make, local, &Deadline::NEVER);
    assert_eq!(found, Err(NoLocalResponse::General));
}

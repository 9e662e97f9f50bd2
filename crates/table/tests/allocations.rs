//! A search that has reserved its memory allocates nothing more, however long it goes on.

use fogtree_core::{Purpose, Seed, Turn};
use fogtree_table::Registry;

/// How often memory is allocated in a decision of this many iterations, after a decision of the same search
/// has reserved what it needs.
fn allocations(game: &str, agent: &str, iterations: u64) -> u64 {
    let registry = Registry::standard();
    let game = registry.game(game).unwrap();
    let mut agent = registry.agent(agent, &*game).unwrap();
    let mut table = game.table();
    let mut deal = Seed(5).stream(Purpose::Deal);
    while table.turn() == Turn::Chance {
        table.draw(&mut deal);
    }
    let who = table.turn().players().iter().next().unwrap();
    agent.budget.iterations = Some(100_000);
    agent.start(who, Seed(1));
    table.ask(who, &mut agent).unwrap();
    agent.budget.iterations = Some(iterations);
    agent.start(who, Seed(1));
    allocation_counter::measure(|| {
        table.ask(who, &mut agent).unwrap();
    })
    .count_total
}

const OPEN: &str = "goofspiel(cards=6)";

#[test]
fn iterations_do_not_allocate() {
    let hidden = [
        "leduc-poker",
        "phantom-mnk",
        "goofspiel(cards=6,bids=hidden,prizes=random)",
        "liars-dice",
        "kuhn-poker",
    ];
    let cases = hidden
        .iter()
        .flat_map(|game| {
            ["flat-mc", "so-ismcts", "so-ismcts-pom", "mo-ismcts", "oos"].map(|agent| (*game, agent))
        })
        .chain(["connect-four", "othello", "mnk", "nim"].map(|game| (game, "uct")))
        .chain(
            ["sm-mcts", "sm-mcts(select=exp3)", "sm-mcts(select=duct)", "sm-oos"].map(|agent| (OPEN, agent)),
        )
        .chain([("goofspiel(prizes=random)", "sm-mcts(select=drm)"), ("othello", "sm-oos")]);
    for (game, agent) in cases {
        let (few, many) = (allocations(game, agent, 100), allocations(game, agent, 100_000));
        assert_eq!(few, many, "{agent} at {game}");
        assert!(many < 100, "{agent} at {game}: {many} allocations in a decision");
    }
}

//! The large gaps in strength that the sources report. The small ones are in `docs/evidence/strength.md`, with the
//! commands that measured them.

use std::sync::atomic::AtomicBool;

use fogtree_core::Seed;
use fogtree_lab::deals::Deals;
use fogtree_lab::series::{Seats, Series};
use fogtree_table::Registry;
use fogtree_table::wire::MatchResult;

fn play(game: &str, agents: [&str; 2], games: u64) -> MatchResult {
    let registry = Registry::standard();
    let series = Series {
        game: game.to_string(),
        seats: Seats::Rotated(agents.map(str::to_string).to_vec()),
        games,
        seed: Seed(22),
        deals: Deals::Fresh,
        until: None,
        threads: 2,
        follow: Vec::new(),
    };
    let made = registry.game(game).unwrap();
    series.run(&registry, &*made, &AtomicBool::new(false), &mut |_, _| {}).unwrap()
}

const PHANTOM: &str = "phantom-mnk(m=4,n=4,k=4,failed=announced)";

/// Whitehouse 2014, Fig. 6.4 (`ismcts/E22`): in 37 880 games no cheater lost to anybody.
#[test]
fn cheaters_do_not_lose_at_phantom_444() {
    for cheater in ["cheating-ensemble", "cheating-uct"] {
        let outcome = play(PHANTOM, [cheater, "mo-ismcts(iterations=1000)"], 16);
        assert_eq!(outcome.agents[0].losses, 0, "{cheater}");
    }
}

#[test]
fn searching_beats_not_searching() {
    for agent in [
        "flat-mc(iterations=500)",
        "pimc(determinizations=10,iterations=50)",
        "so-ismcts(iterations=500)",
        "so-ismcts-pom(iterations=500)",
        "mo-ismcts(iterations=500)",
        "is-mcts(iterations=500,beliefs=no)",
    ] {
        let outcome = play("phantom-mnk", [agent, "random"], 60);
        assert!(outcome.agents[0].low > 0.5, "{agent}: {:?}", outcome.agents[0]);
    }
}

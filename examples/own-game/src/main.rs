//! A game of one's own, in a crate of one's own, against every agent: `cargo run -p own-game`.
//!
//! The game is in `claim.rs`. It becomes one of the registry's games with one line, and every agent plays it.

mod claim;

use std::sync::atomic::AtomicBool;

use fogtree_core::Seed;
use fogtree_lab::deals::Deals;
use fogtree_lab::series::{Seats, Series};
use fogtree_table::{GameEntry, Registry};

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let mut registry = Registry::standard();
    registry.add_game(GameEntry::new(&claim::ABOUT, |_| Ok(claim::Claim)));
    let game = registry.game("claim")?;
    let agents: Vec<&str> = registry.agents().map(|about| about.name).collect();
    for agent in agents {
        let series = Series {
            game: "claim".to_string(),
            seats: Seats::Rotated(vec![agent.to_string(), "random".to_string()]),
            games: 200,
            seed: Seed(1),
            deals: Deals::Fresh,
            until: None,
            threads: 2,
            follow: Vec::new(),
        };
        match series.run(&registry, &*game, &AtomicBool::new(false), &mut |_, _| {}) {
            Ok(outcome) => {
                println!("{agent} wins {:.1} % against random", 100.0 * outcome.agents[0].win_rate);
            }
            Err(why) => println!("{why}"),
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_game_obeys_the_laws() {
        fogtree_core::testing::conformance(&claim::Claim, &claim::Claim);
    }

    #[test]
    fn every_agent_plays_it_or_says_why_not() {
        main().unwrap();
    }
}

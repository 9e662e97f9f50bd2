//! Games of one's own, in a crate of one's own, against every agent: `cargo run -p own-game`.
//!
//! There are three ways from rules to a game, with a module each: perfect information (`take.rs`), hidden information
//! that the state determines (`claim.rs`), and information sets that only the history determines (`cups.rs`). A game
//! becomes one of the registry's with one line, and every agent plays it.

mod claim;
mod cups;
mod take;

use std::sync::atomic::AtomicBool;

use fogtree_core::Seed;
use fogtree_lab::deals::Deals;
use fogtree_lab::series::{Seats, Series};
use fogtree_table::{GameEntry, Registry};

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let mut registry = Registry::standard();
    registry.add_game(GameEntry::new(&take::ABOUT, |_| Ok(take::Take)));
    registry.add_game(GameEntry::new(&claim::ABOUT, |_| Ok(claim::Claim)));
    registry.add_game(GameEntry::new(&cups::ABOUT, |_| Ok(cups::game())));
    let agents: Vec<&str> = registry.agents().map(|about| about.name).collect();
    for name in ["take", "claim", "cups"] {
        let game = registry.game(name)?;
        for agent in &agents {
            let series = Series {
                game: name.to_string(),
                seats: Seats::Rotated(vec![(*agent).to_string(), "random".to_string()]),
                games: 200,
                seed: Seed(1),
                deals: Deals::Fresh,
                until: None,
                threads: 2,
                follow: Vec::new(),
            };
            match series.run(&registry, &*game, &AtomicBool::new(false), &mut |_, _| {}) {
                Ok(outcome) => {
                    println!(
                        "{name}: {agent} wins {:.1} % against random",
                        100.0 * outcome.agents[0].win_rate
                    );
                }
                Err(why) => println!("{name}: {why}"),
            }
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use fogtree_core::testing::conformance;

    use super::*;

    #[test]
    fn the_games_obey_the_laws() {
        conformance(&take::Take, &take::Take);
        conformance(&claim::Claim, &claim::Claim);
        conformance(&cups::game(), &cups::game());
    }

    #[test]
    fn every_agent_plays_them_or_says_why_not() {
        main().unwrap();
    }
}

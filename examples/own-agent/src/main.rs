//! An agent of one's own, in a crate of one's own, at any game: `cargo run -p own-agent`.
//!
//! The search is in `halving.rs`. It becomes one of the registry's agents with one line, and plays every game.

mod halving;

use fogtree_core::{Player, Seed};
use fogtree_table::{Registry, SeatAgent, play_game};

type Error = Box<dyn std::error::Error>;

/// A rule sheet of the repository.
const SHEET: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../../games/gdl/blind-breakthrough.kif");

fn registry() -> Registry {
    let mut registry = Registry::standard();
    registry.add_agent(halving::ENTRY);
    registry
}

/// The mean reward of the first agent in so many games against the second in all other seats; seats rotate.
fn mean_reward(game: &str, agents: [&str; 2], games: u64) -> Result<f64, Error> {
    let (registry, mut sum) = (registry(), 0.0);
    let made = registry.game(game)?;
    for number in 0..games {
        let ours = Player((number % made.facts().players as u64) as u8);
        let mut seating = |seat: Player, _role: &str| -> Result<SeatAgent, Error> {
            Ok(registry.agent(agents[usize::from(seat != ours)], &*made)?)
        };
        sum += play_game(&*made, game, Seed(number), &mut seating, &mut |_| {})?.rewards[ours];
    }
    Ok(sum / games as f64)
}

fn main() -> Result<(), Error> {
    for game in ["hearts", &format!("gdl(file={SHEET})")] {
        let agents = ["halving(iterations=1000)", "mo-ismcts(iterations=1000)"];
        let mean = mean_reward(game, agents, 20)?;
        println!("{game}: {} gets {mean:.3} on average against {}", agents[0], agents[1]);
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn it_plays_every_kind_of_game_and_better_than_at_random() {
        let sheet = format!("gdl(file={SHEET})");
        for game in ["nim", "goofspiel(cards=4)", "kuhn-poker", "backgammon", "resistance", "hearts", &sheet]
        {
            mean_reward(game, ["halving(iterations=20)", "random"], 2).unwrap();
        }
        let mean = mean_reward("phantom-mnk", ["halving(iterations=300)", "random"], 20).unwrap();
        assert!(mean > 0.6, "{mean}");
    }

    #[test]
    fn it_refuses_what_it_says_it_cannot_play() {
        let registry = registry();
        let why = |game: &str, agent: &str| {
            let game = registry.game(game).unwrap();
            registry.agent(agent, &*game).err().map(|why| why.to_string())
        };
        assert_eq!(why("kuhn-poker", "halving(judge=margin)"), None);
        assert_eq!(
            why("hearts", "halving(judge=margin)").unwrap(),
            "halving cannot play this game: it is not for two players; use halving(judge=own) or mo-ismcts instead"
        );
        assert!(why("nim", "halving(judge=x)").unwrap().ends_with("expected one of own, margin"));
        assert!(why("nim", "halving(iterations=0)").unwrap().contains("a number from 1 to 1000000000"));
    }
}

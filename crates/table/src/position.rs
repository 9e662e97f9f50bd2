//! Positions that somebody asks to see, and the agent that is usually asked.

use fogtree_core::{IllegalStep, Purpose, Rng, Seed, Turn};

use crate::erased::{AnyGame, AnyTable};

/// The position after some moves. With a seed, chance draws from it and the words are the players' alone.
pub fn after_moves(
    game: &dyn AnyGame,
    words: &str,
    seed: Option<Seed>,
) -> Result<Box<dyn AnyTable>, IllegalStep> {
    let mut table = game.table();
    let words: Vec<&str> = words.split_whitespace().collect();
    let Some(seed) = seed else {
        table.play_words(&words)?;
        return Ok(table);
    };
    let mut deal = seed.stream(Purpose::Deal);
    let mut left = &words[..];
    loop {
        while table.turn() == Turn::Chance {
            table.draw(&mut deal);
        }
        let needed = table.turn().players().len().max(1).min(left.len());
        if needed == 0 {
            return Ok(table);
        }
        table.play_words(&left[..needed])?;
        left = &left[needed..];
    }
}

/// Makes so many steps at random, or fewer if the game ends.
pub fn play_at_random(table: &mut dyn AnyTable, steps: usize, rng: &mut Rng) {
    for _ in 0..steps {
        let turn = table.turn();
        match turn {
            Turn::Terminal => break,
            Turn::Chance => table.draw(rng),
            Turn::Player(_) | Turn::Simultaneous(_) => {
                let choices: Vec<_> =
                    turn.players().iter().map(|p| (p, *rng.pick(&table.moves(p)))).collect();
                table.choose(&choices).expect("legal moves are legal");
            }
        }
    }
}

/// The best general agent there is for a game.
pub fn usual_agent(game: &dyn AnyGame) -> &'static str {
    let facts = game.facts();
    if facts.hidden || facts.simultaneous { "mo-ismcts" } else { "uct" }
}

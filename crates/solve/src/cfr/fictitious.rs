//! Fictitious play: everybody answers best to the average of what the others have played so far (Brown 1951;
//! in extensive form Heinrich, Lanctot and Silver 2015). It converges in two-player games of opposite
//! interests.

use fogtree_core::Player;

use crate::best_response::BestResponse;
use crate::checkpoint::Memory;
use crate::compiled::Compiled;
use crate::iterative::Iterative;
use crate::strategy::Profile;

/// Fictitious play on a compiled game. The average starts with one round of uniformly random play.
#[derive(Clone, Debug)]
pub struct FictitiousPlay<'a> {
    game: &'a Compiled,
    iterations: u64,
    /// Every player's average plan.
    plans: Vec<Vec<f64>>,
}

impl<'a> FictitiousPlay<'a> {
    /// Before the first iteration.
    pub fn new(game: &'a Compiled) -> Self {
        FictitiousPlay { game, iterations: 0, plans: Profile::uniform(game).plans(game) }
    }
}

impl Iterative for FictitiousPlay<'_> {
    fn iterate(&mut self) {
        self.iterations += 1;
        let share = 1.0 / (self.iterations + 1) as f64;
        let respond = |who| BestResponse::to(self.game, who, &self.plans).plan(self.game, who);
        let responses: Vec<Vec<f64>> = Player::all(self.game.players()).map(respond).collect();
        for (plan, response) in self.plans.iter_mut().zip(responses) {
            for (mean, new) in plan.iter_mut().zip(response) {
                *mean += share * (new - *mean);
            }
        }
    }

    fn iterations(&self) -> u64 {
        self.iterations
    }

    fn average(&self) -> Profile {
        Profile::from_weights(self.game, &self.plans)
    }

    fn memory(&self) -> Memory {
        Memory { iterations: self.iterations, rng: None, tables: self.plans.clone() }
    }

    fn restore(&mut self, memory: Memory) {
        (self.iterations, self.plans) = (memory.iterations, memory.tables);
    }
}

//! Worlds for a search: drawn from the information set, each as often as its weight says.

use fogtree_core::{Game, Rng};

/// Draws worlds of equal weight. Samplers that return weights are corrected by rejection: a world is taken
/// with probability weight over the greatest weight seen so far.
pub(crate) struct Draws<G: Game> {
    sampler: G::Sampler,
    heaviest: f64,
}

impl<G: Game> Draws<G> {
    pub(crate) fn new(game: &G, known: &G::Known) -> Draws<G> {
        Draws { sampler: game.sampler(known), heaviest: 0.0 }
    }

    /// Turns to what somebody else knows.
    pub(crate) fn turn_to(&mut self, game: &G, known: &G::Known) {
        game.reuse_sampler(&mut self.sampler, known);
        self.heaviest = 0.0;
    }

    #[inline]
    pub(crate) fn draw(&mut self, game: &G, rng: &mut Rng, world: &mut G::State) {
        loop {
            let weight = game.sample(&mut self.sampler, rng, world);
            if weight >= self.heaviest {
                self.heaviest = weight;
                return;
            }
            if rng.unit() * self.heaviest < weight {
                return;
            }
        }
    }
}

//! Worlds for a search: the one place where determinizations come from.
//!
//! They are drawn from an information set as the rules say, each as often as its weight. Where somebody has
//! drawn conclusions from what the others did, the values of the game's [hidden part](HiddenPart) come as
//! often as they are believed in instead, and the rest of a world as the rules say, given the value
//! (Whitehouse 2014, §7.3; `icarus/1.3`). A search that draws its worlds here needs to know nothing of
//! beliefs: they come with its [`InfoSet`].

use fogtree_core::{Game, HiddenPart, InfoSet, Player, Rng};

/// Draws worlds.
pub struct Draws<G: Game> {
    sampler: G::Sampler,
    heaviest: f64,
    believed: Option<Box<Believed<G>>>,
}

impl<G: Game> Draws<G> {
    /// Worlds of an information set: as it believes, if it does, else as the rules say.
    pub fn new(game: &G, info: &InfoSet<G>) -> Draws<G> {
        match &info.belief {
            Some(belief) => Draws::believed(game, &info.known, belief),
            None => Draws::known(game, &info.known),
        }
    }

    /// Worlds that agree with what is known, as the rules say.
    pub fn known(game: &G, known: &G::Info) -> Draws<G> {
        Draws { sampler: game.sampler(known), heaviest: 0.0, believed: None }
    }

    /// Worlds that agree with what is known, in which the values of the hidden part are as likely as this.
    pub fn believed(game: &G, known: &G::Info, belief: &[f64]) -> Draws<G> {
        Draws::as_believed(game, known, belief, Rest::Sampled)
    }

    /// Worlds that differ from the true state in nothing but the hidden part, for a yardstick that knows the
    /// rest.
    pub fn all_but_hidden(game: &G, known: &G::Info, belief: &[f64], truth: &G::State) -> Draws<G> {
        Draws::as_believed(game, known, belief, Rest::True(truth.clone()))
    }

    /// Worlds as an outsider holds them possible who believes this, from the point of view of a player who
    /// knows `known`: where the value agrees with what the player knows for itself, so does the world.
    pub fn outside(
        game: &G,
        part: &dyn HiddenPart<G>,
        (known, public): (&G::Info, &G::Info),
        (me, private): (Player, Option<u64>),
        belief: &[f64],
    ) -> Draws<G> {
        let mine = (0..belief.len()).map(|value| Some(part.private(value, me)) == private).collect();
        Draws::as_believed(game, known, belief, Rest::Outside { public: game.sampler(public), mine })
    }

    fn as_believed(game: &G, known: &G::Info, belief: &[f64], rest: Rest<G>) -> Draws<G> {
        let believed = Some(Box::new(Believed { values: Values::new(belief), rest }));
        Draws { believed, ..Draws::known(game, known) }
    }

    /// Turns to what somebody else knows, of whose beliefs nothing is known.
    pub(crate) fn turn_to(&mut self, game: &G, known: &G::Info) {
        game.reuse_sampler(&mut self.sampler, known);
        self.heaviest = 0.0;
        self.believed = None;
    }

    /// Overwrites `world` with the next one; all have the same weight. Samplers that return weights are
    /// corrected by rejection: a world is taken with probability weight over the greatest weight seen so far.
    #[inline]
    pub fn draw(&mut self, game: &G, rng: &mut Rng, world: &mut G::State) {
        if self.draw_believed(game, rng, world) {
            return;
        }
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

    /// The same for searches that weigh worlds themselves: returns the weight.
    #[inline]
    pub fn draw_weighed(&mut self, game: &G, rng: &mut Rng, world: &mut G::State) -> f64 {
        if self.draw_believed(game, rng, world) {
            return 1.0;
        }
        game.sample(&mut self.sampler, rng, world)
    }

    /// Draws as is believed, if anything is; answers whether it did.
    #[inline]
    fn draw_believed(&mut self, game: &G, rng: &mut Rng, world: &mut G::State) -> bool {
        match (&mut self.believed, game.hidden_part()) {
            (Some(believed), Some(part)) => believed.draw(part, &mut self.sampler, rng, world),
            _ => false,
        }
    }
}

/// Worlds in which the values of the hidden part are as likely as somebody believes.
struct Believed<G: Game> {
    values: Values,
    rest: Rest<G>,
}

/// Where the rest of a world comes from once its value is drawn.
enum Rest<G: Game> {
    /// From what the searcher knows.
    Sampled,
    /// From what the searcher knows if the value is one of `mine`, else from what the public knows.
    Outside { public: G::Sampler, mine: Vec<bool> },
    /// From the true state.
    True(G::State),
}

impl<G: Game> Believed<G> {
    /// Overwrites `world` with the next one; answers whether there is one with any of the values believed in.
    #[inline(never)]
    fn draw(
        &mut self,
        part: &dyn HiddenPart<G>,
        own: &mut G::Sampler,
        rng: &mut Rng,
        world: &mut G::State,
    ) -> bool {
        while let Some(value) = self.values.draw(rng) {
            let drawn = match &mut self.rest {
                Rest::True(truth) => {
                    world.clone_from(truth);
                    part.put(world, value)
                }
                Rest::Outside { public, mine } if !mine[value] => part.sample(public, value, rng, world),
                Rest::Outside { .. } | Rest::Sampled => part.sample(own, value, rng, world),
            };
            if drawn {
                return true;
            }
            self.values.rule_out(value);
        }
        false
    }
}

/// Draws values of the hidden part.
#[derive(Clone, Debug)]
struct Values {
    belief: Vec<f64>,
    /// Running sums of the belief.
    sums: Vec<f64>,
}

impl Values {
    fn new(belief: &[f64]) -> Values {
        let mut values = Values { belief: belief.to_vec(), sums: Vec::new() };
        values.add_up();
        values
    }

    fn add_up(&mut self) {
        self.sums.clear();
        let mut sum = 0.0;
        self.sums.extend(self.belief.iter().map(|p| {
            sum += p;
            sum
        }));
    }

    fn draw(&self, rng: &mut Rng) -> Option<usize> {
        let whole = *self.sums.last().filter(|sum| **sum > 0.0)?;
        let at = rng.unit() * whole;
        let value = self.sums.partition_point(|&sum| sum <= at);
        Some(value.min(self.belief.iter().rposition(|p| *p > 0.0)?))
    }

    /// There is no world with this value.
    fn rule_out(&mut self, value: usize) {
        self.belief[value] = 0.0;
        self.add_up();
    }
}

#[cfg(test)]
mod tests {
    use fogtree_core::{Purpose, Seed};

    use super::*;

    #[test]
    fn values_come_as_often_as_they_are_believed() {
        let mut values = Values::new(&[0.0, 0.25, 0.0, 0.75, 0.0]);
        let mut rng = Seed(1).stream(Purpose::Sampling);
        let mut counts = [0; 5];
        (0..4000).for_each(|_| counts[values.draw(&mut rng).unwrap()] += 1);
        assert_eq!((counts[0], counts[2], counts[4]), (0, 0, 0));
        assert!((900..1100).contains(&counts[1]), "{counts:?}");
        values.rule_out(3);
        assert!((0..100).all(|_| values.draw(&mut rng) == Some(1)));
        values.rule_out(1);
        assert_eq!(values.draw(&mut rng), None);
    }
}

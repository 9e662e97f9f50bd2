//! Worlds drawn as a belief says, for any search that looks into worlds.

use fogtree_core::{Game, HiddenPart, Observer, Player, Rng};

use crate::ismcts::worlds::Draws;

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

/// Worlds of an information set in which the values of the hidden part are as likely as somebody believes.
pub struct Believed<G: Game> {
    sampler: G::Sampler,
    values: Values,
    /// Worlds with values that the sampler's observer rules out come from somebody else's sampler.
    others: Option<G::Sampler>,
    mine: Vec<bool>,
    fallback: Draws<G>,
    /// The true state, for a yardstick that knows everything but the hidden part.
    truth: Option<G::State>,
}

impl<G: Game> Believed<G> {
    /// Worlds that agree with what is known.
    pub fn new(game: &G, known: &G::Known, belief: &[f64]) -> Believed<G> {
        Believed {
            sampler: game.sampler(known),
            values: Values::new(belief),
            others: None,
            mine: vec![true; belief.len()],
            fallback: Draws::new(game, known),
            truth: None,
        }
    }

    /// Worlds that differ from the true state in nothing but the hidden part.
    pub fn all_but_hidden(game: &G, known: &G::Known, belief: &[f64], truth: &G::State) -> Believed<G> {
        Believed { truth: Some(truth.clone()), ..Believed::new(game, known, belief) }
    }

    /// Worlds as an outsider holds them possible who believes this, from the point of view of a player who knows
    /// `known`: where the value agrees with what the player knows for itself, so does the world.
    pub fn outside(
        game: &G,
        part: &dyn HiddenPart<G>,
        (known, public): (&G::Known, &G::Known),
        (me, private): (Player, Option<u64>),
        belief: &[f64],
    ) -> Believed<G> {
        let mine = (0..belief.len()).map(|value| Some(part.private(value, me)) == private).collect();
        Believed { others: Some(game.sampler(public)), mine, ..Believed::new(game, known, belief) }
    }

    /// Overwrites `world` with the next one.
    pub fn draw(&mut self, game: &G, part: &dyn HiddenPart<G>, rng: &mut Rng, world: &mut G::State) {
        while let Some(value) = self.values.draw(rng) {
            if let Some(truth) = &self.truth {
                world.clone_from(truth);
                if part.put(world, value) {
                    return;
                }
                self.values.rule_out(value);
                continue;
            }
            let from = match &mut self.others {
                Some(others) if !self.mine[value] => others,
                _ => &mut self.sampler,
            };
            if part.sample(from, value, rng, world) {
                return;
            }
            self.values.rule_out(value);
        }
        self.fallback.draw(game, rng, world);
    }
}

/// What the public knows in the worlds of an information set, the same in all of them.
pub(super) fn public_known<G: Game>(game: &G, known: &G::Known, rng: &mut Rng) -> G::Known {
    let mut world = game.start();
    game.sample(&mut game.sampler(known), rng, &mut world);
    game.known(&world, Observer::Public)
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

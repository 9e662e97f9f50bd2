//! Worlds for a search: the one place where determinizations come from.
//!
//! They are drawn from an information set as the rules say, each as often as its weight. Where somebody has
//! drawn conclusions from what the others did, the values of the game's [hidden part](fogtree_core::HiddenPart) come as
//! often as they are believed in instead, and the rest of a world as the rules say, given the value
//! (Whitehouse 2014, §7.3; `icarus/1.3`). A search that draws its worlds here needs to know nothing of
//! beliefs: they come with its [`InfoSet`].

use fogtree_core::{Info, InfoSet, Model, Player, Rng, Turn, World, world::Beliefs, world::Sampler};

/// Draws worlds.
pub struct Determinizer {
    sampler: Box<dyn Sampler>,
    heaviest: f64,
    believed: Option<Box<Believed>>,
    truth: Option<Box<dyn World>>,
}

impl Determinizer {
    /// Worlds of an information set: the true state for a yardstick that is given it; else as the information set
    /// believes, if it does; else as the rules say.
    pub fn new(game: &dyn Model, info: &InfoSet) -> Determinizer {
        let draws = match &info.belief {
            Some(belief) => Determinizer::believed(game, &info.known, belief),
            None => Determinizer::known(game, &info.known),
        };
        Determinizer { truth: info.truth.as_ref().map(|truth| truth.world()), ..draws }
    }

    /// Worlds that agree with what is known, as the rules say.
    pub fn known(game: &dyn Model, known: &Info) -> Determinizer {
        Determinizer { sampler: game.sampler(known), heaviest: 0.0, believed: None, truth: None }
    }

    /// Worlds that agree with what is known, in which the values of the hidden part are as likely as this.
    pub fn believed(game: &dyn Model, known: &Info, belief: &[f64]) -> Determinizer {
        Determinizer::as_believed(game, known, belief, Rest::Sampled)
    }

    /// Worlds that differ from the true state in nothing but the hidden part, for a yardstick that knows the
    /// rest.
    pub fn all_but_hidden(game: &dyn Model, known: &Info, belief: &[f64], truth: &dyn World) -> Determinizer {
        Determinizer::as_believed(game, known, belief, Rest::True(truth.boxed()))
    }

    /// Worlds as an outsider holds them possible who believes this, from the point of view of a player who
    /// knows `known`: where the value agrees with what the player knows for itself, so does the world.
    pub fn outside(
        game: &dyn Model,
        part: &dyn Beliefs,
        (known, public): (&Info, &Info),
        (me, private): (Player, Option<u64>),
        belief: &[f64],
    ) -> Determinizer {
        let mine = (0..belief.len()).map(|value| Some(part.private(value, me)) == private).collect();
        Determinizer::as_believed(game, known, belief, Rest::Outside { public: game.sampler(public), mine })
    }

    fn as_believed(game: &dyn Model, known: &Info, belief: &[f64], rest: Rest) -> Determinizer {
        let believed = Some(Box::new(Believed { values: Values::new(belief), rest }));
        Determinizer { believed, ..Determinizer::known(game, known) }
    }

    /// Turns to what somebody else knows, of whose beliefs nothing is known.
    pub(crate) fn turn_to(&mut self, known: &Info) {
        self.sampler.reuse(known);
        self.heaviest = 0.0;
        (self.believed, self.truth) = (None, None);
    }

    /// Lets `world` draw for itself where nothing but the rules says which worlds there are.
    pub fn prepare(&self, info: &Info, world: &mut dyn World) -> bool {
        let plain = self.truth.is_none() && self.believed.is_none();
        if plain {
            world.determinize(info);
        }
        plain
    }

    /// Overwrites `world`, which draws for itself, with the next one; all have the same weight. Returns whose turn it is.
    #[inline]
    pub fn draw_itself(&mut self, rng: &mut Rng, world: &mut dyn World) -> Turn {
        loop {
            let (weight, turn) = world.draw(rng);
            if weight >= self.heaviest {
                self.heaviest = weight;
                return turn;
            }
            if rng.unit() * self.heaviest < weight {
                return turn;
            }
        }
    }

    /// Overwrites `world` with the next one; all have the same weight. Samplers that return weights are
    /// corrected by rejection: a world is taken with probability weight over the greatest weight seen so far.
    #[inline]
    pub fn draw(&mut self, rng: &mut Rng, world: &mut dyn World) {
        if self.draw_believed(rng, world) {
            return;
        }
        loop {
            let weight = self.sampler.sample(rng, world);
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
    pub fn draw_weighed(&mut self, rng: &mut Rng, world: &mut dyn World) -> f64 {
        if self.draw_believed(rng, world) {
            return 1.0;
        }
        self.sampler.sample(rng, world)
    }

    /// Draws as is believed, if anything is; answers whether it did.
    #[inline]
    fn draw_believed(&mut self, rng: &mut Rng, world: &mut dyn World) -> bool {
        if let Some(truth) = &self.truth {
            world.copy_from(&**truth);
            return true;
        }
        self.believed.as_mut().is_some_and(|believed| believed.draw(&mut *self.sampler, rng, world))
    }
}

/// Worlds in which the values of the hidden part are as likely as somebody believes.
struct Believed {
    values: Values,
    rest: Rest,
}

/// Where the rest of a world comes from once its value is drawn.
enum Rest {
    /// From what the searcher knows.
    Sampled,
    /// From what the searcher knows if the value is one of `mine`, else from what the public knows.
    Outside { public: Box<dyn Sampler>, mine: Vec<bool> },
    /// From the true state.
    True(Box<dyn World>),
}

impl Believed {
    /// Overwrites `world` with the next one; answers whether there is one with any of the values believed in.
    #[inline(never)]
    fn draw(&mut self, own: &mut dyn Sampler, rng: &mut Rng, world: &mut dyn World) -> bool {
        while let Some(value) = self.values.draw(rng) {
            let drawn = match &mut self.rest {
                Rest::True(truth) => {
                    world.copy_from(&**truth);
                    world.put_hidden(value)
                }
                Rest::Outside { public, mine } if !mine[value] => public.sample_value(value, rng, world),
                Rest::Outside { .. } | Rest::Sampled => own.sample_value(value, rng, world),
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

//! What all learners that draw from a mixed strategy keep.

use fogtree_core::Rng;

use super::normalise;

/// The arms drawn so far, and with which probabilities.
#[derive(Clone, Debug)]
pub(super) struct Mixed {
    pub(super) visits: Vec<u64>,
    /// The strategy of the last trial.
    last: Vec<f64>,
    /// Which arms were available in it.
    available: Vec<bool>,
    /// The sum of all strategies so far.
    sums: Vec<f64>,
    gathered: Vec<f64>,
    odds: Vec<f64>,
}

impl Mixed {
    pub(super) fn new(arms: usize) -> Mixed {
        let zeros = || vec![0.0; arms];
        Mixed {
            visits: vec![0; arms],
            last: zeros(),
            available: vec![true; arms],
            sums: zeros(),
            gathered: zeros(),
            odds: zeros(),
        }
    }

    /// Draws an arm from the strategy that `strategy` makes of the arms' values.
    pub(super) fn draw(
        &mut self,
        values: &[f64],
        rng: &mut Rng,
        strategy: impl FnOnce(&[f64], &mut [f64]),
    ) -> usize {
        strategy(values, &mut self.last);
        self.available.fill(true);
        self.sums.iter_mut().zip(&self.last).for_each(|(sum, p)| *sum += p);
        rng.weighted(self.last.iter().copied())
    }

    /// The same among the available arms only.
    pub(super) fn draw_among(
        &mut self,
        available: &[usize],
        values: &[f64],
        rng: &mut Rng,
        strategy: impl FnOnce(&[f64], &mut [f64]),
    ) -> usize {
        let (gathered, odds) = (&mut self.gathered[..available.len()], &mut self.odds[..available.len()]);
        gathered.iter_mut().zip(available).for_each(|(to, &arm)| *to = values[arm]);
        strategy(gathered, odds);
        self.last.fill(0.0);
        self.available.fill(false);
        for (&arm, &p) in available.iter().zip(&*odds) {
            self.last[arm] = p;
            self.available[arm] = true;
            self.sums[arm] += p;
        }
        available[rng.weighted(odds.iter().copied())]
    }

    /// Counts a trial of an arm and returns the probability with which it was drawn.
    pub(super) fn count(&mut self, arm: usize) -> f64 {
        debug_assert!(self.last[arm] > 0.0, "only a drawn arm has an outcome");
        self.visits[arm] += 1;
        self.last[arm]
    }

    /// The arms that were available in the last trial, with their probabilities.
    pub(super) fn last(&self) -> impl Iterator<Item = (usize, f64)> {
        let all = self.last.iter().copied().enumerate();
        all.filter(|&(arm, _)| self.available[arm])
    }

    pub(super) fn average(&self, out: &mut [f64]) {
        out.copy_from_slice(&self.sums);
        normalise(out);
    }
}

//! Which moves of a node are looked at, and when: pruning and progressive widening by what the game finds promising
//! ([`World::move_prior`]).
//!
//! Attack action search of Fujiki and others is [`Prune::Promising`] in a game that finds attacks promising;
//! [`Widen::M3`] is what the public TUBSTAP program M3 does at its root (`tubstap/2.9`).

use fogtree_core::{Move, Player, Rng, World};

/// Which moves are left out for good.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Prune {
    /// None.
    #[default]
    Nothing,
    /// Those below 0, where there are others.
    Promising,
    /// All but so many of the most promising.
    Best(u32),
}

/// How many moves are looked at after so many visits of a node.
#[derive(Clone, Copy, PartialEq, Debug, Default)]
pub enum Widen {
    /// All.
    #[default]
    Off,
    /// Two, and one more whenever the visits beyond `after` have grown by this factor.
    Log {
        /// The visits after which the third is due.
        after: f64,
        /// The factor.
        factor: f64,
    },
    /// As in M3: a factor of 1.4 after 40, and of 1.2 from 3000 visits on.
    M3,
}

impl Widen {
    /// How many moves are looked at after so many visits.
    pub fn allowed(self, visits: u32) -> usize {
        let n = f64::from(visits.max(1));
        let wide = match self {
            Widen::Off => return usize::MAX,
            Widen::Log { after, factor } => (n / after).ln() / factor.ln() + 2.0,
            Widen::M3 if visits >= 3000 => ((n + 2000.0) / 45.0).ln() / 1.2_f64.ln() - 11.0,
            Widen::M3 => (n / 40.0).ln() / 1.4_f64.ln() + 2.0,
        };
        wide.max(2.0) as usize
    }
}

/// Both. The default looks at everything.
#[derive(Clone, Copy, PartialEq, Debug, Default)]
pub struct Narrow {
    /// What is left out for good.
    pub prune: Prune,
    /// What has to wait.
    pub widen: Widen,
}

impl Narrow {
    /// Everything is looked at.
    pub const OFF: Narrow = Narrow { prune: Prune::Nothing, widen: Widen::Off };

    /// Whether everything is looked at.
    #[inline]
    pub fn is_off(self) -> bool {
        self.prune == Prune::Nothing && self.widen == Widen::Off
    }

    /// How many moves of a node may be looked at after so many visits.
    pub(crate) fn due(self, visits: u32) -> usize {
        let most = if let Prune::Best(most) = self.prune { most.max(1) as usize } else { usize::MAX };
        self.widen.allowed(visits).min(most)
    }

    /// How many of the promising come first that are not left out.
    fn kept(self, promises: &[(f32, u32)]) -> usize {
        match self.prune {
            Prune::Nothing => promises.len(),
            Prune::Promising => match promises.iter().filter(|p| p.0 >= 0.0).count() {
                0 => promises.len(),
                some => some,
            },
            Prune::Best(most) => promises.len().min(most.max(1) as usize),
        }
    }
}

/// Brings legal actions into order.
#[derive(Clone, Debug, Default)]
pub(crate) struct Order {
    promises: Vec<f32>,
    ranks: Vec<(f32, u32)>,
}

impl Order {
    /// Puts the most promising first, equals in random order, and drops what is pruned.
    pub(crate) fn apply(
        &mut self,
        narrow: Narrow,
        (state, who): (&dyn World, Player),
        actions: &mut Vec<Move>,
        ties: &mut Rng,
    ) {
        self.promises.clear();
        state.move_prior(who, actions, &mut self.promises);
        self.promises.resize(actions.len(), 0.0);
        self.ranks.clear();
        self.ranks.extend(self.promises.iter().copied().zip(0..));
        for i in (1..self.ranks.len()).rev() {
            self.ranks.swap(i, ties.below(i as u32 + 1) as usize);
        }
        self.ranks.sort_by(|a, b| b.0.total_cmp(&a.0));
        let all = actions.len();
        let kept = narrow.kept(&self.ranks);
        actions.extend_from_within(..);
        for (i, rank) in self.ranks[..kept].iter().enumerate() {
            actions[i] = actions[all + rank.1 as usize];
        }
        actions.truncate(kept);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The children of M3's root after 100, 500, 1000, 3000, 5000 and 10 000 playouts (`tubstap/2.9`).
    #[test]
    fn widening_is_that_of_m3() {
        let children = [1, 100, 500, 1000, 3000, 5000, 10_000].map(|n| Widen::M3.allowed(n));
        assert_eq!(children, [2, 4, 9, 11, 14, 16, 19]);
        assert_eq!(Widen::Log { after: 40.0, factor: 1.4 }.allowed(1000), 11);
        assert_eq!(Widen::Off.allowed(1), usize::MAX);
    }

    #[test]
    fn pruning_keeps_something() {
        let keep = |prune, promises: &[f32]| {
            let ranks: Vec<(f32, u32)> = promises.iter().copied().zip(0..).collect();
            Narrow { prune, widen: Widen::Off }.kept(&ranks)
        };
        assert_eq!(keep(Prune::Promising, &[3.0, 0.0, -1.0]), 2);
        assert_eq!(keep(Prune::Promising, &[-1.0, -2.0]), 2);
        assert_eq!(
            [keep(Prune::Best(1), &[1.0, 1.0]), keep(Prune::Best(0), &[1.0]), keep(Prune::Best(9), &[1.0])],
            [1; 3]
        );
    }
}

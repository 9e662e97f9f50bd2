//! Which deals the games of a match start from.

use fogtree_core::Seed;
use serde::{Deserialize, Serialize};

/// From which seeds chance draws, game by game.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
pub enum Deals {
    /// Every deal is a new one, following from the seed of the match.
    #[default]
    Fresh,
    /// A fixed set of this many deals, the same in every match with this seed; after the last comes the first
    /// (`ismcts/F32`).
    Set {
        /// What the deals follow from.
        seed: u64,
        /// How many there are.
        count: u64,
    },
    /// These deals in this order, by the seeds chance draws from.
    Listed(Vec<u64>),
}

impl Deals {
    /// The seed of the deal with this number, in a match with this seed.
    pub fn seed(&self, of_match: Seed, number: u64) -> Seed {
        match self {
            Deals::Fresh => of_match.named("deal").number(number),
            Deals::Set { seed, count } => Seed(*seed).named("deal").number(number % (*count).max(1)),
            Deals::Listed(seeds) if seeds.is_empty() => of_match.named("deal").number(number),
            Deals::Listed(seeds) => Seed(seeds[(number % seeds.len() as u64) as usize]),
        }
    }
}

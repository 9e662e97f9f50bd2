//! What must not be guessed: drawn seeds, keys that never leave the process, promises of seeds.
//!
//! [`Seed::named`] and [`Seed::number`] can be inverted, and small seeds can be tried one after another. So
//! nothing that follows from the seed of a deal may be handed to whoever sits at the table, unless it goes
//! through a [`Secret`] first.

use std::fmt;

use crate::Seed;

/// Fills an array with randomness of the system.
fn random<const N: usize>() -> [u8; N] {
    let mut bytes = [0; N];
    getrandom::fill(&mut bytes).expect("the system has random numbers");
    bytes
}

impl Seed {
    /// A seed that nobody can guess: 64 random bits from the system.
    pub fn unguessable() -> Seed {
        Seed(u64::from_le_bytes(random()))
    }
}

/// A key of 256 random bits from the system, which never leaves the process.
#[derive(Clone, PartialEq, Eq)]
pub struct Secret([u8; 32]);

impl Secret {
    /// A new one.
    pub fn new() -> Secret {
        Secret(random())
    }

    /// The seed to hand out in place of another one (BLAKE3 with the key, cut to 64 bits).
    ///
    /// The same seed gives the same; without the key it tells nothing of the seed it stands for, however few
    /// that could be.
    #[must_use]
    pub fn veil(&self, seed: Seed) -> Seed {
        let hash = blake3::keyed_hash(&self.0, &seed.0.to_le_bytes());
        let first = hash.as_bytes().first_chunk().expect("a hash has 32 bytes");
        Seed(u64::from_le_bytes(*first))
    }
}

impl Default for Secret {
    fn default() -> Secret {
        Secret::new()
    }
}

impl fmt::Debug for Secret {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Secret")
    }
}

/// The promise that a game is played with a certain seed: its hash is shown before, seed and salt afterwards.
///
/// ```
/// use fogtree_core::{Commitment, Seed};
/// let promised = Commitment::to(Seed::unguessable());
/// let shown = promised.hash();
/// // ... the game is played, then seed and salt are told, and anybody can check:
/// assert_eq!(Commitment { seed: promised.seed, salt: promised.salt.clone() }.hash(), shown);
/// ```
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Commitment {
    /// What is promised.
    pub seed: Seed,
    /// What keeps others from trying all seeds: 32 hexadecimal digits.
    pub salt: String,
}

impl Commitment {
    /// The promise of a seed, with a salt of 128 random bits from the system.
    pub fn to(seed: Seed) -> Commitment {
        Commitment { seed, salt: format!("{:032x}", u128::from_le_bytes(random())) }
    }

    /// The BLAKE3 hash, in hexadecimal digits, of seed and salt with a space between them, as `b3sum` has it.
    pub fn hash(&self) -> String {
        blake3::hash(format!("{} {}", self.seed.0, self.salt).as_bytes()).to_hex().to_string()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_veiled_seed_is_the_same_under_the_same_key_only() {
        let (one, other) = (Secret::new(), Secret::new());
        assert_eq!(one.veil(Seed(1)), one.veil(Seed(1)));
        assert_ne!(one.veil(Seed(1)), one.veil(Seed(2)));
        assert_ne!(one.veil(Seed(1)), other.veil(Seed(1)));
        assert_eq!(format!("{one:?}"), "Secret");
        assert_ne!(Seed::unguessable(), Seed::unguessable());
    }

    /// `printf '7 0123456789abcdef0123456789abcdef' | b3sum`
    #[test]
    fn a_commitment_can_be_checked_with_other_programs() {
        let commitment = Commitment { seed: Seed(7), salt: "0123456789abcdef".repeat(2) };
        assert_eq!(commitment.hash(), "e231e6097f3904f0b40906cec59221bd90e25e2d076528ef0808b05d9acfbc93");
        assert_ne!(Commitment::to(Seed(7)).hash(), Commitment::to(Seed(7)).hash());
    }
}

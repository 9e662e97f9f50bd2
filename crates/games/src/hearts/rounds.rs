//! The database of rounds: what a round of random play gives each player.
//!
//! A game takes about five rounds, but what matters in a search is the round being played. So simulations
//! stop at its end and draw the points of whole rounds from a list of 10 000 played beforehand, until the
//! game is over; under random play this is the same as playing on, and much faster (Whitehouse 2014,
//! §4.2.3). The seats of a drawn round are permuted.
//!
//! The list is made when it is first needed, always from the same seed: the result is the same on every
//! machine, and takes a few hundredths of a second. The policy is uniformly random play.

use std::sync::OnceLock;

use fogtree_core::{Purpose, Rules, Seed};

use super::{Hearts, SEATS, START, points};
use crate::cards::Cards;

/// How many rounds there are.
pub const ROUNDS: usize = 10_000;

/// The rules that make a difference to a round.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Variant {
    /// Whether the queen of spades breaks hearts.
    pub(super) queen_breaks: bool,
    /// Whether penalty cards are kept back in the first trick.
    pub(super) clean: bool,
}

static DATABASES: [OnceLock<Vec<[u8; SEATS]>>; 4] = [const { OnceLock::new() }; 4];

/// What each player takes in every round of the database, before shooting the moon is accounted for. The
/// game is the one with four players and the full deck of this variant.
#[inline]
pub(super) fn database(game: &Hearts, variant: Variant) -> &'static [[u8; SEATS]] {
    let at = usize::from(variant.queen_breaks) + 2 * usize::from(variant.clean);
    DATABASES[at].get_or_init(|| make(game))
}

fn make(game: &Hearts) -> Vec<[u8; SEATS]> {
    let mut rng = Seed(0).named("hearts rounds").stream(Purpose::Playout);
    let round = |_| {
        let mut s = START;
        let deal = game.sample_chance(&s, &mut rng);
        game.deal(&mut s, &deal);
        let mut taken = [0; SEATS];
        game.tricks
            .play_out(&mut s.round, Cards::NONE, &mut rng, |p, trick| taken[p.index()] += points(trick));
        taken
    };
    (0..ROUNDS).map(round).collect()
}

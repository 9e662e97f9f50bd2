//! What a player knows, as numbers.

use fogtree_core::Player;

use super::{State, UrbanRivals};
use crate::tensors::{Listed, Numbers, impl_tensors};

impl_tensors!(UrbanRivals);

/// The greatest power and damage of a card.
const MOST: u8 = 20;

impl Listed for UrbanRivals {
    /// Of the seat, then of the other: life, pillz, and for each card whether it is left, its power and its
    /// damage; and whether the seat wins ties in this round.
    fn list(&self, s: &State, seat: Player, out: &mut Numbers<'_>) {
        for p in [seat, seat.other()].map(Player::index) {
            out.share(s.life[p], self.life);
            out.share(s.pillz[p], self.pillz);
            for (i, card) in self.cards[p].iter().enumerate() {
                out.flag(s.cards[p] >> i & 1 == 1);
                out.share(card.power, MOST);
                out.share(card.damage, MOST);
            }
        }
        out.flag(self.round(s) % 2 == seat.index());
    }
}

//! The cards of a round as numbers.

use fogtree_core::Player;

use super::{Card, Cards, Round};
use crate::tensors::{Numbers, after_seat, from_seat};

impl Numbers<'_> {
    /// A set of cards of the French deck.
    #[inline]
    pub(crate) fn cards(&mut self, cards: Cards) {
        self.bits(cards.bits(), Card::COUNT);
    }

    /// What a seat knows of a round of tricks: its hand; for every player, the seat first, the cards played,
    /// the card in the current trick, and what the player has shown not to have; and who leads.
    pub(crate) fn round<const N: usize>(&mut self, round: &Round<N>, players: usize, seat: Player) {
        self.cards(round.hand(seat));
        for p in from_seat(seat, players) {
            self.cards(round.held[p] & round.played);
            self.cards(round.held[p] & round.trick);
            self.cards(round.barred[p]);
        }
        self.one_hot(after_seat(seat, players, round.leader), players);
    }
}

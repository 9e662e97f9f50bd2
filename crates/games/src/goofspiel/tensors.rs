//! What a player knows, as numbers.

use fogtree_core::Player;

use super::known::{Info, Knowledge};
use super::{Bids, Goofspiel};
use crate::tensors::{Listed, Numbers, impl_tensors};

impl_tensors!(Goofspiel);

impl Listed for Goofspiel {
    /// The prize, the prizes to come and the points of both; with open bids both hands; with hidden ones the
    /// own hand and, for each round, the own bid, whether it lost, tied or won, and the prize where these
    /// come at random.
    fn list(&self, k: &Info, seat: Player, out: &mut Numbers<'_>) {
        let cards = usize::from(self.cards);
        let table = match &k.0 {
            Knowledge::Everything(s) => &s.table,
            Knowledge::Results { table, .. } => table,
        };
        out.one_hot(table.prize.map(|prize| usize::from(prize.0)), cards);
        out.bits(table.deck.into(), cards);
        for p in [seat, seat.other()] {
            out.share(table.points[p.index()], self.worth(self.suit()));
        }
        match &k.0 {
            Knowledge::Everything(s) => {
                for p in [seat, seat.other()] {
                    out.bits(s.hands[p.index()].into(), cards);
                }
            }
            Knowledge::Results { bids, results, .. } => {
                debug_assert_eq!(self.bids, Bids::Hidden);
                out.bits((self.suit() & !bids.mask()).into(), cards);
                for round in 0..cards {
                    let bid = (round < bids.len()).then(|| usize::from(bids.get(round)));
                    let result = (round < results.len()).then(|| usize::from(results.get(round)));
                    let prize =
                        (round < table.turned_up.len()).then(|| usize::from(table.turned_up.get(round)));
                    out.one_hot(bid, cards);
                    out.one_hot(result.map(|first| if seat.0 == 0 { first } else { 2 - first }), 3);
                    out.one_hot(prize, cards);
                }
            }
        }
    }
}

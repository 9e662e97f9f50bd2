//! What a player knows, as numbers.

use fogtree_core::Player;

use super::{Action, Info, MiniDouDiZhu, RANKS};
use crate::tensors::{Listed, Numbers, impl_tensors};

impl_tensors!(MiniDouDiZhu);

impl Listed for MiniDouDiZhu {
    /// The own hand, what was played, how many cards both have left, the play to beat, and whether the seat
    /// is to move. Four numbers stand for a rank, of which as many are 1 as there are cards.
    fn list(&self, k: &Info, seat: Player, out: &mut Numbers<'_>) {
        let size = 4 * RANKS as usize;
        out.bits(k.hand.singly(), size);
        for p in [seat, seat.other()] {
            out.bits(k.played[p.index()].singly(), size);
            out.share(k.left[p.index()], self.hand);
        }
        out.one_hot(k.dealt.then_some(usize::from(k.top.0)), Action::ALL as usize);
        out.flag(k.dealt && k.mover == seat);
    }
}

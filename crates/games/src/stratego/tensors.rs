//! What a player knows, as numbers.

use fogtree_core::Player;

use super::Stratego;
use super::army::Kind;
use super::board::{Phase, Square, bit};
use super::worlds::Info;
use crate::tensors::{Listed, Numbers, impl_tensors};

impl_tensors!(Stratego);

impl Listed for Stratego {
    fn board(&self) -> Option<[usize; 2]> {
        Some([self.rows, self.columns].map(usize::from))
    }

    /// Own pieces by kind, pieces of the other by kind where that is known, and its unknown pieces that have
    /// not moved and that have; own pieces that the other knows and that have moved; lakes; where the own
    /// last move came from and led to, and how often it went to and fro; of each kind the share that the
    /// other has lost; whether the seat is red and whether it is to move; the share of the plies that are
    /// over.
    fn list(&self, k: &Info, seat: Player, out: &mut Numbers<'_>) {
        let size = usize::from(self.cells());
        let (squares, own, other) = (&k.squares.0[..size], Some(seat), Some(seat.other()));
        let mut plane = |is: &dyn Fn(Square) -> bool| out.flags(squares.iter().map(|&square| is(square)));
        for owner in [own, other] {
            for kind in Kind::ALL {
                plane(&|square| square.owner() == owner && square.kind() == Some(kind));
            }
        }
        for moved in [false, true] {
            plane(&|s| s.owner() == other && s.kind().is_none() && s.has_moved() == moved);
        }
        plane(&|square| square.owner() == own && square.is_revealed());
        plane(&|square| square.owner() == own && square.has_moved());
        out.flags((0..self.cells()).map(|cell| self.land & bit(cell) == 0));
        let last = k.last[seat.index()];
        for cell in [last.from, last.to] {
            out.one_hot((last.from != last.to).then_some(usize::from(cell)), size);
        }
        let share = |part: u16, whole: u16| (f32::from(part) / f32::from(whole.max(1))).min(1.0);
        out.plane(share(last.times.into(), self.two_squares.into()), size);
        for (&lost, &all) in k.lost[seat.other().index()].iter().zip(&self.army) {
            out.plane(share(lost.into(), all.into()), size);
        }
        out.plane(if seat.0 == 0 { 1.0 } else { 0.0 }, size);
        out.plane(if matches!(k.phase, Phase::Move(who) if who == seat) { 1.0 } else { 0.0 }, size);
        out.plane(share(k.plies, self.plies), size);
    }
}

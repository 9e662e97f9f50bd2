//! What a player knows, as numbers.

use fogtree_core::Player;

use super::known::Info;
use super::{Phase, Resistance, Set};
use crate::tensors::{Listed, Numbers, after_seat, impl_tensors};

impl_tensors!(Resistance);

impl Listed for Resistance {
    /// The seat, from which players are counted on. The spies, if the seat is one; the phase, the leader and
    /// the team proposed; how many missions were undertaken and how many proposals rejected; the team and the
    /// sabotages of every mission.
    fn list(&self, k: &Info, seat: Player, out: &mut Numbers<'_>) {
        let (s, players) = (&k.seen, self.players);
        let set = |set: Set, out: &mut Numbers<'_>| {
            let set = u64::from(set);
            out.bits((set >> seat.0 | set << (players as u8 - seat.0)) & ((1 << players) - 1), players);
        };
        out.one_hot(seat.index(), players);
        set(s.spies, out);
        let phase = match s.phase {
            Phase::Deal => 0,
            Phase::Lead => 1,
            Phase::Propose => 2,
            Phase::Vote => 3,
            Phase::Mission => 4,
            Phase::Won(_) => 5,
        };
        out.one_hot(phase, 6);
        out.one_hot(after_seat(seat, players, s.leader), players);
        set(s.team, out);
        out.one_hot(usize::from(s.undertaken), self.missions.len() + 1);
        out.share(s.rejected, self.proposals);
        for (mission, &team) in s.teams[..self.missions.len()].iter().enumerate() {
            set(team, out);
            out.share(s.sabotages[mission], players as u32);
        }
    }
}

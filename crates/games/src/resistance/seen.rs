//! What can be seen of a step, and how it is written as a number.

use fogtree_core::{Observation, Player};

use super::Set;

/// What can be seen.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Event {
    /// Spies see who they are, others nobody.
    Dealt(Set),
    Leader(Player),
    Team(Set),
    Approvals(Set),
    Sabotages(u8),
    Nonsense,
}

impl Event {
    #[inline]
    pub(super) fn seen(self) -> Observation {
        let (kind, what) = match self {
            Event::Dealt(spies) => (0, spies),
            Event::Leader(leader) => (1, leader.0.into()),
            Event::Team(team) => (2, team),
            Event::Approvals(voters) => (3, voters),
            Event::Sabotages(number) => (4, number.into()),
            Event::Nonsense => (5, 0),
        };
        Observation::word(kind << 16 | u64::from(what))
    }

    pub(super) fn of(seen: &Observation) -> Event {
        let what = seen.first() as Set;
        match seen.first() >> 16 {
            0 => Event::Dealt(what),
            1 => Event::Leader(Player(what as u8)),
            2 => Event::Team(what),
            3 => Event::Approvals(what),
            4 => Event::Sabotages(what as u8),
            _ => Event::Nonsense,
        }
    }
}

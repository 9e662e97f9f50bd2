//! What can be seen of a step, and how it is written as a number.

use fogtree_core::Observation;

use super::board::Ticket;

/// What can be seen of a step.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Sight {
    SeekerStarts {
        seeker: u8,
        at: u8,
    },
    /// Only Mr X sees where.
    XStarts {
        at: Option<u8>,
    },
    SeekerGoes {
        seeker: u8,
        to: u8,
        ticket: Ticket,
        caught: bool,
    },
    /// The station is seen when he surfaces.
    XGoes {
        to: Option<u8>,
        ticket: Ticket,
        double: bool,
    },
    XIsStuck,
}

impl Sight {
    /// From the lowest byte: what it is, a seeker, a ticket, a flag, a station from 1 or 0 if it is not seen.
    #[inline]
    pub(super) fn seen(self) -> Observation {
        let station = |s: Option<u8>| s.map_or(0, |s| u64::from(s) + 1);
        let word = |kind, seeker: u8, ticket: Ticket, flag: bool, s: Option<u8>| {
            let parts = [kind, u64::from(seeker), ticket as u64, u64::from(flag), station(s)];
            Observation::word(parts.into_iter().rev().fold(0, |word, part| word << 8 | part))
        };
        match self {
            Sight::SeekerStarts { seeker, at } => word(0, seeker, Ticket::Taxi, false, Some(at)),
            Sight::XStarts { at } => word(1, 0, Ticket::Taxi, false, at),
            Sight::SeekerGoes { seeker, to, ticket, caught } => word(2, seeker, ticket, caught, Some(to)),
            Sight::XGoes { to, ticket, double } => word(3, 0, ticket, double, to),
            Sight::XIsStuck => word(4, 0, Ticket::Taxi, false, None),
        }
    }

    /// What an observation says, if it is one.
    pub(super) fn of(seen: &Observation) -> Option<Sight> {
        let [kind, seeker, ticket, flag, ..] = seen.first().to_le_bytes();
        let station = (seen.first() >> 32).checked_sub(1).map(|s| s as u8);
        let ticket = Ticket::ALL.get(ticket as usize).copied()?;
        Some(match kind {
            0 => Sight::SeekerStarts { seeker, at: station? },
            1 => Sight::XStarts { at: station },
            2 => Sight::SeekerGoes { seeker, to: station?, ticket, caught: flag == 1 },
            3 => Sight::XGoes { to: station, ticket, double: flag == 1 },
            4 => Sight::XIsStuck,
            _ => return None,
        })
    }
}

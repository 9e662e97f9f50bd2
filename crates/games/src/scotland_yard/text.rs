//! Scotland Yard in words.

use fogtree_core::Observer;

use super::MR_X;
use super::seen::Sight;

/// A station as people number it.
pub(super) fn number(station: u8) -> u32 {
    u32::from(station) + 1
}

pub(super) fn explain(sight: Option<Sight>, by: Observer) -> String {
    let Some(sight) = sight else { return "something that cannot be".to_string() };
    match sight {
        Sight::SeekerStarts { seeker, at } => format!("seeker {seeker} starts at {}", number(at)),
        Sight::XStarts { at: None } => "Mr X draws his start card".to_string(),
        Sight::XStarts { at: Some(at) } if by.is(MR_X) => format!("you start at {}", number(at)),
        Sight::XStarts { at: Some(at) } => format!("Mr X starts at {}", number(at)),
        Sight::SeekerGoes { seeker, to, ticket, caught } => {
            let end = if caught { " and catches Mr X" } else { "" };
            format!("seeker {seeker} goes to {} by {}{end}", number(to), ticket.name())
        }
        Sight::XGoes { to, ticket, double } => {
            let place = to.map_or_else(String::new, |to| format!(" and surfaces at {}", number(to)));
            let again = if double { ", and moves again" } else { "" };
            format!("Mr X uses a {} ticket{place}{again}", ticket.name())
        }
        Sight::XIsStuck => "Mr X cannot move".to_string(),
    }
}

//! Scotland Yard in words and colours.

use fogtree_core::Observer;
use fogtree_core::text::{Colour, paint};

use super::board::{TRANSPORT, Ticket};
use super::seen::Sight;
use super::team::Team;
use super::{End, MR_X, NOWHERE, Phase, SEEKERS, ScotlandYard, State};

/// A station as people number it.
fn number(station: u8) -> u32 {
    u32::from(station) + 1
}

/// The colour of a ticket, or of what it pays for.
fn colour(ticket: Ticket) -> Colour {
    match ticket {
        Ticket::Taxi => Colour::Yellow,
        Ticket::Bus => Colour::Green,
        Ticket::Underground => Colour::Red,
        Ticket::Black => Colour::Purple,
    }
}

fn tickets(fares: &[u8]) -> String {
    let kinds =
        fares.iter().zip(Ticket::ALL).map(|(left, t)| paint(colour(t), &format!("{left} {}", t.name())));
    kinds.collect::<Vec<_>>().join(", ")
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

impl ScotlandYard {
    /// The city as an observer sees it, who knows Mr X's station if the state tells it.
    pub(super) fn picture(&self, s: &State, by: Observer) -> String {
        let mut lines = vec![self.what_comes_next(s, by), self.mr_x(s)];
        for (k, &at) in s.seekers.iter().enumerate().take(self.seekers) {
            let place = if at == NOWHERE { "-".to_string() } else { number(at).to_string() };
            let place = paint(Colour::Blue, &format!("{place:>3}"));
            lines.push(format!("seeker {k} at {place}: {}", tickets(&s.fares[k])));
        }
        let possible = self.worlds(s);
        if s.x == NOWHERE && !possible.is_empty() {
            let stations: Vec<String> = possible.iter().map(|world| number(world.0).to_string()).collect();
            let list = paint(Colour::Purple, &stations.join(" "));
            lines.push(format!("Mr X may be at {} stations: {list}", stations.len()));
        }
        match s.phase {
            Phase::Seeker(k) => lines.push(self.ways(s.seekers[k as usize])),
            Phase::X | Phase::XAgain if s.x != NOWHERE => lines.push(self.ways(s.x)),
            _ => {}
        }
        lines.join("\n")
    }

    fn what_comes_next(&self, s: &State, by: Observer) -> String {
        let own = match by {
            Observer::Seat(MR_X) => "you are Mr X; ".to_string(),
            Observer::Seat(_) if self.team == Team::Together => "you are the seekers; ".to_string(),
            Observer::Seat(seat) => format!("you are seeker {}; ", seat.0 - SEEKERS.0),
            Observer::Public => String::new(),
        };
        let round = format!("move {} of {}", (s.moves + 1).min(self.rounds), self.rounds);
        let next = match s.phase {
            Phase::Deal(_) => "start cards are being drawn".to_string(),
            Phase::X => format!("{round}: Mr X is to move"),
            Phase::XAgain => format!("{round}: Mr X is to move again"),
            Phase::Seeker(k) => format!("after move {}: seeker {k} is to move", s.moves),
            Phase::Over(End::Caught) => "Mr X is caught".to_string(),
            Phase::Over(End::XStuck) => "Mr X cannot move and is caught".to_string(),
            Phase::Over(End::SeekersStuck) => "no seeker can move: Mr X has escaped".to_string(),
            Phase::Over(End::Escaped) => "Mr X has escaped".to_string(),
        };
        format!("{own}{next}")
    }

    fn mr_x(&self, s: &State) -> String {
        let since: Vec<String> =
            s.trail.as_slice().iter().map(|h| paint(colour(h.by), h.by.name())).collect();
        let when = if s.shown == NOWHERE { "used" } else { "since then" };
        let since = if since.is_empty() { String::new() } else { format!(" {when} {},", since.join(" ")) };
        let place = if s.x == NOWHERE { "  ?".to_string() } else { format!("{:>3}", number(s.x)) };
        let shown = match s.shown {
            NOWHERE => "not seen yet,".to_string(),
            at => format!("last seen at {},", number(at)),
        };
        let doubles = if self.doubles > 0 { format!(", {} double moves", s.doubles) } else { String::new() };
        let next = (s.moves + 1..=self.rounds).find(|&m| self.surfaces(m));
        let next = next.map_or_else(String::new, |m| format!("; surfaces with move {m}"));
        let place = paint(Colour::Purple, &place);
        format!("Mr X     at {place}: {shown}{since} has {}{doubles}{next}", tickets(&s.x_fares))
    }

    /// What goes from a station, and where.
    fn ways(&self, from: u8) -> String {
        let mut ways = Vec::new();
        for (kind, (name, ticket)) in TRANSPORT.iter().zip(Ticket::ALL).enumerate() {
            let links = self.board.links(from).iter().filter(|link| link.kinds >> kind & 1 == 1);
            let stations: Vec<String> = links.map(|link| number(link.to).to_string()).collect();
            if !stations.is_empty() {
                ways.push(format!("{} {}", paint(colour(ticket), name), stations.join(" ")));
            }
        }
        format!("from {}: {}", number(from), ways.join(", "))
    }
}

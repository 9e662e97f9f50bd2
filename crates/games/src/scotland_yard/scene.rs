//! Scotland Yard as a picture: the city, the tickets, and Mr X's travel log.

use fogtree_core::Observer;
use fogtree_core::scene::{Board as Log, Entry, Graph, Ground, Scene, Table, Token, Zone};

use super::board::{Stations, TRANSPORT, Ticket};
use super::team::Team;
use super::text::number;
use super::{Action, End, Info, MR_X, NOWHERE, Phase, SEEKERS, ScotlandYard, State};
use crate::words::counted;

/// The log has so many moves in a line.
const LINE: usize = 12;

impl ScotlandYard {
    /// The city as an observer sees it, who knows Mr X's station if the state tells it.
    pub(super) fn picture(&self, s: &State, by: Observer) -> Scene {
        let possible: Stations = match s.x {
            NOWHERE => self.worlds(s).into_iter().map(|world| world.0).collect(),
            _ => Stations::default(),
        };
        let mut scene = Scene::new(self.caption(s, by))
            .with(Zone::graph("city", self.city(s, possible)).titled("The city"))
            .with(Zone::table("tickets", self.tickets(s, by)).titled("Tickets"))
            .with(
                Zone::board("log", self.log(s))
                    .titled("Mr X's moves; he is seen after the marked ones")
                    .beside(),
            );
        if possible.count() > 0 {
            let all: Vec<String> = possible.iter().map(|station| number(station).to_string()).collect();
            let text = format!("Mr X may be at {}: {}", counted(possible.count(), "station"), all.join(" "));
            scene = scene.with(Zone::text("belief", text));
        }
        scene
    }

    /// Where to go, and what is paid unless one ticket alone pays for it; before all that the double move.
    pub(super) fn touched(&self, k: &Info, action: Action) -> Vec<String> {
        let Action::Go { double, to, by } = action else { return Vec::new() };
        let (from, purse) = self.mover(&k.seen);
        if from == NOWHERE {
            return Vec::new();
        }
        let who = match k.seen.phase {
            Phase::Seeker(seeker) => seeker.to_string(),
            _ => "x".to_string(),
        };
        let ways = self.exits(&k.seen, from, purse).find(|exit| exit.0 == to).map_or(0, |exit| exit.1);
        let card = double.then(|| "tickets/double-x".to_string());
        let ticket = (ways.count_ones() > 1).then(|| format!("tickets/{}-{who}", by.name()));
        card.into_iter().chain([format!("city/{}", number(to))]).chain(ticket).collect()
    }

    fn city(&self, s: &State, possible: Stations) -> Graph {
        let mut graph = Graph { kinds: TRANSPORT.map(str::to_string).to_vec(), ..Graph::default() };
        for (station, &(x, y)) in (0..=u8::MAX).zip(self.places()) {
            let node = graph.node(number(station).to_string(), x, y);
            if possible.contains(station) {
                node.ground = Ground::Marked;
            }
            if s.x == station {
                node.put(Token::figure(MR_X, "X").named("Mr X"));
            } else if s.shown == station {
                node.put(
                    Token::unknown().of(MR_X).labelled("X?").named("Mr X was last seen here").pale_if(true),
                );
            }
            for (k, _) in s.seekers.iter().take(self.seekers).enumerate().filter(|(_, at)| **at == station) {
                let owner = self.seat_of(k as u8);
                node.put(Token::figure(owner, format!("S{k}")).named(format!("seeker {k}")));
            }
        }
        for from in 0..graph.nodes.len() {
            for link in self.board.links(from as u8).iter().filter(|link| usize::from(link.to) > from) {
                for kind in (0..TRANSPORT.len()).filter(|kind| link.kinds >> kind & 1 == 1) {
                    graph.edge(from, link.to.into(), kind);
                }
            }
        }
        graph
    }

    fn tickets(&self, s: &State, by: Observer) -> Table {
        let mut table = Table::headed(["who", "station", "taxi", "bus", "underground", "black"]);
        table.head.extend((self.doubles > 0).then(|| "double moves".to_string()));
        let place = |at: u8| if at == NOWHERE { "?".to_string() } else { number(at).to_string() };
        let entries = |fares: &[u8], who: &str| -> Vec<Entry> {
            let entry = |(left, ticket): (&u8, Ticket)| {
                Entry::from(left.to_string()).at(format!("{}-{who}", ticket.name()))
            };
            fares.iter().zip(Ticket::ALL).map(entry).collect()
        };
        let own = if by.is(MR_X) { " (you)" } else { "" };
        let row = table.row([Entry::from(format!("Mr X{own}")).of(MR_X), place(s.x).into()]);
        row.extend(entries(&s.x_fares, "x"));
        row.extend((self.doubles > 0).then(|| Entry::from(s.doubles.to_string()).at("double-x")));
        for (k, &at) in s.seekers.iter().enumerate().take(self.seekers) {
            let seat = self.seat_of(k as u8);
            let own = if by.is(seat) && self.team == Team::Apart { " (you)" } else { "" };
            let row = table.row([Entry::from(format!("seeker {k}{own}")).of(seat), place(at).into()]);
            row.extend(entries(&s.fares[k], &k.to_string()));
        }
        table
    }

    /// A cell for each move of Mr X: where he was last seen, and the tickets he has used since.
    fn log(&self, s: &State) -> Log {
        let moves = usize::from(self.rounds);
        let columns = moves.min(LINE);
        let mut log = Log::new(columns, moves.div_ceil(columns), |x, y| (y * columns + x + 1).to_string());
        let hidden = s.trail.as_slice();
        let first = usize::from(s.moves) - hidden.len();
        for (i, cell) in log.cells.iter_mut().enumerate() {
            let number_of_move = i + 1;
            if number_of_move > moves {
                cell.made_of(Ground::None).place.clear();
                continue;
            }
            cell.noted(cell.place.clone());
            if self.surfaces(number_of_move as u8) {
                cell.made_of(Ground::Marked);
            }
            if number_of_move <= first {
                let last = number_of_move == first && s.shown != NOWHERE;
                cell.put(if last {
                    let station = number(s.shown).to_string();
                    Token::chip(&station).of(MR_X).named(format!("seen at {station}"))
                } else {
                    Token::chip("").pale_if(true).named("made earlier")
                });
            } else if let Some(step) = hidden.get(i - first) {
                cell.put(Token::card(label(step.by), None).named(format!("{} ticket", step.by.name())));
            }
        }
        log
    }

    fn caption(&self, s: &State, by: Observer) -> String {
        let you = match by {
            Observer::Seat(MR_X) => Some("You are Mr X.".to_string()),
            Observer::Seat(_) if self.team == Team::Together => Some("You are the seekers.".to_string()),
            Observer::Seat(seat) => Some(format!("You are seeker {}.", seat.0 - SEEKERS.0)),
            Observer::Public => None,
        };
        let own = by.is(MR_X);
        let seen = match s.shown {
            _ if matches!(s.phase, Phase::Over(_)) => None,
            NOWHERE => Some(format!("{} not been seen yet.", if own { "You have" } else { "Mr X has" })),
            at => Some(format!("{} last seen at {}.", if own { "You were" } else { "Mr X was" }, number(at))),
        };
        let next = (s.moves + 1..=self.rounds).find(|&m| self.surfaces(m));
        let shows = if own { "you are" } else { "he is" };
        let next = next.map_or_else(String::new, |m| format!("; {shows} seen after move {m}"));
        let said = match s.phase {
            Phase::Deal(_) => "Start cards are being drawn.".to_string(),
            Phase::X | Phase::XAgain => {
                let again = if s.phase == Phase::XAgain { " again" } else { "" };
                let who = if own { "Your turn" } else { "Mr X is to move" };
                format!("{who}{again}: move {} of {}{next}.", s.moves + 1, self.rounds)
            }
            Phase::Seeker(k) => {
                let at = number(s.seekers[usize::from(k)]);
                match by.is(self.seat_of(k)) {
                    true => format!("Your turn: move seeker {k}, who is at {at}."),
                    false => format!("Seeker {k}, at {at}, is to move."),
                }
            }
            Phase::Over(End::Caught) => "Mr X is caught: the seekers have won.".to_string(),
            Phase::Over(End::XStuck) => "Mr X cannot move and is caught: the seekers have won.".to_string(),
            Phase::Over(End::SeekersStuck) => "No seeker can move: Mr X has escaped and won.".to_string(),
            Phase::Over(End::Escaped) => "Mr X has escaped and won.".to_string(),
        };
        you.into_iter().chain([said]).chain(seen).collect::<Vec<_>>().join(" ")
    }
}

fn label(ticket: Ticket) -> &'static str {
    match ticket {
        Ticket::Taxi => "taxi",
        Ticket::Bus => "bus",
        Ticket::Underground => "tube",
        Ticket::Black => "blk",
    }
}

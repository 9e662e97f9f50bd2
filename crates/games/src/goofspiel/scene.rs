//! Goofspiel as a picture.

use fogtree_core::scene::{self, Board, Entry, Ground, Scene, Token, Zone};
use fogtree_core::{Observer, Player};

use super::known::Knowledge;
use super::sequence::Sequence;
use super::{Bids, Card, Goofspiel, Info, Prizes, State, Table};
use crate::words::{title, won};

/// What is drawn.
pub(super) struct Seen {
    by: Observer,
    table: Table,
    /// Who holds what, as far as it is known.
    hands: [Option<u16>; 2],
    /// Who has bid what, as far as it is known; nothing where bids are open.
    bids: [Option<Sequence>; 2],
    /// Who has won each bid: 0 = the second player, 1 = nobody, 2 = the first.
    results: Sequence,
    rounds: usize,
}

impl Goofspiel {
    /// Everything.
    pub(super) fn whole(&self, s: &State) -> Seen {
        Seen {
            by: Observer::Public,
            table: s.table,
            hands: s.hands.map(Some),
            bids: s.bids.map(Some),
            results: self.results(s),
            rounds: self.rounds_played(s),
        }
    }

    /// What somebody knows.
    pub(super) fn known(&self, known: &Info) -> Seen {
        match known.0 {
            Knowledge::Everything(state) => self.whole(&state),
            Knowledge::Results { by, table, bids, results } => {
                let own = |p: u8| by.is(Player(p)).then_some(bids);
                let untouched = (results.len() == 0).then_some(self.suit());
                let hand = |p: u8| own(p).map(|bids| self.suit() & !bids.mask()).or(untouched);
                Seen {
                    by,
                    table,
                    hands: [hand(0), hand(1)],
                    bids: [own(0), own(1)],
                    results,
                    rounds: results.len(),
                }
            }
        }
    }

    pub(super) fn drawn(&self, seen: &Seen) -> Scene {
        let scene = Scene::new(self.caption(seen)).with(self.cards(seen)).with(points(seen).beside());
        if self.bids == Bids::Hidden && seen.rounds > 0 { scene.with(self.rounds(seen)) } else { scene }
    }

    /// A card of the own hand; where nothing is hidden, and so nothing is anybody's own, of a row for both.
    pub(super) fn touched(&self, known: &Info, card: Card) -> Vec<String> {
        let value = self.value(card);
        match known.0 {
            Knowledge::Everything(_) => vec![format!("cards/{value}-bid")],
            Knowledge::Results { by: Observer::Seat(p), .. } => vec![format!("cards/{value}-{p}")],
            Knowledge::Results { .. } => Vec::new(),
        }
    }

    /// The three suits, and where bids are open a row to bid from.
    fn cards(&self, seen: &Seen) -> Zone {
        let bids = self.bids == Bids::Open && seen.table.prize.is_some();
        let rows = ["prize", "0", "1", "bid"];
        let (columns, height) = (usize::from(self.cards), 3 + usize::from(bids));
        let value = |x: usize| self.value(Card(x as u8)).to_string();
        let mut board = Board::new(columns, height, |x, y| format!("{}-{}", value(x), rows[y]));
        for x in 0..columns {
            let card = Token::card(value(x), None);
            let is_prize = seen.table.prize == Some(Card(x as u8));
            let to_come = seen.table.deck >> x & 1 == 1;
            if is_prize {
                board.cell(x, 0).put(card.clone().named("the prize now")).made_of(Ground::Goal);
            } else if to_come {
                board.cell(x, 0).put(card.clone().named("a prize to come"));
            }
            for p in Player::all(2) {
                let token = match seen.hands[p.index()] {
                    Some(hand) if hand >> x & 1 == 0 => continue,
                    Some(_) => card.clone(),
                    None => Token::unknown(),
                };
                board.cell(x, 1 + p.index()).put(token.of(p));
            }
            let held = seen.hands.iter().flatten().any(|hand| hand >> x & 1 == 1);
            if bids && held {
                board.cell(x, 3).put(Token::chip(value(x)).named(format!("bid {}", value(x))));
            }
        }
        let names = Player::all(2).map(|p| title(p, seen.by));
        let names = std::iter::once("Prizes".to_string()).chain(names).chain(["Bid".to_string()]);
        board.left = names.take(height).collect();
        Zone::board("cards", board).titled("Cards left")
    }

    /// What happened in each round.
    fn rounds(&self, seen: &Seen) -> Zone {
        let mut table = scene::Table::headed(["round", "prize", "", "", "won by"]);
        for p in Player::all(2) {
            table.head[2 + p.index()] = title(p, seen.by);
        }
        let order = match self.prizes {
            Prizes::Random => seen.table.turned_up,
            Prizes::Fixed(order) => order,
        };
        for round in 0..seen.rounds {
            let bid = |p: Player| {
                let token = match seen.bids[p.index()] {
                    Some(bids) => Token::card(self.value(Card(bids.get(round))).to_string(), None),
                    None => Token::unknown(),
                };
                Entry::from(token.of(p)).at(format!("{}-{p}", round + 1))
            };
            let winner = match seen.results.get(round) {
                0 => Entry::from(title(Player(1), seen.by)).of(Player(1)),
                1 => Entry::from("nobody"),
                _ => Entry::from(title(Player(0), seen.by)).of(Player(0)),
            };
            let number = Entry::from((round + 1).to_string());
            let prize = Entry::from(self.value(Card(order.get(round))).to_string());
            table.row([number, prize, bid(Player(0)), bid(Player(1)), winner]);
        }
        Zone::table("rounds", table).titled("Rounds so far")
    }

    fn caption(&self, seen: &Seen) -> String {
        let Some(prize) = seen.table.prize else {
            if seen.table.deck != 0 {
                return "A prize is to be turned up.".to_string();
            }
            let [first, second] = seen.table.points;
            let best = first.max(second);
            let winners = Player::all(2).filter(|p| first != second && seen.table.points[p.index()] == best);
            let how = format!("with {best} : {} points", first.min(second));
            return won(&winners.collect::<Vec<_>>(), seen.by, &how);
        };
        let prize = self.value(prize);
        match seen.by.seat() {
            Some(_) => format!("Your turn: bid a card for the prize {prize}. Both bid at the same time."),
            None => format!("Both players bid a card for the prize {prize} at the same time."),
        }
    }
}

fn points(seen: &Seen) -> Zone {
    let mut table = scene::Table::headed(["player", "points"]);
    for p in Player::all(2) {
        table.row([Entry::from(title(p, seen.by)).of(p), seen.table.points[p.index()].to_string().into()]);
    }
    Zone::table("points", table)
}

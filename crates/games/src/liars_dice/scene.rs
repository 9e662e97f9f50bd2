//! Liar's dice and liar's coins as pictures.

use fogtree_core::scene::{Board, Cards, Ground, Look, Scene, Spread, Token, Zone};
use fogtree_core::{Observer, Player};

use super::{Action, Bid, Hand, LiarsDice, Phase, State};
use crate::words::{asked, capital, does, name, title};

impl LiarsDice {
    /// A state as `by` sees it, without the hands that it must not show.
    pub(super) fn drawn(&self, s: &State, by: Observer) -> Scene {
        let scene = Scene::new(self.caption(s, by)).with(self.bids_made(s));
        let seats = Player::all(self.players);
        seats.fold(scene, |scene, p| {
            let zone = self.hand(s, by, p);
            scene.with(if p.0 == 0 { zone } else { zone.beside() })
        })
    }

    pub(super) fn touched(&self, s: &State, action: Action) -> Vec<String> {
        let bid = match action {
            Action::Bid(bid) => Some(usize::from(bid)),
            Action::Liar => (s.bids.next() as usize).checked_sub(1),
        };
        bid.map(|bid| format!("bids/{}", self.bids[bid].name)).into_iter().collect()
    }

    fn has_coins(&self) -> bool {
        !self.counted.is_empty()
    }

    fn hand(&self, s: &State, by: Observer, p: Player) -> Zone {
        let thrown = !matches!(s.phase, Phase::Throw(who) if who <= p);
        let mut cards = Cards::new(Spread::Row);
        let tokens = match s.hands[p.index()] {
            Some(hand) => self.tokens(&self.hands[usize::from(hand)]),
            None if thrown => vec![Token::unknown(); self.tokens(&self.hands[0]).len()],
            None => Vec::new(),
        };
        for (i, token) in tokens.into_iter().enumerate() {
            cards.put(i.to_string(), token);
        }
        let what = if self.has_coins() { "coins" } else { "dice" };
        let title = if by.is(p) { format!("Your {what}") } else { title(p, by) };
        Zone::cards(format!("hand{p}"), cards).titled(title).of(p)
    }

    fn tokens(&self, hand: &Hand) -> Vec<Token> {
        if self.has_coins() {
            // A hand is a number of heads, from none to all.
            let (heads, coins) = (usize::from(hand.counts[0]), self.hands.len() - 1);
            let coin = |i: usize| if i < heads { ("H", "heads") } else { ("T", "tails") };
            let token = |(label, name)| Token::new(Look::Coin).labelled(label).named(name);
            return (0..coins).map(coin).map(token).collect();
        }
        let die = |face: char| Token::new(Look::Die).labelled(face).named(format!("a {face}"));
        hand.name.chars().map(die).collect()
    }

    /// Every bid: a row for each quantity, a column for each face.
    fn bids_made(&self, s: &State) -> Zone {
        let faces = self.bids.iter().map(|bid| bid.face + 1).max().unwrap_or(1);
        let (columns, rows) =
            if self.has_coins() { (self.bids.len(), 1) } else { (faces, self.bids.len() / faces) };
        let mut board = Board::new(columns, rows, |x, y| self.bids[y * columns + x].name.clone());
        for cell in board.cells.iter_mut().take(s.bids.next() as usize) {
            cell.made_of(Ground::Dark);
        }
        for (i, p) in s.bids.iter().zip(Player::all(self.players).cycle()) {
            let words = format!("player {p}: {}", self.in_words(&self.bids[i]));
            board.cells[i].put(Token::block(p, p.to_string()).named(words));
        }
        let title = if self.has_coins() {
            board.below = self.bids.iter().map(|bid| bid.name.clone()).collect();
            "Bids: at least so many heads among all coins".to_string()
        } else {
            board.below = (1..=faces).map(|face| face.to_string()).collect();
            board.left = (1..=rows).map(|quantity| format!("{quantity}×")).collect();
            let wild = if self.is_wild() { format!("; {faces} counts as every face") } else { String::new() };
            format!("Bids: at least so many dice of a face{wild}")
        };
        Zone::board("bids", board).titled(title)
    }

    /// Whether the highest face counts as every other.
    fn is_wild(&self) -> bool {
        self.hands.last().is_some_and(|hand| hand.counts.len() > 1 && hand.counts[0] > 0)
    }

    /// A bid in words.
    fn in_words(&self, bid: &Bid) -> String {
        match (self.has_coins(), bid.quantity) {
            (true, 1) => "at least 1 head".to_string(),
            (true, n) => format!("at least {n} heads"),
            (false, 1) => format!("at least one {}", bid.face + 1),
            (false, n) => format!("at least {n} dice of {}", bid.face + 1),
        }
    }

    fn caption(&self, s: &State, by: Observer) -> String {
        let last = (s.bids.next() as usize).checked_sub(1).map(|i| &self.bids[i]);
        let said = last.map_or_else(String::new, |bid| self.in_words(bid));
        match s.phase {
            Phase::Throw(who) => format!("Player {who} is to throw."),
            Phase::Bid(who) if last.is_none() => asked(who, by, "make the first bid"),
            Phase::Bid(who) => {
                let bidder = name(self.before(who), by);
                let more = if s.bids.next() as usize == self.bids.len() { "" } else { "bid more, or " };
                let asked = asked(who, by, &format!("{more}call {bidder} a liar"));
                format!("{asked} The last bid is {said}.")
            }
            Phase::Called(who) => {
                let bidder = self.before(who);
                let called =
                    format!("{} {} a liar for {said}.", capital(&does(who, by, "calls")), name(bidder, by));
                if s.hands[..self.players].contains(&None) {
                    return format!("The game is over. {called}");
                }
                let (holds, loser) = if self.holds(s) { ("holds", who) } else { ("does not hold", bidder) };
                format!("The game is over. {called} The bid {holds}: {}.", does(loser, by, "loses"))
            }
        }
    }
}

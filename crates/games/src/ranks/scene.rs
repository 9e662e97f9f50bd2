//! Cards without suits as pictures.
//!
//! The cards of a rank are numbered: `hand1/K3` is the third king of player 1. To touch it is to play three kings.
//! Beliefs are best read off the zone `ranks`, which counts the cards of every rank that each player has.

use fogtree_core::scene::{self, Board, Look, Spread, Token, Zone};
use fogtree_core::{Observer, Player};

use super::Cards;
use crate::cards::scene::{rank_label, rank_token, rank_word};
use crate::words::{capital, counted, name, title};

/// The spot of so many cards of a rank in a player's hand.
pub(crate) fn in_hand(of: Player, letters: &str, rank: u32, count: u32) -> String {
    format!("hand{of}/{}", place(letters, rank, count))
}

fn place(letters: &str, rank: u32, count: u32) -> String {
    format!("{}{count}", letter(letters, rank))
}

fn letter(letters: &str, rank: u32) -> char {
    letters.chars().nth(rank as usize).unwrap_or('?')
}

/// Cards side by side, lowest first.
pub(crate) fn laid(cards: Cards, letters: &str, spread: Spread) -> scene::Cards {
    let mut drawn = scene::Cards::new(spread);
    for rank in 0..16 {
        for count in 1..=cards.count(rank) {
            drawn.put(place(letters, rank, count), rank_token(letter(letters, rank)));
        }
    }
    drawn
}

/// The cards before the deal.
pub(crate) fn undealt(deck: Cards) -> Zone {
    let cards = scene::Cards::backs(Spread::Pile, deck.len() as usize);
    Zone::cards("deck", cards).titled(counted(deck.len(), "card"))
}

/// What is drawn of hands without suits.
pub(crate) struct Shown<'a> {
    pub(crate) letters: &'a str,
    pub(crate) deck: Cards,
    /// Whose eyes it is seen with.
    pub(crate) by: Observer,
    /// The players' hands, as far as they are known.
    pub(crate) hands: Vec<Option<Cards>>,
    /// How many cards each has left.
    pub(crate) left: Vec<u8>,
    /// All cards played.
    pub(crate) played: Cards,
}

impl Shown<'_> {
    /// The seats, the observer's own first and the others in turn after it.
    fn seats(&self) -> impl Iterator<Item = Player> + use<> {
        let (first, players) = (self.by.seat().map_or(0, Player::index), self.hands.len());
        (0..players).map(move |i| Player(((first + i) % players) as u8))
    }

    /// Every hand, the observer's own first. `role` is put before the name of a player.
    pub(crate) fn hands(&self, role: impl Fn(Player) -> String) -> Vec<Zone> {
        let hidden = self.seats().filter(|p| self.hands[p.index()].is_none()).skip(1);
        let beside: Vec<Player> = hidden.collect();
        let zone = |p: Player| {
            let left = self.left[p.index()];
            let cards = match self.hands[p.index()] {
                Some(hand) => laid(hand, self.letters, Spread::Fan),
                None => scene::Cards::backs(Spread::Pile, left.into()),
            };
            let whose = if self.by.is(p) { "Your hand".to_string() } else { title(p, self.by) };
            let words = format!("{whose}{}: {}", role(p), counted(left, "card"));
            let zone = Zone::cards(format!("hand{p}"), cards).titled(words).of(p);
            if beside.contains(&p) { zone.beside() } else { zone }
        };
        self.seats().map(zone).collect()
    }

    /// How many cards of every rank each player has; how many were played; and where the others are, as `rest` says.
    pub(crate) fn counts(&self, rest: &str) -> Zone {
        let ranks: Vec<u32> = (0..16).filter(|&rank| self.deck.count(rank) > 0).collect();
        let seats: Vec<Player> = self.seats().collect();
        let known = self.hands.iter().flatten().fold(self.played, |all, &hand| all.with(hand));
        let others = self.deck.without(known);
        let row = |y: usize| match seats.get(y) {
            Some(p) => p.to_string(),
            None if y == seats.len() => "played".to_string(),
            None => "rest".to_string(),
        };
        let letter = |x: usize| letter(self.letters, ranks[x]);
        let rows = seats.len() + 1 + usize::from(!others.is_empty());
        let mut board = Board::new(ranks.len(), rows, |x, y| format!("{}-{}", letter(x), row(y)));
        for (x, &rank) in ranks.iter().enumerate() {
            let number = |count: u32, look: Look, where_: &str| {
                let name = format!("{} {}", counted(count, rank_word(letter(x))), where_);
                (count > 0).then(|| Token::new(look).labelled(count.to_string()).named(name))
            };
            for (y, &p) in seats.iter().enumerate() {
                let token = match self.hands[p.index()] {
                    Some(hand) => {
                        number(hand.count(rank), Look::Block, &format!("with {}", name(p, self.by)))
                    }
                    None => (others.count(rank) > 0 && self.left[p.index()] > 0).then(Token::unknown),
                };
                board.cell(x, y).tokens.extend(token.map(|token| token.of(p)));
            }
            let played = number(self.played.count(rank), Look::Block, "played");
            board.cell(x, seats.len()).tokens.extend(played.map(|token| token.pale_if(true)));
            if let Some(token) = number(others.count(rank), Look::Chip, rest) {
                board.cell(x, seats.len() + 1).put(token);
            }
        }
        board.below = (0..ranks.len()).map(|x| rank_label(letter(x))).collect();
        let names = seats.iter().map(|&p| title(p, self.by));
        board.left = names.chain(["Played".to_string(), capital(rest)]).take(rows).collect();
        Zone::board("ranks", board).titled("How many of each rank")
    }
}

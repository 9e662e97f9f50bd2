//! Cards, dice and counters that lie side by side or on a heap.

use serde::{Deserialize, Serialize};

use super::Token;

/// Cards, dice or counters.
#[derive(Clone, PartialEq, Debug, Default, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Cards {
    /// How they lie.
    pub spread: Spread,
    /// What lies there, from left to right.
    pub cards: Vec<Card>,
}

/// How cards lie.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "lowercase")]
pub enum Spread {
    /// Side by side.
    #[default]
    Row,
    /// As a hand, each over the one before.
    Fan,
    /// On a heap: the last one is on top, and their number is shown.
    Pile,
}

/// One of them.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Card {
    /// Its name in spots.
    pub place: String,
    /// What it looks like.
    pub token: Token,
    /// What stands below it, such as who has played it.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub note: String,
}

impl Cards {
    /// Nothing yet, to lie like this.
    pub fn new(spread: Spread) -> Cards {
        Cards { spread, cards: Vec::new() }
    }

    /// A hand of cards that are known.
    pub fn hand(cards: impl IntoIterator<Item = (String, Token)>) -> Cards {
        let cards = cards.into_iter().map(|(place, token)| Card { place, token, note: String::new() });
        Cards { spread: Spread::Fan, cards: cards.collect() }
    }

    /// So many cards face down, whose places are numbers.
    pub fn backs(spread: Spread, count: usize) -> Cards {
        let mut cards = Cards::new(spread);
        (0..count).for_each(|i| cards.put(i.to_string(), Token::back()));
        cards
    }

    /// Lays one more down.
    pub fn put(&mut self, place: impl Into<String>, token: Token) {
        self.put_noted(place, token, "");
    }

    /// Lays one more down, with words below it.
    pub fn put_noted(&mut self, place: impl Into<String>, token: Token, note: impl Into<String>) {
        self.cards.push(Card { place: place.into(), token, note: note.into() });
    }
}

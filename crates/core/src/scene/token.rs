//! Tokens: what stands on boards and lies on tables.

use serde::{Deserialize, Serialize};

use crate::Player;

/// Something that stands or lies somewhere.
#[derive(Clone, PartialEq, Eq, Hash, Debug, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Token {
    /// What it looks like.
    #[serde(flatten)]
    pub look: Look,
    /// Whose colour it has.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub owner: Option<Player>,
    /// What is written on it: a few letters at most.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub label: String,
    /// What it is, in words.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub name: String,
    /// Whether it is drawn pale: it has moved already, or is out of play.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub pale: bool,
}

/// What a token looks like.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(tag = "look", rename_all = "lowercase")]
pub enum Look {
    /// A flat round piece.
    Disc,
    /// A flat round piece with a crown.
    King,
    /// A cross.
    Cross,
    /// A ring.
    Ring,
    /// An upright figure with letters on it.
    Figure,
    /// A square block with letters on it.
    Block,
    /// A unit of an army with its strength.
    Unit {
        /// What is left of its strength.
        hit_points: u8,
    },
    /// A playing card, face up.
    Card {
        /// Its suit, if it has one.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        suit: Option<Suit>,
    },
    /// A card face down.
    Back,
    /// A die that shows its label.
    Die,
    /// A coin that shows its label.
    Coin,
    /// A round counter, such as a chip or a ticket.
    Chip,
    /// A tunnel with openings to the north, east, south and west.
    Tunnel {
        /// Where it is open.
        open: [bool; 4],
        /// Whether the openings are joined in the middle.
        joined: bool,
    },
    /// Something is here, nobody knows what.
    Unknown,
}

/// The suits of the French pack.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "lowercase")]
pub enum Suit {
    /// Black.
    Clubs,
    /// Red.
    Diamonds,
    /// Red.
    Hearts,
    /// Black.
    Spades,
}

impl Suit {
    /// The suit as one character.
    pub fn symbol(self) -> char {
        match self {
            Suit::Clubs => '♣',
            Suit::Diamonds => '♦',
            Suit::Hearts => '♥',
            Suit::Spades => '♠',
        }
    }
}

impl Token {
    /// Nobody's, without letters.
    pub fn new(look: Look) -> Token {
        Token { look, owner: None, label: String::new(), name: String::new(), pale: false }
    }

    /// A flat round piece.
    pub fn disc(owner: Player) -> Token {
        Token::new(Look::Disc).of(owner)
    }

    /// A cross.
    pub fn cross(owner: Player) -> Token {
        Token::new(Look::Cross).of(owner)
    }

    /// A ring.
    pub fn ring(owner: Player) -> Token {
        Token::new(Look::Ring).of(owner)
    }

    /// An upright figure with letters on it.
    pub fn figure(owner: Player, label: impl Into<String>) -> Token {
        Token::new(Look::Figure).of(owner).labelled(label)
    }

    /// A square block with letters on it.
    pub fn block(owner: Player, label: impl Into<String>) -> Token {
        Token::new(Look::Block).of(owner).labelled(label)
    }

    /// A playing card, face up.
    pub fn card(rank: impl Into<String>, suit: Option<Suit>) -> Token {
        Token::new(Look::Card { suit }).labelled(rank)
    }

    /// A card face down.
    pub fn back() -> Token {
        Token::new(Look::Back)
    }

    /// A die.
    pub fn die(pips: u8) -> Token {
        Token::new(Look::Die).labelled(pips.to_string())
    }

    /// A round counter with letters on it.
    pub fn chip(label: impl Into<String>) -> Token {
        Token::new(Look::Chip).labelled(label)
    }

    /// Something of which only its owner is known.
    pub fn unknown() -> Token {
        Token::new(Look::Unknown)
    }

    /// The token in somebody's colour.
    #[must_use]
    pub fn of(mut self, owner: Player) -> Token {
        self.owner = Some(owner);
        self
    }

    /// The token with letters on it.
    #[must_use]
    pub fn labelled(mut self, label: impl Into<String>) -> Token {
        self.label = label.into();
        self
    }

    /// The token, called this in words.
    #[must_use]
    pub fn named(mut self, name: impl Into<String>) -> Token {
        self.name = name.into();
        self
    }

    /// The token, pale if so.
    #[must_use]
    pub fn pale_if(mut self, pale: bool) -> Token {
        self.pale = pale;
        self
    }
}

//! The card kit: a French deck as bit masks, deals, determinizations, and the tricks of trick-taking games.
//!
//! A card is a number, `13 * suit + rank`; a set of cards is a mask of 64 bits ([`Cards`]), so that
//! following suit, choosing at random and taking a trick are a few machine instructions each. A smaller
//! deck, for instances small enough to be enumerated, is a set like any other: [`deck`] takes the highest
//! ranks of some suits.
//!
//! A card game is a few collections of cards, each seen by some players (Whitehouse 2014, §4.1.3). Here a
//! collection is a [`Cards`] in the game's state, and the game's `known` leaves out what an observer does
//! not see. What is left out is put back by [`Dealer`], which deals the unseen cards over the places they
//! may be in, uniformly over all deals that contradict nothing the observer has seen.
//!
//! Later deals need no helper: chance is explicit, a search draws it when it comes, and the adapter
//! [`fogtree_core::Foreseen`] fixes all of it in advance for agents that want their worlds determined to the
//! last card.

use std::fmt;
use std::ops::{BitAnd, BitAndAssign, BitOr, BitOrAssign, Sub, SubAssign};

use fogtree_core::Rng;
use fogtree_core::text::{Colour, paint};
use serde::{Deserialize, Serialize};

pub mod bidding;
mod deal;
mod dealer;
#[cfg(test)]
pub(crate) mod replay;
pub(crate) mod scene;
mod tensors;
mod tricks;

pub use deal::{Deal, MOST_HANDS, each_deal, list_deals, number_of_deals};
pub use dealer::{Dealer, Place};
pub use tricks::{Hands, Round, TrickRules};

/// The ranks of a suit, lowest first; aces are high.
pub const RANKS: usize = 13;
const RANK_LETTERS: &[u8; RANKS] = b"23456789TJQKA";
const SUIT_LETTERS: &[u8; 4] = b"CDHS";

/// A suit.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Serialize, Deserialize)]
pub enum Suit {
    /// ♣
    Clubs,
    /// ♦
    Diamonds,
    /// ♥
    Hearts,
    /// ♠
    Spades,
}

impl Suit {
    /// All suits, in the order of the numbers of their cards.
    pub const ALL: [Suit; 4] = [Suit::Clubs, Suit::Diamonds, Suit::Hearts, Suit::Spades];

    /// The cards of this suit.
    #[inline]
    pub const fn cards(self) -> Cards {
        Cards(0x1fff << (RANKS * self as usize))
    }

    /// Its name.
    pub const fn name(self) -> &'static str {
        match self {
            Suit::Clubs => "clubs",
            Suit::Diamonds => "diamonds",
            Suit::Hearts => "hearts",
            Suit::Spades => "spades",
        }
    }
}

/// A card of the French deck. Within a suit higher cards have higher numbers.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Serialize, Deserialize)]
#[serde(transparent)]
pub struct Card(u8);

impl Card {
    /// How many cards there are.
    pub const COUNT: usize = 52;

    /// The card of this suit and rank; rank 0 is the two, rank 12 the ace.
    pub const fn new(suit: Suit, rank: usize) -> Card {
        assert!(rank < RANKS);
        Card((RANKS * suit as usize + rank) as u8)
    }

    /// The card with this number, if there is one.
    pub const fn numbered(number: u64) -> Option<Card> {
        if number < Card::COUNT as u64 { Some(Card(number as u8)) } else { None }
    }

    /// Its number, below [`Card::COUNT`].
    #[inline]
    pub const fn number(self) -> usize {
        self.0 as usize
    }

    /// Its suit.
    #[inline]
    pub const fn suit(self) -> Suit {
        Suit::ALL[self.0 as usize / RANKS]
    }

    /// Its rank, from 0 for the two to 12 for the ace.
    #[inline]
    pub const fn rank(self) -> usize {
        self.0 as usize % RANKS
    }

    /// The set of this card alone.
    #[inline]
    pub const fn alone(self) -> Cards {
        Cards(1 << self.0)
    }

    /// The card of this name, such as `QS` or `TH`.
    pub fn parse(name: &str) -> Option<Card> {
        let &[rank, suit] = name.as_bytes() else { return None };
        let rank = RANK_LETTERS.iter().position(|&letter| letter == rank)?;
        let suit = SUIT_LETTERS.iter().position(|&letter| letter == suit)?;
        Some(Card::new(Suit::ALL[suit], rank))
    }

    /// Its name, hearts and diamonds in red.
    pub fn painted(self) -> String {
        let name = self.to_string();
        match self.suit() {
            Suit::Hearts | Suit::Diamonds => paint(Colour::Red, &name),
            Suit::Clubs | Suit::Spades => name,
        }
    }
}

impl fmt::Display for Card {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let letters = [RANK_LETTERS[self.rank()], SUIT_LETTERS[self.suit() as usize]];
        write!(f, "{}{}", char::from(letters[0]), char::from(letters[1]))
    }
}

/// A set of cards.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Default, Serialize, Deserialize)]
#[serde(transparent)]
pub struct Cards(u64);

/// The highest `ranks` ranks of these suits.
pub fn deck(suits: &[Suit], ranks: usize) -> Cards {
    let ranks = RANKS - ranks.min(RANKS)..RANKS;
    suits.iter().flat_map(|&suit| ranks.clone().map(move |rank| Card::new(suit, rank))).collect()
}

impl Cards {
    /// No cards.
    pub const NONE: Cards = Cards(0);
    /// All 52.
    pub const ALL: Cards = Cards((1 << Card::COUNT) - 1);

    /// The cards whose bits are set.
    pub const fn from_bits(bits: u64) -> Cards {
        Cards(bits & Cards::ALL.0)
    }

    /// A bit for each card.
    #[inline]
    pub const fn bits(self) -> u64 {
        self.0
    }

    /// How many there are.
    #[inline]
    pub const fn len(self) -> usize {
        self.0.count_ones() as usize
    }

    /// Whether there are none.
    #[inline]
    pub const fn is_empty(self) -> bool {
        self.0 == 0
    }

    /// Whether the card is among them.
    #[inline]
    pub const fn contains(self, card: Card) -> bool {
        self.0 >> card.0 & 1 == 1
    }

    /// Whether some card is in both sets.
    #[inline]
    pub const fn meets(self, other: Cards) -> bool {
        self.0 & other.0 != 0
    }

    /// Whether every card of this set is in the other.
    #[inline]
    pub const fn within(self, other: Cards) -> bool {
        self.0 & !other.0 == 0
    }

    /// This set, or the other if this one is empty.
    #[inline]
    #[must_use]
    pub const fn or(self, other: Cards) -> Cards {
        if self.0 == 0 { other } else { self }
    }

    /// All cards that are not in this set.
    #[inline]
    #[must_use]
    pub const fn complement(self) -> Cards {
        Cards(!self.0 & Cards::ALL.0)
    }

    /// The card with the lowest number.
    #[inline]
    pub const fn lowest(self) -> Option<Card> {
        if self.0 == 0 { None } else { Some(Card(self.0.trailing_zeros() as u8)) }
    }

    /// The card with the highest number.
    #[inline]
    pub const fn highest(self) -> Option<Card> {
        if self.0 == 0 { None } else { Some(Card(63 - self.0.leading_zeros() as u8)) }
    }

    /// The cards by rising number.
    #[inline]
    pub fn iter(self) -> impl Iterator<Item = Card> + Clone {
        let mut left = self;
        std::iter::from_fn(move || {
            let card = left.lowest()?;
            left.0 &= left.0 - 1;
            Some(card)
        })
    }

    /// One of the cards, all equally likely. There must be one.
    #[inline]
    pub fn random(self, rng: &mut Rng) -> Card {
        Card(rng.bit_of(self.0) as u8)
    }

    /// A subset of this size, all equally likely. There must be as many cards.
    #[inline]
    pub fn random_subset(self, size: usize, rng: &mut Rng) -> Cards {
        debug_assert!(size <= self.len());
        let few = size.min(self.len() - size);
        let mut left = self;
        for _ in 0..few {
            left -= left.random(rng).alone();
        }
        if few == size { self - left } else { left }
    }

    /// Every subset of this size.
    pub fn subsets(self, size: usize) -> impl Iterator<Item = Cards> {
        let cards: Vec<Card> = self.iter().collect();
        let lowest = (1u64 << size.min(63)) - 1;
        let last = lowest << cards.len().saturating_sub(size);
        let mut next = (size <= cards.len()).then_some(lowest);
        std::iter::from_fn(move || {
            let places = next?;
            next = (places != last).then(|| {
                // The next number with as many bits set.
                let low: u64 = places & places.wrapping_neg();
                let carried = places + low;
                carried | (carried ^ places) >> 2 >> low.trailing_zeros()
            });
            Some(cards.iter().enumerate().filter(|(i, _)| places >> i & 1 == 1).map(|(_, &c)| c).collect())
        })
    }

    /// The names of the cards, without anything between them; `-` if there are none.
    pub fn name(self) -> String {
        if self.is_empty() { "-".to_string() } else { self.iter().map(|card| card.to_string()).collect() }
    }

    /// The cards whose names these are, each once and by rising number.
    pub fn parse(name: &str) -> Option<Cards> {
        let card = |letters: &[u8]| Card::parse(std::str::from_utf8(letters).ok()?);
        let cards: Cards = if name == "-" {
            Cards::NONE
        } else {
            name.as_bytes().chunks(2).map(card).collect::<Option<Cards>>()?
        };
        (cards.name() == name).then_some(cards)
    }

    /// The names of the cards for a person, hearts and diamonds in red; `-` if there are none.
    pub fn painted(self) -> String {
        if self.is_empty() {
            return "-".to_string();
        }
        self.iter().map(Card::painted).collect::<Vec<_>>().join(" ")
    }
}

impl FromIterator<Card> for Cards {
    fn from_iter<I: IntoIterator<Item = Card>>(cards: I) -> Cards {
        cards.into_iter().fold(Cards::NONE, |set, card| set | card.alone())
    }
}

impl fmt::Display for Cards {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.name())
    }
}

impl BitOr for Cards {
    type Output = Cards;
    #[inline]
    fn bitor(self, other: Cards) -> Cards {
        Cards(self.0 | other.0)
    }
}

impl BitOrAssign for Cards {
    #[inline]
    fn bitor_assign(&mut self, other: Cards) {
        self.0 |= other.0;
    }
}

impl BitAnd for Cards {
    type Output = Cards;
    #[inline]
    fn bitand(self, other: Cards) -> Cards {
        Cards(self.0 & other.0)
    }
}

impl BitAndAssign for Cards {
    #[inline]
    fn bitand_assign(&mut self, other: Cards) {
        self.0 &= other.0;
    }
}

impl Sub for Cards {
    type Output = Cards;
    #[inline]
    fn sub(self, other: Cards) -> Cards {
        Cards(self.0 & !other.0)
    }
}

impl SubAssign for Cards {
    #[inline]
    fn sub_assign(&mut self, other: Cards) {
        self.0 &= !other.0;
    }
}

#[cfg(test)]
mod tests;

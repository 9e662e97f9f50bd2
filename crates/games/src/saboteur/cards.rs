//! The cards of Saboteur: kinds, what is printed on them, and decks.

use std::str::FromStr;

use arrayvec::ArrayVec;

/// A side of a card, and the direction one leaves it by.
pub(super) const TOP: usize = 0;
pub(super) const RIGHT: usize = 1;
pub(super) const BOTTOM: usize = 2;
pub(super) const LEFT: usize = 3;

/// The side across.
pub(super) const fn across(side: usize) -> usize {
    side ^ 2
}

/// The sides of a card that tunnels leave by, one bit each: top, right, bottom, left.
pub(super) type Openings = u8;

/// A kind of card: paths, dead ends, broken tools, repairs, rockfall, map, in this order.
pub(super) type Kind = u8;

/// How many kinds there are.
pub(super) const KINDS: usize = 27;
/// The kinds of path cards come first, those with connected openings before the dead ends.
pub(super) const PATHS: Kind = 16;
pub(super) const DEAD_ENDS: Kind = 7;
pub(super) const BROKEN: Kind = 16;
pub(super) const REPAIR: Kind = 19;
pub(super) const DOUBLE_REPAIR: Kind = 22;
pub(super) const ROCKFALL: Kind = 25;
pub(super) const MAP: Kind = 26;
/// No card, in hands that are not full.
pub(super) const NO_CARD: Kind = u8::MAX;
/// A card that the observer has not seen.
pub(super) const UNSEEN: Kind = u8::MAX - 1;
/// The most cards in a deck: as many as in the box.
pub(super) const MOST_CARDS: usize = 67;

/// The openings of every kind of path card, held upright.
const OPENINGS: [Openings; PATHS as usize] = [
    0b1111, 0b1011, 0b0111, 0b0101, 0b1010, 0b0011,
    0b1001, // connected: X, T, T, straight, straight, curves
    0b0001, 0b0010, 0b0011, 0b1001, 0b0101, 0b1010, 0b1011, 0b0111, 0b1111, // dead ends
];

/// The number of copies of every kind in the box.
const COPIES: [u8; KINDS] = [5, 5, 5, 4, 3, 5, 4, 1, 1, 1, 1, 1, 1, 1, 1, 1, 3, 3, 3, 2, 2, 2, 1, 1, 1, 3, 6];

/// The names of the action cards; those of path cards come from their openings.
const ACTION_CARDS: [&str; KINDS - PATHS as usize] = [
    "broken-pick",
    "broken-lamp",
    "broken-cart",
    "repair-pick",
    "repair-lamp",
    "repair-cart",
    "repair-pick-or-lamp",
    "repair-pick-or-cart",
    "repair-lamp-or-cart",
    "rockfall",
    "map",
];

/// The tools that may break.
pub(super) const TOOLS: [&str; 3] = ["pick", "lamp", "cart"];

/// A card upside down.
const fn half_turn(openings: Openings) -> Openings {
    (openings << 2 | openings >> 2) & 0b1111
}

/// The openings of a path card as it is laid.
#[inline]
pub(super) const fn openings(kind: Kind, turned: bool) -> Openings {
    let upright = OPENINGS[kind as usize];
    if turned { half_turn(upright) } else { upright }
}

/// The ways to lay a path card that look different: upright, and upside down.
#[inline]
pub(super) const fn ways(kind: Kind) -> &'static [bool] {
    let upright = OPENINGS[kind as usize];
    if upright == half_turn(upright) { &[false] } else { &[false, true] }
}

/// Whether the openings of a path card are not connected with one another.
#[inline]
pub(super) const fn is_dead_end(kind: Kind) -> bool {
    kind >= DEAD_ENDS
}

/// The tools that a repair card mends, one of them at a time.
#[inline]
pub(super) const fn mends(kind: Kind) -> u8 {
    [0b001, 0b010, 0b100, 0b011, 0b101, 0b110][(kind - REPAIR) as usize]
}

/// The name of a path card as it is laid: the letters of its open sides, after an `x` for a dead end.
pub(super) fn path_name(kind: Kind, turned: bool) -> String {
    let open = openings(kind, turned);
    let sides = "TRBL".chars().enumerate().filter(|(side, _)| open >> side & 1 == 1);
    is_dead_end(kind).then_some('x').into_iter().chain(sides.map(|(_, letter)| letter)).collect()
}

/// The name of a kind of card.
pub(super) fn name(kind: Kind) -> String {
    match kind {
        0..PATHS => path_name(kind, false),
        PATHS..=MAP => ACTION_CARDS[(kind - PATHS) as usize].to_string(),
        _ => "unseen".to_string(),
    }
}

/// The kind of this name.
pub(super) fn parse(text: &str) -> Option<Kind> {
    (0..KINDS as Kind).find(|&kind| name(kind) == text)
}

/// How many cards of each kind are there.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Deck(pub(super) [u8; KINDS]);

impl Deck {
    /// The cards in the box.
    pub(super) const FULL: Deck = Deck(COPIES);

    pub(super) fn size(&self) -> usize {
        self.0.iter().map(|&copies| usize::from(copies)).sum()
    }
}

/// A card of a deck and its copies, as in `TRBL*5`; one copy if it does not say.
pub(super) struct Copies(pub(super) Kind, pub(super) u8);

impl FromStr for Copies {
    type Err = ();

    fn from_str(text: &str) -> Result<Copies, ()> {
        let (card, copies) = text.split_once('*').unwrap_or((text, "1"));
        Ok(Copies(parse(card).ok_or(())?, copies.parse().map_err(|_| ())?))
    }
}

/// A player's cards, sorted.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, serde::Serialize, serde::Deserialize)]
pub(super) struct Hand(pub(super) [Kind; Hand::MOST]);

impl Hand {
    pub(super) const MOST: usize = 6;
    pub(super) const EMPTY: Hand = Hand([NO_CARD; Hand::MOST]);

    /// The cards, sorted.
    pub(super) fn iter(&self) -> impl Iterator<Item = Kind> + '_ {
        self.0.iter().copied().take_while(|&kind| kind != NO_CARD)
    }

    /// The different kinds, sorted.
    #[inline]
    pub(super) fn kinds(&self) -> ArrayVec<Kind, { Hand::MOST }> {
        let mut kinds = ArrayVec::new();
        let mut last = NO_CARD;
        for kind in self.0 {
            if kind != last && kind != NO_CARD {
                kinds.push(kind);
            }
            last = kind;
        }
        kinds
    }

    #[inline]
    pub(super) fn insert(&mut self, kind: Kind) {
        let mut at = Hand::MOST - 1;
        while at > 0 && self.0[at - 1] > kind {
            self.0[at] = self.0[at - 1];
            at -= 1;
        }
        self.0[at] = kind;
    }

    #[inline]
    pub(super) fn remove(&mut self, kind: Kind) {
        let mut found = false;
        for at in 0..Hand::MOST - 1 {
            found |= self.0[at] == kind;
            if found {
                self.0[at] = self.0[at + 1];
            }
        }
        if found || self.0[Hand::MOST - 1] == kind {
            self.0[Hand::MOST - 1] = NO_CARD;
        }
    }
}

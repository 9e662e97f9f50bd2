//! The characters and the cards.

use fogtree_core::Player;
use serde::{Deserialize, Serialize};

/// The player who starts in the Shire.
pub const LIGHT: Player = Player(0);
/// The player who starts in Mordor and moves first.
pub const DARK: Player = Player(1);

macro_rules! named {
    ($(#[$about:meta])* $type:ident, $all:literal: $($(#[$text:meta])* $item:ident = $name:literal,)*) => {
        $(#[$about])*
        #[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Serialize, Deserialize)]
        #[serde(rename_all = "kebab-case")]
        #[repr(u8)]
        pub enum $type {
            $($(#[$text])* $item,)*
        }

        impl $type {
            /// All of them, in order.
            pub const ALL: [$type; $all] = [$($type::$item,)*];

            /// The name, as written in moves.
            pub fn name(self) -> &'static str {
                match self {
                    $($type::$item => $name,)*
                }
            }

            /// The one of this name.
            pub fn parse(name: &str) -> Option<$type> {
                $type::ALL.into_iter().find(|one| one.name() == name)
            }
        }
    };
}

named! {
    /// A character. The first nine are Light's.
    Character, 18:
    /// Must reach Mordor; when attacked, may retreat sideways.
    Frodo = "frodo",
    /// Stronger where Frodo is, and may replace him when he is attacked.
    Sam = "sam",
    /// Defeats the Witch King at once.
    Merry = "merry",
    /// When attacking, may retreat backwards.
    Pippin = "pippin",
    /// Dark must play its card first, openly.
    Gandalf = "gandalf",
    /// May attack any adjacent region.
    Aragorn = "aragorn",
    /// Defeats the Flying Nazgûl at once.
    Legolas = "legolas",
    /// Defeats the Orcs at once.
    Gimli = "gimli",
    /// Falls at once, and the enemy with him.
    Boromir = "boromir",
    /// When attacking, defeat the first character they fight at once.
    Orcs = "orcs",
    /// Returns to Gondor after defeating an enemy.
    Shelob = "shelob",
    /// May decide that no cards are played.
    Saruman = "saruman",
    /// May attack any region that holds exactly one Light character.
    FlyingNazgul = "flying-nazgul",
    /// In Moria, may defeat a character that uses the tunnel.
    Balrog = "balrog",
    /// The enemy's text is ignored.
    Warg = "warg",
    /// May move forward any number of regions to attack.
    BlackRider = "black-rider",
    /// May attack sideways.
    WitchKing = "witch-king",
    /// Dark's card counts for nothing.
    CaveTroll = "cave-troll",
}

/// How many characters a player has.
pub(super) const EACH: usize = 9;

impl Character {
    /// Whose it is: 0 is Light, 1 is Dark.
    #[inline]
    pub fn side(self) -> usize {
        self as usize / EACH
    }

    /// Whose it is.
    pub fn owner(self) -> Player {
        Player(self.side() as u8)
    }

    /// The characters of a player.
    #[inline]
    pub fn of(side: usize) -> &'static [Character] {
        &Character::ALL[side * EACH..][..EACH]
    }

    /// The strength printed on the piece.
    #[inline]
    pub fn strength(self) -> u8 {
        const STRENGTHS: [u8; 18] = [1, 2, 2, 1, 5, 4, 3, 3, 0, 2, 5, 4, 3, 5, 2, 3, 5, 9];
        STRENGTHS[self as usize]
    }
}

named! {
    /// A card. Both players have the first five, Retreat and Magic.
    Card, 11:
    /// Adds 1.
    One = "1",
    /// Adds 2.
    Two = "2",
    /// Adds 3.
    Three = "3",
    /// Adds 4.
    Four = "4",
    /// Adds 5.
    Five = "5",
    /// Adds 6; Dark's.
    Six = "6",
    /// Both characters fall; Light's.
    NobleSacrifice = "noble-sacrifice",
    /// The value of Dark's card is ignored; Light's.
    ElvenCloak = "elven-cloak",
    /// The text of Light's card is ignored; Dark's.
    EyeOfSauron = "eye-of-sauron",
    /// The character moves back (Light) or sideways (Dark).
    Retreat = "retreat",
    /// Becomes one of one's cards already played.
    Magic = "magic",
}

/// A set of cards: bit by number.
pub(super) type Cards = u16;

impl Card {
    #[inline]
    pub(super) fn bit(self) -> Cards {
        1 << self as u8
    }

    /// What a number card adds.
    #[inline]
    pub fn value(self) -> u8 {
        if self <= Card::Six { self as u8 + 1 } else { 0 }
    }

    /// Whether it has a text instead of a number.
    #[inline]
    pub fn is_text(self) -> bool {
        self > Card::Six
    }

    /// The nine cards of a player.
    pub fn deck(side: usize) -> [Card; 9] {
        use Card::{
            ElvenCloak, EyeOfSauron, Five, Four, Magic, NobleSacrifice, One, Retreat, Six, Three, Two,
        };
        match side {
            0 => [One, Two, Three, Four, Five, NobleSacrifice, ElvenCloak, Retreat, Magic],
            _ => [One, Two, Three, Four, Five, Six, EyeOfSauron, Retreat, Magic],
        }
    }
}

/// The cards of a set, in rising order.
#[inline]
pub(super) fn cards_of(mut set: Cards) -> impl Iterator<Item = Card> {
    std::iter::from_fn(move || {
        let card = (set != 0).then(|| Card::ALL[set.trailing_zeros() as usize]);
        set &= set.wrapping_sub(1);
        card
    })
}

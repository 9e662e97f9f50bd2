//! What can be played: every group of cards, in a table.
//!
//! A group is a run of `length` ranks (one, or several in a row from 3 to ace) with `width` cards each, and
//! perhaps kickers, which are chosen afterwards. Groups that differ in their rank alone form a [`Class`]:
//! within it the higher beats the lower, between classes only bombs and the nuke beat anything. So what a hand
//! can play is, class by class, a set of ranks found with a few shifts.

use fogtree_core::Rng;
use serde::{Deserialize, Serialize};

use crate::ranks::{Cards, count_ranks, nth_rank};

/// The letters of the ranks, lowest first: three to nine, ten, jack, queen, king, ace, two, black joker, red
/// joker.
pub(super) const LETTERS: &str = "3456789TJQKA2BR";
/// How many ranks there are.
pub(super) const RANKS: u32 = 15;
/// The black joker; the red one follows.
pub(super) const BLACK_JOKER: u32 = 13;
const NUKE_CARDS: Cards = Cards::of(BLACK_JOKER, 1).with(Cards::of(BLACK_JOKER + 1, 1));

/// Three to ace: the ranks of which runs are made.
const RUN_RANKS: u64 = 0x1111_1111_1111;

/// The cards that go with a group, all of different ranks, none of a rank of the group itself.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Kickers {
    /// None.
    None,
    /// So many single cards.
    Solos(u32),
    /// So many pairs.
    Pairs(u32),
}

/// Groups that differ only in rank.
#[derive(Clone, Copy, Debug)]
pub struct Class {
    /// Cards of each rank.
    pub width: u32,
    /// Ranks in a row.
    pub length: u32,
    /// What goes with it.
    pub kickers: Kickers,
    /// The group of the lowest rank.
    first: u16,
    /// Its lowest rank.
    lowest: u32,
    /// How many groups there are.
    groups: u32,
}

/// Groups of one width and kind of kickers: single ranks and runs.
struct Family {
    width: u32,
    /// The lengths of runs, apart from a single rank. No hand is longer than 20 cards.
    shortest: u32,
    longest: u32,
    kickers: Kickers,
    /// The class of single ranks; those of runs follow.
    class: usize,
}

const FAMILIES: [Family; 8] = [
    Family { width: 1, shortest: 5, longest: 12, kickers: Kickers::None, class: SOLO },
    Family { width: 2, shortest: 3, longest: 10, kickers: Kickers::None, class: PAIR },
    Family { width: 3, shortest: 2, longest: 6, kickers: Kickers::None, class: TRIO },
    Family { width: 3, shortest: 2, longest: 5, kickers: Kickers::Solos(1), class: TRIO_AND_SOLOS },
    Family { width: 3, shortest: 2, longest: 4, kickers: Kickers::Pairs(1), class: TRIO_AND_PAIRS },
    Family { width: 4, shortest: 2, longest: 1, kickers: Kickers::Solos(2), class: QUAD_AND_SOLOS },
    Family { width: 4, shortest: 2, longest: 1, kickers: Kickers::Pairs(2), class: QUAD_AND_PAIRS },
    Family { width: 4, shortest: 2, longest: 1, kickers: Kickers::None, class: BOMB },
];
const SOLO: usize = 0;
const PAIR: usize = 9;
const TRIO: usize = 18;
const TRIO_AND_SOLOS: usize = 24;
const TRIO_AND_PAIRS: usize = 29;
const QUAD_AND_SOLOS: usize = 33;
const QUAD_AND_PAIRS: usize = 34;
const BOMB: usize = 35;
const NUKE: usize = 36;
const CLASSES: usize = 37;

static CLASS: [Class; CLASSES] = classes();
/// The cards and the class of every group; the first entry is none.
static GROUP: [(Cards, u8); Group::COUNT + 1] = groups();

const _: () = assert!(classes()[NUKE].first as usize == Group::COUNT);

const fn classes() -> [Class; CLASSES] {
    let nuke =
        Class { width: 1, length: 2, kickers: Kickers::None, first: 0, lowest: BLACK_JOKER, groups: 1 };
    let mut classes = [nuke; CLASSES];
    let (mut first, mut f) = (1, 0);
    while f < FAMILIES.len() {
        let Family { width, shortest, longest, kickers, class } = FAMILIES[f];
        let mut length = 1;
        while length == 1 || length <= longest {
            let run = if length == 1 { 0 } else { (length - shortest + 1) as usize };
            let groups = match (length, width) {
                (1, 1) => RANKS,
                (1, _) => 13,
                _ => 13 - length,
            };
            let kickers = match kickers {
                Kickers::None => Kickers::None,
                Kickers::Solos(n) => Kickers::Solos(n * length),
                Kickers::Pairs(n) => Kickers::Pairs(n * length),
            };
            classes[class + run] = Class { width, length, kickers, first, lowest: 0, groups };
            first += groups as u16;
            length = if length == 1 { shortest } else { length + 1 };
        }
        f += 1;
    }
    classes[NUKE].first = first;
    classes
}

const fn groups() -> [(Cards, u8); Group::COUNT + 1] {
    let classes = classes();
    let mut groups = [(Cards::NONE, 0); Group::COUNT + 1];
    let mut c = 0;
    while c < CLASSES {
        let class = classes[c];
        let mut g = 0;
        while g < class.groups {
            let (mut cards, mut n) = (Cards::NONE, 0);
            while n < class.length {
                cards = cards.with(Cards::of(class.lowest + g + n, class.width));
                n += 1;
            }
            groups[class.first as usize + g as usize] = (cards, c as u8);
            g += 1;
        }
        c += 1;
    }
    groups
}

/// A group of cards without its kickers, by its number.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Default, Serialize, Deserialize)]
#[serde(transparent)]
pub struct Group(u16);

impl Group {
    /// No group: there is nothing to beat.
    pub const NONE: Group = Group(0);
    /// How many groups there are.
    pub const COUNT: usize = 308;

    /// Every group, in order.
    pub fn all() -> impl Iterator<Item = Group> {
        (1..=Group::COUNT as u16).map(Group)
    }

    /// The number of the group, from 0.
    pub fn index(self) -> u64 {
        u64::from(self.0) - 1
    }

    /// The group of this number.
    pub fn from_index(index: u64) -> Option<Group> {
        (index < Group::COUNT as u64).then_some(Group(index as u16 + 1))
    }

    #[inline]
    fn of(class: usize, rank: u32) -> Group {
        let class = &CLASS[class];
        Group(class.first + (rank - class.lowest) as u16)
    }

    #[inline]
    fn class_index(self) -> usize {
        GROUP[usize::from(self.0)].1.into()
    }

    /// The groups that differ from it in rank alone.
    #[inline]
    pub fn class(self) -> &'static Class {
        &CLASS[self.class_index()]
    }

    /// Whether the groups differ in rank at most.
    pub(super) fn is_like(self, other: Group) -> bool {
        self.class_index() == other.class_index()
    }

    /// Its cards, kickers apart.
    #[inline]
    pub fn cards(self) -> Cards {
        GROUP[usize::from(self.0)].0
    }

    /// The ranks that a hand may play as its kickers, once the group itself has left the hand.
    #[inline]
    pub fn kicker_ranks(self, hand: Cards) -> u64 {
        hand.at_least(self.kicker_width()) & !self.cards().at_least(1)
    }

    /// How many cards each of its kickers has.
    #[inline]
    pub fn kicker_width(self) -> u32 {
        if matches!(self.class().kickers, Kickers::Pairs(_)) { 2 } else { 1 }
    }

    /// How many kickers go with it.
    #[inline]
    pub fn kickers(self) -> u32 {
        match self.class().kickers {
            Kickers::None => 0,
            Kickers::Solos(n) | Kickers::Pairs(n) => n,
        }
    }

    /// Its name: its cards, and an `x` for every card of its kickers.
    pub fn name(self) -> String {
        let cards = self.cards().text(LETTERS);
        match self.class().kickers {
            Kickers::None => cards,
            Kickers::Solos(n) => format!("{cards}+{}", "x".repeat(n as usize)),
            Kickers::Pairs(n) => format!("{cards}+{}", "x".repeat(2 * n as usize)),
        }
    }

    /// The group of this name.
    pub fn parse(name: &str) -> Option<Group> {
        let cards = Cards::parse(name.split('+').next()?, LETTERS)?;
        Group::all().find(|g| g.cards() == cards && g.name() == name)
    }
}

/// The ranks of which a hand has at least 1, 2, 3 and 4 cards.
struct Held([u64; 5]);

impl Held {
    #[inline]
    fn new(hand: Cards) -> Held {
        Held([0, hand.at_least(1), hand.at_least(2), hand.at_least(3), hand.at_least(4)])
    }

    /// Whether there are kickers for a group of this class: the ranks of the group do not count.
    #[inline]
    fn has_kickers(&self, kickers: Kickers, length: u32) -> bool {
        match kickers {
            Kickers::None => true,
            Kickers::Solos(n) => count_ranks(self.0[1]) >= length + n,
            Kickers::Pairs(n) => count_ranks(self.0[2]) >= length + n,
        }
    }

    /// The lowest ranks of the groups of a class.
    #[inline]
    fn starts(&self, class: usize) -> u64 {
        if class == NUKE {
            return u64::from(self.has_nuke()) << (4 * BLACK_JOKER);
        }
        let class = &CLASS[class];
        let ranks = self.0[class.width as usize];
        if ranks == 0 || !self.has_kickers(class.kickers, class.length) {
            return 0;
        }
        if class.length == 1 {
            return ranks;
        }
        let ranks = ranks & RUN_RANKS;
        (1..class.length).fold(ranks, |starts, n| starts & ranks >> (4 * n))
    }

    fn has_nuke(&self) -> bool {
        let jokers = NUKE_CARDS.at_least(1);
        self.0[1] & jokers == jokers
    }

    /// Of each class without runs, the ranks that may be led; in the order of [`SINGLE`].
    #[inline]
    fn singles(&self) -> [u64; 8] {
        let Held([_, one, two, three, four]) = *self;
        // The rank of the group itself is no kicker.
        let if_more = |ranks: u64, n: u32| 0_u64.wrapping_sub(u64::from(count_ranks(ranks) > n));
        let (two_solos, two_pairs) = (if_more(one, 2), if_more(two, 2));
        [
            one,
            two,
            three,
            three & if_more(one, 1),
            three & if_more(two, 1),
            four,
            four & two_solos,
            four & two_pairs,
        ]
    }

    /// Every class of runs of which something may be led, with the lowest ranks of its groups.
    #[inline(always)]
    fn runs(&self, mut each: impl FnMut(usize, u64)) {
        let Held([_, one, two, three, _]) = *self;
        each_run::<5, 12>(one, |length, starts| each(SOLO + length - 4, starts));
        each_run::<3, 10>(two, |length, starts| each(PAIR + length - 2, starts));
        each_run::<2, 6>(three, |length, starts| {
            each(TRIO + length - 1, starts);
            if count_ranks(one) as usize >= 2 * length && length <= 5 {
                each(TRIO_AND_SOLOS + length - 1, starts);
            }
            if count_ranks(two) as usize >= 2 * length && length <= 4 {
                each(TRIO_AND_PAIRS + length - 1, starts);
            }
        });
    }

    /// What beats a group: a higher one of its class, a bomb, the nuke.
    #[inline]
    fn beating(&self, top: Group) -> [(usize, u64); 3] {
        let class = top.class_index();
        if class == NUKE {
            return [(NUKE, 0); 3];
        }
        let rank = u32::from(top.0 - CLASS[class].first);
        let higher = self.starts(class) & u64::MAX << (4 * (rank + 1));
        let bombs = if class == BOMB { 0 } else { self.0[4] };
        [(class, higher), (BOMB, bombs), (NUKE, self.starts(NUKE))]
    }
}

/// Hands over the lowest ranks of all runs of each length.
#[inline(always)]
fn each_run<const SHORTEST: usize, const LONGEST: usize>(ranks: u64, mut each: impl FnMut(usize, u64)) {
    let ranks = ranks & RUN_RANKS;
    let mut starts = (1..SHORTEST).fold(ranks, |starts, n| starts & ranks >> (4 * n));
    let mut length = SHORTEST;
    while starts != 0 && length <= LONGEST {
        each(length, starts);
        starts &= ranks >> (4 * length);
        length += 1;
    }
}

/// Hands over every group that a hand may lead, in order: family by family, what has no cards left out. Most decisions
/// are answers, which are better off without this code among theirs.
#[inline(never)]
pub(super) fn each_lead(hand: Cards, mut each: impl FnMut(Group)) {
    let held = Held::new(hand);
    let Held([_, one, two, three, four]) = held;
    let each = &mut each;
    each_of(SOLO, one, each);
    each_run::<5, 12>(one, |length, starts| each_of(SOLO + length - 4, starts, each));
    if two != 0 {
        each_of(PAIR, two, each);
        each_run::<3, 10>(two, |length, starts| each_of(PAIR + length - 2, starts, each));
    }
    if three != 0 {
        each_of(TRIO, three, each);
        each_run::<2, 6>(three, |length, starts| each_of(TRIO + length - 1, starts, each));
        each_trio::<5>(TRIO_AND_SOLOS, three, count_ranks(one) as usize, each);
        each_trio::<4>(TRIO_AND_PAIRS, three, count_ranks(two) as usize, each);
    }
    if four != 0 {
        // The rank of the group itself is no kicker.
        if count_ranks(one) > 2 {
            each_of(QUAD_AND_SOLOS, four, each);
        }
        if count_ranks(two) > 2 {
            each_of(QUAD_AND_PAIRS, four, each);
        }
        each_of(BOMB, four, each);
    }
    each_of(NUKE, held.starts(NUKE), each);
}

/// Trios and runs of them with a kicker for each, of which there are so many ranks, those of the trios counted in.
fn each_trio<const LONGEST: usize>(class: usize, three: u64, ranks: usize, each: &mut impl FnMut(Group)) {
    if ranks >= 2 {
        each_of(class, three, each);
    }
    each_run::<2, LONGEST>(three, |length, starts| {
        if ranks >= 2 * length {
            each_of(class + length - 1, starts, each);
        }
    });
}

/// Hands over every group of a hand that beats another, in order.
#[inline]
pub(super) fn each_beating(hand: Cards, top: Group, mut each: impl FnMut(Group)) {
    let class = top.class_index();
    if class == NUKE {
        return;
    }
    // Most hands have nothing that is high enough, or need no closer look.
    let Class { width, length, kickers, first, .. } = CLASS[class];
    let higher = u64::MAX << (4 * (u32::from(top.0 - first) + 1));
    let mut starts = hand.at_least(width) & higher;
    if starts != 0 && (length > 1 || kickers != Kickers::None) {
        starts = Held::new(hand).starts(class) & higher;
    }
    each_of(class, starts, &mut each);
    if class != BOMB {
        each_of(BOMB, hand.at_least(4), &mut each);
    }
    if hand.has(NUKE_CARDS) {
        each(Group(CLASS[NUKE].first));
    }
}

#[inline]
fn each_of(class: usize, mut starts: u64, each: &mut impl FnMut(Group)) {
    if starts == 0 {
        return;
    }
    let Class { first, lowest, .. } = CLASS[class];
    while starts != 0 {
        each(Group(first + (starts.trailing_zeros() / 4 - lowest) as u16));
        starts &= starts - 1;
    }
}

/// The classes without runs and nuke.
const SINGLE: [usize; 8] =
    [SOLO, PAIR, TRIO, TRIO_AND_SOLOS, TRIO_AND_PAIRS, BOMB, QUAD_AND_SOLOS, QUAD_AND_PAIRS];

/// A group that a hand may lead, all equally likely.
#[inline]
pub(super) fn random_lead(hand: Cards, rng: &mut Rng) -> Group {
    let held = Held::new(hand);
    let singles = held.singles();
    // How many groups there are in all classes up to each.
    let mut up_to = [0; 8];
    let mut total = 0;
    for (sum, ranks) in up_to.iter_mut().zip(singles) {
        total += count_ranks(ranks);
        *sum = total;
    }
    let mut runs = u32::from(held.has_nuke());
    held.runs(|_, starts| runs += count_ranks(starts));
    let chosen = rng.below(total + runs);
    if chosen < total {
        let class = up_to.iter().map(|&sum| usize::from(chosen >= sum)).sum::<usize>();
        let left = chosen + count_ranks(singles[class]) - up_to[class];
        return Group::of(SINGLE[class], nth_rank(singles[class], left));
    }
    let mut left = chosen - total;
    let mut group = Group(CLASS[NUKE].first);
    held.runs(|class, starts| {
        // Counting down below 0 ends beyond all counts, and nothing more is chosen.
        if left < count_ranks(starts) {
            group = Group::of(class, nth_rank(starts, left));
        }
        left = left.wrapping_sub(count_ranks(starts));
    });
    group
}

/// A group of a hand that beats another, or none, all equally likely.
#[inline]
pub(super) fn random_answer(hand: Cards, top: Group, rng: &mut Rng) -> Option<Group> {
    let beating = Held::new(hand).beating(top);
    let total: u32 = beating.iter().map(|&(_, starts)| count_ranks(starts)).sum();
    if total == 0 {
        return None;
    }
    let mut left = rng.below(total + 1);
    for (class, starts) in beating {
        let groups = count_ranks(starts);
        if left < groups {
            return Some(Group::of(class, nth_rank(starts, left)));
        }
        left -= groups;
    }
    None
}

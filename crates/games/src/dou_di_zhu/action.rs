//! What a player may do: the number and the name of every action.
//!
//! Numbers go through passing, the bids, the groups and the sets of kickers, in this order and without gaps,
//! so that searches can use them as places.

use super::HIGHEST_BID;
use super::groups::{BLACK_JOKER, Group, Kickers, LETTERS};
use super::kickers::{gather, spread};
use crate::ranks::Cards;

/// What a player may do. Every variant holds a number, so that comparing two actions, which searches do all the time,
/// takes two comparisons.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Action {
    /// Bid 1, 2 or 3 for being landlord; 0 is [`Action::PASS`].
    Bid(u16),
    /// Play a group; if it has kickers, they are chosen next.
    Play(Group),
    /// Play single cards of these ranks (bit by bit) as kickers.
    Solos(u16),
    /// Play pairs of these ranks as kickers.
    Pairs(u16),
}

impl Action {
    /// Let it be, in bidding or in play.
    pub const PASS: Action = Action::Bid(0);

    const FIRST_GROUP: u64 = 1 + HIGHEST_BID as u64;
    const FIRST_SOLOS: u64 = Action::FIRST_GROUP + Group::COUNT as u64;
    /// No group has more than five single kickers, or more than four pairs.
    const FIRST_PAIRS: u64 = Action::FIRST_SOLOS + 15 + 105 + 455 + 1365 + 3003;
    /// How many numbers there are.
    pub(super) const CODES: u64 = Action::FIRST_PAIRS + 13 + 78 + 286 + 715;

    /// These kickers as cards.
    #[inline]
    pub(super) fn kickers(self) -> Cards {
        match self {
            Action::Solos(ranks) => Cards::of_each(spread(ranks), 1),
            Action::Pairs(ranks) => Cards::of_each(spread(ranks), 2),
            _ => Cards::NONE,
        }
    }

    /// Its number.
    #[inline]
    pub(super) fn code(self) -> u64 {
        match self {
            Action::Bid(bid) => bid.into(),
            Action::Play(group) => Action::FIRST_GROUP + group.index(),
            Action::Solos(set) => Action::FIRST_SOLOS + number_of_set(set, 15),
            Action::Pairs(set) => Action::FIRST_PAIRS + number_of_set(set, 13),
        }
    }

    /// Its name.
    pub(super) fn name(self) -> String {
        match self {
            Action::PASS => "pass".to_string(),
            Action::Bid(bid) => format!("bid{bid}"),
            Action::Play(group) => group.name(),
            Action::Solos(_) | Action::Pairs(_) => format!("+{}", self.kickers().text(LETTERS)),
        }
    }

    /// The action of a name.
    pub(super) fn parse(name: &str) -> Option<Action> {
        if name == "pass" {
            return Some(Action::PASS);
        }
        if let Some(bid) = (1..=HIGHEST_BID.into()).find(|bid| name == format!("bid{bid}")) {
            return Some(Action::Bid(bid));
        }
        let Some(kickers) = name.strip_prefix('+') else { return Group::parse(name).map(Action::Play) };
        let cards = Cards::parse(kickers, LETTERS)?;
        let set = gather(cards.at_least(1));
        let of = [Action::Solos(set), Action::Pairs(set)];
        of.into_iter().find(|a| a.kickers() == cards && a.are_kickers())
    }

    /// In words, what somebody does whose action has this number.
    pub(super) fn told(code: u64) -> String {
        match code {
            0 => "passes".to_string(),
            1..Action::FIRST_GROUP => format!("bids {code}"),
            Action::FIRST_GROUP..Action::FIRST_SOLOS => {
                let group = Group::from_index(code - Action::FIRST_GROUP);
                format!("plays {}", group.map_or_else(String::new, Group::name))
            }
            Action::FIRST_SOLOS..Action::CODES => {
                let sets = (1..1 << 15).flat_map(|set| [Action::Solos(set), Action::Pairs(set)]);
                let action = sets.filter(|a| a.are_kickers()).find(|a| a.code() == code);
                format!("adds {}", action.map_or_else(String::new, |a| a.kickers().text(LETTERS)))
            }
            _ => format!("does {code}"),
        }
    }

    /// The kind of kickers that go with a group.
    #[inline]
    pub(super) fn kickers_of(group: Group) -> fn(u16) -> Action {
        match group.class().kickers {
            Kickers::Pairs(_) => Action::Pairs,
            Kickers::Solos(_) | Kickers::None => Action::Solos,
        }
    }

    /// Whether such kickers may go with some group.
    pub(super) fn are_kickers(self) -> bool {
        match self {
            Action::Solos(set) => (1..=5).contains(&set.count_ones()),
            Action::Pairs(set) => (1..=4).contains(&set.count_ones()) && set < 1 << BLACK_JOKER,
            _ => false,
        }
    }
}

/// The number of a set among all sets of `ranks` ranks with 1, 2, ... members: smaller sets first, sets of one
/// size in rising order.
fn number_of_set(set: u16, ranks: u64) -> u64 {
    let choose = |n: u64, k: u64| (0..k).fold(1, |c, i| c * n.saturating_sub(i) / (i + 1));
    let size = u64::from(set.count_ones());
    let smaller: u64 = (1..size).map(|k| choose(ranks, k)).sum();
    let (mut left, mut number, mut k) = (set, smaller, 1);
    while left != 0 {
        number += choose(left.trailing_zeros().into(), k);
        left &= left - 1;
        k += 1;
    }
    number
}

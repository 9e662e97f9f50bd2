//! Bids before tricks, all of them open: Blob and Spades.

use fogtree_core::{Observation, Observer, Player, Witnessed};

use super::Card;
use super::scene::in_hand;

/// What a player may do.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Action {
    /// Play a card to a trick.
    Play(Card),
    /// Bid a number of tricks.
    Bid(u8),
}

/// The first word of an observation of a choice: who chooses, counted from 1, times this, and the code of the choice.
/// Below it is a deal.
pub const CHOICE: u64 = 128;

impl Action {
    /// The number that stands for it.
    #[inline]
    pub fn code(self) -> u64 {
        match self {
            Action::Play(card) => card.number() as u64,
            Action::Bid(bid) => Card::COUNT as u64 + u64::from(bid),
        }
    }

    /// The action that a number stands for.
    #[inline]
    pub fn decode(code: u64) -> Action {
        match Card::numbered(code) {
            Some(card) => Action::Play(card),
            None => Action::Bid((code - Card::COUNT as u64) as u8),
        }
    }

    /// The spots that a seat touches to make it: a card in its hand. Bids are chosen from a list.
    pub(crate) fn spots(self, by: Observer) -> Vec<String> {
        match (self, by) {
            (Action::Play(card), Observer::Seat(p)) => vec![in_hand(p, card)],
            _ => Vec::new(),
        }
    }

    /// What an observer sees of a player's choice.
    #[inline]
    pub fn seen(self, who: Player, by: Observer) -> Option<Observation> {
        (!by.is(who)).then(|| Observation::word(CHOICE * (1 + u64::from(who.0)) + self.code()))
    }
}

/// The card that was played in a step, if one was.
pub fn card_of<K>(step: &Witnessed<'_, Action, K>) -> Option<Card> {
    match (step.own, step.seen.map(Observation::first)) {
        (Some(Action::Play(card)), _) => Some(card),
        (None, Some(word)) if word >= CHOICE => Card::numbered(word % CHOICE),
        _ => None,
    }
}

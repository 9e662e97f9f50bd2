//! How a game of poker ends, in words.

use fogtree_core::text::{Colour, paint};
use fogtree_core::{Observer, Player, Rules};

use super::{Card, Phase, Poker, State};
use crate::words::{showdown, wins_pot};

impl Poker {
    pub(super) fn face(&self, card: Option<Card>) -> String {
        card.map_or_else(|| "no card".to_string(), |card| paint(Colour::Yellow, &self.card_name(card)))
    }

    /// The cards if they are shown, and who wins the pot.
    pub(super) fn told_ending(&self, end: &State, by: Observer) -> Option<String> {
        let pot = end.paid[0] + end.paid[1];
        let shown = match end.phase {
            Phase::Folded(who) => return Some(wins_pot(who.other(), by, pot)),
            Phase::Showdown => showdown(end.hands.map(|hand| self.face(hand)), by),
            _ => return None,
        };
        let rewards = self.rewards(end);
        let winner = Player::all(2).find(|&p| rewards[p] > 0.0);
        let result = winner.map_or_else(|| format!("the pot of {pot} is split"), |p| wins_pot(p, by, pot));
        Some(format!("{shown}; {result}"))
    }
}

//! What lies open in a game of poker, and how it ends, in words.

use fogtree_core::text::{Colour, paint};
use fogtree_core::{Notation, Observer, Player, Rules};

use super::{Betting, Card, Phase, Poker, State};
use crate::words::{showdown, wins_pot};

impl Poker {
    pub(super) fn face(&self, card: Option<Card>) -> String {
        card.map_or_else(|| "no card".to_string(), |card| paint(Colour::Yellow, &self.card_name(card)))
    }

    /// What lies open: the public card, the moves, and the chips paid.
    pub(super) fn show_table(&self, s: &State) -> String {
        let round = |betting: Betting| {
            let moves = betting.codes().filter_map(|code| self.action(code)).map(|a| self.action_name(a));
            let moves = moves.collect::<Vec<_>>().join(" ");
            if moves.is_empty() { "nothing bet yet".to_string() } else { moves }
        };
        let mut text = format!("round 1: {}\n", round(s.betting[0]));
        if s.board.is_some() {
            text += &format!("public card {}\nround 2: {}\n", self.face(s.board), round(s.betting[1]));
        }
        text + &format!("paid: player 0 {}, player 1 {}", s.paid[0], s.paid[1])
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

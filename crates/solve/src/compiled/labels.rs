//! The words for information sets and actions, which the arrays do without.

use fogtree_core::{Game, Notation, Observer, Player, text};

use super::Compiled;
use crate::walk::{Go, visit};

/// What people call an information set and its actions.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Label {
    /// What its player knows, in one line.
    pub text: String,
    /// The names of the actions, in their order.
    pub actions: Vec<String>,
}

impl Compiled {
    /// The words for every player's information sets. The game, which must be the one this was compiled from,
    /// is walked once more.
    pub fn labels<G: Game + Notation>(&self, game: &G) -> Vec<Vec<Label>> {
        let empty = |p: Player| vec![Label::default(); self.treeplex(p).sets()];
        let mut labels: Vec<Vec<Label>> = Player::all(self.players()).map(empty).collect();
        let mut legal = Vec::new();
        visit(game, &mut |node| {
            for p in node.turn.players().iter() {
                let seat = Observer::Seat(p);
                let Some(set) = self.treeplex(p).find(node.keys.of(seat)) else { continue };
                let label = &mut labels[p.index()][set];
                if label.actions.is_empty() {
                    legal.clear();
                    game.actions(node.state, p, &mut legal);
                    label.actions = legal.iter().map(|&a| game.action_name(a)).collect();
                    label.text = one_line(&game.view(&game.info(node.state, seat)));
                }
            }
            Go::Deeper
        });
        labels
    }
}

fn one_line(view: &str) -> String {
    let plain = text::plain(view);
    plain.lines().map(str::trim).filter(|line| !line.is_empty()).collect::<Vec<_>>().join(" | ")
}

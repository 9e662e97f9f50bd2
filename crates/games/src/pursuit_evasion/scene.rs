//! The grid as a picture.

use fogtree_core::scene::{Scene, Token, Zone};

use super::{EVADER, PURSUERS, PursuitEvasion, State};
use crate::words::counted;

impl PursuitEvasion {
    pub(super) fn draw(&self, s: &State) -> Scene {
        let mut board = self.grid().board();
        board.cells[usize::from(s.evader)].put(Token::figure(EVADER, "E").named("evader"));
        for (cell, (label, name)) in s.pursuers.into_iter().zip(TEAM) {
            board.cells[usize::from(cell)].put(Token::figure(PURSUERS, label).named(name));
        }
        Scene::new(caption(s)).with(Zone::board("board", board))
    }
}

const TEAM: [(&str, &str); 2] = [("P1", "first pursuer"), ("P2", "second pursuer")];

fn caption(s: &State) -> String {
    match (s.caught, s.left) {
        (true, _) => "The evader is caught: player 1 wins.".to_string(),
        (false, 0) => "The evader has escaped: player 0 wins.".to_string(),
        (false, left) => format!(
            "All units step at the same time; none may wait. The evader (player 0) escapes after {}, unless the \
             pursuers (player 1) catch it.",
            counted(left, "more step")
        ),
    }
}

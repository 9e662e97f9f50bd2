//! The heaps as a picture.

use fogtree_core::scene::{Board, Ground, Look, Scene, Token, Zone};

use super::{Last, Nim, State, Take, objects};

impl Nim {
    /// A row for each heap, with its letter and how many objects are left.
    pub(super) fn draw(&self, s: &State) -> Scene {
        let heaps: Vec<(u8, u8)> = self.heaps.into_iter().zip(s.heaps).filter(|(all, _)| *all > 0).collect();
        let columns = usize::from(heaps.iter().map(|heap| heap.0).max().unwrap_or(1));
        let mut board = Board::new(columns, heaps.len(), |x, y| place(y as u8, x as u8 + 1));
        board.left = ('a'..).zip(&heaps).map(|(letter, (_, left))| format!("{letter}: {left}")).collect();
        for (row, (all, left)) in heaps.into_iter().enumerate() {
            for column in 0..columns {
                let cell = board.cell(column, row);
                if column < usize::from(left) {
                    cell.put(Token::new(Look::Coin).named("object"));
                } else if column >= usize::from(all) {
                    cell.made_of(Ground::None).place.clear();
                }
            }
        }
        Scene::new(self.caption(s)).with(Zone::board("heaps", board).titled("Heaps"))
    }

    fn caption(&self, s: &State) -> String {
        let (mover, other) = (s.mover, s.mover.other());
        let fate = if self.last == Last::Wins { "wins" } else { "loses" };
        if objects(s.heaps) == 0 {
            return format!("Player {other} has taken the last object and {fate}.");
        }
        format!(
            "Player {mover} to take one or more objects from one heap. Who takes the last object of all {fate}."
        )
    }

    /// The leftmost object taken: those to its right go with it.
    pub(super) fn spot(s: &State, take: Take) -> String {
        let left = s.heaps[usize::from(take.heap)];
        format!("heaps/{}", place(take.heap, left - take.count + 1))
    }
}

fn place(heap: u8, object: u8) -> String {
    format!("{}.{object}", char::from(b'a' + heap))
}

//! What a player knows, and the whole state, as pictures of the same board.

use fogtree_core::scene::{Board, Entry, Ground, Lattice, Scene, Table, Zone};
use fogtree_core::{Observer, Player};

use super::{Dark, Goal, Info, State, Turns};
use crate::grid::{Cell, Phase, mark_name, mark_token};

/// What is to be drawn.
struct View {
    /// Whose picture it is; nobody's if everything is seen.
    by: Option<Observer>,
    marks: [u64; 2],
    /// The marks that the other has found, as far as that is seen.
    found: u64,
    count: [u8; 2],
    phase: Phase,
    mover: Player,
}

impl<G: Goal> Dark<G> {
    pub(super) fn draw_info(&self, k: &Info) -> Scene {
        let mut marks = [0; 2];
        if let Some(me) = k.by.seat() {
            marks[me.index()] = k.marks;
            marks[me.other().index()] = k.found;
        }
        let (by, count) = (Some(k.by), k.count);
        self.draw_view(&View { by, marks, found: 0, count, phase: k.phase, mover: k.mover })
    }

    pub(super) fn draw_state(&self, s: &State) -> Scene {
        let count = |p: usize| match self.turns {
            Turns::Classical => s.marks[p].count_ones() as u8,
            Turns::Abrupt => (s.marks[p].count_ones() + s.found[p].count_ones()) as u8,
        };
        self.draw_view(&View {
            by: None,
            marks: s.marks,
            found: s.found[0] | s.found[1],
            count: [count(0), count(1)],
            phase: s.phase,
            mover: s.mover,
        })
    }

    fn draw_view(&self, v: &View) -> Scene {
        let mut board = self.grid.board();
        for (i, drawn) in (0..).zip(&mut board.cells) {
            let here = Cell(i).bit();
            match Player::all(2).find(|p| v.marks[p.index()] & here != 0) {
                Some(owner) => drawn.put(mark_token(owner)),
                None if v.by.is_some() => drawn.made_of(Ground::Fog),
                None => drawn,
            };
            if v.found & here != 0 {
                drawn.noted("found");
            }
        }
        if self.goal.is_hexagonal() {
            board = slanted(board);
        }
        let counted = if self.turns == Turns::Classical { "marks" } else { "attempts" };
        let mut facts = Table::headed(["", counted]);
        for p in Player::all(2) {
            facts.row([Entry::from(v.side(p)).of(p), v.count[p.index()].to_string().into()]);
        }
        Scene::new(self.caption(v))
            .with(Zone::board("board", board))
            .with(Zone::table("players", facts).beside())
    }

    fn caption(&self, v: &View) -> String {
        let side = v.side(v.mover);
        match v.phase {
            Phase::Won if v.is_me(v.mover) => "You win.".to_string(),
            Phase::Won => format!("{side} wins."),
            Phase::Drawn => "The board is full: a draw.".to_string(),
            Phase::Playing => {
                let goal = self.goal.words(v.mover);
                if v.is_me(v.mover) {
                    format!("Your turn: try a cell. For you, {goal}.")
                } else {
                    format!("{side} to move, for whom {goal}.")
                }
            }
        }
    }
}

impl View {
    fn is_me(&self, p: Player) -> bool {
        self.by.is_some_and(|by| by.is(p))
    }

    fn side(&self, p: Player) -> String {
        let name = if self.is_me(p) { "You".to_string() } else { format!("Player {p}") };
        format!("{name} ({})", mark_name(p))
    }
}

/// The board as hexagons: every row half a cell further to the right than the one above it.
fn slanted(board: Board) -> Board {
    let (columns, rows) = (board.columns, board.rows());
    let wide = columns + (rows - 1) / 2;
    let mut slanted = Board::new(wide, rows, |_, _| String::new());
    slanted.cells.iter_mut().for_each(|cell| cell.ground = Ground::None);
    for (i, cell) in board.cells.into_iter().enumerate() {
        let (x, y) = (i % columns, i / columns);
        slanted.cells[y * wide + x + y / 2] = cell;
    }
    Board { lattice: Lattice::Hexagons, left: board.left, ..slanted }
}

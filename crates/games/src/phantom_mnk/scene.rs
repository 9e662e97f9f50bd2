//! What a player knows, and the whole state, as pictures of the same board.

use fogtree_core::scene::{Entry, Ground, Scene, Table, Zone};
use fogtree_core::{Observer, Player};

use super::{Attempts, Info, PhantomMnk, State};
use crate::grid::{Cell, Phase, mark_name, mark_token};
use crate::words::counted;

/// What is to be drawn.
struct View {
    /// Whose picture it is; nobody's if everything is seen.
    by: Option<Observer>,
    /// The marks that are seen.
    marks: [u64; 2],
    /// The marks of each player that the other has found, as far as that is seen.
    found: [u64; 2],
    placed: [u8; 2],
    /// How often each player has failed, if that is known.
    failures: [Option<u8>; 2],
    phase: Phase,
    mover: Player,
}

impl<A: Attempts> PhantomMnk<A> {
    pub(super) fn draw_info(&self, k: &Info<A>) -> Scene {
        let mut failures = A::failures(&k.order).map_or([None; 2], |known| known.map(Some));
        let mut marks = [0; 2];
        let mut found = [0; 2];
        if let Some(me) = k.by.seat() {
            marks[me.index()] = k.marks;
            marks[me.other().index()] = k.found;
            found[me.other().index()] = k.found;
            failures[me.index()] = Some(k.found.count_ones() as u8);
        }
        let (by, placed) = (Some(k.by), k.placed);
        self.draw(&View { by, marks, found, placed, failures, phase: k.phase, mover: k.mover })
    }

    pub(super) fn draw_state(&self, s: &State<A>) -> Scene {
        self.draw(&View {
            by: None,
            marks: s.marks,
            found: [s.found[1], s.found[0]],
            placed: s.marks.map(|marks| marks.count_ones() as u8),
            failures: s.found.map(|found| Some(found.count_ones() as u8)),
            phase: s.phase,
            mover: s.mover,
        })
    }

    fn draw(&self, v: &View) -> Scene {
        let mut board = self.grid.board();
        let hidden = v.hidden() > 0;
        for (i, drawn) in (0..).zip(&mut board.cells) {
            let here = Cell(i).bit();
            match Player::all(2).find(|p| v.marks[p.index()] & here != 0) {
                Some(owner) => drawn.put(mark_token(owner)),
                None if hidden => drawn.made_of(Ground::Fog),
                None => drawn,
            };
            if v.by.is_none() && (v.found[0] | v.found[1]) & here != 0 {
                drawn.noted("found");
            }
        }
        let mut facts = Table::headed(["", "marks", "failed tries"]);
        for p in Player::all(2) {
            let failures = v.failures[p.index()].map_or("not told".to_string(), |n| n.to_string());
            let name = Entry::from(v.side(p)).of(p);
            facts.row([name, v.placed[p.index()].to_string().into(), failures.into()]);
        }
        Scene::new(self.caption(v))
            .with(Zone::board("board", board))
            .with(Zone::table("players", facts).beside())
    }

    fn caption(&self, v: &View) -> String {
        let row = self.grid.in_row();
        match v.phase {
            Phase::Won if v.is_me(v.mover) => return format!("You have {row} in a row and win."),
            Phase::Won => return format!("{} has {row} in a row and wins.", v.side(v.mover)),
            Phase::Drawn => return "The board is full without a row: a draw.".to_string(),
            Phase::Playing => {}
        }
        let turn = match v.is_me(v.mover) {
            true => format!("Your turn: try a cell. {row} in a row win."),
            false => format!("{} to move. {row} in a row win.", v.side(v.mover)),
        };
        let fog = match (v.by, v.hidden()) {
            (None, _) | (_, 0) => return turn,
            (Some(Observer::Seat(_)), n) => {
                format!("{} of the other {} hidden.", counted(n, "mark"), if n == 1 { "is" } else { "are" })
            }
            (Some(Observer::Public), _) => "Only their owners see the marks.".to_string(),
        };
        format!("{turn} {fog}")
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

    /// How many marks are not seen.
    fn hidden(&self) -> u32 {
        let unseen = |p: usize| u32::from(self.placed[p]).saturating_sub(self.marks[p].count_ones());
        unseen(0) + unseen(1)
    }
}

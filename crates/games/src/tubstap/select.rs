//! The few actions at which a selective search looks (Sato's SatD2): one unit after another in the order of numbers or
//! against it, few units, and of the answers only the best attack on each target.

use fogtree_core::Selective;

use super::actions::{Action, Reaches};
use super::battle::{Battle, Futile};
use super::board::{Board, SLOTS, cells_of, ids};

/// The units that act in a search, of the searcher and of who answers; the others wait.
const ACTIVE: [u32; 2] = [5, 20];

impl Battle {
    /// Appends the actions of the unit whose turn it is in a selective search, the most promising first.
    pub(super) fn select_of(&self, board: &Board, asked: Selective, out: &mut Vec<Action>) {
        let ready = self.ready(board);
        let active =
            self.active(board, ready, ACTIVE[usize::from(asked.answering)].saturating_sub(asked.made));
        if active == 0 {
            let waits = ids(ready).next();
            out.extend(waits.map(|unit| Action::Move { unit, to: board.unit(unit).cell }));
            return;
        }
        let unit = if asked.order == 0 { active.trailing_zeros() } else { active.ilog2() } as u8;
        let mut reaches = Reaches::new();
        let futile = self.futile == Futile::Allowed;
        reaches.attacks(self, board, 1 << unit, self.targets(board), futile);
        let mut attacks: Vec<(i32, u8, u8)> = Vec::new();
        for strike in reaches.listed() {
            let valued = cells_of(strike.from)
                .map(|from| (self.attack_value(board, unit, from, strike.target), from, strike.target));
            if asked.answering {
                attacks.extend(valued.reduce(|best, next| if next.0 > best.0 { next } else { best }));
            } else {
                attacks.extend(valued);
            }
        }
        attacks.sort_by_key(|attack| -attack.0);
        out.extend(
            attacks.iter().map(|&(_, from, target)| self.action(board, Some((unit, from, Some(target))))),
        );
        if asked.answering {
            if out.is_empty() {
                out.push(Action::Move { unit, to: board.unit(unit).cell });
            }
            return;
        }
        let enemies: arrayvec::ArrayVec<_, SLOTS> =
            ids(self.army[board.mover().other().index()] & board.standing)
                .map(|id| (board.unit(id).kind, board.unit(id).cell))
                .collect();
        let stops = reaches.stops(self, board, unit);
        let mut moves: Vec<(i32, u8)> =
            cells_of(stops).map(|to| (self.cell_value(board, unit, to, &enemies), to)).collect();
        moves.sort_by_key(|cell| -cell.0);
        out.extend(moves.iter().map(|&(_, to)| Action::Move { unit, to }));
    }

    /// So many of some units: those with most hit points, ten for each, and nearest to the middle of both armies, one
    /// for each step; of equals the later ones.
    fn active(&self, board: &Board, units: u32, most: u32) -> u32 {
        if units.count_ones() <= most {
            return units;
        }
        let columns = self.map.columns;
        let place = |cell: u8| (i32::from(cell % columns), i32::from(cell / columns));
        let centre = |side: usize| {
            let cells = cells_of(board.occupied[side]).map(place);
            let (n, x, y) = cells.fold((0, 0, 0), |(n, x, y), cell| (n + 1, x + cell.0, y + cell.1));
            (x / n.max(1), y / n.max(1))
        };
        let (red, blue) = (centre(0), centre(1));
        let middle = ((red.0 + blue.0) / 2, (red.1 + blue.1) / 2);
        let weight = |unit: u8| {
            let u = board.unit(unit);
            let at = place(u.cell);
            10 * i32::from(u.hp) + 15 - (at.0 - middle.0).abs() - (at.1 - middle.1).abs()
        };
        let mut all: arrayvec::ArrayVec<(i32, u8), SLOTS> =
            ids(units).map(|unit| (weight(unit), unit)).collect();
        all.sort_unstable();
        all.iter().rev().take(most as usize).fold(0, |set, (_, unit)| set | 1 << unit)
    }
}

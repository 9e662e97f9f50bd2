//! What a unit may do, listed and drawn.

use arrayvec::ArrayVec;
use fogtree_core::Rng;
use serde::{Deserialize, Serialize};

use super::battle::{Battle, Futile};
use super::board::{Board, SLOTS, cells_of, ids};

/// From where a unit is attacked.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Side {
    /// The cell to its right.
    East,
    /// The cell above.
    North,
    /// The cell to its left.
    West,
    /// The cell below.
    South,
    /// Where the attacker stands, two or three steps away.
    Afar,
}

impl Side {
    /// All of them.
    pub const ALL: [Side; 5] = [Side::East, Side::North, Side::West, Side::South, Side::Afar];
}

/// What a player may do. Units are named by number.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Serialize, Deserialize)]
pub enum Action {
    /// A unit moves, or stays where it is.
    Move {
        /// Who moves.
        unit: u8,
        /// Where to.
        to: u8,
    },
    /// A unit moves beside another and attacks it, or attacks from afar without moving.
    Attack {
        /// Who attacks.
        unit: u8,
        /// Whom.
        target: u8,
        /// From where.
        from: Side,
    },
    /// All units that have not acted wait.
    EndTurn,
    /// The game is given up.
    Surrender,
}

/// All that each unit of the side to move can get to, kept while what changes does not matter for it, and a list
/// of attacks that is used again and again.
#[derive(Clone, Debug)]
pub(super) struct Reaches {
    /// The units for which it is worked out.
    done: u32,
    reach: [u64; SLOTS],
    /// The reach and the cells around it, and what was blocked of them.
    touched: [u64; SLOTS],
    blocked: [u64; SLOTS],
    strikes: ArrayVec<Strike, { SLOTS * SLOTS / 4 }>,
}

/// An attack on a unit, from each of a set of cells.
#[derive(Clone, Copy, Debug)]
pub(super) struct Strike {
    pub(super) unit: u8,
    pub(super) target: u8,
    pub(super) from: u64,
}

/// What a unit is to do: where to end, and whom to attack from there.
pub(super) type Order = (u8, u8, Option<u8>);

impl Reaches {
    pub(super) fn new() -> Reaches {
        Reaches {
            done: 0,
            reach: [0; SLOTS],
            touched: [0; SLOTS],
            blocked: [0; SLOTS],
            strikes: ArrayVec::new(),
        }
    }

    /// Forgets everything: another side is to move.
    pub(super) fn forget(&mut self) {
        self.done = 0;
    }

    /// All that a unit can get to, other units of its side passed through or not.
    #[inline]
    pub(super) fn of(&mut self, rules: &Battle, board: &Board, unit: u8) -> u64 {
        let blocked = rules.blocked(board);
        let place = usize::from(unit) % SLOTS;
        if self.done >> unit & 1 == 0 || (blocked ^ self.blocked[place]) & self.touched[place] != 0 {
            let u = board.unit(unit);
            let reach = rules.ground.reach(u.kind, u.bit(), blocked);
            self.reach[place] = reach;
            self.touched[place] = reach | rules.ground.around(reach);
            self.blocked[place] = blocked;
            self.done |= 1 << unit;
        }
        self.reach[place]
    }

    #[inline]
    pub(super) fn stops(&mut self, rules: &Battle, board: &Board, unit: u8) -> u64 {
        Battle::stops(board, board.unit(unit), self.of(rules, board, unit))
    }

    /// Lists the attacks of some units on some targets and says how many there are.
    #[inline]
    pub(super) fn attacks(
        &mut self,
        rules: &Battle,
        board: &Board,
        of: u32,
        targets: u32,
        futile: bool,
    ) -> u32 {
        self.strikes.clear();
        let mut count = 0;
        if targets == 0 {
            return 0;
        }
        let there = ids(targets).fold(0, |set, target| set | board.unit(target).bit());
        for unit in ids(of) {
            let stops = self.stops(rules, board, unit);
            let attacker = board.unit(unit);
            let near = if attacker.kind.is_direct() {
                rules.ground.around(stops)
            } else {
                rules.ring[usize::from(attacker.cell & 63)]
            };
            if near & there == 0 {
                continue;
            }
            for target in ids(targets) {
                if near & board.unit(target).bit() == 0 {
                    continue;
                }
                let from = rules.strikes(board, unit, stops, target, futile);
                if from != 0 {
                    self.strikes.push(Strike { unit, target, from });
                    count += from.count_ones();
                }
            }
        }
        count
    }

    /// The attacks listed last.
    pub(super) fn listed(&self) -> &[Strike] {
        &self.strikes
    }

    /// The attack of this number among those listed last.
    #[inline]
    pub(super) fn pick(&self, mut skipped: u32) -> Order {
        for strike in &self.strikes {
            if skipped < strike.from.count_ones() {
                return (strike.unit, nth(strike.from, skipped), Some(strike.target));
            }
            skipped -= strike.from.count_ones();
        }
        unreachable!("there are as many attacks as were counted")
    }
}

impl Battle {
    /// The units that the side to move sees of the other.
    #[inline]
    pub(super) fn targets(&self, board: &Board) -> u32 {
        let side = board.mover();
        let sight = board.sight[side.index()];
        let mut seen = 0;
        if board.occupied[side.other().index()] & sight != 0 {
            for unit in ids(self.army[side.other().index()] & board.standing) {
                seen |= ((sight >> (board.unit(unit).cell & 63) & 1) as u32) << unit;
            }
        }
        seen
    }

    /// The cells from which a unit that may end on `stops` can attack another.
    #[inline]
    pub(super) fn strikes(&self, board: &Board, unit: u8, stops: u64, target: u8, futile: bool) -> u64 {
        let (attacker, defender) = (board.unit(unit), board.unit(target));
        let from = if attacker.kind.is_direct() {
            stops & self.beside[usize::from(defender.cell & 63)]
        } else {
            attacker.bit() & self.ring[usize::from(defender.cell & 63)]
        };
        if from == 0 || futile || self.harms(board, unit, target) { from } else { 0 }
    }

    /// Whether an attack does damage, as far as its side can tell.
    #[inline]
    pub(super) fn harms(&self, board: &Board, unit: u8, target: u8) -> bool {
        let (attacker, defender) = (self.fighter(board.unit(unit)), self.fighter(board.unit(target)));
        if self.fog.on && !self.fog.enemy_hp {
            return attacker.kind.effect(defender.kind) > 0;
        }
        super::damage::damage(attacker.kind, attacker.hp, defender.kind, defender.hp, defender.stars) > 0
    }

    /// The side of a target on which a cell lies.
    pub(super) fn side_of_target(&self, board: &Board, unit: u8, target: u8, cell: u8) -> Side {
        let at = board.unit(target).cell;
        let side = Side::ALL.into_iter().find(|side| self.neighbour(at, *side) == Some(cell));
        side.filter(|_| board.unit(unit).kind.is_direct()).unwrap_or(Side::Afar)
    }

    /// Appends the legal actions, in rising order.
    pub(super) fn list(&self, board: &Board, out: &mut Vec<Action>) {
        let mut reaches = Reaches::new();
        let ready = self.ready(board);
        for unit in ids(ready) {
            let stops = reaches.stops(self, board, unit);
            out.extend(cells_of(stops).map(|to| Action::Move { unit, to }));
        }
        let targets = self.targets(board);
        for unit in ids(ready) {
            let stops = reaches.stops(self, board, unit);
            for target in ids(targets) {
                let from = self.strikes(board, unit, stops, target, self.futile == Futile::Allowed);
                if from == 0 {
                    continue;
                }
                if !board.unit(unit).kind.is_direct() {
                    out.push(Action::Attack { unit, target, from: Side::Afar });
                    continue;
                }
                let at = board.unit(target).cell;
                let open = |side: &Side| self.neighbour(at, *side).is_some_and(|cell| from >> cell & 1 == 1);
                let sides = Side::ALL.into_iter().filter(open);
                out.extend(sides.map(|from| Action::Attack { unit, target, from }));
            }
        }
        if self.end_turn {
            out.push(Action::EndTurn);
        }
        if self.surrender {
            out.push(Action::Surrender);
        }
    }

    /// One of the actions of some units, all equally likely: an order to a unit to end on a cell, perhaps with
    /// an attack, or nothing at all, which ends the turn.
    #[inline]
    pub(super) fn draw(
        &self,
        board: &Board,
        reaches: &mut Reaches,
        of: u32,
        end_turn: bool,
        rng: &mut Rng,
    ) -> Option<Order> {
        let mut moves = 0;
        for unit in ids(of) {
            moves += reaches.stops(self, board, unit).count_ones();
        }
        let futile = self.futile == Futile::Allowed;
        let attacks = reaches.attacks(self, board, of, self.targets(board), futile);
        let mut skipped = rng.below(moves + attacks + u32::from(end_turn));
        if skipped < moves {
            for unit in ids(of) {
                let stops = reaches.stops(self, board, unit);
                if skipped < stops.count_ones() {
                    return Some((unit, rng.bit_of(stops) as u8, None));
                }
                skipped -= stops.count_ones();
            }
        }
        skipped -= moves;
        (skipped < attacks).then(|| reaches.pick(skipped))
    }

    /// An order as an action.
    pub(super) fn action(&self, board: &Board, order: Option<Order>) -> Action {
        match order {
            None => Action::EndTurn,
            Some((unit, to, None)) => Action::Move { unit, to },
            Some((unit, to, Some(target))) => {
                Action::Attack { unit, target, from: self.side_of_target(board, unit, target, to) }
            }
        }
    }
}

impl Battle {
    /// The number of an action: moves by unit and cell, attacks by both units and side, the end of the turn, giving up.
    pub(super) fn code_of(&self, action: Action) -> u64 {
        let (units, cells) = (u64::from(self.slots()), self.map.cells() as u64);
        match action {
            Action::Move { unit, to } => u64::from(unit) * cells + u64::from(to),
            Action::Attack { unit, target, from } => {
                units * cells + (u64::from(unit) * units + u64::from(target)) * 5 + from as u64
            }
            Action::EndTurn => units * (cells + units * 5),
            Action::Surrender => units * (cells + units * 5) + 1,
        }
    }

    /// The action of a number.
    pub(super) fn action_of(&self, code: u64) -> Option<Action> {
        let (units, cells) = (u64::from(self.slots()), self.map.cells() as u64);
        if code < units * cells {
            return Some(Action::Move { unit: (code / cells) as u8, to: (code % cells) as u8 });
        }
        let rest = code - units * cells;
        if rest == units * units * 5 {
            return Some(Action::EndTurn);
        }
        if self.surrender && rest == units * units * 5 + 1 {
            return Some(Action::Surrender);
        }
        let pair = rest / 5;
        (pair < units * units).then(|| Action::Attack {
            unit: (pair / units) as u8,
            target: (pair % units) as u8,
            from: Side::ALL[(rest % 5) as usize],
        })
    }
}

/// The member of this number of a set of cells.
#[inline]
fn nth(mut set: u64, skipped: u32) -> u8 {
    for _ in 0..skipped {
        set &= set - 1;
    }
    set.trailing_zeros() as u8
}

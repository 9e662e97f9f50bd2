//! What a unit's action does: the way it takes, whom it runs into, the exchange of fire, the end of turns.

use arrayvec::ArrayVec;
use fogtree_core::Player;

use super::actions::{Action, Side};
use super::board::{Board, Phase, SLOTS, Unit, ids};
use super::damage::{Fighter, exchange};
use super::evaluate::Evaluation;
use super::fog::{Collision, Fog, Glimpse};
use super::map::{MOST_UNITS, Map};
use super::movement::{Ground, Way};
use super::muster::Muster;
use super::units::Kind;
use crate::reward::Reward;

/// How a game is judged when the turns are over.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Adjudication {
    /// By the sum of hit points.
    HitPoints,
    /// By the number of units.
    Units,
}

/// Who may make attacks that do no damage.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Futile {
    /// Nobody.
    Never,
    /// The attack policies of playouts, as in the stock program.
    Playouts,
    /// Everybody.
    Allowed,
}

/// The rules on one map: what is derived from it is worked out once.
#[derive(Clone, Debug)]
pub struct Battle {
    pub(super) map: Map,
    pub(super) fog: Fog,
    pub(super) muster: Muster,
    pub(super) end_turn: bool,
    pub(super) surrender: bool,
    pub(super) adjudication: Adjudication,
    pub(super) futile: Futile,
    pub(super) limit: u16,
    pub(super) threshold: u16,
    pub(super) reward: Reward,
    pub(super) evaluation: Evaluation,
    /// How probably eager playouts attack if they can.
    pub(super) eagerness: f64,
    pub(super) ground: Ground,
    /// The units of each side.
    pub(super) army: [u32; 2],
    /// For each cell its neighbours, and the cells two or three steps away.
    pub(super) beside: [u64; 64],
    pub(super) ring: [u64; 64],
    /// For each kind and cell, what is seen from there.
    pub(super) sights: [[u64; 64]; 6],
}

/// What became of an action.
#[derive(Clone, Debug, Default)]
pub(super) struct Deed {
    pub(super) unit: u8,
    pub(super) from: u8,
    /// Where the unit ended.
    pub(super) stop: u8,
    /// The cell of an enemy it ran into.
    pub(super) obstacle: Option<u8>,
    /// Whether it may choose again.
    pub(super) bounced: bool,
    /// Whom it attacked.
    pub(super) target: Option<u8>,
}

impl Battle {
    pub(super) fn new(map: Map, fog: Fog, muster: Muster) -> Battle {
        let ground = Ground::of(&map);
        let cells = map.cells();
        let counts = [0, 1].map(|side| map.units[side].len() as u32);
        let first = (1u64 << counts[0]) - 1;
        let both = (1u64 << (counts[0] + counts[1])) - 1;
        let mut beside = [0; 64];
        let mut ring = [0; 64];
        let mut sights = [[0; 64]; 6];
        for cell in 0..cells {
            beside[cell] = ground.around(1 << cell);
            for other in 0..cells {
                let columns = usize::from(map.columns);
                let steps =
                    (cell % columns).abs_diff(other % columns) + (cell / columns).abs_diff(other / columns);
                if (2..=3).contains(&steps) {
                    ring[cell] |= 1 << other;
                }
            }
            for kind in Kind::ALL {
                sights[kind as usize][cell] = fog.sight(&map, kind, cell as u8);
            }
        }
        Battle {
            limit: map.limit,
            threshold: map.threshold,
            fog,
            muster,
            end_turn: false,
            surrender: false,
            adjudication: Adjudication::HitPoints,
            futile: Futile::Playouts,
            reward: Reward::Unit,
            evaluation: Evaluation::Outcome,
            eagerness: 0.8,
            ground,
            army: [first as u32, (both & !first) as u32],
            beside,
            ring,
            sights,
            map,
        }
    }

    /// The same battle with everybody seeing everything: what a search plays that takes a drawn world for the truth.
    #[must_use]
    pub fn without_fog(&self) -> Battle {
        Battle { fog: Fog { on: false, ..self.fog }, ..self.clone() }
    }

    /// A position as it is in the battle without fog.
    pub fn lifted(&self, board: &Board) -> Board {
        Board { sight: [self.ground.all; 2], bumped: 0, ..*board }
    }

    /// The map.
    pub fn map(&self) -> &Map {
        &self.map
    }

    /// The side a unit belongs to.
    #[inline]
    pub fn side_of(&self, unit: u8) -> Player {
        Player(u8::from(u32::from(unit) >= self.army[0].count_ones()))
    }

    /// How many units both sides have at the start.
    pub fn slots(&self) -> u8 {
        (self.army[0] | self.army[1]).count_ones() as u8
    }

    /// What a unit is at the start, if armies are not drawn.
    pub(super) fn placed(&self, unit: u8) -> Unit {
        let reds = self.map.units[0].len();
        let unit = usize::from(unit);
        let placed = if unit < reds { self.map.units[0][unit] } else { self.map.units[1][unit - reds] };
        Unit { kind: placed.kind, cell: placed.cell, hp: placed.hp }
    }

    /// The position before anything has happened.
    pub(super) fn opening(&self) -> Board {
        let marked = self.map.units.iter().flatten().enumerate().filter(|(_, unit)| unit.acted);
        let mut board = Board {
            units: [Unit::default(); SLOTS],
            acted: marked.fold(0, |set, (unit, _)| set | 1 << unit),
            standing: 0,
            turn: 0,
            phase: Phase::Muster(Player(0)),
            occupied: [0; 2],
            sight: [0; 2],
            bumped: 0,
        };
        if !self.muster.is_drawn() {
            for side in Player::all(2) {
                let army: ArrayVec<Unit, MOST_UNITS> =
                    ids(self.army[side.index()]).map(|unit| self.placed(unit)).collect();
                self.enter(&mut board, side, &army);
            }
        }
        board
    }

    /// Puts the army of a side on the map.
    pub(super) fn enter(&self, board: &mut Board, side: Player, army: &[Unit]) {
        for (id, unit) in ids(self.army[side.index()]).zip(army) {
            *board.unit_mut(id) = *unit;
        }
        self.refresh(board, side);
        if side.0 == 0 {
            board.phase = Phase::Muster(Player(1));
        } else {
            board.phase = Phase::Play;
            board.acted &= board.standing;
            if self.ready(board) == 0 {
                self.pass(board);
            }
        }
    }

    /// Works out who is left of a side, where it stands and what it sees.
    pub(super) fn refresh(&self, board: &mut Board, side: Player) {
        let army = self.army[side.index()];
        board.standing &= !army;
        board.occupied[side.index()] = 0;
        for id in ids(army) {
            let unit = board.unit(id);
            if unit.hp > 0 {
                board.standing |= 1 << id;
                board.occupied[side.index()] |= unit.bit();
            }
        }
        self.look::<true>(board, side);
    }

    /// Works out what a side sees.
    #[inline]
    fn look<const FOG: bool>(&self, board: &mut Board, side: Player) {
        if !FOG {
            return;
        }
        board.sight[side.index()] = if self.fog.on {
            let mut seen = 0;
            for id in ids(self.army[side.index()] & board.standing) {
                let unit = board.unit(id);
                seen |= self.sights[unit.kind as usize][usize::from(unit.cell & 63)];
            }
            seen
        } else {
            self.ground.all
        };
    }

    /// The units of the side to move that have not acted.
    #[inline]
    pub fn ready(&self, board: &Board) -> u32 {
        self.army[board.mover().index()] & board.standing & !board.acted
    }

    /// The cells the side to move knows it cannot enter.
    #[inline]
    pub(super) fn blocked(&self, board: &Board) -> u64 {
        let side = board.mover();
        board.occupied[side.other().index()] & board.sight[side.index()] | board.bumped
    }

    /// Where a unit of the side to move may end, as far as its side knows, given what it can get to.
    #[inline]
    pub(super) fn stops(board: &Board, unit: Unit, reach: u64) -> u64 {
        reach & !board.occupied[board.mover().index()] | unit.bit()
    }

    /// The cell on a side of another, if there is one.
    #[inline]
    pub(super) fn neighbour(&self, cell: u8, side: Side) -> Option<u8> {
        let columns = self.map.columns;
        match side {
            Side::East => (!(cell + 1).is_multiple_of(columns)).then(|| cell + 1),
            Side::North => cell.checked_sub(columns),
            Side::West => (!cell.is_multiple_of(columns)).then(|| cell - 1),
            Side::South => Some(cell + columns).filter(|to| usize::from(*to) < self.map.cells()),
            Side::Afar => None,
        }
    }

    /// The cell from which an attack is made. The action must be legal.
    #[inline]
    pub(super) fn stand(&self, board: &Board, unit: u8, target: u8, from: Side) -> u8 {
        match from {
            Side::Afar => board.unit(unit).cell,
            side => self.neighbour(board.unit(target).cell, side).unwrap_or(board.unit(unit).cell),
        }
    }

    /// A unit as it fights on the cell where it stands.
    #[inline]
    pub(super) fn fighter(&self, unit: Unit) -> Fighter {
        Fighter {
            kind: unit.kind,
            hp: unit.hp,
            stars: u32::from(self.ground.stars[usize::from(unit.cell & 63)]),
        }
    }

    /// The damage a unit deals and gets back if it attacks from a cell.
    #[inline]
    pub fn forecast(&self, board: &Board, unit: u8, from: u8, target: u8) -> (u8, u8) {
        let attacker = Unit { cell: from, ..board.unit(unit) };
        exchange(self.fighter(attacker), self.fighter(board.unit(target)))
    }

    /// Makes a legal action.
    pub(super) fn act(&self, board: &mut Board, action: Action) -> Deed {
        match action {
            Action::Move { unit, to } => self.perform::<true>(board, unit, to, None, None),
            Action::Attack { unit, target, from } => {
                let to = self.stand(board, unit, target, from);
                self.perform::<true>(board, unit, to, Some(target), None)
            }
            Action::Surrender => {
                board.end(board.mover().other());
                Deed { unit: u8::MAX, ..Deed::default() }
            }
            Action::EndTurn => {
                let waiting = self.ready(board);
                board.acted |= waiting;
                self.pass(board);
                Deed { unit: u8::MAX, ..Deed::default() }
            }
        }
    }

    /// Moves a unit and lets it attack. `reach`, if at hand, is all it can get to as far as its side knows.
    #[inline]
    pub(super) fn perform<const FOG: bool>(
        &self,
        board: &mut Board,
        unit: u8,
        to: u8,
        target: Option<u8>,
        reach: Option<u64>,
    ) -> Deed {
        let (mover, other) = (board.mover(), board.mover().other());
        let from = board.unit(unit).cell;
        let mut deed = Deed { unit, from, stop: to, target, ..Deed::default() };
        let hidden = if FOG { board.occupied[other.index()] & !board.sight[mover.index()] } else { 0 };
        if hidden != 0 && from != to {
            self.travel(board, &mut deed, hidden, reach);
            if deed.bounced {
                return deed;
            }
        }
        if deed.stop != from {
            let own = &mut board.occupied[mover.index()];
            *own = *own & !(1 << from) | 1 << deed.stop;
            board.unit_mut(unit).cell = deed.stop;
            self.look::<FOG>(board, mover);
        }
        if deed.obstacle.is_some() {
            deed.target = None;
        }
        if let Some(target) = deed.target {
            let (dealt, counter) = self.forecast(board, unit, deed.stop, target);
            self.hurt::<FOG>(board, other, target, dealt);
            self.hurt::<FOG>(board, mover, unit, counter);
        }
        if board.unit(unit).hp > 0 {
            board.acted |= 1 << unit;
        }
        if board.occupied[0] == 0 || board.occupied[1] == 0 {
            let winner = Player(u8::from(board.occupied[0] == 0));
            board.end(winner);
        } else if self.ready(board) == 0 {
            self.pass(board);
        }
        deed
    }

    /// Finds where a unit gets that may meet enemies it does not see.
    fn travel(&self, board: &mut Board, deed: &mut Deed, hidden: u64, reach: Option<u64>) {
        let kind = board.unit(deed.unit).kind;
        if self.fog.collision == Collision::Teleport {
            if hidden >> deed.stop & 1 == 1 {
                deed.obstacle = Some(deed.stop);
                deed.stop = deed.from;
            }
            return;
        }
        if reach.is_some_and(|reach| reach & hidden == 0) {
            return;
        }
        let way = self.way_of(board, kind, deed.from, deed.stop);
        let Some(at) = way.iter().position(|cell| hidden >> cell & 1 == 1) else { return };
        deed.obstacle = Some(way[at]);
        if self.fog.collision == Collision::Bounce {
            board.bumped |= 1 << way[at];
            deed.bounced = true;
            return;
        }
        let own = board.occupied[board.mover().index()];
        let free = way[..at].iter().rposition(|cell| own >> cell & 1 == 0);
        deed.stop = free.map_or(deed.from, |last| way[last]);
    }

    /// The way a unit takes as far as its side can tell.
    pub(super) fn way_of(&self, board: &Board, kind: Kind, from: u8, to: u8) -> Way {
        self.ground.way(kind, from, to, self.blocked(board))
    }

    /// What a unit saw on its way before it was where it is.
    pub(super) fn glimpsed(&self, before: &Board, deed: &Deed, to: u8) -> u64 {
        if deed.bounced
            || self.fog.glimpse == Glimpse::Destination
            || self.fog.collision == Collision::Teleport
        {
            return 0;
        }
        let kind = before.unit(deed.unit).kind;
        let way = self.way_of(before, kind, deed.from, to);
        let entered = way.iter().take_while(|cell| Some(**cell) != deed.obstacle);
        let stop = way.iter().position(|cell| *cell == deed.stop).map_or(0, |last| last + 1);
        entered.take(stop).fold(0, |set, cell| set | self.sights[kind as usize][usize::from(*cell)])
    }

    #[inline]
    fn hurt<const FOG: bool>(&self, board: &mut Board, side: Player, unit: u8, damage: u8) {
        let hit = board.unit_mut(unit);
        hit.hp -= damage;
        if hit.hp == 0 {
            board.occupied[side.index()] &= !hit.bit();
            *board.unit_mut(unit) = Unit::default();
            board.acted &= !(1 << unit);
            board.standing &= !(1 << unit);
            self.look::<FOG>(board, side);
        }
    }

    /// Ends the turn, and those of sides that have nobody to act.
    pub(super) fn pass(&self, board: &mut Board) {
        loop {
            board.acted &= !self.army[board.mover().index()];
            board.bumped = 0;
            board.turn += 1;
            if board.turn >= self.limit {
                board.phase = Phase::Over(self.ahead(board));
                return;
            }
            if self.ready(board) != 0 {
                return;
            }
        }
    }

    /// What counts when the turns are over.
    pub(super) fn strength(&self, board: &Board, side: Player) -> u32 {
        let left = ids(self.army[side.index()]).map(|unit| u32::from(board.unit(unit).hp));
        match self.adjudication {
            Adjudication::HitPoints => left.sum(),
            Adjudication::Units => left.filter(|hp| *hp > 0).count() as u32,
        }
    }

    /// Who is ahead by more than the threshold.
    fn ahead(&self, board: &Board) -> Option<Player> {
        let threshold = u32::from(self.threshold);
        let [red, blue] = [0, 1].map(|side| self.strength(board, Player(side)));
        match () {
            () if red > blue + threshold => Some(Player(0)),
            () if blue > red + threshold => Some(Player(1)),
            () => None,
        }
    }
}

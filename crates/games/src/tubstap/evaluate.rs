//! Evaluations of positions in use among TUBSTAP programs, and of actions.

use arrayvec::ArrayVec;
use fogtree_core::{BadSpec, Params, Player, Policy, Rng};

use super::actions::{Action, Order, Reaches};
use super::battle::Battle;
use super::board::{Board, Phase, SLOTS, Unit, cells_of, ids};
use super::damage::exchange;
use super::units::{Kind, MOST_HP};

/// A way to judge a position.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Evaluation {
    /// Who would win if the game were adjudicated now; being ahead by the threshold is enough (M-UCT).
    Outcome,
    /// Hit points weighted by kind, twice as much once a side is gone (M3Lee).
    Weighted,
    /// Hit points, those of infantry a quarter as much (Sato).
    Infantry,
    /// Units by kind, in proportion to their hit points (TBETS).
    Values,
    /// [`Evaluation::Infantry`] after the side to move has made its best attacks, one for each unit (SatD2).
    Exchanges,
}

/// The evaluations by name, in the order of [`Evaluation::ALL`].
pub const EVALUATIONS: &[Policy] = &[
    Policy { name: "outcome", about: "who would win if the game were adjudicated now (M-UCT)" },
    Policy { name: "weighted", about: "hit points weighted by kind (M3Lee)" },
    Policy { name: "infantry", about: "hit points, those of infantry a quarter as much (Sato)" },
    Policy { name: "values", about: "units by kind, in proportion to their hit points (TBETS)" },
    Policy {
        name: "exchanges",
        about: "infantry, after the side to move has made its best attacks, one for each unit (SatD2)",
    },
];

impl Evaluation {
    /// All of them.
    pub const ALL: [Evaluation; 5] = [
        Evaluation::Outcome,
        Evaluation::Weighted,
        Evaluation::Infantry,
        Evaluation::Values,
        Evaluation::Exchanges,
    ];

    pub(super) fn from_params(params: &Params) -> Result<Evaluation, BadSpec> {
        params.choice("evaluation", &Evaluation::ALL)
    }

    /// What one hit point of a kind is worth.
    const fn per_hp(self, kind: Kind) -> f64 {
        match self {
            Evaluation::Outcome => 1.0,
            Evaluation::Weighted => [2.0, 2.0, 1.5, 1.0, 0.7, 0.2][kind as usize],
            Evaluation::Infantry | Evaluation::Exchanges => [4.0, 4.0, 4.0, 4.0, 4.0, 1.0][kind as usize],
            Evaluation::Values => [0.4, 0.6, 0.4, 0.4, 0.25, 0.1][kind as usize],
        }
    }
}

impl Battle {
    fn worth(&self, board: &Board, side: Player, by: Evaluation) -> f64 {
        ids(self.army[side.index()])
            .map(|id| board.unit(id))
            .map(|unit| f64::from(unit.hp) * by.per_hp(unit.kind))
            .sum()
    }

    /// How much better off a side is than the other, on the scale of the evaluation's source: 1, 1/2 or 0 for
    /// [`Evaluation::Outcome`], a difference for the others.
    pub fn score(&self, board: &Board, side: Player, by: Evaluation) -> f64 {
        let fought = (by == Evaluation::Exchanges).then(|| self.fought(board));
        let board = fought.as_ref().unwrap_or(board);
        let (own, other) = (self.worth(board, side, by), self.worth(board, side.other(), by));
        match by {
            Evaluation::Outcome => {
                let ahead = own - other;
                let threshold = f64::from(self.threshold);
                match () {
                    () if own == 0.0 => 0.0,
                    () if other == 0.0 => 1.0,
                    () if ahead.abs() < threshold || ahead == 0.0 => 0.5,
                    () => f64::from(u8::from(ahead > 0.0)),
                }
            }
            Evaluation::Weighted if own == 0.0 || other == 0.0 => 2.0 * (own - other),
            _ => own - other,
        }
    }

    /// A guess at a side's share of the reward, between 0 and 1.
    pub(super) fn guess(&self, board: &Board, side: Player, by: Evaluation) -> f64 {
        match (board.phase, by) {
            (Phase::Muster(_), _) => 0.5,
            (_, Evaluation::Outcome) => self.score(board, side, by),
            _ => {
                let fought = (by == Evaluation::Exchanges).then(|| self.fought(board));
                let board = fought.as_ref().unwrap_or(board);
                let (own, other) = (self.worth(board, side, by), self.worth(board, side.other(), by));
                own / (own + other)
            }
        }
    }

    /// The position after each unit of the side to move, in the order of numbers, has made the exchange that is best by
    /// discounted hit points, if that does not lose it 8 or more, from where it stands and against whoever it may
    /// reach by distance: an estimate, not play (Sato).
    fn fought(&self, board: &Board) -> Board {
        let mut after = *board;
        let (side, by) = (board.mover(), Evaluation::Infantry);
        let columns = self.map.columns;
        let distance =
            |a: u8, b: u8| (a % columns).abs_diff(b % columns) + (a / columns).abs_diff(b / columns);
        for id in ids(self.army[side.index()] & board.standing) {
            let unit = after.unit(id);
            let mut best = (-8.0, None);
            for target in ids(self.army[side.other().index()] & board.standing) {
                let enemy = after.unit(target);
                let far = usize::from(distance(unit.cell, enemy.cell));
                let near =
                    if unit.kind.is_direct() { far <= unit.kind.speed() + 1 } else { (2..=3).contains(&far) };
                if !near || enemy.hp == 0 || unit.hp == 0 || unit.kind.effect(enemy.kind) == 0 {
                    continue;
                }
                let (dealt, back) = exchange(self.fighter(unit), self.fighter(enemy));
                let gain = f64::from(dealt) * by.per_hp(enemy.kind) - f64::from(back) * by.per_hp(unit.kind);
                if gain > best.0 {
                    best = (gain, Some((target, dealt, back)));
                }
            }
            if let (_, Some((target, dealt, back))) = best {
                after.unit_mut(target).hp -= dealt;
                after.unit_mut(id).hp -= back;
            }
        }
        after
    }

    /// The most damage an enemy can do to those units of the side to move that have acted, as far as this side
    /// sees: how much the enemy is to be feared (MaxActEval).
    pub fn threat(&self, board: &Board, enemy: u8) -> u8 {
        let e = board.unit(enemy);
        let own = board.occupied[board.mover().index()];
        let others = board.occupied[board.mover().other().index()] & board.sight[board.mover().index()];
        let stops = self.ground.reach(e.kind, e.bit(), own) & !others | e.bit();
        let struck = |target: &u8| {
            let cell = usize::from(board.unit(*target).cell);
            let from = if e.kind.is_direct() { stops & self.beside[cell] } else { e.bit() & self.ring[cell] };
            board.unit(*target).hp > 0 && from != 0
        };
        let acted = ids(self.army[board.mover().index()] & board.acted).filter(struck);
        let enemy = self.fighter(self.reckoned(board, enemy));
        acted.map(|target| exchange(enemy, self.fighter(board.unit(target))).0).max().unwrap_or(0)
    }

    /// A unit as the side to move reckons with it: enemies whose hit points are hidden have them all.
    fn reckoned(&self, board: &Board, unit: u8) -> Unit {
        let hidden = self.fog.on && !self.fog.enemy_hp && self.side_of(unit) != board.mover();
        let unit = board.unit(unit);
        if hidden { Unit { hp: MOST_HP, ..unit } } else { unit }
    }

    /// MaxActEval's value of an attack: what it takes from whom, and what it costs.
    pub fn attack_value(&self, board: &Board, unit: u8, from: u8, target: u8) -> i32 {
        let attacker = Unit { cell: from, ..board.unit(unit) };
        let (dealt, counter) = exchange(self.fighter(attacker), self.fighter(self.reckoned(board, target)));
        let threat = i32::from(self.threat(board, target));
        i32::from(dealt) * (10 + threat) - i32::from(counter) * (10 + i32::from(board.unit(unit).hp))
    }

    /// MaxActEval's value of a cell for a unit: cover, and how near an enemy is that it is good against. The
    /// enemies are given by kind and cell, so that remembered or imagined ones may count.
    pub fn cell_value(&self, board: &Board, unit: u8, cell: u8, enemies: &[(Kind, u8)]) -> i32 {
        let kind = board.unit(unit).kind;
        let stars = if kind.is_air() { 0 } else { i32::from(self.ground.stars[usize::from(cell & 63)]) };
        let columns = self.map.columns;
        let distance = |other: u8| {
            (cell % columns).abs_diff(other % columns) + (cell / columns).abs_diff(other / columns)
        };
        let near = |&(enemy, at): &(Kind, u8)| kind.effect(enemy) as i32 / (i32::from(distance(at)) + 5);
        5 * stars + enemies.iter().map(near).max().unwrap_or(0)
    }

    /// What MaxActEval does: the best attack if it is worth more than -20, else a random unit goes to its best
    /// cell. Enemies that are not seen count by where they are believed to be.
    pub fn max_act_eval(&self, board: &Board, believed: &[(Kind, u8)], rng: &mut Rng) -> Action {
        let order = self.valuable(board, &mut Reaches::new(), believed, rng);
        self.action(board, Some(order))
    }

    pub(super) fn valuable(
        &self,
        board: &Board,
        reaches: &mut Reaches,
        believed: &[(Kind, u8)],
        rng: &mut Rng,
    ) -> Order {
        let (ready, targets) = (self.ready(board), self.targets(board));
        reaches.attacks(self, board, ready, targets, false);
        let orders =
            reaches.listed().iter().flat_map(|s| cells_of(s.from).map(|from| (s.unit, from, s.target)));
        let best = orders
            .map(|(unit, from, target)| (self.attack_value(board, unit, from, target), unit, from, target));
        let best = best.reduce(|best, next| if next.0 > best.0 { next } else { best });
        if let Some((_, unit, from, target)) = best.filter(|best| best.0 > -20) {
            return (unit, from, Some(target));
        }
        let mut enemies: ArrayVec<(Kind, u8), { 2 * SLOTS }> =
            ids(targets).map(|id| (board.unit(id).kind, board.unit(id).cell)).collect();
        enemies.extend(believed.iter().take(SLOTS).copied());
        let unit = rng.bit_of(u64::from(ready)) as u8;
        let stops = reaches.stops(self, board, unit);
        let valued = cells_of(stops).map(|cell| (self.cell_value(board, unit, cell, &enemies), cell));
        let best = valued.reduce(|best, next| if next.0 > best.0 { next } else { best });
        (unit, best.map_or(board.unit(unit).cell, |best| best.1), None)
    }

    /// How promising actions are: attacks before moves, each by MaxActEval's values in a world taken for the truth;
    /// moves are below 0, for attack action search leaves them out while there is an attack.
    pub(super) fn promises(&self, board: &Board, actions: &[Action], out: &mut Vec<f32>) {
        const APART: f32 = 10_000.0;
        let enemies: ArrayVec<(Kind, u8), SLOTS> =
            ids(self.army[board.mover().other().index()] & board.standing)
                .map(|id| (board.unit(id).kind, board.unit(id).cell))
                .collect();
        out.extend(actions.iter().map(|action| match *action {
            Action::Attack { unit, target, from } => {
                let from = self.stand(board, unit, target, from);
                APART + self.attack_value(board, unit, from, target) as f32
            }
            Action::Move { unit, to } => self.cell_value(board, unit, to, &enemies) as f32 - APART,
            Action::EndTurn => -2.0 * APART,
            Action::Surrender => -3.0 * APART,
        }));
    }
}

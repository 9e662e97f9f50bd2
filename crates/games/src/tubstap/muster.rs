//! Armies that chance draws: noise at the start, and armies the other side does not know.
//!
//! Each side's army is drawn in one step that only this side sees. Units are drawn one after the other: whether
//! the unit is there at all, what it is, its hit points, and where it stands. The two armies are independent:
//! no unit is shifted to where the other side starts or might be shifted to.

use std::collections::HashMap;

use arrayvec::ArrayVec;
use fogtree_core::{BadSpec, Params, Player, Rng};

use super::board::Unit;
use super::map::{MOST_UNITS, Map};
use super::movement::Ground;
use super::units::{Kind, MOST_HP};

/// What chance draws.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
struct Noise {
    cells: bool,
    hp: bool,
}

/// The army of one side as it is drawn.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct Army {
    /// Whose it is.
    pub who: Player,
    /// Its units; those without hit points are not there.
    pub units: ArrayVec<Unit, MOST_UNITS>,
}

/// Armies are listed if a side has at most so many.
const FEW: usize = 200;

/// How armies are drawn.
#[derive(Clone, Debug, Default)]
pub struct Muster {
    noise: Noise,
    /// The kinds from which units are drawn, if they are.
    kinds: Vec<Kind>,
    /// Whether units but the first may be missing.
    missing: bool,
    listed: [Option<Vec<(Army, f64)>>; 2],
}

impl Muster {
    pub(super) fn from_params(params: &Params, map: &Map) -> Result<Muster, BadSpec> {
        let noise = |cells, hp| Noise { cells, hp };
        let noise = params.choice(
            "noise",
            &[noise(false, false), noise(true, false), noise(false, true), noise(true, true)],
        )?;
        let drawn = params.choice("army", &[false, true])?;
        let kinds: Option<Vec<Kind>> = params.text("kinds").chars().map(Kind::of_letter).collect();
        let mut kinds = kinds
            .filter(|kinds| !kinds.is_empty())
            .ok_or_else(|| params.bad("kinds", "letters of F, A, P, U, R and I, such as PRI"))?;
        kinds.sort_unstable();
        kinds.dedup();
        if !drawn {
            kinds.clear();
        }
        let missing = params.choice("numbers", &[false, true])?;
        let mut muster = Muster { noise, kinds, missing, listed: [None, None] };
        for unit in map.units.iter().flatten().filter(|_| drawn) {
            if muster.kinds_on(map, unit.cell).is_empty() {
                return Err(
                    params.bad("kinds", "kinds of which some can stand on every cell where units start")
                );
            }
        }
        if muster.is_drawn() {
            muster.listed = [0, 1].map(|side| muster.list(map, Player(side)));
        }
        Ok(muster)
    }

    /// Whether chance draws anything.
    pub(super) fn is_drawn(&self) -> bool {
        self.noise != Noise::default() || !self.kinds.is_empty() || self.missing
    }

    /// Whether what is drawn can be listed.
    pub(super) fn is_listed(&self) -> bool {
        self.listed.iter().all(Option::is_some)
    }

    /// Whether kinds are drawn.
    pub(super) fn draws_kinds(&self) -> bool {
        !self.kinds.is_empty()
    }

    /// Whether a side may have fewer units than the map says.
    pub(super) fn may_miss(&self) -> bool {
        self.missing
    }

    /// Whether hit points are drawn.
    pub(super) fn draws_hp(&self) -> bool {
        self.noise.hp
    }

    /// Every army of a side with its probability, if there are few.
    pub(super) fn listed(&self, who: Player) -> Option<&[(Army, f64)]> {
        self.listed[who.index()].as_deref()
    }

    /// The kinds that may be drawn on a cell.
    pub(super) fn kinds_on(&self, map: &Map, cell: u8) -> Vec<Kind> {
        let stands = |kind: &Kind| map.terrain[usize::from(cell)].cost(*kind).is_some();
        self.kinds.iter().copied().filter(stands).collect()
    }

    /// The hit points a unit may have at the start.
    pub(super) fn hp_of(&self, hp: u8) -> Vec<u8> {
        if !self.noise.hp {
            return vec![hp];
        }
        [hp.saturating_sub(1).max(1), hp, (hp + 1).min(MOST_HP)].to_vec()
    }

    /// The cells where a unit may start.
    pub(super) fn cells_around(&self, map: &Map, cell: u8) -> u64 {
        let own = 1 << cell;
        if self.noise.cells { own | Ground::of(map).around(own) } else { own }
    }

    /// What the next unit of an army may be, with probabilities; equal ones may come twice.
    fn choices(&self, map: &Map, who: Player, before: &[Unit]) -> Vec<(Unit, f64)> {
        let place = before.len();
        let units = &map.units[who.index()];
        let placed = units[place];
        let mut choices = Vec::new();
        let mut share = 1.0;
        if self.missing && place > 0 {
            share = 0.5;
            choices.push((Unit::default(), share));
        }
        let mut kinds = self.kinds_on(map, placed.cell);
        if self.kinds.is_empty() {
            kinds = vec![placed.kind];
        }
        let hps = self.hp_of(placed.hp);
        for &kind in &kinds {
            let cells = self.places(map, who, before, kind);
            let share = share / (kinds.len() * hps.len() * cells.len()) as f64;
            for &hp in &hps {
                choices.extend(cells.iter().map(|&cell| (Unit { kind, cell, hp }, share)));
            }
        }
        choices
    }

    /// Where the next unit may end up, each direction once.
    fn places(&self, map: &Map, who: Player, before: &[Unit], kind: Kind) -> Vec<u8> {
        let units = &map.units[who.index()];
        let cell = units[before.len()].cell;
        if !self.noise.cells {
            return vec![cell];
        }
        let ground = Ground::of(map);
        let theirs = map.units[who.other().index()].iter().fold(0, |set, unit| set | 1u64 << unit.cell);
        let settled = before.iter().filter(|unit| unit.hp > 0).fold(0, |set, unit| set | unit.bit());
        let waiting = units[before.len()..].iter().fold(0, |set, unit| set | 1u64 << unit.cell);
        let free = ground.enterable(kind) & !(theirs | ground.around(theirs) | settled | waiting);
        let (columns, cells) = (i32::from(map.columns), map.cells() as i32);
        let at = i32::from(cell);
        let steps =
            [(1, (at + 1) % columns != 0), (-columns, true), (-1, at % columns != 0), (columns, true)];
        let shifted = |(step, inside): (i32, bool)| {
            let to = at + step;
            let can = inside && (0..cells).contains(&to) && free >> to & 1 == 1;
            if can { to as u8 } else { cell }
        };
        steps.map(shifted).to_vec()
    }

    fn list(&self, map: &Map, who: Player) -> Option<Vec<(Army, f64)>> {
        let mut armies = vec![(Army { who, units: ArrayVec::new() }, 1.0)];
        for _ in 0..map.units[who.index()].len() {
            let mut next: Vec<(Army, f64)> = Vec::new();
            let mut places: HashMap<Army, usize> = HashMap::new();
            for (army, share) in &armies {
                for (unit, p) in self.choices(map, who, &army.units) {
                    let mut army = army.clone();
                    army.units.push(unit);
                    let place = *places.entry(army.clone()).or_insert(next.len());
                    if place == next.len() {
                        next.push((army, 0.0));
                    }
                    next[place].1 += share * p;
                }
            }
            if next.len() > FEW {
                return None;
            }
            armies = next;
        }
        Some(armies)
    }

    /// Draws an army.
    pub(super) fn draw(&self, map: &Map, who: Player, rng: &mut Rng) -> Army {
        let mut army = Army { who, units: ArrayVec::new() };
        for _ in 0..map.units[who.index()].len() {
            let choices = self.choices(map, who, &army.units);
            army.units.push(choices[rng.weighted(choices.iter().map(|(_, p)| *p))].0);
        }
        army
    }

    /// Whether chance may draw this army.
    pub(super) fn may_draw(&self, map: &Map, army: &Army) -> bool {
        let can = |place: usize| {
            self.choices(map, army.who, &army.units[..place])
                .iter()
                .any(|(unit, _)| *unit == army.units[place])
        };
        army.who.index() < 2
            && army.units.len() == map.units[army.who.index()].len()
            && (0..army.units.len()).all(can)
    }
}

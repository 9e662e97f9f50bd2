//! The fog's switches: what the source leaves open, with the answers one may choose.

use fogtree_core::{BadSpec, Params};

use super::map::Map;
use super::terrain::Terrain;
use super::units::Kind;

/// How distances are measured (F1).
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Metric {
    /// Steps along rows and columns.
    Manhattan,
    /// Steps of a king.
    Chebyshev,
    /// As the crow flies.
    Euclid,
}

/// Whether terrain hides (F2).
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Cover {
    /// Nothing does.
    None,
    /// What stands in a wood is seen from neighbouring cells only.
    Woods,
    /// Woods and mountains on the line between hide what is behind them from units on the ground.
    Rays,
}

/// What happens to a unit that runs into an enemy it did not see (F6).
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Collision {
    /// It stops before it, its action is spent, and the enemy is shown.
    Ambush,
    /// It goes back and may choose again; only that the cell is occupied is learnt.
    Bounce,
    /// Only the destination matters: if it is taken the unit stays where it was, and its action is spent.
    Teleport,
}

/// From where a moving unit sees (F7).
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Glimpse {
    /// From every cell of its way.
    Path,
    /// From where it ends.
    Destination,
}

/// Whether a side hit from the fog is told by whom (F9).
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Shooter {
    /// Only if it sees the attacker.
    Observation,
    /// Always.
    Revealed,
}

/// When a side sees what the other does (F10).
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Report {
    /// After each action.
    Each,
    /// At the start of its own turn.
    Start,
}

/// All switches. What the terrain is (F3) is always known, what is not seen is never attacked (F8), and the
/// referee always judges by the true position (F13).
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Fog {
    /// Whether there is fog at all.
    pub on: bool,
    /// F1.
    pub metric: Metric,
    /// F2.
    pub cover: Cover,
    /// Whether the hit points of seen enemies are shown (F4).
    pub enemy_hp: bool,
    /// Whether the view shows where enemies were last seen (F5).
    pub ghosts: bool,
    /// F6.
    pub collision: Collision,
    /// F7.
    pub glimpse: Glimpse,
    /// F9.
    pub shooter: Shooter,
    /// F10.
    pub report: Report,
}

impl Fog {
    pub(super) fn from_params(params: &Params) -> Result<Fog, BadSpec> {
        Ok(Fog {
            on: params.choice("fog", &[true, false])?,
            metric: params.choice("metric", &[Metric::Manhattan, Metric::Chebyshev, Metric::Euclid])?,
            cover: params.choice("cover", &[Cover::None, Cover::Woods, Cover::Rays])?,
            enemy_hp: params.choice("enemy-hp", &[true, false])?,
            ghosts: params.choice("memory", &[false, true])?,
            collision: params
                .choice("collision", &[Collision::Ambush, Collision::Bounce, Collision::Teleport])?,
            glimpse: params.choice("glimpse", &[Glimpse::Path, Glimpse::Destination])?,
            shooter: params.choice("shooter", &[Shooter::Observation, Shooter::Revealed])?,
            report: params.choice("report", &[Report::Each, Report::Start])?,
        })
    }

    /// The cells a unit sees from a cell.
    pub(super) fn sight(&self, map: &Map, kind: Kind, from: u8) -> u64 {
        let seen = |to: &u8| self.sees(map, kind, from, *to);
        (0..map.cells() as u8).filter(seen).fold(0, |set, to| set | 1 << to)
    }

    fn sees(&self, map: &Map, kind: Kind, from: u8, to: u8) -> bool {
        let at = |cell: u8| (i32::from(cell % map.columns), i32::from(cell / map.columns));
        let ((x, y), (u, v)) = (at(from), at(to));
        let (right, down) = ((x - u).abs(), (y - v).abs());
        let range = kind.vision() as i32;
        let near = match self.metric {
            Metric::Manhattan => right + down <= range,
            Metric::Chebyshev => right.max(down) <= range,
            Metric::Euclid => right * right + down * down <= range * range,
        };
        let ground = |(x, y): (i32, i32)| map.terrain[(y * i32::from(map.columns) + x) as usize];
        near && match self.cover {
            Cover::None => true,
            Cover::Woods => ground((u, v)) != Terrain::Wood || right + down <= 1,
            Cover::Rays if kind.is_air() => true,
            Cover::Rays => {
                line((x, y), (u, v)).all(|cell| !matches!(ground(cell), Terrain::Wood | Terrain::Mountain))
            }
        }
    }
}

/// The cells between two cells: at each step along the longer side, the one nearest to the straight line, the
/// one nearer to the start of the other side if two are.
fn line((x, y): (i32, i32), (u, v): (i32, i32)) -> impl Iterator<Item = (i32, i32)> {
    let steps = (u - x).abs().max((v - y).abs());
    let round = move |far: i32, i: i32| {
        let doubled = 2 * far.abs() * i + steps - 1;
        far.signum() * (doubled / (2 * steps.max(1)))
    };
    (1..steps).map(move |i| (x + round(u - x, i), y + round(v - y, i)))
}

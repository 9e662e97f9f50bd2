//! What a side knows: what it did and saw from the start, and what it makes of it now.

use fogtree_core::{Event, Observer, Player};
use serde::{Deserialize, Serialize};

use super::battle::Battle;
use super::board::{Board, Phase, Unit, ids};
use super::fog::Report;

/// A unit that is seen.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Serialize, Deserialize)]
pub struct SeenUnit {
    /// Its number.
    pub id: u8,
    /// What and where it is. Hit points that are hidden are 0.
    pub unit: Unit,
    /// Whether it has acted in this turn.
    pub acted: bool,
}

/// What a side sees: its own units, and those of the other within its sight.
#[derive(Clone, PartialEq, Eq, Hash, Debug, Serialize, Deserialize)]
pub struct View {
    /// Turns made.
    pub turn: u16,
    /// The units seen, by number.
    pub units: Vec<SeenUnit>,
    /// The cells seen.
    pub sight: u64,
    /// The cells found occupied in this turn.
    pub bumped: u64,
}

/// What an observer knows.
///
/// In the fog that is everything it did and saw: where the enemy may be depends on all of it. What it sees now
/// follows from that and is worked out here for whoever reads it, such as an engine elsewhere.
#[derive(Clone, PartialEq, Eq, Hash, Debug, Serialize, Deserialize)]
pub struct Info {
    /// Who knows it.
    pub by: Observer,
    /// What it did and saw.
    pub events: Vec<Event>,
    /// What it sees.
    pub view: Option<View>,
    /// The position, where there is no fog or none any more.
    pub board: Option<Board>,
}

impl Battle {
    /// What a side sees. Nothing while the other moves if it is only told at the start of its turn.
    pub(super) fn view_of(&self, board: &Board, who: Player) -> Option<View> {
        let blind = self.fog.report == Report::Start && board.mover() != who;
        if board.phase != Phase::Play || blind {
            return None;
        }
        let sight = board.sight[who.index()];
        let units = ids(board.standing).filter_map(|id| {
            let unit = board.unit(id);
            let own = self.side_of(id) == who;
            if !own && sight & unit.bit() == 0 {
                return None;
            }
            let hp = if own || self.fog.enemy_hp { unit.hp } else { 0 };
            Some(SeenUnit { id, unit: Unit { hp, ..unit }, acted: board.has_acted(id) })
        });
        let bumped = if board.mover() == who { board.bumped } else { 0 };
        Some(View { turn: board.turn, units: units.collect(), sight, bumped })
    }
}

//! Positions: as they are, as a seat knows them, as pictures.

use std::collections::BTreeMap;

use fogtree_core::scene::Scene;
use fogtree_core::{Event, InfoSet, Key, Observer, Player, Rewards, text};
use serde::{Deserialize, Serialize};
use serde_json::Value;

use super::LegalMove;
use crate::erased::AnyTable;

/// A position, with all that is hidden in it.
///
/// Printed by `fogtree state --json`, `fogtree state --stdin` and `fogtree replay --json`.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Position {
    /// The specification of the game.
    pub game: String,
    /// Who is to move.
    pub turn: Turn,
    /// The names of the legal moves by seat, of those who are to move.
    pub legal: BTreeMap<Player, Vec<String>>,
    /// What chance may draw; null if that cannot be listed.
    pub chance: Option<Vec<Draw>>,
    /// What every seat sees, as text.
    pub views: Vec<String>,
    /// The information-set key of every seat.
    pub infosets: Vec<Key>,
    /// What every seat has to decide with: the `infoset` of `go` in the engine protocol. Seats that are not to
    /// move have no legal moves.
    pub seats: Vec<SeatInfoSet>,
    /// The reward of every seat; null unless the game is over.
    pub rewards: Option<Rewards>,
    /// All that was played, chance included.
    pub moves: Vec<String>,
    /// The number of the position in a recorded game.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub step: Option<usize>,
}

/// All that a seat has to decide with, and nothing that it does not know: what `go` takes in the engine protocol.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct SeatInfoSet {
    /// The seat.
    pub seat: Player,
    /// The names of its legal moves.
    pub legal: Vec<String>,
    /// What it did and saw, in order.
    pub events: Vec<Event>,
    /// What it knows, in the game's own form.
    pub known: Value,
    /// Its information-set key.
    pub key: Key,
}

/// What a seat knows of a position.
///
/// Printed by `fogtree replay --seat N --json`.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct SeatPosition {
    /// The specification of the game as the seat may know it.
    pub game: String,
    /// The seat.
    pub seat: Player,
    /// Whether the seat is to move or the game is over; null where others are to move.
    pub turn: Option<Turn>,
    /// The names of its legal moves.
    pub legal: Vec<String>,
    /// What it sees, as text.
    pub view: String,
    /// Its information-set key.
    pub infoset: Key,
    /// What it did and saw, in order.
    pub events: Vec<Event>,
    /// The reward of every seat; null unless the game is over.
    pub rewards: Option<Rewards>,
    /// The number of the position among those of a recorded game that the seat can tell apart.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub step: Option<usize>,
}

/// Who is to move.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Turn {
    /// Of what kind the turn is.
    pub kind: TurnKind,
    /// The seats to move; a seat is not told which.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub players: Option<Vec<Player>>,
}

/// Kinds of turns.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "lowercase")]
pub enum TurnKind {
    /// The game is over.
    Over,
    /// Chance draws.
    Chance,
    /// One player moves.
    Player,
    /// Several players choose at the same time.
    Together,
}

/// What chance may draw.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Draw {
    /// Its name.
    #[serde(rename = "move")]
    pub name: String,
    /// Its probability.
    pub p: f64,
}

/// A position as a picture.
///
/// Printed by `fogtree show --json`.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Shown {
    /// The specification of the game, as the seat may know it.
    pub game: String,
    /// The seat that sees it; missing if everything is shown.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub seat: Option<Player>,
    /// The picture.
    pub scene: Scene,
    /// What the seat may choose; without a seat, what the first that is to move may.
    pub legal: Vec<LegalMove>,
    /// The picture as text.
    pub text: String,
}

/// A world that agrees with what a seat knows.
///
/// Printed by `fogtree sample --json`, one line each.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct World {
    /// Its number.
    pub world: usize,
    /// How likely it is against the others.
    pub weight: f64,
    /// The picture of its true state.
    pub scene: Scene,
    /// The picture as text.
    pub text: String,
}

impl Position {
    /// The position at a table.
    pub fn of(spec: &str, players: usize, table: &dyn AnyTable) -> Position {
        let turn = table.turn();
        let kind = match turn {
            fogtree_core::Turn::Terminal => TurnKind::Over,
            fogtree_core::Turn::Chance => TurnKind::Chance,
            fogtree_core::Turn::Player(_) => TurnKind::Player,
            fogtree_core::Turn::Simultaneous(_) => TurnKind::Together,
        };
        let seats = || Player::all(players).map(Observer::Seat);
        let draws = |outcomes: Vec<(String, f64)>| {
            outcomes.into_iter().map(|(name, p)| Draw { name, p }).collect::<Vec<_>>()
        };
        Position {
            game: spec.to_string(),
            turn: Turn { kind, players: Some(turn.players().iter().collect()) },
            legal: turn.players().iter().map(|p| (p, table.legal(p))).collect(),
            chance: table.chance().map(draws),
            views: seats().map(|by| text::plain(&table.view(by))).collect(),
            infosets: seats().map(|by| table.key(by)).collect(),
            seats: Player::all(players).map(|seat| SeatInfoSet::from(&table.infoset(seat))).collect(),
            rewards: table.rewards(),
            moves: table.names(),
            step: None,
        }
    }
}

impl From<&InfoSet> for SeatInfoSet {
    fn from(info: &InfoSet) -> SeatInfoSet {
        SeatInfoSet {
            seat: info.seat,
            legal: info.legal_names(),
            events: info.events.clone(),
            known: info.known.to_json(),
            key: info.key,
        }
    }
}

impl SeatPosition {
    /// What a seat knows of the position at a table.
    ///
    /// `spec` must be the specification as the seat may know it ([`crate::Registry::told`]).
    pub fn of(seat: Player, spec: &str, table: &dyn AnyTable) -> SeatPosition {
        let by = Observer::Seat(seat);
        let kind = match table.turn() {
            fogtree_core::Turn::Terminal => Some(TurnKind::Over),
            turn => turn.players().contains(seat).then_some(TurnKind::Player),
        };
        SeatPosition {
            game: spec.to_string(),
            seat,
            turn: kind.map(|kind| Turn { kind, players: None }),
            legal: table.legal(seat),
            view: text::plain(&table.view(by)),
            infoset: table.key(by),
            events: table.events(seat).to_vec(),
            rewards: table.rewards(),
            step: None,
        }
    }
}

impl Shown {
    /// What a seat sees of the position at a table, or everything.
    ///
    /// `spec` must be the specification as the seat may know it ([`crate::Registry::told`]).
    pub fn of(seat: Option<Player>, spec: &str, table: &dyn AnyTable) -> Shown {
        let scene = match seat {
            Some(seat) => table.scene(Observer::Seat(seat)),
            None => table.true_scene(),
        };
        let mut movers = table.turn().players().iter();
        let mover = movers.find(|&p| seat.is_none_or(|seat| seat == p));
        Shown {
            game: spec.to_string(),
            seat,
            text: text::plain(&scene.to_string()),
            scene,
            legal: mover.map_or_else(Vec::new, |p| LegalMove::all(&table.infoset(p))),
        }
    }
}

impl World {
    /// The world of this number, by the picture of its true state and its weight.
    pub fn new(number: usize, scene: Scene, weight: f64) -> World {
        World { world: number, weight, text: text::plain(&scene.to_string()), scene }
    }
}

//! What a session tells a seat.

use fogtree_core::scene::Scene;
use fogtree_core::{InfoSet, Key, Move, Player, Rewards, Seed};
use serde::{Deserialize, Serialize};

/// A legal move.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct LegalMove {
    /// Its name.
    #[serde(rename = "move")]
    pub name: String,
    /// The spots of the scene that are touched, in this order, to make it; none if it is chosen from a list.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub spots: Vec<String>,
}

impl LegalMove {
    /// Every legal move of an information set.
    pub fn all(info: &InfoSet) -> Vec<LegalMove> {
        let one = |&mv: &Move| LegalMove { name: info.game.move_name(mv), spots: info.spots(mv) };
        info.legal.iter().map(one).collect()
    }
}

/// All that a session tells a seat.
///
/// Printed by `fogtree play --json`, one line before each choice and one at the end.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct SeatView {
    /// The specification of the game as the seat may know it.
    pub game: String,
    /// The seat.
    pub seat: Player,
    /// What a choice must be submitted with: it changes whenever the seat has done or seen something.
    pub revision: u64,
    /// The information-set key.
    pub infoset: Key,
    /// Whether the seat is to choose.
    pub to_move: bool,
    /// What it sees.
    pub scene: Scene,
    /// The spots that have changed since its last choice.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub changed: Vec<String>,
    /// What it may choose.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub legal: Vec<LegalMove>,
    /// What it was told since its last choice, in words.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub told: Vec<String>,
    /// The hash of seed and salt, in a game whose seed comes from the system.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub commitment: Option<String>,
    /// How the game ended, if it has.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub over: Option<Over>,
}

/// How a game ended, and what may be told after its end.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Over {
    /// The reward of every seat; none if somebody has resigned.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub rewards: Option<Rewards>,
    /// Who has resigned.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub resigned: Option<Player>,
    /// The seed of the deal.
    pub seed: Seed,
    /// What was hashed with the seed into the commitment.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub salt: Option<String>,
    /// The whole state at the end.
    pub scene: Scene,
    /// All that was played, chance included.
    pub moves: Vec<String>,
}

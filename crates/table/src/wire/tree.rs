//! Search trees in files.

use fogtree_core::{PerPlayer, Player, explain, text};
use serde::{Deserialize, Serialize};

/// The trees of a search.
///
/// Written by `fogtree analyse --tree FILE.json`.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct SearchTrees {
    /// `fogtree-search-tree`.
    pub format: String,
    /// The version of the format.
    pub version: u32,
    /// The specification of the game.
    pub game: String,
    /// The specification of the agent.
    pub agent: String,
    /// The seat that decides.
    pub seat: Player,
    /// How much of the trees was written.
    pub limits: Limits,
    /// The trees, the searcher's first.
    pub trees: Vec<SearchTree>,
}

/// How much of a tree was written.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Limits {
    /// Nothing below so many moves.
    pub depth: u32,
    /// Nothing that was visited less often.
    pub visits: u64,
    /// No more children of each node, the most visited; null for all.
    pub top: Option<usize>,
}

/// A search tree.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct SearchTree {
    /// The player in whose place decisions of this tree are told apart.
    pub player: Player,
    /// The nodes; parents come before their children.
    pub nodes: Vec<TreeNode>,
}

/// A node of a search tree.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct TreeNode {
    /// Its number in the list.
    pub id: usize,
    /// The number of its parent; null for a root.
    pub parent: Option<usize>,
    /// How many moves of players lead here.
    pub depth: u32,
    /// What led here from the parent.
    #[serde(flatten)]
    pub reached: Reached,
    /// Who decides here; null if it is not known or not the same in all worlds.
    pub turn: Option<Decider>,
    /// How often the search passed.
    pub visits: u64,
    /// Of a move, how often it was legal when the search decided at the parent, in searches of many worlds.
    pub available: Option<u64>,
    /// The mean reward of every player in the iterations that passed.
    pub values: Option<PerPlayer<f64>>,
    /// How many children the limits left out.
    pub left_out: u32,
}

/// What leads from one node of a tree to the next.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(tag = "kind", rename_all = "lowercase")]
pub enum Reached {
    /// Nothing: here the tree begins.
    Root,
    /// A player's move.
    Move {
        /// Whose.
        by: Player,
        /// Its name; or, where the tree does not tell moves apart, what is seen of it, in words.
        #[serde(rename = "move")]
        name: String,
    },
    /// What chance drew.
    Chance {
        /// Its name.
        #[serde(rename = "move")]
        name: String,
    },
    /// What the tree's player learned since the move above.
    Seen {
        /// In words; nothing if it learned nothing.
        seen: Vec<String>,
    },
}

/// Who decides: a seat, or `chance`.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "lowercase")]
pub enum Decider {
    /// Chance.
    Chance,
    /// A player.
    #[serde(untagged)]
    Player(Player),
}

impl SearchTrees {
    /// Of what the trees are, before there are any.
    pub fn new(game: &str, agent: &str, seat: Player, limits: Limits) -> SearchTrees {
        SearchTrees {
            format: "fogtree-search-tree".to_string(),
            version: 1,
            game: game.to_string(),
            agent: agent.to_string(),
            seat,
            limits,
            trees: Vec::new(),
        }
    }
}

impl TreeNode {
    /// The node of this number.
    pub fn of(id: usize, node: &explain::TreeNode) -> TreeNode {
        let reached = match &node.reached {
            explain::Reached::Root => Reached::Root,
            explain::Reached::Move(by, name) => Reached::Move { by: *by, name: text::plain(name) },
            explain::Reached::Chance(name) => Reached::Chance { name: text::plain(name) },
            explain::Reached::Seen(seen) => {
                Reached::Seen { seen: seen.iter().map(|words| text::plain(words)).collect() }
            }
        };
        let decider = |decider| match decider {
            explain::Decider::Player(player) => Decider::Player(player),
            explain::Decider::Chance => Decider::Chance,
        };
        TreeNode {
            id,
            parent: node.parent,
            depth: node.depth,
            reached,
            turn: node.turn.map(decider),
            visits: node.visits,
            available: node.available,
            values: node.values.clone(),
            left_out: node.left_out,
        }
    }
}

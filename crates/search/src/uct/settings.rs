//! What can be set about UCT.

use fogtree_core::Simulation;

use super::decoupled::Joint;
use super::preload::Preload;
use crate::EXPLORATION;
use crate::kit::final_move::Final;
use crate::kit::narrow::Narrow;

/// Which count is under the logarithm of the bound.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Log {
    /// The visits of the node.
    #[default]
    Node,
    /// All iterations so far (M-UCT).
    Total,
}

/// Whose rewards the others choose by.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Others {
    /// Their own.
    #[default]
    Own,
    /// The searcher's, as if they wished to help: a defect of the stock M-UCT.
    Searcher,
}

/// What can be set about UCT.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Settings {
    /// The exploration constant, for rewards scaled to [0, 1].
    pub c: f64,
    /// The most bytes for the tree.
    pub memory: usize,
    /// How games are played out.
    pub simulation: Simulation,
    /// Which moves are looked at.
    pub narrow: Narrow,
    /// The tree goes on below a move that was made more often than this.
    pub patience: u32,
    /// Which count is under the logarithm of the bound.
    pub log: Log,
    /// Whose rewards the others choose by.
    pub others: Others,
    /// Whose opinion moves begin with, as virtual wins. A tree for many worlds has none.
    pub preload: Preload,
    /// Which move is played.
    pub last: Final,
    /// How players choose who move at the same time.
    pub joint: Joint,
    /// Whether everything is open to everybody after the move to decide on, in games that can be opened.
    pub open: bool,
    /// Whether wins, draws and losses are proven (MCTS-Solver). Decoupled players, others who choose by the searcher's rewards
    /// and a tree for many worlds prove nothing.
    pub solve: bool,
}

impl Settings {
    /// The usual settings.
    pub const USUAL: Settings = Settings {
        c: EXPLORATION,
        memory: 1 << 30,
        simulation: Simulation::UNIFORM,
        narrow: Narrow::OFF,
        patience: 0,
        log: Log::Node,
        others: Others::Own,
        preload: Preload::Nothing,
        last: Final::Visits,
        joint: Joint::Sequence,
        open: false,
        solve: false,
    };

    /// Whether anything is proven.
    pub(super) fn proves(&self) -> bool {
        self.solve && self.joint == Joint::Sequence && self.others == Others::Own
    }
}

impl Default for Settings {
    fn default() -> Self {
        Settings::USUAL
    }
}

//! The agents of this crate by name: one line each.

use fogtree_core::AgentEntry;

use crate::{
    basic, bs_mcts, exact, gt_cfr, info_tree, is_mcts, ismcts, multi_tree, oos, pimc, plans, sm_mcts, tiigr,
    uct,
};

static ENTRIES: &[&AgentEntry] = &[
    &basic::random::ENTRY,
    &basic::policy::ENTRY,
    &basic::first::ENTRY,
    &basic::flat::ENTRY,
    &uct::entry::UCT,
    &uct::entry::CHEATING_UCT,
    &plans::entry::DLMC,
    &plans::entry::M3LEE,
    &plans::entry::RHEA,
    &plans::entry::TBETS,
    &exact::entry::MINIMAX,
    &exact::entry::CHEATING_MINIMAX,
    &exact::entry::STAR_MINIMAX,
    &pimc::entry::PIMC,
    &tiigr::entry::ENTRY,
    &pimc::entry::CHEATING_ENSEMBLE,
    &exact::entry::PIMC_MINIMAX,
    &exact::entry::IS_EXPECTIMAX,
    &ismcts::entry::SO_ISMCTS,
    &ismcts::entry::SO_ISMCTS_POM,
    &ismcts::entry::MO_ISMCTS,
    &ismcts::entry::RIS_MCTS,
    &multi_tree::entry::MT_MO_ISMCTS,
    &multi_tree::entry::CHEATING_MT_MO_ISMCTS,
    &bs_mcts::entry::ENTRY,
    &is_mcts::entry::IS_MCTS,
    &info_tree::entry::IST_MINIMAX,
    &info_tree::entry::IST_UCT,
    &is_mcts::entry::SMOOTH_UCT,
    &oos::entry::ENTRY,
    &gt_cfr::entry::ENTRY,
    &sm_mcts::entry::SM_MCTS,
    &sm_mcts::entry::SM_OOS,
];

/// All agents of this crate.
pub fn entries() -> impl Iterator<Item = &'static AgentEntry> {
    ENTRIES.iter().copied()
}

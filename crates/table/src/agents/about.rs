//! What the standard agents are called and what they take.

mod equilibrium;
mod information_sets;
mod params;
mod planners;
mod worlds;

use fogtree_core::About;

/// What exists.
pub(super) const ALL: &[&About] = &[
    &worlds::RANDOM,
    &worlds::POLICY,
    &worlds::FIRST_LEGAL,
    &worlds::FLAT_MC,
    &worlds::UCT,
    &worlds::CHEATING_UCT,
    &planners::DLMC,
    &planners::M3LEE,
    &planners::RHEA,
    &planners::TBETS,
    &worlds::MINIMAX,
    &worlds::CHEATING_MINIMAX,
    &worlds::STAR_MINIMAX,
    &worlds::PIMC,
    &worlds::TIIGR,
    &worlds::CHEATING_ENSEMBLE,
    &worlds::PIMC_MINIMAX,
    &worlds::IS_EXPECTIMAX,
    &information_sets::SO_ISMCTS,
    &information_sets::SO_ISMCTS_POM,
    &information_sets::MO_ISMCTS,
    &information_sets::RIS_MCTS,
    &information_sets::MT_MO_ISMCTS,
    &information_sets::CHEATING_MT_MO_ISMCTS,
    &information_sets::BS_MCTS,
    &equilibrium::IS_MCTS,
    &equilibrium::IST_MINIMAX,
    &equilibrium::IST_UCT,
    &equilibrium::SMOOTH_UCT,
    &equilibrium::OOS,
    &equilibrium::SM_MCTS,
    &equilibrium::SM_OOS,
];

//! Two-player games of opposite interests in sequence form (von Stengel 1996; equilibrium 1.7, 2.7).
//!
//! Variables are the first player's plan `x` and, for each information set `J` of the second player and for
//! the root, a bound `p` on what the first player gets there:
//!
//! max `p_root` such that `x` is a plan, and for every sequence `t` of the second player
//! `p_set(t) - sum of p_J over the sets J that t leads to <= sum over s of g(s, t) x(s)`,
//!
//! where `g(s, t)` are the chance-weighted payoffs. The multipliers of these constraints are the second player's
//! plan. An interior-point solver (clarabel) is asked for both.

use fogtree_core::{Deadline, Player, Utility};

use super::interior::{Constraints, NoSolution};
use crate::best_response::Evaluation;
use crate::compiled::{Compiled, Treeplex};
use crate::strategy::Profile;

/// An equilibrium.
#[derive(Clone, PartialEq, Debug)]
pub struct SequenceSolution {
    /// What the first player earns, as the programme has it.
    pub value: f64,
    /// The cleaned strategies.
    pub profile: Profile,
    /// How good they are: their NashConv certifies the solution.
    pub evaluation: Evaluation,
    /// Steps of the interior-point method.
    pub iterations: u64,
}

/// What a plan is worth less than this, clarabel may have made up.
const NOISE: f64 = 1e-8;

/// Solves the game by one linear programme.
pub fn solve_sequence_form(game: &Compiled) -> Result<SequenceSolution, NoSolution> {
    solve_in_time(game, &Deadline::NEVER)
}

/// Solves the game by one linear programme, in time or not at all.
pub(crate) fn solve_in_time(game: &Compiled, until: &Deadline) -> Result<SequenceSolution, NoSolution> {
    if game.players() != 2 || game.utility() == Utility::General {
        return Err(NoSolution::NotZeroSum);
    }
    let (own, other) = (game.treeplex(Player(0)), game.treeplex(Player(1)));
    let (plans, bounds) = (own.sequences(), other.sets() + 1);
    let mut constraints = Constraints::default();

    // x(empty) = 1, and in each set the actions share what leads there.
    constraints.entry(0, 0, 1.0);
    constraints.right.push(1.0);
    for (set, (parent, actions)) in own.iter().enumerate() {
        constraints.entry(set + 1, parent, -1.0);
        actions.for_each(|s| constraints.entry(set + 1, s, 1.0));
        constraints.right.push(0.0);
    }
    let equalities = constraints.right.len();

    // The bounds, one constraint for each sequence of the other player. Bound 0 is the root's, the others
    // follow in the order of the sets.
    let bound = |set: usize| plans + 1 + set;
    let row = |sequence: usize| equalities + sequence;
    constraints.entry(row(0), plans, 1.0);
    for (set, (parent, actions)) in other.iter().enumerate() {
        constraints.entry(row(parent), bound(set), -1.0);
        actions.for_each(|s| constraints.entry(row(s), bound(set), 1.0));
    }
    for (s, t, payoff) in game.payoffs(Player(0)) {
        constraints.entry(row(t), s, -payoff);
    }
    constraints.right.extend(std::iter::repeat_n(0.0, other.sequences()));

    // x >= 0.
    for s in 0..plans {
        constraints.entry(equalities + other.sequences() + s, s, -1.0);
        constraints.right.push(0.0);
    }

    let mut objective = vec![0.0; plans + bounds];
    objective[plans] = -1.0;
    let solution = constraints.minimise(&objective, equalities, until)?;

    let first = plan_cleaned(own, &solution.variables[..plans]);
    let second = plan_cleaned(other, &solution.multipliers[equalities..][..other.sequences()]);
    let profile = Profile::from_weights(game, &[first, second]);
    let evaluation = Evaluation::of(game, &profile);
    let value = solution.variables[plans];
    Ok(SequenceSolution { value, profile, evaluation, iterations: solution.iterations })
}

/// What is left of a plan without noise: nothing in information sets that are not reached.
fn plan_cleaned(treeplex: &Treeplex, plan: &[f64]) -> Vec<f64> {
    let mut cleaned = vec![0.0; treeplex.sequences()];
    for (_, actions) in treeplex.iter() {
        let reach: f64 = plan[actions.clone()].iter().map(|x| x.max(0.0)).sum();
        if reach > NOISE {
            let least = NOISE.min(reach * 1e-3);
            actions.for_each(|s| cleaned[s] = if plan[s] > least { plan[s] } else { 0.0 });
        }
    }
    cleaned
}

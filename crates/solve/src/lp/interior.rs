//! Linear programmes by an interior-point method (clarabel).

use clarabel::algebra::CscMatrix;
use clarabel::solver::{
    DefaultSettingsBuilder, DefaultSolver, IPSolver, NonnegativeConeT, SolverStatus, ZeroConeT,
};
use fogtree_core::Deadline;

/// Why there is no solution.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum NoSolution {
    /// Not a two-player game of opposite interests.
    #[error(
        "a linear programme solves two-player games in which one wins what the other loses; this one is not \
         such a game, use cfr or fictitious-play"
    )]
    NotZeroSum,
    /// The method gave up.
    #[error("the linear programme could not be solved: {0}")]
    Solver(String),
    /// It was time to leave off.
    #[error(
        "the linear programme was not solved in time; give it more time, or use cfr+, which has a result at \
         any time"
    )]
    OutOfTime,
}

/// Constraints `A z + s = b` with `s = 0` in the first rows and `s >= 0` in the others, written down entry by
/// entry.
#[derive(Default)]
pub(super) struct Constraints {
    rows: Vec<usize>,
    columns: Vec<usize>,
    values: Vec<f64>,
    pub(super) right: Vec<f64>,
}

/// Where a programme has its minimum.
pub(super) struct Solution {
    pub(super) variables: Vec<f64>,
    /// One for each constraint.
    pub(super) multipliers: Vec<f64>,
    pub(super) iterations: u64,
}

impl Constraints {
    pub(super) fn entry(&mut self, row: usize, column: usize, value: f64) {
        self.rows.push(row);
        self.columns.push(column);
        self.values.push(value);
    }

    /// Makes the objective as small as the constraints allow; so many of them, the first, are equations.
    pub(super) fn minimise(
        self,
        objective: &[f64],
        equations: usize,
        until: &Deadline,
    ) -> Result<Solution, NoSolution> {
        let (rows, variables) = (self.right.len(), objective.len());
        let matrix = CscMatrix::new_from_triplets(rows, variables, self.rows, self.columns, self.values);
        let settings = DefaultSettingsBuilder::default()
            .verbose(false)
            .tol_gap_abs(1e-10)
            .tol_gap_rel(1e-10)
            .tol_feas(1e-10)
            .build()
            .map_err(|e| NoSolution::Solver(e.to_string()))?;
        let none = CscMatrix::zeros((variables, variables));
        let cones = [ZeroConeT(equations), NonnegativeConeT(rows - equations)];
        let mut solver = DefaultSolver::new(&none, objective, &matrix, &self.right, &cones, settings)
            .map_err(|e| NoSolution::Solver(e.to_string()))?;
        let until = until.clone();
        solver.set_termination_callback(move |_: &_| until.has_passed());
        solver.solve();
        let solution = solver.solution;
        match solution.status {
            SolverStatus::Solved
            | SolverStatus::AlmostSolved
            | SolverStatus::InsufficientProgress
            | SolverStatus::MaxIterations => Ok(Solution {
                variables: solution.x,
                multipliers: solution.z,
                iterations: u64::from(solution.iterations),
            }),
            SolverStatus::CallbackTerminated => Err(NoSolution::OutOfTime),
            status => Err(NoSolution::Solver(format!("{status:?}"))),
        }
    }
}

//! Backward induction for games in which nothing is hidden but what the other chooses at the same moment.
//!
//! Such a game is a tree of matrix games (Lisý 2014, §2.1.3): the value of a state with a joint turn is the
//! value of the matrix of its children's values. Equal states are looked at once. Two refinements (equilibrium
//! 2.7; Bošanský and others, *Using double-oracle method and serialized alpha-beta search for pruning in
//! simultaneous move games*, 2013) look at fewer states:
//! - *serialised bounds*: if the first player had to show its choice first everywhere, it would get at most the
//!   value; if the second had to, the first would get at least the value. Where both are equal, they are it;
//! - *double oracle*: a matrix is solved for a few rows and columns, and best responses among all rows and
//!   columns are added until there are no better ones; entries are looked at only when needed.

use fogtree_core::{
    Chance, Deadline, FastPlay, Observer, Player, Purpose, Scratch, Seed, StateMap, Step, Turn, Utility,
};

use crate::compiled::Compiled;
use crate::deep::MAX_DEPTH;
use crate::lp::{Inexact, Matrix, MatrixSolution};
use crate::strategy::Profile;
use crate::walk::{Go, visit};

/// How to go about it.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Method {
    /// Every state is solved.
    #[default]
    Plain,
    /// States whose serialised bounds are equal are not looked into.
    AlphaBeta,
    /// The same, and rows and columns are added as needed.
    DoubleOracle,
}

/// Why a game cannot be solved backwards.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum NotBackward {
    /// Something is hidden.
    #[error("backward induction needs a game in which nothing is hidden; use sequence-lp or cfr+")]
    Hidden,
    /// Not two players of opposite interests.
    #[error("backward induction is for two players of whom one wins what the other loses; use cfr or uct")]
    NotZeroSum,
    /// Chance has too many outcomes to list.
    #[error("backward induction needs chance whose outcomes can be listed; use mo-ismcts or uct")]
    SampledChance,
    /// Too many states.
    #[error("there are more than {0} states; raise the limit, or let mo-ismcts or uct search while playing")]
    TooLarge(usize),
    /// The tree is too deep.
    #[error("matches may take more than {MAX_DEPTH} steps; let mo-ismcts or uct search while playing")]
    TooDeep,
    /// A matrix could not be solved.
    #[error(transparent)]
    Inexact(#[from] Inexact),
    /// It was time to leave off.
    #[error(
        "backward induction was not done in time, and has no result before; give it more time, or use cfr+ \
         if the tree is small enough"
    )]
    OutOfTime,
}

/// What was done.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Effort {
    /// States whose value was found by looking at their children.
    pub states: u64,
    /// Matrices solved, whole or in part.
    pub matrices: u64,
    /// Of these, matrices without a saddle point.
    pub mixed: u64,
    /// States whose serialised bounds were found.
    pub bounds: u64,
}

/// A game being solved; values found are kept.
#[derive(Debug)]
pub struct Backward<'a, R: FastPlay> {
    rules: &'a R,
    method: Method,
    limit: usize,
    values: StateMap<R::State, f64>,
    /// What the first player gets if it has to choose first everywhere, and if the second has to.
    bounds: [StateMap<R::State, f64>; 2],
    effort: Effort,
    /// How many states are being looked at, one below the other.
    depth: usize,
    /// How many states have been looked at in all.
    entered: u64,
    until: Deadline,
}

/// The clock is looked at once in so many states.
const LOOK: u64 = 64;

/// Bounds closer than this are equal.
const EQUAL: f64 = 1e-12;
/// When best responses gain no more than this, the double oracle is done.
const GAIN: f64 = 1e-10;

impl<'a, R: FastPlay> Backward<'a, R> {
    /// Checks that the game can be solved backwards; `limit` is how many states may be kept.
    pub fn new(rules: &'a R, method: Method, limit: usize) -> Result<Self, NotBackward> {
        let facts = rules.facts();
        if facts.hidden {
            return Err(NotBackward::Hidden);
        }
        if facts.players != 2 || facts.utility == Utility::General {
            return Err(NotBackward::NotZeroSum);
        }
        if facts.chance == Chance::Sampled {
            return Err(NotBackward::SampledChance);
        }
        let bounds = [StateMap::default(), StateMap::default()];
        Ok(Backward {
            rules,
            method,
            limit,
            values: StateMap::default(),
            bounds,
            effort: Effort::default(),
            depth: 0,
            entered: 0,
            until: Deadline::NEVER,
        })
    }

    /// Leaves off at a deadline, with [`NotBackward::OutOfTime`].
    #[must_use]
    pub fn until(self, until: Deadline) -> Self {
        Backward { until, ..self }
    }

    /// What was done so far.
    pub fn effort(&self) -> Effort {
        self.effort
    }

    /// What the first player gets from a state on.
    pub fn value(&mut self, state: &R::State) -> Result<f64, NotBackward> {
        let turn = self.rules.turn(state);
        if turn == Turn::Terminal {
            return Ok(self.rules.rewards(state)[Player(0)]);
        }
        if let Some(&known) = self.values.get(state) {
            return Ok(known);
        }
        self.enter()?;
        let bounds = match self.method {
            Method::Plain => None,
            Method::AlphaBeta | Method::DoubleOracle => {
                Some([self.bound(state, Player(0))?, self.bound(state, Player(1))?])
            }
        };
        let value = match (bounds, turn) {
            (Some([least, most]), _) if most - least <= EQUAL => least,
            (_, Turn::Chance) => self.expected(state, |this, child| this.value(child))?,
            (Some(bounds), Turn::Simultaneous(p)) if p.len() == 2 && self.method == Method::DoubleOracle => {
                self.effort.states += 1;
                self.double_oracle(state, bounds)?
            }
            _ => {
                self.effort.states += 1;
                let (value, mixed) = self.matrix(state)?.value()?;
                self.effort.matrices += 1;
                self.effort.mixed += u64::from(mixed);
                value
            }
        };
        if self.values.len() >= self.limit {
            return Err(NotBackward::TooLarge(self.limit));
        }
        self.values.insert(state.clone(), value);
        self.depth -= 1;
        Ok(value)
    }

    /// Goes one state deeper, if there is stack and time enough.
    fn enter(&mut self) -> Result<(), NotBackward> {
        self.depth += 1;
        self.entered += 1;
        if self.entered.is_multiple_of(LOOK) && self.until.has_passed() {
            return Err(NotBackward::OutOfTime);
        }
        if self.depth > MAX_DEPTH { Err(NotBackward::TooDeep) } else { Ok(()) }
    }

    /// Optimal choices in a state in which players are to move: rows are the first player's legal actions,
    /// columns the second's. A player who is not to move has one choice.
    pub fn solution(&mut self, state: &R::State) -> Result<MatrixSolution, NotBackward> {
        let matrix = self.matrix(state)?;
        let solution = matrix.solve().exact()?;
        self.effort.matrices += 1;
        self.effort.mixed += u64::from(solution.saddle.is_none());
        Ok(solution)
    }

    /// The matrix of values after every joint choice.
    pub fn matrix(&mut self, state: &R::State) -> Result<Matrix, NotBackward> {
        let legal = self.legal(state);
        let (rows, columns) = (legal[0].len().max(1), legal[1].len().max(1));
        let mut entries = Vec::with_capacity(rows * columns);
        for row in 0..rows {
            for column in 0..columns {
                let child = self.child(state, &legal, row, column);
                entries.push(self.value(&child)?);
            }
        }
        Ok(Matrix::new(columns, entries))
    }

    /// Optimal choices everywhere, for the same game compiled.
    pub fn profile(&mut self, compiled: &Compiled) -> Result<Profile, NotBackward> {
        let rules = self.rules;
        let mut profile = Profile::uniform(compiled);
        let mut failed = None;
        visit(rules, &mut |node| {
            let players = node.turn.players();
            if players.is_empty() || failed.is_some() {
                return if failed.is_some() { Go::Back } else { Go::Deeper };
            }
            match self.solution(node.state) {
                Ok(solution) => {
                    for p in players.iter() {
                        let mixed = if p == Player(0) { &solution.rows } else { &solution.columns };
                        if let Some(set) = compiled.treeplex(p).find(node.keys.of(Observer::Seat(p))) {
                            profile.set(compiled, p, set, mixed);
                        }
                    }
                }
                Err(error) => failed = Some(error),
            }
            Go::Deeper
        });
        failed.map_or(Ok(profile), Err)
    }

    /// What both players get together at the end of any game.
    pub fn sum_of_rewards(&self) -> f64 {
        let mut state = self.rules.start();
        let mut rng = Seed(0).stream(Purpose::Playout);
        self.rules.playout(&mut state, &mut rng, &mut Scratch::default()).iter().sum()
    }

    /// The legal actions of both players; none of a player who is not to move.
    fn legal(&self, state: &R::State) -> [Vec<R::Action>; 2] {
        let players = self.rules.turn(state).players();
        [Player(0), Player(1)].map(|p| {
            let mut legal = Vec::new();
            if players.contains(p) {
                self.rules.actions(state, p, &mut legal);
            }
            legal
        })
    }

    #[inline]
    fn child(&self, state: &R::State, legal: &[Vec<R::Action>; 2], row: usize, column: usize) -> R::State {
        let mut child = state.clone();
        let mut apply = |moves: &[_]| self.rules.apply(&mut child, Step::Moves(moves));
        match (legal[0].get(row), legal[1].get(column)) {
            (Some(&first), Some(&second)) => apply(&[(Player(0), first), (Player(1), second)]),
            (Some(&first), None) => apply(&[(Player(0), first)]),
            (None, Some(&second)) => apply(&[(Player(1), second)]),
            (None, None) => {}
        }
        child
    }

    fn expected(
        &mut self,
        state: &R::State,
        mut value: impl FnMut(&mut Self, &R::State) -> Result<f64, NotBackward>,
    ) -> Result<f64, NotBackward> {
        let mut outcomes = Vec::new();
        self.rules.chance(state, &mut outcomes);
        let mut sum = 0.0;
        for (outcome, p) in &outcomes {
            let mut child = state.clone();
            self.rules.apply(&mut child, Step::Chance(outcome));
            sum += p * value(self, &child)?;
        }
        Ok(sum)
    }

    /// What the first player gets if `first` has to choose first everywhere.
    fn bound(&mut self, state: &R::State, first: Player) -> Result<f64, NotBackward> {
        let turn = self.rules.turn(state);
        if turn == Turn::Terminal {
            return Ok(self.rules.rewards(state)[Player(0)]);
        }
        if let Some(&known) = self.bounds[first.index()].get(state) {
            return Ok(known);
        }
        self.enter()?;
        let bound = if turn == Turn::Chance {
            self.expected(state, |this, child| this.bound(child, first))?
        } else {
            // From the first chooser's side: `sign` times the payoff is what it wants much of.
            let sign = if first == Player(0) { 1.0 } else { -1.0 };
            let legal = self.legal(state);
            let count = |p: Player| legal[p.index()].len().max(1);
            let mut best = f64::NEG_INFINITY;
            for own in 0..count(first) {
                let mut worst = f64::INFINITY;
                for answer in 0..count(first.other()) {
                    let (row, column) = if first == Player(0) { (own, answer) } else { (answer, own) };
                    let child = self.child(state, &legal, row, column);
                    worst = worst.min(sign * self.bound(&child, first)?);
                    if worst <= best {
                        break;
                    }
                }
                best = best.max(worst);
            }
            sign * best
        };
        self.effort.bounds += 1;
        let known = &mut self.bounds[first.index()];
        if known.len() >= self.limit {
            return Err(NotBackward::TooLarge(self.limit));
        }
        known.insert(state.clone(), bound);
        self.depth -= 1;
        Ok(bound)
    }

    fn double_oracle(&mut self, state: &R::State, [least, most]: [f64; 2]) -> Result<f64, NotBackward> {
        let legal = self.legal(state);
        let mut cells = Cells::new(state, &legal);
        let (mut rows, mut columns) = (vec![0], vec![0]);
        loop {
            let mut entries = Vec::with_capacity(rows.len() * columns.len());
            for &row in &rows {
                for &column in &columns {
                    entries.push(cells.exact(self, row, column)?);
                }
            }
            let part = Matrix::new(columns.len(), entries).solve().exact()?;
            self.effort.matrices += 1;
            let row = cells.best(self, Player(0), &columns, &part.columns)?;
            let column = cells.best(self, Player(1), &rows, &part.rows)?;
            let (above, below) = (row.1, -column.1);
            let new = [!rows.contains(&row.0), !columns.contains(&column.0)];
            if above - below <= GAIN || new == [false, false] {
                self.effort.mixed += u64::from(part.saddle.is_none());
                return Ok(part.value);
            }
            if above <= least + EQUAL {
                return Ok(least);
            }
            if below >= most - EQUAL {
                return Ok(most);
            }
            if new[0] {
                rows.push(row.0);
            }
            if new[1] {
                columns.push(column.0);
            }
        }
    }
}

/// The entries of one matrix, looked at when needed.
struct Cells<'s, R: FastPlay> {
    state: &'s R::State,
    legal: &'s [Vec<R::Action>; 2],
    /// Values, as far as they were needed.
    exact: Vec<Option<f64>>,
    /// Bounds by who chooses first, as far as they were needed.
    bounds: [Vec<Option<f64>>; 2],
}

impl<'s, R: FastPlay> Cells<'s, R> {
    fn new(state: &'s R::State, legal: &'s [Vec<R::Action>; 2]) -> Self {
        let unknown = vec![None; legal[0].len() * legal[1].len()];
        Cells { state, legal, exact: unknown.clone(), bounds: [unknown.clone(), unknown] }
    }

    fn place(&self, row: usize, column: usize) -> usize {
        row * self.legal[1].len() + column
    }

    fn exact(&mut self, of: &mut Backward<'_, R>, row: usize, column: usize) -> Result<f64, NotBackward> {
        let place = self.place(row, column);
        if let Some(known) = self.exact[place] {
            return Ok(known);
        }
        let value = of.value(&of.child(self.state, self.legal, row, column))?;
        self.exact[place] = Some(value);
        Ok(value)
    }

    fn bound(
        &mut self,
        of: &mut Backward<'_, R>,
        row: usize,
        column: usize,
        first: Player,
    ) -> Result<f64, NotBackward> {
        let place = self.place(row, column);
        if let Some(known) = self.exact[place].or(self.bounds[first.index()][place]) {
            return Ok(known);
        }
        let bound = of.bound(&of.child(self.state, self.legal, row, column), first)?;
        self.bounds[first.index()][place] = Some(bound);
        Ok(bound)
    }

    /// The best choice of a player against a mixed choice of the other, and what the player (not the first
    /// player) gets by it. Choices whose bounds are not better than the best so far are not looked into.
    fn best(
        &mut self,
        of: &mut Backward<'_, R>,
        who: Player,
        others: &[usize],
        mixed: &[f64],
    ) -> Result<(usize, f64), NotBackward> {
        let sign = if who == Player(0) { 1.0 } else { -1.0 };
        let mut best = (0, f64::NEG_INFINITY);
        let place = |own: usize, other: usize| if who == Player(0) { (own, other) } else { (other, own) };
        for own in 0..self.legal[who.index()].len() {
            let faced = || others.iter().zip(mixed).filter(|(_, p)| **p > 0.0);
            let mut hope = 0.0;
            for (&other, p) in faced() {
                let (row, column) = place(own, other);
                // What this player would get if the other had to choose first is the most it can hope for.
                hope += p * sign * self.bound(of, row, column, who.other())?;
            }
            if hope <= best.1 {
                continue;
            }
            let mut value = 0.0;
            for (&other, p) in faced() {
                let (row, column) = place(own, other);
                value += p * sign * self.exact(of, row, column)?;
            }
            if value > best.1 {
                best = (own, value);
            }
        }
        Ok(best)
    }
}

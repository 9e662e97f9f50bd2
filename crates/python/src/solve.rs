//! Equilibria of whole games, and how far from one somebody plays.

use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use fogtree_core::files::{read_text, write_whole};
use fogtree_core::{Deadline, Seed};
use fogtree_lab::curve::{Curve, CurvePoint};
use fogtree_solve::strategy::{Entry, LARGEST_FILE};
use fogtree_solve::{Config, Solver, StrategyFile};
use fogtree_table::{AnyGame, AnyTable, Asking, NoAgentStrategy, Solved, agent_strategy, each_infoset, wire};
use numpy::PyArray1;
use pyo3::prelude::*;
use std::io::Write as _;

use crate::agent::duration;
use crate::convert::{array, to_python};
use crate::errors::{failed, input};
use crate::game::{Game, REGISTRY};
use crate::infoset::InfoSet;
use crate::worker::{escape, interruptible, is_over};

/// The names of the solvers that there are.
///
/// >>> import fogtree as ft
/// >>> "cfr+" in ft.solvers()
/// True
#[pyfunction]
pub(crate) fn solvers() -> Vec<&'static str> {
    fogtree_solve::solver::ALL.iter().map(|about| about.name).collect()
}

/// What a solver has found.
///
/// >>> import fogtree as ft
/// >>> solution = ft.solve(ft.game("kuhn-poker"), "cfr+", iterations=1000)
/// >>> round(solution.value, 3)  # the first player loses 1/18 in Kuhn poker
/// -0.056
#[pyclass(frozen, module = "fogtree")]
pub(crate) struct Solution {
    game: Arc<dyn AnyGame>,
    wire: wire::Solution,
    solved: Solved,
    curve: Curve,
}

#[pymethods]
impl Solution {
    /// What the first player earns.
    #[getter]
    fn value(&self) -> f64 {
        self.wire.value
    }

    /// What each player earns.
    #[getter]
    fn values<'py>(&self, py: Python<'py>) -> Bound<'py, PyArray1<f64>> {
        array(py, self.wire.values.clone())
    }

    /// NashConv divided by the number of players; None if that could not be found out.
    #[getter]
    fn exploitability(&self) -> Option<f64> {
        self.wire.exploitability
    }

    /// What all players together would gain by best responses; None if that could not be found out.
    #[getter]
    fn nash_conv(&self) -> Option<f64> {
        self.wire.nash_conv
    }

    /// Iterations made.
    #[getter]
    fn iterations(&self) -> u64 {
        self.wire.iterations
    }

    /// Seconds spent.
    #[getter]
    fn seconds(&self) -> f64 {
        self.wire.seconds
    }

    /// How exploitability fell: dictionaries with `iterations`, `seconds`, `value`, `nash_conv`, `exploitability`.
    #[getter]
    fn curve<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        let points = self.curve.points.iter().map(|point| point.counted_in(self.curve.unit));
        to_python(py, &points.collect::<Vec<_>>())
    }

    /// The curve as an SVG picture: NashConv over iterations, both logarithmic.
    fn svg(&self) -> PyResult<String> {
        match self.curve.points[..] {
            [] => Err(input("this solver has no curve")),
            _ => Ok(self.curve.svg()),
        }
    }

    fn _repr_svg_(&self) -> Option<String> {
        self.svg().ok()
    }

    /// The strategies of all players.
    #[getter]
    fn strategy(&self) -> PyResult<Strategy> {
        let file = self.solved.strategies.clone();
        let file = file.ok_or_else(|| failed("the tree is too large to write strategies down"))?;
        Ok(Strategy { game: Arc::clone(&self.game), file: Arc::new(file) })
    }

    /// Everything as plain data, as `fogtree solve --json` prints it.
    fn to_dict<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        to_python(py, &self.wire)
    }

    fn __repr__(&self) -> String {
        let wire::Solution { game, solver, value, .. } = &self.wire;
        let exploitability =
            self.wire.exploitability.map_or_else(String::new, |e| format!(", exploitability {e:.3e}"));
        format!("<fogtree.Solution of {game} with {solver}: value {value:.6}{exploitability}>")
    }
}

/// What solvers count.
const UNIT: &str = "iterations";

/// Solves a whole game.
#[pyfunction]
#[allow(clippy::too_many_arguments, reason = "the options of a solver, by name in Python")]
pub(crate) fn _solve(
    py: Python<'_>,
    game: &Game,
    solver: &str,
    iterations: Option<u64>,
    time: Option<f64>,
    target: Option<f64>,
    nodes: Option<usize>,
    seed: u64,
    progress: Option<Py<PyAny>>,
) -> PyResult<Solution> {
    let game = Arc::clone(&game.0);
    let found = solver.parse().and_then(|spec| Solver::from_spec(&spec)).map_err(input)?;
    if target.is_some_and(|t| t.is_nan() || t <= 0.0) {
        return Err(input("target: expected an exploitability above 0"));
    }
    let stop = Arc::<AtomicBool>::default();
    let base = Config::new(found);
    let config = Config {
        iterations,
        time: time.map(duration).transpose()?,
        target,
        limit: nodes.unwrap_or(base.limit),
        seed: Seed(seed),
        stop: Some(Arc::clone(&stop)),
        ..base
    };
    let (host, name) = (Arc::clone(&game), solver.to_string());
    let work = move || {
        let mut points = Vec::new();
        let mut tell = |point: &fogtree_solve::Progress| {
            let point = CurvePoint::from(point);
            points.push(point);
            if let Some(progress) = progress.as_ref().filter(|_| !is_over()) {
                let told =
                    Python::attach(|py| progress.call1(py, (to_python(py, &point.counted_in(UNIT))?,)));
                told.unwrap_or_else(|error| escape(error));
            }
        };
        let solved = host.solve(&config, Some(&name), &mut tell);
        (solved, points)
    };
    let (solved, points) = interruptible(py, &stop, work)?;
    let solved = solved.map_err(input)?;
    let wire = wire::Solution::of(game.spec(), solver, &solved);
    let curve = Curve { title: format!("{} with {solver}", game.spec()), unit: UNIT, points };
    Ok(Solution { game, wire, solved, curve })
}

/// Strategies of all players of a game: how likely each move is in every information set.
///
/// >>> import fogtree as ft
/// >>> game = ft.game("kuhn-poker")
/// >>> strategy = ft.solve(game, "cfr+", iterations=1000).strategy
/// >>> info = game.table(moves="K Q", chance="manual").infoset(0)
/// >>> strategy.probabilities(info).sum().round(6)
/// np.float64(1.0)
#[pyclass(frozen, module = "fogtree")]
pub(crate) struct Strategy {
    game: Arc<dyn AnyGame>,
    file: Arc<StrategyFile>,
}

#[pymethods]
impl Strategy {
    /// How likely each legal move of an information set is, in their order; None where the strategy says nothing.
    fn probabilities<'py>(
        &self,
        py: Python<'py>,
        info: &InfoSet,
    ) -> PyResult<Option<Bound<'py, PyArray1<f64>>>> {
        let names = info.info.legal_names();
        let Some(entry) = self.file.infosets.iter().find(|e| e.key == info.info.key) else { return Ok(None) };
        let of = |name: &String| {
            let place = entry.actions.iter().position(|a| a == name);
            place
                .map(|i| entry.probabilities[i])
                .ok_or_else(|| input(format!("the strategy has no move '{name}'")))
        };
        Ok(Some(array(py, names.iter().map(of).collect::<PyResult<_>>()?)))
    }

    /// All information sets as plain data: key, player, what is known, moves, probabilities.
    #[getter]
    fn infosets<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        to_python(py, &self.file.infosets)
    }

    /// Writes the file that the agent `strategy(file=...)` plays and `fogtree exploit` reads.
    fn save(&self, path: PathBuf) -> PyResult<()> {
        write_whole(&path, |out| out.write_all(self.file.write().as_bytes())).map_err(failed)
    }

    fn __len__(&self) -> usize {
        self.file.infosets.len()
    }

    fn __repr__(&self) -> String {
        format!("<fogtree.Strategy of {} information sets in {}>", self.file.infosets.len(), self.game.spec())
    }
}

/// Strategies from a file, or from how likely moves are by the key of an information set.
#[pyfunction]
pub(crate) fn _strategy(game: &Game, source: &Bound<'_, PyAny>) -> PyResult<Strategy> {
    let game = Arc::clone(&game.0);
    if let Ok(path) = source.extract::<PathBuf>() {
        let bad = |why: String| input(format!("{}: {why}", path.display()));
        let text = read_text(&path, LARGEST_FILE).map_err(bad)?;
        let file = StrategyFile::read(&text).map_err(|why| bad(why.to_string()))?;
        return Ok(Strategy { game, file: Arc::new(file) });
    }
    let mut entries = Vec::new();
    for one in source.try_iter()? {
        let (info, probabilities): (PyRef<'_, InfoSet>, Vec<f64>) = one?.extract()?;
        let (info, actions) = (&info.info, info.info.legal_names());
        let sum: f64 = probabilities.iter().sum();
        let sound = probabilities.len() == actions.len() && probabilities.iter().all(|p| *p >= 0.0);
        if !sound || (sum - 1.0).abs() > 1e-6 {
            let why = format!(
                "{} moves are legal ({}): expected as many probabilities, none negative, that add up to 1, not {probabilities:?}",
                actions.len(),
                actions.join(" ")
            );
            return Err(input(why));
        }
        let probabilities = probabilities.iter().map(|p| p / sum).collect();
        entries.push(Entry { key: info.key, seat: info.seat, text: String::new(), actions, probabilities });
    }
    let file = StrategyFile::of_entries(game.spec(), "python", entries);
    Ok(Strategy { game, file: Arc::new(file) })
}

/// One information set for every decision of a game that has at most so many nodes.
#[pyfunction]
pub(crate) fn _infosets(py: Python<'_>, game: &Game, nodes: usize) -> PyResult<Vec<InfoSet>> {
    let game = Arc::clone(&game.0);
    let stop = Arc::<AtomicBool>::default();
    let (host, flag) = (Arc::clone(&game), Arc::clone(&stop));
    let found = interruptible(py, &stop, move || {
        let (until, mut found) = (Deadline::after(None, Some(flag)), Vec::new());
        let mut visit = |table: &dyn AnyTable, seat| {
            found.push(table.infoset(seat));
            Ok(())
        };
        each_infoset(&*host, nodes, &until, &mut visit).map(|()| found)
    })?;
    let found = found.map_err(input)?;
    Ok(found.into_iter().map(|info| InfoSet { game: Arc::clone(&game), info }).collect())
}

/// How far from an equilibrium strategies are.
#[pyclass(frozen, module = "fogtree")]
pub(crate) struct Exploitability(wire::Exploitability);

#[pymethods]
impl Exploitability {
    /// NashConv divided by the number of players.
    #[getter]
    fn exploitability(&self) -> f64 {
        self.0.exploitability
    }

    /// What all players together would gain by best responses.
    #[getter]
    fn nash_conv(&self) -> f64 {
        self.0.nash_conv
    }

    /// What each player earns.
    #[getter]
    fn values<'py>(&self, py: Python<'py>) -> Bound<'py, PyArray1<f64>> {
        array(py, self.0.values.clone())
    }

    /// What each player would earn by a best response.
    #[getter]
    fn best_responses<'py>(&self, py: Python<'py>) -> Bound<'py, PyArray1<f64>> {
        array(py, self.0.best_responses.clone())
    }

    /// Of how many information sets the strategies say nothing: there they were taken to be random.
    #[getter]
    fn missing(&self) -> Option<usize> {
        self.0.missing
    }

    /// How the probabilities of an agent's moves were found: "exact", "own" or "counted".
    #[getter]
    fn strategy<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        to_python(py, &self.0.strategy)
    }

    /// How often the agent was asked in an information set, at most.
    #[getter]
    fn samples(&self) -> Option<u32> {
        self.0.samples
    }

    /// Everything as plain data, as `fogtree exploit --json` prints it.
    fn to_dict<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        to_python(py, &self.0)
    }

    fn __float__(&self) -> f64 {
        self.0.exploitability
    }

    fn __repr__(&self) -> String {
        format!("<fogtree.Exploitability {:.6} in {}>", self.0.exploitability, self.0.game)
    }
}

/// What best responses gain against an agent, asked so many times in every information set, or against strategies.
#[pyfunction]
pub(crate) fn _exploit(
    py: Python<'_>,
    game: &Game,
    who: &Bound<'_, PyAny>,
    samples: u32,
    count: bool,
    seed: u64,
    nodes: usize,
) -> PyResult<Exploitability> {
    let game = Arc::clone(&game.0);
    let stop = Arc::<AtomicBool>::default();
    let until = Deadline::after(None, Some(Arc::clone(&stop)));
    let mut asked_so = None;
    let file = match who.cast::<Strategy>() {
        Ok(strategy) => Arc::clone(&strategy.get().file),
        Err(_) => {
            let spec: String = who.extract()?;
            let (host, until, flag) = (Arc::clone(&game), until.clone(), Arc::clone(&stop));
            let asked = move || {
                let mut make = || {
                    let mut agent = REGISTRY.agent(&spec, &*host)?;
                    agent.budget.stop = Some(Arc::clone(&flag));
                    Ok(agent)
                };
                let asking = Asking { samples, count, seed: Seed(seed) };
                agent_strategy(&*host, &mut make, asking, nodes, &until)
            };
            let asked = interruptible(py, &stop, asked)?.map_err(|why| match why {
                NoAgentStrategy::Failed(_) => failed(why),
                _ => input(why),
            })?;
            asked_so = Some((asked.found, asked.samples));
            Arc::new(asked.file)
        }
    };
    let host = Arc::clone(&game);
    let solver = file.solver.clone();
    let found = interruptible(py, &stop, move || host.exploit(&file, nodes, &until))?.map_err(input)?;
    let mut told = wire::Exploitability::of_strategies(game.spec(), &solver, &found);
    (told.strategy, told.samples) = asked_so.unzip();
    Ok(Exploitability(told))
}

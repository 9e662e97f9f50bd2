//! Decisions, explained.

use std::sync::Arc;

use fogtree_core::{InfoSet, PerPlayer, Player, Progress, SearchTree as Tree};
use fogtree_draw::Theme;
use fogtree_draw::chart::escaped;
use fogtree_draw::tree::{Children, Convergence, Found, Part, TreeDrawing, tree_svg, value_range};
use fogtree_table::AnyGame;
use fogtree_table::wire;
use numpy::{PyArray1, PyArray2};
use pyo3::prelude::*;
use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::convert::{array, matrix, to_python};
use crate::errors::input;
use crate::game::Game;
use crate::guarded;
use crate::pickled::{Pickled, pickled, unpickled};

/// How a search stood at some time.
#[derive(Clone)]
pub(crate) struct Seen {
    iterations: u64,
    moves: Vec<(u64, Option<PerPlayer<f64>>)>,
}

impl Seen {
    pub(crate) fn of(progress: &Progress) -> Seen {
        let moves = progress.moves.iter().map(|m| (m.visits, m.values.clone())).collect();
        Seen { iterations: progress.iterations, moves }
    }
}

/// A decision of an agent and how it came about. It can be pickled, without its trees and its trace.
///
/// >>> import fogtree as ft
/// >>> game = ft.game("kuhn-poker")
/// >>> decision = ft.agent("mo-ismcts", game, seed=1).act(game.table(seed=1), iterations=100)
/// >>> int(decision.visits.sum()), decision.values.shape
/// (100, (2, 2))
#[pyclass(frozen, module = "fogtree")]
pub(crate) struct Decision {
    game: Arc<dyn AnyGame>,
    info: InfoSet,
    number: u32,
    wire: wire::Decision,
    trees: Vec<Arc<Tree>>,
    seen: Vec<Seen>,
}

impl Decision {
    pub(crate) fn new(
        game: &Arc<dyn AnyGame>,
        spec: &str,
        cheating: bool,
        info: &InfoSet,
        decision: fogtree_core::Decision,
        mut seen: Vec<Seen>,
    ) -> Decision {
        let asked = wire::Asked {
            game: game.spec().to_string(),
            agent: spec.to_string(),
            cheating,
            seat: info.seat,
            infoset: info.key,
            seed: None,
        };
        let mut report = decision.report;
        if !seen.is_empty() {
            let moves = report.moves.iter().map(|m| (m.visits, m.values.clone())).collect();
            seen.push(Seen { iterations: report.iterations, moves });
        }
        let trees = std::mem::take(&mut report.trees).into_iter().map(Arc::new).collect();
        let chosen = info.game.move_name(decision.action);
        let wire = wire::Decision::of(asked, &info.legal_names(), chosen, &report);
        Decision { game: Arc::clone(game), info: info.clone(), number: decision.action, wire, trees, seen }
    }

    fn rows<'py>(
        &self,
        py: Python<'py>,
        of: impl Fn(&wire::MoveFindings) -> Option<&PerPlayer<f64>>,
    ) -> PyResult<Bound<'py, PyArray2<f64>>> {
        let players = self.game.facts().players;
        let row = |m| of(m).map_or_else(|| vec![f64::NAN; players], |v| v.iter().copied().collect());
        matrix(py, &self.wire.moves.iter().map(row).collect::<Vec<_>>())
    }
}

#[pymethods]
impl Decision {
    /// The move chosen.
    #[getter]
    fn r#move(&self) -> &str {
        &self.wire.name
    }

    /// The number of the move chosen.
    #[getter]
    fn move_number(&self) -> u32 {
        self.number
    }

    /// The player that decided.
    #[getter]
    fn player(&self) -> u8 {
        self.info.seat.0
    }

    /// The names of the legal moves; `visits`, `values` and `margins` are in this order.
    #[getter]
    fn moves(&self) -> Vec<&str> {
        self.wire.moves.iter().map(|m| m.name.as_str()).collect()
    }

    /// How often each legal move was tried.
    #[getter]
    fn visits<'py>(&self, py: Python<'py>) -> Bound<'py, PyArray1<u64>> {
        array(py, self.wire.moves.iter().map(|m| m.visits).collect())
    }

    /// The mean reward of every player after each legal move, one row a move; NaN where it is not known.
    #[getter]
    fn values<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyArray2<f64>>> {
        self.rows(py, |m| m.values.as_ref())
    }

    /// Half the widths of the 95 % confidence intervals of the values, likewise.
    #[getter]
    fn margins<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyArray2<f64>>> {
        self.rows(py, |m| m.margins.as_ref())
    }

    /// Iterations made.
    #[getter]
    fn iterations(&self) -> Option<u64> {
        self.wire.iterations
    }

    /// Nodes of the tree.
    #[getter]
    fn nodes(&self) -> Option<u64> {
        self.wire.nodes
    }

    /// Seconds spent.
    #[getter]
    fn seconds(&self) -> f64 {
        self.wire.seconds
    }

    /// The moves expected, with who makes them.
    #[getter]
    fn line(&self) -> Vec<(Option<u8>, &str)> {
        self.wire.line.iter().map(|step| (step.by.map(|p| p.0), step.name.as_str())).collect()
    }

    /// What the agent believes about what is hidden, and what it takes others to believe: for each, who, and how
    /// likely each value is. Empty for agents that hold no beliefs.
    #[getter]
    fn beliefs<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        to_python(py, &self.wire.beliefs)
    }

    /// What there is to say of how the move was found.
    #[getter]
    fn remark(&self) -> Option<&str> {
        self.wire.remark.as_deref()
    }

    /// The search tree of the player that decided, if it was asked for (`act(..., tree=True)`).
    #[getter]
    fn tree(&self) -> Option<SearchTree> {
        self.trees.first().map(|tree| SearchTree { tree: Arc::clone(tree), player: self.info.seat })
    }

    /// All search trees, in searches with one for each player.
    #[getter]
    fn trees(&self) -> Vec<SearchTree> {
        self.trees.iter().map(|tree| SearchTree { tree: Arc::clone(tree), player: self.info.seat }).collect()
    }

    /// How the values of the most visited moves settled, as SVG, if that was kept (`act(..., trace=True)`).
    #[pyo3(signature = (top = 5, *, dark = false))]
    fn convergence(&self, top: usize, dark: bool) -> PyResult<String> {
        if self.seen.is_empty() {
            return Err(input(
                "nothing was kept of how the search went: ask with trace=True, and for longer than 10 ms",
            ));
        }
        let seat = self.info.seat;
        let point = |seen: &Seen| Found {
            iterations: seen.iterations,
            moves: seen.moves.iter().map(|(n, values)| (*n, values.as_ref().map(|v| v[seat]))).collect(),
        };
        let points: Vec<Found> = self.seen.iter().map(point).collect();
        let names: Vec<String> = self.wire.moves.iter().map(|m| m.name.clone()).collect();
        let title = format!("{} in {}", self.wire.asked.agent, self.wire.asked.game);
        Ok(Convergence { title: &title, names: &names, points: &points }.svg(top, theme(dark)))
    }

    /// Everything as plain data, as `fogtree analyse --json` prints it.
    fn to_dict<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        to_python(py, &self.wire)
    }

    fn _repr_html_(&self) -> String {
        let seat = self.info.seat;
        let number = |n: Option<f64>| n.map_or_else(String::new, |x| format!("{x:.3}"));
        let row = |m: &wire::MoveFindings| {
            let name = escaped(&m.name);
            let name = if m.name == self.wire.name { format!("<b>{name}</b>") } else { name };
            let share = m.share.map_or_else(String::new, |s| format!("{:.1} %", 100.0 * s));
            let value = number(m.values.as_ref().map(|v| v[seat]));
            let margin = m.margins.as_ref().map_or_else(String::new, |v| format!(" ± {:.3}", v[seat]));
            format!("<tr><td>{name}</td><td>{}</td><td>{share}</td><td>{value}{margin}</td></tr>", m.visits)
        };
        let mut moves: Vec<_> = self.wire.moves.iter().collect();
        moves.sort_by_key(|m| std::cmp::Reverse(m.visits));
        let rows: String = moves.into_iter().map(row).collect();
        let iterations = self.wire.iterations.map_or_else(String::new, |n| format!(", {n} iterations"));
        let (agent, game) = (escaped(&self.wire.asked.agent), escaped(&self.wire.asked.game));
        format!(
            "<table><caption>{agent} in {game}, player {seat}{iterations}, {:.3} s</caption><thead><tr><th>move</th>\
             <th>visits</th><th>share</th><th>value</th></tr></thead><tbody>{rows}</tbody></table>",
            self.wire.seconds
        )
    }

    fn __reduce__(&self, py: Python<'_>) -> PyResult<Pickled> {
        let infoset = guarded(|| Ok(self.info.to_json()))?;
        let written = Written { infoset, number: self.number, decision: self.wire.clone() };
        pickled(py, "_decision", Game(Arc::clone(&self.game)), &written)
    }

    fn __repr__(&self) -> String {
        let iterations = self.wire.iterations.map_or_else(String::new, |n| format!(" after {n} iterations"));
        format!("<fogtree.Decision {}{iterations}>", self.wire.name)
    }
}

/// A decision as it is pickled.
#[derive(Serialize, Deserialize)]
struct Written {
    infoset: Value,
    number: u32,
    decision: wire::Decision,
}

/// The decision that was pickled.
#[pyfunction]
pub(crate) fn _decision(game: &Game, text: &str) -> PyResult<Decision> {
    let Written { infoset, number, decision } = unpickled(text, "decision")?;
    let info = crate::infoset::InfoSet::read(game, infoset)?.info;
    let name = |mv| guarded(|| Ok(info.game.move_name(mv)));
    if !info.legal.contains(&number) || name(number)? != decision.name {
        return Err(input("this is not a pickled decision of fogtree: the move chosen is not legal"));
    }
    Ok(Decision {
        game: Arc::clone(&game.0),
        info,
        number,
        wire: decision,
        trees: Vec::new(),
        seen: Vec::new(),
    })
}

pub(crate) fn theme(dark: bool) -> Theme {
    if dark { Theme::Dark } else { Theme::Light }
}

/// A search tree.
///
/// In a notebook its first levels are drawn.
#[pyclass(frozen, module = "fogtree")]
pub(crate) struct SearchTree {
    tree: Arc<Tree>,
    player: Player,
}

#[pymethods]
impl SearchTree {
    /// The nodes as plain data, parents before their children.
    #[getter]
    fn nodes<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        let nodes = self.tree.nodes.iter().enumerate().map(|(id, node)| wire::TreeNode::of(id, node));
        to_python(py, &nodes.collect::<Vec<_>>())
    }

    /// A part of the tree as SVG: from a node on, so many levels, the most visited children of each.
    #[pyo3(signature = (*, node = 0, depth = 3, top = 5, dark = false))]
    fn svg(&self, node: usize, depth: u32, top: usize, dark: bool) -> PyResult<String> {
        if node >= self.tree.nodes.len() {
            return Err(input(format!("node={node}: the tree has {} nodes", self.tree.nodes.len())));
        }
        let children = Children::of(&self.tree);
        let branches = Part { node, depth, top, most: 200 }.branches(&self.tree, &children, self.player);
        let range = value_range(&self.tree, self.player);
        Ok(tree_svg(&branches, &TreeDrawing { theme: theme(dark), player: self.player, range }))
    }

    fn _repr_svg_(&self) -> PyResult<String> {
        self.svg(0, 2, 4, false)
    }

    fn __len__(&self) -> usize {
        self.tree.nodes.len()
    }

    fn __repr__(&self) -> String {
        format!("<fogtree.SearchTree of {} nodes>", self.tree.nodes.len())
    }
}

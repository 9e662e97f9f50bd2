//! One agent's search, on a thread of the pool.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::time::Duration;

use fogtree_core::{
    AgentFailure, Budget, Decision, Explain, InfoSet, LineStep, Player, Seed, TreeLimits, Watch, explain,
};
use fogtree_table::SeatAgent;
use fogtree_table::wire::{self, Findings, MoveFindings};
use serde::Serialize;

use super::super::jobs::{BROKEN, Stage};
use super::Search;
use super::history::History;
use super::tree::KeptTree;

/// What a search is held to.
#[derive(Clone, Copy, Debug)]
pub(super) struct Limits {
    /// Milliseconds and iterations that were asked for.
    pub(super) time: Option<u64>,
    pub(super) iterations: Option<u64>,
    pub(super) longest: Duration,
    pub(super) seed: u64,
    /// How many share the room for kept trees.
    pub(super) agents: usize,
}

/// A search ends when its trees have so many nodes: they would not fit in memory.
const MOST_NODES: u64 = 2_000_000;
/// So many nodes are kept to be looked into, of all agents of a search together.
const MOST_KEPT: usize = 50_000;
/// Nothing deeper is kept.
const DEEPEST: u32 = 100;
/// Of searches up to so many iterations, all nodes are; else those that were visited twice.
const SHORT: u64 = 20_000;
/// Those who watch are told this often.
const BETWEEN: Duration = Duration::from_millis(100);

/// One agent's search, as far as it has come.
#[derive(Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[cfg_attr(feature = "schema", schemars(rename = "AgentSearch"))]
pub(super) struct Run {
    /// The specification of the agent.
    pub(super) agent: String,
    /// Whether it looks at the true state.
    pub(super) cheats: bool,
    /// How far it has come.
    pub(super) state: Stage,
    /// What it has found so far.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) findings: Option<Findings>,
    /// What it has decided.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) decision: Option<wire::Decision>,
    /// Why it has decided nothing.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) error: Option<String>,
    /// What else there is to say of it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) note: Option<String>,
    /// Counts what those who listen have to be told.
    #[serde(skip)]
    pub(super) news: u64,
    #[serde(skip)]
    pub(super) history: History,
    #[serde(skip)]
    pub(super) line: Arc<Vec<LineStep>>,
    #[serde(skip)]
    pub(super) trees: Arc<Vec<KeptTree>>,
}

impl Run {
    /// An agent that waits.
    pub(super) fn of(agent: &SeatAgent) -> Run {
        Run {
            agent: agent.spec.clone(),
            cheats: agent.cheats,
            state: Stage::Waiting,
            findings: None,
            decision: None,
            error: None,
            note: None,
            news: 0,
            history: History::default(),
            line: Arc::default(),
            trees: Arc::default(),
        }
    }

    fn found(&mut self, findings: Findings, seat: Player) {
        self.history.add(findings.iterations, &findings.moves, seat);
        self.findings = Some(findings);
        self.news += 1;
    }

    fn failed(&mut self, why: String) {
        self.state = Stage::Failed;
        self.error = Some(why);
    }
}

impl Limits {
    /// What an agent may use, by its own budget and by what was asked for.
    fn budget(&self, own: &Budget) -> Budget {
        let asked = self.time.is_some() || self.iterations.is_some();
        let time = if asked { self.time.map(Duration::from_millis) } else { own.time };
        let iterations = if asked { self.iterations } else { own.iterations };
        let visits = if iterations.is_some_and(|n| n <= SHORT) { 1 } else { 2 };
        Budget {
            iterations,
            time: Some(time.map_or(self.longest, |time| time.min(self.longest))),
            turn: if asked { None } else { own.turn.map(|turn| turn.min(self.longest)) },
            explain: Some(Explain { tree: Some(TreeLimits { depth: DEEPEST, visits }) }),
            ..Budget::default()
        }
    }
}

/// How a running search stands, with the shares of its moves.
fn so_far(legal: &[String], progress: &explain::Progress) -> Findings {
    let mut findings = Findings::so_far(legal, progress);
    let all: u64 = findings.moves.iter().map(|found| found.visits).sum();
    if all > 0 {
        findings.moves.iter_mut().for_each(|found| found.share = Some(found.visits as f64 / all as f64));
    }
    findings
}

impl Search {
    /// Lets one of the agents decide, and notes what comes of it.
    pub(super) fn run(self: Arc<Search>, number: usize, mut agent: SeatAgent, limits: Limits) {
        if self.runs.is_stopped() {
            return;
        }
        self.runs.note(|runs| runs[number].state = Stage::Running);
        let decided = catch_unwind(AssertUnwindSafe(|| {
            let decision = self.decide(number, &mut agent, limits)?;
            Ok::<_, AgentFailure>(self.ended(&agent, decision, limits))
        }));
        self.runs.note(|runs| match decided {
            Ok(Ok(end)) => end.into_run(&mut runs[number], self.info.seat),
            Ok(Err(why)) => runs[number].failed(why.to_string()),
            Err(_) => runs[number].failed(BROKEN.to_string()),
        });
    }

    fn decide(
        self: &Arc<Search>,
        number: usize,
        agent: &mut SeatAgent,
        limits: Limits,
    ) -> Result<Decision, AgentFailure> {
        let (seat, search) = (self.info.seat, Arc::clone(self));
        let watch = Watch::every(BETWEEN, move |progress| {
            let findings = so_far(&search.legal, progress);
            search.runs.note(|runs| runs[number].found(findings, seat));
            if progress.nodes > MOST_NODES {
                search.stops[number].store(true, Ordering::Relaxed);
            }
        });
        let stop = Some(Arc::clone(&self.stops[number]));
        agent.budget = Budget { stop, watch: Some(watch), ..limits.budget(&agent.budget) };
        agent.start(seat, Seed(limits.seed));
        self.info.events.iter().for_each(|event| agent.observe(event));
        let truth = self.truth.clone().filter(|_| agent.cheats);
        agent.act(&InfoSet { truth, ..self.info.clone() })
    }

    fn ended(&self, agent: &SeatAgent, decision: Decision, limits: Limits) -> End {
        let Decision { action, mut report } = decision;
        let seat = self.info.seat;
        let trees = std::mem::take(&mut report.trees);
        let room = MOST_KEPT / limits.agents / trees.len().max(1);
        let asked = wire::Asked {
            game: self.game.clone(),
            agent: agent.spec.clone(),
            cheating: agent.cheats,
            seat,
            infoset: self.info.key,
            seed: None,
        };
        let chosen = self.info.game.move_name(action);
        End {
            decision: wire::Decision::of(asked, &self.legal, chosen, &report),
            trees: trees.into_iter().map(|tree| KeptTree::new(tree, seat, room)).collect(),
            line: report.line,
        }
    }
}

/// What has come of a search.
struct End {
    decision: wire::Decision,
    trees: Vec<KeptTree>,
    line: Vec<LineStep>,
}

impl End {
    fn into_run(self, run: &mut Run, seat: Player) {
        let moves: &[MoveFindings] = &self.decision.moves;
        if !moves.is_empty() {
            run.history.end(self.decision.iterations.unwrap_or(0), moves, seat);
        }
        if self.decision.nodes.is_some_and(|nodes| nodes > MOST_NODES) {
            run.note = Some(format!("the search was ended: its trees had more than {MOST_NODES} nodes"));
        }
        run.state = Stage::Done;
        run.line = Arc::new(self.line);
        run.trees = Arc::new(self.trees);
        run.decision = Some(self.decision);
    }
}

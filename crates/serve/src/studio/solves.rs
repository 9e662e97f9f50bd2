//! Small games solved as a whole, and how much an agent can be exploited.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::time::Duration;

use axum::Router;
use axum::extract::{Path, State};
use axum::http::StatusCode;
use axum::response::Response;
use axum::routing::{get, post};
use fogtree_core::{Deadline, Player, Seed};
use fogtree_draw::chart::themed;
use fogtree_lab::curve::{Curve, CurvePoint};
use fogtree_solve::strategy::Entry;
use fogtree_solve::{Config, Solver, StrategyFile};
use fogtree_table::wire::{self, Exploitability, Solution};
use fogtree_table::{AnyGame, Asking, SeatAgent, agent_strategy};
use serde::{Deserialize, Serialize};
use serde_json::json;

use super::Studio;
use super::exchange::{Asked, Sent, Themed, answer, event, worked};
use super::jobs::{BROKEN, Job, Progress, Stage};
use super::refusal::Refusal;
use super::visitors::Visitor;

/// Larger trees are not solved,
const MOST_NODES: usize = 3_000_000;
/// and strategies for more information sets not kept.
const MOST_SETS: usize = 100_000;
/// How often an agent is asked in each information set, usually and at most.
const USUAL_SAMPLES: u32 = 100;
const MOST_SAMPLES: u32 = 10_000;
/// Rows of a strategy that are told at once.
const MOST_ROWS: usize = 500;

/// Solving over HTTP.
pub(crate) fn routes() -> Router<Arc<Studio>> {
    Router::new()
        .route("/api/solves", post(begin_solve))
        .route("/api/exploits", post(begin_exploit))
        .route("/api/solves/{id}", get(show).delete(forget))
        .route("/api/solves/{id}/live", get(live))
        .route("/api/solves/{id}/strategy", get(strategy))
}

/// What the routes take and answer.
#[cfg(feature = "schema")]
pub(crate) fn describe(api: &mut super::openapi::api::Api) {
    use super::openapi::api::Nothing;

    api.post("/api/solves", "Solves a small game.").sends::<ToSolve>().answers_field("solve");
    api.post("/api/exploits", "Finds out how much an agent can be exploited.")
        .sends::<ToExploit>()
        .answers_field("solve");
    api.get("/api/solves/{id}", "How far the solver has come.").asks::<Themed>().answers::<Shown>();
    api.delete("/api/solves/{id}", "Stops and forgets it.").answers_nothing();
    api.get("/api/solves/{id}/live", "The curve as it grows.")
        .streams()
        .event::<wire::CurvePoint>("point")
        .event::<Nothing>("end");
    api.get("/api/solves/{id}/strategy", "The strategies that were found.").asks::<Which>().answers::<Rows>();
}

/// What is done.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[cfg_attr(feature = "schema", schemars(rename = "SolveKind"))]
#[serde(rename_all = "lowercase")]
enum Kind {
    Solve,
    Exploit,
}

/// What has come of it so far.
#[derive(Default)]
struct Found {
    state: Stage,
    points: Vec<CurvePoint>,
    solution: Option<Solution>,
    exploitability: Option<Exploitability>,
    infosets: Option<usize>,
    strategies: Option<Arc<StrategyFile>>,
    error: Option<String>,
}

/// A game that is solved, or an agent that is exploited.
pub(crate) struct Solve {
    kind: Kind,
    game: String,
    /// The solver or the agent.
    what: String,
    found: Arc<Progress<Found>>,
}

impl Job for Solve {
    fn stop(&self) {
        self.found.stop();
    }
}

type Shared = State<Arc<Studio>>;

#[derive(Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
struct ToSolve {
    /// The specification of the game.
    game: String,
    /// The specification of the solver; `cfr+` by default.
    #[serde(default)]
    solver: Option<String>,
    /// The most iterations.
    #[serde(default)]
    iterations: Option<u64>,
    /// Milliseconds.
    #[serde(default)]
    time: Option<u64>,
    /// Exploitability that is good enough.
    #[serde(default)]
    target: Option<f64>,
    /// The seed of solvers that sample.
    #[serde(default)]
    seed: Option<u64>,
}

#[derive(Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
struct ToExploit {
    /// The specification of the game.
    game: String,
    /// The specification of the agent.
    agent: String,
    /// How often it is asked in each information set.
    #[serde(default)]
    samples: Option<u32>,
    /// Milliseconds.
    #[serde(default)]
    time: Option<u64>,
    /// The seed of the agent.
    #[serde(default)]
    seed: Option<u64>,
}

async fn begin_solve(
    State(studio): Shared,
    visitor: Visitor,
    Sent(wanted): Sent<ToSolve>,
) -> Result<Response, Refusal> {
    answer(move || Ok(json!({"solve": studio.begin_solve(&visitor, wanted)?}))).await
}

async fn begin_exploit(
    State(studio): Shared,
    visitor: Visitor,
    Sent(wanted): Sent<ToExploit>,
) -> Result<Response, Refusal> {
    answer(move || Ok(json!({"solve": studio.begin_exploit(&visitor, wanted)?}))).await
}

impl Studio {
    fn begin_solve(self: &Arc<Studio>, visitor: &Visitor, wanted: ToSolve) -> Result<String, Refusal> {
        visitor.must_own()?;
        let game = self.registry.game(&wanted.game)?.shared();
        let what = wanted.solver.unwrap_or_else(|| "cfr+".to_string());
        let solver = Solver::from_spec(&what.parse()?)?;
        if wanted.target.is_some_and(|target| target.is_nan() || target <= 0.0) {
            return Err(Refusal::bad("a target is an exploitability above 0"));
        }
        let limited = wanted.time.is_some() || wanted.target.is_some();
        let config = Config {
            iterations: wanted.iterations.or((!limited).then_some(1000)),
            time: Some(self.time(wanted.time)),
            target: wanted.target,
            limit: MOST_NODES,
            seed: Seed(wanted.seed.unwrap_or(1)),
            ..Config::new(solver)
        };
        self.begin(visitor, Kind::Solve, wanted.game, what, move |solve| solve.solve(&*game, config))
    }

    fn begin_exploit(self: &Arc<Studio>, visitor: &Visitor, wanted: ToExploit) -> Result<String, Refusal> {
        visitor.must_own()?;
        let game = self.registry.game(&wanted.game)?.shared();
        let agent = self.registry.agent(&wanted.agent, &*game)?;
        if agent.cheats {
            let why = format!("{} looks at the true state: it has no strategy to exploit", agent.spec);
            return Err(Refusal::bad(why));
        }
        let samples = wanted.samples.unwrap_or(USUAL_SAMPLES).clamp(1, MOST_SAMPLES);
        let (time, seed) = (self.time(wanted.time), Seed(wanted.seed.unwrap_or(1)));
        let (studio, spec) = (Arc::clone(self), wanted.agent.clone());
        self.begin(visitor, Kind::Exploit, wanted.game, wanted.agent, move |solve| {
            let until = Deadline::after(Some(time), Some(solve.found.flag()));
            let mut make = || {
                let mut agent: SeatAgent = studio.registry.agent(&spec, &*game)?;
                agent.budget.stop = Some(solve.found.flag());
                agent.budget.time = Some(agent.budget.time.map_or(time, |own| own.min(time)));
                Ok(agent)
            };
            let asking = Asking { samples, count: false, seed };
            let asked = agent_strategy(&*game, &mut make, asking, MOST_NODES, &until);
            let asked = asked.map_err(|why| why.to_string())?;
            let found = game.exploit(&asked.file, MOST_NODES, &until).map_err(|why| why.to_string())?;
            let told = Exploitability::of_asked(&solve.game, &asked, &found);
            let file = asked.file;
            solve.found.note(|so_far| {
                so_far.infosets = Some(found.infosets);
                so_far.exploitability = Some(told);
                so_far.strategies = Some(Arc::new(file)).filter(|file| file.infosets.len() <= MOST_SETS);
            });
            Ok(())
        })
    }

    /// How long something may take, of what was asked for.
    fn time(&self, asked: Option<u64>) -> Duration {
        let longest = self.settings.longest_search;
        asked.map_or(longest, |asked| Duration::from_millis(asked).min(longest))
    }

    /// Begins to work on it, on a thread that searches.
    fn begin(
        self: &Arc<Studio>,
        visitor: &Visitor,
        kind: Kind,
        game: String,
        what: String,
        work: impl FnOnce(&Solve) -> Result<(), String> + Send + 'static,
    ) -> Result<String, Refusal> {
        let solve = Arc::new(Solve { kind, game, what, found: Arc::new(Progress::new(Found::default())) });
        let id = self.solves.add(visitor, Arc::clone(&solve));
        let longest = self.settings.longest_search;
        let runtime = self.runtime.clone();
        let submitted = self.pool.submit(&id, move || {
            if solve.found.is_stopped() {
                return;
            }
            // Reading a large game has no limit of time of its own.
            let flag = solve.found.flag();
            let late = runtime.spawn(async move {
                tokio::time::sleep(2 * longest).await;
                flag.store(true, Ordering::Relaxed);
            });
            solve.found.note(|found| found.state = Stage::Running);
            let done = catch_unwind(AssertUnwindSafe(|| work(&solve)));
            late.abort();
            let done = done.unwrap_or_else(|_| Err(BROKEN.to_string()));
            solve.found.note(|found| match done {
                Ok(()) => found.state = Stage::Done,
                Err(why) => {
                    found.state = Stage::Failed;
                    found.error = Some(why);
                }
            });
        });
        if let Err(full) = submitted {
            self.solves.remove(visitor, &id)?;
            return Err(full);
        }
        Ok(id)
    }
}

impl Solve {
    fn solve(&self, game: &dyn AnyGame, config: Config) -> Result<(), String> {
        let config = Config { stop: Some(self.found.flag()), ..config };
        let mut tell = |progress: &fogtree_solve::Progress| {
            self.found.note(|found| found.points.push(progress.into()));
        };
        let mut solved = game.solve(&config, Some(&self.what), &mut tell).map_err(|why| why.to_string())?;
        let solution = Solution::of(&self.game, &self.what, &solved);
        let kept = solved.strategies.take().filter(|file| file.infosets.len() <= MOST_SETS);
        self.found.note(|found| {
            found.solution = Some(solution);
            found.infosets = solved.infosets;
            found.strategies = kept.map(Arc::new);
        });
        Ok(())
    }
}

/// A solve as far as it has come.
#[derive(Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[cfg_attr(feature = "schema", schemars(rename = "SolveView"))]
struct Shown {
    /// By which it is asked for.
    solve: String,
    /// What is done.
    kind: Kind,
    /// The specification of the game.
    game: String,
    /// The solver or the agent.
    what: String,
    /// How far it has come.
    state: Stage,
    /// The curve so far.
    points: Vec<wire::CurvePoint>,
    /// The curve as a picture.
    #[serde(skip_serializing_if = "Option::is_none")]
    svg: Option<String>,
    /// What the solver has found.
    #[serde(skip_serializing_if = "Option::is_none")]
    solution: Option<Solution>,
    /// How much the agent can be exploited.
    #[serde(skip_serializing_if = "Option::is_none")]
    exploitability: Option<Exploitability>,
    /// How many information sets the game has.
    #[serde(skip_serializing_if = "Option::is_none")]
    infosets: Option<usize>,
    /// Why nothing was found.
    #[serde(skip_serializing_if = "Option::is_none")]
    error: Option<String>,
}

async fn show(
    State(studio): Shared,
    visitor: Visitor,
    Path(id): Path<String>,
    Asked(Themed { theme }): Asked<Themed>,
) -> Result<Response, Refusal> {
    answer(move || {
        let solve = studio.solves.find(&visitor, &id)?;
        let mut shown = {
            let found = solve.found.found();
            Shown {
                solve: id,
                kind: solve.kind,
                game: solve.game.clone(),
                what: solve.what.clone(),
                state: found.state,
                points: found.points.iter().map(|point| point.counted_in("iterations")).collect(),
                svg: None,
                solution: found.solution.clone(),
                exploitability: found.exploitability.clone(),
                infosets: found.infosets,
                error: found.error.clone(),
            }
        };
        let points = solve.found.found().points.clone();
        if !points.is_empty() {
            let title = format!("{} with {}", solve.game, solve.what);
            let curve = Curve { title, unit: "iterations", points };
            shown.svg = Some(themed(curve.svg(), theme.into()));
        }
        Ok(shown)
    })
    .await
}

async fn forget(
    State(studio): Shared,
    visitor: Visitor,
    Path(id): Path<String>,
) -> Result<StatusCode, Refusal> {
    worked(move || studio.solves.remove(&visitor, &id)).await?;
    Ok(StatusCode::NO_CONTENT)
}

async fn live(State(studio): Shared, visitor: Visitor, Path(id): Path<String>) -> Result<Response, Refusal> {
    let solve = studio.solves.find(&visitor, &id)?;
    let mut told = 0;
    Ok(solve.found.follow(move |found| {
        let new = &found.points[told..];
        let news = new.iter().map(|point| event("point", &point.counted_in("iterations"))).collect();
        told = found.points.len();
        (news, found.state.is_over())
    }))
}

/// Which rows of a strategy are asked for.
#[derive(Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
struct Which {
    /// The first row.
    #[serde(default)]
    from: usize,
    /// How many rows.
    #[serde(default = "fifty")]
    count: usize,
    /// Only rows with this text.
    #[serde(default)]
    find: String,
}

fn fifty() -> usize {
    50
}

/// Rows of a strategy.
#[derive(Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[cfg_attr(feature = "schema", schemars(rename = "StrategyRows"))]
struct Rows {
    /// How many there are.
    of: usize,
    /// Those that were asked for.
    rows: Vec<Row>,
}

/// What to do in an information set.
#[derive(Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[cfg_attr(feature = "schema", schemars(rename = "StrategyRow"))]
struct Row {
    /// Who decides.
    seat: Player,
    /// What it knows, in words.
    infoset: String,
    /// What it does.
    moves: Vec<Likely>,
}

/// A move and how likely it is.
#[derive(Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[cfg_attr(feature = "schema", schemars(rename = "LikelyMove"))]
struct Likely {
    /// The name of the move.
    #[serde(rename = "move")]
    name: String,
    /// How likely it is.
    probability: f64,
}

impl Row {
    fn of(entry: &Entry) -> Row {
        let moves = entry.actions.iter().zip(&entry.probabilities);
        Row {
            seat: entry.seat,
            infoset: entry.text.clone(),
            moves: moves.map(|(name, p)| Likely { name: name.clone(), probability: *p }).collect(),
        }
    }
}

async fn strategy(
    State(studio): Shared,
    visitor: Visitor,
    Path(id): Path<String>,
    Asked(Which { from, count, find }): Asked<Which>,
) -> Result<Response, Refusal> {
    answer(move || {
        let solve = studio.solves.find(&visitor, &id)?;
        let file = solve.found.found().strategies.clone();
        let file = file.ok_or_else(|| {
            Refusal::not_found("there is no strategy: it is not found yet, or too large to be kept")
        })?;
        let find = find.to_lowercase();
        let wanted = |entry: &&Entry| find.is_empty() || entry.text.to_lowercase().contains(&find);
        let found: Vec<&Entry> = file.infosets.iter().filter(wanted).collect();
        let rows = found.iter().skip(from).take(count.min(MOST_ROWS)).map(|entry| Row::of(entry)).collect();
        Ok(Rows { of: found.len(), rows })
    })
    .await
}

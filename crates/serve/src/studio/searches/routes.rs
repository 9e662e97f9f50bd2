//! Searches over HTTP.

use std::sync::Arc;
use std::time::Duration;

use axum::Router;
use axum::extract::{Path, State};
use axum::http::StatusCode;
use axum::response::Response;
use axum::routing::{get, post};
use fogtree_core::{Deadline, InfoSet, Observer, Player, Purpose, Rng, Seed, text};
use fogtree_draw::tree::{Convergence, Part};
use fogtree_draw::{Drawing, Theme, svg};
use fogtree_table::{follow_line, follow_path, wire};
use serde::{Deserialize, Serialize};
use serde_json::json;

use super::super::Studio;
use super::super::exchange::{Asked, Colours, Sent, Themed, answer, event, picture, worked};
use super::super::jobs::Stage;
use super::super::refusal::Refusal;
use super::super::visitors::Visitor;
use super::run::Run;
use super::tree::{Child, KeptTree, Waypoint};
use super::{Search, Wanted};

/// Searches over HTTP.
pub(crate) fn routes() -> Router<Arc<Studio>> {
    Router::new()
        .route("/api/searches", post(begin))
        .route("/api/searches/{id}", get(show).delete(forget))
        .route("/api/searches/{id}/live", get(live))
        .route("/api/searches/{id}/{agent}/convergence", get(convergence))
        .route("/api/searches/{id}/{agent}/tree", get(tree))
        .route("/api/searches/{id}/{agent}/line", get(line))
}

/// What the routes take and answer.
#[cfg(feature = "schema")]
pub(crate) fn describe(api: &mut super::super::openapi::api::Api) {
    use super::super::openapi::api::Nothing;

    /// What an agent has found so far.
    #[derive(schemars::JsonSchema)]
    #[allow(dead_code, reason = "only its form is of interest")]
    struct SearchFindings {
        /// Its number among those that search.
        agent: usize,
        /// What it has found.
        findings: wire::Findings,
    }

    /// What an agent has decided.
    #[derive(schemars::JsonSchema)]
    #[allow(dead_code, reason = "only its form is of interest")]
    struct SearchDone {
        /// Its number among those that search.
        agent: usize,
        /// What it has decided.
        decision: Option<wire::Decision>,
    }

    /// Why an agent has decided nothing.
    #[derive(schemars::JsonSchema)]
    #[allow(dead_code, reason = "only its form is of interest")]
    struct SearchFailed {
        /// Its number among those that search.
        agent: usize,
        /// Why.
        error: Option<String>,
    }

    api.post("/api/searches", "Has agents search a position.").sends::<Wanted>().answers_field("search");
    api.get("/api/searches/{id}", "A search as far as it has come.").answers::<Shown<'_>>();
    api.delete("/api/searches/{id}", "Stops and forgets a search.").answers_nothing();
    api.get("/api/searches/{id}/live", "A search as it goes on.")
        .streams()
        .event::<SearchFindings>("findings")
        .event::<SearchDone>("done")
        .event::<SearchFailed>("failed")
        .event::<Nothing>("end");
    api.get("/api/searches/{id}/{agent}/convergence", "The values of the moves over the iterations.")
        .asks::<Themed>()
        .answers_text("image/svg+xml");
    api.get("/api/searches/{id}/{agent}/tree", "A part of the search tree.")
        .asks::<Which>()
        .answers::<TreePart>();
    api.get("/api/searches/{id}/{agent}/line", "The line that the agent expects, played out.")
        .asks::<Themed>()
        .answers::<Vec<LineStep>>();
}

type Shared = State<Arc<Studio>>;

async fn begin(
    State(studio): Shared,
    visitor: Visitor,
    Sent(wanted): Sent<Wanted>,
) -> Result<Response, Refusal> {
    answer(move || Ok(json!({"search": studio.begin_search(&visitor, wanted)?}))).await
}

/// A search as far as it has come.
#[derive(Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[cfg_attr(feature = "schema", schemars(rename = "SearchView"))]
struct Shown<'a> {
    /// By which it is asked for.
    search: &'a str,
    /// The specification of the game, as far as one may know it.
    game: &'a str,
    /// Who is to move.
    seat: Player,
    /// The moves it may make.
    legal: &'a [String],
    /// What each agent has found.
    agents: &'a [Run],
}

async fn show(State(studio): Shared, visitor: Visitor, Path(id): Path<String>) -> Result<Response, Refusal> {
    answer(move || {
        let search = studio.searches.find(&visitor, &id)?;
        let Search { game, info, legal, runs, .. } = &*search;
        let shown = Shown { search: &id, game, seat: info.seat, legal, agents: &runs.found() };
        Ok(serde_json::to_value(shown).expect("plain data"))
    })
    .await
}

async fn forget(
    State(studio): Shared,
    visitor: Visitor,
    Path(id): Path<String>,
) -> Result<StatusCode, Refusal> {
    worked(move || studio.searches.remove(&visitor, &id)).await?;
    Ok(StatusCode::NO_CONTENT)
}

async fn live(State(studio): Shared, visitor: Visitor, Path(id): Path<String>) -> Result<Response, Refusal> {
    let search = studio.searches.find(&visitor, &id)?;
    let mut told = vec![(0, false); search.stops.len()];
    Ok(search.runs.follow(move |runs| {
        let mut news = Vec::new();
        for (number, (run, (known, over))) in runs.iter().zip(&mut told).enumerate() {
            if let Some(findings) = run.findings.as_ref().filter(|_| run.news > *known) {
                *known = run.news;
                news.push(event("findings", &json!({"agent": number, "findings": findings})));
            }
            if run.state.is_over() && !std::mem::replace(over, true) {
                news.push(match run.state {
                    Stage::Failed => event("failed", &json!({"agent": number, "error": run.error})),
                    _ => event("done", &json!({"agent": number, "decision": run.decision})),
                });
            }
        }
        (news, runs.iter().all(|run| run.state.is_over()))
    }))
}

impl Search {
    /// Looks at one of the agents.
    fn with_run<T>(&self, number: usize, look: impl FnOnce(&Run) -> T) -> Result<T, Refusal> {
        let none = || Refusal::not_found(format!("the search has {} agents", self.stops.len()));
        self.runs.found().get(number).map(look).ok_or_else(none)
    }

    /// The information set that an agent searched.
    fn searched(&self, cheats: bool) -> InfoSet {
        InfoSet { truth: self.truth.clone().filter(|_| cheats), ..self.info.clone() }
    }

    /// From what worlds are drawn to show something; the same each time.
    fn rng(&self, name: &str) -> Rng {
        Seed(1).named(name).stream(Purpose::Sampling)
    }
}

/// Moves in a chart.
const IN_CHART: usize = 6;

async fn convergence(
    State(studio): Shared,
    visitor: Visitor,
    Path((id, agent)): Path<(String, usize)>,
    Asked(Themed { theme }): Asked<Themed>,
) -> Result<Response, Refusal> {
    picture(move || {
        let search = studio.searches.find(&visitor, &id)?;
        let (title, history) = search.with_run(agent, |run| (run.agent.clone(), run.history.clone()))?;
        let chart = Convergence { title: &title, names: &search.legal, points: history.points() };
        Ok(chart.svg(IN_CHART, theme.into()))
    })
    .await
}

/// Which part of a tree is asked for.
#[derive(Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
struct Which {
    /// Which tree, if there are several.
    #[serde(default)]
    tree: usize,
    /// Which node is at the top.
    #[serde(default)]
    node: usize,
    /// How many levels below it are drawn.
    #[serde(default = "two")]
    depth: u32,
    /// How many children of each node.
    #[serde(default = "six")]
    top: usize,
    #[serde(default)]
    theme: Colours,
}

fn two() -> u32 {
    2
}

fn six() -> usize {
    6
}

/// Pictures have no more nodes,
const IN_PICTURE: usize = 60;
/// no more levels,
const MOST_LEVELS: u32 = 6;
/// and lists no more children.
const MOST_CHILDREN: usize = 500;
/// What is known at a node is looked for no longer,
const LONGEST_LOOK: Duration = Duration::from_millis(400);
/// and a whole line no longer.
const LONGEST_LINE: Duration = Duration::from_millis(1500);

/// A part of a tree.
#[derive(Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
struct TreePart {
    /// All trees that were kept.
    trees: Vec<TreeAbout>,
    /// The nodes from the root to this one.
    path: Vec<Waypoint>,
    /// The node.
    node: wire::TreeNode,
    /// What the tree's player knows there, or what led there.
    text: String,
    /// What the tree's player knows there, as a picture.
    #[serde(skip_serializing_if = "Option::is_none")]
    svg_infoset: Option<String>,
    /// This part of the tree as a picture.
    svg: String,
    /// The most visited children.
    children: Vec<Child>,
    /// How many more children there are.
    rest: u64,
}

/// A tree that was kept.
#[derive(Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
struct TreeAbout {
    /// In whose place decisions of this tree are told apart.
    player: Player,
    /// How many nodes were kept.
    nodes: usize,
}

async fn tree(
    State(studio): Shared,
    visitor: Visitor,
    Path((id, agent)): Path<(String, usize)>,
    Asked(which): Asked<Which>,
) -> Result<Response, Refusal> {
    answer(move || {
        let search = studio.searches.find(&visitor, &id)?;
        let (name, cheats, state, trees) = search
            .with_run(agent, |run| (run.agent.clone(), run.cheats, run.state, Arc::clone(&run.trees)))?;
        let none = || {
            Refusal::not_found(match state {
                Stage::Waiting | Stage::Running => "the tree is there when the search has ended".to_string(),
                _ if search.legal.len() == 1 => "there is only one move, so nothing was searched".to_string(),
                _ => format!("{name} keeps no tree, or none with this number"),
            })
        };
        let kept = trees.get(which.tree).ok_or_else(none)?;
        let Which { node, depth, top, theme, .. } = which;
        if node >= kept.tree.nodes.len() {
            return Err(Refusal::not_found(format!("the tree has {} nodes", kept.tree.nodes.len())));
        }
        let (depth, top) = (depth.min(MOST_LEVELS), top.min(MOST_CHILDREN));
        let (children, rest) = kept.below(node, top);
        let (svg_infoset, text) = search.knowledge(kept, node, cheats, theme.into());
        Ok(TreePart {
            trees: trees.iter().map(|t| TreeAbout { player: t.tree.of, nodes: t.tree.nodes.len() }).collect(),
            path: kept.waypoints(node),
            node: wire::TreeNode::of(node, &kept.tree.nodes[node]),
            text,
            svg_infoset,
            svg: kept.svg(Part { node, depth, top, most: IN_PICTURE }, theme.into()),
            children,
            rest,
        })
    })
    .await
}

impl Search {
    /// What a tree's player knows at a node, as a picture and as text; else the way there.
    fn knowledge(
        &self,
        kept: &KeptTree,
        node: usize,
        cheats: bool,
        theme: Theme,
    ) -> (Option<String>, String) {
        let (of, turn) = (kept.tree.of, kept.tree.nodes[node].turn);
        let path: Vec<_> =
            kept.path(node).into_iter().map(|id| kept.tree.nodes[id].reached.clone()).collect();
        let until = Deadline::after(Some(LONGEST_LOOK), Some(self.runs.flag()));
        // A root of several places is no place of its own.
        let several = turn.is_none() && node == 0 && of != self.info.seat;
        let found = if several {
            None
        } else if node == 0 && of == self.info.seat {
            Some(self.info.known.clone())
        } else {
            let world = follow_path(&self.searched(cheats), of, &path, turn, &mut self.rng("tree"), &until);
            world.map(|world| world.info(Observer::Seat(of)))
        };
        let Some(known) = found else {
            let words: Vec<String> = path.iter().map(fogtree_draw::tree::reached_in_words).collect();
            return (None, words.join("\n"));
        };
        let game = &self.info.game;
        let drawn = svg(&game.scene(&known), &Drawing { theme, ..Drawing::default() });
        (Some(drawn), text::plain(&game.view(&known)))
    }
}

/// A step of the line that an agent expects, with what its seat sees then.
#[derive(Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
struct LineStep {
    /// Who moves; nobody if chance does.
    #[serde(skip_serializing_if = "Option::is_none")]
    by: Option<Player>,
    /// What is done or drawn.
    name: String,
    /// What the searcher sees then.
    #[serde(skip_serializing_if = "Option::is_none")]
    svg: Option<String>,
}

async fn line(
    State(studio): Shared,
    visitor: Visitor,
    Path((id, agent)): Path<(String, usize)>,
    Asked(Themed { theme }): Asked<Themed>,
) -> Result<Response, Refusal> {
    answer(move || {
        let search = studio.searches.find(&visitor, &id)?;
        let (cheats, state, line) =
            search.with_run(agent, |run| (run.cheats, run.state, Arc::clone(&run.line)))?;
        if !state.is_over() {
            return Err(Refusal::not_found("the line is there when the search has ended"));
        }
        let seat = Observer::Seat(search.info.seat);
        let known = search.lines[agent].get_or_init(|| {
            let until = Deadline::after(Some(LONGEST_LINE), Some(search.runs.flag()));
            let worlds = follow_line(&search.searched(cheats), &line, &mut search.rng("line"), &until);
            worlds.into_iter().map(|world| world.map(|world| world.info(seat))).collect()
        });
        let drawing = Drawing { theme: theme.into(), ..Drawing::default() };
        let draw = |info: &fogtree_core::Info| svg(&search.info.game.scene(info), &drawing);
        let step = |(step, known): (&fogtree_core::LineStep, &Option<fogtree_core::Info>)| LineStep {
            by: step.by,
            name: text::plain(&step.name),
            svg: known.as_ref().map(draw),
        };
        Ok(line.iter().zip(known).map(step).collect::<Vec<_>>())
    })
    .await
}

//! Stores of experiments: how far they are, their tables, charts and reports. Nothing is written.

use std::collections::HashMap;
use std::fs;
use std::path::Path;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant, SystemTime, UNIX_EPOCH};

use axum::Router;
use axum::extract::{Path as Named, State};
use axum::http::header;
use axum::response::{IntoResponse, Response};
use axum::routing::get;
use fogtree_draw::Theme;
use fogtree_draw::chart::themed;
use fogtree_lab::experiment::{Cell, Directory, DirectoryError, NoResults, Results, StoreError};
use serde::Serialize;

use super::Studio;
use super::exchange::{Asked, Themed, answer, worked};
use super::folders::{self, Kind};
use super::refusal::Refusal;
use super::visitors::Visitor;

/// Results of so many experiments are kept in memory, and how far so many are.
const MOST_RESULTS: usize = 8;
const MOST_ROWS: usize = 1000;
/// A store that changes is not looked into more often than this,
const PATIENCE: Duration = Duration::from_secs(2);
/// and for no more than one part in this many of the time.
const SHARE: u32 = 10;

/// The files of an experiment. None of them may be a link to somewhere else.
const FILES: [&str; 5] =
    ["plan.json", "experiment.toml", "results.sqlite", "results.sqlite-wal", "results.sqlite-shm"];

/// An experiment in a list.
#[derive(Clone, PartialEq, Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub(crate) struct ExperimentRow {
    /// The name of its folder.
    name: String,
    /// What it is about.
    title: String,
    /// Games and runs that are there.
    done: u64,
    /// Games and runs in all.
    of: u64,
    /// When something was added last, in seconds since 1970.
    updated: u64,
}

/// An experiment with its results so far.
#[derive(Clone, PartialEq, Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub(crate) struct Experiment {
    /// How far it is.
    #[serde(flatten)]
    row: ExperimentRow,
    /// The claims and whether they hold, the matches, the searches.
    tables: Vec<ResultTable>,
    /// The pictures of its report.
    charts: Vec<Chart>,
}

/// A table of results.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub(crate) struct ResultTable {
    /// What it is about.
    title: String,
    /// What stands above the columns.
    head: Vec<String>,
    /// The fields, row by row.
    rows: Vec<Vec<String>>,
}

/// A picture of results.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub(crate) struct Chart {
    /// What it shows.
    title: String,
    /// The picture.
    svg: String,
}

/// How a store looks from outside: if that is the same, so is what is in it.
type Stamp = Vec<Option<(SystemTime, u64)>>;

/// What was found in stores, as long as it is not too old.
struct Cache<T> {
    most: usize,
    found: Mutex<HashMap<String, Looked<T>>>,
}

struct Looked<T> {
    stamp: Stamp,
    at: Instant,
    took: Duration,
    found: Arc<T>,
}

impl<T> Cache<T> {
    fn new(most: usize) -> Cache<T> {
        Cache { most, found: Mutex::default() }
    }

    /// What is known, or what is found now.
    fn get<E>(&self, name: &str, stamp: Stamp, look: impl FnOnce() -> Result<T, E>) -> Result<Arc<T>, E> {
        let inside = || self.found.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(known) = inside().get(name) {
            let fresh = known.at.elapsed() < PATIENCE.max(known.took * SHARE);
            if known.stamp == stamp || fresh {
                return Ok(Arc::clone(&known.found));
            }
        }
        let began = Instant::now();
        let found = Arc::new(look()?);
        let looked = Looked { stamp, at: Instant::now(), took: began.elapsed(), found: Arc::clone(&found) };
        let mut all = inside();
        if all.len() >= self.most && !all.contains_key(name) {
            let oldest = all.iter().min_by_key(|(_, looked)| looked.at).map(|(name, _)| name.clone());
            oldest.and_then(|oldest| all.remove(&oldest));
        }
        all.insert(name.to_string(), looked);
        Ok(found)
    }
}

/// What is known of the experiments of a folder.
pub(crate) struct Experiments {
    rows: Cache<ExperimentRow>,
    results: Cache<Option<Results>>,
}

impl Default for Experiments {
    fn default() -> Experiments {
        Experiments { rows: Cache::new(MOST_ROWS), results: Cache::new(MOST_RESULTS) }
    }
}

/// The files of an experiment from outside; `None` if one of them is no file, or there is no plan. What SQLite keeps beside
/// a store while it is read is not of the experiment.
fn stamp(folder: &Path) -> Option<Stamp> {
    let one = |name: &&str| match fs::symlink_metadata(folder.join(name)) {
        Ok(found) if !found.is_file() => None,
        Ok(found) if found.len() > 0 && !name.ends_with("-shm") => {
            Some(Some((found.modified().unwrap_or(UNIX_EPOCH), found.len())))
        }
        _ => Some(None),
    };
    let all: Stamp = FILES.iter().map(one).collect::<Option<_>>()?;
    all[0].is_some().then_some(all)
}

/// The results in a folder; none if there are none yet.
fn results(folder: &Path) -> Result<Option<Results>, Refusal> {
    match Results::of(&Directory::new(folder)) {
        Ok(results) => Ok(Some(results)),
        Err(NoResults::Directory(DirectoryError::Store { why: StoreError::Empty, .. })) => Ok(None),
        // Paths of this machine are nobody's business.
        Err(NoResults::Directory(DirectoryError::Store { why, .. }) | NoResults::Store(why)) => {
            Err(Refusal::conflict(why.to_string()))
        }
        Err(NoResults::Directory(_)) => Err(Refusal::conflict("the experiment cannot be read")),
        Err(why) => Err(Refusal::conflict(why.to_string())),
    }
}

/// How far an experiment is.
fn row(name: &str, folder: &Path, stamp: &Stamp, results: Option<&Results>) -> ExperimentRow {
    let planned = || match Directory::new(folder).plan() {
        Ok(plan) => (plan.title, 0, plan.cells.iter().map(Cell::size).sum()),
        Err(_) => (String::new(), 0, 0),
    };
    let (title, done, of) = match results {
        Some(results) => (results.title().to_string(), results.done().0, results.done().1),
        None => planned(),
    };
    let updated = stamp.iter().flatten().map(|(at, _)| *at).max().unwrap_or(UNIX_EPOCH);
    let updated = updated.duration_since(UNIX_EPOCH).map_or(0, |time| time.as_secs());
    ExperimentRow { name: name.to_string(), title, done, of, updated }
}

impl Studio {
    /// The results of an experiment by name, with how far it is.
    fn experiment(&self, name: &str) -> Result<(ExperimentRow, Arc<Option<Results>>), Refusal> {
        let folder = folders::entry(&self.settings.experiments, name, Kind::Folder)?;
        let none = || Refusal::not_found("there is no experiment of this name here");
        let stamp = stamp(&folder).ok_or_else(none)?;
        let found = self.experiments.results.get(name, stamp.clone(), || results(&folder))?;
        Ok((row(name, &folder, &stamp, found.as_ref().as_ref()), found))
    }

    /// All experiments; those that cannot be read as far as their plans can.
    fn all_experiments(&self) -> Vec<ExperimentRow> {
        let folder = &self.settings.experiments;
        let look = |name: String| {
            let path = folder.join(&name);
            let stamp = stamp(&path)?;
            let look = || -> Result<_, Refusal> {
                Ok(row(&name, &path, &stamp, results(&path).unwrap_or_default().as_ref()))
            };
            let found = self.experiments.rows.get(&name, stamp.clone(), look).ok()?;
            Some(ExperimentRow::clone(&found))
        };
        folders::entries(folder, Kind::Folder).into_iter().filter_map(look).collect()
    }
}

/// Experiments over HTTP.
pub(crate) fn routes() -> Router<Arc<Studio>> {
    Router::new()
        .route("/api/experiments", get(list))
        .route("/api/experiments/{name}", get(show))
        .route("/api/experiments/{name}/report", get(report))
}

/// What the routes take and answer.
#[cfg(feature = "schema")]
pub(crate) fn describe(api: &mut super::openapi::api::Api) {
    api.get("/api/experiments", "All experiments.").answers::<Vec<ExperimentRow>>();
    api.get("/api/experiments/{name}", "An experiment with its results so far.")
        .asks::<Themed>()
        .answers::<Experiment>();
    api.get("/api/experiments/{name}/report", "Its report, as a page.").answers_text("text/html");
}

async fn list(State(studio): State<Arc<Studio>>, visitor: Visitor) -> Result<Response, Refusal> {
    answer(move || {
        visitor.must_own()?;
        Ok(studio.all_experiments())
    })
    .await
}

async fn show(
    State(studio): State<Arc<Studio>>,
    visitor: Visitor,
    Named(name): Named<String>,
    Asked(Themed { theme }): Asked<Themed>,
) -> Result<Response, Refusal> {
    answer(move || {
        visitor.must_own()?;
        let (row, found) = studio.experiment(&name)?;
        let (tables, charts) = found.as_ref().as_ref().map_or_else(Default::default, |results| {
            let report = results.report("");
            let tables = report.tables().into_iter().map(|(title, table)| ResultTable {
                title: title.to_string(),
                head: table.columns.into_iter().map(|(name, _)| name).collect(),
                rows: table.rows.iter().map(|row| row.iter().map(|cell| cell.written()).collect()).collect(),
            });
            let theme = Theme::from(theme);
            let charts =
                report.pictures().into_iter().map(|p| Chart { title: p.title, svg: themed(p.svg, theme) });
            (tables.collect(), charts.collect())
        });
        Ok(Experiment { row, tables, charts })
    })
    .await
}

/// A report is a page of its own, in a frame of ours: nothing in it runs.
const POLICY: &str = "default-src 'none'; style-src 'unsafe-inline'; img-src data:; sandbox; \
     base-uri 'none'; form-action 'none'; frame-ancestors 'self'";

async fn report(
    State(studio): State<Arc<Studio>>,
    visitor: Visitor,
    Named(name): Named<String>,
) -> Result<Response, Refusal> {
    let page = worked(move || {
        visitor.must_own()?;
        let (_, found) = studio.experiment(&name)?;
        let none = || Refusal::conflict("there are no results yet");
        let results = found.as_ref().as_ref().ok_or_else(none)?;
        Ok(results.report(&format!("fogtree experiment report {name}")).html())
    });
    let headers = [
        (header::CONTENT_TYPE, "text/html; charset=utf-8"),
        (header::CONTENT_SECURITY_POLICY, POLICY),
        (header::X_FRAME_OPTIONS, "SAMEORIGIN"),
    ];
    Ok((headers, page.await?).into_response())
}

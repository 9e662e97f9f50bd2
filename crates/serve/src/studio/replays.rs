//! Records that were sent or opened, to be stepped through.

mod read;

use std::collections::VecDeque;
use std::fs;
use std::path::Path;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use axum::Router;
use axum::extract::{Path as Named, Request, State};
use axum::response::Response;
use axum::routing::{get, post};
use fogtree_core::files::read_text;
use fogtree_table::{AnyGame, AnyTable};
use serde::Serialize;

use super::Studio;
use super::exchange::{answer, body};
use super::folders::{self, Kind};
use super::refusal::Refusal;
use super::visitors::{Visitor, secret};

/// Larger records are not read.
const LARGEST_RECORD: usize = 16 << 20;
/// The texts of all records that are kept have no more bytes; those that were not asked for the longest go first.
const MOST_BYTES: usize = 64 << 20;
const MOST_REPLAYS: usize = 64;
/// Games of larger files are not counted in lists.
const LARGEST_COUNTED: u64 = 256 << 10;

/// A recorded game.
#[derive(Clone, PartialEq, Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub(crate) struct RecordedGame {
    /// Its number in the record, from 1.
    number: usize,
    /// The specification of the game.
    game: String,
    /// Who played, by seat.
    agents: Vec<String>,
    /// The seats whose agents looked at the true state.
    cheating: Vec<u8>,
    /// How many steps it has.
    steps: usize,
    /// What was chosen or drawn in each step.
    names: Vec<Vec<String>>,
    /// The reward of every seat, if the game was finished.
    #[serde(skip_serializing_if = "Option::is_none")]
    rewards: Option<Vec<f64>>,
}

/// A record that was opened.
#[derive(Clone, PartialEq, Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub(crate) struct Replay {
    /// By which it is asked for.
    replay: String,
    /// The games in it.
    games: Vec<RecordedGame>,
}

/// A file with records.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub(crate) struct RecordFile {
    /// Its name in the folder of records.
    name: String,
    /// How many games it has, if it is small.
    #[serde(skip_serializing_if = "Option::is_none")]
    games: Option<usize>,
}

/// A recorded game with what it takes to go through it.
struct Recorded {
    about: RecordedGame,
    game: Arc<dyn AnyGame>,
}

/// A record in memory.
struct Kept {
    id: String,
    bytes: usize,
    games: Arc<Vec<Recorded>>,
}

/// The records that were opened.
#[derive(Default)]
pub(crate) struct Replays {
    /// The one that was asked for last comes last.
    kept: Mutex<VecDeque<Kept>>,
    /// Records are read one after another: a large one takes memory while it is read.
    reading: Mutex<()>,
}

/// The specification of a game, the game, and a position in it.
pub(crate) type Reached = (String, Arc<dyn AnyGame>, Box<dyn AnyTable>);

impl Replays {
    fn kept(&self) -> MutexGuard<'_, VecDeque<Kept>> {
        self.kept.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn find(&self, id: &str) -> Result<Arc<Vec<Recorded>>, Refusal> {
        let mut kept = self.kept();
        let place = kept.iter().position(|one| one.id == id);
        let missing = || Refusal::not_found("there is no such replay: open the record again");
        let one = place.and_then(|place| kept.remove(place)).ok_or_else(missing)?;
        let games = Arc::clone(&one.games);
        kept.push_back(one);
        Ok(games)
    }

    /// Keeps a record; answers what is in it.
    fn open(&self, studio: &Studio, text: &str) -> Result<Replay, Refusal> {
        let games = {
            let _alone = self.reading.lock().unwrap_or_else(PoisonError::into_inner);
            Arc::new(read::read(text, &studio.registry)?)
        };
        let replay = Replay { replay: secret(), games: games.iter().map(|g| g.about.clone()).collect() };
        let mut kept = self.kept();
        kept.push_back(Kept { id: replay.replay.clone(), bytes: text.len(), games });
        while kept.len() > MOST_REPLAYS || kept.iter().map(|one| one.bytes).sum::<usize>() > MOST_BYTES {
            kept.pop_front();
        }
        Ok(replay)
    }

    /// The position after so many steps of one of the games of a record: its specification, the game, the table.
    pub(crate) fn position(
        &self,
        replay: &str,
        number: usize,
        step: Option<usize>,
    ) -> Result<Reached, Refusal> {
        let games = self.find(replay)?;
        let missing = || Refusal::bad(format!("the record has the games 1 to {}", games.len()));
        let Recorded { about, game } =
            number.checked_sub(1).and_then(|place| games.get(place)).ok_or_else(missing)?;
        let steps = step.unwrap_or(about.steps);
        if steps > about.steps {
            return Err(Refusal::bad(format!("the game has {} steps", about.steps)));
        }
        let mut table = game.table();
        for names in &about.names[..steps] {
            table.play_words(&names.iter().map(String::as_str).collect::<Vec<_>>())?;
        }
        Ok((about.game.clone(), Arc::clone(game), table))
    }
}

/// Records over HTTP.
pub(crate) fn routes() -> Router<Arc<Studio>> {
    Router::new()
        .route("/api/replays", post(send))
        .route("/api/replays/{id}", get(show))
        .route("/api/records", get(list))
        .route("/api/records/{name}/open", post(open))
}

/// What the routes take and answer.
#[cfg(feature = "schema")]
pub(crate) fn describe(api: &mut super::openapi::api::Api) {
    api.post("/api/replays", "Opens a record.")
        .sends_text(
            "The text of a record: of games of ours, in JSON lines, or of a match of general game playing.",
        )
        .answers::<Replay>();
    api.get("/api/replays/{id}", "A record that was opened.").answers::<Replay>();
    api.get("/api/records", "The files in the folder of records.").answers::<Vec<RecordFile>>();
    api.post("/api/records/{name}/open", "Opens one of them.").answers::<Replay>();
}

async fn send(
    State(studio): State<Arc<Studio>>,
    visitor: Visitor,
    request: Request,
) -> Result<Response, Refusal> {
    visitor.must_own()?;
    let bytes = body(request, LARGEST_RECORD).await?;
    answer(move || {
        let text = String::from_utf8(bytes).map_err(|_| Refusal::bad("a record is text in UTF-8"))?;
        studio.replays.open(&studio, &text)
    })
    .await
}

async fn show(
    State(studio): State<Arc<Studio>>,
    visitor: Visitor,
    Named(id): Named<String>,
) -> Result<Response, Refusal> {
    answer(move || {
        visitor.must_own()?;
        let games = studio.replays.find(&id)?.iter().map(|g| g.about.clone()).collect();
        Ok(Replay { replay: id, games })
    })
    .await
}

/// The names of records, by the endings that programs of ours give them.
fn is_record(name: &str) -> bool {
    Path::new(name).extension().is_some_and(|ending| ending == "jsonl" || ending == "json")
}

/// How many games a small file has, by their first lines.
fn counted(path: &Path) -> Option<usize> {
    let small = fs::metadata(path).is_ok_and(|found| found.len() <= LARGEST_COUNTED);
    let text = if small { read_text(path, LARGEST_COUNTED).ok()? } else { return None };
    let begins = |line: &&str| line.contains(r#""format":"fogtree-record""#);
    Some(text.lines().filter(begins).count()).filter(|&games| games > 0)
}

async fn list(State(studio): State<Arc<Studio>>, visitor: Visitor) -> Result<Response, Refusal> {
    answer(move || {
        visitor.must_own()?;
        let Some(folder) = &studio.settings.records else { return Ok(Vec::new()) };
        let names = folders::entries(folder, Kind::File).into_iter().filter(|name| is_record(name));
        Ok(names.map(|name| RecordFile { games: counted(&folder.join(&name)), name }).collect::<Vec<_>>())
    })
    .await
}

async fn open(
    State(studio): State<Arc<Studio>>,
    visitor: Visitor,
    Named(name): Named<String>,
) -> Result<Response, Refusal> {
    answer(move || {
        visitor.must_own()?;
        let none = || Refusal::not_found("there is no folder of records: start with --records DIR");
        let folder = studio.settings.records.as_deref().ok_or_else(none)?;
        let path = folders::entry(folder, &name, Kind::File)?;
        let text = read_text(&path, LARGEST_RECORD as u64);
        // The sentence names the path, which is nobody's business.
        let text =
            text.map_err(|_| Refusal::bad(format!("{name} is no text of at most {LARGEST_RECORD} bytes")));
        studio.replays.open(&studio, &text?)
    })
    .await
}

//! Tables over HTTP.

use std::sync::Arc;
use std::time::Duration;

use axum::Router;
use axum::extract::{Path, State};
use axum::http::{StatusCode, header};
use axum::response::sse::Event;
use axum::response::{IntoResponse, Response};
use axum::routing::{get, post};
use fogtree_core::{Observer, Player};
use fogtree_draw::Theme;
use fogtree_table::wire;
use serde::{Deserialize, Serialize};
use tokio::sync::broadcast::error::RecvError;
use tokio::sync::mpsc;

use super::super::Studio;
use super::super::exchange::{Asked, Sent, Themed, answer, events, worked};
use super::super::refusal::Refusal;
use super::super::visitors::Visitor;
use super::live::{Inner, LiveTable};
use super::new::{LONGEST_DELAY, NewTable};

/// Tables over HTTP.
pub(crate) fn routes() -> Router<Arc<Studio>> {
    Router::new()
        .route("/api/tables", get(list).post(create))
        .route("/api/tables/{id}", get(show).delete(remove))
        .route("/api/tables/{id}/live", get(live))
        .route("/api/tables/{id}/move", post(choose))
        .route("/api/tables/{id}/undo", post(undo))
        .route("/api/tables/{id}/resign", post(resign))
        .route("/api/tables/{id}/pace", post(pace))
        .route("/api/tables/{id}/record", get(record))
        .route("/api/tables/{id}/thoughts", get(thoughts))
}

/// What the routes take and answer.
#[cfg(feature = "schema")]
pub(crate) fn describe(api: &mut super::super::openapi::api::Api) {
    use super::super::openapi::api::Nothing;
    use super::new::Created;
    use super::view::TableView;

    /// What a search at a table has found so far.
    #[derive(schemars::JsonSchema)]
    #[allow(dead_code, reason = "only its form is of interest")]
    struct TableSearch {
        /// Who searches.
        seat: Player,
        /// The moves it may make.
        legal: Vec<String>,
        /// What it has found.
        findings: wire::Findings,
    }

    api.get("/api/tables", "The tables that one may come to.").answers::<Vec<super::Listed>>();
    api.post("/api/tables", "Makes a table.").sends::<NewTable>().answers::<Created>();
    api.get("/api/tables/{id}", "A table as one may see it.").asks::<Themed>().answers::<TableView>();
    api.delete("/api/tables/{id}", "Takes a table away.").answers_nothing();
    api.get("/api/tables/{id}/live", "A table as it changes.")
        .asks::<Themed>()
        .streams()
        .event::<TableView>("table")
        .event::<TableSearch>("search")
        .event::<Nothing>("gone");
    api.post("/api/tables/{id}/move", "Makes a move.")
        .asks::<Themed>()
        .sends::<Choice>()
        .answers::<TableView>();
    api.post("/api/tables/{id}/undo", "Takes the last move back.")
        .asks::<Themed>()
        .sends::<Who>()
        .answers::<TableView>();
    api.post("/api/tables/{id}/resign", "Gives up.").asks::<Themed>().sends::<Who>().answers::<TableView>();
    api.post("/api/tables/{id}/pace", "Lets agents move faster, slower, or one step at a time.")
        .asks::<Themed>()
        .sends::<NewPace>()
        .answers::<TableView>();
    api.get(
        "/api/tables/{id}/record",
        "The record of the game, in JSON lines, where everything may be seen.",
    )
    .answers_text("application/jsonl");
    api.get("/api/tables/{id}/thoughts", "The decisions of agents so far, where everything may be seen.")
        .answers::<Vec<Thought>>();
}

type Shared = State<Arc<Studio>>;

async fn list(State(studio): Shared, visitor: Visitor) -> Result<Response, Refusal> {
    answer(move || Ok(studio.listed(&visitor))).await
}

async fn create(
    State(studio): Shared,
    visitor: Visitor,
    Sent(wanted): Sent<NewTable>,
) -> Result<Response, Refusal> {
    answer(move || studio.make_table(&visitor, wanted)).await
}

async fn show(
    State(studio): Shared,
    visitor: Visitor,
    Path(id): Path<String>,
    Asked(Themed { theme }): Asked<Themed>,
) -> Result<Response, Refusal> {
    answer(move || Ok(studio.table(&visitor, &id)?.view(&studio, &visitor, theme.into()))).await
}

async fn remove(
    State(studio): Shared,
    visitor: Visitor,
    Path(id): Path<String>,
) -> Result<StatusCode, Refusal> {
    worked(move || studio.remove(&visitor, &id)).await?;
    Ok(StatusCode::NO_CONTENT)
}

/// Does something at a table and answers how it is then.
async fn change(
    (studio, visitor, id): (Arc<Studio>, Visitor, String),
    theme: Theme,
    change: impl FnOnce(&mut Inner, &Visitor) -> Result<(), Refusal> + Send + 'static,
) -> Result<Response, Refusal> {
    answer(move || {
        let table = studio.table(&visitor, &id)?;
        let mut inner = table.inner();
        inner.check_clocks();
        change(&mut inner, &visitor)?;
        drop(inner);
        studio.drive(&table);
        Ok(table.view(&studio, &visitor, theme))
    })
    .await
}

#[derive(Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
struct Choice {
    /// Whose move it is.
    seat: u8,
    /// The name of the move.
    #[serde(rename = "move")]
    name: String,
    /// The revision of the view in which it was chosen.
    revision: u64,
}

async fn choose(
    State(studio): Shared,
    visitor: Visitor,
    Path(id): Path<String>,
    Asked(Themed { theme }): Asked<Themed>,
    Sent(Choice { seat, name, revision }): Sent<Choice>,
) -> Result<Response, Refusal> {
    change((studio, visitor, id), theme.into(), move |inner, visitor| {
        let seat = inner.check_seat(visitor, seat)?;
        if inner.failed.is_some() {
            return Err(Refusal::conflict("this table has ended"));
        }
        inner.session.submit(seat, &name, revision)?;
        inner.moved = std::time::Instant::now();
        Ok(())
    })
    .await
}

#[derive(Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[cfg_attr(feature = "schema", schemars(rename = "WhichSeat"))]
struct Who {
    /// Whose.
    seat: u8,
}

async fn undo(
    State(studio): Shared,
    visitor: Visitor,
    Path(id): Path<String>,
    Asked(Themed { theme }): Asked<Themed>,
    Sent(Who { seat }): Sent<Who>,
) -> Result<Response, Refusal> {
    change((studio, visitor, id), theme.into(), move |inner, visitor| {
        let seat = inner.check_seat(visitor, seat)?;
        if !inner.may_undo() {
            return Err(Refusal::forbidden("moves cannot be taken back in a fair game between people"));
        }
        inner.session.undo(seat)?;
        inner.stop_thinking();
        inner.failed = None;
        Ok(())
    })
    .await
}

async fn resign(
    State(studio): Shared,
    visitor: Visitor,
    Path(id): Path<String>,
    Asked(Themed { theme }): Asked<Themed>,
    Sent(Who { seat }): Sent<Who>,
) -> Result<Response, Refusal> {
    change((studio, visitor, id), theme.into(), move |inner, visitor| {
        let seat = inner.check_seat(visitor, seat)?;
        inner.session.resign(seat)?;
        inner.stop_thinking();
        Ok(())
    })
    .await
}

#[derive(Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
struct NewPace {
    /// Whether agents wait.
    #[serde(default)]
    paused: Option<bool>,
    /// Milliseconds between their moves.
    #[serde(default)]
    delay: Option<u64>,
    /// Whether they may make one step although they wait.
    #[serde(default)]
    step: bool,
}

async fn pace(
    State(studio): Shared,
    visitor: Visitor,
    Path(id): Path<String>,
    Asked(Themed { theme }): Asked<Themed>,
    Sent(wanted): Sent<NewPace>,
) -> Result<Response, Refusal> {
    change((studio, visitor, id), theme.into(), move |inner, _| {
        if !inner.head.open && !inner.agents_alone() {
            return Err(Refusal::forbidden("people play at this table: agents move at their own pace"));
        }
        let pace = &mut inner.pace;
        pace.paused = wanted.paused.unwrap_or(pace.paused);
        pace.delay = wanted.delay.map_or(pace.delay, |ms| Duration::from_millis(ms.min(LONGEST_DELAY)));
        pace.granted = u32::from(wanted.step);
        Ok(())
    })
    .await
}

impl Inner {
    fn check_all_seen(&self) -> Result<(), Refusal> {
        match self.all_seen() {
            true => Ok(()),
            false => {
                Err(Refusal::forbidden("that would tell what is hidden: ask again when the game is over"))
            }
        }
    }
}

async fn record(
    State(studio): Shared,
    visitor: Visitor,
    Path(id): Path<String>,
) -> Result<Response, Refusal> {
    let lines = worked(move || {
        let table = studio.table(&visitor, &id)?;
        let inner = table.inner();
        inner.check_all_seen()?;
        Ok(inner.session.record().to_lines())
    })
    .await?;
    let name = "attachment; filename=\"fogtree-record.jsonl\"";
    let kind = [(header::CONTENT_TYPE, "application/jsonl"), (header::CONTENT_DISPOSITION, name)];
    Ok((kind, lines).into_response())
}

/// A decision that an agent made at a table.
#[derive(Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
struct Thought {
    /// The steps made before it.
    step: usize,
    /// Who decided.
    seat: Player,
    /// What it chose.
    chosen: String,
    /// What it found out.
    decision: wire::Decision,
}

async fn thoughts(
    State(studio): Shared,
    visitor: Visitor,
    Path(id): Path<String>,
) -> Result<Response, Refusal> {
    answer(move || {
        let table = studio.table(&visitor, &id)?;
        let inner = table.inner();
        inner.check_all_seen()?;
        let session = &inner.session;
        let mut at = session.table().fork();
        let mut thoughts: Vec<Thought> = Vec::new();
        for thought in session.thoughts().iter().rev() {
            at.wind_back(thought.step);
            let agent = inner.head.seats[thought.seat.index()].clone().unwrap_or_default();
            let asked = wire::Asked {
                game: inner.head.game.clone(),
                agent,
                cheating: inner.cheats[thought.seat.index()],
                seat: thought.seat,
                infoset: at.key(Observer::Seat(thought.seat)),
                seed: None,
            };
            let report = &thought.decision.report;
            let decision = wire::Decision::of(asked, &thought.legal, thought.chosen.clone(), report);
            let (step, seat, chosen) = (thought.step, thought.seat, thought.chosen.clone());
            thoughts.push(Thought { step, seat, chosen, decision });
        }
        thoughts.reverse();
        Ok(thoughts)
    })
    .await
}

/// Views are not sent more often.
const BETWEEN: Duration = Duration::from_millis(40);

async fn live(
    State(studio): Shared,
    visitor: Visitor,
    Path(id): Path<String>,
    Asked(Themed { theme }): Asked<Themed>,
) -> Result<Response, Refusal> {
    let (studio_, visitor_) = (Arc::clone(&studio), visitor.clone());
    let table = worked(move || studio_.table(&visitor_, &id)).await?;
    let (send, receive) = mpsc::channel(4);
    tokio::spawn(follow(studio, table, visitor, theme.into(), send));
    Ok(events(receive))
}

/// Sends a visitor's view of a table whenever it has changed: that something happened elsewhere is not told.
async fn follow(
    studio: Arc<Studio>,
    table: Arc<LiveTable>,
    visitor: Visitor,
    theme: Theme,
    send: mpsc::Sender<Event>,
) {
    let (mut changes, mut searching) = (table.changes(), table.searching.subscribe());
    let mut last = String::new();
    loop {
        changes.mark_unchanged();
        let (table_, studio_, visitor_) = (Arc::clone(&table), Arc::clone(&studio), visitor.clone());
        let look = move || {
            if table_.inner().closed {
                return None;
            }
            let view = table_.view(&studio_, &visitor_, theme);
            let text = serde_json::to_string(&view).expect("plain data");
            let all_seen = view.all_seen();
            Some((text, serde_json::to_string(&view.without_time()).expect("plain data"), all_seen))
        };
        let Ok(Some((text, timeless, all_seen))) = tokio::task::spawn_blocking(look).await else {
            let _ = send.send(Event::default().event("gone").data("{}")).await;
            return;
        };
        if timeless != last {
            last = timeless;
            if send.send(Event::default().event("table").data(text)).await.is_err() {
                return;
            }
            tokio::time::sleep(BETWEEN).await;
        }
        loop {
            tokio::select! {
                changed = changes.changed() => match changed {
                    Ok(()) => break,
                    Err(_) => return,
                },
                heard = searching.recv() => match heard {
                    Ok(text) if all_seen => {
                        if send.send(Event::default().event("search").data(&*text)).await.is_err() {
                            return;
                        }
                    }
                    Ok(_) | Err(RecvError::Lagged(_)) => {}
                    Err(RecvError::Closed) => return,
                },
                () = send.closed() => return,
            }
        }
    }
}

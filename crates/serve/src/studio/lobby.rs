//! The way in, and what there is to choose from.

use std::sync::Arc;

use axum::Json;
use axum::Router;
use axum::extract::{Path, State};
use axum::http::header;
use axum::response::{IntoResponse, Redirect, Response};
use axum::routing::get;
use fogtree_core::{Observer, Player, Purpose, Seed, Spec};
use fogtree_draw::{Drawing, svg};
use fogtree_table::wire::{About, GameAbout};
use fogtree_table::{play_at_random, usual_agent};
use serde::{Deserialize, Serialize};
use serde_json::json;

use super::exchange::{Asked, Colours, Sent, answer, picture, worked};
use super::refusal::Refusal;
use super::visitors::Visitor;
use super::{Studio, assets};

/// What there is to choose from.
pub(crate) fn routes() -> Router<Arc<Studio>> {
    Router::new()
        .route("/api/games", get(games))
        .route("/api/agents", get(agents))
        .route("/api/solvers", get(solvers))
        .route("/api/setup", get(setup))
        .route("/api/picture", get(example))
}

/// What the routes take and answer.
#[cfg(feature = "schema")]
pub(crate) fn describe(api: &mut super::openapi::api::Api) {
    api.get("/", "The page; with a start key, the way in.")
        .for_all()
        .asks::<StartKey>()
        .answers_text("text/html");
    api.get("/seat/{key}", "The way to a seat that was kept for a guest.").for_all().redirects();
    api.get("/{*path}", "A file of the page.").for_all().answers_text("text/plain");
    api.get("/api/me", "Who asks, and what it holds.").answers::<Me>();
    api.post("/api/enter", "Opens a start link or a seat for a program.")
        .for_all()
        .sends::<Key>()
        .answers::<Entered>();
    api.post("/api/invite", "A fresh start link, for another browser.").answers_field("link");
    api.get("/api/games", "All games.").answers::<Vec<GameAbout>>();
    api.get("/api/agents", "All agents.").answers::<Vec<About>>();
    api.get("/api/solvers", "All solvers.").answers::<Vec<About>>();
    api.get("/api/setup", "What there is to choose when a game is set up.")
        .asks::<OfGame>()
        .answers::<Setup>();
    api.get("/api/picture", "A position after some random moves, as the first player sees it.")
        .asks::<Example>()
        .answers_text("image/svg+xml");
}

#[derive(Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub(crate) struct StartKey {
    /// The key of a start link.
    #[serde(default)]
    key: Option<String>,
}

/// The page; with a start key, the way in.
pub(crate) async fn first_page(
    State(studio): State<Arc<Studio>>,
    Asked(StartKey { key }): Asked<StartKey>,
) -> Result<Response, Refusal> {
    let Some(key) = key else { return Ok(assets::index()) };
    let entered = worked({
        let studio = Arc::clone(&studio);
        move || studio.visitors.enter(&key)
    })
    .await?;
    let home = Redirect::to("/");
    Ok(match entered {
        Some((token, _)) => (studio.with_cookie(&token), home).into_response(),
        None => home.into_response(),
    })
}

/// The way to a seat that was kept for a guest.
pub(crate) async fn seat_link(
    State(studio): State<Arc<Studio>>,
    Path(key): Path<String>,
    visitor: Result<Visitor, Refusal>,
) -> Result<Response, Refusal> {
    let asked = Arc::clone(&studio);
    let Entered { token, table, .. } = worked(move || asked.take_seat(&key, visitor.ok())).await?;
    let there = Redirect::to(&format!("/#/table/{}", table.unwrap_or_default()));
    Ok(match token {
        Some(token) => (studio.with_cookie(&token), there).into_response(),
        None => there.into_response(),
    })
}

/// Who is asked for, and what it holds.
#[derive(Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
struct Me {
    /// Whether one may make tables, search and solve.
    owner: bool,
    /// The version of the program.
    version: &'static str,
    /// The tables at which one holds seats.
    tables: Vec<Mine>,
}

/// The seats of a visitor at a table.
#[derive(Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[cfg_attr(feature = "schema", schemars(rename = "OwnSeats"))]
pub(crate) struct Mine {
    /// By which the table is asked for.
    pub(crate) table: String,
    /// The seats.
    pub(crate) seats: Vec<Player>,
}

pub(crate) async fn me(State(studio): State<Arc<Studio>>, visitor: Visitor) -> Result<Response, Refusal> {
    answer(move || {
        let version = env!("CARGO_PKG_VERSION");
        Ok(Me { owner: visitor.owner, version, tables: studio.tables.seats_of(&visitor.id) })
    })
    .await
}

#[derive(Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[cfg_attr(feature = "schema", schemars(rename = "EntryKey"))]
pub(crate) struct Key {
    /// The key in a start link or in the link of a seat.
    key: String,
}

/// What a key opened.
#[derive(Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub(crate) struct Entered {
    /// For whoever had none yet.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) token: Option<String>,
    /// At which table there is a seat.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) table: Option<String>,
    /// The seat.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) seat: Option<Player>,
}

/// The way in for programs.
pub(crate) async fn enter(
    State(studio): State<Arc<Studio>>,
    visitor: Result<Visitor, Refusal>,
    Sent(Key { key }): Sent<Key>,
) -> Result<Response, Refusal> {
    let asked = Arc::clone(&studio);
    let entered = worked(move || match asked.visitors.enter(&key)? {
        Some((token, _)) => Ok(Entered { token: Some(token), table: None, seat: None }),
        None => asked.take_seat(&key, visitor.ok()),
    });
    let entered = entered.await?;
    let cookie = entered.token.as_ref().map(|token| studio.with_cookie(token));
    Ok((cookie, Json(entered)).into_response())
}

pub(crate) async fn invite(State(studio): State<Arc<Studio>>, visitor: Visitor) -> Result<Response, Refusal> {
    visitor.must_own()?;
    Ok(Json(json!({"link": studio.start_link()})).into_response())
}

/// Whatever else is asked for.
pub(crate) async fn nothing() -> Refusal {
    Refusal::not_found("there is nothing here")
}

impl Studio {
    /// The header by which a browser keeps a token.
    fn with_cookie(&self, token: &str) -> [(header::HeaderName, String); 1] {
        let name = &self.cookie;
        let year = 365 * 24 * 3600;
        let cookie = format!("{name}={token}; Path=/; HttpOnly; SameSite=Strict; Max-Age={year}");
        [(header::SET_COOKIE, cookie)]
    }
}

async fn games(State(studio): State<Arc<Studio>>, _: Visitor) -> Result<Response, Refusal> {
    answer(move || {
        let about = |about: &'static fogtree_core::About| {
            let game = studio.registry.game(about.name).ok();
            GameAbout { about: studio.registry.offered(about), ..GameAbout::in_list(about, game.as_deref()) }
        };
        Ok(studio.registry.games().map(about).collect::<Vec<_>>())
    })
    .await
}

async fn agents(State(studio): State<Arc<Studio>>, _: Visitor) -> Result<Response, Refusal> {
    answer(move || {
        Ok(studio.registry.agents().map(|about| studio.registry.offered(about)).collect::<Vec<_>>())
    })
    .await
}

async fn solvers(_: Visitor) -> Result<Response, Refusal> {
    answer(|| Ok(fogtree_solve::solver::ALL.iter().copied().map(About::from).collect::<Vec<_>>())).await
}

#[derive(Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
struct OfGame {
    /// The specification of the game.
    game: String,
}

/// What there is to choose when a game is set up.
#[derive(Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
struct Setup {
    /// The specification of the game.
    game: String,
    /// All that there is to say of it.
    about: GameAbout,
    /// How many play.
    players: usize,
    /// The agent that is usually asked.
    usual: &'static str,
    /// All agents, and whether they play it.
    agents: Vec<Fit>,
}

/// Whether an agent plays a game.
#[derive(Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
struct Fit {
    /// The name of the agent.
    name: &'static str,
    /// Why not.
    #[serde(skip_serializing_if = "Option::is_none")]
    why: Option<String>,
}

async fn setup(
    State(studio): State<Arc<Studio>>,
    _: Visitor,
    Asked(OfGame { game: spec }): Asked<OfGame>,
) -> Result<Response, Refusal> {
    answer(move || {
        let registry = &studio.registry;
        let game = registry.game(&spec)?;
        let written: Spec = spec.parse()?;
        let (about, _) = fogtree_core::About::find(registry.games(), "game", &written)?;
        let fit = |about: &'static fogtree_core::About| {
            let why = registry.agent(about.name, &*game).err().map(|why| why.to_string());
            Fit { name: about.name, why }
        };
        Ok(Setup {
            about: GameAbout { about: registry.offered(about), ..GameAbout::in_full(about, &*game) },
            players: game.facts().players,
            usual: usual_agent(&*game),
            agents: registry.agents().map(fit).collect(),
            game: spec,
        })
    })
    .await
}

#[derive(Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
struct Example {
    /// The specification of the game.
    game: String,
    /// How many moves are made at random.
    #[serde(default)]
    moves: usize,
    #[serde(default)]
    theme: Colours,
}

/// Longer games are not played for a picture.
const MOST_MOVES: usize = 400;

/// A position after some random moves, as the first player sees it.
async fn example(
    State(studio): State<Arc<Studio>>,
    _: Visitor,
    Asked(Example { game, moves, theme }): Asked<Example>,
) -> Result<Response, Refusal> {
    picture(move || {
        let game = studio.registry.game(&game)?;
        let mut table = game.table();
        let mut rng = Seed(1).named("random").stream(Purpose::Deal);
        play_at_random(&mut *table, moves.min(MOST_MOVES), &mut rng);
        let drawing = Drawing { theme: theme.into(), ..Drawing::default() };
        Ok(svg(&table.scene(Observer::Seat(Player(0))), &drawing))
    })
    .await
}

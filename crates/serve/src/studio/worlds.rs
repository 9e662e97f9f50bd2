//! Worlds that a seat holds possible: how likely what stands where, and some of them to leaf through.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::time::Duration;

use axum::Router;
use axum::extract::State;
use axum::response::Response;
use axum::routing::post;
use fogtree_core::scene::{Beliefs, Scene};
use fogtree_core::{Deadline, Observer, Player, Purpose, Seed};
use fogtree_draw::{Drawing, Theme, svg};
use fogtree_table::{NoBelief, belief_of, believed_worlds};
use serde::{Deserialize, Serialize};
use tokio::sync::oneshot;

use super::Studio;
use super::exchange::{Asked, Sent, Themed, answer};
use super::jobs::BROKEN;
use super::place::{Place, Stand};
use super::refusal::Refusal;
use super::visitors::{Visitor, secret};

/// More worlds are not drawn,
const MOST_WORLDS: usize = 1000;
/// and no more of them shown.
const MOST_SHOWN: usize = 24;
/// Looking for worlds takes no longer,
const LONGEST_LOOK: Duration = Duration::from_secs(5);
/// and an agent that is asked for its belief no longer.
const LONGEST_BELIEF: Duration = Duration::from_secs(5);

/// Worlds over HTTP.
pub(crate) fn routes() -> Router<Arc<Studio>> {
    Router::new().route("/api/worlds", post(worlds))
}

/// What the routes take and answer.
#[cfg(feature = "schema")]
pub(crate) fn describe(api: &mut super::openapi::api::Api) {
    api.post("/api/worlds", "Worlds that a seat holds possible.")
        .asks::<Themed>()
        .sends::<Wanted>()
        .answers::<Believed>();
}

#[derive(Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[cfg_attr(feature = "schema", schemars(rename = "NewWorlds"))]
struct Wanted {
    /// The position.
    place: Place,
    /// Whose worlds.
    seat: u8,
    /// How many are drawn.
    #[serde(default)]
    count: Option<usize>,
    /// How many of them are shown.
    #[serde(default)]
    shown: Option<usize>,
    /// Whose beliefs.
    #[serde(default)]
    agent: Option<String>,
    /// From what they are drawn.
    #[serde(default)]
    seed: Option<u64>,
}

#[derive(Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[cfg_attr(feature = "schema", schemars(rename = "WorldsView"))]
struct Believed {
    /// What may stand where, by shares.
    beliefs: Beliefs,
    /// What the seat sees, with shares.
    svg: String,
    /// Some of the worlds.
    worlds: Vec<Drawn>,
    /// The whole truth, where it may be seen.
    #[serde(skip_serializing_if = "Option::is_none")]
    truth: Option<String>,
}

#[derive(Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[cfg_attr(feature = "schema", schemars(rename = "DrawnWorld"))]
struct Drawn {
    /// How much it counts among those that were drawn.
    weight: f64,
    /// The whole world as a picture.
    svg: String,
}

async fn worlds(
    State(studio): State<Arc<Studio>>,
    visitor: Visitor,
    Asked(Themed { theme }): Asked<Themed>,
    Sent(wanted): Sent<Wanted>,
) -> Result<Response, Refusal> {
    let Some(spec) = wanted.agent.clone() else {
        return answer(move || {
            let stand = studio.stand(&visitor, &wanted.place)?;
            let seat = stand.seat(wanted.seat)?;
            draw(&stand, seat, &wanted, None, theme.into())
        })
        .await;
    };
    // Asking an agent is a search, so it waits for a thread that searches.
    let (tell, told) = oneshot::channel();
    let (pool, line) = (Arc::clone(&studio.pool), secret());
    pool.submit(&line, move || {
        let found =
            catch_unwind(AssertUnwindSafe(|| believed(&studio, &visitor, &wanted, &spec, theme.into())));
        let _ = tell.send(found.unwrap_or_else(|_| Err(Refusal::failed(BROKEN))));
    })?;
    let found = told.await.unwrap_or_else(|_| Err(Refusal::full("the studio is about to end")))?;
    answer(move || Ok(found)).await
}

/// Worlds as an agent believes.
fn believed(
    studio: &Arc<Studio>,
    visitor: &Visitor,
    wanted: &Wanted,
    spec: &str,
    theme: Theme,
) -> Result<Believed, Refusal> {
    let stand = studio.stand(visitor, &wanted.place)?;
    let seat = stand.seat(wanted.seat)?;
    let mut agent = studio.registry.agent(spec, &*stand.game)?;
    if agent.cheats {
        return Err(Refusal::bad(format!("{} looks at the true state: it believes nothing", agent.spec)));
    }
    let longest = LONGEST_BELIEF.min(studio.settings.longest_search);
    agent.budget.time = Some(agent.budget.time.map_or(longest, |time| time.min(longest)));
    let seed = Seed(wanted.seed.unwrap_or(1));
    let belief = belief_of(agent, &*stand.table, seat, seed).map_err(|why| match why {
        NoBelief::None(_) => Refusal::bad(why.to_string()),
        NoBelief::NotToMove(_) => Refusal::conflict(why.to_string()),
        NoBelief::Failed(_) => Refusal::failed(why.to_string()),
    })?;
    draw(&stand, seat, wanted, Some(&belief), theme)
}

fn draw(
    stand: &Stand,
    seat: Player,
    wanted: &Wanted,
    belief: Option<&[f64]>,
    theme: Theme,
) -> Result<Believed, Refusal> {
    let count = wanted.count.unwrap_or(200).clamp(1, MOST_WORLDS);
    let shown = wanted.shown.unwrap_or(6).min(MOST_SHOWN);
    let mut rng = Seed(wanted.seed.unwrap_or(1)).named("worlds").stream(Purpose::Deal);
    let until = Deadline::after(Some(LONGEST_LOOK), None::<Arc<AtomicBool>>);
    let worlds = believed_worlds(&stand.table.infoset(seat), count, belief, &mut rng, &until);
    if worlds.is_empty() {
        return Err(Refusal::full("no world that agrees with what is known was found in time"));
    }
    let worlds: Vec<(Scene, f64)> =
        worlds.into_iter().map(|(world, weight)| (world.scene(), weight)).collect();
    let beliefs = Beliefs::count(&worlds);
    let plain = Drawing { theme, ..Drawing::default() };
    let with_shares = Drawing { beliefs: Some(&beliefs), ..plain };
    Ok(Believed {
        svg: svg(&stand.table.scene(Observer::Seat(seat)), &with_shares),
        worlds: worlds
            .iter()
            .take(shown)
            .map(|(scene, weight)| Drawn { weight: *weight, svg: svg(scene, &plain) })
            .collect(),
        truth: stand.sees_all().then(|| svg(&stand.table.true_scene(), &plain)),
        beliefs,
    })
}

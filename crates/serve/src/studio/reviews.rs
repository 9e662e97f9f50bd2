//! What every decision of a game has cost, judged by what its player knew and not by hindsight.

use std::collections::VecDeque;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;
use std::time::Duration;

use axum::Router;
use axum::extract::{Path, State};
use axum::http::StatusCode;
use axum::response::Response;
use axum::routing::{get, post};
use fogtree_core::{Budget, Decision, InfoSet, Move, MoveReport, Player, Seed};
use fogtree_table::{AnyGame, SeatAgent, usual_agent};
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

use super::Studio;
use super::exchange::{Sent, answer, event, worked};
use super::jobs::{BROKEN, Job, Progress, Stage};
use super::place::{Place, Stand};
use super::refusal::Refusal;
use super::visitors::Visitor;

/// The longest time for a decision.
const LONGEST_TIME: Duration = Duration::from_secs(20);

/// Reviews over HTTP.
pub(crate) fn routes() -> Router<Arc<Studio>> {
    Router::new()
        .route("/api/reviews", post(begin))
        .route("/api/reviews/{id}", get(show).delete(forget))
        .route("/api/reviews/{id}/live", get(live))
}

/// What the routes take and answer.
#[cfg(feature = "schema")]
pub(crate) fn describe(api: &mut super::openapi::api::Api) {
    use super::openapi::api::Nothing;

    /// A review as far as it has come.
    #[derive(schemars::JsonSchema)]
    #[allow(dead_code, reason = "only its form is of interest")]
    struct ReviewView {
        /// By which it is asked for.
        review: String,
        #[schemars(flatten)]
        judged: Judged,
    }

    api.post("/api/reviews", "Has every decision of a game judged.")
        .sends::<Wanted>()
        .answers_field("review");
    api.get("/api/reviews/{id}", "A review as far as it has come.").answers::<ReviewView>();
    api.delete("/api/reviews/{id}", "Stops and forgets a review.").answers_nothing();
    api.get("/api/reviews/{id}/live", "A review as it goes on.")
        .streams()
        .event::<Row>("row")
        .event::<Nothing>("end");
}

#[derive(Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[cfg_attr(feature = "schema", schemars(rename = "NewReview"))]
struct Wanted {
    /// A game that is over, or a recorded one.
    place: Place,
    /// Who judges; by default the usual agent.
    #[serde(default)]
    agent: Option<String>,
    /// Milliseconds for a decision.
    #[serde(default)]
    time: Option<u64>,
    /// Whose decisions are judged; by default everybody's.
    #[serde(default)]
    seats: Option<Vec<u8>>,
    /// The seed of the judge.
    #[serde(default)]
    seed: Option<u64>,
}

/// A decision that is to be judged.
struct Made {
    /// The steps made before it.
    step: usize,
    info: InfoSet,
    action: Move,
}

/// A decision that was judged. Values are those of its player; null if nothing is known.
#[derive(Clone, PartialEq, Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[cfg_attr(feature = "schema", schemars(rename = "ReviewRow"))]
struct Row {
    /// The steps made before it.
    step: usize,
    /// Who decided.
    seat: Player,
    /// What was chosen.
    #[serde(rename = "move")]
    name: String,
    /// What the judge would have chosen.
    best: String,
    /// What the choice is worth.
    value: Option<f64>,
    /// What the better choice is worth.
    best_value: Option<f64>,
    /// What the choice has cost.
    lost: Option<f64>,
    /// Half the width of the 95 % confidence interval of what was lost.
    #[serde(skip_serializing_if = "Option::is_none")]
    margin: Option<f64>,
}

#[derive(Default, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[cfg_attr(feature = "schema", schemars(rename = "JudgedGame"))]
struct Judged {
    /// How far it has come.
    state: Stage,
    /// How many decisions there are.
    of: usize,
    /// Those that were judged.
    rows: Vec<Row>,
    /// Why not all were.
    #[serde(skip_serializing_if = "Option::is_none")]
    error: Option<String>,
}

/// A game that is judged.
pub(crate) struct Review {
    game: Arc<dyn AnyGame>,
    agent: String,
    /// As long as the agent itself says, if nobody said otherwise.
    time: Option<Duration>,
    longest: Duration,
    seed: Seed,
    judged: Arc<Progress<Judged>>,
}

impl Job for Review {
    fn stop(&self) {
        self.judged.stop();
    }
}

type Shared = State<Arc<Studio>>;

async fn begin(
    State(studio): Shared,
    visitor: Visitor,
    Sent(wanted): Sent<Wanted>,
) -> Result<Response, Refusal> {
    answer(move || Ok(json!({"review": studio.begin_review(&visitor, &wanted)?}))).await
}

async fn show(State(studio): Shared, visitor: Visitor, Path(id): Path<String>) -> Result<Response, Refusal> {
    answer(move || {
        let review = studio.reviews.find(&visitor, &id)?;
        let mut told = serde_json::to_value(&*review.judged.found()).expect("plain data");
        told["review"] = Value::from(id);
        Ok(told)
    })
    .await
}

async fn forget(
    State(studio): Shared,
    visitor: Visitor,
    Path(id): Path<String>,
) -> Result<StatusCode, Refusal> {
    worked(move || studio.reviews.remove(&visitor, &id)).await?;
    Ok(StatusCode::NO_CONTENT)
}

async fn live(State(studio): Shared, visitor: Visitor, Path(id): Path<String>) -> Result<Response, Refusal> {
    let review = studio.reviews.find(&visitor, &id)?;
    let mut told = 0;
    Ok(review.judged.follow(move |judged| {
        let news = judged.rows[told..].iter().map(|row| event("row", row)).collect();
        told = judged.rows.len();
        (news, judged.state.is_over())
    }))
}

/// The decisions of some seats in which there was a choice, in order.
fn decisions(stand: &Stand, seats: &[Player]) -> VecDeque<Made> {
    let mut made = VecDeque::new();
    let mut at = stand.table.fork();
    for step in (0..stand.table.steps()).rev() {
        let names = at.last_names();
        at.wind_back(step);
        let movers = at.turn().players();
        for (seat, name) in movers.iter().zip(&names).filter(|(seat, _)| seats.contains(seat)) {
            let info = at.infoset(seat);
            let action = info.legal.iter().copied().find(|&mv| info.game.move_name(mv) == *name);
            if let Some(action) = action.filter(|_| info.legal.len() > 1) {
                made.push_front(Made { step, info, action });
            }
        }
    }
    made
}

impl Studio {
    fn begin_review(self: &Arc<Studio>, visitor: &Visitor, wanted: &Wanted) -> Result<String, Refusal> {
        let place = match &wanted.place {
            Place::Table { table, .. } => Place::Table { table: table.clone(), step: None },
            Place::Replay { replay, number, .. } => {
                Place::Replay { replay: replay.clone(), number: *number, step: None }
            }
            moves => moves.clone(),
        };
        let stand = self.stand(visitor, &place)?;
        if !stand.sees_all() {
            return Err(Refusal::forbidden("a game is judged when it is over"));
        }
        let seats: Vec<Player> = match &wanted.seats {
            Some(seats) => seats.iter().map(|&seat| stand.seat(seat)).collect::<Result<_, _>>()?,
            None => Player::all(stand.game.facts().players).collect(),
        };
        let spec = wanted.agent.clone().unwrap_or_else(|| usual_agent(&*stand.game).to_string());
        let agent = self.registry.agent(&spec, &*stand.game)?;
        if agent.cheats {
            let why = format!("{} looks at the true state: it would judge by hindsight", agent.spec);
            return Err(Refusal::bad(why));
        }
        let made = decisions(&stand, &seats);
        let judged = Judged { of: made.len(), ..Judged::default() };
        let review = Arc::new(Review {
            game: Arc::clone(&stand.game),
            agent: spec,
            time: wanted.time.map(Duration::from_millis),
            longest: LONGEST_TIME.min(self.settings.longest_search),
            seed: Seed(wanted.seed.unwrap_or(1)),
            judged: Arc::new(Progress::new(judged)),
        });
        let id = self.reviews.add(visitor, Arc::clone(&review));
        self.judge_next(&id, review, made);
        Ok(id)
    }

    /// Judges one decision after another. Each waits for its turn, so that a long game does not hold up
    /// others.
    fn judge_next(self: &Arc<Studio>, id: &str, review: Arc<Review>, mut left: VecDeque<Made>) {
        let Some(made) = left.pop_front() else {
            review.judged.note(|judged| judged.state = Stage::Done);
            return;
        };
        let (studio, line, there) = (Arc::clone(self), id.to_string(), Arc::clone(&review));
        let work = move || {
            if there.judged.is_stopped() {
                return;
            }
            there.judged.note(|judged| judged.state = Stage::Running);
            let row = catch_unwind(AssertUnwindSafe(|| there.judge(&studio, &made)));
            match row.unwrap_or_else(|_| Err(Refusal::failed(BROKEN))) {
                Ok(row) => {
                    there.judged.note(|judged| judged.rows.push(row));
                    studio.judge_next(&line, there, left);
                }
                Err(why) => there.fail(why.to_string()),
            }
        };
        if let Err(why) = self.pool.submit(id, work) {
            review.fail(why.to_string());
        }
    }
}

impl Review {
    fn fail(&self, why: String) {
        self.judged.note(|judged| {
            judged.state = Stage::Failed;
            judged.error = Some(why);
        });
    }

    /// Asks an agent that knows no more than the player did.
    fn judge(&self, studio: &Studio, made: &Made) -> Result<Row, Refusal> {
        let mut agent: SeatAgent = studio.registry.agent(&self.agent, &*self.game)?;
        let own = if self.time.is_some() { Budget::default() } else { agent.budget };
        let time = self.time.or(own.time).map_or(self.longest, |time| time.min(self.longest));
        agent.budget = Budget { time: Some(time), turn: None, ..own };
        agent.budget.stop = Some(self.judged.flag());
        let seat = made.info.seat;
        agent.start(seat, self.seed.number(made.step as u64));
        made.info.events.iter().for_each(|event| agent.observe(event));
        let decision = agent.act(&made.info)?;
        Ok(row(made, &decision))
    }
}

/// What a decision has cost, by what an agent would have done instead.
fn row(made: &Made, decision: &Decision) -> Row {
    let (seat, game) = (made.info.seat, &made.info.game);
    let of = |action: Move| decision.report.moves.iter().find(|found| found.action == action);
    let value = |found: &MoveReport| found.values.as_ref().map(|values| values[seat]);
    let margin = |found: &MoveReport| match found.proven {
        true => Some(0.0),
        false => found.margins.as_ref().map(|margins| margins[seat]),
    };
    let chosen = of(made.action);
    let worth = chosen.and_then(value);
    // The agent's choice is the best there is, unless the move made is worth no less.
    let advised = of(decision.action).and_then(value);
    let as_good =
        made.action == decision.action || worth.zip(advised).is_some_and(|(made, best)| made >= best);
    let best = if as_good { made.action } else { decision.action };
    let best_value = if as_good { worth } else { advised };
    let margins = chosen.and_then(margin).zip(of(best).and_then(margin));
    Row {
        step: made.step,
        seat,
        name: game.move_name(made.action),
        best: game.move_name(best),
        value: worth,
        best_value,
        lost: if as_good { Some(0.0) } else { worth.zip(best_value).map(|(made, best)| best - made) },
        margin: margins.filter(|_| !as_good).map(|(a, b)| a.hypot(b)),
    }
}

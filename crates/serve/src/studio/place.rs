//! Positions that can be looked at, and what whoever looks may see of them.

use std::sync::Arc;

use axum::Router;
use axum::extract::State;
use axum::response::Response;
use axum::routing::post;
use fogtree_core::text::plain;
use fogtree_core::{InfoSet, Observer, Player, Rewards, Seed};
use fogtree_draw::{Drawing, svg};
use fogtree_table::wire::{self, SeatPosition, Shown};
use fogtree_table::{AnyGame, AnyTable, after_moves};
use serde::{Deserialize, Serialize};

use super::Studio;
use super::exchange::{Asked, Sent, Themed, answer};
use super::refusal::Refusal;
use super::visitors::Visitor;

/// A position that somebody names.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(tag = "of", rename_all = "lowercase")]
pub(crate) enum Place {
    /// At a table: now, or after so many steps.
    Table {
        /// By which the table is asked for.
        table: String,
        /// How many steps were made; without it, the present.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        step: Option<usize>,
    },
    /// In a recorded game: at its end, or after so many steps.
    Replay {
        /// By which the record is asked for.
        replay: String,
        /// The number of the game in the record, from 1.
        #[serde(default = "first")]
        number: usize,
        /// How many steps were made; without it, the end.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        step: Option<usize>,
    },
    /// After some moves. With a seed, chance draws from it.
    Moves {
        /// The specification of the game.
        game: String,
        /// The moves in order, those of chance among them.
        #[serde(default)]
        moves: String,
        /// From which chance draws what the moves leave out.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        seed: Option<u64>,
    },
}

fn first() -> usize {
    1
}

/// What may be seen of a position.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) enum Sees {
    /// Everything.
    All,
    /// What these seats know.
    Seats(Vec<Player>),
}

/// A position with what may be seen of it.
pub(crate) struct Stand {
    /// The specification of the game. It may tell what seats do not know: see [`Stand::told`].
    pub(crate) spec: String,
    pub(crate) game: Arc<dyn AnyGame>,
    /// Holds the truth.
    pub(crate) table: Box<dyn AnyTable>,
    pub(crate) sees: Sees,
}

impl Stand {
    /// The seat of this number, if there is one whose knowledge may be looked at.
    pub(crate) fn seat(&self, number: u8) -> Result<Player, Refusal> {
        let (seat, players) = (Player(number), self.game.facts().players);
        if seat.index() >= players {
            return Err(Refusal::bad(format!("the game has the seats 0 to {}", players - 1)));
        }
        match &self.sees {
            Sees::Seats(own) if !own.contains(&seat) => {
                Err(Refusal::forbidden(format!("what player {seat} knows is not yours to see")))
            }
            _ => Ok(seat),
        }
    }

    /// The information set of a seat that is to move.
    pub(crate) fn decision(&self, seat: Player) -> Result<InfoSet, Refusal> {
        if !self.table.turn().players().contains(seat) {
            return Err(Refusal::conflict(format!("player {seat} is not to move in this position")));
        }
        Ok(self.table.infoset(seat))
    }

    /// Whether everything may be seen.
    pub(crate) fn sees_all(&self) -> bool {
        self.sees == Sees::All
    }

    /// The specification of the game as a seat may know it; in full where everything may be seen.
    pub(crate) fn told(&self, studio: &Studio, seat: Option<Player>) -> Result<String, Refusal> {
        match seat {
            Some(seat) if !self.sees_all() => Ok(studio.registry.told(&self.spec, seat)?),
            _ => Ok(self.spec.clone()),
        }
    }
}

impl Studio {
    /// The position that a visitor names.
    pub(crate) fn stand(self: &Arc<Studio>, visitor: &Visitor, place: &Place) -> Result<Stand, Refusal> {
        let (spec, game, table) = match place {
            Place::Table { table, step } => return self.at_table(visitor, table, *step),
            Place::Replay { replay, number, step } => {
                visitor.must_own()?;
                self.replays.position(replay, *number, *step)?
            }
            Place::Moves { game: spec, moves, seed } => {
                visitor.must_own()?;
                let game = self.registry.game(spec)?.shared();
                let table = after_moves(&*game, moves, seed.map(Seed))?;
                (spec.clone(), game, table)
            }
        };
        Ok(Stand { spec, game, table, sees: Sees::All })
    }
}

/// Positions by themselves.
pub(crate) fn routes() -> Router<Arc<Studio>> {
    Router::new().route("/api/position", post(position))
}

/// What the routes take and answer.
#[cfg(feature = "schema")]
pub(crate) fn describe(api: &mut super::openapi::api::Api) {
    api.post("/api/position", "A position as it may be seen.")
        .asks::<Themed>()
        .sends::<Look>()
        .answers::<Sight>();
}

#[derive(Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
struct Look {
    /// The position.
    place: Place,
    /// Who looks; without a seat, the whole truth is shown where it may be seen.
    #[serde(default)]
    seat: Option<u8>,
}

/// A position as it may be seen.
#[derive(Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[cfg_attr(feature = "schema", schemars(rename = "SeenPosition"))]
struct Sight {
    /// What is seen.
    shown: Shown,
    /// The same as a picture.
    svg: String,
    /// How many play.
    players: usize,
    /// Whose turn it is; a seat that sees no more is told only whether it is its own.
    turn: Option<wire::Turn>,
    /// Those who are to move.
    movers: Vec<Player>,
    /// How many steps were made, where everything may be seen.
    #[serde(skip_serializing_if = "Option::is_none")]
    step: Option<usize>,
    /// The names of the last step, where everything may be seen.
    last: Vec<String>,
    /// The last step as the seat was told of it.
    #[serde(skip_serializing_if = "Option::is_none")]
    told: Option<String>,
    /// The reward of every seat, if the game is over.
    #[serde(skip_serializing_if = "Option::is_none")]
    rewards: Option<Rewards>,
}

async fn position(
    State(studio): State<Arc<Studio>>,
    visitor: Visitor,
    Asked(Themed { theme }): Asked<Themed>,
    Sent(Look { place, seat }): Sent<Look>,
) -> Result<Response, Refusal> {
    answer(move || {
        let stand = studio.stand(&visitor, &place)?;
        let seat = seat.map(|seat| stand.seat(seat)).transpose()?;
        if seat.is_none() && !stand.sees_all() {
            return Err(Refusal::forbidden("the whole position is not yours to see before the game is over"));
        }
        let spec = stand.told(&studio, seat)?;
        let Stand { game, table, sees, .. } = &stand;
        let (players, all) = (game.facts().players, *sees == Sees::All);
        let shown = Shown::of(seat, &spec, &**table);
        let drawing = Drawing { theme: theme.into(), ..Drawing::default() };
        let turn = match seat {
            Some(seat) if !all => SeatPosition::of(seat, &spec, &**table).turn,
            _ => Some(wire::Position::of(&spec, players, &**table).turn),
        };
        let own = |p: &Player| all || seat == Some(*p);
        Ok(Sight {
            svg: svg(&shown.scene, &drawing),
            shown,
            players,
            turn,
            movers: table.turn().players().iter().filter(own).collect(),
            step: all.then(|| table.steps()),
            last: if all { table.last_names() } else { Vec::new() },
            told: seat
                .filter(|_| all)
                .and_then(|seat| table.told(Observer::Seat(seat)))
                .map(|told| plain(&told)),
            rewards: table.rewards(),
        })
    })
    .await
}

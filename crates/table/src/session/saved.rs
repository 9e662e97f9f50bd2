//! Sessions that are kept for another time.

use fogtree_core::{Commitment, Player, Players, Seed, Turn};
use serde::{Deserialize, Serialize};

use super::{NoSession, Seat, Session};
use crate::registry::Registry;
use crate::typed::read_move;

const FORMAT: &str = "fogtree-session";
const VERSION: u32 = 1;

/// A session as it is written down. It holds the seed, from which everything hidden follows.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct Saved {
    /// Always `fogtree-session`.
    pub format: String,
    /// The version of the format.
    pub version: u32,
    /// The game's specification.
    pub game: String,
    /// The agents by seat; none for people.
    pub seats: Vec<Option<String>>,
    /// The seed of deal and agents.
    pub seed: Seed,
    /// What the seed was promised with, in a game whose seed comes from the system.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub salt: Option<String>,
    /// All that was played, chance included.
    pub moves: Vec<String>,
    /// What some have chosen already in a step that waits for others, by seat and name.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub pending: Vec<(Player, String)>,
    /// How many of the moves were played elsewhere, chance included, before the session began.
    #[serde(default, skip_serializing_if = "is_zero")]
    pub given: usize,
    /// How often somebody has taken moves back.
    #[serde(default)]
    pub undone: u64,
    /// Who has resigned.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub resigned: Option<Player>,
}

#[allow(clippy::trivially_copy_pass_by_ref)]
fn is_zero(n: &usize) -> bool {
    *n == 0
}

/// Why a text is no session that can be resumed.
#[derive(Debug, thiserror::Error)]
pub enum BadSession {
    /// Not the JSON of a session.
    #[error("not a saved session: {0}")]
    Json(#[from] serde_json::Error),
    /// Another kind of file.
    #[error("not a saved session of this version: {0}")]
    Format(String),
    /// The game or an agent is not there.
    #[error(transparent)]
    NoSession(#[from] NoSession),
    /// A move that cannot be made.
    #[error("move {number} ({name}): {why}")]
    Move {
        /// Counted from 1.
        number: usize,
        /// Its name.
        name: String,
        /// What is wrong with it.
        why: String,
    },
    /// There is no such seat.
    #[error("there is no seat {0}")]
    Seat(Player),
}

impl Session {
    /// The session as it can be written down.
    pub fn save(&self) -> Saved {
        let seat = |seat: &Seat| match seat {
            Seat::Person => None,
            Seat::Agent(spec) => Some(spec.clone()),
        };
        let pending = Player::all(self.seats.len()).filter_map(|p| Some((p, self.pending[p]?)));
        let pending = pending.map(|(p, mv)| (p, self.game.model().move_name(mv)));
        Saved {
            pending: pending.collect(),
            format: FORMAT.to_string(),
            version: VERSION,
            game: self.game.spec().to_string(),
            seats: self.seats.iter().map(seat).collect(),
            seed: self.seed,
            salt: self.promise.as_ref().map(|promise| promise.salt.clone()),
            moves: self.table.names(),
            given: self.given,
            undone: self.undone,
            resigned: self.resigned,
        }
    }

    /// The session that was saved. Agents begin anew with all that they have seen.
    pub fn resume(registry: &Registry, saved: &Saved) -> Result<Session, BadSession> {
        if (saved.format.as_str(), saved.version) != (FORMAT, VERSION) {
            return Err(BadSession::Format(format!("{} {}", saved.format, saved.version)));
        }
        let seat = |agent: &Option<String>| agent.clone().map_or(Seat::Person, Seat::Agent);
        let seats: Vec<Seat> = saved.seats.iter().map(seat).collect();
        let promise = saved.salt.clone().map(|salt| Commitment { seed: saved.seed, salt });
        let mut session = Session::with(registry, &saved.game, &seats, saved.seed, promise)?;
        if let Some(nobody) = saved.resigned.filter(|p| p.index() >= seats.len()) {
            return Err(BadSession::Seat(nobody));
        }
        session.given = saved.given;
        session.play_again(&saved.moves)?;
        for (seat, choice) in &saved.pending {
            if seat.index() >= seats.len() {
                return Err(BadSession::Seat(*seat));
            }
            let number = saved.moves.len() + 1;
            let bad = |why: String| BadSession::Move { number, name: choice.clone(), why };
            if !session.table.turn().players().contains(*seat) || session.pending[*seat].is_some() {
                return Err(bad(format!("player {seat} is not to move")));
            }
            let place = read_move(*seat, choice, &session.table.legal(*seat));
            let chosen = session.table.moves(*seat)[place.map_err(|why| bad(why.to_string()))?];
            session.choose(*seat, chosen);
        }
        session.undone = saved.undone & u64::from(u32::MAX);
        session.resigned = saved.resigned;
        session.restart_agents();
        Ok(session)
    }

    /// Makes moves that were made before; chance must draw what it drew, but for those that were given.
    pub(super) fn play_again(&mut self, moves: &[String]) -> Result<(), BadSession> {
        let mut at = 0;
        while let Some(name) = moves.get(at) {
            let bad = |why: String| BadSession::Move { number: at + 1, name: name.clone(), why };
            self.deals.push(self.deal.clone());
            let (turn, given) = (self.table.turn(), at < self.given);
            let words: Vec<&str> =
                moves[at..].iter().take(turn.players().len().max(1)).map(String::as_str).collect();
            match turn {
                Turn::Terminal => return Err(bad("the game is over".to_string())),
                Turn::Chance if !given => {
                    self.table.draw(&mut self.deal);
                    let drawn = self.table.last_names().join(" ");
                    if drawn != *name {
                        return Err(bad(format!("with this seed chance draws {drawn}")));
                    }
                }
                Turn::Chance | Turn::Player(_) | Turn::Simultaneous(_) => {
                    let steps = self.table.steps();
                    let movers = if given { Players::default() } else { turn.players() };
                    movers.iter().for_each(|p| self.experience[p.index()].chose_at.push(steps));
                    self.table.play_words(&words).map_err(|why| bad(why.to_string()))?;
                    if self.table.steps() != steps + 1 {
                        return Err(bad("some players' moves are missing".to_string()));
                    }
                }
            }
            self.tell_people();
            at += words.len();
        }
        for p in Player::all(self.seats.len()) {
            self.experience[p.index()].last = self.scene_at_last_choice(p);
        }
        Ok(())
    }
}

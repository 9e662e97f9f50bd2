//! What the seekers have seen of Mr X since they last saw him: his tickets, and where they stood themselves.
//!
//! This and where he was last seen say where he may be, so that no state needs to carry the set itself, which
//! would have to be worked out at every step of every playout. Until he is first seen it says more than the
//! set does: from how many start cards each station can be reached, hence how likely chance made it.

use serde::{Deserialize, Serialize};

use super::board::Ticket;
use super::{MOST_ROUNDS, MOST_SEEKERS};

/// A move of Mr X that nobody saw.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default, Serialize, Deserialize)]
pub(super) struct Hidden {
    pub(super) by: Ticket,
    /// Where the seekers stood when he made it.
    pub(super) seekers: [u8; MOST_SEEKERS],
}

/// The moves of Mr X that nobody saw, since somebody last saw him.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default, Serialize, Deserialize)]
#[serde(try_from = "Vec<Hidden>", into = "Vec<Hidden>")]
pub(super) struct Trail {
    length: u8,
    moves: [Hidden; MOST_ROUNDS],
}

impl Trail {
    #[inline]
    pub(super) fn push(&mut self, by: Ticket, seekers: [u8; MOST_SEEKERS]) {
        self.moves[self.length as usize] = Hidden { by, seekers };
        self.length += 1;
    }

    #[inline]
    pub(super) fn as_slice(&self) -> &[Hidden] {
        &self.moves[..self.length as usize]
    }
}

impl From<Trail> for Vec<Hidden> {
    fn from(trail: Trail) -> Vec<Hidden> {
        trail.as_slice().to_vec()
    }
}

impl TryFrom<Vec<Hidden>> for Trail {
    type Error = String;

    fn try_from(moves: Vec<Hidden>) -> Result<Trail, String> {
        if moves.len() > MOST_ROUNDS {
            return Err(format!("{} moves are more than {MOST_ROUNDS}", moves.len()));
        }
        let mut trail = Trail::default();
        moves.into_iter().for_each(|hidden| trail.push(hidden.by, hidden.seekers));
        Ok(trail)
    }
}

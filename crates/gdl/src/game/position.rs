//! Positions of a game made from a sheet.

use std::hash::{Hash, Hasher};
use std::sync::{Arc, Mutex};

use fogtree_core::{Observation, Turn};
use smallvec::SmallVec;

use crate::reasoner::ReasonerError;
use crate::term::TermId;

/// A move, of a player or of chance.
///
/// Moves are in the order of their codes, which are the same in every run; numbers of terms need not be.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Move {
    pub(super) code: u64,
    pub(super) term: TermId,
}

impl Move {
    /// The move as the reasoner has it.
    pub fn term(self) -> TermId {
        self.term
    }
}

/// One move per role.
pub(super) type Joint = SmallVec<[TermId; 4]>;

/// Why a match ended before the rules ended it. Sheets that pass the checks on loading seldom have such matches, and
/// never if all their states were looked at.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum Broken {
    /// More joint moves than the limit allows.
    #[error("the match was broken off after {0} steps")]
    TooLong(u32),
    /// Nobody can move on: a role has no legal move.
    #[error("the match was broken off because {role} has no legal move")]
    Stuck {
        /// The role.
        role: String,
    },
    /// The reasoner has no answer.
    #[error("the match was broken off because the reasoner gave up: {0}")]
    Reasoner(#[from] ReasonerError),
}

/// A state of the sheet and, while chance has yet to complete the joint move, what the players chose.
#[derive(Clone, Debug)]
pub struct GdlState<S> {
    pub(super) fluents: S,
    /// The joint move that waits for chance, `random`'s own part left as it was; empty if none does.
    pub(super) chosen: Joint,
    /// How many joint moves were made, if they are counted.
    pub(super) made: u32,
    pub(super) now: Arc<Now<S>>,
}

impl<S> GdlState<S> {
    /// The state of the sheet.
    pub fn fluents(&self) -> &S {
        &self.fluents
    }

    /// Why the match ended here, if it was not the rules that ended it.
    pub fn broken(&self) -> Option<&Broken> {
        self.now.broken.as_ref()
    }
}

impl<S: PartialEq> PartialEq for GdlState<S> {
    fn eq(&self, other: &Self) -> bool {
        self.made == other.made
            && self.chosen == other.chosen
            && self.now.broken.is_some() == other.now.broken.is_some()
            && self.fluents == other.fluents
    }
}

impl<S: Eq> Eq for GdlState<S> {}

impl<S: Hash> Hash for GdlState<S> {
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.fluents.hash(state);
        self.chosen.hash(state);
        self.made.hash(state);
    }
}

/// What follows from a position; found once, shared by its clones.
#[derive(Debug)]
pub(super) struct Now<S> {
    pub(super) turn: Turn,
    /// A joint move with the moves of those who have no choice, or have chosen.
    pub(super) joint: Joint,
    /// What the seats may do who have a choice, one after the other, then what chance may draw, if there is a choice or
    /// chance is to make a joint move in which nobody has one.
    pub(super) moves: Vec<Move>,
    /// Where the moves of each seat end.
    pub(super) ends: SmallVec<[u32; 4]>,
    pub(super) broken: Option<Broken>,
    /// The step that was looked at last. First every observer asks what it sees of it, then it is made.
    pub(super) ready: Mutex<Option<Ready<S>>>,
}

impl<S> Now<S> {
    /// What a seat may do, if it has a choice.
    #[inline]
    pub(super) fn legal(&self, seat: usize) -> &[Move] {
        let end = |seat: usize| self.ends.get(seat).map_or(self.moves.len(), |&end| end as usize);
        match seat {
            _ if seat >= self.ends.len() => &[],
            0 => &self.moves[..end(0)],
            _ => &self.moves[end(seat - 1)..end(seat)],
        }
    }

    /// What chance may draw.
    #[inline]
    pub(super) fn chance(&self) -> &[Move] {
        &self.moves[self.ends.last().map_or(0, |&end| end as usize)..]
    }
}

/// A completed joint move and what it leads to.
#[derive(Debug)]
pub(super) struct Ready<S> {
    /// The joint move, without those after it that were forced.
    pub(super) joint: Joint,
    pub(super) after: GdlState<S>,
    /// What each role sees of it; where everybody sees everything, what that is.
    pub(super) seen: SmallVec<[Observation; 3]>,
    /// What the public sees of it.
    pub(super) public: Observation,
}

//! How a sheet is made a game, and why it may not be one.

use fogtree_core::{Method, Seed};

use crate::any_reasoner::{Choice, NoReasoner};
use crate::check::Level;
use crate::diagnostic::Severity;
use crate::explore::Budget;
use crate::interpreter::BadSheet;
use crate::knowable::{self, Difference};
use crate::propnet::{self, Refusal};
use crate::reasoner::{Limits, ReasonerError};
use crate::report::Report;

/// How a sheet is made a game.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Options {
    /// How strictly the text is checked.
    pub level: Level,
    /// How much work one question may take.
    pub limits: Limits,
    /// Which reasoner is wanted, where there is a choice.
    pub reasoner: Choice,
    /// How much compiling the sheet may take.
    pub compiling: propnet::Budget,
    /// How many states are looked at to find out, for certain, how long matches take and which moves there are.
    pub budget: Budget,
    /// If there are more states, or matches can go round in circles: the most joint moves of a match. A match that
    /// takes longer is broken off; see [`super::Broken`].
    pub steps: u32,
    /// If there are more states: how many random matches are looked at instead.
    pub matches: usize,
    /// How thoroughly to look whether roles know what is legal for them; not at all if `None`.
    pub knowable: Option<knowable::Effort>,
    /// How many histories are walked to find out whether anything is hidden.
    pub histories: usize,
    /// How worlds are found that agree with what a player has seen.
    pub method: Method,
    /// Decides the random matches.
    pub seed: Seed,
}

impl Default for Options {
    fn default() -> Self {
        Options {
            level: Level::GdlII,
            limits: Limits::default(),
            reasoner: Choice::Auto,
            compiling: propnet::Budget::default(),
            budget: Budget { states: 10_000, transitions: 40_000 },
            steps: 500,
            matches: 30,
            knowable: Some(knowable::Effort {
                matches: 5,
                worlds: 50,
                transitions: 500,
                ..knowable::Effort::default()
            }),
            histories: 20_000,
            method: Method::Exact { limit: 2_000 },
            seed: Seed(1),
        }
    }
}

/// Why a sheet is no game that can be played here.
#[derive(Clone, Debug, thiserror::Error)]
pub enum Unplayable {
    /// The text is no sheet, or does not keep to the language.
    #[error("the rule sheet is not accepted\n{}", .0.render("sheet", false))]
    Sheet(Box<Report>),
    /// The rules have no meaning.
    #[error("the rules cannot be used: {0}")]
    Rules(#[from] BadSheet),
    /// The sheet cannot be compiled, although that was asked for.
    #[error("the sheet cannot be compiled: {0}")]
    Compiled(Refusal),
    /// The reasoner has no answer.
    #[error("the rules cannot be followed: {0}")]
    Reasoner(#[from] ReasonerError),
    /// Nobody plays, or too many do.
    #[error("there are {0} roles besides random; a game has 1 to {max} players", max = fogtree_core::MAX_PLAYERS)]
    Players(usize),
    /// A role has no legal move although the match goes on.
    #[error("{role} has no legal move, although the match is not over, after: {}", lines(.moves))]
    Stuck {
        /// The role.
        role: String,
        /// The joint moves that led there.
        moves: Vec<String>,
    },
    /// A match took too long.
    #[error("a match of random players was not over after {0} steps; allow more, if the game does end")]
    TooLong(u32),
    /// A match ended without a goal value for everybody.
    #[error("{trouble}, although the match is over, after: {}", lines(.moves))]
    Goal {
        /// What is wrong.
        trouble: ReasonerError,
        /// The joint moves that led there.
        moves: Vec<String>,
    },
    /// A role cannot know what is legal.
    #[error(
        "{} cannot know whether {} is legal after doing {} and seeing {:?}",
        .0.role, .0.legal_or_not, lines(&.0.moves), .0.percepts
    )]
    Unknowable(Box<Difference>),
}

impl From<NoReasoner> for Unplayable {
    fn from(no: NoReasoner) -> Unplayable {
        match no {
            NoReasoner::Refused(refusal) => Unplayable::Compiled(refusal),
            NoReasoner::Rules(bad) => Unplayable::Rules(bad),
        }
    }
}

impl Unplayable {
    /// What is wrong, in one line, with its place in the text if it has one.
    pub fn brief(&self) -> String {
        let Unplayable::Sheet(report) = self else { return self.to_string() };
        let mut errors = report.diagnostics.iter().filter(|d| d.severity == Severity::Error);
        let Some(first) = errors.next() else { return "it is not accepted".to_string() };
        let place = report.position(first);
        let more = match errors.count() {
            0 => String::new(),
            n => format!(" (and {n} more)"),
        };
        format!("line {}, column {}: {}{more}", place.line, place.column, first.message)
    }
}

fn lines(moves: &[String]) -> String {
    if moves.is_empty() { "nothing".to_string() } else { moves.join(", ") }
}

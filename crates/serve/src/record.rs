//! Records of matches as JSON, and whether they agree with the rules.

use fogtree_core::files::{read_text, write_whole};
use fogtree_core::{Key, Observation, Observer, Seed};
use fogtree_gdl::interpreter::BadSheet;
use fogtree_gdl::{Interpreter, Limits, Reasoner, ReasonerError, Sheet, TermId};
use serde::{Deserialize, Serialize};

use crate::manager::{Replacement, bridged};
use crate::message::{Dialect, one_line};

/// The name of the format.
pub const FORMAT: &str = "fogtree-ggp-match";
/// Its version.
pub const VERSION: u32 = 1;
/// Larger records are not read.
const LARGEST: u64 = 256 << 20;

/// What a player answered.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
pub struct Answer {
    /// The answer as it came, cut off if it is long.
    pub reply: String,
    /// Empty if all is well; else `TO` (too late), `CE` (no connection, or no answer that can be read), or
    /// `IL` and the answer (no legal move, or not what the protocol wants).
    pub error: String,
    /// What was wrong, in words.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub why: String,
    /// How long it took.
    pub milliseconds: u64,
}

/// One step of a match. Everything is in the order of the roles.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Step {
    /// The joint move.
    pub moves: Vec<String>,
    /// What everybody answered; nothing for `random`.
    pub answers: Vec<Option<Answer>>,
    /// What everybody perceived.
    pub percepts: Vec<Vec<String>>,
    /// The fluents before the step, if states are kept.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub state: Option<Vec<String>>,
}

/// How a match ended.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum End {
    /// As the rules say.
    Terminal,
    /// It was broken off, and why.
    Aborted(String),
}

/// A match.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct Record {
    /// Always [`FORMAT`].
    pub format: String,
    /// The version of the format.
    pub version: u32,
    /// The name of the match.
    pub id: String,
    /// The name of the game, if it has one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub game: Option<String>,
    /// A hash of the rules without their layout and comments. It tells sheets apart by accident, not by design.
    pub rules: Key,
    /// The rules themselves, so that the match can be looked at without the sheet.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub sheet: Option<String>,
    /// The roles, `random` included.
    pub roles: Vec<String>,
    /// Who played them; nobody plays `random`.
    pub players: Vec<Option<String>>,
    /// How the manager spoke to each player.
    pub dialects: Vec<Option<Dialect>>,
    /// Seconds before the match.
    pub start_clock: u32,
    /// Seconds for a move.
    pub play_clock: u32,
    /// Milliseconds beyond every clock.
    pub grace: u64,
    /// What takes the place of moves that are not legal or late.
    pub replacement: Replacement,
    /// From which `random` and replacements were drawn.
    pub seed: Seed,
    /// What everybody answered to PREVIEW, if that was said.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub preview: Vec<Option<Answer>>,
    /// What everybody answered to START.
    pub start: Vec<Option<Answer>>,
    /// The steps.
    pub steps: Vec<Step>,
    /// The fluents at the end, if states are kept.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub last_state: Option<Vec<String>>,
    /// How it ended.
    pub end: End,
    /// What everybody answered to STOP or ABORT.
    pub stop: Vec<Option<Answer>>,
    /// The goal of every role, where the match ended and the rules give one.
    pub goals: Vec<Option<u8>>,
}

/// Why a text is no record, or a record does not agree with the rules.
#[derive(Debug, thiserror::Error)]
pub enum BadRecord {
    /// The file cannot be read.
    #[error("{0}")]
    File(String),
    /// Not the JSON of a record.
    #[error("not a record of a match: {0}")]
    Json(#[from] serde_json::Error),
    /// JSON, but something else.
    #[error("not a record of a match that is known here: format '{0}', version {1}")]
    Format(String, u32),
    /// Another game.
    #[error("the record belongs to other rules: it has the hash {record}, the sheet {sheet}")]
    Rules {
        /// Of the record.
        record: Key,
        /// Of the sheet.
        sheet: Key,
    },
    /// The sheet has no meaning.
    #[error("the rules cannot be used: {0}")]
    Sheet(#[from] BadSheet),
    /// The rules have no answer.
    #[error("the rules cannot be followed: {0}")]
    Reasoner(#[from] ReasonerError),
    /// It cannot have happened so.
    #[error("step {step}: {what}")]
    Departure {
        /// Counted from 1; the end counts as one more.
        step: usize,
        /// What is wrong.
        what: String,
    },
}

/// The hash of a sheet that is the same however it is laid out.
pub fn rules_key(sheet: &Sheet) -> Key {
    let text = one_line(sheet);
    let word = |bytes: &[u8]| bytes.iter().rev().fold(0_u64, |word, &byte| word << 8 | u64::from(byte));
    let words: Vec<u64> = text.as_bytes().chunks(8).map(word).collect();
    Key::root(Observer::Public).own(text.len() as u64).seen(&Observation::words(&words))
}

impl Record {
    /// Reads a record.
    pub fn parse(text: &str) -> Result<Record, BadRecord> {
        let record: Record = serde_json::from_str(text)?;
        if record.format != FORMAT || record.version != VERSION {
            return Err(BadRecord::Format(record.format, record.version));
        }
        Ok(record)
    }

    /// Reads the record in a file.
    pub fn read(path: impl AsRef<std::path::Path>) -> Result<Record, BadRecord> {
        Record::parse(&read_text(path, LARGEST).map_err(BadRecord::File)?)
    }

    /// Writes it to a file, all of it or nothing.
    pub fn write(&self, path: impl AsRef<std::path::Path>) -> Result<(), String> {
        use std::io::Write as _;
        write_whole(path, |out| {
            serde_json::to_writer_pretty(&mut *out, self)?;
            writeln!(out)
        })
    }

    /// How many answers of each role were replaced.
    pub fn errors(&self) -> Vec<usize> {
        let wrong = |role: usize| {
            let answers = self.steps.iter().filter_map(|step| step.answers.get(role)?.as_ref());
            answers.filter(|answer| !answer.error.is_empty()).count()
        };
        (0..self.roles.len()).map(wrong).collect()
    }

    /// Goes through the match again with the rules: whether every move was legal, everybody perceived what it should
    /// have, answers were taken or replaced as they deserved, and the match ended when and as the rules say.
    pub fn replay(&self, sheet: &Sheet) -> Result<(), BadRecord> {
        let key = rules_key(sheet);
        if key != self.rules {
            return Err(BadRecord::Rules { record: self.rules, sheet: key });
        }
        let sheet = bridged(sheet, self.dialects.iter().flatten().copied());
        let game = Interpreter::new(&sheet, Limits::default())?;
        Replay { game: &game, record: self }.run()
    }
}

struct Replay<'a> {
    game: &'a Interpreter,
    record: &'a Record,
}

fn departure<T>(step: usize, what: String) -> Result<T, BadRecord> {
    Err(BadRecord::Departure { step, what })
}

impl Replay<'_> {
    fn show(&self, terms: &[TermId]) -> Vec<String> {
        terms.iter().map(|&term| self.game.terms().show(term).to_string()).collect()
    }

    /// Whether the same terms were written, in whatever order.
    fn same(&self, written: &[String], terms: &[TermId]) -> bool {
        let parsed: Option<Vec<TermId>> = written.iter().map(|text| self.game.terms().parse(text)).collect();
        parsed.is_some_and(|mut parsed| {
            self.game.terms().sort(&mut parsed);
            parsed == terms
        })
    }

    fn run(&self) -> Result<(), BadRecord> {
        let (game, record) = (self.game, self.record);
        let roles = self.show(game.roles());
        if roles != record.roles {
            return departure(0, format!("the roles are {}", roles.join(" ")));
        }
        let mut state = game.initial()?;
        for (number, step) in (1..).zip(&record.steps) {
            if game.terminal(&state)? {
                return departure(number, "the match was over before".to_string());
            }
            state = self.step(number, step, &state)?;
        }
        let end = record.steps.len() + 1;
        self.check_state(end, record.last_state.as_deref(), &state)?;
        let terminal = game.terminal(&state)?;
        if (record.end == End::Terminal) != terminal {
            let what = if terminal { "the match was over" } else { "the match was not over" };
            return departure(end, what.to_string());
        }
        let goals: Vec<Option<u8>> =
            (0..roles.len()).map(|role| game.goal(&state, role).ok().filter(|_| terminal)).collect();
        if goals != record.goals {
            return departure(end, format!("the goals are {goals:?}, not {:?}", record.goals));
        }
        Ok(())
    }

    fn check_state(
        &self,
        number: usize,
        written: Option<&[String]>,
        state: &<Interpreter as Reasoner>::State,
    ) -> Result<(), BadRecord> {
        let mut fluents = Vec::new();
        self.game.fluents(state, &mut fluents);
        match written {
            Some(written) if !self.same(written, &fluents) => {
                departure(number, "the state is another".to_string())
            }
            _ => Ok(()),
        }
    }

    fn step(
        &self,
        number: usize,
        step: &Step,
        state: &<Interpreter as Reasoner>::State,
    ) -> Result<<Interpreter as Reasoner>::State, BadRecord> {
        let (game, roles) = (self.game, &self.record.roles);
        self.check_state(number, step.state.as_deref(), state)?;
        if [step.moves.len(), step.answers.len(), step.percepts.len()].iter().any(|&n| n != roles.len()) {
            return departure(number, format!("expected something for each of {} roles", roles.len()));
        }
        let (mut joint, mut legal) = (Vec::new(), Vec::new());
        for (role, text) in step.moves.iter().enumerate() {
            let name = &roles[role];
            game.legal(state, role, &mut legal)?;
            let parsed = game.terms().parse(text).filter(|term| legal.contains(term));
            let Some(chosen) = parsed else {
                return departure(number, format!("{text} is not legal for {name}"));
            };
            joint.push(chosen);
            let Some(answer) = &step.answers[role] else { continue };
            let answered = game.terms().parse(&answer.reply).filter(|term| legal.contains(term));
            if answer.error.is_empty() && answered != Some(chosen) {
                return departure(number, format!("{name} answered {}, but {text} was made", answer.reply));
            }
            if answer.error.starts_with("IL") && answered.is_some() {
                return departure(number, format!("{name} answered {}, which is legal", answer.reply));
            }
        }
        let mut percepts = Vec::new();
        for (role, written) in step.percepts.iter().enumerate() {
            game.percepts(state, &joint, role, &mut percepts)?;
            if !self.same(written, &percepts) {
                let seen = self.show(&percepts).join(" ");
                return departure(number, format!("{} perceives ({seen})", roles[role]));
            }
        }
        Ok(game.next(state, &joint)?)
    }
}

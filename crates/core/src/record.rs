//! Records of games: JSON lines that replay exactly.
//!
//! A record is a header, a line per step, and a line with the result. Each step carries the public key
//! reached, so a replay under changed rules is noticed at the step where it departs. A file cut short by a
//! killed process loses at most its last line.

use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::play::{IllegalStep, Line, Ply, read_ply};
use crate::{Key, Notation, Observer, Rules, Seed};

const FORMAT: &str = "fogtree-record";
const VERSION: u32 = 1;

/// The first line of a record.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct Header {
    /// Always `fogtree-record`.
    pub format: String,
    /// The version of the format.
    pub version: u32,
    /// The game's specification string.
    pub game: String,
    /// The agents' specification strings by seat.
    pub agents: Vec<String>,
    /// The seats whose agents looked at the true state.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub cheating: Vec<u8>,
    /// The seed from which chance drew.
    pub seed: Seed,
    /// The seed from which the agents drew, if it is another.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub agent_seed: Option<Seed>,
}

impl Header {
    /// The header of a game between these agents.
    pub fn new(game: &str, agents: Vec<String>, seed: Seed) -> Header {
        Header {
            format: FORMAT.into(),
            version: VERSION,
            game: game.into(),
            agents,
            cheating: Vec::new(),
            seed,
            agent_seed: None,
        }
    }
}

/// One step of a record.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct StepLine {
    /// What chance drew.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub chance: Option<String>,
    /// What each seat chose.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub moves: Vec<(u8, String)>,
    /// The public key after the step.
    pub key: Key,
    /// How the decisions came about, by seat, where that was kept.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub reports: Option<Value>,
}

impl StepLine {
    /// Whether the record says that those made the step who were to make it.
    fn check_movers<R: Rules>(&self, ply: &Ply<R>) -> Result<(), IllegalStep> {
        let chance = matches!(ply, Ply::Chance(_));
        if chance != self.chance.is_some() {
            return Err(IllegalStep::WrongKind { chance });
        }
        let expected: Vec<u8> = ply.step().moves().iter().map(|m| m.0.0).collect();
        let got: Vec<u8> = self.moves.iter().map(|m| m.0).collect();
        if got == expected { Ok(()) } else { Err(IllegalStep::WrongPlayers { expected, got }) }
    }
}

#[derive(Serialize, Deserialize)]
struct ResultLine {
    rewards: Vec<f64>,
}

/// A recorded game.
#[derive(Clone, PartialEq, Debug)]
pub struct Record {
    /// What was played and by whom.
    pub header: Header,
    /// The steps.
    pub steps: Vec<StepLine>,
    /// The reward of every seat, if the game was finished.
    pub rewards: Option<Vec<f64>>,
}

/// Why a text is not a record, or a record does not replay.
#[derive(Debug, thiserror::Error)]
pub enum BadRecord {
    /// The file has no lines.
    #[error("the record is empty")]
    Empty,
    /// The first line is not a record's header.
    #[error("line 1 is not the header of a record: {0}")]
    Header(String),
    /// A line that is neither a step nor a result.
    #[error("line {line} is not a step of a record: {what}")]
    Line {
        /// Counted from 1.
        line: usize,
        /// What is wrong with it.
        what: String,
    },
    /// A step that is not legal under the rules.
    #[error("step {step}: {why}")]
    Illegal {
        /// Counted from 1.
        step: usize,
        /// Why.
        why: IllegalStep,
    },
    /// A legal step that leads to another information set than it did.
    #[error("step {step} leads elsewhere than when it was recorded: the rules have changed")]
    Departs {
        /// Counted from 1.
        step: usize,
    },
    /// Rewards are recorded although the recorded steps do not end the game.
    #[error("rewards are recorded, but the game is not over after its {steps} steps")]
    Unfinished {
        /// The steps recorded.
        steps: usize,
    },
    /// The recorded rewards are not those of the replay.
    #[error("the game ends with {got:?} but {recorded:?} is recorded")]
    Rewards {
        /// From the replay.
        got: Vec<f64>,
        /// From the record.
        recorded: Vec<f64>,
    },
}

impl Record {
    /// The record of a line of play; rewards are added if the game is over.
    pub fn of<R: Notation>(rules: &R, header: Header, line: &Line<R>) -> Record {
        let mut again = Line::start(rules);
        let steps = line
            .plies()
            .iter()
            .map(|ply| {
                again.play(rules, ply.clone()).expect("a line of play is legal");
                let mut names = ply.names(rules);
                let (chance, moves) = match ply {
                    Ply::Chance(_) => (names.pop(), Vec::new()),
                    Ply::Moves(m) => (None, m.iter().map(|m| m.0.0).zip(names).collect()),
                };
                StepLine { chance, moves, key: again.key(Observer::Public), reports: None }
            })
            .collect();
        let over = rules.turn(line.state()) == crate::Turn::Terminal;
        let rewards = over.then(|| rules.rewards(line.state()).iter().copied().collect());
        Record { header, steps, rewards }
    }

    /// The record as JSON lines.
    pub fn to_lines(&self) -> String {
        let mut text = to_line(&self.header);
        for step in &self.steps {
            text += &to_line(step);
        }
        if let Some(rewards) = &self.rewards {
            text += &to_line(&ResultLine { rewards: rewards.clone() });
        }
        text
    }

    /// The texts of the records in a file that holds several, one after another.
    pub fn split(text: &str) -> Vec<&str> {
        let is_header = |line: &str| serde_json::from_str::<Header>(line).is_ok();
        let mut starts: Vec<usize> = Vec::new();
        let mut at = 0;
        for line in text.split_inclusive('\n') {
            if is_header(line) {
                starts.push(at);
            }
            at += line.len();
        }
        if starts.is_empty() && !text.trim().is_empty() {
            return vec![text];
        }
        let ends = starts.iter().skip(1).copied().chain([text.len()]);
        starts.iter().zip(ends).map(|(&from, to)| &text[from..to]).collect()
    }

    /// Reads one record. A last line that was cut short is left out.
    pub fn from_lines(text: &str) -> Result<Record, BadRecord> {
        let cut = !text.ends_with('\n');
        let mut lines = text.lines().enumerate().filter(|(_, l)| !l.trim().is_empty()).peekable();
        let (_, first) = lines.next().ok_or(BadRecord::Empty)?;
        let header: Header = serde_json::from_str(first).map_err(|e| BadRecord::Header(e.to_string()))?;
        if header.format != FORMAT || header.version != VERSION {
            return Err(BadRecord::Header(format!(
                "format {} version {}, expected {FORMAT} version {VERSION}",
                header.format, header.version
            )));
        }
        let mut record = Record { header, steps: Vec::new(), rewards: None };
        while let Some((i, text)) = lines.next() {
            let line = i + 1;
            if record.rewards.is_some() {
                return Err(BadRecord::Line { line, what: "the game has already ended".into() });
            }
            if let Ok(result) = serde_json::from_str::<ResultLine>(text) {
                record.rewards = Some(result.rewards);
                continue;
            }
            match serde_json::from_str(text) {
                Ok(step) => record.steps.push(step),
                Err(_) if cut && lines.peek().is_none() => break,
                Err(e) => return Err(BadRecord::Line { line, what: e.to_string() }),
            }
        }
        Ok(record)
    }

    /// Plays the first `steps` steps again (all of them if there are fewer), checking each.
    pub fn replay<R: Notation>(&self, rules: &R, steps: usize) -> Result<Line<R>, BadRecord> {
        let mut line = Line::start(rules);
        for (i, recorded) in self.steps.iter().take(steps).enumerate() {
            let step = i + 1;
            let words = recorded.chance.iter().chain(recorded.moves.iter().map(|(_, m)| m));
            let mut words = words.map(String::as_str);
            let illegal = |why| BadRecord::Illegal { step, why };
            let ply = read_ply(rules, line.state(), &mut words)
                .map_err(illegal)?
                .ok_or_else(|| BadRecord::Line { line: step + 1, what: "no move in it".into() })?;
            recorded.check_movers(&ply).map_err(illegal)?;
            line.play(rules, ply).map_err(illegal)?;
            if words.next().is_some() || line.key(Observer::Public) != recorded.key {
                return Err(BadRecord::Departs { step });
            }
        }
        let over = rules.turn(line.state()) == crate::Turn::Terminal;
        if self.rewards.is_some() && !over && steps >= self.steps.len() {
            return Err(BadRecord::Unfinished { steps: self.steps.len() });
        }
        if let Some(recorded) = self.rewards.as_ref().filter(|_| over) {
            let got: Vec<f64> = rules.rewards(line.state()).iter().copied().collect();
            if got != *recorded {
                return Err(BadRecord::Rewards { got, recorded: recorded.clone() });
            }
        }
        Ok(line)
    }
}

fn to_line(value: &impl Serialize) -> String {
    let mut text = serde_json::to_string(value).expect("records serialise");
    text.push('\n');
    text
}

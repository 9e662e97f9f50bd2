//! Conducts matches: keeps the true state, asks the players, checks what they answer, and tells each what it may know.
//!
//! All players are asked at the same time and have the clock and some grace to answer. Who answers too late,
//! not at all, or with something that is not legal gets a move chosen for it; only dialect B tells it so.
//! `random` draws each of its legal moves with the same probability. Chance and replacements come from the
//! seed and the number of the step alone, so the same moves of the players lead to the same match. Players
//! are told nothing that follows from the seed.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use fogtree_core::{Purpose, Seed};
use fogtree_gdl::interpreter::{BadSheet, State};
use fogtree_gdl::{Interpreter, Level, Limits, Reasoner, ReasonerError, Report, Sheet, TermId};
use serde::{Deserialize, Serialize};

use crate::contact::{Contact, NoReply};
use crate::message::{BRIDGE, Dialect, Message, News, as_word, one_line};
use crate::record::{Answer, End, FORMAT, Record, Step, VERSION, rules_key};

/// What takes the place of a move that is late or not legal.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Replacement {
    /// Any legal move, all equally likely.
    Random,
    /// The first legal move in the order of terms.
    First,
}

/// How a match is conducted.
#[derive(Clone, Debug)]
pub struct Options {
    /// The name of the match, one word, which players are told: [`random_id`].
    pub id: String,
    /// The name of the game, for the record.
    pub game: Option<String>,
    /// Seconds before the match, at most; it begins when everybody is ready.
    pub start_clock: u32,
    /// Seconds for a move.
    pub play_clock: u32,
    /// How long after every clock answers are still taken.
    pub grace: Duration,
    /// The least time between two steps.
    pub pause: Duration,
    /// Seconds to look at the rules beforehand, if players are to have a PREVIEW.
    pub preview: Option<u32>,
    /// What takes the place of moves that are late or not legal.
    pub replacement: Replacement,
    /// Decides what `random` does, and replacements. Drawn from the system by default; only the record has it.
    pub seed: Seed,
    /// After so many steps a match is broken off.
    pub most_steps: usize,
    /// Whether the record has the states.
    pub keep_states: bool,
    /// How much work one question to the rules may take.
    pub limits: Limits,
    /// Breaks the match off after the step in which it is set.
    pub stop: Option<Arc<AtomicBool>>,
}

impl Default for Options {
    fn default() -> Self {
        Options {
            id: random_id("match"),
            game: None,
            start_clock: 30,
            play_clock: 10,
            grace: Duration::from_secs(1),
            pause: Duration::ZERO,
            preview: None,
            replacement: Replacement::Random,
            seed: Seed::unguessable(),
            most_steps: 10_000,
            keep_states: false,
            limits: Limits::default(),
            stop: None,
        }
    }
}

/// A name for a match of this game that nobody can guess and that follows from nothing.
pub fn random_id(game: &str) -> String {
    as_word(&format!("{game}.{:016x}", Seed::unguessable().0))
}

/// Who plays, and how it is spoken to.
pub struct Participant {
    /// How it is reached.
    pub contact: Box<dyn Contact>,
    /// How it is spoken to.
    pub dialect: Dialect,
}

/// Why there is no match.
#[derive(Debug, thiserror::Error)]
pub enum BadMatch {
    /// The rules do not keep to the language.
    #[error("the rule sheet is not accepted\n{}", .0.render("sheet", false))]
    Rules(Box<Report>),
    /// The rules have no meaning.
    #[error("the rules cannot be used: {0}")]
    Sheet(#[from] BadSheet),
    /// The rules have no answer.
    #[error("the rules cannot be followed: {0}")]
    Reasoner(#[from] ReasonerError),
    /// Too many players, or too few.
    #[error("{players} players for {roles} roles: {names}")]
    Players {
        /// How many there are.
        players: usize,
        /// How many there should be.
        roles: usize,
        /// The roles.
        names: String,
    },
    /// Plain GDL cannot tell what happens.
    #[error(
        "the rules have 'sees' or 'random', so players must be told what they perceive: use dialect a or b"
    )]
    Hidden,
    /// A name with spaces.
    #[error("'{0}' is not one word, as the name of a match must be")]
    Id(String),
}

/// The rules of a text, if they keep to GDL-II.
pub fn rules(text: &[u8]) -> Result<Sheet, BadMatch> {
    let report = Report::of(text, Level::GdlII);
    match &report.sheet {
        Some(sheet) if report.accepted() => Ok(sheet.clone()),
        _ => Err(BadMatch::Rules(Box::new(report))),
    }
}

/// The rules by which percepts are found: those of the sheet and, if it is plain GDL and somebody is told percepts, the
/// rule by which everybody sees every move.
pub fn bridged(sheet: &Sheet, dialects: impl IntoIterator<Item = Dialect>) -> Sheet {
    if !sheet.is_open() || dialects.into_iter().all(|dialect| dialect == Dialect::Gdl) {
        return sheet.clone();
    }
    Sheet::read(&format!("{} {BRIDGE}", one_line(sheet))).unwrap_or_else(|_| sheet.clone())
}

/// A match about to be played.
pub struct Match {
    game: Interpreter,
    key: fogtree_core::Key,
    /// The rules as they are sent: to those who are told moves, and to those who are told percepts.
    sent: [String; 2],
    options: Options,
    /// Who plays each role.
    roles: Vec<Option<Participant>>,
    names: Vec<String>,
    /// Where it stands.
    state: State,
    steps: Vec<Step>,
}

impl Match {
    /// A match of these rules between these players, one for each role but `random`, in the order of the roles.
    pub fn new(sheet: &Sheet, players: Vec<Participant>, options: Options) -> Result<Match, BadMatch> {
        if as_word(&options.id) != options.id {
            return Err(BadMatch::Id(options.id));
        }
        if !sheet.is_open() && players.iter().any(|p| p.dialect == Dialect::Gdl) {
            return Err(BadMatch::Hidden);
        }
        let full = bridged(sheet, players.iter().map(|p| p.dialect));
        let game = Interpreter::new(&full, options.limits)?;
        let state = game.initial()?;
        let names: Vec<String> = game.roles().iter().map(|&r| game.terms().show(r).to_string()).collect();
        let random = game.random_role();
        let wanted = names.len() - usize::from(random.is_some());
        if players.len() != wanted {
            return Err(BadMatch::Players { players: players.len(), roles: wanted, names: names.join(" ") });
        }
        let mut players = players.into_iter();
        let roles =
            (0..names.len()).map(|role| if Some(role) == random { None } else { players.next() }).collect();
        let sent = [one_line(sheet), one_line(&full)];
        Ok(Match { game, key: rules_key(sheet), sent, options, roles, names, state, steps: Vec::new() })
    }

    /// The roles, `random` included.
    pub fn roles(&self) -> &[String] {
        &self.names
    }

    /// Plays it to the end and tells of every step.
    pub fn play(mut self, mut tell: impl FnMut(&Step)) -> Record {
        let preview = match self.options.preview {
            None => Vec::new(),
            Some(clock) => {
                let rules = |p: &Participant| self.sent[usize::from(p.dialect != Dialect::Gdl)].clone();
                self.expect("READY", clock, |_, p| Message::Preview { rules: rules(p), clock })
            }
        };
        let start = self.expect("READY", self.options.start_clock, |role, p| Message::Start {
            id: self.options.id.clone(),
            role: self.names[role].clone(),
            rules: self.sent[usize::from(p.dialect != Dialect::Gdl)].clone(),
            start_clock: self.options.start_clock,
            play_clock: self.options.play_clock,
        });
        let end = loop {
            match self.is_over() {
                Ok(true) => break End::Terminal,
                Ok(false) => {}
                Err(why) => break End::Aborted(why),
            }
            match self.step() {
                Ok(step) => tell(step),
                Err(why) => break End::Aborted(why.to_string()),
            }
        };
        let id = &self.options.id;
        let stop = match end {
            End::Terminal => self.expect("DONE", self.options.play_clock, |role, p| Message::Stop {
                id: id.clone(),
                news: self.news(role, p.dialect),
            }),
            End::Aborted(_) => {
                self.expect("ABORTED", self.options.play_clock, |_, _| Message::Abort { id: id.clone() })
            }
        };
        self.record(preview, start, end, stop)
    }

    fn record(
        self,
        preview: Vec<Option<Answer>>,
        start: Vec<Option<Answer>>,
        end: End,
        stop: Vec<Option<Answer>>,
    ) -> Record {
        let goal = |role| self.game.goal(&self.state, role).ok().filter(|_| end == End::Terminal);
        Record {
            format: FORMAT.to_string(),
            version: VERSION,
            rules: self.key,
            sheet: Some(self.sent[0].clone()),
            players: self.roles.iter().map(|p| p.as_ref().map(|p| p.contact.name())).collect(),
            dialects: self.roles.iter().map(|p| p.as_ref().map(|p| p.dialect)).collect(),
            start_clock: self.options.start_clock,
            play_clock: self.options.play_clock,
            grace: self.options.grace.as_millis() as u64,
            replacement: self.options.replacement,
            seed: self.options.seed,
            preview,
            start,
            last_state: self.options.keep_states.then(|| self.fluents()),
            goals: (0..self.names.len()).map(goal).collect(),
            steps: self.steps,
            end,
            stop,
            roles: self.names,
            id: self.options.id,
            game: self.options.game,
        }
    }

    fn show(&self, terms: &[TermId]) -> Vec<String> {
        terms.iter().map(|&term| self.game.terms().show(term).to_string()).collect()
    }

    fn fluents(&self) -> Vec<String> {
        let mut fluents = Vec::new();
        self.game.fluents(&self.state, &mut fluents);
        self.show(&fluents)
    }

    /// Whether the rules end the match, or why it cannot go on.
    fn is_over(&self) -> Result<bool, String> {
        if self.game.terminal(&self.state).map_err(|trouble| trouble.to_string())? {
            return Ok(true);
        }
        if self.steps.len() >= self.options.most_steps {
            return Err(format!("the match was not over after {} steps", self.steps.len()));
        }
        if self.options.stop.as_ref().is_some_and(|stop| stop.load(Ordering::Relaxed)) {
            return Err("somebody stopped it".to_string());
        }
        Ok(false)
    }

    /// What a role is told before its next move, or at the end.
    fn news(&self, role: usize, dialect: Dialect) -> News {
        let last = self.steps.last();
        match dialect {
            Dialect::Gdl => News::List(last.map(|step| step.moves.clone())),
            Dialect::A => News::List(last.map(|step| step.percepts[role].clone())),
            Dialect::B => News::Turn {
                turn: self.steps.len() as u32,
                last: last.map(|step| step.moves[role].clone()),
                percepts: last.map(|step| step.percepts[role].clone()).unwrap_or_default(),
            },
        }
    }

    /// Asks everybody for a move and makes the step.
    fn step(&mut self) -> Result<&Step, StepTrouble> {
        let began = Instant::now();
        let number = self.steps.len() as u64;
        let mut legal = vec![Vec::new(); self.names.len()];
        for (role, moves) in legal.iter_mut().enumerate() {
            self.game.legal(&self.state, role, moves)?;
            if moves.is_empty() {
                return Err(StepTrouble::Stuck(self.names[role].clone()));
            }
        }
        let mut answers = self.ask(self.options.play_clock, |role, p| Message::Play {
            id: self.options.id.clone(),
            news: self.news(role, p.dialect),
        });
        let mut joint = Vec::with_capacity(legal.len());
        for (role, (moves, answer)) in legal.iter().zip(&mut answers).enumerate() {
            let seed = self.options.seed.named(&self.names[role]).number(number);
            let Some(answer) = answer else {
                joint.push(*seed.stream(Purpose::Deal).pick(moves));
                continue;
            };
            if answer.error.is_empty() {
                match self.game.terms().parse(&answer.reply) {
                    Some(term) if moves.contains(&term) => {
                        joint.push(term);
                        continue;
                    }
                    other => {
                        answer.is_illegal();
                        answer.why = match other {
                            Some(_) => "the move is not legal".to_string(),
                            None => "the answer is no move of this game".to_string(),
                        };
                    }
                }
            }
            joint.push(match self.options.replacement {
                Replacement::First => moves[0],
                Replacement::Random => *seed.stream(Purpose::Ties).pick(moves),
            });
        }
        let mut percepts = vec![Vec::new(); joint.len()];
        let mut terms = Vec::new();
        for (role, percepts) in percepts.iter_mut().enumerate() {
            self.game.percepts(&self.state, &joint, role, &mut terms)?;
            *percepts = self.show(&terms);
        }
        let state = self.options.keep_states.then(|| self.fluents());
        self.state = self.game.next(&self.state, &joint)?;
        self.steps.push(Step { moves: self.show(&joint), answers, percepts, state });
        std::thread::sleep(self.options.pause.saturating_sub(began.elapsed()));
        Ok(&self.steps[self.steps.len() - 1])
    }

    /// Says something to everybody and notes who does not answer as it should.
    fn expect(
        &self,
        word: &str,
        clock: u32,
        message: impl Fn(usize, &Participant) -> Message,
    ) -> Vec<Option<Answer>> {
        let mut answers = self.ask(clock, message);
        for answer in answers.iter_mut().flatten() {
            if answer.error.is_empty() && !answer.reply.eq_ignore_ascii_case(word) {
                answer.is_illegal();
                answer.why = format!("expected {word}");
            }
        }
        answers
    }

    /// Says something to everybody at the same time and waits for the answers.
    fn ask(&self, clock: u32, message: impl Fn(usize, &Participant) -> Message) -> Vec<Option<Answer>> {
        let time = Duration::from_secs(clock.into()) + self.options.grace;
        let one = |participant: &Participant, message: Message| {
            let began = Instant::now();
            let heard = participant.contact.ask(&message, began + time);
            answer(heard, began.elapsed())
        };
        std::thread::scope(|scope| {
            let asked: Vec<_> = self
                .roles
                .iter()
                .enumerate()
                .map(|(role, participant)| {
                    let participant = participant.as_ref()?;
                    let message = message(role, participant);
                    let thread = std::thread::Builder::new().stack_size(8 << 20);
                    Some(thread.spawn_scoped(scope, move || one(participant, message)))
                })
                .collect();
            let failed = || answer(Err(NoReply::Connection("no thread could be had".into())), Duration::ZERO);
            let collect = |thread: std::io::Result<std::thread::ScopedJoinHandle<'_, Answer>>| {
                thread.ok().and_then(|thread| thread.join().ok()).unwrap_or_else(failed)
            };
            asked.into_iter().map(|thread| thread.map(collect)).collect()
        })
    }
}

/// Of longer answers that are of no use only the beginning is kept, in characters.
const KEPT: usize = 200;

impl Answer {
    fn is_illegal(&mut self) {
        if let Some((end, _)) = self.reply.char_indices().nth(KEPT) {
            self.reply.truncate(end);
            self.reply.push_str(" ...");
        }
        self.error = format!("IL {}", self.reply);
    }
}

fn answer(heard: Result<String, NoReply>, time: Duration) -> Answer {
    let milliseconds = time.as_millis() as u64;
    match heard {
        Ok(text) => Answer { reply: text.trim().to_string(), milliseconds, ..Answer::default() },
        Err(no_reply) => {
            let error = match no_reply {
                NoReply::Late => "TO",
                NoReply::Connection(_) => "CE",
            };
            Answer { error: error.to_string(), why: no_reply.to_string(), milliseconds, ..Answer::default() }
        }
    }
}

#[derive(Debug, thiserror::Error)]
enum StepTrouble {
    #[error("{0} has no legal move, although the match is not over")]
    Stuck(String),
    #[error("the reasoner gave up: {0}")]
    Reasoner(#[from] ReasonerError),
}

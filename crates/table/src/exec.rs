//! An agent that is another program: the table's side of the engine protocol (`docs/engine-protocol.md`).
//!
//! Whatever the program does, a game goes on with a legal move or ends with one line that says what the
//! program did wrong, in bounded time, and the program does not outlive the agent.
//!
//! The program is told nothing that follows from the seed of the deal, nor what other seats alone know of the
//! game's parameters.

use std::num::NonZeroU64;
use std::sync::atomic::Ordering;
use std::time::{Duration, Instant};

use fogtree_core::explain::MoveProgress;
use fogtree_core::{
    About, Agent, AgentEntry, AgentFailure, Asked, BadSpec, Budget, Decision, Domain, Event, InfoSet,
    LineStep, Made, MoveReport, Param, PerPlayer, Player, Progress, Report, Rewards, Secret, Seed, Spec,
};

use fogtree_search::kit::params::COUNT;

use crate::process::{Lost, Process, excerpt};
use crate::protocol::{Answer, LONGEST_ANSWER, Request, VERSION};
use crate::wire::{Findings, Step};

/// How often a running search looks whether it is to be stopped.
const STOP_POLL: Duration = Duration::from_millis(2);

/// No search makes or counts more than this of anything; sums over many games still fit into 64 bits.
const MOST_COUNTED: u64 = 1 << 48;

const ITERATIONS: Param = Param::new(
    "iterations",
    "none",
    Domain::Or("none", &COUNT),
    "iterations per decision; as many as the program likes if none",
);
const TIME: Param = Param::new("time", "none", Domain::Time, "time per decision, as in 500ms or 1s");
const TIMEOUT: Param = Param::new(
    "timeout",
    "60s",
    Domain::Time,
    "how long the program may take to answer, beyond the time per decision",
);
const SEED: Param = Param::new(
    "seed",
    "drawn",
    Domain::Or("drawn", &Domain::Integer(0, u64::MAX as i128)),
    "the seed that the program is given in every game; drawn: a new one each time, from the system",
);

/// Another program, by name.
pub(crate) static ENTRY: AgentEntry = AgentEntry::new(
    &About::new(
        "exec",
        "Another program that speaks the engine protocol",
        "docs/engine-protocol.md",
        &[
            Param::new(
                "command",
                "none",
                Domain::Command,
                "program and arguments, as in exec(command=./engine -x 'two words'); in [] if it has commas",
            ),
            ITERATIONS,
            TIME,
            TIMEOUT,
            SEED,
        ],
    ),
    &|asked| {
        let params = asked.params;
        let command =
            fogtree_core::text::command_words(params.text("command")).filter(|_| params.is_given("command"));
        let command = command
            .ok_or_else(|| params.bad("command", "a program and its arguments, with quotes that match"))?;
        made(asked, command)
    },
)
.without_worlds();

/// The agent that runs this program, with the rest of its parameters.
fn made(asked: &Asked<'_>, command: Vec<String>) -> Made {
    let params = asked.params;
    let timeout = params.time("timeout")?.unwrap_or(Duration::from_secs(60));
    let iterations = params.number_unless("iterations")?;
    let budget = Budget { iterations, time: params.time("time")?, ..Budget::default() };
    let games = Player::all(asked.game.facts().players).map(asked.told).collect();
    let seed = params.number_unless("seed")?.map(Seed);
    Ok((Box::new(Exec::new(command, games, seed, timeout)), budget))
}

/// A program under a name of its own: an agent for registries that run no programs which others name. The entry lives as
/// long as the process.
pub fn engine(name: &str, command: &str) -> Result<AgentEntry, BadSpec> {
    let spec: Spec = name.parse()?;
    let bad = |what: &str| BadSpec::Syntax { text: name.to_string(), what: what.to_string() };
    if !spec.params.is_empty() {
        return Err(bad("expected a name without parameters"));
    }
    let words = fogtree_core::text::command_words(command).filter(|words| !words.is_empty());
    let words = words.ok_or_else(|| bad("expected a program and its arguments, with quotes that match"))?;
    let about = About::new(
        String::leak(spec.name),
        "A program that speaks the engine protocol",
        "docs/engine-protocol.md",
        &[ITERATIONS, TIME, TIMEOUT, SEED],
    );
    let make = Box::leak(Box::new(move |asked: &Asked<'_>| made(asked, words.clone())));
    Ok(AgentEntry::new(Box::leak(Box::new(about)), make).without_worlds())
}

/// A player that is another program. The program is started with the first game.
#[derive(Debug)]
pub struct Exec {
    command: Vec<String>,
    /// The game's specification as each seat may know it.
    games: Vec<String>,
    seed: Option<Seed>,
    secret: Secret,
    timeout: Duration,
    process: Option<Process>,
    failure: Option<AgentFailure>,
    /// Whether the program has yet to answer the `hello` that was sent after its last move.
    owes_hello: bool,
    /// What the seat did and saw that the program has not been told of.
    untold: Vec<Event>,
}

impl Exec {
    /// A program, with arguments, that plays a game, of which each seat may know this specification. It is
    /// given this seed, or one that tells nothing of any other. `timeout` is how long it may take to answer.
    pub fn new(command: Vec<String>, games: Vec<String>, seed: Option<Seed>, timeout: Duration) -> Exec {
        Exec {
            command,
            games,
            seed,
            secret: Secret::new(),
            timeout,
            process: None,
            failure: None,
            owes_hello: false,
            untold: Vec::new(),
        }
    }

    fn players(&self) -> usize {
        self.games.len()
    }

    fn fail(&self, what: &str) -> AgentFailure {
        AgentFailure(format!("'{}' {what}", excerpt(&self.command.join(" "))))
    }

    fn new_game(&mut self, seat: Player, seed: Seed) -> Result<(), AgentFailure> {
        self.settle()?;
        if self.process.is_none() {
            let process = Process::start(&self.command, LONGEST_ANSWER);
            self.process = Some(process.map_err(|why| self.fail(&format!("cannot be started: {why}")))?);
            self.greet();
            self.settle()?;
        }
        let game = self.games.get(seat.index()).cloned().unwrap_or_default();
        let seed = self.seed.unwrap_or_else(|| self.secret.veil(seed));
        self.send(&Request::NewGame { game, seat, seed });
        match self.answer("newgame")? {
            Answer::Ready { .. } => Ok(()),
            other => Err(self.unexpected("newgame", &other)),
        }
    }

    fn decide(&mut self, info: &InfoSet, budget: &Budget) -> Result<Decision, AgentFailure> {
        self.settle()?;
        self.tell();
        let milliseconds = budget.time.map(|t| u64::try_from(t.as_millis()).unwrap_or(u64::MAX).max(1));
        self.send(&Request::Go {
            infoset: info.to_json(),
            iterations: budget.iterations.and_then(NonZeroU64::new),
            milliseconds: milliseconds.and_then(NonZeroU64::new),
            explain: budget.explain.is_some(),
        });
        let legal = info.legal_names();
        let began = Instant::now();
        let limit = self.timeout + budget.time.unwrap_or_default();
        let mut stop = budget.stop.as_ref();
        let mut shown = began;
        loop {
            if stop.is_some_and(|s| s.load(Ordering::Relaxed)) {
                self.send(&Request::Stop);
                stop = None;
            }
            let left = limit.saturating_sub(began.elapsed());
            let wait = if stop.is_some() { left.min(STOP_POLL) } else { left };
            match self.receive(wait)? {
                Some(Answer::BestMove { name, findings }) => {
                    self.greet();
                    return self.decision(info, &legal, &name, findings, began.elapsed());
                }
                Some(Answer::Info(findings)) if began.elapsed() < limit => {
                    if let Some(watch) = budget.watch.as_ref().filter(|w| shown.elapsed() >= w.interval()) {
                        shown = Instant::now();
                        watch.show(&self.progress(&legal, &findings, began.elapsed()));
                    }
                }
                None if began.elapsed() < limit => {}
                Some(Answer::Info(_)) | None => return Err(self.late("go", limit)),
                Some(other) => return Err(self.unexpected("go", &other)),
            }
        }
    }

    /// Asks whether the program is alive. Whatever it answers before belongs to earlier requests.
    fn greet(&mut self) {
        self.send(&Request::Hello { protocol: VERSION });
        self.owes_hello = true;
    }

    /// Waits until the program has answered everything, so that no late or second answer is taken for that to
    /// the next request.
    fn settle(&mut self) -> Result<(), AgentFailure> {
        let began = Instant::now();
        while self.owes_hello {
            let left = self.timeout.saturating_sub(began.elapsed());
            match self.receive(left)?.ok_or_else(|| self.late("hello", self.timeout))? {
                Answer::Ready { protocol: Some(VERSION), .. } => self.owes_hello = false,
                Answer::Info(_) if !left.is_zero() => {}
                Answer::BestMove { name, .. } => {
                    return Err(self.fail(&format!("chose '{}' when it was not asked", excerpt(&name))));
                }
                other => return Err(self.unexpected("hello", &other)),
            }
        }
        Ok(())
    }

    /// Reads the program's choice and what it found out.
    fn decision(
        &self,
        info: &InfoSet,
        legal: &[String],
        choice: &str,
        findings: Findings,
        time: Duration,
    ) -> Result<Decision, AgentFailure> {
        let place = |name: &str| {
            legal.iter().position(|l| l == name).ok_or_else(|| {
                let legal = excerpt(&legal.join(" "));
                self.fail(&format!("chose '{}', which is not legal; legal: {legal}", excerpt(name)))
            })
        };
        let choice = place(choice)?;
        if let Some((count, what)) = findings.counts().find(|(count, _)| *count > MOST_COUNTED) {
            return Err(self.fail(&format!("reported {count} {what}, more than there can be")));
        }
        let mut moves = Vec::new();
        if !findings.moves.is_empty() {
            moves.extend(info.legal.iter().map(|&action| MoveReport::of(action, 0, None)));
        }
        for m in findings.moves {
            if [&m.values, &m.margins].into_iter().flatten().any(|v| v.len() != self.players()) {
                return Err(
                    self.fail(&format!("gave values of '{}' for too many or too few players", m.name))
                );
            }
            let place = place(&m.name)?;
            moves[place] = MoveReport {
                action: info.legal[place],
                visits: m.visits,
                availability: m.availability,
                values: m.values,
                margins: m.margins,
                proven: m.proven,
            };
        }
        let Findings { iterations, nodes, depth, tried, bytes, mean_depth, profile, line, .. } = findings;
        let step = |step: Step| LineStep {
            by: step.by.filter(|p| p.index() < self.players()),
            name: excerpt(&step.name),
        };
        let report = Report {
            moves,
            iterations,
            nodes,
            depth,
            time,
            tried,
            bytes,
            mean_depth,
            profile,
            line: line.into_iter().map(step).collect(),
            ..Report::default()
        };
        Ok(Decision { action: info.legal[choice], report })
    }

    /// How the program says its search stands, as far as that makes sense.
    fn progress(&self, legal: &[String], findings: &Findings, time: Duration) -> Progress {
        let of = |name: &String| {
            let found = findings.moves.iter().find(|m| m.name == *name);
            let fits = |v: &PerPlayer<f64>| v.len() == self.players();
            found.map_or_else(MoveProgress::default, |m| MoveProgress {
                visits: m.visits,
                values: m.values.clone().filter(fits),
            })
        };
        let moves = if findings.moves.is_empty() { Vec::new() } else { legal.iter().map(of).collect() };
        let Findings { iterations, nodes, depth, .. } = *findings;
        Progress { moves, iterations, nodes, depth, time }
    }

    /// Tells the program what the seat did and saw since it was last told.
    fn tell(&mut self) {
        if !self.untold.is_empty() {
            let events = std::mem::take(&mut self.untold);
            self.send(&Request::Observe { events });
        }
    }

    fn send(&self, request: &Request) {
        if let Some(process) = &self.process {
            process.send(&request.to_line());
        }
    }

    /// The next answer, if one comes within this time.
    fn receive(&mut self, wait: Duration) -> Result<Option<Answer>, AgentFailure> {
        let Some(process) = &mut self.process else {
            return Err(self.fail("was asked for a move before a game began"));
        };
        match process.receive(wait) {
            Err(Lost::Late(_)) => Ok(None),
            Err(why) => Err(self.fail(&why.to_string())),
            Ok(line) => serde_json::from_str(&line)
                .map(Some)
                .map_err(|why| self.fail(&format!("wrote '{}', which is no answer: {why}", excerpt(&line)))),
        }
    }

    /// The next answer, which must come in time.
    fn answer(&mut self, to: &str) -> Result<Answer, AgentFailure> {
        self.receive(self.timeout)?.ok_or_else(|| self.late(to, self.timeout))
    }

    fn late(&self, to: &str, limit: Duration) -> AgentFailure {
        self.fail(&format!("did not answer {to} within {} s", limit.as_secs_f64()))
    }

    fn unexpected(&self, to: &str, answer: &Answer) -> AgentFailure {
        match answer {
            Answer::Error { message, .. } => {
                self.fail(&format!("answered {to} with an error: {}", excerpt(message)))
            }
            other => self.fail(&format!("answered {to} with {}", excerpt(&other.to_line()))),
        }
    }

    /// Keeps a failure, after which the program is not asked again.
    fn note<T>(&mut self, result: Result<T, AgentFailure>) -> Result<T, AgentFailure> {
        if let Err(failure) = &result {
            self.failure = Some(failure.clone());
            self.process = None;
            self.owes_hello = false;
        }
        result
    }
}

impl Agent for Exec {
    /// A failure is reported by the first [`Agent::act`].
    fn start(&mut self, seat: Player, seed: Seed) {
        self.untold.clear();
        self.failure = None;
        let ready = self.new_game(seat, seed);
        let _ = self.note(ready);
    }

    fn observe(&mut self, event: &Event) {
        self.untold.push(event.clone());
    }

    fn act(&mut self, info: &InfoSet, budget: &Budget) -> Result<Decision, AgentFailure> {
        match &self.failure {
            Some(failure) => Err(failure.clone()),
            None => {
                let decision = self.decide(info, budget);
                self.note(decision)
            }
        }
    }

    fn end(&mut self, rewards: &Rewards) {
        self.tell();
        self.send(&Request::End { rewards: rewards.clone() });
    }
}

impl Drop for Exec {
    fn drop(&mut self) {
        self.send(&Request::Quit);
    }
}

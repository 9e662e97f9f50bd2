//! `fogtree engine check`: does a program speak the engine protocol?
//!
//! Every check starts the program anew, so that one failure does not bring about others.

use std::time::{Duration, Instant};

use fogtree_core::{Budget, Player, Purpose, Seed, Turn};
use fogtree_table::protocol::{Answer, LONGEST_ANSWER, Request, VERSION};
use fogtree_table::wire::Findings;
use fogtree_table::{AnyGame, Exec, Process, Registry, SeatAgent, play_game};
use serde_json::{Value, json};

use crate::arguments::Check;
use crate::failure::Failure;
use crate::output::{emit, emit_line, table};

/// The games that are tried; an engine need not play all of them.
const GAMES: [&str; 4] =
    ["phantom-mnk(m=3,n=3,k=3)", "goofspiel(cards=4,bids=hidden)", "kuhn-poker", "rock-paper-scissors"];

/// Lines that are no requests.
const MALFORMED: [&str; 9] = [
    "{",
    "hello",
    "[]",
    "{}",
    "17",
    r#"{"type":5}"#,
    r#"{"type":"no-such-type"}"#,
    r#"{"type":"newgame"}"#,
    "\u{1F3B2} \u{7f}",
];

/// More iterations than anybody has time for.
const ENDLESS: u64 = 1_000_000_000_000;

/// Runs all checks, prints what came of them; an error if one failed.
pub(crate) fn run(registry: &Registry, arguments: &Check, json: bool) -> Result<(), Failure> {
    let seconds = |name: &str, value: f64| match value {
        0.001..=3600.0 => Ok(Duration::from_secs_f64(value)),
        _ => Err(Failure::Input(format!("--{name} {value}: expected seconds from 0.001 to 3600"))),
    };
    let checker = Checker {
        registry,
        command: &arguments.command,
        timeout: seconds("timeout", arguments.timeout)?,
        grace: seconds("grace", arguments.grace)?,
    };
    let mut rows = Vec::new();
    let mut failed = 0;
    checker.all(&mut |name, verdict, detail| {
        failed += usize::from(verdict == Verdict::Fail);
        if json {
            return emit_line(
                &json!({"check": name, "result": verdict.name(), "detail": detail}).to_string(),
            );
        }
        rows.push(vec![name.to_string(), verdict.name().to_string(), cut(detail, 100)]);
        Ok(())
    })?;
    if !json {
        emit(&table(&["check", "result", "what was found"], &rows))?;
    }
    match failed {
        0 => Ok(()),
        1 => Err(Failure::Run("the program does not speak the engine protocol: 1 check failed".into())),
        n => Err(Failure::Run(format!("the program does not speak the engine protocol: {n} checks failed"))),
    }
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Verdict {
    Pass,
    Fail,
    /// Nothing that the protocol asks for, but worth knowing.
    Info,
}

impl Verdict {
    fn name(self) -> &'static str {
        match self {
            Verdict::Pass => "pass",
            Verdict::Fail => "fail",
            Verdict::Info => "info",
        }
    }
}

/// What was found, or what is wrong.
type Finding = Result<String, String>;

/// Prints what came of a check.
type Report<'a> = dyn FnMut(&str, Verdict, &str) -> Result<(), Failure> + 'a;

/// Prints what came of a check and says whether it was passed.
fn judge(report: &mut Report<'_>, name: &str, finding: Finding) -> Result<bool, Failure> {
    let verdict = if finding.is_ok() { Verdict::Pass } else { Verdict::Fail };
    let (Ok(detail) | Err(detail)) = finding;
    report(name, verdict, &detail)?;
    Ok(verdict == Verdict::Pass)
}

struct Checker<'a> {
    registry: &'a Registry,
    command: &'a [String],
    timeout: Duration,
    grace: Duration,
}

/// The first decision of a game.
struct Position {
    game: Box<dyn AnyGame>,
    seat: Player,
    legal: Vec<String>,
    infoset: Value,
    seen: Request,
}

impl Position {
    fn first(registry: &Registry, spec: &str) -> Position {
        let game = registry.game(spec).expect("the games to check with exist");
        let mut table = game.table();
        let mut deal = Seed(1).stream(Purpose::Deal);
        while table.turn() == Turn::Chance {
            table.draw(&mut deal);
        }
        let seat = table.turn().players().iter().next().expect("somebody moves first");
        Position {
            seat,
            legal: table.legal(seat),
            infoset: table.infoset(seat).to_json(),
            seen: Request::Observe { events: table.events(seat).to_vec() },
            game,
        }
    }

    fn new_game(&self) -> Request {
        Request::NewGame { game: self.game.spec().to_string(), seat: self.seat, seed: Seed(1) }
    }

    fn go(&self, iterations: Option<u64>, milliseconds: Option<u64>) -> Request {
        let limit = |n: Option<u64>| n.and_then(std::num::NonZeroU64::new);
        Request::Go {
            infoset: self.infoset.clone(),
            iterations: limit(iterations),
            milliseconds: limit(milliseconds),
            explain: false,
        }
    }
}

impl Checker<'_> {
    fn all(&self, report: &mut Report<'_>) -> Result<(), Failure> {
        if !judge(report, "hello", self.hello())? {
            return Ok(());
        }
        judge(report, "unknown-fields", self.unknown_fields())?;
        judge(report, "malformed", self.malformed())?;
        judge(report, "unknown-game", self.unknown_game())?;
        let mut playable = None;
        for spec in GAMES {
            let position = Position::first(self.registry, spec);
            match self.accepts(&position) {
                Ok(Some(refusal)) => report(spec, Verdict::Info, &format!("not played: {refusal}"))?,
                Ok(None) => {
                    let played = self.games(&*position.game);
                    judge(
                        report,
                        spec,
                        played.map(|games| format!("{} games, only legal moves", games.len())),
                    )?;
                    playable.get_or_insert(position);
                }
                Err(why) => report(spec, Verdict::Fail, &why)?,
            }
        }
        let Some(position) = playable else {
            return report("games", Verdict::Fail, "it plays none of the games to check with");
        };
        judge(report, "bad-infoset", self.bad_infoset(&position))?;
        judge(report, "iterations", self.iterations(&position))?;
        judge(report, "time", self.time(&position))?;
        judge(report, "info", self.info(&position))?;
        judge(report, "stop", self.stop(&position))?;
        judge(report, "quit", self.quit(&position))?;
        judge(report, "end-of-input", self.end_of_input())?;
        let (Ok(detail) | Err(detail)) = self.repeats(&position);
        report("reproducible", Verdict::Info, &detail)
    }

    fn start(&self) -> Result<Dialogue<'_>, String> {
        let process = Process::start(self.command, LONGEST_ANSWER)
            .map_err(|why| format!("{} cannot be started: {why}", self.command[0]))?;
        Ok(Dialogue { process, checker: self, lines: 0, infos: 0 })
    }

    fn hello(&self) -> Finding {
        self.start()?.hello()
    }

    fn unknown_fields(&self) -> Finding {
        let mut dialogue = self.start()?;
        dialogue.ready(r#"{"type":"hello","protocol":1,"colour":{"sky":["blue"]}}"#)?;
        dialogue.send(r#"{"type":"stop","why":null}"#);
        dialogue.hello()?;
        Ok("ignored".to_string())
    }

    fn malformed(&self) -> Finding {
        let mut dialogue = self.start()?;
        for line in MALFORMED {
            dialogue.refused(line)?;
        }
        dialogue.hello()?;
        Ok(format!("{} bad lines answered by errors, the next good one as usual", MALFORMED.len()))
    }

    fn unknown_game(&self) -> Finding {
        let mut dialogue = self.start()?;
        dialogue.hello()?;
        let newgame = Request::NewGame { game: "no-such-game(x=1)".into(), seat: Player(0), seed: Seed(1) };
        let why = dialogue.refused(&newgame.to_line())?;
        let go = Request::Go { infoset: json!({}), iterations: None, milliseconds: None, explain: false };
        dialogue.refused(&go.to_line())?;
        dialogue.hello()?;
        Ok(format!("refused: {why}"))
    }

    /// Why the program does not play a game, if it does not.
    fn accepts(&self, position: &Position) -> Result<Option<String>, String> {
        let mut dialogue = self.start()?;
        dialogue.hello()?;
        match dialogue.ask(&position.new_game().to_line())? {
            Answer::Ready { .. } => Ok(None),
            Answer::Error { message, .. } => Ok(Some(message)),
            other => Err(format!("newgame was answered by {}", other.to_line())),
        }
    }

    /// Plays against random play in every seat and returns what was played.
    fn games(&self, game: &dyn AnyGame) -> Result<Vec<String>, String> {
        let mut names = Vec::new();
        for number in 0..8 {
            let mut seating = |seat: Player, _: &str| -> Result<SeatAgent, Box<dyn std::error::Error>> {
                if seat.index() as u64 != number % game.facts().players as u64 {
                    return Ok(self.registry.agent("random", game)?);
                }
                let games = vec![game.spec().to_string(); game.facts().players];
                let exec = Exec::new(self.command.to_vec(), games, Some(Seed(number)), self.timeout);
                Ok(SeatAgent {
                    spec: "exec".to_string(),
                    agent: Box::new(exec),
                    cheats: false,
                    budget: Budget::iterations(20),
                })
            };
            let played = play_game(game, game.spec(), Seed(number), &mut seating, &mut |_| {});
            let played = played.map_err(|why| why.to_string())?;
            names.push(played.record.to_lines());
        }
        Ok(names)
    }

    fn bad_infoset(&self, position: &Position) -> Finding {
        let mut dialogue = self.begin(position)?;
        let mut nobody = position.infoset.clone();
        nobody["legal"] = json!([]);
        for infoset in [json!({}), json!(null), json!("infoset"), nobody] {
            let go = Request::Go { infoset, iterations: None, milliseconds: None, explain: false };
            dialogue.refused(&go.to_line())?;
        }
        dialogue.send(&position.new_game().to_line());
        dialogue.expect_ready()?;
        dialogue.go(position, &position.go(Some(10), None), self.timeout)?;
        Ok("refused, and the next good one answered".to_string())
    }

    fn iterations(&self, position: &Position) -> Finding {
        let mut dialogue = self.begin(position)?;
        let mut made = Vec::new();
        for limit in [1, 10, 1000] {
            let findings = dialogue.go(position, &position.go(Some(limit), None), self.timeout)?;
            if findings.iterations > limit {
                return Err(format!("{} iterations were made, allowed were {limit}", findings.iterations));
            }
            made.push(findings.iterations.to_string());
        }
        Ok(format!("limits of 1, 10 and 1000 kept: {} iterations reported", made.join(", ")))
    }

    fn time(&self, position: &Position) -> Finding {
        let mut dialogue = self.begin(position)?;
        let mut taken = Vec::new();
        for limit in [1, 200] {
            let began = Instant::now();
            let allowed = Duration::from_millis(limit) + self.grace;
            dialogue.go(position, &position.go(None, Some(limit)), allowed)?;
            taken.push(format!("{} ms", began.elapsed().as_millis()));
        }
        Ok(format!("limits of 1 ms and 200 ms kept: answered after {}", taken.join(" and ")))
    }

    /// What is told of a running search and, if asked for, of its tree makes sense, as far as anything is told.
    fn info(&self, position: &Position) -> Finding {
        let mut dialogue = self.begin(position)?;
        let mut go = position.go(None, Some(500));
        if let Request::Go { explain, .. } = &mut go {
            *explain = true;
        }
        let findings = dialogue.go(position, &go, Duration::from_millis(500) + self.grace)?;
        let told = if findings.line.is_empty() { "no line" } else { "a line" };
        Ok(format!("{} info lines in half a second, and {told} of best play", dialogue.infos))
    }

    fn stop(&self, position: &Position) -> Finding {
        let mut dialogue = self.begin(position)?;
        dialogue.send(r#"{"type":"stop"}"#);
        dialogue.hello().map_err(|why| format!("stop while nothing runs: {why}"))?;
        dialogue.send(&position.go(Some(ENDLESS), None).to_line());
        let early = dialogue.best_move(position, Duration::from_millis(100))?;
        dialogue.send(r#"{"type":"stop"}"#);
        let began = Instant::now();
        let detail = match early {
            Some(_) => "it answered before it was stopped".to_string(),
            None => {
                let answered = dialogue.best_move(position, self.grace)?;
                answered
                    .ok_or_else(|| format!("no answer within {} s after stop", self.grace.as_secs_f64()))?;
                format!("answered {} ms after stop", began.elapsed().as_millis())
            }
        };
        dialogue.hello().map_err(|why| format!("after a search was stopped: {why}"))?;
        dialogue.go(position, &position.go(Some(10), None), self.timeout)?;
        Ok(detail)
    }

    fn quit(&self, position: &Position) -> Finding {
        let mut idle = self.begin(position)?;
        idle.send(&Request::End { rewards: [0.0, 0.0].into_iter().collect() }.to_line());
        idle.send(r#"{"type":"quit"}"#);
        idle.ends()?;
        let mut busy = self.begin(position)?;
        busy.send(&position.go(Some(ENDLESS), None).to_line());
        busy.send(r#"{"type":"quit"}"#);
        busy.ends().map_err(|why| format!("during a search: {why}"))?;
        Ok("it ends, also during a search".to_string())
    }

    fn end_of_input(&self) -> Finding {
        let mut dialogue = self.start()?;
        dialogue.hello()?;
        dialogue.process.close_input();
        dialogue.ends()?;
        Ok("it ends".to_string())
    }

    fn repeats(&self, position: &Position) -> Finding {
        let same = self.games(&*position.game)? == self.games(&*position.game)?;
        Ok(match same {
            true => "the same seeds and iterations gave the same games".to_string(),
            false => "the same seeds and iterations gave different games".to_string(),
        })
    }

    /// A dialogue in which a game has begun.
    fn begin(&self, position: &Position) -> Result<Dialogue<'_>, String> {
        let mut dialogue = self.start()?;
        dialogue.hello()?;
        dialogue.ready(&position.new_game().to_line())?;
        dialogue.send(&position.seen.to_line());
        Ok(dialogue)
    }
}

/// A conversation with the program.
struct Dialogue<'a> {
    process: Process,
    checker: &'a Checker<'a>,
    /// Lines sent.
    lines: u64,
    /// Lines received that say how a search stands.
    infos: u64,
}

impl Dialogue<'_> {
    fn send(&mut self, line: &str) {
        self.lines += 1;
        self.process.send(line);
    }

    fn receive(&mut self, wait: Duration) -> Result<Answer, String> {
        let line = self.process.receive(wait).map_err(|why| format!("it {why}"))?;
        serde_json::from_str(&line)
            .map_err(|why| format!("it wrote '{}', which is no answer: {why}", shown(&line)))
    }

    fn ask(&mut self, line: &str) -> Result<Answer, String> {
        self.send(line);
        self.receive(self.checker.timeout).map_err(|why| format!("to {}: {why}", shown(line)))
    }

    fn expect_ready(&mut self) -> Result<(), String> {
        match self.receive(self.checker.timeout)? {
            Answer::Ready { .. } => Ok(()),
            other => Err(format!("expected ready, but it answered {}", shown(&other.to_line()))),
        }
    }

    fn ready(&mut self, line: &str) -> Result<(), String> {
        self.send(line);
        self.expect_ready().map_err(|why| format!("to {}: {why}", shown(line)))
    }

    fn hello(&mut self) -> Finding {
        let hello = Request::Hello { protocol: VERSION }.to_line();
        match self.ask(&hello)? {
            Answer::Ready { name: Some(name), protocol: Some(VERSION) } => Ok(name),
            other => Err(format!(
                "hello was answered by {}; expected ready with a name and protocol {VERSION}",
                shown(&other.to_line())
            )),
        }
    }

    /// Sends a line that must be answered by an error that names the line.
    fn refused(&mut self, line: &str) -> Finding {
        match self.ask(line)? {
            Answer::Error { message, line: Some(at) } if at == self.lines => Ok(message),
            other => Err(format!(
                "line {}, {}, was answered by {}; expected an error with \"line\":{0}",
                self.lines,
                shown(line),
                shown(&other.to_line())
            )),
        }
    }

    fn go(&mut self, position: &Position, go: &Request, wait: Duration) -> Result<Findings, String> {
        self.send(&go.to_line());
        let answered = self.best_move(position, wait)?;
        answered.ok_or_else(|| format!("go was not answered within {} s", wait.as_secs_f64()))
    }

    /// What was found out about the legal move that is chosen within this time, if one is.
    fn best_move(&mut self, position: &Position, wait: Duration) -> Result<Option<Findings>, String> {
        let began = Instant::now();
        loop {
            match self.receive(wait.saturating_sub(began.elapsed())) {
                Ok(Answer::Info(findings)) => {
                    sensible(position, &findings)?;
                    self.infos += 1;
                    if began.elapsed() >= wait {
                        return Ok(None);
                    }
                }
                Ok(Answer::BestMove { name, findings }) if position.legal.contains(&name) => {
                    sensible(position, &findings)?;
                    return Ok(Some(findings));
                }
                Ok(Answer::BestMove { name, .. }) => {
                    return Err(format!("it chose {}; legal: {}", shown(&name), position.legal.join(" ")));
                }
                Ok(other) => return Err(format!("go was answered by {}", shown(&other.to_line()))),
                Err(_) if began.elapsed() >= wait => return Ok(None),
                Err(why) => return Err(why),
            }
        }
    }

    /// Waits for the end of the program.
    fn ends(&mut self) -> Result<(), String> {
        match self.process.wait(self.checker.grace) {
            Some(status) if status.success() => Ok(()),
            Some(status) => Err(format!("it ended with {status}")),
            None => Err(format!("it did not end within {} s", self.checker.grace.as_secs_f64())),
        }
    }
}

/// Moves are legal, values are there for every player, and players exist.
fn sensible(position: &Position, findings: &Findings) -> Result<(), String> {
    let players = position.game.facts().players;
    for m in &findings.moves {
        if !position.legal.contains(&m.name) {
            return Err(format!("it told about {}; legal: {}", shown(&m.name), position.legal.join(" ")));
        }
        if [&m.values, &m.margins].into_iter().flatten().any(|v| v.len() != players) {
            return Err(format!("it gave values of {} for too many or too few players", m.name));
        }
    }
    match findings.line.iter().filter_map(|step| step.by).find(|by| by.index() >= players) {
        Some(by) => Err(format!("its line has a move of player {by}, who does not play")),
        None => Ok(()),
    }
}

/// A line, cut to a length that fits into a message.
fn shown(line: &str) -> String {
    cut(line, 60)
}

/// The beginning of a text from elsewhere, safe to print.
fn cut(text: &str, length: usize) -> String {
    let mut short: String = text.chars().take(length).map(|c| if c.is_control() { '?' } else { c }).collect();
    if text.chars().nth(length).is_some() {
        short.push_str("...");
    }
    short
}

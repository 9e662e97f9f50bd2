//! `fogtree engine`: our agents behind the engine protocol (`docs/engine-protocol.md`), for other programs'
//! tables; and the check that any program speaks it.
//!
//! One thread reads, another fulfils requests in their order, so that `stop` reaches a running search. An
//! information set comes from outside and a hostile one may make a sampler panic: that is answered by an
//! error and ends the game, not the engine.

mod check;

use std::any::Any;
use std::io::{BufRead, BufReader, Read, Write};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{self, Receiver};
use std::time::Duration;

use fogtree_core::{Agent, Budget, Explain, InfoSet, Player, Seed, Spec, Watch};
use fogtree_table::protocol::{Answer, LONGEST_REQUEST, Request, VERSION};
use fogtree_table::{AnyGame, Registry, usual_agent};
use serde_json::Value;

use crate::arguments::{Engine, EngineCommand};
use crate::failure::Failure;

/// How long a search may take to end after `quit` before the program ends without it.
const FAREWELL: Duration = Duration::from_secs(1);

/// Speaks the protocol on the standard input and output, or checks whether another program does.
pub(crate) fn run(registry: &Registry, arguments: Engine, json: bool) -> Result<(), Failure> {
    match arguments.command {
        Some(EngineCommand::Check(arguments)) => check::run(registry, &arguments, json),
        None => serve(registry, arguments.agent),
    }
}

/// A line that was read: its number, what it asks for, and the flag that stops the search it asks for.
struct Order {
    line: u64,
    request: Result<Request, String>,
    stop: Arc<AtomicBool>,
}

fn serve(registry: &Registry, agent: Option<String>) -> Result<(), Failure> {
    if let Some(agent) = &agent {
        registry.agent_entry(&agent.parse::<Spec>()?)?;
    }
    std::panic::set_hook(Box::new(|_| {}));
    let (send, orders) = mpsc::channel();
    let (done, finished) = mpsc::channel();
    let mut server = Server { registry: registry.clone(), agent, session: None };
    std::thread::spawn(move || {
        let result = server.fulfil(&orders);
        drop(orders);
        let _ = done.send(result);
    });
    let mut flags: Vec<Arc<AtomicBool>> = Vec::new();
    let stop_all = |flags: &[Arc<AtomicBool>]| flags.iter().for_each(|f| f.store(true, Ordering::Relaxed));
    let mut input = BufReader::new(std::io::stdin().lock());
    for line in 1.. {
        let request = match read_request(&mut input) {
            Ok(Some(Ok(Request::Quit))) | Ok(None) | Err(_) => break,
            Ok(Some(Ok(Request::Stop))) => {
                stop_all(&flags);
                continue;
            }
            Ok(Some(request)) => request,
        };
        let stop = Arc::new(AtomicBool::new(false));
        flags.retain(|flag| Arc::strong_count(flag) > 1);
        flags.push(Arc::clone(&stop));
        if send.send(Order { line, request, stop }).is_err() {
            break;
        }
    }
    stop_all(&flags);
    drop(send);
    finished.recv_timeout(FAREWELL).unwrap_or(Ok(()))
}

/// The next line, if there is one, and what it asks for or why it asks for nothing.
fn read_request(input: &mut impl BufRead) -> std::io::Result<Option<Result<Request, String>>> {
    let mut line = Vec::new();
    if input.by_ref().take(LONGEST_REQUEST as u64 + 1).read_until(b'\n', &mut line)? == 0 {
        return Ok(None);
    }
    if line.len() > LONGEST_REQUEST && line.last() != Some(&b'\n') {
        input.skip_until(b'\n')?;
        return Ok(Some(Err(format!("the line is longer than {LONGEST_REQUEST} bytes"))));
    }
    let request = serde_json::from_slice(line.trim_ascii()).map_err(|why| {
        let why = why.to_string();
        let why = why.rsplit_once(" at line ").map_or(&*why, |(what, _)| what);
        format!("not a request of the engine protocol: {why}")
    });
    Ok(Some(request))
}

/// A game being played.
struct Session {
    game: Box<dyn AnyGame>,
    seat: Player,
    agent: Box<dyn Agent>,
    budget: Budget,
}

struct Server {
    registry: Registry,
    agent: Option<String>,
    session: Option<Session>,
}

impl Server {
    fn fulfil(&mut self, orders: &Receiver<Order>) -> Result<(), Failure> {
        for Order { line, request, stop } in orders {
            let answer = request.and_then(|request| {
                catch_unwind(AssertUnwindSafe(|| self.answer(request, stop))).unwrap_or_else(|panic| {
                    self.session = None;
                    Err(format!("the search broke down, and with it the game: {}", words_of(&*panic)))
                })
            });
            let answer = answer.unwrap_or_else(|message| Some(Answer::Error { message, line: Some(line) }));
            if let Some(answer) = answer {
                say(&answer)?;
            }
        }
        Ok(())
    }

    fn answer(&mut self, request: Request, stop: Arc<AtomicBool>) -> Result<Option<Answer>, String> {
        match request {
            Request::Hello { protocol: VERSION } => {
                let agent = self.agent.as_deref().unwrap_or("default agents");
                let name = format!("fogtree {} ({agent})", env!("CARGO_PKG_VERSION"));
                Ok(Some(Answer::Ready { name: Some(name), protocol: Some(VERSION) }))
            }
            Request::Hello { protocol } => {
                Err(format!("protocol {protocol} is not spoken here; this engine speaks protocol {VERSION}"))
            }
            Request::NewGame { game, seat, seed } => {
                self.session = None;
                self.session = Some(self.new_game(&game, seat, seed)?);
                Ok(Some(Answer::Ready { name: None, protocol: None }))
            }
            Request::Observe { events } => {
                let session = self.session()?;
                events.iter().for_each(|event| session.agent.observe(event));
                Ok(None)
            }
            Request::Go { infoset, iterations, milliseconds, explain } => {
                let session = self.session()?;
                let mut budget = session.budget.clone();
                if iterations.is_some() || milliseconds.is_some() {
                    budget.iterations = iterations.map(u64::from);
                    budget.time = milliseconds.map(|t| Duration::from_millis(t.get()));
                }
                budget.stop = Some(stop);
                budget.explain = explain.then(Explain::default);
                session.go(infoset, budget).map(Some)
            }
            Request::End { rewards } => {
                self.session()?.agent.end(&rewards);
                self.session = None;
                Ok(None)
            }
            Request::Stop | Request::Quit => Ok(None),
        }
    }

    fn session(&mut self) -> Result<&mut Session, String> {
        self.session.as_mut().ok_or_else(|| "there is no game; send newgame first".to_string())
    }

    fn new_game(&self, spec: &str, seat: Player, seed: Seed) -> Result<Session, String> {
        let game = self.registry.game(spec).map_err(|why| why.to_string())?;
        let players = game.facts().players;
        if seat.index() >= players {
            return Err(format!("seat {seat}: the game has the seats 0 to {}", players - 1));
        }
        let agent = self.agent.as_deref().unwrap_or_else(|| usual_agent(&*game));
        let mut agent = self.registry.agent(agent, &*game).map_err(|why| why.to_string())?;
        agent.start(seat, seed);
        if agent.cheats {
            return Err(format!("{} looks at the true state, which engines are never told", agent.spec));
        }
        Ok(Session { game, seat, agent: agent.agent, budget: agent.budget })
    }
}

impl Session {
    fn go(&mut self, infoset: Value, mut budget: Budget) -> Result<Answer, String> {
        let info = InfoSet::from_json(self.game.model(), infoset).map_err(|why| why.to_string())?;
        if info.seat != self.seat {
            return Err(format!("an information set of player {} for player {}", info.seat, self.seat));
        }
        let names = info.legal_names();
        if names.is_empty() {
            return Err("the information set has no legal moves".to_string());
        }
        budget.watch = Some(Watch::new(move |progress| {
            // Whoever does not listen will not hear the move either, and that is noticed.
            let _ = say(&Answer::info(&names, progress));
        }));
        let decision = self.agent.act(&info, &budget).map_err(|why| why.to_string())?;
        Ok(Answer::best_move(&info, &decision))
    }
}

/// Writes an answer.
fn say(answer: &Answer) -> std::io::Result<()> {
    let mut output = std::io::stdout().lock();
    writeln!(output, "{}", answer.to_line())?;
    output.flush()
}

/// What a panic said.
fn words_of(panic: &(dyn Any + Send)) -> String {
    let text = panic.downcast_ref::<&str>().map(|t| (*t).to_string());
    text.or_else(|| panic.downcast_ref::<String>().cloned()).unwrap_or_default()
}

//! Takes part in matches: reads what a manager says, keeps the matches apart, and lets players answer.
//!
//! A [`Host`] answers messages. It does so over HTTP as a [`Service`], or in the same program without it.

use std::collections::HashMap;
use std::net::IpAddr;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use fogtree_core::Budget;
use fogtree_gdl::{Level, Report};

use crate::http::Request;
use crate::http::server::{Response, Service};
use crate::message::{Dialect, Message, News, Reply, as_word};
use crate::player::{Learned, Own, Player, PlayerMaker, Refusal, Start};

/// How a host takes part.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Options {
    /// Matches at a time.
    pub matches: usize,
    /// Bytes of rules.
    pub rules: usize,
    /// The dialect that managers must speak; any if `None`.
    pub dialect: Option<Dialect>,
    /// The time kept back from every clock for the way of the answer, or a quarter of the clock if that is less.
    pub margin: Duration,
    /// How long a match is kept, beyond its clocks, if nothing is heard of it.
    pub patience: Duration,
    /// Whether pages from anywhere may send messages, and messages that begin or end something may come by GET.
    pub web: bool,
}

impl Default for Options {
    fn default() -> Self {
        Options {
            matches: 1,
            rules: 4 << 20,
            dialect: None,
            margin: Duration::from_millis(500),
            patience: Duration::from_secs(60),
            web: false,
        }
    }
}

/// Why a message has no answer.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum NoAnswer {
    /// It is no message, or not in the dialect that is spoken here.
    #[error("{0}")]
    Message(String),
    /// The match cannot be played.
    #[error(transparent)]
    Refused(#[from] Refusal),
}

/// Takes part in matches.
pub struct Host {
    maker: Box<dyn PlayerMaker>,
    options: Options,
    matches: Mutex<HashMap<String, Arc<Match>>>,
    /// Held while something large is read: a text takes many times its size then, so one at a time.
    large: Mutex<()>,
}

/// Longer clocks are taken for this.
const LONGEST_CLOCK: u32 = 3600;
/// Longer texts are large.
const LARGE: usize = 64 << 10;

struct Match {
    /// Who conducts it.
    peer: Option<IpAddr>,
    play_clock: Duration,
    /// It is given up when nothing was heard of it for so long.
    patience: Duration,
    heard: Mutex<Instant>,
    /// Ends the search that is going on.
    stop: Mutex<Arc<AtomicBool>>,
    /// Who plays; nobody before the start and after the end.
    playing: Mutex<Option<Playing>>,
}

struct Playing {
    player: Box<dyn Player>,
    /// Whether the rules are plain GDL.
    open: bool,
    /// How many PLAY messages there were.
    turns: u32,
    /// The last answer, if it was one and in time.
    sent: Option<String>,
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

impl Match {
    fn is_abandoned(&self) -> bool {
        lock(&self.heard).elapsed() > self.patience
    }

    /// Ends whatever is being thought about: nobody waits for it any more.
    fn interrupt(&self) {
        lock(&self.stop).store(true, Ordering::Relaxed);
    }

    fn budget(&self, time: Duration) -> Budget {
        let stop = Arc::new(AtomicBool::new(false));
        *lock(&self.stop) = stop.clone();
        Budget { time: Some(time), stop: Some(stop), ..Budget::default() }
    }
}

impl Host {
    /// Takes part with players of this maker.
    pub fn new(maker: Box<dyn PlayerMaker>, options: Options) -> Host {
        Host { maker, options, matches: Mutex::default(), large: Mutex::default() }
    }

    /// The name by which the players are known.
    pub fn name(&self) -> String {
        self.maker.name()
    }

    /// How many matches there are.
    pub fn matches(&self) -> usize {
        lock(&self.matches).len()
    }

    /// The answer to a text that arrived at this time.
    pub fn handle(&self, text: &[u8], arrived: Instant) -> Result<Reply, NoAnswer> {
        self.answer(&self.read(text)?, arrived)
    }

    fn read(&self, text: &[u8]) -> Result<Message, NoAnswer> {
        let _one = (text.len() > LARGE).then(|| lock(&self.large));
        Message::parse(text, self.options.rules).map_err(|why| NoAnswer::Message(why.to_string()))
    }

    /// The answer to a message that arrived at this time.
    pub fn answer(&self, message: &Message, arrived: Instant) -> Result<Reply, NoAnswer> {
        self.answer_to(message, arrived, None)
    }

    fn answer_to(
        &self,
        message: &Message,
        arrived: Instant,
        peer: Option<IpAddr>,
    ) -> Result<Reply, NoAnswer> {
        match message {
            Message::Info => {
                Ok(Reply::Info { name: as_word(&self.maker.name()), available: self.is_available() })
            }
            Message::Preview { rules, .. } => {
                if !self.is_available() {
                    return Ok(Reply::Busy);
                }
                let _one = lock(&self.large);
                sheet(rules)?;
                Ok(Reply::Ready)
            }
            Message::Start { id, role, rules, start_clock, play_clock } => {
                let clock = |seconds: u32| Duration::from_secs(seconds.min(LONGEST_CLOCK).into());
                self.start(id, role, rules, [clock(*start_clock), clock(*play_clock)], (arrived, peer))
            }
            Message::Play { id, news } => self.play(id, news, arrived),
            Message::Stop { id, news } => {
                let Some(ended) = self.take(id) else { return Ok(Reply::Busy) };
                if let Some(mut playing) = lock(&ended.playing).take()
                    && let Ok(Some(learned)) = playing.learned(news, self.options.dialect)
                {
                    guarded(|| playing.player.stop(&learned));
                }
                Ok(Reply::Done)
            }
            Message::Abort { id } => {
                let Some(ended) = self.take(id) else { return Ok(Reply::Busy) };
                // A player that is still thinking is dropped as soon as it notices.
                if let Ok(mut playing) = ended.playing.try_lock()
                    && let Some(mut playing) = playing.take()
                {
                    guarded(|| playing.player.abort());
                }
                Ok(Reply::Aborted)
            }
        }
    }

    /// Whether another match can begin. Matches that were given up make room.
    fn is_available(&self) -> bool {
        let mut matches = lock(&self.matches);
        matches.retain(|_, one| {
            let keep = !one.is_abandoned();
            if !keep {
                one.interrupt();
            }
            keep
        });
        matches.len() < self.options.matches
    }

    fn take(&self, id: &str) -> Option<Arc<Match>> {
        let ended = lock(&self.matches).remove(id)?;
        ended.interrupt();
        Some(ended)
    }

    /// What a clock leaves for thinking about a message that arrived at this time.
    fn time(&self, clock: Duration, arrived: Instant) -> Duration {
        clock.saturating_sub(self.options.margin.min(clock / 4)).saturating_sub(arrived.elapsed())
    }

    fn start(
        &self,
        id: &str,
        role: &str,
        rules: &str,
        [start_clock, play_clock]: [Duration; 2],
        (arrived, peer): (Instant, Option<IpAddr>),
    ) -> Result<Reply, NoAnswer> {
        let begun = Arc::new(Match {
            peer,
            play_clock,
            patience: start_clock + 2 * play_clock + self.options.patience,
            heard: Mutex::new(arrived),
            stop: Mutex::default(),
            playing: Mutex::default(),
        });
        // Messages about this match wait until its player is there.
        let mut playing = lock(&begun.playing);
        if !self.is_available() {
            return Ok(Reply::Busy);
        }
        {
            let mut matches = lock(&self.matches);
            if matches.len() >= self.options.matches || matches.contains_key(id) {
                return Ok(Reply::Busy);
            }
            matches.insert(id.to_string(), begun.clone());
        }
        let made = sheet(rules).and_then(|sheet| {
            let open = sheet.is_open();
            let (id, role) = (id.to_string(), role.to_string());
            let budget = begun.budget(self.time(start_clock, arrived));
            let start = Start { id, role, sheet, start_clock, play_clock };
            let made = guarded(|| self.maker.start(&start, &budget));
            let player = made.unwrap_or_else(|| Err(Refusal("the player failed".to_string())))?;
            Ok(Playing { player, open, turns: 0, sent: None })
        });
        match made {
            Ok(player) => {
                *playing = Some(player);
                Ok(Reply::Ready)
            }
            Err(refusal) => {
                let mut matches = lock(&self.matches);
                if matches.get(id).is_some_and(|one| Arc::ptr_eq(one, &begun)) {
                    matches.remove(id);
                }
                Err(refusal.into())
            }
        }
    }

    fn play(&self, id: &str, news: &News, arrived: Instant) -> Result<Reply, NoAnswer> {
        let Some(one) = lock(&self.matches).get(id).cloned() else { return Ok(Reply::Busy) };
        *lock(&one.heard) = Instant::now();
        // Whoever still thinks about the move before is too late.
        one.interrupt();
        let mut playing = lock(&one.playing);
        let Some(playing) = &mut *playing else { return Ok(Reply::Busy) };
        let Some(learned) = playing.learned(news, self.options.dialect)? else {
            return Ok(playing.sent.clone().map_or(Reply::Nil, Reply::Move));
        };
        playing.turns += 1;
        let budget = one.budget(self.time(one.play_clock, arrived));
        let answer = guarded(|| playing.player.play(&learned, &budget)).flatten();
        playing.sent = answer.clone().filter(|_| arrived.elapsed() <= one.play_clock);
        *lock(&one.heard) = Instant::now();
        Ok(answer.map_or(Reply::Nil, Reply::Move))
    }
}

impl Playing {
    /// What the player learns from the news; nothing at all if it is the same question again.
    fn learned(&self, news: &News, expected: Option<Dialect>) -> Result<Option<Learned>, NoAnswer> {
        let sent = || self.sent.clone().map_or(Own::Unknown, Own::Sent);
        let wrong = |dialect: Dialect| {
            NoAnswer::Message(format!("this player was told to speak dialect {dialect} only"))
        };
        Ok(Some(match news {
            News::List(_) if expected == Some(Dialect::B) => return Err(wrong(Dialect::B)),
            News::List(list) => {
                let list = list.as_deref().unwrap_or_default();
                let plain = expected.map_or(self.open, |dialect| dialect == Dialect::Gdl);
                match () {
                    () if self.turns == 0 && list.is_empty() => Learned::Nothing,
                    () if plain => Learned::Moves(list.to_vec()),
                    () => Learned::Percepts { own: sent(), percepts: list.to_vec() },
                }
            }
            News::Turn { turn, last, percepts } => match expected {
                Some(dialect @ (Dialect::Gdl | Dialect::A)) => return Err(wrong(dialect)),
                _ if turn.checked_add(1) == Some(self.turns) => return Ok(None),
                _ if *turn == 0 => Learned::Nothing,
                _ => Learned::Percepts {
                    own: last.clone().map_or_else(sent, Own::Told),
                    percepts: percepts.clone(),
                },
            },
        }))
    }
}

/// A sheet that has a meaning.
fn sheet(rules: &str) -> Result<fogtree_gdl::Sheet, Refusal> {
    let report = Report::of(rules.as_bytes(), Level::Lenient);
    let accepted = report.accepted();
    match report.sheet {
        Some(sheet) if accepted => Ok(sheet),
        _ => {
            let first = report.diagnostics.first().map_or("", |d| &d.message);
            Err(Refusal(format!("the rules cannot be used: {first}")))
        }
    }
}

/// What a player does must not end the host: one that panics has no answer.
fn guarded<T>(f: impl FnOnce() -> T) -> Option<T> {
    catch_unwind(AssertUnwindSafe(f)).ok()
}

impl std::fmt::Debug for Host {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Host").field("name", &self.maker.name()).finish_non_exhaustive()
    }
}

/// Lets pages from anywhere talk to a player.
const ANYWHERE: [(&str, &str); 3] = [
    ("Access-Control-Allow-Origin", "*"),
    ("Access-Control-Allow-Methods", "POST, GET, OPTIONS"),
    ("Access-Control-Allow-Headers", "Content-Type"),
];

impl Service for Host {
    fn knows(&self, peer: IpAddr) -> bool {
        lock(&self.matches).values().any(|one| one.peer == Some(peer))
    }

    fn answer(&self, request: &Request, arrived: Instant) -> Response {
        let headers = if self.options.web { ANYWHERE.to_vec() } else { Vec::new() };
        let heard = match request.method.as_str() {
            // A page may send a text without asking, but not of this kind; browsers say where a page comes from.
            "POST" if !self.options.web && request.header("origin").is_some() => {
                return Response::problem(403, "pages may not talk to this player; see --web");
            }
            "POST" => {
                self.read(&request.body).and_then(|message| self.answer_to(&message, arrived, request.peer))
            }
            "GET" => match decoded(&request.target).map(|text| self.read(&text)) {
                Some(Ok(message)) if !self.options.web && !matches!(message, Message::Info) => {
                    return Response::problem(403, "by GET there is only INFO; see --web");
                }
                Some(message) => message.and_then(|message| self.answer_to(&message, arrived, request.peer)),
                None => Err(NoAnswer::Message("the address is not URL-encoded".to_string())),
            },
            "OPTIONS" => {
                return Response { status: 200, content_type: "text/acl", headers, body: Vec::new() };
            }
            _ => {
                let mut response = Response::problem(405, "messages are sent with POST");
                response.headers.push(("Allow", "POST, GET, OPTIONS"));
                return response;
            }
        };
        match heard {
            Ok(reply) => {
                let body = reply.to_string().into_bytes();
                Response { status: 200, content_type: "text/acl", headers, body }
            }
            Err(why @ NoAnswer::Message(_)) => Response::problem(400, &why.to_string()),
            Err(why @ NoAnswer::Refused(_)) => Response::problem(422, &why.to_string()),
        }
    }
}

/// The message in an address: what follows the first slash, with `%28` for `(` and so on.
fn decoded(target: &str) -> Option<Vec<u8>> {
    let mut out = Vec::new();
    let mut bytes = target.strip_prefix('/')?.bytes();
    while let Some(byte) = bytes.next() {
        if byte != b'%' {
            out.push(byte);
            continue;
        }
        let digit = |byte: Option<u8>| (byte? as char).to_digit(16);
        out.push((digit(bytes.next())? * 16 + digit(bytes.next())?) as u8);
    }
    Some(out)
}

#[cfg(test)]
mod tests {
    use super::decoded;

    #[test]
    fn addresses_hold_messages() {
        assert_eq!(decoded("/%28INFO%29").unwrap(), b"(INFO)");
        assert_eq!(decoded("/(play%20m%20nil)").unwrap(), b"(play m nil)");
        assert_eq!(decoded("/a+%2b").unwrap(), b"a++");
        assert_eq!(decoded("/").unwrap(), b"");
        for bad in ["", "x", "/%", "/%2", "/%zz", "/%2\u{e9}"] {
            assert_eq!(decoded(bad), None, "{bad}");
        }
    }
}

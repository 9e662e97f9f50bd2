//! A table in memory.

use std::collections::BTreeMap;
use std::path::Path;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant, SystemTime};

use fogtree_core::{Player, Players};
use fogtree_table::{Registry, Seat, Session};
use tokio::sync::{broadcast, watch};

use super::super::refusal::Refusal;
use super::super::visitors::{Visitor, VisitorId};
use super::Row;
use super::clock::Clocks;
use super::journal::{Head, Journal, State};

/// A table in memory.
pub(super) struct LiveTable {
    pub(super) id: String,
    inner: Mutex<Inner>,
    /// Counts changes.
    changed: watch::Sender<u64>,
    /// How searches stand, as JSON; heard by those who may see everything.
    pub(super) searching: broadcast::Sender<Arc<str>>,
}

/// How agents are let move.
#[derive(Clone, Copy, Debug)]
pub(super) struct Pace {
    pub(super) paused: bool,
    /// Between two moves of agents.
    pub(super) delay: Duration,
    /// Moves that may be made although it is paused.
    pub(super) granted: u32,
}

/// What is at a table.
pub(super) struct Inner {
    pub(super) session: Session,
    pub(super) head: Head,
    pub(super) journal: Journal,
    pub(super) claims: BTreeMap<Player, VisitorId>,
    pub(super) clocks: Option<Clocks>,
    pub(super) pace: Pace,
    /// Which agents look at the true state.
    pub(super) cheats: Vec<bool>,
    pub(super) lost_on_time: Option<Player>,
    /// Why the table has ended before its game.
    pub(super) failed: Option<String>,
    /// Why the last change could not be kept.
    pub(super) unsaved: Option<String>,
    /// Who thinks, and what stops it.
    pub(super) thinking: Option<(Player, Arc<AtomicBool>)>,
    /// When the last step was made.
    pub(super) moved: Instant,
    /// Whether somebody has been asked to look again after the delay.
    pub(super) waiting: bool,
    /// When somebody last came.
    pub(super) used: Instant,
    pub(super) closed: bool,
}

impl LiveTable {
    /// A table with what is at it.
    pub(super) fn new(id: String, inner: Inner) -> LiveTable {
        LiveTable {
            id,
            inner: Mutex::new(inner),
            changed: watch::Sender::new(0),
            searching: broadcast::Sender::new(16),
        }
    }

    /// The table that is kept in a file.
    pub(super) fn load(registry: &Registry, id: &str, path: &Path) -> Result<LiveTable, Refusal> {
        let failed = |why: String| Refusal::failed(format!("the table cannot be read: {why}"));
        let (journal, head) = Journal::open(path).map_err(|why| failed(why.to_string()))?;
        let session = Session::resume(registry, &head.saved(journal.last()));
        let session = session.map_err(|why| failed(why.to_string()))?;
        Ok(LiveTable::new(id.to_string(), Inner::new(session, head, journal)))
    }

    /// What is at it.
    pub(super) fn inner(&self) -> MutexGuard<'_, Inner> {
        self.inner.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Hears of changes.
    pub(super) fn changes(&self) -> watch::Receiver<u64> {
        self.changed.subscribe()
    }

    /// Tells those who listen that something has changed.
    pub(super) fn tell(&self) {
        self.changed.send_modify(|count| *count += 1);
    }

    /// What is known of it without playing.
    pub(super) fn row(&self) -> Row {
        let inner = self.inner();
        Row { head: inner.head.clone(), state: inner.state() }
    }

    /// Whether nobody listens and nobody thinks.
    pub(super) fn is_idle(&self) -> bool {
        self.changed.receiver_count() == 0 && self.inner().thinking.is_none()
    }

    /// When somebody last came.
    pub(super) fn used(&self) -> Instant {
        self.inner().used
    }

    /// Stops whoever thinks; nothing happens here any more.
    pub(super) fn close(&self) {
        let mut inner = self.inner();
        inner.closed = true;
        inner.stop_thinking();
        drop(inner);
        self.tell();
    }
}

impl Inner {
    /// What is at a table whose session is in the state that its journal wrote last.
    pub(super) fn new(session: Session, head: Head, journal: Journal) -> Inner {
        let players = session.seats().len();
        let mut cheats = vec![false; players];
        session.cheating().for_each(|p| cheats[p.index()] = true);
        let last = journal.last();
        let clocks = head.clock.map(|rule| Clocks::new(rule, players, &last.left));
        let (claims, lost_on_time) = (last.claims.clone(), last.lost_on_time);
        let delay = Duration::from_millis(head.delay);
        Inner {
            session,
            journal,
            claims,
            clocks,
            pace: Pace { paused: false, delay, granted: 0 },
            cheats,
            lost_on_time,
            failed: None,
            unsaved: None,
            thinking: None,
            moved: Instant::now(),
            waiting: false,
            used: Instant::now(),
            closed: false,
            head,
        }
    }

    /// Whether everybody at the table may see everything.
    pub(super) fn all_seen(&self) -> bool {
        self.head.open || self.session.is_over() || self.agents_alone()
    }

    /// Whether no people play.
    pub(super) fn agents_alone(&self) -> bool {
        self.people().next().is_none()
    }

    /// The seats of people.
    pub(super) fn people(&self) -> impl Iterator<Item = Player> + '_ {
        let seats = Player::all(self.session.seats().len());
        seats.filter(|p| self.session.seats()[p.index()] == Seat::Person)
    }

    /// The seats that a visitor holds.
    pub(super) fn seats_of(&self, visitor: &Visitor) -> Vec<Player> {
        self.people().filter(|p| self.claims.get(p) == Some(&visitor.id)).collect()
    }

    /// Refuses whoever does not hold a seat.
    pub(super) fn check_seat(&self, visitor: &Visitor, seat: u8) -> Result<Player, Refusal> {
        let seat = Player(seat);
        match self.seats_of(visitor).contains(&seat) {
            true => Ok(seat),
            false => Err(Refusal::forbidden(format!("seat {seat} is not yours"))),
        }
    }

    /// Whether a person may take back its last choice: not where that would tell that another person has moved.
    pub(super) fn may_undo(&self) -> bool {
        !self.session.is_over() && (self.head.open || self.people().count() == 1)
    }

    /// Whether everybody is there.
    pub(super) fn complete(&self) -> bool {
        self.people().all(|p| self.claims.contains_key(&p))
    }

    /// Makes the right clocks run.
    pub(super) fn run_clocks(&mut self) {
        let next = match self.complete() && self.failed.is_none() {
            true => self.session.waiting_for(),
            false => Players::default(),
        };
        if let Some(clocks) = &mut self.clocks {
            clocks.run(next);
        }
    }

    /// Whoever has run out of time has lost.
    pub(super) fn check_clocks(&mut self) {
        if let Some(seat) = self.clocks.as_ref().and_then(Clocks::out)
            && self.session.resign(seat).is_ok()
        {
            self.lost_on_time = Some(seat);
            self.stop_thinking();
        }
    }

    /// Stops whoever thinks.
    pub(super) fn stop_thinking(&self) {
        if let Some((_, stop)) = &self.thinking {
            stop.store(true, Ordering::Relaxed);
        }
    }

    /// What can change, as it is now.
    pub(super) fn state(&self) -> State {
        let saved = self.session.save();
        let now = SystemTime::now().duration_since(SystemTime::UNIX_EPOCH);
        State {
            moves: saved.moves,
            pending: saved.pending,
            undone: saved.undone,
            resigned: saved.resigned,
            lost_on_time: self.lost_on_time,
            left: self.clocks.as_ref().map_or_else(Vec::new, Clocks::milliseconds),
            claims: self.claims.clone(),
            over: self.session.is_over(),
            updated: now.map_or(0, |since| since.as_secs()),
        }
    }

    /// Writes down what has changed.
    pub(super) fn keep(&mut self) -> State {
        let state = self.state();
        let kept = self.journal.note(state.clone());
        self.unsaved = kept.err().map(|why| format!("the table cannot be kept on disk: {why}"));
        state
    }
}

//! Doing the units of an experiment on all cores of this machine.
//!
//! Threads take units one after another; one thread alone writes, several units at a time, so that the store
//! costs next to nothing. Whatever is not in the store when the run ends, however it ends, is done by the next.

use std::collections::HashSet;
use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};
use std::sync::atomic::{AtomicBool, AtomicU64, AtomicUsize, Ordering};
use std::sync::mpsc::{self, RecvTimeoutError};
use std::time::{Duration, Instant};

use fogtree_table::Registry;

use super::followers::Followers;
use super::plan::{Cell, Plan, Unit};
use super::store::{Store, StoreError};
use super::work::{Done, Worker};
use crate::made::Made;

/// Results wait at most this long before they are stored.
const PATIENCE: Duration = Duration::from_millis(200);

/// A run on this machine.
pub struct Runner<'a> {
    /// What is to be done.
    pub plan: &'a Plan,
    /// Games and agents.
    pub registry: &'a Registry,
    /// Where results go.
    pub store: &'a Store,
    /// How many units at a time.
    pub threads: usize,
}

/// How far a run has come.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Progress {
    /// Games and runs in the store.
    pub done: u64,
    /// Games and runs in all.
    pub of: u64,
    /// Games and runs added by this run.
    pub new: u64,
    /// Since this run began.
    pub time: Duration,
}

impl Progress {
    /// Games a second.
    pub fn rate(&self) -> f64 {
        self.new as f64 / self.time.as_secs_f64().max(1e-9)
    }

    /// The time left at that rate.
    pub fn left(&self) -> Option<Duration> {
        let left = (self.of - self.done) as f64 / self.rate();
        Duration::try_from_secs_f64(left).ok()
    }
}

/// Why a run ended before its end.
#[derive(Debug, thiserror::Error)]
pub enum RunError {
    /// Results could not be stored.
    #[error(transparent)]
    Store(#[from] StoreError),
    /// A unit could not be done.
    #[error("cell {cell} ({label}): {why}")]
    Unit {
        /// The cell.
        cell: usize,
        /// What it is called.
        label: String,
        /// Why.
        why: String,
    },
}

impl Runner<'_> {
    /// Does what is not in the store yet, until all is done or `stop` is set. Returns whether all is done.
    pub fn run(&self, stop: &AtomicBool, tell: &mut dyn FnMut(&Progress)) -> Result<bool, RunError> {
        let units = self.plan.units();
        let mut state = State::new(self.plan, self.store)?;
        self.store.sign(&Made::now())?;
        let missing: Vec<&Unit> = units.iter().filter(|u| !state.kept.contains(&(u.cell, u.first))).collect();
        let began = Instant::now();
        let before = state.counted().0;
        let mut tell = |state: &State| {
            let (done, of) = state.counted();
            tell(&Progress { done, of, new: done.saturating_sub(before), time: began.elapsed() });
        };
        tell(&state);
        let worker = Worker::new(self.plan, self.registry);
        let (next, failed) = (AtomicUsize::new(0), AtomicBool::new(false));
        let ends = state.ends();
        let (send, receive) = mpsc::channel();
        let over = || stop.load(Ordering::Relaxed) || failed.load(Ordering::Relaxed);
        std::thread::scope(|scope| {
            let mut threads = Vec::new();
            for _ in 0..self.threads.clamp(1, missing.len().max(1)) {
                let send = send.clone();
                let (next, missing, worker, over, ends) = (&next, &missing, &worker, &over, &ends);
                let panicked = &failed;
                threads.push(scope.spawn(move || {
                    while let Some(unit) = missing.get(next.fetch_add(1, Ordering::Relaxed)) {
                        let end = &ends[unit.cell];
                        if unit.first >= end.load(Ordering::Relaxed) {
                            continue;
                        }
                        let settled = || unit.first >= end.load(Ordering::Relaxed);
                        let work = || worker.run_until(unit, &|| over() || settled());
                        let done = catch_unwind(AssertUnwindSafe(work)).unwrap_or_else(|panic| {
                            panicked.store(true, Ordering::Relaxed);
                            resume_unwind(panic)
                        });
                        let result = match done {
                            Ok(None) if settled() => continue,
                            Ok(None) => break,
                            Ok(Some(done)) => Ok(done),
                            Err(why) => Err((unit.cell, why)),
                        };
                        let failed = result.is_err();
                        if send.send(result).is_err() || failed {
                            break;
                        }
                    }
                }));
            }
            drop(send);
            let kept = self.keep(receive, &mut state, &ends, &mut tell);
            failed.store(true, Ordering::Relaxed);
            for thread in threads {
                thread.join().unwrap_or_else(|panic| resume_unwind(panic));
            }
            kept
        })?;
        let (done, of) = state.counted();
        if done == of {
            state.followers.cut(self.store)?;
        }
        Ok(done == of)
    }

    /// Stores results as they come, several at a time.
    fn keep(
        &self,
        results: mpsc::Receiver<Result<Done, (usize, String)>>,
        state: &mut State,
        ends: &[AtomicU64],
        tell: &mut dyn FnMut(&State),
    ) -> Result<(), RunError> {
        let (mut waiting, mut stored) = (Vec::new(), Instant::now());
        loop {
            let result = results.recv_timeout(PATIENCE);
            let ended = matches!(result, Err(RecvTimeoutError::Disconnected));
            let mut failure = None;
            match result {
                Ok(Ok(done)) => {
                    state.add(&done);
                    ends[done.unit.cell].store(state.end(done.unit.cell), Ordering::Relaxed);
                    waiting.push(done);
                }
                Ok(Err((cell, why))) => {
                    failure = Some(RunError::Unit { cell, label: self.plan.cells[cell].label(), why });
                }
                Err(_) => {}
            }
            if ended || failure.is_some() || stored.elapsed() >= PATIENCE {
                self.store.keep_all(&waiting)?;
                waiting.clear();
                stored = Instant::now();
                tell(state);
            }
            match failure {
                Some(failure) => return Err(failure),
                None if ended => return Ok(()),
                None => {}
            }
        }
    }
}

/// What is there of an experiment, and what is settled already.
struct State {
    sizes: Vec<u64>,
    done: Vec<u64>,
    kept: HashSet<(usize, u64)>,
    followers: Followers,
}

impl State {
    fn new(plan: &Plan, store: &Store) -> Result<State, StoreError> {
        let mut state = State {
            sizes: plan.cells.iter().map(Cell::size).collect(),
            done: vec![0; plan.cells.len()],
            kept: HashSet::new(),
            followers: Followers::new(plan, store)?,
        };
        store.units()?.iter().for_each(|unit| state.count(unit));
        Ok(state)
    }

    fn count(&mut self, unit: &Unit) {
        if self.kept.insert((unit.cell, unit.first)) {
            self.done[unit.cell] += unit.count;
        }
    }

    fn add(&mut self, done: &Done) {
        self.count(&done.unit);
        self.followers.add(done);
    }

    /// The game of a cell from which on none is needed.
    fn end(&self, cell: usize) -> u64 {
        self.followers.settled(cell).map_or(self.sizes[cell], |settled| settled.games)
    }

    fn ends(&self) -> Vec<AtomicU64> {
        (0..self.sizes.len()).map(|cell| AtomicU64::new(self.end(cell))).collect()
    }

    /// Games that are there, and in all, those aside that are not needed.
    fn counted(&self) -> (u64, u64) {
        let ends = (0..self.sizes.len()).map(|cell| self.end(cell));
        ends.zip(&self.done).fold((0, 0), |(done, of), (end, &there)| (done + there.min(end), of + end))
    }
}

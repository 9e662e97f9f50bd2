//! Doing the units of an experiment on all cores of this machine.
//!
//! Threads take units one after another; one thread alone writes, several units at a time, so that the store
//! costs next to nothing. Whatever is not in the store when the run ends, however it ends, is done by the next.

use std::collections::HashSet;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::mpsc::{self, RecvTimeoutError};
use std::time::{Duration, Instant};

use fogtree_table::Registry;

use super::plan::{Plan, Unit};
use super::store::{Store, StoreError};
use super::work::{Done, Worker};

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
        let kept: HashSet<(usize, u64)> = self.store.units()?.iter().map(|u| (u.cell, u.first)).collect();
        let missing: Vec<&Unit> = units.iter().filter(|u| !kept.contains(&(u.cell, u.first))).collect();
        let of: u64 = units.iter().map(|u| u.count).sum();
        let before = of - missing.iter().map(|u| u.count).sum::<u64>();
        let began = Instant::now();
        let progress = |new| Progress { done: before + new, of, new, time: began.elapsed() };
        tell(&progress(0));
        let worker = Worker::new(self.plan, self.registry);
        let (next, failed) = (AtomicUsize::new(0), AtomicBool::new(false));
        let (send, receive) = mpsc::channel();
        let over = || stop.load(Ordering::Relaxed) || failed.load(Ordering::Relaxed);
        let new = std::thread::scope(|scope| {
            for _ in 0..self.threads.clamp(1, missing.len().max(1)) {
                let send = send.clone();
                let (next, missing, worker, over) = (&next, &missing, &worker, &over);
                scope.spawn(move || {
                    while let Some(unit) = missing.get(next.fetch_add(1, Ordering::Relaxed)) {
                        let result = match worker.run_until(unit, over) {
                            Ok(None) => break,
                            Ok(Some(done)) => Ok(done),
                            Err(why) => Err((unit.cell, why)),
                        };
                        let failed = result.is_err();
                        if send.send(result).is_err() || failed {
                            break;
                        }
                    }
                });
            }
            drop(send);
            let kept = self.keep(receive, &mut |new| tell(&progress(new)));
            failed.store(true, Ordering::Relaxed);
            kept
        })?;
        Ok(before + new == of)
    }

    /// Stores results as they come, several at a time; returns how many games.
    fn keep(
        &self,
        results: mpsc::Receiver<Result<Done, (usize, String)>>,
        tell: &mut dyn FnMut(u64),
    ) -> Result<u64, RunError> {
        let (mut waiting, mut new, mut stored) = (Vec::new(), 0, Instant::now());
        loop {
            let result = results.recv_timeout(PATIENCE);
            let ended = matches!(result, Err(RecvTimeoutError::Disconnected));
            let mut failure = None;
            match result {
                Ok(Ok(done)) => waiting.push(done),
                Ok(Err((cell, why))) => {
                    failure = Some(RunError::Unit { cell, label: self.plan.cells[cell].label(), why });
                }
                Err(_) => {}
            }
            if ended || failure.is_some() || stored.elapsed() >= PATIENCE {
                self.store.keep_all(&waiting)?;
                new += waiting.drain(..).map(|done: Done| done.unit.count).sum::<u64>();
                stored = Instant::now();
                tell(new);
            }
            match failure {
                Some(failure) => return Err(failure),
                None if ended => return Ok(new),
                None => {}
            }
        }
    }
}

//! Work that somebody has asked for and that goes on by itself: kept for a while, looked at, stopped.

use std::collections::VecDeque;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use axum::response::Response;
use axum::response::sse::Event;
use serde::Serialize;
use serde_json::json;
use tokio::sync::{mpsc, watch};

use super::exchange::{event, events};
use super::refusal::Refusal;
use super::visitors::{Visitor, VisitorId, secret};

/// How far some work has come.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "lowercase")]
pub(crate) enum Stage {
    /// No thread is free yet.
    #[default]
    Waiting,
    /// It goes on.
    Running,
    /// It has come to its end.
    Done,
    /// It has ended otherwise.
    Failed,
}

impl Stage {
    /// Whether nothing more will happen.
    pub(crate) fn is_over(self) -> bool {
        matches!(self, Stage::Done | Stage::Failed)
    }
}

/// What a job has found out so far, and what stops it.
pub(crate) struct Progress<T> {
    found: Mutex<T>,
    /// Counts changes.
    changed: watch::Sender<u64>,
    stop: Arc<AtomicBool>,
}

impl<T: Send + 'static> Progress<T> {
    /// A job that has found out this.
    pub(crate) fn new(found: T) -> Progress<T> {
        Progress { found: Mutex::new(found), changed: watch::Sender::new(0), stop: Arc::default() }
    }

    /// What it has found out.
    pub(crate) fn found(&self) -> MutexGuard<'_, T> {
        self.found.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Notes something, and tells those who listen.
    pub(crate) fn note(&self, change: impl FnOnce(&mut T)) {
        change(&mut self.found());
        self.changed.send_modify(|count| *count += 1);
    }

    /// The flag that stops it.
    pub(crate) fn flag(&self) -> Arc<AtomicBool> {
        Arc::clone(&self.stop)
    }

    /// Whether somebody has stopped it.
    pub(crate) fn is_stopped(&self) -> bool {
        self.stop.load(Ordering::Relaxed)
    }

    /// Stops it, and ends the streams of those who listen.
    pub(crate) fn stop(&self) {
        self.stop.store(true, Ordering::Relaxed);
        self.changed.send_modify(|count| *count += 1);
    }

    /// Server-sent events: what `news` says is new whenever something has changed, and `end` when it says
    /// that nothing more will come, or the job was stopped.
    pub(crate) fn follow(
        self: &Arc<Self>,
        mut news: impl FnMut(&T) -> (Vec<Event>, bool) + Send + 'static,
    ) -> Response {
        let (send, receive) = mpsc::channel(4);
        let job = Arc::clone(self);
        tokio::spawn(async move {
            let mut changes = job.changed.subscribe();
            loop {
                changes.mark_unchanged();
                let (told, over) = news(&job.found());
                for one in told {
                    if send.send(one).await.is_err() {
                        return;
                    }
                }
                if over || job.is_stopped() {
                    let _ = send.send(event("end", &json!({}))).await;
                    return;
                }
                tokio::select! {
                    changed = changes.changed() => if changed.is_err() { return },
                    () = send.closed() => return,
                }
            }
        });
        events(receive)
    }
}

/// Something that is kept until it is forgotten.
pub(crate) trait Job: Send + Sync {
    /// Ends it soon.
    fn stop(&self);
}

struct Kept<J> {
    id: String,
    by: VisitorId,
    job: Arc<J>,
}

/// The jobs of one kind, the oldest first. Too many make the oldest be forgotten.
pub(crate) struct Jobs<J> {
    /// Of all visitors, and of each.
    most: usize,
    most_each: usize,
    kept: Mutex<VecDeque<Kept<J>>>,
}

impl<J: Job> Jobs<J> {
    /// Room for so many jobs, and so many of each visitor.
    pub(crate) fn new(most: usize, most_each: usize) -> Jobs<J> {
        Jobs { most, most_each, kept: Mutex::default() }
    }

    fn kept(&self) -> MutexGuard<'_, VecDeque<Kept<J>>> {
        self.kept.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Keeps a job for whoever asked for it; answers its name.
    pub(crate) fn add(&self, visitor: &Visitor, job: Arc<J>) -> String {
        let mut kept = self.kept();
        let own = kept.iter().filter(|one| one.by == visitor.id).count();
        let oldest = match own >= self.most_each {
            true => kept.iter().position(|one| one.by == visitor.id),
            false => (kept.len() >= self.most).then_some(0),
        };
        if let Some(forgotten) = oldest.and_then(|place| kept.remove(place)) {
            forgotten.job.stop();
        }
        let id = secret();
        kept.push_back(Kept { id: id.clone(), by: visitor.id.clone(), job });
        id
    }

    /// A job, for whoever asked for it.
    pub(crate) fn find(&self, visitor: &Visitor, id: &str) -> Result<Arc<J>, Refusal> {
        let kept = self.kept();
        let found = kept.iter().find(|one| one.id == id && one.by == visitor.id);
        found.map(|one| Arc::clone(&one.job)).ok_or_else(missing)
    }

    /// Stops and forgets a job, for whoever asked for it.
    pub(crate) fn remove(&self, visitor: &Visitor, id: &str) -> Result<(), Refusal> {
        let mut kept = self.kept();
        let place = kept.iter().position(|one| one.id == id && one.by == visitor.id);
        let removed = place.and_then(|place| kept.remove(place)).ok_or_else(missing)?;
        removed.job.stop();
        Ok(())
    }

    /// Stops all of them.
    pub(crate) fn stop_all(&self) {
        self.kept().iter().for_each(|one| one.job.stop());
    }
}

fn missing() -> Refusal {
    Refusal::not_found("there is no such job: only the latest are kept")
}

/// What a panic in a job is called.
pub(crate) const BROKEN: &str = "it broke down: this is our fault";

#[cfg(test)]
mod tests {
    use super::*;

    struct Counted(AtomicBool);

    impl Job for Counted {
        fn stop(&self) {
            self.0.store(true, Ordering::Relaxed);
        }
    }

    fn visitor(name: &str) -> Visitor {
        let id = serde_json::from_value(json!(name)).unwrap();
        Visitor { id, owner: true }
    }

    #[test]
    fn the_oldest_are_stopped_and_forgotten_and_others_find_nothing() {
        let jobs = Jobs::new(3, 2);
        let (ann, bob) = (visitor("ann"), visitor("bob"));
        let job = || Arc::new(Counted(AtomicBool::new(false)));
        let all: Vec<Arc<Counted>> = (0..5).map(|_| job()).collect();
        let ids: Vec<String> =
            [&ann, &ann, &bob].iter().zip(&all).map(|(who, job)| jobs.add(who, Arc::clone(job))).collect();
        assert!(jobs.find(&ann, &ids[0]).is_ok() && jobs.find(&bob, &ids[0]).is_err());
        assert!(jobs.remove(&bob, &ids[0]).is_err());
        jobs.add(&ann, Arc::clone(&all[3]));
        assert!(jobs.find(&ann, &ids[0]).is_err(), "ann has had two");
        jobs.add(&bob, Arc::clone(&all[4]));
        assert!(jobs.find(&ann, &ids[1]).is_err(), "there were three");
        let stopped: Vec<bool> = all.iter().map(|job| job.0.load(Ordering::Relaxed)).collect();
        assert_eq!(stopped, [true, true, false, false, false]);
        jobs.remove(&bob, &ids[2]).unwrap();
        assert!(all[2].0.load(Ordering::Relaxed));
    }
}

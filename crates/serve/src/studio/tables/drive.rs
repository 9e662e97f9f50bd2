//! Lets chance and agents move.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::time::Duration;

use fogtree_core::{Budget, Explain, Player, Progress, Turn, Watch};
use fogtree_table::Thinking;
use fogtree_table::wire::Findings;
use serde::Serialize;

use super::super::Studio;
use super::Row;
use super::live::{Inner, LiveTable};

/// How a search at a table stands.
#[derive(Serialize)]
struct Searching<'a> {
    seat: Player,
    legal: &'a [String],
    findings: Findings,
}

/// What is to be done at a table.
enum Next {
    /// Nothing: people have to choose, or the game is over.
    Nothing,
    /// Something, but not yet.
    Later(Duration),
    /// An agent thinks.
    Think(Box<Thinking>, Arc<AtomicBool>),
}

impl Studio {
    /// Lets chance and agents go on at a table, writes down what has changed, and tells those who look.
    pub(super) fn drive(self: &Arc<Studio>, table: &Arc<LiveTable>) {
        let mut inner = table.inner();
        if inner.closed {
            return;
        }
        inner.check_clocks();
        let next = catch_unwind(AssertUnwindSafe(|| inner.advance())).unwrap_or_else(|_| {
            inner.failed = Some("the game broke down: this is our fault".to_string());
            Next::Nothing
        });
        inner.run_clocks();
        let state = inner.keep();
        let row = Row { head: inner.head.clone(), state };
        let out = inner.clocks.as_ref().and_then(|clocks| clocks.next_out());
        let all_seen = inner.all_seen();
        let share = match (&next, &inner.clocks) {
            (Next::Think(thinking, _), Some(clocks)) => Some(clocks.share(thinking.seat)),
            _ => None,
        };
        drop(inner);
        self.tables.noted(table, row);
        table.tell();
        match next {
            Next::Nothing => {}
            Next::Later(wait) => self.later(table, wait, true),
            Next::Think(thinking, stop) => {
                let longest = self.settings.longest_search;
                let limits =
                    Limits { stop, time: share.map_or(longest, |share| share.min(longest)), all_seen };
                self.think(table, *thinking, limits);
            }
        }
        if let Some(out) = out {
            self.later(table, out + Duration::from_millis(5), false);
        }
    }

    /// Looks again after a while.
    fn later(self: &Arc<Studio>, table: &Arc<LiveTable>, wait: Duration, for_delay: bool) {
        let (studio, table) = (Arc::clone(self), Arc::downgrade(table));
        self.runtime.spawn(async move {
            tokio::time::sleep(wait).await;
            let Some(table) = table.upgrade() else { return };
            let look = move || {
                if for_delay {
                    table.inner().waiting = false;
                }
                studio.drive(&table);
            };
            let _ = tokio::task::spawn_blocking(look).await;
        });
    }

    /// Lets an agent think on a thread of the pool.
    fn think(self: &Arc<Studio>, table: &Arc<LiveTable>, mut thinking: Thinking, limits: Limits) {
        let (studio, there) = (Arc::clone(self), Arc::clone(table));
        let seat = thinking.seat;
        let work = move || {
            let watch = limits.all_seen.then(|| watch(&there, &thinking));
            let decided =
                catch_unwind(AssertUnwindSafe(|| thinking.think_with(|budget| limits.apply(budget, watch))));
            let mut inner = there.inner();
            inner.thinking = None;
            inner.moved = std::time::Instant::now();
            match decided {
                Ok(decision) => {
                    if let (Some(clocks), Ok(decision)) = (&mut inner.clocks, &decision) {
                        clocks.use_up(seat, decision.report.time);
                    }
                    if let Err(why) = inner.session.decided(thinking, decision) {
                        inner.failed = Some(why.to_string());
                    }
                }
                Err(_) => {
                    inner.failed = Some(format!("the agent in seat {seat} broke down: this is our fault"));
                }
            }
            drop(inner);
            studio.drive(&there);
        };
        if let Err(why) = self.pool.submit(&table.id, work) {
            let mut inner = table.inner();
            inner.thinking = None;
            inner.failed = Some(why.to_string());
            drop(inner);
            table.tell();
        }
    }
}

/// What a search at a table is held to.
struct Limits {
    stop: Arc<AtomicBool>,
    time: Duration,
    all_seen: bool,
}

impl Limits {
    fn apply(self, budget: &mut Budget, watch: Option<Watch>) {
        budget.time = Some(budget.time.map_or(self.time, |time| time.min(self.time)));
        budget.stop = Some(self.stop);
        budget.watch = watch;
        budget.explain = Some(Explain { tree: None });
    }
}

/// Tells those who may see everything how a search stands.
fn watch(table: &LiveTable, thinking: &Thinking) -> Watch {
    let (tell, seat, legal) = (table.searching.clone(), thinking.seat, thinking.info.legal_names());
    Watch::new(move |progress: &Progress| {
        if tell.receiver_count() > 0 {
            let findings = Findings::so_far(&legal, progress);
            let text = serde_json::to_string(&Searching { seat, legal: &legal, findings });
            let _ = tell.send(text.expect("plain data").into());
        }
    })
}

impl Inner {
    /// Lets chance draw until somebody has to choose; says who thinks next.
    fn advance(&mut self) -> Next {
        loop {
            let at_rest = self.session.is_over() || self.failed.is_some() || self.thinking.is_some();
            if at_rest || !self.complete() {
                return Next::Nothing;
            }
            if self.session.table().turn() == Turn::Chance {
                if let Err(why) = self.session.step() {
                    self.failed = Some(why.to_string());
                }
                continue;
            }
            if self.pace.paused && self.pace.granted == 0 {
                return Next::Nothing;
            }
            let left = self.pace.delay.saturating_sub(self.moved.elapsed());
            if !left.is_zero() && self.pace.granted == 0 && self.agent_is_due() {
                let asked = std::mem::replace(&mut self.waiting, true);
                return if asked { Next::Nothing } else { Next::Later(left) };
            }
            let Some(thinking) = self.session.next_thinker() else { return Next::Nothing };
            self.pace.granted = self.pace.granted.saturating_sub(1);
            let stop = Arc::new(AtomicBool::new(false));
            self.thinking = Some((thinking.seat, Arc::clone(&stop)));
            return Next::Think(Box::new(thinking), stop);
        }
    }

    fn agent_is_due(&self) -> bool {
        let people: Vec<Player> = self.people().collect();
        self.session.table().turn().players().iter().any(|p| !people.contains(&p))
    }
}

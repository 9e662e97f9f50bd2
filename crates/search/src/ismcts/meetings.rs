//! Where threads meet to exchange something, at fixed counts of iterations.
//!
//! The first meeting takes place once every thread has come for the first time, the second once every one has
//! come for the second time, and so on; whoever comes waits, and then gets what all brought, in the order of
//! the threads. A thread that ends comes once more with what it has left, and counts no longer: nobody waits
//! for it again. So what is exchanged depends on the iterations of each thread alone and not on how fast they
//! are, and as every thread ends sometime, nobody waits for ever. There is no lock outside meetings.

use std::num::NonZeroU32;
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};

/// What the threads of one search exchange, and when.
pub(crate) struct Meetings<T> {
    every: u64,
    threads: Mutex<Vec<Thread<T>>>,
    held: Condvar,
}

/// A thread as the others know it.
enum Thread<T> {
    Searching,
    /// It has come, to leave if this is the last time.
    Waiting {
        brought: Arc<T>,
        last: bool,
    },
    /// It has what the meeting brought but has not gone on yet, or it does not search any more.
    Served {
        met: Met<T>,
        last: bool,
    },
    Gone,
}

/// What all threads brought to a meeting, in their order.
pub(crate) struct Met<T> {
    pub(crate) all: Arc<[Arc<T>]>,
    /// Which of these is one's own.
    pub(crate) own: usize,
}

impl<T> Meetings<T> {
    /// Meetings of so many threads after every so many iterations of each.
    pub(crate) fn new(threads: usize, every: NonZeroU32) -> Meetings<T> {
        let threads = (0..threads).map(|_| Thread::Searching).collect();
        Meetings { every: every.get().into(), threads: Mutex::new(threads), held: Condvar::new() }
    }

    /// A thread's part in them.
    pub(crate) fn seat(&self, thread: usize) -> Seat<'_, T> {
        Seat { meetings: self, thread }
    }

    fn threads(&self) -> MutexGuard<'_, Vec<Thread<T>>> {
        self.threads.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Holds the meeting if everybody has come.
    fn hold(&self, threads: &mut [Thread<T>]) {
        let away = |t: &Thread<T>| matches!(t, Thread::Searching | Thread::Served { last: false, .. });
        if threads.iter().any(away) {
            return;
        }
        let brought = threads.iter().filter_map(|t| match t {
            Thread::Waiting { brought, .. } => Some(Arc::clone(brought)),
            _ => None,
        });
        let all: Arc<[Arc<T>]> = brought.collect();
        let mut own = 0..;
        for thread in threads {
            if let Thread::Waiting { last, .. } = *thread {
                let own = own.next().expect("there is no end to it");
                *thread = Thread::Served { met: Met { all: Arc::clone(&all), own }, last };
            }
        }
        self.held.notify_all();
    }
}

/// One thread's part in meetings. Without it the others go on alone.
pub(crate) struct Seat<'a, T> {
    meetings: &'a Meetings<T>,
    thread: usize,
}

impl<T> Seat<'_, T> {
    /// Whether it is time to meet after so many iterations.
    #[inline]
    pub(crate) fn is_due(&self, done: u64) -> bool {
        done.is_multiple_of(self.meetings.every)
    }

    /// Comes to a meeting.
    pub(crate) fn meet(&self, brought: T) -> Met<T> {
        self.come(brought, false)
    }

    /// Comes to a meeting for the last time.
    pub(crate) fn leave(self, brought: T) -> Met<T> {
        self.come(brought, true)
    }

    #[cold]
    fn come(&self, brought: T, last: bool) -> Met<T> {
        let mut threads = self.meetings.threads();
        threads[self.thread] = Thread::Waiting { brought: Arc::new(brought), last };
        self.meetings.hold(&mut threads);
        loop {
            let next = if last { Thread::Gone } else { Thread::Searching };
            match std::mem::replace(&mut threads[self.thread], next) {
                Thread::Served { met, .. } => return met,
                waiting => threads[self.thread] = waiting,
            }
            threads = self.meetings.held.wait(threads).unwrap_or_else(PoisonError::into_inner);
        }
    }
}

impl<T> Drop for Seat<'_, T> {
    fn drop(&mut self) {
        let mut threads = self.meetings.threads();
        threads[self.thread] = Thread::Gone;
        self.meetings.hold(&mut threads);
    }
}

#[cfg(test)]
mod tests {
    use std::sync::atomic::{AtomicU32, Ordering};
    use std::time::Duration;

    use super::*;

    fn meetings<T>(threads: usize, every: u32) -> Meetings<T> {
        Meetings::new(threads, NonZeroU32::new(every).unwrap())
    }

    /// Three threads with 5, 4 and 2 iterations, which meet after every 2: the first comes after 2 and 4 of
    /// them and at its end, the second likewise (at its end with nothing new), the third after 2 and, as that
    /// is its end, again. Whoever has ended is not waited for. That holds however long the threads take.
    #[test]
    fn what_is_exchanged_does_not_depend_on_who_is_fast() {
        for slow in 0..3 {
            let meetings = meetings::<Vec<u32>>(3, 2);
            let run = |thread: usize, iterations: u64| {
                let (seat, mut made, mut met) = (meetings.seat(thread), Vec::new(), Vec::new());
                let mut note = |Met { all, own }: Met<Vec<u32>>| {
                    met.push((all.iter().map(|v| v.to_vec()).collect::<Vec<_>>(), own));
                };
                for i in 1..=iterations {
                    if thread == slow {
                        std::thread::sleep(Duration::from_millis(2));
                    }
                    made.push(10 * thread as u32 + i as u32);
                    if seat.is_due(i) {
                        note(seat.meet(std::mem::take(&mut made)));
                    }
                }
                note(seat.leave(made));
                met
            };
            let met = std::thread::scope(|scope| {
                let threads = [(0, 5), (1, 4), (2, 2)].map(|(thread, n)| scope.spawn(move || run(thread, n)));
                threads.map(|t| t.join().unwrap())
            });
            let first = vec![vec![1, 2], vec![11, 12], vec![21, 22]];
            let second = vec![vec![3, 4], vec![13, 14], vec![]];
            let third = vec![vec![5], vec![]];
            for (own, met) in met.into_iter().enumerate() {
                let all = [&first, &second, &third].map(|all| (all.clone(), own));
                assert_eq!(met, all[..if own == 2 { 2 } else { 3 }], "thread {own}, {slow} is slow");
            }
        }
    }

    /// A thread that waits goes on when the last one that it waits for is dropped, as when that panics.
    #[test]
    fn nobody_waits_for_a_seat_that_is_empty() {
        let meetings = meetings::<u32>(3, 1);
        let waiting = AtomicU32::new(0);
        std::thread::scope(|scope| {
            let seats = [meetings.seat(0), meetings.seat(1)];
            let threads = seats.map(|seat| {
                let waiting = &waiting;
                scope.spawn(move || {
                    waiting.fetch_add(1, Ordering::SeqCst);
                    let Met { all, .. } = seat.meet(7);
                    all.len()
                })
            });
            let third = meetings.seat(2);
            while waiting.load(Ordering::SeqCst) < 2 {
                std::thread::yield_now();
            }
            drop(third);
            assert_eq!(threads.map(|t| t.join().unwrap()), [2, 2]);
        });
    }
}

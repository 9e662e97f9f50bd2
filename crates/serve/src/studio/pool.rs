//! The threads that search.
//!
//! Searches run on threads of their own, as many as there are cores but one, never on those that answer requests.
//! Whoever has asked for less lately goes first: work waits in one line for each table or job, and lines take turns.

use std::collections::{HashMap, VecDeque};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::thread;

use super::refusal::Refusal;

type Work = Box<dyn FnOnce() + Send>;

/// More work does not wait.
const LONGEST_QUEUE: usize = 4096;

#[derive(Default)]
struct Queue {
    lines: HashMap<String, VecDeque<Work>>,
    turns: VecDeque<String>,
    waiting: usize,
    closed: bool,
}

/// Threads that search.
pub(crate) struct Pool {
    queue: Mutex<Queue>,
    due: Condvar,
}

impl Pool {
    /// A pool with so many threads.
    pub(crate) fn start(threads: usize) -> Arc<Pool> {
        let pool = Arc::new(Pool { queue: Mutex::default(), due: Condvar::new() });
        for number in 0..threads.max(1) {
            let pool = Arc::clone(&pool);
            let searching = thread::Builder::new().name(format!("search-{number}"));
            searching.stack_size(STACK).spawn(move || pool.search()).expect("the system has threads");
        }
        pool
    }

    fn queue(&self) -> MutexGuard<'_, Queue> {
        self.queue.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Does some work as soon as a thread is free and it is this line's turn. If it panics, that ends only it.
    pub(crate) fn submit(&self, line: &str, work: impl FnOnce() + Send + 'static) -> Result<(), Refusal> {
        let mut queue = self.queue();
        if queue.waiting >= LONGEST_QUEUE {
            return Err(Refusal::full("too many searches are waiting: try again later"));
        }
        queue.waiting += 1;
        let in_line = queue.lines.entry(line.to_string()).or_default();
        in_line.push_back(Box::new(work));
        if in_line.len() == 1 {
            queue.turns.push_back(line.to_string());
        }
        drop(queue);
        self.due.notify_one();
        Ok(())
    }

    /// The threads end when what they do is done; what waits is forgotten.
    pub(crate) fn close(&self) {
        let mut queue = self.queue();
        queue.closed = true;
        queue.lines.clear();
        queue.turns.clear();
        drop(queue);
        self.due.notify_all();
    }

    fn search(&self) {
        while let Some(work) = self.next() {
            // Whoever submits work says what a panic in it means; here it must only not end the thread.
            let _ = catch_unwind(AssertUnwindSafe(work));
        }
    }

    fn next(&self) -> Option<Work> {
        let mut queue = self.queue();
        loop {
            if queue.closed {
                return None;
            }
            if let Some(line) = queue.turns.pop_front() {
                let waiting = queue.lines.get_mut(&line);
                let (work, more) = waiting.map_or((None, false), |l| (l.pop_front(), !l.is_empty()));
                if more {
                    queue.turns.push_back(line);
                } else {
                    queue.lines.remove(&line);
                }
                if let Some(work) = work {
                    queue.waiting -= 1;
                    return Some(work);
                }
            } else {
                queue = self.due.wait(queue).unwrap_or_else(PoisonError::into_inner);
            }
        }
    }
}

/// Searches recurse in deep trees.
const STACK: usize = 64 << 20;

#[cfg(test)]
mod tests {
    use super::*;
    use std::sync::mpsc;

    #[test]
    fn lines_take_turns_and_a_panic_ends_only_its_own_work() {
        let pool = Pool::start(1);
        let (gate, open) = mpsc::channel::<()>();
        let (tell, told) = mpsc::channel();
        pool.submit("first", move || open.recv().unwrap()).unwrap();
        pool.submit("a", || panic!("on purpose")).unwrap();
        for (line, word) in [("a", "a1"), ("a", "a2"), ("b", "b1"), ("b", "b2")] {
            let tell = tell.clone();
            pool.submit(line, move || tell.send(word).unwrap()).unwrap();
        }
        gate.send(()).unwrap();
        let order: Vec<&str> = told.iter().take(4).collect();
        assert_eq!(order, ["b1", "a1", "b2", "a2"]);
        pool.close();
    }
}

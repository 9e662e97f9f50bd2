//! Long work that Python can interrupt.
//!
//! Searches run on threads of a pool, without the interpreter's lock. The calling thread waits for them and looks
//! from time to time whether somebody has pressed Ctrl-C; then it sets the flag that stops the work. When the
//! interpreter ends, all work is stopped and waited for: nobody may call Python after that.

use std::any::Any;
use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::mpsc::{self, RecvTimeoutError, SyncSender};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use fogtree_core::Watch;
use pyo3::prelude::*;

use crate::errors::RunError;

/// How often Python is asked whether there is a signal.
const LOOK: Duration = Duration::from_millis(20);
/// How long the end of the interpreter waits for work that was told to stop.
const PATIENCE: Duration = Duration::from_secs(5);
/// Deep games make deep recursions.
const STACK: usize = 256 << 20;

type Job = Box<dyn FnOnce() + Send>;

/// Flags of the work that is being done, and threads that have nothing to do.
static RUNNING: Mutex<Vec<Arc<AtomicBool>>> = Mutex::new(Vec::new());
static IDLE: Mutex<Vec<SyncSender<Job>>> = Mutex::new(Vec::new());
static OVER: AtomicBool = AtomicBool::new(false);
/// Calls of Python that are being made by work that knows no exceptions.
static CALLS: AtomicUsize = AtomicUsize::new(0);

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Whether the interpreter is about to end: then nobody may call Python any more.
pub(crate) fn is_over() -> bool {
    OVER.load(Ordering::SeqCst)
}

/// Does some work away from the interpreter's lock. Ctrl-C sets `stop` and is raised once the work has ended; so is
/// what a game or an agent in Python has raised.
pub(crate) fn interruptible<T: Send + 'static>(
    py: Python<'_>,
    stop: &Arc<AtomicBool>,
    work: impl FnOnce() -> T + Send + 'static,
) -> PyResult<T> {
    let (send, receive) = mpsc::sync_channel(1);
    let flag = Arc::clone(stop);
    let job = move || {
        lock(&RUNNING).push(Arc::clone(&flag));
        let done = if is_over() { None } else { Some(catch_unwind(AssertUnwindSafe(work))) };
        forget(&flag);
        if let Some(done) = done {
            // Nobody listens after a second Ctrl-C.
            let _ = send.send(done);
        }
    };
    start(Box::new(job))?;
    let (receive, mut interrupted) = (Mutex::new(receive), None);
    loop {
        match py.detach(|| lock(&receive).recv_timeout(LOOK)) {
            Ok(Ok(result)) => return interrupted.map_or(Ok(result), Err),
            Ok(Err(panic)) => return Err(interrupted.unwrap_or_else(|| raised(panic))),
            Err(RecvTimeoutError::Disconnected) => {
                return Err(RunError::new_err("the interpreter is ending"));
            }
            Err(RecvTimeoutError::Timeout) => match (py.check_signals(), &interrupted) {
                (Ok(()), _) => {}
                (Err(signal), None) => {
                    stop.store(true, Ordering::Relaxed);
                    interrupted = Some(signal);
                }
                (Err(again), Some(_)) => return Err(again),
            },
        }
    }
}

/// Does work that will not take long on the calling thread, away from the interpreter's lock: a hand-over to another
/// thread and back costs more than a short search. The work has to look after signals itself, as [`Signals`] does.
pub(crate) fn at_once<T: Send>(
    py: Python<'_>,
    stop: &Arc<AtomicBool>,
    signals: &Signals,
    work: impl FnOnce() -> T + Send,
) -> PyResult<T> {
    lock(&RUNNING).push(Arc::clone(stop));
    let done = py.detach(|| catch_unwind(AssertUnwindSafe(work)));
    forget(stop);
    match lock(&signals.0).take() {
        Some(signal) => Err(signal),
        None => done.map_err(raised),
    }
}

/// Notices signals during a search on the thread that Python gives them to.
#[derive(Clone, Default)]
pub(crate) struct Signals(Arc<Mutex<Option<PyErr>>>);

impl Signals {
    /// A watch that stops the search when there is a signal.
    pub(crate) fn watch(&self, stop: &Arc<AtomicBool>) -> Watch {
        let (raised, stop) = (Arc::clone(&self.0), Arc::clone(stop));
        Watch::every(LOOK, move |_| {
            if is_over() {
                return;
            }
            if let Err(signal) = Python::attach(|py| py.check_signals()) {
                stop.store(true, Ordering::Relaxed);
                *lock(&raised) = Some(signal);
            }
        })
    }
}

/// The work with this flag is done.
fn forget(flag: &Arc<AtomicBool>) {
    let mut running = lock(&RUNNING);
    if let Some(place) = running.iter().position(|other| Arc::ptr_eq(other, flag)) {
        running.swap_remove(place);
    }
}

/// Hands a job to a thread that has nothing to do, or to a new one.
fn start(mut job: Job) -> PyResult<()> {
    let mut idle = lock(&IDLE).pop();
    while let Some(thread) = idle {
        match thread.send(job) {
            Ok(()) => return Ok(()),
            Err(mpsc::SendError(back)) => job = back,
        }
        idle = lock(&IDLE).pop();
    }
    let (send, receive) = mpsc::sync_channel::<Job>(1);
    let builder = std::thread::Builder::new().name("fogtree".into()).stack_size(STACK);
    let again = send.clone();
    let run = move || {
        for job in receive {
            job();
            lock(&IDLE).push(again.clone());
        }
    };
    builder.spawn(run).map_err(|why| RunError::new_err(format!("cannot start a thread: {why}")))?;
    send.send(job).map_err(|_| RunError::new_err("a thread ended at once"))
}

/// The exception that a panic stands for.
pub(crate) fn raised(panic: Box<dyn Any + Send>) -> PyErr {
    let panic = match panic.downcast::<PyErr>() {
        Ok(error) => return *error,
        Err(panic) => panic,
    };
    let text = panic.downcast_ref::<String>().map(String::as_str).or(panic.downcast_ref::<&str>().copied());
    RunError::new_err(format!("internal error: {}", text.unwrap_or("unknown")))
}

/// Leaves code that knows no exceptions with one; [`interruptible`] raises it.
pub(crate) fn escape(error: PyErr) -> ! {
    resume_unwind(Box::new(error))
}

/// Calls Python from work that knows no exceptions: one that is raised leaves the work.
pub(crate) fn in_python<T>(call: impl FnOnce(Python<'_>) -> PyResult<T>) -> T {
    struct Called;
    impl Drop for Called {
        fn drop(&mut self) {
            CALLS.fetch_sub(1, Ordering::SeqCst);
        }
    }
    CALLS.fetch_add(1, Ordering::SeqCst);
    let _called = Called;
    if is_over() {
        escape(RunError::new_err("the interpreter is ending"));
    }
    Python::attach(call).unwrap_or_else(|error| escape(error))
}

/// Stops all work and waits for it: for the end of the interpreter.
#[pyfunction]
pub(crate) fn _shut_down(py: Python<'_>) {
    OVER.store(true, Ordering::SeqCst);
    py.detach(|| {
        let began = Instant::now();
        while began.elapsed() < PATIENCE {
            let running = lock(&RUNNING);
            if running.is_empty() && CALLS.load(Ordering::SeqCst) == 0 {
                return;
            }
            running.iter().for_each(|flag| flag.store(true, Ordering::Relaxed));
            drop(running);
            std::thread::sleep(Duration::from_millis(1));
        }
    });
}

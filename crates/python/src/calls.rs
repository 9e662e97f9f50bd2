//! Calls of Python code from searches and matches.
//!
//! A match calls its agents on threads of its own, where Ctrl-C does not reach them. So every call is noted with the
//! flag that stops its work, and whoever has noticed the signal raises `KeyboardInterrupt` in those that go on.

use std::cell::{Cell, RefCell};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use pyo3::exceptions::PyKeyboardInterrupt;
use pyo3::intern;
use pyo3::prelude::*;

use crate::worker::{Asks, escape};

/// A flag that stops some work, if it has one.
pub(crate) type Stop = Option<Arc<AtomicBool>>;

/// The calls that are going on: on which thread, by Python's number, and what stops their work. It changes only under
/// the interpreter's lock.
static CALLS: Mutex<Vec<(u64, Stop)>> = Mutex::new(Vec::new());

thread_local! {
    static THREAD: Cell<Option<u64>> = const { Cell::new(None) };
    static STOP: RefCell<Stop> = const { RefCell::new(None) };
}

fn calls() -> MutexGuard<'static, Vec<(u64, Stop)>> {
    CALLS.lock().unwrap_or_else(PoisonError::into_inner)
}

fn is_set(stop: &Stop) -> bool {
    stop.as_ref().is_some_and(|flag| flag.load(Ordering::Relaxed))
}

/// Calls Python code; an exception leaves the search. `None` if its work has been stopped, or the interpreter is ending.
pub(crate) fn call<T>(stop: &Stop, code: impl FnOnce(Python<'_>) -> PyResult<T>) -> Option<T> {
    let _asks = Asks::new().filter(|_| !is_set(stop))?;
    let done = Python::try_attach(|py| {
        let _noted = Noted::new(py, stop)?;
        code(py)
    });
    done.map(|done| done.unwrap_or_else(|error| escape(error)))
}

/// A call that is going on.
struct Noted {
    thread: u64,
    outer: Stop,
}

impl Noted {
    fn new(py: Python<'_>, stop: &Stop) -> PyResult<Noted> {
        let number = || py.import("_thread")?.call_method0(intern!(py, "get_ident"))?.extract();
        let thread = THREAD.get().map_or_else(number, Ok)?;
        THREAD.set(Some(thread));
        calls().push((thread, stop.clone()));
        Ok(Noted { thread, outer: STOP.replace(stop.clone()) })
    }
}

impl Drop for Noted {
    fn drop(&mut self) {
        STOP.replace(self.outer.take());
        let mut calls = calls();
        if let Some(place) = calls.iter().rposition(|(thread, _)| *thread == self.thread) {
            calls.remove(place);
        }
    }
}

/// Whether the call that this thread is in, if any, is to end: then so is what it waits for.
pub(crate) fn is_stopped() -> bool {
    STOP.with_borrow(is_set)
}

/// Raises `KeyboardInterrupt` in the calls that belong to this work or to none in particular, or in all.
pub(crate) fn interrupt(py: Python<'_>, work: Option<&Arc<AtomicBool>>) -> PyResult<()> {
    if calls().is_empty() {
        return Ok(());
    }
    let ctypes = py.import("ctypes")?;
    let raise = ctypes.getattr("pythonapi")?.getattr("PyThreadState_SetAsyncExc")?;
    let number = ctypes.getattr("c_ulong")?;
    let exception = ctypes.getattr("py_object")?.call1((py.get_type::<PyKeyboardInterrupt>(),))?;
    let meant = |stop: &Stop| match (stop, work) {
        (Some(stop), Some(work)) => Arc::ptr_eq(stop, work),
        _ => true,
    };
    let mut threads: Vec<u64> = calls().iter().filter(|(_, stop)| meant(stop)).map(|call| call.0).collect();
    threads.dedup();
    for thread in threads {
        raise.call1((number.call1((thread,))?, &exception))?;
    }
    Ok(())
}

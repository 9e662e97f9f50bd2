//! Recursion into deep trees: on a thread with as much stack as it takes.

use std::panic::resume_unwind;
use std::thread;

/// Recursion deeper than this gets a thread of its own.
const SHALLOW: usize = 500;
/// The stack that one level takes at most, in builds without optimisation too.
const PER_LEVEL: usize = 16 << 10;
/// Trees deeper than this are refused.
pub const MAX_DEPTH: usize = 60_000;

/// Does something that recurses for so many levels, at most [`MAX_DEPTH`].
pub(crate) fn with_stack<T: Send>(levels: usize, f: impl FnOnce() -> T + Send) -> T {
    if levels <= SHALLOW {
        return f();
    }
    let size = levels.min(MAX_DEPTH).saturating_mul(PER_LEVEL) + (1 << 20);
    thread::scope(|scope| {
        let deep = thread::Builder::new().stack_size(size).spawn_scoped(scope, f);
        // Without memory for the stack there is none for the tree.
        let done = deep.expect("there is memory for the stack of a deep tree").join();
        done.unwrap_or_else(|panic| resume_unwind(panic))
    })
}

//! Ctrl-C, and other signals that ask the program to end.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

/// The exit code of a program that was asked to end, as shells have it for Ctrl-C.
pub(crate) const EXIT_CODE: u8 = 130;

/// Set by the first signal, so that what was done so far can be shown and saved. A second one ends the
/// program at once.
pub(crate) fn flag() -> Arc<AtomicBool> {
    let stop = Arc::new(AtomicBool::new(false));
    let flag = Arc::clone(&stop);
    let signalled = move || {
        if flag.swap(true, Ordering::Relaxed) {
            std::process::exit(EXIT_CODE.into());
        }
    };
    // Without a handler the first signal ends the program.
    let _ = ctrlc::set_handler(signalled);
    stop
}

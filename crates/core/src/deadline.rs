//! When to leave off, for work that is not counted in iterations.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

/// A time to leave off, and a flag that says to leave off before.
#[derive(Clone, Debug, Default)]
pub struct Deadline {
    at: Option<Instant>,
    stop: Option<Arc<AtomicBool>>,
}

impl Deadline {
    /// No deadline.
    pub const NEVER: Deadline = Deadline { at: None, stop: None };

    /// After this time from now, if there is one, or when the flag is set.
    pub fn after(time: Option<Duration>, stop: Option<Arc<AtomicBool>>) -> Deadline {
        Deadline { at: time.and_then(|time| Instant::now().checked_add(time)), stop }
    }

    /// Whether it is time to leave off.
    pub fn has_passed(&self) -> bool {
        self.is_stopped() || self.at.is_some_and(|at| Instant::now() >= at)
    }

    /// Whether the flag is set.
    pub fn is_stopped(&self) -> bool {
        self.stop.as_ref().is_some_and(|stop| stop.load(Ordering::Relaxed))
    }

    /// Whether the time is limited.
    pub fn is_timed(&self) -> bool {
        self.at.is_some()
    }

    /// The time that is left, if it is limited.
    pub fn left(&self) -> Option<Duration> {
        self.at.map(|at| at.saturating_duration_since(Instant::now()))
    }

    /// The deadline after this share of the time that is left.
    #[must_use]
    pub fn share(&self, share: f64) -> Deadline {
        Deadline::after(self.left().map(|left| left.mul_f64(share)), self.stop.clone())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_deadline_passes_by_its_time_or_by_its_flag() {
        let stop = Arc::new(AtomicBool::new(false));
        let late = Deadline::after(Some(Duration::MAX), Some(Arc::clone(&stop)));
        assert!(!Deadline::NEVER.has_passed() && !late.has_passed());
        assert!(Deadline::after(Some(Duration::ZERO), None).has_passed());
        let hour = Deadline::after(Some(Duration::from_secs(3600)), Some(Arc::clone(&stop)));
        let half = hour.share(0.5).left().unwrap();
        assert!(half > Duration::from_secs(1790) && half <= Duration::from_secs(1800));
        stop.store(true, Ordering::Relaxed);
        assert!(late.has_passed() && hour.share(0.5).has_passed());
    }
}

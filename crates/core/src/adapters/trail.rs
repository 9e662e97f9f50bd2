//! An observer's history as a shared list: cheap to clone, cheap to extend, equal by key.

use std::hash::{Hash, Hasher};
use std::sync::Arc;

use crate::{Event, Key, Observer};

/// Everything an observer has done and seen. Clones share what they have in common.
#[derive(Clone, Debug)]
pub struct Trail {
    key: Key,
    last: Option<Arc<Link>>,
}

#[derive(Debug)]
struct Link {
    event: Event,
    before: Trail,
}

impl Trail {
    /// The trail of an observer before anything has happened.
    pub fn start(by: Observer) -> Trail {
        Trail { key: Key::root(by), last: None }
    }

    /// The key of this history.
    pub fn key(&self) -> Key {
        self.key
    }

    /// Adds an event.
    pub fn push(&mut self, event: Event) {
        let key = event.extend(self.key);
        let before = std::mem::replace(self, Trail { key, last: None });
        self.last = Some(Arc::new(Link { event, before }));
    }

    /// The events, oldest first.
    pub fn events(&self) -> Vec<Event> {
        let mut events = Vec::new();
        let mut at = self;
        while let Some(link) = &at.last {
            events.push(link.event.clone());
            at = &link.before;
        }
        events.reverse();
        events
    }
}

impl PartialEq for Trail {
    fn eq(&self, other: &Trail) -> bool {
        self.key == other.key
    }
}

impl Eq for Trail {}

impl Hash for Trail {
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.key.hash(state);
    }
}

/// Long trails are taken apart link by link: the derived way would recurse once per event.
impl Drop for Trail {
    fn drop(&mut self) {
        let mut last = self.last.take();
        while let Some(mut link) = last.and_then(Arc::into_inner) {
            last = link.before.last.take();
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_very_long_trail_can_be_dropped() {
        let mut trail = Trail::start(Observer::Public);
        for i in 0..1_000_000 {
            trail.push(Event::Own(i));
        }
        let copy = trail.clone();
        drop(trail);
        assert_eq!(copy.events().len(), 1_000_000);
    }
}

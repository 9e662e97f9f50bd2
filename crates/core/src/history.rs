//! What an observer has been through: its own actions and what it saw, and the keys that follow from them.
//!
//! This is the one place where observations become history: the table, the tree walk and the searches all
//! go through [`Keys::after`] or [`events_of`], so they agree on what an information set is.

use serde::{Deserialize, Serialize};

use crate::{Key, MAX_PLAYERS, Observation, Observer, Player, Rules, Step};

/// Something an observer did or saw.
#[derive(Clone, PartialEq, Eq, Hash, Debug, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "lowercase")]
pub enum Event {
    /// Its own action, by [`Rules::code`].
    Own(u64),
    /// Something it saw.
    Seen(Observation),
}

impl Event {
    /// The key after this event.
    #[must_use]
    pub fn extend(&self, key: Key) -> Key {
        match self {
            Event::Own(code) => key.own(*code),
            Event::Seen(seen) => key.seen(seen),
        }
    }
}

/// What an observer does and sees in a step about to be made, at most one event of each kind.
pub fn events_of<R: Rules>(
    rules: &R,
    before: &R::State,
    step: Step<'_, R>,
    by: Observer,
) -> impl Iterator<Item = Event> {
    let own = by.seat().and_then(|p| step.action_of(p)).map(|a| Event::Own(rules.code(a)));
    let seen = rules.observe(before, step, by).map(Event::Seen);
    own.into_iter().chain(seen)
}

/// The key of one observer after a step about to be made in `before`.
#[inline]
pub fn key_after<R: Rules>(rules: &R, key: Key, before: &R::State, step: Step<'_, R>, by: Observer) -> Key {
    let own = by.seat().and_then(|p| step.action_of(p));
    let key = own.map_or(key, |a| key.own(rules.code(a)));
    rules.observe(before, step, by).map_or(key, |seen| key.seen(&seen))
}

/// The running keys of all seats and the public.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Keys {
    players: u8,
    seats: [Key; MAX_PLAYERS],
    public: Key,
}

impl Keys {
    /// The keys before anything has happened.
    pub fn start(players: usize) -> Keys {
        let seats = std::array::from_fn(|i| Key::root(Observer::Seat(Player(i as u8))));
        Keys { players: players as u8, seats, public: Key::root(Observer::Public) }
    }

    /// The keys after a step about to be made in `before`.
    #[must_use]
    pub fn after<R: Rules>(mut self, rules: &R, before: &R::State, step: Step<'_, R>) -> Keys {
        for p in Player::all(self.players as usize) {
            let key = &mut self.seats[p.index()];
            *key = key_after(rules, *key, before, step, Observer::Seat(p));
        }
        self.public = key_after(rules, self.public, before, step, Observer::Public);
        self
    }

    /// The key of one observer.
    #[inline]
    pub fn of(&self, by: Observer) -> Key {
        match by {
            Observer::Seat(p) => self.seats[p.index()],
            Observer::Public => self.public,
        }
    }
}

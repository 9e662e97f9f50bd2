//! Who is connected: not too many in all, nor from one address, and room for peers that take part in something.
//!
//! When there is no room, whoever has been waited for longest makes some: a good peer sends its request at once, so this
//! is one that never will.

use std::collections::HashMap;
use std::net::{IpAddr, Shutdown, TcpStream};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use super::Limits;

/// No more than one connection makes room in this time: a good peer has sent its request before sixty others came.
const PACE: Duration = Duration::from_millis(1);

/// The connections of a server.
#[derive(Debug)]
pub(super) struct Guests {
    limits: Limits,
    all: Mutex<(u64, HashMap<u64, Guest>)>,
}

#[derive(Debug)]
struct Guest {
    peer: IpAddr,
    known: bool,
    /// To end the connection from outside.
    stream: TcpStream,
    phase: Phase,
}

/// What a connection is doing, and since when it is waited for.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(super) enum Phase {
    /// Nothing has come, or a part of a head.
    Head(Instant),
    /// A part of a body has come.
    Body(Instant),
    /// It is being answered.
    Answer,
}

/// A place among the guests, as long as this lives.
#[derive(Debug)]
pub(super) struct Place {
    guests: Arc<Guests>,
    number: u64,
}

impl Guests {
    pub(super) fn new(limits: Limits) -> Arc<Guests> {
        Arc::new(Guests { limits, all: Mutex::default() })
    }

    fn lock(&self) -> MutexGuard<'_, (u64, HashMap<u64, Guest>)> {
        self.all.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// A place for a connection from somebody who takes part in something or not; `None` if there is none to be had.
    pub(super) fn admit(self: &Arc<Guests>, stream: &TcpStream, peer: IpAddr, known: bool) -> Option<Place> {
        let stream = stream.try_clone().ok()?;
        let mut all = self.lock();
        let (next, guests) = &mut *all;
        let Limits { connections, per_address, kept, .. } = self.limits;
        let count = |guests: &HashMap<u64, Guest>, of: &dyn Fn(&Guest) -> bool| {
            guests.values().filter(|guest| of(guest)).count()
        };
        let before = guests.len();
        if !known && count(guests, &|g| g.peer == peer) >= per_address {
            Guests::make_room(guests, &|g| g.peer == peer)?;
        }
        if !known && count(guests, &|g| !g.known) >= connections.saturating_sub(kept).max(1) {
            Guests::make_room(guests, &|g| !g.known)?;
        }
        if guests.len() >= connections {
            Guests::make_room(guests, &|_| true)?;
        }
        let made_room = guests.len() < before;
        *next += 1;
        guests.insert(*next, Guest { peer, known, stream, phase: Phase::Head(Instant::now()) });
        let place = Place { guests: self.clone(), number: *next };
        drop(all);
        if made_room {
            // Whoever comes again at once is not to keep everybody busy.
            std::thread::sleep(PACE);
        }
        Some(place)
    }

    /// Ends the connection, one of these, that has been waited for longest.
    fn make_room(guests: &mut HashMap<u64, Guest>, of: &dyn Fn(&Guest) -> bool) -> Option<()> {
        let slow = guests.iter().filter(|(_, guest)| of(guest) && guest.phase != Phase::Answer);
        let slowest = slow.min_by_key(|(_, guest)| (guest.known, guest.phase)).map(|(&number, _)| number)?;
        // Its thread finds the connection closed and ends.
        let _ = guests.remove(&slowest)?.stream.shutdown(Shutdown::Both);
        Some(())
    }
}

impl Place {
    /// What the connection is doing from now on.
    pub(super) fn enter(&self, phase: Phase) {
        if let Some(guest) = self.guests.lock().1.get_mut(&self.number) {
            guest.phase = phase;
        }
    }
}

impl Drop for Place {
    fn drop(&mut self) {
        self.guests.lock().1.remove(&self.number);
    }
}

//! What threads tell one another of their playouts (`icarus/4.2.10`): the captures of each since they last
//! met.
//!
//! A capture names a record and says what happened there, so that whoever hears of it learns as if the
//! playout had been its own. The address of a record is the same on all threads: it is made of the game's
//! codes and of what players saw, not of where anything lies in memory. Every thread learns every capture, so
//! learning costs each of them as many times more as there are threads.
//!
//! - Values of actions, and all moves as first, are sums. A thread adds what the others captured to what it
//!   has, the first thread's first, and then has a trial for every capture of all threads; only the last bits
//!   of the means depend on the order.
//! - Trees of episodes are sums too. A position that a thread meets for the first time is not listed (see
//!   `epic.rs`), so such a visit tells the others of the action that was played and not of those that were
//!   legal.
//! - A reply depends on what came before it. So all threads go back to the replies they had when they last
//!   met, and then go through the attempts of all of them by iteration, and those of the same iteration by
//!   thread: the last good reply is that of the latest iteration.
//!
//! What the game itself thinks of moves is not captured from playouts, and the squares of UCB1-Tuned belong
//! to the tree as its visits do: each thread has its own. Weights and values that move by steps (`fast`) are
//! no sums, and a thread that finds out what to use (`auto`) measures on its own playouts: these cannot be
//! shared, which [`Enhance::sharing`](super::Enhance::sharing) tells.

use fogtree_core::Player;

use super::records::Address;

/// What each component of one thread captured.
pub(crate) type Captures<A> = Vec<Captured<A>>;

/// What one component captured.
#[derive(Clone, Debug)]
pub(crate) enum Captured<A> {
    /// Trials of actions in contexts.
    Trials(Vec<Trial<A>>),
    /// Replies to moves.
    Attempts(Vec<Attempt<A>>),
    /// Visits of positions in episodes.
    Visits(Visits<A>),
    /// It captures nothing.
    Nothing,
}

impl<A> Captured<A> {
    /// The replies to moves, if it captures these.
    pub(crate) fn attempts(&self) -> &[Attempt<A>] {
        match self {
            Captured::Attempts(attempts) => attempts,
            _ => &[],
        }
    }
}

/// An action was tried in a context.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Trial<A> {
    pub(crate) at: Address,
    pub(crate) action: A,
    pub(crate) reward: f32,
    /// Which of the component's records: the length of the n-gram, less 1.
    pub(crate) length: u8,
}

/// A move was replied to.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Attempt<A> {
    /// In this iteration since the threads last met.
    pub(crate) iteration: u32,
    pub(crate) at: Address,
    pub(crate) action: A,
    pub(crate) good: bool,
    /// What the thread had stored before.
    pub(crate) before: Option<A>,
}

/// Positions in episodes were visited.
#[derive(Clone, Debug)]
pub(crate) struct Visits<A> {
    pub(crate) all: Vec<Visit<A>>,
    /// What was legal at each visit, one after another, and where each list ends; empty where it was not
    /// listed.
    pub(crate) legal: Vec<A>,
    pub(crate) ends: Vec<u32>,
}

/// A position was visited.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Visit<A> {
    pub(crate) key: u64,
    pub(crate) action: A,
    pub(crate) who: Player,
    pub(crate) reward: f32,
}

impl<A> Default for Visits<A> {
    fn default() -> Self {
        Visits { all: Vec::new(), legal: Vec::new(), ends: Vec::new() }
    }
}

impl<A> Visits<A> {
    /// Every visit, with what was legal there if that was listed.
    pub(crate) fn each(&self) -> impl Iterator<Item = (&Visit<A>, &[A])> {
        let from = |i: usize| if i == 0 { 0 } else { self.ends[i - 1] as usize };
        let legal = move |i: usize| &self.legal[from(i)..self.ends[i] as usize];
        self.all.iter().enumerate().map(move |(i, visit)| (visit, legal(i)))
    }

    /// Forgets everything.
    pub(crate) fn clear(&mut self) {
        self.all.clear();
        self.legal.clear();
        self.ends.clear();
    }
}

/// What was captured since the last time, with room for as much again.
pub(crate) fn take_captured<T>(captured: &mut Option<Vec<T>>) -> Vec<T> {
    captured.as_mut().map_or_else(Vec::new, |all| {
        let room = Vec::with_capacity(all.len());
        std::mem::replace(all, room)
    })
}

//! The actions that moves stand for.
//!
//! Every move was listed before it is made, so that whoever lists actions puts them here and nobody needs a way
//! from codes back to actions.

use std::collections::BTreeMap;
use std::ops::Bound::{Excluded, Unbounded};
use std::sync::{OnceLock, PoisonError, RwLock};

use super::Move;
use crate::{StateMap, state_hash};

/// The actions of a game by move. Moves are ordered as codes are.
pub(super) enum Moves<A> {
    /// Moves are codes, all below a small number.
    Dense(Box<[OnceLock<A>]>),
    /// Moves are numbers between those of the neighbouring codes.
    Sparse(RwLock<Sparse<A>>),
}

impl<A: Copy> Moves<A> {
    /// As many moves get places of their own.
    const MOST: usize = 1 << 20;

    /// For a game whose codes are all below this number, if there is one.
    pub(super) fn below(codes: Option<usize>) -> Moves<A> {
        match codes {
            Some(codes) if codes <= Self::MOST => Moves::Dense((0..codes).map(|_| OnceLock::new()).collect()),
            _ => Moves::Sparse(RwLock::default()),
        }
    }

    /// Whether moves are codes.
    pub(super) fn is_dense(&self) -> bool {
        matches!(self, Moves::Dense(_))
    }

    /// The move of an action with this code.
    #[inline]
    pub(super) fn put(&self, code: u64, action: A) -> Move {
        match self {
            Moves::Dense(places) => {
                let place = &places[code as usize];
                if place.get().is_none() {
                    // Another thread may have put the same action here in the meantime.
                    let _ = place.set(action);
                }
                code as Move
            }
            Moves::Sparse(table) => {
                let known = read(table).by_code.get(&code).copied();
                known.unwrap_or_else(|| write(table).insert(code, action, std::iter::once(code)))
            }
        }
    }

    /// Appends the moves of actions.
    #[inline]
    pub(super) fn put_all(&self, actions: &[A], code: impl Fn(A) -> u64, out: &mut Vec<Move>) {
        match self {
            Moves::Dense(_) => out.extend(actions.iter().map(|&action| self.put(code(action), action))),
            Moves::Sparse(table) => {
                let from = out.len();
                let known = read(table);
                out.extend(actions.iter().map_while(|&action| known.by_code.get(&code(action)).copied()));
                drop(known);
                let fresh = &actions[out.len() - from..];
                if !fresh.is_empty() {
                    let mut table = write(table);
                    for (i, &action) in fresh.iter().enumerate() {
                        out.push(table.insert(code(action), action, fresh[i..].iter().map(|&a| code(a))));
                    }
                }
                if !out[from..].is_sorted() {
                    out[from..].sort_unstable();
                }
            }
        }
    }

    /// The action of a move.
    #[inline]
    pub(super) fn get(&self, mv: Move) -> A {
        match self {
            Moves::Dense(places) => {
                *places[mv as usize].get().expect("moves are listed before they are made")
            }
            Moves::Sparse(table) => read(table).entry(mv).1,
        }
    }

    /// The move of the action with this code, if it was ever listed.
    pub(super) fn find(&self, code: u64) -> Option<Move> {
        match self {
            Moves::Dense(places) => places.get(code as usize)?.get().map(|_| code as Move),
            Moves::Sparse(table) => read(table).by_code.get(&code).copied(),
        }
    }

    /// The code of a move.
    #[inline]
    pub(super) fn code(&self, mv: Move) -> u64 {
        match self {
            Moves::Dense(_) => u64::from(mv),
            Moves::Sparse(table) => read(table).entry(mv).0,
        }
    }
}

fn read<A>(table: &RwLock<Sparse<A>>) -> std::sync::RwLockReadGuard<'_, Sparse<A>> {
    table.read().unwrap_or_else(PoisonError::into_inner)
}

fn write<A>(table: &RwLock<Sparse<A>>) -> std::sync::RwLockWriteGuard<'_, Sparse<A>> {
    table.write().unwrap_or_else(PoisonError::into_inner)
}

/// Moves of large codes. What number a code gets depends on which came before it, but the order of any two does not,
/// and searches depend on nothing else.
pub(super) struct Sparse<A> {
    by_code: StateMap<u64, Move>,
    by_move: StateMap<Move, (u64, A)>,
    ordered: BTreeMap<u64, Move>,
}

impl<A> Default for Sparse<A> {
    fn default() -> Self {
        Sparse { by_code: StateMap::default(), by_move: StateMap::default(), ordered: BTreeMap::new() }
    }
}

impl<A: Copy> Sparse<A> {
    fn entry(&self, mv: Move) -> (u64, A) {
        *self.by_move.get(&mv).expect("moves are listed before they are made")
    }

    /// Gives a code a number between those of its neighbours, and leaves room for others that follow it at once.
    /// Should no number be left there, it gets any, out of order: lists of moves are then sorted once more.
    fn insert(&mut self, code: u64, action: A, following: impl Iterator<Item = u64>) -> Move {
        if let Some(&known) = self.by_code.get(&code) {
            return known;
        }
        let below = self.ordered.range(..code).next_back().map_or(0, |(_, &mv)| u64::from(mv) + 1);
        let above = self.ordered.range((Excluded(code), Unbounded)).next();
        let (end, above) = above.map_or((u64::MAX, 1 << 32), |(&code, &mv)| (code, u64::from(mv)));
        let crowd = following.take_while(|&next| next < end).count() as u64;
        let room = above.saturating_sub(below);
        let step = if above == 1 << 32 { (room / (crowd + 1)).min(1 << 20) } else { room / (crowd + 1) };
        let mut mv = (below + step) as Move;
        if room == 0 {
            mv = state_hash(&code) as Move;
            while self.by_move.contains_key(&mv) {
                mv = mv.wrapping_add(1);
            }
        } else {
            self.ordered.insert(code, mv);
        }
        self.by_code.insert(code, mv);
        self.by_move.insert(mv, (code, action));
        mv
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Purpose, Seed};

    #[test]
    fn moves_of_large_codes_are_ordered_as_the_codes() {
        let moves: Moves<u64> = Moves::below(None);
        let mut rng = Seed(1).stream(Purpose::Ties);
        let mut codes: Vec<u64> = (0..5000).map(|_| rng.bits() >> rng.below(60)).collect();
        let (mut all, rare) = (codes.split_off(20), codes.clone());
        all.sort_unstable();
        moves.put_all(&all, |code| code, &mut Vec::new());
        rare.iter().for_each(|&code| _ = moves.put(code, code));
        codes.extend(all);
        let mut listed: Vec<(u64, Move)> = codes.iter().map(|&code| (code, moves.put(code, code))).collect();
        listed.sort_unstable();
        listed.dedup();
        assert!(listed.windows(2).all(|w| w[0].1 < w[1].1));
        assert!(listed.iter().all(|&(code, mv)| (moves.code(mv), moves.get(mv)) == (code, code)));
    }

    /// One new move after the other, each before the same last one, more than there is room for.
    #[test]
    fn moves_stay_different_where_no_room_is_left() {
        let moves: Moves<u64> = Moves::below(None);
        let mut listed = Vec::new();
        for n in 0..200 {
            listed.clear();
            moves.put_all(&[n, 1000], |code| code, &mut listed);
            assert!(listed[0] < listed[1]);
        }
        assert!((0..200).all(|n| moves.get(moves.put(n, n)) == n));
    }
}

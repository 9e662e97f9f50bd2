//! What each observer knows of a game of goofspiel, and the worlds that agree with it.

use std::cmp::Ordering;

use fogtree_core::{Game, InfoExtras, Notation, Observation, Observer, Player, Rng, Scene, Witnessed};
use serde::{Deserialize, Serialize};

use super::sequence::Sequence;
use super::worlds::Worlds;
use super::{Bids, Card, Goofspiel, State, Table, result};
use crate::words::{does, joined};

/// What an observer knows.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Serialize, Deserialize)]
pub struct Info(pub(super) Knowledge);

#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub(super) enum Knowledge {
    /// Bids are open: everything.
    Everything(State),
    /// Bids are hidden: its own bids, if it is a player, and who won each round.
    Results {
        by: Observer,
        table: Table,
        bids: Sequence,
        /// 0 = the second player won, 1 = a tie, 2 = the first player won.
        results: Sequence,
    },
}

/// How the bid of a seat compares with the other's.
fn result_of(seat: usize, result: u8) -> Ordering {
    let first = result.cmp(&1);
    if seat == 0 { first } else { first.reverse() }
}

impl Goofspiel {
    /// Who wins the prize with these bids.
    fn won(&self, s: &State, bids: [Card; 2], by: Observer) -> String {
        let prize = s.table.prize.map_or_else(String::new, |card| self.action_name(card));
        let winner = match bids[0].cmp(&bids[1]) {
            Ordering::Equal => return format!("the bids are equal and nobody wins the prize {prize}"),
            first => Player(u8::from(first == Ordering::Less)),
        };
        format!("{} the prize {prize}", does(winner, by, "wins"))
    }

    /// Where worlds come from, in tables that may have been used before.
    fn source(&self, known: &Info, mut worlds: Worlds) -> Source {
        match known.0 {
            Knowledge::Everything(state) => Source::Single(state),
            Knowledge::Results { by, table, bids, results } => {
                let seat = by.seat().map_or(0, Player::index);
                let results = results.iter().map(move |r| result_of(seat, r));
                worlds.turn_to(usize::from(self.cards), by.seat().map(|_| bids), results);
                Source::Many { table, seat, worlds }
            }
        }
    }
}

impl Game for Goofspiel {
    type Info = Info;
    type Sampler = Sampler;

    fn info(&self, s: &State, by: Observer) -> Info {
        Info(match self.bids {
            Bids::Open => Knowledge::Everything(*s),
            Bids::Hidden => Knowledge::Results {
                by,
                table: s.table,
                bids: by.seat().map_or(Sequence::default(), |p| s.bids[p.index()]),
                results: self.results(s),
            },
        })
    }

    fn sampler(&self, known: &Info) -> Sampler {
        Sampler(self.source(known, Worlds::default()))
    }

    fn reuse_sampler(&self, sampler: &mut Sampler, known: &Info) {
        if let Source::Many { worlds, .. } = &mut sampler.0 {
            let worlds = std::mem::take(worlds);
            sampler.0 = self.source(known, worlds);
        } else {
            *sampler = self.sampler(known);
        }
    }

    #[inline]
    fn sample(&self, from: &mut Sampler, rng: &mut Rng, into: &mut State) -> f64 {
        match &from.0 {
            Source::Single(state) => *into = *state,
            Source::Many { table, seat, worlds } => {
                let Some([mine, other]) = worlds.draw(rng) else { return 0.0 };
                let bids = if *seat == 0 { [mine, other] } else { [other, mine] };
                *into = self.world(*table, bids);
            }
        }
        1.0
    }

    fn enumerate(&self, known: &Info, out: &mut Vec<(State, f64)>) -> bool {
        match known.0 {
            Knowledge::Everything(state) => out.push((state, 1.0)),
            Knowledge::Results { by, table, bids, results } => {
                if self.sampler(known).worlds() > MOST_LISTED {
                    return false;
                }
                self.list_worlds(by, bids, results, [Sequence::default(); 2], &mut |bids| {
                    out.push((self.world(table, bids), 1.0));
                });
            }
        }
        true
    }

    fn tell(&self, step: Witnessed<'_, Card, Info>) -> Option<String> {
        let words = step.seen.map_or(&[][..], Observation::as_words);
        let card = |word: u64| Card(word as u8);
        let bids = match (step.by, step.own, words) {
            (Observer::Seat(Player(0)), Some(own), &[other]) => [own, card(other)],
            (Observer::Seat(_), Some(own), &[other]) => [card(other), own],
            (Observer::Public, None, &[first, second]) => [card(first), card(second)],
            _ => return step.words,
        };
        // Hidden bids are told by their result.
        let Knowledge::Everything(before) = step.before.0 else { return step.words };
        let mut now = before;
        let first = self.won(&before, bids, step.by);
        let last = self.last_bids(&before, bids).map(|last| {
            self.bid(&mut now, bids);
            if now.table.prize.is_none() {
                let left = Card(now.table.deck.trailing_zeros() as u8);
                self.turn_up(&mut now, left);
            }
            let [a, b] = last.map(|bid| self.action_name(bid));
            format!("the last bids are {a} and {b}; {}", self.won(&now, last, step.by))
        });
        joined([step.words, Some(first), last])
    }

    fn scene(&self, known: &Info) -> Scene {
        self.drawn(&self.known(known))
    }

    fn spots(&self, known: &Info, _: Player, action: Card) -> Vec<String> {
        self.touched(known, action)
    }

    fn info_extras(&self) -> InfoExtras<'_, Self> {
        InfoExtras { tensors: Some(self), ..InfoExtras::NONE }
    }
}

/// The most worlds that are worth listing.
const MOST_LISTED: u64 = 1 << 20;

/// Draws worlds.
#[derive(Clone, Debug)]
pub struct Sampler(Source);

#[derive(Clone, Debug)]
enum Source {
    /// Bids are open: there is only one.
    Single(State),
    /// The worlds from the point of view of a seat, which is the first for the public.
    Many { table: Table, seat: usize, worlds: Worlds },
}

impl Sampler {
    /// How many worlds there are.
    fn worlds(&self) -> u64 {
        match &self.0 {
            Source::Single(_) => 1,
            Source::Many { worlds, .. } => worlds.len(),
        }
    }
}

impl Goofspiel {
    /// Who has won each bid, where bids are hidden.
    pub(super) fn results(&self, s: &State) -> Sequence {
        s.bids[0].iter().zip(s.bids[1].iter()).map(|(a, b)| result(a, b)).collect()
    }

    fn world(&self, table: Table, bids: [Sequence; 2]) -> State {
        State { table, hands: bids.map(|b| self.suit() & !b.mask()), bids }
    }

    /// Calls `with` for all bids that agree with what is known and begin with those in `so_far`.
    fn list_worlds(
        &self,
        by: Observer,
        own: Sequence,
        results: Sequence,
        so_far: [Sequence; 2],
        with: &mut impl FnMut([Sequence; 2]),
    ) {
        let round = so_far[0].len();
        if round == results.len() {
            return with(so_far);
        }
        let left = |seat: u8| {
            let hand = self.suit() & !so_far[usize::from(seat)].mask();
            Sequence::of(if by.is(Player(seat)) { hand & 1 << own.get(round) } else { hand })
        };
        for first in left(0).iter() {
            for second in left(1).iter().filter(|&second| result(first, second) == results.get(round)) {
                let mut next = so_far;
                next[0].push(first);
                next[1].push(second);
                self.list_worlds(by, own, results, next, with);
            }
        }
    }
}

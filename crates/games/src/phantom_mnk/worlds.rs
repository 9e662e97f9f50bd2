//! Draws the marks that an observer cannot see.
//!
//! All sets of cells of the right size are equally likely, as long as they hold no row (or, where the game
//! was won by unseen marks, hold one that the last mark made). Mostly random sets hold no row, so that they
//! are drawn and drawn again if they do. Where they would often be thrown away, all sets are listed
//! beforehand if they are few; otherwise marks are put one by one where they make no row, and the set is
//! weighted by the number of choices there were, which makes up for choices made narrower by earlier ones.
//! That starts over when no cell is left, which is rare: about every second time on the fullest 8 by 8 boards
//! of players who refuse to make three in a row.

use arrayvec::ArrayVec;
use fogtree_core::{Player, Rng};

use super::{Attempts, Info};
use crate::grid::{Cell, LONGEST_SIDE, Lines, Phase, cells_of};

/// At most so many sets of marks are listed.
const LISTED: f64 = 10_000.0;
/// Sets are drawn again, rather than listed, where a random one is expected to hold no more rows than this.
const FEW_ROWS: f64 = 0.5;
/// Sets too many to list are drawn again, rather than weighed, up to this: about one in twenty will do.
const MANY_ROWS: f64 = 3.0;

/// Draws worlds that agree with what is known.
#[derive(Clone, Debug)]
pub struct Worlds<A: Attempts> {
    pub(super) known: Info<A>,
    /// Cells of which the observer knows nothing.
    free: u64,
    /// Whose marks are to be drawn, the last mover's first.
    unseen: ArrayVec<Unseen, 2>,
    way: Way,
    /// The pairs of sets to pick from.
    list: Vec<[u64; 2]>,
    /// The rows with which the game may have been won, and the marks that may have come last in them.
    rows: Vec<(u64, Cell)>,
}

/// One player's marks: those known to be there, and how many more.
#[derive(Clone, Copy, Debug)]
struct Unseen {
    player: Player,
    seen: u64,
    more: u32,
    wins: bool,
}

#[derive(Clone, Copy, Debug)]
enum Way {
    /// Draw until there is no row.
    Reject,
    /// Pick from the list.
    List,
    /// Put mark after mark and weigh, relative to this many sets; winning marks start from one of the rows and the
    /// last mark in it.
    Weigh(f64),
}

/// Marks drawn for both players, with the last one where an unseen mark won.
pub(super) struct Drawn {
    pub(super) marks: [u64; 2],
    pub(super) last: Option<Cell>,
    pub(super) weight: f64,
}

/// The cells of which an observer knows nothing, and whose marks it does not see, the last mover's first.
fn unseen<A: Attempts>(k: &Info<A>, board: u64, first: u64) -> (u64, ArrayVec<Unseen, 2>) {
    let mut unseen = ArrayVec::new();
    let mut free = board & !k.marks;
    for player in [k.mover, k.mover.other()].into_iter().filter(|&p| !k.by.is(p)) {
        let placed = u32::from(k.placed[player.index()]);
        let fixed = if player == Player(0) && placed > 0 { first } else { 0 };
        let seen = k.found | fixed;
        free &= !seen;
        let wins = k.phase == Phase::Won && player == k.mover;
        unseen.push(Unseen { player, seen, more: placed - seen.count_ones(), wins });
    }
    (free, unseen)
}

impl<A: Attempts> Worlds<A> {
    /// Prepares to draw. `first` is the first player's first mark, where the rules fix it.
    pub(super) fn of(k: &Info<A>, board: u64, first: u64, lines: &Lines) -> Worlds<A> {
        let (list, rows) = (Vec::new(), Vec::new());
        let mut worlds =
            Worlds { known: k.clone(), free: 0, unseen: ArrayVec::new(), way: Way::Reject, list, rows };
        worlds.turn_to(k, board, first, lines);
        worlds
    }

    /// Prepares to draw worlds that agree with something else.
    pub(super) fn turn_to(&mut self, k: &Info<A>, board: u64, first: u64, lines: &Lines) {
        self.known.clone_from(k);
        (self.free, self.unseen) = unseen(k, board, first);
        self.way = Way::Reject;
        let sets = self.sets();
        let wins = self.unseen.iter().any(|u| u.wins);
        let rows = if wins { f64::INFINITY } else { self.expected_rows(lines) };
        if rows > FEW_ROWS {
            if !wins && sets <= LISTED {
                self.way = Way::List;
                self.list_all(lines);
            } else if rows > MANY_ROWS {
                self.way = Way::Weigh(sets);
                self.find_winning_rows(lines);
            }
        }
    }

    fn list_all(&mut self, lines: &Lines) {
        let mut list = std::mem::take(&mut self.list);
        list.clear();
        self.list(lines, &self.unseen, self.seen_by_observer(), self.free, &mut list);
        self.list = list;
    }

    fn seen_by_observer(&self) -> [u64; 2] {
        [0, 1].map(|p| if self.known.by.is(Player(p)) { self.known.marks } else { 0 })
    }

    /// How many sets there are, rows or not.
    fn sets(&self) -> f64 {
        let mut left = self.free.count_ones();
        let mut sets = 1.0;
        for u in &self.unseen {
            for i in 0..u.more {
                sets *= f64::from(left - i) / f64::from(i + 1);
            }
            left -= u.more;
        }
        sets
    }

    /// How many rows a random set is expected to hold. It holds none with a probability of at least 1 minus
    /// this, and of about e to the minus this where there are many sets.
    fn expected_rows(&self, lines: &Lines) -> f64 {
        let free = f64::from(self.free.count_ones());
        let mut rows = 0.0;
        for u in &self.unseen {
            let mut all_marked = [1.0; LONGEST_SIDE as usize + 1];
            for i in 1..all_marked.len() {
                let left = f64::from(u.more) - (i - 1) as f64;
                all_marked[i] =
                    if left > 0.0 { all_marked[i - 1] * left / (free - (i - 1) as f64) } else { 0.0 };
            }
            let possible = lines.all().iter().filter(|&line| line & !(self.free | u.seen) == 0);
            rows += possible.map(|line| all_marked[(line & self.free).count_ones() as usize]).sum::<f64>();
        }
        rows
    }

    /// Appends all pairs of sets without a row.
    fn list(&self, lines: &Lines, unseen: &[Unseen], marks: [u64; 2], free: u64, out: &mut Vec<[u64; 2]>) {
        let Some((u, rest)) = unseen.split_first() else { return out.push(marks) };
        each_subset(free, u.more, u.seen, &mut |set| {
            if !lines.any(set) {
                let mut marks = marks;
                marks[u.player.index()] = set;
                self.list(lines, rest, marks, free & !set, out);
            }
        });
    }

    fn find_winning_rows(&mut self, lines: &Lines) {
        self.rows.clear();
        for u in self.unseen.iter().filter(|u| u.wins) {
            let possible = lines.all().iter().filter(|&line| {
                line & !(self.free | u.seen) == 0 && (line & self.free).count_ones() <= u.more
            });
            let won = possible.flat_map(|&line| cells_of(line & self.free).map(move |last| (line, last)));
            let seen = self.unseen[0].seen;
            self.rows.extend(won.filter(|(line, last)| !lines.any(seen | line & !last.bit())));
        }
    }

    /// Draws the marks.
    #[inline]
    pub(super) fn draw_marks(&self, lines: &Lines, rng: &mut Rng) -> Drawn {
        match self.way {
            Way::List => Drawn { marks: *rng.pick(&self.list), last: None, weight: 1.0 },
            Way::Reject => loop {
                let mut free = self.free;
                let mut marks = self.seen_by_observer();
                for u in &self.unseen {
                    let set = subset(free, u.more, rng);
                    free &= !set;
                    marks[u.player.index()] = set | u.seen;
                }
                if !self.unseen.iter().any(|u| lines.any(marks[u.player.index()])) {
                    return Drawn { marks, last: None, weight: 1.0 };
                }
            },
            Way::Weigh(sets) => loop {
                if let Some(mut drawn) = self.try_weighing(lines, rng) {
                    drawn.weight /= sets;
                    return drawn;
                }
            },
        }
    }

    fn try_weighing(&self, lines: &Lines, rng: &mut Rng) -> Option<Drawn> {
        let mut free = self.free;
        let mut drawn = Drawn { marks: self.seen_by_observer(), last: None, weight: 1.0 };
        for u in &self.unseen {
            let set = if u.wins {
                let &(line, last) = rng.pick(&self.rows);
                let more = u.more - (line & free).count_ones();
                let set = (u.seen | line) & !last.bit();
                let set = fill(set, free & !line, more, lines, rng, &mut drawn.weight)? | last.bit();
                drawn.last = Some(last);
                // The same marks come from each of the rows that the last one completed.
                let completed = lines.through(last).iter().filter(|&line| set & line == *line);
                drawn.weight /= completed.count() as f64;
                set
            } else {
                fill(u.seen, free, u.more, lines, rng, &mut drawn.weight)?
            };
            free &= !set;
            drawn.marks[u.player.index()] = set;
        }
        Some(drawn)
    }
}

/// Adds marks where they make no row; multiplies the weight by the number of ways per set. `None` if there
/// was no such cell left.
fn fill(mut set: u64, free: u64, more: u32, lines: &Lines, rng: &mut Rng, weight: &mut f64) -> Option<u64> {
    let gap = |set: u64, line: u64| {
        let gap = line & !set;
        if gap.is_power_of_two() { gap } else { 0 }
    };
    let mut makes_row = lines.all().iter().fold(0, |cells, &line| cells | gap(set, line));
    for i in 0..more {
        let choices = free & !set & !makes_row;
        if choices == 0 {
            return None;
        }
        *weight *= f64::from(choices.count_ones()) / f64::from(i + 1);
        let cell = Cell(rng.bit_of(choices) as u16);
        set |= cell.bit();
        makes_row = lines.through(cell).iter().fold(makes_row, |cells, &line| cells | gap(set, line));
    }
    Some(set)
}

/// So many of the cells, all sets equally likely: starts from none, from a random half or from all,
/// whichever is nearest, and adds or takes away.
#[inline]
fn subset(of: u64, size: u32, rng: &mut Rng) -> u64 {
    let all = of.count_ones();
    let mut set = match 4 * size {
        quarters if quarters < all => 0,
        quarters if quarters > 3 * all => of,
        _ => rng.bits() & of,
    };
    let mut left = set.count_ones();
    while left < size {
        set |= 1 << rng.bit_of(of & !set);
        left += 1;
    }
    while left > size {
        set &= !(1 << rng.bit_of(set));
        left -= 1;
    }
    set
}

/// Calls `with` for every set of so many of the cells, joined to `set`.
fn each_subset(mut of: u64, size: u32, set: u64, with: &mut impl FnMut(u64)) {
    if size == 0 {
        return with(set);
    }
    while of.count_ones() >= size {
        let cell = of & of.wrapping_neg();
        of &= !cell;
        each_subset(of, size - 1, set | cell, with);
    }
}

#[cfg(test)]
mod tests {
    use std::collections::HashMap;

    use fogtree_core::{Game, Observer, Purpose, Rules, Seed};

    use super::super::tests::{game, marks_that_do_not_win};
    use super::super::{Hidden, PhantomMnk};
    use super::*;

    /// The squared relative error of a set's share, times the draws per set: 1 on average if all sets are
    /// equally likely, a little more with weights.
    fn error(worlds: &Worlds<Hidden>, lines: &Lines, list: &[[u64; 2]], rng: &mut Rng) -> f64 {
        const DRAWS: usize = 200;
        let mut shares: HashMap<[u64; 2], f64> = list.iter().map(|&marks| (marks, 0.0)).collect();
        for _ in 0..DRAWS * list.len() {
            let drawn = worlds.draw_marks(lines, rng);
            *shares.get_mut(&drawn.marks).expect("only possible sets are drawn") += drawn.weight;
        }
        let mean = shares.values().sum::<f64>() / list.len() as f64;
        shares.values().map(|w| (w / mean - 1.0).powi(2) * DRAWS as f64).sum::<f64>() / list.len() as f64
    }

    #[test]
    fn all_ways_of_drawing_are_uniform() {
        let rules: PhantomMnk<Hidden> = game("m=4,n=4,k=3").unwrap();
        let mut rng = Seed(6).stream(Purpose::Sampling);
        let mut compared = 0;
        for number in 0..10 {
            let mut s = rules.start();
            for cell in marks_that_do_not_win(&rules, 8, &mut Seed(number).stream(Purpose::Playout)) {
                rules.try_cell(&mut s, cell);
            }
            for seat in Player::all(2) {
                let mut worlds = rules.sampler(&rules.info(&s, Observer::Seat(seat)));
                let mut list = Vec::new();
                worlds.list(&rules.lines, &worlds.unseen, worlds.seen_by_observer(), worlds.free, &mut list);
                assert!(list.contains(&s.marks));
                if list.len() < 20 {
                    continue;
                }
                compared += 1;
                worlds.list.clone_from(&list);
                let ways = [(Way::Reject, 1.4), (Way::Weigh(worlds.sets()), 2.0), (Way::List, 1.4)];
                for (way, most) in ways {
                    worlds.way = way;
                    let error = error(&worlds, &rules.lines, &list, &mut rng);
                    assert!((0.6..most).contains(&error), "{error} {:?}", worlds.way);
                }
            }
        }
        assert!(compared > 10);
    }

    /// On large boards, and where nobody makes a row although many could, drawing does not get stuck.
    #[test]
    fn worlds_are_drawn_however_full_the_board_is() {
        let mut rng = Seed(7).stream(Purpose::Sampling);
        for spec in
            ["m=8,n=8,k=2", "m=8,n=8,k=3", "m=8,n=8,k=4", "m=8,n=8,k=8", "m=19,n=3,k=3", "m=3,n=19,k=5"]
        {
            let rules = game::<Hidden>(spec).unwrap();
            let mut s = rules.start();
            for cell in marks_that_do_not_win(&rules, 64, &mut Seed(8).stream(Purpose::Playout)) {
                rules.try_cell(&mut s, cell);
                for by in Observer::all(2) {
                    let known = rules.info(&s, by);
                    let mut worlds = rules.sampler(&known);
                    let mut world = rules.start();
                    for _ in 0..5 {
                        assert!(rules.sample(&mut worlds, &mut rng, &mut world) > 0.0);
                        assert_eq!(rules.info(&world, by), known);
                        assert!(!world.marks.iter().any(|&marks| rules.lines.any(marks)));
                        assert_eq!(world.marks[0] & world.marks[1], 0);
                    }
                }
            }
        }
    }
}

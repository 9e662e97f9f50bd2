//! Draws what an observer cannot see.
//!
//! While the game goes on, and wherever the observer's own mark ended it, all that the observer's history
//! allows is equally likely, apart from weights. In classical games these are sets of marks, and the other
//! may have found any of one's marks. In abrupt games they are orders of attempts: each attempt of the
//! other's either hit a mark that stood by then, or made one that the observer found later, or made one that
//! it knows nothing of. The number of orders with so many of each is found by dynamic programming, so that
//! they are drawn in proportion.
//!
//! Marks of which nothing is known are put one by one where they do not reach the goal, and the draw is
//! weighted by the number of choices there were, which makes up for choices made narrower by earlier ones.
//! Where unseen marks have won, a way to the goal is drawn first; then not all is equally likely.

use fogtree_core::{Player, Rng};

use super::{Dark, Goal, Info, State, Tries};
use crate::grid::{Cell, Phase};

/// Draws worlds that agree with what is known.
#[derive(Clone, Debug)]
pub struct Worlds {
    known: Info,
    orders: Option<Orders>,
}

impl Worlds {
    pub(super) fn of<G: Goal>(game: &Dark<G>, known: &Info) -> Worlds {
        let seat = known.by.seat().filter(|_| game.is_abrupt());
        Worlds { orders: seat.map(|seat| Orders::of(game, known, seat)), known: known.clone() }
    }

    pub(super) fn draw<G: Goal>(&self, game: &Dark<G>, rng: &mut Rng, into: &mut State) -> f64 {
        loop {
            let drawn = match (&self.orders, game.is_abrupt()) {
                (Some(orders), _) => orders.draw(game, &self.known, rng),
                (None, true) => draw_play(game, &self.known, rng),
                (None, false) => draw_sets(game, &self.known, rng),
            };
            if let Some((state, weight)) = drawn {
                *into = state;
                return weight;
            }
        }
    }
}

/// Marks of one player.
struct Marks {
    who: Player,
    set: u64,
    weight: f64,
}

impl Marks {
    /// Adds so many marks where they do not reach the goal.
    fn fill<G: Goal>(&mut self, game: &Dark<G>, mut free: u64, more: u32, rng: &mut Rng) -> Option<()> {
        for _ in 0..more {
            let choices = free & !game.goal.winning(self.who, self.set, free);
            if choices == 0 {
                return None;
            }
            self.weight *= f64::from(choices.count_ones()) / f64::from(free.count_ones());
            let cell = 1 << rng.bit_of(choices);
            self.set |= cell;
            free &= !cell;
        }
        Some(())
    }

    /// Adds so many marks of which the last one wins, and which that is.
    fn fill_and_win<G: Goal>(&mut self, game: &Dark<G>, free: u64, more: u32, rng: &mut Rng) -> Option<Cell> {
        let way = game.goal.draw_way(self.who, self.set, free, rng)?;
        let rest = more.checked_sub(way.count_ones()).filter(|_| way != 0)?;
        let last = Cell(rng.bit_of(way) as u16);
        self.set |= way & !last.bit();
        if game.goal.is_reached(self.who, self.set) {
            return None;
        }
        self.fill(game, free & !way, rest, rng)?;
        self.set |= last.bit();
        Some(last)
    }
}

/// Draws sets of marks, for classical games.
fn draw_sets<G: Goal>(game: &Dark<G>, k: &Info, rng: &mut Rng) -> Option<(State, f64)> {
    let mut s = State { phase: k.phase, mover: k.mover, last: k.last, ..game.start_state() };
    let (mut free, mut weight) = (game.board, 1.0);
    if let Some(seat) = k.by.seat() {
        s.marks[seat.index()] = k.marks;
        s.found[seat.index()] = k.found;
        free &= !(k.marks | k.found);
    }
    // Whose marks may be all that is left comes last.
    for who in [k.mover, k.mover.other()].into_iter().filter(|who| !k.by.is(*who)) {
        let mut marks = Marks { who, set: k.found, weight: 1.0 };
        let more = u32::from(k.count[who.index()]) - k.found.count_ones();
        if k.phase == Phase::Won && who == k.mover {
            s.last = Some(marks.fill_and_win(game, free, more, rng)?);
        } else {
            marks.fill(game, free, more, rng)?;
        }
        free &= !marks.set;
        weight *= marks.weight;
        s.marks[who.index()] = marks.set;
    }
    if k.phase == Phase::Drawn && s.last.is_none() {
        s.last = Some(Cell(rng.bit_of(s.marks[k.mover.index()] & !k.found) as u16));
    }
    let out_of_reach = s.last.map_or(0, Cell::bit);
    for p in Player::all(2).filter(|p| !k.by.is(*p)) {
        s.found[p.index()] = rng.bits() & s.marks[p.other().index()] & !out_of_reach;
    }
    Some((s, weight))
}

/// The orders in which the other may have made its attempts, for a seat of an abrupt game.
#[derive(Clone, Debug)]
struct Orders {
    other: Player,
    /// The other's attempts, but for one that ended the game.
    attempts: usize,
    /// From which of the other's attempts on each own mark can be hit, in this order.
    marks: Vec<(Cell, usize)>,
    /// By which of the other's attempts each mark that the seat found was made, in this order.
    found: Vec<(Cell, usize)>,
    /// The cells of which the seat knows nothing.
    free: u64,
    /// Whether the other ended the game, so that one more mark comes last.
    ended: bool,
    /// In how many ways one can go on, by attempt, hits before and found marks before.
    ways: Vec<f64>,
}

/// What came of an attempt.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Kind {
    Hit,
    Found,
    Unknown,
}

impl Orders {
    fn of<G: Goal>(game: &Dark<G>, k: &Info, seat: Player) -> Orders {
        let other = seat.other();
        let ended = k.phase != Phase::Playing && k.mover == other;
        let (mut marks, mut found) = (Vec::new(), Vec::new());
        for (attempt, cell) in k.tries.iter().map(|&cell| Cell(cell.into())).enumerate() {
            // The first player's attempt comes before the second's with the same number.
            let before = attempt + seat.index();
            match k.marks & cell.bit() != 0 {
                true => marks.push((cell, before)),
                false => found.push((cell, before)),
            }
        }
        let attempts = usize::from(k.count[other.index()]) - usize::from(ended);
        let free = game.board & !(k.marks | k.found);
        let mut orders = Orders { other, attempts, marks, found, free, ended, ways: Vec::new() };
        orders.count(k.phase);
        orders
    }

    fn place(&self, attempt: usize, hits: usize, found: usize) -> usize {
        (attempt * (self.marks.len() + 2) + hits) * (self.found.len() + 2) + found
    }

    /// How many own marks the other can have hit in an attempt.
    fn in_reach(&self, attempt: usize) -> usize {
        self.marks.partition_point(|(_, from)| *from <= attempt)
    }

    /// How many ways there are to make an attempt of some kind.
    fn choices(&self, attempt: usize, hits: usize, found: usize, kind: Kind) -> f64 {
        match kind {
            Kind::Hit => self.in_reach(attempt).saturating_sub(hits) as f64,
            // Which of the marks found later it was is settled from the last to the first.
            Kind::Found if found < self.found.len() => {
                let eligible = self.found.len() - self.found.partition_point(|(_, by)| *by <= attempt);
                eligible.saturating_sub(self.found.len() - found - 1) as f64
            }
            Kind::Found => 0.0,
            Kind::Unknown => (self.free.count_ones() as usize).saturating_sub(attempt - hits - found) as f64,
        }
    }

    fn after(hits: usize, found: usize, kind: Kind) -> (usize, usize) {
        (hits + usize::from(kind == Kind::Hit), found + usize::from(kind == Kind::Found))
    }

    fn count(&mut self, phase: Phase) {
        let mut ways = vec![0.0; self.place(self.attempts + 1, 0, 0)];
        let free = self.free.count_ones() as usize;
        for attempt in (0..=self.attempts).rev() {
            for hits in 0..=self.marks.len().min(attempt) {
                for found in 0..=self.found.len().min(attempt - hits) {
                    let here = self.place(attempt, hits, found);
                    if attempt == self.attempts {
                        let unknown = attempt - hits - found + usize::from(self.ended);
                        // A full board ends the game.
                        let room = match phase {
                            Phase::Playing => unknown < free,
                            Phase::Won => unknown <= free,
                            Phase::Drawn => unknown == free,
                        };
                        let fits = room && found == self.found.len();
                        ways[here] = f64::from(u8::from(fits));
                        continue;
                    }
                    ways[here] =
                        [Kind::Hit, Kind::Found, Kind::Unknown].into_iter().fold(0.0, |sum, kind| {
                            let (hits_then, found_then) = Orders::after(hits, found, kind);
                            let choices = self.choices(attempt, hits, found, kind);
                            if choices == 0.0 {
                                return sum;
                            }
                            sum + choices * ways[self.place(attempt + 1, hits_then, found_then)]
                        });
                }
            }
        }
        self.ways = ways;
    }

    fn draw<G: Goal>(&self, game: &Dark<G>, k: &Info, rng: &mut Rng) -> Option<(State, f64)> {
        let (me, other) = (self.other.other().index(), self.other.index());
        let (mut kinds, mut hits, mut found) = ([Kind::Unknown; 64], 0, 0);
        for (attempt, drawn) in kinds.iter_mut().enumerate().take(self.attempts) {
            let all = [Kind::Hit, Kind::Found, Kind::Unknown];
            let weights = all.iter().map(|&kind| {
                let (hits_then, found_then) = Orders::after(hits, found, kind);
                let choices = self.choices(attempt, hits, found, kind);
                if choices == 0.0 {
                    0.0
                } else {
                    choices * self.ways[self.place(attempt + 1, hits_then, found_then)]
                }
            });
            *drawn = all[rng.weighted(weights)];
            (hits, found) = Orders::after(hits, found, *drawn);
        }
        let unknown = self.attempts - hits - found;
        let mut marks = Marks { who: self.other, set: k.found, weight: 1.0 };
        let last = match (self.ended, k.phase) {
            (true, Phase::Won) => Some(marks.fill_and_win(game, self.free, unknown as u32 + 1, rng)?),
            (true, _) => {
                marks.fill(game, self.free, unknown as u32 + 1, rng)?;
                Some(Cell(rng.bit_of(marks.set & !k.found) as u16))
            }
            (false, _) => {
                marks.fill(game, self.free, unknown as u32, rng)?;
                k.last
            }
        };
        let mut s = State { phase: k.phase, mover: k.mover, last, ..game.start_state() };
        (s.marks[me], s.found[me], s.marks[other]) = (k.marks, k.found, marks.set);
        k.tries.iter().for_each(|&cell| s.tries[me].push(Cell(cell.into())));
        let cells =
            self.cells(&kinds[..self.attempts], marks.set & !k.found & !last.map_or(0, Cell::bit), k, rng);
        for (cell, kind) in cells.iter().zip(kinds) {
            s.tries[other].push(*cell);
            if kind == Kind::Hit {
                s.found[other] |= cell.bit();
            }
        }
        if let Some(last) = last.filter(|_| self.ended) {
            s.tries[other].push(last);
        }
        Some((s, marks.weight))
    }

    /// Draws which cell was tried in each attempt.
    fn cells(&self, kinds: &[Kind], unknown: u64, k: &Info, rng: &mut Rng) -> Vec<Cell> {
        let mut cells = vec![Cell(0); kinds.len()];
        let (mut hittable, mut left, mut later) = (0, unknown, k.found);
        for (attempt, (cell, kind)) in cells.iter_mut().zip(kinds).enumerate() {
            for (mark, _) in self.marks.iter().filter(|(_, from)| *from == attempt) {
                hittable |= mark.bit();
            }
            let from = match kind {
                Kind::Hit => &mut hittable,
                Kind::Unknown => &mut left,
                Kind::Found => continue,
            };
            *cell = Cell(rng.bit_of(*from) as u16);
            *from &= !cell.bit();
        }
        for (attempt, (cell, _)) in
            cells.iter_mut().zip(kinds).enumerate().rev().filter(|(_, (_, kind))| **kind == Kind::Found)
        {
            let eligible =
                self.found.iter().filter(|(_, by)| *by > attempt).fold(0, |set, (c, _)| set | c.bit());
            *cell = Cell(rng.bit_of(eligible & later) as u16);
            later &= !cell.bit();
        }
        cells
    }
}

/// Draws a whole abrupt game with so many attempts, for those who see no marks at all.
fn draw_play<G: Goal>(game: &Dark<G>, k: &Info, rng: &mut Rng) -> Option<(State, f64)> {
    let mut s = game.start_state();
    let mut weight = 1.0;
    let total = k.count.iter().map(|&n| u32::from(n)).sum::<u32>();
    let way = match k.phase {
        Phase::Won => game.goal.draw_way(k.mover, 0, game.board, rng)?,
        Phase::Playing | Phase::Drawn => 0,
    };
    let last = (way != 0).then(|| Cell(rng.bit_of(way) as u16));
    let mut left = k.count;
    for made in 0..total {
        let who = s.mover;
        left[who.index()] -= 1;
        let ends = made + 1 == total && k.phase != Phase::Playing;
        let untried = game.untried(&s, who);
        let wins = game.goal.winning(who, s.marks[who.index()], untried);
        let other = s.marks[who.other().index()];
        let choices = match (ends, k.phase, who == k.mover) {
            (true, Phase::Won, _) => last.map_or(0, Cell::bit) & wins & !other,
            (true, ..) => untried & !wins & !other,
            (false, Phase::Won, true) => {
                let needed = way & untried & !last.map_or(0, Cell::bit);
                let spare = u32::from(left[who.index()]).checked_sub(needed.count_ones());
                match spare {
                    Some(0) if needed != 0 => needed & !wins,
                    Some(_) => untried & !last.map_or(0, Cell::bit) & (!wins | other),
                    None => needed & !wins,
                }
            }
            (false, Phase::Won, false) => untried & (!wins | other) & !(way & !other),
            (false, ..) => untried & (!wins | other),
        };
        if choices == 0 {
            return None;
        }
        if way == 0 {
            weight *= f64::from(choices.count_ones()) / f64::from(untried.count_ones());
        }
        game.try_cell(&mut s, Cell(rng.bit_of(choices) as u16));
        if (s.phase != Phase::Playing) != ends {
            return None;
        }
    }
    (s.phase == k.phase && s.mover == k.mover).then_some((s, weight))
}

impl<G: Goal> Dark<G> {
    fn start_state(&self) -> State {
        State {
            marks: [0; 2],
            found: [0; 2],
            phase: Phase::Playing,
            mover: Player(0),
            last: None,
            tries: [Tries::NONE; 2],
        }
    }
}

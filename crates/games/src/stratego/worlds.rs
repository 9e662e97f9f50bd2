//! What each player knows of the other's pieces, and the worlds that agree with it.
//!
//! A hidden piece that has moved is neither a bomb nor the flag; one that moved far is a scout, and so revealed.
//! Nothing else narrows it down, and every setup is equally likely: so the flag is put on any hidden piece that
//! has not moved (in the last row, if setups say so), the bombs on any of the others that have not, and all
//! other kinds are dealt to the rest.

use fogtree_core::{Observer, Player, Rng};
use serde::{Deserialize, Deserializer, Serialize, Serializer};

use super::army::{Counts, KINDS, Kind, Where};
use super::board::{Last, Phase, Square, State};
use super::{MOST_CELLS, Stratego};

/// What stands on each cell.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(super) struct Squares(pub(super) [Square; MOST_CELLS]);

impl Serialize for Squares {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        self.0[..].serialize(serializer)
    }
}

impl<'de> Deserialize<'de> for Squares {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Squares, D::Error> {
        let squares: Vec<Square> = Vec::deserialize(deserializer)?;
        let squares = squares.try_into().map_err(|_| serde::de::Error::custom("expected 100 squares"))?;
        Ok(Squares(squares))
    }
}

/// What an observer knows: the board with the kinds it cannot name left out, and what has been lost.
#[derive(Clone, PartialEq, Eq, Hash, Debug, Serialize, Deserialize)]
pub struct Info {
    pub(super) by: Observer,
    pub(super) squares: Squares,
    pub(super) lost: [Counts; 2],
    pub(super) last: [Last; 2],
    pub(super) plies: u16,
    pub(super) phase: Phase,
}

impl Info {
    pub(super) fn of(s: &State, by: Observer) -> Info {
        let veil = |square: Square| match square.owner() {
            Some(owner) if !by.is(owner) && !square.is_revealed() => square.veiled(),
            _ => square,
        };
        Info { by, squares: Squares(s.squares.0.map(veil)), ..Info::of_everything(s) }
    }

    /// What somebody knows who sees every piece.
    pub(super) fn of_everything(s: &State) -> Info {
        let by = Observer::Public;
        Info { by, squares: s.squares, lost: s.lost, last: s.last, plies: s.plies, phase: s.phase }
    }
}

/// The hidden pieces of one player.
#[derive(Clone, Debug, Default)]
struct Side {
    /// Where the flag may be, if it is hidden.
    flag: Vec<u8>,
    /// Where bombs may be.
    unmoved: Vec<u8>,
    bombs: usize,
    moved: Vec<u8>,
    /// The kinds that move.
    others: Vec<Kind>,
}

/// Draws worlds that agree with what is known.
#[derive(Clone, Debug)]
pub struct Worlds {
    known: State,
    sides: Vec<Side>,
    /// The pieces without a flag or bombs, while they are dealt.
    rest: Vec<u8>,
}

impl Worlds {
    pub(super) fn of(rules: &Stratego, k: &Info) -> Worlds {
        let hidden = |p: &Player| !k.by.is(*p) && !matches!(k.phase, Phase::Setup(next) if next <= *p);
        let sides = Player::all(2).filter(hidden).map(|p| Side::of(rules, k, p)).collect();
        let mut known = State {
            squares: k.squares,
            masks: Default::default(),
            lost: k.lost,
            last: k.last,
            plies: k.plies,
            phase: k.phase,
        };
        known.rebuild();
        Worlds { known, sides, rest: Vec::new() }
    }

    pub(super) fn draw(&mut self, rng: &mut Rng, into: &mut State) {
        *into = self.known;
        for side in &mut self.sides {
            side.draw(&mut self.rest, rng, into);
        }
        into.rebuild();
    }
}

impl Side {
    fn of(rules: &Stratego, k: &Info, who: Player) -> Side {
        let mut side = Side::default();
        let mut left = rules.army;
        for (left, lost) in left.iter_mut().zip(k.lost[who.index()]) {
            *left -= lost;
        }
        for (cell, square) in k.squares.0.iter().enumerate().filter(|(_, sq)| sq.owner() == Some(who)) {
            match square.kind() {
                Some(kind) => left[kind as usize] -= 1,
                None if square.has_moved() => side.moved.push(cell as u8),
                None => side.unmoved.push(cell as u8),
            }
        }
        if left[Kind::Flag as usize] > 0 {
            let back = (0..usize::from(rules.columns)).map(|i| rules.home_cell(who, i) as u8);
            let back: Vec<u8> = back.collect();
            let may = |cell: &&u8| rules.setup == Where::Anywhere || back.contains(cell);
            side.flag = side.unmoved.iter().filter(may).copied().collect();
        }
        side.bombs = usize::from(left[Kind::Bomb as usize]);
        let moving = &Kind::ALL[1..KINDS - 1];
        let others =
            moving.iter().flat_map(|&kind| std::iter::repeat_n(kind, usize::from(left[kind as usize])));
        side.others = others.collect();
        side
    }

    fn draw(&mut self, rest: &mut Vec<u8>, rng: &mut Rng, into: &mut State) {
        rest.clear();
        rest.extend_from_slice(&self.unmoved);
        if !self.flag.is_empty() {
            let flag = *rng.pick(&self.flag);
            into.name(flag, Kind::Flag);
            rest.retain(|cell| *cell != flag);
        }
        for _ in 0..self.bombs {
            let cell = rest.swap_remove(rng.below(rest.len() as u32) as usize);
            into.name(cell, Kind::Bomb);
        }
        rest.extend_from_slice(&self.moved);
        rng.shuffle(&mut self.others);
        for (&cell, &kind) in rest.iter().zip(&self.others) {
            into.name(cell, kind);
        }
    }
}

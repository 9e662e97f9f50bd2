//! Setups: which characters take part and where they stand at first.

use fogtree_core::{BadSpec, Params};

use super::map::{Map, Region};
use super::pieces::{Card, Cards, Character, DARK, EACH};
use super::{Confrontation, DEAD, Phase, State};

/// How the characters come to stand where they stand.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Setup {
    /// As listed, but the other player cannot know.
    HandMade,
    /// As listed, and everybody knows.
    Open,
    /// Drawn.
    Random,
    /// Drawn, with the most important characters at home.
    Home,
}

/// Setups are listed if there are at most so many.
const FEW_SETUPS: usize = 200;

/// Where a player's characters stand at first.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Placement {
    pub(super) side: u8,
    pub(super) squares: [u8; EACH],
}

impl Confrontation {
    /// Refuses a setup that leaves too few characters for the front.
    pub(super) fn check_setups(&self, params: &Params) -> Result<(), BadSpec> {
        let fits =
            |side: usize| self.listed[side].len() - self.settled(side).count() >= self.map.front[side].len();
        let why = "another, as there are too few characters to leave Frodo, Sam and the Balrog at home";
        if (0..2).all(fits) { Ok(()) } else { Err(params.bad("setup", why)) }
    }

    /// The characters that stand at home in every setup, as everybody knows.
    pub(super) fn settled(&self, side: usize) -> impl Iterator<Item = Character> {
        let home: &[Character] = match self.setup {
            Setup::Home => &[Character::Frodo, Character::Sam, Character::Balrog],
            _ => &[],
        };
        self.listed[side].iter().copied().filter(move |c| home.contains(c))
    }

    /// How many setups a player may have: 9!/4! = 15120 with all characters.
    pub fn setups(&self, side: usize) -> usize {
        let free = self.listed[side].len() - self.settled(side).count();
        (0..self.map.front[side].len()).map(|i| free - i).product()
    }

    /// The setup that puts these characters in front and the others at home.
    pub(super) fn placed(&self, side: usize, in_front: &[Character]) -> Placement {
        let mut squares = [DEAD; EACH];
        for &c in &self.listed[side] {
            let front = in_front.iter().position(|f| *f == c).map(|i| self.map.front[side][i]);
            squares[c as usize % EACH] = front.unwrap_or(self.map.home(side)).0;
        }
        Placement { side: side as u8, squares }
    }

    /// Whether a player may set up like this.
    pub(super) fn is_setup(&self, placement: &Placement) -> bool {
        let side = usize::from(placement.side);
        let in_front = self.in_front(placement);
        let home = self.map.home(side).0;
        let settled = |c: Character| placement.squares[c as usize % EACH] == home;
        in_front.len() == self.map.front[side].len()
            && self.placed(side, &in_front) == *placement
            && self.settled(side).all(settled)
    }

    /// The characters in front, region by region.
    pub(super) fn in_front(&self, placement: &Placement) -> Vec<Character> {
        let side = usize::from(placement.side);
        let on =
            |r: &Region| Character::of(side).iter().find(|c| placement.squares[**c as usize % EACH] == r.0);
        self.map.front[side].iter().filter_map(on).copied().collect()
    }

    /// Every setup of a player.
    pub(super) fn all_setups(&self, side: usize) -> Vec<Placement> {
        let free: Vec<Character> = {
            let settled: Vec<_> = self.settled(side).collect();
            Character::of(side)
                .iter()
                .copied()
                .filter(|c| self.listed[side].contains(c) && !settled.contains(c))
                .collect()
        };
        let mut fronts: Vec<Vec<Character>> = vec![Vec::new()];
        for _ in &self.map.front[side] {
            let longer = fronts.iter().flat_map(|front| {
                free.iter().filter(|c| !front.contains(c)).map(|c| [&front[..], &[*c]].concat())
            });
            fronts = longer.collect();
        }
        fronts.iter().map(|front| self.placed(side, front)).collect()
    }

    pub(super) fn setups_are_listed(&self) -> bool {
        self.setup != Setup::HandMade && (0..2).all(|side| self.setups(side) <= FEW_SETUPS)
    }

    pub(super) fn set_up(&self, s: &mut State, placement: &Placement) {
        let side = usize::from(placement.side);
        s.board.at[side * EACH..][..EACH].copy_from_slice(&placement.squares);
        let placed = placement.squares.iter().filter(|at| **at < DEAD);
        s.board.counts[side] = placed.map(|at| Region(*at).bit()).sum();
        s.board.phase = if side == 0 { Phase::Setup(DARK) } else { Phase::Move(DARK) };
    }
}

/// The characters that a parameter lists, which must fit on the board.
pub(super) fn characters(
    params: &Params,
    key: &str,
    side: usize,
    map: &Map,
) -> Result<Vec<Character>, BadSpec> {
    let front = map.front[side].len();
    let bad = || {
        let names: Vec<_> = Character::of(side).iter().map(|c| c.name()).collect();
        let (least, most) = (front.max(1), EACH.min(front + 4));
        params.bad(key, format!("a list of {least} to {most} of {}, each once", names.join(", ")))
    };
    let names: Vec<String> = params.list(key).map_err(|_| bad())?;
    let find = |name: &String| Character::parse(name).filter(|c| c.side() == side);
    let listed: Vec<Character> = names.iter().map(find).collect::<Option<_>>().ok_or_else(bad)?;
    let once = (1..listed.len()).all(|i| !listed[..i].contains(&listed[i]));
    let fits = (front.max(1)..=front + 4).contains(&listed.len());
    if once && fits { Ok(listed) } else { Err(bad()) }
}

/// The cards that a parameter lists.
pub(super) fn deck(params: &Params, key: &str, side: usize) -> Result<Cards, BadSpec> {
    let all = Card::deck(side);
    if params.text(key) == "all" {
        return Ok(all.iter().fold(0, |set, card| set | card.bit()));
    }
    let bad = || {
        let names = all.map(Card::name).join(", ");
        params.bad(key, format!("all, or a list of some of {names}"))
    };
    let names: Vec<String> = params.list(key).map_err(|_| bad())?;
    let find = |name: &String| Card::parse(name).filter(|c| all.contains(c)).map(Card::bit);
    names.iter().try_fold(0, |set, name| Some(set | find(name)?)).filter(|set| *set != 0).ok_or_else(bad)
}

//! Which of the stations where Mr X may be he is likely to be at: location categories.
//!
//! He chooses where he goes, and not as chance would. Stations fall into categories that a seeker can tell;
//! how often Mr X was in each, over how often he would have been there by chance, is the weight of a station
//! of that category when worlds are drawn (after Nijssen and Winands 2012, whose three kinds of categories
//! these are; the weights are our own). The distances are from where the seekers stood when he moved, for
//! that is what he saw.
//!
//! The weights of [`Categories::learnt`] come from 400 games of `mo-ismcts(iterations=1000)` on both sides on
//! the board of London: what [`ScotlandYard::count`] counts was added up over them, and a weight is `-true`
//! over `-drawn`. The counts stand beside the weights; `experiments/icarus-4.2.14.toml` follows them through
//! games of the same kind.

use fogtree_core::{BadSpec, Params, Player, Rules, Step};

use super::board::Ticket;
use super::{Action, MOST_SEEKERS, MR_X, NOWHERE, Phase, ScotlandYard, State};

/// The most categories of a kind.
const MOST: usize = 5;

/// What stations are told apart by.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Categories {
    /// How far the nearest seeker is: 1, 2, 3, 4, 5 or more moves.
    Nearest,
    /// How far the seekers are on average: less than 2, 3, 4, 5 moves, or more.
    Average,
    /// What calls there: only taxis; buses too; the underground; a boat.
    Station,
}

/// The names under which categories are counted: expected by chance, and found.
type Names = [[&'static str; 2]];

const NEAREST: &Names = &[
    ["nearest-1-drawn", "nearest-1-true"],
    ["nearest-2-drawn", "nearest-2-true"],
    ["nearest-3-drawn", "nearest-3-true"],
    ["nearest-4-drawn", "nearest-4-true"],
    ["nearest-5-drawn", "nearest-5-true"],
];
const AVERAGE: &Names = &[
    ["average-1-drawn", "average-1-true"],
    ["average-2-drawn", "average-2-true"],
    ["average-3-drawn", "average-3-true"],
    ["average-4-drawn", "average-4-true"],
    ["average-5-drawn", "average-5-true"],
];
const STATION: &Names = &[
    ["station-taxi-drawn", "station-taxi-true"],
    ["station-bus-drawn", "station-bus-true"],
    ["station-underground-drawn", "station-underground-true"],
    ["station-boat-drawn", "station-boat-true"],
];

impl Categories {
    const ALL: [Categories; 3] = [Categories::Nearest, Categories::Average, Categories::Station];

    fn names(self) -> &'static Names {
        match self {
            Categories::Nearest => NEAREST,
            Categories::Average => AVERAGE,
            Categories::Station => STATION,
        }
    }

    /// The weights that were learnt.
    fn learnt(self) -> &'static [f64] {
        match self {
            // 358 / 1543.9, 2243 / 2021.0, 1901 / 1440.4, 789 / 418.0, 247 / 114.7
            Categories::Nearest => &[0.23, 1.11, 1.32, 1.89, 2.15],
            // 3 / 23.8, 232 / 646.6, 1498 / 1999.8, 2107 / 1912.5, 1607 / 864.3
            Categories::Average => &[0.13, 0.36, 0.75, 1.10, 1.86],
            // 3643 / 3042.7, 983 / 1396.6, 227 / 438.6, 155 / 130.1
            Categories::Station => &[1.20, 0.70, 0.52, 1.19],
        }
    }
}

/// How much more often than by chance Mr X is at the stations of each category.
#[derive(Clone, Copy, PartialEq, Debug)]
pub(super) struct Bias {
    categories: Categories,
    weights: [f64; MOST],
}

impl Bias {
    pub(super) fn from_params(params: &Params) -> Result<Option<Bias>, BadSpec> {
        let kinds = [None, Some(Categories::Nearest), Some(Categories::Average), Some(Categories::Station)];
        let chosen = params.choice("locations", &kinds)?;
        let given: Option<Vec<f64>> = match params.text("weights") {
            "learnt" => None,
            _ => Some(params.list("weights")?),
        };
        let Some(categories) = chosen else {
            let bad = || params.bad("weights", "learnt, where worlds are drawn by chance");
            return if given.is_some() { Err(bad()) } else { Ok(None) };
        };
        let given = given.as_deref().unwrap_or(categories.learnt());
        let fit = |w: &f64| (1e-6..=1e6).contains(w);
        if given.len() != categories.names().len() || !given.iter().all(fit) {
            let expected = format!("learnt, or {} numbers from 1e-6 to 1e6", categories.names().len());
            return Err(params.bad("weights", expected));
        }
        let mut weights = [1.0; MOST];
        weights[..given.len()].copy_from_slice(given);
        Ok(Some(Bias { categories, weights }))
    }
}

impl ScotlandYard {
    /// How much more likely than by chance Mr X is at a station.
    pub(super) fn weight(&self, s: &State, station: u8) -> f64 {
        match (&self.bias, s.trail.as_slice().last()) {
            (Some(bias), Some(hidden)) => {
                bias.weights[self.category(bias.categories, &hidden.seekers, station)]
            }
            _ => 1.0,
        }
    }

    /// The category of a station when the seekers stand here.
    fn category(&self, categories: Categories, seekers: &[u8; MOST_SEEKERS], station: u8) -> usize {
        let row = self.board.distances().row(station);
        let moves = seekers[..self.seekers].iter().map(|&at| usize::from(row[at as usize]));
        match categories {
            Categories::Nearest => moves.min().unwrap_or(1).clamp(1, MOST) - 1,
            Categories::Average => (moves.sum::<usize>() / self.seekers).clamp(1, MOST) - 1,
            Categories::Station => {
                let calls = |by| self.board.reach(station, by) != Default::default();
                match () {
                    () if self.board.is_pier(station) => 3,
                    () if calls(Ticket::Underground) => 2,
                    () => usize::from(calls(Ticket::Bus)),
                }
            }
        }
    }

    /// Counts, after a move of Mr X that is not seen, how likely chance makes each category and in which he
    /// is. Moves after which all possible stations are of one category tell nothing and are left out.
    pub(super) fn count(
        &self,
        before: &State,
        step: Step<'_, ScotlandYard>,
        out: &mut Vec<(Player, &'static str, f64)>,
    ) {
        let mut after = *before;
        self.apply(&mut after, step);
        let moved = matches!(step, Step::Moves(&[(MR_X, Action::Go { .. }), ..]));
        if let Some(hidden) = after.trail.as_slice().last().filter(|_| moved) {
            let worlds = self.worlds(&State { x: NOWHERE, ..after });
            let all: u32 = worlds.iter().map(|world| world.1).sum();
            for categories in Categories::ALL {
                let category = |station| self.category(categories, &hidden.seekers, station);
                let mut drawn = [0; MOST];
                worlds.iter().for_each(|&(station, ways)| drawn[category(station)] += ways);
                if drawn.contains(&all) {
                    continue;
                }
                for (&[by_chance, found], (place, &ways)) in
                    categories.names().iter().zip(drawn.iter().enumerate())
                {
                    out.push((MR_X, by_chance, f64::from(ways) / f64::from(all)));
                    out.push((MR_X, found, f64::from(u8::from(place == category(after.x)))));
                }
            }
        }
        if matches!(after.phase, Phase::Over(_)) {
            let names = Categories::ALL.into_iter().flat_map(|c| c.names()).flatten();
            out.extend(names.map(|name| (MR_X, *name, 0.0)));
        }
    }
}

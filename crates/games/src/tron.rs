//! Tron: two units leave walls behind wherever they go, and who is shut in first loses.
//!
//! The units start in opposite corners of an empty board. In each turn both step at the same time to an open
//! neighbouring cell, and the cells they leave are walls from then on. A unit without an open neighbour
//! loses; if that befalls both at once, or both enter the same cell, it is a draw. In the middle of the game,
//! where the units meet, one must be unpredictable; once they are separated each only fills its own space.
//! Rules: Lisý 2014, §4.1.1, where a unit may also run into a wall on purpose; nobody gains by that, and the
//! published node counts are those of moves to open cells.

use fogtree_core::{
    About, BadSpec, Chance, Domain, Evaluations, Extras, Facts, FastPlay, Notation, Observation, Observer,
    Param, Params, PerfectInformation, Player, Players, Preset, Rewards, Rng, Rules, Scene, Scratch, Step,
    Tensors, Turn,
};
use serde::{Deserialize, Serialize};

use crate::direction::{Direction, Directions};
use crate::reward::Reward;
use area::{Area, Cell, LONGEST_SIDE};

mod area;
mod scene;
mod tensors;
#[cfg(test)]
mod tests;

/// What `fogtree games` says of it.
pub static ABOUT: About = About {
    name: "tron",
    summary: "Two units leave walls behind, both stepping at the same time; who is shut in first loses",
    source: "equilibrium 3.5",
    params: &[
        Param::new("rows", "13", Domain::Integer(1, LONGEST_SIDE as i128), "rows of the board, 1 to 16"),
        Param::new(
            "columns",
            "13",
            Domain::Integer(1, LONGEST_SIDE as i128),
            "columns of the board, 1 to 16",
        ),
        Param { default: "signed", ..Reward::PARAM },
    ],
    presets: &[Preset {
        name: "small-tron",
        params: "rows=5,columns=6",
        about: "5 by 6 cells, of which the source counts the nodes",
    }],
    tiny: "rows=3,columns=4",
};

/// The rules of Tron on one board.
#[derive(Clone, Debug)]
pub struct Tron {
    rows: u8,
    columns: u8,
    reward: Reward,
    /// The steps that stay on the board, for each cell.
    on_board: Box<[Directions; 256]>,
}

impl Tron {
    /// The game a specification asks for.
    pub fn from_params(params: &Params) -> Result<Tron, BadSpec> {
        let rows = params.number("rows")?;
        let columns = params.number("columns")?;
        if u16::from(rows) * u16::from(columns) < 3 {
            return Err(params.bad("columns", "a board of at least three cells"));
        }
        let mut on_board = Box::new([Directions::NONE; 256]);
        for row in 0..rows {
            for column in 0..columns {
                let [x, y, width, height] = [column, row, columns, rows].map(usize::from);
                let cell = usize::from(Cell::new(row, column).0);
                on_board[cell] = Directions::on_board(x, y, width, height);
            }
        }
        Ok(Tron { rows, columns, reward: Reward::from_params(params)?, on_board })
    }

    #[inline]
    fn ways_out(&self, walls: &Area, of: Cell) -> Directions {
        walls.ways_out(of, self.on_board[usize::from(of.0)])
    }

    /// How many open cells each unit can reach strictly before the other.
    fn owned(&self, s: &State) -> [u32; 2] {
        s.walls.race(s.units)
    }

    #[inline]
    fn step(&self, s: &mut State, moves: [Direction; 2]) {
        s.units = [s.units[0].beside(moves[0]), s.units[1].beside(moves[1])];
        s.walls.insert(s.units[0]);
        s.walls.insert(s.units[1]);
        s.exits = if s.units[0] == s.units[1] {
            [Directions::NONE; 2]
        } else {
            s.units.map(|unit| self.ways_out(&s.walls, unit))
        };
    }
}

/// The walls and the units.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Serialize, Deserialize)]
pub struct State {
    /// Every cell that cannot be entered: where a unit has been or is, and what is not on the board.
    walls: Area,
    units: [Cell; 2],
    /// Where each unit may go; nowhere for both if they have met.
    exits: [Directions; 2],
}

impl State {
    #[inline]
    fn is_over(&self) -> bool {
        self.exits[0].is_empty() || self.exits[1].is_empty()
    }
}

impl Rules for Tron {
    type State = State;
    type Action = Direction;
    type Outcome = std::convert::Infallible;

    fn facts(&self) -> Facts {
        let cells = u32::from(self.rows) * u32::from(self.columns);
        Facts {
            players: 2,
            hidden: false,
            hidden_moves: false,
            chance: Chance::Never,
            simultaneous: true,
            utility: self.reward.utility(),
            utility_bounds: self.reward.range(),
            // Each turn takes two cells, except one in which the units meet.
            max_length: (cells - 2).div_ceil(2),
        }
    }

    fn start(&self) -> State {
        let units = [Cell::new(0, 0), Cell::new(self.rows - 1, self.columns - 1)];
        let mut walls = Area::outside(self.rows, self.columns);
        walls.insert(units[0]);
        walls.insert(units[1]);
        State { walls, units, exits: units.map(|unit| self.ways_out(&walls, unit)) }
    }

    #[inline]
    fn turn(&self, s: &State) -> Turn {
        if s.is_over() { Turn::Terminal } else { Turn::Simultaneous(Players::first(2)) }
    }

    #[inline]
    fn actions(&self, s: &State, who: Player, out: &mut Vec<Direction>) {
        out.extend(s.exits[who.index()].iter());
    }

    #[inline]
    fn apply(&self, s: &mut State, step: Step<'_, Self>) {
        let moves = step.moves();
        self.step(s, [moves[0].1, moves[1].1]);
    }

    fn rewards(&self, s: &State) -> Rewards {
        self.reward.of(match s.exits.map(Directions::is_empty) {
            [true, false] => Some(Player(1)),
            [false, true] => Some(Player(0)),
            _ => None,
        })
    }

    /// Each sees where the other goes; who looks on sees both.
    fn observe(&self, _before: &State, step: Step<'_, Self>, by: Observer) -> Option<Observation> {
        let moves = step.moves();
        let codes = [moves[0], moves[1]].map(|(_, action)| self.code(action));
        Some(match by {
            Observer::Seat(who) => Observation::word(codes[who.other().index()]),
            Observer::Public => Observation::words(&codes),
        })
    }

    fn code(&self, action: Direction) -> u64 {
        action as u64
    }

    fn extras(&self) -> Extras<'_, Self> {
        Extras { evaluations: Some(self), ..Extras::NONE }
    }
}

impl Notation for Tron {
    fn action_name(&self, action: Direction) -> String {
        action.name().to_string()
    }

    fn parse_action(&self, name: &str) -> Option<Direction> {
        Direction::parse(name)
    }

    fn explain(&self, seen: &Observation, by: Observer) -> String {
        let words = seen.as_words().iter().map(|&word| Direction::from_index(word).map(Direction::name));
        match (words.collect::<Option<Vec<_>>>().as_deref(), by) {
            (Some([other]), Observer::Seat(_)) => format!("the other goes {other}"),
            (Some([first, second]), Observer::Public) => format!("X goes {first}, O goes {second}"),
            _ => seen.to_string(),
        }
    }

    fn scene_of(&self, s: &State) -> Scene {
        self.draw(s)
    }
}

impl FastPlay for Tron {
    const DECODES: bool = true;

    #[inline]
    fn decode(&self, code: u64) -> Direction {
        Direction::ALL[code as usize]
    }

    #[inline]
    fn random_action(
        &self,
        s: &State,
        who: Player,
        rng: &mut Rng,
        _scratch: &mut Scratch<Self>,
    ) -> Direction {
        s.exits[who.index()].pick(rng)
    }

    fn playout(&self, s: &mut State, rng: &mut Rng, _scratch: &mut Scratch<Self>) -> Rewards {
        while !s.is_over() {
            self.step(s, Directions::pick_each(s.exits, rng));
        }
        self.rewards(s)
    }

    fn codes(&self) -> Option<usize> {
        Some(Direction::ALL.len())
    }
}

impl Evaluations<Tron> for Tron {
    /// Lisý 2014, §4.1.1: tanh of a fifth of how many more cells a player can reach first than the other can.
    fn evaluate(&self, _: Option<usize>, s: &State, who: Player) -> Option<f64> {
        if s.is_over() {
            return Some(self.rewards(s)[who]);
        }
        let owned = self.owned(s).map(f64::from);
        let (low, high) = self.reward.range();
        let lead = ((owned[who.index()] - owned[who.other().index()]) / 5.0).tanh();
        Some((low + high) / 2.0 + (high - low) / 2.0 * lead)
    }
}

impl PerfectInformation for Tron {
    /// Where the player's unit goes.
    fn spots(&self, s: &State, who: Player, action: Direction) -> Vec<String> {
        vec![self.spot(s.units[who.index()].beside(action))]
    }

    fn tensors(&self) -> Option<&dyn Tensors<Self>> {
        Some(self)
    }
}

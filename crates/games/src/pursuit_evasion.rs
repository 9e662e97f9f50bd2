//! Pursuit-evasion: two units chase a third over an open grid, and all three step at the same time.
//!
//! The evader (player 0) has one unit, the pursuers (player 1) two. In each turn every unit steps to one of
//! the four neighbouring cells; none may wait. The evader is caught if a pursuer stands on its cell
//! afterwards, or if the two have changed places. It wins if it is still free after a given number of moves.
//! Nothing is hidden but what the other chooses at the same moment, yet near the end both must be
//! unpredictable. Rules: Lisý 2014, §4.1.1; that no unit may wait follows from the published node counts.
//!
//! The pursuers are alike, so a position knows them only by where they stand: the *first* is the one met
//! first when the cells are read row by row. That makes positions with the two exchanged one and the same,
//! which halves the game, and loses nothing: an action moves the first and the second of the position it
//! is played in, and everybody sees that position.

use fogtree_core::{
    About, BadSpec, Domain, Evaluations, Extras, Facts, FastPlay, Notation, Observation, Observer, Param,
    Params, PerfectInformation, Player, Players, Preset, Purpose, Rewards, Rng, Rules, Scene, Scratch, Seed,
    Step, Tensors, Turn,
};
use serde::{Deserialize, Serialize};

use crate::direction::{Direction, Directions};
use crate::grid::{self, Grid};
use crate::reward::Reward;

mod scene;
mod tensors;
#[cfg(test)]
mod tests;

/// What `fogtree games` says of it.
pub static ABOUT: About = About {
    name: "pursuit-evasion",
    summary: "Two pursuers try to catch an evader on a grid; all step at the same time, and none may wait",
    source: "equilibrium 3.4",
    params: &[
        Param::new("width", "10", Domain::Integer(1, LONGEST_SIDE as i128), "columns of the grid, 1 to 16"),
        Param::new("length", "10", Domain::Integer(1, LONGEST_SIDE as i128), "rows of the grid, 1 to 16"),
        Param::new(
            "depth",
            "15",
            Domain::Integer(1, u8::MAX as i128),
            "moves after which the evader has escaped, 1 to 255",
        ),
        // The evader escapes with probability 0.51 if both play well; from a quarter of all starts it never does.
        Param::new(
            "start",
            "8",
            Domain::Text,
            "where the units start: [evader,pursuer,pursuer], cells by name (a1) or counted from 0 row by \
                    row; or a number, the seed of a random start",
        ),
        Param::new(
            "within",
            "two-thirds",
            Domain::Or("two-thirds", &Domain::Integer(1, u8::MAX as i128)),
            "how far from the evader the pursuers of a random start may be: a number of steps, or two-thirds \
                    of the depth",
        ),
        Param { default: "signed", ..Reward::PARAM },
    ],
    presets: &[
        Preset {
            name: "small-pursuit-evasion",
            params: "width=4,length=4,depth=4,start=[5,0,6]",
            about: "4 by 4 cells and 4 moves, from a start at which both must mix",
        },
        Preset {
            name: "corner-pursuit-evasion",
            params: "width=4,length=4,depth=5,start=[0,14,15]",
            about: "4 by 4 cells and 5 moves from opposite corners, of which the source counts the nodes",
        },
    ],
    tiny: "width=3,length=3,depth=3,start=[0,5,8]",
};

/// The most columns and the most rows.
const LONGEST_SIDE: u8 = 16;
const EVADER: Player = Player(0);
const PURSUERS: Player = Player(1);

/// The rules of pursuit and evasion on one grid.
#[derive(Clone, Debug)]
pub struct PursuitEvasion {
    width: u8,
    length: u8,
    depth: u8,
    reward: Reward,
    /// How far the pursuers of a random start may be from the evader.
    within: u8,
    start: State,
    /// The steps that stay on the grid, for each cell.
    exits: Box<[Directions; 256]>,
}

impl PursuitEvasion {
    /// The game a specification asks for.
    pub fn from_params(params: &Params) -> Result<PursuitEvasion, BadSpec> {
        let width = params.number("width")?;
        let length = params.number("length")?;
        if u16::from(width) * u16::from(length) < 3 {
            return Err(params.bad("length", "a grid of at least three cells"));
        }
        let depth = params.number("depth")?;
        let within = match params.text("within") {
            "two-thirds" => (u16::from(depth) * 2 / 3) as u8,
            _ => params.number("within").map_err(|_| {
                params.bad("within", "two-thirds (of the depth), or a number of steps from 1 to 255")
            })?,
        };
        let (columns, rows) = (usize::from(width), usize::from(length));
        let mut exits = Box::new([Directions::NONE; 256]);
        for (cell, exits) in exits.iter_mut().enumerate().take(columns * rows) {
            *exits = Directions::on_board(cell % columns, cell / columns, columns, rows);
        }
        let start = State { evader: 0, pursuers: [0; 2], left: depth, caught: false };
        let mut rules = PursuitEvasion {
            width,
            length,
            depth,
            reward: Reward::from_params(params)?,
            within,
            start,
            exits,
        };
        rules.start = match params.text("start").parse() {
            Ok(seed) => {
                if within == 0 {
                    return Err(params.bad("start", "a list of cells: in one move nobody is within reach"));
                }
                rules.random_start(Seed(seed))
            }
            Err(_) => rules.listed_start(params)?,
        };
        Ok(rules)
    }

    /// One of [`Self::starts`], all equally likely. There must be some, and there are if pursuers may be one
    /// step away.
    fn random_start(&self, seed: Seed) -> State {
        let mut rng = seed.named("pursuit-evasion").stream(Purpose::Deal);
        let mut cell = || rng.below(u32::from(self.cells())) as u8;
        loop {
            let (evader, pursuers) = (cell(), [cell(), cell()]);
            if self.is_start(evader, pursuers) {
                return self.at(evader, pursuers, self.depth);
            }
        }
    }

    fn listed_start(&self, params: &Params) -> Result<State, BadSpec> {
        let last = self.cells() - 1;
        let expected = || {
            let cells = format!("cells from 0 to {last} or a1 to {}", self.grid().name(grid::Cell(last)));
            params.bad("start", format!("[evader,pursuer,pursuer], {cells}, or the seed of a random start"))
        };
        let cell = |text: &String| {
            let number = text.parse().ok().filter(|&cell: &u16| cell <= last);
            number.or_else(|| self.grid().parse(text).map(|cell| cell.0)).map(|cell| cell as u8)
        };
        let words: Vec<String> = params.list("start").map_err(|_| expected())?;
        let cells: Option<Vec<u8>> = words.iter().map(cell).collect();
        match cells.as_deref() {
            Some(&[evader, a, b]) => self
                .position(evader, [a, b], self.depth)
                .ok_or_else(|| params.bad("start", "an evader that is not caught from the start")),
            _ => Err(expected()),
        }
    }

    fn cells(&self) -> u16 {
        u16::from(self.width) * u16::from(self.length)
    }

    fn grid(&self) -> Grid {
        Grid::of_cells(u16::from(self.width), u16::from(self.length))
    }

    /// The steps from one cell to another.
    #[inline]
    fn distance(&self, a: u8, b: u8) -> u8 {
        (a % self.width).abs_diff(b % self.width) + (a / self.width).abs_diff(b / self.width)
    }

    /// The cell a step leads to.
    #[inline]
    fn beside(&self, cell: u8, direction: Direction) -> u8 {
        cell.wrapping_add([self.width.wrapping_neg(), u8::MAX, 1, self.width][direction.index()])
    }

    #[inline]
    fn exits(&self, cell: u8) -> Directions {
        self.exits[usize::from(cell)]
    }

    #[inline]
    fn at(&self, evader: u8, [a, b]: [u8; 2], left: u8) -> State {
        State { evader, pursuers: [a.min(b), a.max(b)], left, caught: false }
    }

    /// The position with the units on these cells, counted from 0 row by row, and so many moves left. `None`
    /// if a cell is not on the grid, a pursuer is on the evader's, or there are more moves than in the game.
    pub fn position(&self, evader: u8, pursuers: [u8; 2], left: u8) -> Option<State> {
        let outside = |cell: u8| u16::from(cell) >= self.cells();
        let wrong = outside(evader) || pursuers.iter().any(|&p| outside(p) || p == evader);
        (!wrong && left <= self.depth).then(|| self.at(evader, pursuers, left))
    }

    /// Whether a random start may be this one: three cells, the pursuers' not too far from the evader's.
    fn is_start(&self, evader: u8, [a, b]: [u8; 2]) -> bool {
        a != b && [a, b].iter().all(|&p| p != evader && self.distance(p, evader) <= self.within)
    }

    /// Every position that a random start may be, once.
    pub fn starts(&self) -> impl Iterator<Item = State> {
        let last = (self.cells() - 1) as u8;
        let pairs = move |evader| (0..=last).flat_map(move |a| (a..=last).map(move |b| (evader, [a, b])));
        (0..=last)
            .flat_map(pairs)
            .filter(|&(evader, pursuers)| self.is_start(evader, pursuers))
            .map(|(evader, pursuers)| self.at(evader, pursuers, self.depth))
    }

    /// Moves all units.
    #[inline]
    fn step(&self, s: &mut State, evader: Direction, pursuers: [Direction; 2]) {
        let to = self.beside(s.evader, evader);
        let [a, b] = [0, 1].map(|i| {
            let (from, next) = (s.pursuers[i], self.beside(s.pursuers[i], pursuers[i]));
            s.caught |= (next == to) | ((next == s.evader) & (from == to));
            next
        });
        (s.evader, s.pursuers, s.left) = (to, [a.min(b), a.max(b)], s.left - 1);
    }
}

/// What a player may do.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Serialize, Deserialize)]
pub enum Action {
    /// The evader steps.
    Evade(Direction),
    /// The first and the second pursuer step, first and second as the cells are read row by row.
    Pursue(Direction, Direction),
}

/// Where the units are.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Serialize, Deserialize)]
pub struct State {
    evader: u8,
    /// In rising order.
    pursuers: [u8; 2],
    /// Moves to go.
    left: u8,
    caught: bool,
}

impl State {
    /// The evader's cell, counted from 0 row by row.
    pub fn evader(&self) -> u8 {
        self.evader
    }

    /// The pursuers' cells in rising order.
    pub fn pursuers(&self) -> [u8; 2] {
        self.pursuers
    }

    /// The moves to go until the evader has escaped.
    pub fn left(&self) -> u8 {
        self.left
    }

    /// Whether the evader has been caught.
    pub fn is_caught(&self) -> bool {
        self.caught
    }
}

impl Rules for PursuitEvasion {
    type State = State;
    type Action = Action;
    type Outcome = std::convert::Infallible;

    fn facts(&self) -> Facts {
        Facts {
            simultaneous: true,
            utility: self.reward.utility(),
            utility_bounds: self.reward.range(),
            ..Facts::open(2, u32::from(self.depth))
        }
    }

    fn start(&self) -> State {
        self.start
    }

    #[inline]
    fn turn(&self, s: &State) -> Turn {
        if s.caught || s.left == 0 { Turn::Terminal } else { Turn::Simultaneous(Players::first(2)) }
    }

    #[inline]
    fn actions(&self, s: &State, who: Player, out: &mut Vec<Action>) {
        if who == EVADER {
            out.extend(self.exits(s.evader).iter().map(Action::Evade));
        } else {
            let [first, second] = s.pursuers.map(|cell| self.exits(cell));
            out.extend(first.iter().flat_map(|a| second.iter().map(move |b| Action::Pursue(a, b))));
        }
    }

    #[inline]
    fn apply(&self, s: &mut State, step: Step<'_, Self>) {
        let [(_, Action::Evade(evader)), (_, Action::Pursue(a, b))] = *step.moves() else {
            unreachable!("the evader steps, then the pursuers");
        };
        self.step(s, evader, [a, b]);
    }

    fn rewards(&self, s: &State) -> Rewards {
        self.reward.of(Some(if s.caught { PURSUERS } else { EVADER }))
    }

    /// Both see the other's moves; who looks on sees both.
    fn observe(&self, _before: &State, step: Step<'_, Self>, by: Observer) -> Option<Observation> {
        let moves = step.moves();
        let [evader, pursuers] = [moves[0], moves[1]].map(|(_, action)| self.code(action));
        Some(match by {
            Observer::Seat(EVADER) => Observation::word(pursuers),
            Observer::Seat(_) => Observation::word(evader),
            Observer::Public => Observation::words(&[evader, pursuers]),
        })
    }

    fn code(&self, action: Action) -> u64 {
        match action {
            Action::Evade(direction) => direction as u64,
            Action::Pursue(a, b) => PURSUE + 4 * a as u64 + b as u64,
        }
    }

    fn extras(&self) -> Extras<'_, Self> {
        Extras { evaluations: Some(self), ..Extras::NONE }
    }
}

impl Notation for PursuitEvasion {
    fn action_name(&self, action: Action) -> String {
        match action {
            Action::Evade(direction) => direction.name().to_string(),
            Action::Pursue(a, b) => format!("{}+{}", a.name(), b.name()),
        }
    }

    fn parse_action(&self, name: &str) -> Option<Action> {
        match name.split_once('+') {
            None => Direction::parse(name).map(Action::Evade),
            Some((a, b)) => Some(Action::Pursue(Direction::parse(a)?, Direction::parse(b)?)),
        }
    }

    fn explain(&self, seen: &Observation, _by: Observer) -> String {
        let tell = |&word: &u64| {
            if let Some(direction) = Direction::from_index(word) {
                return Some(format!("the evader steps {}", direction.name()));
            }
            let joint = word.checked_sub(PURSUE)?;
            let (a, b) = (Direction::from_index(joint / 4)?, Direction::from_index(joint % 4)?);
            Some(format!("the first pursuer steps {}, the second {}", a.name(), b.name()))
        };
        let told: Option<Vec<String>> = seen.as_words().iter().map(tell).collect();
        told.filter(|told| !told.is_empty()).map_or_else(|| seen.to_string(), |told| told.join("; "))
    }

    fn scene_of(&self, s: &State) -> Scene {
        self.draw(s)
    }

    fn role(&self, _state: &State, seat: Player) -> String {
        if seat == EVADER { "evader".to_string() } else { "pursuers".to_string() }
    }
}

impl FastPlay for PursuitEvasion {
    #[inline]
    fn random_action(&self, s: &State, who: Player, rng: &mut Rng, _scratch: &mut Scratch<Self>) -> Action {
        if who == EVADER {
            Action::Evade(self.exits(s.evader).pick(rng))
        } else {
            let [a, b] = s.pursuers.map(|cell| self.exits(cell).pick(rng));
            Action::Pursue(a, b)
        }
    }

    fn playout(&self, s: &mut State, rng: &mut Rng, _scratch: &mut Scratch<Self>) -> Rewards {
        while !s.caught && s.left > 0 {
            let exits = [s.evader, s.pursuers[0], s.pursuers[1]].map(|cell| self.exits(cell));
            let [evader, first, second] = Directions::pick_each(exits, rng);
            self.step(s, evader, [first, second]);
        }
        self.rewards(s)
    }

    const DECODES: bool = true;

    #[inline]
    fn decode(&self, code: u64) -> Action {
        let direction = |number: u64| Direction::ALL[number as usize % 4];
        match code.checked_sub(PURSUE) {
            None => Action::Evade(direction(code)),
            Some(pair) => Action::Pursue(direction(pair / 4), direction(pair)),
        }
    }

    fn codes(&self) -> Option<usize> {
        Some(PURSUE as usize + 16)
    }
}

impl Evaluations<PursuitEvasion> for PursuitEvasion {
    /// Lisý 2014, §4.1.1: how far the nearer pursuer is and, a hundredth as much, the farther, as a share of
    /// the grid's two sides. The share, between 0 and 1, is taken for how much of the reward the evader will
    /// get.
    fn evaluate(&self, _: Option<usize>, s: &State, who: Player) -> Option<f64> {
        if self.turn(s) == Turn::Terminal {
            return Some(self.rewards(s)[who]);
        }
        let [a, b] = s.pursuers.map(|p| f64::from(self.distance(p, s.evader)));
        let sides = f64::from(self.width) + f64::from(self.length);
        let share = (a.min(b) + 0.01 * a.max(b)) / (1.01 * sides);
        let (low, high) = self.reward.range();
        Some(low + (high - low) * if who == EVADER { share } else { 1.0 - share })
    }
}

/// The code of the pursuers' first action; the evader's are below.
const PURSUE: u64 = 4;

impl PerfectInformation for PursuitEvasion {
    /// Where the units go: the evader, or the first pursuer and the second.
    fn spots(&self, s: &State, _: Player, action: Action) -> Vec<String> {
        let spot = |cell, direction| {
            let to = grid::Cell(u16::from(self.beside(cell, direction)));
            format!("board/{}", self.grid().name(to))
        };
        match action {
            Action::Evade(direction) => vec![spot(s.evader, direction)],
            Action::Pursue(a, b) => vec![spot(s.pursuers[0], a), spot(s.pursuers[1], b)],
        }
    }

    fn tensors(&self) -> Option<&dyn Tensors<Self>> {
        Some(self)
    }
}

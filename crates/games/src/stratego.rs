//! Stratego: two armies whose ranks show only when they clash.
//!
//! Each player sets up its pieces in secret on its side of the board. A turn moves one piece one square along a
//! row or column, a scout any distance; bombs and the flag never move, nobody enters the lakes. Moving onto an
//! enemy attacks it: both are shown, the higher rank stays, equals both go. The spy beats the marshal when it
//! attacks him, only miners take bombs away. Who takes the flag wins, and so does who leaves the enemy no move.
//! It is here as the classic of hidden identities: all moves are seen, and still most of the board is not.
//! Rules: the published game; Whitehouse 2014, §4.2.14, names it among the games implemented.
//!
//! Setups are drawn by chance. No piece may go to and fro between two squares for long, and a game is drawn
//! after so many moves (`plies`), since random players would go on for ever.

use fogtree_core::{
    About, BadSpec, Chance, Domain, Facts, FastPlay, Game, InfoExtras, Notation, Observation, Observer,
    Param, Params, Player, Preset, Rewards, Rng, Rules, Scene, Scratch, Step, Told, Turn, Witnessed,
};
use serde::{Deserialize, Serialize};

use crate::reward::Reward;
use crate::words::{self, mover};

mod army;
mod board;
mod movement;
mod scene;
mod tensors;
#[cfg(test)]
mod tests;
mod worlds;

pub use army::{Clash, Kind, Setup};
pub use board::{Square, State};
pub use worlds::{Info, Worlds};

use army::{Counts, KINDS, SIDES, Where};
use board::{Phase, bit, cells_of, nth};
use worlds::Squares;

/// What `fogtree games` says of it.
pub static ABOUT: About = About {
    name: "stratego",
    summary: "Stratego: find and take the flag of an army whose ranks show only in combat",
    source: "Whitehouse 2014, 4.2.14; ismcts 4.13",
    params: &[
        Param::new("columns", "10", Domain::Integer(2, 10), "2 to 10"),
        Param::new("rows", "10", Domain::Integer(2, 10), "2 to 10"),
        Param::new(
            "home",
            "4",
            Domain::Integer(1, 5),
            "rows on which each player sets up, at most half of them",
        ),
        Param::new(
            "lakes",
            "usual",
            Domain::Or("usual", &Domain::List),
            "usual: two of 2x2 on a board of 10x10, else none; or a list of cells such as [c3,d3], or []",
        ),
        Param::new(
            "army",
            "classic",
            Domain::Text,
            "classic: the usual forty; or a word of F flag, B bomb, S spy, 2 scout, 3 miner, 4 to 8, \
                    9 general, M marshal",
        ),
        Param::new(
            "setup",
            "random",
            Domain::Choice(&["random", "back-flag"]),
            "the setups that are possible, all equally likely: random is any, back-flag those with the \
                    flag in the last row",
        ),
        Param::new(
            "red",
            "drawn",
            Domain::Text,
            "the first player's setup: drawn, or always this, which the other cannot know: rows from the \
                    last to the foremost, as in FB3M/.2S.",
        )
        .known_only_to(Player(0), Told::Nothing),
        Param::new("blue", "drawn", Domain::Text, "the second player's, likewise")
            .known_only_to(Player(1), Told::Nothing),
        Param::new(
            "two-squares",
            "3",
            Domain::Integer(0, 100),
            "moves in a row a piece may make to and fro between two squares; 0 is any number",
        ),
        Param::new(
            "plies",
            "1000",
            Domain::Integer(1, 5000),
            "moves after which the game is a draw, 1 to 5000",
        ),
        Reward::PARAM,
    ],
    presets: &[
        Preset {
            name: "barrage-stratego",
            params: "army=FBS2239M",
            about: "Eight pieces each on the usual board",
        },
        Preset {
            name: "mini-stratego",
            params: "columns=6,rows=6,home=2,lakes=[b3,b4,e3,e4],army=FBBS2233489M,plies=300",
            about: "Twelve pieces each on a board of 6x6 with two lakes",
        },
    ],
    tiny: "columns=4,rows=3,home=1,army=FB3M,plies=3",
};

/// The most cells of a board.
const MOST_CELLS: usize = 100;

/// How many squares of a setup are seen in one word.
const SQUARES_PER_WORD: usize = 10;

/// Setups are listed if there are at most so many.
const FEW_SETUPS: f64 = 200.0;

/// The rules, for one board and one army.
#[derive(Clone, Debug)]
pub struct Stratego {
    columns: u8,
    rows: u8,
    home: u8,
    /// All cells but the lakes.
    land: u128,
    /// The cells of the first and of the last column.
    edges: [u128; 2],
    army: Counts,
    setup: Where,
    /// Setups that are always drawn.
    given: [Option<Setup>; 2],
    two_squares: u8,
    plies: u16,
    reward: Reward,
}

impl Stratego {
    /// The game a specification asks for.
    pub fn from_params(params: &Params) -> Result<Stratego, BadSpec> {
        let columns: u8 = params.number("columns")?;
        let rows: u8 = params.number("rows")?;
        let home: u8 = params.number("home")?;
        if home > rows / 2 {
            return Err(params.bad("home", format!("a number from 1 to {}", rows / 2)));
        }
        let column = |at: u8| (0..rows).fold(0, |set, row| set | bit(row * columns + at));
        let mut rules = Stratego {
            columns,
            rows,
            home,
            land: u128::MAX >> (128 - u32::from(columns) * u32::from(rows)),
            edges: [column(0), column(columns - 1)],
            army: army::army(params, usize::from(columns) * usize::from(home))?,
            setup: params.choice("setup", &[Where::Anywhere, Where::FlagAtTheBack])?,
            given: [None; 2],
            two_squares: params.number("two-squares")?,
            plies: params.number("plies")?,
            reward: Reward::from_params(params)?,
        };
        for lake in rules.lakes(params)? {
            rules.land &= !bit(lake);
        }
        for (who, key) in [(Player(0), "red"), (Player(1), "blue")] {
            let given = params.text(key);
            if given != "drawn" {
                let setup = rules.parse_setup(who, given);
                let why = "drawn, or the whole army in rows from the last to the foremost";
                rules.given[who.index()] = Some(setup.ok_or_else(|| params.bad(key, why))?);
            }
        }
        Ok(rules)
    }

    /// The cells under water, which must not be where pieces are set up.
    fn lakes(&self, params: &Params) -> Result<Vec<u8>, BadSpec> {
        if params.text("lakes") == "usual" {
            let usual = (self.columns, self.rows) == (10, 10);
            return Ok(if usual { vec![42, 43, 46, 47, 52, 53, 56, 57] } else { Vec::new() });
        }
        if params.text("lakes") == "[]" {
            return Ok(Vec::new());
        }
        let names: Vec<String> = params.list("lakes")?;
        let middle = self.home * self.columns..(self.rows - self.home) * self.columns;
        let cell = |name: &String| self.parse_cell(name).filter(|cell| middle.contains(cell));
        let cells: Option<Vec<u8>> = names.iter().map(cell).collect();
        cells.ok_or_else(|| {
            params.bad("lakes", "usual, or a list of cells between the homes, such as [c3,d3]")
        })
    }

    fn cells(&self) -> u8 {
        self.columns * self.rows
    }

    fn cell_name(&self, cell: u8) -> String {
        format!("{}{}", char::from(b'a' + cell % self.columns), cell / self.columns + 1)
    }

    fn parse_cell(&self, name: &str) -> Option<u8> {
        let (letter, row) = name.split_at_checked(1)?;
        let column = letter.as_bytes()[0].checked_sub(b'a').filter(|c| *c < self.columns)?;
        let row: u8 = row.parse().ok().filter(|row| (1..=self.rows).contains(row))?;
        let cell = (row - 1) * self.columns + column;
        (self.cell_name(cell) == name).then_some(cell)
    }
}

/// What a player may do.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Serialize, Deserialize)]
pub enum Action {
    /// Move a piece from one cell to another.
    Move(u8, u8),
    /// Lose, for want of a move.
    GiveUp,
}

impl Stratego {
    fn set_up(&self, s: &mut State, setup: &Setup) {
        for (square, &piece) in setup.home.iter().enumerate().filter(|(_, piece)| **piece > 0) {
            let kind = Kind::ALL[usize::from(piece) - 1];
            s.put(self.home_cell(setup.who, square) as u8, Square::new(setup.who, kind));
        }
        s.phase = if setup.who.0 == 0 { Phase::Setup(Player(1)) } else { Phase::Move(Player(0)) };
    }

    fn setups_are_listed(&self) -> bool {
        self.given == [None; 2] && self.setups() <= FEW_SETUPS
    }
}

impl Rules for Stratego {
    type State = State;
    type Action = Action;
    type Outcome = Setup;

    fn facts(&self) -> Facts {
        Facts {
            hidden: self.setups() > 1.0,
            chance: if self.setups_are_listed() { Chance::Listed } else { Chance::Sampled },
            utility: self.reward.utility(),
            utility_bounds: self.reward.range(),
            ..Facts::open(2, u32::from(self.plies) + 2)
        }
    }

    fn start(&self) -> State {
        State {
            squares: Squares([Square::EMPTY; MOST_CELLS]),
            masks: Default::default(),
            lost: [[0; KINDS]; 2],
            last: Default::default(),
            plies: 0,
            phase: Phase::Setup(Player(0)),
        }
    }

    #[inline]
    fn turn(&self, s: &State) -> Turn {
        match s.phase {
            Phase::Setup(_) => Turn::Chance,
            Phase::Move(who) => Turn::Player(who),
            Phase::Over(_) => Turn::Terminal,
        }
    }

    fn actions(&self, s: &State, who: Player, out: &mut Vec<Action>) {
        let before = out.len();
        let barred = self.barred(s, who);
        for from in cells_of(s.masks[who.index()].mobile) {
            let moves = cells_of(self.reach(s, who, from)).filter(|&to| barred != Some((from, to)));
            out.extend(moves.map(|to| Action::Move(from, to)));
        }
        if out.len() == before {
            out.push(Action::GiveUp);
        }
    }

    fn chance(&self, s: &State, out: &mut Vec<(Setup, f64)>) {
        if let (Phase::Setup(who), true) = (s.phase, self.setups_are_listed()) {
            let setups = self.all_setups(who);
            let share = 1.0 / setups.len() as f64;
            out.extend(setups.into_iter().map(|setup| (setup, share)));
        }
    }

    fn sample_chance(&self, s: &State, rng: &mut Rng) -> Setup {
        match s.phase {
            Phase::Setup(who) => self.draw_setup(who, rng),
            _ => panic!("it is not chance's turn"),
        }
    }

    fn is_possible(&self, s: &State, setup: &Setup) -> bool {
        s.phase == Phase::Setup(setup.who) && self.is_setup(setup)
    }

    #[inline]
    fn apply(&self, s: &mut State, step: Step<'_, Self>) {
        match step {
            Step::Chance(setup) => self.set_up(s, setup),
            Step::Moves(&[(who, Action::Move(from, to)), ..]) => self.advance(s, who, from, to),
            Step::Moves(moves) => s.phase = Phase::Over(Some(moves[0].0.other())),
        }
    }

    fn rewards(&self, s: &State) -> Rewards {
        self.reward.of(match s.phase {
            Phase::Over(winner) => winner,
            _ => None,
        })
    }

    /// Everybody sees where pieces stand and go, both pieces of an attack, and that a piece moving far is a scout,
    /// which needs no saying. Words: for a setup its cells or, for its owner, its kinds; for a move 1, then from,
    /// to, and the kinds (plus 1) of both in an attack, a byte each; 2 for giving up.
    fn observe(&self, before: &State, step: Step<'_, Self>, by: Observer) -> Option<Observation> {
        let (who, action) = match step {
            Step::Chance(setup) => {
                let own = by.is(setup.who);
                let mut words = [0; 1 + MOST_CELLS / 2 / SQUARES_PER_WORD];
                words[0] = 3 + u64::from(setup.who.0);
                for (square, &piece) in setup.home.iter().enumerate() {
                    let piece = if own { piece } else { u8::from(piece > 0) };
                    words[1 + square / SQUARES_PER_WORD] |=
                        u64::from(piece) << (5 * (square % SQUARES_PER_WORD));
                }
                return Some(Observation::words(&words));
            }
            Step::Moves(_) => step.single(),
        };
        let Action::Move(from, to) = action else {
            return (!by.is(who)).then(|| Observation::word(2));
        };
        let strike = self.strike(before, who, from, to);
        let kinds = strike.defender.map_or(0, |d| (strike.attacker as u64 + 1) << 8 | (d as u64 + 1));
        let path = u64::from(from) << 24 | u64::from(to) << 16;
        match by.is(who) {
            true if strike.defender.is_none() => None,
            _ => Some(Observation::word(1 << 32 | path | kinds)),
        }
    }

    fn code(&self, action: Action) -> u64 {
        match action {
            Action::Move(from, to) => u64::from(from) * u64::from(self.cells()) + u64::from(to),
            Action::GiveUp => u64::from(self.cells()).pow(2),
        }
    }
}

impl Notation for Stratego {
    fn action_name(&self, action: Action) -> String {
        match action {
            Action::Move(from, to) => format!("{}-{}", self.cell_name(from), self.cell_name(to)),
            Action::GiveUp => "give-up".to_string(),
        }
    }

    fn parse_action(&self, name: &str) -> Option<Action> {
        if name == "give-up" {
            return Some(Action::GiveUp);
        }
        let (from, to) = name.split_once('-')?;
        let (from, to) = (self.parse_cell(from)?, self.parse_cell(to)?);
        let straight =
            (from % self.columns == to % self.columns) != (from / self.columns == to / self.columns);
        straight.then_some(Action::Move(from, to))
    }

    fn outcome_name(&self, setup: &Setup) -> String {
        self.setup_name(setup)
    }

    fn parse_outcome(&self, name: &str) -> Option<Setup> {
        self.parse_setup_name(name)
    }

    fn explain(&self, seen: &Observation, by: Observer) -> String {
        let first = seen.first();
        let byte = |at: u32| (first >> at & 0xff) as u8;
        let kind = |at: u32| Kind::ALL.get(usize::from(byte(at)).wrapping_sub(1)).copied();
        let inside = byte(24) < self.cells() && byte(16) < self.cells();
        match first >> 32 {
            0 if first == 2 => "the other has no move and gives up".to_string(),
            0 if first == 3 || first == 4 => {
                let own = by.is(Player((first - 3) as u8));
                if own { "you set up" } else { "the other sets up" }.to_string()
            }
            1 if inside => {
                let path = format!("{}-{}", self.cell_name(byte(24)), self.cell_name(byte(16)));
                let Some((attacker, defender)) = kind(8).zip(kind(0)) else {
                    return format!("{} moves {path}", mover(by));
                };
                let [attacks, stands] = [attacker, defender].map(Kind::name);
                let fallen = match Clash::of(attacker, defender) {
                    Clash::Wins => format!("the {stands} falls"),
                    Clash::Loses => format!("the {attacks} falls"),
                    Clash::Both => "both fall".to_string(),
                };
                format!("{path}: {attacks} attacks {stands}, {fallen}")
            }
            _ => seen.to_string(),
        }
    }

    fn scene_of(&self, s: &State) -> Scene {
        self.draw(&Info::of_everything(s))
    }

    fn role(&self, _state: &State, seat: Player) -> String {
        SIDES[seat.index()].to_string()
    }
}

impl FastPlay for Stratego {
    const DECODES: bool = true;

    #[inline]
    fn decode(&self, code: u64) -> Action {
        let cells = u64::from(self.cells());
        if code == cells * cells {
            Action::GiveUp
        } else {
            Action::Move((code / cells) as u8, (code % cells) as u8)
        }
    }

    /// All single steps of one direction are one shift; only far moves of scouts are looked at one by one.
    #[inline]
    fn random_action(&self, s: &State, who: Player, rng: &mut Rng, _: &mut Scratch<Self>) -> Action {
        let (own, other) = (&s.masks[who.index()], s.masks[who.other().index()].all);
        let sets: [u128; 8] = std::array::from_fn(|i| match i {
            0..4 => self.step(own.mobile, i) & !own.all,
            _ => self.far(own.scouts, i - 4, own.all, other),
        });
        let all: u32 = sets.iter().map(|set| set.count_ones()).sum();
        let barred = self.barred(s, who).filter(|&(from, to)| self.reach(s, who, from) & bit(to) != 0);
        if all == u32::from(barred.is_some()) {
            return Action::GiveUp;
        }
        loop {
            let mut skipped = rng.below(all);
            let mut i = 0;
            while skipped >= sets[i].count_ones() {
                skipped -= sets[i].count_ones();
                i += 1;
            }
            let to = nth(sets[i], skipped);
            let mut from = self.back(to, i % 4);
            if i >= 4 {
                while own.scouts & bit(from) == 0 {
                    from = self.back(from, i % 4);
                }
            }
            if barred != Some((from, to)) {
                return Action::Move(from, to);
            }
        }
    }

    fn codes(&self) -> Option<usize> {
        Some(self.code(Action::GiveUp) as usize + 1)
    }
}

impl Game for Stratego {
    type Info = Info;
    type Sampler = Worlds;

    fn info(&self, s: &State, by: Observer) -> Info {
        Info::of(s, by)
    }

    fn sampler(&self, k: &Info) -> Worlds {
        Worlds::of(self, k)
    }

    fn sample(&self, from: &mut Worlds, rng: &mut Rng, into: &mut State) -> f64 {
        from.draw(rng, into);
        1.0
    }

    fn scene(&self, k: &Info) -> Scene {
        self.draw(k)
    }

    fn spots(&self, _: &Info, _: Player, action: Action) -> Vec<String> {
        match action {
            Action::Move(from, to) => {
                [from, to].map(|cell| format!("board/{}", self.cell_name(cell))).to_vec()
            }
            Action::GiveUp => Vec::new(),
        }
    }

    fn tell(&self, step: Witnessed<'_, Action, Info>) -> Option<String> {
        let attack = step.before.lost != step.after.lost;
        match step.before.phase {
            Phase::Move(who) if attack => step.words.map(|words| format!("{} {words}", SIDES[who.index()])),
            _ => step.words,
        }
    }

    fn info_extras(&self) -> InfoExtras<'_, Self> {
        InfoExtras { tensors: Some(self), ..InfoExtras::NONE }
    }
}

//! Scotland Yard: Mr X hides in a city, and those who seek him see only which tickets he uses.
//!
//! Mr X and some seekers stand on stations linked by taxi, bus, underground and boat. In a round Mr X moves,
//! then the seekers one after the other in a fixed order, all of them in the hands of one player. A move is
//! paid with a ticket for its means of transport; what seekers pay goes to Mr X. A black ticket pays for
//! everything, boats included, and only Mr X has them. Everybody sees Mr X's tickets, but where he is only
//! when he surfaces, after certain of his moves. Nobody enters the station of a seeker, except that a seeker
//! who enters the station of Mr X catches him and wins. Mr X wins if no seeker can move any more, or when his
//! moves have run out. He loses if he cannot move; a single seeker who cannot move is passed over.
//!
//! Rules: Whitehouse 2014, §4.2.12, and for what it leaves open (start cards, tickets, seekers) the printed
//! game of 1983 with the board of London. It is the game of the thesis whose hidden part, a location, changes
//! as it is played, and in which up to 199 states are possible at once. With double-move cards (`doubles=2`,
//! off as in the thesis) Mr X may move twice in a round. What Nijssen and Winands (2012) know of playing it
//! is offered to searches: [`POLICIES`] and [`EVALUATIONS`].

use std::sync::OnceLock;

use fogtree_core::files::read_text;
use fogtree_core::{
    BadSpec, Chance, Extras, Facts, FastPlay, Notation, Observation, Observer, Params, Player, Rewards, Rng,
    Rules, Scene, Scratch, Step, Turn,
};
use serde::{Deserialize, Serialize};

use crate::reward::Reward;

mod about;
pub mod board;
mod distance;
mod evaluate;
mod generate;
mod hunt;
mod known;
mod layout;
mod policy;
mod scene;
mod seen;
mod team;
mod tensors;
mod text;
mod trail;

pub use about::ABOUT;
use board::{Board, Hop, Kinds, Ticket, payable};
pub use distance::Distances;
pub use evaluate::EVALUATIONS;
pub use known::{Info, Sampler};
use layout::Place;
pub use policy::POLICIES;
use seen::Sight;
use team::Team;
use trail::Trail;

/// Who hides.
pub const MR_X: Player = Player(0);
/// Who seeks; the first of them if each seeker has a seat.
pub const SEEKERS: Player = Player(1);

const MOST_SEEKERS: usize = 5;
const MOST_ROUNDS: usize = 24;
/// The station of somebody who is not there, or not seen.
const NOWHERE: u8 = u8::MAX;

/// The rules of one instance.
#[derive(Clone, Debug)]
pub struct ScotlandYard {
    board: Board,
    /// Where stations are drawn; found when somebody looks for the first time, unless it is known.
    places: OnceLock<Vec<Place>>,
    seekers: usize,
    rounds: u8,
    /// Bit `m` is set if Mr X is seen after his move `m`, counted from 1.
    surface: u32,
    fares: [u8; 3],
    x_fares: [u8; 4],
    doubles: u8,
    team: Team,
    epsilon: f64,
    reward: Reward,
}

impl ScotlandYard {
    /// The game a specification asks for.
    pub fn from_params(params: &Params) -> Result<ScotlandYard, BadSpec> {
        let (board, places) = board_of(params)?;
        let seekers: usize = params.number("seekers")?;
        if board.starts().len() <= seekers {
            let cards = board.starts().len();
            return Err(params.bad("seekers", format!("fewer: the board has {cards} start cards")));
        }
        let rounds = params.number("rounds")?;
        let surface: Vec<u32> =
            if params.text("surface") == "[]" { Vec::new() } else { params.list("surface")? };
        if !surface.iter().all(|m| (1..=MOST_ROUNDS as u32).contains(m)) {
            return Err(params.bad("surface", format!("moves from 1 to {MOST_ROUNDS}")));
        }
        let x: Vec<u8> = params.list("x")?;
        let &[taxi, bus, underground] = &x[..] else {
            return Err(params.bad("x", "the numbers of taxi, bus and underground tickets"));
        };
        if x.iter().any(|&tickets| tickets > 30) {
            return Err(params.bad("x", "at most 30 tickets of a kind"));
        }
        let black = match params.text("black") {
            "seekers" => seekers as u8,
            _ => params.number("black")?,
        };
        Ok(ScotlandYard {
            board,
            places: places.map_or_else(OnceLock::new, OnceLock::from),
            seekers,
            rounds,
            surface: surface.iter().fold(0, |set, m| set | 1 << m),
            fares: [params.number("taxi")?, params.number("bus")?, params.number("underground")?],
            x_fares: [taxi, bus, underground, black],
            doubles: params.number("doubles")?,
            team: Team::from_params(params)?,
            epsilon: params.number("epsilon")?,
            reward: Reward::from_params(params)?,
        })
    }

    /// Where it is played.
    pub fn board(&self) -> &Board {
        &self.board
    }

    fn places(&self) -> &[Place] {
        self.places.get_or_init(|| layout::places(&self.board))
    }
}

/// The board that the parameters ask for, and where its stations lie if that is known.
fn board_of(params: &Params) -> Result<(Board, Option<Vec<Place>>), BadSpec> {
    const LARGEST_FILE: u64 = 1 << 20;
    let file = params.text("file");
    let stations = params.number("stations")?;
    let seed = params.number("seed")?;
    if !file.is_empty() {
        let text = read_text(file, LARGEST_FILE);
        let text = text.map_err(|why| params.bad("file", format!("a file with a board: {why}")))?;
        let board = Board::read(&text).map_err(|why| params.bad("file", format!("a board ({why})")))?;
        return Ok((board, None));
    }
    match params.text("board") {
        "random" => {
            // Jittered stations may lie close together: drawn a little apart, their numbers can be read.
            let apart = |(x, y): Place| (1.5 * x, 1.5 * y);
            let places = generate::places(stations, seed).into_iter().map(apart).collect();
            Ok((generate::board(stations, seed), Some(places)))
        }
        name => {
            let board = Board::named(name);
            let board = board.ok_or_else(|| params.bad("board", "one of london, tiny, random"))?;
            Ok((board, (name == "london").then(layout::london)))
        }
    }
}

/// A move.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Serialize, Deserialize)]
pub enum Action {
    /// Go to a station, counted from 0.
    Go {
        /// Whether Mr X moves once more at once. Actions rise as their codes do, so these come last.
        double: bool,
        /// The station.
        to: u8,
        /// What is paid.
        by: Ticket,
    },
    /// Mr X cannot move, and so is caught.
    Stuck,
}

/// Everything: where all are, what tickets they have, and what of Mr X's moves matters to those who seek him.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Serialize, Deserialize)]
pub struct State {
    /// Nowhere before the start and in what is known to somebody who does not know it.
    x: u8,
    seekers: [u8; MOST_SEEKERS],
    fares: [[u8; 3]; MOST_SEEKERS],
    x_fares: [u8; 4],
    doubles: u8,
    /// How often Mr X has moved.
    moves: u8,
    /// Where Mr X was last seen.
    shown: u8,
    /// His moves since then.
    trail: Trail,
    phase: Phase,
}

/// What comes next.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Serialize, Deserialize)]
enum Phase {
    /// A start card is drawn: for each seeker, then for Mr X.
    Deal(u8),
    /// Mr X moves.
    X,
    /// Mr X moves again.
    XAgain,
    /// This seeker moves.
    Seeker(u8),
    /// It is over.
    Over(End),
}

/// How a game ended.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Serialize, Deserialize)]
enum End {
    Caught,
    XStuck,
    SeekersStuck,
    Escaped,
}

impl ScotlandYard {
    /// Whether Mr X is seen after this move.
    #[inline]
    fn surfaces(&self, number: u8) -> bool {
        self.surface >> number & 1 == 1
    }

    /// Who is to move, with which tickets: the station, and the kinds of tickets.
    #[inline]
    fn mover(&self, s: &State) -> (u8, Kinds) {
        match s.phase {
            Phase::Seeker(k) => (s.seekers[k as usize], purse(&s.fares[k as usize])),
            _ => (s.x, purse(&s.x_fares)),
        }
    }

    /// Where one can go from a station with these kinds of tickets, and which of them pay for it.
    #[inline]
    fn exits(&self, s: &State, from: u8, purse: Kinds) -> impl Iterator<Item = (u8, Kinds)> {
        let seekers = s.seekers;
        let free = self.board.links(from).iter().filter(move |link| !seekers.contains(&link.to));
        free.map(move |link| (link.to, payable(link.kinds, purse))).filter(|exit| exit.1 != 0)
    }

    #[inline]
    fn can_move(&self, s: &State, seeker: usize) -> bool {
        self.exits(s, s.seekers[seeker], purse(&s.fares[seeker])).next().is_some()
    }

    /// Whether Mr X may play a double-move card with this move.
    #[inline]
    fn may_double(&self, s: &State) -> bool {
        s.phase == Phase::X && s.doubles > 0 && s.moves + 2 <= self.rounds
    }

    /// What comes after the seekers before this one have moved.
    #[inline]
    fn after_seekers(&self, s: &State, next: usize) -> Phase {
        match (next..self.seekers).find(|&k| self.can_move(s, k)) {
            Some(k) => Phase::Seeker(k as u8),
            None if s.moves == self.rounds => Phase::Over(End::Escaped),
            None => self.new_round(s),
        }
    }

    #[inline]
    fn new_round(&self, s: &State) -> Phase {
        let alive = (0..self.seekers).any(|k| self.can_move(s, k));
        if alive { Phase::X } else { Phase::Over(End::SeekersStuck) }
    }

    #[inline]
    fn deal(&self, s: &mut State, card: u8, station: u8) {
        if (card as usize) < self.seekers {
            s.seekers[card as usize] = station;
            s.phase = Phase::Deal(card + 1);
        } else {
            s.x = station;
            s.phase = self.new_round(s);
        }
    }

    #[inline]
    fn move_x(&self, s: &mut State, to: u8, by: Ticket, double: bool) {
        s.x = to;
        s.x_fares[by as usize] -= 1;
        s.doubles -= u8::from(double);
        s.moves += 1;
        if self.surfaces(s.moves) {
            s.shown = to;
            s.trail = Trail::default();
        } else {
            s.trail.push(by, s.seekers);
        }
        s.phase = if double { Phase::XAgain } else { self.after_seekers(s, 0) };
    }

    #[inline]
    fn move_seeker(&self, s: &mut State, seeker: u8, to: u8, by: Ticket) {
        let k = seeker as usize;
        s.seekers[k] = to;
        s.fares[k][by as usize] -= 1;
        s.x_fares[by as usize] += 1;
        s.phase = if to == s.x { Phase::Over(End::Caught) } else { self.after_seekers(s, k + 1) };
    }

    /// The start cards that nobody has drawn.
    fn cards(&self, s: &State) -> impl Iterator<Item = u8> + Clone {
        let seekers = s.seekers;
        self.board.starts().iter().copied().filter(move |card| !seekers.contains(card))
    }
}

/// The kinds of tickets somebody has.
#[inline]
fn purse(fares: &[u8]) -> Kinds {
    fares.iter().rev().fold(0, |kinds, &tickets| kinds << 1 | Kinds::from(tickets > 0))
}

impl Rules for ScotlandYard {
    type State = State;
    type Action = Action;
    type Outcome = u8;

    fn facts(&self) -> Facts {
        Facts {
            players: self.seats(),
            hidden: true,
            hidden_moves: (1..=self.rounds).any(|m| !self.surfaces(m)),
            chance: Chance::Listed,
            simultaneous: false,
            utility: self.utility(),
            utility_bounds: self.reward.range(),
            max_length: self.seekers as u32 + 1 + u32::from(self.rounds) * (self.seekers as u32 + 1),
        }
    }

    fn start(&self) -> State {
        let mut fares = [[0; 3]; MOST_SEEKERS];
        fares[..self.seekers].fill(self.fares);
        State {
            x: NOWHERE,
            seekers: [NOWHERE; MOST_SEEKERS],
            fares,
            x_fares: self.x_fares,
            doubles: self.doubles,
            moves: 0,
            shown: NOWHERE,
            trail: Trail::default(),
            phase: Phase::Deal(0),
        }
    }

    #[inline]
    fn turn(&self, s: &State) -> Turn {
        match s.phase {
            Phase::Deal(_) => Turn::Chance,
            Phase::X | Phase::XAgain => Turn::Player(MR_X),
            Phase::Seeker(k) => Turn::Player(self.seat_of(k)),
            Phase::Over(_) => Turn::Terminal,
        }
    }

    fn actions(&self, s: &State, who: Player, out: &mut Vec<Action>) {
        let (from, purse) = self.mover(s);
        let before = out.len();
        for &double in if self.may_double(s) { &[false, true][..] } else { &[false] } {
            for (to, kinds) in self.exits(s, from, purse) {
                let pay = Ticket::ALL.into_iter().filter(|&by| kinds >> by as u8 & 1 == 1);
                out.extend(pay.map(|by| Action::Go { double, to, by }));
            }
        }
        if who == MR_X && out.len() == before {
            out.push(Action::Stuck);
        }
    }

    fn chance(&self, s: &State, out: &mut Vec<(u8, f64)>) {
        if let Phase::Deal(_) = s.phase {
            let share = 1.0 / self.cards(s).count() as f64;
            out.extend(self.cards(s).map(|card| (card, share)));
        }
    }

    #[inline]
    fn sample_chance(&self, s: &State, rng: &mut Rng) -> u8 {
        let cards = self.cards(s);
        let drawn = rng.below(cards.clone().count() as u32);
        cards.clone().nth(drawn as usize).unwrap_or(NOWHERE)
    }

    #[inline]
    fn apply(&self, s: &mut State, step: Step<'_, Self>) {
        match (step, s.phase) {
            (Step::Chance(&station), Phase::Deal(card)) => self.deal(s, card, station),
            (Step::Moves(&[(_, Action::Go { to, by, .. }), ..]), Phase::Seeker(k)) => {
                self.move_seeker(s, k, to, by);
            }
            (Step::Moves(&[(_, Action::Go { to, by, double }), ..]), _) => self.move_x(s, to, by, double),
            _ => s.phase = Phase::Over(End::XStuck),
        }
    }

    #[inline]
    fn rewards(&self, s: &State) -> Rewards {
        self.shares(s)
    }

    #[inline]
    fn observe(&self, before: &State, step: Step<'_, Self>, by: Observer) -> Option<Observation> {
        let sight = match (step, before.phase) {
            (Step::Chance(&station), Phase::Deal(card)) if (card as usize) < self.seekers => {
                Sight::SeekerStarts { seeker: card, at: station }
            }
            (Step::Chance(&station), _) => Sight::XStarts { at: by.is(MR_X).then_some(station) },
            (Step::Moves(&[(_, Action::Go { to, by: ticket, .. }), ..]), Phase::Seeker(seeker)) => {
                let caught = to == before.x;
                if by.is(self.seat_of(seeker)) && !caught {
                    return None;
                }
                Sight::SeekerGoes { seeker, to, ticket, caught }
            }
            _ if by.is(MR_X) => return None,
            (Step::Moves(&[(_, Action::Go { to, by: ticket, double }), ..]), _) => {
                let to = self.surfaces(before.moves + 1).then_some(to);
                Sight::XGoes { to, ticket, double }
            }
            _ => Sight::XIsStuck,
        };
        Some(sight.seen())
    }

    #[inline]
    fn code(&self, action: Action) -> u64 {
        match action {
            Action::Stuck => 0,
            Action::Go { to, by, double } => {
                let place = if double { self.board.stations() as u64 } else { 0 } + u64::from(to);
                1 + 4 * place + by as u64
            }
        }
    }

    fn extras(&self) -> Extras<'_, Self> {
        Extras { evaluations: Some(self), policies: Some(self), ..Extras::NONE }
    }
}

impl Notation for ScotlandYard {
    fn action_name(&self, action: Action) -> String {
        match action {
            Action::Stuck => "stuck".to_string(),
            Action::Go { to, by, double } => {
                format!("{}-{}{}", by.name(), u32::from(to) + 1, if double { "-double" } else { "" })
            }
        }
    }

    fn parse_action(&self, name: &str) -> Option<Action> {
        if name == "stuck" {
            return Some(Action::Stuck);
        }
        let (ticket, rest) = name.split_once('-')?;
        let by = Ticket::ALL.into_iter().find(|by| by.name() == ticket)?;
        let (station, double) = rest.strip_suffix("-double").map_or((rest, false), |station| (station, true));
        let to = self.parse_outcome(station)?;
        (!double || self.doubles > 0).then_some(Action::Go { to, by, double })
    }

    fn outcome_name(&self, &station: &u8) -> String {
        (u32::from(station) + 1).to_string()
    }

    fn parse_outcome(&self, name: &str) -> Option<u8> {
        let number: usize = name.parse().ok()?;
        let station = number.checked_sub(1).filter(|&s| s < self.board.stations())? as u8;
        (self.outcome_name(&station) == name).then_some(station)
    }

    fn explain(&self, seen: &Observation, by: Observer) -> String {
        text::explain(Sight::of(seen), by)
    }

    fn scene_of(&self, s: &State) -> Scene {
        self.picture(s, Observer::Public)
    }

    fn role(&self, _state: &State, seat: Player) -> String {
        if seat == MR_X { "mr-x" } else { "seekers" }.to_string()
    }
}

impl FastPlay for ScotlandYard {
    #[inline]
    fn random_action(&self, s: &State, _who: Player, rng: &mut Rng, _scratch: &mut Scratch<Self>) -> Action {
        /// So many ways are tried before the legal ones are counted.
        const TRIES: usize = 6;
        let (from, fares) = match s.phase {
            Phase::Seeker(k) => (s.seekers[k as usize], &s.fares[k as usize][..]),
            _ => (s.x, &s.x_fares[..]),
        };
        let hops = self.board.hops(from, fares.len() > 3);
        for _ in 0..TRIES {
            let &Hop { to, by } = rng.pick(hops);
            if fares[by as usize] > 0 && !s.seekers.contains(&to) {
                return Action::Go { to, by, double: self.may_double(s) && rng.below(2) == 1 };
            }
        }
        let purse = purse(fares);
        let choices: u32 = self.exits(s, from, purse).map(|exit| exit.1.count_ones()).sum();
        if choices == 0 {
            return Action::Stuck;
        }
        let double = self.may_double(s) && rng.below(2) == 1;
        let mut skip = rng.below(choices);
        for (to, mut kinds) in self.exits(s, from, purse) {
            if skip >= kinds.count_ones() {
                skip -= kinds.count_ones();
                continue;
            }
            while skip > 0 {
                kinds &= kinds - 1;
                skip -= 1;
            }
            return Action::Go { to, by: Ticket::ALL[kinds.trailing_zeros() as usize], double };
        }
        unreachable!("as many choices were counted")
    }

    const DECODES: bool = true;

    #[inline]
    fn decode(&self, code: u64) -> Action {
        let Some(code) = code.checked_sub(1) else { return Action::Stuck };
        let (place, stations) = (code / 4, self.board.stations() as u64);
        let double = place >= stations;
        let to = if double { place - stations } else { place };
        Action::Go { double, to: to as u8, by: Ticket::ALL[code as usize % 4] }
    }

    fn codes(&self) -> Option<usize> {
        let places = self.board.stations() * if self.doubles > 0 { 2 } else { 1 };
        Some(1 + 4 * places)
    }
}

#[cfg(test)]
mod tests;

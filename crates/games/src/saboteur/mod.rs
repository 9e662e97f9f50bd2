//! Saboteur: dwarfs dig for gold, and some of them secretly see to it that nobody finds it.
//!
//! Everybody is dealt a hidden role, digger or saboteur, and a hand of cards; one role card is put away
//! unseen. Path cards make a tunnel from the start card towards three goal cards that lie face down; one of
//! them is the gold. In turn a player plays a card or puts one away face down, and draws another while the
//! stock lasts. A path card must match all cards it touches and be connected with the start. Other cards
//! break a tool of another player, who may then lay no paths, or repair one, bring down a path card, or give a
//! private look at a goal. Tunnels that reach a goal turn it up. The diggers win when that is the gold,
//! the saboteurs when the cards run out first. Roles stay hidden to the end.
//!
//! Rules: F. Moyersoen, *Saboteur* (2004), one round, 1 for everybody on the winning side; Whitehouse 2014,
//! §4.2.13. It is the game on which Whitehouse tests inference of roles (§7.5.5): saboteurs do not know each
//! other, and most of what is hidden besides the roles hardly matters.

use arrayvec::ArrayVec;
use fogtree_core::{
    About, BadSpec, Chance, Domain, Facts, FastPlay, Notation, Observation, Observer, Param, Params, Player,
    Rewards, Rng, Rules, Scene, Scratch, Step, Turn, Utility,
};
use serde::{Deserialize, Serialize};

mod board;
mod cards;
mod knowledge;
mod notation;
mod scene;
#[cfg(test)]
mod tests;

use board::{Board, CELLS, Cells, cell};
use cards::{BROKEN, Copies, Deck, Hand, KINDS, Kind, MAP, MOST_CARDS, PATHS, REPAIR, ROCKFALL};
pub use knowledge::{Info, Sampler};

/// What `fogtree games` says of it.
pub static ABOUT: About = About {
    name: "saboteur",
    summary: "Dig for gold among hidden saboteurs: hidden roles, hands, discards and goals, 3 to 10 players",
    source: "Moyersoen 2004; ismcts 4.12; icarus 1.5.3",
    params: &[
        Param::new(
            "players",
            "5",
            Domain::Integer(2, MOST_PLAYERS as i128),
            "2 to 10; the game in the box is for 3 to 10",
        ),
        Param::new(
            "deck",
            "full",
            Domain::Or("full", &Domain::List),
            "full, or a list of cards such as [TRBL*5,xTB,map*2]",
        ),
        Param::new(
            "hand",
            "auto",
            Domain::Or("auto", &Domain::Integer(1, Hand::MOST as i128)),
            "cards in a hand, 1 to 6; auto is as in the box",
        ),
        Param::new("distance", "7", Domain::Integer(1, 7), "cells between the start and the goals, 1 to 7"),
        Param::new("goals", "3", Domain::Integer(1, 3), "goal cards, 1 to 3, one of them gold"),
        Param::new("border", "2", Domain::Integer(0, 2), "rows and columns beyond start and goals, 0 to 2"),
        Param::new(
            "prior",
            "deal",
            Domain::Choice(&["deal", "thesis"]),
            "beliefs about roles before play: deal, or thesis, where the most saboteurs count double",
        ),
    ],
    presets: &[],
    tiny: "players=2,deck=[RL*2,xRL,map*2],hand=2,distance=1,goals=2,border=0",
};

const MOST_PLAYERS: usize = 10;
/// What is on the goal cards, by number: gold, a stone with a curve, a stone with the other curve.
const GOAL_OPENINGS: [cards::Openings; 3] = [0b1111, 0b0011, 0b1001];
const GOLD: u8 = 0;
/// A goal that is not laid out, or not known.
const NO_GOAL: u8 = u8::MAX;
/// A card put away face down, in the list of cards used.
const FACE_DOWN: u8 = 0x80;

/// The rules of one instance.
#[derive(Clone, Debug)]
pub struct Saboteur {
    players: usize,
    deck: Deck,
    /// How many cards the deck has.
    cards: usize,
    hand: usize,
    /// Where paths may be laid.
    table: Cells,
    goals: ArrayVec<u8, 3>,
    goal_cells: Cells,
    /// The sets of saboteurs that the deal of roles may make, all equally likely.
    roles: Vec<u16>,
    prior: Prior,
}

/// What beliefs about roles start from.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Prior {
    /// As the roles are dealt: every set is equally likely.
    Deal,
    /// A set with all saboteurs of the box counts twice as much as one of whom one is put away.
    Thesis,
}

impl Saboteur {
    /// The game a specification asks for.
    pub fn from_params(params: &Params) -> Result<Saboteur, BadSpec> {
        let players = params.number("players")?;
        let deck = match params.text("deck") {
            "full" => Deck::FULL,
            _ => read_deck(params)?,
        };
        let cards = deck.size();
        let hand = match params.text("hand") {
            "auto" => [6, 6, 6, 6, 5, 5, 4, 4, 4][players - 2],
            _ => params.number("hand")?,
        };
        if cards < players * hand {
            return Err(params.bad("deck", format!("at least {players} hands of {hand} cards")));
        }
        let column = params.number::<usize>("distance")? + 3;
        let goals: ArrayVec<u8, 3> =
            [4, 6, 2].into_iter().take(params.number("goals")?).map(|row| cell(column, row)).collect();
        let saboteurs = [1, 1, 1, 2, 2, 3, 3, 3, 4][players - 2];
        let sizes = [saboteurs - 1, saboteurs];
        Ok(Saboteur {
            players,
            deck,
            cards,
            hand,
            table: board::table(column, params.number("border")?),
            goal_cells: goals.iter().fold(Cells::default(), |set, &at| Cells(set.0 | 1 << at)),
            goals,
            roles: (0..1 << players).filter(|set: &u16| sizes.contains(&set.count_ones())).collect(),
            prior: params.choice("prior", &[Prior::Deal, Prior::Thesis])?,
        })
    }
}

fn read_deck(params: &Params) -> Result<Deck, BadSpec> {
    let expected = format!("full, or a list such as [TRBL*5,xTB,map*2] of at most {MOST_CARDS} cards");
    let listed: Vec<Copies> = params.list("deck").map_err(|_| params.bad("deck", &expected))?;
    let mut deck = Deck([0; KINDS]);
    for Copies(kind, copies) in listed {
        deck.0[kind as usize] = deck.0[kind as usize].saturating_add(copies);
    }
    if (1..=MOST_CARDS).contains(&deck.size()) { Ok(deck) } else { Err(params.bad("deck", expected)) }
}

/// What a player may do. Cards are given by kind.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Serialize, Deserialize)]
pub enum Action {
    /// Lay a path card in a cell, upright or upside down.
    Lay {
        /// The card.
        card: u8,
        /// Whether it is laid upside down.
        turned: bool,
        /// The cell.
        at: u8,
    },
    /// Break a tool of another player.
    Break {
        /// The tool.
        tool: u8,
        /// Whose it is.
        whose: Player,
    },
    /// Repair a tool of any player.
    Repair {
        /// The card.
        card: u8,
        /// The tool.
        tool: u8,
        /// Whose it is.
        whose: Player,
    },
    /// Bring down the path card in a cell.
    Rockfall {
        /// The cell.
        at: u8,
    },
    /// Look at a goal.
    Look {
        /// The goal, by number.
        goal: u8,
    },
    /// Put a card away face down.
    Discard {
        /// The card.
        card: u8,
    },
}

impl Action {
    /// The card it takes.
    fn card(self) -> Kind {
        match self {
            Action::Lay { card, .. } | Action::Repair { card, .. } | Action::Discard { card } => card,
            Action::Break { tool, .. } => BROKEN + tool,
            Action::Rockfall { .. } => ROCKFALL,
            Action::Look { .. } => MAP,
        }
    }
}

/// What chance draws.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Serialize, Deserialize)]
pub enum Outcome {
    /// The roles: the set of saboteurs, one bit per seat.
    Roles(u16),
    /// What lies at every goal: 0 is the gold.
    Goals([u8; 3]),
    /// A card for the next player in turn.
    Card(u8),
}

/// Everything. Who deals, draws or plays follows from the numbers of cards drawn and used.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct State {
    table: Table,
    saboteurs: Option<u16>,
    goals: [u8; 3],
    hands: [Hand; MOST_PLAYERS],
    stock: [u8; KINDS],
    /// The card used in every turn, [`FACE_DOWN`] with it if it was put away. The order matters: it tells which
    /// hands a player may have had.
    used: ArrayVec<u8, MOST_CARDS>,
}

/// What everybody sees, apart from the cards played.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Serialize, Deserialize)]
struct Table {
    board: Board,
    /// The broken tools of every player, one bit each.
    broken: [u8; MOST_PLAYERS],
    /// The goals every player has looked at, one bit each.
    looked: [u8; MOST_PLAYERS],
    /// How many cards have been dealt and drawn.
    drawn: u8,
}

impl Saboteur {
    /// The seat for which the next card is drawn, if one is to be drawn now.
    #[inline]
    fn drawer(&self, drawn: usize, turns: usize) -> Option<Player> {
        let dealt = self.players * self.hand;
        let seat = if drawn < dealt {
            drawn % self.players
        } else if drawn < (dealt + turns).min(self.cards) {
            (turns - 1) % self.players
        } else {
            return None;
        };
        Some(Player(seat as u8))
    }

    #[inline]
    fn is_gold_found(&self, s: &State) -> bool {
        (s.table.board.cards.0 & self.goal_cells.0) != 0
            && self.goals.iter().zip(s.goals).any(|(&at, card)| card == GOLD && s.table.board.cards.has(at))
    }

    /// The card at every goal that a seat has seen; those turned up for the public.
    fn goals_seen(&self, s: &State, by: Observer) -> [u8; 3] {
        let looked = by.seat().map_or(0, |p| s.table.looked[p.index()]);
        let mut seen = [NO_GOAL; 3];
        for (i, &at) in self.goals.iter().enumerate() {
            if looked >> i & 1 == 1 || s.table.board.cards.has(at) {
                seen[i] = s.goals[i];
            }
        }
        seen
    }

    /// Turns up the goals that the tunnel has reached, until it reaches no more. A stone is laid so that its
    /// curve opens to where the tunnel comes from, whether its other sides match or not.
    #[inline]
    fn turn_goals(&self, board: &mut Board, goals: &[u8; 3]) {
        loop {
            let mouths = board.mouths();
            let all = mouths.iter().fold(0, |all, cells| all | cells.0);
            if all & self.goal_cells.0 & !board.cards.0 == 0 {
                return;
            }
            let reached = |at: u8| (0..4).find(|&side| mouths[side].has(at));
            let hidden = self.goals.iter().enumerate().filter(|(_, at)| !board.cards.has(**at));
            let found = hidden.filter_map(|(i, &at)| reached(at).map(|side| (i, at, side))).next();
            let Some((i, at, side)) = found else { return };
            let upright = GOAL_OPENINGS[goals[i] as usize];
            let fits = upright >> side & 1 == 1;
            board.lay(at, if fits { upright } else { upright ^ 0b1111 }, false);
        }
    }

    /// The cells where path cards may be laid that fit.
    #[inline]
    fn free(&self, board: &Board) -> u128 {
        self.table.0 & !board.cards.0 & !self.goal_cells.0
    }

    /// The path cards a rockfall may bring down.
    #[inline]
    fn loose(&self, board: &Board) -> Cells {
        Cells(board.cards.0 & !self.goal_cells.0 & !(1 << board::START))
    }

    /// Calls `each` with every group of legal actions that differ in a cell alone, in rising order, and with
    /// those cells; single actions come with one cell, which does not matter.
    #[inline]
    fn groups(&self, s: &State, who: Player, mut each: impl FnMut(Action, Cells)) {
        const ONE: Cells = Cells(1);
        let (hand, board) = (s.hands[who.index()].kinds(), &s.table.board);
        let (paths, others) = hand.split_at(hand.iter().filter(|&&card| card < PATHS).count());
        if s.table.broken[who.index()] == 0 && !paths.is_empty() {
            let (fits, free) = (board.fits(), self.free(board));
            for &card in paths {
                for &turned in cards::ways(card) {
                    let places = Cells(fits.places(cards::openings(card, turned)).0 & free);
                    each(Action::Lay { card, turned, at: 0 }, places);
                }
            }
        }
        for &card in others {
            match card {
                BROKEN..REPAIR => {
                    let tool = card - BROKEN;
                    for whose in Player::all(self.players).filter(|&p| p != who) {
                        if s.table.broken[whose.index()] >> tool & 1 == 0 {
                            each(Action::Break { tool, whose }, ONE);
                        }
                    }
                }
                REPAIR..ROCKFALL => {
                    for tool in (0..3).filter(|tool| cards::mends(card) >> tool & 1 == 1) {
                        for whose in Player::all(self.players) {
                            if s.table.broken[whose.index()] >> tool & 1 == 1 {
                                each(Action::Repair { card, tool, whose }, ONE);
                            }
                        }
                    }
                }
                ROCKFALL => each(Action::Rockfall { at: 0 }, self.loose(board)),
                _ => {
                    for (goal, &at) in self.goals.iter().enumerate() {
                        if !board.cards.has(at) {
                            each(Action::Look { goal: goal as u8 }, ONE);
                        }
                    }
                }
            }
        }
        for &card in &hand {
            each(Action::Discard { card }, ONE);
        }
    }

    /// The ways to lay out the goal cards, all equally likely.
    fn layouts(&self) -> impl Iterator<Item = [u8; 3]> {
        const ORDERS: [[u8; 3]; 6] = [[0, 1, 2], [0, 2, 1], [1, 0, 2], [1, 2, 0], [2, 0, 1], [2, 1, 0]];
        let goals = self.goals.len();
        let fits =
            move |order: &[u8; 3]| order[goals..].iter().enumerate().all(|(i, &g)| g as usize == goals + i);
        ORDERS.into_iter().filter(fits).map(move |mut order| {
            order[goals..].fill(NO_GOAL);
            order
        })
    }
}

/// An action of a group of those that differ in a cell alone.
#[inline]
fn with_cell(action: Action, cell: u8) -> Action {
    match action {
        Action::Lay { card, turned, .. } => Action::Lay { card, turned, at: cell },
        Action::Rockfall { .. } => Action::Rockfall { at: cell },
        single => single,
    }
}

impl Rules for Saboteur {
    type State = State;
    type Action = Action;
    type Outcome = Outcome;

    fn facts(&self) -> Facts {
        Facts {
            hidden: true,
            hidden_moves: self.hand > 1 && self.deck.0.iter().filter(|&&copies| copies > 0).count() > 1,
            chance: Chance::Listed,
            utility: Utility::General,
            ..Facts::open(self.players, 2 + 2 * self.cards as u32)
        }
    }

    fn start(&self) -> State {
        State {
            table: Table { board: Board::new(), broken: [0; 10], looked: [0; 10], drawn: 0 },
            saboteurs: None,
            goals: [NO_GOAL; 3],
            hands: [Hand::EMPTY; MOST_PLAYERS],
            stock: self.deck.0,
            used: ArrayVec::new(),
        }
    }

    #[inline]
    fn turn(&self, s: &State) -> Turn {
        if s.saboteurs.is_none() || s.goals[0] == NO_GOAL {
            Turn::Chance
        } else if self.is_gold_found(s) {
            Turn::Terminal
        } else if self.drawer(s.table.drawn.into(), s.used.len()).is_some() {
            Turn::Chance
        } else if s.used.len() == self.cards {
            Turn::Terminal
        } else {
            Turn::Player(Player((s.used.len() % self.players) as u8))
        }
    }

    fn actions(&self, s: &State, who: Player, out: &mut Vec<Action>) {
        self.groups(s, who, |action, cells| out.extend(cells.iter().map(|at| with_cell(action, at))));
    }

    fn chance(&self, s: &State, out: &mut Vec<(Outcome, f64)>) {
        if s.saboteurs.is_none() {
            let p = 1.0 / self.roles.len() as f64;
            out.extend(self.roles.iter().map(|&set| (Outcome::Roles(set), p)));
        } else if s.goals[0] == NO_GOAL {
            let p = 1.0 / self.layouts().count() as f64;
            out.extend(self.layouts().map(|goals| (Outcome::Goals(goals), p)));
        } else if self.turn(s) == Turn::Chance {
            let left = self.cards - usize::from(s.table.drawn);
            let there = s.stock.iter().enumerate().filter(|(_, copies)| **copies > 0);
            out.extend(
                there.map(|(kind, &copies)| (Outcome::Card(kind as Kind), f64::from(copies) / left as f64)),
            );
        }
    }

    #[inline]
    fn sample_chance(&self, s: &State, rng: &mut Rng) -> Outcome {
        if s.saboteurs.is_none() {
            return Outcome::Roles(*rng.pick(&self.roles));
        }
        if s.goals[0] == NO_GOAL {
            let layouts: ArrayVec<_, 6> = self.layouts().collect();
            return Outcome::Goals(*rng.pick(&layouts));
        }
        let mut n = rng.below((self.cards - usize::from(s.table.drawn)) as u32);
        for (kind, &copies) in s.stock.iter().enumerate() {
            if n < u32::from(copies) {
                return Outcome::Card(kind as Kind);
            }
            n -= u32::from(copies);
        }
        unreachable!("the stock has fewer cards than were counted")
    }

    #[inline]
    fn apply(&self, s: &mut State, step: Step<'_, Self>) {
        match step {
            Step::Chance(&Outcome::Roles(set)) => s.saboteurs = Some(set),
            Step::Chance(&Outcome::Goals(goals)) => s.goals = goals,
            Step::Chance(&Outcome::Card(card)) => {
                if let Some(seat) = self.drawer(s.table.drawn.into(), s.used.len()) {
                    s.hands[seat.index()].insert(card);
                    s.stock[card as usize] -= 1;
                    s.table.drawn += 1;
                }
            }
            Step::Moves(&[(who, action), ..]) => {
                s.hands[who.index()].remove(action.card());
                s.used.push(action.card());
                let table = &mut s.table;
                match action {
                    Action::Lay { card, turned, at } => {
                        let openings = cards::openings(card, turned);
                        table.board.lay(at, openings, cards::is_dead_end(card));
                        self.turn_goals(&mut table.board, &s.goals);
                    }
                    Action::Break { tool, whose } => table.broken[whose.index()] |= 1 << tool,
                    Action::Repair { tool, whose, .. } => table.broken[whose.index()] &= !(1 << tool),
                    Action::Rockfall { at } => table.board.remove(at),
                    Action::Look { goal } => table.looked[who.index()] |= 1 << goal,
                    Action::Discard { .. } => *s.used.last_mut().expect("a card was used") |= FACE_DOWN,
                }
            }
            Step::Moves([]) => {}
        }
    }

    fn rewards(&self, s: &State) -> Rewards {
        let found = self.is_gold_found(s);
        let saboteurs = s.saboteurs.unwrap_or(0);
        Rewards::from_fn(self.players, |p| f64::from(u8::from((saboteurs >> p.0 & 1 == 0) == found)))
    }

    fn observe(&self, before: &State, step: Step<'_, Self>, by: Observer) -> Option<Observation> {
        knowledge::observe(self, before, step, by)
    }

    #[inline]
    fn code(&self, action: Action) -> u64 {
        notation::code(action)
    }
}

impl Notation for Saboteur {
    fn action_name(&self, action: Action) -> String {
        notation::action_name(self, action)
    }

    fn parse_action(&self, name: &str) -> Option<Action> {
        notation::parse_action(self, name)
    }

    fn outcome_name(&self, outcome: &Outcome) -> String {
        notation::outcome_name(outcome)
    }

    fn parse_outcome(&self, name: &str) -> Option<Outcome> {
        notation::parse_outcome(self, name)
    }

    fn explain(&self, seen: &Observation, by: Observer) -> String {
        notation::explain(self, seen, by)
    }

    fn scene_of(&self, s: &State) -> Scene {
        scene::whole(self, s)
    }

    fn role(&self, s: &State, seat: Player) -> String {
        match s.saboteurs {
            Some(set) if set >> seat.index() & 1 == 1 => "saboteurs".to_string(),
            Some(_) => "diggers".to_string(),
            None => "dwarf".to_string(),
        }
    }
}

impl FastPlay for Saboteur {
    #[inline]
    fn random_action(&self, s: &State, who: Player, rng: &mut Rng, _scratch: &mut Scratch<Self>) -> Action {
        let mut groups = ArrayVec::<(Action, Cells), 128>::new();
        let mut legal = 0;
        self.groups(s, who, |action, cells| {
            legal += cells.len();
            groups.push((action, cells));
        });
        let mut n = rng.below(legal);
        for &(action, cells) in &groups {
            if n < cells.len() {
                return with_cell(action, cells.nth(n));
            }
            n -= cells.len();
        }
        unreachable!("fewer actions than were counted")
    }

    fn codes(&self) -> Option<usize> {
        Some(notation::CODES as usize)
    }
}

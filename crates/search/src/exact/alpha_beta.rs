//! Alpha-beta over a turn and the answer to it, with few moves at each choice: for games with long turns.
//!
//! Full width is out of reach where a turn is a chain of choices, so the game says at which moves to look
//! ([`World::candidates`]): in a fixed order of its pieces, or in each of several orders, few pieces, and few answers. In a game that
//! has nothing to say all moves are looked at, the most promising first. The horizon is a number of turns, and what
//! lies behind it is judged by an evaluation. The searcher takes the greatest value, everybody else the least. Sources:
//! Sato and Ikeda; the public TUBSTAP program SatD2 (`tubstap/2.9`, `tubstap/2.10`).
//!
//! What is new here is that it may stop: the search is made again and again, looking at one move of each choice, then at
//! two, three, four, six and so on, until nothing is left out or the nodes or the time are used up; the last search that was
//! completed counts. Chance draws once wherever it is met. Under hidden information it searches worlds
//! ([`crate::pimc`]).

use std::sync::Arc;
use std::time::Instant;

use fogtree_core::{
    Budget, Decision, Facts, Model, Move, MoveReport, PerPlayer, Player, Purpose, Report, Rng, Seed,
    Selective, Turn, Utility, World, WorldStep,
};

use crate::exact::minimax::TIE;
use crate::kit::narrow::{Narrow, Order};
use crate::kit::steps::{Chosen, after_all};
use crate::pimc::Solver;

/// The states it may look into in each world where no number is given.
pub const NODES: u64 = 100_000;

/// Time and the flag that stops a search are looked at once per so many nodes.
const LOOK: u64 = 64;

/// How a selective search is made.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Settings {
    /// How many turns it looks ahead, the present one included.
    pub turns: u32,
    /// The states it may look into per decision.
    pub nodes: u64,
    /// Which of the game's evaluations judges behind the horizon; what the game itself says if none.
    pub evaluation: Option<usize>,
    /// Whether everything is open to everybody after the move to decide on, in games that can be opened.
    pub open: bool,
}

impl Default for Settings {
    fn default() -> Self {
        Settings { turns: 2, nodes: NODES, evaluation: None, open: true }
    }
}

/// Where in its turns a search is.
#[derive(Clone, Copy, Debug)]
struct Place {
    /// Whose turn it is, and how many turns were begun before this one.
    mover: Option<Player>,
    turn: u32,
    asked: Selective,
}

/// The search of a state that is known.
#[derive(Debug)]
pub struct AlphaBeta {
    rules: Arc<dyn Model>,
    opened: Option<Arc<dyn Model>>,
    facts: Facts,
    settings: Settings,
    order: Order,
    rng: Rng,
    me: Player,
    limit: Limit,
    /// The turns looked into.
    depth: u32,
}

/// What a search may use, and what it has left out.
#[derive(Debug, Default)]
struct Limit {
    width: usize,
    cut: bool,
    nodes: u64,
    most: u64,
    over: bool,
}

impl Limit {
    /// Counts a node; whether the search must end.
    fn count(&mut self, began: Instant, budget: &Budget) -> bool {
        self.nodes += 1;
        self.over |= self.nodes > self.most;
        if self.nodes.is_multiple_of(LOOK) {
            self.over |= budget.is_stopped() || budget.time.is_some_and(|t| began.elapsed() >= t);
        }
        self.over
    }
}

/// What stays the same in one search.
struct Frame<'a> {
    rules: &'a dyn Model,
    began: Instant,
    budget: &'a Budget,
}

impl AlphaBeta {
    /// A search with these settings.
    pub fn new(rules: &Arc<dyn Model>, settings: Settings) -> AlphaBeta {
        AlphaBeta {
            rules: Arc::clone(rules),
            opened: rules.perfect_info_variant().filter(|_| settings.open),
            facts: rules.facts().clone(),
            settings,
            order: Order::default(),
            rng: Seed(0).stream(Purpose::Ties),
            me: Player(0),
            limit: Limit::default(),
            depth: 0,
        }
    }

    /// Searches for the move of `who` in a state where it is to move.
    pub fn search(&mut self, root: &dyn World, who: Player, legal: &[Move], budget: &Budget) -> Decision {
        let began = Instant::now();
        let rules = Arc::clone(&self.rules);
        let opened = self.opened.clone();
        let mut start = root.boxed();
        start.drop_history();
        (self.me, self.depth) = (who, 1);
        self.limit = Limit { most: self.settings.nodes.max(1), ..Limit::default() };
        let frame = Frame { rules: opened.as_deref().unwrap_or(&*rules), began, budget };
        let others: Vec<Player> = start.turn().players().iter().filter(|&p| p != who).collect();
        let mut best: Option<(Move, f64)> = None;
        let mut width = 1;
        loop {
            (self.limit.width, self.limit.cut) = (width, false);
            let found = self.at_root(&frame, &*rules, &*start, &others, legal);
            let complete = !self.limit.over;
            if complete || best.is_none() {
                best = found.or(best);
            }
            if !complete || !self.limit.cut || budget.is_stopped() {
                break;
            }
            width = if width < 4 { width + 1 } else { width * 3 / 2 };
        }
        let (action, value) = best.unwrap_or((legal[0], f64::NAN));
        let report = |&a: &Move| match a == action {
            true => MoveReport::of(a, 1, self.rewards(value)),
            false => MoveReport::of(a, 0, None),
        };
        let report = Report {
            moves: legal.iter().map(report).collect(),
            iterations: 1,
            nodes: self.limit.nodes,
            depth: self.depth,
            time: began.elapsed(),
            ..Report::default()
        };
        Decision { action, report }
    }

    /// The rewards of all players if the searcher's is this and it can be told.
    fn rewards(&self, value: f64) -> Option<PerPlayer<f64>> {
        let told = value.is_finite() && self.facts.players == 2 && self.facts.utility != Utility::General;
        let (low, high) = self.facts.utility_bounds;
        told.then(|| PerPlayer::from_fn(2, |p| if p == self.me { value } else { low + high - value }))
    }

    /// The best move at the root and its value, as far as the search came.
    fn at_root(
        &mut self,
        frame: &Frame<'_>,
        rules: &dyn Model,
        start: &dyn World,
        others: &[Player],
        legal: &[Move],
    ) -> Option<(Move, f64)> {
        let mut best: Option<(Move, f64)> = None;
        let mut last = Vec::new();
        for order in 0..rules.orders().max(1) {
            let asked = Selective { order, made: 0, answering: false };
            let mut moves = self.moves(start, self.me, asked);
            moves.retain(|action| legal.binary_search(action).is_ok());
            if moves.is_empty() {
                moves = legal.to_vec();
            }
            if order > 0 && moves == last {
                continue;
            }
            let place = Place { mover: Some(self.me), turn: 0, asked };
            for &action in self.widest(&moves) {
                let alpha = best.map_or(f64::NEG_INFINITY, |b| b.1);
                let mut made = Chosen::from_iter([(self.me, action)]);
                let value = self.reply(frame, rules, start, &mut made, others, place, (alpha, f64::INFINITY));
                if best.is_none() || value > alpha + TIE && !self.limit.over {
                    best = Some((action, value));
                }
                if self.limit.over {
                    return best;
                }
            }
            last = moves;
        }
        best
    }

    /// The moves to look at in this search.
    fn widest<'a>(&mut self, moves: &'a [Move]) -> &'a [Move] {
        self.limit.cut |= moves.len() > self.limit.width;
        &moves[..moves.len().min(self.limit.width)]
    }

    /// The moves to look at, the most promising first.
    fn moves(&mut self, state: &dyn World, who: Player, asked: Selective) -> Vec<Move> {
        let mut moves = Vec::new();
        state.candidates(who, asked, &mut moves);
        if moves.is_empty() {
            state.legal(who, &mut moves);
            self.order.apply(Narrow::OFF, (state, who), &mut moves, &mut self.rng);
        }
        moves
    }

    /// The value of a turn in which some have chosen and some have yet to.
    #[expect(clippy::too_many_arguments, reason = "a turn of several players is one step")]
    fn reply(
        &mut self,
        frame: &Frame<'_>,
        rules: &dyn Model,
        state: &dyn World,
        made: &mut Chosen,
        waiting: &[Player],
        place: Place,
        (mut alpha, mut beta): (f64, f64),
    ) -> f64 {
        let Some((&who, rest)) = waiting.split_first() else {
            let mut next = after_all(state, made);
            if !std::ptr::eq(rules, frame.rules) {
                frame.rules.reveal(&mut *next);
            }
            let asked = Selective { made: place.asked.made + 1, ..place.asked };
            return self.value(frame, &mut *next, Place { asked, ..place }, (alpha, beta));
        };
        let asked = Selective { answering: who != self.me, ..place.asked };
        let moves = self.moves(state, who, asked);
        let mut best = if who == self.me { f64::NEG_INFINITY } else { f64::INFINITY };
        for &action in self.widest(&moves) {
            made.push((who, action));
            let value = self.reply(frame, rules, state, made, rest, place, (alpha, beta));
            made.pop();
            if who == self.me {
                best = best.max(value);
                alpha = alpha.max(best);
            } else {
                best = best.min(value);
                beta = beta.min(best);
            }
            if alpha >= beta || self.limit.over {
                break;
            }
        }
        best
    }

    /// What a state is worth to the searcher.
    fn value(&mut self, frame: &Frame<'_>, state: &mut dyn World, place: Place, window: (f64, f64)) -> f64 {
        let rules = frame.rules;
        while state.turn() == Turn::Chance {
            let outcome = state.sample_chance(&mut self.rng);
            state.apply(WorldStep::Chance(&outcome));
        }
        let turn = state.turn();
        if turn == Turn::Terminal {
            return state.rewards()[self.me];
        }
        let players = turn.players();
        let first = if players.contains(self.me) { Some(self.me) } else { players.iter().next() };
        let lasts = matches!(turn, Turn::Player(_)) && first == place.mover;
        let at = if lasts { place.turn } else { place.turn + 1 };
        if at >= self.settings.turns || self.limit.count(frame.began, frame.budget) {
            return state.evaluate_leaf(self.settings.evaluation)[self.me];
        }
        self.depth = self.depth.max(at + 1);
        let orders = if lasts { place.asked.order..place.asked.order + 1 } else { 0..rules.orders().max(1) };
        let made = if lasts { place.asked.made } else { 0 };
        let mine = first == Some(self.me);
        let (mut alpha, mut beta) = window;
        let mut best = if mine { f64::NEG_INFINITY } else { f64::INFINITY };
        let waiting: Vec<Player> =
            first.into_iter().chain(players.iter().filter(|&p| Some(p) != first)).collect();
        for order in orders {
            let asked = Selective { order, made, answering: !mine };
            let place = Place { mover: first, turn: at, asked };
            let found = self.reply(frame, rules, state, &mut Chosen::new(), &waiting, place, (alpha, beta));
            if mine {
                best = best.max(found);
                alpha = alpha.max(best);
            } else {
                best = best.min(found);
                beta = beta.min(best);
            }
            if alpha >= beta || self.limit.over {
                break;
            }
        }
        best
    }
}

impl Solver for AlphaBeta {
    fn start(&mut self, seed: Seed) {
        self.rng = seed.stream(Purpose::Ties);
    }

    fn solve(&mut self, root: &dyn World, who: Player, legal: &[Move], budget: &Budget) -> Decision {
        self.search(root, who, legal, budget)
    }
}

//! TIIGR: all states the player could be in are kept, some are searched by UCT as if nothing were hidden, and the moves
//! that were visited most decide (Motal 2011, ch. 6; `gdl/3`).
//!
//! It is a relative of [`crate::pimc`] with a memory: the set of possible states is carried from decision to decision
//! and lists every state once, whatever the chances that led there; the states to be searched are a sample without
//! repetition, or all there are. Every state gets the same part of the clock that is left once the set is brought up to
//! date.
//!
//! The source has goals of 0 to 100, and an exploration constant of 150 on that scale; here rewards are scaled to
//! [0, 1] and the constant is 1.5. In the tree everybody maximises its own reward and chance draws by its
//! probabilities; players of a simultaneous turn choose one after another, as in the source, whose joint moves the
//! others answer as if they had seen them.

pub mod entry;
mod states;

use std::sync::Arc;
use std::time::{Duration, Instant};

use fogtree_core::{
    Agent, AgentFailure, Budget, Decision, InfoSet, Model, Observer, Player, Purpose, Report, Rng, Seed,
};

pub use states::{Repeated, States};

use crate::kit::vote::{Tally, Vote};
use crate::uct::{self, Joint, UctSearch};

/// The exploration constant of the source, for rewards scaled to [0, 1].
pub const C: f64 = 1.5;

/// How many states are searched.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Number {
    /// So many, with the same part of the clock for each.
    Fixed(usize),
    /// All there are.
    All,
    /// As many as fit into the clock if each is searched for so long.
    Clocked(Duration),
}

/// Which states are searched.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Outlook {
    /// Any, all equally likely: the others do not know how to choose between them, either.
    Overconfident,
    /// Those that are best for the others, by what the searches before found in the states they come from.
    Paranoid,
}

/// How the states searched agree on a move.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Confidence {
    /// By the mean of the visits; 0 where a move was not tried.
    Mean,
    /// By the number of states in which the move was visited most.
    Plurality,
    /// By the greatest number of visits in any state.
    Highest,
}

/// What can be set.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Settings {
    /// The exploration constant, for rewards scaled to [0, 1].
    pub c: f64,
    /// How many states are searched.
    pub number: Number,
    /// The iterations in each; `None` is as many as the clock allows.
    pub iterations: Option<u64>,
    /// Which states are searched.
    pub outlook: Outlook,
    /// How they agree.
    pub confidence: Confidence,
    /// What becomes of states that can be reached in several ways.
    pub repeated: Repeated,
    /// The most states that are kept. If there are more, states to be searched are drawn from the information set.
    pub most: usize,
    /// The most bytes for the tree of one state.
    pub memory: usize,
    /// How players choose who move at the same time, in the search of one state.
    pub joint: Joint,
}

impl Default for Settings {
    fn default() -> Self {
        Settings {
            c: C,
            number: Number::Fixed(5),
            iterations: Some(100),
            outlook: Outlook::Overconfident,
            confidence: Confidence::Mean,
            repeated: Repeated::Merged,
            most: 20_000,
            memory: 1 << 28,
            joint: Joint::Decoupled,
        }
    }
}

/// The player. See the [module](self).
#[derive(Debug)]
pub struct Tiigr {
    game: Arc<dyn Model>,
    settings: Settings,
    states: States,
    uct: UctSearch,
    sampling: Rng,
    ties: Rng,
}

impl Tiigr {
    /// A player of a game.
    pub fn new(game: &Arc<dyn Model>, settings: Settings) -> Tiigr {
        Tiigr {
            game: Arc::clone(game),
            settings,
            states: States::new(game, settings.repeated, settings.most),
            uct: UctSearch::with(
                game,
                uct::Settings {
                    c: settings.c,
                    memory: settings.memory,
                    joint: settings.joint,
                    ..uct::Settings::USUAL
                },
            ),
            sampling: Seed(0).stream(Purpose::Sampling),
            ties: Seed(0).stream(Purpose::Ties),
        }
    }

    /// How many states are searched, of so many, in this time.
    fn number(&self, of: usize, left: Option<Duration>) -> usize {
        let most = match self.settings.number {
            Number::Fixed(number) => number,
            Number::All => of,
            Number::Clocked(each) => {
                left.map_or(of, |left| (left.as_nanos() / each.as_nanos().max(1)) as usize)
            }
        };
        most.clamp(1, of.max(1))
    }
}

impl Agent for Tiigr {
    fn start(&mut self, seat: Player, seed: Seed) {
        self.states.start(Observer::Seat(seat));
        self.uct.seed(seed);
        self.sampling = seed.stream(Purpose::Sampling);
        self.ties = seed.named("tiigr").stream(Purpose::Ties);
    }

    fn act(&mut self, info: &InfoSet, budget: &Budget) -> Result<Decision, AgentFailure> {
        let began = Instant::now();
        let facts = self.game.facts();
        if let [only] = info.legal[..] {
            return Ok(Decision { action: only, report: Report::default() });
        }
        let known = self.states.follow(info, &budget.deadline(), &mut self.sampling);
        let left = budget.after(0, began.elapsed());
        let number = self.number(known, left.time);
        let chosen = self.states.choose(number, self.settings.outlook, &mut self.sampling);
        let share = match self.settings.number {
            Number::Clocked(each) => left.time.map(|left| left.min(each)),
            _ => left.time.map(|left| left / chosen.len().max(1) as u32),
        };
        let mut tally = Tally::new(info.seat, &info.legal, facts.players, facts.utility_bounds.0);
        let mut highest = vec![0; info.legal.len()];
        let mut done = 0;
        for (searched, &place) in chosen.iter().enumerate() {
            let left = budget.after(done, began.elapsed());
            if searched > 0 && (left.iterations == Some(0) || budget.is_stopped()) {
                break;
            }
            let iterations = match (self.settings.iterations, left.iterations) {
                (Some(own), Some(left)) => Some(own.min(left)),
                (own, left) => own.or(left),
            };
            let each = Budget { iterations, time: share, watch: None, ..left };
            let found = self.uct.search(self.states.state(place), info.seat, &info.legal, &each);
            done += found.report.iterations;
            for (highest, found) in highest.iter_mut().zip(&found.report.moves) {
                *highest = found.visits.max(*highest);
            }
            let values = found.report.moves.iter().map(|m| m.values.as_ref().map(|v| v[info.seat]));
            self.states.remember(place, values);
            tally.add(&found, 1.0);
        }
        let action = match self.settings.confidence {
            Confidence::Mean => tally.choose(Vote::SummedVisits, &mut self.ties),
            Confidence::Plurality => tally.choose(Vote::Majority, &mut self.ties),
            Confidence::Highest => {
                let most = highest.iter().max();
                let tied: Vec<_> = info.legal.iter().zip(&highest).filter(|m| Some(m.1) == most).collect();
                *self.ties.pick(&tied).0
            }
        };
        let mut report = Report { time: began.elapsed(), ..tally.report_for(action) };
        report.figures.push(("states".to_string(), known as f64));
        report.figures.push(("states searched".to_string(), chosen.len() as f64));
        Ok(Decision { action, report })
    }
}

#[cfg(test)]
mod tests;

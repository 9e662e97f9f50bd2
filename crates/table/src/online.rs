//! How far from equilibrium a search is that plays while it thinks: measured from the root and along matches.
//!
//! Searches such as IS-MCTS, SM-MCTS and OOS hold average strategies of the information sets they have been to
//! ([`fogtree_core::Agent::average_strategies`]). Two measurements use them (Lisý 2014, §4.2 and §4.3.1; equilibrium
//! 6.1 and 6.2):
//! - [`converge`] lets one search think about the start of the game for longer and longer, and after each
//!   stretch takes the average strategies of all players for a profile;
//! - [`along_matches`] lets a seat play many matches against random play, searching anew in each, and adds up
//!   what it holds at each decision for the information sets that can still be reached.
//!
//! In information sets of which nothing is known all actions are taken to be equally likely.

use std::time::{Duration, Instant};

use fogtree_core::{AgentFailure, Budget, Deadline, Observer, Player, Purpose, Seed, Turn};
use fogtree_solve::{Compiled, Evaluation, Gathered};

use crate::erased::{AnyGame, SeatAgent};
use crate::registry::Unavailable;

/// Information sets visited less often than this say nothing along matches.
pub const LEAST_VISITS: u64 = 20;

/// A measured point.
#[derive(Clone, PartialEq, Debug)]
pub struct Point {
    /// Iterations of the search so far, or matches.
    pub done: u64,
    /// Seconds of search so far; best responses do not count.
    pub seconds: f64,
    /// What the strategies earn and what best responses would.
    pub evaluation: Evaluation,
    /// Information sets of which something is known.
    pub sets: usize,
}

/// How many matches, and how often what they add up to is measured.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Matches {
    /// How many the agent plays in each seat.
    pub count: u64,
    /// After how many in each seat there is another point.
    pub every: u64,
}

/// Why nothing could be measured.
#[derive(Clone, PartialEq, Debug, thiserror::Error)]
pub enum Unmeasured {
    /// The agent cannot be had.
    #[error(transparent)]
    Unavailable(#[from] Unavailable),
    /// The tree is too large for best responses.
    #[error(transparent)]
    Refusal(#[from] fogtree_solve::Refusal),
    /// The agent keeps no average strategies.
    #[error(
        "{0} tells no average strategies; ask it everywhere instead (--by stitching), or use is-mcts, sm-mcts, \
         sm-oos or oos"
    )]
    Tells(String),
    /// The agent failed.
    #[error(transparent)]
    Failed(#[from] AgentFailure),
}

/// Lets a search think about the start of a game until the budget is used up, and measures its average
/// strategies after the first stretch and whenever its iterations (or, under a budget of time, its seconds)
/// have grown by a quarter. The flag of the budget ends it after a last measurement.
pub fn converge(
    game: &dyn AnyGame,
    agent: &mut SeatAgent,
    budget: &Budget,
    seed: Seed,
    limit: usize,
    tell: &mut dyn FnMut(&Point),
) -> Result<(), Unmeasured> {
    let compiled = game.compiled(limit, &Deadline::after(None, budget.stop.clone()))?;
    agent.start(Player(0), seed);
    let (mut done, mut spent) = (0, Duration::ZERO);
    let mut stretch = Budget {
        iterations: budget.iterations.map(|n| n.min(FIRST_ITERATIONS)),
        time: budget.time.map(|t| t.min(FIRST_TIME)),
        ..budget.after(0, Duration::ZERO)
    };
    loop {
        let began = Instant::now();
        let made = agent.prepare(&stretch);
        spent += began.elapsed();
        done += made;
        let mut gathered = Gathered::new(&compiled);
        agent.average_strategies(&mut |habit| gathered.add(&habit, 1.0));
        if made == 0 || gathered.sets() == 0 {
            if budget.is_stopped() {
                return Ok(());
            }
            return Err(Unmeasured::Tells(agent.spec.clone()));
        }
        tell(&point(&compiled, &gathered, done, spent));
        let left = budget.after(done, spent);
        if left.is_stopped() || left.iterations == Some(0) || left.time == Some(Duration::ZERO) {
            return Ok(());
        }
        let grown = Budget { iterations: Some(done / 4 + 1), time: Some(spent / 4), ..left.clone() };
        stretch = Budget {
            iterations: left.iterations.map(|n| n.min(grown.iterations.unwrap_or(n))),
            time: left.time.map(|t| t.min(grown.time.unwrap_or(t))),
            ..left
        };
    }
}

const FIRST_ITERATIONS: u64 = 100;
const FIRST_TIME: Duration = Duration::from_millis(10);

/// Lets an agent play matches in each seat in turn, the others choosing at random, and measures what it holds
/// from time to time.
///
/// After each of its decisions the average strategies of its own information sets that can still be reached
/// are added, each as often as the search has been there; [`LEAST_VISITS`] is the least.
///
/// When it is time to leave off, the whole matches until then are a last point; what was decided in the one
/// that was left is in it, too.
pub fn along_matches(
    game: &dyn AnyGame,
    make: &mut dyn FnMut() -> Result<SeatAgent, Unavailable>,
    matches: Matches,
    seed: Seed,
    limit: usize,
    until: &Deadline,
    tell: &mut dyn FnMut(&Point),
) -> Result<(), Unmeasured> {
    let compiled = game.compiled(limit, until)?;
    let mut gathered = Gathered::new(&compiled);
    let mut spent = Duration::ZERO;
    for number in 0..matches.count {
        for seat in Player::all(compiled.players()) {
            let mut agent = make()?;
            let seed = seed.number(number).number(u64::from(seat.0));
            let played = play(game, &mut agent, seat, seed, &mut gathered, &compiled, until)?;
            let Some(took) = played else {
                if number % matches.every > 0 {
                    tell(&point(&compiled, &gathered, number, spent));
                }
                return Ok(());
            };
            spent += took;
            if gathered.sets() == 0 {
                return Err(Unmeasured::Tells(agent.spec));
            }
        }
        if (number + 1).is_multiple_of(matches.every) || number + 1 == matches.count {
            tell(&point(&compiled, &gathered, number + 1, spent));
        }
    }
    Ok(())
}

/// One match; returns the time the agent took, or nothing if the match was left.
fn play(
    game: &dyn AnyGame,
    agent: &mut SeatAgent,
    seat: Player,
    seed: Seed,
    gathered: &mut Gathered<'_>,
    compiled: &Compiled,
    until: &Deadline,
) -> Result<Option<Duration>, AgentFailure> {
    let mut deal = seed.stream(Purpose::Deal);
    let mut others = seed.named("others").stream(Purpose::Playout);
    let mut table = game.table();
    let (mut heard, mut spent) = (0, Duration::ZERO);
    agent.start(seat, seed.named("agent"));
    loop {
        let turn = table.turn();
        match turn {
            Turn::Terminal => return Ok(Some(spent)),
            Turn::Chance => {
                table.draw(&mut deal);
                continue;
            }
            Turn::Player(_) | Turn::Simultaneous(_) => {}
        }
        let mut choices = Vec::new();
        for p in turn.players().iter() {
            if p != seat {
                choices.push((p, *others.pick(&table.moves(p))));
                continue;
            }
            table.events(seat)[heard..].iter().for_each(|event| agent.observe(event));
            heard = table.events(seat).len();
            let began = Instant::now();
            let answer = table.ask(seat, agent);
            if until.has_passed() {
                return Ok(None);
            }
            choices.push((p, answer?.action));
            spent += began.elapsed();
            let treeplex = compiled.treeplex(seat);
            let here = treeplex.find(table.key(Observer::Seat(seat)));
            agent.average_strategies(&mut |habit| {
                let there = treeplex.find(habit.key).filter(|_| habit.seat == seat);
                let reachable = here.zip(there).is_some_and(|(here, there)| treeplex.leads_to(here, there));
                if reachable && habit.visits >= LEAST_VISITS {
                    gathered.add(&habit, habit.visits as f64);
                }
            });
        }
        table.choose(&choices).expect("agents choose among the legal moves");
    }
}

fn point(compiled: &Compiled, gathered: &Gathered<'_>, done: u64, spent: Duration) -> Point {
    let evaluation = Evaluation::of(compiled, &gathered.profile());
    Point { done, seconds: spent.as_secs_f64(), evaluation, sets: gathered.sets() }
}

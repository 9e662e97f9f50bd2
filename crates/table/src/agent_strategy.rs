//! The strategy of an agent, put together from what it would do in every information set.
//!
//! An agent that searches while playing has no strategy written down, but in a small game one can ask for it:
//! in every information set of every player the agent is brought there along one path, told what its seat did
//! and saw, and asked (Lisý 2014, §4.3.1; equilibrium 6.2). How often it chooses each action stands for how
//! likely it is, unless it tells how likely each was ([`fogtree_core::Report::mixed`]). What a best response gains against the whole then is the agent's exploitability.

use std::collections::HashSet;

use fogtree_core::{AgentFailure, Deadline, Decision, Key, Move, Observer, Player, Seed, Turn};
use fogtree_solve::StrategyFile;
use fogtree_solve::strategy::Entry;

use crate::erased::{AnyGame, AnyTable, SeatAgent};
use crate::registry::Unavailable;

/// Why an agent has no stitched strategy.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum NoAgentStrategy {
    /// The agent cannot be had.
    #[error(transparent)]
    Unavailable(#[from] Unavailable),
    /// The agent looks at the true state, so it has no strategy for information sets.
    #[error("{0} looks at the true state, so what it does in an information set is not a strategy")]
    Cheating(String),
    /// The game cannot be walked.
    #[error(
        "the game has more than {0} nodes, or chance that cannot be listed; choose a smaller instance, or play \
         matches against other agents"
    )]
    TooLarge(usize),
    /// The agent failed.
    #[error(transparent)]
    Failed(#[from] AgentFailure),
    /// It was time to leave off.
    #[error("the agent was not asked everywhere in time")]
    OutOfTime,
}

/// Asks an agent, a new one each time, `samples` times in every information set of every player, all in time
/// or not at all.
pub fn agent_strategy(
    game: &dyn AnyGame,
    make: &mut dyn FnMut() -> Result<SeatAgent, Unavailable>,
    samples: u32,
    seed: Seed,
    limit: usize,
    until: &Deadline,
) -> Result<StrategyFile, NoAgentStrategy> {
    let agent = make()?;
    if agent.cheats {
        return Err(NoAgentStrategy::Cheating(agent.spec));
    }
    let name = agent.spec;
    let (mut asking, mut entries) = (Asking { make, samples, seed, until }, Vec::new());
    each_infoset(game, limit, until, &mut |table, seat| {
        entries.push(asking.ask(table, seat)?);
        Ok(())
    })?;
    Ok(StrategyFile::of_entries(game.spec(), &name, entries))
}

/// Visits a table for every information set of a game in which a player is to move, once each, if the game has at most
/// `limit` nodes.
pub fn each_infoset(
    game: &dyn AnyGame,
    limit: usize,
    until: &Deadline,
    visit: &mut dyn FnMut(&dyn AnyTable, Player) -> Result<(), NoAgentStrategy>,
) -> Result<(), NoAgentStrategy> {
    Walk { limit, until, nodes: 0, met: HashSet::new(), visit }.descend(&*game.table())
}

struct Walk<'a> {
    limit: usize,
    until: &'a Deadline,
    nodes: usize,
    met: HashSet<Key>,
    visit: &'a mut dyn FnMut(&dyn AnyTable, Player) -> Result<(), NoAgentStrategy>,
}

fn in_time(until: &Deadline) -> Result<(), NoAgentStrategy> {
    if until.has_passed() { Err(NoAgentStrategy::OutOfTime) } else { Ok(()) }
}

impl Walk<'_> {
    fn descend(&mut self, table: &dyn AnyTable) -> Result<(), NoAgentStrategy> {
        self.nodes += 1;
        if self.nodes > self.limit {
            return Err(NoAgentStrategy::TooLarge(self.limit));
        }
        in_time(self.until)?;
        let turn = table.turn();
        if turn == Turn::Chance {
            let listed = table.chance().ok_or(NoAgentStrategy::TooLarge(self.limit))?;
            for (outcome, _) in listed {
                let mut next = table.fork();
                next.play_words(&[&outcome]).expect("a listed outcome is possible");
                self.descend(&*next)?;
            }
            return Ok(());
        }
        let seats: Vec<_> = turn.players().iter().collect();
        let mut counts = Vec::new();
        for &seat in &seats {
            if self.met.insert(table.key(Observer::Seat(seat))) {
                (self.visit)(table, seat)?;
            }
            counts.push(table.moves(seat));
        }
        let joint: usize = if seats.is_empty() { 0 } else { counts.iter().map(Vec::len).product() };
        for mut number in 0..joint {
            let mut choices = Vec::with_capacity(seats.len());
            for (&seat, moves) in seats.iter().zip(&counts) {
                choices.push((seat, moves[number % moves.len()]));
                number /= moves.len();
            }
            let mut next = table.fork();
            next.choose(&choices).expect("legal moves can be made");
            self.descend(&*next)?;
        }
        Ok(())
    }
}

struct Asking<'a> {
    make: &'a mut dyn FnMut() -> Result<SeatAgent, Unavailable>,
    samples: u32,
    seed: Seed,
    until: &'a Deadline,
}

impl Asking<'_> {
    fn ask(&mut self, table: &dyn AnyTable, seat: Player) -> Result<Entry, NoAgentStrategy> {
        let key = table.key(Observer::Seat(seat));
        let (actions, moves) = (table.legal(seat), table.moves(seat));
        let mut chosen = vec![0.0; actions.len()];
        for sample in 0..self.samples {
            let mut agent = (self.make)()?;
            agent.start(seat, self.seed.named(&key.to_string()).number(u64::from(sample)));
            table.events(seat).iter().for_each(|event| agent.observe(event));
            let answer = table.ask(seat, &mut agent);
            in_time(self.until)?;
            let Decision { action, report } = answer?;
            let mut add = |mv: Move, p: f64| {
                chosen[moves.iter().position(|&m| m == mv).expect("agents choose legal moves")] += p;
            };
            if report.mixed.is_empty() {
                add(action, 1.0);
            } else {
                report.moves.iter().zip(&report.mixed).for_each(|(told, &p)| add(told.action, p));
            }
        }
        let share = |sum: &f64| sum / f64::from(self.samples);
        let text = fogtree_core::text::plain(&table.view(Observer::Seat(seat)));
        let text = text.lines().map(str::trim).filter(|l| !l.is_empty()).collect::<Vec<_>>().join(" | ");
        Ok(Entry { key, seat, text, actions, probabilities: chosen.iter().map(share).collect() })
    }
}

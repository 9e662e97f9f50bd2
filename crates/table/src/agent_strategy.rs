//! The strategy of an agent, put together from what it would do in every information set.
//!
//! An agent that searches while playing has no strategy written down, but in a small game one can ask for it:
//! in every information set of every player the agent is brought there along one path, told what its seat did
//! and saw, and asked (Lisý 2014, §4.3.1; equilibrium 6.2). What a best response gains against the whole then is
//! the agent's exploitability.
//!
//! An agent that draws its moves says from which probabilities ([`fogtree_core::Report::mixed`]): they are exact, or
//! its own, which is the mean over several searches. Otherwise its choices are counted. The shares of a few choices
//! are further from an equilibrium than the strategy they were drawn from, so counting overstates how exploitable an
//! agent is that mixes.

use std::collections::HashSet;

use fogtree_core::{AgentFailure, Deadline, Key, Mixed, Observer, Player, Seed, Turn};
use fogtree_solve::StrategyFile;
use fogtree_solve::strategy::Entry;
use serde::{Deserialize, Serialize};

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

/// How the probabilities of an agent's moves were found.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "lowercase")]
pub enum Found {
    /// The agent said them, and they are the same whenever it is asked.
    Exact,
    /// The agent said from which it drew its move; they are the mean over several searches.
    Own,
    /// Its choices were counted.
    Counted,
}

/// How an agent is asked.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Asking {
    /// How often in every information set, a new agent each time.
    pub samples: u32,
    /// Whether its choices are counted even if it says from which probabilities it draws them.
    pub count: bool,
    /// From where the agents draw.
    pub seed: Seed,
}

/// The strategy of an agent.
#[derive(Clone, PartialEq, Debug)]
pub struct AgentStrategy {
    /// What it does in every information set; nothing if that is uniform play in a game too large to walk.
    pub file: StrategyFile,
    /// How that was found out, at worst.
    pub found: Found,
    /// How often it was asked in an information set, at most.
    pub samples: u32,
}

/// Uniform play is written down for at most so many information sets: a strategy that says nothing means the same.
const UNIFORM_ENTRIES: usize = 20_000;

/// Asks an agent in every information set of every player in which there is a choice, all in time or not at all.
pub fn agent_strategy(
    game: &dyn AnyGame,
    make: &mut dyn FnMut() -> Result<SeatAgent, Unavailable>,
    asking: Asking,
    limit: usize,
    until: &Deadline,
) -> Result<AgentStrategy, NoAgentStrategy> {
    let agent = make()?;
    if agent.cheats {
        return Err(NoAgentStrategy::Cheating(agent.spec));
    }
    let name = agent.spec;
    let (mut asked, mut entries) = (Asked::new(make, asking, until), Vec::new());
    let walked = each_infoset(game, limit, until, &mut |table, seat| {
        entries.push(asked.entry(table, seat)?);
        let enough = asked.is_uniform && entries.len() >= UNIFORM_ENTRIES;
        if enough { Err(NoAgentStrategy::TooLarge(limit)) } else { Ok(()) }
    });
    match walked {
        Err(NoAgentStrategy::TooLarge(_)) if asked.is_uniform => entries.clear(),
        walked => walked?,
    }
    let file = StrategyFile::of_entries(game.spec(), &name, entries);
    Ok(AgentStrategy { file, found: asked.found, samples: asked.most })
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

/// An agent that is asked in one information set after the other.
pub(crate) struct Asked<'a> {
    make: &'a mut dyn FnMut() -> Result<SeatAgent, Unavailable>,
    asking: Asking,
    until: &'a Deadline,
    /// How probabilities were found so far, at worst.
    pub(crate) found: Found,
    /// How often the agent was asked in an information set so far, at most.
    pub(crate) most: u32,
    /// Whether the agent has said that it plays uniformly everywhere.
    pub(crate) is_uniform: bool,
}

impl<'a> Asked<'a> {
    pub(crate) fn new(
        make: &'a mut dyn FnMut() -> Result<SeatAgent, Unavailable>,
        asking: Asking,
        until: &'a Deadline,
    ) -> Asked<'a> {
        Asked { make, asking, until, found: Found::Exact, most: 0, is_uniform: false }
    }

    /// How likely each legal move of a seat is that is to move.
    pub(crate) fn probabilities(
        &mut self,
        table: &dyn AnyTable,
        seat: Player,
    ) -> Result<Vec<f64>, NoAgentStrategy> {
        let moves = table.moves(seat);
        if moves.len() == 1 {
            return Ok(vec![1.0]);
        }
        let even = || vec![1.0 / moves.len() as f64; moves.len()];
        let key = table.key(Observer::Seat(seat)).to_string();
        let (mut sums, mut asked) = (vec![0.0; moves.len()], 0);
        while asked < self.asking.samples {
            let mut agent = (self.make)()?;
            agent.start(seat, self.asking.seed.named(&key).number(u64::from(asked)));
            table.events(seat).iter().for_each(|event| agent.observe(event));
            let answer = table.ask(seat, &mut agent);
            in_time(self.until)?;
            let answer = answer?;
            asked += 1;
            self.most = self.most.max(asked);
            let fits = |p: &Vec<f64>| p.len() == moves.len();
            match answer.report.mixed.filter(|_| !self.asking.count) {
                Some(Mixed::Uniform) => {
                    self.is_uniform = true;
                    return Ok(even());
                }
                Some(Mixed::Fixed(p)) if fits(&p) => return Ok(p),
                Some(Mixed::Found(p)) if fits(&p) => {
                    self.found = self.found.max(Found::Own);
                    sums.iter_mut().zip(p).for_each(|(sum, p)| *sum += p);
                }
                _ => {
                    self.found = Found::Counted;
                    let choice = moves.iter().position(|&m| m == answer.action);
                    sums[choice.expect("agents choose legal moves")] += 1.0;
                }
            }
        }
        sums.iter_mut().for_each(|sum| *sum /= f64::from(asked));
        Ok(sums)
    }

    fn entry(&mut self, table: &dyn AnyTable, seat: Player) -> Result<Entry, NoAgentStrategy> {
        let probabilities = self.probabilities(table, seat)?;
        let text = fogtree_core::text::plain(&table.view(Observer::Seat(seat)));
        let text = text.lines().map(str::trim).filter(|l| !l.is_empty()).collect::<Vec<_>>().join(" | ");
        let (key, actions) = (table.key(Observer::Seat(seat)), table.legal(seat));
        Ok(Entry { key, seat, text, actions, probabilities })
    }
}

//! Drives one game from its start to its end.
//!
//! One decision: the table makes the information set of the seat to move, the seat's agent decides, the table
//! makes the step, and every seat observes what it may. Chance draws from a stream of its own, so that the
//! same seed deals the same cards whoever plays.

use std::time::{Duration, Instant};

use fogtree_core::record::Header;
use fogtree_core::{
    AgentFailure, Decision, IllegalStep, PerPlayer, Player, Purpose, Record, Rewards, Seed, Turn,
};

use crate::erased::{AnyGame, AnyTable, SeatAgent};

/// A step that has just been made.
pub struct Moment<'a> {
    /// The table after the step.
    pub table: &'a dyn AnyTable,
    /// The decisions that made the step; none for chance.
    pub decisions: &'a [(Player, Decision)],
    /// The agents by seat; none as long as only chance has drawn.
    pub agents: &'a [SeatAgent],
}

/// A finished game.
#[derive(Debug)]
pub struct Played {
    /// What it was worth to every seat.
    pub rewards: Rewards,
    /// What was played.
    pub record: Record,
    /// The time each seat's agent took.
    pub time: PerPlayer<Duration>,
    /// The moves each seat made.
    pub moves: PerPlayer<u64>,
}

/// From what a game draws: chance from one seed, the agents from another, so that the same cards can be played
/// by agents who think anew.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Seeds {
    /// For chance.
    pub deal: Seed,
    /// For the agents.
    pub agents: Seed,
}

impl From<Seed> for Seeds {
    fn from(seed: Seed) -> Seeds {
        Seeds { deal: seed, agents: seed }
    }
}

/// So many deals are looked at for the parts that seats play.
const DEALS: u64 = 100;

/// The parts that seats play when agents are seated, in the order of seats: what `--roles` takes. Parts that
/// hardly ever occur may be missing.
pub fn roles(game: &dyn AnyGame) -> Vec<String> {
    let mut roles = Vec::new();
    for number in 0..DEALS {
        let mut table = game.table();
        let mut deal = Seed(1).number(number).stream(Purpose::Deal);
        while table.turn() == Turn::Chance {
            table.draw(&mut deal);
        }
        for role in Player::all(game.facts().players).map(|p| table.role(p)) {
            if !roles.contains(&role) {
                roles.push(role);
            }
        }
        if table.steps() == 0 {
            break;
        }
    }
    roles
}

/// Plays a game to its end.
///
/// `seating` is asked once for the agent of each seat, when chance has dealt and before the first decision,
/// with the part the seat plays; `watch` is shown every step. An error means that an agent chose something
/// illegal or nothing at all.
pub fn play_game<E: From<IllegalStep> + From<AgentFailure>>(
    game: &dyn AnyGame,
    spec: &str,
    seeds: impl Into<Seeds>,
    seating: &mut dyn FnMut(Player, &str) -> Result<SeatAgent, E>,
    watch: &mut dyn FnMut(&Moment<'_>),
) -> Result<Played, E> {
    let players = game.facts().players;
    let mut table = game.table();
    let seeds = seeds.into();
    let mut deal = seeds.deal.stream(Purpose::Deal);
    let mut agents: Vec<SeatAgent> = Vec::new();
    let mut heard = PerPlayer::from_fn(players, |_| 0);
    let mut time = PerPlayer::from_fn(players, |_| Duration::ZERO);
    let mut moves = PerPlayer::from_fn(players, |_| 0);
    loop {
        let turn = table.turn();
        if turn == Turn::Chance {
            table.draw(&mut deal);
            watch(&Moment { table: &*table, decisions: &[], agents: &agents });
            continue;
        }
        if agents.is_empty() {
            for p in Player::all(players) {
                let mut agent = seating(p, &table.role(p))?;
                agent.start(p, seeds.agents.named("agent").number(u64::from(p.0)));
                agents.push(agent);
            }
        }
        for p in Player::all(players) {
            for event in &table.events(p)[heard[p]..] {
                agents[p.index()].observe(event);
            }
            heard[p] = table.events(p).len();
        }
        if turn == Turn::Terminal {
            break;
        }
        let mut decisions = Vec::with_capacity(players);
        for p in turn.players().iter() {
            let began = Instant::now();
            let decision = table.ask(p, &mut agents[p.index()])?;
            time[p] += began.elapsed();
            moves[p] += 1;
            decisions.push((p, decision));
        }
        let choices: Vec<_> = decisions.iter().map(|(p, d)| (*p, d.action)).collect();
        table.choose(&choices)?;
        watch(&Moment { table: &*table, decisions: &decisions, agents: &agents });
    }
    let rewards = table.rewards().expect("the game is over");
    for agent in &mut agents {
        agent.end(&rewards);
    }
    let specs = agents.iter().map(|a| a.spec.clone()).collect();
    let cheats = agents.iter().zip(0..).filter(|(a, _)| a.cheats).map(|(_, seat)| seat).collect();
    let header = Header {
        cheating: cheats,
        agent_seed: (seeds.agents != seeds.deal).then_some(seeds.agents),
        ..Header::new(spec, specs, seeds.deal)
    };
    Ok(Played { rewards, record: table.record(header), time, moves })
}

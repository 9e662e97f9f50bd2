//! Clocks are kept and searches stop when told to, in every game and in all our rule sheets.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;
use std::time::{Duration, Instant};

use fogtree_core::{Budget, InfoSet, Player, Purpose, Seed};
use fogtree_gdl::game::OWN;
use fogtree_table::{AnyGame, Registry, SeatAgent};

const CLOCK: Duration = Duration::from_millis(100);
/// What a clock of this length may take, with a little for the machine.
const KEPT: Duration = Duration::from_millis(125);
const STOPPED: Duration = Duration::from_millis(50);
/// The machine may be busy with something else once, and once again.
const TRIES: u32 = 4;

fn sheets() -> impl Iterator<Item = String> {
    OWN.iter().map(|(name, _)| format!("gdl(sheet={name})"))
}

/// The last decision with a choice in the first so many tenths of a random game, and all that was seen before; with
/// the true state, as a table hands it to agents that cheat.
fn late(game: &dyn AnyGame, seed: u64, tenths: usize) -> Option<InfoSet> {
    let mut deal = Seed(seed).stream(Purpose::Deal);
    let mut table = game.table();
    let mut choices = Vec::new();
    while table.rewards().is_none() && table.steps() < 400 {
        let turn = table.turn();
        table.draw(&mut deal);
        if turn.players().is_empty() {
            continue;
        }
        let pick = |p: Player, deal: &mut _| *fogtree_core::Rng::pick(deal, &table.moves(p));
        let joint: Vec<_> = turn.players().iter().map(|p| (p, pick(p, &mut deal))).collect();
        choices
            .extend(turn.players().iter().filter(|&p| table.moves(p).len() > 1).map(|p| (table.steps(), p)));
        table.choose(&joint).unwrap();
    }
    let (step, seat) = *choices.get((choices.len() * tenths / 10).saturating_sub(1))?;
    table.wind_back(step);
    Some(InfoSet { truth: Some(table.truth()), ..table.infoset(seat) })
}

/// An agent that has followed the game so far.
fn fresh(registry: &Registry, spec: &str, game: &dyn AnyGame, info: &InfoSet) -> SeatAgent {
    let mut agent = registry.agent(spec, game).unwrap();
    agent.start(info.seat, Seed(1));
    info.events.iter().for_each(|event| agent.observe(event));
    agent
}

/// How long an agent takes for a decision on a clock, and how long to answer after it was told to stop.
fn times(mut agent: SeatAgent, mut again: SeatAgent, info: &InfoSet) -> (Duration, Duration) {
    let began = Instant::now();
    let decision = agent.agent.act(info, &Budget { time: Some(CLOCK), ..Budget::default() }).unwrap();
    let clock = began.elapsed();
    assert!(info.legal.contains(&decision.action));
    let stop = Arc::new(AtomicBool::new(false));
    let budget = Budget { stop: Some(Arc::clone(&stop)), ..Budget::default() };
    thread::scope(|scope| {
        let told = scope.spawn(move || {
            thread::sleep(Duration::from_millis(40));
            stop.store(true, Ordering::Relaxed);
            Instant::now()
        });
        let decision = again.agent.act(info, &budget).unwrap();
        let answered = Instant::now();
        assert!(info.legal.contains(&decision.action));
        (clock, answered.saturating_duration_since(told.join().unwrap()))
    })
}

/// Whether an agent keeps clocks and stops here; else how long it takes.
fn keeps(
    registry: &Registry,
    spec: &str,
    game: &dyn AnyGame,
    info: &InfoSet,
) -> Result<(), (Duration, Duration)> {
    let mut best = (Duration::MAX, Duration::MAX);
    for _ in 0..TRIES {
        let agent = || fresh(registry, spec, game, info);
        let (first, second) = (agent(), agent());
        let info = InfoSet { truth: info.truth.clone().filter(|_| first.cheats), ..info.clone() };
        let (clock, stop) = times(first, second, &info);
        best = (best.0.min(clock), best.1.min(stop));
        if best.0 <= KEPT && best.1 <= STOPPED {
            return Ok(());
        }
    }
    Err(best)
}

fn check(agent: &str, specs: impl Iterator<Item = String>, seeds: u64, tenths: &[usize]) {
    let late_ones = late_decisions(agent, specs, seeds, tenths);
    assert!(late_ones.is_empty(), "{}", late_ones.join("\n"));
}

/// Decisions for which an agent takes too long, in words.
fn late_decisions(
    agent: &str,
    specs: impl Iterator<Item = String>,
    seeds: u64,
    tenths: &[usize],
) -> Vec<String> {
    let registry = Registry::standard();
    let mut late_ones = Vec::new();
    for spec in specs {
        let game = registry.game(&spec).unwrap();
        if registry.agent(agent, &*game).is_err() {
            continue;
        }
        for (seed, &tenths) in (1..=seeds).flat_map(|seed| tenths.iter().map(move |t| (seed, t))) {
            let Some(info) = late(&*game, seed, tenths) else { continue };
            if let Err(times) = keeps(&registry, agent, &*game, &info) {
                late_ones.push(format!("{agent} in {spec}, seed {seed}, {tenths}/10: {times:?}"));
            }
        }
    }
    late_ones
}

#[test]
fn clocks_are_kept_in_every_game() {
    let registry = Registry::standard();
    let names: Vec<_> = registry.games().map(|about| about.name.to_string()).collect();
    check("mo-ismcts", names.into_iter(), 1, &[8]);
}

/// It walks games and lists histories before it searches.
#[test]
fn gt_cfr_keeps_clocks_in_every_game() {
    let registry = Registry::standard();
    let names: Vec<_> = registry.games().map(|about| about.name.to_string()).collect();
    check("gt-cfr", names.into_iter(), 1, &[5]);
}

#[test]
fn clocks_are_kept_in_our_sheets() {
    check("mo-ismcts", sheets(), 2, &[8]);
}

/// Agents that follow or draw many worlds before they search, or judge plans by many playouts, where that takes long.
#[test]
fn clocks_are_kept_while_worlds_are_followed() {
    let games = ["tubstap", "visibility-pursuit", "gdl(sheet=krieg-tic-tac-toe-5x5)"];
    for agent in ["is-mcts", "rhea", "tbets", "tiigr"] {
        check(agent, games.iter().map(|game| (*game).to_string()), 2, &[5]);
    }
}

/// The campaign: `cargo test -p fogtree-table --test clocks -- --ignored --nocapture`, nine minutes.
#[test]
#[ignore = "takes nine minutes"]
fn clocks_are_kept_by_every_agent_in_every_game() {
    let registry = Registry::standard();
    let timed = registry.agents().filter(|about| about.param("time").is_some() && about.name != "exec");
    let late_ones: Vec<_> = timed
        .flat_map(|about| {
            let games: Vec<_> = registry.games().map(|about| about.name.to_string()).collect();
            late_decisions(about.name, games.into_iter().chain(sheets()), 2, &[5, 9])
        })
        .inspect(|late| println!("{late}"))
        .collect();
    assert!(late_ones.is_empty(), "{}", late_ones.join("\n"));
}

//! Two plans, and the better one is played: M3Lee.
//!
//! One is the best that was drawn at random and judged by short playouts (DLMC), which looks to its defence; the other is made
//! by UCT with progressive widening, move by move in one world: the tree of a move is searched, the move is made, and
//! so on to the end of the turn, the playouts shared out between the moves. Then each is judged by so many playouts to
//! the end, in as many worlds, the same for both; the drawn plan is played if it is strictly better. Source: the public
//! TUBSTAP program M3Lee, second in the GAT competition of 2016: 150 drawn plans, 3000 playouts of UCT a turn, 50 playouts to
//! judge (`tubstap/2.10`).

use std::time::{Duration, Instant};

use fogtree_core::{Budget, InfoSet, Move, Observer, Report, Simulation, Turn, World, WorldStep};

use super::drawn;
use super::turn::{Bench, Mean, Plan};
use crate::{UctSearch, uct};

/// What can be set about the rival.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Rivals {
    /// How UCT searches.
    pub uct: uct::Settings,
    /// The playouts of UCT in a turn for each plan that is drawn. Of a limit of time both get two fifths.
    pub per_plan: u32,
    /// In how many worlds UCT makes a plan, sharing the playouts out.
    pub worlds: u32,
    /// The playouts to the end that judge each of the rivals.
    pub judges: u32,
}

impl Rivals {
    /// As in M3Lee, with 20 playouts for each of 150 plans.
    pub const M3LEE: Rivals = Rivals {
        uct: uct::Settings {
            narrow: crate::Narrow { prune: crate::Prune::Nothing, widen: crate::Widen::M3 },
            open: true,
            ..uct::Settings::USUAL
        },
        per_plan: 20,
        worlds: 1,
        judges: 50,
    };
}

pub(super) fn find(
    rivals: Rivals,
    bench: &mut Bench,
    uct: &mut UctSearch,
    info: &InfoSet,
    budget: &Budget,
) -> (Plan, Report) {
    let began = Instant::now();
    // Two fifths of the time for each of the rivals, and one to judge them.
    let fifth = budget.time.map(|t| t / 5);
    let (drawn, mut report) =
        drawn::find(bench, info, &Budget { time: fifth.map(|t| 2 * t), ..budget.clone() });
    let length = report.depth.max(1);
    let worlds = u64::from(rivals.worlds.max(1));
    let playouts = budget.iterations.map(|plans| plans.saturating_mul(rivals.per_plan.into()) / worlds);
    let mut plans = Vec::new();
    for (i, mut world) in (0..worlds).zip(bench.worlds(info, rivals.worlds)) {
        let time = fifth.map(|t| (4 * t).saturating_sub(began.elapsed()) / (worlds - i) as u32);
        let share = Budget { iterations: playouts, time, ..budget.after(0, Duration::ZERO) };
        plans.push(grow(bench, uct, &mut *world, info, &share, length));
        if budget.is_stopped() {
            break;
        }
    }
    plans.push(drawn);
    let plan = best(rivals, bench, plans, info, &budget.after(0, began.elapsed()));
    report.time = began.elapsed();
    (plan, report)
}

/// Makes a plan by UCT, one tree after another; the turn is thought to take so many moves.
fn grow(
    bench: &mut Bench,
    uct: &mut UctSearch,
    world: &mut dyn World,
    info: &InfoSet,
    budget: &Budget,
    length: u32,
) -> Plan {
    let game = std::sync::Arc::clone(&bench.game);
    let (began, mut done) = (Instant::now(), 0);
    let mut plan = Plan::new();
    let mut key = info.key;
    let mut legal = Vec::new();
    // Games in which others choose at the same time are planned no further than one choice.
    while world.turn() == Turn::Player(info.seat) || plan.is_empty() {
        legal.clear();
        world.legal(info.seat, &mut legal);
        let moves = length.saturating_sub(plan.len() as u32).max(1);
        let left = budget.after(done, began.elapsed());
        let used_up = left.time.is_some_and(|t| t.is_zero()) || left.is_stopped();
        if used_up && !plan.is_empty() {
            break;
        }
        let share = Budget {
            iterations: left.iterations.map(|n| (n / u64::from(moves)).max(1)),
            time: left.time.map(|t| (t / moves).max(Duration::from_micros(1))),
            explain: None,
            ..left
        };
        let decision = uct.search(world, info.seat, &legal, &share);
        done += decision.report.iterations;
        plan.push((key, decision.action));
        if world.turn() != Turn::Player(info.seat) {
            break;
        }
        let made = [(info.seat, decision.action)];
        key = key.own(game.code(decision.action));
        if let Some(seen) = world.observe(WorldStep::Moves(&made), Observer::Seat(info.seat)) {
            key = key.seen(&seen);
        }
        world.apply(WorldStep::Moves(&made));
    }
    plan.reverse();
    plan
}

/// The best of some plans by playouts to the end in the same worlds; of equals the first.
fn best(rivals: Rivals, bench: &mut Bench, mut plans: Vec<Plan>, info: &InfoSet, budget: &Budget) -> Plan {
    let short = bench.simulation;
    bench.simulation = Simulation { horizon: None, ..short };
    let turns: Vec<Vec<Move>> =
        plans.iter().map(|plan| plan.iter().rev().map(|step| step.1).collect()).collect();
    let mut means = vec![Mean::new(bench.facts.players); turns.len()];
    let worlds = bench.worlds(info, rivals.judges);
    let began = Instant::now();
    let mut state = worlds[0].boxed();
    for world in &worlds {
        for (turn, mean) in turns.iter().zip(&mut means) {
            state.clone_from(world);
            bench.play(&mut *state, (info.seat, info.key), turn, 0.0);
            mean.add(&bench.judge(&mut *state));
        }
        if budget.is_stopped() || budget.time.is_some_and(|t| began.elapsed() >= t) {
            break;
        }
    }
    bench.simulation = short;
    let worth = means.iter().map(|mean| mean.rewards()[info.seat]);
    let best = crate::exact::minimax::first_best(worth);
    plans.swap_remove(best)
}

//! Plans drawn at random and judged by short playouts: depth-limited Monte Carlo.

use fogtree_core::{Budget, InfoSet, Report, Turn};

use super::turn::{Bench, Mean, Plan, report};
use crate::kit::determinize::Determinizer;

pub(super) fn find(bench: &mut Bench, info: &InfoSet, budget: &Budget) -> (Plan, Report) {
    let game = std::sync::Arc::clone(&bench.game);
    let mut table = bench.table(info);
    let mut worlds = Determinizer::new(&*game, info);
    let mut world = game.start();
    let mut state = world.boxed();
    let mut best = (f64::NEG_INFINITY, Plan::new());
    let (mut depth, mut total, mut tied) = (0, 0, 0);
    let mut clock = budget.start();
    while clock.tick() {
        clock.show(|| table.progress(total, depth));
        worlds.draw(&mut bench.sampling, &mut *world);
        let plan = bench.draw_turn(&mut *world, (info.seat, info.key)).into_plan();
        let wins =
            world.turn() == Turn::Terminal && world.rewards()[info.seat] >= bench.facts.utility_bounds.1;
        let mut mean = Mean::new(bench.facts.players);
        for _ in 0..bench.playouts {
            state.clone_from(&world);
            mean.add(&bench.judge(&mut *state));
            if bench.until.has_passed() {
                break;
            }
        }
        let Some(&(_, first)) = plan.last() else { break };
        if mean.count < f64::from(bench.playouts) && !best.1.is_empty() {
            break;
        }
        let rewards = mean.rewards();
        table.add(table.index_of(first), &rewards, 1.0);
        depth = depth.max(plan.len());
        total += plan.len() as u64;
        let worth = rewards[info.seat];
        tied = if worth > best.0 { 1 } else { tied + u32::from(worth == best.0) };
        if worth > best.0 || worth == best.0 && bench.ties.below(tied) == 0 {
            best = (worth, plan);
        }
        if wins {
            break;
        }
    }
    (best.1, report(&table, clock.done(), (total, depth), clock.elapsed()))
}

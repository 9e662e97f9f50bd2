//! How often a decision asks for memory: a module by itself, for counting replaces the program's allocator.

use std::fmt::Debug;

use fogtree_core::{Agent, Budget, InfoSet, Seed};

/// What a decision from a fixed seed allocates.
pub(crate) fn count(agent: &mut dyn Agent, info: &InfoSet, budget: &Budget) -> u64 {
    agent.start(info.seat, Seed(1));
    let measured = allocation_counter::measure(|| {
        agent.act(info, budget).unwrap();
    });
    measured.count_total
}

/// Once a search has grown as far as it needs to for so many iterations, these allocate nothing.
pub(crate) fn assert_none_by_iterations(
    agent: &mut dyn Agent,
    info: &InfoSet,
    iterations: u64,
    name: &dyn Debug,
) {
    let mut count = |n| count(agent, info, &Budget::iterations(n));
    count(iterations);
    let (few, many) = (count(100), count(iterations));
    assert!(few == many && many < 100, "{name:?}: {few} and {many} allocations in a decision");
}

//! The steps that can follow a state, and what an observer makes of them.

use fogtree_core::world::events_of;
use fogtree_core::{Event, Model, Move, Observer, Player, Turn, World, WorldStep};
use smallvec::SmallVec;

use super::insertion_sort;

/// Shows every step that can follow, with its probability if chance makes it (1 otherwise). A player of `own`
/// makes the move given there; joint moves come in all combinations.
pub(crate) fn each_step(
    state: &dyn World,
    own: Option<(Player, Move)>,
    mut with: impl FnMut(WorldStep<'_>, f64),
) {
    let turn = state.turn();
    if turn == Turn::Chance {
        let mut outcomes = Vec::new();
        state.chances(&mut outcomes);
        for (outcome, p) in &outcomes {
            with(WorldStep::Chance(outcome), *p);
        }
        return;
    }
    let mut joint: Vec<Vec<(Player, Move)>> = vec![Vec::new()];
    for p in turn.players().iter() {
        let mut legal = Vec::new();
        match own {
            Some((who, action)) if who == p => legal.push(action),
            _ => state.legal(p, &mut legal),
        }
        joint = joint.iter().flat_map(|m| legal.iter().map(|&a| [&m[..], &[(p, a)]].concat())).collect();
    }
    for moves in joint.iter().filter(|m| !m.is_empty()) {
        with(WorldStep::Moves(moves), 1.0);
    }
}

/// How many events are accounted for after a step that agrees with them.
pub(crate) fn agreeing(
    game: &dyn Model,
    state: &dyn World,
    step: WorldStep<'_>,
    seat: Player,
    events: &[Event],
    at: usize,
) -> Option<usize> {
    let mut reached = at;
    for event in events_of(game, state, step, Observer::Seat(seat)) {
        if events.get(reached) != Some(&event) {
            return None;
        }
        reached += 1;
    }
    Some(reached)
}

/// Moves chosen in a turn, in the order of choosing.
pub(crate) type Chosen = SmallVec<[(Player, Move); 2]>;

/// The world after a turn in which all have chosen.
pub(crate) fn after_all(state: &dyn World, chosen: &Chosen) -> Box<dyn World> {
    let (mut next, mut step) = (state.boxed(), chosen.clone());
    insertion_sort::sort_by_key(&mut step, |m| m.0);
    next.apply(WorldStep::Moves(&step));
    next
}

//! The steps that can follow a state, and what an observer makes of them.

use fogtree_core::{Move, Player, Turn, World, WorldStep};

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

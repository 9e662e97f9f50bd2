//! The steps that can follow a state, and what an observer makes of them.

use fogtree_core::{Player, Rules, Step, Turn};

/// Shows every step that can follow, with its probability if chance makes it (1 otherwise). A player of `own`
/// makes the move given there; joint moves come in all combinations.
pub(crate) fn each_step<R: Rules>(
    rules: &R,
    state: &R::State,
    own: Option<(Player, R::Action)>,
    mut with: impl FnMut(Step<'_, R>, f64),
) {
    let turn = rules.turn(state);
    if turn == Turn::Chance {
        let mut outcomes = Vec::new();
        rules.chance(state, &mut outcomes);
        for (outcome, p) in &outcomes {
            with(Step::Chance(outcome), *p);
        }
        return;
    }
    let mut joint: Vec<Vec<(Player, R::Action)>> = vec![Vec::new()];
    for p in turn.players().iter() {
        let mut legal = Vec::new();
        match own {
            Some((who, action)) if who == p => legal.push(action),
            _ => rules.actions(state, p, &mut legal),
        }
        joint = joint.iter().flat_map(|m| legal.iter().map(|&a| [&m[..], &[(p, a)]].concat())).collect();
    }
    for moves in joint.iter().filter(|m| !m.is_empty()) {
        with(Step::Moves(moves), 1.0);
    }
}

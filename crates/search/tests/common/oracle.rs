//! What can follow, and what a state is worth, by a program that is short and slow.

use std::collections::HashMap;

use fogtree_core::{Playable, Rewards, Rules, Step, Turn};

/// The states that can follow, each with its probability if players choose uniformly; for games in which one player moves
/// at a time.
pub fn successors<R: Rules>(rules: &R, state: &R::State) -> Vec<(R::State, f64)> {
    let after = |step: Step<'_, R>, p| {
        let mut next = state.clone();
        rules.apply(&mut next, step);
        (next, p)
    };
    match rules.turn(state) {
        Turn::Terminal => Vec::new(),
        Turn::Simultaneous(_) => unreachable!("one player moves at a time"),
        Turn::Chance => {
            let mut outcomes = Vec::new();
            rules.chance(state, &mut outcomes);
            outcomes.iter().map(|(outcome, p)| after(Step::Chance(outcome), *p)).collect()
        }
        Turn::Player(who) => {
            let mut legal = Vec::new();
            rules.actions(state, who, &mut legal);
            let p = 1.0 / legal.len() as f64;
            legal.iter().map(|&action| after(Step::Moves(&[(who, action)]), p)).collect()
        }
    }
}

/// The rewards if everybody chooses what is best for itself, the first of equals; chance is averaged.
pub fn exact<R: Playable>(rules: &R, state: &R::State, memo: &mut HashMap<R::State, Rewards>) -> Rewards {
    if let Some(known) = memo.get(state) {
        return known.clone();
    }
    let values = successors(rules, state).into_iter().map(|(next, p)| (exact(rules, &next, memo), p));
    let found = match rules.turn(state) {
        Turn::Player(who) => {
            values.map(|v| v.0).reduce(|a, b| if b[who] > a[who] { b } else { a }).expect("there is a move")
        }
        Turn::Terminal => rules.rewards(state),
        _ => {
            let parts: Vec<_> = values.collect();
            Rewards::from_fn(rules.facts().players, |p| parts.iter().map(|(r, share)| share * r[p]).sum())
        }
    };
    memo.insert(state.clone(), found.clone());
    found
}

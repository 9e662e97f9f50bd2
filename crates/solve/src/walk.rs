//! Walks over whole game trees: every history, every information set.
//!
//! [`visit`] is the one walk; [`count`] and [`perft`] are made of it. Simultaneous turns are walked as joint
//! moves; for the sequential form of the sources wrap the game in `Serial` first.

use std::collections::HashMap;

use fogtree_core::{Key, Keys, MAX_PLAYERS, Observer, Player, Rules, Step, Turn};

/// A node met on a walk.
#[derive(Debug)]
pub struct Node<'a, R: Rules> {
    /// The state.
    pub state: &'a R::State,
    /// Whose turn it is there.
    pub turn: Turn,
    /// The keys of all observers.
    pub keys: &'a Keys,
    /// Steps from the start.
    pub depth: u32,
    /// The probability that chance draws what leads here.
    pub chance: f64,
}

/// Whether to go on below a node.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Go {
    /// Walk the children too.
    Deeper,
    /// Leave out what is below.
    Back,
}

/// Walks the tree from the start, parents before children, and shows every node to `see`.
pub fn visit<R: Rules>(rules: &R, see: &mut impl FnMut(&Node<'_, R>) -> Go) {
    let mut open = vec![(rules.start(), Keys::start(rules.facts().players), 0, 1.0)];
    while let Some((state, keys, depth, chance)) = open.pop() {
        let turn = rules.turn(&state);
        if see(&Node { state: &state, turn, keys: &keys, depth, chance }) == Go::Back {
            continue;
        }
        let first = open.len();
        each_step(rules, &state, turn, |step, p| {
            let mut next = state.clone();
            rules.apply(&mut next, step);
            open.push((next, keys.after(rules, &state, step), depth + 1, chance * p));
        });
        open[first..].reverse();
    }
}

/// Calls `with` for every step that can follow, with its probability if chance makes it (1 otherwise).
pub fn each_step<R: Rules>(rules: &R, state: &R::State, turn: Turn, mut with: impl FnMut(Step<'_, R>, f64)) {
    if turn == Turn::Chance {
        let mut outcomes = Vec::new();
        rules.chance(state, &mut outcomes);
        for (outcome, p) in &outcomes {
            with(Step::Chance(outcome), *p);
        }
        return;
    }
    let players: Vec<Player> = turn.players().iter().collect();
    if players.is_empty() {
        return;
    }
    let choices: Vec<Vec<R::Action>> = players
        .iter()
        .map(|&p| {
            let mut legal = Vec::new();
            rules.actions(state, p, &mut legal);
            legal
        })
        .collect();
    let mut at = vec![0; players.len()];
    loop {
        let moves: Vec<_> = players.iter().zip(&at).zip(&choices).map(|((&p, &i), c)| (p, c[i])).collect();
        with(Step::Moves(&moves), 1.0);
        let turned = at.iter_mut().zip(&choices).rev().any(|(i, legal)| {
            *i = (*i + 1) % legal.len();
            *i > 0
        });
        if !turned {
            return;
        }
    }
}

/// The size of a game.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Size {
    /// Histories at which somebody chooses.
    pub decisions: u64,
    /// Of these, histories at which this seat chooses.
    pub decisions_of: [u64; MAX_PLAYERS],
    /// Histories at which chance draws.
    pub chances: u64,
    /// Finished histories.
    pub terminals: u64,
    /// Information sets in which this seat chooses.
    pub infosets: [u64; MAX_PLAYERS],
    /// The most histories in an information set of this seat.
    pub largest: [u64; MAX_PLAYERS],
}

impl Size {
    /// Information sets of all seats together.
    pub fn infosets(&self) -> u64 {
        self.infosets.iter().sum()
    }
}

/// Counts every history and every information set.
pub fn count<R: Rules>(rules: &R) -> Size {
    let mut size = Size::default();
    let mut sets: HashMap<(Player, Key), u64> = HashMap::new();
    visit(rules, &mut |node| {
        match node.turn {
            Turn::Terminal => size.terminals += 1,
            Turn::Chance => size.chances += 1,
            Turn::Player(_) | Turn::Simultaneous(_) => size.decisions += 1,
        }
        for p in node.turn.players().iter() {
            size.decisions_of[p.index()] += 1;
            *sets.entry((p, node.keys.of(Observer::Seat(p)))).or_default() += 1;
        }
        Go::Deeper
    });
    for ((p, _), histories) in sets {
        size.infosets[p.index()] += 1;
        size.largest[p.index()] = size.largest[p.index()].max(histories);
    }
    size
}

/// The number of histories of exactly this many steps; finished games stay where they ended and are not
/// counted beyond their length.
pub fn perft<R: Rules>(rules: &R, state: &R::State, steps: u32) -> u64 {
    if steps == 0 {
        return 1;
    }
    let mut total = 0;
    each_step(rules, state, rules.turn(state), |step, _| {
        let mut next = state.clone();
        rules.apply(&mut next, step);
        total += perft(rules, &next, steps - 1);
    });
    total
}

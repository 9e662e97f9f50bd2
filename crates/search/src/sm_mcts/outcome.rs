//! SM-OOS: online outcome sampling for games with simultaneous moves.
//!
//! One player learns in each iteration, in turns; it explores, the other and chance follow their strategies. What
//! the source writes with probabilities of whole histories is written here without those of the other player and
//! of chance: they are sampled as they play, so that each of their factors stands above and below every fraction
//! (also those that `equilibrium/ER-1` adds, and those of random play at the end). With the player's own
//! probabilities `r` of coming to a node, `a` of its move with exploration and `s` without, and the product `t` of
//! `s / a` over its later moves,
//!
//! ```text
//! W c = u t / (r a),    W x = s W c,    weight of the other's strategy = 1 / r.
//! ```

use fogtree_core::Rng;

use super::draw::{Drawn, Share, by_regrets};
use super::learn::Choice;
use super::settings::{Oos, Weights};
use super::store::{NONE, Store};

/// Who learns, and how much.
#[derive(Clone, Copy, Debug)]
pub(super) struct Turn {
    pub(super) learner: usize,
    /// How likely the other and chance were to come where the iteration starts.
    pub(super) weight: f64,
}

impl Oos {
    /// Lets both players choose at a node that the learner comes to with probability `reach`; the slot is still to
    /// be found.
    #[inline(never)]
    pub(super) fn select(&self, store: &mut Store, at: u32, turn: Turn, reach: f64, rng: &mut Rng) -> Choice {
        let node = store.nodes[at as usize];
        let reach = if self.weights == Weights::Local { 1.0 } else { reach };
        let mut choose = |seat: usize| {
            if node.counts[seat] < 2 {
                return Drawn::ONLY;
            }
            let [values, sums] = node.numbers(seat);
            let (values, sums) =
                store.numbers[values.start..sums.end].split_at_mut(sums.start - values.start);
            let values = &values[..sums.len()];
            if seat == turn.learner {
                by_regrets(values, sums, self.gamma, Share::NOTHING, rng)
            } else {
                by_regrets(values, sums, 0.0, Share { weight: turn.weight / reach, exploration: 0.0 }, rng)
            }
        };
        let drawn = [choose(0), choose(1)];
        let own = drawn[turn.learner];
        Choice { node: at, slot: NONE, arms: drawn.map(|d| d.arm), p: [own.p, own.aim], reach }
    }

    /// Tells the nodes of an iteration, the last first, what came of it: the first player's reward in [0, 1].
    #[inline(never)]
    pub(super) fn update(&self, store: &mut Store, path: &[Choice], turn: Turn, reward: f64) {
        let sign = if turn.learner == 0 { 1.0 } else { -1.0 };
        let utility = sign * (2.0 * reward - 1.0) * turn.weight;
        let mut tail = 1.0;
        for choice in path.iter().rev() {
            if let Some(slot) = store.slots.get_mut(choice.slot as usize) {
                slot.visits += 1;
                slot.mean += (reward - slot.mean) / f64::from(slot.visits);
            }
            let node = &mut store.nodes[choice.node as usize];
            node.visits += 1;
            node.total += reward;
            if node.counts[turn.learner] < 2 {
                continue;
            }
            let [explored, aim] = choice.p;
            let chosen = utility * tail / (choice.reach * explored);
            let [values, _] = node.numbers(turn.learner);
            let arm = values.start + choice.arms[turn.learner] as usize;
            store.numbers[values].iter_mut().for_each(|regret| *regret -= aim * chosen);
            store.numbers[arm] += chosen;
            tail *= aim / explored;
        }
    }
}

#[cfg(test)]
mod tests {
    use fogtree_core::{Purpose, Seed};

    use super::*;
    use crate::bandit::regret_matching;
    use crate::sm_mcts::settings::Progress;

    /// What the recursion of `equilibrium/2.4` passes up: the probability of the rest of the game, that of having
    /// sampled it all, and what it is worth to the learner.
    #[derive(Clone, Copy)]
    struct Up {
        x: f64,
        q: f64,
        u: f64,
    }

    /// The recursion as `equilibrium/2.4` has it, with every probability of both players, of chance (drawn before
    /// each node with the probability given there) and of random play at the end. The learner's own probability of
    /// coming to a node is passed down there but never used.
    struct Literal<'a> {
        before: &'a Store,
        after: Store,
        path: &'a [Choice],
        chances: &'a [f64],
        rollout: f64,
        u: f64,
        gamma: f64,
        learner: usize,
    }

    impl Literal<'_> {
        fn recur(&mut self, depth: usize, other: f64, s: f64) -> Up {
            if depth == self.path.len() {
                return Up { x: self.rollout, q: s * self.rollout, u: self.u };
            }
            let p = self.chances[depth];
            let (other, s) = (other * p, s * p);
            let choice = self.path[depth];
            let node = self.before.nodes[choice.node as usize];
            let strategy = |seat: usize, gamma: f64| {
                let [values, _] = node.numbers(seat);
                let mut out = vec![0.0; values.len()];
                regret_matching(&self.before.numbers[values], gamma, &mut out);
                out
            };
            let (i, j) = (self.learner, 1 - self.learner);
            let [a, b] = [i, j].map(|seat| choice.arms[seat] as usize);
            let (aim, explored, theirs) = (strategy(i, 0.0), strategy(i, self.gamma), strategy(j, 0.0));
            let up = self.recur(depth + 1, theirs[b] * other, explored[a] * theirs[b] * s);
            let c = up.x * theirs[b];
            let x = c * aim[a];
            let w = up.u * other / up.q;
            let [regrets, _] = node.numbers(i);
            for (k, at) in regrets.enumerate() {
                self.after.numbers[at] += if k == a { (c - x) * w } else { -x * w };
            }
            let [_, sums] = node.numbers(j);
            for (k, at) in sums.enumerate() {
                self.after.numbers[at] += other / s * theirs[k];
            }
            Up { x: x * p, q: up.q, u: up.u }
        }
    }

    /// Without the probabilities that cancel the numbers are those of the recursion with all of them
    /// (`equilibrium/ER-1`).
    #[test]
    fn what_is_left_out_cancels() {
        let mut rng = Seed(1).stream(Purpose::Ties);
        for case in 0..200 {
            let mut store = Store::new(0.5);
            let depth = 1 + rng.below(5) as usize;
            for _ in 0..depth {
                store.add([2 + rng.below(4), 2 + rng.below(4)]);
            }
            store.numbers.iter_mut().for_each(|number| *number = 4.0 * rng.unit() - 2.0);
            let oos = Oos { gamma: 0.4, weights: Weights::Path, progress: Progress::Restart };
            let turn = Turn { learner: case % 2, weight: 1.0 };
            let before = store.clone();
            let (mut path, mut reach) = (Vec::new(), 1.0);
            for node in 0..depth {
                let choice = oos.select(&mut store, node as u32, turn, reach, &mut rng);
                reach *= choice.p[0];
                path.push(choice);
            }
            let reward = rng.unit();
            oos.update(&mut store, &path, turn, reward);
            let chances: Vec<f64> = (0..depth).map(|_| 0.1 + 0.9 * rng.unit()).collect();
            let u = if turn.learner == 0 { 2.0 * reward - 1.0 } else { 1.0 - 2.0 * reward };
            let mut literal = Literal {
                before: &before,
                after: before.clone(),
                path: &path,
                chances: &chances,
                rollout: 0.01 + 0.9 * rng.unit(),
                u,
                gamma: 0.4,
                learner: turn.learner,
            };
            literal.recur(0, 1.0, 1.0);
            for (found, expected) in store.numbers.iter().zip(&literal.after.numbers) {
                assert!((found - expected).abs() <= 1e-9 * (1.0 + expected.abs()), "{found}, {expected}");
            }
        }
    }
}

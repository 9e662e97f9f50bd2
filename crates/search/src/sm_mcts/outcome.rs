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
    #[inline]
    pub(super) fn select(&self, store: &mut Store, at: u32, turn: Turn, reach: f64, rng: &mut Rng) -> Choice {
        let node = store.nodes[at as usize];
        let reach = if self.weights == Weights::Local { 1.0 } else { reach };
        let mut choose = |seat: usize| {
            if node.counts[seat] < 2 {
                return Drawn::ONLY;
            }
            let [values, sums] = node.numbers(seat);
            let (values, sums) = store.numbers[values.start..sums.end].split_at_mut(sums.start - values.start);
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
    #[inline]
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

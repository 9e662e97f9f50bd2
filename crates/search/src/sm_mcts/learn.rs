//! How players choose at a node of SM-MCTS and what they learn, for every selection function.

use fogtree_core::Rng;

use super::draw::{Drawn, Share, by_exponents, by_regrets};
use super::settings::{Average, Mcts, Propagate, Selection};
use super::store::{NONE, Node, Store};
use crate::bandit::{greatest, ucb1};

/// What both players chose at a node.
#[derive(Clone, Copy, Debug)]
pub(super) struct Choice {
    pub(super) node: u32,
    /// Where the joint move is; `NONE` if there was no more room.
    pub(super) slot: u32,
    pub(super) arms: [u32; 2],
    /// In SM-MCTS, the probability with which each player drew its move; 0 if it is not to learn from it. In
    /// SM-OOS, the probabilities of the move of the player who learns: when it explores, and when it does not.
    pub(super) p: [f64; 2],
    /// In SM-OOS, the probability with which that player came here.
    pub(super) reach: f64,
}

impl Choice {
    /// Which joint move of the node it is.
    #[inline]
    pub(super) fn joint(&self, node: &Node) -> u32 {
        self.arms[0] * node.columns() + self.arms[1]
    }
}

impl Mcts {
    /// Lets both players choose; the slot is still to be found.
    #[inline(never)]
    pub(super) fn select(&self, store: &mut Store, at: u32, scores: &mut Vec<f64>, rng: &mut Rng) -> Choice {
        let node = store.nodes[at as usize];
        let [first, second] = [0, 1].map(|seat| self.choose(store, &node, seat, scores, rng));
        Choice { node: at, slot: NONE, arms: [first.arm, second.arm], p: [first.p, second.p], reach: 1.0 }
    }

    #[inline]
    fn choose(
        &self,
        store: &mut Store,
        node: &Node,
        seat: usize,
        scores: &mut Vec<f64>,
        rng: &mut Rng,
    ) -> Drawn {
        let k = node.counts[seat] as usize;
        if k < 2 {
            return Drawn::ONLY;
        }
        let [values, sums] = node.numbers(seat);
        let (values, sums) = store.numbers[values.start..sums.end].split_at_mut(sums.start - values.start);
        let values = &values[..k];
        if self.forced > 0.0 && rng.unit() < self.forced {
            if self.average == Average::Played && !matches!(self.selection, Selection::Duct { .. }) {
                sums.iter_mut().for_each(|sum| *sum += 1.0 / k as f64);
            }
            return Drawn { p: 0.0, ..Drawn::uniform(k, rng) };
        }
        let share = |gamma| Share {
            weight: 1.0,
            exploration: if self.average == Average::Played { gamma } else { 0.0 },
        };
        if scores.len() < k {
            scores.resize(k, 0.0);
        }
        let scores = &mut scores[..k];
        match self.selection {
            Selection::Duct { c, ties } => {
                let tries: f64 = sums.iter().sum();
                for ((score, total), n) in scores.iter_mut().zip(values).zip(sums.iter()) {
                    *score = ucb1(*total, *n, tries, c);
                }
                Drawn { arm: greatest(scores, ties, rng) as u32, ..Drawn::ONLY }
            }
            Selection::Exp3 { gamma } => by_exponents(values, sums, scores, gamma, share(gamma), rng),
            Selection::Drm { gamma } | Selection::Rm { gamma, .. } => {
                by_regrets(values, sums, gamma, share(gamma), rng)
            }
        }
    }

    /// Tells the nodes of an iteration, the last first, what came of it: the first player's reward in [0, 1].
    #[inline(never)]
    pub(super) fn update(&self, store: &mut Store, path: &[Choice], reward: f64) {
        let mut value = reward;
        for choice in path.iter().rev() {
            let told = match (self.propagate, store.slots.get(choice.slot as usize)) {
                (Propagate::JointMean, Some(slot)) => {
                    slot.mean + (value - slot.mean) / f64::from(slot.visits + 1)
                }
                _ => value,
            };
            self.learn(store, choice, told);
            if let Some(slot) = store.slots.get_mut(choice.slot as usize) {
                slot.visits += 1;
                slot.mean += (value - slot.mean) / f64::from(slot.visits);
            }
            let node = &mut store.nodes[choice.node as usize];
            node.visits += 1;
            node.total += value;
            if self.propagate == Propagate::Mean {
                value = node.total / f64::from(node.visits);
            }
        }
    }

    #[inline]
    fn learn(&self, store: &mut Store, choice: &Choice, value: f64) {
        let node = store.nodes[choice.node as usize];
        if let Selection::Rm { .. } = self.selection {
            store.regret(&node, choice, value);
            return;
        }
        for (seat, reward) in [value, 1.0 - value].into_iter().enumerate() {
            let p = choice.p[seat];
            if node.counts[seat] < 2 || p == 0.0 {
                continue;
            }
            let [values, sums] = node.numbers(seat);
            let arm = choice.arms[seat] as usize;
            match self.selection {
                Selection::Duct { .. } => {
                    store.numbers[values.start + arm] += reward;
                    store.numbers[sums.start + arm] += 1.0;
                }
                Selection::Exp3 { .. } => store.numbers[values.start + arm] += reward / p,
                Selection::Drm { .. } => {
                    store.numbers[values.clone()].iter_mut().for_each(|regret| *regret -= reward);
                    store.numbers[values.start + arm] += reward / p;
                }
                Selection::Rm { .. } => {}
            }
        }
    }
}

impl Store {
    /// Coupled regret matching: each player regrets its other moves against what the other chose.
    #[inline]
    fn regret(&mut self, node: &Node, choice: &Choice, value: f64) {
        for (seat, sign) in [(0, 1.0), (1, -1.0)] {
            if node.counts[seat] < 2 || choice.p[seat] == 0.0 {
                continue;
            }
            let [regrets, _] = node.numbers(seat);
            let chosen = regrets.start + choice.arms[seat] as usize;
            let kept = self.numbers[chosen];
            let width = node.columns() as usize;
            // The joint moves with what the other chose: the first of them, and how far they are apart.
            let (first, apart) = match seat {
                0 => (choice.arms[1] as usize, width),
                _ => (choice.arms[0] as usize * width, 1),
            };
            if node.is_full() {
                let means = self.slots[node.block()][first..].iter().step_by(apart);
                let regrets = self.numbers[regrets].iter_mut();
                regrets.zip(means).for_each(|(regret, slot)| *regret += sign * (slot.mean - value));
            } else if node.block().len() > node.arms() as usize {
                for (i, at) in regrets.enumerate() {
                    let slot = self.find(node, (first + i * apart) as u32);
                    let mean = slot.map_or(self.unvisited, |slot| self.slots[slot as usize].mean);
                    self.numbers[at] += sign * (mean - value);
                }
            } else {
                // Few joint moves have been made: all others are worth the same.
                let rest = sign * (self.unvisited - value);
                self.numbers[regrets.clone()].iter_mut().for_each(|regret| *regret += rest);
                for at in node.block().filter(|&at| self.joints[at] != NONE) {
                    let joint = self.joints[at];
                    let arms = [joint / node.columns(), joint % node.columns()];
                    if arms[1 - seat] == choice.arms[1 - seat] {
                        let more = sign * (self.slots[at].mean - self.unvisited);
                        self.numbers[regrets.start + arms[seat] as usize] += more;
                    }
                }
            }
            self.numbers[chosen] = kept;
        }
    }
}

#[cfg(test)]
mod tests {
    use fogtree_core::{Purpose, Seed};

    use super::*;

    /// The update of `equilibrium/2.3`, line by line, on plain tables.
    struct Plain {
        regrets: [Vec<f64>; 2],
        sums: Vec<Vec<f64>>,
        counts: Vec<Vec<f64>>,
        unvisited: f64,
    }

    impl Plain {
        fn estimate(&self, a: usize, b: usize) -> f64 {
            if self.counts[a][b] > 0.0 { self.sums[a][b] / self.counts[a][b] } else { self.unvisited }
        }

        fn update(&mut self, [a1, a2]: [usize; 2], learns: [bool; 2], v: f64) {
            for b1 in (0..self.regrets[0].len()).filter(|&b1| learns[0] && b1 != a1) {
                self.regrets[0][b1] += self.estimate(b1, a2) - v;
            }
            for b2 in (0..self.regrets[1].len()).filter(|&b2| learns[1] && b2 != a2) {
                self.regrets[1][b2] -= self.estimate(a1, b2) - v;
            }
            self.sums[a1][a2] += v;
            self.counts[a1][a2] += 1.0;
        }
    }

    /// However the joint moves of a node are laid out, coupled regret matching comes to the same regrets, with any
    /// estimate of joint moves never made; a player who was made to explore does not learn.
    #[test]
    fn coupled_regrets_are_those_of_plain_tables() {
        let mut rng = Seed(1).stream(Purpose::Ties);
        for counts in [[2, 2], [4, 5], [9, 7], [30, 20], [51, 51], [3, 0], [0, 40]] {
            for unvisited in [0.5, 0.0, 0.9] {
                let rows: [usize; 2] = counts.map(|count: u32| count.max(1) as usize);
                let mut plain = Plain {
                    regrets: counts.map(|count| vec![0.0; count as usize]),
                    sums: vec![vec![0.0; rows[1]]; rows[0]],
                    counts: vec![vec![0.0; rows[1]]; rows[0]],
                    unvisited,
                };
                let mut store = Store::new(unvisited);
                let node = store.add(counts).unwrap();
                let mcts = Mcts::new(Selection::Rm { gamma: 0.1, unvisited });
                for _ in 0..600 {
                    let mut scores = Vec::new();
                    let mut choice = mcts.select(&mut store, node, &mut scores, &mut rng);
                    let explores = rng.below(4) as usize;
                    if explores < 2 {
                        choice.p[explores] = 0.0;
                    }
                    choice.slot = store.slot(node, choice.joint(&store.nodes[node as usize]));
                    let value = rng.unit();
                    mcts.update(&mut store, &[choice], value);
                    plain.update(choice.arms.map(|arm| arm as usize), choice.p.map(|p| p > 0.0), value);
                }
                for seat in (0..2).filter(|&seat| counts[seat] > 1) {
                    let [regrets, _] = store.nodes[node as usize].numbers(seat);
                    for (found, expected) in store.numbers[regrets].iter().zip(&plain.regrets[seat]) {
                        assert!((found - expected).abs() < 1e-9, "{counts:?}: {found}, {expected}");
                    }
                }
            }
        }
    }

    /// What is passed up: the sample, the mean of the node, or the sample while learners get the joint mean.
    #[test]
    fn rewards_are_passed_up_as_asked() {
        for (propagate, upper, lower) in [
            (Propagate::Sample, [0.8, 0.2], [0.8, 0.2]),
            (Propagate::Mean, [0.8, 0.5], [0.8, 0.2]),
            (Propagate::JointMean, [0.8, 0.5], [0.8, 0.5]),
        ] {
            let mut store = Store::new(0.5);
            let nodes = [store.add([2, 2]).unwrap(), store.add([2, 2]).unwrap()];
            let selection = Selection::Duct { c: 1.0, ties: crate::bandit::Ties::First };
            let mcts = Mcts { propagate, ..Mcts::new(selection) };
            for reward in [0.8, 0.2] {
                let path = nodes.map(|node| {
                    let slot = store.slot(node, 0);
                    Choice { node, slot, arms: [0, 0], p: [1.0; 2], reach: 1.0 }
                });
                mcts.update(&mut store, &path, reward);
            }
            for (node, told) in nodes.into_iter().zip([upper, lower]) {
                let [values, _] = store.nodes[node as usize].numbers(0);
                let expected: f64 = told.iter().sum();
                assert!((store.numbers[values.start] - expected).abs() < 1e-12, "{propagate:?}");
            }
        }
    }
}

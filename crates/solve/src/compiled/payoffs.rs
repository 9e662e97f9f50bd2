//! The payoffs of one player as a sparse matrix: a row for each of its sequences, an entry for each
//! combination of sequences of the others.

use fogtree_core::Player;

/// Rows without entries are left out.
#[derive(Clone, Debug)]
pub(super) struct Payoffs {
    /// Of each row, the sequence.
    rows: Vec<u32>,
    /// Of each row, the first entry; and at the end the number of entries.
    starts: Vec<u32>,
    /// Of each entry, the chance-weighted payoff.
    weights: Vec<f64>,
    /// Of each entry, the sequences of the other players in seat order.
    others: Vec<u32>,
    /// The number of other players.
    width: usize,
}

impl Payoffs {
    /// Collects the leaves, of which the sequences of all players and the weighted payoff are given; leaves
    /// with the same sequences are added up.
    pub(super) fn new(players: usize, who: usize, sequences: &[u32], weights: &[f64]) -> Payoffs {
        let of = |leaf: u32| &sequences[leaf as usize * players..][..players];
        let others = |leaf: u32| of(leaf).iter().enumerate().filter(move |(i, _)| *i != who).map(|(_, s)| *s);
        let mut order: Vec<u32> = (0..weights.len() as u32).filter(|&l| weights[l as usize] != 0.0).collect();
        order.sort_by(|&a, &b| of(a)[who].cmp(&of(b)[who]).then_with(|| of(a).cmp(of(b))));
        let (rows, starts) = (Vec::new(), Vec::new());
        let mut all = Payoffs { rows, starts, weights: Vec::new(), others: Vec::new(), width: players - 1 };
        let mut last = None;
        for leaf in order {
            if last.is_some_and(|last| of(last) == of(leaf)) {
                *all.weights.last_mut().expect("the last leaf had a weight") += weights[leaf as usize];
                continue;
            }
            if all.rows.last() != Some(&of(leaf)[who]) {
                all.rows.push(of(leaf)[who]);
                all.starts.push(all.weights.len() as u32);
            }
            all.weights.push(weights[leaf as usize]);
            all.others.extend(others(leaf));
            last = Some(leaf);
        }
        all.starts.push(all.weights.len() as u32);
        all
    }

    #[inline]
    pub(super) fn apply(&self, who: Player, plans: &[Vec<f64>], values: &mut [f64]) {
        values.fill(0.0);
        if self.width == 1 {
            self.apply_two(&plans[who.other().index()], values);
        } else {
            self.apply_many(who, plans, values);
        }
    }

    /// With one other player: a product of a sparse matrix with its plan.
    fn apply_two(&self, plan: &[f64], values: &mut [f64]) {
        for (&row, ends) in self.rows.iter().zip(self.starts.windows(2)) {
            let range = ends[0] as usize..ends[1] as usize;
            let entries = self.weights[range.clone()].iter().zip(&self.others[range]);
            values[row as usize] = entries.map(|(w, &s)| w * plan[s as usize]).sum();
        }
    }

    fn apply_many(&self, who: Player, plans: &[Vec<f64>], values: &mut [f64]) {
        let others = || plans.iter().enumerate().filter(|(i, _)| *i != who.index()).map(|(_, plan)| plan);
        for (&row, ends) in self.rows.iter().zip(self.starts.windows(2)) {
            let mut sum = 0.0;
            for entry in ends[0] as usize..ends[1] as usize {
                let sequences = &self.others[entry * self.width..][..self.width];
                let reach = sequences.iter().zip(others()).map(|(&s, plan)| plan[s as usize]);
                sum += self.weights[entry] * reach.product::<f64>();
            }
            values[row as usize] = sum;
        }
    }

    /// The entries of a game with one other player.
    pub(super) fn entries(&self) -> impl Iterator<Item = (usize, usize, f64)> + '_ {
        assert_eq!(self.width, 1, "only two-player games have a payoff matrix");
        self.rows.iter().zip(self.starts.windows(2)).flat_map(move |(&row, ends)| {
            let entry = move |e: usize| (row as usize, self.others[e] as usize, self.weights[e]);
            (ends[0] as usize..ends[1] as usize).map(entry)
        })
    }

    pub(super) fn bytes(&self) -> usize {
        self.weights.len() * 8 + (self.rows.len() + self.starts.len() + self.others.len()) * 4
    }
}

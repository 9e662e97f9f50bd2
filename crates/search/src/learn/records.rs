//! Records and what they hold: the value of an action in a context.
//!
//! Contexts with small numbers have a row of a plain array, with a place for every action code; others are
//! nodes of an open-addressing table whose moves lie together. Nothing is allocated per playout once these have
//! grown, and clearing costs as much as was used.

use fogtree_core::Move;

use crate::kit::store::{Edge, NONE, Store, seek};

/// Plain arrays may take so many bytes.
const DENSE: usize = 4 << 20;

/// What is known about an action in a context.
#[derive(Clone, Copy, PartialEq, Debug)]
pub(crate) struct Evidence {
    /// How often it was tried.
    pub(crate) n: u32,
    /// The mean of its player's rewards, scaled to [0, 1].
    pub(crate) mean: f32,
    /// `1 / sqrt(n)`.
    pub(crate) width: f32,
}

impl Evidence {
    pub(crate) const NOTHING: Evidence = Evidence { n: 0, mean: 0.0, width: 1.0 };

    /// Learns from a reward with a step of `1 / n`, at least this; returns what the value was before.
    #[inline]
    fn learn(&mut self, reward: f32, least: f32) -> f32 {
        let before = self.mean;
        self.n += 1;
        let n = self.n as f32;
        self.mean += (reward - before) * (1.0 / n).max(least);
        self.width = 1.0 / n.sqrt();
        before
    }
}

/// Where a context's records are.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Address(u64);

const ROW: u64 = 1 << 63;

impl Address {
    /// A row of the array.
    #[inline]
    pub(crate) fn row(row: usize) -> Address {
        Address(row as u64 | ROW)
    }

    /// A node of the table, by hash.
    #[inline]
    pub(crate) fn key(key: u64) -> Address {
        Address(key & !ROW)
    }

    /// The address with these bits.
    #[inline]
    pub(crate) fn of(bits: u64) -> Address {
        Address(bits)
    }

    /// The row, if it is one.
    #[inline]
    pub(crate) fn as_row(self) -> Option<usize> {
        (self.0 & ROW != 0).then_some((self.0 & !ROW) as usize)
    }

    /// The hash, or something like it.
    #[inline]
    pub(crate) fn bits(self) -> u64 {
        self.0
    }
}

/// The number of codes and of rows of an array, if it is small enough.
pub(crate) fn dense(codes: Option<usize>, rows: impl Fn(usize) -> usize) -> Option<(usize, usize)> {
    let codes = codes?;
    let bytes = rows(codes).checked_mul(codes)?.checked_mul(size_of::<Evidence>())?;
    (bytes <= DENSE).then(|| (codes, rows(codes)))
}

/// `exp((value - 1) / tau)` of the actions in rows, in proportion to which Gibbs' policy draws. It is renewed when a
/// value is learnt, once per move of a playout; the policy asks for that of every legal action.
#[derive(Clone, Debug)]
struct Weights {
    tau: f32,
    untried: f32,
    of: Vec<f32>,
}

/// At lower temperatures a weight could become 0.
const COLD: f32 = 1.0 / 64.0;

/// Records of actions by context.
#[derive(Clone, Debug)]
pub(crate) struct Records {
    codes: usize,
    rows: Vec<Evidence>,
    weights: Option<Weights>,
    /// The places in the array that were ever written.
    written: Vec<u32>,
    table: Store,
}

impl Records {
    /// Records with so many rows, and a table of so many bytes for contexts without one.
    pub(crate) fn new(array: Option<(usize, usize)>, most_bytes: usize) -> Records {
        let (codes, rows) = array.unwrap_or((0, 0));
        Records {
            codes,
            rows: vec![Evidence::NOTHING; codes * rows],
            weights: None,
            written: Vec::new(),
            table: Store::new(most_bytes),
        }
    }

    /// The same that also keep the weights of Gibbs' policy at this temperature where there are rows, unless it is too
    /// cold; `untried` is the value of an action never tried.
    pub(crate) fn weighed(self, tau: f32, untried: f32) -> Records {
        let untried = ((untried - 1.0) / tau).exp();
        let of = vec![untried; self.rows.len()];
        let weights = (tau >= COLD && !of.is_empty()).then_some(Weights { tau, untried, of });
        Records { weights, ..self }
    }

    pub(crate) fn clear(&mut self) {
        for place in self.written.drain(..) {
            self.rows[place as usize] = Evidence::NOTHING;
            if let Some(weights) = &mut self.weights {
                weights.of[place as usize] = weights.untried;
            }
        }
        if self.table.len() > 0 {
            self.table.clear();
        }
    }

    /// Whether anything may be known in a context.
    #[inline]
    pub(crate) fn knows(&self, at: Address) -> bool {
        at.as_row().is_some() || self.table.find(at.bits()).is_some()
    }

    /// What is known about actions in a context that has a row.
    #[inline]
    pub(crate) fn row<'a>(
        &'a self,
        row: usize,
        actions: &'a [Move],
    ) -> impl Iterator<Item = Evidence> + Clone + 'a {
        let row = &self.rows[row * self.codes..][..self.codes];
        actions.iter().map(|&a| row[a as usize])
    }

    /// The weights of actions in a context that has a row, if they are kept.
    #[inline]
    pub(crate) fn row_weights<'a>(
        &'a self,
        row: usize,
        actions: &'a [Move],
    ) -> Option<impl Iterator<Item = f64> + Clone + 'a> {
        let weights = self.weights.as_ref()?;
        let row = &weights.of[row * self.codes..][..self.codes];
        Some(actions.iter().map(|&a| f64::from(row[a as usize])))
    }

    /// Shows what is known about actions in a context of the table, which are in order, by place; leaves out those
    /// never tried.
    pub(crate) fn each(&self, at: Address, actions: &[Move], mut show: impl FnMut(usize, Evidence)) {
        let Some(node) = self.table.find(at.bits()) else { return };
        let edges = self.table.edges(node);
        let mut at = 0;
        for (i, action) in actions.iter().enumerate() {
            at = seek(edges, at, action);
            if let Some(edge) = edges.get(at).filter(|e| e.action == *action) {
                show(i, Evidence { n: edge.visits, mean: edge.value, width: edge.width() });
            }
        }
    }

    /// What is known about actions in a context, which are in order. Returns their trials all together.
    #[inline]
    pub(crate) fn gather(&self, at: Address, actions: &[Move], out: &mut Vec<Evidence>) -> u32 {
        out.clear();
        let mut trials = 0;
        if let Some(row) = at.as_row() {
            let row = &self.rows[row * self.codes..][..self.codes];
            out.extend(actions.iter().map(|&a| {
                let info = row[a as usize];
                trials += info.n;
                info
            }));
            return trials;
        }
        let Some(node) = self.table.find(at.bits()) else {
            out.resize(actions.len(), Evidence::NOTHING);
            return 0;
        };
        let edges = self.table.edges(node);
        let mut at = 0;
        out.extend(actions.iter().map(|a| {
            at = seek(edges, at, a);
            edges.get(at).filter(|e| e.action == *a).map_or(Evidence::NOTHING, |e| {
                trials += e.visits;
                Evidence { n: e.visits, mean: e.value, width: e.width() }
            })
        }));
        trials
    }

    /// Learns from a reward with a step of `1 / n`, at least this; returns what the value was before.
    #[inline]
    pub(crate) fn learn(&mut self, at: Address, action: Move, reward: f32, least: f32) -> f32 {
        if let Some(row) = at.as_row() {
            let place = row * self.codes + action as usize;
            let info = &mut self.rows[place];
            if info.n == 0 {
                self.written.push(place as u32);
            }
            let before = info.learn(reward, least);
            if let Some(weights) = &mut self.weights {
                weights.of[place] = ((info.mean - 1.0) / weights.tau).exp();
            }
            return before;
        }
        self.edge(at.bits(), action).map_or(0.0, |edge| {
            let before = edge.value;
            edge.credit_at_least(reward, least);
            before
        })
    }

    /// The edge of an action in a context of the table; `None` if the memory is used up.
    fn edge(&mut self, key: u64, action: Move) -> Option<&mut Edge> {
        let node = self.table.find(key).or_else(|| self.table.insert(key, NONE))?;
        let place = match self.table.edges(node).binary_search_by(|e| e.action.cmp(&action)) {
            Ok(place) => place,
            Err(_) => self.table.add_move(node, Edge::new(action))? as usize,
        };
        Some(&mut self.table.edges_mut(node)[place])
    }

    /// How many records were ever written, and how often all together.
    pub(crate) fn tally(&self) -> (u64, u64) {
        let dense = self.written.iter().map(|&place| u64::from(self.rows[place as usize].n));
        let (records, trials) = self.table.tally();
        (self.written.len() as u64 + records, dense.sum::<u64>() + trials)
    }

    /// What was tried in a row.
    #[cfg(test)]
    pub(crate) fn tried_in(&self, row: usize) -> Vec<Evidence> {
        let row = &self.rows[row * self.codes..][..self.codes];
        row.iter().copied().filter(|info| info.n > 0).collect()
    }

    pub(crate) fn bytes(&self) -> u64 {
        let weights = self.weights.as_ref().map_or(0, |weights| weights.of.len() * size_of::<f32>());
        (self.rows.len() * size_of::<Evidence>() + weights + self.table.bytes()) as u64
    }
}

#[cfg(test)]
mod tests {
    use fogtree_core::{Erased, Model};
    use fogtree_games::kuhn_poker::KuhnPoker;

    use super::*;

    /// Array and table hold the same, whatever the order of the actions.
    #[test]
    fn rows_and_nodes_hold_the_same() {
        let game = Erased::new(KuhnPoker);
        let all: Vec<_> =
            ["check", "bet", "fold", "call"].iter().filter_map(|name| game.parse_move(name)).collect();
        let codes = game.moves().expect("few actions have few codes");
        let mut records = Records::new(dense(Some(codes), |_| 3), 1 << 20);
        let (row, key) = (Address::row(2), Address::key(0x1234_5678_9abc_def0));
        for i in 0..40u32 {
            let action = all[(i * i + i) as usize % 3];
            for at in [row, key] {
                records.learn(at, action, (i % 4) as f32 / 3.0, 0.0);
            }
        }
        let mut sorted = all;
        sorted.sort_unstable();
        let (mut a, mut b) = (Vec::new(), Vec::new());
        assert_eq!(records.gather(row, &sorted, &mut a), 40);
        assert_eq!(records.gather(key, &sorted, &mut b), 40);
        assert!(a.iter().zip(&b).all(|(a, b)| a.n == b.n && (a.mean - b.mean).abs() < 1e-6), "{a:?} {b:?}");
        let tried = a.iter().filter(|info| info.n > 0).count() as u64;
        assert_eq!(records.tally(), (2 * tried, 80));
        records.clear();
        assert_eq!((records.gather(row, &sorted, &mut a), records.tally()), (0, (0, 0)));
    }

    /// Weights are `exp((value - 1) / tau)`, 1 where nothing was tried, before and after; where it is too cold, there are
    /// none.
    #[test]
    fn weights_follow_what_is_learnt() {
        let game = Erased::new(KuhnPoker);
        let all: Vec<_> = ["check", "bet"].iter().filter_map(|name| game.parse_move(name)).collect();
        let array = || dense(game.moves(), |_| 2);
        let mut records = Records::new(array(), 1 << 20).weighed(0.5, 1.0);
        let weights = |records: &Records, row| -> Vec<f64> {
            records.row_weights(row, &all).expect("they are kept").collect()
        };
        records.learn(Address::row(1), all[1], 0.5, 0.0);
        records.learn(Address::row(1), all[1], 0.0, 0.0);
        assert_eq!((weights(&records, 0), weights(&records, 1)[0]), (vec![1.0; 2], 1.0));
        assert!((weights(&records, 1)[1] - (-1.5f64).exp()).abs() < 1e-6);
        records.clear();
        assert_eq!(weights(&records, 1), [1.0; 2]);
        assert!(Records::new(array(), 1 << 20).weighed(1e-4, 1.0).row_weights(0, &all).is_none());
    }
}

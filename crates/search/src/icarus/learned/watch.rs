//! Which of several candidates is used is decided by how well their records foretell values (`icarus/4.2.11`).
//!
//! In the first part of a decision nothing that was learnt is used. Every other playout teaches the candidates;
//! those between are kept back and only say what moves were worth at the nodes of the tree. Towards the end each
//! node with enough visits is measured: does a candidate's record of an action, without what the node itself has
//! contributed, tell which of the actions there are better than others? The correlation over all nodes, weighted by
//! visits, decides; what is compared comes from different playouts, so that chance alone does not make it positive.
//! The best candidate is used for the rest of the decision, or none.

use std::collections::HashSet;
use std::hash::BuildHasherDefault;

use fogtree_core::{Game, MAX_PLAYERS, Player, Step};

use super::super::Fitness;
use super::super::enhance::Auto;
use super::super::records::{Address, Info, Records};
use super::super::reply::Same;
use super::super::sight::Sight;
use super::team::Member;
use super::{Learned, Listing, Piece};

/// So many iterations are watched if it is not known how many there will be.
const BLIND: u64 = 1000;
/// A node is measured if it was visited so often by playouts that were kept back.
const ENOUGH: u32 = 8;
/// A record counts if it was written so often from elsewhere.
const ELSEWHERE: u32 = 4;
/// Visits at which the chance of rewards and what truly tells moves apart are taken to weigh the same, so that a
/// move counts half as much as one that was visited for ever.
const HALF: f64 = 16.0;
/// A correlation counts if it is so many standard errors above 0.
const SURE: f64 = 2.5;

/// How well records foretell the values at nodes: sums of squares and products of deviations from the means of
/// nodes, of weights, and of how many of the samples are free.
#[derive(Clone, Copy, PartialEq, Debug, Default)]
struct Fit {
    xy: f64,
    xx: f64,
    yy: f64,
    weights: f64,
    squares: f64,
    samples: f64,
    free: f64,
}

impl Fit {
    /// Adds a node: weights of actions, what their records say, and what they are worth.
    fn add(&mut self, node: &[(f64, f64, f64)]) {
        if node.len() < 2 {
            return;
        }
        let weight: f64 = node.iter().map(|s| s.0).sum();
        let mean = |of: fn(&(f64, f64, f64)) -> f64| node.iter().map(|s| s.0 * of(s)).sum::<f64>() / weight;
        let (mean_x, mean_y) = (mean(|s| s.1), mean(|s| s.2));
        for &(w, x, y) in node {
            let (x, y) = (x - mean_x, y - mean_y);
            self.xy += w * x * y;
            self.xx += w * x * x;
            self.yy += w * y * y;
            self.squares += w * w;
        }
        self.weights += weight;
        self.samples += node.len() as f64;
        self.free += node.len() as f64 - 1.0;
    }

    /// The correlation; 0 if there is none.
    fn correlation(&self) -> f64 {
        if self.xx > 0.0 && self.yy > 0.0 { self.xy / (self.xx * self.yy).sqrt() } else { 0.0 }
    }

    /// The standard error of a correlation of 0: that of as many equal samples as the weighted ones are worth.
    fn error(&self) -> f64 {
        let worth = self.weights * self.weights * self.free / (self.squares * self.samples);
        if self.samples > 0.0 { 1.0 / worth.sqrt() } else { f64::INFINITY }
    }
}

/// Which candidate has the greatest correlation, if one is great enough.
fn best(fits: &[Fit], least: f64) -> Option<usize> {
    let counts = |fit: &Fit| fit.correlation() >= least && fit.correlation() > SURE * fit.error();
    let candidates = (0..fits.len()).filter(|&i| counts(&fits[i]));
    candidates.reduce(|a, b| if fits[b].correlation() > fits[a].correlation() { b } else { a })
}

/// Watches a search before it uses anything.
pub(super) struct Watcher<A> {
    auto: Auto,
    /// How many iterations are watched, and how many have begun.
    iterations: u64,
    begun: u64,
    watching: bool,
    chosen: Option<usize>,
    /// What players have seen since the root, which tells the nodes apart, and the node at hand.
    way: Sight,
    at: u64,
    taken: Vec<(u64, Player, A)>,
    /// The values at nodes in playouts that teach, and in those that are kept back.
    taught: Records<A>,
    kept: Records<A>,
    taught_infos: Vec<Info>,
    kept_infos: Vec<Info>,
    samples: Vec<(f64, f64, f64)>,
    measured: HashSet<u64, BuildHasherDefault<Same>>,
    fits: Vec<Fit>,
    /// Candidates that were not chosen.
    pub(super) others: Vec<Piece<A>>,
}

impl<A: Copy + Ord> Watcher<A> {
    pub(super) fn new<G: Game<Action = A>>(game: &G, auto: Auto, memory: usize) -> Watcher<A> {
        Watcher {
            auto,
            iterations: 0,
            begun: 0,
            watching: true,
            chosen: None,
            way: Sight::new(game, 0, true),
            at: 0,
            taken: Vec::new(),
            taught: Records::new(None, memory),
            kept: Records::new(None, memory),
            taught_infos: Vec::new(),
            kept_infos: Vec::new(),
            samples: Vec::new(),
            measured: HashSet::default(),
            fits: vec![Fit::default(); auto.candidates().len()],
            others: Vec::new(),
        }
    }

    pub(super) fn forget(&mut self) {
        self.fits.fill(Fit::default());
    }

    /// Whether the present playout teaches nothing.
    fn keeps_back(&self) -> bool {
        self.watching && self.begun.is_multiple_of(2)
    }

    /// Nodes are measured in the last quarter.
    fn measures(&self) -> bool {
        self.begun > self.iterations - self.iterations / 4
    }

    /// All candidates in their order, given those in use.
    pub(super) fn candidates<'a>(&'a self, used: &'a [Piece<A>]) -> impl Iterator<Item = &'a Piece<A>> {
        let (before, after) = self.others.split_at(self.chosen.unwrap_or(0));
        before.iter().chain(used).chain(after)
    }

    pub(super) fn fitness(&self, candidate: usize) -> Fitness {
        let correlation = self.fits[candidate].correlation();
        Fitness { correlation, chosen: u32::from(self.chosen == Some(candidate)), threads: 1 }
    }

    pub(super) fn bytes(&self) -> u64 {
        self.taught.bytes() + self.kept.bytes()
    }

    pub(super) fn step<G: Game<Action = A>>(&mut self, game: &G, before: &G::State, step: Step<'_, G>) {
        if self.watching {
            self.way.step(game, before, step);
        }
    }

    pub(super) fn made(&mut self, who: Player, action: A) {
        if self.watching {
            self.taken.push((self.at, who, action));
        }
    }

    /// The playout is over.
    pub(super) fn learn<G: Game<Action = A>>(&mut self, game: &G, rewards: &[f32; MAX_PLAYERS]) {
        if !self.watching {
            return;
        }
        let records = if self.keeps_back() { &mut self.kept } else { &mut self.taught };
        for &(key, who, action) in &self.taken {
            records.learn(game, Address::key(key), action, rewards[who.index()], 0.0);
        }
    }
}

impl<G: Game> Learned<G> {
    /// A new decision: all candidates are to be watched again.
    pub(super) fn watch_anew(&mut self) {
        let Some(watcher) = &mut self.watcher else { return };
        if let Some(chosen) = watcher.chosen.take() {
            watcher.others.append(&mut self.pieces);
            watcher.others[chosen..].rotate_right(1);
        }
        self.pieces.append(&mut watcher.others);
        if !watcher.auto.keep {
            watcher.forget();
        }
        watcher.taught.clear();
        watcher.kept.clear();
        watcher.measured.clear();
        (watcher.begun, watcher.watching, watcher.iterations) = (0, true, BLIND);
        (self.follows, self.alone, self.logs) = (true, false, true);
        self.simulate.members[0].1 = Member::Base;
    }

    /// There will be so many iterations.
    pub(super) fn plan_to_watch(&mut self, iterations: Option<u64>) {
        if let (Some(watcher), Some(n)) = (&mut self.watcher, iterations) {
            watcher.iterations = (n as f64 * f64::from(watcher.auto.watch)) as u64;
        }
    }

    /// A new iteration; if enough have been watched, the best candidate is used from now on.
    pub(super) fn watch_iteration(&mut self, game: &G, world: &G::State) {
        let Some(watcher) = &mut self.watcher else { return };
        if !watcher.watching {
            return;
        }
        watcher.begun += 1;
        watcher.taken.clear();
        watcher.way.restart(game, world);
        self.rests = watcher.keeps_back();
        if watcher.begun <= watcher.iterations {
            return;
        }
        watcher.watching = false;
        watcher.chosen = best(&watcher.fits, watcher.auto.least.into());
        watcher.others.append(&mut self.pieces);
        self.pieces.extend(watcher.chosen.map(|chosen| watcher.others.remove(chosen)));
        let used = watcher.chosen.is_some();
        (self.follows, self.alone, self.logs, self.rests) = (used, used, self.squares.is_some(), false);
        if used {
            self.simulate.members[0].1 = Member::Piece(0);
        }
    }

    /// A player is to decide in the tree, for which all candidates are prepared.
    pub(super) fn watch_node(&mut self, game: &G, world: &G::State, who: Player, list: &mut Listing<'_, G>) {
        let Some(watcher) = self.watcher.as_mut().filter(|w| w.watching) else { return };
        watcher.at = watcher.way.position(who);
        if !watcher.measures() || watcher.measured.contains(&watcher.at) {
            return;
        }
        let (legal, at) = (list.get(game, world, who), Address::key(watcher.at));
        if watcher.kept.gather(game, at, legal, &mut watcher.kept_infos) < ENOUGH {
            return;
        }
        watcher.measured.insert(watcher.at);
        watcher.taught.gather(game, at, legal, &mut watcher.taught_infos);
        let infos = &mut self.tools.infos;
        for (piece, fit) in self.pieces.iter().zip(&mut watcher.fits) {
            match piece {
                Piece::Values(values) => _ = values.gather(game, legal, infos),
                Piece::Episodes(episodes) => episodes.gather(legal, infos),
                Piece::Reply(_) | Piece::Amaf(_) | Piece::Opinions(_) => continue,
            }
            watcher.samples.clear();
            for ((record, taught), kept) in infos.iter().zip(&watcher.taught_infos).zip(&watcher.kept_infos) {
                let elsewhere = record.n.saturating_sub(taught.n);
                if kept.n > 0 && elsewhere >= ELSEWHERE {
                    let sum = |info: &Info| f64::from(info.n) * f64::from(info.mean);
                    let foretold = (sum(record) - sum(taught)) / f64::from(elsewhere);
                    let visits = f64::from(kept.n);
                    watcher.samples.push((visits / (visits + HALF), foretold, kept.mean.into()));
                }
            }
            fit.add(&watcher.samples);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// By hand. At the first node (weights 1 and 3, means of x 0.5 and y 0.7) the deviations are -0.3, 0.1 and
    /// -0.6, 0.2; at the second (equal weights) -0.1, 0.1 and 0.1, -0.1. So xy = 0.18 + 0.06 - 0.02 - 0.02 = 0.20,
    /// xx = 0.09 + 0.03 + 0.02 + 0.02 = 0.16, yy = 0.36 + 0.12 + 0.02 + 0.02 = 0.52. What nodes are worth all
    /// together does not matter.
    #[test]
    fn correlations_are_within_nodes_and_weighted() {
        let mut fit = Fit::default();
        assert_eq!((fit.correlation(), fit.error()), (0.0, f64::INFINITY));
        fit.add(&[(1.0, 0.2, 0.1), (3.0, 0.6, 0.9)]);
        assert!((fit.correlation() - 1.0).abs() < 1e-12);
        fit.add(&[(2.0, 0.9, 0.3)]);
        fit.add(&[(2.0, 0.1, 0.2), (2.0, 0.3, 0.0)]);
        assert!((fit.correlation() - 0.20 / (0.16f64 * 0.52).sqrt()).abs() < 1e-12);
        // Weights 1, 3, 2, 2 are worth 64 / 18 equal samples, of which half are free.
        assert!((fit.error() - (18.0 / 32.0f64).sqrt()).abs() < 1e-12);
    }

    #[test]
    fn the_best_is_chosen_if_it_is_good_and_certain() {
        let fit = |correlation: f64, samples: f64| Fit {
            xy: correlation,
            xx: 1.0,
            yy: 1.0,
            weights: samples,
            squares: samples,
            samples,
            free: samples,
        };
        assert_eq!(best(&[fit(0.4, 100.0), fit(0.6, 100.0), fit(0.5, 100.0)], 0.3), Some(1));
        assert_eq!(best(&[fit(0.4, 100.0), fit(0.6, 9.0)], 0.3), Some(0), "0.6 is less than 2.5 / 3");
        assert_eq!(best(&[fit(0.29, 1000.0), fit(-0.9, 1000.0)], 0.3), None);
        assert_eq!(best(&[Fit::default()], 0.0), None);
    }
}

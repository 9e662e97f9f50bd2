//! Which of several candidates is used is decided by how well their records foretell rewards (`icarus/4.2.11`).
//!
//! In the first part of a decision nothing that was learnt is used: below the tree everybody plays at random. A
//! random move is an experiment without bias: whoever happens to play what the records praise should win more. So let
//!
//! - `x = v(a) - mean of v over the legal actions` for a move `a` below the tree, where `v` is what a candidate's
//!   records say, which come from the playouts before;
//! - `X` the sum of `x` over the moves of one player in one playout: how far it was tilted towards the records;
//! - `y` the player's reward less the mean of its rewards in the playouts before.
//!
//! `E[X y]` is how fast the player's expected reward rises if it begins to prefer what the records praise: the policy
//! gradient at random play. No state need be met twice. Where the records foretell nothing it is 0, because given
//! the state and all playouts before, `x` is 0 on average and what is taken off the reward does not depend on the
//! move. So a playout may measure first and teach then.
//!
//! A candidate's effect is the correlation of `X` and `y` over all players and playouts: what a player gains, in
//! standard deviations of its reward, by a tilt of one standard deviation.
//!
//! - It is measured below the tree because the records are used there. What is good to play sometime may be bad to
//!   play at once: in Dou Di Zhu the values at the nodes of the tree contradict records that win many games.
//! - It is that of playouts, not of moves, because it is in all its moves that a player would follow the records.
//! - It is pooled over players, because the candidate will decide for all of them, and one that serves one player and
//!   misleads another should not be used.
//!
//! The moves and the players of one playout share its outcome, so certainty comes from playouts as wholes:
//! `z = sum S / sqrt(sum S^2)`, where `S` is the sum of `X y` over the players of one playout.
//!
//! Watching ends when a candidate is good and certain enough, or without one after its share of the iterations. What was
//! measured is kept for the game: a decision of 1000 iterations may be too few to tell, and once something is known
//! to help, later decisions use it almost from the beginning.

use fogtree_core::{MAX_PLAYERS, Model, Move, Player, World};

use crate::kit::scratch::Scratch;

use super::super::Fitness;
use super::super::enhance::Auto;
use super::super::records::Evidence;
use super::mix::MixTerm;
use super::{Learned, Part, Tools};

/// So many iterations are watched at most if it is not known how many there will be.
const BLIND: u64 = 1000;
/// The part of these that are watched even if it is already known what helps, so that a mistake can be found out.
const BRIEF: f64 = 0.1;
/// A record counts as if it had also been written so often with the player's mean reward; what was hardly ever tried
/// says little.
const PRIOR: f64 = 8.0;
/// A correlation counts if it is more than so many standard errors above 0. As that is asked after every playout,
/// and of weak effects too (in Checkers that of MAST is 0.03, and MAST loses there), it has to be more than would do
/// for a single question.
const SURE: f64 = 4.0;

/// How well records foretell rewards: sums over playouts and players, and the tilts of the playout at hand.
#[derive(Clone, Copy, PartialEq, Debug, Default)]
struct Fit {
    /// `X` of each player in the playout at hand.
    tilts: [f64; MAX_PLAYERS],
    xy: f64,
    xx: f64,
    yy: f64,
    /// The sum of `S^2`.
    squares: f64,
}

impl Fit {
    /// A player made the action at this place of the legal ones at random.
    fn made(&mut self, who: Player, place: usize, infos: &[Evidence], mean: f64) {
        let value = |info: &Evidence| {
            let n = f64::from(info.n);
            (f64::from(info.mean) - mean) * n / (n + PRIOR)
        };
        let average = infos.iter().map(value).sum::<f64>() / infos.len() as f64;
        self.tilts[who.index()] += value(&infos[place]) - average;
    }

    /// The playout is over; these are the rewards of the players that chose something, less their means.
    fn add(&mut self, surprises: impl Iterator<Item = (Player, f64)>) {
        let mut sum = 0.0;
        for (who, y) in surprises {
            let x = self.tilts[who.index()];
            sum += x * y;
            self.xx += x * x;
            self.yy += y * y;
        }
        self.xy += sum;
        self.squares += sum * sum;
        self.tilts = [0.0; MAX_PLAYERS];
    }

    /// The correlation; 0 if there is none.
    fn correlation(&self) -> f64 {
        if self.xx > 0.0 && self.yy > 0.0 { self.xy / (self.xx * self.yy).sqrt() } else { 0.0 }
    }

    /// How many standard errors it is above 0.
    fn certainty(&self) -> f64 {
        if self.squares > 0.0 { self.xy / self.squares.sqrt() } else { 0.0 }
    }
}

/// Which candidate has the greatest correlation, if one is great enough.
fn best(fits: &[Fit], least: f64) -> Option<usize> {
    let counts = |fit: &Fit| fit.correlation() >= least && fit.certainty() > SURE;
    let candidates = (0..fits.len()).filter(|&i| counts(&fits[i]));
    candidates.reduce(|a, b| if fits[b].correlation() > fits[a].correlation() { b } else { a })
}

/// Watches a search before it uses anything.
pub(super) struct Watcher {
    auto: Auto,
    players: usize,
    /// How many iterations are watched at least and at most, and how many have begun.
    least: u64,
    most: u64,
    begun: u64,
    watching: bool,
    chosen: Option<usize>,
    /// The means of rewards in this decision, of so many playouts, and who had a choice below the tree in this one.
    means: [f64; MAX_PLAYERS],
    playouts: f64,
    chose: [bool; MAX_PLAYERS],
    fits: Vec<Fit>,
    /// Candidates that were not chosen.
    pub(super) others: Vec<Part>,
}

impl Watcher {
    pub(super) fn new(game: &dyn Model, auto: Auto) -> Watcher {
        Watcher {
            auto,
            players: game.facts().players,
            least: 0,
            most: 0,
            begun: 0,
            watching: true,
            chosen: None,
            means: [0.0; MAX_PLAYERS],
            playouts: 0.0,
            chose: [false; MAX_PLAYERS],
            fits: vec![Fit::default(); auto.candidates().len()],
            others: Vec::new(),
        }
    }

    /// A new game.
    pub(super) fn forget(&mut self) {
        self.fits.fill(Fit::default());
    }

    /// So many iterations are to be watched.
    fn plan(&mut self, most: u64) {
        (self.least, self.most) = ((most as f64 * BRIEF) as u64, most);
    }

    /// Whether nothing is used yet.
    pub(super) fn watches(&self) -> bool {
        self.watching
    }

    /// What would be used by what was measured so far.
    fn best(&self) -> Option<usize> {
        best(&self.fits, self.auto.least.into())
    }

    /// All candidates in their order, given those in use.
    pub(super) fn candidates<'a>(&'a self, used: &'a [Part]) -> impl Iterator<Item = &'a Part> {
        let (before, after) = self.others.split_at(self.chosen.unwrap_or(0));
        before.iter().chain(used).chain(after)
    }

    pub(super) fn fitness(&self, candidate: usize) -> Fitness {
        let fit = &self.fits[candidate];
        Fitness {
            correlation: fit.correlation(),
            certainty: fit.certainty(),
            chosen: u32::from(self.chosen == Some(candidate)),
            threads: 1,
        }
    }

    /// The playout is over.
    pub(super) fn learn(&mut self, rewards: &[f32; MAX_PLAYERS]) {
        if !self.watching {
            return;
        }
        if self.playouts > 0.0 {
            let chose = Player::all(self.players).filter(|p| self.chose[p.index()]);
            let surprise = |p: Player| (p, f64::from(rewards[p.index()]) - self.means[p.index()]);
            let surprises = chose.map(surprise);
            for fit in &mut self.fits {
                fit.add(surprises.clone());
            }
        }
        self.chose = [false; MAX_PLAYERS];
        self.playouts += 1.0;
        for (mean, &reward) in self.means.iter_mut().zip(rewards) {
            *mean += (f64::from(reward) - *mean) / self.playouts;
        }
    }
}

impl Learned {
    /// A new decision: all candidates are to be watched again.
    pub(super) fn watch_anew(&mut self) {
        let Some(watcher) = &mut self.watcher else { return };
        if let Some(chosen) = watcher.chosen.take() {
            watcher.others.append(&mut self.parts);
            watcher.others[chosen..].rotate_right(1);
        }
        self.parts.append(&mut watcher.others);
        (watcher.begun, watcher.watching) = (0, true);
        watcher.plan(BLIND);
        (watcher.means, watcher.playouts) = ([0.0; MAX_PLAYERS], 0.0);
        (self.follows, self.alone) = (true, false);
        self.simulate.members[0].1 = MixTerm::Base;
    }

    /// There will be so many iterations.
    pub(super) fn plan_to_watch(&mut self, iterations: Option<u64>) {
        if let (Some(watcher), Some(n)) = (&mut self.watcher, iterations) {
            watcher.plan((n as f64 * f64::from(watcher.auto.watch)) as u64);
        }
    }

    /// A new iteration; if enough have been watched, the best candidate, if one is good enough, is used from now on.
    pub(super) fn watch_iteration(&mut self) {
        let Some(watcher) = &mut self.watcher else { return };
        if !watcher.watching {
            return;
        }
        watcher.begun += 1;
        let best = watcher.best().filter(|_| watcher.begun > watcher.least);
        if watcher.begun <= watcher.most && best.is_none() {
            return;
        }
        watcher.watching = false;
        watcher.chosen = best;
        watcher.others.append(&mut self.parts);
        self.parts.extend(watcher.chosen.map(|chosen| watcher.others.remove(chosen)));
        let used = watcher.chosen.is_some();
        (self.follows, self.alone) = (used, used);
        if used {
            self.simulate.members[0].1 = MixTerm::Part(0);
        }
    }

    /// A player, for whose decision all candidates are prepared, made this one at random below the tree.
    pub(super) fn watch_move(&mut self, world: &dyn World, who: Player, action: Move, scratch: &mut Scratch) {
        let (Some(watcher), Tools { infos, .. }) = (&mut self.watcher, &mut self.tools) else { return };
        scratch.actions.clear();
        world.legal(who, &mut scratch.actions);
        let legal = &scratch.actions[..];
        let Ok(place) = legal.binary_search(&action) else { return };
        if legal.len() == 1 {
            return;
        }
        watcher.chose[who.index()] = true;
        for (part, fit) in self.parts.iter().zip(&mut watcher.fits) {
            match part {
                Part::Values(values) => _ = values.gather(legal, infos),
                Part::Episodes(episodes) => episodes.gather(legal, infos),
                Part::Reply(_) | Part::Amaf(_) | Part::Opinions(_) => continue,
            }
            fit.made(who, place, infos, watcher.means[who.index()]);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn info(n: u32, mean: f32) -> Evidence {
        Evidence { n, mean, width: 1.0 }
    }

    /// By hand, with a mean reward of 0.5. Records of 8 and 24 visits count 1/2 and 3/4, so that they say
    /// 0.2, 0.3, 0 and -0.1, on average 0.1: the second is worth 0.2 and the last -0.2.
    #[test]
    fn a_move_is_compared_with_the_legal_ones() {
        let infos = [info(8, 0.9), info(24, 0.9), info(0, 0.0), info(8, 0.3)];
        let mut fit = Fit::default();
        for (place, x) in [(1, 0.2), (3, 0.0), (3, -0.2)] {
            fit.made(Player(1), place, &infos, 0.5);
            assert!((fit.tilts[1] - x).abs() < 1e-6, "{:?}", fit.tilts);
        }
        assert_eq!(fit.tilts[0], 0.0);
    }

    /// By hand: the first playout has X y = 0.1 * 0.5 and 0.2 * -0.5, the second 0.3 * 0.5 (its other player had no
    /// choice), so S is -0.05 and 0.15, the sum of X^2 is 0.01 + 0.04 + 0.09 = 0.14 and that of y^2 is 0.75.
    #[test]
    fn correlations_are_of_playouts_and_certain_by_their_number() {
        let mut fit = Fit::default();
        assert_eq!((fit.correlation(), fit.certainty()), (0.0, 0.0));
        fit.tilts[..2].copy_from_slice(&[0.1, 0.2]);
        fit.add([(Player(0), 0.5), (Player(1), -0.5)].into_iter());
        fit.tilts[0] = 0.3;
        fit.add([(Player(0), 0.5)].into_iter());
        assert_eq!(fit.tilts, [0.0; MAX_PLAYERS]);
        assert!((fit.correlation() - 0.10 / (0.14f64 * 0.75).sqrt()).abs() < 1e-12);
        assert!((fit.certainty() - 0.10 / (0.0025f64 + 0.0225).sqrt()).abs() < 1e-12);
    }

    #[test]
    fn the_best_is_chosen_if_it_is_good_and_certain() {
        let fit = |correlation: f64, certainty: f64| Fit {
            xy: correlation,
            xx: 1.0,
            yy: 1.0,
            squares: (correlation / certainty).powi(2),
            ..Fit::default()
        };
        assert_eq!(best(&[fit(0.4, 5.0), fit(0.6, 5.0), fit(0.5, 9.0)], 0.3), Some(1));
        assert_eq!(best(&[fit(0.4, 5.0), fit(0.6, 3.9)], 0.3), Some(0), "0.6 is not certain");
        assert_eq!(best(&[fit(0.29, 9.0), fit(-0.9, -9.0)], 0.3), None);
        assert_eq!(best(&[Fit::default()], 0.0), None);
    }
}

//! Choices by the values of all who have a say: of the tree itself, and of what was learnt.

use fogtree_core::{Model, Move, Rng};

use super::super::enhance::Operator;
use super::super::guide::{Arm, rave_weight};
use super::super::records::Address;
use super::super::{Place, Untried};
use super::mix::MixTerm;
use super::{Learned, Part};
use crate::kit::insertion_sort;
use crate::kit::selection::Best;

/// Where members vote.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Stage {
    Select,
    Expand,
    Simulate,
}

impl Learned {
    /// Chooses for a component in the tree.
    fn choose_by(&mut self, part: usize, actions: &[Move], rng: &mut Rng) -> usize {
        match &mut self.parts[part] {
            Part::Values(values) => values.choose(actions, &mut self.tools, rng),
            Part::Reply(reply) => reply.pick(actions, rng),
            Part::Episodes(_) | Part::Amaf(_) | Part::Opinions(_) => {
                unreachable!("those decide by their values")
            }
        }
    }

    /// The values of a member's policy. Without a place in the tree the baseline has none.
    fn values(&mut self, at: Option<&Place<'_>>, member: MixTerm, actions: &[Move], arms: &[Arm]) {
        let mut out = std::mem::take(&mut self.bounds);
        out.clear();
        match (member, at) {
            (MixTerm::Part(part), at) => match &self.parts[part] {
                Part::Values(values) => values.bounds(actions, &mut self.tools, &mut out),
                Part::Episodes(episodes) => {
                    episodes.bounds(actions, &self.tools.scales.roots, &mut out);
                }
                Part::Amaf(amaf) => {
                    let key = at.map_or(0, |at| at.key);
                    amaf.bounds(key, actions, &mut self.tools, &mut out);
                }
                Part::Reply(_) | Part::Opinions(_) => out.resize(actions.len(), 0.0),
            },
            (_, None) => out.resize(actions.len(), 0.0),
            (MixTerm::Base, Some(at)) => self.base(at, actions, arms, &mut out),
            (MixTerm::Rave { k, amaf }, Some(at)) => {
                let mut base = std::mem::take(&mut self.base_bounds);
                base.clear();
                self.base(at, actions, arms, &mut base);
                if let Part::Amaf(amaf) = &self.parts[amaf] {
                    amaf.bounds(at.key, actions, &mut self.tools, &mut out);
                }
                let l = rave_weight(k, at.visits.into()) as f32;
                for (value, base) in out.iter_mut().zip(&base) {
                    *value = scaled(l, *value) + scaled(1.0 - l, *base);
                }
                self.base_bounds = base;
            }
            (MixTerm::Bias { weight, opinions }, Some(at)) => {
                self.base(at, actions, arms, &mut out);
                if let Part::Opinions(opinions) = &mut self.parts[opinions] {
                    opinions.ask(at.world, (at.key, at.who), actions, self.scale, &mut self.tools.infos);
                }
                for ((value, info), arm) in out.iter_mut().zip(&self.tools.infos).zip(arms) {
                    *value += weight * info.mean / (arm.visits as f32 + 1.0);
                }
            }
            (MixTerm::Fuzzy { k, grams }, Some(at)) => {
                let mut blended = std::mem::take(&mut self.base_bounds);
                blended.clear();
                if let Part::Values(grams) = &self.parts[grams] {
                    grams.blend(actions, k, &mut self.tools.infos, &mut blended);
                }
                // Untried moves have no arms: there what all n-grams say decides.
                self.base(at, actions, arms, &mut out);
                for ((value, blended), arm) in out.iter_mut().zip(&blended).zip(arms) {
                    *value += k * (blended - arm.mean) / (arm.visits as f32 + k);
                }
                if arms.is_empty() {
                    out.clone_from(&blended);
                }
                self.base_bounds = blended;
            }
            (MixTerm::History { weight, values }, Some(at)) => {
                self.base(at, actions, arms, &mut out);
                if let Part::Values(values) = &self.parts[values] {
                    values.gather(actions, &mut self.tools.infos);
                }
                for ((value, info), arm) in out.iter_mut().zip(&self.tools.infos).zip(arms) {
                    *value += weight * info.mean / (arm.visits as f32 * (1.0 - arm.mean) + 1.0);
                }
            }
        }
        self.bounds = out;
    }

    /// The bounds of the tree's own statistics.
    fn base(&mut self, at: &Place<'_>, actions: &[Move], arms: &[Arm], out: &mut Vec<f32>) {
        match &self.squares {
            None => {
                let bound = |arm: &Arm| match arm.visits {
                    0 => f32::INFINITY,
                    _ => arm.mean + self.c * self.tools.scales.roots.of(arm.available) * arm.width,
                };
                out.extend(arms.iter().map(bound));
            }
            Some(squares) => {
                squares.gather(Address::key(at.key), actions, &mut self.tools.infos);
                let arms = arms.iter().zip(&self.tools.infos);
                out.extend(arms.map(|(arm, square)| tuned(arm, square.mean)));
            }
        }
    }

    /// The place of the greatest weighted sum of the members' values: of those who select in the tree if there is a
    /// place in it, otherwise of those who simulate.
    pub(super) fn greatest(
        &mut self,
        at: Option<&Place<'_>>,
        actions: &[Move],
        arms: &[Arm],
        rng: &mut Rng,
    ) -> usize {
        let mut totals = std::mem::take(&mut self.totals);
        totals.clear();
        totals.resize(actions.len(), 0.0);
        let team = |learned: &Self, i: usize| match at {
            Some(_) => learned.select.members.get(i).copied(),
            None => learned.simulate.members.get(i).copied(),
        };
        let mut i = 0;
        while let Some((weight, member)) = team(self, i) {
            self.values(at, member, actions, arms);
            for (total, value) in totals.iter_mut().zip(&self.bounds) {
                *total += scaled(weight, *value);
            }
            i += 1;
        }
        let place = best(&totals, rng);
        self.totals = totals;
        place
    }

    /// The place of the move with most votes, each member having voted for all that it finds best.
    pub(super) fn elected(
        &mut self,
        stage: Stage,
        at: Option<&Place<'_>>,
        actions: &[Move],
        arms: &[Arm],
        rng: &mut Rng,
    ) -> usize {
        let mut votes = std::mem::take(&mut self.totals);
        votes.clear();
        votes.resize(actions.len(), 0.0);
        let team = |learned: &Self, i: usize| match stage {
            Stage::Select => learned.select.members.get(i).copied(),
            Stage::Expand => learned.expand.members.get(i).copied(),
            Stage::Simulate => learned.simulate.members.get(i).copied(),
        };
        let mut i = 0;
        while let Some((weight, member)) = team(self, i) {
            let part = if let MixTerm::Part(part) = member { Some(&self.parts[part]) } else { None };
            match part {
                Some(Part::Reply(reply)) => {
                    let reply = reply.stored().and_then(|reply| actions.binary_search(&reply).ok());
                    self.bounds.clear();
                    self.bounds.extend(
                        reply.into_iter().flat_map(|place| {
                            (0..actions.len()).map(move |i| f32::from(u8::from(i == place)))
                        }),
                    );
                }
                Some(Part::Values(values)) => {
                    self.bounds.clear();
                    values.opinions(actions, &mut self.tools, &mut self.bounds);
                }
                _ => self.values(at, member, actions, arms),
            }
            cast(&mut votes, &self.bounds, weight);
            i += 1;
        }
        let place = best(&votes, rng);
        self.totals = votes;
        place
    }

    /// Chooses where all moves have been tried.
    pub(super) fn select_tried(
        &mut self,
        at: &Place<'_>,
        legal: &[Move],
        arms: &[Arm],
        rng: &mut Rng,
    ) -> usize {
        match self.select.operator {
            Operator::Linear => {}
            Operator::Maxilinear => return self.greatest(Some(at), legal, arms, rng),
            Operator::Majority => return self.elected(Stage::Select, Some(at), legal, arms, rng),
        }
        let member = self.select.draw(rng);
        if let MixTerm::Part(part) = member
            && matches!(self.parts[part], Part::Values(_) | Part::Reply(_))
        {
            return self.choose_by(part, legal, rng);
        }
        self.values(Some(at), member, legal, arms);
        best(&self.bounds, rng)
    }

    /// Chooses among moves that have not been tried; the place among all that are legal.
    pub(super) fn select_untried(
        &mut self,
        game: &dyn Model,
        at: &Place<'_>,
        (legal, arms): (&[Move], &[Arm]),
        untried: &mut [Move],
        rng: &mut Rng,
    ) -> usize {
        if self.expand.operator == Operator::Majority {
            let place = self.elected(Stage::Expand, Some(at), untried, &[], rng);
            return legal.binary_search(&untried[place]).expect("what is untried is legal");
        }
        let place = match self.expand.draw(rng) {
            MixTerm::Part(part) if matches!(self.parts[part], Part::Values(_) | Part::Reply(_)) => {
                self.choose_by(part, untried, rng)
            }
            member @ (MixTerm::Part(_) | MixTerm::Fuzzy { .. }) => {
                self.values(Some(at), member, untried, &[]);
                best(&self.bounds, rng)
            }
            _ if at.untried == Untried::Bounds => {
                self.values(Some(at), MixTerm::Base, legal, arms);
                return best(&self.bounds, rng);
            }
            _ => {
                if at.untried == Untried::Codes {
                    insertion_sort::sort_by_key(untried, |&a| game.code(a));
                }
                rng.below(untried.len() as u32) as usize
            }
        };
        legal.binary_search(&untried[place]).expect("what is untried is legal")
    }
}

/// UCB1-Tuned, given the mean of the squared rewards.
fn tuned(arm: &Arm, square: f32) -> f32 {
    if arm.visits == 0 {
        return f32::INFINITY;
    }
    let rate = (arm.available.max(1) as f32).ln() * arm.width * arm.width;
    let variance = (square - arm.mean * arm.mean).max(0.0) + (2.0 * rate).sqrt();
    arm.mean + (rate * variance.min(0.25)).sqrt()
}

/// Adds a member's votes: for all moves with the greatest of its values. It has none if it says nothing.
fn cast(votes: &mut [f32], values: &[f32], weight: f32) {
    let greatest = values.iter().copied().fold(f32::NEG_INFINITY, f32::max);
    for (vote, _) in votes.iter_mut().zip(values).filter(|(_, value)| **value == greatest) {
        *vote += weight;
    }
}

/// A product in which nothing times anything is nothing.
#[inline]
fn scaled(weight: f32, value: f32) -> f32 {
    if weight == 0.0 { 0.0 } else { weight * value }
}

/// The place of the greatest value; ties are broken at random.
fn best(values: &[f32], rng: &mut Rng) -> usize {
    let mut best = Best::default();
    for (i, &value) in values.iter().enumerate() {
        best.offer(i as u32, value, rng);
    }
    best.place as usize
}

#[cfg(test)]
mod tests {
    use std::collections::HashSet;
    use std::sync::Arc;

    use fogtree_core::{Erased, Player, Purpose, Seed, World};

    use super::super::super::Knowledge;
    use super::*;
    use crate::ismcts::Select;
    use crate::kit::scratch::Scratch;
    use crate::testing::legal;
    use crate::testing_letters::Letters;

    const LEGAL: [Move; 4] = [0, 1, 2, 3];

    fn arm(visits: u32, mean: f32) -> Arm {
        Arm { visits, available: 20, mean, width: 1.0 / (visits.max(1) as f32).sqrt() }
    }

    /// Four moves with means, tried so often, each available 20 times.
    fn arms() -> [Arm; 4] {
        [arm(4, 0.25), arm(9, 0.5), arm(1, 0.0), arm(6, 0.75)]
    }

    /// A single choice among four moves, of which the game thinks 0.2, 0.8, 0.5 and 0.5.
    fn start() -> (Arc<dyn Model>, Box<dyn World>) {
        let evaluation = |all: &[u8]| all.first().map(|&a| [0.2, 0.8, 0.5, 0.5][usize::from(a)]);
        let choice = Letters { evaluation: Box::new(evaluation), ..Letters::in_turn(1, 4, |_| 0.5) };
        let game = Erased::any(choice);
        let world = game.start();
        assert_eq!(legal(&*world, Player(0)), LEGAL);
        (game, world)
    }

    fn at(world: &dyn World, visits: u32) -> Place<'_> {
        Place { world, key: 77, who: Player(0), visits, untried: Untried::Actions }
    }

    fn learned(enhance: &str) -> Learned {
        let (game, world) = start();
        let mut learned = Learned::new(&*game, &enhance.parse().unwrap(), Select::Ucb1, 0.7, 1 << 20);
        learned.restart(&*world);
        learned.arrive(&*game, &*world, Player(0), &mut Scratch::default());
        learned
    }

    /// Whatever is ever chosen.
    fn chosen(learned: &mut Learned, visits: u32, arms: &[Arm]) -> HashSet<usize> {
        let (game, world) = start();
        let mut rng = Seed(1).stream(Purpose::Ties);
        (0..60).map(|_| learned.select(&*game, at(&*world, visits), &LEGAL, arms, &mut rng)).collect()
    }

    /// The bound plus `w h / (n + 1)` by hand (`ismcts/3.18`; Chaslot and others 2008). With c = 0.7 and ln 20 = 2.99573
    /// the bounds are 0.25 + 0.7 sqrt(2.99573 / 4) = 0.85579, 0.90386, 1.21157 and 1.24462; to these are added
    /// 2 * 0.2 / 5 = 0.08, 2 * 0.8 / 10 = 0.16, 2 * 0.5 / 2 = 0.5 and 2 * 0.5 / 7 = 0.14286.
    #[test]
    fn progressive_bias_by_hand() {
        let mut learned = learned("bias(w=2)");
        let (_, world) = start();
        let (_, member) = learned.select.members[0];
        for _ in 0..2 {
            learned.values(Some(&at(&*world, 20)), member, &LEGAL, &arms());
            for (bound, by_hand) in learned.bounds.iter().zip([0.93579, 1.06386, 1.71157, 1.38748]) {
                assert!((bound - by_hand).abs() < 1e-5, "{bound} is not {by_hand}");
            }
        }
        assert_eq!(chosen(&mut learned, 20, &arms()), HashSet::from([2]));
    }

    /// Two moves are considered at first: the one that the game likes best, and one of those it likes next best, always
    /// the same. Both are tried although others are not; after 50 * 1.3 visits the other one is due.
    #[test]
    fn unpruning_widens() {
        let mut learned = learned("unprune(first=2,after=50,factor=1.3)");
        assert!(learned.guides());
        let fresh = [arm(0, 0.0); 4];
        let first = chosen(&mut learned, 1, &fresh);
        let next = if first.contains(&2) { 2 } else { 3 };
        assert_eq!(first, HashSet::from([1, next]));
        let mut tried = fresh;
        (tried[1], tried[next]) = (arm(20, 0.9), arm(20, 0.1));
        assert_eq!(chosen(&mut learned, 64, &tried), HashSet::from([1]));
        assert_eq!(
            chosen(&mut learned, 66, &tried),
            HashSet::from([5 - next]),
            "the third is due, and untried"
        );
        tried[5 - next] = arm(20, 0.1);
        assert_eq!(chosen(&mut learned, 84, &tried), HashSet::from([1]));
        assert_eq!(chosen(&mut learned, 85, &tried), HashSet::from([0]), "the last one too");
    }

    /// The bounds above are greatest for the fourth move; with a bias of 20 they are for the third (1.21 + 5 against
    /// 1.24 + 1.43). A history that counts for nothing votes as the bounds do.
    #[test]
    fn most_votes_decide() {
        let by = |enhance: &str| chosen(&mut learned(enhance), 20, &arms());
        assert_eq!(by("2*base|3*bias(w=20)|2*history(w=0) > base"), HashSet::from([3]), "4 votes to 3");
        assert_eq!(
            by("2*base^3*bias(w=20)^2*history(w=0) > base"),
            HashSet::from([2]),
            "by values it is not so"
        );
        assert_eq!(by("1*base|3*bias(w=20)|1*history(w=0) > base"), HashSet::from([2]), "2 votes to 3");
        assert_eq!(by("base|bias(w=20) > base"), HashSet::from([2, 3]), "one each");
        assert_eq!(by("base|lgrf > base"), HashSet::from([3]), "without a reply there is no vote");
        let mut votes = [1.0, 0.0, 0.0];
        cast(&mut votes, &[0.2, 0.7, 0.7], 0.5);
        cast(&mut votes, &[], 0.5);
        assert_eq!(votes, [1.0, 0.5, 0.5], "all that are best get a vote");
    }

    #[test]
    fn the_tuned_bound_is_that_of_the_bandit() {
        for (visits, total, squares, available) in
            [(1, 1.0, 1.0, 1), (7, 3.5, 2.0, 30), (50, 49.0, 48.5, 1000)]
        {
            let n = f64::from(visits);
            let width = (1.0 / n.sqrt()) as f32;
            let arm = Arm { visits, available, mean: (total / n) as f32, width };
            let expected = crate::bandit::ucb1_tuned(total, squares, n, available.into());
            assert!((f64::from(tuned(&arm, (squares / n) as f32)) - expected).abs() < 1e-5);
        }
    }
}

//! Choices by the values of all who have a say: of the tree itself, and of what was learnt.

use fogtree_core::{Game, Rng};

use super::super::enhance::Operator;
use super::super::guide::{Arm, rave_weight};
use super::super::records::Address;
use super::super::{Place, Untried};
use super::team::Member;
use super::{Learned, Piece};
use crate::ismcts::Best;
use crate::short;

impl<G: Game> Learned<G> {
    /// Chooses for a component in the tree.
    fn choose_by(&mut self, game: &G, piece: usize, actions: &[G::Action], rng: &mut Rng) -> usize {
        match &mut self.pieces[piece] {
            Piece::Values(values) => values.choose(game, actions, &mut self.tools, rng),
            Piece::Reply(reply) => reply.pick(actions, rng),
            Piece::Episodes(_) | Piece::Amaf(_) | Piece::Opinions(_) => {
                unreachable!("those decide by their values")
            }
        }
    }

    /// The values of a member's policy. Without a place in the tree the baseline has none.
    fn values(
        &mut self,
        game: &G,
        at: Option<&Place<'_, G>>,
        member: Member,
        actions: &[G::Action],
        arms: &[Arm],
    ) {
        let mut out = std::mem::take(&mut self.bounds);
        out.clear();
        match (member, at) {
            (Member::Piece(piece), at) => match &self.pieces[piece] {
                Piece::Values(values) => values.bounds(game, actions, &mut self.tools, &mut out),
                Piece::Episodes(episodes) => episodes.bounds(actions, &self.tools.scales.roots, &mut out),
                Piece::Amaf(amaf) => {
                    let key = at.map_or(0, |at| at.key);
                    amaf.bounds(game, key, actions, &mut self.tools, &mut out);
                }
                Piece::Reply(_) | Piece::Opinions(_) => out.resize(actions.len(), 0.0),
            },
            (_, None) => out.resize(actions.len(), 0.0),
            (Member::Base, Some(at)) => self.base(game, at, actions, arms, &mut out),
            (Member::Rave { k, amaf }, Some(at)) => {
                let mut base = std::mem::take(&mut self.base_bounds);
                base.clear();
                self.base(game, at, actions, arms, &mut base);
                if let Piece::Amaf(amaf) = &self.pieces[amaf] {
                    amaf.bounds(game, at.key, actions, &mut self.tools, &mut out);
                }
                let l = rave_weight(k, at.visits.into()) as f32;
                for (value, base) in out.iter_mut().zip(&base) {
                    *value = scaled(l, *value) + scaled(1.0 - l, *base);
                }
                self.base_bounds = base;
            }
            (Member::Bias { weight, opinions }, Some(at)) => {
                self.base(game, at, actions, arms, &mut out);
                if let Piece::Opinions(opinions) = &mut self.pieces[opinions] {
                    opinions.ask(
                        game,
                        at.world,
                        (at.key, at.who),
                        actions,
                        self.scale,
                        &mut self.tools.infos,
                    );
                }
                for ((value, info), arm) in out.iter_mut().zip(&self.tools.infos).zip(arms) {
                    *value += weight * info.mean / (arm.visits as f32 + 1.0);
                }
            }
            (Member::History { weight, values }, Some(at)) => {
                self.base(game, at, actions, arms, &mut out);
                if let Piece::Values(values) = &self.pieces[values] {
                    values.gather(game, actions, &mut self.tools.infos);
                }
                for ((value, info), arm) in out.iter_mut().zip(&self.tools.infos).zip(arms) {
                    *value += weight * info.mean / (arm.visits as f32 * (1.0 - arm.mean) + 1.0);
                }
            }
        }
        self.bounds = out;
    }

    /// The bounds of the tree's own statistics.
    fn base(&mut self, game: &G, at: &Place<'_, G>, actions: &[G::Action], arms: &[Arm], out: &mut Vec<f32>) {
        match &self.squares {
            None => {
                let bound = |arm: &Arm| match arm.visits {
                    0 => f32::INFINITY,
                    _ => arm.mean + self.c * self.tools.scales.roots.of(arm.available) * arm.width,
                };
                out.extend(arms.iter().map(bound));
            }
            Some(squares) => {
                squares.gather(game, Address::key(at.key), actions, &mut self.tools.infos);
                let arms = arms.iter().zip(&self.tools.infos);
                out.extend(arms.map(|(arm, square)| tuned(arm, square.mean)));
            }
        }
    }

    /// The place of the greatest weighted sum of the members' values: of those who select in the tree if there is a
    /// place in it, otherwise of those who simulate.
    pub(super) fn greatest(
        &mut self,
        game: &G,
        at: Option<&Place<'_, G>>,
        actions: &[G::Action],
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
            self.values(game, at, member, actions, arms);
            for (total, value) in totals.iter_mut().zip(&self.bounds) {
                *total += scaled(weight, *value);
            }
            i += 1;
        }
        let place = best(&totals, rng);
        self.totals = totals;
        place
    }

    /// Chooses where all moves have been tried.
    pub(super) fn select_tried(
        &mut self,
        game: &G,
        at: &Place<'_, G>,
        legal: &[G::Action],
        arms: &[Arm],
        rng: &mut Rng,
    ) -> usize {
        if self.select.operator == Operator::Maxilinear {
            return self.greatest(game, Some(at), legal, arms, rng);
        }
        let member = self.select.draw(rng);
        if let Member::Piece(piece) = member
            && matches!(self.pieces[piece], Piece::Values(_) | Piece::Reply(_))
        {
            return self.choose_by(game, piece, legal, rng);
        }
        self.values(game, Some(at), member, legal, arms);
        best(&self.bounds, rng)
    }

    /// Chooses among moves that have not been tried; the place among all that are legal.
    pub(super) fn select_untried(
        &mut self,
        game: &G,
        at: &Place<'_, G>,
        (legal, arms): (&[G::Action], &[Arm]),
        untried: &mut [G::Action],
        rng: &mut Rng,
    ) -> usize {
        let place = match self.expand.draw(rng) {
            Member::Piece(piece) if matches!(self.pieces[piece], Piece::Values(_) | Piece::Reply(_)) => {
                self.choose_by(game, piece, untried, rng)
            }
            member @ Member::Piece(_) => {
                self.values(game, Some(at), member, untried, &[]);
                best(&self.bounds, rng)
            }
            _ if at.untried == Untried::ByBound => {
                self.values(game, Some(at), Member::Base, legal, arms);
                return best(&self.bounds, rng);
            }
            _ => {
                if at.untried == Untried::ByCode {
                    short::sort_by_key(untried, |&a| game.code(a));
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
    use super::*;

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

//! Weights of the game's features, whose sum is what a state is worth to a player (FAST; Finnsson and Björnsson,
//! "Learning simulation control in general game-playing agents", AAAI 2010).
//!
//! The value of a state is `V = b + sum of w_f` over its features, for each player its own. After a playout the states
//! that a player moved to are gone through backwards: the last one's target is the reward, that of each one before is
//! `(1 - lambda) V + lambda target` of the one after it, and a state's value is moved towards its target by a share that
//! is that of a mean at first and `step` at least. All weights of the state, `b` among them, take an equal part in
//! that, so that a share of 1 reaches the target however many features there are.

use fogtree_core::{MAX_PLAYERS, Move, Player, World, WorldStep};

use super::context::Reached;
use super::records::Evidence;
use crate::kit::scratch::Spare;

/// What one player has learnt.
#[derive(Clone, Debug, Default)]
struct Own {
    learnt: u32,
    base: f32,
    of: Vec<f32>,
}

impl Own {
    fn value(&self, features: &[u32]) -> f32 {
        let weight = |&feature: &u32| self.of.get(feature as usize).copied().unwrap_or(0.0);
        self.base + features.iter().map(weight).sum::<f32>()
    }

    /// Moves the value of a state towards a target; returns what it was before.
    fn learn(&mut self, features: &[u32], target: f32, least: f32) -> f32 {
        let before = self.value(features);
        self.learnt += 1;
        let share = (1.0 / self.learnt as f32).max(least);
        let part = share * (target - before) / (features.len() + 1) as f32;
        self.base += part;
        for &feature in features {
            let place = feature as usize;
            if place >= self.of.len() {
                self.of.resize(place + 1, 0.0);
            }
            self.of[place] += part;
        }
        before
    }
}

/// The weights of all players.
#[derive(Clone, Debug)]
pub(crate) struct Weights {
    lambda: f32,
    step: f32,
    own: [Own; MAX_PLAYERS],
    features: Vec<u32>,
    spare: Spare,
}

impl Weights {
    pub(crate) fn new(lambda: f32, step: f32) -> Weights {
        Weights { lambda, step, own: Default::default(), features: Vec::new(), spare: Spare::default() }
    }

    pub(crate) fn clear(&mut self) {
        for own in &mut self.own {
            own.of.clear();
            (own.learnt, own.base) = (0, 0.0);
        }
    }

    pub(crate) fn bytes(&self) -> u64 {
        self.own.iter().map(|own| (own.of.len() * size_of::<f32>()) as u64).sum()
    }

    /// The playout is over, in which players moved to these states.
    pub(crate) fn learn(&mut self, reached: &Reached, rewards: &[f32; MAX_PLAYERS]) {
        let mut targets = *rewards;
        for (who, features) in reached.backwards() {
            let target = &mut targets[who.index()];
            let before = self.own[who.index()].learn(features, *target, self.step);
            *target = (1.0 - self.lambda) * before + self.lambda * *target;
        }
    }

    /// What the states after some actions are worth, from 0 to 1. Nothing if nothing was learnt, if the state after
    /// one has no features, or if others choose at the same time.
    pub(crate) fn foresee(
        &mut self,
        world: &dyn World,
        who: Player,
        actions: &[Move],
        out: &mut Vec<Evidence>,
    ) {
        out.clear();
        let own = &self.own[who.index()];
        if own.learnt == 0 || world.turn().players().len() > 1 {
            return;
        }
        let width = 1.0 / (own.learnt as f32).sqrt();
        for &action in actions {
            let after = self.spare.copy(world);
            after.apply(WorldStep::Moves(&[(who, action)]));
            self.features.clear();
            after.features(who, &mut self.features);
            if self.features.is_empty() {
                return out.clear();
            }
            out.push(Evidence { n: own.learnt, mean: own.value(&self.features).clamp(0.0, 1.0), width });
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn close(a: f32, b: f32) {
        assert!((a - b).abs() < 1e-6, "{a} is not {b}");
    }

    /// By hand, with lambda 0.5 and steps of at least 0.5. The first player moves to {0, 2} and then to {2}, the second
    /// to {1} between; the rewards are 1 and 0.
    ///
    /// First playout, backwards. {2} was worth 0; the share is 1, so it becomes worth 1: b = w2 = 0.5. The target
    /// before is 0.5 * 0 + 0.5 * 1 = 0.5. {0, 2} is worth b + w2 = 1 by now; the share is 1/2, so it becomes worth
    /// 0.75, and three weights take part: b = w2 = 0.5 - 0.25/3, w0 = -0.25/3. The second player learns nothing new
    /// from 0.
    ///
    /// Second playout, the first player moves to {0} only and loses. It is worth 0.5 - 0.5/3 = 1/3; the share is 1/2
    /// (for 1/3 would be less), so it becomes worth 1/6: b and w0 lose 1/12 each.
    #[test]
    fn weights_are_learnt_by_temporal_differences() {
        let (one, other) = (Player(0), Player(1));
        let mut weights = Weights::new(0.5, 0.5);
        let mut rewards = [0.0; MAX_PLAYERS];
        rewards[0] = 1.0;
        let mut reached = Reached::default();
        reached.push(one, |out| out.extend([0, 2]));
        reached.push(other, |out| out.push(1));
        reached.push(other, |_| {});
        reached.push(one, |out| out.push(2));
        weights.learn(&reached, &rewards);
        let own = &weights.own[0];
        close(own.base, 0.5 - 0.25 / 3.0);
        close(own.of[0], -0.25 / 3.0);
        close(own.of[2], 0.5 - 0.25 / 3.0);
        close(own.value(&[0, 2]), 0.75);
        assert_eq!((own.learnt, own.of[1]), (2, 0.0));
        assert_eq!((weights.own[1].learnt, weights.own[1].value(&[1])), (1, 0.0));

        let mut reached = Reached::default();
        reached.push(one, |out| out.push(0));
        weights.learn(&reached, &[0.0; MAX_PLAYERS]);
        let own = &weights.own[0];
        close(own.value(&[0]), 1.0 / 6.0);
        close(own.base, 5.0 / 12.0 - 1.0 / 12.0);
        close(own.of[0], -1.0 / 12.0 - 1.0 / 12.0);
        weights.clear();
        assert_eq!(weights.own[0].value(&[0, 2]), 0.0);
    }
}

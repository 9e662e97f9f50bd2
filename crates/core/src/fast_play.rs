//! What searches do most often, for games that can do it faster than by asking their rules.

use crate::{Observation, Player, Rewards, Rng, Rules, Step, Turn};

/// Buffers that random play reuses from step to step.
#[derive(Debug)]
pub struct Scratch<R: Rules> {
    /// For lists of legal actions.
    pub actions: Vec<R::Action>,
    /// For the moves of one step.
    pub moves: Vec<(Player, R::Action)>,
}

impl<R: Rules> Default for Scratch<R> {
    fn default() -> Self {
        Scratch { actions: Vec::new(), moves: Vec::new() }
    }
}

/// Short cuts for searches. Every default asks the rules, so that `impl FastPlay for MyGame {}` will do.
pub trait FastPlay: Rules {
    /// A legal action of a player to move, all equally likely.
    #[inline]
    fn random_action(
        &self,
        state: &Self::State,
        who: Player,
        rng: &mut Rng,
        scratch: &mut Scratch<Self>,
    ) -> Self::Action {
        scratch.actions.clear();
        self.actions(state, who, &mut scratch.actions);
        *rng.pick(&scratch.actions)
    }

    /// Plays uniformly at random to the end and returns the rewards; the state is left at the end. States that remember
    /// how they came about need not remember the playout, but show as any other ([`crate::Notation::show`]).
    #[inline]
    fn playout(&self, state: &mut Self::State, rng: &mut Rng, scratch: &mut Scratch<Self>) -> Rewards {
        loop {
            match self.turn(state) {
                Turn::Terminal => return self.rewards(state),
                _ => random_step(self, state, rng, scratch),
            }
        }
    }

    /// What everybody sees of a step, if all see the same: every seat and the public, but a player who moves alone,
    /// who sees nothing beyond its own action. `None` says nothing.
    #[inline]
    fn seen_by_all(&self, _before: &Self::State, _step: Step<'_, Self>) -> Option<Observation> {
        None
    }

    /// Whether [`FastPlay::decode`] knows the action of every code; engines then need not note which action is which.
    const DECODES: bool = false;

    /// The action with this code. Asked only of games that decode, and only for codes of theirs.
    fn decode(&self, _code: u64) -> Self::Action {
        unreachable!("the game does not decode")
    }

    /// If all codes are below some small number, that number: statistics may then be kept in plain arrays. The codes
    /// of legal actions must then rise with the actions.
    fn codes(&self) -> Option<usize> {
        None
    }
}

/// Makes one uniformly random step of a game that is not over.
#[inline(always)]
pub fn random_step<R: FastPlay>(rules: &R, state: &mut R::State, rng: &mut Rng, scratch: &mut Scratch<R>) {
    match rules.turn(state) {
        Turn::Terminal => {}
        Turn::Chance => {
            let outcome = rules.sample_chance(state, rng);
            rules.apply(state, Step::Chance(&outcome));
        }
        Turn::Player(p) => {
            let action = rules.random_action(state, p, rng, scratch);
            rules.apply(state, Step::Moves(&[(p, action)]));
        }
        Turn::Simultaneous(players) => {
            let mut moves = std::mem::take(&mut scratch.moves);
            moves.clear();
            for p in players.iter() {
                moves.push((p, rules.random_action(state, p, rng, scratch)));
            }
            rules.apply(state, Step::Moves(&moves));
            scratch.moves = moves;
        }
    }
}

//! Ways of playing out a game besides uniformly random play, which is biased towards nothing and so often towards
//! nothing happening.

use crate::{FastPlay, Player, Rng, Rules, Scratch, Step, Turn};

/// A way of playing out a game, by name: knowledge of the game that a search may use without knowing the game.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Policy {
    /// The name.
    pub name: &'static str,
    /// What it does.
    pub about: &'static str,
}

impl Policy {
    /// The place of the policy with this name.
    pub fn find(all: &[Policy], name: &str) -> Option<usize> {
        all.iter().position(|policy| policy.name == name)
    }
}

/// How far a game is played out before it is judged as it stands.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Horizon {
    /// So many steps.
    Steps(u32),
    /// Until the turn has passed on so often; a player's choices in a row are one turn.
    Turns(u32),
}

/// Policies for playouts.
pub trait Policies<R: Rules> {
    /// The policies by name.
    fn policies(&self) -> &'static [Policy];

    /// An action of a player to move, drawn by one of the policies. It must be legal.
    fn policy_action(
        &self,
        policy: usize,
        state: &R::State,
        who: Player,
        rng: &mut Rng,
        scratch: &mut Scratch<R>,
    ) -> R::Action;

    /// Plays by one of the policies, or uniformly at random, to the end or up to a horizon. The state is left fit for
    /// rewards and evaluations only. A game may take liberties here that its players have not, such as looking through
    /// the fog.
    fn policy_playout(
        &self,
        rules: &R,
        policy: Option<usize>,
        horizon: Option<Horizon>,
        state: &mut R::State,
        rng: &mut Rng,
        scratch: &mut Scratch<R>,
    ) where
        R: FastPlay,
    {
        playout_to(rules, horizon, state, rng, scratch, |state, who, rng, scratch| match policy {
            Some(policy) => self.policy_action(policy, state, who, rng, scratch),
            None => rules.random_action(state, who, rng, scratch),
        });
    }
}

/// Plays to the end or up to a horizon; players choose as they are told to.
#[inline]
pub fn playout_to<R: Rules>(
    rules: &R,
    horizon: Option<Horizon>,
    state: &mut R::State,
    rng: &mut Rng,
    scratch: &mut Scratch<R>,
    mut choose: impl FnMut(&R::State, Player, &mut Rng, &mut Scratch<R>) -> R::Action,
) {
    let (mut steps, mut turns, mut last) = (0, 0, None);
    loop {
        let turn = rules.turn(state);
        if turn == Turn::Terminal {
            return;
        }
        let movers = turn.players();
        if turn != Turn::Chance {
            turns += u32::from(last.is_some_and(|last| last != movers));
            last = Some(movers);
        }
        match horizon {
            Some(Horizon::Steps(most)) if steps >= most => return,
            Some(Horizon::Turns(most)) if turns >= most => return,
            _ => {}
        }
        steps += 1;
        match turn {
            Turn::Terminal => {}
            Turn::Chance => {
                let outcome = rules.sample_chance(state, rng);
                rules.apply(state, Step::Chance(&outcome));
            }
            Turn::Player(p) => {
                let action = choose(state, p, rng, scratch);
                rules.apply(state, Step::Moves(&[(p, action)]));
            }
            Turn::Simultaneous(players) => {
                let mut moves = std::mem::take(&mut scratch.moves);
                moves.clear();
                for p in players.iter() {
                    moves.push((p, choose(state, p, rng, scratch)));
                }
                rules.apply(state, Step::Moves(&moves));
                scratch.moves = moves;
            }
        }
    }
}

//! Matches that somebody else has conducted, as lines of play.

use fogtree_core::Turn;

use super::GdlGame;
use super::position::Joint;
use super::rules::Look;
use crate::reasoner::{Reasoner, ReasonerError};
use crate::term::TermId;

/// Why a list of joint moves is no match of a game. Steps are counted from 1.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum NoMatch {
    /// Somebody has no move, or too many have one.
    #[error("step {step}: expected a move for each of {roles} roles")]
    Roles {
        /// The step.
        step: usize,
        /// The roles of the sheet.
        roles: usize,
    },
    /// A move that cannot have been made.
    #[error("step {step}: {text} is not legal for {role}")]
    Illegal {
        /// The step.
        step: usize,
        /// The move as it was written.
        text: String,
        /// Who is said to have made it.
        role: String,
    },
    /// Moves after the end.
    #[error("step {step}: the match was over before")]
    Over {
        /// The step.
        step: usize,
    },
    /// The reasoner has no answer.
    #[error("step {step}: the rules cannot be followed: {why}")]
    Reasoner {
        /// The step.
        step: usize,
        /// Why not.
        why: ReasonerError,
    },
}

impl<R: Reasoner + 'static> GdlGame<R> {
    /// The steps of this game that joint moves come to, each with the names of what was chosen or drawn. A joint move is
    /// written as KIF terms in the order of the roles, `random` included.
    pub fn steps_of_match(&self, joint_moves: &[Vec<String>]) -> Result<Vec<Vec<String>>, NoMatch> {
        let mut steps = Vec::new();
        let mut state = self.reasoner.initial().map_err(|why| NoMatch::Reasoner { step: 1, why })?;
        for (step, (made, written)) in (1..).zip((0..).zip(joint_moves)) {
            let joint = self.read_joint(step, written)?;
            match self.look(&state, made) {
                Look::Forced(forced) => {
                    self.check_joint(step, written, |role| joint[role] == forced[role])?;
                }
                Look::Stop(now) if now.turn == Turn::Terminal => return Err(NoMatch::Over { step }),
                Look::Stop(now) => {
                    let among = |moves: &[super::Move], role: usize| match moves.is_empty() {
                        true => joint[role] == now.joint[role],
                        false => moves.iter().any(|m| m.term == joint[role]),
                    };
                    let seat = |role| self.seats.iter().position(|&of| of == role);
                    let drawn = if self.random.is_some() { now.chance() } else { &[] };
                    self.check_joint(step, written, |role| match seat(role) {
                        Some(seat) => among(now.legal(seat), role),
                        None => among(drawn, role),
                    })?;
                    let chose: Vec<String> =
                        now.turn.players().iter().map(|p| self.name(joint[self.seats[p.index()]])).collect();
                    if !chose.is_empty() {
                        steps.push(chose);
                    }
                    if !now.chance().is_empty() {
                        steps.push(vec![self.name(joint[self.random.unwrap_or(0)])]);
                    }
                }
            }
            state = self.reasoner.next(&state, &joint).map_err(|why| NoMatch::Reasoner { step, why })?;
        }
        Ok(steps)
    }

    fn read_joint(&self, step: usize, written: &[String]) -> Result<Joint, NoMatch> {
        let roles = self.reasoner.roles().len();
        if written.len() != roles {
            return Err(NoMatch::Roles { step, roles });
        }
        let terms: Vec<Option<TermId>> =
            written.iter().map(|text| self.reasoner.terms().parse(text)).collect();
        self.check_joint(step, written, |role| terms[role].is_some())?;
        Ok(terms.into_iter().flatten().collect())
    }

    fn check_joint(
        &self,
        step: usize,
        written: &[String],
        is_right: impl Fn(usize) -> bool,
    ) -> Result<(), NoMatch> {
        match (0..written.len()).find(|&role| !is_right(role)) {
            None => Ok(()),
            Some(wrong) => Err(NoMatch::Illegal {
                step,
                text: fogtree_core::spec::shortened(&written[wrong]),
                role: self.name(self.reasoner.roles()[wrong]),
            }),
        }
    }
}

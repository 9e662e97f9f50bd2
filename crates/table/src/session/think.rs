//! Agents that think away from their session, so that it can be looked at meanwhile.

use fogtree_core::{AgentFailure, Budget, Decision, InfoSet, Player};

use super::Session;
use crate::erased::SeatAgent;

/// An agent that has been asked to decide. Give it back with its decision ([`Session::decided`]).
pub struct Thinking {
    /// Its seat.
    pub seat: Player,
    /// What it decides with.
    pub info: InfoSet,
    agent: SeatAgent,
    revision: u64,
}

impl Thinking {
    /// Lets the agent decide, within its own budget.
    pub fn think(&mut self) -> Result<Decision, AgentFailure> {
        self.agent.act(&self.info)
    }

    /// Lets the agent decide, within its own budget changed like this: to watch it, to stop it, to have it explain.
    pub fn think_with(&mut self, change: impl FnOnce(&mut Budget)) -> Result<Decision, AgentFailure> {
        let mut budget = self.agent.budget.clone();
        change(&mut budget);
        self.agent.agent.act(&self.info, &budget)
    }
}

impl Session {
    /// An agent that is to decide now, taken out of the session.
    pub fn next_thinker(&mut self) -> Option<Thinking> {
        if self.is_over() {
            return None;
        }
        let due = |p: &Player| self.pending[*p].is_none() && self.agents[p.index()].is_some();
        let seat = self.table.turn().players().iter().find(due)?;
        let agent = self.agents[seat.index()].take()?;
        let truth = agent.cheats.then(|| self.table.truth());
        let info = InfoSet { truth, ..self.table.infoset(seat) };
        Some(Thinking { seat, info, agent, revision: self.revision(seat) })
    }

    /// Takes an agent back with its decision. If the position has changed meanwhile, the decision counts for nothing.
    pub fn decided(
        &mut self,
        thinking: Thinking,
        decision: Result<Decision, AgentFailure>,
    ) -> Result<(), AgentFailure> {
        let Thinking { seat, agent, revision, .. } = thinking;
        let stale = revision != self.revision(seat) || self.is_over();
        self.agents[seat.index()] = Some(agent);
        if stale {
            self.restart_agents();
            return Ok(());
        }
        let decision = decision?;
        if !self.table.moves(seat).contains(&decision.action) {
            return Err(AgentFailure(format!("player {seat} chose a move that is not legal")));
        }
        let chosen = decision.action;
        let thought = self.thought(seat, decision);
        self.thoughts.push(thought);
        self.choose(seat, chosen);
        Ok(())
    }
}

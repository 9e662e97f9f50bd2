//! Worlds in time, for games in which drawing one is a search of its own.
//!
//! Before a player decides, worlds are looked for within half of its time ([`Model::find_worlds`]); what it draws then
//! keeps to the rest. If none was found, a random legal move is made: to be late would be worse.
//!
//! [`Model::find_worlds`]: fogtree_core::Model::find_worlds

use std::time::Instant;

use fogtree_core::{
    Agent, AgentFailure, Budget, Deadline, Decision, Info, InfoSet, Player, Purpose, Report, Rng, Seed,
    hand_on_to,
};

/// A player that is given worlds in time.
pub struct InTime {
    agent: Box<dyn Agent>,
    ties: Rng,
    /// What was known at the last decision.
    before: Option<Info>,
}

impl InTime {
    /// The same player, given worlds in time.
    pub fn new(agent: Box<dyn Agent>) -> InTime {
        InTime { agent, ties: Seed(0).stream(Purpose::Ties), before: None }
    }
}

impl Agent for InTime {
    fn start(&mut self, seat: Player, seed: Seed) {
        self.ties = seed.named("no world").stream(Purpose::Ties);
        self.before = None;
        self.agent.start(seat, seed);
    }

    hand_on_to!(agent);

    fn act(&mut self, info: &InfoSet, budget: &Budget) -> Result<Decision, AgentFailure> {
        let time = budget.time.into_iter().chain(budget.turn).min();
        if time.is_none() && budget.stop.is_none() {
            return self.agent.act(info, budget);
        }
        let began = Instant::now();
        let until = Deadline::after(time, budget.stop.clone());
        let before = self.before.replace(info.known.clone());
        if info.game.find_worlds(&info.known, before.as_ref(), &until) {
            let left = |time: std::time::Duration| time.saturating_sub(began.elapsed());
            let (time, turn) = (budget.time.map(left), budget.turn.map(left));
            let found = began.elapsed();
            let mut decision = self.agent.act(info, &Budget { time, turn, ..budget.clone() })?;
            decision.report.time += found;
            return Ok(decision);
        }
        let remark = Some("no world was found in time, so the move is a random one".to_string());
        let report = Report { time: began.elapsed(), remark, ..Report::default() };
        Ok(Decision { action: *self.ties.pick(&info.legal), report })
    }
}

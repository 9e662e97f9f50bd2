//! Information sets and agents behind the erased interface: the types come back where an agent is asked.

use std::any::Any;
use std::sync::Arc;

use fogtree_core::{
    Agent, Budget, CheatingAgent, Event, Game, Habit, InfoSet, Key, Player, Rewards, Seed, TrueState,
};
use serde_json::Value;

use super::{AgentFailure, AnyAgent, AnyCheatingAgent, AnyDecision, AnyInfoSet, AnyMoveReport, AnyTrueState};

/// The typed information set behind an [`AnyInfoSet`].
pub(crate) struct Erased<G: Game> {
    pub(crate) game: Arc<G>,
    pub(crate) info: InfoSet<G>,
}

impl<G: Game> AnyInfoSet for Erased<G> {
    fn seat(&self) -> Player {
        self.info.seat
    }

    fn legal(&self) -> Vec<String> {
        self.info.legal.iter().map(|&a| self.game.action_name(a)).collect()
    }

    fn events(&self) -> &[Event] {
        &self.info.events
    }

    fn key(&self) -> Key {
        self.info.key
    }

    fn view(&self) -> String {
        self.game.view(&self.info.known)
    }

    fn to_json(&self) -> Value {
        self.info.to_json(&self.game)
    }

    fn as_any(&self) -> &dyn Any {
        &self.info
    }
}

/// A typed agent behind the erased interface.
pub(crate) struct Typed<T>(pub(crate) T);

fn typed<G: Game>(info: &dyn AnyInfoSet) -> &InfoSet<G> {
    info.as_any().downcast_ref().expect("an agent is asked about its own game")
}

fn erase_decision<A: Eq>(legal: &[A], decision: fogtree_core::Decision<A>) -> AnyDecision {
    let place = |action: &A| legal.iter().position(|a| a == action);
    let report = decision.report;
    AnyDecision {
        choice: place(&decision.action).expect("agents choose among the legal moves"),
        moves: report
            .moves
            .into_iter()
            .map(|m| AnyMoveReport {
                visits: m.visits,
                availability: m.availability,
                values: m.values,
                margins: m.margins,
                proven: m.proven,
            })
            .collect(),
        iterations: report.iterations,
        nodes: report.nodes,
        depth: report.depth,
        time: report.time,
        tried: report.tried,
        bytes: report.bytes,
        mean_depth: report.mean_depth,
        profile: report.profile,
        line: report.line,
        trees: report.trees,
        beliefs: report.beliefs,
        figures: report.figures,
        remark: None,
    }
}

impl<G: Game> AnyAgent for Typed<Box<dyn Agent<G>>> {
    fn start(&mut self, seat: Player, seed: Seed) {
        self.0.start(seat, seed);
    }

    fn prepare(&mut self, budget: &Budget) -> u64 {
        self.0.prepare(budget)
    }

    fn observe(&mut self, event: &Event) {
        self.0.observe(event);
    }

    fn habits(&self, tell: &mut dyn FnMut(Habit<'_>)) {
        self.0.habits(tell);
    }

    fn act(&mut self, info: &dyn AnyInfoSet, budget: &Budget) -> Result<AnyDecision, AgentFailure> {
        let info = typed::<G>(info);
        Ok(erase_decision(&info.legal, self.0.act(info, budget)))
    }

    fn end(&mut self, rewards: &Rewards) {
        self.0.end(rewards);
    }
}

impl<G: Game> AnyCheatingAgent for Typed<Box<dyn CheatingAgent<G>>> {
    fn start(&mut self, seat: Player, seed: Seed) {
        self.0.start(seat, seed);
    }

    fn act_on_true_state(
        &mut self,
        info: &dyn AnyInfoSet,
        state: &AnyTrueState<'_>,
        budget: &Budget,
    ) -> AnyDecision {
        let info = typed::<G>(info);
        let state = state.of::<G>().expect("an agent is shown its own game");
        erase_decision(&info.legal, self.0.act_on_true_state(info, &TrueState(state), budget))
    }
}

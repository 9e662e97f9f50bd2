//! Agents of the registry for rule sheets that come as texts, not as games by name: players of matches that somebody
//! else conducts.

use fogtree_core::{
    Agent, AgentFailure, Budget, Decision, Erased, Event, InfoSet, Player, Rewards, Seed, Spec, Tracked,
};
use fogtree_gdl::{Chosen, GdlGame};

use crate::erased::{SeatAgent, erase};
use crate::registry::{Registry, Unavailable};

/// The game of a rule sheet.
pub type SheetGame = Tracked<GdlGame<Chosen>>;

impl Registry {
    /// The agent of this specification for the game of a rule sheet. It thinks as long as it is given, and no more
    /// iterations than its specification says, if it says so; what it does before the match it does within `start`.
    pub fn sheet_agent(
        &self,
        spec: &str,
        game: &Erased<SheetGame>,
        start: &Budget,
    ) -> Result<Box<dyn Agent>, Unavailable> {
        let mut parsed: Spec = spec.parse()?;
        let is_given = |key: &str| parsed.params.iter().any(|(name, _)| name == key);
        let (limited, prepared) = (is_given("iterations"), is_given("start"));
        if parsed.name == "ggp"
            && !prepared
            && let Some(time) = start.time
        {
            parsed.params.push(("start".to_string(), format!("{}ms", (time / 2).as_millis().max(1))));
        }
        let agent = self.agent(&parsed.to_string(), &*erase(game.clone(), ""))?;
        if agent.cheats {
            let why = "nobody shows it the true state".to_string();
            let instead = vec!["ggp".to_string(), "mo-ismcts".to_string()];
            return Err(Unavailable::Unsuitable { agent: parsed.name, why, instead });
        }
        Ok(Box::new(SheetAgent { agent, limited }))
    }
}

struct SheetAgent {
    agent: SeatAgent,
    /// Whether its own number of iterations counts, and not the clock alone.
    limited: bool,
}

impl Agent for SheetAgent {
    fn start(&mut self, seat: Player, seed: Seed) {
        self.agent.start(seat, seed);
    }

    fn prepare(&mut self, budget: &Budget) -> u64 {
        self.agent.prepare(budget)
    }

    fn observe(&mut self, event: &Event) {
        self.agent.observe(event);
    }

    fn act(&mut self, info: &InfoSet, budget: &Budget) -> Result<Decision, AgentFailure> {
        let own = &self.agent.budget;
        let time = own.time.into_iter().chain(budget.time).min();
        let iterations = own.iterations.filter(|_| self.limited || time.is_none());
        self.agent.agent.act(info, &Budget { iterations, time, ..budget.clone() })
    }

    fn end(&mut self, rewards: &Rewards) {
        self.agent.end(rewards);
    }
}

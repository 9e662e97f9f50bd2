//! Searches that somebody looks into: a hint, or up to four agents beside each other.

mod history;
mod routes;
mod run;
mod tree;

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, OnceLock};

use fogtree_core::{Info, InfoSet, TrueState};
use fogtree_table::usual_agent;
use serde::Deserialize;

use super::Studio;
use super::jobs::{Job, Progress};
use super::place::{Place, Stand};
use super::refusal::Refusal;
use super::visitors::Visitor;
#[cfg(feature = "schema")]
pub(crate) use routes::describe;
pub(crate) use routes::routes;
use run::{Limits, Run};

/// What is to be searched, by whom, and for how long.
#[derive(Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[cfg_attr(feature = "schema", schemars(rename = "NewSearch"))]
pub(crate) struct Wanted {
    /// The position.
    place: Place,
    /// Who is to move there.
    seat: u8,
    /// Who searches, 1 to 4; by default the usual agent.
    #[serde(default)]
    agents: Option<Vec<String>>,
    /// Milliseconds.
    #[serde(default)]
    time: Option<u64>,
    /// The most iterations of each.
    #[serde(default)]
    iterations: Option<u64>,
    /// The seed of the agents.
    #[serde(default)]
    seed: Option<u64>,
}

/// A search of one information set by one agent or several.
pub(crate) struct Search {
    /// The specification of the game as whoever asks may know it.
    game: String,
    /// Without the truth.
    info: InfoSet,
    /// For agents that look at it, where everything may be seen.
    truth: Option<Arc<TrueState>>,
    legal: Vec<String>,
    runs: Arc<Progress<Vec<Run>>>,
    /// What stops each agent.
    stops: Vec<Arc<AtomicBool>>,
    /// What is known along the lines that the agents expect.
    lines: Vec<OnceLock<Vec<Option<Info>>>>,
}

impl Job for Search {
    fn stop(&self) {
        self.stops.iter().for_each(|stop| stop.store(true, Ordering::Relaxed));
        self.runs.stop();
    }
}

/// More agents are not compared.
const MOST_AGENTS: usize = 4;

impl Studio {
    /// Begins a search; answers its name.
    fn begin_search(self: &Arc<Studio>, visitor: &Visitor, wanted: Wanted) -> Result<String, Refusal> {
        let stand = self.stand(visitor, &wanted.place)?;
        let seat = stand.seat(wanted.seat)?;
        let info = stand.decision(seat)?;
        let specs = wanted.agents.unwrap_or_else(|| vec![usual_agent(&*stand.game).to_string()]);
        if !(1..=MOST_AGENTS).contains(&specs.len()) {
            return Err(Refusal::bad(format!("expected 1 to {MOST_AGENTS} agents")));
        }
        let Stand { game, table, .. } = &stand;
        let agents = specs.iter().map(|spec| Ok(self.registry.agent(spec, &**game)?));
        let agents = agents.collect::<Result<Vec<_>, Refusal>>()?;
        if let Some(cheat) = agents.iter().find(|agent| agent.cheats).filter(|_| !stand.sees_all()) {
            let why = format!("{} looks at the true state: its hint would tell what is hidden", cheat.spec);
            return Err(Refusal::forbidden(why));
        }
        let limits = Limits {
            time: wanted.time,
            iterations: wanted.iterations,
            longest: self.settings.longest_search,
            seed: wanted.seed.unwrap_or(1),
            agents: agents.len(),
        };
        let search = Arc::new(Search {
            game: stand.told(self, Some(seat))?,
            legal: info.legal_names(),
            truth: agents.iter().any(|agent| agent.cheats).then(|| table.truth()),
            info,
            runs: Arc::new(Progress::new(agents.iter().map(Run::of).collect())),
            stops: agents.iter().map(|_| Arc::default()).collect(),
            lines: agents.iter().map(|_| OnceLock::new()).collect(),
        });
        let id = self.searches.add(visitor, Arc::clone(&search));
        for (number, agent) in agents.into_iter().enumerate() {
            let search = Arc::clone(&search);
            let work = move || search.run(number, agent, limits);
            if let Err(full) = self.pool.submit(&id, work) {
                self.searches.remove(visitor, &id)?;
                return Err(full);
            }
        }
        Ok(id)
    }
}

//! An agent that plays the strategies of a file, as solvers write them.

use std::collections::HashMap;

use fogtree_core::files::read_text;
use fogtree_core::{
    About, Agent, AgentEntry, AgentFailure, AverageStrategy, Budget, Decision, Domain, InfoSet, Key, Param,
    Player, Purpose, Report, Rng, Seed,
};
use fogtree_solve::StrategyFile;
use fogtree_solve::strategy::Entry;
use fogtree_solve::strategy::LARGEST_FILE;

/// The strategies of a file, by name.
pub(crate) static ENTRY: AgentEntry = AgentEntry::new(
    &About::new(
        "strategy",
        "Plays the strategies of a file that fogtree solve has written",
        "equilibrium 1.2",
        &[Param::new("file", "none", Domain::File, "the file, from fogtree solve --strategy FILE")],
    ),
    &|asked| {
        let params = asked.params;
        if !params.is_given("file") {
            return Err(params.bad("file", "a file with strategies, from fogtree solve --strategy FILE"));
        }
        let text = read_text(params.text("file"), LARGEST_FILE);
        let text = text.map_err(|why| params.bad("file", format!("a file with strategies: {why}")))?;
        let file =
            StrategyFile::read(&text).map_err(|why| params.bad("file", format!("strategies ({why})")))?;
        Ok((Box::new(StrategyPlayer::new(file)), Budget::default()))
    },
)
.without_worlds();

/// Draws its moves as the strategies say; where they say nothing, all moves are equally likely.
#[derive(Debug)]
pub struct StrategyPlayer {
    entries: HashMap<Key, Entry>,
    rng: Rng,
}

impl StrategyPlayer {
    /// A player of these strategies.
    pub fn new(file: StrategyFile) -> StrategyPlayer {
        let entries = file.infosets.into_iter().map(|entry| (entry.key, entry)).collect();
        StrategyPlayer { entries, rng: Seed(0).stream(Purpose::Ties) }
    }
}

impl Agent for StrategyPlayer {
    fn start(&mut self, _seat: Player, seed: Seed) {
        self.rng = seed.stream(Purpose::Ties);
    }

    /// It is as sure of its strategies as a search that has been everywhere so often.
    fn average_strategies(&self, tell: &mut dyn FnMut(AverageStrategy<'_>)) {
        for Entry { key, seat, probabilities, .. } in self.entries.values() {
            tell(AverageStrategy { key: *key, seat: *seat, strategy: probabilities, visits: 1 << 32 });
        }
    }

    fn act(&mut self, info: &InfoSet, _budget: &Budget) -> Result<Decision, AgentFailure> {
        let legal = info.legal_names();
        let entry = self.entries.get(&info.key);
        let likely = |name: &String| {
            let place = entry.and_then(|e| e.actions.iter().position(|a| a == name));
            place.zip(entry).map_or(0.0, |(place, entry)| entry.probabilities[place])
        };
        let weights: Vec<f64> = legal.iter().map(likely).collect();
        let choice = if weights.iter().sum::<f64>() > 0.0 {
            self.rng.weighted(weights.iter().copied())
        } else {
            self.rng.below(legal.len() as u32) as usize
        };
        Ok(Decision { action: info.legal[choice], report: Report::default() })
    }
}

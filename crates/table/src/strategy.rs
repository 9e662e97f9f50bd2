//! An agent that plays the strategies of a file, as solvers write them.

use std::collections::HashMap;
use std::sync::Arc;

use fogtree_core::files::read_text;
use fogtree_core::{
    About, Agent, AgentEntry, AgentFailure, AverageStrategy, Budget, Decision, Domain, InfoSet, Key, Mixed,
    Observer, Param, Player, Purpose, Report, Rng, Seed, Turn,
};
use fogtree_solve::StrategyFile;
use fogtree_solve::strategy::{BadStrategy, Entry, LARGEST_FILE};

use crate::AnyGame;

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
        if let Some(game) = asked.host.downcast_ref::<Arc<dyn AnyGame>>() {
            check(&file, &**game)
                .map_err(|why| params.bad("file", format!("strategies of this game ({why})")))?;
        }
        Ok((Box::new(StrategyPlayer::new(file)), Budget::default()))
    },
)
.without_worlds();

/// So many random games are looked into for information sets of a file.
const GAMES: u64 = 100;

/// Whether a file has strategies of this game, as far as random play can tell: one information set must be
/// known, and none that is met before have other actions. A file without information sets fits every game.
fn check(file: &StrategyFile, game: &dyn AnyGame) -> Result<(), BadStrategy> {
    let known = file.by_key();
    if known.is_empty() {
        return Ok(());
    }
    for number in 0..GAMES {
        let mut rng = Seed(1).number(number).stream(Purpose::Playout);
        let (mut table, mut found) = (game.table(), false);
        while table.turn() != Turn::Terminal {
            if table.turn() == Turn::Chance {
                table.draw(&mut rng);
                continue;
            }
            let players = table.turn().players();
            for (p, entry) in
                players.iter().filter_map(|p| Some(p).zip(known.get(&table.key(Observer::Seat(p)))))
            {
                let legal = table.legal(p);
                if entry.actions != legal {
                    let (expected, found) = (legal.join(" "), entry.actions.join(" "));
                    return Err(BadStrategy::Actions { key: entry.key, expected, found });
                }
                found = true;
            }
            let choices: Vec<_> = players.iter().map(|p| (p, *rng.pick(&table.moves(p)))).collect();
            table.choose(&choices).expect("a legal move can be made");
        }
        if found {
            return Ok(());
        }
    }
    Err(BadStrategy::AnotherGame)
}

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
        let mut odds: Vec<f64> = legal.iter().map(likely).collect();
        let sum: f64 = odds.iter().sum();
        let choice = if sum > 0.0 {
            self.rng.weighted(odds.iter().copied())
        } else {
            self.rng.below(legal.len() as u32) as usize
        };
        let even = 1.0 / legal.len() as f64;
        odds.iter_mut().for_each(|p| *p = if sum > 0.0 { *p / sum } else { even });
        let report = Report { mixed: Some(Mixed::Fixed(odds)), ..Report::default() };
        Ok(Decision { action: info.legal[choice], report })
    }
}

//! Games behind the erased interface: every question is put to the game of its own type.

use std::sync::Arc;

use fogtree_core::{Event, Facts, Game, InfoSet, Observer, Record, Scratch, Seed, Turn, record::BadRecord};
use fogtree_games::tree::{BadTree, Tree};
use fogtree_solve::{Compiled, Evaluation, StrategyFile};
use serde_json::Value;

use super::typed::Erased;
use super::{AnyGame, AnyInfoSet, AnyTable, Exploited, Mind, Solved, Unexploited};
use crate::agents::{Family, Offers};
use crate::table::Table;

/// A typed game behind the erased interface.
struct Known<G: Game>(Arc<G>, String);

/// Hides the type of a game made from this specification.
pub fn erase<G: Game>(game: G, spec: &str) -> Box<dyn AnyGame> {
    erase_shared(Arc::new(game), spec)
}

/// The same for a game that others hold, too.
pub(crate) fn erase_shared<G: Game>(game: Arc<G>, spec: &str) -> Box<dyn AnyGame> {
    Box::new(Known(game, spec.to_string()))
}

impl<G: Game> Known<G> {
    /// A state of a random game about half way through in which a player is to move.
    fn midgame(&self, seed: Seed) -> G::State {
        let mut rng = seed.stream(fogtree_core::Purpose::Playout);
        let mut scratch = Scratch::default();
        let mut states = Vec::new();
        let mut state = self.0.start();
        while self.0.turn(&state) != Turn::Terminal {
            if !self.0.turn(&state).players().is_empty() {
                states.push(state.clone());
            }
            fogtree_core::random_step(&*self.0, &mut state, &mut rng, &mut scratch);
        }
        states.swap_remove(states.len() / 2)
    }
}

impl<G: Game> AnyGame for Known<G> {
    fn spec(&self) -> &str {
        &self.1
    }

    fn facts(&self) -> Facts {
        self.0.facts()
    }

    fn remark(&self) -> Option<String> {
        self.0.remark()
    }

    fn has_hidden_part(&self) -> bool {
        self.0.hidden_part().is_some()
    }

    fn offers(&self) -> Offers {
        Offers::of(&*self.0)
    }

    fn table(&self) -> Box<dyn AnyTable> {
        Box::new(Table::start(&self.0))
    }

    fn replay(&self, record: &Record, steps: usize) -> Result<Box<dyn AnyTable>, BadRecord> {
        let line = record.replay(&*self.0, steps)?;
        let mut table = Table::start(&self.0);
        for ply in line.plies() {
            table.play(ply.clone()).expect("a replayed step is legal");
        }
        Ok(Box::new(table))
    }

    fn mind(&self, family: &Family) -> Mind {
        family.mind(&self.0)
    }

    fn infoset_from_json(
        &self,
        value: Value,
    ) -> Result<Box<dyn AnyInfoSet>, fogtree_core::agent::BadInfoSet> {
        let info = InfoSet::from_json(&*self.0, value)?;
        Ok(Box::new(Erased { game: Arc::clone(&self.0), info }))
    }

    fn explain(&self, event: &Event, by: Observer) -> String {
        match event {
            Event::Own(code) => format!("own action #{code}"),
            Event::Seen(seen) => self.0.explain(seen, by),
        }
    }

    fn tree(&self, most: usize) -> Result<Tree, BadTree> {
        Tree::of(&*self.0, most)
    }

    fn solve(
        &self,
        config: &fogtree_solve::Config,
        keep: Option<&str>,
        tell: &mut dyn FnMut(&fogtree_solve::Progress),
    ) -> Result<Solved, fogtree_solve::Unsolved> {
        let outcome = fogtree_solve::solve(&*self.0, config, tell)?;
        let found = outcome.strategies.as_ref();
        let file = |solver: &str| {
            found.map(|(game, profile)| StrategyFile::new(&*self.0, &self.1, solver, game, profile))
        };
        Ok(Solved {
            exploitability: outcome.exploitability(),
            nash_conv: outcome.nash_conv,
            iterations: outcome.iterations,
            seconds: outcome.seconds,
            nodes: found.map(|(game, _)| game.nodes().len()),
            infosets: found.map(|(game, _)| game.sets()),
            strategies: keep.and_then(file),
            values: outcome.values,
        })
    }

    fn compiled(&self, limit: usize) -> Result<Compiled, fogtree_solve::Refusal> {
        Compiled::of(&*self.0, limit)
    }

    fn exploit(&self, file: &StrategyFile, limit: usize) -> Result<Exploited, Unexploited> {
        let game = self.compiled(limit)?;
        let (profile, missing) = file.profile(&*self.0, &game)?;
        Ok(Exploited { evaluation: Evaluation::of(&game, &profile), infosets: game.sets(), missing })
    }

    fn state_bytes(&self) -> usize {
        size_of::<G::State>()
    }

    fn playouts(&self, games: u64, seed: Seed) -> u64 {
        let mut rng = seed.stream(fogtree_core::Purpose::Playout);
        let mut scratch = Scratch::default();
        let mut moves = 0;
        for _ in 0..games {
            let mut state = self.0.start();
            loop {
                let turn = self.0.turn(&state);
                if turn == Turn::Terminal {
                    break;
                }
                moves += turn.players().len() as u64;
                fogtree_core::random_step(&*self.0, &mut state, &mut rng, &mut scratch);
            }
        }
        moves
    }

    fn fast_playouts(&self, games: u64, seed: Seed) {
        let mut rng = seed.stream(fogtree_core::Purpose::Playout);
        let mut scratch = Scratch::default();
        let start = self.0.start();
        let mut state = start.clone();
        for _ in 0..games {
            state.clone_from(&start);
            std::hint::black_box(self.0.playout(&mut state, &mut rng, &mut scratch));
        }
    }

    fn clones(&self, times: u64, seed: Seed) {
        let state = self.midgame(seed);
        let mut copy = state.clone();
        for _ in 0..times {
            copy.clone_from(std::hint::black_box(&state));
            std::hint::black_box(&copy);
        }
    }

    fn samples(&self, times: u64, seed: Seed) {
        let state = self.midgame(seed);
        let who = self.0.turn(&state).players().iter().next().expect("a player is to move half way through");
        let mut sampler = self.0.sampler(&self.0.info(&state, Observer::Seat(who)));
        let mut rng = seed.stream(fogtree_core::Purpose::Sampling);
        let mut world = self.0.start();
        for _ in 0..times {
            std::hint::black_box(self.0.sample(&mut sampler, &mut rng, &mut world));
        }
    }
}

//! Games behind the erased interface: every question is put to the game of its own type.

use std::sync::Arc;

use fogtree_core::{Deadline, Erased, Model, Playable, Record, record::BadRecord};
use fogtree_solve::{Compiled, Evaluation, Refusal, StrategyFile, merged_response};

use super::{AnyGame, AnyTable, Exploited, Solved, Unexploited};
use crate::table::Table;

/// A typed game behind the erased interface.
struct Typed<G: Playable> {
    game: Arc<G>,
    erased: Erased<G>,
    model: Arc<dyn Model>,
    spec: String,
    remark: Option<String>,
}

/// Hides the type of a game made from this specification.
pub fn erase<G: Playable>(erased: Erased<G>, spec: &str) -> Box<dyn AnyGame> {
    erase_with_remark(erased, spec, None)
}

/// Hides the type of a game of which there is something to say.
pub(crate) fn erase_with_remark<G: Playable>(
    erased: Erased<G>,
    spec: &str,
    remark: Option<String>,
) -> Box<dyn AnyGame> {
    let (game, model) = (Arc::clone(erased.game()), Arc::new(erased.clone()));
    Box::new(Typed { game, erased, model, spec: spec.to_string(), remark })
}

impl<G: Playable> AnyGame for Typed<G> {
    fn spec(&self) -> &str {
        &self.spec
    }

    fn shared(&self) -> Arc<dyn AnyGame> {
        let Typed { game, erased, model, spec, remark } = self;
        let (game, model) = (Arc::clone(game), Arc::clone(model));
        Arc::new(Typed { game, erased: erased.clone(), model, spec: spec.clone(), remark: remark.clone() })
    }

    fn model(&self) -> &Arc<dyn Model> {
        &self.model
    }

    fn remark(&self) -> Option<String> {
        self.remark.clone()
    }

    fn table(&self) -> Box<dyn AnyTable> {
        Box::new(Table::start(&self.erased))
    }

    fn replay(&self, record: &Record, steps: usize) -> Result<Box<dyn AnyTable>, BadRecord> {
        let line = record.replay(&*self.game, steps)?;
        let mut table = Table::start(&self.erased);
        for ply in line.plies() {
            table.play(ply.clone()).expect("a replayed step is legal");
        }
        Ok(Box::new(table))
    }

    fn solve(
        &self,
        config: &fogtree_solve::Config,
        keep: Option<&str>,
        tell: &mut dyn FnMut(&fogtree_solve::Progress),
    ) -> Result<Solved, fogtree_solve::Unsolved> {
        let outcome = fogtree_solve::solve(&*self.game, config, tell)?;
        let found = outcome.strategies.as_ref();
        let file = |solver: &str| {
            found.map(|(game, profile)| StrategyFile::new(&*self.game, &self.spec, solver, game, profile))
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

    fn compiled(&self, limit: usize, until: &Deadline) -> Result<Compiled, fogtree_solve::Refusal> {
        Compiled::in_time(&*self.game, limit, until)
    }

    fn exploit(&self, file: &StrategyFile, limit: usize, until: &Deadline) -> Result<Exploited, Unexploited> {
        let game = match self.compiled(limit, until) {
            Err(Refusal::TooLarge { .. }) => {
                let evaluation = merged_response::evaluate(&*self.game, file, limit, until)?;
                return Ok(Exploited { evaluation, infosets: file.infosets.len(), missing: None });
            }
            walked => walked?,
        };
        let (profile, missing) = file.profile(&*self.game, &game)?;
        let evaluation = Evaluation::of(&game, &profile);
        Ok(Exploited { evaluation, infosets: game.sets(), missing: Some(missing) })
    }
}

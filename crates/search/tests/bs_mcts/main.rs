//! Belief-state MCTS: puzzles with known answers, the agent itself, and validation against other searches.

mod agent;
#[path = "../common/allocations.rs"]
mod counting;
mod puzzles;
#[path = "../common/mod.rs"]
mod tables;
mod validation;

use std::sync::Arc;

use fogtree_core::{Agent, Budget, Decision, Erased, InfoSet, Model, Seed};
use fogtree_games::phantom_mnk::{self, Hidden, PhantomMnk};
use fogtree_search::BsMcts;
use fogtree_search::bs_mcts::{Guess, Keys, Order, Predict, Prior, Settings, Variant, View};

use tables::params;

const EVERY_KEYS: [Keys; 3] = [Keys::Action, Keys::Observation, Keys::Observer];

fn phantom(text: &str) -> Arc<dyn Model> {
    Erased::any(PhantomMnk::<Hidden>::from_params(&params(&phantom_mnk::ABOUT, text)).unwrap())
}

fn corrected() -> Settings {
    Settings { memory: 1 << 28, ..Settings::default() }
}

/// The settings in which opponents are sharp enough to be taken seriously.
fn sharp(settings: Settings) -> Settings {
    Settings { predict: Predict::Softmax { lambda: 30.0, view: View::Own }, ..settings }
}

fn without_guessing(settings: Settings) -> Settings {
    Settings { guess: Guess { lambda: 0.0, ..settings.guess }, ..settings }
}

fn decide(settings: &Settings, info: &InfoSet, n: u64, seed: u64) -> Decision {
    let mut agent = BsMcts::new(&info.game, *settings);
    agent.start(info.seat, Seed(seed));
    agent.act(info, &Budget::iterations(n)).unwrap()
}

/// The value of a move for its player, as the search sees it.
fn value_of(info: &InfoSet, decision: &Decision, name: &str) -> f64 {
    let of = decision.report.moves.iter().find(|m| info.game.move_name(m.action) == name).unwrap();
    of.values.as_ref().unwrap()[info.seat]
}

//! Time for a whole turn, shared out between its choices, as competitions of games with long turns have it: every choice may
//! take what is left of the time divided by the choices that are left (`tubstap/2.3`, `tubstap/2.11`).
//!
//! How many are left is guessed by playing the turn to its end at random, in a world drawn from the information set; whether
//! the next choice belongs to the same turn, by what the move that was made leads to there.

use std::sync::Arc;
use std::time::{Duration, Instant};

use fogtree_core::{
    Agent, AgentFailure, Budget, Decision, InfoSet, Model, Player, Purpose, Rng, Seed, Turn, World,
    WorldStep, hand_on_to,
};

use crate::kit::determinize::Determinizer;

/// No turn is thought to have more choices than this.
const MOST: u32 = 1000;

/// A player that keeps to [`Budget::turn`].
pub struct PerTurn {
    game: Arc<dyn Model>,
    agent: Box<dyn Agent>,
    rng: Rng,
    /// The time taken in the present turn.
    spent: Duration,
}

impl PerTurn {
    /// The same player with this clock.
    pub fn new(game: &Arc<dyn Model>, agent: Box<dyn Agent>) -> PerTurn {
        PerTurn {
            game: Arc::clone(game),
            agent,
            rng: Seed(0).stream(Purpose::Sampling),
            spent: Duration::ZERO,
        }
    }

    fn is_mine(&self, state: &dyn World, seat: Player) -> bool {
        matches!(state.turn(), Turn::Player(p) if p == seat)
    }

    /// How many choices are left in the turn, the present one included.
    fn choices(&mut self, world: &dyn World, seat: Player) -> u32 {
        let mut state = world.boxed();
        let mut count = 1;
        state.random_step(&mut self.rng);
        while count < MOST && self.is_mine(&*state, seat) {
            state.random_step(&mut self.rng);
            count += 1;
        }
        count
    }
}

impl Agent for PerTurn {
    fn start(&mut self, seat: Player, seed: Seed) {
        self.rng = seed.named("turn").stream(Purpose::Sampling);
        self.spent = Duration::ZERO;
        self.agent.start(seat, seed);
    }

    hand_on_to!(agent);

    fn act(&mut self, info: &InfoSet, budget: &Budget) -> Result<Decision, AgentFailure> {
        let Some(whole) = budget.turn else { return self.agent.act(info, budget) };
        let began = Instant::now();
        let game = Arc::clone(&self.game);
        let mut world = game.start();
        Determinizer::new(&*game, info).draw(&mut self.rng, &mut *world);
        let share = whole.saturating_sub(self.spent) / self.choices(&*world, info.seat);
        let time = Some(budget.time.map_or(share, |time| time.min(share)).max(Duration::from_micros(1)));
        let decision = self.agent.act(info, &Budget { time, turn: None, ..budget.clone() })?;
        self.spent += began.elapsed();
        let mut last = true;
        if self.is_mine(&*world, info.seat) {
            world.apply(WorldStep::Moves(&[(info.seat, decision.action)]));
            last = !self.is_mine(&*world, info.seat);
        }
        if last {
            self.spent = Duration::ZERO;
        }
        Ok(decision)
    }
}

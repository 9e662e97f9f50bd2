//! Sequential halving in sampled worlds: a search of one's own, for every game.
//!
//! All moves get the same number of playouts, each from a world drawn from what the seat knows; then the worse half of
//! the moves is dropped, and so on until one is left (Karnin, Koren and Somekh 2013).

use std::sync::Arc;

use fogtree_core::{
    About, Agent, AgentEntry, AgentFailure, Budget, Decision, Domain, InfoSet, Model, MoveReport, Needed,
    Param, Player, Purpose, Report, Rewards, Rng, Seed, Simulation, World, WorldStep,
};

/// The search by name.
pub(crate) static ENTRY: AgentEntry = AgentEntry::new(
    &About::new(
        "halving",
        "Plays moves out in sampled worlds and drops the worse half, again and again",
        "Karnin, Koren and Somekh 2013",
        &[
            Param::new("iterations", "1000", Domain::Integer(1, 1_000_000_000), "playouts per decision"),
            Param::new(
                "judge",
                "own",
                Domain::Choice(&["own", "margin"]),
                "what is averaged: the own reward, or by how much it is above the other player's",
            ),
        ],
    ),
    &|asked| {
        let (game, rng) = (Arc::clone(asked.game), Seed(0).stream(Purpose::Sampling));
        let margin = asked.params.choice("judge", &[false, true])?;
        let budget = Budget::iterations(asked.params.number("iterations")?);
        Ok((Box::new(Halving { game, margin, rng }), budget))
    },
)
.with_needs(|params| match params.text("judge") {
    "margin" => vec![Needed::TwoPlayers.or(&["halving(judge=own)", "mo-ismcts"])],
    _ => Vec::new(),
});

struct Halving {
    game: Arc<dyn Model>,
    margin: bool,
    rng: Rng,
}

impl Halving {
    /// What a playout after a move is worth to a seat; players who move at the same time do so at random.
    fn playout(&mut self, world: &mut dyn World, info: &InfoSet, choice: usize) -> f64 {
        let movers = world.turn().players();
        let moves: Vec<_> = movers
            .iter()
            .map(|p| {
                (p, if p == info.seat { info.legal[choice] } else { world.random_move(p, &mut self.rng) })
            })
            .collect();
        world.apply(WorldStep::Moves(&moves));
        let rewards: Rewards = world.playout(Simulation::UNIFORM, &mut self.rng);
        rewards[info.seat] - if self.margin { rewards[info.seat.other()] } else { 0.0 }
    }
}

impl Agent for Halving {
    fn start(&mut self, _seat: Player, seed: Seed) {
        self.rng = seed.stream(Purpose::Sampling);
    }

    fn act(&mut self, info: &InfoSet, budget: &Budget) -> Result<Decision, AgentFailure> {
        let game = Arc::clone(&self.game);
        let (mut worlds, mut world) = (game.sampler(&info.known), game.start());
        let mut left: Vec<usize> = (0..info.legal.len()).collect();
        let mut sums = vec![(0.0, 0.0, 0); left.len()];
        let rounds = u64::from(usize::BITS - (left.len() - 1).leading_zeros()).max(1);
        let each_round = budget.iterations.unwrap_or(1000) / rounds;
        let mut clock = budget.start();
        while left.len() > 1 {
            for _ in 0..(each_round / left.len() as u64).max(1) {
                for &i in left.iter().filter(|_| clock.tick()) {
                    let weight = worlds.sample(&mut self.rng, &mut *world);
                    let worth = self.playout(&mut *world, info, i);
                    sums[i] = (sums[i].0 + weight * worth, sums[i].1 + weight, sums[i].2 + 1);
                }
            }
            let mean = |i: &usize| if sums[*i].1 > 0.0 { sums[*i].0 / sums[*i].1 } else { f64::NEG_INFINITY };
            left.sort_by(|a, b| mean(b).total_cmp(&mean(a)));
            left.truncate(left.len().div_ceil(2));
        }
        let moves = info.legal.iter().zip(&sums).map(|(&m, sum)| MoveReport::of(m, sum.2, None)).collect();
        let report = Report { moves, iterations: clock.done(), time: clock.elapsed(), ..Report::default() };
        Ok(Decision { action: info.legal[left[0]], report })
    }
}

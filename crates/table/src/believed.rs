//! Worlds that a seat holds possible, as likely as they are or as an agent believes.

use fogtree_core::{AgentFailure, Deadline, InfoSet, Observer, Player, Rng, Seed, World};

use crate::erased::{AnyTable, SeatAgent};

/// Why an agent's belief is not known.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum NoBelief {
    /// It holds none, or the game has no hidden part to hold one about.
    #[error("{0} has no beliefs about what is hidden here")]
    None(String),
    /// Agents say what they believe when they decide.
    #[error("player {0} is not to move in this position")]
    NotToMove(Player),
    /// It made no decision.
    #[error(transparent)]
    Failed(#[from] AgentFailure),
}

/// Worlds that agree with an information set, with their weights; as somebody believes the hidden part to be,
/// if that is given. None if none was found in time.
pub fn believed_worlds(
    info: &InfoSet,
    count: usize,
    belief: Option<&[f64]>,
    rng: &mut Rng,
    until: &Deadline,
) -> Vec<(Box<dyn World>, f64)> {
    let Some(belief) = belief else { return info.sample(count, rng, until) };
    let (mut sampler, mut world) = (info.game.sampler(&info.known), info.game.start());
    let draw = |_| {
        let value = rng.weighted(belief.iter().copied());
        sampler.sample_value(value, rng, &mut *world).then(|| (world.clone(), 1.0))
    };
    (0..count).filter_map(draw).collect()
}

/// How likely an agent in this seat holds each value of the hidden part, as it reports when it decides.
pub fn belief_of(
    mut agent: SeatAgent,
    table: &dyn AnyTable,
    seat: Player,
    seed: Seed,
) -> Result<Vec<f64>, NoBelief> {
    let info = table.infoset(seat);
    let Some(part) = info.game.hidden_part() else { return Err(NoBelief::None(agent.spec)) };
    if !table.turn().players().contains(seat) {
        return Err(NoBelief::NotToMove(seat));
    }
    agent.start(seat, seed);
    table.events(seat).iter().for_each(|event| agent.observe(event));
    let report = table.ask(seat, &mut agent)?.report;
    let own = report.beliefs.iter().find(|belief| belief.of == Observer::Seat(seat));
    let Some(believed) = own else { return Err(NoBelief::None(agent.spec)) };
    let of = |value: usize| {
        let name = part.name(value);
        believed.values.iter().find(|(known, _)| *known == name).map_or(0.0, |(_, p)| *p)
    };
    Ok((0..part.values()).map(of).collect())
}

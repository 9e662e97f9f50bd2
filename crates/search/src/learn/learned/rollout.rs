//! Playing to the end below the tree, by what was learnt.

use fogtree_core::{Eyes, Model, Move, Player, Rewards, Rng, Simulation, Turn, World, WorldStep};

use crate::kit::scratch::Scratch;

use super::super::Knowledge;
use super::super::context::PlayContext;
use super::super::enhance::Operator;
use super::choose::Stage;
use super::mix::MixTerm;
use super::{Learned, Learner, Listing, Part, Tools};

/// Who decides below the tree and is told what happens.
pub(super) trait Below {
    fn decide(
        &mut self,
        game: &dyn Model,
        world: &dyn World,
        who: Player,
        rng: &mut Rng,
        scratch: &mut Scratch,
    ) -> Move;

    fn sight(&mut self) -> &mut PlayContext;
}

/// A component that need not care for others.
pub(super) struct Alone<'a, L> {
    pub(super) learner: &'a mut L,
    pub(super) sight: &'a mut PlayContext,
    pub(super) tools: &'a mut Tools,
}

impl<L: Learner> Below for Alone<'_, L> {
    #[inline(always)]
    fn decide(
        &mut self,
        game: &dyn Model,
        world: &dyn World,
        who: Player,
        rng: &mut Rng,
        scratch: &mut Scratch,
    ) -> Move {
        self.learner.arrive(game, self.sight, who);
        let action = if self.learner.knows() {
            scratch.actions.clear();
            world.legal(who, &mut scratch.actions);
            self.learner.foresee(world, who, &scratch.actions);
            scratch.actions[self.learner.choose(&scratch.actions, self.tools, rng)]
        } else {
            world.random_move(who, rng)
        };
        self.learner.made(game, who, action);
        action
    }

    #[inline]
    fn sight(&mut self) -> &mut PlayContext {
        self.sight
    }
}

impl Learned {
    /// Whether a legal action would be chosen by what a component knows, rather than at random.
    #[inline]
    fn knows(&self, member: MixTerm) -> bool {
        let MixTerm::Part(part) = member else { return false };
        match &self.parts[part] {
            Part::Values(values) => values.knows(),
            Part::Reply(reply) => reply.stored().is_some(),
            Part::Episodes(episodes) => episodes.knows(),
            Part::Amaf(_) | Part::Opinions(_) => false,
        }
    }

    /// Chooses below the tree.
    #[inline]
    fn choose(
        &mut self,
        game: &dyn Model,
        world: &dyn World,
        who: Player,
        rng: &mut Rng,
        scratch: &mut Scratch,
    ) -> Move {
        self.prepare(game, who);
        if self.simulate.operator != Operator::Linear {
            scratch.actions.clear();
            world.legal(who, &mut scratch.actions);
            let mut list = Listing { scratch, listed: true };
            self.pass(world, who, None, &mut list);
            self.foresee(world, who, &scratch.actions);
            let place = match self.simulate.operator {
                Operator::Majority => self.elected(Stage::Simulate, None, &scratch.actions, &[], rng),
                _ => self.greatest(None, &scratch.actions, &[], rng),
            };
            return scratch.actions[place];
        }
        let member = self.simulate.draw(rng);
        let knows = self.knows(member);
        let mut list = Listing { scratch, listed: false };
        let chosen = match member {
            MixTerm::Part(part) if knows => Some(part),
            _ => None,
        };
        self.pass(world, who, chosen, &mut list);
        let Some(part) = chosen else {
            let action = world.random_move(who, rng);
            if self.watcher.as_ref().is_some_and(|w| w.watches()) {
                self.watch_move(world, who, action, scratch);
            }
            return action;
        };
        let actions = list.get(world, who);
        let place = match &mut self.parts[part] {
            Part::Episodes(episodes) => episodes.choose(actions, &self.tools.scales.roots, rng),
            _ if actions.len() == 1 => 0,
            Part::Values(values) => {
                values.foresee(world, who, actions);
                values.choose(actions, &mut self.tools, rng)
            }
            Part::Reply(reply) => reply.pick(actions, rng),
            Part::Amaf(_) | Part::Opinions(_) => 0,
        };
        actions[place]
    }
}

impl Below for Learned {
    fn decide(
        &mut self,
        game: &dyn Model,
        world: &dyn World,
        who: Player,
        rng: &mut Rng,
        scratch: &mut Scratch,
    ) -> Move {
        let action = self.choose(game, world, who, rng, scratch);
        self.made(game, who, action);
        action
    }

    #[inline]
    fn sight(&mut self) -> &mut PlayContext {
        &mut self.sight
    }
}

/// Plays to the end. A deal begins something from which nothing can be learnt about what was before: there the
/// game's own random play takes over, which may know a short cut.
#[inline(never)]
pub(super) fn simulate(
    by: &mut impl Below,
    game: &dyn Model,
    world: &mut dyn World,
    deals: bool,
    rng: &mut Rng,
    scratch: &mut Scratch,
) -> Rewards {
    let mut turn = world.turn();
    loop {
        match turn {
            Turn::Terminal => return world.rewards(),
            Turn::Chance if deals => return world.playout(Simulation::UNIFORM, rng),
            Turn::Chance => {
                let outcome = world.sample_chance(rng);
                by.sight().step(game, world, WorldStep::Chance(&outcome));
                turn = world.apply(WorldStep::Chance(&outcome));
            }
            Turn::Player(p) => {
                let action = by.decide(game, world, p, rng, scratch);
                let moves = [(p, action)];
                by.sight().step(game, world, WorldStep::Moves(&moves));
                turn = world.play(&moves, Eyes::Closed);
            }
            Turn::Simultaneous(players) => {
                let mut joint = std::mem::take(&mut scratch.moves);
                joint.clear();
                for p in players.iter() {
                    joint.push((p, by.decide(game, world, p, rng, scratch)));
                }
                by.sight().step(game, world, WorldStep::Moves(&joint));
                turn = world.play(&joint, Eyes::Closed);
                scratch.moves = joint;
            }
        }
        by.sight().enter(world);
    }
}

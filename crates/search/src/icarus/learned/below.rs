//! Playing to the end below the tree, by what was learnt.

use fogtree_core::{Game, Player, Rewards, Rng, Scratch, Step, Turn};

use super::super::Knowledge;
use super::super::enhance::Operator;
use super::super::sight::Sight;
use super::choose::Stage;
use super::team::Member;
use super::{Learned, Learner, Listing, Piece, Tools};

/// Who decides below the tree and is told what happens.
pub(super) trait Below<G: Game> {
    fn decide(
        &mut self,
        game: &G,
        world: &G::State,
        who: Player,
        rng: &mut Rng,
        scratch: &mut Scratch<G>,
    ) -> G::Action;

    fn sight(&mut self) -> &mut Sight;
}

/// A component that need not care for others.
pub(super) struct Alone<'a, L> {
    pub(super) learner: &'a mut L,
    pub(super) sight: &'a mut Sight,
    pub(super) tools: &'a mut Tools,
}

impl<G: Game, L: Learner<G>> Below<G> for Alone<'_, L> {
    #[inline(always)]
    fn decide(
        &mut self,
        game: &G,
        world: &G::State,
        who: Player,
        rng: &mut Rng,
        scratch: &mut Scratch<G>,
    ) -> G::Action {
        self.learner.arrive(game, self.sight, who);
        let action = if self.learner.knows() {
            scratch.actions.clear();
            game.actions(world, who, &mut scratch.actions);
            self.learner.foresee(game, world, who, &scratch.actions);
            scratch.actions[self.learner.choose(game, &scratch.actions, self.tools, rng)]
        } else {
            game.random_action(world, who, rng, scratch)
        };
        self.learner.made(game, who, action);
        action
    }

    #[inline]
    fn sight(&mut self) -> &mut Sight {
        self.sight
    }
}

impl<G: Game> Learned<G> {
    /// Whether a legal action would be chosen by what a component knows, rather than at random.
    #[inline]
    fn knows(&self, member: Member) -> bool {
        let Member::Piece(piece) = member else { return false };
        match &self.pieces[piece] {
            Piece::Values(values) => values.knows(),
            Piece::Reply(reply) => reply.stored().is_some(),
            Piece::Episodes(episodes) => episodes.knows(),
            Piece::Amaf(_) | Piece::Opinions(_) => false,
        }
    }

    /// Chooses below the tree.
    #[inline]
    fn choose(
        &mut self,
        game: &G,
        world: &G::State,
        who: Player,
        rng: &mut Rng,
        scratch: &mut Scratch<G>,
    ) -> G::Action {
        self.prepare(game, who);
        if self.simulate.operator != Operator::Linear {
            scratch.actions.clear();
            game.actions(world, who, &mut scratch.actions);
            let mut list = Listing { scratch, listed: true };
            self.pass(game, world, who, None, &mut list);
            self.foresee(game, world, who, &scratch.actions);
            let place = match self.simulate.operator {
                Operator::Majority => self.elected(game, Stage::Simulate, None, &scratch.actions, &[], rng),
                _ => self.greatest(game, None, &scratch.actions, &[], rng),
            };
            return scratch.actions[place];
        }
        let member = self.simulate.draw(rng);
        let knows = self.knows(member);
        let mut list = Listing { scratch, listed: false };
        let chosen = match member {
            Member::Piece(piece) if knows => Some(piece),
            _ => None,
        };
        self.pass(game, world, who, chosen, &mut list);
        let Some(piece) = chosen else {
            let action = game.random_action(world, who, rng, scratch);
            if self.watcher.as_ref().is_some_and(|w| w.watches()) {
                self.watch_move(game, world, who, action, scratch);
            }
            return action;
        };
        let actions = list.get(game, world, who);
        let place = match &mut self.pieces[piece] {
            Piece::Episodes(episodes) => episodes.choose(game, actions, &self.tools.scales.roots, rng),
            _ if actions.len() == 1 => 0,
            Piece::Values(values) => {
                values.foresee(game, world, who, actions);
                values.choose(game, actions, &mut self.tools, rng)
            }
            Piece::Reply(reply) => reply.pick(actions, rng),
            Piece::Amaf(_) | Piece::Opinions(_) => 0,
        };
        actions[place]
    }
}

impl<G: Game> Below<G> for Learned<G> {
    fn decide(
        &mut self,
        game: &G,
        world: &G::State,
        who: Player,
        rng: &mut Rng,
        scratch: &mut Scratch<G>,
    ) -> G::Action {
        let action = self.choose(game, world, who, rng, scratch);
        self.made(game, who, action);
        action
    }

    #[inline]
    fn sight(&mut self) -> &mut Sight {
        &mut self.sight
    }
}

/// Plays to the end. A deal begins something from which nothing can be learnt about what was before: there the
/// game's own random play takes over, which may know a short cut.
#[inline(never)]
pub(super) fn simulate<G: Game>(
    by: &mut impl Below<G>,
    game: &G,
    world: &mut G::State,
    deals: bool,
    rng: &mut Rng,
    scratch: &mut Scratch<G>,
) -> Rewards {
    loop {
        match game.turn(world) {
            Turn::Terminal => return game.rewards(world),
            Turn::Chance if deals => return game.playout(world, rng, scratch),
            Turn::Chance => {
                let outcome = game.sample_chance(world, rng);
                by.sight().step(game, world, Step::Chance(&outcome));
                game.apply(world, Step::Chance(&outcome));
            }
            Turn::Player(p) => {
                let action = by.decide(game, world, p, rng, scratch);
                let step = Step::Moves(&[(p, action)]);
                by.sight().step(game, world, step);
                game.apply(world, step);
            }
            Turn::Simultaneous(players) => {
                let mut joint = std::mem::take(&mut scratch.moves);
                joint.clear();
                for p in players.iter() {
                    joint.push((p, by.decide(game, world, p, rng, scratch)));
                }
                by.sight().step(game, world, Step::Moves(&joint));
                game.apply(world, Step::Moves(&joint));
                scratch.moves = joint;
            }
        }
        by.sight().enter(game, world);
    }
}

//! What guides choices in the tree beyond the tree's own statistics: all moves as first, and the game's opinion.

use fogtree_core::{Game, MAX_PLAYERS, Player, Step};

use super::enhance::Amaf;
use super::learned::Tools;
use super::policy;
use super::records::{Address, Info, Records};
use crate::Scale;

/// How much all moves as first count at a node with so many visits (Whitehouse 2014, eq. 8.3): half at k.
pub fn rave_weight(k: f64, visits: f64) -> f64 {
    (k / (3.0 * visits + k)).sqrt()
}

/// What the tree knows about a legal move.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Arm {
    pub(crate) visits: u32,
    pub(crate) available: u32,
    pub(crate) mean: f32,
    pub(crate) width: f32,
}

/// A decision in the tree.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Crossing {
    pub(crate) key: u64,
    pub(crate) who: Player,
    /// The legal moves, as places in a list of such lists.
    pub(crate) legal: (u32, u32),
    /// How many moves had been made.
    pub(crate) made: u32,
    /// Whether every legal move had been tried.
    pub(crate) selection: bool,
}

/// All moves as first: every later move of a playout counts at a node as if it had been made there (Spec. 2).
#[derive(Clone, Debug)]
pub(crate) struct AmafPiece<A> {
    amaf: Amaf,
    records: Records<A>,
}

impl<A: Copy + Ord> AmafPiece<A> {
    pub(crate) fn new(amaf: Amaf, memory: usize) -> AmafPiece<A> {
        AmafPiece { amaf, records: Records::new(None, memory) }
    }

    pub(crate) fn forget(&mut self) {
        self.records.clear();
    }

    pub(crate) fn bounds<G: Game<Action = A>>(
        &self,
        game: &G,
        key: u64,
        actions: &[A],
        tools: &mut Tools,
        out: &mut Vec<f32>,
    ) {
        self.records.gather(game, Address::key(key), actions, &mut tools.infos);
        policy::bounds(self.amaf.c, &tools.infos, &tools.scales, out);
    }

    /// The playout is over.
    pub(crate) fn learn<G: Game<Action = A>>(
        &mut self,
        game: &G,
        crossings: &[Crossing],
        legal: &[A],
        made: &[(Player, A)],
        rewards: &[f32; MAX_PLAYERS],
    ) {
        for crossing in crossings.iter().filter(|c| c.selection) {
            let legal = &legal[crossing.legal.0 as usize..crossing.legal.1 as usize];
            let later = made[crossing.made as usize..].iter().filter(|m| m.0 == crossing.who);
            for &(who, action) in later.skip(usize::from(!self.amaf.played)) {
                if legal.binary_search(&action).is_ok() {
                    let at = Address::key(crossing.key);
                    self.records.learn(game, at, action, rewards[who.index()], 0.0);
                }
            }
        }
    }

    pub(crate) fn tally(&self) -> (u64, u64) {
        self.records.tally()
    }

    pub(crate) fn bytes(&self) -> u64 {
        self.records.bytes()
    }
}

/// What the game thinks of the state after a move, asked once for each move of a node.
#[derive(Clone, Debug)]
pub(crate) struct Opinions<A> {
    records: Records<A>,
}

impl<A: Copy + Ord> Opinions<A> {
    pub(crate) fn new(memory: usize) -> Opinions<A> {
        Opinions { records: Records::new(None, memory) }
    }

    pub(crate) fn forget(&mut self) {
        self.records.clear();
    }

    /// The opinions on these moves, 0 where there is none, on the scale from 0 to 1.
    pub(crate) fn ask<G: Game<Action = A>>(
        &mut self,
        game: &G,
        world: &G::State,
        at: (u64, Player),
        actions: &[A],
        scale: Scale,
        infos: &mut Vec<Info>,
    ) {
        let (key, who) = at;
        let address = Address::key(key);
        self.records.gather(game, address, actions, infos);
        let together = game.turn(world).players().len() > 1;
        for (info, &action) in infos.iter_mut().zip(actions).filter(|(info, _)| info.n == 0) {
            if !together {
                let mut after = world.clone();
                game.apply(&mut after, Step::Moves(&[(who, action)]));
                info.mean = game.evaluate(&after, who).map_or(0.0, |v| scale.value(v) as f32);
            }
            self.records.learn(game, address, action, info.mean, 0.0);
        }
    }

    pub(crate) fn bytes(&self) -> u64 {
        self.records.bytes()
    }
}

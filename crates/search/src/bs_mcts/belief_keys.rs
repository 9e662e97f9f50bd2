//! Which belief state a search is in: what names a node.

use fogtree_core::{Eyes, MAX_PLAYERS, Model, Move, Observer, Player, World, WorldStep};

use crate::kit::explanation::Trace;
use fogtree_core::SearchKey;

/// What tells one belief state from another.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Keys {
    /// All moves, seen or not, and what the searcher sees: the source's `B·a`. The searcher's later choices may then
    /// depend on moves that it cannot see (`tubstap/2.6.4`).
    Action,
    /// What the searcher does and sees.
    Observation,
    /// What whoever decides has done and seen, and knew at the root: opponents are taken to know their own secrets
    /// and not the searcher's.
    Observer,
}

/// What every player has seen when an iteration begins.
pub(super) type Roots = [SearchKey; MAX_PLAYERS];

/// The running keys of one iteration.
#[derive(Clone, Debug)]
pub(super) struct BeliefKeys {
    by: Keys,
    me: Player,
    players: usize,
    keys: Roots,
    /// The steps since the searcher last did or saw something.
    unseen: u64,
}

impl BeliefKeys {
    pub(super) fn new(by: Keys, players: usize) -> BeliefKeys {
        let keys = std::array::from_fn(|i| SearchKey::root(i as u64));
        BeliefKeys { by, me: Player(0), players, keys, unseen: 0 }
    }

    /// A decision of the searcher begins.
    pub(super) fn begin(&mut self, me: Player) {
        self.me = me;
    }

    /// What every player has seen in a world drawn for the searcher.
    pub(super) fn roots(&self, world: &dyn World) -> Roots {
        std::array::from_fn(|i| match Player(i as u8) {
            p if p == self.me => SearchKey::root(u64::MAX),
            p if self.by == Keys::Observer && i < self.players => {
                SearchKey::root(i as u64).with(world.info_hash(Observer::Seat(p)))
            }
            _ => SearchKey::root(i as u64),
        })
    }

    /// An iteration begins.
    pub(super) fn restart(&mut self, roots: Roots) {
        self.keys = roots;
        self.unseen = 0;
    }

    /// The key of the belief state in which a player decides.
    #[inline]
    pub(super) fn node(&self, who: Player) -> u64 {
        let number = u64::from(who.0);
        match self.by {
            Keys::Observer => self.keys[who.index()].with(number).0,
            // That steps were made which the searcher did not see is no secret among the others.
            _ if who != self.me => self.keys[self.me.index()].with(number).with(self.unseen).0,
            _ => self.keys[self.me.index()].with(number).0,
        }
    }

    /// The tree in which a player's decisions are shown.
    pub(super) fn tree_of(&self, who: Player) -> usize {
        if self.by == Keys::Observer { who.index() } else { 0 }
    }

    /// Lets those whose keys count see a step about to be made.
    #[inline]
    fn look(&mut self, world: &dyn World, step: WorldStep<'_>) {
        let before = self.keys[self.me.index()];
        world.look(
            step,
            match self.by {
                Keys::Observer => Eyes::All(&mut self.keys[..self.players]),
                _ => Eyes::Seat(self.me, &mut self.keys[self.me.index()]),
            },
        );
        let unseen = self.keys[self.me.index()] == before;
        self.unseen = if unseen { self.unseen + 1 } else { 0 };
    }

    /// A step is about to be made.
    pub(super) fn step(
        &mut self,
        game: &dyn Model,
        world: &dyn World,
        step: WorldStep<'_>,
        mut trace: Option<&mut Trace<Move>>,
    ) {
        let me = self.me;
        if self.by != Keys::Action && trace.is_none() {
            return self.look(world, step);
        }
        let observers = Player::all(self.players).filter(|p| self.by == Keys::Observer || *p == me);
        for p in observers {
            let before = self.keys[p.index()];
            let mut key = before;
            for &(q, action) in step.moves() {
                if p == q {
                    key = key.own(game.code(action));
                } else if self.by == Keys::Action {
                    key = key.own(game.code(action)).with(q.0.into());
                }
            }
            let seen = world.observe(step, Observer::Seat(p));
            if let Some(trace) = trace.as_deref_mut() {
                let named = self.by == Keys::Action && step.moves().first().is_some_and(|m| m.0 != me);
                let tree = if self.by == Keys::Observer { p.index() } else { 0 };
                trace.step(tree, seen.as_ref(), !named);
            }
            key = key.seen(seen.as_ref());
            if p == me {
                self.unseen = if key == before { self.unseen + 1 } else { 0 };
            }
            self.keys[p.index()] = key;
        }
    }
}

//! Other players who know what they hold in the world that was drawn (see [`split`](crate::kit::split)).
//!
//! With a tree for each player its nodes are told apart by what it knows at the root of the world and what it did and
//! saw since: its information sets. In the searcher's tree they are told apart by what the searcher knows and what the
//! player knows. Either way the same moves are always legal at such a node, so that none has to be listed once all have
//! been tried.

use fogtree_core::{Model, Move, Observer, Player, SearchKey, World};

use super::choose::best_of_all;
use super::engine::Engine;
use super::{Observers, Opponents};
use crate::kit::split::find_or_split;
use crate::kit::store::{Form, NodeId};
use crate::learn::Knowledge;

impl Opponents {
    /// Every how many visits a node is split off; 0 for never, and where nothing is hidden.
    pub(super) fn split(self, game: &dyn Model) -> u32 {
        match self {
            Opponents::Informed { split } if game.facts().hidden => split.max(1),
            _ => 0,
        }
    }
}

impl<K: Knowledge> Engine<K> {
    /// Notes what the others know at the root of a world.
    #[inline(never)]
    pub(super) fn look_at_hands(&mut self, world: &dyn World) {
        if self.config.observers == Observers::Multiple {
            let me = self.me();
            for p in Player::all(self.players).filter(|&p| p != me) {
                self.held[p.index()] = world.info_hash(Observer::Seat(p));
            }
        }
    }

    /// The keys of another player's nodes here: that of the one which all it could hold share, and its own.
    fn informed_keys(&self, world: &dyn World, who: Player) -> (u64, u64) {
        let shared = self.node_key(self.keys[self.tree_of(who)], who);
        let known = match self.config.observers {
            Observers::Multiple => self.held[who.index()],
            Observers::Single | Observers::Partial | Observers::Acting => {
                world.info_hash(Observer::Seat(who))
            }
        };
        (shared, SearchKey(shared).with(known).0)
    }

    /// The node at which a player decides whose legal moves have been listed, and its key. No node if the memory is
    /// used up.
    pub(super) fn arrive(&mut self, world: &dyn World, who: Player) -> (u64, Option<NodeId>) {
        let last = self.last(who);
        if self.split == 0 || who == self.me() {
            let key = self.node_key(self.keys[self.tree_of(who)], who);
            return (key, self.store.find(key).or_else(|| self.store.insert(key, last)));
        }
        let keys = self.informed_keys(world, who);
        let made = find_or_split(&mut self.store, keys, last, &self.scratch.actions, self.split);
        (made.map_or(keys.0, |node| self.store.key(node)), made)
    }

    /// Chooses for another player by the statistics of the tree alone. The legal actions may have been listed already.
    #[inline(never)]
    pub(super) fn decide_informed(
        &mut self,
        world: &dyn World,
        who: Player,
        exp3: bool,
        listed: bool,
    ) -> (Move, bool) {
        let keys = self.informed_keys(world, who);
        let known = self.store.find(keys.1);
        if let Some(node) = known.filter(|&node| !exp3 && self.store.node(node).form == Form::Ranked) {
            self.store.node_mut(node).visits += 1;
            let place = best_of_all(&self.store, node, self.config.c as f32, &self.roots, &mut self.ties);
            return self.take(node, place, who, 0.0);
        }
        if !listed {
            self.scratch.actions.clear();
            world.legal(who, &mut self.scratch.actions);
        }
        let last = self.last(who);
        let moves = if exp3 { &[][..] } else { &self.scratch.actions };
        let made = known.or_else(|| find_or_split(&mut self.store, keys, last, moves, self.split));
        let choice = made.and_then(|node| {
            let own = self.store.key(node) == keys.1;
            let (place, probability) = match (exp3, own) {
                (true, _) => self.choose_exp3(node)?,
                (false, true) => (self.choose_own(node)?, 0.0),
                (false, false) => (self.choose_among(node)?, 0.0),
            };
            Some((node, place, probability))
        });
        match choice {
            Some((node, place, probability)) => self.take(node, place, who, probability),
            None => (*self.playout.pick(&self.scratch.actions), false),
        }
    }
}

#[cfg(test)]
mod tests {
    use fogtree_core::{Budget, Erased, Seed};
    use fogtree_games::kuhn_poker::KuhnPoker;

    use super::super::Config;
    use super::super::search::Search;
    use super::*;
    use crate::learn::Plain;
    use crate::testing::{Table, known_in};

    /// The keys of the second player's nodes in a world, after these moves of the first.
    fn keys(observers: Observers, deal: &str, then: &str) -> (u64, u64) {
        let game = Erased::any(KuhnPoker);
        let config =
            Config { opponents: Opponents::Informed { split: 1 }, memory: 1 << 20, ..Config::new(observers) };
        let mut engine = Engine::new(&*game, config, Plain(config.simulation));
        engine.seed(Seed(1));
        let world = Table::after(&game, deal).world;
        let info = known_in(&game, &*world, Player(0));
        engine.search(&*game, &info, &Budget::iterations(1));
        engine.look_at_hands(&*world);
        engine.informed_keys(&*Table::after(&game, &format!("{deal} {then}")).world, Player(1))
    }

    /// Worlds in which another player holds different cards never share its own node; worlds in which it holds the
    /// same do. The node for all that it could hold is shared by both.
    #[test]
    fn a_node_belongs_to_what_its_player_holds() {
        for observers in [Observers::Single, Observers::Multiple] {
            for then in ["", "check", "bet"] {
                let (jack, queen) = (keys(observers, "K J", then), keys(observers, "K Q", then));
                assert_eq!(jack, keys(observers, "K J", then));
                assert_eq!(jack.0, queen.0);
                assert_ne!(jack.1, queen.1);
                assert_ne!(jack.1, jack.0);
            }
        }
    }
}

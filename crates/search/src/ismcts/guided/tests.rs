//! The baseline as a guide against the engine without one, tree by tree.

use std::sync::Arc;

use fogtree_core::{
    About, BadSpec, Budget, Erased, InfoSet, Model, Move, MoveReport, Params, Playable, Purpose, Seed, Turn,
    World,
};
use fogtree_games::{dou_di_zhu, goofspiel, hearts, lotr_confrontation, phantom_mnk, resistance};

use super::super::search::Search;
use super::super::{Config, Observers, Simultaneous};
use super::*;
use crate::learn::{Learned, Plain};
use crate::testing::known_in;

/// How many iterations a search has: enough for most games to have nodes at which all moves were tried.
const ITERATIONS: u64 = 300;

/// What is in a node. Of the moves tried there are the visits, and the bits of the mean.
#[derive(PartialEq)]
struct Visited {
    visits: u32,
    parent: NodeId,
    form: Form,
    tried: Vec<(Move, u32, u32)>,
}

/// What a search leaves behind.
struct Left {
    moves: Vec<MoveReport>,
    nodes: Vec<Visited>,
    /// By node: how often moves were available. Without a guide this is kept for the other players only, once one of
    /// their nodes is ranked.
    available: Vec<Option<Vec<(Move, u32)>>>,
    /// The next random numbers.
    next: [u32; 2],
}

fn search<K: Knowledge>(config: Config, knowledge: K, info: &InfoSet) -> Left {
    let game = &*info.game;
    let mut engine = Engine::new(game, config, knowledge);
    engine.seed(Seed(11));
    let findings = engine.search(game, info, &Budget::iterations(ITERATIONS));
    let ids = || 0..engine.store.len() as NodeId;
    let node = |id| {
        let (node, edges) = (engine.store.node(id), engine.store.edges(id).iter());
        let tried = edges.filter(|e| e.visits > 0).map(|e| (e.action, e.visits, e.value.to_bits()));
        Visited { visits: node.visits, parent: node.parent, form: node.form, tried: tried.collect() }
    };
    let available = |id| {
        let edges = engine.store.edges(id);
        let kept = engine.store.node(id).form == Form::Ranked && edges.iter().any(|e| e.available > 0);
        kept.then(|| edges.iter().map(|e| (e.action, e.available)).collect())
    };
    let (nodes, available) = (ids().map(node).collect(), ids().map(available).collect());
    Left {
        moves: findings.table.reports(),
        nodes,
        available,
        next: [engine.ties.below(u32::MAX), engine.playout.below(u32::MAX)],
    }
}

/// Searches from an information set with and without a guide.
fn compare_at(spec: &str, game: &Arc<dyn Model>, state: &dyn World) {
    let Some(me) = state.turn().players().iter().next() else { return };
    let info = known_in(game, state, me);
    for observers in [Observers::Multiple, Observers::Single] {
        for simultaneous in [Simultaneous::Exp3, Simultaneous::Ucb1] {
            if simultaneous == Simultaneous::Ucb1 && !game.facts().simultaneous {
                continue;
            }
            let config = Config { memory: 1 << 26, simultaneous, ..Config::new(observers) };
            let plain = search(config, Plain(config.simulation), &info);
            let enhance = "base^base > base".parse().unwrap();
            let guide = Learned::new(&**game, &enhance, config.select, config.c, 1 << 20);
            let guided = search(config, guide, &info);
            let told = format!("{spec} {observers:?} {simultaneous:?}");
            assert_eq!(plain.moves, guided.moves, "{told}");
            assert!(plain.nodes == guided.nodes, "{told}: the trees differ");
            for (plain, guided) in plain.available.iter().zip(&guided.available) {
                assert!(plain.is_none() || plain == guided, "{told}: {plain:?} and {guided:?}");
            }
            assert_eq!(plain.next, guided.next, "{told}");
        }
    }
}

/// The same from several information sets of a game.
fn compare<G: Playable>(about: &'static About, make: fn(&Params) -> Result<G, BadSpec>) {
    let game = Erased::any(make(&about.params(&about.name.parse().unwrap()).unwrap()).unwrap());
    let mut rng = Seed(5).stream(Purpose::Deal);
    let mut state = game.start();
    for steps in [0, 1, 4] {
        for _ in 0..steps {
            if state.turn() != Turn::Terminal {
                state.random_step(&mut rng);
            }
        }
        while state.turn() == Turn::Chance {
            state.random_step(&mut rng);
        }
        compare_at(about.name, &game, &*state);
    }
}

/// `icarus/ORACLE-12`: the baseline by its values, the greatest of those of all legal moves, is MO-ISMCTS (and with one
/// observer SO-ISMCTS): under one seed the same tree, visits, means and availability to the last bit, whether legal
/// moves differ from world to world or not. That all games decide alike is tested where all games meet all
/// agents.
#[test]
fn the_baseline_by_its_values_grows_the_same_tree() {
    compare(&phantom_mnk::ABOUT, phantom_mnk::PhantomMnk::<phantom_mnk::Hidden>::from_params);
    compare(&dou_di_zhu::ABOUT, dou_di_zhu::DouDiZhu::from_params);
    compare(&hearts::ABOUT, hearts::Hearts::from_params);
    compare(&lotr_confrontation::ABOUT, lotr_confrontation::Confrontation::from_params);
    compare(&goofspiel::ABOUT, goofspiel::Goofspiel::from_params);
    compare(&resistance::ABOUT, resistance::Resistance::from_params);
}

//! What must hold inside a tree after any search.

use std::sync::Arc;

use fogtree_core::{Agent, Budget, Erased, Model, Player, Seed};
use fogtree_games::kuhn_poker::KuhnPoker;
use fogtree_games::phantom_mnk::{self, Hidden, PhantomMnk};

use super::store::NodeId;
use super::*;
use crate::testing::{Table, known_in, params};

fn phantom() -> Arc<dyn Model> {
    Erased::any(PhantomMnk::<Hidden>::from_params(&params(&phantom_mnk::ABOUT, "")).unwrap())
}

/// What the first player knows after these words; searches need no more.
fn info(game: &Arc<dyn Model>, words: &str) -> InfoSet {
    known_in(game, &*Table::after(game, words).world, Player(0))
}

fn searched(settings: Settings, iterations: u64) -> BsMcts {
    let game = phantom();
    let mut agent = BsMcts::new(&game, settings);
    agent.start(Player(0), Seed(1));
    agent.act(&info(&game, "b2 a1"), &Budget::iterations(iterations)).unwrap();
    agent
}

fn every_setting() -> impl Iterator<Item = Settings> {
    [Variant::Original, Variant::Corrected].into_iter().flat_map(|variant| {
        [Keys::Action, Keys::Observation, Keys::Observer].into_iter().flat_map(move |keys| {
            [Prior::Exponent, Prior::Factor].into_iter().flat_map(move |prior| {
                [1.0, 0.0, -3.0].into_iter().map(move |lambda| Settings {
                    keys,
                    guess: Guess { lambda, prior },
                    ..Settings::of(variant)
                })
            })
        })
    })
}

/// `tubstap/7`: N(parent) = sum of N(children) + the playouts that began at the node, which is one: the first visit.
#[test]
fn visits_add_up() {
    for settings in every_setting() {
        let store = &searched(settings, 3000).search.store;
        for node in 0..store.len() as NodeId {
            let tried: u32 = store.arms_of(node).map(|arm| arm.visits).sum();
            assert_eq!(store.node(node).visits, tried + 1, "{settings:?}");
            assert_eq!(store.beliefs_of(node).map(|b| b.tried).sum::<u32>(), tried);
        }
    }
}

/// The sums that are kept are those of equations 3 to 5, worked out the slow way from the rewards of each belief.
#[test]
fn kept_sums_are_the_formulas() {
    for settings in every_setting() {
        let agent = searched(settings, 3000);
        let (search, store) = (&agent.search, &agent.search.store);
        for node in 0..store.len() as NodeId {
            let at = store.node(node);
            let beliefs: Vec<_> = (0..store.beliefs_len() as u32)
                .filter(|&id| store.find_belief(node, store.belief(id).mark) == Some(id))
                .collect();
            assert_eq!(beliefs.len(), store.beliefs_of(node).count());
            let weights: Vec<f64> = beliefs
                .iter()
                .map(|&id| {
                    let of = store.entries(id).iter().map(|e| (f64::from(e.visits), f64::from(e.mean)));
                    let utility = formulas::mean_utility(of);
                    let lambda = if at.own { settings.guess.lambda } else { 0.0 };
                    let prior = match settings.guess.prior {
                        Prior::Factor => return f64::from(store.belief(id).tried) * (lambda * utility).exp(),
                        Prior::Exponent if node == 0 => {
                            agent.worlds.times(store.belief(id).mark) as f64 / 64.0
                        }
                        Prior::Exponent => 1.0,
                    };
                    (lambda * prior * utility).exp()
                })
                .collect();
            for (i, arm) in store.arms_of(node).enumerate().filter(|(_, arm)| arm.visits > 0) {
                let utility = |&id: &u32| {
                    store.entries(id).iter().find(|e| store.arm(e.arm).action == arm.action && e.visits > 0)
                };
                let zero_untried = settings.variant == Variant::Original;
                let pairs = beliefs.iter().zip(&weights).filter_map(|(id, w)| match utility(id) {
                    Some(entry) => Some((*w, f64::from(entry.mean))),
                    None => zero_untried.then_some((*w, 0.0)),
                });
                let slow = formulas::mean_utility(pairs);
                let kept = search.utility(at, arm);
                assert!(
                    (slow - kept).abs() < 1e-4,
                    "{settings:?}, node {node}, arm {i}: {slow}, kept {kept}"
                );
            }
        }
    }
}

/// `tubstap/7`: belief weights sum to 1.
#[test]
fn beliefs_sum_to_one() {
    let game = Erased::any(KuhnPoker);
    for settings in every_setting() {
        let mut agent = BsMcts::new(&game, settings);
        agent.start(Player(0), Seed(4));
        agent.act(&info(&game, "J Q"), &Budget::iterations(500)).unwrap();
        let b: Vec<f64> = agent.believed().map(|(_, b)| b).collect();
        assert_eq!(b.len(), 2, "a queen or a king");
        assert!((b.iter().sum::<f64>() - 1.0).abs() < 1e-9, "{b:?}");
    }
}

/// `tubstap/2.6.2`, defect 4: as printed, the search never looks further than one move, and no opponent is ever
/// predicted; the others go deeper. Defect 5: the root is counted twice for every iteration.
#[test]
fn the_listing_stays_one_move_deep() {
    let literal = searched(Settings { worlds: 10, ..Settings::of(Variant::Literal) }, 1000);
    let store = &literal.search.store;
    assert_eq!(store.len(), 1, "only the root");
    let tried: u32 = store.arms_of(0).map(|arm| arm.visits).sum();
    assert_eq!(tried, 890, "891 iterations, of which the first is a playout from the root");
    assert_eq!(store.node(0).visits, 2 * tried);
    for variant in [Variant::Original, Variant::Corrected] {
        let deep = searched(Settings { worlds: 10, ..Settings::of(variant) }, 1000);
        assert!(deep.search.store.len() > 20, "{variant:?}: {}", deep.search.store.len());
        assert!((0..deep.search.store.len() as NodeId).any(|node| !deep.search.store.node(node).own));
    }
}

/// `tubstap/2.6.2`, defect 1: the listing neither answers nor selects. It is completed as the original has it: what is played
/// is what has the greatest utility at the root, and there the bound has tried everything.
#[test]
fn the_answer_is_the_greatest_utility() {
    let game = phantom();
    for variant in [Variant::Literal, Variant::Original, Variant::Corrected] {
        let mut agent = BsMcts::new(&game, Settings { worlds: 10, ..Settings::of(variant) });
        agent.start(Player(0), Seed(1));
        let info = info(&game, "b2 a1");
        let decision = agent.act(&info, &Budget::iterations(1000)).unwrap();
        let (search, store) = (&agent.search, &agent.search.store);
        let root = store.node(0);
        assert_eq!(store.arms_of(0).count(), info.legal.len());
        assert!(store.arms_of(0).all(|arm| arm.visits > 0), "{variant:?}");
        let utilities: Vec<f64> = store.arms_of(0).map(|arm| search.utility(root, arm)).collect();
        let best = utilities.iter().copied().fold(f64::NEG_INFINITY, f64::max);
        let chosen = store.arms_of(0).position(|arm| arm.action == decision.action).unwrap();
        assert!(utilities[chosen] >= best - 1e-6, "{variant:?}: {utilities:?}");
    }
}

/// `tubstap/2.6.2`, defect 3: the test that the listing garbles is whether a node was never visited; then there is a
/// playout from it and nothing is tried. Nodes are kept from their second visit on, when a first move is tried.
#[test]
fn a_node_that_is_new_is_played_out() {
    for settings in every_setting() {
        assert_eq!(searched(settings, 1).search.store.len(), 0, "{settings:?}");
        let again = &searched(settings, 2).search.store;
        assert_eq!((again.len(), again.node(0).visits), (1, 2), "{settings:?}");
        assert_eq!(again.arms_of(0).map(|arm| arm.visits).sum::<u32>(), 1);
        // The third iteration may try the same move, whose node is then new; or another, which is.
        let third = &searched(settings, 3).search.store;
        assert_eq!(third.arms_of(0).map(|arm| arm.visits).sum::<u32>(), 2);
        assert!((1..third.len() as NodeId).all(|node| third.arms_of(node).all(|arm| arm.visits == 0)));
    }
}

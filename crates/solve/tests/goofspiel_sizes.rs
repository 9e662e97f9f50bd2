//! Goofspiel as a whole: the sizes of its trees and information sets, the worlds drawn from every information
//! set, and how much a best response wins against uniformly random bids, against published or derived numbers.

use std::collections::{BTreeMap, HashMap, HashSet};

use fogtree_core::{Game, Key, Keys, Observer, PerPlayer, Player, Purpose, Rules, Seed, Serial, Turn};
use fogtree_games::goofspiel::{ABOUT, Goofspiel, State};
use fogtree_solve::walk::{Go, count, each_step, visit};

fn game(params: &str) -> Goofspiel {
    let spec = format!("goofspiel({params})").parse().unwrap();
    Goofspiel::from_params(&ABOUT.params(&spec).unwrap()).unwrap()
}

/// Histories at which players choose, by the number of rounds before.
fn decisions_by_round(rules: &Goofspiel) -> Vec<u64> {
    let mut rounds = vec![];
    visit(rules, &mut |node| {
        if matches!(node.turn, Turn::Simultaneous(_)) {
            let round = node.depth as usize;
            rounds.resize(rounds.len().max(round + 1), 0);
            rounds[round] += 1;
        }
        Go::Deeper
    });
    rounds
}

/// Information sets of the first player, by the number of rounds before.
fn sets_by_round(rules: &Goofspiel) -> Vec<usize> {
    let mut rounds: Vec<HashSet<Key>> = vec![];
    visit(rules, &mut |node| {
        if matches!(node.turn, Turn::Simultaneous(_)) {
            let round = node.depth as usize;
            rounds.resize(rounds.len().max(round + 1), HashSet::new());
            rounds[round].insert(node.keys.of(Observer::Seat(Player(0))));
        }
        Go::Deeper
    });
    rounds.iter().map(HashSet::len).collect()
}

/// Lisý 2014, §4.1.1: the table of nodes with pure and mixed strategies, added up; equilibrium 3.1.
#[test]
fn open_bids_with_five_cards_have_the_published_nodes_at_each_depth() {
    for lowest in [0, 1] {
        let rules = game(&format!("cards=5,lowest={lowest}"));
        assert_eq!(decisions_by_round(&rules), [1, 17 + 8, 334 + 66, 3354 + 246, 14400]);
    }
}

/// Equilibrium 3.6, in the form in which the first player moves first and the second does not see it.
#[test]
fn hidden_bids_one_after_another_have_the_derived_nodes() {
    let size = count(&Serial(game("cards=6,bids=hidden")));
    assert_eq!(size.terminals, 518_400);
    assert_eq!(size.decisions_of[..2], [663_337, 824_586]);
    assert_eq!(size.infosets[..2], [83_001, 83_001]);
    assert_eq!(size.largest[..2], [115, 230]);
}

/// Equilibrium 3.6.
#[test]
fn hidden_bids_have_the_derived_information_sets() {
    for (cards, terminals, sets) in [(3, 36, 36), (4, 576, 369), (5, 14_400, 4_974), (6, 518_400, 83_001)] {
        let size = count(&game(&format!("cards={cards},bids=hidden")));
        assert_eq!((size.terminals, size.infosets[0], size.infosets[1]), (terminals, sets, sets), "{cards}");
        if cards == 6 {
            assert_eq!((size.decisions, size.largest[0], size.largest[1]), (663_337, 115, 115));
        }
    }
    assert_eq!(sets_by_round(&game("cards=6,bids=hidden")), [1, 16, 208, 2088, 14_928, 65_760]);
}

/// Who bids open has one information set for every history, and random prizes multiply the histories of each
/// round by the orders in which they may have come.
#[test]
fn open_bids_and_random_prizes_have_sets_that_multiply() {
    let size = count(&game("cards=4,prizes=random"));
    let nodes = [1, 4, 4 * 3, 4 * 3 * 2, 4 * 3 * 2];
    let pairs = [1, 16, 144, 576, 576];
    let decisions: u64 = (0..4).map(|round| nodes[round + 1] * pairs[round]).sum();
    let chances: u64 = (0..4).map(|round| nodes[round] * pairs[round]).sum();
    assert_eq!((size.decisions, size.chances, size.terminals), (decisions, chances, 24 * 576));
    assert_eq!((size.infosets[0], size.largest[0]), (decisions, 1));
}

/// The trees of OpenSpiel 2.0.2, which makes the last bids, and draws the last prize, by itself: histories and
/// information sets of `goofspiel(imp_info=true,num_cards=N,points_order=ORDER)`, counted there.
#[test]
fn automatic_last_bids_give_the_trees_of_openspiel() {
    for (cards, order, nodes, sets) in
        [(5, "descending", 18_426, 2_124), (4, "random", 19_269, 3_608), (4, "ascending", 737, 162)]
    {
        let size = count(&game(&format!("cards={cards},prizes={order},bids=hidden,lowest=1,last=automatic")));
        assert_eq!((size.decisions + size.chances + size.terminals, size.infosets()), (nodes, sets));
    }
}

/// The last bids made by the rules save one round of turns and nothing else.
#[test]
fn automatic_last_bids_save_a_round() {
    let played = count(&game("cards=4,bids=hidden"));
    let automatic = count(&game("cards=4,bids=hidden,last=automatic"));
    assert_eq!(automatic.terminals, played.terminals);
    assert_eq!(automatic.decisions, played.decisions - 576);
    let sets = sets_by_round(&game("cards=4,bids=hidden"));
    assert_eq!(sets_by_round(&game("cards=4,bids=hidden,last=automatic")), sets[..3]);
}

/// Every information set of these games, from the histories that make it: all of them have the same `Info`,
/// and the worlds listed and drawn from it are their states, uniformly.
#[test]
fn worlds_are_exactly_the_states_of_the_information_set() {
    let variants = [
        "cards=5,bids=hidden",
        "cards=4,bids=hidden,last=automatic",
        "cards=3,bids=hidden,prizes=random",
        "cards=4,bids=hidden,prizes=random,last=automatic",
        "cards=4",
    ];
    for variant in variants {
        let rules = game(variant);
        // In the order of keys, so that every run draws the same.
        let mut sets: BTreeMap<(Observer, Key), HashSet<State>> = BTreeMap::new();
        visit(&rules, &mut |node| {
            for by in Observer::all(2) {
                sets.entry((by, node.keys.of(by))).or_default().insert(*node.state);
            }
            Go::Deeper
        });
        let mut rng = Seed(1).stream(Purpose::Sampling);
        let mut worst = 0.0f64;
        for ((by, _), states) in &sets {
            let known = rules.info(states.iter().next().unwrap(), *by);
            assert!(states.iter().all(|s| rules.info(s, *by) == known), "{variant}");
            let mut listed = Vec::new();
            assert!(rules.enumerate(&known, &mut listed));
            assert_eq!(listed.len(), states.len());
            assert_eq!(listed.iter().map(|(s, _)| *s).collect::<HashSet<_>>(), *states);

            let mut sampler = rules.sampler(&known);
            let mut drawn = rules.start();
            let mut times: HashMap<State, u32> = HashMap::new();
            let draws = 40 * states.len();
            for _ in 0..draws {
                assert_eq!(rules.sample(&mut sampler, &mut rng, &mut drawn), 1.0);
                *times.entry(drawn).or_default() += 1;
            }
            assert!(times.keys().all(|s| states.contains(s)));
            // Chi-square, 40 draws expected of each state, as standard deviations of a normal variable
            // (Wilson and Hilferty's cube root): of thousands of sets none is 6 off by accident.
            let chi: f64 =
                states.iter().map(|s| (f64::from(*times.get(s).unwrap_or(&0)) - 40.0).powi(2) / 40.0).sum();
            let freedom = (states.len() - 1) as f64;
            if freedom > 0.0 {
                let spread = 2.0 / (9.0 * freedom);
                worst = worst.max(((chi / freedom).cbrt() - 1.0 + spread) / spread.sqrt());
            }
        }
        assert!(worst < 6.0, "{variant}: {worst} standard deviations off");
    }
}

/// A history: its state, the keys of all observers, and the probability that chance and the other's uniformly
/// random bids lead there.
type History = (State, Keys, f64);

/// What a player wins with a best response to uniformly random bids, over the histories of one information set.
fn best_response(rules: &Goofspiel, me: Player, set: &[History]) -> f64 {
    let mut won = 0.0;
    // The information sets that follow, by one's own bid; `None` where chance draws.
    let mut choices: BTreeMap<Option<u64>, BTreeMap<Key, Vec<History>>> = BTreeMap::new();
    for (state, keys, p) in set {
        let turn = rules.turn(state);
        if turn == Turn::Terminal {
            won += p * rules.rewards(state)[me];
        }
        let mut bids_of_other = Vec::new();
        rules.actions(state, me.other(), &mut bids_of_other);
        each_step(rules, state, turn, |step, drawn| {
            let mut next = *state;
            rules.apply(&mut next, step);
            let keys = keys.after(rules, state, step);
            let share = if turn == Turn::Chance { drawn } else { 1.0 / bids_of_other.len() as f64 };
            let bid = step.action_of(me).map(|bid| rules.code(bid));
            let next_set = choices.entry(bid).or_default().entry(keys.of(Observer::Seat(me))).or_default();
            next_set.push((next, keys, p * share));
        });
    }
    let worth =
        |sets: &BTreeMap<Key, Vec<History>>| sets.values().map(|s| best_response(rules, me, s)).sum::<f64>();
    won + choices.values().map(worth).reduce(f64::max).unwrap_or(0.0)
}

fn nash_conv_of_uniform(params: &str) -> f64 {
    let rules = game(params);
    let root = [(rules.start(), Keys::start(2), 1.0)];
    PerPlayer::from_fn(2, |me| best_response(&rules, me, &root)).iter().sum()
}

/// Equilibrium 3.1 and 3.6.
#[test]
fn uniform_bids_are_as_exploitable_as_derived() {
    let derived = [
        ("cards=5,lowest=1", 1.6),
        ("cards=5,lowest=0", 1.766667),
        ("cards=5,lowest=0,reward=points", 8.0),
        ("cards=5,lowest=1,reward=points", 8.0),
        ("cards=3,bids=hidden", 1.666667),
        ("cards=4,bids=hidden", 1.75),
        ("cards=5,bids=hidden", 1.75),
        ("cards=6,bids=hidden", 1.791667),
        ("cards=3,bids=hidden,lowest=1", 1.333333),
        ("cards=4,bids=hidden,lowest=1", 1.416667),
        ("cards=5,bids=hidden,lowest=1", 1.55),
        ("cards=6,bids=hidden,lowest=1", 1.622222),
    ];
    for (params, expected) in derived {
        let got = nash_conv_of_uniform(params);
        assert!((got - expected).abs() < 1e-6, "{params}: {got}, not {expected}");
    }
}

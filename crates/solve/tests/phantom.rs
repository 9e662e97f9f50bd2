//! The m,n,k games and their phantom relatives: exact sizes against the specifications, and what players know
//! against brute force.

use std::collections::{HashMap, HashSet};

use fogtree_core::{About, Game, Key, Observer, Params, Player, Purpose, Rng, Rules, Scratch, Seed, Turn};
use fogtree_games::kuhn_poker::KuhnPoker;
use fogtree_games::mnk::{self, LargeMnk, SmallMnk};
use fogtree_games::phantom_mnk::{self, Announced, Attempts, Hidden, PhantomMnk};
use fogtree_solve::{merged, walk};

fn params(about: &'static About, given: &str) -> Params {
    about.params(&format!("{}({given})", about.name).parse().unwrap()).unwrap()
}

fn phantom<A: Attempts>(given: &str) -> PhantomMnk<A> {
    PhantomMnk::from_params(&params(&phantom_mnk::ABOUT, given)).unwrap()
}

/// Tic-tac-toe has 255 168 games and 5 478 positions, as is well known.
#[test]
fn tic_tac_toe_has_the_known_size() {
    let small = merged::count(&SmallMnk::from_params(&params(&mnk::ABOUT, "")).unwrap());
    assert_eq!((small.terminals, small.states + small.ends, small.longest), (255_168, 5_478, 9));
    let large = merged::count(&LargeMnk::from_params(&params(&mnk::ABOUT, "")).unwrap());
    assert_eq!(small, large);
}

/// equilibrium/3.8 and gdl/4.1: the states are those in which the game goes on.
#[test]
fn phantom_tic_tac_toe_has_the_specified_size() {
    let size = merged::count(&phantom::<Hidden>(""));
    assert_eq!((size.decisions, size.terminals), (10_105_432_147, 9_829_101_024));
    assert_eq!((size.states, size.longest), (284_627, 17));
    // What is announced does not change what can happen.
    let announced = merged::count(&phantom::<Announced>("opening=centre"));
    assert_eq!((announced.decisions, announced.terminals), (144_458_979, 139_261_152));
}

#[test]
fn phantom_tic_tac_toe_has_the_specified_information_sets() {
    let rules = phantom::<Hidden>("");
    assert_eq!([0, 1].map(|p| merged::infosets(&rules, Player(p))), [3_683_314, 2_307_355]);
}

#[test]
fn phantom_tic_tac_toe_from_the_centre_has_the_specified_size() {
    let rules = phantom::<Hidden>("opening=centre");
    let size = merged::count(&rules);
    assert_eq!((size.decisions, size.terminals, size.states), (144_458_979, 139_261_152, 49_715));
    assert_eq!([0, 1].map(|p| merged::infosets(&rules, Player(p))), [373_930, 80_666]);
}

#[test]
fn merging_counts_what_the_walk_counts() {
    fn check(rules: &impl Rules) {
        let (merged, walked) = (merged::count(rules), walk::count(rules));
        assert_eq!(merged.decisions, u128::from(walked.decisions));
        assert_eq!(merged.decisions_of, walked.decisions_of.map(u128::from));
        assert_eq!(merged.chances, u128::from(walked.chances));
        assert_eq!(merged.terminals, u128::from(walked.terminals));
        for p in Player::all(2) {
            assert_eq!(merged::infosets(rules, p), u128::from(walked.infosets[p.index()]));
        }
    }
    check(&KuhnPoker);
    for given in ["m=3,n=2,k=2", "m=3,n=2,k=3", "m=5,n=1,k=3,opening=centre"] {
        check(&phantom::<Hidden>(given));
        check(&phantom::<Announced>(given));
    }
}

/// How far drawn worlds are from uniform: the squared relative error of a state's share, times the draws per
/// state, is 1 on average for unweighted draws, and some small number for weighted ones.
#[derive(Default, Debug)]
struct Uniform {
    beliefs: u64,
    states: u64,
    error: f64,
}

/// Checks everything that is known and drawn in one belief, which brute force has found.
fn check_belief<G: Game>(
    game: &G,
    by: Observer,
    belief: &[&G::State],
    draws: usize,
    rng: &mut Rng,
    uniform: &mut Uniform,
) -> G::Known {
    let known = game.known(belief[0], by);
    let turn = game.turn(belief[0]);
    let mut legal = None;
    for s in belief {
        assert_eq!(game.known(s, by), known);
        if let (Turn::Player(p), Some(seat)) = (game.turn(s), by.seat())
            && p == seat
        {
            let mut actions = Vec::new();
            game.actions(s, seat, &mut actions);
            assert!(!actions.is_empty() && actions.is_sorted_by(|a, b| a < b));
            assert_eq!(*legal.get_or_insert_with(|| actions.clone()), actions);
        }
        assert_eq!(game.turn(s) == Turn::Over, turn == Turn::Over, "everybody knows when the game is over");
    }
    let mut weights: HashMap<&G::State, f64> = belief.iter().map(|s| (*s, 0.0)).collect();
    let mut sampler = game.sampler(&known);
    let mut world = game.start();
    let mut total = 0.0;
    for _ in 0..draws * belief.len() {
        let weight = game.sample(&mut sampler, rng, &mut world);
        assert!(weight > 0.0);
        let drawn = weights.get_mut(&world);
        *drawn.unwrap_or_else(|| panic!("{world:?} is drawn for {known:?} but cannot be")) += weight;
        total += weight;
    }
    uniform.beliefs += 1;
    for (state, weight) in &weights {
        assert!(*weight > 0.0, "{state:?} is never drawn for {known:?}");
        uniform.states += 1;
        uniform.error += (weight / total * belief.len() as f64 - 1.0).powi(2) * draws as f64;
    }
    known
}

impl Uniform {
    fn assert(&self) {
        println!("{self:?} {}", self.error / self.states as f64);
    }
}

/// Walks the whole tree and groups the states by the observer's key.
fn check_by_walking<G: Game>(game: &G, draws: usize) {
    let mut rng = Seed(1).stream(Purpose::Sampling);
    for by in Observer::all(2) {
        let mut sets: HashMap<Key, HashSet<G::State>> = HashMap::new();
        let mut histories = 0;
        walk::visit(game, &mut |node| {
            histories += 1;
            sets.entry(node.keys.of(by)).or_default().insert(node.state.clone());
            walk::Go::Deeper
        });
        println!("{histories} histories");
        let mut beliefs: HashMap<G::Known, HashSet<G::State>> = HashMap::new();
        for set in sets.into_values() {
            let known = game.known(set.iter().next().unwrap(), by);
            if let Some(before) = beliefs.get(&known) {
                assert_eq!(*before, set, "equal knowledge, different worlds: {known:?}");
            } else {
                beliefs.insert(known, set);
            }
        }
        let mut uniform = Uniform::default();
        for set in beliefs.values() {
            let set: Vec<_> = set.iter().collect();
            check_belief(game, by, &set, draws, &mut rng, &mut uniform);
        }
        uniform.assert();
    }
}

/// The same with merged histories, for larger games.
fn check_by_merging<G: Game>(game: &G, draws: usize) {
    let mut rng = Seed(1).stream(Purpose::Sampling);
    for by in Observer::all(2) {
        let mut met = HashSet::new();
        let mut uniform = Uniform::default();
        merged::beliefs(game, by, |belief| {
            let known = check_belief(game, by, belief, draws, &mut rng, &mut uniform);
            assert!(met.insert(known.clone()), "equal knowledge, different worlds: {known:?}");
        });
        uniform.assert();
    }
}

#[test]
fn small_boards_are_known_and_drawn_as_brute_force_finds() {
    for given in [
        "m=2,n=2,k=2",
        "m=3,n=2,k=2",
        "m=2,n=3,k=3",
        "m=5,n=1,k=3",
        "m=3,n=1,k=2,opening=centre",
        "m=5,n=1,k=3,opening=centre",
        "m=5,n=1,k=2,opening=centre",
    ] {
        println!("{given}");
        check_by_walking(&phantom::<Hidden>(given), 100);
        println!("announced");
        check_by_walking(&phantom::<Announced>(given), 100);
    }
}

#[test]
fn tic_tac_toe_is_known_and_drawn_as_brute_force_finds() {
    check_by_merging(&phantom::<Hidden>(""), 40);
    check_by_merging(&phantom::<Hidden>("opening=centre"), 40);
    check_by_merging(&phantom::<Announced>("m=3,n=2,k=3"), 40);
}

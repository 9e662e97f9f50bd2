//! The m,n,k games and their phantom relatives: exact sizes against the specifications, and what players know
//! against brute force.

use std::collections::hash_map::DefaultHasher;
use std::collections::{HashMap, HashSet};
use std::hash::{Hash, Hasher};

use fogtree_core::{
    About, Deadline, Game, Key, Observer, Params, Playable, Player, Purpose, Rules, Seed, Turn,
};
use fogtree_games::dark::{Dark, Hex};
use fogtree_games::dark_hex;
use fogtree_games::kuhn_poker::KuhnPoker;
use fogtree_games::mnk::{self, LargeMnk, SmallMnk};
use fogtree_games::phantom_mnk::{self, Announced, Attempts, Hidden, PhantomMnk};
use fogtree_solve::merged_response::{self, Unevaluated, best_against_random};
use fogtree_solve::{Compiled, Evaluation, Profile, StrategyFile, merged, walk};

fn params(about: &'static About, given: &str) -> Params {
    about.params(&format!("{}({given})", about.name).parse().unwrap()).unwrap()
}

fn phantom<A: Attempts>(given: &str) -> PhantomMnk<A> {
    PhantomMnk::from_params(&params(&phantom_mnk::ABOUT, given)).unwrap()
}

fn hex(given: &str) -> Dark<Hex> {
    dark_hex::from_params(&params(&dark_hex::ABOUT, given)).unwrap()
}

/// Tic-tac-toe has 255 168 games and 5 478 positions, as is well known.
#[test]
fn tic_tac_toe_has_the_known_size() {
    let small = merged::count(&SmallMnk::from_params(&params(&mnk::ABOUT, "")).unwrap());
    assert_eq!((small.terminals, small.states + small.ends, small.longest), (255_168, 5_478, 9));
    let large = merged::count(&LargeMnk::from_params(&params(&mnk::ABOUT, "")).unwrap());
    assert_eq!(small, large);
}

/// equilibrium/3.8 and gdl/G1: the states are those in which the game goes on.
#[test]
fn phantom_tic_tac_toe_has_the_specified_size() {
    let size = merged::count(&phantom::<Hidden>(""));
    assert_eq!((size.decisions, size.terminals), (10_105_432_147, 9_829_101_024));
    assert_eq!((size.states, size.longest), (284_627, 17));
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

/// How far drawn worlds are from uniform. The squared relative error of a state's share, times the draws per
/// state, is expected to be 1 - 1/n for each of n states if all are drawn equally often; unequal weights
/// make it larger.
#[derive(Default, Debug)]
struct Errors {
    expected: f64,
    found: f64,
}

impl Errors {
    fn assert(&self, least: f64, most: f64) {
        let noise = 6.0 * (2.0 * self.expected).sqrt();
        let range = least * self.expected - noise..=most * self.expected + noise;
        assert!(range.contains(&self.found), "{self:?}");
    }
}

/// Compares what is known and drawn with beliefs that brute force has found.
struct Check<'a, G: Game> {
    game: &'a G,
    by: Observer,
    /// Draws per state of a belief.
    draws: usize,
    equal_weights: Errors,
    other_weights: Errors,
}

impl<'a, G: Game> Check<'a, G> {
    fn new(game: &'a G, by: Observer, draws: usize) -> Self {
        Check { game, by, draws, equal_weights: Errors::default(), other_weights: Errors::default() }
    }

    fn belief(&mut self, belief: &[&G::State]) -> G::Info {
        let known = self.game.info(belief[0], self.by);
        let mut legal = None;
        for s in belief {
            assert_eq!(self.game.info(s, self.by), known);
            let seat = self.by.seat().filter(|p| self.game.turn(s) == Turn::Player(*p));
            if let Some(seat) = seat {
                let mut actions = Vec::new();
                self.game.actions(s, seat, &mut actions);
                assert!(!actions.is_empty() && actions.is_sorted_by(|a, b| a < b));
                assert_eq!(*legal.get_or_insert_with(|| actions.clone()), actions);
            }
        }
        let mut shares: HashMap<&G::State, f64> = belief.iter().map(|s| (*s, 0.0)).collect();
        let mut weights = (f64::INFINITY, 0.0f64);
        let mut sampler = self.game.sampler(&known);
        let mut world = self.game.start();
        // Beliefs come in any order; each draws from a stream of its own, so that every run draws the same.
        let mut hasher = DefaultHasher::new();
        known.hash(&mut hasher);
        let mut rng = Seed(hasher.finish()).stream(Purpose::Sampling);
        for _ in 0..self.draws * belief.len() {
            let weight = self.game.sample(&mut sampler, &mut rng, &mut world);
            weights = (weights.0.min(weight), weights.1.max(weight));
            match shares.get_mut(&world) {
                Some(share) => *share += weight,
                None => panic!("{world:?} is drawn for {known:?}, but cannot be"),
            }
        }
        assert!(weights.0 > 0.0);
        let errors = if weights.0 == weights.1 { &mut self.equal_weights } else { &mut self.other_weights };
        errors.expected += belief.len() as f64 - 1.0;
        let mean = shares.values().sum::<f64>() / belief.len() as f64;
        errors.found += shares.values().map(|s| (s / mean - 1.0).powi(2) * self.draws as f64).sum::<f64>();
        // A state of great weight is drawn rarely: it gets more time before it counts as never drawn.
        let mut missing: HashSet<&G::State> =
            shares.into_iter().filter(|s| s.1 == 0.0).map(|s| s.0).collect();
        for _ in 0..100 * self.draws * belief.len() {
            if missing.is_empty() {
                break;
            }
            self.game.sample(&mut sampler, &mut rng, &mut world);
            missing.remove(&world);
        }
        assert!(missing.is_empty(), "{missing:?} are never drawn for {known:?}");
        known
    }

    fn finish(&self) {
        self.equal_weights.assert(1.0, 1.0);
        self.other_weights.assert(0.8, 3.0);
    }
}

/// Walks the whole tree and groups the states by the observer's key.
fn check_by_walking<G: Game>(game: &G) {
    for by in Observer::all(2) {
        let mut sets: HashMap<Key, HashSet<G::State>> = HashMap::new();
        walk::visit(game, &mut |node| {
            sets.entry(node.keys.of(by)).or_default().insert(node.state.clone());
            walk::Go::Deeper
        });
        let mut beliefs: HashMap<G::Info, HashSet<G::State>> = HashMap::new();
        let mut check = Check::new(game, by, 60);
        for set in sets.into_values() {
            let known = game.info(set.iter().next().unwrap(), by);
            match beliefs.get(&known) {
                Some(before) => assert_eq!(*before, set, "equal knowledge, different worlds: {known:?}"),
                None => {
                    check.belief(&set.iter().collect::<Vec<_>>());
                    beliefs.insert(known, set);
                }
            }
        }
        check.finish();
    }
}

/// Goes through all beliefs of one seat, for games with too many histories to walk.
fn check_by_merging<G: Game>(game: &G, seat: Player) {
    let mut met = HashSet::new();
    let mut check = Check::new(game, Observer::Seat(seat), 25);
    merged::beliefs(game, Observer::Seat(seat), |belief| {
        let known = check.belief(belief);
        assert!(met.insert(known.clone()), "equal knowledge, different worlds: {known:?}");
    });
    check.finish();
}

const SMALL_BOARDS: [&str; 7] = [
    "m=2,n=2,k=2",
    "m=3,n=2,k=2",
    "m=2,n=3,k=3",
    "m=5,n=1,k=3",
    "m=3,n=1,k=2,opening=centre",
    "m=5,n=1,k=2,opening=centre",
    "m=5,n=1,k=3,opening=centre",
];

#[test]
fn small_boards_are_known_and_drawn_as_brute_force_finds() {
    for given in SMALL_BOARDS {
        check_by_walking(&phantom::<Hidden>(given));
    }
}

#[test]
fn small_boards_with_announced_failures_are_known_and_drawn_as_brute_force_finds() {
    for given in SMALL_BOARDS {
        check_by_walking(&phantom::<Announced>(given));
    }
}

#[test]
fn tic_tac_toe_is_known_and_drawn_as_brute_force_finds() {
    check_by_merging(&phantom::<Hidden>(""), Player(0));
    check_by_merging(&phantom::<Hidden>(""), Player(1));
}

#[test]
fn tic_tac_toe_from_the_centre_is_known_and_drawn_as_brute_force_finds() {
    check_by_merging(&phantom::<Hidden>("opening=centre"), Player(0));
    check_by_merging(&phantom::<Hidden>("opening=centre"), Player(1));
}

/// The same as best responses in the compiled tree, wherever that fits.
#[test]
fn best_responses_to_random_play_are_those_of_the_tree() {
    fn check<G: Playable>(game: &G) {
        let compiled = Compiled::of(game, 3_000_000).unwrap();
        let expected = Evaluation::of(&compiled, &Profile::uniform(&compiled)).best;
        for (who, expected) in Player::all(2).zip(expected) {
            let found = best_against_random(game, who);
            assert!((found - expected).abs() < 1e-9, "{found} instead of {expected}");
        }
    }
    check(&KuhnPoker);
    check(&phantom::<Hidden>("m=2,n=2,k=2,reward=signed"));
    check(&phantom::<Hidden>("m=3,n=2,k=2,reward=signed"));
    check(&phantom::<Announced>("m=3,n=2,k=3,failed=announced"));
}

/// Equilibrium 3.8: best responses to uniform play when both must begin in the centre.
#[test]
fn t_15_uniform_play_of_forced_phantom_tic_tac_toe() {
    let game = phantom::<Hidden>("opening=centre,reward=signed");
    let [first, second] = [0, 1].map(|seat| best_against_random(&game, Player(seat)));
    assert!((first - 0.942_708).abs() < 1e-6, "{first}");
    assert!((second - 0.495_238).abs() < 1e-6, "{second}");
}

/// The same for the whole game.
#[test]
fn t_15_uniform_play_of_phantom_tic_tac_toe() {
    let game = phantom::<Hidden>("reward=signed");
    let [first, second] = [0, 1].map(|seat| best_against_random(&game, Player(seat)));
    assert!((first - 0.953_125).abs() < 1e-6, "{first}");
    assert!((second - 0.624_339).abs() < 1e-6, "{second}");
}

/// Strategies that mix at random in some information sets and are uniform in the others, and pure ones, are worth the
/// same by merging as in the tree.
#[test]
fn merged_evaluations_are_those_of_the_tree() {
    fn check<G: Playable>(game: &G, share: f64) {
        let compiled = Compiled::of(game, 3_000_000).unwrap();
        let mut rng = Seed(7).stream(Purpose::Ties);
        let mut file = StrategyFile::new(game, "", "random", &compiled, &Profile::uniform(&compiled));
        for pure in [false, true] {
            for entry in &mut file.infosets {
                let mut odds: Vec<f64> = entry.actions.iter().map(|_| rng.unit()).collect();
                if pure {
                    let choice = rng.below(odds.len() as u32) as usize;
                    odds = (0..odds.len()).map(|i| f64::from(u8::from(i == choice))).collect();
                }
                let sum: f64 = odds.iter().sum();
                entry.probabilities = odds.into_iter().map(|p| p / sum).collect();
            }
            let mut closed = file.clone();
            closed.infosets.clear();
            let mut kept = HashSet::new();
            for who in Player::all(compiled.players()) {
                let treeplex = compiled.treeplex(who);
                for set in 0..treeplex.sets() {
                    let before = treeplex.set_of(treeplex.parent(set));
                    let follows = before.is_none_or(|before| kept.contains(&treeplex.key(before)));
                    if follows && rng.unit() < share {
                        kept.insert(treeplex.key(set));
                    }
                }
            }
            closed.infosets.extend(file.infosets.iter().filter(|e| kept.contains(&e.key)).cloned());
            let expected = Evaluation::of(&compiled, &closed.profile(game, &compiled).unwrap().0);
            let found = merged_response::evaluate(game, &closed, 3_000_000, &Deadline::NEVER).unwrap();
            let pairs =
                expected.best.iter().chain(&expected.values).zip(found.best.iter().chain(&found.values));
            for (expected, found) in pairs {
                assert!((found - expected).abs() < 1e-9, "{found} instead of {expected}");
            }
        }
    }
    for share in [1.0, 0.7, 0.0] {
        check(&KuhnPoker, share);
        check(&phantom::<Hidden>("m=2,n=2,k=2,reward=signed"), share);
        check(&phantom::<Hidden>("m=3,n=2,k=3,reward=signed"), share);
        check(&phantom::<Announced>("m=2,n=2,k=2,failed=announced"), share);
        check(&hex("rows=2,columns=2"), share);
        check(&hex("rows=2,columns=3,turn=abrupt"), share);
        check(&phantom_mnk::abrupt(&params(&phantom_mnk::ABOUT, "m=3,n=2,k=3,turn=abrupt")).unwrap(), share);
    }
}

#[test]
fn strategies_of_other_games_and_endless_walks_are_refused() {
    let kuhn = Compiled::of(&KuhnPoker, 1000).unwrap();
    let file = StrategyFile::new(&KuhnPoker, "", "uniform", &kuhn, &Profile::uniform(&kuhn));
    let game = phantom::<Hidden>("");
    let found = merged_response::evaluate(&game, &file, 3_000_000, &Deadline::NEVER);
    assert!(matches!(found, Err(Unevaluated::Strategy(_))), "{found:?}");
    let uniform = StrategyFile::of_entries("", "uniform", Vec::new());
    let found = merged_response::evaluate(&game, &uniform, 1000, &Deadline::NEVER);
    assert!(matches!(found, Err(Unevaluated::Refusal(_))), "{found:?}");
}

/// What OpenSpiel's `TabularBestResponse` finds against its `UniformRandomPolicy` in `dark_hex(gameversion=adh)`. In
/// classical games its players know more than ours: how often the other has failed.
#[test]
fn best_responses_in_dark_hex_are_those_of_a_peer() {
    for (given, expected) in [
        ("rows=2,columns=2,turn=abrupt,reward=signed", [0.833_333_333, 0.0]),
        ("rows=2,columns=3,turn=abrupt,reward=signed", [0.963_888_889, -0.183_333_333]),
    ] {
        for (seat, expected) in Player::all(2).zip(expected) {
            let found = best_against_random(&hex(given), seat);
            assert!((found - expected).abs() < 1e-8, "{given}, player {seat}: {found}, not {expected}");
        }
    }
}

//! Dark Hex and abrupt phantom m,n,k games: what players know and draw, against all histories of small boards.

use std::collections::{HashMap, HashSet};

use fogtree_core::testing::{Options, check_play, check_tree};
use fogtree_core::{About, Key, Keys, Observer, Params, Playable, Player, Purpose, Rng, Seed, Step, Turn};
use fogtree_games::dark::{Dark, Hex, Rows};
use fogtree_games::{dark_hex, phantom_mnk};

fn params(about: &'static About, given: &str) -> Params {
    about.params(&format!("{}({given})", about.name).parse().unwrap()).unwrap()
}

fn hex(given: &str) -> Dark<Hex> {
    dark_hex::from_params(&params(&dark_hex::ABOUT, given)).unwrap()
}

fn abrupt(given: &str) -> Dark<Rows> {
    phantom_mnk::abrupt(&params(&phantom_mnk::ABOUT, &format!("turn=abrupt,{given}"))).unwrap()
}

/// The states that agree with what each observer did and saw.
fn states_by_history<G: Playable>(rules: &G) -> HashMap<(Observer, Key), HashSet<G::State>> {
    let mut sets: HashMap<_, HashSet<G::State>> = HashMap::new();
    let mut open = vec![(rules.start(), Keys::start(2))];
    while let Some((s, keys)) = open.pop() {
        for by in Observer::all(2) {
            sets.entry((by, keys.of(by))).or_default().insert(s.clone());
        }
        let Turn::Player(who) = rules.turn(&s) else { continue };
        let mut actions = Vec::new();
        rules.actions(&s, who, &mut actions);
        for action in actions {
            let (moves, mut next) = ([(who, action)], s.clone());
            let keys = keys.after(rules, &s, Step::Moves(&moves));
            rules.apply(&mut next, Step::Moves(&moves));
            open.push((next, keys));
        }
    }
    sets
}

/// How often each state is to be drawn.
const DRAWS: usize = 60;

/// Every world that a history allows is drawn, no other is, and while the game goes on all are equally likely to a seat.
fn check<G: Playable>(rules: &G) {
    let mut known: HashMap<G::Info, HashSet<G::State>> = HashMap::new();
    let (mut expected, mut found) = (0.0, 0.0);
    for ((by, _), states) in states_by_history(rules) {
        let first = states.iter().next().unwrap();
        let (info, goes_on) = (rules.info(first, by), rules.turn(first) != Turn::Terminal);
        assert!(states.iter().all(|s| rules.info(s, by) == info));
        if let Some(before) = known.insert(info.clone(), states.clone()) {
            assert_eq!(before, states, "equal knowledge, different worlds: {info:?}");
            continue;
        }
        let mut sampler = rules.sampler(&info);
        let mut rng = Seed(known.len() as u64).stream(Purpose::Sampling);
        let mut world = rules.start();
        let mut shares: HashMap<&G::State, f64> = states.iter().map(|s| (s, 0.0)).collect();
        let mut draw = |shares: &mut HashMap<&G::State, f64>, rng: &mut Rng| {
            let weight = rules.sample(&mut sampler, rng, &mut world);
            assert!(weight > 0.0);
            *shares.get_mut(&world).unwrap_or_else(|| panic!("{world:?} cannot be for {info:?}")) += weight;
        };
        (0..DRAWS * states.len()).for_each(|_| draw(&mut shares, &mut rng));
        if goes_on && matches!(by, Observer::Seat(_)) {
            let mean = shares.values().sum::<f64>() / states.len() as f64;
            expected += states.len() as f64 - 1.0;
            found += shares.values().map(|s| (s / mean - 1.0).powi(2) * DRAWS as f64).sum::<f64>();
        }
        for _ in 0..200 * DRAWS * states.len() {
            if shares.values().all(|share| *share > 0.0) {
                break;
            }
            draw(&mut shares, &mut rng);
        }
        assert!(shares.values().all(|share| *share > 0.0), "some worlds of {info:?} are never drawn");
    }
    // The squared relative errors of n shares are expected to add up to n - 1; unequal weights make them larger.
    let noise = 6.0 * (2.0f64 * expected).sqrt();
    assert!(
        (0.8 * expected - noise..2.0 * expected + noise).contains(&found),
        "{found} instead of {expected}"
    );
}

#[test]
fn worlds_are_those_of_the_history() {
    check(&hex("rows=2,columns=2"));
    check(&hex("rows=2,columns=3"));
    check(&hex("rows=2,columns=2,turn=abrupt"));
    check(&abrupt("m=2,n=2,k=2"));
    check(&abrupt("m=4,n=1,k=2"));
    check(&abrupt("m=5,n=1,k=3"));
    check(&abrupt("m=5,n=1,k=5"));
}

#[test]
fn the_laws_of_games_are_kept() {
    let lawful = |violations: Vec<fogtree_core::testing::Violation>| {
        let lines: Vec<_> = violations.iter().map(ToString::to_string).collect();
        assert!(lines.is_empty(), "{}", lines.join("\n"));
    };
    lawful(check_tree(&hex("rows=2,columns=2"), &Options::default()));
    lawful(check_tree(&hex("rows=2,columns=2,turn=abrupt"), &Options::default()));
    lawful(check_tree(&abrupt("m=2,n=2,k=2"), &Options::default()));
    lawful(check_play(&hex("rows=4,columns=5"), &Options::default()));
    lawful(check_play(&hex("rows=4,columns=5,turn=abrupt"), &Options::default()));
    lawful(check_play(&abrupt("m=4,n=4,k=3"), &Options::default()));
}

/// Whoever is asked at whatever point of a large game draws a world that looks the same.
#[test]
fn worlds_of_large_boards_are_drawn() {
    fn check<G: Playable>(rules: &G) {
        let mut rng = Seed(3).stream(Purpose::Playout);
        let mut scratch = fogtree_core::Scratch::default();
        for _ in 0..5 {
            let mut s = rules.start();
            while rules.turn(&s) != Turn::Terminal {
                for by in Observer::all(2) {
                    let info = rules.info(&s, by);
                    let mut world = rules.start();
                    rules.sample(&mut rules.sampler(&info), &mut rng, &mut world);
                    assert_eq!(rules.info(&world, by), info);
                }
                fogtree_core::random_step(rules, &mut s, &mut rng, &mut scratch);
            }
            for p in Player::all(2) {
                let info = rules.info(&s, Observer::Seat(p));
                let mut world = rules.start();
                rules.sample(&mut rules.sampler(&info), &mut rng, &mut world);
                assert_eq!(rules.info(&world, Observer::Seat(p)), info);
            }
        }
    }
    check(&hex("rows=8,columns=8"));
    check(&hex("rows=8,columns=8,turn=abrupt"));
    check(&abrupt("m=8,n=8,k=5"));
}

//! What roles hold possible: exactly, sampled, and after the history has gone wrong.

mod common;

use std::collections::HashMap;

use common::{fluents, joint, own, own_text, percepts, shown};
use fogtree_core::{Budget, Event, Game, Line, Notation, Observer, Player, Purpose, Rng, Rules, Seed, Turn};
use fogtree_gdl::belief::{Belief, Standing, Tracking};
use fogtree_gdl::game::{Options, load};
use fogtree_gdl::interpreter::State;
use fogtree_gdl::{Interpreter, Reasoner, TermId};

/// Plays a random match; shows every belief after every step with the true state.
fn random_match(
    sheet: &Interpreter,
    tracking: Tracking,
    rng: &mut Rng,
    mut see: impl FnMut(usize, &Belief<State>, &State, Standing),
) {
    let random = sheet.random_role();
    let roles = 0..sheet.roles().len();
    let mut beliefs: Vec<_> = (roles.clone().filter(|&role| Some(role) != random))
        .map(|role| (role, Belief::new(sheet, role, tracking).unwrap()))
        .collect();
    let mut state = sheet.initial().unwrap();
    while !sheet.terminal(&state).unwrap() {
        let mut legal = Vec::new();
        let mut choose = |role| {
            sheet.legal(&state, role, &mut legal).unwrap();
            *rng.pick(&legal)
        };
        let moves: Vec<TermId> = roles.clone().map(&mut choose).collect();
        let next = sheet.next(&state, &moves).unwrap();
        let over = sheet.terminal(&next).unwrap();
        for (role, belief) in &mut beliefs {
            let mut seen = Vec::new();
            sheet.percepts(&state, &moves, *role, &mut seen).unwrap();
            let standing = belief.update(sheet, moves[*role], &seen, over).unwrap();
            let total: f64 = belief.worlds().iter().map(|w| w.1).sum();
            assert!((total - 1.0).abs() < 1e-9, "{total}");
            see(*role, belief, &next, standing);
        }
        state = next;
    }
}

fn holds(belief: &Belief<State>, state: &State) -> bool {
    belief.worlds().iter().any(|(world, _)| world == state)
}

/// The specification has 66 states in 2880 histories as the most met in simulation.
#[test]
fn the_truth_is_always_among_all_worlds() {
    let sheet = common::own("latent-tic-tac-toe");
    let mut rng = Seed(3).stream(Purpose::Playout);
    let (mut states, mut histories) = (0, 0);
    for _ in 0..12 {
        let seed = Seed(rng.bits());
        for merge in [true, false] {
            let tracking = Tracking { merge, worlds: 10_000, transitions: usize::MAX, ..Tracking::default() };
            let most = if merge { &mut states } else { &mut histories };
            random_match(
                &sheet,
                tracking,
                &mut seed.stream(Purpose::Playout),
                |_, belief, truth, standing| {
                    assert_eq!(standing, Standing::Complete);
                    assert!(belief.is_complete() && holds(belief, truth));
                    *most = belief.worlds().len().max(*most);
                },
            );
        }
    }
    assert!(states > 20 && states <= 66, "{states}");
    assert!(histories > 5 * states && histories <= 2880, "{histories}");
}

#[test]
fn few_worlds_are_enough_to_go_on() {
    let sheet = own("krieg-tic-tac-toe-3x3");
    let mut rng = Seed(4).stream(Purpose::Playout);
    let mut met = HashMap::new();
    for seed in 0..20 {
        let tracking = Tracking { worlds: 3, transitions: 12, seed: Seed(seed), ..Tracking::default() };
        random_match(&sheet, tracking, &mut rng, |_, belief, _, standing| {
            assert!((1..=100).contains(&belief.worlds().len()));
            *met.entry(format!("{standing:?}")).or_insert(0) += 1;
        });
    }
    assert!(met["Sampled"] > 0 && met["Found"] > 0, "{met:?}");
    assert!(!met.contains_key("Replaced") && !met.contains_key("Lost"), "{met:?}");
}

/// The host opens door 3 half the time if the car is behind door 2, always if it is behind door 1.
#[test]
fn chance_weighs() {
    let sheet = own("monty-hall");
    let mut belief = Belief::new(&sheet, 1, Tracking::default()).unwrap();
    let term = |text: &str| sheet.terms().parse(text).unwrap();
    belief.update(&sheet, term("(choose 2)"), &[], false).unwrap();
    assert_eq!(belief.worlds().len(), 3);
    let standing = belief.update(&sheet, term("noop"), &[term("(opens 3)")], false).unwrap();
    assert_eq!((standing, belief.worlds().len()), (Standing::Complete, 2));
    for (world, weight) in belief.worlds() {
        let car = fluents(&sheet, world).contains(&"(car 1)".to_string());
        assert!((weight - if car { 2.0 / 3.0 } else { 1.0 / 3.0 }).abs() < 1e-12);
    }
    let mut rng = Seed(1).stream(Purpose::Sampling);
    assert!(belief.draw(&mut rng).is_some());
    assert_eq!(belief.update(&sheet, term("stay"), &[term("(opens 1)")], false), Ok(Standing::Lost));
    assert!(belief.worlds().is_empty() && belief.draw(&mut rng).is_none());
}

/// The umpire plays something else for x, and says nothing.
#[test]
fn replaced_moves_are_noticed_and_lived_with() {
    let sheet = own("latent-tic-tac-toe");
    let mut belief = Belief::new(&sheet, 0, Tracking::default()).unwrap();
    let mut state = sheet.initial().unwrap();
    let mut step = |meant: &str, done: [&str; 2]| {
        let moves = joint(&sheet, &done);
        let seen = joint(
            &sheet,
            &percepts(&sheet, &state, &moves, 0).iter().map(String::as_str).collect::<Vec<_>>(),
        );
        let own = sheet.terms().parse(meant).unwrap();
        let standing = belief.update(&sheet, own, &seen, false).unwrap();
        state = sheet.next(&state, &moves).unwrap();
        assert!(holds(&belief, &state), "{meant}");
        let settled = belief.settle(&sheet, &Budget::iterations(1_000)).unwrap();
        assert!(settled.is_some_and(|world| belief.worlds().iter().any(|w| w.0 == world)));
        assert_eq!(belief.history().last().unwrap().own(), Some(moves[0]), "{meant}");
        (standing, belief.worlds().len())
    };
    assert_eq!(step("(mark 1 1)", ["(mark 1 1)", "noop"]), (Standing::Complete, 1));
    assert_eq!(step("noop", ["noop", "(mark 1 2)"]), (Standing::Complete, 8));
    let (standing, _) = step("(mark 3 3)", ["(mark 2 2)", "noop"]);
    assert_eq!(standing, Standing::Replaced);
    let (standing, _) = step("noop", ["noop", "(mark 2 2)"]);
    assert_eq!(standing, Standing::Complete, "and all is known again");
}

/// A role that does not know what was done for it holds everything possible that it could have done.
#[test]
fn an_unknown_move_may_be_any() {
    let sheet = own("krieg-tic-tac-toe-3x3");
    let moves = joint(&sheet, &["(mark 1 1)", "(mark 2 2)"]);
    let start = sheet.initial().unwrap();
    let mut seen = Vec::new();
    sheet.percepts(&start, &moves, 0, &mut seen).unwrap();
    let mut known = Belief::new(&sheet, 0, Tracking::default()).unwrap();
    let mut unknown = Belief::new(&sheet, 0, Tracking::default()).unwrap();
    assert_eq!(known.update(&sheet, moves[0], &seen, false).unwrap(), Standing::Complete);
    assert_eq!(unknown.update_replaced(&sheet, &seen, false).unwrap(), Standing::Complete);
    let truth = sheet.next(&start, &moves).unwrap();
    assert!(holds(&known, &truth) && holds(&unknown, &truth));
    // It marked one cell, the other player another; who marks is told whether the cell is its own.
    assert_eq!((known.worlds().len(), unknown.worlds().len()), (8, 72));
    // It settles on one, and stays with it as long as nothing contradicts.
    let budget = Budget::iterations(100);
    let own = |belief: &Belief<State>, at: usize| belief.history()[at].own();
    assert_eq!(own(&unknown, 0), None);
    assert!(unknown.settle(&sheet, &budget).unwrap().is_some_and(|world| holds(&unknown, &world)));
    let guess = own(&unknown, 0).unwrap();
    unknown.update_replaced(&sheet, &seen, false).unwrap();
    assert!(unknown.settle(&sheet, &budget).unwrap().is_some());
    assert_eq!((own(&unknown, 0), own(&unknown, 1).is_some()), (Some(guess), true));
    let unheard = sheet.terms().parse("(mark 1 1)").unwrap();
    assert_eq!(unknown.update_replaced(&sheet, &[unheard], false), Ok(Standing::Lost));
    assert_eq!((unknown.settle(&sheet, &budget), own(&unknown, 0)), (Ok(None), None));
}

/// Two ways to information sets: from step to step here, from the start in the framework.
#[test]
fn beliefs_are_the_information_sets_of_the_game() {
    for name in ["kuhn-poker", "monty-hall", "krieg-tic-tac-toe-3x3"] {
        let game = load(&own_text(name), &Options::default()).unwrap().tracked();
        let sheet = game.inner().reasoner();
        let mut rng = Seed(9).stream(Purpose::Playout);
        let mut compared = 0;
        for _ in 0..4 {
            let seat = Player(0);
            let role = game.inner().roles_of_seats()[0];
            let mut belief = Belief::new(sheet, role, Tracking::default()).unwrap();
            let mut line = Line::start(&game);
            let mut own = None;
            for _ in 0..6 {
                let state = line.state().clone();
                let mut words = Vec::new();
                match game.turn(&state) {
                    Turn::Terminal => break,
                    Turn::Chance => words.push(game.outcome_name(&game.sample_chance(&state, &mut rng))),
                    turn => {
                        for p in turn.players().iter() {
                            let mut legal = Vec::new();
                            game.actions(&state, p, &mut legal);
                            let action = *rng.pick(&legal);
                            own = if p == seat { Some(action.term()) } else { own };
                            words.push(game.action_name(action));
                        }
                    }
                }
                line.play_words(&game, words.iter().map(String::as_str)).unwrap();
                let known = game.info(line.state(), Observer::Seat(seat));
                let Some(Event::Seen(seen)) = known.events.last() else { continue };
                // What it could not choose.
                let mut only = Vec::new();
                sheet.legal(state.inner.fluents(), role, &mut only).unwrap();
                let own = own.take().unwrap_or(only[0]);
                let over = game.turn(line.state()) == Turn::Terminal;
                let mut perceived = game.inner().percepts_of(seen);
                perceived.reverse();
                let standing = belief.update(sheet, own, &perceived, over).unwrap();
                assert_eq!(standing, Standing::Complete);
                assert_eq!(
                    game.inner().events_of(belief.history()).as_ref(),
                    Some(&known.events),
                    "in any order"
                );
                let mut worlds = Vec::new();
                assert!(game.enumerate(&known, &mut worlds));
                let total: f64 = worlds.iter().map(|w| w.1).sum();
                let mut shares: HashMap<Vec<String>, f64> = HashMap::new();
                for (world, weight) in &worlds {
                    *shares.entry(fluents(sheet, world.inner.fluents())).or_default() += weight / total;
                }
                // Elsewhere the framework also lists worlds in which somebody has chosen and nobody has seen it.
                if game.turn(line.state()).players().contains(seat) {
                    compared += 1;
                    assert_eq!(shares.len(), belief.worlds().len(), "{name}");
                    for (world, weight) in belief.worlds() {
                        assert!(
                            (shares[&fluents(sheet, world)] - weight).abs() < 1e-9,
                            "{name}: {:?}",
                            shown(sheet, &[own])
                        );
                    }
                }
            }
        }
        assert!(compared >= 4, "{name}: {compared}");
    }
}

//! What the game knows of playing itself: policies, horizons, promise, and the open game.

use super::*;

fn policy(name: &str) -> usize {
    Policy::find(POLICIES, name).unwrap()
}

/// As a policy MaxActEval attacks as it does by itself, and where nobody is seen goes where the enemy is believed to
/// be; `greedy` is MaxActEval most of the time.
#[test]
fn max_act_eval_is_a_policy() {
    let mut scratch = Scratch::default();
    let units = [('P', "a1", 0, 10), ('R', "d1", 1, 10), ('P', "d2", 1, 10)];
    let open = field(&["11111", "11111"], &units, 9, "fog=off");
    let far = field(&["11111511111"], &[('P', "a1", 0, 10), ('P', "k1", 1, 10)], 9, "");
    let mut rng = rng(3);
    for _ in 0..20 {
        let best =
            open.policy_action(policy("max-act-eval"), &open.start(), Player(0), &mut rng, &mut scratch);
        assert!(matches!(best, Action::Attack { unit: 0, target: 1, .. }), "{best:?}");
        let move_on =
            far.policy_action(policy("max-act-eval"), &far.start(), Player(0), &mut rng, &mut scratch);
        assert_eq!(move_on, Action::Move { unit: 0, to: 6 });
    }
    let is_best = |a: Action| matches!(a, Action::Attack { target: 1, .. });
    let greedy = |rng: &mut Rng, scratch: &mut Scratch<Tubstap>| {
        is_best(open.policy_action(policy("greedy"), &open.start(), Player(0), rng, scratch))
    };
    let count = (0..500).filter(|_| greedy(&mut rng, &mut scratch)).count();
    assert!((400..480).contains(&count), "{count} of 500");
}

/// Threats are those that the side to move can tell: where unseen enemies stand changes nothing.
#[test]
fn threats_do_not_leak() {
    let threat = |hidden: &str| {
        let units = [('I', "a1", 0, 10), ('P', "b1", 1, 10), ('P', hidden, 1, 10)];
        let game = field(&["11", "11", "11", "11"], &units, 9, "");
        let mut board = game.battle().start();
        board.acted = 1;
        assert_eq!(game.battle().targets(&board), 0b010, "one of them is seen");
        game.battle().threat(&board, 1)
    };
    assert_eq!(threat("a3"), threat("b4"));
    assert!(threat("b4") > 0);
}

/// Playouts end at the horizon, or before it with the game.
#[test]
fn playouts_end_at_the_horizon() {
    let (mut rng, mut scratch) = (rng(4), Scratch::default());
    for text in ["", "fog=off,evaluation=weighted"] {
        let game = game(text);
        for name in ["uniform", "attack", "open-attack", "max-act-eval"] {
            for turns in [0, 1, 2, 5] {
                let mut state = game.start();
                let horizon = Some(Horizon::Turns(turns));
                game.policy_playout(&game, Some(policy(name)), horizon, &mut state, &mut rng, &mut scratch);
                assert_eq!(u32::from(state.inner.turn()), turns, "{name}");
            }
            let mut state = game.start();
            let horizon = Some(Horizon::Steps(6));
            game.policy_playout(&game, Some(policy(name)), horizon, &mut state, &mut rng, &mut scratch);
            assert_eq!(state.inner.turn(), 0, "{name}: eight units have to act");
            let horizon = Some(Horizon::Turns(999));
            game.policy_playout(&game, None, horizon, &mut state, &mut rng, &mut scratch);
            assert!(matches!(state.inner.phase(), Phase::Over(_)));
        }
    }
}

/// Attacks come before moves, the better before the worse, and moves are what may be left out.
#[test]
fn attacks_are_promising() {
    let units = [('P', "a1", 0, 10), ('R', "d1", 1, 10), ('P', "d2", 1, 10)];
    let game = field(&["11111", "11111"], &units, 9, "fog=off,end-turn=yes");
    let (mut legal, mut promises) = (Vec::new(), Vec::new());
    game.actions(&game.start(), Player(0), &mut legal);
    game.move_prior(&game.start(), Player(0), &legal, &mut promises);
    assert_eq!(legal.len(), promises.len());
    for (action, promise) in legal.iter().zip(&promises) {
        assert_eq!(matches!(action, Action::Attack { .. }), *promise >= 0.0, "{action:?}");
    }
    let best = |of: u8| {
        let on = |a: &Action| matches!(a, Action::Attack { target, .. } if *target == of);
        let values = legal.iter().zip(&promises).filter(|(a, _)| on(a)).map(|(_, p)| *p);
        values.fold(f32::MIN, f32::max)
    };
    assert_eq!(best(1) - best(2), 60.0, "50 against -10");
    assert!(promises[legal.len() - 1] < promises[0], "the end of the turn is last");
}

/// In the opened game everybody sees everything, and nothing else has changed.
#[test]
fn a_state_can_be_opened() {
    let fog = game("");
    let open = fog.perfect_info_variant().expect("there is fog to lift");
    assert!(open.perfect_info_variant().is_none());
    assert!(!open.facts().hidden && fog.facts().hidden);
    let mut state = fog.start();
    open.reveal(&mut state);
    assert_eq!(state.inner, open.start().inner);
    let count = |game: &Tubstap, state: &State| legal(game, state).len();
    assert_eq!((count(&fog, &fog.start()), count(&open, &state)), (191, 190), "what is seen blocks");
    let mut rng = rng(8);
    while open.turn(&state) != Turn::Terminal {
        let action = open.random_action(&state, Player(0), &mut rng, &mut Scratch::default());
        let moves = [(state.inner.mover(), action)];
        fogtree_core::play(&open, &mut state, Step::Moves(&moves)).unwrap();
    }
}

/// A selective search is offered one unit at a time, from either end, at most five of its own, of those the strongest and
/// nearest; an answer is the best attack on each target, or waiting (`tubstap/2.9`).
#[test]
fn few_actions_are_selected() {
    let asked = |order, made, answering| Selective { order, made, answering };
    let selected = |game: &Tubstap, asked| {
        let state = game.start();
        let mut out = Vec::new();
        game.candidates(&state, Player(0), asked, &mut out);
        let mut legal = Vec::new();
        game.actions(&state, Player(0), &mut legal);
        assert!(out.iter().all(|action| legal.contains(action)), "{out:?}");
        out
    };
    let unit_of = |actions: &[Action]| match actions[0] {
        Action::Move { unit, .. } | Action::Attack { unit, .. } => unit,
        Action::EndTurn | Action::Surrender => panic!("nobody ends anything"),
    };
    let map = game("");
    assert_eq!(map.orders(), 2);
    // Hit points come first, so the jets with 5 of them, units 0 and 4, are left out; the middle of both armies is
    // d4, and of the six others unit 1 at a2, five steps away, is farthest.
    let (first, last) = (selected(&map, asked(0, 0, false)), selected(&map, asked(1, 0, false)));
    assert_eq!((unit_of(&first), unit_of(&last)), (2, 7));
    assert_eq!(first.len(), 17, "all the moves of the anti-air at a3");
    assert_eq!(selected(&map, asked(0, 5, false)), [Action::Move { unit: 0, to: 0 }], "the sixth waits");
    assert_eq!(selected(&map, asked(0, 5, true)).len(), 1, "nobody is seen, so who answers waits");

    let units = [('P', "c2", 0, 10), ('P', "a1", 1, 10), ('I', "e3", 1, 10)];
    let field = field(&["11111", "11111", "11111"], &units, 9, "fog=off");
    let own = selected(&field, asked(0, 0, false));
    let attacks = own.iter().filter(|a| matches!(a, Action::Attack { .. })).count();
    assert_eq!(attacks, 4, "each from two sides");
    assert!(own[..4].iter().all(|a| matches!(a, Action::Attack { .. })), "attacks come first");
    assert!(matches!(own[0], Action::Attack { target: 2, .. }), "the infantry hardly strikes back");
    let answers = selected(&field, asked(0, 0, true));
    let targets: Vec<u8> = answers
        .iter()
        .map(|a| match *a {
            Action::Attack { target, .. } => target,
            _ => panic!("there are attacks"),
        })
        .collect();
    assert_eq!(targets, [2, 1]);
}

/// SatD2's evaluation: tank against tank on the plain deals 5 and gets 3 back, and the other tank then deals 5 more to
/// what has 5 left, from which nothing comes back; four points for each hit point, one for infantry's (`tubstap/1.12`).
#[test]
fn exchanges_are_made_before_they_are_judged() {
    let units = [('P', "a1", 0, 10), ('P', "b1", 0, 10), ('P', "f1", 1, 10), ('I', "h1", 1, 10)];
    let game = field(&["11111111"], &units, 9, "fog=off");
    let (battle, board) = (game.battle(), game.battle().start());
    let exchanges = |side| battle.score(&board, side, Evaluation::Exchanges);
    // Both enemies are near enough. The first tank gains 4 * (5 - 3) = 8 from the tank and would 7 from the infantry,
    // (75 * 10 + 70) / 110 hit points that count once; the second gains 4 * 5 from what is left, (55 * 10 + 70) / 105.
    assert_eq!(exchanges(Player(0)), f64::from(4 * (7 + 10) - 10));
    assert_eq!(exchanges(Player(1)), -f64::from(4 * (7 + 10) - 10));
    assert_eq!(battle.score(&board, Player(0), Evaluation::Infantry), f64::from(4 * 20 - 40 - 10));
    let share = game.evaluate(Some(4), &game.start(), Player(0)).unwrap();
    assert!((share - 68.0 / 78.0).abs() < 1e-12, "{share}");
    assert_eq!(EVALUATIONS.len(), Evaluation::ALL.len());
}

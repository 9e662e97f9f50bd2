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

/// Playouts end at the horizon, with the evaluation, or before it, with the rewards.
#[test]
fn playouts_end_at_the_horizon() {
    let (mut rng, mut scratch) = (rng(4), Scratch::default());
    for text in ["", "fog=off,evaluation=weighted"] {
        let game = game(text);
        for name in ["uniform", "attack", "open-attack", "max-act-eval"] {
            for turns in [0, 1, 2, 5] {
                let mut state = game.start();
                let horizon = Horizon::Turns(turns);
                let rewards =
                    game.playout_to(Some(policy(name)), horizon, &mut state, &mut rng, &mut scratch);
                assert_eq!(u32::from(state.inner.turn()), turns, "{name}");
                for p in Player::all(2) {
                    assert_eq!(Some(rewards[p]), game.evaluate(&state, p));
                }
            }
            let mut state = game.start();
            game.playout_to(Some(policy(name)), Horizon::Steps(6), &mut state, &mut rng, &mut scratch);
            assert_eq!(state.inner.turn(), 0, "{name}: eight units have to act");
            game.playout_to(None, Horizon::Turns(999), &mut state, &mut rng, &mut scratch);
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
    game.promise(&game.start(), Player(0), &legal, &mut promises);
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
    let open = fog.opened().expect("there is fog to lift");
    assert!(open.opened().is_none());
    assert!(!open.facts().hidden && fog.facts().hidden);
    let mut state = fog.start();
    open.open(&mut state);
    assert_eq!(state.inner, open.start().inner);
    let count = |game: &Tubstap, state: &State| legal(game, state).len();
    assert_eq!((count(&fog, &fog.start()), count(&open, &state)), (191, 190), "what is seen blocks");
    let mut rng = rng(8);
    while open.turn(&state) != Turn::Over {
        let action = open.random_action(&state, Player(0), &mut rng, &mut Scratch::default());
        let moves = [(state.inner.mover(), action)];
        fogtree_core::play(&open, &mut state, Step::Moves(&moves)).unwrap();
    }
}

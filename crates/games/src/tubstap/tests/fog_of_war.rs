//! The fog's rules, one by one.

use super::*;

fn visible(game: &Tubstap, who: u8) -> (u32, Vec<u8>) {
    let board = game.start().inner;
    let sight = board.sight(Player(who));
    let enemies = (0..game.battle().slots()).filter(|&id| game.battle().side_of(id) != Player(who));
    let seen = enemies.filter(|&id| sight >> board.unit(id).cell & 1 == 1).collect();
    (sight.count_ones(), seen)
}

/// F1, spec 1.14: 27, 32 or 42 of 64 cells; only with Chebyshev's does each side see the other's tanks.
#[test]
fn the_metric_decides_what_is_seen_at_the_start() {
    for (metric, cells, tanks) in [("manhattan", 27, false), ("euclid", 32, false), ("chebyshev", 42, true)] {
        let game = game(&format!("metric={metric}"));
        let seen = |ids: &[u8]| if tanks { ids.to_vec() } else { Vec::new() };
        assert_eq!(visible(&game, 0), (cells, seen(&[8, 9])), "{metric}");
        assert_eq!(visible(&game, 1), (cells, seen(&[6, 7])), "{metric}");
    }
    assert_eq!(visible(&game("fog=off"), 0), (64, (8..16).collect()));
}

/// F2. The tank on a1 sees two cells far: a wood beside it, a wood behind a plain.
#[test]
fn cover_hides_what_the_source_leaves_open() {
    let sight = |cover: &str, kind: char, row: &str| {
        let game = field(
            &[row],
            &[(kind, "a1", 0, 10), ('I', "f1", 1, 10), ('R', "e1", 1, 1)],
            9,
            &format!("cover={cover}"),
        );
        format!("{:06b}", game.start().inner.sight(Player(0)))
    };
    assert_eq!(sight("none", 'P', "113111"), "000111");
    assert_eq!(sight("woods", 'P', "113111"), "000011", "a wood two cells away");
    assert_eq!(sight("woods", 'P', "131111"), "000111", "a wood beside it");
    assert_eq!(sight("rays", 'P', "131111"), "000011", "what is behind a wood");
    assert_eq!(sight("rays", 'P', "113111"), "000111", "the wood itself");
    assert_eq!(sight("rays", 'A', "131411"), "111111", "from above");
    assert_eq!(sight("woods", 'A', "113131"), "101011", "woods hide from above too");
}

/// One's own sees what any of one's units sees, at once: the scout finds what the artillery shoots (F8: only then).
#[test]
fn sight_is_shared_and_changes_within_the_turn() {
    let units = [('U', "a1", 0, 10), ('I', "a2", 0, 10), ('P', "d1", 1, 10)];
    let game = field(&["11111", "11111"], &units, 9, "");
    let shoots = |state: &State| legal(&game, state).contains(&"0x2".to_string());
    assert!(!shoots(&game.start()), "d1 is in range but not in sight");
    assert!(shoots(&after(&game, "1-c1")));
    assert_eq!(sees(&game, "1-c1", 0), "P2 (10 HP) is on d1");
}

/// F6. Infantry goes three cells and sees one.
#[test]
fn a_unit_that_runs_into_the_unseen_is_ambushed() {
    let units = [('I', "a1", 0, 10), ('I', "a2", 0, 10), ('P', "d1", 1, 10)];
    let game = field(&["111111", "111111"], &units, 9, "");
    assert!(legal(&game, &game.start()).contains(&"0-d1".to_string()), "it cannot know");
    let state = after(&game, "0-d1");
    assert_eq!(state.inner.unit(0).cell, at(6, "c1"));
    assert!(state.inner.has_acted(0) && state.inner.mover() == Player(0));
    assert_eq!(sees(&game, "0-d1", 0), "your 0 had to stop on c1; P2 (10 HP) is on d1");
    assert_eq!(sees(&game, "0-d1", 1), "I0 (10 HP) is on c1");
}

/// An attack at the end of an ambushed way is cancelled, and friends are passed over for the cell to stop on.
#[test]
fn an_ambush_cancels_the_attack_and_skips_friends() {
    // The tank on a1 wants to attack the infantry on f1, which the other infantry on e2 sees; the way along the
    // first row leads over its friend on c1 into the hidden d1: nobody sees two cells far there.
    let units = [('I', "a1", 0, 10), ('I', "c1", 0, 10), ('R', "d1", 1, 10)];
    let game = field(&["111111"], &units, 9, "cover=none");
    let mut board = game.start().inner;
    // c1 sees d1: blind it.
    board.sight[0] &= !(1 << 3);
    let deed = game.battle().perform::<true>(&mut board, 0, at(6, "d1"), Some(2), None);
    assert_eq!((deed.stop, deed.obstacle, deed.target), (at(6, "b1"), Some(at(6, "d1")), None));
    assert_eq!((board.unit(0).hp, board.unit(2).hp), (10, 10));
}

#[test]
fn bouncing_lets_one_choose_again() {
    let units = [('I', "a1", 0, 10), ('P', "d1", 1, 10), ('I', "f1", 1, 10)];
    let game = field(&["111111"], &units, 9, "collision=bounce");
    let state = after(&game, "0-d1");
    assert_eq!(state.inner.unit(0).cell, 0);
    assert!(!state.inner.has_acted(0) && state.inner.mover() == Player(0));
    assert_eq!(legal(&game, &state), ["0-a1", "0-b1", "0-c1"]);
    assert_eq!(sees(&game, "0-d1", 0), "d1 is occupied");
    assert_eq!(sees(&game, "0-d1", 1), "", "the other notices nothing");
    let next = after(&game, "0-d1 0-b1 1-d1 2-f1");
    assert!(legal(&game, &next).contains(&"0-d1".to_string()), "next turn it may try again");
}

#[test]
fn teleporting_looks_only_at_the_destination() {
    let units = [('P', "a1", 0, 10), ('R', "d1", 1, 10)];
    let game = field(&["1111111"], &units, 9, "collision=teleport");
    assert_eq!(after(&game, "0-f1").inner.unit(0).cell, at(7, "f1"));
    let state = after(&game, "0-d1");
    assert_eq!((state.inner.unit(0).cell, state.inner.mover()), (0, Player(1)));
    assert_eq!(
        sees(&game, "0-d1", 0),
        "your 0 had to stop on a1; R1 (10 HP) was sighted on d1; turn 2 begins"
    );
}

/// F7. On its way along the first row infantry comes by b2.
#[test]
fn what_is_passed_is_seen_from_the_way_or_not() {
    let units = [('I', "a1", 0, 10), ('I', "b2", 1, 10)];
    let rows = ["1111", "1111"];
    let game = field(&rows, &units, 9, "");
    assert_eq!(sees(&game, "0-d1", 0), "I1 (10 HP) was sighted on b2; turn 2 begins");
    let game = field(&rows, &units, 9, "glimpse=destination");
    assert_eq!(sees(&game, "0-d1", 0), "turn 2 begins");
}

/// F4 and F9. Artillery fires from the fog.
#[test]
fn the_victim_learns_of_the_damage_and_perhaps_of_the_shooter() {
    let units = [('U', "a1", 0, 10), ('F', "a2", 0, 5), ('P', "d1", 1, 10)];
    let rows = ["111111", "111111"];
    let names = "0x2";
    let game = field(&rows, &units, 9, "");
    let left = 10 - damage(Kind::Cannon, 10, Kind::Panzer, 10, 1);
    assert_eq!(sees(&game, names, 1), format!("your 2 has {left} HP"));
    assert_eq!(sees(&game, names, 0), format!("P2 ({left} HP) is on d1"));
    let told = field(&rows, &units, 9, "shooter=revealed");
    assert_eq!(sees(&told, names, 1), format!("your 2 has {left} HP; U0 (10 HP) is on a1"));
    let hidden = field(&rows, &units, 9, "enemy-hp=hidden");
    assert_eq!(sees(&hidden, names, 0), "P2 is on d1");
    assert_eq!(sees(&hidden, names, 1), format!("your 2 has {left} HP"), "one's own hit points are known");
}

/// F10. The tank on d1 sees two cells.
#[test]
fn moves_are_seen_in_part_as_they_come_or_at_the_start_of_the_turn() {
    let units = [('I', "b1", 0, 10), ('I', "a1", 0, 10), ('P', "d1", 1, 10)];
    let row = ["1111111"];
    let game = field(&row, &units, 9, "");
    assert_eq!(sees(&game, "0-c1", 1), "I0 (10 HP) is on c1", "from sight into sight");
    assert_eq!(sees(&game, "0-b1", 1), "I0 (10 HP) is on b1", "waiting in sight");
    assert_eq!(
        sees(&game, "0-b1 1-a1", 1),
        "turn 2 begins",
        "out of sight nothing is seen but the turn's end"
    );
    assert_eq!(sees(&game, "0-c1 1-b1", 1), "I1 (10 HP) is on b1; turn 2 begins", "from the fog into sight");
    let away = field(&row, &[('I', "c1", 0, 10), ('I', "a1", 0, 10), ('P', "e1", 1, 10)], 9, "");
    assert_eq!(sees(&away, "0-b1", 1), "0 went out of sight");
    let late = field(&row, &units, 9, "report=start");
    assert_eq!(sees(&late, "0-c1", 1), "");
    assert_eq!(sees(&late, "0-c1 1-a1", 1), "your 2 has 10 HP; turn 2 begins; I0 (10 HP) is on c1");
}

/// The winner's last shot shows everything: the fog lifts when the game is over (F13 tells the result).
#[test]
fn the_end_lifts_the_fog() {
    let units = [('P', "a1", 0, 10), ('F', "f1", 0, 5), ('I', "b1", 1, 1)];
    let game = field(&["111111"], &units, 9, "");
    for seat in 0..2 {
        assert_eq!(
            sees(&game, "0x2w", seat),
            "red has won; turn 1 begins; P0 (10 HP) on a1; F1 (5 HP) on f1"
        );
    }
    let state = after(&game, "0x2w");
    assert!(Observer::all(2).all(|by| game.info(&state, by).board == Some(state.inner)));
}

/// F5. The infantry sees the tank, the tank leaves.
#[test]
fn ghosts_show_where_enemies_were_last_seen() {
    let units = [('I', "b1", 0, 10), ('P', "c1", 1, 10), ('P', "f1", 1, 10)];
    let names = "0-b1 1-e1 2-f1";
    let seen = |memory: &str| {
        let game = field(&["1111111"], &units, 9, &format!("memory={memory}"));
        let state = after(&game, names);
        fogtree_core::text::plain(&game.view(&game.info(&state, Observer::Seat(Player(0)))))
    };
    assert!(seen("ghosts").contains("p1"), "{}", seen("ghosts"));
    assert!(!seen("none").contains("p1") && !seen("none").contains("P1"), "{}", seen("none"));
}

/// F11 and F12: armies drawn by chance are seen by their owners only.
#[test]
fn drawn_armies_are_their_owners_secret() {
    let game = game("map=pass,army=drawn,kinds=PI,numbers=unknown,noise=hp");
    let mut state = game.start();
    assert_eq!(game.turn(&state), Turn::Chance);
    let army = game.parse_outcome("red:I9a1+-").unwrap();
    assert!(game.is_possible(&state, &army));
    for (by, told) in [
        (Observer::Seat(Player(0)), "red has its army; I0 (9 HP) starts on a1; F1 starts on a1"),
        (Observer::Seat(Player(1)), "red has its army"),
    ] {
        let seen = game.observe(&state, Step::Chance(&army), by).unwrap();
        assert_eq!(game.explain(&seen, by), told);
    }
    game.apply(&mut state, Step::Chance(&army));
    for bad in ["blue:U9d3+P6c3", "blue:-+P6c3", "blue:I8d3+P6c3", "red:I9a1+-"] {
        let army = game.parse_outcome(bad).unwrap();
        assert!(!game.is_possible(&state, &army), "{bad}");
    }
}

/// The policies never see through the fog, except those that say so.
#[test]
fn policies_act_on_what_is_seen() {
    let units = [('U', "a1", 0, 10), ('P', "d1", 1, 10)];
    let game = field(&["11111"], &units, 9, "");
    let mut scratch = Scratch::default();
    let mut rng = rng(9);
    for (policy, named) in POLICIES.iter().enumerate() {
        for _ in 0..50 {
            let action = game.policy_action(policy, &game.start(), Player(0), &mut rng, &mut scratch);
            assert!(matches!(action, Action::Move { .. }), "{}: {action:?}", named.name);
        }
    }
    let first = |policy: &str, rng: &mut Rng| {
        let mut board = game.battle().start();
        let policy = Policy::find(POLICIES, policy).unwrap();
        game.battle().play_on(&mut board, policy, 1, u32::MAX, rng).attacks
    };
    assert_eq!((first("always", &mut rng), first("open-always", &mut rng)), (0, 1));
}

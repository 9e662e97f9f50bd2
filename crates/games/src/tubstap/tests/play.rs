//! The numbers of the rules, against the published ones and against measurements made with another program.

use super::*;

/// Attacker (kind, hit points, stars), defender, damage and counter-damage: spec 1.5.
#[test]
fn damage_is_as_published() {
    let fighter = |kind: char, hp, stars| Fighter { kind: Kind::of_letter(kind).unwrap(), hp, stars };
    #[rustfmt::skip]
    let vectors = [
        (('P', 10, 1), ('P', 10, 1), (5, 3)), (('P', 10, 0), ('P', 10, 4), (4, 4)),
        (('P', 10, 1), ('R', 10, 1), (7, 1)), (('R', 10, 1), ('P', 10, 1), (2, 6)),
        (('R', 10, 3), ('P', 10, 1), (2, 5)), (('A', 5, 4), ('P', 10, 1), (5, 0)),
        (('A', 5, 1), ('R', 10, 1), (4, 4)), (('A', 5, 1), ('R', 10, 3), (3, 5)),
        (('I', 10, 4), ('I', 10, 4), (4, 2)), (('A', 10, 1), ('I', 10, 4), (8, 0)),
        (('F', 5, 1), ('A', 5, 4), (3, 0)), (('F', 5, 1), ('F', 5, 1), (3, 1)),
        (('F', 5, 1), ('R', 10, 1), (0, 5)), (('R', 10, 1), ('F', 5, 4), (5, 0)),
        (('R', 10, 1), ('A', 5, 1), (5, 0)), (('R', 10, 1), ('R', 10, 3), (4, 3)),
        (('U', 10, 1), ('P', 10, 3), (5, 0)), (('P', 10, 1), ('U', 10, 1), (7, 0)),
        (('I', 10, 1), ('P', 10, 1), (1, 6)),
    ];
    for ((ka, ha, sa), (kd, hd, sd), result) in vectors {
        assert_eq!(exchange(fighter(ka, ha, sa), fighter(kd, hd, sd)), result, "{ka}{ha}/{sa} {kd}{hd}/{sd}");
    }
    let single = |a: char, ha, d: char, hd, stars| {
        damage(Kind::of_letter(a).unwrap(), ha, Kind::of_letter(d).unwrap(), hd, stars)
    };
    assert_eq!([0, 1, 3, 4].map(|stars| single('P', 10, 'P', 10, stars)), [6, 5, 4, 4]);
    assert_eq!([0, 1].map(|stars| single('I', 10, 'R', 10, stars)), [1, 0]);
    assert_eq!(
        (single('A', 10, 'P', 10, 1), single('P', 1, 'P', 10, 1), single('F', 10, 'P', 10, 0)),
        (10, 1, 0)
    );
}

#[test]
fn the_experiment_map_is_as_described() {
    let game = game("");
    let map = &game.battle().map;
    let count = |terrain| map.terrain.iter().filter(|t| **t == terrain).count();
    let kinds = [Terrain::Plain, Terrain::Wood, Terrain::Road, Terrain::Mountain, Terrain::Sea];
    assert_eq!(kinds.map(count), [33, 14, 7, 6, 4]);
    let unlike = (0..64).filter(|&cell| map.terrain[cell] != map.terrain[63 - cell]).count();
    assert_eq!(unlike, 18, "the terrain is not point-symmetric");
    for unit in &map.units[0] {
        let twin = map.units[1].iter().find(|other| other.cell == map.mirrored(unit.cell)).unwrap();
        assert_eq!((unit.kind, unit.hp), (twin.kind, twin.hp), "the armies are");
    }
    assert_eq!(map.units.each_ref().map(|army| army.iter().map(|u| u32::from(u.hp)).sum::<u32>()), [70, 70]);
    assert_eq!((map.limit, map.threshold), (50, 1));
}

/// Spec 1.15: reachable cells of each unit, which are all the actions at the start. In the fog the fighter may
/// also be sent nine cells far to where, unseen, a tank of the enemy stands.
#[test]
fn the_first_turn_has_190_actions_and_the_second_192() {
    for (fog, far) in [("fog=off", 0), ("fog=on", 1)] {
        let game = game(fog);
        let moves = |state: &State, unit: u8| {
            let prefix = format!("{unit}-");
            legal(&game, state).iter().filter(|name| name.starts_with(&prefix)).count()
        };
        let start = game.start();
        assert_eq!(
            [0, 1, 2, 3, 4, 5, 6, 7].map(|u| moves(&start, u)),
            [29, 18, 17, 18, 46 + far, 21, 20, 21]
        );
        assert_eq!(legal(&game, &start).len(), 190 + far);
        let blue = after(&game, "0-a1 1-a2 2-a3 3-a4 4-b1 5-b2 6-b3 7-b4");
        assert_eq!(blue.inner.mover(), Player(1));
        assert_eq!(
            [8, 9, 10, 11, 12, 13, 14, 15].map(|u| moves(&blue, u)),
            [22, 21, 21, 46 + far, 18, 18, 17, 29]
        );
        assert_eq!(legal(&game, &blue).len(), 192 + far);
    }
}

/// What came of many random games.
struct Statistics {
    turns: f64,
    annihilated: f64,
    draws: f64,
    red: f64,
    attacks: f64,
    moves: f64,
}

fn statistics(game: &Tubstap, policy: &str, games: u32) -> Statistics {
    let policy = Policy::find(POLICIES, policy).unwrap();
    let battle = game.battle();
    let mut rng = rng(5);
    let mut sum = [0.0; 6];
    for _ in 0..games {
        let mut board = battle.start();
        let tally = battle.play_out(&mut board, policy, &mut rng);
        let Phase::Over(winner) = board.phase() else { panic!("the game is not over") };
        let gone = board.occupied(Player(0)) == 0 || board.occupied(Player(1)) == 0;
        // A turn in which somebody is annihilated counts.
        let turns = board.turn() + u16::from(gone);
        let add = [
            f64::from(turns),
            f64::from(u8::from(gone)),
            f64::from(u8::from(winner.is_none())),
            f64::from(u8::from(winner == Some(Player(0)))),
            f64::from(tally.attacks),
            f64::from(tally.moves),
        ];
        for (sum, add) in sum.iter_mut().zip(add) {
            *sum += add / f64::from(games);
        }
    }
    let [turns, annihilated, draws, red, attacks, moves] = sum;
    Statistics { turns, annihilated, draws, red, attacks, moves }
}

/// Spec 1.15, measured from 150, 400 and 400 games. The tolerances are some four standard errors, with spreads that were
/// guessed rather than measured; for uniform play they are wide.
#[test]
fn random_games_last_and_end_as_measured() {
    let game = game("fog=off");
    let near = |what: &str, found: f64, measured: f64, within: f64| {
        assert!((found - measured).abs() <= within, "{what}: {found:.3} rather than {measured} +- {within}");
    };
    let uniform = statistics(&game, "uniform", 600);
    near("turns", uniform.turns, 47.2, 2.5);
    near("annihilations", uniform.annihilated, 0.27, 0.145);
    near("draws", uniform.draws, 0.107, 0.10);
    near("red wins", uniform.red, 0.44, 0.16);
    near("attacks", uniform.attacks, 27.8, 2.5);
    near("moves", uniform.moves, 176.8, 14.0);
    let attack = statistics(&game, "attack", 2000);
    near("turns", attack.turns, 11.3, 0.7);
    near("annihilations", attack.annihilated, 0.99, 0.02);
    near("red wins", attack.red, 0.41, 0.10);
    near("attacks", attack.attacks, 31.0, 1.2);
    near("moves", attack.moves, 18.9, 2.0);
    let always = statistics(&game, "always", 2000);
    near("turns", always.turns, 9.7, 0.7);
    near("annihilations", always.annihilated, 0.99, 0.02);
    near("red wins", always.red, 0.40, 0.10);
    near("attacks", always.attacks, 31.3, 1.2);
    near("moves", always.moves, 13.0, 2.0);
}

#[test]
fn a_game_of_fifty_turns_gives_each_side_twenty_five() {
    let game = game("");
    let mut state = game.start();
    let mut turns = [0; 2];
    let mut steps = 0;
    while let Turn::Player(who) = game.turn(&state) {
        let before = state.inner.turn();
        let unit = game.battle().ready(&state.inner).trailing_zeros() as u8;
        let stay = Action::Move { unit, to: state.inner.unit(unit).cell };
        game.apply(&mut state, Step::Moves(&[(who, stay)]));
        turns[who.index()] += state.inner.turn() - before;
        steps += 1;
    }
    assert_eq!((turns, steps), ([25, 25], 400));
    assert_eq!(game.facts().max_length, 400);
    assert_eq!(state.inner.phase(), Phase::Over(None), "nobody lost anything");
    assert_eq!(game.rewards(&state).as_slice(), [0.5, 0.5]);
}

/// The lead must be greater than the threshold, and may be counted in units.
#[test]
fn games_are_adjudicated_by_the_threshold() {
    // Red's tank of 10 takes 5 from Blue's and loses 3: 7 to 5.
    let units = [('P', "a1", 0, 10), ('P', "d1", 1, 10), ('I', "f1", 1, 1)];
    let result = |threshold: u16, adjudication: Adjudication| {
        let mut game = field(&["111111"], &units, 1, "fog=off");
        let mut battle = game.battle().clone();
        (battle.threshold, battle.adjudication) = (threshold, adjudication);
        game.rules = Tracked::new(battle, TrackedMethod::Exact { limit: MOST_WORLDS });
        after(&game, "0x1w").inner.phase()
    };
    assert_eq!(result(0, Adjudication::HitPoints), Phase::Over(Some(Player(0))));
    assert_eq!(result(1, Adjudication::HitPoints), Phase::Over(None));
    assert_eq!(result(0, Adjudication::Units), Phase::Over(Some(Player(1))));
    assert_eq!(result(1, Adjudication::Units), Phase::Over(None));
}

#[test]
fn annihilation_ends_the_game_at_once() {
    let units = [('P', "a1", 0, 10), ('I', "b1", 0, 10), ('I', "d1", 1, 1)];
    let game = field(&["11111"], &units, 9, "fog=off");
    let state = after(&game, "0x2w");
    assert_eq!(state.inner.phase(), Phase::Over(Some(Player(0))), "though the infantry has not acted");
    // A counter-attack may annihilate as well: infantry of 6 takes 1 from a tank of 10, which strikes back with 7.
    let units = [('I', "a1", 0, 6), ('P', "b1", 1, 10)];
    let game = field(&["55"], &units, 9, "fog=off");
    let state = after(&game, "0x1w");
    assert_eq!(state.inner.phase(), Phase::Over(Some(Player(1))));
}

#[test]
fn units_marked_as_acted_sit_out_their_first_turn() {
    let mut file = String::from_utf8(game("map=pass").battle().map.write()).unwrap();
    file = file
        .replace("1,1,infantry,0,10,0", "1,1,infantry,0,10,1")
        .replace("infantry,1,10,0", "infantry,1,10,1");
    let map = Map::read(file.as_bytes()).unwrap();
    let battle = Battle::new(map, Fog::from_params(&params("")).unwrap(), Muster::default());
    let mut board = battle.start();
    assert_eq!(battle.ready(&board), 0b10);
    let stay = |board: &Board, unit: u8| Action::Move { unit, to: board.unit(unit).cell };
    let wait = stay(&board, 1);
    battle.act(&mut board, wait);
    assert_eq!((board.mover(), battle.ready(&board)), (Player(1), 0b1000));
    let wait = stay(&board, 3);
    battle.act(&mut board, wait);
    assert_eq!((board.mover(), battle.ready(&board)), (Player(0), 0b11));
}

/// Artillery shoots without moving, takes no counter-attack and gives none.
#[test]
fn artillery_shoots_from_where_it_stands() {
    let units = [('U', "a1", 0, 10), ('P', "d1", 1, 10), ('P', "b1", 0, 1)];
    let game = field(&["111111"], &units, 9, "fog=off");
    let names = legal(&game, &game.start());
    let shots: Vec<&String> = names.iter().filter(|name| name.starts_with("0x")).collect();
    assert_eq!(shots, ["0x2"]);
    let state = after(&game, "0x2");
    assert_eq!(
        (state.inner.unit(0).hp, state.inner.unit(2).hp),
        (10, 10 - damage(Kind::Cannon, 10, Kind::Panzer, 10, 1))
    );
    let near = field(&["111111"], &[('U', "a1", 0, 10), ('P', "b1", 1, 10)], 9, "fog=off");
    assert!(legal(&near, &near.start()).iter().all(|name| !name.contains('x')), "too near to shoot");
}

#[test]
fn evaluations_are_as_in_their_sources() {
    let units = [('F', "a1", 0, 5), ('I', "b1", 0, 10), ('P', "f1", 1, 4), ('R', "e1", 1, 2)];
    let battle = field(&["111111"], &units, 9, "").battle().clone();
    let board = battle.start();
    let score = |by| battle.score(&board, Player(0), by);
    assert_eq!(score(Evaluation::Outcome), 1.0);
    assert!((score(Evaluation::Weighted) - (10.0 + 2.0 - 6.0 - 1.4)).abs() < 1e-12);
    assert_eq!(score(Evaluation::Infantry), 20.0 + 10.0 - 16.0 - 8.0);
    assert!((score(Evaluation::Values) - (2.0 + 1.0 - 1.6 - 0.5)).abs() < 1e-12);
    let mut even = battle.clone();
    even.threshold = 10;
    assert_eq!(even.score(&board, Player(0), Evaluation::Outcome), 0.5, "9 ahead");
    even.threshold = 9;
    assert_eq!(even.score(&board, Player(0), Evaluation::Outcome), 1.0, "the threshold is enough here");
}

/// MaxActEval prefers the attack with the best balance, and goes where it is of use if there is none.
#[test]
fn max_act_eval_attacks_well_and_advances() {
    let units = [('P', "a1", 0, 10), ('R', "d1", 1, 10), ('P', "d2", 1, 10)];
    let game = field(&["11111", "11111"], &units, 9, "fog=off");
    let battle = game.battle();
    // Nobody has acted, so nobody is threatened: 7 * 10 - 1 * 20 against 5 * 10 - 3 * 20.
    let board = battle.start();
    assert_eq!(battle.attack_value(&board, 0, at(5, "c1"), 1), 50);
    assert_eq!(battle.attack_value(&board, 0, at(5, "c2"), 2), -10);
    let best = battle.max_act_eval(&board, &[], &mut rng(1));
    assert!(matches!(best, Action::Attack { unit: 0, target: 1, .. }), "{best:?}");
    let far = field(&["11111511111"], &[('P', "a1", 0, 10), ('P', "k1", 1, 10)], 9, "");
    let board = far.battle().start();
    let blind = far.battle().max_act_eval(&board, &[], &mut rng(1));
    assert_eq!(blind, Action::Move { unit: 0, to: 0 }, "it sees nobody, and one plain is as good as another");
    let known = far.info(&far.start(), Observer::Seat(Player(0)));
    let believed = far.track(&known).unwrap().believed(far.battle());
    assert_eq!(believed, [(Kind::Panzer, 10)]);
    let told = far.battle().max_act_eval(&board, &believed, &mut rng(1));
    // The road gives no cover: 55 / (4 + 5) on the plain behind it beats 5 * 1 + 55 / (6 + 5) before it.
    assert_eq!(told, Action::Move { unit: 0, to: 6 });
}

#[test]
fn names_are_read_back_and_codes_are_dense() {
    let game = game("map=map01,end-turn=yes");
    let all = game.codes().unwrap();
    for code in 0..all as u64 {
        let action = game.battle().action_of(code).unwrap();
        assert_eq!(game.code(action), code);
        assert_eq!(game.parse_action(&game.action_name(action)), Some(action));
    }
    assert_eq!(game.battle().action_of(all as u64), None);
    assert_eq!(super::super::tests::game("").codes(), Some(16 * 64 + 16 * 16 * 5 + 1));
}

#[test]
fn positions_are_small_plain_data() {
    fn plain<T: Copy>() -> usize {
        size_of::<T>()
    }
    assert_eq!(plain::<Board>(), 152);
}

/// A world taken for the truth is played without fog.
#[test]
fn the_fog_can_be_lifted() {
    let game = game("");
    let open = game.battle().without_fog();
    let board = open.lifted(&game.battle().start());
    assert_eq!(board, open.start());
    let mut names = Vec::new();
    open.actions(&board, Player(0), &mut names);
    assert_eq!(names.len(), 190);
}

/// The counters of the battle log: an attack in turn 2 and one in turn 7, none of the other side, and what is left
/// (`tubstap/1.11`).
#[test]
fn early_attacks_are_counted() {
    let units = [('P', "a1", 0, 10), ('I', "c1", 1, 10)];
    let game = field(&["1111"], &units, 9, "fog=off");
    let wait = |unit: u8, to: &str| Action::Move { unit, to: at(4, to) };
    let attack = Action::Attack { unit: 0, target: 1, from: Side::West };
    let mut state = game.start();
    let mut out = Vec::new();
    let mut steps = 0;
    while let Turn::Player(who) = game.turn(&state) {
        let action = match (who.0, state.inner.turn()) {
            (0, 2 | 6) => attack,
            (0, _) => wait(0, if state.inner.turn() < 2 { "a1" } else { "b1" }),
            _ => wait(1, "c1"),
        };
        let moves = [(who, action)];
        game.metrics(&state, Step::Moves(&moves), &mut out);
        game.apply(&mut state, Step::Moves(&moves));
        steps += 1;
    }
    let total = |side, name: &str| -> Option<f64> {
        let of = out.iter().filter(|(p, n, _)| *p == Player(side) && *n == name).map(|c| c.2);
        of.clone().next().map(|_| of.sum())
    };
    // 75 * 10 + 70 over 110 takes 7 of 10, and the rest goes with the second attack, which ends the game in turn 6.
    assert_eq!(steps, 7);
    assert_eq!([total(0, "attacks-0-5"), total(0, "attacks-6-11")], [Some(1.0), Some(1.0)]);
    assert_eq!([total(1, "attacks-0-5"), total(1, "attacks-6-11")], [Some(0.0), Some(0.0)]);
    assert_eq!(
        [total(0, "hp"), total(0, "hp-panzer"), total(0, "hp-cannon")],
        [Some(10.0), Some(10.0), Some(0.0)]
    );
    assert_eq!([total(1, "hp"), total(1, "hp-infantry")], [Some(0.0), Some(0.0)]);
}

/// Whoever may give up loses at once, whatever is left, and no policy does so (`tubstap/1.7`).
#[test]
fn a_side_may_surrender() {
    let units = [('P', "a1", 0, 10), ('I', "d1", 1, 1)];
    for fog in ["on", "off"] {
        let game = field(&["1111"], &units, 9, &format!("surrender=yes,fog={fog}"));
        let mut state = game.start();
        let mut legal = Vec::new();
        game.actions(&state, Player(0), &mut legal);
        assert_eq!(legal.last(), Some(&Action::Surrender));
        assert_eq!(game.parse_action("surrender"), Some(Action::Surrender));
        assert_eq!(game.codes(), Some(game.code(Action::Surrender) as usize + 1));
        let mut rng = rng(2);
        let mut scratch = Scratch::default();
        let gives_up = |rng: &mut Rng, scratch: &mut Scratch<Tubstap>| {
            game.random_action(&game.start(), Player(0), rng, scratch) == Action::Surrender
        };
        let times = (0..1000).filter(|_| gives_up(&mut rng, &mut scratch)).count();
        let share = 1000 / legal.len();
        assert!((share / 2..2 * share).contains(&times), "{times} of 1000, one in {}", legal.len());
        for name in ["uniform", "attack", "max-act-eval"] {
            let policy = Policy::find(POLICIES, name).unwrap();
            let never = |_| game.policy_action(policy, &game.start(), Player(0), &mut rng, &mut scratch);
            assert!((0..300).map(never).all(|action| action != Action::Surrender), "{name}");
        }
        let step = [(Player(0), Action::Surrender)];
        let told = game.observe(&state, Step::Moves(&step), Observer::Seat(Player(1)));
        assert!(told.is_some());
        game.apply(&mut state, Step::Moves(&step));
        assert_eq!(game.turn(&state), Turn::Terminal);
        assert_eq!(game.rewards(&state).iter().copied().collect::<Vec<_>>(), [0.0, 1.0]);
    }
    let plain = game("");
    assert_eq!(plain.codes(), Some(plain.code(Action::EndTurn) as usize + 1));
}

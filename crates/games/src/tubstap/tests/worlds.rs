//! What is known, what can be told from it, and the worlds drawn from it.

use fogtree_core::testing::{Options, accept, check_tree};

use super::*;

const SWITCHES: &[&str] = &[
    "",
    "sampler=uniform",
    "sampler=mirror",
    "sampler=last-seen",
    "sampler=particles,particles=20",
    "map=map01,collision=bounce",
    "map=map01,collision=teleport,metric=chebyshev",
    "map=ford,cover=woods,glimpse=destination,shooter=revealed",
    "map=ford,cover=rays,end-turn=yes,metric=euclid",
    "map=ridge,report=start,sampler=last-seen",
    "map=ridge,report=start,collision=bounce,end-turn=yes",
    "map=map01,noise=both",
    "map=ford,army=drawn,kinds=PRIF,sampler=tracked",
    "map=ridge,army=drawn,numbers=unknown,noise=cells",
    "map=map01,enemy-hp=hidden",
];

/// Plays random games and shows every position in which somebody is to move.
fn each_position(game: &Tubstap, games: u32, mut with: impl FnMut(&State, Player, &mut Rng)) {
    let mut rng = rng(21);
    let mut scratch = Scratch::default();
    for number in 0..games {
        let mut state = game.start();
        loop {
            match game.turn(&state) {
                Turn::Terminal => break,
                Turn::Chance => fogtree_core::random_step(game, &mut state, &mut rng, &mut scratch),
                Turn::Player(who) => {
                    with(&state, who, &mut rng);
                    let action = game.policy_action(number as usize % 3, &state, who, &mut rng, &mut scratch);
                    game.apply(&mut state, Step::Moves(&[(who, action)]));
                }
                Turn::Simultaneous(_) => unreachable!(),
            }
        }
    }
}

/// Spec 1.14: all losses come from fights in which one takes part, and sees them if one is told in time.
fn hp_is_known(battle: &Battle) -> bool {
    battle.fog.enemy_hp && battle.fog.report == fog::Report::Each && !battle.muster.draws_hp()
}

/// The tracker rebuilds from observations alone what the engine knows, and never loses the truth.
#[test]
fn what_is_seen_can_be_rebuilt_and_the_truth_stays_possible() {
    for text in SWITCHES {
        let game = game(text);
        let battle = game.battle();
        each_position(&game, 6, |state, mover, _| {
            let board = &state.inner;
            for who in Player::all(2) {
                if battle.fog.report == fog::Report::Start && who != mover {
                    continue;
                }
                let known = game.info(state, Observer::Seat(who));
                let track = game.track(&known).unwrap();
                assert_eq!(track.turn, board.turn());
                assert_eq!(track.sight, board.sight(who), "{text}");
                for id in 0..battle.slots() {
                    let unit = board.unit(id);
                    if battle.side_of(id) == who {
                        assert_eq!(track.own[usize::from(id)], unit, "{text}: own {id}");
                        continue;
                    }
                    let foe = track.foe(id);
                    assert!(foe.alive || unit.hp == 0, "{text}: {id}");
                    if unit.hp == 0 {
                        assert!(!foe.alive || !foe.exists, "{text}: {id}");
                        continue;
                    }
                    assert_eq!(
                        foe.seen,
                        board.sight(who) & unit.bit() != 0,
                        "{text}: {id}\n{}",
                        game.show(state)
                    );
                    let moving = who != mover && !foe.moved && !foe.seen;
                    assert!(
                        moving || foe.possible & unit.bit() != 0,
                        "{text}: {id} is lost\n{}",
                        game.show(state)
                    );
                    if foe.kind.is_some() {
                        assert_eq!(foe.kind, Some(unit.kind));
                    }
                    if hp_is_known(battle) {
                        assert_eq!(foe.hp, unit.hp, "{text}: {id}");
                    }
                }
            }
        });
    }
}

/// Spec 2.7: survivors, legal cells, the same observation.
#[test]
fn drawn_worlds_keep_what_is_certain() {
    for text in SWITCHES {
        let game = game(text);
        let battle = game.battle();
        let mut world = game.start();
        each_position(&game, 3, |state, mover, rng| {
            if rng.below(4) > 0 {
                return;
            }
            let by = Observer::Seat(mover);
            let known = game.info(state, by);
            let mut sampler = game.sampler(&known);
            for _ in 0..2 {
                assert_eq!(game.sample(&mut sampler, rng, &mut world), 1.0);
                assert_eq!(game.info(&world, by), known, "{text}");
                assert_eq!(legal(&game, &world), legal(&game, state));
                let mut taken = 0u64;
                for id in 0..battle.slots() {
                    let (drawn, truth) = (world.inner.unit(id), state.inner.unit(id));
                    if !battle.muster.may_miss() {
                        assert_eq!(drawn.hp > 0, truth.hp > 0, "{text}: {id}");
                    }
                    if drawn.hp == 0 || truth.hp == 0 {
                        continue;
                    }
                    if !battle.muster.draws_kinds() {
                        assert_eq!(drawn.kind, truth.kind);
                    }
                    if hp_is_known(battle) {
                        assert_eq!(drawn.hp, truth.hp, "{text}: {id}");
                    }
                    assert!(
                        taken & drawn.bit() == 0 && battle.ground.enterable(drawn.kind) & drawn.bit() != 0
                    );
                    taken |= drawn.bit();
                }
            }
        });
    }
}

/// Spec 2.7: the samplers differ where the spec says so.
#[test]
fn samplers_place_the_unseen_by_their_rules() {
    let spread = |text: &str, names: &str| {
        let game = game(text);
        let state = after(&game, names);
        let mut sampler = game.sampler(&game.info(&state, Observer::Seat(state.inner.mover())));
        let mut rng = rng(4);
        let mut world = game.start();
        let mut cells = [0u64; 16];
        for _ in 0..2000 {
            game.sample(&mut sampler, &mut rng, &mut world);
            for id in 0..16 {
                cells[usize::from(id)] |= world.inner.unit(id).bit();
            }
        }
        (cells, state.inner)
    };
    let turn = "0-a1 1-a2 2-a3 3-a4 4-b1 5-b2 6-b3 7-b4";
    let back = "8-g5 9-g6 10-g7 11-g8 12-h5 13-h6 14-h7 15-h8";
    let (cells, board) = spread("sampler=mirror", "");
    assert_eq!(
        cells,
        std::array::from_fn(|id| board.unit(id as u8).bit()),
        "on this map the mirror is right"
    );
    let (cells, board) = spread("sampler=uniform", "");
    let unseen = 64 - board.sight(Player(0)).count_ones();
    assert_eq!(cells[11].count_ones(), unseen, "a fighter may be anywhere");
    for sampler in ["last-seen", "tracked", "particles"] {
        let (cells, board) = spread(&format!("sampler={sampler}"), "");
        assert_eq!(
            cells,
            std::array::from_fn(|id| board.unit(id as u8).bit()),
            "nobody has moved: {sampler}"
        );
        let (cells, board) = spread(&format!("sampler={sampler}"), &format!("{turn} {back}"));
        // After one move a tank may be where it can get to: 22 cells from g5, friends being passed.
        let battle = game("");
        let reach =
            battle.battle().ground.reach(Kind::Panzer, board.unit(8).bit(), 0) & !board.sight(Player(0));
        assert_eq!(cells[8], reach, "{sampler}");
    }
    let (cells, _) = spread("sampler=mirror", &format!("{turn} {back}"));
    assert_eq!(cells[11].count_ones(), unseen, "later the mirror says nothing");
}

/// Seeing an empty cell tells something the last sighting does not.
#[test]
fn tracking_knows_where_nobody_can_be() {
    let units = [('P', "d1", 0, 10), ('I', "h1", 1, 10), ('I', "g1", 1, 10)];
    let rows = ["11111111"];
    let names = "0-e1 1-h1 2-g1 0-c1 1-h1 2-g1";
    let possible = |text: &str| {
        let game = field(&rows, &units, 20, text);
        let state = after(&game, names);
        let known = game.info(&state, Observer::Seat(Player(0)));
        let mut sampler = game.sampler(&known);
        let mut world = game.start();
        let mut rng = rng(8);
        (0..500).fold(0u64, |set, _| {
            game.sample(&mut sampler, &mut rng, &mut world);
            set | world.inner.unit(1).bit() | world.inner.unit(2).bit()
        })
    };
    // The tank saw e1 to g1 from e1 with g1 in sight, then left: they may have followed three cells.
    assert!(possible("sampler=uniform") >= possible("sampler=tracked"));
    assert_eq!(possible("sampler=tracked") & !possible("sampler=last-seen"), 0);
    assert_eq!(possible("sampler=exact") & !possible("sampler=tracked"), 0, "the truth is never ruled out");
}

/// Whatever the hidden truth, under one seed the same is decided.
#[test]
fn decisions_do_not_depend_on_what_is_hidden() {
    let mut all = 0;
    for text in SWITCHES {
        let game = game(text);
        let mut scratch = Scratch::default();
        let mut world = game.start();
        let mut differed = 0;
        each_position(&game, 3, |state, mover, rng| {
            if rng.below(4) > 0 {
                return;
            }
            let known = game.info(state, Observer::Seat(mover));
            game.sample(&mut game.sampler(&known), rng, &mut world);
            differed += u32::from(world.inner != state.inner);
            let seed = Seed(rng.bits());
            let decisions = |truth: &State| {
                let mut rng = seed.stream(Purpose::Ties);
                let known = game.info(truth, Observer::Seat(mover));
                let mut chosen: Vec<Action> = (0..POLICIES.len())
                    .map(|policy| game.policy_action(policy, truth, mover, &mut rng, &mut scratch))
                    .collect();
                chosen.push(game.random_action(truth, mover, &mut rng, &mut scratch));
                if game.battle().fog.enemy_hp {
                    chosen.push(game.battle().max_act_eval(&truth.inner, &[], &mut rng));
                }
                // A search that knows only what is known: the best of a few actions by playouts of drawn worlds.
                let mut sampler = game.sampler(&known);
                let mut legal = Vec::new();
                game.actions(truth, mover, &mut legal);
                rng.shuffle(&mut legal);
                let mut drawn = game.start();
                let best = legal.iter().take(3).map(|&action| {
                    game.sample(&mut sampler, &mut rng, &mut drawn);
                    game.apply(&mut drawn, Step::Moves(&[(mover, action)]));
                    game.policy_playout(&game, Some(1), None, &mut drawn, &mut rng, &mut scratch);
                    (game.rewards(&drawn)[mover], action)
                });
                chosen.extend(best.reduce(|a, b| if b.0 > a.0 { b } else { a }).map(|best| best.1));
                (known, legal, chosen)
            };
            let mut decide = decisions;
            let (here, there) = (decide(state), decide(&world));
            assert!(here == there, "{text}: {here:?} but {there:?}");
        });
        assert!(differed > 0, "{text}: no world differed");
        all += differed;
    }
    assert!(all > 500, "only {all} worlds differed");
}

/// The exact sampler keeps the laws under switches that the conformance suite's instances leave alone.
#[test]
fn small_instances_keep_the_laws() {
    for text in [
        "map=ambush,sampler=exact,collision=teleport,glimpse=destination",
        "map=battery,sampler=exact,limit=3,shooter=revealed,adjudication=units",
        "map=ambush,sampler=exact,army=drawn,kinds=PI,numbers=unknown,limit=2",
        "map=ambush,noise=cells,sampler=exact,limit=2",
        "map=ambush,fog=off,limit=2,reward=signed",
    ] {
        accept(&check_tree(&game(text), &Options::default()));
    }
}

/// The public sees turns begin and the end.
#[test]
fn the_public_sees_turns_pass() {
    let game = game("map=pass");
    let state = after(&game, "0-a1 1-b1 2-d3");
    let known = game.info(&state, Observer::Public);
    assert_eq!(known.events.len(), 1);
    let Event::Seen(seen) = &known.events[0] else { panic!() };
    assert_eq!(game.explain(seen, Observer::Public), "turn 2 begins");
    let mut world = game.start();
    game.sample(&mut game.sampler(&known), &mut rng(1), &mut world);
    assert_eq!(game.info(&world, Observer::Public), known);
}

/// Where there are too many worlds to list, the exact sampler gives up soon and tracks.
#[test]
fn too_many_worlds_are_not_listed() {
    let game = game("sampler=exact");
    let turn = "0-a1 1-a2 2-a3 3-a4 4-b1 5-b2 6-b3 7-b4 8-g5 9-g6 10-g7 11-g8 12-h5 13-h6 14-h7 15-h8";
    let state = after(&game, turn);
    let known = game.info(&state, Observer::Seat(Player(0)));
    let mut world = game.start();
    game.sample(&mut game.sampler(&known), &mut rng(2), &mut world);
    assert_eq!(game.info(&world, Observer::Seat(Player(0))), known);
}

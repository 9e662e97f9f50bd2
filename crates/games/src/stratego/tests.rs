use std::collections::{BTreeMap, BTreeSet, HashMap};

use fogtree_core::play::{IllegalStep, play, read_ply};
use fogtree_core::{Purpose, Seed, random_step};

use super::board::Last;
use super::*;
use crate::testing::legal;

fn try_game(params: &str) -> Result<Stratego, BadSpec> {
    Stratego::from_params(&crate::testing::params(&ABOUT, params)?)
}

fn game(params: &str) -> Stratego {
    try_game(params).unwrap()
}

const RED: Player = Player(0);
const BLUE: Player = Player(1);

/// The state after both have set up.
fn set_up(rules: &Stratego, rng: &mut Rng) -> State {
    let mut s = rules.start();
    while rules.turn(&s) == Turn::Chance {
        let setup = rules.sample_chance(&s, rng);
        rules.apply(&mut s, Step::Chance(&setup));
    }
    s
}

/// Plays moves written as words, after the setups that the parameters give.
fn go(rules: &Stratego, moves: &str) -> Result<State, IllegalStep> {
    let mut s = set_up(rules, &mut Seed(1).stream(Purpose::Deal));
    let mut words = moves.split_whitespace();
    while let Some(ply) = read_ply(rules, &s, &mut words)? {
        play(rules, &mut s, ply.step())?;
    }
    Ok(s)
}

fn at(rules: &Stratego, s: &State, cell: &str) -> Option<(Player, Kind)> {
    let square = s.square(rules.parse_cell(cell).unwrap());
    square.owner().zip(square.kind())
}

#[test]
fn the_usual_army_has_forty_pieces() {
    let rules = game("");
    assert_eq!(rules.pieces().count(), 40);
    let of = |kind: Kind| rules.army[kind as usize];
    assert_eq!(
        [of(Kind::Flag), of(Kind::Bomb), of(Kind::Spy), of(Kind::Scout), of(Kind::Miner)],
        [1, 6, 1, 8, 5]
    );
    assert_eq!([of(Kind::Sergeant), of(Kind::Lieutenant), of(Kind::Captain), of(Kind::Major)], [4, 4, 4, 3]);
    assert_eq!([of(Kind::Colonel), of(Kind::General), of(Kind::Marshal)], [2, 1, 1]);
    assert_eq!(rules.land.count_ones(), 92, "two lakes of four");
    // 40! / (8! 5! 4!^3 3! 2! 6!), about 1.4 * 10^33.
    assert!((rules.setups() / 1.4e33 - 1.0).abs() < 0.01, "{:e}", rules.setups());
}

#[test]
fn parameters_are_checked() {
    for bad in [
        "columns=1",
        "rows=11",
        "home=0",
        "home=6",
        "rows=5,home=3",
        "army=FB",
        "army=M",
        "army=FFM",
        "army=FX",
        "columns=2,rows=2,home=1,army=F23",
        "lakes=[a1]",
        "lakes=[k5]",
        "lakes=water",
        "setup=none",
        "red=FB3M",
        "columns=4,rows=3,home=1,army=FB3M,red=FB33",
        "columns=4,rows=3,home=1,army=FB3M,setup=back-flag,blue=FB3M/....",
        "plies=0",
        "plies=5001",
        "two-squares=101",
    ] {
        assert!(matches!(try_game(bad), Err(BadSpec::Value { .. })), "{bad}");
    }
}

/// What must come of every attack, written as the rules say it.
#[test]
fn higher_ranks_win_but_for_spies_miners_and_bombs() {
    for (a, &attacker) in Kind::ALL.iter().enumerate().filter(|(_, k)| k.moves()) {
        for (d, &defender) in Kind::ALL.iter().enumerate() {
            let expected = match (attacker, defender) {
                (_, Kind::Flag) => Clash::Wins,
                (Kind::Miner, Kind::Bomb) => Clash::Wins,
                (_, Kind::Bomb) => Clash::Loses,
                (Kind::Spy, Kind::Marshal) => Clash::Wins,
                _ if a == d => Clash::Both,
                _ if a > d => Clash::Wins,
                _ => Clash::Loses,
            };
            assert_eq!(Clash::of(attacker, defender), expected, "{attacker:?} {defender:?}");
        }
    }
    assert_eq!(Clash::of(Kind::Marshal, Kind::Spy), Clash::Wins, "the spy must attack first");
}

/// A corridor board: red's foremost piece meets blue's at once.
fn duel(red: char, blue: char, moves: &str) -> (Stratego, State) {
    let army: String = if red == blue { format!("F{red}5") } else { format!("F{red}{blue}5") };
    let fill = |front: char| {
        let mut rest: String = army.chars().filter(|c| *c != front && *c != 'F').collect();
        rest.insert(0, 'F');
        let back: String = rest.chars().chain("....".chars()).take(3).collect();
        format!("{back}/{front}..")
    };
    let spec = format!("columns=3,rows=4,home=2,army={army},red={},blue={}", fill(red), fill(blue));
    let rules = game(&spec);
    let s = go(&rules, moves).unwrap();
    (rules, s)
}

#[test]
fn attacks_reveal_both_and_leave_the_winner() {
    let (rules, s) = duel('9', '8', "a2-a3");
    assert_eq!((at(&rules, &s, "a2"), at(&rules, &s, "a3")), (None, Some((RED, Kind::General))));
    assert!(s.square(rules.parse_cell("a3").unwrap()).is_revealed());
    assert_eq!(s.lost[1][Kind::Colonel as usize], 1);
    let (rules, s) = duel('8', '9', "a2-a3");
    assert_eq!((at(&rules, &s, "a2"), at(&rules, &s, "a3")), (None, Some((BLUE, Kind::General))));
    let known = rules.info(&s, Observer::Seat(RED));
    assert_eq!(known.squares.0[6].kind(), Some(Kind::General), "it was seen");
    assert_eq!(known.squares.0[9].kind(), None, "the flag was not");
    let (rules, s) = duel('7', '7', "a2-a3");
    assert_eq!((at(&rules, &s, "a2"), at(&rules, &s, "a3")), (None, None));
    assert_eq!([s.lost[0][7], s.lost[1][7]], [1, 1]);
    let (rules, s) = duel('S', 'M', "a2-a3");
    assert_eq!(at(&rules, &s, "a3"), Some((RED, Kind::Spy)));
    let (rules, s) = duel('M', 'B', "a2-a3");
    assert_eq!(at(&rules, &s, "a3"), Some((BLUE, Kind::Bomb)), "the bomb stays");
    let (rules, s) = duel('3', 'B', "a2-a3");
    assert_eq!(at(&rules, &s, "a3"), Some((RED, Kind::Miner)));
}

#[test]
fn who_takes_the_flag_wins() {
    let rules = game("columns=2,rows=2,home=1,army=F5,red=F5,blue=5F");
    let s = go(&rules, "b1-b2").unwrap();
    assert_eq!((rules.turn(&s), rules.rewards(&s).as_slice()), (Turn::Terminal, &[1.0, 0.0][..]));
}

#[test]
fn who_cannot_move_loses() {
    // Red's lieutenants trade; then red has only its flag.
    let rules = game("columns=2,rows=2,home=1,army=F5,red=F5,blue=F5");
    let s = go(&rules, "b1-b2").unwrap();
    assert_eq!(legal(&rules, &s), ["give-up"]);
    let s = go(&rules, "b1-b2 give-up").unwrap();
    assert_eq!(rules.rewards(&s).as_slice(), [1.0, 0.0]);
}

#[test]
fn games_without_end_are_drawn() {
    let rules = game("columns=2,rows=4,home=1,army=F5,red=F5,blue=5F,plies=2");
    let s = go(&rules, "b1-b2 a4-a3").unwrap();
    assert_eq!((rules.turn(&s), rules.rewards(&s).as_slice()), (Turn::Terminal, &[0.5, 0.5][..]));
}

#[test]
fn no_piece_goes_to_and_fro_for_ever() {
    let spec = "columns=2,rows=4,home=1,army=F5,red=F5,blue=5F";
    let rules = game(spec);
    let s = go(&rules, "b1-b2 a4-a3 b2-b1 a3-a4 b1-b2 a4-a3").unwrap();
    assert_eq!(legal(&rules, &s), ["b2-a2", "b2-b3"], "a fourth move between b1 and b2 is barred");
    // A step elsewhere makes it free again.
    let s = go(&rules, "b1-b2 a4-a3 b2-b1 a3-a4 b1-b2 a4-a3 b2-a2 a3-b3 a2-b2 b3-a3").unwrap();
    assert!(legal(&rules, &s).contains(&"b2-b1".to_string()));
    let free = game(&format!("{spec},two-squares=0"));
    let s = go(&free, "b1-b2 a4-a3 b2-b1 a3-a4 b1-b2 a4-a3 b2-b1").unwrap();
    assert_eq!(s.last, [Last::default(); 2]);
}

#[test]
fn lakes_are_in_the_way_of_scouts_too() {
    let rules = game("columns=5,rows=5,home=1,army=F25,red=F.2.5,blue=F.2.5,lakes=[c3]");
    let s = go(&rules, "").unwrap();
    let scout: Vec<_> = legal(&rules, &s).into_iter().filter(|m| m.starts_with("c1")).collect();
    assert_eq!(scout, ["c1-b1", "c1-d1", "c1-c2"]);
    let s = go(&rules, "c1-d1 e5-e4").unwrap();
    let scout: Vec<_> = legal(&rules, &s).into_iter().filter(|m| m.starts_with("d1")).collect();
    assert_eq!(scout, ["d1-b1", "d1-c1", "d1-d2", "d1-d3", "d1-d4", "d1-d5"]);
    assert!(rules.parse_action("c1-d2").is_none() && rules.parse_action("c1-c1").is_none());
}

#[test]
fn a_far_mover_is_known_to_be_a_scout() {
    let rules = game("columns=3,rows=4,home=1,army=F25,red=F25,blue=F25");
    let cell = |s: &State, name: &str| s.square(rules.parse_cell(name).unwrap());
    let near = go(&rules, "b1-b2").unwrap();
    assert!(!cell(&near, "b2").is_revealed() && cell(&near, "b2").has_moved());
    let far = go(&rules, "b1-b3").unwrap();
    assert!(cell(&far, "b3").is_revealed());
    let known = rules.info(&far, Observer::Seat(BLUE));
    assert_eq!(known.squares.0[7].kind(), Some(Kind::Scout));
}

/// The legal moves found by walking from cell to cell.
fn slow_moves(rules: &Stratego, s: &State, who: Player) -> BTreeSet<(u8, u8)> {
    let (columns, rows) = (i32::from(rules.columns), i32::from(rules.rows));
    let mut moves = BTreeSet::new();
    for from in 0..columns * rows {
        let square = s.square(from as u8);
        let Some(kind) = square.kind().filter(|_| square.owner() == Some(who)) else { continue };
        if kind == Kind::Flag || kind == Kind::Bomb {
            continue;
        }
        for (dx, dy) in [(0, 1), (0, -1), (1, 0), (-1, 0)] {
            for distance in 1..=if kind == Kind::Scout { 10 } else { 1 } {
                let (x, y) = (from % columns + dx * distance, from / columns + dy * distance);
                if x < 0 || y < 0 || x >= columns || y >= rows {
                    break;
                }
                let to = (y * columns + x) as u8;
                let water = rules.land >> to & 1 == 0;
                let there = s.square(to).owner();
                if water || there == Some(who) {
                    break;
                }
                let last = s.last[who.index()];
                if !(last.times >= 3 && (last.from, last.to) == (to, from as u8)) {
                    moves.insert((from as u8, to));
                }
                if there.is_some() {
                    break;
                }
            }
        }
    }
    moves
}

#[test]
fn moves_agree_with_a_slow_generator() {
    let mut rng = Seed(4).stream(Purpose::Playout);
    let mut scratch = Scratch::default();
    for spec in ["", "army=FBS2239M", "columns=6,rows=6,home=2,lakes=[b3,b4,e3,e4],army=FBBS2233489M"] {
        let rules = game(spec);
        for _ in 0..4 {
            let mut s = set_up(&rules, &mut rng);
            while let Turn::Player(who) = rules.turn(&s) {
                let mut actions = Vec::new();
                rules.actions(&s, who, &mut actions);
                let found: BTreeSet<_> = actions
                    .iter()
                    .filter_map(|a| match *a {
                        Action::Move(from, to) => Some((from, to)),
                        Action::GiveUp => None,
                    })
                    .collect();
                assert_eq!(found, slow_moves(&rules, &s, who));
                let mut sets = s;
                sets.rebuild();
                assert_eq!(sets, s, "the sets of cells are kept");
                random_step(&rules, &mut s, &mut rng, &mut scratch);
            }
        }
    }
}

#[test]
fn setups_are_drawn_from_all_that_are_listed() {
    for spec in ["columns=3,rows=3,home=1,army=F5", "columns=3,rows=4,home=2,army=F55,setup=back-flag"] {
        let rules = game(spec);
        let all: BTreeMap<String, f64> =
            rules.all_setups(BLUE).iter().map(|setup| (rules.setup_name(setup), 0.0)).collect();
        assert_eq!(all.len() as f64, rules.setups(), "{spec}");
        let mut drawn = all.clone();
        let mut rng = Seed(8).stream(Purpose::Deal);
        const EACH: usize = 2000;
        for _ in 0..EACH * all.len() {
            let setup = rules.draw_setup(BLUE, &mut rng);
            *drawn.get_mut(&rules.setup_name(&setup)).expect("it is listed") += 1.0;
        }
        assert!(drawn.values().all(|n| (n / EACH as f64 - 1.0).abs() < 0.12), "{drawn:?}");
    }
    // 3 places for the flag, 5 * 4 / 2 for two lieutenants.
    assert_eq!(game("columns=3,rows=4,home=2,army=F55,setup=back-flag").setups(), 30.0);
}

/// Worlds against all assignments of kinds, tried one by one.
#[test]
fn worlds_are_uniform_over_what_is_possible() {
    for setup in ["random", "back-flag"] {
        let spec = format!("columns=3,rows=5,home=2,army=FBB23,setup={setup},red=F2B/3B.,blue=BF3/B2.",);
        let rules = game(&spec);
        // Blue's scout moves one step, red's another; nothing is shown.
        let s = go(&rules, "a2-a3 b4-b3").unwrap();
        let hidden: Vec<u8> = cells_of(s.masks[1].all).collect();
        let mut possible = BTreeSet::new();
        let kinds = [Kind::Flag, Kind::Bomb, Kind::Bomb, Kind::Scout, Kind::Miner];
        // All 5^5 ways to name five pieces; those with the right army are kept.
        for code in 0..5usize.pow(5) {
            let named: Vec<Kind> = (0..5).map(|i| kinds[code / 5usize.pow(i) % 5]).collect();
            let mut sorted = named.clone();
            sorted.sort_unstable();
            let fits = sorted == [Kind::Flag, Kind::Scout, Kind::Miner, Kind::Bomb, Kind::Bomb];
            let on = |cell: &str| {
                let cell = rules.parse_cell(cell).unwrap();
                named[hidden.iter().position(|c| *c == cell).unwrap()]
            };
            let moved = on("b3").moves();
            let flag_back = ["a5", "b5", "c5"].iter().any(|cell| on(cell) == Kind::Flag);
            if fits && moved && (setup == "random" || flag_back) {
                possible.insert(named);
            }
        }
        let known = rules.info(&s, Observer::Seat(RED));
        let mut sampler = rules.sampler(&known);
        let mut rng = Seed(3).stream(Purpose::Sampling);
        let mut counts: HashMap<Vec<Kind>, f64> = possible.iter().map(|named| (named.clone(), 0.0)).collect();
        const EACH: usize = 2000;
        let mut world = s;
        for _ in 0..EACH * possible.len() {
            rules.sample(&mut sampler, &mut rng, &mut world);
            assert_eq!(rules.info(&world, Observer::Seat(RED)), known);
            let named: Vec<Kind> = hidden.iter().map(|c| world.square(*c).kind().unwrap()).collect();
            *counts.get_mut(&named).expect("it is possible") += 1.0;
        }
        // The moved piece is the scout or the miner; four places, of which one or none is not at the back.
        assert_eq!(possible.len(), if setup == "random" { 2 * 12 } else { 2 * 9 });
        assert!(counts.values().all(|n| (n / EACH as f64 - 1.0).abs() < 0.12), "{counts:?}");
    }
}

#[test]
fn views_hide_what_a_player_cannot_know() {
    let rules = game("columns=3,rows=4,home=1,army=F25,red=F25,blue=F25");
    let s = go(&rules, "b1-b2 c4-c3").unwrap();
    let text = |by| fogtree_core::text::plain(&rules.view(&rules.info(&s, by)));
    let rows = |by| {
        let row = |line: &str| line.split_whitespace().skip(1).take(3).collect::<Vec<_>>().join(" ");
        text(by).lines().take(4).map(row).collect::<Vec<_>>()
    };
    assert_eq!(rows(Observer::Seat(RED)), ["? ? ·", "· · ?→", "· 2→ ·", "F · 5"]);
    assert_eq!(rows(Observer::Public), ["? ? ·", "· · ?→", "· ?→ ·", "? · ?"]);
}

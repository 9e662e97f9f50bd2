use std::collections::BTreeSet;

use fogtree_core::play::Line;
use fogtree_core::text::plain;
use fogtree_core::{Purpose, Seed};

use super::*;

use crate::testing::{first_zone, go, legal, playout_is_random_steps};

fn game(params: &str) -> Result<Backgammon, BadSpec> {
    Backgammon::from_params(&crate::testing::params(&ABOUT, params)?)
}

fn checkers(stacks: &[(u8, u8)]) -> Checkers {
    let mut side = Checkers::default();
    for &(point, count) in stacks {
        (0..count).for_each(|_| side.add(1 << point));
    }
    side
}

/// The first player is about to roll.
fn position(own: &[(u8, u8)], other: &[(u8, u8)]) -> State {
    State { checkers: [checkers(own), checkers(other)], turns: 0, phase: Phase::ToRoll(Player(0)) }
}

fn roll(game: &Backgammon, s: &State, roll: &str) -> State {
    let mut next = *s;
    let roll = game.parse_outcome(roll).unwrap();
    assert!(game.is_possible(s, &roll));
    game.apply(&mut next, Step::Chance(&roll));
    next
}

/// A slow second implementation that lists whole turns: numbers of checkers by point, both sides in their own
/// numbers, index 0 for those borne off and the last for the bar.
mod slow {
    use std::collections::BTreeSet;

    #[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
    pub(super) struct Position {
        pub own: Vec<u8>,
        pub other: Vec<u8>,
    }

    impl Position {
        fn bar(&self) -> usize {
            self.own.len() - 1
        }

        fn after(&self, from: usize, die: usize) -> Option<Position> {
            let (bar, home) = (self.bar(), (self.bar() - 1) / 4);
            if self.own[from] == 0 || self.own[bar] > 0 && from != bar {
                return None;
            }
            let mut next = self.clone();
            next.own[from] -= 1;
            if from > die {
                let to = from - die;
                let theirs = bar - to;
                if self.other[theirs] > 1 {
                    return None;
                }
                next.own[to] += 1;
                next.other[bar] += next.other[theirs];
                next.other[theirs] = 0;
                return Some(next);
            }
            let all_home = self.own[home + 1..].iter().all(|&n| n == 0);
            let highest = self.own.iter().rposition(|&n| n > 0);
            next.own[0] += 1;
            (all_home && (from == die || highest == Some(from))).then_some(next)
        }

        /// Every way to play some of the dice in this order: the position and the dice played.
        fn sequences(&self, dice: &[usize], played: &[usize], out: &mut Vec<(Position, Vec<usize>)>) {
            out.push((self.clone(), played.to_vec()));
            if let Some((&die, rest)) = dice.split_first() {
                for next in (1..=self.bar()).filter_map(|from| self.after(from, die)) {
                    next.sequences(rest, &[played, &[die]].concat(), out);
                }
            }
        }

        /// The positions after every turn that plays as many dice as possible.
        pub(super) fn turns(&self, a: usize, b: usize) -> BTreeSet<Position> {
            let mut found = Vec::new();
            if a == b {
                self.sequences(&[a; 4], &[], &mut found);
            } else {
                self.sequences(&[a, b], &[], &mut found);
                self.sequences(&[b, a], &[], &mut found);
            }
            let most = found.iter().map(|(_, played)| played.len()).max().unwrap();
            found.retain(|(_, played)| played.len() == most);
            if most == 1 && found.iter().any(|(_, played)| played[0] == a.max(b)) {
                found.retain(|(_, played)| played[0] == a.max(b));
            }
            found.into_iter().map(|(position, _)| position).collect()
        }
    }
}

fn as_numbers(game: &Backgammon, s: &State, who: Player) -> slow::Position {
    let side = |side: Checkers| {
        let mut numbers: Vec<u8> = (0..=game.points + 1).map(|point| side.at(point) as u8).collect();
        numbers[0] = (MOST_CHECKERS as u32 - side.count()) as u8;
        numbers
    };
    slow::Position { own: side(s.checkers[who.index()]), other: side(s.checkers[who.other().index()]) }
}

/// The positions at the end of a turn, played checker by checker.
fn turns(game: &Backgammon, s: &State, who: Player, out: &mut BTreeSet<slow::Position>) {
    if game.turn(s) != Turn::Player(who) {
        out.insert(as_numbers(game, s, who));
        return;
    }
    let mut legal = Vec::new();
    game.actions(s, who, &mut legal);
    for action in legal {
        let mut next = *s;
        game.apply(&mut next, Step::Moves(&[(who, action)]));
        turns(game, &next, who, out);
    }
}

fn random_position(game: &Backgammon, rng: &mut Rng) -> State {
    let who = Player((rng.bits() >> 63) as u8);
    let mut s = State { checkers: [Checkers::default(); 2], turns: 0, phase: Phase::ToRoll(who) };
    // Few checkers or many, near home or all over the board, now and then on the bar.
    let counts = [(); 2].map(|()| 1 + rng.below(u32::from(MOST_CHECKERS)));
    let reach =
        [(); 2].map(|()| [u32::from(game.points) / 4, u32::from(game.points) + 1][rng.below(2) as usize]);
    for side in [0, 1] {
        for _ in 0..counts[side] {
            let at = 1 << (1 + rng.below(reach[side]));
            let theirs = game.mirrored(at) & game.board;
            if s.checkers[1 - side].occupied() & theirs == 0 {
                s.checkers[side].add(at);
            }
        }
    }
    s
}

#[test]
fn turns_are_those_of_a_slow_second_implementation() {
    let mut rng = Seed(1).stream(Purpose::Playout);
    let (mut stuck, mut partly) = (0, 0);
    for i in 0..6_000 {
        let small = i % 3 == 0;
        let game = game(if small { "points=8,sides=4,start=[8:1]" } else { "" }).unwrap();
        let s = random_position(&game, &mut rng);
        let Phase::ToRoll(who) = s.phase else { unreachable!() };
        if s.checkers.iter().any(|side| side.occupied() == 0) {
            continue;
        }
        let dice = game.sample_chance(&s, &mut rng);
        let mut rolled = s;
        game.apply(&mut rolled, Step::Chance(&dice));
        let mut found = BTreeSet::new();
        turns(&game, &rolled, who, &mut found);
        let expected = as_numbers(&game, &s, who).turns(dice.first.into(), dice.second.into());
        assert_eq!(found, expected, "{dice:?}\n{}", plain(&game.show(&s)));
        stuck += u32::from(game.turn(&rolled) != Turn::Player(who));
        let own = s.checkers[who.index()];
        let sources = |die| game.sources(own, game.blocked(&s, who), die).count_ones();
        let all = sources(dice.first) + sources(dice.second);
        partly += u32::from(dice.first != dice.second && (legal(&game, &rolled).len() as u32) < all);
    }
    assert!(stuck > 100 && partly > 100, "{stuck} without a move, {partly} with moves that are not allowed");
}

#[test]
fn the_start_is_the_usual_one() {
    let game = game("").unwrap();
    let s = game.start();
    let numbers: Vec<_> = [24, 13, 8, 6].map(|p| s.checkers[0].at(p)).into();
    assert_eq!((numbers, s.checkers[0].count()), (vec![2, 5, 3, 5], 15));
    let pips: u32 = (1..=24).map(|p| u32::from(p) * s.checkers[1].at(p)).sum();
    assert_eq!(pips, 167);
    let mut rolls = Vec::new();
    game.chance(&s, &mut rolls);
    assert_eq!(rolls.len(), 30, "the opening is never a double");
    let second_starts = roll(&game, &s, "3-5");
    assert_eq!(game.turn(&second_starts), Turn::Player(Player(1)));
    let mut rolls = Vec::new();
    game.chance(&go(&game, &second_starts, "8/3 6/3"), &mut rolls);
    assert_eq!(rolls.len(), 21);
}

/// Listed by hand: 3 from 24, 13, 8 or 6 and 1 from 24, 8 or 6 (13/12 is blocked), two of a kind counted
/// once, and one checker by 4 in either order.
#[test]
fn the_opening_three_one_has_sixteen_plays() {
    let game = game("").unwrap();
    let mut found = BTreeSet::new();
    turns(&game, &roll(&game, &game.start(), "3-1"), Player(0), &mut found);
    assert_eq!(found.len(), 16);
}

#[test]
fn a_single_enemy_is_hit_and_enters_first() {
    let game = game("").unwrap();
    // The second player's 5-point is the first player's 20-point.
    let s = roll(&game, &position(&[(24, 1), (6, 1)], &[(5, 1), (20, 2), (19, 2)]), "4-1");
    let s = go(&game, &s, "24/20 20/19");
    assert_eq!((s.checkers[1].at(25), game.turn(&s)), (1, Turn::Chance));
    let s = roll(&game, &s, "6-2");
    assert_eq!(legal(&game, &s), ["bar/23", "bar/19"]);
    let s = go(&game, &s, "bar/19");
    assert_eq!((s.checkers[0].at(25), s.checkers[0].at(6)), (1, 0), "the 19-point is the other's 6-point");
}

#[test]
fn a_blocked_side_passes() {
    let game = game("").unwrap();
    let s = position(&[(25, 1), (6, 2)], &[(1, 2), (2, 2), (3, 2), (4, 2), (5, 2), (6, 2)]);
    let s = roll(&game, &s, "6-6");
    assert_eq!((s.phase, s.turns), (Phase::ToRoll(Player(1)), 1));
}

/// Either die can be played, but not both: the larger must be.
#[test]
fn the_larger_die_if_only_one() {
    let game = game("").unwrap();
    // From 20, 6 leads to 14 and 5 to 15; both are then stuck before 9, held by the second player's 16.
    let s = roll(&game, &position(&[(20, 1)], &[(16, 2)]), "6-5");
    assert_eq!(legal(&game, &s), ["20/14"]);
    let s = go(&game, &s, "20/14");
    assert_eq!(game.turn(&s), Turn::Chance);
}

/// The 6 is blocked from 24 but not from 23: the 1 must be played so that the 6 can be.
#[test]
fn both_dice_if_possible() {
    let game = game("").unwrap();
    let s = roll(&game, &position(&[(24, 1), (2, 1)], &[(7, 2)]), "6-1");
    assert_eq!(legal(&game, &s), ["24/23"]);
    assert_eq!(legal(&game, &go(&game, &s, "24/23")), ["23/17"]);
}

#[test]
fn checkers_are_borne_off() {
    let game = game("").unwrap();
    let s = roll(&game, &position(&[(6, 1), (4, 1), (2, 1)], &[(24, 1)]), "5-4");
    assert_eq!(legal(&game, &s), ["4/off", "6/2", "6/1"]);
    let s = go(&game, &s, "6/2");
    assert_eq!(legal(&game, &s), ["4/off:5"], "the highest point in use");
    let outside = roll(&game, &position(&[(7, 1), (4, 1)], &[(24, 1)]), "4-3");
    assert_eq!(legal(&game, &outside), ["4/1", "7/4", "7/3"], "4/off is not allowed yet");
}

/// Whether the player to move can end the game in this turn.
fn can_finish(game: &Backgammon, s: &State) -> bool {
    match s.phase {
        Phase::Over(winner) => winner == Some(Player(0)),
        Phase::ToMove { who: Player(0), .. } => {
            legal(game, s).iter().any(|name| can_finish(game, &go(game, s, name)))
        }
        _ => false,
    }
}

/// How many of the 36 rolls bear off the last two checkers: the table every player knows.
#[test]
fn the_last_two_checkers_leave_as_often_as_the_tables_say() {
    let table = [
        vec![36],
        vec![36, 26],
        vec![34, 25, 17],
        vec![29, 23, 17, 11],
        vec![23, 19, 14, 10, 6],
        vec![15, 13, 10, 8, 6, 4],
    ];
    let alone = [36, 36, 36, 34, 31, 27];
    let game = game("").unwrap();
    let rolls_that_finish = |own: &[(u8, u8)]| {
        let s = position(own, &[(24, 1)]);
        let mut rolls = Vec::new();
        game.chance(&s, &mut rolls);
        let finish =
            rolls.iter().filter(|(dice, _)| can_finish(&game, &roll(&game, &s, &game.outcome_name(dice))));
        (36.0 * finish.map(|(_, p)| p).sum::<f64>()).round() as i32
    };
    for high in 1..=6 {
        assert_eq!(rolls_that_finish(&[(high, 1)]), alone[usize::from(high) - 1], "{high}");
        for low in 1..=high {
            let expected = table[usize::from(high) - 1][usize::from(low) - 1];
            assert_eq!(rolls_that_finish(&[(high, 1), (low, 1)]), expected, "{high} and {low}");
        }
    }
}

/// With n points closed, a checker on the bar stays there with probability n * n / 36.
#[test]
fn closed_points_keep_a_checker_on_the_bar() {
    let game = game("").unwrap();
    for closed in 0..=6 {
        let points: Vec<_> = (1..=closed).map(|point| (point, 2)).collect();
        let s = position(&[(25, 1)], &[&points[..], &[(24, 1)]].concat());
        let mut rolls = Vec::new();
        game.chance(&s, &mut rolls);
        let stays = |dice: &Roll| game.turn(&roll(&game, &s, &game.outcome_name(dice))) == Turn::Chance;
        let p: f64 = rolls.iter().filter(|(dice, _)| stays(dice)).map(|(_, p)| p).sum();
        assert!((p - f64::from(closed * closed) / 36.0).abs() < 1e-12, "{closed} closed: {p}");
    }
}

#[test]
fn wins_are_worth_what_the_scoring_says() {
    for (other, points) in
        [(vec![(24, 14)], 1.0), (vec![(18, 15)], 2.0), (vec![(19, 1), (1, 14)], 3.0), (vec![(25, 15)], 3.0)]
    {
        for (scoring, most) in [("win", 1.0), ("gammon", 2.0), ("full", 3.0)] {
            let worth = f64::min(points, most);
            let game = game(&format!("scoring={scoring},reward=signed")).unwrap();
            let s = go(&game, &roll(&game, &position(&[(1, 1)], &other), "6-5"), "1/off:6");
            assert_eq!(game.rewards(&s).as_slice(), [worth, -worth], "{scoring}");
            let unit = super::tests::game(&format!("scoring={scoring}")).unwrap();
            assert_eq!(unit.rewards(&s)[Player(0)], 0.5 + worth / most / 2.0);
        }
    }
}

#[test]
fn a_game_is_drawn_after_so_many_turns() {
    let game = game("turns=2").unwrap();
    let s = go(&game, &roll(&game, &game.start(), "3-1"), "8/5 6/5");
    let s = go(&game, &roll(&game, &s, "4-2"), "8/4 6/4");
    assert_eq!((game.turn(&s), game.rewards(&s).as_slice()), (Turn::Terminal, &[0.5, 0.5][..]));
}

#[test]
fn an_episode_is_a_roll_and_its_moves() {
    let game = game("").unwrap();
    let mut line = Line::start(&game);
    let mut labels = vec![game.episode(line.state())];
    for word in ["3-1", "8/5", "6/5", "4-4"] {
        line.play_words(&game, [word]).unwrap();
        labels.push(game.episode(line.state()));
    }
    assert_eq!(labels, [Some(0), None, None, Some(0), None]);
}

#[test]
fn a_playout_is_random_steps_to_the_end() {
    for seed in 0..60 {
        let game = game(["", "points=8,start=[8:2,3:2],sides=3", "turns=20"][seed as usize % 3]).unwrap();
        playout_is_random_steps(&game, seed);
    }
}

#[test]
fn names_read_back() {
    let game = game("").unwrap();
    for die in 1..=6 {
        for from in 1..=25 {
            let action = Action { die, from };
            assert_eq!(game.parse_action(&game.action_name(action)), Some(action));
        }
    }
    for name in [
        "", "/", "6/", "6/6", "6/7", "8/1", "26/20", "25/20", "7/off", "6/off:5", "6/off:6", "06/5", "bar",
        "é/1", "999/998",
    ] {
        assert_eq!(game.parse_action(name), None, "{name}");
    }
    for name in ["", "-", "1-", "0-1", "7-1", "1-7", "01-1", "1-1-1", "999-1"] {
        assert_eq!(game.parse_outcome(name), None, "{name}");
    }
    for words in [&[][..], &[0], &[191], &[192], &[31], &[0, 0], &[6, 6], &[u64::MAX, 1], &[1, 2, 3]] {
        game.explain(&Observation::words(words), Observer::Public);
    }
}

#[test]
fn the_board_is_drawn() {
    let game = game("points=8,start=[8:2,3:1],sides=2").unwrap();
    let scene = game.scene_of(&game.start());
    assert_eq!(scene.caption, "Both players throw a die; the higher begins.");
    let shown = first_zone(scene);
    assert_eq!(shown.lines().nth(1), Some("·   ○   ·   ·   ●2  x"));
    assert_eq!(shown.lines().nth(2), Some("·   ●   ·   ·   ○2  x"));
}

/// A move begins at the point with this number on the board, on which there are checkers of the side to move.
#[test]
fn the_board_is_numbered_as_the_mover_numbers_it() {
    let game = game("").unwrap();
    for (roll, mark) in [(Roll { first: 6, second: 2 }, '●'), (Roll { first: 2, second: 6 }, '○')] {
        let mut s = game.start();
        game.apply(&mut s, Step::Chance(&roll));
        let shown = first_zone(game.scene_of(&s));
        let lines: Vec<Vec<&str>> = shown.lines().take(4).map(|l| l.split_whitespace().collect()).collect();
        let points = lines[0].iter().zip(&lines[1]).chain(lines[3].iter().zip(&lines[2]));
        let own: Vec<&str> =
            points.filter(|(_, cell)| cell.starts_with(mark)).map(|(point, _)| *point).collect();
        let mut legal = Vec::new();
        game.actions(&s, Player(u8::from(mark == '○')), &mut legal);
        for name in legal.into_iter().map(|a| game.action_name(a)) {
            assert!(own.contains(&name.split('/').next().unwrap()), "{name}\n{shown}");
        }
    }
}

#[test]
fn other_boards_are_refused() {
    for params in [
        "points=6",
        "points=0",
        "points=28",
        "start=[]",
        "start=[25:1]",
        "start=[0:1]",
        "start=[6:16]",
        "start=[6:0]",
        "start=[12:1,13:1]",
        "sides=1",
        "sides=7",
        "points=8,start=[8:1],sides=5",
        "turns=0",
        "opening=x",
        "scoring=cube",
        "reward=x",
        "start=6",
        "start=[x:1]",
        "start=[6:200,7:200]",
    ] {
        assert!(matches!(game(params), Err(BadSpec::Value { .. })), "{params}");
    }
}

//! The rules of phantom m,n,k games, move by move. What players know and draw is compared with brute force
//! in `crates/solve/tests/phantom.rs`.

use fogtree_core::{Line, Purpose, Seed, random_step};

use super::*;
use crate::testing::first_zone;

pub(super) fn game<A: Attempts>(given: &str) -> Result<PhantomMnk<A>, BadSpec> {
    PhantomMnk::from_params(&crate::testing::params(&ABOUT, given)?)
}

/// Cells that the players can mark in turn, at most so many, without ever making a row or filling the board.
pub(super) fn marks_that_do_not_win<A: Attempts>(
    rules: &PhantomMnk<A>,
    most: usize,
    rng: &mut Rng,
) -> Vec<Cell> {
    let mut s = rules.start();
    let mut cells = Vec::new();
    while cells.len() < most {
        let goes_on = |&c: &Cell| rules.attempt(&s, s.mover, c) == Attempt::Placed(Phase::Playing);
        let choices: Vec<Cell> = cells_of(rules.untried(&s, s.mover)).filter(goes_on).collect();
        if choices.is_empty() {
            break;
        }
        cells.push(*rng.pick(&choices));
        rules.try_cell(&mut s, cells[cells.len() - 1]);
    }
    cells
}

fn play<A: Attempts>(rules: &PhantomMnk<A>, words: &str) -> Line<PhantomMnk<A>> {
    let mut line = Line::start(rules);
    line.play_words(rules, words.split_whitespace()).unwrap();
    line
}

fn legal<A: Attempts>(rules: &PhantomMnk<A>, line: &Line<PhantomMnk<A>>) -> String {
    crate::testing::legal(rules, line.state()).join(" ")
}

const FIRST: Observer = Observer::Seat(Player(0));
const SECOND: Observer = Observer::Seat(Player(1));

#[test]
fn a_failed_attempt_is_followed_by_another() {
    let rules: PhantomMnk<Hidden> = game("").unwrap();
    let line = play(&rules, "b2 b2");
    assert_eq!(rules.turn(line.state()), Turn::Player(Player(1)));
    assert_eq!(legal(&rules, &line), "a1 b1 c1 a2 c2 a3 b3 c3");
    let line = play(&rules, "b2 b2 a1");
    assert_eq!(rules.turn(line.state()), Turn::Player(Player(0)));
    assert_eq!(legal(&rules, &line), "a1 b1 c1 a2 c2 a3 b3 c3");
    let line = play(&rules, "b2 b2 a1 a1 b1 b1 c1 b3");
    assert_eq!(rules.turn(line.state()), Turn::Terminal);
    assert_eq!(rules.rewards(line.state()).as_slice(), [1.0, 0.0]);
}

#[test]
fn only_announced_failures_are_noticed() {
    let hidden: PhantomMnk<Hidden> = game("").unwrap();
    assert_eq!(play(&hidden, "b2").key(FIRST), play(&hidden, "b2 b2").key(FIRST));
    assert_eq!(play(&hidden, "b2 a1").key(FIRST), play(&hidden, "b2 b2 a1").key(FIRST));
    assert_eq!(play(&hidden, "b2 a1").key(Observer::Public), play(&hidden, "b2 b2 a1").key(Observer::Public));
    assert_ne!(play(&hidden, "b2 a1").key(SECOND), play(&hidden, "b2 b2 a1").key(SECOND));
    let announced: PhantomMnk<Announced> = game("").unwrap();
    assert_ne!(play(&announced, "b2").key(FIRST), play(&announced, "b2 b2").key(FIRST));
    assert_ne!(
        play(&announced, "b2 a1").key(Observer::Public),
        play(&announced, "b2 b2 a1").key(Observer::Public)
    );
}

/// After a1, a failure, b1 the second player must have found a1; after a1, b1, a failure it may be either.
#[test]
fn announced_failures_tell_which_marks_may_have_been_found() {
    let rules: PhantomMnk<Announced> = game("").unwrap();
    let found = |words: &str| {
        let mut worlds = rules.sampler(&rules.info(play(&rules, words).state(), FIRST));
        let mut rng = Seed(1).stream(Purpose::Sampling);
        let mut world = rules.start();
        (0..100).fold(0, |all, _| {
            rules.sample(&mut worlds, &mut rng, &mut world);
            assert_eq!(world.found[1].count_ones(), 1);
            all | world.found[1]
        })
    };
    let [a1, b1] = ["a1", "b1"].map(|name| rules.parse_action(name).unwrap().bit());
    assert_eq!(found("a1 a1 c3 b1 c2"), a1);
    assert_eq!(found("a1 c3 b1 a1 c2"), a1 | b1);
    assert_eq!(found("a1 c3 b1 b1 c2"), a1 | b1);
}

#[test]
fn the_forced_opening_starts_in_the_centre_for_both() {
    let rules: PhantomMnk<Hidden> = game("opening=centre").unwrap();
    assert_eq!(legal(&rules, &play(&rules, "")), "b2");
    assert_eq!(legal(&rules, &play(&rules, "b2")), "b2");
    assert_eq!(legal(&rules, &play(&rules, "b2 b2")), "a1 b1 c1 a2 c2 a3 b3 c3");
    assert_eq!(legal(&rules, &play(&rules, "b2 b2 a1")), "a1 b1 c1 a2 c2 a3 b3 c3");
}

/// gdl/G1: a match of two random players takes 10.53 steps; as every player tries cells in random order, the
/// marks are those of random tic-tac-toe, which the first player wins with probability 737/1260.
#[test]
fn random_games_are_as_long_and_end_as_derived() {
    fn check<A: Attempts>() {
        let rules: PhantomMnk<A> = game("reward=signed").unwrap();
        let mut rng = Seed(2).stream(Purpose::Playout);
        let mut scratch = Scratch::default();
        for by_steps in [false, true] {
            let games = 60_000;
            let (mut steps, mut wins) = (0, 0);
            for _ in 0..games {
                let mut s = rules.start();
                while by_steps && rules.turn(&s) != Turn::Terminal {
                    random_step(&rules, &mut s, &mut rng, &mut scratch);
                }
                wins += u32::from(rules.playout(&mut s, &mut rng, &mut scratch)[Player(0)] == 1.0);
                steps += s.marks.iter().chain(&s.found).map(|set| set.count_ones()).sum::<u32>();
            }
            let (steps, wins) = (f64::from(steps) / f64::from(games), f64::from(wins) / f64::from(games));
            assert!((steps - 10.53).abs() < 0.04, "{steps}");
            assert!((wins - 737.0 / 1260.0).abs() < 0.01, "{wins}");
        }
    }
    check::<Hidden>();
    check::<Announced>();
}

#[test]
fn random_games_from_the_centre_start_there() {
    let rules: PhantomMnk<Announced> = game("opening=centre").unwrap();
    let mut rng = Seed(3).stream(Purpose::Playout);
    for _ in 0..200 {
        let mut s = rules.start();
        rules.playout(&mut s, &mut rng, &mut Scratch::default());
        assert!(s.marks[0] & 16 != 0 && s.found[1] & 16 != 0);
    }
}

#[test]
fn what_is_known_is_shown_written_and_read() {
    let rules: PhantomMnk<Announced> = game("").unwrap();
    let line = play(&rules, "b2 b2 a1 a1 c3");
    let scene = |by| rules.scene(&rules.info(line.state(), by));
    assert_eq!(first_zone(scene(FIRST)), "1 O · ·\n2 · X ·\n3 · · X\n  a b c");
    assert_eq!(scene(FIRST).caption, "Player 1 (ring) to move. 3 in a row win.", "nothing is hidden");
    assert_eq!(first_zone(scene(SECOND)), "1 O ░ ░\n2 ░ X ░\n3 ░ ░ ░\n  a b c\n░ fog");
    let asked = "Your turn: try a cell. 3 in a row win. 1 mark of the other is hidden.";
    assert_eq!(scene(SECOND).caption, asked);
    assert_eq!(first_zone(scene(Observer::Public)), "1 ░ ░ ░\n2 ░ ░ ░\n3 ░ ░ ░\n  a b c\n░ fog");
    for by in Observer::all(2) {
        let known = rules.info(line.state(), by);
        let text = serde_json::to_string(&known).unwrap();
        assert_eq!(serde_json::from_str::<Info<Announced>>(&text).unwrap(), known);
    }
    let rules: PhantomMnk<Hidden> = game("").unwrap();
    let known = rules.info(play(&rules, "b2 b2 a1").state(), SECOND);
    assert_eq!(serde_json::from_value::<Info<Hidden>>(serde_json::to_value(&known).unwrap()).unwrap(), known);
}

#[test]
fn every_observation_is_explained() {
    let rules: PhantomMnk<Hidden> = game("").unwrap();
    for by in Observer::all(2) {
        for seen in [Observation::words(&[]), Observation::word(u64::MAX), Observation::words(&[5, 5])] {
            assert!(!rules.explain(&seen, by).is_empty() || seen.as_words().is_empty());
        }
    }
    assert_eq!(rules.explain(&Observation::word(4), FIRST), "the other tries a taken cell and tries again");
}

#[test]
fn boards_that_cannot_be_are_refused() {
    for given in ["m=9,n=8", "k=4", "k=1", "m=4,opening=centre", "opening=corner", "reward=big", "m=x"] {
        assert!(matches!(game::<Hidden>(given), Err(BadSpec::Value { .. })), "{given}");
    }
    assert!(is_announced(&ABOUT.params(&"phantom-mnk(failed=x)".parse().unwrap()).unwrap()).is_err());
    assert!(game::<Announced>("m=8,n=8,k=8").is_ok());
    assert!(game::<Announced>("m=5,n=3,opening=centre").is_ok());
}

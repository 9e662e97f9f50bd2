use fogtree_core::{Deadline, Erased, Model};
use fogtree_games::kuhn_poker::KuhnPoker;
use fogtree_games::phantom_mnk::{self, Announced, PhantomMnk};
use fogtree_games::{matrix, mnk, tree};

use super::*;
use crate::FirstLegal;
use crate::testing::{Table, params};

fn info_set(game: &Arc<dyn Model>, words: &[&str]) -> InfoSet {
    at(&Table::after(game, &words.join(" ")))
}

/// What the player to move knows.
fn at(table: &Table) -> InfoSet {
    table.infoset(table.world.turn().players().iter().next().expect("a player is to move"))
}

fn figure(decision: &Decision, name: &str) -> f64 {
    decision.report.figure(name).unwrap()
}

fn decide(game: &Arc<dyn Model>, settings: Settings, words: &[&str], seed: u64) -> Decision {
    let info = info_set(game, words);
    let mut player = Tiigr::new(game, settings);
    player.start(info.seat, Seed(seed));
    player.act(&info, &Budget::default()).unwrap()
}

#[test]
fn all_states_are_kept_and_some_are_searched() {
    let game = Erased::any(KuhnPoker);
    for (number, searched) in [(Number::Fixed(1), 1.0), (Number::Fixed(5), 2.0), (Number::All, 2.0)] {
        let decision = decide(&game, Settings { number, ..Settings::default() }, &["J", "Q"], 1);
        assert_eq!(figure(&decision, "states"), 2.0, "the other has one of two cards");
        assert_eq!(figure(&decision, "states searched"), searched);
        assert_eq!(decision.report.iterations, 100 * searched as u64);
    }
}

fn phantom() -> Arc<dyn Model> {
    let params = params(&phantom_mnk::ABOUT, "failed=announced");
    Erased::any(PhantomMnk::<Announced>::from_params(&params).unwrap())
}

#[test]
fn states_reached_in_several_ways_are_kept_once_or_as_often() {
    let game = phantom();
    // The first player has marked two cells, the second two that the first does not know, in either order.
    let words = ["a1", "c1", "c3", "c2"];
    let count =
        |repeated| figure(&decide(&game, Settings { repeated, ..Settings::default() }, &words, 1), "states");
    let (merged, kept) = (count(Repeated::Merged), count(Repeated::Kept));
    assert!(kept > merged, "{kept} {merged}");
    // Two of the seven other cells, the second unable to fail unnoticed; in both orders.
    assert_eq!(merged, 21.0);
}

#[test]
fn the_set_is_the_same_whether_it_is_followed_or_found_anew() {
    let game = phantom();
    let words = ["a1", "c1", "c3", "c2"];
    let mut player = Tiigr::new(&game, Settings::default());
    player.start(Player(0), Seed(3));
    let mut last = 0.0;
    for upto in [0, 2, 4] {
        last = figure(&player.act(&info_set(&game, &words[..upto]), &Budget::default()).unwrap(), "states");
    }
    assert_eq!(last, figure(&decide(&game, Settings::default(), &words, 5), "states"));
    // A player that is asked about another game begins anew.
    let other = player.act(&info_set(&game, &["b2", "a1"]), &Budget::default()).unwrap();
    assert_eq!(figure(&other, "states"), 8.0);
}

#[test]
fn a_win_is_taken_and_a_loss_averted() {
    let game = Erased::any(mnk::SmallMnk::from_params(&params(&mnk::ABOUT, "m=3,n=3,k=3")).unwrap());
    let settings = Settings { iterations: Some(1000), ..Settings::default() };
    let play = |words: &[&str]| game.move_name(decide(&game, settings, words, 2).action);
    let names: Vec<String> = info_set(&game, &[]).legal.iter().map(|&a| game.move_name(a)).collect();
    let cell = |i: usize| names[i].as_str();
    assert_eq!(play(&[cell(0), cell(3), cell(1), cell(4)]), cell(2), "three in the first row");
    assert_eq!(play(&[cell(0), cell(8), cell(1)]), cell(2), "the row is blocked");
}

/// It searches as if everybody knew the state, so it takes every gamble that some known state would win (`gdl/5.3`).
#[test]
fn it_believes_that_it_will_know() {
    let game = Erased::any(tree::Tree::from_params(&params(&tree::ABOUT, "name=coin")).unwrap());
    let settings = Settings { iterations: Some(2000), ..Settings::default() };
    let mut table = Table::start(&game);
    table.draw(&mut Seed(1).stream(Purpose::Deal));
    let info = at(&table);
    let seat = info.seat;
    for confidence in [Confidence::Mean, Confidence::Plurality, Confidence::Highest] {
        let mut player = Tiigr::new(&game, Settings { confidence, ..settings });
        player.start(seat, Seed(4));
        let decision = player.act(&info, &Budget::default()).unwrap();
        let gamble = decision.report.moves.iter().find(|m| m.action == decision.action).unwrap();
        assert!(gamble.values.as_ref().unwrap()[seat] > 0.9, "{decision:?}");
    }
}

#[test]
fn the_outlook_decides_which_states_are_searched() {
    let game = Erased::any(KuhnPoker);
    let mut states = States::new(&game, Repeated::Merged, 100);
    states.start(Observer::Seat(Player(0)));
    let mut rng = Seed(1).stream(Purpose::Sampling);
    let first = info_set(&game, &["Q", "J"]);
    assert_eq!(states.follow(&first, &Deadline::NEVER, &mut rng), 2);
    let worth = |states: &States, place: usize| states.state(place).fingerprint();
    // In one of the two states checking was found to be bad, in the other good.
    let (bad, good) = (worth(&states, 0), worth(&states, 1));
    states.remember(0, [Some(0.1), Some(0.5)].into_iter());
    states.remember(1, [Some(0.9), Some(0.5)].into_iter());
    assert_ne!(bad, good);
    let later = info_set(&game, &["Q", "J", game.move_name(first.legal[0]).as_str(), "bet"]);
    assert_eq!(states.follow(&later, &Deadline::NEVER, &mut rng), 2);
    for _ in 0..20 {
        assert_eq!(states.choose(1, Outlook::Paranoid, &mut rng), [0]);
    }
    let any: Vec<usize> = (0..40).map(|_| states.choose(1, Outlook::Overconfident, &mut rng)[0]).collect();
    assert!(any.contains(&0) && any.contains(&1));
    assert_eq!(states.choose(7, Outlook::Paranoid, &mut rng), [0, 1]);
}

/// `gdl/3.5`: where there is no time to find all states, some are drawn, in this decision and later.
#[test]
fn following_the_states_ends_with_its_time() {
    let game = phantom();
    let info = info_set(&game, &["a1", "c1", "c3", "c2"]);
    let mut rng = Seed(1).stream(Purpose::Sampling);
    let mut states = States::new(&game, Repeated::Merged, 1_000_000);
    states.start(Observer::Seat(info.seat));
    let all = states.follow(&info, &Deadline::after(Some(Duration::from_secs(600)), None), &mut rng);
    states.start(Observer::Seat(info.seat));
    let drawn = states.follow(&info, &Deadline::after(Some(Duration::ZERO), None), &mut rng);
    assert!((1..=all).contains(&drawn), "{drawn} of {all}");
    assert_eq!(states.choose(1, Outlook::Overconfident, &mut rng).len(), 1);
}

#[test]
fn the_clock_is_shared_out() {
    let game = phantom();
    let info = info_set(&game, &["a1", "c1", "c3", "c2"]);
    let time = Budget { time: Some(Duration::from_millis(60)), ..Budget::default() };
    for (number, most) in
        [(Number::Fixed(3), 3.0), (Number::Clocked(Duration::from_millis(20)), 3.0), (Number::All, 21.0)]
    {
        let mut player = Tiigr::new(&game, Settings { number, iterations: None, ..Settings::default() });
        player.start(info.seat, Seed(1));
        let began = Instant::now();
        let decision = player.act(&info, &time).unwrap();
        assert!(figure(&decision, "states searched") <= most && decision.report.iterations > 0);
        assert!(began.elapsed() < Duration::from_secs(2));
    }
}

#[test]
fn the_first_legal_move_is_the_first() {
    let info = info_set(&Erased::any(KuhnPoker), &["J", "Q"]);
    assert_eq!(FirstLegal.act(&info, &Budget::default()).unwrap().action, info.legal[0]);
}

/// `gdl/3.5`: who has no choice does not think.
#[test]
fn the_only_move_is_made_at_once() {
    let game = Erased::any(mnk::SmallMnk::from_params(&params(&mnk::ABOUT, "m=2,n=1,k=2")).unwrap());
    let first = game.move_name(info_set(&game, &[]).legal[0]);
    let iterations = |words: &[&str]| decide(&game, Settings::default(), words, 1).report.iterations;
    assert!(iterations(&[]) > 0, "two cells are free");
    assert_eq!(iterations(&[&first]), 0, "one cell is left");
}

/// `gdl/3.5`: at rock, paper, scissors whoever answers a move that it sees always wins; nobody sees anything.
#[test]
fn simultaneous_moves_are_searched_apart() {
    let params = params(&matrix::ABOUT, "rows=[0,-1,1;1,0,-1;-1,1,0]");
    let game = Erased::any(matrix::Matrix::from_params(&params).unwrap());
    let info = info_set(&game, &[]);
    let values = |joint: Joint| {
        let mut player = Tiigr::new(&game, Settings { joint, iterations: Some(3000), ..Settings::default() });
        player.start(Player(0), Seed(1));
        let report = player.act(&info, &Budget::default()).unwrap().report;
        assert_eq!(report.iterations, 3000);
        report.moves.iter().map(|m| m.values.as_ref().unwrap()[Player(0)]).collect::<Vec<f64>>()
    };
    assert!(values(Joint::Sequence).iter().all(|v| *v < -0.8), "{:?}", values(Joint::Sequence));
    assert!(values(Joint::Decoupled).iter().all(|v| v.abs() < 0.3), "{:?}", values(Joint::Decoupled));
}

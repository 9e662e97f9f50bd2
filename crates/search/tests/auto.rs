//! `enhance=auto`: what to learn is found out while searching, by how well it foretells the
//! rewards of random playouts (`icarus/4.2.11`).

use std::sync::Arc;

use fogtree_core::{Agent, Budget, Erased, Model, Player, Report, Seed};
use fogtree_search::ismcts::{Config, Ismcts, Observers};

mod common;

use common::letters::Letters;
use common::{decide_by_ismcts as decide, infoset};

/// The reward if each turn is worth so much to its player, from 0 to 1: a half if both have done equally well.
fn balance(turns: usize, worth: impl Fn(usize) -> f64) -> f64 {
    let mean = |player: usize| {
        let own = (player..turns).step_by(2);
        own.clone().map(&worth).sum::<f64>() / own.count() as f64
    };
    0.5 + (mean(0) - mean(1)) / 2.0
}

fn letters(
    turns: usize,
    letters: u8,
    episode: Option<usize>,
    reward: impl Fn(&[u8]) -> f64 + Send + Sync + 'static,
) -> Arc<dyn Model> {
    Erased::any(Letters { episode, ..Letters::in_turn(turns, letters, reward) })
}

/// A letter is as good as it is, whenever it is chosen.
fn plain() -> Arc<dyn Model> {
    letters(5, 6, None, |all| balance(5, |i| [1.0, 0.3, 0.0, 0.6, 0.1, 0.5][usize::from(all[i])]))
}

/// A letter is good if it follows the one chosen before, in a circle.
fn following() -> Arc<dyn Model> {
    letters(7, 3, None, |all| balance(7, |i| f64::from(i > 0 && all[i] == (all[i - 1] + 1) % 3)))
}

/// In rounds of four, each player's second letter is good if it is the sum of all that were chosen in the round.
fn rounds() -> Arc<dyn Model> {
    letters(12, 3, Some(4), |all| {
        let good = |i: usize| i % 4 >= 2 && all[i] == all[i / 4 * 4..i].iter().sum::<u8>() % 3;
        balance(12, |i| f64::from(good(i)))
    })
}

/// A letter is as good as it is, but for the first two turns, where it is as bad.
fn late() -> Arc<dyn Model> {
    letters(16, 5, None, |all| {
        let worth = |i: usize| [1.0, 0.3, 0.0, 0.6, 0.1][usize::from(all[i])];
        balance(16, |i| if i < 2 { 4.0 * (1.0 - worth(i)) } else { worth(i) })
    })
}

/// What a series of letters is worth has nothing to do with the letters.
fn random(salt: u64) -> Arc<dyn Model> {
    letters(14, 3, None, move |all| {
        let number = all.iter().fold(salt + 1, |n, &letter| n * 3 + u64::from(letter));
        let mixed = number.wrapping_mul(0x9e37_79b9_7f4a_7c15);
        let mixed = (mixed ^ mixed >> 31).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        f64::from((mixed >> 40) as u32 % 2)
    })
}

fn config(enhance: &str) -> Config {
    let enhance = enhance.parse().unwrap_or_else(|e| panic!("{enhance}: {e}"));
    Config { memory: 1 << 26, enhance, ..Config::new(Observers::Multiple) }
}

fn search(game: &Arc<dyn Model>, enhance: &str, n: u64, seed: u64) -> Report {
    decide(game, config(enhance), &infoset(game, "", Player(0)), n, seed).report
}

fn figure(report: &Report, name: &str) -> f64 {
    let found = report.figures.iter().find(|f| f.0 == name);
    found.unwrap_or_else(|| panic!("{name} in {:?}", report.figures)).1
}

/// What was chosen, if anything.
fn chosen(report: &Report) -> Option<&'static str> {
    let was = |name: &&str| figure(report, &format!("auto chose {name}")) == 1.0;
    let all: Vec<_> = ["mast", "nast-2", "epic"].into_iter().filter(was).collect();
    assert!(all.len() < 2, "{all:?}");
    all.first().copied()
}

/// The right one of three is chosen, its correlation is told, and it is used.
#[test]
fn what_foretells_values_is_chosen_and_used() {
    for (game, n, right) in
        [(plain(), 3000, "mast"), (following(), 3000, "nast-2"), (rounds(), 20_000, "epic")]
    {
        let mut times = 0;
        for seed in 0..10 {
            let report = search(&game, "auto", n, seed);
            if chosen(&report) == Some(right) {
                times += 1;
                let told = |what: &str| figure(&report, &format!("auto {what} {right}"));
                let (correlation, certainty) = (told("correlation"), told("certainty"));
                assert!((0.06..=1.0).contains(&correlation) && certainty > 4.0, "{right}: {correlation}");
                assert_ne!(report.moves, search(&game, "-", n, seed).moves, "{right} is used");
            }
        }
        assert!(times >= 9, "{right} was chosen {times} times out of 10");
    }
}

/// Records are used below the tree, so they are measured there: that they mislead at the nodes of the tree does not
/// matter.
#[test]
fn what_foretells_rewards_in_playouts_but_not_at_nodes_is_chosen() {
    let game = late();
    let all: Vec<_> = (0..10).map(|seed| chosen(&search(&game, "auto", 1000, seed))).collect();
    assert!(all.iter().all(Option::is_some), "{all:?}");
    assert!(all.iter().filter(|&&c| c == Some("mast")).count() >= 7, "{all:?}");
}

/// Where nothing foretells anything, nothing is chosen but for one in a hundred, and all is as without.
#[test]
fn where_nothing_foretells_values_nothing_is_chosen() {
    let mut times = 0;
    for (salt, seed) in (0..20).flat_map(|salt| (0..2).map(move |seed| (salt, seed))) {
        let game = random(salt);
        let report = search(&game, "auto", 3000, seed);
        if chosen(&report).is_none() {
            times += 1;
            assert_eq!(report.moves, search(&game, "-", 3000, seed).moves);
        }
    }
    assert!(times >= 38, "nothing was chosen {times} times out of 40");
}

/// No candidate can have a correlation of 1, nor can any be seen without watching; then all is as without.
#[test]
fn what_is_not_good_enough_is_not_used() {
    let game = plain();
    for text in ["auto(least=1)", "auto(watch=0)"] {
        let report = search(&game, text, 2000, 1);
        assert_eq!((chosen(&report), &report.moves), (None, &search(&game, "-", 2000, 1).moves), "{text}");
    }
}

/// The same seed gives the same search; threads measure and choose for themselves, and the figures are means.
#[test]
fn choices_are_reproducible() {
    let game = plain();
    let info = infoset(&game, "", Player(0));
    for threads in [1, 3] {
        let config = Config { threads, ..config("auto") };
        let [one, two] = [1, 1].map(|seed| decide(&game, config, &info, 6000, seed).report);
        assert_eq!((&one.moves, &one.figures), (&two.moves, &two.figures));
        assert!(figure(&one, "auto correlation mast") > 0.05 && figure(&one, "auto chose mast") > 0.5);
    }
}

/// What was measured is kept for the game: few iterations of each decision are enough in the end.
#[test]
fn what_was_measured_lives_as_long_as_the_game() {
    let game = plain();
    let info = infoset(&game, "", Player(0));
    let mut agent = Ismcts::new(&game, config("auto"));
    let mut series = |begins: fn(u64) -> bool| {
        let mut decide = |i: u64| {
            if begins(i) {
                agent.start(Player(0), Seed(i));
            }
            agent.act(&info, &Budget::iterations(60)).unwrap().report
        };
        (0..20).map(&mut decide).collect::<Vec<_>>()
    };
    let [first, second] = [(); 2].map(|()| series(|i| i == 0));
    let told = |all: &[Report]| all.iter().map(|r| r.figures.clone()).collect::<Vec<_>>();
    assert_eq!(told(&first), told(&second), "a new game begins anew");
    let [alone, together] = [series(|_| true), first].map(|all| all.iter().map(chosen).collect::<Vec<_>>());
    assert!(alone.iter().flatten().count() <= 5, "{alone:?}");
    assert!(together.iter().rev().take(8).all(Option::is_some), "{together:?}");
}

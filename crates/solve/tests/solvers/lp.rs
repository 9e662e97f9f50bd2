//! Linear programmes: matrix games and the sequence form.

use std::time::Instant;

use fogtree_core::{Player, Purpose, Seed};
use fogtree_solve::Compiled;
use fogtree_solve::lp::{Matrix, SequenceSolution, solve_sequence_form};

use crate::common::compiled;

#[track_caller]
fn check(matrix: &Matrix, value: f64, rows: &[f64], columns: &[f64]) {
    let found = matrix.solve();
    let close = |a: &[f64], b: &[f64]| a.iter().zip(b).all(|(a, b)| (a - b).abs() < 1e-12);
    assert!((found.value - value).abs() < 1e-12 && found.gap < 1e-12, "{found:?}");
    assert!(close(&found.rows, rows) && close(&found.columns, columns), "{found:?}");
}

/// Equilibrium T-01.
#[test]
fn t_01_matrix_games() {
    let thirds = [1.0 / 3.0; 3];
    check(&Matrix::new(3, vec![0.0, -1.0, 1.0, 1.0, 0.0, -1.0, -1.0, 1.0, 0.0]), 0.0, &thirds, &thirds);
    check(&Matrix::new(2, vec![0.0, 1.0, -1.0, 0.0]), 0.0, &[1.0, 0.0], &[1.0, 0.0]);
    let biased = [1.0 / 16.0, 10.0 / 16.0, 5.0 / 16.0];
    let matrix = Matrix::new(3, vec![0.0, -25.0, 50.0, 25.0, 0.0, -5.0, -50.0, 5.0, 0.0]);
    check(&matrix, 0.0, &biased, &biased);
}

/// The closed form of 2x2 games without a saddle point: value (ad - bc) / (a + d - b - c).
#[test]
fn two_by_two_games_have_their_closed_form() {
    let mut rng = Seed(5).stream(Purpose::Sampling);
    for _ in 0..1000 {
        let [a, b, c, d] = [(); 4].map(|()| rng.unit() * 20.0 - 10.0);
        let found = Matrix::new(2, vec![a, b, c, d]).solve();
        let maximin = a.min(b).max(c.min(d));
        let minimax = a.max(c).min(b.max(d));
        let value = if maximin >= minimax { maximin } else { (a * d - b * c) / (a + d - b - c) };
        assert!((found.value - value).abs() < 1e-9, "{found:?} {value}");
        assert_eq!(found.saddle.is_some(), maximin >= minimax);
    }
}

/// Best responses to the solution certify it, whatever the method did. Whole numbers make ties and
/// degenerate tableaus.
#[test]
fn random_matrices_are_solved_to_a_small_gap() {
    let mut rng = Seed(6).stream(Purpose::Sampling);
    for round in 0..400 {
        let (m, n) = (1 + rng.below(12) as usize, 1 + rng.below(12) as usize);
        let entry = |rng: &mut fogtree_core::Rng| match round % 2 {
            0 => f64::from(rng.below(3)) - 1.0,
            _ => rng.unit() * 200.0 - 100.0,
        };
        let found = Matrix::from_fn(m, n, |_, _| entry(&mut rng)).solve();
        assert!(found.gap < 1e-9, "{found:?}");
        assert!((found.rows.iter().sum::<f64>() - 1.0).abs() < 1e-12);
        assert!(found.columns.iter().all(|&p| p >= 0.0));
    }
}

/// Matrices of rank 3 but for some noise: pivots are as small as rounding, and the simplex method alone
/// leaves gaps of up to a tenth of the payoffs.
#[test]
fn ill_conditioned_matrices_are_solved_to_a_small_gap() {
    let mut rng = Seed(9).stream(Purpose::Sampling);
    for round in 0..60 {
        let (size, noise) = (10 + rng.below(40) as usize, 10.0_f64.powi(-7 - round % 5));
        let mut factor =
            || -> Vec<[f64; 3]> { (0..size).map(|_| [(); 3].map(|()| rng.unit() - 0.5)).collect() };
        let (left, right) = (factor(), factor());
        let matrix = Matrix::from_fn(size, size, |row, column| {
            let product = left[row].iter().zip(&right[column]).map(|(a, b)| a * b);
            product.sum::<f64>() + noise * rng.unit()
        });
        let found = matrix.solve();
        assert!(found.gap < 1e-8, "size {size}, noise {noise}: {}", found.gap);
        assert!((found.rows.iter().sum::<f64>() - 1.0).abs() < 1e-12);
        assert!(found.exact().is_ok());
    }
}

fn solved(game: &Compiled) -> SequenceSolution {
    let solution = solve_sequence_form(game).unwrap();
    assert!(solution.evaluation.nash_conv() < 1e-6, "{}", solution.evaluation.nash_conv());
    solution
}

/// Kuhn 1950; equilibrium 3.7 and 3.10; liar's dice and Leduc as solved by three other linear programmers.
#[test]
fn known_values() {
    for (spec, value) in [
        ("kuhn-poker", -1.0 / 18.0),
        ("leduc-poker", -0.085_606_424_078),
        ("leduc-poker(suits=no)", -0.085_606_424_078),
        ("liars-dice(faces=4)", 0.0625),
        ("liars-dice(faces=5)", 0.008),
        ("non-locality", 1.0),
        ("modified-non-locality", 2.5),
        ("rock-paper-scissors", 0.0),
        ("biased-rock-paper-scissors", 0.0),
        ("matching-pennies", 0.0),
        ("diagonal-game", 0.0),
        ("goofspiel(cards=3,bids=hidden)", 0.0),
        ("goofspiel(cards=4,bids=hidden,lowest=1)", 0.0),
    ] {
        let solution = solved(&compiled(spec));
        assert!((solution.value - value).abs() < 1e-7, "{spec}: {}", solution.value);
        assert!((solution.evaluation.values[0] - solution.value).abs() < 1e-6, "{spec}");
    }
}

/// Equilibrium 3.10: the maximiser mixes evenly, the minimiser (1/3, 2/3).
#[test]
fn the_non_locality_game_has_its_equilibrium() {
    let game = compiled("non-locality");
    let solution = solved(&game);
    let at = |who| solution.profile.at(&game, Player(who), 0)[0];
    assert!((at(0) - 0.5).abs() < 1e-6 && (at(1) - 1.0 / 3.0).abs() < 1e-6, "{} {}", at(0), at(1));
}

#[test]
fn games_for_more_or_with_common_interests_are_refused() {
    for spec in ["prisoners-dilemma", "liars-dice(players=3,faces=2)"] {
        assert!(solve_sequence_form(&compiled(spec)).is_err());
    }
}

/// `cargo test --release -p fogtree-solve --test solvers lp -- --ignored --nocapture`
#[test]
#[ignore = "a measurement"]
fn time_of_sequence_form() {
    for spec in ["leduc-poker", "liars-dice(faces=4)", "liars-dice(faces=5)"] {
        let game = compiled(spec);
        let start = Instant::now();
        let solution = solved(&game);
        println!(
            "{spec}: {:?}, value {}, NashConv {:.1e}",
            start.elapsed(),
            solution.value,
            solution.evaluation.nash_conv()
        );
    }
}

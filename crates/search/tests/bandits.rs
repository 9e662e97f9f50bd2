//! The learners against their regret bounds, against adversaries, and against each other.

use std::f64::consts::{E, PI};

use fogtree_core::{Purpose, Rng, Seed};
use fogtree_search::bandit::{
    Bandit, Bonus, Bound, Exp3, Exp3P, Exploration, RegretMatching, Ties, Ucb, exp3_gamma,
    exp3_probabilities, greatest, regret_matching, strip_exploration, ucb1, ucb1_tuned,
};
use fogtree_solve::lp::Matrix;

fn rng(seed: u64) -> Rng {
    Seed(seed).named("bandits").stream(Purpose::Ties)
}

/// Plays arms that pay 1 with the given probabilities; returns the regret against always playing the best,
/// in expectation given the choices.
fn stochastic_regret(bandit: &mut impl Bandit, means: &[f64], trials: u64, rng: &mut Rng) -> f64 {
    let best = means.iter().copied().fold(0.0, f64::max);
    (0..trials)
        .map(|_| {
            let arm = bandit.select(rng);
            bandit.update(arm, f64::from(u8::from(rng.unit() < means[arm])));
            best - means[arm]
        })
        .sum()
}

/// Plays against rewards fixed beforehand; returns the regret against the best single arm.
fn adversarial_regret(
    bandit: &mut impl Bandit,
    arms: usize,
    trials: u64,
    reward: impl Fn(u64, usize) -> f64,
    rng: &mut Rng,
) -> f64 {
    let mut gained = 0.0;
    let mut totals = vec![0.0; arms];
    for t in 0..trials {
        let arm = bandit.select(rng);
        bandit.update(arm, reward(t, arm));
        gained += reward(t, arm);
        totals.iter_mut().enumerate().for_each(|(i, total)| *total += reward(t, i));
    }
    totals.into_iter().fold(0.0, f64::max) - gained
}

/// `8 sum ln n / gap + (1 + pi^2 / 3) sum gaps` (`equilibrium/2.1`, T-05).
#[test]
fn ucb1_keeps_its_bound() {
    for (case, means) in
        [vec![0.9, 0.6], vec![0.5, 0.45, 0.4, 0.3, 0.1], vec![0.2; 3], vec![0.0, 1.0]].into_iter().enumerate()
    {
        let n = 10_000;
        let best = means.iter().copied().fold(0.0, f64::max);
        let gaps: Vec<f64> = means.iter().map(|m| best - m).filter(|gap| *gap > 0.0).collect();
        let bound =
            gaps.iter().map(|gap| 8.0 * (n as f64).ln() / gap + (1.0 + PI * PI / 3.0) * gap).sum::<f64>();
        let runs = 20;
        let regret = |bound: Bound| {
            let run = |seed| {
                let mut ucb = Ucb::new(means.len(), bound, Ties::EXACT);
                stochastic_regret(&mut ucb, &means, n, &mut rng(100 * case as u64 + seed))
            };
            (0..runs).map(run).sum::<f64>() / runs as f64
        };
        let (plain, tuned) = (regret(Bound::AUER), regret(Bound::Tuned));
        assert!(plain <= bound, "{means:?}: regret {plain}, bound {bound}");
        assert!(tuned <= plain + 1e-9, "tuning pays on {means:?}: {tuned} against {plain}");
    }
}

/// `(e - 1) gamma n + K ln K / gamma`, expected (`equilibrium/2.1`, T-05). The adversary moves the good arm.
#[test]
fn exp3_keeps_its_bound_against_a_fixed_sequence() {
    let shifting =
        |t: u64, arm: usize| f64::from(u8::from((t / 500) as usize % 3 == arm || t % 7 == arm as u64));
    let constant = |_: u64, arm: usize| arm as f64 / 9.0;
    let (n, runs) = (10_000, 10);
    for gamma in [0.02, 0.1, 0.5] {
        for k in [2, 5, 10] {
            let bound = (E - 1.0) * gamma * n as f64 + k as f64 * (k as f64).ln() / gamma;
            let regret = |reward: &dyn Fn(u64, usize) -> f64| {
                let run = |seed| {
                    let mut exp3 = Exp3::new(k, Exploration::Fixed(gamma));
                    adversarial_regret(&mut exp3, k, n, reward, &mut rng(seed))
                };
                (0..runs).map(run).sum::<f64>() / runs as f64
            };
            for reward in [&shifting as &dyn Fn(u64, usize) -> f64, &constant] {
                let regret = regret(reward);
                assert!(regret <= bound, "K = {k}, gamma = {gamma}: regret {regret}, bound {bound}");
            }
        }
    }
}

/// With the best exploration for the trials so far the regret grows like the square root of the trials.
#[test]
fn running_exploration_needs_no_horizon() {
    assert_eq!(exp3_gamma(4, 0), 1.0, "everything is explored at first");
    assert_eq!(exp3_gamma(1, 0), 0.0, "one arm needs no exploration");
    for n in [1_000u64, 10_000, 100_000] {
        let mut exp3 = Exp3::new(3, Exploration::Running);
        let regret = stochastic_regret(&mut exp3, &[0.3, 0.5, 0.7], n, &mut rng(n));
        // Twice the bound for the best fixed exploration, 2.63 sqrt(n K ln K): the usual price of not knowing n.
        let bound = 2.0 * 2.63 * (n as f64 * 3.0 * 3f64.ln()).sqrt();
        assert!(regret <= bound, "n = {n}: regret {regret}, bound {bound}");
    }
}

/// `5.15 sqrt(n K ln(K / risk))` with probability `1 - risk` (`equilibrium/2.1`, T-05).
#[test]
fn exp3_p_keeps_its_bound_in_every_run() {
    let (n, k, risk) = (10_000u64, 5, 0.01);
    let bound = 5.15 * (n as f64 * k as f64 * (k as f64 / risk).ln()).sqrt();
    let reward = |t: u64, arm: usize| f64::from(u8::from((t * 31 + arm as u64 * 17) % 10 < 3 + arm as u64));
    for to in [Bonus::All, Bonus::Played] {
        for seed in 0..20 {
            let mut learner = Exp3P::new(k, n, risk, to);
            let regret = adversarial_regret(&mut learner, k, n, reward, &mut rng(seed));
            assert!(regret <= bound, "{to:?}: regret {regret}, bound {bound}");
        }
    }
}

#[test]
fn exp3_stays_finite() {
    let mut rng = rng(1);
    let mut exp3 = Exp3::new(4, Exploration::Fixed(0.1));
    for _ in 0..1_000_000 {
        let arm = exp3.select(&mut rng);
        exp3.update(arm, if arm == 2 { 1.0 } else { 0.0 });
    }
    let mut p = [0.0; 4];
    exp3.strategy(&mut p);
    assert!(p.iter().all(|p| p.is_finite()) && (p.iter().sum::<f64>() - 1.0).abs() < 1e-12);
    assert!((p[2] - 0.925).abs() < 1e-9, "all but the exploration goes to the arm that pays: {p:?}");
    exp3.average_without_exploration(&mut p);
    assert!(p[2] > 0.999, "{p:?}");
    let mut huge = [0.0; 3];
    exp3_probabilities(&[1e300, 1e300, -1e300], 0.1, &mut huge);
    assert!((huge[0] - huge[1]).abs() < 1e-12 && (huge[2] - 0.1 / 3.0).abs() < 1e-12, "{huge:?}");
}

/// The shifted form is the sources' pairwise form, and that is the naive one.
#[test]
fn the_forms_of_exp3_agree() {
    let mut rng = rng(2);
    for _ in 0..1000 {
        let k = 1 + rng.below(8) as usize;
        let gamma = 0.01 + 0.99 * rng.unit();
        let sums: Vec<f64> = (0..k).map(|_| 50.0 * rng.unit()).collect();
        let eta = gamma / k as f64;
        let mut stable = vec![0.0; k];
        exp3_probabilities(&sums, gamma, &mut stable);
        let all: f64 = sums.iter().map(|g| (eta * g).exp()).sum();
        for i in 0..k {
            let naive = (eta * sums[i]).exp() / all;
            let pairwise = 1.0 / sums.iter().map(|g| (eta * (g - sums[i])).exp()).sum::<f64>();
            for p in [naive, pairwise] {
                assert!((stable[i] - ((1.0 - gamma) * p + eta)).abs() < 1e-12);
            }
        }
    }
}

/// An adversary that runs a copy of a deterministic learner pays for every arm but the one it will choose
/// (`equilibrium/2.1`, T-06). The same rewards, fixed beforehand, do no harm to one that draws.
#[test]
fn an_adversary_ruins_a_deterministic_rule() {
    for (k, bound) in [(2, Bound::AUER), (3, Bound::AUER), (10, Bound::Ucb1(0.7)), (4, Bound::Tuned)] {
        let n = 5_000u64;
        let mut rng = rng(3);
        let mut ucb = Ucb::new(k, bound, Ties::First);
        let mut copy = ucb.clone();
        let mut never_paid = Vec::new();
        let (mut totals, mut gained) = (vec![0.0; k], 0.0);
        for _ in 0..n {
            let foreseen = copy.select(&mut rng);
            copy.update(foreseen, 0.0);
            let reward = |arm: usize| f64::from(u8::from(arm != foreseen));
            totals.iter_mut().enumerate().for_each(|(arm, total)| *total += reward(arm));
            let arm = ucb.select(&mut rng);
            ucb.update(arm, reward(arm));
            gained += reward(arm);
            never_paid.push(foreseen);
        }
        let regret = totals.into_iter().fold(0.0, f64::max) - gained;
        assert!(regret >= (k as f64 - 1.0) / k as f64 * n as f64, "K = {k}: {regret}");
        let mut exp3 = Exp3::new(k, Exploration::Fixed(exp3_gamma(k, n)));
        let reward = |t: u64, arm: usize| f64::from(u8::from(arm != never_paid[t as usize]));
        let drawn = adversarial_regret(&mut exp3, k, n, reward, &mut rng);
        assert!(drawn < 0.2 * regret, "K = {k}: {drawn} against {regret}");
    }
}

#[test]
fn bounds_are_the_formulas_of_the_sources() {
    assert_eq!(ucb1(0.0, 0.0, 0.0, 1.0), f64::INFINITY);
    assert_eq!(ucb1_tuned(0.0, 0.0, 0.0, 0.0), f64::INFINITY);
    // 10 trials, 4 of this arm, rewards 1, 1, 1, 0: mean 3/4, ln 10 / 4 = 0.575646.
    assert!((ucb1(3.0, 4.0, 10.0, 0.7) - (0.75 + 0.7 * 0.575646f64.sqrt())).abs() < 1e-6);
    assert!((ucb1_tuned(3.0, 3.0, 4.0, 10.0) - (0.75 + (0.575646f64 / 4.0).sqrt())).abs() < 1e-6);
    // Certain rewards and many trials: the variance term, not 1/4, decides. ln 1000 / 900 = 0.00767528.
    let v: f64 = (2.0 * 0.00767528f64).sqrt();
    assert!((ucb1_tuned(450.0, 225.0, 900.0, 1000.0) - (0.5 + (0.00767528 * v).sqrt())).abs() < 1e-6);
}

/// An arm that is rarely available is not over-explored: its bound counts only the trials in which it was
/// available (`ismcts/3.2`).
#[test]
fn rare_arms_are_tried_by_availability() {
    let mut rng = rng(4);
    let mut ucb = Ucb::new(3, Bound::Ucb1(0.7), Ties::EXACT);
    let mut rare = 0;
    for t in 0..10_000 {
        let available: &[usize] = if t % 50 == 0 { &[0, 2] } else { &[0, 1] };
        rare += u64::from(t % 50 == 0);
        let arm = ucb.select_among(available, &mut rng);
        assert!(available.contains(&arm));
        ucb.update(arm, [0.5, 0.4, 0.1][arm]);
    }
    assert_eq!(ucb.available(), [10_000, 10_000 - rare, rare]);
    // With ln of all trials the bound of the rare arm would exceed 0.5 until it was tried
    // (0.7 / 0.4)^2 ln 10^4 = 28 times; with ln of its own 200 trials, 16.2 times at most.
    assert!((2..=17).contains(&ucb.visits()[2]), "{:?}", ucb.visits());
}

#[test]
fn only_available_arms_are_drawn_and_learnt_about() {
    let mut rng = rng(5);
    let learners: [Box<dyn Bandit>; 4] = [
        Box::new(Exp3::new(4, Exploration::Running)),
        Box::new(Exp3P::new(4, 2000, 0.1, Bonus::All)),
        Box::new(RegretMatching::new(4, 0.1)),
        Box::new(Ucb::new(4, Bound::Tuned, Ties::First)),
    ];
    for mut learner in learners {
        for t in 0..2000 {
            let available: &[usize] = if t % 2 == 0 { &[1, 3] } else { &[3, 2] };
            let arm = learner.select_among(available, &mut rng);
            assert!(available.contains(&arm));
            learner.update(arm, [0.0, 0.2, 0.8, 0.5][arm]);
        }
        assert_eq!(learner.arms(), 4);
        assert_eq!(learner.visits()[0], 0);
        assert_eq!(learner.visits().iter().sum::<u64>(), 2000);
        let mut average = [0.0; 4];
        learner.average(&mut average);
        assert_eq!(average[0], 0.0);
        assert!((average.iter().sum::<f64>() - 1.0).abs() < 1e-9);
        assert!(average[2] > average[1], "the better arm is played more: {average:?}");
    }
}

/// `equilibrium/ER-2`: the strategy sums to 1; `ER-3`: every regret loses the reward, the chosen one's too.
#[test]
fn regret_matching_has_the_corrected_forms() {
    let mut p = [0.0; 4];
    regret_matching(&[2.0, -5.0, 6.0, 0.0], 0.2, &mut p);
    for (p, expected) in p.into_iter().zip([0.8 * 0.25 + 0.05, 0.05, 0.8 * 0.75 + 0.05, 0.05]) {
        assert!((p - expected).abs() < 1e-12);
    }
    regret_matching(&[-1.0, 0.0, -2.0, -3.0], 0.2, &mut p);
    assert_eq!(p, [0.25; 4]);

    let mut rng = rng(6);
    let mut learner = RegretMatching::new(3, 0.1);
    let first = learner.select(&mut rng);
    learner.update(first, 0.5);
    for (arm, &regret) in learner.regrets().iter().enumerate() {
        let expected = if arm == first { 0.5 / (1.0 / 3.0) - 0.5 } else { -0.5 };
        assert!((regret - expected).abs() < 1e-12, "{arm} after {first}: {regret}");
    }
    let mut strategy = [0.0; 3];
    learner.strategy(&mut strategy);
    assert!((strategy[first] - (0.9 + 0.1 / 3.0)).abs() < 1e-12);
    for _ in 0..1000 {
        let arm = learner.select(&mut rng);
        learner.update(arm, rng.unit() - 0.5);
        learner.strategy(&mut strategy);
        assert!((strategy.iter().sum::<f64>() - 1.0).abs() < 1e-12);
        assert!(strategy.iter().all(|&p| p >= 0.1 / 3.0 - 1e-12));
    }
}

#[test]
fn exploration_is_taken_out_of_averages() {
    let mut average = [0.9 * 0.75 + 0.05, 0.9 * 0.25 + 0.05];
    strip_exploration(&mut average, 0.1);
    assert!((average[0] - 0.75).abs() < 1e-12 && (average[1] - 0.25).abs() < 1e-12);
    let mut floor = [0.97, 0.03, 0.0];
    strip_exploration(&mut floor, 0.12);
    assert_eq!(floor, [1.0, 0.0, 0.0]);
}

#[test]
fn ties_are_broken_as_asked() {
    let mut rng = rng(7);
    let values = [0.1, 0.995, 1.0, 0.2, 1.0];
    assert_eq!(greatest(&values, Ties::First, &mut rng), 2);
    assert_eq!(greatest(&values, Ties::Last, &mut rng), 4);
    for (ties, tied) in [(Ties::EXACT, vec![2, 4]), (Ties::LOOSE, vec![1, 2, 4])] {
        let mut counts = [0; 5];
        (0..3000).for_each(|_| counts[greatest(&values, ties, &mut rng)] += 1);
        for (i, count) in counts.into_iter().enumerate() {
            let expected = if tied.contains(&i) { 3000 / tied.len() as i32 } else { 0 };
            assert!((count - expected).abs() <= if expected > 0 { 150 } else { 0 }, "{ties:?}: {counts:?}");
        }
    }
    let untried = [f64::INFINITY, 3.0, f64::INFINITY];
    assert!((0..100).all(|_| greatest(&untried, Ties::LOOSE, &mut rng) != 1));
}

/// Two learners play a zero-sum matrix game; returns how often each chose what.
fn self_play<B: Bandit>(
    [row, column]: [&mut B; 2],
    matrix: &[Vec<f64>],
    trials: u64,
    rng: &mut Rng,
    scale: impl Fn(f64) -> f64,
) {
    for _ in 0..trials {
        let (a, b) = (row.select(rng), column.select(rng));
        row.update(a, scale(matrix[a][b]));
        column.update(b, scale(-matrix[a][b]));
    }
}

/// How much both could gain together by deviating.
fn nash_conv(matrix: &[Vec<f64>], row: &[f64], column: &[f64]) -> f64 {
    let against_column = matrix.iter().map(|r| r.iter().zip(column).map(|(u, q)| u * q).sum::<f64>());
    let against_row = (0..column.len()).map(|j| matrix.iter().zip(row).map(|(r, p)| r[j] * p).sum::<f64>());
    against_column.fold(f64::MIN, f64::max) - against_row.fold(f64::MAX, f64::min)
}

fn averages(learners: [&impl Bandit; 2]) -> [Vec<f64>; 2] {
    learners.map(|learner| {
        let mut average = vec![0.0; learner.arms()];
        learner.average(&mut average);
        average
    })
}

/// T-02, TH-9, ER-9: in [[0, 1], [-1, 0]] both should play the first arm. In lock-step they never learn it.
#[test]
fn decoupled_bounds_need_loose_ties_in_the_diagonal_game() {
    let matrix = [vec![0.0, 1.0], vec![-1.0, 0.0]];
    let first_arm = |ties: Ties, seed: u64| {
        let mut players = [(); 2].map(|()| Ucb::new(2, Bound::Ucb1(2.0), ties));
        let [row, column] = &mut players;
        self_play([row, column], &matrix, 20_000, &mut rng(seed), |u| u);
        let [row, column] = averages([row, column]);
        (row[0], nash_conv(&matrix, &row, &column))
    };
    assert_eq!(first_arm(Ties::First, 0), (0.5, 1.0), "in order, both go round the diagonal");
    let runs = |ties: Ties| (0..20).map(|seed| first_arm(ties, seed).0).collect::<Vec<_>>();
    let exact = runs(Ties::EXACT);
    assert!(exact.iter().all(|p| (p - 0.502).abs() < 0.001), "{exact:?}");
    let loose = runs(Ties::LOOSE);
    let mean = loose.iter().sum::<f64>() / 20.0;
    assert!(mean >= 0.95 && loose.iter().all(|&p| p >= 0.66), "{mean} {loose:?}");
    let looser = runs(Ties::Random(0.05));
    assert!(looser.iter().all(|&p| p >= 0.99), "{looser:?}");
}

/// T-03: with bounds, more time may make it worse; biased rock-paper-scissors divided by 50.
#[test]
fn decoupled_bounds_do_not_find_a_mixed_equilibrium() {
    let matrix = biased_rock_paper_scissors();
    let conv = |ties: Ties, trials: u64, seed: u64| {
        let mut players = [(); 2].map(|()| Ucb::new(3, Bound::Ucb1(2.0), ties));
        let [row, column] = &mut players;
        self_play([row, column], &matrix, trials, &mut rng(seed), |u| u);
        let [row, column] = averages([row, column]);
        nash_conv(&matrix, &row, &column)
    };
    for seed in 0..6 {
        let (short, long) = (conv(Ties::EXACT, 10_000, seed), conv(Ties::EXACT, 100_000, seed));
        assert!((0.295..0.335).contains(&short) && (0.32..0.335).contains(&long), "{short} then {long}");
        let (short, long) = (conv(Ties::LOOSE, 10_000, seed), conv(Ties::LOOSE, 100_000, seed));
        assert!((0.04..0.1).contains(&short) && (0.11..0.138).contains(&long), "{short} then {long}");
    }
}

fn biased_rock_paper_scissors() -> Vec<Vec<f64>> {
    let rows = [[0.0, -25.0, 50.0], [25.0, 0.0, -5.0], [-50.0, 5.0, 0.0]];
    rows.iter().map(|row| row.iter().map(|u| u / 50.0).collect()).collect()
}

/// What came of two learners playing each other for a while.
struct Match {
    /// What each regrets per trial for not having played its best arm throughout.
    regrets: [f64; 2],
    /// The row player's mean payoff.
    paid: f64,
}

/// Two learners play a zero-sum matrix game with payoffs in [0, 1], of which they see what `seen` makes of them.
fn measured<B: Bandit>(
    players: &mut [B; 2],
    matrix: &Matrix,
    trials: u64,
    rng: &mut Rng,
    seen: impl Fn(u64, f64) -> f64,
) -> Match {
    let entries: Vec<&[f64]> = matrix.rows().collect();
    let (mut rows, mut columns) = (vec![0.0; entries.len()], vec![0.0; entries[0].len()]);
    let (mut paid, mut noticed) = (0.0, 0.0);
    for t in 0..trials {
        let [a, b] = players.each_mut().map(|player| player.select(rng));
        let payoff = seen(t, entries[a][b]);
        players[0].update(a, payoff);
        players[1].update(b, 1.0 - payoff);
        paid += entries[a][b];
        noticed += payoff;
        rows.iter_mut().zip(&entries).for_each(|(sum, row)| *sum += seen(t, row[b]));
        columns.iter_mut().zip(entries[a]).for_each(|(sum, u)| *sum += seen(t, *u));
    }
    let n = trials as f64;
    let best = rows.into_iter().fold(f64::MIN, f64::max) - noticed;
    let least = noticed - columns.into_iter().fold(f64::MAX, f64::min);
    Match { regrets: [best / n, least / n], paid: paid / n }
}

fn conv_of(matrix: &Matrix, players: &[impl Bandit; 2]) -> f64 {
    let [row, column] = averages([&players[0], &players[1]]);
    let best = matrix.against_columns(&column).into_iter().fold(f64::MIN, f64::max);
    best - matrix.against_rows(&row).into_iter().fold(f64::MAX, f64::min)
}

fn random_matrix(k: usize, rng: &mut Rng) -> Matrix {
    Matrix::from_fn(k, k, |_, _| rng.unit())
}

/// T-07, TH-1, TH-4: what both regret bounds the distance of their averages from equilibrium; and the regret is small.
#[test]
fn t_07_learners_approach_equilibria_of_random_matrices() {
    fn check<B: Bandit>(mut players: [B; 2], matrix: &Matrix, rng: &mut Rng) {
        let Match { regrets, .. } = measured(&mut players, matrix, 50_000, rng, |_, u| u);
        let epsilon = regrets[0].max(regrets[1]);
        let conv = conv_of(matrix, &players);
        assert!(conv <= 4.0 * epsilon + 0.01 && epsilon < 0.1, "{conv}, regrets {regrets:?}");
    }
    let mut rng = rng(8);
    let gamma = 0.05;
    for k in 2..=5 {
        for _ in 0..3 {
            let matrix = random_matrix(k, &mut rng);
            check([(); 2].map(|()| Exp3::new(k, Exploration::Fixed(gamma))), &matrix, &mut rng);
            check([(); 2].map(|()| RegretMatching::new(k, gamma)), &matrix, &mut rng);
        }
    }
}

/// TH-5: where payoffs are seen with an error of at most `c epsilon`, averages are within `4 (c + 1) epsilon` of an
/// equilibrium and the mean payoff within `(c + 1) epsilon` of the value. The error alternates, or points one
/// way in the worst place.
#[test]
fn th_5_errors_of_payoffs_are_not_amplified() {
    let mut rng = rng(11);
    let error = 0.05;
    for k in 2..=4 {
        let matrix = random_matrix(k, &mut rng);
        let value = matrix.solve().value;
        let errors: [&dyn Fn(u64, f64) -> f64; 2] =
            [&|t, u| u + if t % 2 == 0 { error } else { -error }, &|_, u| {
                u + if u < 0.5 { error } else { -error }
            }];
        for seen in errors {
            let mut players = [(); 2].map(|()| Exp3::new(k, Exploration::Fixed(0.05)));
            let Match { regrets, paid } = measured(&mut players, &matrix, 50_000, &mut rng, seen);
            let all = regrets[0].max(regrets[1]) + error;
            let conv = conv_of(&matrix, &players);
            assert!(conv <= 4.0 * all + 0.01, "K = {k}: {conv}, regrets {regrets:?}");
            assert!((paid - value).abs() <= all + 0.01, "K = {k}: {paid} for {value}, regrets {regrets:?}");
        }
    }
}

/// Equilibrium 2.1: who knows the payoffs of a matrix game and matches regrets, without any exploration, comes to an
/// equilibrium: the regret per trial is at most `sqrt(K / n)` in payoffs within [0, 1], and a little for chance.
#[test]
fn regret_matching_with_known_payoffs_finds_equilibria() {
    let mut rng = rng(12);
    let n = 40_000u64;
    for k in 2..=6 {
        let matrix = random_matrix(k, &mut rng);
        let entries: Vec<&[f64]> = matrix.rows().collect();
        let mut players = [(); 2].map(|()| RegretMatching::new(k, 0.0));
        for _ in 0..n {
            let [a, b] = players.each_mut().map(|player| player.select(&mut rng));
            let column: Vec<f64> = entries.iter().map(|row| row[b]).collect();
            let row: Vec<f64> = entries[a].iter().map(|u| 1.0 - u).collect();
            players[0].update_known(a, &column);
            players[1].update_known(b, &row);
        }
        let bound = (k as f64 / n as f64).sqrt();
        for player in &players {
            let regret = player.regrets().iter().copied().fold(f64::MIN, f64::max) / n as f64;
            assert!(regret <= bound + 0.01, "K = {k}: {regret}");
        }
        let conv = conv_of(&matrix, &players);
        assert!(conv <= 2.0 * bound + 0.03, "K = {k}: {conv}");
    }
    let mut learner = RegretMatching::new(3, 0.0);
    let arm = learner.select(&mut rng);
    learner.update_known(arm, &[0.1, 0.4, 0.9]);
    let paid = [0.1, 0.4, 0.9][arm];
    assert_eq!(learner.regrets(), [0.1 - paid, 0.4 - paid, 0.9 - paid]);
}

/// TH-12: the averages of learners that explore approach the equilibrium of biased rock-paper-scissors,
/// (1/16, 10/16, 5/16), up to their exploration.
#[test]
fn regret_matching_finds_a_biased_equilibrium() {
    let matrix = biased_rock_paper_scissors();
    let mut players = [(); 2].map(|()| RegretMatching::new(3, 0.05));
    let [row, column] = &mut players;
    self_play([row, column], &matrix, 200_000, &mut rng(9), |u| u);
    let mut average = [0.0; 3];
    row.average_without_exploration(&mut average);
    for (p, equilibrium) in average.into_iter().zip([1.0 / 16.0, 10.0 / 16.0, 5.0 / 16.0]) {
        assert!((p - equilibrium).abs() < 0.05, "{average:?}");
    }
}

//! The family of counterfactual regret minimisers: step by step against OpenSpiel, and what they reach.

use crate::common::compiled;
use fogtree_core::{Player, Purpose, Seed};
use fogtree_solve::cfr::{Cfr, FictitiousPlay, Sampling, SamplingCfr, Updates, Variant};
use fogtree_solve::{Compiled, Evaluation, Iterative};

fn after(game: &Compiled, variant: Variant, updates: Updates, iterations: u64) -> Evaluation {
    let mut cfr = Cfr::new(game, variant, updates);
    (0..iterations).for_each(|_| cfr.iterate());
    Evaluation::of(game, &cfr.average())
}

/// NashConv and the first player's payoff of OpenSpiel 2.0.2's average policies after 1, 2 and 10 calls of
/// `evaluate_and_update_policy` (`pyspiel.CFRSolver`, `pyspiel.CFRPlusSolver`), as `pyspiel.nash_conv` and
/// `pyspiel.expected_returns` print them.
#[test]
fn iterations_agree_with_openspiel() {
    let hidden = "goofspiel(cards=4,bids=hidden,lowest=1,last=automatic)";
    type Row = (&'static str, Variant, [(u64, f64, f64); 3]);
    let rows: [Row; 8] = [
        (
            "kuhn-poker",
            Variant::Vanilla,
            [
                (1, 0.9166666666666666, 0.12500000000000003),
                (2, 0.5416666666666667, 0.0),
                (10, 0.1373975876343151, -0.05311271033885945),
            ],
        ),
        (
            "kuhn-poker",
            Variant::Plus,
            [
                (1, 0.9166666666666666, 0.12500000000000003),
                (2, 0.5277777777777777, -0.08796296296296285),
                (10, 0.06537418133668965, -0.058724911551706616),
            ],
        ),
        (
            "leduc-poker",
            Variant::Vanilla,
            [
                (1, 4.747222222222222, -0.078125),
                (2, 4.122638888888889, 0.08082862646854827),
                (10, 1.777157966337538, -0.4448309409352176),
            ],
        ),
        (
            "leduc-poker",
            Variant::Plus,
            [
                (1, 4.747222222222222, -0.078125),
                (2, 4.115833333333334, -0.19206436906499397),
                (10, 1.2208778031808132, -0.35527380509979445),
            ],
        ),
        (
            hidden,
            Variant::Vanilla,
            [
                (1, 1.4166666666666665, 0.0),
                (2, 0.9644886363636362, 0.005070233585858619),
                (10, 0.2993096589361991, 0.0030790953356522877),
            ],
        ),
        (
            hidden,
            Variant::Plus,
            [
                (1, 1.4166666666666665, 0.0),
                (2, 0.8137626262626262, -0.01906214927048258),
                (10, 0.2859937566649706, -0.012326372277464612),
            ],
        ),
        (
            "liars-dice(faces=4)",
            Variant::Vanilla,
            [
                (1, 1.3101190476190476, -0.015625),
                (2, 0.881163368457226, -0.022684011832072047),
                (10, 0.28327651356397493, -0.003886800298559867),
            ],
        ),
        (
            "liars-dice(faces=4)",
            Variant::Plus,
            [
                (1, 1.3101190476190476, -0.015625),
                (2, 0.7791148667007599, -0.05039540180567942),
                (10, 0.2131236101178451, 0.0016343947140311926),
            ],
        ),
    ];
    for (spec, variant, checkpoints) in rows {
        let game = compiled(spec);
        for (iterations, nash_conv, value) in checkpoints {
            let found = after(&game, variant, Updates::Alternating, iterations);
            let (differs, value_differs) = (found.nash_conv() - nash_conv, found.values[0] - value);
            assert!(differs.abs() < 1e-9, "{spec} {variant:?} {iterations}: {found:?}, not {nash_conv}");
            assert!(value_differs.abs() < 1e-9, "{spec} {variant:?} {iterations}: {found:?}, not {value}");
        }
    }
}

/// The same with `DCFRSolver` and `LCFRSolver` of `open_spiel.python.algorithms.discounted_cfr`.
#[test]
fn discounted_iterations_agree_with_openspiel() {
    for (spec, variant, iterations, nash_conv, value) in [
        ("kuhn-poker", Variant::DCFR, 10, 0.0455575678515272, -0.05543126897285289),
        ("kuhn-poker", Variant::Linear, 10, 0.042501461224331516, -0.05234961946918959),
        ("leduc-poker", Variant::DCFR, 4, 3.3095311942975685, -0.7809951295903481),
        ("leduc-poker", Variant::Linear, 4, 3.2900646550393438, -0.4207699621852059),
    ] {
        let found = after(&compiled(spec), variant, Updates::Alternating, iterations);
        let near = (found.nash_conv() - nash_conv).abs() < 1e-9 && (found.values[0] - value).abs() < 1e-9;
        assert!(near, "{spec} {variant:?}: {found:?}");
    }
}

/// The standard six-sided instance, made in the same way.
#[test]
fn ten_iterations_of_liars_dice_agree_with_openspiel() {
    let game = compiled("liars-dice");
    for (variant, nash_conv) in [(Variant::Vanilla, 0.3678512363504289), (Variant::Plus, 0.28320285245955645)]
    {
        let found = after(&game, variant, Updates::Alternating, 10).nash_conv();
        assert!((found - nash_conv).abs() < 1e-9, "{variant:?}: {found}");
    }
}

/// In two-player games of opposite interests all variants approach the same value: 0 for fair games, -1/18
/// for Kuhn poker, 1 for the non-locality game, where the minimiser plays (1/3, 2/3).
#[test]
fn all_variants_approach_the_value() {
    let variants = [Variant::Vanilla, Variant::Plus, Variant::Linear, Variant::DCFR, Variant::PredictivePlus];
    for (spec, value) in [
        ("kuhn-poker", -1.0 / 18.0),
        ("non-locality", 1.0),
        ("modified-non-locality", 2.5),
        ("biased-rock-paper-scissors", 0.0),
        ("goofspiel(cards=3,bids=hidden)", 0.0),
    ] {
        let game = compiled(spec);
        for variant in variants {
            for updates in [Updates::Alternating, Updates::Simultaneous] {
                let found = after(&game, variant, updates, 3000);
                let scale = if spec.starts_with("biased") { 50.0 } else { 1.0 };
                let exact = found.nash_conv() < 0.03 * scale;
                assert!(exact, "{spec} {variant:?} {updates:?}: {}", found.nash_conv());
                let near = (found.values[0] - value).abs() <= found.nash_conv() + 1e-9;
                assert!(near, "{spec} {variant:?} {updates:?}: {}", found.values[0]);
            }
        }
    }
}

/// Equilibrium T-09, 3.7: values of Leduc and of the small instance of generic poker.
#[test]
fn t_09_values_of_poker() {
    let leduc = after(&compiled("leduc-poker"), Variant::Plus, Updates::Alternating, 2000);
    assert!(leduc.nash_conv() < 5e-4, "{}", leduc.nash_conv());
    // The value lies between what the first player is sure of and what the second lets it have.
    assert!((-leduc.best[1]..leduc.best[0]).contains(&-0.085_606_4), "{leduc:?}");
    let small = after(&compiled("small-poker"), Variant::DCFR, Updates::Alternating, 1000);
    assert!(small.nash_conv() < 0.01, "{}", small.nash_conv());
    let (sure, most) = (-small.best[1], small.best[0]);
    assert!(sure <= -0.1103 && most >= -0.1124, "{sure} {most}");
}

/// Equilibrium TH-1: with regrets of at most `e` on average the average strategies are within `2e` of an
/// equilibrium. The regret of a player is at most the sum of the positive regrets of its information sets.
#[test]
fn th_1_small_regrets_mean_nearly_an_equilibrium() {
    for spec in ["kuhn-poker", "leduc-poker(suits=no)", "goofspiel(cards=3,bids=hidden)"] {
        let game = compiled(spec);
        let mut cfr = Cfr::new(&game, Variant::Vanilla, Updates::Simultaneous);
        for t in 1..=300 {
            cfr.iterate();
            if t % 50 == 0 {
                let regret = |who: Player| -> f64 {
                    let most = |actions: std::ops::Range<usize>| {
                        cfr.regrets(who)[actions].iter().fold(0.0_f64, |most, &r| most.max(r))
                    };
                    game.treeplex(who).iter().map(|(_, actions)| most(actions)).sum::<f64>() / f64::from(t)
                };
                let bound = regret(Player(0)) + regret(Player(1));
                let found = Evaluation::of(&game, &cfr.average()).nash_conv();
                assert!(found <= bound + 1e-9, "{spec} {t}: {found} {bound}");
            }
        }
    }
}

/// CFR has no guarantee with three players, but it must run, and in this game it does well.
#[test]
fn three_players() {
    let game = compiled("liars-dice(players=3,faces=2)");
    let found = after(&game, Variant::Plus, Updates::Alternating, 500);
    assert!(found.values.iter().sum::<f64>().abs() < 1e-9);
    assert!(found.nash_conv() < 0.05, "{found:?}");
}

#[test]
fn sampling_approaches_the_equilibrium() {
    let game = compiled("kuhn-poker");
    for (sampling, iterations, most) in
        [(Sampling::External, 30_000, 0.03), (Sampling::Outcome { exploration: 0.6 }, 100_000, 0.06)]
    {
        for seed in 1..=3 {
            let mut cfr = SamplingCfr::new(&game, sampling, Seed(seed).stream(Purpose::Sampling));
            (0..iterations).for_each(|_| cfr.iterate());
            let found = Evaluation::of(&game, &cfr.average()).nash_conv();
            assert!(found < most, "{sampling:?} {seed}: {found}");
        }
    }
}

#[test]
fn fictitious_play_approaches_the_equilibrium() {
    for spec in ["kuhn-poker", "rock-paper-scissors", "diagonal-game", "non-locality"] {
        let game = compiled(spec);
        let mut play = FictitiousPlay::new(&game);
        (0..5000).for_each(|_| play.iterate());
        let found = Evaluation::of(&game, &play.average()).nash_conv();
        assert!(found < 0.05, "{spec}: {found}");
    }
}

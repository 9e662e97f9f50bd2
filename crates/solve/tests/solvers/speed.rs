//! How fast the solvers are, in processor time, against OpenSpiel 2.0.2 on the same machine. Ignored: times mean
//! something only in release builds.
//!
//! `cargo test --release -p fogtree-solve --test solvers speed -- --ignored --nocapture --test-threads 1`

use std::time::Instant;

use crate::common::compiled;
use fogtree_core::{Purpose, Seed};
use fogtree_solve::cfr::{Cfr, Sampling, SamplingCfr, Updates, Variant};
use fogtree_solve::{Compiled, Evaluation, Iterative};

const LEDUC: &str = "leduc-poker";
const DICE: &str = "liars-dice";
const GOOFSPIEL: &str = "goofspiel(cards=5,bids=hidden,lowest=1,last=automatic)";

/// What this thread has spent on a processor: other work on the machine does not count. The wall clock where
/// the system does not tell.
fn spent(start: Instant) -> f64 {
    let told = std::fs::read_to_string("/proc/thread-self/schedstat").ok();
    let nanoseconds = told.and_then(|text| text.split(' ').next().and_then(|n| n.parse::<f64>().ok()));
    nanoseconds.map_or_else(|| start.elapsed().as_secs_f64(), |n| n * 1e-9)
}

/// Runs for about so many seconds; how often a second, and how often.
fn rate(seconds: f64, mut run: impl FnMut()) -> (f64, u64) {
    let clock = Instant::now();
    let (start, mut times) = (spent(clock), 0u64);
    while spent(clock) - start < seconds {
        (0..=times / 16).for_each(|_| run());
        times += 1 + times / 16;
    }
    (times as f64 / (spent(clock) - start), times)
}

#[test]
#[ignore = "a measurement"]
fn full_iterations() {
    for (spec, cfr, plus) in [(LEDUC, 118.0, 104.0), (DICE, 7.4, 6.8), (GOOFSPIEL, 45.7, 39.2)] {
        let clock = Instant::now();
        let start = spent(clock);
        let game = compiled(spec);
        println!("{spec}: compiled in {:.1} ms, {} bytes", (spent(clock) - start) * 1e3, game.bytes());
        for (variant, theirs) in [
            (Variant::Vanilla, cfr),
            (Variant::Plus, plus),
            (Variant::Linear, plus),
            (Variant::DCFR, plus),
            (Variant::PredictivePlus, plus),
        ] {
            let mut cfr = Cfr::new(&game, variant, Updates::Alternating);
            let (speed, times) = rate(1.0, || cfr.iterate());
            let reached = Evaluation::of(&game, &cfr.average()).exploitability();
            let ratio = speed / theirs;
            println!("  {variant:?}: {speed:.0}/s = {ratio:.0}x, exploitability {reached:.2e} after {times}");
        }
        let mut cfr = Cfr::new(&game, Variant::Plus, Updates::Alternating);
        cfr.iterate();
        let average = cfr.average();
        let (speed, _) = rate(0.5, || {
            std::hint::black_box(Evaluation::of(&game, &average));
        });
        println!("  exploitability in {:.3} ms", 1e3 / speed);
    }
}

#[test]
#[ignore = "a measurement"]
fn sampled_iterations() {
    for (spec, es, os) in
        [(LEDUC, 34_500.0, 126_000.0), (DICE, 10_800.0, 165_000.0), (GOOFSPIEL, 1320.0, 54_100.0)]
    {
        let game: Compiled = compiled(spec);
        println!("{spec}");
        for (sampling, theirs) in [(Sampling::External, es), (Sampling::Outcome { exploration: 0.6 }, os)] {
            let mut cfr = SamplingCfr::new(&game, sampling, Seed(1).stream(Purpose::Sampling));
            let (speed, times) = rate(1.0, || cfr.iterate());
            let reached = Evaluation::of(&game, &cfr.average()).exploitability();
            let ratio = speed / theirs;
            println!(
                "  {sampling:?}: {speed:.0}/s = {ratio:.1}x, exploitability {reached:.2e} after {times}"
            );
        }
    }
}

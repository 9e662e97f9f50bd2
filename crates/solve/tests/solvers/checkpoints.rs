//! Solvers that are stopped and go on.

use std::path::{Path, PathBuf};
use std::time::Duration;

use fogtree_core::Seed;
use fogtree_games::kuhn_poker::KuhnPoker;
use fogtree_solve::{BadCheckpoint, Checkpoint, Config, Profile, Solver, Unsolved, solve};

/// A file of this test's own.
fn file(name: &str) -> PathBuf {
    let directory = std::env::temp_dir().join(format!("fogtree-checkpoints-{}", std::process::id()));
    std::fs::create_dir_all(&directory).unwrap();
    directory.join(name)
}

fn config(solver: &str, iterations: u64, path: &Path) -> Config {
    let checkpoint =
        Checkpoint { path: path.to_path_buf(), every: Duration::from_millis(5), label: solver.to_string() };
    Config {
        iterations: Some(iterations),
        checkpoint: Some(checkpoint),
        ..Config::new(Solver::from_spec(&solver.parse().unwrap()).unwrap())
    }
}

fn strategies(config: &Config) -> Profile {
    solve(&KuhnPoker, config, &mut |_| ()).unwrap().strategies.unwrap().1
}

/// A run that was stopped twice ends with the very numbers of a run that was not.
#[test]
fn a_resumed_run_equals_an_uninterrupted_one() {
    for solver in ["cfr", "cfr+", "linear-cfr", "dcfr", "pcfr+", "es-mccfr", "os-mccfr", "fictitious-play"] {
        let path = file(&format!("{solver}.checkpoint"));
        let whole = Config { checkpoint: None, ..config(solver, 300, &path) };
        strategies(&config(solver, 100, &path));
        strategies(&config(solver, 101, &path));
        let mut told = Vec::new();
        let resumed =
            solve(&KuhnPoker, &config(solver, 300, &path), &mut |p| told.push(p.iterations)).unwrap();
        assert!(told[0] > 101 && resumed.iterations == 300, "{solver}: {told:?}");
        assert_eq!(resumed.strategies.unwrap().1, strategies(&whole), "{solver}");
    }
}

#[test]
fn checkpoints_of_something_else_and_damaged_ones_are_refused() {
    let path = file("refused.checkpoint");
    strategies(&config("cfr+", 10, &path));
    let error = |config: &Config| solve(&KuhnPoker, config, &mut |_| ()).unwrap_err();
    let other = error(&config("dcfr", 10, &path));
    assert!(matches!(other, Unsolved::Checkpoint(BadCheckpoint::Other { .. })), "{other}");

    let seeded = error(&Config { seed: Seed(2), ..config("cfr+", 20, &path) });
    assert!(seeded.to_string().contains("from seed 1, not of cfr+ from seed 2"), "{seeded}");

    let good = std::fs::read(&path).unwrap();
    let flipped = (0..good.len()).map(|byte| {
        let mut flipped = good.clone();
        flipped[byte] ^= 1 << (byte % 8);
        flipped
    });
    let cut = [&good[..good.len() - 3], &good[..20], b"", b"{}\n"].map(<[u8]>::to_vec);
    for damaged in flipped.chain(cut) {
        std::fs::write(&path, &damaged).unwrap();
        let error = error(&config("cfr+", 20, &path));
        let is_refused = matches!(
            error,
            Unsolved::Checkpoint(BadCheckpoint::Damaged { .. } | BadCheckpoint::Other { .. })
        );
        assert!(is_refused, "{error}");
        assert_eq!(std::fs::read(&path).unwrap(), damaged, "what is refused is left alone");
    }
    let nowhere = error(&config("cfr+", 10, &file("no/such/folder")));
    assert!(nowhere.to_string().contains("no such folder"), "{nowhere}");
    assert_eq!(error(&config("sequence-lp", 10, &path)), Unsolved::NothingToSave);
}

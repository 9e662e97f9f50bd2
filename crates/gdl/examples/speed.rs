//! How fast the interpreter plays rule sheets at random: legal moves of all roles, next states, tests for the end, and
//! goals at the end.
//!
//! `cargo run --release -p fogtree-gdl --example speed -- games/gdl/*.kif`

use std::time::{Duration, Instant};

use fogtree_core::{Purpose, Seed};
use fogtree_gdl::simulate::speed;
use fogtree_gdl::{Interpreter, Limits, Sheet};

fn main() -> Result<(), String> {
    println!("{:>14} {:>14} {:>10} {:>10}  sheet", "changes/s", "state changes", "rollouts", "built ms");
    for path in std::env::args().skip(1) {
        let wrong = |why: &dyn std::fmt::Debug| format!("{path}: {why:?}");
        let bytes = std::fs::read(&path).map_err(|e| wrong(&e))?;
        let start = Instant::now();
        let sheet = Sheet::read_bytes(&bytes).map_err(|e| wrong(&e))?;
        let game = Interpreter::new(&sheet, Limits::default()).map_err(|e| wrong(&e))?;
        let built = start.elapsed().as_secs_f64() * 1e3;
        let mut rng = Seed(1).stream(Purpose::Playout);
        let found = speed(&game, &mut rng, Duration::from_secs(2)).map_err(|e| wrong(&e))?;
        let (changes, rollouts) = (found.state_changes, found.rollouts);
        println!("{:>14.0} {changes:>14} {rollouts:>10} {built:>10.1}  {path}", found.per_second());
    }
    Ok(())
}

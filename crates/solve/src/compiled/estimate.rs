//! How large a game tree is, without walking it.
//!
//! D. E. Knuth, *Estimating the efficiency of backtrack programs* (1975): go down one path at random, all
//! children equally likely, and multiply the numbers of children met; that product is the number of nodes at
//! each depth on average. The mean over several such probes is an unbiased, if noisy, estimate.

use fogtree_core::{Purpose, Rules, Seed, Step, Turn};

/// How many probes [`estimate`] makes.
const PROBES: u32 = 500;

/// About how many nodes the tree has in which simultaneous turns are taken one after another. Chance whose
/// outcomes cannot be listed counts as if it had one.
pub fn estimate<R: Rules>(rules: &R) -> f64 {
    let mut rng = Seed(0).named("size of a game tree").stream(Purpose::Sampling);
    let mut outcomes = Vec::new();
    let mut legal = Vec::new();
    let mut total = 0.0;
    for _ in 0..PROBES {
        let mut state = rules.start();
        let mut nodes = 1.0;
        total += nodes;
        loop {
            let turn = rules.turn(&state);
            match turn {
                Turn::Terminal => break,
                Turn::Chance => {
                    outcomes.clear();
                    rules.chance(&state, &mut outcomes);
                    if outcomes.is_empty() {
                        let outcome = rules.sample_chance(&state, &mut rng);
                        rules.apply(&mut state, Step::Chance(&outcome));
                    } else {
                        nodes *= outcomes.len() as f64;
                        let outcome = rng.pick(&outcomes).0.clone();
                        rules.apply(&mut state, Step::Chance(&outcome));
                    }
                    total += nodes;
                }
                Turn::Player(_) | Turn::Simultaneous(_) => {
                    let mut moves = Vec::new();
                    for p in turn.players().iter() {
                        legal.clear();
                        rules.actions(&state, p, &mut legal);
                        nodes *= legal.len() as f64;
                        total += nodes;
                        moves.push((p, *rng.pick(&legal)));
                    }
                    rules.apply(&mut state, Step::Moves(&moves));
                }
            }
        }
    }
    total / f64::from(PROBES)
}

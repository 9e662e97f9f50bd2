//! Needs no more than the compiled game's own insides; what the solvers reach is tested in `tests/`.

use fogtree_core::{About, Purpose, Seed};
use fogtree_games::poker::{ABOUT, Poker};

use super::*;

fn leduc() -> Compiled {
    let (about, spec) =
        About::find([&ABOUT].into_iter(), "game", &"leduc-poker(suits=no)".parse().unwrap()).unwrap();
    Compiled::of(&Poker::from_params(&about.params(&spec).unwrap()).unwrap(), 100_000).unwrap()
}

/// Equilibrium T-10: the regrets an outcome-sampling path adds, averaged over the exact distribution of paths,
/// are the counterfactual regrets that a full sweep finds.
#[test]
fn t_10_outcome_sampling_is_unbiased() {
    let game = leduc();
    let mut full = Cfr::new(&game, Variant::Vanilla, Updates::Simultaneous);
    for _ in 0..3 {
        full.iterate();
    }
    for who in Player::all(2) {
        let before = full.regrets(who).to_vec();
        let mut after = full.clone();
        after.iterate();
        let mut mean = vec![0.0; before.len()];
        let mut total: f64 = 0.0;
        let mut sampled = SamplingCfr::new(&game, Sampling::External, Seed(1).stream(Purpose::Sampling));
        // Every path in turn: a list of choices, the last of which that can be raised is raised.
        let mut script: Vec<usize> = Vec::new();
        loop {
            for p in Player::all(2) {
                sampled.regrets[p.index()].clone_from(&full.tables[p.index()].regrets);
            }
            let mut sizes = Vec::new();
            let mut q = 1.0;
            let leaf = sampled.descend(who, 0.4, |p, _| {
                let i = sizes.len();
                script.resize(script.len().max(i + 1), 0);
                sizes.push(p.len());
                q *= p[script[i]];
                script[i]
            });
            if q > 0.0 {
                total += q;
                sampled.learn(who, leaf, 0.4);
                for (mean, (new, old)) in
                    mean.iter_mut().zip(sampled.regrets[who.index()].iter().zip(&before))
                {
                    *mean += q * (new - old);
                }
            }
            script.truncate(sizes.len());
            while script.last().is_some_and(|&last| last + 1 == sizes[script.len() - 1]) {
                script.pop();
            }
            match script.last_mut() {
                Some(last) => *last += 1,
                None => break,
            }
        }
        assert!((total - 1.0).abs() < 1e-9, "{total}");
        for (s, (mean, (new, old))) in mean.iter().zip(after.regrets(who).iter().zip(&before)).enumerate() {
            assert!((mean - (new - old)).abs() < 1e-9, "{who:?} {s}: {mean} {new} {old}");
        }
    }
}

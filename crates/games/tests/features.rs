//! The features that games tell of their states are told apart, and tell nobody what it does not know.

use std::collections::HashSet;

use fogtree_core::{Observer, Playable, Player, Purpose, Scratch, Seed, Turn, random_step};
use fogtree_games::{ALL, Receiver, build};

/// Plays at random and draws worlds along the way; counts the features met.
struct Features;

impl Receiver for Features {
    type Out = usize;

    fn game<G: Playable>(&mut self, game: G) -> usize {
        let (mut rng, mut scratch) = (Seed(2).stream(Purpose::Deal), Scratch::default());
        let mut met = HashSet::new();
        let mut world = game.start();
        let features = |state: &G::State, p: Player| {
            let mut out = Vec::new();
            if let Some(episodes) = game.extras().episodes {
                episodes.features(state, p, &mut out);
            }
            out
        };
        for _ in 0..3 {
            let mut state = game.start();
            for _ in 0..60 {
                if game.turn(&state) == Turn::Terminal {
                    break;
                }
                for p in game.turn(&state).players().iter() {
                    let told = features(&state, p);
                    let mut once = told.clone();
                    once.sort_unstable();
                    once.dedup();
                    assert_eq!(once.len(), told.len(), "{told:?}");
                    assert!(once.iter().all(|&feature| feature < 1 << 16), "{told:?}");
                    met.extend(once);
                    let known = game.info(&state, Observer::Seat(p));
                    let mut sampler = game.sampler(&known);
                    for _ in 0..3 {
                        game.sample(&mut sampler, &mut rng, &mut world);
                        assert_eq!(features(&world, p), told, "player {p} knows {known:?}");
                    }
                }
                random_step(&game, &mut state, &mut rng, &mut scratch);
            }
        }
        met.len()
    }
}

#[test]
fn features_are_known_and_told_once() {
    let with: Vec<&str> = ALL
        .iter()
        .filter(|about| !["tubstap", "arimaa"].contains(&about.name))
        .filter(|about| build(&about.name.parse().unwrap(), &mut Features).unwrap() > 0)
        .map(|about| about.name)
        .collect();
    assert_eq!(with, ["checkers", "dou-di-zhu", "hearts", "lotr-confrontation", "othello"]);
}

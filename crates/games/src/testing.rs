//! What tests of games share.

use fogtree_core::play::read_ply;
use fogtree_core::text::plain;
use fogtree_core::{
    About, BadSpec, FastPlay, Notation, Params, Purpose, Scene, Scratch, Seed, Turn, play, random_step,
};

/// The parameters of a game, given as in `rows=3,columns=4`.
pub(crate) fn params(about: &'static About, text: &str) -> Result<Params, BadSpec> {
    about.params(&format!("{}({text})", about.name).parse()?)
}

/// The state after these steps by name.
pub(crate) fn after<R: Notation>(rules: &R, words: &str) -> R::State {
    go(rules, &rules.start(), words)
}

/// The state that these steps by name lead to from another.
pub(crate) fn go<R: Notation>(rules: &R, from: &R::State, words: &str) -> R::State {
    let mut s = from.clone();
    let mut words = words.split_whitespace();
    while let Some(ply) =
        read_ply(rules, &s, &mut words).unwrap_or_else(|why| panic!("{why}\n{}", rules.show(&s)))
    {
        play(rules, &mut s, ply.step()).unwrap();
    }
    s
}

/// The names of what the first player to move may do; nothing if nobody is.
pub(crate) fn legal<R: Notation>(rules: &R, s: &R::State) -> Vec<String> {
    let mut actions = Vec::new();
    if let Some(who) = rules.turn(s).players().iter().next() {
        rules.actions(s, who, &mut actions);
    }
    actions.into_iter().map(|a| rules.action_name(a)).collect()
}

/// The first zone of a scene as text without colours.
pub(crate) fn first_zone(mut scene: Scene) -> String {
    scene.caption.clear();
    scene.zones.truncate(1);
    plain(&scene.to_string())
}

/// Checks that a playout, after some steps, draws what random steps to the end draw, and that over is over.
pub(crate) fn playout_is_random_steps<R: FastPlay>(rules: &R, seed: u64) {
    let (mut scratch, mut rng) = (Scratch::default(), Seed(seed).stream(Purpose::Playout));
    let mut steps = rules.start();
    for _ in 0..seed % 7 {
        random_step(rules, &mut steps, &mut rng, &mut scratch);
    }
    let (mut ahead, mut rng_ahead) = (steps.clone(), rng.clone());
    let rewards = rules.playout(&mut ahead, &mut rng_ahead, &mut scratch);
    while rules.turn(&steps) != Turn::Terminal {
        random_step(rules, &mut steps, &mut rng, &mut scratch);
    }
    assert_eq!((&ahead, &rewards, &rng_ahead), (&steps, &rules.rewards(&steps), &rng));
    assert_eq!(rules.playout(&mut ahead, &mut rng, &mut scratch), rewards, "over is over");
}

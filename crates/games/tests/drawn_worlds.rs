//! Two worlds drawn from one information set cannot be told apart by what happens later and looks the same.
//!
//! The conformance suite proves this by enumeration on tiny instances; here it is tried on the instances that
//! are played, in games whose secrets show in what others may do.

use fogtree_core::{FastPlay, Game, Observer, Player, Purpose, Rng, Scratch, Seed, Step, Turn, random_step};
use fogtree_games::{resistance, scotland_yard};

/// A complete step.
enum Ply<G: FastPlay> {
    Chance(G::Outcome),
    Moves(Vec<(Player, G::Action)>),
}

impl<G: FastPlay> Ply<G> {
    fn step(&self) -> Step<'_, G> {
        match self {
            Ply::Chance(outcome) => Step::Chance(outcome),
            Ply::Moves(moves) => Step::Moves(moves),
        }
    }

    /// A random step; what `like` says of the seat's own action is repeated.
    fn draw(game: &G, s: &G::State, seat: Player, like: Option<&Ply<G>>, rng: &mut Rng) -> Ply<G> {
        let players = match game.turn(s) {
            Turn::Chance => return Ply::Chance(game.sample_chance(s, rng)),
            turn => turn.players(),
        };
        let mut scratch = Scratch::default();
        let mut choose = |p: Player| {
            let own = like.and_then(|ply| ply.step().action_of(p)).filter(|_| p == seat);
            (p, own.unwrap_or_else(|| game.random_action(s, p, rng, &mut scratch)))
        };
        Ply::Moves(players.iter().map(&mut choose).collect())
    }
}

/// What a seat can tell of a world.
fn face<G: Game + FastPlay>(game: &G, s: &G::State, seat: Player) -> (G::Info, String, Vec<G::Action>) {
    let known = game.info(s, Observer::Seat(seat));
    let mut legal = Vec::new();
    if game.turn(s).players().contains(seat) {
        game.actions(s, seat, &mut legal);
    }
    let view = game.view(&known);
    (known, view, legal)
}

/// Plays on in two worlds, as long as the second can be made to look like the first; answers how many steps
/// were made while the worlds differed.
fn play_alike<G: Game + FastPlay>(game: &G, mut worlds: [G::State; 2], seat: Player, rng: &mut Rng) -> u32 {
    const TRIES: usize = 200;
    let mut steps = 0;
    loop {
        let [a, b] = &mut worlds;
        assert_eq!(face(game, a, seat), face(game, b, seat), "{a:?} and {b:?} differ to player {seat}");
        if game.turn(a) == Turn::Terminal || game.turn(b) == Turn::Terminal {
            return steps;
        }
        let by = Observer::Seat(seat);
        let first = Ply::draw(game, a, seat, None, rng);
        let seen = game.observe(a, first.step(), by);
        let alike = (0..TRIES).map(|_| Ply::draw(game, b, seat, Some(&first), rng));
        let mut alike = alike.filter(|ply| game.observe(b, ply.step(), by) == seen);
        let Some(second) = alike.next() else { return steps };
        steps += u32::from(a != b);
        game.apply(a, first.step());
        game.apply(b, second.step());
    }
}

fn worlds_stay_alike<G: Game + FastPlay>(game: &G) {
    let facts = game.facts();
    let mut rng = Seed(1).stream(Purpose::Sampling);
    let mut scratch = Scratch::default();
    let mut steps = 0;
    for _ in 0..400 {
        let mut s = game.start();
        for _ in 0..rng.below(facts.max_length) {
            if game.turn(&s) != Turn::Terminal {
                random_step(game, &mut s, &mut rng, &mut scratch);
            }
        }
        for seat in Player::all(facts.players) {
            let mut sampler = game.sampler(&game.info(&s, Observer::Seat(seat)));
            let mut worlds = [s.clone(), s.clone()];
            for world in &mut worlds {
                game.sample(&mut sampler, &mut rng, world);
            }
            steps += play_alike(game, worlds, seat, &mut rng);
        }
    }
    assert!(steps > 300, "only {steps} steps were made in worlds that differ");
}

#[test]
fn worlds_of_the_resistance_stay_alike() {
    for spec in ["resistance", "resistance(players=10)", "resistance(players=7,last=vote)"] {
        let params = resistance::ABOUT.params(&spec.parse().unwrap()).unwrap();
        worlds_stay_alike(&resistance::Resistance::from_params(&params).unwrap());
    }
}

#[test]
fn worlds_of_scotland_yard_stay_alike() {
    for spec in
        ["scotland-yard", "scotland-yard(doubles=2,seekers=3)", "scotland-yard(board=random,stations=30)"]
    {
        let params = scotland_yard::ABOUT.params(&spec.parse().unwrap()).unwrap();
        worlds_stay_alike(&scotland_yard::ScotlandYard::from_params(&params).unwrap());
    }
}

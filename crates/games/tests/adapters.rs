//! Games made from games obey the laws too, and agree with the games they are made from.

use std::collections::HashSet;

use fogtree_core::testing::{Law, Options, check, conformance};
use fogtree_core::{
    About, Foreseen, Game, Key, Keys, Line, Method, Observer, Params, Player, Purpose, Rules, Scratch, Seed,
    Serial, Step, Tracked, Turn, random_step,
};
use fogtree_games::goofspiel::{self, Goofspiel};
use fogtree_games::kuhn_poker::KuhnPoker;
use fogtree_games::phantom_mnk::{self, Hidden, PhantomMnk};

fn params(about: &'static About, text: &str) -> Params {
    about.params(&format!("{}({text})", about.name).parse().unwrap()).unwrap()
}

fn goofspiel(text: &str) -> Goofspiel {
    Goofspiel::from_params(&params(&goofspiel::ABOUT, text)).unwrap()
}

#[test]
fn serial_games_obey_the_laws() {
    for text in
        ["cards=3,bids=hidden", "cards=3,bids=open,prizes=random", "cards=3,bids=hidden,last=automatic"]
    {
        let game = Serial(goofspiel(text));
        assert!(!game.facts().simultaneous && game.facts().hidden);
        conformance(&game, &game);
    }
}

/// The keys at which a player decides are the same, whether moves are made together or one after another.
#[test]
fn serial_games_have_the_information_sets_of_the_game_inside() {
    let game = goofspiel("cards=4,bids=hidden");
    let together = deciding_keys(&game);
    assert_eq!(together, deciding_keys(&Serial(game)));
    assert_eq!(together.len(), 2 * 369, "equilibrium 3.6");
}

/// Every (seat, key) at which the seat is to move.
fn deciding_keys<R: Rules>(rules: &R) -> HashSet<(Player, Key)> {
    let mut found = HashSet::new();
    let mut stack = vec![(rules.start(), Keys::start(rules.facts().players))];
    while let Some((state, keys)) = stack.pop() {
        let turn = rules.turn(&state);
        found.extend(turn.players().iter().map(|p| (p, keys.of(Observer::Seat(p)))));
        let mut joint: Vec<Vec<(Player, R::Action)>> = vec![Vec::new()];
        for p in turn.players().iter() {
            let mut legal = Vec::new();
            rules.actions(&state, p, &mut legal);
            joint = joint.iter().flat_map(|m| legal.iter().map(|&a| [&m[..], &[(p, a)]].concat())).collect();
        }
        assert_ne!(turn, Turn::Chance, "these games have no chance");
        for moves in joint.iter().filter(|_| turn != Turn::Over) {
            let step = Step::Moves(moves);
            let mut next = state.clone();
            rules.apply(&mut next, step);
            stack.push((next, keys.after(rules, &state, step)));
        }
    }
    found
}

#[test]
fn tracked_games_obey_the_laws() {
    let game = Tracked::new(KuhnPoker, Method::Exact { limit: 1000 });
    conformance(&game, &game);
    let phantom = PhantomMnk::<Hidden>::from_params(&params(&phantom_mnk::ABOUT, "m=2,n=2,k=2")).unwrap();
    let game = Tracked::new(phantom, Method::Exact { limit: 1000 });
    conformance(&game, &game);
}

/// Worlds found by depth-first search are all there, but not equally likely: only the law of frequencies may
/// break, and only in games where it can.
#[test]
fn back_tracking_finds_every_world() {
    let game = Tracked::new(KuhnPoker, Method::Backtracking);
    conformance(&game, &game);
    let game = Tracked::new(goofspiel("cards=3,bids=hidden"), Method::Backtracking);
    let broken = check(&game, &game, &Options::default());
    assert!(broken.iter().all(|v| v.law == Law::SampleFrequencies), "{broken:?}");
}

/// The share of each card in the worlds that a particle filter keeps.
#[test]
fn particles_follow_the_probabilities() {
    let game = Tracked::new(KuhnPoker, Method::Particles { count: 4000 });
    let mut line = Line::start(&game);
    line.play_words(&game, ["Q", "J", "check", "bet"]).unwrap();
    let mut sampler = game.sampler(&game.known(line.state(), Observer::Seat(Player(0))));
    let mut rng = Seed(1).stream(Purpose::Sampling);
    let mut world = game.start();
    let mut kings = 0;
    for _ in 0..4000 {
        game.sample(&mut sampler, &mut rng, &mut world);
        kings += u32::from(game.show(&world).contains("Q and K"));
    }
    assert!((f64::from(kings) / 4000.0 - 0.5).abs() < 0.05, "{kings} of 4000");
}

/// The first player marks a1; the second may have tried a1 before it marked one of three other cells. These
/// are six worlds, all alike; in three of them the first player's turn comes a step later.
#[test]
fn particles_that_arrive_later_count_as_much() {
    let phantom = PhantomMnk::<Hidden>::from_params(&params(&phantom_mnk::ABOUT, "m=2,n=2,k=2")).unwrap();
    let game = Tracked::new(phantom, Method::Particles { count: 4000 });
    let mut line = Line::start(&game);
    line.play_words(&game, ["a1", "b1"]).unwrap();
    let mut sampler = game.sampler(&game.known(line.state(), Observer::Seat(Player(0))));
    let mut rng = Seed(1).stream(Purpose::Sampling);
    let mut world = game.start();
    let other = |state: &_| game.known(state, Observer::Seat(Player(1))).events.len();
    let mut tried = 0;
    for _ in 0..4000 {
        game.sample(&mut sampler, &mut rng, &mut world);
        tried += u32::from(other(&world) > other(line.state()));
    }
    assert!((f64::from(tried) / 4000.0 - 0.5).abs() < 0.05, "{tried} of 4000");
}

/// In one world the dice of the future are cast: playing it twice in the same way deals the same cards, and
/// chance never has a turn.
#[test]
fn foreseen_worlds_repeat_themselves() {
    let game = Foreseen::new(goofspiel("cards=6,bids=hidden,prizes=random"), Seed(3));
    let mut scratch = Scratch::default();
    let mut ends = HashSet::new();
    for world in 0..20 {
        let play = |scratch: &mut Scratch<_>| {
            let mut state = game.world(game.inner().start(), Seed(world));
            let mut rng = Seed(9).stream(Purpose::Playout);
            while game.turn(&state) != Turn::Over {
                assert_ne!(game.turn(&state), Turn::Chance);
                random_step(&game, &mut state, &mut rng, scratch);
            }
            state
        };
        let (first, second) = (play(&mut scratch), play(&mut scratch));
        assert_eq!(first, second);
        ends.insert(game.show(&first));
    }
    assert!(ends.len() > 10, "different worlds have different futures");
}

/// What a seat sees in a foreseen world is what it sees of the same steps one by one.
#[test]
fn foreseen_observations_tell_worlds_apart_as_the_game_inside_does() {
    let inner = goofspiel("cards=4,bids=hidden,prizes=random");
    let game = Foreseen::new(inner.clone(), Seed(0));
    let mut rng = Seed(1).stream(Purpose::Sampling);
    for world in 0..200 {
        let state = game.world(inner.start(), Seed(world));
        let who = Player(0);
        let known = game.known(&state, Observer::Seat(who));
        let mut drawn = state.clone();
        game.sample(&mut game.sampler(&known), &mut rng, &mut drawn);
        assert_eq!(game.known(&drawn, Observer::Seat(who)), known);
    }
}

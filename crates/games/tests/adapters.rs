//! Games made from games obey the laws too, and agree with the games they are made from.

use std::collections::HashSet;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use fogtree_core::testing::{Law, Options, check, conformance};
use fogtree_core::{
    About, Deadline, FastPlay, Foreseen, Game, Key, Keys, Line, Method, Notation, Observation, Observer,
    Params, Player, Purpose, Rules, Scratch, Seed, Serial, Step, Tracked, Turn, random_step,
};
use fogtree_games::backgammon::{self, Backgammon};
use fogtree_games::goofspiel::{self, Goofspiel};
use fogtree_games::kuhn_poker::KuhnPoker;
use fogtree_games::phantom_mnk::{self, Hidden, PhantomMnk};
use fogtree_games::poker::{self, Poker};

fn params(about: &'static About, text: &str) -> Params {
    about.params(&format!("{}({text})", about.name).parse().unwrap()).unwrap()
}

fn goofspiel(text: &str) -> Goofspiel {
    Goofspiel::from_params(&params(&goofspiel::ABOUT, text)).unwrap()
}

fn backgammon(text: &str) -> Backgammon {
    Backgammon::from_params(&params(&backgammon::ABOUT, text)).unwrap()
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
        for moves in joint.iter().filter(|_| turn != Turn::Terminal) {
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
    let mut sampler = game.sampler(&game.info(line.state(), Observer::Seat(Player(0))));
    let mut rng = Seed(1).stream(Purpose::Sampling);
    let mut world = game.start();
    let mut kings = 0;
    for _ in 0..4000 {
        game.sample(&mut sampler, &mut rng, &mut world);
        kings += u32::from(fogtree_core::text::plain(&game.show(&world)).contains("Player 1: K"));
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
    let mut sampler = game.sampler(&game.info(line.state(), Observer::Seat(Player(0))));
    let mut rng = Seed(1).stream(Purpose::Sampling);
    let mut world = game.start();
    let other = |state: &_| game.info(state, Observer::Seat(Player(1))).events.len();
    let mut tried = 0;
    for _ in 0..4000 {
        game.sample(&mut sampler, &mut rng, &mut world);
        tried += u32::from(other(&world) > other(line.state()));
    }
    assert!((f64::from(tried) / 4000.0 - 0.5).abs() < 0.05, "{tried} of 4000");
}

/// After a deadline worlds are drawn from what was found before it; without time there is none, unless somebody has
/// offered some.
#[test]
fn worlds_are_found_within_a_deadline() {
    let phantom = PhantomMnk::<Hidden>::from_params(&params(&phantom_mnk::ABOUT, "m=3,n=3,k=3")).unwrap();
    let game = Tracked::new(phantom, Method::Exact { limit: 1 });
    let mut line = Line::start(&game);
    line.play_words(&game, ["a1", "b1", "c3", "c1"]).unwrap();
    let me = Observer::Seat(Player(0));
    let fresh = || game.info(line.state(), me);
    let agrees = |known: &_| {
        let (mut sampler, mut rng) = (game.sampler(known), Seed(1).stream(Purpose::Sampling));
        let mut world = game.start();
        (0..20).all(|_| {
            game.sample(&mut sampler, &mut rng, &mut world);
            game.info(&world, me) == fresh()
        })
    };
    let late = Deadline::after(Some(Duration::ZERO), None);
    assert!(!game.find_worlds(&fresh(), None, &late));
    let offered = fresh();
    game.offer(&offered, vec![line.state().clone()]);
    assert!(game.find_worlds(&offered, None, &late) && agrees(&offered));
    let stop = Arc::new(AtomicBool::new(false));
    let known = fresh();
    let until = Deadline::after(Some(Duration::from_secs(60)), Some(Arc::clone(&stop)));
    assert!(game.find_worlds(&known, None, &until) && agrees(&known));
    stop.store(true, Ordering::Relaxed);
    assert!(until.has_passed() && agrees(&known));
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
            while game.turn(&state) != Turn::Terminal {
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

/// The dice of a world belong to it: they are rolled in the same order whatever the players do, and another
/// world rolls others (ismcts/F34).
#[test]
fn foreseen_dice_do_not_depend_on_the_moves() {
    let game = Foreseen::new(backgammon("turns=40"), Seed(0));
    let mut scratch = Scratch::default();
    let mut dice_of = |world: u64, moves: u64| {
        let mut state = game.world(game.inner().start(), Seed(world));
        let mut rng = Seed(moves).stream(Purpose::Playout);
        let mut dice = Vec::new();
        while let Turn::Player(who) = game.turn(&state) {
            let step = [(who, game.random_action(&state, who, &mut rng, &mut scratch))];
            // What the mover sees beyond its own action is the dice that come next, with their numbers.
            let seen = game.observe(&state, Step::Moves(&step), Observer::Seat(who));
            dice.extend(
                seen.iter().flat_map(|seen| seen.as_words().chunks(3).map(|roll| [roll[1], roll[2]])),
            );
            game.apply(&mut state, Step::Moves(&step));
        }
        dice
    };
    let first = dice_of(7, 0);
    for moves in 1..9 {
        let dice = dice_of(7, moves);
        assert!(first.len().min(dice.len()) > 20);
        assert!(first.iter().zip(&dice).all(|(a, b)| a == b), "moves {moves}");
    }
    assert_ne!(first, dice_of(8, 0));
}

/// What an observer sees in a foreseen world is what it sees in the game inside of the moves and of each draw
/// that follows, with the numbers of the steps.
fn assert_foreseen_as_inside<G: Game + FastPlay + Clone>(inner: &G, worlds: u64) {
    let game = Foreseen::new(inner.clone(), Seed(0));
    let mut scratch = Scratch::default();
    let mut draws_seen = 0;
    for world in 0..worlds {
        let mut rng = Seed(world).named("moves").stream(Purpose::Playout);
        let mut state = game.world(inner.start(), Seed(world));
        while game.turn(&state) != Turn::Terminal {
            let mut moves = Vec::new();
            for p in game.turn(&state).players().iter() {
                moves.push((p, game.random_action(&state, p, &mut rng, &mut scratch)));
            }
            let mut next = state.clone();
            game.apply(&mut next, Step::Moves(&moves));
            let mut moved = state.inner.clone();
            inner.apply(&mut moved, Step::Moves(&moves));
            let drawn =
                draws_between(inner, &moved, &next.inner).expect("the draws that were made are possible");
            for by in Observer::all(game.facts().players) {
                let mut seen = vec![inner.observe(&state.inner, Step::Moves(&moves), by)];
                let mut at = moved.clone();
                for outcome in &drawn {
                    seen.push(inner.observe(&at, Step::Chance(outcome), by));
                    inner.apply(&mut at, Step::Chance(outcome));
                }
                draws_seen += seen[1..].iter().flatten().count();
                let numbered = (0..).zip(seen).filter_map(|(i, seen)| Some((i, seen?)));
                let words: Vec<u64> =
                    numbered.flat_map(|(i, seen)| [&[i], seen.as_words()].concat()).collect();
                let expected = (!words.is_empty()).then(|| Observation::words(&words));
                assert_eq!(game.observe(&state, Step::Moves(&moves), by), expected, "{by}, world {world}");
            }
            state = next;
        }
    }
    assert!(draws_seen > 0, "no draw was ever seen");
}

/// What chance drew to get from one state to another.
fn draws_between<R: Rules>(rules: &R, from: &R::State, to: &R::State) -> Option<Vec<R::Outcome>> {
    if rules.turn(from) != Turn::Chance {
        return (from == to).then(Vec::new);
    }
    let mut listed = Vec::new();
    rules.chance(from, &mut listed);
    listed.into_iter().find_map(|(outcome, _)| {
        let mut next = from.clone();
        rules.apply(&mut next, Step::Chance(&outcome));
        let mut drawn = draws_between(rules, &next, to)?;
        drawn.insert(0, outcome);
        Some(drawn)
    })
}

#[test]
fn foreseen_observations_are_those_of_the_game_inside() {
    assert_foreseen_as_inside(&goofspiel("cards=4,bids=hidden,prizes=random"), 50);
    assert_foreseen_as_inside(&goofspiel("cards=4,bids=open,prizes=random"), 50);
    assert_foreseen_as_inside(&Poker::from_params(&params(&poker::ABOUT, "")).unwrap(), 50);
}

/// Worlds drawn from an information set agree with it, each with a future of its own: the same moves turn up
/// other prizes. The future comes from the draw alone, not from the world that is overwritten.
#[test]
fn foreseen_worlds_are_drawn_with_their_futures() {
    let inner = goofspiel("cards=5,bids=open,prizes=random");
    let game = Foreseen::new(inner.clone(), Seed(0));
    let by = Observer::Seat(Player(0));
    let known = game.info(&game.start(), by);
    let mut sampler = game.sampler(&known);
    let future = |mut world| {
        let mut rng = Seed(9).stream(Purpose::Playout);
        let mut scratch = Scratch::default();
        let mut seen = Vec::new();
        while game.turn(&world) != Turn::Terminal {
            let players = game.turn(&world).players();
            let moves: Vec<_> =
                players.iter().map(|p| (p, game.random_action(&world, p, &mut rng, &mut scratch))).collect();
            seen.extend(game.observe(&world, Step::Moves(&moves), by));
            game.apply(&mut world, Step::Moves(&moves));
        }
        seen
    };
    let mut futures = HashSet::new();
    for seed in 0..100 {
        let mut draw = |mut world| {
            game.sample(&mut sampler, &mut Seed(seed).stream(Purpose::Sampling), &mut world);
            assert_eq!(game.info(&world, by), known);
            world
        };
        let drawn = draw(game.start());
        assert_eq!(drawn, draw(game.world(inner.start(), Seed(77))), "seed {seed}");
        futures.insert(future(drawn));
    }
    assert!(futures.len() > 12, "of 24 orders of the prizes left only {} came up", futures.len());
}

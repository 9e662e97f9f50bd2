//! A test for every game on the kit: a determinization tells a story that could have happened.

use fogtree_core::{
    Observer, Playable, Ply, Purpose, Rewards, Rng, Scratch, Seed, Step, Turn, play, random_step,
};

/// Plays at random and, at random positions, draws worlds for a random observer. `retell` tells how a world
/// came about since the last deal: the steps since then, the first of them the deal, of which those that
/// were hidden are as the world has them. They must be legal, one after the other, and lead to the world.
pub(crate) fn worlds_replay<G: Playable>(
    game: &G,
    worlds: usize,
    seed: u64,
    retell: impl Fn(&G::State, &[Ply<G>]) -> Vec<Ply<G>>,
) {
    let mut rng = Seed(seed).stream(Purpose::Sampling);
    let (mut drawn, players) = (0, game.facts().players as u32);
    while drawn < worlds {
        let mut s = game.start();
        let (mut before, mut since) = (s.clone(), Vec::new());
        while game.turn(&s) != Turn::Terminal && drawn < worlds {
            if game.turn(&s) == Turn::Chance {
                (before, since) = (s.clone(), Vec::new());
            } else if rng.below(8) == 0 {
                let by = match rng.below(players + 1) as u8 {
                    p if u32::from(p) < players => Observer::Seat(fogtree_core::Player(p)),
                    _ => Observer::Public,
                };
                let known = game.info(&s, by);
                let mut sampler = game.sampler(&known);
                for _ in 0..4 {
                    let mut world = s.clone();
                    assert!(game.sample(&mut sampler, &mut rng, &mut world) > 0.0);
                    assert_eq!(game.info(&world, by), known);
                    let mut told = before.clone();
                    for ply in retell(&world, &since) {
                        play(game, &mut told, ply.step()).unwrap_or_else(|why| {
                            panic!("{why} in\n{}which cannot become\n{}", game.show(&told), game.show(&world))
                        });
                    }
                    assert_eq!(told, world);
                    drawn += 1;
                }
            }
            let ply = random_ply(game, &s, &mut rng);
            game.apply(&mut s, ply.step());
            since.push(ply);
        }
    }
}

fn random_ply<G: Playable>(game: &G, s: &G::State, rng: &mut Rng) -> Ply<G> {
    let mut scratch = Scratch::default();
    match game.turn(s) {
        Turn::Chance => Ply::Chance(game.sample_chance(s, rng)),
        turn => Ply::Moves(
            turn.players().iter().map(|p| (p, game.random_action(s, p, rng, &mut scratch))).collect(),
        ),
    }
}

/// The state after so many random steps.
pub(crate) fn after<G: Playable>(game: &G, steps: usize, rng: &mut Rng) -> G::State {
    let (mut s, mut scratch) = (game.start(), Scratch::default());
    (0..steps).for_each(|_| random_step(game, &mut s, rng, &mut scratch));
    s
}

/// Plays a game that another program played: the deal, every choice with the number of legal ones, and the
/// rewards, as in `2C3C/4C5C 2C:1 4C:2 ... = 26 0`. Returns the rewards here and there. Numbers of legal
/// choices are compared where `counted` says so of the choice's name.
pub(crate) fn play_record<G: Playable>(
    game: &G,
    record: &str,
    counted: impl Fn(&str) -> bool,
) -> (Rewards, Rewards) {
    let (plies, rewards) = record.split_once(" = ").unwrap();
    let (deal, choices) = plies.split_once(' ').unwrap();
    let mut s = game.start();
    play(game, &mut s, Step::Chance(&game.parse_outcome(deal).unwrap())).unwrap();
    for choice in choices.split(' ') {
        let (name, count) = choice.split_once(':').unwrap();
        let Turn::Player(p) = game.turn(&s) else { panic!("nobody is to choose {name} in {record}") };
        let mut legal = Vec::new();
        game.actions(&s, p, &mut legal);
        assert!(!counted(name) || legal.len() == count.parse::<usize>().unwrap(), "{choice} in {record}");
        let moves = [(p, game.parse_action(name).unwrap())];
        play(game, &mut s, Step::Moves(&moves)).unwrap_or_else(|why| panic!("{why} in {record}"));
    }
    let over = game.turn(&s) == Turn::Terminal;
    (
        if over { game.rewards(&s) } else { Rewards::default() },
        rewards.split(' ').map(|reward| reward.parse::<f64>().unwrap()).collect(),
    )
}

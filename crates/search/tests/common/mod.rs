//! Games for tests, and whole games between two agents.
#![allow(dead_code, unreachable_pub, reason = "not every test uses all of it")]

pub mod letters;
pub mod oracle;
mod table;

use std::collections::HashSet;
use std::sync::Arc;

use fogtree_core::{
    Agent, Budget, Decision, Erased, InfoSet, Key, Model, Player, Purpose, Seed, Turn, World, WorldStep,
};
use fogtree_games::tree::{self, Tree};
use fogtree_search::ismcts::{Config, Ismcts};
use fogtree_search::multi_tree::MtMoIsmcts;
use fogtree_solve::{Compiled, Evaluation, Profile};
pub use table::*;

/// A micro game.
pub fn micro(name: &str) -> Arc<dyn Model> {
    Erased::any(Tree::from_params(&params(&tree::ABOUT, &format!("name={name}"))).unwrap())
}

/// Three players, each for itself: `trust` is worth 9 to the first if the second takes its own 2.
pub fn trust_game() -> Arc<dyn Model> {
    let game = Tree::from_efg(
        "EFG 2 R \"three\" { \"one\" \"two\" \"three\" } \"\"
         p \"\" 1 1 \"\" { \"safe\" \"trust\" } 0
         t \"\" 1 \"\" { 5, 5, 5 }
         p \"\" 2 1 \"\" { \"spite\" \"share\" } 0
         t \"\" 2 \"\" { 0, 1, 9 }
         p \"\" 3 1 \"\" { \"left\" \"right\" } 0
         t \"\" 3 \"\" { 9, 2, 1 }
         t \"\" 4 \"\" { 0, 9, 0 }",
    );
    Erased::any(game.unwrap())
}

/// What a new search of the ISMCTS family decides.
pub fn decide_by_ismcts(
    game: &Arc<dyn Model>,
    config: Config,
    info: &InfoSet,
    n: u64,
    seed: u64,
) -> Decision {
    let mut agent = Ismcts::new(game, config);
    agent.start(info.seat, Seed(seed));
    agent.act(info, &Budget::iterations(n)).unwrap()
}

/// Plays one game; returns the first agent's reward.
pub fn play(
    game: &Arc<dyn Model>,
    agents: [&mut dyn Agent; 2],
    seat_of_first: Player,
    seed: Seed,
    n: u64,
) -> f64 {
    let [first, second] = agents;
    first.start(seat_of_first, seed.number(0));
    second.start(seat_of_first.other(), seed.number(1));
    let mut chance = seed.stream(Purpose::Deal);
    let mut table = Table::start(game);
    loop {
        table.draw(&mut chance);
        let turn = table.world.turn();
        if turn == Turn::Terminal {
            return table.world.rewards()[seat_of_first];
        }
        let mut moves = Vec::new();
        for p in turn.players().iter() {
            let agent = if p == seat_of_first { &mut *first } else { &mut *second };
            moves.push((p, agent.act(&table.infoset(p), &Budget::iterations(n)).unwrap().action));
        }
        for &(p, action) in &moves {
            assert!(legal(&*table.world, p).contains(&action), "{p:?}: {}", game.move_name(action));
        }
        table.play(WorldStep::Moves(&moves));
    }
}

/// Plays a game between searches that infer; shows every decision's information set, the world and the player to `with`.
pub fn play_inferring(
    game: &Arc<dyn Model>,
    agents: &mut [MtMoIsmcts],
    seed: Seed,
    iterations: &dyn Fn(&dyn World, Player) -> u64,
    mut with: impl FnMut(&dyn World, &InfoSet, &MtMoIsmcts),
) -> Box<dyn World> {
    let mut chance = seed.stream(Purpose::Deal);
    let mut table = Table::start(game);
    for (agent, p) in agents.iter_mut().zip(Player::all(game.facts().players)) {
        agent.start(p, seed.number(p.0.into()));
    }
    loop {
        table.draw(&mut chance);
        let turn = table.world.turn();
        if turn == Turn::Terminal {
            return table.world;
        }
        let mut moves = Vec::new();
        for p in turn.players().iter() {
            let (info, agent) = (table.infoset(p), &mut agents[p.index()]);
            let budget = Budget::iterations(iterations(&*table.world, p));
            moves.push((p, agent.act(&info, &budget).unwrap().action));
            with(&*table.world, &info, agent);
        }
        table.play(WorldStep::Moves(&moves));
    }
}

/// The average strategies that an agent tells, uniform where it tells none.
pub fn averages(compiled: &Compiled, agent: &dyn Agent) -> Profile {
    let mut profile = Profile::uniform(compiled);
    agent.average_strategies(&mut |told| {
        assert!((told.strategy.iter().sum::<f64>() - 1.0).abs() < 1e-9 && told.visits > 0);
        let set = compiled.treeplex(told.seat).find(told.key).expect("the game has this information set");
        profile.set(compiled, told.seat, set, told.strategy);
    });
    profile
}

/// How much both could gain together by deviating from the averages.
pub fn nash_conv(compiled: &Compiled, agent: &dyn Agent) -> f64 {
    Evaluation::of(compiled, &averages(compiled, agent)).nash_conv()
}

/// Shows every information set below a table once; for games in which one player moves at a time.
pub fn each_infoset(table: &Table, met: &mut HashSet<Key>, see: &mut dyn FnMut(&InfoSet)) {
    let mut steps = Vec::new();
    match table.world.turn() {
        Turn::Chance => {
            let mut listed = Vec::new();
            table.world.chances(&mut listed);
            steps.extend(listed.into_iter().map(|(outcome, _)| Played::Chance(outcome)));
        }
        turn => {
            for who in turn.players().iter() {
                let info = table.infoset(who);
                steps.extend(info.legal.iter().map(|&mv| Played::Moves(vec![(who, mv)])));
                if met.insert(info.key) {
                    see(&info);
                }
            }
        }
    }
    for played in steps {
        let mut next = table.clone();
        next.play(played.step());
        each_infoset(&next, met, see);
    }
}

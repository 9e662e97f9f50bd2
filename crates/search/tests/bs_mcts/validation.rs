//! BS-MCTS, MO-ISMCTS and PIMC against exact play (`tubstap/5.1`, `tubstap/7`): exploitability in games whose trees
//! fit into memory, and matches at phantom tic-tac-toe, whose tree does not.
//!
//! The strategy of an agent is put together from what it does in every information set, asked several times (Lisý 2014,
//! §4.3.1); its exploitability is what best responses would gain against it, divided by the number of players.

use std::collections::HashSet;
use std::sync::Arc;

use fogtree_core::{Agent, Budget, Erased, Model, Playable, Player, Seed};
use fogtree_games::kuhn_poker::KuhnPoker;
use fogtree_games::poker::{self, Poker};
use fogtree_games::tubstap::{self, Tubstap};
use fogtree_search::ismcts::{Config, Ismcts, Observers};
use fogtree_search::pimc::{Division, Pimc};
use fogtree_search::{BsMcts, Random, UctSearch, Vote};
use fogtree_solve::{Compiled, Evaluation, Profile};

use super::tables::{Table, each_infoset, infoset, model, play, preset};
use super::*;

/// What best responses gain against an agent, per player.
fn exploitability<G: Playable>(
    game: &Erased<G>,
    agent: &mut dyn Agent,
    samples: u64,
    iterations: u64,
) -> f64 {
    let compiled = Compiled::of(&**game.game(), 3_000_000).unwrap();
    let mut profile = Profile::uniform(&compiled);
    each_infoset(&Table::start(&model(game)), &mut HashSet::new(), &mut |info| {
        let mut shares = vec![0.0; info.legal.len()];
        for sample in 0..samples {
            agent.start(info.seat, Seed(info.key.0 as u64).number(sample));
            let action = agent.act(info, &Budget::iterations(iterations)).unwrap().action;
            shares[info.legal.iter().position(|a| *a == action).unwrap()] += 1.0 / samples as f64;
        }
        let set = compiled.treeplex(info.seat).find(info.key).unwrap();
        profile.set(&compiled, info.seat, set, &shares);
    });
    Evaluation::of(&compiled, &profile).exploitability()
}

fn leduc() -> Erased<Poker> {
    Erased::new(Poker::from_params(&preset(&poker::ABOUT, "leduc-poker")).unwrap())
}

/// Phantom tic-tac-toe whose tree can be listed.
fn small_phantom(text: &str) -> Erased<PhantomMnk<Hidden>> {
    Erased::new(PhantomMnk::from_params(&params(&phantom_mnk::ABOUT, text)).unwrap())
}

fn mo_ismcts(game: &Arc<dyn Model>) -> Box<dyn Agent> {
    Box::new(Ismcts::new(game, Config { memory: 1 << 26, ..Config::new(Observers::Multiple) }))
}

fn pimc(game: &Arc<dyn Model>, iterations: u64) -> Box<dyn Agent> {
    let division = Division { determinizations: Some(iterations / 25), iterations: 25 };
    Box::new(Pimc::new(game, UctSearch::new(game, 0.7), division, Vote::Majority))
}

/// The three searches, each with so many iterations, and variants of the first.
fn searches(game: &Arc<dyn Model>, iterations: u64) -> Vec<(String, Box<dyn Agent>)> {
    let bs = |settings: Settings| {
        let agent: Box<dyn Agent> = Box::new(BsMcts::new(game, Settings { memory: 1 << 26, ..settings }));
        agent
    };
    let of = Settings::of;
    let keyed = |keys| Settings { keys, ..corrected() };
    let guess = |lambda| Settings { guess: Guess { lambda, prior: Prior::Factor }, ..corrected() };
    let predict = |lambda| Predict::Softmax { lambda, view: View::Own };
    let list: Vec<(&str, Box<dyn Agent>)> = vec![
        ("random", Box::new(Random::default())),
        ("pimc", pimc(game, iterations)),
        ("mo-ismcts", mo_ismcts(game)),
        ("bs-mcts", bs(corrected())),
        ("bs-mcts(variant=original)", bs(of(Variant::Original))),
        ("bs-mcts(variant=literal)", bs(of(Variant::Literal))),
        ("bs-mcts(keys=action)", bs(keyed(Keys::Action))),
        ("bs-mcts(keys=observer)", bs(keyed(Keys::Observer))),
        ("bs-mcts(guess=0)", bs(guess(0.0))),
        ("bs-mcts(guess=-1)", bs(guess(-1.0))),
        ("bs-mcts(predict=10)", bs(Settings { predict: predict(10.0), ..corrected() })),
        ("bs-mcts(predict=30)", bs(Settings { predict: predict(30.0), ..corrected() })),
        ("bs-mcts(predict=bound)", bs(Settings { predict: Predict::Bound, ..corrected() })),
        (
            "bs-mcts(keys=observer,guess=0,predict=10)",
            bs(without_guessing(Settings { predict: predict(10.0), ..keyed(Keys::Observer) })),
        ),
        (
            "bs-mcts(opponent=searcher)",
            bs(Settings { predict: Predict::Softmax { lambda: 1.0, view: View::Searcher }, ..corrected() }),
        ),
    ];
    list.into_iter().map(|(name, agent)| (name.to_string(), agent)).collect()
}

/// At Kuhn poker and phantom tic-tac-toe on a small board, the searches are far better than random play, which loses
/// 0.458 a game at Kuhn poker to best responses.
#[test]
fn searches_are_harder_to_exploit_than_random_play() {
    fn check<G: Playable>(game: &Erased<G>, better: f64) {
        let random = exploitability(game, &mut Random::default(), 200, 1);
        let mut agents = searches(&model(game), 500);
        agents.retain(|(name, _)| ["bs-mcts", "bs-mcts(keys=observer)"].contains(&&**name));
        for (name, agent) in &mut agents {
            let found = exploitability(game, &mut **agent, 10, 500);
            assert!(found < better * random, "{name}: {found} against {random}");
        }
    }
    check(&Erased::new(KuhnPoker), 0.8);
    check(&small_phantom("m=4,n=1,k=2"), 0.8);
}

/// The table of the report.
#[test]
#[ignore = "takes minutes: prints the exploitability of all searches"]
fn exploitability_of_every_search() {
    fn table<G: Playable>(name: &str, game: &Erased<G>, samples: u64, budgets: &[u64]) {
        for &iterations in budgets {
            for (agent, mut mind) in searches(&model(game), iterations) {
                let found = exploitability(game, &mut *mind, samples, iterations);
                println!("{name}, {iterations} iterations, {agent}: {found:.4}");
            }
        }
    }
    table("kuhn-poker", &Erased::new(KuhnPoker), 50, &[250, 1000, 4000]);
    for (text, samples) in [("m=5,n=1,k=2", 10), ("m=5,n=1,k=3", 10), ("m=6,n=1,k=2", 2)] {
        table(&format!("phantom-mnk({text})"), &small_phantom(text), samples, &[1000]);
    }
    table("phantom-mnk(m=3,n=2,k=3)", &small_phantom("m=3,n=2,k=3"), 4, &[1000]);
    table("leduc-poker", &leduc(), 10, &[1000]);
}

/// Matches at phantom tic-tac-toe, seats changing from game to game.
#[test]
#[ignore = "takes minutes: prints the results of matches"]
fn matches_at_phantom_tic_tac_toe() {
    let game = phantom("");
    let (iterations, games) = (1000, 400);
    for opponent in ["mo-ismcts", "pimc"] {
        for (name, mut agent) in searches(&game, iterations) {
            let mut other = if opponent == "pimc" { pimc(&game, iterations) } else { mo_ismcts(&game) };
            let total: f64 = (0..games)
                .map(|i| play(&game, [&mut *agent, &mut *other], Player((i % 2) as u8), Seed(i), iterations))
                .sum();
            let share = total / games as f64;
            println!("{name} against {opponent}: {share:.3} of the points in {games} games");
        }
    }
}

/// Iterations per second at a decision.
#[test]
#[ignore = "measures speed"]
fn speed() {
    fn measure(name: &str, game: &Arc<dyn Model>, words: &str, seat: Player, iterations: u64) {
        let info = infoset(game, words, seat);
        for (agent, mut mind) in searches(game, iterations).into_iter().skip(1).take(8) {
            mind.start(seat, Seed(1));
            let report = mind.act(&info, &Budget::iterations(iterations)).unwrap().report;
            let rate = report.iterations as f64 / report.time.as_secs_f64();
            let (nodes, depth) = (report.nodes, report.depth);
            let mib = report.bytes.unwrap_or(0) as f64 / f64::from(1 << 20);
            println!("{name}, {agent}: {rate:.3e} iterations/s, {nodes} nodes, depth {depth}, {mib:.1} MiB");
        }
    }
    measure("phantom-mnk", &phantom(""), "b2 a1", Player(0), 100_000);
    measure("leduc-poker", &model(&leduc()), "J1 Q1", Player(0), 100_000);
    let map = Tubstap::from_params(&params(&tubstap::ABOUT, "")).unwrap();
    measure("tubstap", &Erased::any(map), "", Player(0), 1000);
}

//! The standard agents as they are asked for by name.

use fogtree_core::{Player, Seed, Turn};
use fogtree_table::{AnyDecision, AnyTable, Registry, SeatAgent, play_game};

type Error = Box<dyn std::error::Error>;

fn agent(registry: &Registry, spec: &str, game: &str, seed: u64) -> SeatAgent {
    let mut agent = registry.agent(spec, &*registry.game(game).unwrap()).unwrap();
    agent.start(Player(0), Seed(seed));
    agent
}

fn table(registry: &Registry, game: &str, words: &[&str]) -> Box<dyn AnyTable> {
    let mut table = registry.game(game).unwrap().table();
    table.play_words(words).unwrap();
    table
}

#[test]
fn every_agent_plays_under_its_name() {
    let registry = Registry::standard();
    for about in registry.agents().filter(|about| !["exec", "strategy"].contains(&about.name)) {
        let game = if about.name.starts_with("ist-") { "small-visibility-pursuit" } else { "mnk" };
        let opening = table(&registry, game, &[]);
        let takes = |key: &str| about.params.iter().any(|p| p.name == key);
        let budget = match (takes("iterations"), takes("nodes")) {
            (true, _) => "(iterations=30)",
            (false, true) => "(nodes=1000)",
            (false, false) => "",
        };
        let spec = format!("{}{budget}", about.name);
        let decision = opening.ask(Player(0), &mut agent(&registry, &spec, game, 1));
        assert!(decision.unwrap().choice < 9, "{}", about.name);
    }
}

/// `ismcts/1.5`: all nine cells of an empty board are equally likely, over the choices of one agent and over
/// the first choices of many.
#[test]
fn random_play_is_uniform() {
    let registry = Registry::standard();
    let opening = table(&registry, "mnk", &[]);
    let mut one = agent(&registry, "random", "mnk", 1);
    let mut by_one = [0.0; 9];
    let mut by_many = [0.0; 9];
    for seed in 0..9000 {
        by_one[opening.ask(Player(0), &mut one).unwrap().choice] += 1.0;
        let mut fresh = registry.agent("random", &*registry.game("mnk").unwrap()).unwrap();
        fresh.start(Player(0), Seed(seed));
        by_many[opening.ask(Player(0), &mut fresh).unwrap().choice] += 1.0;
    }
    for counts in [by_one, by_many] {
        let chi: f64 = counts.iter().map(|c: &f64| (c - 1000.0).powi(2) / 1000.0).sum();
        assert!(
            chi < 26.12,
            "chi-square {chi} is above the 0.1 % point for 8 degrees of freedom: {counts:?}"
        );
    }
}

/// `ismcts/7.1`: the exploration constant is 0.7 unless another one is asked for.
#[test]
fn the_exploration_constant_is_as_documented() {
    let registry = Registry::standard();
    let opening = table(&registry, "mnk", &[]);
    for name in ["flat-mc", "uct", "so-ismcts", "so-ismcts-pom", "mo-ismcts"] {
        let visits = |more: &str| -> Vec<u64> {
            let spec = format!("{name}(iterations=400{more})");
            let AnyDecision { moves, .. } =
                opening.ask(Player(0), &mut agent(&registry, &spec, "mnk", 3)).unwrap();
            moves.iter().map(|m| m.visits).collect()
        };
        assert_eq!(visits(""), visits(",c=0.7"), "{name}");
        assert_ne!(visits(""), visits(",c=0.2"), "{name}");
    }
}

/// `ismcts/3.10`: whoever looks at the coin guesses it every time and gets 1, where 0.9 is the most that
/// anybody else can be sure of.
#[test]
fn a_cheat_sees_the_coin() {
    let registry = Registry::standard();
    let spec = "tree(name=coin)";
    let game = registry.game(spec).unwrap();
    let mut sides = Vec::new();
    for seed in 0..24 {
        let mut seating = |_: Player, _: &str| -> Result<SeatAgent, Error> {
            Ok(registry.agent("cheating-uct(iterations=500)", &*game)?)
        };
        let mut fell = String::new();
        let played = play_game(&*game, spec, Seed(seed), &mut seating, &mut |moment| {
            if moment.table.turn() != Turn::Over && moment.table.steps() == 1 {
                fell = moment.table.last_names().concat();
            }
        })
        .unwrap();
        assert_eq!(played.rewards.as_slice(), [1.0], "{fell}, seed {seed}");
        sides.push(fell);
    }
    assert!(["heads", "tails"].iter().all(|side| sides.iter().any(|s| s == side)), "{sides:?}");
}

//! The standard agents as they are asked for by name.

use fogtree_core::{Decision, Player, Purpose, Seed, Turn};
use fogtree_table::{AnyGame, AnyTable, Registry, SeatAgent, play_game};

type Error = Box<dyn std::error::Error>;

fn agent(registry: &Registry, spec: &str, game: &dyn AnyGame, seed: u64) -> SeatAgent {
    let mut agent = registry.agent(spec, game).unwrap();
    agent.start(Player(0), Seed(seed));
    agent
}

fn table(game: &dyn AnyGame, words: &[&str]) -> Box<dyn AnyTable> {
    let mut table = game.table();
    table.play_words(words).unwrap();
    table
}

/// Where the chosen move is among the legal ones.
fn place(table: &dyn AnyTable, seat: Player, decision: &Decision) -> usize {
    table.moves(seat).iter().position(|&m| m == decision.action).expect("it is legal")
}

#[test]
fn every_agent_plays_under_its_name() {
    let registry = Registry::standard();
    for about in registry.agents().filter(|about| !["exec", "strategy"].contains(&about.name)) {
        let takes = |key: &str| about.params.iter().any(|p| p.name == key);
        let budget = match (takes("iterations"), takes("nodes")) {
            (true, _) => "(iterations=30)",
            (false, true) => "(nodes=1000)",
            (false, false) => "",
        };
        // One of them leaves out a hidden part, which not every game has.
        let (game, words): (_, &[&str]) = match about.name {
            "cheating-mt-mo-ismcts" => ("resistance(leader=0)", &["spies-1-2"]),
            name if name.starts_with("ist-") => ("small-visibility-pursuit", &[]),
            _ => ("mnk", &[]),
        };
        let game = registry.game(game).unwrap();
        let mut agent = agent(&registry, &format!("{}{budget}", about.name), &*game, 1);
        let table = table(&*game, words);
        let decision = table.ask(Player(0), &mut agent).unwrap();
        assert!(place(&*table, Player(0), &decision) < 10, "{}", about.name);
    }
}

/// `ismcts/1.5`: all nine cells of an empty board are equally likely, over the choices of one agent and over
/// the first choices of many.
#[test]
fn random_play_is_uniform() {
    let registry = Registry::standard();
    let game = registry.game("mnk").unwrap();
    let opening = table(&*game, &[]);
    let mut one = agent(&registry, "random", &*game, 1);
    let mut by_one = [0.0; 9];
    let mut by_many = [0.0; 9];
    for seed in 0..9000 {
        let decision = opening.ask(Player(0), &mut one).unwrap();
        by_one[place(&*opening, Player(0), &decision)] += 1.0;
        let mut fresh = agent(&registry, "random", &*game, seed);
        let decision = opening.ask(Player(0), &mut fresh).unwrap();
        by_many[place(&*opening, Player(0), &decision)] += 1.0;
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
    let game = registry.game("mnk").unwrap();
    let opening = table(&*game, &[]);
    for name in ["flat-mc", "uct", "so-ismcts", "so-ismcts-pom", "mo-ismcts"] {
        let visits = |more: &str| -> Vec<u64> {
            let spec = format!("{name}(iterations=400{more})");
            let decision = opening.ask(Player(0), &mut agent(&registry, &spec, &*game, 3)).unwrap();
            decision.report.moves.iter().map(|m| m.visits).collect()
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
            if moment.table.turn() != Turn::Terminal && moment.table.steps() == 1 {
                fell = moment.table.last_names().concat();
            }
        })
        .unwrap();
        assert_eq!(played.rewards.as_slice(), [1.0], "{fell}, seed {seed}");
        sides.push(fell);
    }
    assert!(["heads", "tails"].iter().all(|side| sides.iter().any(|s| s == side)), "{sides:?}");
}

/// An agent with an inferring search beside it tells what it believes, and the iterations of that search
/// apart from its own. The first belief of a member of the resistance is that all six pairs of others are
/// equally likely.
#[test]
fn what_is_inferred_is_told() {
    let registry = Registry::standard();
    let game = registry.game("resistance(leader=0)").unwrap();
    let at = table(&*game, &["spies-1-2"]);
    let ask = |spec: &str| at.ask(Player(0), &mut agent(&registry, spec, &*game, 1)).unwrap();
    let agents = [
        ("mo-ismcts(iterations=60", 60),
        ("so-ismcts(iterations=60", 60),
        ("flat-mc(iterations=60", 60),
        ("pimc(determinizations=3,iterations=20", 60),
        ("bs-mcts(iterations=60", 60),
    ];
    for (spec, iterations) in agents {
        let with = ask(&format!("{spec},infer=40)"));
        assert_eq!(with.report.iterations, iterations, "{spec}");
        assert_eq!(with.report.figure("inference iterations"), Some(40.0), "{spec}");
        let values = &with.report.beliefs[0].values;
        assert!(values.len() == 6 && values.iter().all(|(_, p)| (p - 1.0 / 6.0).abs() < 1e-12), "{values:?}");
        let (off, absent) = (ask(&format!("{spec},infer=off)")), ask(&format!("{spec})")));
        let told = |d: &Decision| (d.report.moves.clone(), d.action, d.report.figures.clone());
        assert_eq!(told(&off), told(&absent));
        assert!(!absent.report.figures.iter().any(|f| f.0.starts_with("inference")));
    }
}

/// `icarus/ORACLE-12`: in every game, several trees with constant keys are MO-ISMCTS, decision by decision under one
/// seed.
#[test]
fn constant_keys_are_mo_ismcts_in_every_game() {
    same_in_every_game([
        "mo-ismcts(iterations=150,memory=16)",
        "mt-mo-ismcts(iterations=150,memory=16,trees=player,infer=off,select=ucb1,c=0.7,together=exp3)",
    ]);
}

/// `icarus/ORACLE-12`: in every game, the baseline of ICARUS by its values is MO-ISMCTS, likewise.
#[test]
fn the_baseline_by_its_values_is_mo_ismcts_in_every_game() {
    same_in_every_game([
        "mo-ismcts(iterations=150,memory=16)",
        "mo-ismcts(iterations=150,memory=16,enhance=base^base>base)",
    ]);
}

/// Both agents decide the same after the same search.
fn same_in_every_game(agents: [&str; 2]) {
    let registry = Registry::standard();
    for about in registry.games().filter(|about| !["gdl", "tree"].contains(&about.name)) {
        let game = registry.game(about.name).unwrap();
        let mut table = game.table();
        let mut chance = Seed(5).stream(Purpose::Deal);
        while table.turn() == Turn::Chance {
            table.draw(&mut chance);
        }
        let seat = table.turn().players().iter().next().unwrap();
        let [one, other] = agents.map(|spec| {
            let mut agent = registry.agent(spec, &*game).unwrap();
            agent.start(seat, Seed(6));
            table.events(seat).iter().for_each(|event| agent.observe(event));
            table.ask(seat, &mut agent).unwrap()
        });
        assert_eq!(
            (one.action, one.report.nodes, one.report.depth),
            (other.action, other.report.nodes, other.report.depth),
            "{}",
            about.name
        );
        let visits = |d: &Decision| d.report.moves.iter().map(|m| m.visits).collect::<Vec<_>>();
        assert_eq!(visits(&one), visits(&other), "{}", about.name);
    }
}

/// `gdl/7`, L3, L7 and L8: a player of any game looks at it first.
#[test]
fn the_general_player_plays_what_suits_the_game() {
    let registry = Registry::standard();
    for (name, words, spec, plays) in [
        ("kuhn-poker", &["J", "Q"][..], "ggp", "solved beforehand"),
        ("gdl(sheet=monty-hall)", &[], "ggp", "solved beforehand"),
        ("kuhn-poker", &["J", "Q"], "ggp(solve=0,iterations=30)", "mo-ismcts"),
        ("nim(heaps=[1,2])", &[], "ggp(iterations=30)", "minimax"),
        ("mnk", &[], "ggp(iterations=30)", "uct"),
        ("gdl(sheet=connect-four)", &[], "ggp(iterations=30)", "uct"),
        ("goofspiel", &[], "ggp(iterations=30)", "sm-mcts"),
        ("gdl(sheet=krieg-tic-tac-toe-5x5)", &[], "ggp(iterations=30)", "mo-ismcts"),
        ("prisoners-dilemma", &[], "ggp(iterations=30)", "mo-ismcts"),
        ("stratego", &[], "ggp(iterations=30)", "mo-ismcts"),
    ] {
        let game = registry.game(name).unwrap();
        let mut table = table(&*game, words);
        let mut rng = Seed(1).stream(fogtree_core::Purpose::Deal);
        while table.turn() == Turn::Chance {
            table.draw(&mut rng);
        }
        let who = table.turn().players().iter().next().unwrap();
        let mut agent = agent(&registry, spec, &*game, 1);
        agent.start(who, Seed(1));
        let decision = table.ask(who, &mut agent).unwrap();
        let remark = decision.report.remark.unwrap_or_default();
        assert!(remark.starts_with(plays), "{name}: {remark}");
    }
}

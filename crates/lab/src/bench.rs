//! How fast Fogtree is, measured on one thread.
//!
//! Every measurement has a name `what/game`; each is repeated until a given time has passed. The signature is
//! a checksum over the visit counts of a fixed suite of searches: it changes exactly when the behaviour of a
//! search, a game or a random stream does.

use std::time::{Duration, Instant};

use std::hint::black_box;

use fogtree_core::{Chance, Decision, Observer, Purpose, Seed, Simulation, Turn, Utility, World};
use fogtree_solve::{Config, Solver};
use fogtree_table::{AnyGame, AnyTable, Registry, SeatAgent, Unavailable};
use serde::Serialize;

/// One figure.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct Figure {
    /// What was measured, as `what/game`.
    pub what: String,
    /// The figure.
    pub value: f64,
    /// Its unit.
    pub unit: &'static str,
}

/// What can be measured of a game.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Kind {
    Playouts,
    Moves,
    Uct,
    FlatMc,
    SoIsmcts,
    MoIsmcts,
    Oos,
    /// Iterations of this search of simultaneous moves.
    SmMcts(&'static str),
    Clone,
    Sample,
    Bytes,
    TreeBytes,
    Growth,
    Threads,
    /// Iterations of this solver.
    Solver(&'static str),
}

const KINDS: [(&str, Kind); 18] = [
    ("playouts", Kind::Playouts),
    ("moves", Kind::Moves),
    ("uct", Kind::Uct),
    ("flat-mc", Kind::FlatMc),
    ("so-ismcts", Kind::SoIsmcts),
    ("mo-ismcts", Kind::MoIsmcts),
    ("oos", Kind::Oos),
    ("sm-mcts-rm", Kind::SmMcts("sm-mcts(select=rm")),
    ("sm-mcts-drm", Kind::SmMcts("sm-mcts(select=drm")),
    ("sm-mcts-exp3", Kind::SmMcts("sm-mcts(select=exp3")),
    ("sm-mcts-duct", Kind::SmMcts("sm-mcts(select=duct")),
    ("sm-oos", Kind::SmMcts("sm-oos(gamma=0.6")),
    ("clone", Kind::Clone),
    ("sample", Kind::Sample),
    ("bytes", Kind::Bytes),
    ("tree-bytes", Kind::TreeBytes),
    ("growth", Kind::Growth),
    ("threads", Kind::Threads),
];

/// Games that are measured under a name of their own beside those of the registry's defaults.
const SIZES: [(&str, &str); 8] = [
    ("goofspiel-open-5", "goofspiel(cards=5)"),
    ("hearts-round", "hearts-round"),
    ("oh-hell", "oh-hell"),
    ("spades-round", "spades-round"),
    ("phantom-mnk-4", "phantom-mnk(m=4,n=4,k=4)"),
    ("leduc-poker", "leduc-poker"),
    ("goofspiel-hidden-6", "goofspiel(cards=6,bids=hidden)"),
    ("goofspiel-hidden", "goofspiel(cards=13,bids=hidden,prizes=random)"),
];

/// Games whose searches are also measured at length: what a node takes, how the cost of an iteration grows, what a
/// second thread gives.
const SCALING: [&str; 5] =
    ["phantom-mnk", "phantom-mnk-4", "leduc-poker", "goofspiel-hidden", "hearts-round"];

/// Solvers whose iterations are measured, and on which games, all of them small enough.
const SOLVERS: [&str; 4] = ["cfr", "cfr+", "es-mccfr", "os-mccfr"];
const SOLVED: [(&str, &str); 4] = [
    ("kuhn-poker", "kuhn-poker"),
    ("leduc-poker", "leduc-poker"),
    ("liars-dice", "liars-dice"),
    ("goofspiel-5", "goofspiel(cards=5,bids=hidden,lowest=1,last=automatic)"),
];

/// The iterations of one measured search, which begins with an empty tree.
const ITERATIONS: u64 = 10_000;

/// A measurement that can be asked for.
#[derive(Clone, Debug)]
pub struct Bench {
    /// Its name, `what/game`.
    pub name: String,
    kind: Kind,
    game: String,
}

/// All measurements whose name, kind or game is the one asked for; all there are if nothing is asked for.
pub fn benches(registry: &Registry, what: Option<&str>) -> Vec<Bench> {
    let own = registry.games().map(|about| (about.name, about.name));
    let known: Vec<(&str, &str)> = own.chain(SIZES).filter(|(_, spec)| registry.game(spec).is_ok()).collect();
    let mut found = Vec::new();
    for (kind_name, kind) in KINDS {
        for (game_name, spec) in &known {
            let name = format!("{kind_name}/{game_name}");
            if kind.is_of_scale() && !SCALING.contains(game_name) {
                continue;
            }
            let asked = what.is_none_or(|w| w == name || w == kind_name || w == *game_name);
            if asked && kind.applies(&*registry.game(spec).expect("checked above")) {
                found.push(Bench { name, kind, game: (*spec).to_string() });
            }
        }
    }
    for solver in SOLVERS {
        for (game_name, spec) in SOLVED.into_iter().filter(|(_, spec)| registry.game(spec).is_ok()) {
            let name = format!("{solver}/{game_name}");
            if what.is_none_or(|w| w == name || w == solver || w == game_name) {
                found.push(Bench { name, kind: Kind::Solver(solver), game: spec.to_string() });
            }
        }
    }
    found
}

impl Kind {
    /// Whether it is about searches of a million iterations.
    fn is_of_scale(self) -> bool {
        matches!(self, Kind::TreeBytes | Kind::Growth | Kind::Threads)
    }

    fn applies(self, game: &dyn AnyGame) -> bool {
        let facts = game.facts();
        match self {
            Kind::Uct => !facts.hidden && !facts.simultaneous,
            Kind::Oos => {
                let imperfect = facts.hidden || facts.simultaneous;
                let listed = facts.chance != Chance::Sampled;
                imperfect && listed && facts.players == 2 && facts.utility != Utility::General
            }
            Kind::SmMcts(_) => {
                !facts.hidden && facts.simultaneous && facts.players == 2 && facts.utility != Utility::General
            }
            Kind::FlatMc | Kind::SoIsmcts | Kind::MoIsmcts | Kind::Sample => facts.hidden,
            kind if kind.is_of_scale() => facts.hidden,
            _ => true,
        }
    }
}

impl Bench {
    /// Measures for about this long.
    pub fn run(&self, registry: &Registry, time: Duration) -> Figure {
        let game = registry.game(&self.game).expect("benches are made for games that exist");
        let seed = Seed(1).named("bench");
        let per_second = |unit, work: &mut dyn FnMut(u64) -> u64| (rate(time, work), unit);
        let nanoseconds = |work: &mut dyn FnMut(u64) -> u64| (1e9 / rate(time, work), "ns");
        let (value, unit) = match self.kind {
            Kind::Playouts => per_second("playouts/s", &mut |n| {
                let (start, mut rng) = (game.model().start(), seed.stream(Purpose::Playout));
                let mut world = start.clone();
                for _ in 0..n {
                    world.clone_from(&start);
                    black_box(world.playout(Simulation::UNIFORM, &mut rng));
                }
                n
            }),
            Kind::Moves => per_second("moves/s", &mut |n| {
                let mut rng = seed.stream(Purpose::Playout);
                (0..n).map(|_| game.model().start().random_play(&mut rng)).sum()
            }),
            Kind::Uct => per_second("iterations/s", &mut searches(registry, &*game, "uct")),
            Kind::FlatMc => per_second("iterations/s", &mut searches(registry, &*game, "flat-mc")),
            Kind::SoIsmcts => per_second("iterations/s", &mut searches(registry, &*game, "so-ismcts")),
            Kind::MoIsmcts => per_second("iterations/s", &mut searches(registry, &*game, "mo-ismcts")),
            Kind::Oos => per_second("pairs/s", &mut searches(registry, &*game, "oos")),
            Kind::SmMcts(agent) => {
                let agent = format!("{agent},iterations={ITERATIONS})");
                per_second("iterations/s", &mut searches_by(registry, &*game, agent))
            }
            Kind::Clone => nanoseconds(&mut |n| {
                let world = midgame(&*game, seed);
                let mut copy = world.clone();
                for _ in 0..n {
                    copy.clone_from(black_box(&world));
                    black_box(&copy);
                }
                n
            }),
            Kind::Sample => nanoseconds(&mut |n| {
                let mut world = midgame(&*game, seed);
                let who = world.turn().players().iter().next().expect("a player is to move half way through");
                let mut sampler = game.model().sampler(&world.info(Observer::Seat(who)));
                let mut rng = seed.stream(Purpose::Sampling);
                for _ in 0..n {
                    black_box(sampler.sample(&mut rng, &mut *world));
                }
                n
            }),
            Kind::Bytes => (game.model().start().bytes() as f64, "bytes"),
            Kind::TreeBytes => (tree_bytes(registry, &*game), "bytes/node"),
            Kind::Growth => {
                let [short, long] =
                    [ITERATIONS, 100 * ITERATIONS].map(|n| nanoseconds_each(registry, &*game, n));
                (long / short, "times")
            }
            Kind::Threads => {
                let rate = |threads| {
                    let agent = format!("mo-ismcts(iterations={},threads={threads})", 100 * ITERATIONS);
                    let (decision, seconds) = long_search(registry, &*game, &agent);
                    decision.report.iterations as f64 / seconds
                };
                (rate(2) / rate(1), "times")
            }
            Kind::Solver(solver) => (solver_rate(&*game, solver, time), "iterations/s"),
        };
        Figure { what: self.name.clone(), value, unit }
    }
}

/// A state of a random game about half way through in which a player is to move.
fn midgame(game: &dyn AnyGame, seed: Seed) -> Box<dyn World> {
    let mut rng = seed.stream(Purpose::Playout);
    let mut world = game.model().start();
    let mut met = Vec::new();
    while world.turn() != Turn::Terminal {
        if !world.turn().players().is_empty() {
            met.push(world.clone());
        }
        world.random_step(&mut rng);
    }
    met.swap_remove(met.len() / 2)
}

/// Work done per second: batches grow until one takes long enough to time.
fn rate(time: Duration, work: &mut dyn FnMut(u64) -> u64) -> f64 {
    let mut batch = 1;
    loop {
        let began = Instant::now();
        work(batch);
        if began.elapsed() > time / 50 {
            break;
        }
        batch *= 4;
    }
    let (began, mut done) = (Instant::now(), 0);
    while began.elapsed() < time {
        done += work(batch);
    }
    done as f64 / began.elapsed().as_secs_f64()
}

/// One search of the first decision of a game, and how long it took.
fn long_search(registry: &Registry, game: &dyn AnyGame, agent: &str) -> (Decision, f64) {
    let mut table = game.table();
    first_decision(&mut *table, Seed(1));
    let mut agent = registry.agent(agent, game).expect("benches are made for suitable agents");
    let began = Instant::now();
    let decision = search(&*table, &mut agent, Seed(1));
    (decision, began.elapsed().as_secs_f64())
}

/// Bytes of an MO-ISMCTS tree for each node of the textbook's tree, that is for each move tried.
fn tree_bytes(registry: &Registry, game: &dyn AnyGame) -> f64 {
    let agent = format!("mo-ismcts(iterations={})", 10 * ITERATIONS);
    let (decision, _) = long_search(registry, game, &agent);
    decision.report.bytes.unwrap_or(0) as f64 / decision.report.tried.unwrap_or(0).max(1) as f64
}

/// What an iteration of MO-ISMCTS costs in a search of so many, the best of a few tries.
fn nanoseconds_each(registry: &Registry, game: &dyn AnyGame, iterations: u64) -> f64 {
    let agent = format!("mo-ismcts(iterations={iterations})");
    let tries =
        (0..5.max(20 * ITERATIONS / iterations).min(20)).map(|_| long_search(registry, game, &agent).1);
    1e9 * tries.fold(f64::INFINITY, f64::min) / iterations as f64
}

/// Iterations of a solver per second, the time to read the game not counted.
fn solver_rate(game: &dyn AnyGame, solver: &str, time: Duration) -> f64 {
    let spec = solver.parse().expect("the names of solvers are well-formed");
    let solver = Solver::from_spec(&spec).expect("benches are made for solvers that exist");
    let config = Config { time: Some(time), ..Config::new(solver) };
    let solved = game.solve(&config, None, &mut |_| ()).expect("benches are made for games that fit");
    solved.iterations as f64 / solved.seconds
}

/// Searches of the first decision of a game, each from an empty tree.
fn searches(registry: &Registry, game: &dyn AnyGame, agent: &str) -> impl FnMut(u64) -> u64 {
    searches_by(registry, game, format!("{agent}(iterations={ITERATIONS})"))
}

fn searches_by(registry: &Registry, game: &dyn AnyGame, agent: String) -> impl FnMut(u64) -> u64 {
    let mut table = game.table();
    first_decision(&mut *table, Seed(1));
    let mut agent = registry.agent(&agent, game).expect("benches are made for suitable agents");
    move |n| (0..n).map(|i| search(&*table, &mut agent, Seed(i)).report.iterations).sum()
}

/// Plays up to the first choice: chance draws, and moves without an alternative are made.
fn first_decision(table: &mut dyn AnyTable, seed: Seed) {
    let mut deal = seed.stream(Purpose::Deal);
    loop {
        let players = table.turn().players();
        if table.turn() == Turn::Chance {
            table.draw(&mut deal);
        } else if !players.is_empty() && players.iter().all(|p| table.moves(p).len() == 1) {
            let forced: Vec<_> = players.iter().map(|p| (p, table.moves(p)[0])).collect();
            table.choose(&forced).expect("the only legal move is legal");
        } else {
            return;
        }
    }
}

fn search(table: &dyn AnyTable, agent: &mut SeatAgent, seed: Seed) -> Decision {
    let who = table.turn().players().iter().next().expect("a player is to move");
    agent.start(who, seed);
    table.ask(who, agent).expect("the standard agents always decide")
}

/// What came of letting every agent decide in every game.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Smoke {
    /// Pairs of agent and game that decide.
    pub decided: usize,
    /// Pairs that the agent refuses.
    pub refused: usize,
}

/// Lets every agent of the program, on a small budget, make the first decision of every game's default instance. An
/// error names the pair that does neither decide nor refuse.
pub fn smoke(registry: &Registry) -> Result<Smoke, String> {
    const SMALL: [(&str, &str); 7] = [
        ("iterations", "20"),
        ("determinizations", "2"),
        ("nodes", "200"),
        ("depth", "2"),
        ("samples", "3"),
        ("states", "2"),
        ("worlds", "2"),
    ];
    let mut found = Smoke::default();
    for about in registry.games() {
        let Ok(game) = registry.game(about.name) else { continue };
        let mut table = game.table();
        first_decision(&mut *table, Seed(3));
        let Some(who) = table.turn().players().iter().next() else { continue };
        for agent in registry.agents().filter(|agent| !["exec", "strategy"].contains(&agent.name)) {
            let small = SMALL.iter().filter(|(key, _)| agent.params.iter().any(|p| p.name == *key));
            let small: Vec<String> = small.map(|(key, value)| format!("{key}={value}")).collect();
            let spec = format!("{}({})", agent.name, small.join(","));
            match registry.agent(&spec, &*game) {
                Err(Unavailable::Unsuitable { .. }) => found.refused += 1,
                Err(why) => return Err(format!("{spec} at {}: {why}", about.name)),
                Ok(mut seated) => {
                    seated.start(who, Seed(3));
                    table.events(who).iter().for_each(|event| seated.observe(event));
                    let decision = table.ask(who, &mut seated);
                    let decision = decision.map_err(|why| format!("{spec} at {}: {why}", about.name))?;
                    if !table.moves(who).contains(&decision.action) {
                        return Err(format!("{spec} at {}: it chose what is not legal", about.name));
                    }
                    found.decided += 1;
                }
            }
        }
    }
    Ok(found)
}

/// The checksum of the fixed suite: every standard agent on every game's default instance, along the first
/// decisions of a game.
pub fn signature(registry: &Registry) -> u64 {
    let mut sum = 0xcbf2_9ce4_8422_2325_u64;
    let mut add = |number: u64| sum = (sum ^ number).wrapping_mul(0x0000_0100_0000_01b3);
    for about in registry.games() {
        let Ok(game) = registry.game(about.name) else { continue };
        for agent in [
            "random",
            "flat-mc(iterations=200)",
            "uct(iterations=500)",
            "cheating-uct(iterations=500)",
            "so-ismcts(iterations=500)",
            "mo-ismcts(iterations=500)",
        ] {
            let Ok(mut agent) = registry.agent(agent, &*game) else { continue };
            let mut table = game.table();
            let mut deal = Seed(7).stream(Purpose::Deal);
            let mut decisions = 0;
            while decisions < 4 && table.turn() != Turn::Terminal {
                if table.turn() == Turn::Chance {
                    table.draw(&mut deal);
                    continue;
                }
                let mut choices = Vec::new();
                for p in table.turn().players().iter() {
                    agent.start(p, Seed(decisions));
                    let decision = table.ask(p, &mut agent).expect("the standard agents always decide");
                    choices.push((p, decision.action));
                    let place = table.moves(p).iter().position(|&m| m == decision.action);
                    add(place.expect("agents choose legal moves") as u64);
                    add(decision.report.nodes);
                    decision.report.moves.iter().for_each(|m| add(m.visits));
                }
                table.choose(&choices).expect("agents choose legal moves");
                decisions += 1;
            }
        }
    }
    sum >> 32
}

//! What searches tell about themselves: reports that add up, lines that can be played, trees within limits, and all of
//! it without changing what is played.

use std::collections::HashMap;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Arc, mpsc};
use std::time::{Duration, Instant};

use fogtree_core::explain::{Decider, Reached};
use fogtree_core::{Budget, Decision, Explain, Player, Purpose, SearchTree, Seed, TreeLimits, Turn, Watch};
use fogtree_table::{AnyTable, Registry, SeatAgent};

const PHANTOM: &str = "phantom-mnk(m=4,n=4,k=4)";
const GOOFSPIEL: &str = "goofspiel(cards=5,bids=hidden,prizes=random)";
const OPEN: &str = "goofspiel(cards=5,prizes=random)";
const WHOLE: Explain = Explain { tree: Some(TreeLimits::NONE) };

/// Searches that keep a tree, with a game that each can play.
const WITH_TREES: [(&str, &str); 18] = [
    ("mnk", "uct"),
    ("connect-four", "uct"),
    ("kuhn-poker", "cheating-uct"),
    (GOOFSPIEL, "cheating-uct"),
    (PHANTOM, "so-ismcts"),
    (PHANTOM, "so-ismcts-pom"),
    (PHANTOM, "mo-ismcts"),
    (GOOFSPIEL, "so-ismcts"),
    (GOOFSPIEL, "so-ismcts-pom"),
    (GOOFSPIEL, "mo-ismcts"),
    (PHANTOM, "is-mcts"),
    (GOOFSPIEL, "is-mcts"),
    ("kuhn-poker", "so-ismcts"),
    (OPEN, "sm-mcts"),
    (OPEN, "sm-mcts(select=duct)"),
    (OPEN, "sm-oos"),
    ("goofspiel(cards=5)", "sm-mcts(select=exp3)"),
    ("nim", "sm-mcts"),
];

struct Asked {
    table: Box<dyn AnyTable>,
    seat: Player,
    agent: SeatAgent,
    utility_bounds: (f64, f64),
}

/// A table at the first decision of a game, and an agent in the seat that is to decide.
fn seated(game: &str, agent: &str) -> Asked {
    let registry = Registry::standard();
    let game = registry.game(game).unwrap();
    let mut table = game.table();
    let mut deal = Seed(3).stream(Purpose::Deal);
    while table.turn() == Turn::Chance {
        table.draw(&mut deal);
    }
    let seat = table.turn().players().iter().next().unwrap();
    let mut agent = registry.agent(agent, &*game).unwrap();
    agent.start(seat, Seed(5));
    table.events(seat).iter().for_each(|event| agent.observe(event));
    Asked { table, seat, agent, utility_bounds: game.facts().utility_bounds }
}

impl Asked {
    fn decide(&mut self, budget: Budget) -> Decision {
        self.agent.budget = budget;
        self.table.ask(self.seat, &mut self.agent).unwrap()
    }

    /// Where the chosen move is among the legal ones.
    fn place(&self, decision: &Decision) -> usize {
        let moves = self.table.moves(self.seat);
        moves.iter().position(|&m| m == decision.action).expect("it is legal")
    }
}

fn iterations(n: u64) -> Budget {
    Budget::iterations(n)
}

#[test]
fn reports_add_up() {
    for (game, agent) in WITH_TREES {
        let case = format!("{agent} in {game}");
        let mut asked = seated(game, agent);
        let decision = asked.decide(Budget { explain: Some(WHOLE), ..iterations(2000) });
        let visits: u64 = decision.report.moves.iter().map(|m| m.visits).sum();
        let spent_elsewhere = agent == "is-mcts";
        assert!(visits == decision.report.iterations || spent_elsewhere, "{case}: {visits} visits");
        for m in &decision.report.moves {
            assert!(m.availability.is_none_or(|n| n >= m.visits), "{case}: {m:?}");
            assert_eq!(
                m.availability.is_some(),
                agent.contains("ismcts") || agent == "is-mcts",
                "{case}: {m:?}"
            );
            assert_eq!(m.margins.is_some(), m.visits > 1, "{case}: {m:?}");
            let margins = m.margins.iter().flat_map(|m| m.iter());
            assert!(margins.clone().all(|x| (0.0..=50.0).contains(x)), "{case}: {m:?}");
        }
        assert_eq!(
            decision.report.profile.iter().sum::<u64>(),
            decision.report.nodes,
            "{case}: {:?}",
            decision.report.profile
        );
        let (mean, deepest) = (decision.report.mean_depth.unwrap(), f64::from(decision.report.depth));
        assert!((1.0..=deepest).contains(&mean), "{case}: {mean} of {deepest}");
        assert!(decision.report.bytes.unwrap() / decision.report.nodes > 8, "{case}");
        let first = &decision.report.line[0];
        let chosen = &asked.table.legal(asked.seat)[asked.place(&decision)];
        assert_eq!((first.by, &first.name), (Some(asked.seat), chosen), "{case}");
        assert_eq!(decision.report.trees[0].of, asked.seat, "{case}");
        for tree in &decision.report.trees {
            assert_sound(tree, asked.utility_bounds, &case);
        }
        if agent == "mo-ismcts" {
            assert_eq!(decision.report.trees.len(), 2, "{case}: a tree for every player");
        }
        assert_root_agrees(&asked, &decision, &case);
    }
}

/// Parents come first, visits do not grow from parent to child, no more visits than there were chances.
fn assert_sound(tree: &SearchTree, utility_bounds: (f64, f64), case: &str) {
    assert!(!tree.nodes.is_empty(), "{case}");
    let range = utility_bounds.0 - 1e-9..=utility_bounds.1 + 1e-9;
    let mut below: HashMap<(usize, Option<Decider>), u64> = HashMap::new();
    for (id, node) in tree.nodes.iter().enumerate() {
        assert_eq!(node.left_out, 0, "{case}");
        assert!(node.available.is_none_or(|n| n >= node.visits), "{case}: {node:?}");
        let values = node.values.iter().flat_map(|v| v.iter());
        assert!(values.clone().all(|v| range.contains(v)), "{case}: {node:?}");
        assert!(
            node.values.is_some() || node.visits == 0 || !matches!(node.reached, Reached::Move(..)),
            "{case}"
        );
        let Some(parent) = node.parent else {
            assert_eq!(node.depth, 0, "{case}: {node:?}");
            continue;
        };
        assert!(parent < id, "{case}");
        // Players who choose at the same time have nodes side by side.
        *below.entry((parent, node.turn)).or_default() += node.visits;
        let above = &tree.nodes[parent];
        let moved = u32::from(matches!(node.reached, Reached::Move(..)));
        assert_eq!(node.depth, above.depth + moved, "{case}: {node:?} below {above:?}");
        if let (Reached::Move(by, _), Some(turn)) = (&node.reached, above.turn) {
            assert_eq!(Decider::Player(*by), turn, "{case}");
        }
    }
    // A node that is met again in an iteration counts once, though several of its moves were made.
    let again = case.contains("pom");
    for ((parent, _), below) in below {
        assert!(
            again || below <= tree.nodes[parent].visits,
            "{case}: {below} below {:?}",
            tree.nodes[parent]
        );
    }
}

/// The moves at the root of the searcher's tree are those of the report.
fn assert_root_agrees(asked: &Asked, decision: &Decision, case: &str) {
    let legal = asked.table.legal(asked.seat);
    let nodes = &decision.report.trees[0].nodes;
    let is_root = |n: usize| nodes[n].parent.is_none() && nodes[n].turn == Some(Decider::Player(asked.seat));
    for (name, m) in legal.iter().zip(&decision.report.moves) {
        let found = nodes.iter().find(|n| match &n.reached {
            Reached::Move(by, of) => *by == asked.seat && of == name && n.parent.is_some_and(is_root),
            _ => false,
        });
        if case.starts_with("is-mcts") {
            continue;
        }
        let found = found.unwrap_or_else(|| panic!("{case}: {name} is not in the tree"));
        assert_eq!(found.visits, m.visits, "{case}: {name}");
        let (a, b) = (found.values.as_ref().unwrap(), m.values.as_ref().unwrap());
        assert!(a.iter().zip(b.iter()).all(|(a, b)| (a - b).abs() < 1e-9), "{case}: {a:?} {b:?}");
    }
}

/// Where the tree tells all moves apart, the principal variation is a legal line of play.
#[test]
fn lines_can_be_played() {
    for (game, agent) in [
        ("mnk", "uct"),
        ("connect-four", "uct"),
        ("othello", "uct"),
        ("kuhn-poker", "cheating-uct"),
        (GOOFSPIEL, "cheating-uct"),
        ("kuhn-poker", "so-ismcts"),
        ("nim", "so-ismcts"),
        ("goofspiel(cards=5)", "sm-mcts"),
        (OPEN, "sm-oos"),
        ("nim", "sm-mcts"),
    ] {
        let mut asked = seated(game, agent);
        let decision = asked.decide(Budget { explain: Some(Explain::default()), ..iterations(3000) });
        assert!(decision.report.trees.is_empty(), "no tree was asked for");
        let names: Vec<&str> = decision
            .report
            .line
            .iter()
            .filter(|s| agent != "so-ismcts" || s.by.is_some())
            .map(|s| &*s.name)
            .collect();
        assert!(names.len() > 1, "{agent} in {game}: {names:?}");
        let mut left = &names[..];
        // A line may end where some have chosen and some have not.
        while let Some((turn, rest)) = left.split_at_checked(asked.table.turn().players().len().max(1)) {
            asked.table.play_words(turn).unwrap_or_else(|why| panic!("{agent} in {game}: {names:?}: {why}"));
            left = rest;
        }
    }
    // In a tree of its own a player sees what it sees: the searcher's moves are legal ones, the rest is words.
    let mut asked = seated(PHANTOM, "mo-ismcts");
    let line = asked.decide(Budget { explain: Some(Explain::default()), ..iterations(20_000) }).report.line;
    assert!(line.iter().all(|s| s.by.is_none_or(|by| by == asked.seat)), "{line:?}");
}

#[test]
fn worlds_and_threads_are_added_up() {
    for agent in ["pimc(determinizations=20,iterations=100)", "so-ismcts(threads=3)", "mo-ismcts(threads=2)"]
    {
        let mut asked = seated(PHANTOM, agent);
        let decision = asked.decide(Budget { explain: Some(WHOLE), ..iterations(2000) });
        assert_eq!(decision.report.iterations, 2000, "{agent}");
        assert_eq!(decision.report.profile.iter().sum::<u64>(), decision.report.nodes, "{agent}");
        assert_eq!(decision.report.moves.iter().map(|m| m.visits).sum::<u64>(), 2000, "{agent}");
        assert!(decision.report.moves.iter().all(|m| m.margins.is_some()), "{agent}");
        assert_eq!(
            decision.report.line[0].name,
            asked.table.legal(asked.seat)[asked.place(&decision)],
            "{agent}"
        );
        assert_eq!(decision.report.trees.is_empty(), agent.starts_with("pimc"), "{agent}");
        for tree in &decision.report.trees {
            assert_sound(tree, asked.utility_bounds, agent);
        }
        if !decision.report.trees.is_empty() {
            assert_root_agrees(&asked, &decision, agent);
        }
    }
}

/// A tree that is kept from move to move still adds up.
#[test]
fn kept_trees_add_up() {
    let mut asked = seated("phantom-mnk", "mo-ismcts(reuse=true)");
    let explained = || Budget { explain: Some(WHOLE), ..iterations(3000) };
    let first = asked.decide(explained());
    let place = asked.place(&first);
    asked.table.choose(&[(Player(0), first.action)]).unwrap();
    let answer = asked.table.moves(Player(1))[(place + 1) % 9];
    asked.table.choose(&[(Player(1), answer)]).unwrap();
    assert_eq!(asked.table.turn(), Turn::Player(Player(0)));
    let second = asked.decide(explained());
    assert_eq!(second.report.profile.iter().sum::<u64>(), second.report.nodes);
    assert_eq!(second.report.line[0].name, asked.table.legal(Player(0))[asked.place(&second)]);
}

#[test]
fn limits_cut_trees() {
    for (game, agent) in [
        (PHANTOM, "so-ismcts"),
        (PHANTOM, "mo-ismcts"),
        (PHANTOM, "so-ismcts(threads=2)"),
        ("goofspiel", "sm-mcts"),
    ] {
        let limits = TreeLimits { depth: 2, visits: 20 };
        let explain = Some(Explain { tree: Some(limits) });
        let cut = seated(game, agent).decide(Budget { explain, ..iterations(3000) });
        let whole = seated(game, agent).decide(Budget { explain: Some(WHOLE), ..iterations(3000) });
        for (cut, whole) in cut.report.trees.iter().zip(&whole.report.trees) {
            let admitted =
                |n: &&fogtree_core::TreeNode| n.parent.is_none() || limits.admit(n.depth, n.visits);
            assert!(cut.nodes.iter().all(|n| admitted(&n)), "{agent}");
            assert!(cut.nodes.len() < whole.nodes.len() / 4, "{agent}");
            assert!(cut.nodes.iter().any(|n| n.left_out > 0), "{agent}");
        }
    }
}

/// What no search of its kind has is absent.
#[test]
fn what_means_nothing_is_absent() {
    for agent in ["random", "minimax", "flat-mc"] {
        let decision = seated("mnk", agent).decide(Budget { explain: Some(WHOLE), ..iterations(500) });
        assert_eq!((decision.report.bytes, decision.report.mean_depth), (None, None), "{agent}");
        assert!(
            decision.report.profile.is_empty()
                && decision.report.line.is_empty()
                && decision.report.trees.is_empty(),
            "{agent}"
        );
        assert!(decision.report.moves.iter().all(|m| m.availability.is_none()), "{agent}");
        assert!(agent == "flat-mc" || decision.report.moves.iter().all(|m| m.margins.is_none()), "{agent}");
    }
}

#[test]
fn watching_and_explaining_change_nothing() {
    let searches = WITH_TREES.into_iter().chain([
        (PHANTOM, "flat-mc"),
        (PHANTOM, "pimc(determinizations=10,iterations=200)"),
        (PHANTOM, "mo-ismcts(threads=2)"),
        (GOOFSPIEL, "smooth-uct"),
    ]);
    for (game, agent) in searches {
        let told =
            |Decision { action, report: r }: Decision| (action, r.moves, r.iterations, r.nodes, r.depth);
        let plain = told(seated(game, agent).decide(iterations(2000)));
        let (shown, most) = (Arc::new(AtomicU64::new(0)), Arc::new(AtomicU64::new(0)));
        let (count, seen) = (Arc::clone(&shown), Arc::clone(&most));
        let watch = Watch::every(Duration::ZERO, move |progress| {
            count.fetch_add(1, Ordering::Relaxed);
            seen.fetch_max(progress.iterations, Ordering::Relaxed);
            let visits: u64 = progress.moves.iter().map(|m| m.visits).sum();
            assert!(visits <= progress.iterations, "{progress:?}");
        });
        let budget = Budget {
            watch: Some(watch),
            explain: Some(WHOLE),
            stop: Some(Arc::new(AtomicBool::new(false))),
            ..iterations(2000)
        };
        let watched = told(seated(game, agent).decide(budget));
        assert_eq!(plain, watched, "{agent} in {game}");
        assert!(shown.load(Ordering::Relaxed) > 1, "{agent} in {game} was never shown");
        assert!((1..=2000).contains(&most.load(Ordering::Relaxed)), "{agent} in {game}");
    }
}

/// How long a search goes on after it was told to stop; the best of several tries, since other programs run too.
fn reaction(game: &str, agent: &str) -> Duration {
    let limit = Duration::from_millis(5);
    let mut best = Duration::MAX;
    for try_number in 0..30 {
        let stop = Arc::new(AtomicBool::new(false));
        let (send, ready) = mpsc::channel();
        let (game, agent, flag) = (game.to_string(), agent.to_string(), Arc::clone(&stop));
        let search = std::thread::spawn(move || {
            let mut asked = seated(&game, &agent);
            send.send(()).unwrap();
            asked.decide(Budget { stop: Some(flag), iterations: Some(u64::MAX), ..Budget::default() });
            Instant::now()
        });
        ready.recv().unwrap();
        std::thread::sleep(Duration::from_millis(40 + 10 * (try_number % 4)));
        assert!(!search.is_finished(), "the search ended by itself");
        let told = Instant::now();
        stop.store(true, Ordering::Relaxed);
        best = best.min(search.join().unwrap().saturating_duration_since(told));
        if best < limit {
            break;
        }
    }
    best
}

#[test]
fn searches_stop_within_milliseconds() {
    let endless = "determinizations=1000000000,iterations=1000000000";
    let by_worlds = format!("pimc({endless})");
    let short_worlds = "pimc(determinizations=1000000000,iterations=10)";
    for game in [PHANTOM, "goofspiel"] {
        for agent in [
            "flat-mc",
            "cheating-uct",
            &by_worlds,
            short_worlds,
            "so-ismcts",
            "so-ismcts-pom",
            "mo-ismcts",
            "mo-ismcts(threads=2)",
            "bs-mcts",
            "bs-mcts(variant=literal)",
            "is-mcts",
            "is-mcts(beliefs=false)",
            "smooth-uct",
            "oos",
            "gt-cfr",
            "cheating-minimax(nodes=1000000000000)",
            "pimc-minimax(nodes=1000000000000)",
            "is-expectimax(nodes=1000000000000)",
        ] {
            let took = reaction(game, agent);
            assert!(took < Duration::from_millis(5), "{agent} in {game} went on for {took:?}");
        }
    }
    let took = reaction("othello", "uct");
    assert!(took < Duration::from_millis(5), "uct went on for {took:?}");
}

//! Where nodes of search trees and principal variations lead, in worlds that agree with what was searched.

use std::time::Duration;

use fogtree_core::explain::{Decider, Reached};
use fogtree_core::{
    Budget, Deadline, Decision, Explain, InfoSet, Observer, Player, Purpose, Rng, SearchTree, Seed,
    TreeLimits, Turn, World,
};
use fogtree_table::{AnyTable, Registry, follow_line, follow_path};

const PHANTOM: &str = "phantom-mnk(m=3,n=3,k=3)";

/// A search of the first decision after some moves.
fn searched(game: &str, moves: &str, agent: &str, iterations: u64) -> (Box<dyn AnyTable>, InfoSet, Decision) {
    let registry = Registry::standard();
    let game = registry.game(game).unwrap();
    let mut table = game.table();
    let mut deal = Seed(3).stream(Purpose::Deal);
    let mut words = moves.split_whitespace();
    loop {
        match table.turn() {
            Turn::Chance => table.draw(&mut deal),
            _ => match words.next() {
                Some(word) => table.play_words(&[word]).unwrap(),
                None => break,
            },
        }
    }
    let seat = table.turn().players().iter().next().unwrap();
    let mut agent = registry.agent(agent, &*game).unwrap();
    agent.budget = Budget {
        explain: Some(Explain { tree: Some(TreeLimits { depth: 12, visits: 2 }) }),
        ..Budget::iterations(iterations)
    };
    agent.start(seat, Seed(5));
    table.events(seat).iter().for_each(|event| agent.observe(event));
    let decision = table.ask(seat, &mut agent).unwrap();
    let info = table.infoset(seat);
    (table, info, decision)
}

fn path(tree: &SearchTree, node: usize) -> Vec<Reached> {
    let up = std::iter::successors(Some(node), |&id| tree.nodes[id].parent);
    let mut path: Vec<Reached> = up.map(|id| tree.nodes[id].reached.clone()).collect();
    path.reverse();
    path
}

fn rng() -> Rng {
    Seed(9).stream(Purpose::Sampling)
}

fn soon() -> Deadline {
    Deadline::after(Some(Duration::from_secs(5)), None)
}

fn follow(info: &InfoSet, tree: &SearchTree, node: usize) -> Option<Box<dyn World>> {
    follow_path(info, tree.of, &path(tree, node), tree.nodes[node].turn, &mut rng(), &soon())
}

fn legal(info: &InfoSet, world: &dyn World, who: Player) -> Vec<String> {
    let mut moves = Vec::new();
    world.legal(who, &mut moves);
    moves.into_iter().map(|mv| info.game.move_name(mv)).collect()
}

/// Nodes of all trees are found, and at every place where the searcher decides, the moves in its own tree are
/// legal in the world that was found.
fn assert_followed(game: &str, moves: &str, agent: &str, nodes: usize) {
    let (_, info, decision) = searched(game, moves, agent, 3000);
    let case = format!("{agent} in {game}");
    assert!(!decision.report.trees.is_empty(), "{case}");
    let mut decisions = 0;
    for tree in &decision.report.trees {
        let mut order: Vec<usize> = (0..tree.nodes.len()).collect();
        order.sort_by_key(|&id| (std::cmp::Reverse(tree.nodes[id].visits), id));
        for id in order.into_iter().take(nodes) {
            let node = &tree.nodes[id];
            let found = follow(&info, tree, id);
            let world = found.unwrap_or_else(|| panic!("{case}: {:?} was not found", path(tree, id)));
            let Some(Decider::Player(who)) = node.turn else { continue };
            if !matches!(node.reached, Reached::Seen(_) | Reached::Root) {
                continue;
            }
            assert!(world.turn().players().contains(who), "{case}: {:?}", path(tree, id));
            let legal = legal(&info, &*world, who);
            for child in tree.nodes.iter().filter(|child| child.parent == Some(id)) {
                let Reached::Move(by, name) = &child.reached else { continue };
                // Others may have moves in some worlds only; what one may do oneself is known.
                if *by == info.seat && tree.of == info.seat {
                    assert!(legal.contains(name), "{case}: {name} of {legal:?} at {:?}", path(tree, id));
                    decisions += 1;
                }
            }
        }
    }
    assert!(decisions > 0, "{case}");
}

#[test]
fn nodes_of_trees_are_found_in_some_world() {
    assert_followed(PHANTOM, "", "mo-ismcts", 150);
    assert_followed(PHANTOM, "a1 b2", "so-ismcts", 150);
    assert_followed(PHANTOM, "a1", "so-ismcts-pom", 100);
    assert_followed("kuhn-poker", "", "mo-ismcts", 100);
    assert_followed("kuhn-poker", "check", "so-ismcts", 100);
    assert_followed("goofspiel(cards=4,bids=hidden,prizes=random)", "", "mo-ismcts", 60);
    assert_followed("goofspiel(cards=4,prizes=random)", "", "so-ismcts", 60);
    assert_followed("hearts", "", "so-ismcts", 20);
    assert_followed("hearts", "", "mo-ismcts", 20);
}

/// Where nothing is hidden there is one world: it must be the one that the moves lead to.
#[test]
fn in_an_open_game_the_world_is_that_of_the_moves() {
    for agent in ["uct", "so-ismcts"] {
        let (table, info, decision) = searched("mnk(m=3,n=3,k=3)", "b2 a1", agent, 3000);
        let tree = &decision.report.trees[0];
        let mut compared = 0;
        for id in (0..tree.nodes.len()).step_by(7) {
            let path = path(tree, id);
            let names = path.iter().filter_map(|reached| match reached {
                Reached::Move(_, name) => Some(name.as_str()),
                _ => None,
            });
            let mut played = table.fork();
            played.play_words(&names.collect::<Vec<_>>()).unwrap();
            let world = follow(&info, tree, id).unwrap();
            assert_eq!(world.scene(), played.true_scene(), "{agent}: {path:?}");
            compared += 1;
        }
        assert!(compared > 50, "{agent}");
    }
}

/// After betting with a jack one still holds the jack, and has bet.
#[test]
fn what_the_player_knows_is_kept() {
    let (table, info, decision) = searched("kuhn-poker", "", "mo-ismcts", 3000);
    let tree = &decision.report.trees[0];
    let own = |name: &str| {
        let is = |reached: &Reached| *reached == Reached::Move(Player(0), name.to_string());
        tree.nodes.iter().position(|node| is(&node.reached)).unwrap()
    };
    let world = follow(&info, tree, own("bet")).unwrap();
    let mut played = table.fork();
    played.play_words(&["bet"]).unwrap();
    let by = Observer::Seat(Player(0));
    assert_eq!(info.game.scene(&world.info(by)), played.scene(by));
    assert_ne!(info.game.scene(&world.info(by)), table.scene(by));
}

/// Every step of a principal variation has a world after it, in which one's own moves have been made.
#[test]
fn lines_are_played_out() {
    for (game, agent) in [
        ("mnk(m=3,n=3,k=3)", "uct"),
        (PHANTOM, "mo-ismcts"),
        (PHANTOM, "so-ismcts"),
        ("kuhn-poker", "so-ismcts"),
        ("goofspiel(cards=4,prizes=random)", "sm-mcts"),
        ("hearts", "mo-ismcts"),
    ] {
        let (_, info, decision) = searched(game, "", agent, 2000);
        let line = &decision.report.line;
        let worlds = follow_line(&info, line, &mut rng(), &soon());
        assert_eq!(worlds.len(), line.len());
        assert!(line.len() > 1, "{agent} in {game}");
        assert!(worlds.iter().all(Option::is_some), "{agent} in {game}: {line:?}");
        let by = Observer::Seat(info.seat);
        let first = worlds[0].as_ref().unwrap();
        assert_ne!(info.game.view(&first.info(by)), info.view(), "{agent} in {game}: {line:?}");
    }
}

/// What cannot be is not found, and does not take longer than allowed.
#[test]
fn impossible_ways_are_given_up() {
    let (_, info, _) = searched(PHANTOM, "a1", "so-ismcts", 50);
    let impossible = [Reached::Root, Reached::Move(Player(1), "z9".to_string())];
    let until = Deadline::after(Some(Duration::from_millis(50)), None);
    assert!(follow_path(&info, Player(1), &impossible, None, &mut rng(), &until).is_none());
    let wrong = [Reached::Seen(vec!["pigs fly".to_string()])];
    let until = Deadline::after(Some(Duration::from_millis(50)), None);
    assert!(follow_path(&info, Player(1), &wrong, None, &mut rng(), &until).is_none());
}

//! What MO-ISMCTS tells apart of what it cannot see (`tubstap/2.5`).

use std::collections::HashMap;

use fogtree_core::explain::{Reached, TreeLimits};
use fogtree_core::{Explain, Notation, SearchTree};

use super::*;

/// Everything that Red may see of Blue's whole turn, and in how many ways Blue may come to it.
fn sights(
    game: &Tubstap,
    state: &tubstap::State,
    seen: &[Observation],
    out: &mut HashMap<Vec<Observation>, u32>,
) {
    match game.turn(state) {
        Turn::Player(Player(1)) => {}
        // Where the game is over nobody decides, and there is no node.
        Turn::Terminal => return,
        _ => {
            *out.entry(seen.to_vec()).or_default() += 1;
            return;
        }
    }
    let mut legal = Vec::new();
    game.actions(state, Player(1), &mut legal);
    for action in legal {
        let moves = [(Player(1), action)];
        let mut seen = seen.to_vec();
        seen.extend(game.observe(state, Step::Moves(&moves), Observer::Seat(Player(0))));
        let mut next = state.clone();
        game.apply(&mut next, Step::Moves(&moves));
        sights(game, &next, &seen, out);
    }
}

/// Enemy turns that look the same to the searcher share a node of its tree, and those that do not have nodes of their
/// own: there are as many as there are things to see, by brute force.
#[test]
fn what_is_not_seen_is_not_told_apart() {
    let game = game("map=ambush,sampler=exact,metric=manhattan");
    let rules = game.game();
    let played = Played::start(&game);
    let info = played.info();
    assert_eq!(info.seat, Player(0));
    let config = Config { memory: 1 << 28, ..Config::new(Observers::Multiple) };
    let mut agent = Ismcts::new(&model(&game), config);
    agent.start(Player(0), Seed(6));
    let explain = Some(Explain { tree: Some(TreeLimits::NONE) });
    let report = agent.act(&info, &Budget { explain, ..Budget::iterations(20_000) }).unwrap().report;
    let tree: &SearchTree = &report.trees[0];
    assert_eq!(tree.of, Player(0));
    let mut shared = 0;
    for (at, node) in tree.nodes.iter().enumerate() {
        let Reached::Move(Player(0), name) = &node.reached else { continue };
        if node.depth != 1 || node.visits < 1000 {
            continue;
        }
        let mut next = played.state().clone();
        let action = rules.parse_action(name).unwrap();
        rules.apply(&mut next, Step::Moves(&[(Player(0), action)]));
        if rules.turn(&next) != Turn::Player(Player(1)) {
            continue;
        }
        let mut expected = HashMap::new();
        sights(rules, &next, &[], &mut expected);
        let found = tree.nodes.iter().filter(|n| n.parent == Some(at)).count();
        assert_eq!(found, expected.len(), "{name}");
        assert!(found > 1, "{name}: something can be seen");
        shared += u32::from(expected.values().any(|ways| *ways > 1));
    }
    assert!(shared > 0, "and something cannot");
}

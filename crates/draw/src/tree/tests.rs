use fogtree_core::Rewards;

use super::*;
use crate::Theme;
use crate::chart::check::{assert_well_formed, texts};

fn node(parent: Option<usize>, reached: Reached, visits: u64, value: f64) -> TreeNode {
    TreeNode {
        parent,
        depth: 0,
        reached,
        turn: Some(Decider::Player(Player(0))),
        visits,
        available: None,
        values: Some(Rewards::zero_sum(value)),
        left_out: 0,
    }
}

fn played(by: u8, name: &str) -> Reached {
    Reached::Move(Player(by), name.to_string())
}

/// A root with `width` children, the first of which has as many again.
fn tree(width: usize) -> SearchTree {
    let mut nodes = vec![node(None, Reached::Root, 1000, 0.1)];
    for i in 0..width {
        nodes.push(node(Some(0), played(0, &format!("m{i}")), 500 >> i.min(8), 0.5 - 0.1 * i as f64));
    }
    for i in 0..width {
        let seen = Reached::Seen(vec![format!("<seen> & \"heard\" {i}")]);
        nodes.push(node(Some(1), seen, 400 >> i.min(8), -0.5 + 0.1 * i as f64));
    }
    SearchTree { of: Player(0), nodes }
}

fn part(top: usize, depth: u32) -> Part {
    Part { node: 0, depth, top, most: 60 }
}

fn drawn(tree: &SearchTree, part: Part, theme: Theme) -> String {
    let branches = part.branches(tree, &Children::of(tree), Player(0));
    tree_svg(&branches, &TreeDrawing { theme, player: Player(0), range: value_range(tree, Player(0)) })
}

#[test]
fn the_most_visited_children_come_first_and_the_others_are_counted() {
    let mut tree = tree(9);
    tree.nodes[0].left_out = 4;
    let children = Children::of(&tree);
    assert_eq!(children.below(0), [1, 2, 3, 4, 5, 6, 7, 8, 9]);
    assert_eq!((children.below(2).len(), children.below(99).len()), (0, 0));
    let branches = part(3, 2).branches(&tree, &children, Player(1));
    let shape: Vec<(usize, Option<usize>, Look)> =
        branches.iter().map(|b| (b.node, b.parent, b.look)).collect();
    let (me, seen) = (Look::Move(Player(0)), Look::Place);
    let expected = [
        (0, None, seen),
        (1, Some(0), me),
        (2, Some(0), me),
        (3, Some(0), me),
        (0, Some(0), Look::More(10)),
        (10, Some(1), seen),
        (11, Some(1), seen),
        (12, Some(1), seen),
        (1, Some(1), Look::More(6)),
    ];
    assert_eq!(shape, expected);
    assert_eq!(branches[1].value, Some(-0.5), "the other player's");
    assert_eq!(branches[4].visits, tree.nodes[4..10].iter().map(|n| n.visits).sum::<u64>());
}

#[test]
fn pictures_are_well_formed_and_name_their_nodes() {
    for width in [0, 1, 2, 6, 18] {
        for theme in [Theme::Light, Theme::Dark] {
            let tree = tree(width);
            let svg = drawn(&tree, part(6, 2), theme);
            assert_well_formed(&svg);
            assert!(!svg.contains("style"), "{svg}");
            let shown = width.min(6);
            assert_eq!(
                svg.matches("data-node=\"1\"").count(),
                usize::from(shown > 0) + usize::from(width > 6)
            );
            assert_eq!(svg.matches("class=\"more\"").count(), 2 * usize::from(width > 6));
            assert_eq!(svg.matches("<g ").count(), svg.matches("</g>").count());
            assert!(width == 0 || texts(&svg).iter().any(|t| t.starts_with("0: m0")), "{svg}");
        }
    }
}

/// However many nodes a tree has, a picture has no more than asked for, and says how many it leaves out.
#[test]
fn pictures_stay_small() {
    let tree = tree(500);
    let branches = Part { most: 40, ..part(500, 9) }.branches(&tree, &Children::of(&tree), Player(0));
    let shown = branches.iter().filter(|b| !matches!(b.look, Look::More(_))).count();
    let rest: u64 = branches.iter().map(|b| if let Look::More(rest) = b.look { rest } else { 0 }).sum();
    assert_eq!((shown, rest), (41, 460), "the second level would not fit");
}

#[test]
fn long_labels_are_shortened() {
    let mut tree = tree(6);
    tree.nodes[2].reached = played(1, &"a very long name of a move ".repeat(8));
    let svg = drawn(&tree, part(6, 2), Theme::Light);
    assert_well_formed(&svg);
    assert!(texts(&svg).iter().any(|t| t.starts_with("1: a very") && t.contains("...")), "{svg}");
    assert!(svg.contains(&"a very long name of a move ".repeat(8)), "the title has all of it");
}

#[test]
fn values_of_nodes_that_few_iterations_passed_do_not_stretch_the_scale() {
    let mut tree = tree(2);
    tree.nodes[0].visits = 5000;
    tree.nodes.push(node(Some(0), played(0, "rare"), 1, -9.0));
    assert_eq!(value_range(&tree, Player(0)), (-0.5, 0.5));
    assert_eq!(value_range(&SearchTree { of: Player(0), nodes: Vec::new() }, Player(0)), (0.0, 0.0));
}

#[test]
fn the_most_visited_moves_are_named_in_the_chart() {
    let names: Vec<String> = ["a", "b", "c", "d"].map(str::to_string).to_vec();
    let at = |iterations: u64, visits: [u64; 4]| Found {
        iterations,
        moves: visits.iter().map(|&v| (v, (v > 0).then(|| 1.0 / v as f64))).collect(),
    };
    let points = [at(10, [4, 3, 3, 0]), at(100, [10, 60, 30, 0])];
    let chart = Convergence { title: "T", names: &names, points: &points };
    let svg = chart.svg(2, Theme::Dark);
    assert_well_formed(&svg);
    let words = texts(&svg);
    assert!(words.contains(&"b".to_string()) && words.contains(&"c".to_string()), "{words:?}");
    assert!(!words.contains(&"a".to_string()) && !words.contains(&"d".to_string()), "{words:?}");
    assert_well_formed(&Convergence { points: &[], ..chart }.svg(3, Theme::Light));
}

/// Writes pictures to look at, if asked to by a folder in `FOGTREE_PICTURES`.
#[cfg(feature = "png")]
#[test]
fn pictures_can_be_looked_at() {
    let Some(folder) = std::env::var_os("FOGTREE_PICTURES").map(std::path::PathBuf::from) else { return };
    let mut large = tree(8);
    large.nodes[2].reached = played(1, "a very long name of a move that does not fit");
    large.nodes[3].reached = Reached::Chance("KQ".to_string());
    for i in 0..5 {
        large.nodes.push(node(Some(10), played(1, &format!("b{i}")), 60 >> i, 0.3 - 0.2 * f64::from(i)));
    }
    large.nodes[10].left_out = 3;
    for (name, tree, part, theme) in [
        ("one", tree(0), part(6, 2), Theme::Light),
        ("two", tree(1), part(6, 2), Theme::Dark),
        ("many", large.clone(), part(6, 3), Theme::Light),
        ("many-dark", large, part(6, 3), Theme::Dark),
    ] {
        std::fs::write(
            folder.join(format!("{name}.png")),
            crate::to_png(&drawn(&tree, part, theme)).unwrap(),
        )
        .unwrap();
    }
    let names: Vec<String> = (0..6).map(|i| format!("move {i}")).collect();
    let at = |n: u64| Found {
        iterations: n * 100,
        moves: (0..6)
            .map(|i| (n * 100 / (i + 1), Some(0.5 - 0.1 * i as f64 + ((n * (i + 3)) % 7) as f64 / n as f64)))
            .collect(),
    };
    let points: Vec<Found> = (1..80).map(at).collect();
    for (name, theme) in [("chart", Theme::Light), ("chart-dark", Theme::Dark)] {
        let svg = Convergence { title: "mo-ismcts", names: &names, points: &points }.svg(5, theme);
        std::fs::write(folder.join(format!("{name}.png")), crate::to_png(&svg).unwrap()).unwrap();
    }
}

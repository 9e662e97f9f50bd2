//! The properties of trees that decide how well determinized search does (`tubstap/5.4`).

use fogtree_games::kuhn_poker::{self, KuhnPoker};

use super::measuring::measure;
use super::*;

/// Two cards, hidden; after `x` the player is told which it is, after `y` it is not. Each of the four places is reached
/// by a quarter of the playouts. In three of them both last moves are worth the same, in two of these three to the
/// first player's favour; and of two possible cards one is ruled out after `x` and none after `y`.
const CARDS: &str = "EFG 2 R \"cards\" { \"one\" \"two\" } \"\"
    c \"\" 1 \"\" { \"a\" 1/2 \"b\" 1/2 } 0
    p \"\" 1 1 \"\" { \"x\" \"y\" } 0
    p \"\" 1 2 \"\" { \"l\" \"r\" } 0
    t \"\" 1 \"\" { 1, -1 }
    t \"\" 2 \"\" { 1, -1 }
    p \"\" 1 4 \"\" { \"l\" \"r\" } 0
    t \"\" 3 \"\" { -1, 1 }
    t \"\" 4 \"\" { -1, 1 }
    p \"\" 1 1 \"\" { \"x\" \"y\" } 0
    p \"\" 1 3 \"\" { \"l\" \"r\" } 0
    t \"\" 5 \"\" { -1, 1 }
    t \"\" 6 \"\" { 1, -1 }
    p \"\" 1 4 \"\" { \"l\" \"r\" } 0
    t \"\" 7 \"\" { 1, -1 }
    t \"\" 8 \"\" { 1, -1 }";

#[test]
fn the_properties_of_a_tree_are_measured() {
    let tree = Erased::new(Tree::from_efg(CARDS).unwrap());
    let mut rng = Seed(3).stream(Purpose::Playout);
    let found = measure(&tree, None, 4000, &mut rng);
    let near = |found: Option<f64>, expected: f64| (found.unwrap() - expected).abs() < 0.03;
    assert!(near(found.correlation, 0.75), "{found:?}");
    assert!(near(found.bias, 2.0 / 3.0), "{found:?}");
    assert!(near(found.disambiguation, 0.25), "{found:?}");

    // Kuhn poker with three cards: at the end of a bet folding costs what is in, and calling another chip won or lost:
    // never the same. Whoever decides twice has passed and was bet against, which rules out no card.
    let poker = Erased::new(KuhnPoker::from_params(&common::params(&kuhn_poker::ABOUT, "")).unwrap());
    let found = measure(&poker, None, 500, &mut rng);
    assert_eq!((found.correlation, found.bias, found.disambiguation), (Some(0.0), None, Some(0.0)));

    // In the fog nobody can list the worlds of a large map, but the rest can be measured.
    let fog = game("map=map01,limit=6");
    let found = measure(&fog, policy("attack"), 20, &mut rng);
    assert!(found.disambiguation.is_none() && found.correlation.is_some_and(|c| (0.0..=1.0).contains(&c)));
}

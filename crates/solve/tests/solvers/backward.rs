//! Backward induction on trees of matrix games.

use fogtree_core::{About, Rules, Turn};
use fogtree_games::connect_four::{self, ConnectFour};
use fogtree_games::goofspiel::{ABOUT, Goofspiel};
use fogtree_games::kuhn_poker::KuhnPoker;
use fogtree_solve::backward::{Backward, Method, NotBackward};
use fogtree_solve::lp::solve_sequence_form;
use fogtree_solve::walk::{Go, visit};

use crate::common::compiled;

const METHODS: [Method; 3] = [Method::Plain, Method::AlphaBeta, Method::DoubleOracle];

fn goofspiel(params: &str) -> Goofspiel {
    let spec = format!("goofspiel({params})").parse().unwrap();
    let (about, spec) = About::find([&ABOUT].into_iter(), "game", &spec).unwrap();
    Goofspiel::from_params(&about.params(&spec).unwrap()).unwrap()
}

/// Equilibrium T-13: the rows of nodes without a saddle point of 3.1, by depth.
#[test]
fn t_13_goofspiel_nodes_without_a_saddle_point() {
    for (lowest, expected) in [(1, [0, 8, 64, 246, 0]), (0, [0, 6, 24, 0, 0])] {
        let rules = goofspiel(&format!("cards=5,lowest={lowest}"));
        let mut backward = Backward::new(&rules, Method::Plain, 1_000_000).unwrap();
        let mut mixed = [0; 5];
        visit(&rules, &mut |node| {
            if matches!(node.turn, Turn::Simultaneous(_)) {
                let matrix = backward.matrix(node.state).unwrap();
                mixed[node.depth as usize] += usize::from(matrix.saddle().is_none());
            }
            Go::Deeper
        });
        assert_eq!(mixed, expected, "lowest {lowest}");
    }
}

/// Equilibrium T-14: all methods agree; symmetric games are worth 0, and where the order of prizes is not
/// fixed, or the stakes are points, the sequence form has the same value.
#[test]
fn t_14_all_methods_agree() {
    for params in [
        "cards=4",
        "cards=5",
        "cards=5,lowest=1",
        "cards=6,lowest=1",
        "cards=4,prizes=random",
        "cards=4,lowest=1,reward=points",
        "cards=5,prizes=[1,3,0,4,2],reward=points",
    ] {
        let rules = goofspiel(params);
        for method in METHODS {
            let mut backward = Backward::new(&rules, method, 1_000_000).unwrap();
            let value = backward.value(&rules.start()).unwrap();
            assert!(value.abs() < 1e-9, "{params} {method:?}: {value}");
        }
    }
}

/// From every state of a game in the middle of which the players stand unequally.
#[test]
fn t_14_all_methods_agree_in_unequal_states() {
    for params in ["cards=4,lowest=1", "cards=4,prizes=random,reward=points"] {
        let rules = goofspiel(params);
        let mut solvers = METHODS.map(|method| Backward::new(&rules, method, 1_000_000).unwrap());
        let mut unequal = 0;
        visit(&rules, &mut |node| {
            let [plain, alpha_beta, oracle] = solvers.each_mut().map(|s| s.value(node.state).unwrap());
            assert!((plain - alpha_beta).abs() < 1e-9 && (plain - oracle).abs() < 1e-9, "{:?}", node.state);
            unequal += usize::from(plain.abs() > 1e-9 && node.turn != Turn::Terminal);
            Go::Deeper
        });
        assert!(unequal > 100, "{params}: {unequal}");
    }
}

/// The sequence form knows nothing of states, and gets the same.
#[test]
fn backward_induction_agrees_with_the_sequence_form() {
    for params in ["cards=3,prizes=random,lowest=1", "cards=4,lowest=1,reward=points"] {
        let rules = goofspiel(params);
        let value = Backward::new(&rules, Method::Plain, 100_000).unwrap().value(&rules.start()).unwrap();
        let other = solve_sequence_form(&compiled(&format!("goofspiel({params})"))).unwrap().value;
        assert!((value - other).abs() < 1e-7, "{params}: {value} {other}");
    }
}

#[test]
fn the_refinements_look_at_fewer_states() {
    let rules = goofspiel("cards=6,lowest=1");
    let states = METHODS.map(|method| {
        let mut backward = Backward::new(&rules, method, 1_000_000).unwrap();
        backward.value(&rules.start()).unwrap();
        backward.effort().states
    });
    assert!(states[1] < states[0] && states[2] <= states[1], "{states:?}");
}

#[test]
fn what_backward_induction_cannot_do_is_refused() {
    let refusal = |error: Result<Backward<'_, KuhnPoker>, _>| error.unwrap_err();
    assert_eq!(refusal(Backward::new(&KuhnPoker, Method::Plain, 10)), NotBackward::Hidden);
    let (about, spec) =
        About::find([&connect_four::ABOUT].into_iter(), "game", &"connect-four".parse().unwrap()).unwrap();
    let rules = ConnectFour::from_params(&about.params(&spec).unwrap()).unwrap();
    let mut backward = Backward::new(&rules, Method::Plain, 100).unwrap();
    assert_eq!(backward.value(&rules.start()), Err(NotBackward::TooLarge(100)));
}

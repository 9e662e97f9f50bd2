//! Matrix games, with the numbers of the specification's prototypes.

use fogtree_core::Player;
use fogtree_search::bandit::Ties;
use fogtree_search::sm_mcts::{Selection, Settings};

use crate::common::{averages, compiled, matrix_game, mcts, nash_conv, searched};

const DIAGONAL: &str = "[0,1;-1,0]";
const BIASED: &str = "[0,-0.5,1;0.5,0,-0.1;-1,0.1,0]";

/// DUCT with the constants of the source, which are for utilities in [-1, 1].
fn duct(c: f64, ties: Ties) -> Settings {
    let ties = match ties {
        Ties::Random(tau) => Ties::Random(tau / 2.0),
        ties => ties,
    };
    mcts(Selection::Duct { c: c / 2.0, ties })
}

#[test]
fn print_numbers() {
    let game = matrix_game(DIAGONAL);
    let tree = compiled(&*game);
    for ties in [Ties::First, Ties::Last, Ties::EXACT, Ties::LOOSE, Ties::Random(0.05)] {
        let v: Vec<_> = (0..20)
            .map(|seed| {
                let agent = searched(&game, duct(2.0, ties), seed, 20_000);
                (averages(&tree, &agent).at(&tree, Player(0), 0)[0], nash_conv(&tree, &agent))
            })
            .collect();
        println!("{ties:?} {} {v:?}", v.iter().map(|x| x.0).sum::<f64>() / 20.0);
    }
    let game = matrix_game(BIASED);
    let tree = compiled(&*game);
    for (c, ties) in [(2.0, Ties::EXACT), (2.0, Ties::LOOSE), (1.0, Ties::LOOSE), (0.5, Ties::LOOSE)] {
        for n in [10_000, 100_000] {
            let v: Vec<_> =
                (0..6).map(|seed| nash_conv(&tree, &searched(&game, duct(c, ties), seed, n))).collect();
            println!("{c} {ties:?} {n} {v:?}");
        }
    }
    for gamma in [0.1, 0.01] {
        for strip in [true, false] {
            use crate::common::played;
            use fogtree_search::sm_mcts::Propagate;
            let sel = Selection::Rm { gamma, unvisited: 0.5 };
            let s = if strip { mcts(sel) } else { played(sel, Propagate::Sample) };
            let v: Vec<_> = (0..6).map(|seed| nash_conv(&tree, &searched(&game, s, seed, 100_000))).collect();
            let g = matrix_game(DIAGONAL);
            let t = compiled(&*g);
            let w: Vec<_> = (0..6).map(|seed| nash_conv(&t, &searched(&g, s, seed, 100_000))).collect();
            println!("rm {gamma} strip {strip} biased {v:?} diagonal {w:?}");
        }
    }
}

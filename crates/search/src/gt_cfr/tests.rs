//! Trees that have grown completely against whole games, and both against the solvers of `fogtree-solve`.

use fogtree_core::{Erased, Playable};
use fogtree_games::goofspiel::{self, Goofspiel};
use fogtree_games::kuhn_poker::KuhnPoker;
use fogtree_games::liars_dice::{self, LiarsDice};
use fogtree_games::phantom_mnk::{self, Hidden, PhantomMnk};
use fogtree_games::poker::{self, Poker};
use fogtree_solve::cfr::{Cfr, Updates, Variant};
use fogtree_solve::{Compiled, Evaluation, Iterative};

use super::*;
use crate::testing::{Table, params, preset};

const LIMIT: usize = 1_000_000;

fn whole(game: &Arc<dyn Model>) -> WholeGame {
    WholeGame::walk(game, LIMIT, &Deadline::NEVER).unwrap()
}

/// A tree that grows as long as it can, without an iteration.
fn grown(game: &Arc<dyn Model>) -> Tree {
    let mut tree = Tree::new(game, Settings::default().tree);
    let mut rng = Seed(3).stream(Purpose::Sampling);
    while tree.can_grow() {
        tree.grow(&Deadline::NEVER, &mut rng);
    }
    assert!(tree.is_complete());
    tree
}

fn strategies(form: &Form) -> Vec<(u128, Player, Vec<f64>)> {
    let mut all = Vec::new();
    form.average_strategies(&mut |told| all.push((told.key.0, told.seat, told.strategy.to_vec())));
    all.sort_by_key(|told| told.0);
    all
}

fn assert_same(a: &Form, b: &Form, name: &str) {
    let (a, b) = (strategies(a), strategies(b));
    assert_eq!(a.len(), b.len(), "{name}");
    for (one, other) in a.iter().zip(&b) {
        assert_eq!((one.0, one.1), (other.0, other.1), "{name}");
        for (p, q) in one.2.iter().zip(&other.2) {
            assert!((p - q).abs() < 1e-6, "{name}: {one:?} {other:?}");
        }
    }
}

/// A grown tree and the whole game learn the same, and that is what `pcfr+` of the solvers learns, whose
/// sequence form is made and kept in another way.
fn check<G: Playable + Clone>(game: G, name: &str) {
    const ITERATIONS: u64 = 50;
    let compiled = Compiled::of(&game, LIMIT).unwrap();
    let mut solver = Cfr::new(&compiled, Variant::PredictivePlus, Updates::Alternating);
    let game = Erased::any(game);
    let (mut whole, mut tree) = (whole(&game), grown(&game));
    for _ in 0..ITERATIONS {
        whole.iterate();
        tree.form.iterate();
        solver.iterate();
    }
    assert_eq!(whole.form.leaves(), compiled.leaves(), "{name}");
    assert_eq!(tree.form.leaves(), compiled.leaves(), "{name}");
    assert_eq!(tree.len(), compiled.nodes().len(), "{name}");
    assert_same(&whole.form, &tree.form, name);
    let expected = Evaluation::of(&compiled, &solver.average());
    for form in [&whole.form, &tree.form] {
        let judged = form.judge(None);
        let close = |a: f64, b: f64| assert!((a - b).abs() < 1e-7, "{name}: {a} {b}");
        close(judged.value, (expected.values[0] - expected.values[1]) / 2.0);
        close(judged.exploitability, expected.exploitability());
    }
    let profile = solver.average();
    whole.average_strategies(&mut |told| {
        let set = compiled.treeplex(told.seat).find(told.key).unwrap();
        for (p, q) in told.strategy.iter().zip(profile.at(&compiled, told.seat, set)) {
            assert!((p - q).abs() < 1e-6, "{name}: {told:?}");
        }
    });
}

#[test]
fn a_grown_tree_is_the_whole_game() {
    check(KuhnPoker, "kuhn-poker");
    check(Poker::from_params(&preset(&poker::ABOUT, "leduc-poker")).unwrap(), "leduc-poker");
    check(LiarsDice::from_params(&params(&liars_dice::ABOUT, "faces=3")).unwrap(), "liars-dice");
    for text in ["cards=3,bids=hidden", "cards=3,bids=hidden,prizes=random"] {
        check(Goofspiel::from_params(&params(&goofspiel::ABOUT, text)).unwrap(), "goofspiel");
    }
}

/// The moves of the first player's three first decisions in Kuhn poker, weighted by how it plays, are
/// together worth what the game is worth.
#[test]
fn moves_are_worth_what_follows_from_average_play() {
    let game = Erased::any(KuhnPoker);
    let mut whole = whole(&game);
    (0..5000).for_each(|_| whole.iterate());
    let mut worths = Vec::new();
    for seed in 0..20 {
        let mut table = Table::start(&game);
        table.draw(&mut Seed(seed).stream(Purpose::Deal));
        let info = table.infoset(Player(0));
        let set = whole.form.find(info.seat, info.key).unwrap();
        let moves = whole.form.judge(Some((info.seat, set))).moves.unwrap();
        let strategy = whole.strategy(info.seat, info.key).unwrap();
        let worth: f64 = moves.iter().zip(&strategy).map(|(v, p)| v * p).sum();
        worths.push((info.key, worth));
    }
    worths.sort_by_key(|w| w.0);
    worths.dedup_by_key(|w| w.0);
    assert_eq!(worths.len(), 3);
    let mean = worths.iter().map(|w| w.1).sum::<f64>() / 3.0;
    assert!((mean + 1.0 / 18.0).abs() < 1e-3, "{worths:?}");
}

/// Aiming finds every history that agrees with what a seat did and saw: in phantom tic-tac-toe the second
/// player, who has not moved yet, knows that the first has taken one of the nine cells.
#[test]
fn aiming_lists_the_histories_of_a_decision() {
    let text = "m=3,n=3,k=3";
    let game = Erased::any(PhantomMnk::<Hidden>::from_params(&params(&phantom_mnk::ABOUT, text)).unwrap());
    let mut table = Table::start(&game);
    let first = table.infoset(Player(0)).legal[0];
    table.play(fogtree_core::WorldStep::Moves(&[(Player(0), first)]));
    let info = table.infoset(Player(1));
    let mut tree = Tree::new(&game, Settings::default().tree);
    let keys = KeyList::of_events(info.seat, &info.events);
    let mut rng = Seed(3).stream(Purpose::Sampling);
    assert!(tree.aim(info.seat, &keys, &Deadline::NEVER, &mut rng));
    assert_eq!(tree.goals(), 9);
    assert!(tree.form.knows(&info));
    assert_eq!(tree.len(), 1 + 9 + 9 * 9);
}

//! A search that has reserved its memory allocates nothing more, however long it goes on.

mod common;
#[path = "common/allocations.rs"]
mod counting;

use std::sync::Arc;

use common::{Table, params};
use counting::{assert_none_by_iterations, count};
use fogtree_core::{Agent, Budget, Deadline, Erased, InfoSet, Model, Playable, Purpose, Seed};
use fogtree_games::connect_four::{self, ConnectFour};
use fogtree_games::goofspiel::{self, Goofspiel};
use fogtree_games::kuhn_poker::KuhnPoker;
use fogtree_games::liars_dice::{self, LiarsDice};
use fogtree_games::mnk::{self, SmallMnk};
use fogtree_games::nim::{self, Nim};
use fogtree_games::othello::{self, Othello};
use fogtree_games::phantom_mnk::{self, Hidden, PhantomMnk};
use fogtree_games::poker::{self, Poker};
use fogtree_search::bandit::Ties;
use fogtree_search::gt_cfr::{self, GtCfr};
use fogtree_search::is_mcts::{self, IsMcts};
use fogtree_search::ismcts::{Config, Ismcts, Observers, Opponents};
use fogtree_search::sm_mcts::{Mcts, Method, Selection, Settings};
use fogtree_search::{
    Allocation, Division, FlatMc, Oos, Pimc, Random, SmMcts, Uct, UctSearch, Vote, WholeGame, oos,
};

/// The first choice after a deal.
fn first_choice(game: &Arc<dyn Model>) -> InfoSet {
    let mut table = Table::start(game);
    table.draw(&mut Seed(5).stream(Purpose::Deal));
    let who = table.world.turn().players().iter().next().unwrap();
    table.infoset(who)
}

fn check(game: &Arc<dyn Model>, name: &str, agent: &mut dyn Agent) {
    assert_none_by_iterations(agent, &first_choice(game), 100_000, &name);
}

/// What PIMC allocates is the report of each world, however long that was searched; a little more for moves that tie.
fn check_pimc(game: &Arc<dyn Model>, name: &str) {
    let info = first_choice(game);
    let count = |iterations| {
        let worlds = Division { determinizations: Some(10), iterations };
        let mut agent = Pimc::new(game, UctSearch::new(game, 0.7), worlds, Vote::SummedVisits);
        count(&mut agent, &info, &Budget::default());
        count(&mut agent, &info, &Budget::default())
    };
    let (few, many) = (count(10), count(10_000));
    assert!(many <= few && few < 150, "pimc at {name}: {few} and {many} allocations in a decision");
}

/// The families for games with hidden information.
fn check_hidden<G: Playable>(game: G, name: &str) {
    let game = &Erased::any(game);
    check(game, &format!("flat-mc at {name}"), &mut FlatMc::new(game, Allocation::Even));
    for observers in [Observers::Single, Observers::Partial, Observers::Multiple, Observers::Acting] {
        let config = Config { memory: 1 << 28, ..Config::new(observers) };
        check(game, &format!("{observers:?} at {name}"), &mut Ismcts::new(game, config));
        let informed = Config { opponents: Opponents::Informed { split: 16 }, ..config };
        check(game, &format!("{observers:?}, informed, at {name}"), &mut Ismcts::new(game, informed));
    }
    check_pimc(game, name);
    check(game, &format!("oos at {name}"), &mut Oos::new(game, oos::Settings::default()));
    check(game, &format!("is-mcts at {name}"), &mut IsMcts::new(game, is_mcts::Settings::default()));
}

#[test]
fn iterations_do_not_allocate_in_leduc_poker() {
    let text = "types=3,copies=2,bets=1,raises=1,suits=yes";
    check_hidden(Poker::from_params(&params(&poker::ABOUT, text)).unwrap(), "leduc-poker");
}

#[test]
fn iterations_do_not_allocate_in_phantom_tic_tac_toe() {
    check_hidden(PhantomMnk::<Hidden>::from_params(&params(&phantom_mnk::ABOUT, "")).unwrap(), "phantom-mnk");
}

#[test]
fn iterations_do_not_allocate_in_goofspiel() {
    let text = "cards=6,bids=hidden,prizes=random";
    check_hidden(Goofspiel::from_params(&params(&goofspiel::ABOUT, text)).unwrap(), "goofspiel");
}

#[test]
fn iterations_do_not_allocate_in_liars_dice() {
    check_hidden(LiarsDice::from_params(&params(&liars_dice::ABOUT, "")).unwrap(), "liars-dice");
}

#[test]
fn iterations_do_not_allocate_in_kuhn_poker() {
    check_hidden(KuhnPoker, "kuhn-poker");
}

#[test]
fn iterations_of_uct_do_not_allocate() {
    fn check_uct<G: Playable>(game: G, name: &str) {
        let game = &Erased::any(game);
        check(game, &format!("uct at {name}"), &mut Uct::new(game, UctSearch::new(game, 0.7)));
    }
    check_uct(ConnectFour::from_params(&params(&connect_four::ABOUT, "")).unwrap(), "connect-four");
    check_uct(Othello::from_params(&params(&othello::ABOUT, "")).unwrap(), "othello");
    check_uct(SmallMnk::from_params(&params(&mnk::ABOUT, "")).unwrap(), "mnk");
    check_uct(Nim::from_params(&params(&nim::ABOUT, "")).unwrap(), "nim");
}

#[test]
fn iterations_of_simultaneous_search_do_not_allocate() {
    let duct = Selection::Duct { c: Settings::C, ties: Ties::Random(Settings::TAU) };
    let exp3 = Selection::Exp3 { gamma: 0.1 };
    let drm = Selection::Drm { gamma: 0.1 };
    for (text, selections) in [("cards=6", &[Settings::RM, exp3, duct][..]), ("prizes=random", &[drm])] {
        let game = &Erased::any(Goofspiel::from_params(&params(&goofspiel::ABOUT, text)).unwrap());
        for &selection in selections {
            let settings = Settings::of(Method::Mcts(Mcts::new(selection)));
            check(game, &format!("{selection:?} at goofspiel({text})"), &mut SmMcts::new(game, settings));
        }
    }
    let oos = Settings::of(Method::Oos(Settings::OOS));
    let open = &Erased::any(Goofspiel::from_params(&params(&goofspiel::ABOUT, "cards=6")).unwrap());
    check(open, "sm-oos at goofspiel", &mut SmMcts::new(open, oos));
    let othello = &Erased::any(Othello::from_params(&params(&othello::ABOUT, "")).unwrap());
    check(othello, "sm-oos at othello", &mut SmMcts::new(othello, oos));
}

/// A game that is walked, and a tree that has grown completely: more iterations allocate nothing more.
#[test]
fn iterations_of_gt_cfr_do_not_allocate() {
    let game: &Arc<dyn Model> = &Erased::any(KuhnPoker);
    let mut whole = WholeGame::walk(game, 1000, &Deadline::NEVER).unwrap();
    let measured = allocation_counter::measure(|| (0..1000).for_each(|_| whole.iterate()));
    assert_eq!(measured.count_total, 0);
    let settings = gt_cfr::Settings { whole: 0.0, ..gt_cfr::Settings::default() };
    let mut agent = GtCfr::new(game, settings, Box::new(Random::default()));
    let info = first_choice(game);
    let mut count = |n| count(&mut agent, &info, &Budget::iterations(n));
    count(100);
    assert_eq!(count(100), count(20_000));
}

//! `gdl/R12`: whole matches over HTTP are worded as the source has them (spec 2.3).

mod common;

use common::{Deed, Rogue, options, remote, serve, sheet};
use fogtree_core::Seed;
use fogtree_gdl::Sheet;
use fogtree_serve::legal::Choice::First;
use fogtree_serve::manager::{Match, Options};
use fogtree_serve::message::{Dialect, one_line};
use fogtree_serve::record::Record;

/// The stretch of Meier that the source shows, in its words: what was rolled is settled.
const MEIER: &str = "
    (role random) (role p1) (role p2) (seat p1) (seat p2)
    (init (step 1)) (succ 1 2) (succ 2 3) (succ 3 4)
    (<= (next (step ?m)) (true (step ?n)) (succ ?n ?m))
    (<= (legal random (roll 1 3)) (true (step 1)))
    (<= (legal random noop) (not (true (step 1))))
    (<= (legal p1 (claim 3 1)) (true (step 2)))
    (<= (legal p1 noop) (not (true (step 2))))
    (<= (legal p2 you_bluff) (true (step 3)))
    (<= (legal p2 noop) (not (true (step 3))))
    (<= (sees p1 (my_dice ?x ?y)) (does random (roll ?x ?y)))
    (<= (sees ?p (does ?q ?m)) (seat ?p) (seat ?q) (does ?q ?m))
    (<= terminal (true (step 4)))
    (goal random 100) (goal p1 100) (goal p2 0)";

/// A match of players that make their first legal move, and what the one in this seat heard and answered after START.
fn exchange(sheet: &Sheet, seat: usize, dialect: Dialect, options: Options) -> (Record, Vec<String>) {
    let listener = Rogue::new(|_, _| Deed::Answer);
    let other = serve(First, 1);
    let mut players = vec![remote(other.address(), dialect)];
    players.insert(seat, remote(listener.address, dialect));
    let id = options.id.clone();
    let record = Match::new(sheet, players, options).unwrap().play(|_| ());
    assert_eq!(record.errors(), [0, 0, 0]);
    let role = 1 + seat;
    let said = listener.wording();
    assert_eq!(said[0].to_uppercase(), start(&id, &record.roles[role], sheet).to_uppercase());
    let moves = record.steps.iter().map(|step| step.answers[role].as_ref().unwrap());
    let replies = moves.chain(record.stop[role].as_ref()).map(|answer| &answer.reply);
    assert_eq!(record.start[role].as_ref().unwrap().reply, "READY");
    let told = said[1..].iter().zip(replies).map(|(said, reply)| format!("{said} -> {reply}").to_uppercase());
    let told: Vec<String> = told.collect();
    assert_eq!(told.len(), said.len() - 1);
    (record, told)
}

fn start(id: &str, role: &str, sheet: &Sheet) -> String {
    format!("(START {id} {role} ({}) 30 30)", one_line(sheet))
}

/// A match in which the second player is dealt the queen.
fn card_game(dialect: Dialect) -> Vec<String> {
    let sheet = sheet("all-in-or-fold");
    let matches = (1..100).map(|seed| {
        let options = Options { seed: Seed(seed), ..options("scg1") };
        exchange(&sheet, 1, dialect, options)
    });
    let mut dealt = matches.filter(|(record, _)| record.steps[0].moves[0].ends_with("queen)"));
    dealt.next().expect("one deal in three").1
}

#[test]
fn the_card_game_is_worded_as_in_the_source() {
    assert_eq!(
        card_game(Dialect::A),
        [
            "(PLAY SCG1 NIL) -> NOOP",
            "(PLAY SCG1 (QUEEN)) -> NOOP",
            "(PLAY SCG1 (YOURTURN)) -> ALLIN",
            "(STOP SCG1 ()) -> DONE",
        ]
    );
    assert_eq!(
        card_game(Dialect::B),
        [
            "(PLAY SCG1 0 NIL NIL) -> NOOP",
            "(PLAY SCG1 1 NOOP (QUEEN)) -> NOOP",
            "(PLAY SCG1 2 NOOP (YOURTURN)) -> ALLIN",
            "(STOP SCG1 3 ALLIN ()) -> DONE",
        ]
    );
}

/// Percepts are a set: our manager sorts them, where the source's had the dice first.
#[test]
fn meier_is_worded_as_in_the_source() {
    let sheet = Sheet::read(MEIER).unwrap();
    let exchange = |dialect| exchange(&sheet, 0, dialect, options("meierid1")).1;
    assert_eq!(
        exchange(Dialect::A),
        [
            "(PLAY MEIERID1 NIL) -> NOOP",
            "(PLAY MEIERID1 ((DOES P1 NOOP) (DOES P2 NOOP) (MY_DICE 1 3))) -> (CLAIM 3 1)",
            "(PLAY MEIERID1 ((DOES P1 (CLAIM 3 1)) (DOES P2 NOOP))) -> NOOP",
            "(STOP MEIERID1 ((DOES P1 NOOP) (DOES P2 YOU_BLUFF))) -> DONE",
        ]
    );
    assert_eq!(
        exchange(Dialect::B),
        [
            "(PLAY MEIERID1 0 NIL NIL) -> NOOP",
            "(PLAY MEIERID1 1 NOOP ((DOES P1 NOOP) (DOES P2 NOOP) (MY_DICE 1 3))) -> (CLAIM 3 1)",
            "(PLAY MEIERID1 2 (CLAIM 3 1) ((DOES P1 (CLAIM 3 1)) (DOES P2 NOOP))) -> NOOP",
            "(STOP MEIERID1 3 NOOP ((DOES P1 NOOP) (DOES P2 YOU_BLUFF))) -> DONE",
        ]
    );
}

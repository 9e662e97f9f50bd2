//! Who did what with what result, as a seat is told of it.

use fogtree_core::{Observer, Player, text};
use fogtree_table::{AnyTable, Registry};

/// A table after these words, of which the last make the last step.
fn after(game: &str, words: &str) -> Box<dyn AnyTable> {
    let mut table = Registry::standard().game(game).unwrap().table();
    table.play_words(&words.split_whitespace().collect::<Vec<_>>()).unwrap();
    table
}

fn told(table: &dyn AnyTable, seat: u8) -> String {
    text::plain(&table.told(Observer::Seat(Player(seat))).unwrap_or_default())
}

#[test]
fn players_are_named_and_tricks_are_taken() {
    let deal = "33344667788999TTQK2R/4555566778TJJKAA2/3489TJJQQQKKAA22B/";
    assert_eq!(told(&*after("dou-di-zhu", &format!("{deal} Q")), 1), "player 0 plays Q");
    let passes = after("dou-di-zhu", &format!("{deal} Q pass pass"));
    assert_eq!(told(&*passes, 0), "player 2 passes; you lead to a new round");

    let deal = "7C9C2D9DKDAD5H6H8STSJSQSKS/8CKC3D5D6D7D3HTHKHAH3S4S9S/\
                3C4C5CTCJCTD4H7H8H9HJH6S7S/2C6CQCAC4D8DJDQD2HQH2S5SAS";
    let trick = after("hearts(pass=0)", &format!("{deal} 2C 7C KC 3C"));
    assert_eq!(told(&*trick, 0), "player 2 plays 3C; player 1 takes the trick");
    assert_eq!(told(&*trick, 1), "player 2 plays 3C; you take the trick");
    assert_eq!(told(&*trick, 2), "player 1 takes the trick");
}

/// Strengths, cards and who falls; or who retreats.
#[test]
fn combats_are_told_with_their_result() {
    let words = "light/gandalf/legolas/gimli/boromir/aragorn dark/orcs/cave-troll/warg/saruman/shelob \
                 balrog/mordor/dagorlad sam/shire/arthedain black-rider/mordor/enedwaith aragorn";
    let combat = |cards: &str| told(&*after("lotr-confrontation", &format!("{words} {cards}")), 0);
    assert_eq!(combat("2 1"), "dark plays 1; aragorn 4 + 2 against black-rider 3 + 1; black-rider falls");
    assert_eq!(combat("1 5"), "dark plays 5; aragorn 4 + 1 against black-rider 3 + 5; aragorn falls");
    assert_eq!(combat("retreat 1"), "dark plays 1; light retreats to cardolan");
}

/// The spy runs into a bomb, and falls.
#[test]
fn who_falls_is_said() {
    use fogtree_core::Observation;
    let stratego = Registry::standard().game("stratego").unwrap();
    let [spy, bomb, marshal] = [1, 12, 11];
    let attack = |attacker: u64, defender: u64| {
        let seen = Observation::word(1 << 32 | 30 << 24 | 40 << 16 | attacker << 8 | defender);
        stratego.model().explain(&seen, Observer::Seat(Player(0)))
    };
    for (attacker, defender) in [(spy, bomb), (spy, marshal), (marshal, spy), (spy, spy)] {
        let told = attack(attacker, defender);
        assert!(told.ends_with(" falls") || told.ends_with("both fall"), "{told}");
    }
}

#[test]
fn votes_are_told_and_stay_in_view() {
    let vote = after("resistance", "spies-1-4 leader-0 team-0-1 approve reject approve approve reject");
    let line =
        "the team of players 0, 1: for the team: players 0, 2, 3; against it: players 1, 4; the team goes";
    assert_eq!(told(&*vote, 3), line);
    for seat in [0, 3] {
        let view = text::plain(&vote.view(Observer::Seat(Player(seat))));
        assert!(view.contains("mission 1: 0 proposes 0 1: for 0 2 3, against 1 4"), "{view}");
    }
    let mut mission = vote;
    mission.play_words(&["success", "sabotage"]).unwrap();
    assert_eq!(told(&*mission, 3), "mission 1 of players 0, 1 fails: it shows 1 sabotage");
}

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

#[test]
fn bids_are_told_with_who_wins_them() {
    let bids = after("goofspiel(cards=3,prizes=descending,lowest=1)", "3 2");
    assert_eq!(told(&*bids, 0), "the other bids 2; you win the prize 3");
    assert_eq!(told(&*bids, 1), "the other bids 3; player 0 wins the prize 3");
    let public = text::plain(&bids.told(Observer::Public).unwrap());
    assert_eq!(public, "player 0 bids 3, then player 1 bids 2; player 0 wins the prize 3");
    let equal = after("goofspiel(cards=3,prizes=descending,lowest=1)", "3 3");
    assert_eq!(told(&*equal, 0), "the other bids 3; the bids are equal and nobody wins the prize 3");
    let last = after("goofspiel(cards=3,prizes=descending,lowest=1,last=automatic)", "3 2 1 3");
    let end = "the other bids 3; player 1 wins the prize 2; the last bids are 2 and 1; you win the prize 1";
    assert_eq!(told(&*last, 0), end);
    let hidden = after("goofspiel(cards=3,prizes=descending,lowest=1,bids=hidden)", "3 2");
    assert_eq!(told(&*hidden, 1), "player 0 wins the bid");

    let pushed = after("oshi-zumo(coins=10,size=1)", "3 1");
    assert_eq!(
        told(&*pushed, 0),
        "the other bids 1; you win the bid and the wrestler moves towards player 1"
    );
    let out = after("oshi-zumo(coins=10,size=1)", "3 1 2 1");
    let end = "the other bids 2; player 0 wins the bid and the wrestler moves towards you, out of the ring";
    assert_eq!(told(&*out, 1), end);
    let stays = after("oshi-zumo(coins=10,size=1)", "3 3");
    assert_eq!(told(&*stays, 1), "the other bids 3; the bids are equal and the wrestler stays");
}

#[test]
fn rounds_are_told_with_their_damage() {
    let cards = "urban-rivals(first=[8:2,6:4,5:5,7:3],second=[8:2,7:3,4:6,6:4])";
    let round = after(cards, "1+0 2+1");
    let result = "the round with an attack of 14 to 8; 3 damage leaves";
    assert_eq!(told(&*round, 0), format!("the other plays 2+1; player 1 wins {result} you a life of 9"));
    assert_eq!(told(&*round, 1), format!("the other plays 1+0; you win {result} player 0 a life of 9"));
    let fury = told(&*after(cards, "1+1! 3+2"), 0);
    assert!(
        fury.ends_with("you win the round with an attack of 16 to 12; 4 damage leaves player 1 a life of 8"),
        "{fury}"
    );
}

/// Nobody's cards are shown after a fold.
#[test]
fn hands_are_laid_open_where_the_rules_have_it() {
    let showdown = after("kuhn-poker", "K J bet call");
    assert_eq!(told(&*showdown, 0), "the other calls; you show K, player 1 shows J; you win the pot of 4");
    assert_eq!(told(&*showdown, 1), "player 0 shows K, you show J; player 0 wins the pot of 4");
    let fold = after("kuhn-poker", "K J bet fold");
    assert_eq!(told(&*fold, 0), "the other folds; you win the pot of 3");
    assert_eq!(told(&*after("kuhn-poker", "K J bet"), 1), "the other bets");

    let pair = after("leduc-poker", "J1 Q1 check check J2 check check");
    assert_eq!(told(&*pair, 0), "player 1 checks; you show J1, player 1 shows Q1; you win the pot of 2");
    let split = after("leduc-poker", "J1 J2 check check Q1 check check");
    assert_eq!(told(&*split, 1), "player 0 shows J1, you show J2; the pot of 2 is split");
    let fold = after("leduc-poker", "J1 Q1 bet2 fold");
    assert_eq!(told(&*fold, 0), "player 1 folds; you win the pot of 4");

    let lie = after("liars-dice", "2 3 2-3 liar");
    let end = "player 0 shows 2, you show 3; 1 count for the bid 2-3, which does not hold; player 0 loses";
    assert_eq!(told(&*lie, 1), end);
    let truth = after("liars-coins", "1 2 3 liar");
    let end = "player 1 says liar; you show 1 heads, player 1 shows 2 heads; 3 count for the bid 3, which holds; player 1 loses";
    assert_eq!(told(&*truth, 0), end);
}

/// Fights in the fog: units are named by letter and number whether they are seen, hit or gone.
#[test]
fn losses_in_the_fog_name_the_unit() {
    use fogtree_core::{Purpose, Seed};
    let registry = Registry::standard();
    let (mut lost, mut rng) = (0, Seed(5).stream(Purpose::Deal));
    for _ in 0..4 {
        let mut table = registry.game("tubstap").unwrap().table();
        while !table.turn().players().is_empty() || table.rewards().is_none() {
            if table.turn().players().is_empty() {
                table.draw(&mut rng);
            } else {
                let choices: Vec<_> =
                    table.turn().players().iter().map(|p| (p, *rng.pick(&table.moves(p)))).collect();
                table.choose(&choices).unwrap();
            }
            for seat in 0..2 {
                for part in told(&*table, seat).split("; ") {
                    let named = part.trim_start_matches("your ");
                    let named = named.trim_start_matches("red ").trim_start_matches("blue ");
                    if part.ends_with(" is destroyed") || part.contains(" HP left") {
                        lost += 1;
                        assert!(named.starts_with(|c: char| c.is_ascii_uppercase()), "{part}");
                    }
                }
            }
        }
    }
    assert!(lost > 0);
}

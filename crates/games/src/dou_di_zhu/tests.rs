//! Dou Di Zhu against a second move generator, the numbers of the source, and its own history.

use std::collections::{BTreeSet, HashSet};

use fogtree_core::{Ply, Purpose, Seed, play};

use super::kickers::spread;
use super::*;

fn game(text: &str) -> DouDiZhu {
    DouDiZhu::from_params(&crate::testing::params(&ABOUT, text).unwrap()).unwrap()
}

fn cards(text: &str) -> Cards {
    Cards::parse(text, LETTERS).unwrap()
}

fn group(name: &str) -> Group {
    Group::parse(name).unwrap_or_else(|| panic!("{name} is no group"))
}

/// The first player is to move with this hand.
fn to_move(hand: Cards, top: Group) -> State {
    State { hands: [hand, cards("3"), cards("3")], top, phase: Phase::Play, ..game("").start() }
}

fn actions(game: &DouDiZhu, s: &State) -> Vec<Action> {
    let mut out = Vec::new();
    game.actions(s, s.mover, &mut out);
    out
}

fn names(game: &DouDiZhu, s: &State) -> String {
    crate::testing::legal(game, s).join(" ")
}

/// What a set of cards is when it is played: written down from Table 4.1 of the source and `ismcts/4.1`, with
/// no regard to how the game finds its moves.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
struct Shape {
    name: &'static str,
    length: usize,
    rank: usize,
}

fn classify(cards: Cards) -> Option<Shape> {
    let of = |n: u32| (0..15).filter(|&r| cards.count(r as u32) == n).collect::<Vec<usize>>();
    let [ones, twos, threes, fours] = [of(1), of(2), of(3), of(4)];
    let is_run = |ranks: &[usize], shortest: usize| {
        let in_a_row = ranks.windows(2).all(|w| w[1] == w[0] + 1) && ranks.iter().all(|&r| r < 12);
        ranks.len() == 1 || (ranks.len() >= shortest && in_a_row)
    };
    let shape = |name, ranks: &[usize]| Some(Shape { name, length: ranks.len(), rank: ranks[0] });
    match [ones.len(), twos.len(), threes.len(), fours.len()] {
        [2, 0, 0, 0] if ones == [13, 14] => shape("nuke", &ones),
        [0, 0, 0, 1] => shape("bomb", &fours),
        [2, 0, 0, 1] => shape("quad and solos", &fours),
        [0, 2, 0, 1] => shape("quad and pairs", &fours),
        [0, 0, n, 0] if n > 0 && is_run(&threes, 2) => shape("trio", &threes),
        [k, 0, n, 0] if n > 0 && k == n && is_run(&threes, 2) => shape("trio and solos", &threes),
        [0, k, n, 0] if n > 0 && k == n && is_run(&threes, 2) => shape("trio and pairs", &threes),
        [0, n, 0, 0] if n > 0 && is_run(&twos, 3) => shape("pair", &twos),
        [n, 0, 0, 0] if n > 0 && is_run(&ones, 5) => shape("solo", &ones),
        _ => None,
    }
}

fn beats(shape: Shape, top: Shape) -> bool {
    match (shape.name, top.name) {
        (_, "nuke") => false,
        ("nuke", _) => true,
        ("bomb", "bomb") => shape.rank > top.rank,
        ("bomb", _) => true,
        (a, b) => a == b && shape.length == top.length && shape.rank > top.rank,
    }
}

/// Every set of cards in a hand.
fn subsets(hand: Cards) -> Vec<Cards> {
    let mut all = vec![Cards::NONE];
    for rank in 0..15 {
        let more = |c: Cards| (0..=hand.count(rank)).map(move |n| c.with(Cards::of(rank, n)));
        all = all.into_iter().flat_map(more).collect();
    }
    all
}

/// What the player to move may lay on the table, kickers included.
fn plays(game: &DouDiZhu, s: &State) -> Vec<Cards> {
    let mut plays = Vec::new();
    for action in actions(game, s) {
        let Action::Play(group) = action else { continue };
        let mut after = *s;
        game.apply(&mut after, Step::Moves(&[(s.mover, action)]));
        if after.phase == Phase::Kickers {
            plays.extend(actions(game, &after).into_iter().map(|k| group.cards().with(k.kickers())));
        } else {
            plays.push(group.cards());
        }
    }
    plays
}

#[test]
fn moves_are_those_of_a_slow_generator() {
    let game = game("");
    let mut rng = Seed(5).stream(Purpose::Deal);
    for i in 0..60 {
        let hand = game.deck.draw([5, 9, 13, 17, 20][i % 5], &mut rng);
        let possible: Vec<(Cards, Shape)> =
            subsets(hand).into_iter().filter_map(|c| Some((c, classify(c)?))).collect();
        let listed = plays(&game, &to_move(hand, Group::NONE));
        let found: BTreeSet<Cards> = listed.iter().copied().collect();
        assert_eq!(found.len(), listed.len(), "{} has a play twice", hand.text(LETTERS));
        assert_eq!(found, possible.iter().map(|p| p.0).collect(), "{}", hand.text(LETTERS));
        for top in Group::all() {
            // The kickers of the group to beat do not matter: take the lowest.
            let ranks = spread(u16::MAX >> 1) & !top.cards().at_least(1);
            let mut kickers = Cards::NONE;
            for rank in (0..15).filter(|r| ranks >> (4 * r) & 1 == 1).take(top.kickers() as usize) {
                kickers = kickers.with(Cards::of(rank, top.kicker_width()));
            }
            let shape = classify(top.cards().with(kickers)).expect("a group is a play");
            let answers: BTreeSet<Cards> = plays(&game, &to_move(hand, top)).into_iter().collect();
            let expected = possible.iter().filter(|p| beats(p.1, shape)).map(|p| p.0).collect();
            assert_eq!(answers, expected, "{} on {}", hand.text(LETTERS), top.name());
        }
    }
}

/// Every legal group comes equally often, in playouts and at decisions, as does passing.
#[test]
fn random_groups_are_drawn_evenly() {
    let game = game("");
    let mut rng = Seed(6).stream(Purpose::Playout);
    let mut scratch = Scratch::default();
    let tops = ["3", "44", "333+x", "34567", "3333", "334455"].map(group);
    for (i, top) in [Group::NONE; 6].into_iter().chain(tops).cycle().take(36).enumerate() {
        let s = to_move(game.deck.draw(20 - i as u32 % 3, &mut rng), top);
        let legal = actions(&game, &s);
        const EACH: f64 = 400.0;
        let mut drawn = vec![0.0; legal.len()];
        for _ in 0..legal.len() * EACH as usize {
            let action = game.random_action(&s, s.mover, &mut rng, &mut scratch);
            drawn[legal.binary_search(&action).expect("what is drawn is legal")] += 1.0;
        }
        let farthest = drawn.iter().map(|n| (n - EACH).abs()).fold(0.0, f64::max);
        assert!(farthest < 5.5 * EACH.sqrt(), "{}: {drawn:?}", names(&game, &s));
    }
}

/// All the leads of a hand, as the cards played.
fn leads(hand: Cards, mut each: impl FnMut(Cards)) {
    each_lead(hand, |group| match group.kickers() {
        0 => each(group.cards()),
        n => {
            let ranks = gather(group.kicker_ranks(hand.without(group.cards())));
            let kickers = Action::kickers_of(group);
            each_subset(ranks, n, |set| each(group.cards().with(kickers(set).kickers())));
        }
    });
}

/// `ismcts/E15` (Table 5.3): the leads of both peasants together are 87.7 in a deal, 43.8 each; 87.8 in the
/// worlds that the landlord imagines, of which 40, 250 and 1000 have 754, 1230 and 1500 different ones, all
/// within 2 %.
#[test]
fn peasants_have_as_many_leads_as_in_the_source() {
    let game = game("");
    let mut rng = Seed(8).stream(Purpose::Deal);
    let deal = |rng: &mut Rng| {
        let mut s = game.start();
        let deal = game.sample_chance(&s, rng);
        game.apply(&mut s, Step::Chance(&deal));
        s
    };
    let near = |what: &str, got: f64, expected: f64| {
        println!("{what}: {got:.1}, in the source {expected}");
        assert!((got / expected - 1.0).abs() < 0.02, "{what}: {got} is not {expected}");
    };

    const DEALS: u32 = 10_000;
    let mut total = 0.0;
    for _ in 0..DEALS {
        let s = deal(&mut rng);
        s.hands[1..].iter().for_each(|&hand| leads(hand, |_| total += 1.0));
    }
    near("leads in a deal", total / f64::from(DEALS), 87.7);

    const SAMPLED: u32 = 600;
    let (mut all, mut distinct) = (0.0, [0.0; 3]);
    for _ in 0..SAMPLED {
        let s = deal(&mut rng);
        let mut sampler = game.sampler(&game.info(&s, Observer::Seat(Player(0))));
        let mut seen = [HashSet::new(), HashSet::new()];
        let mut world = s;
        for n in 1..=1000 {
            game.sample(&mut sampler, &mut rng, &mut world);
            for (hand, seen) in world.hands[1..].iter().zip(&mut seen) {
                leads(*hand, |cards| {
                    all += 1.0;
                    seen.insert(cards);
                });
            }
            if let Some(i) = [40, 250, 1000].iter().position(|&at| at == n) {
                distinct[i] += seen.iter().map(HashSet::len).sum::<usize>() as f64;
            }
        }
    }
    let deals = f64::from(SAMPLED);
    near("leads in a determinization", all / deals / 1000.0, 87.8);
    for (i, expected) in [754.0, 1230.0, 1500.0].into_iter().enumerate() {
        near(["distinct of 40", "of 250", "of 1000"][i], distinct[i] / deals, expected);
    }
}

/// Draws worlds at random positions of random games and plays the same moves again from the deal each world
/// comes from: every one must be legal, and the game arrive in that world.
fn replay_worlds(text: &str, worlds: u32) {
    let game = game(text);
    let mut rng = Seed(3).named(text).stream(Purpose::Deal);
    let mut scratch = Scratch::default();
    let mut drawn = 0;
    while drawn < worlds {
        let mut line: Vec<Ply<DouDiZhu>> = Vec::new();
        let mut s = game.start();
        while game.turn(&s) != Turn::Terminal {
            let ply = match game.turn(&s) {
                Turn::Player(p) => Ply::Moves(vec![(p, game.random_action(&s, p, &mut rng, &mut scratch))]),
                _ => Ply::Chance(game.sample_chance(&s, &mut rng)),
            };
            game.apply(&mut s, ply.step());
            line.push(ply);
            if !rng.below(12).is_multiple_of(12) {
                continue;
            }
            for by in Observer::all(PLAYERS) {
                let mut sampler = game.sampler(&game.info(&s, by));
                let mut world = s;
                for _ in 0..5 {
                    assert!(game.sample(&mut sampler, &mut rng, &mut world) > 0.0);
                    replay(&game, &line, &world, &mut rng);
                    drawn += 1;
                }
            }
        }
    }
}

fn replay(game: &DouDiZhu, line: &[Ply<DouDiZhu>], world: &State, rng: &mut Rng) {
    let mut hands: [Cards; 3] = std::array::from_fn(|i| world.hands[i].with(world.played[i]));
    let mut extra = world.extra;
    let taken = !matches!(world.phase, Phase::Bidding(..));
    if game.is_extra_apart() && taken {
        // Which three they were can only be told where they were shown.
        let landlord = &mut hands[world.landlord.index()];
        if !game.shown {
            extra = landlord.draw(game.extra, rng);
        }
        *landlord = landlord.without(extra);
    }
    let deal = Deal { hands, extra };
    let mut s = game.start();
    play(game, &mut s, Step::Chance(&deal)).expect("the world comes from a deal");
    for ply in &line[1..] {
        play(game, &mut s, ply.step()).expect("what was played can be played again");
    }
    assert_eq!(s, *world);
}

const REPLAYED: [&str; 5] = ["", "worlds=shuffle", "extra=shown", "bidding=yes", "bidding=yes,extra=shown"];

#[test]
fn worlds_replay_what_was_played() {
    REPLAYED.iter().for_each(|text| replay_worlds(text, 10_000));
}

#[test]
fn many_worlds_replay_what_was_played() {
    REPLAYED.iter().for_each(|text| replay_worlds(text, 100_000));
}

#[test]
fn names_and_codes_stand_for_one_action_each() {
    let game = game("");
    let sets = (1..1 << 15).flat_map(|set| [Action::Solos(set), Action::Pairs(set)]);
    let all = [Action::PASS, Action::Bid(1), Action::Bid(2), Action::Bid(3)];
    let all: Vec<Action> = all
        .into_iter()
        .chain(Group::all().map(Action::Play))
        .chain(sets.filter(|a| a.are_kickers()))
        .collect();
    let codes: BTreeSet<u64> = all.iter().map(|&a| game.code(a)).collect();
    assert_eq!(codes, (0..game.codes().unwrap() as u64).collect());
    assert_eq!(codes.len(), all.len());
    for &action in &all {
        assert_eq!(game.parse_action(&game.action_name(action)), Some(action));
    }
    for name in
        ["", "+", "+BB", "+3344556677", "+345678", "3+x", "333+", "333+xxx", "34", "bid4", "33x", "2B"]
    {
        assert_eq!(game.parse_action(name), None, "{name}");
    }
}

#[test]
fn kickers_differ_from_the_group_and_from_each_other() {
    let game = game("");
    let mut s = to_move(cards("333344455BR"), Group::NONE);
    let leads =
        "3 4 5 B R 33 44 55 334455 333 444 333444 333+x 444+x 333444+xx 333+xx 444+xx 3333+xx 3333+xxxx";
    assert_eq!(names(&game, &s), format!("{leads} 3333 BR"));
    game.apply(&mut s, Step::Moves(&[(Player(0), Action::Play(group("333444+xx")))]));
    assert_eq!((s.mover, s.phase), (Player(0), Phase::Kickers));
    assert_eq!(names(&game, &s), "+5B +5R +BR");
    game.apply(&mut s, Step::Moves(&[(Player(0), game.parse_action("+BR").unwrap())]));
    assert_eq!((s.mover, s.hands[0], s.top), (Player(1), cards("355"), group("333444+xx")));
}

#[test]
fn only_bombs_and_the_nuke_beat_another_kind() {
    let game = game("");
    let hand = cards("334444556666BR");
    for (top, answers) in [
        ("5", "pass 6 B R 4444 6666 BR"),
        ("2", "pass B R 4444 6666 BR"),
        ("33", "pass 44 55 66 4444 6666 BR"),
        ("333+x", "pass 444+x 666+x 4444 6666 BR"),
        ("333444+xx", "pass 4444 6666 BR"),
        ("3333", "pass 4444 6666 BR"),
        ("5555", "pass 6666 BR"),
        ("3333+xxxx", "pass 4444+xxxx 6666+xxxx 4444 6666 BR"),
        ("BR", "pass"),
    ] {
        assert_eq!(names(&game, &to_move(hand, group(top))), answers, "on {top}");
    }
}

#[test]
fn two_passes_give_the_lead_away_and_an_empty_hand_ends_the_game() {
    let game = game("");
    let start = State { hands: [cards("34"), cards("5"), cards("6")], ..to_move(Cards::NONE, Group::NONE) };
    let act = |s: &mut State, name: &str| {
        let label = game.episode(s);
        let step = [(s.mover, game.parse_action(name).unwrap())];
        play(&game, s, Step::Moves(&step)).unwrap();
        label
    };
    let mut s = start;
    assert_eq!(["3", "pass", "6"].map(|name| act(&mut s, name)), [Some(0), None, None]);
    assert_eq!(game.turn(&s), Turn::Terminal);
    assert_eq!(game.rewards(&s).as_slice(), [0.0, 1.0, 1.0]);
    let mut s = start;
    assert_eq!(["3", "pass", "pass", "4"].map(|name| act(&mut s, name)), [Some(0), None, None, Some(0)]);
    assert_eq!(game.rewards(&s).as_slice(), [1.0, 0.0, 0.0]);
    let roles = [0, 1, 2].map(|p| game.role(&s, Player(p)));
    assert_eq!(roles, ["landlord", "peasants", "peasants"]);
}

#[test]
fn the_highest_bidder_takes_the_extra_cards() {
    let game = game("bidding=yes");
    let mut rng = Seed(4).stream(Purpose::Deal);
    let deal = game.sample_chance(&game.start(), &mut rng);
    assert_eq!(deal.extra.len(), 3);
    for (bids, landlord) in [
        ("pass pass pass", 0),
        ("bid3", 0),
        ("pass bid3", 1),
        ("bid1 bid2 bid3", 2),
        ("bid2 pass pass", 0),
        ("bid1 bid2 pass", 1),
    ] {
        let mut s = game.start();
        game.apply(&mut s, Step::Chance(&deal));
        for bid in bids.split(' ') {
            assert_eq!(game.role(&s, Player(landlord)), "bidder");
            let mover = s.mover;
            play(&game, &mut s, Step::Moves(&[(mover, game.parse_action(bid).unwrap())])).unwrap();
        }
        assert_eq!(
            (s.landlord, s.mover, s.phase),
            (Player(landlord), Player(landlord), Phase::Play),
            "{bids}"
        );
        assert_eq!(s.hands.map(Cards::len)[landlord as usize], 20);
        assert!(s.hands[landlord as usize].has(deal.extra));
    }
    let mut s = game.start();
    game.apply(&mut s, Step::Chance(&deal));
    game.apply(&mut s, Step::Moves(&[(Player(0), Action::Bid(2))]));
    assert_eq!(names(&game, &s), "pass bid3");
}

#[test]
fn bad_parameters_are_refused() {
    for text in [
        "ranks=1",
        "ranks=14",
        "copies=0",
        "hand=16",
        "hand=19",
        "extra=x",
        "bidding=x",
        "ranks=2,copies=1,jokers=no",
    ] {
        assert!(DouDiZhu::from_params(&crate::testing::params(&ABOUT, text).unwrap()).is_err(), "{text}");
    }
}

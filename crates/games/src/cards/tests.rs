use std::collections::HashMap;

use fogtree_core::{Player, Purpose, Seed};

use super::*;

fn rng(seed: u64) -> Rng {
    Seed(seed).stream(Purpose::Deal)
}

fn cards(name: &str) -> Cards {
    Cards::parse(name).unwrap()
}

#[test]
fn cards_have_their_usual_names() {
    assert_eq!(Card::new(Suit::Spades, 10).to_string(), "QS");
    assert_eq!(Card::parse("TH"), Some(Card::new(Suit::Hearts, 8)));
    assert_eq!(Cards::ALL.iter().filter_map(|c| Card::parse(&c.to_string())).collect::<Cards>(), Cards::ALL);
    assert_eq!(Cards::ALL.len(), 52);
    for bad in ["", "Q", "QSS", "1S", "QX", "qs", "ü", "10H"] {
        assert_eq!(Card::parse(bad), None, "{bad}");
    }
    for bad in ["", "QSQS", "KSQS", "QSK", "--", "-QS", "ÜÜ"] {
        assert_eq!(Cards::parse(bad), None, "{bad}");
    }
    assert_eq!(cards("-"), Cards::NONE);
    for suit in Suit::ALL {
        assert!(suit.cards().iter().all(|card| card.suit() == suit));
        assert_eq!(suit.cards().len(), 13);
    }
}

#[test]
fn a_small_deck_has_the_highest_ranks() {
    assert_eq!(deck(&[Suit::Clubs, Suit::Hearts], 2).name(), "KCACKHAH");
    assert_eq!(deck(&Suit::ALL, 13), Cards::ALL);
}

#[test]
fn all_subsets_of_a_size_are_listed_once() {
    let of = cards("2C9DTHJHAS");
    for (size, expected) in [1, 5, 10, 10, 5, 1, 0].into_iter().enumerate() {
        let mut all: Vec<Cards> = of.subsets(size).collect();
        assert!(all.iter().all(|set| set.len() == size && set.within(of)));
        all.sort_unstable();
        all.dedup();
        assert_eq!(all.len(), expected, "{size}");
    }
    assert_eq!(Cards::ALL.subsets(52).count(), 1);
    assert_eq!(Cards::ALL.subsets(51).count(), 52);
}

/// Chi-square of equally likely cells, as a number of standard deviations above its mean.
fn excess(counts: impl ExactSizeIterator<Item = u32> + Clone) -> f64 {
    let free = counts.len() as f64 - 1.0;
    let mean = f64::from(counts.clone().sum::<u32>()) / counts.len() as f64;
    let chi: f64 = counts.map(|n| (f64::from(n) - mean).powi(2) / mean).sum();
    if free > 0.0 { (chi - free) / (2.0 * free).sqrt() } else { 0.0 }
}

#[test]
fn random_subsets_are_uniform() {
    let (of, mut rng) = (cards("2C5C9DTHJHAS"), rng(1));
    for size in 0..=6 {
        let mut counts: HashMap<Cards, u32> = of.subsets(size).map(|set| (set, 0)).collect();
        for _ in 0..20_000 {
            *counts.get_mut(&of.random_subset(size, &mut rng)).unwrap() += 1;
        }
        assert!(excess(counts.values().copied()) < 4.5, "{size}: {counts:?}");
    }
}

#[test]
fn deals_are_counted_listed_named_and_drawn() {
    let (deck, sizes, mut rng) = (deck(&[Suit::Clubs, Suit::Spades], 3), [2, 1, 2], rng(2));
    let mut counts = HashMap::new();
    each_deal(deck, &sizes.map(Place::of), &mut |deal| {
        assert!(deal.is_possible(deck, sizes));
        assert_eq!(Deal::parse(&deal.name()).as_ref(), Some(&deal));
        assert_eq!(counts.insert(deal, 0), None);
    });
    assert_eq!(counts.len(), 180);
    assert_eq!(number_of_deals(6, sizes), 180.0);
    for _ in 0..40_000 {
        *counts.get_mut(&Deal::random(deck, sizes, &mut rng)).unwrap() += 1;
    }
    assert!(excess(counts.values().copied()) < 4.5);
    // 52! / 13!^4
    assert!((number_of_deals(52, [13; 4]) / 5.364_473_776_548_879e28 - 1.0).abs() < 1e-12);
    assert!(!Deal::new([deck]).is_possible(deck, [5]) && !Deal::new([deck, deck]).is_possible(deck, [6, 6]));
    for bad in ["", "/", "QS/", "QS//KS", "QS/x", "-/-/-/-/-/-/-/-/-"] {
        assert_eq!(Deal::parse(bad), None, "{bad}");
    }
}

/// Every deal over the places, by trying all.
fn consistent(unseen: Cards, places: &[Place]) -> Vec<Vec<Cards>> {
    let open: Vec<Place> = places.iter().map(|place| Place::of(place.size)).collect();
    let mut all = Vec::new();
    each_deal(unseen, &open, &mut |deal| {
        if deal.hands().iter().zip(places).all(|(hand, place)| !hand.meets(place.barred)) {
            all.push(deal.hands().to_vec());
        }
    });
    all
}

/// Compares a dealer with the list of all deals: number, support and frequencies.
fn check_dealer(unseen: Cards, places: &[Place], rng: &mut Rng) -> usize {
    let all = consistent(unseen, places);
    let mut listed = Vec::new();
    each_deal(unseen, places, &mut |deal| listed.push(deal.hands().to_vec()));
    assert_eq!(listed, all, "{places:?}");
    let Some(dealer) = Dealer::new(unseen, places) else {
        assert!(all.is_empty(), "{places:?}: no way of {} was found", all.len());
        return 0;
    };
    assert_eq!(dealer.deals(), all.len() as f64, "{places:?}");
    let mut counts: HashMap<&[Cards], u32> = all.iter().map(|deal| (&deal[..], 0)).collect();
    for _ in 0..all.len() * 40 {
        let mut hands = vec![Cards::NONE; places.len()];
        dealer.deal(rng, &mut hands);
        *counts.get_mut(&hands[..]).unwrap_or_else(|| panic!("{hands:?} in {places:?}")) += 1;
    }
    let wrong = excess(counts.values().copied());
    assert!(wrong < 6.0, "{wrong} for {} deals over {places:?}", all.len());
    all.len()
}

#[test]
fn determinizations_are_uniform_over_all_consistent_deals() {
    let mut rng = rng(3);
    let deck = deck(&[Suit::Clubs, Suit::Hearts, Suit::Spades], 3);
    let (mut impossible, mut single, mut many) = (0, 0, 0);
    for _ in 0..150 {
        let unseen = deck.random_subset(5 + rng.below(4) as usize, &mut rng);
        let hands = 2 + rng.below(3) as usize;
        let mut places = vec![Place::default(); hands];
        for _ in 0..unseen.len() {
            places[rng.below(hands as u32) as usize].size += 1;
        }
        let tight = rng.below(7);
        for place in &mut places {
            place.barred = unseen.iter().filter(|_| rng.below(8) < tight).collect();
        }
        match check_dealer(unseen, &places, &mut rng) {
            0 => impossible += 1,
            1 => single += 1,
            _ => many += 1,
        }
    }
    assert!(impossible > 5 && single > 5 && many > 50, "{impossible} {single} {many}");
}

#[test]
fn one_way_is_found_where_there_is_only_one() {
    // Each hand of one is open to its own card and the one before it, the first only to its own.
    let unseen = deck(&Suit::ALL, 13);
    let order: Vec<Card> = unseen.iter().collect();
    let open = |i: usize| order[i.saturating_sub(1)..=i].iter().copied().collect::<Cards>();
    let places: Vec<Place> = (0..52).map(|i| Place { size: 1, barred: open(i).complement() }).collect();
    let dealer = Dealer::new(unseen, &places).unwrap();
    let mut hands = vec![Cards::NONE; 52];
    dealer.deal(&mut rng(4), &mut hands);
    assert_eq!(dealer.deals(), 1.0);
    assert!(hands.iter().zip(&order).all(|(hand, card)| *hand == card.alone()));
}

/// Large deals with random voids: their number is found in another way, by giving out one card after the
/// other and keeping track of how many each hand still takes.
#[test]
fn deals_of_a_full_deck_are_counted_card_by_card() {
    let mut rng = rng(7);
    for number in 0..30 {
        let hands = 3 + number % 3;
        let size = [11, 7, 5][number % 3];
        let mut places: Vec<Place> = (0..hands).map(|_| Place::of(size)).collect();
        for place in &mut places {
            place.barred =
                Suit::ALL.iter().filter(|_| rng.below(3) == 0).fold(Cards::NONE, |b, s| b | s.cards());
        }
        let unseen = Cards::ALL.random_subset(hands * size + number % 7, &mut rng);
        places.push(Place::of(number % 7));
        let mut ways: HashMap<Vec<usize>, f64> = HashMap::new();
        ways.insert(places.iter().map(|place| place.size).collect(), 1.0);
        for card in unseen.iter() {
            let mut next = HashMap::new();
            for (room, ways) in ways {
                for (i, place) in places.iter().enumerate() {
                    if room[i] > 0 && !place.barred.contains(card) {
                        let mut room = room.clone();
                        room[i] -= 1;
                        *next.entry(room).or_insert(0.0) += ways;
                    }
                }
            }
            ways = next;
        }
        let expected: f64 = ways.values().sum();
        let Some(dealer) = Dealer::new(unseen, &places) else {
            assert_eq!(expected, 0.0, "{places:?}");
            continue;
        };
        assert!((dealer.deals() / expected - 1.0).abs() < 1e-12, "{places:?}");
        for _ in 0..100 {
            let mut hands = vec![Cards::NONE; places.len()];
            dealer.deal(&mut rng, &mut hands);
            let all = hands.iter().fold(Cards::NONE, |all, &hand| all | hand);
            let fits =
                |(hand, place): (&Cards, &Place)| hand.len() == place.size && !hand.meets(place.barred);
            assert!(all == unseen && hands.iter().zip(&places).all(fits), "{hands:?}");
        }
    }
}

#[test]
fn impossible_demands_are_refused() {
    let place = |size, barred| Place { size, barred };
    let clubs = Suit::Clubs.cards();
    assert!(Dealer::new(clubs, &[place(13, clubs)]).is_none());
    assert!(Dealer::new(clubs, &[place(12, Cards::NONE)]).is_none());
    assert!(Dealer::new(clubs, &[]).is_none());
    assert!(Dealer::new(clubs, &[place(13, Cards::NONE), place(1, Cards::NONE)]).is_none());
    assert!(Dealer::new(Cards::NONE, &[]).is_some());
    assert!(Dealer::new(Cards::NONE, &[place(0, Cards::ALL)]).is_some());
}

/// Random rounds of tricks, card by card: what is legal and who wins, told the slow way.
#[test]
fn tricks_are_played_by_the_rules() {
    let mut rng = rng(5);
    let hearts = Suit::Hearts.cards();
    for number in 0..400 {
        let opening = (number % 2 == 0).then(|| Card::new(Suit::Clubs, 0));
        let rules = TrickRules { players: 4, opening, kept: hearts, unled: hearts, breaking: hearts };
        let trumps = if number % 3 == 0 { Suit::Spades.cards() } else { Cards::NONE };
        let mut round = Round::<4>::EMPTY;
        let mut hands: Vec<Vec<Card>> = Vec::new();
        for (p, hand) in (0..).zip(Deal::random(Cards::ALL, [13; 4], &mut rng).hands()) {
            round.held[Player(p)] = *hand;
            hands.push(hand.iter().collect());
        }
        let (mut trick, mut broken) = (Vec::<(usize, Card)>::new(), false);
        let mut to_play = opening.map_or(0, |card| hands.iter().position(|h| h.contains(&card)).unwrap());
        for ply in 0..52 {
            assert_eq!(rules.to_play(&round), Player(to_play as u8));
            let hand = &hands[to_play];
            let is_heart = |card: &Card| card.suit() == Suit::Hearts;
            let others: Vec<Card> = hand.iter().copied().filter(|card| !is_heart(card)).collect();
            let expected = match trick.first() {
                None if ply == 0 && opening.is_some() => vec![opening.unwrap()],
                None if !broken && !others.is_empty() => others,
                None => hand.clone(),
                Some((_, led)) => {
                    let follow: Vec<Card> =
                        hand.iter().copied().filter(|card| card.suit() == led.suit()).collect();
                    if !follow.is_empty() {
                        follow
                    } else if ply < 4 && opening.is_some() && !others.is_empty() {
                        others
                    } else {
                        hand.clone()
                    }
                }
            };
            let legal = rules.legal(&round, Player(to_play as u8));
            assert_eq!(legal.iter().collect::<Vec<_>>(), expected);
            let card = legal.random(&mut rng);
            hands[to_play].retain(|c| *c != card);
            trick.push((to_play, card));
            broken |= is_heart(&card);
            let taken = rules.play(&mut round, Player(to_play as u8), card, trumps);
            for p in Player::all(4) {
                assert!(!round.hand(p).meets(round.barred[p]), "a player is barred from what it holds");
            }
            to_play = (to_play + 1) % 4;
            if trick.len() < 4 {
                assert_eq!(taken, None);
                assert!(round.in_order(4).eq(trick.iter().map(|&(p, card)| (Player(p as u8), card))));
                continue;
            }
            let led = trick[0].1.suit();
            let strength = |card: Card| match card.suit() {
                suit if trumps.meets(suit.cards()) => 100 + card.rank(),
                suit if suit == led => 1 + card.rank(),
                _ => 0,
            };
            to_play = trick.iter().max_by_key(|(_, card)| strength(*card)).unwrap().0;
            let cards = trick.drain(..).map(|(_, card)| card).collect();
            assert_eq!(taken, Some((Player(to_play as u8), cards)));
        }
        assert_eq!(round.played, Cards::ALL);
    }
}

/// Playing out and playing card by card take the same tricks equally often: the mean of a number that
/// depends on who takes what in which order is compared.
#[test]
fn playing_out_is_random_play() {
    let mut rng = rng(6);
    let penalties = Suit::Hearts.cards() | Card::new(Suit::Spades, 10).alone();
    for (number, trumps) in [Cards::NONE, Suit::Spades.cards(), Suit::Clubs.cards()].into_iter().enumerate() {
        let opening = (number == 0).then(|| Card::new(Suit::Clubs, 0));
        let unled = if number < 2 { Suit::Hearts.cards() } else { Cards::NONE };
        let rules = TrickRules { players: 4, opening, kept: penalties, unled, breaking: unled };
        let mut start = Round::<4>::EMPTY;
        for (p, hand) in (0..).zip(Deal::random(Cards::ALL, [13; 4], &mut rng).hands()) {
            start.held[Player(p)] = *hand;
        }
        for _ in 0..number * 7 {
            let p = rules.to_play(&start);
            let card = rules.legal(&start, p).random(&mut rng);
            rules.play(&mut start, p, card, trumps);
        }
        const GAMES: u32 = 20_000;
        let mut means = [[0.0; 8]; 2];
        for _ in 0..GAMES {
            let mut note = |way: usize, p: Player, trick: Cards, at: u32| {
                means[way][p.index()] += (trick & penalties).len() as f64 / f64::from(GAMES);
                means[way][4 + p.index()] += f64::from(at) / f64::from(GAMES);
            };
            let (mut fast, mut slow) = (start, start);
            let mut at = 0;
            rules.play_out(&mut fast, trumps, &mut rng, |p, trick| {
                at += 1;
                note(0, p, trick, at);
            });
            assert_eq!(fast.played, Cards::ALL);
            at = 0;
            while slow.played != Cards::ALL {
                let p = rules.to_play(&slow);
                let card = rules.legal(&slow, p).random(&mut rng);
                if let Some((p, trick)) = rules.play(&mut slow, p, card, trumps) {
                    at += 1;
                    note(1, p, trick, at);
                }
            }
        }
        for (fast, slow) in means[0].iter().zip(&means[1]) {
            assert!((fast - slow).abs() < 0.02 * slow + 0.12, "{means:?}");
        }
    }
}

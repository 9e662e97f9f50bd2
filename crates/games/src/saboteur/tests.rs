use std::collections::{HashMap, HashSet};

use fogtree_core::{Game, HiddenPart, Observer, Player, Purpose, Rules, Scratch, Seed, Step, Turn};

use super::*;

use crate::testing::{after, legal};

fn saboteur(params: &str) -> Saboteur {
    Saboteur::from_params(&crate::testing::params(&ABOUT, params).unwrap()).unwrap()
}

/// Plays at random; `each` sees every state and the step made in it.
fn play(game: &Saboteur, seed: u64, mut each: impl FnMut(&State, Step<'_, Saboteur>)) -> State {
    let (mut s, mut rng) = (game.start(), Seed(seed).stream(Purpose::Deal));
    loop {
        match game.turn(&s) {
            Turn::Terminal => return s,
            Turn::Chance => {
                let outcome = game.sample_chance(&s, &mut rng);
                each(&s, Step::Chance(&outcome));
                game.apply(&mut s, Step::Chance(&outcome));
            }
            turn => {
                let who = turn.players().iter().next().unwrap();
                let moves = [(who, game.random_action(&s, who, &mut rng, &mut Scratch::default()))];
                each(&s, Step::Moves(&moves));
                game.apply(&mut s, Step::Moves(&moves));
            }
        }
    }
}

/// icarus/ORACLE-4, the cards: 40 paths and 27 actions, in the numbers that the specification lists.
#[test]
fn the_deck_has_40_paths_and_27_actions() {
    let copies = |name: &str| Deck::FULL.0[cards::parse(name).unwrap() as usize];
    assert_eq!(Deck::FULL.size(), 67);
    assert_eq!(Deck::FULL.0[..usize::from(PATHS)].iter().sum::<u8>(), 40);
    let connected = ["TRBL", "TRL", "TRB", "TB", "RL", "TR", "TL"].map(copies);
    assert_eq!(connected, [5, 5, 5, 4, 3, 5, 4]);
    let dead = ["xT", "xR", "xTR", "xTL", "xTB", "xRL", "xTRL", "xTRB", "xTRBL"].map(copies);
    assert_eq!(dead, [1; 9]);
    for (name, number) in
        [("broken-pick", 3), ("broken-lamp", 3), ("broken-cart", 3), ("rockfall", 3), ("map", 6)]
    {
        assert_eq!(copies(name), number, "{name}");
    }
    for (name, number) in [("repair-pick", 2), ("repair-cart", 2), ("repair-lamp-or-cart", 1)] {
        assert_eq!(copies(name), number, "{name}");
    }
}

/// icarus/ORACLE-4, the roles: at five players 15 sets of saboteurs, each with probability 1/15, two saboteurs
/// with probability 2/3.
#[test]
fn every_set_of_saboteurs_is_equally_likely() {
    let game = saboteur("");
    let mut listed = Vec::new();
    game.chance(&game.start(), &mut listed);
    assert_eq!(listed.len(), 15);
    assert!(listed.iter().all(|(_, p)| (p - 1.0 / 15.0).abs() < 1e-12));
    let two = listed.iter().filter(|(o, _)| matches!(o, Outcome::Roles(set) if set.count_ones() == 2));
    assert!((two.map(|(_, p)| p).sum::<f64>() - 2.0 / 3.0).abs() < 1e-12);
}

/// The deal of role cards, one by one, for every number of players in the box.
#[test]
fn roles_come_as_their_cards_are_dealt() {
    let box_of_roles =
        [(3, 1, 3), (4, 1, 4), (5, 2, 4), (6, 2, 5), (7, 3, 5), (8, 3, 6), (9, 3, 7), (10, 4, 7)];
    for (players, saboteurs, diggers) in box_of_roles {
        assert_eq!(saboteurs + diggers, players + 1);
        let mut sets: HashMap<u16, f64> = HashMap::from([(0, 1.0)]);
        for seat in 0..players {
            let mut longer = HashMap::new();
            for (set, p) in sets {
                let left = f64::from(saboteurs) - f64::from(set.count_ones());
                let share = left / (f64::from(saboteurs + diggers) - f64::from(seat));
                *longer.entry(set | 1 << seat).or_default() += p * share;
                *longer.entry(set).or_default() += p * (1.0 - share);
            }
            sets = longer;
            sets.retain(|_, p| *p > 1e-12);
        }
        let game = saboteur(&format!("players={players}"));
        let mut listed = Vec::new();
        game.chance(&game.start(), &mut listed);
        assert_eq!(listed.len(), sets.len());
        for (outcome, p) in listed {
            let Outcome::Roles(set) = outcome else { panic!("{outcome:?}") };
            assert!((sets[&set] - p).abs() < 1e-12, "{players} players, {set:b}");
        }
    }
}

/// icarus/ORACLE-4, what a digger and a saboteur believe, and icarus/AMB-13, the beliefs of the thesis' figure.
#[test]
fn beliefs_start_from_the_deal() {
    let mut belief = [0.0; 15];
    let shares = |belief: &[f64]| {
        let mut shares: Vec<u32> = belief.iter().map(|p| (p * 10_000.0).round() as u32).collect();
        shares.retain(|&share| share > 0);
        shares.sort_unstable();
        shares
    };
    let game = saboteur("");
    let part = game.info_extras().hidden_part.unwrap();
    let s = after(&game, "saboteurs:1+3");
    assert_eq!(part.values(), 15);
    assert_eq!(part.name(part.value(&s).unwrap()), "saboteurs:1+3");
    for (by, expected) in [
        (Observer::Seat(Player(0)), vec![1000; 10]),
        (Observer::Seat(Player(1)), vec![2000; 5]),
        (Observer::Public, vec![667; 15]),
    ] {
        part.prior(&game.info(&s, by), &mut belief);
        assert_eq!(shares(&belief), expected, "{by}");
        assert!(belief[part.value(&s).unwrap()] > 0.0);
    }
    part.prior(&game.info(&game.start(), Observer::Public), &mut belief);
    assert_eq!(belief, [0.0; 15]);

    let thesis = saboteur("prior=thesis");
    thesis.prior(&thesis.info(&s, Observer::Seat(Player(0))), &mut belief);
    assert_eq!(shares(&belief), [[625; 4].as_slice(), &[1250; 6]].concat());
}

/// A belief loses what a step rules out, and nothing else.
#[test]
fn beliefs_follow_what_is_known() {
    let game = saboteur("");
    let [before, after] = [game.start(), after(&game, "saboteurs:0")];
    let seat = Observer::Seat(Player(0));
    let mut belief = [1.0 / 15.0; 15];
    let [known_before, known_after] = [&before, &after].map(|s| game.info(s, seat));
    game.propagate(&mut belief, &known_before, &known_after);
    let expected = game.roles.iter().map(|set| if set & 1 == 1 { 0.2 } else { 0.0 });
    assert!(belief.iter().zip(expected).all(|(a, b)| (a - b).abs() < 1e-12));
    let kept = belief;
    game.propagate(&mut belief, &known_after, &known_after);
    assert_eq!(belief, kept);
    let mut sampler = game.sampler(&known_after);
    let (mut rng, mut world) = (Seed(5).stream(Purpose::Sampling), game.start());
    for (value, share) in belief.iter().enumerate() {
        let there = HiddenPart::sample(&game, &mut sampler, value, &mut rng, &mut world);
        assert_eq!(there, *share > 0.0);
        assert!(!there || game.value(&world) == Some(value));
    }
}

#[test]
fn everybody_runs_out_of_cards_together() {
    for (players, hand) in [(3, 6), (5, 6), (6, 5), (7, 5), (8, 4), (10, 4)] {
        let game = saboteur(&format!("players={players}"));
        let mut turns = 0_usize;
        let end = play(&game, players, |s, step| {
            if let Step::Moves(&[(who, _), ..]) = step {
                let held = s.hands[who.index()].iter().count();
                let left = (67 - turns).div_ceil(players as usize);
                assert_eq!(held, hand.min(left), "{players} players, turn {turns}");
                turns += 1;
            }
        });
        assert!(game.is_gold_found(&end) || turns == 67);
    }
}

/// A straight tunnel to the gold, with everything else that may be done on the way.
#[test]
fn diggers_win_when_the_tunnel_reaches_the_gold() {
    let game = saboteur("players=2,deck=[RL*3,broken-lamp,repair-lamp,map*2,rockfall],hand=2,distance=1");
    let deal = "saboteurs:1 goals:gold+stone-TR+stone-TL RL broken-lamp map rockfall";
    let s = after(&game, &format!("{deal} map@e5 RL break-lamp:0 repair-lamp"));
    let first = game.info(&s, Observer::Seat(Player(0)));
    assert_eq!(first.goals, [GOLD, NO_GOAL, NO_GOAL]);
    assert_eq!(game.info(&s, Observer::Seat(Player(1))).goals, [NO_GOAL; 3]);
    assert_eq!(legal(&game, &s), ["discard:RL"], "a broken lamp forbids to lay paths");
    let s =
        after(&game, &format!("{deal} map@e5 RL break-lamp:0 repair-lamp discard:RL RL repair-lamp:0 map"));
    assert_eq!(legal(&game, &s), ["RL@b5", "RL@d5", "discard:RL"]);
    let moves = "map@e5 RL break-lamp:0 repair-lamp discard:RL RL repair-lamp:0 map RL@b5 rockfall@b5 RL@d5";
    let s = after(&game, &format!("{deal} {moves}"));
    assert_eq!((game.turn(&s), game.rewards(&s).as_slice()), (Turn::Terminal, [1.0, 0.0].as_slice()));
    let s = after(&game, &format!("{deal} {moves}").replace("RL@d5", "discard:RL map@e5"));
    assert_eq!((game.turn(&s), game.rewards(&s).as_slice()), (Turn::Terminal, [0.0, 1.0].as_slice()));
}

/// A stone is laid so that its curve takes the tunnel up, and then cards must match it.
#[test]
fn a_stone_takes_the_tunnel_up_and_dead_ends_reach_nothing() {
    let game = saboteur("players=2,deck=[RL,TRL,xRL,map],hand=2,distance=1");
    let deal = "saboteurs:none goals:stone-TR+stone-TL+gold RL xRL TRL map";
    let s = after(&game, &format!("{deal} RL@d5"));
    assert!(s.table.board.cards.has(game.goals[0]));
    assert_eq!(s.table.board.openings(game.goals[0]), 0b1100, "a TR curve entered from the left is turned");
    assert_eq!(legal(&game, &s), ["xRL@b5", "map@e7", "map@e3", "discard:xRL", "discard:map"]);
    let mut s = after(&game, &deal.replace("RL xRL TRL", "xRL RL TRL"));
    game.apply(&mut s, Step::Moves(&[(Player(0), game.parse_action("xRL@d5").unwrap())]));
    assert!(!s.table.board.cards.has(game.goals[0]), "a dead end reaches no goal");
}

/// Cells into which the tunnel from the start opens, and the side it comes from.
type Mouths = HashSet<((i32, i32), char)>;

/// The table as somebody would keep it who knows the rules but no bit tricks: openings as letters, cells by
/// name, the tunnel walked card by card.
#[derive(Default)]
struct Slow {
    cards: HashMap<(i32, i32), (String, bool)>,
    /// Goals that lie face down, with their openings.
    down: HashMap<(i32, i32), &'static str>,
    columns: i32,
}

const WAYS: [(char, i32, i32, char); 4] =
    [('T', 0, 1, 'B'), ('R', 1, 0, 'L'), ('B', 0, -1, 'T'), ('L', -1, 0, 'R')];

fn upside_down(letters: &str) -> String {
    let turned = |c| WAYS.iter().find(|way| way.0 == c).map_or(c, |way| way.3);
    let sides: String = letters.chars().map(turned).collect();
    "xTRBL".chars().filter(|&c| sides.contains(c)).collect()
}

fn place(name: &str) -> (i32, i32) {
    let mut bytes = name.bytes();
    (i32::from(bytes.next().unwrap() - b'a'), i32::from(bytes.next().unwrap() - b'1'))
}

impl Slow {
    /// Where one can walk from the start, and the cells one looks into from there, with the side.
    fn walk(&self) -> (HashSet<(i32, i32)>, Mouths) {
        let (mut walked, mut mouths, mut open) = (HashSet::new(), HashSet::new(), vec![place("c5")]);
        while let Some((x, y)) = open.pop() {
            if !walked.insert((x, y)) {
                continue;
            }
            for (side, dx, dy, back) in WAYS {
                if self.cards[&(x, y)].0.contains(side) {
                    let next = (x + dx, y + dy);
                    mouths.insert((next, back));
                    match self.cards.get(&next) {
                        Some((letters, false)) if letters.contains(back) => open.push(next),
                        _ => {}
                    }
                }
            }
        }
        (walked, mouths)
    }

    fn may_lay(&self, letters: &str, (x, y): (i32, i32), mouths: &Mouths) -> bool {
        let columns = self.columns;
        if !(0..columns).contains(&x) || !(0..9).contains(&y) || self.down.contains_key(&(x, y)) {
            return false;
        }
        let matches = WAYS.iter().all(|&(side, dx, dy, back)| {
            let neighbour = self.cards.get(&(x + dx, y + dy));
            neighbour.is_none_or(|(theirs, _)| theirs.contains(back) == letters.contains(side))
        });
        let connected = letters.chars().any(|side| mouths.contains(&((x, y), side)));
        !self.cards.contains_key(&(x, y)) && matches && connected
    }

    fn lay(&mut self, letters: &str, at: (i32, i32)) {
        let dead = letters.starts_with('x');
        self.cards.insert(at, (letters.trim_start_matches('x').to_string(), dead));
        loop {
            let mouths = self.walk().1;
            let found = self.down.iter().find_map(|(&at, &card)| {
                mouths.iter().find(|mouth| mouth.0 == at).map(|&(_, side)| (at, card, side))
            });
            let Some((at, card, side)) = found else { return };
            self.down.remove(&at);
            let card = if card.contains(side) { card.to_string() } else { upside_down(card) };
            self.cards.insert(at, (card, false));
        }
    }
}

#[test]
fn paths_fit_where_a_slow_table_says() {
    let paths = "TRBL*5,TRL*6,TRB*6,TB*4,RL*5,TR*5,TL*5,xT,xR,xTR,xTL,xTB,xRL,xTRL,xTRB,xTRBL";
    let mut turned_up = 0;
    for seed in 0..24 {
        let (distance, goals_at) = [(7, ["k5", "k7", "k3"]), (2, ["f5", "f7", "f3"])][seed as usize % 2];
        let game = saboteur(&format!("players=4,distance={distance},deck=[{paths},rockfall*8]"));
        let mut slow = Slow { columns: distance + 6, ..Slow::default() };
        slow.cards.insert(place("c5"), ("TRBL".to_string(), false));
        play(&game, seed, |s, step| {
            if s.goals[0] == NO_GOAL {
                if let Step::Chance(Outcome::Goals(goals)) = step {
                    let cards = goals.map(|card| ["TRBL", "TR", "TL"][card as usize]);
                    slow.down = goals_at.map(place).into_iter().zip(cards).collect();
                }
                return;
            }
            let Step::Moves(&[(who, action), ..]) = step else { return };
            let (mut expected, (walked, mouths)) = (Vec::new(), slow.walk());
            for card in s.hands[who.index()].iter().filter(|&card| card < PATHS).map(cards::name) {
                for letters in [card.clone(), upside_down(&card)] {
                    for (x, y) in (0..13).flat_map(|x| (0..9).map(move |y| (x, y))) {
                        if slow.may_lay(&letters, (x, y), &mouths) {
                            expected.push(format!("{letters}@{}{}", (b'a' + x as u8) as char, y + 1));
                        }
                    }
                }
            }
            let mut found = legal(&game, s);
            found.retain(|name| name.contains('@') && !name.starts_with("rockfall"));
            found.sort();
            expected.sort();
            expected.dedup();
            assert_eq!(found, expected, "{}", game.show(s));
            let cells = s.table.board.reach.iter();
            let reached: HashSet<_> = cells.map(|at| (i32::from(at % 13), i32::from(at / 13))).collect();
            assert_eq!(reached, walked);
            let name = game.action_name(action);
            match name.split_once('@') {
                Some(("rockfall", at)) => drop(slow.cards.remove(&place(at))),
                Some((letters, at)) => slow.lay(letters, place(at)),
                None => {}
            }
        });
        turned_up += 3 - slow.down.len();
    }
    assert!(turned_up > 5, "random play turned up {turned_up} goals");
}

/// Drawn worlds hold every card once, agree with what each seat saw, and go on to an end.
#[test]
fn drawn_worlds_contradict_nothing() {
    let game = saboteur("");
    let mut rng = Seed(9).stream(Purpose::Sampling);
    let mut world = game.start();
    for seed in 0..6 {
        play(&game, seed, |s, _| {
            for by in Observer::all(5) {
                let known = game.info(s, by);
                let mut sampler = game.sampler(&known);
                let weight = Game::sample(&game, &mut sampler, &mut rng, &mut world);
                assert!(weight > 0.0 && weight <= 1.0);
                assert_eq!(game.info(&world, by), known);
                assert_eq!(game.turn(&world), game.turn(s));
                let mut all = world.stock;
                let used = world.used.iter().map(|card| card & !FACE_DOWN);
                let cards = world.hands.iter().flat_map(|hand| hand.iter().collect::<Vec<_>>()).chain(used);
                cards.for_each(|card| all[card as usize] += 1);
                assert_eq!(all, Deck::FULL.0);
            }
        });
    }
}

/// Weights do not run away: a search that rejects by weight must not wait long for a world.
#[test]
fn weights_stay_even_late_in_the_game() {
    let game = saboteur("");
    let (mut rng, mut world) = (Seed(3).stream(Purpose::Sampling), game.start());
    for seed in 0..4 {
        play(&game, seed, |s, step| {
            let Step::Moves(&[(who, _), ..]) = step else { return };
            if s.used.len() % 20 != 19 {
                return;
            }
            let mut sampler = game.sampler(&game.info(s, Observer::Seat(who)));
            let weights: Vec<f64> =
                (0..400).map(|_| Game::sample(&game, &mut sampler, &mut rng, &mut world)).collect();
            let heaviest = weights.iter().copied().fold(0.0_f64, f64::max);
            let accepted = weights.iter().sum::<f64>() / heaviest / 400.0;
            assert!(accepted > 0.02, "after {} turns: {accepted}", s.used.len());
        });
    }
}

/// Worlds drawn for each set of saboteurs come, given the set, as often as worlds drawn for all, by weight.
#[test]
fn worlds_for_given_roles_are_worlds_of_the_information_set() {
    let game = saboteur("players=2,deck=[map*3,rockfall*2],hand=2,distance=1,goals=2,border=0");
    let deal = "saboteurs:1 goals:stone-TR+gold+none map map rockfall rockfall";
    let s = after(&game, &format!("{deal} discard:rockfall map discard:map map@e5"));
    let mut sampler = game.sampler(&game.info(&s, Observer::Seat(Player(1))));
    let (mut rng, mut world) = (Seed(2).stream(Purpose::Sampling), game.start());
    let value = game.value(&s).unwrap();
    let (mut by_weight, mut given, mut whole) = (HashMap::new(), HashMap::new(), 0.0);
    for _ in 0..40_000 {
        let weight = Game::sample(&game, &mut sampler, &mut rng, &mut world);
        if game.value(&world) == Some(value) {
            *by_weight.entry(world.clone()).or_insert(0.0) += weight;
            whole += weight;
        }
        assert!(HiddenPart::sample(&game, &mut sampler, value, &mut rng, &mut world));
        *given.entry(world.clone()).or_insert(0.0) += 1.0 / 40_000.0;
    }
    assert!(by_weight.len() > 2 && by_weight.len() == given.len());
    let least = given.values().copied().fold(1.0, f64::min);
    let most = given.values().copied().fold(0.0, f64::max);
    assert!(most > 1.3 * least, "the weights matter here: {least} to {most}");
    for (world, weight) in by_weight {
        let share = weight / whole;
        assert!((share - given[&world]).abs() < 0.02, "{share} and {}", given[&world]);
    }
}

/// A deck of one kind makes the smallest weights there can be.
#[test]
fn weights_stay_positive() {
    let game = saboteur("players=2,deck=[map*67]");
    let (mut rng, mut world) = (Seed(4).stream(Purpose::Sampling), game.start());
    play(&game, 1, |s, _| {
        let mut sampler = game.sampler(&game.info(s, Observer::Public));
        let weight = Game::sample(&game, &mut sampler, &mut rng, &mut world);
        assert!(
            weight > 0.0 && world == State { goals: world.goals, saboteurs: world.saboteurs, ..s.clone() }
        );
    });
}

#[test]
fn bad_parameters_are_refused() {
    for params in [
        "players=1",
        "players=11",
        "deck=[]",
        "deck=[gold]",
        "deck=[map*68]",
        "deck=[map*999]",
        "deck=[map]",
        "hand=7",
        "distance=0",
        "distance=8",
        "goals=4",
        "border=3",
        "prior=x",
    ] {
        assert!(Saboteur::from_params(&crate::testing::params(&ABOUT, params).unwrap()).is_err(), "{params}");
    }
}

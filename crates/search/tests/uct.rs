//! UCT and flat Monte Carlo against exact values.

mod common;

use std::collections::HashMap;
use std::sync::Arc;

use common::oracle::exact;
use common::{Table, infoset, legal, model, params};
use fogtree_core::history::events_of;
use fogtree_core::{
    Agent, Budget, Chance, Decision, Erased, Facts, FastPlay, Key, Model, Notation, Observation, Observer,
    PerfectInformation, Playable, Player, Purpose, Rewards, Rules, Scratch, Seed, Step, Turn, Utility,
    random_step,
};
use fogtree_games::connect_four::{self, ConnectFour};
use fogtree_games::kuhn_poker::KuhnPoker;
use fogtree_games::mnk::{self, SmallMnk};
use fogtree_games::tree::Tree;
use fogtree_search::ismcts::{Config, Observers};
use fogtree_search::{Allocation, FlatMc, Ismcts, Uct, UctSearch};

fn search<G: Playable>(search: &mut UctSearch, game: &Erased<G>, state: &G::State, n: u64) -> Decision {
    let world = game.world(state.clone());
    let Turn::Player(who) = world.turn() else { panic!("nobody is to move") };
    search.search(&*world, who, &legal(&*world, who), &Budget::iterations(n))
}

/// At random positions of random games the most visited move keeps the minimax value.
fn assert_plays_perfectly<G: Playable>(rules: G, games: u64, iterations: u64) {
    let erased = Erased::new(rules);
    let rules = erased.game();
    let mut uct = UctSearch::new(&model(&erased), 1.0);
    let mut memo = HashMap::new();
    let (mut tested, mut scratch) = (0, Scratch::default());
    for game in 0..games {
        let mut rng = Seed(game).stream(Purpose::Playout);
        uct.seed(Seed(game));
        let mut state = rules.start();
        while let Turn::Player(who) = rules.turn(&state) {
            let decision = search(&mut uct, &erased, &state, iterations);
            let action = erased.decode(decision.action);
            let mut chosen = state.clone();
            rules.apply(&mut chosen, Step::Moves(&[(who, action)]));
            let [best, got] = [&state, &chosen].map(|s| exact(&**rules, s, &mut memo)[who]);
            assert_eq!(got, best, "{} in {state:?}", rules.action_name(action));
            tested += 1;
            random_step(&**rules, &mut state, &mut rng, &mut scratch);
        }
    }
    assert!(tested > 50, "only {tested} positions");
}

#[test]
fn uct_plays_tic_tac_toe_perfectly() {
    assert_plays_perfectly(SmallMnk::from_params(&params(&mnk::ABOUT, "")).unwrap(), 12, 20_000);
}

#[test]
fn uct_plays_small_connect_four_perfectly() {
    let game = ConnectFour::from_params(&params(&connect_four::ABOUT, "columns=4,rows=4,connect=3")).unwrap();
    assert_plays_perfectly(game, 8, 30_000);
}

#[test]
fn a_search_reports_what_it_did() {
    let game = Erased::new(SmallMnk::from_params(&params(&mnk::ABOUT, "")).unwrap());
    let mut uct = UctSearch::new(&model(&game), 0.7);
    let report = search(&mut uct, &game, &game.game().start(), 1000).report;
    assert_eq!(report.iterations, 1000);
    assert_eq!(report.moves.iter().map(|m| m.visits).sum::<u64>(), 1000);
    assert_eq!(report.nodes, 1001, "one node per iteration, as the game cannot end so early");
    assert!((2..=9).contains(&report.depth));
    let best = report.moves.iter().max_by_key(|m| m.visits).unwrap();
    let values = best.values.as_ref().unwrap();
    assert!((values[Player(0)] + values[Player(1)] - 1.0).abs() < 1e-9);
}

#[test]
fn the_same_seed_gives_the_same_search() {
    let game = Erased::new(SmallMnk::from_params(&params(&mnk::ABOUT, "")).unwrap());
    let run = |seed| {
        let mut uct = UctSearch::new(&model(&game), 0.7);
        uct.seed(Seed(seed));
        search(&mut uct, &game, &game.game().start(), 500).report.moves
    };
    assert_eq!(run(1), run(1));
    assert_ne!(run(1), run(2));
}

/// One player takes 0.6 for sure, or throws a coin for 0 or 1 whose sides may differ in weight.
struct Gamble {
    heads: f64,
}

#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, serde::Serialize, serde::Deserialize)]
enum Stage {
    Choice,
    Coin,
    Over(u8),
}

impl Rules for Gamble {
    type State = Stage;
    type Action = bool;
    type Outcome = bool;

    fn facts(&self) -> Facts {
        Facts { chance: Chance::Listed, utility: Utility::General, ..Facts::open(1, 2) }
    }
    fn start(&self) -> Stage {
        Stage::Choice
    }
    fn turn(&self, s: &Stage) -> Turn {
        match s {
            Stage::Choice => Turn::Player(Player(0)),
            Stage::Coin => Turn::Chance,
            Stage::Over(_) => Turn::Terminal,
        }
    }
    fn actions(&self, _s: &Stage, _who: Player, out: &mut Vec<bool>) {
        out.extend([false, true]);
    }
    fn chance(&self, _s: &Stage, out: &mut Vec<(bool, f64)>) {
        out.extend([(true, self.heads), (false, 1.0 - self.heads)]);
    }
    fn apply(&self, s: &mut Stage, step: Step<'_, Self>) {
        *s = match step {
            Step::Chance(true) => Stage::Over(10),
            Step::Chance(false) => Stage::Over(0),
            Step::Moves(moves) if moves[0].1 => Stage::Coin,
            Step::Moves(_) => Stage::Over(6),
        };
    }
    fn observe(&self, _b: &Stage, _step: Step<'_, Self>, _by: Observer) -> Option<Observation> {
        None
    }
    fn rewards(&self, s: &Stage) -> Rewards {
        let Stage::Over(tenths) = s else { return [0.0].into_iter().collect() };
        [f64::from(*tenths) / 10.0].into_iter().collect()
    }
    fn code(&self, action: bool) -> u64 {
        action.into()
    }
}

impl Notation for Gamble {
    fn action_name(&self, action: bool) -> String {
        action.to_string()
    }
    fn parse_action(&self, name: &str) -> Option<bool> {
        name.parse().ok()
    }
}

impl FastPlay for Gamble {
    fn codes(&self) -> Option<usize> {
        Some(2)
    }
}

impl PerfectInformation for Gamble {}

/// Equally likely outcomes take turns: after an even number of visits both have come up as often
/// (`ismcts/3.6`). Others are drawn by their weights.
#[test]
fn chance_in_the_tree_is_balanced_if_even_and_drawn_if_not() {
    for (heads, tolerance, gambles) in [(0.5, 1e-9, false), (0.8, 0.05, true)] {
        let game = Erased::new(Gamble { heads });
        let mut uct = UctSearch::new(&model(&game), 0.7);
        let decision = search(&mut uct, &game, &Stage::Choice, 2001);
        assert_eq!(game.decode(decision.action), gambles);
        let gamble = &decision.report.moves[1];
        let even = gamble.visits / 2 * 2;
        let mean = gamble.values.as_ref().unwrap()[Player(0)];
        let slack = if even == gamble.visits { 0.0 } else { 1.0 / gamble.visits as f64 };
        assert!((mean - heads).abs() <= tolerance + slack, "{mean} for {heads}");
    }
}

/// Against random answers in Kuhn poker: with the king a call wins 2 for sure and folding loses 1; with the
/// jack a call loses 2.
#[test]
fn flat_monte_carlo_averages_over_worlds() {
    let game = Erased::any(KuhnPoker);
    for allocation in [Allocation::Even, Allocation::default()] {
        let mut flat = FlatMc::new(&game, allocation);
        for (words, value, name) in [("J K bet", 2.0, "call"), ("K J bet", -1.0, "fold")] {
            let decision = flat.act(&infoset(&game, words, Player(1)), &Budget::iterations(1000)).unwrap();
            assert_eq!(game.move_name(decision.action), name);
            let best = decision.report.moves.iter().find(|m| m.action == decision.action).unwrap();
            assert_eq!(best.values.as_ref().unwrap()[Player(1)], value);
        }
        // With the queen the other holds jack or king equally often, so that a call is worth 0.
        let decision = flat.act(&infoset(&game, "J Q bet", Player(1)), &Budget::iterations(4000)).unwrap();
        assert_eq!(game.move_name(decision.action), "call");
        let call = &decision.report.moves[1];
        assert!(call.values.as_ref().unwrap()[Player(1)].abs() < 0.15);
    }
}

#[test]
fn even_allocation_visits_all_moves_alike() {
    let game = Erased::any(KuhnPoker);
    let mut flat = FlatMc::new(&game, Allocation::Even);
    let report = flat.act(&infoset(&game, "J Q", Player(0)), &Budget::iterations(1001)).unwrap().report;
    assert_eq!(report.moves.iter().map(|m| m.visits).collect::<Vec<_>>(), [501, 500]);
}

#[test]
fn budgets_are_kept() {
    let game = Erased::any(SmallMnk::from_params(&params(&mnk::ABOUT, "m=5,n=5,k=4")).unwrap());
    let mut uct = Uct::new(&game, UctSearch::new(&game, 0.7));
    let info = infoset(&game, "", Player(0));
    let timed = Budget { time: Some(std::time::Duration::from_millis(50)), ..Budget::default() };
    let report = uct.act(&info, &timed).unwrap().report;
    assert!(report.time.as_millis() < 500 && report.iterations > 100, "{report:?}");
    let stopped = Budget { stop: Some(Arc::new(true.into())), ..Budget::default() };
    assert!(uct.act(&info, &stopped).unwrap().report.iterations < 100);
    let both = Budget { iterations: Some(77), ..timed };
    assert_eq!(uct.act(&info, &both).unwrap().report.iterations, 77);
}

/// `ismcts/7.1`: exploration constants are meant for rewards in [0, 1], so a search does not mind whether a win,
/// a draw and a loss are written as 1, 1/2, 0 or as 1, 0, -1.
#[test]
fn the_scale_of_the_rewards_does_not_matter() {
    let games = ["reward=unit", "reward=signed"]
        .map(|text| Erased::any(SmallMnk::from_params(&params(&mnk::ABOUT, text)).unwrap()));
    for seed in 0..10 {
        let by_uct =
            games.each_ref().map(|game| visits(Uct::new(game, UctSearch::new(game, 0.7)), game, seed));
        assert_eq!(by_uct[0], by_uct[1], "UCT, seed {seed}");
        let by_flat =
            games.each_ref().map(|game| visits(FlatMc::new(game, Allocation::Ucb1(0.7)), game, seed));
        assert_eq!(by_flat[0], by_flat[1], "flat Monte Carlo, seed {seed}");
    }
}

/// How often an agent tries each move where O must answer a corner.
fn visits(mut agent: impl Agent, game: &Arc<dyn Model>, seed: u64) -> Vec<u64> {
    agent.start(Player(1), Seed(seed));
    let report = agent.act(&infoset(game, "a1", Player(1)), &Budget::iterations(1000)).unwrap().report;
    report.moves.iter().map(|m| m.visits).collect()
}

/// `ismcts/7.13`: of three moves worth the same, tried equally often, each is played by some seeds.
#[test]
fn ties_in_the_final_move_are_broken_at_random() {
    let game = Erased::any(Tree::from_json(ALL_ALIKE).unwrap());
    let by_uct = |seed| decide(Uct::new(&game, UctSearch::new(&game, 0.7)), &game, seed);
    let by_flat = |seed| decide(FlatMc::new(&game, Allocation::Ucb1(0.7)), &game, seed);
    let by_even = |seed| decide(FlatMc::new(&game, Allocation::Even), &game, seed);
    let by_ismcts = |seed| decide(Ismcts::new(&game, SEVERAL_TREES), &game, seed);
    for decide in [&by_uct as &dyn Fn(u64) -> _, &by_flat, &by_even, &by_ismcts] {
        let mut chosen = HashMap::new();
        for seed in 0..300 {
            let decision: Decision = decide(seed);
            assert!(decision.report.moves.iter().all(|m| m.visits == 2), "{:?}", decision.report.moves);
            *chosen.entry(game.move_name(decision.action)).or_insert(0) += 1;
        }
        assert!(chosen.len() == 3 && chosen.values().all(|n| (70..=130).contains(n)), "{chosen:?}");
    }
}

const ALL_ALIKE: &str = r#"{"title": "All alike", "players": ["one"], "root": {"player": "one", "infoset": "root", "moves": [
    {"move": "a", "then": {"rewards": [1]}},
    {"move": "b", "then": {"rewards": [1]}},
    {"move": "c", "then": {"rewards": [1]}}
]}}"#;

const SEVERAL_TREES: Config = Config { memory: 1 << 20, ..Config::new(Observers::Multiple) };

/// What an agent decides at the start with two tries for each of three moves.
fn decide(mut agent: impl Agent, game: &Arc<dyn Model>, seed: u64) -> Decision {
    agent.start(Player(0), Seed(seed));
    agent.act(&infoset(game, "", Player(0)), &Budget::iterations(6)).unwrap()
}

/// Keys and events agree, whichever way they are made.
#[test]
fn events_extend_to_the_same_key() {
    let typed = KuhnPoker;
    let mut line = fogtree_core::Line::start(&typed);
    let game = Erased::any(KuhnPoker);
    let mut table = Table::start(&game);
    for word in ["K", "J", "check", "bet", "call"] {
        let before = *line.state();
        line.play_words(&typed, [word]).unwrap();
        let ply = line.plies().last().unwrap().clone();
        let keys: Vec<Key> = Player::all(2).map(|p| table.infoset(p).key).collect();
        table.play_words(word);
        for (p, mut key) in Player::all(2).zip(keys) {
            for event in events_of(&typed, &before, ply.step(), Observer::Seat(p)) {
                key = event.extend(key);
            }
            assert_eq!(key, line.key(Observer::Seat(p)));
            assert_eq!(key, table.infoset(p).key);
        }
    }
}

/// A search without memory goes on, plays legal moves, and still learns from the moves it has room for.
#[test]
fn a_search_without_memory_goes_on() {
    let game = Erased::any(ConnectFour::from_params(&params(&connect_four::ABOUT, "")).unwrap());
    let start = game.start();
    let search = |memory| {
        let mut uct = UctSearch::new(&game, 0.7).with_memory(memory);
        uct.search(&*start, Player(0), &legal(&*start, Player(0)), &Budget::iterations(20_000)).report
    };
    let (free, tight) = (search(1 << 30), search(1 << 16));
    assert_eq!((free.iterations, tight.iterations), (20_000, 20_000));
    assert!(
        tight.bytes.unwrap() <= 1 << 16 && tight.nodes < free.nodes / 4,
        "{:?} {}",
        tight.bytes,
        tight.nodes
    );
    assert_eq!(tight.moves.iter().map(|m| m.visits).sum::<u64>(), 20_000);
}

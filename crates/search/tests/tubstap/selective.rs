//! Alpha-beta that looks at few moves: SatD2 (`tubstap/2.9`, `tubstap/2.10`).

use std::sync::atomic::AtomicBool;
use std::time::{Duration, Instant};

use fogtree_core::Selective;
use fogtree_games::mnk;
use fogtree_games::phantom_mnk::{self, Hidden, PhantomMnk};
use fogtree_search::AlphaBeta;
use fogtree_search::exact::alpha_beta::Settings as Look;

use super::planners::Pairs;
use super::*;
use crate::common;

/// SatD2 in so many worlds of so many nodes.
pub(crate) fn sat_d2(game: &Arc<dyn Model>, worlds: u64, nodes: u64) -> Pimc<AlphaBeta> {
    let evaluation = Policy::find(tubstap::EVALUATIONS, "exchanges");
    let search = AlphaBeta::new(game, Look { nodes, evaluation, ..Look::default() });
    let division = Division { determinizations: Some(worlds), iterations: 1 };
    Pimc::new(game, search, division, Vote::WeightedMajority)
}

/// Tic-tac-toe is drawn, and one who looks to the end cannot be beaten; before the answer two ones look best at pairs,
/// after it one does.
#[test]
fn alpha_beta_is_minimax_as_far_as_it_looks() {
    let board = Erased::any(mnk::Mnk::<1>::from_params(&common::params(&mnk::ABOUT, "m=3,n=3,k=3")).unwrap());
    let far = Look { turns: 9, nodes: 10_000_000, ..Look::default() };
    let info = common::infoset(&board, "", Player(0));
    let start = board.start();
    let decision = AlphaBeta::new(&board, far).search(&*start, Player(0), &info.legal, &Budget::default());
    let (low, high) = board.facts().utility_bounds;
    let value = decision.report.moves.iter().find_map(|m| m.values.as_ref()).unwrap()[Player(0)];
    assert_eq!(value, (low + high) / 2.0);

    let rules = Erased::new(Pairs);
    let any = model(&rules);
    for (turns, sum) in [(1, 2), (2, 1), (5, 1)] {
        let look = Look { turns, ..Look::default() };
        let mut played = Played::start(&rules);
        for _ in 0..2 {
            let (info, budget) = (played.info(), Budget::default());
            let mut search = AlphaBeta::new(&any, look);
            let decision = search.search(&*played.table.world, Player(0), &info.legal, &budget);
            played.play(decision.action);
        }
        assert_eq!(played.state().iter().sum::<u8>(), sum, "{turns} turns");
    }
    let mine = |state: Vec<u8>| {
        let world = rules.world(state);
        let legal = legal(&*world, Player(1));
        let mut search = AlphaBeta::new(&any, Look::default());
        rules.decode(search.search(&*world, Player(1), &legal, &Budget::default()).action)
    };
    assert_eq!(mine(vec![1, 1]), 0, "the second player wants what the first fears");
    assert_eq!(mine(vec![1, 1, 0]), 0);
}

/// The same by trying everything that is selected, without bounds.
fn slow(game: &Tubstap, state: &tubstap::State, me: Player, place: (u16, u32, u32), until: u16) -> f64 {
    let Turn::Player(who) = game.turn(state) else { return game.rewards(state)[me] };
    let now = state.inner.turn();
    if now >= until {
        return game.evaluate(None, state, me).unwrap();
    }
    let (orders, made) = if now == place.0 { (vec![place.1], place.2) } else { (vec![0, 1], 0) };
    let mut values = Vec::new();
    for order in orders {
        let mut moves = Vec::new();
        game.candidates(state, who, Selective { order, made, answering: who != me }, &mut moves);
        for action in moves {
            let mut next = state.clone();
            game.apply(&mut next, Step::Moves(&[(who, action)]));
            values.push(slow(game, &next, me, (now, order, made + 1), until));
        }
    }
    let worst = values.iter().copied().fold(f64::INFINITY, f64::min);
    let best = values.iter().copied().fold(f64::NEG_INFINITY, f64::max);
    if who == me { best } else { worst }
}

/// Bounds and widening change nothing: on positions of a small map the value is that of trying everything that the
/// game selects over one's turn and the answer.
#[test]
fn selected_moves_are_searched_exactly() {
    let open = game("map=pass,fog=off,evaluation=exchanges");
    let look = Look { nodes: 10_000_000, ..Look::default() };
    let mut rng = Seed(9).stream(Purpose::Deal);
    let mut fresh = 0;
    for _ in 0..12 {
        let mut played = Played::start(&open);
        let moves = rng.below(10);
        for _ in 0..moves {
            if played.mover().is_some() {
                let legal = played.info().legal;
                played.play(*rng.pick(&legal));
            }
        }
        let Some(me) = played.mover() else { continue };
        let (info, world) = (played.info(), &*played.table.world);
        let decision = AlphaBeta::new(&info.game, look).search(world, me, &info.legal, &Budget::default());
        let found = decision.report.moves.iter().find_map(|m| m.values.as_ref()).unwrap()[me];
        let state = played.state();
        let now = state.inner.turn();
        // The search begins with either order, wherever in the turn it is asked.
        let expected = slow(open.game(), state, me, (now + 1000, 0, 0), now + 2);
        assert!((found - expected).abs() < 1e-12, "{found} {expected}");
        assert!(decision.report.depth <= 2, "no further than the answer");
        fresh += u32::from(decision.report.nodes > 50);
    }
    assert!(fresh >= 5, "some searches are worth it");
}

/// It beats random play in the fog, and at tic-tac-toe, where the game selects nothing; and plays it blindfolded.
#[test]
fn alpha_beta_beats_random_play() {
    let map = game("map=map01");
    let won: f64 = (0..6u8)
        .map(|seed| {
            let me = Player(seed % 2);
            let clever: Box<dyn Agent> = Box::new(sat_d2(&model(&map), 2, 1000));
            let random: Box<dyn Agent> = Box::new(PolicyPlayer::new(&model(&map), None));
            let agents = if me == Player(0) { [clever, random] } else { [random, clever] };
            contest(&map, agents, 10, u64::from(seed))[me]
        })
        .sum();
    assert!(won >= 5.0, "{won} of 6");

    let board = Erased::any(mnk::Mnk::<1>::from_params(&common::params(&mnk::ABOUT, "m=3,n=3,k=3")).unwrap());
    let division = Division { determinizations: Some(1), iterations: 1 };
    let search = AlphaBeta::new(&board, Look { turns: 9, nodes: 5000, ..Look::default() });
    let mut clever = Pimc::new(&board, search, division, Vote::WeightedMajority);
    let mut random = PolicyPlayer::new(&board, None);
    let (low, high) = board.facts().utility_bounds;
    let won: f64 = (0..20u8)
        .map(|seed| {
            let agents: [&mut dyn Agent; 2] = [&mut clever, &mut random];
            common::play(&board, agents, Player(seed % 2), Seed(seed.into()), 1)
        })
        .map(|reward| (reward - low) / (high - low))
        .sum();
    assert!(won >= 15.0, "{won} of 20");

    let phantom = PhantomMnk::<Hidden>::from_params(&common::params(&phantom_mnk::ABOUT, "")).unwrap();
    let phantom = Erased::any(phantom);
    let search = AlphaBeta::new(&phantom, Look { turns: 3, nodes: 500, ..Look::default() });
    let division = Division { determinizations: Some(4), iterations: 1 };
    let mut clever = Pimc::new(&phantom, search, division, Vote::WeightedMajority);
    let mut random = PolicyPlayer::new(&phantom, None);
    for seed in 0..4u8 {
        let agents: [&mut dyn Agent; 2] = [&mut clever, &mut random];
        common::play(&phantom, agents, Player(seed % 2), Seed(seed.into()), 100);
    }
}

/// A decision follows from the seed; nodes, time and the flag that stops a search are kept.
#[test]
fn alpha_beta_keeps_to_its_budget() {
    let map = game("");
    let info = Played::start(&map).info();
    let decide = |nodes, budget: &Budget| {
        let mut agent = sat_d2(&model(&map), 3, nodes);
        agent.start(Player(0), Seed(5));
        agent.act(&info, budget).unwrap()
    };
    let [a, b] = [0, 0].map(|_| decide(500, &Budget::default()));
    assert_eq!((a.action, a.report.nodes), (b.action, b.report.nodes));
    assert!(a.report.nodes <= 3 * 501 && a.report.nodes > 500, "{}", a.report.nodes);
    assert_eq!(decide(500, &Budget::iterations(2)).report.iterations, 2, "as many worlds");
    let began = Instant::now();
    let timed = Budget { time: Some(Duration::from_millis(40)), ..Budget::default() };
    decide(1 << 40, &timed);
    let stopped = Budget { stop: Some(Arc::new(AtomicBool::new(true))), ..Budget::default() };
    assert!(info.legal.contains(&decide(1 << 40, &stopped).action));
    assert!(began.elapsed() < Duration::from_secs(3), "{:?}", began.elapsed());
}

//! Searches from one player's view, and IS-MCTS of players who forget, on games of pursuit small enough to be solved.

mod common;

use std::collections::BTreeSet;
use std::ops::ControlFlow;
use std::sync::Arc;

use fogtree_core::{
    Agent, AgentFailure, Budget, Decision, Erased, Game, InfoSet, InfoTree, Model, Observer, Player, Policy,
    Purpose, Rng, Rules, Seed, Turn, WorldStep,
};
use fogtree_games::visibility_pursuit::{self, Action, Info, VisibilityPursuit};
use fogtree_search::info_tree::{Leaf, Method, Opponent, Settings};
use fogtree_search::is_mcts::{self, Recall, Selection};
use fogtree_search::{InfoTreePlayer, IsMcts, Random};
use fogtree_solve::lp::{SequenceSolution, solve_sequence_form};
use fogtree_solve::{Compiled, Evaluation, Profile};

use common::{Table, infoset, legal, model, params, play};

const EVADER: Player = Player(0);
const PURSUERS: Player = Player(1);
const RLA: usize = 0;
const URLA: usize = 1;
const MEAN: usize = 3;
/// Round two pillars, with one pursuer who sees but one cell far and so may lose the evader.
const PILLARS: &str = "map=...../.#.#./.....,range=1,pursuers=1,start=[3.1,1.3],unseen=known";

fn game(text: &str) -> Erased<VisibilityPursuit> {
    Erased::new(
        VisibilityPursuit::from_params(&params(&visibility_pursuit::ABOUT, text)).expect("it can be built"),
    )
}

fn minimax(opponent: Opponent, evaluation: usize) -> Settings {
    Settings { method: Method::Minimax { least: 1 }, opponent, evaluation }
}

fn uct(c: f64, evaluation: usize) -> Settings {
    Settings { method: Method::Uct { c, leaf: Leaf::Evaluate }, opponent: Opponent::Paranoid, evaluation }
}

/// The value of what is known to so many turns, without any pruning.
fn plainly(game: &VisibilityPursuit, known: &Info, turns: u32, opponent: Opponent, evaluation: usize) -> f64 {
    let mut legal = Vec::new();
    InfoTree::actions(game, known, &mut legal);
    if turns == 0 || legal.is_empty() {
        return InfoTree::evaluate(game, evaluation, known);
    }
    let values = legal.iter().map(|&action| after(game, known, action, turns, opponent, evaluation));
    values.fold(f64::NEG_INFINITY, f64::max)
}

fn after(
    game: &VisibilityPursuit,
    known: &Info,
    action: Action,
    turns: u32,
    opponent: Opponent,
    evaluation: usize,
) -> f64 {
    let mut values = Vec::new();
    game.after(known, action, &mut |next| {
        values.push(plainly(game, next, turns - 1, opponent, evaluation));
        ControlFlow::Continue(())
    });
    match opponent {
        Opponent::Paranoid => values.into_iter().fold(f64::INFINITY, f64::min),
        Opponent::Overconfident => values.iter().sum::<f64>() / values.len() as f64,
    }
}

/// Plays a random step.
fn step(table: &mut Table, rng: &mut Rng) {
    table.draw(rng);
    let moves = [EVADER, PURSUERS].map(|seat| (seat, *rng.pick(&legal(&*table.world, seat))));
    table.play(WorldStep::Moves(&moves));
}

/// The information set of a seat some random steps into a game.
fn somewhere(game: &Arc<dyn Model>, seat: Player, steps: usize, rng: &mut Rng) -> InfoSet {
    let mut table = Table::start(game);
    for _ in 0..steps {
        step(&mut table, rng);
    }
    table.infoset(seat)
}

fn act(settings: Settings, info: &InfoSet, n: u64) -> Decision {
    let mut agent = InfoTreePlayer::new(&info.game, settings);
    agent.start(info.seat, Seed(1));
    agent.act(info, &Budget::iterations(n)).unwrap()
}

/// What each move is worth by the tree to so many turns, without any pruning.
fn values(
    game: &Erased<VisibilityPursuit>,
    info: &InfoSet,
    turns: u32,
    opponent: Opponent,
    evaluation: usize,
) -> Vec<f64> {
    let known = info.known.downcast().expect("it is known in this game");
    let value = |&mv| after(game.game(), known, game.decode(mv), turns, opponent, evaluation);
    info.legal.iter().map(value).collect()
}

/// Alpha-beta changes nothing but the time it takes.
#[test]
fn minimax_finds_what_plain_minimax_finds() {
    let game = game(&format!("{PILLARS},steps=5"));
    let mut rng = Seed(1).stream(Purpose::Sampling);
    for opponent in [Opponent::Paranoid, Opponent::Overconfident] {
        for seat in [EVADER, PURSUERS] {
            for (steps, evaluation) in [(2, RLA), (2, URLA), (3, MEAN), (3, RLA), (4, URLA)] {
                let info = somewhere(&model(&game), seat, steps, &mut rng);
                let left = 5 - steps as u32;
                let values = values(&game, &info, left, opponent, evaluation);
                let best = values.iter().copied().fold(f64::NEG_INFINITY, f64::max);
                let decision = act(minimax(opponent, evaluation), &info, 10_000_000);
                assert_eq!(decision.report.depth, left, "it looks to the end of the game");
                let chosen = info.legal.iter().position(|&a| a == decision.action).unwrap();
                assert!((values[chosen] - best).abs() < 1e-9, "{opponent:?} {seat} {values:?}: {chosen}");
            }
        }
    }
}

/// `equilibrium/2.6.5`: the last depth that was finished decides; if the first is not, the move is random.
#[test]
fn a_search_that_comes_to_nothing_moves_at_random() {
    let game = model(&game("steps=100,unseen=known"));
    let info = infoset(&game, "", PURSUERS);
    let least = |least| Settings { method: Method::Minimax { least }, ..minimax(Opponent::Paranoid, RLA) };
    let mut moves = BTreeSet::new();
    let mut agent = InfoTreePlayer::new(&game, least(3));
    for seed in 0..40 {
        agent.start(PURSUERS, Seed(seed));
        let decision = agent.act(&info, &Budget::iterations(5)).unwrap();
        assert_eq!(decision.report.depth, 0);
        moves.insert(decision.action);
    }
    assert!(moves.len() > info.legal.len() / 2, "{} of {} moves", moves.len(), info.legal.len());
    assert!(act(least(1), &info, 100_000).report.depth >= 1);
}

/// Bounds find the move that minimax finds.
#[test]
fn bounds_approach_minimax() {
    let game = game(&format!("{PILLARS},steps=4"));
    let mut rng = Seed(2).stream(Purpose::Sampling);
    for seat in [EVADER, PURSUERS] {
        for steps in [1, 2, 3] {
            let info = somewhere(&model(&game), seat, steps, &mut rng);
            let values = values(&game, &info, 4 - steps as u32, Opponent::Paranoid, MEAN);
            let best = values.iter().copied().fold(f64::NEG_INFINITY, f64::max);
            let decision = act(uct(0.2, MEAN), &info, 30_000);
            let chosen = info.legal.iter().position(|&a| a == decision.action).unwrap();
            assert!(
                (values[chosen] - best).abs() < 1e-9,
                "{seat} after {steps}: {values:?}, {:?}",
                decision.report.moves
            );
        }
    }
}

/// Simulations, evaluations and the overconfident opponent all lead to legal moves, the same for the same seed.
#[test]
fn the_same_seed_gives_the_same_search() {
    let game = model(&game("map=road,steps=40,start=3"));
    let mut rng = Seed(3).stream(Purpose::Sampling);
    for seat in [EVADER, PURSUERS] {
        let info = somewhere(&game, seat, 11, &mut rng);
        for opponent in [Opponent::Paranoid, Opponent::Overconfident] {
            for leaf in
                [Leaf::Evaluate, Leaf::Simulate { which: 0, depth: 8 }, Leaf::Simulate { which: 1, depth: 8 }]
            {
                let settings = Settings { method: Method::Uct { c: 2.0, leaf }, opponent, evaluation: RLA };
                let twice = [0, 1].map(|_| act(settings, &info, 300));
                assert_eq!(twice[0].action, twice[1].action);
                assert_eq!(twice[0].report.nodes, twice[1].report.nodes);
                assert!(info.legal.contains(&twice[0].action) && twice[0].report.iterations == 300);
            }
        }
    }
}

fn solved(game: &VisibilityPursuit) -> (Compiled, SequenceSolution) {
    let compiled = Compiled::of(game, 2_000_000).expect("it is small enough");
    let solution = solve_sequence_form(&compiled).expect("what one wins the other loses");
    assert!(solution.evaluation.nash_conv() < 1e-4, "{:?}", solution.evaluation);
    (compiled, solution)
}

/// Paranoia guarantees the pursuers less than they could have, and what it guarantees it keeps against everybody: the
/// value of the tree to its end bounds every single game, and lies above the value of the game.
#[test]
fn minimax_keeps_what_it_guarantees() {
    let game = game(&format!("{PILLARS},steps=4"));
    let (_, solution) = solved(game.game());
    let (rules, game) = (game.game(), model(&game));
    let root = InfoTree::root(&**rules, &rules.info(&rules.start(), Observer::Seat(PURSUERS)));
    let guaranteed = 10f64.powf(-plainly(rules, &root, 4, Opponent::Paranoid, MEAN));
    println!("the game is worth {}, paranoia guarantees {guaranteed}", solution.value);
    assert!(solution.value <= guaranteed + 1e-6);
    let mut pursuers = InfoTreePlayer::new(&game, minimax(Opponent::Paranoid, MEAN));
    let mut random = Random::default();
    let mut greedy = InfoTreePlayer::new(&game, minimax(Opponent::Paranoid, RLA));
    for seed in 0..40 {
        let evader: &mut dyn Agent = if seed % 2 == 0 { &mut random } else { &mut greedy };
        let paid = play(&game, [evader, &mut pursuers], EVADER, Seed(seed), 1_000_000);
        assert!(paid <= guaranteed + 1e-9, "{paid} in game {seed}");
    }
}

/// What each player of chapter 5 loses against an opponent that plays its equilibrium. Nobody wins more than the value
/// of the game there, and all lose less than random play. The evader that searches its own view by bounds judges by what
/// was paid so far, as in the source; by relaxed look-ahead it does worse than random play.
#[test]
fn optimal_play_is_the_yardstick() {
    const GAMES: u64 = 150;
    let game = game(&format!("{PILLARS},steps=4"));
    let (compiled, solution) = solved(game.game());
    let game = model(&game);
    let optimum = |seat| Fixed::new(&compiled, &solution.profile, seat);
    let forgetful = is_mcts::Settings {
        selection: Selection::Ruct { c: 0.1, tau: 0.001 },
        recall: Recall::Abstract,
        ..is_mcts::Settings::default()
    };
    for seat in [EVADER, PURSUERS] {
        let worth = if seat == EVADER { solution.value } else { -solution.value };
        let mean = |agent: &mut dyn Agent| {
            let mut other = optimum(seat.other());
            let games = (0..GAMES).map(|n| play(&game, [agent, &mut other], seat, Seed(n), 2000));
            games.sum::<f64>() / GAMES as f64 - worth
        };
        let random = mean(&mut Random::default());
        let mm = mean(&mut InfoTreePlayer::new(&game, minimax(Opponent::Paranoid, URLA)));
        let evaluation = if seat == EVADER { MEAN } else { RLA };
        let so = mean(&mut InfoTreePlayer::new(&game, uct(2.0, evaluation)));
        let mo = mean(&mut IsMcts::new(&game, forgetful));
        println!("{seat}: worth {worth:.3}, random {random:.3}, mm {mm:.3}, so {so:.3}, mo {mo:.3}");
        for (name, lost) in [("mm", mm), ("so", so), ("mo", mo)] {
            assert!(lost < 0.1, "{name} wins {lost} more than there is to win");
            assert!(lost > random, "{name} loses {lost}, random play {random}");
        }
    }
}

/// Plays given strategies.
#[derive(Debug)]
struct Fixed<'a> {
    compiled: &'a Compiled,
    profile: &'a Profile,
    seat: Player,
    rng: Rng,
}

impl<'a> Fixed<'a> {
    fn new(compiled: &'a Compiled, profile: &'a Profile, seat: Player) -> Self {
        Fixed { compiled, profile, seat, rng: Seed(0).stream(Purpose::Ties) }
    }
}

impl Agent for Fixed<'_> {
    fn start(&mut self, _: Player, seed: Seed) {
        self.rng = seed.stream(Purpose::Ties);
    }

    fn act(&mut self, info: &InfoSet, _: &Budget) -> Result<Decision, AgentFailure> {
        let set = self.compiled.treeplex(self.seat).find(info.key).expect("it is in the game");
        let likely = self.profile.at(self.compiled, self.seat, set);
        let action = info.legal[self.rng.weighted(likely.iter().copied())];
        Ok(Decision { action, report: fogtree_core::Report::default() })
    }
}

/// Uniform play can be exploited by what best responses gain, equilibria cannot: the compiled game and the rewards agree.
#[test]
fn small_games_are_solved() {
    for (text, steps) in
        [(PILLARS, 3), (PILLARS, 4), ("map=.../.#./...,range=1,pursuers=1,start=[1.1,3.1],unseen=known", 3)]
    {
        let game = game(&format!("{text},steps={steps}"));
        let (compiled, solution) = solved(game.game());
        let uniform = Evaluation::of(&compiled, &Profile::uniform(&compiled));
        println!("{text}: {} nodes, value {}, uniform {:?}", compiled.nodes().len(), solution.value, uniform);
        assert!(uniform.nash_conv() > 0.1);
        assert!(solution.value >= 1.0, "the evader is always somewhere");
    }
}

/// `equilibrium/2.6.4` and `2.6.5`: players who forget track places, not paths: the believed places of the evader are
/// exactly its region, once each, however many paths lead there.
#[test]
fn forgetful_beliefs_are_about_places() {
    let game =
        game("map=...../.#.#./...../.#.#./.....,range=1,steps=14,pursuers=1,start=[3.3,1.1],unseen=known");
    let settings = is_mcts::Settings { recall: Recall::Abstract, ..is_mcts::Settings::default() };
    let mut agent = IsMcts::new(&model(&game), settings);
    let mut rng = Seed(5).stream(Purpose::Sampling);
    agent.start(PURSUERS, Seed(1));
    let mut table = Table::start(&model(&game));
    let mut most = 0;
    while table.world.turn() != Turn::Terminal {
        agent.act(&table.infoset(PURSUERS), &Budget::iterations(200)).unwrap();
        let believed: Vec<u16> = agent.believed().map(|(world, _)| game.state(world).evader()).collect();
        let places: BTreeSet<u16> = believed.iter().copied().collect();
        assert_eq!(places.len(), believed.len(), "each place once");
        assert_eq!(places, game.state(&*table.world).region().iter().collect());
        let sum: f64 = agent.believed().map(|(_, p)| p).sum();
        assert!((sum - 1.0).abs() < 1e-9);
        most = most.max(places.len());
        step(&mut table, &mut rng);
    }
    assert!(most > 3, "the evader was lost at some time");
}

/// Where pairs of pursuers may be in too many places, worlds are drawn instead, and tracking goes on from them.
#[test]
fn too_many_states_are_drawn_anew() {
    let game = model(&game("steps=30,start=4"));
    let settings = is_mcts::Settings {
        recall: Recall::Abstract,
        playout: is_mcts::Playout { policy: Policy::find(game.policies(), "no-return"), cutoff: Some(10) },
        ..is_mcts::Settings::default()
    };
    let mut agent = IsMcts::new(&game, settings);
    let mut rng = Seed(6).stream(Purpose::Sampling);
    agent.start(EVADER, Seed(1));
    let mut table = Table::start(&game);
    table.draw(&mut rng);
    for _ in 0..8 {
        let info = table.infoset(EVADER);
        let decision = agent.act(&info, &Budget::iterations(100)).unwrap();
        assert!(info.legal.contains(&decision.action));
        let sum: f64 = agent.believed().map(|(_, p)| p).sum();
        assert!((sum - 1.0).abs() < 1e-9);
        for (world, _) in agent.believed().take(50) {
            assert_eq!(world.info(Observer::Seat(EVADER)), info.known);
        }
        step(&mut table, &mut rng);
    }
}

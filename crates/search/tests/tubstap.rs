//! The agents of TUBSTAP: what games know of themselves, used by searches that know no game.

use std::sync::Arc;

use fogtree_core::{
    Agent, Budget, Decision, Erased, Evaluations, Extras, Facts, FastPlay, Horizon, InfoSet, Model, Move,
    Notation, Observation, Observer, PerfectInformation, Playable, Player, Policies, Policy, Purpose,
    Rewards, Rng, Rules, Seed, Selective, SelectiveSearch, Simulation, Step, Turn, WorldStep,
};
use fogtree_games::tree::Tree;
use fogtree_games::tubstap::{self, Action, POLICIES, Tubstap};
use fogtree_search::ismcts::{Config, Ismcts, Observers};
use fogtree_search::plans::{self, Planner, Replan};
use fogtree_search::uct::{Log, Others, Preload, Settings};
use fogtree_search::{
    Allocation, Division, Final, FlatMc, Narrow, OneTree, Pimc, PolicyPlayer, Prune, Uct, UctSearch, Vote,
    Widen,
};

mod common;
#[path = "tubstap/labels.rs"]
mod labels;
#[path = "common/properties.rs"]
#[allow(unreachable_pub, reason = "it is common")]
mod measuring;
#[path = "tubstap/planners.rs"]
mod planners;
#[path = "tubstap/properties.rs"]
mod properties;
#[path = "tubstap/selective.rs"]
mod selective;

use common::{Table, legal, micro, model};

fn game(text: &str) -> Erased<Tubstap> {
    let spec = format!("tubstap({text})").parse().unwrap();
    Erased::new(Tubstap::from_params(&tubstap::ABOUT.params(&spec).unwrap()).unwrap())
}

fn policy(name: &str) -> Option<usize> {
    Some(Policy::find(POLICIES, name).expect("the game has it"))
}

fn playouts(name: &str) -> Simulation {
    Simulation::named(POLICIES, name).unwrap()
}

/// A game as it is played, of which the true state can be seen.
struct Played<G: Playable> {
    game: Erased<G>,
    table: Table,
}

impl<G: Playable> Played<G> {
    fn start(game: &Erased<G>) -> Played<G> {
        Played { game: game.clone(), table: Table::start(&model(game)) }
    }

    fn state(&self) -> &G::State {
        self.game.state(&*self.table.world)
    }

    fn mover(&self) -> Option<Player> {
        match self.table.world.turn() {
            Turn::Player(p) => Some(p),
            _ => None,
        }
    }

    fn info(&self) -> InfoSet {
        self.table.infoset(self.mover().unwrap())
    }

    /// Makes a move, which must be legal.
    fn play(&mut self, action: Move) {
        let seat = self.mover().unwrap();
        assert!(legal(&*self.table.world, seat).contains(&action), "{}", self.game.move_name(action));
        self.table.play(WorldStep::Moves(&[(seat, action)]));
    }
}

/// Plays a game and returns the rewards.
fn contest(game: &Erased<Tubstap>, mut agents: [Box<dyn Agent>; 2], n: u64, seed: u64) -> Rewards {
    let mut played = Played::start(game);
    for (agent, p) in agents.iter_mut().zip(Player::all(2)) {
        agent.start(p, Seed(seed).number(p.index() as u64));
    }
    while let Some(mover) = played.mover() {
        let decision = agents[mover.index()].act(&played.info(), &Budget::iterations(n)).unwrap();
        played.play(decision.action);
    }
    played.table.world.rewards()
}

/// Every policy of the game plays whole games in the fog, and MaxActEval, which knows how to attack, beats play at
/// random (`tubstap/2.10`).
#[test]
fn policies_play_as_players() {
    let small = game("map=map01");
    for name in POLICIES.iter().map(|p| p.name) {
        let player = || Box::new(PolicyPlayer::new(&model(&small), policy(name)));
        contest(&small, [player(), player()], 1, 7);
    }
    let map = game("");
    let won: f64 = (0..6u8)
        .map(|seed| {
            let me = Player(seed % 2);
            let clever: Box<dyn Agent> = Box::new(PolicyPlayer::new(&model(&map), policy("max-act-eval")));
            let random: Box<dyn Agent> = Box::new(PolicyPlayer::new(&model(&map), None));
            let agents = if me == Player(0) { [clever, random] } else { [random, clever] };
            contest(&map, agents, 1, u64::from(seed))[me]
        })
        .sum();
    assert!(won >= 5.0, "{won} of 6");
}

/// A gift: the first player may take 0.4, or let the second choose between 1 and 0 for it.
struct Gift;

impl Rules for Gift {
    type State = (u8, u8);
    type Action = u8;
    type Outcome = std::convert::Infallible;

    fn facts(&self) -> Facts {
        Facts::open(2, 2)
    }
    fn start(&self) -> (u8, u8) {
        (0, 0)
    }
    fn turn(&self, s: &(u8, u8)) -> Turn {
        match s {
            (0, _) => Turn::Player(Player(0)),
            (1, 0) => Turn::Player(Player(1)),
            _ => Turn::Terminal,
        }
    }
    fn actions(&self, _: &(u8, u8), _: Player, out: &mut Vec<u8>) {
        out.extend([1, 2]);
    }
    fn apply(&self, s: &mut (u8, u8), step: Step<'_, Self>) {
        let a = step.moves()[0].1;
        if s.0 == 0 { s.0 = a } else { s.1 = a }
    }
    fn observe(&self, _: &(u8, u8), step: Step<'_, Self>, by: Observer) -> Option<Observation> {
        let (p, a) = step.moves()[0];
        (!by.is(p)).then(|| Observation::word(u64::from(a)))
    }
    fn rewards(&self, s: &(u8, u8)) -> Rewards {
        let first = match s {
            (1, 1) => 1.0,
            (1, _) => 0.0,
            _ => 0.4,
        };
        [first, 1.0 - first].into_iter().collect()
    }
    fn code(&self, a: u8) -> u64 {
        a.into()
    }
    fn extras(&self) -> Extras<'_, Gift> {
        Extras { evaluations: Some(self), policies: Some(self), selective_search: Some(self), ..Extras::NONE }
    }
}

impl Notation for Gift {
    fn action_name(&self, a: u8) -> String {
        a.to_string()
    }
    fn parse_action(&self, name: &str) -> Option<u8> {
        name.parse().ok()
    }
}

impl FastPlay for Gift {
    fn codes(&self) -> Option<usize> {
        Some(3)
    }
}

impl Evaluations<Gift> for Gift {
    fn evaluate(&self, _: Option<usize>, s: &(u8, u8), who: Player) -> Option<f64> {
        // It overrates the gift.
        let first = if s.0 == 1 { 0.75 } else { 0.4 };
        Some(if who == Player(0) { first } else { 1.0 - first })
    }
}

impl Policies<Gift> for Gift {
    fn policies(&self) -> &'static [Policy] {
        &[Policy { name: "generous", about: "" }]
    }
    fn policy_action(
        &self,
        _: usize,
        _: &(u8, u8),
        _: Player,
        _: &mut Rng,
        _: &mut fogtree_core::Scratch<Gift>,
    ) -> u8 {
        1
    }
}

impl SelectiveSearch<Gift> for Gift {
    fn move_prior(&self, _: &(u8, u8), _: Player, actions: &[u8], out: &mut Vec<f32>) {
        out.extend(actions.iter().map(|&a| if a == 2 { 1.0 } else { -1.0 }));
    }
    fn candidates(&self, _: &(u8, u8), _: Player, _: Selective, _: &mut Vec<u8>) {}
}

impl PerfectInformation for Gift {}

fn gift(settings: Settings, n: u64) -> Decision {
    let info = Played::start(&Erased::new(Gift)).info();
    assert_eq!(info.legal, [1, 2]);
    let start = info.game.start();
    UctSearch::with(&info.game, settings).search(&*start, Player(0), &info.legal, &Budget::iterations(n))
}

/// `tubstap/2.3`, H5: with the sign as it is in the stock M-UCT the searcher believes that the other helps; fixed, it
/// does not. Both go on below a move only after ten visits.
#[test]
fn stock_m_uct_hopes_for_gifts() {
    let stock = Settings {
        c: 0.15,
        patience: 10,
        log: Log::Total,
        others: Others::Searcher,
        last: Final::Mean,
        ..Settings::USUAL
    };
    let fixed = Settings { others: Others::Own, ..stock };
    assert_eq!(gift(stock, 2000).action, 1);
    assert_eq!(gift(fixed, 2000).action, 2);
    assert_eq!(gift(Settings::USUAL, 2000).action, 2);
    let depth = |n| gift(Settings { patience: 10, c: 1000.0, ..Settings::USUAL }, n).report.depth;
    assert_eq!((depth(21), depth(24)), (1, 2), "each of two moves is made eleven times before");
}

/// F-UCT (`tubstap/2.10`): moves begin with virtual wins by what the game thinks of them. The gift is overrated with
/// 0.75, so it begins with 7 wins, and the sure 0.4 with 4; as its promise says, 0 and 10. All the same the gift is
/// refused in the end, and only playouts that were made are reported.
#[test]
fn virtual_wins_guide_but_do_not_count() {
    let with = |preload, c, n| gift(Settings { preload, c, ..Settings::USUAL }, n);
    for preload in [Preload::Evaluation(None), Preload::Promise] {
        let decision = with(preload, 0.7, 2000);
        assert_eq!(decision.action, 2, "{preload:?}");
        assert_eq!(decision.report.moves.iter().map(|m| m.visits).sum::<u64>(), 2000);
    }
    let first =
        |preload| -> Vec<u64> { with(preload, 0.0, 1).report.moves.iter().map(|m| m.visits).collect() };
    assert_eq!(first(Preload::Promise), [1, 0], "what has no virtual win is tried first");
    // Without exploration: 7 of 7 and 4 of 4 wins; the refusal gives 0.4, so it is made once at most before the gift
    // has lost something too.
    let visits: Vec<u64> =
        with(Preload::Evaluation(None), 0.0, 4).report.moves.iter().map(|m| m.visits).collect();
    assert!(visits[0] >= 2, "{visits:?}");

    let open = game("map=map01,fog=off");
    let settings = Settings {
        preload: Preload::Promise,
        patience: 10,
        log: Log::Total,
        last: Final::Mean,
        simulation: playouts("attack"),
        ..Settings::USUAL
    };
    let won: f64 = (0..6u8)
        .map(|seed| {
            let me = Player(seed % 2);
            let any = model(&open);
            let search = UctSearch::with(&any, Settings { c: 0.15, ..settings });
            let clever: Box<dyn Agent> = Box::new(Uct::new(&any, search));
            let random: Box<dyn Agent> = Box::new(PolicyPlayer::new(&any, None));
            let agents = if me == Player(0) { [clever, random] } else { [random, clever] };
            contest(&open, agents, 150, u64::from(seed))[me]
        })
        .sum();
    assert!(won >= 5.0, "{won} of 6");
}

const PRUNED: Narrow = Narrow { prune: Prune::Promising, widen: Widen::Off };

/// What the game does not find promising is not looked at; the best so many are.
#[test]
fn pruned_moves_are_not_visited() {
    let visits = |prune| {
        let narrow = Narrow { prune, widen: Widen::Off };
        gift(Settings { narrow, ..Settings::USUAL }, 50)
            .report
            .moves
            .iter()
            .map(|m| m.visits)
            .collect::<Vec<_>>()
    };
    assert_eq!(visits(Prune::Promising), [0, 50]);
    assert_eq!(visits(Prune::Best(1)), [0, 50]);
    assert!(visits(Prune::Best(2)).iter().all(|&n| n > 0));
}

/// A policy in playouts, and the evaluation where playouts end, change what a move seems worth.
#[test]
fn playouts_and_horizons_are_what_was_asked_for() {
    let value = |simulation| {
        let info = Played::start(&Erased::new(Gift)).info();
        let mut flat = FlatMc::new(&info.game, Allocation::Even).with_simulation(simulation);
        flat.start(Player(0), Seed(5));
        let report = flat.act(&info, &Budget::iterations(4000)).unwrap().report;
        report.moves[0].values.as_ref().unwrap()[Player(0)]
    };
    let generous = Simulation::named(Gift.policies(), "generous").unwrap();
    assert!((value(Simulation::UNIFORM) - 0.5).abs() < 0.05);
    assert_eq!(value(generous), 1.0);
    assert_eq!(value(Simulation::UNIFORM.to(Horizon::Steps(0))), 0.75, "the evaluation of the gift");
    assert_eq!(value(generous.to(Horizon::Steps(1))), 1.0, "the game ends before the horizon");
    assert_eq!(value(generous.to(Horizon::Turns(0))), 0.75);
    assert_eq!(value(generous.to(Horizon::Turns(1))), 1.0);
    assert_eq!(Simulation::named(Gift.policies(), "mean"), None);
}

/// The other reading of PIMC (`tubstap/2.4`): one tree, in which only what is legal in the world at hand is chosen.
/// In the micro game of Whitehouse 2014, Fig. 5.10, the worlds differ in what the second player may do.
#[test]
fn one_tree_for_all_worlds() {
    let micro = micro("ismcts-b");
    let table = Table::after(&micro, "x");
    assert_eq!(table.world.turn(), Turn::Player(Player(0)));
    let info = table.infoset(Player(0));
    let mut agent = OneTree::new(&micro, UctSearch::new(&micro, 0.7));
    agent.start(info.seat, Seed(2));
    let decision = agent.act(&info, &Budget::iterations(3000)).unwrap();
    assert_eq!(decision.report.moves.iter().map(|m| m.visits).sum::<u64>(), 3000);
    assert!(decision.report.depth >= 2 && info.legal.contains(&decision.action));

    // Where there is one world it is UCT: the gift is refused.
    let rules = Erased::any(Gift);
    let mut agent = OneTree::new(&rules, UctSearch::new(&rules, 0.7));
    let info = Table::start(&rules).infoset(Player(0));
    assert_eq!(agent.act(&info, &Budget::iterations(2000)).unwrap().action, 2);
    let mut uct = Uct::new(&rules, UctSearch::new(&rules, 0.7));
    assert_eq!(uct.act(&info, &Budget::iterations(2000)).unwrap().action, 2);
}

/// Chance draws `x` or `y`, listed in another order in another world, and the player is told before it guesses; in
/// a third world it is not chance that follows but a choice of the player's own.
const DRAWS: &str = "EFG 2 R \"draws\" { \"one\" } \"\"
    c \"\" 1 \"\" { \"a\" 1/3 \"b\" 1/3 \"c\" 1/3 } 0
    p \"\" 1 1 \"\" { \"in\" \"out\" } 0
    c \"\" 2 \"\" { \"x\" 1/2 \"y\" 1/2 } 0
    p \"\" 1 2 \"\" { \"gx\" \"gy\" } 0
    t \"\" 1 \"\" { 1 }
    t \"\" 2 \"\" { 0 }
    p \"\" 1 3 \"\" { \"gx\" \"gy\" } 0
    t \"\" 2
    t \"\" 1
    t \"\" 3 \"\" { 0.8 }
    p \"\" 1 1 \"\" { \"in\" \"out\" } 0
    c \"\" 3 \"\" { \"y\" 1/2 \"x\" 1/2 } 0
    p \"\" 1 3 \"\" { \"gx\" \"gy\" } 0
    t \"\" 2
    t \"\" 1
    p \"\" 1 2 \"\" { \"gx\" \"gy\" } 0
    t \"\" 1
    t \"\" 2
    t \"\" 3
    p \"\" 1 1 \"\" { \"in\" \"out\" } 0
    p \"\" 1 4 \"\" { \"l\" \"r\" } 0
    t \"\" 1
    t \"\" 1
    t \"\" 3";

/// In a tree of many worlds outcomes are told apart by what they are, not by where they are listed, and whose turn it is
/// may differ: whoever guesses what it was told gets 1, which is better than 0.8.
#[test]
fn one_tree_tells_outcomes_apart() {
    let game = Erased::any(Tree::from_efg(DRAWS).unwrap());
    let info = Table::after(&game, "a").infoset(Player(0));
    for seed in 0..5 {
        let mut agent = OneTree::new(&game, UctSearch::new(&game, 0.7));
        agent.start(Player(0), Seed(seed));
        let decision = agent.act(&info, &Budget::iterations(3000)).unwrap();
        assert_eq!(game.move_name(decision.action), "in");
        let value = decision.report.moves[0].values.as_ref().unwrap()[Player(0)];
        assert!(value > 0.95, "{value}");
    }
}

/// Some of the agents of the experiments, with small budgets.
fn agents(game: &Arc<dyn Model>) -> Vec<(&'static str, Box<dyn Agent>)> {
    let m_uct = Settings {
        c: 0.15,
        patience: 10,
        log: Log::Total,
        others: Others::Searcher,
        last: Final::Mean,
        simulation: playouts("attack"),
        open: true,
        ..Settings::USUAL
    };
    let division = Division { determinizations: Some(3), iterations: 60 };
    let ismcts = |observers, narrow| {
        let simulation = playouts("attack");
        let config = Config { memory: 1 << 26, simulation, narrow, ..Config::new(observers) };
        Box::new(Ismcts::new(game, config))
    };
    let widened = Narrow { prune: Prune::Best(30), widen: Widen::M3 };
    let dlmc = plans::Settings {
        policy: policy("always"),
        playouts: 3,
        simulation: playouts("always").to(Horizon::Turns(2)),
        ..plans::Settings::DLMC
    };
    let mut all: Vec<(&str, Box<dyn Agent>)> = vec![
        ("max-act-eval", Box::new(PolicyPlayer::new(game, policy("max-act-eval")))),
        ("dlmc", Box::new(Planner::new(game, dlmc))),
        ("m-uct", Box::new(Pimc::new(game, UctSearch::with(game, m_uct), division, Vote::AveragedRewards))),
        (
            "f-uct",
            Box::new(Pimc::new(
                game,
                UctSearch::with(game, Settings { preload: Preload::Promise, others: Others::Own, ..m_uct }),
                division,
                Vote::AveragedRewards,
            )),
        ),
        ("one tree", Box::new(OneTree::new(game, UctSearch::with(game, m_uct)))),
        ("so-ismcts", ismcts(Observers::Single, widened)),
        ("mo-ismcts", ismcts(Observers::Multiple, Narrow::OFF)),
        ("mo-ismcts, narrow", ismcts(Observers::Multiple, widened)),
        ("attack action search", ismcts(Observers::Multiple, PRUNED)),
        ("ris-mcts", ismcts(Observers::Acting, Narrow::OFF)),
    ];
    for (name, settings) in planners::planners() {
        all.push((name, Box::new(Planner::new(game, settings))));
    }
    all.push(("sat-d2", Box::new(selective::sat_d2(game, 2, 400))));
    all
}

/// Everybody plays whole games in the fog, legally: what is only imagined is never attacked (`tubstap/2.4`).
#[test]
fn all_agents_finish_games_in_the_fog() {
    for text in ["map=map01,limit=5", "map=ford,collision=bounce,limit=3", "limit=2"] {
        let game = game(text);
        for (name, agent) in agents(&model(&game)) {
            let other = Box::new(PolicyPlayer::new(&model(&game), policy("attack")));
            let rewards = contest(&game, [agent, other], 60, 3);
            assert!(rewards.iter().all(|r| (0.0..=1.0).contains(r)), "{name}");
        }
    }
}

/// `tubstap/2.7`, A1, H10: with the same history of observations and the same seed, what the enemy did unseen changes
/// no decision.
#[test]
fn no_agent_looks_through_the_fog() {
    let game = game("");
    let opened = |blue: u64| {
        let mut played = Played::start(&game);
        let mut rng = Seed(blue).stream(Purpose::Deal);
        while played.state().inner.turn() < 2 {
            let info = played.info();
            let stays = |a: &&Move| matches!(game.decode(**a), Action::Move { unit, to } if played.state().inner.unit(unit).cell == to);
            let action = match info.seat {
                Player(0) => *info.legal.iter().find(stays).expect("units may stay"),
                // Somewhere on its own side of the map.
                _ => {
                    let home = |a: &&Move| matches!(game.decode(**a), Action::Move { to, .. } if to >= 48);
                    let options: Vec<Move> = info.legal.iter().filter(home).copied().collect();
                    if options.is_empty() { *rng.pick(&info.legal) } else { *rng.pick(&options) }
                }
            };
            played.play(action);
        }
        played
    };
    let all: Vec<Played<Tubstap>> = (0..12).map(opened).collect();
    let same: Vec<&Played<Tubstap>> = all.iter().filter(|p| p.info().key == all[0].info().key).collect();
    assert!(same.len() >= 2, "some of twelve openings look the same");
    assert!(same[1].state().inner != same[0].state().inner);
    let (first, second) = (same[0].info(), same[1].info());
    for ((name, mut a), (_, mut b)) in agents(&model(&game)).into_iter().zip(agents(&model(&game))) {
        a.start(Player(0), Seed(11));
        b.start(Player(0), Seed(11));
        let budget = Budget::iterations(250);
        let (a, b) = (a.act(&first, &budget).unwrap(), b.act(&second, &budget).unwrap());
        assert_eq!(a.action, b.action, "{name}");
    }
}

/// Progressive widening looks at 4 moves of 191 after 100 playouts, and at 11 after 1000 (`tubstap/2.9`), in UCT
/// and in trees of information sets; attack action search looks at attacks only, where there are some.
#[test]
fn narrow_trees_are_narrow() {
    let game = game("");
    let any = model(&game);
    let info = Played::start(&game).info();
    assert_eq!(info.legal.len(), 191, "190, and a cell that an unseen tank stands on");
    let narrow = Narrow { widen: Widen::M3, prune: Prune::Nothing };
    let looked_at = |agent: &mut dyn Agent, info: &InfoSet, n| {
        agent.start(info.seat, Seed(4));
        agent
            .act(info, &Budget::iterations(n))
            .unwrap()
            .report
            .moves
            .into_iter()
            .filter(|m| m.visits > 0)
            .collect::<Vec<_>>()
    };
    let simulation = playouts("attack").to(Horizon::Turns(1));
    let settings = Settings { narrow, simulation, ..Settings::USUAL };
    for (n, wide) in [(100, 4), (1000, 11)] {
        let division = Division { determinizations: Some(1), iterations: n };
        let mut pimc = Pimc::new(&any, UctSearch::with(&any, settings), division, Vote::SummedVisits);
        assert_eq!(looked_at(&mut pimc, &info, n).len(), wide);
        for observers in [Observers::Single, Observers::Multiple] {
            let config = Config { narrow, simulation, memory: 1 << 26, ..Config::new(observers) };
            assert_eq!(looked_at(&mut Ismcts::new(&any, config), &info, n).len(), wide, "{observers:?}");
        }
    }

    let mut played = Played::start(&game);
    let mut clever = PolicyPlayer::new(&any, policy("max-act-eval"));
    let is_attack = |&a: &Move| matches!(game.decode(a), Action::Attack { .. });
    let attacks = |info: &InfoSet| info.legal.iter().filter(|a| is_attack(a)).count();
    while attacks(&played.info()) < 2 {
        let action = clever.act(&played.info(), &Budget::iterations(1)).unwrap().action;
        played.play(action);
    }
    let info = played.info();
    let config = Config { narrow: PRUNED, simulation, memory: 1 << 26, ..Config::new(Observers::Multiple) };
    let seen = looked_at(&mut Ismcts::new(&any, config), &info, 300);
    assert_eq!(seen.len(), attacks(&info));
    assert!(seen.iter().all(|m| is_attack(&m.action)));
}

/// DLMC plans a turn and follows the plan while nothing unforeseen is seen; without fog that is to its end
/// (`tubstap/2.10`).
#[test]
fn plans_are_followed_to_the_end_of_the_turn() {
    let open = game("map=map01,fog=off");
    let settings = plans::Settings {
        playouts: 2,
        simulation: playouts("always").to(Horizon::Turns(2)),
        ..plans::Settings::DLMC
    };
    for (replan, planned) in [(Replan::Surprised, 1), (Replan::Always, 5)] {
        let mut agent = Planner::new(&model(&open), plans::Settings { replan, ..settings });
        agent.start(Player(0), Seed(1));
        let mut played = Played::start(&open);
        let mut searches = 0;
        while played.mover() == Some(Player(0)) {
            let decision = agent.act(&played.info(), &Budget::iterations(20)).unwrap();
            searches += u32::from(decision.report.iterations > 0);
            played.play(decision.action);
        }
        assert!(searches >= planned && (replan == Replan::Always || searches == 1), "{replan:?}: {searches}");
    }
}

/// How fast: `cargo test --release -p fogtree-search --test tubstap -- --ignored --nocapture`.
#[test]
#[ignore = "measures"]
fn speed() {
    let erased = game("");
    let (game, any) = (erased.game(), model(&erased));
    let mut scratch = fogtree_core::Scratch::default();
    let mut rng = Seed(1).stream(Purpose::Playout);
    for name in ["uniform", "attack", "open-attack"] {
        let policy = policy(name).unwrap();
        let (began, games) = (std::time::Instant::now(), 20_000);
        let mut state = game.start();
        let start = game.start();
        for _ in 0..games {
            state.clone_from(&start);
            game.policy_playout(game, Some(policy), None, &mut state, &mut rng, &mut scratch);
        }
        println!("{name}: {:.0} playouts/s", f64::from(games) / began.elapsed().as_secs_f64());
    }
    let info = Played::start(&erased).info();
    let mut later = Played::start(&erased);
    while later.state().inner.turn() < 4 {
        let legal = later.info().legal;
        later.play(*rng.pick(&legal));
    }
    let later = later.info();
    for (name, simulation) in [
        ("uniform", Simulation::UNIFORM),
        ("attack", playouts("attack")),
        ("open-attack", playouts("open-attack")),
    ] {
        let config = |observers| Config { simulation, ..Config::new(observers) };
        let m_uct =
            Settings { c: 0.15, patience: 10, log: Log::Total, simulation, open: true, ..Settings::USUAL };
        let division = Division { determinizations: Some(20), iterations: 1000 };
        let all: [(&str, Box<dyn Agent>); 4] = [
            ("mo-ismcts", Box::new(Ismcts::new(&any, config(Observers::Multiple)))),
            ("so-ismcts", Box::new(Ismcts::new(&any, config(Observers::Single)))),
            (
                "pimc",
                Box::new(Pimc::new(&any, UctSearch::with(&any, m_uct), division, Vote::AveragedRewards)),
            ),
            ("one tree", Box::new(OneTree::new(&any, UctSearch::with(&any, m_uct)))),
        ];
        for (agent, mut search) in all {
            for (when, info) in [("opening", &info), ("turn 4", &later)] {
                search.start(info.seat, Seed(1));
                let report = search.act(info, &Budget::iterations(20_000)).unwrap().report;
                println!("{agent}, {name}, {when}: {:?} for {}", report.time, report.iterations);
            }
        }
    }
}

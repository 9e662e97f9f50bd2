//! Planners of whole turns: M3Lee, RHEA, TBETS (`tubstap/2.10`).

use std::sync::Mutex;
use std::sync::atomic::AtomicBool;
use std::time::{Duration, Instant};

use fogtree_core::{AgentFailure, Metrics, Report};
use fogtree_games::goofspiel;
use fogtree_games::phantom_mnk::{self, Hidden, PhantomMnk};
use fogtree_search::PerTurn;
use fogtree_search::plans::{Method, Rhea, Rivals, Tbets};

use super::*;
use crate::common;

/// The planners as they play TUBSTAP, with small populations.
pub(crate) fn planners() -> Vec<(&'static str, plans::Settings)> {
    let weighted = Policy::find(tubstap::EVALUATIONS, "weighted");
    let usual = plans::Settings {
        policy: policy("attack"),
        playouts: 2,
        simulation: playouts("attack").to(Horizon::Turns(1)).judged(weighted),
        ..plans::Settings::DLMC
    };
    let m3_uct = Settings { simulation: playouts("always"), ..Rivals::M3LEE.uct };
    let rivals = Rivals { uct: m3_uct, per_plan: 4, judges: 10, ..Rivals::M3LEE };
    let m3lee = plans::Settings {
        method: Method::Rivals(rivals),
        policy: None,
        playouts: 5,
        simulation: playouts("always").to(Horizon::Turns(2)).judged(weighted),
        ..usual
    };
    let rhea = Rhea { population: 10, ..Rhea::USUAL };
    vec![
        ("m3lee", m3lee),
        ("rhea", plans::Settings { method: Method::Rhea(rhea), ..usual }),
        ("tbets", plans::Settings { method: Method::Tbets(Tbets { initial: 8, ..Tbets::USUAL }), ..usual }),
    ]
}

/// Whoever plans beats whoever does not, in the fog and from both sides.
#[test]
fn planners_beat_random_play() {
    let map = game("map=map01");
    for (name, settings) in planners() {
        let won: f64 = (0..6u8)
            .map(|seed| {
                let me = Player(seed % 2);
                let planner: Box<dyn Agent> = Box::new(Planner::new(&model(&map), settings));
                let random: Box<dyn Agent> = Box::new(PolicyPlayer::new(&model(&map), None));
                let agents = if me == Player(0) { [planner, random] } else { [random, planner] };
                contest(&map, agents, 40, u64::from(seed))[me]
            })
            .sum();
        assert!(won >= 5.0, "{name}: {won} of 6");
    }
}

/// The same planners without anything a game knows of itself.
fn plain() -> Vec<(&'static str, plans::Settings)> {
    let usual = plans::Settings { playouts: 3, ..plans::Settings::DLMC };
    let rivals = Rivals { per_plan: 5, judges: 10, ..Rivals::M3LEE };
    vec![
        ("m3lee", plans::Settings { method: Method::Rivals(rivals), ..usual }),
        ("rhea", plans::Settings { method: Method::Rhea(Rhea::USUAL), ..usual }),
        ("tbets", plans::Settings { method: Method::Tbets(Tbets::USUAL), ..usual }),
    ]
}

/// Where a turn is one move, planners are searches for moves: they beat random play at phantom tic-tac-toe, where there
/// is no evaluation and plans are played out to the end; and simultaneous moves do not stop them.
#[test]
fn planners_play_games_of_single_moves() {
    let phantom = PhantomMnk::<Hidden>::from_params(&common::params(&phantom_mnk::ABOUT, "")).unwrap();
    let phantom = Erased::any(phantom);
    let cards = goofspiel::Goofspiel::from_params(&common::params(&goofspiel::ABOUT, "cards=4")).unwrap();
    let cards = Erased::any(cards);
    for (name, settings) in plain() {
        let mut planner = Planner::new(&phantom, settings);
        let mut random = PolicyPlayer::new(&phantom, None);
        let play = |seed: u8| {
            let agents: [&mut dyn Agent; 2] = [&mut planner, &mut random];
            common::play(&phantom, agents, Player(seed % 2), Seed(seed.into()), 60)
        };
        let (low, high) = phantom.facts().utility_bounds;
        let won = (0..20).map(play).map(|reward| (reward - low) / (high - low)).sum::<f64>();
        assert!(won >= 13.0, "{name}: {won} of 20");

        let mut planner = Planner::new(&cards, settings);
        let mut random = PolicyPlayer::new(&cards, None);
        common::play(&cards, [&mut planner, &mut random], Player(1), Seed(3), 20);
    }
}

/// Two choices each: with two ones the first player gets 1, unless the answer is two zeros, when it gets nothing; with one
/// it gets a half, with none a fifth. The game's own opinion before the answer is 0.6, 0.5 and 0.2.
pub(crate) struct Pairs;

impl Rules for Pairs {
    type State = Vec<u8>;
    type Action = u8;
    type Outcome = std::convert::Infallible;

    fn facts(&self) -> Facts {
        Facts { max_length: 4, ..Gift.facts() }
    }
    fn start(&self) -> Vec<u8> {
        Vec::new()
    }
    fn turn(&self, s: &Vec<u8>) -> Turn {
        match s.len() {
            0 | 1 => Turn::Player(Player(0)),
            2 | 3 => Turn::Player(Player(1)),
            _ => Turn::Terminal,
        }
    }
    fn actions(&self, _: &Vec<u8>, _: Player, out: &mut Vec<u8>) {
        out.extend([0, 1]);
    }
    fn apply(&self, s: &mut Vec<u8>, step: Step<'_, Self>) {
        s.push(step.single().1);
    }
    fn observe(&self, _: &Vec<u8>, step: Step<'_, Self>, by: Observer) -> Option<Observation> {
        let (p, a) = step.single();
        (!by.is(p)).then(|| Observation::word(a.into()))
    }
    fn rewards(&self, s: &Vec<u8>) -> Rewards {
        let first = match s[..] {
            [1, 1, 0, 0] => 0.0,
            [1, 1, ..] => 1.0,
            [0, 0, ..] => 0.2,
            _ => 0.5,
        };
        [first, 1.0 - first].into_iter().collect()
    }
    fn code(&self, a: u8) -> u64 {
        a.into()
    }
    fn extras(&self) -> Extras<'_, Pairs> {
        Extras { evaluations: Some(self), policies: Some(self), ..Extras::NONE }
    }
}

impl Notation for Pairs {
    fn action_name(&self, a: u8) -> String {
        a.to_string()
    }
    fn parse_action(&self, name: &str) -> Option<u8> {
        name.parse().ok()
    }
}

impl FastPlay for Pairs {
    fn codes(&self) -> Option<usize> {
        Some(2)
    }
}

impl Evaluations<Pairs> for Pairs {
    fn evaluate(&self, _: Option<usize>, s: &Vec<u8>, who: Player) -> Option<f64> {
        let first = [0.2, 0.5, 0.6][usize::from(s.iter().take(2).sum::<u8>())];
        Some(if who == Player(0) { first } else { 1.0 - first })
    }
}

impl Policies<Pairs> for Pairs {
    fn policies(&self) -> &'static [Policy] {
        &[Policy { name: "zeros", about: "" }]
    }
    fn policy_action(
        &self,
        _: usize,
        _: &Vec<u8>,
        _: Player,
        _: &mut Rng,
        _: &mut fogtree_core::Scratch<Pairs>,
    ) -> u8 {
        0
    }
}

impl PerfectInformation for Pairs {}

/// The turn that a planner plays at pairs, as the sum of its choices.
fn pair(settings: plans::Settings, n: u64) -> u8 {
    let rules = Erased::new(Pairs);
    let mut agent = Planner::new(&model(&rules), settings);
    let mut played = Played::start(&rules);
    agent.start(Player(0), Seed(8));
    for _ in 0..2 {
        let action = agent.act(&played.info(), &Budget::iterations(n)).unwrap().action;
        played.play(action);
    }
    played.state().iter().sum()
}

/// Against answers at random two ones are worth 3/4; against the best answer nothing, and then a half is best. RHEA
/// sees the first, TBETS the second, since it lets the answers evolve for the other side. M3Lee plays the plan that does better
/// in its playouts: the drawn one, or UCT's where playouts answer well.
#[test]
fn planners_see_what_they_look_at() {
    let full = plans::Settings { playouts: 40, simulation: Simulation::UNIFORM, ..plans::Settings::DLMC };
    let rhea = plans::Settings { method: Method::Rhea(Rhea::USUAL), ..full };
    assert_eq!(pair(rhea, 300), 2);
    let judged = Simulation::UNIFORM.to(Horizon::Turns(0));
    let tbets = plans::Settings { method: Method::Tbets(Tbets::USUAL), simulation: judged, ..full };
    assert_eq!(pair(tbets, 300), 1);
    let shallow = plans::Settings { method: Method::Rhea(Rhea::USUAL), simulation: judged, ..full };
    assert_eq!(pair(shallow, 300), 2, "before the answer two ones look best");

    let m3lee = |simulation| {
        let uct = Settings { c: 0.7, ..Rivals::M3LEE.uct };
        let rivals = Rivals { uct, judges: 200, ..Rivals::M3LEE };
        plans::Settings { method: Method::Rivals(rivals), simulation, ..full }
    };
    assert_eq!(pair(m3lee(Simulation::UNIFORM), 100), 2);
    let zeros = Simulation::named(Pairs.policies(), "zeros").unwrap();
    // Playouts of no turn make the drawn plan one of two ones; played out, it is worth nothing.
    assert_eq!(pair(m3lee(zeros.to(Horizon::Turns(0))), 100), 1);
}

/// A decision follows from the seed; iterations, time and the flag that stops a search are kept.
#[test]
fn planners_keep_to_their_budgets() {
    let map = game("");
    let info = Played::start(&map).info();
    for (name, settings) in planners() {
        let decide = |seed, budget: &Budget| {
            let mut agent = Planner::new(&model(&map), settings);
            agent.start(Player(0), Seed(seed));
            agent.act(&info, budget).unwrap()
        };
        let [a, b] = [3, 3].map(|seed| decide(seed, &Budget::iterations(50)));
        assert_eq!((a.action, &a.report.moves), (b.action, &b.report.moves), "{name}");
        assert_eq!(a.report.iterations, 50, "{name}");
        let visits: u64 = a.report.moves.iter().map(|m| m.visits).sum();
        assert!(visits <= 50 && visits > 0, "{name}: {visits}");
        let began = Instant::now();
        let timed = Budget { time: Some(Duration::from_millis(60)), ..Budget::default() };
        decide(1, &timed);
        assert!(began.elapsed() < Duration::from_millis(2000), "{name}: {:?}", began.elapsed());
        let began = Instant::now();
        let stopped = Budget { stop: Some(Arc::new(AtomicBool::new(true))), ..Budget::iterations(1 << 40) };
        assert!(info.legal.contains(&decide(1, &stopped).action), "{name}");
        assert!(began.elapsed() < Duration::from_millis(2000), "{name}: {:?}", began.elapsed());
    }
}

/// Nobody stalls where no enemy is to be seen, as the thesis's tree agents did: scripted agents and planners that play
/// themselves on its map have attacked before turn 12 (`tubstap/2.10`, H11).
#[test]
fn enemies_out_of_sight_are_looked_for() {
    let map = game("limit=12");
    let names = ["max-act-eval", "dlmc", "m3lee", "rhea", "tbets", "sat-d2"];
    for name in names {
        let of = || agents(&model(&map)).into_iter().find(|agent| agent.0 == name).expect("it is there").1;
        let mut sides = [of(), of()];
        let mut played = Played::start(&map);
        for (agent, p) in sides.iter_mut().zip(Player::all(2)) {
            agent.start(p, Seed(2).number(p.index() as u64));
        }
        let mut counted = Vec::new();
        while let Some(mover) = played.mover() {
            let action = sides[mover.index()].act(&played.info(), &Budget::iterations(30)).unwrap().action;
            let step = [(mover, map.decode(action))];
            map.game().metrics(played.state(), Step::Moves(&step), &mut counted);
            played.play(action);
        }
        let attacks = counted.iter().filter(|c| c.1.starts_with("attacks")).map(|c| c.2).sum::<f64>();
        assert!(attacks >= 2.0, "{name}: {attacks} attacks in twelve turns");
    }
}

/// Ten seconds for a turn, and every choice may take what is left of them divided by the choices that are left
/// (`tubstap/2.11`).
#[test]
fn time_of_a_turn_is_shared_out() {
    /// Stays where it is, and notes how much time it is given.
    struct Clocked(Arc<Mutex<Vec<Duration>>>);
    impl Agent for Clocked {
        fn act(&mut self, info: &InfoSet, budget: &Budget) -> Result<Decision, AgentFailure> {
            assert_eq!(budget.turn, None);
            self.0.lock().unwrap().push(budget.time.unwrap());
            Ok(Decision { action: info.legal[0], report: Report::default() })
        }
    }

    let map = game("map=map01");
    let given = Arc::new(Mutex::new(Vec::new()));
    let mut agent = PerTurn::new(&model(&map), Box::new(Clocked(Arc::clone(&given))));
    let mut played = Played::start(&map);
    agent.start(Player(0), Seed(1));
    let budget = Budget { turn: Some(Duration::from_secs(60)), ..Budget::default() };
    for _ in 0..12 {
        while played.mover() == Some(Player(1)) {
            let action = played.info().legal[0];
            played.play(action);
        }
        let action = agent.act(&played.info(), &budget).unwrap().action;
        played.play(action);
    }
    let given = given.lock().unwrap();
    // Six units: a sixth of a minute first; nothing was used, so all of it is left for the last. And again.
    let seconds: Vec<u64> = given.iter().map(|time| time.as_millis().div_ceil(1000) as u64).collect();
    assert_eq!(seconds, [10, 12, 15, 20, 30, 60, 10, 12, 15, 20, 30, 60]);
}

/// How long a turn takes: `cargo test --release -p fogtree-search --test tubstap -- --ignored --nocapture takes`.
#[test]
#[ignore = "measures"]
fn how_long_a_turn_takes() {
    let map = game("");
    let values = Policy::find(tubstap::EVALUATIONS, "values");
    let evolved = plans::Settings {
        policy: policy("attack"),
        playouts: 5,
        simulation: playouts("attack").to(Horizon::Turns(1)).judged(values),
        ..plans::Settings::DLMC
    };
    let uct = Settings { simulation: playouts("always"), ..Rivals::M3LEE.uct };
    let m3lee = plans::Settings {
        method: Method::Rivals(Rivals { uct, ..Rivals::M3LEE }),
        simulation: playouts("always").to(Horizon::Turns(2)).judged(values),
        ..plans::Settings::DLMC
    };
    let rhea = plans::Settings { method: Method::Rhea(Rhea::USUAL), ..evolved };
    let tbets = plans::Settings { method: Method::Tbets(Tbets::USUAL), ..evolved };
    for (name, settings, n) in [("m3lee", m3lee, 150), ("rhea", rhea, 630), ("tbets", tbets, 500)] {
        let mut agent = Planner::new(&model(&map), settings);
        agent.start(Player(0), Seed(1));
        let report = agent.act(&Played::start(&map).info(), &Budget::iterations(n)).unwrap().report;
        println!("{name}: {:?} for {}", report.time, report.iterations);
    }
    let mut agent = super::selective::sat_d2(&model(&map), 5, 100_000);
    agent.start(Player(0), Seed(1));
    let report = agent.act(&Played::start(&map).info(), &Budget::default()).unwrap().report;
    println!("sat-d2: {:?} for {} nodes, {} turns deep", report.time, report.nodes, report.depth);
}

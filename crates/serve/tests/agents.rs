//! Agents of the framework in matches: they are given what they would be given at a table.

mod common;

use std::sync::{Arc, Mutex};
use std::time::Duration;

use common::{local, options, remote, sheet};
use fogtree_core::{
    About, Agent, AgentEntry, AgentFailure, Asked, Budget, Decision, Domain, Event, InfoSet, Key, Method,
    Notation, Observer, Param, Player, Purpose, Report, Rng, Rules, Seed, Step, TrackedInfo, Turn,
};
use fogtree_gdl::game::{Move, load_fastest};
use fogtree_gdl::{Choice as Which, Reasoner, Sheet};
use fogtree_serve::agent::{Agents, fast_options};
use fogtree_serve::contact::Local;
use fogtree_serve::host::{self, Host};
use fogtree_serve::http::Limits;
use fogtree_serve::http::server::Server;
use fogtree_serve::legal::Choice;
use fogtree_serve::manager::{Match, Options, Participant};
use fogtree_serve::message::Dialect;
use fogtree_serve::player::{Learned, PlayerMaker, Start};
use fogtree_serve::record::{End, Record};
use fogtree_table::Registry;

/// What an agent had to decide with: key, legal actions and events.
type Given = (Key, Vec<String>, Vec<Event>);

/// Decides at random and remembers with what.
struct Probe {
    given: Arc<Mutex<Vec<Given>>>,
    observed: Vec<Event>,
    rng: Rng,
}

impl Agent for Probe {
    fn start(&mut self, _seat: Player, seed: Seed) {
        self.observed.clear();
        self.rng = seed.stream(Purpose::Ties);
    }

    fn observe(&mut self, event: &Event) {
        self.observed.push(event.clone());
    }

    fn act(&mut self, info: &InfoSet, _budget: &Budget) -> Result<Decision, AgentFailure> {
        assert_eq!(info.events, self.observed);
        let by = Observer::Seat(info.seat);
        let known: &TrackedInfo = info.known.downcast().unwrap();
        assert_eq!((known.by, &known.events), (by, &info.events));
        // Some world agrees; otherwise this panics, and nothing is remembered.
        let mut world = info.game.start();
        info.game.sampler(&info.known).sample(&mut self.rng, &mut *world);
        assert_eq!(world.info(by), info.known);
        let mut legal = Vec::new();
        world.legal(info.seat, &mut legal);
        assert_eq!(legal, info.legal);
        self.given.lock().unwrap().push((info.key, info.legal_names(), info.events.clone()));
        Ok(Decision { action: *self.rng.pick(&info.legal), report: Report::default() })
    }
}

/// A registry with an agent of this name and with this parameter besides the usual ones.
fn registry(
    name: &'static str,
    param: Param,
    make: impl Fn(&Asked<'_>) -> (Box<dyn Agent>, Budget) + Send + Sync + 'static,
) -> Registry {
    let about = About::new(name, "An agent for these tests", "none", vec![param].leak());
    let make = Box::new(move |asked: &Asked<'_>| Ok(make(asked)));
    let mut registry = Registry::standard();
    registry.add_agent(AgentEntry::new(Box::leak(Box::new(about)), Box::leak(make)));
    registry
}

/// Players with agents that this makes, in any game.
fn agents(
    seed: u64,
    spec: &str,
    make: impl Fn() -> (Box<dyn Agent>, Budget) + Send + Sync + 'static,
) -> Agents {
    let param = Param::new("iterations", "7", Domain::Integer(1, 9), "playouts per decision");
    Agents::new(registry("test", param, move |_| make()), spec, Seed(seed))
}

fn probe(seed: u64, reasoner: Which) -> (Agents, Arc<Mutex<Vec<Given>>>) {
    let given = Arc::new(Mutex::new(Vec::new()));
    let memory = given.clone();
    let mut agents = agents(seed, "test", move || {
        let rng = Seed(1).stream(Purpose::Sampling);
        (Box::new(Probe { given: memory.clone(), observed: vec![], rng }), Budget::default())
    });
    // One world for each decision is enough here.
    agents.options.method = Method::Backtracking;
    agents.options.reasoner = reasoner;
    (agents, given)
}

fn participant(maker: Agents, dialect: Dialect) -> Participant {
    let host = Host::new(Box::new(maker), host::Options::default());
    Participant { contact: Box::new(Local(Arc::new(host))), dialect }
}

/// A plain sheet in which often nobody has a choice.
const FORCED: &str = "
    (role a) (role b) (init (step 1)) (succ 1 2) (succ 2 3) (succ 3 4) (succ 4 5) (succ 5 6) (succ 6 7) (succ 7 8)
    (<= (next (step ?m)) (true (step ?n)) (succ ?n ?m))
    (<= (chooses a) (true (step 2)))
    (<= (chooses b) (true (step 5)))
    (<= (chooses ?p) (role ?p) (true (step 6)))
    (<= (legal ?p (say ?n)) (chooses ?p) (succ ?n ?m))
    (<= (legal ?p noop) (role ?p) (not (chooses ?p)))
    (<= (next (said ?p ?n)) (does ?p (say ?n)))
    (<= (next (said ?p ?n)) (true (said ?p ?n)))
    (<= terminal (true (step 8)))
    (<= (goal ?p 100) (role ?p) (true (said ?p 1)))
    (<= (goal ?p 0) (role ?p) (not (true (said ?p 1))))";

/// The text of a sheet.
fn text(name: &str) -> String {
    if name == "forced" { FORCED.to_string() } else { common::text(name) }
}

/// What a seat would have been given, had the moves of the record been made at a table.
fn at_a_table(name: &str, reasoner: Which, record: &Record, seat: Player) -> Vec<Given> {
    let options = fogtree_gdl::game::Options { reasoner, ..fast_options() };
    let game = load_fastest(&text(name), &options).unwrap().tracked();
    let inner = game.inner();
    let reasoner = inner.reasoner();
    let by = Observer::Seat(seat);
    let (mut given, mut state, mut actual) = (Vec::new(), game.start(), reasoner.initial().unwrap());
    for step in &record.steps {
        let joint: Vec<_> = step.moves.iter().map(|m| reasoner.terms().parse(m).unwrap()).collect();
        // In plain GDL forced joint moves are made with the one before.
        while state.inner.fluents() == &actual {
            let turn = game.turn(&state);
            if turn.players().contains(seat) {
                let (mut legal, events) = (Vec::new(), state.events(by));
                game.actions(&state, seat, &mut legal);
                let key = events.iter().fold(Key::root(by), |key, event| event.extend(key));
                given.push((key, legal.iter().map(|&a| game.action_name(a)).collect(), events));
            }
            let mut outcomes = Vec::new();
            game.chance(&state, &mut outcomes);
            let drawn = |o: &Move| {
                outcomes.len() == 1 || reasoner.random_role().is_some_and(|r| joint[r] == o.term())
            };
            let outcome = outcomes.iter().map(|o| o.0).find(drawn);
            let moves: Vec<(Player, Move)> = turn
                .players()
                .iter()
                .map(|p| {
                    (p, game.parse_action(&inner.name(joint[inner.roles_of_seats()[p.index()]])).unwrap())
                })
                .collect();
            let made = match &outcome {
                Some(outcome) => Step::Chance(outcome),
                None => Step::Moves(&moves),
            };
            let complete = game.observe(&state, made, Observer::Public).is_some();
            game.apply(&mut state, made);
            if complete {
                break;
            }
        }
        actual = reasoner.next(&actual, &joint).unwrap();
    }
    assert_eq!(game.turn(&state), Turn::Terminal);
    given
}

#[test]
fn agents_are_given_what_they_would_be_given_at_a_table() {
    for (name, players, dialects) in [
        ("tic-tac-toe", 2, &[Dialect::Gdl][..]),
        ("forced", 2, &[Dialect::Gdl]),
        ("krieg-tic-tac-toe-3x3", 2, &[Dialect::A, Dialect::B]),
        ("latent-tic-tac-toe", 2, &[Dialect::A, Dialect::B]),
        ("kuhn-poker", 2, &[Dialect::A, Dialect::B]),
        ("all-in-or-fold", 2, &[Dialect::B]),
        ("meier", 2, &[Dialect::A]),
        ("monty-hall", 1, &[Dialect::A, Dialect::B]),
    ] {
        let reasoners = [Which::Interpreter, Which::Propnet];
        let seeded = dialects.iter().zip(1..);
        for ((&dialect, seed), reasoner) in seeded.flat_map(|s| reasoners.map(|r| (s, r))) {
            let sheet = Sheet::read(&text(name)).unwrap();
            let (makers, given): (Vec<_>, Vec<_>) =
                (0..players).map(|n| probe(seed + 10 * n, reasoner)).unzip();
            let participants = makers.into_iter().map(|maker| participant(maker, dialect)).collect();
            let options = Options { seed: Seed(seed), ..options("m") };
            let record = Match::new(&sheet, participants, options).unwrap().play(|_| ());
            record.replay(&sheet).unwrap();
            assert_eq!(record.errors().iter().sum::<usize>(), 0, "{name}: {record:?}");
            for (seat, given) in (0..).zip(given) {
                let given = given.lock().unwrap();
                let expected = at_a_table(name, reasoner, &record, Player(seat));
                assert_eq!(*given, expected, "{name} {dialect}, seat {seat}");
                assert!(!given.is_empty(), "{name}: the agent was asked");
            }
        }
    }
}

/// In dialect A a replaced move is found out by its percepts where they tell: latent tic-tac-toe shows everybody its
/// own marks. The agent then goes on with the move that was made.
#[test]
fn agents_find_out_what_was_done_for_them() {
    for (name, dialect) in [
        ("latent-tic-tac-toe", Dialect::A),
        ("latent-tic-tac-toe", Dialect::B),
        ("krieg-tic-tac-toe-3x3", Dialect::B),
        ("phantom-tic-tac-toe", Dialect::A),
        ("meier", Dialect::A),
    ] {
        let (maker, given) = probe(5, Which::Interpreter);
        let server = Server::start(
            "127.0.0.1:0",
            Limits::default(),
            Arc::new(Host::new(Box::new(maker), host::Options::default())),
        )
        .unwrap();
        let sheet = sheet(name);
        // Its first two moves do not arrive as they were sent.
        let spoiled = Spoiled { inner: remote(server.address(), dialect).contact, left: Mutex::new(2) };
        let players =
            vec![Participant { contact: Box::new(spoiled), dialect }, local(Choice::Random, 3, dialect)];
        let record = Match::new(&sheet, players, options("m")).unwrap().play(|_| ());
        record.replay(&sheet).unwrap();
        assert_eq!(record.end, End::Terminal);
        let role = record.players.iter().position(Option::is_some).unwrap();
        assert_eq!(record.errors()[role], 2, "{name}: all other moves were legal: {record:?}");
        let (given, expected) =
            (given.lock().unwrap(), at_a_table(name, Which::Interpreter, &record, Player(0)));
        assert_eq!(given.len(), expected.len(), "{name} {dialect}: it was asked whenever it had a choice");
        if dialect == Dialect::B || name.starts_with("latent") {
            assert_eq!(*given, expected, "{name} {dialect}");
        }
    }
}

/// A player whose first answers to PLAY are garbled on their way.
struct Spoiled {
    inner: Box<dyn fogtree_serve::contact::Contact>,
    left: Mutex<u32>,
}

impl fogtree_serve::contact::Contact for Spoiled {
    fn name(&self) -> String {
        self.inner.name()
    }

    fn ask(
        &self,
        message: &fogtree_serve::message::Message,
        deadline: std::time::Instant,
    ) -> Result<String, fogtree_serve::contact::NoReply> {
        let answer = self.inner.ask(message, deadline)?;
        let mut left = self.left.lock().unwrap();
        if matches!(message, fogtree_serve::message::Message::Play { .. }) && *left > 0 {
            *left -= 1;
            return Ok(format!("({answer} garbled)"));
        }
        Ok(answer)
    }
}

/// An agent that searches wins against players that do not.
#[test]
fn a_search_beats_random_moves() {
    let sheet = sheet("tic-tac-toe");
    let mut goals = 0;
    for seed in 1..=4 {
        let maker = Agents::new(Registry::standard(), "so-ismcts(iterations=300)", Seed(seed));
        let players = vec![participant(maker, Dialect::Gdl), local(Choice::Random, seed, Dialect::Gdl)];
        let record = Match::new(&sheet, players, options("m")).unwrap().play(|_| ());
        assert_eq!(record.errors(), [0, 0]);
        goals += u32::from(record.goals[0].unwrap());
    }
    assert!(goals >= 300, "{goals} of 400 against random moves");
}

/// An agent that fails is replaced by random moves; the match goes on.
#[test]
fn an_agent_that_fails_is_not_missed() {
    struct Failing;
    impl Agent for Failing {
        fn act(&mut self, _: &InfoSet, _: &Budget) -> Result<Decision, AgentFailure> {
            panic!("no")
        }
    }
    for (name, dialect) in [("tic-tac-toe", Dialect::Gdl), ("tic-tac-toe", Dialect::B), ("meier", Dialect::A)]
    {
        let maker = agents(1, "test", || (Box::new(Failing), Budget::default()));
        let players = vec![participant(maker, dialect), local(Choice::First, 1, dialect)];
        let record = Match::new(&sheet(name), players, options("m")).unwrap().play(|_| ());
        assert_eq!(
            (record.end.clone(), record.errors().iter().sum::<usize>()),
            (End::Terminal, 0),
            "{record:?}"
        );
    }
}

/// Thinks as long as it is given; remembers how long that is.
struct Patient(Arc<Mutex<Vec<Budget>>>);

impl Agent for Patient {
    fn act(&mut self, info: &InfoSet, budget: &Budget) -> Result<Decision, AgentFailure> {
        self.0.lock().unwrap().push(budget.clone());
        Ok(Decision { action: info.legal[0], report: Report::default() })
    }
}

fn start() -> Start {
    let clock = Duration::from_secs(10);
    let (id, role, sheet) = ("m".to_string(), "x".to_string(), sheet("tic-tac-toe"));
    Start { id, role, sheet, start_clock: clock, play_clock: clock }
}

/// An agent thinks as long as the clock allows, and no longer than its specification says, if it says so.
#[test]
fn agents_keep_to_clock_and_specification() {
    let seconds = Duration::from_secs;
    for (spec, own, clock, expected) in [
        ("test", None, Some(9), (None, Some(9))),
        ("test(iterations=7)", None, Some(9), (Some(7), Some(9))),
        ("test", Some(2), Some(9), (None, Some(2))),
        ("test(iterations=7)", Some(20), Some(9), (Some(7), Some(9))),
        ("test", None, None, (Some(7), None)),
    ] {
        let given = Arc::new(Mutex::new(Vec::new()));
        let memory = given.clone();
        let maker = agents(1, spec, move || {
            let budget = Budget { time: own.map(seconds), ..Budget::iterations(7) };
            (Box::new(Patient(memory.clone())), budget)
        });
        let budget = Budget { time: clock.map(seconds), ..Budget::default() };
        let mut player = maker.start(&start(), &budget).unwrap();
        assert!(player.play(&Learned::Nothing, &budget).unwrap().starts_with("(mark "));
        let given = given.lock().unwrap();
        // A little of the time is gone when the agent is asked.
        let time = given[0].time.map(|time| (time + Duration::from_millis(999)).as_secs());
        assert_eq!((given.len(), (given[0].iterations, time)), (1, expected), "{spec} {own:?} {clock:?}");
    }
}

/// The general player may use half of the start clock for solving, if its specification does not say how much.
#[test]
fn half_of_the_start_clock_is_for_solving() {
    for (spec, clock, expected) in
        [("ggp", Some(9), "4"), ("ggp(start=1s)", Some(9), "1s"), ("ggp", None, "none")]
    {
        let given = Arc::new(Mutex::new(String::new()));
        let memory = given.clone();
        let param = Param::new("start", "none", Domain::Time, "time for solving");
        let registry = registry("ggp", param, move |asked| {
            *memory.lock().unwrap() = asked.params.text("start").to_string();
            (Box::new(Patient(Arc::default())), Budget::default())
        });
        let budget = Budget { time: clock.map(Duration::from_secs), ..Budget::default() };
        assert!(Agents::new(registry, spec, Seed(1)).start(&start(), &budget).is_ok());
        let given = given.lock().unwrap();
        assert!(given.starts_with(expected) && given.len() <= "4500ms".len(), "{spec} {clock:?}: {given}");
    }
}

#[test]
fn nobody_plays_who_cannot() {
    for (spec, expected) in [("cheating-uct", "true state"), ("nobody", "unknown agent"), ("uct(", "uct(")] {
        let made = Agents::new(Registry::standard(), spec, Seed(1)).start(&start(), &Budget::default());
        let why = made.err().unwrap().to_string();
        assert!(why.contains(expected), "{spec}: {why}");
    }
}

/// Messages that contradict the rules, or each other, end nothing.
#[test]
fn contradictions_do_not_break_a_player() {
    let (maker, _) = probe(1, Which::Interpreter);
    let host = Host::new(Box::new(maker), host::Options { matches: 100, ..host::Options::default() });
    let handle = |text: &str| host.handle(text.as_bytes(), std::time::Instant::now()).map(|r| r.to_string());
    let lines = [
        (
            "tic-tac-toe",
            "x",
            &["(PLAY m NIL)", "(PLAY m ((mark 1 1)))", "(PLAY m ((mark 1 1) noop))", "(STOP m (a b))"][..],
        ),
        (
            "tic-tac-toe",
            "o",
            &["(PLAY m NIL)", "(PLAY m (noop noop))", "(PLAY m ((mark 1 1) noop))", "(STOP m ())"],
        ),
        (
            "tic-tac-toe",
            "x",
            &["(PLAY m 0 NIL NIL)", "(PLAY m 1 (mark 1 1) ())", "(PLAY m 2 noop ())", "(STOP m 3 noop ())"],
        ),
        ("meier", "p1", &["(PLAY m ())", "(PLAY m (nonsense))", "(PLAY m ())", "(STOP m NIL)"]),
        (
            "kuhn-poker",
            "second",
            &["(PLAY m 5 a b)", "(PLAY m 5 a (b))", "(PLAY m 0 NIL NIL)", "(STOP m 1 1 ())"],
        ),
        (
            "latent-tic-tac-toe",
            "xplayer",
            &["(PLAY m NIL)", "(PLAY m ((mark 9 9)))", "(PLAY m (yourturn yourturn))", "(ABORT m)"],
        ),
    ];
    for (name, role, messages) in lines {
        let roles = sheet(name);
        let started =
            handle(&format!("(START m {role} ({}) 30 30)", fogtree_serve::message::one_line(&roles)));
        assert_eq!(started.as_deref(), Ok("READY"), "{name}");
        for message in messages {
            let _ = handle(message);
        }
    }
    assert_eq!(host.matches(), 0);
}

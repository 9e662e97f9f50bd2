//! Agents of the framework in matches: they are given what they would be given at a table.

mod common;

use std::sync::{Arc, Mutex};

use common::{local, options, remote, sheet, text};
use fogtree_core::{
    Agent, Budget, Decision, Event, Game, InfoSet, Key, Method, Observer, Player, Purpose, Rewards, Rng,
    Rules, Seed, Step, Turn,
};
use fogtree_gdl::game::{Move, load};
use fogtree_gdl::{GdlGame, Interpreter, Reasoner, Sheet};
use fogtree_search::{Random, ismcts};
use fogtree_serve::agent::{Agents, SheetAgent, SheetGame, hurried};
use fogtree_serve::contact::Local;
use fogtree_serve::host::{self, Host};
use fogtree_serve::http::Limits;
use fogtree_serve::http::server::Server;
use fogtree_serve::legal::Choice;
use fogtree_serve::manager::{Match, Options, Participant};
use fogtree_serve::message::Dialect;
use fogtree_serve::record::{End, Record};

/// What an agent had to decide with: key, legal actions and events.
type Given = (Key, Vec<String>, Vec<Event>);

/// Decides at random and remembers with what.
struct Probe {
    game: Arc<SheetGame<Interpreter>>,
    random: Random,
    given: Arc<Mutex<Vec<Given>>>,
    observed: Vec<Event>,
    rng: Rng,
}

impl Agent<SheetGame<Interpreter>> for Probe {
    fn start(&mut self, seat: Player, seed: Seed) {
        self.observed.clear();
        Agent::<SheetGame<Interpreter>>::start(&mut self.random, seat, seed);
    }

    fn observe(&mut self, event: &Event) {
        self.observed.push(event.clone());
    }

    fn act(&mut self, info: &InfoSet<SheetGame<Interpreter>>, budget: &Budget) -> Decision<Move> {
        assert_eq!(info.events, self.observed);
        assert_eq!(info.known.events, info.events);
        // Some world agrees; otherwise this panics, and nothing is remembered.
        let mut world = self.game.start();
        self.game.sample(&mut self.game.sampler(&info.known), &mut self.rng, &mut world);
        assert_eq!(self.game.info(&world, info.known.by), info.known);
        let legal = info.legal.iter().map(|&a| self.game.action_name(a)).collect();
        self.given.lock().unwrap().push((info.key, legal, info.events.clone()));
        self.random.act(info, budget)
    }

    fn end(&mut self, _rewards: &Rewards) {}
}

fn probe(seed: u64) -> (Agents<Interpreter>, Arc<Mutex<Vec<Given>>>) {
    let given = Arc::new(Mutex::new(Vec::new()));
    let memory = given.clone();
    let make = move |game: &Arc<SheetGame<Interpreter>>, _: &Budget| {
        let probe = Probe {
            game: game.clone(),
            random: Random::new(game),
            given: memory.clone(),
            observed: vec![],
            rng: Seed(1).stream(Purpose::Sampling),
        };
        Ok(Box::new(probe) as SheetAgent<Interpreter>)
    };
    // One world for each decision is enough here.
    let load = |sheet: &Sheet| {
        let options = fogtree_gdl::game::Options { method: Method::Backtracking, ..hurried() };
        let reasoner = Interpreter::new(sheet, options.limits).map_err(|why| why.to_string())?;
        GdlGame::new(sheet, reasoner, &options).map_err(|why| why.to_string())
    };
    (Agents::with("probe", Seed(seed), load, make), given)
}

fn participant(maker: Agents<Interpreter>, dialect: Dialect) -> Participant {
    let host = Host::new(Box::new(maker), host::Options::default());
    Participant { contact: Box::new(Local(Arc::new(host))), dialect }
}

/// What a seat would have been given, had the moves of the record been made at a table.
fn at_a_table(name: &str, record: &Record, seat: Player) -> Vec<Given> {
    let game = load(&text(name), &hurried()).unwrap().tracked();
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
        ("krieg-tic-tac-toe-3x3", 2, &[Dialect::A, Dialect::B]),
        ("latent-tic-tac-toe", 2, &[Dialect::A, Dialect::B]),
        ("kuhn-poker", 2, &[Dialect::A, Dialect::B]),
        ("all-in-or-fold", 2, &[Dialect::B]),
        ("meier", 2, &[Dialect::A]),
        ("monty-hall", 1, &[Dialect::A, Dialect::B]),
    ] {
        for (&dialect, seed) in dialects.iter().zip(1..) {
            let sheet = sheet(name);
            let (makers, given): (Vec<_>, Vec<_>) = (0..players).map(|n| probe(seed + 10 * n)).unzip();
            let participants = makers.into_iter().map(|maker| participant(maker, dialect)).collect();
            let options = Options { seed: Seed(seed), ..options("m") };
            let record = Match::new(&sheet, participants, options).unwrap().play(|_| ());
            record.replay(&sheet).unwrap();
            assert_eq!(record.errors().iter().sum::<usize>(), 0, "{name}: {record:?}");
            for (seat, given) in (0..).zip(given) {
                let given = given.lock().unwrap();
                assert_eq!(*given, at_a_table(name, &record, Player(seat)), "{name} {dialect}, seat {seat}");
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
        let (maker, given) = probe(5);
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
        if dialect == Dialect::B || name.starts_with("latent") {
            let role = record.players.iter().position(Option::is_some).unwrap();
            assert_eq!(record.errors()[role], 2, "{name}: all other moves were legal: {record:?}");
            assert_eq!(*given.lock().unwrap(), at_a_table(name, &record, Player(0)), "{name} {dialect}");
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
    ) -> Result<String, fogtree_serve::contact::Silence> {
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
    let search = |game: &Arc<SheetGame<Interpreter>>, _: &Budget| {
        let config = ismcts::Config::new(ismcts::Observers::Single);
        Ok(Box::new(Few(ismcts::Ismcts::new(game, config))) as SheetAgent<Interpreter>)
    };
    let sheet = sheet("tic-tac-toe");
    let mut goals = 0;
    for seed in 1..=4 {
        let maker = Agents::new("so-ismcts", Seed(seed), search);
        let players = vec![participant(maker, Dialect::Gdl), local(Choice::Random, seed, Dialect::Gdl)];
        let record = Match::new(&sheet, players, options("m")).unwrap().play(|_| ());
        assert_eq!(record.errors(), [0, 0]);
        goals += u32::from(record.goals[0].unwrap());
    }
    assert!(goals >= 300, "{goals} of 400 against random moves");
}

/// A search with few iterations, whatever time there is.
struct Few(ismcts::Ismcts<SheetGame<Interpreter>>);

impl Agent<SheetGame<Interpreter>> for Few {
    fn start(&mut self, seat: Player, seed: Seed) {
        self.0.start(seat, seed);
    }

    fn observe(&mut self, event: &Event) {
        self.0.observe(event);
    }

    fn act(&mut self, info: &InfoSet<SheetGame<Interpreter>>, _: &Budget) -> Decision<Move> {
        self.0.act(info, &Budget::iterations(300))
    }
}

/// An agent that fails is replaced by random moves; the match goes on.
#[test]
fn an_agent_that_fails_is_not_missed() {
    struct Failing;
    impl Agent<SheetGame<Interpreter>> for Failing {
        fn act(&mut self, _: &InfoSet<SheetGame<Interpreter>>, _: &Budget) -> Decision<Move> {
            panic!("no")
        }
    }
    let make = |_: &Arc<SheetGame<Interpreter>>, _: &Budget| Ok(Box::new(Failing) as SheetAgent<Interpreter>);
    for (name, dialect) in [("tic-tac-toe", Dialect::Gdl), ("tic-tac-toe", Dialect::B), ("meier", Dialect::A)]
    {
        let maker = Agents::new("failing", Seed(1), make);
        let players = vec![participant(maker, dialect), local(Choice::First, 1, dialect)];
        let record = Match::new(&sheet(name), players, options("m")).unwrap().play(|_| ());
        assert_eq!(
            (record.end.clone(), record.errors().iter().sum::<usize>()),
            (End::Terminal, 0),
            "{record:?}"
        );
    }
}

/// Messages that contradict the rules, or each other, end nothing.
#[test]
fn contradictions_do_not_break_a_player() {
    let (maker, _) = probe(1);
    let host = Host::new(Box::new(maker), host::Options { matches: 100, ..host::Options::default() });
    let hear = |text: &str| host.hear(text.as_bytes(), std::time::Instant::now()).map(|r| r.to_string());
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
        let started = hear(&format!("(START m {role} ({}) 30 30)", fogtree_serve::message::one_line(&roles)));
        assert_eq!(started.as_deref(), Ok("READY"), "{name}");
        for message in messages {
            let _ = hear(message);
        }
    }
    assert_eq!(host.matches(), 0);
}

//! What the driver owes to the agents at a table, seen from agents that outside crates may write.

use std::sync::{Arc, Mutex};

use fogtree_core::{
    About, Agent, AgentEntry, AgentFailure, Asked, Budget, Decision, Event, IllegalStep, InfoSet, Made,
    MakeAgent, Player, Report, Rewards, Seed,
};
use fogtree_table::{Played, Registry, SeatAgent, play_game};

type Error = Box<dyn std::error::Error>;

static WITNESS: About = About::new("witness", "", "", &[]);
static BLIND: About = About::new("blind", "", "", &[]);

/// What one agent was told in one game.
#[derive(Default)]
struct Log {
    starts: Vec<(Player, Seed)>,
    heard: Vec<Event>,
    decisions: u64,
    ends: Vec<Rewards>,
}

/// The logs of all agents, in the order in which they were made.
type Logs = Arc<Mutex<Vec<Arc<Mutex<Log>>>>>;

/// Writes down what it is told and compares it with what it is asked; plays the last legal move.
struct Witness(Arc<Mutex<Log>>);

impl Agent for Witness {
    fn start(&mut self, seat: Player, seed: Seed) {
        self.0.lock().unwrap().starts.push((seat, seed));
    }

    fn observe(&mut self, event: &Event) {
        self.0.lock().unwrap().heard.push(event.clone());
    }

    fn act(&mut self, info: &InfoSet, _budget: &Budget) -> Result<Decision, AgentFailure> {
        let mut log = self.0.lock().unwrap();
        assert_eq!(log.heard, info.events, "decision {} of player {}", log.decisions, info.seat);
        assert_eq!(log.starts.last().map(|s| s.0), Some(info.seat));
        assert!(log.ends.is_empty(), "asked after the end");
        log.decisions += 1;
        let action = *info.legal.last().expect("it may do something");
        Ok(Decision { action, report: Report::default() })
    }

    fn end(&mut self, rewards: &Rewards) {
        self.0.lock().unwrap().ends.push(rewards.clone());
    }
}

/// Chooses move 99, whatever is legal.
struct Blind;

impl Agent for Blind {
    fn act(&mut self, _info: &InfoSet, _budget: &Budget) -> Result<Decision, AgentFailure> {
        Ok(Decision { action: 99, report: Report::default() })
    }
}

/// The standard agents, `blind`, and `witness`, each of which leaves its log in the list.
fn registry() -> (Registry, Logs) {
    let logs = Logs::default();
    let kept = Arc::clone(&logs);
    let mut registry = Registry::standard();
    let make: &'static MakeAgent = Box::leak(Box::new(move |_: &Asked<'_>| -> Made {
        let log = Arc::new(Mutex::new(Log::default()));
        kept.lock().unwrap().push(Arc::clone(&log));
        Ok((Box::new(Witness(log)), Budget::default()))
    }));
    registry.add_agent(AgentEntry::new(&WITNESS, make));
    registry.add_agent(AgentEntry::new(&BLIND, &|_| Ok((Box::new(Blind), Budget::default()))));
    (registry, logs)
}

/// A game between agents by seat, and what every seat did and saw in it.
fn play(
    registry: &Registry,
    spec: &str,
    agents: &[&str],
    seed: Seed,
) -> Result<(Played, Vec<Vec<Event>>), Error> {
    let game = registry.game(spec)?;
    let mut seating = |seat: Player, _: &str| -> Result<SeatAgent, Error> {
        Ok(registry.agent(agents[seat.index()], &*game)?)
    };
    let mut events = Vec::new();
    let played = play_game(&*game, spec, seed, &mut seating, &mut |moment| {
        events = Player::all(agents.len()).map(|p| moment.table.events(p).to_vec()).collect();
    })?;
    Ok((played, events))
}

#[test]
fn agents_are_told_all_that_their_seat_does_and_sees() {
    let games = [
        ("kuhn-poker", 2),
        ("leduc-poker", 2),
        ("goofspiel(cards=4,bids=hidden,prizes=random)", 2),
        ("phantom-mnk(m=3,n=3,k=3)", 2),
        ("liars-dice(players=3,dice=1,faces=3)", 3),
    ];
    for (spec, players) in games {
        for seed in 0..5 {
            let (registry, logs) = registry();
            let (played, events) = play(&registry, spec, &vec!["witness"; players], Seed(seed)).unwrap();
            let logs = logs.lock().unwrap();
            assert_eq!(logs.len(), players, "one agent for each seat of {spec}");
            let mut seeds = Vec::new();
            for (seat, log) in Player::all(players).zip(logs.iter()) {
                let log = log.lock().unwrap();
                assert_eq!(log.starts.iter().map(|s| s.0).collect::<Vec<_>>(), [seat], "{spec}: one start");
                assert_eq!(log.heard, events[seat.index()], "{spec}: the last steps are told too");
                assert_eq!(
                    log.ends,
                    std::slice::from_ref(&played.rewards),
                    "{spec}: one end, with the rewards"
                );
                assert_eq!(log.decisions, played.moves[seat]);
                seeds.push(log.starts[0].1);
            }
            assert!(
                (1..players).all(|i| !seeds[..i].contains(&seeds[i])),
                "{spec}: every seat has its own seed"
            );
        }
    }
}

#[test]
fn an_agent_that_breaks_the_rules_is_named() {
    let (registry, _) = registry();
    for (agents, player) in [(["blind", "witness"], 0), (["witness", "blind"], 1)] {
        let why = play(&registry, "nim", &agents, Seed(1)).unwrap_err();
        let Some(IllegalStep::Action { player: named, name, legal }) = why.downcast_ref() else {
            panic!("{why}");
        };
        assert_eq!((*named, name.as_str()), (player, "#99"));
        assert!(!legal.is_empty());
        assert!(
            why.to_string().starts_with(&format!("player {player} may not play '#99' now; legal: ")),
            "{why}"
        );
    }
}

/// A sheet in which every turn offers one new move beside the same last one, more than there are numbers between: then
/// moves are not in the order of their names, but a report is in the order of what the seat may do.
#[test]
fn reports_go_with_the_moves_of_the_information_set() -> Result<(), Error> {
    const TURNS: usize = 60;
    let turn = |n| {
        let (next, goal) = (n + 1, 99 - n);
        format!(
            "(after a{n:02} a{next:02}) (<= (legal robot a{n:02}) (true (at a{n:02})))
                 (<= (goal robot {goal}) (true (stopped a{n:02})))\n"
        )
    };
    // The order of moves is that in which the sheet names them.
    let sheet = format!(
        "(role robot) (init (at a00)) {}
         (<= (next (at ?n)) (true (at ?m)) (after ?m ?n) (does robot ?m))
         (<= (next (stopped ?n)) (true (at ?n)) (does robot zz)) (<= (legal robot zz) (true (at ?n)))
         (<= terminal (true (stopped ?n))) (<= terminal (true (at a60))) (<= (goal robot 0) (true (at ?n)))",
        (0..TURNS).map(turn).collect::<String>()
    );
    let path = std::env::temp_dir().join(format!("fogtree-moves-{}.kif", std::process::id()));
    std::fs::write(&path, sheet)?;
    let registry = Registry::standard();
    let game = registry.game(&format!("gdl(file={},states=9)", path.display()))?;
    std::fs::remove_file(&path)?;
    let mut agent = registry.agent("flat-mc(iterations=40)", &*game)?;
    let (mut table, seat, mut mixed) = (game.table(), Player(0), false);
    agent.start(seat, Seed(1));
    for _ in 0..TURNS {
        mixed |= !table.moves(seat).is_sorted();
        let (info, decision) = (table.infoset(seat), table.ask(seat, &mut agent)?);
        assert!(info.legal.is_sorted(), "searches look for moves among these");
        let names = info.legal_names();
        let value = |i: &usize| decision.report.moves[*i].values.as_ref().map_or(0.0, |v| v[seat]);
        let best = (0..names.len()).max_by(|i, j| value(i).total_cmp(&value(j))).map(|i| names[i].as_str());
        assert_eq!((best, game.model().move_name(decision.action).as_str()), (Some("zz"), "zz"));
        let on = names.iter().find(|name| *name != "zz").expect("a new move");
        table.play_words(&[on.as_str()])?;
    }
    assert!(mixed, "the room between two moves was used up");
    Ok(())
}

//! The player with an inferring search beside it.

use std::sync::{Arc, Mutex};
use std::time::Duration;

use fogtree_core::{
    Agent, AgentFailure, Budget, Decision, Erased, InfoSet, Model, Observer, Player, Report, Seed,
};
use fogtree_games::liars_coins;
use fogtree_search::multi_tree::{MtMoIsmcts, Settings, WithInference, summary};
use fogtree_search::{Allocation, FlatMc, Random};

use super::common::{infoset, params};
use super::{Boxed, pimc, resistance};

const SEAT: Player = Player(1);

/// Decisions of the second player, who is no spy and goes on the first mission, where it can only do its
/// part.
fn decisions(game: &Arc<dyn Model>) -> Vec<InfoSet> {
    let vote = "reject approve reject approve reject";
    let first = format!("spies-2-3 team-0-1 {vote} team-1-2 {vote} team-2-3 {vote} team-1-3");
    let sent = format!("{first} approve approve approve approve approve");
    let after = format!("{sent} success success");
    let lines = [
        "spies-2-3 team-0-1".to_string(),
        format!("spies-2-3 team-0-1 {vote}"),
        format!("spies-2-3 team-0-1 {vote} team-1-2"),
        format!("spies-2-3 team-0-1 {vote} team-1-2 {vote} team-2-3"),
        first,
        sent,
        format!("{after} team-0-2-4"),
    ];
    lines.iter().map(|words| infoset(game, words, SEAT)).collect()
}

fn believer(game: &Arc<dyn Model>, agent: Boxed, iterations: u64, seed: u64) -> WithInference {
    let mut agent = WithInference::new(game, agent, Settings::default(), iterations);
    agent.start(SEAT, Seed(seed));
    agent
}

/// Beliefs are those of MT-MO-ISMCTS on the way actually taken, whoever takes it; the inferring search has
/// random numbers of its own.
#[test]
fn beliefs_are_those_of_mt_mo_ismcts() {
    let game = resistance("leader=0");
    let part = game.hidden_part().unwrap();
    let mut alone = MtMoIsmcts::new(&game, Settings::default());
    alone.start(SEAT, Seed(6).named("inference"));
    let mut beside = [
        believer(&game, pimc(&game, 4, 20), 500, 6),
        believer(&game, Box::new(FlatMc::new(&game, Allocation::Even)), 500, 6),
    ];
    let mut forced = 0;
    let mut beliefs = Vec::new();
    for info in decisions(&game) {
        let expected = alone.act(&info, &Budget::iterations(500)).unwrap().report;
        let belief = alone.belief().unwrap();
        for (agent, budget) in beside.iter_mut().zip([Budget::default(), Budget::iterations(50)]) {
            let report = agent.act(&info, &budget).unwrap().report;
            assert_eq!(agent.belief().unwrap(), belief);
            assert_eq!(report.beliefs, expected.beliefs);
            assert_eq!(report.beliefs[0].of, Observer::Seat(SEAT));
            assert_eq!(report.beliefs[0].values, summary(part, belief));
            let searched = if info.legal.len() > 1 { 500.0 } else { 0.0 };
            assert_eq!(report.figure("inference iterations"), Some(searched));
            assert_eq!(report.figure("inference nodes"), Some(expected.nodes as f64));
        }
        forced += usize::from(info.legal.len() == 1);
        beliefs.push(belief.to_vec());
    }
    assert_eq!(forced, 1, "the line has one forced move");
    beliefs.dedup();
    assert!(beliefs.len() > 4, "something is inferred again and again: {beliefs:?}");
}

/// Asked at a forced move or not, it believes the same afterwards; and it has learnt from what came after
/// that move by what it searched before.
#[test]
fn forced_moves_do_not_break_the_tracking() {
    let game = resistance("leader=0");
    let all = decisions(&game);
    let at = all.iter().position(|info| info.legal.len() == 1).unwrap();
    let follow = |skipped: Option<usize>| {
        let mut agent = believer(&game, Box::new(Random::default()), 500, 2);
        let mut beliefs = Vec::new();
        for (_, info) in all.iter().enumerate().filter(|(i, _)| Some(*i) != skipped) {
            agent.act(info, &Budget::default()).unwrap();
            beliefs.push(agent.belief().unwrap().to_vec());
        }
        beliefs
    };
    let (asked, not_asked) = (follow(None), follow(Some(at)));
    assert_eq!(asked[at + 1], not_asked[at]);
    assert_ne!(asked[at + 1], asked[at]);
}

/// The player beside which it is inferred keeps its own random numbers: one that does not look at worlds
/// plays as ever.
#[test]
fn the_player_keeps_its_streams() {
    let game = resistance("leader=0");
    let mut alone: Boxed = Box::<Random>::default();
    alone.start(SEAT, Seed(9));
    let mut beside = believer(&game, Box::new(Random::default()), 50, 9);
    for info in decisions(&game).iter().cycle().take(40) {
        let [a, b] = [&mut *alone, &mut beside as &mut dyn Agent]
            .map(|agent| agent.act(info, &Budget::default()).unwrap().action);
        assert_eq!(a, b);
    }
}

/// What was believed when somebody was asked, and the budget.
type Asked = (Option<Arc<[f64]>>, Budget);

/// Notes what it is asked.
struct Noting(Arc<Mutex<Vec<Asked>>>);

impl Agent for Noting {
    fn act(&mut self, info: &InfoSet, budget: &Budget) -> Result<Decision, AgentFailure> {
        self.0.lock().unwrap().push((info.belief.clone(), budget.clone()));
        let report = Report { time: Duration::from_secs(5), ..Report::default() };
        Ok(Decision { action: info.legal[0], report })
    }
}

/// Iterations of the player are its own; of a limit of time the inferring search takes a quarter, which
/// counts.
#[test]
fn budgets_are_shared_as_promised() {
    let game = resistance("leader=0");
    let noted = Arc::new(Mutex::new(Vec::new()));
    let info = &decisions(&game)[0];
    let mut agent = believer(&game, Box::new(Noting(Arc::clone(&noted))), 100, 1);
    agent.act(info, &Budget::iterations(77)).unwrap();
    let (belief, budget) = noted.lock().unwrap().pop().unwrap();
    assert_eq!((budget.iterations, budget.time), (Some(77), None));
    assert_eq!(belief.as_deref(), agent.belief());
    // There is no end to this search but the clock.
    let mut agent = believer(&game, Box::new(Noting(Arc::clone(&noted))), u64::MAX, 1);
    let time = Duration::from_millis(80);
    let report = agent.act(info, &Budget { time: Some(time), ..Budget::default() }).unwrap().report;
    let left = noted.lock().unwrap().pop().unwrap().1.time.unwrap();
    assert!(left <= time * 3 / 4, "{left:?} left");
    assert!(report.time >= Duration::from_secs(5) + time / 4, "the time of both is told: {:?}", report.time);
    assert!(report.figure("inference iterations").unwrap() > 0.0);
}

/// In games without a hidden part there is nothing to believe, and players play as ever.
#[test]
fn nothing_is_believed_without_a_hidden_part() {
    let game = Erased::any(liars_coins::from_params(&params(&liars_coins::ABOUT, "")).unwrap());
    let info = infoset(&game, "1 2 1", SEAT);
    let noted = Arc::new(Mutex::new(Vec::new()));
    let mut agent = believer(&game, Box::new(Noting(Arc::clone(&noted))), 100, 1);
    let report = agent.act(&info, &Budget::default()).unwrap().report;
    assert_eq!((noted.lock().unwrap().pop().unwrap().0, report.beliefs.len()), (None, 0));
}

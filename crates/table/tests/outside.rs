//! Agents that other crates write for one game: they reach its typed information set and, if they cheat and say
//! so, its true state.

use fogtree_core::{
    About, Agent, AgentEntry, AgentFailure, Budget, Decision, Domain, Erased, Game, InfoSet, Observer, Param,
    Player, Report, Seed,
};
use fogtree_games::kuhn_poker::KuhnPoker;
use fogtree_table::{Registry, SeatAgent, play_game};

static HONEST: About = About::new("honest", "", "", &[]);
static CHEAT: About = About::new("cheat", "", "", &[]);

/// Plays the first legal move, and looks at all that it is given.
struct First {
    cheats: bool,
}

impl Agent for First {
    fn act(&mut self, info: &InfoSet, _budget: &Budget) -> Result<Decision, AgentFailure> {
        let known: &<KuhnPoker as Game>::Info = info.known.downcast().expect("it is Kuhn poker");
        assert_eq!(info.truth.is_some(), self.cheats);
        if let Some(truth) = &info.truth {
            let (game, world) = (Erased::new(KuhnPoker), truth.world());
            assert_eq!(KuhnPoker.info(game.state(&*world), Observer::Seat(info.seat)), *known);
        }
        Ok(Decision { action: info.legal[0], report: Report::default() })
    }
}

#[test]
fn agents_of_other_crates_know_the_game_they_are_written_for() {
    let mut registry = Registry::standard();
    registry
        .add_agent(AgentEntry::new(&HONEST, &|_| Ok((Box::new(First { cheats: false }), Budget::default()))));
    let cheat = AgentEntry::new(&CHEAT, &|_| Ok((Box::new(First { cheats: true }), Budget::default())));
    registry.add_agent(cheat.cheating());
    let game = registry.game("kuhn-poker").unwrap();
    let mut seating = |seat: Player, _: &str| -> Result<SeatAgent, Box<dyn std::error::Error>> {
        Ok(registry.agent(["honest", "cheat"][seat.index()], &*game)?)
    };
    let played = play_game(&*game, "kuhn-poker", Seed(1), &mut seating, &mut |_| {}).unwrap();
    assert_eq!(played.moves.as_slice(), [1, 1], "both check");
}

static EXECUTIVE: About = About::new("executive", "", "", &[]);
static ADVISED: About =
    About::new("advised", "", "", &[Param::new("by", "random", Domain::Text, "whom it asks")]);

#[test]
fn only_agents_that_run_programs_reach_outside() {
    let mut registry = Registry::standard();
    for about in [&EXECUTIVE, &ADVISED] {
        registry.add_agent(AgentEntry::new(about, &|_| {
            Ok((Box::new(First { cheats: false }), Budget::default()))
        }));
    }
    for agent in [
        "exec(command=./engine)",
        "advised(by=exec(command=./engine))",
        "advised(by=advised(by=exec(command=a)))",
    ] {
        assert!(registry.reaches_outside(agent), "{agent}");
    }
    for agent in [
        "executive",
        "advised",
        "advised(by=executive)",
        "strategy(file=exec.json)",
        "strategy(file=exec(command=a))",
        "exec(",
    ] {
        assert!(!registry.reaches_outside(agent), "{agent}");
    }
}

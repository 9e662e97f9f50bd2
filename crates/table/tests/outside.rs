//! Agents that other crates write for one game: they reach its typed information set and, if they cheat and say
//! so, its true state.

use fogtree_core::{About, Budget, Game, InfoSet, Observer, Player, Seed};
use fogtree_games::kuhn_poker::KuhnPoker;
use fogtree_table::{
    AgentEntry, AgentFailure, AnyAgent, AnyCheatingAgent, AnyDecision, AnyInfoSet, AnyTrueState, Mind,
    Registry, SeatAgent, play_game,
};

static HONEST: About = About { name: "honest", summary: "", source: "", params: &[], presets: &[], tiny: "" };
static CHEAT: About = About { name: "cheat", ..HONEST };

struct First;

impl AnyAgent for First {
    fn act(&mut self, info: &dyn AnyInfoSet, _budget: &Budget) -> Result<AnyDecision, AgentFailure> {
        let typed: &InfoSet<KuhnPoker> = info.as_any().downcast_ref().expect("it is Kuhn poker");
        assert_eq!((typed.seat, typed.legal.len()), (info.seat(), info.legal().len()));
        Ok(AnyDecision::default())
    }
}

impl AnyCheatingAgent for First {
    fn act_on_true_state(
        &mut self,
        info: &dyn AnyInfoSet,
        state: &AnyTrueState<'_>,
        budget: &Budget,
    ) -> AnyDecision {
        let state = state.of::<KuhnPoker>().expect("it is Kuhn poker");
        let typed: &InfoSet<KuhnPoker> = info.as_any().downcast_ref().expect("it is Kuhn poker");
        assert_eq!(KuhnPoker.info(state, Observer::Seat(info.seat())), typed.known);
        self.act(info, budget).expect("it never fails")
    }
}

#[test]
fn agents_of_other_crates_know_the_game_they_are_written_for() {
    let mut registry = Registry::standard();
    let budget = Budget::default;
    registry.add_agent(AgentEntry::new(&HONEST, move |_, _| Ok((Mind::Honest(Box::new(First)), budget()))));
    registry.add_agent(AgentEntry::new(&CHEAT, move |_, _| Ok((Mind::Cheating(Box::new(First)), budget()))));
    let game = registry.game("kuhn-poker").unwrap();
    let mut seating = |seat: Player, _: &str| -> Result<SeatAgent, Box<dyn std::error::Error>> {
        Ok(registry.agent(["honest", "cheat"][seat.index()], &*game)?)
    };
    let played = play_game(&*game, "kuhn-poker", Seed(1), &mut seating, &mut |_| {}).unwrap();
    assert_eq!(played.moves.as_slice(), [1, 1], "both check");
}

//! What people read and write of a game.

use crate::{Event, Observation, Observer, Player, Rules, Scene};

/// Names of what can happen, and texts of what is there to see.
pub trait Notation: Rules {
    /// The name of an action: one word, without spaces.
    fn action_name(&self, action: Self::Action) -> String;

    /// The action with this name, legal or not.
    fn parse_action(&self, name: &str) -> Option<Self::Action>;

    /// The name of an outcome: one word, without spaces.
    fn outcome_name(&self, outcome: &Self::Outcome) -> String {
        format!("{outcome:?}")
    }

    /// The outcome with this name, possible or not.
    fn parse_outcome(&self, _name: &str) -> Option<Self::Outcome> {
        None
    }

    /// The name of the action with this code, in games that can tell. Histories hold codes ([`crate::Tracked`]).
    fn code_name(&self, _code: u64) -> Option<String> {
        None
    }

    /// What an observation means, in words.
    fn explain(&self, seen: &Observation, _by: Observer) -> String {
        seen.to_string()
    }

    /// What people keep in view of all that a seat did and saw, in games whose states do not hold it.
    fn recall(&self, _events: &[Event]) -> Option<String> {
        None
    }

    /// What is laid open at the end of the game, and who wins by it: the cards of a showdown, the dice of a
    /// challenge. Asked only when the game is over, for everybody to hear.
    fn ending(&self, _end: &Self::State, _by: Observer) -> Option<String> {
        None
    }

    /// The whole state as a picture for somebody who may see everything, with the spots of the players' own scenes.
    fn scene_of(&self, state: &Self::State) -> Scene {
        Scene::text(format!("{state:?}"))
    }

    /// What an observer knows after it did and saw this, as a picture, if the rules can draw it. [`crate::Tracked`] asks,
    /// and lists the events otherwise.
    fn scene_after(&self, _by: Observer, _events: &[Event]) -> Option<Scene> {
        None
    }

    /// The spots of that picture that are touched to choose a legal action ([`crate::Game::spots`]).
    fn spots_after(&self, _by: Observer, _events: &[Event], _action: Self::Action) -> Vec<String> {
        Vec::new()
    }

    /// The whole state, drawn as text.
    fn show(&self, state: &Self::State) -> String {
        self.scene_of(state).to_string()
    }

    /// The part a seat plays in this state, by which matches may assign agents (`--roles`). Games with
    /// dealt roles answer from the state once it is dealt.
    fn role(&self, _state: &Self::State, seat: Player) -> String {
        ROLES.get(seat.index()).map_or_else(|| format!("player-{}", seat.0 + 1), |name| (*name).to_string())
    }
}

const ROLES: [&str; 10] =
    ["first", "second", "third", "fourth", "fifth", "sixth", "seventh", "eighth", "ninth", "tenth"];

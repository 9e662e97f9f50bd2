//! Take: whoever takes the last of seven coins wins; a move takes one or two. Everybody sees everything.

use fogtree_core::{
    About, Facts, FastPlay, Notation, Observation, Observer, PerfectInformation, Player, Rewards, Rules,
    Step, Turn, Utility,
};

pub(crate) static ABOUT: About = About {
    name: "take",
    summary: "Who takes the last coin wins",
    source: "an example",
    params: &[],
    presets: &[],
    tiny: "",
};

pub(crate) struct Take;

/// The coins left, and who is to move.
pub(crate) type State = (u8, Player);

impl Rules for Take {
    type State = State;
    type Action = u8;
    type Outcome = std::convert::Infallible;

    fn facts(&self) -> Facts {
        Facts { utility: Utility::ZeroSum, utility_bounds: (-1.0, 1.0), ..Facts::open(2, 7) }
    }
    fn start(&self) -> State {
        (7, Player(0))
    }
    fn turn(&self, &(coins, who): &State) -> Turn {
        if coins == 0 { Turn::Terminal } else { Turn::Player(who) }
    }
    fn actions(&self, &(coins, _): &State, _who: Player, out: &mut Vec<u8>) {
        out.extend(1..=coins.min(2));
    }
    fn apply(&self, (coins, who): &mut State, step: Step<'_, Self>) {
        *coins -= step.single().1;
        *who = who.other();
    }
    fn observe(&self, _before: &State, step: Step<'_, Self>, by: Observer) -> Option<Observation> {
        let (who, taken) = step.single();
        (!by.is(who)).then(|| Observation::word(taken.into()))
    }
    fn rewards(&self, &(_, loser): &State) -> Rewards {
        Rewards::zero_sum(if loser == Player(0) { -1.0 } else { 1.0 })
    }
    fn code(&self, taken: u8) -> u64 {
        taken.into()
    }
}

impl Notation for Take {
    fn action_name(&self, taken: u8) -> String {
        taken.to_string()
    }
    fn parse_action(&self, name: &str) -> Option<u8> {
        [1, 2].into_iter().find(|&taken| self.action_name(taken) == name)
    }
}

impl PerfectInformation for Take {}
impl FastPlay for Take {}

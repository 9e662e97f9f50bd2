//! Cups: one hides a coin under one of three cups, the other looks under one and then chooses one. Choosing the coin
//! wins. The state does not say where the other looked: only the history does, so the rules are wrapped in `Tracked`.

use fogtree_core::{
    About, Facts, FastPlay, Method, Notation, Observation, Observer, Player, Rewards, Rules, Step, Tracked,
    Turn, Utility,
};

pub(crate) static ABOUT: About = About {
    name: "cups",
    summary: "One hides a coin under a cup, the other looks under one and chooses one",
    source: "an example",
    params: &[],
    presets: &[],
    tiny: "",
};

pub(crate) struct Cups;

/// The game: what each player knows is what it did and saw.
pub(crate) fn game() -> Tracked<Cups> {
    Tracked::new(Cups, Method::Exact { limit: 1000 })
}

#[derive(Clone, PartialEq, Eq, Hash, Debug, Default)]
pub(crate) struct State {
    coin: Option<u8>,
    looked: bool,
    chosen: Option<u8>,
}

/// What is seen of a step, beside the cup that was chosen.
const EMPTY: u64 = 3;
const COIN: u64 = 4;
const HIDES: u64 = 5;
const LOOKS: u64 = 6;

impl Rules for Cups {
    type State = State;
    type Action = u8;
    type Outcome = std::convert::Infallible;

    fn facts(&self) -> Facts {
        Facts {
            hidden: true,
            hidden_moves: true,
            utility: Utility::ZeroSum,
            utility_bounds: (-1.0, 1.0),
            ..Facts::open(2, 3)
        }
    }
    fn start(&self) -> State {
        State::default()
    }
    fn turn(&self, s: &State) -> Turn {
        match s {
            State { coin: None, .. } => Turn::Player(Player(0)),
            State { chosen: None, .. } => Turn::Player(Player(1)),
            _ => Turn::Terminal,
        }
    }
    fn actions(&self, _s: &State, _who: Player, out: &mut Vec<u8>) {
        out.extend(0..3);
    }
    fn apply(&self, s: &mut State, step: Step<'_, Self>) {
        let cup = step.single().1;
        match s {
            State { coin: None, .. } => s.coin = Some(cup),
            State { looked: false, .. } => s.looked = true,
            _ => s.chosen = Some(cup),
        }
    }
    fn observe(&self, before: &State, step: Step<'_, Self>, by: Observer) -> Option<Observation> {
        let (who, cup) = step.single();
        let seen = match before {
            State { coin: None, .. } => (!by.is(who)).then_some(HIDES),
            State { looked: false, .. } if by.is(who) => {
                Some(if before.coin == Some(cup) { COIN } else { EMPTY })
            }
            State { looked: false, .. } => Some(LOOKS),
            _ => (!by.is(who)).then_some(cup.into()),
        };
        seen.map(Observation::word)
    }
    fn rewards(&self, s: &State) -> Rewards {
        Rewards::zero_sum(if s.coin == s.chosen { -1.0 } else { 1.0 })
    }
    fn code(&self, cup: u8) -> u64 {
        cup.into()
    }
}

impl Notation for Cups {
    fn action_name(&self, cup: u8) -> String {
        ["left", "middle", "right"][usize::from(cup)].to_string()
    }
    fn parse_action(&self, name: &str) -> Option<u8> {
        (0..3).find(|&cup| self.action_name(cup) == name)
    }
    fn code_name(&self, code: u64) -> Option<String> {
        (code < 3).then(|| self.action_name(code as u8))
    }
    fn explain(&self, seen: &Observation, _by: Observer) -> String {
        match seen.first() {
            EMPTY => "nothing there".to_string(),
            COIN => "the coin".to_string(),
            HIDES => "the coin is hidden".to_string(),
            LOOKS => "the other looks under a cup".to_string(),
            cup => format!("chosen: {}", self.code_name(cup).unwrap_or_else(|| "?".to_string())),
        }
    }
}

impl FastPlay for Cups {}

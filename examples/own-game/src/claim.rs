//! Claim: a coin falls, only the first player sees it and says how it fell, truthfully or not; the second
//! says how it fell in truth. A right guess wins. What each player knows follows from the state.

use fogtree_core::{
    About, Chance, Facts, FastPlay, Game, Notation, Observation, Observer, Player, Rewards, Rng, Rules, Step,
    Turn, Utility,
};

pub(crate) static ABOUT: About = About {
    name: "claim",
    summary: "One sees a coin and makes a claim, the other guesses",
    source: "an example",
    params: &[],
    presets: &[],
    tiny: "",
};

pub(crate) struct Claim;

/// The coin, the claim, the guess; `true` is heads. What an observer knows has the same form.
pub(crate) type State = [Option<bool>; 3];
pub(crate) type Info = (Observer, bool, State);

const NAMES: [&str; 2] = ["tails", "heads"];

impl Rules for Claim {
    type State = State;
    type Action = bool;
    type Outcome = bool;

    fn facts(&self) -> Facts {
        Facts {
            hidden: true,
            chance: Chance::Listed,
            utility: Utility::ZeroSum,
            utility_bounds: (-1.0, 1.0),
            ..Facts::open(2, 3)
        }
    }
    fn start(&self) -> State {
        [None; 3]
    }
    fn turn(&self, s: &State) -> Turn {
        let turns = [Turn::Chance, Turn::Player(Player(0)), Turn::Player(Player(1)), Turn::Terminal];
        turns[s.iter().flatten().count()]
    }
    fn actions(&self, _s: &State, _who: Player, out: &mut Vec<bool>) {
        out.extend([false, true]);
    }
    fn chance(&self, _s: &State, out: &mut Vec<(bool, f64)>) {
        out.extend([(false, 0.5), (true, 0.5)]);
    }
    fn apply(&self, s: &mut State, step: Step<'_, Self>) {
        let at = s.iter().flatten().count();
        s[at] = step.moves().first().map(|m| m.1).or_else(|| Some(*step.outcome()));
    }
    fn observe(&self, _before: &State, step: Step<'_, Self>, by: Observer) -> Option<Observation> {
        match step {
            Step::Chance(side) => by.is(Player(0)).then(|| Observation::word(u64::from(*side))),
            Step::Moves(moves) => (!by.is(moves[0].0)).then(|| Observation::word(u64::from(moves[0].1))),
        }
    }
    fn rewards(&self, s: &State) -> Rewards {
        Rewards::zero_sum(if s[0] == s[2] { -1.0 } else { 1.0 })
    }
    fn code(&self, action: bool) -> u64 {
        u64::from(action)
    }
}

impl Game for Claim {
    type Info = Info;
    type Sampler = Info;

    fn info(&self, s: &State, by: Observer) -> Info {
        let sees = by.is(Player(0));
        (by, sees && s[0].is_some() || s[1].is_some(), if sees { *s } else { [None, s[1], s[2]] })
    }
    fn sampler(&self, known: &Info) -> Info {
        *known
    }
    fn sample(&self, known: &mut Info, rng: &mut Rng, into: &mut State) -> f64 {
        *into = known.2;
        if known.1 && into[0].is_none() {
            into[0] = Some(rng.below(2) == 1);
        }
        1.0
    }
    fn view(&self, (_, _, seen): &Info) -> String {
        let name = |side: &Option<bool>| side.map_or("?", |side| NAMES[usize::from(side)]);
        format!("coin {}, claim {}, guess {}", name(&seen[0]), name(&seen[1]), name(&seen[2]))
    }
}

impl Notation for Claim {
    fn action_name(&self, action: bool) -> String {
        NAMES[usize::from(action)].to_string()
    }
    fn parse_action(&self, name: &str) -> Option<bool> {
        NAMES.iter().position(|n| *n == name).map(|i| i == 1)
    }
    fn outcome_name(&self, side: &bool) -> String {
        self.action_name(*side)
    }
    fn parse_outcome(&self, name: &str) -> Option<bool> {
        self.parse_action(name)
    }
}

impl FastPlay for Claim {}

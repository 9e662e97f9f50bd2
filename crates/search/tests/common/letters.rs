//! Small games without secrets that a test makes up. Tests inside the crate use it, too.
#![allow(dead_code, unreachable_pub, reason = "not every test uses all of it")]

use fogtree_core::{
    Episodes, Evaluations, Extras, Facts, FastPlay, Notation, Observation, Observer, PerfectInformation,
    Player, Rewards, Rules, Step, Turn,
};

type Of<T> = Box<dyn Fn(&[u8]) -> T + Send + Sync>;

/// Two players choose letters, as long as there is somebody to choose: all else follows from the letters so far.
pub struct Letters {
    pub turns: usize,
    pub letters: u8,
    /// Who chooses next.
    pub mover: Of<Option<Player>>,
    /// What the first player wins, from 0 to 1; the other wins the rest.
    pub reward: Of<f64>,
    /// What the game thinks that anybody will win.
    pub evaluation: Of<Option<f64>>,
    /// An episode begins whenever so many letters more were chosen.
    pub episode: Option<usize>,
}

impl Letters {
    /// A game in which both choose in turn, so many letters in all.
    pub fn in_turn(
        turns: usize,
        letters: u8,
        reward: impl Fn(&[u8]) -> f64 + Send + Sync + 'static,
    ) -> Letters {
        let mover = move |all: &[u8]| (all.len() < turns).then_some(Player((all.len() % 2) as u8));
        Letters {
            turns,
            letters,
            mover: Box::new(mover),
            reward: Box::new(reward),
            evaluation: Box::new(|_| None),
            episode: None,
        }
    }
}

impl Rules for Letters {
    type State = Vec<u8>;
    type Action = u8;
    type Outcome = ();

    fn facts(&self) -> Facts {
        Facts::open(2, self.turns as u32)
    }

    fn start(&self) -> Vec<u8> {
        Vec::new()
    }

    fn turn(&self, chosen: &Vec<u8>) -> Turn {
        (self.mover)(chosen).map_or(Turn::Terminal, Turn::Player)
    }

    fn actions(&self, _chosen: &Vec<u8>, _who: Player, out: &mut Vec<u8>) {
        out.extend(0..self.letters);
    }

    fn apply(&self, chosen: &mut Vec<u8>, step: Step<'_, Self>) {
        chosen.push(step.single().1);
    }

    fn observe(&self, _before: &Vec<u8>, step: Step<'_, Self>, by: Observer) -> Option<Observation> {
        let (who, letter) = step.single();
        (!by.is(who)).then(|| Observation::word(letter.into()))
    }

    fn rewards(&self, chosen: &Vec<u8>) -> Rewards {
        let first = (self.reward)(chosen);
        [first, 1.0 - first].into_iter().collect()
    }

    fn code(&self, letter: u8) -> u64 {
        letter.into()
    }

    fn extras(&self) -> Extras<'_, Letters> {
        Extras { episodes: Some(self), evaluations: Some(self), ..Extras::NONE }
    }
}

impl Notation for Letters {
    fn action_name(&self, letter: u8) -> String {
        char::from(b'a' + letter).to_string()
    }

    fn parse_action(&self, name: &str) -> Option<u8> {
        (0..self.letters).find(|&letter| self.action_name(letter) == name)
    }
}

impl FastPlay for Letters {
    fn codes(&self) -> Option<usize> {
        Some(self.letters.into())
    }
}

impl Evaluations<Letters> for Letters {
    fn evaluate(&self, _: Option<usize>, chosen: &Vec<u8>, _who: Player) -> Option<f64> {
        (self.evaluation)(chosen)
    }
}

impl Episodes<Letters> for Letters {
    fn episode(&self, chosen: &Vec<u8>) -> Option<u32> {
        self.episode.filter(|&length| chosen.len().is_multiple_of(length)).map(|_| 0)
    }
}

impl PerfectInformation for Letters {}

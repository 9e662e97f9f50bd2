//! Nim: take any number of objects from one heap, and mind who takes the last.
//!
//! Two players take turns; a move removes one or more objects from one heap. Whoever takes the last object
//! wins, or loses if the game is played misère. Rules: C. L. Bouton, *Nim, a game with a complete
//! mathematical theory* (1901); Whitehouse 2014, §4.2.14. The theory: the player to move wins if the binary
//! sum without carry of the heaps is not 0; in misère play too, unless every heap has at most one object, when
//! the player to move wins if an even number of heaps is left.

use fogtree_core::{
    About, BadSpec, Domain, Facts, FastPlay, Notation, Observation, Observer, Param, Params,
    PerfectInformation, Player, Rewards, Rng, Rules, Scene, Scratch, Step, Tensors, Turn, Utility,
};
use serde::{Deserialize, Serialize};

use crate::words::mover;

mod scene;
mod tensors;

/// What `fogtree games` says of it.
pub static ABOUT: About = About {
    name: "nim",
    summary: "Take objects from one heap at a time; who takes the last one wins, or loses",
    source: "Bouton 1901; ismcts 4.13",
    params: &[
        Param::new("heaps", "[3,4,5]", Domain::List, "the heaps, at most 8 of 1 to 63 objects"),
        Param::new("misere", "no", Domain::Flag, "whether who takes the last object loses: yes or no"),
        Param::new(
            "reward",
            "unit",
            Domain::Choice(&["unit", "signed"]),
            "for a win and a loss: unit = 1, 0; signed = 1, -1",
        ),
    ],
    presets: &[],
    tiny: "heaps=[1,2,3]",
};

const MOST_HEAPS: usize = 8;
const MOST_OBJECTS: u8 = 63;

/// The rules of nim with certain heaps.
#[derive(Clone, Debug)]
pub struct Nim {
    heaps: [u8; MOST_HEAPS],
    last: Last,
    reward: Reward,
}

/// What taking the last object means.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Last {
    Wins,
    Loses,
}

/// What a win is worth.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Reward {
    Unit,
    Signed,
}

/// A move: so many objects from one heap. Its name is the heap's letter and the number, as in `b2`.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Serialize, Deserialize)]
pub struct Take {
    heap: u8,
    count: u8,
}

/// The heaps and who is to take from them.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Serialize, Deserialize)]
pub struct State {
    heaps: [u8; MOST_HEAPS],
    mover: Player,
}

impl Nim {
    /// The game a specification asks for.
    pub fn from_params(params: &Params) -> Result<Nim, BadSpec> {
        let given: Vec<u8> = params.list("heaps")?;
        if given.len() > MOST_HEAPS || !given.iter().all(|n| (1..=MOST_OBJECTS).contains(n)) {
            return Err(
                params.bad("heaps", format!("at most {MOST_HEAPS} heaps of 1 to {MOST_OBJECTS} objects"))
            );
        }
        let mut heaps = [0; MOST_HEAPS];
        heaps[..given.len()].copy_from_slice(&given);
        Ok(Nim {
            heaps,
            last: if params.flag("misere")? { Last::Loses } else { Last::Wins },
            reward: params.choice("reward", &[Reward::Unit, Reward::Signed])?,
        })
    }
}

fn objects(heaps: [u8; MOST_HEAPS]) -> u32 {
    heaps.iter().map(|&n| u32::from(n)).sum()
}

impl Rules for Nim {
    type State = State;
    type Action = Take;
    type Outcome = std::convert::Infallible;

    fn facts(&self) -> Facts {
        let (utility, least) = match self.reward {
            Reward::Unit => (Utility::ConstantSum, 0.0),
            Reward::Signed => (Utility::ZeroSum, -1.0),
        };
        Facts { utility, utility_bounds: (least, 1.0), ..Facts::open(2, objects(self.heaps)) }
    }

    fn start(&self) -> State {
        State { heaps: self.heaps, mover: Player(0) }
    }

    #[inline]
    fn turn(&self, s: &State) -> Turn {
        if s.heaps == [0; MOST_HEAPS] { Turn::Terminal } else { Turn::Player(s.mover) }
    }

    fn actions(&self, s: &State, _who: Player, out: &mut Vec<Take>) {
        for (heap, &left) in (0..).zip(&s.heaps) {
            out.extend((1..=left).map(|count| Take { heap, count }));
        }
    }

    #[inline]
    fn apply(&self, s: &mut State, step: Step<'_, Self>) {
        let (who, Take { heap, count }) = step.single();
        s.heaps[usize::from(heap)] -= count;
        s.mover = who.other();
    }

    fn rewards(&self, s: &State) -> Rewards {
        let winner = match self.last {
            Last::Wins => s.mover.other(),
            Last::Loses => s.mover,
        };
        match self.reward {
            Reward::Unit => Rewards::winner(2, Some(winner)),
            Reward::Signed => Rewards::zero_sum(if winner.0 == 0 { 1.0 } else { -1.0 }),
        }
    }

    fn observe(&self, _before: &State, step: Step<'_, Self>, by: Observer) -> Option<Observation> {
        let (who, take) = step.single();
        (!by.is(who)).then(|| Observation::word(self.code(take)))
    }

    fn code(&self, action: Take) -> u64 {
        u64::from(action.heap) * (u64::from(MOST_OBJECTS) + 1) + u64::from(action.count)
    }
}

impl Notation for Nim {
    fn action_name(&self, action: Take) -> String {
        format!("{}{}", char::from(b'a' + action.heap), action.count)
    }

    fn parse_action(&self, name: &str) -> Option<Take> {
        let (letter, number) = name.split_at_checked(1)?;
        let heap = letter.bytes().next()?.checked_sub(b'a').filter(|&heap| usize::from(heap) < MOST_HEAPS)?;
        let count = number.parse().ok().filter(|count| (1..=MOST_OBJECTS).contains(count))?;
        Some(Take { heap, count }).filter(|&take| self.action_name(take) == name)
    }

    fn explain(&self, seen: &Observation, by: Observer) -> String {
        let (heap, count) = (seen.first() / 64 % MOST_HEAPS as u64, seen.first() % 64);
        format!("{} takes {count} from heap {}", mover(by), char::from(b'a' + heap as u8))
    }

    fn scene_of(&self, s: &State) -> Scene {
        self.draw(s)
    }
}

impl FastPlay for Nim {
    const DECODES: bool = true;

    #[inline]
    fn decode(&self, code: u64) -> Take {
        let counts = u64::from(MOST_OBJECTS) + 1;
        Take { heap: (code / counts) as u8, count: (code % counts) as u8 }
    }

    /// Every object stands for one move: taking it and all that lie on it.
    #[inline]
    fn random_action(&self, s: &State, _who: Player, rng: &mut Rng, _scratch: &mut Scratch<Self>) -> Take {
        let mut object = rng.below(objects(s.heaps));
        let mut heap = 0;
        while object >= u32::from(s.heaps[heap]) {
            object -= u32::from(s.heaps[heap]);
            heap += 1;
        }
        Take { heap: heap as u8, count: object as u8 + 1 }
    }

    fn codes(&self) -> Option<usize> {
        Some(MOST_HEAPS * (usize::from(MOST_OBJECTS) + 1))
    }
}

impl PerfectInformation for Nim {
    fn spots(&self, s: &State, _: Player, take: Take) -> Vec<String> {
        vec![Self::spot(s, take)]
    }

    fn tensors(&self) -> Option<&dyn Tensors<Self>> {
        Some(self)
    }
}

#[cfg(test)]
mod tests {
    use std::collections::HashMap;

    use fogtree_core::{Purpose, Seed};

    use super::*;
    use crate::testing::first_zone;

    fn game(params: &str) -> Result<Nim, BadSpec> {
        Nim::from_params(&crate::testing::params(&ABOUT, params)?)
    }

    /// Whether the player to move wins, from the rewards alone.
    fn wins(rules: &Nim, s: &State, known: &mut HashMap<State, bool>) -> bool {
        if let Some(&known) = known.get(s) {
            return known;
        }
        let won = match rules.turn(s) {
            Turn::Terminal => rules.rewards(s)[s.mover] == 1.0,
            _ => {
                let mut legal = Vec::new();
                rules.actions(s, s.mover, &mut legal);
                legal.into_iter().any(|take| {
                    let mut next = *s;
                    rules.apply(&mut next, Step::Moves(&[(s.mover, take)]));
                    !wins(rules, &next, known)
                })
            }
        };
        known.insert(*s, won);
        won
    }

    #[test]
    fn bouton_was_right() {
        for misere in ["no", "yes"] {
            for reward in ["unit", "signed"] {
                let rules = game(&format!("misere={misere},reward={reward}")).unwrap();
                let mut known = HashMap::new();
                for code in 0..7usize.pow(4) {
                    let mut heaps = [0; MOST_HEAPS];
                    (0..4).for_each(|i| heaps[i] = (code / 7usize.pow(i as u32) % 7) as u8);
                    let sum = heaps.iter().fold(0, |a, b| a ^ b);
                    let left = heaps.iter().filter(|&&n| n > 0).count();
                    let expected = match misere {
                        "yes" if heaps.iter().all(|&n| n <= 1) => left % 2 == 0,
                        _ => sum != 0,
                    };
                    let state = State { heaps, mover: Player((code % 2) as u8) };
                    assert_eq!(wins(&rules, &state, &mut known), expected, "misere={misere} {heaps:?}");
                }
            }
        }
    }

    #[test]
    fn parameters_are_checked() {
        for bad in ["heaps=[]", "heaps=[0]", "heaps=[64]", "heaps=[1,2,3,4,5,6,7,8,9]", "heaps=3", "misere=2"]
        {
            assert!(matches!(game(bad), Err(BadSpec::Value { .. })), "{bad}");
        }
        assert_eq!(game("heaps=[1,2,3,4,5,6,7,63]").unwrap().facts().max_length, 28 + 63);
        assert_eq!(game("").unwrap().start().heaps, [3, 4, 5, 0, 0, 0, 0, 0]);
    }

    #[test]
    fn names_parse_back_and_nothing_else_does() {
        let rules = game("").unwrap();
        for heap in 0..8 {
            for count in 1..=63 {
                let take = Take { heap, count };
                assert_eq!(rules.parse_action(&rules.action_name(take)), Some(take));
                assert!((rules.code(take) as usize) < rules.codes().unwrap());
            }
        }
        for bad in ["", "a", "a0", "a64", "i1", "A1", "a01", "a+1", "é1", "1", "a99999999999999999999"] {
            assert_eq!(rules.parse_action(bad), None, "{bad}");
        }
        let seen = rules.observe(
            &rules.start(),
            Step::Moves(&[(Player(0), Take { heap: 1, count: 2 })]),
            Observer::Public,
        );
        assert_eq!(rules.explain(&seen.unwrap(), Observer::Public), "the player to move takes 2 from heap b");
        rules.explain(&Observation::word(u64::MAX), Observer::Public);
        rules.explain(&Observation::words(&[]), Observer::Public);
    }

    #[test]
    fn random_moves_are_all_legal_and_equally_likely() {
        let rules = game("heaps=[2,1,3]").unwrap();
        let s = rules.start();
        let mut rng = Seed(1).stream(Purpose::Playout);
        let mut scratch = Scratch::default();
        let mut times: HashMap<Take, f64> = HashMap::new();
        for _ in 0..60_000 {
            *times.entry(rules.random_action(&s, Player(0), &mut rng, &mut scratch)).or_default() += 1.0;
        }
        let mut legal = Vec::new();
        rules.actions(&s, Player(0), &mut legal);
        assert_eq!((legal.len(), times.len()), (6, 6));
        let chi: f64 = legal.iter().map(|take| (times[take] - 10_000.0).powi(2) / 10_000.0).sum();
        assert!(chi < 20.5, "chi-square {chi} is above the 0.1 % point for 5 degrees of freedom");
    }

    #[test]
    fn the_heaps_are_drawn() {
        let rules = game("heaps=[2,1]").unwrap();
        let s = State { heaps: [2, 0, 0, 0, 0, 0, 0, 0], mover: Player(1) };
        assert_eq!(first_zone(rules.scene_of(&s)), "Heaps\na: 2 • •\nb: 0 ·");
    }
}

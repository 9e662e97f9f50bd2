//! Searches from the start of a game, and how far from equilibrium what they learnt is.

use fogtree_core::{
    Agent, AverageStrategy, Budget, Erased, Facts, FastPlay, Notation, Observation, Observer,
    PerfectInformation, Playable, Player, Players, Purpose, Rewards, Rules, Seed, Step, Turn,
};
use fogtree_games::goofspiel::{self, Goofspiel};
use fogtree_games::matrix::{self, Matrix};
use fogtree_search::SmMcts;
use fogtree_search::sm_mcts::{Average, Mcts, Method, Propagate, Selection, Settings};
use fogtree_solve::{Compiled, Profile};
use serde::{Deserialize, Serialize};

use crate::tables::letters::Letters;
pub(crate) use crate::tables::{averages, model, nash_conv, params};

pub(crate) const EXP3: Selection = Selection::Exp3 { gamma: 0.1 };
pub(crate) const DRM: Selection = Selection::Drm { gamma: 0.1 };

pub(crate) fn matrix_game(rows: &str) -> Erased<Matrix> {
    Erased::new(Matrix::from_params(&params(&matrix::ABOUT, &format!("rows={rows}"))).unwrap())
}

/// A matrix of payoffs in [-1, 1], the corners of the range among them.
pub(crate) fn random_matrix(k: usize, seed: u64) -> Erased<Matrix> {
    let mut rng = Seed(seed).named("matrix").stream(Purpose::Deal);
    let mut entries: Vec<f64> = (0..k * k).map(|_| 2.0 * rng.unit() - 1.0).collect();
    (entries[0], entries[k * k - 1]) = (1.0, -1.0);
    let row = |row: &[f64]| row.iter().map(f64::to_string).collect::<Vec<_>>().join(",");
    matrix_game(&format!("[{}]", entries.chunks(k).map(row).collect::<Vec<_>>().join(";")))
}

pub(crate) fn goofspiel(text: &str) -> Erased<Goofspiel> {
    Erased::new(Goofspiel::from_params(&params(&goofspiel::ABOUT, text)).unwrap())
}

/// A search with everything but the selection as usual.
pub(crate) fn mcts(selection: Selection) -> Settings {
    Settings::of(Method::Mcts(Mcts::new(selection)))
}

/// The same, averages including exploration and passing this up.
pub(crate) fn played(selection: Selection, propagate: Propagate) -> Settings {
    Settings::of(Method::Mcts(Mcts { average: Average::Played, propagate, ..Mcts::new(selection) }))
}

/// A search from the start of the game.
pub(crate) fn searched<G: Playable>(
    game: &Erased<G>,
    settings: Settings,
    seed: u64,
    iterations: u64,
) -> SmMcts {
    let mut agent = SmMcts::new(&model(game), settings);
    agent.start(Player(0), Seed(seed));
    agent.prepare(&Budget::iterations(iterations));
    agent
}

/// Strategies by key as a profile, uniform where nothing is told.
pub(crate) fn profile(
    compiled: &Compiled,
    tell: impl FnOnce(&mut dyn FnMut(AverageStrategy<'_>)),
) -> Profile {
    let mut profile = Profile::uniform(compiled);
    tell(&mut |told| {
        let set = compiled.treeplex(told.seat).find(told.key).expect("every strategy is of the game");
        profile.set(compiled, told.seat, set, told.strategy);
    });
    profile
}

pub(crate) fn compiled<G: Playable>(game: &Erased<G>) -> Compiled {
    Compiled::of(&**game.game(), 10_000_000).unwrap()
}

pub(crate) fn mean(numbers: impl IntoIterator<Item = f64>) -> f64 {
    let all: Vec<f64> = numbers.into_iter().collect();
    all.iter().sum::<f64>() / all.len() as f64
}

/// A game in which both players always have the same number of moves and play ends after so many joint moves; the
/// first player gets what the leaf says, between 0 and 1, the second the rest (`equilibrium/3.3`).
#[derive(Clone, Debug)]
pub(crate) struct Layers {
    pub(crate) branching: u8,
    pub(crate) depth: u8,
    pub(crate) leaves: Vec<f64>,
}

#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Serialize, Deserialize)]
pub(crate) struct Path {
    depth: u8,
    number: u32,
}

impl Layers {
    /// Leaves drawn from [0, 1].
    pub(crate) fn random(branching: u8, depth: u8, seed: u64) -> Layers {
        let mut rng = Seed(seed).named("layers").stream(Purpose::Deal);
        let count = u32::from(branching).pow(2 * u32::from(depth));
        Layers { branching, depth, leaves: (0..count).map(|_| rng.unit()).collect() }
    }
}

impl PerfectInformation for Layers {}

impl Rules for Layers {
    type State = Path;
    type Action = u8;
    type Outcome = std::convert::Infallible;

    fn facts(&self) -> Facts {
        Facts { simultaneous: true, ..Facts::open(2, self.depth.into()) }
    }

    fn start(&self) -> Path {
        Path { depth: 0, number: 0 }
    }

    fn turn(&self, s: &Path) -> Turn {
        if s.depth < self.depth { Turn::Simultaneous(Players::first(2)) } else { Turn::Terminal }
    }

    fn actions(&self, _s: &Path, _who: Player, out: &mut Vec<u8>) {
        out.extend(0..self.branching);
    }

    fn apply(&self, s: &mut Path, step: Step<'_, Self>) {
        let [a, b] = [0, 1].map(|i| u32::from(step.moves()[i].1));
        let k = u32::from(self.branching);
        *s = Path { depth: s.depth + 1, number: (s.number * k + a) * k + b };
    }

    fn observe(&self, _before: &Path, step: Step<'_, Self>, by: Observer) -> Option<Observation> {
        let others = step.moves().iter().filter(|(p, _)| !by.is(*p));
        Some(Observation::words(&others.map(|&(_, a)| a.into()).collect::<Vec<_>>()))
    }

    fn rewards(&self, s: &Path) -> Rewards {
        let first = self.leaves[s.number as usize];
        [first, 1.0 - first].into_iter().collect()
    }

    fn code(&self, action: u8) -> u64 {
        action.into()
    }
}

impl Notation for Layers {
    fn action_name(&self, action: u8) -> String {
        action.to_string()
    }

    fn parse_action(&self, name: &str) -> Option<u8> {
        name.parse().ok()
    }
}

impl FastPlay for Layers {
    fn codes(&self) -> Option<usize> {
        Some(self.branching.into())
    }
}

/// One player may leave at each of so many steps, which is worth less the later it is, except that whoever never
/// leaves gets most (Coquelin and Munos 2007, where upper confidence bounds take long to find out).
pub(crate) fn chain(steps: u8) -> Letters {
    let mover = move |all: &[u8]| (all.last() != Some(&0) && all.len() < steps.into()).then_some(Player(0));
    let reward = move |all: &[u8]| match all.last() {
        Some(0) => 1.0 - all.len() as f64 / f64::from(steps),
        _ => 1.0,
    };
    Letters { mover: Box::new(mover), ..Letters::in_turn(steps.into(), 2, reward) }
}

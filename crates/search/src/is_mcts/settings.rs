//! What can be set about IS-MCTS.

/// How the learner of an information set chooses. Rewards are scaled to [0, 1].
#[derive(Clone, Copy, PartialEq, Debug)]
pub enum Selection {
    /// The first move with the greatest upper confidence bound. Players who choose at the same time in a game
    /// that is alike for both then choose alike for ever and learn nothing of the rest (`equilibrium/ER-9`).
    Uct {
        /// The exploration constant.
        c: f64,
    },
    /// A random one of the moves whose bound is at most `tau` below the greatest.
    Ruct {
        /// The exploration constant.
        c: f64,
        /// How close is as good.
        tau: f64,
    },
    /// EXP3.
    Exp3 {
        /// The probability of exploring.
        gamma: f64,
    },
    /// Regret matching.
    Rm {
        /// The probability of exploring.
        gamma: f64,
    },
    /// Upper confidence bounds mixed with the average play so far.
    Smooth(Smooth),
}

/// The parameters of Smooth UCT.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Smooth {
    /// The exploration constant.
    pub c: f64,
    /// The least probability of following the bound.
    pub gamma: f64,
    /// The probability of following the bound at first.
    pub eta: f64,
    /// How fast that probability falls.
    pub d: f64,
}

impl Smooth {
    /// The probability of following the bound after `n` visits: `max(gamma, eta / (1 + d sqrt(n)))`.
    #[inline]
    pub fn eta_after(self, n: f64) -> f64 {
        (self.eta / (1.0 + self.d * n.sqrt())).max(self.gamma)
    }
}

/// Which move is played after the search.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Play {
    /// The most visited.
    Max,
    /// One drawn in proportion to the visits.
    Mix,
}

/// What players remember.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Recall {
    /// All that they did and saw.
    #[default]
    Perfect,
    /// What the game says is worth remembering, in games that say it; else everything.
    Abstract,
}

/// How games are played out below the table.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Playout {
    /// By one of the game's policies, by its number; else uniformly at random.
    pub policy: Option<usize>,
    /// So many turns from the root the game is judged by its evaluation.
    pub cutoff: Option<u32>,
}

/// The parameters of the search.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Settings {
    /// How learners choose.
    pub selection: Selection,
    /// Whether the states the game may be in are tracked with their probabilities.
    pub beliefs: bool,
    /// Which move is played.
    pub play: Play,
    /// What players remember.
    pub recall: Recall,
    /// How games are played out.
    pub playout: Playout,
    /// The most bytes for information sets.
    pub memory: usize,
}

impl Default for Settings {
    fn default() -> Self {
        Settings {
            selection: Selection::Ruct { c: 1.0, tau: 0.01 },
            beliefs: true,
            play: Play::Mix,
            recall: Recall::Perfect,
            playout: Playout::default(),
            memory: 1 << 30,
        }
    }
}

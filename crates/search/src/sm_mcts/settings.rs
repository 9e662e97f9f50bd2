//! What can be set about the search.

use crate::bandit::Ties;
pub use crate::is_mcts::Play;

/// How players choose in the tree. Rewards are scaled to [0, 1]: a constant `C` or tolerance that a source gives for
/// raw utilities in `[low, high]` is `C / (high - low)` here, half of it where wins count 1 and losses -1.
#[derive(Clone, Copy, PartialEq, Debug)]
pub enum Selection {
    /// Decoupled UCT: each player takes the move with its own greatest upper confidence bound, moves never tried
    /// first, whatever the other does.
    Duct {
        /// The exploration constant.
        c: f64,
        /// Which of several good moves is taken. Unless it is random within a tolerance, two players may go round
        /// in lock-step for ever (`equilibrium/ER-9`).
        ties: Ties,
    },
    /// Each player draws by EXP3.
    Exp3 {
        /// The probability of exploring.
        gamma: f64,
    },
    /// Decoupled regret matching: each player learns from its own reward only (`equilibrium/ER-2`, `ER-3`).
    Drm {
        /// The probability of exploring.
        gamma: f64,
    },
    /// Coupled regret matching: the mean rewards of all joint moves are kept, and each player regrets not having
    /// made its other moves against what the other chose.
    Rm {
        /// The probability of exploring.
        gamma: f64,
        /// What a joint move that was never made is taken to be worth to the first player, in [0, 1].
        unvisited: f64,
    },
}

/// What a node tells the node above it after an iteration.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Propagate {
    /// The reward of the iteration.
    Sample,
    /// The mean of all rewards so far: SM-MCTS-A, for which convergence is proved (Lisý 2014, Thm 3.1.10).
    Mean,
    /// The reward of the iteration, but learners are told the mean reward of the joint move made.
    JointMean,
}

/// What is done with a node when it is made (`equilibrium/ER-10`).
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Expand {
    /// Its players choose, and learn what came of it.
    Choose,
    /// Play goes on at random from there, and it stays empty, as the source's figure has it.
    Leave,
}

/// Of which strategies the average is taken.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Average {
    /// Of those that the learners aimed at: exploration is left out.
    Stripped,
    /// Of those that were played, exploration included.
    Played,
}

/// How the game is judged where the tree ends.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Leaf {
    /// By random play to the end.
    Rollout,
    /// By the game's own guess; at random where it has none.
    Evaluation,
}

/// Simultaneous-move Monte Carlo tree search.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Mcts {
    /// How players choose.
    pub selection: Selection,
    /// The probability with which a player chooses uniformly and learns nothing: algorithm A* of the source, which
    /// makes any learner explore for ever.
    pub forced: f64,
    /// What is passed up.
    pub propagate: Propagate,
    /// What is done with new nodes.
    pub expand: Expand,
    /// Of which strategies the average is taken.
    pub average: Average,
}

impl Mcts {
    /// The template with this selection and everything else as usual.
    pub fn new(selection: Selection) -> Mcts {
        Mcts {
            selection,
            forced: 0.0,
            propagate: Propagate::Sample,
            expand: Expand::Choose,
            average: Average::Stripped,
        }
    }
}

/// How an iteration of outcome sampling counts at a node.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Weights {
    /// By the inverse of the probability of getting there: counterfactual regrets.
    Path,
    /// As if the search had started there: less variance, and nodes count by how often they are sampled.
    Local,
}

/// What becomes of the probabilities of what was really played.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Progress {
    /// Nothing: the state reached is a new start.
    Restart,
    /// Iterations count by how likely chance and the other player were to come there.
    Reach,
}

/// Simultaneous-move online outcome sampling.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Oos {
    /// The probability with which the player who learns explores.
    pub gamma: f64,
    /// How iterations count.
    pub weights: Weights,
    /// How the search goes on after a real move.
    pub progress: Progress,
}

/// How strategies are learnt.
#[derive(Clone, Copy, PartialEq, Debug)]
pub enum Method {
    /// By learners at every node.
    Mcts(Mcts),
    /// By outcome sampling.
    Oos(Oos),
}

/// The parameters of the search.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Settings {
    /// How strategies are learnt.
    pub method: Method,
    /// How the game is judged where the tree ends.
    pub leaf: Leaf,
    /// Which move is played.
    pub play: Play,
    /// The most bytes for the tree, beyond which the search goes on without growing.
    pub memory: usize,
}

impl Settings {
    /// The constant that is 2 in the source's tournaments, where rewards are in [-1, 1].
    pub const C: f64 = 1.0;
    /// The tolerance that is 0.01 in `equilibrium/ER-9`, likewise.
    pub const TAU: f64 = 0.005;
    /// Coupled regret matching as in the source's tournaments.
    pub const RM: Selection = Selection::Rm { gamma: 0.1, unvisited: 0.5 };
    /// Outcome sampling as in the source's experiments.
    pub const OOS: Oos = Oos { gamma: 0.6, weights: Weights::Path, progress: Progress::Restart };

    /// This method and everything else as usual.
    pub fn of(method: Method) -> Settings {
        Settings { method, leaf: Leaf::Rollout, play: Play::Mix, memory: 1 << 30 }
    }
}

impl Default for Settings {
    fn default() -> Self {
        Settings::of(Method::Mcts(Mcts::new(Settings::RM)))
    }
}

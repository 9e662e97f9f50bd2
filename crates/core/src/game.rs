//! What a game is.
//!
//! Two traits say what a game is, two more what it is good for, in the order in which an author meets them:
//! - [`Rules`] say what can happen: states, turns, legal actions, chance, rewards, and what each observer sees of a
//!   step. A rules object holds what is shared (parameters, maps, compiled rule sheets); a state is plain data, cheap
//!   to clone.
//! - [`Game`] adds what an observer *knows* in a state and how to draw worlds that agree with it.
//! - [`Notation`] is for people: names, pictures, explanations.
//! - [`FastPlay`] is for speed; `impl FastPlay for MyGame {}` takes the defaults.
//!
//! What only some games offer, such as evaluations or policies, are [companions](crate::companions) behind
//! [`Rules::extras`] and [`Game::info_extras`].
//!
//! There are three ways from rules to a game:
//! - without hidden information: `impl PerfectInformation for MyRules {}`; what is known is the state;
//! - with hidden information that the state determines: `impl Game for MyRules` with an `Info` of its own;
//! - with information sets that only the history determines: wrap the rules in [`crate::Tracked`].
//!
//! # Laws
//!
//! [`crate::testing::conformance`] checks them for any game:
//! - the same observation history gives equal [`Game::Info`];
//! - `info(sample(k)) == k` for the observer whose `Info` it is;
//! - the legal actions of a seat depend on its `Info` only;
//! - actions are listed in strictly rising order, never empty for a seat to move; where there are
//!   [`codes`](FastPlay::codes), these rise with them;
//! - probabilities of chance sum to 1; every game ends within [`Facts::max_length`] steps; rewards are in
//!   [`Facts::utility_bounds`];
//! - a sampler draws every state of the information set, uniformly apart from chance probabilities, once the
//!   weights it returns are counted in;
//! - names of actions and outcomes are single words and parse back;
//! - equal `Info` gives equal [tensors](crate::Tensors), and different legal actions give different ones.

use std::fmt::Debug;
use std::hash::Hash;

use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};

use crate::{
    Deadline, Extras, FastPlay, InfoExtras, Notation, Observation, Observer, Player, Players, Rewards, Rng,
    Scene, Tensors,
};

/// Whose turn it is.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Turn {
    /// Nobody's: the game has ended.
    Terminal,
    /// Chance draws an outcome.
    Chance,
    /// One player moves.
    Player(Player),
    /// Several players choose at the same time.
    Simultaneous(Players),
}

impl Turn {
    /// The players who choose now.
    #[inline]
    pub fn players(self) -> Players {
        match self {
            Turn::Terminal | Turn::Chance => Players::default(),
            Turn::Player(p) => Players::default().with(p),
            Turn::Simultaneous(set) => set,
        }
    }
}

/// One complete step of a game: what chance drew, or what every player whose turn it is chose, in seat order.
#[derive(Debug)]
pub enum Step<'a, R: Rules> {
    /// What chance drew.
    Chance(&'a R::Outcome),
    /// What each player to move chose, in seat order.
    Moves(&'a [(Player, R::Action)]),
}

impl<R: Rules> Clone for Step<'_, R> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<R: Rules> Copy for Step<'_, R> {}

impl<'a, R: Rules> Step<'a, R> {
    /// What this player chose in this step.
    #[inline]
    pub fn action_of(self, who: Player) -> Option<R::Action> {
        match self {
            Step::Chance(_) => None,
            Step::Moves(moves) => moves.iter().find(|(p, _)| *p == who).map(|&(_, a)| a),
        }
    }

    /// The outcome of a chance step.
    ///
    /// # Panics
    /// If players moved in this step.
    #[inline]
    pub fn outcome(self) -> &'a R::Outcome {
        match self {
            Step::Chance(outcome) => outcome,
            Step::Moves(_) => panic!("players moved where chance was to draw"),
        }
    }

    /// The only move of a step in which one player moved.
    ///
    /// # Panics
    /// If chance drew in this step.
    #[inline]
    pub fn single(self) -> (Player, R::Action) {
        match self {
            Step::Moves(moves) => moves[0],
            Step::Chance(_) => panic!("chance drew where a player was to move"),
        }
    }

    /// The moves of a step in which players moved; none for chance.
    #[inline]
    pub fn moves(self) -> &'a [(Player, R::Action)] {
        match self {
            Step::Moves(moves) => moves,
            Step::Chance(_) => &[],
        }
    }
}

/// A step as one observer went through it: all that may be told of it.
#[derive(Clone, Debug)]
pub struct Witnessed<'a, A, K> {
    /// The observer.
    pub by: Observer,
    /// What it did.
    pub own: Option<A>,
    /// What it saw.
    pub seen: Option<&'a Observation>,
    /// What it saw, in words ([`Notation::explain`]).
    pub words: Option<String>,
    /// What it knew before the step.
    pub before: &'a K,
    /// What it knows after it.
    pub after: &'a K,
}

/// Whether chance plays a part, and whether its outcomes can be listed.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "lowercase")]
pub enum Chance {
    /// Chance never draws.
    Never,
    /// [`Rules::chance`] lists every outcome with its probability.
    Listed,
    /// Some outcomes are too many to list; [`Rules::sample_chance`] draws one.
    Sampled,
}

/// How the players' rewards relate.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "kebab-case")]
pub enum Utility {
    /// The rewards of all players add up to 0.
    ZeroSum,
    /// The rewards of all players always add up to the same number.
    ConstantSum,
    /// Anything else.
    General,
}

/// What can be said of a game without playing it. The conformance suite checks it against play.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Facts {
    /// How many players.
    pub players: usize,
    /// Whether some player knows less than the whole state.
    pub hidden: bool,
    /// Whether some move of a player is ever seen only in part, or not at all, by another player: two choices
    /// after which the game goes on, everything else equal, look the same.
    #[serde(alias = "covert")]
    pub hidden_moves: bool,
    /// The part of chance.
    pub chance: Chance,
    /// Whether several players ever choose at the same time.
    pub simultaneous: bool,
    /// How rewards relate.
    pub utility: Utility,
    /// The least and the greatest reward.
    #[serde(alias = "range")]
    pub utility_bounds: (f64, f64),
    /// No game takes more steps than this (chance counts, simultaneous moves are one step).
    #[serde(alias = "longest")]
    pub max_length: u32,
}

impl Facts {
    /// A game in which nothing is hidden, chance never draws, one player moves at a time, and 1 is shared out.
    pub const fn open(players: usize, max_length: u32) -> Facts {
        Facts {
            players,
            hidden: false,
            hidden_moves: false,
            chance: Chance::Never,
            simultaneous: false,
            utility: Utility::ConstantSum,
            utility_bounds: (0.0, 1.0),
            max_length,
        }
    }
}

/// What can happen in a game and what is seen of it. See the [module](self) for the laws.
pub trait Rules: Send + Sync + Sized + 'static {
    /// A position: everything, hidden parts included, as plain data.
    type State: Clone + Eq + Hash + Debug + Send + Sync;
    /// A player's choice. Equal actions mean the same in every state.
    type Action: Copy + Ord + Hash + Debug + Send + Sync;
    /// Chance's choice: a roll, a card, a whole deal. [`std::convert::Infallible`] where there is none.
    type Outcome: Clone + Eq + Debug + Send + Sync;

    /// What can be said of the game without playing it.
    fn facts(&self) -> Facts;

    /// The state in which every game starts.
    fn start(&self) -> Self::State;

    /// Whose turn it is.
    fn turn(&self, state: &Self::State) -> Turn;

    /// Appends the legal actions of a player whose turn it is, in strictly rising order.
    fn actions(&self, state: &Self::State, who: Player, out: &mut Vec<Self::Action>);

    /// Makes a step. The step must be complete and legal; [`crate::play()`] is the checked way.
    fn apply(&self, state: &mut Self::State, step: Step<'_, Self>);

    /// What an observer sees of a step about to be made in `before`, beyond its own action, which it always
    /// knows. `None` if nothing: then it cannot even tell that a step was made.
    fn observe(&self, before: &Self::State, step: Step<'_, Self>, by: Observer) -> Option<Observation>;

    /// The reward of every player. Asked only when the game is over.
    fn rewards(&self, state: &Self::State) -> Rewards;

    /// A number that stands for an action in keys and files: different for different actions, the same in
    /// every version of the program.
    fn code(&self, action: Self::Action) -> u64;

    /// Appends every outcome chance may draw now, with its probability. Appends nothing where it is not
    /// chance's turn, or where the outcomes can only be sampled.
    fn chance(&self, _state: &Self::State, _out: &mut Vec<(Self::Outcome, f64)>) {}

    /// Draws an outcome. The default draws from the list; games in which chance draws often, or cannot list,
    /// have their own.
    fn sample_chance(&self, state: &Self::State, rng: &mut Rng) -> Self::Outcome {
        let mut listed = Vec::new();
        self.chance(state, &mut listed);
        let i = rng.weighted(listed.iter().map(|(_, p)| *p));
        listed.swap_remove(i).0
    }

    /// Whether chance may draw this outcome now. The default looks in the list.
    fn is_possible(&self, state: &Self::State, outcome: &Self::Outcome) -> bool {
        let mut listed = Vec::new();
        self.chance(state, &mut listed);
        listed.iter().any(|(o, p)| o == outcome && *p > 0.0)
    }

    /// Does what a thread of its own has to do with the game, for rules whose threads have to be made known elsewhere.
    fn on_thread(&self, work: &mut (dyn FnMut() + Send)) {
        work();
    }

    /// What the game offers beyond its rules. Nothing, unless it says otherwise.
    fn extras(&self) -> Extras<'_, Self> {
        Extras::NONE
    }
}

/// Rules, and what each observer knows of a state.
pub trait Game: Rules {
    /// All that one observer knows: its information set. It serialises, so that a remote engine or a page
    /// gets the same and no more.
    type Info: Clone + Eq + Hash + Debug + Send + Sync + Serialize + DeserializeOwned;
    /// Draws worlds that agree with a `Info`; most searches make one per decision, so it may hold tables.
    type Sampler: Send;

    /// What an observer knows in a state.
    fn info(&self, state: &Self::State, by: Observer) -> Self::Info;

    /// Prepares to draw worlds.
    fn sampler(&self, known: &Self::Info) -> Self::Sampler;

    /// Overwrites `into` with a state that agrees with what is known and returns its weight: drawn states
    /// counted by weight are uniform over the information set, apart from the probabilities of chance.
    fn sample(&self, from: &mut Self::Sampler, rng: &mut Rng, into: &mut Self::State) -> f64;

    /// Appends every state that agrees with what is known, with its share of the weight, if the game can
    /// list them; answers whether it can.
    fn enumerate(&self, _known: &Self::Info, _out: &mut Vec<(Self::State, f64)>) -> bool {
        false
    }

    /// Looks for worlds that agree with what is known, in games that draw none without a search; answers whether there
    /// is one to draw. Samplers made from `known` from then on draw until `until` and, after that, from what was found.
    /// `before` is what the same observer knew at an earlier time, if worlds were looked for then.
    fn find_worlds(&self, _known: &Self::Info, _before: Option<&Self::Info>, _until: &Deadline) -> bool {
        true
    }

    /// What is known, as a picture.
    fn scene(&self, known: &Self::Info) -> Scene {
        Scene::text(format!("{known:?}"))
    }

    /// The spots of the scene that a player touches, in this order, to choose a legal action: three at most, none if
    /// the action is chosen from a list.
    fn spots(&self, _known: &Self::Info, _who: Player, _action: Self::Action) -> Vec<String> {
        Vec::new()
    }

    /// What is known, drawn as text.
    fn view(&self, known: &Self::Info) -> String {
        self.scene(known).to_string()
    }

    /// A step as an observer is told of it: what it saw, in words, and in some games who did it and what came of it.
    fn tell(&self, step: Witnessed<'_, Self::Action, Self::Info>) -> Option<String> {
        step.words
    }

    /// Turns a sampler to other knowledge: for searches that draw worlds from many points of view, in games
    /// whose samplers hold tables that need not be allocated again.
    fn reuse_sampler(&self, sampler: &mut Self::Sampler, known: &Self::Info) {
        *sampler = self.sampler(known);
    }

    /// What the game can say of its information sets beyond that. Nothing, unless it says otherwise.
    fn info_extras(&self) -> InfoExtras<'_, Self> {
        InfoExtras::NONE
    }
}

/// A game that people and engines can play: [`Erased`](crate::Erased) takes it.
pub trait Playable: Game + Notation + FastPlay {}

impl<G: Game + Notation + FastPlay> Playable for G {}

/// Rules under which every observer knows the whole state: they are a [`Game`] without more ado.
pub trait PerfectInformation: Notation {
    /// The spots of the scene that a player touches to choose a legal action ([`Game::spots`]).
    fn spots(&self, _state: &Self::State, _who: Player, _action: Self::Action) -> Vec<String> {
        Vec::new()
    }

    /// A step as an observer is told of it ([`Game::tell`]).
    fn tell(&self, step: Witnessed<'_, Self::Action, Self::State>) -> Option<String> {
        step.words
    }

    /// The state as numbers for learning, if the game has them ([`InfoExtras::tensors`]).
    fn tensors(&self) -> Option<&dyn Tensors<Self>>
    where
        Self: Game,
    {
        None
    }
}

impl<R> Game for R
where
    R: PerfectInformation,
    R::State: Serialize + DeserializeOwned,
{
    type Info = R::State;
    type Sampler = R::State;

    fn info(&self, state: &R::State, _by: Observer) -> R::State {
        state.clone()
    }

    fn sampler(&self, known: &R::State) -> R::State {
        known.clone()
    }

    #[inline]
    fn sample(&self, from: &mut R::State, _rng: &mut Rng, into: &mut R::State) -> f64 {
        into.clone_from(from);
        1.0
    }

    fn enumerate(&self, known: &R::State, out: &mut Vec<(R::State, f64)>) -> bool {
        out.push((known.clone(), 1.0));
        true
    }

    fn scene(&self, known: &R::State) -> Scene {
        self.scene_of(known)
    }

    fn spots(&self, known: &R::State, who: Player, action: R::Action) -> Vec<String> {
        PerfectInformation::spots(self, known, who, action)
    }

    fn view(&self, known: &R::State) -> String {
        self.show(known)
    }

    fn tell(&self, step: Witnessed<'_, R::Action, R::State>) -> Option<String> {
        PerfectInformation::tell(self, step)
    }

    fn info_extras(&self) -> InfoExtras<'_, R> {
        InfoExtras { tensors: self.tensors(), ..InfoExtras::NONE }
    }
}

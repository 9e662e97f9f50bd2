//! What a game is.
//!
//! A game is two things, and two traits say which is which. [`Rules`] say what can happen: states, turns,
//! legal actions, chance, rewards, and what each observer sees of a step. [`Game`] adds what an observer
//! *knows* in a state and how to draw worlds that agree with it. A rules object holds what is shared
//! (parameters, maps, compiled rule sheets); a state is plain data, cheap to clone.
//!
//! There are three ways from rules to a game:
//! - without hidden information: `impl PerfectInformation for MyRules {}`; what is known is the state;
//! - with hidden information that the state determines: `impl Game for MyRules` with a `Info` of its own;
//! - with information sets that only the history determines: wrap the rules in [`crate::Tracked`].
//!
//! # Laws
//!
//! [`crate::testing::conformance`] checks them for any game:
//! - the same observation history gives equal [`Game::Info`];
//! - `known(sample(k)) == k` for the observer whose `Info` it is;
//! - the legal actions of a seat depend on its `Info` only;
//! - actions are listed in strictly rising order, never empty for a seat to move;
//! - probabilities of chance sum to 1; every game ends within [`Facts::max_length`] steps; rewards are in
//!   [`Facts::utility_bounds`];
//! - a sampler draws every state of the information set, uniformly apart from chance probabilities, once the
//!   weights it returns are counted in;
//! - names of actions and outcomes are single words and parse back.

use std::fmt::Debug;
use std::hash::{DefaultHasher, Hash, Hasher};

use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};

use crate::{HiddenPart, InfoTree, Observation, Observer, Player, Players, Rewards, Rng};

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

/// Whether chance plays a part, and whether its outcomes can be listed.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Serialize, Deserialize)]
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

/// A way of playing out a game, by name: knowledge of the game that a search may use without knowing the game.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Policy {
    /// The name.
    pub name: &'static str,
    /// What it does.
    pub about: &'static str,
}

impl Policy {
    /// The place of the policy with this name.
    pub fn find(all: &[Policy], name: &str) -> Option<usize> {
        all.iter().position(|policy| policy.name == name)
    }
}

/// How far a game is played out before it is judged as it stands.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Horizon {
    /// So many steps.
    Steps(u32),
    /// Until the turn has passed on so often; a player's choices in a row are one turn.
    Turns(u32),
}

/// What a selective search asks a game at a decision ([`Rules::select`]).
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Selective {
    /// In which of its [`Rules::orders`] the player goes through its pieces in this turn.
    pub order: u32,
    /// The choices it has already made in this turn of the search.
    pub made: u32,
    /// Whether it answers the player who searches.
    pub answering: bool,
}

/// Buffers that random play reuses from step to step.
#[derive(Debug)]
pub struct Scratch<R: Rules> {
    /// For lists of legal actions.
    pub actions: Vec<R::Action>,
    /// For the moves of one step.
    pub moves: Vec<(Player, R::Action)>,
}

impl<R: Rules> Default for Scratch<R> {
    fn default() -> Self {
        Scratch { actions: Vec::new(), moves: Vec::new() }
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

    /// Makes a step. The step must be complete and legal; [`crate::play()`] is the checked way.
    fn apply(&self, state: &mut Self::State, step: Step<'_, Self>);

    /// What an observer sees of a step about to be made in `before`, beyond its own action, which it always
    /// knows. `None` if nothing: then it cannot even tell that a step was made.
    fn observe(&self, before: &Self::State, step: Step<'_, Self>, by: Observer) -> Option<Observation>;

    /// What everybody sees of a step, if all see the same: every seat and the public, but a player who moves alone,
    /// who sees nothing beyond its own action. `None` says nothing. A short cut for searches that ask for all seats.
    #[inline]
    fn seen_by_all(&self, _before: &Self::State, _step: Step<'_, Self>) -> Option<Observation> {
        None
    }

    /// The reward of every player. Asked only when the game is over.
    fn rewards(&self, state: &Self::State) -> Rewards;

    /// A number that stands for an action in keys and files: different for different actions, the same in
    /// every version of the program.
    fn code(&self, action: Self::Action) -> u64;

    /// If all codes are below some small number, that number: statistics may then be kept in plain arrays.
    fn codes(&self) -> Option<usize> {
        None
    }

    /// The name of an action: one word, without spaces.
    fn action_name(&self, action: Self::Action) -> String;

    /// The name of the action with this code, in games that can tell.
    fn code_name(&self, _code: u64) -> Option<String> {
        None
    }

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

    /// What an observation means, in words.
    fn explain(&self, seen: &Observation, _by: Observer) -> String {
        seen.to_string()
    }

    /// The whole state for somebody who may see everything.
    fn show(&self, state: &Self::State) -> String {
        format!("{state:?}")
    }

    /// What there is to say of how this very game came about, if anything.
    fn remark(&self) -> Option<String> {
        None
    }

    /// The part a seat plays in this state, by which matches may assign agents (`--roles`). Games with
    /// dealt roles answer from the state once it is dealt.
    fn role(&self, _state: &Self::State, seat: Player) -> String {
        ROLES.get(seat.index()).map_or_else(|| format!("player-{}", seat.0 + 1), |name| (*name).to_string())
    }

    /// The label of the episode that begins in this state, if one does: a new trick, a fresh turn, a roll of
    /// the dice. Between two labelled states play goes on in one episode (Whitehouse 2014, §8.3.2).
    fn episode(&self, _state: &Self::State) -> Option<u32> {
        None
    }

    /// Appends the features that hold in a state, each a small number of its own, such as "a king stands here" or "so
    /// many cards are left": what searches may learn about instead of single states (the predicates of PAST, the
    /// weights of FAST). They must not depend on what the player does not know. Most games have none to offer.
    fn features(&self, _state: &Self::State, _by: Player, _out: &mut Vec<u32>) {}

    /// A number that says how the game can go on: equal for equal states, and for states that differ only in what
    /// players remember.
    fn fingerprint(&self, state: &Self::State) -> u64 {
        let mut hasher = DefaultHasher::new();
        state.hash(&mut hasher);
        hasher.finish()
    }

    /// Leaves out of a state what only decides what players know, for whoever has no use for that and steps through
    /// many states. Nobody may be asked any more what it knows there.
    fn forget(&self, _state: &mut Self::State) {}

    /// A guess at a player's reward in an unfinished game, on the scale of the rewards.
    fn evaluate(&self, _state: &Self::State, _who: Player) -> Option<f64> {
        None
    }

    /// The ways of judging an unfinished game that it offers by name besides [`Rules::evaluate`].
    fn evaluations(&self) -> &'static [Policy] {
        &[]
    }

    /// What one of [`Rules::evaluations`] says: a guess at a player's reward, on the scale of the rewards.
    fn evaluate_by(&self, _evaluation: usize, state: &Self::State, who: Player) -> Option<f64> {
        self.evaluate(state, who)
    }

    /// Appends what there is to count in a step that is about to be made in `before`, by name, for whom and how much:
    /// statistics of games add these up. What is counted at all is appended for the last step, if only with 0. Asked
    /// about games that are played, not about those imagined in a search.
    fn counts(
        &self,
        _before: &Self::State,
        _step: Step<'_, Self>,
        _out: &mut Vec<(Player, &'static str, f64)>,
    ) {
    }

    /// A legal action of a player to move, all equally likely.
    #[inline]
    fn random_action(
        &self,
        state: &Self::State,
        who: Player,
        rng: &mut Rng,
        scratch: &mut Scratch<Self>,
    ) -> Self::Action {
        scratch.actions.clear();
        self.actions(state, who, &mut scratch.actions);
        *rng.pick(&scratch.actions)
    }

    /// The ways of playing out a game that it offers besides uniformly random play, which is biased towards
    /// nothing and so often towards nothing happening.
    fn policies(&self) -> &'static [Policy] {
        &[]
    }

    /// An action of a player to move, drawn by one of [`Rules::policies`]. It must be legal.
    #[inline]
    fn policy_action(
        &self,
        _policy: usize,
        state: &Self::State,
        who: Player,
        rng: &mut Rng,
        scratch: &mut Scratch<Self>,
    ) -> Self::Action {
        self.random_action(state, who, rng, scratch)
    }

    /// Plays to the end by one of [`Rules::policies`] and returns the rewards; the state is left at the end. A
    /// game may take liberties here that its players have not, such as looking through the fog.
    #[inline]
    fn policy_playout(
        &self,
        policy: usize,
        state: &mut Self::State,
        rng: &mut Rng,
        scratch: &mut Scratch<Self>,
    ) -> Rewards {
        loop {
            match self.turn(state) {
                Turn::Terminal => return self.rewards(state),
                Turn::Player(p) => {
                    let action = self.policy_action(policy, state, p, rng, scratch);
                    self.apply(state, Step::Moves(&[(p, action)]));
                }
                Turn::Chance => random_step(self, state, rng, scratch),
                Turn::Simultaneous(players) => {
                    let mut moves = std::mem::take(&mut scratch.moves);
                    moves.clear();
                    for p in players.iter() {
                        moves.push((p, self.policy_action(policy, state, p, rng, scratch)));
                    }
                    self.apply(state, Step::Moves(&moves));
                    scratch.moves = moves;
                }
            }
        }
    }

    /// Plays by one of [`Rules::policies`], or uniformly at random, up to a horizon. Returns the rewards of a game that
    /// ended before, else what [`Rules::evaluate`] says, or the middle of the range of rewards if it says nothing.
    /// The state is left fit for rewards and evaluations only.
    fn playout_to(
        &self,
        policy: Option<usize>,
        horizon: Horizon,
        state: &mut Self::State,
        rng: &mut Rng,
        scratch: &mut Scratch<Self>,
    ) -> Rewards {
        let (mut steps, mut turns, mut last) = (0, 0, None);
        loop {
            let turn = self.turn(state);
            if turn == Turn::Terminal {
                return self.rewards(state);
            }
            let movers = turn.players();
            if turn != Turn::Chance {
                turns += u32::from(last.is_some_and(|last| last != movers));
                last = Some(movers);
            }
            let far = match horizon {
                Horizon::Steps(most) => steps >= most,
                Horizon::Turns(most) => turns >= most,
            };
            if far {
                return judged(self, state);
            }
            steps += 1;
            match policy {
                Some(policy) if turn != Turn::Chance => {
                    let mut moves = std::mem::take(&mut scratch.moves);
                    moves.clear();
                    for p in movers.iter() {
                        moves.push((p, self.policy_action(policy, state, p, rng, scratch)));
                    }
                    self.apply(state, Step::Moves(&moves));
                    scratch.moves = moves;
                }
                _ => random_step(self, state, rng, scratch),
            }
        }
    }

    /// The same game with everything open to everybody, in games that have one: what is played by a search that takes a
    /// world for the truth.
    fn opened(&self) -> Option<Self> {
        None
    }

    /// Makes a state of the game with hidden information one of the [`Rules::opened`] game, which is asked.
    fn open(&self, _state: &mut Self::State) {}

    /// How promising each of some legal actions of a player to move looks before any search, in their order; more is
    /// better, and below 0 are those that need not be looked at while others are not, which must not depend on what
    /// the player does not know. Nothing is appended by games that cannot tell.
    fn promise(&self, _state: &Self::State, _who: Player, _actions: &[Self::Action], _out: &mut Vec<f32>) {}

    /// In how many orders a selective search lets a player go through its pieces in a turn.
    fn orders(&self) -> u32 {
        1
    }

    /// Appends those legal actions of a player to move at which a selective search looks, the most promising first. If
    /// nothing is appended it looks at all of them, by [`Rules::promise`].
    fn select(&self, _state: &Self::State, _who: Player, _asked: Selective, _out: &mut Vec<Self::Action>) {}

    /// Plays uniformly at random to the end and returns the rewards; the state is left at the end. States that remember
    /// how they came about need not remember the playout, but show as any other ([`Rules::show`]).
    #[inline]
    fn playout(&self, state: &mut Self::State, rng: &mut Rng, scratch: &mut Scratch<Self>) -> Rewards {
        loop {
            match self.turn(state) {
                Turn::Terminal => return self.rewards(state),
                _ => random_step(self, state, rng, scratch),
            }
        }
    }
}

/// What an unfinished game is worth to every player: what the game says, or the middle of the range of rewards.
pub fn judged<R: Rules>(rules: &R, state: &R::State) -> Rewards {
    judged_by(rules, None, state)
}

/// The same by one of [`Rules::evaluations`].
pub fn judged_by<R: Rules>(rules: &R, evaluation: Option<usize>, state: &R::State) -> Rewards {
    let facts = rules.facts();
    let middle = (facts.utility_bounds.0 + facts.utility_bounds.1) / 2.0;
    let guess = |p| match evaluation {
        Some(evaluation) => rules.evaluate_by(evaluation, state, p),
        None => rules.evaluate(state, p),
    };
    Rewards::from_fn(facts.players, |p| guess(p).unwrap_or(middle))
}

const ROLES: [&str; 10] =
    ["first", "second", "third", "fourth", "fifth", "sixth", "seventh", "eighth", "ninth", "tenth"];

/// Makes one uniformly random step of a game that is not over.
#[inline]
pub fn random_step<R: Rules>(rules: &R, state: &mut R::State, rng: &mut Rng, scratch: &mut Scratch<R>) {
    match rules.turn(state) {
        Turn::Terminal => {}
        Turn::Chance => {
            let outcome = rules.sample_chance(state, rng);
            rules.apply(state, Step::Chance(&outcome));
        }
        Turn::Player(p) => {
            let action = rules.random_action(state, p, rng, scratch);
            rules.apply(state, Step::Moves(&[(p, action)]));
        }
        Turn::Simultaneous(players) => {
            let mut moves = std::mem::take(&mut scratch.moves);
            moves.clear();
            for p in players.iter() {
                moves.push((p, rules.random_action(state, p, rng, scratch)));
            }
            rules.apply(state, Step::Moves(&moves));
            scratch.moves = moves;
        }
    }
}

/// A game: rules, and what each observer knows.
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

    /// Turns a sampler to other knowledge: for searches that draw worlds from many points of view, in games
    /// whose samplers hold tables that need not be allocated again.
    fn reuse_sampler(&self, sampler: &mut Self::Sampler, known: &Self::Info) {
        *sampler = self.sampler(known);
    }

    /// Overwrites `into` with a state that agrees with what is known and returns its weight: drawn states
    /// counted by weight are uniform over the information set, apart from the probabilities of chance.
    fn sample(&self, from: &mut Self::Sampler, rng: &mut Rng, into: &mut Self::State) -> f64;

    /// Appends every state that agrees with what is known, with its share of the weight, if the game can
    /// list them; answers whether it can.
    fn enumerate(&self, _known: &Self::Info, _out: &mut Vec<(Self::State, f64)>) -> bool {
        false
    }

    /// What is known, drawn as text for a person. Colours come from [`crate::text`].
    fn view(&self, known: &Self::Info) -> String;

    /// The part of the hidden state that beliefs are about, in games that have one.
    fn hidden_part(&self) -> Option<&dyn HiddenPart<Self>> {
        None
    }

    /// The trees of the players' information sets, in games that can say what a player may know next.
    fn info_tree(&self) -> Option<&dyn InfoTree<Self>> {
        None
    }
}

/// Rules under which every observer knows the whole state: they are a [`Game`] without more ado.
pub trait PerfectInformation: Rules {}

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

    fn view(&self, known: &R::State) -> String {
        self.show(known)
    }
}

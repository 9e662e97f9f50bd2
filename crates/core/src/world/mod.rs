//! What an engine sees of a game: worlds, with moves as small integers.
//!
//! Searches are compiled once, not once for each game. They never see a game's types: a [`World`] is a cursor on
//! one state of some game, an [`Model`] makes worlds and knows their names, an [`Info`] is what one observer
//! knows, a [`Sampler`] draws worlds that agree with it. [`Erased`] makes all of these from a [`Game`](crate::Game).
//!
//! A dynamic call costs a few instructions, so the calls are coarse: [`World::play`] lets the observers see a step,
//! hashes what they saw, makes the step and says whose turn it is; [`World::playout`] plays to the end. Below each
//! of them is typed code.

mod erased;
mod moves;
mod walk;

use std::any::Any;
use std::fmt;
use std::hash::{Hash, Hasher};
use std::ops::ControlFlow;
use std::sync::Arc;

pub use erased::Erased;
use serde_json::Value;

use crate::{
    Deadline, Event, Facts, Horizon, Key, Observation, Observer, Player, Policy, Rewards, Rng, Scene,
    Selective, Turn,
};

/// A move of a player, as engines know it: the code of the action ([`Rules::code`](crate::Rules::code)), or a number
/// in its stead where codes are large. Moves are ordered as the actions of the game are.
pub type Move = u32;

/// What chance drew, as engines know it.
#[derive(Clone)]
pub enum Outcome {
    /// The outcome at this place of the list of all that chance could draw.
    Listed(u32),
    /// An outcome of too many to list.
    Sampled(Arc<dyn SampledOutcome>),
}

/// An outcome of some game, of too many to list.
pub trait SampledOutcome: Any + Send + Sync + fmt::Debug {
    /// Whether the other is the same.
    fn same(&self, other: &dyn SampledOutcome) -> bool;
}

impl PartialEq for Outcome {
    fn eq(&self, other: &Outcome) -> bool {
        match (self, other) {
            (Outcome::Listed(a), Outcome::Listed(b)) => a == b,
            (Outcome::Sampled(a), Outcome::Sampled(b)) => a.same(&**b),
            _ => false,
        }
    }
}

impl Eq for Outcome {}

impl fmt::Debug for Outcome {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Outcome::Listed(place) => write!(f, "Listed({place})"),
            Outcome::Sampled(outcome) => outcome.fmt(f),
        }
    }
}

/// One complete step in a world: what chance drew, or what every player whose turn it is chose, in seat order.
#[derive(Clone, Copy, Debug)]
pub enum WorldStep<'a> {
    /// What chance drew.
    Chance(&'a Outcome),
    /// What each player to move chose, in seat order.
    Moves(&'a [(Player, Move)]),
}

impl<'a> WorldStep<'a> {
    /// What this player chose in this step.
    #[inline]
    pub fn move_of(self, who: Player) -> Option<Move> {
        self.moves().iter().find(|(p, _)| *p == who).map(|&(_, m)| m)
    }

    /// The moves of a step in which players moved; none for chance.
    #[inline]
    pub fn moves(self) -> &'a [(Player, Move)] {
        match self {
            WorldStep::Moves(moves) => moves,
            WorldStep::Chance(_) => &[],
        }
    }
}

/// Who watches a step, and the keys that what they see is hashed into.
#[derive(Debug)]
pub enum Eyes<'a> {
    /// Nobody.
    Closed,
    /// Every player, each with a key of its own: its own moves first, then what it sees.
    All(&'a mut [SearchKey]),
    /// One player: its own move first, then what it sees.
    Seat(Player, &'a mut SearchKey),
    /// One player, who is told every move in full before it sees what it sees.
    One(Player, &'a mut SearchKey),
    /// Both players of a game for two, with the persistent keys of information sets.
    Both(&'a mut [Key; 2]),
}

const OWN: u64 = 0x9e6c_63d0_876a_9a47;
const SEEN: u64 = 0xd1b5_4a32_d192_ed03;

/// A running hash of what an observer did and saw, of 64 bits: for use inside one search, cheaper than a [`Key`].
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct SearchKey(pub u64);

impl SearchKey {
    /// The key of a tree before anything has happened in it.
    pub fn root(tree: u64) -> SearchKey {
        SearchKey(0x2545_f491_4f6c_dd1d).absorb(tree)
    }

    #[inline]
    fn absorb(self, word: u64) -> SearchKey {
        let product = u128::from(self.0 ^ word) * 0xa076_1d64_78bd_642f_u128;
        SearchKey((product as u64) ^ (product >> 64) as u64 ^ word.rotate_left(23))
    }

    /// The key after an action with this code by the observer itself.
    #[inline]
    #[must_use]
    pub fn own(self, code: u64) -> SearchKey {
        self.absorb(code ^ OWN)
    }

    /// The key after the observer was told this action of a player.
    #[inline]
    #[must_use]
    pub fn told(self, who: Player, code: u64) -> SearchKey {
        self.own(code ^ u64::from(who.0) << 56)
    }

    /// The key after seeing something; the same if nothing was seen.
    #[inline]
    #[must_use]
    pub fn seen(self, seen: Option<&Observation>) -> SearchKey {
        seen.map_or(self, |seen| self.saw(seen.as_words()))
    }

    /// The key after seeing something of these words.
    #[inline]
    #[must_use]
    pub fn saw(self, words: &[u64]) -> SearchKey {
        match words {
            [] => self.absorb(SEEN),
            [word] => self.absorb(*word ^ SEEN.rotate_left(8)),
            words => {
                let tag = SEEN.rotate_left(16) ^ words.len() as u64;
                words.iter().fold(self.absorb(tag), |key, &w| key.absorb(w))
            }
        }
    }

    /// The key after everything an observer did and saw.
    #[must_use]
    pub fn after(self, events: &[Event]) -> SearchKey {
        events.iter().fold(self, |key, event| match event {
            Event::Own(code) => key.own(*code),
            Event::Seen(seen) => key.seen(Some(seen)),
        })
    }

    /// A key for one of several decisions at the same place.
    #[inline]
    #[must_use]
    pub fn with(self, number: u64) -> SearchKey {
        self.absorb(number.wrapping_mul(0xff51_afd7_ed55_8ccd))
    }
}

/// How a game is played out below a tree. The default is uniformly random play to the end.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Simulation {
    /// One of the game's policies by place; uniformly random if there is none.
    pub policy: Option<usize>,
    /// Where the game's evaluation takes over.
    pub horizon: Option<Horizon>,
    /// Which of the game's named evaluations that is, by place; the unnamed one if none.
    pub evaluation: Option<usize>,
}

impl Simulation {
    /// Uniformly random play to the end.
    pub const UNIFORM: Simulation = Simulation { policy: None, horizon: None, evaluation: None };

    /// Play to the end by the policy of this name, if there is one among these.
    pub fn named(policies: &[Policy], name: &str) -> Option<Simulation> {
        Some(Simulation { policy: Some(Policy::find(policies, name)?), ..Simulation::UNIFORM })
    }

    /// This simulation as far as the horizon.
    #[must_use]
    pub const fn to(self, horizon: Horizon) -> Simulation {
        Simulation { horizon: Some(horizon), ..self }
    }

    /// This simulation, judged by this evaluation at the horizon.
    #[must_use]
    pub const fn judged(self, evaluation: Option<usize>) -> Simulation {
        Simulation { evaluation, ..self }
    }
}

/// A state of some game, and the way from it to others.
///
/// A `Box<dyn World>` is a value: it can be cloned, compared and hashed as the state inside.
pub trait World: Send {
    /// Whose turn it is.
    fn turn(&self) -> Turn;

    /// Appends the legal moves of a player to move, in rising order.
    fn legal(&self, who: Player, out: &mut Vec<Move>);

    /// The reward of every player. Asked only when the game is over.
    fn rewards(&self) -> Rewards;

    /// Makes a legal step of the players to move, after those who watch have seen it; returns whose turn it is then.
    fn play(&mut self, moves: &[(Player, Move)], eyes: Eyes<'_>) -> Turn;

    /// Makes a step of either kind that nobody watches; returns whose turn it is then.
    fn apply(&mut self, step: WorldStep<'_>) -> Turn;

    /// A world of its own, after a step of either kind.
    fn after(&self, step: WorldStep<'_>) -> Box<dyn World>;

    /// What an observer sees of a step about to be made, beyond its own move. `None` if nothing.
    fn observe(&self, step: WorldStep<'_>, by: Observer) -> Option<Observation>;

    /// Lets those who watch see a step about to be made.
    fn look(&self, step: WorldStep<'_>, eyes: Eyes<'_>);

    /// Appends the legal moves of a player to move, in rising order, each with a hash of what another player sees of it.
    fn legal_as_seen(&self, who: Player, by: Player, out: &mut Vec<(SearchKey, Move)>);

    /// Appends every outcome that chance may draw now, with its probability; nothing if that can only be sampled.
    fn chances(&self, out: &mut Vec<(Outcome, f64)>);

    /// If chance draws from a list of at most 64 outcomes that are all equally likely, how many these are.
    fn even_chances(&self) -> Option<u32>;

    /// Lets chance draw without replacement: of at most 64 equally likely outcomes one of those `left`, as bits, or of
    /// all if none is left; anything else is drawn freely. Returns the place of an outcome that was not, and whose turn
    /// it is then.
    fn play_chance_in_turn(&mut self, left: &mut u64, rng: &mut Rng, eyes: Eyes<'_>) -> (Option<u32>, Turn);

    /// Lets chance draw at random; returns whose turn it is then.
    fn play_chance(&mut self, rng: &mut Rng, eyes: Eyes<'_>) -> Turn;

    /// Lets chance draw the outcome at this place of the list; returns whose turn it is then.
    fn play_outcome(&mut self, place: u32, eyes: Eyes<'_>) -> Turn;

    /// What chance draws now, at random; the step is not made.
    fn sample_chance(&self, rng: &mut Rng) -> Outcome;

    /// The name of an outcome that chance may draw now.
    fn outcome_name(&self, outcome: &Outcome) -> String;

    /// The outcome of this name, if chance may draw it now.
    fn parse_outcome(&self, name: &str) -> Option<Outcome>;

    /// A legal move of a player to move, all equally likely.
    fn random_move(&self, who: Player, rng: &mut Rng) -> Move;

    /// A move of a player to move by one of the game's policies, or uniformly at random.
    fn policy_move(&self, policy: Option<usize>, who: Player, rng: &mut Rng) -> Move;

    /// Makes one uniformly random step, if the game is not over.
    fn random_step(&mut self, rng: &mut Rng);

    /// Prepares to draw worlds that agree with what somebody knows.
    fn determinize(&mut self, info: &Info);

    /// Becomes a world that agrees with what is known, at random; returns its weight and whose turn it is. Asked only
    /// after [`World::determinize`].
    fn draw(&mut self, rng: &mut Rng) -> (f64, Turn);

    /// Makes a step that nobody watches, then plays out as [`World::playout`] does.
    fn play_out(&mut self, moves: &[(Player, Move)], how: Simulation, rng: &mut Rng) -> Rewards;

    /// Plays out and returns the rewards, or what the game's evaluation says of an unfinished game. The world is left
    /// fit for rewards and evaluations only.
    fn playout(&mut self, how: Simulation, rng: &mut Rng) -> Rewards;

    /// Plays uniformly at random to the end, step by step, and returns how many moves players made; those of
    /// a simultaneous turn count one by one.
    fn random_play(&mut self, rng: &mut Rng) -> u64;

    /// A guess at a player's reward in an unfinished game, by one of the game's named evaluations or its unnamed one.
    fn evaluate(&self, which: Option<usize>, who: Player) -> Option<f64>;

    /// What an unfinished game is worth to every player: what the evaluation says, or the middle of the range of
    /// rewards.
    fn evaluate_leaf(&self, which: Option<usize>) -> Rewards;

    /// The label of the episode that begins here, if one does.
    fn episode(&self) -> Option<u32>;

    /// Appends the features that hold here and that the player knows of.
    fn features(&self, by: Player, out: &mut Vec<u32>);

    /// A number that says how the game can go on: equal for equal states, and for states that differ only in what
    /// players remember.
    fn fingerprint(&self) -> u64;

    /// Leaves out what only decides what players know. Nobody may be asked any more what it knows here.
    fn drop_history(&mut self);

    /// Appends how promising each of some legal moves looks before any search; nothing if the game cannot tell.
    fn move_prior(&self, who: Player, moves: &[Move], out: &mut Vec<f32>);

    /// Appends the legal moves at which a selective search looks, the most promising first; nothing if at all of them.
    fn candidates(&self, who: Player, asked: Selective, out: &mut Vec<Move>);

    /// What an observer knows here.
    fn info(&self, by: Observer) -> Info;

    /// What an observer knows here, in the place of what somebody knew, which is not allocated anew.
    fn info_into(&self, by: Observer, info: &mut Info);

    /// A hash of what an observer knows here, the same in every run.
    fn info_hash(&self, by: Observer) -> u64;

    /// Overwrites `out`, of as many numbers as [`Model::tensor_shape`] has, with what a player knows here; with
    /// zeros in games that have no tensors.
    fn tensor(&self, seat: Player, out: &mut [f32]);

    /// The value of the hidden part, once it is settled.
    fn hidden_value(&self) -> Option<usize>;

    /// Gives the hidden part this value and leaves everything else; answers whether the rest of the state allows it.
    fn put_hidden(&mut self, value: usize) -> bool;

    /// A number for the information set of a player who remembers less than it could
    /// ([`InfoTree::abstracted`](crate::InfoTree::abstracted)).
    fn abstracted(&self, who: Player) -> u64;

    /// The whole state, drawn as text for somebody who may see everything.
    fn show(&self) -> String;

    /// The whole state as a picture for somebody who may see everything.
    fn scene(&self) -> Scene;

    /// The part a seat plays here.
    fn role(&self, seat: Player) -> String;

    /// The bytes of the state in place.
    fn bytes(&self) -> usize;

    /// A copy of its own.
    fn boxed(&self) -> Box<dyn World>;

    /// Becomes a copy of another world of the same game.
    fn copy_from(&mut self, other: &dyn World);

    /// Whether the other has the same state.
    fn same(&self, other: &dyn World) -> bool;

    /// A hash of the state, the same in every run.
    fn state_hash(&self) -> u64;

    /// The cursor of the game's own type.
    fn as_any(&self) -> &dyn Any;

    /// The cursor of the game's own type, to be changed.
    fn as_any_mut(&mut self) -> &mut dyn Any;
}

impl Clone for Box<dyn World> {
    fn clone(&self) -> Box<dyn World> {
        (**self).boxed()
    }

    #[inline]
    fn clone_from(&mut self, other: &Box<dyn World>) {
        (**self).copy_from(&**other);
    }
}

impl PartialEq for dyn World + '_ {
    fn eq(&self, other: &Self) -> bool {
        self.same(other)
    }
}

impl Eq for dyn World + '_ {}

impl Hash for dyn World + '_ {
    fn hash<H: Hasher>(&self, hasher: &mut H) {
        hasher.write_u64(self.state_hash());
    }
}

impl fmt::Debug for dyn World {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.show())
    }
}

/// What one observer knows, in a game of any type.
#[derive(Clone)]
pub struct Info(Arc<dyn ErasedInfo>);

/// What one observer knows, behind its type.
trait ErasedInfo: Any + Send + Sync + fmt::Debug {
    fn same(&self, other: &dyn ErasedInfo) -> bool;
    fn state_hash(&self) -> u64;
    fn to_json(&self) -> Value;
}

impl Info {
    /// What is known, as JSON.
    pub fn to_json(&self) -> Value {
        self.0.to_json()
    }

    /// A hash of what is known, the same in every run.
    pub fn state_hash(&self) -> u64 {
        self.0.state_hash()
    }

    /// The information of the game's own type.
    pub fn downcast<T: 'static>(&self) -> Option<&T> {
        (&*self.0 as &dyn Any).downcast_ref()
    }
}

impl PartialEq for Info {
    fn eq(&self, other: &Info) -> bool {
        self.0.same(&*other.0)
    }
}

impl Eq for Info {}

impl Hash for Info {
    fn hash<H: Hasher>(&self, hasher: &mut H) {
        hasher.write_u64(self.state_hash());
    }
}

impl fmt::Debug for Info {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}

/// Draws worlds that agree with what an observer knows.
pub trait Sampler: Send {
    /// Overwrites `world` with a state that agrees with what is known and returns its weight.
    fn sample(&mut self, rng: &mut Rng, world: &mut dyn World) -> f64;

    /// Overwrites `world` with a state that agrees with what is known and has this value of the hidden part; answers
    /// whether there is one.
    fn sample_value(&mut self, value: usize, rng: &mut Rng, world: &mut dyn World) -> bool;

    /// Turns to what somebody else knows.
    fn reuse(&mut self, info: &Info);
}

/// A game of any type, as engines see it.
pub trait Model: Send + Sync {
    /// What can be said of the game without playing it.
    fn facts(&self) -> &Facts;

    /// The state in which every game starts.
    fn start(&self) -> Box<dyn World>;

    /// Does what a thread of its own has to do with the game ([`Rules::on_thread`](crate::Rules::on_thread)).
    fn on_thread(&self, work: &mut (dyn FnMut() + Send));

    /// If all moves are below some small number, that number: statistics may then be kept in plain arrays.
    fn moves(&self) -> Option<usize>;

    /// The code of a move's action, which stands for it in keys and files.
    fn code(&self, mv: Move) -> u64;

    /// The move whose action has this code, if it was met since the game was made.
    fn move_of_code(&self, code: u64) -> Option<Move>;

    /// The name of a move.
    fn move_name(&self, mv: Move) -> String;

    /// The move with this name, legal or not.
    fn parse_move(&self, name: &str) -> Option<Move>;

    /// What an observation means, in words.
    fn explain(&self, seen: &Observation, by: Observer) -> String;

    /// What is known, drawn as text.
    fn view(&self, info: &Info) -> String;

    /// What is known, as a picture.
    fn scene(&self, info: &Info) -> Scene;

    /// The spots of the scene that a player touches to choose a legal move ([`Game::spots`](crate::Game::spots)).
    fn spots(&self, info: &Info, who: Player, mv: Move) -> Vec<String>;

    /// What is known, from its JSON.
    fn info_from_json(&self, value: Value) -> Result<Info, serde_json::Error>;

    /// Prepares to draw worlds.
    fn sampler(&self, info: &Info) -> Box<dyn Sampler>;

    /// Looks for worlds where drawing one is a search ([`Game::find_worlds`](crate::Game::find_worlds)).
    fn find_worlds(&self, info: &Info, before: Option<&Info>, until: &Deadline) -> bool;

    /// Appends every state that agrees with what is known, with its share of the weight; answers whether the game can.
    fn enumerate(&self, info: &Info, out: &mut Vec<(Box<dyn World>, f64)>) -> bool;

    /// The ways of playing out a game that it offers by name.
    fn policies(&self) -> &'static [Policy];

    /// The ways of judging an unfinished game that it offers by name.
    fn evaluations(&self) -> &'static [Policy];

    /// In how many orders a selective search lets a player go through its pieces in a turn.
    fn orders(&self) -> u32;

    /// The part of the hidden state that beliefs are about, in games that have one.
    fn hidden_part(&self) -> Option<&dyn Beliefs>;

    /// The trees of the players' information sets, in games that can say what a player may know next.
    fn info_tree(&self) -> Option<&dyn InfoTrees>;

    /// The lengths of the axes of what a player knows as numbers for learning, in games that have these
    /// ([`Tensors`](crate::Tensors)).
    fn tensor_shape(&self) -> Option<Vec<usize>>;

    /// Overwrites `out`, of as many numbers as the shape has, with what a player knows; with zeros in games that
    /// have no tensors.
    fn tensor(&self, info: &Info, seat: Player, out: &mut [f32]);

    /// This game with everything open to everybody, in games that have such a variant.
    fn perfect_info_variant(&self) -> Option<Arc<dyn Model>>;

    /// Makes a state of the game with hidden information one of this game, its perfect-information variant.
    fn reveal(&self, world: &mut dyn World);
}

impl fmt::Debug for dyn Model {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Model").field("facts", self.facts()).finish_non_exhaustive()
    }
}

/// The part of a hidden state that beliefs are about: see [`HiddenPart`](crate::HiddenPart), whose methods these are.
pub trait Beliefs {
    /// How many values there are.
    fn values(&self) -> usize;
    /// The name of a value.
    fn name(&self, value: usize) -> String;
    /// Whether nothing else is hidden.
    fn is_whole(&self) -> bool;
    /// What `seat` knows of the value for itself.
    fn private(&self, value: usize, seat: Player) -> u64;
    /// The belief of somebody who knows this and has drawn no conclusion from the players' choices.
    fn prior(&self, info: &Info, belief: &mut [f64]);
    /// Carries a belief over one step from knowing `before` to knowing `after`.
    fn propagate(&self, belief: &mut [f64], before: &Info, after: &Info);
}

/// One player's information sets as a tree: see [`InfoTree`](crate::InfoTree), whose methods these are.
pub trait InfoTrees {
    /// The guesses at the worth of an information set that exist, by name.
    fn evaluations(&self) -> &'static [Policy];
    /// The ways of playing on from an information set that exist, by name.
    fn simulations(&self) -> &'static [Policy];
    /// What a search from here starts with.
    fn root(&self, info: &Info) -> Info;
    /// Appends what the seat may do, in rising order; nothing once the game is over.
    fn moves(&self, info: &Info, out: &mut Vec<Move>);
    /// Shows what the seat may know after a move, once for every observation it can make.
    fn after(&self, info: &Info, mv: Move, visit: &mut dyn FnMut(&Info) -> ControlFlow<()>);
    /// A guess at the worth of an information set to its seat.
    fn evaluate(&self, evaluation: usize, info: &Info) -> f64;
    /// Plays on for so many turns and says what came of it.
    fn simulate(&self, simulation: usize, info: &Info, turns: u32, rng: &mut Rng) -> f64;
}

/// What an observer does and sees in a step about to be made, at most one event of each kind.
pub fn events_of(
    game: &dyn Model,
    before: &dyn World,
    step: WorldStep<'_>,
    by: Observer,
) -> impl Iterator<Item = Event> + use<> {
    let own = by.seat().and_then(|p| step.move_of(p)).map(|m| Event::Own(game.code(m)));
    let seen = before.observe(step, by).map(Event::Seen);
    own.into_iter().chain(seen)
}

/// The key of one observer after a step about to be made in `before`.
pub fn key_after(game: &dyn Model, key: Key, before: &dyn World, step: WorldStep<'_>, by: Observer) -> Key {
    let own = by.seat().and_then(|p| step.move_of(p));
    let key = own.map_or(key, |m| key.own(game.code(m)));
    before.observe(step, by).map_or(key, |seen| key.seen(&seen))
}

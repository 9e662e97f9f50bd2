//! A whole game in flat arrays: walked once, then solved as often as one likes without its rules.
//!
//! A [`Compiled`] game holds the same game twice. The *tree* ([`Node`]) is for algorithms that sample it. The
//! *sequence form* is for those that look at all of it: for each player a [`Treeplex`], the information sets
//! with the sequences of own actions that lead to them, and the chance-weighted payoffs by combination of
//! sequences. A player's *plan* gives each of its sequences the product of its own probabilities along it;
//! then the counterfactual values of all of a player's sequences are one sparse matrix-vector product
//! ([`Compiled::values_of_sequences`]) and one sweep over its information sets, which is why one iteration of
//! counterfactual regret minimisation takes a few nanoseconds per leaf.
//!
//! Simultaneous turns are taken one after another in seat order; nobody sees what the others choose.
//! Information sets are told apart by the keys of the core, so players remember all they did and saw, and the
//! sequence that leads to an information set is the same for all its histories.

use std::collections::HashMap;
use std::hash::{BuildHasherDefault, Hasher};

use fogtree_core::{Key, Player, Utility};

use crate::checkpoint;

mod build;
mod estimate;
mod labels;
mod payoffs;

pub use build::{DEFAULT_LIMIT, Refusal};
pub use estimate::estimate;
pub use labels::Label;
use payoffs::Payoffs;

/// A node of the tree. Children lie together, in the order of actions or outcomes.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Node {
    /// The game is over.
    Leaf {
        /// Which leaf, for [`Compiled::rewards`].
        number: u32,
    },
    /// Chance draws.
    Chance {
        /// The first child.
        child: u32,
        /// The place of the first child's probability in [`Compiled::chances`].
        chances: u32,
        /// How many children.
        count: u32,
    },
    /// A player chooses.
    Decision {
        /// Whose choice it is.
        player: Player,
        /// The first child.
        child: u32,
        /// The player's information set.
        set: u32,
    },
}

/// The information sets of one player and the sequences of its own actions.
///
/// Sequence 0 is the empty one; every other is an action of an information set. An information set comes after
/// the one whose action leads to it, so a sweep from the last to the first meets children before parents.
#[derive(Clone, Debug)]
pub struct Treeplex {
    keys: Vec<Key>,
    /// The first sequence of each information set, and at the end the number of sequences.
    first: Vec<u32>,
    /// The sequence that leads to each information set.
    parent: Vec<u32>,
    /// The code of the action that ends each sequence.
    codes: Vec<u64>,
    places: HashMap<Key, u32, BuildHasherDefault<KeyHasher>>,
}

/// Keys are hashes already.
#[derive(Clone, Copy, Debug, Default)]
struct KeyHasher(u64);

impl Hasher for KeyHasher {
    fn finish(&self) -> u64 {
        self.0
    }

    fn write(&mut self, bytes: &[u8]) {
        for &byte in bytes {
            self.0 = self.0.rotate_left(8) ^ u64::from(byte);
        }
    }

    fn write_u128(&mut self, key: u128) {
        self.0 = key as u64 ^ (key >> 64) as u64;
    }
}

impl Treeplex {
    fn new() -> Treeplex {
        let (keys, parent) = (Vec::new(), Vec::new());
        Treeplex { keys, first: vec![1], parent, codes: vec![0], places: HashMap::default() }
    }

    /// How many information sets.
    #[inline]
    pub fn sets(&self) -> usize {
        self.parent.len()
    }

    /// How many sequences, the empty one included.
    #[inline]
    pub fn sequences(&self) -> usize {
        self.codes.len()
    }

    /// The sequences that end in an action of this information set, in the order of the actions.
    #[inline]
    pub fn actions(&self, set: usize) -> std::ops::Range<usize> {
        self.first[set] as usize..self.first[set + 1] as usize
    }

    /// The sequence that leads to this information set.
    #[inline]
    pub fn parent(&self, set: usize) -> usize {
        self.parent[set] as usize
    }

    /// The key of an information set.
    pub fn key(&self, set: usize) -> Key {
        self.keys[set]
    }

    /// The code of the action that ends a sequence; 0 for the empty sequence.
    pub fn code(&self, sequence: usize) -> u64 {
        self.codes[sequence]
    }

    /// The information set with this key.
    pub fn find(&self, key: Key) -> Option<usize> {
        self.places.get(&key).map(|&set| set as usize)
    }

    /// The information set whose action ends this sequence; none for the empty one.
    pub fn set_of(&self, sequence: usize) -> Option<usize> {
        (sequence > 0).then(|| self.first.partition_point(|&first| first as usize <= sequence) - 1)
    }

    /// Whether one information set lies before another or is the same.
    pub fn leads_to(&self, before: usize, after: usize) -> bool {
        let up = |set: &usize| self.set_of(self.parent(*set));
        std::iter::successors(Some(after), up).take_while(|&set| set >= before).any(|set| set == before)
    }

    /// All information sets, parents first: the sequence that leads there and the sequences of its actions.
    #[inline]
    pub fn iter(
        &self,
    ) -> impl DoubleEndedIterator<Item = (usize, std::ops::Range<usize>)> + ExactSizeIterator + '_ {
        let ranges = self.first.windows(2).map(|w| w[0] as usize..w[1] as usize);
        self.parent.iter().map(|&p| p as usize).zip(ranges)
    }

    /// Writes the plan of a behavioural strategy: of each sequence, the product of the probabilities along it.
    pub fn plan_of(&self, behaviour: &[f64], plan: &mut [f64]) {
        plan[0] = 1.0;
        for (parent, actions) in self.iter() {
            let reach = plan[parent];
            for s in actions {
                plan[s] = reach * behaviour[s];
            }
        }
    }

    fn add(&mut self, key: Key, parent: u32, codes: impl Iterator<Item = u64>) -> u32 {
        let set = self.parent.len() as u32;
        self.keys.push(key);
        self.parent.push(parent);
        self.codes.extend(codes);
        self.first.push(self.codes.len() as u32);
        self.places.insert(key, set);
        set
    }
}

/// A whole game in flat arrays. [`Compiled::of`] makes one.
#[derive(Clone, Debug)]
pub struct Compiled {
    utility: Utility,
    nodes: Vec<Node>,
    chances: Vec<f64>,
    treeplexes: Vec<Treeplex>,
    /// Of each leaf, the reward of every player.
    rewards: Vec<f64>,
    /// Of each leaf, the last sequence of every player.
    sequences: Vec<u32>,
    /// Of each leaf, the probability that chance draws what leads there.
    chance_of_leaf: Vec<f64>,
    /// The most choices and draws from the start to an end.
    depth: usize,
    payoffs: Vec<Payoffs>,
}

impl Compiled {
    /// The most choices and draws from the start to an end.
    pub fn depth(&self) -> usize {
        self.depth
    }

    /// How many players.
    #[inline]
    pub fn players(&self) -> usize {
        self.treeplexes.len()
    }

    /// How rewards relate.
    pub fn utility(&self) -> Utility {
        self.utility
    }

    /// The tree; the root is the first node.
    #[inline]
    pub fn nodes(&self) -> &[Node] {
        &self.nodes
    }

    /// The information sets of a player.
    #[inline]
    pub fn treeplex(&self, who: Player) -> &Treeplex {
        &self.treeplexes[who.index()]
    }

    /// The information sets of all players.
    pub fn treeplexes(&self) -> &[Treeplex] {
        &self.treeplexes
    }

    /// How many information sets all players have together.
    pub fn sets(&self) -> usize {
        self.treeplexes.iter().map(Treeplex::sets).sum()
    }

    /// A sum over rewards, chances and the shape of the tree, which tells games apart.
    pub(crate) fn sum(&self) -> u64 {
        let numbers = self.rewards.iter().chain(&self.chance_of_leaf).map(|x| x.to_bits());
        let whole = self.treeplexes.iter().flat_map(|plex| plex.parent.iter().chain(&plex.first));
        let whole = self.sequences.iter().chain(whole).map(|&n| u64::from(n));
        let codes = self.treeplexes.iter().flat_map(|plex| &plex.codes).copied();
        numbers.chain(whole).chain(codes).fold(0, checkpoint::add)
    }

    /// How many leaves the tree has.
    pub fn leaves(&self) -> usize {
        self.chance_of_leaf.len()
    }

    /// The probabilities of chance, for [`Node::Chance`].
    #[inline]
    pub fn chances(&self) -> &[f64] {
        &self.chances
    }

    /// The rewards at a leaf.
    #[inline]
    pub fn rewards(&self, leaf: u32) -> &[f64] {
        let n = self.players();
        &self.rewards[leaf as usize * n..][..n]
    }

    /// Writes, for each sequence of a player, the payoffs of the leaves at which it is the player's last one,
    /// each weighted with the probability that chance and the plans of the others lead there.
    #[inline]
    pub fn values_of_sequences(&self, who: Player, plans: &[Vec<f64>], values: &mut [f64]) {
        self.payoffs[who.index()].apply(who, plans, values);
    }

    /// What each player gets on average if everybody keeps to its plan.
    pub fn expected(&self, plans: &[Vec<f64>]) -> Vec<f64> {
        let n = self.players();
        let mut total = vec![0.0; n];
        let leaves = self.sequences.chunks_exact(n).zip(self.rewards.chunks_exact(n));
        for ((sequences, rewards), chance) in leaves.zip(&self.chance_of_leaf) {
            let reach = sequences.iter().zip(plans).fold(*chance, |r, (&s, plan)| r * plan[s as usize]);
            for (total, reward) in total.iter_mut().zip(rewards) {
                *total += reach * reward;
            }
        }
        total
    }

    /// The chance-weighted payoffs of a player in a two-player game, as (own sequence, other sequence, payoff),
    /// own sequences in rising order.
    pub fn payoffs(&self, who: Player) -> impl Iterator<Item = (usize, usize, f64)> + '_ {
        self.payoffs[who.index()].entries()
    }

    /// About how many bytes this takes.
    pub fn bytes(&self) -> usize {
        let words = self.chances.len() + self.rewards.len() + self.chance_of_leaf.len();
        let sets: usize = self.treeplexes.iter().map(|t| t.sets() * 48 + t.sequences() * 8).sum();
        let payoffs: usize = self.payoffs.iter().map(Payoffs::bytes).sum();
        self.nodes.len() * size_of::<Node>() + words * 8 + self.sequences.len() * 4 + sets + payoffs
    }
}

//! The sequence form of a game or of a part of it, and predictive regret matching on it.
//!
//! A *sequence* is what a player chose on the way to a history. For each player the form holds its
//! information sets with the sequences that lead to them, and for the game a list of leaves: the last
//! sequence of each player, how likely chance is to lead there, and what it is worth. Nothing else is needed
//! to minimise regret. The *plan* of a player gives each of its sequences the product of its own
//! probabilities along it, so that one pass over the leaves sums up what each sequence of the other player is
//! worth, and one sweep over its information sets, later ones first, makes values, regrets and the next
//! strategy of that.
//!
//! Regrets are those of PCFR+ (Farina, Kroer and Sandholm 2021): `R = max(0, R + r)`, play in proportion to
//! `max(0, R + r)`; iteration `t` counts `t^2` times in the average. Averages are sums of plans, that is, by
//! own reach along the sequences: what the other player does or leaves out has no influence on them.
//!
//! The worth of a leaf is half the difference of the rewards: the zero-sum game that a game of constant sum
//! is.

use std::ops::Range;

use fogtree_core::{AverageStrategy, InfoSet, Key, Move, Player, Rewards, World};

use crate::kit::keyed::KeyMap;

/// The information sets of one player, and what was learnt about its sequences. Sequence 0 is the empty one.
#[derive(Clone, Debug)]
struct Plex {
    places: KeyMap<u32>,
    keys: Vec<Key>,
    /// The first sequence of each information set, and at the end the number of sequences.
    first: Vec<u32>,
    /// The sequence that leads to each information set.
    parent: Vec<u32>,
    /// The move that ends each sequence.
    moves: Vec<Move>,
    regrets: Vec<f64>,
    strategy: Vec<f64>,
    /// The weighted sum of the plans so far.
    average: Vec<f64>,
    plan: Vec<f64>,
    /// What each sequence was worth when regrets were last updated.
    values: Vec<f64>,
}

impl Plex {
    fn new() -> Plex {
        Plex {
            places: KeyMap::default(),
            keys: Vec::new(),
            first: vec![1],
            parent: Vec::new(),
            moves: vec![0],
            regrets: vec![0.0],
            strategy: vec![1.0],
            average: vec![0.0],
            plan: vec![1.0],
            values: vec![0.0],
        }
    }

    #[inline]
    fn actions(&self, set: u32) -> Range<usize> {
        self.first[set as usize] as usize..self.first[set as usize + 1] as usize
    }

    /// Adds what the moves appended to `moves` are to the rest: an information set where nothing is known.
    fn add(&mut self, key: Key, parent: u32) -> u32 {
        let set = self.keys.len() as u32;
        let (from, to) = (self.regrets.len(), self.moves.len());
        let share = 1.0 / (to - from) as f64;
        self.keys.push(key);
        self.parent.push(parent);
        self.first.push(to as u32);
        self.places.insert(key, set);
        self.regrets.resize(to, 0.0);
        self.strategy.resize(to, share);
        self.average.resize(to, 0.0);
        self.plan.resize(to, self.plan[parent as usize] * share);
        self.values.resize(to, 0.0);
        set
    }

    fn forget(&mut self) {
        self.regrets.fill(0.0);
        self.average.fill(0.0);
        for ends in self.first.windows(2) {
            let actions = ends[0] as usize..ends[1] as usize;
            let share = 1.0 / actions.len() as f64;
            self.strategy[actions].fill(share);
        }
        self.make_plan();
    }

    #[inline]
    fn make_plan(&mut self) {
        for (ends, &parent) in self.first.windows(2).zip(&self.parent) {
            let reach = self.plan[parent as usize];
            for s in ends[0] as usize..ends[1] as usize {
                self.plan[s] = reach * self.strategy[s];
            }
        }
    }

    /// From what the leaves are worth to regrets and a new strategy.
    #[inline]
    fn learn(&mut self, weight: f64) {
        for (sum, reach) in self.average.iter_mut().zip(&self.plan) {
            *sum += weight * reach;
        }
        for (ends, &parent) in self.first.windows(2).zip(&self.parent).rev() {
            let actions = ends[0] as usize..ends[1] as usize;
            let (before, here) = self.values.split_at_mut(actions.start);
            let values = &here[..actions.len()];
            let strategy = &mut self.strategy[actions.clone()];
            let value: f64 = strategy.iter().zip(values).map(|(p, v)| p * v).sum();
            before[parent as usize] += value;
            let mut sum = 0.0;
            for ((p, regret), v) in strategy.iter_mut().zip(&mut self.regrets[actions]).zip(values) {
                let gained = v - value;
                *regret = (*regret + gained).max(0.0);
                *p = (*regret + gained).max(0.0);
                sum += *p;
            }
            if sum > 0.0 {
                let scale = 1.0 / sum;
                strategy.iter_mut().for_each(|p| *p *= scale);
            } else {
                let share = 1.0 / strategy.len() as f64;
                strategy.fill(share);
            }
        }
        self.make_plan();
    }

    /// The average strategy of an information set; answers whether there is one, the current one standing in
    /// for it.
    fn write_average(&self, set: u32, out: &mut Vec<f64>) -> bool {
        let actions = self.actions(set);
        let sum: f64 = self.average[actions.clone()].iter().sum();
        out.clear();
        if sum > 0.0 {
            out.extend(self.average[actions].iter().map(|p| p / sum));
        } else {
            out.extend_from_slice(&self.strategy[actions]);
        }
        sum > 0.0
    }

    /// The average strategy of every sequence, and its plan.
    fn averages(&self) -> (Vec<f64>, Vec<f64>) {
        let (mut behaviour, mut plan) = (vec![1.0; self.moves.len()], vec![1.0; self.moves.len()]);
        let mut strategy = Vec::new();
        for (set, &parent) in (0..).zip(&self.parent) {
            self.write_average(set, &mut strategy);
            for (s, &p) in self.actions(set).zip(&strategy) {
                behaviour[s] = p;
                plan[s] = p * plan[parent as usize];
            }
        }
        (behaviour, plan)
    }

    /// Hands what sequences are worth on to those before them: the best of an information set, or the mean by
    /// this strategy.
    fn sum_up(&self, values: &mut [f64], behaviour: Option<&[f64]>) {
        for (set, &parent) in (0..self.parent.len() as u32).zip(&self.parent).rev() {
            let actions = self.actions(set);
            values[parent as usize] += match behaviour {
                Some(p) => actions.map(|s| p[s] * values[s]).sum(),
                None => values[actions].iter().fold(f64::NEG_INFINITY, |best, v| best.max(*v)),
            };
        }
    }
}

/// A place at which the form ends.
#[derive(Clone, Copy, Debug)]
struct Leaf {
    /// The last sequence of each player.
    sequences: [u32; 2],
    /// What it is worth to the first player, times the probability of chance.
    worth: f64,
}

/// What is found out about the moves of a decision when both play their average strategies.
#[derive(Clone, Debug)]
pub(super) struct Judgement {
    /// What each move is worth to its player; none if the others never lead to the decision.
    pub(super) moves: Option<Vec<f64>>,
    /// What the whole is worth to the first player.
    pub(super) value: f64,
    /// The mean of what the players would gain by best responses.
    pub(super) exploitability: f64,
}

/// A game, or a part of it, in sequence form, with what was learnt about it.
#[derive(Clone, Debug)]
pub(super) struct Form {
    plexes: [Plex; 2],
    leaves: Vec<Leaf>,
    /// Of each leaf, how likely chance is to lead there.
    chances: Vec<f64>,
    iterations: u64,
}

/// What a leaf with these rewards is worth to the first player.
pub(super) fn worth(rewards: &Rewards) -> f64 {
    (rewards[Player(0)] - rewards[Player(1)]) / 2.0
}

impl Form {
    pub(super) fn new() -> Form {
        Form { plexes: [Plex::new(), Plex::new()], leaves: Vec::new(), chances: Vec::new(), iterations: 0 }
    }

    /// Iterations made.
    pub(super) fn iterations(&self) -> u64 {
        self.iterations
    }

    /// How many leaves.
    pub(super) fn leaves(&self) -> usize {
        self.leaves.len()
    }

    /// The bytes in use.
    pub(super) fn bytes(&self) -> usize {
        let of = |plex: &Plex| {
            plex.keys.len() * (2 * size_of::<Key>() + 12)
                + plex.moves.len() * (size_of::<Move>() + 5 * size_of::<f64>())
        };
        self.leaves.len() * (size_of::<Leaf>() + size_of::<f64>()) + self.plexes.iter().map(of).sum::<usize>()
    }

    /// The information set with this key.
    pub(super) fn find(&self, who: Player, key: Key) -> Option<u32> {
        self.plexes[who.index()].places.get(&key).copied()
    }

    /// Whether a decision is in it.
    pub(super) fn knows(&self, info: &InfoSet) -> bool {
        let set = self.find(info.seat, info.key);
        set.is_some_and(|set| self.actions(info.seat, set).len() == info.legal.len())
    }

    /// The information set with this key, which is added if it is new.
    #[inline]
    pub(super) fn find_or_add(&mut self, who: Player, key: Key, parent: u32, world: &dyn World) -> u32 {
        let plex = &mut self.plexes[who.index()];
        match plex.places.get(&key) {
            Some(&set) => set,
            None => {
                world.legal(who, &mut plex.moves);
                plex.add(key, parent)
            }
        }
    }

    /// The sequences that end in a move of this information set.
    #[inline]
    pub(super) fn actions(&self, who: Player, set: u32) -> Range<usize> {
        self.plexes[who.index()].actions(set)
    }

    /// The move that ends a sequence.
    #[inline]
    pub(super) fn move_of(&self, who: Player, sequence: usize) -> Move {
        self.plexes[who.index()].moves[sequence]
    }

    /// The strategy that is played in the next iteration, by sequence.
    #[inline]
    pub(super) fn current(&self, who: Player) -> &[f64] {
        &self.plexes[who.index()].strategy
    }

    /// What each sequence was worth to its player in the last iteration, times the reach of the others.
    #[inline]
    pub(super) fn values(&self, who: Player) -> &[f64] {
        &self.plexes[who.index()].values
    }

    /// Adds a leaf; returns its place.
    #[inline]
    pub(super) fn push_leaf(&mut self, sequences: [u32; 2], chance: f64, worth: f64) -> u32 {
        self.leaves.push(Leaf { sequences, worth: chance * worth });
        self.chances.push(chance);
        self.leaves.len() as u32 - 1
    }

    /// Puts a leaf in the place of another.
    #[inline]
    pub(super) fn put_leaf(&mut self, place: u32, sequences: [u32; 2], chance: f64, worth: f64) {
        self.leaves[place as usize] = Leaf { sequences, worth: chance * worth };
        self.chances[place as usize] = chance;
    }

    /// The last sequences at a leaf, and how likely chance is to lead there.
    #[inline]
    pub(super) fn leaf(&self, place: u32) -> ([u32; 2], f64) {
        (self.leaves[place as usize].sequences, self.chances[place as usize])
    }

    /// Forgets what was learnt.
    pub(super) fn forget(&mut self) {
        self.iterations = 0;
        self.plexes.iter_mut().for_each(Plex::forget);
    }

    /// Updates both players, one after the other.
    pub(super) fn iterate(&mut self) {
        self.iterations += 1;
        let t = self.iterations as f64;
        let [first, second] = &mut self.plexes;
        gather::<0>(&self.leaves, &second.plan, &mut first.values);
        first.learn(t * t);
        gather::<1>(&self.leaves, &first.plan, &mut second.values);
        second.learn(t * t);
    }

    /// Writes the average strategy of an information set, the current one where there is none yet.
    pub(super) fn write_average(&self, who: Player, set: u32, out: &mut Vec<f64>) {
        self.plexes[who.index()].write_average(set, out);
    }

    /// The average strategies, wherever there is one.
    pub(super) fn average_strategies(&self, tell: &mut dyn FnMut(AverageStrategy<'_>)) {
        let mut strategy = Vec::new();
        for (plex, seat) in self.plexes.iter().zip(Player::all(2)) {
            for (set, &key) in (0..).zip(&plex.keys) {
                if plex.write_average(set, &mut strategy) {
                    tell(AverageStrategy { key, seat, strategy: &strategy, visits: self.iterations });
                }
            }
        }
    }

    /// What the average strategies are worth, and the moves of a decision under them.
    pub(super) fn judge(&self, at: Option<(Player, u32)>) -> Judgement {
        let [first, second] = &self.plexes;
        let [(mine, my_plan), (theirs, their_plan)] = [first.averages(), second.averages()];
        let mut values = [vec![0.0; first.moves.len()], vec![0.0; second.moves.len()]];
        gather::<0>(&self.leaves, &their_plan, &mut values[0]);
        gather::<1>(&self.leaves, &my_plan, &mut values[1]);
        let mut best = values.clone();
        first.sum_up(&mut best[0], None);
        second.sum_up(&mut best[1], None);
        first.sum_up(&mut values[0], Some(&mine));
        second.sum_up(&mut values[1], Some(&theirs));
        let moves = at.and_then(|(who, set)| {
            let (behaviour, plan) = if who.index() == 0 { (&mine, &their_plan) } else { (&theirs, &my_plan) };
            let mut reach = vec![0.0; behaviour.len()];
            for (leaf, chance) in self.leaves.iter().zip(&self.chances) {
                let [own, other] = [who, who.other()].map(|p| leaf.sequences[p.index()] as usize);
                reach[own] += chance * plan[other];
            }
            let plex = &self.plexes[who.index()];
            plex.sum_up(&mut reach, Some(behaviour));
            let moves = plex.actions(set).map(|s| (values[who.index()][s], reach[s]));
            moves.map(|(value, reach)| (reach > 0.0).then_some(value / reach)).collect()
        });
        Judgement { moves, value: values[0][0], exploitability: (best[0][0] + best[1][0]) / 2.0 }
    }
}

/// Sums up what the leaves are worth to one player, by its last sequence, against a plan of the other.
#[inline]
fn gather<const WHO: usize>(leaves: &[Leaf], plan: &[f64], values: &mut [f64]) {
    values.fill(0.0);
    for leaf in leaves {
        let worth = leaf.worth * plan[leaf.sequences[1 - WHO] as usize];
        values[leaf.sequences[WHO] as usize] += if WHO == 0 { worth } else { -worth };
    }
}

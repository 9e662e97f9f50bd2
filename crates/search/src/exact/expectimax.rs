//! Information-set expectimax: exact search among information sets of the searcher only.
//!
//! Where the searcher moves, an information set is worth its best move, which must be the same in all of its
//! states: there is no strategy fusion. Where another moves, it is worth the mean over its states of the
//! least that this player can leave the searcher by choosing which information set comes next:
//! `v(I) = max over a of v(I after a)`, and `v(I) = E over s in I of min over a of v(I after seeing a)`.
//! The others are thus taken to know the state and to play against the searcher. Source: Whitehouse 2014,
//! §5.1.2 (`ismcts/3.12`).
//!
//! An information set is a list of states with weights. Seeing a move keeps the weights of the states in which
//! it could have been made: only chance weighs. Equal information sets are looked at once.

use std::collections::HashMap;
use std::collections::hash_map::DefaultHasher;
use std::hash::{Hash, Hasher};
use std::sync::Arc;
use std::time::Instant;

use fogtree_core::world::events_of;
use fogtree_core::{
    Budget, Decision, Event, Facts, Model, Move, MoveReport, Observer, Player, Purpose, Report, Rewards,
    Seed, Simulation, Turn, Utility, World,
};

use crate::exact::minimax::first_best;
use crate::kit::node_budget::{NodeBudget, guess};
use crate::kit::steps::each_step;

/// States with their weights.
pub(crate) type Worlds<S> = Vec<(S, f64)>;

/// The search itself.
#[derive(Debug)]
pub struct Expectimax {
    rules: Arc<dyn Model>,
    facts: Facts,
    /// What the rewards of all players add up to, if that is always the same.
    sum: Option<f64>,
    nodes: u64,
    /// By the fingerprint of an information set, what it is worth if that is no guess.
    memo: HashMap<u128, f64>,
    node_budget: NodeBudget,
}

impl Expectimax {
    /// A search that may look into this many states per decision; beyond these it guesses.
    pub fn new(rules: &Arc<dyn Model>, nodes: u64) -> Expectimax {
        let facts = rules.facts();
        let sum = match facts.utility {
            Utility::ZeroSum => Some(0.0),
            Utility::ConstantSum => {
                let mut rng = Seed(0).stream(Purpose::Playout);
                let rewards = rules.start().playout(Simulation::UNIFORM, &mut rng);
                Some(rewards.iter().sum())
            }
            Utility::General => None,
        };
        Expectimax {
            rules: Arc::clone(rules),
            facts: facts.clone(),
            sum,
            nodes,
            memo: HashMap::new(),
            node_budget: NodeBudget::default(),
        }
    }

    /// Forgets what it has found out.
    pub fn clear(&mut self) {
        self.memo.clear();
    }

    /// Searches for the move of `who`, who is to move in all these states and cannot tell them apart. Of equal
    /// moves it chooses the first.
    pub fn search(
        &mut self,
        worlds: &[(Box<dyn World>, f64)],
        who: Player,
        legal: &[Move],
        budget: &Budget,
    ) -> Decision {
        let began = Instant::now();
        if self.memo.len() as u64 > self.nodes {
            self.memo.clear();
        }
        let (values, node_budget) = NodeBudget::spend(budget, |node_budget| {
            std::mem::swap(&mut self.node_budget, node_budget);
            let mut values = Vec::with_capacity(legal.len());
            for (i, &action) in legal.iter().enumerate() {
                let limit = self.node_budget.share(self.nodes, legal.len() - i);
                values.push(self.after(worlds, who, Some(action), limit, 0));
            }
            std::mem::swap(&mut self.node_budget, node_budget);
            values
        });
        let report = |(&action, &value): (&Move, &f64)| MoveReport::of(action, 1, self.rewards(who, value));
        let report = Report {
            moves: legal.iter().zip(&values).map(report).collect(),
            iterations: legal.len() as u64,
            nodes: node_budget.opened(),
            depth: node_budget.depth() + 1,
            time: began.elapsed(),
            ..Report::default()
        };
        Decision { action: legal[first_best(values.iter().copied())], report }
    }

    /// The rewards of all players, where the searcher's says what they are.
    fn rewards(&self, who: Player, value: f64) -> Option<Rewards> {
        match (self.facts.players, self.sum) {
            (1, _) => Some([value].into_iter().collect()),
            (2, Some(sum)) => Some(Rewards::from_fn(2, |p| if p == who { value } else { sum - value })),
            _ => None,
        }
    }

    /// What an information set is worth.
    fn value(&mut self, worlds: &[(Box<dyn World>, f64)], who: Player, limit: u64, depth: u32) -> f64 {
        let key = fingerprint(worlds, who);
        if let Some(&known) = self.memo.get(&key) {
            return known;
        }
        if !self.node_budget.open(worlds.len() as u64, limit, depth) {
            return self.guess(worlds, who);
        }
        let guesses = self.node_budget.guesses();
        let decides = |(s, _): &(Box<dyn World>, f64)| s.turn().players().contains(who);
        let value = if worlds.iter().all(decides) {
            let mut legal = Vec::new();
            worlds[0].0.legal(who, &mut legal);
            let mut best = f64::NEG_INFINITY;
            for (i, &action) in legal.iter().enumerate() {
                let limit = self.node_budget.share(limit, legal.len() - i);
                best = best.max(self.after(worlds, who, Some(action), limit, depth));
            }
            best
        } else {
            self.after(worlds, who, None, limit, depth)
        };
        if self.node_budget.guesses() == guesses {
            self.memo.insert(key, value);
        }
        value
    }

    /// What an information set is worth after one step of all its states: where the searcher decides, by the
    /// action given, or by waiting if there is none.
    fn after(
        &mut self,
        worlds: &[(Box<dyn World>, f64)],
        who: Player,
        action: Option<Move>,
        limit: u64,
        depth: u32,
    ) -> f64 {
        let mut sets = Sets::default();
        let mut ways = Vec::with_capacity(worlds.len());
        for (state, weight) in worlds {
            if self.node_budget.is_late(1) {
                self.node_budget.guessed();
                return self.guess(worlds, who);
            }
            let turn = state.turn();
            ways.push(if action.is_none() && turn.players().contains(who) {
                Way::Least(vec![Next::Set(sets.add(Vec::new(), state.boxed(), *weight, Merge::Same))])
            } else {
                self.ways(&mut sets, &**state, *weight, who, action)
            });
        }
        let mut values = Vec::with_capacity(sets.sets.len());
        for (i, set) in sets.sets.iter().enumerate() {
            let limit = self.node_budget.share(limit, sets.sets.len() - i);
            values.push(self.value(set, who, limit, depth + 1));
        }
        let worth = |next: &Next| match *next {
            Next::Worth(value) => value,
            Next::Set(set) => values[set],
        };
        let worth = |way: &Way| match way {
            Way::Mean(next) => next.iter().map(|(next, p)| p * worth(next)).sum(),
            Way::Least(next) => next.iter().map(worth).fold(f64::INFINITY, f64::min),
        };
        let total: f64 = worlds.iter().map(|w| w.1).sum();
        ways.iter().zip(worlds).map(|(way, (_, weight))| weight * worth(way)).sum::<f64>() / total
    }

    /// How a state goes on, and its successors put into the sets that the searcher tells apart. Where the game
    /// ends it no longer matters what can be told apart.
    fn ways(
        &mut self,
        sets: &mut Sets<Box<dyn World>>,
        state: &dyn World,
        weight: f64,
        who: Player,
        action: Option<Move>,
    ) -> Way {
        let rules = &*self.rules;
        let chance = state.turn() == Turn::Chance;
        let merge = if chance { Merge::Chance } else { Merge::Same };
        let mut ways = Vec::new();
        each_step(state, action.map(|a| (who, a)), |step, p| {
            let after = state.after(step);
            let next = if after.turn() == Turn::Terminal {
                Next::Worth(after.rewards()[who])
            } else {
                let seen = events_of(rules, state, step, Observer::Seat(who)).collect();
                Next::Set(sets.add(seen, after, weight * p, merge))
            };
            ways.push((next, p));
        });
        if ways.is_empty() {
            self.node_budget.guessed();
            Way::Least(vec![Next::Worth(guess(&self.facts, state, who))])
        } else if chance {
            Way::Mean(ways)
        } else {
            Way::Least(ways.into_iter().map(|(next, _)| next).collect())
        }
    }

    /// What an information set is worth that is not looked into; if it is late, by its first state alone.
    fn guess(&self, worlds: &[(Box<dyn World>, f64)], who: Player) -> f64 {
        let worlds = if self.node_budget.was_late() { &worlds[..1] } else { worlds };
        let total: f64 = worlds.iter().map(|w| w.1).sum();
        let guess = |s: &dyn World| guess(&self.facts, s, who);
        worlds.iter().map(|(s, weight)| weight * guess(&**s)).sum::<f64>() / total
    }
}

/// How a state goes on.
enum Way {
    /// Chance leads on, with these probabilities.
    Mean(Vec<(Next, f64)>),
    /// Another player leads on.
    Least(Vec<Next>),
}

/// Where a step leads.
#[derive(Clone, Copy)]
enum Next {
    /// To an end, or to something that cannot be looked into, worth this much.
    Worth(f64),
    /// To this information set.
    Set(usize),
}

/// What becomes of the weight of a state that is reached twice.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Merge {
    /// Chance led there in two ways, which add up.
    Chance,
    /// Players led there in two ways: it is one state all the same.
    Same,
}

/// States that were reached, by what was seen on the way.
struct Sets<S> {
    places: HashMap<Vec<Event>, usize>,
    sets: Vec<Worlds<S>>,
    states: HashMap<(usize, S), usize>,
}

impl<S> Default for Sets<S> {
    fn default() -> Self {
        Sets { places: HashMap::new(), sets: Vec::new(), states: HashMap::new() }
    }
}

impl<S: Clone + Eq + Hash> Sets<S> {
    /// Adds a state to the set of those reached with the same events; returns the place of the set.
    fn add(&mut self, seen: Vec<Event>, state: S, weight: f64, merge: Merge) -> usize {
        let set = *self.places.entry(seen).or_insert(self.sets.len());
        if set == self.sets.len() {
            self.sets.push(Vec::new());
        }
        let worlds = &mut self.sets[set];
        let place = *self.states.entry((set, state.clone())).or_insert(worlds.len());
        put(worlds, place, state, weight, merge);
        set
    }
}

/// Puts a state in its place among others, at the end if it is new.
pub(crate) fn put<S>(worlds: &mut Worlds<S>, place: usize, state: S, weight: f64, merge: Merge) {
    match (worlds.get_mut(place), merge) {
        (None, _) => worlds.push((state, weight)),
        (Some(known), Merge::Chance) => known.1 += weight,
        (Some(known), Merge::Same) => known.1 = known.1.max(weight),
    }
}

/// A hash of a set of states with their shares of the weight, whatever their order.
fn fingerprint<S: Hash>(worlds: &[(S, f64)], who: Player) -> u128 {
    let total: f64 = worlds.iter().map(|w| w.1).sum();
    let half = |salt: u8, state: &S, share: u64| {
        let mut hasher = DefaultHasher::new();
        (salt, who, share).hash(&mut hasher);
        state.hash(&mut hasher);
        hasher.finish()
    };
    let one = |(state, weight): &(S, f64)| {
        let share = (weight / total * (1u64 << 40) as f64).round() as u64;
        u128::from(half(0, state, share)) << 64 | u128::from(half(1, state, share))
    };
    worlds.iter().map(one).fold(0, u128::wrapping_add)
}

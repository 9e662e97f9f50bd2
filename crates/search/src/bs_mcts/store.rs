//! Belief states: what the search remembers of every state held possible in a node, and the sums over them.
//!
//! A node keeps its actions, and its beliefs one by one; a belief keeps what came of each of its own actions. The
//! utility of an action in the node is a weighted mean over beliefs (equation 3), and the weights change with every
//! reward (equation 4). Working both out anew at every choice takes time in proportion to beliefs times actions. Here
//! the sums are kept: a reward changes the weight of one belief, hence the sums of that belief's actions only. They
//! are worked out anew from time to time, so that rounding errors do not pile up.

use fogtree_core::Move;

use super::formulas::{guess_bayes, guess_printed};
use super::index::{Index, NONE, ONCE};

pub(super) type NodeId = u32;
pub(super) type BeliefId = u32;

/// A belief state.
#[derive(Clone, Copy, Debug)]
pub(super) struct Node {
    /// N(B).
    pub(super) visits: u32,
    /// Whether the searcher decides here, which is where beliefs are guessed.
    pub(super) own: bool,
    first_arm: u32,
    last_arm: u32,
    first_belief: BeliefId,
    last_belief: BeliefId,
    beliefs: u32,
    /// The sum of the weights of the beliefs.
    pub(super) weight: f64,
    /// The rewards of all actions, and how many there were.
    total: f64,
    tried: u32,
    /// Rewards since the sums were last worked out.
    stale: u32,
}

impl Node {
    /// The mean reward of whatever was tried here.
    pub(super) fn mean(&self) -> f64 {
        if self.tried == 0 { 0.5 } else { self.total / f64::from(self.tried) }
    }
}

/// An action in a belief state.
#[derive(Clone, Copy, Debug)]
pub(super) struct Arm {
    pub(super) action: Move,
    next: u32,
    /// N(B,a).
    pub(super) visits: u32,
    /// The sum over the beliefs in which it was tried of their weights, and of these times its utility there.
    pub(super) weight: f64,
    pub(super) value: f64,
}

/// One of the states that may be the real one, in a node.
#[derive(Clone, Copy, Debug)]
pub(super) struct Belief {
    /// What tells the state from others.
    pub(super) mark: u64,
    next: BeliefId,
    first: u32,
    len: u32,
    /// How often an action was tried in it, and the sum of the rewards.
    pub(super) tried: u32,
    total: f64,
    /// P(g) and the weight, in proportion to b.
    prior: f32,
    pub(super) weight: f64,
}

impl Belief {
    /// (5) The mean reward of whatever was tried in it.
    pub(super) fn utility(&self) -> f64 {
        if self.tried == 0 { 0.0 } else { self.total / f64::from(self.tried) }
    }
}

/// What came of an action in one state.
#[derive(Clone, Copy, Debug)]
pub(super) struct Entry {
    pub(super) arm: u32,
    /// N(g,a) and U(g,a).
    pub(super) visits: u32,
    pub(super) mean: f32,
}

/// How much a belief counts.
#[derive(Clone, Copy, Debug)]
pub(super) enum Weighing {
    /// By equation 4 as it is printed.
    Printed(f64),
    /// As often as it was met, and by its utility.
    Bayes(f64),
}

impl Weighing {
    fn of(self, belief: &Belief, own: bool) -> f64 {
        let (prior, utility) = (f64::from(belief.prior), belief.utility());
        let guess = |lambda| if own { lambda } else { 0.0 };
        match self {
            Weighing::Printed(lambda) => guess_printed(guess(lambda), prior, utility),
            Weighing::Bayes(lambda) => guess_bayes(guess(lambda), belief.tried.into(), utility),
        }
    }
}

/// What is known of a belief state on arrival.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Arrival {
    /// It was never met.
    New,
    /// It was met once, and nothing is kept of it.
    Again,
    /// It is kept here.
    Kept(NodeId),
}

/// A choice made on the way down.
#[derive(Clone, Copy, Debug)]
pub(super) struct Choice {
    pub(super) node: NodeId,
    pub(super) belief: BeliefId,
    pub(super) entry: u32,
}

/// The belief states of a search.
#[derive(Clone, Debug)]
pub(super) struct Store {
    nodes: Vec<Node>,
    arms: Vec<Arm>,
    beliefs: Vec<Belief>,
    entries: Vec<Entry>,
    places: Index,
    beliefs_at: Index,
    weighing: Weighing,
    most_bytes: usize,
}

impl Store {
    pub(super) fn new(weighing: Weighing, most_bytes: usize) -> Store {
        Store {
            nodes: Vec::new(),
            arms: Vec::new(),
            beliefs: Vec::new(),
            entries: Vec::new(),
            places: Index::default(),
            beliefs_at: Index::default(),
            weighing,
            most_bytes,
        }
    }

    /// Forgets everything, keeping the room.
    pub(super) fn clear(&mut self) {
        self.nodes.clear();
        self.arms.clear();
        self.beliefs.clear();
        self.entries.clear();
        self.places.clear();
        self.beliefs_at.clear();
    }

    pub(super) fn len(&self) -> usize {
        self.nodes.len()
    }

    /// All beliefs of all nodes.
    pub(super) fn beliefs_len(&self) -> usize {
        self.beliefs.len()
    }

    /// The actions that were tried, of all nodes.
    pub(super) fn tried(&self) -> u64 {
        self.arms.iter().filter(|arm| arm.visits > 0).count() as u64
    }

    pub(super) fn bytes(&self) -> usize {
        self.nodes.len() * size_of::<Node>()
            + self.arms.len() * size_of::<Arm>()
            + self.beliefs.len() * size_of::<Belief>()
            + self.entries.len() * size_of::<Entry>()
            + self.places.bytes()
            + self.beliefs_at.bytes()
    }

    /// Whether nothing more can be kept: growing a vector may take twice its length for a while.
    pub(super) fn is_full(&self) -> bool {
        2 * self.bytes() > self.most_bytes
    }

    pub(super) fn node(&self, id: NodeId) -> &Node {
        &self.nodes[id as usize]
    }

    pub(super) fn node_mut(&mut self, id: NodeId) -> &mut Node {
        &mut self.nodes[id as usize]
    }

    #[inline]
    pub(super) fn arm(&self, id: u32) -> &Arm {
        &self.arms[id as usize]
    }

    pub(super) fn belief(&self, id: BeliefId) -> &Belief {
        &self.beliefs[id as usize]
    }

    /// What came of each action of a belief, in their order.
    #[inline]
    pub(super) fn entries(&self, id: BeliefId) -> &[Entry] {
        let belief = &self.beliefs[id as usize];
        &self.entries[belief.first as usize..][..belief.len as usize]
    }

    /// The actions of a node, as they were met.
    pub(super) fn arms_of(&self, node: NodeId) -> impl Iterator<Item = &Arm> {
        let some = |id: u32| (id != NONE).then(|| self.arm(id));
        std::iter::successors(some(self.node(node).first_arm), move |arm| some(arm.next))
    }

    /// The beliefs of a node, as they were met.
    pub(super) fn beliefs_of(&self, node: NodeId) -> impl Iterator<Item = &Belief> {
        let some = |id: u32| (id != NONE).then(|| self.belief(id));
        std::iter::successors(some(self.node(node).first_belief), move |belief| some(belief.next))
    }

    #[inline]
    pub(super) fn arrive(&self, key: u64) -> Arrival {
        match self.places.find(key) {
            NONE => Arrival::New,
            ONCE => Arrival::Again,
            node => Arrival::Kept(node),
        }
    }

    /// Remembers that a belief state was met.
    pub(super) fn meet(&mut self, key: u64) {
        self.places.put(key, ONCE);
    }

    /// Keeps a belief state that was visited so often before.
    pub(super) fn keep(&mut self, key: u64, own: bool, visits: u32) -> NodeId {
        let id = self.nodes.len() as NodeId;
        self.nodes.push(Node {
            visits,
            own,
            first_arm: NONE,
            last_arm: NONE,
            first_belief: NONE,
            last_belief: NONE,
            beliefs: 0,
            weight: 0.0,
            total: 0.0,
            tried: 0,
            stale: 0,
        });
        self.places.put(key, id);
        id
    }

    fn belief_key(node: NodeId, mark: u64) -> u64 {
        mark ^ u64::from(node).wrapping_mul(0x9e37_79b9_7f4a_7c15)
    }

    /// The belief in the state with this mark, if it is in the node.
    #[inline]
    pub(super) fn find_belief(&self, node: NodeId, mark: u64) -> Option<BeliefId> {
        let place = self.beliefs_at.find(Self::belief_key(node, mark));
        (place != NONE).then_some(place)
    }

    /// Adds a belief with its legal actions, which are in rising order.
    pub(super) fn expand(&mut self, node: NodeId, mark: u64, prior: f64, legal: &[Move]) -> BeliefId {
        let id = self.beliefs.len() as BeliefId;
        let first = self.entries.len() as u32;
        let mut hint = self.node(node).first_arm;
        for &action in legal {
            let arm = self.arm_of(node, action, hint);
            hint = self.arm(arm).next;
            self.entries.push(Entry { arm, visits: 0, mean: 0.0 });
        }
        let len = legal.len() as u32;
        let prior = prior as f32;
        let mut belief = Belief { mark, next: NONE, first, len, tried: 0, total: 0.0, prior, weight: 0.0 };
        let at = &mut self.nodes[node as usize];
        belief.weight = self.weighing.of(&belief, at.own);
        at.weight += belief.weight;
        at.beliefs += 1;
        let last = std::mem::replace(&mut at.last_belief, id);
        match self.beliefs.get_mut(last as usize) {
            Some(last) => last.next = id,
            None => at.first_belief = id,
        }
        self.beliefs.push(belief);
        self.beliefs_at.put(Self::belief_key(node, mark), id);
        id
    }

    /// The place of an action in a node, looked for from `hint` on and then from the beginning.
    fn arm_of(&mut self, node: NodeId, action: Move, hint: u32) -> u32 {
        for (from, until) in [(hint, NONE), (self.node(node).first_arm, hint)] {
            let mut at = from;
            while at != until && at != NONE {
                let arm = self.arm(at);
                if arm.action == action {
                    return at;
                }
                at = arm.next;
            }
        }
        let id = self.arms.len() as u32;
        self.arms.push(Arm { action, next: NONE, visits: 0, weight: 0.0, value: 0.0 });
        let at = &mut self.nodes[node as usize];
        let last = std::mem::replace(&mut at.last_arm, id);
        match self.arms.get_mut(last as usize) {
            Some(last) => last.next = id,
            None => at.first_arm = id,
        }
        id
    }

    /// P(g) has changed.
    pub(super) fn set_prior(&mut self, belief: BeliefId, prior: f64) {
        self.beliefs[belief as usize].prior = prior as f32;
    }

    /// Counts what came of a choice: equation 2, and the sums of equation 3.
    pub(super) fn credit(&mut self, choice: Choice, reward: f64) {
        let node = &mut self.nodes[choice.node as usize];
        let belief = &mut self.beliefs[choice.belief as usize];
        belief.tried += 1;
        belief.total += reward;
        node.tried += 1;
        node.total += reward;
        let before = belief.weight;
        belief.weight = self.weighing.of(belief, node.own);
        let change = belief.weight - before;
        node.weight += change;
        let entries = &mut self.entries[belief.first as usize..][..belief.len as usize];
        if change != 0.0 {
            for entry in entries.iter().filter(|e| e.visits > 0) {
                let arm = &mut self.arms[entry.arm as usize];
                arm.weight += change;
                arm.value += change * f64::from(entry.mean);
            }
        }
        let entry = &mut entries[choice.entry as usize];
        let arm = &mut self.arms[entry.arm as usize];
        let (mean, first) = (f64::from(entry.mean), entry.visits == 0);
        entry.visits += 1;
        entry.mean = (mean + (reward - mean) / f64::from(entry.visits)) as f32;
        arm.visits += 1;
        arm.weight += if first { belief.weight } else { 0.0 };
        arm.value += belief.weight * (f64::from(entry.mean) - mean);
        node.stale += 1;
        if node.stale > 64 + 4 * node.beliefs {
            self.refresh(choice.node);
        }
    }

    /// Works the sums of a node out anew.
    pub(super) fn refresh(&mut self, id: NodeId) {
        let node = &mut self.nodes[id as usize];
        (node.stale, node.weight) = (0, 0.0);
        let mut at = node.first_arm;
        while at != NONE {
            let arm = &mut self.arms[at as usize];
            (arm.weight, arm.value) = (0.0, 0.0);
            at = arm.next;
        }
        let mut at = node.first_belief;
        while at != NONE {
            let belief = &mut self.beliefs[at as usize];
            belief.weight = self.weighing.of(belief, node.own);
            node.weight += belief.weight;
            for entry in &self.entries[belief.first as usize..][..belief.len as usize] {
                if entry.visits > 0 {
                    let arm = &mut self.arms[entry.arm as usize];
                    arm.weight += belief.weight;
                    arm.value += belief.weight * f64::from(entry.mean);
                }
            }
            at = belief.next;
        }
    }
}

impl crate::kit::explanation::Statistics for Store {
    fn visits(&self, node: NodeId) -> u64 {
        self.node(node).visits.into()
    }

    /// The searcher may always make all its moves; how often the others could is not counted.
    fn moves(&self, node: NodeId, own: bool) -> Vec<(Move, u64, Option<u64>)> {
        let visits = self.node(node).visits.into();
        self.arms_of(node).map(|arm| (arm.action, arm.visits.into(), own.then_some(visits))).collect()
    }
}

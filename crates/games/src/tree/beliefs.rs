//! What an observer of a tree can tell apart, worked out once for the whole tree.
//!
//! Nodes before which an observer did and saw the same form a *class*. The events are those of which
//! [`fogtree_core::Keys`] make keys, so classes and keys agree. Drawing a world is drawing a node of a class,
//! in proportion to the probability that chance allows it.

use std::collections::HashMap;
use std::ops::Range;

use fogtree_core::history::{Event, events_of};
use fogtree_core::{Observer, Rng, Step};

use super::{Action, Kind, Outcome, State, Tree};

/// The classes of one observer.
#[derive(Clone, PartialEq, Debug)]
pub(super) struct Beliefs {
    /// The class of every node.
    pub(super) class: Vec<u32>,
    /// The nodes of class `c` are `members[starts[c]..starts[c + 1]]`.
    starts: Vec<u32>,
    members: Vec<u32>,
    /// Within each class, running sums of the probabilities that chance allows its members.
    sums: Vec<f64>,
}

/// The probability that chance allows a node: a number that is not too small, and how often it was rescaled.
#[derive(Clone, Copy)]
struct Reach(f64, u32);

/// By how much.
const RESCALE: f64 = (1u64 << 63) as f64;

impl Reach {
    fn times(self, p: f64) -> Reach {
        let Reach(mut value, mut scale) = self;
        value *= p;
        while value < 1.0 / RESCALE {
            (value, scale) = (value * RESCALE, scale + 1);
        }
        Reach(value, scale)
    }
}

impl Beliefs {
    /// The classes of every seat, then of the public; once for all if nothing is hidden.
    pub(super) fn all(tree: &Tree) -> Vec<Beliefs> {
        let mut reach: Vec<Reach> = Vec::with_capacity(tree.nodes.len());
        for node in &tree.nodes {
            let to = tree.edges.get(node.edge as usize);
            reach.push(to.map_or(Reach(1.0, 0), |edge| reach[node.parent as usize].times(edge.p)));
        }
        if !tree.facts.hidden {
            let class: Vec<u32> = (0..tree.nodes.len() as u32).collect();
            return vec![Beliefs::new(class, tree.nodes.len(), &reach)];
        }
        let of = |by| {
            let (class, classes) = classify(tree, by);
            Beliefs::new(class, classes, &reach)
        };
        Observer::all(tree.players.len()).map(of).collect()
    }

    fn new(class: Vec<u32>, classes: usize, reach: &[Reach]) -> Beliefs {
        let mut starts = vec![0u32; classes + 1];
        let mut least = vec![u32::MAX; classes];
        for (&c, &Reach(_, scale)) in class.iter().zip(reach) {
            starts[c as usize + 1] += 1;
            least[c as usize] = least[c as usize].min(scale);
        }
        for i in 1..starts.len() {
            starts[i] += starts[i - 1];
        }
        let mut next = starts.clone();
        let mut members = vec![0; class.len()];
        for (node, &c) in (0..).zip(&class) {
            members[next[c as usize] as usize] = node;
            next[c as usize] += 1;
        }
        let mut sums = Vec::with_capacity(class.len());
        for (c, range) in starts.windows(2).enumerate() {
            let mut sum = 0.0;
            for &node in &members[range[0] as usize..range[1] as usize] {
                let Reach(p, scale) = reach[node as usize];
                sum += p * RESCALE.powi(-((scale - least[c]).min(100) as i32));
                sums.push(sum);
            }
        }
        Beliefs { class, starts, members, sums }
    }

    /// The places of a class in the list of members; none for a class that does not exist.
    pub(super) fn places(&self, class: u32) -> Range<usize> {
        match self.starts.get(class as usize..class as usize + 2) {
            Some(&[from, to]) => from as usize..to as usize,
            _ => 0..0,
        }
    }

    /// The nodes of a class in rising order.
    pub(super) fn members(&self, class: u32) -> &[u32] {
        &self.members[self.places(class)]
    }

    /// A node at these places, if there is one.
    #[inline]
    pub(super) fn draw(&self, places: Range<usize>, rng: &mut Rng) -> Option<u32> {
        let from = places.start;
        let sums = &self.sums[places];
        let drawn = rng.unit() * sums.last()?;
        let place = sums.partition_point(|&sum| sum <= drawn).min(sums.len() - 1);
        Some(self.members[from + place])
    }

    /// The nodes of a class, each with its share of the probability.
    pub(super) fn shares(&self, class: u32) -> impl Iterator<Item = (State, f64)> {
        let sums = &self.sums[self.places(class)];
        let total = sums.last().copied().unwrap_or(1.0);
        let before = std::iter::once(&0.0).chain(sums);
        let shares = sums.iter().zip(before).map(move |(sum, before)| (sum - before) / total);
        self.members(class).iter().map(|&node| State(node)).zip(shares)
    }
}

/// The class of every node for an observer, and how many classes there are.
fn classify(tree: &Tree, by: Observer) -> (Vec<u32>, usize) {
    let mut class: Vec<u32> = Vec::with_capacity(tree.nodes.len());
    let mut after: HashMap<(u32, Event), u32> = HashMap::new();
    for (number, node) in (0..).zip(&tree.nodes) {
        let mut at = class.get(node.parent as usize).copied().unwrap_or(0);
        tree.events_before(number, by, |event| {
            let next = after.len() as u32 + 1;
            at = *after.entry((at, event)).or_insert(next);
        });
        class.push(at);
    }
    (class, after.len() + 1)
}

impl Tree {
    /// What an observer does and sees in the step that leads to a node.
    fn events_before(&self, node: u32, by: Observer, with: impl FnMut(Event)) {
        let node = &self.nodes[node as usize];
        let Some(edge) = self.edges.get(node.edge as usize) else { return };
        let before = State(node.parent);
        match self.node(before).kind {
            Kind::Decision(set) => {
                let moves = [(self.infosets[set as usize].player, Action(edge.name))];
                events_of(self, &before, Step::Moves(&moves), by).for_each(with);
            }
            _ => events_of(self, &before, Step::Chance(&Outcome(edge.name)), by).for_each(with),
        }
    }

    /// The last things that an observer did and saw on the way to a node, at most `most` steps back.
    pub(super) fn past(&self, node: u32, by: Observer, most: usize) -> Vec<Event> {
        let mut path = Vec::new();
        let mut at = node;
        while at != 0 && path.len() < most {
            path.push(at);
            at = self.nodes[at as usize].parent;
        }
        let mut past = Vec::new();
        for &node in path.iter().rev() {
            self.events_before(node, by, |event| past.push(event));
        }
        past
    }
}

//! EPIC: a forest of the game's episodes, searched like a tree wherever an episode takes place (Whitehouse 2014,
//! §8.3, Spec. 7).
//!
//! The record of an action is the label of the episode in which it is played and the moves since that began, as
//! its player saw them, the action included (`icarus/AMB-19`: the label is that of the state in which the action is
//! played, even if it ends the episode). The episode under way at the root has a label of its own unless it begins
//! there (`icarus/AMB-20`): what was played before the search is not told to agents state by state.
//!
//! A position met for the first time decides nothing, so the legal actions there are not even listed; actions met
//! at the second visit count as available at the first. Availability is counted as a playout passes.

use fogtree_core::{MAX_PLAYERS, Player, Rng};

use super::enhance::Episodes;
use super::sight::Sight;
use crate::ismcts::{Best, Edge, NONE, NodeId, Roots, Store};

/// The trees of episodes.
#[derive(Clone, Debug)]
pub(crate) struct EpisodePiece<A> {
    episodes: Episodes,
    trees: Store<A>,
    key: u64,
    node: Option<NodeId>,
    fresh: Vec<A>,
    taken: Vec<(u64, A, Player)>,
}

impl<A: Copy + Ord> EpisodePiece<A> {
    pub(crate) fn new(episodes: Episodes, memory: usize) -> EpisodePiece<A> {
        EpisodePiece {
            episodes,
            trees: Store::new(memory),
            key: 0,
            node: None,
            fresh: Vec::new(),
            taken: Vec::new(),
        }
    }

    pub(crate) fn begin(&mut self) {
        if !self.episodes.keep && self.trees.len() > 0 {
            self.trees.clear();
        }
    }

    pub(crate) fn restart(&mut self) {
        self.taken.clear();
    }

    #[inline]
    pub(crate) fn arrive(&mut self, sight: &Sight, who: Player) {
        self.key = sight.position(who);
        self.node = self.trees.find(self.key);
    }

    /// Whether the position has been met before.
    #[inline]
    pub(crate) fn knows(&self) -> bool {
        self.node.is_some()
    }

    /// Makes room for the legal actions of a known position.
    fn admit(&mut self, legal: &[A]) -> Option<NodeId> {
        let node = self.node?;
        let once = self.trees.node(node).visits == 1;
        self.trees.admit(node, legal, &mut self.fresh);
        if once {
            // Whatever is there now and was not chosen then came in with this visit.
            for edge in self.trees.edges_mut(node).iter_mut().filter(|e| e.visits == 0) {
                edge.available = 1;
            }
        }
        self.trees.node_mut(node).visits += 1;
        Some(node)
    }

    /// The legal actions of a known position were available once more.
    pub(crate) fn pass(&mut self, legal: &[A]) {
        if let Some(node) = self.admit(legal) {
            each_legal(self.trees.edges_mut(node), legal, |_, edge| edge.available += 1);
        }
    }

    /// The same, and which of them has the greatest bound.
    #[inline]
    pub(crate) fn choose(&mut self, legal: &[A], roots: &Roots, rng: &mut Rng) -> usize {
        let Some(node) = self.admit(legal) else { return rng.below(legal.len() as u32) as usize };
        let c = self.episodes.c;
        let mut best = Best::default();
        each_legal(self.trees.edges_mut(node), legal, |i, edge| {
            let bound = bound(edge, c, roots);
            edge.available += 1;
            best.offer(i as u32, bound, rng);
        });
        best.place as usize
    }

    /// The bounds of actions, without counting a visit.
    pub(crate) fn bounds(&self, actions: &[A], roots: &Roots, out: &mut Vec<f32>) {
        let edges = self.node.map_or(&[][..], |node| self.trees.edges(node));
        let of = |a: &A| {
            edges.binary_search_by(|e| e.action.cmp(a)).map(|i| bound(&edges[i], self.episodes.c, roots))
        };
        out.extend(actions.iter().map(|a| of(a).unwrap_or(f32::INFINITY)));
    }

    #[inline]
    pub(crate) fn made(&mut self, who: Player, action: A) {
        self.taken.push((self.key, action, who));
    }

    #[inline]
    pub(crate) fn learn(&mut self, rewards: &[f32; MAX_PLAYERS]) {
        for &(key, action, who) in &self.taken {
            let Some(node) = self.trees.find(key).or_else(|| self.trees.insert(key, NONE)) else { continue };
            let place = match self.trees.edges(node).binary_search_by(|e| e.action.cmp(&action)) {
                Ok(place) => place,
                Err(_) => match self.trees.add_move(node, Edge::new(action)) {
                    Some(place) => place as usize,
                    None => continue,
                },
            };
            if self.trees.node(node).visits == 0 {
                self.trees.node_mut(node).visits = 1;
            }
            let edge = &mut self.trees.edges_mut(node)[place];
            edge.credit(rewards[who.index()]);
            edge.available = edge.available.max(edge.visits);
        }
    }

    /// How many records were ever visited, and how often all together.
    pub(crate) fn tally(&self) -> (u64, u64) {
        self.trees.tally()
    }

    pub(crate) fn bytes(&self) -> u64 {
        self.trees.bytes() as u64
    }
}

#[inline]
fn bound<A>(edge: &Edge<A>, c: f32, roots: &Roots) -> f32 {
    match edge.visits {
        0 => f32::INFINITY,
        _ => edge.value + c * roots.of(edge.available) * edge.width(),
    }
}

/// Shows the edges of legal actions with the actions' places. Both are in order.
#[inline]
fn each_legal<A: Copy + Ord>(edges: &mut [Edge<A>], legal: &[A], mut show: impl FnMut(usize, &mut Edge<A>)) {
    let mut legal = legal.iter().enumerate().peekable();
    for edge in edges {
        while legal.next_if(|(_, a)| **a < edge.action).is_some() {}
        if let Some((i, _)) = legal.next_if(|(_, a)| **a == edge.action) {
            show(i, edge);
        }
    }
}

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

use fogtree_core::{Game, MAX_PLAYERS, Player, Rng};

use super::enhance::Episodes;
use super::exchange::{Visit, Visits};
use super::learned::{Learner, Tools};
use super::records::Info;
use super::sight::Sight;
use crate::ismcts::{Best, Edge, NONE, NodeId, Roots, Store, seek};

/// The trees of episodes.
#[derive(Clone, Debug)]
pub(crate) struct EpisodePiece<A> {
    episodes: Episodes,
    trees: Store<A>,
    key: u64,
    node: Option<NodeId>,
    fresh: Vec<A>,
    taken: Vec<Taken<A>>,
    /// What was captured since the threads last met, if they do.
    captured: Option<Box<Visits<A>>>,
}

/// An action that was played: the position, its node if it was known then, and who played it.
#[derive(Clone, Copy, Debug)]
struct Taken<A> {
    key: u64,
    node: Option<NodeId>,
    action: A,
    who: Player,
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
            captured: None,
        }
    }

    /// Captures for other threads from now on.
    pub(crate) fn share(&mut self) {
        self.captured = Some(Box::default());
    }

    /// What was captured since the last time.
    pub(crate) fn captured(&mut self) -> Visits<A> {
        self.captured.as_deref_mut().map(std::mem::take).unwrap_or_default()
    }

    /// Learns what another thread captured.
    pub(crate) fn absorb(&mut self, visits: &Visits<A>) {
        for (visit, legal) in visits.each() {
            let node = self.trees.find(visit.key);
            if let (Some(node), [_, ..]) = (node, legal) {
                self.count_all(node, legal);
            }
            self.credit(visit.key, node, visit.action, visit.reward);
        }
    }

    pub(crate) fn begin(&mut self) {
        if !self.episodes.keep {
            self.forget();
        }
    }

    pub(crate) fn forget(&mut self) {
        if self.trees.len() > 0 {
            self.trees.clear();
        }
        if let Some(captured) = &mut self.captured {
            captured.clear();
        }
    }

    pub(crate) fn restart(&mut self) {
        self.taken.clear();
    }

    #[inline]
    pub(crate) fn arrive(&mut self, sight: &Sight, who: Player) {
        self.key = sight.position(self.episodes.sight, who);
        self.node = self.trees.find(self.key);
    }

    /// Whether the position has been met before.
    #[inline]
    pub(crate) fn knows(&self) -> bool {
        self.node.is_some()
    }

    /// Makes room for those of the legal actions of a known position that are new.
    fn admit(&mut self, node: NodeId, legal: &[A]) {
        let once = self.trees.node(node).visits == 1;
        self.trees.admit(node, legal, &mut self.fresh);
        if once {
            // Whatever is there now and was not chosen then came in with this visit.
            for edge in self.trees.edges_mut(node).iter_mut().filter(|e| e.visits == 0) {
                edge.available = 1;
            }
        }
    }

    /// Shows the edges of the legal actions, which are available once more. Answers whether all were there; if not, nothing
    /// has been counted.
    #[inline(always)]
    fn count(&mut self, node: NodeId, legal: &[A], mut show: impl FnMut(u32, &Edge<A>)) -> bool {
        let edges = self.trees.edges_mut(node);
        let met = meet(edges, legal, |i, edge| {
            show(i, edge);
            edge.available += 1;
        });
        if met < legal.len() {
            meet(edges, &legal[..met], |_, edge| edge.available -= 1);
            return false;
        }
        self.trees.node_mut(node).visits += 1;
        true
    }

    /// The legal actions of a known position were available once more.
    pub(crate) fn pass(&mut self, legal: &[A]) {
        let Some(node) = self.node else { return };
        self.capture_legal(legal);
        self.count_all(node, legal);
    }

    /// The legal actions of a position were available once more, which may be new.
    fn count_all(&mut self, node: NodeId, legal: &[A]) {
        if !self.count(node, legal, |_, _| {}) {
            self.admit(node, legal);
            self.count(node, legal, |_, _| {});
        }
    }

    #[inline]
    fn capture_legal(&mut self, legal: &[A]) {
        if let Some(captured) = &mut self.captured {
            captured.legal.extend_from_slice(legal);
        }
    }

    /// The same, and which of them has the greatest bound.
    #[inline]
    pub(crate) fn choose(&mut self, legal: &[A], roots: &Roots, rng: &mut Rng) -> usize {
        let Some(node) = self.node else { return rng.below(legal.len() as u32) as usize };
        self.capture_legal(legal);
        let place = self.best(node, legal, roots, rng).or_else(|| {
            self.admit(node, legal);
            self.best(node, legal, roots, rng)
        });
        place.unwrap_or_else(|| rng.below(legal.len() as u32) as usize)
    }

    /// Counts and chooses, if all legal actions are there.
    fn best(&mut self, node: NodeId, legal: &[A], roots: &Roots, rng: &mut Rng) -> Option<usize> {
        let (c, mut draws, mut best) = (self.episodes.c, rng.clone(), Best::default());
        let offer = |i, edge: &Edge<A>| best.offer(i, bound(edge, c, roots), &mut draws);
        self.count(node, legal, offer).then(|| {
            *rng = draws;
            best.place as usize
        })
    }

    /// The bounds of actions, without counting a visit.
    pub(crate) fn bounds(&self, actions: &[A], roots: &Roots, out: &mut Vec<f32>) {
        let edges = self.node.map_or(&[][..], |node| self.trees.edges(node));
        let of = |a: &A| {
            edges.binary_search_by(|e| e.action.cmp(a)).map(|i| bound(&edges[i], self.episodes.c, roots))
        };
        out.extend(actions.iter().map(|a| of(a).unwrap_or(f32::INFINITY)));
    }

    /// What is known about actions, which are in order.
    pub(crate) fn gather(&self, actions: &[A], out: &mut Vec<Info>) {
        let edges = self.node.map_or(&[][..], |node| self.trees.edges(node));
        let of = |a: &A| {
            edges.binary_search_by(|e| e.action.cmp(a)).map_or(Info::NOTHING, |i| Info {
                n: edges[i].visits,
                mean: edges[i].value,
                width: edges[i].width(),
            })
        };
        out.clear();
        out.extend(actions.iter().map(of));
    }

    #[inline]
    pub(crate) fn made(&mut self, who: Player, action: A) {
        self.taken.push(Taken { key: self.key, node: self.node, action, who });
        if let Some(captured) = &mut self.captured {
            captured.ends.push(captured.legal.len() as u32);
        }
    }

    #[inline]
    pub(crate) fn learn(&mut self, rewards: &[f32; MAX_PLAYERS]) {
        for i in 0..self.taken.len() {
            let Taken { key, node, action, who } = self.taken[i];
            self.credit(key, node, action, rewards[who.index()]);
        }
        if let Some(captured) = &mut self.captured {
            let visit = |t: &Taken<A>| Visit { key: t.key, action: t.action, reward: rewards[t.who.index()] };
            captured.all.extend(self.taken.iter().map(visit));
        }
    }

    /// An action was played in a position, whose node may be known.
    #[inline]
    fn credit(&mut self, key: u64, node: Option<NodeId>, action: A, reward: f32) {
        let known = node.or_else(|| self.trees.find(key));
        let Some(node) = known.or_else(|| self.trees.insert(key, NONE)) else { return };
        let place = match self.trees.edges(node).binary_search_by(|e| e.action.cmp(&action)) {
            Ok(place) => place,
            Err(_) => match self.trees.add_move(node, Edge::new(action)) {
                Some(place) => place as usize,
                None => return,
            },
        };
        if self.trees.node(node).visits == 0 {
            self.trees.node_mut(node).visits = 1;
        }
        let edge = &mut self.trees.edges_mut(node)[place];
        edge.credit(reward);
        edge.available = edge.available.max(edge.visits);
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

/// Shows the edges of actions, both in order, up to the first that has none. Answers how many have one.
#[inline(always)]
fn meet<A: Copy + Ord>(
    edges: &mut [Edge<A>],
    actions: &[A],
    mut show: impl FnMut(u32, &mut Edge<A>),
) -> usize {
    let mut at = 0;
    for (i, action) in actions.iter().enumerate() {
        at = seek(edges, at, action);
        match edges.get_mut(at) {
            Some(edge) if edge.action == *action => show(i as u32, edge),
            _ => return i,
        }
        at += 1;
    }
    actions.len()
}

impl<G: Game> Learner<G> for EpisodePiece<G::Action> {
    #[inline]
    fn arrive(&mut self, _game: &G, sight: &Sight, who: Player) {
        EpisodePiece::arrive(self, sight, who);
    }

    #[inline]
    fn knows(&self) -> bool {
        EpisodePiece::knows(self)
    }

    #[inline]
    fn choose(&mut self, _game: &G, legal: &[G::Action], tools: &mut Tools, rng: &mut Rng) -> usize {
        EpisodePiece::choose(self, legal, &tools.scales.roots, rng)
    }

    #[inline]
    fn made(&mut self, _game: &G, who: Player, action: G::Action) {
        EpisodePiece::made(self, who, action);
    }
}

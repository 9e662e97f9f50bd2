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
//!
//! A playout comes through dozens of positions, so each is looked up once, its legal actions are gone through once, and
//! the place of the chosen edge is remembered until the playout is over; random numbers come in only after a tie.

use fogtree_core::{MAX_PLAYERS, Model, Move, Player, Rng};

use super::context::PlayContext;
use super::enhance::Episodes;
use super::learned::{Learner, Tools};
use super::records::Evidence;
use crate::kit::places::{ByTable, InTurn, Places, Table};
use crate::kit::selection::{Best, Roots};
use crate::kit::store::{Edge, NONE, NodeId, Store};

/// The trees of episodes.
#[derive(Clone, Debug)]
pub(crate) struct EpisodePart {
    episodes: Episodes,
    trees: Store,
    /// Whether there are few codes of actions. Then edges are found by tables, and the parent of a node, of which there
    /// is none, is the place of its table. Tables take less room than the nodes they belong to, which use half of what
    /// they may.
    few_codes: bool,
    tables: Vec<Table>,
    /// The position at hand: its key, its node if there is one, and the likely place of the chosen edge.
    key: u64,
    node: NodeId,
    place: u32,
    fresh: Vec<Move>,
    taken: Vec<Taken>,
}

/// The legal action that was picked, the likely place of its edge, and whether there was a tie on the way.
#[derive(Clone, Copy, Debug)]
struct Pick {
    action: u32,
    place: u32,
    tied: bool,
}

impl Default for Pick {
    fn default() -> Self {
        Pick { action: 0, place: NONE, tied: false }
    }
}

/// An action that was played: the position, its node if it was known then, the likely place of its edge there, and who
/// played it.
#[derive(Clone, Copy, Debug)]
struct Taken {
    key: u64,
    node: NodeId,
    place: u32,
    action: Move,
    who: Player,
}

impl EpisodePart {
    pub(crate) fn new(episodes: Episodes, codes: Option<usize>, memory: usize) -> EpisodePart {
        EpisodePart {
            episodes,
            trees: Store::new(memory),
            few_codes: codes.is_some_and(|codes| codes <= Table::CODES),
            tables: Vec::new(),
            key: 0,
            node: NONE,
            place: NONE,
            fresh: Vec::new(),
            taken: Vec::new(),
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
            self.tables.clear();
        }
    }

    pub(crate) fn restart(&mut self) {
        self.taken.clear();
    }

    #[inline(always)]
    pub(crate) fn arrive(&mut self, sight: &PlayContext, who: Player) {
        self.key = sight.position(who);
        self.node = self.trees.find(self.key).unwrap_or(NONE);
        self.place = NONE;
    }

    /// Whether the position has been met before.
    #[inline]
    pub(crate) fn knows(&self) -> bool {
        self.node != NONE
    }

    /// The legal actions of a known position were available once more; those without an edge get one. Answers which
    /// has the greatest bound, if bounds matter.
    #[inline(always)]
    fn count<const BOUNDS: bool>(&mut self, node: NodeId, legal: &[Move], roots: &Roots) -> Pick {
        let bounds = Bounds { c: self.episodes.c, roots };
        if self.few_codes && self.trees.node(node).parent == NONE {
            self.tabulate(node);
        }
        let (at, edges) = self.trees.node_and_edges_mut(node);
        at.visits += 1;
        let pick = match self.tables.get(at.parent as usize) {
            Some(table) => bounds.pass_through::<BOUNDS>(edges, ByTable(table), legal, &mut self.fresh),
            None => bounds.pass_through::<BOUNDS>(edges, InTurn::default(), legal, &mut self.fresh),
        };
        if !self.fresh.is_empty() {
            self.admit(node);
        }
        pick
    }

    /// Gives a position its table, which it has from its second visit on.
    #[inline(never)]
    fn tabulate(&mut self, node: NodeId) {
        self.trees.node_mut(node).parent = self.tables.len() as u32;
        self.tables.push(Table::of(self.trees.edges(node)));
    }

    /// Adds edges for the legal actions that had none. They were available at the first visit too, at which nothing was
    /// listed.
    #[inline(never)]
    fn admit(&mut self, node: NodeId) {
        let available = if self.trees.node(node).visits == 2 { 2 } else { 1 };
        if self.few_codes {
            let from = self.trees.edges(node).len() as u8;
            self.trees.append(node, &self.fresh, available);
            let table = &mut self.tables[self.trees.node(node).parent as usize];
            for (&action, place) in self.fresh.iter().zip(from..) {
                table.put(action, place);
            }
        } else {
            self.trees.add_available(node, &self.fresh, available);
        }
        self.fresh.clear();
    }

    /// The legal actions of a known position were available once more.
    pub(crate) fn pass(&mut self, legal: &[Move], roots: &Roots) {
        if self.node != NONE {
            self.count::<false>(self.node, legal, roots);
        }
    }

    /// The same, and which of them has the greatest bound.
    #[inline(always)]
    pub(crate) fn choose(&mut self, legal: &[Move], roots: &Roots, rng: &mut Rng) -> usize {
        if self.node == NONE {
            return rng.below(legal.len() as u32) as usize;
        }
        let mut pick = self.count::<true>(self.node, legal, roots);
        if pick.tied {
            pick = self.choose_tied(legal, roots, rng);
        }
        self.place = pick.place;
        pick.action as usize
    }

    /// The same once more after a tie, with random numbers, as [`Best`] draws them: all have edges by now and have been
    /// counted.
    #[inline(never)]
    fn choose_tied(&self, legal: &[Move], roots: &Roots, rng: &mut Rng) -> Pick {
        let (edges, bounds) = (self.trees.edges(self.node), Bounds { c: self.episodes.c, roots });
        match self.tables.get(self.trees.node(self.node).parent as usize) {
            Some(table) => bounds.pick(edges, ByTable(table), legal, rng),
            None => bounds.pick(edges, InTurn::default(), legal, rng),
        }
    }

    /// The place of an action's edge at a position.
    fn place_of(&self, node: NodeId, action: &Move) -> Option<usize> {
        let edges = self.trees.edges(node);
        if !self.few_codes {
            return edges.binary_search_by(|e| e.action.cmp(action)).ok();
        }
        match self.tables.get(self.trees.node(node).parent as usize) {
            Some(table) => ByTable(table).find(edges, action),
            None => edges.iter().position(|e| e.action == *action),
        }
    }

    /// The edge of an action at the position at hand.
    fn edge(&self, action: &Move) -> Option<&Edge> {
        if self.node == NONE {
            return None;
        }
        self.place_of(self.node, action).map(|place| &self.trees.edges(self.node)[place])
    }

    /// The bounds of actions, without counting a visit.
    pub(crate) fn bounds(&self, actions: &[Move], roots: &Roots, out: &mut Vec<f32>) {
        let bounds = Bounds { c: self.episodes.c, roots };
        let of = |edge: &Edge| bounds.of(edge, edge.available);
        out.extend(actions.iter().map(|a| self.edge(a).map_or(f32::INFINITY, of)));
    }

    /// What is known about actions.
    pub(crate) fn gather(&self, actions: &[Move], out: &mut Vec<Evidence>) {
        let of = |edge: &Edge| Evidence { n: edge.visits, mean: edge.value, width: edge.width() };
        out.clear();
        out.extend(actions.iter().map(|a| self.edge(a).map_or(Evidence::NOTHING, of)));
    }

    #[inline]
    pub(crate) fn made(&mut self, who: Player, action: Move) {
        self.taken.push(Taken { key: self.key, node: self.node, place: self.place, action, who });
    }

    #[inline]
    pub(crate) fn learn(&mut self, rewards: &[f32; MAX_PLAYERS]) {
        let taken = std::mem::take(&mut self.taken);
        for made in &taken {
            let reward = rewards[made.who.index()];
            match self.trees.edge_of(made.node, made.place) {
                Some(edge) if edge.action == made.action => edge.credit(reward),
                _ => self.learn_anew(made, reward),
            }
        }
        self.taken = taken;
    }

    /// Learns of an action whose edge is elsewhere than it was, or is to be made.
    #[inline(never)]
    fn learn_anew(&mut self, made: &Taken, reward: f32) {
        let Taken { key, node, action, .. } = *made;
        let node = match node {
            NONE => self.trees.find(key).or_else(|| self.trees.insert(key, NONE)),
            node => Some(node),
        };
        let Some(node) = node else { return };
        let place = self.place_of(node, &action).or_else(|| self.add(node, action));
        let Some(place) = place else { return };
        let visits = &mut self.trees.node_mut(node).visits;
        *visits = (*visits).max(1);
        let edge = &mut self.trees.edges_mut(node)[place];
        edge.credit(reward);
        edge.available = edge.available.max(edge.visits);
    }

    /// Adds the edge of an action that was played; `None` if the memory is used up.
    fn add(&mut self, node: NodeId, action: Move) -> Option<usize> {
        if !self.few_codes {
            return Some(self.trees.add_move(node, Edge::new(action))? as usize);
        }
        let place = self.trees.append_move(node, Edge::new(action))?;
        if let Some(table) = self.tables.get_mut(self.trees.node(node).parent as usize) {
            table.put(action, place as u8);
        }
        Some(place as usize)
    }

    /// How many records were ever visited, and how often all together.
    pub(crate) fn tally(&self) -> (u64, u64) {
        self.trees.tally()
    }

    pub(crate) fn bytes(&self) -> u64 {
        (self.trees.bytes() + self.tables.len() * size_of::<Table>()) as u64
    }
}

/// What bounds are made of besides statistics.
#[derive(Clone, Copy)]
struct Bounds<'a> {
    c: f32,
    roots: &'a Roots,
}

impl Bounds<'_> {
    /// `mean + c * sqrt(ln m / n)` of an action that has been available m times.
    #[inline(always)]
    fn of(self, edge: &Edge, available: u32) -> f32 {
        match edge.visits {
            0 => f32::INFINITY,
            _ => edge.value + self.c * self.roots.of(available) * edge.width(),
        }
    }

    /// Counts legal actions as available and finds the greatest bound, if bounds matter; writes down which have no edge.
    #[inline(always)]
    fn pass_through<const BOUNDS: bool>(
        self,
        edges: &mut [Edge],
        mut places: impl Places,
        legal: &[Move],
        fresh: &mut Vec<Move>,
    ) -> Pick {
        let (mut pick, mut greatest) = (Pick::default(), f32::NEG_INFINITY);
        for (i, action) in (0..).zip(legal) {
            let (place, bound) = match places.find(edges, action) {
                Some(place) => {
                    let edge = &mut edges[place];
                    let available = edge.available;
                    edge.available = available + 1;
                    (place, if BOUNDS { self.of(edge, available) } else { 0.0 })
                }
                None => {
                    note(fresh, *action);
                    (edges.len() + fresh.len() - 1, f32::INFINITY)
                }
            };
            if BOUNDS && bound > greatest {
                greatest = bound;
                (pick.action, pick.place) = (i, place as u32);
            } else if BOUNDS && bound == greatest {
                pick.tied = true;
            }
        }
        pick
    }

    /// Picks a legal action after all have been counted, with ties as [`Best`] breaks them.
    #[inline(always)]
    fn pick(self, edges: &[Edge], mut places: impl Places, legal: &[Move], rng: &mut Rng) -> Pick {
        let (mut best, mut likely) = (Best::default(), NONE);
        for (i, action) in (0..).zip(legal) {
            let place = places.find(edges, action);
            let bound =
                place.map_or(f32::INFINITY, |place| self.of(&edges[place], edges[place].available - 1));
            best.offer(i, bound, rng);
            if best.place == i {
                likely = place.map_or(NONE, |place| place as u32);
            }
        }
        Pick { action: best.place, place: likely, tied: false }
    }
}

/// Kept out of the way of the loop that calls it now and then.
#[cold]
fn note(fresh: &mut Vec<Move>, action: Move) {
    fresh.push(action);
}

impl Learner for EpisodePart {
    #[inline(always)]
    fn arrive(&mut self, _game: &dyn Model, sight: &PlayContext, who: Player) {
        EpisodePart::arrive(self, sight, who);
    }

    #[inline]
    fn knows(&self) -> bool {
        EpisodePart::knows(self)
    }

    #[inline(always)]
    fn choose(&mut self, legal: &[Move], tools: &mut Tools, rng: &mut Rng) -> usize {
        EpisodePart::choose(self, legal, &tools.scales.roots, rng)
    }

    #[inline]
    fn made(&mut self, _game: &dyn Model, who: Player, action: Move) {
        EpisodePart::made(self, who, action);
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use fogtree_core::{Erased, Purpose, Seed};
    use fogtree_games::mnk::{self, SmallMnk};

    use super::*;
    use crate::testing::{legal, params};

    /// Visits, availability and sum of rewards of an action, by position.
    type Plain = BTreeMap<(u64, u32), (u32, u32, f64)>;

    fn part(codes: Option<usize>) -> EpisodePart {
        EpisodePart::new(Episodes { c: 0.7, keep: false }, codes, 1 << 20)
    }

    /// Positions of random lists of legal actions, through which two parts go, one with tables and one with edges in
    /// order, beside plain counts: at every decision both choose alike, and what is chosen has the greatest of the bounds
    /// `mean + c sqrt(ln m / n)`. At its first visit a position is not listed; what is met at the second was available
    /// at the first.
    #[test]
    fn bounds_are_those_of_plain_counts() {
        let game = Erased::new(SmallMnk::from_params(&params(&mnk::ABOUT, "")).unwrap());
        let all = legal(&*game.start(), Player(0));
        let (roots, mut rng) = (Roots::default(), Seed(8).stream(Purpose::Deal));
        let mut parts = [part(Some(9)), part(None)];
        let mut ties = [(); 2].map(|()| Seed(9).stream(Purpose::Ties));
        let (mut plain, mut visits) = (Plain::new(), BTreeMap::<u64, u32>::new());
        for round in 0..3000 {
            let (mut made, mut reward) = (Vec::new(), [0.0; MAX_PLAYERS]);
            reward[0] = rng.below(4) as f32 / 3.0;
            parts.iter_mut().for_each(EpisodePart::restart);
            for _ in 0..3 {
                let key = u64::from(rng.below(40));
                let legal: Vec<_> = all.iter().copied().filter(|_| rng.below(3) > 0).collect();
                if legal.is_empty() {
                    continue;
                }
                let known = visits.contains_key(&key);
                let picked = [0, 1].map(|i| {
                    let part = &mut parts[i];
                    (part.key, part.place) = (key, NONE);
                    part.node = part.trees.find(key).unwrap_or(NONE);
                    assert_eq!(part.knows(), known);
                    let picked = part.choose(&legal, &roots, &mut ties[i]);
                    part.made(Player(0), legal[picked]);
                    picked
                });
                assert_eq!(picked[0], picked[1], "round {round}");
                let code = |i: usize| game.code(legal[i]) as u32;
                if known {
                    let before = visits[&key];
                    let bounds: Vec<f64> = (0..legal.len())
                        .map(|i| {
                            let record = plain.entry((key, code(i))).or_insert((0, 0, 0.0));
                            if before == 1 && record.0 == 0 {
                                record.1 = 1;
                            }
                            let (n, m, sum) = *record;
                            record.1 += 1;
                            let n = f64::from(n);
                            if n == 0.0 {
                                f64::INFINITY
                            } else {
                                sum / n + 0.7 * (f64::from(m).ln() / n).sqrt()
                            }
                        })
                        .collect();
                    let greatest = bounds.iter().copied().fold(0.0, f64::max);
                    assert!(bounds[picked[0]] >= greatest - 1e-4, "round {round}: {picked:?} of {bounds:?}");
                    visits.insert(key, before + 1);
                }
                made.push((key, code(picked[0])));
            }
            parts.iter_mut().for_each(|part| part.learn(&reward));
            for (key, code) in made {
                visits.entry(key).or_insert(1);
                let record = plain.entry((key, code)).or_insert((0, 0, 0.0));
                record.0 += 1;
                record.1 = record.1.max(record.0);
                record.2 += f64::from(reward[0]);
            }
        }
        let tried = plain.values().filter(|record| record.0 > 0);
        let tally = tried.fold((0, 0), |(n, sum), record| (n + 1, sum + u64::from(record.0)));
        assert_eq!(parts.map(|part| part.tally()), [tally; 2]);
    }
}

//! A tree from the start of the game that grows while its regrets are minimised (GT-CFR; Schmid and others
//! 2023).
//!
//! The tree says which leaves its sequence form has. To grow, it is walked down from the start, the moves of
//! a world being made on the way, to a leaf that is not an end of the game, and this leaf is replaced by its
//! children: ends with their rewards, others with the mean reward of some random playouts. The walk follows
//! the current strategies, but one player, each in turn, now and then takes the move with the greatest bound
//! `Q(a) + c sqrt(N) / (k (1 + n(a)))` instead, with the latest counterfactual values of its `k` moves scaled
//! to [0, 1] for `Q`. A part of all walks keeps to histories that lead to the decision (`aim`). Parts of the
//! tree that have grown completely are left out.
//!
//! Players of one turn choose one after the other, in seat order; the second does not see what the first
//! chooses.

use std::sync::Arc;

use arrayvec::ArrayVec;
use fogtree_core::world::Eyes;
use fogtree_core::{Deadline, Key, Model, Move, Outcome, Player, Rng, Simulation, Turn, World, WorldStep};

use super::form::{Form, worth};
use crate::kit::keyed::{keys_after, start_keys};
use crate::oos::target::{KeyList, Place};

/// How a tree grows.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Growth {
    /// Playouts for a leaf.
    pub rollouts: u32,
    /// The exploration constant, for values in [0, 1].
    pub c: f64,
    /// The most nodes.
    pub nodes: usize,
}

/// How likely the explorer takes the move with the greatest bound.
const MIX: f64 = 0.3;
/// How likely a walk keeps to histories that lead to the decision.
const AIMED: f64 = 0.8;
/// Draws in the place of outcomes that cannot be listed.
const DRAWS: usize = 8;
/// More steps than this are not looked at to find the histories that lead to a decision.
const MOST_STEPS: u32 = 1 << 15;

/// What follows a node.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Kind {
    /// Nothing: the game is over.
    End,
    /// Nothing yet.
    Leaf,
    /// What chance draws.
    Chance,
    /// What a player chooses.
    Choice(Player),
}

#[derive(Clone, Copy, Debug)]
struct Node {
    kind: Kind,
    /// Where it is with regard to the decision.
    way: Way,
    parent: u32,
    /// The first child; of a leaf or an end, its place in the form.
    first: u32,
    count: u32,
    /// The first outcome in the list of outcomes, or the information set.
    what: u32,
    /// Children that are not completely grown; an end has none.
    open: u32,
}

/// Whether a node leads to the decision.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Way {
    Off,
    On,
    Goal,
}

/// A history that is being walked.
struct Walk {
    world: Box<dyn World>,
    turn: Turn,
    keys: [Key; 2],
    /// What players of this turn have chosen already.
    chosen: ArrayVec<(Player, Move), 2>,
}

impl Walk {
    fn new(game: &dyn Model) -> Walk {
        let world = game.start();
        Walk { turn: world.turn(), world, keys: start_keys(), chosen: ArrayVec::new() }
    }

    /// Who chooses next, if it is a player.
    fn chooser(&self) -> Option<Player> {
        self.turn.players().iter().nth(self.chosen.len())
    }

    /// Whether all have chosen.
    fn is_chosen(&self) -> bool {
        self.chosen.len() == self.turn.players().len()
    }
}

/// A growing tree.
pub(super) struct Tree {
    game: Arc<dyn Model>,
    growth: Growth,
    pub(super) form: Form,
    nodes: Vec<Node>,
    outcomes: Vec<(Outcome, f64)>,
    /// How often the explorer chose each sequence.
    tried: [Vec<u32>; 2],
    start: Box<dyn World>,
    walk: Option<Walk>,
    child: Box<dyn World>,
    played: Box<dyn World>,
    listed: Vec<(Outcome, f64)>,
    weights: Vec<f64>,
    explorer: Player,
    depth: usize,
    is_full: bool,
}

impl Tree {
    pub(super) fn new(game: &Arc<dyn Model>, growth: Growth) -> Tree {
        let mut form = Form::new();
        let first = form.push_leaf([0; 2], 1.0, 0.0);
        let start = game.start();
        let (kind, open) = if start.turn() == Turn::Terminal { (Kind::End, 0) } else { (Kind::Leaf, 1) };
        if kind == Kind::End {
            form.put_leaf(first, [0; 2], 1.0, worth(&start.rewards()));
        }
        let root = Node { kind, way: Way::Off, parent: 0, first, count: 0, what: 0, open };
        Tree {
            game: Arc::clone(game),
            growth,
            form,
            nodes: vec![root],
            outcomes: Vec::new(),
            tried: [Vec::new(), Vec::new()],
            start,
            walk: Some(Walk::new(&**game)),
            child: game.start(),
            played: game.start(),
            listed: Vec::new(),
            weights: Vec::new(),
            explorer: Player(0),
            depth: 0,
            is_full: false,
        }
    }

    pub(super) fn len(&self) -> usize {
        self.nodes.len()
    }

    /// The longest walk.
    pub(super) fn depth(&self) -> usize {
        self.depth
    }

    /// Whether there is no room for more nodes.
    pub(super) fn is_full(&self) -> bool {
        self.is_full
    }

    /// Whether nothing is left to grow.
    pub(super) fn is_complete(&self) -> bool {
        self.nodes[0].open == 0
    }

    pub(super) fn bytes(&self) -> usize {
        self.form.bytes()
            + self.nodes.len() * size_of::<Node>()
            + self.outcomes.len() * size_of::<(Outcome, f64)>()
            + self.tried.iter().map(|t| t.len() * size_of::<u32>()).sum::<usize>()
    }

    /// Whether leaves are still replaced.
    pub(super) fn can_grow(&self) -> bool {
        !self.is_full && !self.is_complete()
    }

    /// Replaces one leaf by its children, if there is one and room.
    pub(super) fn grow(&mut self, until: &Deadline, rng: &mut Rng) {
        if !self.can_grow() {
            return;
        }
        let Some(mut walk) = self.walk.take() else { return };
        self.explorer = self.explorer.other();
        let leaf = self.descend(&mut walk, rng);
        self.expand(leaf, &walk, until, rng);
        self.walk = Some(walk);
    }

    /// Walks down to a leaf that is not an end.
    fn descend(&mut self, walk: &mut Walk, rng: &mut Rng) -> usize {
        walk.world.clone_from(&self.start);
        (walk.turn, walk.keys) = (walk.world.turn(), start_keys());
        walk.chosen.clear();
        let (mut at, mut depth) = (0, 0);
        let mut aimed = self.nodes[0].way == Way::On && rng.unit() < AIMED;
        loop {
            let node = self.nodes[at];
            aimed &= node.way == Way::On;
            match node.kind {
                Kind::Leaf | Kind::End => break,
                Kind::Chance => {
                    aimed = aimed && self.has_way(node);
                    self.weights.clear();
                    for i in 0..node.count as usize {
                        let allowed = self.allows(self.nodes[node.first as usize + i], aimed);
                        let p = self.outcomes[node.what as usize + i].1;
                        self.weights.push(if allowed { p } else { 0.0 });
                    }
                    let taken = rng.weighted(self.weights.iter().copied());
                    let outcome = &self.outcomes[node.what as usize + taken].0;
                    let step = WorldStep::Chance(outcome);
                    walk.world.look(step, Eyes::Both(&mut walk.keys));
                    walk.turn = walk.world.apply(step);
                    at = node.first as usize + taken;
                }
                Kind::Choice(who) => {
                    aimed = aimed && self.has_way(node);
                    let taken = self.choose(node, who, aimed, rng);
                    let sequence = self.form.actions(who, node.what).start + taken;
                    walk.chosen.push((who, self.form.move_of(who, sequence)));
                    if walk.is_chosen() {
                        walk.turn = walk.world.play(&walk.chosen, Eyes::Both(&mut walk.keys));
                        walk.chosen.clear();
                    }
                    at = node.first as usize + taken;
                }
            }
            depth += 1;
        }
        self.depth = self.depth.max(depth + 1);
        at
    }

    fn allows(&self, child: Node, aimed: bool) -> bool {
        child.open > 0 && (!aimed || child.way != Way::Off)
    }

    /// Whether something below leads to the decision and can grow.
    fn has_way(&self, node: Node) -> bool {
        let children = node.first as usize..(node.first + node.count) as usize;
        self.nodes[children].iter().any(|child| self.allows(*child, true))
    }

    /// Which move a player takes on a walk.
    fn choose(&mut self, node: Node, who: Player, aimed: bool, rng: &mut Rng) -> usize {
        let actions = self.form.actions(who, node.what);
        let explores = who == self.explorer && rng.unit() < MIX;
        let children = &self.nodes[node.first as usize..(node.first + node.count) as usize];
        self.weights.clear();
        if explores {
            let tried = &mut self.tried[who.index()];
            if tried.len() < actions.end {
                tried.resize(actions.end, 0);
            }
            let (tried, values) = (&mut tried[actions.clone()], &self.form.values(who)[actions]);
            let low = values.iter().copied().fold(f64::INFINITY, f64::min);
            let high = values.iter().copied().fold(f64::NEG_INFINITY, f64::max);
            let scale = if high > low { 1.0 / (high - low) } else { 0.0 };
            let all: u32 = tried.iter().sum();
            let wide = self.growth.c * f64::from(all + 1).sqrt() / tried.len() as f64;
            let mut best = (f64::NEG_INFINITY, 0);
            for (i, (child, value)) in children.iter().zip(values).enumerate() {
                let bound = (value - low) * scale + wide / (1.0 + f64::from(tried[i]));
                if child.open > 0 && (!aimed || child.way != Way::Off) && bound > best.0 {
                    best = (bound, i);
                }
            }
            tried[best.1] += 1;
            return best.1;
        }
        let strategy = &self.form.current(who)[actions];
        let allowed = children.iter().map(|child| child.open > 0 && (!aimed || child.way != Way::Off));
        self.weights.extend(strategy.iter().zip(allowed.clone()).map(|(p, yes)| if yes { *p } else { 0.0 }));
        if self.weights.iter().sum::<f64>() <= 0.0 {
            self.weights.clear();
            self.weights.extend(allowed.map(|yes| f64::from(u8::from(yes))));
        }
        rng.weighted(self.weights.iter().copied())
    }

    /// Replaces a leaf by its children; answers whether there was room.
    fn expand(&mut self, at: usize, walk: &Walk, until: &Deadline, rng: &mut Rng) -> bool {
        let place = self.nodes[at].first;
        let (sequences, chance) = self.form.leaf(place);
        let (kind, what, count) = match walk.chooser() {
            None => {
                self.list_chance(&*walk.world, rng);
                (Kind::Chance, self.outcomes.len(), self.listed.len())
            }
            Some(who) => {
                let (key, parent) = (walk.keys[who.index()], sequences[who.index()]);
                let set = self.form.find_or_add(who, key, parent, &*walk.world);
                (Kind::Choice(who), set as usize, self.form.actions(who, set).len())
            }
        };
        let first = self.nodes.len();
        if count > MOST_STEPS as usize || first + count > self.growth.nodes.min(u32::MAX as usize) {
            self.is_full = true;
            return false;
        }
        let mut open = 0;
        for i in 0..count {
            let rollouts = if until.has_passed() { 0 } else { self.growth.rollouts };
            let (mut below, mut likely) = (sequences, chance);
            let (kind, value) = match kind {
                Kind::Choice(who) => {
                    let sequence = self.form.actions(who, what as u32).start + i;
                    below[who.index()] = sequence as u32;
                    let mv = self.form.move_of(who, sequence);
                    self.child.clone_from(&walk.world);
                    self.judge_moves(walk, (who, mv), rollouts, rng)
                }
                _ => {
                    let (outcome, p) = &self.listed[i];
                    likely *= p;
                    self.child.clone_from(&walk.world.after(WorldStep::Chance(outcome)));
                    let turn = self.child.turn();
                    self.judge(turn, rollouts, rng)
                }
            };
            let place = match i {
                0 => {
                    self.form.put_leaf(place, below, likely, value);
                    place
                }
                _ => self.form.push_leaf(below, likely, value),
            };
            let unfinished = u32::from(kind == Kind::Leaf);
            open += unfinished;
            let (parent, way) = (at as u32, Way::Off);
            self.nodes.push(Node { kind, way, parent, first: place, count: 0, what: 0, open: unfinished });
        }
        if kind == Kind::Chance {
            self.outcomes.append(&mut self.listed);
        }
        let node = &mut self.nodes[at];
        (node.kind, node.first, node.count, node.what) = (kind, first as u32, count as u32, what as u32);
        node.open = open;
        self.close(at);
        true
    }

    /// Tells the nodes above that a node is completely grown, if it is.
    fn close(&mut self, mut at: usize) {
        while self.nodes[at].open == 0 && at > 0 {
            at = self.nodes[at].parent as usize;
            self.nodes[at].open -= 1;
        }
    }

    /// Lists what chance may draw, or some of it.
    fn list_chance(&mut self, world: &dyn World, rng: &mut Rng) {
        self.listed.clear();
        world.chances(&mut self.listed);
        self.listed.retain(|(_, p)| *p > 0.0);
        if self.listed.is_empty() {
            let draw = |_| (world.sample_chance(rng), 1.0 / DRAWS as f64);
            self.listed.extend((0..DRAWS).map(draw));
        }
    }

    /// What a move leads to, given what others of the same turn have chosen, and what that is worth.
    fn judge_moves(
        &mut self,
        walk: &Walk,
        choice: (Player, Move),
        rollouts: u32,
        rng: &mut Rng,
    ) -> (Kind, f64) {
        let mut chosen = walk.chosen.clone();
        chosen.push(choice);
        let Some(other) = walk.turn.players().iter().nth(chosen.len()) else {
            let turn = self.child.play(&chosen, Eyes::Closed);
            return self.judge(turn, rollouts, rng);
        };
        let mut sum = 0.0;
        for _ in 0..rollouts {
            self.played.clone_from(&walk.world);
            let answer = (other, self.played.random_move(other, rng));
            sum += worth(&self.played.play_out(&[choice, answer], Simulation::UNIFORM, rng));
        }
        (Kind::Leaf, sum / f64::from(rollouts.max(1)))
    }

    /// What the child is worth; a draw if there is no time for playouts.
    fn judge(&mut self, turn: Turn, rollouts: u32, rng: &mut Rng) -> (Kind, f64) {
        if turn == Turn::Terminal {
            return (Kind::End, worth(&self.child.rewards()));
        }
        let mut sum = 0.0;
        for _ in 0..rollouts {
            self.played.clone_from(&self.child);
            sum += worth(&self.played.playout(Simulation::UNIFORM, rng));
        }
        (Kind::Leaf, sum / f64::from(rollouts.max(1)))
    }

    /// Grows along all histories that agree with what a seat did and saw, and aims at those at which it is to
    /// decide; answers whether they could all be found.
    pub(super) fn aim(&mut self, seat: Player, keys: &KeyList, until: &Deadline, rng: &mut Rng) -> bool {
        self.nodes.iter_mut().for_each(|node| node.way = Way::Off);
        let game = Arc::clone(&self.game);
        let mut work = vec![(0, Walk::new(&*game), 0)];
        let (mut steps, mut goals) = (0, 0);
        while let Some((at, walk, place)) = work.pop() {
            if walk.turn == Turn::Terminal {
                continue;
            }
            if self.nodes[at].kind == Kind::Leaf && !self.expand(at, &walk, until, rng) {
                return false;
            }
            let node = self.nodes[at];
            let is_goal = walk.chosen.is_empty() && keys.is_reached(place, walk.turn);
            if is_goal {
                self.mark(at);
                goals += 1;
                if walk.chooser() == Some(seat) {
                    continue;
                }
            }
            for i in 0..node.count as usize {
                steps += 1;
                if steps > MOST_STEPS || until.has_passed() {
                    return false;
                }
                let child = node.first as usize + i;
                let Some((next, place)) = self.follow(&walk, node, i, keys, place) else { continue };
                if !is_goal {
                    work.push((child, next, place));
                } else if self.nodes[child].kind == Kind::Leaf && !self.expand(child, &next, until, rng) {
                    return false;
                }
            }
        }
        goals > 0
    }

    /// The history at a child, and its place among the keys, if it agrees with them.
    fn follow(&self, walk: &Walk, node: Node, i: usize, keys: &KeyList, place: u32) -> Option<(Walk, u32)> {
        let mut chosen = walk.chosen.clone();
        let outcome = match node.kind {
            Kind::Choice(who) => {
                let sequence = self.form.actions(who, node.what).start + i;
                chosen.push((who, self.form.move_of(who, sequence)));
                None
            }
            _ => Some(&self.outcomes[node.what as usize + i].0),
        };
        if outcome.is_none() && chosen.len() < walk.turn.players().len() {
            return Some((Walk { world: walk.world.clone(), chosen, ..*walk }, place));
        }
        let step = outcome.map_or(WorldStep::Moves(&chosen), WorldStep::Chance);
        let Place::On(place) = keys.after(&*self.game, &*walk.world, place, step) else { return None };
        let world = walk.world.after(step);
        let keys = keys_after(&*self.game, walk.keys, &*walk.world, step);
        Some((Walk { turn: world.turn(), world, keys, chosen: ArrayVec::new() }, place))
    }

    /// Marks a node at which the seat is to decide, and the way to it.
    fn mark(&mut self, goal: usize) {
        self.nodes[goal].way = Way::Goal;
        let mut at = goal;
        while at > 0 {
            at = self.nodes[at].parent as usize;
            if self.nodes[at].way != Way::Off {
                break;
            }
            self.nodes[at].way = Way::On;
        }
    }
}

#[cfg(test)]
impl Tree {
    /// At how many nodes the seat is to decide.
    pub(super) fn goals(&self) -> usize {
        self.nodes.iter().filter(|node| node.way == Way::Goal).count()
    }
}

//! UCT: Monte Carlo tree search that treats every decision as a bandit.
//!
//! From the root the search descends by UCB1,
//! `mean + c * sqrt(ln N / n)`, where `N` counts the visits of the node and `n` those of the move; it adds
//! one node, plays out at random and credits every move on the path with the reward of the player who made it
//! (max^n). The most visited move is played. Sources: Kocsis and Szepesvari 2006; Whitehouse 2014, §3.2.1
//! (`ismcts/3.5`); chance nodes as §5.2.2 (`ismcts/3.6`).
//!
//! Players of a simultaneous turn choose one after another in the tree, each knowing what those before chose:
//! on a state that is known this is the pessimism of the sources' cheating searches, not an equilibrium.

mod chance;
mod decoupled;
pub mod entry;
mod explain;
mod preload;
mod settings;
mod shared;
mod solver;

use std::collections::HashMap;
use std::sync::Arc;

use arrayvec::ArrayVec;
use fogtree_core::{
    Budget, Decision, Eyes, MAX_PLAYERS, Model, Move, Outcome, Player, Purpose, Report, Rewards, Rng, Seed,
    Turn, World,
};

use chance::Draw;
pub use decoupled::Joint;
pub use preload::Preload;
pub use settings::{Log, Others, Settings};
pub use shared::OneTree;
use solver::Proofs;

use crate::Scale;
use crate::basic::known_state::KnownState;
use crate::kit::insertion_sort;
use crate::kit::narrow::Order;
use crate::kit::root::RootTable;
use crate::kit::scratch::Scratch;
use crate::kit::selection::Best;

const NONE: u32 = u32::MAX;

/// A position in the tree: a decision of one player, or chance.
#[derive(Clone, Debug)]
struct Node {
    /// Where its moves begin, or the chain of what chance may draw.
    first: u32,
    /// How many moves there are, 1 at chance; 0 until the node is visited a second time.
    count: u32,
    /// How many moves have been tried: these come first. At chance 1 if all draws are listed and equally likely:
    /// then they take turns, in random order (`ismcts/3.6`).
    tried: u32,
    visits: u32,
}

impl Node {
    const NEW: Node = Node { first: 0, count: 0, tried: 0, visits: 0 };
}

/// A move in the tree.
#[derive(Clone, Debug)]
struct Edge {
    total: f64,
    visits: u32,
    child: u32,
    action: Move,
}

impl Edge {
    /// UCB1 of a move that was tried; `explore` is `c sqrt(ln N)`.
    #[inline]
    fn bound(&self, explore: f64) -> f64 {
        let n = f64::from(self.visits);
        self.total / n + explore / n.sqrt()
    }
}

/// The search itself, for rules of which the state is known.
#[derive(Debug)]
pub struct UctSearch {
    rules: Arc<dyn Model>,
    /// The rules below the root, if everything is open there.
    opened: Option<Arc<dyn Model>>,
    settings: Settings,
    /// Whether worlds differ from iteration to iteration.
    shared: bool,
    scale: Scale,
    nodes: Vec<Node>,
    edges: Vec<Edge>,
    /// How many of the visits of each edge are virtual.
    given: Vec<u8>,
    draws: Vec<Draw>,
    listed: Vec<(Outcome, f64)>,
    /// The root and a world that goes down from there, kept for their buffers.
    worlds: Option<[Box<dyn World>; 2]>,
    /// The iterations made.
    total: u32,
    order: Order,
    path: Vec<(u32, Player)>,
    /// Where further players of joint moves choose by themselves, by the node at which the joint move began.
    sides: HashMap<(u32, Player), u32>,
    /// In a tree of many worlds, what follows what chance drew, by the node and a hash of the outcome's name, and how
    /// often it came up.
    drawn: HashMap<(u32, u64), (u32, u32)>,
    playout: Rng,
    ties: Rng,
    scratch: Scratch,
    /// The rewards of every player summed per move, for a search that is to show its tree.
    sums: Option<Vec<f64>>,
    /// What is proven, if that is kept.
    proofs: Option<Box<Proofs>>,
}

impl UctSearch {
    /// A search with this exploration constant, for rewards scaled to [0, 1].
    pub fn new(rules: &Arc<dyn Model>, c: f64) -> UctSearch {
        UctSearch::with(rules, Settings { c, ..Settings::USUAL })
    }

    /// A search with these settings.
    pub fn with(rules: &Arc<dyn Model>, settings: Settings) -> UctSearch {
        UctSearch {
            rules: Arc::clone(rules),
            opened: rules.perfect_info_variant().filter(|_| settings.open),
            settings,
            shared: false,
            scale: Scale::of(rules.facts()),
            nodes: Vec::new(),
            edges: Vec::new(),
            given: Vec::new(),
            draws: Vec::new(),
            listed: Vec::new(),
            worlds: None,
            total: 0,
            order: Order::default(),
            path: Vec::new(),
            sides: HashMap::new(),
            drawn: HashMap::new(),
            playout: Seed(0).stream(Purpose::Playout),
            ties: Seed(0).stream(Purpose::Ties),
            scratch: Scratch::default(),
            sums: None,
            proofs: settings.proves().then(Box::default),
        }
    }

    /// The same search with a tree of at most so many bytes, beyond which it goes on without growing. The
    /// default is 1 GiB.
    pub fn with_memory(self, memory: usize) -> UctSearch {
        UctSearch { settings: Settings { memory, ..self.settings }, ..self }
    }

    /// The bytes in use.
    fn bytes(&self) -> usize {
        self.nodes.len() * size_of::<Node>()
            + self.edges.len() * size_of::<Edge>()
            + self.given.len()
            + self.draws.len() * size_of::<Draw>()
            + self.sides.len() * size_of::<((u32, Player), u32)>()
            + self.drawn.len() * size_of::<((u32, u64), (u32, u32))>()
            + self.proofs.as_ref().map_or(0, |proofs| proofs.bytes())
    }

    fn is_full(&self) -> bool {
        // Growing a vector may take twice its length for a while.
        2 * self.bytes() > self.settings.memory
    }

    /// Makes a node; `NONE` if the memory is used up.
    fn new_node(&mut self) -> u32 {
        if self.is_full() {
            return NONE;
        }
        self.nodes.push(Node::NEW);
        self.nodes.len() as u32 - 1
    }

    /// Starts the random streams anew.
    pub fn seed(&mut self, seed: Seed) {
        self.playout = seed.stream(Purpose::Playout);
        self.ties = seed.stream(Purpose::Ties);
    }

    /// Searches for the move of `who` in a state where it is to move.
    pub fn search(&mut self, root: &dyn World, who: Player, legal: &[Move], budget: &Budget) -> Decision {
        let rules = Arc::clone(&self.rules);
        let facts = rules.facts();
        let mut table = RootTable::new(legal, facts.players);
        self.clear();
        let [mut start, mut state] = self.worlds.take().unwrap_or_else(|| [root.boxed(), root.boxed()]);
        start.copy_from(root);
        start.drop_history();
        self.sums = budget.explain.and_then(|e| e.tree).map(|_| Vec::new());
        let opened = self.opened.clone();
        let (mut depth, mut total) = (0, 0);
        let mut clock = budget.start();
        while legal.len() > 1 && !self.is_settled() && clock.tick() {
            clock.show(|| table.progress(self.nodes.len() as u64, depth));
            state.clone_from(&start);
            let tried = self.iterate(&*rules, opened.as_deref(), &mut *state, who);
            table.add(table.index_of(tried.0), &tried.1, 1.0);
            depth = depth.max(self.path.len());
            total += self.path.len() as u64;
        }
        let (iterations, time) = (clock.done(), clock.elapsed());
        self.worlds = Some([start, state]);
        let action = self.decide(&table, who);
        let explain = budget.explain.filter(|_| iterations > 0);
        let told = explain.map(|explain| self.tell(root, who, action, explain)).unwrap_or_default();
        let mut moves = table.reports();
        self.report_proofs(&mut moves);
        let report = Report {
            iterations,
            nodes: self.nodes.len() as u64,
            depth: depth as u32,
            time,
            moves,
            bytes: Some(self.bytes() as u64),
            mean_depth: (iterations > 0).then(|| total as f64 / iterations as f64),
            profile: told.profile,
            line: told.line,
            trees: told.trees,
            ..Report::default()
        };
        Decision { action, report }
    }

    /// Forgets the tree.
    fn clear(&mut self) {
        self.nodes.clear();
        self.edges.clear();
        self.given.clear();
        self.draws.clear();
        self.sides.clear();
        self.drawn.clear();
        self.total = 0;
        if let Some(proofs) = &mut self.proofs {
            proofs.clear();
        }
        self.nodes.push(Node::NEW);
    }

    /// One iteration from the root, where `who` chooses first. Returns its choice and the rewards.
    fn iterate(
        &mut self,
        rules: &dyn Model,
        opened: Option<&dyn Model>,
        state: &mut dyn World,
        who: Player,
    ) -> (Move, Rewards) {
        self.path.clear();
        if let Some(proofs) = &mut self.proofs {
            proofs.restart();
        }
        let mut rules: &dyn Model = rules;
        let mut node = 0;
        let mut first = None;
        let mut pending: ArrayVec<(Player, Move), MAX_PLAYERS> = ArrayVec::new();
        let mut turn = state.turn();
        loop {
            match turn {
                Turn::Terminal => break,
                Turn::Chance => {
                    (node, turn) = self.draw(node, state);
                    if let Some(proofs) = &mut self.proofs {
                        proofs.doubt();
                    }
                }
                Turn::Player(p) => {
                    let (action, next) = self.choose(node, state, p);
                    first = first.or(Some(action));
                    turn = state.play(&[(p, action)], Eyes::Closed);
                    node = next;
                }
                Turn::Simultaneous(players) => {
                    // The searcher's own choice comes first at the root, where its statistics are read.
                    pending.clear();
                    let leading = first.is_none().then_some(who);
                    let order = leading.into_iter().chain(players.iter().filter(|&p| Some(p) != leading));
                    let began = node;
                    for p in order {
                        let further = self.settings.joint == Joint::Decoupled && !pending.is_empty();
                        let (action, next) = match node {
                            NONE => (self.choose_at_random(state, p), NONE),
                            node if further => self.choose_beside((began, node), state, p),
                            node => self.choose(node, state, p),
                        };
                        node = next;
                        first = first.or(Some(action));
                        pending.push((p, action));
                    }
                    insertion_sort::sort_by_key(&mut pending, |m| m.0);
                    turn = state.play(&pending, Eyes::Closed);
                }
            }
            if let Some(open) = opened.filter(|&open| first.is_some() && !std::ptr::eq(open, rules)) {
                open.reveal(state);
                rules = open;
            }
            if node == NONE {
                break;
            }
        }
        let over = turn == Turn::Terminal && self.proofs.is_some();
        let mut rewards = state.playout(self.settings.simulation, &mut self.playout);
        if over {
            self.prove(&rewards);
        }
        self.total += 1;
        self.credit(&mut rewards, who);
        (first.expect("the searcher moves at the root"), rewards)
    }

    /// Credits the moves on the path; leaves what the first of them is credited with.
    #[inline]
    fn credit(&mut self, rewards: &mut Rewards, who: Player) {
        let mut end = self.path.len();
        loop {
            let instead = self.proofs.as_mut().and_then(|proofs| proofs.instead());
            let from = instead.map_or(0, |(above, _)| above as usize);
            for &(edge, p) in &self.path[from..end] {
                let edge = &mut self.edges[edge as usize];
                let p = if self.settings.others == Others::Own { p } else { who };
                edge.visits += 1;
                edge.total += self.scale.value(rewards[p]);
            }
            if self.sums.is_some() {
                self.sum_up(from..end, rewards);
            }
            let (Some(proofs), Some((1.., place))) = (&self.proofs, instead) else { return };
            rewards.clone_from(proofs.rewards(place));
            end = from;
        }
    }

    /// Chooses a move at a node; also returns the node it leads to, `NONE` if it has just been made.
    #[inline(always)]
    fn choose(&mut self, at: u32, state: &dyn World, p: Player) -> (Move, u32) {
        if self.shared {
            return self.choose_shared(at, state, p);
        }
        match self.pick(at, state, p) {
            Some(chosen) => {
                if let Some(proofs) = &mut self.proofs {
                    proofs.chose(at);
                }
                self.follow(chosen, p)
            }
            None => (self.choose_at_random(state, p), NONE),
        }
    }

    /// Chooses without a tree.
    fn choose_at_random(&mut self, state: &dyn World, p: Player) -> Move {
        if let Some(proofs) = &mut self.proofs {
            proofs.doubt();
        }
        state.random_move(p, &mut self.playout)
    }

    /// Picks a move at a node by the bound, moves never tried first; none if there is no memory to list them.
    #[inline(always)]
    fn pick(&mut self, at: u32, state: &dyn World, p: Player) -> Option<usize> {
        if self.nodes[at as usize].count == 0 {
            if at != 0 && self.is_full() {
                return None;
            }
            self.expand(at, state, p);
        }
        let narrow = self.settings.narrow;
        let node = &mut self.nodes[at as usize];
        node.visits += 1;
        let first = node.first as usize;
        Some(if node.tried < node.count && (node.tried as usize) < narrow.widen.allowed(node.visits) {
            let from = first + node.tried as usize;
            node.tried += 1;
            if narrow.is_off() {
                let i = from + self.ties.below(node.count - (node.tried - 1)) as usize;
                self.edges.swap(from, i);
            }
            from
        } else {
            let visits = match self.settings.log {
                Log::Node => node.visits,
                Log::Total => self.total.max(1),
            };
            let explore = self.settings.c * f64::from(visits).ln().sqrt();
            let last = first + node.tried as usize;
            first
                + match self.proofs {
                    None => self.best_bound(first..last, explore),
                    Some(_) => self.best_unproven(first..last, explore, p),
                }
        })
    }

    /// Goes down a move; also returns the node it leads to, `NONE` if there is none yet.
    #[inline(always)]
    fn follow(&mut self, chosen: usize, p: Player) -> (Move, u32) {
        self.path.push((chosen as u32, p));
        let Edge { action, child, visits, .. } = self.edges[chosen];
        if child == NONE && visits >= self.settings.patience {
            self.edges[chosen].child = self.new_node();
        }
        (action, child)
    }

    #[inline(always)]
    fn best_bound(&mut self, range: std::ops::Range<usize>, explore: f64) -> usize {
        let mut best = Best::default();
        for (i, edge) in self.edges[range].iter().enumerate() {
            best.offer(i as u32, edge.bound(explore), &mut self.ties);
        }
        best.place as usize
    }

    fn expand(&mut self, at: u32, state: &dyn World, p: Player) {
        self.scratch.actions.clear();
        state.legal(p, &mut self.scratch.actions);
        let narrow = self.settings.narrow;
        if !narrow.is_off() {
            self.order.apply(narrow, (state, p), &mut self.scratch.actions, &mut self.ties);
        }
        let node = &mut self.nodes[at as usize];
        node.first = self.edges.len() as u32;
        node.count = self.scratch.actions.len() as u32;
        let edge = |&action: &Move| Edge { total: 0.0, visits: 0, child: NONE, action };
        self.edges.extend(self.scratch.actions.iter().map(edge));
        if let Some(proofs) = &mut self.proofs {
            proofs.grow(self.edges.len());
        }
        self.preload(at, state, p);
    }
}

/// The UCT player for games without hidden information.
pub type Uct = KnownState<UctSearch>;

#[cfg(test)]
mod tests {
    use fogtree_core::Erased;
    use fogtree_games::goofspiel::{self, Goofspiel};
    use fogtree_games::kuhn_poker::KuhnPoker;

    use super::*;
    use crate::testing::params;

    /// After every `k` visits of a chance node with `k` equal outcomes each has come up as often as the others
    /// (`icarus/ORACLE-14`, `ismcts/8.9`); which one comes first is left to the seed.
    fn assert_balanced(rules: &Arc<dyn Model>, k: usize) {
        assert_eq!(rules.start().turn(), Turn::Chance);
        let mut first = vec![false; k];
        for seed in 0..60 {
            let mut search = UctSearch::new(rules, 0.7);
            search.seed(Seed(seed));
            search.nodes.push(Node::NEW);
            for visit in 1..=10 * k {
                search.draw(0, &mut *rules.start());
                let visits: Vec<usize> = search.draws.iter().map(|d| d.visits as usize).collect();
                assert_eq!((visits.len(), visits.iter().sum::<usize>()), (k, visit));
                let fair = visit / k..=visit.div_ceil(k);
                assert!(visits.iter().all(|n| fair.contains(n)), "{visits:?} after {visit} visits");
                if visit == 1 {
                    first[visits.iter().position(|&n| n == 1).expect("one outcome came up")] = true;
                }
            }
        }
        assert!(first.iter().all(|&came| came), "{first:?}");
    }

    #[test]
    fn equal_outcomes_come_up_once_in_every_block() {
        assert_balanced(&Erased::any(KuhnPoker), 3);
        for k in [4, 7] {
            let params = params(&goofspiel::ABOUT, &format!("cards={k},prizes=random"));
            assert_balanced(&Erased::any(Goofspiel::from_params(&params).unwrap()), k);
        }
    }
}

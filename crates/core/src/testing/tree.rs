//! The whole tree of a tiny game: every history, and what each observer did and saw along it.
//!
//! The game is asked once per distinct state; histories are then walked on numbers alone. What an observer
//! did and saw is kept twice, as the framework's running key and as an exact *trail* (the path in a tree
//! of events, own actions as themselves rather than by their codes), so that a key which forgets or
//! confuses something is noticed.

use std::collections::{BTreeMap, HashMap};
use std::rc::Rc;

use super::position::{self, Choices};
use super::subject::{Action, Numbers, Outcome, Ply, State, Subject};
use super::trial::{Trial, after};
use super::{Law, trial::short};
use crate::{Event, Key, MAX_PLAYERS, Observer, Player, Turn};

const NONE: u32 = u32::MAX;
const OBSERVERS: usize = MAX_PLAYERS + 1;

/// Every history of a game, and what can be told apart.
pub(super) struct Tree {
    pub(super) observers: Vec<Observer>,
    /// The states in which a history ends, and how likely uniformly random play does.
    pub(super) ends: BTreeMap<State, f64>,
    /// The members of every information set of every observer, sorted by trail, then state.
    pub(super) members: Vec<Vec<Member>>,
    /// The probability of every sequence of chance outcomes.
    pub(super) draws: Vec<f64>,
    /// What is found at every state, where a history leads to it.
    nodes: Vec<Option<Rc<Node>>>,
    histories: Vec<History>,
    /// For every observer and trail, the trail before the step that led there.
    before: Vec<HashMap<u32, u32>>,
}

/// A state in an information set, reached with certain draws of chance.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(super) struct Member {
    /// What the observer did and saw.
    pub(super) trail: u32,
    pub(super) state: State,
    /// What chance drew.
    pub(super) draws: u32,
    /// A history with all these.
    pub(super) history: u32,
}

struct Node {
    turn: Turn,
    branches: Vec<Branch>,
}

/// A step from a state, with what it means to everybody.
struct Branch {
    ply: Ply,
    child: State,
    /// What chance draws, and with what probability, by number.
    draw: Option<u32>,
    /// The probability of the step when everybody plays uniformly at random.
    probability: f64,
    /// What each observer does and sees, by number.
    events: Box<[[u32; 2]]>,
}

#[derive(Clone, Copy)]
struct History {
    parent: u32,
    branch: u32,
    state: State,
    depth: u32,
}

/// A history still to be visited.
#[derive(Clone, Copy)]
struct Open {
    history: History,
    draws: u32,
    reach: f64,
    trails: [u32; OBSERVERS],
}

impl Tree {
    /// Walks the whole game, testing every state. `None` if it is too large to be walked.
    pub(super) fn grow(t: &mut Trial<'_>) -> Option<Tree> {
        let observers: Vec<Observer> = t.observers().collect();
        let tree = Tree {
            members: vec![Vec::new(); observers.len()],
            ends: BTreeMap::new(),
            draws: vec![1.0],
            nodes: Vec::new(),
            histories: Vec::new(),
            before: vec![HashMap::new(); observers.len()],
            observers,
        };
        let mut grower = Grower {
            events: Numbers::default(),
            written: Vec::new(),
            outcomes: HashMap::new(),
            draws: Vec::new(),
            sequences: HashMap::new(),
            trails: tree.observers.iter().map(|&by| Trails::new(by)).collect(),
            public: vec![Vec::new(); t.facts.players],
            tree,
        };
        grower.walk(t)?;
        let mut tree = grower.tree;
        for members in &mut tree.members {
            members.sort_unstable();
            members.dedup_by_key(|m| (m.trail, m.state, m.draws));
        }
        Some(tree)
    }

    /// Every state that a history leads to.
    pub(super) fn states(&self) -> impl Iterator<Item = State> {
        self.nodes.iter().enumerate().filter(|(_, node)| node.is_some()).map(|(s, _)| s as State)
    }

    /// Whose turn it is in a state, if a history leads to it.
    pub(super) fn turn(&self, s: State) -> Option<Turn> {
        self.nodes.get(s as usize)?.as_ref().map(|node| node.turn)
    }

    /// Whether it is this observer's turn in a state.
    pub(super) fn is_mover(&self, by: Observer, s: State) -> bool {
        by.seat().zip(self.turn(s)).is_some_and(|(p, turn)| turn.players().contains(p))
    }

    /// Two steps from a state, if there are such, that differ in one player's choice alone and look the same
    /// to another player.
    pub(super) fn hidden_move(&self, s: State) -> Option<[&Ply; 2]> {
        let node = self.nodes.get(s as usize)?.as_ref()?;
        let movers = node.turn.players();
        let same = |a: &Branch, b: &Branch| {
            let mut differ =
                a.ply.moves().iter().zip(b.ply.moves()).filter(|(x, y)| x != y).map(|(x, _)| x.0);
            let (Some(mover), None) = (differ.next(), differ.next()) else { return false };
            let others = self.observers.iter().zip(a.events.iter().zip(&b.events));
            others.filter(|(by, _)| by.seat().is_some_and(|p| p != mover)).any(|(_, (x, y))| x == y)
        };
        let pairs = node
            .branches
            .iter()
            .enumerate()
            .flat_map(|(i, a)| node.branches[i + 1..].iter().map(move |b| [a, b]));
        let goes_on = |branch: &Branch| self.turn(branch.child) != Some(Turn::Terminal);
        let mut pairs = pairs.filter(|[a, b]| !movers.is_empty() && goes_on(a) && goes_on(b));
        pairs.find(|[a, b]| same(a, b)).map(|pair| pair.map(|branch| &branch.ply))
    }

    /// The trail of an observer before the step that led to this one.
    pub(super) fn before(&self, observer: usize, trail: u32) -> Option<u32> {
        self.before[observer].get(&trail).copied()
    }

    /// How many steps a history has.
    pub(super) fn depth(&self, history: u32) -> u32 {
        self.histories[history as usize].depth
    }

    /// Whether only chance has moved in all histories of a set.
    pub(super) fn is_chance_only(&self, set: &[Member]) -> bool {
        let parent = |h: &u32| Some(self.histories[*h as usize].parent).filter(|&parent| parent != NONE);
        let drew = |h: u32| self.turn(self.histories[h as usize].state) == Some(Turn::Chance);
        set.iter().all(|m| std::iter::successors(parent(&m.history), parent).all(drew))
    }

    /// A history in words.
    pub(super) fn at(&self, game: &dyn Subject, history: u32) -> String {
        let mut plies = Vec::new();
        let mut here = self.histories[history as usize];
        while here.parent != NONE {
            let parent = self.histories[here.parent as usize];
            let node = self.nodes[parent.state as usize].as_ref().expect("a parent was visited");
            plies.push(&node.branches[here.branch as usize].ply);
            here = parent;
        }
        after(&game.names(plies.into_iter().rev()))
    }
}

/// What is needed only while the tree grows.
struct Grower {
    tree: Tree,
    events: Numbers<(Option<Action>, Event)>,
    /// The same events as keys take them.
    written: Vec<Event>,
    /// The numbers of draws of an outcome: one for each probability it has somewhere.
    outcomes: HashMap<Outcome, Vec<u32>>,
    /// The probability of every draw.
    draws: Vec<f64>,
    /// Sequences of draws: a sequence's number and a draw's lead to the longer sequence's.
    sequences: HashMap<(u32, u32), u32>,
    trails: Vec<Trails>,
    /// The public's trail that belongs to a seat's.
    public: Vec<Vec<u32>>,
}

impl Grower {
    fn walk(&mut self, t: &mut Trial<'_>) -> Option<()> {
        let start = History { parent: NONE, branch: 0, state: t.game.start(), depth: 0 };
        let mut open = vec![Open { history: start, draws: 0, reach: 1.0, trails: [0; OBSERVERS] }];
        while let Some(here) = open.pop() {
            let number = self.tree.histories.len() as u32;
            if u64::from(number) >= t.options.nodes {
                t.report(Law::TooLarge, || format!("there are more than {number} histories"));
                return None;
            }
            self.tree.histories.push(here.history);
            self.note(t, number, &here);
            let node = self.visit(t, number)?;
            if node.turn == Turn::Terminal {
                *self.tree.ends.entry(here.history.state).or_default() += here.reach;
            } else if here.history.depth >= t.facts.max_length {
                t.report(Law::Longest, || {
                    let at = self.tree.at(t.game, number);
                    format!("{at}: {} steps are made and the game goes on", here.history.depth)
                });
            } else {
                for (i, branch) in node.branches.iter().enumerate() {
                    open.push(Open {
                        history: History {
                            parent: number,
                            branch: i as u32,
                            state: branch.child,
                            depth: here.history.depth + 1,
                        },
                        draws: self.drawn(here.draws, branch),
                        reach: here.reach * branch.probability,
                        trails: self.trails_after(t, &here, number, branch),
                    });
                }
            }
        }
        Some(())
    }

    /// Takes down of which information sets a history is a member.
    fn note(&mut self, t: &mut Trial<'_>, number: u32, here: &Open) {
        for (members, &trail) in self.tree.members.iter_mut().zip(&here.trails) {
            members.push(Member { trail, state: here.history.state, draws: here.draws, history: number });
        }
        let public = here.trails[t.facts.players];
        for p in Player::all(t.facts.players) {
            let (known, trail) = (&mut self.public[p.index()], here.trails[p.index()] as usize);
            known.resize(known.len().max(trail + 1), NONE);
            let before = std::mem::replace(&mut known[trail], public);
            let same = before == NONE || before == public;
            t.require(same, Law::PublicIsCommon, || {
                format!("{}: the public saw what player {p} did not", self.tree.at(t.game, number))
            });
        }
    }

    /// What is found at the state of a history. At first the state is tested and every step from it made.
    fn visit(&mut self, t: &mut Trial<'_>, history: u32) -> Option<Rc<Node>> {
        let game = t.game;
        let s = self.tree.histories[history as usize].state;
        if self.tree.nodes.len() <= s as usize {
            self.tree.nodes.resize_with(s as usize + 1, || None);
        }
        if let Some(node) = &self.tree.nodes[s as usize] {
            return Some(Rc::clone(node));
        }
        let turn = game.turn(s);
        let plies: Vec<(Ply, f64)> = match position::laws(t, s, &|| self.tree.at(game, history)) {
            Choices::Over => Vec::new(),
            Choices::Chance(listed) if listed.is_empty() => {
                t.report(Law::TooLarge, || format!("{}: no outcome is listed", self.tree.at(game, history)));
                return None;
            }
            Choices::Chance(listed) => listed.into_iter().map(|(o, p)| (Ply::Chance(o), p)).collect(),
            Choices::Players(players) => {
                let joint = joint_moves(&players, t.options.nodes);
                let share = 1.0 / joint.len() as f64;
                joint.into_iter().map(|moves| (Ply::Moves(moves), share)).collect()
            }
        };
        let branches = plies.into_iter().map(|(ply, probability)| Branch {
            child: game.apply(s, &ply),
            draw: match &ply {
                Ply::Chance(outcome) => Some(self.draw(*outcome, probability)),
                Ply::Moves(_) => None,
            },
            probability,
            events: (0..self.tree.observers.len()).map(|i| self.events_of(game, s, &ply, i)).collect(),
            ply,
        });
        let node = Rc::new(Node { turn, branches: branches.collect() });
        self.tree.nodes[s as usize] = Some(Rc::clone(&node));
        Some(node)
    }

    fn events_of(&mut self, game: &dyn Subject, s: State, ply: &Ply, observer: usize) -> [u32; 2] {
        let by = self.tree.observers[observer];
        let mut numbers = [NONE; 2];
        for event in game.events(s, ply, by) {
            let (at, own) = match (&event, ply) {
                (Event::Own(_), Ply::Moves(moves)) => (0, moves.iter().find(|m| by.is(m.0)).map(|m| m.1)),
                _ => (1, None),
            };
            numbers[at] = self.events.of(&(own, event.clone()));
            if numbers[at] as usize == self.written.len() {
                self.written.push(event);
            }
        }
        numbers
    }

    /// The number of an outcome with its probability.
    fn draw(&mut self, outcome: Outcome, probability: f64) -> u32 {
        let alike = self.outcomes.entry(outcome).or_default();
        let same = |&&i: &&u32| (self.draws[i as usize] - probability).abs() < 1e-9;
        if let Some(&number) = alike.iter().find(same) {
            return number;
        }
        let number = self.draws.len() as u32;
        alike.push(number);
        self.draws.push(probability);
        number
    }

    /// The number of a sequence of draws.
    fn drawn(&mut self, draws: u32, branch: &Branch) -> u32 {
        let Some(draw) = branch.draw else { return draws };
        *self.sequences.entry((draws, draw)).or_insert_with(|| {
            let probability = self.tree.draws[draws as usize] * branch.probability;
            self.tree.draws.push(probability);
            self.tree.draws.len() as u32 - 1
        })
    }

    fn trails_after(
        &mut self,
        t: &mut Trial<'_>,
        here: &Open,
        number: u32,
        branch: &Branch,
    ) -> [u32; OBSERVERS] {
        let mut trails = here.trails;
        for (i, events) in branch.events.iter().enumerate() {
            for &event in events.iter().filter(|&&e| e != NONE) {
                let written = &self.written[event as usize];
                trails[i] = self.trails[i].after(trails[i], event, written).unwrap_or_else(|same_key| {
                    t.report(Law::PerfectRecall, || {
                        let (at, by) = (self.tree.at(t.game, number), self.tree.observers[i]);
                        let names = t.game.names([&branch.ply]);
                        format!("{at}: with {} and {names:?} {by} gets a key it already has", short(written))
                    });
                    same_key
                });
            }
            if trails[i] != here.trails[i] {
                self.tree.before[i].insert(trails[i], here.trails[i]);
            }
        }
        trails
    }
}

/// The paths in the tree of one observer's events, with the keys they lead to.
struct Trails {
    next: HashMap<(u32, u32), u32>,
    keys: Vec<Key>,
    by_key: HashMap<Key, u32>,
}

impl Trails {
    fn new(by: Observer) -> Trails {
        let root = Key::root(by);
        Trails { next: HashMap::new(), keys: vec![root], by_key: HashMap::from([(root, 0)]) }
    }

    /// The trail after one more event; an error if another trail has the same key.
    fn after(&mut self, trail: u32, event: u32, written: &Event) -> Result<u32, u32> {
        if let Some(&next) = self.next.get(&(trail, event)) {
            return Ok(next);
        }
        let new = self.keys.len() as u32;
        let key = written.extend(self.keys[trail as usize]);
        self.next.insert((trail, event), new);
        self.keys.push(key);
        if self.by_key.insert(key, new).is_none() { Ok(new) } else { Err(new) }
    }
}

/// All combinations of what the players may choose, at most one more than `limit`.
fn joint_moves(players: &[(Player, Vec<Action>)], limit: u64) -> Vec<Vec<(Player, Action)>> {
    let mut joint = vec![Vec::new()];
    for (p, legal) in players {
        let longer = joint.iter().flat_map(|moves: &Vec<(Player, Action)>| {
            legal.iter().map(|&a| moves.iter().copied().chain([(*p, a)]).collect())
        });
        joint = longer.take(limit as usize + 1).collect();
    }
    joint.retain(|moves| !moves.is_empty());
    joint
}

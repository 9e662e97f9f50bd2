//! The whole tree of a tiny game: every history, and what each observer did and saw along it.
//!
//! The game is asked once per distinct state; histories are then walked on numbers alone. What an observer
//! did and saw is kept twice, as the framework's running key and as an exact *trail* (the path in a tree
//! of events, own actions as themselves rather than by their codes), so that a key which forgets or
//! confuses something is noticed.

use std::collections::{BTreeMap, HashMap};
use std::hash::Hash;

use super::trial::{Trial, after, short};
use super::{Law, position};
use crate::history::events_of;
use crate::{Event, Game, Key, MAX_PLAYERS, Observer, Player, Ply, Seen, Turn};

const NONE: u32 = u32::MAX;
const OBSERVERS: usize = MAX_PLAYERS + 1;

/// Every history of a game, by number, and what can be told apart.
pub(super) struct Tree<G: Game> {
    pub(super) observers: Vec<Observer>,
    pub(super) states: Vec<G::State>,
    pub(super) index: HashMap<G::State, u32>,
    pub(super) turns: Vec<Turn>,
    /// How likely uniformly random play ends in a state.
    pub(super) ends: BTreeMap<u32, f64>,
    /// The members of every information set of every observer, sorted by trail, then state.
    pub(super) members: Vec<Vec<Member>>,
    /// The probability of every sequence of chance outcomes.
    pub(super) draws: Vec<f64>,
    branches: Vec<Option<Box<[Branch<G>]>>>,
    histories: Vec<History>,
}

/// A state in an information set, reached with certain draws of chance.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(super) struct Member {
    /// What the observer did and saw.
    pub(super) trail: u32,
    pub(super) state: u32,
    /// What chance drew.
    pub(super) draws: u32,
    /// A history with all these.
    pub(super) history: u32,
}

/// A step from a state, with what it means to everybody.
struct Branch<G: Game> {
    ply: Ply<G>,
    child: u32,
    /// What chance draws, by number.
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
    state: u32,
}

/// A history still to be visited.
#[derive(Clone, Copy)]
struct Open {
    history: History,
    depth: u32,
    draws: u32,
    reach: f64,
    trails: [u32; OBSERVERS],
}

impl<G: Game> Tree<G> {
    /// Walks the whole game, testing every state. `None` if it is too large to be walked.
    pub(super) fn grow(t: &mut Trial<'_, G>) -> Option<Tree<G>> {
        let observers: Vec<Observer> = Observer::all(t.facts.players).collect();
        let mut grower = Grower {
            events: Numbers::default(),
            written: Vec::new(),
            outcomes: Outcomes { listed: Vec::new(), by_text: HashMap::new() },
            sequences: HashMap::new(),
            trails: observers.iter().map(|&by| Trails::new(by)).collect(),
            public: vec![Vec::new(); t.facts.players],
            tree: Tree {
                members: vec![Vec::new(); observers.len()],
                observers,
                states: Vec::new(),
                index: HashMap::new(),
                turns: Vec::new(),
                ends: BTreeMap::new(),
                draws: vec![1.0],
                branches: Vec::new(),
                histories: Vec::new(),
            },
        };
        grower.walk(t)?;
        let mut tree = grower.tree;
        for members in &mut tree.members {
            members.sort_unstable();
            members.dedup_by_key(|m| (m.trail, m.state, m.draws));
        }
        Some(tree)
    }

    /// Whether it is this observer's turn in a state.
    pub(super) fn is_mover(&self, by: Observer, state: u32) -> bool {
        by.seat().is_some_and(|p| self.turns[state as usize].players().contains(p))
    }

    /// A history in words.
    pub(super) fn at(&self, game: &G, history: u32) -> String {
        let mut names = Vec::new();
        let mut here = self.histories[history as usize];
        while here.parent != NONE {
            let parent = self.histories[here.parent as usize];
            let branches = self.branches[parent.state as usize].as_ref().expect("a parent has branches");
            names.extend(branches[here.branch as usize].ply.names(game).into_iter().rev());
            here = parent;
        }
        names.reverse();
        after(&names)
    }
}

/// What is needed only while the tree grows.
struct Grower<G: Game> {
    tree: Tree<G>,
    events: Numbers<Did<G::Action>>,
    /// The same events as keys take them.
    written: Vec<Event>,
    outcomes: Outcomes<G>,
    /// Sequences of draws: the number of a sequence and a draw leads to the longer sequence's.
    sequences: HashMap<(u32, u32), u32>,
    trails: Vec<Trails>,
    /// The public's trail that belongs to a seat's.
    public: Vec<Vec<u32>>,
}

/// An event as it really was.
#[derive(Clone, PartialEq, Eq, Hash)]
enum Did<A> {
    Own(A),
    Seen(Seen),
}

impl<G: Game> Grower<G> {
    fn walk(&mut self, t: &mut Trial<'_, G>) -> Option<()> {
        let root = self.number_of(t.game, &t.game.start());
        let start = History { parent: NONE, branch: 0, state: root };
        let mut open = vec![Open { history: start, depth: 0, draws: 0, reach: 1.0, trails: [0; OBSERVERS] }];
        while let Some(here) = open.pop() {
            let number = self.tree.histories.len() as u32;
            if u64::from(number) >= t.options.nodes {
                t.report(Law::TooLarge, || format!("there are more than {number} histories"));
                return None;
            }
            self.tree.histories.push(here.history);
            self.note(t, number, &here);
            let state = here.history.state;
            if self.tree.branches[state as usize].is_none() {
                let branches = self.branch_out(t, number)?;
                self.tree.branches[state as usize] = Some(branches);
            }
            if self.tree.turns[state as usize] == Turn::Over {
                *self.tree.ends.entry(state).or_default() += here.reach;
                continue;
            }
            let longest = t.facts.longest;
            if !t.require(here.depth < longest, Law::Longest, || {
                format!("{}: {longest} steps are made and the game goes on", self.tree.at(t.game, number))
            }) {
                continue;
            }
            let branches = self.tree.branches[state as usize].take().expect("just made");
            for (i, branch) in branches.iter().enumerate() {
                let history = History { parent: number, branch: i as u32, state: branch.child };
                let draws = self.drawn(here.draws, branch);
                let trails = self.trails_after(t, &here, number, branch);
                let reach = here.reach * branch.probability;
                open.push(Open { history, depth: here.depth + 1, draws, reach, trails });
            }
            self.tree.branches[state as usize] = Some(branches);
        }
        Some(())
    }

    fn number_of(&mut self, game: &G, state: &G::State) -> u32 {
        if let Some(&number) = self.tree.index.get(state) {
            return number;
        }
        let number = self.tree.states.len() as u32;
        self.tree.index.insert(state.clone(), number);
        self.tree.states.push(state.clone());
        self.tree.turns.push(game.turn(state));
        self.tree.branches.push(None);
        number
    }

    /// Takes down of which information sets a history is a member.
    fn note(&mut self, t: &mut Trial<'_, G>, number: u32, here: &Open) {
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

    /// Every step from the state of a history, which is tested on the way.
    fn branch_out(&mut self, t: &mut Trial<'_, G>, history: u32) -> Option<Box<[Branch<G>]>> {
        let game = t.game;
        let state = self.tree.states[self.tree.histories[history as usize].state as usize].clone();
        let turn = game.turn(&state);
        position::laws(t, &state, &|| self.tree.at(game, history));
        let plies: Vec<(Ply<G>, f64)> = match turn {
            Turn::Over => Vec::new(),
            Turn::Chance => {
                let listed = position::outcomes(game, &state);
                if !t.require(!listed.is_empty(), Law::TooLarge, || {
                    format!("{}: chance lists no outcomes", self.tree.at(game, history))
                }) {
                    return None;
                }
                listed.into_iter().map(|(o, p)| (Ply::Chance(o), p)).collect()
            }
            Turn::Player(_) | Turn::Together(_) => {
                let joint = joint_moves(game, &state, turn, t.options.nodes);
                let share = 1.0 / joint.len() as f64;
                joint.into_iter().map(|moves| (Ply::Moves(moves), share)).collect()
            }
        };
        let branches = plies.into_iter().map(|(ply, probability)| {
            let mut next = state.clone();
            game.apply(&mut next, ply.step());
            let draw = match &ply {
                Ply::Chance(outcome) => Some(self.outcomes.number(outcome, probability)),
                Ply::Moves(_) => None,
            };
            let events =
                (0..self.tree.observers.len()).map(|i| self.events_of(game, &state, &ply, i)).collect();
            Branch { child: self.number_of(game, &next), ply, draw, probability, events }
        });
        Some(branches.collect())
    }

    fn events_of(&mut self, game: &G, state: &G::State, ply: &Ply<G>, observer: usize) -> [u32; 2] {
        let by = self.tree.observers[observer];
        let mut numbers = [NONE; 2];
        for event in events_of(game, state, ply.step(), by) {
            let own = by.seat().and_then(|p| ply.step().action_of(p));
            let (at, did) = match &event {
                Event::Own(_) => (0, Did::Own(own.expect("an own event is an own action"))),
                Event::Seen(seen) => (1, Did::Seen(seen.clone())),
            };
            numbers[at] = self.events.number(did);
            if numbers[at] as usize == self.written.len() {
                self.written.push(event);
            }
        }
        numbers
    }

    fn drawn(&mut self, draws: u32, branch: &Branch<G>) -> u32 {
        let Some(draw) = branch.draw else { return draws };
        *self.sequences.entry((draws, draw)).or_insert_with(|| {
            let probability = self.tree.draws[draws as usize] * branch.probability;
            self.tree.draws.push(probability);
            self.tree.draws.len() as u32 - 1
        })
    }

    fn trails_after(
        &mut self,
        t: &mut Trial<'_, G>,
        here: &Open,
        number: u32,
        branch: &Branch<G>,
    ) -> [u32; OBSERVERS] {
        let mut trails = here.trails;
        for (i, events) in branch.events.iter().enumerate() {
            for &event in events.iter().filter(|&&e| e != NONE) {
                let step = self.trails[i].after(trails[i], event, &self.written[event as usize]);
                trails[i] = step.unwrap_or_else(|(other, new)| {
                    let by = self.tree.observers[i];
                    t.report(Law::PerfectRecall, || {
                        let at = self.tree.at(t.game, number);
                        let what = short(&self.written[event as usize]);
                        format!(
                            "{at}: {by} has a key after {what} that it has for other events (trail {other})"
                        )
                    });
                    new
                });
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

    /// The trail after one more event; on error also a trail with the same key.
    fn after(&mut self, trail: u32, event: u32, written: &Event) -> Result<u32, (u32, u32)> {
        if let Some(&next) = self.next.get(&(trail, event)) {
            return Ok(next);
        }
        let new = self.keys.len() as u32;
        let key = written.extend(self.keys[trail as usize]);
        self.next.insert((trail, event), new);
        self.keys.push(key);
        self.by_key.insert(key, new).map_or(Ok(new), |other| Err((other, new)))
    }
}

/// Consecutive numbers for different things.
struct Numbers<T>(HashMap<T, u32>);

impl<T> Default for Numbers<T> {
    fn default() -> Self {
        Numbers(HashMap::new())
    }
}

impl<T: Eq + Hash> Numbers<T> {
    fn number(&mut self, thing: T) -> u32 {
        let next = self.0.len() as u32;
        *self.0.entry(thing).or_insert(next)
    }
}

/// Numbers for outcomes with their probabilities. Outcomes can only be compared; their debug text narrows
/// down with which.
struct Outcomes<G: Game> {
    listed: Vec<(G::Outcome, f64)>,
    by_text: HashMap<String, Vec<u32>>,
}

impl<G: Game> Outcomes<G> {
    fn number(&mut self, outcome: &G::Outcome, probability: f64) -> u32 {
        let alike = self.by_text.entry(format!("{outcome:?}")).or_default();
        let same = |&&i: &&u32| {
            let (o, p) = &self.listed[i as usize];
            o == outcome && (p - probability).abs() < 1e-9
        };
        if let Some(&number) = alike.iter().find(same) {
            return number;
        }
        let number = self.listed.len() as u32;
        alike.push(number);
        self.listed.push((outcome.clone(), probability));
        number
    }
}

/// All combinations of what the players to move may choose, at most one more than `limit`.
fn joint_moves<G: Game>(game: &G, state: &G::State, turn: Turn, limit: u64) -> Vec<Vec<(Player, G::Action)>> {
    let mut joint = vec![Vec::new()];
    for p in turn.players().iter() {
        let legal = position::legal(game, state, p);
        let longer = joint.iter().flat_map(|moves: &Vec<(Player, G::Action)>| {
            legal.iter().map(|&a| moves.iter().copied().chain([(p, a)]).collect())
        });
        joint = longer.take(limit as usize + 1).collect();
    }
    joint.retain(|moves| !moves.is_empty());
    joint
}

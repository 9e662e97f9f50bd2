//! A game given as data: its whole tree, written as JSON or in Gambit's EFG format.
//!
//! Textbooks and papers argue with trees of a dozen nodes; here they are games like any other. The micro
//! games of the sources are built in ([`micro`]), others are read from files ([`json`], [`efg`]), and every
//! small game can be turned into a tree and so be handed to Gambit ([`Tree::of`]).
//!
//! # Who sees what
//!
//! A tree says in which *information set* a player decides; that is all its player learns, and it learns it
//! when it comes to move: the step that leads to a decision of a player shows that player which of its
//! information sets was reached. Other steps show nothing to anybody, unless the file says who sees a move
//! (`seen`). If every information set holds a single node, nothing is hidden and everybody sees every move.
//!
//! Players remember: in all nodes of an information set its player must have done and seen the same before.
//! Trees without this *perfect recall* are refused, because no strategy could be kept by what a player did
//! and saw.

use fogtree_core::files::read_text;
use fogtree_core::spec::names;
use fogtree_core::{
    About, BadSpec, Domain, Facts, FastPlay, Game, Notation, Observation, Observer, Param, Params, Player,
    Players, Preset, Rewards, Rng, Rules, Scene, Scratch, Step, Turn,
};
use serde::{Deserialize, Serialize};

mod beliefs;
mod build;
pub mod efg;
pub mod json;
pub mod micro;
mod number;
mod of;
mod scene;
#[cfg(test)]
mod tests;

use beliefs::Beliefs;
pub use build::MOST_NODES;

/// What `fogtree games` says of it.
pub static ABOUT: About = About {
    name: "tree",
    summary: "A game given as a file: its whole tree as JSON or Gambit EFG, or a built-in micro game",
    source: "equilibrium 3.10; ismcts 2.5, 3.14; gdl 5.3; Gambit's extensive game format",
    params: &[
        Param::new(
            "name",
            "non-locality",
            Domain::Choice(&names::<_, { micro::ALL.len() }>(micro::ALL)),
            "a built-in tree: non-locality, modified-non-locality, long-non-locality, coin, ismcts-a, \
                    ismcts-b, matching-pennies, kuhn",
        ),
        Param::new("file", "", Domain::File, "a file with the tree, as JSON or Gambit EFG"),
    ],
    presets: &[
        Preset {
            name: "non-locality",
            params: "name=non-locality",
            about: "what to play depends on play elsewhere in the tree",
        },
        Preset {
            name: "modified-non-locality",
            params: "name=modified-non-locality",
            about: "the same with a larger prize on the left, which right beliefs solve",
        },
        Preset {
            name: "coin-guess",
            params: "name=coin",
            about: "take 0.9 for sure or guess a hidden coin for 1: strategy fusion",
        },
    ],
    tiny: "name=ismcts-b",
};

/// Files larger than this are not read.
const LARGEST_FILE: u64 = 64 << 20;

/// A game tree.
#[derive(Clone, PartialEq, Debug)]
pub struct Tree {
    title: String,
    about: String,
    players: Vec<String>,
    actions: Vec<String>,
    outcomes: Vec<String>,
    infosets: Vec<Infoset>,
    /// In prefix order.
    nodes: Vec<Node>,
    /// The moves of a node lie together, sorted by name.
    edges: Vec<Edge>,
    /// One per player and end.
    rewards: Vec<f64>,
    facts: Facts,
    /// Of every seat, then of the public; once for all if nothing is hidden.
    beliefs: Vec<Beliefs>,
}

#[derive(Clone, PartialEq, Debug)]
struct Infoset {
    player: Player,
    label: String,
    first: u32,
    size: u32,
}

#[derive(Clone, Copy, PartialEq, Debug)]
struct Node {
    kind: Kind,
    /// `u32::MAX` at the root, and so is `edge`, which leads here.
    parent: u32,
    edge: u32,
    depth: u32,
    /// The first edge and their number.
    edges: (u32, u32),
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Kind {
    Chance,
    /// A decision in this information set.
    Decision(u32),
    /// An end, with the place of its rewards.
    End(u32),
}

#[derive(Clone, Copy, PartialEq, Debug)]
struct Edge {
    name: u32,
    to: u32,
    p: f64,
    /// Who sees the move when it is made.
    seen: Players,
}

/// Why something is not a tree that can be played.
#[derive(Clone, PartialEq, Debug, thiserror::Error)]
pub enum BadTree {
    /// The text is not of the form it should have.
    #[error("line {line}, column {column}: {what}")]
    Text {
        /// Counted from 1.
        line: usize,
        /// Counted from 1.
        column: usize,
        /// What is wrong there.
        what: String,
    },
    /// The players cannot be.
    #[error("{what}")]
    Players {
        /// What is wrong with them.
        what: String,
    },
    /// A node cannot be.
    #[error("after {history}: {what}")]
    Node {
        /// The moves that lead there.
        history: String,
        /// What is wrong there.
        what: String,
    },
    /// An information set with different moves.
    #[error(
        "information set '{infoset}' offers '{one_moves}' after {one} but '{other_moves}' after {other}: \
         its player could tell them apart"
    )]
    Moves {
        /// Its label.
        infoset: String,
        /// A history in it.
        one: String,
        /// The moves there.
        one_moves: String,
        /// Another history in it.
        other: String,
        /// The moves there.
        other_moves: String,
    },
    /// An information set whose player forgets what it knew.
    #[error(
        "there is no perfect recall: information set '{infoset}' holds {one} and {other}, but before these \
         {player} did or saw different things"
    )]
    Recall {
        /// The player's name.
        player: String,
        /// The label.
        infoset: String,
        /// A history in it.
        one: String,
        /// Another history in it.
        other: String,
    },
    /// More nodes than fit.
    #[error("the tree has more than {most} nodes")]
    TooLarge {
        /// The most there may be.
        most: usize,
    },
    /// A game whose chance can only be sampled has no tree.
    #[error("after {history}: chance cannot list what it may draw, so the game cannot be written as a tree")]
    Sampled {
        /// The moves that lead there.
        history: String,
    },
}

impl Tree {
    /// The game a specification asks for.
    pub fn from_params(params: &Params) -> Result<Tree, BadSpec> {
        if !params.is_given("file") {
            let text = params.named("name", micro::ALL)?;
            return Ok(Tree::read(text).expect("the built-in trees are well-formed"));
        }
        if params.is_given("name") {
            return Err(params.bad("file", "either a file or the name of a built-in tree, not both"));
        }
        let expected = |why: String| params.bad("file", format!("a file with a game tree: {why}"));
        let text = read_text(params.text("file"), LARGEST_FILE).map_err(expected)?;
        Tree::read(&text).map_err(|e| expected(e.to_string()))
    }

    /// Reads a tree: JSON if the text begins with `{`, Gambit's format if it begins with `EFG`.
    pub fn read(text: &str) -> Result<Tree, BadTree> {
        let text = text.strip_prefix('\u{feff}').unwrap_or(text);
        match text.trim_start() {
            start if start.starts_with('{') => Tree::from_json(text),
            start if start.starts_with("EFG") => Tree::from_efg(text),
            _ => {
                let what =
                    "expected '{' (a tree as JSON) or 'EFG' (Gambit's extensive game format)".to_string();
                Err(BadTree::Text { line: 1, column: 1, what })
            }
        }
    }

    /// What the game is called.
    pub fn title(&self) -> &str {
        &self.title
    }

    /// The same game with another title.
    #[must_use]
    pub fn with_title(mut self, title: impl Into<String>) -> Tree {
        self.title = title.into();
        self
    }

    /// The names of the players.
    pub fn players(&self) -> &[String] {
        &self.players
    }

    /// The number of nodes.
    pub fn size(&self) -> usize {
        self.nodes.len()
    }

    /// The label of the information set in which a player decides in this state.
    pub fn infoset(&self, state: State) -> Option<&str> {
        match self.node(state).kind {
            Kind::Decision(set) => Some(&self.infosets[set as usize].label),
            _ => None,
        }
    }

    /// The labels of a player's information sets, in the order in which the tree meets them.
    pub fn infosets(&self, of: Player) -> impl Iterator<Item = &str> {
        self.infosets.iter().filter(move |set| set.player == of).map(|set| set.label.as_str())
    }

    #[inline]
    fn node(&self, state: State) -> &Node {
        &self.nodes[state.0 as usize]
    }

    #[inline]
    fn edges_of(&self, node: u32) -> &[Edge] {
        let (from, count) = self.nodes[node as usize].edges;
        &self.edges[from as usize..(from + count) as usize]
    }

    /// The move of this name that leaves a node.
    #[inline]
    fn edge(&self, node: u32, name: u32) -> Option<&Edge> {
        let edges = self.edges_of(node);
        edges.binary_search_by_key(&name, |e| e.name).ok().map(|i| &edges[i])
    }

    /// The name of an edge that leaves a node.
    fn name_of(&self, node: u32, edge: u32) -> &str {
        let names =
            if self.nodes[node as usize].kind == Kind::Chance { &self.outcomes } else { &self.actions };
        &names[self.edges[edge as usize].name as usize]
    }

    fn rewards_of(&self, at: u32) -> &[f64] {
        &self.rewards[at as usize..at as usize + self.players.len()]
    }

    fn beliefs_of(&self, by: Observer) -> Option<&Beliefs> {
        match by {
            Observer::Seat(p) if p.index() >= self.players.len() => None,
            Observer::Seat(p) if self.facts.hidden => self.beliefs.get(p.index()),
            _ => self.beliefs.last(),
        }
    }
}

/// The place of a name in a sorted list.
fn place_of(name: &str, names: &[String]) -> Option<u32> {
    names.binary_search_by(|n| n.as_str().cmp(name)).ok().map(|i| i as u32)
}

/// A node of the tree.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Serialize, Deserialize)]
#[serde(transparent)]
pub struct State(u32);

/// A player's move: the place of its name among all names of moves.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Serialize, Deserialize)]
#[serde(transparent)]
pub struct Action(u32);

/// Chance's move: the place of its name among all names of chance's moves.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Serialize, Deserialize)]
#[serde(transparent)]
pub struct Outcome(u32);

/// What an observer knows: which of its classes of nodes was reached.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Serialize, Deserialize)]
pub struct Info {
    by: Observer,
    class: u32,
}

/// The words of an observation: a number, and in the lowest bits what it is the number of.
const SEES_ACTION: u64 = 0;
const SEES_OUTCOME: u64 = 1;
const SEES_INFOSET: u64 = 2;

impl Rules for Tree {
    type State = State;
    type Action = Action;
    type Outcome = Outcome;

    fn facts(&self) -> Facts {
        self.facts.clone()
    }

    fn start(&self) -> State {
        State(0)
    }

    #[inline]
    fn turn(&self, s: &State) -> Turn {
        match self.node(*s).kind {
            Kind::Chance => Turn::Chance,
            Kind::Decision(set) => Turn::Player(self.infosets[set as usize].player),
            Kind::End(_) => Turn::Terminal,
        }
    }

    fn actions(&self, s: &State, _who: Player, out: &mut Vec<Action>) {
        out.extend(self.edges_of(s.0).iter().map(|e| Action(e.name)));
    }

    fn chance(&self, s: &State, out: &mut Vec<(Outcome, f64)>) {
        if self.node(*s).kind == Kind::Chance {
            out.extend(self.edges_of(s.0).iter().map(|e| (Outcome(e.name), e.p)));
        }
    }

    fn sample_chance(&self, s: &State, rng: &mut Rng) -> Outcome {
        let edges = self.edges_of(s.0);
        Outcome(edges[rng.weighted(edges.iter().map(|e| e.p))].name)
    }

    fn is_possible(&self, s: &State, outcome: &Outcome) -> bool {
        self.node(*s).kind == Kind::Chance && self.edge(s.0, outcome.0).is_some()
    }

    #[inline]
    fn apply(&self, s: &mut State, step: Step<'_, Self>) {
        let name = match step {
            Step::Chance(outcome) => outcome.0,
            Step::Moves(moves) => moves[0].1.0,
        };
        s.0 = self.edge(s.0, name).expect("the step is legal").to;
    }

    fn rewards(&self, s: &State) -> Rewards {
        match self.node(*s).kind {
            Kind::End(at) => self.rewards_of(at).iter().copied().collect(),
            _ => Rewards::from_fn(self.players.len(), |_| 0.0),
        }
    }

    fn observe(&self, before: &State, step: Step<'_, Self>, by: Observer) -> Option<Observation> {
        let (name, kind, own) = match step {
            Step::Chance(outcome) => (outcome.0, SEES_OUTCOME, false),
            Step::Moves(moves) => (moves[0].1.0, SEES_ACTION, by.is(moves[0].0)),
        };
        let edge = self.edge(before.0, name)?;
        let sees = match by {
            Observer::Seat(p) => edge.seen.contains(p),
            Observer::Public => edge.seen == Players::first(self.players.len()),
        };
        let name = (sees && !own).then(|| Observation::word(u64::from(name) << 2 | kind));
        let place = match self.nodes[edge.to as usize].kind {
            Kind::Decision(set) if by.is(self.infosets[set as usize].player) => {
                Some(Observation::word(u64::from(set) << 2 | SEES_INFOSET))
            }
            _ => None,
        };
        match (name, place) {
            (Some(name), Some(place)) => Some(name.then(&place)),
            (one, other) => one.or(other),
        }
    }

    fn code(&self, action: Action) -> u64 {
        u64::from(action.0)
    }
}

impl Notation for Tree {
    fn action_name(&self, action: Action) -> String {
        self.actions[action.0 as usize].clone()
    }

    fn parse_action(&self, name: &str) -> Option<Action> {
        place_of(name, &self.actions).map(Action)
    }

    fn outcome_name(&self, outcome: &Outcome) -> String {
        self.outcomes[outcome.0 as usize].clone()
    }

    fn parse_outcome(&self, name: &str) -> Option<Outcome> {
        place_of(name, &self.outcomes).map(Outcome)
    }

    fn explain(&self, seen: &Observation, _by: Observer) -> String {
        let explain = |&word: &u64| {
            let number = (word >> 2) as usize;
            let named = match word & 3 {
                SEES_ACTION => self.actions.get(number).map(|name| format!("{name} is played")),
                SEES_OUTCOME => self.outcomes.get(number).map(|name| format!("chance draws {name}")),
                SEES_INFOSET => {
                    self.infosets.get(number).map(|set| format!("you are in '{}'", scene::shown(&set.label)))
                }
                _ => None,
            };
            named.unwrap_or_else(|| format!("{word:x}"))
        };
        seen.as_words().iter().map(explain).collect::<Vec<_>>().join(", ")
    }

    fn scene_of(&self, s: &State) -> Scene {
        self.drawn_state(*s)
    }

    fn role(&self, _state: &State, seat: Player) -> String {
        self.players.get(seat.index()).cloned().unwrap_or_default()
    }
}

impl FastPlay for Tree {
    const DECODES: bool = true;

    #[inline]
    fn decode(&self, code: u64) -> Action {
        Action(code as u32)
    }

    #[inline]
    fn random_action(&self, s: &State, _who: Player, rng: &mut Rng, _scratch: &mut Scratch<Self>) -> Action {
        Action(rng.pick(self.edges_of(s.0)).name)
    }

    #[inline]
    fn playout(&self, s: &mut State, rng: &mut Rng, _scratch: &mut Scratch<Self>) -> Rewards {
        loop {
            let edges = self.edges_of(s.0);
            s.0 = match self.node(*s).kind {
                Kind::End(_) => return self.rewards(s),
                Kind::Chance => edges[rng.weighted(edges.iter().map(|e| e.p))].to,
                Kind::Decision(_) => rng.pick(edges).to,
            };
        }
    }

    fn codes(&self) -> Option<usize> {
        (self.actions.len() <= 4096).then_some(self.actions.len())
    }
}

impl Game for Tree {
    type Info = Info;
    type Sampler = (Observer, std::ops::Range<usize>);

    fn info(&self, s: &State, by: Observer) -> Info {
        Info { by, class: self.beliefs_of(by).map_or(0, |b| b.class[s.0 as usize]) }
    }

    fn sampler(&self, k: &Info) -> Self::Sampler {
        (k.by, self.beliefs_of(k.by).map_or(0..0, |b| b.places(k.class)))
    }

    /// Leaves the state alone and answers 0 if nobody ever knows what the sampler was made for.
    #[inline]
    fn sample(&self, (by, places): &mut Self::Sampler, rng: &mut Rng, into: &mut State) -> f64 {
        match self.beliefs_of(*by).and_then(|b| b.draw(places.clone(), rng)) {
            Some(node) => {
                into.0 = node;
                1.0
            }
            None => 0.0,
        }
    }

    fn enumerate(&self, k: &Info, out: &mut Vec<(State, f64)>) -> bool {
        out.extend(self.beliefs_of(k.by).into_iter().flat_map(|b| b.shares(k.class)));
        true
    }

    fn scene(&self, k: &Info) -> Scene {
        self.drawn_known(k)
    }

    fn spots(&self, k: &Info, _: Player, action: Action) -> Vec<String> {
        self.touched(k, action)
    }
}

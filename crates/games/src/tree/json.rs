//! Trees as JSON that people can read and write.
//!
//! ```json
//! {
//!   "title": "Matching pennies",
//!   "players": ["even", "odd"],
//!   "root": {"player": "even", "infoset": "first", "moves": [
//!     {"move": "heads", "then": {"player": "odd", "infoset": "second", "moves": [
//!       {"move": "heads", "then": {"rewards": [1, -1]}},
//!       {"move": "tails", "then": {"rewards": [-1, 1]}}
//!     ]}},
//!     {"move": "tails", "then": {"player": "odd", "infoset": "second", "moves": [
//!       {"move": "heads", "then": {"rewards": [-1, 1]}},
//!       {"move": "tails", "then": {"rewards": [1, -1]}}
//!     ]}}
//!   ]}
//! }
//! ```
//!
//! A file has `players` (names, one word each), `root` (a node), and if you like `title`, `about` (what there
//! is to say of the game) and `nodes` (see below). A node is one of
//!
//! - `{"rewards": [1, -1]}`: the game ends; one reward per player;
//! - `{"chance": [{"move": "L", "p": "1/2", "then": node}, ...]}`: chance draws;
//! - `{"player": "even", "infoset": "first", "moves": [{"move": "l", "then": node}, ...]}`: a player moves.
//!   The player is given by name or by seat (from 0). Nodes with the same `infoset` are the same to the
//!   player; a node without one is in an information set of its own.
//!
//! Names of moves are single words, different within a node. Probabilities and rewards are numbers, or
//! strings with a number or a fraction (`"1/3"`). A move may say who sees it when it is made: `"seen": "all"`
//! or `"seen": ["even"]`; see the [module](super) for what is seen otherwise.
//!
//! Programs nest JSON to some depth only (this one to about 40 moves), so `then` may also be the `id` of a
//! node in the list `nodes`, which lets deep trees be cut into pieces:
//! `"then": "n7"` and `"nodes": [{"id": "n7", "player": ...}, ...]`. Each of these nodes is used once.

use std::collections::HashMap;
use std::fmt;

use fogtree_core::{Player, Players};
use serde::de::value::MapAccessDeserializer;
use serde::de::{self, Deserialize, Deserializer, MapAccess, Visitor};

use super::build::{Branch, Draft, Sketch};
use super::{BadTree, Edge, Kind, Tree, number};

#[derive(serde::Deserialize)]
#[serde(deny_unknown_fields)]
struct WrittenTree {
    #[serde(default)]
    title: String,
    #[serde(default)]
    about: String,
    players: Vec<String>,
    root: WrittenNode,
    #[serde(default)]
    nodes: Vec<WrittenNode>,
}

#[derive(serde::Deserialize)]
#[serde(deny_unknown_fields)]
struct WrittenNode {
    id: Option<String>,
    rewards: Option<Vec<Number>>,
    chance: Option<Vec<WrittenMove>>,
    player: Option<Name>,
    infoset: Option<String>,
    moves: Option<Vec<WrittenMove>>,
}

#[derive(serde::Deserialize)]
#[serde(deny_unknown_fields)]
struct WrittenMove {
    #[serde(rename = "move")]
    name: String,
    p: Option<Number>,
    seen: Option<Watchers>,
    then: Then,
}

/// What follows a move: a node, or the id of one.
enum Then {
    Node(Box<WrittenNode>),
    Id(String),
}

/// A number, or a string that holds one.
struct Number(f64);

/// A player's seat or name.
enum Name {
    Seat(u64),
    Name(String),
}

/// Who sees a move.
enum Watchers {
    All,
    Some(Vec<Name>),
}

impl<'de> Deserialize<'de> for Then {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Then, D::Error> {
        struct ThenVisitor;
        impl<'de> Visitor<'de> for ThenVisitor {
            type Value = Then;
            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("a node or the id of one")
            }
            fn visit_str<E>(self, id: &str) -> Result<Then, E> {
                Ok(Then::Id(id.to_string()))
            }
            fn visit_map<M: MapAccess<'de>>(self, map: M) -> Result<Then, M::Error> {
                WrittenNode::deserialize(MapAccessDeserializer::new(map)).map(|n| Then::Node(Box::new(n)))
            }
        }
        deserializer.deserialize_any(ThenVisitor)
    }
}

impl<'de> Deserialize<'de> for Number {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Number, D::Error> {
        struct NumberVisitor;
        impl Visitor<'_> for NumberVisitor {
            type Value = Number;
            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("a number or a fraction such as \"1/3\"")
            }
            fn visit_f64<E>(self, x: f64) -> Result<Number, E> {
                Ok(Number(x + 0.0))
            }
            fn visit_i64<E>(self, x: i64) -> Result<Number, E> {
                Ok(Number(x as f64))
            }
            fn visit_u64<E>(self, x: u64) -> Result<Number, E> {
                Ok(Number(x as f64))
            }
            fn visit_str<E: de::Error>(self, text: &str) -> Result<Number, E> {
                number::parse(text)
                    .map(Number)
                    .ok_or_else(|| E::invalid_value(de::Unexpected::Str(text), &self))
            }
        }
        deserializer.deserialize_any(NumberVisitor)
    }
}

impl<'de> Deserialize<'de> for Name {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Name, D::Error> {
        struct NameVisitor;
        impl Visitor<'_> for NameVisitor {
            type Value = Name;
            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("a player's name or seat")
            }
            fn visit_u64<E>(self, seat: u64) -> Result<Name, E> {
                Ok(Name::Seat(seat))
            }
            fn visit_str<E>(self, name: &str) -> Result<Name, E> {
                Ok(Name::Name(name.to_string()))
            }
        }
        deserializer.deserialize_any(NameVisitor)
    }
}

impl<'de> Deserialize<'de> for Watchers {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Watchers, D::Error> {
        struct WatchersVisitor;
        impl<'de> Visitor<'de> for WatchersVisitor {
            type Value = Watchers;
            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("\"all\" or a list of players")
            }
            fn visit_str<E: de::Error>(self, text: &str) -> Result<Watchers, E> {
                match text {
                    "all" => Ok(Watchers::All),
                    _ => Err(E::invalid_value(de::Unexpected::Str(text), &self)),
                }
            }
            fn visit_seq<S: de::SeqAccess<'de>>(self, mut names: S) -> Result<Watchers, S::Error> {
                let mut list = Vec::new();
                while let Some(name) = names.next_element()? {
                    list.push(name);
                }
                Ok(Watchers::Some(list))
            }
        }
        deserializer.deserialize_any(WatchersVisitor)
    }
}

impl Tree {
    /// Reads the JSON form.
    pub fn from_json(text: &str) -> Result<Tree, BadTree> {
        let written: WrittenTree = serde_json::from_str(text).map_err(|e| json_error(&e))?;
        Reader::new(&written)?.read()
    }
}

fn json_error(error: &serde_json::Error) -> BadTree {
    let text = error.to_string();
    let what = text.rsplit_once(" at line ").map_or(text.as_str(), |(what, _)| what);
    let what = match what {
        "recursion limit exceeded" => {
            "nested too deep: put deeper nodes into the list \"nodes\" and name them in \"then\"".to_string()
        }
        what => what.to_string(),
    };
    BadTree::Text { line: error.line(), column: error.column(), what }
}

/// Goes through a written tree in prefix order.
struct Reader<'a> {
    written: &'a WrittenTree,
    draft: Draft,
    infosets: HashMap<&'a str, u32>,
    /// The nodes of the list `nodes` to which no move led so far.
    pieces: HashMap<&'a str, &'a WrittenNode>,
    /// The moves that lead to the node being read.
    history: Vec<&'a str>,
}

impl<'a> Reader<'a> {
    fn new(written: &'a WrittenTree) -> Result<Reader<'a>, BadTree> {
        let draft = Draft::new(&written.title, &written.about, written.players.clone());
        draft.check_players()?;
        let mut reader =
            Reader { written, draft, infosets: HashMap::new(), pieces: HashMap::new(), history: Vec::new() };
        for node in &written.nodes {
            let Some(id) = node.id.as_deref() else {
                return Err(reader.error("a node in \"nodes\" has no \"id\""));
            };
            if reader.pieces.insert(id, node).is_some() {
                return Err(reader.error(format!("two nodes have the id '{id}'")));
            }
        }
        Ok(reader)
    }

    fn read(mut self) -> Result<Tree, BadTree> {
        // Moves whose subtrees are still to come, the next one on top, with their depth.
        let mut stack: Vec<(usize, &'a WrittenMove)> = Vec::new();
        let mut node = &self.written.root;
        loop {
            let moves = self.node(node)?;
            stack.extend(moves.iter().rev().map(|m| (self.history.len(), m)));
            let Some((depth, next)) = stack.pop() else { break };
            self.history.truncate(depth);
            self.history.push(&next.name);
            node = match &next.then {
                Then::Node(node) => node,
                Then::Id(id) => self.piece(id)?,
            };
        }
        let unused = |node: &&WrittenNode| node.id.as_deref().is_some_and(|id| self.pieces.contains_key(id));
        if let Some(id) = self.written.nodes.iter().find(unused).and_then(|node| node.id.as_deref()) {
            self.history.clear();
            return Err(self.error(format!("no move leads to node '{id}' of \"nodes\"")));
        }
        self.draft.finish()
    }

    fn error(&self, what: impl Into<String>) -> BadTree {
        BadTree::at(&self.history, what)
    }

    /// The node with this id, which may be asked for once.
    fn piece(&mut self, id: &str) -> Result<&'a WrittenNode, BadTree> {
        self.pieces.remove(id).ok_or_else(|| {
            let exists = self.written.nodes.iter().any(|node| node.id.as_deref() == Some(id));
            self.error(match exists {
                true => format!("node '{id}' is used a second time: only one move leads to a node"),
                false => format!("there is no node '{id}' in \"nodes\""),
            })
        })
    }

    /// Adds a node to the draft; its moves.
    fn node(&mut self, node: &'a WrittenNode) -> Result<&'a [WrittenMove], BadTree> {
        let sketch = match (&node.rewards, &node.chance, &node.player, &node.moves) {
            (Some(rewards), None, None, None) if node.infoset.is_none() => {
                self.draft.push(Sketch::End(rewards.iter().map(|n| n.0).collect()))?;
                return Ok(&[]);
            }
            (None, Some(moves), None, None) if node.infoset.is_none() => {
                (Sketch::Chance(self.branches(moves, true)?), moves)
            }
            (None, None, Some(player), Some(moves)) => {
                let set = self.infoset(player, node.infoset.as_deref())?;
                (Sketch::Decision(set, self.branches(moves, false)?), moves)
            }
            _ => {
                let what = "a node has either \"rewards\", or \"chance\", or \"player\" and \"moves\"";
                return Err(self.error(what));
            }
        };
        let (sketch, moves) = sketch;
        self.draft.push(sketch)?;
        Ok(moves)
    }

    fn branches(&mut self, moves: &[WrittenMove], of_chance: bool) -> Result<Vec<Branch>, BadTree> {
        let mut branches = Vec::with_capacity(moves.len());
        for m in moves {
            let p = match &m.p {
                Some(p) if of_chance => p.0,
                None if !of_chance => 1.0,
                Some(_) => return Err(self.error(format!("a player's move '{}' has a \"p\"", m.name))),
                None => return Err(self.error(format!("chance's move '{}' has no \"p\"", m.name))),
            };
            let seen = match &m.seen {
                None => Players::default(),
                Some(Watchers::All) => Players::first(self.written.players.len()),
                Some(Watchers::Some(names)) => {
                    names.iter().map(|n| self.player(n)).collect::<Result<_, _>>()?
                }
            };
            branches.push(self.draft.branch(&m.name, p, seen));
        }
        Ok(branches)
    }

    fn player(&self, name: &Name) -> Result<Player, BadTree> {
        let players = &self.written.players;
        let found = match name {
            Name::Seat(seat) => {
                (0..players.len()).find(|&i| i as u64 == *seat).ok_or_else(|| seat.to_string())
            }
            Name::Name(name) => players.iter().position(|p| p == name).ok_or_else(|| format!("'{name}'")),
        };
        found.map(|seat| Player(seat as u8)).map_err(|wanted| {
            self.error(format!("there is no player {wanted}; there are: {}", players.join(", ")))
        })
    }

    fn infoset(&mut self, player: &Name, label: Option<&'a str>) -> Result<u32, BadTree> {
        let player = self.player(player)?;
        let next = self.draft.infosets.len() as u32;
        let set = label.map_or(next, |label| *self.infosets.entry(label).or_insert(next));
        if set == next {
            self.draft.infosets.push((player, label.map(str::to_string)));
        }
        let owner = self.draft.infosets[set as usize].0;
        if owner != player {
            return Err(self.error(format!(
                "information set '{}' belongs to {} and cannot belong to {} too",
                label.unwrap_or_default(),
                self.written.players[owner.index()],
                self.written.players[player.index()]
            )));
        }
        Ok(set)
    }
}

/// Nodes this many moves deeper than the last cut are written into the list `nodes`.
const CUT: u32 = 20;

impl Tree {
    /// The JSON form, a line per move. [`Tree::from_json`] reads it back as an equal tree.
    pub fn to_json(&self) -> String {
        let mut text = String::from("{\n");
        for (key, value) in [("title", &self.title), ("about", &self.about)] {
            if !value.is_empty() {
                text += &format!("  \"{key}\": {},\n", quoted(value));
            }
        }
        let players: Vec<String> = self.players.iter().map(|name| quoted(name)).collect();
        text += &format!("  \"players\": [{}],\n  \"root\": {{", players.join(", "));
        let mut pieces = Vec::new();
        self.write_node(0, 1, &mut text, &mut pieces);
        if !pieces.is_empty() {
            text += ",\n  \"nodes\": [";
            let mut next = 0;
            while let Some(&node) = pieces.get(next) {
                text += &format!("{}\n    {{\"id\": \"n{node}\", ", if next > 0 { "," } else { "" });
                self.write_node(node, 2, &mut text, &mut pieces);
                next += 1;
            }
            text += "\n  ]";
        }
        text += "\n}\n";
        text
    }

    /// Writes a node without its opening brace. Goes at most [`CUT`] moves deep; nodes there go into `pieces`.
    fn write_node(&self, node: u32, indent: usize, text: &mut String, pieces: &mut Vec<u32>) {
        let here = &self.nodes[node as usize];
        let names = match here.kind {
            Kind::End(at) => {
                let rewards: Vec<String> =
                    self.rewards_of(at).iter().map(|&r| json_number(number::reward(r))).collect();
                *text += &format!("\"rewards\": [{}]}}", rewards.join(", "));
                return;
            }
            Kind::Chance => {
                *text += "\"chance\": [";
                &self.outcomes
            }
            Kind::Decision(set) => {
                let set = &self.infosets[set as usize];
                let (player, label) = (&self.players[set.player.index()], &set.label);
                *text +=
                    &format!("\"player\": {}, \"infoset\": {}, \"moves\": [", quoted(player), quoted(label));
                &self.actions
            }
        };
        let blanks = "  ".repeat(indent);
        for (i, edge) in self.edges_of(node).iter().enumerate() {
            let comma = if i > 0 { "," } else { "" };
            *text += &format!("{comma}\n{blanks}  {{\"move\": {}", quoted(&names[edge.name as usize]));
            if here.kind == Kind::Chance {
                *text += &format!(", \"p\": {}", json_number(number::probability(edge.p)));
            }
            *text += &self.written_watchers(edge);
            let below = &self.nodes[edge.to as usize];
            if below.depth.is_multiple_of(CUT) && !matches!(below.kind, Kind::End(_)) {
                pieces.push(edge.to);
                *text += &format!(", \"then\": \"n{}\"", edge.to);
            } else {
                *text += ", \"then\": {";
                self.write_node(edge.to, indent + 1, text, pieces);
            }
            text.push('}');
        }
        *text += &format!("\n{blanks}]}}");
    }

    /// Who sees a move, where that does not go without saying.
    fn written_watchers(&self, edge: &Edge) -> String {
        if edge.seen.is_empty() || !self.facts.hidden {
            return String::new();
        }
        if edge.seen == Players::first(self.players.len()) {
            return ", \"seen\": \"all\"".to_string();
        }
        let names: Vec<String> = edge.seen.iter().map(|p| quoted(&self.players[p.index()])).collect();
        format!(", \"seen\": [{}]", names.join(", "))
    }
}

fn quoted(text: &str) -> String {
    serde_json::Value::from(text).to_string()
}

/// A number as JSON: as a string if it is a fraction or has more digits than every reader takes exactly.
fn json_number(text: String) -> String {
    if number::is_short(&text) { text } else { quoted(&text) }
}

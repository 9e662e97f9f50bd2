//! Graphs: nodes and the edges between them.

use serde::{Deserialize, Serialize};

use super::{Ground, Token};

/// Nodes and the edges between them.
#[derive(Clone, PartialEq, Debug, Default, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Graph {
    /// The nodes.
    pub nodes: Vec<Node>,
    /// The edges.
    pub edges: Vec<Edge>,
    /// What kinds of edges there are, in words.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub kinds: Vec<String>,
}

/// A node of a graph.
#[derive(Clone, PartialEq, Debug, Default, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Node {
    /// Its name in spots, and what is written in it unless a token stands there.
    pub place: String,
    /// From the left; one unit is the usual distance of neighbours.
    pub x: f64,
    /// From the top.
    pub y: f64,
    /// What it is made of.
    #[serde(default)]
    pub ground: Ground,
    /// What stands on it.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub tokens: Vec<Token>,
}

/// An edge of a graph.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Edge {
    /// The number of a node.
    pub from: usize,
    /// The number of another.
    pub to: usize,
    /// The number of its kind.
    #[serde(default)]
    pub kind: usize,
}

impl Graph {
    /// Adds a node without anything on it.
    pub fn node(&mut self, place: impl Into<String>, x: f64, y: f64) -> &mut Node {
        self.nodes.push(Node { place: place.into(), x, y, ..Node::default() });
        self.nodes.last_mut().expect("a node was added")
    }

    /// Adds an edge between two nodes, by their numbers.
    pub fn edge(&mut self, from: usize, to: usize, kind: usize) {
        self.edges.push(Edge { from, to, kind });
    }
}

impl Node {
    /// Puts a token on the node.
    pub fn put(&mut self, token: Token) -> &mut Node {
        self.tokens.push(token);
        self
    }
}

//! A picture as data.
//!
//! A [`Scene`] says what one observer sees: zones (boards, graphs, cards, tables) and the tokens in them. It is made from
//! what that observer knows ([`crate::Game::scene`]), so it cannot show more. It says nothing of pixels or letters:
//! terminal, page and notebook draw the same scene each in its way.
//!
//! A place in a scene where a token can stand is a **spot**, written `zone/place`, as in `board/b3` or `hand/QS`.
//! [`crate::Game::spots`] says which spots are touched, in which order, to make a move.
//!
//! ```
//! use fogtree_core::Player;
//! use fogtree_core::scene::{Board, Scene, Token, Zone};
//!
//! let mut board = Board::lettered(3, 3);
//! board.cell(1, 1).put(Token::cross(Player(0)));
//! let scene = Scene::new("Player 1 to move.").with(Zone::board("board", board));
//! assert!(scene.has_spot("board/b2"));
//! ```

mod beliefs;
mod board;
mod cards;
mod check;
mod graph;
mod table;
mod text;
mod token;

use serde::{Deserialize, Serialize};

pub use beliefs::{Beliefs, Share, Shares};
pub use board::{Board, Cell, Ground, Lattice};
pub use cards::{Card, Cards, Spread};
pub use check::MOST_TOUCHES;
pub use graph::{Edge, Graph, Node};
pub use table::{Entry, Table};
pub use token::{Look, Suit, Token};

use crate::Player;

/// What one observer sees.
#[derive(Clone, PartialEq, Debug, Default, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Scene {
    /// The position in a sentence or two: whose turn it is, what is asked, what matters. People who cannot see the
    /// picture read this first.
    pub caption: String,
    /// The parts, in reading order.
    pub zones: Vec<Zone>,
    /// The colours of the players' pieces by seat, in games whose rules name them.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub tints: Vec<Tint>,
}

/// A colour that the rules of a game name.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "lowercase")]
#[allow(missing_docs)]
pub enum Tint {
    Black,
    White,
    Gold,
    Silver,
    Red,
    Blue,
    Green,
}

/// A part of a scene.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Zone {
    /// What spots in it begin with; no other zone of the scene has it.
    pub name: String,
    /// What stands above it; may be empty.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub title: String,
    /// Whose it is.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub owner: Option<Player>,
    /// Whether it stands to the right of the zone before it, not below.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub beside: bool,
    /// What is in it.
    #[serde(flatten)]
    pub content: Content,
}

/// What is in a zone.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(tag = "kind", rename_all = "lowercase")]
pub enum Content {
    /// Cells in rows and columns; a track is a board of one row.
    Board(Board),
    /// Nodes and the edges between them.
    Graph(Graph),
    /// Cards, dice or counters side by side or on a heap.
    Cards(Cards),
    /// Facts in rows and columns.
    Table(Table),
    /// Words.
    Text {
        /// In lines.
        text: String,
    },
}

impl Scene {
    /// A scene without zones.
    pub fn new(caption: impl Into<String>) -> Scene {
        Scene { caption: caption.into(), ..Scene::default() }
    }

    /// A scene of words alone, for games that draw nothing.
    pub fn text(text: impl Into<String>) -> Scene {
        Scene::default().with(Zone::text("text", text))
    }

    /// The scene with one more zone.
    #[must_use]
    pub fn with(mut self, zone: Zone) -> Scene {
        self.zones.push(zone);
        self
    }

    /// The scene with players of these colours.
    #[must_use]
    pub fn tinted<const N: usize>(mut self, tints: [Tint; N]) -> Scene {
        self.tints = tints.to_vec();
        self
    }

    /// Every spot, as it is written, with what stands there.
    pub fn spots(&self) -> impl Iterator<Item = (String, &[Token])> {
        self.zones.iter().flat_map(|zone| {
            let places = zone.content.places().into_iter();
            places.map(|(place, tokens)| (format!("{}/{place}", zone.name), tokens))
        })
    }

    /// Whether there is such a spot.
    pub fn has_spot(&self, spot: &str) -> bool {
        let Some((zone, place)) = spot.split_once('/') else { return false };
        let zones = self.zones.iter().filter(|z| z.name == zone);
        zones.flat_map(|z| z.content.places()).any(|(p, _)| p == place)
    }

    /// The spots that look otherwise than in an earlier scene of the same observer: what has happened since.
    pub fn changed_since(&self, before: &Scene) -> Vec<String> {
        let old: std::collections::HashMap<String, &[Token]> = before.spots().collect();
        let changed = |(spot, tokens): &(String, &[Token])| old.get(spot) != Some(tokens);
        self.spots().filter(changed).map(|(spot, _)| spot).collect()
    }
}

impl Zone {
    fn new(name: impl Into<String>, content: Content) -> Zone {
        Zone { name: name.into(), title: String::new(), owner: None, beside: false, content }
    }

    /// A board.
    pub fn board(name: impl Into<String>, board: Board) -> Zone {
        Zone::new(name, Content::Board(board))
    }

    /// A graph.
    pub fn graph(name: impl Into<String>, graph: Graph) -> Zone {
        Zone::new(name, Content::Graph(graph))
    }

    /// Cards, dice or counters.
    pub fn cards(name: impl Into<String>, cards: Cards) -> Zone {
        Zone::new(name, Content::Cards(cards))
    }

    /// Facts in rows and columns.
    pub fn table(name: impl Into<String>, table: Table) -> Zone {
        Zone::new(name, Content::Table(table))
    }

    /// Words.
    pub fn text(name: impl Into<String>, text: impl Into<String>) -> Zone {
        Zone::new(name, Content::Text { text: text.into() })
    }

    /// The zone under this title.
    #[must_use]
    pub fn titled(mut self, title: impl Into<String>) -> Zone {
        self.title = title.into();
        self
    }

    /// The zone as somebody's own.
    #[must_use]
    pub fn of(mut self, owner: Player) -> Zone {
        self.owner = Some(owner);
        self
    }

    /// The zone to the right of the one before it.
    #[must_use]
    pub fn beside(mut self) -> Zone {
        self.beside = true;
        self
    }
}

impl Content {
    /// Every place at which a token can stand, with those that do.
    pub fn places(&self) -> Vec<(&str, &[Token])> {
        match self {
            Content::Board(board) => {
                let named = board.cells.iter().filter(|c| !c.place.is_empty());
                named.map(|c| (&*c.place, &*c.tokens)).collect()
            }
            Content::Graph(graph) => graph.nodes.iter().map(|n| (&*n.place, &*n.tokens)).collect(),
            Content::Cards(cards) => {
                cards.cards.iter().map(|c| (&*c.place, std::slice::from_ref(&c.token))).collect()
            }
            Content::Table(table) => {
                let entries = table.rows.iter().flatten();
                entries.filter_map(|e| Some((e.place.as_deref()?, &*e.tokens))).collect()
            }
            Content::Text { .. } => Vec::new(),
        }
    }
}

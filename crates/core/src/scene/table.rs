//! Facts in rows and columns.

use serde::{Deserialize, Serialize};

use super::Token;
use crate::Player;

/// Facts in rows and columns.
#[derive(Clone, PartialEq, Debug, Default, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Table {
    /// What stands above the columns; nothing if empty.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub head: Vec<String>,
    /// The rows.
    pub rows: Vec<Vec<Entry>>,
}

/// An entry of a table.
#[derive(Clone, PartialEq, Debug, Default, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Entry {
    /// Its name in spots, if it is one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub place: Option<String>,
    /// The words.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub text: String,
    /// What stands behind the words.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub tokens: Vec<Token>,
    /// Whose colour it has.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub owner: Option<Player>,
}

impl Table {
    /// A table with these words above its columns.
    pub fn headed<const N: usize>(head: [&str; N]) -> Table {
        Table { head: head.map(str::to_string).to_vec(), rows: Vec::new() }
    }

    /// Adds a row.
    pub fn row<E: Into<Entry>>(&mut self, entries: impl IntoIterator<Item = E>) -> &mut Vec<Entry> {
        self.rows.push(entries.into_iter().map(Into::into).collect());
        self.rows.last_mut().expect("a row was added")
    }
}

impl From<String> for Entry {
    fn from(text: String) -> Entry {
        Entry { text, ..Entry::default() }
    }
}

impl From<&str> for Entry {
    fn from(text: &str) -> Entry {
        Entry::from(text.to_string())
    }
}

impl From<Token> for Entry {
    fn from(token: Token) -> Entry {
        Entry { tokens: vec![token], ..Entry::default() }
    }
}

impl Entry {
    /// The entry as a spot of this name.
    #[must_use]
    pub fn at(mut self, place: impl Into<String>) -> Entry {
        self.place = Some(place.into());
        self
    }

    /// The entry in somebody's colour.
    #[must_use]
    pub fn of(mut self, owner: Player) -> Entry {
        self.owner = Some(owner);
        self
    }

    /// The entry with a token behind its words.
    #[must_use]
    pub fn with(mut self, token: Token) -> Entry {
        self.tokens.push(token);
        self
    }
}

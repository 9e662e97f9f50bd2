//! A table as it is written down while it is played: a head, then a line for each change.
//!
//! A line is written before whoever made the change is answered, so a server that is killed loses nothing it has
//! acknowledged. A last line that was cut short is left out.

use std::collections::BTreeMap;
use std::fs::File;
use std::io::{self, Read as _, Write as _};
use std::path::Path;

use fogtree_core::{Player, Seed};
use fogtree_table::Saved;
use serde::{Deserialize, Serialize};

use super::super::visitors::VisitorId;
use super::clock::Rule;

const FORMAT: &str = "fogtree-table";
const VERSION: u32 = 1;
/// Larger files are not read.
const LARGEST: u64 = 64 << 20;

/// What does not change.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub(super) struct Head {
    pub(super) format: String,
    pub(super) version: u32,
    pub(super) game: String,
    /// The agents by seat; none for people.
    pub(super) seats: Vec<Option<String>>,
    pub(super) seed: Seed,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(super) salt: Option<String>,
    /// How many moves were played elsewhere before.
    #[serde(default)]
    pub(super) given: usize,
    /// Whether everybody may see everything.
    pub(super) open: bool,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(super) clock: Option<Rule>,
    /// Milliseconds between moves of agents.
    pub(super) delay: u64,
    /// Who made the table.
    pub(super) by: VisitorId,
    /// The keys of the seats that were kept for guests.
    #[serde(default)]
    pub(super) keys: BTreeMap<Player, String>,
}

/// What can change.
#[derive(Clone, PartialEq, Debug, Default)]
pub(super) struct State {
    pub(super) moves: Vec<String>,
    pub(super) pending: Vec<(Player, String)>,
    pub(super) undone: u64,
    pub(super) resigned: Option<Player>,
    pub(super) lost_on_time: Option<Player>,
    /// Milliseconds left on the clocks.
    pub(super) left: Vec<u64>,
    pub(super) claims: BTreeMap<Player, VisitorId>,
    pub(super) over: bool,
    /// Seconds since 1970.
    pub(super) updated: u64,
}

/// A change: how many of the moves stay, those that are new, and the rest as it is now.
#[derive(Serialize, Deserialize)]
struct Change {
    keep: usize,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    add: Vec<String>,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pending: Vec<(Player, String)>,
    #[serde(default)]
    undone: u64,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    resigned: Option<Player>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    lost_on_time: Option<Player>,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    left: Vec<u64>,
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    claims: BTreeMap<Player, VisitorId>,
    #[serde(default)]
    over: bool,
    updated: u64,
}

impl Head {
    /// The head of a table whose session is saved like this.
    pub(super) fn of(saved: &Saved, by: VisitorId) -> Head {
        Head {
            format: FORMAT.to_string(),
            version: VERSION,
            game: saved.game.clone(),
            seats: saved.seats.clone(),
            seed: saved.seed,
            salt: saved.salt.clone(),
            given: saved.given,
            open: false,
            clock: None,
            delay: 0,
            by,
            keys: BTreeMap::new(),
        }
    }

    /// The session in this state.
    pub(super) fn saved(&self, state: &State) -> Saved {
        Saved {
            format: "fogtree-session".to_string(),
            version: 1,
            game: self.game.clone(),
            seats: self.seats.clone(),
            seed: self.seed,
            salt: self.salt.clone(),
            moves: state.moves.clone(),
            given: self.given,
            pending: state.pending.clone(),
            undone: state.undone,
            resigned: state.resigned,
        }
    }
}

/// The file of a table.
pub(super) struct Journal {
    file: File,
    /// How much of it is whole.
    length: u64,
    last: State,
}

impl Journal {
    /// A new file with this head.
    pub(super) fn create(path: &Path, head: &Head) -> io::Result<Journal> {
        let mut journal = Journal { file: File::create_new(path)?, length: 0, last: State::default() };
        journal.line(head)?;
        Ok(journal)
    }

    /// What a file holds.
    pub(super) fn open(path: &Path) -> io::Result<(Journal, Head)> {
        let mut file = File::options().read(true).append(true).open(path)?;
        let bad = |why: String| io::Error::new(io::ErrorKind::InvalidData, why);
        let mut text = String::new();
        (&mut file).take(LARGEST).read_to_string(&mut text)?;
        let whole = text.rfind('\n').map_or(0, |end| end + 1);
        let mut lines = text[..whole].lines();
        let head: Head = serde_json::from_str(lines.next().unwrap_or_default())
            .map_err(|why| bad(format!("not a table: {why}")))?;
        if (head.format.as_str(), head.version) != (FORMAT, VERSION) {
            return Err(bad(format!("not a table of this version: {} {}", head.format, head.version)));
        }
        let mut last = State::default();
        for line in lines {
            let change: Change =
                serde_json::from_str(line).map_err(|why| bad(format!("not a change of a table: {why}")))?;
            last.apply(change).map_err(|why| bad(why.to_string()))?;
        }
        file.set_len(whole as u64)?;
        Ok((Journal { file, length: whole as u64, last }, head))
    }

    /// The state as it was written last.
    pub(super) fn last(&self) -> &State {
        &self.last
    }

    /// Writes what has changed.
    pub(super) fn note(&mut self, now: State) -> io::Result<()> {
        let unchanged = State { updated: self.last.updated, ..now.clone() } == self.last;
        if unchanged && self.last.updated > 0 {
            return Ok(());
        }
        let keep = now.moves.iter().zip(&self.last.moves).take_while(|(new, old)| new == old).count();
        self.line(&Change {
            keep,
            add: now.moves[keep..].to_vec(),
            pending: now.pending.clone(),
            undone: now.undone,
            resigned: now.resigned,
            lost_on_time: now.lost_on_time,
            left: now.left.clone(),
            claims: now.claims.clone(),
            over: now.over,
            updated: now.updated,
        })?;
        self.last = now;
        Ok(())
    }

    fn line(&mut self, value: &impl Serialize) -> io::Result<()> {
        let mut line = serde_json::to_string(value).expect("plain data");
        line.push('\n');
        let written = self.file.write_all(line.as_bytes());
        match written {
            Ok(()) => self.length += line.len() as u64,
            // A line that is there in part would spoil the next one.
            Err(_) => self.file.set_len(self.length)?,
        }
        written
    }
}

impl State {
    fn apply(&mut self, change: Change) -> Result<(), &'static str> {
        if change.keep > self.moves.len() {
            return Err("a change keeps more moves than there are");
        }
        self.moves.truncate(change.keep);
        self.moves.extend(change.add);
        let Change { pending, undone, resigned, lost_on_time, left, claims, over, updated, .. } = change;
        let moves = std::mem::take(&mut self.moves);
        *self = State { moves, pending, undone, resigned, lost_on_time, left, claims, over, updated };
        Ok(())
    }
}

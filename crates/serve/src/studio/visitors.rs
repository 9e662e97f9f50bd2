//! Who asks: owners, and guests who hold seats.
//!
//! A key is shown once, in a link; whoever opens the link gets a token, as a cookie, and keeps it. Tokens are kept as
//! hashes in the file `visitors.jsonl` of the data folder, so that a page is still known after a restart.

use std::collections::HashMap;
use std::fs::File;
use std::io::Write as _;
use std::path::Path;
use std::sync::{Mutex, MutexGuard, PoisonError};

use serde::{Deserialize, Serialize};

use super::refusal::Refusal;

/// A visitor, by a number that says nothing.
#[derive(Clone, PartialEq, Eq, Hash, Debug, Serialize, Deserialize)]
pub(crate) struct VisitorId(String);

/// Somebody who was let in.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub(crate) struct Visitor {
    pub(crate) id: VisitorId,
    /// Whether it may do everything but look at the hands of others.
    pub(crate) owner: bool,
}

impl Visitor {
    /// Refuses guests.
    pub(crate) fn must_own(&self) -> Result<(), Refusal> {
        match self.owner {
            true => Ok(()),
            false => Err(Refusal::forbidden("only whoever started the studio may do this")),
        }
    }
}

#[derive(Serialize, Deserialize)]
struct Known {
    token: String,
    #[serde(flatten)]
    visitor: Visitor,
}

struct Inside {
    by_token: HashMap<String, Visitor>,
    start_keys: Vec<String>,
    file: File,
}

/// Everybody who was let in.
pub(crate) struct Visitors(Mutex<Inside>);

/// More guests are not let in.
const MOST_VISITORS: usize = 10_000;
/// More start links are not open at once.
const MOST_START_KEYS: usize = 64;

/// A text of 128 random bits that nobody can guess.
pub(crate) fn secret() -> String {
    let mut bytes = [0; 16];
    getrandom::fill(&mut bytes).expect("the system has random numbers");
    format!("{:032x}", u128::from_le_bytes(bytes))
}

fn hashed(secret: &str) -> String {
    blake3::hash(secret.as_bytes()).to_hex().to_string()
}

impl Visitors {
    /// Those whom the file of a data folder knows.
    pub(crate) fn open(folder: &Path) -> std::io::Result<Visitors> {
        let path = folder.join("visitors.jsonl");
        let text = match std::fs::read_to_string(&path) {
            Err(why) if why.kind() == std::io::ErrorKind::NotFound => String::new(),
            read => read?,
        };
        let known = text.lines().filter_map(|line| serde_json::from_str::<Known>(line).ok());
        let by_token = known.map(|known| (known.token, known.visitor)).collect();
        let mut file = File::options().create(true).append(true).open(&path)?;
        if !text.is_empty() && !text.ends_with('\n') {
            file.write_all(b"\n")?;
        }
        Ok(Visitors(Mutex::new(Inside { by_token, start_keys: Vec::new(), file })))
    }

    fn inside(&self) -> MutexGuard<'_, Inside> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// A key that lets in one owner, once.
    pub(crate) fn start_key(&self) -> String {
        let key = secret();
        let mut inside = self.inside();
        if inside.start_keys.len() >= MOST_START_KEYS {
            inside.start_keys.remove(0);
        }
        inside.start_keys.push(hashed(&key));
        key
    }

    /// Lets in an owner who has a start key; answers its token.
    pub(crate) fn enter(&self, key: &str) -> Result<Option<(String, Visitor)>, Refusal> {
        let hash = hashed(key);
        let mut inside = self.inside();
        let Some(place) = inside.start_keys.iter().position(|known| *known == hash) else { return Ok(None) };
        inside.start_keys.remove(place);
        inside.admit(true).map(Some)
    }

    /// Lets in somebody; answers its token.
    pub(crate) fn admit(&self, owner: bool) -> Result<(String, Visitor), Refusal> {
        self.inside().admit(owner)
    }

    /// Who has this token.
    pub(crate) fn with_token(&self, token: &str) -> Option<Visitor> {
        self.inside().by_token.get(&hashed(token)).cloned()
    }
}

impl Inside {
    fn admit(&mut self, owner: bool) -> Result<(String, Visitor), Refusal> {
        if self.by_token.len() >= MOST_VISITORS {
            return Err(Refusal::full("too many visitors were let in"));
        }
        let (token, visitor) = (secret(), Visitor { id: VisitorId(secret()), owner });
        let known = Known { token: hashed(&token), visitor: visitor.clone() };
        let mut line = serde_json::to_string(&known).expect("plain data");
        line.push('\n');
        let kept = self.file.write_all(line.as_bytes());
        kept.map_err(|why| Refusal::failed(format!("cannot keep who was let in: {why}")))?;
        self.by_token.insert(known.token, visitor.clone());
        Ok((token, visitor))
    }
}

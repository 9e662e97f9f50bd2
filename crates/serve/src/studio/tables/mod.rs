//! Tables that people and agents play at, kept on disk and in memory while somebody is there.

mod clock;
mod drive;
mod journal;
mod live;
mod new;
mod routes;
mod view;

use std::collections::HashMap;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use fogtree_core::Player;
use serde::Serialize;

use super::Studio;
use super::lobby::{Entered, Mine};
use super::place::{Sees, Stand};
use super::refusal::Refusal;
use super::visitors::{Visitor, VisitorId};
use journal::{Head, Journal, State};
use live::LiveTable;
#[cfg(feature = "schema")]
pub(crate) use routes::describe;
pub(crate) use routes::routes;

/// More tables are not kept on disk.
const MOST_ON_DISK: usize = 10_000;

/// What is known of a table without playing it.
#[derive(Clone, Debug)]
struct Row {
    head: Head,
    state: State,
}

/// A table in a list.
#[derive(Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[cfg_attr(feature = "schema", schemars(rename = "ListedTable"))]
struct Listed {
    /// By which it is asked for.
    table: String,
    /// The specification of the game, as far as one may know it.
    game: String,
    /// `person`, or the agent.
    seats: Vec<String>,
    /// The seats that one holds.
    yours: Vec<Player>,
    /// Whether the game is over.
    over: bool,
    /// Whether everybody may see everything.
    open: bool,
    /// Seconds since 1970.
    updated: u64,
}

#[derive(Default)]
struct Inside {
    rows: HashMap<String, Row>,
    live: HashMap<String, Arc<LiveTable>>,
}

/// All tables.
pub(crate) struct Tables {
    folder: PathBuf,
    most: usize,
    inside: Mutex<Inside>,
}

impl Tables {
    /// The tables of a folder. Files that are not tables are left alone.
    pub(crate) fn open(folder: &Path, most: usize) -> io::Result<Tables> {
        fs::create_dir_all(folder)?;
        let mut inside = Inside::default();
        for entry in fs::read_dir(folder)?.flatten() {
            let path = entry.path();
            let name = path.file_stem().and_then(|name| name.to_str()).unwrap_or_default();
            if path.extension().is_some_and(|kind| kind == "jsonl")
                && let Ok((journal, head)) = Journal::open(&path)
            {
                inside.rows.insert(name.to_string(), Row { head, state: journal.last().clone() });
            }
        }
        Ok(Tables { folder: folder.to_path_buf(), most, inside: Mutex::new(inside) })
    }

    fn inside(&self) -> MutexGuard<'_, Inside> {
        self.inside.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn path(&self, id: &str) -> PathBuf {
        self.folder.join(format!("{id}.jsonl"))
    }

    /// The tables at which a visitor holds seats.
    pub(crate) fn seats_of(&self, visitor: &VisitorId) -> Vec<Mine> {
        let inside = self.inside();
        let mine = inside.rows.iter().filter_map(|(id, row)| {
            let seats = row.state.seats_of(visitor);
            (!seats.is_empty()).then(|| Mine { table: id.clone(), seats })
        });
        mine.collect()
    }

    /// Keeps a new table, if there is room.
    fn add(&self, table: Arc<LiveTable>) -> Result<(), Refusal> {
        let mut inside = self.inside();
        self.make_room(&mut inside)?;
        inside.rows.insert(table.id.clone(), table.row());
        inside.live.insert(table.id.clone(), table);
        Ok(())
    }

    /// Whether another table can be kept on disk.
    fn check_disk(&self) -> Result<(), Refusal> {
        match self.inside().rows.len() < MOST_ON_DISK {
            true => Ok(()),
            false => Err(Refusal::full("there are too many tables: delete some")),
        }
    }

    /// Lets go of the table that was idle the longest, if there are too many.
    fn make_room(&self, inside: &mut Inside) -> Result<(), Refusal> {
        while inside.live.len() >= self.most {
            let idle = inside.live.values().filter(|table| table.is_idle()).min_by_key(|table| table.used());
            let id = idle.map(|table| table.id.clone());
            let id = id.ok_or_else(|| Refusal::full("all tables are in use: try again later"))?;
            inside.live.remove(&id);
        }
        Ok(())
    }

    fn noted(&self, table: &LiveTable, row: Row) {
        let mut inside = self.inside();
        if inside.rows.contains_key(&table.id) {
            inside.rows.insert(table.id.clone(), row);
        }
    }

    /// Stops all agents that think.
    pub(crate) fn stop_thinking(&self) {
        self.inside().live.values().for_each(|table| table.close());
    }
}

impl State {
    fn seats_of(&self, visitor: &VisitorId) -> Vec<Player> {
        self.claims.iter().filter(|(_, by)| *by == visitor).map(|(seat, _)| *seat).collect()
    }
}

impl Studio {
    /// A table that a visitor may come to, in memory.
    fn table(self: &Arc<Studio>, visitor: &Visitor, id: &str) -> Result<Arc<LiveTable>, Refusal> {
        let missing = || Refusal::not_found("there is no such table");
        let mut inside = self.tables.inside();
        let row = inside.rows.get(id).ok_or_else(missing)?;
        if !visitor.owner && row.state.seats_of(&visitor.id).is_empty() {
            return Err(missing());
        }
        if let Some(table) = inside.live.get(id) {
            return Ok(Arc::clone(table));
        }
        self.tables.make_room(&mut inside)?;
        let table = Arc::new(LiveTable::load(&self.registry, id, &self.tables.path(id))?);
        inside.live.insert(id.to_string(), Arc::clone(&table));
        drop(inside);
        self.drive(&table);
        Ok(table)
    }

    /// A position at a table, with what a visitor may see of it.
    pub(super) fn at_table(
        self: &Arc<Studio>,
        visitor: &Visitor,
        id: &str,
        step: Option<usize>,
    ) -> Result<Stand, Refusal> {
        let table = self.table(visitor, id)?;
        let inner = table.inner();
        let all = inner.all_seen();
        let own = inner.seats_of(visitor);
        if !all && (own.is_empty() || step.is_some()) {
            return Err(Refusal::forbidden(
                "before the game is over, only your own view of the present can be looked at",
            ));
        }
        let mut at = inner.session.table().fork();
        let game = inner.session.game().shared();
        let spec = game.spec().to_string();
        drop(inner);
        if let Some(step) = step {
            if step > at.steps() {
                return Err(Refusal::bad(format!("the game has {} steps", at.steps())));
            }
            at.wind_back(step);
        }
        Ok(Stand { spec, game, table: at, sees: if all { Sees::All } else { Sees::Seats(own) } })
    }

    /// The tables that a visitor may come to, the latest first.
    fn listed(&self, visitor: &Visitor) -> Vec<Listed> {
        let inside = self.tables.inside();
        let mut all: Vec<Listed> = inside
            .rows
            .iter()
            .filter(|(_, row)| visitor.owner || !row.state.seats_of(&visitor.id).is_empty())
            .map(|(id, Row { head, state })| {
                let yours = state.seats_of(&visitor.id);
                let told = |seat| self.registry.told(&head.game, seat).ok();
                let game = if head.open || state.over { None } else { yours.first().copied().and_then(told) };
                let public = || head.game.split('(').next().unwrap_or_default().to_string();
                let all = head.open || state.over || head.seats.iter().all(Option::is_some);
                Listed {
                    table: id.clone(),
                    game: game.unwrap_or_else(|| if all { head.game.clone() } else { public() }),
                    seats: head.seats.iter().map(|s| s.clone().unwrap_or("person".to_string())).collect(),
                    yours,
                    over: state.over,
                    open: head.open,
                    updated: state.updated,
                }
            })
            .collect();
        all.sort_by(|a, b| b.updated.cmp(&a.updated).then_with(|| a.table.cmp(&b.table)));
        all
    }

    /// Gives a seat to whoever has its key; to a new guest if nobody is known.
    pub(super) fn take_seat(
        self: &Arc<Studio>,
        key: &str,
        visitor: Option<Visitor>,
    ) -> Result<Entered, Refusal> {
        let missing = || Refusal::not_found("this link opens nothing: perhaps it was used already");
        let found = self.tables.inside().rows.iter().find_map(|(id, row)| {
            let mut keys = row.head.keys.iter();
            let (seat, _) =
                keys.find(|(_, known)| blake3::hash(known.as_bytes()) == blake3::hash(key.as_bytes()))?;
            Some((id.clone(), *seat, row.state.claims.get(seat).cloned()))
        });
        let (id, seat, claimed) = found.ok_or_else(missing)?;
        if let Some(by) = claimed {
            return match visitor.filter(|visitor| visitor.id == by) {
                Some(_) => Ok(Entered { token: None, table: Some(id), seat: Some(seat) }),
                None => Err(Refusal::forbidden("somebody else has taken this seat")),
            };
        }
        let (token, visitor) = match visitor {
            Some(visitor) => (None, visitor),
            None => {
                let (token, visitor) = self.visitors.admit(false)?;
                (Some(token), visitor)
            }
        };
        let keeper = Visitor { owner: true, ..visitor.clone() };
        let table = self.table(&keeper, &id)?;
        let claimed = {
            let mut inner = table.inner();
            inner.claims.entry(seat).or_insert_with(|| visitor.id.clone()).clone() == visitor.id
        };
        if !claimed {
            return Err(Refusal::forbidden("somebody else has taken this seat"));
        }
        self.drive(&table);
        Ok(Entered { token, table: Some(id), seat: Some(seat) })
    }

    /// Takes a table away, with all that is kept of it.
    fn remove(&self, visitor: &Visitor, id: &str) -> Result<(), Refusal> {
        visitor.must_own()?;
        let mut inside = self.tables.inside();
        if inside.rows.remove(id).is_none() {
            return Err(Refusal::not_found("there is no such table"));
        }
        if let Some(table) = inside.live.remove(id) {
            table.close();
        }
        let removed = fs::remove_file(self.tables.path(id));
        removed.map_err(|why| Refusal::failed(format!("cannot remove the table: {why}")))
    }
}

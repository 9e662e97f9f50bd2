//! The tables of a store, of this version and of earlier ones, and how a store takes in a larger plan.

use rusqlite::types::Value;
use rusqlite::{Connection, params, params_from_iter};

use super::super::plan::Plan;
use super::check::{PARTS, seal_meta, seal_unit};
use super::{StoreError, units};

/// The version of the tables. A store with a greater one was made by a later program.
pub(super) const VERSION: i64 = 3;

const TABLES: &str = "
    CREATE TABLE meta (key TEXT PRIMARY KEY, value TEXT NOT NULL) WITHOUT ROWID;
    CREATE TABLE units (cell INTEGER NOT NULL, first INTEGER NOT NULL, count INTEGER NOT NULL, sum INTEGER,
        PRIMARY KEY (cell, first)) WITHOUT ROWID;
    CREATE TABLE games (cell INTEGER NOT NULL, number INTEGER NOT NULL, deal INTEGER NOT NULL,
        agents INTEGER NOT NULL, steps INTEGER NOT NULL, PRIMARY KEY (cell, number)) WITHOUT ROWID;
    CREATE TABLE seats (cell INTEGER NOT NULL, number INTEGER NOT NULL, seat INTEGER NOT NULL,
        entrant INTEGER NOT NULL, role TEXT NOT NULL, cheating INTEGER NOT NULL, reward REAL NOT NULL,
        score REAL NOT NULL, moves INTEGER NOT NULL, micros INTEGER NOT NULL, iterations INTEGER NOT NULL,
        nodes INTEGER NOT NULL, depth INTEGER NOT NULL, mean_depths REAL NOT NULL, place REAL NOT NULL,
        PRIMARY KEY (cell, number, seat)) WITHOUT ROWID;
    CREATE TABLE points (cell INTEGER NOT NULL, run INTEGER NOT NULL, done INTEGER NOT NULL,
        seconds REAL NOT NULL, value REAL NOT NULL, nash_conv REAL NOT NULL, exploitability REAL NOT NULL,
        PRIMARY KEY (cell, run, done)) WITHOUT ROWID;
";

/// What version 2 has beyond version 1.
const FOLLOWED: &str = "
    CREATE TABLE followed (cell INTEGER NOT NULL, number INTEGER NOT NULL, seat INTEGER NOT NULL,
        place INTEGER NOT NULL, name TEXT NOT NULL, step INTEGER NOT NULL, episode INTEGER, value REAL NOT NULL,
        PRIMARY KEY (cell, number, seat, place)) WITHOUT ROWID;
";

/// What version 3 has beyond version 2: sums, places, and first places that are shared. A game with a single
/// row is a decision, which nobody wins.
const SUMS_AND_PLACES: &str = "
    ALTER TABLE units ADD COLUMN sum INTEGER;
    ALTER TABLE seats ADD COLUMN place REAL NOT NULL DEFAULT 1;
    UPDATE seats SET place = (
        SELECT 0.5 + total(o.reward > seats.reward) + total(o.reward = seats.reward) / 2
        FROM seats o WHERE o.cell = seats.cell AND o.number = seats.number);
    UPDATE seats SET score = (
        SELECT CASE WHEN max(o.reward) > seats.reward THEN 0.0
            ELSE 1.0 / count(DISTINCT CASE WHEN o.reward = seats.reward THEN o.entrant END) END
        FROM seats o WHERE o.cell = seats.cell AND o.number = seats.number)
    WHERE 1 < (SELECT count(*) FROM seats o WHERE o.cell = seats.cell AND o.number = seats.number);
";

/// Makes the tables of a new store.
pub(super) fn create(connection: &Connection) -> Result<(), StoreError> {
    connection.execute_batch(TABLES)?;
    connection.execute_batch(FOLLOWED)?;
    Ok(connection.pragma_update(None, "user_version", VERSION)?)
}

/// Brings a store of this earlier version up to date.
pub(super) fn upgrade(connection: &Connection, from: i64) -> Result<(), StoreError> {
    let transaction = connection.unchecked_transaction()?;
    if from < 2 {
        transaction.execute_batch(FOLLOWED)?;
    }
    transaction.execute_batch(SUMS_AND_PLACES)?;
    units(&transaction)?.iter().try_for_each(|unit| seal_unit(&transaction, unit))?;
    seal_meta(&transaction)?;
    transaction.pragma_update(None, "user_version", VERSION)?;
    Ok(transaction.commit()?)
}

/// A copy of a store in memory, which can be brought up to date where the store itself must not be written.
pub(super) fn copied(from: &Connection, version: i64) -> Result<Connection, StoreError> {
    let copy = Connection::open_in_memory()?;
    let mut tables = from.prepare("SELECT name, sql FROM sqlite_master WHERE type = 'table'")?;
    let mut tables = tables.query([])?;
    while let Some(table) = tables.next()? {
        let (name, sql): (String, String) = (table.get(0)?, table.get(1)?);
        copy.execute_batch(&sql)?;
        let mut query = from.prepare(&format!("SELECT * FROM \"{name}\""))?;
        let columns = query.column_count();
        let marks = vec!["?"; columns].join(", ");
        let mut insert = copy.prepare(&format!("INSERT INTO \"{name}\" VALUES ({marks})"))?;
        let mut rows = query.query([])?;
        while let Some(row) = rows.next()? {
            let values = (0..columns).map(|i| row.get(i)).collect::<Result<Vec<Value>, _>>()?;
            insert.execute(params_from_iter(values))?;
        }
    }
    copy.pragma_update(None, "user_version", version)?;
    Ok(copy)
}

/// Makes the store of one plan that of a larger one, in which each old cell has this new number. Units that
/// were shorter because the old plan ended there are done again.
pub(super) fn grow(connection: &Connection, plan: &Plan, cells: &[usize]) -> Result<(), StoreError> {
    let transaction = connection.unchecked_transaction()?;
    let tables = || PARTS.iter().map(|part| part.0).chain(["units"]);
    // By negative numbers, so that a cell never gets one that another still has.
    for (old, new) in cells.iter().enumerate().filter(|(old, new)| old != *new) {
        for table in tables() {
            let text = format!("UPDATE {table} SET cell = ?2 WHERE cell = ?1");
            transaction.execute(&text, params![old, -1 - new.cast_signed()])?;
        }
    }
    for table in tables() {
        transaction.execute(&format!("UPDATE {table} SET cell = -1 - cell WHERE cell < 0"), [])?;
    }
    for unit in units(&transaction)? {
        if plan.has_unit(&unit) {
            seal_unit(&transaction, &unit)?;
        } else {
            remove(&transaction, unit.cell, unit.first)?;
        }
    }
    super::set_meta(&transaction, "plan", &super::plan_text(plan))?;
    Ok(transaction.commit()?)
}

/// Removes the units of a cell from this game on.
pub(super) fn remove(connection: &Connection, cell: usize, from: u64) -> Result<(), StoreError> {
    for (table, number) in PARTS.iter().map(|part| (part.0, part.1)).chain([("units", "first")]) {
        let text = format!("DELETE FROM {table} WHERE cell = ?1 AND {number} >= ?2");
        connection.execute(&text, params![cell, from])?;
    }
    Ok(())
}

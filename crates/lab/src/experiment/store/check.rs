//! Whether a store is whole: the file by SQLite's own check, its units by the plan, their rows by sums.

use rusqlite::types::ValueRef;
use rusqlite::{Connection, Row, params};

use super::super::plan::{Plan, Unit};
use super::super::sum::Sum;
use super::StoreError;

/// The tables whose rows belong to units: the column that says to which, and all that tell rows apart.
pub(super) const PARTS: [(&str, &str, &str); 4] = [
    ("games", "number", "number"),
    ("seats", "number", "number, seat"),
    ("followed", "number", "number, seat, place"),
    ("points", "run", "run, done"),
];

fn add_row(sum: &mut Sum, row: &Row<'_>, columns: usize) -> Result<(), rusqlite::Error> {
    for column in 0..columns {
        match row.get_ref(column)? {
            ValueRef::Null => sum.word(0),
            ValueRef::Integer(n) => {
                sum.word(1);
                sum.word(n.cast_unsigned());
            }
            ValueRef::Real(x) => {
                sum.word(2);
                sum.word(x.to_bits());
            }
            ValueRef::Text(bytes) | ValueRef::Blob(bytes) => {
                sum.word(3);
                sum.bytes(bytes);
            }
        }
    }
    Ok(())
}

/// The sum over a unit and its rows, and how many of these each table has.
fn sum_of_unit(connection: &Connection, unit: &Unit) -> Result<(i64, [u64; 4]), StoreError> {
    let Unit { cell, first, count } = *unit;
    let mut sum = Sum::default();
    [cell as u64, first, count].into_iter().for_each(|word| sum.word(word));
    let mut rows = [0; PARTS.len()];
    for ((table, number, order), rows) in PARTS.into_iter().zip(&mut rows) {
        let query = format!(
            "SELECT * FROM {table} WHERE cell = ?1 AND {number} >= ?2 AND {number} < ?3 ORDER BY {order}"
        );
        let mut query = connection.prepare_cached(&query)?;
        let columns = query.column_count();
        let mut found = query.query(params![cell, first, first.saturating_add(count)])?;
        while let Some(row) = found.next()? {
            add_row(&mut sum, row, columns)?;
            *rows += 1;
        }
        sum.word(*rows);
    }
    Ok((sum.value().cast_signed(), rows))
}

/// Writes the sum of a unit beside it.
pub(super) fn seal_unit(connection: &Connection, unit: &Unit) -> Result<(), StoreError> {
    let (sum, _) = sum_of_unit(connection, unit)?;
    let mut update = connection.prepare_cached("UPDATE units SET sum = ?3 WHERE cell = ?1 AND first = ?2")?;
    update.execute(params![unit.cell, unit.first, sum])?;
    Ok(())
}

/// The sum over what a store says of itself, and over the names and columns of its tables.
fn sum_of_meta(connection: &Connection) -> Result<String, StoreError> {
    let mut sum = Sum::default();
    for query in [
        "SELECT key, value FROM meta WHERE key <> 'sum' ORDER BY key",
        "SELECT name, sql FROM sqlite_master ORDER BY name",
    ] {
        let mut query = connection.prepare(query)?;
        let mut rows = query.query([])?;
        while let Some(row) = rows.next()? {
            add_row(&mut sum, row, 2)?;
        }
    }
    Ok(sum.to_string())
}

/// Writes the sum over what a store says of itself.
pub(super) fn seal_meta(connection: &Connection) -> Result<(), StoreError> {
    let sum = sum_of_meta(connection)?;
    connection.execute("INSERT OR REPLACE INTO meta VALUES ('sum', ?1)", [sum])?;
    Ok(())
}

/// Whether the file is a whole database.
pub(super) fn check_file(connection: &Connection) -> Result<(), StoreError> {
    let found: String = connection.query_row("PRAGMA quick_check(1)", [], |row| row.get(0))?;
    if found == "ok" { Ok(()) } else { Err(StoreError::Damaged(found.replace('\n', " "))) }
}

/// Whether what a store says of itself is what was written.
pub(super) fn check_meta(connection: &Connection) -> Result<(), StoreError> {
    let kept: Option<String> = super::meta(connection, "sum")?;
    if kept == Some(sum_of_meta(connection)?) {
        return Ok(());
    }
    Err(StoreError::Damaged("the sum of its plan and tables is wrong".to_string()))
}

/// Whether every unit is one of the plan and has the rows that were written, and no row is without a unit.
pub(super) fn check_units(connection: &Connection, plan: &Plan) -> Result<(), StoreError> {
    let damaged = |why: String| Err(StoreError::Damaged(why));
    let mut all = [0; PARTS.len()];
    let mut query = connection.prepare("SELECT cell, first, count, sum FROM units")?;
    let mut units = query.query([])?;
    while let Some(row) = units.next()? {
        let unit = Unit { cell: row.get(0)?, first: row.get(1)?, count: row.get(2)? };
        let Unit { cell, first, .. } = unit;
        if !plan.has_unit(&unit) {
            return damaged(format!("its plan has no unit at game {first} of cell {cell}"));
        }
        let (sum, rows) = sum_of_unit(connection, &unit)?;
        if row.get::<_, Option<i64>>(3)? != Some(sum) {
            return damaged(format!("the sum of the unit at game {first} of cell {cell} is wrong"));
        }
        all.iter_mut().zip(rows).for_each(|(all, rows)| *all += rows);
    }
    for ((table, ..), expected) in PARTS.into_iter().zip(all) {
        let found: u64 =
            connection.query_row(&format!("SELECT count(*) FROM {table}"), [], |row| row.get(0))?;
        if found != expected {
            return damaged(format!("{found} rows of '{table}' instead of {expected}"));
        }
    }
    Ok(())
}

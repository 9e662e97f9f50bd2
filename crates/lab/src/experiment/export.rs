//! All results of an experiment for other programs: a row for every seat of every game.
//!
//! The columns are those of [`COLUMNS`], in CSV and Parquet alike; JSON lines hold whole games.

use std::collections::BTreeSet;
use std::io::Write;

use serde_json::json;

use super::plan::{Cell, Plan};
use super::store::{Store, StoreError};
use crate::row::GameRow;

/// What a column holds.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Kind {
    /// Whole numbers.
    Whole,
    /// Numbers.
    Number,
    /// Words.
    Text,
    /// Yes or no.
    Flag,
}

/// The columns of every export. After them comes one for each name in the sweep, `sweep_NAME`, empty where it
/// does not occur.
pub const COLUMNS: [(&str, Kind); 18] = [
    ("cell", Kind::Whole),
    ("game", Kind::Text),
    ("number", Kind::Whole),
    ("deal", Kind::Text),
    ("seat", Kind::Whole),
    ("entrant", Kind::Whole),
    ("agent", Kind::Text),
    ("role", Kind::Text),
    ("cheating", Kind::Flag),
    ("reward", Kind::Number),
    ("score", Kind::Number),
    ("moves", Kind::Whole),
    ("micros", Kind::Whole),
    ("iterations", Kind::Whole),
    ("nodes", Kind::Whole),
    ("depth", Kind::Whole),
    ("place", Kind::Number),
    ("spec", Kind::Text),
];

/// The names of all columns, with what they hold.
fn columns(plan: &Plan) -> Vec<(String, Kind)> {
    let fixed = COLUMNS.iter().map(|(name, kind)| (name.to_string(), *kind));
    fixed.chain(swept(plan).into_iter().map(|name| (format!("sweep_{name}"), Kind::Text))).collect()
}

/// The names in the sweep that tell cells apart.
fn swept(plan: &Plan) -> BTreeSet<&str> {
    plan.cells.iter().flat_map(|cell| cell.values.keys().map(String::as_str)).collect()
}

/// What stands in a row.
#[derive(Clone, PartialEq, Debug)]
enum Field {
    Whole(u64),
    Number(f64),
    Text(String),
    Flag(bool),
}

impl std::fmt::Display for Field {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Field::Whole(n) => n.fmt(f),
            Field::Number(x) => x.fmt(f),
            Field::Flag(yes) => yes.fmt(f),
            Field::Text(text) if text.contains([',', '"', '\n']) => {
                write!(f, "\"{}\"", text.replace('"', "\"\""))
            }
            Field::Text(text) => text.fmt(f),
        }
    }
}

/// Why results could not be written.
#[derive(Debug, thiserror::Error)]
pub enum ExportError {
    /// They could not be read.
    #[error(transparent)]
    Store(#[from] StoreError),
    /// They could not be written.
    #[error("the results could not be written: {0}")]
    Write(#[from] std::io::Error),
}

/// The rows of a game.
fn rows<'a>(
    number: usize,
    cell: &'a Cell,
    game: &'a GameRow,
    swept: &'a BTreeSet<&str>,
) -> impl Iterator<Item = Vec<Field>> + 'a {
    let agents = cell.agents();
    game.seats.iter().enumerate().map(move |(seat, s)| {
        let e = s.effort;
        let agent = agents.get(s.entrant);
        let mut row = vec![
            Field::Whole(number as u64),
            Field::Text(cell.game.clone()),
            Field::Whole(game.number),
            Field::Text(game.deal.0.to_string()),
            Field::Whole(seat as u64),
            Field::Whole(s.entrant as u64),
            Field::Text(agent.map_or_else(String::new, |a| a.name.clone())),
            Field::Text(s.role.clone()),
            Field::Flag(s.cheating),
            Field::Number(s.reward),
            Field::Number(s.score),
            Field::Whole(e.moves),
            Field::Whole(e.micros),
            Field::Whole(e.iterations),
            Field::Whole(e.nodes),
            Field::Whole(u64::from(e.depth)),
            Field::Number(s.place),
            Field::Text(agent.map_or_else(String::new, |a| a.agent.clone())),
        ];
        row.extend(swept.iter().map(|name| Field::Text(cell.values.get(*name).cloned().unwrap_or_default())));
        row
    })
}

/// Writes all games as comma-separated values.
pub fn csv(plan: &Plan, store: &Store, mut out: impl Write) -> Result<(), ExportError> {
    let names: Vec<String> =
        columns(plan).into_iter().map(|(name, _)| Field::Text(name).to_string()).collect();
    writeln!(out, "{}", names.join(","))?;
    let swept = swept(plan);
    for (number, cell) in plan.cells.iter().enumerate() {
        for game in store.games(number)? {
            for row in rows(number, cell, &game, &swept) {
                let fields: Vec<String> = row.iter().map(Field::to_string).collect();
                writeln!(out, "{}", fields.join(","))?;
            }
        }
    }
    Ok(out.flush()?)
}

/// Writes all games as JSON, one on a line.
pub fn json_lines(plan: &Plan, store: &Store, mut out: impl Write) -> Result<(), ExportError> {
    for (number, cell) in plan.cells.iter().enumerate() {
        let agents = cell.agents();
        for row in store.games(number)? {
            let line = json!({
                "cell": number, "game": cell.game, "values": cell.values, "agents": agents, "row": row,
            });
            writeln!(out, "{line}")?;
        }
    }
    Ok(out.flush()?)
}

/// Writes all games as a Parquet file, a row group for every cell.
#[cfg(feature = "parquet")]
pub fn parquet(plan: &Plan, store: &Store, out: impl Write + Send) -> Result<(), ExportError> {
    use std::sync::Arc;

    use ::parquet::errors::ParquetError;
    use ::parquet::file::properties::WriterProperties;
    use ::parquet::file::writer::SerializedFileWriter;
    use ::parquet::schema::parser::parse_message_type;

    let failed = |why: ParquetError| ExportError::Write(std::io::Error::other(why));
    let (columns, swept) = (columns(plan), swept(plan));
    let schema = columns.iter().map(|(name, kind)| {
        let kind = match kind {
            Kind::Whole => "REQUIRED INT64 %",
            Kind::Number => "REQUIRED DOUBLE %",
            Kind::Text => "REQUIRED BYTE_ARRAY % (UTF8)",
            Kind::Flag => "REQUIRED BOOLEAN %",
        };
        format!("{};", kind.replace('%', name))
    });
    let schema = format!("message seats {{ {} }}", schema.collect::<String>());
    let schema = Arc::new(parse_message_type(&schema).map_err(failed)?);
    let properties = Arc::new(WriterProperties::builder().build());
    let mut writer = SerializedFileWriter::new(out, schema, properties).map_err(failed)?;
    for (number, cell) in plan.cells.iter().enumerate() {
        let games = store.games(number)?;
        let rows: Vec<_> = games.iter().flat_map(|game| rows(number, cell, game, &swept)).collect();
        if rows.is_empty() {
            continue;
        }
        let mut group = writer.next_row_group().map_err(failed)?;
        for (place, (_, kind)) in columns.iter().enumerate() {
            let mut column = group.next_column().map_err(failed)?.expect("a writer for every column");
            write_column(&mut column, *kind, rows.iter().map(|row| &row[place])).map_err(failed)?;
            column.close().map_err(failed)?;
        }
        group.close().map_err(failed)?;
    }
    writer.close().map_err(failed)?;
    Ok(())
}

#[cfg(feature = "parquet")]
fn write_column<'a>(
    column: &mut parquet::file::writer::SerializedColumnWriter<'_>,
    kind: Kind,
    fields: impl Iterator<Item = &'a Field>,
) -> ::parquet::errors::Result<usize> {
    use ::parquet::data_type::{BoolType, ByteArray, ByteArrayType, DoubleType, Int64Type};

    fn all<'a, T>(fields: impl Iterator<Item = &'a Field>, of: fn(&Field) -> Option<T>) -> Vec<T> {
        fields.map(|field| of(field).expect("fields are of the kind of their column")).collect()
    }
    match kind {
        Kind::Whole => {
            let values = all(fields, |f| if let Field::Whole(n) = f { Some(n.cast_signed()) } else { None });
            column.typed::<Int64Type>().write_batch(&values, None, None)
        }
        Kind::Number => {
            let values = all(fields, |f| if let Field::Number(x) = f { Some(*x) } else { None });
            column.typed::<DoubleType>().write_batch(&values, None, None)
        }
        Kind::Text => {
            let bytes = |f: &Field| if let Field::Text(text) = f { Some(text.as_str().into()) } else { None };
            let values: Vec<ByteArray> = all(fields, bytes);
            column.typed::<ByteArrayType>().write_batch(&values, None, None)
        }
        Kind::Flag => {
            let values = all(fields, |f| if let Field::Flag(yes) = f { Some(*yes) } else { None });
            column.typed::<BoolType>().write_batch(&values, None, None)
        }
    }
}

//! The moves of a game in Python: a code and a name for each that was met.

use std::collections::HashMap;
use std::sync::{Arc, PoisonError, RwLock};

use pyo3::prelude::*;
use pyo3::types::{PyList, PyString, PyTuple};

use super::form::{Form, code_of, short};
use crate::errors::input;

/// A move.
pub(super) struct Item {
    pub(super) object: Py<PyAny>,
    pub(super) name: String,
}

/// All moves that were met, or all that there are if the game lists them.
pub(super) struct Moves {
    /// How many there are, if they are listed: their codes are their places.
    listed: Option<usize>,
    /// The method `name` of the game, if it has one.
    naming: Option<Py<PyAny>>,
    table: RwLock<Table>,
}

#[derive(Default)]
struct Table {
    codes: HashMap<Vec<u8>, u64>,
    items: HashMap<u64, Arc<Item>>,
    names: HashMap<String, u64>,
}

impl Moves {
    pub(super) fn new(naming: Option<Py<PyAny>>, listed: Option<Bound<'_, PyAny>>) -> PyResult<Moves> {
        let mut moves = Moves { listed: None, naming, table: RwLock::default() };
        let Some(listed) = listed else { return Ok(moves) };
        let mut table = Table::default();
        for (code, object) in (0..).zip(listed.try_iter()?) {
            let object = object?;
            let name = moves.name_of(&object)?;
            if table.codes.insert(Form::plain(&object)?, code).is_some() {
                return Err(input(format!("moves: {} is listed twice", short(&object))));
            }
            table.names.entry(name.clone()).or_insert(code);
            table.items.insert(code, Arc::new(Item { object: object.unbind(), name }));
        }
        moves.listed = Some(table.items.len());
        moves.table = RwLock::new(table);
        Ok(moves)
    }

    /// How many moves there are, if they are listed.
    pub(super) fn listed(&self) -> Option<usize> {
        self.listed
    }

    /// The code of a move.
    pub(super) fn code(&self, object: &Bound<'_, PyAny>) -> PyResult<u64> {
        let form = Form::plain(object)?;
        let known = self.read(|table| table.codes.get(&form).copied());
        if let Some(code) = known {
            return Ok(code);
        }
        if self.listed.is_some() {
            return Err(input(format!("the move {} is not among those that `moves` lists", short(object))));
        }
        let (code, name) = (code_of(&form), self.name_of(object)?);
        let item = Arc::new(Item { object: object.clone().unbind(), name: name.clone() });
        let mut table = self.table.write().unwrap_or_else(PoisonError::into_inner);
        if table.items.contains_key(&code) && !table.codes.contains_key(&form) {
            return Err(input(format!(
                "two moves have the code {code}, one of them {name}: list them in `moves`"
            )));
        }
        table.codes.insert(form, code);
        table.names.entry(name).or_insert(code);
        table.items.entry(code).or_insert(item);
        Ok(code)
    }

    /// The move with a code, if it was met.
    pub(super) fn item(&self, code: u64) -> Option<Arc<Item>> {
        self.read(|table| table.items.get(&code).cloned())
    }

    /// The code of the move with a name. Where moves have no names of their own, one that was not met is read as a
    /// plain value.
    pub(super) fn named(&self, py: Python<'_>, name: &str) -> PyResult<Option<u64>> {
        if let Some(code) = self.read(|table| table.names.get(name).copied()) {
            return Ok(Some(code));
        }
        if self.listed.is_some() || self.naming.is_some() {
            return Ok(None);
        }
        let object = read(py, name)?;
        if default_name(&object)? != name { Ok(None) } else { self.code(&object).map(Some) }
    }

    /// What a move or an outcome is called.
    pub(super) fn name_of(&self, object: &Bound<'_, PyAny>) -> PyResult<String> {
        let Some(naming) = &self.naming else { return default_name(object) };
        let name = naming.bind(object.py()).call1((object,))?;
        let name = name.cast::<PyString>().map_err(|_| {
            input(format!("name({}) returned {}: expected a text", short(object), short(&name)))
        })?;
        Ok(word(name.to_str()?))
    }

    fn read<T>(&self, look: impl FnOnce(&Table) -> T) -> T {
        look(&self.table.read().unwrap_or_else(PoisonError::into_inner))
    }
}

/// The name of a value: its text, that of several with commas between.
fn default_name(value: &Bound<'_, PyAny>) -> PyResult<String> {
    if value.is_instance_of::<PyTuple>() || value.is_instance_of::<PyList>() {
        let parts = value.try_iter()?.map(|part| default_name(&part?)).collect::<PyResult<Vec<_>>>()?;
        return Ok(if parts.is_empty() { "()".to_string() } else { parts.join(",") });
    }
    Ok(word(value.str()?.to_str()?))
}

/// A text as one word.
fn word(text: &str) -> String {
    let word: String =
        text.trim().chars().map(|c| if c.is_whitespace() || c.is_control() { '_' } else { c }).collect();
    if word.is_empty() { "''".to_string() } else { word }
}

/// The plain value that a name is taken for.
fn read<'py>(py: Python<'py>, name: &str) -> PyResult<Bound<'py, PyAny>> {
    if name.contains(',') {
        let parts = name.split(',').map(|part| read(py, part)).collect::<PyResult<Vec<_>>>()?;
        return Ok(PyTuple::new(py, parts)?.into_any());
    }
    Ok(match name.parse::<i64>() {
        Ok(number) if number.to_string() == name => number.into_pyobject(py)?.into_any(),
        _ => PyString::new(py, name).into_any(),
    })
}

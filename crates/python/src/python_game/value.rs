//! States and outcomes: Python values that are shared by counting references.

use std::fmt;
use std::hash::{Hash, Hasher};
use std::sync::{Arc, OnceLock};

use fogtree_core::Turn;
use pyo3::prelude::*;

use super::form::{Form, short};
use crate::worker::in_python;

/// A Python value that nobody changes. Copies share it; it is compared by its contents.
#[derive(Clone)]
pub(crate) struct Value(Arc<Shared>);

struct Shared {
    object: Py<PyAny>,
    /// Worked out when it is first asked for.
    form: OnceLock<Hashed>,
    /// Whose turn it is in this state.
    turn: OnceLock<Turn>,
    /// The state that this one came from and what was done there, while a game is being checked.
    before: Option<(Value, String)>,
}

struct Hashed {
    form: Form,
    hash: u64,
}

impl Value {
    pub(super) fn new(object: Py<PyAny>) -> Value {
        Value(Arc::new(Shared { object, form: OnceLock::new(), turn: OnceLock::new(), before: None }))
    }

    /// A state that came from another one.
    pub(super) fn after(object: Py<PyAny>, before: &Value, what: String) -> Value {
        let before = Some((before.clone(), what));
        Value(Arc::new(Shared { object, form: OnceLock::new(), turn: OnceLock::new(), before }))
    }

    pub(super) fn object(&self) -> &Py<PyAny> {
        &self.0.object
    }

    /// Whose turn it is, once that was found out.
    pub(super) fn turn(&self) -> &OnceLock<Turn> {
        &self.0.turn
    }

    /// What led here, oldest first.
    pub(super) fn history(&self) -> Vec<&str> {
        let (mut at, mut steps) = (self, Vec::new());
        while let Some((before, what)) = &at.0.before {
            steps.push(what.as_str());
            at = before;
        }
        steps.reverse();
        steps
    }

    /// Works out the form, and whether it is still what it was.
    pub(super) fn unchanged(&self, py: Python<'_>) -> PyResult<bool> {
        let now = Form::of(self.0.object.bind(py))?;
        let then = self.hashed(py)?;
        then.form.same(&now, py)
    }

    fn hashed(&self, py: Python<'_>) -> PyResult<&Hashed> {
        if let Some(hashed) = self.0.form.get() {
            return Ok(hashed);
        }
        // Nobody waits for another thread while it holds the interpreter's lock.
        let form = Form::of(self.0.object.bind(py))?;
        let mut hasher = fogtree_core::StateHasher::default();
        form.bytes.hash(&mut hasher);
        for other in &form.others {
            hasher.write_u64(other.bind(py).hash()? as u64);
        }
        let hashed = Hashed { form, hash: hasher.finish() };
        Ok(self.0.form.get_or_init(|| hashed))
    }

    fn form(&self) -> &Hashed {
        if self.0.form.get().is_none() {
            in_python(|py| self.hashed(py).map(|_| ()));
        }
        self.0.form.get().expect("it was worked out")
    }
}

impl PartialEq for Value {
    fn eq(&self, other: &Value) -> bool {
        if Arc::ptr_eq(&self.0, &other.0) {
            return true;
        }
        let (a, b) = (self.form(), other.form());
        a.hash == b.hash
            && a.form.bytes == b.form.bytes
            && (a.form.others.is_empty() && b.form.others.is_empty()
                || in_python(|py| a.form.same(&b.form, py)))
    }
}

impl Eq for Value {}

impl Hash for Value {
    fn hash<H: Hasher>(&self, state: &mut H) {
        state.write_u64(self.form().hash);
    }
}

impl fmt::Debug for Value {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&in_python(|py| Ok(short(self.0.object.bind(py)))))
    }
}

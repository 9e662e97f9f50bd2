//! Plain Python values in a form that can be compared, hashed and ordered without Python.
//!
//! Values that Python takes for equal have the same bytes: `1`, `1.0` and `True`, dictionaries in any order. Beyond that,
//! lists count as tuples, and objects without an equality of their own as their class and attributes. No form is the
//! beginning of another. Objects that have their own `__eq__` and `__hash__` stay what they are.

use std::fmt::Write as _;

use fogtree_core::Observation;
use pyo3::exceptions::PyTypeError;
use pyo3::intern;
use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyDict, PyFloat, PyFrozenSet, PyInt, PyList, PySet, PyString, PyTuple, PyType};

const END: u8 = 0x00;
const NONE: u8 = 0x01;
/// Whole numbers: zero, and as many more or less as there are bytes of the amount.
const ZERO: u8 = 0x40;
const LARGE: u8 = 0x50;
const FLOAT: u8 = 0x60;
const TEXT: u8 = 0x70;
const BYTES: u8 = 0x71;
const SEQUENCE: u8 = 0x80;
const SET: u8 = 0x81;
const DICT: u8 = 0x82;
const OBJECT: u8 = 0x83;
const MEMBER: u8 = 0x84;
const OTHER: u8 = 0x85;
/// Values within values, at most.
const DEEPEST: usize = 100;

/// The form of a value.
#[derive(Default)]
pub(super) struct Form {
    /// What is plain in it.
    pub(super) bytes: Vec<u8>,
    /// Objects with an equality of their own, in the order in which they occur.
    pub(super) others: Vec<Py<PyAny>>,
}

impl Form {
    /// The form of any value.
    pub(super) fn of(value: &Bound<'_, PyAny>) -> PyResult<Form> {
        let mut form = Form::default();
        form.put(value, 0)?;
        Ok(form)
    }

    /// The form of a value that has to be plain.
    pub(super) fn plain(value: &Bound<'_, PyAny>) -> PyResult<Vec<u8>> {
        let form = Form::of(value)?;
        match form.others.first() {
            None => Ok(form.bytes),
            Some(other) => Err(not_plain(other.bind(value.py()))),
        }
    }

    /// Whether two values are the same.
    pub(super) fn same(&self, other: &Form, py: Python<'_>) -> PyResult<bool> {
        if self.bytes != other.bytes || self.others.len() != other.others.len() {
            return Ok(false);
        }
        for (a, b) in self.others.iter().zip(&other.others) {
            if !a.is(b) && !a.bind(py).eq(b)? {
                return Ok(false);
            }
        }
        Ok(true)
    }

    fn put(&mut self, value: &Bound<'_, PyAny>, depth: usize) -> PyResult<()> {
        if depth > DEEPEST {
            return Err(PyTypeError::new_err("values are nested too deeply to be compared"));
        }
        if let Ok(text) = value.cast::<PyString>() {
            self.text(text.to_str()?);
        } else if let Ok(items) = value.cast::<PyTuple>() {
            self.bytes.push(SEQUENCE);
            items.iter_borrowed().try_for_each(|item| self.put(&item, depth + 1))?;
            self.bytes.push(END);
        } else if value.is_instance_of::<PyInt>() {
            self.number(value)?;
        } else if value.is_none() {
            self.bytes.push(NONE);
        } else if let Ok(items) = value.cast::<PyList>() {
            self.bytes.push(SEQUENCE);
            items.iter().try_for_each(|item| self.put(&item, depth + 1))?;
            self.bytes.push(END);
        } else if let Ok(number) = value.cast::<PyFloat>() {
            self.float(number)?;
        } else if let Ok(dict) = value.cast::<PyDict>() {
            let pairs = dict.iter().map(|(key, value)| [key, value]);
            self.unordered(DICT, pairs, depth)?;
        } else if value.is_instance_of::<PySet>() || value.is_instance_of::<PyFrozenSet>() {
            let items = value.try_iter()?.map(|item| Ok([item?])).collect::<PyResult<Vec<_>>>()?;
            self.unordered(SET, items.into_iter(), depth)?;
        } else if let Ok(bytes) = value.cast::<PyBytes>() {
            self.bytes.push(BYTES);
            self.bytes.extend((bytes.as_bytes().len() as u64).to_be_bytes());
            self.bytes.extend(bytes.as_bytes());
        } else {
            self.object(value, depth)?;
        }
        Ok(())
    }

    fn text(&mut self, text: &str) {
        self.bytes.push(TEXT);
        for byte in text.bytes() {
            self.bytes.push(byte);
            if byte == END {
                self.bytes.push(0xff);
            }
        }
        self.bytes.push(END);
    }

    fn whole(&mut self, number: i64) {
        let amount = number.unsigned_abs();
        let length = 8 - amount.leading_zeros() as u8 / 8;
        let bytes = &amount.to_be_bytes()[8 - length as usize..];
        if number < 0 {
            self.bytes.push(ZERO - length);
            self.bytes.extend(bytes.iter().map(|byte| !byte));
        } else {
            self.bytes.push(ZERO + length);
            self.bytes.extend(bytes);
        }
    }

    fn number(&mut self, value: &Bound<'_, PyAny>) -> PyResult<()> {
        if let Ok(small) = value.extract::<i64>() {
            self.whole(small);
            return Ok(());
        }
        let py = value.py();
        let length = value.call_method0(intern!(py, "bit_length"))?.extract::<usize>()? / 8 + 1;
        let options = PyDict::new(py);
        options.set_item("signed", true)?;
        let bytes = value.call_method("to_bytes", (length, "big"), Some(&options))?;
        self.bytes.push(LARGE);
        self.bytes.extend((length as u64).to_be_bytes());
        self.bytes.extend(bytes.cast::<PyBytes>()?.as_bytes());
        Ok(())
    }

    fn float(&mut self, number: &Bound<'_, PyFloat>) -> PyResult<()> {
        let value = number.value();
        if value.fract() != 0.0 || !value.is_finite() {
            self.bytes.push(FLOAT);
            self.bytes.extend(value.to_bits().to_be_bytes());
        } else if value.abs() < (1u64 << 62) as f64 {
            self.whole(value as i64);
        } else {
            self.number(number.call_method0("__int__")?.as_any())?;
        }
        Ok(())
    }

    /// Things whose order does not matter.
    fn unordered<'py, const N: usize>(
        &mut self,
        tag: u8,
        things: impl Iterator<Item = [Bound<'py, PyAny>; N]>,
        depth: usize,
    ) -> PyResult<()> {
        let mut forms = Vec::new();
        for thing in things {
            let mut form = Form::default();
            for value in &thing {
                form.put(value, depth + 1)?;
            }
            if let Some(other) = form.others.first() {
                return Err(not_plain(other.bind(thing[0].py())));
            }
            forms.push(form.bytes);
        }
        forms.sort_unstable();
        self.bytes.push(tag);
        forms.iter().for_each(|form| self.bytes.extend(form));
        self.bytes.push(END);
        Ok(())
    }

    fn object(&mut self, value: &Bound<'_, PyAny>, depth: usize) -> PyResult<()> {
        let (py, class) = (value.py(), value.get_type());
        if class.hasattr(intern!(py, "__dataclass_fields__"))? {
            let fields = class.getattr(intern!(py, "__dataclass_fields__"))?.cast_into::<PyDict>()?;
            let mut pairs = Vec::with_capacity(fields.len());
            for (name, field) in fields {
                if field.getattr(intern!(py, "compare"))?.extract()? {
                    let part = value.getattr(name.cast::<PyString>()?)?;
                    pairs.push([name, part]);
                }
            }
            self.named(OBJECT, &class)?;
            return self.unordered(DICT, pairs.into_iter(), depth);
        }
        if value.hasattr(intern!(py, "tolist"))? {
            // Arrays and numbers of NumPy.
            return self.put(&value.call_method0(intern!(py, "tolist"))?, depth + 1);
        }
        if let Some(name) = member_name(value)? {
            self.named(MEMBER, &class)?;
            self.text(name.to_str()?);
            return Ok(());
        }
        let hash = class.getattr(intern!(py, "__hash__"))?;
        let plain = hash.is_none() || hash.is(py.get_type::<PyAny>().getattr(intern!(py, "__hash__"))?);
        if !plain {
            self.bytes.push(OTHER);
            self.others.push(value.clone().unbind());
            return Ok(());
        }
        let attributes = value.getattr(intern!(py, "__dict__")).map_err(|_| not_plain(value))?;
        self.named(OBJECT, &class)?;
        self.put(&attributes, depth + 1)
    }

    fn named(&mut self, tag: u8, class: &Bound<'_, PyType>) -> PyResult<()> {
        self.bytes.push(tag);
        self.text(class.qualname()?.to_str()?);
        Ok(())
    }
}

/// The name of a member of an enumeration.
fn member_name<'py>(value: &Bound<'py, PyAny>) -> PyResult<Option<Bound<'py, PyString>>> {
    let py = value.py();
    let kind = py.import(intern!(py, "enum"))?.getattr(intern!(py, "Enum"))?;
    if !value.is_instance(&kind)? {
        return Ok(None);
    }
    Ok(Some(value.getattr(intern!(py, "name"))?.cast_into()?))
}

fn not_plain(value: &Bound<'_, PyAny>) -> PyErr {
    let class = value.get_type().name().map_or_else(|_| "object".to_string(), |name| name.to_string());
    PyTypeError::new_err(format!(
        "{} is no plain value: expected numbers, texts, tuples, lists, dictionaries, sets, enumerations or dataclasses \
         (this is of the class {class})",
        short(value)
    ))
}

/// A value as text that fits into a message.
pub(super) fn short(value: &Bound<'_, PyAny>) -> String {
    let mut text = value.repr().map_or_else(|_| "a value".to_string(), |text| text.to_string());
    if let Some((at, _)) = text.char_indices().nth(200) {
        text.truncate(at);
        text.push_str("...");
    }
    text
}

/// The form of a value as an observation.
pub(super) fn observation(form: &[u8]) -> Observation {
    let (whole, rest) = form.as_chunks::<8>();
    let mut words: Vec<u64> = whole.iter().map(|&word| u64::from_be_bytes(word)).collect();
    if !rest.is_empty() {
        let mut last = [0; 8];
        last[..rest.len()].copy_from_slice(rest);
        words.push(u64::from_be_bytes(last));
    }
    Observation::words(&words)
}

/// The value that an observation is the form of, as text.
pub(super) fn in_words(seen: &Observation) -> Option<String> {
    let bytes: Vec<u8> = seen.as_words().iter().flat_map(|word| word.to_be_bytes()).collect();
    let mut text = String::new();
    let rest = Reader { text: &mut text, quoted: false }.value(&bytes, 0)?;
    rest.iter().all(|&byte| byte == 0).then_some(())?;
    Some(if text.trim().is_empty() { "''".to_string() } else { text })
}

/// Writes forms as text.
struct Reader<'a> {
    text: &'a mut String,
    /// Within other values, texts stand in quotes.
    quoted: bool,
}

impl Reader<'_> {
    /// Writes the value that the bytes begin with; returns what follows it.
    fn value<'b>(&mut self, bytes: &'b [u8], depth: usize) -> Option<&'b [u8]> {
        let (&tag, rest) = bytes.split_first()?;
        if depth > DEEPEST {
            return None;
        }
        match tag {
            NONE => self.write("None", rest),
            0x38..=0x48 => {
                let length = tag.abs_diff(ZERO) as usize;
                let (amount, rest) = rest.split_at_checked(length)?;
                let negative = tag < ZERO;
                let flip = if negative { 0xff } else { 0 };
                let amount = amount.iter().fold(0u64, |sum, byte| sum << 8 | u64::from(byte ^ flip));
                self.write(&format!("{}{amount}", if negative { "-" } else { "" }), rest)
            }
            LARGE | BYTES => {
                let (length, rest) = rest.split_first_chunk::<8>()?;
                let (bytes, rest) =
                    rest.split_at_checked(usize::try_from(u64::from_be_bytes(*length)).ok()?)?;
                let digits = bytes.iter().fold(String::from("0x"), |mut digits, byte| {
                    let _ = write!(digits, "{byte:02x}");
                    digits
                });
                self.write(&digits, rest)
            }
            FLOAT => {
                let (bits, rest) = rest.split_first_chunk::<8>()?;
                self.write(&f64::from_bits(u64::from_be_bytes(*bits)).to_string(), rest)
            }
            TEXT => {
                let (text, rest) = text_at(rest)?;
                let text = if self.quoted { format!("'{text}'") } else { text };
                self.write(&text, rest)
            }
            SEQUENCE => self.items(rest, ["(", ")"], false, depth),
            SET => self.items(rest, ["{", "}"], false, depth),
            DICT => self.items(rest, ["{", "}"], true, depth),
            OBJECT => {
                let (class, rest) = text_at(rest.strip_prefix(&[TEXT])?)?;
                self.text.push_str(class.rsplit('.').next().unwrap_or_default());
                self.value(rest, depth + 1)
            }
            MEMBER => {
                let (_, rest) = text_at(rest.strip_prefix(&[TEXT])?)?;
                let (name, rest) = text_at(rest.strip_prefix(&[TEXT])?)?;
                self.write(&name, rest)
            }
            _ => None,
        }
    }

    fn write<'b>(&mut self, text: &str, rest: &'b [u8]) -> Option<&'b [u8]> {
        self.text.push_str(text);
        Some(rest)
    }

    fn items<'b>(
        &mut self,
        mut rest: &'b [u8],
        [open, close]: [&str; 2],
        pairs: bool,
        depth: usize,
    ) -> Option<&'b [u8]> {
        let quoted = std::mem::replace(&mut self.quoted, true);
        self.text.push_str(open);
        let mut first = true;
        while *rest.first()? != END {
            if !first {
                self.text.push_str(", ");
            }
            first = false;
            rest = self.value(rest, depth + 1)?;
            if pairs {
                self.text.push_str(": ");
                rest = self.value(rest, depth + 1)?;
            }
        }
        self.text.push_str(close);
        self.quoted = quoted;
        Some(&rest[1..])
    }
}

/// The text that the bytes begin with, and what follows it.
fn text_at(bytes: &[u8]) -> Option<(String, &[u8])> {
    let mut text = Vec::new();
    let mut rest = bytes;
    loop {
        let (&byte, after) = rest.split_first()?;
        match (byte, after) {
            (END, [0xff, later @ ..]) => {
                text.push(END);
                rest = later;
            }
            (END, _) => return Some((String::from_utf8(text).ok()?, after)),
            _ => {
                text.push(byte);
                rest = after;
            }
        }
    }
}

/// The code of a move with this form: numbers that are not too large stand for themselves, short forms for their own
/// bytes, longer ones for 56 bits of a hash.
pub(super) fn code_of(form: &[u8]) -> u64 {
    const BITS: u32 = 56;
    let start = |bytes: &[u8]| bytes.iter().fold(0u64, |code, &byte| code << 8 | u64::from(byte));
    match form {
        [tag @ ZERO..=0x47, amount @ ..] if amount.len() == usize::from(tag - ZERO) => start(amount),
        _ if form.len() <= 7 => 1 << BITS | start(form) << (8 * (7 - form.len())),
        _ => 2 << BITS | start(&blake3::hash(form).as_bytes()[..7]),
    }
}

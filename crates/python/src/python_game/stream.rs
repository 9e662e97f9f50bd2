//! Our streams of random numbers behind the interface of `random.Random`.

use std::sync::{Mutex, PoisonError};

use fogtree_core::{Purpose, Rng, Seed};
use pyo3::intern;
use pyo3::prelude::*;
use pyo3::types::{PyAnyMethods, PyBytes};

/// A stream that Python draws from.
#[pyclass(frozen, module = "fogtree")]
pub(super) struct Stream(Mutex<Rng>);

impl Stream {
    fn with<T>(&self, draw: impl FnOnce(&mut Rng) -> T) -> T {
        draw(&mut self.0.lock().unwrap_or_else(PoisonError::into_inner))
    }
}

#[pymethods]
impl Stream {
    fn random(&self) -> f64 {
        self.with(Rng::unit)
    }

    fn getrandbits<'py>(&self, py: Python<'py>, k: usize) -> PyResult<Bound<'py, PyAny>> {
        if k <= 64 {
            let bits = if k == 0 { 0 } else { self.with(Rng::bits) >> (64 - k) };
            return Ok(bits.into_pyobject(py)?.into_any());
        }
        let words: Vec<u8> = (0..k.div_ceil(64)).flat_map(|_| self.with(Rng::bits).to_le_bytes()).collect();
        let whole = py
            .get_type::<pyo3::types::PyInt>()
            .call_method1("from_bytes", (PyBytes::new(py, &words), "little"))?;
        whole.call_method1("__rshift__", (words.len() * 8 - k,))
    }
}

/// Generators that are not in use: to make one takes longer than most draws.
#[derive(Default)]
pub(super) struct Streams(Mutex<Vec<(Py<PyAny>, Py<Stream>)>>);

impl Streams {
    /// Calls with a `random.Random` that draws from a stream of ours.
    pub(super) fn lend<'py, T>(
        &self,
        py: Python<'py>,
        rng: &mut Rng,
        call: impl FnOnce(&Bound<'py, PyAny>) -> PyResult<T>,
    ) -> PyResult<T> {
        let idle = self.0.lock().unwrap_or_else(PoisonError::into_inner).pop();
        let (random, stream) = match idle {
            Some(pair) => pair,
            None => {
                let stream = Py::new(py, Stream(Mutex::new(Seed(0).stream(Purpose::Sampling))))?;
                let random = py.import("random")?.getattr("Random")?.call1((0,))?;
                for method in ["random", "getrandbits"] {
                    random.setattr(method, stream.bind(py).getattr(method)?)?;
                }
                (random.unbind(), stream)
            }
        };
        let random = random.into_bound(py);
        random.setattr(intern!(py, "gauss_next"), py.None())?;
        stream.get().with(|own| own.clone_from(rng));
        let done = call(&random);
        stream.get().with(|own| rng.clone_from(own));
        self.0.lock().unwrap_or_else(PoisonError::into_inner).push((random.unbind(), stream));
        done
    }
}

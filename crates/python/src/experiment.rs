//! Experiments: many matches from one file, stored as they go.

use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use fogtree_lab::experiment::{Directory, Progress, Results, Runner, export, summarise};
use pyo3::prelude::*;

use crate::convert::to_python;
use crate::errors::{failed, input};
use crate::game::REGISTRY;
use crate::guarded;
use crate::worker::{escape, interruptible, is_over};

/// An experiment: many matches from one TOML file, stored as they go; stopped, it loses nothing and goes on.
#[pyclass(frozen, module = "fogtree")]
pub(crate) struct Experiment {
    file: PathBuf,
    scale: Option<String>,
    directory: PathBuf,
}

#[pymethods]
impl Experiment {
    #[new]
    #[pyo3(signature = (file, *, out = None, scale = None))]
    fn new(file: PathBuf, out: Option<PathBuf>, scale: Option<String>) -> PyResult<Experiment> {
        if !file.is_file() {
            return Err(input(format!("cannot read {}: there is no such file", file.display())));
        }
        let usual = || {
            let name = file.file_stem().unwrap_or_default().to_string_lossy().into_owned();
            Path::new("runs")
                .join(scale.as_ref().map_or_else(|| name.clone(), |scale| format!("{name}-{scale}")))
        };
        let directory = out.unwrap_or_else(usual);
        Ok(Experiment { file, scale, directory })
    }

    /// The folder of its results.
    #[getter]
    fn directory(&self) -> &Path {
        &self.directory
    }

    /// Plays what has not been played yet; `progress` is called with the games done and those there are.
    fn _run(&self, py: Python<'_>, threads: Option<usize>, progress: Option<Py<PyAny>>) -> PyResult<bool> {
        let directory = Directory::new(self.directory.clone());
        let plan =
            guarded(|| directory.prepare(&self.file, self.scale.as_deref(), &REGISTRY).map_err(input))?;
        let cores = std::thread::available_parallelism().map_or(1, usize::from);
        let stop = Arc::<AtomicBool>::default();
        let flag = Arc::clone(&stop);
        let work = move || -> Result<bool, String> {
            let _lock = directory.lock().map_err(|why| why.to_string())?;
            let store = directory.store(&plan).map_err(|why| why.to_string())?;
            let mut tell = |now: &Progress| {
                if let Some(progress) = progress.as_ref().filter(|_| !is_over()) {
                    Python::attach(|py| progress.call1(py, (now.done, now.of)))
                        .unwrap_or_else(|error| escape(error));
                }
            };
            let runner =
                Runner { plan: &plan, registry: &REGISTRY, store: &store, threads: threads.unwrap_or(cores) };
            let complete = runner.run(&flag, &mut tell).map_err(|why| why.to_string())?;
            store.settle().map_err(|why| why.to_string())?;
            Ok(complete)
        };
        interruptible(py, &stop, work)?.map_err(failed)
    }

    /// How each cell stands, as plain data.
    fn summary<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        let (store, plan) = Directory::new(self.directory.clone()).results().map_err(input)?;
        to_python(py, &summarise(&plan, &store).map_err(failed)?)
    }

    /// All games that were played, as plain data.
    fn rows<'py>(&self, py: Python<'py>) -> PyResult<Vec<Bound<'py, PyAny>>> {
        let (store, plan) = Directory::new(self.directory.clone()).results().map_err(input)?;
        let mut lines = Vec::new();
        export::json_lines(&plan, &store, &mut lines).map_err(failed)?;
        let lines = serde_json::Deserializer::from_slice(&lines).into_iter::<serde_json::Value>();
        lines.map(|line| to_python(py, &line.map_err(failed)?)).collect()
    }

    /// The report as an HTML page.
    fn report(&self) -> PyResult<String> {
        let results = Results::of(&Directory::new(self.directory.clone())).map_err(input)?;
        let command = format!("fogtree experiment report {}", self.directory.display());
        Ok(results.report(&command).html())
    }

    fn __repr__(&self) -> String {
        format!("fogtree.experiment({:?})", self.file)
    }
}

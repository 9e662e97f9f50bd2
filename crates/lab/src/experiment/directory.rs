//! The directory of an experiment: a copy of its file, the plan, the store, shards, the report.

use std::fs::{File, TryLockError};
use std::io::Write as _;
use std::path::{Path, PathBuf};

use fogtree_core::files::{read_text, write_whole};
use fogtree_table::Registry;

use super::file::BadFile;
use super::plan::Plan;
use super::store::{Store, StoreError};

/// Larger files of experiments are not read.
const LARGEST_FILE: u64 = 16 << 20;

/// Where an experiment lies.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Directory(PathBuf);

/// What is wrong with a directory.
#[derive(Debug, thiserror::Error)]
pub enum DirectoryError {
    /// The file of the experiment cannot be read.
    #[error("{path}: {why}")]
    Unreadable {
        /// Which file.
        path: String,
        /// Why.
        why: String,
    },
    /// The file of the experiment is wrong.
    #[error("{path}: {why}")]
    Bad {
        /// Which file.
        path: String,
        /// What and where.
        why: BadFile,
    },
    /// Nothing was ever run here.
    #[error("{0} holds no experiment; begin with: fogtree experiment run FILE --out {0}")]
    Empty(String),
    /// Another program is at work here.
    #[error("another program is running the experiment in {0}; wait for it, or choose another directory")]
    Busy(String),
    /// Something cannot be written.
    #[error("{0}")]
    Unwritable(String),
    /// The store is wrong.
    #[error("{path}: {why}")]
    Store {
        /// Which file.
        path: String,
        /// What is wrong.
        why: StoreError,
    },
}

/// Held while an experiment runs; two runners would do the same work twice.
#[derive(Debug)]
pub struct Lock(#[allow(dead_code, reason = "the lock ends with the file")] File);

impl Directory {
    /// This directory.
    pub fn new(path: impl Into<PathBuf>) -> Directory {
        Directory(path.into())
    }

    /// The path.
    pub fn path(&self) -> &Path {
        &self.0
    }

    fn join(&self, name: &str) -> PathBuf {
        self.0.join(name)
    }

    /// The file with the results.
    pub fn store_path(&self) -> PathBuf {
        self.join("results.sqlite")
    }

    /// The file with the report.
    pub fn report_path(&self) -> PathBuf {
        self.join("report.html")
    }

    /// The folder with the pictures of the report.
    pub fn pictures(&self) -> PathBuf {
        self.join("pictures")
    }

    /// The folder with results of shards.
    pub fn shards(&self) -> PathBuf {
        self.join("shards")
    }

    /// Plans the experiment of a file and lays its directory out: a copy of the file, and the plan. Where
    /// there is one already, its plan must be the same, or a part of this one.
    pub fn prepare(
        &self,
        file: &Path,
        scale: Option<&str>,
        registry: &Registry,
    ) -> Result<Plan, DirectoryError> {
        let path = file.display().to_string();
        let text = read_text(file, LARGEST_FILE)
            .map_err(|why| DirectoryError::Unreadable { path: path.clone(), why })?;
        self.prepare_text(&path, &text, scale, registry)
    }

    /// The same with the text of a file of this name.
    pub fn prepare_text(
        &self,
        name: &str,
        text: &str,
        scale: Option<&str>,
        registry: &Registry,
    ) -> Result<Plan, DirectoryError> {
        let plan = Plan::of(text, scale, registry)
            .map_err(|why| DirectoryError::Bad { path: name.to_string(), why })?;
        std::fs::create_dir_all(&self.0).map_err(|why| {
            DirectoryError::Unwritable(format!("cannot make the directory {}: {why}", self.0.display()))
        })?;
        if let Ok(kept) = self.plan()
            && kept != plan
        {
            let other = |why| {
                let why = StoreError::Other { found: kept.title.clone(), why };
                DirectoryError::Store { path: self.0.display().to_string(), why }
            };
            plan.grown_from(&kept).map_err(other)?;
            let _lock = self.lock()?;
        }
        let write = |name: &str, text: &str| {
            write_whole(self.join(name), |out| out.write_all(text.as_bytes()))
                .map_err(DirectoryError::Unwritable)
        };
        write("experiment.toml", text)?;
        write("plan.json", &serde_json::to_string_pretty(&plan).expect("a plan is plain data"))?;
        Ok(plan)
    }

    /// The plan of an experiment that was prepared before.
    pub fn plan(&self) -> Result<Plan, DirectoryError> {
        let path = self.join("plan.json");
        let empty = || DirectoryError::Empty(self.0.display().to_string());
        if !path.exists() {
            return Err(empty());
        }
        let unreadable = |why| DirectoryError::Unreadable { path: path.display().to_string(), why };
        let text = read_text(&path, 1 << 30).map_err(unreadable)?;
        serde_json::from_str(&text).map_err(|why| unreadable(why.to_string()))
    }

    /// Divides the experiment into this many shards, for [`Directory::shard_count`].
    pub fn divide(&self, shards: u64) -> Result<(), DirectoryError> {
        write_whole(self.join("shards.json"), |out| writeln!(out, "{{\"shards\": {shards}}}"))
            .map_err(DirectoryError::Unwritable)
    }

    /// Into how many shards the experiment was divided; no more than it has units of work.
    pub fn shard_count(&self, plan: &Plan) -> Result<u64, DirectoryError> {
        let path = self.join("shards.json");
        let undivided = |why: String| DirectoryError::Unreadable {
            path: path.display().to_string(),
            why: format!("{why}; divide the experiment first: fogtree experiment plan FILE --shards N"),
        };
        let text = read_text(&path, 1 << 16).map_err(undivided)?;
        let value: serde_json::Value =
            serde_json::from_str(&text).map_err(|why| undivided(why.to_string()))?;
        let count = value["shards"].as_u64().filter(|&n| n > 0);
        let count =
            count.ok_or_else(|| undivided("it does not say how many shards there are".to_string()))?;
        match plan.units().len() as u64 {
            units if count > units => {
                Err(undivided(format!("it says {count} shards, but there are {units} units of work")))
            }
            _ => Ok(count),
        }
    }

    /// The file of the experiment as it was when it was prepared.
    pub fn file(&self) -> Result<String, DirectoryError> {
        let path = self.join("experiment.toml");
        read_text(&path, LARGEST_FILE)
            .map_err(|why| DirectoryError::Unreadable { path: path.display().to_string(), why })
    }

    /// The store of this plan.
    pub fn store(&self, plan: &Plan) -> Result<Store, DirectoryError> {
        let path = self.store_path();
        Store::open(&path, plan)
            .map_err(|why| DirectoryError::Store { path: path.display().to_string(), why })
    }

    /// The results so far and the plan they are of, for reading only.
    pub fn results(&self) -> Result<(Store, Plan), DirectoryError> {
        let (asked, path) = (self.plan()?, self.store_path());
        let failed = |why| DirectoryError::Store { path: path.display().to_string(), why };
        if !path.exists() {
            return Err(failed(StoreError::Empty));
        }
        let (store, plan) = Store::read(&path).map_err(failed)?;
        if asked != plan {
            let found = plan.title.clone();
            asked.grown_from(&plan).map_err(|why| failed(StoreError::Other { found, why }))?;
        }
        Ok((store, plan))
    }

    /// Whether somebody has taken the directory. Nothing is written for that.
    pub fn is_taken(&self) -> bool {
        let lock = File::open(self.join("lock"));
        lock.is_ok_and(|file| matches!(file.try_lock(), Err(TryLockError::WouldBlock)))
    }

    /// Takes the directory for oneself.
    pub fn lock(&self) -> Result<Lock, DirectoryError> {
        let path = self.join("lock");
        let unwritable = |why: std::io::Error| {
            DirectoryError::Unwritable(format!("cannot lock {}: {why}", path.display()))
        };
        let file = File::create(&path).map_err(unwritable)?;
        match file.try_lock() {
            Ok(()) => Ok(Lock(file)),
            Err(TryLockError::WouldBlock) => Err(DirectoryError::Busy(self.0.display().to_string())),
            Err(TryLockError::Error(why)) => Err(unwritable(why)),
        }
    }
}

//! An experiment in shards, for many machines.
//!
//! Shard `k` of `n` has every `n`-th unit of work, beginning with the `k`-th. Whoever does it leaves its result in
//! a file of its own, which appears when it is complete: doing a shard twice, or killing it, does no harm. The
//! last line of the file says how many lines come before it and sums them up, so that a damaged file is told.

use std::fs::File;
use std::io::{BufRead, BufReader, Read as _, Write as _};
use std::path::{Path, PathBuf};

use fogtree_core::files::write_whole;
use fogtree_table::Registry;
use serde::{Deserialize, Serialize};

use super::followers::Followers;
use super::plan::{Plan, Unit};
use super::store::{Store, StoreError};
use super::sum::Sum;
use super::work::{Done, Worker};
use crate::made::Made;

/// One part of several of an experiment.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Shard {
    /// Which, from 0.
    pub number: u64,
    /// Of how many.
    pub of: u64,
}

/// The first line of a file.
#[derive(PartialEq, Debug, Serialize, Deserialize)]
struct Head {
    format: String,
    shard: Shard,
    plan: String,
}

/// The last line of a file.
#[derive(Serialize, Deserialize)]
struct Tail {
    lines: usize,
    sum: String,
    made: Made,
}

const FORMAT: &str = "fogtree-shard-2";

/// What is wrong with the file of a shard.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error("{path}: {why}; remove it and do the shard again")]
pub struct BadShard {
    /// Which file.
    pub path: String,
    /// What.
    pub why: String,
}

/// What came of a merge.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Merged {
    /// Units that were taken in.
    pub units: usize,
    /// Files that could not be used.
    pub bad: Vec<BadShard>,
    /// Shards of which there is no result.
    pub missing: Vec<u64>,
}

/// What tells plans apart.
fn fingerprint(plan: &Plan) -> String {
    let mut sum = Sum::default();
    sum.bytes(serde_json::to_string(plan).expect("a plan is plain data").as_bytes());
    sum.to_string()
}

/// Longer lines are not read.
const LONGEST_LINE: u64 = 256 << 20;

impl Shard {
    /// Its units of work.
    pub fn units(self, plan: &Plan) -> Vec<Unit> {
        plan.units().into_iter().skip(self.number as usize).step_by(self.of.max(1) as usize).collect()
    }

    /// The file with its result.
    pub fn path(self, folder: &Path) -> PathBuf {
        folder.join(format!("{}-of-{}.jsonl", self.number, self.of))
    }

    /// Does the shard and leaves its result in the folder. What is there already is not done again.
    pub fn work(self, plan: &Plan, registry: &Registry, folder: &Path) -> Result<(), String> {
        let path = self.path(folder);
        if self.read(plan, &path).is_ok() {
            return Ok(());
        }
        std::fs::create_dir_all(folder)
            .map_err(|why| format!("cannot make the directory {}: {why}", folder.display()))?;
        let worker = Worker::new(plan, registry);
        let done = self.units(plan).iter().map(|unit| worker.run(unit)).collect::<Result<Vec<_>, _>>()?;
        let head = Head { format: FORMAT.to_string(), shard: self, plan: fingerprint(plan) };
        write_whole(&path, |out| {
            let (mut lines, mut sum) = (0, Sum::default());
            let texts =
                std::iter::once(serde_json::to_string(&head)).chain(done.iter().map(serde_json::to_string));
            for text in texts {
                let text = text?;
                lines += 1;
                sum.bytes(text.as_bytes());
                writeln!(out, "{text}")?;
            }
            let tail = Tail { lines, sum: sum.to_string(), made: Made::now() };
            writeln!(out, "{}", serde_json::to_string(&tail)?)
        })
    }

    /// The result in a file, and who made it. No more is read than a shard of this plan can have.
    fn read(self, plan: &Plan, path: &Path) -> Result<(Vec<Done>, Made), String> {
        let file = File::open(path).map_err(|why| format!("it cannot be read ({why})"))?;
        if !file.metadata().is_ok_and(|found| found.is_file()) {
            return Err("it is not a file".to_string());
        }
        let mut file = BufReader::new(file);
        let (mut lines, mut sum) = (0, Sum::default());
        let head: Head =
            serde_json::from_slice(&line(&mut file, &mut sum)?).map_err(|_| "it is damaged at its head")?;
        let expected = Head { format: FORMAT.to_string(), shard: self, plan: fingerprint(plan) };
        if head != expected {
            return Err("it is of another experiment or version".to_string());
        }
        let mut done: Vec<Done> = Vec::new();
        for unit in self.units(plan) {
            lines += 1;
            let found: Done = serde_json::from_slice(&line(&mut file, &mut sum)?)
                .map_err(|why| format!("it is damaged ({why})"))?;
            if found.unit != unit || !found.is_of(plan) {
                return Err(format!("it has another unit than its {lines}."));
            }
            done.push(found);
        }
        let tail = line(&mut file, &mut Sum::default())?;
        let tail: Tail = serde_json::from_slice(&tail).map_err(|_| "it is cut off")?;
        if tail.lines != lines + 1 || tail.sum != sum.to_string() {
            return Err("it is damaged".to_string());
        }
        Ok((done, tail.made))
    }
}

/// The next line of a file, without its end.
fn line(file: &mut impl BufRead, sum: &mut Sum) -> Result<Vec<u8>, String> {
    let mut line = Vec::new();
    let read = file.by_ref().take(LONGEST_LINE).read_until(b'\n', &mut line);
    read.map_err(|why| format!("it cannot be read ({why})"))?;
    if line.pop() != Some(b'\n') {
        return Err("it is cut off, or a line is too long".to_string());
    }
    sum.bytes(&line);
    Ok(line)
}

/// Takes the results of all shards that are in the folder into the store, and says what is missing. Of a match that
/// is stopped by a test, only what comes before is kept.
pub fn merge(plan: &Plan, of: u64, folder: &Path, store: &Store) -> Result<Merged, StoreError> {
    let mut merged = Merged::default();
    for number in 0..of {
        let shard = Shard { number, of };
        let path = shard.path(folder);
        if !path.exists() {
            merged.missing.push(number);
            continue;
        }
        match shard.read(plan, &path) {
            Ok((done, made)) => {
                store.keep_all(&done)?;
                store.sign(&made)?;
                merged.units += done.len();
            }
            Err(why) => {
                merged.bad.push(BadShard { path: path.display().to_string(), why });
                merged.missing.push(number);
            }
        }
    }
    Followers::new(plan, store)?.cut(store)?;
    Ok(merged)
}

//! What a solver has learnt, in a file from which it goes on as if it had never been stopped.
//!
//! The file begins with a line of JSON, which says what was being solved and how far it had come, and goes on
//! with the tables as 64-bit floating-point numbers, least significant byte first. A sum over that line and
//! all numbers at the end tells a damaged file. The line holds the seed and a sum over the compiled game: a
//! game of the same name and shape whose file has changed is another one.

use std::fs::File;
use std::io::{self, BufRead, BufReader, BufWriter, Read, Write};
use std::path::{Path, PathBuf};
use std::time::Duration;

use fogtree_core::files::write_whole;
use fogtree_core::{Rng, Seed};
use serde::{Deserialize, Serialize};

/// Where and how often a solver is saved.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Checkpoint {
    /// The file. If it is there at the start, the solver goes on from it.
    pub path: PathBuf,
    /// How long it may solve between two savings; it is also saved at the end.
    pub every: Duration,
    /// What is being solved, and how. A file that says something else is refused.
    pub label: String,
}

/// Everything a solver has learnt.
#[derive(Clone, PartialEq, Debug)]
pub struct Memory {
    /// Iterations made.
    pub iterations: u64,
    /// The numbers to come, for solvers that draw.
    pub rng: Option<Rng>,
    /// The tables.
    pub tables: Vec<Vec<f64>>,
}

/// Why a file cannot be gone on from.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum BadCheckpoint {
    /// The file cannot be read or written.
    #[error("{0}")]
    File(String),
    /// It is not a checkpoint, or damaged.
    #[error("{path} is not a whole checkpoint ({why}); remove it to begin anew")]
    Damaged {
        /// Which file.
        path: String,
        /// What is wrong with it.
        why: String,
    },
    /// It is of something else.
    #[error("{path} is a checkpoint of {found}, not of {expected}; choose another file")]
    Other {
        /// Which file.
        path: String,
        /// What it is of.
        found: String,
        /// What is being solved.
        expected: String,
    },
    /// The game has changed since.
    #[error(
        "{path} is a checkpoint of {label}, but the game was another then: its file or its rules have changed; \
         choose another file"
    )]
    Changed {
        /// Which file.
        path: String,
        /// What it is of.
        label: String,
    },
}

const FORMAT: &str = "fogtree-checkpoint-2";

/// What tells runs of the same label apart.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub(crate) struct Origin {
    /// What the solver draws from.
    pub(crate) seed: Seed,
    /// A sum over the compiled game.
    pub(crate) game: u64,
}

#[derive(Serialize, Deserialize)]
struct Header {
    format: String,
    label: String,
    /// What the solver draws from, and the game it solves.
    origin: Origin,
    iterations: u64,
    seconds: f64,
    rng: Option<Rng>,
    lengths: Vec<usize>,
}

/// Adds a number to the sum that tells damaged files.
pub(crate) fn add(sum: u64, number: u64) -> u64 {
    (sum ^ number).wrapping_mul(0x0000_0100_0000_01b3).rotate_left(23)
}

impl Checkpoint {
    /// Writes the file; the one before stands until the new one is complete.
    pub(crate) fn save(&self, origin: Origin, memory: &Memory, spent: Duration) -> Result<(), BadCheckpoint> {
        let header = Header {
            format: FORMAT.to_string(),
            label: self.label.clone(),
            origin,
            iterations: memory.iterations,
            seconds: spent.as_secs_f64(),
            rng: memory.rng.clone(),
            lengths: memory.tables.iter().map(Vec::len).collect(),
        };
        let content = |out: &mut BufWriter<File>| {
            let line = serde_json::to_string(&header)? + "\n";
            out.write_all(line.as_bytes())?;
            let mut sum = sum_of(line.as_bytes());
            for number in memory.tables.iter().flatten() {
                sum = add(sum, number.to_bits());
                out.write_all(&number.to_le_bytes())?;
            }
            out.write_all(&sum.to_le_bytes())
        };
        write_whole(&self.path, content).map_err(BadCheckpoint::File)
    }

    /// What the file holds, if there is one: the memory of a solver whose tables have these lengths, and how
    /// long it had been at it.
    pub(crate) fn load(
        &self,
        origin: Origin,
        lengths: &[usize],
    ) -> Result<Option<(Memory, Duration)>, BadCheckpoint> {
        let file = match File::open(&self.path) {
            Ok(file) if !file.metadata().is_ok_and(|found| found.is_file()) => return Ok(None),
            Ok(file) => file,
            Err(why) if why.kind() == io::ErrorKind::NotFound => return Ok(None),
            Err(why) => {
                return Err(BadCheckpoint::File(format!("cannot read {}: {why}", self.path.display())));
            }
        };
        let mut file = BufReader::new(file);
        let path = || self.path.display().to_string();
        let damaged = |why: &str| BadCheckpoint::Damaged { path: path(), why: why.to_string() };
        let (header, mut sum) = header_of(&mut file).map_err(|why| damaged(&why))?;
        if header.label != self.label {
            let expected = self.label.clone();
            return Err(BadCheckpoint::Other { path: path(), found: header.label, expected });
        }
        if header.lengths != lengths {
            return Err(damaged("its tables have other sizes than those of the game"));
        }
        let mut word = || {
            let mut bytes = [0; 8];
            file.read_exact(&mut bytes)
                .map(|()| u64::from_le_bytes(bytes))
                .map_err(|_| damaged("it is cut off"))
        };
        let mut tables = Vec::with_capacity(lengths.len());
        for &length in lengths {
            let mut table = Vec::with_capacity(length);
            for _ in 0..length {
                let bits = word()?;
                sum = add(sum, bits);
                table.push(f64::from_bits(bits));
            }
            tables.push(table);
        }
        if word()? != sum {
            return Err(damaged("its sum is wrong"));
        }
        if header.origin.seed != origin.seed {
            let (found, expected) = (header.origin.seed.0, origin.seed.0);
            let named = |seed| format!("{} from seed {seed}", self.label);
            return Err(BadCheckpoint::Other {
                path: path(),
                found: named(found),
                expected: named(expected),
            });
        }
        if header.origin.game != origin.game {
            return Err(BadCheckpoint::Changed { path: path(), label: header.label });
        }
        let spent = Duration::try_from_secs_f64(header.seconds).map_err(|_| damaged("its time is wrong"))?;
        Ok(Some((Memory { iterations: header.iterations, rng: header.rng, tables }, spent)))
    }
}

/// The first line of a checkpoint, and its sum.
fn header_of(file: &mut impl BufRead) -> Result<(Header, u64), String> {
    let mut line = Vec::new();
    file.by_ref().take(1 << 16).read_until(b'\n', &mut line).map_err(|why| why.to_string())?;
    let format: Format = serde_json::from_slice(&line).map_err(|why| why.to_string())?;
    if format.format != FORMAT {
        return Err(format!("its format is '{}', not '{FORMAT}'", format.format));
    }
    let header = serde_json::from_slice(&line).map_err(|why| why.to_string())?;
    Ok((header, sum_of(&line)))
}

/// What headers of all versions have.
#[derive(Deserialize)]
struct Format {
    format: String,
}

fn sum_of(line: &[u8]) -> u64 {
    line.iter().fold(0, |sum, &byte| add(sum, u64::from(byte)))
}

/// Whether a path may be written to later: better to know before hours of solving.
pub(crate) fn is_writable(path: &Path) -> Result<(), BadCheckpoint> {
    let directory = path.parent().filter(|p| !p.as_os_str().is_empty()).unwrap_or(Path::new("."));
    match directory.is_dir() {
        true => Ok(()),
        false => {
            Err(BadCheckpoint::File(format!("cannot write {}: there is no such folder", path.display())))
        }
    }
}

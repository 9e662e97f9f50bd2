//! All that a directory tells of its experiment.

use super::claim::{BadClaim, Finding};
use super::directory::{Directory, DirectoryError};
use super::file::{BadFile, ExperimentFile};
use super::report::Report;
use super::store::StoreError;
use super::summary::{CellSummary, summarise};
use crate::made::Made;

/// What is known of an experiment so far.
#[derive(Clone, Debug)]
pub struct Results {
    /// What is known of every cell.
    pub cells: Vec<CellSummary>,
    file: ExperimentFile,
    text: String,
    findings: Vec<Finding>,
    made: Vec<Made>,
}

/// Why there is nothing to tell.
#[derive(Debug, thiserror::Error)]
pub enum NoResults {
    /// The directory cannot be read.
    #[error(transparent)]
    Directory(#[from] DirectoryError),
    /// The store cannot be read.
    #[error(transparent)]
    Store(#[from] StoreError),
    /// The experiment's file is wrong.
    #[error(transparent)]
    File(#[from] BadFile),
    /// One of its claims is.
    #[error(transparent)]
    Claim(#[from] BadClaim),
}

impl Results {
    /// The results in a directory, for which nothing is written.
    pub fn of(directory: &Directory) -> Result<Results, NoResults> {
        let (store, plan) = directory.results()?;
        let cells = summarise(&plan, &store)?;
        let text = directory.file()?;
        let file = ExperimentFile::read(&text)?;
        let findings = file.claims.iter().map(|claim| claim.judge(&cells)).collect::<Result<_, _>>()?;
        Ok(Results { made: store.made()?, cells, file, text, findings })
    }

    /// What the experiment is about.
    pub fn title(&self) -> &str {
        &self.file.title
    }

    /// How many games and runs are there, and how many there will be.
    pub fn done(&self) -> (u64, u64) {
        self.cells.iter().fold((0, 0), |(done, of), cell| (done + cell.done, of + cell.of))
    }

    /// What a report is made of, by this command.
    pub fn report<'a>(&'a self, command: &'a str) -> Report<'a> {
        Report {
            title: &self.file.title,
            source: self.file.source.as_deref(),
            notes: self.file.notes.as_deref(),
            cells: &self.cells,
            findings: &self.findings,
            file: &self.text,
            command,
            made: &self.made,
        }
    }
}

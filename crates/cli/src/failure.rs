//! What can go wrong, and the exit code that says so.

use std::io::Write;
use std::process::ExitCode;

use fogtree_core::AgentFailure;
use fogtree_core::record::BadRecord;
use fogtree_core::{BadSpec, IllegalStep};
use fogtree_lab::experiment::export::ExportError;
use fogtree_lab::experiment::{DirectoryError, StoreError};
use fogtree_lab::series::SeriesError;
use fogtree_table::{NoSession, Refused, Unavailable};

use crate::interrupt;

/// Why a command did not do what it was asked to.
#[derive(Debug, thiserror::Error)]
pub(crate) enum Failure {
    /// The input was wrong: exit code 2.
    #[error("{0}")]
    Input(String),
    /// A run failed: exit code 1.
    #[error("{0}")]
    Run(String),
    /// The program was asked to end before it was done: exit code 130.
    #[error("{0}")]
    Interrupted(String),
    /// Whoever read the output has gone: nothing to say, exit code 0.
    #[error("the output was closed")]
    Closed,
}

impl Failure {
    /// Says what went wrong in one line and gives the exit code.
    pub(crate) fn report(&self) -> ExitCode {
        if !matches!(self, Failure::Closed) {
            // Names from files and arguments may hold anything: no line ends, nothing a terminal would obey.
            let line: String =
                self.to_string().chars().map(|c| if c.is_control() { ' ' } else { c }).collect();
            // If even this cannot be written, the exit code still says it.
            let what = if matches!(self, Failure::Interrupted(_)) { "" } else { "error: " };
            let _ = writeln!(std::io::stderr(), "{what}{line}");
        }
        ExitCode::from(match self {
            Failure::Input(_) => 2,
            Failure::Run(_) => 1,
            Failure::Interrupted(_) => interrupt::EXIT_CODE,
            Failure::Closed => 0,
        })
    }
}

impl From<std::io::Error> for Failure {
    fn from(error: std::io::Error) -> Failure {
        match error.kind() {
            std::io::ErrorKind::BrokenPipe => Failure::Closed,
            _ => Failure::Run(format!("cannot write the output: {error}")),
        }
    }
}

impl From<DirectoryError> for Failure {
    fn from(error: DirectoryError) -> Failure {
        match error {
            DirectoryError::Busy(_) | DirectoryError::Unwritable(_) => Failure::Run(error.to_string()),
            DirectoryError::Store {
                why: StoreError::Full | StoreError::Sqlite(_) | StoreError::Damaged(_),
                ..
            } => Failure::Run(error.to_string()),
            _ => Failure::Input(error.to_string()),
        }
    }
}

impl From<StoreError> for Failure {
    fn from(error: StoreError) -> Failure {
        Failure::Run(error.to_string())
    }
}

impl From<ExportError> for Failure {
    fn from(error: ExportError) -> Failure {
        match error {
            ExportError::Store(why) => why.into(),
            ExportError::Write(why) => why.into(),
        }
    }
}

/// What is wrong with the input, and says so itself.
macro_rules! bad_input {
    ($($error:ty),*) => {$(
        impl From<$error> for Failure {
            fn from(error: $error) -> Failure {
                Failure::Input(error.to_string())
            }
        }
    )*};
}

bad_input!(BadSpec, IllegalStep, Unavailable, NoSession, Refused);

impl From<AgentFailure> for Failure {
    fn from(error: AgentFailure) -> Failure {
        Failure::Run(error.to_string())
    }
}

impl From<BadRecord> for Failure {
    fn from(error: BadRecord) -> Failure {
        Failure::Input(error.to_string())
    }
}

impl From<SeriesError> for Failure {
    fn from(error: SeriesError) -> Failure {
        match error {
            SeriesError::Illegal(_) | SeriesError::Failed(_) => Failure::Run(error.to_string()),
            _ => Failure::Input(error.to_string()),
        }
    }
}

//! Experiments: many matches from one file, stored, resumable, spread over machines.
//!
//! [`mod@file`] reads what is wanted, [`plan`] spells it out as cells and units of work, [`work`] does a unit,
//! [`store`] keeps what came of it, [`runner`] uses all cores of this machine, [`shards`] many machines,
//! and matches end as soon as they are settled ([`Until`](crate::until::Until)).
//! [`summary`] says what is known of each cell and [`claim`] whether that bears a publication out.
//! [`directory`] is where all of it lies, [`export`] hands it to other programs.

pub mod claim;
pub mod directory;
pub mod export;
pub mod file;
mod followers;
pub mod library;
mod maker;
pub mod plan;
pub mod report;
pub mod results;
pub mod runner;
pub mod shards;
pub mod store;
mod sum;
pub mod summary;
pub mod work;

pub use claim::{BadClaim, ClaimTable, Finding, Verdict};
pub use directory::{Directory, DirectoryError};
pub use file::{BadFile, ExperimentFile};
pub use library::{Published, published};
pub use plan::{Cell, Named, Plan, Seating, Unit, Work};
pub use report::Report;
pub use results::{NoResults, Results};
pub use runner::{Progress, RunError, Runner};
pub use store::{Store, StoreError};
pub use summary::{CellSummary, Entrant, summarise};
pub use work::{Done, Worker};

//! The command line of the studio.

use std::path::PathBuf;

use clap::Args;

use super::positive;

#[derive(Debug, Args)]
pub(crate) struct Serve {
    /// The port to listen at; 0 finds a free one
    #[arg(long, default_value_t = 8321)]
    pub(crate) port: u16,
    /// The address to listen at; 0.0.0.0 lets other machines in
    #[arg(long, default_value = "127.0.0.1")]
    pub(crate) host: String,
    /// Open the page in the browser
    #[arg(long)]
    pub(crate) open: bool,
    /// The folder in which tables are kept; by default one of your own
    #[arg(long, value_name = "DIR")]
    pub(crate) data: Option<PathBuf>,
    /// The folder whose experiments are shown
    #[arg(long, value_name = "DIR", default_value = "runs")]
    pub(crate) experiments: PathBuf,
    /// The folder whose records can be opened
    #[arg(long, value_name = "DIR")]
    pub(crate) records: Option<PathBuf>,
    /// Searches at a time; by default one less than there are cores
    #[arg(long, value_parser = positive::<usize>())]
    pub(crate) threads: Option<usize>,
    /// Offer a program that speaks the engine protocol as an agent of this name; may be given more than once
    #[arg(long, value_name = "NAME=COMMAND")]
    pub(crate) engine: Vec<String>,
}

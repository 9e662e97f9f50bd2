//! The command line of general game playing.

use std::path::PathBuf;

use clap::{Args, Subcommand, ValueEnum};

use super::positive;

/// What can be done over HTTP with rule sheets.
#[derive(Debug, Subcommand)]
pub(crate) enum Ggp {
    /// Take part in matches that a game manager conducts
    Player(GgpPlayer),
    /// Conduct a match between players at addresses, or in this program
    Manager(GgpManager),
    /// Ask players who they are and whether they are free
    Info {
        /// Where they are: host:port
        #[arg(required = true)]
        players: Vec<String>,
    },
    /// Check a record of a match against its rule sheet
    Replay {
        /// The record
        record: PathBuf,
        /// The rule sheet
        rules: PathBuf,
    },
}

#[derive(Debug, Args)]
pub(crate) struct GgpPlayer {
    /// The port to listen at; 0 finds a free one
    #[arg(long, default_value_t = fogtree_serve::contact::PORT)]
    pub(crate) port: u16,
    /// The address to listen at; 0.0.0.0 lets other machines in
    #[arg(long, default_value = "127.0.0.1")]
    pub(crate) host: String,
    /// Who plays: any agent, with the clocks of a match for its time
    #[arg(long, default_value = "ggp")]
    pub(crate) agent: String,
    /// The dialect that managers must speak: auto (any), gdl, a or b
    #[arg(long, default_value = "auto")]
    pub(crate) dialect: String,
    /// Matches at a time
    #[arg(long, default_value_t = 1, value_parser = positive::<usize>())]
    pub(crate) matches: usize,
    /// The seed from which the players draw; by default it is drawn from the system
    #[arg(long)]
    pub(crate) seed: Option<u64>,
    /// Let pages from anywhere send messages, and messages of all kinds come by GET
    #[arg(long)]
    pub(crate) web: bool,
}

#[derive(Debug, Args)]
pub(crate) struct GgpManager {
    /// The rule sheet
    pub(crate) rules: PathBuf,
    /// The players in the order of the roles without random, with commas between them: host:port, or any agent in this program
    #[arg(long)]
    pub(crate) players: String,
    /// The name of the match, one word; by default that of the sheet and something random
    #[arg(long)]
    pub(crate) id: Option<String>,
    /// Seconds before the match, at most
    #[arg(long, default_value_t = 30, value_parser = positive::<u32>())]
    pub(crate) start_clock: u32,
    /// Seconds for each move
    #[arg(long, default_value_t = 10, value_parser = positive::<u32>())]
    pub(crate) play_clock: u32,
    /// Seconds after every clock during which answers are still taken
    #[arg(long, default_value_t = 1.0)]
    pub(crate) grace: f64,
    /// The least seconds between two steps
    #[arg(long, default_value_t = 0.0)]
    pub(crate) pause: f64,
    /// How to speak, to all players or to each: auto (gdl for plain sheets, else b), gdl, a or b
    #[arg(long, default_value = "auto", value_delimiter = ',')]
    pub(crate) dialect: Vec<String>,
    /// What takes the place of a move that is late or not legal
    #[arg(long, value_enum, default_value_t = GgpReplacement::Random)]
    pub(crate) replacement: GgpReplacement,
    /// Send a PREVIEW with so many seconds before the match
    #[arg(long, value_name = "SECONDS")]
    pub(crate) preview: Option<u32>,
    /// The seed from which random, replacements and players in this program draw; by default it is drawn from
    /// the system, and in the record only
    #[arg(long)]
    pub(crate) seed: Option<u64>,
    /// Break the match off after so many steps
    #[arg(long, default_value_t = 10_000)]
    pub(crate) most_steps: usize,
    /// Write a record of the match
    #[arg(long, value_name = "FILE")]
    pub(crate) record: Option<PathBuf>,
    /// Keep the states in the record, too
    #[arg(long, requires = "record")]
    pub(crate) states: bool,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug, ValueEnum)]
pub(crate) enum GgpReplacement {
    /// Any legal move
    Random,
    /// The first legal move
    First,
}

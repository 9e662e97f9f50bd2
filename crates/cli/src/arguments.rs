//! The command line.

mod ggp;
mod serve;

use std::path::PathBuf;

use clap::builder::RangedU64ValueParser;
use clap::{Args, Parser, Subcommand, ValueEnum};

pub(crate) use ggp::{Ggp, GgpManager, GgpPlayer, GgpReplacement};
pub(crate) use serve::Serve;

/// Reads a number that is not 0.
fn positive<T: TryFrom<u64> + Clone + Send + Sync>() -> RangedU64ValueParser<T> {
    RangedU64ValueParser::new().range(1..)
}

/// Play, search, solve and study games with hidden information.
#[derive(Debug, Parser)]
#[command(name = "fogtree", version, about, max_term_width = 110)]
pub(crate) struct Arguments {
    #[command(subcommand)]
    pub(crate) command: Command,
    /// Print JSON: one object, or one per line; errors stay text, on the standard error
    #[arg(long, global = true)]
    pub(crate) json: bool,
}

#[derive(Debug, Subcommand)]
pub(crate) enum Command {
    /// List the games, say all about one, or write one as a tree
    Games {
        /// The game
        name: Option<String>,
        /// Write the whole game as a tree, for Gambit (efg) or for tree(file=...) (json)
        #[arg(long, value_name = "FORMAT", requires = "name")]
        tree: Option<TreeFormat>,
    },
    /// List the agents, or say all about one
    Agents {
        /// The agent
        name: Option<String>,
    },
    /// Show the position after some moves: whose turn, legal moves, what each player sees
    State(State),
    /// Draw a position: in the terminal, or as an SVG or PNG picture
    Show(Show),
    /// Draw worlds that agree with what a player knows, and count what stands where in them
    Sample(Sample),
    /// Play in the terminal
    Play(Play),
    /// Open the studio: play, watch and look inside in a browser
    Serve(Serve),
    /// Compute the hash that play showed at the start, from what it told at the end: b3sum of 'SEED SALT'
    Commitment {
        /// The seed
        seed: u64,
        /// The salt
        salt: String,
    },
    /// Explain one decision of an agent
    Analyse(Analyse),
    /// Play a match: seats rotate, deals are paired, intervals are Clopper-Pearson
    Match(Match),
    /// Play for another program: an agent behind the engine protocol, on standard input and output
    Engine(Engine),
    /// Show a recorded game again
    Replay(Replay),
    /// Solve a game: strategies, their value, and how far from an equilibrium they are
    Solve(Solve),
    /// Say how much best responses gain against an agent, or against the strategies of a file
    Exploit(Exploit),
    /// Measure the program's own speed on one thread
    Bench(Bench),
    /// Check, format, play and measure rule sheets in GDL or GDL-II
    #[command(subcommand)]
    Gdl(Gdl),
    /// Play rule sheets over HTTP: a player, a game manager, and what they recorded
    #[command(subcommand)]
    Ggp(Ggp),
    /// Play the matches of an experiment file and print their tables
    Tournament(RunExperiment),
    /// Repeat a published experiment and say whether its claims hold here
    Reproduce(Reproduce),
    /// Many matches from one file: stored, resumable, spread over machines
    #[command(subcommand)]
    Experiment(Experiment),
}

/// What can be done with rule sheets.
#[derive(Debug, Subcommand)]
pub(crate) enum Gdl {
    /// Say what is wrong with a rule sheet, and how well formed its game is
    Check(GdlCheck),
    /// Write a rule sheet in one form: a clause after another, a condition on a line
    Format {
        /// The rule sheet
        file: PathBuf,
    },
    /// Write a rule sheet with other words, as in competitions
    Scramble {
        /// The rule sheet
        file: PathBuf,
        /// The seed from which the words are drawn
        #[arg(long, default_value_t = 1)]
        seed: u64,
    },
    /// Play one match at random and show moves, percepts and goals
    Run {
        /// The rule sheet
        file: PathBuf,
        /// The seed from which everybody draws
        #[arg(long, default_value_t = 1)]
        seed: u64,
    },
    /// Measure both reasoners in random play
    Bench {
        /// The rule sheets
        #[arg(required = true)]
        files: Vec<PathBuf>,
        /// Seconds for each measurement
        #[arg(long, default_value_t = 1.0)]
        time: f64,
    },
}

#[derive(Debug, Args)]
pub(crate) struct GdlCheck {
    /// The rule sheet
    pub(crate) file: PathBuf,
    /// How strictly: strict (GDL), gdl-ii, or lenient (whatever has a meaning)
    #[arg(long, default_value = "gdl-ii")]
    pub(crate) level: String,
}

#[derive(Debug, Subcommand)]
pub(crate) enum Experiment {
    /// Do what a file asks for, or what is left of it
    Run(RunExperiment),
    /// Go on with an experiment that was begun
    Resume(ResumeExperiment),
    /// Say how far an experiment has come, while it runs or afterwards
    Status {
        /// The directory of the experiment
        directory: PathBuf,
    },
    /// Print the tables of an experiment and write its report
    Report {
        /// The directory of the experiment
        directory: PathBuf,
    },
    /// Write all games as a table
    Export {
        /// The directory of the experiment
        directory: PathBuf,
        /// As what; by default csv, or jsonl with --json
        #[arg(long, value_enum)]
        format: Option<ExportFormat>,
    },
    /// Divide an experiment into shards, to be done anywhere in any order
    Plan {
        /// The experiment file
        file: PathBuf,
        /// The directory of the experiment; by default runs/NAME
        #[arg(long)]
        out: Option<PathBuf>,
        /// At this scale of the file
        #[arg(long)]
        scale: Option<String>,
        /// Into how many
        #[arg(long, value_parser = positive::<u64>())]
        shards: u64,
    },
    /// Do one shard and leave its result in the directory
    Work {
        /// The directory of the experiment
        directory: PathBuf,
        /// Which shard, from 0
        #[arg(long)]
        shard: u64,
    },
    /// Take the results of shards into the store and say what is missing
    Merge {
        /// The directory of the experiment
        directory: PathBuf,
    },
    /// Print what makes an engine do all shards
    Submit {
        /// The directory of the experiment
        directory: PathBuf,
        /// Which engine
        #[arg(long, value_enum)]
        engine: ShardEngine,
    },
}

#[derive(Debug, Args)]
pub(crate) struct Reproduce {
    /// The id of the experiment, as in ismcts/E22
    #[arg(required_unless_present_any = ["list", "results"])]
    pub(crate) id: Option<String>,
    /// How much of it: quick takes minutes, full may take days
    #[arg(long, default_value = "quick")]
    pub(crate) scale: String,
    /// The directory of the experiment; by default runs/reproduce/ID-SCALE. What is there is not done again
    #[arg(long)]
    pub(crate) out: Option<PathBuf>,
    /// How many games at a time; by default one per core
    #[arg(long, value_parser = positive::<usize>())]
    pub(crate) threads: Option<usize>,
    /// List the experiments instead
    #[arg(long)]
    pub(crate) list: bool,
    /// Print what came of all experiments that were done at this scale, as Markdown, instead
    #[arg(long, conflicts_with_all = ["id", "list", "out"])]
    pub(crate) results: bool,
}

#[derive(Debug, Args)]
pub(crate) struct RunExperiment {
    /// The experiment file
    pub(crate) file: PathBuf,
    /// The directory of the experiment; by default runs/NAME
    #[arg(long)]
    pub(crate) out: Option<PathBuf>,
    /// At this scale of the file
    #[arg(long)]
    pub(crate) scale: Option<String>,
    /// How many games at a time; by default one per core. The result does not depend on it
    #[arg(long, value_parser = positive::<usize>())]
    pub(crate) threads: Option<usize>,
}

#[derive(Debug, Args)]
pub(crate) struct ResumeExperiment {
    /// The directory of the experiment
    pub(crate) directory: PathBuf,
    /// How many games at a time; by default one per core
    #[arg(long, value_parser = positive::<usize>())]
    pub(crate) threads: Option<usize>,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug, ValueEnum)]
pub(crate) enum ExportFormat {
    /// Comma-separated values, one line per seat of a game
    Csv,
    /// JSON, one game per line
    Jsonl,
    /// A Parquet file with the columns of the comma-separated values
    Parquet,
}

/// What does shards on many machines.
#[derive(Clone, Copy, PartialEq, Eq, Debug, ValueEnum)]
pub(crate) enum ShardEngine {
    /// HyperQueue
    Hq,
    /// A Slurm job array
    Slurm,
    /// GNU parallel
    Parallel,
}

#[derive(Clone, Copy, Debug, ValueEnum)]
pub(crate) enum TreeFormat {
    Efg,
    Json,
}

#[derive(Debug, Args)]
pub(crate) struct State {
    /// The game, as in "phantom-mnk(m=4,n=4,k=4)"
    #[arg(required_unless_present = "stdin")]
    pub(crate) game: Option<String>,
    /// The moves so far, chance's included unless there is a seed, separated by spaces
    #[arg(long, default_value = "", allow_hyphen_values = true)]
    pub(crate) moves: String,
    /// Let chance draw from this seed; then --moves holds the players' moves only
    #[arg(long)]
    pub(crate) seed: Option<u64>,
    /// Answer every line of the standard input, a game, a tab and moves, with one line of JSON
    #[arg(long, conflicts_with_all = ["game", "moves", "seed"])]
    pub(crate) stdin: bool,
}

/// A position: a game, moves, perhaps a seed for chance.
#[derive(Debug, Args)]
pub(crate) struct Position {
    /// The game, as in "phantom-mnk(m=4,n=4,k=4)"
    pub(crate) game: String,
    /// The moves so far, chance's included unless there is a seed, separated by spaces
    #[arg(long, default_value = "", allow_hyphen_values = true)]
    pub(crate) moves: String,
    /// Let chance draw from this seed; then --moves holds the players' moves only. Without moves chance draws in any case
    #[arg(long)]
    pub(crate) seed: Option<u64>,
    /// Then let everybody play at random for so many steps, or to the end
    #[arg(long, value_name = "STEPS", default_value_t = 0)]
    pub(crate) random: usize,
}

/// Where a picture goes.
#[derive(Debug, Args)]
pub(crate) struct Picture {
    /// Write the picture to this file as SVG
    #[arg(long, value_name = "FILE")]
    pub(crate) svg: Option<PathBuf>,
    /// Write the picture to this file as PNG
    #[arg(long, value_name = "FILE")]
    pub(crate) png: Option<PathBuf>,
    /// Light on dark
    #[arg(long)]
    pub(crate) dark: bool,
}

#[derive(Debug, Args)]
pub(crate) struct Show {
    #[command(flatten)]
    pub(crate) position: Position,
    /// What this seat sees; by default everything
    #[arg(long)]
    pub(crate) seat: Option<u8>,
    #[command(flatten)]
    pub(crate) picture: Picture,
}

#[derive(Debug, Args)]
pub(crate) struct Sample {
    #[command(flatten)]
    pub(crate) position: Position,
    /// Whose knowledge the worlds agree with
    #[arg(long, default_value_t = 0)]
    pub(crate) seat: u8,
    /// How many worlds to draw
    #[arg(long, default_value_t = 5, value_parser = positive::<u32>())]
    pub(crate) worlds: u32,
    /// The seed from which the worlds are drawn
    #[arg(long, value_name = "SEED", default_value_t = 1)]
    pub(crate) draw_seed: u64,
    /// Draw worlds as likely as this agent holds them, if it has beliefs about what is hidden
    #[arg(long)]
    pub(crate) agent: Option<String>,
    /// Print what stands where in which share of the worlds, not the worlds themselves
    #[arg(long)]
    pub(crate) count: bool,
    #[command(flatten)]
    pub(crate) picture: Picture,
}

#[derive(Debug, Args)]
pub(crate) struct Play {
    /// The game; left out if a saved game is resumed
    #[arg(required_unless_present = "resume")]
    pub(crate) game: Option<String>,
    /// Your seat, counted from 0
    #[arg(long, default_value_t = 0)]
    pub(crate) seat: u8,
    /// Who plays the other seats; by default the best general agent there is for the game
    #[arg(long)]
    pub(crate) against: Option<String>,
    /// The seed of deal and agents; by default drawn from the system, promised at first, told at the end
    #[arg(long)]
    pub(crate) seed: Option<u64>,
    /// Show the whole position, and let "why" tell what the others thought during the game
    #[arg(long)]
    pub(crate) open: bool,
    /// Play on a game that was saved, against who played then or --against
    #[arg(long, value_name = "FILE", conflicts_with_all = ["game", "seat", "seed"])]
    pub(crate) resume: Option<PathBuf>,
}

#[derive(Debug, Args)]
pub(crate) struct Analyse {
    /// The game; left out if a record is given
    #[arg(required_unless_present = "record")]
    pub(crate) game: Option<String>,
    /// The moves so far, chance's included unless there is a seed
    #[arg(long, default_value = "", allow_hyphen_values = true)]
    pub(crate) moves: String,
    /// Let chance draw from this seed; the agent draws from it too, unless it is another program. Without
    /// moves chance draws in any case, by default from a seed of the system's
    #[arg(long)]
    pub(crate) seed: Option<u64>,
    /// The agent
    #[arg(long)]
    pub(crate) agent: Option<String>,
    /// A recorded game to take the position from
    #[arg(long, conflicts_with_all = ["game", "moves"])]
    pub(crate) record: Option<PathBuf>,
    /// The step of the record before which the decision is asked, counted from 0
    #[arg(long, requires = "record")]
    pub(crate) at: Option<usize>,
    /// Which game of the file, counted from 1
    #[arg(long, requires = "record", default_value_t = 1)]
    pub(crate) number: usize,
    /// The seat to decide for, where several are to move
    #[arg(long)]
    pub(crate) seat: Option<u8>,
    /// Write the search tree to this file: JSON if its name ends in .json, Graphviz if in .dot
    #[arg(long, value_name = "FILE")]
    pub(crate) tree: Option<PathBuf>,
    /// Write nothing of the tree below this many moves
    #[arg(long, value_name = "N", requires = "tree", default_value_t = 8)]
    pub(crate) tree_depth: u32,
    /// Write nothing of the tree that was visited less often
    #[arg(long, value_name = "N", requires = "tree", default_value_t = 10)]
    pub(crate) tree_visits: u64,
    /// Of each node's children write only this many, the most visited; by default 3, or all in JSON
    #[arg(long, value_name = "K", requires = "tree", value_parser = positive::<usize>())]
    pub(crate) tree_top: Option<usize>,
}

#[derive(Debug, Args)]
pub(crate) struct Match {
    /// The game
    pub(crate) game: String,
    /// The agents, one per seat
    pub(crate) agents: Vec<String>,
    /// Agents by role instead, as in "spies=AGENT,resistance=AGENT"; "others" stands for all not named
    #[arg(long, conflicts_with = "agents")]
    pub(crate) roles: Option<String>,
    /// How many games, at most
    #[arg(long, default_value_t = 100, value_parser = positive::<u64>())]
    pub(crate) games: u64,
    /// Stop as soon as a sequential test (risks of 5 %) settles whether the first of two agents is ELO1 rating points
    /// stronger than the second, rather than ELO0
    #[arg(long, value_name = "ELO0,ELO1", allow_hyphen_values = true)]
    pub(crate) until: Option<String>,
    /// The seed from which deals and agents draw; by default 1, or from the system if another program plays
    #[arg(long)]
    pub(crate) seed: Option<u64>,
    /// How many games at a time; by default one per core. The result does not depend on it
    #[arg(long, value_parser = positive::<usize>())]
    pub(crate) threads: Option<usize>,
    /// Write the record of every game to this file
    #[arg(long)]
    pub(crate) record: Option<PathBuf>,
}

#[derive(Debug, Args)]
#[command(args_conflicts_with_subcommands = true)]
pub(crate) struct Engine {
    /// Who plays; by default the best general agent there is for each game
    #[arg(long)]
    pub(crate) agent: Option<String>,
    #[command(subcommand)]
    pub(crate) command: Option<EngineCommand>,
}

#[derive(Debug, Subcommand)]
pub(crate) enum EngineCommand {
    /// Check that a program speaks the engine protocol
    Check(Check),
}

#[derive(Debug, Args)]
pub(crate) struct Check {
    /// The program and its arguments
    #[arg(required = true, trailing_var_arg = true, allow_hyphen_values = true)]
    pub(crate) command: Vec<String>,
    /// How long the program may take to answer, in seconds
    #[arg(long, default_value_t = 10.0)]
    pub(crate) timeout: f64,
    /// How long it may take beyond a time limit, after stop and after quit, in seconds
    #[arg(long, default_value_t = 1.0)]
    pub(crate) grace: f64,
}

#[derive(Debug, Args)]
pub(crate) struct Replay {
    /// The file with the record
    pub(crate) record: PathBuf,
    /// Which game of the file, counted from 1
    #[arg(long, default_value_t = 1)]
    pub(crate) number: usize,
    /// Only the position after this many steps, or after as many as the seat noticed
    #[arg(long)]
    pub(crate) at: Option<usize>,
    /// Show what this seat saw and nothing else
    #[arg(long)]
    pub(crate) seat: Option<u8>,
    /// Write each position into this folder as an SVG picture, 000.svg and so on, instead of printing it
    #[arg(long, value_name = "FOLDER")]
    pub(crate) svg: Option<PathBuf>,
}

#[derive(Debug, Args)]
pub(crate) struct Solve {
    /// The game, one whose tree is small enough
    #[arg(required_unless_present = "list")]
    pub(crate) game: Option<String>,
    /// How, as in "dcfr(gamma=3)"
    #[arg(long, default_value = "cfr+", value_name = "SOLVER")]
    pub(crate) with: String,
    /// At most this many iterations; 1000 if there is no other limit
    #[arg(long, value_parser = positive::<u64>())]
    pub(crate) iterations: Option<u64>,
    /// At most this long, as in 500ms, 10s or 1h; best responses in between and reading the game do not
    /// count. Solvers that do not iterate have no result before they are done
    #[arg(long)]
    pub(crate) time: Option<String>,
    /// Until exploitability is at most this
    #[arg(long)]
    pub(crate) target: Option<f64>,
    /// The seed from which sampling solvers draw
    #[arg(long, default_value_t = 1)]
    pub(crate) seed: u64,
    /// How many nodes the tree may have
    #[arg(long, default_value_t = fogtree_solve::compiled::DEFAULT_LIMIT)]
    pub(crate) nodes: usize,
    /// Write the strategies to this file, for the agent "strategy" and for fogtree exploit
    #[arg(long, value_name = "FILE")]
    pub(crate) strategy: Option<PathBuf>,
    /// Write the curve to this file: a table if it ends in .csv, a picture if in .svg; may be given twice
    #[arg(long, value_name = "FILE")]
    pub(crate) curve: Vec<PathBuf>,
    /// Keep what was learnt in this file, and go on from it if it is there; limits count from the beginning
    #[arg(long, value_name = "FILE")]
    pub(crate) checkpoint: Option<PathBuf>,
    /// How long to solve between two savings
    #[arg(long, value_name = "TIME", default_value = "1m", requires = "checkpoint")]
    pub(crate) every: String,
    /// List the solvers instead
    #[arg(long)]
    pub(crate) list: bool,
}

#[derive(Debug, Args)]
pub(crate) struct Exploit {
    /// The game; by default the one that the file names
    pub(crate) game: Option<String>,
    /// The file with the strategies
    #[arg(long, value_name = "FILE", conflicts_with = "agent")]
    pub(crate) strategy: Option<PathBuf>,
    /// An agent instead
    #[arg(long)]
    pub(crate) agent: Option<String>,
    /// How the agent's strategy is found
    #[arg(long, value_enum, default_value_t = By::Stitching, requires = "agent")]
    pub(crate) by: By,
    /// Stitching and lbr: how often the agent is asked in each information set
    #[arg(long, default_value_t = 100, value_parser = positive::<u32>())]
    pub(crate) samples: u32,
    /// Stitching and lbr: count the agent's choices, even if it says from which probabilities it draws them
    #[arg(long)]
    pub(crate) count: bool,
    /// Lbr: how many games in each seat
    #[arg(long, value_name = "N", default_value_t = 1000, value_parser = positive::<u64>())]
    pub(crate) games: u64,
    /// Lbr: how often each move is tried at a decision
    #[arg(long, value_name = "N", default_value_t = 50, value_parser = positive::<u32>())]
    pub(crate) rollouts: u32,
    /// Root: at most this many iterations
    #[arg(long, value_name = "N", value_parser = positive::<u64>())]
    pub(crate) iterations: Option<u64>,
    /// Root: at most this long, as in 500ms or 10s; best responses in between do not count
    #[arg(long)]
    pub(crate) time: Option<String>,
    /// Matches: how many in each seat
    #[arg(long, value_name = "N", default_value_t = 500, value_parser = positive::<u64>())]
    pub(crate) matches: u64,
    /// Write the curve of root or matches to this file: a table if it ends in .csv, a picture if in .svg; may be
    /// given twice
    #[arg(long, value_name = "FILE")]
    pub(crate) curve: Vec<PathBuf>,
    /// The seed from which the agent draws
    #[arg(long, default_value_t = 1)]
    pub(crate) seed: u64,
    /// How many nodes the tree may have
    #[arg(long, default_value_t = fogtree_solve::compiled::DEFAULT_LIMIT)]
    pub(crate) nodes: usize,
}

/// How the strategy of an agent is found.
#[derive(Clone, Copy, PartialEq, Eq, Debug, ValueEnum)]
pub(crate) enum By {
    /// It is asked in every information set of every player
    Stitching,
    /// It thinks about the start of the game for longer and longer, and tells its average strategies
    Root,
    /// It plays matches against random play, and what it holds along them is added up
    Matches,
    /// It plays games against a local best response, whose winnings are a lower bound; for large games
    Lbr,
}

#[derive(Debug, Args)]
pub(crate) struct Bench {
    /// A measurement such as playouts/othello, a kind such as uct, a game, or "signature"; all by default
    pub(crate) what: Option<String>,
    /// How long to measure each figure, in seconds
    #[arg(long, default_value_t = 1.0)]
    pub(crate) seconds: f64,
    /// List the measurements instead of making them
    #[arg(long)]
    pub(crate) list: bool,
}

//! The studio: a page to play, watch and look inside, and the same as JSON over HTTP.
//!
//! Everything that belongs to a game comes from elsewhere: scenes from `core`, pictures from `draw`, sessions and wire
//! types from `table`. Here are connections (`shell`), who may ask what (`guard`, `visitors`, `place`), tables
//! that outlive the server (`tables`), the threads that search (`pool`), and what they are asked for (`jobs`):
//! searches, reviews, solutions.
//!
//! ```no_run
//! use fogtree_serve::studio::{Settings, Studio};
//!
//! let running = Studio::start(Settings::new("studio-data")).unwrap();
//! println!("open {}", running.start_link());
//! running.wait();
//! ```
//!
//! # Trust
//!
//! Nobody is let in without a key. A visitor is told what its own seats may know, and no more, until the game is over;
//! everything in an answer of a fair game follows from that seat's information set. Specifications come from a sandboxed
//! registry: nothing that a page sends runs a program or opens a file.

mod assets;
mod exchange;
mod experiments;
mod folders;
mod guard;
mod jobs;
mod lobby;
mod openapi;
mod place;
mod pool;
mod refusal;
mod replays;
mod reviews;
mod searches;
mod shell;
mod solves;
mod tables;
mod visitors;
mod worlds;

use std::fs::{self, File};
use std::io;
use std::net::SocketAddr;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

use axum::routing::{get, post};
use axum::{Router, middleware};
use fogtree_table::Registry;
use tokio::runtime::{Handle, Runtime};

use experiments::Experiments;
use guard::Names;
use jobs::Jobs;
use pool::Pool;
use replays::Replays;
use reviews::Review;
use searches::Search;
use solves::Solve;
use tables::Tables;
use visitors::Visitors;

#[cfg(feature = "schema")]
pub use openapi::openapi;

/// Where the studio listens, what it keeps where, and how much it may use.
#[derive(Clone, Debug)]
pub struct Settings {
    /// The address to listen at.
    pub host: String,
    /// The port; 0 finds a free one.
    pub port: u16,
    /// The folder in which tables and visitors are kept.
    pub data: PathBuf,
    /// The folder whose stores of experiments are shown.
    pub experiments: PathBuf,
    /// The folder whose records can be opened.
    pub records: Option<PathBuf>,
    /// Searches at a time.
    pub threads: usize,
    /// The longest that a search may take.
    pub longest_search: Duration,
    /// Tables in memory; those that nobody looks at make room for others.
    pub tables: usize,
}

impl Settings {
    /// The usual settings, with this folder for tables and visitors.
    pub fn new(data: impl Into<PathBuf>) -> Settings {
        let cores = std::thread::available_parallelism().map_or(1, usize::from);
        Settings {
            host: "127.0.0.1".to_string(),
            port: 0,
            data: data.into(),
            experiments: PathBuf::from("runs"),
            records: None,
            threads: cores.saturating_sub(1).max(1),
            longest_search: Duration::from_secs(60),
            tables: 256,
        }
    }
}

/// Why the studio does not start.
#[derive(Debug, thiserror::Error)]
pub enum NotStarted {
    /// The data folder cannot be used.
    #[error("cannot use the folder {}: {why}", .folder.display())]
    Data {
        /// The folder.
        folder: PathBuf,
        /// Why not.
        why: io::Error,
    },
    /// Another studio uses it.
    #[error("another studio keeps its tables in {}: end it, or choose another folder with --data", .0.display())]
    Busy(PathBuf),
    /// Nothing can listen there.
    #[error("cannot listen at {host} port {port}: {why}")]
    Address {
        /// The address.
        host: String,
        /// The port.
        port: u16,
        /// Why not.
        why: io::Error,
    },
    /// The system has no threads left.
    #[error("cannot start threads: {0}")]
    Threads(io::Error),
}

/// All that requests share.
pub struct Studio {
    registry: Registry,
    settings: Settings,
    names: Names,
    /// The name of the cookie: browsers share cookies between the ports of a host.
    cookie: String,
    visitors: Visitors,
    tables: Tables,
    replays: Replays,
    experiments: Experiments,
    searches: Jobs<Search>,
    reviews: Jobs<Review>,
    solves: Jobs<Solve>,
    pool: Arc<Pool>,
    runtime: Handle,
}

/// A studio that runs.
pub struct Running {
    studio: Arc<Studio>,
    runtime: Runtime,
    address: SocketAddr,
    _lock: File,
}

impl Studio {
    /// Starts a studio in the background, with the games and agents of [`Registry::sandboxed`].
    pub fn start(settings: Settings) -> Result<Running, NotStarted> {
        Studio::start_with(settings, Registry::sandboxed())
    }

    /// Starts a studio with games and agents of your own. Visitors can ask for all that is in the registry.
    pub fn start_with(settings: Settings, registry: Registry) -> Result<Running, NotStarted> {
        let data = settings.data.clone();
        let unusable = |why| NotStarted::Data { folder: data.clone(), why };
        private_folder(&data).map_err(unusable)?;
        let lock = File::create(data.join("lock")).map_err(unusable)?;
        lock.try_lock().map_err(|_| NotStarted::Busy(data.clone()))?;
        let visitors = Visitors::open(&data).map_err(unusable)?;
        let tables = Tables::open(&data.join("tables"), settings.tables).map_err(unusable)?;
        let runtime = tokio::runtime::Builder::new_multi_thread()
            .worker_threads(2)
            .max_blocking_threads(BLOCKING)
            .thread_name("studio")
            .enable_all()
            .build()
            .map_err(NotStarted::Threads)?;
        let (host, port) = (settings.host.clone(), settings.port);
        let listening = runtime.block_on(shell::listen(&host, port));
        let (listener, address) = listening.map_err(|why| NotStarted::Address { host, port, why })?;
        let studio = Arc::new(Studio {
            registry,
            names: Names::new(address, &settings.host),
            cookie: format!("fogtree-{}", address.port()),
            visitors,
            tables,
            replays: Replays::default(),
            experiments: Experiments::default(),
            searches: Jobs::new(32, 4),
            reviews: Jobs::new(16, 2),
            solves: Jobs::new(6, 3),
            pool: Pool::start(settings.threads),
            runtime: runtime.handle().clone(),
            settings,
        });
        runtime.spawn(shell::accept(listener, studio.app()));
        Ok(Running { studio, runtime, address, _lock: lock })
    }

    fn app(self: &Arc<Studio>) -> Router {
        Router::new()
            .route("/", get(lobby::first_page))
            .route("/seat/{key}", get(lobby::seat_link))
            .route("/{*path}", get(assets::file))
            .route("/api/me", get(lobby::me))
            .route("/api/enter", post(lobby::enter))
            .route("/api/invite", post(lobby::invite))
            .merge(lobby::routes())
            .merge(place::routes())
            .merge(tables::routes())
            .merge(searches::routes())
            .merge(worlds::routes())
            .merge(reviews::routes())
            .merge(solves::routes())
            .merge(replays::routes())
            .merge(experiments::routes())
            .merge(openapi::routes())
            .fallback(lobby::nothing)
            .layer(middleware::from_fn_with_state(Arc::clone(self), guard::check))
            .with_state(Arc::clone(self))
    }
}

/// Requests that are worked on at once; more wait.
const BLOCKING: usize = 32;

impl Running {
    /// Where it listens.
    pub fn address(&self) -> SocketAddr {
        self.address
    }

    /// A link that lets in one browser, once.
    pub fn start_link(&self) -> String {
        self.studio.start_link()
    }

    /// The token of an owner, for programs.
    pub fn token(&self) -> Result<String, String> {
        self.studio.visitors.admit(true).map(|(token, _)| token).map_err(|why| why.to_string())
    }

    /// Waits for ever.
    pub fn wait(&self) {
        self.runtime.block_on(std::future::pending::<()>());
    }

    /// Ends it. What was played is kept.
    pub fn stop(self) {
        self.studio.tables.stop_thinking();
        self.studio.searches.stop_all();
        self.studio.reviews.stop_all();
        self.studio.solves.stop_all();
        self.studio.pool.close();
        self.runtime.shutdown_timeout(Duration::from_secs(2));
    }
}

impl Studio {
    /// A link that lets in one browser, once.
    pub(crate) fn start_link(&self) -> String {
        format!("http://{}/?key={}", self.names.shown(), self.visitors.start_key())
    }
}

/// Makes a folder that others on this machine cannot look into.
fn private_folder(path: &Path) -> io::Result<()> {
    fs::create_dir_all(path)?;
    #[cfg(unix)]
    {
        use std::os::unix::fs::PermissionsExt as _;
        fs::set_permissions(path, fs::Permissions::from_mode(0o700))?;
    }
    Ok(())
}

//! Where results are kept: one SQLite file per experiment.
//!
//! What a unit found goes in as one transaction, or not at all: a run that is killed at any moment loses the
//! units in progress and nothing else, and a unit that is done twice is kept once. The plan lies beside the
//! results, so that a store explains itself.

use std::collections::BTreeMap;
use std::path::Path;

use rusqlite::{Connection, ErrorCode, OptionalExtension, params};

use super::plan::{Plan, Unit};
use super::summary::Sums;
use super::work::Done;
use crate::curve::CurvePoint;
use crate::follow::{Followed, Trajectory};
use crate::row::{Effort, GameRow, SeatRow};
use crate::series::Tally;

/// The version of the tables. A store with a greater one was made by a later program.
const VERSION: i64 = 2;

const TABLES: &str = "
    CREATE TABLE meta (key TEXT PRIMARY KEY, value TEXT NOT NULL) WITHOUT ROWID;
    CREATE TABLE units (cell INTEGER NOT NULL, first INTEGER NOT NULL, count INTEGER NOT NULL,
        PRIMARY KEY (cell, first)) WITHOUT ROWID;
    CREATE TABLE games (cell INTEGER NOT NULL, number INTEGER NOT NULL, deal INTEGER NOT NULL,
        agents INTEGER NOT NULL, steps INTEGER NOT NULL, PRIMARY KEY (cell, number)) WITHOUT ROWID;
    CREATE TABLE seats (cell INTEGER NOT NULL, number INTEGER NOT NULL, seat INTEGER NOT NULL,
        entrant INTEGER NOT NULL, role TEXT NOT NULL, cheating INTEGER NOT NULL, reward REAL NOT NULL,
        score REAL NOT NULL, moves INTEGER NOT NULL, micros INTEGER NOT NULL, iterations INTEGER NOT NULL,
        nodes INTEGER NOT NULL, depth INTEGER NOT NULL, mean_depths REAL NOT NULL,
        PRIMARY KEY (cell, number, seat)) WITHOUT ROWID;
    CREATE TABLE points (cell INTEGER NOT NULL, run INTEGER NOT NULL, done INTEGER NOT NULL,
        seconds REAL NOT NULL, value REAL NOT NULL, nash_conv REAL NOT NULL, exploitability REAL NOT NULL,
        PRIMARY KEY (cell, run, done)) WITHOUT ROWID;
";

/// What version 2 has beyond version 1.
const FOLLOWED: &str = "
    CREATE TABLE followed (cell INTEGER NOT NULL, number INTEGER NOT NULL, seat INTEGER NOT NULL,
        place INTEGER NOT NULL, name TEXT NOT NULL, step INTEGER NOT NULL, episode INTEGER, value REAL NOT NULL,
        PRIMARY KEY (cell, number, seat, place)) WITHOUT ROWID;
";

/// What is wrong with a store.
#[derive(Debug, thiserror::Error)]
pub enum StoreError {
    /// A later program made it.
    #[error(
        "this store was made by a later version of the program (tables {found}, known {VERSION}); use that one"
    )]
    Newer {
        /// Its version.
        found: i64,
    },
    /// It holds another experiment.
    #[error(
        "the store holds another experiment ('{found}'); use another directory, or the file it was made from"
    )]
    Other {
        /// Its title.
        found: String,
    },
    /// It is not a store.
    #[error("it is not a store of results ({0})")]
    Damaged(String),
    /// There is no room left.
    #[error("the disk is full; what was stored before is safe, make room and resume")]
    Full,
    /// Anything else.
    #[error("the store failed: {0}")]
    Sqlite(rusqlite::Error),
}

impl From<rusqlite::Error> for StoreError {
    fn from(error: rusqlite::Error) -> StoreError {
        match error.sqlite_error_code() {
            Some(ErrorCode::DiskFull) => StoreError::Full,
            Some(ErrorCode::NotADatabase | ErrorCode::DatabaseCorrupt) => {
                StoreError::Damaged(error.to_string())
            }
            _ => StoreError::Sqlite(error),
        }
    }
}

/// The results of one experiment.
#[derive(Debug)]
pub struct Store {
    connection: Connection,
}

/// Scores by cell and entrant: the numbers of the games, in order, with the scores.
pub(super) type Scores = BTreeMap<(usize, usize), Vec<(u64, f64)>>;

impl Store {
    /// Opens the store in this file for this plan, and makes it if there is none.
    pub fn open(path: &Path, plan: &Plan) -> Result<Store, StoreError> {
        let store = Store { connection: Connection::open(path)? };
        store.connection.pragma_update(None, "journal_mode", "WAL")?;
        store.connection.pragma_update(None, "synchronous", "NORMAL")?;
        let plan = serde_json::to_string(plan).expect("a plan is plain data");
        let found: i64 = store.connection.pragma_query_value(None, "user_version", |row| row.get(0))?;
        if found == 0 {
            let transaction = store.connection.unchecked_transaction()?;
            transaction.execute_batch(TABLES)?;
            transaction.execute_batch(FOLLOWED)?;
            transaction.execute("INSERT INTO meta VALUES ('plan', ?1)", [&plan])?;
            transaction.execute("INSERT INTO meta VALUES ('program', ?1)", [env!("CARGO_PKG_VERSION")])?;
            transaction.pragma_update(None, "user_version", VERSION)?;
            transaction.commit()?;
            return Ok(store);
        }
        if found > VERSION {
            return Err(StoreError::Newer { found });
        }
        let kept = store.plan_text()?;
        if kept != plan {
            let found = serde_json::from_str::<Plan>(&kept).map_or_else(|_| kept.clone(), |p| p.title);
            return Err(StoreError::Other { found });
        }
        if found < VERSION {
            let transaction = store.connection.unchecked_transaction()?;
            transaction.execute_batch(FOLLOWED)?;
            transaction.pragma_update(None, "user_version", VERSION)?;
            transaction.commit()?;
        }
        Ok(store)
    }

    /// Opens a store for reading only, with the plan it was made for.
    pub fn read(path: &Path) -> Result<(Store, Plan), StoreError> {
        let flags = rusqlite::OpenFlags::SQLITE_OPEN_READ_ONLY;
        let store = Store { connection: Connection::open_with_flags(path, flags)? };
        let found: i64 = store.connection.pragma_query_value(None, "user_version", |row| row.get(0))?;
        if found > VERSION {
            return Err(StoreError::Newer { found });
        }
        let plan = serde_json::from_str(&store.plan_text()?);
        Ok((store, plan.map_err(|why| StoreError::Damaged(why.to_string()))?))
    }

    fn plan_text(&self) -> Result<String, StoreError> {
        let query = "SELECT value FROM meta WHERE key = 'plan'";
        let plan = self.connection.query_row(query, [], |row| row.get(0)).optional()?;
        plan.ok_or_else(|| StoreError::Damaged("it has no plan".to_string()))
    }

    /// Keeps what came of a unit; once, however often it is told.
    pub fn keep(&self, done: &Done) -> Result<(), StoreError> {
        self.keep_all(std::slice::from_ref(done))
    }

    /// Keeps what came of several units, all or none.
    pub fn keep_all(&self, units: &[Done]) -> Result<(), StoreError> {
        let transaction = self.connection.unchecked_transaction()?;
        for done in units {
            let Unit { cell, first, count } = done.unit;
            let mut unit = transaction.prepare_cached("INSERT OR IGNORE INTO units VALUES (?1, ?2, ?3)")?;
            if unit.execute(params![cell, first, count])? == 0 {
                continue;
            }
            let mut game =
                transaction.prepare_cached("INSERT OR IGNORE INTO games VALUES (?1, ?2, ?3, ?4, ?5)")?;
            let mut seat = transaction.prepare_cached(
                "INSERT OR IGNORE INTO seats VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12, ?13, ?14)",
            )?;
            let mut followed = transaction
                .prepare_cached("INSERT OR IGNORE INTO followed VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8)")?;
            for row in &done.games {
                let (deal, agents) = (row.deal.0.cast_signed(), row.agents.0.cast_signed());
                game.execute(params![cell, row.number, deal, agents, row.steps])?;
                for (number, s) in row.seats.iter().enumerate() {
                    for (place, f) in s.followed.iter().enumerate() {
                        followed.execute(params![
                            cell, row.number, number, place, f.name, f.step, f.episode, f.value
                        ])?;
                    }
                    let e = s.effort;
                    seat.execute(params![
                        cell,
                        row.number,
                        number,
                        s.entrant,
                        s.role,
                        s.cheating,
                        s.reward,
                        s.score,
                        e.moves,
                        e.micros,
                        e.iterations,
                        e.nodes,
                        e.depth,
                        e.mean_depths
                    ])?;
                }
            }
            let mut point = transaction
                .prepare_cached("INSERT OR IGNORE INTO points VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7)")?;
            for p in &done.points {
                point.execute(params![
                    cell,
                    first,
                    p.done,
                    p.seconds,
                    p.value,
                    p.nash_conv,
                    p.exploitability
                ])?;
            }
        }
        Ok(transaction.commit()?)
    }

    /// The units that are there.
    pub fn units(&self) -> Result<Vec<Unit>, StoreError> {
        let mut query =
            self.connection.prepare("SELECT cell, first, count FROM units ORDER BY cell, first")?;
        let unit =
            |row: &rusqlite::Row<'_>| Ok(Unit { cell: row.get(0)?, first: row.get(1)?, count: row.get(2)? });
        Ok(query.query_map([], unit)?.collect::<Result<_, _>>()?)
    }

    /// The wins, draws and losses of the first entrant of a cell, unit by unit.
    pub(super) fn results(&self, cell: usize) -> Result<Vec<(Unit, [u64; 3])>, StoreError> {
        let mut query = self.connection.prepare_cached(
            "SELECT u.first, u.count, sum(s.score = 1), sum(s.score = 0.5), sum(s.score = 0)
             FROM units u JOIN seats s ON s.cell = u.cell AND s.number >= u.first AND s.number < u.first + u.count
             WHERE u.cell = ?1 AND s.entrant = 0 GROUP BY u.first ORDER BY u.first",
        )?;
        let unit = |row: &rusqlite::Row<'_>| {
            let unit = Unit { cell, first: row.get(0)?, count: row.get(1)? };
            Ok((unit, [row.get(2)?, row.get(3)?, row.get(4)?]))
        };
        Ok(query.query_map([cell], unit)?.collect::<Result<_, _>>()?)
    }

    /// Throws away the games of a cell from this one on.
    pub(super) fn cut(&self, cell: usize, from: u64) -> Result<(), StoreError> {
        let transaction = self.connection.unchecked_transaction()?;
        for (table, column) in
            [("units", "first"), ("games", "number"), ("seats", "number"), ("followed", "number")]
        {
            let text = format!("DELETE FROM {table} WHERE cell = ?1 AND {column} >= ?2");
            transaction.execute(&text, params![cell, from])?;
        }
        Ok(transaction.commit()?)
    }

    /// Sums over the seats of every entrant of every cell.
    pub(super) fn sums(&self) -> Result<Vec<Sums>, StoreError> {
        let mut query = self.connection.prepare(
            "SELECT cell, entrant, count(*), max(cheating), sum(score = 1), sum(score = 0.5), sum(score = 0),
                sum(reward), sum(reward * reward), sum(micros), sum(moves), total(iterations), total(nodes),
                total(depth), total(mean_depths), count(DISTINCT number)
             FROM seats GROUP BY cell, entrant",
        )?;
        let sums = |row: &rusqlite::Row<'_>| {
            let tally = Tally {
                cheating: row.get(3)?,
                games: row.get(15)?,
                wins: row.get(4)?,
                draws: row.get(5)?,
                losses: row.get(6)?,
                reward: row.get(7)?,
                squares: row.get(8)?,
                micros: row.get(9)?,
                moves: row.get(10)?,
            };
            Ok(Sums {
                cell: row.get(0)?,
                entrant: row.get(1)?,
                tally,
                seats: row.get(2)?,
                iterations: row.get(11)?,
                nodes: row.get(12)?,
                depth: row.get(13)?,
                mean_depths: row.get(14)?,
            })
        };
        Ok(query.query_map([], sums)?.collect::<Result<_, _>>()?)
    }

    /// The mean score of each entrant of each cell in every game.
    pub(super) fn scores(&self) -> Result<Scores, StoreError> {
        let mut query = self.connection.prepare(
            "SELECT cell, entrant, number, avg(score) FROM seats GROUP BY cell, entrant, number
             ORDER BY cell, entrant, number",
        )?;
        let mut scores = Scores::new();
        let mut rows = query.query([])?;
        while let Some(row) = rows.next()? {
            scores.entry((row.get(0)?, row.get(1)?)).or_default().push((row.get(2)?, row.get(3)?));
        }
        Ok(scores)
    }

    /// The games of a cell in order.
    pub fn games(&self, cell: usize) -> Result<Vec<GameRow>, StoreError> {
        let mut games: Vec<GameRow> = Vec::new();
        let mut query = self.connection.prepare_cached(
            "SELECT g.number, g.deal, g.agents, g.steps, s.entrant, s.role, s.cheating, s.reward, s.score, s.moves,
                s.micros, s.iterations, s.nodes, s.depth, s.mean_depths
             FROM games g JOIN seats s ON s.cell = g.cell AND s.number = g.number
             WHERE g.cell = ?1 ORDER BY g.number, s.seat",
        )?;
        let mut rows = query.query([cell])?;
        while let Some(row) = rows.next()? {
            let number: u64 = row.get(0)?;
            if games.last().is_none_or(|game| game.number != number) {
                let seed = |i| row.get::<_, i64>(i).map(|s| fogtree_core::Seed(s.cast_unsigned()));
                let (deal, agents) = (seed(1)?, seed(2)?);
                games.push(GameRow { number, deal, agents, steps: row.get(3)?, seats: Vec::new() });
            }
            let effort = Effort {
                moves: row.get(9)?,
                micros: row.get(10)?,
                iterations: row.get(11)?,
                nodes: row.get(12)?,
                depth: row.get(13)?,
                mean_depths: row.get(14)?,
            };
            let seat = SeatRow {
                entrant: row.get(4)?,
                role: row.get(5)?,
                cheating: row.get(6)?,
                reward: row.get(7)?,
                score: row.get(8)?,
                effort,
                followed: Vec::new(),
            };
            games.last_mut().expect("a game was just added").seats.push(seat);
        }
        for (number, seat, followed) in self.followed(cell)? {
            if let Ok(place) = games.binary_search_by_key(&number, |game| game.number)
                && let Some(row) = games[place].seats.get_mut(seat)
            {
                row.followed.push(followed);
            }
        }
        Ok(games)
    }

    /// What was followed in a cell: the game's number, the seat and the number, in the order of games, seats and
    /// decisions.
    fn followed(&self, cell: usize) -> Result<Vec<(u64, usize, Followed)>, StoreError> {
        let table = "SELECT count(*) FROM sqlite_master WHERE type = 'table' AND name = 'followed'";
        if self.connection.query_row(table, [], |row| row.get::<_, i64>(0))? == 0 {
            return Ok(Vec::new());
        }
        let mut query = self.connection.prepare_cached(
            "SELECT number, seat, name, step, episode, value FROM followed WHERE cell = ?1
             ORDER BY number, seat, place",
        )?;
        let row = |row: &rusqlite::Row<'_>| {
            let (name, step, episode, value) = (row.get(2)?, row.get(3)?, row.get(4)?, row.get(5)?);
            Ok((row.get(0)?, row.get(1)?, Followed { name, step, episode, value }))
        };
        Ok(query.query_map([cell], row)?.collect::<Result<_, _>>()?)
    }

    /// What was followed of every entrant of a cell, game by game and seat by seat.
    pub(super) fn trajectories(&self, cell: usize) -> Result<Vec<(usize, Trajectory)>, StoreError> {
        let seats = self.games(cell)?.into_iter().flat_map(|row| {
            let game = row.number;
            row.seats.into_iter().map(move |seat| (game, seat))
        });
        let known = seats.filter(|(_, seat)| !seat.followed.is_empty()).map(|(game, seat)| {
            (seat.entrant, Trajectory { game, won: seat.score == 1.0, followed: seat.followed })
        });
        Ok(known.collect())
    }

    /// The curves of a cell, run by run.
    pub fn curves(&self, cell: usize) -> Result<Vec<Vec<CurvePoint>>, StoreError> {
        let mut query = self.connection.prepare_cached(
            "SELECT run, done, seconds, value, nash_conv, exploitability FROM points WHERE cell = ?1
             ORDER BY run, done",
        )?;
        let mut rows = query.query([cell])?;
        let mut curves: Vec<(i64, Vec<CurvePoint>)> = Vec::new();
        while let Some(row) = rows.next()? {
            let run: i64 = row.get(0)?;
            if curves.last().is_none_or(|(last, _)| *last != run) {
                curves.push((run, Vec::new()));
            }
            let point = CurvePoint {
                done: row.get(1)?,
                seconds: row.get(2)?,
                value: row.get(3)?,
                nash_conv: row.get(4)?,
                exploitability: row.get(5)?,
            };
            curves.last_mut().expect("a run was just added").1.push(point);
        }
        Ok(curves.into_iter().map(|(_, points)| points).collect())
    }

    /// Folds the log of recent changes into the file itself, so that the file alone can be copied.
    pub fn settle(&self) -> Result<(), StoreError> {
        Ok(self.connection.pragma_update(None, "wal_checkpoint", "TRUNCATE")?)
    }
}

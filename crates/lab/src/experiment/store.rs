//! Where results are kept: one SQLite file per experiment.
//!
//! What a unit found goes in as one transaction, or not at all: a run that is killed at any moment loses the
//! units in progress and nothing else, and a unit that is done twice is kept once. The plan lies beside the
//! results, so that a store explains itself. Every unit has a sum over its rows. A store is looked at in full
//! when it is opened, and one that is not what was written is refused.

mod check;
mod tables;

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use rusqlite::{Connection, ErrorCode, OpenFlags, OptionalExtension, params};

use self::tables::VERSION;
use super::plan::{Plan, Unit};
use super::summary::Sums;
use super::work::Done;
use crate::curve::CurvePoint;
use crate::follow::{Followed, Trajectory};
use crate::made::Made;
use crate::row::{Effort, GameRow, SeatRow};
use crate::series::Tally;

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
        "the store holds another experiment ('{found}'): {why}; use another directory, or the file it was \
         made from"
    )]
    Other {
        /// Its title.
        found: String,
        /// What is different.
        why: String,
    },
    /// It is not a store, or not what was written.
    #[error(
        "the store is damaged ({0}) and was left as it is; put a copy in its place, or move it away and run \
         the experiment again"
    )]
    Damaged(String),
    /// Nothing was ever stored.
    #[error("the store holds no results yet; run the experiment")]
    Empty,
    /// There is no room left.
    #[error("the disk is full; what was stored before is safe, make room and resume")]
    Full,
    /// Anything else.
    #[error("the store failed: {0}")]
    Sqlite(rusqlite::Error),
}

impl From<rusqlite::Error> for StoreError {
    fn from(error: rusqlite::Error) -> StoreError {
        use rusqlite::Error::{
            FromSqlConversionFailure, IntegralValueOutOfRange, InvalidColumnType, Utf8Error,
        };
        match (error.sqlite_error_code(), &error) {
            (Some(ErrorCode::DiskFull), _) => StoreError::Full,
            // Unknown is what SQLite says of tables and columns that are not there.
            (Some(ErrorCode::NotADatabase | ErrorCode::DatabaseCorrupt | ErrorCode::Unknown), _)
            | (None, FromSqlConversionFailure(..) | IntegralValueOutOfRange(..))
            | (None, InvalidColumnType(..) | Utf8Error(..)) => StoreError::Damaged(error.to_string()),
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
    /// Opens the store in this file for this plan, and makes it if there is none. The store of a smaller plan
    /// becomes one of this plan.
    pub fn open(path: &Path, plan: &Plan) -> Result<Store, StoreError> {
        let connection = Connection::open(path)?;
        connection.pragma_update(None, "journal_mode", "WAL")?;
        connection.pragma_update(None, "synchronous", "NORMAL")?;
        if is_empty(&connection)? {
            let transaction = connection.unchecked_transaction()?;
            tables::create(&transaction)?;
            set_meta(&transaction, "plan", &plan_text(plan))?;
            transaction.commit()?;
            return Ok(Store { connection });
        }
        let found = version(&connection)?;
        check::check_file(&connection)?;
        if found < VERSION {
            kept_plan(&connection)?;
            tables::upgrade(&connection, found)?;
        }
        let kept = checked_plan(&connection)?;
        if kept != *plan {
            let cells = plan.grown_from(&kept).map_err(|why| StoreError::Other { found: kept.title, why })?;
            tables::grow(&connection, plan, &cells)?;
        }
        Ok(Store { connection })
    }

    /// Opens a store for reading only, with the plan it was made for. Nothing is written, not even beside it:
    /// the folder may be one that cannot be written to.
    pub fn read(path: &Path) -> Result<(Store, Plan), StoreError> {
        let mut connection = reading(path)?;
        if is_empty(&connection)? {
            return Err(StoreError::Empty);
        }
        let found = version(&connection)?;
        check::check_file(&connection)?;
        if found < VERSION {
            connection = tables::copied(&connection, found)?;
            tables::upgrade(&connection, found)?;
        }
        let plan = checked_plan(&connection)?;
        Ok((Store { connection }, plan))
    }

    /// Notes which program on which machine adds results.
    pub(super) fn sign(&self, made: &Made) -> Result<(), StoreError> {
        let mut all = self.made()?;
        if all.iter().any(|m| m.is_alike(made)) {
            return Ok(());
        }
        all.push(made.clone());
        let transaction = self.connection.unchecked_transaction()?;
        set_meta(&transaction, "made", &serde_json::to_string(&all).expect("plain data"))?;
        Ok(transaction.commit()?)
    }

    /// The programs and machines that made the results, in the order in which they began.
    pub fn made(&self) -> Result<Vec<Made>, StoreError> {
        let text = meta(&self.connection, "made")?;
        let made = text.map_or(Ok(Vec::new()), |text| serde_json::from_str(&text));
        made.map_err(|why| StoreError::Damaged(why.to_string()))
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
            let mut unit =
                transaction.prepare_cached("INSERT OR IGNORE INTO units VALUES (?1, ?2, ?3, NULL)")?;
            if unit.execute(params![cell, first, count])? == 0 {
                continue;
            }
            let mut game =
                transaction.prepare_cached("INSERT OR IGNORE INTO games VALUES (?1, ?2, ?3, ?4, ?5)")?;
            let mut seat = transaction.prepare_cached(
                "INSERT OR IGNORE INTO seats VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12, ?13, \
                 ?14, ?15)",
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
                        e.mean_depths,
                        s.place
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
            check::seal_unit(&transaction, &done.unit)?;
        }
        Ok(transaction.commit()?)
    }

    /// The units that are there.
    pub fn units(&self) -> Result<Vec<Unit>, StoreError> {
        units(&self.connection)
    }

    /// The scores of the first entrant of a cell, game by game and unit by unit.
    pub(super) fn results(&self, cell: usize) -> Result<Vec<(Unit, Vec<f64>)>, StoreError> {
        let mut query = self.connection.prepare_cached(
            "SELECT u.first, u.count, avg(s.score)
             FROM units u JOIN seats s ON s.cell = u.cell AND s.number >= u.first AND s.number < u.first + u.count
             WHERE u.cell = ?1 AND s.entrant = 0 GROUP BY u.first, s.number ORDER BY u.first, s.number",
        )?;
        let mut rows = query.query([cell])?;
        let mut results: Vec<(Unit, Vec<f64>)> = Vec::new();
        while let Some(row) = rows.next()? {
            let unit = Unit { cell, first: row.get(0)?, count: row.get(1)? };
            if results.last().is_none_or(|(last, _)| *last != unit) {
                results.push((unit, Vec::new()));
            }
            results.last_mut().expect("a unit was just added").1.push(row.get(2)?);
        }
        Ok(results)
    }

    /// Throws away the games of a cell from this one on.
    pub(super) fn cut(&self, cell: usize, from: u64) -> Result<(), StoreError> {
        let transaction = self.connection.unchecked_transaction()?;
        tables::remove(&transaction, cell, from)?;
        Ok(transaction.commit()?)
    }

    /// Sums over the seats of every entrant of every cell.
    pub(super) fn sums(&self) -> Result<Vec<Sums>, StoreError> {
        let mut query = self.connection.prepare(
            "SELECT cell, entrant, count(*), max(cheating), sum(score = 1), sum(score > 0 AND score < 1),
                sum(score = 0), sum(reward), sum(reward * reward), sum(micros), sum(moves), total(iterations),
                total(nodes), total(depth), total(mean_depths), count(DISTINCT number), sum(score), sum(place)
             FROM seats GROUP BY cell, entrant",
        )?;
        let sums = |row: &rusqlite::Row<'_>| {
            let tally = Tally {
                cheating: row.get(3)?,
                games: row.get(15)?,
                wins: row.get(4)?,
                draws: row.get(5)?,
                losses: row.get(6)?,
                points: row.get(16)?,
                places: row.get(17)?,
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
                s.micros, s.iterations, s.nodes, s.depth, s.mean_depths, s.place
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
                place: row.get(15)?,
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

/// Whether nothing was ever written to a file, or no more than its head.
fn is_empty(connection: &Connection) -> Result<bool, StoreError> {
    let tables: i64 = connection.query_row("SELECT count(*) FROM sqlite_master", [], |row| row.get(0))?;
    Ok(tables == 0 && user_version(connection)? == 0)
}

fn user_version(connection: &Connection) -> Result<i64, StoreError> {
    Ok(connection.pragma_query_value(None, "user_version", |row| row.get(0))?)
}

/// The version of the tables, if this program knows it and the tables are of it.
fn version(connection: &Connection) -> Result<i64, StoreError> {
    let found = user_version(connection)?;
    if found > VERSION {
        return Err(StoreError::Newer { found });
    }
    let sums = "SELECT count(*) FROM pragma_table_info('units') WHERE name = 'sum'";
    let has_sums = connection.query_row(sums, [], |row| row.get::<_, i64>(0))? > 0;
    if found < 1 || has_sums != (found >= 3) {
        return Err(StoreError::Damaged(format!("its tables are not those of version {found}")));
    }
    Ok(found)
}

/// The plan in a store that is what was written.
fn checked_plan(connection: &Connection) -> Result<Plan, StoreError> {
    check::check_meta(connection)?;
    let plan = kept_plan(connection)?;
    check::check_units(connection, &plan)?;
    Ok(plan)
}

fn kept_plan(connection: &Connection) -> Result<Plan, StoreError> {
    let text = meta(connection, "plan")?.ok_or_else(|| StoreError::Damaged("it has no plan".to_string()))?;
    serde_json::from_str(&text).map_err(|why| StoreError::Damaged(why.to_string()))
}

fn plan_text(plan: &Plan) -> String {
    serde_json::to_string(plan).expect("a plan is plain data")
}

fn units(connection: &Connection) -> Result<Vec<Unit>, StoreError> {
    let mut query = connection.prepare("SELECT cell, first, count FROM units ORDER BY cell, first")?;
    let unit =
        |row: &rusqlite::Row<'_>| Ok(Unit { cell: row.get(0)?, first: row.get(1)?, count: row.get(2)? });
    Ok(query.query_map([], unit)?.collect::<Result<_, _>>()?)
}

/// What a store says of itself under this key.
fn meta(connection: &Connection, key: &str) -> Result<Option<String>, StoreError> {
    let query = "SELECT value FROM meta WHERE key = ?1";
    Ok(connection.query_row(query, [key], |row| row.get(0)).optional()?)
}

fn set_meta(connection: &Connection, key: &str, value: &str) -> Result<(), StoreError> {
    connection.execute("INSERT OR REPLACE INTO meta VALUES (?1, ?2)", [key, value])?;
    check::seal_meta(connection)
}

/// Opens a database for reading. SQLite wants to write beside it even then; where it cannot, nobody else
/// writes either, and the file is read without locks, with its log if a run that was killed left one.
fn reading(path: &Path) -> Result<Connection, StoreError> {
    let flags = OpenFlags::SQLITE_OPEN_READ_ONLY | OpenFlags::SQLITE_OPEN_URI;
    let opened = Connection::open_with_flags(path, OpenFlags::SQLITE_OPEN_READ_ONLY)?;
    match user_version(&opened) {
        Err(StoreError::Sqlite(why))
            if matches!(why.sqlite_error_code(), Some(ErrorCode::CannotOpen | ErrorCode::ReadOnly)) => {}
        Err(why) => return Err(why),
        Ok(_) => return Ok(opened),
    }
    let mut log = path.as_os_str().to_os_string();
    log.push("-wal");
    if std::fs::metadata(PathBuf::from(log)).is_ok_and(|log| log.len() > 0) {
        let connection = Connection::open_with_flags_and_vfs(path, flags, c"unix-none")?;
        connection.pragma_update(None, "locking_mode", "EXCLUSIVE")?;
        return Ok(connection);
    }
    let name = path.to_string_lossy().replace('%', "%25").replace('?', "%3f").replace('#', "%23");
    Ok(Connection::open_with_flags(format!("file:{name}?immutable=1"), flags)?)
}

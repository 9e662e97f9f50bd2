//! Matches of many games.
//!
//! Seats rotate from game to game and each deal is played once in every rotation, so that neither the seat
//! nor the cards favour anyone; the agents think anew in every game. All seeds follow from the game's number
//! alone: the result is the same with any number of threads.

use std::panic::resume_unwind;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::mpsc::{self, RecvTimeoutError};
use std::thread;
use std::time::Duration;

use fogtree_core::{AgentFailure, IllegalStep, Player, Record, Seed};
use fogtree_table::wire::{MatchResult, Standing};
use fogtree_table::{AnyGame, Moment, Registry, SeatAgent, Seeds, Unavailable, play_game};

use crate::deals::Deals;
use crate::follow::Follower;
use crate::row::{Effort, GameRow, SeatRow, scores_and_places};
use crate::statistics::{Share, clopper_pearson, elo};
use crate::until::{Scores, Until};

/// The most games that are played at a time: more threads than this help nobody, and a system may refuse them.
pub const MOST_THREADS: usize = 1024;

/// Who plays where.
#[derive(Clone, PartialEq, Debug)]
pub enum Seats {
    /// One agent per seat; seats rotate from game to game.
    Rotated(Vec<String>),
    /// One agent per seat; each deal is played once in every order of the agents.
    Permuted(Vec<String>),
    /// One agent per seat, in all games the same.
    Fixed(Vec<String>),
    /// Agents by the part a seat plays. `others` stands for every part not named.
    Roles(Vec<(String, String)>),
}

/// A match to be played.
#[derive(Clone, Debug)]
pub struct Series {
    /// The game's specification.
    pub game: String,
    /// Who plays where.
    pub seats: Seats,
    /// How many games.
    pub games: u64,
    /// From which deals and agents draw.
    pub seed: Seed,
    /// Which deals are played.
    pub deals: Deals,
    /// When to stop before; only in matches between two entrants.
    pub until: Option<Until>,
    /// What is followed from decision to decision.
    pub follow: Vec<String>,
    /// How many games at a time, at least 1; no more than [`MOST_THREADS`] are played.
    pub threads: usize,
}

/// Why a match cannot be played.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum SeriesError {
    /// The game is for another number of players.
    #[error(
        "{game} is for {players} players, but {given} agent{} given; name {players} agents, or assign them by \
         role with --roles",
        if *.given == 1 { " was" } else { "s were" }
    )]
    Agents {
        /// The game.
        game: String,
        /// Its players.
        players: usize,
        /// The agents named.
        given: usize,
    },
    /// A part for which there is no agent.
    #[error("no agent for the role '{role}'; roles given: {}; 'others' stands for all that are not named", .given.join(", "))]
    Role {
        /// The part.
        role: String,
        /// The parts named.
        given: Vec<String>,
    },
    /// A stopping rule that cannot be followed.
    #[error("until: {0}")]
    Until(String),
    /// An agent that cannot be had.
    #[error(transparent)]
    Agent(#[from] Unavailable),
    /// An agent chose an illegal move.
    #[error("an agent broke the rules: {0}")]
    Illegal(#[from] IllegalStep),
    /// An agent made no decision.
    #[error(transparent)]
    Failed(#[from] AgentFailure),
}

/// A match that was stopped waits no longer than this for the next game to end.
const PATIENCE: Duration = Duration::from_millis(50);

/// Ends a match when the thread that holds it panics: an agent or a game that breaks down breaks down in every game.
struct EndsOnPanic<'a>(&'a AtomicBool);

impl Drop for EndsOnPanic<'_> {
    fn drop(&mut self) {
        if thread::panicking() {
            self.0.store(true, Ordering::Relaxed);
        }
    }
}

/// The results of one entrant, added up.
#[derive(Clone, Copy, PartialEq, Debug, Default)]
pub(crate) struct Tally {
    pub(crate) cheating: bool,
    pub(crate) games: u64,
    pub(crate) wins: u64,
    pub(crate) draws: u64,
    pub(crate) losses: u64,
    /// The sum of its scores.
    pub(crate) points: f64,
    /// The sum of its places.
    pub(crate) places: f64,
    pub(crate) reward: f64,
    pub(crate) squares: f64,
    pub(crate) micros: u64,
    pub(crate) moves: u64,
}

impl Series {
    /// Plays the match. `done` is shown every record in the order of game numbers; `stop` ends it early, with
    /// the result of the games before the first that was not played to its end. Games in progress are then
    /// left to themselves.
    pub fn run(
        &self,
        registry: &Registry,
        game: &dyn AnyGame,
        stop: &AtomicBool,
        done: &mut dyn FnMut(u64, &Record),
    ) -> Result<MatchResult, SeriesError> {
        self.check(registry, game)?;
        let (next, ended) = (Arc::new(AtomicU64::new(0)), Arc::new(AtomicBool::new(false)));
        let (send, receive) = mpsc::channel();
        let useful = usize::try_from(self.games).map_or(MOST_THREADS, |n| n.clamp(1, MOST_THREADS));
        let threads = self.threads.clamp(1, useful);
        let workers: Vec<_> = (0..threads)
            .map(|_| {
                let (series, registry, game) = (self.clone(), registry.clone(), game.shared());
                let (send, next, ended) = (send.clone(), Arc::clone(&next), Arc::clone(&ended));
                thread::spawn(move || {
                    let _ends = EndsOnPanic(&ended);
                    game.model().on_thread(&mut || {
                        while !ended.load(Ordering::Relaxed) {
                            let number = next.fetch_add(1, Ordering::Relaxed);
                            if number >= series.games
                                || send.send(series.play(&registry, &*game, number)).is_err()
                            {
                                break;
                            }
                        }
                    });
                })
            })
            .collect();
        drop(send);
        let result = self.collect(game, receive, stop, &ended, done);
        ended.store(true, Ordering::Relaxed);
        if !stop.load(Ordering::Relaxed) {
            for worker in workers {
                worker.join().unwrap_or_else(|panic| resume_unwind(panic));
            }
        }
        result
    }

    /// The entrants: what each is called and, by role, which part it plays.
    fn entrants(&self) -> Vec<(Option<String>, String)> {
        match &self.seats {
            Seats::Rotated(agents) | Seats::Permuted(agents) | Seats::Fixed(agents) => {
                agents.iter().map(|a| (None, a.clone())).collect()
            }
            Seats::Roles(roles) => roles.iter().map(|(r, a)| (Some(r.clone()), a.clone())).collect(),
        }
    }

    /// Makes every agent once, so that a match that cannot be played fails before its first game.
    pub fn check(&self, registry: &Registry, game: &dyn AnyGame) -> Result<(), SeriesError> {
        let players = game.facts().players;
        if let Seats::Rotated(agents) | Seats::Permuted(agents) | Seats::Fixed(agents) = &self.seats
            && agents.len() != players
        {
            return Err(SeriesError::Agents { game: self.game.clone(), players, given: agents.len() });
        }
        if let Some(until) = self.until {
            until.check().map_err(SeriesError::Until)?;
            if (players, self.entrants().len()) != (2, 2) {
                let why = "only matches between two players can be stopped by a test";
                return Err(SeriesError::Until(why.to_string()));
            }
        }
        for (_, agent) in self.entrants() {
            registry.agent(&agent, game)?;
        }
        Ok(())
    }

    fn entrant(&self, number: u64, seat: Player, role: &str) -> Result<usize, SeriesError> {
        match &self.seats {
            Seats::Rotated(agents) => Ok((seat.index() + number as usize % agents.len()) % agents.len()),
            Seats::Permuted(agents) => Ok(permutation(number, agents.len())[seat.index()]),
            Seats::Fixed(_) => Ok(seat.index()),
            Seats::Roles(roles) => {
                let named = |name: &str| roles.iter().position(|(r, _)| r == name);
                named(role).or_else(|| named("others")).ok_or_else(|| SeriesError::Role {
                    role: role.to_string(),
                    given: roles.iter().map(|(r, _)| r.clone()).collect(),
                })
            }
        }
    }

    /// Plays the game with this number.
    pub fn play(
        &self,
        registry: &Registry,
        game: &dyn AnyGame,
        number: u64,
    ) -> Result<(GameRow, Record), SeriesError> {
        let deal = match &self.seats {
            Seats::Rotated(agents) => number / agents.len() as u64,
            Seats::Permuted(agents) => number / (1..=agents.len() as u64).product::<u64>(),
            Seats::Fixed(_) | Seats::Roles(_) => number,
        };
        let specs = self.entrants();
        let mut seated = Vec::new();
        let mut seating = |seat: Player, role: &str| -> Result<SeatAgent, SeriesError> {
            let entrant = self.entrant(number, seat, role)?;
            let agent = registry.agent(&specs[entrant].1, game)?;
            seated.push((entrant, role.to_string(), agent.cheats));
            Ok(agent)
        };
        let seeds = Seeds {
            deal: self.deals.seed(self.seed, deal),
            agents: self.seed.named("agents").number(number),
        };
        let mut efforts = vec![Effort::default(); game.facts().players];
        let mut follower = Follower::new(&self.follow, game);
        let mut watch = |moment: &Moment<'_>| {
            moment.decisions.iter().for_each(|(p, decision)| efforts[p.index()].add(decision));
            follower.watch(moment);
        };
        let played = play_game(game, &self.game, seeds, &mut seating, &mut watch)?;
        let players = || Player::all(seated.len());
        let rewards: Vec<_> = players().zip(&seated).map(|(p, seat)| (played.rewards[p], seat.0)).collect();
        let results = players().zip(scores_and_places(&rewards));
        let seats = results.zip(seated).zip(follower.seats()).map(
            |(((p, (score, place)), (entrant, role, cheating)), followed)| {
                let (reward, effort) = (played.rewards[p], efforts[p.index()].taking(played.time[p]));
                SeatRow { entrant, role, cheating, reward, score, place, effort, followed }
            },
        );
        let seats = seats.collect();
        let steps = played.record.steps.len() as u64;
        let Seeds { deal, agents } = seeds;
        Ok((GameRow { number, deal, agents, steps, seats }, played.record))
    }

    /// Adds results up in the order of game numbers, whatever order they come in.
    fn collect(
        &self,
        game: &dyn AnyGame,
        results: mpsc::Receiver<Result<(GameRow, Record), SeriesError>>,
        stop: &AtomicBool,
        ended: &AtomicBool,
        done: &mut dyn FnMut(u64, &Record),
    ) -> Result<MatchResult, SeriesError> {
        let entrants = self.entrants();
        let mut tallies = vec![Tally::default(); entrants.len()];
        let mut early = std::collections::BTreeMap::new();
        let (mut number, mut settled) = (0, None);
        let mut scores = Scores::new(matches!(self.seats, Seats::Rotated(_)));
        'results: loop {
            let stopped = stop.load(Ordering::Relaxed);
            if stopped {
                ended.store(true, Ordering::Relaxed);
            }
            let (row, record) = match results.recv_timeout(PATIENCE) {
                Ok(result) => result?,
                Err(RecvTimeoutError::Timeout) if !stopped => continue,
                Err(_) => break,
            };
            early.insert(row.number, (row, record));
            while let Some((row, record)) = early.remove(&number) {
                number += 1;
                for (entrant, tally) in tallies.iter_mut().enumerate() {
                    tally.add(row.seats.iter().filter(|seat| seat.entrant == entrant));
                }
                done(number, &record);
                row.seats.iter().filter(|seat| seat.entrant == 0).for_each(|seat| scores.add(seat.score));
                settled = self.until.and_then(|until| until.settled(&scores));
                if settled.is_some() {
                    break 'results;
                }
            }
        }
        let two = game.facts().players == 2;
        let moves: u64 = tallies.iter().map(|t| t.moves).sum();
        Ok(MatchResult {
            game: self.game.clone(),
            games: number,
            seed: self.seed,
            moves_per_game: moves as f64 / number.max(1) as f64,
            agents: entrants
                .into_iter()
                .zip(tallies)
                .map(|((role, agent), t)| t.standing(role, agent, two))
                .collect(),
            settled,
        })
    }
}

/// The order of so many agents with this number, counted over and over.
fn permutation(number: u64, agents: usize) -> Vec<usize> {
    let mut left: Vec<usize> = (0..agents).collect();
    let mut rest = number;
    let mut take = |choices: usize| {
        let place = (rest % choices as u64) as usize;
        rest /= choices as u64;
        left.remove(place)
    };
    (1..=agents).rev().map(&mut take).collect()
}

impl Tally {
    /// Adds the entrant's seats in a game.
    fn add<'a>(&mut self, seats: impl Iterator<Item = &'a SeatRow>) {
        let mut seats = seats.peekable();
        self.games += u64::from(seats.peek().is_some());
        for seat in seats {
            self.cheating |= seat.cheating;
            match seat.score {
                1.0 => self.wins += 1,
                0.0 => self.losses += 1,
                _ => self.draws += 1,
            }
            self.points += seat.score;
            self.places += seat.place;
            self.reward += seat.reward;
            self.squares += seat.reward * seat.reward;
            self.micros += seat.effort.micros;
            self.moves += seat.effort.moves;
        }
    }

    /// Adds the results of another entrant of the same games.
    pub(crate) fn add_seats(&mut self, other: &Tally) {
        self.cheating |= other.cheating;
        self.games = self.games.max(other.games);
        self.wins += other.wins;
        self.draws += other.draws;
        self.losses += other.losses;
        self.points += other.points;
        self.places += other.places;
        self.reward += other.reward;
        self.squares += other.squares;
        self.micros += other.micros;
        self.moves += other.moves;
    }

    pub(crate) fn standing(self, role: Option<String>, agent: String, two: bool) -> Standing {
        let n = (self.wins + self.draws + self.losses).max(1) as f64;
        let games = self.games.max(1) as f64;
        let Share { share, low, high } = clopper_pearson((self.points * games / n).min(games), self.games);
        let mean = self.reward / n;
        let variance = (self.squares / n - mean * mean).max(0.0) * n / (n - 1.0).max(1.0);
        Standing {
            agent,
            role,
            cheating: self.cheating,
            games: self.games,
            wins: self.wins,
            draws: self.draws,
            losses: self.losses,
            win_rate: share,
            low,
            high,
            mean_place: (!two && self.games > 0).then_some(self.places / n),
            mean_reward: mean,
            reward_error: (variance / games).sqrt(),
            elo: two.then(|| elo(share)).filter(|e| e.is_finite()),
            seconds_per_move: self.micros as f64 * 1e-6 / self.moves.max(1) as f64,
        }
    }
}

//! New tables.

use std::collections::BTreeMap;
use std::sync::Arc;

use fogtree_core::{Player, Seed};
use fogtree_table::{Seat, Session};
use serde::{Deserialize, Serialize};

use super::super::Studio;
use super::super::place::Place;
use super::super::refusal::Refusal;
use super::super::visitors::{Visitor, secret};
use super::clock::Rule;
use super::journal::{Head, Journal};
use super::live::{Inner, LiveTable};

/// What somebody wants to play.
#[derive(Clone, Debug, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub(super) struct NewTable {
    /// The specification of the game.
    game: String,
    /// The agents by seat; null for people.
    seats: Vec<Option<String>>,
    /// Whether everybody may see everything.
    #[serde(default)]
    open: bool,
    /// The seed of deal and agents; by default it is drawn from the system, and promised.
    #[serde(default)]
    seed: Option<u64>,
    /// How much time everybody has; by default as much as one likes.
    #[serde(default)]
    clock: Option<Rule>,
    /// The seats of people that whoever makes the table takes; by default the first.
    #[serde(default)]
    sit: Option<Vec<u8>>,
    /// Milliseconds between moves of agents.
    #[serde(default)]
    delay: Option<u64>,
    /// From where to play on.
    #[serde(default)]
    from: Option<Place>,
}

/// A table that was made.
#[derive(Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[cfg_attr(feature = "schema", schemars(rename = "CreatedTable"))]
pub(super) struct Created {
    /// By which it is asked for.
    table: String,
    /// The links of the seats that are kept for others.
    links: BTreeMap<Player, String>,
}

/// Between moves of agents that play alone, and of those among people.
const USUAL_DELAY: [u64; 2] = [700, 0];
/// Agents do not wait longer between moves.
pub(super) const LONGEST_DELAY: u64 = 60_000;

impl Studio {
    /// Makes a table.
    pub(super) fn make_table(
        self: &Arc<Studio>,
        visitor: &Visitor,
        wanted: NewTable,
    ) -> Result<Created, Refusal> {
        visitor.must_own()?;
        self.tables.check_disk()?;
        let seats: Vec<Seat> =
            wanted.seats.iter().map(|agent| agent.clone().map_or(Seat::Person, Seat::Agent)).collect();
        let (registry, seed) = (&self.registry, wanted.seed.map(Seed));
        let session = match &wanted.from {
            None => Session::start(registry, &wanted.game, &seats, seed)?,
            Some(place) => {
                let stand = self.stand(visitor, place)?;
                if !stand.sees_all() {
                    return Err(Refusal::forbidden("one cannot play on from a game that is not over"));
                }
                Session::start_from(registry, &stand.spec, &seats, seed, &stand.table.names())?
            }
        };
        let people: Vec<Player> =
            Player::all(seats.len()).filter(|p| seats[p.index()] == Seat::Person).collect();
        let sit: Vec<Player> = match &wanted.sit {
            None => people.first().copied().into_iter().collect(),
            Some(seats) => seats.iter().map(|&seat| Player(seat)).collect(),
        };
        if let Some(seat) = sit.iter().find(|seat| !people.contains(seat)) {
            return Err(Refusal::bad(format!("seat {seat} is not a person's")));
        }
        let guests = people.iter().filter(|seat| !sit.contains(seat));
        let head = Head {
            open: wanted.open,
            clock: wanted.clock.map(Rule::check).transpose()?,
            delay: wanted.delay.unwrap_or(USUAL_DELAY[usize::from(!people.is_empty())]).min(LONGEST_DELAY),
            keys: guests.map(|&seat| (seat, secret())).collect(),
            ..Head::of(&session.save(), visitor.id.clone())
        };
        let id = secret();
        let failed = |why| Refusal::failed(format!("the table cannot be kept on disk: {why}"));
        let journal = Journal::create(&self.tables.path(&id), &head).map_err(failed)?;
        let mut inner = Inner::new(session, head, journal);
        inner.claims = sit.iter().map(|&seat| (seat, visitor.id.clone())).collect();
        let links = inner.links();
        let table = Arc::new(LiveTable::new(id.clone(), inner));
        if let Err(why) = self.tables.add(Arc::clone(&table)) {
            let _ = std::fs::remove_file(self.tables.path(&id));
            return Err(why);
        }
        self.drive(&table);
        Ok(Created { table: id, links })
    }
}

impl Inner {
    /// The links of the seats that nobody has taken yet.
    pub(super) fn links(&self) -> BTreeMap<Player, String> {
        let free = self.head.keys.iter().filter(|(seat, _)| !self.claims.contains_key(seat));
        free.map(|(seat, key)| (*seat, format!("/seat/{key}"))).collect()
    }
}

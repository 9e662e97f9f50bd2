//! Clocks of people and agents at a table.

use std::time::{Duration, Instant};

use fogtree_core::{Player, Players};
use serde::{Deserialize, Serialize};

use super::super::refusal::Refusal;

/// How much time everybody has.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[cfg_attr(feature = "schema", schemars(rename = "Clock"))]
pub(crate) struct Rule {
    /// Seconds for the whole game.
    pub(crate) seconds: u32,
    /// Seconds more after each move.
    #[serde(default)]
    pub(crate) increment: u32,
}

impl Rule {
    /// Refuses what nobody could play with.
    pub(crate) fn check(self) -> Result<Rule, Refusal> {
        const DAY: u32 = 24 * 3600;
        match self {
            Rule { seconds: 1..=DAY, increment: 0..=3600 } => Ok(self),
            _ => Err(Refusal::bad("a clock has 1 second to a day, and at most an hour more for each move")),
        }
    }
}

/// The clocks of a table.
#[derive(Clone, Debug)]
pub(super) struct Clocks {
    pub(super) rule: Rule,
    left: Vec<Duration>,
    /// Whose clocks run, and since when.
    running: (Players, Instant),
}

impl Clocks {
    /// Clocks with these milliseconds left, or full ones.
    pub(super) fn new(rule: Rule, players: usize, left: &[u64]) -> Clocks {
        let full = Duration::from_secs(rule.seconds.into());
        let left = (0..players).map(|p| left.get(p).map_or(full, |&ms| Duration::from_millis(ms)));
        Clocks { rule, left: left.collect(), running: (Players::default(), Instant::now()) }
    }

    /// What a seat has left.
    pub(super) fn left(&self, seat: Player) -> Duration {
        let (running, since) = self.running;
        let used = if running.contains(seat) { since.elapsed() } else { Duration::ZERO };
        self.left[seat.index()].saturating_sub(used)
    }

    /// From now on the clocks of these run, and no others. Whoever has moved gets the increment.
    pub(super) fn run(&mut self, next: Players) {
        let (before, _) = self.running;
        for seat in before.iter() {
            self.left[seat.index()] = self.left(seat);
            if !next.contains(seat) {
                self.left[seat.index()] += Duration::from_secs(self.rule.increment.into());
            }
        }
        self.running = (next, Instant::now());
    }

    /// Takes the time that an agent has used.
    pub(super) fn use_up(&mut self, seat: Player, time: Duration) {
        let left = &mut self.left[seat.index()];
        *left = left.saturating_sub(time) + Duration::from_secs(self.rule.increment.into());
    }

    /// Who has run out of time.
    pub(super) fn out(&self) -> Option<Player> {
        self.running.0.iter().find(|&p| self.left(p).is_zero())
    }

    /// When the next clock runs out, if no one moves.
    pub(super) fn next_out(&self) -> Option<Duration> {
        self.running.0.iter().map(|p| self.left(p)).min()
    }

    /// What everybody has left, in milliseconds.
    pub(super) fn milliseconds(&self) -> Vec<u64> {
        Player::all(self.left.len()).map(|p| milliseconds(self.left(p))).collect()
    }

    /// How long an agent may think about a move.
    pub(super) fn share(&self, seat: Player) -> Duration {
        self.left(seat) / 25 + Duration::from_secs(self.rule.increment.into()) / 2
    }
}

/// A time in milliseconds.
pub(super) fn milliseconds(time: Duration) -> u64 {
    u64::try_from(time.as_millis()).unwrap_or(u64::MAX)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_the_clocks_of_those_who_are_to_move_run() {
        let rule = Rule { seconds: 10, increment: 2 };
        let mut clocks = Clocks::new(rule, 2, &[10_000, 5]);
        clocks.run(Players::default().with(Player(1)));
        std::thread::sleep(Duration::from_millis(20));
        assert_eq!(clocks.out(), Some(Player(1)));
        assert_eq!(clocks.left(Player(0)), Duration::from_secs(10));
        clocks.run(Players::default().with(Player(0)));
        assert_eq!((clocks.left(Player(1)), clocks.out()), (Duration::from_secs(2), None));
    }
}

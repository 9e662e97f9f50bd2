//! By which program and on which machine something was made.

use std::time::{SystemTime, UNIX_EPOCH};

use serde::{Deserialize, Serialize};

/// The program, the machine and the time.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Made {
    /// The version of the program.
    pub version: String,
    /// The commit it was built from, or `unknown`.
    pub commit: String,
    /// The processor, or at least its architecture.
    pub cpu: String,
    /// When, in UTC.
    pub date: String,
}

impl Made {
    /// By this program, on this machine, now.
    pub fn now() -> Made {
        let seconds = SystemTime::now().duration_since(UNIX_EPOCH).map_or(0, |time| time.as_secs());
        Made {
            version: env!("CARGO_PKG_VERSION").to_string(),
            commit: env!("FOGTREE_COMMIT").to_string(),
            cpu: cpu(),
            date: date(seconds),
        }
    }

    /// Whether the program and the machine are the same.
    pub fn is_alike(&self, other: &Made) -> bool {
        (&self.version, &self.commit, &self.cpu) == (&other.version, &other.commit, &other.cpu)
    }
}

impl std::fmt::Display for Made {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let Made { version, commit, cpu, date } = self;
        write!(f, "Fogtree {version} (commit {commit}), {date}, {cpu}")
    }
}

fn cpu() -> String {
    let known = std::fs::read_to_string("/proc/cpuinfo").unwrap_or_default();
    let name = known.lines().find_map(|line| line.strip_prefix("model name")?.split_once(": "));
    name.map_or_else(|| std::env::consts::ARCH.to_string(), |(_, name)| name.trim().to_string())
}

/// The date and time so many seconds after the beginning of 1970 (H. Hinnant, *chrono-compatible low-level
/// date algorithms*, 2013).
fn date(seconds: u64) -> String {
    let (days, time) = (seconds / 86_400 + 719_468, seconds % 86_400);
    let (era, day) = (days / 146_097, days % 146_097);
    let year = (day - day / 1460 + day / 36_524 - day / 146_096) / 365;
    let day = day - (365 * year + year / 4 - year / 100);
    let month = (5 * day + 2) / 153;
    let day = day - (153 * month + 2) / 5 + 1;
    let month = if month < 10 { month + 3 } else { month - 9 };
    let year = era * 400 + year + u64::from(month <= 2);
    format!("{year}-{month:02}-{day:02} {:02}:{:02} UTC", time / 3600, time / 60 % 60)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn dates_are_those_of_the_calendar() {
        assert_eq!(date(0), "1970-01-01 00:00 UTC");
        assert_eq!(date(951_782_399), "2000-02-28 23:59 UTC");
        assert_eq!(date(951_782_400), "2000-02-29 00:00 UTC");
        assert_eq!(date(1_735_689_600), "2025-01-01 00:00 UTC");
    }
}

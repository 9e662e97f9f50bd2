//! The Resistance in words: sets of players, and what was seen.

use fogtree_core::text::{Colour, paint};
use fogtree_core::{Observer, Witnessed};

use super::{Action, Event, Info, MOST_PLAYERS, Resistance, Set, TEAMS, members};

/// The seats of a set, joined by something.
pub(super) fn joined(set: Set, by: &str) -> String {
    members(set).map(|p| p.to_string()).collect::<Vec<_>>().join(by)
}

/// A set of players as words.
pub(super) fn players(set: Set) -> String {
    match members(set).count() {
        0 => "nobody".to_string(),
        1 => format!("player {}", joined(set, "")),
        _ => format!("players {}", joined(set, ", ")),
    }
}

fn sabotages(number: u8) -> String {
    match number {
        0 => paint(Colour::Green, "no sabotage"),
        1 => paint(Colour::Red, "1 sabotage"),
        _ => paint(Colour::Red, &format!("{number} sabotages")),
    }
}

impl Resistance {
    /// Reads `0-2-4`.
    pub(super) fn parse_set(&self, text: &str) -> Option<Set> {
        let seats = text.split('-').map(|seat| seat.parse().ok().filter(|&p: &u32| p < MOST_PLAYERS as u32));
        let set = seats.collect::<Option<Vec<_>>>()?.into_iter().fold(0, |set, p| set | 1 << p);
        (set & !self.everybody() == 0 && joined(set, "-") == text).then_some(set)
    }

    pub(super) fn explain_event(&self, event: Event, by: Observer) -> String {
        let everybody = self.everybody();
        match event {
            Event::Dealt(0) if by.seat().is_some() => "you are not a spy".to_string(),
            Event::Dealt(0) => "the spies are dealt in secret".to_string(),
            Event::Dealt(spies) => format!("the spies are {}", players(spies & everybody)),
            Event::Leader(leader) => format!("player {leader} leads first"),
            Event::Team(team) => format!("the leader proposes {}", players(team & everybody)),
            Event::Approvals(voters) => {
                let (voters, against) = (voters & everybody, everybody & !voters);
                let passes = 2 * voters.count_ones() > self.players as u32;
                let result = if passes { "the team goes" } else { "the team is rejected" };
                format!("for the team: {}; against it: {}; {result}", players(voters), players(against))
            }
            Event::Sabotages(number) => format!("it shows {}", sabotages(number)),
            Event::Nonsense => "something that cannot be".to_string(),
        }
    }

    /// Adds who proposes, for which team the vote is, and what comes of a mission.
    pub(super) fn tell_step(&self, step: Witnessed<'_, Action, Info>) -> Option<String> {
        let (before, after) = (&step.before.seen, &step.after.seen);
        let words = step.words?;
        Some(match step.seen.map(Event::of) {
            Some(Event::Team(team)) => format!("player {} proposes {}", before.leader, players(team)),
            Some(Event::Approvals(_)) => format!("the team of {}: {words}", players(before.team)),
            Some(Event::Sabotages(_)) => {
                let result = if after.failed > before.failed { "fails" } else { "succeeds" };
                let number = before.undertaken + 1;
                format!("mission {number} of {} {result}: {words}", players(before.team))
            }
            _ => words,
        })
    }

    /// The votes so far, a line each.
    pub(super) fn votes(&self, events: &[fogtree_core::Event]) -> Option<String> {
        let (mut leader, mut team, mut mission) = (0, 0, 1);
        let mut lines = Vec::new();
        for event in events {
            let seen = match event {
                fogtree_core::Event::Own(code) if *code >= TEAMS => Event::Team((code - TEAMS) as Set),
                fogtree_core::Event::Own(_) => continue,
                fogtree_core::Event::Seen(seen) => Event::of(seen),
            };
            match seen {
                Event::Leader(first) => leader = first.index(),
                Event::Team(proposed) => team = proposed,
                Event::Approvals(voters) => {
                    let list = |set: Set| if set == 0 { "nobody".to_string() } else { joined(set, " ") };
                    let against = list(self.everybody() & !voters);
                    let votes = format!("for {}, against {against}", list(voters));
                    lines
                        .push(format!("mission {mission}: {leader} proposes {}: {votes}", joined(team, " ")));
                    leader = (leader + 1) % self.players;
                }
                Event::Sabotages(_) => mission += 1,
                Event::Dealt(_) | Event::Nonsense => {}
            }
        }
        (!lines.is_empty()).then(|| format!("votes\n{}", lines.join("\n")))
    }
}

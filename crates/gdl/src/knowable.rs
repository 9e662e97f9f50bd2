//! Whether every role knows what is legal for it.
//!
//! A role knows its own moves and what it perceives. If two histories that it cannot tell apart give it different
//! legal moves, the rules can punish it for what it could not know. Matches of random players are followed with, for
//! each role, all states it holds possible; the first difference between its legal moves in them is reported. In plain
//! GDL, where everybody sees every move, there is only one such state.

use fogtree_core::{Purpose, Rng, Seed};
use rustc_hash::FxHashSet;
use serde::Serialize;

use crate::explore::{joint_move, joint_moves, moves_of};
use crate::reasoner::{Reasoner, ReasonerError};
use crate::term::TermId;

/// How much a check may do.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Effort {
    /// How many matches are played.
    pub matches: usize,
    /// The most steps of a match.
    pub steps: usize,
    /// The most states a role may hold possible; of more, some are forgotten.
    pub worlds: usize,
    /// The most joint moves tried when a role's states are brought up to date; of more, some are left out.
    pub transitions: usize,
    /// Decides the matches.
    pub seed: Seed,
}

impl Default for Effort {
    fn default() -> Self {
        Effort { matches: 20, steps: 200, worlds: 200, transitions: 5_000, seed: Seed(1) }
    }
}

/// A move that is legal in one state a role holds possible and not in another one.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct Difference {
    /// The role.
    pub role: String,
    /// Its own moves so far.
    pub moves: Vec<String>,
    /// What it perceived of each step.
    pub percepts: Vec<Vec<String>>,
    /// The move.
    pub legal_or_not: String,
}

/// What a check found.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct Knowable {
    /// How many matches were played.
    pub matches: usize,
    /// How many times a role was to move in them.
    pub decisions: usize,
    /// The most states a role held possible at once.
    pub most_worlds: usize,
    /// Whether all possible states were kept all the time.
    pub complete: bool,
    /// The first difference.
    pub difference: Option<Difference>,
}

/// What one role holds possible.
struct Belief<S> {
    role: usize,
    worlds: Vec<S>,
    moves: Vec<TermId>,
    percepts: Vec<Vec<TermId>>,
}

/// Looks whether roles always know what is legal for them.
pub fn knowable<R: Reasoner>(reasoner: &R, effort: &Effort) -> Result<Knowable, ReasonerError> {
    let mut rng = effort.seed.stream(Purpose::Sampling);
    let mut report = Knowable { matches: 0, decisions: 0, most_worlds: 1, complete: true, difference: None };
    let random = reasoner.random_role();
    for _ in 0..effort.matches {
        report.matches += 1;
        let mut state = reasoner.initial()?;
        let mut beliefs: Vec<Belief<R::State>> = (0..reasoner.roles().len())
            .filter(|&role| Some(role) != random)
            .map(|role| Belief { role, worlds: vec![state.clone()], moves: Vec::new(), percepts: Vec::new() })
            .collect();
        for _ in 0..effort.steps {
            if reasoner.terminal(&state)? {
                break;
            }
            let Ok(moves) = moves_of(reasoner, &state)? else { break };
            for belief in &beliefs {
                report.decisions += 1;
                report.most_worlds = report.most_worlds.max(belief.worlds.len());
                if let Some(action) = belief.difference(reasoner, &moves[belief.role])? {
                    report.difference = Some(belief.describe(reasoner, action));
                    return Ok(report);
                }
            }
            let joint: Vec<TermId> = moves.iter().map(|m| m[rng.below(m.len() as u32) as usize]).collect();
            let next = reasoner.next(&state, &joint)?;
            let over = reasoner.terminal(&next)?;
            for belief in &mut beliefs {
                report.complete &=
                    belief.update(reasoner, (&state, &joint, &next), over, effort, &mut rng)?;
            }
            state = next;
        }
    }
    Ok(report)
}

impl<S: Clone + Eq + std::hash::Hash> Belief<S> {
    /// A move that is legal in one of the worlds and not in the true state, or the other way round.
    fn difference<R: Reasoner<State = S>>(
        &self,
        reasoner: &R,
        truly: &[TermId],
    ) -> Result<Option<TermId>, ReasonerError> {
        let mut legal = Vec::new();
        for world in &self.worlds {
            reasoner.legal(world, self.role, &mut legal)?;
            if legal != truly {
                let mut odd = legal.iter().filter(|m| !truly.contains(m));
                return Ok(odd.next().or_else(|| truly.iter().find(|m| !legal.contains(m))).copied());
            }
        }
        Ok(None)
    }

    /// Goes one step further: keeps what agrees with the own move and percepts. Whether nothing was left out.
    fn update<R: Reasoner<State = S>>(
        &mut self,
        reasoner: &R,
        (state, joint, next): (&S, &[TermId], &S),
        over: bool,
        effort: &Effort,
        rng: &mut Rng,
    ) -> Result<bool, ReasonerError> {
        let own = joint[self.role];
        if reasoner.is_open() {
            self.worlds = vec![next.clone()];
            self.moves.push(own);
            return Ok(true);
        }
        let mut seen = Vec::new();
        reasoner.percepts(state, joint, self.role, &mut seen)?;
        let mut complete = true;
        let mut kept: FxHashSet<S> = FxHashSet::default();
        let mut worlds = vec![next.clone()];
        kept.insert(next.clone());
        let each = (effort.transitions / self.worlds.len().max(1)).max(1);
        let mut percepts = Vec::new();
        for world in &self.worlds {
            let Ok(mut moves) = moves_of(reasoner, world)? else { continue };
            if !moves[self.role].contains(&own) {
                continue;
            }
            moves[self.role] = vec![own];
            let count = joint_moves(&moves);
            complete &= count <= each;
            for number in 0..count.min(each) {
                let number = if count <= each { number } else { (rng.bits() % count as u64) as usize };
                let joint = joint_move(&moves, number);
                reasoner.percepts(world, &joint, self.role, &mut percepts)?;
                if percepts != seen {
                    continue;
                }
                let follower = reasoner.next(world, &joint)?;
                // Everybody is told when the match is over.
                if reasoner.terminal(&follower)? == over && kept.insert(follower.clone()) {
                    worlds.push(follower);
                }
            }
        }
        if worlds.len() > effort.worlds {
            complete = false;
            // The true state is the first and stays.
            for at in 1..effort.worlds {
                let other = at + rng.below((worlds.len() - at) as u32) as usize;
                worlds.swap(at, other);
            }
            worlds.truncate(effort.worlds);
        }
        self.worlds = worlds;
        self.moves.push(own);
        self.percepts.push(seen);
        Ok(complete)
    }

    fn describe<R: Reasoner<State = S>>(&self, reasoner: &R, action: TermId) -> Difference {
        let show = |id: TermId| reasoner.terms().show(id).to_string();
        let all = |ids: &[TermId]| ids.iter().map(|&id| show(id)).collect();
        Difference {
            role: show(reasoner.roles()[self.role]),
            moves: all(&self.moves),
            percepts: self.percepts.iter().map(|seen| all(seen)).collect(),
            legal_or_not: show(action),
        }
    }
}

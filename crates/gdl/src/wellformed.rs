//! Whether a game is well formed: it ends, everybody can always move, and its goals make sense.
//!
//! Small games are looked at completely; then what holds is proved. Of larger ones many matches of random players
//! are looked at; then what fails is refuted and what does not fail is only supported. The report says which.

use fogtree_core::{Purpose, Seed};
use serde::Serialize;

use crate::explore::{Budget, Explored, Kind, explore};
use crate::reasoner::{Reasoner, ReasonerError};
use crate::simulate::{End, playout};
use crate::term::TermId;

/// How much a check may do.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Effort {
    /// For looking at all states.
    pub budget: Budget,
    /// How many matches are played if there are too many states.
    pub matches: usize,
    /// The most steps of one of these matches.
    pub steps: usize,
    /// Decides these matches.
    pub seed: Seed,
}

impl Default for Effort {
    fn default() -> Self {
        Effort { budget: Budget::default(), matches: 200, steps: 1000, seed: Seed(1) }
    }
}

/// What was looked at.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize)]
#[serde(rename_all = "kebab-case", tag = "by")]
pub enum Method {
    /// Every state that can be reached.
    Search {
        /// How many there are.
        states: usize,
    },
    /// Matches of random players, after the states were too many.
    Simulation {
        /// How many matches.
        matches: usize,
        /// How many states were looked at before.
        states: usize,
    },
}

/// What is known of a property.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
#[serde(rename_all = "kebab-case", tag = "verdict")]
pub enum Verdict {
    /// It holds.
    Proved,
    /// It held in all that was looked at, which is not everything.
    Supported,
    /// Nothing shows that it holds.
    Doubtful {
        /// Why not.
        why: String,
    },
    /// It does not hold.
    Refuted {
        /// Why not.
        why: String,
        /// The joint moves that show it.
        moves: Vec<Vec<String>>,
    },
}

impl Verdict {
    /// Whether nothing speaks against it.
    pub fn is_good(&self) -> bool {
        matches!(self, Verdict::Proved | Verdict::Supported)
    }
}

/// What is known of how well formed a game is.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct WellFormed {
    /// What was looked at.
    pub method: Method,
    /// Every match ends.
    pub terminating: Verdict,
    /// Every role has a legal move whenever the match goes on.
    pub playable: Verdict,
    /// Every role has exactly one goal, a whole number from 0 to 100, when the match is over.
    pub one_goal: Verdict,
    /// Every role has exactly one goal in every state, and it never falls. Few sheets of today ask for that.
    pub monotonic: Verdict,
    /// Every role but `random` can get 100, if all play for it. With one role it can then do so by itself.
    pub winnable: Verdict,
    /// The most steps that a match was seen to have.
    pub longest: usize,
}

impl WellFormed {
    /// Whether the game ends, can be played, has its goals and can be won, as far as is known.
    pub fn is_good(&self) -> bool {
        [&self.terminating, &self.playable, &self.one_goal, &self.winnable].into_iter().all(Verdict::is_good)
    }
}

/// Collects what is found against each property; the first finding counts.
struct Findings<'a, R> {
    reasoner: &'a R,
    terminating: Option<Verdict>,
    playable: Option<Verdict>,
    one_goal: Option<Verdict>,
    monotonic: Option<Verdict>,
    won: Vec<bool>,
}

/// Looks whether a game is well formed.
pub fn well_formed<R: Reasoner>(reasoner: &R, effort: &Effort) -> Result<WellFormed, ReasonerError> {
    let explored = explore(reasoner, effort.budget)?;
    let mut findings = Findings {
        reasoner,
        terminating: None,
        playable: None,
        one_goal: None,
        monotonic: None,
        won: vec![false; reasoner.roles().len()],
    };
    if let Some(random) = reasoner.random_role() {
        findings.won[random] = true;
    }
    let mut longest = findings.look_at(&explored)?;
    let states = explored.states.len();
    let complete = explored.complete;
    drop(explored);
    let mut method = Method::Search { states };
    if !complete {
        method = Method::Simulation { matches: effort.matches, states };
        longest = longest.max(findings.simulate(effort)?);
    }
    let otherwise = if complete { Verdict::Proved } else { Verdict::Supported };
    let winnable = match findings.won.iter().position(|&won| !won) {
        None => Verdict::Proved,
        Some(role) => {
            let role = reasoner.terms().show(reasoner.roles()[role]);
            if complete {
                Verdict::Refuted { why: format!("{role} can never get 100"), moves: Vec::new() }
            } else {
                Verdict::Doubtful { why: format!("{role} never got 100") }
            }
        }
    };
    Ok(WellFormed {
        method,
        terminating: findings.terminating.unwrap_or_else(|| otherwise.clone()),
        playable: findings.playable.unwrap_or_else(|| otherwise.clone()),
        one_goal: findings.one_goal.unwrap_or_else(|| otherwise.clone()),
        monotonic: findings.monotonic.unwrap_or(otherwise),
        winnable,
        longest,
    })
}

impl<R: Reasoner> Findings<'_, R> {
    fn moves(&self, path: &[Vec<TermId>]) -> Vec<Vec<String>> {
        let show = |&id: &TermId| self.reasoner.terms().show(id).to_string();
        path.iter().map(|joint| joint.iter().map(show).collect()).collect()
    }

    fn role(&self, role: usize) -> String {
        self.reasoner.terms().show(self.reasoner.roles()[role]).to_string()
    }

    /// The goals of a state, or why there are none.
    fn goals(&mut self, state: &R::State) -> Result<Result<Vec<u8>, String>, ReasonerError> {
        let mut goals = Vec::with_capacity(self.won.len());
        for role in 0..self.won.len() {
            match self.reasoner.goal(state, role) {
                Ok(goal) => goals.push(goal),
                Err(trouble @ ReasonerError::Goal { .. }) => return Ok(Err(trouble.to_string())),
                Err(trouble) => return Err(trouble),
            }
        }
        Ok(Ok(goals))
    }

    /// Notes what a terminal state says; `path` tells how it is reached.
    fn end(
        &mut self,
        state: &R::State,
        path: impl Fn() -> Result<Vec<Vec<TermId>>, ReasonerError>,
    ) -> Result<(), ReasonerError> {
        for role in 0..self.won.len() {
            if !self.won[role] && self.reasoner.goal(state, role) == Ok(100) {
                self.won[role] = true;
            }
        }
        if self.one_goal.is_none()
            && let Err(why) = self.goals(state)?
        {
            self.one_goal = Some(Verdict::Refuted { why, moves: self.moves(&path()?) });
        }
        Ok(())
    }

    /// Goes through all states that were found. The longest shortest way to one of them is returned.
    fn look_at(&mut self, explored: &Explored<R::State>) -> Result<usize, ReasonerError> {
        let reasoner = self.reasoner;
        let mut goals: Vec<Option<Vec<u8>>> = Vec::new();
        for (at, kind) in explored.kinds.iter().enumerate() {
            let state = &explored.states[at];
            let path = || explored.path(reasoner, at);
            match *kind {
                Kind::Terminal => self.end(state, path)?,
                Kind::Stuck { role } if self.playable.is_none() => {
                    let why = format!("{} has no legal move though the match is not over", self.role(role));
                    self.playable = Some(Verdict::Refuted { why, moves: self.moves(&path()?) });
                }
                Kind::Stuck { .. } | Kind::Inner => {}
            }
            if self.monotonic.is_none() {
                match self.goals(state)? {
                    Ok(values) => goals.push(Some(values)),
                    Err(why) => {
                        self.monotonic = Some(Verdict::Refuted { why, moves: self.moves(&path()?) });
                    }
                }
            }
        }
        for at in 0..explored.kinds.len() {
            if self.monotonic.is_some() {
                break;
            }
            for &next in explored.followers(at) {
                let (Some(Some(before)), Some(Some(after))) = (goals.get(at), goals.get(next as usize))
                else {
                    continue;
                };
                if let Some(role) = (0..before.len()).find(|&r| after[r] < before[r]) {
                    let why = format!(
                        "the goal of {} falls from {} to {}",
                        self.role(role),
                        before[role],
                        after[role]
                    );
                    let moves = self.moves(&explored.path(reasoner, next as usize)?);
                    self.monotonic = Some(Verdict::Refuted { why, moves });
                    break;
                }
            }
        }
        let order = explored.order();
        if let Err(at) = order {
            let why = "play can come back to the state after these moves, again and again".to_string();
            self.terminating =
                Some(Verdict::Refuted { why, moves: self.moves(&explored.path(reasoner, at)?) });
        }
        // The longest way through states without circles: followers come first in the order.
        let mut longest = vec![0; explored.states.len()];
        for state in order.unwrap_or_default() {
            let after = explored.followers(state as usize).iter().map(|&f| longest[f as usize] + 1).max();
            longest[state as usize] = after.unwrap_or(0);
        }
        Ok(longest[0])
    }

    /// Plays matches at random. The most steps that one of them had are returned.
    fn simulate(&mut self, effort: &Effort) -> Result<usize, ReasonerError> {
        let mut rng = effort.seed.stream(Purpose::Playout);
        let mut longest = 0;
        for _ in 0..effort.matches {
            let played = playout(self.reasoner, &mut rng, effort.steps)?;
            longest = longest.max(played.moves.len());
            match played.end {
                End::Terminal => self.end(&played.last, || Ok(played.moves.clone()))?,
                End::Stuck { role } => {
                    let why = format!("{} has no legal move though the match is not over", self.role(role));
                    let moves = self.moves(&played.moves);
                    self.playable.get_or_insert(Verdict::Refuted { why, moves });
                }
                End::TooLong => {
                    let why = format!("a match was not over after {} steps", effort.steps);
                    self.terminating.get_or_insert(Verdict::Doubtful { why });
                }
            }
            if self.monotonic.is_none() {
                self.monotonic = self.falls(&played.moves)?;
            }
        }
        Ok(longest)
    }

    /// Whether goals are missing or fall in a match.
    fn falls(&mut self, moves: &[Vec<TermId>]) -> Result<Option<Verdict>, ReasonerError> {
        let mut state = self.reasoner.initial()?;
        let mut before: Option<Vec<u8>> = None;
        for at in 0..=moves.len() {
            let refuted = |why, this: &Self| Verdict::Refuted { why, moves: this.moves(&moves[..at]) };
            let after = match self.goals(&state)? {
                Ok(goals) => goals,
                Err(why) => return Ok(Some(refuted(why, self))),
            };
            if let Some(before) = before
                && let Some(role) = (0..after.len()).find(|&r| after[r] < before[r])
            {
                let why =
                    format!("the goal of {} falls from {} to {}", self.role(role), before[role], after[role]);
                return Ok(Some(refuted(why, self)));
            }
            before = Some(after);
            if let Some(joint) = moves.get(at) {
                state = self.reasoner.next(&state, joint)?;
            }
        }
        Ok(None)
    }
}

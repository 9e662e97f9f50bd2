//! Two reasoners side by side: random games in which every answer of the one must be the answer of the other.

use std::fmt;
use std::hash::BuildHasher;

use fogtree_core::Rng;
use rustc_hash::FxBuildHasher;

use crate::reasoner::{Reasoner, ReasonerError};
use crate::term::{TermId, Terms};

/// What was compared.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Compared {
    /// Games played.
    pub games: usize,
    /// Those that came to a terminal state.
    pub over: usize,
    /// Joint moves made.
    pub steps: usize,
    /// A hash of all fluents, moves, percepts and goals as they are written, in order: the same for every pair of
    /// reasoners that agree, in every run.
    pub hash: u64,
}

/// An answer in which two reasoners differ.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Difference {
    /// The question.
    pub question: String,
    /// The first one's answer.
    pub first: String,
    /// The second one's.
    pub second: String,
    /// The joint moves made before, as they are written.
    pub moves: Vec<String>,
}

impl fmt::Display for Difference {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Difference { question, first, second, moves } = self;
        write!(f, "{question}: {first} or {second}, after {} steps: {}", moves.len(), moves.join(", "))
    }
}

impl std::error::Error for Difference {}

/// Plays random games in two reasoners of one sheet, each for at most so many steps, and compares fluents, legal
/// moves, percepts, goals and ends at every step. Ends with the first difference.
pub fn compare<A: Reasoner, B: Reasoner>(
    first: &A,
    second: &B,
    games: usize,
    limit: usize,
    rng: &mut Rng,
) -> Result<Compared, Box<Difference>> {
    let mut pair = Pair { first, second, moves: Vec::new(), hash: 0 };
    let mut compared = Compared { games, ..Compared::default() };
    pair.same("roles", &list(first.terms(), first.roles()), &list(second.terms(), second.roles()))?;
    for _ in 0..games {
        let (steps, over) = pair.game(limit, rng)?;
        compared.steps += steps;
        compared.over += usize::from(over);
    }
    compared.hash = pair.hash;
    Ok(compared)
}

/// A state of each, unless both are in the same trouble.
type Both<A, B> = Option<(<A as Reasoner>::State, <B as Reasoner>::State)>;

struct Pair<'a, A, B> {
    first: &'a A,
    second: &'a B,
    moves: Vec<String>,
    hash: u64,
}

impl<A: Reasoner, B: Reasoner> Pair<'_, A, B> {
    fn difference(&self, question: &str, first: &str, second: &str) -> Box<Difference> {
        let moves = self.moves.clone();
        Box::new(Difference { question: question.into(), first: first.into(), second: second.into(), moves })
    }

    /// Notes an answer that should be the same from both.
    fn same(&mut self, question: &str, first: &str, second: &str) -> Result<(), Box<Difference>> {
        if first != second {
            return Err(self.difference(question, first, second));
        }
        self.hash = FxBuildHasher.hash_one((self.hash, question, first));
        Ok(())
    }

    fn game(&mut self, limit: usize, rng: &mut Rng) -> Result<(usize, bool), Box<Difference>> {
        self.moves.clear();
        let (a, b) = (self.first, self.second);
        let (mut out, mut out_b) = (Vec::new(), Vec::new());
        let Some((mut state_a, mut state_b)) = self.states("initial state", a.initial(), b.initial())? else {
            return Ok((0, false));
        };
        for step in 0.. {
            a.fluents(&state_a, &mut out);
            b.fluents(&state_b, &mut out_b);
            self.same("fluents", &list(a.terms(), &out), &list(b.terms(), &out_b))?;
            let again = (a.state(&out).as_ref() == Ok(&state_a), b.state(&out_b).as_ref() == Ok(&state_b));
            if again != (true, true) {
                let question = "is the state that has these fluents this one";
                return Err(self.difference(question, &again.0.to_string(), &again.1.to_string()));
            }
            let over = (a.terminal(&state_a), b.terminal(&state_b));
            self.same("terminal", &format!("{:?}", over.0), &format!("{:?}", over.1))?;
            let mut joint = (Vec::new(), Vec::new());
            for role in 0..a.roles().len() {
                let goals = (a.goals(&state_a, role, &mut out), b.goals(&state_b, role, &mut out_b));
                self.answers(&format!("goals of role {role}"), goals, &out, &out_b)?;
                let legal = (a.legal(&state_a, role, &mut out), b.legal(&state_b, role, &mut out_b));
                self.answers(&format!("legal moves of role {role}"), legal, &out, &out_b)?;
                if !out.is_empty() {
                    let chosen = rng.below(out.len() as u32) as usize;
                    joint.0.push(out[chosen]);
                    joint.1.push(out_b[chosen]);
                }
            }
            if over.0 == Ok(true) || step >= limit || joint.0.len() < a.roles().len() {
                return Ok((step, over.0 == Ok(true)));
            }
            for role in 0..a.roles().len() {
                let seen = (
                    a.percepts(&state_a, &joint.0, role, &mut out),
                    b.percepts(&state_b, &joint.1, role, &mut out_b),
                );
                self.moves.push(list(a.terms(), &joint.0));
                self.answers(&format!("percepts of role {role}"), seen, &out, &out_b)?;
                self.moves.pop();
            }
            self.moves.push(list(a.terms(), &joint.0));
            let next = (a.next(&state_a, &joint.0), b.next(&state_b, &joint.1));
            match self.states("next state", next.0, next.1)? {
                Some((next_a, next_b)) => (state_a, state_b) = (next_a, next_b),
                None => return Ok((step, false)),
            }
        }
        Ok((limit, false))
    }

    fn states(
        &mut self,
        question: &str,
        first: Result<A::State, ReasonerError>,
        second: Result<B::State, ReasonerError>,
    ) -> Result<Both<A, B>, Box<Difference>> {
        let trouble = |t: Option<&ReasonerError>| t.map_or("answered".to_string(), ToString::to_string);
        self.same(question, &trouble(first.as_ref().err()), &trouble(second.as_ref().err()))?;
        Ok(first.ok().zip(second.ok()))
    }

    fn answers(
        &mut self,
        question: &str,
        outcome: (Result<(), ReasonerError>, Result<(), ReasonerError>),
        first: &[TermId],
        second: &[TermId],
    ) -> Result<(), Box<Difference>> {
        let text = |outcome: Result<(), ReasonerError>, terms, answers| match outcome {
            Ok(()) => list(terms, answers),
            Err(trouble) => trouble.to_string(),
        };
        let first = text(outcome.0, self.first.terms(), first);
        let second = text(outcome.1, self.second.terms(), second);
        self.same(question, &first, &second)
    }
}

/// Terms as they are written.
fn list(terms: &Terms, all: &[TermId]) -> String {
    let mut text = String::from("[");
    for (at, &term) in all.iter().enumerate() {
        let space = if at == 0 { "" } else { " " };
        text += &format!("{space}{}", terms.show(term));
    }
    text.push(']');
    text
}

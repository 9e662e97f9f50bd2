//! One instance of a game on trial: what is being tested, and what has been found so far.

use std::fmt::Debug;
use std::panic::{AssertUnwindSafe, catch_unwind};

use super::subject::Subject;
use super::{Law, Options, Violation};
use crate::{Facts, Observer, Purpose, Rng, Seed};

/// An instance of a game, and the laws it was seen to break.
pub(super) struct Trial<'a> {
    pub(super) game: &'a dyn Subject,
    pub(super) facts: Facts,
    pub(super) options: &'a Options,
    /// What the rewards of the games finished so far add up to.
    pub(super) sum: Option<f64>,
    instance: &'static str,
    seed: Seed,
    found: Vec<(Violation, u64)>,
}

impl<'a> Trial<'a> {
    pub(super) fn new(game: &'a dyn Subject, instance: &'static str, options: &'a Options) -> Self {
        let seed = options.seed.named(instance);
        Trial { game, facts: game.facts(), options, sum: None, instance, seed, found: Vec::new() }
    }

    /// Everybody who looks.
    pub(super) fn observers(&self) -> impl Iterator<Item = Observer> + use<> {
        Observer::all(self.facts.players)
    }

    /// A stream of random numbers for one part of the trial.
    pub(super) fn rng(&self, part: &str) -> Rng {
        self.seed.named(part).stream(Purpose::Sampling)
    }

    /// Takes down a violation, unless all is well.
    #[inline]
    pub(super) fn require(&mut self, well: bool, law: Law, what: impl FnOnce() -> String) -> bool {
        if !well {
            self.report(law, what);
        }
        well
    }

    /// Takes down a violation; only the first of each law is kept in words.
    #[cold]
    pub(super) fn report(&mut self, law: Law, what: impl FnOnce() -> String) {
        match self.found.iter_mut().find(|(v, _)| v.law == law) {
            Some((_, times)) => *times += 1,
            None => self.found.push((Violation { law, what: what() }, 1)),
        }
    }

    /// Whether a law was seen to be broken.
    pub(super) fn has_broken(&self, law: Law) -> bool {
        self.found.iter().any(|(v, _)| v.law == law)
    }

    /// Runs a part of the trial; if the game panics in it, that is a violation and the next part follows.
    pub(super) fn part(&mut self, name: &str, run: impl FnOnce(&mut Self)) {
        if let Err(cause) = catch_unwind(AssertUnwindSafe(|| run(self))) {
            let text = cause.downcast_ref::<String>().map(String::as_str);
            let text = text.or_else(|| cause.downcast_ref::<&str>().copied()).unwrap_or("no message");
            self.report(Law::Panics, || format!("while testing {name}: {text}"));
        }
    }

    /// Everything found, in the order of the laws.
    pub(super) fn verdict(mut self) -> Vec<Violation> {
        self.found.sort_by_key(|(v, _)| v.law);
        let told = |(Violation { law, what }, times): (Violation, u64)| {
            let more =
                if times > 1 { format!(" (and {} more such cases)", times - 1) } else { String::new() };
            Violation { law, what: format!("{}: {what}{more}", self.instance) }
        };
        self.found.into_iter().map(told).collect()
    }
}

/// A value as text that fits into a message.
pub(super) fn short(value: &impl Debug) -> String {
    cut(format!("{value:?}"))
}

/// Where in a game something happened, by the names of the steps that lead there.
pub(super) fn after(names: &[String]) -> String {
    if names.is_empty() { "at the start".to_string() } else { format!("after '{}'", cut(names.join(" "))) }
}

fn cut(mut text: String) -> String {
    const SHOWN: usize = 300;
    if let Some((at, _)) = text.char_indices().nth(SHOWN) {
        text.truncate(at);
        text.push_str("...");
    }
    text
}

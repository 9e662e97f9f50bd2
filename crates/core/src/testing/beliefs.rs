//! Laws of the hidden part: its values, what chance makes of them, and beliefs carried along a game.

use std::collections::{BTreeMap, BTreeSet, HashMap, HashSet};

use super::Law;
use super::knowledge::Knowledge;
use super::notation::is_word;
use super::play::Position;
use super::sampler::{shares_of, worlds_of};
use super::statistics::misfit;
use super::subject::{Info, State};
use super::tree::{Member, Tree};
use super::trial::Trial;
use crate::{Observer, Player, Rng};

/// How far sums of floating-point numbers may be off.
const CLOSE: f64 = 1e-9;
/// The draws from which frequencies of the worlds of one value are judged.
const FREQUENT: usize = 20_000;

/// Tests the hidden part at a position of a random game, for every observer.
pub(super) fn in_play(t: &mut Trial<'_>, here: &Position<'_>, rng: &mut Rng) {
    let (game, s) = (t.game, here.state);
    let Some(truth) = value_of(t, s, &|| here.at(game)) else { return };
    for by in t.observers() {
        let at = || format!("{}: {by}", here.at(game));
        let known = game.info(s, by);
        let prior = game.prior(known);
        let well = is_belief(&prior) && prior[truth] > 0.0;
        t.require(well, Law::HiddenPrior, || {
            format!("{} does not believe in {}: {}", at(), game.value_name(truth), text(&prior))
        });
        game.sampler(0, known);
        let world = draw(t, truth, known, by, rng, &at);
        t.require(world.is_none_or(|world| !game.is_whole() || world == s), Law::HiddenSample, || {
            format!("{} has worlds that differ in more than the hidden part", at())
        });
    }
}

/// The value in a state, if it is settled and one of those that exist.
fn value_of(t: &mut Trial<'_>, s: State, at: &dyn Fn() -> String) -> Option<usize> {
    let values = t.game.values()?;
    let value = t.game.value(s)?;
    t.require(value < values, Law::HiddenValue, || format!("{}: value {value} of {values}", at()))
        .then_some(value)
}

/// Draws a world that has a value and must exist.
fn draw(
    t: &mut Trial<'_>,
    value: usize,
    known: Info,
    by: Observer,
    rng: &mut Rng,
    at: &dyn Fn() -> String,
) -> Option<State> {
    let game = t.game;
    let name = || game.value_name(value);
    let Some(world) = game.sample_value(0, value, rng) else {
        t.report(Law::HiddenSample, || format!("{} draws no world with {}", at(), name()));
        return None;
    };
    let well = game.value(world) == Some(value) && game.info(world, by) == known;
    t.require(well, Law::HiddenSample, || {
        format!("{} draws {} with {}", at(), game.state_text(world), name())
    });
    Some(world)
}

fn is_belief(belief: &[f64]) -> bool {
    belief.iter().all(|mass| *mass >= 0.0) && (belief.iter().sum::<f64>() - 1.0).abs() <= CLOSE
}

fn support(belief: &[f64]) -> BTreeSet<usize> {
    (0..belief.len()).filter(|&value| belief[value] > 0.0).collect()
}

/// The values of a belief that are believed in.
fn text(belief: &[f64]) -> String {
    const SHOWN: usize = 20;
    let some: Vec<String> =
        support(belief).into_iter().take(SHOWN).map(|value| format!("{value}: {}", belief[value])).collect();
    format!("[{}]", some.join(", "))
}

/// What brute force finds out about the hidden part in an information set.
enum Truth {
    /// In some states it is settled, in others it is not.
    Unclear,
    Unsettled,
    /// It has some of these values: the observer cannot tell how many steps were made.
    Within(BTreeSet<usize>),
    /// It has each of these values somewhere.
    Exactly(BTreeSet<usize>),
}

impl Truth {
    fn of(t: &Trial<'_>, tree: &Tree, by: Observer, set: &[Member]) -> Truth {
        let mut states: Vec<State> = set.iter().map(|m| m.state).filter(|&s| tree.is_mover(by, s)).collect();
        let decides = !states.is_empty();
        if !decides {
            states.extend(set.iter().map(|m| m.state));
        }
        let values: Vec<Option<usize>> = states.into_iter().map(|s| t.game.value(s)).collect();
        if values.iter().all(Option::is_none) {
            return Truth::Unsettled;
        }
        let Some(values) = values.into_iter().collect::<Option<BTreeSet<usize>>>() else {
            return Truth::Unclear;
        };
        let depth = tree.depth(set[0].history);
        let at_once = decides || set.iter().all(|m| tree.depth(m.history) == depth);
        if at_once { Truth::Exactly(values) } else { Truth::Within(values) }
    }

    /// Whether a belief agrees.
    fn allows(&self, belief: &[f64]) -> bool {
        match self {
            Truth::Unclear => true,
            Truth::Unsettled => belief.iter().all(|mass| *mass == 0.0),
            Truth::Within(values) => is_belief(belief) && support(belief).is_subset(values),
            Truth::Exactly(values) => is_belief(belief) && support(belief) == *values,
        }
    }

    fn text(&self) -> String {
        match self {
            Truth::Unclear | Truth::Unsettled => "not settled".to_string(),
            Truth::Within(values) => format!("within {values:?}"),
            Truth::Exactly(values) => format!("one of {values:?}"),
        }
    }
}

/// Compares the hidden part with what brute force finds in the whole tree.
pub(super) fn laws(t: &mut Trial<'_>, tree: &Tree, knowledge: &Knowledge) {
    let Some(values) = t.game.values() else { return };
    names(t, values);
    let proper = tree.states().all(|s| t.game.value(s).is_none_or(|value| value < values));
    t.require(proper, Law::HiddenValue, || format!("some state has a value that is not below {values}"));
    let settled = tree.states().any(|s| t.game.value(s).is_some());
    if !t.require(settled, Law::HiddenValue, || "no state has a value".to_string()) || !proper {
        return;
    }
    let mut rng = t.rng("beliefs");
    for (observer, &by) in tree.observers.iter().enumerate() {
        let mut beliefs: HashMap<u32, (Info, Vec<f64>)> = HashMap::new();
        let mut drawn: HashSet<Info> = HashSet::new();
        let mut judged = 0;
        for set in tree.members[observer].chunk_by(|a, b| a.trail == b.trail) {
            let worlds = worlds_of(tree, by, set);
            let known = knowledge.info(worlds.first().map_or(set[0].state, |w| w.0), observer);
            let truth = Truth::of(t, tree, by, set);
            let at = || format!("{}: {by}", tree.at(t.game, set[0].history));
            let case = Case { by, known, at: &at };
            let prior = case.prior(t, &truth);
            if matches!(truth, Truth::Exactly(_)) && tree.is_chance_only(set) {
                let states = shares_of(tree, set, |s| worlds.is_empty() || tree.is_mover(by, s));
                case.shares(t, &prior, &states);
            }
            let before = tree.before(observer, set[0].trail).and_then(|trail| beliefs.get(&trail));
            let belief = match before {
                Some((knew, belief)) => case.carried(t, &truth, &prior, *knew, belief.clone()),
                None => prior,
            };
            beliefs.insert(set[0].trail, (known, belief));
            if let Some(seat) = by.seat().filter(|_| !worlds.is_empty()) {
                case.private(t, seat, &worlds);
                if drawn.len() < t.options.sets && drawn.insert(known) {
                    case.worlds(t, values, &worlds, &mut judged, &mut rng);
                }
            }
        }
    }
}

fn names(t: &mut Trial<'_>, values: usize) {
    let mut first: HashMap<String, usize> = HashMap::new();
    for value in 0..values {
        let name = t.game.value_name(value);
        t.require(is_word(&name), Law::NameWord, || format!("the hidden value {value} is called {name:?}"));
        if let Some(other) = first.insert(name.clone(), value) {
            t.report(Law::NameDistinct, || format!("hidden values {other} and {value} are called {name:?}"));
        }
    }
}

/// An information set of an observer.
struct Case<'a> {
    by: Observer,
    known: Info,
    at: &'a dyn Fn() -> String,
}

impl Case<'_> {
    fn prior(&self, t: &mut Trial<'_>, truth: &Truth) -> Vec<f64> {
        let prior = t.game.prior(self.known);
        t.require(truth.allows(&prior), Law::HiddenPrior, || {
            format!("{} has the prior {}, the hidden part is {}", (self.at)(), text(&prior), truth.text())
        });
        prior
    }

    /// Where nobody has chosen yet, the prior is what chance made of the worlds.
    fn shares(&self, t: &mut Trial<'_>, prior: &[f64], worlds: &[(State, f64)]) {
        let mut shares = vec![0.0; prior.len()];
        for &(world, share) in worlds {
            if let Some(value) = t.game.value(world) {
                shares[value] += share;
            }
        }
        let close = prior.iter().zip(&shares).all(|(a, b)| (a - b).abs() <= CLOSE);
        t.require(close, Law::HiddenPrior, || {
            format!("{} has the prior {}, but chance made {}", (self.at)(), text(prior), text(&shares))
        });
    }

    /// The belief of somebody who believed this before the step that led here.
    fn carried(
        &self,
        t: &mut Trial<'_>,
        truth: &Truth,
        prior: &[f64],
        knew: Info,
        belief: Vec<f64>,
    ) -> Vec<f64> {
        let anew = t.game.propagate(vec![0.0; belief.len()], knew, self.known);
        let close = anew.iter().zip(prior).all(|(a, b)| (a - b).abs() <= CLOSE);
        t.require(close, Law::HiddenBelief, || {
            format!("{} believed nothing, and now {} rather than the prior", (self.at)(), text(&anew))
        });
        let before = text(&belief);
        let belief = t.game.propagate(belief, knew, self.known);
        t.require(truth.allows(&belief), Law::HiddenBelief, || {
            let (after, truth) = (text(&belief), truth.text());
            format!("{} believed {before}, and now {after}; the hidden part is {truth}", (self.at)())
        });
        belief
    }

    fn private(&self, t: &mut Trial<'_>, seat: Player, worlds: &[(State, f64)]) {
        let game = t.game;
        let values: BTreeSet<usize> = worlds.iter().filter_map(|w| game.value(w.0)).collect();
        let own: BTreeSet<u64> = values.iter().map(|&value| game.private(value, seat)).collect();
        t.require(own.len() < 2, Law::HiddenPrivate, || {
            format!("{} cannot tell {values:?} apart, but has private parts {own:?}", (self.at)())
        });
    }

    /// Draws worlds with every value.
    fn worlds(
        &self,
        t: &mut Trial<'_>,
        values: usize,
        worlds: &[(State, f64)],
        judged: &mut usize,
        rng: &mut Rng,
    ) {
        let game = t.game;
        let mut of_value: BTreeMap<usize, Vec<(State, f64)>> = BTreeMap::new();
        for &(world, share) in worlds {
            let Some(value) = game.value(world) else { return };
            of_value.entry(value).or_default().push((world, share));
        }
        game.sampler(0, self.known);
        for value in 0..values {
            let Some(possible) = of_value.get(&value) else {
                let world = game.sample_value(0, value, rng);
                t.require(world.is_none(), Law::HiddenSample, || {
                    format!("{} draws a world with {}, which cannot be", (self.at)(), game.value_name(value))
                });
                continue;
            };
            let judge = possible.len() > 1 && *judged < t.options.frequencies;
            *judged += usize::from(judge);
            let mut counts = vec![0.0; possible.len()];
            for _ in 0..if judge { FREQUENT } else { 1 } {
                let Some(world) = draw(t, value, self.known, self.by, rng, self.at) else { return };
                let place = possible.iter().position(|w| w.0 == world);
                t.require(place.is_some(), Law::HiddenSample, || {
                    format!("{} draws {}, which cannot be", (self.at)(), game.state_text(world))
                });
                let Some(place) = place else { return };
                counts[place] += 1.0;
            }
            let shares: Vec<f64> = possible.iter().map(|w| w.1).collect();
            let wrong = if judge { misfit(&counts, &shares) } else { None };
            t.require(wrong.is_none(), Law::HiddenSample, || {
                format!("{} with {}: {}", (self.at)(), game.value_name(value), wrong.unwrap_or_default())
            });
        }
    }
}

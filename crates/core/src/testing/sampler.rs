//! Laws of drawn worlds: they agree with what is known, all of them are drawn, and as often as they should.

use std::collections::HashMap;

use super::knowledge::Knowledge;
use super::play::Position;
use super::statistics::{Tally, weighted_misfit};
use super::subject::{Info, State, Subject};
use super::tree::{Member, Tree};
use super::trial::Trial;
use super::{Law, random};
use crate::{Observer, Purpose, Rng, Seed};

/// How many worlds are drawn where drawing all of them is not the point.
const FEW: f64 = 3.0;
/// A state of the information set is overlooked by so many draws with probability exp(-SURE).
const SURE: f64 = 20.0;
/// The fewest draws from which frequencies are judged.
const FREQUENT: f64 = 20_000.0;

/// Draws worlds at a position of a random game, for every observer.
pub(super) fn worlds_in_play(t: &mut Trial<'_>, here: &Position<'_>, rng: &mut Rng) {
    let (game, s) = (t.game, here.state);
    let at = || here.at(game);
    for by in t.observers() {
        let known = game.info(s, by);
        let seed = Seed(rng.bits()).stream(Purpose::Sampling);
        let mut seeds = [seed.clone(), seed];
        for slot in 0..2 {
            game.sampler(slot, known);
        }
        for number in 0..FEW as u64 {
            let [(world, weight), twin] = [0, 1].map(|slot| game.sample(slot, &mut seeds[slot]));
            t.require((world, weight) == twin, Law::Deterministic, || {
                format!("{}: with one seed two worlds are drawn for {by}", at())
            });
            weigh(t, weight, &|| format!("{}: {by}", at()));
            let knows = game.info(world, by);
            t.require(knows == known, Law::SampleKnown, || {
                let texts = [known, knows].map(|k| game.known_text(k));
                format!("{}: {by} knows {}, but {} in {}", at(), texts[0], texts[1], game.state_text(world))
            });
            if by.seat().is_some() && !t.facts.hidden {
                t.require(world == s, Law::FactsHidden, || {
                    format!("{}: {by} draws {}", at(), game.state_text(world))
                });
            }
            if let Some(seat) = by.seat().filter(|&p| game.turn(s).players().contains(p)) {
                let moves = game.turn(world).players().contains(seat);
                t.require(moves, Law::SampleSupport, || {
                    format!("{}: it is not player {seat}'s turn in {}", at(), game.state_text(world))
                });
                t.require(
                    !moves || game.legal(s, seat) == game.legal(world, seat),
                    Law::LegalFromKnown,
                    || {
                        format!(
                            "{}: player {seat} has other legal actions in {}",
                            at(),
                            game.state_text(world)
                        )
                    },
                );
            }
            if number == 0 {
                random::play_out(t, world, rng, &|| {
                    format!("{}: {by} draws {}", at(), game.state_text(world))
                });
            }
        }
    }
}

fn weigh(t: &mut Trial<'_>, weight: f64, at: &dyn Fn() -> String) -> bool {
    t.require(weight.is_finite() && weight > 0.0, Law::SampleWeight, || format!("{}: {weight}", at()))
}

/// All that one observer may know, and where.
struct Case<'a> {
    observer: usize,
    known: Info,
    /// The information sets in which it is known: several if what is known leaves out how it came about.
    sets: Vec<&'a [Member]>,
    /// The states of the first of them in which the observer is to move, with their shares.
    worlds: Vec<(State, f64)>,
}

impl Case<'_> {
    /// A history in which this is known.
    fn at(&self, game: &dyn Subject, tree: &Tree) -> String {
        let member = self.sets[0].iter().find(|m| self.worlds.first().is_none_or(|w| w.0 == m.state));
        tree.at(game, member.unwrap_or(&self.sets[0][0]).history)
    }

    /// The draws after which no state is overlooked.
    fn enough(&self) -> f64 {
        let rarest = self.worlds.iter().map(|w| w.1).fold(1.0, f64::min);
        if self.worlds.len() > 1 { ((self.worlds.len() as f64).ln() + SURE) / rarest } else { FEW }
    }

    /// Whether a state is in every information set.
    fn has(&self, s: State) -> bool {
        self.sets.iter().all(|set| set.binary_search_by_key(&s, |m| m.state).is_ok())
    }
}

/// Draws from information sets of the whole tree and compares with what brute force finds there.
pub(super) fn laws(t: &mut Trial<'_>, tree: &Tree, knowledge: &Knowledge) {
    let mut rng = t.rng("worlds");
    let mut cases: Vec<Case<'_>> = Vec::new();
    for observer in 0..tree.observers.len() {
        cases.extend(cases_of(t, tree, knowledge, observer));
    }
    rng.shuffle(&mut cases);
    cases.sort_by_key(|case| case.worlds.len() < 2);
    cases.truncate(t.options.sets);

    let (mut draws_left, mut judged) = (t.options.draws as f64, 0);
    let (mut decided, mut uncertain, mut complete) = (0, 0, 0);
    for case in &cases {
        let is_uncertain = case.worlds.len() > 1;
        decided += u64::from(!case.worlds.is_empty());
        uncertain += u64::from(is_uncertain);
        let judge = is_uncertain && judged < t.options.frequencies;
        let enough = if judge { case.enough().max(FREQUENT) } else { case.enough() };
        let depth = if enough > draws_left {
            Depth::Few
        } else {
            draws_left -= enough;
            complete += u64::from(is_uncertain);
            judged += usize::from(judge);
            Depth::All { draws: enough, judge }
        };
        draw(t, tree, knowledge, case, depth, &mut rng);
        enumerate(t, tree, case);
    }
    t.require(decided > 0, Law::Vacuous, || "no worlds were drawn at a decision".to_string());
    t.require(uncertain > 0 || !t.facts.hidden, Law::Vacuous, || {
        "whoever chooses knows the state".to_string()
    });
    t.require(uncertain == 0 || complete > 0 && judged > 0, Law::Vacuous, || {
        "no information set is small enough for its worlds to be counted".to_string()
    });
}

/// The different things an observer knows, and where. At decisions they must settle what is possible.
fn cases_of<'a>(t: &mut Trial<'_>, tree: &'a Tree, knowledge: &Knowledge, observer: usize) -> Vec<Case<'a>> {
    let (game, by) = (t.game, tree.observers[observer]);
    let mut index: HashMap<Info, usize> = HashMap::new();
    let mut cases: Vec<Case<'a>> = Vec::new();
    for set in tree.members[observer].chunk_by(|a, b| a.trail == b.trail) {
        let worlds = worlds_of(tree, by, set);
        let known = knowledge.info(worlds.first().map_or(set[0].state, |w| w.0), observer);
        let at = *index.entry(known).or_insert_with(|| {
            cases.push(Case { observer, known, sets: Vec::new(), worlds: Vec::new() });
            cases.len() - 1
        });
        let case = &mut cases[at];
        if case.worlds.is_empty() {
            case.sets.push(set);
            if !worlds.is_empty() {
                let last = case.sets.len() - 1;
                case.sets.swap(0, last);
                case.worlds = worlds;
            }
            continue;
        }
        case.sets.push(set);
        let same = worlds.is_empty() || alike(&worlds, &case.worlds);
        t.require(same, Law::KnownSuffices, || {
            let (a, b, known) = (case.at(game, tree), tree.at(game, set[0].history), game.known_text(known));
            format!("{a} and {b} {by} knows {known}, but other worlds are possible, or otherwise likely")
        });
    }
    cases
}

/// The states of an information set in which the observer is to move, with their shares: the probability of
/// all the different draws of chance that lead there.
pub(super) fn worlds_of(tree: &Tree, by: Observer, set: &[Member]) -> Vec<(State, f64)> {
    shares_of(tree, set, |s| tree.is_mover(by, s))
}

/// Some of the states of an information set, with their shares.
pub(super) fn shares_of(tree: &Tree, set: &[Member], of: impl Fn(State) -> bool) -> Vec<(State, f64)> {
    let states = set.chunk_by(|a, b| a.state == b.state).filter(|same| of(same[0].state));
    let weight = |same: &[Member]| same.iter().map(|m| tree.draws[m.draws as usize]).sum::<f64>();
    normalised(states.map(|same| (same[0].state, weight(same))).collect())
}

fn normalised(mut worlds: Vec<(State, f64)>) -> Vec<(State, f64)> {
    let whole: f64 = worlds.iter().map(|w| w.1).sum();
    for world in &mut worlds {
        world.1 /= whole;
    }
    worlds
}

fn alike(a: &[(State, f64)], b: &[(State, f64)]) -> bool {
    a.len() == b.len() && a.iter().zip(b).all(|(a, b)| a.0 == b.0 && (a.1 - b.1).abs() < 1e-9)
}

/// How thoroughly worlds are drawn.
#[derive(Clone, Copy)]
enum Depth {
    /// A few, which must be possible.
    Few,
    /// So many that all must be among them; perhaps it is judged how often each comes.
    All { draws: f64, judge: bool },
}

/// Draws worlds for one case.
fn draw(t: &mut Trial<'_>, tree: &Tree, knowledge: &Knowledge, case: &Case<'_>, depth: Depth, rng: &mut Rng) {
    let (game, by) = (t.game, tree.observers[case.observer]);
    let at = || format!("{}: {by}", case.at(game, tree));
    game.sampler(0, case.known);
    let mut tallies = vec![Tally::default(); case.worlds.len()];
    let (mut total, mut greatest) = (0.0, 0.0_f64);
    let draws = match depth {
        Depth::Few => FEW,
        Depth::All { draws, .. } => draws,
    };
    let (mut drawn, mut wanted) = (0.0, draws);
    while drawn < wanted {
        let (world, weight) = game.sample(0, rng);
        drawn += 1.0;
        if !weigh(t, weight, &at) {
            return;
        }
        let reached = tree.turn(world).is_some();
        let knows = if reached { knowledge.info(world, case.observer) } else { game.info(world, by) };
        t.require(knows == case.known, Law::SampleKnown, || {
            let texts = [case.known, knows].map(|k| game.known_text(k));
            format!("{} knows {}, but {} in {}", at(), texts[0], texts[1], game.state_text(world))
        });
        let place = case.worlds.binary_search_by_key(&world, |w| w.0).ok();
        let possible = place.is_some() || case.worlds.is_empty() && case.has(world);
        if !t.require(possible, Law::SampleSupport, || {
            let why = if reached { "is not in its information set" } else { "no history reaches" };
            format!("{} draws {}, which {why}", at(), game.state_text(world))
        }) {
            return;
        }
        if let Some(place) = place {
            tallies[place].add(weight);
        }
        total += weight;
        greatest = greatest.max(weight);
        if drawn >= wanted && matches!(depth, Depth::All { .. }) {
            // A state of great weight may be drawn more rarely by as much.
            let rarity = (greatest * drawn / total).min(20.0);
            wanted = wanted.max(draws * rarity - 1.0);
        }
    }
    let Depth::All { judge, .. } = depth else { return };
    if let Some(missing) = tallies.iter().position(|tally| tally.count == 0.0) {
        t.report(Law::SampleSupport, || {
            let text = game.state_text(case.worlds[missing].0);
            format!("{} has {} worlds, of which {text} was not drawn in {drawn} draws", at(), tallies.len())
        });
    } else if judge {
        let shares: Vec<f64> = case.worlds.iter().map(|w| w.1).collect();
        let wrong = weighted_misfit(&tallies, &shares);
        t.require(wrong.is_none(), Law::SampleFrequencies, || {
            format!("{} knows {}: {}", at(), game.known_text(case.known), wrong.unwrap_or_default())
        });
    }
}

/// Compares what the game lists with what brute force finds.
fn enumerate(t: &mut Trial<'_>, tree: &Tree, case: &Case<'_>) {
    let game = t.game;
    let Some(mut listed) = game.enumerate(case.known) else { return };
    listed.sort_unstable_by_key(|w| w.0);
    listed.dedup_by(|again, first| {
        let same = again.0 == first.0;
        first.1 += if same { again.1 } else { 0.0 };
        same
    });
    let well = match case.worlds.is_empty() {
        true => !listed.is_empty() && listed.iter().all(|w| case.has(w.0)),
        false => alike(&normalised(listed.clone()), &case.worlds),
    };
    t.require(well, Law::Enumerate, || {
        let (at, by) = (case.at(game, tree), tree.observers[case.observer]);
        let found = case.worlds.len().max(1);
        let unreached = listed.iter().find(|w| tree.turn(w.0).is_none()).map(|w| game.state_text(w.0));
        let unreached = unreached.map_or_else(String::new, |s| format!("; no history reaches {s}"));
        format!(
            "{at}: for {by} {} worlds are listed, {found} found, or otherwise likely{unreached}",
            listed.len()
        )
    });
}

//! Laws of drawn worlds: they agree with what is known, all of them are drawn, and as often as they should.

use std::collections::HashMap;

use super::knowledge::Knowledge;
use super::play::Position;
use super::statistics::{Tally, weighted_misfit};
use super::tree::{Member, Tree};
use super::trial::{Trial, short};
use super::{Law, position, random};
use crate::{Game, Observer, Purpose, Rng, Seed};

/// How many worlds are drawn where drawing all of them is not the point.
const FEW: u64 = 3;
/// A state of the information set is overlooked by so many draws with probability exp(-SURE).
const SURE: f64 = 20.0;
/// The fewest draws from which frequencies are judged.
const FREQUENT: f64 = 20_000.0;

/// Draws worlds at a position of a random game, for every observer.
pub(super) fn worlds_in_play<G: Game>(t: &mut Trial<'_, G>, here: &Position<G>, rng: &mut Rng) {
    let (game, state) = (t.game, here.state());
    let at = || here.at(game);
    let mut world = game.start();
    for by in Observer::all(t.facts.players) {
        let known = game.known(state, by);
        let mut sampler = game.sampler(&known);
        let mut draws = Seed(rng.bits()).stream(Purpose::Sampling);
        let mut twin = (game.sampler(&known), draws.clone(), state.clone());
        for _ in 0..FEW {
            let weight = game.sample(&mut sampler, &mut draws, &mut world);
            let same_weight = game.sample(&mut twin.0, &mut twin.1, &mut twin.2) == weight;
            t.require(same_weight && world == twin.2, Law::Deterministic, || {
                format!("{}: worlds drawn for {by} with one seed", at())
            });
            weigh(t, weight, &|| format!("{}: {by}", at()));
            let knows = game.known(&world, by);
            t.require(knows == known, Law::SampleKnown, || {
                format!("{}: {by} knows {}, but {} in {}", at(), short(&known), short(&knows), short(&world))
            });
            if by.seat().is_some() && !t.facts.hidden {
                t.require(world == *state, Law::FactsHidden, || format!("{}: {by} draws {world:?}", at()));
            }
            if let Some(seat) = by.seat().filter(|&p| game.turn(state).players().contains(p)) {
                let moves = game.turn(&world).players().contains(seat);
                t.require(moves, Law::SampleSupport, || {
                    format!("{}: it is not player {seat}'s turn in {}", at(), short(&world))
                });
                let same =
                    !moves || position::legal(game, state, seat) == position::legal(game, &world, seat);
                t.require(same, Law::LegalFromKnown, || {
                    format!("{}: player {seat} has other legal actions in {}", at(), short(&world))
                });
            }
            if !t.has_broken(Law::Longest) {
                random::play_out(t, &world, rng, &|| format!("{}: {by} draws {}", at(), short(&world)));
            }
        }
    }
}

fn weigh<G: Game>(t: &mut Trial<'_, G>, weight: f64, at: &dyn Fn() -> String) -> bool {
    t.require(weight.is_finite() && weight > 0.0, Law::SampleWeight, || format!("{}: {weight}", at()))
}

/// All that one observer may know, and where.
struct Case<'a> {
    observer: usize,
    known: u32,
    /// The information sets in which it is known: more than one if what is known leaves out how it came about.
    sets: Vec<&'a [Member]>,
    /// The states of the first of them in which the observer is to move, with their shares.
    worlds: Vec<(u32, f64)>,
}

impl Case<'_> {
    /// A history in which this is known.
    fn at<G: Game>(&self, game: &G, tree: &Tree<G>) -> String {
        let member = self.sets[0].iter().find(|m| self.worlds.first().is_none_or(|w| w.0 == m.state));
        tree.at(game, member.unwrap_or(&self.sets[0][0]).history)
    }

    /// The draws after which no state is overlooked.
    fn enough(&self) -> f64 {
        let rarest = self.worlds.iter().map(|w| w.1).fold(1.0, f64::min);
        if self.worlds.len() > 1 { ((self.worlds.len() as f64).ln() + SURE) / rarest } else { FEW as f64 }
    }
}

/// Draws from information sets of the whole tree and compares with what brute force finds there.
pub(super) fn laws<G: Game>(t: &mut Trial<'_, G>, tree: &Tree<G>, knowledge: &Knowledge<G>) {
    let mut rng = t.rng("worlds");
    let mut cases: Vec<Case<'_>> = Vec::new();
    for observer in 0..tree.observers.len() {
        cases.extend(cases_of(t, tree, knowledge, observer));
    }
    rng.shuffle(&mut cases);
    cases.sort_by_key(|case| case.worlds.len() < 2);
    cases.truncate(t.options.sets);

    let (mut draws_left, mut frequencies) = (t.options.draws as f64, 0);
    let (mut decided, mut uncertain, mut complete) = (0, 0, 0);
    let mut world = t.game.start();
    for case in &cases {
        decided += u64::from(!case.worlds.is_empty());
        uncertain += u64::from(case.worlds.len() > 1);
        let enough = case.enough();
        let judge = case.worlds.len() > 1 && frequencies < t.options.frequencies;
        let wanted = if judge { enough.max(FREQUENT) } else { enough };
        if wanted <= draws_left {
            draws_left -= wanted;
            complete += u64::from(case.worlds.len() > 1);
            frequencies += usize::from(judge);
            draw(t, tree, knowledge, case, Some((wanted, judge)), &mut rng, &mut world);
        } else {
            draw(t, tree, knowledge, case, None, &mut rng, &mut world);
        }
        enumerate(t, tree, case, knowledge);
    }
    t.require(decided > 0, Law::Vacuous, || "no worlds were drawn at a decision".to_string());
    t.require(uncertain == 0 || complete > 0 && frequencies > 0, Law::Vacuous, || {
        "no information set is small enough for its worlds to be counted".to_string()
    });
}

/// The different things an observer knows, and where. What is known at decisions must settle what is possible.
fn cases_of<'a, G: Game>(
    t: &mut Trial<'_, G>,
    tree: &'a Tree<G>,
    knowledge: &Knowledge<G>,
    observer: usize,
) -> Vec<Case<'a>> {
    let (game, by) = (t.game, tree.observers[observer]);
    let mut index: HashMap<u32, usize> = HashMap::new();
    let mut cases: Vec<Case<'a>> = Vec::new();
    for set in tree.members[observer].chunk_by(|a, b| a.trail == b.trail) {
        let worlds = worlds_of(tree, by, set);
        let known = knowledge.number(worlds.first().map_or(set[0].state, |w| w.0), observer);
        let at = *index.entry(known).or_insert_with(|| {
            cases.push(Case { observer, known, sets: Vec::new(), worlds: Vec::new() });
            cases.len() - 1
        });
        let case = &mut cases[at];
        if case.worlds.is_empty() {
            case.sets.insert(0, set);
            case.worlds = worlds;
            continue;
        }
        case.sets.push(set);
        let differs = !worlds.is_empty() && !alike(&worlds, &case.worlds);
        t.require(!differs, Law::KnownSuffices, || {
            let (a, b) = (case.at(game, tree), tree.at(game, set[0].history));
            let known = short(&knowledge.known[known as usize]);
            let sizes = (case.worlds.len(), worlds.len());
            format!(
                "{a} and {b} {by} knows {known}, but other states are possible, or otherwise likely {sizes:?}"
            )
        });
    }
    cases
}

/// The states of an information set in which the observer is to move, by number, with their shares: the
/// probability of all the different draws of chance that lead there.
fn worlds_of<G: Game>(tree: &Tree<G>, by: Observer, set: &[Member]) -> Vec<(u32, f64)> {
    let states = set.chunk_by(|a, b| a.state == b.state).filter(|same| tree.is_mover(by, same[0].state));
    let weight = |same: &[Member]| same.iter().map(|m| tree.draws[m.draws as usize]).sum::<f64>();
    normalised(states.map(|same| (same[0].state, weight(same))).collect())
}

fn normalised(mut worlds: Vec<(u32, f64)>) -> Vec<(u32, f64)> {
    let whole: f64 = worlds.iter().map(|w| w.1).sum();
    for world in &mut worlds {
        world.1 /= whole;
    }
    worlds
}

fn alike(a: &[(u32, f64)], b: &[(u32, f64)]) -> bool {
    a.len() == b.len() && a.iter().zip(b).all(|(a, b)| a.0 == b.0 && (a.1 - b.1).abs() < 1e-9)
}

/// Draws worlds for one case: a few, or as many as it takes to see all of them and judge how often they come.
fn draw<G: Game>(
    t: &mut Trial<'_, G>,
    tree: &Tree<G>,
    knowledge: &Knowledge<G>,
    case: &Case<'_>,
    all: Option<(f64, bool)>,
    rng: &mut Rng,
    world: &mut G::State,
) {
    let (game, by) = (t.game, tree.observers[case.observer]);
    let known = &knowledge.known[case.known as usize];
    let at = || format!("{}: {by}", case.at(game, tree));
    let mut sampler = game.sampler(known);
    let mut tallies = vec![Tally::default(); case.worlds.len()];
    let (mut total, mut greatest) = (0.0, 0.0_f64);
    let mut wanted = all.map_or(FEW as f64, |(n, _)| n).ceil() as u64;
    let extended = wanted * 20;
    let mut drawn = 0;
    while drawn < wanted {
        drawn += 1;
        let weight = game.sample(&mut sampler, rng, world);
        if !weigh(t, weight, &at) {
            return;
        }
        let number = tree.index.get(world).copied();
        let knows = match number {
            Some(number) => knowledge.number(number, case.observer) == case.known,
            None => game.known(world, by) == *known,
        };
        t.require(knows, Law::SampleKnown, || {
            format!("{} knows {} but not in {}", at(), short(known), short(world))
        });
        let place = number.and_then(|n| case.worlds.binary_search_by_key(&n, |w| w.0).ok());
        let has = |set: &&[Member]| number.is_some_and(|n| set.binary_search_by_key(&n, |m| m.state).is_ok());
        let member = place.is_some() || case.worlds.is_empty() && case.sets.iter().all(has);
        if !t.require(member, Law::SampleSupport, || {
            let why = if number.is_some() { "is not in its information set" } else { "no history reaches" };
            format!("{} draws {}, which {why}", at(), short(world))
        }) {
            return;
        }
        if let Some(place) = place {
            tallies[place].add(weight);
        }
        total += weight;
        greatest = greatest.max(weight);
        if drawn == wanted && all.is_some() {
            // States of great weight may be drawn more rarely by as much.
            let rarity = greatest * drawn as f64 / total;
            wanted = wanted.max(((all.map_or(0.0, |(n, _)| n) * rarity * 0.999) as u64).min(extended));
        }
    }
    let Some((_, judge)) = all else { return };
    if let Some(missing) = tallies.iter().position(|tally| tally.count == 0.0) {
        let state = &tree.states[case.worlds[missing].0 as usize];
        t.report(Law::SampleSupport, || {
            format!(
                "{} has {} worlds, of which {} was not drawn in {drawn} draws",
                at(),
                tallies.len(),
                short(state)
            )
        });
    } else if judge {
        let shares: Vec<f64> = case.worlds.iter().map(|w| w.1).collect();
        let wrong = weighted_misfit(&tallies, &shares);
        t.require(wrong.is_none(), Law::SampleFrequencies, || {
            format!("{} knows {}: {}", at(), short(known), wrong.unwrap_or_default())
        });
    }
}

/// Compares what the game lists with what brute force finds.
fn enumerate<G: Game>(t: &mut Trial<'_, G>, tree: &Tree<G>, case: &Case<'_>, knowledge: &Knowledge<G>) {
    let game = t.game;
    let known = &knowledge.known[case.known as usize];
    let mut listed = Vec::new();
    if !game.enumerate(known, &mut listed) {
        return;
    }
    let mut worlds: Vec<(u32, f64)> = Vec::new();
    for (state, share) in &listed {
        let Some(&number) = tree.index.get(state) else {
            t.report(Law::Enumerate, || {
                format!("{}: no history reaches {}", case.at(game, tree), short(state))
            });
            return;
        };
        worlds.push((number, *share));
    }
    worlds.sort_unstable_by_key(|w| w.0);
    worlds.dedup_by(|again, first| {
        let same = again.0 == first.0;
        first.1 += if same { again.1 } else { 0.0 };
        same
    });
    let all = if case.worlds.is_empty() {
        let has = |set: &&[Member], n| set.binary_search_by_key(&n, |m: &Member| m.state).is_ok();
        !worlds.is_empty() && worlds.iter().all(|w| case.sets.iter().all(|set| has(set, w.0)))
    } else {
        alike(&normalised(worlds), &case.worlds)
    };
    t.require(all, Law::Enumerate, || {
        let found = if case.worlds.is_empty() { case.sets[0].len() } else { case.worlds.len() };
        let by = tree.observers[case.observer];
        format!(
            "{}: {} worlds are listed for {by}, {found} found, or otherwise likely",
            case.at(game, tree),
            listed.len()
        )
    });
}

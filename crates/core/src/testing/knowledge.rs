//! Laws of information sets, by brute force: what an observer cannot tell apart must look the same to it.

use std::collections::HashMap;
use std::collections::hash_map::DefaultHasher;
use std::hash::{Hash, Hasher};
use std::io;

use super::tree::{Member, Tree};
use super::trial::{Trial, short};
use super::{Law, position};
use crate::{Chance, Game, Turn};

/// What every observer knows in every state of a tree.
pub(super) struct Knowledge<G: Game> {
    pub(super) known: Vec<G::Known>,
    observers: usize,
    /// The number of what is known, by state and observer.
    numbers: Vec<u32>,
    /// A hash of what is shown and sent, by state and observer.
    texts: Vec<u64>,
}

impl<G: Game> Knowledge<G> {
    fn of(game: &G, tree: &Tree<G>) -> Knowledge<G> {
        let mut index: HashMap<G::Known, u32> = HashMap::new();
        let mut all = Knowledge {
            known: Vec::new(),
            observers: tree.observers.len(),
            numbers: Vec::with_capacity(tree.states.len() * tree.observers.len()),
            texts: Vec::with_capacity(tree.states.len() * tree.observers.len()),
        };
        for state in &tree.states {
            for &by in &tree.observers {
                let known = game.known(state, by);
                all.texts.push(text_hash(game, &known));
                let number = *index.entry(known).or_insert_with_key(|known| {
                    all.known.push(known.clone());
                    all.known.len() as u32 - 1
                });
                all.numbers.push(number);
            }
        }
        all
    }

    /// The number of what an observer knows in a state.
    pub(super) fn number(&self, state: u32, observer: usize) -> u32 {
        self.numbers[state as usize * self.observers + observer]
    }

    fn text(&self, state: u32, observer: usize) -> u64 {
        self.texts[state as usize * self.observers + observer]
    }
}

/// Everything that leaves the table for one observer.
fn text_hash<G: Game>(game: &G, known: &G::Known) -> u64 {
    let mut hasher = HashWriter(DefaultHasher::new());
    // A failure to serialise is another law's business.
    let _ = serde_json::to_writer(&mut hasher, known);
    game.view(known).hash(&mut hasher.0);
    hasher.0.finish()
}

struct HashWriter(DefaultHasher);

impl io::Write for HashWriter {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.0.write(bytes);
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

/// Tests every information set of every observer.
pub(super) fn laws<G: Game>(t: &mut Trial<'_, G>, tree: &Tree<G>) -> Knowledge<G> {
    let knowledge = Knowledge::of(t.game, tree);
    let mut hidden = false;
    for (observer, members) in tree.members.iter().enumerate() {
        for set in members.chunk_by(|a, b| a.trail == b.trail) {
            hidden |=
                tree.observers[observer].seat().is_some() && set.iter().any(|m| m.state != set[0].state);
            nothing_shows(t, tree, &knowledge, observer, set);
        }
        legal_from_known(t, tree, &knowledge, observer);
    }
    let facts = t.facts.clone();
    t.require(hidden == facts.hidden, Law::FactsHidden, || match hidden {
        true => "some player cannot tell two states apart".to_string(),
        false => "every player always knows the state".to_string(),
    });
    let together = tree.turns.iter().any(|turn| matches!(turn, Turn::Together(_)));
    t.require(together || !facts.simultaneous, Law::FactsSimultaneous, || "they never do".to_string());
    let chance = tree.turns.contains(&Turn::Chance);
    t.require(chance || facts.chance == Chance::Never, Law::FactsChance, || "chance never draws".to_string());
    knowledge
}

/// Tests that an information set looks the same all over.
fn nothing_shows<G: Game>(
    t: &mut Trial<'_, G>,
    tree: &Tree<G>,
    knowledge: &Knowledge<G>,
    observer: usize,
    set: &[Member],
) {
    let (game, by, first) = (t.game, tree.observers[observer], set[0]);
    let number = |m: &Member| knowledge.number(m.state, observer);
    let two = |other: &Member| {
        format!("{} and {} are one to {by}", tree.at(game, first.history), tree.at(game, other.history))
    };
    if let Some(other) = set.iter().find(|m| number(m) != number(&first)) {
        t.report(Law::SameKnown, || {
            let known = |m: &Member| short(&knowledge.known[number(m) as usize]);
            format!("{}, which knows {} and {}", two(other), known(&first), known(other))
        });
    } else if let Some(other) =
        set.iter().find(|m| knowledge.text(m.state, observer) != knowledge.text(first.state, observer))
    {
        t.report(Law::SameText, || {
            let text = |m: &Member| {
                let known = game.known(&tree.states[m.state as usize], by);
                short(&(game.view(&known), serde_json::to_string(&known).unwrap_or_default()))
            };
            format!("{}, which is given {} and {}", two(other), text(&first), text(other))
        });
    }
}

/// Tests that a seat has the same legal actions wherever it is to move and knows, or did and saw, the same.
fn legal_from_known<G: Game>(
    t: &mut Trial<'_, G>,
    tree: &Tree<G>,
    knowledge: &Knowledge<G>,
    observer: usize,
) {
    let (game, by) = (t.game, tree.observers[observer]);
    let Some(seat) = by.seat() else { return };
    let mut lists: HashMap<Vec<G::Action>, usize> = HashMap::new();
    let list_of: Vec<usize> = (0..tree.states.len())
        .map(|state| {
            let is_mover = tree.is_mover(by, state as u32);
            let legal = if is_mover { position::legal(game, &tree.states[state], seat) } else { Vec::new() };
            let next = lists.len();
            *lists.entry(legal).or_insert(next)
        })
        .collect();
    let mut first_by_known: HashMap<u32, Member> = HashMap::new();
    for set in tree.members[observer].chunk_by(|a, b| a.trail == b.trail) {
        let mut first_in_set = None;
        for &m in set.iter().filter(|m| tree.is_mover(by, m.state)) {
            let first = *first_by_known.entry(knowledge.number(m.state, observer)).or_insert(m);
            let other = [first, *first_in_set.get_or_insert(m)]
                .into_iter()
                .find(|other| list_of[other.state as usize] != list_of[m.state as usize]);
            let Some(other) = other else { continue };
            t.report(Law::LegalFromKnown, || {
                let legal = |m: Member| short(&position::legal(game, &tree.states[m.state as usize], seat));
                let at = |m: Member| tree.at(game, m.history);
                format!("{} player {seat} has {}, {} {}", at(other), legal(other), at(m), legal(m))
            });
        }
    }
}

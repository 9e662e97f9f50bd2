//! Laws of information sets, by brute force: what an observer cannot tell apart must look the same to it.

use std::collections::HashMap;
use std::collections::hash_map::DefaultHasher;
use std::hash::{Hash, Hasher};

use super::Law;
use super::subject::{Action, Info, State, Subject};
use super::tree::{Member, Tree};
use super::trial::{Trial, short};
use crate::{Chance, Turn};

/// What every observer knows in every state of a tree.
pub(super) struct Knowledge {
    observers: usize,
    /// By state and observer.
    known: Vec<Info>,
    /// A hash of what is shown and sent, by state and observer.
    texts: Vec<u64>,
}

impl Knowledge {
    fn of(game: &dyn Subject, tree: &Tree) -> Knowledge {
        let observers = tree.observers.len();
        let size = tree.states().last().map_or(0, |last| last as usize + 1) * observers;
        let mut all = Knowledge { observers, known: vec![Info::MAX; size], texts: vec![0; size] };
        for s in tree.states() {
            for (i, &by) in tree.observers.iter().enumerate() {
                let mut hasher = DefaultHasher::new();
                game.texts(s, by).hash(&mut hasher);
                let at = s as usize * observers + i;
                all.texts[at] = hasher.finish();
                all.known[at] = game.info(s, by);
            }
        }
        all
    }

    /// What an observer knows in a state of the tree.
    pub(super) fn info(&self, s: State, observer: usize) -> Info {
        self.known[s as usize * self.observers + observer]
    }

    fn text(&self, s: State, observer: usize) -> u64 {
        self.texts[s as usize * self.observers + observer]
    }
}

/// Tests every information set of every observer.
pub(super) fn laws(t: &mut Trial<'_>, tree: &Tree) -> Knowledge {
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
    facts(t, tree, hidden);
    knowledge
}

/// Tests what is declared against what happens somewhere.
fn facts(t: &mut Trial<'_>, tree: &Tree, hidden: bool) {
    let facts = t.facts.clone();
    t.require(hidden == facts.hidden, Law::FactsHidden, || match hidden {
        true => "some player cannot tell two states apart".to_string(),
        false => "every player always knows the state".to_string(),
    });
    let hidden = tree.states().find_map(|s| tree.hidden_move(s));
    t.require(hidden.is_some() == facts.hidden_moves, Law::FactsHiddenMoves, || match hidden {
        Some(steps) => format!("{} look the same to a player", t.game.names(steps).join(" and ")),
        None => "every player can always tell what was chosen".to_string(),
    });
    let somewhere = |is: fn(&Turn) -> bool| tree.states().filter_map(|s| tree.turn(s)).any(|turn| is(&turn));
    let together = somewhere(|turn| matches!(turn, Turn::Simultaneous(_)));
    t.require(together || !facts.simultaneous, Law::FactsSimultaneous, || "they never do".to_string());
    let chance = somewhere(|turn| *turn == Turn::Chance);
    t.require(chance || facts.chance == Chance::Never, Law::FactsChance, || "chance never draws".to_string());
}

/// Tests that an information set looks the same all over.
fn nothing_shows(t: &mut Trial<'_>, tree: &Tree, knowledge: &Knowledge, observer: usize, set: &[Member]) {
    let (game, by, first) = (t.game, tree.observers[observer], set[0]);
    let two = |other: &Member| {
        format!("{} and {} are one to {by}", tree.at(game, first.history), tree.at(game, other.history))
    };
    let known = |m: &Member| knowledge.info(m.state, observer);
    let text = |m: &Member| knowledge.text(m.state, observer);
    if let Some(other) = set.iter().find(|m| known(m) != known(&first)) {
        t.report(Law::SameKnown, || {
            let texts = [&first, other].map(|m| game.known_text(known(m)));
            format!("{}, which knows {} and {}", two(other), texts[0], texts[1])
        });
    } else if let Some(other) = set.iter().find(|m| text(m) != text(&first)) {
        t.report(Law::SameText, || {
            let texts = [&first, other].map(|m| short(&game.texts(m.state, by)));
            format!("{}, which is given {} and {}", two(other), texts[0], texts[1])
        });
    }
}

/// Tests that a seat has the same legal actions wherever it is to move and knows, or did and saw, the same.
fn legal_from_known(t: &mut Trial<'_>, tree: &Tree, knowledge: &Knowledge, observer: usize) {
    let (game, by) = (t.game, tree.observers[observer]);
    let Some(seat) = by.seat() else { return };
    let mut lists: HashMap<Vec<Action>, usize> = HashMap::new();
    let mut list_of: HashMap<State, usize> = HashMap::new();
    for s in tree.states().filter(|&s| tree.is_mover(by, s)) {
        let next = lists.len();
        list_of.insert(s, *lists.entry(game.legal(s, seat)).or_insert(next));
    }
    let mut first_by_known: HashMap<Info, Member> = HashMap::new();
    for set in tree.members[observer].chunk_by(|a, b| a.trail == b.trail) {
        let mut first_in_set = None;
        for &m in set.iter().filter(|m| list_of.contains_key(&m.state)) {
            let first = *first_by_known.entry(knowledge.info(m.state, observer)).or_insert(m);
            let other = [first, *first_in_set.get_or_insert(m)]
                .into_iter()
                .find(|other| list_of[&other.state] != list_of[&m.state]);
            let Some(other) = other else { continue };
            t.report(Law::LegalFromKnown, || {
                let [a, b] = [other, m].map(|m| {
                    format!("{} {}", tree.at(game, m.history), game.actions_text(&game.legal(m.state, seat)))
                });
                format!("player {seat} may {a}, {b}")
            });
        }
    }
}

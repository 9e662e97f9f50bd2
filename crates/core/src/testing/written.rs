//! Laws of everything that is written down: pictures, JSON, records.

use super::play::Position;
use super::subject::Ply;
use super::trial::{Trial, after};
use super::{Law, notation};
use crate::{Event, Key, Observer, Player, Turn};

/// Tests that there is something to look at, and something to call each seat.
pub(super) fn texts(t: &mut Trial<'_>, here: &Position<'_>) {
    let (game, s) = (t.game, here.state);
    t.require(!game.show(s).trim().is_empty(), Law::View, || format!("{}: the whole state", here.at(game)));
    let fault = game.true_scene_fault(s);
    t.require(fault.is_none(), Law::Scene, || format!("{}: {}", here.at(game), fault.unwrap_or_default()));
    for by in t.observers() {
        let [view, ..] = game.texts(s, by);
        t.require(!view.trim().is_empty(), Law::View, || format!("{}: the view of {by}", here.at(game)));
        let fault = game.scene_fault(s, by);
        t.require(fault.is_none(), Law::Scene, || {
            format!("{}: {by} sees {}", here.at(game), fault.unwrap_or_default())
        });
    }
    let (low, high) = t.facts.utility_bounds;
    for p in Player::all(t.facts.players) {
        let role = game.role(s, p);
        t.require(notation::is_word(&role), Law::NameWord, || format!("the role of player {p} is {role:?}"));
        if game.turn(s) == Turn::Terminal {
            continue;
        }
        if let Some(guess) = game.evaluate(s, p) {
            t.require((low..=high).contains(&guess), Law::Evaluation, || {
                format!("{}: {guess} for player {p}, outside {low} to {high}", here.at(game))
            });
        }
    }
}

/// Tests that knowledge and information sets survive being sent.
pub(super) fn json(t: &mut Trial<'_>, here: &Position<'_>) {
    let (game, s) = (t.game, here.state);
    let movers = game.turn(s).players();
    for (by, events) in t.observers().zip(here.events) {
        let known = game.info(s, by);
        let sent = game.known_sent(known);
        let same = t.require(sent == Ok(known), Law::KnownJson, || {
            let read = sent.map_or_else(|why| why, |k| game.known_text(k));
            format!("{}: {} of {by} is read as {read}", here.at(game), game.known_text(known))
        });
        if let Some(seat) = by.seat().filter(|&p| same && movers.contains(p)) {
            let sent = game.info_set_sent(s, seat, events, key_of(by, events));
            t.require(sent.is_ok(), Law::InfoSetJson, || {
                format!("{}: {}", here.at(game), sent.err().unwrap_or_default())
            });
        }
    }
}

fn key_of(by: Observer, events: &[Event]) -> Key {
    events.iter().fold(Key::root(by), |key, event| event.extend(key))
}

/// Tests that a game can be written down and played again, and leads to the keys of what was done and seen.
pub(super) fn record(t: &mut Trial<'_>, plies: &[Ply], events: &[Vec<Event>]) {
    let game = t.game;
    let at = || after(&game.names(plies));
    match game.record(plies) {
        Err(why) => t.report(Law::Record, || format!("{}: {why}", at())),
        Ok(keys) => {
            for (by, events) in t.observers().zip(events) {
                let same = keys.of(by) == key_of(by, events);
                t.require(same, Law::Deterministic, || format!("{}: {by} has two keys", at()));
            }
        }
    }
}

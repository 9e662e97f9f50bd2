//! Laws of everything that is written down: pictures, JSON, records.

use serde::Serialize;
use serde::de::DeserializeOwned;

use super::play::Position;
use super::trial::{Trial, short};
use super::{Law, notation, position};
use crate::record::Header;
use crate::{Game, InfoSet, Line, Observer, Player, Record, Turn};

/// Tests that there is something to look at, and something to call each seat.
pub(super) fn texts<G: Game>(t: &mut Trial<'_, G>, here: &Position<G>) {
    let (game, state) = (t.game, here.state());
    t.require(!game.show(state).trim().is_empty(), Law::View, || format!("{}: show", here.at(game)));
    for by in Observer::all(t.facts.players) {
        let view = game.view(&game.known(state, by));
        t.require(!view.trim().is_empty(), Law::View, || format!("{}: the view of {by}", here.at(game)));
    }
    let (low, high) = t.facts.range;
    for p in Player::all(t.facts.players) {
        let role = game.role(state, p);
        t.require(notation::is_word(&role), Law::NameWord, || format!("the role of player {p} is {role:?}"));
        if let Some(guess) = game.evaluate(state, p).filter(|_| game.turn(state) != Turn::Over) {
            t.require((low..=high).contains(&guess), Law::Evaluation, || {
                format!("{}: {guess} for player {p}, outside {low} to {high}", here.at(game))
            });
        }
    }
}

/// Tests that knowledge and information sets survive being sent.
pub(super) fn json<G: Game>(t: &mut Trial<'_, G>, here: &Position<G>) {
    let (game, state) = (t.game, here.state());
    for (by, events) in Observer::all(t.facts.players).zip(&here.events) {
        let known = game.known(state, by);
        let back = there_and_back(&known);
        let same = matches!(&back, Ok(k) if *k == known);
        t.require(same, Law::KnownJson, || {
            format!("{}: {} of {by} is read as {}", here.at(game), short(&known), short(&back))
        });
        let key = here.line.key(by);
        let hashed = events.iter().fold(crate::Key::root(by), |key, event| event.extend(key));
        t.require(key == hashed, Law::Deterministic, || format!("{}: two keys for {by}", here.at(game)));
        let Some(seat) = by.seat().filter(|&p| same && game.turn(state).players().contains(p)) else {
            continue;
        };
        let legal = position::legal(game, state, seat);
        let info = InfoSet::<G> { seat, known, legal, events: events.clone(), key };
        let back = InfoSet::from_json(game, info.to_json(game)).map_err(|e| e.to_string());
        let same = back.as_ref().is_ok_and(|b: &InfoSet<G>| {
            (b.seat, b.key, &b.known, &b.legal, &b.events)
                == (seat, info.key, &info.known, &info.legal, &info.events)
        });
        t.require(same, Law::InfoSetJson, || {
            let read = back.map_or_else(|why| why, |b| b.to_json(game).to_string());
            format!("{}: {} is read as {read}", here.at(game), info.to_json(game))
        });
    }
}

/// A value after it was written as JSON and read, both as a tree and as text.
fn there_and_back<T: Serialize + DeserializeOwned>(value: &T) -> Result<T, String> {
    let tree = serde_json::to_value(value).map_err(|e| e.to_string())?;
    serde_json::from_value::<T>(tree.clone()).map_err(|e| e.to_string())?;
    serde_json::from_str(&tree.to_string()).map_err(|e| e.to_string())
}

/// Tests that a game, and the first half of it, can be written down and played again.
pub(super) fn record<G: Game>(t: &mut Trial<'_, G>, line: &Line<G>) {
    let game = t.game;
    let header = Header::new("game", vec!["random".into(); t.facts.players], t.options.seed);
    let whole = Record::of(game, header, line);
    let replayed = Record::from_lines(&whole.to_lines()).and_then(|read| {
        read.replay(game, line.plies().len() / 2)?;
        let again = read.replay(game, usize::MAX)?;
        Ok(read == whole && again.state() == line.state() && again.keys() == line.keys())
    });
    let names = || short(&line.names(game));
    match replayed {
        Ok(same) => t.require(same, Law::Record, || format!("{} leads elsewhere when replayed", names())),
        Err(why) => t.require(false, Law::Record, || format!("{}: {why}", names())),
    };
}

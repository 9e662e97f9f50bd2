//! Laws of single steps: they are deterministic, and only legal ones are made.

use super::Law;
use super::play::Position;
use super::subject::{Ply, State, Subject};
use super::trial::Trial;
use crate::history::Event;
use crate::{Player, Rng, Turn};

/// How many actions and outcomes that are out of place are tried at a position.
const TRIED: usize = 24;
/// A refusal lists what is legal: how many names may be listed at a position in all.
const NAMES: usize = 20_000;

/// Tests that asking twice gives one answer: of a state, of what is seen of a step, and after it.
pub(super) fn deterministic(t: &mut Trial<'_>, here: &Position<'_>, rng: &mut Rng) {
    let (game, s) = (t.game, here.state);
    let same = |t: &mut Trial<'_>, same: bool, what: &str| {
        t.require(same, Law::Deterministic, || format!("{}: {what}", here.at(game)));
    };
    same(t, game.cloned(s) == s, "a state and its clone differ");
    same(t, game.turn(s) == game.turn(s), "it is now one's turn and now another's");
    for by in t.observers() {
        same(t, game.info(s, by) == game.info(s, by), "an observer knows now this and now that");
    }
    appends(t, here);
    let Some(ply) = any_ply(game, s, rng) else { return };
    for by in t.observers() {
        let events = || game.events(s, &ply, by);
        same(t, events() == events(), "one step is seen in two ways");
    }
    if let Some(seen) = game.seen_by_all(s, &ply) {
        for by in t.observers() {
            let own = ply.moves().iter().find(|m| by.is(m.0)).map(|m| Event::Own(game.code(m.1)));
            let alone = own.is_some() && ply.moves().len() == 1;
            let besides = (!alone).then(|| Event::Seen(seen.clone()));
            let expected: Vec<Event> = own.into_iter().chain(besides).collect();
            same(t, game.events(s, &ply, by) == expected, "what all see is not what each sees");
        }
    }
    let next = game.apply(s, &ply);
    same(t, game.apply(s, &ply) == next, "one step leads to different states");
    same(t, game.cloned(next) == next, "after a step, a state and its clone differ");
}

/// One of the steps that can be made, chosen without the game's own random choice of actions.
fn any_ply(game: &dyn Subject, s: State, rng: &mut Rng) -> Option<Ply> {
    let turn = game.turn(s);
    match turn {
        Turn::Terminal => None,
        Turn::Chance => Some(Ply::Chance(game.sample_chance(s, rng))),
        Turn::Player(_) | Turn::Simultaneous(_) => {
            let choices: Vec<_> = turn.players().iter().map(|p| (p, game.legal(s, p))).collect();
            let choose =
                |(p, legal): &(Player, Vec<u32>)| (!legal.is_empty()).then(|| (*p, *rng.pick(legal)));
            choices.iter().map(choose).collect::<Option<_>>().map(Ply::Moves)
        }
    }
}

fn appends(t: &mut Trial<'_>, here: &Position<'_>) {
    let (game, s) = (t.game, here.state);
    for p in game.turn(s).players().iter() {
        let once = game.legal(s, p);
        let twice = game.actions(s, p, once.clone());
        t.require(twice == [&once[..], &once].concat(), Law::Appends, || {
            let texts = (game.actions_text(&once), game.actions_text(&twice));
            format!("{}: actions were added to {} and gave {}", here.at(game), texts.0, texts.1)
        });
    }
    if game.turn(s) == Turn::Chance {
        let once = game.outcomes(s);
        let twice = game.chance(s, once.clone());
        t.require(twice == [&once[..], &once].concat(), Law::Appends, || {
            let texts = (game.outcomes_text(&once), game.outcomes_text(&twice));
            format!("{}: outcomes were added to {} and gave {}", here.at(game), texts.0, texts.1)
        });
    }
}

/// Tries steps that are out of place here: they must be refused and change nothing.
pub(super) fn rejects_illegal(t: &mut Trial<'_>, here: &Position<'_>) {
    let (game, s) = (t.game, here.state);
    let turn = game.turn(s);
    let choices: Vec<_> = turn.players().iter().map(|p| (p, game.legal(s, p))).collect();
    let is_legal = |moves: &Vec<(Player, u32)>| {
        let fits = |(m, c): (&(Player, u32), &(Player, Vec<u32>))| m.0 == c.0 && c.1.contains(&m.1);
        !moves.is_empty() && moves.len() == choices.len() && moves.iter().zip(&choices).all(fits)
    };
    let legal: usize = choices.iter().map(|(_, legal)| legal.len()).sum();
    let tried = (NAMES / (1 + legal)).clamp(1, TRIED);
    let mut wrong = vec![Ply::Moves(Vec::new())];
    for action in (0..game.actions_met()).take(tried) {
        let alone = Player::all(t.facts.players).map(|p| vec![(p, action)]);
        let all = turn.players().iter().map(|p| (p, action)).collect();
        wrong.extend(alone.chain([all]).filter(|moves| !is_legal(moves)).map(Ply::Moves));
    }
    let listed = if turn == Turn::Chance { game.outcomes(s) } else { Vec::new() };
    let unlisted = (0..game.outcomes_met()).filter(|&o| !listed.iter().any(|l| l.0 == o)).take(tried);
    match turn {
        Turn::Chance if listed.is_empty() => {}
        Turn::Chance => {
            for outcome in unlisted {
                t.require(!game.is_possible(s, outcome), Law::ChancePossible, || {
                    format!("{}: {} is possible but not listed", here.at(game), game.outcome_text(outcome))
                });
                wrong.push(Ply::Chance(outcome));
            }
        }
        Turn::Terminal | Turn::Player(_) | Turn::Simultaneous(_) => wrong.extend(unlisted.map(Ply::Chance)),
    }
    for ply in wrong {
        let refused = game.play(s, &ply).is_err_and(|refused| refused.untouched);
        t.require(refused, Law::RejectsIllegal, || {
            format!("{}: {:?} was not refused", here.at(game), game.names([&ply]))
        });
    }
}

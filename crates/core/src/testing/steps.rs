//! Laws of single steps: they are deterministic, and only legal ones are made.

use std::collections::hash_map::DefaultHasher;
use std::hash::{Hash, Hasher};

use super::Law;
use super::play::Position;
use super::position::{legal, outcomes};
use super::trial::{Trial, short};
use crate::{Game, Observer, Player, Ply, Rng, Rules, Turn, play};

/// How many actions and outcomes that are out of place are tried at a position.
const TRIED: usize = 24;

/// Tests that a state and its clone cannot be told apart, before a step, in what is seen of it, and after.
pub(super) fn deterministic<G: Game>(t: &mut Trial<'_, G>, here: &Position<G>, rng: &mut Rng) {
    let game = t.game;
    let state = here.state();
    let clone = state.clone();
    let differ = |t: &mut Trial<'_, G>, same: bool, what: &str| {
        t.require(same, Law::Deterministic, || format!("{}: {what} a state and its clone", here.at(game)));
    };
    differ(t, alike::<G>(state, &clone) && game.turn(state) == game.turn(&clone), "different values for");
    for by in Observer::all(t.facts.players) {
        differ(t, game.known(state, by) == game.known(&clone, by), "different knowledge in");
    }
    appends(t, here);
    let Some(ply) = any_ply(game, state, rng) else { return };
    for by in Observer::all(t.facts.players) {
        let seen = |s| game.observe(s, ply.step(), by);
        differ(t, seen(state) == seen(&clone), "different observations in");
    }
    let (mut a, mut b) = (clone.clone(), clone);
    game.apply(&mut a, ply.step());
    game.apply(&mut b, ply.step());
    differ(t, alike::<G>(&a, &b), "one step leads to different states from");
    differ(t, alike::<G>(&a.clone(), &a), "after a step, different values for");
}

fn alike<R: Rules>(a: &R::State, b: &R::State) -> bool {
    let hash = |s: &R::State| {
        let mut hasher = DefaultHasher::new();
        s.hash(&mut hasher);
        hasher.finish()
    };
    a == b && hash(a) == hash(b)
}

/// One of the steps that can be made, chosen without the game's own random choice.
fn any_ply<R: Rules>(rules: &R, state: &R::State, rng: &mut Rng) -> Option<Ply<R>> {
    let turn = rules.turn(state);
    match turn {
        Turn::Over => None,
        Turn::Chance => Some(Ply::Chance(rules.sample_chance(state, rng))),
        Turn::Player(_) | Turn::Together(_) => {
            let choice = |p| {
                Some(p).zip(legal(rules, state, p).get(..).filter(|l| !l.is_empty()).map(|l| *rng.pick(l)))
            };
            turn.players().iter().map(choice).collect::<Option<_>>().map(Ply::Moves)
        }
    }
}

fn appends<G: Game>(t: &mut Trial<'_, G>, here: &Position<G>) {
    let (game, state) = (t.game, here.state());
    for p in game.turn(state).players().iter() {
        let once = legal(game, state, p);
        let mut twice = once.clone();
        game.actions(state, p, &mut twice);
        t.require(twice == [&once[..], &once].concat(), Law::Appends, || {
            format!("{}: the actions {} became {}", here.at(game), short(&once), short(&twice))
        });
    }
    if game.turn(state) == Turn::Chance {
        let once = outcomes(game, state);
        let mut twice = once.clone();
        game.chance(state, &mut twice);
        t.require(twice == [&once[..], &once].concat(), Law::Appends, || {
            format!("{}: the outcomes {} became {}", here.at(game), short(&once), short(&twice))
        });
    }
}

/// Tries steps that are out of place here: they must be refused and change nothing.
pub(super) fn rejects_illegal<G: Game>(t: &mut Trial<'_, G>, here: &Position<G>) {
    let (game, state) = (t.game, here.state());
    let turn = game.turn(state);
    let mut wrong = vec![Ply::Moves(Vec::new())];
    for &action in t.words.actions.iter().take(TRIED) {
        let alone = Player::all(t.facts.players).map(|p| vec![(p, action)]);
        let all = turn.players().iter().map(|p| (p, action)).collect();
        let tried = alone.chain([all]).filter(|moves| !is_legal(game, state, moves));
        wrong.extend(tried.map(Ply::Moves));
    }
    let listed = outcomes(game, state);
    let is_listed = |outcome: &G::Outcome| listed.iter().any(|(o, _)| o == outcome);
    let unlistable = turn == Turn::Chance && listed.is_empty();
    for outcome in t.words.outcomes.iter().filter(|o| !unlistable && !is_listed(o)).take(TRIED) {
        wrong.push(Ply::Chance(outcome.clone()));
    }
    for ply in wrong {
        if let (Turn::Chance, Ply::Chance(outcome)) = (turn, &ply) {
            t.require(!game.is_possible(state, outcome), Law::ChancePossible, || {
                format!("{}: {outcome:?} is possible but not listed", here.at(game))
            });
        }
        let mut copy = state.clone();
        let refused = play(game, &mut copy, ply.step()).is_err() && copy == *state;
        t.require(refused, Law::RejectsIllegal, || {
            format!("{}: {:?} was not refused", here.at(game), ply.names(game))
        });
    }
}

fn is_legal<R: Rules>(rules: &R, state: &R::State, moves: &[(Player, R::Action)]) -> bool {
    let movers: Vec<Player> = rules.turn(state).players().iter().collect();
    let seats: Vec<Player> = moves.iter().map(|m| m.0).collect();
    !moves.is_empty() && seats == movers && moves.iter().all(|&(p, a)| legal(rules, state, p).contains(&a))
}

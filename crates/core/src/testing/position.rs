//! Laws that can be seen in a single state: its turn, its legal actions, its chance, its rewards.

use super::trial::Trial;
use super::{Law, trial::short};
use crate::{Chance, Game, Player, Rewards, Rules, Turn, Utility};

/// How far sums of floating-point numbers may be off.
const CLOSE: f64 = 1e-9;

/// The legal actions of a player to move.
pub(super) fn legal<R: Rules>(rules: &R, state: &R::State, who: Player) -> Vec<R::Action> {
    let mut legal = Vec::new();
    rules.actions(state, who, &mut legal);
    legal
}

/// What chance may draw.
pub(super) fn outcomes<R: Rules>(rules: &R, state: &R::State) -> Vec<(R::Outcome, f64)> {
    let mut listed = Vec::new();
    rules.chance(state, &mut listed);
    listed
}

/// Tests one state; `at` says in words where it was met.
pub(super) fn laws<G: Game>(t: &mut Trial<'_, G>, state: &G::State, at: &dyn Fn() -> String) {
    let game = t.game;
    let turn = game.turn(state);
    match turn {
        Turn::Over => return rewards(t, &game.rewards(state), at),
        Turn::Chance => return chance(t, state, at),
        Turn::Player(_) => {}
        Turn::Together(_) => {
            let declared = t.facts.simultaneous;
            t.require(declared, Law::FactsSimultaneous, || format!("{}: a simultaneous turn", at()));
        }
    }
    let movers = turn.players();
    let exist = !movers.is_empty() && movers.iter().all(|p| p.index() < t.facts.players);
    t.require(exist, Law::TurnSeats, || format!("{}: {turn:?}", at()));
    for p in movers.iter() {
        let legal = legal(game, state, p);
        t.require(!legal.is_empty(), Law::ActionsNonEmpty, || format!("{}: player {p} has none", at()));
        t.require(legal.is_sorted_by(|a, b| a < b), Law::ActionsRising, || {
            format!("{}: player {p} has {}", at(), short(&legal))
        });
        t.words.learn_actions(&legal);
    }
}

fn chance<G: Game>(t: &mut Trial<'_, G>, state: &G::State, at: &dyn Fn() -> String) {
    let game = t.game;
    let declared = t.facts.chance;
    t.require(declared != Chance::Never, Law::FactsChance, || format!("{}: chance draws", at()));
    let listed = outcomes(game, state);
    if listed.is_empty() {
        t.require(declared != Chance::Listed, Law::FactsChance, || format!("{}: no outcome is listed", at()));
        return;
    }
    let sum: f64 = listed.iter().map(|(_, p)| p).sum();
    let proper = listed.iter().all(|(_, p)| *p > 0.0) && (sum - 1.0).abs() <= CLOSE;
    t.require(proper, Law::ChanceSum, || format!("{}: {} sum to {sum}", at(), short(&listed)));
    for (outcome, _) in &listed {
        let possible = game.is_possible(state, outcome);
        t.require(possible, Law::ChancePossible, || format!("{}: not {outcome:?}, which is listed", at()));
        t.words.learn_outcome(outcome);
    }
}

/// Tests the rewards of a finished game.
pub(super) fn rewards<G: Game>(t: &mut Trial<'_, G>, rewards: &Rewards, at: &dyn Fn() -> String) {
    let (low, high) = t.facts.range;
    let players = t.facts.players;
    t.require(rewards.len() == players, Law::RewardCount, || format!("{}: {rewards:?}", at()));
    let within = |r: &f64| r.is_finite() && (low..=high).contains(r);
    t.require(rewards.iter().all(within), Law::RewardRange, || {
        format!("{}: {:?} is not within {low} to {high}", at(), rewards.as_slice())
    });
    let sum: f64 = rewards.iter().sum();
    let expected = match t.facts.utility {
        Utility::ZeroSum => 0.0,
        Utility::ConstantSum => *t.sum.get_or_insert(sum),
        Utility::General => return,
    };
    t.require((sum - expected).abs() <= CLOSE, Law::RewardSum, || {
        format!("{}: {:?} do not add up to {expected}", at(), rewards.as_slice())
    });
}

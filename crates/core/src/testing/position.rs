//! Laws that can be seen in a single state: its turn, its legal actions, its chance, its rewards.

use super::Law;
use super::subject::{Action, Outcome, State};
use super::trial::Trial;
use crate::{Chance, Player, Rewards, Turn, Utility};

/// How far sums of floating-point numbers may be off.
const CLOSE: f64 = 1e-9;

/// What can happen next.
pub(super) enum Choices {
    Over,
    Chance(Vec<(Outcome, f64)>),
    Players(Vec<(Player, Vec<Action>)>),
}

/// Tests one state; `at` says in words where it was met.
pub(super) fn laws(t: &mut Trial<'_>, s: State, at: &dyn Fn() -> String) -> Choices {
    let game = t.game;
    let turn = game.turn(s);
    match turn {
        Turn::Terminal => {
            rewards(t, &game.rewards(s), at);
            return Choices::Over;
        }
        Turn::Chance => return chance(t, s, at),
        Turn::Player(_) => {}
        Turn::Simultaneous(_) => {
            let declared = t.facts.simultaneous;
            t.require(declared, Law::FactsSimultaneous, || format!("{}: a simultaneous turn", at()));
        }
    }
    let movers = turn.players();
    let exist = !movers.is_empty() && movers.iter().all(|p| p.index() < t.facts.players);
    t.require(exist, Law::TurnSeats, || format!("{}: {turn:?}", at()));
    let mut choices = Vec::with_capacity(movers.len());
    for p in movers.iter() {
        let legal = game.legal(s, p);
        t.require(!legal.is_empty(), Law::ActionsNonEmpty, || format!("{}: player {p} has none", at()));
        t.require(game.is_rising(&legal), Law::ActionsRising, || {
            format!("{}: player {p} has {}", at(), game.actions_text(&legal))
        });
        let codes: Vec<u64> = legal.iter().map(|&a| game.code(a)).collect();
        let rising = game.codes().is_none() || codes.is_sorted_by(|a, b| a < b);
        t.require(rising, Law::CodesRising, || {
            format!("{}: player {p} has {} with codes {codes:?}", at(), game.actions_text(&legal))
        });
        choices.push((p, legal));
    }
    Choices::Players(choices)
}

fn chance(t: &mut Trial<'_>, s: State, at: &dyn Fn() -> String) -> Choices {
    let game = t.game;
    let declared = t.facts.chance;
    t.require(declared != Chance::Never, Law::FactsChance, || format!("{}: chance draws", at()));
    let listed = game.outcomes(s);
    if listed.is_empty() {
        t.require(declared != Chance::Listed, Law::FactsChance, || format!("{}: no outcome is listed", at()));
        return Choices::Chance(listed);
    }
    let sum: f64 = listed.iter().map(|(_, p)| p).sum();
    let proper = listed.iter().all(|(_, p)| *p > 0.0) && (sum - 1.0).abs() <= CLOSE;
    t.require(proper, Law::ChanceSum, || format!("{}: {} sum to {sum}", at(), game.outcomes_text(&listed)));
    for &(outcome, _) in &listed {
        t.require(game.is_possible(s, outcome), Law::ChancePossible, || {
            format!("{}: {} is listed but not possible", at(), game.outcome_text(outcome))
        });
    }
    Choices::Chance(listed)
}

/// Tests the rewards of a finished game.
pub(super) fn rewards(t: &mut Trial<'_>, rewards: &Rewards, at: &dyn Fn() -> String) {
    let (low, high) = t.facts.utility_bounds;
    let players = t.facts.players;
    t.require(rewards.len() == players, Law::RewardCount, || format!("{}: {:?}", at(), rewards.as_slice()));
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

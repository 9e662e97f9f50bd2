//! Laws of the game's own random choices: actions, outcomes and whole playouts come as often as they should.

use std::collections::HashMap;

use super::play::{Looks, Position};
use super::statistics::misfit;
use super::subject::State;
use super::tree::Tree;
use super::trial::Trial;
use super::{Law, position};
use crate::{Player, Rng, Turn};

/// Draws per test, more where some cell is rare.
const DRAWS: f64 = 3000.0;
/// Draws per test at most.
const MOST_DRAWS: f64 = 60_000.0;
/// The longest list of outcomes that is compared with draws.
const LONGEST_LIST: usize = 4000;
/// Cells of a test at most; what comes after goes round.
const CELLS: usize = 48;
/// Playouts from the start of a tiny game.
const PLAYOUTS: u32 = 20_000;

/// Tests random actions and sampled outcomes at a position against what is listed there.
pub(super) fn frequencies(t: &mut Trial<'_>, here: &Position<'_>, looks: &mut Looks, rng: &mut Rng) {
    let turn = t.game.turn(here.state);
    if turn == Turn::Chance && looks.chances > 0 {
        looks.chances -= u32::from(outcomes(t, here, rng));
    }
    for p in turn.players().iter() {
        if looks.actions > 0 {
            looks.actions -= u32::from(actions(t, here, p, rng));
        }
    }
}

/// Whether there was something to test.
fn actions(t: &mut Trial<'_>, here: &Position<'_>, who: Player, rng: &mut Rng) -> bool {
    let (game, s) = (t.game, here.state);
    let legal = game.legal(s, who);
    if legal.len() < 2 {
        return false;
    }
    let mut counts = vec![0.0; legal.len()];
    for _ in 0..(40.0 * legal.len() as f64).clamp(DRAWS, MOST_DRAWS) as u64 {
        let action = game.random_action(s, who, rng);
        match legal.iter().position(|a| *a == action) {
            Some(i) => counts[i] += 1.0,
            None => t.report(Law::RandomAction, || {
                format!("{}: {} is not legal", here.at(game), game.action_text(action))
            }),
        }
    }
    let wrong = misfit(&counts, &vec![1.0; legal.len()]);
    t.require(wrong.is_none(), Law::RandomAction, || {
        let wrong = wrong.unwrap_or_default();
        format!("{}: {wrong} for the actions {}", here.at(game), game.actions_text(&legal))
    });
    true
}

/// Whether there was something to test.
fn outcomes(t: &mut Trial<'_>, here: &Position<'_>, rng: &mut Rng) -> bool {
    let (game, s) = (t.game, here.state);
    let listed = game.outcomes(s);
    if !(2..=LONGEST_LIST).contains(&listed.len()) {
        return false;
    }
    let mut shares = vec![0.0; listed.len().min(CELLS)];
    for (i, (_, p)) in listed.iter().enumerate() {
        shares[i % CELLS] += p;
    }
    let rarest = shares.iter().copied().fold(1.0, f64::min);
    let mut counts = vec![0.0; shares.len()];
    for _ in 0..(40.0 / rarest).clamp(DRAWS, MOST_DRAWS) as u64 {
        let outcome = game.sample_chance(s, rng);
        match listed.iter().position(|&(o, _)| o == outcome) {
            Some(i) => counts[i % CELLS] += 1.0,
            None => t.report(Law::ChancePossible, || {
                format!("{}: {} was drawn", here.at(game), game.outcome_text(outcome))
            }),
        }
    }
    let wrong = misfit(&counts, &shares);
    t.require(wrong.is_none(), Law::ChanceFrequencies, || {
        let wrong = wrong.unwrap_or_default();
        format!("{}: {wrong} for the outcomes {}", here.at(game), game.outcomes_text(&listed))
    });
    true
}

/// Tests playouts from a position.
pub(super) fn playout(t: &mut Trial<'_>, here: &Position<'_>, rng: &mut Rng) {
    let game = t.game;
    let mut same_rng = rng.clone();
    let ends = [rng, &mut same_rng].map(|rng| play_out(t, here.state, rng, &|| here.at(game)));
    t.require(ends[0] == ends[1], Law::Deterministic, || {
        format!("{}: with one seed two playouts differ", here.at(game))
    });
}

/// Plays a state out and tests where that ends, unless games were seen not to end.
pub(super) fn play_out(
    t: &mut Trial<'_>,
    from: State,
    rng: &mut Rng,
    at: &dyn Fn() -> String,
) -> Option<State> {
    if t.has_broken(Law::Longest) {
        return None;
    }
    let game = t.game;
    let (end, rewards) = game.playout(from, rng);
    let over = game.turn(end) == Turn::Terminal;
    t.require(over && rewards == game.rewards(end), Law::Playout, || {
        format!("{}: {:?} returned, the state is {}", at(), rewards.as_slice(), game.state_text(end))
    });
    if over {
        position::rewards(t, &game.rewards(end), at);
    }
    Some(end)
}

/// Tests that playouts from the start end where uniformly random play ends, as often.
pub(super) fn ends(t: &mut Trial<'_>, tree: &Tree) {
    if t.has_broken(Law::Longest) {
        return;
    }
    let game = t.game;
    let mut rng = t.rng("playouts");
    let start = game.start();
    let reached: Vec<State> = (0..PLAYOUTS).map(|_| game.playout(start, &mut rng).0).collect();
    // States that do not remember their playout are told apart by what they show.
    let remembered = reached.iter().all(|end| tree.ends.contains_key(end));
    let name = |end: State| if remembered { end.to_string() } else { game.shown(end) };
    let mut classes = HashMap::new();
    let (mut counts, mut shares) = (vec![0.0; CELLS], vec![0.0; CELLS]);
    for (&end, probability) in &tree.ends {
        let next = classes.len();
        shares[*classes.entry(name(end)).or_insert(next) % CELLS] += probability;
    }
    for end in reached {
        let class = classes.get(&name(end)).copied();
        counts[class.unwrap_or(0) % CELLS] += 1.0;
        t.require(class.is_some(), Law::PlayoutFrequencies, || {
            format!("no history ends in {}", game.state_text(end))
        });
    }
    let wrong = misfit(&counts, &shares);
    t.require(wrong.is_none(), Law::PlayoutFrequencies, || wrong.unwrap_or_default());
}

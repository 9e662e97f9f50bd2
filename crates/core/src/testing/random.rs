//! Laws of the game's own random choices: actions, outcomes and whole playouts come as often as they should.

use super::play::{Looks, Position};
use super::statistics::misfit;
use super::tree::Tree;
use super::trial::{Trial, short};
use super::{Law, position};
use crate::{Game, Player, Rng, Scratch, Turn};

/// Draws per test, more where some cell is rare.
const DRAWS: f64 = 3000.0;
/// Draws per test at most.
const MOST_DRAWS: f64 = 60_000.0;
/// The longest list of outcomes that is compared with draws.
const LONGEST_LIST: usize = 4000;
/// Cells of a test at most; what is listed after goes round.
const CELLS: usize = 48;

/// Playouts from the start of a tiny game.
const PLAYOUTS: u32 = 20_000;

/// Tests random actions and sampled outcomes at a position against what is listed there.
pub(super) fn frequencies<G: Game>(
    t: &mut Trial<'_, G>,
    here: &Position<G>,
    looks: &mut Looks,
    rng: &mut Rng,
) {
    let turn = t.game.turn(here.state());
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
fn actions<G: Game>(t: &mut Trial<'_, G>, here: &Position<G>, who: Player, rng: &mut Rng) -> bool {
    let (game, state) = (t.game, here.state());
    let legal = position::legal(game, state, who);
    if legal.len() < 2 {
        return false;
    }
    let mut scratch = Scratch::default();
    let draws = (40.0 * legal.len() as f64).clamp(DRAWS, MOST_DRAWS) as u64;
    let mut counts = vec![0.0; legal.len()];
    for _ in 0..draws {
        let action = game.random_action(state, who, rng, &mut scratch);
        match legal.binary_search(&action).ok().or_else(|| legal.iter().position(|a| *a == action)) {
            Some(i) => counts[i] += 1.0,
            None => t.report(Law::RandomAction, || format!("{}: {action:?} is not legal", here.at(game))),
        }
    }
    let wrong = misfit(&counts, &vec![1.0; legal.len()]);
    t.require(wrong.is_none(), Law::RandomAction, || {
        format!("{}: {} for the actions {}", here.at(game), wrong.unwrap_or_default(), short(&legal))
    });
    true
}

/// Whether there was something to test.
fn outcomes<G: Game>(t: &mut Trial<'_, G>, here: &Position<G>, rng: &mut Rng) -> bool {
    let (game, state) = (t.game, here.state());
    let listed = position::outcomes(game, state);
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
        let outcome = game.sample_chance(state, rng);
        match listed.iter().position(|(o, _)| *o == outcome) {
            Some(i) => counts[i % CELLS] += 1.0,
            None => t.report(Law::ChancePossible, || format!("{}: {outcome:?} was drawn", here.at(game))),
        }
    }
    let wrong = misfit(&counts, &shares);
    t.require(wrong.is_none(), Law::ChanceFrequencies, || {
        format!("{}: {} for the outcomes {}", here.at(game), wrong.unwrap_or_default(), short(&listed))
    });
    true
}

/// Tests a playout from a position, unless games were seen not to end.
pub(super) fn playout<G: Game>(t: &mut Trial<'_, G>, here: &Position<G>, rng: &mut Rng) {
    if t.has_broken(Law::Longest) {
        return;
    }
    let game = t.game;
    play_out(t, here.state(), rng, &|| here.at(game));
}

/// Plays a state out and tests where that ends.
pub(super) fn play_out<G: Game>(
    t: &mut Trial<'_, G>,
    from: &G::State,
    rng: &mut Rng,
    at: &dyn Fn() -> String,
) -> G::State {
    let game = t.game;
    let (mut end, mut again) = (from.clone(), from.clone());
    let mut same_rng = rng.clone();
    let rewards = game.playout(&mut end, rng, &mut Scratch::default());
    game.playout(&mut again, &mut same_rng, &mut Scratch::default());
    t.require(end == again, Law::Deterministic, || format!("{}: two playouts with one seed", at()));
    let over = game.turn(&end) == Turn::Over;
    let proper = over && rewards == game.rewards(&end);
    t.require(proper, Law::Playout, || {
        format!("{}: {:?} returned, the state is {}", at(), rewards.as_slice(), short(&end))
    });
    if over {
        position::rewards(t, &game.rewards(&end), at);
    }
    end
}

/// Tests that playouts from the start end where uniformly random play ends, as often.
pub(super) fn ends<G: Game>(t: &mut Trial<'_, G>, tree: &Tree<G>) {
    if t.has_broken(Law::Longest) {
        return;
    }
    let game = t.game;
    let mut rng = t.rng("playouts");
    let mut scratch = Scratch::default();
    let (mut counts, mut shares) = (vec![0.0; CELLS], vec![0.0; CELLS]);
    for (&end, probability) in &tree.ends {
        shares[end as usize % CELLS] += probability;
    }
    let start = game.start();
    let mut state = start.clone();
    for _ in 0..PLAYOUTS {
        state.clone_from(&start);
        game.playout(&mut state, &mut rng, &mut scratch);
        match tree.index.get(&state) {
            Some(end) if tree.ends.contains_key(end) => counts[*end as usize % CELLS] += 1.0,
            _ => t.report(Law::PlayoutFrequencies, || format!("no history ends in {}", short(&state))),
        }
    }
    let wrong = misfit(&counts, &shares);
    t.require(wrong.is_none(), Law::PlayoutFrequencies, || wrong.unwrap_or_default());
}

//! How a game ended, in words.

use fogtree_core::Player;
use fogtree_table::wire::Over;

/// Who won, and what it was worth.
pub(super) fn verdict(you: Player, over: &Over) -> String {
    let rewards = match (&over.rewards, over.resigned) {
        (_, Some(seat)) if seat == you => return "You have resigned.".to_string(),
        (_, Some(seat)) => return format!("Player {seat} has resigned."),
        (None, None) => return "The game is over.".to_string(),
        (Some(rewards), None) => rewards.as_slice(),
    };
    let own = rewards[you.index()];
    let best = rewards.iter().copied().fold(f64::NEG_INFINITY, f64::max);
    let verdict = match own {
        _ if rewards.iter().all(|&r| r == best) => "a draw",
        own if own == best => "you win",
        _ => "you lose",
    };
    format!("The game is over: {verdict}. {}", standings(rewards, you))
}

/// The places and rewards of all, the best first.
fn standings(rewards: &[f64], you: Player) -> String {
    let reward = |p: &Player| rewards[p.index()];
    let mut order: Vec<Player> = Player::all(rewards.len()).collect();
    order.sort_by(|a, b| reward(b).total_cmp(&reward(a)));
    let line = |p: &Player| {
        let better = rewards.iter().filter(|&&r| r > reward(p)).count();
        let shared = rewards.iter().filter(|&&r| r == reward(p)).count() > 1;
        let place = ORDINALS.get(better).map_or_else(|| format!("{}th", better + 1), ToString::to_string);
        let who = if *p == you { "you".to_string() } else { format!("player {p}") };
        let shared = if shared { " (shared)" } else { "" };
        // Adding 0 turns -0 into 0.
        format!("{who}: {place} of {}{shared}, reward {}", rewards.len(), reward(p) + 0.0)
    };
    let lines: Vec<String> = order.iter().map(line).collect();
    format!("Rewards:\n  {}", lines.join("\n  "))
}

const ORDINALS: [&str; 10] =
    ["first", "second", "third", "fourth", "fifth", "sixth", "seventh", "eighth", "ninth", "tenth"];

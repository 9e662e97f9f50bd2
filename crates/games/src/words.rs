//! Turns of phrase that games share.

use fogtree_core::{Observer, Player};

/// Who has just moved, to somebody who did not, in a game of two.
pub(crate) fn mover(by: Observer) -> &'static str {
    by.seat().map_or("the player to move", |_| "the other")
}

/// `player 2`, or `you`.
pub(crate) fn name(who: Player, by: Observer) -> String {
    if by.is(who) { "you".to_string() } else { format!("player {who}") }
}

/// `player 2 takes`, or `you take`.
pub(crate) fn does(who: Player, by: Observer, verb: &str) -> String {
    format!("{} {}", name(who, by), if by.is(who) { verb.trim_end_matches('s') } else { verb })
}

/// The words with a capital letter in front.
pub(crate) fn sentence(words: &str) -> String {
    let mut letters = words.chars();
    letters.next().map_or_else(String::new, |first| first.to_uppercase().chain(letters).collect())
}

/// `Your turn`, or `Player 2 to move`.
pub(crate) fn turn(who: Player, by: Observer) -> String {
    if by.is(who) { "Your turn".to_string() } else { format!("Player {who} to move") }
}

/// `You have won`, or `Player 2 has won`.
pub(crate) fn won(who: Player, by: Observer) -> String {
    if by.is(who) { "You have won".to_string() } else { format!("Player {who} has won") }
}

/// `1 card`, `2 cards`.
pub(crate) fn counted(number: impl Into<u64>, what: &str) -> String {
    match number.into() {
        1 => format!("1 {what}"),
        number => format!("{number} {what}s"),
    }
}

/// What was seen and what came of it, as far as there is anything to say.
pub(crate) fn joined(parts: impl IntoIterator<Item = Option<String>>) -> Option<String> {
    let parts: Vec<String> = parts.into_iter().flatten().collect();
    (!parts.is_empty()).then(|| parts.join("; "))
}

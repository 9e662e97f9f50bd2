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

/// `you show K, player 1 shows J`: the hands of two.
pub(crate) fn showdown(hands: [String; 2], by: Observer) -> String {
    let shows = |(p, hand)| format!("{} {hand}", does(p, by, "shows"));
    Player::all(2).zip(hands).map(shows).collect::<Vec<_>>().join(", ")
}

/// `player 0 wins the pot of 4`.
pub(crate) fn wins_pot(who: Player, by: Observer, pot: u16) -> String {
    format!("{} the pot of {pot}", does(who, by, "wins"))
}

/// `Player 2`, or `You (player 2)`, to begin with.
pub(crate) fn title(who: Player, by: Observer) -> String {
    if by.is(who) { format!("You (player {who})") } else { format!("Player {who}") }
}

/// `Player 2 to lead.`, or `Your turn: lead.`
pub(crate) fn asked(who: Player, by: Observer, what: &str) -> String {
    if by.is(who) { format!("Your turn: {what}.") } else { format!("Player {who} to {what}.") }
}

/// Who has won, and how: `The game is over: you win with 3 points.`
pub(crate) fn won(winners: &[Player], by: Observer, how: &str) -> String {
    let how = if how.is_empty() { String::new() } else { format!(" {how}") };
    match winners {
        [] => format!("The game is over: a draw{how}."),
        [one] => format!("The game is over: {}{how}.", does(*one, by, "wins")),
        [first @ .., last] => {
            let first: Vec<String> = first.iter().map(|&p| name(p, by)).collect();
            format!("The game is over: {} and {} win{how}.", first.join(", "), name(*last, by))
        }
    }
}

/// The text with a capital letter.
pub(crate) fn capital(text: &str) -> String {
    let mut chars = text.chars();
    chars.next().map_or_else(String::new, |first| first.to_uppercase().chain(chars).collect())
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

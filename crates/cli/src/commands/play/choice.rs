//! Moves as they are listed and typed: by name, by number, by the places they touch.

use fogtree_core::spec::nearest_few;
use fogtree_core::{IllegalStep, Player};
use fogtree_table::read_move;
use fogtree_table::wire::{LegalMove, SeatView};

/// So many moves are listed in full without being asked for.
const FEW: usize = 24;
/// The width of a terminal.
const WIDTH: usize = 100;

/// The moves that somebody may choose from.
#[derive(Clone, Debug)]
pub(super) struct Listing {
    moves: Vec<LegalMove>,
    /// How many of their spots have been touched.
    touched: usize,
}

/// What was typed.
pub(super) enum Choice {
    /// A move, by name.
    Move(String),
    /// The moves that begin so.
    Fewer(Listing),
    /// Nothing that can be played, and why.
    None(String),
}

impl Listing {
    pub(super) fn of(view: &SeatView) -> Listing {
        Listing { moves: view.legal.clone(), touched: 0 }
    }

    /// The moves if they are few; else where they begin.
    pub(super) fn short(&self) -> String {
        if self.moves.len() <= FEW {
            return self.long();
        }
        let places = self.places();
        let listed = self.moves.iter().filter(|m| m.spots.len() <= self.touched).count();
        if places.is_empty() {
            let first: Vec<&str> = self.moves.iter().take(6).map(|m| m.name.as_str()).collect();
            return format!("{} moves: {} ... (moves lists them all)", self.moves.len(), first.join(" "));
        }
        let groups: Vec<String> = places.iter().map(|(place, n)| format!("{place} ({n})")).collect();
        let rest = if listed > 0 { format!("\nand {listed} more (moves lists them)") } else { String::new() };
        format!("{} moves, from {}{rest}", self.moves.len(), wrapped(&groups))
    }

    /// All moves, numbered unless their names are numbers.
    pub(super) fn long(&self) -> String {
        let numbered = self.is_numbered();
        let one = |(i, m): (usize, &LegalMove)| match numbered {
            true => format!("{}) {}", i + 1, m.name),
            false => m.name.clone(),
        };
        format!("moves: {}", wrapped(&self.moves.iter().enumerate().map(one).collect::<Vec<_>>()))
    }

    /// Numbers would be mistaken for names where some name begins with a digit.
    fn is_numbered(&self) -> bool {
        !self.moves.iter().any(|m| m.name.starts_with(|c: char| c.is_ascii_digit()))
    }

    /// The places that are touched next, with the number of moves that touch them.
    fn places(&self) -> Vec<(&str, usize)> {
        let mut places: Vec<(&str, usize)> = Vec::new();
        for spot in self.moves.iter().filter_map(|m| m.spots.get(self.touched)) {
            let place = place(spot);
            match places.iter_mut().find(|(known, _)| *known == place) {
                Some((_, count)) => *count += 1,
                None => places.push((place, 1)),
            }
        }
        places
    }

    /// What was typed: a name, a number, or places.
    pub(super) fn read(&self, seat: Player, typed: &str) -> Choice {
        let names: Vec<String> = self.moves.iter().map(|m| m.name.clone()).collect();
        let why = match read_move(seat, typed, &names) {
            Ok(place) => return Choice::Move(names[place].clone()),
            Err(why) => why,
        };
        if let Ok(number) = typed.parse::<usize>()
            && self.is_numbered()
            && let Some(name) = number.checked_sub(1).and_then(|i| names.get(i))
        {
            return Choice::Move(name.clone());
        }
        let words: Vec<String> = typed.split_whitespace().map(str::to_lowercase).collect();
        let fits = |m: &&LegalMove| {
            let spots = m.spots.get(self.touched..).unwrap_or_default();
            spots.len() >= words.len() && spots.iter().zip(&words).all(|(s, w)| place(s).to_lowercase() == *w)
        };
        let fitting: Vec<LegalMove> = self.moves.iter().filter(fits).cloned().collect();
        let touched = self.touched + words.len();
        match &fitting[..] {
            [] => Choice::None(suggestions(why)),
            [only] => Choice::Move(only.name.clone()),
            _ => match fitting.iter().find(|m| m.spots.len() == touched) {
                Some(whole)
                    if fitting.iter().filter(|m| m.spots.len() == touched).count() == 1
                        && words.len() > 1 =>
                {
                    Choice::Move(whole.name.clone())
                }
                _ => Choice::Fewer(Listing { moves: fitting, touched }),
            },
        }
    }
}

/// The place of a spot, without its zone.
fn place(spot: &str) -> &str {
    spot.split_once('/').map_or(spot, |(_, place)| place)
}

/// Words in lines of the width of a terminal.
fn wrapped(words: &[String]) -> String {
    let (mut text, mut column) = (String::new(), 8);
    for word in words {
        let long = word.chars().count();
        if column + long > WIDTH {
            text += "\n       ";
            column = 8;
        }
        if !text.is_empty() {
            text += "  ";
        }
        text += word;
        column += long + 2;
    }
    text
}

/// What a person may play instead of what will not do.
fn suggestions(why: IllegalStep) -> String {
    match why {
        IllegalStep::Ambiguous { candidates, .. } => format!("Which one? {}", candidates.join(" ")),
        IllegalStep::Action { name, legal, .. } if legal.len() > FEW => {
            let near = nearest_few(&name, legal.iter().map(String::as_str)).join(", ");
            format!("Did you mean one of {near}? Type moves to see what you may do.")
        }
        IllegalStep::Action { legal, .. } => format!("You may play: {}", legal.join(" ")),
        why => why.to_string(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn listing(moves: &[(&str, &[&str])]) -> Listing {
        let one = |(name, spots): &(&str, &[&str])| LegalMove {
            name: (*name).to_string(),
            spots: spots.iter().map(|s| format!("board/{s}")).collect(),
        };
        Listing { moves: moves.iter().map(one).collect(), touched: 0 }
    }

    fn read(listing: &Listing, typed: &str) -> String {
        match listing.read(Player(0), typed) {
            Choice::Move(name) => name,
            Choice::Fewer(fewer) => format!("{} moves", fewer.moves.len()),
            Choice::None(why) => why,
        }
    }

    #[test]
    fn places_narrow_the_choice() {
        let moves = listing(&[
            ("b2>b3", &["b2", "b3"]),
            ("b2>c3", &["b2", "c3"]),
            ("d1>d2", &["d1", "d2"]),
            ("stay", &[]),
        ]);
        assert_eq!(read(&moves, "d1"), "d1>d2");
        assert_eq!(read(&moves, "b2"), "2 moves");
        assert_eq!(read(&moves, "B2 c3"), "b2>c3");
        assert_eq!(read(&moves, "4"), "stay");
        let Choice::Fewer(fewer) = moves.read(Player(0), "b2") else { panic!("one place is not enough") };
        assert_eq!(read(&fewer, "c3"), "b2>c3");
        assert_eq!(read(&fewer, "2"), "b2>c3");
        assert!(read(&moves, "z9").starts_with("You may play"));
    }

    #[test]
    fn numbers_are_names_where_names_are_numbers() {
        let columns = listing(&[("2", &[]), ("3", &[])]);
        assert_eq!(read(&columns, "2"), "2");
        assert!(read(&columns, "1").starts_with("You may play"));
    }
}

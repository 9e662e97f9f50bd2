//! Moves as people type them: in any case, shortened, or without the part that all moves share.

use fogtree_core::spec::shortened;
use fogtree_core::{IllegalStep, Player};

/// The place of a typed move among the legal ones of a player.
///
/// In this order: the name itself, the name in another case, the beginning of a name, the end of a name after a
/// separator (`TH` for `pass-TH`). The first of these that fits some move must fit one alone.
pub fn read_move(who: Player, word: &str, legal: &[String]) -> Result<usize, IllegalStep> {
    if let Some(place) = legal.iter().position(|name| name == word) {
        return Ok(place);
    }
    let typed = word.to_lowercase();
    let ways: [fn(&str, &str) -> bool; 3] =
        [|name, typed| name == typed, |name, typed| name.starts_with(typed), ends_with];
    let lower: Vec<String> = legal.iter().map(|name| name.to_lowercase()).collect();
    for fits in ways {
        let places: Vec<usize> = (0..legal.len()).filter(|&i| fits(&lower[i], &typed)).collect();
        match places[..] {
            [] => {}
            [place] => return Ok(place),
            _ => {
                let candidates = places.into_iter().map(|place| legal[place].clone()).collect();
                return Err(IllegalStep::Ambiguous { player: who.0, name: shortened(word), candidates });
            }
        }
    }
    Err(IllegalStep::Action { player: who.0, name: shortened(word), legal: legal.to_vec() })
}

/// Whether a name ends with what was typed, and what is before it ends with a separator.
fn ends_with(name: &str, typed: &str) -> bool {
    let before = name.strip_suffix(typed).and_then(|before| before.chars().last());
    !typed.is_empty() && before.is_some_and(|c| !c.is_alphanumeric())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(word: &str, legal: &[&str]) -> Result<String, IllegalStep> {
        let legal: Vec<String> = legal.iter().map(|name| (*name).to_string()).collect();
        read_move(Player(0), word, &legal).map(|place| legal[place].clone())
    }

    #[test]
    fn case_beginnings_and_ends_are_enough_where_they_are_unique() {
        let hearts = ["pass-2S", "pass-TH", "pass-TC"];
        for word in ["pass-TH", "pass-th", "PASS-TH", "TH", "th"] {
            assert_eq!(read(word, &hearts).unwrap(), "pass-TH", "{word}");
        }
        assert_eq!(read("pass-2", &hearts).unwrap(), "pass-2S");
        assert_eq!(read("fo", &["call", "fold"]).unwrap(), "fold");
        assert_eq!(read("1", &["1", "10", "11"]).unwrap(), "1", "a name is never taken for a beginning");
        assert_eq!(read("a", &["A", "ab"]).unwrap(), "A");
    }

    #[test]
    fn what_may_be_several_moves_is_refused() {
        let why = read("pass-t", &["pass-2S", "pass-TH", "pass-TC"]).unwrap_err();
        assert_eq!(why.to_string(), "'pass-t' may be pass-TH or pass-TC: which one does player 0 play?");
        assert!(matches!(read("e4", &["a-e4", "b-e4"]), Err(IllegalStep::Ambiguous { .. })));
        for nonsense in ["", "x", "H", "ss-TH"] {
            let legal = ["pass-TH", "pass-TC"];
            assert!(read(nonsense, &legal).is_err(), "'{nonsense}'");
        }
    }

    #[test]
    fn suggestions_are_the_nearest_legal_moves() {
        let why = read("d1", &["1", "2", "3"]).unwrap_err();
        assert_eq!(why.to_string(), "player 0 may not play 'd1' now; legal: 1 2 3");
        let cells: Vec<String> = ('a'..='h').flat_map(|c| (1..=8).map(move |r| format!("{c}{r}"))).collect();
        let why = read_move(Player(1), "d9", &cells).unwrap_err().to_string();
        assert!(why.contains("did you mean d1, d2 or d3?") && why.contains("64 moves are legal"), "{why}");
    }
}

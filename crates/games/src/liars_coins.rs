//! Liar's coins: liar's dice reduced to heads and tails, small enough to see bluffing at work.
//!
//! Each player tosses his coins under a cup. In turn, player 0 first, they bid "at least so many heads among
//! all coins", every bid higher than the one before and the first at least 1, or call the bidder before them
//! a liar. Then all heads are counted: if the bid holds, the caller has lost, otherwise the bidder. The bid
//! of as many heads as there are coins can only be called.
//!
//! Named in D. Whitehouse, *Monte Carlo Tree Search for games with Hidden Information and Uncertainty* (2014),
//! §4.2.14, without its exact rules; these are those of ismcts 4.13. The loser pays 1, which the others share.
//! The game goes by the rules of [`crate::liars_dice`], with hands that are numbers of heads.

use fogtree_core::{About, BadSpec, Domain, Param, Params};

use crate::liars_dice::{Bid, Hand, LiarsDice};

/// What `fogtree games` says of it.
pub static ABOUT: About = About {
    name: "liars-coins",
    summary: "Rising bids on the heads among all hidden coins, or a challenge",
    source: "Whitehouse 2014, §4.2.14; ismcts 4.13",
    params: &[
        Param::new("players", "2", Domain::Integer(2, 4), "2 to 4"),
        Param::new("coins", "2", Domain::Integer(1, 9), "coins of each player, 1 to 9"),
    ],
    presets: &[],
    tiny: "players=3,coins=2",
};

/// The game a specification asks for.
pub fn from_params(params: &Params) -> Result<LiarsDice, BadSpec> {
    const HEADS: usize = 0;
    let players: u8 = params.number("players")?;
    let coins: u8 = params.number("coins")?;
    let bid = |quantity: u8| Bid { name: quantity.to_string(), quantity, face: HEADS };
    let hand = |heads: u8| Hand { name: heads.to_string(), counts: vec![heads] };
    let tosses = (0..1u32 << coins).map(|toss| hand(toss.count_ones() as u8));
    Ok(LiarsDice::new(players.into(), (1..=players * coins).map(bid).collect(), tosses, "heads"))
}

#[cfg(test)]
mod tests {
    use fogtree_core::play::Line;
    use fogtree_core::{Notation, Player, Rules, Turn};

    use super::*;

    fn game(spec: &str) -> LiarsDice {
        from_params(&ABOUT.params(&spec.parse().unwrap()).unwrap()).unwrap()
    }

    fn rewards(spec: &str, moves: &str) -> Vec<f64> {
        let game = game(spec);
        let mut line = Line::start(&game);
        line.play_words(&game, moves.split_whitespace()).unwrap();
        assert_eq!(game.turn(line.state()), Turn::Terminal, "{moves}");
        game.rewards(line.state()).as_slice().to_vec()
    }

    #[test]
    fn hands_are_binomial() {
        let game = game("liars-coins(coins=4)");
        let mut listed = Vec::new();
        game.chance(&game.start(), &mut listed);
        let named: Vec<(String, f64)> =
            listed.iter().map(|(h, p)| (game.outcome_name(h), p * 16.0)).collect();
        let expected = [("0", 1.0), ("1", 4.0), ("2", 6.0), ("3", 4.0), ("4", 1.0)];
        assert_eq!(named, expected.map(|(name, ways)| (name.to_string(), ways)));
    }

    #[test]
    fn heads_decide() {
        assert_eq!(rewards("liars-coins", "1 2 3 liar"), [1.0, -1.0]);
        assert_eq!(rewards("liars-coins", "1 2 1 4 liar"), [1.0, -1.0]);
        assert_eq!(rewards("liars-coins(players=3)", "0 1 2 1 4 liar"), [0.5, -1.0, 0.5]);
    }

    #[test]
    fn the_first_bid_is_at_least_one_and_the_last_can_only_be_called() {
        let game = game("liars-coins");
        let legal = |moves: &str| {
            let (mut line, mut actions) = (Line::start(&game), Vec::new());
            line.play_words(&game, moves.split_whitespace()).unwrap();
            game.actions(line.state(), Player(0), &mut actions);
            actions.iter().map(|&a| game.action_name(a)).collect::<Vec<_>>().join(" ")
        };
        assert_eq!(legal("0 0"), "1 2 3 4");
        assert_eq!(legal("0 0 2"), "3 4 liar");
        assert_eq!(legal("0 0 4"), "liar");
    }

    #[test]
    fn names_read_back() {
        let game = game("liars-coins(players=4,coins=9)");
        assert_eq!(game.parse_action("36").map(|a| game.action_name(a)).as_deref(), Some("36"));
        assert_eq!(game.parse_outcome("9").map(|o| game.outcome_name(&o)).as_deref(), Some("9"));
        for text in ["0", "37", "+1", "01", "", "99999999999999999999", "ß"] {
            assert_eq!(game.parse_action(text), None, "{text}");
        }
        for text in ["10", "+1", "", "ß"] {
            assert_eq!(game.parse_outcome(text), None, "{text}");
        }
    }
}

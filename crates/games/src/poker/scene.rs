//! Poker as a picture.

use fogtree_core::scene::{Cards, Entry, Scene, Spread, Table, Token, Zone};
use fogtree_core::{Observer, Player, Rules};

use super::{Action, Betting, Card, Phase, Poker, State};
use crate::cards::scene::{rank_label, rank_word};
use crate::words::{asked, counted, title, won};

impl Poker {
    /// A state as `by` sees it, without the cards that it must not show.
    pub(super) fn drawn(&self, s: &State, by: Observer) -> Scene {
        let has_card = |p: Player| match s.phase {
            Phase::Deal(to) => p < to,
            _ => true,
        };
        let hand = |p: Player| {
            let title = if by.is(p) { "Your card".to_string() } else { title(p, by) };
            self.card_zone(&format!("hand{p}"), s.hands[p.index()], has_card(p)).titled(title).of(p)
        };
        Scene::new(self.caption(s, by))
            .with(self.card_zone("board", s.board, true).titled("Public card"))
            .with(hand(Player(0)).beside())
            .with(hand(Player(1)).beside())
            .with(self.pot(s, by))
            .with(self.betting(s, by).beside())
    }

    /// A card face up, if it is known, and otherwise face down, if there is one.
    fn card_zone(&self, name: &str, card: Option<Card>, is_there: bool) -> Zone {
        let mut cards = Cards::new(Spread::Row);
        match card {
            Some(card) => cards.put("card", self.token(card)),
            None if is_there => cards.put("card", Token::back()),
            None => {}
        }
        Zone::cards(name, cards)
    }

    fn token(&self, card: Card) -> Token {
        let name = self.card_name(card);
        let letter = name.chars().next().unwrap_or('?');
        let copy = if card.copy == 0 { String::new() } else { card.copy.to_string() };
        let words = format!("{} {copy}", rank_word(letter));
        Token::card(rank_label(letter) + &copy, None).named(words.trim_end())
    }

    fn pot(&self, s: &State, by: Observer) -> Zone {
        let mut table = Table::headed(["player", "chips paid"]);
        for p in Player::all(2) {
            table.row([Entry::from(title(p, by)).of(p), s.paid[p.index()].to_string().into()]);
        }
        Zone::table("chips", table).titled(format!("Pot: {} chips", s.paid[0] + s.paid[1]))
    }

    /// The moves of both rounds: player 0 begins, and the players take turns.
    fn betting(&self, s: &State, by: Observer) -> Zone {
        let mut table = Table::headed(["round", "", ""]);
        for p in Player::all(2) {
            table.head[1 + p.index()] = title(p, by);
        }
        for (round, moves) in s.betting.iter().enumerate() {
            for (i, pair) in self.moves(*moves).chunks(2).enumerate() {
                let round = if i == 0 { (round + 1).to_string() } else { String::new() };
                let entries = pair.iter().zip([Player(0), Player(1)]);
                let entries = entries.map(|(text, p)| Entry::from(text.as_str()).of(p));
                table.row(std::iter::once(round.into()).chain(entries));
            }
        }
        Zone::table("betting", table).titled("Betting")
    }

    fn moves(&self, betting: Betting) -> Vec<String> {
        betting.codes().filter_map(|code| self.action(code)).map(|action| self.told(action)).collect()
    }

    /// What somebody does, in words.
    pub(super) fn told(&self, action: Action) -> String {
        match action {
            Action::Fold => "folds".to_string(),
            Action::Check => "checks".to_string(),
            Action::Call => "calls".to_string(),
            Action::Bet(size) => format!("bets {}", self.chips(size)),
            Action::Raise(size) => format!("raises by {}", self.chips(size)),
        }
    }

    fn caption(&self, s: &State, by: Observer) -> String {
        match s.phase {
            Phase::Deal(to) => format!("A card is to be dealt to player {to}."),
            Phase::Board => "The public card is to be turned up.".to_string(),
            Phase::Open => asked(Player(0), by, "check or bet"),
            Phase::Checked => asked(Player(1), by, "check or bet"),
            Phase::Facing { who, raises } => {
                let owed = s.paid[who.other().index()] - s.paid[who.index()];
                let raise = if raises > 0 { ", raise" } else { "" };
                asked(who, by, &format!("call {}{raise} or fold", counted(owed, "chip")))
            }
            Phase::Folded(who) => won(
                &[who.other()],
                by,
                &format!("{}, the other folded", counted(s.paid[who.index()], "chip")),
            ),
            Phase::Showdown if s.hands.contains(&None) => {
                "The game is over: who pairs the public card wins, or else the higher card.".to_string()
            }
            Phase::Showdown => {
                let rewards = self.rewards(s);
                let winners: Vec<Player> = Player::all(2).filter(|&p| rewards[p] > 0.0).collect();
                let chips = if winners.is_empty() { String::new() } else { counted(s.paid[0], "chip") };
                won(&winners, by, &chips)
            }
        }
    }
}

//! Urban Rivals as a picture.

use fogtree_core::scene::{Board, Entry, Scene, Table, Token, Zone};
use fogtree_core::{Observer, Player, Rules, Turn};

use super::{Action, Card, FURY_DAMAGE, FURY_PILLZ, State, UrbanRivals};
use crate::words::won;

impl UrbanRivals {
    pub(super) fn drawn(&self, s: &State) -> Scene {
        let over = self.turn(s) == Turn::Terminal;
        let scene = Scene::new(self.caption(s, over)).with(self.cards(s)).with(left(s).beside());
        if over { scene } else { scene.with(self.stakes_zone(s)) }
    }

    /// The number of the card, then the pillz.
    pub(super) fn touched(&self, action: Action) -> Vec<String> {
        vec![format!("cards/{}", action.card + 1), format!("stake/{}", place(action.pillz, action.fury))]
    }

    fn cards(&self, s: &State) -> Zone {
        let mut table = Table::headed(["card", "player 0", "player 1"]);
        for card in 0..self.rounds() {
            let number = (card + 1).to_string();
            let of = |p: Player| {
                let Card { power, damage } = self.cards[p.index()][card];
                let used = if s.cards[p.index()] >> card & 1 == 1 { "" } else { " (used)" };
                Entry::from(format!("power {power}, damage {damage}{used}")).of(p)
            };
            table.row([Entry::from(number.as_str()).at(number), of(Player(0)), of(Player(1))]);
        }
        Zone::table("cards", table).titled("Cards")
    }

    /// What may be staked on a card: a column for so many pillz, with and without fury.
    fn stakes_zone(&self, s: &State) -> Zone {
        let most = s.pillz[0].max(s.pillz[1]);
        let rows = 1 + usize::from(self.fury && most >= FURY_PILLZ);
        let mut board = Board::new(usize::from(most) + 1, rows, |x, y| place(x as u8, y == 1));
        for (i, cell) in board.cells.iter_mut().enumerate() {
            let (pillz, fury) = (i as u8 % (most + 1), i as u8 > most);
            if !fury || pillz + FURY_PILLZ <= most {
                cell.put(
                    Token::chip(pillz.to_string())
                        .named(format!("{pillz} pillz{}", if fury { " and fury" } else { "" })),
                );
            }
        }
        board.left = ["Plain".to_string(), "Fury".to_string()].into_iter().take(rows).collect();
        let fury = format!(" (fury: {FURY_PILLZ} pillz for {FURY_DAMAGE} more damage)");
        Zone::board("stake", board).titled(format!("Pillz to stake{}", if self.fury { &fury } else { "" }))
    }

    fn caption(&self, s: &State, over: bool) -> String {
        if over {
            let [first, second] = s.life;
            let best = first.max(second);
            let winners = Player::all(2).filter(|p| first != second && s.life[p.index()] == best);
            let how = format!("with {best} : {} life", first.min(second));
            return won(&winners.collect::<Vec<_>>(), Observer::Public, &how);
        }
        format!(
            "Round {} of {}: both choose a card and the pillz to stake on it, at the same time. The attack is the power \
             times one more than the pillz, and the higher attack deals its damage. A tie goes to the weaker card, \
             then to player {}.",
            self.round(s) + 1,
            self.rounds(),
            self.round(s) % 2
        )
    }
}

fn place(pillz: u8, fury: bool) -> String {
    format!("{pillz}{}", if fury { "-fury" } else { "" })
}

fn left(s: &State) -> Zone {
    let mut table = Table::headed(["player", "life", "pillz"]);
    for p in Player::all(2) {
        let [life, pillz] = [s.life, s.pillz].map(|of| of[p.index()].to_string().into());
        table.row([Entry::from(format!("Player {p}")).of(p), life, pillz]);
    }
    Zone::table("left", table)
}

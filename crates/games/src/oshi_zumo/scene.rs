//! Oshi-zumo as a picture.

use fogtree_core::scene::{Board, Entry, Ground, Look, Scene, Table, Token, Zone};
use fogtree_core::{Observer, Player};

use super::{Bid, OshiZumo, State};
use crate::words::won;

impl OshiZumo {
    pub(super) fn drawn(&self, s: &State) -> Scene {
        let over = self.is_over(s);
        let scene = Scene::new(self.caption(s, over)).with(self.ring(s)).with(coins(s).beside());
        if over { scene } else { scene.with(self.bids(s)) }
    }

    pub(super) fn touched(&self, bid: Bid) -> Vec<String> {
        vec![format!("bid/{}", bid.0)]
    }

    /// The cells from player 0's end to player 1's, with the places behind both.
    fn ring(&self, s: &State) -> Zone {
        let end = self.size + 1;
        let mut board = Board::track((-end..=end).map(|at| at.to_string()));
        for (cell, at) in board.cells.iter_mut().zip(-end..=end) {
            if at != 0 {
                cell.owned(Player(u8::from(at > 0)));
            }
            if at.abs() == end {
                cell.made_of(Ground::Wall);
            }
            if at == s.wrestler {
                cell.put(Token::new(Look::Figure).labelled("W").named("the wrestler"));
            }
        }
        Zone::board("ring", board).titled("Player 0 on the left, player 1 on the right")
    }

    /// Every bid that somebody may make.
    fn bids(&self, s: &State) -> Zone {
        let ranges = s.coins.map(|coins| self.range(coins));
        let (low, high) = (ranges[0].0.min(ranges[1].0), ranges[0].1.max(ranges[1].1));
        let bids = usize::from(high - low) + 1;
        let columns = bids.min(if bids <= 60 { 10 } else { 25 });
        let name = |i: usize| (usize::from(low) + i).to_string();
        let mut board = Board::new(columns, bids.div_ceil(columns), |x, y| name(y * columns + x));
        for (i, cell) in board.cells.iter_mut().enumerate() {
            match i < bids {
                true => cell.put(Token::chip(name(i)).named(format!("bid {}", name(i)))),
                false => cell.made_of(Ground::None),
            };
        }
        Zone::board("bid", board).titled("Bids")
    }

    fn caption(&self, s: &State, over: bool) -> String {
        match (over, s.ahead()) {
            (false, _) => {
                "Both players bid coins at the same time and pay them. The higher bid pushes the wrestler \
                           one cell towards the other's end."
                    .to_string()
            }
            (true, None) => won(&[], Observer::Public, "with the wrestler in the middle"),
            (true, Some(winner)) if s.wrestler.abs() > self.size => {
                won(&[winner], Observer::Public, "by pushing the wrestler off the board")
            }
            (true, Some(winner)) => won(&[winner], Observer::Public, "with the wrestler in the other's half"),
        }
    }
}

fn coins(s: &State) -> Zone {
    let mut table = Table::headed(["player", "coins"]);
    for p in Player::all(2) {
        table.row([Entry::from(format!("Player {p}")).of(p), s.coins[p.index()].to_string().into()]);
    }
    Zone::table("coins", table)
}

//! Mini Dou Di Zhu as a picture.

use fogtree_core::scene::{Scene, Spread, Zone};
use fogtree_core::{Observer, Player};

use super::{Action, Info, LETTERS, MiniDouDiZhu, State};
use crate::ranks::Cards;
use crate::ranks::scene::{Shown, in_hand, laid, undealt};
use crate::words::{asked, counted, name, won};

/// What is drawn.
pub(super) struct Seen {
    pub(super) by: Observer,
    pub(super) hands: [Option<Cards>; 2],
    pub(super) left: [u8; 2],
    pub(super) played: [Cards; 2],
    pub(super) mover: Player,
    pub(super) top: Action,
    pub(super) dealt: bool,
}

impl Seen {
    /// Everything.
    pub(super) fn whole(s: &State) -> Seen {
        Seen {
            by: Observer::Public,
            hands: s.hands.map(Some),
            left: s.hands.map(|hand| hand.len() as u8),
            played: s.played,
            mover: s.mover,
            top: s.top,
            dealt: s.dealt,
        }
    }

    /// What somebody knows.
    pub(super) fn known(k: &Info) -> Seen {
        let hand = |p: u8| k.by.is(Player(p)).then_some(k.hand);
        Seen {
            by: k.by,
            hands: [hand(0), hand(1)],
            left: k.left,
            played: k.played,
            mover: k.mover,
            top: k.top,
            dealt: k.dealt,
        }
    }
}

impl MiniDouDiZhu {
    pub(super) fn drawn(&self, seen: &Seen) -> Scene {
        if !seen.dealt {
            let caption = format!("{} each are to be dealt.", counted(self.hand, "card"));
            return Scene::new(caption).with(undealt(self.deck));
        }
        let by = seen.by;
        let shown = Shown {
            letters: LETTERS,
            deck: self.deck,
            by,
            hands: seen.hands.to_vec(),
            left: seen.left.to_vec(),
            played: seen.played[0].with(seen.played[1]),
        };
        let title = match seen.top {
            Action::PASS => "On the table".to_string(),
            _ => format!("On the table, played by {}", name(seen.mover.other(), by)),
        };
        let top = Zone::cards("top", laid(seen.top.cards(), LETTERS, Spread::Row)).titled(title);
        let aside = if seen.hands.iter().all(Option::is_some) { "laid aside" } else { "not seen yet" };
        let scene = Scene::new(self.caption(seen)).with(top);
        let hands = shown.hands(|_| String::new()).into_iter();
        hands.fold(scene, Scene::with).with(shown.counts(aside))
    }

    fn caption(&self, seen: &Seen) -> String {
        if let Some(winner) = Player::all(2).find(|p| seen.left[p.index()] == 0) {
            return won(&[winner], seen.by, "with no cards left");
        }
        let what = match (seen.top, seen.top.count()) {
            (Action::PASS, _) => "lead one or more cards of one rank".to_string(),
            (_, 1) => "play a higher card, or pass".to_string(),
            (_, count) => format!("play {count} cards of a higher rank, or pass"),
        };
        asked(seen.mover, seen.by, &what)
    }

    pub(super) fn touched(&self, by: Observer, action: Action) -> Vec<String> {
        match by {
            Observer::Seat(p) if !action.is_pass() => {
                vec![in_hand(p, LETTERS, action.rank(), action.count())]
            }
            _ => Vec::new(),
        }
    }
}

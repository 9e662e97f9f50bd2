//! Kuhn poker as a picture.

use fogtree_core::scene::{Cards, Entry, Scene, Spread, Table, Token, Zone};
use fogtree_core::{Observer, Player};

use super::{Betting, CARDS, Info, KuhnPoker, State};
use crate::cards::scene::rank_token;
use crate::words::{asked, capital, counted, does, title, won};

/// What is drawn.
pub(super) struct Seen {
    by: Observer,
    /// The cards, as far as they are known.
    cards: [Option<u8>; 2],
    dealt: u8,
    betting: Betting,
}

impl Seen {
    /// Everything.
    pub(super) fn whole(s: &State) -> Seen {
        let dealt = s.cards.iter().flatten().count() as u8;
        Seen { by: Observer::Public, cards: s.cards, dealt, betting: s.betting }
    }

    /// What somebody knows.
    pub(super) fn known(k: &Info) -> Seen {
        let card = |p: u8| k.card.filter(|_| k.by.is(Player(p)));
        Seen { by: k.by, cards: [card(0), card(1)], dealt: k.dealt, betting: k.betting }
    }

    /// Who wins, if that can be told: the king wins and the jack loses whatever the other has.
    fn winner(&self) -> Option<Player> {
        let first = match (self.betting, self.cards) {
            (Betting::Folded(who), _) => who == Player(1),
            (_, [Some(first), Some(second)]) => first > second,
            (_, [Some(card @ (0 | 2)), None]) => card == 2,
            (_, [None, Some(card @ (0 | 2))]) => card == 0,
            _ => return None,
        };
        Some(Player(u8::from(!first)))
    }
}

impl KuhnPoker {
    pub(super) fn drawn(&self, seen: &Seen) -> Scene {
        let hand = |p: Player| {
            let mut cards = Cards::new(Spread::Row);
            match seen.cards[p.index()] {
                Some(card) => cards.put("card", rank_token(letter(card))),
                None if seen.dealt > p.0 => cards.put("card", Token::back()),
                None => {}
            }
            let title = if seen.by.is(p) { "Your card".to_string() } else { title(p, seen.by) };
            Zone::cards(format!("hand{p}"), cards).titled(title).of(p)
        };
        let scene = Scene::new(caption(seen)).with(hand(Player(0))).with(hand(Player(1)).beside());
        scene.with(Zone::table("bets", bets(seen)).titled("Betting").beside())
    }
}

fn letter(card: u8) -> char {
    CARDS[usize::from(card)].chars().next().unwrap_or('?')
}

fn bets(seen: &Seen) -> Table {
    let (paid, did) = match seen.betting {
        Betting::Open => ([1, 1], ["", ""]),
        Betting::Checked => ([1, 1], ["checked", ""]),
        Betting::Bet(Player(0)) => ([2, 1], ["bet", ""]),
        Betting::Bet(_) => ([1, 2], ["checked", "bet"]),
        Betting::Showdown(stake) => ([stake; 2], ["stayed in"; 2]),
        Betting::Folded(Player(0)) => ([1, 2], ["folded", "bet"]),
        Betting::Folded(_) => ([2, 1], ["bet", "folded"]),
    };
    let mut table = Table::headed(["player", "chips in the pot", "last move"]);
    for p in Player::all(2) {
        let who = Entry::from(title(p, seen.by)).of(p);
        table.row([who, paid[p.index()].to_string().into(), did[p.index()].into()]);
    }
    table
}

fn caption(seen: &Seen) -> String {
    let by = seen.by;
    match seen.betting {
        _ if seen.dealt < 2 => format!("A card is to be dealt to player {}.", seen.dealt),
        Betting::Open => asked(Player(0), by, "check, or bet 1 chip"),
        Betting::Checked => asked(Player(1), by, "check and show, or bet 1 chip"),
        Betting::Bet(bettor) => asked(bettor.other(), by, "call the bet of 1 chip, or fold"),
        Betting::Folded(who) => {
            format!("{}. {}", capital(&does(who, by, "folds")), won(&[who.other()], by, "1 chip"))
        }
        Betting::Showdown(stake) => match seen.winner() {
            Some(winner) => won(&[winner], by, &counted(stake, "chip")),
            None => format!("The game is over: the higher card wins {}.", counted(stake, "chip")),
        },
    }
}

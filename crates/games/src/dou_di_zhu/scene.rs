//! Dou Di Zhu as a picture.

use fogtree_core::scene::{Cards, Scene, Spread, Token, Zone};
use fogtree_core::{Observer, Player};

use super::{Action, DouDiZhu, Group, Info, Kickers, LETTERS, PLAYERS, Phase, State};
use crate::cards::scene::rank_word;
use crate::ranks;
use crate::ranks::scene::{Shown, in_hand, laid, undealt};
use crate::words::{asked, counted, name, won};

/// What is drawn: what somebody knows, or everything, with all hands.
pub(super) struct Seen {
    pub(super) info: Info,
    pub(super) hands: [Option<ranks::Cards>; PLAYERS],
    /// The cards that the landlord gets more, if they may be seen.
    pub(super) extra: ranks::Cards,
}

impl Seen {
    /// Everything, with what the public knows of it.
    pub(super) fn whole(s: &State, public: Info) -> Seen {
        Seen { info: public, hands: s.hands.map(Some), extra: s.extra }
    }

    /// What somebody knows.
    pub(super) fn known(k: &Info) -> Seen {
        let hand = |p: u8| k.by.is(Player(p)).then_some(k.hand);
        Seen { info: *k, hands: [hand(0), hand(1), hand(2)], extra: k.extra }
    }
}

impl DouDiZhu {
    pub(super) fn drawn(&self, seen: &Seen) -> Scene {
        let k = &seen.info;
        if k.phase == Phase::Deal {
            return Scene::new("The cards are to be dealt.").with(undealt(self.deck));
        }
        let is_bidding = matches!(k.phase, Phase::Bidding(..));
        let shown = Shown {
            letters: LETTERS,
            deck: self.deck,
            by: k.by,
            hands: seen.hands.to_vec(),
            left: k.left.to_vec(),
            played: k.played.iter().fold(ranks::Cards::NONE, |all, &cards| all.with(cards)),
        };
        let mut scene = Scene::new(self.caption(k));
        if !is_bidding {
            scene = scene.with(self.top(k));
        }
        let extra = match is_bidding && seen.extra.is_empty() {
            true => Cards::backs(Spread::Row, self.extra as usize),
            false => laid(seen.extra, LETTERS, Spread::Row),
        };
        if !extra.cards.is_empty() {
            let title = if is_bidding { "For the landlord" } else { "The landlord took" };
            scene = scene.with(Zone::cards("extra", extra).titled(title).beside());
        }
        let role = |p: Player| match (is_bidding, p == k.landlord) {
            (true, _) => String::new(),
            (false, true) => ", landlord".to_string(),
            (false, false) => ", peasant".to_string(),
        };
        let rest = if seen.hands.iter().all(Option::is_some) { "face down" } else { "not seen yet" };
        shown.hands(role).into_iter().fold(scene, Scene::with).with(shown.counts(rest))
    }

    /// The group on the table.
    fn top(&self, k: &Info) -> Zone {
        let mut cards = laid(k.top.cards(), LETTERS, Spread::Row);
        let (kickers, what) = match k.top.class().kickers {
            _ if k.top == Group::NONE => (0, ""),
            Kickers::None => (0, ""),
            Kickers::Solos(n) => (n, "any single card"),
            Kickers::Pairs(n) => (2 * n, "any pair"),
        };
        for i in 1..=kickers {
            cards.put(format!("kicker{i}"), Token::unknown().named(what));
        }
        // Who answers has those between behind it.
        let back = if k.phase == Phase::Play { 1 + u32::from(k.passes) } else { 0 };
        let by = Player(((u32::from(k.mover.0) + 2 * back) % PLAYERS as u32) as u8);
        let title = match k.top {
            Group::NONE => "On the table".to_string(),
            _ => format!("On the table, played by {}", name(by, k.by)),
        };
        Zone::cards("top", cards).titled(title)
    }

    fn caption(&self, k: &Info) -> String {
        let me = k.by;
        match k.phase {
            Phase::Deal => String::new(),
            Phase::Bidding(0, _) => {
                format!("{} The highest bidder is landlord.", asked(k.mover, me, "bid 1 to 3, or pass"))
            }
            Phase::Bidding(bid, by) => {
                asked(k.mover, me, &format!("bid more than the {bid} of {}, or pass", name(by, me)))
            }
            Phase::Play if k.top == Group::NONE => asked(k.mover, me, "lead any group of cards"),
            Phase::Play => asked(k.mover, me, &format!("beat {}, or pass", described(k.top))),
            Phase::Kickers => {
                let what = match k.top.class().kickers {
                    Kickers::Pairs(n) => counted(n, "pair"),
                    Kickers::Solos(n) => counted(n, "single card"),
                    Kickers::None => String::new(),
                };
                asked(k.mover, me, &format!("choose {what} to go with the group"))
            }
            Phase::Over => {
                let landlord_won = k.mover == k.landlord;
                let side = |p: &Player| (*p == k.landlord) == landlord_won;
                let winners: Vec<Player> = Player::all(PLAYERS).filter(side).collect();
                let how = if landlord_won { "as landlord" } else { "as peasants" };
                won(&winners, me, how)
            }
        }
    }

    /// The last card of a group by its number, or all kickers. Where several kinds of groups may be led, runs and groups
    /// with kickers are chosen from a list.
    pub(super) fn touched(&self, k: &Info, action: Action) -> Vec<String> {
        let Observer::Seat(p) = k.by else { return Vec::new() };
        let spot = |rank: u32, count: u32| in_hand(p, LETTERS, rank, count);
        match action {
            Action::Play(group) => {
                let class = group.class();
                let rank = group.cards().at_least(1).trailing_zeros() / 4;
                let is_plain = class.length == 1 && class.kickers == Kickers::None;
                let answers = k.top != Group::NONE && class.width < 4 && group.is_like(k.top);
                if is_plain || answers { vec![spot(rank, class.width)] } else { Vec::new() }
            }
            Action::Solos(_) | Action::Pairs(_) if k.top.kickers() <= 3 => {
                let (cards, width) = (action.kickers(), k.top.kicker_width());
                (0..16).filter(|&rank| cards.count(rank) > 0).map(|rank| spot(rank, width)).collect()
            }
            _ => Vec::new(),
        }
    }
}

/// A group in words.
fn described(group: Group) -> String {
    let class = group.class();
    let letter = |n: u32| {
        let rank = group.cards().at_least(1).trailing_zeros() / 4 + n;
        LETTERS.chars().nth(rank as usize).unwrap_or('?')
    };
    let kind = match (class.width, class.length) {
        (1, 2) => return "the nuke".to_string(),
        (1, 1) => format!("a single {}", rank_word(letter(0))),
        (2, 1) => format!("a pair of {}s", rank_word(letter(0))),
        (3, 1) => format!("three {}s", rank_word(letter(0))),
        (_, 1) => format!("four {}s", rank_word(letter(0))),
        (width, length) => {
            let kind = ["a run", "a run of pairs", "a run of trios"][width.min(3) as usize - 1];
            format!("{kind} from {} to {}", rank_word(letter(0)), rank_word(letter(length - 1)))
        }
    };
    match class.kickers {
        Kickers::None if class.width == 4 => format!("a bomb, {kind}"),
        Kickers::None => kind,
        Kickers::Solos(n) => format!("{kind} with {}", counted(n, "single card")),
        Kickers::Pairs(n) => format!("{kind} with {}", counted(n, "pair")),
    }
}

//! The tricks of trick-taking games: following suit, who takes a trick, and what a play gives away.
//!
//! [`Round`] is the cards of one round, [`TrickRules`] what the games do differently, both as masks. A
//! player follows the suit led if it can, and plays anything otherwise. The highest trump takes the trick,
//! or else the highest card of the suit led; whoever takes it leads to the next.
//!
//! Every play is open, so everybody learns from it what its player cannot hold: who does not follow has no
//! card of the suit led; who leads a card that may not be led yet has nothing else; likewise who discards a
//! card that is kept back in the opening trick. Each of these bars the player from certain cards for the
//! rest of the round, and nothing else can be concluded with certainty. So a deal of the unseen cards is
//! possible if and only if no player gets what it is barred from.

use std::ops::{Index, IndexMut};

use fogtree_core::{Observer, Player, Rng};
use serde::de::Error;
use serde::{Deserialize, Deserializer, Serialize, Serializer};

use super::{Card, Cards, Dealer, Place, each_deal};

/// A set of cards for each of at most `N` players.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Hands<const N: usize>([Cards; N]);

impl<const N: usize> Hands<N> {
    /// Nothing for anybody.
    pub const EMPTY: Hands<N> = Hands([Cards::NONE; N]);

    /// All cards of all hands.
    #[inline]
    pub fn together(&self) -> Cards {
        self.0.iter().fold(Cards::NONE, |all, &hand| all | hand)
    }

    /// Who has the card.
    #[inline]
    pub fn owner(&self, card: Card) -> Option<Player> {
        self.0.iter().position(|hand| hand.contains(card)).map(|p| Player(p as u8))
    }
}

impl<const N: usize> Index<Player> for Hands<N> {
    type Output = Cards;
    #[inline]
    fn index(&self, p: Player) -> &Cards {
        &self.0[p.index()]
    }
}

impl<const N: usize> IndexMut<Player> for Hands<N> {
    #[inline]
    fn index_mut(&mut self, p: Player) -> &mut Cards {
        &mut self.0[p.index()]
    }
}

impl<const N: usize> Serialize for Hands<N> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_seq(self.0)
    }
}

impl<'de, const N: usize> Deserialize<'de> for Hands<N> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Hands<N>, D::Error> {
        let hands = Vec::<Cards>::deserialize(deserializer)?;
        hands.try_into().map(Hands).map_err(|_| D::Error::custom(format!("expected {N} sets of cards")))
    }
}

/// The cards of one round.
///
/// As what somebody knows, it is the same without the cards that this observer has not seen.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Serialize, Deserialize)]
pub struct Round<const N: usize> {
    /// The cards each player has or has played.
    pub held: Hands<N>,
    /// The cards each player has shown not to have, apart from those it has played.
    pub barred: Hands<N>,
    /// All cards played.
    pub played: Cards,
    /// The cards of the trick that is being played.
    pub trick: Cards,
    /// Who leads to this trick.
    pub leader: Player,
}

/// What distinguishes the play of one trick-taking game from another's.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct TrickRules {
    /// How many play.
    pub players: usize,
    /// The card that must be led to the first trick, by whoever has it.
    pub opening: Option<Card>,
    /// Cards that may not be discarded on the opening card, unless there are no others.
    pub kept: Cards,
    /// Cards that may not be led, unless there are no others, ...
    pub unled: Cards,
    /// ... until one of these has been played.
    pub breaking: Cards,
}

impl TrickRules {
    /// The player after this one.
    #[inline]
    pub fn after(&self, p: Player) -> Player {
        Player(if p.index() + 1 < self.players { p.0 + 1 } else { 0 })
    }

    /// Whether cards of [`TrickRules::unled`] may be led.
    #[inline]
    pub fn is_broken(&self, played: Cards) -> bool {
        played.meets(self.breaking)
    }

    /// Whether the trick is the one of the opening card.
    #[inline]
    fn opens(&self, trick: Cards) -> bool {
        self.opening.is_some_and(|card| trick.contains(card))
    }

    /// Who plays next.
    #[inline]
    pub fn to_play<const N: usize>(&self, round: &Round<N>) -> Player {
        if round.played.is_empty()
            && let Some(card) = self.opening
        {
            return round.held.owner(card).unwrap_or(round.leader);
        }
        let seat = round.leader.index() + round.trick.len();
        Player(if seat < self.players { seat } else { seat - self.players } as u8)
    }

    /// The cards a player to play may play.
    #[inline]
    pub fn legal<const N: usize>(&self, round: &Round<N>, p: Player) -> Cards {
        let hand = round.hand(p);
        if !round.trick.is_empty() {
            let following = hand & round.led();
            return if following.is_empty() { self.discards(hand, round.trick) } else { following };
        }
        match self.opening {
            Some(card) if round.played.is_empty() => card.alone(),
            _ => self.leads(hand, round.played),
        }
    }

    #[inline]
    fn discards(&self, hand: Cards, trick: Cards) -> Cards {
        if self.opens(trick) { (hand - self.kept).or(hand) } else { hand }
    }

    #[inline]
    fn leads(&self, hand: Cards, played: Cards) -> Cards {
        if self.is_broken(played) { hand } else { (hand - self.unled).or(hand) }
    }

    /// Plays a card. If it completes the trick, answers who takes it, and leads next, and with what cards.
    #[inline]
    pub fn play<const N: usize>(
        &self,
        round: &mut Round<N>,
        p: Player,
        card: Card,
        trumps: Cards,
    ) -> Option<(Player, Cards)> {
        let led = round.led();
        let shown = &mut round.barred[p];
        if round.trick.is_empty() {
            round.leader = p;
            if self.unled.contains(card) && !self.is_broken(round.played) && self.opening != Some(card) {
                *shown |= self.unled.complement();
            }
        } else if !led.contains(card) {
            *shown |= led;
            if self.opens(round.trick) && self.kept.contains(card) {
                *shown |= self.kept.complement();
            }
        }
        round.played |= card.alone();
        round.trick |= card.alone();
        if self.after(p) != round.leader {
            return None;
        }
        let trick = std::mem::take(&mut round.trick);
        let best = (trick & trumps).or(trick & led).highest();
        round.leader = best.and_then(|card| round.held.owner(card)).unwrap_or(round.leader);
        Some((round.leader, trick))
    }

    /// Who takes the trick that this card completes, and with what cards, if it does. What an observer has seen of the
    /// round is enough to tell.
    pub fn taken<const N: usize>(
        &self,
        round: &Round<N>,
        card: Card,
        trumps: Cards,
    ) -> Option<(Player, Cards)> {
        let (mut after, p) = (*round, self.to_play(round));
        after.held[p] |= card.alone();
        self.play(&mut after, p, card, trumps)
    }

    /// Plays the rest of the round at random, showing who takes each trick and with what cards. What plays
    /// give away is not noted: nobody asks at the end of the round.
    #[inline]
    pub fn play_out<const N: usize>(
        &self,
        round: &mut Round<N>,
        trumps: Cards,
        rng: &mut Rng,
        mut taken: impl FnMut(Player, Cards),
    ) {
        let mut hands = round.held;
        for hand in &mut hands.0 {
            *hand -= round.played;
        }
        let mut p = self.to_play(round);
        let (mut trick, mut leader, mut played) = (round.trick, round.leader, round.played);
        let mut led = if trick.is_empty() { Cards::NONE } else { round.led() };
        let mut best = trick & trumps;
        best = best.or(trick & led).highest().map_or(Cards::NONE, Card::alone);
        let mut best_by = best.lowest().and_then(|card| round.held.owner(card)).unwrap_or(leader);
        loop {
            if trick.is_empty() {
                if hands[p].is_empty() {
                    break;
                }
                leader = p;
                let leads = match self.opening {
                    Some(card) if played.is_empty() => card.alone(),
                    _ => self.leads(hands[p], played),
                };
                let card = leads.random(rng);
                hands[p] -= card.alone();
                trick = card.alone();
                led = card.suit().cards();
                (best, best_by) = (trick, p);
                p = self.after(p);
            }
            let discards_kept = self.opens(trick);
            while p != leader {
                let hand = hands[p];
                let mut legal = hand & led;
                if legal.is_empty() {
                    legal = if discards_kept { (hand - self.kept).or(hand) } else { hand };
                }
                let card = legal.random(rng).alone();
                hands[p] = hand - card;
                trick |= card;
                let suit = if best.meets(trumps) { trumps } else { led | trumps };
                let beats = card.meets(suit) && (card > best || card.meets(trumps) && !best.meets(trumps));
                if beats {
                    (best, best_by) = (card, p);
                }
                p = self.after(p);
            }
            played |= trick;
            taken(best_by, trick);
            trick = Cards::NONE;
            p = best_by;
        }
        round.played = played;
        round.trick = trick;
        round.leader = p;
    }
}

impl<const N: usize> Round<N> {
    /// A round in which nothing is dealt yet.
    pub const EMPTY: Round<N> = Round {
        held: Hands::EMPTY,
        barred: Hands::EMPTY,
        played: Cards::NONE,
        trick: Cards::NONE,
        leader: Player(0),
    };

    /// The cards in a player's hand.
    #[inline]
    pub fn hand(&self, p: Player) -> Cards {
        self.held[p] - self.played
    }

    /// The cards of the suit that was led to this trick; all cards if none was.
    #[inline]
    pub fn led(&self) -> Cards {
        (self.held[self.leader] & self.trick).lowest().map_or(Cards::ALL, |card| card.suit().cards())
    }

    /// What an observer sees of this round if it knows its own hand and what was played.
    pub fn seen_by(&self, by: Observer) -> Round<N> {
        let mut seen = *self;
        for (p, hand) in seen.held.0.iter_mut().enumerate() {
            if !by.is(Player(p as u8)) {
                *hand &= self.played;
            }
        }
        seen
    }

    /// Prepares to deal the cards that are missing in what is known of a round: each of `players` has or had
    /// `size` cards, the cards that remain are in a stock.
    pub fn dealer(&self, deck: Cards, players: usize, size: usize) -> Option<Dealer> {
        let unseen = deck - self.held.together();
        let mut places = self.places(players, size);
        let dealt: usize = places.iter().map(|place| place.size).sum();
        places.push(Place::of(unseen.len().checked_sub(dealt)?));
        Dealer::new(unseen, &places)
    }

    /// Where the missing cards of the players are.
    fn places(&self, players: usize, size: usize) -> Vec<Place> {
        let missing = |p: Player| size.saturating_sub(self.held[p].len());
        Player::all(players).map(|p| Place { size: missing(p), barred: self.barred[p] }).collect()
    }

    /// Shows every round that [`Round::dealer`] may complete this one to.
    pub fn each_completion(&self, deck: Cards, players: usize, size: usize, mut with: impl FnMut(Round<N>)) {
        let unseen = deck - self.held.together();
        each_deal(unseen, &self.places(players, size), &mut |deal| {
            let mut round = *self;
            for (p, &cards) in Player::all(players).zip(deal.hands()) {
                round.held[p] |= cards;
            }
            with(round);
        });
    }

    /// Deals the missing cards.
    #[inline]
    pub fn complete(&mut self, players: usize, dealer: &Dealer, rng: &mut Rng) {
        let mut places = [Cards::NONE; super::MOST_HANDS];
        dealer.deal(rng, &mut places);
        for (p, &cards) in places[..players].iter().enumerate() {
            self.held.0[p] |= cards;
        }
    }

    /// The cards of the current trick in the order they were played.
    pub fn in_order(&self, players: usize) -> impl Iterator<Item = (Player, Card)> + '_ {
        let seats = (0..players).map(move |i| Player(((self.leader.index() + i) % players) as u8));
        seats.filter_map(|p| Some((p, (self.held[p] & self.trick).lowest()?)))
    }
}

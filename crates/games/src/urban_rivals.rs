//! Urban Rivals, simplified: four fights in which both secretly stake pillz on a card.
//!
//! Each player has cards with a power and a damage, open to both, some life and a store of pillz. In each round
//! both choose at the same time a card not used yet and how many pillz to stake on it; a card attacks with
//! its power times one more than its pillz. The stronger attack deals the card's damage, the weaker one
//! nothing. For three more pillz a card may go into fury, which adds two to its damage. Equal attacks are
//! decided for the card with less power and damage together, then for the player who is first in the
//! round, player 0 in the first, player 1 in the next, and so on. Who has no life left has lost; after the last
//! round who has more life wins.
//!
//! Rules: the online game by Boostr (2006) without clans, bonuses and abilities; Whitehouse 2014, §4.2.14, names it
//! only. O. Teytaud and S. Flory, *Upper Confidence Trees with Short Term Partial Information* (2011), play it
//! with simultaneous choices, as here: the pillz are what one must not be able to guess.

use fogtree_core::{
    About, BadSpec, Domain, Facts, FastPlay, Notation, Observation, Observer, Param, Params,
    PerfectInformation, Player, Players, Purpose, Rewards, Rng, Rules, Scene, Scratch, Seed, Step, Tensors,
    Turn, Witnessed,
};
use serde::{Deserialize, Serialize};

use crate::reward::Reward;
use crate::words::{does, joined, name};

mod scene;
mod tensors;

/// What `fogtree games` says of it.
pub static ABOUT: About = About {
    name: "urban-rivals",
    summary: "Four fights between open cards on which both secretly stake pillz at the same time",
    source: "Boostr 2006; Teytaud and Flory 2011; ismcts 4.13",
    params: &[
        Param::new(
            "cards",
            "4",
            Domain::Integer(1, MOST_CARDS as i128),
            "cards of each player, one for each round, 1 to 8",
        ),
        Param::new("life", "12", Domain::Integer(1, 99), "life of each player, 1 to 99"),
        Param::new("pillz", "12", Domain::Integer(0, 30), "pillz of each player, 0 to 30"),
        Param::new("fury", "yes", Domain::Flag, "whether 3 pillz buy 2 more damage: yes or no"),
        Param::new(
            "seed",
            "1",
            Domain::Integer(0, u32::MAX as i128),
            "which random cards are dealt, 0 to 4294967295",
        ),
        Param::new("first", "random", Domain::Text, "cards of player 0, as in [8:3,6:5,5:6,7:4]"),
        Param::new("second", "random", Domain::Text, "cards of player 1, power and damage"),
        Reward::PARAM,
    ],
    presets: &[],
    tiny: "cards=2,life=6,pillz=3",
};

const MOST_CARDS: usize = 8;
const FURY_PILLZ: u8 = 3;
const FURY_DAMAGE: u8 = 2;

/// A card.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
struct Card {
    power: u8,
    damage: u8,
}

/// The rules of one instance, with the cards of both players.
#[derive(Clone, Debug)]
pub struct UrbanRivals {
    cards: [Vec<Card>; 2],
    life: u8,
    pillz: u8,
    fury: bool,
    reward: Reward,
}

impl UrbanRivals {
    /// The game a specification asks for.
    pub fn from_params(params: &Params) -> Result<UrbanRivals, BadSpec> {
        let number = params.number("cards")?;
        let seed = Seed(params.number("seed")?).named("urban-rivals");
        let cards = |key: &str, seat: u64| match params.text(key) {
            "random" => Ok(random_cards(number, &mut seed.number(seat).stream(Purpose::Deal))),
            _ => read_cards(params, key, number),
        };
        Ok(UrbanRivals {
            cards: [cards("first", 0)?, cards("second", 1)?],
            life: params.number("life")?,
            pillz: params.number("pillz")?,
            fury: params.flag("fury")?,
            reward: Reward::from_params(params)?,
        })
    }
}

/// Cards of about equal worth: the more power, the less damage.
fn random_cards(number: usize, rng: &mut Rng) -> Vec<Card> {
    let card = |_| {
        let power = 3 + rng.below(6) as u8;
        Card { power, damage: (10 - power + rng.below(3) as u8).clamp(1, 8) }
    };
    (0..number).map(card).collect()
}

fn read_cards(params: &Params, key: &str, number: usize) -> Result<Vec<Card>, BadSpec> {
    let bad = || params.bad(key, format!("random, or {number} cards such as [8:3,6:5], each number 1 to 20"));
    let card = |text: &String| {
        let (power, damage) = text.split_once(':')?;
        let number = |text: &str| text.trim().parse().ok().filter(|n| (1..=20).contains(n));
        Some(Card { power: number(power)?, damage: number(damage)? })
    };
    let texts: Vec<String> = params.list(key).map_err(|_| bad())?;
    let cards: Option<Vec<Card>> = texts.iter().map(card).collect();
    cards.filter(|cards| cards.len() == number).ok_or_else(bad)
}

/// What a player chooses for a round.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Serialize, Deserialize)]
pub struct Action {
    card: u8,
    pillz: u8,
    fury: bool,
}

impl Action {
    fn cost(self) -> u8 {
        self.pillz + if self.fury { FURY_PILLZ } else { 0 }
    }
}

/// What both have left.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Serialize, Deserialize)]
pub struct State {
    life: [u8; 2],
    pillz: [u8; 2],
    /// The cards not used yet, one bit each.
    cards: [u8; 2],
}

impl UrbanRivals {
    fn rounds(&self) -> usize {
        self.cards[0].len()
    }

    fn round(&self, s: &State) -> usize {
        self.rounds() - s.cards[0].count_ones() as usize
    }

    /// Who wins a round.
    #[inline]
    fn winner(&self, s: &State, chosen: [Action; 2]) -> usize {
        let cards = [0, 1].map(|p| self.cards[p][chosen[p].card as usize]);
        let attack = [0, 1].map(|p| self.attack(p, chosen[p]));
        let worth = cards.map(|card| card.power + card.damage);
        let first = self.round(s) % 2;
        let second = 1 - first;
        // The second player needs more attack, or as much with a weaker card.
        let ahead = (attack[second], worth[first]) > (attack[first], worth[second]);
        if ahead { second } else { first }
    }

    #[inline]
    fn attack(&self, seat: usize, action: Action) -> u16 {
        u16::from(self.cards[seat][action.card as usize].power) * (u16::from(action.pillz) + 1)
    }

    /// What a choice takes from the other's life if it wins the round.
    #[inline]
    fn damage(&self, seat: usize, action: Action) -> u8 {
        self.cards[seat][action.card as usize].damage + if action.fury { FURY_DAMAGE } else { 0 }
    }

    /// The number of actions with every card, for so many pillz.
    #[inline]
    fn stakes(&self, pillz: u8) -> u32 {
        u32::from(pillz) + 1 + if self.fury { u32::from((pillz + 1).saturating_sub(FURY_PILLZ)) } else { 0 }
    }
}

impl Rules for UrbanRivals {
    type State = State;
    type Action = Action;
    type Outcome = std::convert::Infallible;

    fn facts(&self) -> Facts {
        Facts {
            simultaneous: true,
            utility: self.reward.utility(),
            utility_bounds: self.reward.range(),
            ..Facts::open(2, self.rounds() as u32)
        }
    }

    fn start(&self) -> State {
        let all = ((1u16 << self.rounds()) - 1) as u8;
        State { life: [self.life; 2], pillz: [self.pillz; 2], cards: [all; 2] }
    }

    #[inline]
    fn turn(&self, s: &State) -> Turn {
        let over = s.cards[0] == 0 || s.life.contains(&0);
        if over { Turn::Terminal } else { Turn::Simultaneous(Players::first(2)) }
    }

    fn actions(&self, s: &State, who: Player, out: &mut Vec<Action>) {
        let (cards, left) = (s.cards[who.index()], s.pillz[who.index()]);
        for card in (0..self.rounds() as u8).filter(|card| cards >> card & 1 == 1) {
            for pillz in 0..=left {
                out.push(Action { card, pillz, fury: false });
                if self.fury && pillz + FURY_PILLZ <= left {
                    out.push(Action { card, pillz, fury: true });
                }
            }
        }
    }

    #[inline]
    fn apply(&self, s: &mut State, step: Step<'_, Self>) {
        let &[(_, a), (_, b)] = step.moves() else { return };
        let chosen = [a, b];
        let winner = self.winner(s, chosen);
        let damage = self.damage(winner, chosen[winner]);
        s.life[1 - winner] = s.life[1 - winner].saturating_sub(damage);
        for (p, action) in chosen.into_iter().enumerate() {
            s.pillz[p] -= action.cost();
            s.cards[p] &= !(1 << action.card);
        }
    }

    fn rewards(&self, s: &State) -> Rewards {
        self.reward.of(match s.life[0].cmp(&s.life[1]) {
            std::cmp::Ordering::Greater => Some(Player(0)),
            std::cmp::Ordering::Less => Some(Player(1)),
            std::cmp::Ordering::Equal => None,
        })
    }

    #[inline]
    fn observe(&self, _before: &State, step: Step<'_, Self>, by: Observer) -> Option<Observation> {
        let code = |p: u8| step.action_of(Player(p)).map_or(0, |action| self.code(action));
        Some(match by.seat() {
            Some(p) => Observation::word(code(p.other().0)),
            None => Observation::words(&[code(0), code(1)]),
        })
    }

    #[inline]
    fn code(&self, action: Action) -> u64 {
        let stakes = 2 * (u64::from(self.pillz) + 1);
        u64::from(action.card) * stakes + 2 * u64::from(action.pillz) + u64::from(action.fury)
    }
}

impl Notation for UrbanRivals {
    /// The number of the card and the pillz, `2+5`; with fury `2+5!`.
    fn action_name(&self, action: Action) -> String {
        format!("{}+{}{}", action.card + 1, action.pillz, if action.fury { "!" } else { "" })
    }

    fn parse_action(&self, name: &str) -> Option<Action> {
        let codes = 0..self.codes()? as u64;
        codes.map(|code| self.decode(code)).find(|&action| self.action_name(action) == name)
    }

    fn explain(&self, seen: &Observation, by: Observer) -> String {
        let name = |&word: &u64| match self.codes() {
            Some(codes) if word < codes as u64 => self.action_name(self.decode(word)),
            _ => "?".to_string(),
        };
        let names: Vec<String> = seen.as_words().iter().map(name).collect();
        match by {
            Observer::Seat(_) => format!("the other plays {}", names.join(" and ")),
            Observer::Public => format!("the players choose {}", names.join(" and ")),
        }
    }

    fn scene_of(&self, s: &State) -> Scene {
        self.drawn(s)
    }
}

impl FastPlay for UrbanRivals {
    const DECODES: bool = true;

    #[inline]
    fn decode(&self, code: u64) -> Action {
        let stakes = 2 * (u64::from(self.pillz) + 1);
        let (card, stake) = ((code / stakes) as u8, code % stakes);
        Action { card, pillz: (stake / 2) as u8, fury: stake % 2 == 1 }
    }

    #[inline]
    fn random_action(&self, s: &State, who: Player, rng: &mut Rng, _scratch: &mut Scratch<Self>) -> Action {
        let left = s.pillz[who.index()];
        let card = rng.bit_of(u64::from(s.cards[who.index()])) as u8;
        let stake = rng.below(self.stakes(left)) as u8;
        let fury = stake > left;
        Action { card, pillz: if fury { stake - left - 1 } else { stake }, fury }
    }

    fn codes(&self) -> Option<usize> {
        Some(self.rounds() * 2 * (usize::from(self.pillz) + 1))
    }
}

impl UrbanRivals {
    fn decode(&self, code: u64) -> Action {
        let stakes = 2 * (u64::from(self.pillz) + 1);
        let stake = code % stakes;
        Action { card: (code / stakes) as u8, pillz: (stake / 2) as u8, fury: stake % 2 == 1 }
    }
}

impl PerfectInformation for UrbanRivals {
    fn tell(&self, step: Witnessed<'_, Action, State>) -> Option<String> {
        let seen = step.seen.map_or(&[][..], Observation::as_words);
        let chosen = match (step.by, step.own, seen) {
            (Observer::Seat(Player(0)), Some(own), &[other]) => [own, self.decode(other)],
            (Observer::Seat(_), Some(own), &[other]) => [self.decode(other), own],
            (Observer::Public, _, &[first, second]) => [self.decode(first), self.decode(second)],
            _ => return step.words,
        };
        let winner = self.winner(step.before, chosen);
        let attack = [winner, 1 - winner].map(|p| self.attack(p, chosen[p]));
        let wins = does(Player(winner as u8), step.by, "wins");
        let (damage, loser) = (self.damage(winner, chosen[winner]), name(Player(1 - winner as u8), step.by));
        let life = step.after.life[1 - winner];
        let result = format!(
            "{wins} the round with an attack of {} to {}; {damage} damage leaves {loser} a life of {life}",
            attack[0], attack[1]
        );
        joined([step.words, Some(result)])
    }

    fn spots(&self, _s: &State, _: Player, action: Action) -> Vec<String> {
        self.touched(action)
    }

    fn tensors(&self) -> Option<&dyn Tensors<Self>> {
        Some(self)
    }
}

#[cfg(test)]
mod tests {

    use super::*;

    fn game(params: &str) -> UrbanRivals {
        UrbanRivals::from_params(&crate::testing::params(&ABOUT, params).unwrap()).unwrap()
    }

    fn play(game: &UrbanRivals, rounds: &[[&str; 2]]) -> State {
        let mut s = game.start();
        for names in rounds {
            let mut legal = Vec::new();
            let moves = [0, 1].map(|p| {
                let action = game.parse_action(names[p]).unwrap();
                legal.clear();
                game.actions(&s, Player(p as u8), &mut legal);
                assert!(legal.contains(&action), "{}", names[p]);
                (Player(p as u8), action)
            });
            game.apply(&mut s, Step::Moves(&moves));
        }
        s
    }

    const CARDS: &str = "first=[8:2,6:4,5:5,7:3],second=[8:2,7:3,4:6,6:4]";

    /// Worked by hand: 8 x 1 against 7 x 2 loses 3 life, and so on.
    #[test]
    fn attack_is_power_times_one_more_than_the_pillz() {
        let game = game(CARDS);
        let s = play(&game, &[["1+0", "2+1"]]);
        assert_eq!(s, State { life: [9, 12], pillz: [12, 11], cards: [0b1110, 0b1101] });
        // 6 x 4 = 24 against 8 x 3 = 24: card 1 of player 1 and card 2 of player 0 are worth 10 each, and player 1
        // is first in the second round.
        let s = play(&game, &[["1+0", "2+1"], ["2+3", "1+2"]]);
        assert_eq!((s.life, s.pillz), ([7, 12], [9, 9]));
    }

    #[test]
    fn fury_costs_three_pillz_and_adds_two_damage() {
        let s = play(&game(CARDS), &[["1+1!", "3+2"]]);
        assert_eq!((s.life, s.pillz), ([12, 8], [8, 10]));
        // It is paid for in vain by who loses the round.
        let s = play(&game(CARDS), &[["1+0!", "3+2"]]);
        assert_eq!((s.life, s.pillz), ([6, 12], [9, 10]));
    }

    #[test]
    fn ties_go_to_the_weaker_card_then_to_the_first() {
        let tied = game("cards=2,first=[6:4,3:3],second=[3:5,6:4]");
        assert_eq!(play(&tied, &[["1+0", "1+1"]]).life, [7, 12], "3:5 is weaker than 6:4");
        assert_eq!(play(&tied, &[["1+0", "2+0"]]).life, [12, 8], "player 0 is first in the first round");
        assert_eq!(play(&tied, &[["2+0", "1+0"]]).life, [12, 9], "3:3 is weaker than 3:5");
        let even = game("cards=2,first=[5:2,5:2],second=[5:2,5:2]");
        assert_eq!(play(&even, &[["1+0", "1+0"], ["2+0", "2+0"]]).life, [10, 10]);
    }

    #[test]
    fn who_has_no_life_left_has_lost() {
        let game = game("life=4,first=[8:5,1:1,1:1,1:1],second=[1:1,1:1,1:1,1:1]");
        let s = play(&game, &[["1+0", "1+0"]]);
        assert_eq!((game.turn(&s), game.rewards(&s).as_slice()), (Turn::Terminal, [1.0, 0.0].as_slice()));
    }

    #[test]
    fn equal_life_after_the_last_round_is_a_draw() {
        let game = game("cards=2,first=[5:2,5:2],second=[5:2,5:2],reward=signed");
        let s = play(&game, &[["1+0", "1+0"], ["2+0", "2+0"]]);
        assert_eq!((game.turn(&s), game.rewards(&s).as_slice()), (Turn::Terminal, [0.0, 0.0].as_slice()));
    }

    #[test]
    fn cards_come_from_the_seed_alone() {
        let (a, b, c) = (game("seed=7"), game("seed=7"), game("seed=8"));
        assert_eq!(a.cards, b.cards);
        assert_ne!(a.cards, c.cards);
        for card in a.cards.iter().chain(&c.cards).flatten() {
            assert!((3..=8).contains(&card.power) && (1..=8).contains(&card.damage), "{card:?}");
        }
    }

    /// 4 cards, 13 stakes, and 10 more with fury.
    #[test]
    fn the_choices_of_the_first_round_are_counted() {
        for (params, number) in
            [("", 4 * 23), ("fury=no", 4 * 13), ("pillz=2", 4 * 3), ("pillz=3,cards=1", 5)]
        {
            let game = game(params);
            let mut legal = Vec::new();
            game.actions(&game.start(), Player(0), &mut legal);
            assert_eq!(legal.len(), number, "{params}");
        }
    }

    #[test]
    fn bad_parameters_are_refused() {
        for params in [
            "cards=0",
            "cards=9",
            "first=[1:2]",
            "first=[a,b,c,d]",
            "second=[1:0,1:1,1:1,1:1]",
            "life=0",
            "pillz=31",
        ] {
            assert!(
                UrbanRivals::from_params(&crate::testing::params(&ABOUT, params).unwrap()).is_err(),
                "{params}"
            );
        }
    }
}

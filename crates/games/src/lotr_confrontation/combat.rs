//! Combat: who fights, what the texts do, and who falls.
//!
//! The order is that of the published game: both characters are revealed; their texts, Dark's first; cards; the
//! texts of cards, Dark's first; the sums. Where texts meet in a way nobody has printed, Gimli, Merry and
//! Legolas come before the Orcs, and the Orcs before everything else of Light's.

use fogtree_core::Player;
use serde::{Deserialize, Serialize};

use super::map::{Region, Regions, count_at, regions_of};
use super::pieces::{Card, Cards, Character, DARK, LIGHT};
use super::{Action, Board, Confrontation, Event, Phase, State};

/// Somebody moved onto enemies.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Serialize, Deserialize)]
pub(super) struct Attack {
    pub(super) by: Player,
    pub(super) at: Region,
    /// The attacker, unless only its owner knows it yet.
    pub(super) with: Option<Character>,
    /// Whether nobody has been fought yet in this attack.
    pub(super) first: bool,
}

/// Two characters in combat.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Serialize, Deserialize)]
pub(super) struct Fight {
    /// Who attacks.
    pub(super) by: Player,
    pub(super) at: Region,
    pub(super) light: Character,
    pub(super) dark: Character,
    pub(super) first: bool,
    /// Whether cards will be played.
    pub(super) cards: bool,
}

/// The cards on the table, Light's and Dark's, as far as they count for anything.
pub(super) type Played = [Option<Card>; 2];

impl Fight {
    /// Whether Light's character has no text.
    fn is_silenced(&self) -> bool {
        self.dark == Character::Warg
    }

    fn of(&self, who: Player) -> Character {
        if who == LIGHT { self.light } else { self.dark }
    }

    /// The strength of either character, Light's first, and what its card adds.
    pub(super) fn sums(&self, played: Played, frodo_is_there: bool) -> [(u8, u8); 2] {
        let value = |card: Option<Card>| card.map_or(0, Card::value);
        let with_frodo = self.light == Character::Sam && frodo_is_there && !self.is_silenced();
        let cloaked = played[0] == Some(Card::ElvenCloak);
        [
            (if with_frodo { 5 } else { self.light.strength() }, value(played[0])),
            (self.dark.strength(), if cloaked { 0 } else { value(played[1]) }),
        ]
    }

    /// The cards that count for something: not Dark's for the Cave Troll, nor a text of Light's under the Eye.
    pub(super) fn counting(&self, [light, dark]: Played) -> Played {
        let dark = dark.filter(|_| self.dark != Character::CaveTroll);
        [light.filter(|card| dark != Some(Card::EyeOfSauron) || !card.is_text()), dark]
    }
}

impl Confrontation {
    /// Dark strikes in the tunnel, or lets the character pass.
    pub(super) fn leave_tunnel(&self, s: &mut State, strike: bool) {
        let c = Confrontation::in_tunnel(s);
        let at = s.board.region(c);
        if strike {
            self.reveal(s, Character::Balrog);
            self.kill(s, c);
            self.end_turn(s, LIGHT);
        } else if count_at(s.board.counts[1], at) > 0 {
            s.board.phase = Phase::Reveal(Attack { by: LIGHT, at, with: None, first: true });
        } else {
            self.end_turn(s, LIGHT);
        }
    }

    /// The attack falls on this character.
    pub(super) fn meet(&self, s: &mut State, defender: Character) {
        let Phase::Reveal(attack) = s.board.phase else { return };
        let attacker = attack.with.unwrap_or_else(|| Confrontation::in_tunnel(s));
        if attack.with.is_none() {
            self.reveal(s, attacker);
        }
        self.reveal(s, defender);
        match self.shows_frodo(&s.board, &attack, attacker, defender) {
            Some(true) => self.reveal(s, Character::Frodo),
            Some(false) => s.log.push(Event::absent(Character::Frodo, attack.at)),
            None => {}
        }
        let (light, dark) = if attack.by == LIGHT { (attacker, defender) } else { (defender, attacker) };
        let fight = Fight { by: attack.by, at: attack.at, light, dark, first: attack.first, cards: true };
        let target = match light {
            Character::Gimli => Some(Character::Orcs),
            Character::Legolas => Some(Character::FlyingNazgul),
            Character::Merry => Some(Character::WitchKing),
            _ => None,
        };
        if target == Some(dark) {
            self.fall(s, fight, &[dark]);
        } else if dark == Character::Orcs && fight.by == DARK && fight.first {
            self.fall(s, fight, &[light]);
        } else if light == Character::Boromir && !fight.is_silenced() {
            self.fall(s, fight, &[light, dark]);
        } else if dark == Character::Saruman {
            s.board.phase = Phase::Saruman(fight);
        } else {
            self.ask_light(s, fight);
        }
    }

    /// Whether Frodo is with Sam, whose strength depends on it when he is attacked: then Light has to show it.
    pub(super) fn shows_frodo(
        &self,
        b: &Board,
        attack: &Attack,
        attacker: Character,
        defender: Character,
    ) -> Option<bool> {
        let silent = attacker == Character::Warg || attacker == Character::Orcs && attack.first;
        let asked = defender == Character::Sam && !silent && count_at(b.counts[0], attack.at) > 1;
        asked.then(|| b.is_at(Character::Frodo, attack.at))
    }

    /// Light may answer with Frodo or Pippin; otherwise the fight goes on.
    pub(super) fn ask_light(&self, s: &mut State, fight: Fight) {
        let asked = match fight.light {
            Character::Frodo => fight.by == DARK,
            Character::Pippin => fight.by == LIGHT,
            _ => false,
        };
        if asked && !fight.is_silenced() {
            s.board.phase = Phase::Answer(fight);
        } else {
            self.fight_on(s, fight);
        }
    }

    /// Where Frodo or Pippin may retreat by their texts.
    pub(super) fn answer_refuge(&self, b: &Board, fight: &Fight) -> Regions {
        let at = usize::from(fight.at.0);
        let among = if fight.light == Character::Frodo { self.map.sideways[at] } else { self.map.down[at] };
        self.refuge(b, 0, among)
    }

    /// Frodo or Pippin stands, retreats, or is replaced.
    pub(super) fn light_answers(&self, s: &mut State, fight: Fight, action: Action) {
        match action {
            Action::Retreat(to) => self.withdraw(s, LIGHT, fight, to),
            Action::Replace => {
                self.reveal(s, Character::Sam);
                self.fight_on(s, Fight { light: Character::Sam, ..fight });
            }
            _ => self.fight_on(s, fight),
        }
    }

    fn fight_on(&self, s: &mut State, fight: Fight) {
        if !fight.cards {
            self.compare(s, fight, [None; 2]);
        } else if fight.light == Character::Gandalf && !fight.is_silenced() {
            s.board.phase = Phase::DarkFirst(fight);
        } else {
            s.board.phase = Phase::Cards(fight);
        }
    }

    /// The cards a player has played, apart from Magic: what Magic may become.
    pub(super) fn played(&self, b: &Board, side: usize) -> Cards {
        self.decks[side] & !b.hands[side] & !Card::Magic.bit()
    }

    /// Both cards are on the table.
    pub(super) fn show_cards(&self, s: &mut State, fight: Fight, cards: [Card; 2]) {
        for (hand, card) in s.board.hands.iter_mut().zip(cards) {
            *hand &= !card.bit();
        }
        let played = fight.counting(cards.map(Some));
        if played[1] == Some(Card::Magic) && self.played(&s.board, 1) != 0 {
            s.board.phase = Phase::Magic(DARK, fight, played);
        } else {
            self.dark_is_settled(s, fight, played);
        }
    }

    pub(super) fn use_magic(&self, s: &mut State, who: Player, fight: Fight, mut played: Played, card: Card) {
        played[who.index()] = Some(card);
        if who == DARK {
            self.dark_is_settled(s, fight, played);
        } else {
            self.use_cards(s, fight, played);
        }
    }

    fn dark_is_settled(&self, s: &mut State, fight: Fight, played: Played) {
        let played = fight.counting(played);
        if played[0] == Some(Card::Magic) && self.played(&s.board, 0) != 0 {
            s.board.phase = Phase::Magic(LIGHT, fight, played);
        } else {
            self.use_cards(s, fight, played);
        }
    }

    /// Where a card of retreat leads: Light back, Dark sideways.
    pub(super) fn card_refuge(&self, b: &Board, who: Player, fight: &Fight) -> Regions {
        let at = usize::from(fight.at.0);
        let among = if who == LIGHT { self.map.down[at] } else { self.map.sideways[at] };
        self.refuge(b, who.index(), among)
    }

    /// The texts of the cards, Dark's first; a retreat that is impossible counts for nothing.
    fn use_cards(&self, s: &mut State, fight: Fight, played: Played) {
        for who in [DARK, LIGHT] {
            if played[who.index()] != Some(Card::Retreat) {
                continue;
            }
            let refuge = self.card_refuge(&s.board, who, &fight);
            match refuge.count_ones() {
                0 => {}
                1 => {
                    let to = regions_of(refuge).next().expect("there is one");
                    return self.withdraw(s, who, fight, to);
                }
                _ => {
                    s.board.phase = Phase::Withdraw(who, fight);
                    return;
                }
            }
        }
        if played[0] == Some(Card::NobleSacrifice) {
            return self.fall(s, fight, &[fight.light, fight.dark]);
        }
        self.compare(s, fight, played);
    }

    /// The lower sum falls, or both.
    fn compare(&self, s: &mut State, fight: Fight, played: Played) {
        let [light, dark] = fight.sums(played, s.board.is_at(Character::Frodo, fight.at));
        match (light.0 + light.1).cmp(&(dark.0 + dark.1)) {
            std::cmp::Ordering::Less => self.fall(s, fight, &[fight.light]),
            std::cmp::Ordering::Equal => self.fall(s, fight, &[fight.light, fight.dark]),
            std::cmp::Ordering::Greater => self.fall(s, fight, &[fight.dark]),
        }
    }

    /// A character leaves the fight.
    pub(super) fn withdraw(&self, s: &mut State, who: Player, fight: Fight, to: Region) {
        self.move_openly(s, fight.of(who), to);
        self.after(s, fight);
    }

    /// These characters die. Shelob, if she has defeated somebody, goes home to Gondor.
    fn fall(&self, s: &mut State, fight: Fight, dead: &[Character]) {
        for &c in dead {
            self.kill(s, c);
        }
        if fight.dark == Character::Shelob && s.board.lives(Character::Shelob) {
            let lair = self.map.gondor.filter(|&r| r != fight.at);
            if let Some(lair) = lair.filter(|r| self.refuge(&s.board, 1, r.bit()) != 0) {
                self.move_openly(s, Character::Shelob, lair);
            }
        }
        self.after(s, fight);
    }

    /// What follows a fight: the end, the next defender, or the other player's turn.
    fn after(&self, s: &mut State, fight: Fight) {
        for side in 0..2 {
            if s.board.hands[side] == 0 {
                s.board.hands[side] = self.decks[side];
            }
        }
        let attacker = fight.of(fight.by);
        let more = count_at(s.board.counts[fight.by.other().index()], fight.at) > 0;
        if s.board.lives(Character::Frodo) && more && s.board.is_at(attacker, fight.at) {
            let attack = Attack { by: fight.by, at: fight.at, with: Some(attacker), first: false };
            s.board.phase = Phase::Reveal(attack);
        } else {
            self.end_turn(s, fight.by);
        }
    }
}

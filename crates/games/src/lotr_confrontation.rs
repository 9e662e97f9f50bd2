//! Lord of the Rings: The Confrontation: eighteen characters, and nobody knows which one stands where.
//!
//! Light starts in the Shire and must bring Frodo to Mordor; Dark starts in Mordor, moves first, and must kill
//! Frodo or gather characters in the Shire. Each player sees its own pieces, but of the other's only where
//! some stand. A turn moves one piece one region forward; moving onto enemies starts a combat with one of them,
//! drawn at random: both characters are revealed, both players choose a card at the same time, the stronger
//! sum survives. Every character and many cards have a text that bends these rules. Light wins when Frodo
//! enters Mordor, when no Dark character is left, or when Dark cannot move; Dark when Frodo dies, when enough
//! characters (`shire`) stand in the Shire, or when Light cannot move. It is here because it has hidden
//! pieces, partly seen moves, chance and simultaneous choices all at once.
//!
//! Rules: Whitehouse 2014, §4.2.5–4.2.6; characters, cards and map as in the published game, which the source
//! does not print. As there, pieces that share a region cannot be told apart: when one of them leaves, the
//! other player does not know which, even if it knew one of them before. `knowledge` keeps the book.

use arrayvec::ArrayVec;
use fogtree_core::{
    About, BadSpec, Chance, Domain, Episodes, Extras, Facts, FastPlay, Game, Notation, Observation, Observer,
    Param, Params, Player, Players, Rewards, Rng, Rules, Scene, Scratch, Step, Told, Turn, Witnessed,
};
use serde::{Deserialize, Serialize};

use crate::reward::Reward;

mod combat;
mod knowledge;
mod map;
mod movement;
mod pieces;
mod scene;
mod setup;
#[cfg(test)]
mod tests;
mod words;

pub use knowledge::{Event, Info, Worlds};
pub use map::{Map, Region};
pub use pieces::{Card, Character, DARK, LIGHT};
pub use setup::Placement;

use combat::{Attack, Fight, Played};
use knowledge::LONGEST_LOG;
use map::{REGIONS, Regions, count_at, nonzero, regions_of};
use pieces::{Cards, EACH, cards_of};
use setup::{Setup, characters, deck};

/// What `fogtree games` says of it.
pub static ABOUT: About = About {
    name: "lotr-confrontation",
    summary: "Lord of the Rings: The Confrontation: Light sneaks Frodo to Mordor past pieces nobody can name",
    source: "Whitehouse 2014, 4.2.5; ismcts 4.5",
    params: &[
        Param::new(
            "setup",
            "hand-made",
            Domain::Choice(&["hand-made", "open", "random", "home"]),
            "hand-made: as listed in light and dark, but each player thinks every setup of the other \
                    equally likely; open: the same, known to both; random: drawn; home: drawn with Frodo, Sam \
                    and the Balrog at home, as both know",
        ),
        Param::new(
            "light",
            "[gandalf,legolas,gimli,boromir,aragorn,frodo,sam,merry,pippin]",
            Domain::Text,
            "Light's characters: first those in front, region by region from the Shire, then those at home",
        )
        .known_only_to(LIGHT, Told::ItemsUnless("setup", "open")),
        Param::new(
            "dark",
            "[orcs,cave-troll,warg,saruman,shelob,balrog,witch-king,black-rider,flying-nazgul]",
            Domain::Text,
            "Dark's characters, likewise: those in front from the mountains on, then those at home",
        )
        .known_only_to(DARK, Told::ItemsUnless("setup", "open")),
        Param::new(
            "shire",
            "4",
            Domain::Integer(1, 4),
            "characters in the Shire with which Dark wins, 1 to 4",
        ),
        Param::new("size", "4", Domain::Integer(2, 4), "regions along a side of the board: 2, 3 or 4"),
        Param::new("light-cards", "all", Domain::Text, "Light's cards: all nine, or a list"),
        Param::new("dark-cards", "all", Domain::Text, "Dark's cards: all nine, or a list"),
        Param::new(
            "turns",
            "100",
            Domain::Integer(1, 100),
            "moves of both players after which the game is a draw, 1 to 100",
        ),
        Reward::PARAM,
    ],
    presets: &[],
    tiny: "size=3,setup=random,light=[merry,sam,frodo,pippin],dark=[warg,witch-king],light-cards=[1,retreat],\
           dark-cards=[2,magic],turns=3,shire=1",
};

/// The most steps that one turn takes: the move, the tunnel, and up to four combats of a reveal, Saruman, an
/// answer, two cards, two cards of magic, and a retreat.
const STEPS_PER_TURN: u32 = 2 + 4 * 8;

/// The rules, with the characters and cards that take part.
#[derive(Clone, Debug)]
pub struct Confrontation {
    map: Map,
    setup: Setup,
    /// The characters of each player as listed: in front, then at home.
    listed: [Vec<Character>; 2],
    decks: [Cards; 2],
    shire: u8,
    turns: u8,
    reward: Reward,
}

impl Confrontation {
    /// The game a specification asks for.
    pub fn from_params(params: &Params) -> Result<Confrontation, BadSpec> {
        let map = Map::of(params.number("size")?);
        let setups = [Setup::HandMade, Setup::Open, Setup::Random, Setup::Home];
        let mut listed = [Vec::new(), Vec::new()];
        let mut decks = [0; 2];
        for (side, [pieces, cards]) in
            [["light", "light-cards"], ["dark", "dark-cards"]].into_iter().enumerate()
        {
            listed[side] = characters(params, pieces, side, &map)?;
            decks[side] = deck(params, cards, side)?;
        }
        if !listed[0].contains(&Character::Frodo) {
            return Err(params.bad("light", "a list with frodo"));
        }
        let rules = Confrontation {
            map,
            setup: params.choice("setup", &setups)?,
            listed,
            decks,
            shire: params.number("shire")?,
            turns: params.number("turns")?,
            reward: Reward::from_params(params)?,
        };
        rules.check_setups(params)?;
        Ok(rules)
    }
}

/// What chance draws.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Outcome {
    /// A player's setup.
    Setup(Placement),
    /// The character that is attacked.
    Defender(Character),
}

/// What a player may do.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Serialize, Deserialize)]
pub enum Action {
    /// Move a character, which attacks the enemies there.
    Move(Character, Region, Region),
    /// Lose, for want of a move.
    GiveUp,
    /// Let a character pass through the tunnel.
    LetPass,
    /// Defeat a character in the tunnel with the Balrog.
    Strike,
    /// Saruman allows cards.
    AllowCards,
    /// Saruman decides that no cards are played.
    ForbidCards,
    /// Frodo or Pippin fights.
    Stand,
    /// Put Sam in Frodo's place.
    Replace,
    /// Retreat to a region.
    Retreat(Region),
    /// Play a card.
    Play(Card),
    /// Let Magic become this card.
    Become(Card),
}

/// A character's whereabouts if it is dead, or takes no part.
const DEAD: u8 = 16;
/// A character's whereabouts if it is not placed yet or, in what is known, not known.
const HIDDEN: u8 = 17;

/// Everything but what is remembered.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Serialize, Deserialize)]
struct Board {
    /// The region of each character, or [`DEAD`] or [`HIDDEN`].
    at: [u8; 2 * EACH],
    /// How many pieces of each player stand in each region.
    counts: [u64; 2],
    /// The cards each player has in hand.
    hands: [Cards; 2],
    /// The moves made so far.
    turns: u8,
    phase: Phase,
}

/// How far the game, or a combat, has come.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Serialize, Deserialize)]
enum Phase {
    /// Chance draws the setup of a player.
    Setup(Player),
    /// A player moves a piece.
    Move(Player),
    /// A character came through the tunnel and Dark, who has a piece in Moria, may have the Balrog there.
    Tunnel,
    /// Chance draws who is attacked.
    Reveal(Attack),
    /// Saruman may forbid cards.
    Saruman(Fight),
    /// Frodo, attacked, or Pippin, attacking, may retreat; Sam may replace Frodo.
    Answer(Fight),
    /// Both choose a card.
    Cards(Fight),
    /// Dark has to show its card to Gandalf.
    DarkFirst(Fight),
    /// Light answers a card of Dark's.
    LightSecond(Fight, Card),
    /// A player whose card is Magic chooses what it becomes.
    Magic(Player, Fight, Played),
    /// A player whose card is Retreat chooses where to.
    Withdraw(Player, Fight),
    /// The game is over.
    Over(Option<Player>),
}

/// Everything: the board, and what has happened to pieces, which others have seen in part.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct State {
    board: Board,
    log: ArrayVec<Event, LONGEST_LOG>,
}

impl Board {
    #[inline]
    fn region(&self, c: Character) -> Region {
        Region(self.at[c as usize])
    }

    #[inline]
    fn is_at(&self, c: Character, region: Region) -> bool {
        self.at[c as usize] == region.0
    }

    #[inline]
    fn lives(&self, c: Character) -> bool {
        self.at[c as usize] < DEAD
    }

    /// Where a player has pieces.
    #[inline]
    fn occupied(&self, side: usize) -> Regions {
        nonzero(self.counts[side])
    }
}

const BOTH: Players = Players::first(2);
const MOVES: u64 = (2 * EACH * REGIONS * REGIONS) as u64;
/// The codes of all other actions follow those of moves: the plain ones, retreats, cards, and what Magic becomes.
const RETREATS: u64 = MOVES + 7;
const PLAYS: u64 = RETREATS + REGIONS as u64;
const MAGICS: u64 = PLAYS + Card::ALL.len() as u64;

impl Rules for Confrontation {
    type State = State;
    type Action = Action;
    type Outcome = Outcome;

    fn facts(&self) -> Facts {
        // Pieces cannot be told apart where they start together, or once one has joined another.
        let together = |side: usize| self.listed[side].len() > self.map.front[side].len() + 1;
        let mixes = self.turns > 3 || self.turns > 1 && (0..2).any(together);
        let drawn = self.setup != Setup::Open && (0..2).any(|side| self.setups(side) > 1);
        Facts {
            players: 2,
            hidden: mixes || drawn,
            hidden_moves: mixes,
            chance: if self.setups_are_listed() || self.setup == Setup::Open {
                Chance::Listed
            } else {
                Chance::Sampled
            },
            simultaneous: true,
            utility: self.reward.utility(),
            utility_bounds: self.reward.range(),
            max_length: 2 + u32::from(self.turns) * STEPS_PER_TURN,
        }
    }

    fn start(&self) -> State {
        let mut at = [DEAD; 2 * EACH];
        for &c in self.listed.iter().flatten() {
            at[c as usize] = HIDDEN;
        }
        let board = Board { at, counts: [0; 2], hands: self.decks, turns: 0, phase: Phase::Setup(LIGHT) };
        let mut s = State { board, log: ArrayVec::new() };
        if self.setup == Setup::Open {
            for side in 0..2 {
                let front = self.map.front[side].len();
                self.set_up(&mut s, &self.placed(side, &self.listed[side][..front]));
            }
        }
        s
    }

    #[inline]
    fn turn(&self, s: &State) -> Turn {
        match s.board.phase {
            Phase::Setup(_) | Phase::Reveal(_) => Turn::Chance,
            Phase::Move(who) | Phase::Magic(who, ..) | Phase::Withdraw(who, _) => Turn::Player(who),
            Phase::Tunnel | Phase::Saruman(_) | Phase::DarkFirst(_) => Turn::Player(DARK),
            Phase::Answer(_) | Phase::LightSecond(..) => Turn::Player(LIGHT),
            Phase::Cards(_) => Turn::Simultaneous(BOTH),
            Phase::Over(_) => Turn::Terminal,
        }
    }

    fn actions(&self, s: &State, who: Player, out: &mut Vec<Action>) {
        let b = &s.board;
        match b.phase {
            Phase::Move(_) => {
                let before = out.len();
                for &c in Character::of(who.index()) {
                    let from = b.region(c);
                    out.extend(regions_of(self.ways(b, c)).map(|to| Action::Move(c, from, to)));
                }
                if out.len() == before {
                    out.push(Action::GiveUp);
                }
            }
            Phase::Tunnel => {
                out.push(Action::LetPass);
                let watched_from = self.map.tunnel.map(|t| t.watched_from);
                if watched_from.is_some_and(|r| b.is_at(Character::Balrog, r)) {
                    out.push(Action::Strike);
                }
            }
            Phase::Saruman(_) => out.extend([Action::AllowCards, Action::ForbidCards]),
            Phase::Answer(fight) => {
                out.push(Action::Stand);
                if fight.light == Character::Frodo && b.is_at(Character::Sam, fight.at) {
                    out.push(Action::Replace);
                }
                out.extend(regions_of(self.answer_refuge(b, &fight)).map(Action::Retreat));
            }
            Phase::Cards(_) | Phase::DarkFirst(_) | Phase::LightSecond(..) => {
                out.extend(cards_of(b.hands[who.index()]).map(Action::Play));
            }
            Phase::Magic(..) => out.extend(cards_of(self.played(b, who.index())).map(Action::Become)),
            Phase::Withdraw(_, fight) => {
                out.extend(regions_of(self.card_refuge(b, who, &fight)).map(Action::Retreat));
            }
            Phase::Setup(_) | Phase::Reveal(_) | Phase::Over(_) => {}
        }
    }

    fn chance(&self, s: &State, out: &mut Vec<(Outcome, f64)>) {
        match s.board.phase {
            Phase::Setup(who) if self.setups_are_listed() => {
                let setups = self.all_setups(who.index());
                let share = 1.0 / setups.len() as f64;
                out.extend(setups.into_iter().map(|placement| (Outcome::Setup(placement), share)));
            }
            Phase::Reveal(attack) => {
                let side = attack.by.other().index();
                let there = Character::of(side).iter().filter(|&&c| s.board.is_at(c, attack.at));
                let share = 1.0 / f64::from(count_at(s.board.counts[side], attack.at));
                out.extend(there.map(|&c| (Outcome::Defender(c), share)));
            }
            _ => {}
        }
    }

    fn sample_chance(&self, s: &State, rng: &mut Rng) -> Outcome {
        match s.board.phase {
            Phase::Reveal(attack) => {
                let side = attack.by.other().index();
                let mut skipped = rng.below(u32::from(count_at(s.board.counts[side], attack.at)));
                let mut there = Character::of(side).iter().filter(|&&c| s.board.is_at(c, attack.at));
                let drawn = there.find(|_| {
                    let this = skipped == 0;
                    skipped = skipped.wrapping_sub(1);
                    this
                });
                Outcome::Defender(*drawn.expect("somebody is attacked"))
            }
            Phase::Setup(who) => {
                let side = who.index();
                let settled: Vec<Character> = self.settled(side).collect();
                let mut free = self.listed[side].clone();
                free.retain(|c| !settled.contains(c));
                if self.setup != Setup::HandMade {
                    rng.shuffle(&mut free);
                }
                Outcome::Setup(self.placed(side, &free[..self.map.front[side].len()]))
            }
            _ => panic!("it is not chance's turn"),
        }
    }

    fn is_possible(&self, s: &State, outcome: &Outcome) -> bool {
        match (s.board.phase, outcome) {
            (Phase::Setup(who), Outcome::Setup(placement)) => {
                usize::from(placement.side) == who.index() && self.is_setup(placement)
            }
            (Phase::Reveal(attack), &Outcome::Defender(c)) => {
                c.owner() == attack.by.other() && s.board.is_at(c, attack.at)
            }
            _ => false,
        }
    }

    fn apply(&self, s: &mut State, step: Step<'_, Self>) {
        let moves = match step {
            Step::Chance(Outcome::Setup(placement)) => return self.set_up(s, placement),
            Step::Chance(&Outcome::Defender(c)) => return self.meet(s, c),
            Step::Moves(moves) => moves,
        };
        let (who, action) = moves[0];
        match (s.board.phase, action) {
            (_, Action::Move(c, from, to)) => self.walk(s, c, from, to),
            (_, Action::GiveUp) => s.board.phase = Phase::Over(Some(who.other())),
            (Phase::Tunnel, _) => self.leave_tunnel(s, action == Action::Strike),
            (Phase::Saruman(fight), _) => {
                self.ask_light(s, Fight { cards: action == Action::AllowCards, ..fight });
            }
            (Phase::Answer(fight), _) => self.light_answers(s, fight, action),
            (Phase::Cards(fight), _) => {
                let card = |i: usize| match moves.get(i) {
                    Some(&(_, Action::Play(card))) => card,
                    _ => Card::One,
                };
                self.show_cards(s, fight, [card(0), card(1)]);
            }
            (Phase::DarkFirst(fight), Action::Play(card)) => {
                s.board.phase = Phase::LightSecond(fight, card);
            }
            (Phase::LightSecond(fight, dark), Action::Play(light)) => {
                self.show_cards(s, fight, [light, dark]);
            }
            (Phase::Magic(who, fight, played), Action::Become(card)) => {
                self.use_magic(s, who, fight, played, card);
            }
            (Phase::Withdraw(who, fight), Action::Retreat(to)) => self.withdraw(s, who, fight, to),
            _ => debug_assert!(false, "{action:?} is out of place"),
        }
    }

    fn rewards(&self, s: &State) -> Rewards {
        self.reward.of(match s.board.phase {
            Phase::Over(winner) => winner,
            _ => None,
        })
    }

    fn observe(&self, before: &State, step: Step<'_, Self>, by: Observer) -> Option<Observation> {
        words::seen(self, before, step, by)
    }

    fn code(&self, action: Action) -> u64 {
        match action {
            Action::Move(c, from, to) => (c as u64 * 16 + u64::from(from.0)) * 16 + u64::from(to.0),
            Action::GiveUp => MOVES,
            Action::LetPass => MOVES + 1,
            Action::Strike => MOVES + 2,
            Action::AllowCards => MOVES + 3,
            Action::ForbidCards => MOVES + 4,
            Action::Stand => MOVES + 5,
            Action::Replace => MOVES + 6,
            Action::Retreat(to) => RETREATS + u64::from(to.0),
            Action::Play(card) => PLAYS + card as u64,
            Action::Become(card) => MAGICS + card as u64,
        }
    }

    fn extras(&self) -> Extras<'_, Self> {
        Extras { episodes: Some(self), ..Extras::NONE }
    }
}

impl Notation for Confrontation {
    fn action_name(&self, action: Action) -> String {
        words::action_name(self, action)
    }

    fn parse_action(&self, name: &str) -> Option<Action> {
        words::parse_action(self, name)
    }

    fn outcome_name(&self, outcome: &Outcome) -> String {
        words::outcome_name(self, outcome)
    }

    fn parse_outcome(&self, name: &str) -> Option<Outcome> {
        words::parse_outcome(self, name)
    }

    fn explain(&self, seen: &Observation, by: Observer) -> String {
        words::explain(self, seen, by)
    }

    fn scene_of(&self, s: &State) -> Scene {
        scene::whole(self, s)
    }

    fn role(&self, _state: &State, seat: Player) -> String {
        if seat == LIGHT { "light".to_string() } else { "dark".to_string() }
    }
}

impl FastPlay for Confrontation {
    #[inline]
    fn random_action(&self, s: &State, who: Player, rng: &mut Rng, scratch: &mut Scratch<Self>) -> Action {
        let b = &s.board;
        match b.phase {
            Phase::Move(_) => {
                let mut ways = [0; EACH];
                let mut all = 0;
                for (ways, &c) in ways.iter_mut().zip(Character::of(who.index())) {
                    *ways = self.ways(b, c);
                    all += ways.count_ones();
                }
                if all == 0 {
                    return Action::GiveUp;
                }
                let mut skipped = rng.below(all);
                for (mut ways, &c) in ways.into_iter().zip(Character::of(who.index())) {
                    let here = ways.count_ones();
                    if skipped < here {
                        for _ in 0..skipped {
                            ways &= ways - 1;
                        }
                        let to = Region((ways.trailing_zeros() / 4) as u8);
                        return Action::Move(c, b.region(c), to);
                    }
                    skipped -= here;
                }
                Action::GiveUp
            }
            Phase::Cards(_) | Phase::DarkFirst(_) | Phase::LightSecond(..) => {
                Action::Play(Card::ALL[rng.bit_of(u64::from(b.hands[who.index()])) as usize])
            }
            _ => {
                scratch.actions.clear();
                self.actions(s, who, &mut scratch.actions);
                *rng.pick(&scratch.actions)
            }
        }
    }

    fn codes(&self) -> Option<usize> {
        Some(MAGICS as usize + Card::ALL.len())
    }
}

impl Episodes<Confrontation> for Confrontation {
    /// M1 or M2: a player is to move and no combat is in progress (Whitehouse 2014, eq. 8.8).
    fn episode(&self, s: &State) -> Option<u32> {
        match s.board.phase {
            Phase::Move(who) => Some(u32::from(who.0) + 1),
            _ => None,
        }
    }

    /// Where each of the player's own characters is, dead ones included, and where it has enemies.
    fn features(&self, s: &State, by: Player, out: &mut Vec<u32>) {
        const PLACES: u32 = HIDDEN as u32 + 1;
        let at = |&c: &Character| c as u32 * PLACES + u32::from(s.board.at[c as usize]);
        out.extend(Character::of(by.index()).iter().map(at));
        let enemies = regions_of(s.board.occupied(by.other().index()));
        out.extend(enemies.map(|region| 2 * EACH as u32 * PLACES + u32::from(region.0)));
    }
}

impl Game for Confrontation {
    type Info = Info;
    type Sampler = Worlds;

    fn info(&self, s: &State, by: Observer) -> Info {
        Info::of(s, by)
    }

    fn sampler(&self, known: &Info) -> Worlds {
        Worlds::of(self, known)
    }

    fn sample(&self, from: &mut Worlds, rng: &mut Rng, into: &mut State) -> f64 {
        from.draw(rng, into);
        1.0
    }

    fn scene(&self, known: &Info) -> Scene {
        scene::known(self, known)
    }

    fn spots(&self, known: &Info, _: Player, action: Action) -> Vec<String> {
        scene::touched(self, known, action)
    }

    fn tell(&self, step: Witnessed<'_, Action, Info>) -> Option<String> {
        words::tell(self, step)
    }
}

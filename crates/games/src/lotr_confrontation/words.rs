//! What is seen of a step, and everything in words.

use fogtree_core::{Observation, Observer, Player, Rules, Step, Witnessed};

use super::combat::{Fight, Played};
use super::map::{Region, count_at, regions_of};
use super::pieces::{Card, Character, EACH, LIGHT, cards_of};
use super::{
    Action, Confrontation, DEAD, Info, MAGICS, MOVES, Outcome, PLAYS, Phase, RETREATS, State, Worlds,
};
use crate::words::joined;

/// The kinds of observations: the upper half of the first word.
mod kind {
    pub(super) const SET_UP: u64 = 0;
    pub(super) const OWN_SETUP: u64 = 1;
    pub(super) const QUIET_MOVE: u64 = 2;
    pub(super) const OPEN_MOVE: u64 = 3;
    pub(super) const CHOICE: u64 = 4;
    pub(super) const STRUCK: u64 = 5;
    pub(super) const REVEALED: u64 = 6;
    pub(super) const CARD: u64 = 7;
    pub(super) const CARDS: u64 = 8;
}

fn word(kind: u64, what: u64) -> u64 {
    kind << 32 | what
}

/// What an observer sees of a step: everything but setups and who makes a quiet move.
pub(super) fn seen(
    rules: &Confrontation,
    before: &State,
    step: Step<'_, Confrontation>,
    by: Observer,
) -> Option<Observation> {
    let moves = match step {
        Step::Chance(Outcome::Setup(placement)) => {
            let side = u64::from(placement.side);
            let squares = placement.squares.iter().rev().fold(0, |all, at| all << 5 | u64::from(*at));
            return Some(if by.is(Player(placement.side)) {
                Observation::words(&[word(kind::OWN_SETUP, side), squares])
            } else {
                Observation::word(word(kind::SET_UP, side))
            });
        }
        Step::Chance(&Outcome::Defender(defender)) => {
            let Phase::Reveal(attack) = before.board.phase else { return None };
            let attacker = attack.with.unwrap_or_else(|| Confrontation::in_tunnel(before));
            let frodo = match rules.shows_frodo(&before.board, &attack, attacker, defender) {
                None => 0,
                Some(false) => 1,
                Some(true) => 2,
            };
            let who = (attacker as u64) << 8 | defender as u64;
            return Some(Observation::word(word(kind::REVEALED, frodo << 16 | who)));
        }
        Step::Moves(moves) => moves,
    };
    if let &[(_, light), (_, dark)] = moves {
        let card = |action| rules.code(action).saturating_sub(PLAYS);
        return Some(Observation::word(match by {
            Observer::Seat(LIGHT) => word(kind::CARD, card(dark)),
            Observer::Seat(_) => word(kind::CARD, card(light)),
            Observer::Public => word(kind::CARDS, card(light) << 8 | card(dark)),
        }));
    }
    let (who, action) = moves[0];
    match action {
        Action::Strike => {
            let victim = Confrontation::in_tunnel(before);
            Some(Observation::word(word(kind::STRUCK, victim as u64)))
        }
        _ if by.is(who) => None,
        Action::Move(c, from, to) => {
            let open = rules.kind(&before.board, c, from, to).is_open();
            let path = u64::from(from.0) << 8 | u64::from(to.0);
            let (kind, which) =
                if open { (kind::OPEN_MOVE, c as u64) } else { (kind::QUIET_MOVE, who.0.into()) };
            Some(Observation::word(word(kind, which << 16 | path)))
        }
        _ => Some(Observation::word(word(kind::CHOICE, rules.code(action)))),
    }
}

pub(super) fn action_name(rules: &Confrontation, action: Action) -> String {
    match action {
        Action::Move(c, from, to) => format!("{}/{}/{}", c.name(), rules.map.name(from), rules.map.name(to)),
        Action::Retreat(to) => format!("retreat/{}", rules.map.name(to)),
        Action::Play(card) => card.name().to_string(),
        Action::Become(card) => format!("become/{}", card.name()),
        plain => PLAIN.iter().find(|(a, ..)| *a == plain).map_or("", |(_, name, _)| name).to_string(),
    }
}

/// Actions without more to them, with their names and what somebody does who chooses them.
const PLAIN: [(Action, &str, &str); 7] = [
    (Action::GiveUp, "give-up", "gives up"),
    (Action::LetPass, "let-pass", "lets the piece in the tunnel pass"),
    (Action::Strike, "strike", "strikes"),
    (Action::AllowCards, "allow-cards", "allows cards"),
    (Action::ForbidCards, "forbid-cards", "forbids cards"),
    (Action::Stand, "stand", "stands"),
    (Action::Replace, "replace", "puts sam in frodo's place"),
];

pub(super) fn parse_action(rules: &Confrontation, name: &str) -> Option<Action> {
    let words: Vec<&str> = name.split('/').collect();
    match words[..] {
        ["retreat", to] => rules.map.parse(to).map(Action::Retreat),
        ["become", card] => Card::parse(card).map(Action::Become),
        [who, from, to] => {
            Some(Action::Move(Character::parse(who)?, rules.map.parse(from)?, rules.map.parse(to)?))
        }
        [word] => {
            let plain = PLAIN.iter().find(|(_, name, _)| *name == word).map(|(action, ..)| *action);
            plain.or_else(|| Card::parse(word).map(Action::Play))
        }
        _ => None,
    }
}

pub(super) const SIDES: [&str; 2] = ["light", "dark"];

pub(super) fn outcome_name(rules: &Confrontation, outcome: &Outcome) -> String {
    match outcome {
        Outcome::Defender(c) => c.name().to_string(),
        Outcome::Setup(placement) => {
            let names = rules.in_front(placement).into_iter().map(Character::name);
            let words: Vec<_> = std::iter::once(SIDES[usize::from(placement.side)]).chain(names).collect();
            words.join("/")
        }
    }
}

pub(super) fn parse_outcome(rules: &Confrontation, name: &str) -> Option<Outcome> {
    if let Some(c) = Character::parse(name) {
        return Some(Outcome::Defender(c));
    }
    let mut words = name.split('/');
    let first = words.next()?;
    let side = SIDES.iter().position(|side| *side == first)?;
    let front: Vec<Character> = words.map(Character::parse).collect::<Option<_>>()?;
    let placement = rules.placed(side, &front[..front.len().min(rules.map.front[side].len())]);
    let same = rules.in_front(&placement) == front && rules.is_setup(&placement);
    same.then_some(Outcome::Setup(placement))
}

fn action_of(code: u64) -> Option<Action> {
    let card = |from: u64| Card::ALL.get((code - from) as usize).copied();
    match code {
        MOVES..RETREATS => Some(PLAIN[(code - MOVES) as usize].0),
        RETREATS..PLAYS => Some(Action::Retreat(Region((code - RETREATS) as u8))),
        PLAYS..MAGICS => card(PLAYS).map(Action::Play),
        MAGICS.. => card(MAGICS).map(Action::Become),
        _ => None,
    }
}

pub(super) fn explain(rules: &Confrontation, seen: &Observation, by: Observer) -> String {
    try_explain(rules, seen, by).unwrap_or_else(|| seen.to_string())
}

fn try_explain(rules: &Confrontation, seen: &Observation, by: Observer) -> Option<String> {
    let (&first, rest) = seen.as_words().split_first()?;
    let byte = |at: u32| (first >> at & 0xff) as usize;
    let character = |at: u32| Character::ALL.get(byte(at)).map(|c| c.name());
    let card = |at: u32| Card::ALL.get(byte(at)).map(|c| c.name());
    let region = |at: u32| match rules.map.name(Region(byte(at) as u8)) {
        "" => None,
        name => Some(name),
    };
    Some(match first >> 32 {
        kind::SET_UP => format!("{} sets up", SIDES.get(byte(0))?),
        kind::OWN_SETUP => {
            let side = byte(0).min(1);
            let squares = rest.first()?;
            let stands = |c: &Character| {
                let at = Region((squares >> (5 * (*c as usize % EACH)) & 31) as u8);
                (at.0 < DEAD).then(|| format!("{} in {}", c.name(), rules.map.name(at)))
            };
            let list: Vec<String> = Character::of(side).iter().filter_map(stands).collect();
            format!("you set up {}", list.join(", "))
        }
        kind::QUIET_MOVE => {
            format!("{} moves a piece from {} to {}", SIDES.get(byte(16))?, region(8)?, region(0)?)
        }
        kind::OPEN_MOVE => format!("{} moves from {} to {}", character(16)?, region(8)?, region(0)?),
        kind::CHOICE => {
            let what = match action_of(first & 0xffff_ffff)? {
                Action::Retreat(to) => format!("retreats to {}", rules.map.name(to)),
                Action::Play(card) => format!("plays {}", card.name()),
                Action::Become(card) => format!("turns magic into {}", card.name()),
                plain => PLAIN.iter().find(|(a, ..)| *a == plain)?.2.to_string(),
            };
            format!("{} {what}", other(by))
        }
        kind::STRUCK => format!("the balrog strikes {} in the tunnel", character(0)?),
        kind::REVEALED => {
            let frodo = [".", ", without frodo", ", with frodo"].get(byte(16))?.trim_end_matches('.');
            format!("{} attacks {}{frodo}", character(8)?, character(0)?)
        }
        kind::CARD => {
            format!("{} plays {}", other(by), card(0)?)
        }
        kind::CARDS => format!("light plays {}, dark plays {}", card(8)?, card(0)?),
        _ => return None,
    })
}

/// The side that is not the observer's.
fn other(by: Observer) -> &'static str {
    by.seat().map_or("a player", |p| SIDES[1 - p.index().min(1)])
}

/// Adds the strengths that met in a combat, and who fell.
pub(super) fn tell(rules: &Confrontation, step: Witnessed<'_, Action, Info>) -> Option<String> {
    let (before, after) = (&step.before.board, &step.after.board);
    let fell = |c: &Character| before.at[*c as usize] != DEAD && after.at[*c as usize] == DEAD;
    let fallen: Vec<&str> = Character::ALL.iter().filter(|c| fell(c)).map(|c| c.name()).collect();
    let fought = fought(&step);
    let summed = fought.filter(|(_, played)| !fallen.is_empty() && played[0] != Some(Card::NobleSacrifice));
    let strengths = summed.map(|(fight, played)| {
        let frodo = known_place(rules, step.before, Character::Frodo) == Some(fight.at);
        let sum = |c: Character, (own, card): (u8, u8)| format!("{} {own} + {card}", c.name());
        let [light, dark] = fight.sums(played, frodo);
        format!("{} against {}", sum(fight.light, light), sum(fight.dark, dark))
    });
    let fallen = match fallen[..] {
        [] => fought.and_then(|(_, played)| retreat(rules, &step, played)),
        [one] => Some(format!("{one} falls")),
        _ => Some(format!("{} fall", fallen.join(" and "))),
    };
    let over = match (before.phase, after.phase) {
        (Phase::Over(_), _) => None,
        (_, Phase::Over(Some(who))) => Some(format!("{} has won", SIDES[who.index().min(1)])),
        (_, Phase::Over(None)) => Some("a draw".to_string()),
        _ => None,
    };
    joined([step.words, strengths, fallen, over])
}

/// The combat that may have been decided in a step, and the cards that count in it.
fn fought(step: &Witnessed<'_, Action, Info>) -> Option<(Fight, Played)> {
    let hands = [&step.before.board, &step.after.board].map(|board| board.hands);
    // An empty hand is filled again at once, so that a last card is all there was before.
    let laid = |side: usize| match hands[0][side] & !hands[1][side] {
        0 => cards_of(hands[0][side]).next(),
        laid => cards_of(laid).next(),
    };
    let (fight, played) = match step.before.board.phase {
        Phase::Saruman(fight) | Phase::Answer(fight) => (fight, [None; 2]),
        Phase::Cards(fight) => (fight, [laid(0), laid(1)]),
        Phase::LightSecond(fight, dark) => (fight, [laid(0), Some(dark)]),
        Phase::Magic(who, fight, mut played) => {
            let seen = step.seen.and_then(|seen| action_of(seen.first() & 0xffff_ffff));
            let Action::Become(card) = step.own.or(seen)? else { return None };
            played[who.index()] = Some(card);
            (fight, played)
        }
        _ => return None,
    };
    Some((fight, fight.counting(played)))
}

/// Who retreated by its card, and where to.
fn retreat(rules: &Confrontation, step: &Witnessed<'_, Action, Info>, played: Played) -> Option<String> {
    let gains = |side: usize, region: Region| {
        let [before, after] = [step.before, step.after].map(|k| count_at(k.board.counts[side], region));
        after > before
    };
    [1, 0].into_iter().filter(|&side| played[side] == Some(Card::Retreat)).find_map(|side| {
        let to = regions_of(step.after.board.occupied(side)).find(|&region| gains(side, region))?;
        Some(format!("{} retreats to {}", SIDES[side], rules.map.name(to)))
    })
}

/// Where a character must be, as far as an observer can tell.
fn known_place(rules: &Confrontation, k: &Info, c: Character) -> Option<Region> {
    if k.board.lives(c) {
        return Some(k.board.region(c));
    }
    let side = c as usize / EACH;
    let possible = Worlds::of(rules, k).side(side)?.possible(c as usize % EACH)?;
    let mut regions = regions_of(possible);
    regions.next().filter(|_| regions.next().is_none())
}

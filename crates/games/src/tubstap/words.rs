//! Names of actions and armies, and observations in words.

use fogtree_core::{Observation, Observer, Player, Witnessed};

use super::actions::{Action, Side};
use super::battle::Battle;
use super::board::{Phase, Unit, ids};
use super::known::Info;
use super::muster::Army;
use super::rules::ACTION;
use super::seen::{Fact, Tag};
use super::track::Track;
use super::units::{Kind, MOST_HP};
use crate::words::joined;

const SIDES: [&str; 2] = ["red", "blue"];
const SUFFIX: [&str; 5] = ["e", "n", "w", "s", ""];

impl Battle {
    /// Column letters and row number, `a1` at the top left; there are more columns than letters on narrow maps.
    pub(super) fn cell_name(&self, cell: u8) -> String {
        let column = cell % self.map.columns;
        let letter = |n: u8| char::from(b'a' + n);
        let first = (column >= 26).then(|| letter(column / 26 - 1)).map(String::from).unwrap_or_default();
        format!("{first}{}{}", letter(column % 26), cell / self.map.columns + 1)
    }

    fn parse_cell(&self, name: &str) -> Option<u8> {
        (0..self.map.cells() as u8).find(|cell| self.cell_name(*cell) == name)
    }

    /// `3-c4` for a move, `3x12e` for an attack on 12 from its east side, `3x12` for one from afar.
    pub(super) fn name_of(&self, action: Action) -> String {
        match action {
            Action::Move { unit, to } => format!("{unit}-{}", self.cell_name(to)),
            Action::Attack { unit, target, from } => format!("{unit}x{target}{}", SUFFIX[from as usize]),
            Action::EndTurn => "end-turn".to_string(),
            Action::Surrender => "surrender".to_string(),
        }
    }

    pub(super) fn parse(&self, name: &str) -> Option<Action> {
        match name {
            "end-turn" => return Some(Action::EndTurn),
            "surrender" => return self.surrender.then_some(Action::Surrender),
            _ => {}
        }
        let unit = |text: &str| text.parse().ok().filter(|unit: &u8| *unit < self.slots());
        let action = if let Some((mover, to)) = name.split_once('-') {
            Action::Move { unit: unit(mover)?, to: self.parse_cell(to)? }
        } else {
            let (attacker, rest) = name.split_once('x')?;
            let place = SUFFIX[..4].iter().position(|suffix| rest.ends_with(suffix)).unwrap_or(4);
            let target = rest.strip_suffix(SUFFIX[place])?;
            Action::Attack { unit: unit(attacker)?, target: unit(target)?, from: Side::ALL[place] }
        };
        (self.name_of(action) == name).then_some(action)
    }

    /// `red:P10a1+-+I9b1`: kinds, hit points and cells, `-` for a unit that is not there.
    pub(super) fn army_name(&self, army: &Army) -> String {
        let units: Vec<String> = army
            .units
            .iter()
            .map(|u| match u.hp {
                0 => "-".to_string(),
                hp => format!("{}{hp}{}", u.kind.letter(), self.cell_name(u.cell)),
            })
            .collect();
        format!("{}:{}", SIDES[army.who.index() & 1], units.join("+"))
    }

    pub(super) fn parse_army(&self, name: &str) -> Option<Army> {
        let (side, units) = name.split_once(':')?;
        let who = Player(SIDES.iter().position(|s| *s == side)? as u8);
        let read = |text: &str| {
            if text == "-" {
                return Some(Unit::default());
            }
            let kind = Kind::of_letter(text.chars().next()?)?;
            let rest = text.get(1..)?;
            let digits = rest.bytes().take_while(u8::is_ascii_digit).count();
            let (hp, cell) = rest.split_at_checked(digits)?;
            let hp = hp.parse().ok().filter(|hp| (1..=MOST_HP).contains(hp))?;
            Some(Unit { kind, hp, cell: self.parse_cell(cell)? })
        };
        let parts: Vec<&str> = units.split('+').collect();
        if parts.len() != self.army[who.index()].count_ones() as usize {
            return None;
        }
        let army = Army { who, units: parts.into_iter().map(read).collect::<Option<_>>()? };
        (self.army_name(&army) == name).then_some(army)
    }

    /// An observation in words.
    pub(super) fn told(&self, seen: &Observation, _by: Observer) -> String {
        self.told_of(seen, &|_| None)
    }

    /// The same by somebody who knows what kinds of units there are.
    fn told_of(&self, seen: &Observation, kind: &dyn Fn(u8) -> Option<Kind>) -> String {
        let tell = |&word: &u64| {
            if word & ACTION != 0 {
                return self.action_of(word & !ACTION).map(|action| self.name_of(action));
            }
            self.tell(Fact::of(word)?, kind)
        };
        let told: Option<Vec<String>> = seen.as_words().iter().map(tell).collect();
        told.filter(|told| !told.is_empty()).map_or_else(|| seen.to_string(), |told| told.join("; "))
    }

    /// Adds the letters of units in the fog. Where there is none, or where its end shows it: who acts and
    /// what units lose.
    pub(super) fn told_step(&self, step: Witnessed<'_, Action, Info>) -> Option<String> {
        let Some(after) = &step.after.board else {
            let track = step.by.seat().map(|who| Track::of(self, who, &step.after.events, None));
            let kind = |id: u8| track.as_ref()?.kind(self, id);
            return step.seen.map(|seen| self.told_of(seen, &kind));
        };
        let (mover, was) = match (&step.before.board, &step.before.view) {
            (Some(board), _) => (
                (board.phase == Phase::Play).then(|| SIDES[board.mover().index()]),
                ids(board.standing).map(|id| (id, board.unit(id))).collect(),
            ),
            (None, Some(view)) => (None, view.units.iter().map(|seen| (seen.id, seen.unit)).collect()),
            (None, None) => (None, Vec::new()),
        };
        let words = step.words.map(|words| mover.map_or(words.clone(), |side| format!("{side}: {words}")));
        let losses = was.into_iter().filter_map(|(id, unit)| {
            let name = format!("{} {}{id}", SIDES[self.side_of(id).index()], unit.kind.letter());
            match after.unit(id).hp {
                0 => Some(format!("{name} is destroyed")),
                hp if hp < unit.hp => Some(format!("{name} has {hp} HP left")),
                _ => None,
            }
        });
        joined(std::iter::once(words).chain(losses.map(Some)))
    }

    fn tell(&self, fact: Fact, kind: &dyn Fn(u8) -> Option<Kind>) -> Option<String> {
        let Fact { tag, unit, is, number } = fact;
        if usize::from(is.cell) >= self.map.cells() || unit >= self.slots().max(3) {
            return None;
        }
        let cell = self.cell_name(is.cell);
        let side = |side: u8| SIDES.get(usize::from(side));
        let what = format!("{}{unit}", is.kind.letter());
        let known = kind(unit).map_or_else(|| unit.to_string(), |kind| format!("{}{unit}", kind.letter()));
        let hp = if is.hp == 0 { String::new() } else { format!(" ({} HP)", is.hp) };
        Some(match tag {
            Tag::Turn => format!("turn {} begins", u32::from(number) + 1),
            Tag::Enemy => format!("{what}{hp} is on {cell}"),
            Tag::Sighted => format!("{what}{hp} was sighted on {cell}"),
            Tag::Gone => format!("{known} went out of sight"),
            Tag::Killed => format!("{known} is destroyed"),
            Tag::Hp => format!("{known} has {} HP left", is.hp),
            Tag::Own if is.hp == 0 => format!("your {known} is destroyed"),
            Tag::Own => format!("your {known} has {} HP", is.hp),
            Tag::Stop => format!("your {known} had to stop on {cell}"),
            Tag::Bump => format!("{cell} is occupied"),
            Tag::Mine => format!("{what}{hp} starts on {cell}"),
            Tag::Mustered => format!("{} has its army", side(unit)?),
            Tag::End => side(unit).map_or("the game is drawn".to_string(), |side| format!("{side} has won")),
            Tag::Last => format!("{what}{hp} on {cell}"),
        })
    }
}

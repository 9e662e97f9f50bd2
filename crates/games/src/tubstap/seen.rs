//! What a side sees of an action: facts, one word each.

use fogtree_core::{Observation, Observer, Player};

use super::actions::Action;
use super::battle::{Battle, Deed};
use super::board::{Board, Phase, Unit, ids};
use super::fog::{Report, Shooter};
use super::map::MOST_CELLS;
use super::muster::Army;
use super::units::Kind;

/// What a fact is about.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Tag {
    /// So many turns have been made.
    Turn,
    /// An enemy is there now.
    Enemy,
    /// An enemy was there when the unit came by.
    Sighted,
    /// An enemy has left the cell where it was seen.
    Gone,
    /// An enemy is no more.
    Killed,
    /// An enemy that is not seen any more has so many hit points.
    Hp,
    /// A unit of one's own has so many hit points.
    Own,
    /// A unit of one's own got no farther than this cell.
    Stop,
    /// This cell is occupied.
    Bump,
    /// A unit of one's own as it was drawn.
    Mine,
    /// The army of a side has been drawn.
    Mustered,
    /// The game is over: 0 and 1 for the winner, 2 for a draw.
    End,
    /// A unit as it was at the end.
    Last,
}

const TAGS: [Tag; 13] = [
    Tag::Turn,
    Tag::Enemy,
    Tag::Sighted,
    Tag::Gone,
    Tag::Killed,
    Tag::Hp,
    Tag::Own,
    Tag::Stop,
    Tag::Bump,
    Tag::Mine,
    Tag::Mustered,
    Tag::End,
    Tag::Last,
];

/// A fact. Turn numbers stand in `number`, sides in `unit`.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Fact {
    pub(super) tag: Tag,
    pub(super) unit: u8,
    pub(super) is: Unit,
    pub(super) number: u16,
}

impl Fact {
    pub(super) fn new(tag: Tag, unit: u8, is: Unit) -> Fact {
        Fact { tag, unit, is, number: 0 }
    }

    fn plain(tag: Tag, unit: u8) -> Fact {
        Fact::new(tag, unit, Unit::default())
    }

    fn at(tag: Tag, unit: u8, cell: u8) -> Fact {
        Fact::new(tag, unit, Unit { cell, ..Unit::default() })
    }

    fn hp(tag: Tag, unit: u8, hp: u8) -> Fact {
        Fact::new(tag, unit, Unit { hp, ..Unit::default() })
    }

    pub(super) fn turn(number: u16) -> Fact {
        Fact { number, ..Fact::plain(Tag::Turn, 0) }
    }

    pub(super) fn word(self) -> u64 {
        let Unit { kind, cell, hp } = self.is;
        self.tag as u64
            | u64::from(self.unit) << 8
            | u64::from(cell) << 16
            | u64::from(hp) << 24
            | (kind as u64) << 32
            | u64::from(self.number) << 40
    }

    /// The fact of a word, if it is one.
    pub(super) fn of(word: u64) -> Option<Fact> {
        let byte = |at: u32| (word >> at) as u8;
        let fact = Fact {
            tag: *TAGS.get(usize::from(byte(0)))?,
            unit: byte(8),
            is: Unit { cell: byte(16), hp: byte(24), kind: *Kind::ALL.get(usize::from(byte(32)))? },
            number: (word >> 40) as u16,
        };
        (fact.word() == word && usize::from(fact.is.cell) < MOST_CELLS).then_some(fact)
    }
}

/// Facts in order.
#[derive(Default)]
struct Facts(arrayvec::ArrayVec<u64, 80>);

impl Facts {
    fn note(&mut self, fact: Fact) {
        self.0.push(fact.word());
    }

    fn seen(&self) -> Option<Observation> {
        (!self.0.is_empty()).then(|| Observation::words(&self.0))
    }
}

impl Battle {
    /// What an observer sees of an action in the fog, beyond its own action. The end of the game lifts the fog.
    pub(super) fn seen_of(&self, before: &Board, action: Action, by: Observer) -> Option<Observation> {
        let mut after = *before;
        let deed = self.act(&mut after, action);
        let mut facts = Facts::default();
        if let Phase::Over(winner) = after.phase {
            facts.note(Fact::plain(Tag::End, winner.map_or(2, |w| w.0)));
            facts.note(Fact::turn(after.turn));
            for unit in ids(after.standing) {
                facts.note(Fact::new(Tag::Last, unit, after.unit(unit)));
            }
            return facts.seen();
        }
        let mover = before.mover();
        match by {
            Observer::Public => {
                if after.turn != before.turn {
                    facts.note(Fact::turn(after.turn));
                }
            }
            Observer::Seat(who) if who == mover => self.by_mover(&mut facts, before, &after, &deed, action),
            Observer::Seat(who) if self.fog.report == Report::Start => {
                self.at_start(&mut facts, before, &after, who);
            }
            Observer::Seat(who) => self.by_other(&mut facts, before, &after, &deed, who),
        }
        facts.seen()
    }

    /// An enemy as it is shown.
    fn shown(&self, unit: Unit) -> Unit {
        Unit { hp: if self.fog.enemy_hp { unit.hp } else { 0 }, ..unit }
    }

    fn by_mover(&self, facts: &mut Facts, before: &Board, after: &Board, deed: &Deed, action: Action) {
        let (mover, other) = (before.mover(), before.mover().other());
        if action == Action::EndTurn {
            facts.note(Fact::turn(after.turn));
            return;
        }
        if deed.bounced {
            facts.note(Fact::at(Tag::Bump, deed.unit, deed.obstacle.unwrap_or(deed.stop)));
            return;
        }
        if deed.obstacle.is_some() {
            facts.note(Fact::at(Tag::Stop, deed.unit, deed.stop));
        }
        let hp = after.unit(deed.unit).hp;
        if hp != before.unit(deed.unit).hp {
            facts.note(Fact::hp(Tag::Own, deed.unit, hp));
        }
        let to = match action {
            Action::Move { to, .. } => to,
            Action::Attack { unit, target, from } => self.stand(before, unit, target, from),
            Action::EndTurn | Action::Surrender => deed.stop,
        };
        let glimpsed = self.glimpsed(before, deed, to) | deed.obstacle.map_or(0, |cell| 1 << cell);
        for unit in ids(self.army[other.index()]) {
            let (was, is) = (before.unit(unit), after.unit(unit));
            if was.hp == 0 {
                continue;
            }
            if is.hp == 0 {
                facts.note(Fact::plain(Tag::Killed, unit));
                continue;
            }
            let saw = before.sight[mover.index()] & was.bit() != 0;
            if after.sight[mover.index()] & is.bit() != 0 {
                if !saw || is.hp != was.hp {
                    facts.note(Fact::new(Tag::Enemy, unit, self.shown(is)));
                }
            } else if !saw && glimpsed & is.bit() != 0 {
                facts.note(Fact::new(Tag::Sighted, unit, self.shown(is)));
            } else if is.hp != was.hp && self.fog.enemy_hp {
                facts.note(Fact::hp(Tag::Hp, unit, is.hp));
            }
        }
        if after.turn != before.turn {
            facts.note(Fact::turn(after.turn));
        }
    }

    fn by_other(&self, facts: &mut Facts, before: &Board, after: &Board, deed: &Deed, who: Player) {
        let sight = before.sight[who.index()];
        let unit = deed.unit;
        if unit != u8::MAX && !deed.bounced {
            let is = Unit { cell: deed.stop, ..after.unit(unit) };
            let hit = deed.target.is_some();
            if let Some(target) = deed.target.filter(|&t| after.unit(t).hp != before.unit(t).hp) {
                facts.note(Fact::hp(Tag::Own, target, after.unit(target).hp));
            }
            if is.hp == 0 {
                facts.note(Fact::plain(Tag::Killed, unit));
            } else if sight & is.bit() != 0 || hit && self.fog.shooter == Shooter::Revealed {
                facts.note(Fact::new(Tag::Enemy, unit, self.shown(is)));
            } else if sight >> deed.from & 1 == 1 {
                facts.note(Fact::plain(Tag::Gone, unit));
            }
        }
        if after.turn != before.turn {
            facts.note(Fact::turn(after.turn));
        }
    }

    /// Losses first, then the turn, then who is seen.
    fn at_start(&self, facts: &mut Facts, before: &Board, after: &Board, who: Player) {
        if after.turn == before.turn {
            return;
        }
        if after.mover() != who {
            facts.note(Fact::turn(after.turn));
            return;
        }
        for unit in ids(self.army[who.index()]) {
            facts.note(Fact::hp(Tag::Own, unit, after.unit(unit).hp));
        }
        let enemies = self.army[who.other().index()];
        for unit in ids(enemies).filter(|&unit| after.unit(unit).hp == 0) {
            facts.note(Fact::plain(Tag::Killed, unit));
        }
        facts.note(Fact::turn(after.turn));
        for unit in ids(enemies) {
            let is = after.unit(unit);
            if is.hp > 0 && after.sight[who.index()] & is.bit() != 0 {
                facts.note(Fact::new(Tag::Enemy, unit, self.shown(is)));
            }
        }
    }

    /// What an observer sees of an army being drawn: its own, and once both are there, whom it sees of the other.
    pub(super) fn seen_of_muster(&self, before: &Board, army: &Army, by: Observer) -> Observation {
        let mut facts = Facts::default();
        facts.note(Fact::plain(Tag::Mustered, army.who.0));
        if by.is(army.who) || !self.fog.on {
            for (id, unit) in ids(self.army[army.who.index()]).zip(&army.units) {
                facts.note(Fact::new(Tag::Mine, id, *unit));
            }
        }
        if let Observer::Seat(who) = by
            && self.fog.on
            && army.who.0 == 1
        {
            let mut after = *before;
            self.enter(&mut after, army.who, &army.units);
            for unit in ids(self.army[who.other().index()]) {
                let is = after.unit(unit);
                if is.hp > 0 && after.sight[who.index()] & is.bit() != 0 {
                    facts.note(Fact::new(Tag::Enemy, unit, self.shown(is)));
                }
            }
        }
        Observation::words(&facts.0)
    }
}

//! Where the enemy's units may be, unit by unit, from what a side did and saw.
//!
//! For each enemy there is the set of cells where it may stand. While the enemy moves unseen the set grows by
//! all it could reach; cells that are seen empty leave it. The truth is always in the set. What is lost is what
//! only holds for several units together: that two cannot have changed places in one turn, for instance.

use fogtree_core::{Event, Player};

use super::actions::Action;
use super::battle::Battle;
use super::board::{SLOTS, Unit, ids};
use super::fog::Report;
use super::particles::Particles;
use super::seen::{Fact, Tag};
use super::units::Kind;

/// What is known of an enemy.
#[derive(Clone, Copy, Debug)]
pub struct Foe {
    /// What it is, if that is known.
    pub kind: Option<Kind>,
    /// Its hit points, as far as known.
    pub hp: u8,
    /// Whether it is still there.
    pub alive: bool,
    /// Whether it ever was.
    pub exists: bool,
    /// The cells where it may be.
    pub possible: u64,
    /// Whether it is seen, on the only cell that is possible.
    pub seen: bool,
    /// Where it was seen last, and after how many turns.
    pub last: Option<(u8, u16)>,
    /// Whether it has been in a fight since its hit points were known.
    pub fought: bool,
    /// Whether it has moved in the present turn of its side.
    pub(super) moved: bool,
}

/// What a side can tell of the other.
#[derive(Clone, Debug)]
pub struct Track {
    pub(super) who: Player,
    /// Its own units.
    pub(super) own: [Unit; SLOTS],
    pub(super) foes: [Foe; SLOTS],
    pub(super) turn: u16,
    pub(super) sight: u64,
    pub(super) bumped: u64,
    /// How many armies have been drawn.
    pub(super) mustered: u8,
    /// The last move: who, and from where.
    undo: (u8, u8),
    /// Whether a turn of the enemy has just ended.
    enemy_moved: bool,
    pub(super) particles: Option<Particles>,
}

impl Track {
    /// Follows what a side did and saw.
    pub(super) fn of(rules: &Battle, who: Player, events: &[Event], particles: Option<Particles>) -> Track {
        let mut track = Track::start(rules, who, particles);
        let mut open = false;
        for event in events {
            match event {
                Event::Own(code) => {
                    if open {
                        track.settle(rules);
                    }
                    track.act(rules, *code);
                    open = true;
                }
                Event::Seen(seen) => {
                    for fact in seen.as_words().iter().filter_map(|word| Fact::of(*word)) {
                        track.learn(rules, fact);
                    }
                    track.settle(rules);
                    open = false;
                }
            }
        }
        if open {
            track.settle(rules);
        }
        track
    }

    /// What a unit is, if that is known.
    pub(super) fn kind(&self, rules: &Battle, id: u8) -> Option<Kind> {
        if rules.side_of(id) == self.who {
            return self.own.get(usize::from(id)).map(|unit| unit.kind);
        }
        self.foe(id).kind
    }

    fn start(rules: &Battle, who: Player, particles: Option<Particles>) -> Track {
        let drawn = rules.muster.is_drawn();
        let nobody = Foe {
            kind: None,
            hp: 0,
            alive: false,
            exists: false,
            possible: 0,
            seen: false,
            last: None,
            fought: false,
            moved: false,
        };
        let mut track = Track {
            who,
            own: [Unit::default(); SLOTS],
            foes: [nobody; SLOTS],
            turn: rules.opening().turn,
            sight: 0,
            bumped: 0,
            mustered: 0,
            undo: (0, 0),
            enemy_moved: false,
            particles,
        };
        for id in ids(rules.army[who.index()]) {
            track.own[usize::from(id)] = if drawn { Unit::default() } else { rules.placed(id) };
        }
        let enemies = rules.army[who.other().index()];
        for id in ids(enemies) {
            let placed = rules.placed(id);
            track.foes[usize::from(id)] = Foe {
                kind: (!rules.muster.draws_kinds()).then_some(placed.kind),
                hp: placed.hp,
                alive: true,
                exists: !rules.muster.may_miss() || id == enemies.trailing_zeros() as u8,
                possible: rules.muster.cells_around(&rules.map, placed.cell),
                ..nobody
            };
        }
        if !drawn {
            track.look(rules);
            let sight = track.sight;
            for foe in &mut track.foes {
                foe.seen = foe.possible & sight != 0;
                foe.last = foe.seen.then(|| (foe.possible.trailing_zeros() as u8, 0));
            }
        }
        track
    }

    /// The side whose units are hidden.
    pub(super) fn enemies(&self, rules: &Battle) -> u32 {
        rules.army[self.who.other().index()]
    }

    /// What is known of an enemy.
    pub fn foe(&self, id: u8) -> &Foe {
        &self.foes[usize::from(id) % SLOTS]
    }

    /// The enemies that are not seen, where they were last seen or else where the map has them start: somewhere to
    /// go for whoever sees nobody.
    pub fn believed(&self, rules: &Battle) -> Vec<(Kind, u8)> {
        let unseen = ids(self.enemies(rules)).filter(|&id| self.foe(id).alive && !self.foe(id).seen);
        let believed = |id: u8| {
            let (foe, start) = (self.foe(id), rules.placed(id));
            (foe.kind.unwrap_or(start.kind), foe.last.map_or(start.cell, |last| last.0))
        };
        unseen.map(believed).collect()
    }

    fn foe_mut(&mut self, id: u8) -> &mut Foe {
        &mut self.foes[usize::from(id) % SLOTS]
    }

    /// The cells of its own units.
    pub(super) fn occupied(&self) -> u64 {
        self.own.iter().filter(|unit| unit.hp > 0).fold(0, |set, unit| set | unit.bit())
    }

    fn is_mine(&self) -> bool {
        self.turn & 1 == u16::from(self.who.0)
    }

    fn act(&mut self, rules: &Battle, code: u64) {
        let (unit, to) = match rules.action_of(code) {
            Some(Action::Move { unit, to }) => (unit, Some(to)),
            Some(Action::Attack { unit, target, from }) => {
                let foe = self.foe_mut(target);
                foe.fought = true;
                (unit, rules.neighbour(foe.possible.trailing_zeros() as u8 & 63, from))
            }
            Some(Action::EndTurn | Action::Surrender) | None => return,
        };
        let own = &mut self.own[usize::from(unit) % SLOTS];
        self.undo = (unit, own.cell);
        own.cell = to.unwrap_or(own.cell);
    }

    fn learn(&mut self, rules: &Battle, fact: Fact) {
        let place = usize::from(fact.unit) % SLOTS;
        let (mine, turn) = (self.is_mine(), self.turn);
        match fact.tag {
            Tag::Turn => self.pass(rules, fact.number),
            Tag::Enemy | Tag::Sighted => {
                let foe = &mut self.foes[place];
                foe.fought |= !mine;
                if fact.is.hp > 0 {
                    (foe.hp, foe.fought) = (fact.is.hp, false);
                }
                foe.kind = Some(fact.is.kind);
                (foe.possible, foe.seen) = (1 << (fact.is.cell & 63), true);
                (foe.exists, foe.moved, foe.last) = (true, !mine, Some((fact.is.cell, turn)));
            }
            Tag::Gone => {
                let own = self.occupied();
                let foe = &mut self.foes[place];
                foe.possible = rules.spread(foe.kind, foe.possible, own);
                (foe.seen, foe.moved) = (false, true);
            }
            Tag::Killed => (self.foes[place].alive, self.foes[place].exists) = (false, true),
            Tag::Hp => (self.foes[place].hp, self.foes[place].fought) = (fact.is.hp, false),
            Tag::Own => {
                self.own[place].hp = fact.is.hp;
                if fact.is.hp == 0 {
                    self.own[place] = Unit::default();
                }
            }
            Tag::Stop => self.own[place].cell = fact.is.cell,
            Tag::Bump => {
                self.own[usize::from(self.undo.0) % SLOTS].cell = self.undo.1;
                self.bumped |= 1 << (fact.is.cell & 63);
            }
            Tag::Mine => self.own[place] = fact.is,
            Tag::Mustered => self.mustered += 1,
            Tag::End | Tag::Last => {}
        }
    }

    /// A turn ends.
    fn pass(&mut self, rules: &Battle, turn: u16) {
        if self.is_mine() {
            self.look(rules);
            self.prune(rules);
            for foe in &mut self.foes {
                foe.moved = false;
            }
        } else {
            let own = self.occupied();
            let told_late = rules.fog.report == Report::Start;
            for foe in self.foes.iter_mut().filter(|foe| foe.alive && !foe.moved) {
                if !foe.seen || told_late {
                    foe.possible = rules.spread(foe.kind, foe.possible, own);
                    foe.seen = false;
                }
            }
            self.enemy_moved = true;
        }
        (self.turn, self.bumped) = (turn, 0);
    }

    /// Works out what is seen; enemies out of sight are not.
    fn look(&mut self, rules: &Battle) {
        let seen = |unit: &Unit| rules.sights[unit.kind as usize][usize::from(unit.cell & 63)];
        self.sight = self.own.iter().filter(|unit| unit.hp > 0).fold(0, |set, unit| set | seen(unit));
        for foe in &mut self.foes {
            foe.seen &= foe.possible & self.sight != 0;
        }
    }

    /// Nobody unseen is where one looks.
    fn prune(&mut self, rules: &Battle) {
        let own = self.occupied();
        for foe in self.foes.iter_mut().filter(|foe| foe.alive && !foe.seen) {
            foe.possible &= !self.sight & !own;
        }
        self.with_particles(|particles, track| particles.prune(rules, track));
    }

    /// Puts together what one event taught.
    fn settle(&mut self, rules: &Battle) {
        self.look(rules);
        if std::mem::take(&mut self.enemy_moved) {
            self.with_particles(|particles, track| particles.advance(rules, track));
        }
        if self.is_mine() {
            self.prune(rules);
        }
    }

    fn with_particles(&mut self, then: impl FnOnce(&mut Particles, &Track)) {
        if let Some(mut particles) = self.particles.take() {
            then(&mut particles, self);
            self.particles = Some(particles);
        }
    }
}

impl Battle {
    /// Where a unit may be after a move from any of some cells. What may be anything flies.
    pub(super) fn spread(&self, kind: Option<Kind>, from: u64, blocked: u64) -> u64 {
        self.ground.reach(kind.unwrap_or(Kind::Fighter), from, blocked)
    }
}

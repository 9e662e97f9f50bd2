//! Worlds in which a side knows what it knows.
//!
//! How the enemy's units are placed is a choice of method. All keep what is certain: who is left, what is seen,
//! and that nobody stands where one looks. Only [`Method::Exact`] draws the worlds by the book, as many as there
//! are ways the enemy may have played; it lists them all and so is for small maps. The other methods give the
//! enemy no memory: in their worlds it has seen nothing before the present.

use fogtree_core::{
    BadSpec, Event, Game, Observer, Params, Player, Purpose, Rng, Rules, Seed, Step, Tracked, TrackedInfo,
    TrackedState, Turn, Worlds as Listed,
};

use super::actions::Action;
use super::battle::Battle;
use super::board::{Board, Phase, SLOTS, Unit, ids};
use super::known::Info;
use super::particles::{Cells, Particles};
use super::track::Track;

/// How unseen enemies are placed.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Method {
    /// Anywhere they can stand unseen.
    Uniform,
    /// In the first turns opposite one's own units, later anywhere.
    Mirror,
    /// Anywhere they can have got to from where they were last seen.
    LastSeen,
    /// Anywhere they may be after all that was seen, and not seen.
    Tracked,
    /// As one of many hypotheses has it that are played along.
    Particles(usize),
    /// All worlds are listed, if they are not too many.
    Exact,
}

impl Method {
    pub(super) fn from_params(params: &Params) -> Result<Method, BadSpec> {
        let particles = params.number("particles")?;
        params.choice(
            "sampler",
            &[
                Method::Uniform,
                Method::Mirror,
                Method::LastSeen,
                Method::Tracked,
                Method::Particles(particles),
                Method::Exact,
            ],
        )
    }
}

/// A world: a position and what each side remembers.
pub type State = TrackedState<Board>;

/// Draws worlds.
#[derive(Debug)]
pub struct Worlds(Source);

#[derive(Debug)]
enum Source {
    /// There is only one.
    Info(Box<State>),
    /// All are listed.
    Listed(Box<Listed<Battle>>),
    /// Armies are still being drawn: how many have been, and what the observer saw of it.
    Muster(Box<Track>, Box<State>),
    /// Everybody waits until the public has seen what it has.
    Waiting(Vec<Event>),
    /// Enemies are placed.
    Placed(Box<Placing>),
}

/// How to place the enemies.
#[derive(Debug)]
struct Placing {
    track: Track,
    method: Method,
    /// Everything but the unseen enemies.
    base: State,
}

impl Worlds {
    pub(super) fn of(rules: &Tracked<Battle>, method: Method, known: &Info) -> Worlds {
        let battle = rules.inner();
        if let Some(board) = known.board {
            return Worlds(Source::Info(Box::new(TrackedState::forgotten(board, 2))));
        }
        let Observer::Seat(who) = known.by else {
            return Worlds(Source::Waiting(known.events.clone()));
        };
        if method == Method::Exact {
            let listed = rules.sampler(&TrackedInfo::new(known.by, known.events.clone()));
            if listed.is_listed() {
                return Worlds(Source::Listed(Box::new(listed)));
            }
        }
        let particles = match method {
            Method::Particles(count) => {
                let seed = Seed(known.events.len() as u64).named("particles");
                Some(Particles::new(battle, count, seed.stream(Purpose::Sampling)))
            }
            _ => None,
        };
        let track = Track::of(battle, who, &known.events, particles);
        let mut base = TrackedState::forgotten(battle.opening(), 2);
        base.remember(known.by, &known.events);
        if battle.muster.is_drawn() && track.mustered < 2 {
            return Worlds(Source::Muster(Box::new(track), Box::new(base)));
        }
        base.inner = placed(battle, &track, known);
        Worlds(Source::Placed(Box::new(Placing { track, method, base })))
    }

    pub(super) fn draw(&mut self, rules: &Tracked<Battle>, rng: &mut Rng, into: &mut State) -> f64 {
        let battle = rules.inner();
        match &mut self.0 {
            Source::Info(state) => into.clone_from(state),
            Source::Listed(listed) => return rules.sample(listed, rng, into),
            Source::Muster(track, base) => {
                into.clone_from(base);
                for who in Player::all(usize::from(track.mustered)) {
                    let mut army = battle.muster.draw(&battle.map, who, rng);
                    if who == track.who {
                        for (id, unit) in ids(battle.army[who.index()]).zip(&mut army.units) {
                            *unit = track.own[usize::from(id)];
                        }
                    }
                    battle.enter(&mut into.inner, who, &army.units);
                }
            }
            Source::Waiting(events) => wait(rules, events, rng, into),
            Source::Placed(placing) => placing.draw(battle, rng, into),
        }
        1.0
    }
}

/// Everything but the unseen enemies.
fn placed(rules: &Battle, track: &Track, known: &Info) -> Board {
    let mut board = rules.opening();
    board.units = track.own;
    for id in ids(track.enemies(rules)) {
        let foe = track.foe(id);
        if let (true, true, Some(kind)) = (foe.alive, foe.seen, foe.kind) {
            board.units[usize::from(id)] =
                Unit { kind, cell: foe.possible.trailing_zeros() as u8, hp: foe.hp };
        }
    }
    (board.turn, board.phase, board.bumped) = (track.turn, Phase::Play, 0);
    if track.turn > 1 {
        board.acted = 0;
    } else if track.turn == 1 {
        board.acted &= rules.army[1];
    }
    if let Some(view) = &known.view {
        board.bumped = view.bumped;
        for seen in &view.units {
            board.acted = board.acted & !(1 << seen.id) | u32::from(seen.acted) << seen.id;
        }
    }
    board
}

/// Plays waits from the start until the public has seen these events.
fn wait(rules: &Tracked<Battle>, events: &[Event], rng: &mut Rng, into: &mut State) {
    *into = rules.start();
    while into.events(Observer::Public) != events {
        match rules.turn(into) {
            Turn::Chance => {
                let army = rules.sample_chance(into, rng);
                rules.apply(into, Step::Chance(&army));
            }
            Turn::Player(who) => {
                let unit = rules.inner().ready(&into.inner).trailing_zeros() as u8;
                let stay = Action::Move { unit, to: into.inner.unit(unit).cell };
                rules.apply(into, Step::Moves(&[(who, stay)]));
            }
            Turn::Terminal | Turn::Simultaneous(_) => unreachable!("the public saw the game go on"),
        }
    }
}

impl Placing {
    fn draw(&mut self, rules: &Battle, rng: &mut Rng, into: &mut State) {
        into.clone_from(&self.base);
        let board = &mut into.inner;
        let hidden = self.recruit(rules, rng, board);
        let particle = match &self.track.particles {
            Some(particles) if !particles.alive.is_empty() => Some(*rng.pick(&particles.alive)),
            _ => None,
        };
        let cells = particle.unwrap_or_else(|| self.scatter(rules, &hidden, rng));
        for (id, _) in hidden {
            match cells[usize::from(id)] {
                NOWHERE => board.units[usize::from(id)] = Unit::default(),
                cell => board.units[usize::from(id)].cell = cell,
            }
        }
        for who in Player::all(2) {
            rules.refresh(board, who);
        }
        board.acted &= board.standing;
        if rules.ready(board) == 0 {
            board.acted &= !rules.army[board.mover().index()];
        }
    }

    /// Settles what the unseen enemies are and lists them with the cells where they may be.
    fn recruit(&self, rules: &Battle, rng: &mut Rng, board: &mut Board) -> Vec<(u8, u64)> {
        let mut hidden = Vec::new();
        for id in ids(self.track.enemies(rules)) {
            let foe = self.track.foe(id);
            let may_be = foe.exists || foe.possible != 0 && rng.below(2) == 0;
            let is_there = foe.alive && !foe.seen && may_be;
            let hp = match () {
                () if foe.fought && !rules.fog.enemy_hp => 1 + rng.below(u32::from(foe.hp)) as u8,
                () if foe.last.is_none() && rules.muster.draws_hp() => *rng.pick(&rules.muster.hp_of(foe.hp)),
                () => foe.hp,
            };
            if foe.seen && foe.alive {
                board.units[usize::from(id)].hp = hp;
            }
            if is_there {
                let start = rules.placed(id);
                let kinds = rules.muster.kinds_on(&rules.map, start.cell);
                let kind = foe.kind.unwrap_or_else(|| *rng.pick(&kinds));
                board.units[usize::from(id)] = Unit { kind, cell: 0, hp };
                hidden.push((id, self.candidates(rules, id, kind)));
            }
        }
        hidden
    }

    /// The cells where the method would put an enemy.
    fn candidates(&self, rules: &Battle, id: u8, kind: super::Kind) -> u64 {
        let track = &self.track;
        let foe = track.foe(id);
        let open = rules.ground.enterable(kind) & !track.sight & !track.occupied();
        let set = match self.method {
            Method::Uniform => open,
            Method::Mirror if track.turn <= 1 => mirrored(rules, track.who, id),
            Method::Mirror => open,
            Method::LastSeen => {
                let (cell, after) =
                    foe.last.map_or((rules.placed(id).cell, 0), |(cell, turn)| (cell, turn + 1));
                let theirs = (after..track.turn).filter(|turn| turn & 1 != u16::from(track.who.0)).count();
                (0..theirs).fold(1 << cell, |set, _| rules.ground.reach(kind, set, 0))
            }
            Method::Tracked | Method::Particles(_) | Method::Exact => foe.possible,
        };
        if set & open == 0 { open } else { set & open }
    }

    /// Puts each unseen enemy on a cell of its own, which may mean to look for one elsewhere.
    fn scatter(&self, rules: &Battle, hidden: &[(u8, u64)], rng: &mut Rng) -> Cells {
        const TRIES: usize = 20;
        let bumped = self.base.inner.bumped & !self.track.sight;
        for _ in 0..TRIES {
            if let Some(cells) = assign(hidden, bumped, self.base.inner.units, rng) {
                return cells;
            }
        }
        let rest = rules.ground.all & !self.track.sight & !self.track.occupied();
        matching(hidden, rest, rng)
    }
}

/// One of the ways to put each enemy where it may be, if the first tries succeed.
pub(super) fn scatter(rules: &Battle, track: &Track, rng: &mut Rng) -> Option<Cells> {
    let alive = ids(track.enemies(rules)).filter(|&id| track.foe(id).alive);
    let hidden: Vec<(u8, u64)> = alive.map(|id| (id, track.foe(id).possible)).collect();
    assign(&hidden, 0, [Unit::default(); SLOTS], rng)
}

/// Draws cells one after the other, in random order, first for the cells that must be taken.
fn assign(hidden: &[(u8, u64)], must: u64, units: [Unit; SLOTS], rng: &mut Rng) -> Option<Cells> {
    let mut cells = units.map(|unit| unit.cell);
    let mut order: Vec<(u8, u64)> = hidden.to_vec();
    rng.shuffle(&mut order);
    let mut taken = 0u64;
    for cell in super::board::cells_of(must) {
        if let Some(at) = order.iter().position(|(_, set)| set >> cell & 1 == 1) {
            let (id, _) = order.swap_remove(at);
            cells[usize::from(id)] = cell;
            taken |= 1 << cell;
        }
    }
    for (id, set) in order {
        let free = set & !taken;
        if free == 0 {
            return None;
        }
        let cell = rng.bit_of(free);
        cells[usize::from(id)] = cell as u8;
        taken |= 1 << cell;
    }
    Some(cells)
}

/// The cell of an enemy for which there is none, which can only be one that may be missing.
const NOWHERE: u8 = u8::MAX;

/// Cells for all enemies by augmenting paths; who cannot have one of its own gets one of the rest.
fn matching(hidden: &[(u8, u64)], rest: u64, rng: &mut Rng) -> Cells {
    let mut order: Vec<(u8, u64)> = hidden.to_vec();
    rng.shuffle(&mut order);
    let mut on: [Option<usize>; 64] = [None; 64];
    for enemy in 0..order.len() {
        let mut visited = 0;
        if !augment(&order, enemy, &mut on, &mut visited) {
            let taken = (0..64).filter(|&cell| on[cell].is_some()).fold(0u64, |set, cell| set | 1 << cell);
            if rest & !taken != 0 {
                on[rng.bit_of(rest & !taken) as usize] = Some(enemy);
            }
        }
    }
    let mut cells = [NOWHERE; SLOTS];
    for (cell, enemy) in on.iter().enumerate() {
        if let Some(enemy) = enemy {
            cells[usize::from(order[*enemy].0)] = cell as u8;
        }
    }
    cells
}

fn augment(order: &[(u8, u64)], enemy: usize, on: &mut [Option<usize>; 64], visited: &mut u64) -> bool {
    for cell in super::board::cells_of(order[enemy].1) {
        if *visited >> cell & 1 == 1 {
            continue;
        }
        *visited |= 1 << cell;
        let free = match on[usize::from(cell)] {
            None => true,
            Some(other) => augment(order, other, on, visited),
        };
        if free {
            on[usize::from(cell)] = Some(enemy);
            return true;
        }
    }
    false
}

/// The cell opposite the own unit that is the enemy's counterpart: the first of its kind for the first, and so
/// on. None if there is no such unit.
fn mirrored(rules: &Battle, who: Player, id: u8) -> u64 {
    let kind = rules.placed(id).kind;
    let same =
        |side: Player| ids(rules.army[side.index()]).filter(move |&unit| rules.placed(unit).kind == kind);
    let cells: Vec<u8> = same(who).map(|own| rules.map.mirrored(rules.placed(own).cell)).collect();
    let place = same(who.other()).position(|unit| unit == id);
    // Kept in the order in which the enemy's own units stand, so that the picture is the truth where it can be.
    let at = rules.placed(id).cell;
    if cells.contains(&at) {
        return 1 << at;
    }
    place.and_then(|place| cells.get(place)).map_or(0, |cell| 1 << cell)
}

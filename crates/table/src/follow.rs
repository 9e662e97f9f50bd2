//! Where a line of play leads that a search has thought of.
//!
//! A search tree of hidden information says what somebody does and sees, not in which world. To show what its
//! player would see at a node, worlds are drawn from the information set that was searched until the way to
//! the node can be played in one of them; whoever is not named in it does something that looks as it says.

use fogtree_core::explain::{Decider, Reached};
use fogtree_core::{
    Deadline, InfoSet, LineStep, Move, Observer, Outcome, Player, Players, Rng, Turn, World, WorldStep,
};

/// A world in which the way to a node of a search tree has been played, if one was found in time.
///
/// The tree is that of the player `by`; `path` says how each node from its root to this one was reached, and
/// `turn` who decides there. If the turn is not complete at the node, the world is that before it.
pub fn follow_path(
    info: &InfoSet,
    by: Player,
    path: &[Reached],
    turn: Option<Decider>,
    rng: &mut Rng,
    until: &Deadline,
) -> Option<Box<dyn World>> {
    let marks = marks_of(path);
    let mut follower = Follower::new(info, by, &marks, turn, rng, until);
    follower.search().then(|| follower.best.pop().map(|(_, world)| world)).flatten()
}

/// Worlds in which a principal variation has been played as far as possible, one after each of its steps.
pub fn follow_line(
    info: &InfoSet,
    line: &[LineStep],
    rng: &mut Rng,
    until: &Deadline,
) -> Vec<Option<Box<dyn World>>> {
    let mark = |step: &LineStep| match step.by {
        Some(player) => Mark::Move(player, step.name.clone()),
        None => Mark::Told(step.name.clone()),
    };
    let marks: Vec<Mark> = line.iter().map(mark).collect();
    let mut follower = Follower::new(info, info.seat, &marks, None, rng, until);
    follower.search();
    let mut worlds: Vec<Option<Box<dyn World>>> = line.iter().map(|_| None).collect();
    let mut from = 0;
    for (to, world) in follower.best {
        worlds[from..to].iter_mut().for_each(|place| *place = Some(world.clone()));
        from = to;
    }
    worlds
}

/// Something that happens on the way.
#[derive(Clone, PartialEq, Eq, Debug)]
enum Mark {
    /// A player moves. The name is that of the move, or says what is seen of it.
    Move(Player, String),
    /// Chance draws.
    Chance(String),
    /// This is seen and nothing else.
    Seen(Vec<String>),
    /// Chance draws this or it is seen; other things may be seen besides.
    Told(String),
}

fn marks_of(path: &[Reached]) -> Vec<Mark> {
    let mut marks: Vec<Mark> = Vec::with_capacity(path.len());
    for reached in path {
        let seen = match reached {
            Reached::Move(player, name) => {
                marks.push(Mark::Move(*player, name.clone()));
                continue;
            }
            Reached::Chance(name) => {
                marks.push(Mark::Chance(name.clone()));
                continue;
            }
            Reached::Root => &[][..],
            Reached::Seen(words) => words,
        };
        match marks.last_mut() {
            Some(Mark::Seen(words)) => words.extend_from_slice(seen),
            _ => marks.push(Mark::Seen(seen.to_vec())),
        }
    }
    marks
}

/// How far along the way somebody is.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
struct Place {
    /// The mark to come, or of which not everything has been seen.
    mark: usize,
    /// How much of it has been seen.
    seen: usize,
}

/// No more worlds are drawn,
const MOST_WORLDS: usize = 2000;
/// and no more steps tried in each.
const MOST_STEPS: u32 = 600;
/// Of more joint moves, or draws of chance that cannot be listed, so many are tried.
const MOST_TRIED: usize = 64;

struct Follower<'a> {
    info: &'a InfoSet,
    by: Player,
    marks: &'a [Mark],
    turn: Option<Decider>,
    rng: &'a mut Rng,
    until: &'a Deadline,
    steps: u32,
    /// The longest way so far: how many marks were passed, with the world then.
    best: Vec<(usize, Box<dyn World>)>,
}

/// A step that may be made, and how far it leads.
enum Tried {
    Moves(Vec<(Player, Move)>),
    Chance(Outcome),
}

impl Tried {
    fn step(&self) -> WorldStep<'_> {
        match self {
            Tried::Moves(moves) => WorldStep::Moves(moves),
            Tried::Chance(outcome) => WorldStep::Chance(outcome),
        }
    }
}

impl<'a> Follower<'a> {
    fn new(
        info: &'a InfoSet,
        by: Player,
        marks: &'a [Mark],
        turn: Option<Decider>,
        rng: &'a mut Rng,
        until: &'a Deadline,
    ) -> Follower<'a> {
        Follower { info, by, marks, turn, rng, until, steps: 0, best: Vec::new() }
    }

    /// Draws worlds until the whole way can be played in one.
    fn search(&mut self) -> bool {
        if let Some(truth) = &self.info.truth {
            return self.try_from(&*truth.world());
        }
        let game = &self.info.game;
        if !game.find_worlds(&self.info.known, None, self.until) {
            return false;
        }
        let (mut sampler, mut world) = (game.sampler(&self.info.known), game.start());
        for _ in 0..MOST_WORLDS {
            sampler.sample(self.rng, &mut *world);
            if self.try_from(&*world) {
                return true;
            }
            if self.until.has_passed() {
                return false;
            }
        }
        false
    }

    fn try_from(&mut self, world: &dyn World) -> bool {
        self.steps = MOST_STEPS;
        self.go(world, Place::default(), &mut Vec::new())
    }

    fn is_there(&self, world: &dyn World, place: Place) -> bool {
        let decides = || match self.turn {
            None => true,
            Some(Decider::Player(player)) => world.turn().players().contains(player),
            Some(Decider::Chance) => world.turn() == Turn::Chance,
        };
        match &self.marks[place.mark.min(self.marks.len())..] {
            [] => true,
            [Mark::Seen(words)] => place.seen == words.len() && decides(),
            _ => false,
        }
    }

    /// Keeps a way that is longer than those before.
    fn keep(&mut self, trail: &[(usize, Box<dyn World>)], marks: usize, world: &dyn World) {
        if self.best.last().is_none_or(|(passed, _)| *passed < marks) {
            self.best = trail.to_vec();
            self.best.push((marks, world.boxed()));
        }
    }

    /// Goes on from a world; `trail` holds the worlds in which marks were passed.
    fn go(&mut self, world: &dyn World, place: Place, trail: &mut Vec<(usize, Box<dyn World>)>) -> bool {
        if self.is_there(world, place) {
            self.keep(trail, self.marks.len(), world);
            return true;
        }
        if self.steps == 0 || self.until.has_passed() {
            return false;
        }
        self.steps -= 1;
        let tried = match world.turn() {
            Turn::Terminal => return false,
            Turn::Chance => self.draws(world, place),
            turn => {
                let (named, after) = self.named(turn.players(), place);
                if after.mark == self.marks.len() && named.len() < turn.players().len() {
                    // The turn is not complete: nobody has seen anything of it.
                    self.keep(trail, after.mark, world);
                    return true;
                }
                self.choices(world, turn.players(), &named, after)
            }
        };
        for (tried, after) in tried {
            let next = world.after(tried.step());
            let passed = after.mark > place.mark;
            if passed {
                self.keep(trail, after.mark, &*next);
                trail.push((after.mark, next.boxed()));
            }
            if self.go(&*next, after, trail) {
                return true;
            }
            if passed {
                trail.pop();
            }
        }
        false
    }

    /// The place at which the next mark counts, once everything has been seen.
    fn ahead(&self, place: Place) -> Option<usize> {
        match self.marks.get(place.mark)? {
            Mark::Seen(words) if place.seen < words.len() => None,
            Mark::Seen(_) => Some(place.mark + 1),
            _ => Some(place.mark),
        }
    }

    /// What chance may draw.
    fn draws(&mut self, world: &dyn World, place: Place) -> Vec<(Tried, Place)> {
        let ahead = self.ahead(place);
        let mut all = Vec::new();
        match ahead.and_then(|mark| self.marks.get(mark).map(|m| (mark, m))) {
            Some((mark, Mark::Chance(name))) => {
                let outcome = world.parse_outcome(name);
                return outcome
                    .map(|o| (Tried::Chance(o), Place { mark: mark + 1, seen: 0 }))
                    .into_iter()
                    .collect();
            }
            Some((mark, Mark::Told(name))) => {
                let outcome = world.parse_outcome(name);
                all.extend(outcome.map(|o| (Tried::Chance(o), Place { mark: mark + 1, seen: 0 })));
            }
            _ => {}
        }
        let mut outcomes = Vec::new();
        world.chances(&mut outcomes);
        if outcomes.is_empty() {
            outcomes.extend((0..MOST_TRIED).map(|_| (world.sample_chance(self.rng), 1.0)));
        }
        self.rng.shuffle(&mut outcomes);
        for (outcome, _) in outcomes {
            if let Some(after) = self.seen(world, WorldStep::Chance(&outcome), place, false) {
                all.push((Tried::Chance(outcome), after));
            }
        }
        all
    }

    /// Which of these players' moves the way names here, and the place after those marks.
    fn named(&self, players: Players, place: Place) -> (Vec<(Player, &'a str)>, Place) {
        let mut named: Vec<(Player, &str)> = Vec::new();
        let Some(mut mark) = self.ahead(place) else { return (named, place) };
        while let Some(Mark::Move(player, name)) = self.marks.get(mark)
            && players.contains(*player)
            && named.iter().all(|(other, _)| other != player)
        {
            named.push((*player, name));
            mark += 1;
        }
        let after = if named.is_empty() { place } else { Place { mark, seen: 0 } };
        (named, after)
    }

    /// What the players to move may choose.
    fn choices(
        &mut self,
        world: &dyn World,
        players: Players,
        named: &[(Player, &str)],
        after: Place,
    ) -> Vec<(Tried, Place)> {
        let mut options: Vec<(Player, Vec<Move>)> = Vec::new();
        let mut by_sight = false;
        for player in players.iter() {
            let mut legal = Vec::new();
            world.legal(player, &mut legal);
            match named.iter().find(|(p, _)| *p == player) {
                Some((_, name)) => by_sight |= self.keep_named(world, player, name, &mut legal),
                // Whose tree it is decides nothing that is not in it.
                None if player == self.by => return Vec::new(),
                None => self.keep_told(player, after, &mut legal),
            }
            self.rng.shuffle(&mut legal);
            options.push((player, legal));
        }
        let mut all = Vec::new();
        for moves in self.joint(&options) {
            if let Some(after) = self.seen(world, WorldStep::Moves(&moves), after, by_sight) {
                all.push((Tried::Moves(moves), after));
            }
        }
        all
    }

    /// Leaves the move of this name, or those that are seen like this; answers whether the latter.
    fn keep_named(&self, world: &dyn World, player: Player, name: &str, legal: &mut Vec<Move>) -> bool {
        let game = &self.info.game;
        if let Some(&found) = legal.iter().find(|&&mv| game.move_name(mv) == name) {
            *legal = vec![found];
            return false;
        }
        let by = Observer::Seat(self.by);
        legal.retain(|&mv| {
            let seen = world.observe(WorldStep::Moves(&[(player, mv)]), by);
            seen.map_or(name == "(unseen)", |seen| game.explain(&seen, by) == name)
        });
        true
    }

    /// Leaves the move that the way says somebody made at the same time, if it says so.
    fn keep_told(&self, player: Player, after: Place, legal: &mut Vec<Move>) {
        let Some(Mark::Seen(words)) = self.marks.get(after.mark) else { return };
        let told = |mv: Move| played(player, &self.info.game.move_name(mv));
        if let Some(&found) = legal.iter().find(|&&mv| words[after.seen..].contains(&told(mv))) {
            *legal = vec![found];
        }
    }

    /// Combinations of one move of each player: all, or some of too many.
    fn joint(&mut self, options: &[(Player, Vec<Move>)]) -> Vec<Vec<(Player, Move)>> {
        let count = options.iter().try_fold(1usize, |count, (_, moves)| count.checked_mul(moves.len()));
        let listed = count.filter(|&count| count <= MOST_TRIED || options.len() == 1);
        let Some(count) = listed else {
            let draw = |_| options.iter().map(|(p, moves)| (*p, *self.rng.pick(moves))).collect();
            return (0..MOST_TRIED).map(draw).collect();
        };
        let one = |mut number: usize| {
            let choose = |(player, moves): &(Player, Vec<Move>)| {
                let place = number % moves.len();
                number /= moves.len();
                (*player, moves[place])
            };
            options.iter().map(choose).collect()
        };
        (0..count).map(one).collect()
    }

    /// The place after a step, if what is seen of it is what the way says.
    fn seen(
        &self,
        world: &dyn World,
        step: WorldStep<'_>,
        mut place: Place,
        by_sight: bool,
    ) -> Option<Place> {
        let game = &self.info.game;
        if let Some(Mark::Seen(words)) = self.marks.get(place.mark) {
            let moves = step.moves().iter().map(|&(p, mv)| played(p, &game.move_name(mv)));
            let made: Vec<String> = if step.moves().len() > 1 { moves.collect() } else { Vec::new() };
            while words.get(place.seen).is_some_and(|word| made.contains(word)) {
                place.seen += 1;
            }
        }
        let by = Observer::Seat(self.by);
        let Some(seen) = world.observe(step, by).filter(|_| !by_sight) else { return Some(place) };
        let words = game.explain(&seen, by);
        match self.marks.get(place.mark) {
            Some(Mark::Seen(expected)) => {
                (expected.get(place.seen) == Some(&words)).then_some(Place { seen: place.seen + 1, ..place })
            }
            Some(Mark::Told(expected)) if *expected == words => Some(Place { mark: place.mark + 1, seen: 0 }),
            _ => Some(place),
        }
    }
}

/// How searches say what somebody chose at the same time.
fn played(player: Player, name: &str) -> String {
    format!("player {player} plays {name}")
}

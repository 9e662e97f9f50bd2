//! Whole games, walked once into their sequence form, to be solved as long as there is time.

use std::sync::Arc;
use std::time::{Duration, Instant};

use fogtree_core::world::Eyes;
use fogtree_core::{
    AverageStrategy, Chance, Deadline, Key, Model, Move, Outcome, Player, Purpose, Seed, Turn, Utility,
    World, WorldStep,
};

use super::form::{Form, worth};
use crate::kit::keyed::start_keys;

/// Why a whole game is not there.
#[derive(Clone, Copy, PartialEq, Debug, thiserror::Error)]
pub enum NotWalked {
    /// It is not a game for two players of whom one wins what the other loses.
    #[error("it is not a game for two players with rewards of a constant sum")]
    NotOpposed,
    /// Its tree is too large.
    #[error("its tree has more than {0} nodes")]
    TooLarge(usize),
    /// What chance draws cannot be listed.
    #[error("its chance cannot be listed")]
    SampledChance,
    /// There was not enough time.
    #[error("its tree was not walked in time")]
    OutOfTime,
}

/// About how large a tree is, and how long it takes to walk it.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Size {
    /// Nodes; those of a simultaneous turn are counted together.
    pub nodes: f64,
    /// The time that a walk takes.
    pub time: Duration,
}

/// Paths that an estimate is made of.
const PROBES: u32 = 64;
/// The most steps of all of them.
const MOST_STEPS: u32 = 1 << 16;
/// Estimates may be wrong by much. Below so many times the limit the walk itself decides.
const DOUBT: f64 = 4.0;
/// The clock is looked at once per so many nodes.
const LOOK: usize = 64;

impl Size {
    /// The mean over random paths of the products of the numbers of children along them (Knuth 1975).
    pub fn estimate(game: &dyn Model, until: &Deadline) -> Size {
        let mut rng = Seed(0).named("size of a game tree").stream(Purpose::Sampling);
        let (start, mut world) = (game.start(), game.start());
        let (mut legal, mut outcomes, mut moves) = (Vec::new(), Vec::new(), Vec::new());
        let (mut total, mut steps, mut probes) = (0.0, 0u32, 0);
        let began = Instant::now();
        while probes < PROBES && steps < MOST_STEPS && !until.has_passed() {
            world.clone_from(&start);
            let (mut nodes, mut turn) = (1.0, world.turn());
            total += nodes;
            while turn != Turn::Terminal && steps < MOST_STEPS && !until.has_passed() {
                turn = if turn == Turn::Chance {
                    outcomes.clear();
                    world.chances(&mut outcomes);
                    nodes *= outcomes.len().max(1) as f64;
                    world.play_chance(&mut rng, Eyes::Closed)
                } else {
                    moves.clear();
                    for p in turn.players().iter() {
                        legal.clear();
                        world.legal(p, &mut legal);
                        nodes *= legal.len() as f64;
                        moves.push((p, *rng.pick(&legal)));
                    }
                    world.play(&moves, Eyes::Closed)
                };
                total += nodes;
                steps += 1;
            }
            probes += 1;
        }
        let nodes = total / f64::from(probes.max(1));
        let time = began.elapsed().as_secs_f64() / f64::from(steps.max(1)) * nodes;
        Size { nodes, time: Duration::try_from_secs_f64(time).unwrap_or(Duration::MAX) }
    }
}

/// A whole game in sequence form, with what was learnt about it so far.
#[derive(Clone, Debug)]
pub struct WholeGame {
    pub(super) form: Form,
    nodes: usize,
    depth: usize,
}

impl WholeGame {
    /// Walks a game of at most so many nodes, in time or not at all.
    pub fn walk(game: &Arc<dyn Model>, nodes: usize, until: &Deadline) -> Result<WholeGame, NotWalked> {
        let facts = game.facts();
        if facts.players != 2 || facts.utility == Utility::General {
            return Err(NotWalked::NotOpposed);
        }
        if facts.chance == Chance::Sampled {
            return Err(NotWalked::SampledChance);
        }
        WholeGame::walk_size(game, nodes, Size::estimate(&**game, until), until)
    }

    /// The same for a game of which the size is estimated.
    pub(super) fn walk_size(
        game: &Arc<dyn Model>,
        nodes: usize,
        size: Size,
        until: &Deadline,
    ) -> Result<WholeGame, NotWalked> {
        if size.nodes > DOUBT * nodes as f64 {
            return Err(NotWalked::TooLarge(nodes));
        }
        if until.left().is_some_and(|left| size.time > left.mul_f64(DOUBT)) {
            return Err(NotWalked::OutOfTime);
        }
        let mut walk =
            Walk { limit: nodes, until, game: WholeGame { form: Form::new(), nodes: 1, depth: 0 } };
        walk.run(&**game)?;
        Ok(walk.game)
    }

    /// How many nodes the tree has.
    pub fn nodes(&self) -> usize {
        self.nodes
    }

    /// The longest way to an end.
    pub fn depth(&self) -> usize {
        self.depth
    }

    /// Makes an iteration of regret minimisation: both players are updated once.
    pub fn iterate(&mut self) {
        self.form.iterate();
    }

    /// Iterations made.
    pub fn iterations(&self) -> u64 {
        self.form.iterations()
    }

    /// Forgets what was learnt.
    pub fn forget(&mut self) {
        self.form.forget();
    }

    /// The average strategy in the information set with this key, in the order of its moves.
    pub fn strategy(&self, who: Player, key: Key) -> Option<Vec<f64>> {
        let mut strategy = Vec::new();
        self.form.write_average(who, self.form.find(who, key)?, &mut strategy);
        Some(strategy)
    }

    /// The average strategies of both players.
    pub fn average_strategies(&self, tell: &mut dyn FnMut(AverageStrategy<'_>)) {
        self.form.average_strategies(tell);
    }

    /// The mean of what the players would gain by best responses to the average strategies.
    pub fn exploitability(&self) -> f64 {
        self.form.judge(None).exploitability
    }

    /// What the average strategies earn the first player, beyond half of what both get.
    pub fn value(&self) -> f64 {
        self.form.judge(None).value
    }
}

/// What follows at a level of the walk.
#[derive(Clone, Copy)]
enum Following {
    Outcomes,
    /// The first sequence and the number of moves of each of these players; one of them may choose alone.
    Choices {
        players: [Player; 2],
        both: bool,
        first: [u32; 2],
        counts: [u32; 2],
    },
}

/// A history on the way down, and which of its children come next.
struct Level {
    world: Box<dyn World>,
    keys: [Key; 2],
    sequences: [u32; 2],
    chance: f64,
    following: Following,
    outcomes: Vec<(Outcome, f64)>,
    next: u32,
    count: u32,
}

struct Walk<'a> {
    limit: usize,
    until: &'a Deadline,
    game: WholeGame,
}

impl Walk<'_> {
    fn run(&mut self, game: &dyn Model) -> Result<(), NotWalked> {
        let level = || Level {
            world: game.start(),
            keys: start_keys(),
            sequences: [0; 2],
            chance: 1.0,
            following: Following::Outcomes,
            outcomes: Vec::new(),
            next: 0,
            count: 0,
        };
        let mut levels = vec![level()];
        let turn = levels[0].world.turn();
        self.enter(&mut levels[0], turn)?;
        let mut depth = 0;
        loop {
            if levels[depth].next == levels[depth].count {
                if depth == 0 {
                    return Ok(());
                }
                depth -= 1;
                continue;
            }
            if depth + 1 == levels.len() {
                levels.push(level());
                self.game.depth = depth + 1;
            }
            self.game.nodes += 1;
            if self.game.nodes > self.limit {
                return Err(NotWalked::TooLarge(self.limit));
            }
            if self.game.nodes.is_multiple_of(LOOK) && self.until.has_passed() {
                return Err(NotWalked::OutOfTime);
            }
            let (above, below) = levels.split_at_mut(depth + 1);
            let turn = self.step(&mut above[depth], &mut below[0]);
            if turn == Turn::Terminal {
                let Level { world, sequences, chance, .. } = &below[0];
                self.game.form.push_leaf(*sequences, *chance, worth(&world.rewards()));
            } else {
                self.enter(&mut below[0], turn)?;
                depth += 1;
            }
        }
    }

    /// Makes the next child.
    #[inline]
    fn step(&self, above: &mut Level, below: &mut Level) -> Turn {
        let number = above.next;
        above.next += 1;
        (below.keys, below.sequences, below.chance) = (above.keys, above.sequences, above.chance);
        match above.following {
            Following::Outcomes => {
                let (outcome, p) = &above.outcomes[number as usize];
                below.chance *= p;
                let step = WorldStep::Chance(outcome);
                above.world.look(step, Eyes::Both(&mut below.keys));
                below.world.clone_from(&above.world.after(step));
                below.world.turn()
            }
            Following::Choices { players, both, first, counts } => {
                let form = &self.game.form;
                let choice = |i: usize, number: u32| -> (u32, (Player, Move)) {
                    let sequence = first[i] + number;
                    (sequence, (players[i], form.move_of(players[i], sequence as usize)))
                };
                below.world.clone_from(&above.world);
                if both {
                    let (a, one) = choice(0, number / counts[1]);
                    let (b, other) = choice(1, number % counts[1]);
                    below.sequences = [a, b];
                    below.world.play(&[one, other], Eyes::Both(&mut below.keys))
                } else {
                    let (sequence, one) = choice(0, number);
                    below.sequences[players[0].index()] = sequence;
                    below.world.play(&[one], Eyes::Both(&mut below.keys))
                }
            }
        }
    }

    /// Lists what can follow.
    #[inline]
    fn enter(&mut self, level: &mut Level, turn: Turn) -> Result<(), NotWalked> {
        level.next = 0;
        if turn == Turn::Chance {
            level.outcomes.clear();
            level.world.chances(&mut level.outcomes);
            level.outcomes.retain(|(_, p)| *p > 0.0);
            level.following = Following::Outcomes;
            level.count = level.outcomes.len() as u32;
            return if level.count > 0 { Ok(()) } else { Err(NotWalked::SampledChance) };
        }
        let (mut players, mut first, mut counts) = ([Player(0), Player(1)], [0; 2], [1; 2]);
        for (i, p) in turn.players().iter().enumerate() {
            let (key, parent) = (level.keys[p.index()], level.sequences[p.index()]);
            let set = self.game.form.find_or_add(p, key, parent, &*level.world);
            let actions = self.game.form.actions(p, set);
            (players[i], first[i], counts[i]) = (p, actions.start as u32, actions.len() as u32);
        }
        level.following = Following::Choices { players, both: turn.players().len() == 2, first, counts };
        level.count = counts[0].saturating_mul(counts[1]);
        Ok(())
    }
}

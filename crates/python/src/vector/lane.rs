//! One of many tables: a world, its randomness, and what learners see of it as numbers in arrays.

use fogtree_core::{Eyes, Model, Move, Player, Players, Purpose, Rng, Seed, Turn, World};

/// Games that are over before anybody moves are left out; after so many in a row something is wrong.
const MOST_EMPTY: u32 = 1000;

/// How many entries each table has in each array.
#[derive(Clone, Copy)]
pub(super) struct Shape {
    /// Players of the game.
    pub(super) players: usize,
    /// Choices made at once: 1, or one for each player where moves are simultaneous.
    pub(super) places: usize,
    /// Moves of the game.
    pub(super) moves: usize,
    /// Numbers of an observation; 0 if nobody asked for observations.
    pub(super) numbers: usize,
}

/// What learners see of some tables: arrays with an entry, or a row of them, for each.
pub(super) struct Rows<'a> {
    pub(super) current_player: &'a mut [i8],
    pub(super) to_move: &'a mut [bool],
    pub(super) legal_mask: &'a mut [bool],
    pub(super) observations: &'a mut [f32],
    pub(super) rewards: &'a mut [f32],
    pub(super) done: &'a mut [bool],
    pub(super) seeds: &'a mut [u64],
}

impl<'a> Rows<'a> {
    /// The rows of the first tables, and those of the others.
    pub(super) fn split(self, shape: Shape, tables: usize) -> (Rows<'a>, Rows<'a>) {
        let (current_player, current_players) = self.current_player.split_at_mut(tables);
        let (to_move, to_moves) = self.to_move.split_at_mut(tables * shape.players);
        let (legal_mask, legal_masks) = self.legal_mask.split_at_mut(tables * shape.places * shape.moves);
        let (seen, seens) = self.observations.split_at_mut(tables * shape.places * shape.numbers);
        let (rewards, more_rewards) = self.rewards.split_at_mut(tables * shape.players);
        let (done, dones) = self.done.split_at_mut(tables);
        let (seed, seeds) = self.seeds.split_at_mut(tables);
        let first =
            Rows { current_player, to_move, legal_mask, observations: seen, rewards, done, seeds: seed };
        let others = Rows {
            current_player: current_players,
            to_move: to_moves,
            legal_mask: legal_masks,
            observations: seens,
            rewards: more_rewards,
            done: dones,
            seeds,
        };
        (first, others)
    }

    /// The rows of one table.
    fn of(&mut self, shape: Shape, table: usize) -> Rows<'_> {
        fn row<T>(all: &mut [T], table: usize, width: usize) -> &mut [T] {
            &mut all[table * width..(table + 1) * width]
        }
        Rows {
            current_player: row(self.current_player, table, 1),
            to_move: row(self.to_move, table, shape.players),
            legal_mask: row(self.legal_mask, table, shape.places * shape.moves),
            observations: row(self.observations, table, shape.places * shape.numbers),
            rewards: row(self.rewards, table, shape.players),
            done: row(self.done, table, 1),
            seeds: row(self.seeds, table, 1),
        }
    }
}

/// One table.
pub(super) struct Lane {
    world: Box<dyn World>,
    /// Where the seeds of its games come from, and how many have begun.
    seed: Seed,
    games: u64,
    /// The seed of the game that is going on, and what chance draws from in it.
    deal_seed: Seed,
    deal: Rng,
    /// What random moves are drawn from.
    random: Rng,
    /// Who chooses now, and what those have chosen before whose choice is still open to nobody.
    choosing: Players,
    chosen: Vec<(Player, Move)>,
    /// The legal moves, by place.
    legal: Vec<Vec<Move>>,
}

impl Lane {
    /// A table with this number at which no game has begun.
    pub(super) fn new(start: &dyn World, seed: Seed, number: u64, shape: Shape) -> Lane {
        let seed = seed.number(number);
        Lane {
            world: start.boxed(),
            seed,
            games: 0,
            deal_seed: seed,
            deal: seed.stream(Purpose::Deal),
            random: seed.named("moves").stream(Purpose::Playout),
            choosing: Players::default(),
            chosen: Vec::with_capacity(shape.players),
            legal: vec![Vec::new(); shape.places],
        }
    }

    /// Begins the next game.
    pub(super) fn restart(&mut self, start: &dyn World) {
        for _ in 0..MOST_EMPTY {
            self.deal_seed = self.seed.number(self.games);
            self.deal = self.deal_seed.stream(Purpose::Deal);
            self.games += 1;
            self.chosen.clear();
            self.world.copy_from(start);
            let turn = self.world.turn();
            if self.go_on(turn) {
                return;
            }
        }
        panic!("{MOST_EMPTY} games in a row were over before anybody moved");
    }

    /// Lets chance draw until players choose; false if the game is over.
    fn go_on(&mut self, mut turn: Turn) -> bool {
        while turn == Turn::Chance {
            turn = self.world.play_chance(&mut self.deal, Eyes::Closed);
        }
        self.choosing = turn.players();
        turn != Turn::Terminal
    }

    /// The player who chooses at a place, if one does. With one place, players who move at the same time choose one
    /// after the other.
    fn chooser(&self, place: usize) -> Option<Player> {
        if self.legal.len() == 1 {
            return self.choosing.iter().nth(self.chosen.len());
        }
        Some(Player(place as u8)).filter(|&p| self.choosing.contains(p))
    }

    /// Whether these moves, one for each place, can be made; the place and the player of the first that cannot be.
    pub(super) fn check(&self, moves: &[i64]) -> Result<(), (usize, Player)> {
        for (place, &mv) in moves.iter().enumerate() {
            let Some(who) = self.chooser(place) else { continue };
            let legal = &self.legal[place];
            if !u32::try_from(mv).is_ok_and(|mv| legal.binary_search(&mv).is_ok()) {
                return Err((place, who));
            }
        }
        Ok(())
    }

    /// The legal moves at a place.
    pub(super) fn legal(&self, place: usize) -> &[Move] {
        &self.legal[place]
    }

    /// Draws a legal move for each place, all equally likely; -1 where nobody chooses.
    pub(super) fn draw(&mut self, moves: &mut [i64]) {
        for (place, mv) in moves.iter_mut().enumerate() {
            let who = self.chooser(place);
            *mv = who.map_or(-1, |who| i64::from(self.world.random_move(who, &mut self.random)));
        }
    }

    /// Makes legal moves, one for each place; if the game is over then, hands the rewards on and begins the next one.
    /// Answers whether it was over.
    pub(super) fn step(&mut self, moves: &[i64], start: &dyn World, rewards: &mut [f32]) -> bool {
        for (place, &mv) in moves.iter().enumerate() {
            if let Some(who) = self.chooser(place) {
                self.chosen.push((who, mv as Move));
            }
        }
        rewards.fill(0.0);
        if self.chosen.len() < self.choosing.len() {
            return false;
        }
        let turn = self.world.play(&self.chosen, Eyes::Closed);
        self.chosen.clear();
        if self.go_on(turn) {
            return false;
        }
        rewards.iter_mut().zip(self.world.rewards().iter()).for_each(|(to, from)| *to = *from as f32);
        self.restart(start);
        true
    }

    /// Lists legal moves and writes down what learners see of the position.
    fn show(&mut self, shape: Shape, rows: &mut Rows<'_>) {
        rows.seeds[0] = self.deal_seed.0;
        rows.to_move.fill(false);
        rows.legal_mask.fill(false);
        rows.current_player[0] = -1;
        for place in 0..shape.places {
            let who = self.chooser(place);
            let listed = &mut self.legal[place];
            listed.clear();
            let mask = &mut rows.legal_mask[place * shape.moves..(place + 1) * shape.moves];
            let seen = &mut rows.observations[place * shape.numbers..(place + 1) * shape.numbers];
            let Some(who) = who else {
                seen.fill(0.0);
                continue;
            };
            self.world.legal(who, listed);
            listed.iter().for_each(|&mv| mask[mv as usize] = true);
            if !seen.is_empty() {
                self.world.tensor(who, seen);
            }
            rows.to_move[who.index()] = true;
            if shape.places == 1 || self.choosing.len() == 1 {
                rows.current_player[0] = who.0 as i8;
            }
        }
    }
}

/// What is to be done at every table.
#[derive(Clone, Copy)]
pub(super) enum Work<'a> {
    /// Begin the next game.
    Restart,
    /// Make these moves, so many for each table as it has places.
    Step(&'a [i64]),
    /// Make so many random moves.
    Random(u64),
}

/// Does the work at some tables, the first of which has this number; answers how many games ended.
pub(super) fn run(
    work: Work<'_>,
    lanes: &mut [Lane],
    first: usize,
    mut rows: Rows<'_>,
    start: &dyn World,
    shape: Shape,
) -> u64 {
    let (mut over, mut drawn) = (0, vec![0; shape.places]);
    for (i, lane) in lanes.iter_mut().enumerate() {
        let mut row = rows.of(shape, i);
        row.done[0] = match work {
            Work::Restart => {
                row.rewards.fill(0.0);
                lane.restart(start);
                false
            }
            Work::Step(moves) => {
                let from = (first + i) * shape.places;
                lane.step(&moves[from..from + shape.places], start, row.rewards)
            }
            Work::Random(steps) => {
                let mut done = false;
                for step in 0..steps {
                    lane.draw(&mut drawn);
                    done = lane.step(&drawn, start, row.rewards);
                    over += u64::from(done && step + 1 < steps);
                }
                done
            }
        };
        over += u64::from(row.done[0]);
        lane.show(shape, &mut row);
    }
    over
}

/// Does the work at all tables in some threads; answers how many games ended.
pub(super) fn run_in_threads(
    work: Work<'_>,
    lanes: &mut [Lane],
    rows: Rows<'_>,
    model: &dyn Model,
    shape: Shape,
    threads: usize,
) -> u64 {
    let share = lanes.len().div_ceil(threads);
    if share == lanes.len() {
        return run(work, lanes, 0, rows, &*model.start(), shape);
    }
    std::thread::scope(|scope| {
        let (mut rest, mut running) = (Some(rows), Vec::new());
        for (number, lanes) in lanes.chunks_mut(share).enumerate() {
            let (mine, others) = rest.take().expect("rows are left").split(shape, lanes.len());
            rest = Some(others);
            let task = move || run(work, lanes, number * share, mine, &*model.start(), shape);
            running.push(scope.spawn(task));
        }
        // All threads are waited for before what one of them raised goes on.
        let done: Vec<_> = running.into_iter().map(std::thread::ScopedJoinHandle::join).collect();
        done.into_iter().map(|done| done.unwrap_or_else(|panic| std::panic::resume_unwind(panic))).sum()
    })
}

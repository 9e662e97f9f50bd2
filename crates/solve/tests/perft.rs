//! Board games against published counts, and against second implementations without bit tricks.
//!
//! The second implementations are slow and plain on purpose: arrays of cells, one step at a time.

use std::collections::HashSet;

use fogtree_core::{Notation, Player, Purpose, Rules, Seed, Step, Turn};
use fogtree_games::connect_four::{self, ConnectFour};
use fogtree_games::othello::{self, Othello};
use fogtree_solve::walk::{count, each_step, perft};

/// A two-player game without chance; moves are the codes of the fast game's actions.
trait Slow: Clone {
    /// The seat to move; none when the game is over.
    fn turn(&self) -> Option<u8>;
    fn legal(&self) -> Vec<u64>;
    fn play(&mut self, code: u64);
    fn winner(&self) -> Option<u8>;
}

/// Cells, column by column from the bottom.
#[derive(Clone)]
struct SlowConnectFour {
    cells: [Option<u8>; 64],
    columns: usize,
    rows: usize,
    connect: usize,
    next: u8,
    winner: Option<u8>,
}

impl SlowConnectFour {
    fn new(columns: usize, rows: usize, connect: usize) -> SlowConnectFour {
        SlowConnectFour { cells: [None; 64], columns, rows, connect, next: 0, winner: None }
    }

    fn cell(&self, column: i32, row: i32) -> Option<u8> {
        let on_board = (0..self.columns as i32).contains(&column) && (0..self.rows as i32).contains(&row);
        if on_board { self.cells[column as usize * self.rows + row as usize] } else { None }
    }

    /// How many stones of one kind follow one another from a cell on, the cell not counted.
    fn run(&self, (column, row): (i32, i32), (dx, dy): (i32, i32)) -> usize {
        let of = self.cell(column, row);
        (1..).take_while(|i| self.cell(column + i * dx, row + i * dy) == of).count()
    }
}

impl Slow for SlowConnectFour {
    fn turn(&self) -> Option<u8> {
        (self.winner.is_none() && !self.legal().is_empty()).then_some(self.next)
    }

    fn legal(&self) -> Vec<u64> {
        (0..self.columns as u64).filter(|&c| self.cell(c as i32, self.rows as i32 - 1).is_none()).collect()
    }

    fn play(&mut self, code: u64) {
        let column = code as i32;
        let row = (0..).find(|&row| self.cell(column, row).is_none()).unwrap();
        self.cells[column as usize * self.rows + row as usize] = Some(self.next);
        let at = (column, row);
        let lines = [(1, 0), (0, 1), (1, 1), (1, -1)];
        if lines.iter().any(|&(x, y)| self.run(at, (x, y)) + 1 + self.run(at, (-x, -y)) >= self.connect) {
            self.winner = Some(self.next);
        }
        self.next = 1 - self.next;
    }

    fn winner(&self) -> Option<u8> {
        self.winner
    }
}

/// Squares by row and column.
#[derive(Clone)]
struct SlowOthello {
    squares: Vec<Vec<Option<u8>>>,
    next: u8,
}

const PASS: u64 = 64;

impl SlowOthello {
    fn new(size: usize) -> SlowOthello {
        let mut squares = vec![vec![None; size]; size];
        let half = size / 2;
        (squares[half - 1][half - 1], squares[half][half]) = (Some(1), Some(1));
        (squares[half - 1][half], squares[half][half - 1]) = (Some(0), Some(0));
        SlowOthello { squares, next: 0 }
    }

    fn square(&self, row: i32, column: i32) -> Option<u8> {
        let row = self.squares.get(usize::try_from(row).ok()?)?;
        row.get(usize::try_from(column).ok()?).copied().flatten()
    }

    /// The squares that a disc of `who` here would turn over.
    fn turned(&self, who: u8, row: usize, column: usize) -> Vec<(usize, usize)> {
        let mut turned = Vec::new();
        for (dy, dx) in [(-1, -1), (-1, 0), (-1, 1), (0, -1), (0, 1), (1, -1), (1, 0), (1, 1)] {
            let at = |i: i32| (row as i32 + i * dy, column as i32 + i * dx);
            let enemies =
                (1..).take_while(|&i| self.square(at(i).0, at(i).1) == Some(1 - who)).count() as i32;
            let (y, x) = at(enemies + 1);
            if self.square(y, x) == Some(who) {
                turned.extend((1..=enemies).map(|i| (at(i).0 as usize, at(i).1 as usize)));
            }
        }
        turned
    }

    fn placements(&self, who: u8) -> Vec<u64> {
        let size = self.squares.len();
        let all = (0..size).flat_map(|row| (0..size).map(move |column| (row, column)));
        let empty = all.filter(|&(row, column)| self.squares[row][column].is_none());
        let legal = empty.filter(|&(row, column)| !self.turned(who, row, column).is_empty());
        legal.map(|(row, column)| (8 * row + column) as u64).collect()
    }
}

impl Slow for SlowOthello {
    fn turn(&self) -> Option<u8> {
        (0..2).any(|who| !self.placements(who).is_empty()).then_some(self.next)
    }

    fn legal(&self) -> Vec<u64> {
        Some(self.placements(self.next)).filter(|p| !p.is_empty()).unwrap_or(vec![PASS])
    }

    fn play(&mut self, code: u64) {
        if code != PASS {
            let (row, column) = (code as usize / 8, code as usize % 8);
            for (y, x) in self.turned(self.next, row, column) {
                self.squares[y][x] = Some(self.next);
            }
            self.squares[row][column] = Some(self.next);
        }
        self.next = 1 - self.next;
    }

    fn winner(&self) -> Option<u8> {
        let count = |who| self.squares.iter().flatten().filter(|s| **s == Some(who)).count();
        match count(0).cmp(&count(1)) {
            std::cmp::Ordering::Greater => Some(0),
            std::cmp::Ordering::Less => Some(1),
            std::cmp::Ordering::Equal => None,
        }
    }
}

fn connect_four(columns: usize, rows: usize, connect: usize) -> (ConnectFour, SlowConnectFour) {
    let spec = format!("connect-four(columns={columns},rows={rows},connect={connect})").parse().unwrap();
    let params = connect_four::ABOUT.params(&spec).unwrap();
    (ConnectFour::from_params(&params).unwrap(), SlowConnectFour::new(columns, rows, connect))
}

fn othello(size: usize) -> (Othello, SlowOthello) {
    let params = othello::ABOUT.params(&format!("othello(size={size})").parse().unwrap()).unwrap();
    (Othello::from_params(&params).unwrap(), SlowOthello::new(size))
}

/// Histories of exactly so many steps, and how many of them are finished games.
fn counts<R: Rules>(rules: &R, state: &R::State, steps: u32) -> (u64, u64) {
    let turn = rules.turn(state);
    if steps == 0 {
        return (1, u64::from(turn == Turn::Terminal));
    }
    let mut total = (0, 0);
    each_step(rules, state, turn, |step, _| {
        let mut next = state.clone();
        rules.apply(&mut next, step);
        let (histories, finished) = counts(rules, &next, steps - 1);
        total = (total.0 + histories, total.1 + finished);
    });
    total
}

fn slow_counts<S: Slow>(state: &S, steps: u32) -> (u64, u64) {
    let over = state.turn().is_none();
    if steps == 0 {
        return (1, u64::from(over));
    }
    let legal = if over { Vec::new() } else { state.legal() };
    legal.into_iter().fold((0, 0), |total, code| {
        let mut next = state.clone();
        next.play(code);
        let (histories, finished) = slow_counts(&next, steps - 1);
        (total.0 + histories, total.1 + finished)
    })
}

/// All histories at which somebody moves, and all finished games.
fn slow_size<S: Slow>(state: &S) -> (u64, u64) {
    if state.turn().is_none() {
        return (0, 1);
    }
    state.legal().into_iter().fold((1, 0), |total, code| {
        let mut next = state.clone();
        next.play(code);
        let (decisions, finished) = slow_size(&next);
        (total.0 + decisions, total.1 + finished)
    })
}

/// Plays random games in both and compares whose turn it is, the legal moves and the winner on the way.
fn compare<R: Notation, S: Slow>(rules: &R, start: &S, games: u64) {
    for game in 0..games {
        let mut rng = Seed(game).stream(Purpose::Playout);
        let (mut fast, mut slow) = (rules.start(), start.clone());
        let mut steps = 0;
        while let Some(seat) = slow.turn() {
            let who = Player(seat);
            assert_eq!(rules.turn(&fast), Turn::Player(who), "{}", rules.show(&fast));
            let mut legal = Vec::new();
            rules.actions(&fast, who, &mut legal);
            let codes: Vec<u64> = legal.iter().map(|&a| rules.code(a)).collect();
            assert_eq!(codes, slow.legal(), "{}", rules.show(&fast));
            let action = *rng.pick(&legal);
            rules.apply(&mut fast, Step::Moves(&[(who, action)]));
            slow.play(rules.code(action));
            steps += 1;
        }
        assert_eq!(rules.turn(&fast), Turn::Terminal, "{}", rules.show(&fast));
        let share = |seat| slow.winner().map_or(0.5, |winner| f64::from(u8::from(winner == seat)));
        assert_eq!(rules.rewards(&fast).as_slice(), [share(0), share(1)], "{}", rules.show(&fast));
        assert!(steps <= rules.facts().max_length);
    }
}

#[test]
fn connect_four_histories() {
    let (game, slow) = connect_four(7, 6, 4);
    let published = [7, 49, 343, 2401, 16_807, 117_649, 823_536, 5_673_234];
    for (depth, histories) in (1..).zip(published) {
        assert_eq!(perft(&game, &game.start(), depth), histories, "depth {depth}");
    }
    for depth in [1, 7, 8] {
        assert_eq!(counts(&game, &game.start(), depth), slow_counts(&slow, depth), "depth {depth}");
    }
    let (game, slow) = connect_four(5, 4, 3);
    for depth in 1..=8 {
        assert_eq!(counts(&game, &game.start(), depth), slow_counts(&slow, depth), "depth {depth}");
    }
}

/// Distinct positions after so many plies (OEIS A212693), and in all on 4 by 4 cells (J. Tromp).
#[test]
fn connect_four_positions() {
    fn layer(game: &ConnectFour, from: &HashSet<connect_four::State>) -> HashSet<connect_four::State> {
        let mut next = HashSet::new();
        for state in from {
            each_step(game, state, game.turn(state), |step, _| {
                let mut state = *state;
                game.apply(&mut state, step);
                next.insert(state);
            });
        }
        next
    }
    let (game, _) = connect_four(7, 6, 4);
    let mut positions = HashSet::from([game.start()]);
    for count in [1, 7, 49, 238, 1120, 4263, 16_422, 54_859, 184_275] {
        assert_eq!(positions.len(), count);
        positions = layer(&game, &positions);
    }
    let (game, _) = connect_four(4, 4, 4);
    let mut positions = HashSet::from([game.start()]);
    let mut total = 0;
    while !positions.is_empty() {
        total += positions.len();
        positions = layer(&game, &positions);
    }
    assert_eq!(total, 161_029);
}

#[test]
fn connect_four_plays_like_the_slow_one() {
    for (columns, rows, connect) in [(7, 6, 4), (5, 4, 3), (4, 3, 3), (9, 6, 5), (8, 7, 4), (3, 20, 6)] {
        let (game, slow) = connect_four(columns, rows, connect);
        compare(&game, &slow, 300);
    }
}

/// A. Bik's counts (aartbik.com/MISC/reversi.html), in which passes are plies. His tables find 228 finished
/// games two passes below their end, at depth 11: these end with the ninth move, none earlier.
#[test]
fn othello_histories() {
    let (game, slow) = othello(8);
    let published = [4, 12, 56, 244, 1396, 8200, 55_092, 390_216];
    for (depth, histories) in (1..).zip(published) {
        assert_eq!(perft(&game, &game.start(), depth), histories, "depth {depth}");
    }
    assert_eq!(counts(&game, &game.start(), 8), (390_216, 0));
    assert_eq!(counts(&game, &game.start(), 9), (3_005_288, 228));
    assert_eq!(counts(&game, &game.start(), 6), slow_counts(&slow, 6));
}

/// Othello on 4 by 4 squares has 60060 games.
#[test]
fn whole_games_on_small_boards() {
    let (game, slow) = othello(4);
    let size = count(&game);
    assert_eq!((size.decisions, size.terminals), slow_size(&slow));
    assert_eq!((size.infosets(), size.terminals), (size.decisions, 60_060));
    let (game, slow) = connect_four(4, 3, 3);
    let size = count(&game);
    assert_eq!((size.decisions, size.terminals), slow_size(&slow));
}

#[test]
fn othello_plays_like_the_slow_one() {
    for size in [4, 6, 8] {
        let (game, slow) = othello(size);
        compare(&game, &slow, 200);
    }
}

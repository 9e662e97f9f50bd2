use fogtree_core::text::plain;
use fogtree_core::{Purpose, Seed, random_step};

use super::*;

use crate::testing::after;

fn game(params: &str) -> Result<Tron, BadSpec> {
    Tron::from_params(&crate::testing::params(&ABOUT, params)?)
}

fn sized(rows: usize, columns: usize) -> Tron {
    game(&format!("rows={rows},columns={columns}")).unwrap()
}

const SIZES: [(usize, usize); 9] =
    [(13, 13), (5, 6), (16, 16), (3, 3), (1, 9), (16, 1), (2, 16), (16, 5), (4, 4)];

/// A board as a table, for the slow ways.
type Table<T> = Vec<Vec<T>>;

/// The cells next to a cell, with the names of the directions.
fn beside((row, column): (usize, usize), rows: usize, columns: usize) -> Vec<(&'static str, (usize, usize))> {
    let mut found = Vec::new();
    if row > 0 {
        found.push(("up", (row - 1, column)));
    }
    if column > 0 {
        found.push(("left", (row, column - 1)));
    }
    if column < columns - 1 {
        found.push(("right", (row, column + 1)));
    }
    if row < rows - 1 {
        found.push(("down", (row + 1, column)));
    }
    found
}

/// Random games are followed on a table of cells that have been visited.
#[test]
fn moves_are_those_of_a_slow_second_implementation() {
    let mut rng = Seed(1).stream(Purpose::Playout);
    let mut ends = [0; 3];
    for (rows, columns) in SIZES {
        let rules = sized(rows, columns);
        for _ in 0..60 {
            let mut visited: Table<bool> = vec![vec![false; columns]; rows];
            let mut units = [(0, 0), (rows - 1, columns - 1)];
            let mut s = rules.start();
            let mut steps = 0;
            loop {
                units.iter().for_each(|&(row, column)| visited[row][column] = true);
                let open = units.map(|unit| {
                    let mut open = beside(unit, rows, columns);
                    open.retain(|&(_, (row, column))| !visited[row][column]);
                    open
                });
                let over = units[0] == units[1] || open.iter().any(Vec::is_empty);
                assert_eq!(rules.turn(&s) == Turn::Terminal, over);
                if over {
                    let lost = open.each_ref().map(|open| open.is_empty() || units[0] == units[1]);
                    let expected = match lost {
                        [true, true] => [0.0, 0.0],
                        [true, false] => [-1.0, 1.0],
                        _ => [1.0, -1.0],
                    };
                    ends[(expected[0] + 1.0) as usize] += 1;
                    assert_eq!(rules.rewards(&s).as_slice(), expected);
                    break;
                }
                let mut moves = Vec::new();
                for (seat, open) in open.iter().enumerate() {
                    let who = Player(seat as u8);
                    let mut legal = Vec::new();
                    rules.actions(&s, who, &mut legal);
                    let names: Vec<&str> = open.iter().map(|(name, _)| *name).collect();
                    assert_eq!(legal.iter().map(|d| d.name()).collect::<Vec<_>>(), names);
                    let choice = rng.below(open.len() as u32) as usize;
                    moves.push((who, legal[choice]));
                    units[seat] = open[choice].1;
                }
                rules.apply(&mut s, Step::Moves(&moves));
                steps += 1;
                assert!(steps <= rules.facts().max_length);
            }
        }
    }
    assert!(ends.iter().all(|&n| n > 20), "{ends:?}");
}

/// How many cells each unit reaches first, by stepping over a table: 0 is open, 1 and 2 are owned, 3 is
/// nobody's.
fn owned_on_a_table(walls: &Table<bool>, units: [(usize, usize); 2]) -> [u32; 2] {
    let (rows, columns) = (walls.len(), walls[0].len());
    let mut owner: Table<u8> = vec![vec![0; columns]; rows];
    let mut fronts = [vec![units[0]], vec![units[1]]];
    while fronts.iter().any(|front| !front.is_empty()) {
        let reached = fronts.each_ref().map(|front| {
            let mut reached: Vec<(usize, usize)> =
                front.iter().flat_map(|&cell| beside(cell, rows, columns)).map(|(_, cell)| cell).collect();
            reached.retain(|&(row, column)| !walls[row][column] && owner[row][column] == 0);
            reached.sort_unstable();
            reached.dedup();
            reached
        });
        for (who, mine) in reached.iter().enumerate() {
            for &(row, column) in mine {
                owner[row][column] |= 1 << who;
            }
        }
        fronts = [1, 2].map(|who| {
            let mine = &reached[usize::from(who) - 1];
            mine.iter().copied().filter(|&(row, column)| owner[row][column] == who).collect()
        });
    }
    [1, 2].map(|who| owner.iter().flatten().filter(|&&o| o == who).count() as u32)
}

/// The race for cells on walls strewn at random, and in positions of random games.
#[test]
fn the_flood_fill_is_that_of_a_slow_second_implementation() {
    let mut rng = Seed(2).stream(Purpose::Sampling);
    let mut scratch = Scratch::default();
    for round in 0..600 {
        let (rows, columns) = SIZES[round % SIZES.len()];
        let rules = sized(rows, columns);
        let mut s = rules.start();
        if round % 2 == 0 {
            let percent = rng.below(60);
            for row in 0..rows as u8 {
                for column in 0..columns as u8 {
                    if rng.below(100) < percent {
                        s.walls.insert(Cell::new(row, column));
                    }
                }
            }
            s.units =
                [(); 2].map(|()| Cell::new(rng.below(rows as u32) as u8, rng.below(columns as u32) as u8));
            s.units.iter().for_each(|&unit| s.walls.insert(unit));
        } else {
            for _ in 0..rng.below(12) {
                random_step(&rules, &mut s, &mut rng, &mut scratch);
            }
        }
        let cell = |row: usize, column: usize| Cell::new(row as u8, column as u8);
        let walls: Table<bool> =
            (0..rows).map(|r| (0..columns).map(|c| s.walls.contains(cell(r, c))).collect()).collect();
        let units = s.units.map(|Cell(cell)| (usize::from(cell / 16), usize::from(cell % 16)));
        assert_eq!(rules.owned(&s), owned_on_a_table(&walls, units), "{}", plain(&rules.show(&s)));
    }
}

#[test]
fn both_shut_in_or_in_one_cell_is_a_draw() {
    for (rows, columns, moves, told) in [
        (1, 3, "right left", "They have run into each other: a draw."),
        (1, 4, "right left", "Both are shut in: a draw."),
        (2, 2, "right left", "Both are shut in: a draw."),
        (2, 2, "right up", "They have run into each other: a draw."),
    ] {
        let rules = sized(rows, columns);
        let s = after(&rules, moves);
        assert_eq!((rules.turn(&s), rules.rewards(&s).as_slice()), (Turn::Terminal, &[0.0, 0.0][..]));
        assert!(plain(&rules.show(&s)).ends_with(told), "{}", rules.show(&s));
        assert_eq!(
            game(&format!("rows={rows},columns={columns},reward=unit")).unwrap().rewards(&s)[Player(0)],
            0.5
        );
    }
}

/// Equilibrium ER-15: two moves in the corner, at most three afterwards.
#[test]
fn nobody_turns_back() {
    let rules = sized(16, 16);
    let mut rng = Seed(3).stream(Purpose::Playout);
    for _ in 0..50 {
        let mut s = rules.start();
        assert_eq!(s.exits.map(Directions::len), [2, 2]);
        while rules.turn(&s) != Turn::Terminal {
            random_step(&rules, &mut s, &mut rng, &mut Scratch::default());
            assert!(s.exits.iter().all(|exits| exits.len() <= 3));
        }
    }
}

/// The first unit walls itself into the corner: `X` goes down, right, right, up and left to b1.
#[test]
fn who_is_shut_in_loses() {
    let rules = sized(4, 5);
    let s = after(&rules, "down left  right left  right left  up left  left up");
    let board = "1 █ X █ · ·\n2 █ █ █ · ·\n3 O · · · ·\n4 █ █ █ █ █\n  a b c d e\n█ wall";
    let told = "Player 0 (cross) is shut in: Player 1 (ring) wins.";
    assert_eq!(plain(&rules.show(&s)), format!("{board}\n{told}"));
    assert_eq!(rules.rewards(&s).as_slice(), [-1.0, 1.0]);
    assert_eq!(rules.evaluate(None, &s, Player(0)), Some(-1.0));
}

/// On 1 by 7 cells each unit owns two of the five between them and the middle is nobody's. On 3 by 5 cells,
/// with `X` on c1 and `O` on e1 after two moves each, d1 is nobody's and `O` has no other way, so the eight
/// cells that are left are `X`'s.
#[test]
fn the_evaluation_counts_owned_cells() {
    let line = sized(1, 7);
    assert_eq!(line.owned(&line.start()), [2, 2]);
    assert_eq!(line.evaluate(None, &line.start(), Player(0)), Some(0.0));
    let rules = sized(3, 5);
    let s = after(&rules, "right up  right up");
    assert_eq!(rules.owned(&s), [8, 0]);
    let lead = 1.6_f64.tanh();
    assert_eq!([0, 1].map(|seat| rules.evaluate(None, &s, Player(seat)).unwrap()), [lead, -lead]);
    let unit = game("rows=3,columns=5,reward=unit").unwrap();
    let guess = [0, 1].map(|seat| unit.evaluate(None, &s, Player(seat)).unwrap());
    assert_eq!(guess, [(1.0 + lead) / 2.0, (1.0 - lead) / 2.0]);
}

/// Ends of playouts are ends of games played move by move.
#[test]
fn playouts_end_as_games_do() {
    let rules = sized(4, 5);
    let mut scratch = Scratch::default();
    let mut rng = Seed(5).stream(Purpose::Playout);
    let mut wins = [[0.0; 2]; 2];
    for _ in 0..20_000 {
        let mut s = rules.start();
        let quick = rules.playout(&mut s, &mut rng, &mut scratch);
        let mut s = rules.start();
        while rules.turn(&s) != Turn::Terminal {
            random_step(&rules, &mut s, &mut rng, &mut scratch);
        }
        let slow = rules.rewards(&s);
        for seat in [Player(0), Player(1)] {
            wins[0][seat.index()] += quick[seat].max(0.0);
            wins[1][seat.index()] += slow[seat].max(0.0);
        }
    }
    let [quick, slow] = wins.map(|of| of.map(|n| n / 20_000.0));
    assert!(
        (0..2).all(|seat| quick[seat] > 0.1 && (quick[seat] - slow[seat]).abs() < 0.02),
        "{quick:?} {slow:?}"
    );
}

#[test]
fn other_boards_are_refused() {
    for params in ["rows=0", "columns=17", "rows=1,columns=2", "rows=1,columns=1", "rows=x", "reward=points"]
    {
        assert!(matches!(game(params), Err(BadSpec::Value { .. })), "{params}");
    }
    assert_eq!(sized(13, 13).facts().max_length, 84, "the last decision is at depth 83");
}

#[test]
fn observations_are_put_in_words() {
    let rules = sized(5, 6);
    assert_eq!(rules.explain(&Observation::word(2), Observer::Seat(Player(0))), "the other goes right");
    assert_eq!(rules.explain(&Observation::words(&[0, 3]), Observer::Public), "X goes up, O goes down");
    for words in [&[][..], &[4], &[u64::MAX], &[1, 2, 3]] {
        rules.explain(&Observation::words(words), Observer::Public);
    }
}

#[test]
fn each_touches_where_its_own_unit_goes() {
    let rules = sized(5, 6);
    let s = rules.start();
    let touched = |who, action| rules.spots(&s, Player(who), action);
    assert_eq!(touched(0, Direction::Right), ["board/b1"]);
    assert_eq!(touched(0, Direction::Down), ["board/a2"]);
    assert_eq!(touched(1, Direction::Left), ["board/e5"]);
    assert_eq!(touched(1, Direction::Up), ["board/f4"]);
}

use std::collections::BTreeSet;

use fogtree_core::play::Line;
use fogtree_core::text::plain;
use fogtree_core::{Purpose, Seed};

use super::*;

use crate::testing::{first_zone, go, legal, playout_is_random_steps};

fn game(params: &str) -> Result<Checkers, BadSpec> {
    Checkers::from_params(&crate::testing::params(&ABOUT, params)?)
}

/// A position from its pieces: `b3 B30 w5` are a black man on 3, a black king on 30, a white man on 5.
fn position(game: &Checkers, pieces: &str, mover: Player) -> State {
    let mut s = State { pieces: [0; 2], phase: Phase::ToMove(mover), ..game.start() };
    for piece in pieces.split_whitespace() {
        let (kind, number) = piece.split_at(1);
        let at = bit(game.square(number).unwrap());
        s.pieces[usize::from(kind.eq_ignore_ascii_case("w"))] |= at;
        if kind == "B" || kind == "W" {
            s.kings |= at;
        }
    }
    s
}

fn play(game: &Checkers, s: &mut State, moves: &str) {
    *s = go(game, s, moves);
}

/// How many sequences of so many whole moves there are.
fn perft(game: &Checkers, s: &State, depth: u32) -> u64 {
    let Turn::Player(who) = game.turn(s) else { return 0 };
    let mut legal = Vec::new();
    game.actions(s, who, &mut legal);
    let after = |action: Action| {
        let mut next = *s;
        game.apply(&mut next, Step::Moves(&[(who, action)]));
        match next.phase {
            Phase::JumpingOn { .. } => perft(game, &next, depth),
            _ if depth == 1 => 1,
            _ => perft(game, &next, depth - 1),
        }
    };
    legal.into_iter().map(after).sum()
}

/// Published by Aart Bik, and by many engines since.
const PERFT: [u64; 11] =
    [7, 49, 302, 1_469, 7_361, 36_768, 179_740, 845_931, 3_963_680, 18_391_564, 85_242_128];

#[test]
fn move_counts_are_the_published_ones() {
    let game = game("").unwrap();
    for (depth, &count) in (1..=8).zip(&PERFT) {
        assert_eq!(perft(&game, &game.start(), depth), count, "depth {depth}");
    }
}

#[test]
fn deeper_move_counts_are_the_published_ones() {
    let game = game("").unwrap();
    for (depth, &count) in (9..=11).zip(&PERFT[8..]) {
        assert_eq!(perft(&game, &game.start(), depth), count, "depth {depth}");
    }
}

/// A slow second implementation: squares by row and column, pieces as letters.
mod slow {
    use std::collections::BTreeSet;

    #[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
    pub(super) struct Board {
        pub(super) squares: Vec<Vec<char>>,
    }

    fn directions(piece: char) -> &'static [(i32, i32)] {
        match piece {
            'b' => &[(1, -1), (1, 1)],
            'w' => &[(-1, -1), (-1, 1)],
            _ => &[(1, -1), (1, 1), (-1, -1), (-1, 1)],
        }
    }

    impl Board {
        fn at(&self, row: i32, column: i32) -> Option<char> {
            if row < 0 || column < 0 {
                return None;
            }
            self.squares.get(row as usize)?.get(column as usize).copied()
        }

        fn put(&mut self, row: i32, column: i32, piece: char) {
            self.squares[row as usize][column as usize] = piece;
        }

        fn crowned(&self, row: i32, piece: char) -> char {
            match piece {
                'b' if row as usize == self.squares.len() - 1 => 'B',
                'w' if row == 0 => 'W',
                other => other,
            }
        }

        fn pieces(&self, side: char) -> Vec<(i32, i32)> {
            let n = self.squares.len() as i32;
            let all = (0..n).flat_map(|r| (0..n).map(move |c| (r, c)));
            all.filter(|&(r, c)| self.at(r, c).unwrap().to_ascii_lowercase() == side).collect()
        }

        /// The boards after one jump of a piece, with where it lands and whether it may go on.
        fn jumps(&self, (row, column): (i32, i32), side: char) -> Vec<(Board, (i32, i32), bool)> {
            let piece = self.at(row, column).unwrap();
            let enemy = if side == 'b' { 'w' } else { 'b' };
            let mut found = Vec::new();
            for (dr, dc) in directions(piece) {
                let over = self.at(row + dr, column + dc).map(|p| p.to_ascii_lowercase());
                let (r, c) = (row + 2 * dr, column + 2 * dc);
                if over == Some(enemy) && self.at(r, c) == Some('.') {
                    let mut next = self.clone();
                    let landed = self.crowned(r, piece);
                    next.put(row, column, '.');
                    next.put(row + dr, column + dc, '.');
                    next.put(r, c, landed);
                    found.push((next, (r, c), landed == piece));
                }
            }
            found
        }

        fn captures_on(&self, from: (i32, i32), side: char, out: &mut Vec<Board>) {
            for (next, to, goes_on) in self.jumps(from, side) {
                if goes_on && !next.jumps(to, side).is_empty() {
                    next.captures_on(to, side, out);
                } else {
                    out.push(next);
                }
            }
        }

        /// The boards after every whole move.
        pub(super) fn whole_moves(&self, side: char) -> BTreeSet<Board> {
            let mut captures = Vec::new();
            for from in self.pieces(side) {
                self.captures_on(from, side, &mut captures);
            }
            if !captures.is_empty() {
                return captures.into_iter().collect();
            }
            let mut steps = BTreeSet::new();
            for (row, column) in self.pieces(side) {
                let piece = self.at(row, column).unwrap();
                for (dr, dc) in directions(piece) {
                    if self.at(row + dr, column + dc) == Some('.') {
                        let mut next = self.clone();
                        next.put(row, column, '.');
                        next.put(row + dr, column + dc, self.crowned(row + dr, piece));
                        steps.insert(next);
                    }
                }
            }
            steps
        }
    }
}

fn as_letters(game: &Checkers, s: &State) -> slow::Board {
    let size = usize::from(game.size);
    let mut squares = vec![vec![' '; size]; size];
    for square in 0..4 * game.size {
        if bit(square) & game.board != 0 {
            let row = usize::from(square / 4);
            let column = 2 * usize::from(square % 4) + usize::from(row % 2 == 0);
            let here = |board: u64| board & bit(square) != 0;
            squares[row][column] = match (here(s.pieces[0]), here(s.pieces[1]), here(s.kings)) {
                (true, _, false) => 'b',
                (true, _, true) => 'B',
                (_, true, false) => 'w',
                (_, true, true) => 'W',
                _ => '.',
            };
        }
    }
    slow::Board { squares }
}

fn whole_moves(game: &Checkers, s: &State, out: &mut BTreeSet<slow::Board>) {
    let Turn::Player(who) = game.turn(s) else { return };
    let mut legal = Vec::new();
    game.actions(s, who, &mut legal);
    for action in legal {
        let mut next = *s;
        game.apply(&mut next, Step::Moves(&[(who, action)]));
        if matches!(next.phase, Phase::JumpingOn { .. }) {
            whole_moves(game, &next, out);
        } else {
            out.insert(as_letters(game, &next));
        }
    }
}

#[test]
fn whole_moves_are_those_of_a_slow_second_implementation() {
    let mut rng = Seed(1).stream(Purpose::Playout);
    let mut long_captures = 0;
    for i in 0..6_000 {
        let game = game(["", "size=6,rows=2", "size=4,rows=1"][i % 3]).unwrap();
        let thin = |rng: &mut Rng| game.board & rng.bits() & rng.bits();
        let black = thin(&mut rng) & !game.far[0];
        let white = thin(&mut rng) & !game.far[1] & !black;
        let kings = rng.bits() & (black | white);
        let mover = Player((i / 3 % 2) as u8);
        let s = State { pieces: [black, white], kings, phase: Phase::ToMove(mover), ..game.start() };
        let mut found = BTreeSet::new();
        whole_moves(&game, &s, &mut found);
        let expected = as_letters(&game, &s).whole_moves(if mover == BLACK { 'b' } else { 'w' });
        assert_eq!(found, expected, "{}", plain(&game.show(&s)));
        let count = |b: &slow::Board| b.squares.iter().flatten().filter(|p| p.is_alphabetic()).count();
        let before = count(&as_letters(&game, &s));
        long_captures += usize::from(found.iter().any(|b| count(b) + 2 < before));
    }
    assert!(long_captures > 50, "only {long_captures} positions with three jumps in a row");
}

#[test]
fn jumps_are_forced_and_go_on_ply_by_ply() {
    let game = game("").unwrap();
    let mut s = position(&game, "b1 b4 w6 w15 w32", BLACK);
    assert_eq!(legal(&game, &s), ["1x10"]);
    assert_eq!(game.episode(&s), Some(0));
    play(&game, &mut s, "1x10");
    assert_eq!((game.turn(&s), legal(&game, &s)), (Turn::Player(BLACK), vec!["10x19".to_string()]));
    assert_eq!(game.episode(&s), None, "the chain goes on");
    play(&game, &mut s, "10x19");
    assert_eq!(game.turn(&s), Turn::Player(Player(1)));
    assert_eq!(legal(&game, &s), ["32-28", "32-27"]);
    assert_eq!(game.episode(&s), None, "nothing to capture");
}

/// 22x29 would leave a jump for a king; a man that is crowned stops.
#[test]
fn a_crowned_man_stops() {
    let game = game("").unwrap();
    let mut s = position(&game, "b21 w25 w26 w8", BLACK);
    assert_eq!(legal(&game, &s), ["21x30"]);
    play(&game, &mut s, "21x30");
    assert_eq!(game.turn(&s), Turn::Player(Player(1)));
    assert_eq!(s.kings, bit(game.square("30").unwrap()));
    play(&game, &mut s, "8-3");
    assert_eq!(legal(&game, &s), ["30x23"]);
}

#[test]
fn who_cannot_move_has_lost() {
    let game = game("").unwrap();
    let mut blocked = position(&game, "b4 w8 w15", Player(1));
    play(&game, &mut blocked, "15-11");
    assert_eq!(game.turn(&blocked), Turn::Terminal);
    assert_eq!(game.rewards(&blocked).as_slice(), [0.0, 1.0]);
    let mut taken = position(&game, "b1 w6", BLACK);
    play(&game, &mut taken, "1x10");
    assert_eq!((game.turn(&taken), game.rewards(&taken).as_slice()), (Turn::Terminal, &[1.0, 0.0][..]));
}

#[test]
fn the_third_time_is_a_draw() {
    let again = "1-6 32-27 6-1 27-32";
    for (times, params) in [(2, "repetition=3"), (1, "repetition=2")] {
        let game = game(params).unwrap();
        let mut s = position(&game, "B1 W32", BLACK);
        for _ in 1..times {
            play(&game, &mut s, again);
        }
        play(&game, &mut s, "1-6 32-27 6-1");
        assert_ne!(game.turn(&s), Turn::Terminal, "{params}");
        play(&game, &mut s, "27-32");
        assert_eq!(
            (game.turn(&s), game.rewards(&s).as_slice()),
            (Turn::Terminal, &[0.5, 0.5][..]),
            "{params}"
        );
    }
}

/// Two kings that change places leave the position as it was: three such positions in 12 plies.
#[test]
fn kings_of_one_side_are_alike() {
    let game = game("").unwrap();
    let mut s = position(&game, "B1 B10 W32", BLACK);
    play(&game, &mut s, "1-6 32-27 10-7 27-32 6-10 32-27 7-2 27-32 2-6 32-27 6-1");
    assert_ne!(game.turn(&s), Turn::Terminal);
    play(&game, &mut s, "27-32");
    assert_eq!(s.trail.occurrences(s.quiet), 2);
}

#[test]
fn quiet_moves_and_plies_are_counted() {
    let patient = game("repetition=no").unwrap();
    let mut s = position(&patient, "B1 W32 w25", BLACK);
    play(&patient, &mut s, "1-6 25-21");
    assert_eq!(s.quiet, 0, "a man has moved");
    for ply in 0..80 {
        assert_ne!(patient.turn(&s), Turn::Terminal, "{ply}");
        play(&patient, &mut s, ["6-1", "32-27", "1-6", "27-32"][ply % 4]);
    }
    assert_eq!((patient.turn(&s), s.trail), (Turn::Terminal, Trail::default()));
    assert_eq!(patient.rewards(&s).as_slice(), [0.5, 0.5]);
    let capped = game("cap=3").unwrap();
    let mut line = Line::start(&capped);
    line.play_words(&capped, "11-15 22-18 15x22".split(' ')).unwrap();
    assert_eq!(capped.turn(line.state()), Turn::Terminal, "although White could take back");
    assert_eq!(capped.facts().max_length, 3);
    assert_eq!(game("").unwrap().facts().max_length, (24 * 7 + 24 + 1) * 80);
}

#[test]
fn a_playout_is_random_steps_to_the_end() {
    for seed in 0..200 {
        let game = game(["", "size=6,rows=2,cap=60", "size=4,rows=1"][seed as usize % 3]).unwrap();
        playout_is_random_steps(&game, seed);
    }
}

#[test]
fn names_are_the_usual_ones() {
    let game = game("").unwrap();
    assert_eq!(legal(&game, &game.start()), ["9-13", "9-14", "10-14", "10-15", "11-15", "11-16", "12-16"]);
    for name in
        ["", "-", "9-", "9x14", "9-18", "0-4", "32-36", "09-13", "+9-13", "9-13x", "9–13", "999-1", "4-8-"]
    {
        assert_eq!(game.parse_action(name), None, "{name}");
    }
    for code in 0..300 {
        game.explain(&Observation::word(code), Observer::Public);
    }
    assert_eq!(
        game.explain(&Observation::word(game.parse_action("9x18").unwrap().0.into()), Observer::Public),
        "the player to move jumps 9x18"
    );
}

#[test]
fn the_board_is_drawn() {
    let game = game("size=4,rows=1").unwrap();
    let scene = game.scene_of(&game.start());
    assert_eq!(scene.caption, "Player 0 (black) to move.");
    let picture = "·  ●1 ·  ●2\n·3 ·  ·4 ·\n·  ·5 ·  ·6\n○7 ·  ○8 ·";
    assert_eq!(first_zone(scene), picture);
}

#[test]
fn other_boards_are_refused() {
    for params in
        ["size=5", "rows=4", "rows=0", "size=4", "quiet=0", "quiet=41", "repetition=1", "cap=0", "cap=x"]
    {
        assert!(matches!(game(params), Err(BadSpec::Value { .. })), "{params}");
    }
}

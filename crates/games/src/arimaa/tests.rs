use std::collections::{BTreeMap, BTreeSet};

use fogtree_core::text::plain;
use fogtree_core::{Purpose, Seed};

use super::*;

use crate::testing::{first_zone, go, legal};

fn game(params: &str) -> Result<Arimaa, BadSpec> {
    Arimaa::from_params(&crate::testing::params(&ABOUT, params)?)
}

/// The usual board with these pieces, Gold to move: `Ed4 rd5` are a golden elephant and a silver rabbit.
fn with(pieces: &str) -> (Arimaa, State) {
    with_params(pieces, "")
}

fn with_params(pieces: &str, params: &str) -> (Arimaa, State) {
    let mut rows = vec![vec![b'.'; 8]; 8];
    for piece in pieces.split_whitespace().map(str::as_bytes) {
        rows[usize::from(b'8' - piece[2])][usize::from(piece[1] - b'a')] = piece[0];
    }
    let rows: Vec<_> = rows.into_iter().map(|row| String::from_utf8(row).unwrap()).collect();
    let game = game(&format!("setup={}{params}", rows.join("/"))).unwrap();
    let start = game.start();
    (game, start)
}

/// The legal steps from one square, as letters of their ways.
fn ways(game: &Arimaa, s: &State, square: &str) -> String {
    legal(game, s).iter().filter_map(|name| name.strip_prefix(square)).collect()
}

fn at(s: &State, square: &str) -> char {
    let name = square.as_bytes();
    let at = 1 << (8 * (name[1] - b'1') + name[0] - b'a');
    let letter = char::from(LETTERS[s.board.kind_at(at)]);
    match s.board.sides.map(|side| side & at != 0) {
        [true, _] => letter,
        [_, true] => letter.to_ascii_lowercase(),
        _ => '.',
    }
}

fn winner(s: &State) -> Option<Option<Player>> {
    if let Phase::Over(winner) = s.phase { Some(winner) } else { None }
}

#[test]
fn both_sides_set_up_sixteen_pieces() {
    let game = game("").unwrap();
    assert_eq!(legal(&game, &game.start()), ["R", "C", "D", "H", "M", "E"]);
    let gold = go(&game, &game.start(), "R R R D D R R R R H C E M C H R");
    assert_eq!((game.turn(&gold), at(&gold, "d1"), at(&gold, "d2")), (Turn::Player(SILVER), 'D', 'E'));
    let both = go(&game, &gold, "R R R D D R R R R H C M E C H");
    assert_eq!(legal(&game, &both), ["R"], "what is left");
    let both = go(&game, &both, "R");
    assert_eq!((game.turn(&both), at(&both, "e7"), at(&both, "h7")), (Turn::Player(GOLD), 'e', 'r'));
    // Only the second row can step, forwards.
    assert_eq!(legal(&game, &both), ["a2n", "b2n", "c2n", "d2n", "e2n", "f2n", "g2n", "h2n"]);
}

/// A side can set up its pieces in 16! / (8! 2! 2! 2!) ways.
#[test]
fn there_are_64864800_setups() {
    let game = game("").unwrap();
    // States that have placed the same pieces go on alike.
    let mut layer = BTreeMap::from([([0; KINDS], (game.start(), 1_u64))]);
    for _ in 0..16 {
        let mut next = BTreeMap::new();
        for (s, ways) in layer.into_values() {
            for name in legal(&game, &s) {
                let after = go(&game, &s, &name);
                let placed = after.board.kinds.map(u64::count_ones);
                next.entry(placed).or_insert((after, 0)).1 += ways;
            }
        }
        layer = next;
    }
    let ways: Vec<_> = layer.into_values().map(|(s, ways)| (game.turn(&s), ways)).collect();
    assert_eq!(ways, [(Turn::Player(SILVER), 64_864_800)]);
}

#[test]
fn a_turn_is_one_to_four_steps() {
    let (game, s) = with("Ea1 Rh1 ra8");
    assert_eq!(legal(&game, &s), ["a1n", "a1e", "h1n", "h1w"]);
    let s = go(&game, &s, "a1n");
    assert!(legal(&game, &s).contains(&"end".to_string()));
    assert_eq!(game.turn(&go(&game, &s, "end")), Turn::Player(SILVER));
    let s = go(&game, &s, "a2n a3n a4n");
    assert_eq!((game.turn(&s), at(&s, "a5")), (Turn::Player(SILVER), 'E'));
}

#[test]
fn rabbits_do_not_step_backwards() {
    let (game, s) = with("Rd4 re5 ea8");
    assert_eq!(ways(&game, &s, "d4"), "new");
    let s = go(&game, &s, "d4w end");
    assert_eq!(ways(&game, &s, "e5"), "esw");
}

#[test]
fn a_piece_beside_a_stronger_enemy_is_frozen_without_a_friend() {
    let (game, s) = with("Dd4 Ra1 hd5 ra8");
    assert_eq!(ways(&game, &s, "d4"), "");
    let (game, s) = with("Dd4 Rc4 Ra1 hd5 ra8");
    assert_eq!(ways(&game, &s, "d4"), "es");
    let (game, s) = with("Dd4 Ra1 dd5 ra8");
    assert_eq!(ways(&game, &s, "d4"), "esw", "an equal does not freeze");
}

#[test]
fn a_stronger_piece_pushes() {
    let (game, s) = with("Dd4 Ra1 cd5 ra8 rh8");
    assert_eq!(ways(&game, &s, "d5"), "new");
    let pushed = go(&game, &s, "d5n");
    assert_eq!(legal(&game, &pushed), ["d4n"], "the pusher must follow");
    let s = go(&game, &pushed, "d4n");
    assert_eq!((at(&s, "d6"), at(&s, "d5"), at(&s, "d4")), ('c', 'D', '.'));
    let (game, s) = with("Dd4 Ra1 dd5 ra8");
    assert_eq!(ways(&game, &s, "d5"), "", "not an equal");
    let (game, s) = with("Dd4 Ra1 cd5 he4 ra8");
    assert_eq!(ways(&game, &s, "d5"), "", "not by a frozen piece");
}

#[test]
fn two_steps_are_needed_to_push() {
    let (game, s) = with("Dd4 Ra1 cd5 ra8");
    let s = go(&game, &s, "a1n a2n");
    assert_eq!(ways(&game, &s, "d5"), "new");
    assert_eq!(ways(&game, &go(&game, &s, "a3n"), "d5"), "");
}

#[test]
fn a_stronger_piece_pulls() {
    let (game, s) = with("Dd4 Ra1 cd5 ra8");
    let s = go(&game, &s, "a1n a2n d4s");
    // The fourth step: too late to push, but the cat can be pulled to d4.
    assert_eq!(ways(&game, &s, "d5"), "s");
    let s = go(&game, &s, "d5s");
    assert_eq!((at(&s, "d5"), at(&s, "d4"), at(&s, "d3")), ('.', 'c', 'D'));
    assert_eq!(game.turn(&s), Turn::Player(SILVER));
}

/// A piece that follows a push does not pull by the same step.
#[test]
fn one_step_does_not_push_and_pull() {
    let (game, s) = with("Dd4 Ra1 cd5 cd3 ra8");
    let s = go(&game, &s, "a1n d5n d4n");
    assert_eq!(ways(&game, &s, "d3"), "", "one step is left, and it is not a pull");
}

/// The pulled piece may be moved once only, and by the piece that left.
#[test]
fn a_pull_is_over_after_one_step() {
    let (game, s) = with("Dd4 Ra1 cd5 cc4 ra8");
    let s = go(&game, &s, "a1n a2n d4s");
    assert_eq!((ways(&game, &s, "d5"), ways(&game, &s, "c4")), ("s".to_string(), "e".to_string()));
    let (game, s) = with("Dd4 Ra1 cd5 cc4 ra8");
    let s = go(&game, &s, "a1n d4s c4e");
    assert_eq!(ways(&game, &s, "d5"), "", "d4 is taken, and only one step is left");
}

#[test]
fn traps_take_pieces_without_friends() {
    let (game, s) = with("Ec2 Ra1 cd3 ra8 rh8");
    // Push the cat from d3 to c3 by way of d2.
    let s = go(&game, &s, "c2e d3w");
    assert_eq!((at(&s, "c3"), at(&s, "d3")), ('.', '.'));
    assert!(s.past.is_empty(), "nothing from before can come up again");
    let s = go(&game, &s, "d2n end");
    assert_eq!(at(&s, "d3"), 'E');
    // A friend that leaves gives up the piece in the trap.
    let (game, s) = with("Ec3 Rc2 ra8");
    assert_eq!(at(&go(&game, &s, "c2w"), "c3"), '.');
    assert_eq!(at(&go(&game, &s, "c3n"), "c4"), 'E');
}

/// The piece that pulls may be lost in a trap as it goes.
#[test]
fn a_piece_may_pull_from_a_trap() {
    let (game, s) = with("Db3 Ra1 cb4 ra8 rh8");
    let s = go(&game, &s, "a1n a2n");
    let s = go(&game, &s, "b3e");
    // a3 is a friend, but not beside c3.
    assert_eq!((at(&s, "c3"), ways(&game, &s, "b4")), ('.', "s".to_string()));
}

#[test]
fn a_turn_must_change_the_position() {
    let (game, s) = with("Ea1 Rh1 ra8");
    let there_and_back = go(&game, &s, "a1n a2s");
    assert!(!legal(&game, &there_and_back).contains(&"end".to_string()));
    let s = go(&game, &s, "a1n a2n a3s");
    assert!(!legal(&game, &s).contains(&"a2s".to_string()), "the fourth step would undo all");
    assert!(legal(&game, &s).contains(&"a2n".to_string()));
}

/// Positions count with the side to move, and only at the end of turns.
#[test]
fn no_position_comes_up_three_times() {
    let again = "a1n end a8s end a2s end a7n end";
    for (params, allowed) in [("", false), (",repetition=no", true)] {
        let (game, s) = with_params("Ea1 Rh1 ea8 rh8", params);
        let s = go(&game, &s, again);
        let s = go(&game, &s, "a1n end a8s end a2s end");
        // The start has been there twice; a7n and the end of the turn would make it three times.
        let last = go(&game, &s, "a7n");
        assert_eq!(legal(&game, &last).contains(&"end".to_string()), allowed);
    }
}

/// With one step a turn, a step that would repeat the position for the third time is not even offered.
#[test]
fn forbidden_repetitions_are_seen_from_afar() {
    let (game, s) = with_params("Ea1 Rh1 ea8 rh8", ",steps=1");
    let s = go(&game, &s, "a1n a8s a2s a7n a1n a8s a2s");
    assert_eq!(ways(&game, &s, "a7"), "es");
}

#[test]
fn a_rabbit_on_the_far_row_wins_after_the_turn() {
    let (game, s) = with("Rd6 Ra1 rd2 rh8");
    let arrived = go(&game, &s, "d6n d7n");
    assert_eq!(winner(&arrived), None, "the turn is not over");
    let s = go(&game, &arrived, "end");
    assert_eq!((winner(&s), game.rewards(&s).as_slice()), (Some(Some(GOLD)), &[1.0, 0.0][..]));
}

#[test]
fn who_brings_the_other_home_loses_unless_home_itself() {
    // The elephant pushes the silver rabbit onto row 1.
    let (game, s) = with("Ed3 Ra2 rd2 rh8");
    let s = go(&game, &s, "d2s d3s end");
    assert_eq!(winner(&s), Some(Some(SILVER)));
    let (game, s) = with("Ed3 Ra7 rd2 rh8");
    let s = go(&game, &s, "d2s d3s a7n end");
    assert_eq!(winner(&s), Some(Some(GOLD)));
    // It may be brought there and away again.
    let (game, s) = with("Ed3 Ra2 rd2 rh8");
    let s = go(&game, &s, "d2s d3s d2e d1n");
    assert_eq!((winner(&s), at(&s, "d2")), (None, 'r'));
}

#[test]
fn who_has_no_rabbits_loses() {
    let (game, s) = with("Ec2 Ra1 rd3 ch8");
    let s = go(&game, &s, "c2e d3w d2n end");
    assert_eq!(winner(&s), Some(Some(GOLD)));
    // One's own last rabbit may walk into a trap, which loses.
    let (game, s) = with("Rc2 Eh1 ra8");
    assert_eq!(winner(&go(&game, &s, "c2n end")), Some(Some(SILVER)));
}

#[test]
fn who_cannot_move_loses() {
    let (game, s) = with("Ea6 Ha7 Rd1 ra8 Cb7");
    let s = go(&game, &s, "b7n end");
    assert_eq!(winner(&s), Some(Some(GOLD)), "{}", plain(&game.show(&s)));
}

#[test]
fn a_game_is_drawn_after_so_many_turns() {
    let (game, s) = with_params("Ea1 Rh1 ea8 rh8", ",turns=2");
    let s = go(&game, &s, "a1n end a8s end");
    assert_eq!((winner(&s), game.rewards(&s).as_slice()), (Some(None), &[0.5, 0.5][..]));
    assert_eq!((game.facts().max_length, self::game("").unwrap().facts().max_length), (8, 832));
}

/// A slow second implementation: pieces as letters by row and column, moves as the rules name them (a step, a
/// push, a pull), turns as all sequences of them.
mod slow {
    use std::collections::BTreeSet;

    const STRENGTH: &str = "rcdhme";
    type Square = (i32, i32);

    #[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
    pub(super) struct Board(pub Vec<Vec<char>>);

    fn beside((row, column): Square) -> [Square; 4] {
        [(row + 1, column), (row - 1, column), (row, column + 1), (row, column - 1)]
    }

    fn strength(piece: char) -> usize {
        STRENGTH.find(piece.to_ascii_lowercase()).unwrap()
    }

    impl Board {
        fn at(&self, (row, column): Square) -> Option<char> {
            let size = self.0.len() as i32;
            let inside = (0..size).contains(&row) && (0..size).contains(&column);
            inside.then(|| self.0[row as usize][column as usize])
        }

        fn squares(&self) -> Vec<Square> {
            let size = self.0.len() as i32;
            (0..size).flat_map(|row| (0..size).map(move |column| (row, column))).collect()
        }

        fn is_of(&self, at: Square, gold: bool) -> bool {
            self.at(at).is_some_and(|p| p.is_alphabetic() && p.is_ascii_uppercase() == gold)
        }

        fn is_frozen(&self, at: Square, gold: bool) -> bool {
            let mine = strength(self.at(at).unwrap());
            let friend = beside(at).iter().any(|&b| self.is_of(b, gold));
            let foe =
                beside(at).iter().any(|&b| self.is_of(b, !gold) && strength(self.at(b).unwrap()) > mine);
            foe && !friend
        }

        fn moved(&self, from: Square, to: Square) -> Board {
            let mut next = self.clone();
            next.0[to.0 as usize][to.1 as usize] = self.at(from).unwrap();
            next.0[from.0 as usize][from.1 as usize] = '.';
            let (low, high) = (2, self.0.len() as i32 - 3);
            for trap in [(low, low), (low, high), (high, low), (high, high)] {
                if let Some(piece) = next.at(trap).filter(|p| p.is_alphabetic()) {
                    let gold = piece.is_ascii_uppercase();
                    if !beside(trap).iter().any(|&b| next.is_of(b, gold)) {
                        next.0[trap.0 as usize][trap.1 as usize] = '.';
                    }
                }
            }
            next
        }

        fn free_beside(&self, at: Square) -> Vec<Square> {
            beside(at).into_iter().filter(|&b| self.at(b) == Some('.')).collect()
        }

        /// The positions after each step, push or pull, and the number of steps it takes.
        fn moves(&self, gold: bool) -> Vec<(Board, u8)> {
            let mut found = Vec::new();
            for from in self.squares() {
                if !self.is_of(from, gold) || self.is_frozen(from, gold) {
                    continue;
                }
                let piece = self.at(from).unwrap();
                let weaker =
                    |b: &Square| self.is_of(*b, !gold) && strength(self.at(*b).unwrap()) < strength(piece);
                for to in self.free_beside(from) {
                    let backwards = if gold { to.0 < from.0 } else { to.0 > from.0 };
                    if strength(piece) == 0 && backwards {
                        continue;
                    }
                    let stepped = self.moved(from, to);
                    found.push((stepped.clone(), 1));
                    for pulled in beside(from).into_iter().filter(weaker) {
                        // The pulled piece may have been lost for want of a friend only if a friend moved.
                        found.push((stepped.moved(pulled, from), 2));
                    }
                }
                for pushed in beside(from).into_iter().filter(weaker) {
                    for to in self.free_beside(pushed) {
                        found.push((self.moved(pushed, to).moved(from, pushed), 2));
                    }
                }
            }
            found
        }

        fn after(&self, gold: bool, left: u8, out: &mut BTreeSet<(u8, Board)>) {
            if out.insert((left, self.clone())) {
                for (next, cost) in self.moves(gold) {
                    if cost <= left {
                        next.after(gold, left - cost, out);
                    }
                }
            }
        }

        /// Whether a rabbit has arrived, or a side has none.
        pub(super) fn is_decided(&self) -> bool {
            let size = self.0.len();
            let has = |row: &[char], rabbit| row.contains(&rabbit);
            has(&self.0[size - 1], 'R')
                || has(&self.0[0], 'r')
                || ['R', 'r'].iter().any(|&rabbit| !self.0.iter().any(|row| has(row, rabbit)))
        }

        /// The positions after every turn of at most so many steps.
        pub(super) fn turns(&self, gold: bool, steps: u8) -> BTreeSet<Board> {
            let mut found = BTreeSet::new();
            self.after(gold, steps, &mut found);
            found.into_iter().map(|(_, board)| board).filter(|board| board != self).collect()
        }
    }
}

fn as_letters(game: &Arimaa, board: &Board) -> slow::Board {
    let letter = |at: u64| {
        let letter = char::from(LETTERS[board.kind_at(at)]);
        match board.sides.map(|side| side & at != 0) {
            [true, _] => letter,
            [_, true] => letter.to_ascii_lowercase(),
            _ => '.',
        }
    };
    let rows = 0..game.ground.size;
    slow::Board(rows.clone().map(|r| rows.clone().map(|c| letter(1 << (8 * r + c))).collect()).collect())
}

/// The positions and states at the end of a turn, played step by step.
fn turns(
    game: &Arimaa,
    s: &State,
    who: Player,
    met: &mut BTreeSet<String>,
    out: &mut BTreeMap<slow::Board, State>,
) {
    if game.turn(s) != Turn::Player(who) {
        out.insert(as_letters(game, &s.board), s.clone());
        return;
    }
    if !met.insert(format!("{:?}{:?}", s.board, s.phase)) {
        return;
    }
    let mut legal = Vec::new();
    game.actions(s, who, &mut legal);
    assert!(!legal.is_empty(), "stuck within a turn:\n{}", game.show(s));
    for action in legal {
        let mut next = s.clone();
        game.apply(&mut next, Step::Moves(&[(who, action)]));
        turns(game, &next, who, met, out);
    }
}

#[test]
fn turns_are_those_of_a_slow_second_implementation() {
    let mut rng = Seed(1).stream(Purpose::Playout);
    let mut total = 0;
    for i in 0..300 {
        let (size, steps) = ([4_u8, 5, 8][i % 3], [4, 3, 2][i % 3]);
        let name = format!(
            "size={size},steps={steps},setup={}",
            [
                "r..r/..../..../R..R",
                "r..../...../...../...../R....",
                "r......./......../......../......../......../......../......../R......."
            ][i % 3]
        );
        let game = game(&name).unwrap();
        let who = Player((i / 3 % 2) as u8);
        let mut board = Board::default();
        let count = 3 + rng.below(u32::from(size) * 2);
        for _ in 0..count {
            let at = 1_u64 << (8 * rng.below(size.into()) + rng.below(size.into()));
            if (board.sides[0] | board.sides[1]) & at == 0 {
                board.put(Player(rng.below(2) as u8), rng.below(6) as usize, at);
            }
        }
        for side in board.sides {
            let lost = side & game.ground.traps & !neighbours(side);
            board.sides.iter_mut().chain(&mut board.kinds).for_each(|pieces| *pieces &= !lost);
        }
        let mut s =
            State { board, phase: Phase::ToMove { who, left: steps, hand: Hand::Free }, ..game.start() };
        s.past = [board.key()].into_iter().collect();
        let expected = as_letters(&game, &board).turns(who == GOLD, steps);
        let mut found = BTreeMap::new();
        if game.has_legal_step(&s.moment().unwrap(), &s.past) {
            turns(&game, &s, who, &mut BTreeSet::new(), &mut found);
        }
        let found: BTreeSet<_> = found.into_keys().collect();
        assert_eq!(found, expected, "{}", plain(&game.show(&s)));
        total += found.len();
    }
    assert!(total > 20_000, "{total} turns compared");
}

/// How many sequences of so many turns there are, by the slow implementation; shorter ones that end the game
/// count too. `past` has the positions so far, the present one last.
fn slow_sequences(past: &mut Vec<slow::Board>, steps: u8, left: u32, third_time: bool) -> u64 {
    let gold = past.len() % 2 == 1;
    let now = past.last().unwrap().clone();
    let times =
        |board: &slow::Board| past.iter().skip(past.len() % 2).step_by(2).filter(|b| *b == board).count();
    let allowed: Vec<_> =
        now.turns(gold, steps).into_iter().filter(|board| third_time || times(board) < 2).collect();
    if left == 0 || allowed.is_empty() {
        return 1;
    }
    let mut sequences = 0;
    for board in allowed {
        sequences += if board.is_decided() {
            1
        } else {
            past.push(board);
            let after = slow_sequences(past, steps, left - 1, third_time);
            past.pop();
            after
        };
    }
    sequences
}

fn sequences(game: &Arimaa, s: &State) -> u64 {
    let Turn::Player(who) = game.turn(s) else { return 1 };
    let mut ends = BTreeMap::new();
    turns(game, s, who, &mut BTreeSet::new(), &mut ends);
    ends.values().map(|end| sequences(game, end)).sum()
}

/// Two rabbits that walk to and fro: after eight turns the rule of the third time begins to bite.
#[test]
fn repetitions_are_those_of_a_slow_second_implementation() {
    let mut counts = Vec::new();
    for (steps, turns, repetition) in [(1, 12, "yes"), (1, 12, "no"), (2, 8, "yes"), (2, 8, "no")] {
        let setup = "size=4,setup=r.../..../..../...R";
        let game = game(&format!("{setup},steps={steps},turns={turns},repetition={repetition}")).unwrap();
        let mut past = vec![as_letters(&game, &game.start().board)];
        let expected = slow_sequences(&mut past, steps, turns, repetition == "no");
        assert_eq!(sequences(&game, &game.start()), expected, "{steps} steps, {turns} turns");
        counts.push(expected);
    }
    assert!(counts[0] < counts[1] && counts[2] < counts[3], "the rule never mattered: {counts:?}");
}

#[test]
fn names_read_back() {
    let game = game("size=6,pieces=ERRRRR").unwrap();
    for name in ["a1n", "f6w", "end", "E", "R"] {
        assert_eq!(game.action_name(game.parse_action(name).unwrap()), name);
    }
    for name in [
        "",
        "a1",
        "a1s",
        "a1w",
        "f6n",
        "f6e",
        "g1n",
        "a7n",
        "a0n",
        "e",
        "X",
        "END",
        "éa",
        "a1nn",
        "99999999999",
    ] {
        assert_eq!(game.parse_action(name), None, "{name}");
    }
    for words in [&[][..], &[0], &[255], &[256], &[262], &[263], &[u64::MAX], &[1, 2]] {
        game.explain(&Observation::words(words), Observer::Public);
    }
}

#[test]
fn the_board_is_drawn() {
    let game = game("size=4,setup=r.c./..../E.../R...").unwrap();
    let scene = game.scene_of(&game.start());
    assert_eq!(scene.caption, "Player 0 (gold) to move, with 4 steps left. A rabbit on row 4 wins.");
    assert_eq!(first_zone(scene), "4 r · c ·\n3 · * * ·\n2 E * * ·\n1 R · · ·\n  a b c d");
}

#[test]
fn other_games_are_refused() {
    for params in [
        "size=3",
        "size=9",
        "steps=0",
        "steps=5",
        "turns=0",
        "turns=201",
        "pieces=EMHHDDCCRRRRRRR",
        "pieces=EEEEEEEE",
        "pieces=XRRRRRRR",
        "setup=x",
        "setup=r.../..../..../R..",
        "size=4,setup=R.../..../..../r...",
        "size=4,setup=..../..../..../R...",
        "size=4,setup=r.../.C../..../R...",
        "size=4,setup=r.../..../e.../R...",
        "repetition=maybe",
    ] {
        assert!(game(params).is_err(), "{params}");
    }
}

//! Boards: the facts of London's, what is refused, and boards at random.

use std::collections::{BTreeSet, HashSet, VecDeque};

use super::*;

/// Links as they are written: two stations from 1 and what goes between them.
pub(super) fn edges(text: &str) -> Vec<(u32, u32, &str)> {
    let words = |line: &'static str| line.split_whitespace().collect::<Vec<_>>();
    let text: &'static str = Box::leak(text.to_string().into_boxed_str());
    text.lines()
        .filter(|line| line.starts_with(|c: char| c.is_ascii_digit()))
        .map(words)
        .map(|w| (w[0].parse().unwrap(), w[1].parse().unwrap(), w[2]))
        .collect()
}

fn neighbours(board: &Board, station: u32, ticket: Ticket) -> Vec<u32> {
    board.reach(station as u8 - 1, ticket).iter().map(|s| u32::from(s) + 1).collect()
}

/// Distances from a station with one kind of ticket; black ones pay for everything.
fn distances(board: &Board, from: u8, ticket: Ticket) -> Vec<Option<u32>> {
    let mut found = vec![None; board.stations()];
    found[from as usize] = Some(0);
    let mut open = VecDeque::from([from]);
    while let Some(here) = open.pop_front() {
        for next in board.reach(here, ticket).iter() {
            if found[next as usize].is_none() {
                found[next as usize] = found[here as usize].map(|d| d + 1);
                open.push_back(next);
            }
        }
    }
    found
}

fn degrees(board: &Board, ticket: Ticket) -> Vec<usize> {
    let all = 0..board.stations() as u8;
    all.map(|s| board.reach(s, ticket).iter().count()).filter(|&degree| degree > 0).collect()
}

fn mean(numbers: &[usize]) -> f64 {
    numbers.iter().sum::<usize>() as f64 / numbers.len() as f64
}

/// Whether all stations that a net calls at can be reached from one another on it.
fn is_connected(board: &Board, ticket: Ticket) -> bool {
    let served = (0..board.stations() as u8).filter(|&s| board.reach(s, ticket) != Default::default());
    let first = served.clone().next().unwrap();
    distances(board, first, ticket).iter().flatten().count() == served.count()
}

/// ORACLE-16 and the figures of ismcts 4.11.
#[test]
fn london_has_the_links_and_distances_of_the_oracle() {
    let board = Board::named("london").unwrap();
    assert_eq!(board.stations(), 199);
    let count = |kind: &str| edges(LONDON).iter().filter(|edge| edge.2 == kind).count();
    assert_eq!(["taxi", "bus", "underground", "boat"].map(count), [346, 99, 20, 3]);
    let paid = [Ticket::Taxi, Ticket::Bus, Ticket::Underground];
    assert!(paid.iter().all(|&ticket| is_connected(&board, ticket)));
    let degrees = paid.map(|ticket| degrees(&board, ticket));
    assert_eq!(degrees.each_ref().map(Vec::len), [199, 62, 14]);
    let range = |d: &Vec<usize>| (*d.iter().min().unwrap(), *d.iter().max().unwrap());
    assert_eq!(degrees.each_ref().map(range), [(2, 7), (1, 5), (1, 4)]);
    let means = degrees.each_ref().map(|d| (100.0 * mean(d)).round() / 100.0);
    assert_eq!(means, [3.48, 3.19, 2.86]);
    assert_eq!(neighbours(&board, 11, Ticket::Taxi), [3, 10, 22]);
    assert_eq!(neighbours(&board, 12, Ticket::Taxi), [3, 23]);

    let served = |s: &u8, t: Ticket| board.reach(*s, t) != Default::default();
    let exactly = |bus, underground| {
        let is = |s: &u8| served(s, Ticket::Bus) == bus && served(s, Ticket::Underground) == underground;
        (0..199).filter(is).count()
    };
    assert_eq!([exactly(false, false), exactly(true, false), exactly(true, true)], [137, 48, 14]);
    let all: Vec<u32> =
        (0..199).flat_map(|s| distances(&board, s, Ticket::Black)).map(Option::unwrap).collect();
    assert_eq!(all.iter().max(), Some(&10));
    let average = f64::from(all.iter().sum::<u32>()) / (199.0 * 198.0);
    assert_eq!((100.0 * average).round() / 100.0, 4.71);
    let cards = [13, 26, 29, 34, 50, 53, 91, 94, 103, 112, 117, 132, 138, 141, 155, 174, 197, 198];
    assert_eq!(board.starts().iter().map(|&s| u32::from(s) + 1).collect::<Vec<_>>(), cards);
}

#[test]
fn boats_are_a_path_and_take_black_tickets() {
    let boats: Vec<_> = edges(LONDON).into_iter().filter(|e| e.2 == "boat").map(|e| (e.0, e.1)).collect();
    assert_eq!(boats, [(108, 115), (115, 157), (157, 194)]);
    let board = Board::named("london").unwrap();
    for ticket in Ticket::ALL {
        assert_eq!(neighbours(&board, 194, ticket).contains(&157), ticket == Ticket::Black);
    }
}

#[test]
fn bad_boards_are_refused_with_the_line() {
    for (text, expected) in [
        ("1 2 taxi\n1 2 tram", "line 2: expected one of taxi, bus, underground, boat, not 'tram'"),
        ("1 2 taxi\n\n# no\n2 1 taxi", "line 4: there is a taxi between 2 and 1 already"),
        ("1 1 taxi", "line 1: station 1 is linked to itself"),
        ("0 1 taxi", "line 1: '0' is not a station from 1 to 255"),
        ("1 256 taxi", "line 1: '256' is not a station from 1 to 255"),
        ("1 +2 taxi", "line 1: '+2' is not a station from 1 to 255"),
        ("1 2 taxi\nstart 1 two", "line 2: 'two' is not a station from 1 to 255"),
        ("start 1\nstart 1", "line 2: station 1 has a start card already"),
        ("1 3 taxi", "no link leads to station 2"),
        ("1 2 taxi\nstart 3", "there is a start card for station 3, but no link to it"),
        ("# empty", "nothing is linked"),
    ] {
        assert_eq!(Board::read(text).unwrap_err().to_string(), expected);
    }
    let error = Board::read("1 2").unwrap_err().to_string();
    assert!(error.starts_with("line 1: expected two stations and what links them"), "{error}");
    let board = Board::read("1 2 taxi # a comment\n2 3 water").unwrap();
    assert_eq!(board.starts(), [0, 1, 2], "without cards one may start anywhere");
    assert_eq!(neighbours(&board, 2, Ticket::Black), [1, 3]);
}

#[test]
fn boards_are_read_from_files() {
    let path = std::env::temp_dir().join(format!("fogtree-board-{}.txt", std::process::id()));
    let read = |text: &str| {
        std::fs::write(&path, text).unwrap();
        try_game(&format!("file={},seekers=1", path.display()))
    };
    assert_eq!(read("1 2 taxi\n2 3 bus").unwrap().board().stations(), 3);
    let error = read("1 2 taxi\n2 3 balloon").unwrap_err().to_string();
    assert!(error.contains("line 2: expected one of taxi"), "{error}");
    std::fs::remove_file(&path).unwrap();
    let error = try_game(&format!("file={}", path.display())).unwrap_err().to_string();
    assert!(error.contains("it cannot be read"), "{error}");
}

/// Random boards have London's proportions: 5 % more or fewer links at most (ismcts 4.11).
#[test]
fn random_boards_resemble_london() {
    let mut boards = HashSet::new();
    for seed in 0..5 {
        let rules = game(&format!("board=random,seed={seed}"));
        let board = rules.board();
        assert_eq!((board.stations(), board.starts().len()), (199, 18));
        let tickets = [Ticket::Taxi, Ticket::Bus, Ticket::Underground];
        for (ticket, links) in tickets.into_iter().zip([346.0, 99.0, 20.0]) {
            let found = degrees(board, ticket).iter().sum::<usize>() as f64 / 2.0;
            assert!((found / links - 1.0).abs() <= 0.05, "seed {seed}: {found} {} links", ticket.name());
            assert!(is_connected(board, ticket), "seed {seed}: {}", ticket.name());
        }
        let taxis = degrees(board, Ticket::Taxi);
        assert!(taxis.len() == 199 && taxis.iter().all(|degree| (2..=8).contains(degree)), "seed {seed}");
        boards.insert(format!("{board:?}"));
    }
    assert_eq!(boards.len(), 5, "other seeds, other boards");
    for stations in [8, 9, 20, 255] {
        let rules = game(&format!("board=random,stations={stations},seekers=2"));
        assert_eq!(rules.board().stations(), stations);
        assert!(is_connected(rules.board(), Ticket::Taxi));
    }
}

/// A second move generator, straight from the list of links.
#[test]
fn legal_moves_agree_with_the_list_of_links() {
    let rules = game("doubles=2");
    let edges = edges(LONDON);
    let mut rng = Seed(1).stream(Purpose::Deal);
    let mut scratch = Scratch::default();
    for _ in 0..20 {
        let mut s = rules.start();
        while rules.turn(&s) != Turn::Terminal {
            let is_x = matches!(s.phase, Phase::X | Phase::XAgain);
            let (at, fares) = match s.phase {
                Phase::Seeker(k) => (s.seekers[k as usize], s.fares[k as usize].to_vec()),
                _ => (s.x, s.x_fares.to_vec()),
            };
            let mut expected = BTreeSet::new();
            for &(a, b, kind) in &edges {
                for (from, to) in [(a, b), (b, a)] {
                    let taken = s.seekers.iter().any(|&seeker| u32::from(seeker) + 1 == to);
                    if from != u32::from(at) + 1 || taken || !matches!(rules.turn(&s), Turn::Player(_)) {
                        continue;
                    }
                    let has = |i: usize| fares.get(i).is_some_and(|&left| left > 0);
                    let own = ["taxi", "bus", "underground"].iter().position(|name| *name == kind);
                    let own = own.filter(|&i| has(i)).map(|_| kind);
                    for ticket in own.into_iter().chain((is_x && has(3)).then_some("black")) {
                        expected.insert(format!("{ticket}-{to}"));
                        if s.phase == Phase::X && s.doubles > 0 && s.moves < 23 {
                            expected.insert(format!("{ticket}-{to}-double"));
                        }
                    }
                }
            }
            let listed = legal(&rules, &s);
            let listed: BTreeSet<String> =
                listed.split_whitespace().filter(|name| *name != "stuck").map(str::to_string).collect();
            assert_eq!(listed, expected, "{s:?}");
            random_step(&rules, &mut s, &mut rng, &mut scratch);
        }
    }
}

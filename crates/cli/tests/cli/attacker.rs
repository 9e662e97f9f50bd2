//! The attacker: what can be made of all bytes that an engine, a player or a reader of a record receives.
//!
//! Two deals that look the same to a seat are played. What the seat receives may differ from run to run of
//! the same deal, where it is fresh randomness; everything else must be equal for both deals. And nothing of
//! it may lead back to a seed of the table, by our own derivations, their inverses, or trying all small
//! seeds.

use std::collections::{HashMap, HashSet};
use std::io::{Read, Write};
use std::net::{TcpListener, TcpStream};
use std::path::{Path, PathBuf};
use std::sync::{Arc, LazyLock, Mutex};

use fogtree_core::record::Header;
use fogtree_core::{Key, Observer, Player, Purpose, Seed, Turn};
use fogtree_lab::deals::Deals;
use fogtree_lab::series::{Seats, Series};
use fogtree_table::{AnyGame, AnyTable, Registry};

use crate::{fogtree, fogtree_with_input, scratch};

const FOGTREE: &str = env!("CARGO_BIN_EXE_fogtree");

/// Undoes [`Seed::number`].
fn parent(seed: Seed, number: u64) -> Seed {
    let unshift = |z: u64, by: u32| (0..64 / by).fold(z, |x, _| z ^ x >> by);
    let odd_inverse = |a: u64| (0..6).fold(a, |x, _| x.wrapping_mul(2u64.wrapping_sub(a.wrapping_mul(x))));
    let mut z = unshift(seed.0, 31).wrapping_mul(odd_inverse(0x94d0_49bb_1331_11eb));
    z = unshift(z, 27).wrapping_mul(odd_inverse(0xbf58_476d_1ce4_e5b9));
    z = unshift(z, 30) ^ number.wrapping_add(0x9e37_79b9_7f4a_7c15);
    Seed(z.wrapping_mul(odd_inverse(0xd134_2543_de82_ef95)))
}

/// Undoes [`Seed::named`].
fn parent_named(seed: Seed, name: &str) -> Seed {
    let hash = name
        .bytes()
        .fold(0xcbf2_9ce4_8422_2325_u64, |h, b| (h ^ u64::from(b)).wrapping_mul(0x0000_0100_0000_01b3));
    parent(seed, hash)
}

#[test]
fn derivations_of_seeds_can_be_undone() {
    for seed in [0, 1, 77, u64::MAX].map(Seed) {
        assert_eq!(parent(seed.number(5), 5), seed);
        assert_eq!(parent_named(seed.named("agents"), "agents"), seed);
        assert!(children(seed).all(|child| parents(child).any(|found| found == seed)));
    }
    assert!(SMALL.contains(&Seed(9_999).named("agents").number(3).named("agent").number(1).0));
}

/// How many games and seats the attacker reckons with.
const GAMES: u64 = 16;
const SEATS: u64 = 8;

/// All that a table might derive from a seed and hand out.
fn children(of: Seed) -> impl Iterator<Item = Seed> {
    let seats = |seed: Seed| (0..SEATS).map(move |seat| seed.named("agent").number(seat));
    let players = (0..SEATS).map(move |n| of.named("player").number(n));
    let games = (0..GAMES).flat_map(move |n| seats(of.named("agents").number(n)));
    let deals = (0..GAMES).map(move |n| of.named("deal").number(n));
    [of].into_iter().chain(seats(of)).chain(players).chain(games).chain(deals)
}

/// All seeds from which a table might have derived this one.
fn parents(of: Seed) -> impl Iterator<Item = Seed> {
    let seats = (0..SEATS).map(move |seat| parent_named(parent(of, seat), "agent"));
    let games =
        seats.clone().flat_map(|agents| (0..GAMES).map(move |n| parent_named(parent(agents, n), "agents")));
    let players = (0..SEATS).map(move |n| parent_named(parent(of, n), "player"));
    let deals = (0..GAMES).map(move |n| parent_named(parent(of, n), "deal"));
    [of].into_iter().chain(seats).chain(games).chain(players).chain(deals)
}

/// All that follows from small seeds, except small numbers, which mean other things.
static SMALL: LazyLock<HashSet<u64>> = LazyLock::new(|| {
    let all = (0..10_000).flat_map(|seed| children(Seed(seed)));
    all.map(|seed| seed.0).filter(|&n| n > u64::from(u32::MAX)).collect()
});

/// The words and numbers of a text.
fn tokens(text: &str) -> Vec<&str> {
    text.split(|c: char| !c.is_ascii_alphanumeric()).filter(|t| !t.is_empty()).collect()
}

/// The large numbers of a text, read in any way.
fn numbers(text: &str) -> impl Iterator<Item = u64> {
    let read = |t: &str| {
        let halves = [t.get(..16), t.get(16..32)].into_iter().flatten().map(|h| u64::from_str_radix(h, 16));
        let whole = [t.parse::<u64>(), u64::from_str_radix(t, 16)];
        whole.into_iter().chain(halves).flatten().flat_map(|n| [n, n.swap_bytes()]).collect::<Vec<_>>()
    };
    tokens(text).into_iter().flat_map(read).filter(|&n| n > u64::from(u32::MAX))
}

/// Looks for a way from what was received to the seed of the table.
fn attack(who: &str, received: &str, secret: Seed) {
    let deals: HashSet<Seed> = children(secret).collect();
    for number in numbers(received) {
        assert!(!SMALL.contains(&number), "{who}: {number} follows from a small seed");
        let back = parents(Seed(number)).find(|seed| deals.contains(seed));
        assert_eq!(back, None, "{who}: {number} leads back to seed {}", secret.0);
    }
}

/// Checks that what was received of two deals differs only where it differs from run to run.
fn same_but_for_chance(who: &str, [one, again, other]: [&str; 3]) {
    let [one, again, other] = [one, again, other].map(tokens);
    assert_eq!((one.len(), one.len()), (again.len(), other.len()), "{who}: {one:?} {again:?} {other:?}");
    for ((one, again), other) in one.iter().zip(again).zip(other) {
        assert!(*one != again || *one == other, "{who}: '{one}' in one deal, '{other}' in the other");
    }
}

/// The seed of the only deal of a match.
fn deal_of(of_match: Seed) -> Seed {
    Deals::Fresh.seed(of_match, 0)
}

/// Everybody plays the first legal move until a seat is to decide for the first time.
fn first_decision(game: &dyn AnyGame, deal: Seed, seat: Player) -> Option<Box<dyn AnyTable>> {
    let mut table = game.table();
    let mut rng = deal.stream(Purpose::Deal);
    for _ in 0..100 {
        match table.turn() {
            Turn::Terminal => return None,
            Turn::Chance => table.draw(&mut rng),
            turn if turn.players().contains(seat) => return Some(table),
            turn => {
                let first = |p: Player| (p, table.infoset(p).legal[0]);
                let choices: Vec<_> = turn.players().iter().map(first).collect();
                table.choose(&choices).unwrap();
            }
        }
    }
    None
}

/// Two deals that look the same to a seat when it decides first, although they are not.
fn alike(seat: Player, position: impl Fn(Seed) -> Option<Box<dyn AnyTable>>) -> Option<[Seed; 2]> {
    let mut met: HashMap<Key, (Seed, String)> = HashMap::new();
    (0..400).map(Seed).find_map(|seed| {
        let table = position(seed)?;
        let state = table.show();
        let (before, other) = met.entry(table.key(Observer::Seat(seat))).or_insert((seed, state.clone()));
        (*other != state).then_some([*before, seed])
    })
}

/// Two matches whose first deals are alike.
fn alike_matches(game: &dyn AnyGame, seat: Player) -> Option<[Seed; 2]> {
    alike(seat, |of_match| first_decision(game, deal_of(of_match), seat))
}

/// A program that writes down what it receives and plays the first legal move.
struct Spy(PathBuf);

impl Spy {
    fn new(name: &str) -> Spy {
        let script = r#"while IFS= read -r line; do
            printf '%s\n' "$line" >>"$1"
            case "$line" in
            *'"type":"hello"'*) echo '{"type":"ready","name":"spy","protocol":1}' ;;
            *'"type":"newgame"'*) echo '{"type":"ready"}' ;;
            *'"type":"go"'*) rest=${line#*'"legal":["'}; echo "{\"type\":\"bestmove\",\"move\":\"${rest%%\"*}\"}" ;;
            esac
        done"#;
        let path = scratch(name);
        std::fs::write(&path, script).unwrap();
        Spy(path)
    }

    fn log(&self, seat: Player) -> PathBuf {
        self.0.with_extension(seat.to_string())
    }

    /// Plays the first game of a match with spies in all seats; returns what one of them received.
    fn received(&self, registry: &Registry, game: &dyn AnyGame, of_match: Seed, seat: Player) -> String {
        let players = || Player::all(game.facts().players);
        let agent =
            |p| format!("exec(command=sh {} {},timeout=60s)", self.0.display(), self.log(p).display());
        players().for_each(|p| std::fs::write(self.log(p), "").unwrap());
        let series = Series {
            game: game.spec().to_string(),
            seats: Seats::Fixed(players().map(agent).collect()),
            games: 1,
            seed: of_match,
            deals: Deals::Fresh,
            until: None,
            follow: Vec::new(),
            threads: 1,
        };
        series.play(registry, game, 0).unwrap();
        std::fs::read_to_string(self.log(seat)).unwrap()
    }
}

impl Drop for Spy {
    fn drop(&mut self) {
        let logs = Player::all(8).map(|p| self.log(p));
        logs.chain([self.0.clone()]).for_each(|path| drop(std::fs::remove_file(path)));
    }
}

/// What was received up to the first question.
fn until_asked(received: &str) -> &str {
    let asked = received.find(r#"{"type":"go""#).unwrap_or(received.len());
    let end = received[asked..].find('\n').map_or(received.len(), |end| asked + end);
    &received[..end]
}

/// Every registered game, as the instance that is small enough to look at.
fn games(registry: &Registry) -> Vec<Box<dyn AnyGame>> {
    registry.games().map(|about| registry.game(&about.tiny().to_string()).unwrap()).collect()
}

#[test]
fn engines_learn_nothing_of_the_deal() {
    let (registry, spy) = (Registry::standard(), Spy::new("spy"));
    let mut compared = 0;
    for game in games(&registry) {
        for seat in Player::all(game.facts().players) {
            let who = format!("{}, seat {seat}", game.spec());
            let received = |seed| spy.received(&registry, &*game, seed, seat);
            if let Some([one, other]) = alike_matches(&*game, seat) {
                let (first, again, second) = (received(one), received(one), received(other));
                same_but_for_chance(&who, [&first, &again, &second].map(|text| until_asked(text)));
                attack(&who, &first, one);
                attack(&who, &second, other);
                compared += 1;
            }
            let large = Seed(0x9d3c_55a1_07e2_b84f);
            attack(&who, &received(large), large);
        }
    }
    assert!(compared >= 25, "only {compared} seats have something hidden from them");
}

#[test]
fn readers_of_a_record_learn_what_their_seat_saw() {
    let registry = Registry::standard();
    let path = scratch("of-seat");
    let file = path.to_str().unwrap();
    let mut compared = 0;
    for game in games(&registry) {
        for seat in Player::all(game.facts().players) {
            let Some(seeds) = alike_matches(&*game, seat) else { continue };
            let shown = seeds.map(|of_match| {
                let table = first_decision(&*game, deal_of(of_match), seat).unwrap();
                let header = Header::new(game.spec(), vec!["x".to_string()], deal_of(of_match));
                std::fs::write(&path, table.record(header).to_lines()).unwrap();
                ["--json", "--at=0", "--number=1"].map(|option| {
                    let run = fogtree(&["replay", file, "--seat", &seat.to_string(), option]);
                    assert_eq!(run.code, 0, "{}: {}", game.spec(), run.err);
                    run.out
                })
            });
            assert!(shown[0] == shown[1], "{}, seat {seat}: {} {}", game.spec(), shown[0][0], shown[1][0]);
            compared += 1;
        }
    }
    std::fs::remove_file(&path).unwrap();
    assert!(compared >= 25, "only {compared} seats have something hidden from them");
}

#[test]
fn people_learn_nothing_of_the_deal() {
    let registry = Registry::standard();
    let mut compared = 0;
    for game in games(&registry) {
        // Nobody has moved before, so nothing differs but the deal.
        let dealt = |deal: Seed| {
            let mut table = game.table();
            let mut rng = deal.stream(Purpose::Deal);
            while table.turn() == Turn::Chance {
                table.draw(&mut rng);
            }
            table
        };
        let mover = |deal: Seed| dealt(deal).turn().players().iter().next();
        let Some(seat) = mover(Seed(0)) else { continue };
        let position = |deal: Seed| Some(dealt(deal)).filter(|table| table.turn().players().contains(seat));
        let Some(deals) = alike(seat, position) else { continue };
        let shown = deals.map(|Seed(seed)| {
            let arguments = ["play", game.spec(), "--against", "random", "--seat", &seat.to_string()];
            fogtree(&[&arguments[..], &["--seed", &seed.to_string()]].concat()).out
        });
        assert_eq!(shown[0], shown[1], "{}", game.spec());
        compared += 1;
    }
    assert!(compared >= 10, "only {compared} games hide something from who moves first");
    // What is promised does not give away the seed that is told at the end.
    let arguments = ["play", "kuhn-poker", "--against", "random", "--json"];
    let run = fogtree_with_input(&arguments, b"check\nfold\n");
    let (during, end) = run.out.trim_end().rsplit_once('\n').unwrap();
    let end: serde_json::Value = serde_json::from_str(end).unwrap();
    attack("play", during, Seed(end["over"]["seed"].as_u64().unwrap()));
}

/// A GGP player that writes down what it receives and never knows a move.
fn ggp_spy() -> (String, Arc<Mutex<String>>) {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let address = listener.local_addr().unwrap().to_string();
    let received = Arc::new(Mutex::new(String::new()));
    let log = Arc::clone(&received);
    std::thread::spawn(move || {
        for stream in listener.incoming() {
            let _ = answer(stream.unwrap(), &log);
        }
    });
    (address, received)
}

fn answer(mut stream: TcpStream, log: &Mutex<String>) -> std::io::Result<()> {
    let mut text = String::new();
    let body = loop {
        let mut buffer = [0; 4096];
        let read = stream.read(&mut buffer)?;
        text += &String::from_utf8_lossy(&buffer[..read]);
        let Some((head, body)) = text.split_once("\r\n\r\n") else { continue };
        let head = head.to_lowercase();
        let length = head.split("content-length:").nth(1).and_then(|l| l.split_whitespace().next());
        let length: usize = length.and_then(|l| l.parse().ok()).unwrap_or(0);
        if body.len() >= length || read == 0 {
            break body.to_string();
        }
    };
    let reply = match body.split_whitespace().next().unwrap_or_default() {
        "(START" => "READY",
        "(STOP" => "DONE",
        "(ABORT" => "ABORTED",
        _ => "NIL",
    };
    // The address is the attacker's own.
    let heads = text.lines().take_while(|line| !line.is_empty());
    let heads = heads.filter(|line| !line.contains("127.0.0.1")).collect::<Vec<_>>().join("\n");
    *log.lock().unwrap() += &format!("{heads}\n{body}\n");
    write!(stream, "HTTP/1.1 200 OK\r\nContent-Length: {}\r\nConnection: close\r\n\r\n{reply}", reply.len())
}

#[test]
fn players_of_rule_sheets_learn_nothing_of_chance() {
    let registry = Registry::standard();
    let (address, received) = ggp_spy();
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../games/gdl");
    let mut sheets = 0;
    for path in std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()) {
        if path.extension().is_none_or(|e| e != "kif") {
            continue;
        }
        let game = registry.game(&format!("gdl(file={})", path.display())).unwrap();
        let players =
            [&[address.as_str()], &vec!["first-legal"; game.facts().players - 1][..]].concat().join(",");
        let play = |Seed(seed): Seed| {
            received.lock().unwrap().clear();
            let path = path.to_str().unwrap();
            let arguments = ["ggp", "manager", path, "--players", &players, "--most-steps", "3"];
            fogtree(&[&arguments[..], &["--grace", "30", "--seed", &seed.to_string()]].concat());
            received.lock().unwrap().clone()
        };
        let who = path.display().to_string();
        let (one, other, large) = (Seed(77), Seed(78), Seed(0x9d3c_55a1_07e2_b84f));
        let (first, again, second) = (play(one), play(one), play(other));
        // Before the first answer nothing has happened that could be perceived.
        let before = |text: &str| text[..text.match_indices("(PLAY").next().unwrap().0].to_string();
        same_but_for_chance(&who, [&*before(&first), &*before(&again), &*before(&second)]);
        for (text, seed) in [(first, one), (second, other), (play(large), large)] {
            attack(&who, &text, seed);
        }
        sheets += 1;
    }
    assert!(sheets >= 15, "only {sheets} sheets");
}

/// Pairs of games that differ in what a seat must not know, for every parameter that is declared so.
const SET_UPS: [([&str; 2], u8); 4] = [
    (
        [
            "stratego(columns=4,rows=3,home=1,army=FB3M,blue=FB3M)",
            "stratego(columns=4,rows=3,home=1,army=FB3M,blue=M3BF)",
        ],
        0,
    ),
    (
        [
            "stratego(columns=4,rows=3,home=1,army=FB3M,red=FB3M)",
            "stratego(columns=4,rows=3,home=1,army=FB3M,red=MF3B)",
        ],
        1,
    ),
    (
        [
            "lotr-confrontation(turns=3)",
            "lotr-confrontation(turns=3,light=[frodo,legolas,gimli,boromir,aragorn,gandalf,sam,merry,pippin])",
        ],
        1,
    ),
    (
        [
            "lotr-confrontation(size=3,turns=3,light=[frodo,merry,pippin,sam],dark=[warg,witch-king])",
            "lotr-confrontation(size=3,turns=3,light=[frodo,merry,pippin,sam],dark=[witch-king,warg])",
        ],
        0,
    ),
];

#[test]
fn nobody_is_told_how_others_have_set_up() {
    let (registry, spy) = (Registry::standard(), Spy::new("setups"));
    let declared = registry.games().flat_map(|about| about.params).filter(|p| p.secret.is_some());
    let mut declared: Vec<&str> = declared.map(|p| p.name).collect();
    declared.sort_unstable();
    assert_eq!(declared, ["blue", "dark", "light", "red"], "there is a pair for each");
    for (pair, seat) in SET_UPS {
        let games = pair.map(|spec| registry.game(spec).unwrap());
        let received = |i: usize| spy.received(&registry, &*games[i], Seed(5), Player(seat));
        let (first, again, second) = (received(0), received(0), received(1));
        // What the other does afterwards may well show how it has set up.
        let greeted = |text: &String| text.lines().take(2).collect::<Vec<_>>().join("\n");
        let greetings = [&first, &again, &second].map(greeted);
        assert!(greetings[0].contains("newgame"), "{}", greetings[0]);
        same_but_for_chance(pair[0], greetings.each_ref().map(String::as_str));
        for spec in pair {
            let told = registry.told(spec, Player(seat)).unwrap();
            assert_eq!(told, registry.told(pair[0], Player(seat)).unwrap());
            assert_eq!(registry.told(spec, Player(1 - seat)).unwrap(), spec, "the own is told");
            let run = fogtree(&["play", spec, "--seat", &seat.to_string(), "--seed", "5"]);
            assert!(run.out.starts_with(&told), "{}", run.out);
            let agents = [format!("exec(command={FOGTREE} engine --agent random)"), "random".to_string()];
            let run = fogtree(&["match", spec, &agents[0], &agents[1], "--games", "2"]);
            assert_eq!(run.code, 0, "our engine plays what it is told: {}", run.err);
        }
    }
}

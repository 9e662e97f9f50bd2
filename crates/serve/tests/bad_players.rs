//! A manager whose players are slow, silent, garrulous or wrong: the match goes on, and the record says what happened.

mod common;

use std::time::{Duration, Instant};

use common::{Deed, Rogue, local, options, remote, sheet};
use fogtree_serve::legal::Choice::{First, Random};
use fogtree_serve::manager::{Match, Options, Replacement};
use fogtree_serve::message::{Dialect, Message, News};
use fogtree_serve::record::{Answer, End, Record};

/// Plays a rogue as the first role against a good player and checks that the match was finished by the rules.
fn play(name: &str, rogue: &Rogue, dialect: Dialect, options: Options) -> Record {
    let sheet = sheet(name);
    let players = vec![remote(rogue.address, dialect), local(Random, 1, dialect)];
    let record = Match::new(&sheet, players, options).unwrap().play(|_| ());
    assert_eq!(record.end, End::Terminal);
    record.replay(&sheet).unwrap();
    let role = |r: &Record| r.players.iter().rposition(Option::is_some).unwrap();
    assert_eq!(record.errors()[role(&record)], 0, "the good player did nothing wrong: {record:?}");
    record
}

fn answers(record: &Record) -> Vec<&Answer> {
    let role = record.players.iter().position(Option::is_some).unwrap();
    record.steps.iter().map(|step| step.answers[role].as_ref().unwrap()).collect()
}

/// Does a deed at the second PLAY and behaves otherwise.
fn once(deed: Deed) -> Rogue {
    let plays = std::sync::atomic::AtomicUsize::new(0);
    Rogue::new(move |_, message| {
        let play = matches!(message, Message::Play { .. });
        let number = if play { plays.fetch_add(1, std::sync::atomic::Ordering::Relaxed) } else { 0 };
        if number == 1 { deed.clone() } else { Deed::Answer }
    })
}

fn always(deed: Deed) -> Rogue {
    Rogue::new(move |_, _| deed.clone())
}

#[test]
fn a_slow_player_is_not_waited_for() {
    let rogue = once(Deed::Late(Duration::from_secs(60)));
    let options = Options { play_clock: 2, grace: Duration::from_millis(500), ..options("m") };
    let sheet = sheet("kuhn-poker");
    let players = vec![remote(rogue.address, Dialect::B), local(Random, 1, Dialect::B)];
    let began = Instant::now();
    // The rogue sleeps longer than the whole match, so all its further answers are late, too.
    let options = Options { most_steps: 2, ..options };
    let record = Match::new(&sheet, players, options).unwrap().play(|_| ());
    assert!(began.elapsed() < Duration::from_secs(30), "{:?}", began.elapsed());
    let slow = answers(&record)[1];
    assert_eq!((&*slow.error, &*slow.reply, &*slow.why), ("TO", "", "no answer in time"));
    assert!((2_500..10_000).contains(&slow.milliseconds), "{}", slow.milliseconds);
    record.replay(&sheet).unwrap();
}

/// A late answer is dropped, a move is made for the player, and in dialect B it is told which; it then goes on with
/// legal moves.
#[test]
fn a_late_player_is_told_what_was_done_for_it() {
    let rogue = once(Deed::Late(Duration::from_millis(2_300)));
    let options = Options { play_clock: 2, grace: Duration::ZERO, ..options("m") };
    let record = play("krieg-tic-tac-toe-3x3", &rogue, Dialect::B, options);
    let all = answers(&record);
    assert_eq!(all[1].error, "TO");
    // While it still sleeps the next question may come too late as well, but after that all is well again.
    assert!(all.iter().skip(3).all(|a| a.error.is_empty()), "{all:?}");
    let told: Vec<String> = rogue
        .heard()
        .into_iter()
        .filter_map(|message| match message {
            Message::Play { news: News::Turn { last, .. }, .. }
            | Message::Stop { news: News::Turn { last, .. }, .. } => last,
            _ => None,
        })
        .collect();
    let made: Vec<String> = record.steps.iter().map(|step| step.moves[0].clone()).collect();
    assert_eq!(told, made, "lastmove is what was made, from the second message on");
}

#[test]
fn who_hangs_up_gets_moves_made_for_it() {
    for deed in [Deed::HangUp, Deed::HangUpInTheMiddle] {
        let record = play("tic-tac-toe", &always(deed), Dialect::Gdl, options("m"));
        assert!(answers(&record).iter().all(|a| a.error == "CE"), "{record:?}");
        assert_eq!(record.start[0].as_ref().unwrap().error, "CE");
        assert_eq!(record.stop[0].as_ref().unwrap().error, "CE");
    }
}

#[test]
fn nobody_at_the_address_is_like_hanging_up() {
    let nobody = std::net::TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap();
    let sheet = sheet("tic-tac-toe");
    let players = vec![remote(nobody, Dialect::A), local(First, 1, Dialect::A)];
    let record = Match::new(&sheet, players, options("m")).unwrap().play(|_| ());
    assert!(record.end == End::Terminal && answers(&record).iter().all(|a| a.error == "CE"));
    record.replay(&sheet).unwrap();
}

#[test]
fn garbage_is_no_move() {
    let say = |text: &str| Deed::Say(text.to_string());
    let bytes = |bytes: &[u8]| Deed::Bytes(bytes.to_vec());
    for (deed, error) in [
        (say(""), "IL "),
        (say("nil"), "IL nil"),
        (say("(mark 9 9)"), "IL (mark 9 9)"),
        (say("(mark ?x 1)"), "IL (mark ?x 1)"),
        (say("(mark 1 1) (mark 2 2)"), "IL (mark 1 1) (mark 2 2)"),
        (say("(((("), "IL (((("),
        (say("))"), "IL ))"),
        (say("<html>\u{1f600}</html>"), "IL <html>\u{1f600}</html>"),
        (say("mark"), "IL mark"),
        (say(&"(".repeat(60_000)), &format!("IL {} ...", "(".repeat(200))),
        (bytes(b"HTTP/1.0 200 OK\r\nContent-Length: 3\r\n\r\n\xff\xfe\xfd"), "CE"),
        (bytes(b"HTTP/1.0 500 Sorry\r\nContent-Length: 10\r\n\r\n(mark 1 1)"), "CE"),
        (bytes(b"HTTP/1.0 200 OK\r\nContent-Length: x\r\n\r\n(mark 1 1)"), "CE"),
        (bytes(b"(mark 1 1)"), "CE"),
        (bytes(&[0; 1000]), "CE"),
        (bytes(&[b'\n'; 100_000]), "CE"),
        (bytes(format!("HTTP/1.0 200 OK\r\nX: {}", "y".repeat(100_000)).as_bytes()), "CE"),
    ] {
        let record = play("tic-tac-toe", &once(deed), Dialect::Gdl, options("m"));
        let errors: Vec<&str> = answers(&record).iter().map(|a| &*a.error).collect();
        assert_eq!(errors[1], error);
        assert!(errors.iter().enumerate().all(|(i, e)| i == 1 || e.is_empty()), "{errors:?}");
    }
}

#[test]
fn case_and_space_around_a_move_do_not_matter() {
    let rogue = once(Deed::Say("\r\n ( NOOP ) ; nothing to do\n".to_string()));
    let record = play("tic-tac-toe", &rogue, Dialect::Gdl, options("m"));
    assert_eq!((record.errors(), &*record.steps[1].moves[0]), (vec![0, 0], "noop"));
}

/// A hundred megabytes, announced or not: the manager takes as much as a move may have and hangs up.
#[test]
fn a_player_may_send_without_end() {
    for said in [true, false] {
        let rogue = once(Deed::Flood { bytes: 100 << 20, said });
        let began = Instant::now();
        let record = play("tic-tac-toe", &rogue, Dialect::Gdl, options("m"));
        assert!(began.elapsed() < Duration::from_secs(20));
        let flood = answers(&record)[1];
        assert_eq!((&*flood.error, &*flood.why), ("CE", "the body has more than 65536 bytes"));
    }
}

#[test]
fn who_is_not_ready_is_asked_all_the_same() {
    let rogue = Rogue::new(|_, message| match message {
        Message::Start { .. } => Deed::Say("BUSY".to_string()),
        _ => Deed::Answer,
    });
    let record = play("tic-tac-toe", &rogue, Dialect::Gdl, options("m"));
    let start = record.start[0].as_ref().unwrap();
    assert_eq!((&*start.error, &*start.why), ("IL BUSY", "expected READY"));
    assert_eq!(record.errors(), [0, 0]);
}

/// Replacements come from the seed, or are the first legal move.
#[test]
fn what_replaces_a_move_is_an_option() {
    let made = |replacement, seed| {
        let options = Options { replacement, seed: fogtree_core::Seed(seed), ..options("m") };
        play("tic-tac-toe", &always(Deed::HangUp), Dialect::Gdl, options).steps[0].moves[0].clone()
    };
    assert!((1..4).all(|seed| made(Replacement::First, seed) == "(mark 1 1)"));
    let random: Vec<String> = (1..7).map(|seed| made(Replacement::Random, seed)).collect();
    assert!(random.iter().any(|m| *m != random[0]), "{random:?}");
    assert_eq!(made(Replacement::Random, 1), random[0]);
}

/// In dialect A nobody tells a player that its move was replaced. It finds out by its percepts, or does not, but it
/// does not break: its answers are moves, or it says that it does not know.
#[test]
fn who_is_not_told_goes_on_as_well_as_it_can() {
    for name in ["latent-tic-tac-toe", "krieg-tic-tac-toe-3x3", "phantom-tic-tac-toe", "meier", "kuhn-poker"]
    {
        let rogue = once(Deed::Say("(no such move)".to_string()));
        let record = play(name, &rogue, Dialect::A, options("m"));
        let all = answers(&record);
        assert_eq!(all[1].error, "IL (no such move)");
        for answer in all {
            assert!(answer.error.is_empty() || answer.error.starts_with("IL"), "{name}: {answer:?}");
        }
    }
}

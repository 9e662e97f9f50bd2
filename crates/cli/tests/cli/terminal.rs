//! Whole games in a terminal, as a person plays them: with help, hints, moves taken back, saved and resumed.
//!
//! `script` gives the program a terminal of its own.

use std::io::{Read, Write};
use std::path::Path;
use std::process::{Child, ChildStdin, Command, Stdio};
use std::sync::mpsc::{Receiver, channel};
use std::time::{Duration, Instant};

use crate::scratch;

const FOGTREE: &str = env!("CARGO_BIN_EXE_fogtree");

/// A program in a terminal, and what it has written.
struct Terminal {
    child: Child,
    keys: ChildStdin,
    bytes: Receiver<Vec<u8>>,
    screen: String,
}

/// What the program waits for.
#[derive(PartialEq, Debug)]
enum Asks {
    Move,
    AfterTheEnd,
}

impl Terminal {
    fn open(arguments: &[&str]) -> Terminal {
        let quoted: Vec<String> = arguments.iter().map(|word| format!("'{word}'")).collect();
        let command = format!("'{FOGTREE}' {}", quoted.join(" "));
        let mut child = Command::new("script")
            .args(["-qfec", &command, "/dev/null"])
            .env("TERM", "xterm-256color")
            .env_remove("NO_COLOR")
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()
            .expect("script is part of every Debian");
        let (keys, mut out) = (child.stdin.take().unwrap(), child.stdout.take().unwrap());
        let (send, bytes) = channel();
        std::thread::spawn(move || {
            let mut buffer = [0; 4096];
            while let Ok(count @ 1..) = out.read(&mut buffer) {
                if send.send(buffer[..count].to_vec()).is_err() {
                    return;
                }
            }
        });
        Terminal { child, keys, bytes, screen: String::new() }
    }

    /// Reads until the program asks something; nothing once it has ended.
    fn asked(&mut self) -> Option<(Asks, String)> {
        let (until, mut answer) = (Instant::now() + Duration::from_secs(120), String::new());
        loop {
            assert!(Instant::now() < until, "nothing more came after:\n{answer}");
            let Ok(bytes) = self.bytes.recv_timeout(Duration::from_secs(120)) else {
                eprintln!("the program ended with:\n{answer}");
                return None;
            };
            answer += &String::from_utf8_lossy(&bytes);
            let asks = match answer.trim_end() {
                end if end.ends_with("your move:") => Asks::Move,
                end if end.ends_with("why, save FILE or quit:") => Asks::AfterTheEnd,
                _ => continue,
            };
            self.screen += &answer;
            let answer = answer.replace("\x1b[2K", "").replace('\r', "");
            return Some((asks, fogtree_core::text::plain(&answer)));
        }
    }

    fn type_line(&mut self, line: &str) {
        writeln!(self.keys, "{line}").unwrap();
    }

    /// Types something that leaves the position alone, and answers what is said to it.
    fn say(&mut self, line: &str) -> String {
        self.type_line(line);
        let (asks, said) = self.asked().expect("the program goes on");
        assert_eq!(asks, Asks::Move, "{line}: {said}");
        said
    }
}

impl Drop for Terminal {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// One of the moves that are listed.
fn pick(terminal: &mut Terminal, number: usize) -> String {
    let said = terminal.say("moves");
    let listed = said.rsplit_once("moves: ").expect("moves are listed").1;
    let listed = listed.rsplit_once("your move:").expect("then the program asks").0;
    let names: Vec<&str> =
        listed.split_whitespace().filter(|word| !word.ends_with(')') || word.len() > 4).collect();
    names[number % names.len()].to_string()
}

/// Plays a game to its end.
fn whole_game(game: &str, folder: &Path) {
    let file = folder.join("saved.json").display().to_string();
    let against = "flat-mc(iterations=30)";
    let mut terminal = Terminal::open(&["play", game, "--against", against, "--seed", "7"]);
    let (mut asks, mut said) = terminal.asked().expect("the program asks");
    assert!(terminal.say("?").contains("take your last move back"), "{game}");
    let (mut moves, mut resumed) = (0, false);
    while asks == Asks::Move {
        if moves == 1 {
            let before: Vec<String> = said.lines().rev().skip(1).take(5).map(str::to_string).collect();
            let hint = terminal.say("hint");
            assert!(hint.contains("The computer would play"), "{game}: {hint}");
            let refused = terminal.say("why");
            assert!(refused.contains("after the game"), "{game}: {refused}");
            let again = terminal.say("view");
            assert!(
                before.iter().all(|line| again.contains(line)),
                "{game}: {again}
---
{before:?}"
            );
            terminal.type_line("undo");
            (asks, _) = terminal.asked().expect("the game goes on");
            assert_eq!(asks, Asks::Move, "{game}");
        }
        if moves == 2 && !resumed {
            assert!(terminal.say(&format!("save {file}")).contains("Saved."), "{game}");
            terminal = Terminal::open(&["play", "--resume", &file]);
            (asks, said) = terminal.asked().expect("the game goes on");
            resumed = true;
            continue;
        }
        let choice = pick(&mut terminal, moves * 7 + 3);
        terminal.type_line(&choice);
        (asks, said) = terminal.asked().expect("the game goes on");
        assert!(!said.contains("You cannot play that"), "{game}: {choice}: {said}");
        moves += 1;
        assert!(moves < 3_000, "{game} does not end");
    }
    assert!(said.contains("The game is over"), "{game}: {said}");
    assert!(terminal.screen.contains("\x1b["), "{game} has colours");
    terminal.type_line("why");
    let (_, why) = terminal.asked().expect("one more question");
    assert!(why.contains("played") || why.contains("Nobody has thought"), "{game}: {why}");
    terminal.type_line("quit");
    assert!(terminal.asked().is_none(), "{game}");
    assert!(moves >= 1, "{game}");
}

macro_rules! games {
    ($($name:ident: $spec:literal,)*) => {
        $(#[test]
        fn $name() {
            let folder = scratch(concat!("terminal-", stringify!($name)));
            std::fs::create_dir_all(&folder).unwrap();
            whole_game($spec, Path::new(&folder));
        })*
    };
}

games! {
    hearts: "hearts(to=10)",
    leduc_poker: "leduc-poker",
    phantom_mnk: "phantom-mnk",
    scotland_yard: "scotland-yard(board=tiny,seekers=2)",
    lotr_confrontation: "lotr-confrontation",
    stratego: "stratego",
    resistance: "resistance",
    tubstap: "tubstap",
    dou_di_zhu: "dou-di-zhu",
    backgammon: "backgammon",
}

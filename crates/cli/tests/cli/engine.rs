//! The engine protocol from both sides: our own engine, and programs that are none.

use std::io::{BufRead, BufReader, Write};
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};
use std::time::{Duration, Instant};

use fogtree_core::{Agent, AgentFailure, Budget, Decision, Event, InfoSet, Player, Seed};
use fogtree_table::{SeatAgent, play_game};
use serde_json::{Value, json};

use crate::{Run, fogtree, fogtree_with_input, scratch};

const FOGTREE: &str = env!("CARGO_BIN_EXE_fogtree");

/// Our engine, spoken to line by line.
struct Engine {
    child: Child,
    input: Option<ChildStdin>,
    output: BufReader<ChildStdout>,
}

impl Engine {
    fn start(agent: &str) -> Engine {
        let mut child = Command::new(FOGTREE)
            .args(["engine", "--agent", agent])
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()
            .unwrap();
        let (input, output) = (child.stdin.take(), BufReader::new(child.stdout.take().unwrap()));
        Engine { child, input, output }
    }

    fn playing(agent: &str, game: &str, seat: u64) -> Engine {
        let mut engine = Engine::start(agent);
        let ready = engine.ask(&json!({"type": "newgame", "game": game, "seat": seat, "seed": 5}));
        assert_eq!(ready, json!({"type": "ready"}));
        engine
    }

    fn say(&mut self, line: &str) {
        writeln!(self.input.as_mut().unwrap(), "{line}").unwrap();
    }

    fn hear(&mut self) -> Value {
        let mut line = String::new();
        self.output.read_line(&mut line).unwrap();
        serde_json::from_str(&line).unwrap_or_else(|why| panic!("{why}: {line}"))
    }

    fn ask(&mut self, message: &Value) -> Value {
        self.say(&message.to_string());
        self.hear()
    }

    /// Asks for something that must be refused in these words.
    fn refused(&mut self, message: &Value, words: &[&str]) {
        let answer = self.ask(message);
        assert_eq!(answer["type"], "error", "{message}: {answer}");
        for word in words {
            assert!(answer["message"].as_str().unwrap().contains(word), "{message}: {answer}");
        }
    }

    /// Closes the input; the engine must end by itself and well.
    fn end(mut self) {
        self.input = None;
        assert!(self.child.wait().unwrap().success());
    }
}

impl Drop for Engine {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// What the first player of Kuhn poker knows with this card.
fn kuhn_infoset(cards: &str) -> Value {
    let (own, other) = cards.split_once(' ').unwrap();
    let registry = fogtree_table::Registry::standard();
    let mut table = registry.game("kuhn-poker").unwrap().table();
    table.play_words(&[own, other]).unwrap();
    table.infoset(fogtree_core::Player(0)).to_json()
}

fn check(command: &[&str]) -> Run {
    fogtree(&[&["engine", "check", "--timeout", "20", "--grace", "10", "--json"], command].concat())
}

/// The name of every check that had this result.
fn with_result<'a>(lines: &'a [Value], result: &str) -> Vec<&'a str> {
    lines.iter().filter(|l| l["result"] == result).map(|l| l["check"].as_str().unwrap()).collect()
}

#[test]
fn our_engine_passes_the_check() {
    for agent in [&[][..], &["--agent", "flat-mc(iterations=30)"], &["--agent", "random"]] {
        let run = check(&[&[FOGTREE, "engine"], agent].concat());
        assert_eq!(run.code, 0, "{}{}", run.out, run.err);
        let lines = run.lines();
        assert_eq!(with_result(&lines, "fail"), Vec::<&str>::new());
        assert!(with_result(&lines, "pass").len() >= 14, "{}", run.out);
        let repeated = lines.iter().find(|l| l["check"] == "reproducible").unwrap();
        assert!(repeated["detail"].as_str().unwrap().contains("the same games"), "{repeated}");
    }
    let shown = fogtree(&["engine", "check", FOGTREE, "engine", "--agent", "random"]);
    assert!(shown.out.contains("kuhn-poker") && shown.out.contains("pass"), "{}", shown.out);
}

#[test]
fn an_engine_that_refuses_all_games_to_check_with_fails_the_check() {
    let run = check(&[FOGTREE, "engine", "--agent", "uct"]);
    assert_eq!(run.code, 1, "uct plays none of the games with hidden information: {}", run.out);
    assert_eq!(with_result(&run.lines(), "fail"), ["games"]);
}

#[test]
fn programs_that_are_no_engines_fail_the_check() {
    let sh = |script: &'static str| vec!["sh", "-c", script];
    for command in [
        vec!["cat"],
        vec!["false"],
        vec!["no-such-program-anywhere"],
        vec![FOGTREE, "games"],
        sh("yes"),
        sh("cat /dev/zero"),
        sh("exec sleep 1000"),
    ] {
        let arguments = ["engine", "check", "--timeout", "0.5", "--grace", "0.2", "--json"];
        let run = fogtree(&[&arguments[..], &command].concat());
        assert_eq!((run.code, run.err.lines().count()), (1, 1), "{command:?}: {}{}", run.out, run.err);
        assert_eq!(with_result(&run.lines(), "fail"), ["hello"], "{command:?}");
    }
}

/// An agent that draws from a seed of its own, whatever the table gives it.
struct Seeded(Box<dyn Agent>, Seed);

impl Agent for Seeded {
    fn start(&mut self, seat: Player, _seed: Seed) {
        self.0.start(seat, self.1);
    }

    fn observe(&mut self, event: &Event) {
        self.0.observe(event);
    }

    fn act(&mut self, info: &InfoSet, budget: &Budget) -> Result<Decision, AgentFailure> {
        self.0.act(info, budget)
    }
}

#[test]
fn our_engine_plays_as_its_agent_does_with_the_same_seed() {
    let registry = fogtree_table::Registry::standard();
    for name in ["kuhn-poker", "goofspiel(cards=4,bids=hidden)", "phantom-mnk(m=3,n=3,k=3)"] {
        let game = registry.game(name).unwrap();
        let games = |agent: &dyn Fn(u64) -> String| -> Vec<String> {
            let play = |number: u64| {
                let mut seating = |seat: Player, _: &str| -> Result<SeatAgent, Box<dyn std::error::Error>> {
                    let own = u64::from(seat.0) == number % 2;
                    let seated =
                        registry.agent(&if own { agent(number) } else { "random".into() }, &*game)?;
                    let agent = Box::new(Seeded(seated.agent, Seed(number)));
                    Ok(SeatAgent { spec: String::new(), agent, ..seated })
                };
                play_game(&*game, name, Seed(7), &mut seating, &mut |_| {}).unwrap().record.to_lines()
            };
            (0..4).map(play).collect()
        };
        let direct = games(&|_| "flat-mc(iterations=50)".to_string());
        let engine = format!("{FOGTREE} engine --agent flat-mc");
        assert_eq!(games(&|seed| format!("exec(command={engine}(iterations=50),seed={seed})")), direct);
        assert_eq!(games(&|seed| format!("exec(command=[{engine}],iterations=50,seed={seed})")), direct);
    }
}

#[test]
fn a_match_with_an_engine_is_played_again_with_seeds_of_its_own() {
    let run = |seed: &str| {
        let agent = format!("exec(command={FOGTREE} engine --agent random{seed})");
        let run =
            fogtree(&["match", "phantom-mnk", &agent, "random", "--games", "6", "--seed", "3", "--json"]);
        let result = run.json();
        ["wins", "draws", "losses", "mean_reward"].map(|field| result["agents"][0][field].clone())
    };
    assert_eq!(run(",seed=5"), run(",seed=5"));
    let refused = fogtree(&["match", "nim", "exec(command=cat,seed=-1)", "random"]);
    assert!(refused.code == 2 && refused.err.contains("seed=-1"), "{}", refused.err);
}

/// The deals of a small seed could be computed by trying.
#[test]
fn a_match_with_another_program_has_a_seed_that_it_cannot_guess() {
    let seed = |agent: &str| {
        fogtree(&["match", "nim", agent, "random", "--games", "1", "--json"]).json()["seed"].clone()
    };
    let engine = format!("exec(command={FOGTREE} engine --agent random)");
    assert_ne!(seed(&engine), seed(&engine));
    assert_eq!(seed("random"), 1);
}

#[test]
fn a_decision_of_an_engine_is_explained_like_one_of_our_own() {
    let explain = |agent: &str| {
        let run = fogtree(&["analyse", "kuhn-poker", "--seed", "4", "--agent", agent, "--json"]);
        let mut value = run.json();
        for field in ["agent", "seconds", "iterations_per_second"] {
            value[field] = Value::Null;
        }
        value
    };
    for agent in ["flat-mc(iterations=70)", "mo-ismcts(iterations=300)"] {
        let engine = format!("exec(command={FOGTREE} engine --agent {agent},seed=4)");
        assert_eq!(explain(&engine), explain(agent));
    }
}

/// How long engines that will not answer are waited for.
const PATIENCE: &str = "1.5s";

/// Plays a match against a program that must fail in one line with these words.
fn fails(command: &str, words: &[&str]) {
    fails_within("20s", command, words);
}

fn fails_within(timeout: &str, command: &str, words: &[&str]) {
    let began = Instant::now();
    let agent = format!("exec(command={command},timeout={timeout})");
    let run = fogtree(&["match", "kuhn-poker", &agent, "random", "--games", "4", "--seed", "1"]);
    assert_eq!((run.code, run.err.lines().count()), (1, 1), "{command}: {}", run.err);
    assert!(run.err.starts_with("error: an engine failed: '"), "{}", run.err);
    for word in words {
        assert!(run.err.contains(word), "{command}: '{word}' is not in {}", run.err);
    }
    assert!(began.elapsed() < Duration::from_secs(60), "{command} took {:?}", began.elapsed());
}

#[test]
fn broken_engines_give_errors_and_not_hangs() {
    fails("no-such-program-anywhere", &["cannot be started"]);
    fails("false", &["'false' ended", "exit status: 1"]);
    fails("cat", &["wrote '{\"type\":\"hello\"", "no answer"]);
    fails("sh -c 'echo trouble ahead >&2; exit 3'", &["exit status: 3", "trouble ahead"]);
    fails("sh -c yes", &["wrote 'y', which is no answer"]);
    fails("cat /dev/zero", &["more than 1048576 bytes"]);
    fails_within(PATIENCE, "sleep 1000", &["did not answer hello within 1.5 s"]);
    fails(&format!("{FOGTREE} games"), &["no answer"]);
    fails(&format!("{FOGTREE} engine --agent no-such-agent"), &["exit status: 2", "unknown agent"]);
    fails(
        &format!("{FOGTREE} engine --agent cheating-uct"),
        &["answered newgame with an error", "true state"],
    );
    fails(
        &format!("{FOGTREE} engine --agent uct"),
        &["answered newgame with an error", "hidden information"],
    );
}

/// Engines that begin well: a script that says fixed lines, one for each line it reads.
#[test]
fn engines_that_break_in_the_middle_give_errors_and_not_hangs() {
    // printf, with octal escapes for quotes, keeps quotes out of the specification.
    let say = |text: &str| format!("printf {}\\\\n; ", text.replace('"', "\\\\042").replace(',', "\\\\054"));
    let begin = format!(
        "read a; {}read b; {}read c; read d; ",
        say(r#"{"type":"ready","name":"x","protocol":1}"#),
        say(r#"{"type":"ready"}"#)
    );
    let fails_after = |rest: &str, words: &[&str]| fails(&format!("sh -c '{begin}{rest}'"), words);
    fails_after(&say(r#"{"type":"bestmove","move":"raise"}"#), &["chose 'raise', which is not legal"]);
    fails_after(&say(r#"{"type":"ready"}"#), &["answered go with {\"type\":\"ready\"}"]);
    fails_after("exit 4", &["ended (exit status: 4)"]);
    let late =
        |rest: &str| fails_within(PATIENCE, &format!("sh -c '{begin}{rest}'"), &["answer go within 1.5 s"]);
    late("exec sleep 1000");
    late(&format!("while true; do {}done", say(r#"{"type":"info"}"#)));
    let values = say(r#"{"type":"bestmove","move":"bet","moves":[{"move":"bet","values":[1.0]}]}"#);
    fails_after(&values, &["values of 'bet'"]);
}

/// Runs a match of Nim against a script that answers every `go` with these lines.
fn nim_against(name: &str, answer: &str) -> Run {
    let script = format!(
        r#"while read -r line; do case "$line" in
        *'"hello"'*) echo '{{"type":"ready","name":"x","protocol":1}}' ;;
        *'"newgame"'*) echo '{{"type":"ready"}}' ;;
        *'"go"'*) {answer} ;;
        esac; done"#
    );
    let path = scratch(name);
    std::fs::write(&path, script).unwrap();
    let agent = format!("exec(command=sh {},timeout=20s)", path.display());
    let run = fogtree(&["match", "nim(heaps=[9,1])", &agent, &agent, "--games", "1"]);
    std::fs::remove_file(path).unwrap();
    run
}

/// The second of two answers comes too late for the question and is not taken for the answer to the next one.
#[test]
fn a_second_answer_is_not_the_answer_to_the_next_question() {
    let once = r#"echo '{"type":"bestmove","move":"a1"}'"#;
    for again in [once.to_string(), format!("sleep 0.05; {once}")] {
        let run = nim_against("twice", &format!("{once}; {again}"));
        assert_eq!(run.code, 1, "{}", run.out);
        assert!(run.err.contains("chose 'a1' when it was not asked"), "{}", run.err);
    }
    let info = r#"echo '{"type":"info"}'"#;
    let run = nim_against("talks-on", &format!("{once}; {info}; {info}"));
    assert!(run.err.contains("chose 'a1', which is not legal"), "it is wrong at the end only: {}", run.err);
}

#[test]
fn impossible_counts_are_refused_with_the_name_of_the_engine() {
    for counted in [
        r#""iterations":9223372036854775808"#,
        r#""nodes":18446744073709551615"#,
        r#""moves":[{"move":"a1","visits":9223372036854775808}]"#,
        r#""profile":[1,9223372036854775808]"#,
    ] {
        let run = nim_against("counts", &format!(r#"echo '{{"type":"bestmove","move":"a1",{counted}}}'"#));
        assert_eq!(run.code, 1, "{}", run.out);
        assert!(run.err.contains("counts' reported ") && run.err.contains("more than"), "{}", run.err);
    }
}

#[test]
fn a_search_answers_soon_after_stop() {
    let mut engine = Engine::playing("flat-mc", "kuhn-poker", 0);
    let mut soonest = Duration::MAX;
    for _ in 0..5 {
        let go = json!({"type": "go", "infoset": kuhn_infoset("Q J"), "iterations": 1_000_000_000_000_u64});
        engine.say(&go.to_string());
        std::thread::sleep(Duration::from_millis(50));
        let began = Instant::now();
        let answer = engine.ask(&json!({"type": "stop"}));
        soonest = soonest.min(began.elapsed());
        assert_eq!(answer["type"], "bestmove");
        assert!(answer["iterations"].as_u64().unwrap() > 100, "{answer}");
    }
    assert!(soonest < Duration::from_millis(100), "{soonest:?}");
    let go = json!({"type": "go", "infoset": kuhn_infoset("Q J"), "iterations": 300});
    assert_eq!(engine.ask(&go)["iterations"], 300, "a stop is spent on the search it stopped");
    engine.end();
}

#[test]
fn limits_replace_the_agents_own() {
    let mut engine = Engine::playing("flat-mc(iterations=40)", "kuhn-poker", 0);
    let mut go = json!({"type": "go", "infoset": kuhn_infoset("Q J")});
    assert_eq!(engine.ask(&go)["iterations"], 40);
    go["milliseconds"] = json!(30);
    assert!(engine.ask(&go)["iterations"].as_u64().unwrap() > 40);
    go["iterations"] = json!(7);
    assert_eq!(engine.ask(&go)["iterations"], 7);
    engine.end();
}

#[test]
fn the_answer_tells_how_the_move_came_about() {
    let mut engine = Engine::playing("flat-mc", "kuhn-poker", 0);
    engine.say(r#"{"type":"observe","events":[]}"#);
    let answer = engine.ask(&json!({"type": "go", "infoset": kuhn_infoset("K J"), "iterations": 100}));
    let moves = answer["moves"].as_array().unwrap();
    assert_eq!(moves.iter().map(|m| m["move"].as_str().unwrap()).collect::<Vec<_>>(), ["check", "bet"]);
    assert_eq!(moves.iter().map(|m| m["visits"].as_u64().unwrap()).sum::<u64>(), 100);
    assert!(moves.iter().all(|m| m["values"].as_array().unwrap().len() == 2));
    engine.say(r#"{"type":"end","rewards":[1.0,-1.0]}"#);
    engine.refused(&json!({"type": "go", "infoset": kuhn_infoset("K J")}), &["newgame"]);
    engine.say(r#"{"type":"quit"}"#);
    assert!(engine.child.wait().unwrap().success());
}

#[test]
fn bad_requests_are_refused_and_the_game_goes_on() {
    let mut engine = Engine::playing("flat-mc(iterations=20)", "kuhn-poker", 0);
    let good = kuhn_infoset("Q J");
    let changed = |field: &str, value: Value| {
        let mut infoset = good.clone();
        infoset[field] = value;
        json!({"type": "go", "infoset": infoset})
    };
    engine.refused(&json!({"type": "go"}), &["infoset"]);
    engine.refused(&json!({"type": "go", "infoset": {}}), &["not an information set"]);
    engine.refused(&changed("known", json!({"x": []})), &["not an information set"]);
    engine.refused(&changed("legal", json!(["raise"])), &["no action 'raise'"]);
    engine.refused(&changed("legal", json!([])), &["no legal moves"]);
    engine.refused(&changed("seat", json!(1)), &["player 1", "player 0"]);
    engine.refused(&changed("key", json!("x")), &["not an information set"]);
    engine.refused(&json!({"type": "go", "infoset": good, "iterations": -1}), &["protocol"]);
    engine.refused(&json!({"type": "hello", "protocol": 2}), &["protocol 2", "protocol 1"]);
    engine.refused(&json!({"type": "observe", "events": [{"seen": "what"}]}), &["observation"]);
    assert_eq!(engine.ask(&json!({"type": "go", "infoset": good}))["iterations"], 20);
    engine.say(&"x".repeat(17 << 20));
    let answer = engine.hear();
    assert_eq!((&answer["type"], &answer["line"]), (&json!("error"), &json!(13)));
    assert!(answer["message"].as_str().unwrap().contains("longer than"));
    engine
        .refused(&json!({"type": "newgame", "game": "kuhn-poker", "seat": 2, "seed": 1}), &["seats 0 to 1"]);
    engine
        .refused(&json!({"type": "newgame", "game": "khun-poker", "seat": 0, "seed": 1}), &["'kuhn-poker'?"]);
    engine.end();
}

#[test]
fn noise_is_answered_line_by_line() {
    let mut rng = fogtree_core::Seed(3).stream(fogtree_core::Purpose::Ties);
    let mut noise: Vec<u8> = (0..1 << 18).map(|_| rng.bits() as u8).collect();
    noise.push(b'\n');
    let lines = noise.iter().filter(|&&b| b == b'\n').count();
    let run = fogtree_with_input(&["engine"], &noise);
    assert_eq!((run.code, run.err.as_str()), (0, ""));
    let answers = run.lines();
    assert_eq!(answers.len(), lines);
    for (answer, line) in answers.iter().zip(1..) {
        assert_eq!((&answer["type"], &answer["line"]), (&json!("error"), &json!(line)));
    }
}

/// What a seat knows comes from outside. Whatever is in it, there is an answer, and the engine lives on.
#[test]
fn impossible_knowledge_is_answered() {
    let mut engine = Engine::start("flat-mc(iterations=20)");
    let good = kuhn_infoset("Q J");
    let known = good["known"].to_string();
    let mut broke_down = 0;
    for (at, _) in known.char_indices().filter(|(_, c)| c.is_ascii_digit()) {
        for digit in ["0", "1", "2", "3", "7", "200", "-1", "null"] {
            let newgame = json!({"type": "newgame", "game": "kuhn-poker", "seat": 0, "seed": 1});
            assert_eq!(engine.ask(&newgame)["type"], "ready");
            let text = format!("{}{digit}{}", &known[..at], &known[at + 1..]);
            let Ok(value) = serde_json::from_str::<Value>(&text) else { continue };
            let mut infoset = good.clone();
            infoset["known"] = value;
            let answer = engine.ask(&json!({"type": "go", "infoset": infoset, "milliseconds": 20}));
            assert!(answer["type"] == "bestmove" || answer["type"] == "error", "{answer}");
            broke_down += u32::from(answer.to_string().contains("broke down"));
        }
    }
    assert!(broke_down > 0, "some of it leaves no world to draw");
    engine.end();
}

#[test]
fn an_unknown_agent_is_refused_at_once() {
    for (agent, word) in [("flat-nc", "'flat-mc'"), ("flat-mc(x=1)", "no parameter 'x'")] {
        let run = fogtree(&["engine", "--agent", agent]);
        assert_eq!(run.code, 2);
        assert!(run.err.contains(word), "{}", run.err);
    }
    assert_eq!(fogtree(&["engine", "check"]).code, 2);
    assert_eq!(fogtree(&["engine", "check", "--timeout", "-1", "cat"]).code, 2);
    let run = fogtree(&["match", "kuhn-poker", "exec", "random"]);
    assert_eq!(run.code, 2);
    assert!(run.err.contains("a program and its arguments"), "{}", run.err);
}

/// No program that was started for a match is left over when it has ended, well or badly.
#[cfg(target_os = "linux")]
#[test]
fn no_engine_outlives_its_match() {
    let mark = format!("1{:09}", std::process::id());
    let running = || {
        let processes = std::fs::read_dir("/proc").unwrap().flatten();
        let commands = processes.filter_map(|p| std::fs::read(p.path().join("cmdline")).ok());
        commands.filter(|c| String::from_utf8_lossy(c).contains(&mark)).count()
    };
    let agent = format!("exec(command=sleep {mark},timeout=300ms)");
    let run = fogtree(&["match", "kuhn-poker", &agent, &agent, "--games", "8", "--threads", "4"]);
    assert_eq!(run.code, 1, "{}", run.err);
    assert_eq!(running(), 0);
}

/// A search in a position of the game's start, without limits of its own.
fn endless(game: &str) -> Value {
    let registry = fogtree_table::Registry::standard();
    let table = registry.game(game).unwrap().table();
    let infoset = table.infoset(fogtree_core::Player(0)).to_json();
    json!({"type": "go", "infoset": infoset, "iterations": 1_000_000_000_000_u64})
}

#[test]
fn our_engine_tells_how_its_search_stands() {
    for agent in ["mo-ismcts", "so-ismcts(threads=2)", "flat-mc", "is-mcts"] {
        let mut engine = Engine::playing(agent, "phantom-mnk", 0);
        let mut go = endless("phantom-mnk");
        go["milliseconds"] = json!(700);
        go["explain"] = json!(true);
        engine.say(&go.to_string());
        let mut before = 0;
        let last = loop {
            let answer = engine.hear();
            if answer["type"] != "info" {
                break answer;
            }
            let iterations = answer["iterations"].as_u64().unwrap();
            assert!(iterations > before, "{agent}: {answer}");
            before = iterations;
            assert_eq!(answer["moves"].as_array().unwrap().len(), 9, "{agent}: {answer}");
            assert!(answer["milliseconds"].as_u64().unwrap() >= 50, "{agent}: {answer}");
        };
        assert!(before > 0, "{agent} told nothing");
        assert_eq!(last["type"], "bestmove");
        assert_eq!(last["line"].is_array(), agent != "flat-mc", "{agent}: {last}");
        engine.end();
    }
}

#[test]
fn our_engine_stops_within_milliseconds() {
    let mut engine = Engine::playing("mo-ismcts", "phantom-mnk(m=4,n=4,k=4)", 0);
    let go = endless("phantom-mnk(m=4,n=4,k=4)").to_string();
    let mut best = Duration::MAX;
    for _ in 0..30 {
        engine.say(&go);
        std::thread::sleep(Duration::from_millis(30));
        let told = Instant::now();
        engine.say(r#"{"type":"stop"}"#);
        while engine.hear()["type"] == "info" {}
        best = best.min(told.elapsed());
        if best < Duration::from_millis(5) {
            break;
        }
    }
    assert!(best < Duration::from_millis(5), "{best:?}");
    engine.end();
}

/// What a program tells of its search reaches whoever watches the table's agent, and so does what it tells at the end.
#[test]
fn a_table_passes_on_what_an_engine_tells() {
    use std::sync::{Arc, Mutex};
    let registry = fogtree_table::Registry::standard();
    let game = registry.game("phantom-mnk").unwrap();
    let spec = format!("exec(command={FOGTREE} engine --agent mo-ismcts,time=600ms)");
    let mut agent = registry.agent(&spec, &*game).unwrap();
    let shown = Arc::new(Mutex::new(Vec::new()));
    let seen = Arc::clone(&shown);
    let note = move |progress: &fogtree_core::Progress| seen.lock().unwrap().push(progress.clone());
    agent.budget.watch = Some(fogtree_core::Watch::every(Duration::ZERO, note));
    agent.budget.explain = Some(fogtree_core::Explain::default());
    agent.start(fogtree_core::Player(0), fogtree_core::Seed(1));
    let report = game.table().ask(fogtree_core::Player(0), &mut agent).unwrap().report;
    let shown = shown.lock().unwrap();
    let first = shown.first().expect("the engine told how it stands");
    assert!(first.moves.len() == 9 && first.iterations > 0 && first.iterations <= report.iterations);
    assert_eq!(report.profile.iter().sum::<u64>(), report.nodes);
    assert!(report.line.len() > 1 && report.moves.iter().all(|m| m.availability.is_some()));
}

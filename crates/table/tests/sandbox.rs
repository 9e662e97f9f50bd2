//! A sandboxed registry: nothing that strangers ask for reads a file, runs a program or takes all memory.

use std::time::{Duration, Instant};

use fogtree_core::{
    About, Agent, AgentEntry, AgentFailure, BadSpec, Budget, Decision, Domain, InfoSet, Observer, Param,
    Player, Purpose, Report, Seed, Turn,
};
use fogtree_table::{AnyGame, Registry, Unavailable, wire};

/// What a game may take to be made and shown.
const MOST_BYTES: u64 = 256 << 20;
const MOST_TIME: Duration = Duration::from_secs(1);

fn inner(domain: &Domain) -> Domain {
    match domain {
        Domain::Or(_, values) => inner(values),
        domain => *domain,
    }
}

fn reaches_outside(param: &Param) -> bool {
    matches!(inner(&param.domain), Domain::File | Domain::Command)
}

fn refusal<T>(result: Result<T, impl Into<Unavailable>>) -> Option<String> {
    match result.err()?.into() {
        Unavailable::Spec(bad @ BadSpec::Refused { .. }) => Some(bad.to_string()),
        _ => None,
    }
}

#[test]
fn no_game_reads_files() {
    let (standard, sandboxed) = (Registry::standard(), Registry::sandboxed());
    let mut met = 0;
    for about in standard.games() {
        for param in about.params.iter().filter(|param| reaches_outside(param)) {
            met += 1;
            let presets = about.presets.iter().map(|preset| preset.name);
            let keys = || std::iter::once(param.name).chain(param.aliases.iter().copied());
            for spec in std::iter::once(about.name)
                .chain(presets)
                .flat_map(|name| keys().map(move |key| format!("{name}({key}=Cargo.toml)")))
            {
                let refused = refusal(sandboxed.game(&spec)).unwrap_or_else(|| panic!("{spec}"));
                assert!(refused.ends_with("cannot be used here: it reads files"), "{refused}");
            }
        }
    }
    assert!(met >= 5, "gdl, scotland-yard, tree, tubstap and visibility-pursuit take files, not only {met}");
}

#[test]
fn no_text_is_read_as_a_path() {
    let sandboxed = Registry::sandboxed();
    let file = concat!(env!("CARGO_MANIFEST_DIR"), "/Cargo.toml");
    for about in sandboxed.games() {
        for param in about.params.iter().filter(|param| matches!(inner(&param.domain), Domain::Text)) {
            for path in [file, "no/such/file"] {
                let spec = format!("{}({}={path})", about.name, param.name);
                let error = sandboxed.game(&spec).err().unwrap_or_else(|| panic!("{spec}")).to_string();
                for words in ["cannot be read", "workspace", "package"] {
                    assert!(!error.contains(words), "{error}");
                }
            }
        }
    }
}

#[test]
fn no_agent_reads_files_or_runs_programs() {
    let (standard, sandboxed) = (Registry::standard(), Registry::sandboxed());
    let game = sandboxed.game("tic-tac-toe").unwrap();
    for about in standard.agents().filter(|about| about.params.iter().any(reaches_outside)) {
        assert!(sandboxed.agents().all(|listed| listed.name != about.name), "{}", about.name);
        let given = |param: &Param| format!("{}({}=true)", about.name, param.name);
        for spec in about.params.iter().map(given).chain([about.name.to_string()]) {
            assert!(refusal(sandboxed.agent(&spec, &*game)).is_some(), "{spec}");
        }
    }
    let refused = refusal(sandboxed.agent("exec(command=true)", &*game)).unwrap();
    assert_eq!(refused, "'exec' cannot be used here: it runs other programs");
    let refused = refusal(sandboxed.agent("strategy", &*game)).unwrap();
    assert_eq!(refused, "'strategy' cannot be used here: it reads files");
}

struct First;

impl Agent for First {
    fn act(&mut self, info: &InfoSet, _budget: &Budget) -> Result<Decision, AgentFailure> {
        Ok(Decision { action: info.legal[0], report: Report::default() })
    }
}

static ADVISED: About =
    About::new("advised", "", "", &[Param::new("by", "random", Domain::Text, "whom it asks").or(&["of"])]);
static LOGGED: About = About::new("logged", "", "", &[Param::new("to", "none", Domain::File, "where to")]);

/// A sandbox with agents of other crates: one that asks another, one that writes a file.
fn extended() -> Registry {
    let mut registry = Registry::sandboxed();
    for about in [&ADVISED, &LOGGED] {
        registry.add_agent(AgentEntry::new(about, &|_| Ok((Box::new(First), Budget::default()))));
    }
    registry
}

#[test]
fn nothing_is_reached_through_something_else() {
    let registry = extended();
    let game = registry.game("tic-tac-toe").unwrap();
    for spec in [
        "advised(by=exec(command=true))",
        "advised(of=exec)",
        "advised(by=advised(by=strategy(file=a)))",
        "advised(by=tree(file=a))",
        "advised(by=meier(file=a))",
        "advised(by=logged(to=a))",
        "logged(to=a)",
    ] {
        assert!(refusal(registry.agent(spec, &*game)).is_some(), "{spec}");
    }
    for spec in ["advised", "advised(by=advised(of=mo-ismcts))", "advised(by=some(other=words))", "logged"] {
        assert!(registry.agent(spec, &*game).is_ok(), "{spec}");
    }
    let too_much = registry.agent("advised(by=mo-ismcts(memory=4096))", &*game).err().unwrap().to_string();
    assert!(too_much.contains("memory=4096"), "{too_much}");
}

#[test]
fn texts_are_neither_too_long_nor_too_deep() {
    let registry = extended();
    let game = registry.game("tic-tac-toe").unwrap();
    let nested = |depth: usize| "advised(by=".repeat(depth) + "random" + &")".repeat(depth);
    assert!(registry.agent(&nested(5), &*game).is_ok());
    assert!(refusal(registry.agent(&nested(50), &*game)).unwrap().ends_with("it is nested too deeply"));
    for text in [nested(5000), "(".repeat(1 << 20)] {
        assert!(registry.agent(&text, &*game).err().unwrap().to_string().ends_with("it is too long"));
        assert!(registry.game(&text).err().unwrap().to_string().ends_with("it is too long"));
    }
}

#[test]
fn everything_else_is_made_as_outside() {
    let (standard, sandboxed) = (Registry::standard(), Registry::sandboxed());
    for about in standard.games() {
        let names = std::iter::once(about.name).chain(about.presets.iter().map(|preset| preset.name));
        for name in names {
            let (free, bounded) = (standard.game(name).unwrap(), sandboxed.game(name).unwrap());
            assert_eq!(free.facts(), bounded.facts(), "{name}");
        }
    }
    for (sheet, _) in fogtree_gdl::game::OWN {
        sandboxed.game(&format!("gdl(sheet={sheet})")).unwrap();
    }
    let game = sandboxed.game("phantom-mnk").unwrap();
    for about in standard.agents() {
        let names = std::iter::once(about.name).chain(about.presets.iter().map(|preset| preset.name));
        for name in names {
            let (free, bounded) = (standard.agent(name, &*game), sandboxed.agent(name, &*game));
            if refusal(sandboxed.agent(name, &*game)).is_none() {
                assert_eq!(free.as_ref().err(), bounded.as_ref().err(), "{name}");
                assert_eq!(free.ok().map(|a| a.spec), bounded.ok().map(|a| a.spec), "{name}");
            }
        }
    }
}

#[test]
fn numbers_are_bounded_and_the_bounds_are_told() {
    let (standard, sandboxed) = (Registry::standard(), Registry::sandboxed());
    let game = sandboxed.game("phantom-mnk").unwrap();
    let error = sandboxed.agent("mo-ismcts(threads=2)", &*game).err().unwrap().to_string();
    assert_eq!(error, "'mo-ismcts': threads=2 is not possible: expected a number from 1 to 1");
    assert!(sandboxed.agent("mo-ismcts(threads=1,memory=128)", &*game).is_ok());
    assert!(sandboxed.agent("mo-ismcts(memory=129)", &*game).is_err());
    assert!(sandboxed.game("gdl(states=100000000)").is_err());
    let (_, params) = sandboxed.agent_entry(&"mo-ismcts".parse().unwrap()).unwrap();
    assert_eq!(params.text("memory"), "128", "what is not given is bounded, too");
    let about = |registry: &Registry| {
        let all = registry.agents().find(|about| about.name == "mo-ismcts").unwrap();
        registry.offered(all).params.into_iter().find(|param| param.name == "memory").unwrap()
    };
    let most = |values: wire::Values| match values {
        wire::Values::Integer { most, .. } => most.as_i64(),
        _ => None,
    };
    let (free, bounded) = (about(&standard), about(&sandboxed));
    assert_eq!((free.default.as_str(), bounded.default.as_str()), ("1024", "128"));
    assert_eq!((most(free.domain.values), most(bounded.domain.values)), (Some(1 << 20), Some(128)));
    for about in sandboxed.games().chain(sandboxed.agents()) {
        let outside = |p: &wire::Param| matches!(p.domain.values, wire::Values::File | wire::Values::Command);
        assert!(!sandboxed.offered(about).params.iter().any(outside), "{}", about.name);
    }
}

/// Deals and shows a game to everybody.
fn show(game: &dyn AnyGame) {
    let mut table = game.table();
    let mut rng = Seed(1).stream(Purpose::Deal);
    while table.turn() == Turn::Chance {
        table.draw(&mut rng);
    }
    for seat in Player::all(game.facts().players) {
        std::hint::black_box(table.scene(Observer::Seat(seat)));
    }
    std::hint::black_box(table.true_scene());
}

/// The specifications of a game with each number at an end of what is offered and each word, with every two numbers
/// and every word and number at their greatest, and with all of them.
fn extremes(registry: &Registry, about: &'static About) -> Vec<String> {
    let (mut least, mut most, mut words) = (Vec::new(), Vec::new(), Vec::new());
    for wire::Param { name, domain, .. } in registry.offered(about).params {
        match domain.values {
            wire::Values::Integer { least: from, most: to } => {
                least.push(format!("{name}={from}"));
                most.push(format!("{name}={to}"));
            }
            wire::Values::Choice { words: all } => words.extend(all.iter().map(|w| format!("{name}={w}"))),
            _ => {}
        }
    }
    let two = |(i, one): (usize, &String)| {
        let others = most[i + 1..].iter().chain(&words);
        others.map(|other| format!("{one},{other}")).collect::<Vec<_>>()
    };
    let pairs: Vec<String> = most.iter().enumerate().flat_map(two).collect();
    let all = [least, most.clone(), words, pairs, vec![most.join(",")]].concat();
    all.iter().map(|params| format!("{}({params})", about.name)).collect()
}

#[test]
fn no_game_takes_all_memory_or_time() {
    let registry = Registry::sandboxed();
    for about in registry.games() {
        for spec in extremes(&registry, about) {
            let began = Instant::now();
            let used = allocation_counter::measure(|| {
                if let Ok(game) = registry.game(&spec) {
                    show(&*game);
                }
            });
            assert!(used.bytes_max < MOST_BYTES, "{spec}: {} bytes", used.bytes_max);
            // A machine that is busy takes longer.
            assert!(began.elapsed() < 10 * MOST_TIME, "{spec}: {:?}", began.elapsed());
        }
    }
}

//! Rule sheets as games of the registry: which reasoner they get, that it does not matter to play, and bad files.

mod common;

use common::{OWN, own_text};
use fogtree_core::{
    BadSpec, FastPlay, Game, Memory, Notation, Purpose, Rules, Scratch, Seed, Spec, Step, Tracked, Turn,
    random_step, testing,
};
use fogtree_games::connect_four;
use fogtree_gdl::any_reasoner::State;
use fogtree_gdl::game::{self, ABOUT, Options, load_fastest};
use fogtree_gdl::{AnyReasoner, Choice, GdlGame, Interpreter, Limits, Propnet, Reasoner, Sheet, propnet};

fn make(spec: &str) -> Result<Tracked<GdlGame<AnyReasoner>>, BadSpec> {
    let spec: Spec = spec.parse()?;
    let (about, spec) = fogtree_core::About::find([&ABOUT].into_iter(), "game", &spec)?;
    assert_eq!(about.name, "gdl");
    game::from_params(&ABOUT.params(&spec)?)
}

fn own_path(name: &str) -> String {
    format!("{}/../../games/gdl/{name}.kif", env!("CARGO_MANIFEST_DIR"))
}

#[test]
fn every_sheet_of_ours_is_built_in_and_can_be_compiled() {
    assert_eq!(game::OWN.iter().map(|own| own.0).collect::<Vec<_>>(), OWN);
    for (name, text) in game::OWN {
        assert_eq!(*text, own_text(name), "{name}");
        let game = make(&format!("gdl(sheet={name})")).unwrap();
        assert!(matches!(game.inner().reasoner(), AnyReasoner::Compiled(_)), "{name}");
        assert!(game.inner().remark().is_some_and(|why| why.starts_with("compiled in")), "{name}");
    }
}

#[test]
fn a_file_is_the_same_game_as_the_sheet_built_in() {
    let from_file = make(&format!("gdl(file={})", own_path("kuhn-poker"))).unwrap();
    let built_in = make("gdl(sheet=kuhn-poker)").unwrap();
    assert_eq!(from_file.facts(), built_in.facts());
    testing::conformance(&make("gdl").unwrap(), &from_file);
}

#[test]
fn sheets_that_take_too_much_are_interpreted_and_say_why() {
    for (spec, why) in [
        ("gdl(sheet=connect-four,facts=100)", "more than 100 facts"),
        ("gdl(sheet=connect-four,compiling=0)", "given up after"),
        ("gdl(sheet=connect-four,reasoner=interpreter)", "as asked for"),
    ] {
        let game = make(spec).unwrap();
        let said = game.inner().reasoner().why();
        assert!(said.starts_with("interpreted") && said.contains(why), "{spec}: {said}");
        assert_eq!(game.actions_at_start(), 7, "{spec}");
    }
    let error = make("gdl(sheet=connect-four,facts=100,reasoner=propnet)").err().unwrap().to_string();
    assert!(error.contains("cannot be compiled") && error.contains("more than 100 facts"), "{error}");
}

/// How many moves the first player has.
trait ActionsAtStart {
    fn actions_at_start(&self) -> usize;
}

impl<G: Game> ActionsAtStart for G {
    fn actions_at_start(&self) -> usize {
        let (state, mut out) = (self.start(), Vec::new());
        if let Turn::Player(p) = self.turn(&state) {
            self.actions(&state, p, &mut out);
        }
        out.len()
    }
}

#[test]
fn bad_files_are_refused_with_line_and_column() {
    let folder = std::env::temp_dir().join(format!("fogtree-gdl-{}", std::process::id()));
    std::fs::create_dir_all(&folder).unwrap();
    let refusal = |name: &str, bytes: &[u8]| {
        let path = folder.join(name);
        std::fs::write(&path, bytes).unwrap();
        make(&format!("gdl(file={})", path.display())).err().unwrap().to_string()
    };
    for (name, text, wanted) in [
        ("unclosed.kif", "(role a)\n  (<= terminal (true x)", "line 2, column 3"),
        (
            "unsafe.kif",
            "(role a) (goal a 0)\n(init x) (<= terminal (true x))\n(<= (legal a ?m) (true x))\n",
            "line 3, column ",
        ),
        ("empty.kif", "", "no role"),
        (
            "stuck.kif",
            "(role a) (init x) (<= (legal a m) (true y)) (<= (next y) (does a m)) (<= terminal (true z)) \
                       (<= (next z) (true y)) (goal a 0)",
            "has no legal move",
        ),
    ] {
        let error = refusal(name, text.as_bytes());
        assert!(error.contains(wanted), "{name}: {error}");
        assert!(!error.contains('\n'), "{name}: {error}");
    }
    assert!(refusal("binary.kif", b"(role \xff)").contains("UTF-8"));
    std::fs::remove_dir_all(&folder).unwrap();
    for (spec, wanted) in [
        ("gdl(file=no/such/file)", "cannot be read"),
        ("gdl(file=src)", "not a file"),
        ("gdl(sheet=chess)", "expected one of all-in-or-fold"),
        ("gdl(sheet=meier,file=x)", "not both"),
        ("gdl(reasoner=prolog)", "expected one of auto, propnet, interpreter"),
        ("gdl(compiling=-1)", "a number from 0 to 3600"),
        ("gdl(compiling=NaN)", "a number from 0 to 3600"),
        ("gdl(level=none)", "strict, gdl-ii, lenient"),
        ("gdl(worlds=0)", "a number from 1"),
    ] {
        let error = make(spec).err().unwrap().to_string();
        assert!(error.contains(wanted), "{spec}: {error}");
    }
}

#[test]
fn playouts_are_the_same_with_every_reasoner() {
    for name in OWN {
        let sheet = Sheet::read(&own_text(name)).unwrap();
        let net = Propnet::new(&sheet, &propnet::Budget::default()).unwrap();
        let slow = Interpreter::with_terms(&sheet, net.shared_terms(), Limits::default()).unwrap();
        let mut rngs = [(); 2].map(|()| Seed(3).stream(Purpose::Playout));
        for most in [0, 1, 3, 500, 500, 500] {
            let ended = net.play_out(&net.initial().unwrap(), most, &mut rngs[0]).unwrap();
            let same = slow.play_out(&slow.initial().unwrap(), most, &mut rngs[1]).unwrap();
            assert_eq!((ended.steps, ended.end), (same.steps, same.end), "{name}");
            let (mut fluents, mut also) = (Vec::new(), Vec::new());
            net.fluents(&ended.state, &mut fluents);
            slow.fluents(&same.state, &mut also);
            assert_eq!(fluents, also, "{name}");
        }
        assert_eq!(rngs[0], rngs[1], "{name}: as many numbers were drawn");
    }
}

#[test]
fn the_game_is_the_same_with_every_reasoner() {
    for name in ["latent-tic-tac-toe", "kuhn-poker", "bomberman"] {
        let options = |reasoner| Options { reasoner, ..Options::default() };
        let text = own_text(name);
        let games = [Choice::Propnet, Choice::Interpreter]
            .map(|choice| load_fastest(&text, &options(choice)).unwrap().tracked());
        assert_eq!(games[0].facts(), games[1].facts(), "{name}");
        let played = games.each_ref().map(|game| {
            let mut rng = Seed(9).named(name).stream(Purpose::Deal);
            let (mut state, mut scratch, mut words) = (game.start(), Scratch::default(), Vec::new());
            while game.turn(&state) != Turn::Terminal {
                let mut end = state.clone();
                words.push(format!("{:?}", game.playout(&mut end, &mut rng, &mut scratch)));
                let moves: Vec<_> = (game.turn(&state).players().iter())
                    .map(|p| (p, game.random_action(&state, p, &mut rng, &mut scratch)))
                    .collect();
                words.extend(moves.iter().map(|m| format!("{}#{}", game.action_name(m.1), game.code(m.1))));
                if moves.is_empty() {
                    let outcome = game.sample_chance(&state, &mut rng);
                    words.push(game.outcome_name(&outcome));
                    game.apply(&mut state, Step::Chance(&outcome));
                } else {
                    game.apply(&mut state, Step::Moves(&moves));
                }
                words.push(game.show(&state));
            }
            words.push(format!("{:?}", game.rewards(&state)));
            words
        });
        assert_eq!(played[0], played[1], "{name}");
    }
}

#[test]
fn states_of_one_reasoner_are_strange_to_the_other() {
    let sheet = Sheet::read(&own_text("tic-tac-toe")).unwrap();
    let chosen =
        |choice| AnyReasoner::new(&sheet, choice, &propnet::Budget::default(), Limits::default()).unwrap();
    let (net, slow) = (chosen(Choice::Propnet), chosen(Choice::Interpreter));
    let state = slow.initial().unwrap();
    assert!(matches!(state, State::Interpreted(_)));
    assert!(net.terminal(&state).is_err() && net.goal(&state, 0).is_err());
    assert!(
        net.next(&state, &[]).is_err()
            && net.play_out(&state, 1, &mut Seed(0).stream(Purpose::Deal)).is_err()
    );
    assert_eq!((net.roles().len(), net.is_open(), slow.is_open()), (2, true, true));
}

#[test]
fn games_go_on_alike_when_what_was_seen_is_forgotten() {
    for name in ["latent-tic-tac-toe", "kuhn-poker", "bomberman"] {
        let game = make(&format!("gdl(sheet={name})")).unwrap();
        let mut rng = Seed(2).named(name).stream(Purpose::Deal);
        let (mut state, mut scratch) = (game.start(), Scratch::default());
        let mut forgotten = state.clone();
        game.drop_history(&mut forgotten);
        while game.turn(&state) != Turn::Terminal {
            assert_eq!(game.turn(&state), game.turn(&forgotten));
            assert_eq!(game.fingerprint(&state), game.fingerprint(&forgotten), "{name}");
            let mut same = rng.clone();
            random_step(&game, &mut state, &mut rng, &mut scratch);
            random_step(&game, &mut forgotten, &mut same, &mut scratch);
            assert_ne!(state, forgotten);
        }
        assert_eq!(game.rewards(&state), game.rewards(&forgotten), "{name}");
    }
}

/// How many lines of so many moves there are.
fn perft<R: FastPlay>(rules: &R, state: &R::State, depth: u32) -> u64 {
    let Turn::Player(p) = rules.turn(state) else { return 0 };
    let mut legal = Vec::new();
    rules.actions(state, p, &mut legal);
    if depth == 1 {
        return legal.len() as u64;
    }
    let follow = |&action: &R::Action| {
        let mut next = state.clone();
        rules.apply(&mut next, Step::Moves(&[(p, action)]));
        perft(rules, &next, depth - 1)
    };
    legal.iter().map(follow).sum()
}

#[test]
fn connect_four_has_as_many_lines_of_eight_moves_as_is_known() {
    let game = make("gdl(sheet=connect-four)").unwrap();
    let mut start = game.start();
    game.drop_history(&mut start);
    assert_eq!(perft(&game, &start, 7), 823_536);
    assert_eq!(perft(&game, &start, 8), 5_673_234);
}

/// The mean reward of the first player and the mean length of random games, with their errors.
fn random_games<R: FastPlay>(rules: &R, games: u32) -> [(f64, f64); 2] {
    let mut rng = Seed(4).stream(Purpose::Playout);
    let (mut sums, mut squares) = ([0.0; 2], [0.0; 2]);
    for _ in 0..games {
        let (mut state, mut scratch, mut steps) = (rules.start(), Scratch::default(), 0.0);
        while rules.turn(&state) != Turn::Terminal {
            random_step(rules, &mut state, &mut rng, &mut scratch);
            steps += 1.0;
        }
        for (i, x) in [rules.rewards(&state)[fogtree_core::Player(0)], steps].into_iter().enumerate() {
            sums[i] += x;
            squares[i] += x * x;
        }
    }
    let n = f64::from(games);
    [0, 1].map(|i| (sums[i] / n, ((squares[i] / n - (sums[i] / n).powi(2)) / n).sqrt()))
}

#[test]
fn connect_four_comes_out_as_its_twin_in_random_play() {
    let spec: Spec = "connect-four".parse().unwrap();
    let params = connect_four::ABOUT.params(&spec).unwrap();
    let twin = random_games(&connect_four::ConnectFour::from_params(&params).unwrap(), 8000);
    let sheet = random_games(make("gdl(sheet=connect-four)").unwrap().inner(), 8000);
    for ((a, da), (b, db)) in twin.into_iter().zip(sheet) {
        assert!((a - b).abs() < 4.0 * da.hypot(db), "{a} {b}");
    }
}

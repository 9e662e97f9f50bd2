//! Rule sheets as games of the framework: the laws of games, games we also have in Rust, solvers and searches.

mod common;

use std::collections::HashSet;
use std::sync::Arc;

use common::{own_text, public_text};
use fogtree_core::history::events_of;
use fogtree_core::{
    Agent, Budget, Chance, Episodes, Erased, FastPlay, Game, InfoSet, Line, Method, Model, Notation,
    Observer, Playable, Player, Players, Purpose, Rng, Rules, Scratch, Seed, Step, Tracked, Turn, Utility,
    random_step, testing,
};
use fogtree_games::{kuhn_poker, phantom_mnk};
use fogtree_gdl::game::{Broken, Options, Unplayable, load, load_fastest};
use fogtree_gdl::propnet::{self, Propnet};
use fogtree_gdl::{GdlGame, Interpreter, Limits, Terms};
use fogtree_search::ismcts::{Config, Observers};
use fogtree_search::{Ismcts, Random, Uct, UctSearch};
use fogtree_solve::walk::{self, Go};
use fogtree_solve::{Config as SolveConfig, Solver, solve};

type Sheet = Tracked<GdlGame<Interpreter>>;

/// Both show a coin at the same time and are told who won.
const PENNIES: &str = "
    (role even) (role odd) (side heads) (side tails) (init choosing)
    (<= (legal ?p ?s) (role ?p) (side ?s))
    (<= (next (shows ?p ?s)) (does ?p ?s))
    (<= same-now (does even ?s) (does odd ?s))
    (<= (sees ?p won) (role ?p) same-now)
    (<= terminal (not (true choosing)))
    (<= same (true (shows even ?s)) (true (shows odd ?s)))
    (<= (goal even 100) same) (<= (goal odd 100) (not same))
    (<= (goal even 0) (not same)) (<= (goal odd 0) same)";

/// Plain GDL: who takes the last of five stones wins; one or two are taken at a time.
const NIM: &str = "
    (role first) (role second) (other first second) (other second first) (init (left 5)) (init (control first))
    (minus 5 1 4) (minus 5 2 3) (minus 4 1 3) (minus 4 2 2) (minus 3 1 2) (minus 3 2 1) (minus 2 1 1) (minus 2 2 0)
    (minus 1 1 0)
    (<= (legal ?p (take ?n)) (true (control ?p)) (true (left ?m)) (minus ?m ?n ?k))
    (<= (legal ?p noop) (true (control ?q)) (other ?p ?q))
    (<= (next (left ?k)) (does ?p (take ?n)) (true (left ?m)) (minus ?m ?n ?k))
    (<= (next (control ?p)) (true (control ?q)) (other ?p ?q))
    (<= terminal (true (left 0)))
    (<= (goal ?p 0) (true (control ?p))) (<= (goal ?p 100) (true (control ?q)) (other ?p ?q))";

/// Player a may have to wait while b does something that a cannot see: b has a choice or has none.
const SECRET_CHOICE: &str = "
    (role a) (role b) (role random) (init (phase 1)) (succ 1 2) (succ 2 3) (succ 3 4)
    (<= (next (phase ?q)) (true (phase ?p)) (succ ?p ?q))
    (<= (legal random tails) (true (phase 1))) (<= (legal random heads) (true (phase 1)))
    (<= (legal random noop) (not (true (phase 1))))
    (<= (legal a noop) (not (true (phase 3))))
    (<= (legal a (guess ?x)) (true (phase 3)) (choice ?x))
    (choice left) (choice right)
    (<= (legal b noop) (not (true (phase 2))))
    (<= (legal b nothing) (true (phase 2)) (not (true lucky)))
    (<= (legal b ?x) (true (phase 2)) (true lucky) (choice ?x))
    (<= (next lucky) (does random heads)) (<= (next lucky) (true lucky))
    (<= (next (did ?x)) (does b ?x) (true (phase 2))) (<= (next (did ?x)) (true (did ?x)))
    (<= (next (guessed ?x)) (does a (guess ?x)))
    (<= (sees b lucky) (does random heads))
    (<= terminal (true (phase 4)))
    (<= right-guess (true (did ?x)) (true (guessed ?x)))
    (<= (goal a 100) right-guess) (<= (goal a 0) (not right-guess))
    (<= (goal b 0) right-guess) (<= (goal b 100) (not right-guess)) (goal random 0)";

fn game(text: &str) -> Sheet {
    load(text, &Options::default()).unwrap_or_else(|why| panic!("{why}")).tracked()
}

fn own(name: &str) -> Sheet {
    game(&own_text(name))
}

/// The information set of a seat at the end of a line.
fn info_set<G: Playable>(erased: &Erased<G>, line: &Line<G>, seat: Player) -> InfoSet {
    let (game, by) = (&**erased.game(), Observer::Seat(seat));
    let (mut state, mut events) = (game.start(), Vec::new());
    for ply in line.plies() {
        events.extend(events_of(game, &state, ply.step(), by));
        game.apply(&mut state, ply.step());
    }
    let (world, mut legal) = (erased.world(state), Vec::new());
    world.legal(seat, &mut legal);
    InfoSet {
        game: Arc::new(erased.clone()),
        seat,
        known: world.info(by),
        legal,
        events,
        key: line.key(by),
        belief: None,
        truth: None,
    }
}

/// Plays one match; the reward of the first agent.
fn one_match<G: Playable>(
    erased: &Erased<G>,
    agents: [&mut dyn Agent; 2],
    seat: Player,
    n: u64,
    seed: Seed,
) -> f64 {
    let game = &**erased.game();
    let [first, second] = agents;
    first.start(seat, seed.number(0));
    second.start(seat.other(), seed.number(1));
    let mut rng = seed.stream(Purpose::Deal);
    let mut line = Line::start(game);
    loop {
        let state = line.state().clone();
        let words = match game.turn(&state) {
            Turn::Terminal => return game.rewards(&state)[seat],
            Turn::Chance => vec![game.outcome_name(&game.sample_chance(&state, &mut rng))],
            turn => {
                let mut decide = |p: Player| {
                    let agent = if p == seat { &mut *first } else { &mut *second };
                    let decision = agent.act(&info_set(erased, &line, p), &Budget::iterations(n));
                    erased.move_name(decision.unwrap().action)
                };
                turn.players().iter().map(&mut decide).collect()
            }
        };
        line.play_words(game, words.iter().map(String::as_str)).unwrap();
    }
}

#[test]
fn small_sheets_keep_the_laws_of_games() {
    for name in ["kuhn-poker", "all-in-or-fold", "monty-hall"] {
        let game = own(name);
        testing::conformance(&game, &game);
    }
    for text in [PENNIES, NIM, SECRET_CHOICE] {
        let game = game(text);
        testing::conformance(&game, &game);
    }
}

/// Worlds found one at a time, or by following some of them, are the same worlds, if not as evenly drawn.
#[test]
fn other_ways_to_worlds_keep_the_laws_but_frequencies() {
    let effort = testing::Options {
        games: 30,
        looks: 30,
        sets: 50,
        draws: 150_000,
        frequencies: 3,
        ..Default::default()
    };
    for method in [Method::Backtracking, Method::Particles { count: 500 }] {
        let options = Options { method, ..Options::default() };
        let game = load(&own_text("all-in-or-fold"), &options).unwrap().tracked();
        let broken = testing::check(&game, &game, &effort);
        let uneven = [testing::Law::SampleFrequencies, testing::Law::Enumerate];
        assert!(broken.iter().all(|v| uneven.contains(&v.law)), "{method:?}: {broken:?}");
    }
}

#[test]
fn larger_sheets_keep_the_laws_in_play() {
    let effort = testing::Options { games: 5, steps: 100, looks: 5, ..testing::Options::default() };
    for name in ["tic-tac-toe", "latent-tic-tac-toe", "krieg-tic-tac-toe-3x3", "meier", "connect-four"] {
        let game = own(name);
        let broken = testing::check_play(&game, &effort);
        assert!(broken.is_empty(), "{name}: {broken:?}");
    }
}

#[test]
fn the_facts_are_those_of_the_games() {
    let facts = |name| own(name).facts();
    let kuhn = facts("kuhn-poker");
    assert!(kuhn.hidden && !kuhn.hidden_moves && !kuhn.simultaneous);
    assert_eq!((kuhn.players, kuhn.chance, kuhn.utility), (2, Chance::Listed, Utility::ConstantSum));
    assert_eq!(kuhn.max_length, 5, "two deals and at most three words");

    let monty = facts("monty-hall");
    assert!(monty.hidden && !monty.hidden_moves);
    assert_eq!((monty.players, monty.max_length), (1, 4), "choose, hide, open, decide");

    let open = facts("tic-tac-toe");
    assert!(!open.hidden && !open.hidden_moves && !open.simultaneous);
    assert_eq!((open.chance, open.max_length), (Chance::Never, 8), "the ninth mark is no choice");

    let latent = facts("latent-tic-tac-toe");
    assert!(latent.hidden && latent.hidden_moves && !latent.simultaneous);
    assert_eq!(latent.max_length, 500, "too many states to look at all of them");

    let pennies = game(PENNIES).facts();
    assert!(
        pennies.simultaneous && !pennies.hidden && !pennies.hidden_moves,
        "who has won knows what the other showed"
    );
    assert_eq!((pennies.chance, pennies.max_length), (Chance::Never, 1));
    let untold = PENNIES.replace("(sees ?p won) (role ?p)", "(sees even won)");
    assert!(game(&untold).facts().hidden, "odd is told nothing");
    let nim = game(NIM).facts();
    assert!(!nim.hidden && !nim.simultaneous);
    assert_eq!((nim.chance, nim.max_length), (Chance::Never, 4), "the last of five is no choice");
}

/// The host hides the car in the same joint move in which the candidate chooses a door.
#[test]
fn choices_come_before_chance_and_are_not_seen_before_it() {
    let game = own("monty-hall");
    let me = Player(0);
    let mut state = game.start();
    assert_eq!(game.turn(&state), Turn::Player(me));
    let choose = [(me, game.parse_action("choose(2)").unwrap())];
    assert_eq!(game.observe(&state, Step::Moves(&choose), Observer::Seat(me)), None);
    game.apply(&mut state, Step::Moves(&choose));
    assert_eq!(game.turn(&state), Turn::Chance);
    assert!(game.show(&state).contains("chosen: candidate:choose(2)"), "{}", game.show(&state));

    let hide = game.parse_outcome("hide(2)").unwrap();
    let seen = game.observe(&state, Step::Chance(&hide), Observer::Seat(me)).unwrap();
    assert_eq!(game.explain(&seen, Observer::Seat(me)), "-", "a joint move without percepts");
    game.apply(&mut state, Step::Chance(&hide));
    let mut doors = Vec::new();
    game.chance(&state, &mut doors);
    assert_eq!(doors.len(), 2);
    let open = game.parse_outcome("open(3)").unwrap();
    game.apply(&mut state, Step::Chance(&open));
    let known = game.info(&state, Observer::Seat(me));
    let view = fogtree_core::text::plain(&game.view(&known));
    let rows: Vec<Vec<&str>> = view.lines().map(|line| line.split_whitespace().collect()).collect();
    assert_eq!(rows[2..4], [vec!["1", "choose(2)", "nothing"], vec!["2", "opens(3)"]], "{view}");

    // The host opens door 3 half the time if the car is behind door 2, always if it is behind door 1.
    let mut worlds = Vec::new();
    assert!(game.enumerate(&known, &mut worlds));
    worlds.sort_by(|a, b| a.1.total_cmp(&b.1));
    let total: f64 = worlds.iter().map(|w| w.1).sum();
    let shares: Vec<f64> = worlds.iter().map(|w| w.1 / total).collect();
    assert_eq!(shares.len(), 2);
    assert!((shares[0] - 1.0 / 3.0).abs() < 1e-12 && (shares[1] - 2.0 / 3.0).abs() < 1e-12, "{shares:?}");
    let facts = fogtree_core::text::plain(&game.show(&worlds[1].0));
    assert!(facts.lines().any(|line| line.split_whitespace().eq(["car", "1"])), "{facts}");
}

/// What a has seen before it guesses is the same whether b had a choice or not.
#[test]
fn whether_another_player_has_a_choice_is_not_given_away() {
    let game = game(SECRET_CHOICE);
    let keys = |words: &str| {
        let mut line = Line::start(&game);
        line.play_words(&game, words.split_whitespace()).unwrap();
        assert_eq!(game.turn(line.state()), Turn::Player(Player(0)), "{words}");
        line.key(Observer::Seat(Player(0)))
    };
    let unlucky = keys("tails noop");
    assert_eq!(keys("heads left"), unlucky);
    assert_eq!(keys("heads right"), unlucky);
}

#[test]
fn kuhn_poker_has_the_value_of_kuhn_poker() {
    let value = |outcome: fogtree_solve::Outcome| outcome.values[0];
    let config = SolveConfig::new(Solver::SequenceLp);
    let sheet = value(solve(&own("kuhn-poker"), &config, &mut |_| {}).unwrap());
    let rust = value(solve(&kuhn_poker::KuhnPoker, &config, &mut |_| {}).unwrap());
    // Goals are 50 and 25 for each unit; the first player loses 1/18 of a unit.
    assert!((sheet - (0.5 + 0.25 * rust)).abs() < 1e-6, "{sheet} {rust}");
    assert!((sheet - (0.5 - 0.25 / 18.0)).abs() < 1e-6, "{sheet}");
}

#[test]
fn monty_hall_is_won_by_switching() {
    let best = fogtree_solve::merged_response::best_against_random(&own("monty-hall"), Player(0));
    assert!((best - 2.0 / 3.0).abs() < 1e-12, "{best}");
}

/// The information sets in which a seat has a choice, within so many steps.
fn choices<R: Rules>(rules: &R, steps: u32) -> [usize; 2] {
    let mut sets: [HashSet<fogtree_core::Key>; 2] = Default::default();
    walk::visit(rules, &mut |node: &walk::Node<'_, R>| {
        for p in node.turn.players().iter() {
            let mut legal = Vec::new();
            rules.actions(node.state, p, &mut legal);
            if legal.len() > 1 {
                sets[p.index()].insert(node.keys.of(Observer::Seat(p)));
            }
        }
        if node.depth < steps { Go::Deeper } else { Go::Back }
    });
    sets.map(|s| s.len())
}

#[test]
fn phantom_tic_tac_toe_has_the_information_sets_of_its_twin() {
    let spec = "phantom-mnk(failed=announced,opening=centre)".parse().unwrap();
    let params = phantom_mnk::ABOUT.params(&spec).unwrap();
    let twin: phantom_mnk::PhantomMnk<phantom_mnk::Announced> =
        phantom_mnk::PhantomMnk::from_params(&params).unwrap();
    let sheet = own("phantom-tic-tac-toe");
    for steps in 2..=6 {
        let sets = choices(&sheet, steps);
        assert_eq!(sets, choices(&twin, steps), "{steps} steps");
        assert!(steps < 6 || sets[0] > 50 && sets[1] > 50, "{sets:?}");
    }
}

#[test]
fn random_matches_end_in_time_and_their_words_replay() {
    let mut rng = Seed(5).stream(Purpose::Playout);
    for name in common::OWN {
        let game = own(name);
        let longest = game.facts().max_length;
        for _ in 0..3 {
            let (mut state, mut scratch) = (game.start(), Scratch::default());
            let mut steps = 0;
            while game.turn(&state) != Turn::Terminal {
                for p in game.turn(&state).players().iter() {
                    let mut legal = Vec::new();
                    game.actions(&state, p, &mut legal);
                    for action in legal {
                        let word = game.action_name(action);
                        assert_eq!(game.parse_action(&word), Some(action), "{name}: {word}");
                        assert_eq!(game.code_name(game.code(action)), Some(word), "{name}");
                    }
                }
                random_step(&game, &mut state, &mut rng, &mut scratch);
                steps += 1;
            }
            assert!(steps <= longest && state.inner.broken().is_none(), "{name}: {steps} steps");
            assert!(game.rewards(&state).iter().all(|r| (0.0..=1.0).contains(r)), "{name}");
        }
    }
}

/// The numbers of terms depend on what a reasoner met first; codes and keys must not.
#[test]
fn codes_and_keys_are_the_same_in_every_run() {
    let one = own("latent-tic-tac-toe");
    let sheet = fogtree_gdl::Sheet::read(&own_text("latent-tic-tac-toe")).unwrap();
    let terms = Arc::new(Terms::new(sheet.symbols.clone()));
    for met_first in ["(mark 3 3)", "(cell 2 2 oplayer)", "yourturn", "(mark 1 2)"] {
        terms.parse(met_first).unwrap();
    }
    let reasoner = Interpreter::with_terms(&sheet, terms, Limits::default()).unwrap();
    let other = GdlGame::new(&sheet, reasoner, &Options::default()).unwrap().tracked();
    for word in ["mark(3,3)", "noop", "mark(2,1)"] {
        let codes = [&one, &other].map(|g| g.code(g.parse_action(word).unwrap()));
        assert_eq!(codes[0], codes[1]);
    }
    let keys = [&one, &other].map(|g| {
        let mut line = Line::start(g);
        line.play_words(g, "mark(1,1) mark(1,1) mark(2,2) mark(3,3)".split(' ')).unwrap();
        *line.keys()
    });
    assert_eq!(keys[0], keys[1]);
}

#[test]
fn a_search_beats_a_random_player_at_latent_tic_tac_toe() {
    let text = own_text("latent-tic-tac-toe");
    let game = Erased::new(load_fastest(&text, &Options::default()).unwrap().tracked());
    let any: Arc<dyn Model> = Arc::new(game.clone());
    let config = Config { memory: 1 << 26, ..Config::new(Observers::Multiple) };
    let mut search = Ismcts::new(&any, config);
    let mut random = Random::default();
    let matches = 60;
    let mut play =
        |i: u64| one_match(&game, [&mut search, &mut random], Player((i % 2) as u8), 300, Seed(20 + i));
    let mean = (0..matches).map(&mut play).sum::<f64>() / matches as f64;
    // Random players get 0.5 of one another; the best that can be done is 0.894.
    assert!(mean >= 0.75, "{mean}");
}

#[test]
fn uct_plays_plain_gdl() {
    let game = Erased::new(own("tic-tac-toe"));
    let any: Arc<dyn Model> = Arc::new(game.clone());
    let mut uct = Uct::new(&any, UctSearch::new(&any, 0.7));
    let mut random = Random::default();
    let total: f64 = (0..8)
        .map(|i| one_match(&game, [&mut uct, &mut random], Player((i % 2) as u8), 200, Seed(40 + i)))
        .sum();
    assert!(total >= 6.5, "{total}");
}

#[test]
fn what_cannot_be_played_is_refused_with_the_reason() {
    let refused =
        |text: &str, options: &Options| load(text, options).err().unwrap_or_else(|| panic!("{text}"));
    let options = Options::default();

    let why = refused("(role x", &options);
    assert!(matches!(why, Unplayable::Sheet(_)) && why.to_string().contains("unclosed"), "{why}");

    let alone = "(role random) (init a) (<= (legal random go) (true a)) (<= (next b) (true a))
        (<= terminal (true b)) (goal random 0)";
    assert!(matches!(refused(alone, &options), Unplayable::Players(0)));

    let sheet =
        |rules: &str| format!("(role x) (init (at 1)) (succ 1 2) (succ 2 3) (step l) (step r) {rules}");
    let walk = "(<= (next (at ?m)) (true (at ?n)) (succ ?n ?m)) (<= terminal (true (at 3)))";
    let stuck = sheet(&format!("{walk} (<= (legal x ?s) (step ?s) (true (at 1))) (goal x 100)"));
    let why = refused(&stuck, &options);
    assert!(matches!(&why, Unplayable::Stuck { role, moves } if role == "x" && moves.len() == 1), "{why}");

    let aimless = sheet(&format!("{walk} (<= (legal x ?s) (step ?s)) (<= (goal x 100) (true (at 1)))"));
    let why = refused(&aimless, &options);
    assert!(matches!(&why, Unplayable::Goal { moves, .. } if moves.len() == 2), "{why}");

    let endless = sheet(
        "(<= (legal x ?s) (step ?s)) (<= (next (at 1)) (true (at 1))) (<= terminal (true (at 3))) (goal x 0)",
    );
    assert!(matches!(refused(&endless, &options), Unplayable::TooLong(500)));

    let unfair = "(role x) (role random) (init start) (<= (legal random a)) (<= (legal random b))
        (<= (legal x go) (true start)) (<= (legal x (take ?s)) (true (drew ?s)))
        (<= (next (drew ?s)) (does random ?s) (true start)) (<= (next done) (true (drew ?s)))
        (<= (sees x nothing) (does x never)) (<= terminal (true done)) (goal x 100) (goal random 0)";
    let lenient = Options { level: fogtree_gdl::Level::Lenient, ..options };
    assert!(matches!(refused(unfair, &lenient), Unplayable::Unknowable(_)));
}

/// A walk that may end at any step, or never.
#[test]
fn matches_that_may_never_end_are_broken_off() {
    let text =
        "(role x) (init (at here)) (<= (legal x stay) (true (at ?p))) (<= (legal x leave) (true (at ?p)))
        (<= (next (at here)) (does x stay)) (<= (next gone) (does x leave))
        (<= terminal (true gone)) (<= (goal x 100) (true gone)) (<= (goal x 30) (true (at here)))";
    let game = load(text, &Options { steps: 40, ..Options::default() }).unwrap();
    assert_eq!((game.step_limit(), game.facts().max_length, game.codes()), (Some(40), 40, Some(2)));
    let game = game.tracked();
    let mut state = game.start();
    let stay = [(Player(0), game.parse_action("stay").unwrap())];
    for _ in 0..40 {
        assert_eq!(game.turn(&state), Turn::Player(Player(0)));
        game.apply(&mut state, Step::Moves(&stay));
    }
    assert_eq!(game.turn(&state), Turn::Terminal);
    assert_eq!(state.inner.broken(), Some(&Broken::TooLong(40)));
    assert_eq!(game.rewards(&state).as_slice(), [0.3]);
    assert!(game.show(&state).contains("broken off after 40 steps"));
}

/// Public sheets are games, too, if they are playable at all.
#[test]
fn public_sheets_load() {
    let lenient = Options { level: fogtree_gdl::Level::Lenient, ..Options::default() };
    for name in ["montyhall", "meier", "latenttictactoe", "pennies", "roshambo2", "tictactoe", "buttons"] {
        let Some(text) = public_text(name) else { return };
        let game = load(&text, &lenient).unwrap_or_else(|why| panic!("{name}: {why}")).tracked();
        let mut rng = Seed(6).stream(Purpose::Playout);
        let rewards = game.playout(&mut game.start(), &mut rng, &mut Scratch::default());
        assert_eq!(rewards.len(), game.facts().players, "{name}");
    }
    let together = load(&public_text("roshambo2").expect("it was there"), &lenient).unwrap();
    assert!(together.facts().simultaneous);
    assert_eq!(together.turn(&together.start()), Turn::Simultaneous(Players::first(2)));
}

/// The names of a random step.
fn random_words<R: Notation>(game: &R, state: &R::State, rng: &mut Rng) -> Vec<String> {
    let mut actions = Vec::new();
    match game.turn(state) {
        Turn::Chance => vec![game.outcome_name(&game.sample_chance(state, rng))],
        turn => turn
            .players()
            .iter()
            .map(|p| {
                actions.clear();
                game.actions(state, p, &mut actions);
                game.action_name(*rng.pick(&actions))
            })
            .collect(),
    }
}

/// The compiled reasoner makes the same game: the same facts, turns, moves, keys and rewards along random matches.
#[test]
fn a_compiled_sheet_is_the_same_game() {
    for name in ["kuhn-poker", "monty-hall", "tic-tac-toe", "latent-tic-tac-toe", "bomberman"] {
        let text = own_text(name);
        let sheet = fogtree_gdl::Sheet::read(&text).unwrap();
        let options = Options::default();
        let one = load(&text, &options).unwrap().tracked();
        let compiled = Propnet::new(&sheet, &propnet::Budget::default()).unwrap();
        let other = GdlGame::new(&sheet, compiled, &options).unwrap().tracked();
        assert_eq!(one.facts(), other.facts(), "{name}");
        let mut rng = Seed(3).stream(Purpose::Playout);
        for _ in 0..3 {
            let (mut a, mut b) = (Line::start(&one), Line::start(&other));
            while one.turn(a.state()) != Turn::Terminal {
                let words = random_words(&one, a.state(), &mut rng);
                a.play_words(&one, words.iter().map(String::as_str)).unwrap();
                b.play_words(&other, words.iter().map(String::as_str)).unwrap();
                for observer in Observer::all(one.facts().players) {
                    assert_eq!(a.key(observer), b.key(observer), "{name}");
                }
            }
            assert_eq!(other.turn(b.state()), Turn::Terminal, "{name}");
            assert_eq!(one.rewards(a.state()), other.rewards(b.state()), "{name}");
        }
    }
}

/// Finnsson and Björnsson's predicates are the fluents that hold, of sheets that hide nothing: here (left ..) and
/// (control ..). The first of them differs after every move, the second is the same after every other.
#[test]
fn features_are_the_fluents_that_hold() {
    let features = |game: &Sheet, steps: usize| {
        let (mut rng, mut scratch) = (Seed(1).stream(Purpose::Deal), Scratch::default());
        let (mut state, mut out) = (game.start(), Vec::new());
        (0..steps).for_each(|_| random_step(game, &mut state, &mut rng, &mut scratch));
        game.features(&state, Player(0), &mut out);
        out.into_iter().collect::<HashSet<u32>>()
    };
    let nim = game(NIM);
    let [start, one, two] = [0, 1, 2].map(|steps| features(&nim, steps));
    assert_eq!([start.len(), one.len(), two.len()], [2; 3]);
    assert_eq!((start.intersection(&one).count(), start.intersection(&two).count()), (0, 1));
    assert!(features(&game(SECRET_CHOICE), 1).is_empty());

    let nim = Erased::new(nim);
    let info = info_set(&nim, &Line::start(&**nim.game()), Player(0));
    for enhance in ["past(least=1)", "fast"] {
        let config = Config { enhance: enhance.parse().unwrap(), ..Config::new(Observers::Multiple) };
        let mut agent = Ismcts::new(&info.game, config);
        agent.start(Player(0), Seed(1));
        let decision = agent.act(&info, &Budget::iterations(500)).unwrap();
        assert_eq!(nim.move_name(decision.action), "take(2)", "{enhance}: who has three left has lost");
    }
}

//! Trees against games written in Rust, and Gambit's format as Gambit writes it.

use std::collections::{HashMap, HashSet};
use std::convert::Infallible;
use std::path::PathBuf;
use std::sync::Arc;

use fogtree_core::{
    BadSpec, Chance, Erased, Facts, FastPlay, Key, Keys, Method, Model, Notation, Observation, Observer,
    Playable, Player, Players, Purpose, Rewards, Rng, Rules, Seed, Spec, Step, Tracked, Turn, Utility,
};
use fogtree_games::kuhn_poker::KuhnPoker;
use fogtree_games::tree::{BadTree, Tree, micro};

/// One step by name, with its probability under uniform play.
fn steps<R: Notation>(rules: &R, state: &R::State, mut with: impl FnMut(Step<'_, R>, String, f64)) {
    match rules.turn(state) {
        Turn::Terminal => {}
        Turn::Chance => {
            let mut outcomes = Vec::new();
            rules.chance(state, &mut outcomes);
            outcomes.iter().for_each(|(o, p)| with(Step::Chance(o), rules.outcome_name(o), *p));
        }
        turn => {
            let who = turn.players().iter().next().unwrap();
            let mut actions = Vec::new();
            rules.actions(state, who, &mut actions);
            let p = 1.0 / actions.len() as f64;
            actions.iter().for_each(|&a| with(Step::Moves(&[(who, a)]), rules.action_name(a), p));
        }
    }
}

/// A history by the names of its moves.
type History = Vec<String>;

/// Whose turn it is, the moves with their probabilities under uniform play, and the rewards if it is over.
type Place = (Turn, Vec<(String, f64)>, Vec<f64>);

/// What a game is, told by names: what comes after every history, and which histories the players cannot tell
/// apart when they decide.
#[derive(PartialEq, Debug)]
struct Told {
    nodes: HashMap<History, Place>,
    infosets: HashSet<(Player, Vec<History>)>,
}

fn tell<R: Notation>(rules: &R) -> Told {
    let mut nodes = HashMap::new();
    let mut sets: HashMap<(Player, Key), Vec<History>> = HashMap::new();
    let mut stack = vec![(rules.start(), Keys::start(rules.facts().players), Vec::<String>::new())];
    while let Some((state, keys, history)) = stack.pop() {
        let turn = rules.turn(&state);
        for p in turn.players().iter() {
            sets.entry((p, keys.of(Observer::Seat(p)))).or_default().push(history.clone());
        }
        let mut moves = Vec::new();
        steps(rules, &state, |step, name, p| {
            let mut next = state.clone();
            rules.apply(&mut next, step);
            let after = keys.after(rules, &state, step);
            stack.push((next, after, [&history[..], std::slice::from_ref(&name)].concat()));
            moves.push((name, p));
        });
        moves.sort_by(|a, b| a.0.cmp(&b.0));
        let over = turn == Turn::Terminal;
        let rewards = if over { rules.rewards(&state).as_slice().to_vec() } else { Vec::new() };
        nodes.insert(history, (turn, moves, rewards));
    }
    let sorted = |((p, _), mut histories): ((Player, Key), Vec<History>)| {
        histories.sort();
        (p, histories)
    };
    Told { nodes, infosets: sets.into_iter().map(sorted).collect() }
}

/// Rules without a sampler as engines see them.
fn tracked<R: FastPlay + Notation>(rules: R) -> Arc<dyn Model> {
    Erased::any(Tracked::new(rules, Method::Backtracking))
}

fn micro_game(name: &str) -> Tree {
    Tree::read(micro::ALL.iter().find(|(n, _)| *n == name).unwrap().1).unwrap()
}

#[test]
fn kuhn_poker_is_the_same_in_rust_as_a_gambit_file_and_turned_into_a_tree() {
    let in_rust = tell(&KuhnPoker);
    assert_eq!(in_rust.infosets.len(), 12);
    assert_eq!(in_rust.nodes.values().filter(|(turn, ..)| *turn == Turn::Terminal).count(), 30);

    let file = micro_game("kuhn");
    assert_eq!(tell(&file), in_rust);

    let turned = Tree::of(&*Erased::any(KuhnPoker), 1000).unwrap();
    assert_eq!(tell(&turned), in_rust);
    assert_eq!(turned.players(), ["first", "second"]);
    assert_eq!(turned.infosets(Player(0)).count() + turned.infosets(Player(1)).count(), 12);
    let read = Tree::from_efg(&turned.to_efg()).unwrap();
    assert_eq!(read, turned);
    assert_eq!(read.facts(), Facts { max_length: 5, ..KuhnPoker.facts() });
}

/// Under uniform play the first player of Kuhn poker wins 1/8 on average: over the six deals the showdowns
/// cancel out, and of the folds the second player's (probability 1/4, worth +1) outweigh the first player's
/// (probability 1/8, worth -1).
#[test]
fn random_play_of_the_file_is_worth_what_it_should_be() {
    let told = tell(&micro_game("kuhn"));
    let mut value = 0.0;
    for (history, (turn, _, rewards)) in &told.nodes {
        if *turn == Turn::Terminal {
            let p = |i: usize| {
                let moves = &told.nodes[&history[..i]].1;
                moves.iter().find(|(name, _)| *name == history[i]).unwrap().1
            };
            value += rewards[0] * (0..history.len()).map(p).product::<f64>();
        }
    }
    assert!((value - 0.125).abs() < 1e-12, "{value}");

    let (tree, mut rng) = (micro_game("kuhn"), Seed(1).stream(Purpose::Playout));
    let total: f64 = (0..100_000)
        .map(|_| tree.playout(&mut tree.start(), &mut rng, &mut fogtree_core::Scratch::default())[Player(0)])
        .sum();
    assert!((total / 100_000.0 - 0.125).abs() < 0.015, "{total}");
}

/// Both choose one of two sides at the same time; then each learns whether they were the same.
struct Sides;

impl Rules for Sides {
    type State = [Option<bool>; 2];
    type Action = bool;
    type Outcome = Infallible;

    fn facts(&self) -> Facts {
        Facts {
            simultaneous: true,
            utility: Utility::ZeroSum,
            utility_bounds: (-1.0, 1.0),
            ..Facts::open(2, 1)
        }
    }

    fn start(&self) -> Self::State {
        [None; 2]
    }

    fn turn(&self, s: &Self::State) -> Turn {
        if s[0].is_some() { Turn::Terminal } else { Turn::Simultaneous(Players::first(2)) }
    }

    fn actions(&self, _: &Self::State, _: Player, out: &mut Vec<bool>) {
        out.extend([false, true]);
    }

    fn apply(&self, s: &mut Self::State, step: Step<'_, Self>) {
        *s = [Player(0), Player(1)].map(|p| step.action_of(p));
    }

    fn observe(&self, _: &Self::State, step: Step<'_, Self>, _: Observer) -> Option<Observation> {
        Some(Observation::word(u64::from(step.action_of(Player(0)) == step.action_of(Player(1)))))
    }

    fn rewards(&self, s: &Self::State) -> Rewards {
        Rewards::zero_sum(if s[0] == s[1] { 1.0 } else { -1.0 })
    }

    fn code(&self, action: bool) -> u64 {
        u64::from(action)
    }
}

impl Notation for Sides {
    fn action_name(&self, action: bool) -> String {
        if action { "tails" } else { "heads" }.to_string()
    }

    fn parse_action(&self, name: &str) -> Option<bool> {
        [("heads", false), ("tails", true)].into_iter().find(|(n, _)| *n == name).map(|(_, a)| a)
    }
}

impl FastPlay for Sides {}

#[test]
fn simultaneous_moves_become_hidden_ones() {
    let turned = Tree::of(&*tracked(Sides), 100).unwrap().with_title("Sides");
    assert_eq!(tell(&turned), tell(&micro_game("matching-pennies")));
    assert!(turned.facts().hidden && !turned.facts().simultaneous);
    assert_eq!(
        turned.to_efg(),
        "EFG 2 R \"Sides\" { \"first\" \"second\" }\n\
         \"\"\n\
         \n\
         p \"\" 1 1 \"first\" { \"heads\" \"tails\" } 0\n\
         p \"\" 2 1 \"second\" { \"heads\" \"tails\" } 0\n\
         t \"\" 1 \"\" { 1, -1 }\n\
         t \"\" 2 \"\" { -1, 1 }\n\
         p \"\" 2 1 \"second\" { \"heads\" \"tails\" } 0\n\
         t \"\" 2 \"\" { -1, 1 }\n\
         t \"\" 1 \"\" { 1, -1 }\n"
    );
}

/// A number drawn from too many to list.
struct Draw;

impl Rules for Draw {
    type State = Option<u64>;
    type Action = u8;
    type Outcome = u64;

    fn facts(&self) -> Facts {
        Facts { players: 1, hidden: false, chance: Chance::Sampled, simultaneous: false, ..Sides.facts() }
    }

    fn start(&self) -> Option<u64> {
        None
    }

    fn turn(&self, s: &Option<u64>) -> Turn {
        if s.is_some() { Turn::Terminal } else { Turn::Chance }
    }

    fn actions(&self, _: &Option<u64>, _: Player, _: &mut Vec<u8>) {}

    fn sample_chance(&self, _: &Option<u64>, rng: &mut Rng) -> u64 {
        rng.bits()
    }

    fn apply(&self, s: &mut Option<u64>, step: Step<'_, Self>) {
        *s = Some(*step.outcome());
    }

    fn observe(&self, _: &Option<u64>, step: Step<'_, Self>, _: Observer) -> Option<Observation> {
        Some(Observation::word(*step.outcome()))
    }

    fn rewards(&self, _: &Option<u64>) -> Rewards {
        Rewards::from_fn(1, |_| 0.0)
    }

    fn code(&self, action: u8) -> u64 {
        u64::from(action)
    }
}

impl Notation for Draw {
    fn action_name(&self, action: u8) -> String {
        action.to_string()
    }

    fn parse_action(&self, name: &str) -> Option<u8> {
        name.parse().ok()
    }
}

impl FastPlay for Draw {}

#[test]
fn games_without_a_tree_are_refused() {
    assert_eq!(Tree::of(&*tracked(Draw), 100), Err(BadTree::Sampled { history: "the start".into() }));
    assert_eq!(Tree::of(&*Erased::any(KuhnPoker), 57), Err(BadTree::TooLarge { most: 57 }));
    assert_eq!(Tree::of(&*Erased::any(KuhnPoker), 58).unwrap().size(), 58);
}

/// Payoffs on the way are added up, as in the two-stage games that come with Gambit.
#[test]
fn payoffs_on_the_way_are_added_up() {
    let tree = Tree::read(
        "EFG 2 D \"two stages\" { \"Player 1\" \"Player 2\" }
         c \"ROOT\" 1 \"(0,1)\" { \"1 G\" 0.500000 \"1 G\" 0.25 \"\" .25 } 3 \"base\" { 100.000000 0 }
         p \"\" 1 7 \"\" { \"H\" \"L\" } 0
         p \"\" 2 1 \"(1,7)\" { \"h\" } 1 \"Outcome 1\" { 10, 2 }
         t \"\" 1
         t \"\" 2 \"\" { -1/2 1.5e1 }
         t \"\" 0
         t \"said \\\"so\\\"\" 2 \"\" { -0.5, 15 }",
    )
    .unwrap();
    assert_eq!(tree.players(), ["Player_1", "Player_2"]);
    let rewards: HashMap<String, Vec<f64>> =
        tell(&tree).nodes.into_iter().map(|(history, (_, _, r))| (history.join(" "), r)).collect();
    assert_eq!(rewards["1_G H h"], [120.0, 4.0]);
    assert_eq!(rewards["1_G L"], [99.5, 15.0]);
    assert_eq!(rewards["1_G_2"], [100.0, 0.0]);
    assert_eq!(rewards["3"], [99.5, 15.0]);
    assert_eq!(tree.infosets(Player(0)).collect::<Vec<_>>(), ["(1,7)"]);
    assert_eq!(tree.infosets(Player(1)).collect::<Vec<_>>(), ["(1,7)_2"]);
    assert_eq!(Tree::read(&tree.to_efg()).unwrap(), tree);
}

/// Gambit wants probabilities that add up to exactly 1.
#[test]
fn probabilities_are_written_as_fractions() {
    let efg = Tree::of(&*Erased::any(KuhnPoker), 100).unwrap().to_efg();
    assert!(efg.contains("{ \"J\" 1/3 \"K\" 1/3 \"Q\" 1/3 }"), "{efg}");
}

struct Taken;

impl fogtree_games::Receiver for Taken {
    type Out = (String, usize);

    fn game<G: Playable>(&mut self, game: G) -> Self::Out {
        (game.role(&game.start(), Player(0)), game.facts().players)
    }
}

fn build(spec: &str) -> Result<(String, usize), BadSpec> {
    fogtree_games::build(&spec.parse::<Spec>()?, &mut Taken)
}

/// A file that goes away with the test.
struct TempFile(PathBuf);

impl TempFile {
    fn new(name: &str, bytes: &[u8]) -> TempFile {
        let path = std::env::temp_dir().join(format!("fogtree-{}-{name}", std::process::id()));
        std::fs::write(&path, bytes).unwrap();
        TempFile(path)
    }

    fn build(&self) -> Result<(String, usize), BadSpec> {
        build(&format!("tree(file={})", self.0.display()))
    }
}

impl Drop for TempFile {
    fn drop(&mut self) {
        let _ = std::fs::remove_file(&self.0);
    }
}

#[test]
fn trees_are_built_by_name_and_from_files() {
    assert_eq!(build("tree").unwrap(), ("max".to_string(), 2));
    assert_eq!(build("coin-guess").unwrap(), ("guesser".to_string(), 1));
    for (name, _) in micro::ALL {
        build(&format!("tree(name={name})")).unwrap();
    }
    let json = TempFile::new("a.json", micro_game("coin").to_json().as_bytes());
    assert_eq!(json.build().unwrap(), ("guesser".to_string(), 1));
    let efg = TempFile::new("b", ["\u{feff}\n ", &micro_game("kuhn").to_efg()].concat().as_bytes());
    assert_eq!(efg.build().unwrap(), ("first".to_string(), 2));
}

#[test]
fn bad_files_are_refused() {
    let error = |result: Result<_, BadSpec>| {
        let error = result.unwrap_err();
        assert!(matches!(error, BadSpec::Value { .. }), "{error:?}");
        error.to_string()
    };
    let directory = std::env::temp_dir();
    let cases = [
        (error(build("tree(file=there/is/no/such/file)")), "it cannot be read"),
        (error(build(&format!("tree(file={})", directory.display()))), "it is not a file"),
        (error(build("tree(name=non-localty)")), "expected one of non-locality, modified-non-locality"),
        (error(build("coin-guess(file=x)")), "not both"),
        (error(TempFile::new("binary", b"EFG \xff").build()), "byte 4 is not UTF-8"),
        (error(TempFile::new("empty", b"").build()), "line 1, column 1: expected '{'"),
        (
            error(TempFile::new("bad", b"EFG 2 R \"x\" { \"a\" }\nt \"\" x").build()),
            "line 2, column 6: expected",
        ),
    ];
    for (error, message) in cases {
        assert!(error.contains(message), "'{error}' should say '{message}'");
    }
    let large = TempFile::new("large", b"");
    std::fs::File::options().write(true).open(&large.0).unwrap().set_len((64 << 20) + 1).unwrap();
    assert!(error(large.build()).contains("larger than 64 MB"));
}

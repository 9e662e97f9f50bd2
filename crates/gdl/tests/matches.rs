//! Matches of joint moves become lines of play that end alike.

use fogtree_core::{Line, Notation, Purpose, Rules, Seed, Turn};
use fogtree_gdl::game::{NoMatch, OWN, Options, load};
use fogtree_gdl::{Interpreter, Limits, Reasoner, Sheet};

/// Random joint moves to the end, and the goals there.
fn random_match(sheet: &Sheet, seed: u64) -> (Vec<Vec<String>>, Vec<u8>) {
    let rules = Interpreter::new(sheet, Limits::default()).unwrap();
    let mut rng = Seed(seed).stream(Purpose::Playout);
    let (mut state, mut played, mut legal) = (rules.initial().unwrap(), Vec::new(), Vec::new());
    while !rules.terminal(&state).unwrap() {
        let joint: Vec<_> = (0..rules.roles().len())
            .map(|role| {
                rules.legal(&state, role, &mut legal).unwrap();
                *rng.pick(&legal)
            })
            .collect();
        played.push(joint.iter().map(|&term| rules.terms().show(term).to_string()).collect());
        state = rules.next(&state, &joint).unwrap();
    }
    let seats = (0..rules.roles().len()).filter(|&role| Some(role) != rules.random_role());
    (played, seats.map(|role| rules.goal(&state, role).unwrap()).collect())
}

#[test]
fn matches_of_all_our_sheets_are_lines_of_play() {
    for (name, text) in OWN {
        let sheet = Sheet::read(text).unwrap();
        let game = load(text, &Options::default()).unwrap();
        for seed in 0..5 {
            let (played, goals) = random_match(&sheet, seed);
            let steps = game.steps_of_match(&played).unwrap_or_else(|why| panic!("{name}: {why}"));
            let mut line = Line::start(&game);
            for step in &steps {
                line.play_words(&game, step.iter().map(String::as_str)).unwrap();
            }
            assert_eq!(line.plies().len(), steps.len(), "{name}");
            assert_eq!(game.turn(line.state()), Turn::Terminal, "{name}");
            let rewards = game.rewards(line.state());
            assert!(rewards.iter().zip(&goals).all(|(r, &g)| *r == f64::from(g) / 100.0), "{name}");
        }
    }
}

#[test]
fn what_cannot_have_happened_is_refused() {
    let text = OWN.iter().find(|(name, _)| *name == "tic-tac-toe").unwrap().1;
    let game = load(text, &Options::default()).unwrap();
    let (played, _) = random_match(&Sheet::read(text).unwrap(), 1);
    let with = |change: &dyn Fn(&mut Vec<Vec<String>>)| {
        let mut other = played.clone();
        change(&mut other);
        game.steps_of_match(&other)
    };
    assert!(matches!(with(&|m| drop(m[1].pop())), Err(NoMatch::Roles { step: 2, roles: 2 })));
    for wrong in ["(mark 9 9)", "(((", "", "unheard-of"] {
        let error = with(&|m| m[0][0] = wrong.to_string()).unwrap_err();
        assert!(matches!(error, NoMatch::Illegal { step: 1, .. }), "{error}");
    }
    let (first, second) = (played[0].clone(), played[1].clone());
    let error = with(&|m| m.swap(0, 1)).unwrap_err();
    assert!(matches!(error, NoMatch::Illegal { step: 1, .. }), "{first:?} {second:?}: {error}");
    let error = with(&|m| m.push(first.clone())).unwrap_err();
    assert_eq!(error, NoMatch::Over { step: played.len() + 1 });
    assert_eq!(with(&|m| m.truncate(2)).map(|steps| steps.len()), Ok(2));
    assert!(game.parse_action(&with(&|_| {}).unwrap()[0][0]).is_some());
}

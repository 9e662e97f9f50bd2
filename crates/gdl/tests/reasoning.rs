//! The interpreter on small sheets whose answers can be derived by hand, and at its limits.

mod common;

use common::{after, fluents, interpret, joint, legal, percepts};
use fogtree_gdl::interpreter::BadSheet;
use fogtree_gdl::{Code, Interpreter, Limits, Reasoner, ReasonerError, Sheet};

/// The facts `(p ...)` that hold in the first state of a sheet with these clauses, read off as legal moves.
fn holds(clauses: &str) -> Vec<String> {
    let game = interpret(&format!(
        "(role r) (init start) (<= (legal r (p ?x)) (p ?x)) (<= (legal r (p ?x ?y)) (p ?x ?y)) {clauses}"
    ));
    legal(&game, &game.initial().unwrap(), 0).iter().map(|m| m.to_string()).collect()
}

#[test]
fn recursion_reaches_its_fixpoint() {
    let edges = "(e a b) (e b c) (e c a) (e c d)";
    let closure = "(<= (p ?x ?y) (e ?x ?y)) (<= (p ?x ?z) (p ?x ?y) (p ?y ?z))";
    let left = "(<= (p ?x ?y) (e ?x ?y)) (<= (p ?x ?z) (p ?x ?y) (e ?y ?z))";
    let all: Vec<String> =
        "abc".chars().flat_map(|x| "abcd".chars().map(move |y| format!("(p {x} {y})"))).collect();
    assert_eq!(holds(&format!("{edges} {closure}")), all, "cyclic, twice recursive");
    assert_eq!(holds(&format!("{edges} {left}")), all);
    let mutual = "(n 0 1) (n 1 2) (n 2 3) (n 3 4) (even 0) (<= (even ?y) (odd ?x) (n ?x ?y))
        (<= (odd ?y) (even ?x) (n ?x ?y)) (<= (p ?x) (even ?x))";
    assert_eq!(holds(mutual), ["(p 0)", "(p 2)", "(p 4)"]);
}

#[test]
fn negation_is_failure_in_the_layer_below() {
    let sheet = "(q a) (q b) (q c) (r b) (<= (s ?x) (q ?x) (not (r ?x))) (<= (p ?x) (q ?x) (not (s ?x)))";
    assert_eq!(holds(sheet), ["(p b)"]);
    assert_eq!(holds("(q a) (<= (p ?x) (q ?x) (not (never ?x)))"), ["(p a)"], "what is never derived fails");
    assert_eq!(
        holds("(q a) (<= (p ?x) (not (r ?x)) (q ?x))"),
        ["(p a)"],
        "the order of conditions does not matter"
    );
    assert_eq!(
        holds("(q a) (<= (p ?x) (q ?x) (not (true (f ?x (g ?x)))))"),
        ["(p a)"],
        "a term nobody has made"
    );
    // There is a d such that not r(x, d): Mastermind's way of asking.
    assert_eq!(holds("(q a) (q b) (r a a) (r a b) (<= (p ?x) (q ?x) (not (r ?x ?d)) (q ?d))"), ["(p b)"]);
}

#[test]
fn functions_are_taken_apart_and_put_together() {
    assert_eq!(holds("(t (pair a (f b))) (<= (p ?y ?x) (t (pair ?x (f ?y))))"), ["(p b a)"]);
    assert_eq!(holds("(t (pair a a)) (t (pair a b)) (<= (p ?x) (t (pair ?x ?x)))"), ["(p a)"]);
    assert_eq!(holds("(t a) (<= (p (g ?x ?x) ?x) (t ?x))"), ["(p (g a a) a)"]);
    assert_eq!(holds("(t a) (t (g a)) (u (g a)) (<= (p ?x) (t ?x) (u (g ?x)))"), ["(p a)"]);
    assert_eq!(
        holds("(t a) (t (g a)) (<= (p ?x) (t ?x) (t ?y) (distinct ?y (g ?x)) (distinct ?x a))"),
        ["(p (g a))"]
    );
    assert_eq!(holds("(t a) (t b) (<= (p ?x) (t ?x) (not (distinct ?x b)))"), ["(p b)"]);
    assert_eq!(
        holds("(t a) (t b) (t c) (<= (p ?x) (t ?x) (not (or (not (distinct ?x b)) (not (distinct ?x c)))))"),
        ["(p a)"]
    );
    assert_eq!(holds("(t a b) (t b b) (<= (p ?x) (t ?x ?x))"), ["(p b)"]);
    assert_eq!(holds("zero (<= (p a) zero) (<= (p b) (zero))"), ["(p a)", "(p b)"]);
    assert_eq!(
        holds("(s 1) (s 1 2) (<= (p ?x) (s ?x)) (<= (p ?x ?y) (s ?x ?y))"),
        ["(p 1)", "(p 1 2)"],
        "two arities"
    );
}

#[test]
fn a_step_is_derived_from_the_state_and_the_joint_move() {
    let game = interpret(
        "(role Alice) (role bob) (init (n 0)) (init idle)
        (succ 0 1) (succ 1 2)
        (<= (legal ?r (add ?k)) (role ?r) (true (n ?x)) (succ ?x ?k))
        (<= (legal ?r pass) (role ?r))
        (<= (next (n ?y)) (does alice (add ?y)))
        (<= (next (n ?x)) (true (n ?x)) (does alice pass))
        (<= (next (last ?r ?m)) (does ?r ?m))
        (<= (sees ?r (does ?q ?m)) (role ?r) (does ?q ?m) (distinct ?r ?q))
        (<= (sees ?r (was ?f)) (role ?r) (true ?f))
        (<= terminal (true (n 2)))
        (<= (goal ?r 100) (role ?r) terminal) (<= (goal ?r 0) (role ?r) (not terminal))",
    );
    assert_eq!(common::shown(&game, game.roles()), ["alice", "bob"]);
    let first = game.initial().unwrap();
    assert_eq!(fluents(&game, &first), ["idle", "(n 0)"]);
    assert_eq!(legal(&game, &first, 0), ["pass", "(add 1)"]);
    let moves = joint(&game, &["(ADD 1)", "pass"]);
    assert_eq!(percepts(&game, &first, &moves, 1), ["(does alice (add 1))", "(was idle)", "(was (n 0))"]);
    assert_eq!(percepts(&game, &first, &moves, 0), ["(does bob pass)", "(was idle)", "(was (n 0))"]);
    let second = game.next(&first, &moves).unwrap();
    assert_eq!(fluents(&game, &second), ["(last alice (add 1))", "(last bob pass)", "(n 1)"]);
    assert_eq!((game.terminal(&second), game.goal(&second, 1)), (Ok(false), Ok(0)));
    let third = after(&game, &[&["(add 1)", "pass"], &["(add 2)", "pass"]]);
    assert_eq!((game.terminal(&third), game.goal(&third, 1)), (Ok(true), Ok(100)));
    // Asking about one state does not disturb what is known of another.
    assert_eq!(legal(&game, &first, 1), ["pass", "(add 1)"]);
    assert_eq!(game.next(&first, &moves).unwrap(), second);
    let mut ids = Vec::new();
    game.fluents(&second, &mut ids);
    ids.reverse();
    assert_eq!(game.state(&ids).unwrap(), second, "a state is its fluents");
    assert_eq!(game.next(&first, &moves[..1]), Err(ReasonerError::JointMove { roles: 2, moves: 1 }));
}

#[test]
fn goals_must_be_single_numbers() {
    let game = interpret(
        "(role a) (role b) (role c) (role d) (goal a 10) (goal a 20) (goal b half) (goal c 101) terminal",
    );
    let first = game.initial().unwrap();
    for (role, message) in [
        (0, "role a has the goal values 10, 20, not one whole number from 0 to 100"),
        (1, "role b has the goal values half, not one whole number from 0 to 100"),
        (2, "role c has the goal values 101, not one whole number from 0 to 100"),
        (3, "role d has no goal value, not one whole number from 0 to 100"),
    ] {
        assert_eq!(game.goal(&first, role).unwrap_err().to_string(), message);
    }
}

#[test]
fn what_has_no_meaning_is_refused() {
    for (clauses, code) in [
        ("(<= (p ?x) q)", Code::Unsafe),
        ("(<= (legal r ?x) (not (q ?x)))", Code::Unsafe),
        ("(<= (legal r a) (distinct ?x ?y))", Code::Unsafe),
        ("(<= p (not p))", Code::Unstratified),
        ("(<= (legal r m) (does r m))", Code::Dependence),
        ("(<= (init a) (true b))", Code::Dependence),
        ("(<= (true a) (true b))", Code::Given),
    ] {
        let sheet = Sheet::read(&format!("(role r) {clauses} (<= terminal (p a)) (<= terminal p)")).unwrap();
        match Interpreter::new(&sheet, Limits::default()) {
            Err(BadSheet::Wrong(wrong)) => assert_eq!(wrong[0].code, code, "{clauses}"),
            other => panic!("{clauses}: {other:?}"),
        }
    }
}

#[test]
fn endless_derivations_are_cut_off() {
    let small = Limits { steps: 100_000, atoms: 1_000, until: None };
    let numbers = "(role r) (n z) (<= (n (s ?x)) (n ?x)) (<= terminal (n a))";
    let error = |text: &str, limits| Interpreter::new(&Sheet::read(text).unwrap(), limits).unwrap_err();
    assert_eq!(error(numbers, small), BadSheet::Reasoner(ReasonerError::Atoms(1_000)));
    assert!(
        matches!(error(numbers, Limits::default()), BadSheet::Reasoner(ReasonerError::Terms(_))),
        "too deep"
    );
    let pairs = "(role r) (d 0) (d 1) (d 2) (d 3) (d 4) (d 5) (d 6) (d 7) (d 8) (d 9)
        (<= none (d ?a) (d ?b) (d ?c) (d ?e) (d ?f) (d ?g) (d ?h) (distinct ?a ?a)) (<= terminal none)";
    assert_eq!(
        error(&pairs.replace("(distinct ?a ?a)", "(d (no ?a ?b ?c ?e ?f ?g ?h))"), small),
        BadSheet::Reasoner(ReasonerError::Steps(100_000))
    );
    // In a state, too, and the reasoner is as good as before afterwards.
    let text = "(role r) (init (n z)) (<= (legal r go) (role r)) (<= (legal r grow) (role r))
        (<= (next bad) (does r grow)) (<= (next (n z)) (does r go))
        (<= (big z) (true bad)) (<= (big (s ?x)) (big ?x)) (<= terminal (big a))";
    let game = Interpreter::new(&Sheet::read(text).unwrap(), small).unwrap();
    let bad = after(&game, &[&["grow"]]);
    assert_eq!(game.terminal(&bad), Err(ReasonerError::Atoms(1_000)));
    let good = after(&game, &[&["go"]]);
    assert_eq!(game.terminal(&good), Ok(false));
    assert_eq!(legal(&game, &bad, 0), ["go", "grow"]);
}

#[test]
fn many_conditions_do_not_overflow_the_stack() {
    let body = "(q a) ".repeat(100_000);
    assert_eq!(holds(&format!("(q a) (<= (p b) {body})")), ["(p b)"]);
    let chain: String = (0..20_000).map(|i| format!("(<= (q{} ?x) (q{i} ?x))", i + 1)).collect();
    assert_eq!(holds(&format!("(q0 a) {chain} (<= (p ?x) (q20000 ?x))")), ["(p a)"]);
}

#[test]
fn names_do_not_matter() {
    use fogtree_core::{Purpose, Seed};
    use fogtree_gdl::Scrambling;
    for name in ["meier", "bomberman", "tic-tac-toe"] {
        let text = common::own_text(name);
        let sheet = Sheet::read(&text).unwrap();
        let scrambling = Scrambling::new(&sheet, Seed(5));
        let (game, other) = (interpret(&text), interpret(&scrambling.sheet(&sheet)));
        let mut rng = Seed(2).stream(Purpose::Playout);
        for _ in 0..5 {
            let (mut a, mut b) = (game.initial().unwrap(), other.initial().unwrap());
            while !game.terminal(&a).unwrap() {
                assert_eq!(other.terminal(&b), Ok(false));
                let mut moves = (Vec::new(), Vec::new());
                for role in 0..game.roles().len() {
                    let here = legal(&game, &a, role);
                    let mut there: Vec<String> =
                        legal(&other, &b, role).iter().map(|m| scrambling.restore(m).unwrap()).collect();
                    let chosen = &here[rng.below(here.len() as u32) as usize];
                    moves.0.push(game.terms().parse(chosen).unwrap());
                    moves.1.push(other.terms().parse(&scrambling.scramble(chosen).unwrap()).unwrap());
                    let mut here = here.clone();
                    here.sort();
                    there.sort();
                    assert_eq!(here, there);
                }
                (a, b) = (game.next(&a, &moves.0).unwrap(), other.next(&b, &moves.1).unwrap());
            }
            assert_eq!(other.terminal(&b), Ok(true));
            for role in 0..game.roles().len() {
                assert_eq!(game.goal(&a, role), other.goal(&b, role));
            }
        }
    }
}

#[test]
fn threads_may_share_a_reasoner() {
    use fogtree_core::{Purpose, Seed};
    let game = common::own("kuhn-poker");
    std::thread::scope(|scope| {
        for seed in 0..4 {
            let game = &game;
            scope.spawn(move || {
                let mut rng = Seed(seed).stream(Purpose::Playout);
                for _ in 0..200 {
                    let played = fogtree_gdl::simulate::playout(game, &mut rng, 10).unwrap();
                    let goals: u32 = (1..3).map(|r| u32::from(game.goal(&played.last, r).unwrap())).sum();
                    assert_eq!(goals, 100);
                }
            });
        }
    });
}

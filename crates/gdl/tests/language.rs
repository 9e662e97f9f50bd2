//! Reading, printing and checking rule sheets: every sloppy form of real ones, and what is wrong with bad ones.

mod common;

use common::public_folder;
use fogtree_core::Seed;
use fogtree_gdl::check::severity;
use fogtree_gdl::normal::{self, Condition};
use fogtree_gdl::{Code, Level, Report, Scrambling, Severity, Sheet, print, read};

fn read(text: &str) -> Sheet {
    Sheet::read(text).unwrap_or_else(|wrong| panic!("{text}: {wrong:?}"))
}

/// The complaints about a text as "code line:column".
fn complaints(text: &str, level: Level) -> Vec<String> {
    let report = Report::of(text.as_bytes(), level);
    let show = |d| {
        let at = report.position(d);
        format!("{} {}:{}", d.code.name(), at.line, at.column)
    };
    report.diagnostics.iter().map(show).collect()
}

/// The codes that a sheet of these clauses has besides those of the small sheet that surrounds them.
fn codes(clauses: &str, level: Level) -> Vec<(Code, Severity)> {
    let text = format!(
        "(role a) (role b) (init (n 0)) (succ 0 1) (succ 1 2)
        (<= (legal ?r go) (role ?r)) (<= (next (n ?y)) (true (n ?x)) (succ ?x ?y))
        (<= terminal (true (n 2))) (<= (goal ?r 50) (role ?r))
        {clauses}"
    );
    let report = Report::of(text.as_bytes(), level);
    report.diagnostics.iter().map(|d| (d.code, d.severity)).collect()
}

#[test]
fn words_are_whatever_is_no_delimiter() {
    let sheet = read("(<= (++ ?n++ -- 1.5 a:b \"x' é) (succ ?n++ --))");
    assert_eq!(
        print::clause_line(&sheet.clauses[0], &sheet.symbols),
        "(<= (++ ?n++ -- 1.5 a:b \"x' é) (succ ?n++ --))"
    );
    assert_eq!(sheet.clauses[0].variables.len(), 1);
}

#[test]
fn sloppy_forms_are_read() {
    let sheet = read(
        "\u{feff}(ROLE Alice);comment ( here
        (<= (Legal alice wait))
        (<=(terminal)(true(step ?X))(or(and(p ?x)(q ?x))(not(or(p ?x)q0)))(not(distinct ?x 3)))\u{a0}
        (<= (sees ?q (does ?p ?m)) (does ?p ?m) (role ?q)) q0",
    );
    let lines: Vec<_> = sheet.clauses.iter().map(|c| print::clause_line(c, &sheet.symbols)).collect();
    assert_eq!(
        lines,
        [
            "(role alice)",
            "(<= (legal alice wait))",
            "(<= terminal (true (step ?x)) (or (and (p ?x) (q ?x)) (not (or (p ?x) q0))) (not (distinct ?x 3)))",
            "(<= (sees ?q (does ?p ?m)) (does ?p ?m) (role ?q))",
            "q0"
        ]
    );
}

#[test]
fn what_cannot_be_read_is_pointed_at() {
    for (text, expected) in [
        ("(role a)\n  (init (b)", "unclosed 2:3"),
        ("(role a))\n", "unopened 1:9"),
        ("(a)\n((b) c)", "malformed 2:2"),
        ("(a)\n()", "malformed 2:1"),
        ("(<=)", "malformed 1:1"),
        ("?x", "malformed 1:1"),
        ("(?x a)", "malformed 1:2"),
        ("(<= p (?x a))", "malformed 1:8"),
        ("(<= p\n (not q r))", "malformed 2:2"),
        ("(<= p (distinct a))", "malformed 1:7"),
        ("(<= p (or))", "malformed 1:7"),
        ("(<= (not p) q)", "malformed 1:5"),
        ("(distinct a b)", "malformed 1:1"),
        ("(<= p (<= q r))", "malformed 1:8"),
        ("(p (() a))", "malformed 1:5"),
        ("or", "malformed 1:1"),
    ] {
        for (_, level) in Level::ALL {
            assert_eq!(complaints(text, level), [expected], "{text}");
        }
    }
    let both = complaints("(<=) (p) (?x)", Level::Lenient);
    assert_eq!(both, ["malformed 1:1", "malformed 1:11"], "all that is malformed is reported at once");
    let report = Report::of(b"(role a) \xff", Level::Lenient);
    assert_eq!((report.diagnostics[0].code, report.diagnostics[0].span.start), (Code::NotText, 9));
    assert!(report.render("x", false).contains("not-text"));
}

#[test]
fn deep_and_large_texts_are_survived() {
    let deep = 100_000;
    let nested = format!("{}a{}", "(f ".repeat(deep), ")".repeat(deep));
    assert_eq!(complaints(&nested, Level::Lenient), ["too-deep 1:1"]);
    let mut symbols = fogtree_gdl::Symbols::default();
    let all = read::read(&nested, &mut symbols).unwrap();
    let only = all.iter().next().unwrap();
    assert_eq!((only.depth(), only.text(&symbols)), (deep, nested.clone()));
    assert_eq!(complaints(&"(".repeat(deep), Level::Lenient).len(), 1);
    assert_eq!(complaints(&")".repeat(deep), Level::Lenient), ["unopened 1:1"]);
    assert_eq!(
        complaints(&format!("(<= p {}q{})", "(not ".repeat(deep), ")".repeat(deep)), Level::Strict).len(),
        1
    );
    // Fifty megabytes: of one list, of many clauses, of one word, of open parentheses.
    let fifty = 50 << 20;
    assert_eq!(complaints(&"(".repeat(fifty), Level::Lenient).len(), 1);
    assert_eq!(
        complaints(&"p".repeat(fifty), Level::Lenient).iter().filter(|c| c.starts_with("mal")).count(),
        0
    );
    let large = "x".repeat(read::MAX_BYTES + 1);
    assert!(complaints(&large, Level::Lenient)[0].starts_with("too-large"));
}

#[test]
fn many_clauses_are_checked_in_little_time() {
    let facts: String = (0..200_000).map(|i| format!("(edge {i} {})\n", i + 1)).collect();
    let report = Report::of(facts.as_bytes(), Level::Lenient);
    assert_eq!(report.sheet.as_ref().map(|s| s.clauses.len()), Some(200_000));
    assert!(!report.accepted(), "it has no role");
}

#[test]
fn alternatives_become_rules() {
    let rules = |text: &str| {
        let sheet = read(text);
        let rules = normal::rules(&sheet).unwrap();
        rules
            .iter()
            .map(|r| {
                let atom = |a: &fogtree_gdl::sheet::Atom| {
                    let args: Vec<_> = a.args.iter().map(|t| term(t, &sheet)).collect();
                    format!("{}({})", sheet.name(a.relation), args.join(","))
                };
                let body: Vec<_> = r
                    .body
                    .iter()
                    .map(|c| match c {
                        Condition::Holds(a) => atom(a),
                        Condition::Fails(a) => format!("!{}", atom(a)),
                        Condition::Differ(a, b) => format!("{}!={}", term(a, &sheet), term(b, &sheet)),
                    })
                    .collect();
                format!("{}<-{}", atom(&r.head), body.join(" "))
            })
            .collect::<Vec<_>>()
    };
    fn term(t: &fogtree_gdl::Term, sheet: &Sheet) -> String {
        match t {
            fogtree_gdl::Term::Variable(v, _) => format!("V{}", v.0),
            fogtree_gdl::Term::Constant(s, _) => sheet.name(*s).to_string(),
            fogtree_gdl::Term::Compound(f, args, _) => {
                format!(
                    "{}({})",
                    sheet.name(*f),
                    args.iter().map(|a| term(a, sheet)).collect::<Vec<_>>().join(",")
                )
            }
        }
    }
    assert_eq!(rules("(<= p (or a (and b c)) d)"), ["p()<-a() d()", "p()<-b() c() d()"]);
    assert_eq!(rules("(<= p (not (or a (not b))))"), ["p()<-!a() b()"]);
    assert_eq!(rules("(<= p (not (and a b)))"), ["p()<-!a()", "p()<-!b()"]);
    assert_eq!(rules("(<= p (or a b) (or c d))").len(), 4);
    assert_eq!(rules("(<= (p ?x) (q ?x ?y) (not (distinct ?y (f ?x a))))"), ["p(V0)<-q(V0,f(V0,a))"]);
    assert_eq!(rules("(<= (p ?x) (q ?x) (not (distinct ?x a)))"), ["p(a)<-q(a)"]);
    assert_eq!(rules("(<= p (not (distinct a b)))"), Vec::<String>::new(), "it never fires");
    assert_eq!(rules("(<= p (q ?x) (not (distinct ?x (f ?x))))"), Vec::<String>::new());
    let large = format!("(<= p {})", "(or a b)".repeat(13));
    assert_eq!(normal::rules(&read(&large)).unwrap_err().code, Code::TooManyCases);
    assert_eq!(rules(&format!("(<= p {})", "(or a b)".repeat(12))).len(), 4096);
    let long = format!("(<= p {} {})", "q ".repeat(10_000), "(or a b)".repeat(12));
    assert_eq!(normal::rules(&read(&long)).unwrap_err().code, Code::TooManyCases);
    // Each term is twice as large as the one before.
    let doubling: String = (0..60).map(|i| format!("(not (distinct ?x{} (f ?x{i} ?x{i})))", i + 1)).collect();
    assert_eq!(
        normal::rules(&read(&format!("(<= (p ?x60) (q ?x0) {doubling})"))).unwrap_err().code,
        Code::TooManyCases
    );
}

#[test]
fn a_plain_sheet_is_accepted_at_every_level() {
    for (_, level) in Level::ALL {
        assert_eq!(codes("", level), []);
    }
}

#[test]
fn each_restriction_is_checked() {
    // The clause that breaks it, and its code. How bad that is at each level is in `severity`.
    for (clauses, code) in [
        ("(<= p (true (f 1))) (<= q (true (f 1 2))) (<= r p q)", Code::Arity),
        ("(e 1) (<= (e 1 2) (e 1))", Code::Arity),
        ("(<= p (true a b))", Code::KeywordArity),
        ("(<= (legal a) (true (n 0)))", Code::KeywordArity),
        ("(<= (w ?x) (true (n 0)))", Code::Unsafe),
        ("(<= w (not (true (n ?x))))", Code::Unsafe),
        ("(<= w (true (n ?x)) (distinct ?x ?y))", Code::Unsafe),
        ("(w ?x)", Code::Unsafe),
        ("(<= (w ?x) (or (true (n ?x)) (true (n 0))))", Code::Unsafe),
        ("(<= p (not q) (true (n 0))) (<= q (not p) (true (n 0)))", Code::Unstratified),
        ("(<= p (succ ?x ?y) (not p))", Code::Unstratified),
        ("(<= (num ?x) (succ ?x ?y)) (<= (num (s ?x)) (num ?x))", Code::Recursion),
        ("(<= (role c) (succ 0 1))", Code::DerivedRole),
        ("(<= (role c) (true (n 0)))", Code::Dependence),
        ("(<= (init (n ?x)) (true (n ?x)))", Code::Dependence),
        ("(<= (init (n 7)) terminal)", Code::DoubtfulDependence),
        ("(true (n 4))", Code::Given),
        ("(<= (does a go) (true (n 0)))", Code::Given),
        ("(<= p (next (n 1)))", Code::Placement),
        ("(<= p (init (n 1)))", Code::Placement),
        ("(<= p (sees a b))", Code::Placement),
        ("(<= (legal a stop) (does b go))", Code::Dependence),
        ("(<= done (does b go)) (<= terminal done)", Code::Dependence),
        ("(<= (goal a 30) (does b go))", Code::Dependence),
        ("(<= (base (n ?x)) (true (n ?x)))", Code::DoubtfulDependence),
        ("(<= (input ?r ?m) (does ?r ?m))", Code::DoubtfulDependence),
        ("(<= (percept ?r ?m) (does ?r ?m))", Code::DoubtfulDependence),
        ("(goal a 101)", Code::GoalValue),
        ("(goal a half)", Code::GoalValue),
        ("(<= (sees ?r ?m) (does ?r ?m))", Code::NotGdl),
        ("(role random)", Code::NotGdl),
        ("(sees random x)", Code::RandomUse),
        ("(<= p (true (random 1)))", Code::RandomUse),
        ("(<= (terminal) (true (n 1)))", Code::NeedlessParentheses),
        ("(<= (q 7))", Code::EmptyBody),
        ("(<= (e ?x) (succ ?x ?y) (not (distinct ?x ?y)))", Code::NotDistinct),
        ("(<= p (or (and (succ 0 1) (succ 1 2)) (succ 0 2)))", Code::Nested),
        ("(<= p (not (or (succ 0 1) (succ 1 2))))", Code::Nested),
        ("(<= (sees ?r (does ?q ?m)) (does ?q ?m) (role ?r))", Code::DoesFunction),
        ("(<= p (true (legal 1)))", Code::KeywordFunction),
        ("(<= p (suck 1 2))", Code::Underived),
        ("(succ 0 1)", Code::Repeated),
        ("(<= p (SUCC 0 1))", Code::Case),
        ("(<= (legal c stop) (true (n 0)))", Code::UnknownRole),
        ("(<= p (does c go))", Code::UnknownRole),
    ] {
        for (_, level) in Level::ALL {
            let found = codes(clauses, level);
            let this: Vec<_> = found.iter().filter(|(c, _)| *c == code).map(|&(_, s)| s).collect();
            match severity(code, level) {
                Some(severity) => assert!(
                    !this.is_empty() && this.iter().all(|&s| s == severity),
                    "{clauses} {level:?} {found:?}"
                ),
                None => assert!(this.is_empty(), "{clauses} {level:?} {found:?}"),
            }
        }
    }
}

#[test]
fn what_every_game_needs_is_missed() {
    let found = complaints("(p 1)", Level::GdlII);
    assert_eq!(
        found,
        ["no-role 1:1", "missing 1:1", "missing 1:1", "missing 1:1", "no-change 1:1", "no-change 1:1"]
    );
    assert!(!Report::of(b"", Level::Lenient).accepted());
}

#[test]
fn allowed_recursion_is_allowed() {
    for clauses in [
        "(<= (less ?x ?y) (succ ?x ?y)) (<= (less ?x ?z) (succ ?x ?y) (less ?y ?z))",
        "(<= (less ?x ?y) (succ ?x ?y)) (<= (less ?x ?z) (less ?x ?y) (succ ?y ?z))",
        "(<= (even ?x) (succ ?y ?x) (odd ?y)) (<= (odd ?x) (succ ?y ?x) (even ?y)) (even 0)",
        "(<= (line ?x (c ?x ?y)) (succ ?x ?y)) (<= (line ?x ?l) (true (at ?x ?l)) (line ?x ?l))",
    ] {
        assert_eq!(codes(clauses, Level::Strict), [], "{clauses}");
    }
    // Through the head of an equal argument: the list grows without end.
    assert!(
        codes("(l nil) (<= (l (c ?x ?t)) (succ ?x ?y) (l ?t))", Level::GdlII)
            .iter()
            .any(|c| c.0 == Code::Recursion)
    );
}

#[test]
fn does_in_percepts_is_allowed_where_percepts_are() {
    let clause =
        "(<= (sees ?q (does ?p ?m)) (does ?p ?m) (role ?q)) (<= p (succ ?x ?y) (not (distinct ?x ?y)))";
    assert_eq!(codes(clause, Level::GdlII), [(Code::NotDistinct, Severity::Warning)]);
    assert!(codes(clause, Level::Strict).iter().all(|c| c.1 == Severity::Error));
}

#[test]
fn reports_point_into_the_text_and_are_machine_readable() {
    let text = "(role a)\n(<= (legal a ?m) (true stop))\n(<= terminal (true stop)) (goal a 10) (init stop)";
    let report = Report::of(text.as_bytes(), Level::GdlII);
    let json = report.json();
    assert_eq!((json["level"].as_str(), json["accepted"].as_bool()), (Some("gdl-ii"), Some(false)));
    let errors: Vec<_> =
        json["diagnostics"].as_array().unwrap().iter().filter(|d| d["severity"] == "error").collect();
    assert_eq!(errors.len(), 1);
    let e = errors[0];
    assert_eq!(
        (e["code"].as_str(), e["line"].as_u64(), e["column"].as_u64()),
        (Some("unsafe"), Some(2), Some(14))
    );
    assert_eq!((e["end_line"].as_u64(), e["end_column"].as_u64()), (Some(2), Some(16)));
    assert!(e["help"].is_string() && e["message"].as_str().unwrap().contains("?m"));
    let shown = report.render("sheet.kif", false);
    for part in ["sheet.kif:2:14", "[unsafe] Error", "^|", "Help:"] {
        assert!(shown.contains(part), "{part} in {shown}");
    }
    let typo = Report::of(b"(role a) (<= p (rule a))", Level::Lenient);
    assert!(typo.diagnostics.iter().any(|d| d.help.as_deref() == Some("did you mean 'role'?")), "{typo:?}");
}

#[test]
fn levels_have_names() {
    for (name, level) in Level::ALL {
        assert_eq!(name.parse(), Ok(level));
    }
    assert!("loose".parse::<Level>().is_err());
}

/// The public sheets with what a check at level GDL-II says of them. The reasons are those that
/// a list of malformed public sheets gives: arity clashes, 'next' in bodies, rules without conditions.
#[test]
fn public_sheets_are_judged_as_known() {
    use Code::{Arity, EmptyBody, Nested, NoChange, Placement, RandomUse};
    let Some(folder) = public_folder() else { return };
    let mut seen = 0;
    for entry in std::fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.extension().is_none_or(|e| e != "gdl") {
            continue;
        }
        seen += 1;
        let bytes = std::fs::read(&path).unwrap();
        let name = path.file_stem().unwrap().to_str().unwrap();
        let expected: &[Code] = match name {
            "mastermind" => &[Arity, RandomUse],
            "mastermind448" => &[Nested],
            "pennies" => &[Arity],
            "pick-small" => &[EmptyBody, NoChange],
            "transit" | "vis_pacman3p" => &[Placement],
            _ => &[],
        };
        let report = Report::of(&bytes, Level::GdlII);
        let mut codes: Vec<Code> = report.diagnostics.iter().map(|d| d.code).collect();
        codes.sort_unstable_by_key(|c| c.name());
        codes.dedup();
        let mut expected = expected.to_vec();
        expected.sort_unstable_by_key(|c| c.name());
        assert_eq!(codes, expected, "{name}");
        assert!(Report::of(&bytes, Level::Lenient).accepted(), "{name}");
        let gdl = ["8puzzle", "buttons", "hanoi", "roshambo2", "tictactoe"].contains(&name);
        assert_eq!(Report::of(&bytes, Level::Strict).accepted(), gdl, "{name}");

        let sheet = report.sheet.unwrap();
        let printed = print::sheet(&sheet);
        let again = Sheet::read(&printed).unwrap();
        assert_eq!(print::sheet(&again), printed, "{name}");
        assert_eq!(again.clauses.len(), sheet.clauses.len());
        let scrambling = Scrambling::new(&sheet, Seed(7));
        let scrambled = scrambling.sheet(&sheet);
        assert_eq!(Report::of(scrambled.as_bytes(), Level::Lenient).diagnostics.len(), {
            let warnings = Report::of(printed.as_bytes(), Level::Lenient);
            warnings.diagnostics.len()
        });
        let restored = Sheet::read(&scrambling.restore(&scrambled).unwrap()).unwrap();
        assert_eq!(print::sheet(&restored), printed, "{name}");
    }
    assert_eq!(seen, 17);
}

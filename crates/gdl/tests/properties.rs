//! Whatever the text, nothing panics; whatever is printed reads back.

mod common;

use common::{OWN, own_text};
use fogtree_core::{Purpose, Seed};
use fogtree_gdl::simulate::playout;
use fogtree_gdl::{Interpreter, Level, Limits, Reasoner, Report, Scrambling, Sheet, print};
use proptest::prelude::*;

/// Does with a text everything that is done with sheets.
fn survive(bytes: &[u8], seed: u64) {
    for (_, level) in Level::ALL {
        let report = Report::of(bytes, level);
        let json = report.json();
        assert_eq!(json["accepted"], report.accepted());
        let _ = report.render("x", seed.is_multiple_of(2));
    }
    let Ok(sheet) = Sheet::read_bytes(bytes) else { return };
    let printed = print::sheet(&sheet);
    let again = Sheet::read(&printed).expect("what is printed reads back");
    assert_eq!(print::sheet(&again), printed);
    let scrambling = Scrambling::new(&sheet, Seed(seed));
    let restored = scrambling.restore(&scrambling.sheet(&sheet)).expect("what is scrambled reads back");
    assert_eq!(print::sheet(&Sheet::read(&restored).expect("and is a sheet")), printed);
    let accepted = Report::of(bytes, Level::Lenient).accepted();
    let limits = Limits { steps: 200_000, atoms: 20_000, until: None };
    match Interpreter::new(&sheet, limits) {
        Ok(game) => {
            let mut rng = Seed(seed).stream(Purpose::Playout);
            if let Ok(played) = playout(&game, &mut rng, 20) {
                for role in 0..game.roles().len() {
                    let _ = game.goal(&played.last, role);
                }
            }
        }
        Err(fogtree_gdl::interpreter::BadSheet::Wrong(wrong)) => {
            assert!(!accepted, "accepted, but refused: {wrong:?}\n{printed}");
        }
        Err(fogtree_gdl::interpreter::BadSheet::Reasoner(_)) => {}
    }
}

#[test]
fn byte_order_marks_are_no_part_of_words() {
    for text in ["\u{feff}(role a)", "(role \u{feff}a)", " \u{feff}role", "a\u{feff}b", "\u{feff}\u{feff}"] {
        survive(text.as_bytes(), 1);
        if let Ok(sheet) = Sheet::read(text) {
            assert!(!print::sheet(&sheet).contains('\u{feff}'), "{text:?}");
        }
    }
}

/// A piece of a sheet, or something like it.
fn token() -> impl Strategy<Value = String> {
    let words = [
        "(",
        ")",
        "(",
        ")",
        " ",
        "\n",
        "(<= ",
        "<=",
        "not",
        "(not ",
        "(or ",
        "(and ",
        "(distinct ",
        "role",
        "(role ",
        "(init ",
        "(true ",
        "(does ",
        "(next ",
        "(legal ",
        "(goal ",
        "terminal",
        "(sees ",
        "random",
        "(base ",
        "?x",
        "?y",
        "a",
        "b",
        "f",
        "(f ",
        "(p ",
        "0",
        "100",
        ";",
        "; c\n",
        "é",
        "?",
        "\u{feff}",
        "(terminal)",
        "()",
    ];
    prop_oneof![9 => prop::sample::select(words.to_vec()).prop_map(str::to_string), 1 => ".{0,3}"]
}

/// A clause that has the form of one.
fn clause() -> impl Strategy<Value = String> {
    let term = prop::sample::select(&["a", "b", "0", "100", "?x", "?y", "random"][..])
        .prop_map(str::to_string)
        .prop_recursive(2, 6, 2, |inner| {
            (prop::sample::select(&["f", "g", "does"][..]), prop::collection::vec(inner, 1..3))
                .prop_map(|(f, args)| format!("({f} {})", args.join(" ")))
        });
    let relation =
        ["p", "q", "r", "role", "init", "true", "does", "next", "legal", "goal", "terminal", "sees"];
    let atom = (prop::sample::select(relation.to_vec()), prop::collection::vec(term.clone(), 0..3)).prop_map(
        |(relation, args)| match args.is_empty() {
            true => relation.to_string(),
            false => format!("({relation} {})", args.join(" ")),
        },
    );
    let literal = prop_oneof![
        6 => atom.clone(),
        1 => (term.clone(), term).prop_map(|(a, b)| format!("(distinct {a} {b})")),
    ]
    .prop_recursive(2, 8, 3, |inner| {
        prop_oneof![
            inner.clone().prop_map(|l| format!("(not {l})")),
            (prop::sample::select(&["or", "and"][..]), prop::collection::vec(inner, 1..3))
                .prop_map(|(op, all)| format!("({op} {})", all.join(" "))),
        ]
    });
    (atom, prop::collection::vec(literal, 0..4)).prop_map(|(head, body)| match body.is_empty() {
        true => head,
        false => format!("(<= {head} {})", body.join(" ")),
    })
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 300, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn any_bytes_are_survived(bytes in prop::collection::vec(any::<u8>(), 0..200), seed in any::<u64>()) {
        survive(&bytes, seed);
    }

    #[test]
    fn any_tokens_are_survived(tokens in prop::collection::vec(token(), 0..60), seed in any::<u64>()) {
        survive(tokens.concat().as_bytes(), seed);
    }

    #[test]
    fn any_clauses_are_survived(clauses in prop::collection::vec(clause(), 0..12), seed in any::<u64>()) {
        survive(format!("(role a)\n{}", clauses.join("\n")).as_bytes(), seed);
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 120, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn mutated_sheets_are_survived(
        which in 0..OWN.len(),
        cuts in prop::collection::vec((any::<prop::sample::Index>(), 0..12_usize, token()), 1..5),
        seed in any::<u64>(),
    ) {
        let mut bytes = own_text(OWN[which]).into_bytes();
        for (at, length, token) in cuts {
            let start = at.index(bytes.len());
            let end = (start + length).min(bytes.len());
            bytes.splice(start..end, token.into_bytes());
        }
        survive(&bytes, seed);
    }

    #[test]
    fn sheets_without_or_with_repeated_clauses_are_survived(
        which in 0..OWN.len(),
        picks in prop::collection::vec((any::<prop::sample::Index>(), any::<bool>()), 1..6),
        seed in any::<u64>(),
    ) {
        let sheet = Sheet::read(&own_text(OWN[which])).unwrap();
        let mut lines: Vec<String> = sheet.clauses.iter().map(|c| print::clause(c, &sheet.symbols)).collect();
        for (at, drop) in picks {
            let at = at.index(lines.len());
            if drop {
                lines.remove(at);
            } else {
                lines.push(lines[at].clone());
            }
        }
        survive(lines.join("\n").as_bytes(), seed);
    }
}

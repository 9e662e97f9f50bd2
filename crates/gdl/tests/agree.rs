//! The interpreter and the compiled reasoner, which share only the parsed sheet, against each other by random play.

mod common;

use common::{OWN, own_text, public_folder};
use fogtree_core::{Purpose, Seed};
use fogtree_gdl::compare::compare;
use fogtree_gdl::propnet::Budget;
use fogtree_gdl::{Interpreter, Limits, Propnet, Sheet};

/// Plays both side by side; answers whether the sheet could be compiled within the budget.
#[track_caller]
fn agree(name: &str, text: &str, games: usize, limit: usize) -> bool {
    let sheet = Sheet::read(text).unwrap_or_else(|wrong| panic!("{name}: {wrong:?}"));
    let interpreter = Interpreter::new(&sheet, Limits::default()).unwrap();
    let budget = Budget { instances: 200_000, ..Budget::default() };
    let compiled = match Propnet::with_terms(&sheet, interpreter.shared_terms(), &budget) {
        Ok(compiled) => compiled,
        Err(refusal) => {
            assert!(refusal.is_budget(), "{name}: {refusal}");
            return false;
        }
    };
    let mut rng = Seed(9).stream(Purpose::Playout);
    match compare(&interpreter, &compiled, games, limit, &mut rng) {
        Ok(compared) => assert!(compared.steps > 0, "{name}"),
        Err(difference) => panic!("{name}: {difference}"),
    }
    true
}

#[test]
fn both_reasoners_play_every_sheet_of_ours_alike() {
    for name in OWN {
        assert!(agree(name, &own_text(name), 5, 200), "{name} is not compiled");
    }
}

/// The sheets in the folder that the environment names, if it does; those too large to compile are left to the interpreter.
#[test]
fn both_reasoners_play_public_sheets_alike() {
    let Some(folder) = public_folder() else { return };
    for entry in std::fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.extension().is_some_and(|e| e == "gdl") {
            let text = String::from_utf8_lossy(&std::fs::read(&path).unwrap()).into_owned();
            agree(&path.display().to_string(), &text, 3, 100);
        }
    }
}

/// A rule that one of them does not know is noticed.
#[test]
fn a_fault_in_either_is_noticed() {
    let text = own_text("tic-tac-toe");
    let whole = Sheet::read(&text).unwrap();
    let next = |clause: &&fogtree_gdl::sheet::Clause| clause.head.relation == fogtree_gdl::Symbol::NEXT;
    let faulty = {
        let dropped = whole.clauses.iter().position(|clause| next(&clause)).expect("there is a next rule");
        let mut sheet = whole.clone();
        sheet.clauses.remove(dropped);
        sheet
    };
    let mut rng = Seed(9).stream(Purpose::Playout);
    for (one, other) in [(&whole, &faulty), (&faulty, &whole)] {
        let interpreter = Interpreter::new(one, Limits::default()).unwrap();
        let compiled = Propnet::with_terms(other, interpreter.shared_terms(), &Budget::default()).unwrap();
        assert!(compare(&interpreter, &compiled, 20, 50, &mut rng).is_err());
    }
}

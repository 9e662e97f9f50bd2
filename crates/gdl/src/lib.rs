//! Games from their rule sheets.
//!
//! A game written in GDL or GDL-II is a text. [`read`] turns text into expressions, [`sheet`] expressions into
//! clauses, [`normal`] clauses into plain rules; [`mod@check`] says whether they keep to the language and [`report`]
//! shows what does not. A [`reasoner`] then answers what is legal, what follows, who sees what, and who has won; the
//! [`interpreter`] is one, the compiled [`propnet`] another, and [`mod@compare`] plays both side by side. [`wellformed`]
//! and [`knowable`] look at the game itself: whether it ends, can be played and won, and whether everybody knows what
//! is legal. [`game`] makes it a game like any other, [`belief`] keeps track of what a role holds possible.
//!
//! ```
//! use fogtree_gdl::{Interpreter, Level, Limits, Reasoner, Report};
//!
//! let text = b"(role p) (init (count 0)) (succ 0 1) (succ 1 2)
//!     (<= (legal p (to ?y)) (true (count ?x)) (succ ?x ?y))
//!     (<= (next (count ?y)) (does p (to ?y)))
//!     (<= terminal (true (count 2)))
//!     (<= (goal p 100) terminal) (<= (goal p 0) (not terminal))";
//! let report = Report::of(text, Level::Strict);
//! assert!(report.accepted(), "{}", report.render("count", false));
//!
//! let game = Interpreter::new(&report.sheet.unwrap(), Limits::default()).unwrap();
//! let mut state = game.initial().unwrap();
//! let mut moves = Vec::new();
//! while !game.terminal(&state).unwrap() {
//!     game.legal(&state, 0, &mut moves).unwrap();
//!     state = game.next(&state, &moves).unwrap();
//! }
//! assert_eq!(game.goal(&state, 0), Ok(100));
//! ```

pub mod any_reasoner;
pub mod belief;
pub mod check;
pub mod compare;
pub mod depend;
pub mod diagnostic;
pub mod explore;
pub mod game;
pub mod interpreter;
pub mod knowable;
pub mod normal;
pub mod print;
pub mod propnet;
pub mod read;
pub mod reasoner;
pub mod report;
pub mod scramble;
pub mod sheet;
pub mod simulate;
pub mod symbol;
pub mod term;
pub mod wellformed;

pub use any_reasoner::{AnyReasoner, Choice};
pub use check::{Level, check};
pub use diagnostic::{Code, Diagnostic, Position, Severity, Span};
pub use game::GdlGame;
pub use interpreter::Interpreter;
pub use propnet::Propnet;
pub use reasoner::{Limits, Reasoner, ReasonerError};
pub use report::Report;
pub use scramble::Scrambling;
pub use sheet::Sheet;
pub use symbol::{Symbol, Symbols};
pub use term::{Term, TermId, Terms, Variable};

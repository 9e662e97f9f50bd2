//! A rule sheet as a game like any other.
//!
//! The roles of a sheet are the players, in the order in which the sheet names them; `random` is chance. A joint move
//! is one step if only players, or only chance, have more than one legal move. If both have, the players choose first
//! and chance completes the joint move in a step of its own; nobody sees anything before it is complete, so neither
//! depends on the other. Who has a single legal move is not asked. A joint move in which nobody has a choice is made by
//! chance, with a single outcome: whether somebody else has a choice may be a secret, so it must look like any other.
//! In plain GDL, where nothing is secret, it is made together with the joint move before.
//!
//! What a player sees of a step is what it perceives of the joint move that the step completes; perceiving nothing is
//! seen, too, because everybody can count joint moves. In plain GDL everybody sees all moves. The public sees all
//! moves or, where there are percepts, that moves were made. Goals of 0 to 100 are rewards of 0 to 1.
//!
//! Information sets depend on what happened, not only on the state, so [`GdlGame`] has the rules and
//! [`GdlGame::tracked`] makes them a game with information sets: exact ones while they are small, found one world at a
//! time when they are large.
//!
//! ```
//! use fogtree_core::{Game, Notation, Observer, Player, Rules, Step, Turn};
//! use fogtree_gdl::game::{Options, load};
//!
//! let pennies = "(role even) (role odd) (side heads) (side tails)
//!     (<= (legal ?p ?s) (role ?p) (side ?s))
//!     (<= (next (shows ?p ?s)) (does ?p ?s))
//!     (<= terminal (true (shows even ?s)))
//!     (<= same (true (shows even ?s)) (true (shows odd ?s)))
//!     (<= (goal even 100) same) (<= (goal odd 100) (not same))
//!     (<= (goal even 0) (not same)) (<= (goal odd 0) same)";
//! let game = load(pennies, &Options::default()).unwrap().tracked();
//! assert_eq!((game.facts().players, game.facts().simultaneous, game.facts().max_length), (2, true, 1));
//!
//! let mut state = game.start();
//! let heads = game.parse_action("heads").unwrap();
//! let moves = [(Player(0), heads), (Player(1), heads)];
//! game.apply(&mut state, Step::Moves(&moves));
//! assert_eq!(game.turn(&state), Turn::Terminal);
//! assert_eq!(game.rewards(&state).as_slice(), [1.0, 0.0]);
//! let view = game.view(&game.info(&state, Observer::Seat(Player(0))));
//! assert!(view.contains("even gets 100 of 100"), "{view}");
//! ```
//!
//! # What cannot go wrong, and what can
//!
//! Rules answer every question, but a [`Reasoner`] may have no answer. Loading a sheet therefore looks at all its
//! states if they are few, and else at random matches, and refuses sheets in which a role is stuck, has no goal in the
//! end, or cannot know what is legal. What shows only in matches that were not looked at ends the match where it
//! happens: [`GdlState::broken`] says why, and rewards are the goals that the rules have there, 0 for who has none.

mod about;
mod matches;
mod options;
mod position;
mod rules;
mod scene;
mod study;
mod words;

use std::sync::{Arc, OnceLock};

use fogtree_core::{Event, Facts, MAX_PLAYERS, Method, Observation, Tracked};
use rustc_hash::FxHashMap;

pub use about::{ABOUT, OWN, from_params};
pub use matches::NoMatch;
pub use options::{Options, Unplayable};
use position::Now;
pub use position::{Broken, GdlState, Move};

use crate::any_reasoner::AnyReasoner;
use crate::belief::Step;
use crate::interpreter::Interpreter;
use crate::reasoner::Reasoner;
use crate::report::Report;
use crate::sheet::Sheet;
use crate::term::{TermId, Terms};
use words::Alphabet;

/// The rules of a sheet, answered by a reasoner. See the [module](self).
#[derive(Debug)]
pub struct GdlGame<R: Reasoner> {
    reasoner: R,
    alphabet: Alphabet,
    /// Whether everybody sees every move.
    open: bool,
    /// The role of every seat.
    seats: Vec<usize>,
    random: Option<usize>,
    /// The most joint moves of a match, if the rules alone may not end it.
    limit: Option<u32>,
    /// All moves of players and all moves of chance, if they are known.
    vocabularies: Option<[Vocabulary; 2]>,
    /// The moves that are known beforehand, whether or not their codes are places: those of players and of chance.
    known: [FxHashMap<TermId, Move>; 2],
    start: GdlState<R::State>,
    /// What follows where the rules end a match.
    over: Arc<Now<R::State>>,
    facts: Facts,
    method: Method,
    /// The spots that are touched to make a move, found when somebody first asks.
    touches: OnceLock<FxHashMap<TermId, Vec<String>>>,
}

/// Moves that are known beforehand: their codes are their places in the order of terms.
#[derive(Clone, Debug, Default)]
struct Vocabulary {
    by_name: FxHashMap<String, Move>,
    names: Vec<String>,
}

impl Vocabulary {
    fn of(terms: &Terms, alphabet: &Alphabet, mut moves: Vec<TermId>) -> Vocabulary {
        terms.sort(&mut moves);
        let mut all = Vocabulary::default();
        for (code, term) in (0..).zip(moves) {
            let name = alphabet.name(terms, term);
            all.by_name.insert(name.clone(), Move { code, term });
            all.names.push(name);
        }
        all
    }
}

/// The game of a sheet, with the interpreter as its reasoner.
pub fn load(text: &str, options: &Options) -> Result<GdlGame<Interpreter>, Unplayable> {
    let report = Report::of(text.as_bytes(), options.level);
    let accepted = report.accepted();
    match &report.sheet {
        Some(sheet) if accepted => GdlGame::new(sheet, Interpreter::new(sheet, options.limits)?, options),
        _ => Err(Unplayable::Sheet(Box::new(report))),
    }
}

/// The game of a sheet, compiled if that is possible within the bounds of the options and interpreted otherwise.
pub fn load_fastest(text: &str, options: &Options) -> Result<GdlGame<AnyReasoner>, Unplayable> {
    let report = Report::of(text.as_bytes(), options.level);
    let accepted = report.accepted();
    match &report.sheet {
        Some(sheet) if accepted => GdlGame::fastest(sheet, options),
        _ => Err(Unplayable::Sheet(Box::new(report))),
    }
}

impl GdlGame<AnyReasoner> {
    /// The game of a sheet, compiled if that is possible within the bounds of the options and interpreted otherwise.
    pub fn fastest(sheet: &Sheet, options: &Options) -> Result<GdlGame<AnyReasoner>, Unplayable> {
        let reasoner = AnyReasoner::new(sheet, options.reasoner, &options.compiling, options.limits)?;
        let mut game = GdlGame::new(sheet, reasoner, options)?;
        game.reasoner.take_time();
        Ok(game)
    }
}

impl<R: Reasoner + 'static> GdlGame<R> {
    /// The game of a sheet, with a reasoner of that sheet.
    pub fn new(sheet: &Sheet, reasoner: R, options: &Options) -> Result<GdlGame<R>, Unplayable> {
        let random = reasoner.random_role();
        let seats: Vec<usize> = (0..reasoner.roles().len()).filter(|&role| Some(role) != random).collect();
        if seats.is_empty() || seats.len() > MAX_PLAYERS {
            return Err(Unplayable::Players(seats.len()));
        }
        study::game(sheet, reasoner, seats, random, options)
    }

    /// The game with information sets, found by the method of the options.
    pub fn tracked(self) -> Tracked<GdlGame<R>> {
        let method = self.method;
        Tracked::new(self, method)
    }

    /// The reasoner.
    pub fn reasoner(&self) -> &R {
        &self.reasoner
    }

    /// The role of every seat, by its number in the sheet.
    pub fn roles_of_seats(&self) -> &[usize] {
        &self.seats
    }

    /// The most joint moves of a match, if the rules are not known to end it before.
    pub fn step_limit(&self) -> Option<u32> {
        self.limit
    }

    /// The position of a match in this state of the sheet, after so many joint moves.
    pub fn position_after(&self, fluents: R::State, joint_moves: u32) -> GdlState<R::State> {
        self.stand(fluents, if self.limit.is_some() { joint_moves } else { 0 })
    }

    /// What a role has done and seen, as this game tells it, in a match that somebody else conducts. `None` if it is
    /// not settled what the role did.
    pub fn events_of(&self, history: &[Step]) -> Option<Vec<Event>> {
        history.iter().all(|step| step.own().is_some()).then_some(())?;
        let mut events = Vec::new();
        // Forced joint moves are seen together with the one before them, if there is one.
        for steps in history.chunk_by(|_, next| next.forced).filter(|steps| !steps[0].forced) {
            if steps[0].choice {
                events.push(Event::Own(self.move_of(false, steps[0].own()?).code));
            }
            events.push(Event::Seen(self.spelled(steps.iter().map(|step| &step.percepts[..]))));
        }
        Some(events)
    }

    /// What was perceived, or in plain GDL done, if this was seen. Of what nobody can have seen, what can be read.
    pub fn percepts_of(&self, seen: &Observation) -> Vec<TermId> {
        let terms = self.reasoner.terms();
        let steps = self.alphabet.read(terms.symbols(), seen.as_words());
        steps.iter().flatten().filter_map(|name| self.alphabet.parse(terms, name)).collect()
    }

    /// A player's move, or chance's, if that is the role's part.
    fn move_of(&self, chance: bool, term: TermId) -> Move {
        let known = self.known[usize::from(chance)].get(&term);
        known.copied().unwrap_or_else(|| Move { code: self.alphabet.code(self.reasoner.terms(), term), term })
    }

    /// The name of any term, as moves are named.
    pub fn name(&self, term: TermId) -> String {
        self.alphabet.name(self.reasoner.terms(), term)
    }
}

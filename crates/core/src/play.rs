//! Checked play: steps from outside (people, files, agents) are tested before they are made.
//!
//! [`Rules::apply`] trusts its caller; everything that comes over an edge goes through [`play`] or
//! [`Line::play`] instead, which leave the state untouched when a step is not legal and say what is.

use crate::history::Keys;
use crate::spec::{nearest_few, shortened};
use crate::{Notation, Observer, Player, Rng, Rules, Step, Turn};

/// A complete step that owns its moves.
#[derive(Debug)]
pub enum Ply<R: Rules> {
    /// What chance drew.
    Chance(R::Outcome),
    /// What each player to move chose, in seat order.
    Moves(Vec<(Player, R::Action)>),
}

impl<R: Rules> Clone for Ply<R> {
    fn clone(&self) -> Self {
        match self {
            Ply::Chance(outcome) => Ply::Chance(outcome.clone()),
            Ply::Moves(moves) => Ply::Moves(moves.clone()),
        }
    }
}

impl<R: Rules> Ply<R> {
    /// This step as the rules take it.
    pub fn step(&self) -> Step<'_, R> {
        match self {
            Ply::Chance(outcome) => Step::Chance(outcome),
            Ply::Moves(moves) => Step::Moves(moves),
        }
    }
}

impl<R: Notation> Ply<R> {
    /// The names of what was drawn or chosen, in seat order.
    pub fn names(&self, rules: &R) -> Vec<String> {
        match self {
            Ply::Chance(outcome) => vec![rules.outcome_name(outcome)],
            Ply::Moves(moves) => moves.iter().map(|&(_, a)| rules.action_name(a)).collect(),
        }
    }
}

/// Why a step cannot be made.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum IllegalStep {
    /// The game has ended.
    #[error("the game is over: no move can follow")]
    Over,
    /// Chance was to draw and players moved, or the other way round.
    #[error("{} to move now", if *.chance { "it is chance's turn, not a player's," } else { "it is a player's turn, not chance's," })]
    WrongKind {
        /// Whether chance is to draw.
        chance: bool,
    },
    /// Moves of other players than those to move.
    #[error("players {expected:?} are to move, not {got:?}")]
    WrongPlayers {
        /// The seats to move.
        expected: Vec<u8>,
        /// The seats that moved.
        got: Vec<u8>,
    },
    /// The player may not do this now.
    #[error("player {player} may not play '{name}' now; {}", suggestion(.name, .legal))]
    Action {
        /// The seat.
        player: u8,
        /// The action's name.
        name: String,
        /// The names of the legal actions.
        legal: Vec<String>,
    },
    /// What was typed may be one of several moves.
    #[error("'{name}' may be {}: which one does player {player} play?", alternatives(.candidates))]
    Ambiguous {
        /// The seat.
        player: u8,
        /// What was typed.
        name: String,
        /// The names it may stand for.
        candidates: Vec<String>,
    },
    /// Chance cannot draw this now.
    #[error("chance cannot draw '{name}' now{}", if .possible.is_empty() { String::new() } else { format!("; possible: {}", list(.possible)) })]
    Outcome {
        /// The outcome's name.
        name: String,
        /// The names of the possible outcomes, where they can be listed.
        possible: Vec<String>,
    },
    /// Some players' moves are missing at the end of a move list.
    #[error(
        "the move list ends in the middle of a simultaneous turn: {got} of {expected} moves given; \
         give one move for each of the players {players:?}, in this order"
    )]
    Cut {
        /// The moves needed.
        expected: usize,
        /// The moves given.
        got: usize,
        /// The seats to move.
        players: Vec<u8>,
    },
}

/// So many names are shown at most.
const SHOWN: usize = 40;

/// What may be played instead of a word: all that is legal, or where that is much, what is most like it.
pub fn suggestion(word: &str, legal: &[String]) -> String {
    if legal.len() <= SHOWN {
        return format!("legal: {}", list(legal));
    }
    let near = nearest_few(word, legal.iter().map(String::as_str));
    format!("did you mean {}? {} moves are legal", alternatives(&near), legal.len())
}

/// `a, b or c`.
fn alternatives(names: &[String]) -> String {
    match names.split_last() {
        Some((last, rest)) if !rest.is_empty() && names.len() <= SHOWN => {
            format!("{} or {last}", rest.join(", "))
        }
        _ => list(names),
    }
}

fn list(names: &[String]) -> String {
    let mut text = names.iter().take(SHOWN).map(String::as_str).collect::<Vec<_>>().join(" ");
    if names.len() > SHOWN {
        text.push_str(&format!(" and {} more", names.len() - SHOWN));
    }
    text
}

fn seats(players: impl Iterator<Item = Player>) -> Vec<u8> {
    players.map(|p| p.0).collect()
}

/// Whether a step may be made in this state.
pub fn check<R: Notation>(rules: &R, state: &R::State, step: Step<'_, R>) -> Result<(), IllegalStep> {
    let turn = rules.turn(state);
    match (turn, step) {
        (Turn::Terminal, _) => Err(IllegalStep::Over),
        (Turn::Chance, Step::Moves(_)) => Err(IllegalStep::WrongKind { chance: true }),
        (Turn::Player(_) | Turn::Simultaneous(_), Step::Chance(_)) => {
            Err(IllegalStep::WrongKind { chance: false })
        }
        (Turn::Chance, Step::Chance(outcome)) => {
            if rules.is_possible(state, outcome) {
                Ok(())
            } else {
                Err(impossible(rules, state, rules.outcome_name(outcome)))
            }
        }
        (Turn::Player(_) | Turn::Simultaneous(_), Step::Moves(moves)) => {
            if !moves.iter().map(|m| m.0).eq(turn.players().iter()) {
                return Err(IllegalStep::WrongPlayers {
                    expected: seats(turn.players().iter()),
                    got: seats(moves.iter().map(|m| m.0)),
                });
            }
            let mut legal = Vec::new();
            for &(p, action) in moves {
                legal.clear();
                rules.actions(state, p, &mut legal);
                if !legal.contains(&action) {
                    return Err(illegal(rules, &legal, p, rules.action_name(action)));
                }
            }
            Ok(())
        }
    }
}

/// Makes a step if it is legal; otherwise the state is untouched.
pub fn play<R: Notation>(rules: &R, state: &mut R::State, step: Step<'_, R>) -> Result<(), IllegalStep> {
    check(rules, state, step)?;
    rules.apply(state, step);
    Ok(())
}

fn illegal<R: Notation>(rules: &R, legal: &[R::Action], player: Player, name: String) -> IllegalStep {
    let legal = legal.iter().map(|&a| rules.action_name(a)).collect();
    IllegalStep::Action { player: player.0, name, legal }
}

fn impossible<R: Notation>(rules: &R, state: &R::State, name: String) -> IllegalStep {
    let mut listed = Vec::new();
    rules.chance(state, &mut listed);
    IllegalStep::Outcome { name, possible: listed.iter().map(|(o, _)| rules.outcome_name(o)).collect() }
}

/// Reads the words of the next step: one for chance or a single player, one per player for a simultaneous
/// turn, in seat order. `None` if there are no more words. The step is legal.
pub fn read_ply<'a, R: Notation>(
    rules: &R,
    state: &R::State,
    words: &mut impl Iterator<Item = &'a str>,
) -> Result<Option<Ply<R>>, IllegalStep> {
    let Some(first) = words.next() else { return Ok(None) };
    let turn = rules.turn(state);
    if turn == Turn::Terminal {
        return Err(IllegalStep::Over);
    }
    if turn == Turn::Chance {
        return match rules.parse_outcome(first).filter(|o| rules.is_possible(state, o)) {
            Some(outcome) => Ok(Some(Ply::Chance(outcome))),
            None => Err(impossible(rules, state, shortened(first))),
        };
    }
    let players = turn.players();
    let mut moves = Vec::with_capacity(players.len());
    let mut legal = Vec::new();
    for p in players.iter() {
        let word = if moves.is_empty() { Some(first) } else { words.next() };
        let Some(word) = word else {
            return Err(IllegalStep::Cut {
                expected: players.len(),
                got: moves.len(),
                players: seats(players.iter()),
            });
        };
        legal.clear();
        rules.actions(state, p, &mut legal);
        match rules.parse_action(word).filter(|a| legal.contains(a)) {
            Some(action) => moves.push((p, action)),
            None => return Err(illegal(rules, &legal, p, shortened(word))),
        }
    }
    Ok(Some(Ply::Moves(moves)))
}

/// A game as it was played so far: every step, the state and the keys reached.
#[derive(Debug)]
pub struct Line<R: Rules> {
    state: R::State,
    keys: Keys,
    plies: Vec<Ply<R>>,
}

impl<R: Rules> Clone for Line<R> {
    fn clone(&self) -> Self {
        Line { state: self.state.clone(), keys: self.keys, plies: self.plies.clone() }
    }
}

impl<R: Rules> Line<R> {
    /// A game that has just started.
    pub fn start(rules: &R) -> Line<R> {
        Line { state: rules.start(), keys: Keys::start(rules.facts().players), plies: Vec::new() }
    }

    /// The state reached.
    pub fn state(&self) -> &R::State {
        &self.state
    }

    /// The keys of all observers.
    pub fn keys(&self) -> &Keys {
        &self.keys
    }

    /// The steps made.
    pub fn plies(&self) -> &[Ply<R>] {
        &self.plies
    }

    /// The key of one observer.
    pub fn key(&self, by: Observer) -> crate::Key {
        self.keys.of(by)
    }
}

impl<R: Notation> Line<R> {
    /// Makes a step if it is legal; otherwise nothing changes.
    pub fn play(&mut self, rules: &R, ply: Ply<R>) -> Result<(), IllegalStep> {
        check(rules, &self.state, ply.step())?;
        self.keys = self.keys.after(rules, &self.state, ply.step());
        rules.apply(&mut self.state, ply.step());
        self.plies.push(ply);
        Ok(())
    }

    /// Reads and makes steps until the words run out; on error the steps before it stand.
    pub fn play_words<'a>(
        &mut self,
        rules: &R,
        words: impl IntoIterator<Item = &'a str>,
    ) -> Result<(), IllegalStep> {
        let mut words = words.into_iter();
        while let Some(ply) = read_ply(rules, &self.state, &mut words)? {
            self.play(rules, ply)?;
        }
        Ok(())
    }

    /// Lets chance draw as long as it is its turn.
    pub fn draw(&mut self, rules: &R, rng: &mut Rng) {
        while rules.turn(&self.state) == Turn::Chance {
            let outcome = rules.sample_chance(&self.state, rng);
            self.play(rules, Ply::Chance(outcome)).expect("chance draws what is possible");
        }
    }

    /// The names of everything played, in order.
    pub fn names(&self, rules: &R) -> Vec<String> {
        self.plies.iter().flat_map(|ply| ply.names(rules)).collect()
    }
}

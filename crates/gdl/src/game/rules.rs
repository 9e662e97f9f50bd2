//! The rules of a sheet as the framework asks for them.

use std::sync::{Arc, Mutex, PoisonError};

use fogtree_core::{Facts, Observer, Player, Players, Rewards, Rng, Rules, Seen, Step, Turn};
use smallvec::{SmallVec, smallvec};

use super::GdlGame;
use super::position::{Broken, GdlState, Joint, Move, Now, Ready};
use super::words::{STEP, Spelling};
use crate::reasoner::Reasoner;

/// What a state of the sheet asks for.
enum Look<S> {
    /// Somebody's choice, or nothing more: the match is over.
    Stop(Arc<Now<S>>),
    /// A joint move in which nobody has a choice and that everybody sees.
    Forced(Joint),
}

pub(super) fn over<S>(broken: Option<Broken>) -> Arc<Now<S>> {
    Arc::new(Now {
        turn: Turn::Over,
        joint: Joint::new(),
        legal: Vec::new(),
        chance: Arc::default(),
        broken,
        ready: Mutex::new(None),
    })
}

impl<R: Reasoner + 'static> GdlGame<R> {
    fn look(&self, fluents: &R::State, made: u32) -> Look<R::State> {
        self.try_look(fluents, made).unwrap_or_else(|broken| Look::Stop(over(Some(broken))))
    }

    fn try_look(&self, fluents: &R::State, made: u32) -> Result<Look<R::State>, Broken> {
        if self.reasoner.terminal(fluents)? {
            return Ok(Look::Stop(over(None)));
        }
        if let Some(limit) = self.limit
            && made >= limit
        {
            return Err(Broken::TooLong(limit));
        }
        let mut joint = Joint::new();
        let mut legal = vec![Vec::new(); self.seats.len()];
        let mut chance = Vec::new();
        let (mut seat, mut players, mut moves) = (0, Players::default(), Vec::new());
        for role in 0..self.reasoner.roles().len() {
            self.reasoner.legal(fluents, role, &mut moves)?;
            let Some(&first) = moves.first() else {
                return Err(Broken::Stuck { role: self.name(self.reasoner.roles()[role]) });
            };
            joint.push(first);
            let random = self.random == Some(role);
            if moves.len() > 1 {
                let list = if random { &mut chance } else { &mut legal[seat] };
                list.extend(moves.iter().map(|&term| self.move_of(random, term)));
                list.sort_unstable();
                if !random {
                    players = players.with(Player(seat as u8));
                }
            }
            seat += usize::from(!random);
        }
        let turn = match players.iter().next() {
            Some(only) if players.len() == 1 => Turn::Player(only),
            Some(_) => Turn::Together(players),
            None if !chance.is_empty() => Turn::Chance,
            None if self.open => return Ok(Look::Forced(joint)),
            None => {
                chance.push(self.move_of(true, joint[self.random.unwrap_or(0)]));
                Turn::Chance
            }
        };
        let ready = Mutex::new(None);
        let chance = chance.into();
        Ok(Look::Stop(Arc::new(Now { turn, joint, legal, chance, broken: None, ready })))
    }

    fn position(&self, fluents: R::State, made: u32, now: Arc<Now<R::State>>) -> GdlState<R::State> {
        GdlState { fluents, chosen: Joint::new(), made, now }
    }

    /// Where a match begins: after all joint moves that are forced.
    pub(super) fn beginning(&self, fluents: R::State) -> GdlState<R::State> {
        match self.look(&fluents, 0) {
            Look::Stop(now) => self.position(fluents, 0, now),
            Look::Forced(joint) => self.advance(&fluents, 0, joint).after,
        }
    }

    /// Makes a joint move and all those after it that are forced.
    fn advance(&self, fluents: &R::State, mut made: u32, joint: Joint) -> Ready<R::State> {
        let mut path: SmallVec<[(R::State, Joint); 1]> = smallvec![(fluents.clone(), joint)];
        let after = loop {
            let (before, joint) = &path[path.len() - 1];
            let next = match self.reasoner.next(before, joint) {
                Ok(next) => next,
                Err(trouble) => break self.position(before.clone(), made, over(Some(trouble.into()))),
            };
            made += u32::from(self.limit.is_some());
            match self.look(&next, made) {
                Look::Stop(now) => break self.position(next, made, now),
                Look::Forced(joint) => path.push((next, joint)),
            }
        };
        Ready { path, after, seen: smallvec![None; self.reasoner.roles().len()] }
    }

    /// The joint move of a step, `random`'s part of it open if it comes later.
    fn joint(&self, before: &GdlState<R::State>, step: Step<'_, Self>) -> Joint {
        let mut joint = before.now.joint.clone();
        match step {
            Step::Chance(outcome) => {
                if let Some(place) = self.random.and_then(|role| joint.get_mut(role)) {
                    *place = outcome.term;
                }
            }
            Step::Moves(moves) => {
                for &(p, action) in moves {
                    joint[self.seats[p.index()]] = action.term;
                }
            }
        }
        joint
    }

    /// Whether a step completes a joint move; otherwise chance is still to do so.
    fn completes(before: &GdlState<R::State>, step: Step<'_, Self>) -> bool {
        matches!(step, Step::Chance(_)) || before.now.chance.is_empty()
    }

    /// What follows a step that completes a joint move, found now or when it was asked for the last time.
    fn with_ready<T>(
        &self,
        before: &GdlState<R::State>,
        joint: Joint,
        f: impl FnOnce(&mut Option<Ready<R::State>>, &dyn Fn() -> Ready<R::State>) -> T,
    ) -> T {
        let mut ready = before.now.ready.lock().unwrap_or_else(PoisonError::into_inner);
        ready.take_if(|ready| ready.path[0].1 != joint);
        f(&mut ready, &|| self.advance(&before.fluents, before.made, joint.clone()))
    }

    /// What a role perceives along a path.
    fn perceived(&self, path: &[(R::State, Joint)], role: usize) -> Seen {
        let mut spelling = Spelling::new();
        let mut percepts = Vec::new();
        for (state, joint) in path {
            if self.open {
                joint.iter().for_each(|&m| self.alphabet.spell(self.reasoner.terms(), m, &mut spelling));
            } else if self.reasoner.percepts(state, joint, role, &mut percepts).is_ok() {
                percepts.iter().for_each(|&p| self.alphabet.spell(self.reasoner.terms(), p, &mut spelling));
            }
            spelling.push(STEP);
        }
        Seen::words(&self.alphabet.pack(&spelling))
    }

    /// All that everybody sees along a path: in plain GDL everything, else that joint moves were made.
    fn public(&self, path: &[(R::State, Joint)]) -> Seen {
        if self.open {
            return self.perceived(path, self.seats[0]);
        }
        let steps: Spelling = path.iter().map(|_| STEP).collect();
        Seen::words(&self.alphabet.pack(&steps))
    }
}

impl<R: Reasoner + 'static> Rules for GdlGame<R> {
    type State = GdlState<R::State>;
    type Action = Move;
    type Outcome = Move;

    fn facts(&self) -> Facts {
        self.facts.clone()
    }

    fn start(&self) -> Self::State {
        self.start.clone()
    }

    #[inline]
    fn turn(&self, state: &Self::State) -> Turn {
        state.now.turn
    }

    #[inline]
    fn actions(&self, state: &Self::State, who: Player, out: &mut Vec<Move>) {
        out.extend(state.now.legal.get(who.index()).into_iter().flatten());
    }

    fn chance(&self, state: &Self::State, out: &mut Vec<(Move, f64)>) {
        if state.now.turn == Turn::Chance {
            let share = 1.0 / state.now.chance.len() as f64;
            out.extend(state.now.chance.iter().map(|&outcome| (outcome, share)));
        }
    }

    fn sample_chance(&self, state: &Self::State, rng: &mut Rng) -> Move {
        *rng.pick(&state.now.chance)
    }

    fn is_possible(&self, state: &Self::State, outcome: &Move) -> bool {
        state.now.turn == Turn::Chance && state.now.chance.binary_search(outcome).is_ok()
    }

    fn apply(&self, state: &mut Self::State, step: Step<'_, Self>) {
        let joint = self.joint(state, step);
        if Self::completes(state, step) {
            *state =
                self.with_ready(state, joint, |ready, advance| ready.take().unwrap_or_else(advance).after);
            return;
        }
        state.chosen = joint.clone();
        state.now = Arc::new(Now {
            turn: Turn::Chance,
            joint,
            legal: Vec::new(),
            chance: Arc::clone(&state.now.chance),
            broken: None,
            ready: Mutex::new(None),
        });
    }

    fn observe(&self, before: &Self::State, step: Step<'_, Self>, by: Observer) -> Option<Seen> {
        if !Self::completes(before, step) {
            return None;
        }
        let joint = self.joint(before, step);
        self.with_ready(before, joint, |ready, advance| {
            let Ready { path, seen, .. } = ready.get_or_insert_with(advance);
            match by {
                Observer::Public => Some(self.public(path)),
                Observer::Seat(p) => {
                    let role = self.seats[p.index()];
                    Some(seen[role].get_or_insert_with(|| self.perceived(path, role)).clone())
                }
            }
        })
    }

    fn rewards(&self, state: &Self::State) -> Rewards {
        let goal = |p: Player| self.reasoner.goal(&state.fluents, self.seats[p.index()]).unwrap_or(0);
        Rewards::from_fn(self.seats.len(), |p| f64::from(goal(p)) / 100.0)
    }

    #[inline]
    fn code(&self, action: Move) -> u64 {
        action.code
    }

    fn codes(&self) -> Option<usize> {
        self.vocabularies.as_ref().map(|v| v[0].names.len()).filter(|&n| n <= 4096)
    }

    fn action_name(&self, action: Move) -> String {
        self.name(action.term)
    }

    fn parse_action(&self, name: &str) -> Option<Move> {
        self.parse(false, name)
    }

    fn outcome_name(&self, outcome: &Move) -> String {
        self.name(outcome.term)
    }

    fn parse_outcome(&self, name: &str) -> Option<Move> {
        self.parse(true, name)
    }

    fn code_name(&self, code: u64) -> Option<String> {
        match &self.vocabularies {
            Some(all) => all[0].names.get(usize::try_from(code).ok()?).cloned(),
            None => self.alphabet.name_of_code(self.reasoner.terms().symbols(), code),
        }
    }

    /// What was perceived of each joint move, one line each.
    fn explain(&self, seen: &Seen, _by: Observer) -> String {
        let roles = self.reasoner.roles();
        let steps = self.alphabet.read(self.reasoner.terms().symbols(), seen.as_words());
        let step = |words: &Vec<String>| match words.len() {
            0 => "-".to_string(),
            n if self.open && n == roles.len() => {
                let who = roles.iter().zip(words).map(|(&role, word)| format!("{}:{word}", self.name(role)));
                who.collect::<Vec<_>>().join(" ")
            }
            _ => words.join(" "),
        };
        steps.iter().map(step).collect::<Vec<_>>().join("\n")
    }

    /// The fluents, one line each, what was chosen while chance is to draw, and why a match was broken off.
    fn show(&self, state: &Self::State) -> String {
        let mut fluents = Vec::new();
        self.reasoner.fluents(&state.fluents, &mut fluents);
        let mut lines: Vec<String> = fluents.iter().map(|&f| self.name(f)).collect();
        if !state.chosen.is_empty() {
            let chosen = self.seats.iter().map(|&role| {
                format!("{}:{}", self.name(self.reasoner.roles()[role]), self.name(state.chosen[role]))
            });
            lines.push(format!("chosen: {}", chosen.collect::<Vec<_>>().join(" ")));
        }
        lines.extend(state.broken().map(ToString::to_string));
        if lines.is_empty() { "no fluents".to_string() } else { lines.join("\n") }
    }

    fn role(&self, _state: &Self::State, seat: Player) -> String {
        self.name(self.reasoner.roles()[self.seats[seat.index()]])
    }
}

impl<R: Reasoner + 'static> GdlGame<R> {
    fn parse(&self, chance: bool, name: &str) -> Option<Move> {
        match &self.vocabularies {
            Some(all) => all[usize::from(chance)].by_name.get(name).copied(),
            None => {
                let term = self.alphabet.parse(self.reasoner.terms(), name)?;
                Some(self.move_of(chance, term))
            }
        }
    }
}

//! The rules of a sheet as the framework asks for them.

use std::cell::Cell;
use std::sync::{Arc, Mutex, PoisonError};

use fogtree_core::{
    Episodes, Event, Extras, Facts, FastPlay, Notation, Observation, Observer, Player, Players, Rewards, Rng,
    Rules, Scene, Scratch, Step, Turn, random_step,
};
use smallvec::SmallVec;

use super::GdlGame;
use super::position::{Broken, GdlState, Joint, Move, Now, Ready};
use super::words::{STEP, Spelling};
use crate::reasoner::{Percepts, Reasoner};
use crate::simulate::End;
use crate::term::TermId;

/// What a state of the sheet asks for.
pub(super) enum Look<S> {
    /// Somebody's choice, or nothing more: the match is over.
    Stop(Arc<Now<S>>),
    /// A joint move in which nobody has a choice and that everybody sees.
    Forced(Joint),
}

thread_local! {
    /// Room for legal moves.
    static LEGAL: Cell<Vec<TermId>> = const { Cell::new(Vec::new()) };
    /// Room for percepts.
    static PERCEPTS: Cell<Percepts> = Cell::default();
}

pub(super) fn over<S>(broken: Option<Broken>) -> Arc<Now<S>> {
    Arc::new(Now {
        turn: Turn::Terminal,
        joint: Joint::new(),
        moves: Vec::new(),
        ends: SmallVec::new(),
        broken,
        ready: Mutex::new(None),
    })
}

impl<R: Reasoner + 'static> GdlGame<R> {
    fn end(&self, broken: Option<Broken>) -> Arc<Now<R::State>> {
        if broken.is_none() { Arc::clone(&self.over) } else { over(broken) }
    }

    pub(super) fn look(&self, fluents: &R::State, made: u32) -> Look<R::State> {
        let mut legal = LEGAL.take();
        let look = self.try_look(fluents, made, &mut legal);
        LEGAL.set(legal);
        look.unwrap_or_else(|broken| Look::Stop(self.end(Some(broken))))
    }

    fn try_look(
        &self,
        fluents: &R::State,
        made: u32,
        legal: &mut Vec<TermId>,
    ) -> Result<Look<R::State>, Broken> {
        if self.reasoner.terminal(fluents)? {
            return Ok(Look::Stop(self.end(None)));
        }
        if let Some(limit) = self.limit
            && made >= limit
        {
            return Err(Broken::TooLong(limit));
        }
        let (mut joint, mut moves, mut ends) = (Joint::new(), Vec::new(), SmallVec::new());
        let mut players = Players::default();
        let mut choices = |role, random, moves: &mut Vec<Move>| {
            self.reasoner.legal(fluents, role, legal)?;
            let Some(&first) = legal.first() else {
                return Err(Broken::Stuck { role: self.name(self.reasoner.roles()[role]) });
            };
            if legal.len() > 1 {
                let from = moves.len();
                moves.extend(legal.iter().map(|&term| self.move_of(random, term)));
                moves[from..].sort_unstable();
            }
            Ok(first)
        };
        for (seat, &role) in self.seats.iter().enumerate() {
            let before = moves.len();
            joint.push(choices(role, false, &mut moves)?);
            if moves.len() > before {
                players = players.with(Player(seat as u8));
            }
            ends.push(moves.len() as u32);
        }
        let before = moves.len();
        if let Some(role) = self.random {
            joint.insert(role, choices(role, true, &mut moves)?);
        }
        let turn = match players.iter().next() {
            Some(only) if players.len() == 1 => Turn::Player(only),
            Some(_) => Turn::Simultaneous(players),
            None if moves.len() > before => Turn::Chance,
            None if self.open => return Ok(Look::Forced(joint)),
            None => {
                moves.push(self.move_of(true, joint[self.random.unwrap_or(0)]));
                Turn::Chance
            }
        };
        let ready = Mutex::new(None);
        Ok(Look::Stop(Arc::new(Now { turn, joint, moves, ends, broken: None, ready })))
    }

    fn position(&self, fluents: R::State, made: u32, now: Arc<Now<R::State>>) -> GdlState<R::State> {
        GdlState { fluents, chosen: Joint::new(), made, now }
    }

    /// Where a match stands in this state of the sheet: after all joint moves that are forced.
    pub(super) fn stand(&self, fluents: R::State, made: u32) -> GdlState<R::State> {
        match self.look(&fluents, made) {
            Look::Stop(now) => self.position(fluents, made, now),
            Look::Forced(joint) => self.after(&fluents, made, joint),
        }
    }

    /// Makes a joint move and all those after it that are forced, for nobody to see.
    fn after(&self, fluents: &R::State, mut made: u32, mut joint: Joint) -> GdlState<R::State> {
        let mut last = None;
        loop {
            let before = last.as_ref().unwrap_or(fluents);
            let next = match self.reasoner.next(before, &joint) {
                Ok(next) => next,
                Err(trouble) => return self.position(before.clone(), made, over(Some(trouble.into()))),
            };
            made += u32::from(self.limit.is_some());
            match self.look(&next, made) {
                Look::Stop(now) => return self.position(next, made, now),
                Look::Forced(forced) => joint = forced,
            }
            last = Some(next);
        }
    }

    /// Makes a joint move and all those after it that are forced, and what is seen of them.
    fn advance(&self, fluents: &R::State, mut made: u32, joint: Joint) -> Ready<R::State> {
        if !self.open {
            return self.make(fluents, made, joint);
        }
        let mut spelling = Spelling::new();
        let (mut before, mut moves) = (fluents.clone(), joint.clone());
        let after = loop {
            moves.iter().for_each(|&m| self.alphabet.spell(self.reasoner.terms(), m, &mut spelling));
            spelling.push(STEP);
            before = match self.reasoner.next(&before, &moves) {
                Ok(next) => next,
                Err(trouble) => break self.position(before, made, over(Some(trouble.into()))),
            };
            made += u32::from(self.limit.is_some());
            match self.look(&before, made) {
                Look::Stop(now) => break self.position(before, made, now),
                Look::Forced(joint) => moves = joint,
            }
        };
        let public = Observation::words(&self.alphabet.pack(&spelling));
        Ready { joint, after, seen: SmallVec::new(), public }
    }

    /// Makes a joint move of which players see what they perceive.
    fn make(&self, fluents: &R::State, made: u32, joint: Joint) -> Ready<R::State> {
        let mut percepts = PERCEPTS.take();
        let mut seen = SmallVec::new();
        let after = match self.reasoner.step(fluents, &joint, &mut percepts) {
            Ok(next) => {
                seen.extend((0..self.reasoner.roles().len()).map(|role| self.spelled([percepts.of(role)])));
                let made = made + u32::from(self.limit.is_some());
                match self.look(&next, made) {
                    Look::Stop(now) => self.position(next, made, now),
                    Look::Forced(_) => unreachable!("only what everybody sees is made without a word"),
                }
            }
            Err(trouble) => {
                seen.extend(self.reasoner.roles().iter().map(|_| self.spelled([&[][..]])));
                self.position(fluents.clone(), made, over(Some(trouble.into())))
            }
        };
        PERCEPTS.set(percepts);
        Ready { joint, after, seen, public: self.spelled([&[][..]]) }
    }

    /// What is seen by who perceives this of one joint move after the other, each in canonical order.
    pub(super) fn spelled<'a>(&self, steps: impl IntoIterator<Item = &'a [TermId]>) -> Observation {
        let mut spelling = Spelling::new();
        for percepts in steps {
            percepts.iter().for_each(|&p| self.alphabet.spell(self.reasoner.terms(), p, &mut spelling));
            spelling.push(STEP);
        }
        Observation::words(&self.alphabet.pack(&spelling))
    }

    /// The rewards if a match ends in this state of the sheet.
    pub fn rewards_in(&self, fluents: &R::State) -> Rewards {
        let goal = |p: Player| self.reasoner.goal(fluents, self.seats[p.index()]).unwrap_or(0);
        Rewards::from_fn(self.seats.len(), |p| f64::from(goal(p)) / 100.0)
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
        matches!(step, Step::Chance(_)) || before.now.chance().is_empty()
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
        out.extend_from_slice(state.now.legal(who.index()));
    }

    fn chance(&self, state: &Self::State, out: &mut Vec<(Move, f64)>) {
        if state.now.turn == Turn::Chance {
            let chance = state.now.chance();
            let share = 1.0 / chance.len() as f64;
            out.extend(chance.iter().map(|&outcome| (outcome, share)));
        }
    }

    fn sample_chance(&self, state: &Self::State, rng: &mut Rng) -> Move {
        *rng.pick(state.now.chance())
    }

    fn is_possible(&self, state: &Self::State, outcome: &Move) -> bool {
        state.now.turn == Turn::Chance && state.now.chance().binary_search(outcome).is_ok()
    }

    fn apply(&self, state: &mut Self::State, step: Step<'_, Self>) {
        let joint = self.joint(state, step);
        if Self::completes(state, step) {
            let ready = state.now.ready.lock().unwrap_or_else(PoisonError::into_inner).take();
            *state = match ready.filter(|ready| ready.joint == joint) {
                Some(ready) => ready.after,
                None => self.after(&state.fluents, state.made, joint),
            };
            return;
        }
        state.chosen = joint.clone();
        state.now = Arc::new(Now {
            turn: Turn::Chance,
            joint,
            moves: state.now.chance().to_vec(),
            ends: SmallVec::new(),
            broken: None,
            ready: Mutex::new(None),
        });
    }

    fn observe(&self, before: &Self::State, step: Step<'_, Self>, by: Observer) -> Option<Observation> {
        if !Self::completes(before, step) {
            return None;
        }
        let joint = self.joint(before, step);
        let mut ready = before.now.ready.lock().unwrap_or_else(PoisonError::into_inner);
        ready.take_if(|ready| ready.joint != joint);
        let Ready { seen, public, .. } =
            ready.get_or_insert_with(|| self.advance(&before.fluents, before.made, joint));
        Some(match by {
            Observer::Seat(p) if !self.open => seen[self.seats[p.index()]].clone(),
            _ => public.clone(),
        })
    }

    fn rewards(&self, state: &Self::State) -> Rewards {
        self.rewards_in(&state.fluents)
    }

    #[inline]
    fn code(&self, action: Move) -> u64 {
        action.code
    }

    fn extras(&self) -> Extras<'_, Self> {
        Extras { episodes: Some(self), ..Extras::NONE }
    }
}

impl<R: Reasoner + 'static> Notation for GdlGame<R> {
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
    fn explain(&self, seen: &Observation, _by: Observer) -> String {
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

    fn scene_of(&self, state: &Self::State) -> Scene {
        self.drawn(state, Observer::Public)
    }

    fn scene_after(&self, by: Observer, events: &[Event]) -> Option<Scene> {
        Some(self.drawn_after(by, events))
    }

    fn spots_after(&self, _by: Observer, _events: &[Event], action: Move) -> Vec<String> {
        self.touched(action)
    }

    fn role(&self, _state: &Self::State, seat: Player) -> String {
        self.name(self.reasoner.roles()[self.seats[seat.index()]])
    }
}

impl<R: Reasoner + 'static> FastPlay for GdlGame<R> {
    /// Played by the reasoner; joint moves that wait for chance are completed first.
    fn playout(&self, state: &mut Self::State, rng: &mut Rng, scratch: &mut Scratch<Self>) -> Rewards {
        while !state.chosen.is_empty() {
            random_step(self, state, rng, scratch);
        }
        if state.now.turn != Turn::Terminal {
            let most = self.limit.map_or(u32::MAX, |limit| limit.saturating_sub(state.made));
            let broken = match self.reasoner.play_out(&state.fluents, most, rng) {
                Ok(ended) => {
                    state.fluents = ended.state;
                    state.made += if self.limit.is_some() { ended.steps } else { 0 };
                    match ended.end {
                        End::Terminal => None,
                        End::TooLong => Some(Broken::TooLong(self.limit.unwrap_or(most))),
                        End::Stuck { role } => {
                            Some(Broken::Stuck { role: self.name(self.reasoner.roles()[role]) })
                        }
                    }
                }
                Err(trouble) => Some(trouble.into()),
            };
            state.now = self.end(broken);
        }
        self.rewards(state)
    }

    fn codes(&self) -> Option<usize> {
        self.vocabularies.as_ref().map(|v| v[0].names.len()).filter(|&n| n <= 4096)
    }
}

impl<R: Reasoner + 'static> Episodes<GdlGame<R>> for GdlGame<R> {
    /// The fluents that hold, if everybody knows them.
    fn features(&self, state: &GdlState<R::State>, _by: Player, out: &mut Vec<u32>) {
        if !self.facts.hidden {
            let mut fluents = Vec::new();
            self.reasoner.fluents(&state.fluents, &mut fluents);
            out.extend(fluents.iter().map(|fluent| fluent.index() as u32));
        }
    }
}

impl<R: Reasoner + 'static> GdlGame<R> {
    /// Which reasoner the game has, and why, if there is something to say.
    pub fn remark(&self) -> Option<String> {
        self.reasoner.remark()
    }

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

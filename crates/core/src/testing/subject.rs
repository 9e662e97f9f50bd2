//! The game on trial, in numbers.
//!
//! States, actions, outcomes and knowledge become numbers in the order in which they are met, equal things
//! one number. So the laws are compiled once rather than once per game, and comparing is cheap. Only this
//! file knows the types of the game.

use std::cell::RefCell;
use std::collections::HashMap;
use std::collections::hash_map::DefaultHasher;
use std::fmt::Debug;
use std::hash::{Hash, Hasher};
use std::rc::Rc;

use super::trial::short;
use crate::agent::Written;
use crate::history::events_of;
use crate::record::Header;
use crate::{
    Event, Facts, HiddenPart, Key, Keys, Line, Observation, Observer, Playable, Player, Ply as TypedPly,
    Record, Rewards, Rng, Scratch, Seed, Tensors, Turn, play,
};

/// A state, by number.
pub(super) type State = u32;
/// An action, by number.
pub(super) type Action = u32;
/// An outcome of chance, by number.
pub(super) type Outcome = u32;
/// What an observer knows, by number.
pub(super) type Info = u32;

/// A complete step.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) enum Ply {
    Chance(Outcome),
    Moves(Vec<(Player, Action)>),
}

impl Ply {
    /// What the players chose; nothing where chance drew.
    pub(super) fn moves(&self) -> &[(Player, Action)] {
        match self {
            Ply::Chance(_) => &[],
            Ply::Moves(moves) => moves,
        }
    }
}

/// Why a step was not made.
pub(super) struct Refused {
    pub(super) why: String,
    /// Whether the state was left alone.
    pub(super) untouched: bool,
}

/// A game whose states, actions, outcomes and knowledge are numbers.
pub(super) trait Subject {
    fn facts(&self) -> Facts;
    fn start(&self) -> State;
    fn turn(&self, s: State) -> Turn;
    /// Appends to the list given.
    fn actions(&self, s: State, who: Player, list: Vec<Action>) -> Vec<Action>;
    fn is_rising(&self, list: &[Action]) -> bool;
    /// Appends to the list given.
    fn chance(&self, s: State, list: Vec<(Outcome, f64)>) -> Vec<(Outcome, f64)>;
    fn sample_chance(&self, s: State, rng: &mut Rng) -> Outcome;
    fn is_possible(&self, s: State, outcome: Outcome) -> bool;
    fn apply(&self, s: State, ply: &Ply) -> State;
    /// Makes a step if it is legal.
    fn play(&self, s: State, ply: &Ply) -> Result<State, Refused>;
    /// What an observer does and sees in a step.
    fn events(&self, s: State, ply: &Ply, by: Observer) -> Vec<Event>;
    /// What everybody sees of a step, if the game says that all see the same.
    fn seen_by_all(&self, s: State, ply: &Ply) -> Option<Observation>;
    fn rewards(&self, s: State) -> Rewards;
    fn evaluate(&self, s: State, who: Player) -> Option<f64>;
    fn random_action(&self, s: State, who: Player, rng: &mut Rng) -> Action;
    fn playout(&self, s: State, rng: &mut Rng) -> (State, Rewards);
    /// The number of a clone: the same, if clones are equal.
    fn cloned(&self, s: State) -> State;

    /// How many different actions were met; their numbers are below.
    fn actions_met(&self) -> u32;
    /// How many different outcomes were met; their numbers are below.
    fn outcomes_met(&self) -> u32;
    fn code(&self, action: Action) -> u64;
    /// Whether an action's code stands for the same action, in games that decode.
    fn decodes(&self, action: Action) -> bool;
    fn codes(&self) -> Option<usize>;
    fn action_name(&self, action: Action) -> String;
    fn parse_action(&self, name: &str) -> Option<Action>;
    fn outcome_name(&self, outcome: Outcome) -> String;
    fn parse_outcome(&self, name: &str) -> Option<Outcome>;
    fn explain(&self, seen: &Observation, by: Observer) -> String;
    fn role(&self, s: State, seat: Player) -> String;

    fn info(&self, s: State, by: Observer) -> Info;
    /// What an observer is shown, as text and as a picture, and what is sent to it.
    fn texts(&self, s: State, by: Observer) -> [String; 3];
    /// What is wrong with the picture that an observer is shown, and with its moves in it.
    fn scene_fault(&self, s: State, by: Observer) -> Option<String>;
    /// What is wrong with the picture of the whole state.
    fn true_scene_fault(&self, s: State) -> Option<String>;
    fn show(&self, s: State) -> String;
    /// What is known after it was sent.
    fn known_sent(&self, known: Info) -> Result<Info, String>;
    /// Sends an information set; answers what is wrong with what arrives.
    fn info_set_sent(&self, s: State, seat: Player, events: &[Event], key: Key) -> Result<(), String>;
    /// Records a game and replays it; answers the keys it leads to, or what went wrong.
    fn record(&self, plies: &[Ply]) -> Result<Keys, String>;

    /// Makes a sampler; there is room for two, of which the second is used again and again.
    fn sampler(&self, slot: usize, known: Info);
    /// Draws a world from a sampler, over the last one drawn in the slot.
    fn sample(&self, slot: usize, rng: &mut Rng) -> (State, f64);
    fn enumerate(&self, known: Info) -> Option<Vec<(State, f64)>>;

    /// How many values the hidden part has; `None` if the game has no hidden part.
    fn values(&self) -> Option<usize>;
    fn value(&self, s: State) -> Option<usize>;
    /// Whether nothing but the hidden part is hidden.
    fn is_whole(&self) -> bool;
    fn value_name(&self, value: usize) -> String;
    fn private(&self, value: usize, seat: Player) -> u64;
    fn prior(&self, known: Info) -> Vec<f64>;
    fn propagate(&self, belief: Vec<f64>, before: Info, after: Info) -> Vec<f64>;
    /// Draws a world with this value from a sampler, if there is one.
    fn sample_value(&self, slot: usize, value: usize, rng: &mut Rng) -> Option<State>;

    /// The shape of tensors; `None` if the game has none.
    fn tensor_shape(&self) -> Option<Vec<usize>>;
    /// What a seat knows, as numbers.
    fn tensor(&self, s: State, seat: Player) -> Vec<f32>;

    /// A state as it shows to somebody who may see everything.
    fn shown(&self, s: State) -> String;
    /// A state as text for a message.
    fn state_text(&self, s: State) -> String;
    /// An action as text for a message.
    fn action_text(&self, action: Action) -> String;
    /// An outcome as text for a message.
    fn outcome_text(&self, outcome: Outcome) -> String;
    /// What is known as text for a message.
    fn known_text(&self, known: Info) -> String;
}

impl dyn Subject + '_ {
    /// The legal actions of a player.
    pub(super) fn legal(&self, s: State, who: Player) -> Vec<Action> {
        self.actions(s, who, Vec::new())
    }

    /// What chance may draw.
    pub(super) fn outcomes(&self, s: State) -> Vec<(Outcome, f64)> {
        self.chance(s, Vec::new())
    }

    /// Actions as text for a message.
    pub(super) fn actions_text(&self, list: &[Action]) -> String {
        const SHOWN: usize = 40;
        let texts: Vec<String> = list.iter().take(SHOWN).map(|&a| self.action_text(a)).collect();
        let more = if list.len() > SHOWN { ", ..." } else { "" };
        format!("[{}{more}]", texts.join(", "))
    }

    /// Outcomes as text for a message.
    pub(super) fn outcomes_text(&self, list: &[(Outcome, f64)]) -> String {
        const SHOWN: usize = 20;
        let text = |&(o, p): &(Outcome, f64)| format!("{}: {p}", self.outcome_text(o));
        let texts: Vec<String> = list.iter().take(SHOWN).map(text).collect();
        let more = if list.len() > SHOWN { ", ..." } else { "" };
        format!("[{}{more}]", texts.join(", "))
    }

    /// The names of what was chosen and drawn.
    pub(super) fn names<'a>(&self, plies: impl IntoIterator<Item = &'a Ply>) -> Vec<String> {
        let mut names = Vec::new();
        for ply in plies {
            match ply {
                Ply::Chance(outcome) => names.push(self.outcome_name(*outcome)),
                Ply::Moves(moves) => names.extend(moves.iter().map(|m| self.action_name(m.1))),
            }
        }
        names
    }
}

/// A game and the numbers given so far.
pub(super) struct Numbered<'a, G: Playable> {
    game: &'a G,
    states: RefCell<Numbers<G::State>>,
    actions: RefCell<Numbers<G::Action>>,
    outcomes: RefCell<Outcomes<G::Outcome>>,
    known: RefCell<Numbers<G::Info>>,
    scratch: RefCell<Scratch<G>>,
    worlds: [RefCell<World<G>>; 2],
}

/// A sampler and the world it drew last.
struct World<G: Playable> {
    sampler: Option<G::Sampler>,
    last: G::State,
}

impl<'a, G: Playable> Numbered<'a, G> {
    pub(super) fn new(game: &'a G) -> Self {
        Numbered {
            game,
            states: RefCell::default(),
            actions: RefCell::default(),
            outcomes: RefCell::new(Outcomes { listed: Vec::new(), by_text: HashMap::new() }),
            known: RefCell::default(),
            scratch: RefCell::default(),
            worlds: [0, 1].map(|_| RefCell::new(World { sampler: None, last: game.start() })),
        }
    }

    fn hidden(&self) -> &dyn HiddenPart<G> {
        self.game.info_extras().hidden_part.expect("asked only of games that have one")
    }

    fn state(&self, s: State) -> Rc<G::State> {
        self.states.borrow().get(s)
    }

    fn action(&self, a: Action) -> G::Action {
        *self.actions.borrow().get(a)
    }

    fn outcome(&self, o: Outcome) -> G::Outcome {
        self.outcomes.borrow().listed[o as usize].clone()
    }

    fn typed(&self, ply: &Ply) -> TypedPly<G> {
        match ply {
            Ply::Chance(outcome) => TypedPly::Chance(self.outcome(*outcome)),
            Ply::Moves(moves) => TypedPly::Moves(moves.iter().map(|&(p, a)| (p, self.action(a))).collect()),
        }
    }
}

impl<G: Playable> Subject for Numbered<'_, G> {
    fn facts(&self) -> Facts {
        self.game.facts()
    }

    fn start(&self) -> State {
        self.states.borrow_mut().of(&self.game.start())
    }

    fn turn(&self, s: State) -> Turn {
        self.game.turn(&self.state(s))
    }

    fn actions(&self, s: State, who: Player, list: Vec<Action>) -> Vec<Action> {
        let mut typed = list.iter().map(|&a| self.action(a)).collect();
        self.game.actions(&self.state(s), who, &mut typed);
        let mut numbers = self.actions.borrow_mut();
        typed.iter().map(|a| numbers.of(a)).collect()
    }

    fn is_rising(&self, list: &[Action]) -> bool {
        list.is_sorted_by(|&a, &b| self.action(a) < self.action(b))
    }

    fn chance(&self, s: State, list: Vec<(Outcome, f64)>) -> Vec<(Outcome, f64)> {
        let mut typed = list.iter().map(|&(o, p)| (self.outcome(o), p)).collect();
        self.game.chance(&self.state(s), &mut typed);
        let mut numbers = self.outcomes.borrow_mut();
        typed.iter().map(|(o, p)| (numbers.of(o), *p)).collect()
    }

    fn sample_chance(&self, s: State, rng: &mut Rng) -> Outcome {
        let outcome = self.game.sample_chance(&self.state(s), rng);
        self.outcomes.borrow_mut().of(&outcome)
    }

    fn is_possible(&self, s: State, outcome: Outcome) -> bool {
        self.game.is_possible(&self.state(s), &self.outcome(outcome))
    }

    fn apply(&self, s: State, ply: &Ply) -> State {
        let mut state = (*self.state(s)).clone();
        self.game.apply(&mut state, self.typed(ply).step());
        self.states.borrow_mut().of(&state)
    }

    fn play(&self, s: State, ply: &Ply) -> Result<State, Refused> {
        let before = self.state(s);
        let mut state = (*before).clone();
        match play(self.game, &mut state, self.typed(ply).step()) {
            Ok(()) => Ok(self.states.borrow_mut().of(&state)),
            Err(why) => Err(Refused { why: why.to_string(), untouched: state == *before }),
        }
    }

    fn events(&self, s: State, ply: &Ply, by: Observer) -> Vec<Event> {
        events_of(self.game, &self.state(s), self.typed(ply).step(), by).collect()
    }

    fn seen_by_all(&self, s: State, ply: &Ply) -> Option<Observation> {
        self.game.seen_by_all(&self.state(s), self.typed(ply).step())
    }

    fn rewards(&self, s: State) -> Rewards {
        self.game.rewards(&self.state(s))
    }

    fn evaluate(&self, s: State, who: Player) -> Option<f64> {
        self.game.extras().evaluations?.evaluate(None, &self.state(s), who)
    }

    fn random_action(&self, s: State, who: Player, rng: &mut Rng) -> Action {
        let action = self.game.random_action(&self.state(s), who, rng, &mut self.scratch.borrow_mut());
        self.actions.borrow_mut().of(&action)
    }

    fn playout(&self, s: State, rng: &mut Rng) -> (State, Rewards) {
        let mut state = (*self.state(s)).clone();
        let rewards = self.game.playout(&mut state, rng, &mut self.scratch.borrow_mut());
        (self.states.borrow_mut().of(&state), rewards)
    }

    fn cloned(&self, s: State) -> State {
        let clone = (*self.state(s)).clone();
        self.states.borrow_mut().of(&clone)
    }

    fn actions_met(&self) -> u32 {
        self.actions.borrow().listed.len() as u32
    }

    fn outcomes_met(&self) -> u32 {
        self.outcomes.borrow().listed.len() as u32
    }

    fn code(&self, action: Action) -> u64 {
        self.game.code(self.action(action))
    }

    fn decodes(&self, action: Action) -> bool {
        !G::DECODES || self.game.decode(self.code(action)) == self.action(action)
    }

    fn codes(&self) -> Option<usize> {
        self.game.codes()
    }

    fn action_name(&self, action: Action) -> String {
        self.game.action_name(self.action(action))
    }

    fn parse_action(&self, name: &str) -> Option<Action> {
        let action = self.game.parse_action(name)?;
        Some(self.actions.borrow_mut().of(&action))
    }

    fn outcome_name(&self, outcome: Outcome) -> String {
        self.game.outcome_name(&self.outcome(outcome))
    }

    fn parse_outcome(&self, name: &str) -> Option<Outcome> {
        let outcome = self.game.parse_outcome(name)?;
        Some(self.outcomes.borrow_mut().of(&outcome))
    }

    fn explain(&self, seen: &Observation, by: Observer) -> String {
        self.game.explain(seen, by)
    }

    fn role(&self, s: State, seat: Player) -> String {
        self.game.role(&self.state(s), seat)
    }

    fn info(&self, s: State, by: Observer) -> Info {
        let known = self.game.info(&self.state(s), by);
        self.known.borrow_mut().of(&known)
    }

    fn texts(&self, s: State, by: Observer) -> [String; 3] {
        let known = self.game.info(&self.state(s), by);
        let scene = serde_json::to_string(&self.game.scene(&known)).unwrap_or_default();
        // A failure to serialise is another law's business.
        [self.game.view(&known), scene, serde_json::to_string(&known).unwrap_or_default()]
    }

    fn scene_fault(&self, s: State, by: Observer) -> Option<String> {
        let state = self.state(s);
        let known = self.game.info(&state, by);
        let scene = self.game.scene(&known);
        let mut legal = Vec::new();
        let seat = by.seat().filter(|&p| self.game.turn(&state).players().contains(p));
        if let Some(seat) = seat {
            self.game.actions(&state, seat, &mut legal);
        }
        let spots = |action| seat.map_or(Vec::new(), |seat| self.game.spots(&known, seat, action));
        let touch = |&action: &G::Action| (self.game.action_name(action), spots(action));
        let touches: Vec<(String, Vec<String>)> = legal.iter().map(touch).collect();
        scene.fault().or_else(|| scene.touch_fault(&touches))
    }

    fn true_scene_fault(&self, s: State) -> Option<String> {
        self.game.scene_of(&self.state(s)).fault()
    }

    fn show(&self, s: State) -> String {
        self.game.show(&self.state(s))
    }

    fn known_sent(&self, known: Info) -> Result<Info, String> {
        let known = self.known.borrow().get(known);
        let tree = serde_json::to_value(&*known).map_err(|e| e.to_string())?;
        let text = tree.to_string();
        let from_tree: G::Info = serde_json::from_value(tree).map_err(|e| e.to_string())?;
        let from_text: G::Info = serde_json::from_str(&text).map_err(|e| e.to_string())?;
        if from_tree != from_text {
            return Err(format!("{text}, which is read in two ways"));
        }
        Ok(self.known.borrow_mut().of(&from_text))
    }

    fn info_set_sent(&self, s: State, seat: Player, events: &[Event], key: Key) -> Result<(), String> {
        let state = self.state(s);
        let known = self.game.info(&state, Observer::Seat(seat));
        let mut legal = Vec::new();
        self.game.actions(&state, seat, &mut legal);
        let written = Written {
            seat,
            known: serde_json::to_value(&known).map_err(|e| e.to_string())?,
            legal: legal.iter().map(|&a| self.game.action_name(a)).collect(),
            events: events.to_vec(),
            key,
        };
        let json = serde_json::to_value(&written).map_err(|e| e.to_string())?;
        let back: Written = serde_json::from_value(json.clone()).map_err(|e| format!("{json}: {e}"))?;
        let read: G::Info = serde_json::from_value(back.known).map_err(|e| format!("{json}: {e}"))?;
        let moves: Option<Vec<_>> = back.legal.iter().map(|name| self.game.parse_action(name)).collect();
        let same = (back.seat, back.key, back.events) == (seat, key, written.events)
            && (read, moves) == (known, Some(legal));
        if same { Ok(()) } else { Err(format!("{json} is read as something else")) }
    }

    fn record(&self, plies: &[Ply]) -> Result<Keys, String> {
        let mut line = Line::start(self.game);
        for ply in plies {
            line.play(self.game, self.typed(ply)).map_err(|e| e.to_string())?;
        }
        let header = Header::new("game", vec!["random".into(); self.game.facts().players], Seed(1));
        let whole = Record::of(self.game, header, &line);
        let read = Record::from_lines(&whole.to_lines()).map_err(|e| e.to_string())?;
        read.replay(self.game, plies.len() / 2).map_err(|e| e.to_string())?;
        let again = read.replay(self.game, usize::MAX).map_err(|e| e.to_string())?;
        let same = read == whole && again.state() == line.state() && again.keys() == line.keys();
        if same { Ok(*line.keys()) } else { Err("leads elsewhere when replayed".to_string()) }
    }

    fn sampler(&self, slot: usize, known: Info) {
        let known = self.known.borrow().get(known);
        match &mut self.worlds[slot].borrow_mut().sampler {
            Some(used) if slot > 0 => self.game.reuse_sampler(used, &known),
            new => *new = Some(self.game.sampler(&known)),
        }
    }

    fn sample(&self, slot: usize, rng: &mut Rng) -> (State, f64) {
        let World { sampler, last } = &mut *self.worlds[slot].borrow_mut();
        let sampler = sampler.as_mut().expect("a sampler is made before it is drawn from");
        let weight = self.game.sample(sampler, rng, last);
        (self.states.borrow_mut().of(last), weight)
    }

    fn enumerate(&self, known: Info) -> Option<Vec<(State, f64)>> {
        let known = self.known.borrow().get(known);
        let mut listed = Vec::new();
        if !self.game.enumerate(&known, &mut listed) {
            return None;
        }
        let mut states = self.states.borrow_mut();
        Some(listed.iter().map(|(s, share)| (states.of(s), *share)).collect())
    }

    fn values(&self) -> Option<usize> {
        self.game.info_extras().hidden_part.map(HiddenPart::values)
    }

    fn value(&self, s: State) -> Option<usize> {
        self.hidden().value(&self.state(s))
    }

    fn is_whole(&self) -> bool {
        self.hidden().is_whole()
    }

    fn value_name(&self, value: usize) -> String {
        self.hidden().name(value)
    }

    fn private(&self, value: usize, seat: Player) -> u64 {
        self.hidden().private(value, seat)
    }

    fn prior(&self, known: Info) -> Vec<f64> {
        // Whatever stands there before must be written over.
        let mut belief = vec![0.5; self.hidden().values()];
        self.hidden().prior(&self.known.borrow().get(known), &mut belief);
        belief
    }

    fn propagate(&self, mut belief: Vec<f64>, before: Info, after: Info) -> Vec<f64> {
        let [before, after] = [before, after].map(|known| self.known.borrow().get(known));
        self.hidden().propagate(&mut belief, &before, &after);
        belief
    }

    fn sample_value(&self, slot: usize, value: usize, rng: &mut Rng) -> Option<State> {
        let World { sampler, last } = &mut *self.worlds[slot].borrow_mut();
        let sampler = sampler.as_mut().expect("a sampler is made before it is drawn from");
        let drawn = self.hidden().sample(sampler, value, rng, last);
        drawn.then(|| self.states.borrow_mut().of(last))
    }

    fn tensor_shape(&self) -> Option<Vec<usize>> {
        self.game.info_extras().tensors.map(Tensors::shape)
    }

    fn tensor(&self, s: State, seat: Player) -> Vec<f32> {
        let tensors = self.game.info_extras().tensors.expect("asked only of games that have them");
        let mut numbers = vec![0.0; tensors.shape().iter().product()];
        tensors.write(&self.game.info(&self.state(s), Observer::Seat(seat)), seat, &mut numbers);
        numbers
    }

    fn shown(&self, s: State) -> String {
        self.game.show(&self.state(s))
    }

    fn state_text(&self, s: State) -> String {
        short(&self.state(s))
    }

    fn action_text(&self, action: Action) -> String {
        short(&self.action(action))
    }

    fn outcome_text(&self, outcome: Outcome) -> String {
        short(&self.outcome(outcome))
    }

    fn known_text(&self, known: Info) -> String {
        short(&self.known.borrow().get(known))
    }
}

/// Numbers for things that can be hashed.
pub(super) struct Numbers<T> {
    listed: Vec<Rc<T>>,
    index: HashMap<Rc<T>, u32>,
}

impl<T> Default for Numbers<T> {
    fn default() -> Self {
        Numbers { listed: Vec::new(), index: HashMap::new() }
    }
}

impl<T: Clone + Eq + Hash> Numbers<T> {
    pub(super) fn of(&mut self, thing: &T) -> u32 {
        if let Some(&number) = self.index.get(thing) {
            return number;
        }
        let number = self.listed.len() as u32;
        let kept = Rc::new(thing.clone());
        self.listed.push(Rc::clone(&kept));
        self.index.insert(kept, number);
        number
    }

    fn get(&self, number: u32) -> Rc<T> {
        Rc::clone(&self.listed[number as usize])
    }
}

/// Numbers for outcomes, which can only be compared; their debug text narrows down with which.
struct Outcomes<T> {
    listed: Vec<T>,
    by_text: HashMap<u64, Vec<u32>>,
}

impl<T: Clone + Eq + Debug> Outcomes<T> {
    fn of(&mut self, outcome: &T) -> u32 {
        let mut hasher = DefaultHasher::new();
        format!("{outcome:?}").hash(&mut hasher);
        let alike = self.by_text.entry(hasher.finish()).or_default();
        if let Some(&number) = alike.iter().find(|&&i| self.listed[i as usize] == *outcome) {
            return number;
        }
        let number = self.listed.len() as u32;
        alike.push(number);
        self.listed.push(outcome.clone());
        number
    }
}

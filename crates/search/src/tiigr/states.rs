//! The states a player could be in, carried from decision to decision.

use std::collections::HashMap;
use std::sync::Arc;

use fogtree_core::{Deadline, Event, InfoSet, Key, Model, Move, Observer, Rng, Turn, World};

use super::Outlook;
use crate::exact::belief::own_action;
use crate::kit::steps::agreeing;
use crate::kit::steps::each_step;

/// What becomes of states that can be reached in several ways.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Repeated {
    /// They are kept once.
    Merged,
    /// They are kept once for every history that leads there.
    Kept,
}

/// The states a player could be in.
#[derive(Debug)]
pub struct States {
    game: Arc<dyn Model>,
    repeated: Repeated,
    most: usize,
    possible: Vec<Possible<Box<dyn World>>>,
    /// How many events these states account for, and the key of these.
    heard: usize,
    key: Key,
    /// There were too many to follow in this game or in time, or chance could not list what it may draw.
    lost: bool,
}

#[derive(Clone, Debug)]
struct Possible<S> {
    state: S,
    /// How many events it accounts for.
    at: usize,
    /// What the player thought of its moves in the state it comes from, if that was searched, by their codes; after
    /// the move the value of that move.
    values: Values,
}

/// What is known of a state from searches before it.
#[derive(Clone, Debug)]
enum Values {
    Unknown,
    /// The values of the moves searched, by the places of the legal moves.
    Moves(Arc<[Option<f64>]>),
    /// The value of the move made.
    Made(f64),
}

impl Values {
    fn after(&self, place: Option<usize>) -> Values {
        match (self, place) {
            (Values::Moves(all), Some(place)) => match all.get(place).copied().flatten() {
                Some(value) => Values::Made(value),
                None => Values::Unknown,
            },
            (Values::Moves(_), None) => Values::Unknown,
            (made, _) => made.clone(),
        }
    }
}

impl States {
    pub(super) fn new(game: &Arc<dyn Model>, repeated: Repeated, most: usize) -> States {
        let mut states = States {
            game: Arc::clone(game),
            repeated,
            most,
            possible: Vec::new(),
            heard: 0,
            key: Key(0),
            lost: false,
        };
        states.start(Observer::Public);
        states
    }

    pub(super) fn start(&mut self, by: Observer) {
        let mut state = self.game.start();
        state.drop_history();
        self.possible = vec![Possible { state, at: 0, values: Values::Unknown }];
        self.heard = 0;
        self.key = Key::root(by);
        self.lost = false;
    }

    /// The states in which the seat is to move after what it did and saw; how many there are. Where they cannot all be
    /// found in half of the time, some are drawn in half of the rest.
    pub(super) fn follow(&mut self, info: &InfoSet, until: &Deadline, rng: &mut Rng) -> usize {
        if !self.game.facts().hidden {
            self.sample(info, 1, until, rng);
            return 1;
        }
        let by = Observer::Seat(info.seat);
        let key = |events: &[Event]| events.iter().fold(Key::root(by), |key, event| event.extend(key));
        if !self.lost {
            if info.events.get(..self.heard).is_none_or(|heard| key(heard) != self.key) {
                self.start(by);
            }
            if let Some(possible) = self.walk(info, &until.share(0.5)) {
                self.possible = possible;
                self.heard = info.events.len();
                self.key = key(&info.events);
                return self.possible.len();
            }
            self.lost = true;
        }
        // As many as may be asked for: which are searched is decided later.
        self.sample(info, SAMPLED, &until.share(0.5), rng);
        self.possible.len()
    }

    /// All states after the events since the last decision; `None` if there are too many, or none, or no time is left.
    fn walk(&self, info: &InfoSet, until: &Deadline) -> Option<Vec<Possible<Box<dyn World>>>> {
        let game = &*self.game;
        let events = &info.events[self.heard..];
        let mut arrived = Vec::new();
        let mut layer: Vec<Possible<Box<dyn World>>> =
            self.possible.iter().map(|p| Possible { at: 0, ..p.clone() }).collect();
        while !layer.is_empty() {
            let mut next: Vec<Possible<Box<dyn World>>> = Vec::new();
            let mut places = HashMap::new();
            for Possible { state, at, values } in layer {
                let turn = state.turn();
                let decides = turn.players().contains(info.seat);
                if turn == Turn::Terminal || (at == events.len() && decides) {
                    if decides {
                        arrived.push(Possible { state, at, values });
                    }
                    continue;
                }
                let own = match events.get(at) {
                    Some(Event::Own(code)) if decides => own_action(game, &*state, info.seat, *code),
                    _ => None,
                };
                let after = match own {
                    Some(own) => values.after(place_of(&*state, info, own)),
                    None => values,
                };
                let mut steps = 0;
                each_step(&*state, own.map(|a| (info.seat, a)), |step, _| {
                    steps += 1;
                    let Some(at) = agreeing(game, &*state, step, info.seat, events, at) else { return };
                    let state = state.after(step);
                    if self.repeated == Repeated::Merged {
                        let place = *places.entry((state.fingerprint(), at)).or_insert(next.len());
                        if place < next.len() {
                            return;
                        }
                    }
                    next.push(Possible { state, at, values: after.clone() });
                });
                if until.has_passed() || steps == 0 || next.len() + arrived.len() > self.most {
                    return None;
                }
            }
            layer = next;
        }
        (!arrived.is_empty()).then_some(arrived)
    }

    /// States drawn from the information set, each once; at least one, however late it is.
    fn sample(&mut self, info: &InfoSet, number: usize, until: &Deadline, rng: &mut Rng) {
        let game = &*self.game;
        let mut sampler = game.sampler(&info.known);
        let mut world = game.start();
        let mut found = HashMap::new();
        self.possible.clear();
        for _ in 0..number {
            sampler.sample(rng, &mut *world);
            let known = found.insert(world.fingerprint(), ()).is_some();
            if !known || self.repeated == Repeated::Kept {
                let state = world.boxed();
                self.possible.push(Possible { state, at: 0, values: Values::Unknown });
            }
            if until.has_passed() {
                break;
            }
        }
    }

    /// The places of so many of the states, or of all if there are fewer.
    pub(super) fn choose(&self, number: usize, outlook: Outlook, rng: &mut Rng) -> Vec<usize> {
        let mut places: Vec<usize> = (0..self.possible.len()).collect();
        if number >= places.len() {
            return places;
        }
        match outlook {
            Outlook::Overconfident => {
                for i in 0..number {
                    let j = i + rng.below((places.len() - i) as u32) as usize;
                    places.swap(i, j);
                }
            }
            Outlook::Paranoid => {
                rng.shuffle(&mut places);
                let known = self.possible.iter().filter_map(|p| match p.values {
                    Values::Made(value) => Some(value),
                    _ => None,
                });
                let (sum, n) = known.fold((0.0, 0), |(sum, n), value| (sum + value, n + 1));
                let mean = if n > 0 { sum / f64::from(n) } else { 0.0 };
                let worth = |&place: &usize| match self.possible[place].values {
                    Values::Made(value) => value,
                    _ => mean,
                };
                places.sort_by(|a, b| worth(a).total_cmp(&worth(b)));
            }
        }
        places.truncate(number);
        places
    }

    pub(super) fn state(&self, place: usize) -> &dyn World {
        &*self.possible[place].state
    }

    /// Notes what a search of a state found its moves to be worth.
    pub(super) fn remember(&mut self, place: usize, values: impl Iterator<Item = Option<f64>>) {
        self.possible[place].values = Values::Moves(values.collect());
    }
}

/// How many states are drawn where they cannot be followed.
const SAMPLED: usize = 100;

/// The place of an action among the legal ones.
fn place_of(state: &dyn World, info: &InfoSet, own: Move) -> Option<usize> {
    let mut legal = Vec::new();
    state.legal(info.seat, &mut legal);
    legal.iter().position(|&a| a == own)
}

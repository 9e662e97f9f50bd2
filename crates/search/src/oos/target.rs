//! Which histories the search aims at, and which choices lead there.
//!
//! An observer's keys along the match so far, one after each thing it did or saw, say which histories agree
//! with the match: those along which its key runs through that list. A choice is *on the way* if the key
//! after it is still in the list, and the target is reached when the list is at its end and, if the observer
//! is a player, it is that player's turn; from there on nothing is restricted.
//!
//! This test looks one step ahead only. A history may agree with the match so far and yet have no
//! continuation to the target: the opponent spent a card that it must have shown later. Where the histories
//! are few enough they are listed once per decision ([`Listed`]) and only those are on the way that do get
//! there. Where they are not, a biased sample that finds no choice on the way left goes on as if nothing were
//! restricted. Either way a biased sample draws from a probability distribution over all ends of the game,
//! which is all that the weights of outcome sampling rely on; a sample that misses the target costs time, not
//! correctness.

use fogtree_core::Event;
use fogtree_core::world::key_after;
use fogtree_core::{Budget, Key, Model, Move, Observer, Outcome, Player, Turn, World, WorldStep};

use super::table::Table;
use crate::kit::keyed::{keys_after, start_keys};
use crate::kit::steps::each_step;

/// More steps than this are not looked at to list a target.
const MOST_STEPS: u32 = 1 << 15;

/// Who chooses next.
enum Choosers {
    Nobody,
    Chance,
    One(Player),
    Both,
}

impl Choosers {
    fn of(turn: Turn) -> Choosers {
        let players = turn.players();
        match (turn, players.iter().next()) {
            (Turn::Chance, _) => Choosers::Chance,
            (_, None) => Choosers::Nobody,
            (_, Some(who)) if players.len() == 1 => Choosers::One(who),
            _ => Choosers::Both,
        }
    }
}

/// Where a history is with regard to the target.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Place {
    /// It cannot lead there any more.
    Outside,
    /// On the way, at this place.
    On(u32),
    /// At or below the target, or there is none.
    Inside,
}

/// The keys of an observer along the match.
#[derive(Clone, Debug)]
pub(crate) struct KeyList {
    by: Observer,
    keys: Vec<Key>,
}

impl KeyList {
    /// The keys of a seat after each of its events.
    pub(crate) fn of_events(seat: Player, events: &[Event]) -> KeyList {
        let by = Observer::Seat(seat);
        let mut keys = vec![Key::root(by)];
        keys.extend(events.iter().scan(keys[0], |key, event| {
            *key = event.extend(*key);
            Some(*key)
        }));
        KeyList { by, keys }
    }

    /// The keys of the public along some history that a seat cannot tell from the match. What the public sees
    /// every seat sees, so all such histories have the same; `None` if none was found within bounds.
    pub(super) fn of_public(rules: &dyn Model, own: &KeyList, until: &Budget) -> Option<KeyList> {
        let mut search =
            FirstHistory { rules, own, until, steps: 0, keys: vec![Key::root(Observer::Public)] };
        search.follow(&*rules.start(), 0).then_some(KeyList { by: Observer::Public, keys: search.keys })
    }

    pub(crate) fn last(&self) -> Key {
        self.keys[self.keys.len() - 1]
    }

    /// Whether a history at this place has reached the target.
    #[inline]
    pub(crate) fn is_reached(&self, at: u32, turn: Turn) -> bool {
        at as usize + 1 == self.keys.len() && self.by.seat().is_none_or(|p| turn.players().contains(p))
    }

    /// Whether this action of a player can be on the way as far as the player itself is concerned.
    #[inline]
    fn allows(&self, rules: &dyn Model, at: u32, who: Player, action: Move) -> bool {
        let at = at as usize;
        !self.by.is(who) || self.keys.get(at + 1) == Some(&self.keys[at].own(rules.code(action)))
    }

    /// Where a step leads. A step adds at most an action and an observation to what the observer did and saw.
    #[inline]
    pub(crate) fn after(&self, rules: &dyn Model, state: &dyn World, at: u32, step: WorldStep<'_>) -> Place {
        if !step.moves().iter().all(|&(p, a)| self.allows(rules, at, p, a)) {
            return Place::Outside;
        }
        let key = key_after(rules, self.keys[at as usize], state, step, self.by);
        let found = self.keys[at as usize..].iter().take(3).position(|k| *k == key);
        found.map_or(Place::Outside, |ahead| Place::On(at + ahead as u32))
    }
}

/// A search for one history that agrees with a list of keys; keeps the keys of the public along it.
struct FirstHistory<'a> {
    rules: &'a dyn Model,
    own: &'a KeyList,
    until: &'a Budget,
    steps: u32,
    keys: Vec<Key>,
}

impl FirstHistory<'_> {
    fn follow(&mut self, state: &dyn World, at: u32) -> bool {
        let rules = self.rules;
        if self.own.is_reached(at, state.turn()) {
            return true;
        }
        let mut found = false;
        each_step(state, None, |step, p| {
            self.steps += 1;
            if found || p <= 0.0 || self.steps > MOST_STEPS || self.until.is_stopped() {
                return;
            }
            let Place::On(next) = self.own.after(rules, state, at, step) else { return };
            let kept = self.keys.len();
            let key = key_after(rules, self.keys[kept - 1], state, step, Observer::Public);
            if key != self.keys[kept - 1] {
                self.keys.push(key);
            }
            let after = state.after(step);
            found = self.follow(&*after, next);
            if !found {
                self.keys.truncate(kept);
            }
        });
        found
    }
}

/// All histories that lead to the target, as a tree of choices. Players of one turn choose one after the
/// other, in seat order.
#[derive(Clone, Debug)]
pub(super) struct Listed {
    root: Place,
    /// Of each node, the place of its first choice.
    first: Vec<u32>,
    /// Where each choice leads, in the order of outcomes or actions.
    choices: Vec<Place>,
}

impl Listed {
    /// Lists the histories; `None` if they are too many, or the search was stopped.
    pub(super) fn of(rules: &dyn Model, keys: &KeyList, until: &Budget) -> Option<Listed> {
        let listed = Listed { root: Place::Outside, first: Vec::new(), choices: Vec::new() };
        let mut listing = Listing { rules, keys, until, steps: 0, listed };
        let root = listing.node(&*rules.start(), 0)?;
        Some(Listed { root, ..listing.listed })
    }

    #[inline]
    pub(super) fn choices(&self, at: u32) -> &[Place] {
        &self.choices[self.first[at as usize] as usize..]
    }

    /// How likely the game gets to the target if both players keep to their average strategies.
    pub(super) fn reach(&self, rules: &dyn Model, table: &Table) -> f64 {
        self.reach_from(rules, table, self.root, &*rules.start(), start_keys())
    }

    fn reach_from(
        &self,
        rules: &dyn Model,
        table: &Table,
        place: Place,
        state: &dyn World,
        keys: [Key; 2],
    ) -> f64 {
        let at = match place {
            Place::Outside => return 0.0,
            Place::Inside => return 1.0,
            Place::On(at) => at,
        };
        let beyond = |place: Place, step: WorldStep<'_>| {
            if place == Place::Outside {
                return 0.0;
            }
            let after = state.after(step);
            self.reach_from(rules, table, place, &*after, keys_after(rules, keys, state, step))
        };
        let average = |who: Player| {
            let (mut legal, mut strategy) = (Vec::new(), Vec::new());
            state.legal(who, &mut legal);
            match table.place(keys[who.index()]) {
                Some(set) => _ = table.average(set, &mut strategy),
                None => strategy.resize(legal.len(), 1.0 / legal.len() as f64),
            }
            legal.into_iter().zip(strategy)
        };
        match Choosers::of(state.turn()) {
            Choosers::Nobody => 0.0,
            Choosers::Chance => {
                let mut outcomes = Vec::new();
                state.chances(&mut outcomes);
                let next = outcomes.iter().zip(self.choices(at));
                next.map(|((outcome, p), &place)| p * beyond(place, WorldStep::Chance(outcome))).sum()
            }
            Choosers::One(who) => {
                let next = average(who).zip(self.choices(at));
                next.map(|((a, p), &place)| p * beyond(place, WorldStep::Moves(&[(who, a)]))).sum()
            }
            Choosers::Both => {
                let [first, second] = [Player(0), Player(1)];
                let mut sum = 0.0;
                for ((a, p), &place) in average(first).zip(self.choices(at)) {
                    let Place::On(between) = place else { continue };
                    for ((b, q), &place) in average(second).zip(self.choices(between)) {
                        sum += p * q * beyond(place, WorldStep::Moves(&[(first, a), (second, b)]));
                    }
                }
                sum
            }
        }
    }
}

/// The work of listing a target.
struct Listing<'a> {
    rules: &'a dyn Model,
    keys: &'a KeyList,
    until: &'a Budget,
    steps: u32,
    listed: Listed,
}

impl Listing<'_> {
    /// Lists what lies below a history that agrees with the match; `None` if that is too much work.
    fn node(&mut self, state: &dyn World, at: u32) -> Option<Place> {
        let _rules = self.rules;
        let turn = state.turn();
        if self.keys.is_reached(at, turn) {
            return Some(Place::Inside);
        }
        let mut choices = Vec::new();
        match Choosers::of(turn) {
            Choosers::Nobody => {}
            Choosers::Chance => {
                let mut outcomes = Vec::new();
                state.chances(&mut outcomes);
                for (outcome, p) in &outcomes {
                    let possible = *p > 0.0;
                    let step = WorldStep::Chance(outcome);
                    choices.push(if possible { self.step(state, at, step)? } else { Place::Outside });
                }
            }
            Choosers::One(who) => {
                let mut legal = Vec::new();
                state.legal(who, &mut legal);
                for &a in &legal {
                    choices.push(self.step(state, at, WorldStep::Moves(&[(who, a)]))?);
                }
            }
            Choosers::Both => {
                let [first, second] = [Player(0), Player(1)];
                let mut legal = [Vec::new(), Vec::new()];
                state.legal(first, &mut legal[0]);
                state.legal(second, &mut legal[1]);
                for &a in &legal[0] {
                    let mut answers = Vec::new();
                    for &b in &legal[1] {
                        answers.push(self.step(state, at, WorldStep::Moves(&[(first, a), (second, b)]))?);
                    }
                    choices.push(self.keep(&answers));
                }
            }
        }
        Some(self.keep(&choices))
    }

    fn step(&mut self, state: &dyn World, at: u32, step: WorldStep<'_>) -> Option<Place> {
        self.steps += 1;
        if self.steps > MOST_STEPS || self.steps.is_multiple_of(256) && self.until.is_stopped() {
            return None;
        }
        let Place::On(next) = self.keys.after(self.rules, state, at, step) else {
            return Some(Place::Outside);
        };
        let after = state.after(step);
        self.node(&*after, next)
    }

    /// A node with these choices, unless all of them miss the target.
    fn keep(&mut self, choices: &[Place]) -> Place {
        if choices.iter().all(|place| *place == Place::Outside) {
            return Place::Outside;
        }
        self.listed.first.push(self.listed.choices.len() as u32);
        self.listed.choices.extend_from_slice(choices);
        Place::On(self.listed.first.len() as u32 - 1)
    }
}

/// What a search aims at.
#[derive(Clone, Debug)]
pub(super) enum Target {
    /// Nothing in particular.
    None,
    /// Histories that were listed.
    Listed(Listed),
    /// Histories told one step at a time.
    Keys(KeyList),
}

impl Target {
    /// Where a game begins.
    pub(super) fn root(&self) -> Place {
        match self {
            Target::None => Place::Inside,
            Target::Listed(listed) => listed.root,
            Target::Keys(_) => Place::On(0),
        }
    }

    /// The place of a history whose turn it is.
    #[inline]
    pub(super) fn arrive(&self, place: Place, turn: Turn) -> Place {
        match (self, place) {
            (Target::Keys(keys), Place::On(at)) if keys.is_reached(at, turn) => Place::Inside,
            _ => place,
        }
    }

    /// Writes where each outcome of chance leads.
    pub(super) fn lead_outcomes(
        &self,
        rules: &dyn Model,
        state: &dyn World,
        at: u32,
        outcomes: &[(Outcome, f64)],
        out: &mut Vec<Place>,
    ) {
        out.clear();
        match self {
            Target::None => {}
            Target::Listed(listed) => out.extend_from_slice(&listed.choices(at)[..outcomes.len()]),
            Target::Keys(keys) => {
                let lead =
                    |(outcome, _): &(Outcome, f64)| keys.after(rules, state, at, WorldStep::Chance(outcome));
                out.extend(outcomes.iter().map(lead));
            }
        }
    }

    /// Writes where each action of a player leads, given what was chosen before it in the same turn. If
    /// another player is still to choose, those lead on the way after which it has a choice that does;
    /// `theirs` is room for its actions.
    #[expect(clippy::too_many_arguments, reason = "a turn is described by all of these")]
    pub(super) fn lead_actions(
        &self,
        rules: &dyn Model,
        state: &dyn World,
        at: u32,
        who: Player,
        actions: &[Move],
        turn: Turn,
        theirs: &mut Vec<Move>,
        before: Option<(Player, Move)>,
        out: &mut Vec<Place>,
    ) {
        out.clear();
        let keys = match self {
            Target::None => return,
            Target::Listed(listed) => return out.extend_from_slice(&listed.choices(at)[..actions.len()]),
            Target::Keys(keys) => keys,
        };
        match (Choosers::of(turn), before) {
            (_, Some(before)) => {
                out.extend(
                    actions
                        .iter()
                        .map(|&a| keys.after(rules, state, at, WorldStep::Moves(&[before, (who, a)]))),
                );
            }
            (Choosers::Both, None) => {
                let other = who.other();
                theirs.clear();
                state.legal(other, theirs);
                theirs.retain(|&b| keys.allows(rules, at, other, b));
                let leads = |a| {
                    let step =
                        |&b: &Move| keys.after(rules, state, at, WorldStep::Moves(&[(who, a), (other, b)]));
                    keys.allows(rules, at, who, a) && theirs.iter().any(|b| step(b) != Place::Outside)
                };
                out.extend(actions.iter().map(|&a| if leads(a) { Place::On(at) } else { Place::Outside }));
            }
            _ => out
                .extend(actions.iter().map(|&a| keys.after(rules, state, at, WorldStep::Moves(&[(who, a)])))),
        }
    }
}

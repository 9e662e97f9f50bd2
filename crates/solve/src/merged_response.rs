//! Best responses in games whose tree is far too large to write down.
//!
//! What a player can still earn against fixed strategies depends only on how likely each state is given what it did
//! and saw, and on what the others have done and seen, as far as their strategies depend on that. So a walk through
//! what the player can experience carries its *belief*: states, each with the information sets of the others and the
//! probability that chance and the others lead there. Histories that differ in nothing that matters are one element
//! of a belief: the others remember nothing once their strategies say nothing more, where all actions are equally
//! likely, and states are told apart without what is only memory ([`fogtree_core::Memory`]). Equal beliefs in which
//! nobody remembers anything are looked at once, as [`crate::merged`] does with sets of states. Elements that a
//! strategy never leads to are left out.
//!
//! So phantom tic-tac-toe, with its 10^10 histories, takes seconds against uniform play (equilibrium 3.8) or against
//! strategies of few information sets; against strategies that mix everywhere the walk is as long as there are
//! histories.

use std::collections::HashMap;
use std::rc::Rc;

use fogtree_core::{
    Chance, Deadline, Key, MAX_PLAYERS, Notation, Observation, Observer, Player, Rules, Turn,
};

use crate::best_response::Evaluation;
use crate::compiled::{Refusal, estimate};
use crate::strategy::{BadStrategy, StrategyFile};
use crate::walk::each_step;

/// Why strategies cannot be evaluated.
#[derive(Debug, thiserror::Error)]
pub enum Unevaluated {
    /// The game is too large even so.
    #[error(transparent)]
    Refusal(#[from] Refusal),
    /// The strategies are not of this game.
    #[error(transparent)]
    Strategy(#[from] BadStrategy),
}

/// So many elements of beliefs may be looked at for each node that a tree might have.
const WORK: u64 = 100;

/// What the strategies of a file earn and what best responses would; at most `limit / 10` states are kept.
///
/// An information set that the file leaves out is played uniformly, and so is all that comes after it, even if the
/// file has something to say there: files of solvers and agents leave out nothing before what they have.
pub fn evaluate<R: Notation>(
    rules: &R,
    file: &StrategyFile,
    limit: usize,
    until: &Deadline,
) -> Result<Evaluation, Unevaluated> {
    let facts = rules.facts();
    if facts.chance == Chance::Sampled {
        return Err(Refusal::SampledChance.into());
    }
    let players = || Player::all(facts.players);
    let best = players().map(|who| Search::new(rules, Some(who), file, limit, until).earned());
    let best = best.collect::<Result<Vec<f64>, _>>()?;
    let values = Search::new(rules, None, file, limit, until).expected()?;
    Ok(Evaluation { values, best })
}

/// What the best response of a player earns if everybody else chooses uniformly among its actions. Chance must
/// be listed.
pub fn best_against_random<R: Notation>(rules: &R, who: Player) -> f64 {
    let uniform = StrategyFile::of_entries("", "uniform", Vec::new());
    let search = Search::new(rules, Some(who), &uniform, usize::MAX, &Deadline::NEVER);
    search.earned().expect("uniform play fits every game, and there is no limit")
}

/// Which information set each player is in, as far as its strategy has anything to say there or later.
type Memory = [Option<Key>; MAX_PLAYERS];

/// What a player does in one information set, by the codes of its actions.
type Odds = Vec<(u64, f64)>;

/// A step that can follow a state.
struct Move {
    /// The code of the action of whoever answers best.
    mine: Option<u64>,
    /// The codes of the players' own actions.
    own: Vec<(Player, u64)>,
    /// What each player sees.
    seen: Vec<Option<Observation>>,
    /// How likely chance makes it.
    p: f64,
    to: u32,
}

/// All that can follow a state.
struct Next {
    moves: Vec<Move>,
    /// How many actions each player to move has.
    choices: Vec<(Player, usize)>,
    /// How likely each of the others' joint choices is if all are equally likely.
    even: f64,
}

/// A state and a memory, by number.
type Element = (u32, u32);

struct Search<'a, R: Rules> {
    rules: &'a R,
    /// Who answers best; if nobody does, all keep to their strategies.
    who: Option<Player>,
    players: usize,
    /// What the others do where.
    strategies: HashMap<Key, Rc<Odds>>,
    numbers: HashMap<R::State, u32>,
    states: Vec<R::State>,
    /// Of each state, what can follow, once that was looked at.
    next: Vec<Option<Rc<Next>>>,
    memories: Vec<Memory>,
    memory_numbers: HashMap<Memory, u32>,
    /// What beliefs at the player's decisions are worth if nobody remembers anything; probabilities are compared to
    /// twelve digits.
    values: HashMap<Vec<(u32, u64)>, f64>,
    /// A strategy file that does not fit the game.
    bad: Option<BadStrategy>,
    limit: usize,
    work: u64,
    until: &'a Deadline,
}

/// The memory of players who remember nothing.
const NOTHING: u32 = 0;

impl<'a, R: Notation> Search<'a, R> {
    fn new(
        rules: &'a R,
        who: Option<Player>,
        file: &StrategyFile,
        limit: usize,
        until: &'a Deadline,
    ) -> Search<'a, R> {
        let (mut strategies, mut bad) = (HashMap::new(), None);
        for entry in file.infosets.iter().filter(|entry| Some(entry.seat) != who) {
            let codes = entry.actions.iter().map(|name| rules.parse_action(name).map(|a| rules.code(a)));
            match codes.collect::<Option<Vec<u64>>>() {
                Some(codes) => {
                    let odds: Odds = codes.into_iter().zip(entry.probabilities.iter().copied()).collect();
                    strategies.insert(entry.key, Rc::new(odds));
                }
                None => {
                    let found = entry.actions.join(" ");
                    bad = Some(BadStrategy::Actions { key: entry.key, expected: "others".into(), found });
                }
            }
        }
        let nothing = [None; MAX_PLAYERS];
        Search {
            rules,
            who,
            players: rules.facts().players,
            strategies,
            numbers: HashMap::new(),
            states: Vec::new(),
            next: Vec::new(),
            memories: vec![nothing],
            memory_numbers: HashMap::from([(nothing, NOTHING)]),
            values: HashMap::new(),
            bad,
            limit,
            work: 0,
            until,
        }
    }

    /// The start of the game; everybody whose strategy says something remembers.
    fn start(&mut self) -> Result<Element, Unevaluated> {
        if let Some(bad) = self.bad.take() {
            return Err(bad.into());
        }
        let mut memory = [None; MAX_PLAYERS];
        if !self.strategies.is_empty() {
            for p in Player::all(self.players).filter(|&p| Some(p) != self.who) {
                memory[p.index()] = Some(Key::root(Observer::Seat(p)));
            }
        }
        let start = self.number(self.rules.start());
        Ok((start, self.remember(memory)))
    }

    /// What the best response earns.
    fn earned(mut self) -> Result<f64, Unevaluated> {
        let start = self.start()?;
        let unseen = self.unseen();
        self.value_after(vec![(start, 1.0, unseen)])
    }

    /// What everybody earns.
    fn expected(mut self) -> Result<Vec<f64>, Unevaluated> {
        let mut earned = vec![0.0; self.players];
        let mut layer = HashMap::from([(self.start()?, 1.0)]);
        while !layer.is_empty() {
            let mut after: HashMap<Element, f64> = HashMap::new();
            for (at, p) in layer {
                let state = &self.states[at.0 as usize];
                if self.rules.turn(state) == Turn::Terminal {
                    let rewards = self.rules.rewards(state);
                    earned.iter_mut().zip(rewards.iter()).for_each(|(sum, reward)| *sum += p * reward);
                    continue;
                }
                self.each_next(at, None, |element, likely, _| {
                    *after.entry(element).or_default() += p * likely;
                })?;
            }
            layer = after;
        }
        Ok(earned)
    }

    /// The key before anything that tells histories apart from here on.
    fn unseen(&self) -> Key {
        self.who.map_or(Key::root(Observer::Public), |who| Key::root(Observer::Seat(who)))
    }

    fn number(&mut self, mut state: R::State) -> u32 {
        if let Some(memory) = self.rules.extras().memory {
            memory.drop_history(&mut state);
        }
        *self.numbers.entry(state).or_insert_with_key(|state| {
            self.states.push(state.clone());
            self.next.push(None);
            (self.states.len() - 1) as u32
        })
    }

    fn remember(&mut self, memory: Memory) -> u32 {
        let memories = &mut self.memories;
        *self.memory_numbers.entry(memory).or_insert_with(|| {
            memories.push(memory);
            (memories.len() - 1) as u32
        })
    }

    fn next(&mut self, state: u32) -> Rc<Next> {
        if let Some(next) = &self.next[state as usize] {
            return Rc::clone(next);
        }
        let rules = self.rules;
        let before = self.states[state as usize].clone();
        let turn = rules.turn(&before);
        let mut legal = Vec::new();
        let count = |p| {
            legal.clear();
            rules.actions(&before, p, &mut legal);
            (p, legal.len())
        };
        let choices: Vec<(Player, usize)> = turn.players().iter().map(count).collect();
        let mut moves = Vec::new();
        each_step(rules, &before, turn, |step, p| {
            let own = step.moves().iter().map(|&(p, action)| (p, rules.code(action))).collect();
            let see = |p| rules.observe(&before, step, Observer::Seat(p));
            let seen = Player::all(self.players).map(see).collect();
            let mut after = before.clone();
            rules.apply(&mut after, step);
            let mine = self.who.and_then(|who| step.action_of(who)).map(|action| rules.code(action));
            moves.push(Move { mine, own, seen, p, to: self.number(after) });
        });
        let others = choices.iter().filter(|(p, _)| Some(*p) != self.who);
        let even = others.map(|(_, count)| 1.0 / *count as f64).product();
        let next = Rc::new(Next { moves, choices, even });
        self.next[state as usize] = Some(Rc::clone(&next));
        next
    }

    /// Calls `with` for all that can follow an element, with its probability given the player's own action and what
    /// the player sees. With `code` only for what follows that action of its own.
    fn each_next(
        &mut self,
        (state, memory): Element,
        code: Option<u64>,
        mut with: impl FnMut(Element, f64, Option<&Observation>),
    ) -> Result<(), Unevaluated> {
        let next = self.next(state);
        self.check(next.moves.len())?;
        if memory == NOTHING {
            for m in next.moves.iter().filter(|m| code.is_none() || m.mine == code) {
                with((m.to, NOTHING), m.p * next.even, self.who.and_then(|who| m.seen[who.index()].as_ref()));
            }
            return Ok(());
        }
        let mut before = self.memories[memory as usize];
        // What the others do here; uniform where nothing is said.
        let mut said: Vec<(Player, Rc<Odds>)> = Vec::new();
        let mut even = 1.0;
        for &(p, count) in next.choices.iter().filter(|(p, _)| Some(*p) != self.who) {
            match before[p.index()].and_then(|key| Some((key, self.strategies.get(&key)?))) {
                Some((key, odds)) => {
                    let fits = odds.len() == count
                        && next
                            .moves
                            .iter()
                            .flat_map(|m| &m.own)
                            .filter(|(q, _)| *q == p)
                            .all(|(_, code)| odds.iter().any(|(said, _)| said == code));
                    if !fits {
                        let (expected, found) =
                            (format!("{count} others"), format!("the {} there", odds.len()));
                        return Err(BadStrategy::Actions { key, expected, found }.into());
                    }
                    said.push((p, Rc::clone(odds)));
                }
                None => {
                    before[p.index()] = None;
                    even /= count as f64;
                }
            }
        }
        let likely_of = |m: &Move| {
            said.iter().fold(m.p * even, |likely, (p, odds)| {
                let own = m.own.iter().find(|(q, _)| q == p).map(|(_, code)| *code);
                likely * odds.iter().find(|(code, _)| Some(*code) == own).map_or(0.0, |(_, share)| *share)
            })
        };
        for m in &next.moves {
            if code.is_some() && m.mine != code {
                continue;
            }
            let likely = likely_of(m);
            if likely <= 0.0 {
                continue;
            }
            let mut after = before;
            for (i, key) in after.iter_mut().enumerate().take(self.players) {
                let Some(known) = key else { continue };
                if let Some((_, code)) = m.own.iter().find(|(p, _)| p.index() == i) {
                    *known = known.own(*code);
                }
                if let Some(seen) = &m.seen[i] {
                    *known = known.seen(seen);
                }
            }
            let memory = if after == [None; MAX_PLAYERS] { NOTHING } else { self.remember(after) };
            with((m.to, memory), likely, self.who.and_then(|who| m.seen[who.index()].as_ref()));
        }
        Ok(())
    }

    /// Refuses to go on where this has become too much.
    fn check(&mut self, more: usize) -> Result<(), Refusal> {
        self.work += more as u64;
        if self.until.has_passed() {
            return Err(Refusal::OutOfTime);
        }
        let kept = self.states.len().max(self.memories.len() / 10);
        if kept > self.limit / 10 || self.work / WORK > self.limit as u64 {
            return Err(Refusal::TooLarge { estimated: estimate(self.rules), limit: self.limit });
        }
        Ok(())
    }

    /// What is earned from here on, of elements with how likely they are and what was seen since the last decision.
    fn value_after(&mut self, mut open: Vec<(Element, f64, Key)>) -> Result<f64, Unevaluated> {
        let who = self.who.expect("somebody answers best");
        let mut earned = 0.0;
        let mut next: HashMap<Key, HashMap<Element, f64>> = HashMap::new();
        while let Some((at, p, key)) = open.pop() {
            let state = &self.states[at.0 as usize];
            match self.rules.turn(state) {
                Turn::Terminal => earned += p * self.rules.rewards(state)[who],
                turn if turn.players().contains(who) => {
                    *next.entry(key).or_default().entry(at).or_default() += p;
                }
                _ => self.each_next(at, None, |element, likely, seen| {
                    open.push((element, p * likely, seen.map_or(key, |seen| key.seen(seen))));
                })?,
            }
        }
        for belief in next.into_values() {
            let likely: f64 = belief.values().sum();
            let mut belief: Vec<(Element, f64)> =
                belief.into_iter().map(|(at, p)| (at, p / likely)).collect();
            belief.sort_unstable_by_key(|&(at, _)| at);
            earned += likely * self.value(&belief)?;
        }
        Ok(earned)
    }

    /// What the best action at a decision is worth.
    fn value(&mut self, belief: &[(Element, f64)]) -> Result<f64, Unevaluated> {
        let forgotten = belief.iter().all(|&((_, memory), _)| memory == NOTHING);
        let rounded: Vec<(u32, u64)> = match forgotten {
            true => belief.iter().map(|&((s, _), p)| (s, (p * 1e12).round() as u64)).collect(),
            false => Vec::new(),
        };
        if let Some(&known) = self.values.get(&rounded).filter(|_| forgotten) {
            return Ok(known);
        }
        let first = self.next(belief[0].0.0);
        let mut codes: Vec<u64> = first.moves.iter().filter_map(|m| m.mine).collect();
        codes.sort_unstable();
        codes.dedup();
        let (unseen, mut best) = (self.unseen(), f64::NEG_INFINITY);
        for code in codes {
            let mut open = Vec::new();
            for &(at, p) in belief {
                self.each_next(at, Some(code), |element, likely, seen| {
                    open.push((element, p * likely, seen.map_or(unseen, |seen| unseen.seen(seen))));
                })?;
            }
            best = best.max(self.value_after(open)?);
        }
        if forgotten {
            self.values.insert(rounded, best);
        }
        Ok(best)
    }
}

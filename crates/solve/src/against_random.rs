//! Best responses to random play, in games whose tree is far too large to write down.
//!
//! What a player can still earn against opponents who choose uniformly depends only on how likely each state is given
//! what it did and saw: its *belief*. Equal beliefs are looked at once, as [`crate::merged`] does with sets of
//! states, so that phantom tic-tac-toe with its 10^10 histories takes seconds (equilibrium 3.8).

use std::collections::HashMap;
use std::rc::Rc;

use fogtree_core::{Key, Observation, Observer, Player, Rules, Turn};

use crate::walk::each_step;

/// What the best response of a player earns if everybody else chooses uniformly among its actions. Chance must
/// be listed.
pub fn best_against_random<R: Rules>(rules: &R, who: Player) -> f64 {
    let mut search = Search {
        rules,
        who,
        numbers: HashMap::new(),
        states: Vec::new(),
        moves: Vec::new(),
        values: HashMap::new(),
    };
    let start = search.number(rules.start());
    search.value_after(vec![(start, 1.0, search.unseen())])
}

/// A step that can follow a state.
struct Move {
    /// The code of the player's own action, if it made one.
    own: Option<u64>,
    /// What the player sees.
    seen: Option<Observation>,
    /// How likely it is, given the player's own action.
    p: f64,
    to: u32,
}

/// How likely each state is, by number.
type Belief = Vec<(u32, f64)>;

struct Search<'a, R: Rules> {
    rules: &'a R,
    who: Player,
    numbers: HashMap<R::State, u32>,
    states: Vec<R::State>,
    /// Of each state, what can follow, once that was looked at.
    moves: Vec<Option<Rc<[Move]>>>,
    /// What beliefs at the player's decisions are worth; probabilities are compared to twelve digits.
    values: HashMap<Vec<(u32, u64)>, f64>,
}

impl<R: Rules> Search<'_, R> {
    /// The key before anything that tells histories apart from here on.
    fn unseen(&self) -> Key {
        Key::root(Observer::Seat(self.who))
    }

    fn number(&mut self, state: R::State) -> u32 {
        *self.numbers.entry(state).or_insert_with_key(|state| {
            self.states.push(state.clone());
            self.moves.push(None);
            (self.states.len() - 1) as u32
        })
    }

    fn moves(&mut self, state: u32) -> Rc<[Move]> {
        if let Some(moves) = &self.moves[state as usize] {
            return Rc::clone(moves);
        }
        let (rules, who) = (self.rules, self.who);
        let before = self.states[state as usize].clone();
        let turn = rules.turn(&before);
        let mut legal = Vec::new();
        let others = turn.players().iter().filter(|&p| p != who);
        let choices: usize = others
            .map(|p| {
                legal.clear();
                rules.actions(&before, p, &mut legal);
                legal.len()
            })
            .product();
        let mut moves = Vec::new();
        each_step(rules, &before, turn, |step, p| {
            let own = step.action_of(who).map(|a| rules.code(a));
            let seen = rules.observe(&before, step, Observer::Seat(who));
            let mut after = before.clone();
            rules.apply(&mut after, step);
            moves.push(Move { own, seen, p: p / choices.max(1) as f64, to: self.number(after) });
        });
        let moves: Rc<[Move]> = moves.into();
        self.moves[state as usize] = Some(Rc::clone(&moves));
        moves
    }

    /// What is earned from here on, of states with how likely they are and what was seen since the last decision.
    fn value_after(&mut self, mut open: Vec<(u32, f64, Key)>) -> f64 {
        let mut earned = 0.0;
        let mut next: HashMap<Key, HashMap<u32, f64>> = HashMap::new();
        while let Some((state, p, key)) = open.pop() {
            match self.rules.turn(&self.states[state as usize]) {
                Turn::Terminal => earned += p * self.rules.rewards(&self.states[state as usize])[self.who],
                turn if turn.players().contains(self.who) => {
                    *next.entry(key).or_default().entry(state).or_default() += p;
                }
                _ => open.extend(self.moves(state).iter().map(|m| {
                    let key = m.seen.as_ref().map_or(key, |seen| key.seen(seen));
                    (m.to, p * m.p, key)
                })),
            }
        }
        for belief in next.into_values() {
            let likely: f64 = belief.values().sum();
            let mut belief: Belief = belief.into_iter().map(|(state, p)| (state, p / likely)).collect();
            belief.sort_unstable_by_key(|&(state, _)| state);
            earned += likely * self.value(&belief);
        }
        earned
    }

    /// What the best action at a decision is worth.
    fn value(&mut self, belief: &Belief) -> f64 {
        let rounded: Vec<(u32, u64)> = belief.iter().map(|&(s, p)| (s, (p * 1e12).round() as u64)).collect();
        if let Some(&known) = self.values.get(&rounded) {
            return known;
        }
        let mut codes: Vec<u64> = self.moves(belief[0].0).iter().filter_map(|m| m.own).collect();
        codes.sort_unstable();
        codes.dedup();
        let mut best = f64::NEG_INFINITY;
        for code in codes {
            let mut open = Vec::new();
            for &(state, p) in belief {
                let moves = self.moves(state);
                open.extend(moves.iter().filter(|m| m.own == Some(code)).map(|m| {
                    let key = m.seen.as_ref().map_or(self.unseen(), |seen| self.unseen().seen(seen));
                    (m.to, p * m.p, key)
                }));
            }
            best = best.max(self.value_after(open));
        }
        self.values.insert(rounded, best);
        best
    }
}

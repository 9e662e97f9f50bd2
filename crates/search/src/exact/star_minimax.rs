//! \*-minimax on a known state, deeper and deeper: alpha-beta that does not look where the answer cannot change, at
//! chance as at choices.
//!
//! What a state is worth to the searcher, between 0 and 1, is looked for within a window: below `alpha` the searcher
//! would not come here, above `beta` the others would not let it. At chance a mean
//! `sum of p_i v_i` leaves the window for certain once the children not yet seen, worth 0 or 1 at most, cannot bring it
//! back, so that the child `i` is looked into with the window
//! `((alpha - seen - rest) / p_i, (beta - seen) / p_i)`, where `seen` is the sum so far and `rest` the probability of
//! the children after it: Star1 of \*-minimax (Ballard 1983; `ismcts/3.8`).
//!
//! The other players are [`Opponents::Hostile`], who take from the searcher what they can (with more than one of them
//! the paranoid search of Sturtevant and Korf 2000), or [`Opponents::Random`], who draw their moves, which makes them
//! chance and the search miximax (Billings and others 2004, with the simplest model of an opponent). Searches of one
//! depth after another end when the nodes or the time are used up; what lies below the depth is guessed.

use std::sync::Arc;
use std::time::Instant;

use fogtree_core::{
    Budget, Decision, Facts, Model, Move, MoveReport, Player, Report, Rewards, Turn, World, WorldStep,
};
use smallvec::SmallVec;

use crate::Scale;
use crate::exact::minimax::first_best;
use crate::kit::node_budget::{NODES, NodeBudget, guess};
use crate::kit::steps::{Chosen, after_all};

/// What the other players are taken for.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Opponents {
    /// They want the searcher to get little.
    #[default]
    Hostile,
    /// They play uniformly at random.
    Random,
}

/// How a search is made.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Settings {
    /// What the other players are taken for.
    pub opponents: Opponents,
    /// The steps it looks ahead at most.
    pub depth: u32,
    /// The states it may look into per decision.
    pub nodes: u64,
}

impl Default for Settings {
    fn default() -> Self {
        Settings { opponents: Opponents::Hostile, depth: 1000, nodes: NODES }
    }
}

/// What the searcher may still hope for and the others still fear.
#[derive(Clone, Copy, PartialEq, Debug)]
struct Window {
    alpha: f64,
    beta: f64,
}

impl Window {
    const OPEN: Window = Window { alpha: 0.0, beta: 1.0 };
}

/// What a state is worth.
#[derive(Clone, Debug)]
struct Worth {
    /// To the searcher, from 0 to 1; outside the window only a bound.
    value: f64,
    /// The rewards of everybody if all play as expected, where the value is no bound.
    rewards: Rewards,
}

/// A mean over children with given probabilities, of which some have been seen.
#[derive(Clone, Debug)]
struct Star {
    window: Window,
    seen: f64,
    rewards: Rewards,
    rest: f64,
}

impl Star {
    fn new(window: Window, players: usize) -> Star {
        Star { window, seen: 0.0, rewards: Rewards::from_fn(players, |_| 0.0), rest: 1.0 }
    }

    /// The window for the next child.
    fn window(&self, p: f64) -> Window {
        let after = (self.rest - p).max(0.0);
        let alpha = ((self.window.alpha - self.seen - after) / p).max(0.0);
        let beta = ((self.window.beta - self.seen) / p).min(1.0);
        Window { alpha, beta }
    }

    /// Counts a child that was looked into with this window; answers a bound of the mean if the child left the window,
    /// for then the mean leaves its own, whatever comes after.
    fn add(&mut self, p: f64, within: Window, child: &Worth) -> Option<Worth> {
        self.seen += p * child.value;
        self.rest = (self.rest - p).max(0.0);
        for player in Player::all(self.rewards.len()) {
            self.rewards[player] += p * child.rewards[player];
        }
        let bound = if child.value <= within.alpha && within.alpha > 0.0 {
            self.seen + self.rest
        } else if child.value >= within.beta && within.beta < 1.0 {
            self.seen
        } else {
            return None;
        };
        Some(Worth { value: bound, rewards: self.rewards.clone() })
    }

    fn mean(self) -> Worth {
        Worth { value: self.seen, rewards: self.rewards }
    }
}

/// The search itself, for rules of which the state is known.
#[derive(Debug)]
pub struct StarMinimax {
    facts: Facts,
    scale: Scale,
    settings: Settings,
    me: Player,
    node_budget: NodeBudget,
    /// How deep the present search goes.
    horizon: u32,
}

impl StarMinimax {
    /// A search with these settings.
    pub fn new(rules: &Arc<dyn Model>, settings: Settings) -> StarMinimax {
        let facts = rules.facts();
        StarMinimax {
            scale: Scale::of(facts),
            facts: facts.clone(),
            settings,
            me: Player(0),
            node_budget: NodeBudget::default(),
            horizon: 0,
        }
    }

    /// Searches for the move of `who` in a state where it is to move.
    pub fn search(&mut self, root: &dyn World, who: Player, legal: &[Move], budget: &Budget) -> Decision {
        let began = Instant::now();
        self.me = who;
        let mut start = root.boxed();
        start.drop_history();
        let others: Vec<Player> = start.turn().players().iter().filter(|&p| p != who).collect();
        self.node_budget = NodeBudget::of(budget);
        let mut found = Vec::new();
        let mut searched = 0;
        for horizon in 1..=self.settings.depth.max(1) {
            self.horizon = horizon;
            let guesses = self.node_budget.guesses();
            let mut values = Vec::with_capacity(legal.len());
            for &action in legal {
                let made = Chosen::from_iter([(who, action)]);
                values.push(self.choose(&*start, &made, &others, Window::OPEN, 1));
            }
            if self.is_spent() && searched > 0 {
                break;
            }
            (found, searched) = (values, horizon);
            if self.is_spent() || self.node_budget.guesses() == guesses {
                break;
            }
        }
        let chosen = first_best(found.iter().map(|worth| worth.value));
        let moves = legal.iter().zip(&found);
        let report = Report {
            moves: moves
                .map(|(&action, worth)| MoveReport::of(action, 1, Some(worth.rewards.clone())))
                .collect(),
            iterations: legal.len() as u64,
            nodes: self.node_budget.opened(),
            depth: searched,
            time: began.elapsed(),
            ..Report::default()
        };
        Decision { action: legal[chosen], report }
    }

    /// Whether nodes or time are used up.
    fn is_spent(&self) -> bool {
        self.node_budget.opened() >= self.settings.nodes || self.node_budget.was_late()
    }

    fn value(&mut self, state: &dyn World, window: Window, depth: u32) -> Worth {
        let turn = state.turn();
        if turn == Turn::Terminal {
            return self.worth(state.rewards());
        }
        if depth > self.horizon {
            self.node_budget.guessed();
            return self.guess(state);
        }
        if !self.node_budget.open(1, self.settings.nodes, depth) {
            return self.guess(state);
        }
        match turn {
            Turn::Chance => self.draw(state, window, depth),
            _ => {
                let players: SmallVec<[Player; 2]> = turn.players().iter().collect();
                self.choose(state, &Chosen::new(), &players, window, depth)
            }
        }
    }

    /// The worth of a turn in which some have chosen and some have yet to.
    fn choose(
        &mut self,
        state: &dyn World,
        made: &Chosen,
        waiting: &[Player],
        window: Window,
        depth: u32,
    ) -> Worth {
        let Some((&who, rest)) = waiting.split_first() else {
            return self.value(&*after_all(state, made), window, depth + 1);
        };
        let mut legal = Vec::new();
        state.legal(who, &mut legal);
        let next = |action| made.iter().copied().chain([(who, action)]).collect::<Chosen>();
        if who != self.me && self.settings.opponents == Opponents::Random {
            let p = 1.0 / legal.len() as f64;
            let mut star = Star::new(window, self.facts.players);
            for &action in &legal {
                let within = star.window(p);
                let child = self.choose(state, &next(action), rest, within, depth);
                if let Some(bound) = star.add(p, within, &child) {
                    return bound;
                }
            }
            return star.mean();
        }
        let mut open = window;
        let mut best: Option<Worth> = None;
        for &action in &legal {
            let child = self.choose(state, &next(action), rest, open, depth);
            let better = |b: &Worth| match who == self.me {
                true => child.value > b.value,
                false => child.value < b.value,
            };
            let value = child.value;
            if best.as_ref().is_none_or(better) {
                best = Some(child);
            }
            match who == self.me {
                true => open.alpha = open.alpha.max(value),
                false => open.beta = open.beta.min(value),
            }
            if open.alpha >= open.beta {
                break;
            }
        }
        best.expect("a player to move has a move")
    }

    /// The mean over what chance may draw; a guess where that cannot be listed.
    fn draw(&mut self, state: &dyn World, window: Window, depth: u32) -> Worth {
        let mut outcomes = Vec::new();
        state.chances(&mut outcomes);
        if outcomes.is_empty() {
            self.node_budget.guessed();
            return self.guess(state);
        }
        let mut star = Star::new(window, self.facts.players);
        for (outcome, p) in &outcomes {
            let next = state.after(WorldStep::Chance(outcome));
            let within = star.window(*p);
            let child = self.value(&*next, within, depth + 1);
            if let Some(bound) = star.add(*p, within, &child) {
                return bound;
            }
        }
        star.mean()
    }

    fn guess(&self, state: &dyn World) -> Worth {
        self.worth(Rewards::from_fn(self.facts.players, |p| guess(&self.facts, state, p)))
    }

    fn worth(&self, rewards: Rewards) -> Worth {
        Worth { value: self.scale.value(rewards[self.me]), rewards }
    }
}

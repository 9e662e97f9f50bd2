//! Values of actions in a context: MAST, NAST, PAST, FAST and tiles, which differ in what the context is and in
//! how a value is learnt.

use fogtree_core::{Game, MAX_PLAYERS, Player, Rng};

use super::enhance::{Capture, Context, LONGEST, Learning, Policy, Values};
use super::learned::{Learner, Tools};
use super::policy;
use super::records::{Address, Info, Records, dense};
use super::sight::Sight;
use crate::ismcts::SearchKey;

/// A move that was made, with where its value is kept.
#[derive(Clone, Copy, Debug)]
struct Taken<A> {
    at: Address,
    action: A,
    who: Player,
    /// Which of the records: the length of the n-gram, less 1; 0 for other contexts.
    length: u8,
}

/// The records of one set of values.
#[derive(Clone, Debug)]
pub(crate) struct ValuePiece<A> {
    values: Values,
    /// For n-grams with back-off one for each length.
    records: Vec<Records<A>>,
    /// Whether a record's context may be a row of the array.
    rows: Vec<bool>,
    /// The contexts of the decision at hand: how many there are, the longest n-gram first, each then one move shorter,
    /// and the place of the longest's records.
    count: u8,
    longest: u8,
    contexts: [Address; LONGEST as usize],
    /// The last action of each player.
    before: [Option<A>; MAX_PLAYERS],
    taken: Vec<Taken<A>>,
}

impl<A: Copy + Ord> ValuePiece<A> {
    pub(crate) fn new<G: Game<Action = A>>(
        game: &G,
        values: Values,
        sight: &Sight,
        memory: usize,
    ) -> ValuePiece<A> {
        let (players, codes) = (game.facts().players, game.codes());
        let lengths = match values.context {
            Context::Grams { n, .. } => usize::from(n),
            _ => 1,
        };
        let array = |length: usize| match (values.context, length) {
            (Context::Nothing | Context::Grams { .. }, 1) => dense(codes, |_| players),
            (Context::Grams { .. }, 2) => {
                dense(sight.numbered().and(codes), |codes| players * players * codes)
            }
            (Context::Own, _) => dense(codes, |codes| players * codes),
            _ => None,
        };
        let used = |length: usize| match values.context {
            Context::Grams { n, backoff } => backoff > 0 || length == usize::from(n),
            _ => true,
        };
        let records = |array| match (values.policy, Records::new(array, memory)) {
            (Policy::Gibbs { tau }, records) => records.weighed(tau, values.untried),
            (_, records) => records,
        };
        let arrays: Vec<_> = (1..=lengths).map(|l| array(l).filter(|_| used(l))).collect();
        ValuePiece {
            values,
            rows: arrays.iter().map(Option::is_some).collect(),
            records: arrays.into_iter().map(records).collect(),
            count: 0,
            longest: 0,
            contexts: [Address::row(0); LONGEST as usize],
            before: [None; MAX_PLAYERS],
            taken: Vec::new(),
        }
    }

    /// How many moves back it needs to know.
    pub(crate) fn depth(values: &Values) -> usize {
        match values.context {
            Context::Grams { n, .. } => usize::from(n) - 1,
            _ => 0,
        }
    }

    pub(crate) fn begin(&mut self) {
        if !self.values.keep {
            self.forget();
        }
    }

    pub(crate) fn forget(&mut self) {
        self.records.iter_mut().for_each(Records::clear);
    }

    pub(crate) fn restart(&mut self) {
        self.taken.clear();
        if self.values.context == Context::Own {
            self.before = [None; MAX_PLAYERS];
        }
    }

    /// Whether it learns from moves below the tree.
    pub(crate) fn follows_simulation(&self) -> bool {
        self.values.capture == Capture::Playout
    }

    /// A player is to decide.
    #[inline]
    pub(crate) fn arrive<G: Game<Action = A>>(&mut self, game: &G, sight: &Sight, who: Player) {
        (self.count, self.longest) = (1, 0);
        self.contexts[0] = match self.values.context {
            Context::Nothing if self.rows[0] => Address::row(who.index()),
            Context::Grams { n, backoff: 0 } if n > 1 => {
                self.longest = n - 1;
                match sight.gram(who, n.into(), self.rows[usize::from(n) - 1]) {
                    Some(at) => at,
                    None => return self.count = 0,
                }
            }
            Context::Grams { n, .. } => return self.arrive_backing_off(sight, n, who),
            Context::Nothing => hashed(0, who),
            Context::Label => hashed(sight.label(), who),
            Context::Own => match self.before[who.index()] {
                Some(action) => self.pair(game, who, action),
                None => return self.count = 0,
            },
        };
    }

    #[inline(never)]
    fn arrive_backing_off(&mut self, sight: &Sight, n: u8, who: Player) {
        self.count = 0;
        for length in (1..=n).rev() {
            let rows = self.rows[usize::from(length) - 1];
            let at = match (length, rows) {
                (1, true) => Some(Address::row(who.index())),
                (1, false) => Some(hashed(0, who)),
                _ => sight.gram(who, length.into(), rows),
            };
            if let Some(at) = at {
                if self.count == 0 {
                    self.longest = length - 1;
                }
                self.contexts[usize::from(self.count)] = at;
                self.count += 1;
            }
        }
    }

    /// The contexts of the decision at hand with their records.
    #[inline]
    fn contexts(&self) -> impl Iterator<Item = (u8, Address)> {
        let places = (0..=self.longest).rev();
        places.zip(self.contexts).take(self.count.into())
    }

    /// The context of having made an action.
    #[inline(never)]
    fn pair<G: Game<Action = A>>(&self, game: &G, who: Player, action: A) -> Address {
        let code = game.code(action);
        match (self.rows[0], game.codes()) {
            (true, Some(codes)) => Address::row(who.index() * codes + code as usize),
            _ => Address::key(SearchKey::root(9).own(code).with(u64::from(who.0)).0),
        }
    }

    /// Whether anything may be known that the decision at hand could rest on.
    #[inline]
    pub(crate) fn knows(&self) -> bool {
        if self.count == 1 && self.contexts[0].as_row().is_some() {
            return true;
        }
        self.contexts().any(|(length, at)| self.records[usize::from(length)].knows(at))
    }

    /// What is known about actions; the shortest context is taken if no longer one has enough trials.
    #[inline]
    pub(crate) fn gather<G: Game<Action = A>>(&self, game: &G, actions: &[A], out: &mut Vec<Info>) -> u32 {
        let enough = match self.values.context {
            Context::Grams { backoff, .. } => backoff,
            _ => 0,
        };
        for (length, at) in self.contexts() {
            let trials = self.records[usize::from(length)].gather(game, at, actions, out);
            if trials >= enough || length == 0 {
                return trials;
            }
        }
        out.clear();
        out.resize(actions.len(), Info::NOTHING);
        0
    }

    /// The place of the action to be made.
    #[inline]
    pub(crate) fn choose<G: Game<Action = A>>(
        &self,
        game: &G,
        actions: &[A],
        tools: &mut Tools,
        rng: &mut Rng,
    ) -> usize {
        let Tools { infos, scales } = tools;
        if let (1, Some(row)) = (self.count, self.contexts[0].as_row()) {
            let records = &self.records[usize::from(self.longest)];
            if let Policy::Ucb1 { c } = self.values.policy {
                return policy::ucb1(c, records.row(game, row, actions), scales, rng);
            }
            if let Some(weights) = records.row_weights(game, row, actions) {
                return rng.weighted(weights);
            }
        }
        self.gather(game, actions, infos);
        policy::choose(self.values.policy, self.values.untried, infos, scales, rng)
    }

    /// The values by which it decides, if it does by values.
    pub(crate) fn bounds<G: Game<Action = A>>(
        &self,
        game: &G,
        actions: &[A],
        tools: &mut Tools,
        out: &mut Vec<f32>,
    ) {
        let Tools { infos, scales } = tools;
        self.gather(game, actions, infos);
        let Policy::Ucb1 { c } = self.values.policy else { return out.resize(actions.len(), 0.0) };
        policy::bounds(c, infos, scales, out);
    }

    /// The decision at hand was made.
    #[inline]
    pub(crate) fn made<G: Game<Action = A>>(&mut self, game: &G, who: Player, action: A, in_tree: bool) {
        if !in_tree && self.values.capture == Capture::Tree {
            return;
        }
        if self.count != 1 || self.values.context == Context::Own {
            return self.made_in_many(game, who, action);
        }
        self.taken.push(Taken { at: self.contexts[0], action, who, length: self.longest });
    }

    #[inline(never)]
    fn made_in_many<G: Game<Action = A>>(&mut self, game: &G, who: Player, action: A) {
        if self.values.context == Context::Own {
            let at = self.pair(game, who, action);
            self.before[who.index()] = Some(action);
            self.taken.push(Taken { at, action, who, length: 0 });
            return;
        }
        for i in 0..self.count {
            let at = self.contexts[usize::from(i)];
            self.taken.push(Taken { at, action, who, length: self.longest - i });
        }
    }

    /// The playout is over.
    #[inline]
    pub(crate) fn learn<G: Game<Action = A>>(&mut self, game: &G, rewards: &[f32; MAX_PLAYERS]) {
        if self.values.context == Context::Own {
            return self.learn_pairs(game, rewards);
        }
        match self.values.learning {
            Learning::Mean => {
                for taken in &self.taken {
                    let records = &mut self.records[usize::from(taken.length)];
                    records.learn(game, taken.at, taken.action, rewards[taken.who.index()], 0.0);
                }
            }
            Learning::Td { lambda, step } => {
                let mut targets = *rewards;
                for taken in self.taken.iter().rev() {
                    let target = &mut targets[taken.who.index()];
                    let before = self.records[0].learn(game, taken.at, taken.action, *target, step);
                    *target = (1.0 - lambda) * before + lambda * *target;
                }
            }
        }
    }

    /// Every two actions of a player. A pair has two records, for either order, but only one if both are the same.
    fn learn_pairs<G: Game<Action = A>>(&mut self, game: &G, rewards: &[f32; MAX_PLAYERS]) {
        for (i, one) in self.taken.iter().enumerate() {
            let reward = rewards[one.who.index()];
            for other in self.taken[..i].iter().filter(|t| t.who == one.who) {
                self.records[0].learn(game, one.at, other.action, reward, 0.0);
                if one.action != other.action {
                    self.records[0].learn(game, other.at, one.action, reward, 0.0);
                }
            }
        }
    }

    /// How many records were ever written, and how often all together; of n-grams with back-off the longest.
    pub(crate) fn tally(&self) -> (u64, u64) {
        self.records.last().map_or((0, 0), Records::tally)
    }

    /// What is known of a player's actions in the array of MAST.
    #[cfg(test)]
    pub(crate) fn known_of(&self, who: Player) -> Vec<Info> {
        self.records[0].tried_in(who.index())
    }

    pub(crate) fn bytes(&self) -> u64 {
        self.records.iter().map(Records::bytes).sum()
    }
}

#[inline(never)]
fn hashed(word: u64, who: Player) -> Address {
    Address::key(SearchKey::root(word).with(u64::from(who.0)).0)
}

impl<G: Game> Learner<G> for ValuePiece<G::Action> {
    #[inline(always)]
    fn arrive(&mut self, game: &G, sight: &Sight, who: Player) {
        ValuePiece::arrive(self, game, sight, who);
    }

    #[inline(always)]
    fn knows(&self) -> bool {
        ValuePiece::knows(self)
    }

    #[inline(always)]
    fn choose(&mut self, game: &G, legal: &[G::Action], tools: &mut Tools, rng: &mut Rng) -> usize {
        if legal.len() == 1 { 0 } else { ValuePiece::choose(self, game, legal, tools, rng) }
    }

    #[inline(always)]
    fn made(&mut self, game: &G, who: Player, action: G::Action) {
        ValuePiece::made(self, game, who, action, false);
    }
}

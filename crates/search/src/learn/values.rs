//! Values of actions in a context: MAST, NAST, PAST, FAST and tiles, which differ in what the context is and in
//! how a value is learnt.

use fogtree_core::{MAX_PLAYERS, Model, Move, Player, Rng, World};

use super::context::{PlayContext, Reached};
use super::enhance::{Capture, Context, LONGEST, Learning, Policy, Values};
use super::learned::{Learner, Tools};
use super::policy;
use super::records::{Address, Evidence, Records, dense};
use super::weights::Weights;
use fogtree_core::SearchKey;

/// A move that was made, with where its value is kept.
#[derive(Clone, Copy, Debug)]
struct Taken {
    at: Address,
    action: Move,
    who: Player,
    /// Which of the records: the length of the n-gram, less 1; 0 for other contexts.
    length: u8,
}

/// The records of one set of values.
#[derive(Clone, Debug)]
pub(crate) struct ValuePart {
    values: Values,
    /// For n-grams with back-off one for each length.
    records: Vec<Records>,
    /// Whether a record's context may be a row of the array.
    rows: Vec<bool>,
    /// The contexts of the decision at hand: how many there are, the longest n-gram first, each then one move shorter,
    /// and the place of the longest's records.
    count: u8,
    longest: u8,
    contexts: [Address; LONGEST as usize],
    /// The last action of each player.
    before: [Option<Move>; MAX_PLAYERS],
    taken: Vec<Taken>,
    /// The contexts of the predicates that hold, and whatever holds the only one of `contexts`.
    predicates: Vec<Address>,
    /// The weights of features, if these are learnt, and what they say of the actions of the decision at hand.
    weights: Option<Box<Weights>>,
    foreseen: Vec<Evidence>,
}

impl ValuePart {
    pub(crate) fn new(game: &dyn Model, values: Values, sight: &PlayContext, memory: usize) -> ValuePart {
        let (players, codes) = (game.facts().players, game.moves());
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
            Context::Grams { n, backoff, .. } => backoff > 0 || length == usize::from(n),
            _ => true,
        };
        let records = |array| match (values.policy, Records::new(array, memory)) {
            (Policy::Gibbs { tau }, records) => records.weighed(tau, values.untried),
            (_, records) => records,
        };
        let arrays: Vec<_> = (1..=lengths).map(|l| array(l).filter(|_| used(l))).collect();
        ValuePart {
            values,
            rows: arrays.iter().map(Option::is_some).collect(),
            records: arrays.into_iter().map(records).collect(),
            count: 0,
            longest: 0,
            contexts: [Address::row(0); LONGEST as usize],
            before: [None; MAX_PLAYERS],
            taken: Vec::new(),
            predicates: Vec::new(),
            weights: match values.learning {
                Learning::Td { lambda, step } => Some(Box::new(Weights::new(lambda, step))),
                Learning::Mean => None,
            },
            foreseen: Vec::new(),
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
        if let Some(weights) = &mut self.weights {
            weights.clear();
        }
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
    pub(crate) fn arrive(&mut self, game: &dyn Model, sight: &PlayContext, who: Player) {
        (self.count, self.longest) = (1, 0);
        self.foreseen.clear();
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
            Context::Predicates { .. } => return self.arrive_by_predicates(sight, who),
            Context::Own => match self.before[who.index()] {
                Some(action) => self.pair(game, who, action),
                None => return self.count = 0,
            },
        };
    }

    #[inline(never)]
    fn arrive_by_predicates(&mut self, sight: &PlayContext, who: Player) {
        let of = |&feature: &u32| Address::key(SearchKey::root(10).own(feature.into()).with(who.0.into()).0);
        self.predicates.clear();
        self.predicates.extend(sight.features(who).iter().map(of));
        let whatever_holds = SearchKey::root(11).with(who.0.into()).0;
        self.contexts[0] = match self.predicates[..] {
            [] => hashed(sight.label(), who),
            _ => Address::key(whatever_holds),
        };
    }

    /// Looks at the states after actions, of which the decision at hand is to be made, if there are weights for their
    /// features.
    #[inline]
    pub(crate) fn foresee(&mut self, world: &dyn World, who: Player, actions: &[Move]) {
        if let Some(weights) = &mut self.weights {
            weights.foresee(world, who, actions, &mut self.foreseen);
        }
    }

    #[inline(never)]
    fn arrive_backing_off(&mut self, sight: &PlayContext, n: u8, who: Player) {
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
    fn pair(&self, game: &dyn Model, who: Player, action: Move) -> Address {
        let code = game.code(action);
        match (self.rows[0], game.moves()) {
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
    pub(crate) fn gather(&self, actions: &[Move], out: &mut Vec<Evidence>) -> u32 {
        if !self.foreseen.is_empty() {
            out.clone_from(&self.foreseen);
            return trials(out);
        }
        let enough = match self.values.context {
            Context::Grams { backoff, .. } => backoff,
            Context::Predicates { least } if !self.predicates.is_empty() => {
                self.gather_by_predicates(least, actions, out);
                return trials(out);
            }
            _ => 0,
        };
        for (length, at) in self.contexts() {
            let trials = self.records[usize::from(length)].gather(at, actions, out);
            if trials >= enough || length == 0 {
                return trials;
            }
        }
        out.clear();
        out.resize(actions.len(), Evidence::NOTHING);
        0
    }

    /// What all contexts say of actions together, from the shortest n-gram to the longest: `v = (n q + k v) / (n + k)`,
    /// beginning with 1/2.
    pub(crate) fn blend(&self, actions: &[Move], k: f32, infos: &mut Vec<Evidence>, out: &mut Vec<f32>) {
        out.resize(actions.len(), 0.5);
        for i in (0..self.count).rev() {
            let records = &self.records[usize::from(self.longest - i)];
            records.gather(self.contexts[usize::from(i)], actions, infos);
            for (value, info) in out.iter_mut().zip(infos.iter()) {
                let n = info.n as f32;
                *value = (n * info.mean + k * *value) / (n + k);
            }
        }
    }

    /// What is known about actions with the predicate that speaks most for each, of those with which it was tried more
    /// than `least` times; whatever holds, if there is none.
    fn gather_by_predicates(&self, least: u32, actions: &[Move], out: &mut Vec<Evidence>) {
        let records = &self.records[0];
        out.clear();
        out.resize(actions.len(), Evidence::NOTHING);
        for &at in &self.predicates {
            records.each(at, actions, |i, info| {
                if info.n > least && (out[i].n == 0 || info.mean > out[i].mean) {
                    out[i] = info;
                }
            });
        }
        records.each(self.contexts[0], actions, |i, info| {
            if out[i].n == 0 {
                out[i] = info;
            }
        });
    }

    /// What it thinks of actions, the best of which would be its choice but for chance.
    pub(crate) fn opinions(&self, actions: &[Move], tools: &mut Tools, out: &mut Vec<f32>) {
        if let Policy::Ucb1 { .. } = self.values.policy {
            return self.bounds(actions, tools, out);
        }
        self.gather(actions, &mut tools.infos);
        let value = |info: &Evidence| if info.n == 0 { self.values.untried } else { info.mean };
        out.extend(tools.infos.iter().map(value));
    }

    /// The place of the action to be made.
    #[inline]
    pub(crate) fn choose(&self, actions: &[Move], tools: &mut Tools, rng: &mut Rng) -> usize {
        let Tools { infos, scales } = tools;
        if let (1, Some(row), true) = (self.count, self.contexts[0].as_row(), self.foreseen.is_empty()) {
            let records = &self.records[usize::from(self.longest)];
            if let Policy::Ucb1 { c } = self.values.policy {
                return policy::ucb1(c, records.row(row, actions), scales, rng);
            }
            if let Some(weights) = records.row_weights(row, actions) {
                return rng.weighted(weights);
            }
        }
        self.gather(actions, infos);
        policy::choose(self.values.policy, self.values.untried, infos, scales, rng)
    }

    /// The values by which it decides, if it does by values.
    pub(crate) fn bounds(&self, actions: &[Move], tools: &mut Tools, out: &mut Vec<f32>) {
        let Tools { infos, scales } = tools;
        self.gather(actions, infos);
        let Policy::Ucb1 { c } = self.values.policy else { return out.resize(actions.len(), 0.0) };
        policy::bounds(c, infos, scales, out);
    }

    /// The decision at hand was made.
    #[inline]
    pub(crate) fn made(&mut self, game: &dyn Model, who: Player, action: Move, in_tree: bool) {
        if !in_tree && self.values.capture == Capture::Tree {
            return;
        }
        if self.count != 1 || self.values.context == Context::Own || !self.predicates.is_empty() {
            return self.made_in_many(game, who, action);
        }
        self.taken.push(Taken { at: self.contexts[0], action, who, length: self.longest });
    }

    #[inline(never)]
    fn made_in_many(&mut self, game: &dyn Model, who: Player, action: Move) {
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
        for &at in &self.predicates {
            self.taken.push(Taken { at, action, who, length: 0 });
        }
    }

    /// The playout is over, in which players moved to these states.
    pub(crate) fn learn_weights(&mut self, reached: &Reached, rewards: &[f32; MAX_PLAYERS]) {
        if let Some(weights) = &mut self.weights {
            weights.learn(reached, rewards);
        }
    }

    /// The playout is over.
    #[inline]
    pub(crate) fn learn(&mut self, rewards: &[f32; MAX_PLAYERS]) {
        if self.values.context == Context::Own {
            return self.learn_pairs(rewards);
        }
        match self.values.learning {
            Learning::Mean => {
                for taken in &self.taken {
                    let records = &mut self.records[usize::from(taken.length)];
                    records.learn(taken.at, taken.action, rewards[taken.who.index()], 0.0);
                }
            }
            Learning::Td { lambda, step } => {
                let mut targets = *rewards;
                for taken in self.taken.iter().rev() {
                    let target = &mut targets[taken.who.index()];
                    let before = self.records[0].learn(taken.at, taken.action, *target, step);
                    *target = (1.0 - lambda) * before + lambda * *target;
                }
            }
        }
    }

    /// Every two actions of a player. A pair has two records, for either order, but only one if both are the same.
    fn learn_pairs(&mut self, rewards: &[f32; MAX_PLAYERS]) {
        for (i, one) in self.taken.iter().enumerate() {
            let reward = rewards[one.who.index()];
            for other in self.taken[..i].iter().filter(|t| t.who == one.who) {
                let mut learn = |at, action| {
                    self.records[0].learn(at, action, reward, 0.0);
                };
                learn(one.at, other.action);
                if one.action != other.action {
                    learn(other.at, one.action);
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
    pub(crate) fn known_of(&self, who: Player) -> Vec<Evidence> {
        self.records[0].tried_in(who.index())
    }

    pub(crate) fn bytes(&self) -> u64 {
        let weights = self.weights.as_ref().map_or(0, |weights| weights.bytes());
        self.records.iter().map(Records::bytes).sum::<u64>() + weights
    }
}

fn trials(of: &[Evidence]) -> u32 {
    of.iter().map(|info| info.n).sum()
}

#[inline(never)]
fn hashed(word: u64, who: Player) -> Address {
    Address::key(SearchKey::root(word).with(u64::from(who.0)).0)
}

impl Learner for ValuePart {
    #[inline(always)]
    fn arrive(&mut self, game: &dyn Model, sight: &PlayContext, who: Player) {
        ValuePart::arrive(self, game, sight, who);
    }

    #[inline(always)]
    fn knows(&self) -> bool {
        ValuePart::knows(self)
    }

    #[inline(always)]
    fn foresee(&mut self, world: &dyn World, who: Player, legal: &[Move]) {
        ValuePart::foresee(self, world, who, legal);
    }

    #[inline(always)]
    fn choose(&mut self, legal: &[Move], tools: &mut Tools, rng: &mut Rng) -> usize {
        if legal.len() == 1 { 0 } else { ValuePart::choose(self, legal, tools, rng) }
    }

    #[inline(always)]
    fn made(&mut self, game: &dyn Model, who: Player, action: Move) {
        ValuePart::made(self, game, who, action, false);
    }
}

#[cfg(test)]
mod tests {
    use fogtree_core::Erased;
    use fogtree_games::mnk::{self, SmallMnk};

    use super::*;
    use crate::testing::params;

    /// The rule of [`Context::Predicates`] by hand. a1 is played where predicates 1 and 2 hold and won, where 1 holds
    /// and lost, and where 1 and 2 hold and won; b1 where 2 and 3 hold, for a half. So a1 has (3, 2/3) with 1, (2, 1)
    /// with 2, (3, 2/3) whatever holds; b1 has (1, 1/2) with 2, with 3, and whatever holds.
    #[test]
    fn the_most_telling_predicate_with_enough_trials_counts() {
        let game = Erased::any(SmallMnk::from_params(&params(&mnk::ABOUT, "")).unwrap());
        let [a1, b1] = ["a1", "b1"].map(|name| game.parse_move(name).unwrap());
        let who = Player(1);
        let mut sight = PlayContext::new(&*game, 0, true).with_features(true, false);
        let held = |least, holds: &[u32], sight: &mut PlayContext| {
            let values = Values {
                context: Context::Predicates { least },
                policy: Policy::Ucb1 { c: 0.7 },
                learning: Learning::Mean,
                capture: Capture::Playout,
                untried: 1.0,
                keep: false,
            };
            let mut part = ValuePart::new(&*game, values, sight, 1 << 20);
            for (holds, action, reward) in
                [(&[1, 2][..], a1, 1.0), (&[1], a1, 0.0), (&[1, 2], a1, 1.0), (&[2, 3], b1, 0.5)]
            {
                part.restart();
                sight.hold(who, holds);
                part.arrive(&*game, sight, who);
                part.made(&*game, who, action, false);
                let mut rewards = [0.0; MAX_PLAYERS];
                rewards[1] = reward;
                part.learn(&rewards);
            }
            sight.hold(who, holds);
            part.arrive(&*game, sight, who);
            let mut infos = Vec::new();
            let trials = part.gather(&[a1, b1], &mut infos);
            assert_eq!(trials, infos.iter().map(|info| info.n).sum::<u32>());
            [0, 1].map(|i| (infos[i].n, (infos[i].mean * 600.0).round() as u32))
        };
        assert_eq!(held(0, &[1, 2], &mut sight), [(2, 600), (1, 300)]);
        assert_eq!(held(1, &[1, 2], &mut sight), [(2, 600), (1, 300)], "b1 whatever holds");
        assert_eq!(
            held(2, &[1, 2], &mut sight),
            [(3, 400), (1, 300)],
            "a1 with 1, which is tried often enough"
        );
        assert_eq!(held(3, &[2], &mut sight), [(3, 400), (1, 300)], "both whatever holds");
        assert_eq!(held(0, &[3], &mut sight), [(3, 400), (1, 300)], "a1 was never tried where 3 holds");
        assert_eq!(held(0, &[], &mut sight), [(0, 0), (0, 0)], "the label is another predicate");
    }
}

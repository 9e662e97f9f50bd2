//! The estimator against full sweeps of small games: the mean over all samples, each with its exact
//! probability.

use std::collections::{BTreeMap, HashMap};
use std::sync::Arc;

use fogtree_core::world::events_of;
use fogtree_core::{Erased, Event, Model, Move, Observer, Outcome, Turn, World, WorldStep};
use fogtree_games::goofspiel::{self, Goofspiel};
use fogtree_games::kuhn_poker::KuhnPoker;
use fogtree_games::poker::{self, Poker};
use fogtree_games::tree::{self, Tree};

use super::search::Choices;
use super::*;
use crate::kit::keyed::{keys_after, start_keys};
use crate::testing::{Table, infoset, legal, params, preset};

fn leduc() -> Arc<dyn Model> {
    Erased::any(Poker::from_params(&preset(&poker::ABOUT, "leduc-poker(suits=no)")).unwrap())
}

fn goofspiel() -> Arc<dyn Model> {
    Erased::any(Goofspiel::from_params(&params(&goofspiel::ABOUT, "cards=3,bids=hidden")).unwrap())
}

fn non_locality() -> Arc<dyn Model> {
    Erased::any(Tree::from_params(&params(&tree::ABOUT, "name=non-locality")).unwrap())
}

/// Choices that go through all samples one by one: a list, the last of which that can be raised is raised.
#[derive(Default)]
struct Script {
    choices: Vec<usize>,
    sizes: Vec<usize>,
    probability: f64,
}

impl Script {
    fn begin(&mut self) {
        self.sizes.clear();
        self.probability = 1.0;
    }

    /// Goes on to the next sample, if there is one.
    fn advance(&mut self) -> bool {
        self.choices.truncate(self.sizes.len());
        while self.choices.last().is_some_and(|&last| last + 1 == self.sizes[self.choices.len() - 1]) {
            self.choices.pop();
        }
        let Some(last) = self.choices.last_mut() else { return false };
        *last += 1;
        true
    }
}

impl Choices for Script {
    fn draw(&mut self, probabilities: &[f64]) -> usize {
        let i = self.sizes.len();
        self.choices.resize(self.choices.len().max(i + 1), 0);
        self.sizes.push(probabilities.len());
        self.probability *= probabilities[self.choices[i]];
        self.choices[i]
    }

    fn outcome(&mut self, state: &dyn World) -> Outcome {
        let mut outcomes = Vec::new();
        state.chances(&mut outcomes);
        let probabilities: Vec<f64> = outcomes.iter().map(|(_, p)| *p).collect();
        let drawn = Choices::draw(self, &probabilities);
        outcomes.swap_remove(drawn).0
    }

    fn playout(&mut self, _: &mut dyn World) -> Rewards {
        unreachable!("all information sets are in the table")
    }
}

type Strategies = HashMap<Key, Vec<f64>>;
type PerSet = BTreeMap<Key, Vec<f64>>;

/// A full sweep: the counterfactual regrets of one player and the weighted strategies of the other.
struct Sweep<'a> {
    game: &'a dyn Model,
    updated: Player,
    strategies: &'a Strategies,
    regrets: PerSet,
    sums: PerSet,
}

impl Sweep<'_> {
    /// What a history is worth to the updated player; `others` is the probability that chance and the other
    /// player lead there.
    fn value(&mut self, state: &dyn World, keys: [Key; 2], others: f64) -> f64 {
        match state.turn() {
            Turn::Terminal => {
                let rewards = state.rewards();
                rewards[self.updated] - (rewards[Player(0)] + rewards[Player(1)]) / 2.0
            }
            Turn::Chance => {
                let mut outcomes = Vec::new();
                state.chances(&mut outcomes);
                let step = |(outcome, p): &(Outcome, f64)| {
                    p * self.after(state, keys, WorldStep::Chance(outcome), others * p)
                };
                outcomes.iter().map(step).sum()
            }
            turn => {
                let players: Vec<Player> = turn.players().iter().collect();
                self.choice(state, keys, &players, &mut Vec::new(), others)
            }
        }
    }

    fn after(&mut self, state: &dyn World, keys: [Key; 2], step: WorldStep<'_>, others: f64) -> f64 {
        let next = state.after(step);
        self.value(&*next, keys_after(self.game, keys, state, step), others)
    }

    fn choice(
        &mut self,
        state: &dyn World,
        keys: [Key; 2],
        players: &[Player],
        made: &mut Vec<(Player, Move)>,
        others: f64,
    ) -> f64 {
        let Some((&who, rest)) = players.split_first() else {
            return self.after(state, keys, WorldStep::Moves(made), others);
        };
        let mut legal = Vec::new();
        state.legal(who, &mut legal);
        let key = keys[who.index()];
        let strategy = self.strategies[&key].clone();
        let own = who == self.updated;
        let mut values = Vec::new();
        for (&action, p) in legal.iter().zip(&strategy) {
            made.push((who, action));
            values.push(self.choice(state, keys, rest, made, if own { others } else { others * p }));
            made.pop();
        }
        let value: f64 = values.iter().zip(&strategy).map(|(v, p)| v * p).sum();
        let zeros = || vec![0.0; legal.len()];
        let entry = if own { &mut self.regrets } else { &mut self.sums }.entry(key).or_insert_with(zeros);
        for (i, x) in entry.iter_mut().enumerate() {
            *x += others * if own { values[i] - value } else { strategy[i] };
        }
        value
    }
}

/// A decision of a game: where it is met for the first time.
struct Place {
    seat: Player,
    events: Vec<Event>,
    key: Key,
    legal: usize,
}

/// All information sets, in the order in which a walk meets them.
fn decisions(game: &dyn Model) -> Vec<Place> {
    fn walk(
        game: &dyn Model,
        state: &dyn World,
        keys: [Key; 2],
        events: &[Vec<Event>; 2],
        out: &mut Vec<Place>,
    ) {
        for who in state.turn().players().iter() {
            let key = keys[who.index()];
            if out.iter().all(|place| place.key != key) {
                let mut legal = Vec::new();
                state.legal(who, &mut legal);
                out.push(Place { seat: who, events: events[who.index()].clone(), key, legal: legal.len() });
            }
        }
        crate::kit::steps::each_step(state, None, |step, _| {
            let next = state.after(step);
            let mut events = events.clone();
            for who in Player::all(2) {
                events[who.index()].extend(events_of(game, state, step, Observer::Seat(who)));
            }
            walk(game, &*next, keys_after(game, keys, state, step), &events, out);
        });
    }
    let mut out = Vec::new();
    walk(game, &*game.start(), start_keys(), &Default::default(), &mut out);
    out
}

/// Regret matching as the textbook has it.
fn matched(regrets: &[f64], epsilon: f64) -> Vec<f64> {
    let sum: f64 = regrets.iter().filter(|r| **r > 0.0).sum();
    let uniform = 1.0 / regrets.len() as f64;
    let of = |r: &f64| if sum > 0.0 { r.max(0.0) / sum } else { uniform };
    regrets.iter().map(|r| (1.0 - epsilon) * of(r) + epsilon * uniform).collect()
}

/// A game with all its information sets in the table and random regrets in them.
struct Trial {
    game: Arc<dyn Model>,
    settings: Settings,
    places: Vec<Place>,
    regrets: HashMap<Key, Vec<f64>>,
    search: Search,
}

impl Trial {
    fn new(game: &Arc<dyn Model>, settings: Settings, seed: u64) -> Trial {
        let settings = Settings { expansion: Expansion::All, ..settings };
        let mut search = Search::new(game, settings);
        let mut script = Script::default();
        loop {
            script.begin();
            search.iterate(Player(0), false, &mut script);
            if !script.advance() {
                break;
            }
        }
        let places = decisions(&**game);
        let mut rng = Seed(seed).stream(Purpose::Sampling);
        let random = |place: &Place| (place.key, (0..place.legal).map(|_| rng.unit() - 0.4).collect());
        let regrets = places.iter().map(random).collect();
        Trial { game: Arc::clone(game), settings, places, regrets, search }
    }

    fn reset(&mut self) {
        for (key, regrets) in &self.regrets {
            self.search.table.teach(*key, regrets);
        }
    }

    /// The mean of what an iteration adds over the exact distribution of samples: regrets and sums.
    fn mean(&mut self, updated: Player) -> (PerSet, PerSet) {
        let (mut regrets, mut sums) = (PerSet::new(), PerSet::new());
        let mut total = 0.0;
        for biased in [false, true] {
            let share = if biased { self.search.delta } else { 1.0 - self.search.delta };
            if share == 0.0 {
                continue;
            }
            let mut script = Script::default();
            loop {
                self.reset();
                script.begin();
                self.search.iterate(updated, biased, &mut script);
                let p = share * script.probability;
                if p > 0.0 {
                    total += p;
                    for place in &self.places {
                        let (after, sum) = self.search.table.learnt(place.key).unwrap();
                        let add = |to: &mut PerSet, values: Vec<f64>| {
                            let entry = to.entry(place.key).or_insert_with(|| vec![0.0; place.legal]);
                            entry.iter_mut().zip(values).for_each(|(e, v)| *e += p * v);
                        };
                        let before = &self.regrets[&place.key];
                        let added = after.iter().zip(before).map(|(a, b)| a - b).collect();
                        add(
                            if place.seat == updated { &mut regrets } else { &mut sums },
                            match place.seat {
                                seat if seat == updated => added,
                                _ => sum,
                            },
                        );
                    }
                }
                if !script.advance() {
                    break;
                }
            }
        }
        assert!((total - 1.0).abs() < 1e-9, "the probabilities of all samples add up to {total}");
        (regrets, sums)
    }

    /// What full sweeps add.
    fn exact(&self, updated: Player) -> (PerSet, PerSet) {
        let epsilon = self.settings.epsilon;
        let strategies = self.regrets.iter().map(|(key, r)| (*key, matched(r, epsilon))).collect();
        let (regrets, sums) = (PerSet::new(), PerSet::new());
        let mut sweep = Sweep { game: &*self.game, updated, strategies: &strategies, regrets, sums };
        sweep.value(&*self.game.start(), start_keys(), 1.0);
        (sweep.regrets, sweep.sums)
    }

    /// By how much the mean of the samples is off, regrets and sums.
    fn errors(&mut self, scale: f64) -> (f64, f64) {
        let mut worst = (0.0_f64, 0.0_f64);
        for updated in Player::all(2) {
            let (mean, exact) = (self.mean(updated), self.exact(updated));
            let off = |mean: &PerSet, exact: &PerSet| {
                assert_eq!(mean.len(), exact.len());
                let pairs = mean.values().flatten().zip(exact.values().flatten());
                pairs.map(|(m, e)| (m - scale * e).abs()).fold(0.0, f64::max)
            };
            worst = (worst.0.max(off(&mean.0, &exact.0)), worst.1.max(off(&mean.1, &exact.1)));
        }
        worst
    }
}

fn settings(epsilon: f64) -> Settings {
    Settings { epsilon, delta: 0.7, ..Settings::default() }
}

fn listed(trial: &Trial, keys: &KeyList) -> Listed {
    Listed::of(&*trial.game, keys, &Budget::default()).unwrap()
}

/// Equilibrium T-10, ER-1: without targeting, and with either half of the probabilities of chance left out.
#[test]
fn t_10_samples_are_unbiased() {
    for epsilon in [0.0, 0.01] {
        let mut trial = Trial::new(&leduc(), settings(epsilon), 1);
        let (regrets, sums) = trial.errors(1.0);
        assert!(regrets < 1e-9 && sums < 1e-9, "{regrets} {sums}");
    }
    for weights in [Weights::Printed, Weights::Half] {
        let mut trial = Trial::new(&leduc(), Settings { weights, ..settings(0.0) }, 1);
        let (regrets, _) = trial.errors(1.0);
        assert!(regrets > 0.01, "{weights:?}: {regrets}");
    }
}

/// Samples that aim at an information set, or at a public state, are unbiased as well, whether the target is
/// listed or told step by step, and however unlikely regret matching makes it (ER-8).
#[test]
fn aimed_samples_are_unbiased() {
    fn check(game: &Arc<dyn Model>, epsilon: f64, stride: usize) {
        let mut trial = Trial::new(game, settings(epsilon), 2);
        for i in (0..trial.places.len()).step_by(stride) {
            let place = &trial.places[i];
            let own = KeyList::of_events(place.seat, &place.events);
            assert_eq!(own.last(), place.key);
            let public = KeyList::of_public(&**game, &own, &Budget::default()).unwrap();
            for keys in [own, public] {
                let list = listed(&trial, &keys);
                for target in [Target::Listed(list), Target::Keys(keys)] {
                    trial.search.aim(target.clone());
                    let (regrets, sums) = trial.errors(1.0);
                    assert!(regrets < 1e-9 && sums < 1e-9, "{i}: {regrets} {sums} {target:?}");
                }
            }
        }
    }
    for epsilon in [0.0, 0.05] {
        check(&Erased::any(KuhnPoker), epsilon, 1);
        check(&non_locality(), epsilon, 1);
        check(&goofspiel(), epsilon, 3);
    }
    check(&leduc(), 0.01, 97);
}

/// Re-weighting multiplies everything by one number, `delta / r + 1 - delta` with the probability `r` that
/// uniform play gets to the information set: in Kuhn poker the second player sees a bet, holding the queen,
/// with 1/3 * 1/2.
#[test]
fn reweighting_is_a_common_factor() {
    let game = Erased::any(KuhnPoker);
    let mut trial = Trial::new(&game, Settings { reweight: true, ..settings(0.01) }, 3);
    trial.reset();
    let bet = infoset(&game, "J Q bet", Player(1));
    let list = listed(&trial, &KeyList::of_events(Player(1), &bet.events));
    assert!((list.reach(&*game, &trial.search.table) - 1.0 / 6.0).abs() < 1e-12);
    trial.search.aim(Target::Listed(list));
    let (regrets, sums) = trial.errors(0.7 * 6.0 + 0.3);
    assert!(regrets < 1e-9 && sums < 1e-9, "{regrets} {sums}");
}

/// A biased sample always gets to a listed target, and to one told step by step only if it does not run into
/// a history that cannot go on to it.
#[test]
fn biased_samples_reach_their_target() {
    let game = goofspiel();
    let mut trial = Trial::new(&game, settings(0.05), 4);
    let mut strays = 0;
    for i in 0..trial.places.len() {
        let (seat, key) = (trial.places[i].seat, trial.places[i].key);
        let keys = KeyList::of_events(seat, &trial.places[i].events);
        for target in [Target::Listed(listed(&trial, &keys)), Target::Keys(keys)] {
            let exact = matches!(target, Target::Listed(_));
            trial.search.aim(target);
            let set = trial.search.table.place(key).unwrap();
            let mut script = Script::default();
            loop {
                trial.reset();
                script.begin();
                trial.search.iterate(seat, true, &mut script);
                let reached = trial.search.path.iter().any(|visit| visit.set == set);
                if script.probability > 0.0 && !reached {
                    assert!(!exact, "{i}");
                    strays += 1;
                }
                if !script.advance() {
                    break;
                }
            }
        }
    }
    assert!(strays > 0, "hidden bids make prefixes that lead nowhere");
}

/// Without a floor under regret matching, a target that the strategies never reach is still sampled (ER-8):
/// the own way there evenly, while a sample that needs what the other never does ends without weight.
#[test]
fn er_8_nothing_on_the_way_has_probability() {
    let game = Erased::any(KuhnPoker);
    let mut trial = Trial::new(&game, settings(0.0), 5);
    let InfoSet { events, key, .. } = infoset(&game, "J Q bet", Player(1));
    for card in ["J", "K"] {
        let table = Table::after(&game, &format!("{card} Q"));
        let first = table.infoset(Player(0)).key;
        // Never bets: actions are check and bet, in this order or the other.
        let bet = game.parse_move("bet").unwrap();
        let legal = legal(&*table.world, Player(0));
        let never = legal.iter().map(|&a| if a == bet { -1.0 } else { 1.0 }).collect();
        trial.regrets.insert(first, never);
    }
    let list = listed(&trial, &KeyList::of_events(Player(1), &events));
    trial.search.aim(Target::Listed(list));
    let (regrets, sums) = trial.errors(1.0);
    assert!(regrets < 1e-9 && sums < 1e-9, "{regrets} {sums}");
    trial.reset();
    let set = trial.search.table.place(key).unwrap();
    let mut streams =
        Streams { sampling: Seed(1).stream(Purpose::Sampling), playout: Seed(1).stream(Purpose::Playout) };
    // Updating the first player, whose own way it is, samples get there; updating the second they die.
    assert!(trial.search.iterate(Player(0), true, &mut streams).is_some());
    assert!(trial.search.iterate(Player(1), true, &mut streams).is_none());
    assert!(trial.search.path.iter().all(|visit| visit.set != set));
}

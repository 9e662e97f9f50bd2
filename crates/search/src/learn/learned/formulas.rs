//! What is learnt, and how it decides in the tree, against second implementations that follow the formulas to the
//! letter: they remember all playouts and count anew at every decision.

use std::sync::Arc;

use fogtree_core::{Erased, Model, Move, Purpose, Seed, Turn, World, WorldStep};
use fogtree_games::dou_di_zhu::{self, DouDiZhu};
use fogtree_games::mnk::{self, SmallMnk};
use fogtree_games::phantom_mnk::{self, Hidden, PhantomMnk};

use super::super::guide::rave_weight;
use super::*;
use crate::ismcts::{Config, Observers, search_once};
use crate::kit::scratch::Scratch;
use crate::testing::{Table, known_in, params};

/// A decision in the tree: where, whose, what was legal, whether all of it had been tried, and the place of the move
/// made among those of the playout.
struct Decided {
    key: u64,
    who: Player,
    legal: Vec<Move>,
    selection: bool,
    made: usize,
}

/// A playout from the root: all decisions in the tree that a guide made, all moves, and how many of these were made
/// in the tree.
struct Played {
    decided: Vec<Decided>,
    moves: Vec<(Player, Move)>,
    in_tree: usize,
    rewards: Vec<f64>,
}

/// A node at which all legal moves have been tried.
struct At<'a> {
    key: u64,
    who: Player,
    visits: u32,
    /// The move before, if it was made in this playout.
    before: Option<(Player, Move)>,
    legal: &'a [Move],
    arms: &'a [Arm],
}

type Formula = Box<dyn Fn(&[Played], &At<'_>) -> Vec<f64> + Send>;

/// What a search learns, with all that it learns from; every choice by values is checked.
struct Watched {
    inner: Learned,
    played: Vec<Played>,
    decided: Vec<Decided>,
    in_tree: usize,
    formula: Formula,
    /// How many choices were checked, and how many of them the tree alone would not have made.
    checked: u32,
    otherwise: u32,
}

impl Knowledge for Watched {
    const LEARNS: bool = true;

    fn restart(&mut self, world: &dyn World) {
        self.decided.clear();
        self.in_tree = 0;
        self.inner.restart(world);
    }

    fn arrive(&mut self, game: &dyn Model, world: &dyn World, who: Player, scratch: &mut Scratch) -> bool {
        self.inner.arrive(game, world, who, scratch)
    }

    fn guides(&self) -> bool {
        self.inner.guides
    }

    fn select(
        &mut self,
        game: &dyn Model,
        place: Place<'_>,
        legal: &[Move],
        arms: &[Arm],
        rng: &mut Rng,
    ) -> usize {
        let before = self.inner.made.last().copied();
        let at = At { key: place.key, who: place.who, visits: place.visits, before, legal, arms };
        let selection = arms.iter().all(|arm| arm.visits > 0);
        let chosen = self.inner.select(game, place, legal, arms, rng);
        if selection {
            let greatest = |values: &[f64]| values.iter().copied().fold(f64::NEG_INFINITY, f64::max);
            let (values, base) = ((self.formula)(&self.played, &at), base(&at));
            let best = greatest(&values);
            assert!(values[chosen] == best || values[chosen] > best - 1e-4, "{chosen} of {values:?}");
            self.checked += 1;
            self.otherwise += u32::from(base[chosen] < greatest(&base) - 1e-4);
        }
        let made = self.in_tree;
        self.decided.push(Decided { key: at.key, who: at.who, legal: legal.to_vec(), selection, made });
        chosen
    }

    fn made(&mut self, game: &dyn Model, who: Player, action: Move) {
        self.in_tree += 1;
        self.inner.made(game, who, action);
    }

    fn step(&mut self, game: &dyn Model, before: &dyn World, step: WorldStep<'_>) {
        self.inner.step(game, before, step);
    }

    fn enter(&mut self, world: &dyn World) {
        self.inner.enter(world);
    }

    fn playout(
        &mut self,
        game: &dyn Model,
        world: &mut dyn World,
        rng: &mut Rng,
        scratch: &mut Scratch,
    ) -> Rewards {
        self.inner.playout(game, world, rng, scratch)
    }

    fn learn(&mut self, rewards: &Rewards) {
        self.played.push(Played {
            decided: std::mem::take(&mut self.decided),
            moves: self.inner.made.clone(),
            in_tree: self.in_tree,
            rewards: rewards.iter().map(|&r| self.inner.scale.value(r)).collect(),
        });
        self.inner.learn(rewards);
    }
}

/// Searches from what the player to move knows in a state.
fn watch(
    game: &Arc<dyn Model>,
    state: &dyn World,
    observers: Observers,
    enhance: &str,
    formula: Formula,
) -> Watched {
    let config = Config { memory: 1 << 26, ..Config::new(observers) };
    let enhance = enhance.parse().unwrap();
    let mut inner = Learned::new(&**game, &enhance, config.select, config.c, 1 << 22);
    (inner.logs, inner.alone) = (true, false);
    let watched = Watched {
        inner,
        played: Vec::new(),
        decided: Vec::new(),
        in_tree: 0,
        formula,
        checked: 0,
        otherwise: 0,
    };
    let Turn::Player(me) = state.turn() else { panic!("somebody is to move") };
    search_once(config, watched, &known_in(game, state, me), 500)
}

/// The tree's own bound: `q / n + c sqrt(ln m / n)`.
fn base(at: &At<'_>) -> Vec<f64> {
    let bound = |arm: &Arm| {
        let n = f64::from(arm.visits);
        f64::from(arm.mean) + 0.7 * (f64::from(arm.available.max(1)).ln() / n).sqrt()
    };
    at.arms.iter().map(bound).collect()
}

/// Spec. 2 with the prefix of length i (`icarus/AMB-16`): at each visit of the node that was a selection, the moves
/// that its player made from there on and that are legal there count; the first of them only if it is to.
fn amaf(played: &[Played], at: &At<'_>, c: f64, first: bool) -> Vec<f64> {
    let mut records = vec![(0.0, 0.0); at.legal.len()];
    for playout in played {
        for node in playout.decided.iter().filter(|d| d.key == at.key && d.selection) {
            let from = node.made + usize::from(!first);
            for &(who, action) in &playout.moves[from..] {
                if who != node.who || !node.legal.contains(&action) {
                    continue;
                }
                if let Ok(place) = at.legal.binary_search(&action) {
                    records[place].0 += playout.rewards[who.index()];
                    records[place].1 += 1.0;
                }
            }
        }
    }
    let all: f64 = records.iter().map(|r| r.1).sum();
    let value =
        |&(q, n): &(f64, f64)| if n == 0.0 { f64::INFINITY } else { q / n + c * (all.ln() / n).sqrt() };
    records.iter().map(value).collect()
}

/// A game without secrets, one in which different moves are legal in different worlds, and one whose moves come
/// again.
fn squares() -> (Arc<dyn Model>, Box<dyn World>) {
    let game = Erased::any(SmallMnk::from_params(&params(&mnk::ABOUT, "")).unwrap());
    let start = game.start();
    (game, start)
}

fn dark() -> (Arc<dyn Model>, Box<dyn World>) {
    let game = Erased::any(PhantomMnk::<Hidden>::from_params(&params(&phantom_mnk::ABOUT, "")).unwrap());
    let start = game.start();
    (game, start)
}

fn cards() -> (Arc<dyn Model>, Box<dyn World>) {
    let params = params(&dou_di_zhu::ABOUT, "ranks=4,copies=2,hand=3");
    let mut table = Table::start(&Erased::any(DouDiZhu::from_params(&params).unwrap()));
    table.draw(&mut Seed(4).stream(Purpose::Deal));
    (table.game, table.world)
}

/// Whether every choice was that of the formula, in all three games and with one observer and several; many were,
/// and the formula made a difference.
fn decides_by(enhance: &str, formula: impl Fn(&[Played], &At<'_>) -> Vec<f64> + Copy + Send + 'static) {
    for observers in [Observers::Single, Observers::Multiple] {
        for (game, state) in [squares(), dark(), cards()] {
            let Watched { checked, otherwise, .. } =
                watch(&game, &*state, observers, enhance, Box::new(formula));
            assert!(checked > 300 && otherwise > checked / 20, "{enhance}: {otherwise} of {checked}");
        }
    }
}

/// Whitehouse 2014, Spec. 2; `icarus/AMB-16`: with and without the move played, with and without exploration.
#[test]
fn amaf_decides_by_its_formula() {
    decides_by("amaf", |played, at| amaf(played, at, 0.7, true));
    decides_by("amaf(c=0)", |played, at| amaf(played, at, 0.0, true));
    decides_by("amaf(played=no)", |played, at| amaf(played, at, 0.7, false));
    decides_by("amaf(played=no,c=0.2)", |played, at| amaf(played, at, 0.2, false));
}

/// Whitehouse 2014, eq. 8.2: the weight is that of the visits of the node.
#[test]
fn rave_decides_by_its_formula() {
    fn rave(played: &[Played], at: &At<'_>, k: f64, first: bool) -> Vec<f64> {
        let l = rave_weight(k, at.visits.into());
        let all = amaf(played, at, 0.7, first);
        all.iter().zip(base(at)).map(|(amaf, base)| l * amaf + (1.0 - l) * base).collect()
    }
    decides_by("rave(k=40)", |played, at| rave(played, at, 40.0, true));
    decides_by("rave(k=5,played=no)", |played, at| rave(played, at, 5.0, false));
}

/// Nijssen and Winands 2011: the bound plus `W h / (n - s + 1)`, where h is the mean reward of the action's player
/// in all playouts in which it was made, as often as it was, and n - s counts the losses of the move here.
#[test]
fn progressive_history_decides_by_its_formula() {
    fn history(played: &[Played], at: &At<'_>, w: f64) -> Vec<f64> {
        let mean = |action: Move| {
            let rewards = played.iter().flat_map(|p| {
                let times = p.moves.iter().filter(|m| **m == (at.who, action)).count();
                std::iter::repeat_n(p.rewards[at.who.index()], times)
            });
            let (sum, n) = rewards.fold((0.0, 0.0), |(sum, n), r| (sum + r, n + 1.0));
            if n == 0.0 { 0.0 } else { sum / n }
        };
        let of = |((&action, arm), base): ((&Move, &Arm), f64)| {
            let losses = f64::from(arm.visits) * (1.0 - f64::from(arm.mean));
            base + w * mean(action) / (losses + 1.0)
        };
        at.legal.iter().zip(at.arms).zip(base(at)).map(of).collect()
    }
    decides_by("history", |played, at| history(played, at, 3.0));
    decides_by("history(w=0.5)", |played, at| history(played, at, 0.5));
}

/// `icarus/3.5`: from 1/2 over the means of the action anywhere and after the move before to that of the node. Where
/// everything is seen the move before is the same for everybody.
#[test]
fn fuzzy_boundaries_decide_by_their_formula() {
    fn fuzzy(played: &[Played], at: &At<'_>, length: u8, k: f64) -> Vec<f64> {
        let of = |((&action, arm), base): ((&Move, &Arm), f64)| {
            let mut v = 0.5;
            for n in 1..=length {
                if n == 2 && at.before.is_none() {
                    continue;
                }
                let (mut trials, mut sum) = (0.0, 0.0);
                for playout in played {
                    for (i, _) in playout.moves.iter().enumerate().filter(|(_, m)| **m == (at.who, action)) {
                        let before = i.checked_sub(1).map(|i| playout.moves[i]);
                        if n == 1 || before == at.before {
                            (trials, sum) = (trials + 1.0, sum + playout.rewards[at.who.index()]);
                        }
                    }
                }
                v = (sum + k * v) / (trials + k);
            }
            let (n, q) = (f64::from(arm.visits), f64::from(arm.mean));
            base - q + (n * q + k * v) / (n + k)
        };
        at.legal.iter().zip(at.arms).zip(base(at)).map(of).collect()
    }
    decides_by("fuzzy(n=1,k=20)", |played, at| fuzzy(played, at, 1, 20.0));
    for k in [5.0, 40.0] {
        let (game, start) = squares();
        let by: Formula = Box::new(move |played, at| fuzzy(played, at, 2, k));
        let watched =
            watch(&game, &*start, Observers::Multiple, &format!("fuzzy(k={k}) > nast(backoff=1)"), by);
        assert!(watched.checked > 300 && watched.otherwise > watched.checked / 20);
    }
}

/// The number of trials and the mean that a part of values holds for an action, after the player has made another
/// one in the playout, if it has.
fn held(
    watched: &mut Watched,
    game: &dyn Model,
    who: Player,
    before: Option<Move>,
    action: Move,
) -> (u32, f64) {
    let Learned { parts, sight, tools, .. } = &mut watched.inner;
    let [Part::Values(values)] = &mut parts[..] else { panic!("there is one component") };
    values.restart();
    if let Some(before) = before {
        values.made(game, who, before, true);
    }
    values.arrive(game, sight, who);
    values.gather(&[action], &mut tools.infos);
    (tools.infos[0].n, tools.infos[0].mean.into())
}

fn assert_held((n, mean): (u32, f64), rewards: &[f64], what: &str) {
    let expected = rewards.iter().sum::<f64>() / rewards.len().max(1) as f64;
    assert!(n as usize == rewards.len() && (mean - expected).abs() < 1e-4, "{what}: {n} {mean} {rewards:?}");
}

/// Every move of some playouts, once.
fn distinct(played: &[Played]) -> Vec<(Player, Move)> {
    let mut all: Vec<_> = played.iter().flat_map(|p| p.moves.iter().copied()).collect();
    all.sort_unstable();
    all.dedup();
    all
}

/// Finnsson and Björnsson's tree-only MAST (Whitehouse 2014, §8.2.3): the moves of selection and expansion count,
/// those of the simulation do not.
#[test]
fn tree_only_mast_learns_from_the_tree_only() {
    fn check(game: &Arc<dyn Model>, state: &dyn World) {
        for enhance in ["to-mast", "base > to-mast(policy=ucb1) > to-mast(policy=ucb1)"] {
            let mut watched = watch(game, state, Observers::Multiple, enhance, Box::new(|_, at| base(at)));
            let (mut in_tree, mut below) = (0, 0);
            for (who, action) in distinct(&watched.played) {
                let mut rewards = Vec::new();
                for playout in &watched.played {
                    for (i, _) in playout.moves.iter().enumerate().filter(|(_, m)| **m == (who, action)) {
                        match i < playout.in_tree {
                            true => rewards.push(playout.rewards[who.index()]),
                            false => below += 1,
                        }
                    }
                }
                in_tree += rewards.len();
                assert_held(held(&mut watched, &**game, who, None, action), &rewards, enhance);
            }
            assert!(in_tree > 300 && below > 300, "{in_tree} moves in the tree and {below} below it");
        }
    }
    for (game, state) in [squares(), dark(), cards()] {
        check(&game, &*state);
    }
}

/// Contextual search (`icarus/2.4`): the record is an unordered pair of actions of one player in one playout; what
/// the player did last says which pairs decide.
#[test]
fn tiles_are_unordered_pairs_of_one_players_actions() {
    fn check(game: &Arc<dyn Model>, state: &dyn World) -> usize {
        let mut watched = watch(game, state, Observers::Multiple, "tiles", Box::new(|_, at| base(at)));
        let (all, mut twice) = (distinct(&watched.played), 0);
        for &(who, one) in &all {
            for &(_, other) in all.iter().filter(|m| m.0 == who) {
                let mut rewards = Vec::new();
                for playout in &watched.played {
                    let own: Vec<_> = playout.moves.iter().filter(|m| m.0 == who).map(|m| m.1).collect();
                    for (i, &a) in own.iter().enumerate() {
                        for &b in &own[i + 1..] {
                            if (a, b) == (one, other) || (b, a) == (one, other) {
                                rewards.push(playout.rewards[who.index()]);
                            }
                        }
                    }
                }
                twice += if one == other { rewards.len() } else { 0 };
                assert_held(held(&mut watched, &**game, who, Some(one), other), &rewards, "tiles");
            }
        }
        twice
    }
    let (game, start) = squares();
    assert_eq!(check(&game, &*start), 0, "a square is taken once");
    let (game, state) = cards();
    assert!(check(&game, &*state) > 50, "one can pass again and again");
}

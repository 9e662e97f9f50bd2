//! The laws of a game, by brute force, for the micro games and for random trees.

use std::collections::{HashMap, HashSet};

use fogtree_core::{Key, Keys, Purpose, Seed};

use super::super::*;
use super::micro_game;
use crate::kuhn_poker::KuhnPoker;

/// Every node with the keys of all observers and the probability of chance.
fn walk(tree: &Tree) -> Vec<(State, Keys, f64)> {
    let mut nodes = vec![(tree.start(), Keys::start(tree.players.len()), 1.0)];
    let mut next = 0;
    while let Some(&(state, keys, chance)) = nodes.get(next) {
        next += 1;
        let mut go = |step: Step<'_, Tree>, p: f64| {
            let mut after = state;
            tree.apply(&mut after, step);
            nodes.push((after, keys.after(tree, &state, step), chance * p));
        };
        match tree.turn(&state) {
            Turn::Chance => {
                let mut outcomes = Vec::new();
                tree.chance(&state, &mut outcomes);
                outcomes.iter().for_each(|(o, p)| go(Step::Chance(o), *p));
            }
            Turn::Player(who) => {
                let mut actions = Vec::new();
                tree.actions(&state, who, &mut actions);
                assert!(!actions.is_empty() && actions.is_sorted_by(|a, b| a < b));
                actions.iter().for_each(|&a| go(Step::Moves(&[(who, a)]), 1.0));
            }
            _ => {}
        }
    }
    nodes
}

pub(super) fn check_laws(tree: &Tree) {
    let nodes = walk(tree);
    assert_eq!(nodes.len(), tree.size());
    let mut rng = Seed(7).stream(Purpose::Sampling);
    for by in Observer::all(tree.players.len()) {
        let mut groups: HashMap<Key, Vec<(State, f64)>> = HashMap::new();
        for (state, keys, chance) in &nodes {
            groups.entry(keys.of(by)).or_default().push((*state, *chance));
        }
        let mut all_known = HashSet::new();
        for mut group in groups.into_values() {
            let known = tree.info(&group[0].0, by);
            assert!(all_known.insert(known), "two keys, one Info");
            assert!(group.iter().all(|(s, _)| tree.info(s, by) == known), "one key, two Info");
            if let Some(who) = by.seat() {
                let legal = |s: &State| {
                    let mut actions = Vec::new();
                    if tree.turn(s) == Turn::Player(who) {
                        tree.actions(s, who, &mut actions);
                    }
                    actions
                };
                assert!(group.iter().all(|(s, _)| legal(s) == legal(&group[0].0)), "legal actions");
                if tree.turn(&group[0].0) == Turn::Player(who) {
                    let set = tree.infoset(group[0].0).unwrap();
                    let set = tree.infosets.iter().find(|s| s.label == set).unwrap();
                    assert_eq!(group.len(), set.size as usize, "the tree's own information set");
                    assert!(group.iter().all(|(s, _)| tree.infoset(*s) == Some(&set.label)));
                }
            }
            assert!(tree.facts.hidden || group.len() == 1, "nothing is hidden");
            let total: f64 = group.iter().map(|(_, p)| p).sum();
            let mut listed = Vec::new();
            assert!(tree.enumerate(&known, &mut listed));
            listed.sort_by_key(|(s, _)| s.0);
            group.sort_by_key(|(s, _)| s.0);
            assert_eq!(listed.len(), group.len());
            for ((a, share), (b, p)) in listed.iter().zip(&group) {
                assert_eq!(a, b);
                assert!((share - p / total).abs() < 1e-12);
            }
            let mut sampler = tree.sampler(&known);
            let mut state = tree.start();
            for _ in 0..20 {
                assert_eq!(tree.sample(&mut sampler, &mut rng, &mut state), 1.0);
                assert!(group.iter().any(|(s, _)| *s == state));
            }
            let written = serde_json::to_string(&known).unwrap();
            assert_eq!(serde_json::from_str::<Info>(&written).unwrap(), known);
            assert!(!tree.view(&known).is_empty());
        }
    }
    for name in &tree.actions {
        let action = tree.parse_action(name).unwrap();
        assert_eq!(&tree.action_name(action), name);
        assert!(tree.code(action) < tree.codes().unwrap() as u64);
    }
    assert!(tree.outcomes.iter().all(|name| tree.outcome_name(&tree.parse_outcome(name).unwrap()) == *name));
}

#[test]
fn the_laws_hold_for_the_micro_games() {
    for (name, text) in micro::ALL {
        let tree = Tree::read(text).unwrap_or_else(|e| panic!("{name}: {e}"));
        check_laws(&tree);
    }
    check_laws(&Tree::of(&*fogtree_core::Erased::any(KuhnPoker), 100).unwrap());
}

#[test]
fn worlds_are_drawn_as_often_as_chance_allows() {
    let tree = Tree::read(
        "EFG 2 R \"\" { \"p\" }
         c \"\" 1 \"\" { \"a\" 1/2 \"b\" 1/8 \"c\" 3/8 } 0
         p \"\" 1 1 \"I\" { \"m\" } 0 t \"\" 0
         p \"\" 1 1 0 t \"\" 0
         t \"\" 0",
    )
    .unwrap();
    check_laws(&tree);
    let mut state = tree.start();
    tree.apply(&mut state, Step::Chance(&tree.parse_outcome("b").unwrap()));
    let mut sampler = tree.sampler(&tree.info(&state, Observer::Seat(Player(0))));
    let mut rng = Seed(2).stream(Purpose::Sampling);
    let mut other = state;
    let hits = (0..50_000).filter(|_| {
        tree.sample(&mut sampler, &mut rng, &mut other);
        other == state
    });
    let share = hits.count() as f64 / 50_000.0;
    assert!((share - 0.2).abs() < 0.01, "a was four times as likely: {share}");
}

#[test]
fn what_came_from_elsewhere_does_no_harm() {
    let tree = micro_game("ismcts-b");
    let mut rng = Seed(0).stream(Purpose::Sampling);
    for by in [Observer::Public, Observer::Seat(Player(1)), Observer::Seat(Player(9))] {
        let known = Info { by, class: u32::MAX - 1 };
        let mut state = tree.start();
        assert_eq!(tree.sample(&mut tree.sampler(&known), &mut rng, &mut state), 0.0);
        assert!(tree.enumerate(&known, &mut Vec::new()));
        tree.view(&known);
    }
    for words in [&[][..], &[u64::MAX], &[0, 1, 2, 3, 1 << 40]] {
        tree.explain(&Observation::words(words), Observer::Public);
    }
    for name in ["", "nonsense", "a1 ", "99999999999999999999", "\u{1f600}"] {
        assert_eq!(tree.parse_action(name), None);
        assert_eq!(tree.parse_outcome(name), None);
    }
}

/// A random tree in which players remember: the label of an information set is all that its player did and
/// saw, and a bit of chance.
struct Grower {
    rng: Rng,
    draft: build::Draft,
    sets: HashMap<String, u32>,
    watched: bool,
}

impl Grower {
    fn grow(&mut self, depth: u32, past: &[String; 3], to: Option<(usize, String)>) {
        let Some((who, label)) = to else {
            if depth > 0 && self.rng.below(3) > 0 {
                let count = 1 + self.rng.below(4);
                let p = 1.0 / f64::from(count);
                self.branches(depth, past, None, count, p);
            } else {
                let rewards = (0..3).map(|_| f64::from(self.rng.below(7)) / 6.0 - 0.5).collect();
                self.draft.push(build::Sketch::End(rewards)).unwrap();
            }
            return;
        };
        let count = 1 + label.bytes().fold(7u32, |h, b| h.wrapping_mul(31).wrapping_add(u32::from(b))) % 3;
        let next = self.draft.infosets.len() as u32;
        let set = *self.sets.entry(label.clone()).or_insert(next);
        if set == next {
            self.draft.infosets.push((Player(who as u8), Some(label)));
        }
        self.branches(depth, past, Some((who, set)), count, 1.0);
    }

    fn branches(&mut self, depth: u32, past: &[String; 3], mover: Option<(usize, u32)>, count: u32, p: f64) {
        let mut children = Vec::new();
        let mut branches = Vec::new();
        for i in 0..count {
            let name = format!("m{i}");
            let seen: Players = match self.watched {
                true => (0..3).filter(|_| self.rng.below(3) == 0).map(Player).collect(),
                false => Players::default(),
            };
            let to = (depth > 1 && self.rng.below(4) > 0).then(|| self.rng.below(3) as usize);
            let mut after = past.clone();
            let mut label = None;
            for (q, past) in after.iter_mut().enumerate() {
                let own = mover.is_some_and(|(who, _)| who == q);
                if own {
                    *past += &format!(" own {name}");
                }
                let mut sees = String::new();
                if seen.contains(Player(q as u8)) && !own {
                    sees += &format!("{name}{}", mover.is_some());
                }
                if to == Some(q) {
                    sees += &format!("@{}", self.rng.below(2));
                }
                if !sees.is_empty() {
                    *past += &format!(" sees {sees}");
                }
                if to == Some(q) {
                    label = Some((q, format!("{q}:{past}")));
                }
            }
            branches.push(self.draft.branch(&name, p, seen));
            children.push((after, label));
        }
        let sketch = match mover {
            None => build::Sketch::Chance(branches),
            Some((_, set)) => build::Sketch::Decision(set, branches),
        };
        self.draft.push(sketch).unwrap();
        for (past, label) in children {
            self.grow(depth.saturating_sub(1), &past, label);
        }
    }
}

pub(super) fn random_tree(seed: u64, watched: bool) -> Tree {
    let players = ["a", "b", "c"].map(String::from).to_vec();
    let mut grower = Grower {
        rng: Seed(seed).stream(Purpose::Deal),
        draft: build::Draft::new("random \"tree\" \\", "two\nlines", players),
        sets: HashMap::new(),
        watched,
    };
    grower.grow(5, &Default::default(), None);
    grower.draft.finish().unwrap()
}

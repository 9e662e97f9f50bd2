//! Sheets that are games we also have in Rust: both are walked in step.

mod common;

use std::collections::HashMap;

use common::{joint, legal, own, percepts};
use fogtree_core::{
    Key, Keys, Notation, Observer, Params, Player, Purpose, Rng, Rules, Seed, Spec, Step, Turn,
};
use fogtree_games::{connect_four, kuhn_poker, mnk, phantom_mnk};
use fogtree_gdl::interpreter::State;
use fogtree_gdl::{Interpreter, Reasoner};

/// A game in Rust beside its sheet.
struct Pair<R> {
    rules: R,
    sheet: Interpreter,
    /// The role of each seat in the sheet.
    roles: [usize; 2],
    /// The move of the sheet for the name of an action.
    action: fn(&str) -> String,
    /// The move of the sheet for the name of an outcome in a state of the sheet.
    outcome: fn(&[String], &str) -> String,
    /// The goal for a reward.
    goal: fn(f64) -> f64,
    /// Keys of information sets and what the role of the sheet has done and perceived: one to one.
    sets: [(HashMap<Key, String>, HashMap<String, Key>); 2],
}

/// What chance draws or who does what, and the joint move of the sheet that this is.
type Way<R> = (Option<<R as Rules>::Outcome>, Option<(Player, <R as Rules>::Action)>, Vec<String>);

struct Node<R: Notation> {
    rules: R::State,
    keys: Keys,
    sheet: State,
    histories: [String; 2],
}

impl<R: Notation> Clone for Node<R> {
    fn clone(&self) -> Self {
        Node {
            rules: self.rules.clone(),
            keys: self.keys,
            sheet: self.sheet.clone(),
            histories: self.histories.clone(),
        }
    }
}

impl<R: Notation> Pair<R> {
    fn start(&self) -> Node<R> {
        Node {
            rules: self.rules.start(),
            keys: Keys::start(2),
            sheet: self.sheet.initial().unwrap(),
            histories: Default::default(),
        }
    }

    /// Checks that both are at the same place and lists the ways on: steps with the joint moves they are.
    fn ways(&mut self, node: &Node<R>) -> Vec<Way<R>> {
        let turn = self.rules.turn(&node.rules);
        let over = turn == Turn::Terminal;
        assert_eq!(self.sheet.terminal(&node.sheet), Ok(over));
        if over {
            let rewards = self.rules.rewards(&node.rules);
            for p in Player::all(2) {
                let goal = f64::from(self.sheet.goal(&node.sheet, self.roles[p.index()]).unwrap());
                assert_eq!(goal, (self.goal)(rewards[p]));
            }
            return Vec::new();
        }
        let moves: Vec<Vec<String>> =
            (0..self.sheet.roles().len()).map(|r| legal(&self.sheet, &node.sheet, r)).collect();
        let with = |role: usize, text: String| -> Vec<String> {
            moves
                .iter()
                .enumerate()
                .map(|(r, m)| {
                    if r == role {
                        text.clone()
                    } else {
                        assert_eq!(m.len(), 1, "{m:?}");
                        m[0].clone()
                    }
                })
                .collect()
        };
        let mut ways = Vec::new();
        let mut expected = Vec::new();
        let mover = match turn {
            Turn::Chance => {
                let mut outcomes = Vec::new();
                self.rules.chance(&node.rules, &mut outcomes);
                let random = self.sheet.random_role().unwrap();
                let share = 1.0 / outcomes.len() as f64;
                for (outcome, probability) in outcomes {
                    assert!((probability - share).abs() < 1e-12, "chance of a sheet is uniform");
                    let text = (self.outcome)(
                        &common::fluents(&self.sheet, &node.sheet),
                        &self.rules.outcome_name(&outcome),
                    );
                    expected.push(text.clone());
                    ways.push((Some(outcome), None, with(random, text)));
                }
                random
            }
            Turn::Player(p) => {
                let set = &mut self.sets[p.index()];
                let (key, history) = (node.keys.of(Observer::Seat(p)), &node.histories[p.index()]);
                assert_eq!(
                    set.0.entry(key).or_insert_with(|| history.clone()),
                    history,
                    "told apart by the sheet only"
                );
                assert_eq!(*set.1.entry(history.clone()).or_insert(key), key, "told apart by the rules only");
                let mut actions = Vec::new();
                self.rules.actions(&node.rules, p, &mut actions);
                for action in actions {
                    let text = (self.action)(&self.rules.action_name(action));
                    expected.push(text.clone());
                    ways.push((None, Some((p, action)), with(self.roles[p.index()], text)));
                }
                self.roles[p.index()]
            }
            other => panic!("{other:?}"),
        };
        let mut here = moves[mover].clone();
        here.sort();
        expected.sort();
        assert_eq!(here, expected);
        ways
    }

    fn go(&self, node: &Node<R>, way: &Way<R>) -> Node<R> {
        let mut next = node.clone();
        let moves: Vec<(Player, R::Action)> = way.1.into_iter().collect();
        let step: Step<'_, R> = way.0.as_ref().map_or(Step::Moves(&moves), Step::Chance);
        next.keys = node.keys.after(&self.rules, &node.rules, step);
        self.rules.apply(&mut next.rules, step);
        let texts: Vec<&str> = way.2.iter().map(String::as_str).collect();
        let joint = joint(&self.sheet, &texts);
        next.sheet = self.sheet.next(&node.sheet, &joint).unwrap();
        for (seat, &role) in self.roles.iter().enumerate() {
            let seen = percepts(&self.sheet, &node.sheet, &joint, role);
            let seen = if self.sheet.is_open() { way.2.clone() } else { seen };
            next.histories[seat].push_str(&format!("/{} {seen:?}", texts[role]));
        }
        next
    }

    /// Walks everything; how many nodes there are.
    fn walk(&mut self, node: &Node<R>) -> usize {
        let ways = self.ways(node);
        ways.iter().map(|way| self.walk(&self.go(node, way))).sum::<usize>() + 1
    }

    fn play(&mut self, rng: &mut Rng) {
        let mut node = self.start();
        loop {
            let ways = self.ways(&node);
            if ways.is_empty() {
                return;
            }
            node = self.go(&node, &ways[rng.below(ways.len() as u32) as usize]);
        }
    }
}

fn pair<R: Notation>(
    rules: R,
    sheet: &str,
    roles: [usize; 2],
    action: fn(&str) -> String,
    goal: fn(f64) -> f64,
) -> Pair<R> {
    Pair {
        rules,
        sheet: own(sheet),
        roles,
        action,
        outcome: |_, name| name.to_string(),
        goal,
        sets: Default::default(),
    }
}

fn params(about: &'static fogtree_core::About, spec: &str) -> Params {
    let spec: Spec = spec.parse().unwrap();
    about.params(&spec).unwrap()
}

#[test]
fn kuhn_poker_is_the_same_game() {
    let mut both = pair(kuhn_poker::KuhnPoker, "kuhn-poker", [1, 2], str::to_string, |r| 50.0 + 25.0 * r);
    both.outcome = |fluents, name| {
        let card = match name {
            "J" => "jack",
            "Q" => "queen",
            _ => "king",
        };
        let to = if fluents.iter().any(|f| f == "(phase (dealto first))") { "first" } else { "second" };
        format!("(deal {to} {card})")
    };
    // 1 + 3 deals to the first, 6 to the second, then 6 times the betting: check or bet, four answers, two more.
    let start = both.start();
    assert_eq!(both.walk(&start), 1 + 3 + 6 + 6 * (2 + 4 + 2));
    assert_eq!(both.sets.each_ref().map(|s| s.0.len()), [6, 6], "Kuhn poker has six information sets each");
}

#[test]
fn phantom_tic_tac_toe_is_the_same_game() {
    let spec = "phantom-mnk(failed=announced,opening=centre)";
    let rules: phantom_mnk::PhantomMnk<phantom_mnk::Announced> =
        phantom_mnk::PhantomMnk::from_params(&params(&phantom_mnk::ABOUT, spec)).unwrap();
    let cell = |name: &str| {
        let column = name.as_bytes()[0] - b'a' + 1;
        format!("(mark {} {column})", &name[1..])
    };
    let mut both = pair(rules, "phantom-tic-tac-toe", [0, 1], cell, |r| r * 100.0);
    let mut rng = Seed(8).stream(Purpose::Playout);
    for _ in 0..1500 {
        both.play(&mut rng);
    }
    assert!(both.sets[0].0.len() > 2_000);
}

#[test]
fn tic_tac_toe_and_connect_four_are_the_same_games() {
    let mut rng = Seed(9).stream(Purpose::Playout);
    let rules: mnk::Mnk<1> = mnk::Mnk::from_params(&params(&mnk::ABOUT, "mnk")).unwrap();
    let cell = |name: &str| format!("(mark {} {})", &name[1..], name.as_bytes()[0] - b'a' + 1);
    let mut both = pair(rules, "tic-tac-toe", [0, 1], cell, |r| r * 100.0);
    for _ in 0..200 {
        both.play(&mut rng);
    }
    let rules =
        connect_four::ConnectFour::from_params(&params(&connect_four::ABOUT, "connect-four")).unwrap();
    let mut both = pair(rules, "connect-four", [0, 1], |name| format!("(drop {name})"), |r| r * 100.0);
    for _ in 0..60 {
        both.play(&mut rng);
    }
}

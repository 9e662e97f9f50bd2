//! The network: ground rules as gates over the bits of fluents and moves, with everything constant removed.

use crate::propnet::Refusal;
use crate::propnet::components::components;
use crate::propnet::constants::{self, Values};
use crate::propnet::gates::{Circle, Gates, Wire};
use crate::propnet::ground::Ground;
use crate::term::{TermId, Terms};

/// Something that may be derived for a role, and the wire that says whether it is.
pub(super) type Answer = (TermId, Wire);

/// What a sheet has become. Fluents, moves and answers are in the order of [`Terms::compare`].
#[derive(Debug)]
pub(super) struct Network {
    pub(super) roles: Vec<TermId>,
    /// Fluents that change; node `1 + i` is fluent `i`.
    pub(super) fluents: Vec<TermId>,
    /// Fluents that hold in every state.
    pub(super) always: Vec<TermId>,
    /// The moves of each role; their nodes follow those of the fluents.
    pub(super) moves: Vec<Vec<TermId>>,
    /// For each fluent, whether it holds at first.
    pub(super) initial: Vec<bool>,
    /// For each fluent, whether it holds next.
    pub(super) next: Vec<Wire>,
    /// For each role and move, whether it is legal.
    pub(super) legal: Vec<Vec<Wire>>,
    pub(super) terminal: Wire,
    pub(super) goals: Vec<Vec<Answer>>,
    pub(super) sees: Vec<Vec<Answer>>,
    /// What each gate is the conjunction of. Gates come after their inputs, except for latches.
    pub(super) inputs: Vec<Box<[Wire]>>,
    pub(super) circles: Vec<Circle>,
}

impl Network {
    /// The node of the first move of each role, and the one after all moves.
    pub(super) fn first_moves(&self) -> Vec<usize> {
        let mut at = 1 + self.fluents.len();
        let mut firsts = vec![at];
        firsts.extend(self.moves.iter().map(|m| {
            at += m.len();
            at
        }));
        firsts
    }

    /// The first node that is neither fluent nor move.
    pub(super) fn first_gate(&self) -> usize {
        1 + self.fluents.len() + self.moves.iter().map(Vec::len).sum::<usize>()
    }

    pub(super) fn new(ground: &Ground, terms: &Terms) -> Result<Network, Refusal> {
        Builder::new(ground, terms)?.run(terms)
    }
}

struct Builder<'a> {
    ground: &'a Ground,
    values: Values,
    components: Vec<Vec<u32>>,
    /// The instances of each fact.
    rules: Vec<Vec<u32>>,
    wires: Vec<Option<Wire>>,
}

impl<'a> Builder<'a> {
    fn new(ground: &'a Ground, terms: &Terms) -> Result<Builder<'a>, Refusal> {
        let (facts, instances) = (&ground.facts, &ground.instances);
        let mut rules = vec![Vec::new(); facts.len()];
        let mut edges: Vec<Vec<u32>> = vec![Vec::new(); facts.len()];
        for i in 0..instances.len() {
            let head = instances.head(i) as usize;
            rules[head].push(i as u32);
            edges[head].extend(instances.body(i).iter().map(|c| c.fact()));
        }
        for e in &mut edges {
            e.sort_unstable();
            e.dedup();
        }
        let components = components(facts.len(), |f| &edges[f]);
        let mut circular = vec![false; facts.len()];
        let mut component_of = vec![0u32; facts.len()];
        for (number, component) in components.iter().enumerate() {
            for &fact in component {
                component_of[fact as usize] = number as u32;
                circular[fact as usize] = component.len() > 1;
            }
        }
        for i in 0..instances.len() {
            let head = instances.head(i);
            let own = |fact: u32| component_of[fact as usize] == component_of[head as usize];
            if instances.body(i).iter().any(|c| c.fails() && own(c.fact())) {
                let symbol = facts.relations[facts.relation_of(head)].symbol;
                return Err(Refusal::Unstratified(terms.symbols().name(symbol).into()));
            }
        }
        let values = constants::values(ground, &circular);
        Ok(Builder { ground, values, components, rules, wires: vec![None; facts.len()] })
    }

    fn run(mut self, terms: &Terms) -> Result<Network, Refusal> {
        let ground = self.ground;
        let (facts, k) = (&ground.facts, &ground.keywords);
        let (mut fluents, mut always) = (Vec::new(), Vec::new());
        for &fact in facts.of(k.holds) {
            match self.values.constant(fact) {
                None => fluents.push(facts.args(fact)[0]),
                Some(true) => always.push(facts.args(fact)[0]),
                Some(false) => {}
            }
        }
        terms.sort(&mut fluents);
        terms.sort(&mut always);
        let of_role = |relation, role: TermId| -> Vec<TermId> {
            let can = |&f: &u32| facts.args(f)[0] == role && self.values.can_hold(f);
            let mut all: Vec<_> =
                facts.of(relation).iter().copied().filter(can).map(|f| facts.args(f)[1]).collect();
            terms.sort(&mut all);
            all
        };
        let per_role = |relation| -> Vec<Vec<TermId>> {
            ground.roles.iter().map(|&role| of_role(relation, role)).collect()
        };
        let (moves, goals, sees) = (per_role(k.legal), per_role(k.goal), per_role(k.sees));
        let mut gates = Gates::new(fluents.len(), &moves.iter().map(Vec::len).collect::<Vec<_>>());
        let inputs = fluents.iter().map(|&f| facts.get(k.holds, &[f])).chain(
            ground
                .roles
                .iter()
                .zip(&moves)
                .flat_map(|(&role, moves)| moves.iter().map(move |&m| facts.get(k.does, &[role, m]))),
        );
        for (node, fact) in (1..).zip(inputs) {
            if let Some(fact) = fact {
                self.wires[fact as usize] = Some(Wire::new(node));
            }
        }
        self.build(&mut gates);
        let wire = |relation, args: &[TermId]| {
            facts.get(relation, args).and_then(|f| self.wires[f as usize]).unwrap_or(Wire::FALSE)
        };
        let answers = |relation, all: &[Vec<TermId>]| -> Vec<Vec<Answer>> {
            let one = |(&role, terms): (&TermId, &Vec<TermId>)| {
                terms
                    .iter()
                    .map(|&t| (t, wire(relation, &[role, t])))
                    .filter(|a| a.1 != Wire::FALSE)
                    .collect()
            };
            ground.roles.iter().zip(all).map(one).collect()
        };
        let legal = ground
            .roles
            .iter()
            .zip(&moves)
            .map(|(&role, moves)| moves.iter().map(|&m| wire(k.legal, &[role, m])).collect())
            .collect();
        Ok(Network {
            roles: ground.roles.clone(),
            initial: fluents.iter().map(|f| ground.initial.contains(f)).collect(),
            next: fluents.iter().map(|&f| wire(k.next, &[f])).collect(),
            legal,
            terminal: wire(k.terminal, &[]),
            goals: answers(k.goal, &goals),
            sees: answers(k.sees, &sees),
            fluents,
            always,
            moves,
            inputs: gates.inputs,
            circles: gates.circles,
        })
    }

    /// Gives every fact that matters its wire.
    fn build(&mut self, gates: &mut Gates) {
        let needed = self.needed();
        for component in std::mem::take(&mut self.components) {
            let open: Vec<u32> =
                component.into_iter().filter(|&f| self.is_open(f) && needed[f as usize]).collect();
            match open[..] {
                [] => {}
                [fact] => self.wires[fact as usize] = Some(self.define(fact, gates)),
                _ => {
                    let latches: Vec<usize> = open.iter().map(|_| gates.latch().node()).collect();
                    for (&fact, &latch) in open.iter().zip(&latches) {
                        self.wires[fact as usize] = Some(Wire::new(latch));
                    }
                    let start = gates.len();
                    let definitions: Vec<Wire> = open.iter().map(|&f| self.define(f, gates)).collect();
                    gates.circles.push(Circle {
                        latches: latches.into_iter().zip(definitions).collect(),
                        gates: start..gates.len(),
                    });
                }
            }
        }
        for fact in 0..self.wires.len() {
            if let Some(value) = self.values.constant(fact as u32) {
                self.wires[fact] = Some(if value { Wire::TRUE } else { Wire::FALSE });
            }
        }
    }

    /// Whether a fact's value changes and comes from rules.
    fn is_open(&self, fact: u32) -> bool {
        let relation = self.ground.facts.relation_of(fact);
        let input = [self.ground.keywords.holds, self.ground.keywords.does].contains(&relation);
        !input && self.values.constant(fact).is_none()
    }

    /// The facts that some answer depends on.
    fn needed(&self) -> Vec<bool> {
        let (facts, k) = (&self.ground.facts, &self.ground.keywords);
        let mut needed = vec![false; facts.len()];
        let answers = [k.next, k.legal, k.goal, k.terminal, k.sees];
        let mut todo: Vec<u32> = answers.iter().flat_map(|&r| facts.of(r)).copied().collect();
        while let Some(fact) = todo.pop() {
            if !self.is_open(fact) || std::mem::replace(&mut needed[fact as usize], true) {
                continue;
            }
            let bodies =
                self.rules[fact as usize].iter().flat_map(|&i| self.ground.instances.body(i as usize));
            todo.extend(bodies.map(|c| c.fact()));
        }
        needed
    }

    fn define(&self, fact: u32, gates: &mut Gates) -> Wire {
        let mut products = Vec::new();
        'rules: for &i in &self.rules[fact as usize] {
            let mut product = Vec::new();
            for condition in self.ground.instances.body(i as usize) {
                let wire = match self.values.constant(condition.fact()) {
                    Some(true) => Wire::TRUE,
                    Some(false) => Wire::FALSE,
                    None => self.wires[condition.fact() as usize].unwrap_or(Wire::FALSE),
                };
                match if condition.fails() { !wire } else { wire } {
                    Wire::FALSE => continue 'rules,
                    Wire::TRUE => {}
                    wire => product.push(wire),
                }
            }
            products.push(product);
        }
        gates.sum(products)
    }
}

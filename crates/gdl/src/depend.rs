//! Which relation depends on which, and the order in which they can be derived.

use rustc_hash::FxHashMap;

use crate::normal::{Condition, Rule};
use crate::sheet::Atom;
use crate::symbol::Symbol;

/// A relation: its name with its number of arguments.
pub type Name = (Symbol, usize);

/// A use of one relation in a rule for another.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Use {
    /// The relation that is used.
    pub of: usize,
    /// Whether it is under `not`.
    pub negative: bool,
    /// The rule.
    pub rule: usize,
    /// The place of the condition in the rule's body.
    pub condition: usize,
}

/// The relations of some rules and how they hang together.
#[derive(Clone, Debug)]
pub struct Dependencies {
    /// The relations, by number.
    pub relations: Vec<Name>,
    /// For each relation, what the rules that derive it use.
    pub uses: Vec<Vec<Use>>,
    /// For each rule, where in the uses of its head its own ones are.
    by_rule: Vec<std::ops::Range<usize>>,
    /// For each relation, the rules that derive it.
    pub rules: Vec<Vec<usize>>,
    /// For each relation, the component it is in.
    pub component: Vec<usize>,
    /// Relations that depend on one another, together; what a component depends on comes before it.
    pub components: Vec<Vec<usize>>,
    numbers: FxHashMap<Name, usize>,
}

fn name(atom: &Atom) -> Name {
    (atom.relation, atom.args.len())
}

impl Dependencies {
    /// The dependencies in these rules.
    pub fn of(rules: &[Rule]) -> Dependencies {
        let mut all = Dependencies {
            relations: Vec::new(),
            uses: Vec::new(),
            by_rule: Vec::with_capacity(rules.len()),
            rules: Vec::new(),
            component: Vec::new(),
            components: Vec::new(),
            numbers: FxHashMap::default(),
        };
        for (at, rule) in rules.iter().enumerate() {
            let head = all.add(name(&rule.head));
            all.rules[head].push(at);
            let start = all.uses[head].len();
            for (condition, literal) in rule.body.iter().enumerate() {
                let (atom, negative) = match literal {
                    Condition::Holds(atom) => (atom, false),
                    Condition::Fails(atom) => (atom, true),
                    Condition::Differ(..) => continue,
                };
                let of = all.add(name(atom));
                all.uses[head].push(Use { of, negative, rule: at, condition });
            }
            all.by_rule.push(start..all.uses[head].len());
        }
        all.find_components();
        all
    }

    fn add(&mut self, name: Name) -> usize {
        *self.numbers.entry(name).or_insert_with(|| {
            self.relations.push(name);
            self.uses.push(Vec::new());
            self.rules.push(Vec::new());
            self.relations.len() - 1
        })
    }

    /// The number of a relation.
    pub fn get(&self, name: Name) -> Option<usize> {
        self.numbers.get(&name).copied()
    }

    /// The number of the relation of an atom of these rules.
    pub fn relation(&self, atom: &Atom) -> usize {
        self.numbers[&name(atom)]
    }

    /// What one rule, which derives this relation, uses.
    pub fn uses_of(&self, head: usize, rule: usize) -> &[Use] {
        &self.uses[head][self.by_rule[rule].clone()]
    }

    /// Tarjan's algorithm, with a stack of its own.
    fn find_components(&mut self) {
        const NEW: usize = usize::MAX;
        let n = self.relations.len();
        let (mut number, mut low, mut on_stack) = (vec![NEW; n], vec![0; n], vec![false; n]);
        let (mut stack, mut next) = (Vec::new(), 0);
        self.component = vec![0; n];
        for root in 0..n {
            if number[root] != NEW {
                continue;
            }
            let mut path = vec![(root, 0)];
            while let Some(&mut (v, ref mut edge)) = path.last_mut() {
                if *edge == 0 {
                    (number[v], low[v]) = (next, next);
                    next += 1;
                    stack.push(v);
                    on_stack[v] = true;
                }
                if let Some(used) = self.uses[v].get(*edge) {
                    *edge += 1;
                    let w = used.of;
                    if number[w] == NEW {
                        path.push((w, 0));
                    } else if on_stack[w] {
                        low[v] = low[v].min(number[w]);
                    }
                    continue;
                }
                if low[v] == number[v] {
                    let start = stack.iter().rposition(|&w| w == v).expect("a vertex is on its own stack");
                    let mut members = stack.split_off(start);
                    members.sort_unstable();
                    for &w in &members {
                        on_stack[w] = false;
                        self.component[w] = self.components.len();
                    }
                    self.components.push(members);
                }
                path.pop();
                if let Some(&(parent, _)) = path.last() {
                    low[parent] = low[parent].min(low[v]);
                }
            }
        }
    }

    /// Whether a relation depends on itself, directly or through others.
    pub fn recursive(&self, relation: usize) -> bool {
        self.components[self.component[relation]].len() > 1
            || self.uses[relation].iter().any(|used| used.of == relation)
    }

    /// For each relation, whether it is one of these or depends on one of them.
    pub fn dependent_on(&self, names: &[Name]) -> Vec<bool> {
        let mut marked: Vec<bool> = self.relations.iter().map(|name| names.contains(name)).collect();
        for members in &self.components {
            let any = members.iter().any(|&r| marked[r] || self.uses[r].iter().any(|used| marked[used.of]));
            for &r in members {
                marked[r] |= any;
            }
        }
        marked
    }

    /// For each relation, whether it is one of these or one of them depends on it.
    pub fn needed_for(&self, names: &[Name]) -> Vec<bool> {
        let mut marked: Vec<bool> = self.relations.iter().map(|name| names.contains(name)).collect();
        for members in self.components.iter().rev() {
            let any = members.iter().any(|&r| marked[r]);
            for &r in members {
                marked[r] |= any;
                if any {
                    for used in &self.uses[r] {
                        marked[used.of] = true;
                    }
                }
            }
        }
        marked
    }

    /// The uses under `not` of a relation by one that it depends on itself: such rules have no meaning.
    pub fn unstratified(&self) -> impl Iterator<Item = Use> {
        self.uses.iter().enumerate().flat_map(move |(r, uses)| {
            uses.iter().copied().filter(move |u| u.negative && self.component[u.of] == self.component[r])
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Sheet, normal};

    #[test]
    fn what_is_needed_comes_first() {
        let sheet = Sheet::read(
            "(<= p q (not r)) (<= q s) (<= s q) (<= s t) (<= r (true a)) (<= u u) t (<= goal p) (<= lonely (not p))",
        )
        .unwrap();
        let all = Dependencies::of(&normal::rules(&sheet).unwrap());
        let of = |text: &str, args| all.get((sheet.symbols.get(text).unwrap(), args)).unwrap();
        for (later, earlier) in [("p", "q"), ("p", "r"), ("q", "t"), ("goal", "p")] {
            assert!(all.component[of(later, 0)] > all.component[of(earlier, 0)], "{later} {earlier}");
        }
        assert_eq!(all.component[of("q", 0)], all.component[of("s", 0)]);
        let recursive: Vec<_> = ["p", "q", "r", "s", "u"].iter().map(|r| all.recursive(of(r, 0))).collect();
        assert_eq!(recursive, [false, true, false, true, true]);
        let state = all.dependent_on(&[(Symbol::TRUE, 1)]);
        assert!(state[of("goal", 0)] && state[of("r", 0)] && !state[of("q", 0)]);
        let needed = all.needed_for(&[(Symbol::GOAL, 0)]);
        assert!(
            needed[of("t", 0)] && needed[of("true", 1)] && !needed[of("lonely", 0)] && !needed[of("u", 0)]
        );
        assert_eq!(all.unstratified().count(), 0);
        let sheet = Sheet::read("(<= p q) (<= q (not p))").unwrap();
        assert_eq!(Dependencies::of(&normal::rules(&sheet).unwrap()).unstratified().count(), 1);
    }
}

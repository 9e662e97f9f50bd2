//! Which facts never change: an abstract run of the game in which every fact collects the values it can have.
//!
//! It begins with the initial state; whatever could be next could come true, whatever could be legal could be done
//! or not. What ends with one value only is a constant.

use crate::propnet::ground::Ground;
use crate::term::TermId;

/// The values that each fact can have.
#[derive(Debug)]
pub(super) struct Values {
    values: Vec<u8>,
}

const FALSE: u8 = 1;
const TRUE: u8 = 2;

impl Values {
    /// The only value that a fact ever has.
    pub(super) fn constant(&self, fact: u32) -> Option<bool> {
        match self.values[fact as usize] {
            TRUE => Some(true),
            FALSE | 0 => Some(false),
            _ => None,
        }
    }

    pub(super) fn can_hold(&self, fact: u32) -> bool {
        self.values[fact as usize] & TRUE != 0
    }
}

/// Finds the constants. Facts in `circular` depend on themselves and are taken to be able to fail.
pub(super) fn values(ground: &Ground, circular: &[bool]) -> Values {
    let (facts, instances, k) = (&ground.facts, &ground.instances, &ground.keywords);
    let count = facts.len();
    let mut run = Run {
        values: vec![0; count],
        changed: Vec::new(),
        to_fire: (0..instances.len()).map(|i| instances.body(i).len() as u32).collect(),
        can_fail: vec![false; instances.len()],
        to_fail: vec![0; count],
    };
    let mut uses: Vec<u32> = vec![0; count + 1];
    for i in 0..instances.len() {
        run.to_fail[instances.head(i) as usize] += 1;
        instances.body(i).iter().for_each(|c| uses[c.fact() as usize + 1] += 1);
    }
    for fact in 0..count {
        uses[fact + 1] += uses[fact];
    }
    let mut at = uses.clone();
    let mut users = vec![(0u32, false); uses[count] as usize];
    for i in 0..instances.len() {
        for c in instances.body(i) {
            let place = &mut at[c.fact() as usize];
            users[*place as usize] = (i as u32, c.fails());
            *place += 1;
        }
    }
    for fact in 0..count as u32 {
        let relation = facts.relation_of(fact);
        if relation == k.holds {
            let fluent = facts.args(fact)[0];
            run.add(fact, if ground.initial.contains(&fluent) { TRUE } else { FALSE });
            if facts.get(k.next, &[fluent]).is_none_or(|f| !facts.is_derived(f)) {
                run.add(fact, FALSE);
            }
        } else if relation == k.does || circular[fact as usize] || run.to_fail[fact as usize] == 0 {
            run.add(fact, FALSE);
        }
    }
    for i in 0..instances.len() {
        if run.to_fire[i] == 0 {
            run.add(instances.head(i), TRUE);
        }
    }
    let linked = |fact: u32| -> Option<u32> {
        let relation = facts.relation_of(fact);
        let args: &[TermId] = facts.args(fact);
        match relation {
            r if r == k.next => facts.get(k.holds, args),
            r if r == k.legal => facts.get(k.does, args),
            _ => None,
        }
    };
    while let Some((fact, value)) = run.changed.pop() {
        for &(i, fails) in &users[uses[fact as usize] as usize..uses[fact as usize + 1] as usize] {
            let head = instances.head(i as usize);
            let i = i as usize;
            if (value == TRUE) != fails {
                run.to_fire[i] -= 1;
                if run.to_fire[i] == 0 {
                    run.add(head, TRUE);
                }
            } else if !std::mem::replace(&mut run.can_fail[i], true) {
                run.to_fail[head as usize] -= 1;
                if run.to_fail[head as usize] == 0 {
                    run.add(head, FALSE);
                }
            }
        }
        if let Some(fact) = linked(fact).filter(|&f| facts.is_derived(f)) {
            run.add(fact, value);
        }
    }
    Values { values: run.values }
}

struct Run {
    values: Vec<u8>,
    changed: Vec<(u32, u8)>,
    /// Conditions of each instance that cannot be satisfied yet.
    to_fire: Vec<u32>,
    /// Whether some condition of the instance can be unsatisfied.
    can_fail: Vec<bool>,
    /// Instances for each fact that cannot fail yet.
    to_fail: Vec<u32>,
}

impl Run {
    fn add(&mut self, fact: u32, value: u8) {
        if self.values[fact as usize] & value == 0 {
            self.values[fact as usize] |= value;
            self.changed.push((fact, value));
        }
    }
}

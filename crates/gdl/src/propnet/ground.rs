//! Grounding: every fluent, move and derived fact that could ever hold, and every rule instance about them.
//!
//! Relations that depend on neither state nor moves are evaluated once and for all, stratum by stratum, and vanish
//! from the instances. For the others a superset is found: what could hold if `not` were always satisfied, fluents
//! coming from `init` and `next`, moves from `legal`. New facts are taken one at a time; each is put into every
//! condition that it fits, and the other conditions are joined in the order that promises the fewest rows. Every
//! instance is found once, when the last of its facts comes.

use std::collections::VecDeque;
use std::time::Instant;

use rustc_hash::FxHashSet;

use crate::normal::{self, Rule};
use crate::propnet::components::components;
use crate::propnet::facts::{Facts, RelationId, Tuple, ViewId};
use crate::propnet::plan::{self, Columns, Plan, Planner, Step, Template};
use crate::propnet::split::split;
use crate::propnet::{Budget, Refusal};
use crate::sheet::Sheet;
use crate::symbol::Symbol;
use crate::term::{TermId, Terms};

/// Rules with more conditions than this are refused: joins go as deep as rules are long.
pub(super) const MAX_CONDITIONS: usize = 500;

/// A condition of a rule instance: a fact's number, and whether it must not hold.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub(super) struct Condition(u32);

impl Condition {
    fn new(fact: u32, fails: bool) -> Condition {
        Condition(fact << 1 | u32::from(fails))
    }

    #[inline]
    pub(super) fn fact(self) -> u32 {
        self.0 >> 1
    }

    #[inline]
    pub(super) fn fails(self) -> bool {
        self.0 & 1 == 1
    }
}

/// The instances of rules, without the facts that always hold.
#[derive(Debug, Default)]
pub(super) struct Instances {
    heads: Vec<u32>,
    ends: Vec<u32>,
    conditions: Vec<Condition>,
}

impl Instances {
    pub(super) fn len(&self) -> usize {
        self.heads.len()
    }

    pub(super) fn head(&self, at: usize) -> u32 {
        self.heads[at]
    }

    pub(super) fn body(&self, at: usize) -> &[Condition] {
        let start = if at == 0 { 0 } else { self.ends[at - 1] as usize };
        &self.conditions[start..self.ends[at] as usize]
    }

    fn push(&mut self, head: u32, body: impl Iterator<Item = Condition>) {
        let start = self.conditions.len();
        self.conditions.extend(body);
        self.conditions[start..].sort_unstable();
        let mut end = start;
        for at in start..self.conditions.len() {
            if at == start || self.conditions[at] != self.conditions[end - 1] {
                self.conditions[end] = self.conditions[at];
                end += 1;
            }
        }
        self.conditions.truncate(end);
        let body = &self.conditions[start..];
        let circular = body.contains(&Condition::new(head, false));
        if circular || body.windows(2).any(|w| w[0].fact() == w[1].fact()) {
            self.conditions.truncate(start);
            return;
        }
        self.heads.push(head);
        self.ends.push(end as u32);
    }
}

/// The relations that mean something, by number.
#[derive(Clone, Copy, Debug)]
pub(super) struct Keywords {
    pub(super) role: RelationId,
    pub(super) init: RelationId,
    pub(super) holds: RelationId,
    pub(super) does: RelationId,
    pub(super) next: RelationId,
    pub(super) legal: RelationId,
    pub(super) goal: RelationId,
    pub(super) terminal: RelationId,
    pub(super) sees: RelationId,
    base: RelationId,
    input: RelationId,
}

impl Keywords {
    fn new(facts: &mut Facts) -> Keywords {
        Keywords {
            role: facts.relation(Symbol::ROLE, 1),
            init: facts.relation(Symbol::INIT, 1),
            holds: facts.relation(Symbol::TRUE, 1),
            does: facts.relation(Symbol::DOES, 2),
            next: facts.relation(Symbol::NEXT, 1),
            legal: facts.relation(Symbol::LEGAL, 2),
            goal: facts.relation(Symbol::GOAL, 2),
            terminal: facts.relation(Symbol::TERMINAL, 0),
            sees: facts.relation(Symbol::SEES, 2),
            base: facts.relation(Symbol::BASE, 1),
            input: facts.relation(Symbol::INPUT, 2),
        }
    }
}

/// A sheet without variables.
#[derive(Debug)]
pub(super) struct Ground {
    pub(super) facts: Facts,
    pub(super) keywords: Keywords,
    pub(super) roles: Vec<TermId>,
    pub(super) initial: FxHashSet<TermId>,
    pub(super) instances: Instances,
    /// Whether fluents and moves were confined to those that the sheet declares with `base` and `input`.
    pub(super) confined: bool,
}

/// What is done to have few facts and instances.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Economy {
    /// Rules are split.
    Split,
    /// Nothing, since splitting can also lead to more.
    None,
    /// Rules are split, and fluents and moves are confined to those declared.
    Confined,
}

/// Grounds a sheet, with its rules split; if it is too large then, as it is written; if it still is, the
/// declarations `base` and `input` are believed, if there are any.
pub(super) fn ground(sheet: &Sheet, terms: &Terms, budget: &Budget) -> Result<Ground, Refusal> {
    let rules = normal::rules(sheet)?;
    let declares = |symbol| rules.iter().any(|r| r.head.relation == symbol);
    let began = Instant::now();
    let mut attempts = vec![Economy::Split, Economy::None];
    if declares(Symbol::BASE) && declares(Symbol::INPUT) {
        attempts.push(Economy::Confined);
    }
    let mut left = attempts.len() as u32;
    for &economy in &attempts {
        let time = budget.time.saturating_sub(began.elapsed()) / left;
        left -= 1;
        match Grounder::new(sheet, &rules, terms, &Budget { time, ..*budget }, economy)?.run() {
            Err(refusal) if refusal.is_budget() && left > 0 => {}
            Err(Refusal::Time(_)) => break,
            other => return other,
        }
    }
    Err(Refusal::Time(budget.time))
}

struct Grounder<'a> {
    terms: &'a Terms,
    budget: &'a Budget,
    began: Instant,
    work: u64,
    facts: Facts,
    keywords: Keywords,
    templates: Vec<Template>,
    /// Relations that depend on the state or the moves.
    dynamic: Vec<bool>,
    confined: bool,
    queue: VecDeque<u32>,
    instances: Instances,
    /// Instances found and not yet entered: values of variables, then facts of conditions.
    found: Vec<u32>,
}

impl<'a> Grounder<'a> {
    fn new(
        sheet: &Sheet,
        rules: &[Rule],
        terms: &'a Terms,
        budget: &'a Budget,
        economy: Economy,
    ) -> Result<Grounder<'a>, Refusal> {
        let mut facts = Facts::default();
        let keywords = Keywords::new(&mut facts);
        let mut templates = Vec::with_capacity(rules.len());
        for rule in rules {
            if rule.body.len() > MAX_CONDITIONS {
                return Err(Refusal::TooLong { span: sheet.clauses[rule.clause].span });
            }
            let template = Template::of(rule, &mut facts, terms)?;
            if let Some(v) = template.unsafe_variable() {
                return Err(Refusal::Unsafe {
                    variable: sheet.name(rule.variables[v as usize]).into(),
                    span: sheet.clauses[rule.clause].span,
                });
            }
            if [keywords.holds, keywords.does].contains(&template.head.relation) {
                return Err(Refusal::Misplaced {
                    relation: sheet.name(rule.head.relation).into(),
                    span: rule.head.span,
                });
            }
            templates.push(template);
        }
        if economy != Economy::None {
            templates = split(templates, &mut facts);
        }
        Ok(Grounder {
            terms,
            budget,
            began: Instant::now(),
            work: 0,
            facts,
            keywords,
            templates,
            dynamic: Vec::new(),
            confined: economy == Economy::Confined,
            queue: VecDeque::new(),
            instances: Instances::default(),
            found: Vec::new(),
        })
    }

    fn run(mut self) -> Result<Ground, Refusal> {
        self.keep_what_is_needed();
        let strata = self.strata()?;
        for stratum in &strata {
            self.evaluate(stratum, false)?;
        }
        let argument = |grounder: &Grounder<'_>, relation| -> Vec<TermId> {
            grounder.facts.of(relation).iter().map(|&f| grounder.facts.args(f)[0]).collect()
        };
        let (roles, initial) = (argument(&self, self.keywords.role), argument(&self, self.keywords.init));
        for &fluent in &initial {
            self.derive(self.keywords.holds, &Tuple::from_slice(&[fluent]));
        }
        let dynamic: Vec<RelationId> = (0..self.facts.relations.len()).filter(|&r| self.dynamic[r]).collect();
        self.evaluate(&dynamic, true)?;
        let Grounder { facts, keywords, instances, confined, .. } = self;
        let initial = initial.into_iter().collect();
        Ok(Ground { facts, keywords, roles, initial, instances, confined })
    }

    /// Drops the rules that no question leads to.
    fn keep_what_is_needed(&mut self) {
        let k = self.keywords;
        let mut todo = vec![k.role, k.init, k.next, k.legal, k.goal, k.terminal, k.sees];
        if self.confined {
            todo.extend([k.base, k.input]);
        }
        let mut needed = vec![false; self.facts.relations.len()];
        while let Some(relation) = todo.pop() {
            if !std::mem::replace(&mut needed[relation], true) {
                let bodies = self.templates.iter().filter(|t| t.head.relation == relation);
                todo.extend(bodies.flat_map(|t| t.holds.iter().chain(&t.fails)).map(|l| l.relation));
            }
        }
        self.templates.retain(|t| needed[t.head.relation]);
    }

    /// The relations that depend on nothing but rules, in the order in which they can be evaluated.
    fn strata(&mut self) -> Result<Vec<Vec<RelationId>>, Refusal> {
        let count = self.facts.relations.len();
        let mut edges = vec![Vec::new(); count];
        for template in &self.templates {
            let body = template.holds.iter().chain(&template.fails);
            edges[template.head.relation].extend(body.map(|l| l.relation as u32));
        }
        let all = components(count, |r| &edges[r]);
        let mut component_of = vec![0; count];
        self.dynamic = vec![false; count];
        let mut strata = Vec::new();
        let k = &self.keywords;
        let asked = [k.holds, k.does, k.next, k.legal, k.goal, k.terminal, k.sees];
        for (number, component) in all.iter().enumerate() {
            let relations: Vec<RelationId> = component.iter().map(|&r| r as usize).collect();
            relations.iter().for_each(|&r| component_of[r] = number);
            let dynamic = relations
                .iter()
                .any(|&r| asked.contains(&r) || edges[r].iter().any(|&e| self.dynamic[e as usize]));
            relations.iter().for_each(|&r| self.dynamic[r] |= dynamic);
            if !dynamic {
                strata.push(relations);
            }
        }
        for keyword in [self.keywords.role, self.keywords.init, self.keywords.base, self.keywords.input] {
            if self.dynamic[keyword] {
                return Err(Refusal::Dependent(self.name(keyword)));
            }
        }
        for template in self.templates.iter().filter(|t| !self.dynamic[t.head.relation]) {
            let own = component_of[template.head.relation];
            if template.fails.iter().any(|l| component_of[l.relation] == own) {
                return Err(Refusal::Unstratified(self.name(template.head.relation)));
            }
        }
        Ok(strata)
    }

    fn name(&self, relation: RelationId) -> String {
        self.terms.symbols().name(self.facts.relations[relation].symbol).into()
    }

    /// Derives everything about some relations that depend on one another.
    fn evaluate(&mut self, relations: &[RelationId], record: bool) -> Result<(), Refusal> {
        let growing: FxHashSet<RelationId> = relations.iter().copied().collect();
        let dynamic = std::mem::take(&mut self.dynamic);
        let mut planner = Planner {
            facts: &mut self.facts,
            terms: self.terms,
            growing: &|r| growing.contains(&r),
            complete: &|r| !dynamic[r],
        };
        let (mut once, mut views) = (Vec::new(), Vec::new());
        for (number, rule) in self.templates.iter().enumerate() {
            if !growing.contains(&rule.head.relation) {
                continue;
            }
            let new: Vec<usize> =
                (0..rule.holds.len()).filter(|&l| growing.contains(&rule.holds[l].relation)).collect();
            if new.is_empty() {
                once.push(planner.plan(number, rule, None));
            }
            for literal in new {
                let (view, _) = planner.view(&rule.holds[literal]);
                views.push((view, planner.plan(number, rule, Some(literal))));
            }
        }
        let mut plans: Vec<Vec<Plan>> = vec![Vec::new(); self.facts.views.len()];
        views.into_iter().for_each(|(view, plan)| plans[view].push(plan));
        self.dynamic = dynamic;
        for plan in &once {
            self.join(plan, None, record)?;
        }
        let mut rows: Vec<(ViewId, u32)> = Vec::new();
        while let Some(fact) = self.queue.pop_front() {
            self.check()?;
            rows.clear();
            self.facts.show(fact, self.terms, |view, row| rows.push((view, row)));
            for &(view, row) in &rows {
                for plan in plans.get(view).map_or(&[][..], Vec::as_slice) {
                    self.join(plan, Some((view, row)), record)?;
                }
            }
            self.follow(fact);
        }
        Ok(())
    }

    /// What could be next could come true; what could be legal could be done.
    fn follow(&mut self, fact: u32) {
        let relation = self.facts.relation_of(fact);
        let (k, args) = (self.keywords, Tuple::from_slice(self.facts.args(fact)));
        let declared =
            |relation, args: &Tuple| self.facts.get(relation, args).is_some_and(|f| self.facts.is_derived(f));
        if relation == k.next && (!self.confined || declared(k.base, &args)) {
            self.derive(k.holds, &args);
        } else if relation == k.legal
            && declared(k.role, &Tuple::from_slice(&args[..1]))
            && (!self.confined || declared(k.input, &args))
        {
            self.derive(k.does, &args);
        }
    }

    fn derive(&mut self, relation: RelationId, args: &Tuple) -> u32 {
        let fact = self.facts.number(relation, args);
        if self.facts.derive(fact) {
            self.queue.push_back(fact);
        }
        fact
    }

    /// Enters the instances that a plan finds.
    fn join(&mut self, plan: &Plan, new: Option<(ViewId, u32)>, record: bool) -> Result<(), Refusal> {
        let rule = &self.templates[plan.rule];
        let mut join = Join {
            facts: &self.facts,
            terms: self.terms,
            binding: vec![TermId(u32::MAX); rule.variables],
            chosen: vec![u32::MAX; rule.holds.len()],
            new: u32::MAX,
            found: std::mem::take(&mut self.found),
            room: (self.budget.instances - self.instances.len().min(self.budget.instances)) as u64,
            work: 0,
            late: self.began + self.budget.time,
        };
        join.found.clear();
        if let (Some((view, row)), Some((literal, columns))) = (new, &plan.begin) {
            let view = &self.facts.views[view];
            if !join.take(view.row(row), columns) {
                self.found = join.found;
                return Ok(());
            }
            join.new = view.facts[row as usize];
            join.chosen[*literal] = join.new;
        }
        let outcome = join.run(&plan.steps);
        let Join { found, work, .. } = join;
        self.work += work;
        self.found = found;
        outcome.map_err(|stop| self.refuse(stop))?;
        self.enter(plan.rule, record)
    }

    fn refuse(&self, stop: Stop) -> Refusal {
        match stop {
            Stop::Time => Refusal::Time(self.budget.time),
            Stop::Instances => Refusal::Instances(self.budget.instances),
            Stop::Terms(e) => e.into(),
        }
    }

    fn enter(&mut self, rule: usize, record: bool) -> Result<(), Refusal> {
        let found = std::mem::take(&mut self.found);
        let (variables, holds) = (self.templates[rule].variables, self.templates[rule].holds.len());
        let width = (variables + holds).max(1);
        let mut binding = Vec::with_capacity(variables);
        for chunk in found.chunks_exact(width) {
            binding.clear();
            binding.extend(chunk[..variables].iter().map(|&v| TermId(v)));
            let template = &self.templates[rule];
            let head = plan::values(&template.head.args, &binding, self.terms)?;
            let head = self.derive(template.head.relation, &head);
            if !record {
                continue;
            }
            let template = &self.templates[rule];
            let mut body: smallvec::SmallVec<[Condition; 12]> = chunk[variables..][..holds]
                .iter()
                .filter(|&&f| self.dynamic[self.facts.relation_of(f)])
                .map(|&f| Condition::new(f, false))
                .collect();
            for literal in template.fails.iter().filter(|l| self.dynamic[l.relation]) {
                let args = plan::values(&literal.args, &binding, self.terms)?;
                body.push(Condition::new(self.facts.number(literal.relation, &args), true));
            }
            self.instances.push(head, body.into_iter());
            self.check()?;
        }
        self.found = found;
        Ok(())
    }

    fn check(&mut self) -> Result<(), Refusal> {
        if self.facts.len() > self.budget.facts {
            return Err(Refusal::Facts(self.budget.facts));
        }
        if self.instances.len() > self.budget.instances {
            return Err(Refusal::Instances(self.budget.instances));
        }
        self.work += 1;
        if self.work & 0x3ff == 0 && self.began.elapsed() > self.budget.time {
            return Err(Refusal::Time(self.budget.time));
        }
        Ok(())
    }
}

enum Stop {
    Time,
    Instances,
    Terms(crate::term::TooManyTerms),
}

/// A join under way.
struct Join<'a> {
    facts: &'a Facts,
    terms: &'a Terms,
    binding: Vec<TermId>,
    chosen: Vec<u32>,
    new: u32,
    found: Vec<u32>,
    /// How many more instances may be found.
    room: u64,
    work: u64,
    late: Instant,
}

impl Join<'_> {
    /// Binds the columns of a row; false if they do not agree with what is bound.
    #[inline]
    fn take(&mut self, row: &[TermId], columns: &Columns) -> bool {
        for &(column, variable) in &columns.bind {
            self.binding[variable as usize] = row[column];
        }
        columns.agree.iter().all(|&(column, source)| source.value(&self.binding) == row[column])
    }

    fn run(&mut self, steps: &[Step]) -> Result<(), Stop> {
        let Some((step, rest)) = steps.split_first() else {
            if self.room == 0 {
                return Err(Stop::Instances);
            }
            self.room -= 1;
            let before = self.found.len();
            self.found.extend(self.binding.iter().map(|t| t.0));
            self.found.extend_from_slice(&self.chosen);
            if self.found.len() == before {
                self.found.push(0);
            }
            return Ok(());
        };
        match step {
            Step::Differ(a, b) => {
                let value = |p: &plan::Pattern| p.value(&self.binding, self.terms).map_err(Stop::Terms);
                if value(a)? != value(b)? {
                    self.run(rest)?;
                }
            }
            Step::Absent(literal) => {
                let args = plan::values(&literal.args, &self.binding, self.terms).map_err(Stop::Terms)?;
                let there = self.facts.get(literal.relation, &args);
                if !there.is_some_and(|f| self.facts.is_derived(f)) {
                    self.run(rest)?;
                }
            }
            Step::Join { view, index, key, columns, literal, before } => {
                let view = &self.facts.views[*view];
                let key: Tuple = key.iter().map(|s| s.value(&self.binding)).collect();
                let mut one = |row: u32| -> Result<(), Stop> {
                    self.work += 1;
                    if self.work & 0xfff == 0 && Instant::now() > self.late {
                        return Err(Stop::Time);
                    }
                    let fact = view.facts[row as usize];
                    if (*before && fact == self.new) || !self.take(view.row(row), columns) {
                        return Ok(());
                    }
                    self.chosen[*literal] = fact;
                    self.run(rest)
                };
                match index {
                    None => (0..view.rows()).try_for_each(one)?,
                    Some(index) => view.find(*index, &key).iter().try_for_each(|&row| one(row))?,
                }
            }
        }
        Ok(())
    }
}

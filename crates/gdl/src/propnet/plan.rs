//! How a rule is joined: in which order its conditions are looked up, and with which indexes.

use crate::normal::{Condition, Rule};
use crate::propnet::facts::{Facts, IndexId, RelationId, Shape, Tuple, ViewId};
use crate::sheet::Atom;
use crate::symbol::Symbol;
use crate::term::{Term, TermId, Terms, TooManyTerms};

/// A term of a rule, its ground parts already numbered.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) enum Pattern {
    Variable(u32),
    Constant(TermId),
    Function(Symbol, Vec<Pattern>),
}

impl Pattern {
    fn of(term: &Term, terms: &Terms) -> Result<Pattern, TooManyTerms> {
        Ok(match term {
            Term::Variable(v, _) => Pattern::Variable(v.0),
            Term::Constant(symbol, _) => Pattern::Constant(terms.constant(*symbol)?),
            Term::Compound(symbol, args, _) => {
                let args: Vec<_> = args.iter().map(|a| Pattern::of(a, terms)).collect::<Result<_, _>>()?;
                let ground: Option<Tuple> = args
                    .iter()
                    .map(|a| if let Pattern::Constant(id) = a { Some(*id) } else { None })
                    .collect();
                match ground {
                    Some(ids) => Pattern::Constant(terms.intern(*symbol, &ids)?),
                    None => Pattern::Function(*symbol, args),
                }
            }
        })
    }

    pub(super) fn value(&self, binding: &[TermId], terms: &Terms) -> Result<TermId, TooManyTerms> {
        match self {
            Pattern::Variable(v) => Ok(binding[*v as usize]),
            Pattern::Constant(id) => Ok(*id),
            Pattern::Function(symbol, args) => terms.intern(*symbol, &values(args, binding, terms)?),
        }
    }

    fn shape(&self) -> Shape {
        match self {
            Pattern::Variable(_) | Pattern::Constant(_) => Shape::Hole,
            Pattern::Function(symbol, args) => {
                Shape::Function(*symbol, args.iter().map(Pattern::shape).collect())
            }
        }
    }

    fn leaves<'a>(&'a self, out: &mut Vec<&'a Pattern>) {
        match self {
            Pattern::Variable(_) | Pattern::Constant(_) => out.push(self),
            Pattern::Function(_, args) => args.iter().for_each(|a| a.leaves(out)),
        }
    }

    pub(super) fn each_variable(&self, f: &mut impl FnMut(u32)) {
        match self {
            Pattern::Variable(v) => f(*v),
            Pattern::Constant(_) => {}
            Pattern::Function(_, args) => args.iter().for_each(|a| a.each_variable(f)),
        }
    }
}

pub(super) fn values(args: &[Pattern], binding: &[TermId], terms: &Terms) -> Result<Tuple, TooManyTerms> {
    args.iter().map(|a| a.value(binding, terms)).collect()
}

/// A relation with the patterns of its arguments.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct Literal {
    pub(super) relation: RelationId,
    pub(super) args: Vec<Pattern>,
}

impl Literal {
    fn of(atom: &Atom, facts: &mut Facts, terms: &Terms) -> Result<Literal, TooManyTerms> {
        let args = atom.args.iter().map(|a| Pattern::of(a, terms)).collect::<Result<Vec<_>, _>>()?;
        Ok(Literal { relation: facts.relation(atom.relation, args.len()), args })
    }

    pub(super) fn each_variable(&self, f: &mut impl FnMut(u32)) {
        self.args.iter().for_each(|a| a.each_variable(f));
    }
}

/// A rule made ready for joins.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct Template {
    pub(super) head: Literal,
    pub(super) holds: Vec<Literal>,
    pub(super) fails: Vec<Literal>,
    pub(super) differ: Vec<(Pattern, Pattern)>,
    pub(super) variables: usize,
    /// The clause it comes from.
    pub(super) clause: usize,
}

impl Template {
    pub(super) fn of(rule: &Rule, facts: &mut Facts, terms: &Terms) -> Result<Template, TooManyTerms> {
        let mut template = Template {
            head: Literal::of(&rule.head, facts, terms)?,
            holds: Vec::new(),
            fails: Vec::new(),
            differ: Vec::new(),
            variables: rule.variables.len(),
            clause: rule.clause,
        };
        for condition in &rule.body {
            match condition {
                Condition::Holds(atom) => {
                    let literal = Literal::of(atom, facts, terms)?;
                    if !template.holds.contains(&literal) {
                        template.holds.push(literal);
                    }
                }
                Condition::Fails(atom) => template.fails.push(Literal::of(atom, facts, terms)?),
                Condition::Differ(a, b) => {
                    template.differ.push((Pattern::of(a, terms)?, Pattern::of(b, terms)?));
                }
            }
        }
        Ok(template)
    }

    /// A variable that no condition that holds gives a value to.
    pub(super) fn unsafe_variable(&self) -> Option<u32> {
        let mut bound = vec![false; self.variables];
        self.holds.iter().for_each(|l| l.each_variable(&mut |v| bound[v as usize] = true));
        let mut free = None;
        let mut note = |v: u32| {
            if !bound[v as usize] {
                free = Some(v);
            }
        };
        self.head.each_variable(&mut note);
        self.fails.iter().for_each(|l| l.each_variable(&mut note));
        for (a, b) in &self.differ {
            a.each_variable(&mut note);
            b.each_variable(&mut note);
        }
        free
    }
}

/// What a column must be.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Source {
    Constant(TermId),
    Variable(u32),
}

impl Source {
    #[inline]
    pub(super) fn value(self, binding: &[TermId]) -> TermId {
        match self {
            Source::Constant(id) => id,
            Source::Variable(v) => binding[v as usize],
        }
    }
}

/// How the columns of a row are used: some give variables their values, others must agree.
#[derive(Clone, Default, Debug)]
pub(super) struct Columns {
    pub(super) bind: Vec<(usize, u32)>,
    pub(super) agree: Vec<(usize, Source)>,
}

#[derive(Clone, Debug)]
pub(super) enum Step {
    Join {
        view: ViewId,
        /// No index: all rows.
        index: Option<IndexId>,
        key: Vec<Source>,
        columns: Columns,
        literal: usize,
        /// Whether the fact that began it all is left out, since the rule is tried with it here elsewhere.
        before: bool,
    },
    Differ(Pattern, Pattern),
    Absent(Literal),
}

/// One way to find instances of a rule: all of them, or those with a new fact in a certain condition.
#[derive(Clone, Debug)]
pub(super) struct Plan {
    pub(super) rule: usize,
    pub(super) begin: Option<(usize, Columns)>,
    pub(super) steps: Vec<Step>,
}

/// What is known about relations while plans are made.
pub(super) struct Planner<'a> {
    pub(super) facts: &'a mut Facts,
    pub(super) terms: &'a Terms,
    /// Relations of which more facts may come while the plan is in use.
    pub(super) growing: &'a dyn Fn(RelationId) -> bool,
    /// Relations that are completely known, so that what is not there does not hold.
    pub(super) complete: &'a dyn Fn(RelationId) -> bool,
}

impl Planner<'_> {
    /// The view that a condition is looked up in, and what it asks of its columns.
    pub(super) fn view<'l>(&mut self, literal: &'l Literal) -> (ViewId, Vec<&'l Pattern>) {
        let shapes: Vec<Shape> = literal.args.iter().map(Pattern::shape).collect();
        let mut leaves = Vec::new();
        literal.args.iter().for_each(|a| a.leaves(&mut leaves));
        (self.facts.view(literal.relation, &shapes, self.terms), leaves)
    }

    /// The plan for a rule, beginning with a new fact in the given condition if there is one.
    pub(super) fn plan(&mut self, number: usize, rule: &Template, new: Option<usize>) -> Plan {
        let mut bound = vec![false; rule.variables];
        let begin = new.map(|literal| {
            let (_, leaves) = self.view(&rule.holds[literal]);
            (literal, columns(&leaves, &mut bound))
        });
        let mut steps = Vec::new();
        let mut tests: Vec<Step> =
            rule.differ.iter().map(|(a, b)| Step::Differ(a.clone(), b.clone())).collect();
        tests.extend(
            rule.fails.iter().filter(|l| (self.complete)(l.relation)).map(|l| Step::Absent(l.clone())),
        );
        let mut left: Vec<usize> = (0..rule.holds.len()).filter(|&l| Some(l) != new).collect();
        loop {
            tests.retain(|test| {
                let ready = is_ready(test, &bound);
                if ready {
                    steps.push(test.clone());
                }
                !ready
            });
            let Some((at, _)) = left
                .iter()
                .enumerate()
                .map(|(at, &l)| (at, self.cost(&rule.holds[l], &bound)))
                .min_by(|a, b| a.1.total_cmp(&b.1))
            else {
                break;
            };
            let literal = left.remove(at);
            let (view, leaves) = self.view(&rule.holds[literal]);
            let (places, key) = known(&leaves, &bound);
            let index = (!places.is_empty()).then(|| self.facts.index(view, &places));
            let mut columns = columns(&leaves, &mut bound);
            columns.agree.retain(|(c, _)| !places.contains(c));
            let before = new.is_some_and(|n| literal < n) && (self.growing)(rule.holds[literal].relation);
            steps.push(Step::Join { view, index, key, columns, literal, before });
        }
        Plan { rule: number, begin, steps }
    }

    /// A guess at how many rows will be found.
    fn cost(&mut self, literal: &Literal, bound: &[bool]) -> f64 {
        let (view, leaves) = self.view(literal);
        let (places, _) = known(&leaves, bound);
        if places.len() == leaves.len() {
            return 0.5;
        }
        if (self.growing)(literal.relation) {
            return 6f64.powi((leaves.len() - places.len()) as i32);
        }
        match places[..] {
            [] => f64::from(self.facts.views[view].rows()),
            _ => {
                let index = self.facts.index(view, &places);
                self.facts.views[view].fan(index)
            }
        }
    }
}

/// The columns whose values are known, and those values.
fn known(leaves: &[&Pattern], bound: &[bool]) -> (Vec<usize>, Vec<Source>) {
    let source = |leaf: &&Pattern| match leaf {
        Pattern::Constant(id) => Some(Source::Constant(*id)),
        Pattern::Variable(v) if bound[*v as usize] => Some(Source::Variable(*v)),
        _ => None,
    };
    leaves.iter().enumerate().filter_map(|(c, leaf)| Some((c, source(leaf)?))).unzip()
}

fn columns(leaves: &[&Pattern], bound: &mut [bool]) -> Columns {
    let mut columns = Columns::default();
    for (c, leaf) in leaves.iter().enumerate() {
        match leaf {
            Pattern::Variable(v) if !bound[*v as usize] => {
                bound[*v as usize] = true;
                columns.bind.push((c, *v));
            }
            Pattern::Variable(v) => columns.agree.push((c, Source::Variable(*v))),
            Pattern::Constant(id) => columns.agree.push((c, Source::Constant(*id))),
            Pattern::Function(..) => {}
        }
    }
    columns
}

fn is_ready(test: &Step, bound: &[bool]) -> bool {
    let mut ready = true;
    let mut note = |v: u32| ready &= bound[v as usize];
    match test {
        Step::Differ(a, b) => {
            a.each_variable(&mut note);
            b.each_variable(&mut note);
        }
        Step::Absent(literal) => literal.each_variable(&mut note),
        Step::Join { .. } => {}
    }
    ready
}

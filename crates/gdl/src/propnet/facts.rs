//! The facts found while grounding, by relation, with the views and indexes that joins need.
//!
//! A view of a relation shows the facts whose arguments have a certain build, `(true (cell _ _ _))` for one, as a
//! table with one column per hole. An index of a view finds the rows with given values in some of its columns.

use rustc_hash::FxHashMap;
use smallvec::SmallVec;

use crate::symbol::Symbol;
use crate::term::{TermId, Terms};

/// The arguments of a fact, or some of the columns of a row.
pub(super) type Tuple = SmallVec<[TermId; 4]>;

/// A relation by its number in [`Facts`].
pub(super) type RelationId = usize;
/// A view by its number in [`Facts`].
pub(super) type ViewId = usize;
/// An index by its number in its view.
pub(super) type IndexId = usize;

/// The build of an argument.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) enum Shape {
    /// Anything; a column.
    Hole,
    /// A function of so built arguments.
    Function(Symbol, Vec<Shape>),
}

impl Shape {
    /// Appends what is in the holes; false if the term is built differently.
    fn columns(&self, term: TermId, terms: &Terms, out: &mut Tuple) -> bool {
        match self {
            Shape::Hole => {
                out.push(term);
                true
            }
            Shape::Function(symbol, shapes) => {
                let args = terms.args(term);
                terms.symbol(term) == *symbol
                    && args.len() == shapes.len()
                    && shapes.iter().zip(args).all(|(shape, &arg)| shape.columns(arg, terms, out))
            }
        }
    }
}

#[derive(Debug)]
pub(super) struct Index {
    columns: SmallVec<[usize; 4]>,
    rows: FxHashMap<Tuple, Vec<u32>>,
}

#[derive(Debug)]
pub(super) struct View {
    shapes: Vec<Shape>,
    width: usize,
    cells: Vec<TermId>,
    /// The fact in each row.
    pub(super) facts: Vec<u32>,
    indexes: Vec<Index>,
}

impl View {
    pub(super) fn row(&self, row: u32) -> &[TermId] {
        &self.cells[row as usize * self.width..][..self.width]
    }

    pub(super) fn rows(&self) -> u32 {
        self.facts.len() as u32
    }

    pub(super) fn find(&self, index: IndexId, key: &Tuple) -> &[u32] {
        self.indexes[index].rows.get(key).map_or(&[], Vec::as_slice)
    }

    /// The mean number of rows per key that occurs.
    pub(super) fn fan(&self, index: IndexId) -> f64 {
        self.facts.len() as f64 / self.indexes[index].rows.len().max(1) as f64
    }

    fn push(&mut self, fact: u32, columns: &[TermId]) -> u32 {
        let row = self.rows();
        self.cells.extend_from_slice(columns);
        self.facts.push(fact);
        for index in &mut self.indexes {
            let key = index.columns.iter().map(|&c| columns[c]).collect();
            index.rows.entry(key).or_default().push(row);
        }
        row
    }
}

#[derive(Debug)]
pub(super) struct Relation {
    pub(super) symbol: Symbol,
    /// Numbers of facts, whether they have been derived or only asked for.
    numbers: FxHashMap<Tuple, u32>,
    /// The facts that the views show, in order.
    shown: Vec<u32>,
    views: Vec<ViewId>,
}

#[derive(Debug)]
struct Fact {
    relation: u32,
    derived: bool,
    args: Tuple,
}

/// Everything derived so far.
#[derive(Debug, Default)]
pub(super) struct Facts {
    pub(super) relations: Vec<Relation>,
    by_name: FxHashMap<(Symbol, usize), RelationId>,
    facts: Vec<Fact>,
    pub(super) views: Vec<View>,
}

impl Facts {
    pub(super) fn relation(&mut self, symbol: Symbol, arity: usize) -> RelationId {
        *self.by_name.entry((symbol, arity)).or_insert_with(|| {
            self.relations.push(Relation {
                symbol,
                numbers: FxHashMap::default(),
                shown: Vec::new(),
                views: Vec::new(),
            });
            self.relations.len() - 1
        })
    }

    /// A new relation that rules cannot name, for parts of the rules of another.
    pub(super) fn fresh(&mut self, part_of: RelationId) -> RelationId {
        self.relations.push(Relation {
            symbol: self.relations[part_of].symbol,
            numbers: FxHashMap::default(),
            shown: Vec::new(),
            views: Vec::new(),
        });
        self.relations.len() - 1
    }

    /// How many facts have numbers.
    pub(super) fn len(&self) -> usize {
        self.facts.len()
    }

    pub(super) fn relation_of(&self, fact: u32) -> RelationId {
        self.facts[fact as usize].relation as usize
    }

    pub(super) fn args(&self, fact: u32) -> &[TermId] {
        &self.facts[fact as usize].args
    }

    /// The number of a fact, whether derived or not.
    pub(super) fn number(&mut self, relation: RelationId, args: &Tuple) -> u32 {
        if let Some(&n) = self.relations[relation].numbers.get(args) {
            return n;
        }
        let n = self.facts.len() as u32;
        self.relations[relation].numbers.insert(args.clone(), n);
        self.facts.push(Fact { relation: relation as u32, derived: false, args: args.clone() });
        n
    }

    pub(super) fn get(&self, relation: RelationId, args: &[TermId]) -> Option<u32> {
        self.relations[relation].numbers.get(args).copied()
    }

    pub(super) fn is_derived(&self, fact: u32) -> bool {
        self.facts[fact as usize].derived
    }

    /// Marks a fact as derived; false if it was already.
    pub(super) fn derive(&mut self, fact: u32) -> bool {
        !std::mem::replace(&mut self.facts[fact as usize].derived, true)
    }

    /// All derived facts of a relation, in the order in which they were shown.
    pub(super) fn of(&self, relation: RelationId) -> &[u32] {
        &self.relations[relation].shown
    }

    /// Puts a derived fact into the views of its relation; calls with each view and row.
    pub(super) fn show(&mut self, fact: u32, terms: &Terms, mut f: impl FnMut(ViewId, u32)) {
        let Fact { relation, args, .. } = &self.facts[fact as usize];
        let relation = &mut self.relations[*relation as usize];
        relation.shown.push(fact);
        let mut columns = Tuple::new();
        for &view in &relation.views {
            columns.clear();
            let shapes = &self.views[view].shapes;
            if shapes.iter().zip(args).all(|(shape, &arg)| shape.columns(arg, terms, &mut columns)) {
                f(view, self.views[view].push(fact, &columns));
            }
        }
    }

    /// The view of a relation by the build of its arguments, made if there is none.
    pub(super) fn view(&mut self, relation: RelationId, shapes: &[Shape], terms: &Terms) -> ViewId {
        if let Some(&id) = self.relations[relation].views.iter().find(|&&v| self.views[v].shapes == shapes) {
            return id;
        }
        let mut view = View {
            shapes: shapes.to_vec(),
            width: shapes.iter().map(holes).sum(),
            cells: Vec::new(),
            facts: Vec::new(),
            indexes: Vec::new(),
        };
        let mut columns = Tuple::new();
        for &fact in &self.relations[relation].shown {
            columns.clear();
            let args = &self.facts[fact as usize].args;
            if view.shapes.iter().zip(args).all(|(s, &arg)| s.columns(arg, terms, &mut columns)) {
                view.push(fact, &columns);
            }
        }
        self.views.push(view);
        self.relations[relation].views.push(self.views.len() - 1);
        self.views.len() - 1
    }

    /// The index of a view on some columns, made if there is none.
    pub(super) fn index(&mut self, view: ViewId, columns: &[usize]) -> IndexId {
        let view = &mut self.views[view];
        if let Some(at) = view.indexes.iter().position(|i| i.columns[..] == *columns) {
            return at;
        }
        let mut rows: FxHashMap<Tuple, Vec<u32>> = FxHashMap::default();
        for row in 0..view.rows() {
            let cells = view.row(row);
            rows.entry(columns.iter().map(|&c| cells[c]).collect()).or_default().push(row);
        }
        view.indexes.push(Index { columns: columns.into(), rows });
        view.indexes.len() - 1
    }
}

fn holes(shape: &Shape) -> usize {
    match shape {
        Shape::Hole => 1,
        Shape::Function(_, shapes) => shapes.iter().map(holes).sum(),
    }
}

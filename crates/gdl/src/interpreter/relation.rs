//! The rows of a relation, each once, found by any columns that plans ask for.

use std::hash::Hasher;

use rustc_hash::FxHasher;

const NONE: u32 = u32::MAX;

/// Rows with some equal columns, chained.
#[derive(Clone, Debug)]
struct Index {
    columns: Vec<usize>,
    /// Open addressing: the last row of each chain.
    slots: Vec<u32>,
    used: usize,
    /// For each row the previous one of its chain.
    before: Vec<u32>,
}

/// A set of rows of term numbers.
#[derive(Clone, Debug)]
pub(super) struct Relation {
    arity: usize,
    rows: Vec<u32>,
    count: usize,
    slots: Vec<u32>,
    indexes: Vec<Index>,
}

fn hash(values: impl Iterator<Item = u32>) -> usize {
    let mut hasher = FxHasher::default();
    values.for_each(|v| hasher.write_u32(v));
    let hash = hasher.finish();
    (hash ^ hash >> 32) as usize
}

impl Relation {
    pub(super) fn new(arity: usize) -> Relation {
        Relation { arity, rows: Vec::new(), count: 0, slots: vec![NONE; 8], indexes: Vec::new() }
    }

    /// The number of the index over these columns, which is made if there is none.
    pub(super) fn index(&mut self, columns: &[usize]) -> usize {
        if let Some(at) = self.indexes.iter().position(|i| i.columns == columns) {
            return at;
        }
        let mut index =
            Index { columns: columns.to_vec(), slots: vec![NONE; 8], used: 0, before: Vec::new() };
        for row in 0..self.count {
            index.insert(&self.rows, self.arity, row);
        }
        self.indexes.push(index);
        self.indexes.len() - 1
    }

    #[inline]
    pub(super) fn len(&self) -> usize {
        self.count
    }

    pub(super) fn arity(&self) -> usize {
        self.arity
    }

    #[inline]
    pub(super) fn row(&self, row: u32) -> &[u32] {
        &self.rows[row as usize * self.arity..][..self.arity]
    }

    /// How many different values a column has.
    pub(super) fn distinct(&self, column: usize) -> usize {
        let mut values: Vec<u32> = self.rows.iter().skip(column).step_by(self.arity).copied().collect();
        values.sort_unstable();
        values.dedup();
        values.len()
    }

    pub(super) fn clear(&mut self) {
        if self.count == 0 {
            return;
        }
        self.rows.clear();
        self.count = 0;
        self.slots.fill(NONE);
        for index in &mut self.indexes {
            index.slots.fill(NONE);
            index.before.clear();
            index.used = 0;
        }
    }

    #[inline]
    pub(super) fn contains(&self, key: &[u32]) -> bool {
        let mask = self.slots.len() - 1;
        let mut slot = hash(key.iter().copied()) & mask;
        loop {
            match self.slots[slot] {
                NONE => return false,
                row if self.row(row) == key => return true,
                _ => slot = (slot + 1) & mask,
            }
        }
    }

    /// Adds a row; whether it is new.
    pub(super) fn insert(&mut self, key: &[u32]) -> bool {
        let mask = self.slots.len() - 1;
        let mut slot = hash(key.iter().copied()) & mask;
        loop {
            match self.slots[slot] {
                NONE => break,
                row if self.row(row) == key => return false,
                _ => slot = (slot + 1) & mask,
            }
        }
        self.slots[slot] = self.count as u32;
        self.rows.extend_from_slice(key);
        for index in &mut self.indexes {
            index.insert(&self.rows, self.arity, self.count);
        }
        self.count += 1;
        if self.count * 2 > self.slots.len() {
            self.grow();
        }
        true
    }

    #[cold]
    fn grow(&mut self) {
        let mask = self.slots.len() * 2 - 1;
        let mut slots = vec![NONE; mask + 1];
        for row in 0..self.count as u32 {
            let mut slot = hash(self.row(row).iter().copied()) & mask;
            while slots[slot] != NONE {
                slot = (slot + 1) & mask;
            }
            slots[slot] = row;
        }
        self.slots = slots;
    }

    /// The last row whose columns of the index are these.
    #[inline]
    pub(super) fn last_with(&self, index: usize, key: &[u32]) -> Option<u32> {
        let index = &self.indexes[index];
        let mask = index.slots.len() - 1;
        let mut slot = hash(key.iter().copied()) & mask;
        loop {
            let row = index.slots[slot];
            if row == NONE {
                return None;
            }
            let values = self.row(row);
            if index.columns.iter().zip(key).all(|(&c, &k)| values[c] == k) {
                return Some(row);
            }
            slot = (slot + 1) & mask;
        }
    }

    /// The row before this one with the same columns of the index.
    #[inline]
    pub(super) fn before(&self, index: usize, row: u32) -> Option<u32> {
        Some(self.indexes[index].before[row as usize]).filter(|&row| row != NONE)
    }
}

impl Index {
    fn insert(&mut self, rows: &[u32], arity: usize, row: usize) {
        let slot = self.slot(rows, arity, row);
        self.before.push(self.slots[slot]);
        self.used += usize::from(self.slots[slot] == NONE);
        self.slots[slot] = row as u32;
        if self.used * 2 > self.slots.len() {
            let chains = std::mem::take(&mut self.slots);
            self.slots = vec![NONE; chains.len() * 2];
            for last in chains.into_iter().filter(|&row| row != NONE) {
                let slot = self.slot(rows, arity, last as usize);
                self.slots[slot] = last;
            }
        }
    }

    /// Where the chain of a row is, or begins.
    fn slot(&self, rows: &[u32], arity: usize, row: usize) -> usize {
        let value = |row: usize, column: usize| rows[row * arity + column];
        let mask = self.slots.len() - 1;
        let mut slot = hash(self.columns.iter().map(|&c| value(row, c))) & mask;
        loop {
            match self.slots[slot] {
                NONE => return slot,
                other if self.columns.iter().all(|&c| value(row, c) == value(other as usize, c)) => {
                    return slot;
                }
                _ => slot = (slot + 1) & mask,
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rows_are_found_by_their_columns() {
        let mut relation = Relation::new(2);
        let (by_second, none) = (relation.index(&[1]), relation.index(&[1]));
        assert_eq!(by_second, none);
        for round in 0..2 {
            for i in 0..1000 {
                assert!(relation.insert(&[i, i % 7]));
                assert!(!relation.insert(&[i, i % 7]));
            }
            let late = relation.index(&[0, 1]);
            for key in 0..7 {
                let mut found = Vec::new();
                let mut row = relation.last_with(by_second, &[key]);
                while let Some(at) = row {
                    found.push(relation.row(at)[0]);
                    row = relation.before(by_second, at);
                }
                found.reverse();
                assert_eq!(found, (0..1000).filter(|i| i % 7 == key).collect::<Vec<_>>(), "round {round}");
            }
            assert_eq!(relation.last_with(by_second, &[7]), None);
            assert_eq!(relation.last_with(late, &[8, 1]), Some(8));
            assert!(relation.contains(&[9, 2]) && !relation.contains(&[9, 3]));
            assert_eq!((relation.distinct(0), relation.distinct(1), relation.len()), (1000, 7, 1000));
            relation.clear();
            assert!(!relation.contains(&[9, 2]));
        }
        let mut nothing = Relation::new(0);
        assert!(!nothing.contains(&[]));
        assert!(nothing.insert(&[]) && !nothing.insert(&[]));
        assert!(nothing.contains(&[]) && nothing.len() == 1);
    }
}

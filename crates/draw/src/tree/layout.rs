//! Where the nodes of a tree stand: columns by depth, a row for every leaf, parents in the middle of their
//! children.

use super::{Branch, Look};
use crate::text;

/// The largest node.
pub(super) const RADIUS: f64 = 15.0;
/// Between a node and the words about the next, for the bend of the edge.
const BEND: f64 = 34.0;
/// Between the words about a node and the node.
pub(super) const GAP: f64 = 5.0;
/// A leaf with words, and one that stands for several.
const ROW: f64 = 40.0;
const SHORT_ROW: f64 = 26.0;
/// Labels are shortened to this width,
const WIDEST: f64 = 180.0;
/// and have at least this much room.
const NARROWEST: f64 = 40.0;
/// The sizes of labels and of the numbers below them.
pub(super) const LABEL: u32 = 12;
pub(super) const NUMBERS: u32 = 10;

/// A branch on the sheet.
#[derive(Clone, PartialEq, Debug)]
pub(super) struct Placed {
    /// The middle of the node.
    pub(super) x: f64,
    pub(super) y: f64,
    /// Where the words about it begin.
    pub(super) left: f64,
    pub(super) radius: f64,
    /// The words, as short as they have to be.
    pub(super) label: String,
    pub(super) numbers: String,
}

/// All branches on a sheet of this width and height.
pub(super) struct Layout {
    pub(super) placed: Vec<Placed>,
    pub(super) width: f64,
    pub(super) height: f64,
}

impl Layout {
    /// Places branches, each with the numbers that are written below its label, inside this margin.
    pub(super) fn new(branches: &[Branch], numbers: Vec<String>, margin: f64) -> Layout {
        let depths = depths(branches);
        let columns = depths.iter().max().map_or(0, |deepest| deepest + 1);
        let mut room = vec![0.0f64; columns];
        let labels: Vec<String> =
            branches.iter().map(|branch| text::shortened(&branch.label, WIDEST, LABEL)).collect();
        for (i, branch) in branches.iter().enumerate() {
            let words = match branch.look {
                Look::More(_) => NARROWEST,
                _ => text::width(&labels[i], LABEL).max(text::width(&numbers[i], NUMBERS)).max(NARROWEST),
            };
            room[depths[i]] = room[depths[i]].max(words);
        }
        let mut middles = Vec::with_capacity(columns);
        let mut x = margin;
        for (depth, room) in room.iter().enumerate() {
            x += if depth > 0 { RADIUS + BEND } else { 0.0 } + room + GAP + RADIUS;
            middles.push(x);
        }
        let (rows, height) = rows(branches, margin);
        let most = branches.iter().map(|branch| branch.visits).max().unwrap_or(0).max(1) as f64;
        let place = |(i, (label, numbers)): (usize, (String, String))| {
            let depth = depths[i];
            let radius = match branches[i].look {
                Look::More(_) => text::width(&label, NUMBERS) / 2.0 + 6.0,
                _ => 4.0 + (RADIUS - 4.0) * (branches[i].visits as f64 / most).sqrt(),
            };
            let x = middles[depth];
            Placed { x, y: rows[i], left: x - RADIUS - GAP - room[depth], radius, label, numbers }
        };
        let placed: Vec<Placed> = labels.into_iter().zip(numbers).enumerate().map(place).collect();
        let ends = placed.iter().map(|one| one.x + one.radius.max(RADIUS));
        let width = ends.fold(x + RADIUS, f64::max) + margin;
        Layout { placed, width, height }
    }
}

fn depths(branches: &[Branch]) -> Vec<usize> {
    let mut depths: Vec<usize> = Vec::with_capacity(branches.len());
    for branch in branches {
        depths.push(branch.parent.map_or(0, |parent| depths[parent] + 1));
    }
    depths
}

/// The middle of every branch from above, and the height of all.
fn rows(branches: &[Branch], top: f64) -> (Vec<f64>, f64) {
    let mut below = vec![Vec::new(); branches.len()];
    for (i, branch) in branches.iter().enumerate() {
        branch.parent.into_iter().for_each(|parent| below[parent].push(i));
    }
    let mut rows = vec![top; branches.len()];
    let mut free = top;
    let roots = (0..branches.len()).rev().filter(|&i| branches[i].parent.is_none());
    // A branch is met before its children and again after them.
    let mut stack: Vec<(usize, bool)> = roots.map(|i| (i, false)).collect();
    while let Some((i, done)) = stack.pop() {
        match (&below[i][..], done) {
            ([], _) => {
                let alone = branches[i].parent.is_none_or(|parent| below[parent].len() == 1);
                let short = matches!(branches[i].look, Look::More(_)) && !alone;
                let row = if short { SHORT_ROW } else { ROW };
                rows[i] = free + row / 2.0;
                free += row;
            }
            ([first, .., last], true) => rows[i] = (rows[*first] + rows[*last]) / 2.0,
            ([only], true) => rows[i] = rows[*only],
            (children, false) => {
                stack.push((i, true));
                stack.extend(children.iter().rev().map(|&child| (child, false)));
            }
        }
    }
    (rows, free)
}

//! Search trees as pictures: which part of a tree to show, that part from left to right, and how a search
//! settled.

mod convergence;
mod layout;
mod picture;

use fogtree_core::explain::{Decider, Reached, SearchTree, TreeNode};
use fogtree_core::text::plain;
use fogtree_core::{PerPlayer, Player};

use crate::chart::Numbers;
pub use convergence::{Convergence, Found};
pub use picture::{TreeDrawing, tree_svg};

/// A node of a picture of a tree, or the rest of somebody's children.
#[derive(Clone, PartialEq, Debug)]
pub struct Branch {
    /// The number that the picture gives to it; of a rest, that of the parent.
    pub node: usize,
    /// The place of the parent among the branches, before this one; none for the first.
    pub parent: Option<usize>,
    /// What leads here, in short.
    pub label: String,
    /// All there is to say, in words.
    pub title: String,
    /// How often the search passed.
    pub visits: u64,
    /// What it is worth to the player whose values are shown.
    pub value: Option<f64>,
    /// What it looks like.
    pub look: Look,
}

/// What a branch looks like.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Look {
    /// A place at which somebody decides, told apart by what was seen.
    Place,
    /// The place after a player's move.
    Move(Player),
    /// The place after chance drew.
    Chance,
    /// So many more children of the parent.
    More(u64),
}

/// The children of every node of a tree, the most visited first.
#[derive(Clone, Debug, Default)]
pub struct Children {
    /// Where the children of each node begin, and where those of the last end.
    starts: Vec<usize>,
    listed: Vec<usize>,
}

impl Children {
    /// The children of every node.
    pub fn of(tree: &SearchTree) -> Children {
        let mut starts = vec![0; tree.nodes.len() + 1];
        let parents = || tree.nodes.iter().enumerate().filter_map(|(id, node)| Some((id, node.parent?)));
        parents().for_each(|(_, parent)| starts[parent + 1] += 1);
        for i in 1..starts.len() {
            starts[i] += starts[i - 1];
        }
        let mut listed = vec![0; starts.last().copied().unwrap_or(0)];
        let mut next = starts.clone();
        for (id, parent) in parents() {
            listed[next[parent]] = id;
            next[parent] += 1;
        }
        for place in starts.windows(2) {
            listed[place[0]..place[1]].sort_by_key(|&id| std::cmp::Reverse(tree.nodes[id].visits));
        }
        Children { starts, listed }
    }

    /// The children of a node, the most visited first.
    pub fn below(&self, node: usize) -> &[usize] {
        match self.starts.get(node..node + 2) {
            Some(&[from, to]) => &self.listed[from..to],
            _ => &[],
        }
    }
}

/// How much of a tree a picture shows.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Part {
    /// The node it begins with.
    pub node: usize,
    /// How many levels below it.
    pub depth: u32,
    /// How many children of each node, the most visited.
    pub top: usize,
    /// About how many nodes at most: levels that would not fit are left out as a whole.
    pub most: usize,
}

impl Part {
    /// This part of a tree, with what nodes are worth to a player.
    pub fn branches(&self, tree: &SearchTree, children: &Children, player: Player) -> Vec<Branch> {
        let mut all = Vec::new();
        let Some(first) = tree.nodes.get(self.node) else { return all };
        all.push(Branch { label: "here".to_string(), ..branch(self.node, first, None, player) });
        let mut level = vec![(0, self.node)];
        for number in 0..self.depth {
            let mut next = Vec::new();
            let width: usize = level.iter().map(|&(_, id)| children.below(id).len().min(self.top)).sum();
            if number > 0 && all.len() + width > self.most {
                break;
            }
            for (place, id) in level {
                let below = children.below(id);
                let shown = below.len().min(self.top).min(self.most);
                for &child in &below[..shown] {
                    next.push((all.len(), child));
                    all.push(branch(child, &tree.nodes[child], Some(place), player));
                }
                let rest = (below.len() - shown) as u64 + u64::from(tree.nodes[id].left_out);
                if rest > 0 {
                    all.push(more(id, place, rest, &below[shown..], tree));
                }
            }
            level = next;
        }
        all
    }
}

/// What led to a node, in words.
pub fn reached_in_words(reached: &Reached) -> String {
    let words = match reached {
        Reached::Root => "the position searched".to_string(),
        Reached::Move(player, name) => format!("player {player} plays {name}"),
        Reached::Chance(name) => format!("chance draws {name}"),
        Reached::Seen(words) if words.is_empty() => "nothing is seen".to_string(),
        Reached::Seen(words) => words.join("; "),
    };
    plain(&words)
}

/// The smallest and the largest value of a player at the nodes that many iterations passed.
pub fn value_range(tree: &SearchTree, player: Player) -> (f64, f64) {
    let most = tree.nodes.iter().map(|node| node.visits).max().unwrap_or(0);
    let often = tree.nodes.iter().filter(|node| node.visits > 0 && node.visits >= most / 1000);
    let values = often.filter_map(|node| node.values.as_ref()?.iter().nth(player.index()).copied());
    let (low, high) = values
        .filter(|v| v.is_finite())
        .fold((f64::INFINITY, f64::NEG_INFINITY), |(low, high), v| (low.min(v), high.max(v)));
    if low <= high { (low, high) } else { (0.0, 0.0) }
}

fn branch(id: usize, node: &TreeNode, parent: Option<usize>, player: Player) -> Branch {
    let (label, look) = match &node.reached {
        Reached::Root => ("the root".to_string(), Look::Place),
        Reached::Move(by, name) => (format!("{by}: {name}"), Look::Move(*by)),
        Reached::Chance(name) => (name.clone(), Look::Chance),
        Reached::Seen(words) if words.is_empty() => ("(nothing seen)".to_string(), Look::Place),
        Reached::Seen(words) => (words.join("; "), Look::Place),
    };
    let value = node.values.as_ref().and_then(|values| values.iter().nth(player.index()).copied());
    let label = plain(&label);
    Branch { node: id, parent, label, title: title(node), visits: node.visits, value, look }
}

fn title(node: &TreeNode) -> String {
    let mut title = format!("{}: {} visits", reached_in_words(&node.reached), node.visits);
    if let Some(available) = node.available {
        title += &format!(" of {available} times that it was legal");
    }
    if let Some(values) = &node.values {
        title += &format!(", worth {}", values_in_words(values));
    }
    match node.turn {
        Some(Decider::Player(player)) => title += &format!("; player {player} decides"),
        Some(Decider::Chance) => title += "; chance draws",
        None => {}
    }
    title
}

fn values_in_words(values: &PerPlayer<f64>) -> String {
    let one = |(seat, value): (usize, &f64)| format!("{} to player {seat}", Numbers::Plain.write(*value));
    values.iter().enumerate().map(one).collect::<Vec<_>>().join(", ")
}

fn more(parent: usize, place: usize, rest: u64, hidden: &[usize], tree: &SearchTree) -> Branch {
    Branch {
        node: parent,
        parent: Some(place),
        label: format!("+{rest}"),
        title: format!("{rest} more, visited less often"),
        visits: hidden.iter().map(|&id| tree.nodes[id].visits).sum(),
        value: None,
        look: Look::More(rest),
    }
}

#[cfg(test)]
mod tests;

//! A search tree in a file: JSON for programs, Graphviz for pictures.

use std::fmt::Write as _;
use std::fs::File;
use std::io::{self, BufWriter, Write};
use std::path::{Path, PathBuf};

use fogtree_core::explain::{Decider, Reached};
use fogtree_core::files::write_whole;
use fogtree_core::{Player, SearchTree, TreeLimits, TreeNode};
use fogtree_table::wire;

use crate::failure::Failure;
use crate::output::check_place;

/// What a file is written as.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Format {
    Json,
    Dot,
}

/// A file that a tree is to be written to.
#[derive(Debug)]
pub(super) struct TreeFile {
    path: PathBuf,
    format: Format,
    pub(super) limits: TreeLimits,
    /// How many children of each node are written, the most visited.
    top: Option<usize>,
}

/// So many children are what a picture has room for.
const IN_PICTURES: usize = 3;

/// Which search the trees are of.
pub(super) struct Origin<'a> {
    pub(super) game: &'a str,
    pub(super) agent: &'a str,
    pub(super) seat: Player,
}

impl TreeFile {
    /// The file of this name; its ending says what it is to be.
    pub(super) fn new(path: &Path, limits: TreeLimits, top: Option<usize>) -> Result<TreeFile, Failure> {
        let format = match path.extension().and_then(|e| e.to_str()) {
            Some("json") => Format::Json,
            Some("dot") => Format::Dot,
            _ => {
                return Err(Failure::Input(format!(
                    "--tree {}: expected a file name that ends in .json or .dot",
                    path.display()
                )));
            }
        };
        check_place("tree", path)?;
        let top = top.or((format == Format::Dot).then_some(IN_PICTURES));
        Ok(TreeFile { path: path.to_path_buf(), format, limits, top })
    }

    /// Writes the trees.
    pub(super) fn write(&self, origin: &Origin<'_>, mut trees: Vec<SearchTree>) -> Result<(), Failure> {
        if let Some(top) = self.top {
            trees.iter_mut().for_each(|tree| keep_most_visited(tree, top));
        }
        let content = |out: &mut BufWriter<File>| match self.format {
            Format::Json => self.json(out, origin, &trees),
            Format::Dot => dot(out, origin, &trees),
        };
        write_whole(&self.path, content).map_err(Failure::Run)
    }

    fn json(&self, out: &mut impl Write, origin: &Origin<'_>, trees: &[SearchTree]) -> io::Result<()> {
        let TreeLimits { depth, visits } = self.limits;
        let limits = wire::Limits { depth, visits, top: self.top };
        let head = wire::SearchTrees::new(origin.game, origin.agent, origin.seat, limits);
        let head = serde_json::to_string(&head)?;
        // Nodes are written one by one: there may be millions.
        out.write_all(head.trim_end_matches("]}").as_bytes())?;
        for (t, tree) in trees.iter().enumerate() {
            let comma = if t > 0 { "," } else { "" };
            write!(out, "{comma}\n{{\"player\":{},\"nodes\":[", tree.of)?;
            for (id, node) in tree.nodes.iter().enumerate() {
                let comma = if id > 0 { "," } else { "" };
                writeln!(out, "{comma}")?;
                serde_json::to_writer(&mut *out, &wire::TreeNode::of(id, node))?;
            }
            write!(out, "\n]}}")?;
        }
        writeln!(out, "\n]}}")
    }
}

/// Leaves out all children of a node but so many, the most visited, and whatever is below them.
fn keep_most_visited(tree: &mut SearchTree, top: usize) {
    let mut children = vec![Vec::new(); tree.nodes.len()];
    for (id, node) in tree.nodes.iter().enumerate() {
        node.parent.into_iter().for_each(|parent| children[parent].push(id));
    }
    let mut wanted = vec![true; tree.nodes.len()];
    for (children, node) in children.iter_mut().zip(0..) {
        children.sort_by_key(|&id| std::cmp::Reverse(tree.nodes[id].visits));
        let kept = if wanted[node] { top } else { 0 };
        for &id in children.iter().skip(kept) {
            wanted[id] = false;
            tree.nodes[node].left_out += 1;
        }
    }
    let mut places = vec![0; tree.nodes.len()];
    let mut kept: Vec<TreeNode> = Vec::new();
    for (id, node) in std::mem::take(&mut tree.nodes).into_iter().enumerate().filter(|(id, _)| wanted[*id]) {
        places[id] = kept.len();
        kept.push(TreeNode { parent: node.parent.map(|parent| places[parent]), ..node });
    }
    tree.nodes = kept;
}

fn dot(out: &mut impl Write, origin: &Origin<'_>, trees: &[SearchTree]) -> io::Result<()> {
    writeln!(out, "digraph {} {{", quoted(&format!("{} in {}", origin.agent, origin.game)))?;
    writeln!(out, "  rankdir=LR;")?;
    writeln!(out, "  node [shape=box, fontname=\"sans-serif\", fontsize=10];")?;
    for (t, tree) in trees.iter().enumerate() {
        writeln!(out, "  subgraph cluster_{t} {{")?;
        writeln!(out, "    label={};", quoted(&format!("tree of player {}", tree.of)))?;
        for (id, node) in tree.nodes.iter().enumerate() {
            let style = match node.reached {
                Reached::Root | Reached::Move(..) => "",
                Reached::Chance(_) => ", shape=diamond",
                Reached::Seen(_) => ", shape=ellipse",
            };
            writeln!(out, "    t{t}n{id} [label={}{style}];", quoted(&label(node)))?;
            if let Some(parent) = node.parent {
                writeln!(out, "    t{t}n{parent} -> t{t}n{id};")?;
            }
        }
        writeln!(out, "  }}")?;
    }
    writeln!(out, "}}")
}

/// What a picture says about a node, in lines.
fn label(node: &TreeNode) -> String {
    let mut text = match &node.reached {
        Reached::Root => "root".to_string(),
        Reached::Move(by, name) => format!("{by}: {name}"),
        Reached::Chance(name) => format!("chance: {name}"),
        Reached::Seen(words) if words.is_empty() => "(nothing seen)".to_string(),
        Reached::Seen(words) => words.join("\n"),
    };
    let _ = match node.available {
        Some(available) => write!(text, "\n{} of {available} visits", node.visits),
        None => write!(text, "\n{} visits", node.visits),
    };
    if let Some(values) = &node.values {
        let values: Vec<String> = values.iter().map(|v| format!("{v:.3}")).collect();
        let _ = write!(text, "\n{}", values.join(" "));
    }
    match node.turn {
        Some(Decider::Player(p)) => text.push_str(&format!("\nplayer {p} to move")),
        Some(Decider::Chance) => text.push_str("\nchance draws"),
        None => {}
    }
    if node.left_out > 0 {
        let _ = write!(text, "\n({} left out)", node.left_out);
    }
    text
}

/// A text as a quoted name of the dot language.
fn quoted(text: &str) -> String {
    let mut quoted = String::from("\"");
    for c in text.chars() {
        match c {
            '"' => quoted.push_str("\\\""),
            '\\' => quoted.push_str("\\\\"),
            '\n' => quoted.push_str("\\n"),
            c if c.is_control() => quoted.push(' '),
            c => quoted.push(c),
        }
    }
    quoted.push('"');
    quoted
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn quotes_and_line_ends_are_escaped() {
        assert_eq!(quoted("a\"b\\c\nd\te"), r#""a\"b\\c\nd e""#);
    }

    #[test]
    fn the_ending_says_what_is_written() {
        let format = |name: &str| TreeFile::new(Path::new(name), TreeLimits::NONE, None).map(|f| f.format);
        assert_eq!(format("x.json").unwrap(), Format::Json);
        assert_eq!(format("./x.dot").unwrap(), Format::Dot);
        for bad in ["x", "x.png", "json", ".json", "x.JSON", ""] {
            assert!(matches!(format(bad), Err(Failure::Input(_))), "{bad}");
        }
    }
}

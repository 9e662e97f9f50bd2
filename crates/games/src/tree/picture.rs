//! Trees drawn as text: a line per node, with marks where the play may be.

use fogtree_core::history::Event;
use fogtree_core::text::{Colour, paint};
use fogtree_core::{Notation, Observer};

use super::{Info, Kind, Tree, number};

/// Larger trees are not drawn.
const LARGEST: usize = 100;

/// The steps back that are told.
const TOLD: usize = 30;

/// A title or a label as it may be sent to a terminal: files may hold anything.
pub(super) fn shown(text: &str) -> String {
    text.chars().map(|c| if c.is_control() { ' ' } else { c }).collect()
}

impl Tree {
    /// What an observer did and saw, and where it may be.
    pub(super) fn picture_of_known(&self, known: &Info) -> String {
        let Some(beliefs) = self.beliefs_of(known.by) else { return String::new() };
        let here = beliefs.members(known.class);
        let who = match known.by {
            Observer::Seat(p) => self.players[p.index()].as_str(),
            Observer::Public => "the public",
        };
        let tell = |event: &Event| match event {
            Event::Own(code) => format!("you play {}", self.actions[*code as usize]),
            Event::Seen(seen) => self.explain(seen, known.by),
        };
        let past = here.first().map_or_else(Vec::new, |&node| self.past(node, known.by, TOLD));
        let past: Vec<String> = past.iter().map(tell).collect();
        let past = if past.is_empty() { "nothing seen yet".to_string() } else { past.join("; ") };
        format!("{who}: {past}\n{}", self.picture(|node| here.binary_search(&node).is_ok()))
    }

    /// The tree with marks at some nodes.
    pub(super) fn picture(&self, is_here: impl Fn(u32) -> bool) -> String {
        let mut text = shown(&self.title);
        if self.nodes.len() > LARGEST {
            text += &format!(" ({} nodes)", self.nodes.len());
            return text;
        }
        for (number, node) in (0..).zip(&self.nodes) {
            let edge = self.edges.get(node.edge as usize).map_or_else(String::new, |edge| {
                let name = self.name_of(node.parent, node.edge);
                match self.nodes[node.parent as usize].kind {
                    Kind::Chance => format!("{name} ({}): ", number::probability(edge.p)),
                    _ => format!("{name}: "),
                }
            });
            let what = match node.kind {
                Kind::Chance => "chance".to_string(),
                Kind::Decision(set) => {
                    let set = &self.infosets[set as usize];
                    format!("{} in '{}'", self.players[set.player.index()], shown(&set.label))
                }
                Kind::End(at) => {
                    let rewards = self.rewards_of(at).iter().map(|&r| number::reward(r));
                    rewards.collect::<Vec<_>>().join(" ")
                }
            };
            let line = format!("{}{edge}{what}", "  ".repeat(node.depth as usize));
            text += "\n";
            text += &if is_here(number) {
                paint(Colour::Yellow, &format!("> {line}"))
            } else {
                format!("  {line}")
            };
        }
        text
    }
}

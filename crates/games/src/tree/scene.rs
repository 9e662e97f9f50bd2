//! Trees as pictures: a row for each node, with marks where the play may be.

use fogtree_core::history::Event;
use fogtree_core::scene::{Entry, Look, Scene, Table, Token, Zone};
use fogtree_core::{Notation, Observer, Player};

use super::{Action, Info, Kind, State, Tree, number};
use crate::words::capital;

/// Larger trees are not drawn whole.
const LARGEST: usize = 100;

/// The steps back that are told.
const TOLD: usize = 30;

/// A title or a label as it may be sent to a terminal: files may hold anything.
pub(super) fn shown(text: &str) -> String {
    text.chars().map(|c| if c.is_control() { ' ' } else { c }).collect()
}

impl Tree {
    /// What an observer did and saw, and where it may be.
    pub(super) fn drawn_known(&self, known: &Info) -> Scene {
        let Some(beliefs) = self.beliefs_of(known.by) else { return Scene::text("nobody sits here") };
        let here = beliefs.members(known.class);
        let tell = |event: &Event| match event {
            Event::Own(code) => format!("you play {}", self.actions[*code as usize]),
            Event::Seen(seen) => self.explain(seen, known.by),
        };
        let past = here.first().map_or_else(Vec::new, |&node| self.past(node, known.by, TOLD));
        let past: Vec<String> = past.iter().map(tell).collect();
        let past = if past.is_empty() { String::new() } else { format!(" So far: {}.", past.join("; ")) };
        self.drawn(here, known.by, &past)
    }

    /// A state.
    pub(super) fn drawn_state(&self, s: State) -> Scene {
        self.drawn(&[s.0], Observer::Public, "")
    }

    /// The row of the node that the move leads to, if it leads to only one.
    pub(super) fn touched(&self, known: &Info, action: Action) -> Vec<String> {
        let here = self.beliefs_of(known.by).map_or(&[][..], |beliefs| beliefs.members(known.class));
        match here {
            [node] if self.nodes.len() <= LARGEST => {
                self.edge(*node, action.0).map(|edge| format!("tree/{}", edge.to)).into_iter().collect()
            }
            _ => Vec::new(),
        }
    }

    fn drawn(&self, here: &[u32], by: Observer, past: &str) -> Scene {
        let caption = self.caption(here, by) + past;
        let title = shown(&self.title);
        if self.nodes.len() > LARGEST {
            let text = format!("a tree of {} nodes", self.nodes.len());
            return Scene::new(caption).with(Zone::text("tree", text).titled(title));
        }
        let mut table = Table::headed(["", "after", "what follows"]);
        for (number, node) in (0..).zip(&self.nodes) {
            let mark = Entry::default().at(number.to_string());
            let mark = match here {
                [only] if *only == number => mark.with(Token::new(Look::Disc).named("the play is here")),
                _ if here.contains(&number) => mark.with(Token::unknown().named("the play may be here")),
                _ => mark,
            };
            let (what, whose) = self.what_follows(node.kind);
            let what = Entry { owner: whose, ..Entry::from(what) };
            table.row([mark, Entry::from(self.step_to(number)), what]);
        }
        Scene::new(caption).with(Zone::table("tree", table).titled(title))
    }

    /// The move that leads to a node, indented by its depth.
    fn step_to(&self, number: u32) -> String {
        let node = &self.nodes[number as usize];
        let Some(edge) = self.edges.get(node.edge as usize) else { return "the start".to_string() };
        let name = self.name_of(node.parent, node.edge);
        let indent = "\u{a0}\u{a0}".repeat(node.depth as usize);
        match self.nodes[node.parent as usize].kind {
            Kind::Chance => format!("{indent}{name} ({})", number::probability(edge.p)),
            _ => format!("{indent}{name}"),
        }
    }

    fn what_follows(&self, kind: Kind) -> (String, Option<Player>) {
        match kind {
            Kind::Chance => ("chance draws".to_string(), None),
            Kind::Decision(set) => {
                let set = &self.infosets[set as usize];
                let who = shown(&self.players[set.player.index()]);
                (format!("{who} moves in '{}'", shown(&set.label)), Some(set.player))
            }
            Kind::End(at) => {
                let rewards = self.rewards_of(at).iter().map(|&r| number::reward(r));
                (rewards.collect::<Vec<_>>().join(" : "), None)
            }
        }
    }

    fn caption(&self, here: &[u32], by: Observer) -> String {
        let turns: Vec<Kind> = here.iter().map(|&node| self.nodes[node as usize].kind).collect();
        let mover = |kind: &Kind| match kind {
            Kind::Decision(set) => Some(self.infosets[*set as usize].player),
            _ => None,
        };
        match turns.first() {
            Some(Kind::End(at)) if turns.len() == 1 => {
                let gets = |(name, &reward): (&String, &f64)| {
                    format!("{} gets {}", shown(name), number::reward(reward))
                };
                let all: Vec<String> = self.players.iter().zip(self.rewards_of(*at)).map(gets).collect();
                format!("The game is over: {}.", all.join(", "))
            }
            Some(Kind::End(_)) if turns.iter().all(|kind| matches!(kind, Kind::End(_))) => {
                "The game is over.".to_string()
            }
            Some(Kind::Chance) if turns.len() == 1 => "Chance is to draw.".to_string(),
            Some(first) => match mover(first).filter(|&p| turns.iter().all(|kind| mover(kind) == Some(p))) {
                Some(p) if by.is(p) => "Your turn: choose a move.".to_string(),
                Some(p) => format!("{} to move.", capital(&shown(&self.players[p.index()]))),
                None => "Others move out of sight.".to_string(),
            },
            None => "This cannot be.".to_string(),
        }
    }
}

//! What every scene must be.

use std::collections::HashSet;

use super::{Content, Scene, Zone};

const MOST_ZONES: usize = 64;
const MOST_SPOTS: usize = 2_000;
/// Letters on a token.
const LONGEST_LABEL: usize = 12;
/// Letters of words anywhere else.
const LONGEST_TEXT: usize = 20_000;
/// A move touches no more spots.
pub const MOST_TOUCHES: usize = 3;

impl Scene {
    /// What is wrong with the scene, if anything: too large, two zones or spots of one name, nothing to look at.
    pub fn fault(&self) -> Option<String> {
        if self.zones.is_empty() && self.caption.is_empty() {
            return Some("nothing to look at".to_string());
        }
        if self.zones.len() > MOST_ZONES {
            return Some(format!("{} zones, more than {MOST_ZONES}", self.zones.len()));
        }
        let mut zones = HashSet::new();
        if let Some(zone) =
            self.zones.iter().find(|z| z.name.is_empty() || z.name.contains('/') || !zones.insert(&z.name))
        {
            return Some(format!(
                "the zone {:?} is not the only one of this name, or it is no name",
                zone.name
            ));
        }
        let mut spots = HashSet::new();
        for (spot, tokens) in self.spots() {
            if let Some(token) = tokens.iter().find(|t| t.label.chars().count() > LONGEST_LABEL) {
                return Some(format!("{spot}: the label {:?} is too long", token.label));
            }
            if spot.contains(char::is_whitespace) || spot.matches('/').count() != 1 {
                return Some(format!("{spot:?} is no name of a spot"));
            }
            if spots.contains(&spot) {
                return Some(format!("two spots {spot}"));
            }
            spots.insert(spot);
        }
        if spots.len() > MOST_SPOTS {
            return Some(format!("{} spots, more than {MOST_SPOTS}", spots.len()));
        }
        let long =
            |zone: &&Zone| matches!(&zone.content, Content::Text { text } if text.len() > LONGEST_TEXT);
        if self.caption.len() > LONGEST_TEXT || self.zones.iter().any(|z| long(&z)) {
            return Some("too many words".to_string());
        }
        self.zones.iter().find_map(|zone| match &zone.content {
            Content::Board(b) if b.columns == 0 || !b.cells.len().is_multiple_of(b.columns) => {
                Some(format!("{}: {} cells in rows of {}", zone.name, b.cells.len(), b.columns))
            }
            Content::Graph(g) if g.edges.iter().any(|e| e.from.max(e.to) >= g.nodes.len()) => {
                Some(format!("{}: an edge to a node that is not there", zone.name))
            }
            Content::Graph(g) if g.nodes.iter().any(|n| !n.x.is_finite() || !n.y.is_finite()) => {
                Some(format!("{}: a node that is nowhere", zone.name))
            }
            _ => None,
        })
    }

    /// What is wrong with the spots that are touched to make each of these moves, if anything.
    pub fn touch_fault(&self, touches: &[(String, Vec<String>)]) -> Option<String> {
        let spots: HashSet<String> = self.spots().map(|(spot, _)| spot).collect();
        let mut met: HashSet<&[String]> = HashSet::new();
        for (name, touched) in touches.iter().filter(|(_, touched)| !touched.is_empty()) {
            if touched.len() > MOST_TOUCHES {
                return Some(format!("{name} touches {} spots", touched.len()));
            }
            if let Some(nowhere) = touched.iter().find(|spot| !spots.contains(*spot)) {
                return Some(format!("{name} touches {nowhere}, which is not there"));
            }
            if !met.insert(touched) {
                return Some(format!("{name} touches what another move touches: {}", touched.join(" ")));
            }
        }
        None
    }
}

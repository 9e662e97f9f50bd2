//! What the log of TUBSTAP's battles counts: attacks early in the game, and what is left at its end.
//!
//! Pipan 2021 finds that two of his agents hardly attack; the counters of the first twelve turns show it
//! (`tubstap/1.11`). A side that is not to be found in them has attacked nobody, so at the end of the game every
//! counter is there, if only with nothing.

use fogtree_core::Player;

use super::actions::Action;
use super::battle::Battle;
use super::board::{Board, Phase, ids};
use super::units::Kind;

/// Attacks in turns 0 to 5 and 6 to 11, both sides' turns counted from 0.
const ATTACKS: [&str; 2] = ["attacks-0-5", "attacks-6-11"];
/// Hit points left at the end, of all and of each kind.
const LEFT: &str = "hp";
const LEFT_OF: [&str; 6] =
    ["hp-fighter", "hp-attacker", "hp-panzer", "hp-cannon", "hp-antiair", "hp-infantry"];

impl Battle {
    /// Counts an action. Attacks that were ambushed on the way are none.
    pub(super) fn count(&self, before: &Board, action: Action, out: &mut Vec<(Player, &'static str, f64)>) {
        let mut after = *before;
        let deed = self.act(&mut after, action);
        let period = ATTACKS.get(usize::from(before.turn / 6));
        out.extend(period.filter(|_| deed.target.is_some()).map(|name| (before.mover(), *name, 1.0)));
        if !matches!(after.phase, Phase::Over(_)) {
            return;
        }
        for side in Player::all(2) {
            out.extend(ATTACKS.map(|name| (side, name, 0.0)));
            let left = |kind: Option<Kind>| {
                let units = ids(self.army[side.index()]).map(|id| after.unit(id));
                units.filter(|u| kind.is_none_or(|k| u.kind == k)).map(|u| f64::from(u.hp)).sum::<f64>()
            };
            out.push((side, LEFT, left(None)));
            out.extend(Kind::ALL.map(|kind| (side, LEFT_OF[kind as usize], left(Some(kind)))));
        }
    }
}

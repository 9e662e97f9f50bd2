//! What guides choices in the tree beyond the tree's own statistics: all moves as first, and the game's opinion.

use fogtree_core::{MAX_PLAYERS, Move, Player, World, WorldStep};

use super::enhance::Amaf;
use super::learned::Tools;
use super::policy;
use super::records::{Address, Evidence, Records};
use crate::Scale;
use crate::kit::scratch::Spare;

/// How much all moves as first count at a node with so many visits (Whitehouse 2014, eq. 8.3): half at k.
pub fn rave_weight(k: f64, visits: f64) -> f64 {
    (k / (3.0 * visits + k)).sqrt()
}

/// What the tree knows about a legal move.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Arm {
    pub(crate) visits: u32,
    pub(crate) available: u32,
    pub(crate) mean: f32,
    pub(crate) width: f32,
}

/// A decision in the tree.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Crossing {
    pub(crate) key: u64,
    pub(crate) who: Player,
    /// The legal moves, as places in a list of such lists.
    pub(crate) legal: (u32, u32),
    /// How many moves had been made.
    pub(crate) made: u32,
    /// Whether every legal move had been tried.
    pub(crate) selection: bool,
}

/// All moves as first: every later move of a playout counts at a node as if it had been made there (Spec. 2).
#[derive(Clone, Debug)]
pub(crate) struct AmafPart {
    amaf: Amaf,
    records: Records,
}

impl AmafPart {
    pub(crate) fn new(amaf: Amaf, memory: usize) -> AmafPart {
        AmafPart { amaf, records: Records::new(None, memory) }
    }

    pub(crate) fn forget(&mut self) {
        self.records.clear();
    }

    pub(crate) fn bounds(&self, key: u64, actions: &[Move], tools: &mut Tools, out: &mut Vec<f32>) {
        self.records.gather(Address::key(key), actions, &mut tools.infos);
        policy::bounds(self.amaf.c, &tools.infos, &tools.scales, out);
    }

    /// The playout is over.
    pub(crate) fn learn(
        &mut self,
        crossings: &[Crossing],
        legal: &[Move],
        made: &[(Player, Move)],
        rewards: &[f32; MAX_PLAYERS],
    ) {
        for crossing in crossings.iter().filter(|c| c.selection) {
            let legal = &legal[crossing.legal.0 as usize..crossing.legal.1 as usize];
            let later = made[crossing.made as usize..].iter().filter(|m| m.0 == crossing.who);
            for &(who, action) in later.skip(usize::from(!self.amaf.played)) {
                if legal.binary_search(&action).is_ok() {
                    let (at, reward) = (Address::key(crossing.key), rewards[who.index()]);
                    self.records.learn(at, action, reward, 0.0);
                }
            }
        }
    }

    pub(crate) fn tally(&self) -> (u64, u64) {
        self.records.tally()
    }

    pub(crate) fn bytes(&self) -> u64 {
        self.records.bytes()
    }
}

/// What the game thinks of the state after a move, asked once for each move of a node.
#[derive(Clone, Debug)]
pub(crate) struct Opinions {
    records: Records,
    spare: Spare,
}

impl Opinions {
    pub(crate) fn new(memory: usize) -> Opinions {
        Opinions { records: Records::new(None, memory), spare: Spare::default() }
    }

    pub(crate) fn forget(&mut self) {
        self.records.clear();
    }

    /// The opinions on these moves, 0 where there is none, on the scale from 0 to 1.
    pub(crate) fn ask(
        &mut self,
        world: &dyn World,
        at: (u64, Player),
        actions: &[Move],
        scale: Scale,
        infos: &mut Vec<Evidence>,
    ) {
        let (key, who) = at;
        let address = Address::key(key);
        self.records.gather(address, actions, infos);
        let together = world.turn().players().len() > 1;
        for (info, &action) in infos.iter_mut().zip(actions).filter(|(info, _)| info.n == 0) {
            if !together {
                let after = self.spare.copy(world);
                after.apply(WorldStep::Moves(&[(who, action)]));
                info.mean = after.evaluate(None, who).map_or(0.0, |v| scale.value(v) as f32);
            }
            self.records.learn(address, action, info.mean, 0.0);
        }
    }

    pub(crate) fn bytes(&self) -> u64 {
        self.records.bytes()
    }
}

#[cfg(test)]
mod tests {
    use fogtree_core::Erased;
    use fogtree_games::mnk::{self, SmallMnk};

    use super::*;
    use crate::testing::params;

    /// Whitehouse 2014, Spec. 2 by hand, `icarus/AMB-16`. X wins with a1, b2, c3 against a2, a3, then loses with
    /// a1, c1, c2 against b2, a3, c3. At the root a1 has both rewards, b2, c3, c1 and c2 one each, what O took does
    /// not count; six trials in all. O's node after a1 has a2 and a3 of the first playout, b2 and a3 of the second
    /// but not c3, which is not legal there; four trials. A node that was being expanded learns nothing.
    #[test]
    fn later_moves_count_as_first() {
        let game = Erased::any(SmallMnk::from_params(&params(&mnk::ABOUT, "")).unwrap());
        let squares = |names: &str| -> Vec<_> {
            let mut all: Vec<_> = names.split(' ').map(|name| game.parse_move(name).unwrap()).collect();
            all.sort_unstable();
            all
        };
        let all = squares("a1 b1 c1 a2 b2 c2 a3 b3 c3");
        let moves = |names: &str| -> Vec<_> {
            let of = |(i, name)| (Player((i % 2) as u8), game.parse_move(name).unwrap());
            names.split(' ').enumerate().map(of).collect()
        };
        let playouts = [
            (moves("a1 a2 b2 a3 c3"), squares("b1 a2 b2 a3"), 1.0f32),
            (moves("a1 b2 c1 a3 c2 c3"), squares("b1 a2 b2 a3"), 0.0),
        ];
        for (played, c) in [(true, 0.7), (true, 0.0), (false, 0.7), (false, 0.2)] {
            let mut part = AmafPart::new(Amaf { c, played }, 1 << 20);
            for (made, of_second, reward) in &playouts {
                let mut legal = all.clone();
                legal.extend(of_second);
                let node = |key, who, legal, made, selection| Crossing { key, who, legal, made, selection };
                let second = (9, legal.len() as u32);
                let crossings = [
                    node(11, Player(0), (0, 9), 0, true),
                    node(22, Player(1), second, 1, true),
                    node(33, Player(0), (0, 9), 2, false),
                ];
                let mut rewards = [0.0; MAX_PLAYERS];
                (rewards[0], rewards[1]) = (*reward, 1.0 - *reward);
                part.learn(&crossings, &legal, made, &rewards);
            }
            let check = |key: u64, expected: &[(&str, f64, f64)]| {
                let sum: f64 = expected.iter().map(|e| e.1).sum();
                for (i, &action) in all.iter().enumerate() {
                    let (mut tools, mut out) = (Tools::default(), Vec::new());
                    part.bounds(key, &all, &mut tools, &mut out);
                    let name = game.move_name(action);
                    let Some((_, n, mean)) = expected.iter().find(|e| e.0 == name) else {
                        assert_eq!((tools.infos[i].n, out[i]), (0, f32::INFINITY), "{name}");
                        continue;
                    };
                    let bound = mean + f64::from(c) * (sum.ln() / n).sqrt();
                    assert!((f64::from(out[i]) - bound).abs() < 1e-5, "{name}: {} is not {bound}", out[i]);
                }
            };
            let root =
                [("a1", 2.0, 0.5), ("b2", 1.0, 1.0), ("c3", 1.0, 1.0), ("c1", 1.0, 0.0), ("c2", 1.0, 0.0)];
            check(11, if played { &root } else { &root[1..] });
            let second = [("a2", 1.0, 0.0), ("b2", 1.0, 1.0), ("a3", 2.0, 0.5)];
            check(22, if played { &second } else { &second[2..] });
            check(33, &[]);
        }
    }
}

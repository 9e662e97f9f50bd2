//! Hypotheses about all enemies at once, moved along with the game and dropped when they are refuted.

use fogtree_core::Rng;

use super::battle::Battle;
use super::board::{SLOTS, ids};
use super::track::Track;

/// Where each enemy stands, in one hypothesis.
pub(super) type Cells = [u8; SLOTS];

/// Hypotheses about where the enemies are.
#[derive(Clone, Debug)]
pub(super) struct Particles {
    /// How many are kept.
    count: usize,
    pub(super) alive: Vec<Cells>,
    rng: Rng,
}

impl Particles {
    pub(super) fn new(rules: &Battle, count: usize, rng: Rng) -> Particles {
        let mut start = [0; SLOTS];
        for id in 0..rules.slots() {
            start[usize::from(id)] = rules.placed(id).cell;
        }
        Particles { count, alive: vec![start; count], rng }
    }

    /// Drops those that what is seen refutes.
    pub(super) fn prune(&mut self, rules: &Battle, track: &Track) {
        let agrees = |cells: &Cells| {
            ids(track.enemies(rules)).filter(|&id| track.foe(id).alive).all(|id| {
                let cell: u64 = 1 << cells[usize::from(id)];
                let foe = track.foe(id);
                foe.possible & cell != 0
            })
        };
        self.alive.retain(agrees);
    }

    /// Lets the enemies make a turn: those that were seen to go where they were seen, the others anywhere they
    /// can. Afterwards as many as before are drawn from those that are left; if none is, from where each enemy
    /// may be.
    pub(super) fn advance(&mut self, rules: &Battle, track: &Track) {
        let Particles { alive, rng, .. } = self;
        let own = track.occupied();
        alive.retain_mut(|cells| step(rules, track, cells, own, rng));
        if self.alive.is_empty() {
            for _ in 0..self.count {
                let cells = super::sampler::scatter(rules, track, &mut self.rng);
                self.alive.extend(cells);
            }
            return;
        }
        let survivors = std::mem::take(&mut self.alive);
        self.alive = (0..self.count).map(|_| *self.rng.pick(&survivors)).collect();
    }
}

/// One turn of the enemy in one hypothesis; answers whether it can have been so.
fn step(rules: &Battle, track: &Track, cells: &mut Cells, own: u64, rng: &mut Rng) -> bool {
    let mut taken = own;
    for unseen in [false, true] {
        for id in ids(track.enemies(rules)).filter(|&id| track.foe(id).alive) {
            let foe = track.foe(id);
            let settled = foe.possible.is_power_of_two();
            if settled == unseen {
                continue;
            }
            let from = 1 << cells[usize::from(id)];
            let reach = if foe.moved && !settled { foe.possible } else { rules.spread(foe.kind, from, own) };
            let mut to = reach & foe.possible & !taken;
            if unseen {
                to &= !track.sight;
            }
            if to == 0 {
                return false;
            }
            let cell = rng.bit_of(to);
            cells[usize::from(id)] = cell as u8;
            taken |= 1 << cell;
        }
    }
    true
}

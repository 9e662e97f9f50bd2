//! Ways of playing out a game: uniformly at random, or eager to attack.

use fogtree_core::{Policy, Rng};

use super::actions::{Action, Order, Reaches};
use super::battle::{Battle, Futile};
use super::board::{Board, Phase};

/// The policies by name. What is `open` looks through the fog: all units are seen by everybody.
pub const POLICIES: &[Policy] = &[
    Policy { name: "uniform", about: "any action, all equally likely" },
    Policy {
        name: "attack",
        about: "with a given probability any attack if there is one, else any action of any unit (M-UCT)",
    },
    Policy { name: "always", about: "any attack if there is one, else any action of any unit" },
    Policy { name: "open-uniform", about: "uniform, and everybody sees everything" },
    Policy { name: "open-attack", about: "attack, and everybody sees everything" },
    Policy { name: "open-always", about: "always, and everybody sees everything" },
];

/// What became of a playout, for statistics.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Tally {
    /// Attacks made.
    pub attacks: u32,
    /// Other actions.
    pub moves: u32,
}

impl Battle {
    /// Plays to the end by one of [`POLICIES`].
    pub fn play_out(&self, board: &mut Board, policy: usize, rng: &mut Rng) -> Tally {
        self.play_on(board, policy, u16::MAX, rng)
    }

    /// Plays on by one of [`POLICIES`] until so many turns have been made or the game is over.
    pub fn play_on(&self, board: &mut Board, policy: usize, turn: u16, rng: &mut Rng) -> Tally {
        let eager = match policy % 3 {
            0 => None,
            1 => Some(self.eagerness),
            _ => Some(1.0),
        };
        if policy < 3 {
            return self.run::<true>(board, eager, turn, rng);
        }
        let sight = board.sight;
        board.sight = [self.ground.all; 2];
        let tally = self.run::<false>(board, eager, turn, rng);
        board.sight = sight;
        for side in fogtree_core::Player::all(2) {
            self.refresh(board, side);
        }
        tally
    }

    #[inline]
    fn run<const FOG: bool>(&self, board: &mut Board, eager: Option<f64>, turn: u16, rng: &mut Rng) -> Tally {
        let mut tally = Tally::default();
        let mut reaches = Reaches::new();
        while let Phase::Muster(who) = board.phase {
            let army = self.muster.draw(&self.map, who, rng);
            self.enter(board, who, &army.units);
            if !FOG {
                board.sight = [self.ground.all; 2];
            }
        }
        while board.phase == Phase::Play && board.turn < turn {
            let before = board.turn;
            let order = match eager {
                None => {
                    let ready = self.ready(board);
                    self.draw(board, &mut reaches, ready, self.end_turn, rng)
                }
                Some(p) => Some(self.eager(board, &mut reaches, p, self.futile != Futile::Never, rng)),
            };
            match order {
                Some((unit, to, target)) => {
                    let reach = reaches.of(self, board, unit);
                    self.perform::<FOG>(board, unit, to, target, Some(reach));
                    tally.attacks += u32::from(target.is_some());
                    tally.moves += u32::from(target.is_none());
                }
                None => {
                    self.act(board, Action::EndTurn);
                }
            }
            if board.turn != before {
                reaches.forget();
            }
        }
        tally
    }

    /// With this probability a random attack if there is any; else a random unit does something.
    #[inline]
    fn eager(&self, board: &Board, reaches: &mut Reaches, p: f64, futile: bool, rng: &mut Rng) -> Order {
        let ready = self.ready(board);
        if rng.unit() < p {
            let count = reaches.attacks(self, board, ready, self.targets(board), futile);
            if count > 0 {
                return reaches.pick(rng.below(count));
            }
        }
        let unit = rng.bit_of(u64::from(ready)) as u8;
        self.draw(board, reaches, 1 << unit, false, rng).expect("a unit can always stay")
    }

    /// A legal action drawn by one of [`POLICIES`]. A player that looks through the fog is none.
    pub(super) fn policy_action_of(&self, board: &Board, policy: usize, rng: &mut Rng) -> Action {
        let mut reaches = Reaches::new();
        let order = match policy % 3 {
            0 => {
                let ready = self.ready(board);
                self.draw(board, &mut reaches, ready, self.end_turn, rng)
            }
            eager => {
                let p = if eager == 1 { self.eagerness } else { 1.0 };
                Some(self.eager(board, &mut reaches, p, self.futile == Futile::Allowed, rng))
            }
        };
        self.action(board, order)
    }
}

//! Ways of playing, in playouts and as players: uniformly at random, eager to attack, or by the value of actions.

use arrayvec::ArrayVec;
use fogtree_core::{Policy, Rng};

use super::actions::{Action, Order, Reaches};
use super::battle::{Battle, Futile};
use super::board::{Board, Phase, SLOTS, ids};
use super::units::Kind;

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
    Policy {
        name: "max-act-eval",
        about: "the best attack by damage, threat and counter-attack, else a random unit advances (MaxActEval)",
    },
    Policy { name: "greedy", about: "max-act-eval as probably as 'attack' attacks, else uniform" },
];

/// How a policy draws an action.
#[derive(Clone, Copy, PartialEq, Debug)]
enum Manner {
    /// Any action.
    Uniform,
    /// With this probability an attack if there is any.
    Eager(f64),
    /// With this probability the most valuable.
    Greedy(f64),
}

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
        self.play_on(board, policy, u16::MAX, u32::MAX, rng)
    }

    /// Plays to the end by any legal actions, all equally likely.
    pub(super) fn play_uniformly(&self, board: &mut Board, rng: &mut Rng) {
        if !self.surrender {
            self.play_out(board, 0, rng);
            return;
        }
        loop {
            match board.phase {
                Phase::Muster(who) => {
                    let army = self.muster.draw(&self.map, who, rng);
                    self.enter(board, who, &army.units);
                }
                Phase::Play => {
                    let action = self.any_action(board, rng);
                    self.act(board, action);
                }
                Phase::Over(_) => return,
            }
        }
    }

    fn manner(&self, policy: usize) -> Manner {
        match policy {
            0 | 3 => Manner::Uniform,
            1 | 4 => Manner::Eager(self.eagerness),
            2 | 5 => Manner::Eager(1.0),
            6 => Manner::Greedy(1.0),
            _ => Manner::Greedy(self.eagerness),
        }
    }

    /// Plays on by one of [`POLICIES`] until so many turns have been made in all, or so many actions more, or the game
    /// is over.
    pub fn play_on(&self, board: &mut Board, policy: usize, turn: u16, actions: u32, rng: &mut Rng) -> Tally {
        let manner = self.manner(policy);
        if !(3..6).contains(&policy) {
            return self.run::<true>(board, manner, turn, actions, rng);
        }
        let sight = board.sight;
        board.sight = [self.ground.all; 2];
        let tally = self.run::<false>(board, manner, turn, actions, rng);
        board.sight = sight;
        for side in fogtree_core::Player::all(2) {
            self.refresh(board, side);
        }
        tally
    }

    #[inline]
    fn run<const FOG: bool>(
        &self,
        board: &mut Board,
        manner: Manner,
        turn: u16,
        actions: u32,
        rng: &mut Rng,
    ) -> Tally {
        let mut tally = Tally::default();
        let mut reaches = Reaches::new();
        while let Phase::Muster(who) = board.phase {
            let army = self.muster.draw(&self.map, who, rng);
            self.enter(board, who, &army.units);
            if !FOG {
                board.sight = [self.ground.all; 2];
            }
        }
        while board.phase == Phase::Play && board.turn < turn && tally.attacks + tally.moves < actions {
            let before = board.turn;
            let futile = self.futile != Futile::Never;
            let order = self.order(board, &mut reaches, manner, (futile, None), rng);
            match order {
                Some((unit, to, target)) => {
                    let reach = reaches.of(self, board, unit);
                    self.perform::<FOG>(board, unit, to, target, Some(reach));
                    tally.attacks += u32::from(target.is_some());
                    tally.moves += u32::from(target.is_none());
                }
                None => {
                    self.act(board, Action::EndTurn);
                    tally.moves += 1;
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

    /// Draws an action. Unseen enemies lure the greedy from where they are believed to be; in playouts, which may
    /// look through the fog, from where they are.
    #[inline]
    fn order(
        &self,
        board: &Board,
        reaches: &mut Reaches,
        manner: Manner,
        (futile, believed): (bool, Option<&[(Kind, u8)]>),
        rng: &mut Rng,
    ) -> Option<Order> {
        match manner {
            Manner::Eager(p) => Some(self.eager(board, reaches, p, futile, rng)),
            Manner::Greedy(p) if rng.unit() < p => Some(match believed {
                Some(believed) => self.valuable(board, reaches, believed, rng),
                None => self.valuable_in_world(board, reaches, rng),
            }),
            Manner::Greedy(_) | Manner::Uniform => {
                let ready = self.ready(board);
                self.draw(board, reaches, ready, self.end_turn, rng)
            }
        }
    }

    /// What MaxActEval does in a world taken for the truth: unseen enemies cannot be attacked, but lure.
    #[cold]
    fn valuable_in_world(&self, board: &Board, reaches: &mut Reaches, rng: &mut Rng) -> Order {
        let side = board.mover();
        let unseen = ids(self.army[side.other().index()] & board.standing & !self.targets(board));
        let believed: ArrayVec<(Kind, u8), SLOTS> =
            unseen.map(|id| (board.unit(id).kind, board.unit(id).cell)).collect();
        self.valuable(board, reaches, &believed, rng)
    }

    /// A legal action, all equally likely.
    #[inline]
    pub(super) fn any_action(&self, board: &Board, rng: &mut Rng) -> Action {
        if self.surrender {
            let mut legal = Vec::new();
            self.list(board, &mut legal);
            return *rng.pick(&legal);
        }
        self.policy_action_of(board, 0, &[], rng)
    }

    /// Whether a policy asks where unseen enemies are believed to be.
    pub(super) fn believes(policy: usize) -> bool {
        policy >= 6
    }

    /// A legal action drawn by one of [`POLICIES`]. A player that looks through the fog is none.
    pub(super) fn policy_action_of(
        &self,
        board: &Board,
        policy: usize,
        believed: &[(Kind, u8)],
        rng: &mut Rng,
    ) -> Action {
        let futile = self.futile == Futile::Allowed;
        let with = (futile, Some(believed));
        let order = self.order(board, &mut Reaches::new(), self.manner(policy), with, rng);
        self.action(board, order)
    }
}

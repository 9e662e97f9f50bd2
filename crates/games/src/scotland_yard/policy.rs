//! Ways of playing, in playouts and as players: how Mr X hides, and how the seekers seek him.
//!
//! All are epsilon-greedy: with probability epsilon any move, else the best by a simple measure, as in
//! Nijssen and Winands, "Monte Carlo Tree Search for the Hide-and-Seek Game Scotland Yard" (2012), from which
//! the measures are too. Seekers chase Mr X where he is in the world that is played, which is a drawn one for
//! everybody but him.

use fogtree_core::{
    FastPlay, Horizon, Player, Policies, Policy, Rng, Rules, Scratch, Step, Turn, random_step,
};

use super::board::Ticket;
use super::hunt::{Hunt, Kept};
use super::{Action, MR_X, NOWHERE, ScotlandYard, State};

/// The policies by name.
pub const POLICIES: &[Policy] = &[
    Policy { name: "hide", about: "Mr X pays with the ticket after which he may be at most stations" },
    Policy { name: "flee", about: "Mr X goes where the nearest seeker is farthest, and then all of them" },
    Policy { name: "chase", about: "seekers go where Mr X is nearest, in a drawn world" },
    Policy { name: "surround", about: "seekers go where all stations at which he may be are nearest in sum" },
    Policy { name: "hide-chase", about: "Mr X by hide, seekers by chase" },
    Policy { name: "flee-chase", about: "Mr X by flee, seekers by chase" },
    Policy { name: "hide-surround", about: "Mr X by hide, seekers by surround" },
    Policy { name: "flee-surround", about: "Mr X by flee, seekers by surround" },
];

/// How Mr X moves.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Hiding {
    Anyhow,
    Hide,
    Flee,
}

/// How seekers move.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Seeking {
    Anyhow,
    Chase,
    Surround,
}

/// How both sides move.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Manner(Hiding, Seeking);

/// In the order of [`POLICIES`].
const MANNERS: [Manner; 8] = [
    Manner(Hiding::Hide, Seeking::Anyhow),
    Manner(Hiding::Flee, Seeking::Anyhow),
    Manner(Hiding::Anyhow, Seeking::Chase),
    Manner(Hiding::Anyhow, Seeking::Surround),
    Manner(Hiding::Hide, Seeking::Chase),
    Manner(Hiding::Flee, Seeking::Chase),
    Manner(Hiding::Hide, Seeking::Surround),
    Manner(Hiding::Flee, Seeking::Surround),
];

impl Manner {
    /// That of one of [`POLICIES`], or uniformly random.
    pub(super) fn of(policy: Option<usize>) -> Manner {
        let uniform = Manner(Hiding::Anyhow, Seeking::Anyhow);
        policy.map_or(uniform, |policy| MANNERS[policy.min(MANNERS.len() - 1)])
    }

    /// What has to be kept of the hunt.
    fn needs(self) -> Kept {
        match self {
            Manner(_, Seeking::Surround) => Kept::Sums,
            Manner(Hiding::Hide, _) => Kept::Possible,
            _ => Kept::Nothing,
        }
    }
}

impl Policies<ScotlandYard> for ScotlandYard {
    fn policies(&self) -> &'static [Policy] {
        POLICIES
    }

    fn policy_action(
        &self,
        policy: usize,
        s: &State,
        who: Player,
        rng: &mut Rng,
        scratch: &mut Scratch<Self>,
    ) -> Action {
        let manner = Manner::of(Some(policy));
        self.draw(manner, &Hunt::of(self, s, manner.needs()), s, who, rng, scratch)
    }

    /// What the hunt needs to know is kept from move to move.
    fn policy_playout(
        &self,
        _: &Self,
        policy: Option<usize>,
        horizon: Option<Horizon>,
        s: &mut State,
        rng: &mut Rng,
        scratch: &mut Scratch<Self>,
    ) {
        let manner = Manner::of(policy);
        let kept = manner.needs();
        let mut hunt = Hunt::of(self, s, kept);
        let (mut steps, mut turns, mut last) = (0, 0, None);
        loop {
            let turn = self.turn(s);
            if let Turn::Player(who) = turn {
                turns += u32::from(last.is_some_and(|last| last != who));
                last = Some(who);
            }
            let far = match horizon {
                Some(Horizon::Steps(most)) => steps >= most,
                Some(Horizon::Turns(most)) => turns >= most,
                None => false,
            };
            match turn {
                _ if far || turn == Turn::Terminal => return,
                Turn::Player(who) => {
                    let action = self.draw(manner, &hunt, s, who, rng, scratch);
                    hunt.follow(self, s, action, kept);
                    self.apply(s, Step::Moves(&[(who, action)]));
                }
                _ => {
                    random_step(self, s, rng, scratch);
                    hunt = Hunt::of(self, s, kept);
                }
            }
            steps += 1;
        }
    }
}

impl ScotlandYard {
    #[inline]
    fn draw(
        &self,
        Manner(hiding, seeking): Manner,
        hunt: &Hunt,
        s: &State,
        who: Player,
        rng: &mut Rng,
        scratch: &mut Scratch<Self>,
    ) -> Action {
        let anyhow = if who == MR_X { hiding == Hiding::Anyhow } else { seeking == Seeking::Anyhow };
        if anyhow || s.x == NOWHERE || rng.unit() < self.epsilon {
            return self.random_action(s, who, rng, scratch);
        }
        match (who, hiding, seeking) {
            (MR_X, Hiding::Hide, _) => self.hide(hunt, s, rng),
            (MR_X, ..) => self.best(s, rng, |to, by| {
                let (nearest, all) = self.gap(s, to);
                nearest << 16 | all << 1 | u32::from(by != Ticket::Black)
            }),
            (_, _, Seeking::Surround) => {
                self.best(s, rng, |to, _| u32::from(u16::MAX - hunt.sums[to as usize]))
            }
            _ => {
                let row = self.board.distances().row(s.x);
                self.best(s, rng, |to, _| u32::from(u8::MAX - row[to as usize]))
            }
        }
    }

    /// The move after which Mr X may be at most stations. That is for the ticket to say, and among those that
    /// hide him equally well a black one is spared; where he goes with it, he goes as far from the nearest
    /// seeker as he can.
    #[inline]
    fn hide(&self, hunt: &Hunt, s: &State, rng: &mut Rng) -> Action {
        let surfaces = self.surfaces(s.moves + 1);
        let stations = Ticket::ALL.map(|by| match surfaces || s.x_fares[by as usize] == 0 {
            true => 1,
            false => self.spread(hunt.possible, by, s.seekers).count(),
        });
        self.best(s, rng, |to, by| {
            stations[by as usize] << 9 | u32::from(by != Ticket::Black) << 8 | self.gap(s, to).0
        })
    }

    /// How far the nearest seeker is from a station, and all of them in sum.
    #[inline]
    pub(super) fn gap(&self, s: &State, station: u8) -> (u32, u32) {
        let row = self.board.distances().row(station);
        let each = s.seekers[..self.seekers].iter().map(|&at| u32::from(row[at as usize]));
        each.fold((u32::MAX, 0), |(nearest, all), d| (nearest.min(d), all + d))
    }

    /// The move with the best score, any of those that tie. Double-move cards are played as at random.
    #[inline]
    fn best(&self, s: &State, rng: &mut Rng, score: impl Fn(u8, Ticket) -> u32) -> Action {
        let (from, purse) = self.mover(s);
        let mut best: Option<(u32, u8, Ticket)> = None;
        let mut ties = 0;
        for (to, kinds) in self.exits(s, from, purse) {
            for by in Ticket::ALL.into_iter().filter(|&by| kinds >> by as u8 & 1 == 1) {
                let score = score(to, by);
                match best {
                    Some((least, ..)) if score < least => continue,
                    Some((least, ..)) if score == least => ties += 1,
                    _ => ties = 1,
                }
                if ties == 1 || rng.below(ties) == 0 {
                    best = Some((score, to, by));
                }
            }
        }
        best.map_or(Action::Stuck, |(_, to, by)| Action::Go {
            to,
            by,
            double: self.may_double(s) && rng.below(2) == 1,
        })
    }
}

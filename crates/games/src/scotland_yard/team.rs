//! Who moves the seekers, and what each of them gets.
//!
//! The seekers are one player, or each has a seat. Mr X's reward says how often the seekers win
//! (Whitehouse 2014, §4.2.12).

use fogtree_core::{BadSpec, Params, Player, Rewards, Utility};

use super::{End, MR_X, Phase, SEEKERS, ScotlandYard, State};

/// Who moves the seekers.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Team {
    /// One player.
    Together,
    /// A player each.
    Apart,
}

impl Team {
    pub(super) fn from_params(params: &Params) -> Result<Team, BadSpec> {
        params.choice("team", &[Team::Together, Team::Apart])
    }
}

impl ScotlandYard {
    /// How many players there are.
    pub(super) fn seats(&self) -> usize {
        match self.team {
            Team::Together => 2,
            Team::Apart => 1 + self.seekers,
        }
    }

    /// Who moves a seeker.
    #[inline]
    pub(super) fn seat_of(&self, seeker: u8) -> Player {
        match self.team {
            Team::Together => SEEKERS,
            Team::Apart => Player(SEEKERS.0 + seeker),
        }
    }

    /// How the rewards of all relate.
    pub(super) fn utility(&self) -> Utility {
        if self.seats() == 2 { self.reward.utility() } else { Utility::General }
    }

    /// What each player gets at the end.
    #[inline]
    pub(super) fn shares(&self, s: &State) -> Rewards {
        let caught = matches!(s.phase, Phase::Over(End::Caught | End::XStuck));
        match self.team {
            Team::Together => self.reward.of(Some(if caught { SEEKERS } else { MR_X })),
            Team::Apart => Rewards::from_fn(self.seats(), |who| {
                self.reward.worth(if (who == MR_X) == caught { 0.0 } else { 1.0 })
            }),
        }
    }
}

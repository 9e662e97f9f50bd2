//! Who moves the seekers, and what each of them has of a win.
//!
//! The seekers are one player, or each has a seat. In the second case coalition reduction gives them
//! something to compete for: who catches Mr X has the whole win, the others `1 - r` of it. Each then seeks
//! for itself instead of leaving it to the others, and a suitable `r` catches Mr X more often (Nijssen and
//! Winands 2012; Whitehouse 2014, §4.2.12). Mr X's own reward stays what it is, and so says how often the
//! seekers win.

use fogtree_core::{BadSpec, Params, Player, Rewards, Utility};

use super::{End, MR_X, Phase, SEEKERS, ScotlandYard, State};

/// Who moves the seekers.
#[derive(Clone, Copy, PartialEq, Debug)]
pub(super) enum Team {
    /// One player.
    Together,
    /// A player each, who loses this share of the win if another one catches Mr X.
    Apart { reduction: f64 },
}

impl Team {
    pub(super) fn from_params(params: &Params) -> Result<Team, BadSpec> {
        let reduction = params.number("reduction")?;
        let team = [Team::Together, Team::Apart { reduction }];
        match params.choice("team", &team)? {
            Team::Together if reduction > 0.0 => {
                Err(params.bad("reduction", "0 where one player moves all seekers; team=apart seats each"))
            }
            team => Ok(team),
        }
    }
}

impl ScotlandYard {
    /// How many players there are.
    pub(super) fn seats(&self) -> usize {
        match self.team {
            Team::Together => 2,
            Team::Apart { .. } => 1 + self.seekers,
        }
    }

    /// Who moves a seeker.
    #[inline]
    pub(super) fn seat_of(&self, seeker: u8) -> Player {
        match self.team {
            Team::Together => SEEKERS,
            Team::Apart { .. } => Player(SEEKERS.0 + seeker),
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
        let Team::Apart { reduction } = self.team else {
            return self.reward.of(Some(if caught { SEEKERS } else { MR_X }));
        };
        let catcher = (s.phase == Phase::Over(End::Caught))
            .then(|| (0..self.seekers as u8).find(|&k| s.seekers[k as usize] == s.x))
            .flatten()
            .map(|seeker| self.seat_of(seeker));
        Rewards::from_fn(self.seats(), |who| {
            self.reward.worth(match (who == MR_X, caught) {
                (true, true) | (false, false) => 0.0,
                (false, true) if catcher.is_some_and(|catcher| catcher != who) => 1.0 - reduction,
                _ => 1.0,
            })
        })
    }
}

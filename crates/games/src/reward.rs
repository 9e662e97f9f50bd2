//! What the result of a game for two is worth, by a parameter that several games share.

use fogtree_core::{BadSpec, Domain, Param, Params, Player, Rewards, Utility};

/// What winning, drawing and losing are worth.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Reward {
    /// 1, 1/2, 0.
    Unit,
    /// 1, 0, -1.
    Signed,
}

impl Reward {
    /// The parameter by which a game lets one choose.
    pub const PARAM: Param = Param::new(
        "reward",
        "unit",
        Domain::Choice(&["unit", "signed"]),
        "win, draw, loss: unit is 1, 0.5, 0; signed is 1, 0, -1",
    );

    /// What the parameter asks for.
    pub fn from_params(params: &Params) -> Result<Reward, BadSpec> {
        params.choice("reward", &[Reward::Unit, Reward::Signed])
    }

    /// How the rewards of both relate.
    pub fn utility(self) -> Utility {
        match self {
            Reward::Unit => Utility::ConstantSum,
            Reward::Signed => Utility::ZeroSum,
        }
    }

    /// The least and the greatest reward.
    pub fn range(self) -> (f64, f64) {
        match self {
            Reward::Unit => (0.0, 1.0),
            Reward::Signed => (-1.0, 1.0),
        }
    }

    /// What a share of a win is worth, from 0 to 1.
    #[inline]
    pub fn worth(self, share: f64) -> f64 {
        let (low, high) = self.range();
        low + (high - low) * share
    }

    /// The rewards of both players.
    #[inline]
    pub fn of(self, winner: Option<Player>) -> Rewards {
        match self {
            Reward::Unit => Rewards::winner(2, winner),
            Reward::Signed => Rewards::zero_sum(winner.map_or(0.0, |w| [1.0, -1.0][w.index()])),
        }
    }
}

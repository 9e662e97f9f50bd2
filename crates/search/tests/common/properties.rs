//! How well a game suits determinized search, measured by playouts.
//!
//! Long, Sturtevant, Buro and Furtak (AAAI 2010) find three properties of game trees that decide how much PIMC loses against
//! optimal play: how often the outcomes of the last choice are all the same (leaf correlation), whom such ends favour (bias),
//! and how fast information sets shrink (disambiguation). PIMC does well where leaves are correlated or information
//! sets shrink fast. They measure them in games too large to be solved by random playouts, and so does this
//! (`tubstap/5.4`).

use fogtree_core::{Model, Move, Observer, Player, Rewards, Rng, Turn, World, WorldStep};

/// What was measured. A share is missing where nothing was met that it could be a share of.
#[derive(Clone, Copy, PartialEq, Debug, Default)]
pub struct Properties {
    /// How often two moves that both end the game at the same choice are worth the same.
    pub correlation: Option<f64>,
    /// How often those that are worth the same give the first player more than the middle of the range of rewards, a half
    /// for the middle itself.
    pub bias: Option<f64>,
    /// The mean share of an information set that has become impossible by the next decision of the same player: 0 if it
    /// never learns anything, 1 if it knows everything at once; sets of one state are left out. Missing in
    /// games that cannot list what is possible.
    pub disambiguation: Option<f64>,
    /// The playouts made.
    pub playouts: u64,
}

/// A mean.
#[derive(Clone, Copy, Default)]
struct Mean(f64, u64);

impl Mean {
    fn add(&mut self, value: f64) {
        self.0 += value;
        self.1 += 1;
    }

    fn get(self) -> Option<f64> {
        (self.1 > 0).then(|| self.0 / self.1 as f64)
    }
}

/// Measures a game by uniformly random playouts, or by one of its policies.
pub fn measure(game: &dyn Model, policy: Option<usize>, playouts: u64, rng: &mut Rng) -> Properties {
    let facts = game.facts();
    let middle = (facts.utility_bounds.0 + facts.utility_bounds.1) / 2.0;
    let (mut correlation, mut bias, mut shrinking) = (Mean::default(), Mean::default(), Mean::default());
    let (mut worlds, mut moves, mut legal) = (Vec::new(), Vec::new(), Vec::new());
    for _ in 0..playouts {
        let mut state = game.start();
        let mut sizes: Vec<Option<usize>> = vec![None; facts.players];
        loop {
            let turn = state.turn();
            match turn {
                Turn::Terminal => break,
                Turn::Chance => {
                    state.random_step(rng);
                    continue;
                }
                Turn::Player(_) | Turn::Simultaneous(_) => {}
            }
            moves.clear();
            for p in turn.players().iter() {
                let known = state.info(Observer::Seat(p));
                worlds.clear();
                if game.enumerate(&known, &mut worlds) {
                    let before = sizes[p.index()].replace(worlds.len());
                    if let Some(before) = before.filter(|before| *before > 1) {
                        shrinking.add(1.0 - worlds.len().min(before) as f64 / before as f64);
                    }
                }
                moves.push((p, state.policy_move(policy, p, rng)));
            }
            if let Turn::Player(p) = turn {
                legal.clear();
                state.legal(p, &mut legal);
                compare(&*state, (p, &legal), middle, (&mut correlation, &mut bias));
            }
            state.apply(WorldStep::Moves(&moves));
        }
    }
    Properties { correlation: correlation.get(), bias: bias.get(), disambiguation: shrinking.get(), playouts }
}

/// Compares all pairs of moves that end the game here.
fn compare(
    state: &dyn World,
    (who, legal): (Player, &[Move]),
    middle: f64,
    (correlation, bias): (&mut Mean, &mut Mean),
) {
    let end = |&action: &Move| -> Option<Rewards> {
        let mut next = state.boxed();
        next.apply(WorldStep::Moves(&[(who, action)]));
        (next.turn() == Turn::Terminal).then(|| next.rewards())
    };
    let ends: Vec<f64> = legal.iter().filter_map(end).map(|rewards| rewards[Player(0)]).collect();
    for (i, one) in ends.iter().enumerate() {
        for other in &ends[i + 1..] {
            correlation.add(f64::from(u8::from(one == other)));
            if one == other {
                bias.add(match one.total_cmp(&middle) {
                    std::cmp::Ordering::Less => 0.0,
                    std::cmp::Ordering::Equal => 0.5,
                    std::cmp::Ordering::Greater => 1.0,
                });
            }
        }
    }
}

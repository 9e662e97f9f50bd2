//! What the game offers searches: evaluations, policies, promising actions, the game without fog, turns as episodes.

use fogtree_core::{
    Episodes, Evaluations, Game, Horizon, Method as TrackedMethod, Metrics, Observer, PerfectInfoVariant,
    Player, Policies, Policy, Rng, Rules, Scratch, Selective, SelectiveSearch, Step, Tracked, Turn,
};

use super::actions::Action;
use super::battle::Battle;
use super::board::Phase;
use super::evaluate::{EVALUATIONS, Evaluation};
use super::policy::POLICIES;
use super::{MOST_WORLDS, State, Tubstap};

impl Evaluations<Tubstap> for Tubstap {
    fn evaluations(&self) -> &'static [Policy] {
        EVALUATIONS
    }

    fn evaluate(&self, which: Option<usize>, s: &State, who: Player) -> Option<f64> {
        let battle = self.battle();
        let by = which.map_or(battle.evaluation, |which| Evaluation::ALL[which.min(EVALUATIONS.len() - 1)]);
        let (low, high) = battle.reward.range();
        Some(match s.inner.phase {
            Phase::Over(_) => self.rewards(s)[who],
            _ => low + (high - low) * battle.guess(&s.inner, who, by),
        })
    }
}

impl Policies<Tubstap> for Tubstap {
    fn policies(&self) -> &'static [Policy] {
        POLICIES
    }

    fn policy_action(
        &self,
        policy: usize,
        s: &State,
        who: Player,
        rng: &mut Rng,
        _: &mut Scratch<Tubstap>,
    ) -> Action {
        let asked = self.battle().fog.on && Battle::believes(policy);
        let known = asked.then(|| self.info(s, Observer::Seat(who)));
        let track = known.and_then(|known| self.track(&known));
        let believed = track.map(|track| track.believed(self.battle())).unwrap_or_default();
        self.battle().policy_action_of(&s.inner, policy, &believed, rng)
    }

    fn policy_playout(
        &self,
        _: &Tubstap,
        policy: Option<usize>,
        horizon: Option<Horizon>,
        s: &mut State,
        rng: &mut Rng,
        _: &mut Scratch<Tubstap>,
    ) {
        let (turn, actions) = match horizon {
            None => (u32::MAX, u32::MAX),
            Some(Horizon::Turns(turns)) => (u32::from(s.inner.turn).saturating_add(turns), u32::MAX),
            Some(Horizon::Steps(steps)) => (u32::MAX, steps),
        };
        let turn = u16::try_from(turn).unwrap_or(u16::MAX);
        self.battle().play_on(&mut s.inner, policy.unwrap_or(0), turn, actions, rng);
        self.forget(s);
    }
}

impl SelectiveSearch<Tubstap> for Tubstap {
    fn move_prior(&self, s: &State, _: Player, actions: &[Action], out: &mut Vec<f32>) {
        self.battle().promises(&s.inner, actions, out);
    }

    fn candidates(&self, s: &State, who: Player, asked: Selective, out: &mut Vec<Action>) {
        if self.turn(s) == Turn::Player(who) {
            self.battle().select_of(&s.inner, asked, out);
        }
    }

    fn orders(&self) -> u32 {
        2
    }
}

impl PerfectInfoVariant<Tubstap> for Tubstap {
    fn perfect_info_variant(&self) -> Option<Tubstap> {
        let open = Tracked::new(self.battle().without_fog(), TrackedMethod::Exact { limit: MOST_WORLDS });
        self.battle().fog.on.then_some(Tubstap { rules: open, method: self.method })
    }

    fn reveal(&self, s: &mut State) {
        s.inner = self.battle().lifted(&s.inner);
    }
}

/// A turn of a side is an episode.
impl Episodes<Tubstap> for Tubstap {
    fn episode(&self, s: &State) -> Option<u32> {
        let board = &s.inner;
        let fresh =
            board.phase == Phase::Play && board.acted & self.battle().army[board.mover().index()] == 0;
        fresh.then_some(u32::from(board.turn))
    }
}

impl Metrics<Tubstap> for Tubstap {
    fn metrics(&self, before: &State, step: Step<'_, Tubstap>, out: &mut Vec<(Player, &'static str, f64)>) {
        if let Step::Moves(moves) = step {
            self.battle().count(&before.inner, moves[0].1, out);
        }
    }
}

//! Oshi-zumo: two players push a wrestler off the board with the coins they bid.
//!
//! The wrestler starts in the middle of a row of `2 size + 1` cells, and both players have the same number of
//! coins. Every round both bid at the same time, at least the minimum; both bids are paid, and the higher one
//! pushes the wrestler one cell away from whoever bid it. The game ends when the wrestler leaves the board or
//! nobody can bid any more; the player in whose half it stands then, or behind whose end it fell, loses. Rules:
//! M. Buro, *Solving the Oshi-Zumo game* (2004); Lisý 2014, §4.1.1. Nothing is hidden but the other's bid of
//! the same round, and that is enough: from 12 coins on the first bid has to be mixed.

use std::cmp::Ordering;

use fogtree_core::{
    About, BadSpec, Domain, Evaluations, Extras, Facts, FastPlay, Notation, Observation, Observer, Param,
    Params, PerfectInformation, Player, Players, Preset, Rewards, Rng, Rules, Scene, Scratch, Step, Tensors,
    Turn, Witnessed,
};
use serde::{Deserialize, Serialize};

use crate::reward::Reward;
use crate::words::{does, joined, name};

mod scene;
mod tensors;

/// What `fogtree games` says of it.
pub static ABOUT: About = About {
    name: "oshi-zumo",
    summary: "Both bid coins at once; the higher bid pushes the wrestler towards the other's end",
    source: "Buro 2004; equilibrium 3.2",
    params: &[
        Param::new("coins", "50", Domain::Integer(1, 250), "coins of each player, 1 to 250"),
        Param::new("size", "3", Domain::Integer(1, 100), "cells on each side of the middle, 1 to 100"),
        Param::new("minimum", "1", Domain::Integer(1, 250), "the lowest bid, 1 to the number of coins"),
        Param::new(
            "short",
            "nothing",
            Domain::Choice(&["nothing", "all"]),
            "what a player bids who cannot pay the minimum: nothing, or all = the coins that are left",
        ),
        Param { default: "signed", ..Reward::PARAM },
    ],
    presets: &[Preset {
        name: "small-oshi-zumo",
        params: "coins=10",
        about: "The instance on which Lisý measures convergence: 340 states in 258060 histories",
    }],
    tiny: "coins=6,size=1",
};

/// The rules of oshi-zumo with certain numbers.
#[derive(Clone, Debug)]
pub struct OshiZumo {
    coins: u8,
    size: i8,
    minimum: u8,
    short: Short,
    reward: Reward,
}

/// What a player bids who cannot pay the minimum.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Short {
    Nothing,
    All,
}

/// So many coins.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Serialize, Deserialize)]
pub struct Bid(u8);

/// The coins of both and where the wrestler stands: cells from the middle, positive in the second player's half.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Serialize, Deserialize)]
pub struct State {
    coins: [u8; 2],
    wrestler: i8,
}

impl State {
    /// Pays the bids and moves the wrestler.
    #[inline]
    fn bid(&mut self, bids: [u8; 2]) {
        self.coins = [0, 1].map(|seat| self.coins[seat] - bids[seat]);
        self.wrestler += bids[0].cmp(&bids[1]) as i8;
    }

    /// The player whom the wrestler's place favours.
    fn ahead(&self) -> Option<Player> {
        match self.wrestler {
            0 => None,
            1.. => Some(Player(0)),
            _ => Some(Player(1)),
        }
    }
}

impl OshiZumo {
    /// The game a specification asks for.
    pub fn from_params(params: &Params) -> Result<OshiZumo, BadSpec> {
        let coins = params.number("coins")?;
        Ok(OshiZumo {
            coins,
            size: params.number("size")?,
            minimum: params.number_within("minimum", 1..=coins)?,
            short: params.choice("short", &[Short::Nothing, Short::All])?,
            reward: Reward::from_params(params)?,
        })
    }

    /// In how many more rounds a player with so many coins can bid anything.
    fn bids_left(&self, coins: u8) -> u8 {
        match self.short {
            Short::Nothing => coins / self.minimum,
            Short::All => coins.div_ceil(self.minimum),
        }
    }

    #[inline]
    fn is_over(&self, s: &State) -> bool {
        let least = match self.short {
            Short::Nothing => self.minimum,
            Short::All => 1,
        };
        s.wrestler.abs() > self.size || s.coins[0].max(s.coins[1]) < least
    }

    /// The lowest and the highest bid of a player with so many coins.
    #[inline]
    fn range(&self, coins: u8) -> (u8, u8) {
        match self.short {
            _ if coins >= self.minimum => (self.minimum, coins),
            Short::Nothing => (0, 0),
            Short::All => (coins, coins),
        }
    }

    #[inline]
    fn random_bid(&self, coins: u8, rng: &mut Rng) -> u8 {
        let (low, high) = self.range(coins);
        if low == high { low } else { low + rng.below(u32::from(high - low) + 1) as u8 }
    }

    /// Whether the player whom the wrestler's place does not favour cannot bid often enough to bring it back to
    /// the middle: then the other wins, whatever both do.
    fn is_decided(&self, s: &State) -> bool {
        let behind = s.ahead().map(Player::other);
        behind.is_some_and(|p| self.bids_left(s.coins[p.index()]) < s.wrestler.unsigned_abs())
    }
}

impl Rules for OshiZumo {
    type State = State;
    type Action = Bid;
    type Outcome = std::convert::Infallible;

    fn facts(&self) -> Facts {
        Facts {
            simultaneous: true,
            utility: self.reward.utility(),
            utility_bounds: self.reward.range(),
            ..Facts::open(2, u32::from(self.bids_left(self.coins)))
        }
    }

    fn start(&self) -> State {
        State { coins: [self.coins; 2], wrestler: 0 }
    }

    #[inline]
    fn turn(&self, s: &State) -> Turn {
        if self.is_over(s) { Turn::Terminal } else { Turn::Simultaneous(Players::first(2)) }
    }

    #[inline]
    fn actions(&self, s: &State, who: Player, out: &mut Vec<Bid>) {
        let (low, high) = self.range(s.coins[who.index()]);
        out.extend((low..=high).map(Bid));
    }

    #[inline]
    fn apply(&self, s: &mut State, step: Step<'_, Self>) {
        let moves = step.moves();
        s.bid([moves[0].1.0, moves[1].1.0]);
    }

    fn rewards(&self, s: &State) -> Rewards {
        self.reward.of(s.ahead())
    }

    fn observe(&self, _before: &State, step: Step<'_, Self>, by: Observer) -> Option<Observation> {
        let moves = step.moves();
        let [first, second] = [moves[0].1, moves[1].1].map(|bid| self.code(bid));
        Some(match by {
            Observer::Seat(Player(0)) => Observation::word(second),
            Observer::Seat(_) => Observation::word(first),
            Observer::Public => Observation::words(&[first, second]),
        })
    }

    fn code(&self, action: Bid) -> u64 {
        u64::from(action.0)
    }

    fn extras(&self) -> Extras<'_, Self> {
        Extras { evaluations: Some(self), ..Extras::NONE }
    }
}

impl Notation for OshiZumo {
    fn action_name(&self, action: Bid) -> String {
        action.0.to_string()
    }

    fn parse_action(&self, name: &str) -> Option<Bid> {
        let bid = Bid(name.parse().ok().filter(|&bid| bid <= self.coins)?);
        (self.action_name(bid) == name).then_some(bid)
    }

    fn explain(&self, seen: &Observation, by: Observer) -> String {
        match (by, seen.as_words()) {
            (Observer::Public, &[first, second]) => format!("player 0 bids {first}, player 1 {second}"),
            _ => format!("the other bids {}", seen.first()),
        }
    }

    fn scene_of(&self, s: &State) -> Scene {
        self.drawn(s)
    }
}

impl FastPlay for OshiZumo {
    const DECODES: bool = true;

    #[inline]
    fn decode(&self, code: u64) -> Bid {
        Bid(code as u8)
    }

    #[inline]
    fn random_action(&self, s: &State, who: Player, rng: &mut Rng, _scratch: &mut Scratch<Self>) -> Bid {
        Bid(self.random_bid(s.coins[who.index()], rng))
    }

    #[inline]
    fn playout(&self, s: &mut State, rng: &mut Rng, _scratch: &mut Scratch<Self>) -> Rewards {
        while !self.is_over(s) {
            s.bid(s.coins.map(|coins| self.random_bid(coins, rng)));
        }
        self.rewards(s)
    }

    fn codes(&self) -> Option<usize> {
        Some(usize::from(self.coins) + 1)
    }
}

impl Evaluations<OshiZumo> for OshiZumo {
    /// Lisý 2014, §4.1.1: the difference in coins, counted in bids, and the wrestler's place; half a unit more for
    /// whoever is not behind in either and ahead in one, or has won already though the game goes on.
    fn evaluate(&self, _: Option<usize>, s: &State, who: Player) -> Option<f64> {
        let sign = [1.0, -1.0][who.index()];
        let [mine, others] = [who, who.other()].map(|p| f64::from(s.coins[p.index()]));
        let (lead, pushed) = (mine - others, sign * f64::from(s.wrestler));
        let bonus = match (lead, pushed) {
            _ if self.is_decided(s) => pushed.signum(),
            (0.0, 0.0) => 0.0,
            (0.0.., 0.0..) => 1.0,
            (..=0.0, ..=0.0) => -1.0,
            _ => 0.0,
        };
        let guess = (bonus / 2.0 + (lead / f64::from(self.minimum) + pushed) / 3.0).tanh();
        let (least, most) = self.reward.range();
        Some(least + (most - least) * (guess + 1.0) / 2.0)
    }
}

impl PerfectInformation for OshiZumo {
    fn tell(&self, step: Witnessed<'_, Bid, State>) -> Option<String> {
        let (from, to) = (step.before.wrestler, step.after.wrestler);
        let result = match to.cmp(&from) {
            Ordering::Equal => "the bids are equal and the wrestler stays".to_string(),
            moved => {
                let winner = Player(u8::from(moved == Ordering::Less));
                let (wins, loser) = (does(winner, step.by, "wins"), name(winner.other(), step.by));
                let out = if to.abs() > self.size { ", out of the ring" } else { "" };
                format!("{wins} the bid and the wrestler moves towards {loser}{out}")
            }
        };
        joined([step.words, Some(result)])
    }

    fn spots(&self, _s: &State, _: Player, bid: Bid) -> Vec<String> {
        self.touched(bid)
    }

    fn tensors(&self) -> Option<&dyn Tensors<Self>> {
        Some(self)
    }
}

#[cfg(test)]
mod tests {
    use std::collections::HashMap;

    use fogtree_core::text::plain;
    use fogtree_core::{Purpose, Seed};

    use super::*;

    fn try_game(params: &str) -> Result<OshiZumo, BadSpec> {
        OshiZumo::from_params(&crate::testing::params(&ABOUT, params)?)
    }

    fn game(params: &str) -> OshiZumo {
        try_game(params).unwrap()
    }

    fn after(rules: &OshiZumo, bids: &[(u8, u8)]) -> State {
        bids.iter().fold(rules.start(), |mut s, &(first, second)| {
            rules.apply(&mut s, Step::Moves(&[(Player(0), Bid(first)), (Player(1), Bid(second))]));
            s
        })
    }

    fn legal(rules: &OshiZumo, s: &State) -> [Vec<u8>; 2] {
        [Player(0), Player(1)].map(|who| {
            let mut bids = Vec::new();
            rules.actions(s, who, &mut bids);
            bids.into_iter().map(|bid| bid.0).collect()
        })
    }

    #[test]
    fn parameters_are_checked() {
        for bad in [
            "coins=0",
            "coins=251",
            "size=0",
            "size=101",
            "minimum=0",
            "minimum=51",
            "coins=3,minimum=4",
            "short=some",
            "reward=points",
        ] {
            assert!(matches!(try_game(bad), Err(BadSpec::Value { .. })), "{bad}");
        }
        assert_eq!(game("coins=250,size=100").facts().max_length, 250);
        assert_eq!(game("minimum=50").facts().max_length, 1);
    }

    #[test]
    fn the_higher_bid_pushes_and_both_bids_are_paid() {
        let rules = game("coins=10");
        let s = after(&rules, &[(3, 1), (2, 4), (1, 1), (2, 1)]);
        assert_eq!(s, State { coins: [2, 3], wrestler: 1 });
        assert_eq!(legal(&rules, &s), [vec![1, 2], vec![1, 2, 3]]);
        let broke = after(&rules, &[(10, 1)]);
        assert_eq!(legal(&rules, &broke), [vec![0], (1..=9).collect()]);
    }

    #[test]
    fn who_is_pushed_off_loses() {
        let rules = game("coins=10");
        let s = after(&rules, &[(1, 2), (1, 2), (1, 2)]);
        assert_eq!((s.wrestler, rules.turn(&s)), (-3, Turn::Simultaneous(Players::first(2))));
        let s = after(&rules, &[(1, 2), (1, 2), (1, 2), (1, 2)]);
        assert_eq!((rules.turn(&s), rules.rewards(&s).as_slice()), (Turn::Terminal, &[-1.0, 1.0][..]));
        assert_eq!(game("coins=10,reward=unit").rewards(&s).as_slice(), [0.0, 1.0]);
    }

    /// When nobody can bid, the half in which the wrestler stands decides, and in the middle it is a draw.
    #[test]
    fn who_has_the_wrestler_in_his_half_loses() {
        let (one, three) = (game("coins=4"), game("coins=5,minimum=3"));
        let s = after(&one, &[(2, 1), (1, 1), (1, 1)]);
        assert_eq!(one.turn(&s), Turn::Simultaneous(Players::first(2)), "player 1 has a coin left");
        for (rules, bids, reward) in [
            (&one, &[(3, 1), (1, 3)][..], 0.0),
            (&one, &[(4, 1), (0, 3)], 0.0),
            (&one, &[(2, 1), (1, 1), (1, 2)], 0.0),
            (&one, &[(1, 1), (3, 1), (0, 2)], 0.0),
            (&one, &[(1, 2), (1, 2), (2, 0)], -1.0),
            (&one, &[(1, 1), (1, 1), (2, 1), (0, 1)], 0.0),
            (&three, &[(4, 3)], 1.0),
            (&three, &[(4, 5)], -1.0),
            (&three, &[(5, 5)], 0.0),
        ] {
            let s = after(rules, bids);
            assert_eq!(rules.turn(&s), Turn::Terminal, "{bids:?}");
            assert_eq!(rules.rewards(&s).as_slice(), [reward, -reward], "{bids:?}");
        }
    }

    #[test]
    fn coins_below_the_minimum_are_kept_or_bid() {
        let bids = [(4, 3)];
        let kept = game("coins=5,minimum=3");
        let s = after(&kept, &bids);
        assert_eq!((kept.turn(&s), legal(&kept, &s)), (Turn::Terminal, [vec![0], vec![0]]));
        let bid = game("coins=5,minimum=3,short=all");
        assert_eq!((bid.facts().max_length, kept.facts().max_length), (2, 1));
        assert_eq!(bid.turn(&s), Turn::Simultaneous(Players::first(2)));
        assert_eq!(legal(&bid, &s), [vec![1], vec![2]]);
        let s = after(&bid, &[(4, 3), (1, 2)]);
        assert_eq!((bid.turn(&s), bid.rewards(&s).as_slice()), (Turn::Terminal, &[0.0, 0.0][..]));
    }

    /// Every state that play can reach, with the least and the greatest reward of the first player below it.
    fn outcomes(rules: &OshiZumo, s: State, known: &mut HashMap<State, (f64, f64)>) -> (f64, f64) {
        if let Some(&known) = known.get(&s) {
            return known;
        }
        let mut found = (f64::INFINITY, f64::NEG_INFINITY);
        if rules.turn(&s) == Turn::Terminal {
            let reward = rules.rewards(&s)[Player(0)];
            found = (reward, reward);
        } else {
            let [first, second] = legal(rules, &s);
            for bids in first.iter().flat_map(|&a| second.iter().map(move |&b| [a, b])) {
                let mut next = s;
                next.bid(bids);
                let (least, most) = outcomes(rules, next, known);
                found = (found.0.min(least), found.1.max(most));
            }
        }
        known.insert(s, found);
        found
    }

    /// Who cannot bid often enough to bring the wrestler back has lost, whatever happens.
    #[test]
    fn decided_games_are_decided() {
        for params in
            ["coins=10", "coins=12,size=2", "coins=11,minimum=2", "coins=11,size=4,minimum=3,short=all"]
        {
            let rules = game(params);
            let mut known = HashMap::new();
            outcomes(&rules, rules.start(), &mut known);
            let open: Vec<_> = known.iter().filter(|(s, _)| rules.turn(s) != Turn::Terminal).collect();
            let decided: Vec<_> = open.iter().filter(|(s, _)| rules.is_decided(s)).collect();
            assert!(decided.len() > 5, "{params}: {}", decided.len());
            for (s, (least, most)) in decided {
                let winner = f64::from(s.wrestler.signum());
                assert_eq!((*least, *most), (winner, winner), "{params} {s:?}");
            }
        }
    }

    /// Neither seat has an advantage: who stands as the other did can get what the other could.
    #[test]
    fn both_players_are_treated_alike() {
        for params in ["coins=10", "coins=11,size=2,minimum=3,short=all"] {
            let rules = game(params);
            let mut known = HashMap::new();
            outcomes(&rules, rules.start(), &mut known);
            for (s, &(least, most)) in &known {
                let mirrored = State { coins: [s.coins[1], s.coins[0]], wrestler: -s.wrestler };
                assert_eq!(known[&mirrored], (-most, -least), "{params} {s:?}");
            }
        }
    }

    /// The formula of equilibrium 3.2, by hand.
    #[test]
    fn evaluation_follows_the_formula() {
        let rules = game("coins=50,minimum=2");
        let value = |first, second, wrestler| {
            let s = State { coins: [first, second], wrestler };
            let both = [Player(0), Player(1)].map(|who| rules.evaluate(None, &s, who).unwrap());
            assert!((both[0] + both[1]).abs() < 1e-15);
            both[0]
        };
        let check = |found: f64, of: f64| assert!((found - of.tanh()).abs() < 1e-15, "{found} {of}");
        check(value(50, 50, 0), 0.0);
        check(value(20, 20, 1), 0.5 + 1.0 / 3.0);
        check(value(23, 20, 0), 0.5 + 1.5 / 3.0);
        check(value(23, 20, -1), (1.5 - 1.0) / 3.0);
        check(value(14, 20, -2), -0.5 + (-3.0 - 2.0) / 3.0);
        // The second player can bid twice more and would have to three times.
        check(value(3, 5, 3), 0.5 + (-1.0 + 3.0) / 3.0);
        check(value(3, 6, 3), (-1.5 + 3.0) / 3.0);
        let unit = game("coins=50,minimum=2,reward=unit");
        let s = State { coins: [23, 20], wrestler: -1 };
        let half = unit.evaluate(None, &s, Player(1)).unwrap();
        assert!((half - (1.0 - (0.5_f64 / 3.0).tanh()) / 2.0).abs() < 1e-15, "{half}");
    }

    /// Playouts bid like random steps.
    #[test]
    fn playouts_are_random_games() {
        let rules = game("coins=6,size=1");
        let mut scratch = Scratch::default();
        let mut rng = Seed(1).stream(Purpose::Playout);
        let mut sums = [0.0; 2];
        let games = 40_000;
        for _ in 0..games {
            let start = State { coins: [6, 4], wrestler: 0 };
            let mut s = start;
            sums[0] += rules.playout(&mut s, &mut rng, &mut scratch)[Player(0)];
            let mut s = start;
            while rules.turn(&s) != Turn::Terminal {
                fogtree_core::random_step(&rules, &mut s, &mut rng, &mut scratch);
            }
            sums[1] += rules.rewards(&s)[Player(0)];
        }
        let means = sums.map(|sum| sum / f64::from(games));
        assert!((means[0] - means[1]).abs() < 0.03, "{means:?}");
    }

    #[test]
    fn names_parse_back_and_nothing_else_does() {
        let rules = game("coins=10");
        for bid in (0..=10).map(Bid) {
            assert_eq!(rules.parse_action(&rules.action_name(bid)), Some(bid));
        }
        for bad in ["", "11", "01", "+1", "-1", "1.0", "256", "99999999999999999999", "é"] {
            assert_eq!(rules.parse_action(bad), None, "{bad}");
        }
        for words in [&[][..], &[u64::MAX], &[1, 2], &[1, 2, 3]] {
            for by in Observer::all(2) {
                rules.explain(&Observation::words(words), by);
            }
        }
        assert_eq!(
            rules.explain(&Observation::words(&[1, 2]), Observer::Public),
            "player 0 bids 1, player 1 2"
        );
    }

    #[test]
    fn the_wrestler_is_drawn() {
        for (wrestler, row) in
            [(0, "█ · · · W · · · █"), (-1, "█ · · W · · · · █"), (4, "█ · · · · · · · W█")]
        {
            let text = plain(&game("").show(&State { coins: [9, 50], wrestler }));
            let drawn: Vec<&str> = text.lines().nth(1).unwrap().split_whitespace().take(9).collect();
            assert_eq!(drawn.join(" "), row, "{text}");
        }
    }
}

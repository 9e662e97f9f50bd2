//! Random games: both players choose at once a fixed number of times, and the values of what they chose add up.
//!
//! Every joint choice carries a value of -1, 0 or 1, all equally likely; the first player gets the sum along the
//! path and the second loses it. Or nothing is counted on the way and every end of the game has a value of its
//! own, uniform in [0, 1). The values stand in no table: they are drawn from the seed and the path, so the tree may
//! be as large as it likes. Games without structure, on which methods are compared for themselves. Rules: Lisý 2014,
//! §4.1.1 and §4.2.1.
//!
//! # The values
//!
//! The seed of a node is that of its parent split by the number of the joint choice, [`Seed::number`]; that of the
//! root is the game's, split by the name `random-game`. The value of the choice that leads to a node is
//! `floor(3 h / 2^32) - 1` where `h` is the upper half of the node's seed; that of an end is the upper 53 bits of
//! its seed, over 2^53. All of it is integer arithmetic that is the same on every machine.

use fogtree_core::{
    About, BadSpec, Domain, Evaluations, Extras, Facts, FastPlay, Notation, Observation, Observer, Param,
    Params, PerfectInformation, Player, Players, Preset, Rewards, Rng, Rules, Scene, Scratch, Seed, Step,
    Turn, Utility,
};
use serde::{Deserialize, Serialize};

use scene::place;

mod scene;

/// What `fogtree games` says of it.
pub static ABOUT: About = About {
    name: "random-game",
    summary: "Both choose at once, a fixed number of times; random values along the way, or at the end, decide",
    source: "equilibrium 3.3, E1, E5",
    params: &[
        Param::new("branching", "5", Domain::Integer(1, 64), "choices of each player, 1 to 64"),
        Param::new("depth", "15", Domain::Integer(1, 100), "how often they choose, 1 to 100"),
        Param::new(
            "seed",
            "1",
            Domain::Integer(0, u64::MAX as i128),
            "which of the random games, 0 to 2^64 - 1",
        ),
        Param::new(
            "utility",
            "sum",
            Domain::Choice(&["sum", "sign", "leaf"]),
            "what the first player gets: sum = the sum of a value of -1, 0 or 1 for each joint choice; sign = \
                    1, 0 or -1 by its sign; leaf = a value from 0 to 1 for each end, the second player the rest to 1",
        ),
    ],
    presets: &[Preset {
        name: "small-random-game",
        params: "branching=4,depth=5",
        about: "The size on which Lisý measures convergence: 69905 histories with a choice",
    }],
    tiny: "branching=3,depth=3",
};

/// The rules of one random game.
#[derive(Clone, Debug)]
pub struct RandomGame {
    branching: u8,
    depth: u8,
    root: Seed,
    payoff: Payoff,
}

/// What the first player gets.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Payoff {
    Sum,
    Sign,
    Leaf,
}

/// One of the choices, counted from 0. Its name counts from 1.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Serialize, Deserialize)]
pub struct Choice(u8);

/// A node: where it is, how deep, and the sum of the values on the way (0 where none are counted).
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Serialize, Deserialize)]
pub struct State {
    path: Seed,
    depth: u8,
    sum: i8,
}

/// The value of the joint choice that leads to a node.
#[inline]
fn edge_value(path: Seed) -> i8 {
    (((path.0 >> 32) * 3) >> 32) as i8 - 1
}

/// The value of an end.
fn leaf_value(path: Seed) -> f64 {
    (path.0 >> 11) as f64 * (1.0 / (1u64 << 53) as f64)
}

impl RandomGame {
    /// The game a specification asks for.
    pub fn from_params(params: &Params) -> Result<RandomGame, BadSpec> {
        let payoffs = [Payoff::Sum, Payoff::Sign, Payoff::Leaf];
        Ok(RandomGame {
            branching: params.number("branching")?,
            depth: params.number("depth")?,
            root: Seed(params.number("seed")?).named("random-game"),
            payoff: params.choice("utility", &payoffs)?,
        })
    }

    #[inline]
    fn child(&self, s: &State, joint: u64) -> State {
        let path = s.path.number(joint);
        let value = if self.payoff == Payoff::Leaf { 0 } else { edge_value(path) };
        State { path, depth: s.depth + 1, sum: s.sum + value }
    }

    #[inline]
    fn joint(&self, [Choice(first), Choice(second)]: [Choice; 2]) -> u64 {
        u64::from(first) * u64::from(self.branching) + u64::from(second)
    }
}

impl Rules for RandomGame {
    type State = State;
    type Action = Choice;
    type Outcome = std::convert::Infallible;

    fn facts(&self) -> Facts {
        let most = f64::from(self.depth);
        let (utility, range) = match self.payoff {
            Payoff::Sum => (Utility::ZeroSum, (-most, most)),
            Payoff::Sign => (Utility::ZeroSum, (-1.0, 1.0)),
            Payoff::Leaf => (Utility::ConstantSum, (0.0, 1.0)),
        };
        Facts { simultaneous: true, utility, utility_bounds: range, ..Facts::open(2, u32::from(self.depth)) }
    }

    fn start(&self) -> State {
        State { path: self.root, depth: 0, sum: 0 }
    }

    #[inline]
    fn turn(&self, s: &State) -> Turn {
        if s.depth == self.depth { Turn::Terminal } else { Turn::Simultaneous(Players::first(2)) }
    }

    #[inline]
    fn actions(&self, _s: &State, _who: Player, out: &mut Vec<Choice>) {
        out.extend((0..self.branching).map(Choice));
    }

    #[inline]
    fn apply(&self, s: &mut State, step: Step<'_, Self>) {
        let moves = step.moves();
        *s = self.child(s, self.joint([moves[0].1, moves[1].1]));
    }

    fn rewards(&self, s: &State) -> Rewards {
        match self.payoff {
            Payoff::Sum => Rewards::zero_sum(f64::from(s.sum)),
            Payoff::Sign => Rewards::zero_sum(f64::from(s.sum.signum())),
            Payoff::Leaf => {
                let first = leaf_value(s.path);
                Rewards::from_fn(2, |p| if p == Player(0) { first } else { 1.0 - first })
            }
        }
    }

    fn observe(&self, _before: &State, step: Step<'_, Self>, by: Observer) -> Option<Observation> {
        let moves = step.moves();
        let [first, second] = [moves[0].1, moves[1].1].map(|choice| self.code(choice));
        Some(match by {
            Observer::Seat(Player(0)) => Observation::word(second),
            Observer::Seat(_) => Observation::word(first),
            Observer::Public => Observation::words(&[first, second]),
        })
    }

    fn code(&self, action: Choice) -> u64 {
        u64::from(action.0)
    }

    fn extras(&self) -> Extras<'_, Self> {
        Extras { evaluations: Some(self), ..Extras::NONE }
    }
}

impl Notation for RandomGame {
    fn action_name(&self, action: Choice) -> String {
        (action.0 + 1).to_string()
    }

    fn parse_action(&self, name: &str) -> Option<Choice> {
        (0..self.branching).map(Choice).find(|&choice| self.action_name(choice) == name)
    }

    fn explain(&self, seen: &Observation, by: Observer) -> String {
        match (by, seen.as_words()) {
            (Observer::Public, &[first, second]) => {
                let [first, second] = [first, second].map(|choice| choice.saturating_add(1));
                format!("player 0 chooses {first}, player 1 {second}")
            }
            _ => format!("the other chooses {}", seen.first().saturating_add(1)),
        }
    }

    fn scene_of(&self, s: &State) -> Scene {
        self.draw(s)
    }
}

impl FastPlay for RandomGame {
    const DECODES: bool = true;

    #[inline]
    fn decode(&self, code: u64) -> Choice {
        Choice(code as u8)
    }

    #[inline]
    fn random_action(&self, _s: &State, _who: Player, rng: &mut Rng, _scratch: &mut Scratch<Self>) -> Choice {
        Choice(rng.below(u32::from(self.branching)) as u8)
    }

    #[inline]
    fn playout(&self, s: &mut State, rng: &mut Rng, _scratch: &mut Scratch<Self>) -> Rewards {
        let joint = u32::from(self.branching).pow(2);
        while s.depth < self.depth {
            *s = self.child(s, u64::from(rng.below(joint)));
        }
        self.rewards(s)
    }

    fn codes(&self) -> Option<usize> {
        Some(usize::from(self.branching))
    }
}

impl Evaluations<RandomGame> for RandomGame {
    /// Lisý 2014, §4.1.1: the sum so far. On the scale of its sign, the share of the greatest sum there could be.
    fn evaluate(&self, _: Option<usize>, s: &State, who: Player) -> Option<f64> {
        let sum = [1.0, -1.0][who.index()] * f64::from(s.sum);
        match self.payoff {
            Payoff::Sum => Some(sum),
            Payoff::Sign => Some(sum / f64::from(self.depth)),
            Payoff::Leaf => None,
        }
    }
}

impl PerfectInformation for RandomGame {
    /// A row or a column, where their values are shown.
    fn spots(&self, s: &State, who: Player, choice: Choice) -> Vec<String> {
        if self.shows_values(s) { vec![format!("values/{}", place(who, choice))] } else { Vec::new() }
    }
}

#[cfg(test)]
mod tests {
    use fogtree_core::Purpose;
    use fogtree_core::text::plain;

    use super::*;

    fn try_game(params: &str) -> Result<RandomGame, BadSpec> {
        RandomGame::from_params(&crate::testing::params(&ABOUT, params)?)
    }

    fn game(params: &str) -> RandomGame {
        try_game(params).unwrap()
    }

    fn children(rules: &RandomGame, s: &State) -> Vec<State> {
        (0..u64::from(rules.branching).pow(2)).map(|joint| rules.child(s, joint)).collect()
    }

    /// All nodes at a depth, in order.
    fn layer(rules: &RandomGame, depth: u8) -> Vec<State> {
        (0..depth)
            .fold(vec![rules.start()], |layer, _| layer.iter().flat_map(|s| children(rules, s)).collect())
    }

    #[test]
    fn parameters_are_checked() {
        for bad in [
            "branching=0",
            "branching=65",
            "depth=0",
            "depth=101",
            "seed=-1",
            "seed=18446744073709551616",
            "utility=mean",
        ] {
            assert!(matches!(try_game(bad), Err(BadSpec::Value { .. })), "{bad}");
        }
        assert_eq!(game("depth=100,seed=18446744073709551615").facts().utility_bounds, (-100.0, 100.0));
        assert_eq!(size_of::<State>(), 16);
    }

    /// The values have names in records and results: these must never change. SplitMix64 done with Python integers.
    #[test]
    fn the_values_are_pinned() {
        let values = |seed: u64| -> Vec<i8> {
            let rules = game(&format!("branching=3,seed={seed}"));
            children(&rules, &rules.start()).iter().map(|s| s.sum).collect()
        };
        assert_eq!(values(1), [-1, 1, -1, 1, 0, 0, -1, 1, 1]);
        assert_eq!(values(u64::MAX), [1, 0, 0, 1, -1, 0, 1, 0, -1]);
        let rules = game("branching=2,depth=2,utility=leaf");
        let first = layer(&rules, 2)[0];
        assert_eq!(rules.rewards(&first)[Player(0)], 0.13390246334192568);
    }

    #[test]
    fn the_first_player_gets_the_sum_along_the_path() {
        let path = [(0, 3), (2, 2), (4, 1), (1, 0)];
        let play = |rules: &RandomGame| {
            let mut s = rules.start();
            let mut sum = 0;
            for (first, second) in path {
                let before = s;
                let moves = [(Player(0), Choice(first)), (Player(1), Choice(second))];
                rules.apply(&mut s, Step::Moves(&moves));
                sum += edge_value(before.path.number(u64::from(first * 5 + second)));
            }
            (s, sum)
        };
        for seed in 0..20 {
            let rules = game(&format!("depth=4,seed={seed}"));
            let (s, sum) = play(&rules);
            assert_eq!((rules.turn(&s), s.sum), (Turn::Terminal, sum));
            let sum = f64::from(sum);
            assert_eq!(rules.rewards(&s).as_slice(), [sum, -sum]);
            let rules = game(&format!("depth=4,seed={seed},utility=sign"));
            let sign = if sum == 0.0 { 0.0 } else { sum.signum() };
            assert_eq!(rules.rewards(&play(&rules).0).as_slice(), [sign, 0.0 - sign]);
        }
    }

    /// Chi-square of the three values over a whole layer, and over the first choices of many seeds.
    #[test]
    fn values_are_uniform() {
        let rules = game("branching=4,depth=5");
        let edges = layer(&rules, 4).iter().map(|s| edge_value(s.path)).collect::<Vec<_>>();
        let seeds =
            (0..20_000).map(|seed| edge_value(layer(&game(&format!("branching=1,seed={seed}")), 1)[0].path));
        for values in [edges, seeds.collect()] {
            let third = values.len() as f64 / 3.0;
            let chi: f64 = (-1..=1)
                .map(|v| values.iter().filter(|&&value| value == v).count() as f64)
                .map(|count| (count - third).powi(2) / third)
                .sum();
            assert!(chi < 13.8, "chi-square {chi} is above the 0.1 % point for 2 degrees of freedom");
        }
    }

    /// Mean 1/2, variance 1/12, and flat in sixteen parts.
    #[test]
    fn leaves_are_uniform() {
        let rules = game("branching=4,depth=4,utility=leaf");
        let values: Vec<f64> = layer(&rules, 4).iter().map(|s| rules.rewards(s)[Player(0)]).collect();
        let n = values.len() as f64;
        let mean = values.iter().sum::<f64>() / n;
        let variance = values.iter().map(|v| (v - mean).powi(2)).sum::<f64>() / n;
        assert!((mean - 0.5).abs() < 4.0 * (1.0 / 12.0 / n).sqrt(), "{mean}");
        assert!((variance - 1.0 / 12.0).abs() < 4.0 * (1.0 / 180.0 / n).sqrt(), "{variance}");
        let mut counts = [0.0; 16];
        values.iter().for_each(|v| counts[(v * 16.0) as usize] += 1.0);
        let chi: f64 = counts.iter().map(|c| (c - n / 16.0).powi(2) / (n / 16.0)).sum();
        assert!(chi < 37.7, "chi-square {chi} is above the 0.1 % point for 15 degrees of freedom");
    }

    fn correlation(pairs: &[(f64, f64)]) -> f64 {
        let n = pairs.len() as f64;
        let mean = |of: &dyn Fn(&(f64, f64)) -> f64| pairs.iter().map(of).sum::<f64>() / n;
        let (a, b) = (mean(&|p| p.0), mean(&|p| p.1));
        let covariance = mean(&|p| (p.0 - a) * (p.1 - b));
        covariance / (mean(&|p| (p.0 - a).powi(2)) * mean(&|p| (p.1 - b).powi(2))).sqrt()
    }

    /// Between a value and that of the next row, of the next column, of the parent, of the first child, and of the
    /// same path in the game of the next seed. Of independent values less than `4 / sqrt(n)`, but for 1 in 16000.
    #[test]
    fn values_do_not_depend_on_one_another() {
        let rules = game("branching=4,depth=5");
        let nodes = layer(&rules, 3);
        let value = |s: &State| f64::from(edge_value(s.path));
        let next = game("branching=4,depth=5,seed=2");
        let check = |what: &str, pairs: Vec<(f64, f64)>| {
            let found = correlation(&pairs);
            assert!(found.abs() < 4.0 / (pairs.len() as f64).sqrt(), "{what}: {found}");
        };
        let families: Vec<(f64, Vec<f64>)> =
            nodes.iter().map(|s| (value(s), children(&rules, s).iter().map(value).collect())).collect();
        for (what, a, b) in [("rows", 0, 4), ("columns", 0, 1), ("diagonal", 0, 5), ("ends", 0, 15)] {
            check(what, families.iter().map(|(_, of)| (of[a], of[b])).collect());
        }
        check("parents", families.iter().map(|(own, of)| (*own, of[0])).collect());
        let sums = families.iter().map(|(_, of)| (of[..8].iter().sum(), of[8..].iter().sum()));
        check("sums of halves", sums.collect());
        check("seeds", nodes.iter().zip(layer(&next, 3)).map(|(a, b)| (value(a), value(&b))).collect());
        check("neighbours", nodes.windows(2).map(|two| (value(&two[0]), value(&two[1]))).collect());
    }

    /// No two nodes are the same state: the game is a tree.
    #[test]
    fn paths_do_not_meet() {
        let rules = game("branching=6,depth=5");
        let mut paths: Vec<u64> = layer(&rules, 4).iter().map(|s| s.path.0).collect();
        let all = paths.len();
        paths.sort_unstable();
        paths.dedup();
        assert_eq!((paths.len(), all), (all, 6usize.pow(8)));
    }

    #[test]
    fn playouts_are_random_games() {
        let rules = game("branching=3,depth=3,utility=leaf");
        let all: f64 = layer(&rules, 3).iter().map(|s| rules.rewards(s)[Player(0)]).sum();
        let mut rng = Seed(1).stream(Purpose::Playout);
        let mut scratch = Scratch::default();
        let games = 40_000;
        let sum: f64 =
            (0..games).map(|_| rules.playout(&mut rules.start(), &mut rng, &mut scratch)[Player(0)]).sum();
        let (mean, expected) = (sum / f64::from(games), all / 729.0);
        assert!((mean - expected).abs() < 0.006, "{mean} {expected}");
    }

    /// Equilibrium 3.3: the partial sum.
    #[test]
    fn the_evaluation_is_the_sum_so_far() {
        let s = State { path: Seed(7), depth: 4, sum: -3 };
        let of = |params: &str| [Player(0), Player(1)].map(|who| game(params).evaluate(None, &s, who));
        assert_eq!(of("depth=10"), [Some(-3.0), Some(3.0)]);
        assert_eq!(of("depth=10,utility=sign"), [Some(-0.3), Some(0.3)]);
        assert_eq!(of("depth=10,utility=leaf"), [None, None]);
    }

    #[test]
    fn names_parse_back_and_nothing_else_does() {
        let rules = game("branching=4");
        for choice in (0..4).map(Choice) {
            assert_eq!(rules.parse_action(&rules.action_name(choice)), Some(choice));
        }
        for bad in ["", "0", "5", "01", "+1", "-1", "1.0", "99999999999999999999", "é"] {
            assert_eq!(rules.parse_action(bad), None, "{bad}");
        }
        for words in [&[][..], &[u64::MAX], &[1, u64::MAX], &[1, 2, 3]] {
            for by in Observer::all(2) {
                rules.explain(&Observation::words(words), by);
            }
        }
        assert_eq!(rules.explain(&Observation::word(2), Observer::Seat(Player(0))), "the other chooses 3");
    }

    #[test]
    fn the_values_to_choose_among_are_drawn() {
        let touched = |game: &RandomGame, s: &State, who| game.spots(s, Player(who), Choice(1));
        let rules = game("branching=2,depth=2");
        let s = rules.start();
        let values: Vec<i8> = children(&rules, &s).iter().map(|child| child.sum).collect();
        let [a, b, c, d] = values[..] else { panic!() };
        let shown = plain(&rules.show(&s)).replace('−', "-");
        let words: Vec<&str> = shown.lines().skip(4).take(2).flat_map(str::split_whitespace).collect();
        let numbers: Vec<i8> = words.iter().map(|word| word.parse().unwrap()).collect();
        assert_eq!(numbers, [1, a, b, 2, c, d]);
        assert_eq!(touched(&rules, &s, 0), ["values/row-2"]);
        assert_eq!(touched(&rules, &s, 1), ["values/column-2"]);
        let leaf = game("branching=2,depth=2,utility=leaf");
        assert_eq!(leaf.scene_of(&leaf.start()).zones.len(), 1, "values are far away");
        assert!(touched(&leaf, &leaf.start(), 0).is_empty());
        assert_eq!(leaf.scene_of(&layer(&leaf, 1)[0]).zones.len(), 2);
    }
}

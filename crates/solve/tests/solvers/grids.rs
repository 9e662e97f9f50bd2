//! Pursuit and evasion on grids, and Tron: sizes, values and exploitabilities against the published node
//! counts and numbers derived with independent prototypes (equilibrium 3.4, 3.5).

use std::collections::{BTreeMap, HashMap};
use std::num::NonZeroUsize;

use fogtree_core::{About, FastPlay, Player, Rules, Spec, Step, Turn};
use fogtree_games::pursuit_evasion::{self, PursuitEvasion};
use fogtree_games::tron::{self, Tron};
use fogtree_solve::backward::{Backward, Method, NotBackward};
use fogtree_solve::layers::Layer;
use fogtree_solve::walk::each_step;
use fogtree_solve::{Evaluation, Profile, merged};

use crate::common::compiled;

const CORNERS: &str = "corner-pursuit-evasion";
const METHODS: [Method; 3] = [Method::Plain, Method::AlphaBeta, Method::DoubleOracle];
const LIMIT: usize = 10_000_000;

fn params(about: &'static About, spec: &str) -> fogtree_core::Params {
    let spec: Spec = spec.parse().unwrap();
    let (about, spec) = About::find([about].into_iter(), "game", &spec).unwrap();
    about.params(&spec).unwrap()
}

fn pursuit(spec: &str) -> PursuitEvasion {
    PursuitEvasion::from_params(&params(&pursuit_evasion::ABOUT, spec)).unwrap()
}

fn tron(spec: &str) -> Tron {
    Tron::from_params(&params(&tron::ABOUT, spec)).unwrap()
}

/// For each depth, the histories at which the players choose, and those of them without a saddle point.
/// Histories that lead to the same state are counted together.
fn by_depth<R: FastPlay>(rules: &R) -> (Vec<u64>, Vec<u64>) {
    let mut backward = Backward::new(rules, Method::Plain, LIMIT).unwrap();
    let (mut nodes, mut mixed) = (Vec::new(), Vec::new());
    let mut layer = HashMap::from([(rules.start(), 1)]);
    loop {
        layer.retain(|state, _| rules.turn(state) != Turn::Terminal);
        if layer.is_empty() {
            return (nodes, mixed);
        }
        let mut without_saddle = 0;
        let mut next: HashMap<R::State, u64> = HashMap::new();
        for (state, &histories) in &layer {
            if backward.matrix(state).unwrap().saddle().is_none() {
                without_saddle += histories;
            }
            each_step(rules, state, rules.turn(state), |step, _| {
                let mut child = state.clone();
                rules.apply(&mut child, step);
                *next.entry(child).or_default() += histories;
            });
        }
        nodes.push(layer.values().sum());
        mixed.push(without_saddle);
        layer = next;
    }
}

/// Equilibrium T-13, 3.4: the totals are published, the nodes without a saddle point derived (ER-14). That
/// the totals come out confirms the full joint moves of the pursuers, without waiting (ER-24).
#[test]
fn t_13_pursuit_nodes_by_depth() {
    let (nodes, mixed) = by_depth(&pursuit(CORNERS));
    assert_eq!(nodes, [1, 12, 324, 8664, 248_712]);
    assert_eq!(mixed, [0, 0, 40, 1008, 6726]);
}

/// Equilibrium T-13, 3.5.
#[test]
fn t_13_tron_nodes_by_depth() {
    let rules = tron("small-tron");
    let (nodes, mixed) = by_depth(&rules);
    let expected = [1, 4, 16, 100, 574, 2605, 9559, 26_056, 54_410, 83_745, 87_083, 63_642, 23_296, 3127];
    assert_eq!(nodes, expected);
    assert_eq!(mixed, [0, 0, 2, 0, 8, 4, 49, 80, 104, 110, 74, 0, 0, 0]);
    let size = merged::count(&rules);
    assert_eq!((size.terminals, size.decisions), (316_305, u128::from(expected.iter().sum::<u64>())));
    assert_eq!(by_depth(&tron("tron(rows=4,columns=4)")).0, [1, 4, 16, 76, 172, 162, 66]);
}

/// The value of the start, which all methods must agree on.
fn value<R: FastPlay>(rules: &R) -> f64 {
    let values = METHODS.map(|method| {
        let mut backward = Backward::new(rules, method, LIMIT).unwrap();
        backward.value(&rules.start()).unwrap()
    });
    assert!(values.iter().all(|v| (v - values[0]).abs() < 1e-9), "{values:?}");
    values[0]
}

/// Equilibrium T-14, 3.4.
#[test]
fn t_14_all_methods_agree_on_the_pursuit_from_the_corners() {
    let found = value(&pursuit(CORNERS));
    assert!((found + 1.0 / 7.0).abs() < 1e-9, "{found}");
    let found = value(&pursuit("corner-pursuit-evasion(reward=unit)"));
    assert!((found - 3.0 / 7.0).abs() < 1e-9, "{found}");
}

/// Equilibrium T-14, 3.5: Tron is symmetric.
#[test]
fn t_14_all_methods_agree_on_tron() {
    for spec in ["small-tron", "tron(rows=4,columns=4)", "tron(rows=3,columns=5)", "tron(rows=2,columns=7)"] {
        let found = value(&tron(spec));
        assert!(found.abs() < 1e-9, "{spec}: {found}");
    }
}

/// The eight starts of equilibrium 3.4 that need mixing at once on 4 by 4 cells in 4 moves, with their
/// values.
const MIXED_STARTS: [([u8; 3], f64); 8] = [
    ([1, 0, 5], 1.0 / 3.0),
    ([1, 2, 5], 0.0),
    ([1, 3, 5], -0.428_57),
    ([5, 0, 6], -0.171_43),
    ([5, 1, 6], 0.714_29),
    ([5, 1, 9], 2.0 / 3.0),
    ([5, 1, 10], -0.571_43),
    ([5, 6, 9], 1.0 / 3.0),
];

#[test]
fn t_14_all_methods_agree_on_the_eight_starts() {
    for ([evader, a, b], expected) in MIXED_STARTS {
        let rules = pursuit(&format!("small-pursuit-evasion(start=[{evader},{a},{b}])"));
        let found = value(&rules);
        assert!((found - expected).abs() < 5e-6, "{evader}; {a}, {b}: {found}");
    }
}

/// Where each cell goes when a grid is turned or mirrored, in all the ways that leave the grid as it is:
/// eight if it is square, four if not. The first leaves all cells where they are.
fn symmetries(width: u8, length: u8) -> Vec<Vec<u8>> {
    let ways = if width == length { 8 } else { 4 };
    let image = |way: u8, cell: u8| {
        let (mut x, mut y) = (cell % width, cell / width);
        if way & 1 == 1 {
            x = width - 1 - x;
        }
        if way & 2 == 2 {
            y = length - 1 - y;
        }
        if way & 4 == 4 { width * x + y } else { width * y + x }
    };
    (0..ways).map(|way| (0..width * length).map(|cell| image(way, cell)).collect()).collect()
}

/// The first of all positions on 4 by 4 cells that are the same but for symmetry.
fn up_to_symmetry(evader: u8, [a, b]: [u8; 2]) -> [u8; 3] {
    let images = symmetries(4, 4).into_iter().map(|image| {
        let [evader, a, b] = [evader, a, b].map(|cell| image[usize::from(cell)]);
        [evader, a.min(b), a.max(b)]
    });
    images.min().expect("a grid is its own image")
}

/// Equilibrium 3.4, E6: among all starts with the pursuers at most two steps away, those eight and no others
/// have no pure equilibrium, up to symmetry.
#[test]
fn only_the_eight_starts_need_mixing() {
    let rules = pursuit("small-pursuit-evasion(within=2)");
    let mut backward = Backward::new(&rules, Method::Plain, LIMIT).unwrap();
    let mut found: BTreeMap<[u8; 3], f64> = BTreeMap::new();
    let mut starts = 0;
    for state in rules.starts() {
        starts += 1;
        let solution = backward.solution(&state).unwrap();
        let class = up_to_symmetry(state.evader(), state.pursuers());
        if solution.saddle.is_none() {
            let value = *found.entry(class).or_insert(solution.value);
            assert!((value - solution.value).abs() < 1e-9, "symmetric starts are worth the same: {class:?}");
        }
    }
    assert!(starts > 300, "{starts}");
    let mut expected: Vec<[u8; 3]> =
        MIXED_STARTS.iter().map(|&([evader, a, b], _)| up_to_symmetry(evader, [a, b])).collect();
    expected.sort_unstable();
    assert_eq!(found.into_keys().collect::<Vec<_>>(), expected);
}

/// What the first player gets if `who` plays its best response to uniform play of the other (equilibrium
/// 1.6), where both know the state.
fn best_against_uniform<R: FastPlay>(
    rules: &R,
    state: &R::State,
    who: Player,
    known: &mut HashMap<R::State, f64>,
) -> f64 {
    if rules.turn(state) == Turn::Terminal {
        return rules.rewards(state)[Player(0)];
    }
    if let Some(&value) = known.get(state) {
        return value;
    }
    let legal = [Player(0), Player(1)].map(|p| {
        let mut legal = Vec::new();
        rules.actions(state, p, &mut legal);
        legal
    });
    let mut best = f64::NEG_INFINITY;
    for &own in &legal[who.index()] {
        let mut sum = 0.0;
        for &other in &legal[who.other().index()] {
            let mut moves = [(who, own), (who.other(), other)];
            moves.sort_unstable_by_key(|&(p, _)| p);
            let mut child = state.clone();
            rules.apply(&mut child, Step::Moves(&moves));
            sum += best_against_uniform(rules, &child, who, known);
        }
        let mean = sum / legal[who.other().index()].len() as f64;
        best = best.max(if who == Player(0) { mean } else { -mean });
    }
    let value = if who == Player(0) { best } else { -best };
    known.insert(state.clone(), value);
    value
}

fn nash_conv_of_uniform<R: FastPlay>(rules: &R) -> f64 {
    let [first, second] = [Player(0), Player(1)]
        .map(|who| best_against_uniform(rules, &rules.start(), who, &mut HashMap::new()));
    first - second
}

/// Equilibrium T-15, 3.4 and 3.5, once on states, and where the tree is small enough on all histories.
#[test]
fn t_15_uniform_play_on_grids() {
    for (found, expected) in [
        (nash_conv_of_uniform(&pursuit("corner-pursuit-evasion(depth=4)")), 1.425_926),
        (nash_conv_of_uniform(&pursuit(CORNERS)), 1.894_585),
        (nash_conv_of_uniform(&tron("small-tron")), 1.974_537),
    ] {
        assert!((found - expected).abs() < 1e-6, "{found}, expected {expected}");
    }
    for (spec, expected) in [("corner-pursuit-evasion(depth=4)", 1.425_926), ("small-tron", 1.974_537)] {
        let game = compiled(spec);
        let found = Evaluation::of(&game, &Profile::uniform(&game)).nash_conv();
        assert!((found - expected).abs() < 1e-6, "{spec}: {found}, expected {expected}");
    }
}

/// The values of all positions of a pursuit, layer by layer. Positions that are the same but for symmetry are
/// solved once: only those with the evader in one corner of the grid.
struct Solved {
    cells: usize,
    /// For each cell of the evader, how the grid is turned to bring it into that corner.
    turned: Vec<Vec<u8>>,
    /// The values with 1, 2, ... moves left.
    layers: Vec<Vec<f64>>,
    /// Positions solved, and those of them without a saddle point.
    effort: [usize; 2],
}

impl Solved {
    fn of(rules: &PursuitEvasion, [width, length, moves]: [u8; 3]) -> Solved {
        let cells = width * length;
        let symmetries = symmetries(width, length);
        let turn = |e: usize| symmetries.iter().min_by_key(|image| image[e]).expect("there are some").clone();
        let turned = (0..usize::from(cells)).map(turn).collect();
        let mut solved = Solved { cells: usize::from(cells), turned, layers: Vec::new(), effort: [0; 2] };
        let threads = std::thread::available_parallelism().unwrap_or(NonZeroUsize::MIN);
        for left in 1..=moves {
            let corner = (0..cells).filter(|&e| solved.turned[usize::from(e)][usize::from(e)] == e);
            let positions: Vec<_> = corner
                .flat_map(|e| (0..cells).flat_map(move |a| (a..cells).map(move |b| (e, [a, b]))))
                .filter_map(|(evader, pursuers)| rules.position(evader, pursuers, left))
                .collect();
            let layer = Layer::solve(rules, &positions, |next| solved.value(next), threads).unwrap();
            let mut values = vec![f64::NAN; solved.cells.pow(3)];
            for (position, value) in positions.iter().zip(layer.values) {
                values[solved.place(position)] = value;
            }
            solved.layers.push(values);
            solved.effort = [solved.effort[0] + positions.len(), solved.effort[1] + layer.mixed];
        }
        solved
    }

    fn place(&self, s: &pursuit_evasion::State) -> usize {
        let turned = &self.turned[usize::from(s.evader())];
        let [a, b] = s.pursuers().map(|cell| usize::from(turned[usize::from(cell)]));
        (usize::from(turned[usize::from(s.evader())]) * self.cells + a.min(b)) * self.cells + a.max(b)
    }

    fn value(&self, s: &pursuit_evasion::State) -> f64 {
        self.layers[usize::from(s.left()) - 1][self.place(s)]
    }
}

/// All cells the units may be on, two pursuers on one cell included.
fn positions(rules: &PursuitEvasion, cells: u8, left: u8) -> usize {
    let all = (0..cells).flat_map(|e| (0..cells).flat_map(move |a| (a..cells).map(move |b| (e, [a, b]))));
    all.filter(|&(evader, pursuers)| rules.position(evader, pursuers, left).is_some()).count()
}

/// Solving all positions at once and solving them one by one gives the same.
#[test]
fn layers_agree_with_backward_induction() {
    for (spec, size) in
        [(CORNERS, [4, 4, 5]), ("pursuit-evasion(width=5,length=3,depth=6,reward=unit)", [5, 3, 6])]
    {
        let rules = pursuit(spec);
        let solved = Solved::of(&rules, size);
        let mut backward = Backward::new(&rules, Method::Plain, LIMIT).unwrap();
        let mut mixed = 0;
        for state in rules.starts() {
            let [found, other] = [solved.value(&state), backward.value(&state).unwrap()];
            assert!((found - other).abs() < 1e-9, "{spec} {state:?}: {found} {other}");
            mixed += usize::from(backward.matrix(&state).unwrap().saddle().is_none());
        }
        assert!(mixed > 0 && solved.effort[1] > 0, "{spec}: {mixed}, {:?}", solved.effort);
    }
    let hidden = fogtree_games::kuhn_poker::KuhnPoker;
    assert_eq!(Layer::solve(&hidden, &[], |_| 0.0, NonZeroUsize::MIN), Err(NotBackward::Hidden));
}

/// Equilibrium 3.4, 7.2: the large game, 10 by 10 cells and 15 moves, solved exactly from every start.
/// Averaged over all starts in which the pursuers are at most 10 steps away, the evader escapes with
/// probability 0.540; about one position in forty has no saddle point.
#[test]
fn the_large_pursuit_is_solved_from_every_start() {
    let rules = pursuit("pursuit-evasion");
    assert_eq!(positions(&rules, 100, 15), 495_000);
    let solved = Solved::of(&rules, [10, 10, 15]);
    let share = solved.effort[1] as f64 / solved.effort[0] as f64;
    assert!((0.02..0.04).contains(&share), "{share}");
    let escapes: Vec<f64> = rules.starts().map(|start| (1.0 + solved.value(&start)) / 2.0).collect();
    let mean = escapes.iter().sum::<f64>() / escapes.len() as f64;
    assert!((mean - 0.540).abs() < 0.0005, "{mean}");
    let default = solved.value(&rules.start());
    assert!(default.abs() < 0.05, "the start of the default game favours nobody: {default}");
}

//! IS-MCTS and Smooth UCT on games whose equilibria are known.

mod common;

use std::collections::HashMap;
use std::sync::Arc;

use fogtree_core::{
    Agent, Budget, Decision, Erased, InfoSet, Key, Keys, Model, Observer, Playable, Player, Purpose, Seed,
    Step, Turn, WorldStep,
};
use fogtree_games::kuhn_poker::KuhnPoker;
use fogtree_games::matrix::{self, Matrix};
use fogtree_games::phantom_mnk::{self, Hidden, PhantomMnk};
use fogtree_games::poker::{self, Poker};
use fogtree_search::is_mcts::{Play, Selection, Settings, Smooth};
use fogtree_search::{IsMcts, Random};
use fogtree_solve::lp::solve_sequence_form;
use fogtree_solve::{Compiled, Evaluation};

use common::{Table, averages, infoset, legal, micro, model, params, play, preset};

const UCT: Selection = Selection::Uct { c: 1.0 };
const RUCT: Selection = Selection::Ruct { c: 1.0, tau: 0.01 };
const EXP3: Selection = Selection::Exp3 { gamma: 0.1 };
const RM: Selection = Selection::Rm { gamma: 0.1 };
const SMOOTH: Selection = Selection::Smooth(Smooth { c: 0.7, gamma: 0.1, eta: 0.9, d: 0.001 });

fn settings(selection: Selection, beliefs: bool) -> Settings {
    Settings { selection, beliefs, play: Play::Mix, ..Settings::default() }
}

/// How often each legal move was chosen, as shares.
fn shares(decision: &Decision) -> Vec<f64> {
    let all: u64 = decision.report.moves.iter().map(|m| m.visits).sum();
    decision.report.moves.iter().map(|m| m.visits as f64 / all as f64).collect()
}

fn act(agent: &mut IsMcts, info: &InfoSet, iterations: u64, seed: u64) -> Decision {
    agent.start(info.seat, Seed(seed));
    agent.act(info, &Budget::iterations(iterations)).unwrap()
}

fn phantom(text: &str) -> Arc<dyn Model> {
    Erased::any(PhantomMnk::<Hidden>::from_params(&params(&phantom_mnk::ABOUT, text)).unwrap())
}

fn matrix(rows: &str) -> Arc<dyn Model> {
    Erased::any(Matrix::from_params(&params(&matrix::ABOUT, &format!("rows={rows}"))).unwrap())
}

/// T-12: in set I with both states equally likely, the sides are equally good, so that bounds mix them evenly.
/// In the game itself this is the right belief and still not the equilibrium, 1/3 l (TH-11); in the modified game
/// the maximiser then gets 0.5 * 5 + 0.5 * 3 * 1/2 = 3.25 with l, not 2.5 (ER-12).
#[test]
fn without_beliefs_the_minimiser_mixes_evenly() {
    for name in ["non-locality", "modified-non-locality"] {
        let game = micro(name);
        let info = infoset(&game, "R l", Player(1));
        for selection in [UCT, RUCT] {
            let mut agent = IsMcts::new(&game, settings(selection, false));
            let runs = 20;
            let left: f64 = (0..runs).map(|seed| shares(&act(&mut agent, &info, 5000, seed))[0]).sum();
            let left = left / runs as f64;
            assert!((left - 0.5).abs() < 0.05, "{name}, {selection:?}: {left}");
            if name == "modified-non-locality" {
                let loss = 0.5 * 5.0 + 0.5 * 3.0 * left;
                assert!((loss - 3.25).abs() < 0.1, "{loss}");
            }
        }
    }
}

/// T-12, TH-11: a search from the start of the modified game learns that the maximiser plays l, hence that the
/// minimiser must play r.
#[test]
fn beliefs_solve_the_modified_game() {
    let game = micro("modified-non-locality");
    let info = infoset(&game, "R l", Player(1));
    for selection in [UCT, RUCT, EXP3, RM, SMOOTH] {
        let mut agent = IsMcts::new(&game, settings(selection, true));
        let decision = act(&mut agent, &info, 20_000, 1);
        let believed: Vec<f64> = agent.believed().map(|(_, p)| p).collect();
        assert_eq!(believed.len(), 2);
        assert!(believed[0] > 0.85, "{selection:?}: the maximiser plays l: {believed:?}");
        let shares = shares(&decision);
        assert!(shares[1] > 0.85, "{selection:?}: {shares:?}");
        assert_eq!(decision.report.iterations, 20_000);
    }
}

/// Beliefs are Bayes' rule on the searcher's own counts of what the opponent chose: in Kuhn poker, after a bet,
/// the chance that the first player holds a card is proportional to how often it bets with it (T-19).
#[test]
fn beliefs_follow_the_counts_of_the_search() {
    let game = Erased::any(KuhnPoker);
    for selection in [RUCT, RM] {
        let mut agent = IsMcts::new(&game, settings(selection, true));
        let info = infoset(&game, "J Q bet", Player(1));
        act(&mut agent, &info, 20_000, 3);
        let bets = |card: &str| {
            let key = infoset(&game, &format!("{card} Q"), Player(0)).key;
            let visits = agent.visits(key).unwrap();
            let all: u32 = visits.iter().map(|(_, n)| n).sum();
            f64::from(visits.iter().find(|(a, _)| game.move_name(*a) == "bet").unwrap().1) / f64::from(all)
        };
        let (jack, king) = (bets("J"), bets("K"));
        let believed: Vec<f64> = agent.believed().map(|(_, p)| p).collect();
        assert_eq!(believed.len(), 2);
        assert!((believed[0] - jack / (jack + king)).abs() < 1e-12, "{believed:?} from {jack} and {king}");
    }
}

/// How likely chance and an opponent who plays by a profile lead to each state of each information set of a seat.
fn reaches<G: Playable>(
    game: &G,
    strategy: &Strategy,
    seat: Player,
    state: &G::State,
    keys: Keys,
    p: f64,
    out: &mut HashMap<Key, HashMap<G::State, f64>>,
) {
    let own = game.turn(state) == Turn::Player(seat);
    if own {
        *out.entry(keys.of(Observer::Seat(seat))).or_default().entry(state.clone()).or_default() += p;
    }
    let theirs = match game.turn(state) {
        Turn::Player(who) if who != seat => Some(&strategy[&keys.of(Observer::Seat(who))]),
        _ => None,
    };
    for (i, chance, next, keys) in steps(game, state, keys) {
        reaches(game, strategy, seat, &next, keys, p * theirs.map_or(chance, |s| s[i]), out);
    }
}

/// T-19: given the equilibrium of a linear programme as a model of the opponent, the tracked beliefs are the
/// conditional probabilities of the states, decision for decision along random games.
fn check_t_19<G: Playable>(game: &Erased<G>, games: u64) {
    let (rules, any) = (&**game.game(), model(game));
    let compiled = Compiled::of(rules, 1_000_000).unwrap();
    let profile = solve_sequence_form(&compiled).unwrap().profile;
    let mut strategy = Strategy::new();
    for seat in Player::all(2) {
        let treeplex = compiled.treeplex(seat);
        let entry = |set| (treeplex.key(set), profile.at(&compiled, seat, set).to_vec());
        strategy.extend((0..treeplex.sets()).map(entry));
    }
    let (mut checked, mut unreachable) = (0, 0);
    for seat in Player::all(2) {
        let mut exact = HashMap::new();
        reaches(rules, &strategy, seat, &rules.start(), Keys::start(2), 1.0, &mut exact);
        let mut agent = IsMcts::new(&any, settings(RUCT, true)).with_model(strategy.clone());
        for number in 0..games {
            agent.start(seat, Seed(number));
            let mut rng = Seed(number).stream(Purpose::Deal);
            let mut table = Table::start(&any);
            loop {
                let turn = table.world.turn();
                if turn == Turn::Terminal {
                    break;
                }
                if turn == Turn::Player(seat) {
                    let info = table.infoset(seat);
                    agent.act(&info, &Budget::iterations(2)).unwrap();
                    let of_set = &exact[&info.key];
                    let all: f64 = of_set.values().sum();
                    if all < 1e-12 {
                        unreachable += 1;
                    } else {
                        checked += 1;
                        let mut believed: HashMap<G::State, f64> = HashMap::new();
                        for (world, p) in agent.believed() {
                            *believed.entry(game.state(world).clone()).or_default() += p;
                        }
                        assert_eq!(believed.len(), of_set.len());
                        for (state, p) in of_set {
                            assert!((believed[state] - p / all).abs() < 1e-9, "{:?} {state:?}", info.events);
                        }
                    }
                }
                if turn == Turn::Chance {
                    let outcome = table.world.sample_chance(&mut rng);
                    table.play(WorldStep::Chance(&outcome));
                } else {
                    let who = turn.players().iter().next().unwrap();
                    let action = *rng.pick(&legal(&*table.world, who));
                    table.play(WorldStep::Moves(&[(who, action)]));
                }
            }
        }
    }
    assert!(checked > games && unreachable < checked, "{checked} {unreachable}");
}

#[test]
fn t_19_beliefs_follow_a_model() {
    check_t_19(&Erased::new(KuhnPoker), 100);
    check_t_19(&Erased::new(Poker::from_params(&preset(&poker::ABOUT, "leduc-poker")).unwrap()), 200);
}

/// Equilibrium 7.1.8: told something that no history explains, here that both players hold the queen, it goes on with
/// worlds drawn from what it knows, and it tracks again as soon as the history makes sense.
#[test]
fn inconsistent_histories_do_not_end_the_search() {
    let game = Erased::any(KuhnPoker);
    let sound = infoset(&game, "J Q check", Player(1));
    let mut agent = IsMcts::new(&game, settings(RUCT, true));
    agent.start(Player(1), Seed(1));
    let mut broken = sound.clone();
    broken.events.push(broken.events[0].clone());
    broken.key = broken.events[broken.events.len() - 1].extend(broken.key);
    let decision = agent.act(&broken, &Budget::iterations(500)).unwrap();
    assert_eq!((decision.report.iterations, agent.believed().count()), (500, 0));
    let tried: u64 = decision.report.moves.iter().map(|m| m.visits).sum();
    assert!(tried >= 250, "{tried}");
    let again = agent.act(&broken, &Budget::iterations(500)).unwrap();
    assert!(again.report.moves.iter().map(|m| m.visits).sum::<u64>() > tried);
    agent.start(Player(1), Seed(2));
    agent.act(&sound, &Budget::iterations(500)).unwrap();
    assert_eq!(agent.believed().count(), 2);
}

/// Both players of one turn choose without seeing each other; their averages approach the equilibria.
#[test]
fn matrix_games_are_mixed_uniformly() {
    for (rows, k) in [("[1,-1;-1,1]", 2), ("[0,-1,1;1,0,-1;-1,1,0]", 3)] {
        let game = matrix(rows);
        for selection in [EXP3, RM] {
            for seat in Player::all(2) {
                let mut agent = IsMcts::new(&game, settings(selection, true));
                let info = infoset(&game, "", seat);
                let shares = shares(&act(&mut agent, &info, 100_000, 5));
                let worst = shares.iter().map(|p| (p - 1.0 / k as f64).abs()).fold(0.0, f64::max);
                assert!(worst < 0.05, "{selection:?} on {rows}: {shares:?}");
            }
        }
    }
}

/// ER-9 within the search: the first greatest bound goes round the diagonal for ever, random ones among near-equals
/// find the saddle point.
#[test]
fn random_ties_leave_lock_step() {
    let game = matrix("[0,1;-1,0]");
    let info = infoset(&game, "", Player(0));
    let first = |selection| {
        let mut agent = IsMcts::new(&game, settings(selection, true));
        shares(&act(&mut agent, &info, 20_000, 1))[0]
    };
    assert_eq!(first(UCT), 0.5);
    // On rewards scaled to [0, 1] this is the tolerance 0.05 of T-02.
    assert!(first(Selection::Ruct { c: 1.0, tau: 0.025 }) > 0.98);
}

type Strategy = HashMap<Key, Vec<f64>>;

/// What can follow: which move it is, the probability if chance makes it, and what comes after.
fn steps<G: Playable>(game: &G, state: &G::State, keys: Keys) -> Vec<(usize, f64, G::State, Keys)> {
    let after = |i: usize, p: f64, step: Step<'_, G>| {
        let mut next = state.clone();
        game.apply(&mut next, step);
        (i, p, next, keys.after(game, state, step))
    };
    match game.turn(state) {
        Turn::Chance => {
            let mut outcomes = Vec::new();
            game.chance(state, &mut outcomes);
            let listed = outcomes.iter().enumerate();
            listed.map(|(i, (outcome, p))| after(i, *p, Step::Chance(outcome))).collect()
        }
        Turn::Player(who) => {
            let mut legal = Vec::new();
            game.actions(state, who, &mut legal);
            let listed = legal.iter().enumerate();
            listed.map(|(i, &action)| after(i, 1.0, Step::Moves(&[(who, action)]))).collect()
        }
        _ => Vec::new(),
    }
}

/// What the average strategies are worth after a search of Kuhn poker from its start.
fn kuhn(selection: Selection, iterations: u64, seed: u64) -> Evaluation {
    let mut agent = IsMcts::new(&Erased::any(KuhnPoker), settings(selection, true));
    agent.start(Player(0), Seed(seed));
    agent.prepare(&Budget::iterations(iterations));
    let compiled = Compiled::of(&KuhnPoker, 1000).unwrap();
    Evaluation::of(&compiled, &averages(&compiled, &agent))
}

/// The averages of the learners for adversaries come close to the equilibrium of Kuhn poker, worth -1/18, up to
/// what their exploration of 0.1 costs.
#[test]
fn kuhn_poker_is_nearly_solved() {
    assert!((kuhn(RUCT, 0, 1).nash_conv() - 11.0 / 12.0).abs() < 1e-9, "uniform");
    for selection in [EXP3, RM] {
        let found = kuhn(selection, 1_000_000, 1);
        assert!(found.nash_conv() < 0.1, "{selection:?}: {found:?}");
        assert!((found.values[0] + 1.0 / 18.0).abs() < 0.05, "{selection:?}: {found:?}");
    }
}

/// Where UCT settles at a distance from equilibrium, Smooth UCT goes on approaching it.
#[test]
fn smooth_uct_is_less_exploitable_than_uct() {
    let runs = 3;
    let mean = |selection: Selection, iterations: u64| {
        let conv = |seed| kuhn(selection, iterations, seed).nash_conv();
        (0..runs).map(conv).sum::<f64>() / runs as f64
    };
    let n = 1_000_000;
    let (smooth, uct) = (mean(SMOOTH, n), mean(Selection::Uct { c: 0.7 }, n));
    assert!(smooth < 0.5 * uct, "{smooth} against {uct}");
    let early = mean(SMOOTH, n / 10);
    assert!(smooth < 0.5 * early, "{early}, then {smooth}");
}

#[test]
fn smooth_uct_follows_its_average_more_and_more() {
    let smooth = Smooth { c: 0.7, gamma: 0.1, eta: 0.9, d: 0.001 };
    assert_eq!(smooth.eta_after(0.0), 0.9);
    assert!((smooth.eta_after(1e6) - 0.45).abs() < 1e-12);
    assert_eq!(smooth.eta_after(1e12), 0.1);
}

/// Statistics of information sets met again are kept from decision to decision.
#[test]
fn the_table_is_kept_between_moves() {
    let game = Erased::any(KuhnPoker);
    let mut agent = IsMcts::new(&game, Settings::default());
    let first = act(&mut agent, &infoset(&game, "Q J", Player(0)), 1000, 1);
    assert_eq!(first.report.moves.iter().map(|m| m.visits).sum::<u64>(), 1000);
    let before: u32 =
        agent.visits(infoset(&game, "Q J check bet", Player(0)).key).unwrap().iter().map(|v| v.1).sum();
    let second = agent.act(&infoset(&game, "Q J check bet", Player(0)), &Budget::iterations(500)).unwrap();
    assert_eq!(second.report.moves.iter().map(|m| m.visits).sum::<u64>(), u64::from(before) + 500);
    assert_eq!((first.report.iterations, second.report.iterations), (1000, 500));
}

#[test]
fn the_same_seed_gives_the_same_search() {
    let game = phantom("");
    for beliefs in [true, false] {
        let info = infoset(&game, "b2 b2", Player(1));
        let run = |seed| {
            let mut agent = IsMcts::new(&game, settings(RUCT, beliefs));
            act(&mut agent, &info, 500, seed).report.moves
        };
        assert_eq!(run(1), run(1));
        assert_ne!(run(1), run(2));
    }
}

#[test]
fn it_beats_random_play_at_phantom_tic_tac_toe() {
    let game = phantom("m=3,n=3,k=3");
    for (selection, beliefs) in [(RUCT, true), (RM, true), (RUCT, false), (SMOOTH, true)] {
        let mut agent = IsMcts::new(&game, settings(selection, beliefs));
        let mut random = Random::default();
        let (low, high) = game.facts().utility_bounds;
        let games = 40;
        let total: f64 = (0..games)
            .map(|i| {
                let seat = Player((i % 2) as u8);
                play(&game, [&mut agent, &mut random], seat, Seed(i), 1000)
            })
            .sum();
        let score = (total / games as f64 - low) / (high - low);
        assert!(score > 0.65, "{selection:?}, beliefs {beliefs}: {score}");
    }
}

#[test]
fn memory_is_bounded() {
    let game = phantom("m=3,n=3,k=3");
    let info = infoset(&game, "b2 b2", Player(1));
    for selection in [RUCT, SMOOTH] {
        for memory in [1, 100_000] {
            let settings = Settings { memory, ..settings(selection, false) };
            let mut agent = IsMcts::new(&game, settings);
            agent.start(Player(1), Seed(1));
            for _ in 0..3 {
                let decision = agent.act(&info, &Budget::iterations(20_000)).unwrap();
                let report = decision.report;
                assert_eq!(report.iterations, 20_000);
                assert!(report.bytes.unwrap() < memory as u64 / 2 + 1000, "{:?} of {memory}", report.bytes);
                assert!(report.moves.iter().any(|m| m.visits > 0), "the decision itself has its place");
            }
        }
    }
}

//! MT-MO-ISMCTS, the particle filter, self-determinization and bluffing (`icarus/1`).

mod common;

use std::sync::Arc;

use common::{Table, infoset, params, play_inferring};
use fogtree_core::explain::Reached;
use fogtree_core::{
    Agent, Budget, Erased, Explain, Model, Observer, Player, Purpose, Report, SearchTree, Seed, TreeLimits,
};
use fogtree_games::goofspiel::{self, Goofspiel};
use fogtree_games::kuhn_poker::KuhnPoker;
use fogtree_games::phantom_mnk::{self, Hidden, PhantomMnk};
use fogtree_games::resistance::{self, Resistance};
use fogtree_games::saboteur::{self, Saboteur};
use fogtree_games::scotland_yard::{self, ScotlandYard};
use fogtree_search::Determinizer;
use fogtree_search::ismcts::{Config, Ismcts, Observers, Simultaneous};
use fogtree_search::multi_tree::{
    Bound, Counted, Inference, MtMoIsmcts, OutsiderEvidence, Rule, Selection, SelfDeterminization, Settings,
    Trees, mean_log_loss,
};

const WAYS: [SelfDeterminization; 5] = [
    SelfDeterminization::True,
    SelfDeterminization::Pure,
    SelfDeterminization::Split,
    SelfDeterminization::TwoStep,
    SelfDeterminization::Bluffing,
];

fn resistance(text: &str) -> Arc<dyn Model> {
    Erased::any(Resistance::from_params(&params(&resistance::ABOUT, text)).unwrap())
}

fn player(game: &Arc<dyn Model>, settings: Settings, seat: u8, seed: u64) -> MtMoIsmcts {
    let mut player = MtMoIsmcts::new(game, settings);
    player.start(Player(seat), Seed(seed));
    player
}

fn inferring(inference: Inference) -> Settings {
    Settings { inference: Some(inference), ..Settings::default() }
}

fn by_way(way: SelfDeterminization) -> Settings {
    Settings { self_determinization: way, ..Settings::default() }
}

/// How often the moves of the decision tree's root were tried.
fn visits(report: &Report) -> Vec<u64> {
    report.moves.iter().map(|m| m.visits).collect()
}

/// Both players decide the same in the same information sets, move by move and visit by visit.
fn assert_same_as_mo(game: &Arc<dyn Model>, seat: u8, lines: &[&str]) {
    for (simultaneous, n) in [(Simultaneous::Ucb1, 600), (Simultaneous::Exp3, 300)] {
        let config = Config { simultaneous, memory: 1 << 24, ..Config::new(Observers::Multiple) };
        let settings = Settings {
            trees: Trees::PerPlayer,
            select: Selection::Greatest(Bound::Ucb1(0.7)),
            simultaneous,
            inference: None,
            memory: 1 << 24,
            ..Settings::default()
        };
        for seed in 0..4 {
            let mut mo = Ismcts::new(game, config);
            mo.start(Player(seat), Seed(seed));
            let mut mt = player(game, settings, seat, seed);
            for words in lines {
                let info = infoset(game, words, Player(seat));
                let budget = Budget::iterations(n + seed);
                let (a, b) = (mo.act(&info, &budget).unwrap(), mt.act(&info, &budget).unwrap());
                assert_eq!(a.action, b.action, "{words}");
                assert_eq!(a.report.moves, b.report.moves, "{words}");
                assert_eq!((a.report.nodes, a.report.depth), (b.report.nodes, b.report.depth), "{words}");
            }
        }
    }
}

/// `icarus/ORACLE-12`, second half: with constant keys this is MO-ISMCTS, decision by decision under one seed.
#[test]
fn constant_keys_give_mo_ismcts() {
    assert_same_as_mo(&Erased::any(KuhnPoker), 0, &["K Q", "K Q check bet"]);
    let game = PhantomMnk::<Hidden>::from_params(&params(&phantom_mnk::ABOUT, "")).unwrap();
    assert_same_as_mo(&Erased::any(game), 0, &[""]);
    let game = Goofspiel::from_params(&params(&goofspiel::ABOUT, "cards=5")).unwrap();
    assert_same_as_mo(&Erased::any(game), 1, &[""]);
    let words = [
        "spies-1-2",
        "spies-1-2 team-0-1",
        "spies-1-2 team-0-1 reject reject reject reject approve team-1-3",
    ];
    assert_same_as_mo(&resistance("leader=0"), 0, &words);
}

/// `icarus/ORACLE-2`: at the start a spy's decision tree receives a tenth of the iterations of PURE. Their
/// number is binomial with a standard deviation of 0.0021.
#[test]
fn a_tenth_of_pure_iterations_are_in_the_decision_tree() {
    let game = resistance("leader=0");
    let info = infoset(&game, "spies-0-3", Player(0));
    let n = 20_000;
    let decision =
        player(&game, by_way(SelfDeterminization::Pure), 0, 1).act(&info, &Budget::iterations(n)).unwrap();
    let share = visits(&decision.report).iter().sum::<u64>() as f64 / n as f64;
    assert!((share - 0.1).abs() < 0.009, "{share}");
    // One who is no spy has six of the ten worlds in its decision tree.
    let info = infoset(&game, "spies-1-3", Player(0));
    let decision =
        player(&game, by_way(SelfDeterminization::Pure), 0, 1).act(&info, &Budget::iterations(n)).unwrap();
    let share = visits(&decision.report).iter().sum::<u64>() as f64 / n as f64;
    assert!((share - 0.6).abs() < 0.014, "{share}");
}

/// The parts of a search have the sizes that were asked for; only the searcher's own worlds are certain to be in the
/// decision tree.
#[test]
fn the_budget_is_split_as_asked() {
    let game = resistance("leader=0");
    let info = infoset(&game, "spies-0-3", Player(0));
    let in_tree = |way, share| {
        let settings = Settings { self_share: share, ..by_way(way) };
        let decision = player(&game, settings, 0, 2).act(&info, &Budget::iterations(4000)).unwrap();
        assert_eq!(decision.report.iterations, 4000);
        visits(&decision.report).iter().sum::<u64>()
    };
    assert_eq!(in_tree(SelfDeterminization::True, 0.5), 4000);
    for way in [SelfDeterminization::Split, SelfDeterminization::TwoStep, SelfDeterminization::Bluffing] {
        assert_eq!(in_tree(way, 0.0), 4000);
        let half = in_tree(way, 0.5);
        assert!((2120..2280).contains(&half), "{way:?}: 2000 and a tenth of 2000, but {half}");
        assert_eq!(in_tree(way, 1.0), in_tree(SelfDeterminization::Pure, 0.5));
    }
}

/// `icarus/ORACLE-9`, second half, and AMB-5: without inference on reveals neither an own move nor a vote changes
/// the belief; another's proposal does.
#[test]
fn own_moves_and_reveals_leave_the_belief_alone() {
    let game = resistance("leader=0");
    let votes = "team-0-2 approve reject reject reject reject";
    let lines = [
        "spies-2-3 team-0-2".to_string(),
        format!("spies-2-3 {votes}"),
        format!("spies-2-3 {votes} team-1-2"),
        format!("spies-2-3 {votes} team-1-2 reject reject reject reject reject team-2-3"),
    ];
    let uniform = |b: &[f64]| b.iter().all(|p| *p == 0.0 || (p - 1.0 / 6.0).abs() < 1e-12);
    let beliefs = |on_reveal| {
        let mut agent = player(&game, inferring(Inference { on_reveal, ..Inference::default() }), 1, 4);
        let mut told = Vec::new();
        for words in &lines {
            agent.act(&infoset(&game, words, Player(1)), &Budget::iterations(3000)).unwrap();
            told.push(agent.belief().unwrap().to_vec());
        }
        told
    };
    let silent = beliefs(false);
    assert!(silent[..3].iter().all(|b| uniform(b)), "{silent:?}");
    assert!(!uniform(&silent[3]), "the third player's proposal says something");
    let telling = beliefs(true);
    assert!(uniform(&telling[0]) && !uniform(&telling[1]), "{telling:?}");
    assert_eq!(telling[1], telling[2], "an own proposal says nothing");
}

/// `icarus/ORACLE-9`, second half, and AMB-3: if only one thing could be seen, seeing it says nothing.
#[test]
fn forced_moves_leave_the_belief_alone() {
    let game = resistance("players=4,spies=1,teams=[1,1,1],leader=0");
    let votes = "spies-3 team-1 approve approve approve reject";
    let mut agent = player(&game, Settings::default(), 1, 4);
    let mut decide = |words: &str| {
        let decision = agent.act(&infoset(&game, words, Player(1)), &Budget::iterations(3000)).unwrap();
        (decision.report.iterations, agent.belief().unwrap().to_vec())
    };
    decide("spies-3 team-1");
    let (iterations, on_the_way) = decide(votes);
    assert_eq!(iterations, 0, "a forced decision is made without a search");
    let (iterations, after) = decide(&format!("{votes} success"));
    assert_eq!(iterations, 3000);
    assert!(on_the_way.iter().zip(&after).all(|(a, b)| (a - b).abs() < 1e-12), "{on_the_way:?} {after:?}");
    assert!(
        on_the_way.iter().any(|p| *p > 0.0 && (p - 1.0 / 3.0).abs() > 1e-3),
        "but the vote did: {after:?}"
    );
}

/// What the rules rule out has probability 0, exactly; the truth is never ruled out; for the searcher and for an
/// outsider, by every rule and way.
#[test]
fn hard_constraints_are_exact() {
    let game = resistance("");
    let part = game.hidden_part().unwrap();
    let rules = [Rule::default(), Rule::Particles { boost: 5.0 }, Rule::Bayes { m: 1.0 }];
    for (way, rule) in WAYS.into_iter().zip(rules.into_iter().cycle()) {
        let settings =
            Settings { self_determinization: way, ..inferring(Inference { rule, ..Inference::default() }) };
        let mut agents: Vec<_> = (0..5).map(|_| MtMoIsmcts::new(&game, settings)).collect();
        let mut sharp = 0;
        play_inferring(&game, &mut agents, Seed(7), &|_, _| 200, |state, info, agent| {
            let truth = state.hidden_value().unwrap();
            let public = state.info(Observer::Public);
            let mut prior = vec![0.0; 10];
            for (known, belief) in [(&info.known, agent.belief()), (&public, agent.outside_belief())] {
                let belief = belief.unwrap();
                part.prior(known, &mut prior);
                assert!(
                    prior.iter().zip(belief).all(|(p, b)| (*p == 0.0) == (*b == 0.0)),
                    "{prior:?} {belief:?}"
                );
                assert!(belief[truth] > 0.0 && (belief.iter().sum::<f64>() - 1.0).abs() < 1e-9);
                sharp += usize::from(prior.iter().zip(belief).any(|(p, b)| (p - b).abs() > 1e-3));
            }
        });
        assert!(sharp > 0, "{way:?}: nothing was inferred");
    }
}

/// Without inference beliefs are what the rules leave possible, and the worlds of a search are drawn as MO-ISMCTS
/// draws them.
#[test]
fn without_inference_only_the_rules_speak() {
    let game = resistance("");
    let part = game.hidden_part().unwrap();
    let settings = Settings { inference: None, ..by_way(SelfDeterminization::Split) };
    let mut agents: Vec<_> = (0..5).map(|_| MtMoIsmcts::new(&game, settings)).collect();
    play_inferring(&game, &mut agents, Seed(3), &|_, _| 100, |_, info, agent| {
        let mut prior = vec![0.0; 10];
        part.prior(&info.known, &mut prior);
        assert!(prior.iter().zip(agent.belief().unwrap()).all(|(p, b)| (p - b).abs() < 1e-9));
    });
}

/// The same seed gives the same decisions, statistics and beliefs, whether the search is explained or not.
#[test]
fn decisions_are_reproducible() {
    let game = resistance("leader=0");
    let lines = ["spies-0-3 team-0-1", "spies-0-3 team-0-1 approve reject reject reject reject team-1-2"];
    for way in WAYS {
        let run = |explain| {
            let mut agent = player(&game, by_way(way), 0, 11);
            let budget = Budget { explain, ..Budget::iterations(800) };
            let decide = |words: &&str| agent.act(&infoset(&game, words, Player(0)), &budget).unwrap();
            let decisions: Vec<_> = lines.iter().map(decide).collect();
            decisions.into_iter().map(|d| (d.action, d.report.moves, d.report.beliefs)).collect::<Vec<_>>()
        };
        let first = run(None);
        assert_eq!(first, run(None));
        assert_eq!(first, run(Some(Explain::default())), "{way:?}");
        assert_eq!(first[0].2.len(), if way == SelfDeterminization::True { 1 } else { 2 });
        assert_eq!(first[0].2[0].of, Observer::Seat(Player(0)));
        assert_eq!(first[0].2[0].values, [("0-3".to_string(), 1.0)]);
    }
}

/// `icarus/AMB-24`: choices that others have made at the same time, cards nobody can tell apart, and the spies
/// themselves make no difference within the searcher's information set.
#[test]
fn nothing_hidden_changes_a_decision() {
    let game = resistance("leader=0");
    let vote = "approve approve approve approve approve";
    let truths = [
        ("spies-1-2", "sabotage success"),
        ("spies-1-2", "success sabotage"),
        ("spies-1-3", "sabotage success"),
    ];
    for way in [SelfDeterminization::True, SelfDeterminization::Split] {
        let decide = |(spies, cards): (&str, &str)| {
            let mut agent = player(&game, by_way(way), 0, 5);
            let lines = [
                spies.to_string(),
                format!("{spies} team-1-2"),
                format!("{spies} team-1-2 {vote} {cards} team-0-2-4"),
            ];
            let act = |words: &String| {
                let decision =
                    agent.act(&infoset(&game, words, Player(0)), &Budget::iterations(1000)).unwrap();
                (decision.action, decision.report.moves, decision.report.beliefs)
            };
            lines.iter().map(act).collect::<Vec<_>>()
        };
        let [one, two, three] = truths.map(decide);
        assert_eq!(one, two);
        assert_eq!(one, three);
    }
}

/// What an outsider is taken to believe does not depend on the searcher's secret, only on what everybody saw; if all
/// iterations counted, it would.
#[test]
fn the_outside_belief_does_not_leak() {
    let game = resistance("leader=0");
    let votes = "reject approve reject reject approve";
    let beliefs = |outside, spies: &str| {
        let settings = Settings { outsider_evidence: outside, ..by_way(SelfDeterminization::Split) };
        let mut agent = player(&game, settings, 0, 6);
        let mut told = Vec::new();
        for rest in ["", "team-0-1", &format!("team-0-1 {votes} team-2-3")] {
            agent
                .act(&infoset(&game, &format!("{spies} {rest}"), Player(0)), &Budget::iterations(8000))
                .unwrap();
            told.push(agent.outside_belief().unwrap().to_vec());
        }
        told
    };
    // A spy with one partner or another, and one who is no spy.
    let [one, two, three] =
        ["spies-0-1", "spies-0-2", "spies-1-2"].map(|s| beliefs(OutsiderEvidence::Alone, s));
    assert_eq!(one, two);
    assert_eq!(one, three);
    assert!(one[1].iter().any(|p| (p - 0.1).abs() > 1e-3), "the own proposal says something: {one:?}");
    assert_ne!(one[1], one[2], "and so does the vote");
    let [one, two] = ["spies-0-1", "spies-0-2"].map(|s| beliefs(OutsiderEvidence::Merged, s));
    assert!(two[2][1] > one[2][1] + 0.02, "{one:?} {two:?}");
}

/// Players with equal rewards do not vote alike in every iteration (`icarus/AMB-24`). If they did, a vote on which they are
/// divided would not be counted in most worlds, and Bayes' rule would as good as rule these out.
#[test]
fn votes_on_which_players_are_divided_are_counted() {
    let game = resistance("leader=4");
    let rule = Rule::Bayes { m: 1.0 };
    for (seed, votes) in
        [(1, "reject reject reject approve approve"), (2, "reject approve reject approve reject")]
    {
        let mut agent = player(&game, inferring(Inference { rule, ..Inference::default() }), 0, seed);
        let start = "spies-2-3 team-0-1";
        agent.act(&infoset(&game, start, Player(0)), &Budget::iterations(20_000)).unwrap();
        let then = format!("{start} {votes}");
        agent.act(&infoset(&game, &then, Player(0)), &Budget::iterations(10)).unwrap();
        let belief = agent.belief().unwrap();
        let possible = belief.iter().filter(|p| **p > 1e-3).count();
        assert!(possible >= 5, "{votes}: {belief:.5?}");
    }
}

/// `icarus/AMB-7`: if the switch is off, own moves do not change the outsider's belief.
#[test]
fn an_outsider_learns_from_own_moves_if_asked() {
    let game = resistance("leader=0");
    for from_self in [true, false] {
        let settings = Settings {
            self_determinization: SelfDeterminization::Pure,
            ..inferring(Inference { from_self, ..Inference::default() })
        };
        let mut agent = player(&game, settings, 0, 6);
        for words in ["spies-0-1", "spies-0-1 team-0-1"] {
            agent.act(&infoset(&game, words, Player(0)), &Budget::iterations(4000)).unwrap();
        }
        let moved = agent.outside_belief().unwrap().iter().any(|p| (p - 0.1).abs() > 1e-4);
        assert_eq!(moved, from_self);
    }
}

/// The second step of TWO-STEP neither grows nor updates the others' trees (`icarus/AMB-8` where they end): at a vote all
/// five decide at the root, so that their roots have been visited once in each iteration that taught them, but for
/// those in which somebody asked before tried something new: each has two votes in each of five trees.
#[test]
fn the_second_step_teaches_the_others_nothing() {
    let game = resistance("leader=0");
    let info = infoset(&game, "spies-0-1 team-0-2", Player(0));
    let visits_of_others = |way| {
        let explain = Some(Explain { tree: Some(TreeLimits::NONE) });
        let budget = Budget { explain, ..Budget::iterations(900) };
        let report = player(&game, Settings { self_share: 1.0 / 3.0, ..by_way(way) }, 0, 3)
            .act(&info, &budget)
            .unwrap()
            .report;
        let mine = report.trees.iter().find(|tree| tree.of == Player(0)).expect("the searcher's tree");
        assert_eq!(report.profile.iter().sum::<u64>(), report.nodes);
        let roots = |tree: &SearchTree| {
            tree.nodes.iter().filter(|n| n.parent.is_none()).map(|n| n.visits).sum::<u64>()
        };
        assert_eq!(roots(mine), 900);
        let others = report.trees.iter().filter(|tree| tree.of != Player(0));
        others.map(roots).collect::<Vec<_>>()
    };
    assert_eq!(visits_of_others(SelfDeterminization::TwoStep), [290, 280, 270, 260]);
    assert_eq!(visits_of_others(SelfDeterminization::Split), [890, 880, 870, 860]);
}

/// `icarus/AMB-8`: where the first step never came the others choose uniformly, and go on so. Without a first step
/// that is everywhere. Player 0, who is no spy, votes on sending player 1, a spy in one of four worlds: with
/// approval two of the four others must approve too, 11/16, without it three, 5/16; the spy sabotages every other
/// time, so that the mission succeeds in 7/8 of all cases.
#[test]
fn the_second_step_is_uniform_where_the_first_never_came() {
    let game = resistance("players=5,spies=1,teams=[1],proposals=1,last=vote,leader=0");
    let info = infoset(&game, "spies-3 team-1", Player(0));
    let means = |settings: Settings, seed, iterations| {
        let explain = Some(Explain { tree: Some(TreeLimits::NONE) });
        let budget = Budget { explain, ..Budget::iterations(iterations) };
        let report = player(&game, settings, 0, seed).act(&info, &budget).unwrap().report;
        let mean = |name: &str| {
            let found = report.moves.iter().find(|m| game.move_name(m.action) == name).unwrap();
            (found.values.as_ref().unwrap()[Player(0)], 2.5 / (found.visits as f64).sqrt())
        };
        ([mean("reject"), mean("approve")], report.trees)
    };
    let settings = Settings { self_share: 0.0, ..by_way(SelfDeterminization::TwoStep) };
    for seed in 0..3 {
        let ([reject, approve], _) = means(settings, seed, 10_000);
        for ((mean, error), expected) in [(reject, 35.0 / 128.0), (approve, 77.0 / 128.0)] {
            assert!((mean - expected).abs() < error, "{mean} is not {expected}");
        }
    }
    // One iteration of a first step in which all are asked (by EXP3) sees one vote of each, and no mission. In a world with another spy the two who
    // are then something else than they were have not been seen either. Which spy it was is not told; one must fit.
    let settings = Settings {
        self_share: 1e-4,
        simultaneous: Simultaneous::Exp3,
        ..by_way(SelfDeterminization::TwoStep)
    };
    let mut others_than_uniform = 0;
    for seed in 0..8 {
        let (means, trees) = means(settings, seed, 10_000);
        let approves = |tree: &SearchTree| {
            let votes: Vec<_> = tree.nodes.iter().filter(|n| n.parent.is_some()).collect();
            assert_eq!((votes.len(), votes[0].visits), (1, 1), "one vote was seen: {votes:?}");
            f64::from(matches!(&votes[0].reached, Reached::Move(_, name) if name == "approve"))
        };
        let seen: Vec<f64> = trees.iter().filter(|tree| tree.of != Player(0)).map(approves).collect();
        // The mean reward if so many approvals of others are needed, given the spy of the first step.
        let expected = |needed: u32, first_spy: usize| {
            let in_world = |spy: usize| {
                let approval = |i: usize| match (i + 1 == spy) == (i + 1 == first_spy) {
                    true => seen[i],
                    false => 0.5,
                };
                let sent = (0..16u32).filter(|votes| votes.count_ones() >= needed).map(|votes| {
                    let of = |i| if votes >> i & 1 == 1 { approval(i) } else { 1.0 - approval(i) };
                    (0..4).map(of).product::<f64>()
                });
                sent.sum::<f64>() * if spy == 1 { 0.5 } else { 1.0 }
            };
            (1..5).map(in_world).sum::<f64>() / 4.0
        };
        let fits = |&spy: &usize| {
            let near =
                |((mean, error), needed): ((f64, f64), u32)| (mean - expected(needed, spy)).abs() < error;
            means.into_iter().zip([3, 2]).all(near)
        };
        let spy = (0..5).find(fits).unwrap_or_else(|| panic!("{means:?} after {seen:?}"));
        others_than_uniform += usize::from((expected(2, spy) - 77.0 / 128.0).abs() > 0.1);
    }
    assert!(others_than_uniform > 2, "{others_than_uniform}");
}

/// Where a player has no choice there is nothing that the first step could not have seen: what comes after it is
/// played as it was learnt. A team of all is proposed again by player 1 if it is rejected, without a vote; a spy,
/// which it may be, then sabotages, whoever proposed.
#[test]
fn a_forced_move_does_not_end_a_habit() {
    let game = resistance("players=3,spies=1,teams=[3],proposals=2,last=automatic,leader=0");
    for spy in [1, 2] {
        let info = infoset(&game, &format!("spies-{spy} team-0-1-2"), Player(0));
        let report =
            player(&game, Settings { self_share: 0.25, ..by_way(SelfDeterminization::TwoStep) }, 0, 5)
                .act(&info, &Budget::iterations(8000))
                .unwrap()
                .report;
        for m in &report.moves {
            let mean = m.values.as_ref().unwrap()[Player(0)];
            assert!(mean < 0.05, "a mission with a spy succeeded in {mean} of {} playouts", m.visits);
        }
    }
}

/// Bluffing searches as SPLIT does and then chooses by eq. 7.3: where its move is another, that one is within a standard
/// deviation. Rewards are 0 or 1, so that a mean of m has a deviation of sqrt(m (1 - m)).
#[test]
fn a_bluff_is_never_clearly_worse() {
    let game = resistance("leader=0");
    let lines = ["", "team-0-1", "team-2-3", "team-0-2", "team-0-2 approve approve approve approve approve"];
    let mut bluffs = 0;
    for (words, seed) in lines.iter().flat_map(|words| (0..4).map(move |seed| (words, seed))) {
        let info = infoset(&game, &format!("spies-0-1 {words}"), Player(0));
        let [split, bluffing] = [SelfDeterminization::Split, SelfDeterminization::Bluffing]
            .map(|way| player(&game, by_way(way), 0, seed).act(&info, &Budget::iterations(2000)).unwrap());
        assert_eq!(split.report.moves, bluffing.report.moves);
        let mean = |action| {
            let found = split.report.moves.iter().find(|m| m.action == action).unwrap();
            found.values.as_ref().unwrap()[Player(0)]
        };
        let (best, bluff) = (mean(split.action), mean(bluffing.action));
        let deviation = |m: f64| (m * (1.0 - m)).sqrt();
        if split.action != bluffing.action {
            bluffs += 1;
            assert!(best - bluff < deviation(best).min(deviation(bluff)), "{best} {bluff}");
        }
    }
    assert!(bluffs > 0, "nobody ever bluffed");
}

/// Beliefs of those who infer come nearer to the truth than what the rules alone leave possible.
#[test]
fn inference_foresees_the_truth_better() {
    let game = resistance("");
    let part = game.hidden_part().unwrap();
    let mut agents: Vec<_> = (0..5).map(|_| MtMoIsmcts::new(&game, Settings::default())).collect();
    let (mut with, mut without) = (0.0, 0.0);
    for seed in 0..16 {
        let (mut beliefs, mut priors, mut truth) = (Vec::new(), Vec::new(), 0);
        play_inferring(&game, &mut agents, Seed(seed), &|_, _| 1000, |state, info, agent| {
            truth = state.hidden_value().unwrap();
            if state.role(info.seat) == "resistance" {
                beliefs.push(agent.belief().unwrap().to_vec());
                let mut prior = vec![0.0; 10];
                part.prior(&info.known, &mut prior);
                priors.push(prior);
            }
        });
        let loss = |held: &[Vec<f64>]| mean_log_loss(held.iter().map(|b| &b[..]), truth).unwrap();
        with += loss(&beliefs) / 16.0;
        without += loss(&priors) / 16.0;
    }
    assert!(with < without - 0.1, "{with} against {without}");
}

/// Where the hidden part moves, and where it is only one of the hidden things: every way gives legal moves and
/// sound beliefs.
#[test]
fn all_ways_work_where_more_is_hidden() {
    fn check(game: &Arc<dyn Model>, players: usize, iterations: u64) {
        let part = game.hidden_part().unwrap();
        for (way, seed) in WAYS.into_iter().zip(0..) {
            let settings = Settings { memory: 1 << 26, ..by_way(way) };
            let mut agents: Vec<_> = (0..players).map(|_| MtMoIsmcts::new(game, settings)).collect();
            let mut inferred = 0;
            play_inferring(game, &mut agents, Seed(seed), &|_, _| iterations, |state, info, agent| {
                let truth = state.hidden_value().unwrap();
                for belief in [agent.belief().unwrap(), agent.outside_belief().unwrap()] {
                    assert!((belief.iter().sum::<f64>() - 1.0).abs() < 1e-9 && belief[truth] > 0.0);
                }
                let mut prior = vec![0.0; part.values()];
                part.prior(&info.known, &mut prior);
                let belief = agent.belief().unwrap();
                assert!(prior.iter().zip(belief).all(|(p, b)| *p > 0.0 || *b == 0.0));
                inferred += usize::from(prior.iter().zip(belief).any(|(p, b)| (p - b).abs() > 1e-6));
            });
            assert!(inferred > 0, "{way:?}");
        }
    }
    let yard = ScotlandYard::from_params(&params(&scotland_yard::ABOUT, "seekers=2,rounds=8,surface=[3]"));
    check(&Erased::any(yard.unwrap()), 2, 200);
    let saboteur = Saboteur::from_params(&params(&saboteur::ABOUT, "")).unwrap();
    check(&Erased::any(saboteur), 5, 30);
}

/// Who knows all but the roles looks into worlds that differ from the truth in the roles alone, in the roles that are
/// believed, as often as they are.
#[test]
fn the_yardstick_doubts_nothing_but_the_hidden_part() {
    let game = Erased::any(Saboteur::from_params(&params(&saboteur::ABOUT, "")).unwrap());
    let part = game.hidden_part().unwrap();
    let mut table = Table::start(&game);
    table.draw(&mut Seed(3).stream(Purpose::Deal));
    let truth = &*table.world;
    let known = truth.info(Observer::Seat(Player(0)));
    let mut belief = vec![0.0; part.values()];
    part.prior(&known, &mut belief);
    let mut worlds = Determinizer::all_but_hidden(&*game, &known, &belief, truth);
    let mut rng = Seed(4).stream(Purpose::Sampling);
    let mut counts = vec![0.0; belief.len()];
    for _ in 0..2000 {
        let mut world = game.start();
        worlds.draw(&mut rng, &mut *world);
        counts[world.hidden_value().unwrap()] += 1.0 / 2000.0;
        world.put_hidden(truth.hidden_value().unwrap());
        assert!(*world == *truth);
    }
    for (count, p) in counts.iter().zip(&belief) {
        assert!((count - p).abs() < 0.05, "{count} is not {p}");
        assert!(*p > 0.0 || *count == 0.0);
    }
    assert!(belief.iter().filter(|p| **p > 0.0).count() > 1);
}

/// `icarus/AMB-2`: by which value visits are counted makes no difference where spies stay spies, and does where Mr X
/// moves on.
#[test]
fn counting_by_the_first_value_matters_where_values_change() {
    fn believes(game: &Arc<dyn Model>, seat: u8, iterations: u64, counted: Counted) -> Vec<Vec<f64>> {
        let settings = inferring(Inference { counted, ..Inference::default() });
        let players = game.facts().players as u8;
        let mut agents: Vec<_> = (0..players).map(|p| player(game, settings, p, 3)).collect();
        let mut beliefs = Vec::new();
        play_inferring(game, &mut agents, Seed(12), &|_, _| iterations, |_, info, agent| {
            if info.seat == Player(seat) {
                beliefs.push(agent.belief().unwrap().to_vec());
            }
        });
        beliefs
    }
    let game = resistance("");
    let [present, root] = [Counted::Present, Counted::AtRoot].map(|c| believes(&game, 4, 100, c));
    assert_eq!(present, root);
    let game = Erased::any(ScotlandYard::from_params(&params(&scotland_yard::ABOUT, "")).unwrap());
    let [present, root] = [Counted::Present, Counted::AtRoot].map(|c| believes(&game, 1, 60, c));
    assert_ne!(present, root);
}

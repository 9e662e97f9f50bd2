//! Multi-tree search beyond its source: selection that seeks an equilibrium (`icarus/4.2.2`), other ways to
//! change a belief (`icarus/4.2.4`) and The Resistance with more players (`icarus/4.2.5`).

mod common;

use std::sync::Arc;

use common::{Table, infoset, params, play_inferring};
use fogtree_core::{Agent, Budget, Erased, Explain, Model, Player, Purpose, Seed, World};
use fogtree_games::kuhn_poker::KuhnPoker;
use fogtree_games::resistance::{self, Resistance};
use fogtree_games::scotland_yard::{self, ScotlandYard};
use fogtree_search::Final;
use fogtree_search::is_mcts::Smooth;
use fogtree_search::multi_tree::{
    Bound, Inference, MtMoIsmcts, Rule, Selection, SelfDeterminization, Settings, log_loss, mean_log_loss,
};
use fogtree_solve::{Compiled, Evaluation, Profile};

const SMOOTH: Smooth = Smooth { c: 0.7, gamma: 0.1, eta: 0.9, d: 0.001 };
const TUNED: Selection = Selection::Greatest(Bound::Ucb1Tuned);

fn choosing(select: Selection, way: SelfDeterminization, last: Final) -> Settings {
    Settings { select, self_determinization: way, last, ..Settings::default() }
}

/// One line of play to each information set of Kuhn poker.
fn kuhn_sets() -> Vec<(String, Player)> {
    let cards = [("J", "Q"), ("Q", "K"), ("K", "J")];
    let first = cards.iter().flat_map(|(own, other)| {
        ["", "check bet"].map(|betting| (format!("{own} {other} {betting}"), Player(0)))
    });
    let second = cards.iter().flat_map(|(own, other)| {
        ["check", "bet"].map(|betting| (format!("{other} {own} {betting}"), Player(1)))
    });
    first.chain(second).collect()
}

/// What players do in Kuhn poker who are asked so often, new each time, in every information set.
fn asked(compiled: &Compiled, settings: Settings, iterations: u64, samples: u64) -> Profile {
    let game = Erased::any(KuhnPoker);
    let mut profile = Profile::uniform(compiled);
    let mut agent = MtMoIsmcts::new(&game, settings);
    for (words, seat) in kuhn_sets() {
        let info = infoset(&game, &words, seat);
        let mut shares = vec![0.0; info.legal.len()];
        for sample in 0..samples {
            agent.start(seat, Seed(7).named(&words).number(sample));
            let action = agent.act(&info, &Budget::iterations(iterations)).unwrap().action;
            let place = info.legal.iter().position(|a| *a == action).unwrap();
            shares[place] += 1.0 / samples as f64;
        }
        let set = compiled.treeplex(seat).find(info.key).unwrap();
        profile.set(compiled, seat, set, &shares);
    }
    profile
}

fn kuhn() -> Compiled {
    Compiled::of(&KuhnPoker, 1000).unwrap()
}

/// What player 0's opening costs it if it goes on as well as one can and player 1 answers as well as one can:
/// with a jack it then folds, with a king it calls, with a queen it calls as often as is best. In equilibrium
/// it loses 1/18.
fn cost_of_opening(compiled: &Compiled, mut profile: Profile) -> f64 {
    let answer = |profile: &mut Profile, words: &str, call: f64| {
        let key = infoset(&Erased::any(KuhnPoker), words, Player(0)).key;
        let set = compiled.treeplex(Player(0)).find(key).unwrap();
        profile.set(compiled, Player(0), set, &[1.0 - call, call]);
    };
    answer(&mut profile, "J Q check bet", 0.0);
    answer(&mut profile, "K Q check bet", 1.0);
    let lost = |call| {
        answer(&mut profile, "Q K check bet", call);
        Evaluation::of(compiled, &profile).best[1]
    };
    (0..=200).map(|i| f64::from(i) / 200.0).map(lost).fold(f64::INFINITY, f64::min) - 1.0 / 18.0
}

/// If nobody bets in the opening, nothing is given away: then the equilibrium has no bluffs and no bets for
/// value in it. If everybody bets, player 1 calls with a king and with a queen, folds a jack and wins 2
/// against a jack or a queen: with jack -2, queen (1 - 2) / 2, king (1 + 2) / 2 player 0 has -1/3 a game,
/// 5/18 less than the value.
#[test]
fn the_cost_of_an_opening_is_what_it_loses() {
    let compiled = kuhn();
    let opening = |bet: f64| {
        let mut profile = Profile::uniform(&compiled);
        for card in ["J Q", "Q K", "K J"] {
            let key = infoset(&Erased::any(KuhnPoker), card, Player(0)).key;
            let set = compiled.treeplex(Player(0)).find(key).unwrap();
            profile.set(&compiled, Player(0), set, &[1.0 - bet, bet]);
        }
        cost_of_opening(&compiled, profile)
    };
    assert!(opening(0.0).abs() < 3e-3, "{}", opening(0.0));
    assert!((opening(1.0) - 5.0 / 18.0).abs() < 1e-9, "{}", opening(1.0));
}

/// The constants of Smooth UCT for a few thousand iterations: those of the source fall too slowly for that.
const QUICK: Smooth = Smooth { c: 0.25, gamma: 0.1, eta: 0.9, d: 0.02 };

/// Asked with a few thousand iterations, the plain bound makes up its mind in every information set, and
/// loses 1/6 to a best response as ISMCTS does. Who follows its average and plays by it mixes.
#[test]
fn following_the_average_is_less_exploitable_than_the_bound() {
    let compiled = kuhn();
    let of = |select, last| {
        let profile = asked(&compiled, choosing(select, SelfDeterminization::Pure, last), 5000, 60);
        Evaluation::of(&compiled, &profile).exploitability()
    };
    let (plain, smooth) = (of(TUNED, Final::Visits), of(Selection::Smooth(QUICK), Final::Soft(1.0)));
    assert!((plain - 1.0 / 6.0).abs() < 0.02, "{plain}");
    assert!(smooth < 0.8 * plain, "{smooth} against {plain}");
}

#[test]
#[ignore = "takes minutes: prints the exploitability of multi-tree search in Kuhn poker"]
fn exploitability_in_kuhn_poker() {
    let compiled = kuhn();
    let soft = Final::Soft(1.0);
    for way in [SelfDeterminization::True, SelfDeterminization::Pure] {
        for (name, select, last) in [
            ("ucb1-tuned", TUNED, Final::Visits),
            ("ucb1-tuned, soft:1", TUNED, soft),
            ("ucb1, c=0.25, soft:1", Selection::Greatest(Bound::Ucb1(0.25)), soft),
            ("smooth, soft:1", Selection::Smooth(SMOOTH), soft),
            ("smooth, c=0.25, d=0.02", Selection::Smooth(QUICK), Final::Visits),
            ("smooth, c=0.25, d=0.02, soft:1", Selection::Smooth(QUICK), soft),
        ] {
            for (n, samples) in [(100, 100), (1000, 100), (10_000, 100), (100_000, 30)] {
                let profile = asked(&compiled, choosing(select, way, last), n, samples);
                let found = Evaluation::of(&compiled, &profile).exploitability();
                let opening = cost_of_opening(&compiled, profile);
                println!("{way:?} {name} {n}: {found:.4}, opening {opening:.4}");
            }
        }
    }
}

fn resistance(text: &str) -> Arc<dyn Model> {
    Erased::any(Resistance::from_params(&params(&resistance::ABOUT, text)).unwrap())
}

fn inferring(inference: Inference) -> Settings {
    Settings { inference: Some(inference), ..Settings::default() }
}

/// What a player believes at each of these points of a game.
fn beliefs(
    game: &Arc<dyn Model>,
    settings: Settings,
    seat: u8,
    lines: &[&str],
    iterations: u64,
) -> Vec<Vec<f64>> {
    let mut agent = MtMoIsmcts::new(game, settings);
    agent.start(Player(seat), Seed(4));
    let believed = |words: &&str| {
        agent.act(&infoset(game, words, Player(seat)), &Budget::iterations(iterations)).unwrap();
        agent.belief().unwrap().to_vec()
    };
    lines.iter().map(believed).collect()
}

fn near(a: &[f64], b: &[f64], by: f64) -> bool {
    a.len() == b.len() && a.iter().zip(b).all(|(a, b)| (a - b).abs() < by)
}

const VOTED: [&str; 2] = ["spies-2-3 team-0-2", "spies-2-3 team-0-2 approve reject reject reject reject"];

/// After the first vote a share of the belief goes back to 1/6 for each of the six pairs that player 1, who
/// is no spy, holds possible, and nothing to the others; if all of it does, nothing is ever inferred.
#[test]
fn a_share_of_the_belief_goes_back_to_the_rules() {
    let game = resistance("leader=0");
    let after = |revive| {
        let settings = inferring(Inference { revive, ..Inference::default() });
        beliefs(&game, settings, 1, &VOTED, 3000).pop().unwrap()
    };
    let (plain, tenth, all) = (after(0.0), after(0.1), after(1.0));
    let prior: Vec<f64> = plain.iter().map(|p| if *p > 0.0 { 1.0 / 6.0 } else { 0.0 }).collect();
    assert_eq!(prior.iter().filter(|p| **p > 0.0).count(), 6);
    assert!(!near(&plain, &prior, 1e-3), "the vote says something: {plain:?}");
    let expected: Vec<f64> = plain.iter().zip(&prior).map(|(p, q)| 0.9 * p + 0.1 * q).collect();
    assert!(near(&tenth, &expected, 1e-12), "{tenth:?} is not {expected:?}");
    assert!(near(&all, &prior, 1e-12), "{all:?}");
}

/// Whatever the rule, beliefs are sound: they sum to 1, believe in the truth, and in
/// nothing that the rules rule out.
#[test]
fn hard_constraints_stay_exact() {
    fn check(game: &Arc<dyn Model>, inference: Inference, iterations: u64, seed: u64) {
        let part = game.hidden_part().unwrap();
        let settings = Settings {
            self_determinization: SelfDeterminization::Split,
            memory: 1 << 26,
            ..inferring(inference)
        };
        let players = game.facts().players;
        let mut agents: Vec<_> = (0..players).map(|_| MtMoIsmcts::new(game, settings)).collect();
        play_inferring(game, &mut agents, Seed(seed), &|_, _| iterations, |state, info, agent| {
            let truth = state.hidden_value().unwrap();
            let mut prior = vec![0.0; part.values()];
            part.prior(&info.known, &mut prior);
            for belief in [agent.belief().unwrap(), agent.outside_belief().unwrap()] {
                assert!(
                    (belief.iter().sum::<f64>() - 1.0).abs() < 1e-9 && belief[truth] > 0.0,
                    "{inference:?}"
                );
            }
            assert!(prior.iter().zip(agent.belief().unwrap()).all(|(p, b)| (*p > 0.0) == (*b > 0.0)));
        });
    }
    let yard = ScotlandYard::from_params(&params(&scotland_yard::ABOUT, "seekers=2,rounds=8,surface=[3]"));
    let (spies, yard) = (resistance(""), Erased::any(yard.unwrap()));
    let bayes = Rule::Bayes { m: 10.0 };
    for (rule, seed) in [(Rule::default(), 1), (bayes, 2), (Rule::default(), 3), (bayes, 4)] {
        let inference = Inference { rule, revive: 0.02, ..Inference::default() };
        check(&spies, inference, 200, seed);
        check(&yard, inference, 100, seed);
    }
}

/// The same seed gives the same search, whether it is explained or not, where players follow their averages
/// too.
#[test]
fn smooth_searches_are_reproducible() {
    for way in [SelfDeterminization::True, SelfDeterminization::Pure] {
        let settings = choosing(Selection::Smooth(SMOOTH), way, Final::Soft(1.0));
        let game = resistance("leader=0");
        let decide = |seed, explain| {
            let mut agent = MtMoIsmcts::new(&game, settings);
            agent.start(Player(0), Seed(seed));
            let budget = Budget { explain, ..Budget::iterations(1500) };
            agent.act(&infoset(&game, "spies-0-3 team-0-1", Player(0)), &budget).unwrap()
        };
        let (a, b, explained) = (decide(1, None), decide(1, None), decide(1, Some(Explain::default())));
        assert_eq!((a.action, &a.report.moves), (b.action, &b.report.moves));
        assert_eq!((a.action, &a.report.moves), (explained.action, &explained.report.moves));
        assert_ne!(a.report.moves, decide(2, None).report.moves);
    }
}

/// The mean and its standard error.
fn mean(of: &[f64]) -> (f64, f64) {
    let n = of.len() as f64;
    let mean = of.iter().sum::<f64>() / n;
    let variance = of.iter().map(|x| (x - mean) * (x - mean)).sum::<f64>() / (n - 1.0);
    (mean, (variance / n).sqrt())
}

/// How many games and iterations a table is made from.
fn size(games: u64, iterations: u64) -> (u64, u64) {
    let read = |name, usual| std::env::var(name).map_or(usual, |n| n.parse().unwrap());
    (read("GAMES", games), read("ITERATIONS", iterations))
}

/// Prints how well those who hold this role foresee the truth if all players infer in this way, and how often
/// they win.
fn score(
    game: &Arc<dyn Model>,
    role: &str,
    name: &str,
    inference: Option<Inference>,
    (games, n): (u64, u64),
) {
    let players = game.facts().players;
    let settings = Settings { inference, ..Settings::default() };
    let mut agents: Vec<_> = (0..players).map(|_| MtMoIsmcts::new(game, settings)).collect();
    let (mut losses, mut worst, mut won) = (Vec::new(), 0.0_f64, 0);
    for seed in 0..games {
        let mut of_game = Vec::new();
        let end = play_inferring(game, &mut agents, Seed(seed), &|_, _| n, |state, info, agent| {
            if state.role(info.seat) == role {
                of_game.push(log_loss(agent.belief().unwrap(), state.hidden_value().unwrap()));
            }
        });
        losses.push(mean(&of_game).0);
        worst = of_game.into_iter().fold(worst, f64::max);
        let one = Player::all(players).find(|&p| end.role(p) == role).unwrap();
        won += u32::from(end.rewards()[one] > 0.5);
    }
    let (loss, error) = mean(&losses);
    println!("{name}: log loss {loss:.3} +- {error:.3}, worst {worst:.1}, they won {won} of {games}");
}

fn inference(rule: Rule, revive: f64) -> Option<Inference> {
    Some(Inference { rule, revive, ..Inference::default() })
}

#[test]
#[ignore = "takes minutes: prints how well beliefs foresee the spies under each rule"]
fn log_loss_of_every_rule() {
    let game = resistance(&std::env::var("GAME").unwrap_or_default());
    let score = |name: &str, inference| score(&game, "resistance", name, inference, size(80, 2000));
    score("rules alone", None);
    for (name, rule) in [
        ("particles", Rule::default()),
        ("boost 8", Rule::Particles { boost: 8.0 }),
        ("bayes", Rule::Bayes { m: 10.0 }),
    ] {
        for (more, revive) in [("", 0.0), (", revive 0.02", 0.02), (", revive 0.1", 0.1)] {
            score(&format!("{name}{more}"), inference(rule, revive));
        }
    }
}

#[test]
#[ignore = "takes minutes: prints how well beliefs foresee where Mr X is"]
fn log_loss_about_mr_x() {
    let game = Erased::any(ScotlandYard::from_params(&params(&scotland_yard::ABOUT, "")).unwrap());
    let score = |name: &str, inference| score(&game, "seekers", name, inference, size(20, 500));
    score("rules alone", None);
    score("particles", inference(Rule::default(), 0.0));
    score("boost 8", inference(Rule::Particles { boost: 8.0 }, 0.0));
}

/// Who won how often if the two sides of The Resistance search in these ways; bluffing spies have twice the
/// iterations, as in the source.
#[test]
#[ignore = "takes minutes: prints how often spies win among more players"]
fn spies_among_more_players() {
    let (games, n) = size(80, 5000);
    let game = resistance(&std::env::var("GAME").unwrap_or("players=7".to_string()));
    let players = game.facts().players;
    for way in [SelfDeterminization::True, SelfDeterminization::Bluffing] {
        for inference in [None, Some(Inference::default())] {
            let (mut won, mut losses) = (0, Vec::new());
            for seed in 0..games {
                let mut dealt = Table::start(&game);
                dealt.draw(&mut Seed(seed).stream(Purpose::Deal));
                let is_spy = |p: Player| dealt.world.role(p) != "resistance";
                let settings = |p| match is_spy(p) {
                    true => Settings { self_determinization: way, ..Settings::default() },
                    false => Settings { inference, ..Settings::default() },
                };
                let mut agents: Vec<_> =
                    Player::all(players).map(|p| MtMoIsmcts::new(&game, settings(p))).collect();
                let iterations = |_: &dyn World, p| {
                    if is_spy(p) && way == SelfDeterminization::Bluffing { 2 * n } else { n }
                };
                let (mut held, mut truth) = (Vec::new(), 0);
                let end =
                    play_inferring(&game, &mut agents, Seed(seed), &iterations, |state, info, agent| {
                        truth = state.hidden_value().unwrap();
                        if !is_spy(info.seat) {
                            held.push(agent.belief().unwrap().to_vec());
                        }
                    });
                losses.push(mean_log_loss(held.iter().map(|b| &b[..]), truth).unwrap());
                let spy = Player::all(players).find(|&p| is_spy(p)).unwrap();
                won += u32::from(end.rewards()[spy] > 0.5);
            }
            let (loss, error) = mean(&losses);
            let infers = if inference.is_some() { "on" } else { "off" };
            println!(
                "spies {way:?}, inference {infers}: spies won {won} of {games}, log loss {loss:.3} +- {error:.3}"
            );
        }
    }
}

//! Any search that draws worlds draws them as its information set believes, and a small search beside it can
//! infer what it believes (`icarus/1.3`).

#[path = "../common/mod.rs"]
mod common;
mod hunch;
mod with_inference;

use std::sync::Arc;

use common::{infoset, params};
use fogtree_core::{Agent, Budget, Erased, InfoSet, Model, Player, Purpose, Seed, Simulation};
use fogtree_games::resistance::{self, Resistance};
use fogtree_search::exact::minimax;
use fogtree_search::is_mcts::{self, IsMcts};
use fogtree_search::ismcts::{Config, Ismcts, Observers};
use fogtree_search::multi_tree::{self, MtMoIsmcts};
use fogtree_search::plans::{self, Method, Planner, Rhea, Rivals, Tbets};
use fogtree_search::{
    Allocation, BeliefPlayer, BsMcts, Candidates, Determinizer, Division, Expectimax, FlatMc, Minimax,
    OneTree, Pimc, PolicyPlayer, UctSearch, Vote, bs_mcts,
};
use hunch::{Hunch, MARKED, PASS};

type Boxed = Box<dyn Agent>;
type Make = fn(&Arc<dyn Model>) -> Boxed;

fn resistance(text: &str) -> Arc<dyn Model> {
    Erased::any(Resistance::from_params(&params(&resistance::ABOUT, text)).unwrap())
}

fn believing(info: &InfoSet, belief: &[f64]) -> InfoSet {
    InfoSet { belief: Some(belief.into()), ..info.clone() }
}

fn bets(listed: bool) -> (Arc<dyn Model>, InfoSet) {
    let game = Erased::any(Hunch { listed });
    let info = infoset(&game, "o0", Player(0));
    (game, info)
}

const EVERY_OBSERVERS: [Observers; 4] =
    [Observers::Single, Observers::Partial, Observers::Multiple, Observers::Acting];

fn pimc(game: &Arc<dyn Model>, determinizations: u64, iterations: u64) -> Boxed {
    let division = Division { determinizations: Some(determinizations), iterations };
    Box::new(Pimc::new(game, UctSearch::new(game, 0.7), division, Vote::SummedVisits))
}

/// Searches that judge moves by the worlds they draw, whatever these are, with the budgets they need here.
/// PIMC searches each world with so many iterations.
fn sampling_searches(game: &Arc<dyn Model>, per_world: u64) -> Vec<(String, Boxed, Budget)> {
    let many = || Budget::iterations(20_000);
    let mut all: Vec<(String, Boxed, Budget)> = Vec::new();
    for allocation in [Allocation::Even, Allocation::default()] {
        all.push(("flat-mc".into(), Box::new(FlatMc::new(game, allocation)), many()));
    }
    for observers in EVERY_OBSERVERS {
        let agent = Box::new(Ismcts::new(game, Config::new(observers)));
        all.push((format!("ismcts {observers:?}"), agent, many()));
    }
    let threads = Config { threads: 2, ..Config::new(Observers::Multiple) };
    all.push(("mo-ismcts, two threads".into(), Box::new(Ismcts::new(game, threads)), many()));
    all.push(("pimc".into(), pimc(game, 4000, per_world), Budget::default()));
    all.push(("pimc, one tree".into(), Box::new(OneTree::new(game, UctSearch::new(game, 0.7))), many()));
    let settings = is_mcts::Settings { beliefs: false, ..is_mcts::Settings::default() };
    all.push(("is-mcts".into(), Box::new(IsMcts::new(game, settings)), many()));
    let settings = multi_tree::Settings { inference: None, ..multi_tree::Settings::default() };
    all.push(("mt-mo-ismcts".into(), Box::new(MtMoIsmcts::new(game, settings)), many()));
    let usual = bs_mcts::Settings::default();
    let guess = bs_mcts::Guess { lambda: 0.0, ..usual.guess };
    let settings = bs_mcts::Settings { guess, worlds: 4000, ..usual };
    all.push(("bs-mcts".into(), Box::new(BsMcts::new(game, settings)), many()));
    let one = plans::Settings { playouts: 1, simulation: Simulation::UNIFORM, ..plans::Settings::DLMC };
    all.push(("dlmc".into(), Box::new(Planner::new(game, one)), many()));
    let rivals = plans::Settings { method: Method::Rivals(Rivals::M3LEE), ..one };
    all.push(("m3lee".into(), Box::new(Planner::new(game, rivals)), Budget::iterations(4000)));
    // These judge all plans of a decision in the same worlds.
    for method in [Method::Rhea(Rhea::USUAL), Method::Tbets(Tbets::USUAL)] {
        let settings = plans::Settings { method, playouts: 4000, ..one };
        all.push((format!("{method:?}"), Box::new(Planner::new(game, settings)), Budget::iterations(60)));
    }
    all
}

/// Searches of all worlds of an information set, or of so many drawn ones.
fn exact_searches(game: &Arc<dyn Model>) -> Vec<(String, Boxed, Budget)> {
    let settings = minimax::Settings { epsilon: 0.0, nodes: 1_000_000 };
    let worlds = || Candidates::new(game, None, 4000, 100_000);
    vec![
        (
            "pimc-minimax".into(),
            Box::new(BeliefPlayer::new(worlds(), Minimax::new(game, settings))),
            Budget::default(),
        ),
        (
            "is-expectimax".into(),
            Box::new(BeliefPlayer::new(worlds(), Expectimax::new(game, settings.nodes))),
            Budget::default(),
        ),
    ]
}

/// What each move is worth if the cards are as likely as this.
fn worth(belief: [f64; 3]) -> [f64; 5] {
    let mark = belief.iter().zip(MARKED).map(|(p, marked)| p * marked).sum();
    [belief[0], belief[1], belief[2], mark, PASS]
}

/// A bet pays 1 if it is right, so the mean reward of the bets is how often the card and the mark were as
/// they say in the worlds drawn: the cards as often as they are believed in, and the marks, which beliefs are
/// not about, as the rules say given the card. Four standard deviations are allowed. Five iterations of PIMC
/// in a world try each of the five moves once.
#[test]
fn worlds_are_drawn_as_believed_by_every_search() {
    let (game, info) = bets(false);
    let belief = [0.1, 0.2, 0.7];
    let worth = worth(belief);
    for (name, mut agent, budget) in sampling_searches(&game, 5).into_iter().chain(exact_searches(&game)) {
        agent.start(Player(0), Seed(3));
        let report = agent.act(&believing(&info, &belief), &budget).unwrap().report;
        for (found, p) in report.moves.iter().zip(worth) {
            let Some(values) = &found.values else {
                assert!(name.contains("Rhea"), "{name} never tried {}", found.action);
                continue;
            };
            // Where all moves are judged in the same 4000 worlds, a visit is no playout.
            let n = match found.visits {
                _ if name.contains("pimc-") || name.contains("is-exp") => 4000.0,
                _ if name.contains("Rhea") || name.contains("Tbets") => 4000.0,
                visits => visits as f64,
            };
            let error = 4.0 * (p * (1.0 - p) / n).sqrt();
            let mean = values[Player(0)];
            assert!((mean - p).abs() < error, "{name}: {mean} is not {p} +- {error}, move {}", found.action);
        }
    }
}

/// Where worlds can be listed, exact searches weigh them exactly.
#[test]
fn listed_worlds_are_weighed_as_believed() {
    let (game, info) = bets(true);
    for belief in [[0.1, 0.2, 0.7], [0.0, 1.0, 0.0]] {
        let worth = worth(belief);
        for (name, mut agent, budget) in exact_searches(&game) {
            agent.start(Player(0), Seed(3));
            let report = agent.act(&believing(&info, &belief), &budget).unwrap().report;
            for (found, p) in report.moves.iter().zip(worth) {
                let mean = found.values.as_ref().unwrap()[Player(0)];
                assert!((mean - p).abs() < 1e-12, "{name}: {mean} is not {p}, move {}", found.action);
            }
        }
    }
}

/// By the rules no bet is worth as much as a pass (0.5 against 0.6), and of the bets the first is the best
/// one; with this belief the second is worth 0.9. PIMC bets in either case, as it believes that it will know
/// the card.
#[test]
fn the_belief_decides() {
    for listed in [false, true] {
        let (game, info) = bets(listed);
        let belief = [0.05, 0.9, 0.05];
        for (name, mut agent, budget) in sampling_searches(&game, 50).into_iter().chain(exact_searches(&game))
        {
            // A drawn plan is chosen by the worlds in which it was drawn alone.
            if name == "dlmc" || name == "m3lee" {
                continue;
            }
            agent.start(Player(0), Seed(8));
            let by_rules = agent.act(&info, &budget).unwrap().action;
            assert_eq!(by_rules, if name == "pimc" || name == "pimc-minimax" { 0 } else { 4 }, "{name}");
            agent.start(Player(0), Seed(8));
            assert_eq!(agent.act(&believing(&info, &belief), &budget).unwrap().action, 1, "{name}");
        }
    }
}

/// A policy acts in one world; that is drawn as believed, too.
#[test]
fn policies_act_in_believed_worlds() {
    let (game, info) = bets(false);
    let info = believing(&info, &[0.1, 0.2, 0.7]);
    let mut agent = PolicyPlayer::new(&game, Some(0));
    agent.start(Player(0), Seed(1));
    let mut counts = [0.0f64; 3];
    for _ in 0..4000 {
        counts[agent.act(&info, &Budget::default()).unwrap().action as usize] += 1.0 / 4000.0;
    }
    for (count, p) in counts.into_iter().zip([0.1, 0.2, 0.7]) {
        assert!((count - p).abs() < 4.0 * (p * (1.0 - p) / 4000.0f64).sqrt(), "{count} is not {p}");
    }
}

/// What the rules make impossible is not drawn however much it is believed in, and the rest is as likely as
/// before among each other. If nothing possible is believed in, worlds are as the rules say.
#[test]
fn beliefs_cannot_make_the_impossible_possible() {
    let game = resistance("leader=0");
    let part = game.hidden_part().unwrap();
    let place = |name: &str| (0..part.values()).find(|&v| part.name(v) == name).unwrap();
    let info = infoset(&game, "spies-1-2", Player(0));
    let share = |belief: &[(&str, f64)]| {
        let mut whole = vec![0.0; part.values()];
        belief.iter().for_each(|(name, p)| whole[place(name)] = *p);
        let mut draws = Determinizer::new(&*game, &believing(&info, &whole));
        let mut rng = Seed(2).stream(Purpose::Sampling);
        let mut world = game.start();
        let mut shares = vec![0.0f64; part.values()];
        for _ in 0..6000 {
            draws.draw(&mut rng, &mut *world);
            shares[world.hidden_value().unwrap()] += 1.0 / 6000.0;
        }
        shares
    };
    let names: Vec<String> = (0..part.values()).map(|v| part.name(v)).collect();
    let (with, without): (Vec<&String>, Vec<&String>) = names.iter().partition(|name| name.contains('0'));
    assert_eq!((with.len(), without.len()), (4, 6), "{names:?}");
    // Half of the belief is in a team of spies of which the searcher would be one.
    let (mine, a, b) = (with[0].as_str(), without[0].as_str(), without[1].as_str());
    let shares = share(&[(mine, 0.5), (a, 0.125), (b, 0.375)]);
    assert!((shares[place(b)] - 0.75).abs() < 0.025 && shares[place(a)] > 0.0, "{shares:?}");
    assert_eq!(shares[place(mine)], 0.0);
    let shares = share(&[(mine, 1.0)]);
    assert!(without.iter().all(|name| (shares[place(name)] - 1.0 / 6.0).abs() < 0.025), "{shares:?}");
}

/// A leader who is certain who the spies are leaves them at home, whoever they really are.
#[test]
fn leaders_choose_whom_they_believe_in() {
    let game = resistance("leader=0");
    let part = game.hidden_part().unwrap();
    let info = infoset(&game, "spies-1-2", Player(0));
    let agents: [(&str, Make); 4] = [
        ("pimc", |game| pimc(game, 40, 250)),
        ("flat-mc", |game| Box::new(FlatMc::new(game, Allocation::default()))),
        ("so-ismcts", |game| Box::new(Ismcts::new(game, Config::new(Observers::Single)))),
        ("mo-ismcts", |game| Box::new(Ismcts::new(game, Config::new(Observers::Multiple)))),
    ];
    for (name, make) in agents {
        for spies in [[1, 2], [3, 4], [1, 4]] {
            let is_believed =
                |value: usize| spies.iter().all(|spy| part.name(value).contains(&spy.to_string()));
            let belief: Vec<f64> = (0..part.values()).map(|v| f64::from(u8::from(is_believed(v)))).collect();
            let mut agent = make(&game);
            agent.start(Player(0), Seed(4));
            let budget = if name == "pimc" { Budget::default() } else { Budget::iterations(10_000) };
            let team = agent.act(&believing(&info, &belief), &budget).unwrap().action;
            let team = game.move_name(team);
            assert!(
                spies.iter().all(|spy| !team.contains(&spy.to_string())),
                "{name}: {team}, spies {spies:?}"
            );
        }
    }
}

//! From parameters to what an agent is made of.

use std::time::Duration;

use fogtree_core::Simulation;
use fogtree_core::{BadSpec, Budget, Horizon, Params, Policy};
use fogtree_search::bandit::Ties;
use fogtree_search::bs_mcts::{self, Guess, Keys, Order, Predict, Prior, Variant, View};
use fogtree_search::exact::alpha_beta;
use fogtree_search::exact::minimax::Settings;
use fogtree_search::exact::star_minimax::{self, Opponents};
use fogtree_search::info_tree::{self, Opponent};
use fogtree_search::is_mcts::{self, Play, Recall, Selection, Smooth};
use fogtree_search::ismcts::{self, Observers, Select, Together};
use fogtree_search::learn::{BadEnhance, Enhance};
use fogtree_search::multi_tree::{self, Bound, Counted, Inference, Outside, Rule, Trees, Way};
use fogtree_search::oos::{self, Aim, Expansion, Weights};
use fogtree_search::plans::{self, Method as Planning, Replan, Rhea, Rivals, Tbets};
use fogtree_search::sm_mcts::{self, Average, Expand, Leaf, Mcts, Method, Progress, Propagate};
use fogtree_search::tiigr::{self, Confidence, Number, Outlook, Repeated};
use fogtree_search::uct::{self, Joint, Log, Others, Preload};
use fogtree_search::{Division, Final, ModelKind, Narrow, Prune, Vote, Widen};

use super::{Belief, Family, Inferring, Offers, OneView, Solving};

pub(super) const VOTES: [(&str, Vote); 5] = [
    ("majority", Vote::Majority),
    ("weighted-majority", Vote::WeightedMajority),
    ("sum-of-scores", Vote::SumOfScores),
    ("averaged-rewards", Vote::AveragedRewards),
    ("summed-visits", Vote::SummedVisits),
];

pub(super) fn settings(params: &Params) -> Result<Settings, BadSpec> {
    Ok(Settings {
        epsilon: params.number("epsilon", 0.0..=1.0)?,
        nodes: params.number("nodes", 1..=1_000_000_000_000)?,
    })
}

pub(super) fn star_minimax(params: &Params) -> Result<(Family, Budget), BadSpec> {
    let settings = star_minimax::Settings {
        opponents: params
            .choice("others", &[("hostile", Opponents::Hostile), ("random", Opponents::Random)])?,
        depth: params.number("depth", 1..=1000)?,
        nodes: params.number("nodes", 1..=1_000_000_000_000)?,
    };
    let (time, turn) = time(params)?;
    Ok((Family::StarMinimax(settings), Budget { time, turn, ..Budget::default() }))
}

fn joint(params: &Params) -> Result<Joint, BadSpec> {
    params.choice("together", &[("sequence", Joint::Sequence), ("decoupled", Joint::Decoupled)])
}

pub(super) fn belief(params: &Params) -> Result<Belief, BadSpec> {
    let models = [
        ("none", None),
        ("minimax", Some(ModelKind::Minimax)),
        ("pimc-minimax", Some(ModelKind::PimcMinimax)),
        ("is-expectimax", Some(ModelKind::IsExpectimax)),
    ];
    Ok(Belief {
        model: params.choice("model", &models)?,
        samples: params.number("samples", 1..=1_000_000)?,
        candidates: params.number("candidates", 1..=100_000_000)?,
    })
}

/// How worlds are searched and how they vote.
pub(super) fn solving(params: &Params, offers: &Offers) -> Result<(Solving, Vote), BadSpec> {
    let uct = Solving::Uct(uct_in_worlds(params, offers)?);
    let minimax = Solving::Minimax(settings(params)?);
    let selective = Solving::AlphaBeta(alpha_beta::Settings {
        turns: params.number("turns", 1..=1000)?,
        nodes: params.number("nodes", 1..=1_000_000_000_000)?,
        evaluation: evaluation(params, offers)?,
        open: params.flag("open")?,
    });
    let searches = [("uct", uct), ("minimax", minimax), ("alpha-beta", selective)];
    let solving = params.choice("search", &searches)?;
    let vote = match (params.text("vote"), solving) {
        ("auto", Solving::Uct(_)) => Vote::SummedVisits,
        ("auto", Solving::Minimax(_) | Solving::AlphaBeta(_)) => Vote::WeightedMajority,
        ("summed-visits", Solving::Minimax(_)) => {
            return Err(params.bad("vote", "another rule: minimax visits every move once"));
        }
        _ => params
            .choice("vote", &[("auto", Vote::SummedVisits)].into_iter().chain(VOTES).collect::<Vec<_>>())?,
    };
    Ok((solving, vote))
}

/// The worlds and the iterations in each; under a limit of time as many worlds as fit.
pub(super) fn division(params: &Params) -> Result<(Division, Budget), BadSpec> {
    let budget = Budget { iterations: None, ..budget(params)? };
    let timed = budget.time.or(budget.turn).is_some();
    let unlimited = timed && !params.is_given("determinizations");
    let determinizations = params.number("determinizations", 1..=1_000_000_000)?;
    let iterations = params.number("iterations", 1..=1_000_000_000_000)?;
    Ok((Division { determinizations: (!unlimited).then_some(determinizations), iterations }, budget))
}

/// TIIGR and its clock: iterations are those in each state, and without a limit if only a time is given.
pub(super) fn tiigr(params: &Params) -> Result<(Family, Budget), BadSpec> {
    let Budget { iterations, time, turn, .. } = budget(params)?;
    if turn.is_some() {
        return Err(params.bad("time", "a time for each decision, as in 500ms"));
    }
    let number = match (params.text("per-state"), params.text("states")) {
        ("none", "all") => Number::All,
        ("none", _) => Number::Fixed(params.number("states", 1..=1_000_000)?),
        (each, _) => {
            let each = time_from_text(each).ok_or_else(|| params.bad("per-state", "a time such as 100ms"))?;
            if time.is_none() {
                return Err(
                    params.bad("per-state", "none, or a time for the whole decision as well (time=...)")
                );
            }
            Number::Clocked(each)
        }
    };
    let outlooks = [("overconfident", Outlook::Overconfident), ("paranoid", Outlook::Paranoid)];
    let votes =
        [("mean", Confidence::Mean), ("plurality", Confidence::Plurality), ("highest", Confidence::Highest)];
    let settings = tiigr::Settings {
        c: params.number("c", 0.0..=1000.0)?,
        number,
        iterations,
        outlook: params.choice("outlook", &outlooks)?,
        confidence: params.choice("vote", &votes)?,
        repeated: params.choice("repeated", &[("merged", Repeated::Merged), ("kept", Repeated::Kept)])?,
        most: params.number("most", 1..=100_000_000)?,
        memory: memory(params)?,
        joint: joint(params)?,
    };
    Ok((Family::Tiigr(settings), Budget { time, ..Budget::default() }))
}

/// The bytes that the key `memory` grants in MiB.
fn memory(params: &Params) -> Result<usize, BadSpec> {
    Ok(params.number::<usize>("memory", 1..=1 << 20)? << 20)
}

/// One of the game's policies, by place; `uniform` is random play in every game.
pub(super) fn policy(key: &str, params: &Params, offers: &Offers) -> Result<Option<usize>, BadSpec> {
    let name = params.text(key);
    let policies = offers.policies;
    match Policy::find(policies, name) {
        _ if name == "uniform" => Ok(None),
        Some(place) => Ok(Some(place)),
        None => {
            let others = policies.iter().map(|p| p.name).filter(|name| *name != "uniform");
            let names: Vec<&str> = std::iter::once("uniform").chain(others).collect();
            Err(params.bad(key, format!("a policy of the game: {}", names.join(", "))))
        }
    }
}

/// How games are played out.
pub(super) fn simulation(params: &Params, offers: &Offers) -> Result<Simulation, BadSpec> {
    let bad = || params.bad("cutoff", "none, steps as in 40, or turns as in 2t");
    let horizon = match params.text("cutoff") {
        "none" => None,
        text => Some(match text.strip_suffix('t') {
            Some(turns) => Horizon::Turns(turns.parse().map_err(|_| bad())?),
            None => Horizon::Steps(text.parse().map_err(|_| bad())?),
        }),
    };
    Ok(Simulation {
        policy: policy("playout", params, offers)?,
        horizon,
        evaluation: evaluation(params, offers)?,
    })
}

/// Which moves are looked at.
fn narrow(params: &Params) -> Result<Narrow, BadSpec> {
    let prune =
        match params.text("prune") {
            "none" => Prune::Nothing,
            "promising" => Prune::Promising,
            text => Prune::Best(text.parse().ok().filter(|most| *most > 0).ok_or_else(|| {
                params.bad("prune", "none, promising, or how many moves are kept, as in 20")
            })?),
        };
    Ok(Narrow { prune, widen: widen(params)? })
}

/// How many moves are looked at, and when.
fn widen(params: &Params) -> Result<Widen, BadSpec> {
    Ok(match params.text("widen") {
        "none" => Widen::Off,
        "m3" => Widen::M3,
        text => {
            let numbers = text.split_once(':').and_then(|(a, b)| Some((a.parse().ok()?, b.parse().ok()?)));
            let fit =
                |&(after, factor): &(f64, f64)| after > 0.0 && after < 1e9 && factor > 1.0 && factor < 1e9;
            let (after, factor) = numbers
                .filter(fit)
                .ok_or_else(|| params.bad("widen", "none, m3, or visits and factor as in 40:1.4"))?;
            Widen::Log { after, factor }
        }
    })
}

/// Which move is played.
fn last(params: &Params) -> Result<Final, BadSpec> {
    let soft = |text: &str| text.strip_prefix("soft:").and_then(|t| t.parse().ok());
    match params.text("final") {
        "visits" => Ok(Final::Visits),
        "mean" => Ok(Final::Mean),
        text => match soft(text).filter(|t| (0.01..=100.0).contains(t)) {
            Some(temperature) => Ok(Final::Soft(temperature)),
            None => Err(params.bad("final", "visits, mean or a temperature from 0.01 to 100 as in soft:0.5")),
        },
    }
}

pub(super) fn uct_settings(params: &Params, offers: &Offers) -> Result<uct::Settings, BadSpec> {
    let settings = uct::Settings {
        memory: memory(params)?,
        solve: params.flag("solve")?,
        ..uct_in_worlds(params, offers)?
    };
    match settings {
        _ if !settings.solve => Ok(settings),
        uct::Settings { joint: Joint::Decoupled, .. } => {
            Err(params.bad("solve", "no, if together=decoupled"))
        }
        uct::Settings { others: Others::Searcher, .. } => Err(params.bad("solve", "no, if others=searcher")),
        _ => Ok(settings),
    }
}

/// UCT as it searches one world of several.
pub(super) fn uct_in_worlds(params: &Params, offers: &Offers) -> Result<uct::Settings, BadSpec> {
    Ok(uct::Settings {
        c: params.number("c", 0.0..=1000.0)?,
        simulation: simulation(params, offers)?,
        narrow: narrow(params)?,
        patience: params.number("expand-after", 0..=1_000_000)?,
        log: params.choice("log", &[("node", Log::Node), ("total", Log::Total)])?,
        joint: joint(params)?,
        others: params.choice("others", &[("own", Others::Own), ("searcher", Others::Searcher)])?,
        last: last(params)?,
        preload: preload(params, offers)?,
        open: params.flag("open")?,
        ..uct::Settings::USUAL
    })
}

/// One of the game's evaluations, by place; `own` is what the game itself says.
fn evaluation(params: &Params, offers: &Offers) -> Result<Option<usize>, BadSpec> {
    named_evaluation("evaluation", &[], params, offers)
}

/// The same under another key, which may also have other values.
fn named_evaluation(
    key: &str,
    others: &[&str],
    params: &Params,
    offers: &Offers,
) -> Result<Option<usize>, BadSpec> {
    let name = params.text(key);
    let found = Policy::find(offers.evaluations, name);
    if name == "own" || found.is_some() {
        return Ok(found);
    }
    let all = others.iter().copied().chain(["own"]).chain(offers.evaluations.iter().map(|e| e.name));
    let names: Vec<&str> = all.collect();
    Err(params.bad(key, format!("an evaluation of the game: {}", names.join(", "))))
}

/// What moves begin with.
fn preload(params: &Params, offers: &Offers) -> Result<Preload, BadSpec> {
    Ok(match params.text("preload") {
        "none" => Preload::Nothing,
        "promise" => Preload::Promise,
        _ => Preload::Evaluation(named_evaluation("preload", &["none", "promise"], params, offers)?),
    })
}

/// What an agent that plans turns is asked for.
pub(super) fn plans_settings(
    name: &str,
    params: &Params,
    offers: &Offers,
) -> Result<plans::Settings, BadSpec> {
    let share = |key| params.number(key, 0.0..=1.0);
    let simulation = simulation(params, offers)?;
    let method = match name {
        "m3lee" => Planning::Rivals(Rivals {
            uct: uct::Settings {
                c: params.number("c", 0.0..=1000.0)?,
                narrow: Narrow { widen: widen(params)?, ..Narrow::OFF },
                simulation: Simulation { horizon: None, ..simulation },
                open: params.flag("open")?,
                ..Rivals::M3LEE.uct
            },
            per_plan: params.number("tree", 1..=1_000_000)?,
            worlds: params.number("worlds", 1..=100_000)?,
            judges: params.number("judges", 1..=1_000_000)?,
        }),
        "rhea" => {
            let population = params.number("population", 2..=1_000_000)?;
            Planning::Rhea(Rhea {
                population,
                mutation: share("mutation")?,
                crossover: share("crossover")?,
                tournament: params.number("tournament", 1..=1_000_000)?,
                elite: params.number("elite", 1..=population - 1)?,
            })
        }
        "tbets" => Planning::Tbets(Tbets {
            initial: params.number("initial", 1..=1_000_000)?,
            answers: params.number("answers", 1..=1_000_000)?,
            mutations: share("mutations")?,
            rate: share("mutation")?,
            c: params.number("c", 0.0..=1000.0)?,
        }),
        _ => Planning::Drawn,
    };
    Ok(plans::Settings {
        method,
        policy: policy("plan", params, offers)?,
        playouts: params.number("playouts", 1..=1_000_000)?,
        simulation,
        replan: params.choice("replan", &[("surprised", Replan::Surprised), ("always", Replan::Always)])?,
    })
}

pub(super) fn ismcts_config(
    observers: Observers,
    reuse: bool,
    params: &Params,
    offers: &Offers,
) -> Result<ismcts::Config, BadSpec> {
    let bounds = [("ucb1", Select::Ucb1), ("ucb1-tuned", Select::Tuned)];
    let enhance = match observers {
        Observers::Acting => Enhance::BASE,
        _ => params.text("enhance").parse().map_err(|e: BadEnhance| {
            params.bad("enhance", format!("what to learn, as in mast or rave>epic+lgrf ({e})"))
        })?,
    };
    if observers == Observers::Partial && !enhance.leaves_tree() {
        return Err(params.bad("enhance", "what is used below the tree only"));
    }
    let simulation = simulation(params, offers)?;
    if simulation != Simulation::UNIFORM && !enhance.is_base() {
        return Err(params.bad("playout", "uniform, without a cutoff, if playouts are learnt from"));
    }
    let narrow = match observers {
        Observers::Single | Observers::Multiple => narrow(params)?,
        Observers::Partial | Observers::Acting => Narrow::OFF,
    };
    Ok(ismcts::Config {
        simulation,
        narrow,
        last: last(params)?,
        observers,
        select: match observers {
            Observers::Single | Observers::Multiple => params.choice("select", &bounds)?,
            Observers::Partial | Observers::Acting => Select::Ucb1,
        },
        enhance,
        c: params.number("c", 0.0..=1000.0)?,
        together: params.choice("together", &[("exp3", Together::Exp3), ("ucb1", Together::Ucb1)])?,
        reuse,
        memory: memory(params)?,
        threads: params.number("threads", 1..=256)?,
    })
}

/// What an agent that infers and bluffs is asked for.
pub(super) fn inferring(params: &Params) -> Result<Inferring, BadSpec> {
    let c = params.number("c", 0.0..=1000.0)?;
    let particles = Rule::Particles { boost: params.number("boost", 0.01..=1000.0)? };
    let bayes = Rule::Bayes { m: params.number("m", 0.001..=1e9)? };
    let inference = Inference {
        rule: params.choice("rule", &[("particles", particles), ("bayes", bayes)])?,
        revive: params.number("revive", 0.0..=1.0)?,
        on_reveal: params.choice("reveal", &ON_OFF)?,
        from_self: params.choice("from-self", &ON_OFF)?,
        counted: params.choice("counted", &[("present", Counted::Present), ("root", Counted::AtRoot)])?,
    };
    let ways = [
        ("true", Way::True),
        ("pure", Way::Pure),
        ("split", Way::Split),
        ("two-step", Way::TwoStep),
        ("bluffing", Way::Bluffing),
    ];
    let way = params.choice("self", &ways)?;
    let trees = params.choice("trees", &[("secret", Trees::PerSecret), ("player", Trees::PerPlayer)])?;
    if way.looks_outside() && trees == Trees::PerPlayer {
        return Err(params.bad("trees", format!("secret, which self={} needs", params.text("self"))));
    }
    let selections = [
        ("ucb1-tuned", multi_tree::Selection::Greatest(Bound::Ucb1Tuned)),
        ("ucb1", multi_tree::Selection::Greatest(Bound::Ucb1(c))),
        ("smooth", multi_tree::Selection::Smooth(smooth(params, c)?)),
    ];
    let last = last(params)?;
    if way == Way::Bluffing && last != Final::Visits {
        return Err(params.bad("final", "visits, if self=bluffing, which has a rule of its own"));
    }
    let infer = params.choice("infer", &[("auto", None), ("on", Some(true)), ("off", Some(false))])?;
    let settings = multi_tree::Settings {
        trees,
        select: params.choice("select", &selections)?,
        together: params.choice("together", &[("exp3", Together::Exp3), ("bound", Together::Ucb1)])?,
        inference: Some(inference).filter(|_| infer != Some(false)),
        way,
        split: params.number("split", 0.0..=1.0)?,
        outside: params.choice("outside", &[("alone", Outside::Alone), ("merged", Outside::Merged)])?,
        last,
        memory: memory(params)?,
    };
    Ok(Inferring { settings, needs_hidden_part: infer == Some(true) || way.looks_outside() })
}

const ON_OFF: [(&str, bool); 2] = [("on", true), ("off", false)];

/// What a BS-MCTS agent is asked for: what is `auto` is as usual for the variant.
pub(super) fn bs_mcts_settings(params: &Params, offers: &Offers) -> Result<bs_mcts::Settings, BadSpec> {
    let variants =
        [("corrected", Variant::Corrected), ("original", Variant::Original), ("literal", Variant::Literal)];
    let usual = bs_mcts::Settings::of(params.choice("variant", &variants)?);
    let keys = [
        ("auto", usual.keys),
        ("action", Keys::Action),
        ("observation", Keys::Observation),
        ("observer", Keys::Observer),
    ];
    let orders = [("auto", usual.order), ("one-by-one", Order::OneByOne), ("in-turn", Order::InTurn)];
    let priors = [("auto", usual.guess.prior), ("exponent", Prior::Exponent), ("factor", Prior::Factor)];
    let view = params.choice("opponent", &[("own", View::Own), ("searcher", View::Searcher)])?;
    let predict = match params.text("predict") {
        "bound" => Predict::Bound,
        _ => Predict::Softmax { lambda: params.number("predict", 0.0..=1e6)?, view },
    };
    if predict == Predict::Bound && view == View::Searcher {
        return Err(params.bad("opponent", "own, which predict=bound needs"));
    }
    Ok(bs_mcts::Settings {
        c: params.number("c", 0.0..=1000.0)?,
        worlds: params.number("worlds", 1..=1_000_000)?,
        keys: params.choice("keys", &keys)?,
        order: params.choice("order", &orders)?,
        guess: Guess {
            lambda: params.number("guess", -500.0..=500.0)?,
            prior: params.choice("prior", &priors)?,
        },
        predict,
        simulation: simulation(params, offers)?,
        play: params.choice("play", &[("value", bs_mcts::Play::Value), ("visits", bs_mcts::Play::Visits)])?,
        memory: memory(params)?,
        ..usual
    })
}

/// How much a player follows its average play.
fn smooth(params: &Params, c: f64) -> Result<Smooth, BadSpec> {
    Ok(Smooth {
        c,
        gamma: params.number("gamma", 0.0..=1.0)?,
        eta: params.number("eta", 0.0..=1.0)?,
        d: params.number("d", 0.0..=1e6)?,
    })
}

/// What an IS-MCTS agent is asked for.
pub(super) fn is_mcts_settings(
    name: &str,
    params: &Params,
    offers: &Offers,
) -> Result<is_mcts::Settings, BadSpec> {
    let c = params.number("c", 0.0..=1000.0)?;
    let selection = if name == "smooth-uct" {
        Selection::Smooth(smooth(params, c)?)
    } else {
        let gamma = params.number("gamma", 0.000_001..=1.0)?;
        let choices = [
            ("uct", Selection::Uct { c }),
            ("ruct", Selection::Ruct { c, tau: params.number("tau", 0.0..=1.0)? }),
            ("exp3", Selection::Exp3 { gamma }),
            ("rm", Selection::Rm { gamma }),
        ];
        params.choice("selection", &choices)?
    };
    let play = params.choice("play", &[("max", Play::Max), ("mix", Play::Mix)])?;
    let mut settings = is_mcts::Settings {
        selection,
        beliefs: params.flag("beliefs")?,
        play,
        ..is_mcts::Settings::default()
    };
    if name == "is-mcts" {
        let recalls = [("perfect", Recall::Perfect), ("abstract", Recall::Abstract)];
        settings.recall = params.choice("recall", &recalls)?;
        settings.playout.policy = policy("playout", params, offers)?;
        settings.playout.cutoff = match params.text("cutoff") {
            "none" => None,
            _ => Some(params.number("cutoff", 1..=1_000_000)?),
        };
    }
    Ok(settings)
}

/// The name of something that games have, unless it is the one that stands for none of them.
pub(super) fn named(params: &Params, key: &str, none: &str) -> Option<String> {
    Some(params.text(key)).filter(|name| *name != none).map(str::to_string)
}

/// What a search on one player's information sets is asked for.
pub(super) fn info_tree(name: &str, params: &Params) -> Result<OneView, BadSpec> {
    let opponents = [("paranoid", Opponent::Paranoid), ("overconfident", Opponent::Overconfident)];
    let opponent = params.choice("opponent", &opponents)?;
    let evaluation = named(params, "evaluation", "auto");
    Ok(if name == "ist-minimax" {
        let method = info_tree::Method::Minimax { least: params.number("depth", 1..=1000)? };
        OneView {
            settings: info_tree::Settings { method, opponent, evaluation: 0 },
            evaluation,
            simulation: None,
        }
    } else {
        let (c, depth) = (params.number("c", 0.0..=1e6)?, params.number("horizon", 0..=10_000)?);
        let simulation = named(params, "simulation", "none");
        let leaf = match simulation {
            None => info_tree::Leaf::Evaluate,
            Some(_) => info_tree::Leaf::Simulate { which: 0, depth },
        };
        let method = info_tree::Method::Uct { c, leaf };
        OneView { settings: info_tree::Settings { method, opponent, evaluation: 0 }, evaluation, simulation }
    })
}

/// What an OOS agent is asked for.
pub(super) fn oos_settings(params: &Params) -> Result<oos::Settings, BadSpec> {
    let share = |name| params.number(name, 0.0..=1.0);
    let aims = [("infoset", Aim::InformationSet), ("public", Aim::PublicState), ("none", Aim::Nothing)];
    let weights = [("corrected", Weights::Corrected), ("printed", Weights::Printed), ("half", Weights::Half)];
    Ok(oos::Settings {
        gamma: share("gamma")?,
        delta: share("delta")?,
        epsilon: share("epsilon")?,
        aim: params.choice("target", &aims)?,
        reweight: params.flag("reweight")?,
        play: params.choice("play", &[("average", oos::Play::Average), ("current", oos::Play::Current)])?,
        weights: params.choice("weights", &weights)?,
        expansion: params.choice("expand", &[("one", Expansion::One), ("all", Expansion::All)])?,
        memory: memory(params)?,
    })
}

/// What a search of simultaneous moves is asked for beside its method.
fn sm_settings(method: Method, params: &Params) -> Result<sm_mcts::Settings, BadSpec> {
    let leaves = [("rollout", Leaf::Rollout), ("evaluation", Leaf::Evaluation)];
    Ok(sm_mcts::Settings {
        method,
        leaf: params.choice("leaf", &leaves)?,
        play: params.choice("play", &[("max", Play::Max), ("mix", Play::Mix)])?,
        memory: memory(params)?,
    })
}

/// What an SM-MCTS agent is asked for.
pub(super) fn sm_mcts_settings(params: &Params) -> Result<sm_mcts::Settings, BadSpec> {
    let gamma = params.number("gamma", 0.000_001..=1.0)?;
    let unvisited = params.number("unvisited", 0.0..=1.0)?;
    let c = params.number("c", 0.0..=1000.0)?;
    let ties = Ties::Random(params.number("tau", 0.0..=1.0)?);
    let selections = [
        ("duct", sm_mcts::Selection::Duct { c, ties }),
        ("exp3", sm_mcts::Selection::Exp3 { gamma }),
        ("drm", sm_mcts::Selection::Drm { gamma }),
        ("rm", sm_mcts::Selection::Rm { gamma, unvisited }),
    ];
    let propagate =
        [("sample", Propagate::Sample), ("mean", Propagate::Mean), ("joint-mean", Propagate::JointMean)];
    let mcts = Mcts {
        selection: params.choice("select", &selections)?,
        forced: params.number("forced", 0.0..=0.999_999)?,
        propagate: params.choice("propagate", &propagate)?,
        expand: params.choice("expand", &[("choose", Expand::Choose), ("leave", Expand::Leave)])?,
        average: params.choice("average", &[("stripped", Average::Stripped), ("played", Average::Played)])?,
    };
    sm_settings(Method::Mcts(mcts), params)
}

/// What an SM-OOS agent is asked for.
pub(super) fn sm_oos_settings(params: &Params) -> Result<sm_mcts::Settings, BadSpec> {
    let oos = sm_mcts::Oos {
        gamma: params.number("gamma", 0.000_001..=1.0)?,
        weights: params
            .choice("weights", &[("path", sm_mcts::Weights::Path), ("local", sm_mcts::Weights::Local)])?,
        progress: params.choice("progress", &[("restart", Progress::Restart), ("reach", Progress::Reach)])?,
    };
    sm_settings(Method::Oos(oos), params)
}

/// The time that the key `time` gives to a decision, or to a turn.
fn time(params: &Params) -> Result<(Option<Duration>, Option<Duration>), BadSpec> {
    let read = |text| {
        time_from_text(text).ok_or_else(|| params.bad("time", "a time such as 500ms, 1s, 2m or 10s/turn"))
    };
    let text = params.text("time");
    Ok(match text.strip_suffix("/turn") {
        _ if text == "none" => (None, None),
        Some(text) => (None, Some(read(text)?)),
        None => (Some(read(text)?), None),
    })
}

/// The budget that the keys `iterations` and `time` describe.
pub(super) fn budget(params: &Params) -> Result<Budget, BadSpec> {
    let (time, turn) = time(params)?;
    let unlimited = (time.is_some() || turn.is_some()) && !params.is_given("iterations");
    let iterations = if unlimited { None } else { Some(params.number("iterations", 1..=1_000_000_000_000)?) };
    Ok(Budget { iterations, time, turn, ..Budget::default() })
}

/// A time such as `500ms`, `1.5s` or `2m`, up to a day.
pub fn time_from_text(text: &str) -> Option<Duration> {
    let (number, unit) = text.split_at(text.find(|c: char| c.is_ascii_alphabetic())?);
    let scale = match unit {
        "ms" => 0.001,
        "s" => 1.0,
        "m" => 60.0,
        _ => return None,
    };
    let seconds = number.parse::<f64>().ok()? * scale;
    (seconds > 0.0 && seconds <= 86_400.0).then(|| Duration::from_secs_f64(seconds))
}

//! Parameters that several agents take, and how they are read.

use fogtree_core::spec::time_from_text;
use fogtree_core::{Asked, BadSpec, Budget, Domain, Horizon, Param, Params, Policy, Simulation};

use super::final_move::Final;
use super::narrow::{Narrow, Prune, Widen};

/// Agents for games with hidden information or simultaneous moves.
pub const GENERAL: &[&str] = &["mo-ismcts", "pimc", "flat-mc"];

/// Numbers of iterations, and of whatever else there may be very many of.
pub const COUNT: Domain = Domain::Integer(1, 1_000_000_000_000);
/// Numbers of worlds, plans and the like.
pub const MILLION: Domain = Domain::Integer(1, 1_000_000);
/// Probabilities, and shares of something.
pub const SHARE: Domain = Domain::Real(0.0, 1.0);

/// Playouts per decision.
pub const ITERATIONS: Param = Param::new(
    "iterations",
    "10000",
    COUNT,
    "playouts per decision; without a limit if only a time is given",
);
/// Time per decision or per turn.
pub const TIME: Param = Param::new(
    "time",
    "none",
    Domain::Time,
    "time per decision, as in 500ms or 1s, or 10s/turn for all choices of a turn together; results are then \
     not reproducible",
);
/// The exploration constant.
pub const C: Param =
    Param::new("c", "0.7", Domain::Real(0.0, 1000.0), "exploration constant, for rewards in [0, 1]");
/// The most memory for trees.
pub const MEMORY: Param = Param::new(
    "memory",
    "1024",
    Domain::Integer(1, 1 << 20),
    "MiB for the trees; beyond them the search goes on without growing",
);
/// States of an exact search.
pub const NODES: Param = Param::new(
    "nodes",
    "1000000",
    COUNT,
    "states an exact search may look into per decision; beyond these it guesses",
);
/// By how much minimax counts the mean of all moves.
pub const EPSILON: Param = Param::new(
    "epsilon",
    "0.001",
    SHARE,
    "by how much minimax counts the mean of all moves, so that of equal moves it plays the one after \
     which the other may err; for rewards in [-1, 1]",
);
/// How games are played out.
pub const PLAYOUT: Param = Param::new(
    "playout",
    "uniform",
    Domain::Text,
    "how games are played out: uniform, or a policy of the game such as attack",
);
/// Where playouts end.
pub const CUTOFF: Param = Param::new(
    "cutoff",
    "none",
    Domain::Text,
    "after how many steps (as in 40) or turns (as in 2t) a playout ends with the game's evaluation",
);
/// What judges where playouts are cut off.
pub const EVALUATION: Param = Param::new(
    "evaluation",
    "own",
    Domain::Text,
    "what judges where playouts are cut off: the game's own opinion, or one of its evaluations by name",
);
/// Progressive widening.
pub const WIDEN: Param = Param::new(
    "widen",
    "none",
    Domain::Text,
    "progressive widening: none, 40:1.4 (two moves, one more after 40 visits and after every 1.4 times as \
     many) or m3 (as in that program); promising moves first",
);
/// Moves left out.
pub const PRUNE: Param = Param::new(
    "prune",
    "none",
    Domain::Text,
    "moves left out: none, promising (all but the promising, where there are any) or how many are kept",
);
/// Which move is played.
pub const FINAL: Param = Param::new(
    "final",
    "visits",
    Domain::Text,
    "which move is played: that with most visits, that with the best mean, or soft:0.5, any in proportion to \
     visits^(1/0.5), which is weaker and less predictable the greater the number",
);
/// Whether worlds are searched with everything open.
pub const OPEN: Param = Param::new(
    "open",
    "no",
    Domain::Flag,
    "whether a world is searched with everything open to everybody, in games that can be: yes or no",
);
/// Inference beside an agent that draws worlds: [`WithInference`](crate::WithInference) is put around every agent
/// that takes this.
pub const INFER: Param = Param::new(
    "infer",
    "off",
    Domain::Or("off", &COUNT),
    "worlds drawn as the others' moves suggest, in games with a hidden part: how many iterations \
     mt-mo-ismcts makes beside each decision to infer it, on top of the other playouts and in a quarter \
     of the time at most; or off",
);

/// The iterations of the search beside the agent that infers, if the agent can have one and it is asked for.
pub fn infer(params: &Params) -> Result<Option<u64>, BadSpec> {
    if !params.of().params.iter().any(|p| p.name == INFER.name && p.domain == INFER.domain) {
        return Ok(None);
    }
    let expected = "off, or how many iterations the search has that infers";
    params.number_unless("infer").map_err(|_| params.bad("infer", expected))
}

/// Refuses inference beside an agent that has no use for it, for a reason.
pub(crate) fn without_inference(params: &Params, why: &str) -> Result<(), BadSpec> {
    if infer(params)?.is_some() { Err(params.bad("infer", format!("off, {why}"))) } else { Ok(()) }
}

/// The budget that the keys `iterations` and `time` describe.
pub fn budget(params: &Params) -> Result<Budget, BadSpec> {
    let timed = time(params)?;
    let unlimited = (timed.time.is_some() || timed.turn.is_some()) && !params.is_given("iterations");
    let iterations = if unlimited { None } else { Some(params.number("iterations")?) };
    Ok(Budget { iterations, ..timed })
}

/// The time that the key `time` gives to a decision, or to a turn.
pub(crate) fn time(params: &Params) -> Result<Budget, BadSpec> {
    let read = |text| {
        let time = time_from_text(text);
        time.map(Some).ok_or_else(|| params.bad("time", "a time such as 500ms, 1s, 2m, 1h or 10s/turn"))
    };
    let text = params.text("time");
    let (time, turn) = match text.strip_suffix("/turn") {
        _ if text == "none" => (None, None),
        Some(text) => (None, read(text)?),
        None => (read(text)?, None),
    };
    Ok(Budget { time, turn, ..Budget::default() })
}

/// The bytes that the key `memory` grants in MiB.
pub(crate) fn memory(params: &Params) -> Result<usize, BadSpec> {
    Ok(params.number::<usize>("memory")? << 20)
}

/// One of the game's policies, by place; `uniform` is random play in every game.
pub(crate) fn policy(key: &str, asked: &Asked<'_>) -> Result<Option<usize>, BadSpec> {
    let name = asked.params.text(key);
    let policies = asked.game.policies();
    match Policy::find(policies, name) {
        _ if name == "uniform" => Ok(None),
        Some(place) => Ok(Some(place)),
        None => {
            let others = policies.iter().map(|p| p.name).filter(|name| *name != "uniform");
            let names: Vec<&str> = std::iter::once("uniform").chain(others).collect();
            Err(asked.params.bad(key, format!("a policy of the game: {}", names.join(", "))))
        }
    }
}

/// One of the game's evaluations, by place; `own` is what the game itself says.
pub(crate) fn evaluation(asked: &Asked<'_>) -> Result<Option<usize>, BadSpec> {
    named_evaluation("evaluation", &[], asked)
}

/// The same under another key, which may also have other values.
pub(crate) fn named_evaluation(
    key: &str,
    others: &[&str],
    asked: &Asked<'_>,
) -> Result<Option<usize>, BadSpec> {
    let (name, evaluations) = (asked.params.text(key), asked.game.evaluations());
    let found = Policy::find(evaluations, name);
    if name == "own" || found.is_some() {
        return Ok(found);
    }
    let all = others.iter().copied().chain(["own"]).chain(evaluations.iter().map(|e| e.name));
    let names: Vec<&str> = all.collect();
    Err(asked.params.bad(key, format!("an evaluation of the game: {}", names.join(", "))))
}

/// How games are played out.
pub(crate) fn simulation(asked: &Asked<'_>) -> Result<Simulation, BadSpec> {
    let bad = || asked.params.bad("cutoff", "none, steps as in 40, or turns as in 2t");
    let horizon = match asked.params.text("cutoff") {
        "none" => None,
        text => Some(match text.strip_suffix('t') {
            Some(turns) => Horizon::Turns(turns.parse().map_err(|_| bad())?),
            None => Horizon::Steps(text.parse().map_err(|_| bad())?),
        }),
    };
    Ok(Simulation { policy: policy("playout", asked)?, horizon, evaluation: evaluation(asked)? })
}

/// Which moves are looked at.
pub(crate) fn narrow(params: &Params) -> Result<Narrow, BadSpec> {
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
pub(crate) fn widen(params: &Params) -> Result<Widen, BadSpec> {
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
pub(crate) fn last(params: &Params) -> Result<Final, BadSpec> {
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

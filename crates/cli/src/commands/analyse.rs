//! `fogtree analyse`: one decision explained.

mod tree;

use std::io::IsTerminal;

use fogtree_core::{
    BeliefReport, Decision, Explain, LineStep, Observer, Player, Progress, Report, Seed, TreeLimits, Turn,
    Watch,
};
use fogtree_table::{AnyGame, AnyTable, Registry};
use serde_json::{Map, Value, json};

use super::position::{after_moves, read_record};
use crate::arguments::Analyse;
use crate::failure::Failure;
use crate::output::{count, emit, emit_line, quantity, show_live, table};
use tree::{Origin, TreeFile};

/// Asks an agent for its decision in a position and shows how it came about.
pub(crate) fn run(registry: &Registry, arguments: &Analyse, json: bool) -> Result<(), Failure> {
    let (spec, game, position, drawn) = position(registry, arguments)?;
    let players = position.turn().players();
    let nobody = || {
        Failure::Input(match position.turn() {
            Turn::Terminal => "nobody decides in this position: the game is over".into(),
            _ => "it is chance's turn in this position; give what it draws, too, or --seed to let it draw"
                .into(),
        })
    };
    let first = players.iter().next().ok_or_else(nobody)?;
    let seat = arguments.seat.map_or(first, Player);
    if !players.contains(seat) {
        return Err(Failure::Input(format!("player {seat} is not to move in this position")));
    }
    let agent = arguments.agent.clone().unwrap_or_else(|| super::play::default_agent(&*game).to_string());
    let mut agent = registry.agent(&agent, &*game)?;
    let limits = TreeLimits { depth: arguments.tree_depth, visits: arguments.tree_visits };
    let file = arguments.tree.as_deref().map(|path| TreeFile::new(path, limits, arguments.tree_top));
    let file = file.transpose()?;
    agent.budget.explain = Some(Explain { tree: file.as_ref().map(|f| f.limits) });
    let info = position.infoset(seat);
    let names = info.legal_names();
    let live = std::io::stderr().is_terminal();
    if live {
        let names = names.clone();
        agent.budget.watch = Some(Watch::new(move |progress| show_live(&live_line(&names, seat, progress))));
    }
    agent.start(seat, Seed(arguments.seed.unwrap_or(1)));
    for event in position.events(seat) {
        agent.observe(event);
    }
    let decision = position.ask(seat, &mut agent);
    if live {
        show_live("");
    }
    let Decision { action, report: decision } = decision?;
    let chosen = game.model().move_name(action);
    if let Some(file) = file {
        if decision.trees.is_empty() {
            return Err(no_tree(&agent.spec, &names));
        }
        let origin = Origin { game: &spec, agent: &agent.spec, seat: seat.0 };
        file.write(&origin, decision.trees.clone())?;
    }
    if json {
        let mut value = report(&names, &chosen, &decision);
        value["game"] = json!(spec);
        value["agent"] = json!(agent.spec);
        value["cheating"] = json!(agent.cheats);
        value["seat"] = json!(seat);
        value["infoset"] = json!(info.key);
        value["seed"] = json!(drawn);
        return emit_line(&value.to_string());
    }
    let view = info.view();
    let drawn = drawn.map_or_else(String::new, |seed| format!("chance drew; again with --seed {seed}\n\n"));
    let cheats = if agent.cheats { " (cheating: it looks at the true state)" } else { "" };
    emit(&format!(
        "{drawn}player {seat} sees:\n{view}\n\n{}{cheats} plays {}\n\n{}",
        agent.spec,
        chosen,
        for_people(&names, seat, &decision)
    ))
}

/// The game and its specification, the position, and the seed that chance drew from if nobody gave one.
type Position = (String, Box<dyn AnyGame>, Box<dyn AnyTable>, Option<u64>);

fn position(registry: &Registry, arguments: &Analyse) -> Result<Position, Failure> {
    if let Some(path) = &arguments.record {
        let record = read_record(path, arguments.number)?;
        let game = registry.game(&record.header.game)?;
        let at = arguments.at.unwrap_or(0);
        if at >= record.steps.len() {
            return Err(Failure::Input(format!("--at {at}: the record has {} steps", record.steps.len())));
        }
        let table = game.replay(&record, at)?;
        return Ok((record.header.game, game, table, None));
    }
    let spec = arguments.game.clone().unwrap_or_default();
    let game = registry.game(&spec)?;
    let settled = arguments.seed.is_some() || !arguments.moves.trim().is_empty();
    let drawn = (!settled && game.table().turn() == Turn::Chance).then(|| Seed::unguessable().0);
    let table = after_moves(&*game, &arguments.moves, arguments.seed.or(drawn))?;
    Ok((spec, game, table, drawn))
}

fn no_tree(agent: &str, legal: &[String]) -> Failure {
    Failure::Input(match legal {
        [only] => format!("--tree: {only} is the only legal move, so nothing was searched"),
        _ => format!(
            "--tree: {agent} keeps no search tree that could be written; uct, cheating-uct, so-ismcts, \
             so-ismcts-pom, mo-ismcts, is-mcts, smooth-uct, sm-mcts and sm-oos do"
        ),
    })
}

/// How a search stands, in a line.
fn live_line(names: &[String], seat: Player, progress: &Progress) -> String {
    let visits: u64 = progress.moves.iter().map(|m| m.visits).sum();
    let best = names.iter().zip(&progress.moves).max_by_key(|(_, m)| m.visits);
    let best = best.filter(|(_, m)| m.visits > 0).map_or_else(String::new, |(name, m)| {
        let share = 100.0 * m.visits as f64 / visits as f64;
        let value = m.values.as_ref().map_or_else(String::new, |v| format!(", value {:.3}", v[seat]));
        format!("; {name} {share:.1} %{value}")
    });
    format!(
        "{:.1} s, {} iterations, {} nodes{best}",
        progress.time.as_secs_f64(),
        count(progress.iterations),
        count(progress.nodes)
    )
}

/// The share of all visits that each move has, where visits say what the search prefers.
fn shares(decision: &Report) -> Option<Vec<f64>> {
    let total: u64 = decision.moves.iter().map(|m| m.visits).sum();
    let sampled = decision.moves.iter().any(|m| m.margins.is_some());
    let differ = decision.moves.windows(2).any(|w| w[0].visits != w[1].visits);
    let share = |visits: u64| visits as f64 / total as f64;
    (total > 0 && (sampled || differ)).then(|| decision.moves.iter().map(|m| share(m.visits)).collect())
}

/// A number, if it is one of something that was there.
fn some(n: u64) -> Option<u64> {
    (n > 0).then_some(n)
}

/// Iterations per second, of searches whose iterations sample.
fn speed(decision: &Report) -> Option<f64> {
    let seconds = decision.time.as_secs_f64();
    shares(decision).filter(|_| seconds > 0.0).map(|_| decision.iterations as f64 / seconds)
}

/// A node of the textbook's tree, that is: where our nodes are decisions, every move tried counts as one.
fn bytes_per_node(decision: &Report) -> Option<f64> {
    let nodes = decision.tried.unwrap_or(decision.nodes);
    decision.bytes.filter(|_| nodes > 0).map(|bytes| bytes as f64 / nodes as f64)
}

/// A decision as JSON. What an agent does not know is null, or an empty list.
fn report(names: &[String], chosen: &str, decision: &Report) -> Value {
    let shares = shares(decision);
    let moves = names.iter().zip(&decision.moves).enumerate().map(|(i, (name, m))| {
        json!({
            "move": name,
            "visits": m.visits,
            "availability": m.availability,
            "share": shares.as_ref().map(|s| s[i]),
            "values": m.values,
            "margins": m.margins,
            "proven": m.proven,
        })
    });
    let step = |LineStep { by, name }: &LineStep| json!({"by": by, "name": name});
    json!({
        "move": chosen,
        "moves": moves.collect::<Vec<_>>(),
        "line": decision.line.iter().map(step).collect::<Vec<_>>(),
        "iterations": some(decision.iterations),
        "nodes": some(decision.nodes),
        "tried": decision.tried,
        "bytes": decision.bytes,
        "bytes_per_node": bytes_per_node(decision),
        "depth": some(decision.depth.into()),
        "mean_depth": decision.mean_depth,
        "profile": decision.profile,
        "seconds": decision.time.as_secs_f64(),
        "iterations_per_second": speed(decision),
        "beliefs": decision.beliefs.iter().map(belief).collect::<Vec<_>>(),
        "figures": decision.figures.iter().map(|(name, value)| (name.clone(), json!(value))).collect::<Map<_, _>>(),
        "remark": decision.remark,
    })
}

/// What somebody believes, as JSON.
fn belief(belief: &BeliefReport) -> Value {
    let value = |(name, probability): &(String, f64)| json!({"value": name, "probability": probability});
    json!({"of": observer(belief), "values": belief.values.iter().map(value).collect::<Vec<_>>()})
}

/// Who believes something.
fn observer(belief: &BeliefReport) -> String {
    match belief.of {
        Observer::Seat(seat) => format!("player {seat}"),
        Observer::Public => "an outsider".to_string(),
    }
}

fn for_people(names: &[String], seat: Player, decision: &Report) -> String {
    let remark = decision.remark.as_ref().map_or_else(String::new, |remark| format!("remark: {remark}\n"));
    if decision.moves.is_empty() || decision.iterations == 0 {
        return format!("nothing was searched\n{remark}");
    }
    let mut text = table_of_moves(names, seat, decision);
    let seconds = decision.time.as_secs_f64();
    text += &match speed(decision) {
        Some(speed) => {
            format!("\n{} iterations in {seconds:.3} s ({}/s), ", count(decision.iterations), quantity(speed))
        }
        None => format!("\n{seconds:.3} s, "),
    };
    text += &format!("{} nodes, ", count(decision.nodes));
    if let Some(tried) = decision.tried {
        text += &format!("{} moves tried, ", count(tried));
    }
    text += &format!("depth {}", decision.depth);
    if let Some(mean) = decision.mean_depth {
        text += &format!(", {mean:.2} on average");
    }
    if let (Some(bytes), Some(each)) = (decision.bytes, bytes_per_node(decision)) {
        text += &format!(
            "\n{} bytes, {each:.1} per {}",
            count(bytes),
            if decision.tried.is_some() { "move" } else { "node" }
        );
    }
    if !decision.profile.is_empty() {
        let nodes: Vec<String> = decision.profile.iter().map(|n| count(*n)).collect();
        text += &format!("\nnodes by depth: {}", nodes.join(", "));
    }
    if !decision.line.is_empty() {
        let step = |step: &LineStep| match step.by {
            Some(by) => format!("{by}:{}", step.name),
            None => format!("({})", step.name),
        };
        let line: Vec<String> = decision.line.iter().map(step).collect();
        text += &format!("\nprincipal variation: {}", line.join(" "));
    }
    for belief in &decision.beliefs {
        let likely = belief.values.iter().take(6).map(|(name, p)| format!("{name} {:.1} %", 100.0 * p));
        let more = if belief.values.len() > 6 { ", ..." } else { "" };
        text += &format!("\n{} believes: {}{more}", observer(belief), likely.collect::<Vec<_>>().join(", "));
    }
    if !decision.figures.is_empty() {
        let figures = decision.figures.iter().map(|(name, value)| format!("{name} {}", quantity(*value)));
        text += &format!("\nfigures: {}", figures.collect::<Vec<_>>().join(", "));
    }
    format!("{text}\n{remark}")
}

/// The moves, the most visited first. Columns of which nothing is known are left out.
pub(crate) fn table_of_moves(names: &[String], seat: Player, decision: &Report) -> String {
    let moves = &decision.moves;
    let shares = shares(decision);
    let mut order: Vec<usize> = (0..moves.len()).collect();
    order.sort_by_key(|&i| (std::cmp::Reverse(moves[i].visits), i));
    let unknown = || "-".to_string();
    let mut columns: Vec<(&str, Vec<String>)> = Vec::new();
    let mut column = |name: &'static str, cell: &dyn Fn(usize) -> Option<String>| {
        let cells: Vec<Option<String>> = order.iter().map(|&i| cell(i)).collect();
        if cells.iter().any(Option::is_some) {
            columns.push((name, cells.into_iter().map(|c| c.unwrap_or_else(unknown)).collect()));
        }
    };
    column("move", &|i| Some(names[i].clone()));
    column("visits", &|i| Some(moves[i].visits.to_string()));
    column("available", &|i| moves[i].availability.map(|n| n.to_string()));
    column("share", &|i| shares.as_ref().map(|s| format!("{:.1} %", 100.0 * s[i])));
    column("value", &|i| moves[i].values.as_ref().map(|v| format!("{:.3}", v[seat])));
    column("+- 95 %", &|i| match &moves[i].margins {
        _ if moves[i].proven => Some("proven".into()),
        margins => margins.as_ref().map(|m| format!("{:.3}", m[seat])),
    });
    let all = |v: &fogtree_core::Rewards| v.iter().map(|x| format!("{x:.3}")).collect::<Vec<_>>().join(" ");
    column("value of every player", &|i| moves[i].values.as_ref().map(all));
    let header: Vec<&str> = columns.iter().map(|c| c.0).collect();
    let row = |i: usize| columns.iter().map(|c| c.1[i].clone()).collect();
    table(&header, &(0..moves.len()).map(row).collect::<Vec<_>>())
}

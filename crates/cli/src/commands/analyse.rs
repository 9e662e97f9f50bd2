//! `fogtree analyse`: one decision explained.

mod tree;

use std::io::IsTerminal;

use fogtree_core::{Explain, Player, Progress, Seed, TreeLimits, Turn, Watch};
use fogtree_table::wire::{Asked, Decision, MoveFindings, Step};
use fogtree_table::{AnyGame, AnyTable, Registry, after_moves, usual_agent};

use super::position::read_record;
use crate::arguments::Analyse;
use crate::failure::Failure;
use crate::output::{count, emit, emit_json, quantity, show_live, table};
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
    let agent = arguments.agent.clone().unwrap_or_else(|| usual_agent(&*game).to_string());
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
    let fogtree_core::Decision { action, mut report } = decision?;
    let chosen = game.model().move_name(action);
    if let Some(file) = file {
        if report.trees.is_empty() {
            return Err(no_tree(&agent.spec, &names));
        }
        let origin = Origin { game: &spec, agent: &agent.spec, seat };
        file.write(&origin, std::mem::take(&mut report.trees))?;
    }
    let cheating = agent.cheats;
    let asked = Asked { game: spec, agent: agent.spec, cheating, seat, infoset: info.key, seed: drawn };
    let decision = Decision::of(asked, &names, chosen, &report);
    if json {
        return emit_json(&decision);
    }
    let view = info.view();
    let drawn = drawn.map_or_else(String::new, |seed| format!("chance drew; again with --seed {seed}\n\n"));
    let cheats = if cheating { " (cheating: it looks at the true state)" } else { "" };
    emit(&format!(
        "{drawn}player {seat} sees:\n{view}\n\n{}{cheats} plays {}\n\n{}",
        decision.asked.agent,
        decision.name,
        for_people(&decision, &report.figures)
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
    let table = after_moves(&*game, &arguments.moves, arguments.seed.or(drawn).map(Seed))?;
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

/// A decision as a person reads it, with its figures in the order in which they were reported.
fn for_people(decision: &Decision, figures: &[(String, f64)]) -> String {
    let remark = decision.remark.as_ref().map_or_else(String::new, |remark| format!("remark: {remark}\n"));
    let Some(iterations) = decision.iterations.filter(|_| !decision.moves.is_empty()) else {
        return format!("nothing was searched\n{remark}");
    };
    let mut text = table_of_moves(&decision.moves, decision.asked.seat);
    let seconds = decision.seconds;
    text += &match decision.iterations_per_second {
        Some(speed) => {
            format!("\n{} iterations in {seconds:.3} s ({}/s), ", count(iterations), quantity(speed))
        }
        None => format!("\n{seconds:.3} s, "),
    };
    text += &format!("{} nodes, ", count(decision.nodes.unwrap_or(0)));
    if let Some(tried) = decision.tried {
        text += &format!("{} moves tried, ", count(tried));
    }
    text += &format!("depth {}", decision.depth.unwrap_or(0));
    if let Some(mean) = decision.mean_depth {
        text += &format!(", {mean:.2} on average");
    }
    if let (Some(bytes), Some(each)) = (decision.bytes, decision.bytes_per_node) {
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
        let step = |step: &Step| match step.by {
            Some(by) => format!("{by}:{}", step.name),
            None => format!("({})", step.name),
        };
        let line: Vec<String> = decision.line.iter().map(step).collect();
        text += &format!("\nprincipal variation: {}", line.join(" "));
    }
    for belief in &decision.beliefs {
        let likely = belief
            .values
            .iter()
            .take(6)
            .map(|held| format!("{} {:.1} %", held.value, 100.0 * held.probability));
        let more = if belief.values.len() > 6 { ", ..." } else { "" };
        text += &format!("\n{} believes: {}{more}", belief.of, likely.collect::<Vec<_>>().join(", "));
    }
    if !figures.is_empty() {
        let figures = figures.iter().map(|(name, value)| format!("{name} {}", quantity(*value)));
        text += &format!("\nfigures: {}", figures.collect::<Vec<_>>().join(", "));
    }
    format!("{text}\n{remark}")
}

/// The moves, the most visited first. Columns of which nothing is known are left out.
pub(crate) fn table_of_moves(moves: &[MoveFindings], seat: Player) -> String {
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
    column("move", &|i| Some(moves[i].name.clone()));
    column("visits", &|i| Some(moves[i].visits.to_string()));
    column("available", &|i| moves[i].availability.map(|n| n.to_string()));
    column("share", &|i| moves[i].share.map(|share| format!("{:.1} %", 100.0 * share)));
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

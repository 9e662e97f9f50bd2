//! `fogtree analyse`: one decision explained.

use fogtree_core::{Player, Seed};
use fogtree_table::{AnyDecision, AnyGame, AnyTable, Registry};
use serde_json::{Value, json};

use super::position::{after_moves, read_record};
use crate::arguments::Analyse;
use crate::failure::Failure;
use crate::output::{count, emit, emit_line, quantity, table};

/// Asks an agent for its decision in a position and shows how it came about.
pub(crate) fn run(registry: &Registry, arguments: &Analyse, json: bool) -> Result<(), Failure> {
    let (spec, game, position) = position(registry, arguments)?;
    let players = position.turn().players();
    let seat = match arguments.seat.map(Player) {
        Some(seat) => seat,
        None => players.iter().next().ok_or_else(|| {
            Failure::Input("nobody decides in this position: the game is over or it is chance's turn".into())
        })?,
    };
    if !players.contains(seat) {
        return Err(Failure::Input(format!("player {seat} is not to move in this position")));
    }
    let agent = arguments.agent.clone().unwrap_or_else(|| super::play::default_agent(&*game).to_string());
    let mut agent = registry.agent(&agent, &*game)?;
    agent.start(seat, Seed(arguments.seed.unwrap_or(1)));
    for event in position.events(seat) {
        agent.observe(event);
    }
    let decision = position.ask(seat, &mut agent)?;
    let names = position.legal(seat);
    if json {
        let mut value = report(&names, &decision);
        value["game"] = json!(spec);
        value["agent"] = json!(agent.spec);
        value["cheating"] = json!(agent.cheats());
        value["seat"] = json!(seat);
        value["infoset"] = json!(position.infoset(seat).key());
        return emit_line(&value.to_string());
    }
    let view = position.infoset(seat).view();
    let cheats = if agent.cheats() { " (cheating: it looks at the true state)" } else { "" };
    emit(&format!(
        "player {seat} sees:\n{view}\n\n{}{cheats} plays {}\n\n{}",
        agent.spec,
        names[decision.choice],
        for_people(&names, seat, &decision)
    ))
}

type Position = (String, Box<dyn AnyGame>, Box<dyn AnyTable>);

fn position(registry: &Registry, arguments: &Analyse) -> Result<Position, Failure> {
    if let Some(path) = &arguments.record {
        let record = read_record(path, arguments.number)?;
        let game = registry.game(&record.header.game)?;
        let at = arguments.at.unwrap_or(0);
        if at >= record.steps.len() {
            return Err(Failure::Input(format!("--at {at}: the record has {} steps", record.steps.len())));
        }
        let table = game.replay(&record, at)?;
        return Ok((record.header.game, game, table));
    }
    let spec = arguments.game.clone().unwrap_or_default();
    let game = registry.game(&spec)?;
    let table = after_moves(&*game, &arguments.moves, arguments.seed)?;
    Ok((spec, game, table))
}

/// A decision as JSON.
fn report(names: &[String], decision: &AnyDecision) -> Value {
    let seconds = decision.time.as_secs_f64();
    let moves = names.iter().zip(&decision.moves).map(|(name, m)| {
        json!({
            "move": name,
            "visits": m.visits,
            "share": m.visits as f64 / decision.iterations.max(1) as f64,
            "values": m.values,
        })
    });
    json!({
        "move": names[decision.choice],
        "moves": moves.collect::<Vec<_>>(),
        "iterations": decision.iterations,
        "nodes": decision.nodes,
        "depth": decision.depth,
        "seconds": seconds,
        "iterations_per_second": if seconds > 0.0 { decision.iterations as f64 / seconds } else { 0.0 },
    })
}

fn for_people(names: &[String], seat: Player, decision: &AnyDecision) -> String {
    if decision.moves.is_empty() || decision.iterations == 0 {
        return "nothing was searched\n".to_string();
    }
    let mut order: Vec<usize> = (0..decision.moves.len()).collect();
    order.sort_by_key(|&i| (std::cmp::Reverse(decision.moves[i].visits), i));
    let rows = order.into_iter().map(|i| {
        let m = &decision.moves[i];
        let share = 100.0 * m.visits as f64 / decision.iterations as f64;
        let values =
            m.values.as_ref().map_or_else(Vec::new, |v| v.iter().map(|x| format!("{x:.3}")).collect());
        let own = m.values.as_ref().map_or_else(|| "-".to_string(), |v| format!("{:.3}", v[seat]));
        vec![names[i].clone(), m.visits.to_string(), format!("{share:.1} %"), own, values.join(" ")]
    });
    let seconds = decision.time.as_secs_f64();
    table(&["move", "visits", "share", "value", "value of every player"], &rows.collect::<Vec<_>>())
        + &format!(
            "\n{} iterations in {seconds:.3} s ({}/s), {} nodes, depth {}\n",
            count(decision.iterations),
            quantity(decision.iterations as f64 / seconds.max(1e-9)),
            count(decision.nodes),
            decision.depth
        )
}

//! A position as JSON, the form that `fogtree state --json` promises, and what of it a seat may know.

use fogtree_core::{Observer, Player, Turn, text};
use serde_json::{Map, Value, json};

use crate::erased::AnyTable;

/// The position at a table. Fields: `game`, `turn`, `legal`, `chance`, `views`, `infosets`, `rewards`, `moves`.
pub fn describe(spec: &str, players: usize, table: &dyn AnyTable) -> Value {
    let turn = table.turn();
    let kind = match turn {
        Turn::Terminal => "over",
        Turn::Chance => "chance",
        Turn::Player(_) => "player",
        Turn::Simultaneous(_) => "together",
    };
    let to_move: Vec<u8> = turn.players().iter().map(|p| p.0).collect();
    let legal: Map<String, Value> =
        turn.players().iter().map(|p| (p.to_string(), json!(table.legal(p)))).collect();
    let chance = table.chance().map(|outcomes| {
        outcomes.into_iter().map(|(name, p)| json!({"move": name, "p": p})).collect::<Vec<_>>()
    });
    let seats = || Player::all(players).map(Observer::Seat);
    json!({
        "game": spec,
        "turn": {"kind": kind, "players": to_move},
        "legal": legal,
        "chance": chance,
        "views": seats().map(|by| text::plain(&table.view(by))).collect::<Vec<_>>(),
        "infosets": seats().map(|by| table.key(by).to_string()).collect::<Vec<_>>(),
        "rewards": table.rewards(),
        "moves": table.names(),
    })
}

/// What a seat knows of the position at a table. Fields: `game`, `seat`, `turn`, `legal`, `view`, `infoset`,
/// `events`, `rewards`; `turn` is null where others are to move.
///
/// `spec` must be the specification as the seat may know it ([`crate::Registry::told`]).
pub fn describe_to(seat: Player, spec: &str, table: &dyn AnyTable) -> Value {
    let by = Observer::Seat(seat);
    let turn = match table.turn() {
        Turn::Terminal => json!({"kind": "over"}),
        turn if turn.players().contains(seat) => json!({"kind": "player"}),
        _ => Value::Null,
    };
    json!({
        "game": spec,
        "seat": seat,
        "turn": turn,
        "legal": table.legal(seat),
        "view": text::plain(&table.view(by)),
        "infoset": table.key(by).to_string(),
        "events": table.events(seat),
        "rewards": table.rewards(),
    })
}

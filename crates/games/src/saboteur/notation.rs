//! Names of what happens in Saboteur.

use fogtree_core::{Observation, Observer, Player};

use super::board::COLUMNS;
use super::cards::{self, KINDS, Kind, PATHS, TOOLS};
use super::knowledge::seen;
use super::{Action, CELLS, Outcome, Saboteur};

const PLAYERS: u64 = super::MOST_PLAYERS as u64;
const LAID: u64 = 2 * PATHS as u64 * CELLS as u64;
const BREAKS: u64 = LAID + 3 * PLAYERS;
const REPAIRS: u64 = BREAKS + 6 * 3 * PLAYERS;
const ROCKFALLS: u64 = REPAIRS + CELLS as u64;
const LOOKS: u64 = ROCKFALLS + 3;
/// Codes are below this.
pub(super) const CODES: u64 = LOOKS + KINDS as u64;

/// The code of an action.
#[inline]
pub(super) fn code(action: Action) -> u64 {
    match action {
        Action::Lay { card, turned, at } => {
            (2 * u64::from(card) + u64::from(turned)) * CELLS as u64 + u64::from(at)
        }
        Action::Break { tool, whose } => LAID + u64::from(tool) * PLAYERS + u64::from(whose.0),
        Action::Repair { card, tool, whose } => {
            BREAKS + (3 * u64::from(card - cards::REPAIR) + u64::from(tool)) * PLAYERS + u64::from(whose.0)
        }
        Action::Rockfall { at } => REPAIRS + u64::from(at),
        Action::Look { goal } => ROCKFALLS + u64::from(goal),
        Action::Discard { card } => LOOKS + u64::from(card),
    }
}

/// The action with this code.
fn decode(code: u64) -> Option<Action> {
    let whose = |n: u64| Player((n % PLAYERS) as u8);
    Some(match code {
        0..LAID => {
            let (card, at) = (code / CELLS as u64, (code % CELLS as u64) as u8);
            Action::Lay { card: (card / 2) as u8, turned: card % 2 == 1, at }
        }
        LAID..BREAKS => Action::Break { tool: ((code - LAID) / PLAYERS) as u8, whose: whose(code - LAID) },
        BREAKS..REPAIRS => {
            let n = (code - BREAKS) / PLAYERS;
            Action::Repair {
                card: cards::REPAIR + (n / 3) as u8,
                tool: (n % 3) as u8,
                whose: whose(code - BREAKS),
            }
        }
        REPAIRS..ROCKFALLS => Action::Rockfall { at: (code - REPAIRS) as u8 },
        ROCKFALLS..LOOKS => Action::Look { goal: (code - ROCKFALLS) as u8 },
        LOOKS..CODES => Action::Discard { card: (code - LOOKS) as u8 },
        _ => return None,
    })
}

/// The name of a cell: a letter for the column and a number for the row, `c5` for the start.
pub(super) fn cell_name(at: u8) -> String {
    let (column, row) = (at as usize % COLUMNS, at as usize / COLUMNS);
    format!("{}{}", (b'a' + column as u8) as char, row + 1)
}

fn parse_cell(text: &str) -> Option<u8> {
    (0..CELLS as u8).find(|&at| cell_name(at) == text)
}

/// The name of an action: `TRB@d5` lays a path card with these openings, `xTB@d5` a dead end; `rockfall@d5`,
/// `map@k7`, `break-lamp:2`, `repair-lamp:0`, `repair-pick-or-lamp:0:lamp`, `discard:TRB`.
pub(super) fn action_name(game: &Saboteur, action: Action) -> String {
    match action {
        Action::Lay { card, turned, at } => format!("{}@{}", cards::path_name(card, turned), cell_name(at)),
        Action::Break { tool, whose } => format!("break-{}:{whose}", TOOLS[tool as usize]),
        Action::Repair { card, tool, whose } if card < cards::DOUBLE_REPAIR => {
            format!("repair-{}:{whose}", TOOLS[tool as usize])
        }
        Action::Repair { card, tool, whose } => {
            format!("{}:{whose}:{}", cards::name(card), TOOLS[tool as usize])
        }
        Action::Rockfall { at } => format!("rockfall@{}", cell_name(at)),
        Action::Look { goal } => format!("map@{}", cell_name(game.goals[goal as usize])),
        Action::Discard { card } => format!("discard:{}", cards::name(card)),
    }
}

/// The action of this name.
pub(super) fn parse_action(game: &Saboteur, name: &str) -> Option<Action> {
    if let Some((what, place)) = name.split_once('@') {
        let at = parse_cell(place)?;
        return match what {
            "rockfall" => Some(Action::Rockfall { at }),
            "map" => game.goals.iter().position(|&g| g == at).map(|goal| Action::Look { goal: goal as u8 }),
            _ => {
                let mut ways =
                    (0..PATHS).flat_map(|card| cards::ways(card).iter().map(move |&turned| (card, turned)));
                ways.find(|&(card, turned)| cards::path_name(card, turned) == what)
                    .map(|(card, turned)| Action::Lay { card, turned, at })
            }
        };
    }
    if let Some(card) = name.strip_prefix("discard:") {
        return cards::parse(card).map(|card| Action::Discard { card });
    }
    let players = Player::all(game.players);
    let at_players = (LAID..REPAIRS).filter_map(decode).filter(|&action| match action {
        Action::Repair { card, tool, .. } => cards::mends(card) >> tool & 1 == 1,
        _ => true,
    });
    at_players
        .filter(|&action| match action {
            Action::Break { whose, .. } | Action::Repair { whose, .. } => players.clone().any(|p| p == whose),
            _ => false,
        })
        .find(|&action| action_name(game, action) == name)
}

const GOALS: [&str; 3] = ["gold", "stone-TR", "stone-TL"];

fn goal_name(card: u8) -> &'static str {
    GOALS.get(card as usize).copied().unwrap_or("none")
}

/// The name of an outcome: `saboteurs:1+3`, `goals:gold+stone-TR+stone-TL`, or a card.
pub(super) fn outcome_name(outcome: &Outcome) -> String {
    match *outcome {
        Outcome::Roles(0) => "saboteurs:none".to_string(),
        Outcome::Roles(set) => {
            let seats: Vec<String> = (0..16).filter(|p| set >> p & 1 == 1).map(|p| p.to_string()).collect();
            format!("saboteurs:{}", seats.join("+"))
        }
        Outcome::Goals(goals) => format!("goals:{}", goals.map(goal_name).join("+")),
        Outcome::Card(card) => cards::name(card),
    }
}

/// The outcome of this name.
pub(super) fn parse_outcome(game: &Saboteur, name: &str) -> Option<Outcome> {
    let roles = game.roles.iter().map(|&set| Outcome::Roles(set));
    let goals = game.layouts().map(Outcome::Goals);
    let cards = (0..KINDS as Kind).map(Outcome::Card);
    roles.chain(goals).chain(cards).find(|outcome| outcome_name(outcome) == name)
}

/// What an observation means.
pub(super) fn explain(game: &Saboteur, what: &Observation, _by: Observer) -> String {
    let words = what.as_words();
    let second = words.get(1).copied().unwrap_or(0);
    let small = second.min(u64::from(u8::MAX)) as u8;
    let turned = |word: u64| -> String {
        let cards = (0..3).map(|i| (i, word >> (4 * i) & 0xf)).filter(|(_, card)| *card > 0);
        cards
            .filter_map(|(i, card)| game.goals.get(i).map(|&at| (cell_name(at), goal_name(card as u8 - 1))))
            .map(|(at, card)| format!(", and {at} turns out to be {card}"))
            .collect()
    };
    match what.first() {
        seen::ROLE if second == 1 => "you are a saboteur".to_string(),
        seen::ROLE => "you are a digger".to_string(),
        seen::ROLES => "roles are dealt".to_string(),
        seen::GOALS => "the goals are laid out".to_string(),
        seen::CARD => format!("you draw {}", cards::name(small)),
        seen::DRAWS => format!("player {second} draws a card"),
        seen::DISCARDS => format!("player {second} puts a card away"),
        seen::LOOK => format!("you see {}", goal_name(small)),
        seen::TURNED => format!("your tunnel has reached a goal{}", turned(second)),
        word => {
            let (who, code) = ((word - seen::PLAYS) & 0xff, (word - seen::PLAYS) >> 8);
            let known = decode(code).filter(|&action| match action {
                Action::Look { goal } => usize::from(goal) < game.goals.len(),
                _ => true,
            });
            match known {
                Some(action) => format!("player {who} plays {}{}", action_name(game, action), turned(second)),
                None => what.to_string(),
            }
        }
    }
}

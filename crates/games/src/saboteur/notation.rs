//! Names of what happens in Saboteur, and pictures of the table.

use fogtree_core::text::{Colour, paint};
use fogtree_core::{Observation, Observer, Player};

use super::board::{Board, COLUMNS, Cells, ROWS, START};
use super::cards::{self, Hand, KINDS, Kind, PATHS, TOOLS, UNSEEN};
use super::knowledge::seen;
use super::{Action, CELLS, FACE_DOWN, GOLD, Info, NO_GOAL, Outcome, Saboteur, State, Table};

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
fn cell_name(at: u8) -> String {
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

/// The whole state.
pub(super) fn show(game: &Saboteur, s: &State) -> String {
    let role = |p: Player| match s.saboteurs {
        Some(set) if set >> p.index() & 1 == 1 => paint(Colour::Red, "saboteur"),
        Some(_) => paint(Colour::Green, "digger"),
        None => "no role yet".to_string(),
    };
    let mut text = picture(game, &s.table, s.goals);
    for p in Player::all(game.players) {
        text += &format!("player {p}: {}, {}\n", role(p), hand(&s.hands[p.index()]));
    }
    let gold = game.goals.iter().zip(s.goals).find(|(_, card)| *card == GOLD);
    text += &gold.map_or("no goals yet".to_string(), |(&at, _)| format!("the gold is at {}", cell_name(at)));
    text + &format!("\n{}", counts(game, &s.table, s.used.len()))
}

/// What an observer knows.
pub(super) fn view(game: &Saboteur, k: &Info) -> String {
    let mut text = picture(game, &k.table, k.goals);
    for p in Player::all(game.players) {
        let (broken, looked) = (k.table.broken[p.index()], k.table.looked[p.index()]);
        let tools: Vec<&str> = (0..3).filter(|t| broken >> t & 1 == 1).map(|t| TOOLS[t]).collect();
        let looks: Vec<String> = game
            .goals
            .iter()
            .enumerate()
            .filter(|(i, _)| looked >> i & 1 == 1)
            .map(|(_, &at)| cell_name(at))
            .collect();
        let mut notes = Vec::new();
        if !tools.is_empty() {
            notes.push(paint(Colour::Red, &format!("broken {}", tools.join(" and "))));
        }
        if !looks.is_empty() {
            notes.push(format!("has seen {}", looks.join(" and ")));
        }
        if !notes.is_empty() {
            text += &format!("player {p}: {}\n", notes.join(", "));
        }
    }
    let used: Vec<String> = k
        .used
        .iter()
        .enumerate()
        .map(|(turn, &card)| {
            let who = turn % game.players;
            match card {
                _ if card == FACE_DOWN | UNSEEN => format!("{who} ?"),
                _ if card & FACE_DOWN != 0 => format!("{who} ({})", cards::name(card & !FACE_DOWN)),
                _ => format!("{who} {}", cards::name(card)),
            }
        })
        .collect();
    if !used.is_empty() {
        text += &paint(Colour::Dim, &format!("used: {}", used.join(", ")));
        text.push('\n');
    }
    text += &format!("{}\n", counts(game, &k.table, k.used.len()));
    let role = match k.saboteur {
        Some(true) => paint(Colour::Red, "a saboteur"),
        Some(false) => paint(Colour::Green, "a digger"),
        None => "without a role yet".to_string(),
    };
    match (k.by, &k.hand) {
        (Observer::Seat(p), Some(cards)) => {
            text + &format!("you are player {p}, {role}, with {}", hand(cards))
        }
        _ => text.trim_end().to_string(),
    }
}

fn counts(game: &Saboteur, table: &Table, used: usize) -> String {
    format!("{} cards in the stock, {used} used", game.cards - usize::from(table.drawn))
}

fn hand(hand: &Hand) -> String {
    let cards: Vec<String> = hand.iter().map(|card| paint(Colour::Yellow, &cards::name(card))).collect();
    if cards.is_empty() { "no cards".to_string() } else { cards.join(" ") }
}

/// The table, a line for each row: tunnels as lines, dead ends as double lines. While hands are dealt there is
/// nothing to see.
fn picture(game: &Saboteur, table: &Table, goals: [u8; 3]) -> String {
    if usize::from(table.drawn) < game.players * game.hand {
        return String::new();
    }
    let shown = Cells(game.table.0 | game.goal_cells.0 | 1 << START);
    let columns: Vec<usize> =
        (0..COLUMNS).filter(|&column| (0..ROWS).any(|row| shown.has(super::cell(column, row)))).collect();
    let mut text = String::new();
    for row in (0..ROWS).rev().filter(|&row| columns.iter().any(|&c| shown.has(super::cell(c, row)))) {
        text += &format!("{} ", row + 1);
        for &column in &columns {
            text += &cell_picture(game, &table.board, goals, super::cell(column, row));
        }
        text.push('\n');
    }
    let letters: String = columns.iter().map(|&c| format!(" {} ", (b'a' + c as u8) as char)).collect();
    text + &format!("  {}\n", letters.trim_end())
}

fn cell_picture(game: &Saboteur, board: &Board, goals: [u8; 3], at: u8) -> String {
    let goal = game.goals.iter().position(|&g| g == at).map(|i| goals[i]);
    if !board.cards.has(at) {
        return match goal {
            None => paint(Colour::Dim, " · "),
            Some(NO_GOAL) => paint(Colour::Purple, "[?]"),
            Some(GOLD) => paint(Colour::Yellow, "[$]"),
            Some(_) => paint(Colour::Purple, "[o]"),
        };
    }
    let (open, dead) = (board.openings(at), board.dead.has(at));
    let heart = match goal {
        _ if at == START => "H",
        Some(GOLD) => "$",
        _ if dead => DEAD_END_LINES[open as usize],
        _ => LINES[open as usize],
    };
    let side = |side: usize| match open >> side & 1 {
        0 => " ",
        _ if dead => "═",
        _ => "─",
    };
    let colour = match () {
        () if at == START || goal.is_some() => Colour::Yellow,
        () if dead => Colour::Red,
        () if board.reach.has(at) => Colour::Green,
        () => Colour::Dim,
    };
    paint(colour, &format!("{}{heart}{}", side(cards::LEFT), side(cards::RIGHT)))
}

/// Lines that leave by the open sides, by openings.
const LINES: [&str; 16] = ["·", "╵", "╶", "└", "╷", "│", "┌", "├", "╴", "┘", "─", "┴", "┐", "┤", "┬", "┼"];
/// The same for dead ends.
const DEAD_END_LINES: [&str; 16] =
    ["·", "╹", "╺", "╚", "╻", "║", "╔", "╠", "╸", "╝", "═", "╩", "╗", "╣", "╦", "╬"];

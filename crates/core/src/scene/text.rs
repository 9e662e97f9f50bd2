//! A scene as coloured text ([`crate::text::plain`] takes the colours off).

use std::fmt;

use super::{
    Board, Cards, Cell, Content, Edge, Entry, Graph, Ground, Lattice, Look, Scene, Spread, Table, Token, Zone,
};
use crate::Player;
use crate::text::{Colour, paint, plain};

/// Zones stand side by side up to this width.
const WIDEST: usize = 100;
/// Between zones side by side.
const GAP: usize = 4;

impl fmt::Display for Scene {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.with_marks(&[]))
    }
}

impl Scene {
    /// The scene as text, the spots in this list marked: what has changed since somebody last looked.
    pub fn with_marks(&self, spots: &[String]) -> String {
        let mut blocks: Vec<Vec<String>> = Vec::new();
        for zone in &self.zones {
            let marked = |place: &str| {
                spots.iter().any(|spot| spot.split_once('/') == Some((zone.name.as_str(), place)))
            };
            let lines = zone_lines(zone, &marked);
            match blocks.last_mut() {
                Some(left) if zone.beside && width(left) + GAP + width(&lines) <= WIDEST => {
                    *left = joined(left, &lines);
                }
                _ => blocks.push(lines),
            }
        }
        if !self.caption.is_empty() {
            blocks.push(vec![self.caption.clone()]);
        }
        let text = blocks.into_iter().flatten().map(|line| line.trim_end().to_string());
        text.collect::<Vec<_>>().join("\n")
    }
}

fn length(line: &str) -> usize {
    plain(line).chars().count()
}

fn width(lines: &[String]) -> usize {
    lines.iter().map(|line| length(line)).max().unwrap_or(0)
}

fn padded(text: &str, to: usize) -> String {
    format!("{text}{}", " ".repeat(to.saturating_sub(length(text))))
}

/// Two blocks side by side.
fn joined(left: &[String], right: &[String]) -> Vec<String> {
    let room = width(left) + GAP;
    let line = |lines: &[String], i: usize| lines.get(i).cloned().unwrap_or_default();
    (0..left.len().max(right.len())).map(|i| padded(&line(left, i), room) + &line(right, i)).collect()
}

fn zone_lines(zone: &Zone, marked: &dyn Fn(&str) -> bool) -> Vec<String> {
    let title = painted_by(zone.owner, &zone.title);
    let lines = match &zone.content {
        Content::Board(board) => board_lines(board, marked),
        Content::Graph(graph) => graph_lines(graph, marked),
        Content::Table(table) => table_lines(table, marked),
        Content::Text { text } => text.lines().map(str::to_string).collect(),
        Content::Cards(cards) => {
            let cards = cards_line(cards, marked);
            return vec![if title.is_empty() { cards } else { format!("{title}: {cards}") }];
        }
    };
    if title.is_empty() { lines } else { [vec![title], lines].concat() }
}

fn board_lines(board: &Board, marked: &dyn Fn(&str) -> bool) -> Vec<String> {
    let cells: Vec<String> = board.cells.iter().map(|cell| cell_text(cell, marked(&cell.place))).collect();
    let wide =
        cells.iter().chain(&board.above).chain(&board.below).map(|text| length(text)).max().unwrap_or(1);
    let margin = board.left.iter().map(|text| length(text)).max().map_or(0, |most| most + 1);
    let wall = |a: usize, b: usize| board.walls.contains(&(a, b)) || board.walls.contains(&(b, a));
    let labels = |texts: &[String]| {
        let texts: Vec<String> = texts.iter().map(|text| padded(text, wide)).collect();
        (!texts.is_empty()).then(|| format!("{}{}", " ".repeat(margin), texts.join(" ")))
    };
    let mut lines = Vec::from_iter(labels(&board.above));
    for (y, row) in cells.chunks(board.columns.max(1)).enumerate() {
        let (mut line, mut under) = (String::new(), String::new());
        for (x, text) in row.iter().enumerate() {
            let at = y * board.columns + x;
            let closed = x + 1 < row.len() && wall(at, at + 1);
            line += &(padded(text, wide) + if closed { "|" } else { " " });
            under += &((if wall(at, at + board.columns) { "-" } else { " " }).repeat(wide) + " ");
        }
        let label = board.left.get(y).map_or("", String::as_str);
        let indent = if margin > 0 { format!("{label:>0$} ", margin - 1) } else { String::new() };
        let shifted = board.lattice == Lattice::Hexagons && y % 2 == 1;
        lines.push(indent + &" ".repeat(if shifted { wide.div_ceil(2) } else { 0 }) + &line);
        if under.contains('-') {
            lines.push(" ".repeat(margin) + &under);
        }
    }
    lines.extend(labels(&board.below));
    lines.extend(legend(board));
    lines
}

/// What the signs for grounds mean.
fn legend(board: &Board) -> Option<String> {
    let mut grounds: Vec<Ground> = Vec::new();
    for cell in &board.cells {
        if !grounds.contains(&cell.ground) && name(cell.ground).is_some() {
            grounds.push(cell.ground);
        }
    }
    let one = |ground: &Ground| name(*ground).map(|name| format!("{} {name}", sign(*ground)));
    let dim = board.cells.iter().any(|cell| cell.dim).then(|| "░ out of sight".to_string());
    let words: Vec<String> = grounds.iter().filter_map(one).chain(dim).collect();
    (!words.is_empty()).then(|| paint(Colour::Dim, &words.join("   ")))
}

fn name(ground: Ground) -> Option<&'static str> {
    Some(match ground {
        Ground::Plain | Ground::Dark | Ground::Grass | Ground::Marked | Ground::Goal | Ground::None => {
            return None;
        }
        Ground::Forest => "forest",
        Ground::Mountain => "mountain",
        Ground::Road => "road",
        Ground::Water => "water",
        Ground::Fort => "fort",
        Ground::Wall => "wall",
        Ground::Fog => "fog",
    })
}

fn sign(ground: Ground) -> &'static str {
    match ground {
        Ground::Plain | Ground::Dark | Ground::Grass => "·",
        Ground::Forest => "\"",
        Ground::Mountain => "^",
        Ground::Road => "=",
        Ground::Water => "~",
        Ground::Fort => "+",
        Ground::Wall => "█",
        Ground::Fog => "░",
        Ground::Marked => "*",
        Ground::Goal => "x",
        Ground::None => " ",
    }
}

fn cell_text(cell: &Cell, marked: bool) -> String {
    let text = match &cell.tokens[..] {
        [] => {
            let ground = match sign(cell.ground) {
                "·" if cell.dim => "░".to_string(),
                sign if cell.dim => format!("{sign}░"),
                sign => sign.to_string(),
            };
            let sign = match (ground.as_str(), cell.note.as_str()) {
                ("·", note) if note.chars().count() > 2 => note.to_string(),
                (sign, note) => sign.to_string() + note,
            };
            if sign.trim().is_empty() {
                return mark(sign, marked);
            }
            if cell.owner.is_some() { painted_by(cell.owner, &sign) } else { paint(Colour::Dim, &sign) }
        }
        tokens => {
            let ground = if name(cell.ground).is_some() { sign(cell.ground) } else { "" };
            let tokens: Vec<String> = tokens.iter().map(token_text).collect();
            let words = tokens.iter().any(|token| length(token) > 1);
            let gap = if words && tokens.len() > 1 { " " } else { "" };
            let note = format!("{ground}{}", cell.note);
            let room = if note.chars().count() > 2 { " " } else { "" };
            tokens.join(gap) + &paint(Colour::Dim, &format!("{room}{note}"))
        }
    };
    mark(text, marked)
}

fn mark(text: String, marked: bool) -> String {
    if marked { paint(Colour::Marked, &plain(&text)) } else { text }
}

/// A token in a few letters.
fn token_text(token: &Token) -> String {
    let first = token.owner.is_none_or(|p| p.0 == 0);
    let label = token.label.as_str();
    let glyph = match token.look {
        Look::Card { suit: Some(suit) } => format!("{label}{}", suit.symbol()),
        Look::Card { suit: None } | Look::Coin if !label.is_empty() => label.to_string(),
        Look::Unit { hit_points } => format!("{label}:{hit_points}"),
        Look::Back => "▒".to_string(),
        Look::Tunnel { open, joined } => tunnel(open, joined).to_string(),
        Look::Die => format!("[{label}]"),
        Look::Disc => format!("{}{label}", if first { "●" } else { "○" }),
        Look::Chip if !label.is_empty() => format!("({label})"),
        _ if !label.is_empty() => label.to_string(),
        Look::King => if first { "◆" } else { "◇" }.to_string(),
        Look::Cross => "X".to_string(),
        Look::Ring => "O".to_string(),
        Look::Figure | Look::Block => if first { "■" } else { "□" }.to_string(),
        Look::Chip | Look::Coin | Look::Card { .. } => "•".to_string(),
        Look::Unknown => "?".to_string(),
    };
    let colour = match (token.pale, token.look) {
        (true, _) => Some(Colour::Dim),
        (false, Look::Card { suit: Some(super::Suit::Hearts | super::Suit::Diamonds) }) => Some(Colour::Red),
        _ => token.owner.map(colour),
    };
    colour.map_or(glyph.clone(), |colour| paint(colour, &glyph))
}

/// The line-drawing character that is open to the north, east, south and west so.
fn tunnel(open: [bool; 4], joined: bool) -> char {
    const SIGNS: [char; 16] =
        ['·', '╵', '╶', '└', '╷', '│', '┌', '├', '╴', '┘', '─', '┴', '┐', '┤', '┬', '┼'];
    let number = (0..4).map(|i| usize::from(open[i]) << i).sum::<usize>();
    if joined { SIGNS[number] } else { '╳' }
}

fn colour(player: Player) -> Colour {
    [Colour::Blue, Colour::Red, Colour::Green, Colour::Yellow, Colour::Purple][player.index() % 5]
}

fn painted_by(owner: Option<Player>, text: &str) -> String {
    owner.map_or(text.to_string(), |p| if text.is_empty() { String::new() } else { paint(colour(p), text) })
}

/// Only where something stands, and where one can go from there.
fn graph_lines(graph: &Graph, marked: &dyn Fn(&str) -> bool) -> Vec<String> {
    let whole = graph.nodes.len() <= 12;
    let mut lines = Vec::new();
    for (i, node) in graph.nodes.iter().enumerate() {
        if node.tokens.is_empty() && !whole {
            continue;
        }
        let other =
            |e: &Edge| [(e.from, e.to), (e.to, e.from)].into_iter().find(|(a, _)| *a == i).map(|(_, b)| b);
        let kinds = graph.edges.iter().map(|e| e.kind + 1).max().unwrap_or(0);
        let of_kind = |kind: usize| {
            let near = graph.edges.iter().filter(|e| e.kind == kind).filter_map(other);
            let near: Vec<&str> = near.map(|j| graph.nodes[j].place.as_str()).collect();
            let name = graph.kinds.get(kind).map_or("to", String::as_str);
            (!near.is_empty()).then(|| format!("{name} {}", near.join(" ")))
        };
        let ways: Vec<String> = (0..kinds).filter_map(of_kind).collect();
        let names: Vec<String> = node.tokens.iter().map(token_words).collect();
        let who = if names.is_empty() { String::new() } else { format!(" {}", names.join(", ")) };
        let place = mark(node.place.clone(), marked(&node.place));
        lines.push(format!("{place}:{who}   {}", paint(Colour::Dim, &ways.join("; "))));
    }
    lines
}

fn token_words(token: &Token) -> String {
    if token.name.is_empty() { token_text(token) } else { painted_by(token.owner, &token.name) }
}

fn cards_line(cards: &Cards, marked: &dyn Fn(&str) -> bool) -> String {
    let all = &cards.cards;
    let Some(top) = all.last() else { return "-".to_string() };
    if all.iter().all(|card| card.token.look == Look::Back && card.note.is_empty()) {
        return format!("{} face down", all.len());
    }
    if cards.spread == Spread::Pile {
        return format!("{} of {}", token_text(&top.token), all.len());
    }
    let one = |card: &super::Card| {
        let token = mark(token_text(&card.token), marked(&card.place));
        if card.note.is_empty() {
            token
        } else {
            format!("{token} {}", paint(Colour::Dim, &format!("({})", card.note)))
        }
    };
    all.iter().map(one).collect::<Vec<_>>().join(" ")
}

fn table_lines(table: &Table, marked: &dyn Fn(&str) -> bool) -> Vec<String> {
    let entry = |entry: &Entry| {
        let tokens: Vec<String> = entry.tokens.iter().map(token_text).collect();
        let words = [painted_by(entry.owner, &entry.text), tokens.join(" ")];
        let text = words.iter().filter(|w| !w.is_empty()).cloned().collect::<Vec<_>>().join(" ");
        mark(text, entry.place.as_deref().is_some_and(marked))
    };
    let head = table.head.iter().map(|text| paint(Colour::Dim, text)).collect::<Vec<_>>();
    let body = table.rows.iter().map(|row| row.iter().map(entry).collect::<Vec<_>>());
    let rows: Vec<Vec<String>> = (!head.is_empty()).then_some(head).into_iter().chain(body).collect();
    let columns = rows.iter().map(Vec::len).max().unwrap_or(0);
    let wide =
        |x: usize| rows.iter().filter_map(|row| row.get(x)).map(|text| length(text)).max().unwrap_or(0);
    let widths: Vec<usize> = (0..columns).map(wide).collect();
    let line = |row: &Vec<String>| {
        row.iter().zip(&widths).map(|(text, &wide)| padded(text, wide)).collect::<Vec<_>>().join("  ")
    };
    rows.iter().map(line).collect()
}

#[cfg(test)]
mod tests {
    use super::super::Suit;
    use super::*;

    fn text(scene: &Scene) -> String {
        plain(&scene.to_string())
    }

    #[test]
    fn boards_have_labels_and_stand_beside_tables() {
        let mut board = Board::lettered(3, 2);
        board.cell(0, 0).put(Token::cross(Player(0)));
        board.cell(2, 1).put(Token::ring(Player(1))).made_of(Ground::Water);
        let mut facts = Table::headed(["who", "left"]);
        facts.row(["you", "12"]);
        let scene = Scene::new("Your turn.")
            .with(Zone::board("board", board))
            .with(Zone::table("facts", facts).beside());
        let drawn = "2 X · ·     who  left\n1 · · O~    you  12\n  a b c\n~ water\nYour turn.";
        let squeezed = |s: &str| s.split_whitespace().collect::<Vec<_>>().join(" ");
        assert_eq!(squeezed(&text(&scene)), squeezed(drawn), "{}", text(&scene));
    }

    #[test]
    fn cards_are_listed_and_counted() {
        let hand = Cards::hand([("QS".to_string(), Token::card("Q", Some(Suit::Spades)))]);
        let scene = Scene::new("")
            .with(Zone::cards("hand", hand).titled("your hand"))
            .with(Zone::cards("deck", Cards::backs(Spread::Pile, 39)).titled("deck"));
        assert_eq!(text(&scene), "your hand: Q♠\ndeck: 39 face down");
    }
}

//! Positions of sheets as pictures: facts about places on a board, all others in a table.
//!
//! A sheet does not say what is a board. Facts with two numbers or letters in a row, such as `(cell 2 3 x)` or
//! `(piece white a 1)`, are taken to be about places if there are enough of them.

use std::collections::BTreeSet;

use fogtree_core::scene::{Board, Look, MOST_TOUCHES, Scene, Table, Token, Zone};
use fogtree_core::{Event, Notation, Observer, Player, Rules, Turn};

use rustc_hash::FxHashMap;

use super::{GdlGame, GdlState, Move};
use crate::reasoner::Reasoner;
use crate::term::TermId;

/// So many places make a board.
const FEWEST_PLACES: usize = 4;
/// Larger boards are not drawn.
const MOST_CELLS: usize = 900;
/// More facts are not listed.
const MOST_FACTS: usize = 100;
/// What stands on a place where nothing stands.
const NOTHING: [&str; 6] = ["b", "blank", "empty", "nil", "none", "clear"];

/// A coordinate: letters come before numbers.
type Coordinate = Result<u32, char>;

/// A fact about a place.
struct Placed {
    x: Coordinate,
    y: Coordinate,
    /// The fact without the place.
    what: Vec<String>,
    /// The name of the relation.
    relation: String,
}

impl<R: Reasoner + 'static> GdlGame<R> {
    /// A position, as whoever may see all of it sees it.
    pub(super) fn drawn(&self, state: &GdlState<R::State>, by: Observer) -> Scene {
        let (mut now, mut first) = (Vec::new(), Vec::new());
        self.reasoner.fluents(&state.fluents, &mut now);
        self.reasoner.fluents(&self.start.fluents, &mut first);
        let place = |facts: &[TermId]| facts.iter().filter_map(|&fact| self.placed(fact)).collect::<Vec<_>>();
        let (here, at_first) = (place(&now), place(&first));
        let (columns, rows) = domain(here.iter().chain(&at_first));
        let places: BTreeSet<_> = here.iter().chain(&at_first).map(|fact| (fact.x, fact.y)).collect();
        let cells = columns.len() * rows.len();
        let scene = Scene::new(self.caption(state, by));
        if places.len() < FEWEST_PLACES || cells > MOST_CELLS {
            return scene.with(self.facts_zone(&now));
        }
        let others: Vec<TermId> = now.iter().copied().filter(|&fact| self.placed(fact).is_none()).collect();
        let scene = scene.with(Zone::board("board", self.board(&here, &columns, &rows)));
        if others.is_empty() { scene } else { scene.with(self.facts_zone(&others).beside()) }
    }

    /// What a seat, or the public, knows that did and saw this.
    pub(super) fn drawn_after(&self, by: Observer, events: &[Event]) -> Scene {
        if self.open
            && let Some(state) = self.replayed(events)
        {
            return self.drawn(&state, by);
        }
        let mut table = Table::headed(["step", "you did", "you perceived"]);
        let (mut did, mut steps) = (String::new(), 0);
        for event in events {
            match event {
                Event::Own(code) => did = self.code_name(*code).unwrap_or_else(|| format!("#{code}")),
                Event::Seen(seen) => {
                    for words in self.alphabet.read(self.reasoner.terms().symbols(), seen.as_words()) {
                        steps += 1;
                        let seen = if words.is_empty() { "nothing".to_string() } else { words.join(", ") };
                        table.row([steps.to_string(), std::mem::take(&mut did), seen]);
                    }
                }
            }
        }
        let role = by.seat().map(|p| self.name(self.reasoner.roles()[self.seats[p.index()]]));
        let who = role.map_or("The public sees".to_string(), |role| format!("You play {role}. You see"));
        let waiting = if did.is_empty() { String::new() } else { format!(" You have chosen {did}.") };
        let what = if steps == 0 { "nothing yet" } else { "only what is listed here" };
        Scene::new(format!("{who} {what}.{waiting}")).with(Zone::table("seen", table).titled("So far"))
    }

    /// The position after moves that everybody has seen.
    fn replayed(&self, events: &[Event]) -> Option<GdlState<R::State>> {
        let terms = self.reasoner.terms();
        let (mut fluents, mut made) = (self.start.fluents.clone(), 0);
        for event in events {
            let Event::Seen(seen) = event else { continue };
            for words in self.alphabet.read(terms.symbols(), seen.as_words()) {
                let joint: Vec<TermId> =
                    words.iter().map(|word| self.alphabet.parse(terms, word)).collect::<Option<_>>()?;
                if joint.len() != self.reasoner.roles().len() {
                    return None;
                }
                fluents = self.reasoner.next(&fluents, &joint).ok()?;
                made += 1;
            }
        }
        Some(self.position_after(fluents, made))
    }

    /// The places that a move names, if no other move names the same.
    pub(super) fn touched(&self, action: Move) -> Vec<String> {
        if !self.open {
            return Vec::new();
        }
        let touches = self.touches.get_or_init(|| {
            let moves = self.vocabularies.iter().flat_map(|all| all[0].by_name.values());
            let mut first = Vec::new();
            self.reasoner.fluents(&self.start.fluents, &mut first);
            let facts: Vec<Placed> = first.iter().filter_map(|&fact| self.placed(fact)).collect();
            let places: BTreeSet<_> = facts.iter().map(|fact| (fact.x, fact.y)).collect();
            let (columns, rows) = domain(facts.iter());
            let is_board = places.len() >= FEWEST_PLACES && columns.len() * rows.len() <= MOST_CELLS;
            let mut by_spots: FxHashMap<Vec<String>, Vec<TermId>> = FxHashMap::default();
            for mv in moves.filter(|_| is_board) {
                if let Some(spots) = self.named_places(mv.term, &columns, &rows) {
                    by_spots.entry(spots).or_default().push(mv.term);
                }
            }
            let alone = by_spots.into_iter().filter(|(_, moves)| moves.len() == 1);
            alone.map(|(spots, moves)| (moves[0], spots)).collect()
        });
        touches.get(&action.term).cloned().unwrap_or_default()
    }

    /// The arguments of a move as places, if they are nothing else.
    fn named_places(&self, mv: TermId, columns: &[Coordinate], rows: &[Coordinate]) -> Option<Vec<String>> {
        let all: Vec<Coordinate> =
            self.reasoner.terms().args(mv).iter().map(|&arg| self.coordinate(arg)).collect::<Option<_>>()?;
        let spots = all.chunks(2).map(|pair| match pair {
            [x, y] if columns.contains(x) && rows.contains(y) => {
                Some(format!("board/{}-{}", written(*x), written(*y)))
            }
            _ => None,
        });
        spots.collect::<Option<Vec<String>>>().filter(|spots| (1..=MOST_TOUCHES).contains(&spots.len()))
    }

    fn coordinate(&self, term: TermId) -> Option<Coordinate> {
        let terms = self.reasoner.terms();
        if let Some(number) = terms.number(term) {
            return (number < 100).then_some(Ok(number));
        }
        if self.reasoner.roles().contains(&term) {
            return None;
        }
        let mut letters = terms.symbols().name(terms.symbol(term)).chars();
        match (letters.next(), letters.next()) {
            (Some(letter), None) if terms.args(term).is_empty() && letter.is_ascii_lowercase() => {
                Some(Err(letter))
            }
            _ => None,
        }
    }

    /// The fact, if it is about a place.
    fn placed(&self, fact: TermId) -> Option<Placed> {
        let terms = self.reasoner.terms();
        let args = terms.args(fact);
        let pair = |i: usize| Some((self.coordinate(args[i])?, self.coordinate(args[i + 1])?));
        let mut pairs = (0..args.len().saturating_sub(1)).filter_map(|i| Some((i, pair(i)?)));
        let (i, (x, y)) = pairs.clone().find(|(_, (_, y))| y.is_ok()).or_else(|| pairs.next())?;
        let rest = args[..i].iter().chain(&args[i + 2..]);
        Some(Placed {
            x,
            y,
            what: rest.map(|&arg| self.name(arg)).collect(),
            relation: terms.symbols().name(terms.symbol(fact)).to_string(),
        })
    }

    fn board(&self, facts: &[Placed], columns: &[Coordinate], rows: &[Coordinate]) -> Board {
        let name = |x: usize, y: usize| format!("{}-{}", written(columns[x]), written(rows[y]));
        let mut board = Board::new(columns.len(), rows.len(), name);
        let places = |relation: &str| facts.iter().filter(|fact| fact.relation == relation).count();
        let main = facts.iter().map(|fact| fact.relation.as_str()).max_by_key(|name| (places(name), *name));
        for fact in facts {
            let x = columns.iter().position(|c| *c == fact.x);
            let y = rows.iter().position(|c| *c == fact.y);
            if let (Some(x), Some(y), Some(token)) =
                (x, y, self.token(fact, main == Some(fact.relation.as_str())))
            {
                board.cell(x, y).put(token);
            }
        }
        board.below = columns.iter().map(|&c| written(c)).collect();
        board.left = rows.iter().map(|&c| written(c)).collect();
        board
    }

    /// What stands on a place, in the colour of the role whose name it bears, or begins like.
    /// Only the facts of the main relation look like pieces.
    fn token(&self, fact: &Placed, is_main: bool) -> Option<Token> {
        let what = fact.what.join(" ");
        if NOTHING.contains(&what.as_str()) {
            return None;
        }
        let roles: Vec<String> =
            self.seats.iter().map(|&role| self.name(self.reasoner.roles()[role])).collect();
        let whole = roles.iter().position(|role| fact.what.contains(role));
        let mut alike = (0..roles.len())
            .filter(|&seat| !what.is_empty() && roles[seat].chars().next() == what.chars().next());
        let owner = whole.or_else(|| alike.next().filter(|_| alike.next().is_none()));
        let name = if what.is_empty() { fact.relation.clone() } else { format!("{} {what}", fact.relation) };
        let token = match (what.as_str(), whole) {
            _ if !is_main => Token::new(Look::Block).labelled(short(&fact.relation)),
            ("x", _) => Token::new(Look::Cross),
            ("o", _) => Token::new(Look::Ring),
            (_, Some(_)) if fact.what.len() == 1 => Token::new(Look::Disc),
            ("", _) => Token::new(Look::Block).labelled(short(&fact.relation)),
            _ => Token::new(Look::Block).labelled(short(&what)),
        };
        let token = token.named(name);
        Some(match owner {
            Some(seat) => token.of(Player(seat as u8)),
            None => token,
        })
    }

    fn facts_zone(&self, facts: &[TermId]) -> Zone {
        let terms = self.reasoner.terms();
        let mut table = Table::default();
        for &fact in facts.iter().take(MOST_FACTS) {
            let args: Vec<String> = terms.args(fact).iter().map(|&arg| self.name(arg)).collect();
            table.row([terms.symbols().name(terms.symbol(fact)).to_string(), args.join(", ")]);
        }
        if facts.len() > MOST_FACTS {
            table.row(["...".to_string(), format!("{} more", facts.len() - MOST_FACTS)]);
        }
        Zone::table("facts", table).titled(if facts.is_empty() { "No facts hold" } else { "Facts" })
    }

    fn caption(&self, state: &GdlState<R::State>, by: Observer) -> String {
        let role = |p: Player| self.name(self.reasoner.roles()[self.seats[p.index()]]);
        if let Some(broken) = state.broken() {
            return format!("The game is over: {broken}.");
        }
        match self.turn(state) {
            Turn::Terminal => {
                let goals = self.rewards_in(&state.fluents);
                let gets = |p: Player| format!("{} gets {} of 100", role(p), (100.0 * goals[p]).round());
                let all: Vec<String> = Player::all(self.seats.len()).map(gets).collect();
                format!("The game is over: {}.", all.join(", "))
            }
            Turn::Chance if state.chosen.is_empty() => "Chance is to draw.".to_string(),
            Turn::Chance => {
                let roles = self.reasoner.roles();
                let chosen =
                    |&role: &usize| format!("{}:{}", self.name(roles[role]), self.name(state.chosen[role]));
                let all: Vec<String> = self.seats.iter().map(chosen).collect();
                format!("Chance is to draw. Already chosen: {}.", all.join(" "))
            }
            turn => {
                let players = turn.players();
                let others: Vec<String> = players.iter().filter(|&p| !by.is(p)).map(role).collect();
                match (by.seat().filter(|&p| players.contains(p)), others.is_empty()) {
                    (Some(p), true) => format!("Your turn as {}.", role(p)),
                    (Some(p), false) => {
                        format!("Your turn as {}, at the same time as {}.", role(p), others.join(" and "))
                    }
                    (None, _) => format!("{} to move.", others.join(" and ")),
                }
            }
        }
    }
}

/// All coordinates of these facts, numbers without gaps: from the left, and from the top.
fn domain<'a>(facts: impl Iterator<Item = &'a Placed> + Clone) -> (Vec<Coordinate>, Vec<Coordinate>) {
    let filled = |all: BTreeSet<Coordinate>| {
        let numbers: Vec<u32> = all.iter().filter_map(|c| c.ok()).collect();
        let range = numbers.first().zip(numbers.last()).map_or(0..0, |(&low, &high)| low..high + 1);
        let letters = all.into_iter().filter(Result::is_err);
        range.map(Ok).chain(letters).collect::<Vec<Coordinate>>()
    };
    let columns = filled(facts.clone().map(|fact| fact.x).collect());
    let mut rows = filled(facts.map(|fact| fact.y).collect());
    rows.reverse();
    (columns, rows)
}

fn written(coordinate: Coordinate) -> String {
    coordinate.map_or_else(|letter| letter.to_string(), |number| number.to_string())
}

fn short(text: &str) -> String {
    text.chars().take(4).collect()
}

//! Gambit's extensive game format (`.efg`), in and out.
//!
//! A file is a header and the nodes of the tree in prefix order: a node, then its subtrees from left to right.
//! Blanks and line ends only separate; text stands in double quotes.
//!
//! ```text
//! EFG 2 R "Matching pennies" { "even" "odd" }
//! "An optional comment"
//!
//! p "" 1 1 "first" { "heads" "tails" } 0
//! p "" 2 1 "second" { "heads" "tails" } 0
//! t "" 1 "even wins" { 1, -1 }
//! t "" 2 "odd wins" { -1, 1 }
//! p "" 2 1 0
//! t "" 2
//! t "" 1
//! ```
//!
//! - Header: `EFG`, the version 2, `R` (or `D` in old files), the title, the players' names, a comment or none.
//! - Chance: `c`, the node's name, the number of the event, its name, `{` moves with their probabilities `}`,
//!   the outcome.
//! - A player: `p`, the node's name, the player (from 1), the number of the information set, its name,
//!   `{` moves `}`, the outcome.
//! - An end: `t`, the node's name, the outcome.
//! - An outcome is a number, a name, and `{` a payoff for each player `}`, with or without commas between them.
//!   0 is no outcome and has neither name nor payoffs. Outcomes may stand at any node: a player gets the sum of
//!   all payoffs on the path.
//! - Events, information sets (of a player) and outcomes are known by their numbers. Whoever mentions one again
//!   may leave out what was said the first time (`p "" 2 1 0`), or must say the same.
//! - Numbers are integers, decimals or fractions. A quote inside a text is written `\"`, a backslash `\\`.
//!
//! # What reading changes
//!
//! Names of moves and players must be different single words here, so blanks become `_`, an empty name becomes
//! its place in the list (from 1), and a name met before in the list gets `_2`, `_3` and so on. An information
//! set without a name is called `(player,number)` as Gambit does; one whose name is taken gets `_2`, `_3` and
//! so on. Names of nodes, events and outcomes are dropped, and payoffs on the way are added to those at the
//! ends.
//!
//! # What writing leaves out
//!
//! The format has no place for what players see before they come to move (`seen` in the [JSON
//! form](super::json)); information sets are not touched by this.

use std::collections::HashMap;

use fogtree_core::{MAX_PLAYERS, Player, Players};

use super::build::{Draft, Sketch, Unlike, check_probabilities, words};
use super::{BadTree, Kind, Tree, number};

impl Tree {
    /// Reads Gambit's extensive game format.
    pub fn from_efg(text: &str) -> Result<Tree, BadTree> {
        let mut reader = Reader {
            lexer: Lexer { text, at: 0 },
            next: Token::End,
            next_at: 0,
            draft: Draft::default(),
            labels: Unlike::default(),
            events: HashMap::new(),
            infosets: HashMap::new(),
            outcomes: HashMap::new(),
        };
        reader.advance()?;
        reader.header()?;
        reader.nodes()?;
        reader.draft.finish()
    }

    /// The tree in Gambit's extensive game format. [`Tree::from_efg`] reads it back as an equal tree, unless
    /// players see moves in between (see the [module](self)).
    pub fn to_efg(&self) -> String {
        let list = |names: &[String]| names.iter().map(|name| quoted(name)).collect::<Vec<_>>().join(" ");
        let mut text = format!("EFG 2 R {} {{ {} }}\n", quoted(&self.title), list(&self.players));
        text += &format!("{}\n\n", quoted(&self.about));
        let mut events = 0;
        let mut count = [0; MAX_PLAYERS];
        let numbers: Vec<usize> = self
            .infosets
            .iter()
            .map(|set| {
                count[set.player.index()] += 1;
                count[set.player.index()]
            })
            .collect();
        let mut outcomes: HashMap<String, usize> = HashMap::new();
        for (node, here) in (0..).zip(&self.nodes) {
            let moves = self.edges_of(node).iter();
            match here.kind {
                Kind::Chance => {
                    events += 1;
                    let moves = moves.map(|e| {
                        format!("{} {}", quoted(&self.outcomes[e.name as usize]), number::probability(e.p))
                    });
                    text +=
                        &format!("c \"\" {events} \"\" {{ {} }} 0\n", moves.collect::<Vec<_>>().join(" "));
                }
                Kind::Decision(set) => {
                    let number = numbers[set as usize];
                    let set = &self.infosets[set as usize];
                    let moves: Vec<String> = moves.map(|e| quoted(&self.actions[e.name as usize])).collect();
                    text += &format!(
                        "p \"\" {} {number} {} {{ {} }} 0\n",
                        set.player.index() + 1,
                        quoted(&set.label),
                        moves.join(" ")
                    );
                }
                Kind::End(at) => {
                    let payoffs: Vec<String> =
                        self.rewards_of(at).iter().map(|&r| number::reward(r)).collect();
                    let payoffs = payoffs.join(", ");
                    let next = outcomes.len() + 1;
                    let outcome = *outcomes.entry(payoffs.clone()).or_insert(next);
                    text += &format!("t \"\" {outcome} \"\" {{ {payoffs} }}\n");
                }
            }
        }
        text
    }
}

fn quoted(text: &str) -> String {
    format!("\"{}\"", text.replace('\\', "\\\\").replace('"', "\\\""))
}

/// A word of the format.
#[derive(Clone, PartialEq, Debug)]
enum Token<'a> {
    /// Digits and what else numbers are written with.
    Number(&'a str),
    /// What stood between quotes.
    Text(String),
    /// A word without quotes.
    Symbol(&'a str),
    Open,
    Close,
    Comma,
    End,
}

impl Token<'_> {
    fn describe(&self) -> String {
        let shown = |text: &str| text.chars().take(30).collect::<String>();
        match self {
            Token::Number(text) | Token::Symbol(text) => format!("'{}'", shown(text)),
            Token::Text(text) => format!("\"{}\"", shown(text)),
            Token::Open => "'{'".to_string(),
            Token::Close => "'}'".to_string(),
            Token::Comma => "','".to_string(),
            Token::End => "the end of the file".to_string(),
        }
    }
}

/// Cuts the text into words.
struct Lexer<'a> {
    text: &'a str,
    at: usize,
}

impl<'a> Lexer<'a> {
    fn error(&self, at: usize, what: impl Into<String>) -> BadTree {
        let before = &self.text[..at];
        let line = before.matches('\n').count() + 1;
        let column = before.rsplit('\n').next().unwrap_or_default().chars().count() + 1;
        BadTree::Text { line, column, what: what.into() }
    }

    fn next(&mut self) -> Result<(usize, Token<'a>), BadTree> {
        let rest = &self.text[self.at..];
        self.at += rest.len() - rest.trim_start().len();
        let start = self.at;
        let rest = &self.text[start..];
        let Some(first) = rest.chars().next() else { return Ok((start, Token::End)) };
        let token = match first {
            '{' => Token::Open,
            '}' => Token::Close,
            ',' => Token::Comma,
            '"' => {
                let (text, length) =
                    unquoted(&rest[1..]).ok_or_else(|| self.error(start, "the closing quote is missing"))?;
                self.at += length + 1;
                return Ok((start, Token::Text(text)));
            }
            _ => {
                let ends = |c: char| c.is_whitespace() || "{},\"".contains(c);
                let word = &rest[..rest.find(ends).unwrap_or(rest.len())];
                self.at += word.len();
                let numeric = first.is_ascii_digit() || "+-.".contains(first);
                return Ok((start, if numeric { Token::Number(word) } else { Token::Symbol(word) }));
            }
        };
        self.at += 1;
        Ok((start, token))
    }
}

/// The text up to the closing quote, and how many bytes it takes with the quote.
fn unquoted(rest: &str) -> Option<(String, usize)> {
    let mut text = String::new();
    let mut chars = rest.char_indices().peekable();
    while let Some((at, c)) = chars.next() {
        match c {
            '"' => return Some((text, at + 1)),
            '\\' => match chars.next_if(|(_, c)| ['"', '\\'].contains(c)) {
                Some((_, escaped)) => text.push(escaped),
                None => text.push('\\'),
            },
            c => text.push(c),
        }
    }
    None
}

/// Chance's moves, as said the first time.
struct Event {
    labels: Vec<String>,
    names: Vec<String>,
    probabilities: Vec<f64>,
}

/// A player's moves, as said the first time.
struct Set {
    number: u32,
    labels: Vec<String>,
    names: Vec<String>,
}

struct Reader<'a> {
    lexer: Lexer<'a>,
    next: Token<'a>,
    next_at: usize,
    draft: Draft,
    labels: Unlike,
    events: HashMap<u64, Event>,
    infosets: HashMap<(Player, u64), Set>,
    outcomes: HashMap<u64, Vec<f64>>,
}

impl<'a> Reader<'a> {
    fn advance(&mut self) -> Result<Token<'a>, BadTree> {
        let (at, token) = self.lexer.next()?;
        self.next_at = at;
        Ok(std::mem::replace(&mut self.next, token))
    }

    /// An error at the word to come.
    fn error(&self, what: impl Into<String>) -> BadTree {
        self.lexer.error(self.next_at, what)
    }

    fn expected(&self, what: &str) -> BadTree {
        self.error(format!("expected {what}, found {}", self.next.describe()))
    }

    fn expect(&mut self, token: &Token<'_>, what: &str) -> Result<(), BadTree> {
        if self.next != *token {
            return Err(self.expected(what));
        }
        self.advance().map(drop)
    }

    fn text(&mut self, what: &str) -> Result<String, BadTree> {
        match &self.next {
            Token::Text(_) => match self.advance()? {
                Token::Text(text) => Ok(text),
                _ => unreachable!("it was a text"),
            },
            _ => Err(self.expected(what)),
        }
    }

    /// A text if one comes next.
    fn text_if_any(&mut self) -> Result<Option<String>, BadTree> {
        match self.next {
            Token::Text(_) => self.text("a text").map(Some),
            _ => Ok(None),
        }
    }

    fn whole(&mut self, what: &str) -> Result<u64, BadTree> {
        let whole = match self.next {
            Token::Number(text) => text.parse().ok(),
            _ => None,
        };
        let whole = whole.ok_or_else(|| self.expected(what))?;
        self.advance()?;
        Ok(whole)
    }

    fn number(&mut self, what: &str) -> Result<f64, BadTree> {
        let value = match self.next {
            Token::Number(text) => number::parse(text),
            _ => None,
        };
        let value = value.ok_or_else(|| self.expected(what))?;
        self.advance()?;
        Ok(value)
    }

    fn header(&mut self) -> Result<(), BadTree> {
        self.expect(&Token::Symbol("EFG"), "'EFG' at the beginning")?;
        self.expect(&Token::Number("2"), "the version 2")?;
        if self.next == Token::Symbol("D") {
            self.advance()?;
        } else {
            self.expect(&Token::Symbol("R"), "'R' or 'D'")?;
        }
        self.draft.title = self.text("the title in quotes")?;
        self.expect(&Token::Open, "'{' before the players")?;
        let mut players = Vec::new();
        while self.next != Token::Close {
            players.push(self.text("the name of a player in quotes, or '}'")?);
        }
        self.draft.players = words(players.iter().map(String::as_str));
        self.draft.check_players().map_err(|e| self.error(e.to_string()))?;
        self.advance()?;
        self.draft.about = self.text_if_any()?.unwrap_or_default();
        Ok(())
    }

    fn nodes(&mut self) -> Result<(), BadTree> {
        // The payoffs collected so far, for every node still to come; the next one on top.
        let mut stack = vec![vec![0.0; self.draft.players.len()]];
        while let Some(mut payoffs) = stack.pop() {
            let Token::Symbol(kind @ ("c" | "p" | "t")) = self.next else {
                return Err(self.expected(&format!("a node (c, p or t); {} to come", stack.len() + 1)));
            };
            self.advance()?;
            self.text("the name of the node in quotes")?;
            let (sketch, moves) = match kind {
                "c" => self.chance()?,
                "p" => self.decision()?,
                _ => (Sketch::End(Vec::new()), 0),
            };
            self.outcome(&mut payoffs)?;
            let sketch = if moves == 0 { Sketch::End(payoffs.clone()) } else { sketch };
            self.draft.push(sketch)?;
            stack.extend(std::iter::repeat_n(payoffs, moves));
        }
        if self.next != Token::End {
            return Err(self.expected("the end of the file, because the tree is complete"));
        }
        Ok(())
    }

    /// The rest of a chance node, up to its outcome, and the number of its moves.
    fn chance(&mut self) -> Result<(Sketch, usize), BadTree> {
        let at = self.next_at;
        let number = self.whole("the number of the event")?;
        let name = self.text_if_any()?;
        if self.next == Token::Open {
            let (labels, probabilities) = self.moves(true)?;
            match self.events.get(&number) {
                Some(known) if known.labels == labels && known.probabilities == probabilities => {}
                Some(_) => return Err(self.again(at, &format!("event {number}"))),
                None => {
                    check_probabilities(probabilities.iter().copied())
                        .map_err(|what| self.lexer.error(at, what))?;
                    let names = words(labels.iter().map(String::as_str));
                    self.events.insert(number, Event { labels, names, probabilities });
                }
            }
        } else if name.is_some() {
            return Err(self.expected("'{' and moves"));
        }
        let Some(event) = self.events.get(&number) else {
            return Err(self.lexer.error(at, format!("event {number} was not described before")));
        };
        let moves = event.names.iter().zip(&event.probabilities);
        let branches: Vec<_> =
            moves.map(|(name, &p)| self.draft.branch(name, p, Players::default())).collect();
        let count = branches.len();
        Ok((Sketch::Chance(branches), count))
    }

    /// The rest of a player's node, up to its outcome, and the number of its moves.
    fn decision(&mut self) -> Result<(Sketch, usize), BadTree> {
        let at = self.next_at;
        let players = self.draft.players.len();
        let player = self.whole("the number of a player")?;
        if player < 1 || player > players as u64 {
            return Err(self.lexer.error(at, format!("there is no player {player}, only 1 to {players}")));
        }
        let player = Player(player as u8 - 1);
        let at = self.next_at;
        let number = self.whole("the number of the information set")?;
        let name = self.text_if_any()?;
        if self.next == Token::Open {
            let (labels, _) = self.moves(false)?;
            match self.infosets.get(&(player, number)) {
                Some(known) if known.labels == labels => {}
                Some(_) => return Err(self.again(at, &format!("information set {number}"))),
                None => {
                    let default = || format!("({},{number})", player.index() + 1);
                    let label = name.filter(|name| !name.is_empty()).unwrap_or_else(default);
                    let label = self.labels.text(&label);
                    let set = self.draft.infosets.len() as u32;
                    self.draft.infosets.push((player, Some(label)));
                    let names = words(labels.iter().map(String::as_str));
                    self.infosets.insert((player, number), Set { number: set, labels, names });
                }
            }
        } else if name.is_some() {
            return Err(self.expected("'{' and moves"));
        }
        let Some(set) = self.infosets.get(&(player, number)) else {
            return Err(self.lexer.error(at, format!("information set {number} was not described before")));
        };
        let branches: Vec<_> =
            set.names.iter().map(|name| self.draft.branch(name, 1.0, Players::default())).collect();
        let count = branches.len();
        Ok((Sketch::Decision(set.number, branches), count))
    }

    fn again(&self, at: usize, what: &str) -> BadTree {
        self.lexer.error(at, format!("{what} has other moves than when it was described before"))
    }

    /// Moves in braces, with probabilities if they are chance's.
    fn moves(&mut self, of_chance: bool) -> Result<(Vec<String>, Vec<f64>), BadTree> {
        self.expect(&Token::Open, "'{'")?;
        let (mut labels, mut probabilities) = (Vec::new(), Vec::new());
        while self.next != Token::Close {
            labels.push(self.text("the name of a move in quotes, or '}'")?);
            if of_chance {
                probabilities.push(self.number("a probability")?);
            }
        }
        if labels.is_empty() {
            return Err(self.expected("at least one move"));
        }
        self.advance()?;
        Ok((labels, probabilities))
    }

    /// An outcome, whose payoffs are added.
    fn outcome(&mut self, payoffs: &mut [f64]) -> Result<(), BadTree> {
        let at = self.next_at;
        let number = self.whole("the number of an outcome")?;
        let name = self.text_if_any()?;
        if self.next == Token::Open {
            if number == 0 {
                return Err(self.lexer.error(at, "outcome 0 is no outcome and has no payoffs"));
            }
            self.advance()?;
            let mut given = Vec::with_capacity(payoffs.len());
            while self.next != Token::Close {
                given.push(self.number("a payoff, or '}'")?);
                if self.next == Token::Comma {
                    self.advance()?;
                }
            }
            if given.len() != payoffs.len() {
                return Err(self.error(format!("{} payoffs for {} players", given.len(), payoffs.len())));
            }
            self.advance()?;
            let known = self.outcomes.entry(number).or_insert_with(|| given.clone());
            if *known != given {
                return Err(self.lexer.error(
                    at,
                    format!("outcome {number} has other payoffs than when it was described before"),
                ));
            }
        } else if name.is_some() {
            return Err(self.expected("'{' and payoffs"));
        }
        match self.outcomes.get(&number) {
            Some(known) => payoffs.iter_mut().zip(known).for_each(|(sum, payoff)| *sum += payoff),
            None if number == 0 => {}
            None => return Err(self.lexer.error(at, format!("outcome {number} was not described before"))),
        }
        Ok(())
    }
}

//! What managers and players say to each other.
//!
//! A message is one expression in KIF; words are the same in any case, white space and comments do not matter. Three
//! ways of speaking exist, and they differ in what PLAY and STOP tell:
//!
//! | [`Dialect`] | PLAY and STOP | the list holds |
//! |---|---|---|
//! | plain GDL | `(PLAY id (m1 ... mk))` | the joint move, in the order of the roles |
//! | GDL-II, dialect A (Dresden 2010) | `(PLAY id (p1 ... pn))` | what this player perceived |
//! | GDL-II, dialect B (Dresden later) | `(PLAY id turn lastmove (p1 ... pn))` | likewise; the turn is counted from 0 and `lastmove` is what was really done for this player |
//!
//! The first PLAY has `NIL` for what has not happened. Dialect B is told by its five parts; whether the list of three
//! parts is a joint move or percepts is told by the rule sheet.

use std::fmt;
use std::str::FromStr;

use fogtree_gdl::read::{Expression, read, text_of};
use fogtree_gdl::{Sheet, Symbols, print};

/// How manager and player speak.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, serde::Serialize, serde::Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Dialect {
    /// Everybody is told the joint move.
    Gdl,
    /// Everybody is told what it perceived.
    A,
    /// Likewise, with the number of the turn and the own move that was made.
    B,
}

impl Dialect {
    /// All of them with their names.
    pub const ALL: [(&'static str, Dialect); 3] =
        [("gdl", Dialect::Gdl), ("a", Dialect::A), ("b", Dialect::B)];
}

impl fmt::Display for Dialect {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let name = Dialect::ALL.iter().find(|d| d.1 == *self).map_or("", |d| d.0);
        f.write_str(name)
    }
}

impl FromStr for Dialect {
    type Err = String;

    fn from_str(text: &str) -> Result<Dialect, String> {
        let found = Dialect::ALL.iter().find(|d| d.0.eq_ignore_ascii_case(text));
        found.map(|d| d.1).ok_or_else(|| format!("'{text}' is no dialect; there are gdl, a and b"))
    }
}

/// What happened since the last message, as PLAY and STOP tell it. Terms are texts, their words in lower case.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum News {
    /// A joint move or percepts, `None` if nothing has happened yet.
    List(Option<Vec<String>>),
    /// A numbered turn.
    Turn {
        /// How many PLAY messages came before.
        turn: u32,
        /// What was done for this player, if anything was.
        last: Option<String>,
        /// What it perceived.
        percepts: Vec<String>,
    },
}

/// What a manager says to a player. Names of matches and roles are in lower case.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Message {
    /// Who are you, and are you free?
    Info,
    /// A match with these rules may follow.
    Preview {
        /// The rules, as text.
        rules: String,
        /// Seconds to look at them.
        clock: u32,
    },
    /// A match begins.
    Start {
        /// The name of the match.
        id: String,
        /// The role that the player has.
        role: String,
        /// The rules, as text.
        rules: String,
        /// Seconds until the match begins.
        start_clock: u32,
        /// Seconds for each move.
        play_clock: u32,
    },
    /// This happened: what do you do?
    Play {
        /// The name of the match.
        id: String,
        /// What happened.
        news: News,
    },
    /// This happened, and the match is over.
    Stop {
        /// The name of the match.
        id: String,
        /// What happened.
        news: News,
    },
    /// The match is broken off.
    Abort {
        /// The name of the match.
        id: String,
    },
}

/// Why a text is no message.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum BadMessage {
    /// Not KIF.
    #[error("the message cannot be read: {0}")]
    Text(String),
    /// Rules that are too large.
    #[error("the rules have {0} bytes; at most {1} are taken")]
    RulesTooLarge(usize, usize),
    /// KIF that is none of the messages.
    #[error("expected {0}")]
    Form(&'static str),
}

const FORM: &str = "one of (INFO), (PREVIEW rules clock), (START id role rules startclock playclock), \
    (PLAY id news), (STOP id news) and (ABORT id)";

impl Message {
    /// Reads a message whose rules, if it has any, have at most so many bytes.
    pub fn parse(bytes: &[u8], most_rules: usize) -> Result<Message, BadMessage> {
        let unreadable = |why: fogtree_gdl::Diagnostic| BadMessage::Text(why.message);
        let text = text_of(bytes).map_err(unreadable)?;
        let mut symbols = Symbols::default();
        let all = read(text, &mut symbols).map_err(unreadable)?;
        let mut whole = all.iter();
        let (Some(message), None) = (whole.next(), whole.next()) else { return Err(BadMessage::Form(FORM)) };
        let reader = Reader { text, symbols: &symbols, most_rules };
        let parts: Vec<Expression<'_>> = message.items().take(7).collect();
        let Some((first, parts)) = parts.split_first() else {
            return match message.word().map(|word| symbols.name(word)) {
                Some("info" | "ping") => Ok(Message::Info),
                _ => Err(BadMessage::Form(FORM)),
            };
        };
        match (reader.word(*first)?, parts) {
            ("info" | "ping", []) => Ok(Message::Info),
            ("preview", &[rules, clock]) => {
                Ok(Message::Preview { rules: reader.rules(rules)?, clock: reader.number(clock)? })
            }
            ("start", &[id, role, rules, start_clock, play_clock]) => Ok(Message::Start {
                id: reader.name(id)?,
                role: role.text(&symbols),
                rules: reader.rules(rules)?,
                start_clock: reader.number(start_clock)?,
                play_clock: reader.number(play_clock)?,
            }),
            ("play", [id, news @ ..]) => {
                Ok(Message::Play { id: reader.name(*id)?, news: reader.news(news)? })
            }
            ("stop", [id, news @ ..]) => {
                Ok(Message::Stop { id: reader.name(*id)?, news: reader.news(news)? })
            }
            ("abort", [id]) => Ok(Message::Abort { id: reader.name(*id)? }),
            _ => Err(BadMessage::Form(FORM)),
        }
    }
}

struct Reader<'a> {
    text: &'a str,
    symbols: &'a Symbols,
    most_rules: usize,
}

impl<'a> Reader<'a> {
    fn word(&self, expression: Expression<'_>) -> Result<&'a str, BadMessage> {
        expression.word().map(|word| self.symbols.name(word)).ok_or(BadMessage::Form(FORM))
    }

    fn name(&self, expression: Expression<'_>) -> Result<String, BadMessage> {
        let name = expression.word().map(|word| self.symbols.name(word).to_string());
        name.ok_or(BadMessage::Form("a word as the name of the match"))
    }

    fn number(&self, expression: Expression<'_>) -> Result<u32, BadMessage> {
        let digits = self.word(expression)?;
        let number = if digits.bytes().all(|b| b.is_ascii_digit()) { digits.parse().ok() } else { None };
        number.ok_or(BadMessage::Form("a whole number of seconds or turns"))
    }

    /// What is written between the parentheses of the list of rules.
    fn rules(&self, expression: Expression<'_>) -> Result<String, BadMessage> {
        if expression.word().is_some() {
            return Err(BadMessage::Form("a list of rules"));
        }
        let range = expression.span().range();
        let rules = &self.text[range.start + 1..range.end - 1];
        if rules.len() > self.most_rules {
            return Err(BadMessage::RulesTooLarge(rules.len(), self.most_rules));
        }
        Ok(rules.to_string())
    }

    fn terms(&self, expression: Expression<'_>) -> Result<Option<Vec<String>>, BadMessage> {
        match expression.word() {
            None => Ok(Some(expression.items().map(|item| item.text(self.symbols)).collect())),
            Some(word) if self.symbols.name(word) == "nil" => Ok(None),
            Some(_) => Err(BadMessage::Form("NIL or a list of moves or percepts")),
        }
    }

    fn news(&self, parts: &[Expression<'_>]) -> Result<News, BadMessage> {
        match parts {
            [list] => Ok(News::List(self.terms(*list)?)),
            [turn, last, percepts] => {
                let last = last.text(self.symbols);
                Ok(News::Turn {
                    turn: self.number(*turn)?,
                    last: (last != "nil").then_some(last),
                    percepts: self.terms(*percepts)?.unwrap_or_default(),
                })
            }
            _ => Err(BadMessage::Form("what happened: a list, or a turn, a move and a list")),
        }
    }
}

impl fmt::Display for News {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            News::List(None) => f.write_str("NIL"),
            News::List(Some(terms)) => write!(f, "({})", terms.join(" ")),
            News::Turn { turn, last: None, percepts } if percepts.is_empty() => write!(f, "{turn} NIL NIL"),
            News::Turn { turn, last, percepts } => {
                write!(f, "{turn} {} ({})", last.as_deref().unwrap_or("NIL"), percepts.join(" "))
            }
        }
    }
}

impl fmt::Display for Message {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Message::Info => f.write_str("(INFO)"),
            Message::Preview { rules, clock } => write!(f, "(PREVIEW ({rules}) {clock})"),
            Message::Start { id, role, rules, start_clock, play_clock } => {
                write!(f, "(START {id} {role} ({rules}) {start_clock} {play_clock})")
            }
            Message::Play { id, news } => write!(f, "(PLAY {id} {news})"),
            Message::Stop { id, news } => write!(f, "(STOP {id} {news})"),
            Message::Abort { id } => write!(f, "(ABORT {id})"),
        }
    }
}

/// What a player says.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Reply {
    /// To INFO.
    Info {
        /// The name of the player, one word.
        name: String,
        /// Whether it could start another match.
        available: bool,
    },
    /// To PREVIEW and START: let us begin.
    Ready,
    /// There is another match, or no such match.
    Busy,
    /// To PLAY: this move.
    Move(String),
    /// To PLAY: I do not know.
    Nil,
    /// To STOP.
    Done,
    /// To ABORT.
    Aborted,
}

impl fmt::Display for Reply {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Reply::Info { name, available } => {
                let status = if *available { "available" } else { "busy" };
                write!(f, "((name {name}) (status {status}) (species computer))")
            }
            Reply::Ready => f.write_str("READY"),
            Reply::Busy => f.write_str("BUSY"),
            Reply::Move(text) => f.write_str(text),
            Reply::Nil => f.write_str("NIL"),
            Reply::Done => f.write_str("DONE"),
            Reply::Aborted => f.write_str("ABORTED"),
        }
    }
}

/// What a player says of itself.
#[derive(Clone, PartialEq, Eq, Debug, Default, serde::Serialize)]
pub struct Info {
    /// Its name.
    pub name: Option<String>,
    /// Whether it could start a match.
    pub available: bool,
    /// What it is: `computer` or `human`.
    pub species: Option<String>,
}

impl Info {
    /// Reads what was answered to INFO: a list of pairs or, from older players, one word.
    pub fn parse(text: &str) -> Option<Info> {
        let mut symbols = Symbols::default();
        let all = read(text, &mut symbols).ok()?;
        let mut whole = all.iter();
        let (Some(answer), None) = (whole.next(), whole.next()) else { return None };
        let available = |status: &str| match status {
            "available" | "ready" => Some(true),
            "busy" => Some(false),
            _ => None,
        };
        if let Some(word) = answer.word() {
            return Some(Info { available: available(symbols.name(word))?, ..Info::default() });
        }
        let mut info = Info::default();
        let mut status = None;
        for pair in answer.items() {
            let parts: Vec<String> = pair.items().map(|part| part.text(&symbols)).collect();
            match &parts[..] {
                [key, value] if key == "name" => info.name = Some(value.clone()),
                [key, value] if key == "species" => info.species = Some(value.clone()),
                [key, value] if key == "status" => status = available(value),
                // Somebody may say more of itself.
                _ => {}
            }
        }
        Some(Info { available: status?, ..info })
    }
}

/// The rule that makes the joint move of a plain game a percept of everybody.
pub const BRIDGE: &str = "(<= (sees ?p (did ?p2 ?m)) (role ?p) (does ?p2 ?m))";

/// A sheet as one line without comments, as managers send it.
pub fn one_line(sheet: &Sheet) -> String {
    let lines: Vec<String> = sheet.clauses.iter().map(|c| print::clause_line(c, &sheet.symbols)).collect();
    lines.join(" ")
}

/// A text as one word: whatever cannot be part of a word becomes a hyphen.
pub fn as_word(text: &str) -> String {
    let fits = |c: char| !c.is_whitespace() && !c.is_control() && !"();?\"".contains(c);
    let word: String = text.chars().map(|c| if fits(c) { c } else { '-' }).collect();
    if word.is_empty() { "-".to_string() } else { word }
}

#[cfg(test)]
mod tests {
    use super::*;

    const MOST: usize = 1 << 20;

    fn parse(text: &str) -> Message {
        Message::parse(text.as_bytes(), MOST).unwrap_or_else(|e| panic!("{text}: {e}"))
    }

    fn list(terms: &[&str]) -> News {
        News::List(Some(terms.iter().map(|t| (*t).to_string()).collect()))
    }

    /// The traces that the spec gives for dialect A.
    #[test]
    fn traces_of_the_card_game_and_of_meier_are_read() {
        let play = |id: &str, news| Message::Play { id: id.into(), news };
        let stop = |id: &str, news| Message::Stop { id: id.into(), news };
        for (text, expected) in [
            ("(PLAY scg1 NIL)", play("scg1", News::List(None))),
            ("(PLAY scg1 (QUEEN))", play("scg1", list(&["queen"]))),
            ("(PLAY scg1 (YOURTURN))", play("scg1", list(&["yourturn"]))),
            ("(STOP scg1 ())", stop("scg1", list(&[]))),
            (
                "(PLAY meierid1 ((MY_DICE 1 3) (DOES P1 NOOP) (DOES P2 NOOP)))",
                play("meierid1", list(&["(my_dice 1 3)", "(does p1 noop)", "(does p2 noop)"])),
            ),
            (
                "(STOP meierid1 ((DOES P1 NOOP) (DOES P2 YOU_BLUFF)))",
                stop("meierid1", list(&["(does p1 noop)", "(does p2 you_bluff)"])),
            ),
        ] {
            assert_eq!(parse(text), expected);
            assert!(expected.to_string().eq_ignore_ascii_case(text), "{expected}");
        }
    }

    #[test]
    fn the_later_dialect_has_turns() {
        let turn = |turn, last: Option<&str>, percepts: &[&str]| News::Turn {
            turn,
            last: last.map(Into::into),
            percepts: percepts.iter().map(|p| (*p).to_string()).collect(),
        };
        for (text, news) in [
            ("(PLAY m 0 NIL NIL)", turn(0, None, &[])),
            ("(PLAY m 1 noop ())", turn(1, Some("noop"), &[])),
            ("(PLAY m 12 (MARK 1 2) ((did x noop) y))", turn(12, Some("(mark 1 2)"), &["(did x noop)", "y"])),
        ] {
            let message = Message::Play { id: "m".into(), news };
            assert_eq!(parse(text), message);
            assert_eq!(parse(&message.to_string()), message);
        }
    }

    #[test]
    fn case_space_and_comments_do_not_matter() {
        let text = "; from somewhere\n( sTaRt\tMatch.1 WHITE\r\n((ROLE White) ; the only one\n (<= (legal White ?X)\n\
            (true ?x))) 30 15 )\n";
        let Message::Start { id, role, rules, start_clock, play_clock } = parse(text) else { panic!() };
        assert_eq!((&*id, &*role, start_clock, play_clock), ("match.1", "white", 30, 15));
        assert_eq!(Sheet::read(&rules).unwrap().clauses.len(), 2);
        for text in ["info", "(INFO)", "( info )", "PING", "(ping)"] {
            assert_eq!(parse(text), Message::Info);
        }
        assert_eq!(parse("(preview () 5)"), Message::Preview { rules: String::new(), clock: 5 });
        assert_eq!(parse("(aBoRt X)"), Message::Abort { id: "x".into() });
    }

    #[test]
    fn what_is_no_message_is_refused() {
        for text in [
            "",
            "()",
            "(())",
            "hello",
            "(hello)",
            "(info 1)",
            "(info) (info)",
            "(play)",
            "(play m)",
            "(play m x)",
            "(play (m) nil)",
            "(play m 1 nil)",
            "(play m x nil nil)",
            "(play m -1 nil nil)",
            "(play m 0 nil nil nil)",
            "(play m 99999999999 nil nil)",
            "(start m white () 10)",
            "(start m white nil 10 10)",
            "(start m white () 1.5 10)",
            "(start m white () 10 10 10)",
            "(abort)",
            "(abort m n)",
            "(play m nil",
            "(play m nil))",
        ] {
            assert!(Message::parse(text.as_bytes(), MOST).is_err(), "{text}");
        }
        assert!(Message::parse(b"(info \xff)", MOST).is_err());
        let deep = format!("(play m {}{})", "(".repeat(100_000), ")".repeat(100_000));
        assert!(Message::parse(deep.as_bytes(), MOST).is_ok(), "deep, but a list");
        assert!(Message::parse("(".repeat(100_000).as_bytes(), MOST).is_err());
        let start = format!("(start m white ({}) 1 1)", "a ".repeat(100));
        assert!(Message::parse(start.as_bytes(), 200).is_ok());
        assert_eq!(Message::parse(start.as_bytes(), 199), Err(BadMessage::RulesTooLarge(200, 199)));
    }

    #[test]
    fn players_say_who_they_are() {
        let reply = Reply::Info { name: "Tiigr".into(), available: true }.to_string();
        let info = Info::parse(&reply).unwrap();
        assert_eq!(
            (info.name.as_deref(), info.available, info.species.as_deref()),
            (Some("tiigr"), true, Some("computer"))
        );
        assert!(
            !Info::parse(&Reply::Info { name: "x".into(), available: false }.to_string()).unwrap().available
        );
        assert!(Info::parse(" READY\n").unwrap().available && Info::parse("available").unwrap().available);
        assert!(
            !Info::parse("Busy").unwrap().available
                && !Info::parse("((status busy) (x y z) w)").unwrap().available
        );
        for bad in ["", "hello", "(", "()", "((name x))", "ready ready", "((status asleep))"] {
            assert_eq!(Info::parse(bad), None, "{bad}");
        }
    }

    #[test]
    fn sheets_go_into_one_line() {
        let sheet =
            Sheet::read("(role a) ; one\n(<= (legal a ?x)\n (true (f ?x))) (<= (goal a 100))").unwrap();
        let line = one_line(&sheet);
        assert_eq!(line, "(role a) (<= (legal a ?x) (true (f ?x))) (<= (goal a 100))");
        assert_eq!(one_line(&Sheet::read(&line).unwrap()), line);
        assert!(Sheet::read(BRIDGE).is_ok());
        assert_eq!(as_word("Fog (tree); 1"), "Fog--tree---1");
    }
}

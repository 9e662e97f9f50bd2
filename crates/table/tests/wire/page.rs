//! The page `docs/json.md`, made from the source of the types: their comments, fields and attributes.

use std::fmt::Write;
use std::fs;

/// A part of the page: a title, the file of the types, and which of them if not all.
struct Part(&'static str, &'static str, &'static [&'static str]);

const PARTS: &[Part] = &[
    Part("Games, agents and solvers", "table/src/wire/about.rs", &[]),
    Part("", "core/src/game.rs", &["Facts", "Chance", "Utility"]),
    Part("Positions", "table/src/wire/position.rs", &[]),
    Part("", "core/src/history.rs", &["Event"]),
    Part("Sessions", "table/src/wire/session.rs", &[]),
    Part("Decisions", "table/src/wire/decision.rs", &[]),
    Part("Search trees", "table/src/wire/tree.rs", &[]),
    Part("Matches", "table/src/wire/matches.rs", &[]),
    Part("Solutions", "table/src/wire/solve.rs", &[]),
    Part("Scenes", "core/src/scene/mod.rs", &[]),
    Part("", "core/src/scene/board.rs", &[]),
    Part("", "core/src/scene/graph.rs", &[]),
    Part("", "core/src/scene/cards.rs", &[]),
    Part("", "core/src/scene/table.rs", &[]),
    Part("", "core/src/scene/token.rs", &[]),
    Part("", "core/src/scene/beliefs.rs", &[]),
];

const HEAD: &str = "<!-- Made by crates/table/tests/wire/page.rs from the comments of the types. -->
# JSON

With `--json` a command prints objects, one a line. Fields may be added; none is renamed or taken away. In
Rust the types are in `fogtree_table::wire`; an example of each is in `crates/table/tests/wire`.

A seat is a number from 0. A key is a text of 32 hexadecimal digits. *Optional* fields are left out where
there is nothing to say. Numbers that are not finite are null.

";

/// A type, a field or a variant, with what stands above it.
#[derive(Default)]
struct Item {
    name: String,
    docs: Vec<String>,
    attributes: String,
    /// Of a field and of a variant that holds something: the Rust type.
    holds: String,
    is_enum: bool,
    parts: Vec<Item>,
}

impl Item {
    /// The value of an attribute such as `rename = "x"`.
    fn attribute(&self, key: &str) -> Option<&str> {
        self.attributes.split_once(&format!("{key} = \""))?.1.split('"').next()
    }

    fn has(&self, word: &str) -> bool {
        self.attributes.contains(word)
    }

    /// The comment in one line, without links.
    fn meaning(&self) -> String {
        plain(&self.docs.join(" "))
    }

    fn json_name(&self, of: &Item) -> String {
        let all = of.attribute("rename_all").filter(|_| of.is_enum);
        match (self.attribute("rename"), all) {
            (Some(name), _) => name.to_string(),
            (None, Some("lowercase")) => self.name.to_lowercase(),
            (None, Some("kebab-case")) => kebab(&self.name),
            _ => self.name.clone(),
        }
    }
}

fn kebab(name: &str) -> String {
    let mut out = String::new();
    for c in name.chars() {
        if c.is_uppercase() && !out.is_empty() {
            out.push('-');
        }
        out.extend(c.to_lowercase());
    }
    out
}

/// A comment without links to other Rust items, for a cell of a table.
fn plain(docs: &str) -> String {
    let mut out = String::new();
    let mut rest = docs;
    while let Some((before, link)) = rest.split_once("[`") {
        let Some((name, after)) = link.split_once("`]") else { break };
        let _ = write!(out, "{before}`{name}`");
        rest = after.strip_prefix('(').and_then(|a| a.split_once(')')).map_or(after, |(_, after)| after);
    }
    (out + rest).replace('|', "\\|")
}

/// The public types of a file that are written as JSON.
fn types(source: &str) -> Vec<Item> {
    let mut types: Vec<Item> = Vec::new();
    let (mut next, mut inside) = (Item::default(), false);
    for line in source.lines() {
        let code = line.trim();
        let indent = line.len() - line.trim_start().len();
        let head = |word: &str| code.strip_prefix(word).and_then(|c| c.strip_suffix(" {"));
        if let Some(words) = code.strip_prefix("///") {
            next.docs.push(words.trim().to_string());
        } else if code.starts_with("#[") {
            next.attributes += code;
        } else if let (0, Some(name)) = (indent, head("pub struct ").or_else(|| head("pub enum "))) {
            inside = next.has("Serialize");
            if inside {
                let is_enum = code.contains("enum");
                types.push(Item { name: name.to_string(), is_enum, ..std::mem::take(&mut next) });
            }
            next = Item::default();
        } else if indent == 0 {
            inside = false;
            next = Item::default();
        } else if inside {
            let of = types.last_mut().expect("inside a type");
            let parts = if indent > 4 {
                &mut of.parts.last_mut().expect("inside a variant").parts
            } else {
                &mut of.parts
            };
            let code = code.trim_end_matches(',');
            match (code.split_once(": "), code.split_once('(')) {
                _ if code == "}" => {}
                (Some((name, holds)), _) => {
                    let name = name.trim_start_matches("pub ").to_string();
                    parts.push(Item { name, holds: holds.to_string(), ..std::mem::take(&mut next) });
                }
                (None, Some((name, holds))) => {
                    let holds = holds.trim_end_matches(')').to_string();
                    parts.push(Item { name: name.to_string(), holds, ..std::mem::take(&mut next) });
                }
                (None, None) => {
                    let name = code.trim_end_matches(" {").to_string();
                    parts.push(Item { name, ..std::mem::take(&mut next) });
                }
            }
        }
    }
    types
}

/// A Rust type in words.
fn json_type(rust: &str) -> String {
    let inner = |head: &str| rust.strip_prefix(head).and_then(|r| r.strip_suffix('>'));
    if let Some(one) = inner("Option<") {
        return format!("{} or null", json_type(one));
    }
    if let Some(one) = inner("Vec<").or_else(|| inner("PerPlayer<")) {
        return format!("list of {}", json_type(one));
    }
    if let Some((by, one)) = inner("BTreeMap<").and_then(|i| i.split_once(", ")) {
        return format!("object of {} by {}", json_type(one), json_type(by));
    }
    if let Some((one, count)) = rust.strip_prefix('[').and_then(|r| r.strip_suffix(']')?.split_once("; ")) {
        return format!("list of {count} {}", json_type(one));
    }
    if let Some((one, _)) = rust.strip_prefix('(').and_then(|r| r.split_once(", ")) {
        return format!("list of 2 {}", json_type(one));
    }
    match rust {
        "String" | "Observation" => "text".to_string(),
        "bool" => "true or false".to_string(),
        "u8" | "u32" | "u64" | "usize" | "Number" | "Seed" => "integer".to_string(),
        "f64" => "number".to_string(),
        "Player" => "seat".to_string(),
        "Key" => "key".to_string(),
        "Rewards" => "list of number".to_string(),
        name => format!("[{name}](#{})", name.to_lowercase()),
    }
}

/// The type of a field in words, with whether it may be missing.
fn field_type(field: &Item) -> String {
    let optional = field.has("skip_serializing_if");
    let rust = field.holds.strip_prefix("Option<").filter(|_| optional).and_then(|r| r.strip_suffix('>'));
    let words = json_type(rust.unwrap_or(&field.holds));
    if optional { format!("{words}, optional") } else { words }
}

fn section(out: &mut String, item: &Item) {
    let paragraphs = item.docs.split(String::is_empty).map(|lines| plain(&lines.join(" ")));
    let _ = writeln!(out, "### {}\n\n{}\n", item.name, paragraphs.collect::<Vec<_>>().join("\n\n"));
    if !item.is_enum {
        let _ = writeln!(out, "| field | value | meaning |\n|---|---|---|");
        for field in &item.parts {
            let name = match field.has("flatten") {
                true => "(fields of)".to_string(),
                false => format!("`{}`", field.json_name(item)),
            };
            let _ = writeln!(out, "| {name} | {} | {} |", field_type(field), field.meaning());
        }
    } else {
        let named = item.parts.iter().any(|variant| !variant.holds.is_empty() && !variant.has("untagged"));
        let otherwise = || if named { "field" } else { "word" }.to_string();
        let head = item.attribute("tag").map_or_else(otherwise, |tag| format!("`{tag}`"));
        let _ = writeln!(out, "| {head} | with | meaning |\n|---|---|---|");
        for variant in &item.parts {
            let field = |f: &Item| format!("`{}` ({}): {}", f.json_name(variant), field_type(f), f.meaning());
            let fields: Vec<String> = variant.parts.iter().map(field).collect();
            let with = if variant.holds.is_empty() { fields.join(" ") } else { json_type(&variant.holds) };
            let name = match variant.has("untagged") {
                true => String::new(),
                false => format!("`{}`", variant.json_name(item)),
            };
            let _ = writeln!(out, "| {name} | {with} | {} |", variant.meaning());
        }
    }
    out.push('\n');
}

/// The commands that a type says it is printed by.
fn commands(item: &Item) -> impl Iterator<Item = &str> {
    let told = item.docs.iter().skip_while(|line| !line.is_empty());
    told.flat_map(|line| line.split('`')).filter(|words| words.starts_with("fogtree "))
}

pub(super) fn page() -> String {
    // Core knows of no command.
    let mut index = vec!["| `fogtree sample --count --json` | [Beliefs](#beliefs) |\n".to_string()];
    let mut body = String::new();
    for Part(title, file, wanted) in PARTS {
        let path = super::root().join("..").join(file);
        let source = fs::read_to_string(&path).unwrap_or_else(|why| panic!("{file}: {why}"));
        if !title.is_empty() {
            let _ = writeln!(body, "## {title}\n");
        }
        for item in types(&source).iter().filter(|item| wanted.is_empty() || wanted.contains(&&*item.name)) {
            for command in commands(item) {
                index.push(format!("| `{command}` | {} |\n", json_type(&item.name)));
            }
            section(&mut body, item);
        }
    }
    index.sort();
    format!("{HEAD}| command | prints |\n|---|---|\n{}\n{}\n", index.concat(), body.trim_end())
}

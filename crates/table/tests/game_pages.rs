//! The pages of `docs/games/`: one for each registered game, made from the registry, an example position and
//! the hand-written notes of `docs/games/notes/`. The test fails if a page is not what it should be.
//!
//! `FOGTREE_BLESS=1 cargo test -p fogtree-table --test game_pages` writes the pages anew.

use std::collections::BTreeSet;
use std::fmt::Write;
use std::fs;
use std::path::PathBuf;

use fogtree_core::{About, Chance, Facts, Observer, Player, Purpose, Seed, Turn, Utility, text};
use fogtree_draw::{Drawing, svg};
use fogtree_table::{Registry, roles};

/// How many steps of a random game lead to the example position.
const STEPS: usize = 12;

fn folder() -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../docs/games")
}

fn yes(it_is: bool) -> &'static str {
    if it_is { "yes" } else { "no" }
}

fn properties(facts: &Facts, roles: &[String]) -> String {
    let chance = match facts.chance {
        Chance::Never => "none",
        Chance::Listed => "outcomes can be listed",
        Chance::Sampled => "some outcomes can only be drawn",
    };
    let utility = match facts.utility {
        Utility::ZeroSum => "zero-sum",
        Utility::ConstantSum => "constant-sum",
        Utility::General => "general-sum",
    };
    format!(
        "| | |\n|---|---|\n| players | {} |\n| hidden information | {} |\n| moves seen only in part | {} |\n\
         | simultaneous moves | {} |\n| chance | {chance} |\n| rewards | {utility}, {} to {} |\n\
         | longest game | {} steps |\n| roles for matches | `{}` |\n",
        facts.players,
        yes(facts.hidden),
        yes(facts.hidden_moves),
        yes(facts.simultaneous),
        facts.utility_bounds.0,
        facts.utility_bounds.1,
        facts.max_length,
        roles.join("`, `"),
    )
}

fn rows(head: [&str; 3], rows: impl Iterator<Item = [&'static str; 3]>) -> String {
    let mut out = String::new();
    for [a, b, c] in rows {
        if out.is_empty() {
            let _ = writeln!(out, "\n| {} | {} | {} |\n|---|---|---|", head[0], head[1], head[2]);
        }
        let b = if b.is_empty() { String::new() } else { format!("`{b}`") };
        let _ = writeln!(out, "| `{a}` | {b} | {} |", c.replace('|', "\\|"));
    }
    out
}

/// What the player to move sees some steps into a random game: for the page, and as a picture.
fn example(registry: &Registry, name: &str) -> (String, String) {
    let game = registry.game(name).unwrap_or_else(|why| panic!("{name}: {why}"));
    let mut rng = Seed(4).named(name).stream(Purpose::Deal);
    let mut table = game.table();
    let mut position = None;
    while table.turn() != Turn::Terminal && (table.steps() < STEPS || position.is_none()) {
        if table.turn() == Turn::Chance {
            table.draw(&mut rng);
            continue;
        }
        let movers = table.turn().players();
        let who: Player = movers.iter().next().expect("a player is to move");
        position = Some((who, table.scene(Observer::Seat(who)), table.legal(who)));
        let choices: Vec<_> = movers.iter().map(|p| (p, *rng.pick(&table.moves(p)))).collect();
        table.choose(&choices).expect("a listed move is legal");
    }
    let (who, scene, legal) = position.expect("somebody decides something in every game");
    let mut moves = legal.iter().take(12).map(String::as_str).collect::<Vec<_>>().join(" ");
    if legal.len() > 12 {
        let _ = write!(moves, " ... ({} in all)", legal.len());
    }
    let view = text::plain(&scene.to_string());
    let view = view.lines().map(str::trim_end).collect::<Vec<_>>().join("\n");
    let page = format!(
        "What player {who} sees in a random game:\n\n![{name}](pictures/{name}.svg)\n\nThe same in a terminal, and what \
         the player may do:\n\n```text\n{view}\n\n{moves}\n```\n"
    );
    (page, svg(&scene, &Drawing::default()))
}

/// The page of a game, and its picture.
fn page(registry: &Registry, about: &About) -> [(String, String); 2] {
    let game = registry.game(about.name).unwrap_or_else(|why| panic!("{}: {why}", about.name));
    let notes = folder().join("notes").join(format!("{}.md", about.name));
    let notes = fs::read_to_string(&notes)
        .unwrap_or_else(|why| panic!("{} needs notes in docs/games/notes/: {why}", about.name));
    let params =
        rows(["parameter", "default", "meaning"], about.params.iter().map(|p| [p.name, p.default, p.about]));
    let presets = rows(
        ["preset", "stands for", "what it is"],
        about.presets.iter().map(|p| [p.name, p.params, p.about]),
    );
    let (example, picture) = example(registry, about.name);
    let page = format!(
        "<!-- Made by crates/table/tests/game_pages.rs; the text is in notes/{name}.md. -->\n\
         # {name}\n\n{summary}. Source: {source}.\n\n{notes}\n\n## Properties\n\nOf `{name}` as it is without \
         parameters:\n\n{properties}{params}{presets}\n## A position\n\n{example}",
        name = about.name,
        summary = about.summary,
        source = about.source,
        notes = notes.trim(),
        properties = properties(game.facts(), &roles(&*game)),
    );
    [(format!("{}.md", about.name), page), (format!("pictures/{}.svg", about.name), picture)]
}

fn index(registry: &Registry) -> String {
    let mut out = "<!-- Made by crates/table/tests/game_pages.rs. -->\n# Games\n\n\
                   | game | players | hidden | chance | simultaneous | hidden moves | what it is |\n\
                   |---|---|---|---|---|---|---|\n"
        .to_string();
    for about in registry.games() {
        let game = registry.game(about.name).unwrap_or_else(|why| panic!("{}: {why}", about.name));
        let facts = game.facts();
        let mark = |it_is: bool| if it_is { "x" } else { "" };
        let _ = writeln!(
            out,
            "| [{name}]({name}.md) | {} | {} | {} | {} | {} | {} |",
            facts.players,
            mark(facts.hidden),
            mark(facts.chance != Chance::Never),
            mark(facts.simultaneous),
            mark(facts.hidden_moves),
            about.summary,
            name = about.name,
        );
    }
    out
}

#[test]
fn every_game_has_its_page() {
    let registry = Registry::standard();
    let mut pages: Vec<(String, String)> =
        registry.games().flat_map(|about| page(&registry, about)).collect();
    pages.push(("README.md".to_string(), index(&registry)));
    let bless = std::env::var_os("FOGTREE_BLESS").is_some();
    let mut wrong = Vec::new();
    for (file, text) in &pages {
        let path = folder().join(file);
        if bless {
            fs::write(&path, text).expect("the page can be written");
        } else if fs::read_to_string(&path).ok().as_ref() != Some(text) {
            wrong.push(file.as_str());
        }
    }
    assert!(wrong.is_empty(), "not as they should be (see the top of this test): {}", wrong.join(", "));
    let wanted: BTreeSet<&str> = pages.iter().map(|(file, _)| file.as_str()).collect();
    let listed = |path: PathBuf| fs::read_dir(path).expect("the folder exists").map(|f| f.expect("an entry"));
    for file in listed(folder()).map(|f| f.file_name().into_string().expect("a name")) {
        assert!(
            file == "notes" || file == "pictures" || wanted.contains(file.as_str()),
            "docs/games/{file} is of no game"
        );
    }
    for file in listed(folder().join("notes")).map(|f| f.file_name().into_string().expect("a name")) {
        assert!(wanted.contains(file.as_str()), "docs/games/notes/{file} is of no game");
    }
}

//! `fogtree games` and `fogtree agents`: what exists.

use fogtree_core::{About, AgentEntry, Chance, Domain, Params, Spec, Utility};
use fogtree_games::tree::Tree;
use fogtree_table::{Registry, roles};
use serde_json::{Value, json};

use crate::arguments::TreeFormat;
use crate::failure::Failure;
use crate::output::{emit, emit_line, table};

/// Lists the games, or describes one.
pub(crate) fn games(registry: &Registry, name: Option<&str>, json: bool) -> Result<(), Failure> {
    if let Some(name) = name {
        let spec: Spec = name.parse()?;
        let (about, _) = About::find(registry.games(), "game", &spec)?;
        let game = registry.game(name)?;
        let facts = game.facts();
        if json {
            let mut value = entry(about);
            value["facts"] = json!(facts);
            value["roles"] = json!(roles(&*game));
            if let Some(remark) = game.remark() {
                value["remark"] = json!(remark);
            }
            return emit_line(&value.to_string());
        }
        let sum = match facts.utility {
            Utility::ZeroSum => "zero-sum",
            Utility::ConstantSum => "constant-sum",
            Utility::General => "general-sum",
        };
        let properties = format!(
            "{} players, {}{}{}{}{sum}, rewards from {} to {}, at most {} steps\nroles: {}\n",
            facts.players,
            if facts.hidden { "hidden information, " } else { "perfect information, " },
            match facts.chance {
                Chance::Never => "",
                Chance::Listed => "chance, ",
                Chance::Sampled => "chance (sampled only), ",
            },
            if facts.simultaneous { "simultaneous moves, " } else { "" },
            if facts.hidden_moves { "moves seen only in part, " } else { "" },
            facts.utility_bounds.0,
            facts.utility_bounds.1,
            facts.max_length,
            roles(&*game).join(", "),
        );
        let remark = game.remark().map_or_else(String::new, |remark| remark + "\n");
        return emit(&(heading(about) + &properties + &remark + &parameters(about)));
    }
    if json {
        return registry.games().try_for_each(|about| {
            let mut value = entry(about);
            value["facts"] = registry.game(about.name).map_or(Value::Null, |game| json!(game.facts()));
            emit_line(&value.to_string())
        });
    }
    let mark = |yes: bool, word: &str| if yes { word.to_string() } else { "-".to_string() };
    let rows = registry.games().map(|about| {
        let facts = registry.game(about.name).map(|game| game.facts().clone());
        let (players, hidden, chance, simultaneous, hidden_moves) = match &facts {
            Ok(f) => {
                (f.players.to_string(), f.hidden, f.chance != Chance::Never, f.simultaneous, f.hidden_moves)
            }
            Err(_) => ("?".to_string(), false, false, false, false),
        };
        vec![
            about.name.to_string(),
            players,
            mark(hidden, "hidden"),
            mark(chance, "chance"),
            mark(simultaneous, "simultaneous"),
            mark(hidden_moves, "hidden moves"),
            about.summary.to_string(),
            shortened(about.source),
        ]
    });
    let header = ["game", "players", "information", "chance", "turns", "moves", "what it is", "source"];
    let presets = registry.games().flat_map(|a| a.presets.iter().map(move |p| (p, a.name)));
    let presets = presets.map(|(p, of)| {
        vec![p.name.to_string(), shortened(&format!("{of}({})", p.params)), p.about.to_string()]
    });
    let text = table(&header, &rows.collect::<Vec<_>>())
        + "\n"
        + &table(&["preset", "stands for", "what it is"], &presets.collect::<Vec<_>>())
        + "\nfogtree games NAME tells more of one.\n";
    emit(&text)
}

/// The most nodes of a game that is written as a tree.
const MOST_NODES: usize = 1_000_000;

/// Writes a whole game as a tree.
pub(crate) fn tree(registry: &Registry, name: &str, format: TreeFormat, json: bool) -> Result<(), Failure> {
    let tree = Tree::of(&**registry.game(name)?.model(), MOST_NODES);
    let tree = tree.map_err(|why| Failure::Input(format!("{name} cannot be written as a tree: {why}")))?;
    let tree = tree.with_title(name);
    match format {
        TreeFormat::Efg if json => emit_line(&json!({"game": name, "efg": tree.to_efg()}).to_string()),
        TreeFormat::Efg => emit(&tree.to_efg()),
        TreeFormat::Json => emit(&tree.to_json()),
    }
}

/// Lists the agents, or describes one.
pub(crate) fn agents(registry: &Registry, name: Option<&str>, json: bool) -> Result<(), Failure> {
    let chosen: Vec<&About> = match name {
        // Parameters are not used, but what is wrong with them is said.
        Some(name) => vec![registry.agent_entry(&name.parse()?)?.0.about],
        None => registry.agents().collect(),
    };
    if let (Some(_), [about], false) = (name, &chosen[..], json) {
        let entry = registry.agent_entry(&about.name.parse()?)?.0;
        return emit(&(heading(about) + &needs(entry) + &parameters(about)));
    }
    let more = if json { "" } else { "\nfogtree agents NAME tells more of one.\n" };
    emit(&(list("agent", &chosen, json) + more))
}

/// Lists the solvers.
pub(crate) fn solvers(json: bool) -> Result<(), Failure> {
    emit(&list("solver", fogtree_solve::solver::ALL, json))
}

/// A list of what can be had by name.
fn list(kind: &str, all: &[&About], json: bool) -> String {
    if json {
        return all.iter().map(|about| entry(about).to_string() + "\n").collect();
    }
    let rows = all.iter().map(|about| {
        let keys: Vec<_> = about.params.iter().map(|p| p.name).collect();
        vec![about.name.to_string(), about.summary.to_string(), keys.join(" ")]
    });
    table(&[kind, "what it does", "parameters"], &rows.collect::<Vec<_>>())
}

/// Long parameters are for `fogtree games NAME`.
fn shortened(text: &str) -> String {
    const SHOWN: usize = 48;
    if text.chars().count() <= SHOWN {
        return text.to_string();
    }
    text.chars().take(SHOWN - 3).collect::<String>() + "..."
}

/// What an agent needs of a game, with its defaults.
fn needs(entry: &AgentEntry) -> String {
    let needs = (entry.needs)(&Params::defaults(entry.about));
    let needs: Vec<_> = needs.iter().map(|need| need.what.to_string()).collect();
    if needs.is_empty() { String::new() } else { format!("needs: {}\n", needs.join(", ")) }
}

fn heading(about: &About) -> String {
    format!("{}: {}\nsource: {}\n", about.name, about.summary, about.source)
}

fn parameters(about: &About) -> String {
    let mut text = String::new();
    if !about.params.is_empty() {
        let rows = about.params.iter();
        let rows = rows.map(|p| {
            let aliases: String = p.aliases.iter().map(|alias| format!(" (also {alias})")).collect();
            vec![p.name.to_string(), p.default.to_string(), p.about.to_string() + &aliases]
        });
        text += &("\n".to_string() + &table(&["parameter", "default", "meaning"], &rows.collect::<Vec<_>>()));
    }
    if !about.presets.is_empty() {
        let rows = about.presets.iter();
        let rows = rows.map(|p| vec![p.name.to_string(), p.params.to_string(), p.about.to_string()]);
        text +=
            &("\n".to_string() + &table(&["preset", "stands for", "what it is"], &rows.collect::<Vec<_>>()));
    }
    text
}

/// What values a parameter has, for programs that make forms and signatures of it.
fn domain(domain: &Domain) -> Value {
    match *domain {
        Domain::Text => json!({"kind": "text"}),
        Domain::Integer(least, most) => json!({"kind": "integer", "least": least, "most": most}),
        Domain::Real(least, most) => json!({"kind": "real", "least": least, "most": most}),
        Domain::Choice(words) => json!({"kind": "choice", "words": words}),
        Domain::Flag => json!({"kind": "flag"}),
        Domain::Time => json!({"kind": "time"}),
        Domain::List => json!({"kind": "list"}),
        Domain::File => json!({"kind": "file"}),
        Domain::Command => json!({"kind": "command"}),
        Domain::Or(word, other) => {
            let mut value = self::domain(other);
            value["or"] = json!(word);
            value
        }
    }
}

fn entry(about: &About) -> Value {
    let params = about.params.iter();
    let presets = about.presets.iter();
    json!({
        "name": about.name,
        "summary": about.summary,
        "source": about.source,
        "params": params.map(|p| json!({
            "name": p.name,
            "aliases": p.aliases,
            "default": p.default,
            "domain": domain(&p.domain),
            "about": p.about,
        }))
        .collect::<Vec<_>>(),
        "presets": presets.map(|p| json!({"name": p.name, "params": p.params, "about": p.about}))
            .collect::<Vec<_>>(),
    })
}

//! `fogtree games` and `fogtree agents`: what exists.

use fogtree_core::{About, AgentEntry, Chance, Facts, Params, Spec, Utility};
use fogtree_games::tree::Tree;
use fogtree_table::wire::{self, GameAbout};
use fogtree_table::{Registry, roles};
use serde_json::json;

use crate::arguments::TreeFormat;
use crate::failure::Failure;
use crate::layout::{fitted, paragraph};
use crate::output::{emit, emit_json, emit_line};

/// Lists the games, or describes one.
pub(crate) fn games(registry: &Registry, name: Option<&str>, json: bool) -> Result<(), Failure> {
    if let Some(name) = name {
        let spec: Spec = name.parse()?;
        let (about, _) = About::find(registry.games(), "game", &spec)?;
        let game = registry.game(name)?;
        let facts = game.facts();
        if json {
            return emit_json(&GameAbout::in_full(about, &*game));
        }
        let sum = match facts.utility {
            Utility::ZeroSum => "zero-sum",
            Utility::ConstantSum => "constant-sum",
            Utility::General => "general-sum",
        };
        let properties = paragraph(&format!(
            "{} players, {}{}{}{}{sum}, rewards from {} to {}, at most {} steps",
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
        ));
        let roles = paragraph(&format!("roles: {}", roles(&*game).join(", ")));
        let remark = game.remark().map_or_else(String::new, |remark| paragraph(&remark));
        return emit(&(heading(about) + &properties + &roles + &remark + &parameters(about)));
    }
    if json {
        return registry.games().try_for_each(|about| {
            emit_json(&GameAbout::in_list(about, registry.game(about.name).ok().as_deref()))
        });
    }
    let rows = registry.games().map(|about| {
        let (players, marks) = registry.game(about.name).map_or_else(
            |_| ("?".to_string(), "?".to_string()),
            |game| (game.facts().players.to_string(), marks(game.facts())),
        );
        vec![about.name.to_string(), players, marks, about.summary.to_string()]
    });
    let presets = registry.games().flat_map(|a| a.presets.iter().map(move |p| (p, a.name)));
    let presets = presets.map(|(p, of)| {
        vec![p.name.to_string(), shortened(&format!("{of}({})", p.params)), p.about.to_string()]
    });
    let text = fitted(&["game", "players", "marks", "what it is"], &rows.collect::<Vec<_>>())
        + "\n"
        + &paragraph(MARKS)
        + "\n"
        + &fitted(&["preset", "stands for", "what it is"], &presets.collect::<Vec<_>>())
        + "\nfogtree games NAME tells more of one.\n";
    emit(&text)
}

/// What the marks of the list mean.
const MARKS: &str = "marks: h hidden information, c chance, s simultaneous moves, m moves seen only in part";

fn marks(facts: &Facts) -> String {
    let marks = [
        (facts.hidden, 'h'),
        (facts.chance != Chance::Never, 'c'),
        (facts.simultaneous, 's'),
        (facts.hidden_moves, 'm'),
    ];
    marks.iter().map(|&(yes, mark)| if yes { mark } else { '.' }).collect()
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
    if json {
        return chosen.iter().try_for_each(|about| emit_json(&wire::About::from(*about)));
    }
    let rows: Vec<_> = chosen.iter().map(|a| vec![a.name.to_string(), a.summary.to_string()]).collect();
    emit(&(fitted(&["agent", "what it does"], &rows) + "\nfogtree agents NAME tells more of one.\n"))
}

/// Lists the solvers.
pub(crate) fn solvers(json: bool) -> Result<(), Failure> {
    let all = fogtree_solve::solver::ALL;
    if json {
        return all.iter().try_for_each(|about| emit_json(&wire::About::from(*about)));
    }
    let rows = all.iter().map(|about| {
        let keys: Vec<_> = about.params.iter().map(|p| p.name).collect();
        vec![about.name.to_string(), about.summary.to_string(), keys.join(" ")]
    });
    emit(&fitted(&["solver", "what it does", "parameters"], &rows.collect::<Vec<_>>()))
}

/// Long parameters are for `fogtree games NAME`.
fn shortened(text: &str) -> String {
    const SHOWN: usize = 32;
    if text.chars().count() <= SHOWN {
        return text.to_string();
    }
    text.chars().take(SHOWN - 3).collect::<String>() + "..."
}

/// What an agent needs of a game, with its defaults.
fn needs(entry: &AgentEntry) -> String {
    let needs = (entry.needs)(&Params::defaults(entry.about));
    let needs: Vec<_> = needs.iter().map(|need| need.what.to_string()).collect();
    if needs.is_empty() { String::new() } else { paragraph(&format!("needs: {}", needs.join(", "))) }
}

fn heading(about: &About) -> String {
    paragraph(&format!("{}: {}", about.name, about.summary))
        + &paragraph(&format!("source: {}", about.source))
}

fn parameters(about: &About) -> String {
    let mut text = String::new();
    if !about.params.is_empty() {
        let rows = about.params.iter();
        let rows = rows.map(|p| {
            let aliases: String = p.aliases.iter().map(|alias| format!(" (also {alias})")).collect();
            vec![p.name.to_string(), p.default.to_string(), p.about.to_string() + &aliases]
        });
        text +=
            &("\n".to_string() + &fitted(&["parameter", "default", "meaning"], &rows.collect::<Vec<_>>()));
    }
    if !about.presets.is_empty() {
        let rows = about.presets.iter();
        let rows = rows.map(|p| vec![p.name.to_string(), p.params.to_string(), p.about.to_string()]);
        text +=
            &("\n".to_string() + &fitted(&["preset", "stands for", "what it is"], &rows.collect::<Vec<_>>()));
    }
    text
}

//! `fogtree reproduce`: published experiments beside our own figures.

use std::path::{Path, PathBuf};

use fogtree_lab::experiment::{Directory, Finding, Published, published};
use fogtree_table::Registry;
use serde_json::json;

use super::experiment::{play, summaries, write_report};
use crate::arguments::Reproduce;
use crate::failure::Failure;
use crate::output::{emit, emit_line, table};

/// Lists the experiments, or does one and says what came of it.
pub(crate) fn run(registry: &Registry, arguments: &Reproduce, json: bool) -> Result<(), Failure> {
    if arguments.results {
        return results(&arguments.scale, json);
    }
    let Some(id) = arguments.id.as_ref().filter(|_| !arguments.list) else { return list(json) };
    let experiments = published();
    let found = experiments.iter().find(|e| e.id.eq_ignore_ascii_case(id));
    let experiment = found.ok_or_else(|| {
        let known: Vec<&str> = experiments.iter().map(|e| e.id.as_str()).collect();
        Failure::Input(format!("no published experiment '{id}'; there are: {}", known.join(" ")))
    })?;
    if !experiment.file.tests.is_empty() {
        return tested(experiment, json);
    }
    let out = arguments.out.clone().unwrap_or_else(|| default_directory(experiment, &arguments.scale));
    let directory = Directory::new(out);
    let scale = Some(arguments.scale.as_str());
    let plan = directory.prepare_text(&experiment.id, experiment.text, scale, registry)?;
    play(registry, &directory, &plan, arguments.threads, json)?;
    let (store, _, cells) = summaries(&directory)?;
    let findings = experiment.file.claims.iter().map(|claim| claim.judge(&cells));
    let findings = findings.collect::<Result<Vec<_>, _>>().map_err(|why| Failure::Run(why.to_string()))?;
    if json {
        return findings.iter().try_for_each(|finding| {
            let mut line = json!(finding);
            line["id"] = json!(experiment.id);
            line["scale"] = json!(arguments.scale);
            emit_line(&line.to_string())
        });
    }
    let command = format!("fogtree reproduce {} --scale {}", experiment.id, arguments.scale);
    let path = write_report(&directory, &store, &cells, &command)?;
    emit(&format!("{}\nreport in {}\n", for_people(experiment, &arguments.scale, &findings), path.display()))
}

/// Where to find what came of an experiment that is not played.
fn tested(experiment: &Published, json: bool) -> Result<(), Failure> {
    let Published { id, file, .. } = experiment;
    if json {
        return emit_line(&json!({ "id": id, "title": file.title, "tests": file.tests }).to_string());
    }
    let (source, notes) = (file.source.as_deref().unwrap_or(""), file.notes.as_deref().unwrap_or("").trim());
    let tests = file.tests.join("\n");
    emit(&format!("{} ({id})\n{source}\n\n{notes}\n\n./test checks it:\n{tests}\n", file.title))
}

/// `runs/reproduce/ID-SCALE`.
fn default_directory(experiment: &Published, scale: &str) -> PathBuf {
    Path::new("runs/reproduce").join(format!("{}-{scale}", experiment.id.replace('/', "-")))
}

/// What came of all experiments that were done at a scale, claim by claim.
fn results(scale: &str, json: bool) -> Result<(), Failure> {
    let experiments = published();
    let mut text = String::new();
    let mut left = Vec::new();
    for experiment in &experiments {
        if !experiment.file.tests.is_empty() {
            text += &format!(
                "## {}: {}\n\n{}\n\nChecked by `./test`: `{}`.\n\n",
                experiment.id,
                experiment.file.title,
                experiment.file.notes.as_deref().unwrap_or("").trim(),
                experiment.file.tests.join("`, `"),
            );
            continue;
        }
        let directory = Directory::new(default_directory(experiment, scale));
        let Ok((_, _, cells)) = summaries(&directory) else {
            left.push(experiment.id.as_str());
            continue;
        };
        let findings = experiment.file.claims.iter().map(|claim| claim.judge(&cells));
        let findings =
            findings.collect::<Result<Vec<_>, _>>().map_err(|why| Failure::Run(why.to_string()))?;
        let games: u64 = cells.iter().map(|cell| cell.done).sum();
        text += &format!(
            "## {}: {}\n\n{} {games} games and runs, by `fogtree reproduce {} --scale {scale}`.\n\n{}\n",
            experiment.id,
            experiment.file.title,
            experiment.file.source.as_deref().map_or_else(String::new, |source| format!("{source}.")),
            experiment.id,
            fogtree_lab::experiment::report::findings(&findings).markdown()
        );
    }
    if !left.is_empty() {
        text += &format!("## Not done at this scale\n\n{}\n", left.join(", "));
    }
    if json {
        return emit_line(&json!({"scale": scale, "markdown": text, "left": left}).to_string());
    }
    emit(&text)
}

fn list(json: bool) -> Result<(), Failure> {
    let experiments = published();
    if json {
        return experiments.iter().try_for_each(|e| {
            let claims: Vec<&str> = e.file.claims.iter().map(|c| c.text.get_ref().as_str()).collect();
            let line = json!({
                "id": e.id, "title": e.file.title, "source": e.file.source, "claim": claims.join("; "),
            });
            emit_line(&line.to_string())
        });
    }
    let rows: Vec<Vec<String>> =
        experiments.iter().map(|e| vec![e.id.clone(), e.file.title.clone()]).collect();
    emit(&table(&["id", "experiment"], &rows))
}

fn for_people(experiment: &Published, scale: &str, findings: &[Finding]) -> String {
    let number = |n: Option<f64>| n.map_or_else(|| "-".to_string(), |n| format!("{n:.3}"));
    let rows: Vec<Vec<String>> = findings
        .iter()
        .map(|f| {
            let interval = match (f.low, f.high) {
                (Some(low), Some(high)) if low < high => format!("{low:.3} to {high:.3}"),
                _ => "-".to_string(),
            };
            vec![
                f.claim.clone(),
                number(f.published),
                number(f.measured),
                interval,
                f.games.to_string(),
                f.verdict.to_string(),
            ]
        })
        .collect();
    let header = ["claim", "published", "measured", "95 % interval", "games", "verdict"];
    let source = experiment.file.source.as_deref().unwrap_or("");
    format!(
        "\n{} ({}), {scale} scale\n{source}\n\n{}",
        experiment.file.title,
        experiment.id,
        table(&header, &rows)
    )
}

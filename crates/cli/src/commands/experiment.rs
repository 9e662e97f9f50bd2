//! `fogtree experiment` and `fogtree tournament`: many matches from one file.

use std::io::Write as _;
use std::path::{Path, PathBuf};

use fogtree_core::files::write_whole;
use fogtree_lab::experiment::shards::{Shard, merge};
use fogtree_lab::experiment::{
    CellSummary, Directory, ExperimentFile, Plan, Progress, Report, Runner, Store, export, summarise,
};
use fogtree_table::Registry;
use serde_json::json;

use super::matches::games_bar;
use super::standings::{Standings, tables};
use crate::arguments::{Experiment, ExportFormat, RunExperiment, ShardEngine};
use crate::failure::Failure;
use crate::interrupt;
use crate::output::{count, emit, emit_line};

/// Does what the command line asks for.
pub(crate) fn run(registry: &Registry, command: Experiment, json: bool) -> Result<(), Failure> {
    match command {
        Experiment::Run(arguments) => {
            let (directory, plan) = prepare(registry, &arguments)?;
            play(registry, &directory, &plan, arguments.threads, json)
        }
        Experiment::Resume(arguments) => {
            let directory = Directory::new(arguments.directory);
            let plan = directory.plan()?;
            play(registry, &directory, &plan, arguments.threads, json)
        }
        Experiment::Status { directory } => status(&Directory::new(directory), json),
        Experiment::Report { directory } => report(&Directory::new(directory), json),
        Experiment::Export { directory, format } => {
            let usual = if json { ExportFormat::Jsonl } else { ExportFormat::Csv };
            export(&Directory::new(directory), format.unwrap_or(usual))
        }
        Experiment::Plan { file, out, scale, shards } => {
            let arguments = RunExperiment { file, out, scale, threads: None };
            let (directory, plan) = prepare(registry, &arguments)?;
            let most = plan.units().len() as u64;
            if shards > most {
                let why = format!("--shards {shards}: there are only {most} units of work to divide");
                return Err(Failure::Input(why));
            }
            directory.divide(shards)?;
            list_shards(&directory, &plan, shards, json)
        }
        Experiment::Work { directory, shard } => {
            let directory = Directory::new(directory);
            let plan = directory.plan()?;
            let of = directory.shard_count(&plan)?;
            if shard >= of {
                return Err(Failure::Input(format!("--shard {shard}: there are only {of}, counted from 0")));
            }
            Shard { number: shard, of }.work(&plan, registry, &directory.shards()).map_err(Failure::Run)?;
            emit_line(&match json {
                true => json!({"shard": shard, "of": of}).to_string(),
                false => format!("shard {shard} of {of} is done"),
            })
        }
        Experiment::Merge { directory } => take_in(&Directory::new(directory), json),
        Experiment::Submit { directory, engine } => {
            let directory = Directory::new(directory);
            let of = directory.shard_count(&directory.plan()?)?;
            let commands = submission(engine, directory.path(), of);
            if json {
                return emit_line(&json!({"commands": commands}).to_string());
            }
            emit(&commands)
        }
    }
}

/// Runs the experiment of a file and prints its tables.
pub(crate) fn tournament(registry: &Registry, arguments: &RunExperiment, json: bool) -> Result<(), Failure> {
    let (directory, plan) = prepare(registry, arguments)?;
    play(registry, &directory, &plan, arguments.threads, json)?;
    report(&directory, json)
}

fn prepare(registry: &Registry, arguments: &RunExperiment) -> Result<(Directory, Plan), Failure> {
    let RunExperiment { file, out, scale, .. } = arguments;
    let directory = Directory::new(out.clone().unwrap_or_else(|| default_directory(file, scale.as_deref())));
    let plan = directory.prepare(file, scale.as_deref(), registry)?;
    Ok((directory, plan))
}

/// `runs/NAME`, or `runs/NAME-SCALE`.
fn default_directory(file: &Path, scale: Option<&str>) -> PathBuf {
    let name = file.file_stem().unwrap_or_default().to_string_lossy().into_owned();
    Path::new("runs").join(scale.map_or_else(|| name.clone(), |scale| format!("{name}-{scale}")))
}

pub(super) fn play(
    registry: &Registry,
    directory: &Directory,
    plan: &Plan,
    threads: Option<usize>,
    json: bool,
) -> Result<(), Failure> {
    let _lock = directory.lock()?;
    let store = directory.store(plan)?;
    let cores = std::thread::available_parallelism().map_or(1, usize::from);
    let runner = Runner { plan, registry, store: &store, threads: threads.unwrap_or(cores) };
    let bar = games_bar(None, "{msg}");
    let mut standings = Standings::default();
    let mut last = None;
    let mut tell = |progress: &Progress| {
        bar.set_length(progress.of);
        bar.set_position(progress.done);
        let left = progress.left().map_or_else(|| "?".to_string(), |t| in_words(t.as_secs()));
        if !bar.is_hidden() {
            standings.update(plan, &store);
        }
        bar.set_message(format!("{:.1}/s, {left} left{}", progress.rate(), standings.text));
        last = Some(*progress);
    };
    let result = runner.run(&interrupt::flag(), &mut tell);
    bar.finish_and_clear();
    let complete =
        result.map_err(|why| Failure::Run(format!("{why} (in {})", directory.path().display())))?;
    store.settle()?;
    let Some(Progress { done, of, new, time: spent }) = last else { return Ok(()) };
    if json {
        let line = json!({
            "directory": directory.path(), "done": done, "of": of, "new": new, "seconds": spent.as_secs_f64(),
            "complete": complete,
        });
        emit_line(&line.to_string())?;
    } else {
        emit_line(&format!(
            "{}: {} of {} games, {} of them new, in {:.1} s",
            directory.path().display(),
            count(done),
            count(of),
            count(new),
            spent.as_secs_f64()
        ))?;
    }
    if complete {
        return Ok(());
    }
    Err(Failure::Interrupted(format!(
        "stopped; go on with: fogtree experiment resume {}",
        quoted(directory.path())
    )))
}

/// A time in whole seconds, minutes or hours.
fn in_words(seconds: u64) -> String {
    match seconds {
        0..100 => format!("{seconds} s"),
        100..6000 => format!("{} min", seconds / 60),
        _ => format!("{:.1} h", seconds as f64 / 3600.0),
    }
}

/// What the store of a directory says so far.
pub(super) fn summaries(directory: &Directory) -> Result<(Store, Plan, Vec<CellSummary>), Failure> {
    let (store, plan) = directory.results()?;
    let cells = summarise(&plan, &store)?;
    Ok((store, plan, cells))
}

fn status(directory: &Directory, json: bool) -> Result<(), Failure> {
    let (store, plan, cells) = summaries(directory)?;
    let (done, of) = cells.iter().fold((0, 0), |(done, of), c| (done + c.done, of + c.of));
    let running = directory.is_taken();
    if json {
        let line = json!({
            "title": plan.title, "done": done, "of": of, "running": running, "made": store.made()?,
            "cells": cells,
        });
        return emit_line(&line.to_string());
    }
    let state = match (running, done == of) {
        (true, _) => "running",
        (false, true) => "complete",
        (false, false) => "not running",
    };
    emit(&format!("{}: {} of {} games, {state}\n\n{}", plan.title, count(done), count(of), tables(&cells)))
}

fn report(directory: &Directory, json: bool) -> Result<(), Failure> {
    let (store, plan, cells) = summaries(directory)?;
    if json {
        return cells.iter().try_for_each(|cell| emit_line(&json!(cell).to_string()));
    }
    let path = write_report(
        directory,
        &store,
        &cells,
        &format!("fogtree experiment report {}", quoted(directory.path())),
    )?;
    emit(&format!("{}\n\n{}\nreport in {}\n", plan.title, tables(&cells), path.display()))
}

/// Writes the page of an experiment; returns where.
pub(super) fn write_report(
    directory: &Directory,
    store: &Store,
    cells: &[CellSummary],
    command: &str,
) -> Result<PathBuf, Failure> {
    let text = directory.file()?;
    let file = ExperimentFile::read(&text).map_err(|why| Failure::Run(why.to_string()))?;
    let findings = file.claims.iter().map(|claim| claim.judge(cells)).collect::<Result<Vec<_>, _>>();
    let report = Report {
        title: &file.title,
        source: file.source.as_deref(),
        notes: file.notes.as_deref(),
        cells,
        findings: &findings.map_err(|why| Failure::Run(why.to_string()))?,
        file: &text,
        command,
        made: &store.made()?,
    };
    let path = directory.report_path();
    write_whole(&path, |out| out.write_all(report.html().as_bytes())).map_err(Failure::Run)?;
    write_pictures(&directory.pictures(), &report)?;
    Ok(path)
}

/// Writes the pictures of a report as files of their own.
fn write_pictures(folder: &Path, report: &Report<'_>) -> Result<(), Failure> {
    std::fs::create_dir_all(folder)
        .map_err(|why| Failure::Run(format!("cannot make the directory {}: {why}", folder.display())))?;
    for picture in report.pictures() {
        let file = |ending: &str| folder.join(format!("{}.{ending}", picture.name));
        write_whole(file("svg"), |out| out.write_all(picture.svg.as_bytes())).map_err(Failure::Run)?;
        #[cfg(feature = "png")]
        {
            let png = fogtree_draw::to_png(&picture.svg);
            let png = png.map_err(|why| Failure::Run(format!("{}: {why}", picture.name)))?;
            write_whole(file("png"), |out| out.write_all(&png)).map_err(Failure::Run)?;
        }
    }
    Ok(())
}

fn export(directory: &Directory, format: ExportFormat) -> Result<(), Failure> {
    let (store, plan) = directory.results()?;
    let out = std::io::BufWriter::new(std::io::stdout().lock());
    let written = match format {
        ExportFormat::Csv => export::csv(&plan, &store, out),
        ExportFormat::Jsonl => export::json_lines(&plan, &store, out),
        #[cfg(feature = "parquet")]
        ExportFormat::Parquet => export::parquet(&plan, &store, std::io::BufWriter::new(std::io::stdout())),
        #[cfg(not(feature = "parquet"))]
        ExportFormat::Parquet => {
            let why = "this program was built without Parquet; build it with --features parquet";
            return Err(Failure::Input(why.into()));
        }
    };
    Ok(written?)
}

fn list_shards(directory: &Directory, plan: &Plan, of: u64, json: bool) -> Result<(), Failure> {
    if json {
        for number in 0..of {
            let units = Shard { number, of }.units(plan);
            emit_line(&json!({"shard": number, "of": of, "units": units}).to_string())?;
        }
        return Ok(());
    }
    let games: u64 = plan.cells.iter().map(fogtree_lab::experiment::Cell::size).sum();
    let path = quoted(directory.path());
    emit(&format!(
        "{} games in {of} shards; for each K from 0 to {}:\n\n    fogtree experiment work {path} --shard K\n\n\
         then: fogtree experiment merge {path}\n",
        count(games),
        of - 1
    ))
}

fn take_in(directory: &Directory, json: bool) -> Result<(), Failure> {
    let plan = directory.plan()?;
    let of = directory.shard_count(&plan)?;
    let _lock = directory.lock()?;
    let store = directory.store(&plan)?;
    let merged = merge(&plan, of, &directory.shards(), &store)?;
    store.settle()?;
    if json {
        let bad: Vec<String> = merged.bad.iter().map(ToString::to_string).collect();
        let line = json!({"units": merged.units, "missing": merged.missing, "bad": bad});
        emit_line(&line.to_string())?;
    } else {
        emit_line(&format!("{} units of work are in the store", count(merged.units as u64)))?;
    }
    if merged.missing.is_empty() {
        return Ok(());
    }
    let missing: Vec<String> = merged.missing.iter().map(ToString::to_string).collect();
    let bad: String = merged.bad.iter().map(|bad| format!("; {bad}")).collect();
    Err(Failure::Run(format!("shards not done: {}{bad}", missing.join(" "))))
}

/// A word as a POSIX shell reads it back.
fn quoted_word(word: &str) -> String {
    let plain = |c: char| c.is_ascii_alphanumeric() || "_-./=,:+@%".contains(c);
    match !word.is_empty() && word.chars().all(plain) {
        true => word.to_string(),
        false => format!("'{}'", word.replace('\'', r"'\''")),
    }
}

/// A path as a POSIX shell reads it back; one that begins like an option is a path all the same.
fn quoted(path: &Path) -> String {
    let path = path.display().to_string();
    quoted_word(&if path.starts_with('-') { format!("./{path}") } else { path })
}

/// The commands that make an engine do all shards. What an engine hands to a shell of its own is quoted once
/// more.
fn submission(engine: ShardEngine, directory: &Path, of: u64) -> String {
    let path = quoted(directory);
    let last = of - 1;
    let work = |shard: &str| quoted_word(&format!("fogtree experiment work {path} --shard {shard}"));
    let (submit, when) = match engine {
        ShardEngine::Hq => (
            format!(
                "hq submit --array 0-{last} --cpus 1 --crash-limit 5 -- bash -c {}",
                work("\"$HQ_TASK_ID\"")
            ),
            "# when all tasks are finished (hq job wait last):\n",
        ),
        ShardEngine::Slurm => (
            format!("sbatch --array=0-{last} --cpus-per-task=1 --wrap={}", work("\"$SLURM_ARRAY_TASK_ID\"")),
            "# when the array is finished:\n",
        ),
        ShardEngine::Parallel => {
            (format!("seq 0 {last} | parallel -I@SHARD@ --retries 3 {}", work("@SHARD@")), "")
        }
    };
    format!("{submit}\n{when}fogtree experiment merge {path}\n")
}

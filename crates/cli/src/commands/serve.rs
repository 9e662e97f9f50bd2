//! `fogtree serve`: the studio, a page to play, watch and look inside.

use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::sync::atomic::Ordering;
use std::time::Duration;

use fogtree_core::files::write_whole;
use fogtree_serve::studio::{NotStarted, Settings, Studio};
use fogtree_table::{Registry, engine};
use serde_json::json;

use crate::arguments::Serve;
use crate::failure::Failure;
use crate::interrupt;
use crate::output::emit_line;

/// Serves until it is asked to end.
pub(crate) fn run(arguments: &Serve, json: bool) -> Result<(), Failure> {
    let data = arguments.data.clone().map_or_else(own_folder, Ok)?;
    let usual = Settings::new(data.clone());
    let settings = Settings {
        host: arguments.host.clone(),
        port: arguments.port,
        experiments: arguments.experiments.clone(),
        records: arguments.records.clone(),
        threads: arguments.threads.unwrap_or(usual.threads),
        ..usual
    };
    let stop = interrupt::flag();
    let mut registry = Registry::sandboxed();
    for text in &arguments.engine {
        let bad =
            || Failure::Input(format!("--engine '{text}': expected NAME=COMMAND, as in greedy=./my-engine"));
        let (name, command) = text.split_once('=').ok_or_else(bad)?;
        let entry = engine(name.trim(), command)?;
        if registry.agents().any(|about| about.name == entry.about.name) {
            return Err(Failure::Input(format!("--engine '{text}': there is an agent of this name already")));
        }
        registry.add_agent(entry);
    }
    let running = Studio::start_with(settings, registry).map_err(|why| match why {
        NotStarted::Threads(_) => Failure::Run(why.to_string()),
        NotStarted::Address { .. } => Failure::Input(format!("{why}; choose another with --port")),
        NotStarted::Data { .. } | NotStarted::Busy(_) => Failure::Input(why.to_string()),
    })?;
    let (link, address) = (running.start_link(), running.address());
    let token = data.join("token");
    let secret = running.token().map_err(Failure::Run)?;
    write_private(&token, &secret)?;
    emit_line(&match json {
        true => json!({"listening": address.to_string(), "link": link, "token": token}).to_string(),
        false => format!(
            "The studio is open: {link}\nThe link lets in one browser, once. Programs find a token in {}. \
             End with Ctrl-C.",
            token.display()
        ),
    })?;
    if !address.ip().is_loopback() {
        eprintln!(
            "warning: other machines can reach {address}. There is no encryption: whoever can read along can play \
             along."
        );
    }
    if arguments.open && !open_browser(&link) {
        eprintln!("warning: no browser could be started; open the link yourself");
    }
    while !stop.load(Ordering::Relaxed) {
        std::thread::sleep(Duration::from_millis(100));
    }
    running.stop();
    Ok(())
}

/// Where tables are kept if nobody says where.
fn own_folder() -> Result<PathBuf, Failure> {
    let set = |name: &str| std::env::var_os(name).filter(|v| !v.is_empty()).map(PathBuf::from);
    let share = set("XDG_DATA_HOME").or_else(|| set("LOCALAPPDATA"));
    let share = share.or_else(|| set("HOME").map(|home| home.join(".local/share")));
    let none =
        || Failure::Input("there is no home folder to keep tables in: name one with --data DIR".into());
    share.map(|share| share.join("fogtree")).ok_or_else(none)
}

/// Writes a file that others on this machine cannot read: its folder is private.
fn write_private(path: &Path, text: &str) -> Result<(), Failure> {
    write_whole(path, |out| writeln!(out, "{text}")).map_err(Failure::Run)
}

/// Starts the browser of the system; answers whether it could.
fn open_browser(link: &str) -> bool {
    let programs: &[&[&str]] = if cfg!(target_os = "macos") {
        &[&["open"]]
    } else if cfg!(windows) {
        &[&["explorer"]]
    } else {
        &[&["xdg-open"], &["sensible-browser"], &["x-www-browser"]]
    };
    programs.iter().any(|words| {
        let mut command = Command::new(words[0]);
        command.args(&words[1..]).arg(link);
        command.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null());
        command.spawn().is_ok()
    })
}

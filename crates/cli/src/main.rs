//! The `fogtree` program.

mod arguments;
mod commands;
mod failure;
mod output;

use std::process::ExitCode;

use clap::Parser;
use failure::Failure;

fn main() -> ExitCode {
    let done = arguments::Arguments::try_parse().map_err(refusal).and_then(commands::run);
    match done {
        Ok(()) => ExitCode::SUCCESS,
        Err(failure) => failure.report(),
    }
}

/// What is wrong with the command line, in one line. Help and the version are printed, and that is all.
fn refusal(error: clap::Error) -> Failure {
    use clap::error::ErrorKind;
    let help = ErrorKind::DisplayHelpOnMissingArgumentOrSubcommand;
    if [ErrorKind::DisplayHelp, ErrorKind::DisplayVersion, help].contains(&error.kind()) {
        error.exit();
    }
    let text = error.render().to_string();
    let told = |line: &&str| !line.is_empty() && !line.starts_with("Usage:") && !line.starts_with("For more");
    let lines: Vec<&str> = text.lines().map(str::trim).filter(told).collect();
    let what = lines.join("; ").replacen("error: ", "", 1);
    Failure::Input(format!("{what}; fogtree --help lists what there is"))
}

//! The `fogtree` program.

mod arguments;
mod commands;
mod failure;
mod interrupt;
mod layout;
mod output;
mod refusal;

use std::process::ExitCode;

use clap::Parser;

fn main() -> ExitCode {
    let done = arguments::Arguments::try_parse().map_err(refusal::of).and_then(commands::run);
    match done {
        Ok(()) => ExitCode::SUCCESS,
        Err(failure) => failure.report(),
    }
}

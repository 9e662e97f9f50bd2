//! The commands, one module each.

mod analyse;
mod bench;
mod curves;
mod engine;
mod experiment;
mod exploit;
mod gdl;
mod ggp;
mod list;
mod matches;
mod play;
mod position;
mod replay;
mod reproduce;
mod serve;
mod show;
mod solve;
mod standings;
mod state;

use fogtree_table::Registry;

use crate::arguments::{Arguments, Command};
use crate::failure::Failure;

/// Does what the command line asks for.
pub(crate) fn run(arguments: Arguments) -> Result<(), Failure> {
    let registry = Registry::standard();
    let json = arguments.json;
    match arguments.command {
        Command::Games { name: Some(name), tree: Some(format) } => list::tree(&registry, &name, format, json),
        Command::Games { name, .. } => list::games(&registry, name.as_deref(), json),
        Command::Agents { name } => list::agents(&registry, name.as_deref(), json),
        Command::State(arguments) => state::run(&registry, &arguments, json),
        Command::Show(arguments) => show::run(&registry, &arguments, json),
        Command::Sample(arguments) => show::sample(&registry, &arguments, json),
        Command::Play(arguments) => play::run(&registry, &arguments, json),
        Command::Serve(arguments) => serve::run(&arguments, json),
        Command::Commitment { seed, salt } => play::commitment(seed, salt, json),
        Command::Analyse(arguments) => analyse::run(&registry, &arguments, json),
        Command::Match(arguments) => matches::run(&registry, arguments, json),
        Command::Engine(arguments) => engine::run(&registry, arguments, json),
        Command::Replay(arguments) => replay::run(&registry, &arguments, json),
        Command::Solve(arguments) => solve::run(&registry, &arguments, json),
        Command::Exploit(arguments) => exploit::run(&registry, &arguments, json),
        Command::Bench(arguments) => bench::run(&registry, &arguments, json),
        Command::Gdl(command) => gdl::run(&command, json),
        Command::Ggp(command) => ggp::run(&command, json),
        Command::Tournament(arguments) => experiment::tournament(&registry, &arguments, json),
        Command::Reproduce(arguments) => reproduce::run(&registry, &arguments, json),
        Command::Experiment(command) => experiment::run(&registry, command, json),
    }
}

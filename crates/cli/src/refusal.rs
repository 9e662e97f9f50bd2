//! What is wrong with a command line, in one line and in our words.

use std::error::Error as _;

use clap::error::{ContextKind, ContextValue, ErrorKind};
use clap::{CommandFactory, Error};

use crate::arguments::Arguments;
use crate::failure::Failure;

/// What is wrong. Help and the version are printed, and that is all, unless they cannot be.
pub(crate) fn of(error: Error) -> Failure {
    let help = ErrorKind::DisplayHelpOnMissingArgumentOrSubcommand;
    if [ErrorKind::DisplayHelp, ErrorKind::DisplayVersion, help].contains(&error.kind()) {
        match error.print() {
            Err(why) if !error.use_stderr() => return why.into(),
            _ => std::process::exit(error.exit_code()),
        }
    }
    let asked = std::env::args().collect::<Vec<_>>();
    Failure::Input(format!("{}; {} --help tells more", what(&error, &asked), command(&asked)))
}

fn what(error: &Error, asked: &[String]) -> String {
    let option = words(error, ContextKind::InvalidArg).join(", ");
    let value = words(error, ContextKind::InvalidValue).join(", ");
    // Without the name of what it takes.
    let name = option.split(' ').next().unwrap_or_default();
    match error.kind() {
        ErrorKind::MissingRequiredArgument => format!("expected {option}"),
        ErrorKind::UnknownArgument => match before(&option, asked) {
            Some(before) => format!("{before} {option}: expected {}", expected("digit")),
            None => format!("there is no '{option}' here{}", suggestion(error, ContextKind::SuggestedArg)),
        },
        ErrorKind::InvalidSubcommand => {
            let unknown = words(error, ContextKind::InvalidSubcommand).join(" ");
            format!("there is no command '{unknown}'{}", suggestion(error, ContextKind::SuggestedSubcommand))
        }
        ErrorKind::InvalidValue if value.is_empty() => format!("{option}: expected a value"),
        ErrorKind::InvalidValue => {
            let possible = words(error, ContextKind::ValidValue).join(", ");
            format!("{name} '{value}': expected one of {possible}")
        }
        ErrorKind::ValueValidation => {
            let why = error.source().map(ToString::to_string).unwrap_or_default();
            format!("{name} {value}: expected {}", expected(&why))
        }
        ErrorKind::ArgumentConflict => {
            let others = words(error, ContextKind::PriorArg);
            match &others[..] {
                [other] if *other == option => format!("{name} is given twice"),
                _ => format!("{option} does not go with {}", others.join(", ")),
            }
        }
        _ => error.to_string().lines().next().unwrap_or_default().replacen("error: ", "", 1),
    }
}

/// What a reader of numbers would have taken, by what it said.
fn expected(why: &str) -> String {
    let range = why.rsplit_once(" is not in ").and_then(|(_, range)| range.split_once(".."));
    match range.map(|(least, most)| (least, most.trim_start_matches('='))) {
        Some((least, most)) if most.len() > 9 => format!("at least {least}"),
        Some((least, most)) => format!("a number from {least} to {most}"),
        None if why.contains("digit") || why.contains("integer") => "a whole number, not negative".into(),
        None if why.contains("float") => "a number".into(),
        None => format!("something else ({why})"),
    }
}

/// The option before a negative number, which is then its value and no option.
fn before<'a>(unknown: &str, asked: &'a [String]) -> Option<&'a str> {
    let number = unknown.strip_prefix('-').is_some_and(|rest| rest.starts_with(|c: char| c.is_ascii_digit()));
    let at = asked.iter().position(|word| word.starts_with(unknown)).filter(|_| number)?;
    asked[..at].last().map(String::as_str).filter(|word| word.starts_with("--"))
}

fn suggestion(error: &Error, kind: ContextKind) -> String {
    match &words(error, kind)[..] {
        [] => String::new(),
        words => format!("; did you mean '{}'?", words.join("' or '")),
    }
}

fn words(error: &Error, kind: ContextKind) -> Vec<String> {
    match error.get(kind) {
        Some(ContextValue::String(word)) => vec![word.clone()],
        Some(ContextValue::Strings(words)) => words.clone(),
        _ => Vec::new(),
    }
}

/// The command that was asked for, as far as there is one of that name.
fn command(asked: &[String]) -> String {
    let (mut command, mut name) = (Arguments::command(), "fogtree".to_string());
    for word in asked.iter().skip(1).filter(|word| !word.starts_with('-')) {
        let Some(found) = command.find_subcommand(word).cloned() else { break };
        (command, name) = (found, format!("{name} {word}"));
    }
    name
}

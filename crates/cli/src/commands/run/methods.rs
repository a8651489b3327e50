//! The methods of a script.

use super::wrong;
use anstyle::Style;
use clap::Command;
use holdpoint::visible;
use holdpoint_ask::nearest::did_you_mean;
use holdpoint_script::{Method, Program};
use std::{ffi::OsString, process::ExitCode};

const BOLD: Style = Style::new().bold();

/// The method that a command line names, or the only one; what comes after it.
pub fn choose<'a, 'b>(
    program: &'a Program,
    rest: &'b [OsString],
) -> Result<(Option<&'a Method>, &'b [OsString]), ExitCode> {
    let named = rest.first().and_then(|word| word.to_str());
    let named = named.filter(|word| !word.starts_with('-'));
    match (named, program.methods()) {
        (Some(name), _) => match program.method(name) {
            Some(method) => Ok((Some(method), &rest[1..])),
            None => Err(unknown(program, name)),
        },
        (None, [only]) => Ok((Some(only), rest)),
        (None, _) if rest.is_empty() => Ok((None, rest)),
        (None, _) => Err(wrong(&format!(
            "name a method of {} first: {}",
            program.file(),
            names(program).join(", ")
        ))),
    }
}

/// Lists the methods with what is said of them.
pub fn list(program: &Program) -> ExitCode {
    let mut text = String::new();
    if let Some(about) = program.description() {
        text.push_str(&format!("{}\n\n", visible(about.trim())));
    }
    text.push_str("Methods:\n");
    let longest = names(program).iter().map(|name| name.len()).max();
    for method in program.methods() {
        let about = method.description.as_deref().unwrap_or_default();
        let about = visible(about.lines().next().unwrap_or_default());
        let width = longest.unwrap_or_default();
        text.push_str(&format!(
            "  {BOLD}{:width$}{BOLD:#}  {about}\n",
            method.name
        ));
    }
    text.push_str("\nholdpoint run FILE METHOD --help tells more about one.");
    anstream::println!("{text}");
    ExitCode::SUCCESS
}

/// The command line of a method, for help and complaints.
pub fn line(program: &Program, method: &Method) -> Command {
    let name = format!("holdpoint run {} {}", program.file(), method.name);
    let about = method.description.as_deref().unwrap_or_default();
    Command::new("run")
        .bin_name(name)
        .about(visible(about).into_owned())
}

fn unknown(program: &Program, name: &str) -> ExitCode {
    let hint = did_you_mean(name, names(program));
    wrong(&format!(
        "{} has no method {}: {hint}",
        program.file(),
        visible(name)
    ))
}

fn names(program: &Program) -> Vec<&str> {
    program
        .methods()
        .iter()
        .map(|method| method.name.as_str())
        .collect()
}

//! Whether the rules can be read, and what they hold.

use crate::{config::Environment, prompts::rules_files};
use anyhow::Context;
use std::process::ExitCode;

/// Reads the rules that hold in this folder.
///
/// # Errors
/// When they cannot be read, with the file and the line.
pub fn run() -> anyhow::Result<ExitCode> {
    let environment = Environment::from_process();
    let folder = std::env::current_dir().context("cannot find the current folder")?;
    let rules = rules_files::load(&environment, &folder)?;
    for file in rules_files::files(&environment, &folder) {
        let state = if file.exists() { "read" } else { "not there" };
        println!("{state:>9}  {}", file.display());
    }
    println!(
        "{} rules hold here, {} of them built in. What no rule names is {}.",
        rules.len(),
        rules_files::built_in(),
        match rules.default_verdict() {
            holdpoint_policy::Verdict::Allow => "allowed",
            holdpoint_policy::Verdict::Ask => "asked",
            holdpoint_policy::Verdict::Deny => "denied",
        }
    );
    Ok(ExitCode::SUCCESS)
}

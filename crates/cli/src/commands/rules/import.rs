//! Rules of other programs, as ours. Nothing is written: what loosens is for a person to put into their file.

use super::args::From;
use crate::{commands::init::client::Machine, config::Environment};
use anyhow::{Context, bail};
use holdpoint_ask::visible;
use holdpoint_policy::import::{self, Imported};
use jsonc_parser::ParseOptions;
use serde_json::Value;
use std::{
    fs,
    path::{Path, PathBuf},
    process::ExitCode,
};

/// Prints the rules of these files, or of those where the program keeps them.
///
/// # Errors
/// When a file cannot be read, or there is none.
pub fn run(from: From, files: &[PathBuf]) -> anyhow::Result<ExitCode> {
    let files = if files.is_empty() {
        usual_files(from)?
    } else {
        files.to_vec()
    };
    if files.is_empty() {
        bail!("no file with rules was found where this program keeps them: name one");
    }
    for file in files {
        let text = fs::read_to_string(&file);
        let text = text.with_context(|| format!("cannot read {}", file.display()))?;
        let imported = imported(from, &text);
        let imported = imported.with_context(|| format!("cannot import {}", file.display()))?;
        println!("# From {}", file.display());
        print!("{}", imported.rules_toml());
        for (what, why) in &imported.skipped {
            eprintln!(
                "Not taken from {}: {} ({why})",
                file.display(),
                visible(what)
            );
        }
    }
    eprintln!("\nNothing was written: read it, and put what you want into your rules.toml.");
    Ok(ExitCode::SUCCESS)
}

fn imported(from: From, text: &str) -> anyhow::Result<Imported> {
    Ok(match from {
        From::Claude => import::claude(&without_comments(text)?)?,
        From::Codex => import::codex(text),
        From::Gemini => import::gemini(text)?,
        From::Opencode => import::opencode(&without_comments(text)?)?,
    })
}

/// These programs take comments in their JSON.
fn without_comments(text: &str) -> anyhow::Result<String> {
    let value = jsonc_parser::parse_to_serde_value::<Value>(text, &ParseOptions::default())?;
    Ok(value.to_string())
}

/// Where the program keeps its rules, as far as the files are there.
fn usual_files(from: From) -> anyhow::Result<Vec<PathBuf>> {
    let environment = Environment::from_process();
    let home = environment.home().context("there is no home")?;
    let here = std::env::current_dir().context("cannot find the current folder")?;
    let files = match from {
        From::Claude => {
            let own = Machine::current().claude_folder();
            let own = own.map(|folder| folder.join("settings.json"));
            let project = here.join(".claude");
            let project = ["settings.json", "settings.local.json"].map(|name| project.join(name));
            own.into_iter().chain(project).collect()
        }
        From::Codex => within(&home.join(".codex/rules"), "rules"),
        From::Gemini => within(&home.join(".gemini/policies"), "toml"),
        From::Opencode => vec![
            home.join(".config/opencode/opencode.json"),
            here.join("opencode.json"),
        ],
    };
    Ok(files.into_iter().filter(|file| file.is_file()).collect())
}

/// The files of a folder with this ending, by name.
fn within(folder: &Path, ending: &str) -> Vec<PathBuf> {
    let files = fs::read_dir(folder).into_iter().flatten().flatten();
    let mut files: Vec<_> = files.map(|entry| entry.path()).collect();
    files.retain(|file| file.extension().is_some_and(|found| found == ending));
    files.sort();
    files
}

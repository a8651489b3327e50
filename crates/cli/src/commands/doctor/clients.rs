//! The clients' own files: is Holdpoint registered there, and does what they start exist.

use super::Check;
use crate::config::Environment;
use holdpoint_ask::visible;
use jsonc_parser::ParseOptions;
use serde_json::Value;
use std::{
    fs,
    path::{Path, PathBuf},
};
use toml_edit::Document;

/// A client: its name for `holdpoint init`, its file, and what its servers are listed under.
const CLIENTS: [(&str, &str, &str); 4] = [
    ("vscode", ".vscode/mcp.json", "servers"),
    ("claude", ".mcp.json", "mcpServers"),
    ("cursor", ".cursor/mcp.json", "mcpServers"),
    ("codex", ".codex/config.toml", "mcp_servers"),
];

pub fn checks(workspace: &Path, environment: &Environment) -> Vec<Check> {
    let mut checks: Vec<_> = CLIENTS
        .into_iter()
        .filter_map(|(client, file, key)| {
            let path = workspace.join(file);
            let text = match fs::read_to_string(&path) {
                Ok(text) => text,
                Err(_) if !path.exists() => return None,
                Err(error) => {
                    return Some(Check::problem(
                        client,
                        format!("cannot read {file}: {error}"),
                    ));
                }
            };
            Some(check(client, file, key, &text, environment))
        })
        .collect();
    if checks.is_empty() {
        let what = format!("no client is registered in {}", workspace.display());
        checks.push(
            Check::hint("clients", what).fix("holdpoint init vscode (or claude, cursor, codex)"),
        );
    }
    checks
}

fn check(client: &str, file: &str, key: &str, text: &str, environment: &Environment) -> Check {
    let servers = match parse(file, text) {
        Ok(servers) => servers,
        Err(error) => {
            return Check::problem(client, format!("{file} cannot be read: {error}"))
                .fix("fix the file; the client cannot read it either");
        }
    };
    let register = format!("holdpoint init {client}");
    let entry = &servers[key]["holdpoint"];
    if entry.is_null() {
        return Check::hint(client, format!("{file} has no server `holdpoint`")).fix(register);
    }
    if let Some(url) = entry["url"].as_str() {
        return Check::ok(client, format!("{file}: a server at {}", visible(url)));
    }
    let Some(command) = entry["command"].as_str() else {
        return Check::problem(client, format!("{file}: `holdpoint` has no command")).fix(register);
    };
    let shown = visible(command);
    if command.contains("${") {
        let what = format!("{file}: starts {shown}, which only the client can resolve");
        return Check::hint(client, what);
    }
    match find(Path::new(command), environment) {
        Some(path) => Check::ok(client, format!("{file}: starts {}", path.display())),
        None => Check::problem(client, format!("{file}: the program {shown} was not found"))
            .fix("install it on your PATH, or give its full path there"),
    }
}

fn parse(file: &str, text: &str) -> Result<Value, String> {
    if file.ends_with(".toml") {
        let document = Document::parse(text).map_err(|error| error.message().to_owned())?;
        return Ok(crate::config::toml_as_json(document.as_item()));
    }
    jsonc_parser::parse_to_serde_value::<Value>(text, &ParseOptions::default())
        .map_err(|error| error.to_string())
}

/// The program that this command starts.
fn find(command: &Path, environment: &Environment) -> Option<PathBuf> {
    if command.components().count() > 1 {
        return command.is_file().then(|| command.to_owned());
    }
    let name = if cfg!(windows) && command.extension().is_none() {
        command.with_extension("exe")
    } else {
        command.to_owned()
    };
    let mut places = environment.search_path().into_iter();
    places.find_map(|folder| Some(folder.join(&name)).filter(|path| path.is_file()))
}

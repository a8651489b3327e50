//! The entry that is written, and how it meets one that is there.

use super::bare_environment::Passed;
use crate::tool_set::ToolSelection;
use serde_json::Value;
use std::path::Path;

/// The name under which the server is registered.
pub const NAME: &str = "holdpoint";

/// How the server is started.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Server {
    /// The program.
    pub command: String,
    /// Its arguments.
    pub args: Vec<String>,
    /// The variables that are handed on to it.
    pub passed: Vec<Passed>,
    /// The tool sets that were asked for.
    tools: Option<String>,
}

/// What was found under the name already.
#[derive(Debug, Default)]
pub struct ExistingEntry {
    /// The program, if it is text.
    pub command: Option<String>,
    /// Its arguments, if they are all text.
    pub args: Option<Vec<String>>,
    /// An address: the entry is a server on the network, not a program.
    pub url: Option<String>,
    /// The variables that are handed on to it, by name.
    pub passed: Vec<String>,
    /// The person's other keys.
    pub others: Vec<String>,
}

/// What became of the entry.
#[derive(Debug, PartialEq, Eq)]
pub enum EntryChange {
    /// There was none.
    Added,
    /// It starts the server as it should; these flags are the person's own.
    Same { flags: Vec<String> },
    /// Command and args were replaced; these keys were left.
    Updated { kept: Vec<String> },
}

/// What became of a text from which something was to be taken out.
#[derive(Debug, PartialEq, Eq)]
pub enum Removed {
    /// It was not there.
    Nothing,
    /// The rest of the text.
    Rest(String),
    /// There was nothing else in it.
    Everything,
}

impl ExistingEntry {
    /// The entry as the clients' files have it. `transport` is what Cline itself writes.
    pub fn from_json(entry: &Value) -> Self {
        let text = |value: &Value| value.as_str().map(str::to_owned);
        let mut found = Self::default();
        let transport = entry["transport"].as_object().cloned();
        let members = entry.as_object().into_iter().flatten();
        for (name, value) in members.chain(transport.iter().flatten()) {
            match (name.as_str(), value) {
                ("command", Value::Array(words)) => {
                    let mut words = words.iter().map(text);
                    found.command = words.next().flatten();
                    found.args = words.collect();
                }
                ("command", _) => found.command = text(value),
                ("args", _) => found.args = serde_json::from_value(value.clone()).ok(),
                ("url" | "httpUrl", Value::String(url)) => found.url = Some(url.clone()),
                ("env_vars", Value::Array(names)) => {
                    found.passed.extend(names.iter().filter_map(text))
                }
                ("type" | "transport" | "name", _) => {}
                ("env", Value::Object(variables)) => {
                    found.passed.extend(variables.keys().cloned());
                    found.others.push(name.clone());
                }
                _ => found.others.push(name.clone()),
            }
        }
        found
    }
}

impl Server {
    /// The server, started by this program with these tool sets.
    pub fn new(command: String, tools: Option<&str>, passed: Vec<Passed>) -> Self {
        let mut server = Self {
            command,
            args: vec!["serve".into()],
            passed,
            tools: tools.map(str::to_owned),
        };
        server.args.extend(server.flags());
        server
    }

    /// The program and its arguments.
    pub fn all(&self) -> Vec<String> {
        let mut all = vec![self.command.clone()];
        all.extend(self.args.iter().cloned());
        all
    }

    /// What the entry is to say, given what it says now. One that starts `holdpoint serve` keeps
    /// its program and the person's flags; only the tool sets follow what was asked for.
    pub fn over(&self, found: ExistingEntry) -> anyhow::Result<(Self, EntryChange)> {
        if let Some(url) = &found.url {
            anyhow::bail!(
                "its entry `{NAME}` is a server at {url}, which this would break; remove that entry first if you want a local server"
            );
        }
        let mut kept = match (&found.command, &found.args) {
            (Some(command), Some(args)) if starts_holdpoint(command, args) => Self {
                command: command.clone(),
                args: self.with_tools(args),
                passed: self.passed.clone(),
                tools: None,
            },
            _ => self.clone(),
        };
        kept.passed
            .retain(|passed| !found.passed.iter().any(|name| name == passed.name));
        let same = found.command.as_ref() == Some(&kept.command)
            && found.args.as_ref() == Some(&kept.args);
        let met = if same {
            EntryChange::Same {
                flags: kept.args[1..].to_vec(),
            }
        } else {
            EntryChange::Updated { kept: found.others }
        };
        Ok((kept, met))
    }

    fn flags(&self) -> Vec<String> {
        match &self.tools {
            Some(tools) => vec!["--tools".into(), tools.clone()],
            None => Vec::new(),
        }
    }

    fn with_tools(&self, args: &[String]) -> Vec<String> {
        if self.tools.is_none() {
            return args.to_vec();
        }
        let mut kept = Vec::new();
        let mut args = args.iter();
        while let Some(arg) = args.next() {
            match arg.as_str() {
                "--tools" => drop(args.next()),
                arg if arg.starts_with("--tools=") => {}
                arg => kept.push(arg.to_owned()),
            }
        }
        kept.extend(self.flags());
        kept
    }
}

/// Whether this is Holdpoint's server, and a program that can be there.
fn starts_holdpoint(command: &str, args: &[String]) -> bool {
    let path = Path::new(command);
    let named = path.file_stem().is_some_and(|stem| stem == NAME);
    let there = !path.is_absolute() || path.exists();
    named && there && args.first().is_some_and(|arg| arg == "serve")
}

/// Checks a list of tools, and writes it without blanks.
pub fn tools(list: &str) -> Result<String, String> {
    let words = list.split(',').map(|word| {
        let known: Result<ToolSelection, _> = word.parse();
        known
            .map(|_| word.trim())
            .map_err(|error| error.to_string())
    });
    let words: Vec<_> = words.collect::<Result<_, String>>()?;
    Ok(words.join(","))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn found(command: &str, args: &[&str]) -> ExistingEntry {
        ExistingEntry {
            command: Some(command.into()),
            args: Some(args.iter().map(|arg| arg.to_string()).collect()),
            others: vec!["env".into()],
            ..ExistingEntry::default()
        }
    }

    #[test]
    fn an_entry_keeps_what_the_person_set() {
        let check = |tools, before: (&str, &[&str]), after: (&str, &[&str])| {
            let server = Server::new("holdpoint".into(), tools, Vec::new());
            let (server, _) = server.over(found(before.0, before.1)).unwrap();
            let args: Vec<_> = server.args.iter().map(String::as_str).collect();
            assert_eq!((server.command.as_str(), &args[..]), after);
        };
        let journal: &[_] = &["serve", "--journal", "memory:"];
        check(None, ("node", &["x.js"]), ("holdpoint", &["serve"]));
        check(None, ("holdpoint", journal), ("holdpoint", journal));
        check(
            Some("elicit"),
            ("holdpoint", &["serve", "--tools", "orchestra", "--http"]),
            ("holdpoint", &["serve", "--http", "--tools", "elicit"]),
        );
        check(
            Some("elicit"),
            ("holdpoint", &["serve", "--tools=orchestra"]),
            ("holdpoint", &["serve", "--tools", "elicit"]),
        );
        check(
            None,
            ("/nowhere/holdpoint", &["serve"]),
            ("holdpoint", &["serve"]),
        );
        check(None, ("holdpoint", &["demo"]), ("holdpoint", &["serve"]));
    }
}

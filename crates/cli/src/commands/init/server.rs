//! The entry that is written, and how it meets one that is there.

use super::{
    bare_environment::Passed,
    program::{LAUNCHERS, NAME, Program},
};
use crate::tool_set::ToolSelection;
use serde_json::Value;
use std::path::Path;

/// How the server is started.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Server {
    /// The program.
    pub command: String,
    /// Its arguments.
    pub args: Vec<String>,
    /// The variables that are handed on to it.
    pub passed: Vec<Passed>,
    /// What starts it, and how many of the arguments are for that.
    launched: usize,
    /// The flags that were asked for, with their values.
    flags: Vec<(&'static str, String)>,
}

/// The flags that `init` writes.
pub const TOOLS: &str = "--tools";
pub const WORKSPACE: &str = "--workspace";

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
                ("url" | "httpUrl" | "serverUrl", Value::String(url)) => {
                    found.url = Some(url.clone())
                }
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
    /// The server, started by this program with these tool sets, in this folder.
    pub fn new(
        program: Program,
        tools: Option<&str>,
        workspace: Option<&str>,
        passed: Vec<Passed>,
    ) -> Self {
        let flags = [(TOOLS, tools), (WORKSPACE, workspace)];
        let flags = flags.into_iter();
        let mut server = Self {
            command: program.command,
            launched: program.args.len(),
            args: program.args,
            passed,
            flags: flags
                .filter_map(|(name, value)| Some((name, value?.to_owned())))
                .collect(),
        };
        server.args.push("serve".into());
        server.args.extend(server.flags());
        server
    }

    /// The program and its arguments.
    pub fn all(&self) -> Vec<String> {
        let mut all = vec![self.command.clone()];
        all.extend(self.args.iter().cloned());
        all
    }

    /// What the entry is to say, given what it says now. One that starts `holdpoint serve` keeps the person's
    /// flags, and its program while that is there; only what was asked for follows.
    pub fn over(&self, found: ExistingEntry) -> anyhow::Result<(Self, EntryChange)> {
        if let Some(url) = &found.url {
            anyhow::bail!(
                "its entry `{NAME}` is a server at {url}, which this would break; remove that entry first if you want a local server"
            );
        }
        let mut kept = self.clone();
        if let (Some(command), Some(args)) = (&found.command, &found.args)
            && let Some(launched) = starts_holdpoint(command, args)
        {
            let own = self.with_flags(&args[launched..]);
            let path = Path::new(command);
            if !path.is_absolute() || path.exists() {
                kept.command = command.clone();
                kept.launched = launched;
                kept.args = [&args[..launched], &own].concat();
            } else {
                kept.args.truncate(kept.launched);
                kept.args.extend(own);
            }
        }
        kept.passed
            .retain(|passed| !found.passed.iter().any(|name| name == passed.name));
        let same = found.command.as_ref() == Some(&kept.command)
            && found.args.as_ref() == Some(&kept.args);
        let met = if same {
            EntryChange::Same {
                flags: kept.args[kept.launched + 1..].to_vec(),
            }
        } else {
            EntryChange::Updated { kept: found.others }
        };
        Ok((kept, met))
    }

    fn flags(&self) -> Vec<String> {
        let flags = self.flags.iter();
        flags
            .flat_map(|(name, value)| [(*name).to_owned(), value.clone()])
            .collect()
    }

    /// These arguments, with the flags that were asked for in place of older ones.
    fn with_flags(&self, args: &[String]) -> Vec<String> {
        let asked = |arg: &str| self.flags.iter().any(|(name, _)| *name == arg);
        let mut kept = Vec::new();
        let mut args = args.iter();
        while let Some(arg) = args.next() {
            match arg.split_once('=') {
                None if asked(arg) => drop(args.next()),
                Some((name, _)) if asked(name) => {}
                _ => kept.push(arg.to_owned()),
            }
        }
        kept.extend(self.flags());
        kept
    }
}

/// How many arguments are before those of Holdpoint's server, where this starts it.
fn starts_holdpoint(command: &str, args: &[String]) -> Option<usize> {
    let stem = Path::new(command).file_stem()?.to_str()?;
    let before = match LAUNCHERS.iter().find(|(launcher, ..)| *launcher == stem) {
        Some(_) => args.iter().position(|arg| names_package(arg))? + 1,
        None if stem == NAME => 0,
        None => return None,
    };
    (args.get(before)? == "serve").then_some(before)
}

/// Whether an argument of a launcher names the package, perhaps with a version.
fn names_package(arg: &str) -> bool {
    let rest = arg.strip_prefix(NAME);
    rest.is_some_and(|rest| rest.is_empty() || rest.starts_with(['@', '=']))
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
            let server = Server::new(Program::on_path(), tools, None, Vec::new());
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
        // A program that is not there any more had flags all the same.
        check(
            None,
            ("/nowhere/holdpoint", journal),
            ("holdpoint", journal),
        );
        check(None, ("holdpoint", &["demo"]), ("holdpoint", &["serve"]));
        let npx: &[_] = &["-y", "holdpoint@0.1.0", "serve", "--inbox", "off"];
        check(None, ("npx", npx), ("npx", npx));
        check(
            Some("elicit"),
            ("uvx", &["holdpoint", "serve"]),
            ("uvx", &["holdpoint", "serve", "--tools", "elicit"]),
        );
        check(
            None,
            ("npx", &["-y", "other", "serve"]),
            ("holdpoint", &["serve"]),
        );
    }

    #[test]
    fn a_workspace_is_named_once() {
        let server = |workspace| Server::new(Program::on_path(), None, workspace, Vec::new());
        assert_eq!(server(Some("/w")).args, ["serve", "--workspace", "/w"]);
        let before = found(
            "holdpoint",
            &["serve", "--workspace=/old", "--inbox", "off"],
        );
        let (now, _) = server(Some("/w")).over(before).unwrap();
        assert_eq!(now.args, ["serve", "--inbox", "off", "--workspace", "/w"]);
        let (now, met) = server(None)
            .over(found("holdpoint", &["serve", "--workspace", "/w"]))
            .unwrap();
        assert_eq!(now.args, ["serve", "--workspace", "/w"]);
        let flags = vec!["--workspace".to_owned(), "/w".to_owned()];
        assert_eq!(met, EntryChange::Same { flags });
    }
}

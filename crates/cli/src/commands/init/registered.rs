//! What a client's file says of Holdpoint.

use super::{
    InitArgs,
    client::{Client, Machine, Passing, Syntax},
    file::{self, short},
    plan,
    server::{EntryChange, ExistingEntry, NAME},
    toml, yaml,
};
use crate::config::{Environment, toml_as_json};
use jsonc_parser::ParseOptions;
use serde_json::Value;
use std::{ffi::OsString, path::Path};

/// A client whose file is there.
pub struct Registered {
    /// The client.
    pub client: Client,
    /// Its file, as a person in the folder would write it.
    pub file: String,
    /// What it says of Holdpoint; or why it cannot be read.
    pub entry: Result<Option<Entry>, String>,
}

/// An entry.
pub struct Entry {
    /// Where the server is, if it is at an address.
    pub url: Option<String>,
    /// What it starts.
    pub command: Option<String>,
    /// With these arguments.
    pub args: Vec<String>,
    /// `holdpoint init` would start it otherwise.
    pub is_other: bool,
    all: Value,
}

/// The clients whose file is there. Of those in the person's home, only the ones that name Holdpoint.
pub fn all(folder: &Path) -> Vec<Registered> {
    let clients = <Client as clap::ValueEnum>::value_variants();
    let machine = Machine::current();
    let found = clients.iter().filter_map(|client| {
        let registered = one(*client, folder, &machine)?;
        let named = !matches!(registered.entry, Ok(None));
        (named || !client.is_in_home()).then_some(registered)
    });
    found.collect()
}

fn one(client: Client, folder: &Path, machine: &Machine) -> Option<Registered> {
    let path = client.config(folder, machine).ok()?;
    if !path.exists() {
        return None;
    }
    let text = file::read(&path).map_err(|error| format!("{error:#}"));
    let all = text.and_then(|text| parse(client.syntax(), text.text()));
    let entry = all.map(|all| {
        let all = all.filter(|all| !all.is_null())?;
        let found = ExistingEntry::from_json(&all);
        Some(Entry {
            url: found.url,
            command: found.command,
            args: found.args.unwrap_or_default(),
            is_other: is_other(client, folder, machine),
            all,
        })
    });
    Some(Registered {
        client,
        file: short(&path, folder),
        entry,
    })
}

fn parse(syntax: Syntax, text: &str) -> Result<Option<Value>, String> {
    let said = |error: anyhow::Error| format!("{error:#}");
    match syntax {
        Syntax::Toml => {
            let document = toml::parse(text).map_err(said)?;
            let servers = document.get(toml::KEY);
            Ok(servers.and_then(|all| all.get(NAME)).map(toml_as_json))
        }
        Syntax::Yaml(servers) => yaml::entry(text, servers).map_err(said),
        Syntax::Json { key, .. } => {
            let options = ParseOptions::default();
            let all = jsonc_parser::parse_to_serde_value::<Value>(text, &options);
            let all = all.map_err(|error| error.to_string())?;
            Ok(all.get(key).and_then(|servers| servers.get(NAME)).cloned())
        }
    }
}

fn is_other(client: Client, folder: &Path, machine: &Machine) -> bool {
    let args = InitArgs {
        client,
        tools: None,
        conductor: false,
        http: None,
        trust: false,
        remove: false,
        print: true,
    };
    let planned = plan::plan(&args, folder, machine);
    planned.is_ok_and(|plan| matches!(plan.met, Some(EntryChange::Updated { .. })))
}

impl Entry {
    /// The environment of the server that this client starts, where it is not the person's.
    pub fn environment(&self, client: Client, shell: &Environment) -> Option<Environment> {
        if client.passing() == Passing::Inherits || self.url.is_some() {
            return None;
        }
        let of_shell = |name: &str| shell.variable(name).cloned();
        let names = self.all["env_vars"].as_array().into_iter().flatten();
        let names = names.filter_map(Value::as_str);
        let mut passed: Vec<(OsString, OsString)> = names
            .filter_map(|name| Some((name.into(), of_shell(name)?)))
            .collect();
        for (name, value) in self.all["env"].as_object().into_iter().flatten() {
            let value = value.as_str().unwrap_or_default();
            let written = value
                .strip_prefix("${")
                .and_then(|rest| rest.strip_suffix('}'));
            let value = match written {
                Some(inner) => {
                    let (name, otherwise) = inner.split_once(':').unwrap_or((inner, ""));
                    of_shell(name).unwrap_or_else(|| otherwise.into())
                }
                None => value.into(),
            };
            passed.push((name.into(), value));
        }
        let mut args = self.args.iter();
        while let Some(arg) = args.next() {
            let journal = match arg.strip_prefix("--journal") {
                Some("") => args.next().map(String::as_str),
                Some(rest) => rest.strip_prefix('='),
                None => None,
            };
            passed.extend(journal.map(|url| ("HOLDPOINT_JOURNAL".into(), url.into())));
        }
        Some(shell.bare(passed))
    }
}

//! What a client's file says of Holdpoint.

use super::{
    InitArgs,
    client::{Client, Machine, Passing, Syntax},
    file::{self, short},
    plan,
    program::NAME,
    server::{EntryChange, ExistingEntry, WORKSPACE},
    toml,
    user_file::Scope,
    yaml,
};
use crate::{
    config::{Config, ConfigError, Environment, Flags, toml_as_json},
    tool_set::ToolSelection,
};
use jsonc_parser::ParseOptions;
use serde_json::Value;
use std::{ffi::OsString, path::Path};

/// A client whose file is there.
pub struct Registered {
    /// The client.
    pub client: Client,
    /// Whose file it is.
    pub scope: Scope,
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
    client: Client,
    all: Value,
}

/// The clients whose file is there, the folder's before the person's. Of those in the person's home, only
/// the ones that name Holdpoint; and where one does, the folder's need not.
pub fn all(folder: &Path) -> Vec<Registered> {
    let machine = Machine::current();
    let mut found = Vec::new();
    for client in <Client as clap::ValueEnum>::value_variants() {
        let one = |scope| one(*client, scope, folder, &machine);
        let of_folder = (!client.is_in_home())
            .then(|| one(Scope::Project))
            .flatten();
        let of_person = one(Scope::User).filter(Registered::names_us);
        let hidden = |of_folder: &Registered| of_person.is_some() && !of_folder.names_us();
        found.extend(of_folder.filter(|of_folder| !hidden(of_folder)));
        found.extend(of_person);
    }
    found
}

fn one(client: Client, scope: Scope, folder: &Path, machine: &Machine) -> Option<Registered> {
    let path = client.file(scope, folder, machine).ok()?;
    if !path.exists() {
        return None;
    }
    let text = file::read(&path).map_err(|error| format!("{error:#}"));
    let all = text.and_then(|text| parse(client.syntax(), text.text()));
    let entry = all.map(|all| {
        let entry = Entry::new(client, all?)?;
        let is_other = is_other(client, scope, folder, machine);
        Some(Entry { is_other, ..entry })
    });
    Some(Registered {
        client,
        scope,
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

fn is_other(client: Client, scope: Scope, folder: &Path, machine: &Machine) -> bool {
    let args = InitArgs {
        client,
        user: scope == Scope::User,
        workspace: None,
        tools: None,
        conductor: false,
        model_for: Vec::new(),
        http: None,
        trust: false,
        prompts: false,
        remove: false,
        print: true,
    };
    let planned = plan::plan(&args, folder, machine);
    planned.is_ok_and(|plan| matches!(plan.met, Some(EntryChange::Updated { .. })))
}

impl Registered {
    fn names_us(&self) -> bool {
        !matches!(self.entry, Ok(None))
    }
}

impl Entry {
    /// The entry in a client's file of this text, where there is one.
    pub fn in_file(client: Client, text: &str) -> Option<Self> {
        Self::new(client, parse(client.syntax(), text).ok()??)
    }

    fn new(client: Client, all: Value) -> Option<Self> {
        if all.is_null() {
            return None;
        }
        let found = ExistingEntry::from_json(&all);
        Some(Self {
            client,
            url: found.url,
            command: found.command,
            args: found.args.unwrap_or_default(),
            is_other: false,
            all,
        })
    }

    /// The tools that it names itself.
    pub fn tool_list(&self) -> Option<&str> {
        self.flag("--tools")
            .or_else(|| self.all["env"]["HOLDPOINT_TOOLS"].as_str())
    }

    /// The tools that agents get from this server in this folder. None where that is not known: it is at an
    /// address, or another program.
    ///
    /// # Errors
    /// When the configuration is wrong.
    pub fn tools(
        &self,
        workspace: &Path,
        shell: &Environment,
    ) -> Result<Option<ToolSelection>, ConfigError> {
        if self.url.is_some() || self.args.first().is_none_or(|arg| arg != "serve") {
            return Ok(None);
        }
        let own = self.environment(shell);
        let list = self.tool_list().map(|list| ("tools", list.to_owned()));
        let config = Config::load(own.as_ref().unwrap_or(shell), workspace, &Flags::new(list))?;
        Ok(Some(config.tools))
    }

    /// The folder that it names for the server to work in.
    pub fn workspace(&self) -> Option<&str> {
        self.flag(WORKSPACE)
    }

    /// The value of a flag.
    fn flag(&self, name: &str) -> Option<&str> {
        let mut args = self.args.iter();
        let mut value = None;
        while let Some(arg) = args.next() {
            match arg.strip_prefix(name) {
                Some("") => value = args.next().map(String::as_str),
                Some(rest) => value = rest.strip_prefix('=').or(value),
                None => {}
            }
        }
        value
    }

    /// The environment of the server that its client starts, where it is not the person's.
    pub fn environment(&self, shell: &Environment) -> Option<Environment> {
        if self.client.passing() == Passing::Inherits || self.url.is_some() {
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
        let journal = self.flag("--journal");
        passed.extend(journal.map(|url| ("HOLDPOINT_JOURNAL".into(), url.into())));
        Some(shell.bare(passed))
    }
}

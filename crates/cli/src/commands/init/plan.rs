//! What is to be written. Everything is planned before anything is written: a file that cannot be read
//! stops it all.

use super::{
    InitArgs,
    bare_environment::{keeps_password, passed},
    claude_settings,
    client::{Client, Machine, Syntax},
    client_trust::Trust,
    conductor,
    file::{self, Change, short},
    http_entry::HttpEntry,
    json,
    registered::Entry,
    server::{self, EntryChange, Removed, Server},
    toml, toml_remove,
    user_file::Scope,
    yaml,
};
use anyhow::{Context, bail};
use std::{fs, path::Path};

/// What is to be done. Nothing has been written yet.
pub struct Plan {
    /// With whom.
    pub client: Client,
    /// In whose files.
    pub scope: Scope,
    /// The client's file.
    pub change: Change,
    /// What becomes of the entry; none where it is taken out.
    pub met: Option<EntryChange>,
    /// Another file that says what the client may do.
    pub settings: Option<Change>,
    /// What lets the client call without asking, where that is said, or taken back.
    pub trust: Option<Trust>,
    /// The variables that the entry hands on.
    pub passed: Vec<&'static str>,
    /// The address of the journal is not handed on, because it holds a password.
    pub keeps_password: bool,
    /// The agent files.
    pub agents: Vec<conductor::Agent>,
    /// The server at an address, where that is registered.
    pub http: Option<HttpEntry>,
    /// The file names the program only, and no shell here would find it.
    pub absent: bool,
}

impl Plan {
    /// The files, the client's first.
    pub fn files(&self) -> impl Iterator<Item = &Change> {
        std::iter::once(&self.change).chain(&self.settings)
    }

    /// The entry as it will be.
    pub fn entry(&self) -> Option<Entry> {
        let text = self.change.after.as_deref()?;
        Entry::in_file(self.client, text.trim_start_matches('\u{feff}'))
    }

    /// Does it.
    pub fn write(&self) -> anyhow::Result<()> {
        let agents = self.agents.iter().map(|agent| &agent.change);
        self.files()
            .chain(agents.clone())
            .try_for_each(Change::write)?;
        for agent in agents.filter(|agent| agent.is_gone) {
            // A folder that nothing else is in goes with it; any other stays.
            let _ = agent.path.parent().map(fs::remove_dir);
        }
        Ok(())
    }
}

/// Plans it.
///
/// # Errors
/// When the client cannot do what is asked for, or one of its files cannot be changed safely.
pub fn plan(args: &InitArgs, folder: &Path, machine: &Machine) -> anyhow::Result<Plan> {
    let client = args.client;
    let (title, scope) = (client.title(), args.scope());
    let agents = if args.conductor {
        conductor::agents(client, scope, folder, machine, &args.model_for)?
    } else {
        Vec::new()
    };
    if args.remove {
        return removal(args, folder, machine);
    }
    let trust = match (args.trust, client.trust()) {
        (false, _) => None,
        (true, Ok(trust)) => Some(trust),
        (true, Err(instead)) => bail!(
            "{title} has no setting that --trust could write: {instead}. Leave the flag out; nothing was written."
        ),
    };
    let path = client.file(scope, folder, machine)?;
    let command = client.command(machine);
    let absent = command == server::NAME && !machine.finds_holdpoint();
    let http = match &args.http {
        Some(url) => Some(HttpEntry::new(client, url)?),
        None => None,
    };
    let passed = match http {
        None => passed(client, machine),
        Some(_) => Vec::new(),
    };
    let keeps_password = http.is_none() && keeps_password(client, machine);
    let names = passed.iter().map(|passed| passed.name).collect();
    let server = Server::new(command, args.tools.as_deref(), passed);
    let before = file::read(&path)?;
    let left = || format!("{} was left as it is", short(&path, folder));
    if let (Client::Continue, Syntax::Yaml(servers)) = (client, client.syntax())
        && before.text().trim().is_empty()
    {
        let lines = yaml::lines(servers, &server);
        return Err(anyhow::anyhow!(
            "it has no models, and Continue reads nothing else once it is there. Set Continue up first, then run this again; or add these lines to the file that you start it with:\n{lines}"
        ))
        .with_context(left);
    }
    let text = before.text();
    let edited = match (client.syntax(), &http) {
        (Syntax::Json { key, entry }, http) => {
            let shape = json::Shape { key, entry };
            match http {
                Some(http) => json::register_http(text, shape, http, trust.as_ref()),
                None => json::register(text, shape, &server, trust.as_ref()),
            }
        }
        (Syntax::Toml, Some(http)) => toml::register_http(text, http, trust.is_some()),
        (Syntax::Toml, None) => toml::register(text, &server, trust.is_some()),
        (Syntax::Yaml(servers), Some(http)) => yaml::register_http(text, servers, http),
        (Syntax::Yaml(servers), None) => yaml::register(text, servers, &server),
    };
    let (text, met) = edited.with_context(left)?;
    let settings = match &trust {
        Some(Trust { settings: true, .. }) => Some(allowed(scope, folder, machine)?),
        _ => None,
    };
    Ok(Plan {
        client,
        scope,
        absent: absent && http.is_none(),
        http,
        change: before.into(text),
        met: Some(met),
        settings,
        trust,
        passed: names,
        keeps_password,
        agents,
    })
}

/// Claude Code's settings with the server's tools allowed.
fn allowed(scope: Scope, folder: &Path, machine: &Machine) -> anyhow::Result<Change> {
    let path = claude_settings::path(scope, folder, machine)?;
    let before = file::read(&path)?;
    let text = claude_settings::allow(before.text())
        .with_context(|| format!("{} was left as it is", short(&path, folder)))?;
    Ok(before.into(text))
}

/// Plans to take out the entry and what trusts it, or the latter alone.
fn removal(args: &InitArgs, folder: &Path, machine: &Machine) -> anyhow::Result<Plan> {
    let (client, scope) = (args.client, args.scope());
    let trust = client.trust().ok();
    let path = client.file(scope, folder, machine)?;
    let before = file::read(&path)?;
    let text = before.text();
    let removed = match (client.syntax(), args.trust, &trust) {
        (Syntax::Json { key, entry }, only_trust, trust) => {
            let shape = json::Shape { key, entry };
            match (only_trust, trust) {
                (true, Some(trust)) => json::distrust(text, shape, trust),
                (true, None) => Ok(Removed::Nothing),
                (false, trust) => json::remove(text, shape, trust.as_ref()),
            }
        }
        (Syntax::Toml, true, _) => toml_remove::distrust(text),
        (Syntax::Toml, false, _) => toml_remove::remove(text),
        (Syntax::Yaml(_), true, _) => Ok(Removed::Nothing),
        (Syntax::Yaml(servers), false, _) => yaml::remove(text, servers),
    };
    let left = || format!("{} was left as it is", short(&path, folder));
    let change = before.removed(removed.with_context(left)?);
    let settings = match &trust {
        Some(Trust { settings: true, .. }) => {
            let path = claude_settings::path(scope, folder, machine)?;
            let before = file::read(&path)?;
            let removed = claude_settings::take_back(before.text())
                .with_context(|| format!("{} was left as it is", short(&path, folder)))?;
            Some(before.removed(removed))
        }
        _ => None,
    };
    let agents = if args.trust {
        Vec::new()
    } else {
        conductor::removal(client, scope, folder, machine)?
    };
    Ok(Plan {
        client,
        scope,
        change,
        met: None,
        settings,
        trust: trust.filter(|_| args.trust),
        passed: Vec::new(),
        keeps_password: false,
        agents,
        http: None,
        absent: false,
    })
}

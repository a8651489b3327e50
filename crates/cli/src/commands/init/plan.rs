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
    program::Program,
    prompts::{self, Prompts},
    registered::Entry,
    server::{EntryChange, Removed, Server},
    toml, toml_remove,
    user_file::Scope,
    which_workspace, yaml,
};
use anyhow::{Context, bail};
use std::{
    fs,
    path::{Path, PathBuf},
};

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
    /// Files in which there are only hooks.
    pub hooks: Vec<Change>,
    /// What is said of the hooks.
    pub told: Vec<String>,
    /// Only this is taken out, where it is not everything.
    pub only: Vec<&'static str>,
    /// A hook is taken out.
    pub loosens: bool,
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
    /// The folders that stay, whatever is in them: this one, and the person's home.
    roots: Vec<PathBuf>,
}

impl Plan {
    /// The files, the client's first.
    pub fn files(&self) -> impl Iterator<Item = &Change> {
        std::iter::once(&self.change)
            .chain(&self.settings)
            .chain(&self.hooks)
    }

    /// Adds what is to be done to hooks; some are in files that are changed anyway.
    fn add(&mut self, prompts: Prompts, folder: &Path) -> anyhow::Result<Vec<PathBuf>> {
        let mut changed = Vec::new();
        for edit in prompts.edits {
            let left = || format!("{} was left as it is", short(&edit.path, folder));
            let known = std::iter::once(&mut self.change)
                .chain(&mut self.settings)
                .chain(&mut self.hooks);
            let mut known = known.filter(|change| change.path == edit.path);
            let mut own = None;
            let change = match known.next() {
                Some(change) => change,
                None => own.insert(file::read(&edit.path)?.left()),
            };
            let (after, was_gone) = (change.after.clone(), change.is_gone);
            change.edit(|text| edit.apply(text)).with_context(left)?;
            let now = change.after.as_ref().or(change.before.as_ref());
            let was = after.as_ref().or(change.before.as_ref());
            let gone_changed = change.is_gone != was_gone;
            if now != was || gone_changed {
                changed.push(edit.path.clone());
            }
            self.hooks.extend(own);
        }
        self.told.extend(prompts.told);
        Ok(changed)
    }

    /// The entry as it will be.
    pub fn entry(&self) -> Option<Entry> {
        let text = self.change.after.as_deref()?;
        Entry::in_file(self.client, text.trim_start_matches('\u{feff}'))
    }

    /// Whether the server would be started anywhere, and works in no folder that a person named.
    pub fn lacks_workspace(&self) -> bool {
        let entry = self.met.as_ref().and_then(|_| self.entry());
        let none = entry.is_some_and(|entry| entry.url.is_none() && entry.workspace().is_none());
        self.client.starts_anywhere() && none
    }

    /// Does it.
    pub fn write(&self) -> anyhow::Result<()> {
        let agents = self.agents.iter().map(|agent| &agent.change);
        self.files()
            .chain(agents.clone())
            .try_for_each(Change::write)?;
        let gone = self.files().chain(agents).filter(|file| file.is_gone);
        gone.for_each(|file| self.tidy(&file.path));
        Ok(())
    }

    /// The folders that a file was alone in go with it; any other stays.
    fn tidy(&self, file: &Path) {
        let mut folder = file.parent();
        while let Some(path) = folder {
            let is_root = self.roots.iter().any(|root| root == path);
            if is_root || fs::remove_dir(path).is_err() {
                return;
            }
            let inside = |root: &PathBuf| path.starts_with(root);
            folder = path.parent().filter(|_| self.roots.iter().any(inside));
        }
    }
}

/// Plans it.
///
/// # Errors
/// When the client cannot do what is asked for, or one of its files cannot be changed safely.
pub fn plan(args: &InitArgs, folder: &Path, machine: &Machine) -> anyhow::Result<Plan> {
    let client = args.client;
    let (title, scope) = (client.title(), args.scope());
    let prompts = match (args.prompts, args.remove) {
        (true, false) => prompts::registration(client, scope, folder, machine)?,
        _ => Prompts::default(),
    };
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
    let program = client.program(machine);
    let absent = program == Program::on_path() && !machine.finds_holdpoint();
    let workspace = match &args.workspace {
        Some(named) => Some(which_workspace::written(client, scope, folder, named)?),
        None => None,
    };
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
    let (tools, workspace) = (args.tools.as_deref(), workspace.as_deref());
    let server = Server::new(program, tools, workspace, passed);
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
    let mut plan = Plan {
        client,
        scope,
        absent: absent && (http.is_none() || args.prompts),
        http,
        change: before.into(text),
        met: Some(met),
        settings,
        trust,
        hooks: Vec::new(),
        told: Vec::new(),
        only: Vec::new(),
        loosens: false,
        passed: names,
        keeps_password,
        agents,
        roots: roots(folder, machine),
    };
    plan.add(prompts, folder)?;
    Ok(plan)
}

fn roots(folder: &Path, machine: &Machine) -> Vec<PathBuf> {
    [Some(folder.to_owned()), machine.home()]
        .into_iter()
        .flatten()
        .collect()
}

/// Claude Code's settings with the server's tools allowed.
fn allowed(scope: Scope, folder: &Path, machine: &Machine) -> anyhow::Result<Change> {
    let path = claude_settings::path(scope, folder, machine)?;
    let before = file::read(&path)?;
    let text = claude_settings::allow(before.text())
        .with_context(|| format!("{} was left as it is", short(&path, folder)))?;
    Ok(before.into(text))
}

/// Plans to take out the entry, what trusts it and the hooks, or only what is named of these.
fn removal(args: &InitArgs, folder: &Path, machine: &Machine) -> anyhow::Result<Plan> {
    let (client, scope) = (args.client, args.scope());
    let trust = client.trust().ok();
    let only: Vec<_> = [(args.trust, "--trust"), (args.prompts, "--prompts")]
        .into_iter()
        .filter_map(|(is_named, flag)| is_named.then_some(flag))
        .collect();
    let takes = |is_named| only.is_empty() || is_named;
    let prompts = match prompts::removal(client, scope, folder, machine) {
        Ok(prompts) if takes(args.prompts) => prompts,
        Err(error) if args.prompts => return Err(error),
        _ => Prompts::default(),
    };
    let path = client.file(scope, folder, machine)?;
    let before = file::read(&path)?;
    let text = before.text();
    let removed = match (client.syntax(), only.is_empty(), &trust) {
        _ if !takes(args.trust) => Ok(Removed::Nothing),
        (Syntax::Json { key, entry }, all, trust) => {
            let shape = json::Shape { key, entry };
            match (all, trust) {
                (false, Some(trust)) => json::distrust(text, shape, trust),
                (false, None) => Ok(Removed::Nothing),
                (true, trust) => json::remove(text, shape, trust.as_ref()),
            }
        }
        (Syntax::Toml, false, _) => toml_remove::distrust(text),
        (Syntax::Toml, true, _) => toml_remove::remove(text),
        (Syntax::Yaml(_), false, _) => Ok(Removed::Nothing),
        (Syntax::Yaml(servers), true, _) => yaml::remove(text, servers),
    };
    let left = || format!("{} was left as it is", short(&path, folder));
    let change = before.removed(removed.with_context(left)?);
    let settings = match &trust {
        Some(Trust { settings: true, .. }) if takes(args.trust) => {
            let path = claude_settings::path(scope, folder, machine)?;
            let before = file::read(&path)?;
            let removed = claude_settings::take_back(before.text())
                .with_context(|| format!("{} was left as it is", short(&path, folder)))?;
            Some(before.removed(removed))
        }
        _ => None,
    };
    let agents = if only.is_empty() {
        conductor::removal(client, scope, folder, machine)?
    } else {
        Vec::new()
    };
    let mut plan = Plan {
        client,
        scope,
        change,
        met: None,
        settings,
        trust: None,
        hooks: Vec::new(),
        told: Vec::new(),
        only,
        loosens: false,
        passed: Vec::new(),
        keeps_password: false,
        agents,
        http: None,
        absent: false,
        roots: roots(folder, machine),
    };
    plan.loosens = !plan.add(prompts, folder)?.is_empty();
    Ok(plan)
}

//! Builds the server that the configuration describes.

use super::sources::{SourcesConfig, tool_server};
use crate::{
    config::{Config, Environment},
    notify::Notifier,
    tool_set::AWAIT_ANSWER,
};
use anyhow::Context;
use holdpoint::{Channel, Desk, Holdpoint, PinPlace, ToolServer, journal};
use holdpoint_inbox::Inbox;
use holdpoint_script::{Library, ScriptTools};
use std::{
    path::{Path, PathBuf},
    sync::Arc,
    time::Duration,
};

/// A server and what it stands on.
pub struct Built {
    /// The tools, with people in the loop.
    pub server: Holdpoint<ToolServer>,
    /// The desk that they ask through.
    pub desk: Desk,
}

/// Refuses a folder of scripts that somebody names now and that is not there. One that a file names may come later.
///
/// # Errors
/// When it is no folder.
pub fn check_named_scripts(folder: &Path) -> anyhow::Result<()> {
    anyhow::ensure!(
        folder.is_dir(),
        "--scripts {}: there is no such folder. Make it, or name another",
        folder.display()
    );
    Ok(())
}

/// The folder of scripts that the configuration names, if it names one.
///
/// # Errors
/// When it is something else than a folder. It may be missing, and come later.
pub async fn library(config: &Config) -> anyhow::Result<Option<Arc<Library>>> {
    let Some(folder) = &config.scripts_dir else {
        return Ok(None);
    };
    let folder = std::path::absolute(folder)?;
    if folder.exists() && !folder.is_dir() {
        anyhow::bail!(
            "{} is not a folder, so it has no scripts: correct `scripts.dir`",
            folder.display()
        );
    }
    Ok(Some(Arc::new(Library::open(folder).await)))
}

/// What no script may touch: the journal and the one of the account, what lies beside them under
/// their names, and what opens a journal in a database.
pub fn private(journal: &str) -> Vec<PathBuf> {
    let environment = Environment::from_process();
    let named = ["HOLDPOINT_SECRET_FILE", "PGPASSFILE"];
    let named = named
        .into_iter()
        .filter_map(|name| environment.variable(name));
    let file = journal.strip_prefix("sqlite:").map(PathBuf::from);
    let files = file.into_iter().chain(named.map(PathBuf::from));
    let files = files.filter_map(|file| std::path::absolute(file).ok());
    let passwords = environment.home().map(|home| home.join(".pgpass"));
    let account = environment.account_journal_file();
    files.chain(passwords).chain(account).collect()
}

/// Where the person's PIN is: with the journal of the account, whatever journal is in use.
pub fn pin_place(environment: &Environment, journal: &str) -> PinPlace {
    PinPlace::of_person(environment.account_journal_file(), journal)
}

/// The tools over a desk over this journal, and that desk; its person's PIN is there. Its asks also wait
/// in this inbox, and go to this other channel; these scripts are tools too.
///
/// # Errors
/// When the journal or the workspace cannot be used.
pub async fn server(
    config: &Config,
    workspace: &Path,
    journal: &str,
    pin: PinPlace,
    inbox: Option<&Inbox>,
    other: Option<Arc<dyn Channel>>,
    library: Option<Arc<Library>>,
) -> anyhow::Result<Built> {
    let folder = workspace.canonicalize();
    // A file would do for `canonicalize`.
    let folder = folder.and_then(|folder| folder.read_dir().map(|_| folder));
    let workspace =
        folder.with_context(|| format!("cannot use the workspace {}", workspace.display()))?;
    let mut desk = Desk::builder(journal::open(journal).await?)
        .settings(config.settings())
        .pin_place(pin);
    for (client, profile) in &config.clients {
        desk = desk.profile(client, profile.clone());
    }
    if let Some(inbox) = inbox {
        let (page, told) = (inbox.clone(), inbox.clone());
        let notifier = Notifier::new(config.notify.clone());
        let channel = notifier.observe(Arc::new(inbox.clone()), move |ask| told.ask_address(ask));
        desk = desk
            .channel(Arc::new(channel))
            .page(move |ask| page.ask_address(ask));
    }
    if let Some(other) = other {
        desk = desk.channel(other);
    }
    let desk = desk.build().await?;
    let shown = journal::shown_address(journal);
    tracing::info!(journal = %shown, workspace = %workspace.display(), "ready");
    let mut tools = config.tools.clone();
    if is_headless_claude(&Environment::from_process()) {
        tools.add_permission();
    }
    if library.is_some() {
        tools.add_await_answer();
    }
    let waits = tools.contains(AWAIT_ANSWER);
    let sources = SourcesConfig {
        tools,
        workspace: workspace.clone(),
        plans_dir: config.plans_dir.clone(),
        commit: config.commit,
        git_filters: config.git_filters.clone(),
    };
    let mut sources = sources.sources()?;
    if let Some(library) = library {
        let scripts = ScriptTools::new(library, workspace.clone(), private(journal));
        sources.push(Arc::new(scripts));
    }
    let server = tool_server(sources)
        .over(desk.clone())?
        .workspace(workspace.to_string_lossy())
        .release_waiting_after(let_go_after());
    let server = if waits {
        server.await_answer_named(AWAIT_ANSWER)
    } else {
        server.without_await_answer()
    };
    Ok(Built { server, desk })
}

/// Whether Claude Code runs us without anybody at it: it may have been told to call the tool `permission` in place
/// of its prompts, and does not say so.
fn is_headless_claude(environment: &Environment) -> bool {
    let entry = environment.variable("CLAUDE_CODE_ENTRYPOINT");
    entry.is_some_and(|entry| entry.to_string_lossy().starts_with("sdk"))
}

/// How long a flow waits for people before it is let go: agents that answer at once see nothing of it.
const LET_GO_AFTER: Duration = Duration::from_secs(2);

#[cfg(not(feature = "testing"))]
fn let_go_after() -> Duration {
    LET_GO_AFTER
}

/// Tests try it without delay.
#[cfg(feature = "testing")]
fn let_go_after() -> Duration {
    let wanted = std::env::var("LET_GO_AFTER_MS").ok();
    let wanted = wanted.and_then(|wanted| wanted.parse().ok());
    wanted.map_or(LET_GO_AFTER, Duration::from_millis)
}

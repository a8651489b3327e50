//! The page's address.

use crate::{
    commands::serve::{build, page, scripts, shutdown},
    config::Environment,
    notify::Notifier,
    shell::Shell,
};
use anyhow::bail;
use holdpoint_inbox::{
    Keys,
    page_host::{self, PageConfig},
};
use std::{
    env,
    io::{self, IsTerminal},
    path::{Path, PathBuf},
    process::{Command, ExitCode, Stdio},
    sync::Arc,
};
use tokio_util::sync::CancellationToken;

/// Prints the address with its key, and serves the page where nobody does.
///
/// The key lets its holder answer, so it is shown to people only: not where an agent runs us.
pub async fn run(shell: Shell, folder: Option<PathBuf>) -> anyhow::Result<ExitCode> {
    shell
        .refuse_agents("inbox --web", "The page's key is for people")
        .await?;
    if let Some(folder) = &folder {
        scripts::check_named(folder)?;
    }
    let keys = Keys::open(shell.journal.as_ref()).await?;
    if let Some(address) = page_host::find(shell.journal.as_ref()).await? {
        if folder.is_some() {
            eprintln!(
                "Another process serves the page, with its own scripts: --scripts is not used."
            );
        }
        show(&address, &keys).await?;
        return Ok(ExitCode::SUCCESS);
    }
    let Some(wanted) = page::wanted(&shell.config)? else {
        bail!(
            "the inbox is off in your configuration, so there is no page: set `inbox` to an address"
        );
    };
    let told = shutdown::requested()?;
    let hosted = serve(shell, wanted, folder).await?;
    show(&hosted.address, &keys).await?;
    eprintln!("This command serves the page until you stop it with Ctrl-C.");
    told.await;
    hosted.stop.cancel();
    Ok(ExitCode::SUCCESS)
}

/// The page, which this command serves.
pub struct Hosted {
    /// Where it is.
    pub address: String,
    /// Ends it.
    pub stop: CancellationToken,
}

/// Serves the page, with these scripts or those of the configuration.
pub async fn serve(
    mut shell: Shell,
    mut wanted: PageConfig,
    folder: Option<PathBuf>,
) -> anyhow::Result<Hosted> {
    let inbox = page::channel(&wanted);
    shell.config.scripts_dir = folder.or(shell.config.scripts_dir.take());
    if let Some(library) = scripts::library(&shell.config).await? {
        let journal = shell.config.journal(&Environment::from_process())?;
        let private = build::private(&journal);
        wanted.scripts = Some(scripts::page(library, Path::new("."), private)?);
    }
    // Programs ask through this page too.
    let (notifier, pages) = (Notifier::new(shell.config.notify.clone()), inbox.clone());
    let channel = notifier.observe(Arc::new(inbox.clone()), move |ask| pages.ask_address(ask));
    let desk = shell.desk(vec![Arc::new(channel)]).await?;
    let stop = CancellationToken::new();
    page_host::host(desk, inbox.clone(), wanted, stop.clone()).await?;
    let address = inbox.address();
    Ok(Hosted { address, stop })
}

async fn show(address: &str, keys: &Keys) -> anyhow::Result<()> {
    let address = format!("{address}/#key={}", keys.opening_key()?);
    println!("{address}");
    if io::stdout().is_terminal() && has_desktop() {
        open(&address).await;
    }
    Ok(())
}

fn has_desktop() -> bool {
    let set = |name| env::var_os(name).is_some_and(|value| !value.is_empty());
    cfg!(target_os = "macos") || set("DISPLAY") || set("WAYLAND_DISPLAY")
}

/// Opens the address in a browser, by way of a file that only its owner reads: a program's arguments
/// are seen by everybody on the machine.
async fn open(address: &str) {
    let html = format!("<!doctype html><meta http-equiv=refresh content='0;url={address}'>");
    let way = tempfile::Builder::new().suffix(".html").tempfile();
    let Ok(way) = way else { return };
    if std::fs::write(way.path(), html).is_err() {
        return;
    }
    let program = if cfg!(target_os = "macos") {
        "open"
    } else {
        "xdg-open"
    };
    let started = Command::new(program)
        .arg(way.path())
        .stdin(Stdio::null())
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .spawn();
    if started.is_ok() {
        // A browser that starts takes a moment to read it.
        tokio::time::sleep(std::time::Duration::from_secs(5)).await;
    }
}

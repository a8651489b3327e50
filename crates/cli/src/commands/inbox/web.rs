//! The page's address.

use crate::{
    commands::serve::{build, page, shutdown},
    config::Environment,
    notify::Notifier,
    script_page::ScriptPage,
    shell::Shell,
};
use anyhow::bail;
use holdpoint_inbox::{Keys, page_host};
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
pub async fn run(mut shell: Shell, scripts: Option<PathBuf>) -> anyhow::Result<ExitCode> {
    shell
        .refuse_agents("inbox --web", "The page's key is for people")
        .await?;
    if let Some(folder) = &scripts {
        build::check_named_scripts(folder)?;
    }
    let keys = Keys::open(shell.journal.as_ref()).await?;
    if let Some(address) = page_host::find(shell.journal.as_ref()).await? {
        if scripts.is_some() {
            eprintln!(
                "Another process serves the page, with its own scripts: --scripts is not used."
            );
        }
        show(&address, &keys).await?;
        return Ok(ExitCode::SUCCESS);
    }
    let Some(mut wanted) = page::wanted(&shell.config)? else {
        bail!(
            "the inbox is off in your configuration, so there is no page: set `inbox` to an address"
        );
    };
    let inbox = page::channel(&wanted);
    shell.config.scripts_dir = scripts.or(shell.config.scripts_dir.take());
    if let Some(library) = build::library(&shell.config).await? {
        let journal = shell.config.journal(&Environment::from_process())?;
        let private = build::private(&journal);
        let page = ScriptPage::open(library, Path::new("."), private)?;
        wanted.scripts = Some(Arc::new(page));
    }
    // Programs ask through this page too.
    let (notifier, pages) = (Notifier::new(shell.config.notify.clone()), inbox.clone());
    let channel = notifier.observe(Arc::new(inbox.clone()), move |ask| pages.ask_address(ask));
    let desk = shell.desk(vec![Arc::new(channel)]).await?;
    let (stop, told) = (CancellationToken::new(), shutdown::requested()?);
    page_host::host(desk, inbox.clone(), wanted, stop.clone()).await?;
    show(&inbox.address(), &keys).await?;
    eprintln!("This command serves the page until you stop it with Ctrl-C.");
    told.await;
    stop.cancel();
    Ok(ExitCode::SUCCESS)
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

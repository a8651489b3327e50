//! `holdpoint serve`: the MCP server, over stdio and HTTP.
//!
//! | module | holds |
//! |---|---|
//! | [`build`] | building the server that the configuration describes |
//! | [`http`], [`stdio`] | the two transports; the caller owns the listener and the shutdown |
//! | [`hold_until_ready`] | holding back requests that may ask until the page is ready |
//! | [`page`] | the inbox page of this process, or the one that it shares |
//! | [`sources`], [`selected_tools`] | which sources of tools it has, and which tools of them |
//! | [`shutdown`] | waiting for the signal to stop |

pub mod build;
pub mod hold_until_ready;
pub mod http;
pub mod page;
pub mod selected_tools;
pub mod shutdown;
pub mod sources;
pub mod stdio;

use crate::{
    config::{Config, Environment, Flags, parse_address},
    script_page::ScriptPage,
    terminal::detect_agent,
    tracing_setup::{self, LogFormat},
};
use anyhow::Context;
use clap::Args;
use http::HttpDoor;
use std::{
    net::SocketAddr,
    path::{Path, PathBuf},
    sync::Arc,
};
use tokio::net::TcpListener;
use tokio_util::sync::CancellationToken;

/// The arguments of `holdpoint serve`.
#[derive(Debug, Args)]
#[command(after_help = EXAMPLES)]
pub struct ServeArgs {
    /// Serve HTTP at this address, under /mcp, instead of stdio. Port 0 takes a free port; the
    /// address is printed. Callers send `Authorization: Bearer` with the key that `holdpoint token
    /// show` prints, or with a token of their own. An address that other machines reach needs
    /// --inbox-cert and --inbox-key, or `behind_proxy` in your own file.
    #[arg(long, value_name = "ADDR", value_parser = address)]
    pub http: Option<SocketAddr>,

    /// The folder that the agent works in.
    #[arg(long, value_name = "DIR", default_value = ".")]
    pub workspace: PathBuf,

    /// What sets a key of the configuration.
    #[command(flatten)]
    pub flags: Flags,

    /// The format of the log on standard error. HOLDPOINT_LOG or RUST_LOG sets its level, such as
    /// `debug`.
    #[arg(long, value_enum, value_name = "FORMAT", default_value = "text")]
    pub log_format: LogFormat,
}

const EXAMPLES: &str = "\
Examples:
  holdpoint serve                              speaks MCP over stdio, as clients start it
  holdpoint serve --http 127.0.0.1:8080        serves http://127.0.0.1:8080/mcp
  holdpoint serve --tools elicit --journal memory:
  holdpoint serve --inbox off                  asks through the client only
  holdpoint serve --scripts ~/scripts          your scripts are tools too

`holdpoint init` registers it with a client.";

/// Serves until the client is gone or the process is told to stop.
///
/// # Errors
/// When the configuration is wrong, or the journal, the workspace or the address cannot be used.
pub async fn run(args: ServeArgs) -> anyhow::Result<()> {
    tracing_setup::start(args.log_format)?;
    let environment = Environment::from_process();
    let mut config = Config::load(&environment, &args.workspace, &args.flags)?;
    if let Some(folder) = args.flags.scripts() {
        build::check_named_scripts(Path::new(folder))?;
    }
    if let Some(agent) = detect_agent::find_shell(&environment) {
        // Its client may be a program that the agent runs, which shows no person anything. Clients that
        // leave their mark on every server that they start cannot be told from that.
        tracing::info!(
            "this server was started by an agent's client, or in its shell: {agent}. Dangerous asks \
             are decided in the inbox only"
        );
        config.dangerous_by_inbox_only = true;
    }
    for warning in config.warnings.iter().chain(&config.unused()) {
        tracing::warn!("{warning}");
    }
    let journal = config.journal(&environment)?;
    let mut wanted = page::wanted(&config)?;
    let inbox = wanted.as_ref().map(page::channel);
    let library = build::library(&config).await?;
    if let (Some(wanted), Some(library)) = (&mut wanted, &library) {
        let private = build::private(&journal);
        let page = ScriptPage::open(library.clone(), &args.workspace, private)?;
        wanted.scripts = Some(Arc::new(page));
    }
    let pin = build::pin_place(&environment, &journal);
    let (workspace, inbox_of) = (&args.workspace, inbox.as_ref());
    let built = build::server(&config, workspace, &journal, pin, inbox_of, None, library).await?;
    let (server, desk) = (built.server, built.desk);
    let stopped = CancellationToken::new();
    let page = async {
        match (wanted, &inbox) {
            (Some(wanted), Some(inbox)) => {
                page::keep(&config, &desk, inbox, wanted, stopped.clone()).await
            }
            _ => Ok(()),
        }
    };
    let _stopped = stopped.clone().drop_guard();
    let stop = shutdown::requested()?;
    match args.http {
        None => Box::pin(stdio::run(server, page, stop)).await,
        Some(address) => {
            let door = HttpDoor::new(&config, address)?;
            page.await?;
            let listener = TcpListener::bind(address).await;
            let listener = listener.with_context(|| format!("cannot listen on {address}"))?;
            println!("{}", door.url(&listener)?);
            let journal = desk.journal().clone();
            door.serve(listener, journal, server, stop).await
        }
    }
}

fn address(text: &str) -> Result<SocketAddr, String> {
    parse_address(text)
        .ok_or_else(|| "expected an address with a port, such as 127.0.0.1:8080".to_owned())
}

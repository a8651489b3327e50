//! `holdpoint serve`: the MCP server, over stdio and HTTP.
//!
//! | module | holds |
//! |---|---|
//! | [`build`] | building the server that the configuration describes |
//! | [`http`], [`stdio`] | the two transports; the caller owns the listener and the shutdown |
//! | [`hold_until_ready`] | holding back requests that may ask until the page is ready |
//! | [`plan_folder`], [`onboarding`] | sources that a build may be without |
//! | [`page`] | the inbox page of this process, or the one that it shares |
//! | [`server_key`] | the key with which callers come in over HTTP |
//! | [`scripts`] | a folder of scripts, as tools and on the page |
//! | [`sources`], [`selected_tools`] | which sources of tools it has, and which tools of them |
//! | [`shutdown`] | waiting for the signal to stop |

pub mod build;
pub mod hold_until_ready;
#[cfg(feature = "http")]
pub mod http;
#[cfg(not(feature = "http"))]
#[path = "without_http.rs"]
pub mod http;
pub mod onboarding;
pub mod page;
#[cfg(feature = "plans")]
pub mod plan_folder;
#[cfg(not(feature = "plans"))]
#[path = "without_plans.rs"]
pub mod plan_folder;
#[cfg(feature = "scripts")]
pub mod scripts;
#[cfg(not(feature = "scripts"))]
#[path = "without_scripts.rs"]
pub mod scripts;
pub mod selected_tools;
pub mod server_key;
pub mod shutdown;
pub mod sources;
pub mod stdio;

use crate::{
    config::{Config, Environment, Flags, parse_address},
    own_command::own_command,
    terminal::detect_agent,
    tracing_setup::{self, LogFormat},
};
use anyhow::Context;
use clap::Args;
use http::HttpDoor;
use std::{
    io::{self, IsTerminal},
    net::SocketAddr,
    path::{Path, PathBuf},
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
        scripts::check_named(Path::new(folder))?;
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
    if args.http.is_none() && io::stdin().is_terminal() {
        eprintln!("{}", at_terminal(&own_command()));
    }
    let journal = config.journal(&environment)?;
    let mut wanted = page::wanted(&config)?;
    let inbox = wanted.as_ref().map(page::channel);
    let library = scripts::library(&config).await?;
    if let (Some(wanted), Some(library)) = (&mut wanted, &library) {
        let private = build::private(&journal);
        wanted.scripts = Some(scripts::page(library.clone(), &args.workspace, private)?);
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

/// What a person reads who started it by hand. Standard output stays for a client.
fn at_terminal(holdpoint: &str) -> String {
    format!(
        "This is the MCP server. It reads JSON-RPC from this terminal, which a client writes and people do \
         not; clients start it by themselves, once they know it. You may be looking for:\n  \
         {holdpoint} init CLIENT    registers it with a client: vscode, claude, codex … (`init --help` lists them)\n  \
         {holdpoint} demo           shows what it does\n  \
         {holdpoint} inbox          shows what agents ask you\n\
         It serves until you press Ctrl-C."
    )
}

fn address(text: &str) -> Result<SocketAddr, String> {
    parse_address(text)
        .ok_or_else(|| "expected an address with a port, such as 127.0.0.1:8080".to_owned())
}

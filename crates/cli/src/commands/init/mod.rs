//! `holdpoint init`: registers the server in a client's own configuration.
//!
//! | module | holds |
//! |---|---|
//! | `client`, `desktop` | the clients: where their file is, what it looks like, what to do next |
//! | `server`, `http_entry` | the entry that is written, and how it meets one that is there |
//! | `json`, `toml` | writing the entry into a file, everything else byte for byte as it was |
//! | `file` | reading and replacing a file: links, byte-order marks, permissions |
//! | `conductor` | the agent files for VS Code |
//! | `report` | what is printed |
//!
//! Everything is planned before anything is written: a file that cannot be read stops it all.

mod client;
mod conductor;
mod desktop;
mod file;
mod http_entry;
mod json;
mod report;
mod server;
mod toml;

pub use client::Client;

use anyhow::Context;
use clap::Args;
use client::{Machine, Syntax};
use file::Change;
use http_entry::HttpEntry;
use server::{EntryChange, Server};
use std::path::Path;
use url::Url;

/// The arguments of `holdpoint init`.
#[derive(Debug, Args)]
pub struct InitArgs {
    /// The client to register with.
    pub client: Client,

    /// Register only these tool sets, separated by commas.
    #[arg(long, value_name = "LIST", value_parser = server::tools)]
    pub tools: Option<String>,

    /// Also write the Conductor and its three subagents to .github/agents (VS Code).
    #[arg(long)]
    pub conductor: bool,

    /// Register a server that `holdpoint serve --http` serves at this address, instead of a program. Its
    /// key is not written: the client reads it from the variable HOLDPOINT_HTTP_KEY, or asks you for it
    /// (VS Code).
    #[arg(long, value_name = "URL", value_parser = address, conflicts_with = "tools")]
    pub http: Option<Url>,

    /// Show what would be written, and write nothing.
    #[arg(long)]
    pub print: bool,
}

/// Registers the server, in the current folder where the client's file belongs to a project.
pub fn run(args: InitArgs) -> anyhow::Result<()> {
    let folder = std::env::current_dir().context("cannot find the current folder")?;
    let plan = plan(&args, &folder, &Machine::current())?;
    if args.print {
        print!("{}", report::shown(&plan, &folder));
        return Ok(());
    }
    plan.change.write()?;
    for agent in &plan.agents {
        agent.change.write()?;
    }
    print!("{}", report::done(&plan, &folder));
    Ok(())
}

/// What is to be done. Nothing has been written yet.
struct Plan {
    client: Client,
    change: Change,
    met: EntryChange,
    agents: Vec<conductor::Agent>,
    /// The server at an address, where that is registered.
    http: Option<HttpEntry>,
    /// The file names the program only, and no shell here would find it.
    absent: bool,
}

fn plan(args: &InitArgs, folder: &Path, machine: &Machine) -> anyhow::Result<Plan> {
    let client = args.client;
    if args.conductor && client != Client::Vscode {
        anyhow::bail!(
            "--conductor writes agent files for VS Code; {} has none. Run `holdpoint init vscode --conductor`, or leave the flag out.",
            client.title()
        );
    }
    let path = client.config(folder, machine)?;
    let command = client.command(machine);
    let absent = command == server::NAME && !machine.finds_holdpoint();
    let server = Server::new(command, args.tools.as_deref());
    let before = file::read(&path)?;
    let http = match &args.http {
        Some(url) => Some(HttpEntry::new(client, url)?),
        None => None,
    };
    let edited = match (client.syntax(), &http) {
        (Syntax::Json { key, .. }, Some(http)) => json::register_http(before.text(), key, http),
        (Syntax::Toml, Some(http)) => toml::register_http(before.text(), http),
        (Syntax::Json { key, typed }, None) => json::register(before.text(), key, typed, &server),
        (Syntax::Toml, None) => toml::register(before.text(), &server),
    };
    let (text, met) =
        edited.with_context(|| format!("{} was left as it is", report::short(&path, folder)))?;
    let agents = if args.conductor {
        conductor::agents(folder)?
    } else {
        Vec::new()
    };
    Ok(Plan {
        client,
        absent: absent && http.is_none(),
        http,
        change: before.into(text),
        met,
        agents,
    })
}

/// Reads the address of a server.
fn address(text: &str) -> Result<Url, String> {
    let url = text.parse().ok();
    let url = url.filter(|url: &Url| matches!(url.scheme(), "http" | "https"));
    let url = url.filter(|url| url.password().is_none() && url.username().is_empty());
    url.ok_or_else(|| "expected an address such as http://127.0.0.1:8080/mcp".to_owned())
}

//! `holdpoint init`: registers the server in a client's own configuration.
//!
//! | module | holds |
//! |---|---|
//! | [`client`], `client_file`, `user_file`, `desktop` | the clients: where their file is, what it looks like, what to do next |
//! | `client_trust`, `claude_settings` | what lets a client call the tools without its own question |
//! | `bare_environment` | the variables by which a server finds the journal of the person's shell |
//! | `server`, `http_entry` | the entry that is written, and how it meets one that is there |
//! | `which_workspace` | the folder that a server works in whose client starts it anywhere |
//! | `json`, `json_edit`, `json_layout`, `toml`, `toml_remove`, `yaml`, `yaml_lines` | the entry in a file, everything else byte for byte as it was |
//! | `plan` | what is to be written, before anything is |
//! | [`prompts`] | the hook by which a client's own prompts come to Holdpoint |
//! | [`registered`] | what a client's file says of Holdpoint, for `holdpoint doctor` |
//! | `file` | reading and replacing a file: links, byte-order marks, permissions |
//! | [`conductor`] | the agent files of a Conductor, and the tools that they need |
//! | [`removable`] | what `--remove` would take out, for `holdpoint uninstall` |
//! | `report` | what is printed |
//!
//! Everything is planned before anything is written: a file that cannot be read stops it all.

pub mod bare_environment;
mod claude_settings;
pub mod client;
mod client_file;
mod client_trust;
pub mod conductor;
mod desktop;
mod file;
mod http_entry;
mod json;
mod json_edit;
mod json_layout;
mod plan;
mod program;
pub mod prompts;
pub mod registered;
pub mod removable;
mod report;
mod server;
mod toml;
mod toml_remove;
pub mod user_file;
mod which_workspace;
mod yaml;
mod yaml_lines;

pub use client::Client;

use crate::{
    config::{Environment, JournalArgs},
    prompts::rules_files,
    shell::Shell,
};
use anyhow::Context;
use clap::Args;
use client::Machine;
use conductor::ModelFor;
use server::EntryChange;
use std::{path::PathBuf, process::ExitCode};
use url::Url;
use user_file::Scope;

/// The arguments of `holdpoint init`.
#[derive(Debug, Args)]
pub struct InitArgs {
    /// The client to register with.
    pub client: Client,

    /// Register only these tools: sets, presets or names, separated by commas, as for `holdpoint serve`.
    #[arg(long, value_name = "LIST", value_parser = server::tools)]
    pub tools: Option<String>,

    /// Write your own files instead of this folder's, for all of your projects (VS Code, Claude Code,
    /// Codex, Zed).
    #[arg(long)]
    pub user: bool,

    /// The folder that the server works in, in an entry that holds for all of your projects. Claude
    /// Desktop and Windsurf start their servers in no project's folder, so you are asked for it where
    /// you do not name it.
    #[arg(long, value_name = "DIR", conflicts_with = "http")]
    pub workspace: Option<PathBuf>,

    /// Also write the agent files of the Conductor and its three subagents: to .github/agents (VS Code),
    /// .claude/agents (Claude Code), or .codex/agents and .agents/skills (Codex). With --user: to
    /// ~/.copilot/agents, ~/.claude/agents, or ~/.codex/agents and ~/.agents/skills.
    #[arg(long)]
    pub conductor: bool,

    /// The model of one of those agents (conductor, planning, implement or review), as the client calls it;
    /// can be given several times. `NAME=` alone leaves it to the client again.
    #[arg(long, value_name = "NAME=MODEL", requires = "conductor")]
    pub model_for: Vec<ModelFor>,

    /// Register a server that `holdpoint serve --http` serves at this address, instead of a program. Its
    /// key is not written: the client reads it from the variable HOLDPOINT_HTTP_KEY, or asks you for it
    /// (VS Code).
    #[arg(long, value_name = "URL", value_parser = address, conflicts_with = "tools")]
    pub http: Option<Url>,

    /// Let the client call Holdpoint's tools without its own question first, which is easily taken for
    /// the approval (Claude Code, Codex, Gemini CLI, Qwen Code, opencode, Kilo). Refused to agents.
    #[arg(long)]
    pub trust: bool,

    /// Also let Holdpoint decide what the client would ask you: by your rules, or in your inbox. Registers
    /// `holdpoint hook` (Claude Code, Codex, VS Code, Copilot CLI, Cursor, Gemini CLI, opencode), once
    /// where a client also runs what another's file has. Refused to agents.
    #[arg(long)]
    pub prompts: bool,

    /// Take Holdpoint out of the client's file again, what --trust and --prompts wrote, and the agent files
    /// that you have not changed; with --trust or --prompts, only what that wrote.
    #[arg(long, conflicts_with_all = ["tools", "http", "conductor", "model_for", "workspace"])]
    pub remove: bool,

    /// Show what would be written, and write nothing.
    #[arg(long)]
    pub print: bool,
}

impl InitArgs {
    /// In whose files.
    fn scope(&self) -> Scope {
        if self.user {
            Scope::User
        } else {
            Scope::Project
        }
    }
}

/// Registers the server, in the current folder where the client's file belongs to a project.
///
/// # Errors
/// When a file cannot be read or changed safely, or an agent asks for what only a person may.
pub async fn run(mut args: InitArgs) -> anyhow::Result<ExitCode> {
    let folder = std::env::current_dir().context("cannot find the current folder")?;
    if args.trust && !args.remove && !args.print {
        refuse("init --trust").await?;
    }
    if args.prompts && !args.print {
        refuse("init --prompts").await?;
    }
    let machine = Machine::current();
    let mut plan = plan::plan(&args, &folder, &machine)?;
    let is_new = !matches!(plan.met, Some(EntryChange::Same { .. }));
    if is_new && plan.lacks_workspace() {
        args.workspace = Some(which_workspace::ask(args.client, &folder)?);
        plan = plan::plan(&args, &folder, &machine)?;
    }
    if args.remove && !args.print && plan.loosens {
        refuse("init --remove").await?;
    }
    if args.conductor {
        // What is written for all folders does not depend on what this one says.
        let own = plan.change.path.parent().unwrap_or(&folder);
        let workspace = if args.user { own } else { &folder };
        conductor::check_tools(&plan, workspace, &Environment::from_process())?;
    }
    if args.print {
        print!("{}", report::shown(&plan, &folder));
        return Ok(ExitCode::SUCCESS);
    }
    plan.write()?;
    print!("{}", report::done(&plan, &folder));
    if args.prompts && !args.remove {
        let first = rules_files::write_first(&Environment::from_process());
        if let Some(path) = first.context("cannot write your first rules")? {
            println!("Your rules begin in {}: read them.", path.display());
        }
    }
    Ok(ExitCode::SUCCESS)
}

/// Ends it where an agent runs it.
async fn refuse(command: &'static str) -> anyhow::Result<()> {
    let shell = Shell::open_own(JournalArgs::default()).await?;
    let why = "What a client may do without asking is for people to say, and nothing was written";
    shell.refuse_agents(command, why).await
}

/// Reads the address of a server.
fn address(text: &str) -> Result<Url, String> {
    let url = text.parse().ok();
    let url = url.filter(|url: &Url| matches!(url.scheme(), "http" | "https"));
    let url = url.filter(|url| url.password().is_none() && url.username().is_empty());
    url.ok_or_else(|| "expected an address such as http://127.0.0.1:8080/mcp".to_owned())
}

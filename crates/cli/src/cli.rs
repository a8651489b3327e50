//! The command line.

use crate::{
    commands::answer::AnswerArgs, commands::ask::AskArgs, commands::completions::CompletionsArgs,
    commands::demo::DemoArgs, commands::doctor::DoctorArgs, commands::hook::HookArgs,
    commands::inbox::InboxArgs, commands::init::InitArgs, commands::journal::JournalCommandArgs,
    commands::log::LogArgs, commands::man::ManArgs, commands::person::PersonArgs,
    commands::pin::PinArgs, commands::rules::RulesArgs, commands::serve::ServeArgs,
    commands::token::TokenArgs, commands::uninstall::UninstallArgs,
};
use clap::{Parser, Subcommand};

#[cfg(not(feature = "scripts"))]
use crate::built_without::AnyArgs as RunArgs;
#[cfg(feature = "scripts")]
use crate::commands::run::RunArgs;

/// People's decisions in the loop of AI agents: an agent asks over MCP, a person decides, and the
/// decision is on the record before anything happens.
#[derive(Debug, Parser)]
#[command(name = "holdpoint", version = VERSION, after_help = EXAMPLES)]
pub struct Cli {
    /// What to do.
    #[command(subcommand)]
    pub command: Command,
}

/// What `holdpoint` can do.
#[derive(Debug, Subcommand)]
pub enum Command {
    /// See it work: an agent asks you to approve a plan.
    Demo(DemoArgs),
    /// Register the server with a client: VS Code, Claude Code, Codex, Gemini CLI and eleven more.
    Init(InitArgs),
    /// Run the MCP server, over stdio or HTTP.
    Serve(ServeArgs),
    /// Read the record: list, search, count, export and verify what was asked and decided.
    Log(Box<LogArgs>),
    /// Check, copy or prune the record.
    Journal(JournalCommandArgs),
    /// See what waits for you, and answer it.
    Inbox(InboxArgs),
    /// Answer one ask from a shell.
    Answer(AnswerArgs),
    /// Ask a person from a shell script.
    Ask(AskArgs),
    /// Run a script: a tool that is one JavaScript or TypeScript file.
    Run(RunArgs),
    /// See what agents may do without asking: check, explain, list and revoke.
    Rules(RulesArgs),
    /// Answer a harness's prompt; harnesses call it, once `init CLIENT --prompts` has registered it.
    Hook(HookArgs),
    /// Set or clear the PIN that a yes to a dangerous ask needs.
    Pin(PinArgs),
    /// Make, list and revoke tokens, with which programs ask or answer in their own name.
    Token(TokenArgs),
    /// Add, list and remove people whom the page knows by name.
    Person(PersonArgs),
    /// Check your setup, and say how to fix what is wrong.
    Doctor(DoctorArgs),
    /// Print what a shell needs to complete this command line.
    Completions(CompletionsArgs),
    /// Print a manual page, or write them all.
    Man(ManArgs),
    /// Say what lies where, and which command removes it.
    Uninstall(UninstallArgs),
}

/// The version, with the commit and its date where they are known; the build script says them.
pub const VERSION: &str = env!("VERSION_WITH_COMMIT");

const EXAMPLES: &str = "\
Examples:
  holdpoint demo                               a first look
  holdpoint init vscode                        register it with VS Code, in this folder
  holdpoint serve --http 127.0.0.1:8080        serve http://127.0.0.1:8080/mcp
  holdpoint log deploy --since yesterday       what was asked and decided
  holdpoint inbox                              what waits for you
  holdpoint ask confirm 'Deploy?' && ./deploy  a person decides in a script
  holdpoint run release.js tag                 a script of yours asks and acts

Exit codes: 0 done, 1 something is wrong, 2 wrong usage; `ask` and `run` have more.";

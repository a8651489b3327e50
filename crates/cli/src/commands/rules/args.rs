//! The command line of `holdpoint rules`.

use crate::config::JournalArgs;
use clap::{Args, Subcommand, ValueEnum};
use holdpoint_harness::Harness;
use std::path::PathBuf;

/// The arguments of `holdpoint rules`.
#[derive(Debug, Args)]
#[command(after_help = NOTE)]
pub struct RulesArgs {
    /// What to do.
    #[command(subcommand)]
    pub command: RulesCommand,

    /// Where the record is.
    #[command(flatten)]
    pub journal: JournalArgs,
}

/// What can be done with rules.
#[derive(Debug, Subcommand)]
pub enum RulesCommand {
    /// Read the rules that hold in this folder, and say what is wrong with them.
    Check,
    /// Say what would happen to a use of a tool, which rule of which line decides, and what would change it.
    Explain(ExplainArgs),
    /// Say why somebody was asked about a prompt on record, and what the rules say of it now.
    Why {
        /// The ask, by its id or a part of it that no other has.
        ask: String,
    },
    /// List what is remembered: the permissions that people gave with an answer, and that stand.
    List {
        /// Only those with these words in them.
        words: Vec<String>,
        /// Print JSON.
        #[arg(long)]
        json: bool,
    },
    /// Revoke what is remembered. It permits nothing from now on.
    Revoke {
        /// Its id, or a part of it that no other has.
        id: String,
    },
    /// Suggest rules for what was always answered with a yes. Only you make a rule of one.
    Suggest {
        /// Print JSON.
        #[arg(long)]
        json: bool,
    },
    /// Print the rules of another program as a rules.toml.
    Import {
        /// The program.
        from: From,
        /// Its files; where it keeps them, if none are named.
        files: Vec<PathBuf>,
    },
}

/// What is to be explained.
#[derive(Debug, Args)]
pub struct ExplainArgs {
    /// The tool, by Claude Code's name: Bash, Edit, Read, WebFetch, mcp__github__create_issue.
    pub tool: String,
    /// What it is used with: a command, a path, an address; for other tools their arguments as JSON.
    #[arg(default_value = "", allow_hyphen_values = true)]
    pub what: String,
    /// For which harness; what is remembered for others does not count.
    #[arg(long, default_value = "claude", value_parser = harness)]
    pub client: Harness,
    /// Print JSON.
    #[arg(long)]
    pub json: bool,
}

/// A program whose rules can be read.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum From {
    /// Claude Code's settings.
    Claude,
    /// Codex's execution policies.
    Codex,
    /// Gemini CLI's policies.
    Gemini,
    /// opencode's permissions.
    Opencode,
}

fn harness(word: &str) -> Result<Harness, String> {
    word.parse().map_err(|error| format!("{error}"))
}

const NOTE: &str = "\
Your rules are in rules.toml beside your config.toml; a workspace's .holdpoint/rules.toml can only tighten
them. `holdpoint init CLIENT --prompts` brings a harness's prompts here.
Examples:
  holdpoint rules explain Bash 'git push origin main'
  holdpoint rules list push
  holdpoint rules import claude
Exit codes: 0 done (`explain`: allowed), 1 something is wrong (`explain`: denied), 3 it would be asked.";

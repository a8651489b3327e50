//! The clients: where their file is, what it looks like, what to do next.

use super::desktop;
use clap::ValueEnum;
use std::{
    ffi::OsString,
    path::{Path, PathBuf},
};

/// A client that `holdpoint init` knows.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum Client {
    /// VS Code: .vscode/mcp.json
    Vscode,
    /// Claude Code: .mcp.json
    Claude,
    /// Claude Desktop: its own file in your configuration folder
    ClaudeDesktop,
    /// Cursor: .cursor/mcp.json
    Cursor,
    /// Codex: .codex/config.toml
    Codex,
}

/// What a client's file is written in.
#[derive(Debug, Clone, Copy)]
pub enum Syntax {
    /// JSON, comments allowed: the servers are under `key`; `typed` entries name their transport.
    Json { key: &'static str, typed: bool },
    /// TOML: the servers are tables under `mcp_servers`.
    Toml,
}

/// The environment's variables, by name.
type Variables = Box<dyn Fn(&str) -> Option<OsString>>;

/// What `init` must know of the machine; passed in, so that every platform can be tested on one.
pub struct Machine {
    /// `linux`, `macos` or `windows`.
    pub os: &'static str,
    /// An environment variable.
    pub var: Variables,
    /// This binary.
    pub binary: Option<PathBuf>,
}

impl Machine {
    /// The machine that this runs on.
    pub fn current() -> Self {
        Self {
            os: std::env::consts::OS,
            var: Box::new(|name| std::env::var_os(name).filter(|value| !value.is_empty())),
            binary: std::env::current_exe().ok(),
        }
    }

    /// Whether a shell would find `holdpoint`.
    pub fn finds_holdpoint(&self) -> bool {
        let name = match self.os {
            "windows" => "holdpoint.exe",
            _ => "holdpoint",
        };
        (self.var)("PATH")
            .is_some_and(|path| std::env::split_paths(&path).any(|dir| dir.join(name).is_file()))
    }
}

impl Client {
    /// The client's name.
    pub fn title(self) -> &'static str {
        match self {
            Self::Vscode => "VS Code",
            Self::Claude => "Claude Code",
            Self::ClaudeDesktop => "Claude Desktop",
            Self::Cursor => "Cursor",
            Self::Codex => "Codex",
        }
    }

    /// The file that lists its servers.
    pub fn config(self, folder: &Path, machine: &Machine) -> anyhow::Result<PathBuf> {
        Ok(match self {
            Self::Vscode => folder.join(".vscode").join("mcp.json"),
            Self::Claude => folder.join(".mcp.json"),
            Self::ClaudeDesktop => desktop::config(machine)?,
            Self::Cursor => folder.join(".cursor").join("mcp.json"),
            Self::Codex => folder.join(".codex").join("config.toml"),
        })
    }

    /// What that file is written in.
    pub fn syntax(self) -> Syntax {
        match self {
            Self::Vscode => Syntax::Json {
                key: "servers",
                typed: true,
            },
            Self::Claude | Self::Cursor => Syntax::Json {
                key: "mcpServers",
                typed: true,
            },
            Self::ClaudeDesktop => Syntax::Json {
                key: "mcpServers",
                typed: false,
            },
            Self::Codex => Syntax::Toml,
        }
    }

    /// What starts the server. A project's file is shared, so it names the program only; Claude
    /// Desktop's is one person's, and is read by an app that knows no shell's PATH.
    pub fn command(self, machine: &Machine) -> String {
        let own = match self {
            Self::ClaudeDesktop => machine.binary.as_ref().and_then(|path| path.to_str()),
            _ => None,
        };
        own.unwrap_or("holdpoint").to_owned()
    }

    /// What a person does next.
    pub fn next(self) -> &'static str {
        match self {
            Self::Vscode => {
                "Next: open .vscode/mcp.json in VS Code, select Start above `holdpoint` and trust it; its tools are then in the chat's tool picker."
            }
            Self::Claude => {
                "Next: start `claude` in this folder and approve the server when it asks; `/mcp` shows it."
            }
            Self::ClaudeDesktop => {
                "Next: quit Claude Desktop and start it again. It shows no forms: its questions wait in your inbox, which `holdpoint inbox --web` opens."
            }
            Self::Cursor => {
                "Next: open this folder in Cursor and switch `holdpoint` on in its settings, under MCP."
            }
            Self::Codex => {
                "Next: start `codex` in this folder and trust the folder; `/mcp` lists the server. Under the approval policy `never` Codex declines every question by itself."
            }
        }
    }
}

//! The clients: their names, what their file looks like, what to do next.

use super::{program::Program, user_file::Scope};
use clap::ValueEnum;
use std::{ffi::OsString, path::PathBuf};

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
    /// Copilot CLI: .github/mcp.json
    Copilot,
    /// Gemini CLI: .gemini/settings.json
    Gemini,
    /// Qwen Code: .qwen/settings.json
    Qwen,
    /// opencode: opencode.json
    Opencode,
    /// Kilo: kilo.json
    Kilo,
    /// Continue: config.yaml in your ~/.continue
    Continue,
    /// Cline: its own file in your ~/.cline
    Cline,
    /// fast-agent: fastagent.config.yaml
    FastAgent,
    /// Zed: .zed/settings.json
    Zed,
    /// Windsurf: its own file in your ~/.codeium
    Windsurf,
}

/// What a client's file is written in.
#[derive(Debug, Clone, Copy)]
pub enum Syntax {
    /// JSON, comments allowed: the servers are under `key`.
    Json {
        /// Where they are.
        key: &'static str,
        /// What an entry looks like.
        entry: EntryShape,
    },
    /// TOML: the servers are tables under `mcp_servers`.
    Toml,
    /// YAML.
    Yaml(Servers),
}

/// Where a YAML file lists its servers.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Servers {
    /// In a list under this key; each has a `name`.
    Listed(&'static str),
    /// By their names, under these keys.
    Named(&'static [&'static str]),
}

/// What an entry looks like in JSON.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum EntryShape {
    /// `command` and `args`, or `url`; `type` names the transport.
    Typed,
    /// `command` and `args`, or `httpUrl`.
    Plain,
    /// `command`, `args` and how long a call may take.
    Timed,
    /// `command` and `args`, or `serverUrl`.
    Served,
    /// `type` is `local`, and `command` is a list with the arguments in it; or it is `remote`, with a `url`.
    Local,
}

/// How a server that the client starts gets to know the variables of the person's shell.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Passing {
    /// It has them all.
    Inherits,
    /// The entry lists the names of those that are handed on.
    Names,
    /// The entry sets them, with values in which the client puts its own variables.
    Notation,
    /// The entry sets them to values.
    Values,
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

    /// A folder that a variable names; a relative path does not count.
    pub fn folder(&self, variable: &str) -> Option<PathBuf> {
        let named = (self.var)(variable).map(PathBuf::from);
        named.filter(|path| path.is_absolute())
    }

    /// The person's home.
    pub fn home(&self) -> Option<PathBuf> {
        let home = self.folder("HOME");
        match self.os {
            "windows" => home.or_else(|| self.folder("USERPROFILE")),
            _ => home,
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
            Self::Copilot => "Copilot CLI",
            Self::Gemini => "Gemini CLI",
            Self::Qwen => "Qwen Code",
            Self::Opencode => "opencode",
            Self::Kilo => "Kilo",
            Self::Continue => "Continue",
            Self::Cline => "Cline",
            Self::FastAgent => "fast-agent",
            Self::Zed => "Zed",
            Self::Windsurf => "Windsurf",
        }
    }

    /// Its name on the command line.
    pub fn word(self) -> String {
        let value = self.to_possible_value();
        value.map_or_else(String::new, |value| value.get_name().to_owned())
    }

    /// What its file is written in.
    pub fn syntax(self) -> Syntax {
        let json = |key, entry| Syntax::Json { key, entry };
        match self {
            Self::Vscode => json("servers", EntryShape::Typed),
            Self::Claude | Self::Cursor | Self::Copilot => json("mcpServers", EntryShape::Typed),
            Self::ClaudeDesktop | Self::Gemini | Self::Qwen | Self::Cline => {
                json("mcpServers", EntryShape::Plain)
            }
            Self::Zed => json("context_servers", EntryShape::Timed),
            Self::Windsurf => json("mcpServers", EntryShape::Served),
            Self::Opencode | Self::Kilo => json("mcp", EntryShape::Local),
            Self::Codex => Syntax::Toml,
            Self::Continue => Syntax::Yaml(Servers::Listed("mcpServers")),
            Self::FastAgent => Syntax::Yaml(Servers::Named(&["mcp", "servers"])),
        }
    }

    /// How its servers get to know the variables of the person's shell.
    pub fn passing(self) -> Passing {
        match self {
            Self::Codex => Passing::Names,
            Self::FastAgent => Passing::Notation,
            Self::ClaudeDesktop | Self::Windsurf => Passing::Values,
            _ => Passing::Inherits,
        }
    }

    /// What starts the server. A project's file is shared, so it names the program only; those of Claude
    /// Desktop and Windsurf are one person's, and are read by an app that may know no shell's PATH.
    pub fn program(self, machine: &Machine) -> Program {
        let launched = Program::launched(machine.binary.as_deref());
        let own = match self {
            Self::ClaudeDesktop | Self::Windsurf => machine.binary.as_ref(),
            _ => None,
        };
        let own = own.and_then(|path| path.to_str()).map(Program::path);
        launched.or(own).unwrap_or_else(Program::on_path)
    }

    /// Whether it starts its servers anywhere, and not in the folder that a person works in.
    pub fn starts_anywhere(self) -> bool {
        matches!(self, Self::ClaudeDesktop | Self::Windsurf)
    }

    /// What a person does next.
    pub fn next(self, scope: Scope) -> &'static str {
        match self {
            Self::Vscode if scope == Scope::User => {
                "Next: run `MCP: List Servers` in VS Code, start `holdpoint` and trust it; its tools are then in the chat's tool picker."
            }
            Self::Claude if scope == Scope::User => {
                "Next: start `claude` in any folder; `/mcp` shows the server."
            }
            Self::Codex if scope == Scope::User => {
                "Next: start `codex` in any folder; `/mcp` lists the server. Under the approval policy `never` Codex declines every question by itself."
            }
            Self::Vscode => {
                "Next: open .vscode/mcp.json in VS Code, select Start above `holdpoint` and trust it; its tools are then in the chat's tool picker."
            }
            Self::Claude => {
                "Next: start `claude` in this folder and approve the server when it asks; `/mcp` shows it."
            }
            Self::Zed if scope == Scope::User => {
                "Next: open Zed; the settings of its Agent Panel list the server. It shows no forms: its questions wait in your inbox, which `holdpoint inbox --web` opens."
            }
            Self::Zed => {
                "Next: open this folder in Zed and trust it; the settings of its Agent Panel list the server. It shows no forms: its questions wait in your inbox, which `holdpoint inbox --web` opens."
            }
            Self::Windsurf => {
                "Next: in Windsurf's Cascade panel open the MCP servers and refresh them. It shows no forms: its questions wait in your inbox, which `holdpoint inbox --web` opens."
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
            Self::Copilot => {
                "Next: start `copilot` in this folder and trust the folder; `/mcp show` lists the server."
            }
            Self::Gemini => {
                "Next: start `gemini` in this folder; `/mcp` lists the server. It shows no forms: its questions wait in your inbox, which `holdpoint inbox --web` opens."
            }
            Self::Qwen => {
                "Next: start `qwen` in this folder; `/mcp` lists the server. It shows no forms: its questions wait in your inbox, which `holdpoint inbox --web` opens."
            }
            Self::Opencode => {
                "Next: start `opencode` in this folder; `opencode mcp list` lists the server. It shows no forms: its questions wait in your inbox, which `holdpoint inbox --web` opens."
            }
            Self::Kilo => {
                "Next: start `kilo` in this folder; `kilo mcp list` lists the server. It shows no forms: its questions wait in your inbox, which `holdpoint inbox --web` opens."
            }
            Self::Continue => {
                "Next: start `cn`; `/mcp` lists the server. It shows no forms: its questions wait in your inbox, which `holdpoint inbox --web` opens."
            }
            Self::Cline => {
                "Next: start `cline`, which starts the server by itself. It shows no forms: its questions wait in your inbox, which `holdpoint inbox --web` opens."
            }
            Self::FastAgent => {
                "Next: run `fast-agent go --servers holdpoint` in this folder, or name `holdpoint` among the servers of an agent."
            }
        }
    }
}

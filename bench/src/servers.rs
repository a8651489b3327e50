//! The servers that are compared. Each has the one tool `elicit_input`.

use anyhow::Context;
use std::{
    fs::{self, OpenOptions},
    path::{Path, PathBuf},
    process::Command,
};

/// One of them.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Server {
    /// Holdpoint, with its durable journal.
    Holdpoint,
    /// Plain rmcp, nothing kept.
    Rmcp,
    /// The TypeScript SDK.
    TypeScript,
    /// FastMCP.
    FastMcp,
}

impl Server {
    /// All of them, Holdpoint first.
    pub const ALL: [Self; 4] = [Self::Holdpoint, Self::Rmcp, Self::TypeScript, Self::FastMcp];

    /// As it is called in the table.
    pub fn name(self) -> &'static str {
        match self {
            Self::Holdpoint => "holdpoint",
            Self::Rmcp => "plain rmcp",
            Self::TypeScript => "typescript",
            Self::FastMcp => "fastmcp",
        }
    }
}

/// Where they are.
pub struct Places {
    /// The folder `bench`.
    pub bench: PathBuf,
    /// Where `bench/setup` has put what it installed.
    pub tools: PathBuf,
    /// The program `holdpoint`; the one that was built with this driver where there is none.
    pub holdpoint: Option<PathBuf>,
    /// An empty folder on a disk, for the journals.
    pub scratch: PathBuf,
}

impl Places {
    /// Sets Holdpoint up as it comes, but for the number of asks that may be open: only a user's own
    /// file can raise it, and only a build for tests takes another home for the user's.
    pub fn prepare(&self) -> anyhow::Result<()> {
        let folder = self.scratch.join(".config/holdpoint");
        fs::create_dir_all(&folder)?;
        fs::write(folder.join("config.toml"), "max_open_asks = 1000000\n")?;
        Ok(())
    }

    /// What the servers have logged.
    pub fn log(&self) -> String {
        fs::read_to_string(self.scratch.join("log")).unwrap_or_default()
    }

    /// How a server is started; Holdpoint with the journal of this name.
    pub fn command(&self, server: Server, journal: &str) -> anyhow::Result<Command> {
        let mut command = match server {
            Server::Holdpoint => {
                let journal = self.scratch.join(journal);
                let program = match &self.holdpoint {
                    Some(program) => program.clone(),
                    None => beside("holdpoint")?,
                };
                let mut command = Command::new(program);
                command
                    .args([
                        "serve",
                        "--journal",
                        &format!("sqlite:{}", journal.display()),
                    ])
                    .arg("--workspace")
                    .arg(&self.scratch)
                    // Nothing of what this machine's user has set.
                    .env("HOLDPOINT_TEST_ACCOUNT", &self.scratch)
                    .env("XDG_CONFIG_HOME", self.scratch.join(".config"))
                    .env("XDG_STATE_HOME", &self.scratch);
                command
            }
            Server::Rmcp => Command::new(beside("plain")?),
            Server::TypeScript => {
                let node = self.tools.join("typescript/node_modules/.bin/node");
                with(
                    node.canonicalize()
                        .with_context(|| format!("no {}", node.display()))?,
                    self.bench.join("servers/typescript/server.mjs"),
                )
            }
            Server::FastMcp => with(
                self.tools.join("fastmcp/bin/python"),
                self.bench.join("servers/fastmcp/server.py"),
            ),
        };
        // What a server logs is work that counts; it is read only when something goes wrong.
        let log = OpenOptions::new()
            .create(true)
            .append(true)
            .open(self.scratch.join("log"))?;
        command.stderr(log);
        Ok(command)
    }
}

fn with(program: PathBuf, script: PathBuf) -> Command {
    let mut command = Command::new(program);
    command.arg(script);
    command
}

/// A program that was built together with this one.
fn beside(name: &str) -> anyhow::Result<PathBuf> {
    let own = std::env::current_exe()?;
    Ok(own.parent().unwrap_or(Path::new(".")).join(name))
}

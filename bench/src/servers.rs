//! The servers that are compared. Each has the one tool `elicit_input`.

use crate::http_client::Era;
use anyhow::Context;
use clap::Args;
use holdpoint_inbox::tokens::{May, Tokens};
use std::{
    fs::{self, OpenOptions},
    path::{Path, PathBuf},
    process::Command,
};

/// For a client that answers at once, as no person does, and has more asks open than it may: only a user's own file can
/// say so.
pub const AT_ONCE: &str = "fast_reply_ms = 0\nmax_open_asks = 1000000\n";

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

    /// Those whose name has one of these words in it; all of them where there is no word.
    pub fn chosen(words: &[String]) -> impl Iterator<Item = Self> {
        let wanted = |server: &Self| {
            words.is_empty() || words.iter().any(|word| server.name().contains(word))
        };
        Self::ALL.into_iter().filter(wanted)
    }

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

/// How a server is spoken to.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Over {
    /// Its standard input and output.
    Stdio,
    /// HTTP. It prints its address. The SDKs of others have a server for each era.
    Http(Era),
}

/// Where they are.
#[derive(Debug, Clone, Args)]
pub struct Places {
    /// The folder `bench`.
    #[arg(long, default_value = "bench")]
    pub bench: PathBuf,
    /// What `bench/setup` has installed.
    #[arg(long, default_value = ".tools/bench", env = "BENCH_TOOLS")]
    pub tools: PathBuf,
    /// Another build of `holdpoint` than the one beside this program, to compare two.
    #[arg(long)]
    pub holdpoint: Option<PathBuf>,
    /// The folder for journals; it is on a disk.
    #[arg(skip)]
    pub scratch: PathBuf,
}

impl Places {
    /// Journals go into this folder. Holdpoint is set up as it comes, and with this in the user's own
    /// configuration file: only a build for tests takes another home for the user's.
    ///
    /// # Errors
    /// When the file cannot be written.
    pub fn prepare(&mut self, scratch: &Path, config: &str) -> anyhow::Result<()> {
        scratch.clone_into(&mut self.scratch);
        let folder = self.scratch.join(".config/holdpoint");
        fs::create_dir_all(&folder)?;
        fs::write(folder.join("config.toml"), config)?;
        Ok(())
    }

    /// The address of Holdpoint's journal of this name.
    pub fn journal(&self, name: &str) -> String {
        format!("sqlite:{}", self.scratch.join(name).display())
    }

    /// Makes tokens that allow asking, in Holdpoint's journal of this name, which nobody has open: each is a client
    /// of its own.
    ///
    /// # Errors
    /// When the journal cannot be opened or written.
    pub async fn tokens(&self, journal: &str, count: usize) -> anyhow::Result<Vec<String>> {
        let tokens = Tokens::new(holdpoint::journal::open(&self.journal(journal)).await?);
        let mut made = Vec::new();
        for number in 0..count {
            made.push(
                tokens
                    .create(&format!("bench-{number}"), &[May::Ask])
                    .await?,
            );
        }
        Ok(made)
    }

    /// What the servers have logged.
    pub fn log(&self) -> String {
        fs::read_to_string(self.scratch.join("log")).unwrap_or_default()
    }

    /// How a server is started; Holdpoint with the journal of this name.
    ///
    /// # Errors
    /// When its program is not there.
    pub fn command(&self, server: Server, over: Over, journal: &str) -> anyhow::Result<Command> {
        let mut command = match server {
            Server::Holdpoint => {
                let program = match &self.holdpoint {
                    Some(program) => program.clone(),
                    None => beside("holdpoint")?,
                };
                let mut command = Command::new(program);
                command
                    .args(["serve", "--journal", &self.journal(journal)])
                    .arg("--workspace")
                    .arg(&self.scratch)
                    // Nothing of what this machine's user has set.
                    .env("HOLDPOINT_TEST_ACCOUNT", &self.scratch)
                    .env("XDG_CONFIG_HOME", self.scratch.join(".config"))
                    .env("XDG_STATE_HOME", &self.scratch);
                command
            }
            Server::Rmcp => Command::new(beside(match over {
                Over::Stdio => "plain",
                Over::Http(_) => "plain_http",
            })?),
            Server::TypeScript => {
                let folder = of_era("typescript", over);
                let node = self.tools.join(folder).join("node_modules/.bin/node");
                let node = node
                    .canonicalize()
                    .with_context(|| format!("no {}: run bench/setup", node.display()))?;
                with(
                    node,
                    self.bench.join("servers").join(folder).join("server.mjs"),
                )
            }
            Server::FastMcp => {
                let folder = of_era("fastmcp", over);
                with(
                    self.tools.join(folder).join("bin/python"),
                    self.bench.join("servers").join(folder).join("server.py"),
                )
            }
        };
        let http: &[&str] = match (server, over) {
            (Server::Holdpoint, Over::Http(_)) => &["--http", "127.0.0.1:0"],
            (Server::TypeScript | Server::FastMcp, Over::Http(Era::Older)) => &["--http"],
            _ => &[],
        };
        command.args(http);
        // What a server logs is work that counts; it is read only when something goes wrong.
        let log = OpenOptions::new()
            .create(true)
            .append(true)
            .open(self.scratch.join("log"))?;
        command.stderr(log);
        Ok(command)
    }
}

/// The folder of this name for what is spoken.
fn of_era(name: &'static str, over: Over) -> &'static str {
    match (name, over) {
        ("typescript", Over::Http(Era::Newer)) => "typescript-newer",
        ("fastmcp", Over::Http(Era::Newer)) => "fastmcp-newer",
        _ => name,
    }
}

fn with(program: PathBuf, script: PathBuf) -> Command {
    let mut command = Command::new(program);
    command.arg(script);
    command
}

/// A program that was built together with this one.
///
/// # Errors
/// When nobody knows where this one is.
pub fn beside(name: &str) -> anyhow::Result<PathBuf> {
    let own = std::env::current_exe()?;
    Ok(own.parent().unwrap_or(Path::new(".")).join(name))
}

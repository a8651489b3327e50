//! The entry of a server at an address. Its key stands in no file: the client reads it from a variable, or
//! asks the person for it.

use super::{Client, server::EntryChange, server::ExistingEntry};
use anyhow::bail;
use url::Url;

/// The variable that holds the server's key.
pub const VARIABLE: &str = "HOLDPOINT_HTTP_KEY";
/// What VS Code calls what it asks for.
pub const INPUT: &str = "holdpoint-http-key";

/// A server at an address.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct HttpEntry {
    /// Where it is.
    pub url: String,
    /// Where the client has its key from.
    pub key: KeyFrom,
}

/// Where a client has the key from.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum KeyFrom {
    /// It asks the person, and keeps it to itself.
    Input,
    /// A variable, in this notation.
    Variable(&'static str),
    /// A variable that a setting of its own names.
    NamedVariable,
}

impl HttpEntry {
    /// The entry for this client.
    ///
    /// # Errors
    /// When its file has no place for it.
    pub fn new(client: Client, url: &Url) -> anyhow::Result<Self> {
        let key = match client {
            Client::Vscode => KeyFrom::Input,
            Client::Claude
            | Client::Copilot
            | Client::Gemini
            | Client::Qwen
            | Client::FastAgent => KeyFrom::Variable("${HOLDPOINT_HTTP_KEY}"),
            Client::Cursor => KeyFrom::Variable("${env:HOLDPOINT_HTTP_KEY}"),
            Client::Windsurf => KeyFrom::Variable("${env:HOLDPOINT_HTTP_KEY}"),
            Client::Opencode => KeyFrom::Variable("{env:HOLDPOINT_HTTP_KEY}"),
            Client::Continue => KeyFrom::Variable("${{ secrets.HOLDPOINT_HTTP_KEY }}"),
            Client::Codex => KeyFrom::NamedVariable,
            Client::ClaudeDesktop => bail!(
                "Claude Desktop's file has programs only: run `holdpoint init claude-desktop` without --http"
            ),
            Client::Kilo => bail!(
                "Kilo reads no variable in a project's file, so that the key would stand in it: run `holdpoint init kilo` without --http"
            ),
            Client::Zed => bail!(
                "Zed reads no variable for the key, which would stand in its file: run `holdpoint init zed` without --http"
            ),
            Client::Cline => bail!(
                "Cline reads no variable for the key, which would stand in its file: run `holdpoint init cline` without --http"
            ),
        };
        Ok(Self {
            url: url.to_string(),
            key,
        })
    }

    /// The value of the header that carries the key.
    pub fn authorization(&self) -> Option<String> {
        match self.key {
            KeyFrom::Input => Some(format!("Bearer ${{input:{INPUT}}}")),
            KeyFrom::Variable(written) => Some(format!("Bearer {written}")),
            KeyFrom::NamedVariable => None,
        }
    }

    /// What becomes of an entry that is there. One that starts a program is the person's.
    ///
    /// # Errors
    /// When it is not this server.
    pub fn over(&self, found: &ExistingEntry) -> anyhow::Result<EntryChange> {
        match &found.url {
            Some(url) if *url == self.url => Ok(EntryChange::Same { flags: Vec::new() }),
            Some(url) => {
                bail!("its entry `holdpoint` is a server at {url}; remove that entry first")
            }
            None => bail!("its entry `holdpoint` starts a program; remove that entry first"),
        }
    }

    /// What a person does so that the client has the key.
    pub fn next(&self) -> String {
        match self.key {
            KeyFrom::Input => {
                "VS Code asks for the key once: `holdpoint token show` prints it.".to_owned()
            }
            _ => format!(
                "The key is in no file: set {VARIABLE} to what `holdpoint token show` prints, where you start the client."
            ),
        }
    }
}

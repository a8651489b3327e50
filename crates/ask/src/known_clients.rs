//! The clients that are known, with their profiles: one table in data.

use crate::ClientProfile;
use serde::Deserialize;
use serde_json::{Map, Value};
use std::sync::LazyLock;

/// A client that was tried, or read about.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
#[non_exhaustive]
pub struct KnownClient {
    /// What people call it.
    pub title: String,
    /// What it calls itself, in small letters; `*` at the end stands for anything.
    pub names: Vec<String>,
    /// What `holdpoint init` calls it, where it sets it up.
    pub init: Option<String>,
    /// The version that was tried; none where it is known from documentation only.
    pub tried: Option<String>,
    /// What a person sees of a question.
    pub sees: String,
    /// What of a result its model gets.
    pub agent_gets: String,
    /// What else to expect.
    pub notes: Vec<String>,
    /// How it differs from an unknown client, by the keys of [`ClientProfile`].
    #[serde(rename = "profile")]
    differs: Map<String, Value>,
    /// What it really renders.
    #[serde(skip)]
    pub profile: ClientProfile,
}

#[derive(Deserialize)]
struct Table {
    client: Vec<KnownClient>,
}

static KNOWN: LazyLock<Vec<KnownClient>> = LazyLock::new(|| {
    let table: Table = toml::from_str(include_str!("clients.toml")).expect("clients.toml is read");
    let mut clients = table.client;
    for client in &mut clients {
        let profile = ClientProfile::default().with(&client.differs);
        client.profile = profile.expect("a profile in clients.toml has known keys");
    }
    clients
});

/// All of them, in the order in which people read about them.
pub fn known_clients() -> &'static [KnownClient] {
    &KNOWN
}

impl KnownClient {
    /// The client that calls itself so.
    pub fn find(name: &str) -> Option<&'static Self> {
        let name = name.trim().to_lowercase();
        KNOWN.iter().find(|client| client.is_called(&name))
    }

    fn is_called(&self, name: &str) -> bool {
        self.names
            .iter()
            .any(|known| match known.strip_suffix('*') {
                Some(start) => name.starts_with(start),
                None => name == known,
            })
    }
}

impl ClientProfile {
    /// The profile of the client that calls itself so; that of an unknown one where nobody knows it.
    pub fn for_client(name: &str) -> Self {
        KnownClient::find(name).map_or_else(Self::default, |client| client.profile.clone())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::profile::{MultiSelect, Numbers, Titles};

    #[test]
    fn clients_by_name() {
        let check = |name: &str, title: &str| {
            let found = KnownClient::find(name).map_or("", |client| &client.title);
            assert_eq!(found, title, "{name}");
        };
        check("nobody knows me", "");
        check("", "");
        check("mcp", "FastMCP, Mistral Vibe and others on the Python SDK");
        check("mcp-something", "");
        check("Visual Studio Code - Insiders", "VS Code");
        check("claude-code", "Claude Code");
        check("claude-code-2", "");
        check("claude-ai", "Claude Desktop");
        check("codex-mcp-client", "Codex");
        check("cursor-vscode", "Cursor");
        check("qwen-cli-mcp-client-holdpoint", "Qwen Code");
        check(" @cline/core ", "Cline");
        check("Zed", "Zed");
        check("windsurf-client", "Windsurf");
    }

    #[test]
    fn a_client_is_known_by_what_differs() {
        let vscode = ClientProfile::for_client("Visual Studio Code");
        assert_eq!(vscode.titles, Titles::Values);
        let codex = ClientProfile::for_client("codex-mcp-client");
        assert_eq!(codex.multi_select, MultiSelect::Booleans);
        assert_eq!(codex.numbers, Numbers::Text);
        assert!(!codex.url && codex.sorts_fields && !codex.optional_text);
        let claude = ClientProfile::for_client("claude-code");
        assert!(!claude.fits("1\n2\n3\n4\n5") && claude.answers_by_hook);
    }

    #[test]
    fn whoever_is_not_known_to_leave_a_form_empty_may_fill_it_in() {
        for unknown in ["nobody knows me", "mcp"] {
            assert_eq!(ClientProfile::for_client(unknown), ClientProfile::default());
        }
        assert!(ClientProfile::default().preselects_first);
        let empty: Vec<_> = known_clients()
            .iter()
            .filter(|client| !client.profile.preselects_first)
            .map(|client| client.title.as_str())
            .collect();
        assert_eq!(empty, ["Claude Code", "mcpdo"]);
    }
}

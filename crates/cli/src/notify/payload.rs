//! What a hook gets of an ask that waits.

use holdpoint::{AskId, Showing};
use holdpoint_ask::{describe::who_asks, short_id, visible};
use jiff::Timestamp;
use serde::Serialize;

/// An ask that waits for a person. Its texts are the agent's, with what is hidden in them written
/// out; a hook shows them and runs nothing of them.
#[derive(Debug, Clone, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Payload {
    /// `waiting`, or `trial` where somebody only tries it out.
    pub event: &'static str,
    /// The ask.
    pub ask_id: AskId,
    /// What is shown of its id, and taken by `holdpoint answer`.
    pub short_id: String,
    /// The question, as Markdown.
    pub message: String,
    /// A yes cannot be taken back.
    pub dangerous: bool,
    /// Who asks, in words for a person: the server, and for which client.
    pub who: String,
    /// The server that asks.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub server: Option<String>,
    /// The agent's client.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub client: Option<String>,
    /// The tool or prompt that asks.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub tool: Option<String>,
    /// The folder that the agent works in.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub workspace: Option<String>,
    /// When it times out.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub deadline_at: Option<Timestamp>,
    /// Where it can be answered; the address has no key in it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub url: Option<String>,
}

impl Payload {
    /// The payload for an ask that can be answered at this address.
    pub fn from_showing(showing: &Showing, url: Option<String>) -> Self {
        let shown = |text: &str| visible(text).into_owned();
        let origin = showing.origin();
        Self {
            event: "waiting",
            ask_id: showing.id(),
            short_id: short_id(&showing.id()),
            message: shown(&showing.ask().message),
            dangerous: showing.ask().dangerous,
            who: who_asks(origin),
            server: origin.server.as_deref().map(shown),
            client: origin.client.as_deref().map(shown),
            tool: origin.tool.as_deref().map(shown),
            workspace: origin.workspace.as_deref().map(shown),
            deadline_at: showing.deadline_at(),
            url,
        }
    }

    /// A notification of which nothing but its arrival matters.
    pub fn for_trial() -> Self {
        let ask_id = AskId::new();
        Self {
            event: "trial",
            ask_id,
            short_id: short_id(&ask_id),
            message: "A trial by `holdpoint doctor --try`: nothing waits for you.".to_owned(),
            dangerous: false,
            who: "holdpoint doctor tries this out".to_owned(),
            server: None,
            client: None,
            tool: None,
            workspace: None,
            deadline_at: None,
            url: None,
        }
    }

    /// As a hook gets it.
    pub fn json(&self) -> Vec<u8> {
        serde_json::to_vec(self).unwrap_or_default()
    }

    /// Who asks, in a few words.
    pub fn title(&self) -> String {
        let danger = if self.dangerous { "⚠ " } else { "" };
        format!("{danger}{}", self.who)
    }

    /// The question's first line.
    pub fn line(&self) -> &str {
        let mut lines = self
            .message
            .lines()
            .map(|line| line.trim_start_matches(['#', ' ']));
        lines.find(|line| !line.is_empty()).unwrap_or_default()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_title_says_who_asks_and_the_danger() {
        let mut payload = Payload {
            event: "waiting",
            ask_id: AskId::new(),
            short_id: String::new(),
            message: "# Drop it?\nNow".into(),
            dangerous: false,
            who: "todo-mcp asks, for Claude Code 2.1".into(),
            server: Some("todo-mcp".into()),
            client: Some("Claude Code 2.1".into()),
            tool: None,
            workspace: None,
            deadline_at: None,
            url: None,
        };
        assert_eq!(payload.title(), "todo-mcp asks, for Claude Code 2.1");
        assert_eq!(payload.line(), "Drop it?");
        payload.dangerous = true;
        assert_eq!(payload.title(), "⚠ todo-mcp asks, for Claude Code 2.1");
    }
}

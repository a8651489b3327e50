//! Scopes: permissions that a person gave and that are remembered, with a pattern and an end.

use crate::ToolUse;
use holdpoint_ask::Digest;
use jiff::{SignedDuration, Timestamp};
use serde::{Deserialize, Serialize};
use std::fmt;

/// A remembered permission. It allows what would otherwise be asked by default; rules that ask or deny beat it.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Scope {
    /// Its id: that of the ask whose answer gave it.
    pub id: String,
    /// What it allows.
    pub covers: Covers,
    /// To whom, and where.
    pub holder: Holder,
    /// Until when, where it has an end of its own.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub until: Option<Timestamp>,
}

/// What a scope allows.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", tag = "kind", content = "what")]
pub enum Covers {
    /// This use of a tool with exactly these arguments, by digest.
    Exactly(Digest),
    /// What fits this rule: `Bash(git push *)`.
    Pattern(String),
    /// Every use of this tool.
    Tool(String),
}

/// Who has a scope. Every part that is there must fit.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Holder {
    /// In whose name the agent acts.
    pub principal: String,
    /// The harness.
    pub client: String,
    /// The workspace; none where the scope is good in all of them.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub workspace: Option<String>,
    /// The session of the harness, where the scope ends with it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub session: Option<String>,
    /// The digest of the MCP server, where that is known.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub server: Option<Digest>,
    /// The digest of the tool's definition, where that is known.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub definition: Option<Digest>,
}

/// How long a scope is good.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub enum Lifetime {
    /// As long as the harness's session.
    Session,
    /// So many minutes.
    Minutes(u32),
    /// In this workspace, until it is revoked.
    Workspace,
    /// Everywhere, until it is revoked.
    Always,
}

/// A scope that a person could give with their yes.
#[derive(Debug, Clone, PartialEq)]
pub struct ScopeOffer {
    /// What it would allow.
    pub covers: Covers,
    /// How long.
    pub lifetime: Lifetime,
    /// What stands for it in the answer; parses back into the two above.
    pub value: String,
    /// What people see: "`git push` with any arguments, in this session".
    pub label: String,
    /// What it would have allowed lately, as people know it: commands, paths.
    pub would_have_allowed: Vec<String>,
}

impl Scope {
    /// Whether it is this holder's now, for this tool.
    pub(crate) fn is_held(&self, tool_use: &ToolUse, holder: &Holder, now: Timestamp) -> bool {
        // An end that is now is over.
        if self.until.is_some_and(|until| until <= now) {
            return false;
        }
        let definition = tool_use.definition.as_ref();
        let fits = |wanted: &Option<Digest>, held: Option<Digest>, used: Option<Digest>| {
            wanted.is_none_or(|wanted| {
                // Whatever is known of the tool must be what it was.
                (held.is_some() || used.is_some())
                    && held.is_none_or(|held| held == wanted)
                    && used.is_none_or(|used| used == wanted)
            })
        };
        let named = |wanted: &Option<String>, is: &Option<String>| wanted.is_none() || wanted == is;
        let mine = &self.holder;
        mine.principal == holder.principal
            && mine.client == holder.client
            && named(&mine.workspace, &holder.workspace)
            && named(&mine.session, &holder.session)
            && fits(
                &mine.server,
                holder.server,
                definition.map(|definition| definition.server),
            )
            && fits(
                &mine.definition,
                holder.definition,
                definition.map(|definition| definition.digest),
            )
    }

    /// The scope that a person gives with an answer: the holder is whose tool use was asked about.
    pub fn give(
        id: impl Into<String>,
        covers: Covers,
        lifetime: Lifetime,
        holder: &Holder,
        now: Timestamp,
    ) -> Self {
        let mut mine = holder.clone();
        let mut until = None;
        match lifetime {
            Lifetime::Session => {}
            Lifetime::Minutes(minutes) => {
                mine.session = None;
                let length = SignedDuration::from_mins(i64::from(minutes));
                // An end that no clock can show is one that is over.
                until = Some(now.checked_add(length).unwrap_or(now));
            }
            Lifetime::Workspace => mine.session = None,
            Lifetime::Always => {
                mine.session = None;
                mine.workspace = None;
            }
        }
        if lifetime == Lifetime::Session && mine.session.is_none()
            || lifetime == Lifetime::Workspace && mine.workspace.is_none()
        {
            // Without a session to end with, it would have no end.
            until = Some(now);
        }
        Self {
            id: id.into(),
            covers,
            holder: mine,
            until,
        }
    }
}

impl fmt::Display for Covers {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Exactly(_) => f.write_str("exactly these arguments"),
            Self::Pattern(pattern) => write!(f, "`{pattern}`"),
            Self::Tool(tool) => write!(f, "every use of `{tool}`"),
        }
    }
}

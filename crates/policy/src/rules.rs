//! All rules that count for a person in a workspace.

use crate::{Verdict, index::Index, rule::Rule};
use holdpoint_ask::Digest;
use std::{collections::HashMap, sync::Arc};

/// The rules of a person, and of a workspace beside them.
///
/// ```
/// use holdpoint_policy::{NoLinks, Holder, Rules, ToolUse, Verdict};
///
/// let own = Rules::own(r#"allow = ["mcp__github__get_*"]"#, "rules.toml")?;
/// let workspace = Rules::workspace(r#"deny = ["Read(.env)"]"#, ".holdpoint/rules.toml")?;
/// let rules = own.with(workspace);
///
/// let issue = ToolUse::new("mcp__github__get_issue", serde_json::json!({ "id": 7 }), "/work/app");
/// let ruling = rules.decide(&issue, &NoLinks, &[], &Holder::default(), jiff::Timestamp::UNIX_EPOCH);
/// assert_eq!(ruling.verdict, Verdict::Allow);
/// # Ok::<_, holdpoint_policy::RulesError>(())
/// ```
#[derive(Debug, Clone)]
pub struct Rules {
    pub(crate) rules: Vec<Rule>,
    pub(crate) index: Index,
    pub(crate) default: Verdict,
    pub(crate) workspace_reads: Option<Verdict>,
    pub(crate) on_failure: OnFailure,
    pub(crate) servers: HashMap<String, Server>,
    /// The person's own file, as it is shown.
    pub(crate) own_file: Option<Arc<str>>,
}

/// What happens where Holdpoint cannot decide: its rules cannot be read, its journal is gone.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum OnFailure {
    /// The tool is not used.
    #[default]
    Deny,
    /// The harness asks by itself, as if there were no Holdpoint.
    Harness,
}

/// What a person has said of an MCP server.
#[derive(Debug, Clone, Default)]
pub(crate) struct Server {
    /// What it says of its tools counts.
    pub trusted: bool,
    /// The definitions of its tools that a person has seen.
    pub tools: HashMap<String, Digest>,
}

impl Default for Rules {
    fn default() -> Self {
        Self::none()
    }
}

impl Rules {
    /// No rules: everything is asked about.
    pub fn none() -> Self {
        Self {
            rules: Vec::new(),
            index: Index::default(),
            default: Verdict::Ask,
            workspace_reads: None,
            on_failure: OnFailure::default(),
            servers: HashMap::new(),
            own_file: None,
        }
    }

    /// These rules, and those of a workspace beside them. What these say by default, of servers and of failures,
    /// stays.
    pub fn with(mut self, workspace: Self) -> Self {
        for rule in workspace.rules {
            self.add(rule);
        }
        self
    }

    /// What happens where Holdpoint cannot decide.
    pub fn on_failure(&self) -> OnFailure {
        self.on_failure
    }

    /// What happens where nothing is said.
    pub fn default_verdict(&self) -> Verdict {
        self.default
    }

    /// How many rules there are.
    pub fn len(&self) -> usize {
        self.rules.len()
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.rules.is_empty()
    }

    pub(crate) fn add(&mut self, rule: Rule) {
        // More rules than that do not fit into a file that anybody reads.
        let Ok(number) = u32::try_from(self.rules.len()) else {
            return;
        };
        self.index.add(number, &rule);
        self.rules.push(rule);
    }

    /// What the person says of the server of this tool, and the tool's name there.
    pub(crate) fn server_of<'a>(&self, tool: &'a str) -> Option<(&Server, &'a str)> {
        let rest = tool.strip_prefix("mcp__")?;
        rest.match_indices("__").find_map(|(at, _)| {
            let server = self.servers.get(&rest[..at])?;
            Some((server, &rest[at + 2..]))
        })
    }
}

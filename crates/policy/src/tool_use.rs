//! What an agent is about to do.

use holdpoint_ask::Digest;
use serde_json::Value;
use std::fmt;

/// A tool with its arguments, about to be used. Names and arguments are Claude Code's (`Bash` with
/// `command`, `Edit` with `file_path`, `mcp__server__tool`), whatever the harness calls them, so that one
/// set of rules fits all.
#[derive(Debug, Clone, PartialEq)]
pub struct ToolUse {
    /// The tool.
    pub tool: String,
    /// Its arguments.
    pub input: Value,
    /// The folder that it is used in, absolute.
    pub folder: String,
    /// The root of the workspace, absolute.
    pub workspace: String,
    /// The person's home, for patterns that begin with `~/`.
    pub home: Option<String>,
    /// What its server says of the tool; none where the harness does not tell.
    pub definition: Option<ToolDefinition>,
}

impl ToolUse {
    /// A shell command in the root of a workspace.
    pub fn bash(command: &str, workspace: &str) -> Self {
        Self::new("Bash", serde_json::json!({ "command": command }), workspace)
    }

    /// A tool that is used in the root of a workspace.
    pub fn new(tool: impl Into<String>, input: Value, workspace: &str) -> Self {
        Self {
            tool: tool.into(),
            input,
            folder: workspace.to_owned(),
            workspace: workspace.to_owned(),
            home: None,
            definition: None,
        }
    }

    /// The digest of tool and arguments: the same use has the same one in every process.
    pub fn digest(&self) -> Digest {
        let bound = (&self.tool, &self.input);
        Digest::hash_json(&bound)
            .unwrap_or_else(|_| Digest::hash_bytes(format!("{bound:?}").as_bytes()))
    }
}

/// What an MCP server says of one of its tools.
#[derive(Debug, Clone, PartialEq)]
pub struct ToolDefinition {
    /// The digest of name, description, schemas and annotations.
    pub digest: Digest,
    /// The digest of the server: its name and how it is started or reached.
    pub server: Digest,
    /// The hints.
    pub annotations: Annotations,
}

/// A tool's hints. They are its server's word, and count only for a server that a person trusts.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Annotations {
    /// It changes nothing.
    pub read_only: Option<bool>,
    /// It may destroy something.
    pub destructive: Option<bool>,
    /// The same again changes nothing more.
    pub idempotent: Option<bool>,
    /// It reaches out of a closed world.
    pub open_world: Option<bool>,
}

/// Where paths really lead. The disk is looked at by whoever has one.
pub trait Paths: fmt::Debug {
    /// Where this absolute path leads once every link is followed.
    fn real(&self, path: &str) -> RealPath;
}

/// Where a path leads.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum RealPath {
    /// To itself: no link is on the way.
    Same,
    /// Here.
    Elsewhere(String),
    /// It cannot be told.
    Unknown,
}

/// A disk without links, for tests and for where nobody can look.
#[derive(Debug, Clone, Copy, Default)]
pub struct NoLinks;

impl Paths for NoLinks {
    fn real(&self, _: &str) -> RealPath {
        RealPath::Same
    }
}

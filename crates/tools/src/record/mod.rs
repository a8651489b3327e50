//! What was decided: looking at the record of this agent's own asks.
//!
//! Both tools only read, and see what [`Origin::is_seen_by`](holdpoint::Origin::is_seen_by) lets their
//! caller see, as the resources `holdpoint://decisions/recent` and `holdpoint://asks/{id}` do.

mod filter;
mod search;
mod stats;

use holdpoint::{
    ToolCall, ToolContext, ToolSource,
    tool::{TypedTool, TypedTools},
};
use rmcp::model::JsonObject;

/// The tools that look at what was decided.
pub struct RecordTools(TypedTools<ToolContext>);

type Tool = TypedTool<ToolContext>;

const INSTRUCTIONS: &str =
    "Find earlier decisions with `search_decisions`. They permit nothing now.";

impl RecordTools {
    /// All of them.
    pub fn new() -> Self {
        Self(TypedTools::new([search::tool(), stats::tool()]))
    }
}

impl Default for RecordTools {
    fn default() -> Self {
        Self::new()
    }
}

impl ToolSource for RecordTools {
    fn tools(&self) -> Vec<rmcp::model::Tool> {
        self.0.list()
    }

    fn tool(&self, name: &str) -> Option<rmcp::model::Tool> {
        self.0.listed(name)
    }

    fn has_tool(&self, name: &str) -> bool {
        self.0.get(name).is_some()
    }

    fn call(&self, cx: ToolContext, name: &str, arguments: Option<JsonObject>) -> Option<ToolCall> {
        Some(self.0.get(name)?.call(cx, arguments))
    }

    fn instructions(&self) -> Option<&str> {
        Some(INSTRUCTIONS)
    }
}

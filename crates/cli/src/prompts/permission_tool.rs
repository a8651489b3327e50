//! The tool `permission`, for `claude -p --permission-prompt-tool mcp__holdpoint__permission`: Claude Code calls it
//! where it would prompt. What it answers is good for that one prompt; an agent that calls it itself is refused.

use super::{
    ask::{Asked, Running},
    rules_files::{self, workspace_root},
    settle::{settle, still_open},
};
use crate::{config::Environment, tool_set::PERMISSION};
use holdpoint::{Origin, ToolCall, ToolContext, ToolSource};
use holdpoint_harness::{Decision, Incoming, Prompt, Surroundings, permission_tool};
use rmcp::model::{CallToolResult, ContentBlock, JsonObject, Tool};
use serde_json::{Value, json};
use std::{
    path::{Path, PathBuf},
    sync::Arc,
    time::Duration,
};
use tokio::time::{Instant, interval_at, sleep};

/// How long it waits for a person; the same prompt again finds what stayed open.
const LONGEST: Duration = Duration::from_secs(3_590);

const DESCRIPTION: &str = "Only for Claude Code itself, as --permission-prompt-tool. Never call it: called by an agent it refuses, and what it says permits nothing.";

/// The tool, over one workspace.
pub struct PermissionTool {
    workspace: PathBuf,
    running: Arc<Running>,
}

impl PermissionTool {
    /// The tool in this folder.
    pub fn new(workspace: PathBuf) -> Self {
        Self {
            workspace,
            running: Arc::default(),
        }
    }

    fn definition() -> Tool {
        let schema = json!({
            "type": "object",
            "properties": {
                "tool_name": { "type": "string" },
                "input": { "type": "object" },
                "tool_use_id": { "type": "string" },
            },
            "required": ["tool_name", "input", "tool_use_id"],
        });
        let schema = schema.as_object().cloned().unwrap_or_default();
        // Without an output schema: Claude Code takes one text block and nothing else.
        Tool::new(PERMISSION, DESCRIPTION, schema)
    }
}

impl ToolSource for PermissionTool {
    fn tools(&self) -> Vec<Tool> {
        vec![Self::definition()]
    }

    fn has_tool(&self, name: &str) -> bool {
        name == PERMISSION
    }

    fn call(&self, cx: ToolContext, name: &str, arguments: Option<JsonObject>) -> Option<ToolCall> {
        if name != PERMISSION {
            return None;
        }
        let (workspace, running) = (self.workspace.clone(), self.running.clone());
        let arguments = Value::Object(arguments.unwrap_or_default());
        Some(Box::pin(async move {
            Ok(answer(&cx, &workspace, &running, &arguments).await)
        }))
    }
}

/// The answer as Claude Code reads it; whatever goes wrong is a no.
async fn answer(
    cx: &ToolContext,
    workspace: &Path,
    running: &Running,
    arguments: &Value,
) -> CallToolResult {
    let said = match read(cx, workspace, arguments) {
        Ok(incoming) => {
            let decided = Box::pin(decided(cx, running, &incoming)).await;
            let decision = decided.unwrap_or_else(|error| Decision::Deny {
                reason: format!("Holdpoint could not decide this: {error:#}."),
            });
            permission_tool::reply(&incoming, &decision)
        }
        Err(why) => json!({ "behavior": "deny", "message": why }).to_string(),
    };
    CallToolResult::success(vec![ContentBlock::text(said)])
}

fn read(cx: &ToolContext, workspace: &Path, arguments: &Value) -> Result<Incoming, String> {
    // A caller with a token of its own is not the harness of whoever answers here.
    if cx.origin().principal != Origin::LOCAL {
        return Err("Only a harness of the person whose inbox this is may ask here.".to_owned());
    }
    let environment = Environment::from_process();
    let shown = |path: &Path| path.to_string_lossy().into_owned();
    let around = Surroundings {
        home: environment.home().map(shown),
        workspace: Some(shown(workspace)),
        unattended: true,
        mcp_servers: Vec::new(),
    };
    let session = environment.variable("CLAUDE_CODE_SESSION_ID");
    let session = session.map(|id| id.to_string_lossy().into_owned());
    let session = session.unwrap_or_else(|| format!("process {}", std::process::id()));
    let called = cx.request_meta(permission_tool::CALL).cloned();
    let meta = json!({ permission_tool::CALL: called });
    let incoming = permission_tool::read(arguments, &meta, &session, &around);
    let mut incoming = incoming.map_err(|error| error.to_string())?;
    if let Prompt::Tool(prompt) = &mut incoming.prompt {
        prompt.tool_use.workspace = shown(&workspace_root(workspace));
    }
    Ok(incoming)
}

async fn decided(
    cx: &ToolContext,
    running: &Running,
    incoming: &Incoming,
) -> anyhow::Result<Decision> {
    let environment = Environment::from_process();
    let rules = rules_files::load(&environment, Path::new(&incoming.folder))?;
    let settled = settle(cx.desk(), incoming, &rules, running, sleep(LONGEST));
    tokio::pin!(settled);
    // Claude Code gives up a call that shows no sign of life.
    let every = cx.desk().settings().keep_alive;
    let mut beat = interval_at(Instant::now() + every, every);
    let mut beats = 0.0;
    loop {
        tokio::select! {
            settled = &mut settled => {
                return Ok(match settled? {
                    Asked::Decided(decision) => decision,
                    Asked::Open(ask) => Decision::Deny { reason: still_open(ask) },
                });
            }
            _ = beat.tick() => {
                beats += 1.0;
                cx.progress(beats, None, Some("Waiting for a person's answer")).await;
            }
        }
    }
}

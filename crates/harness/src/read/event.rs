//! What the events of harnesses mean.

use crate::{Harness, ReadError};
use serde_json::{Map, Value};

/// What an event means.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Event {
    /// A tool is about to be used.
    BeforeTool {
        /// And the harness is about to prompt its user for it.
        about_to_prompt: bool,
    },
    /// A tool was used, well or not.
    AfterTool,
    /// Another MCP server has a form.
    Form,
    /// The turn is over.
    TurnOver,
    /// The session is over.
    SessionOver,
    /// Nothing that is decided here.
    Other,
}

/// The event of a payload: as the harness names it, and what it means.
///
/// # Errors
/// When there is none, or it is not known: it might be one that lets a tool through.
pub(crate) fn event_in(
    harness: Harness,
    object: &Map<String, Value>,
) -> Result<(String, Event), ReadError> {
    let keys = ["hook_event_name", "hookEventName", "hookName"];
    let named = keys.into_iter().find_map(|key| object.get(key));
    let name = match named {
        Some(Value::String(name)) => name.as_str(),
        Some(_) => return Err(ReadError::wrong("hook_event_name", "a text")),
        // Copilot names its event only in some of its payloads.
        None if harness == Harness::Copilot => {
            unnamed(object).ok_or_else(|| ReadError::Missing("hookName".to_owned()))?
        }
        None => return Err(ReadError::Missing("hook_event_name".to_owned())),
    };
    let event = meaning(name).ok_or_else(|| ReadError::UnknownEvent(name.to_owned()))?;
    Ok((name.to_owned(), event))
}

/// Which of Copilot's events a payload without a name is of, by its keys.
fn unnamed(object: &Map<String, Value>) -> Option<&'static str> {
    let has = |key: &str| object.contains_key(key);
    if has("toolName") {
        return Some(match (has("toolResult"), has("error")) {
            (true, _) => "postToolUse",
            (_, true) => "postToolUseFailure",
            _ if has("permissionSuggestions") || has("toolInput") => "permissionRequest",
            _ => "preToolUse",
        });
    }
    let others = [
        ("agentName", "subagentStop"),
        ("stopReason", "agentStop"),
        ("reason", "sessionEnd"),
        ("source", "sessionStart"),
        ("prompt", "userPromptSubmitted"),
        ("error", "errorOccurred"),
        ("trigger", "preCompact"),
    ];
    others
        .into_iter()
        .find(|(key, _)| has(key))
        .map(|(_, name)| name)
}

fn meaning(name: &str) -> Option<Event> {
    Some(match name {
        "PreToolUse"
        | "preToolUse"
        | "BeforeTool"
        | "beforeShellExecution"
        | "beforeMCPExecution"
        | "beforeReadFile"
        | "tool.execute.before" => Event::BeforeTool {
            about_to_prompt: false,
        },
        "PermissionRequest" | "permissionRequest" | "permission.asked" | "question.asked" => {
            Event::BeforeTool {
                about_to_prompt: true,
            }
        }
        "PostToolUse"
        | "PostToolUseFailure"
        | "postToolUse"
        | "postToolUseFailure"
        | "AfterTool"
        | "afterShellExecution"
        | "afterMCPExecution"
        | "tool.execute.after" => Event::AfterTool,
        "Elicitation" => Event::Form,
        // A new prompt of the person ends the turn before, of which nothing else may tell.
        "Stop"
        | "StopFailure"
        | "agentStop"
        | "stop"
        | "AfterAgent"
        | "session.idle"
        | "UserPromptSubmit"
        | "userPromptSubmitted"
        | "BeforeAgent" => Event::TurnOver,
        "SessionEnd" | "sessionEnd" | "session.deleted" => Event::SessionOver,
        _ if OTHERS.contains(&name) => Event::Other,
        _ => return None,
    })
}

/// Events at which nothing is decided.
const OTHERS: [&str; 53] = [
    "ElicitationResult",
    "Notification",
    "PermissionDenied",
    "PostToolBatch",
    "UserPromptExpansion",
    "SessionStart",
    "SubagentStart",
    "SubagentStop",
    "PreCompact",
    "PostCompact",
    "PreModelSwitch",
    "PostModelSwitch",
    "Setup",
    "TeammateIdle",
    "TaskCreated",
    "TaskCompleted",
    "ConfigChange",
    "WorktreeCreate",
    "WorktreeRemove",
    "InstructionsLoaded",
    "CwdChanged",
    "FileChanged",
    "DirectoryAdded",
    "MessageDisplay",
    "ErrorOccurred",
    "sessionStart",
    "userPromptTransformed",
    "errorOccurred",
    "notification",
    "preCompact",
    "subagentStart",
    "subagentStop",
    "beforeSubmitPrompt",
    "afterFileEdit",
    "afterAgentResponse",
    "afterAgentThought",
    "beforeTabFileRead",
    "afterTabFileEdit",
    "workspaceOpen",
    "BeforeModel",
    "AfterModel",
    "BeforeToolSelection",
    "PreCompress",
    "permission.replied",
    "permission.updated",
    "session.created",
    "session.updated",
    "session.status",
    "session.compacted",
    "message.updated",
    "message.part.updated",
    "question.replied",
    "server.connected",
];

//! What the hook says when it failed: its rules, its journal or the payload cannot be read.

use crate::{
    Decision, FormRequest, FormWants, Harness, HookReply, Incoming, Plan, Prompt,
    read::{Event, event_in, who_calls},
    reply,
};
use serde_json::{Map, Value, json};

/// Refuses in the caller's dialect, whatever is wrong with the payload. At an event where nothing is decided it
/// says why on standard error and is in nobody's way: a refusal there would keep an agent from stopping.
pub fn reply_to_failure(harness: Harness, payload: &[u8], reason: &str) -> HookReply {
    let (caller, event) = guess(harness, payload);
    let Some((name, event)) = event else {
        return HookReply::refusal(reason);
    };
    let decision = Decision::Deny {
        reason: reason.to_owned(),
    };
    match event {
        // A person may still want to fill it in: that is not refused in their name.
        Event::Form => {
            let cancel = Decision::Form(crate::FormReply::Cancel);
            reply(&stub(caller, name, form()), &cancel)
        }
        Event::BeforeTool { about_to_prompt } => {
            let said = reply(&stub(caller, name, plan()), &decision);
            match caller {
                // Claude Code and Codex look at nothing else where the exit code says no, and take it for no
                // answer where they were about to prompt.
                Harness::Claude | Harness::Codex if !about_to_prompt => HookReply::refusal(reason),
                Harness::Claude | Harness::Codex | Harness::OpenCode => said,
                Harness::Gemini => HookReply::refusal(reason),
                Harness::VsCode | Harness::Copilot | Harness::Cursor => said.and_refuse(reason),
            }
        }
        Event::AfterTool | Event::TurnOver | Event::SessionOver | Event::Other => HookReply {
            stderr: format!("{reason}\n"),
            ..HookReply::default()
        },
    }
}

/// Leaves the decision to the harness, for people whose file says `on_failure = "harness"`: it prompts where it
/// can be told to, and goes on by its own settings where it cannot.
pub fn leave_failure_to_harness(harness: Harness, payload: &[u8], reason: &str) -> HookReply {
    let (caller, event) = guess(harness, payload);
    let silent = HookReply {
        stderr: format!("{reason}\n"),
        ..HookReply::default()
    };
    let name = match event {
        Some((name, Event::BeforeTool { .. })) => name,
        Some(_) => return silent,
        // What a harness does not read at another event does no harm there.
        None => usual_event(caller).to_owned(),
    };
    let decision = Decision::LeaveToHarness {
        reason: reason.to_owned(),
    };
    let prompts = match caller {
        Harness::Claude | Harness::VsCode | Harness::Copilot | Harness::OpenCode => true,
        Harness::Cursor => name.starts_with("before") && name != "beforeReadFile",
        Harness::Codex | Harness::Gemini => false,
    };
    if prompts {
        let mut said = reply(&stub(caller, name, plan()), &decision);
        said.stderr = silent.stderr;
        said
    } else {
        silent
    }
}

/// The event at which a harness can be told to prompt.
fn usual_event(harness: Harness) -> &'static str {
    match harness {
        Harness::Claude | Harness::Codex | Harness::VsCode => "PreToolUse",
        Harness::Copilot => "preToolUse",
        Harness::Cursor => "beforeShellExecution",
        Harness::Gemini => "BeforeTool",
        Harness::OpenCode => "permission.asked",
    }
}

/// Who calls and at which event, as far as it can be told from what may be half a payload.
fn guess(harness: Harness, payload: &[u8]) -> (Harness, Option<(String, Event)>) {
    let read = serde_json::from_slice::<Map<String, Value>>(payload);
    if let Ok(object) = read {
        let caller = who_calls(harness, &object);
        return (caller, event_in(caller, &object).ok());
    }
    let event = named_event(&String::from_utf8_lossy(payload)).and_then(|name| {
        let object = Map::from_iter([("hook_event_name".to_owned(), json!(name))]);
        event_in(harness, &object).ok()
    });
    (harness, event)
}

/// The event that a payload names before anything that an agent wrote: it could name another, or be nested so deep
/// that nobody reads it.
fn named_event(payload: &str) -> Option<&str> {
    let inputs = [
        "\"tool_input\"",
        "\"toolInput\"",
        "\"toolArgs\"",
        "\"input\"",
    ];
    let ends = inputs.iter().filter_map(|input| payload.find(input));
    let head = &payload[..ends.min().unwrap_or(payload.len())];
    let keys = ["\"hook_event_name\"", "\"hookEventName\"", "\"hookName\""];
    let (_, value) = keys.iter().find_map(|key| head.split_once(key))?;
    let value = value.trim_start().strip_prefix(':')?.trim_start();
    let (name, _) = value.strip_prefix('"')?.split_once('"')?;
    Some(name)
}

fn stub(harness: Harness, event: String, prompt: Prompt) -> Incoming {
    Incoming {
        harness,
        event,
        session: String::new(),
        turn: None,
        folder: String::new(),
        call_id: None,
        subagent: None,
        unattended: false,
        prompt,
    }
}

/// Any prompt about a tool: a refusal reads the same for all of them.
fn plan() -> Prompt {
    Prompt::Plan(Plan {
        text: String::new(),
        file: None,
        input: Value::Null,
    })
}

fn form() -> Prompt {
    Prompt::Form(FormRequest {
        server: String::new(),
        message: String::new(),
        wants: FormWants::Fields(Value::Null),
    })
}

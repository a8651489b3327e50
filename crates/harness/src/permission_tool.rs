//! The tool behind `claude -p --permission-prompt-tool`.
//!
//! Claude Code calls it with the id of the tool call that wants a permission, in the arguments and in `_meta`. A
//! model that calls it has the id of its own call in `_meta`, which it cannot know beforehand: the two are never
//! the same.

use crate::{
    Decision, Harness, Incoming, Prompt, ReadError, Surroundings,
    read::tool_prompt,
    reply::{Verdict, verdict},
    tools::Called,
};
use serde_json::{Value, json};

/// What such a call is known as, where hooks have an event.
pub const EVENT: &str = "permission-prompt-tool";

/// The key in `_meta` that a model has no hand in.
pub const CALL: &str = "claudecode/toolUseId";

/// Reads a call of the permission tool; `session` is the one that Claude Code runs, which the call does not tell.
///
/// # Errors
/// When the call is not one that Claude Code itself makes, or cannot be read: an agent that calls it gets nothing.
pub fn read(
    arguments: &Value,
    meta: &Value,
    session: &str,
    around: &Surroundings,
) -> Result<Incoming, ReadError> {
    let text = |key: &str| match arguments.get(key) {
        Some(Value::String(text)) if !text.is_empty() => Ok(text.clone()),
        Some(_) => Err(ReadError::wrong(key, "a text")),
        None => Err(ReadError::Missing(key.to_owned())),
    };
    let call = text("tool_use_id")?;
    match meta.get(CALL) {
        Some(Value::String(own)) if *own == call => {}
        Some(_) => return Err(ReadError::NotTheHarness("it is an agent's own call")),
        None => return Err(ReadError::NotTheHarness("it does not say which call it is")),
    }
    let input = match arguments.get("input") {
        Some(input @ Value::Object(_)) => input.clone(),
        Some(_) => return Err(ReadError::wrong("input", "an object")),
        None => return Err(ReadError::Missing("input".to_owned())),
    };
    let called = Called::new(text("tool_name")?, input);
    let folder = around.workspace.clone();
    let mut incoming = Incoming {
        harness: Harness::Claude,
        event: EVENT.to_owned(),
        session: session.to_owned(),
        turn: None,
        folder: folder.ok_or_else(|| ReadError::Missing("cwd".to_owned()))?,
        call_id: Some(call),
        subagent: None,
        // Only headless runs have it.
        unattended: true,
        prompt: Prompt::Nothing,
    };
    incoming.prompt = tool_prompt(&incoming, called, true, around)?;
    Ok(incoming)
}

/// The text of the tool's one text block. A yes always says with which arguments; whatever is not a yes is a no.
pub fn reply(incoming: &Incoming, decision: &Decision) -> String {
    let said = match verdict(incoming, decision) {
        Verdict::Allow(input) => {
            let input = input.or_else(|| incoming.prompt.input().cloned());
            match input {
                Some(input) => json!({ "behavior": "allow", "updatedInput": input }),
                None => json!({ "behavior": "deny", "message": "There is nothing to allow." }),
            }
        }
        Verdict::Deny(reason) | Verdict::Defer(reason) | Verdict::Prompt(reason) => {
            json!({ "behavior": "deny", "message": reason })
        }
    };
    said.to_string()
}

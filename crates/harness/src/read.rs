//! Reads what a harness writes to its hook's standard input.

mod caller;
mod event;
mod opencode;
mod payload;

use crate::{
    FormRequest, FormWants, Harness, Incoming, Over, Plan, Prompt, Questions, ReadError,
    Surroundings, ToolPrompt,
    question::questions_in,
    tools::{self, Called},
};
use holdpoint_ask::strict_json::read_object;
use holdpoint_policy::ToolUse;
use payload::Payload;
use serde_json::{Value, json};

pub(crate) use caller::who_calls;
pub(crate) use event::{Event, event_in};

/// The name of our own server, whose forms are asked already.
const OUR_SERVER: &str = "holdpoint";

/// Reads a payload: who really calls, and what it is about. Unknown keys are fine; what is needed and is not
/// there, or of another type, is an error.
///
/// # Errors
/// When it cannot be told what the harness is about to do.
pub fn read(
    harness: Harness,
    payload: &[u8],
    around: &Surroundings,
) -> Result<Incoming, ReadError> {
    let object = read_object(payload).map_err(ReadError::NotJson)?;
    let caller = who_calls(harness, &object);
    let object = match caller {
        Harness::OpenCode => opencode::by_common_keys(&object)?,
        _ => object,
    };
    let payload = Payload::new(&object);
    let (name, event) = event_in(caller, &object)?;
    let folder = payload.folder(around)?;
    let mut incoming = Incoming {
        harness: caller,
        event: name,
        session: payload.any_text(&SESSION)?,
        turn: payload.optional_any(&["prompt_id", "turn_id", "generation_id"])?,
        call_id: payload.optional_any(&["tool_use_id"])?,
        subagent: payload.optional_any(&["agent_type"])?,
        // Codex prompts nobody in this mode, which all of its headless runs have.
        unattended: around.unattended
            || (caller == Harness::Codex
                && payload.optional_text("permission_mode")? == Some("bypassPermissions")),
        folder,
        prompt: Prompt::Nothing,
    };
    incoming.prompt = match event {
        Event::BeforeTool { about_to_prompt } => {
            let called = payload.called(&incoming, around)?;
            tool_prompt(&incoming, called, about_to_prompt, around)?
        }
        Event::AfterTool => {
            let called = payload.called(&incoming, around)?;
            let tool_use = tool_use(&incoming, &called, around)?;
            Prompt::Over(Over::Tool(Box::new(ToolPrompt {
                tool_use,
                name: called.name,
                input: called.input,
                about_to_prompt: false,
            })))
        }
        Event::Form => form(&payload)?,
        Event::TurnOver => Prompt::Over(Over::Turn),
        Event::SessionOver => Prompt::Over(Over::Session),
        Event::Other => Prompt::Nothing,
    };
    Ok(incoming)
}

const SESSION: [&str; 3] = ["session_id", "sessionId", "conversation_id"];

/// What a tool that is about to be used is: questions and plans have asks of their own.
pub(crate) fn tool_prompt(
    incoming: &Incoming,
    called: Called,
    about_to_prompt: bool,
    around: &Surroundings,
) -> Result<Prompt, ReadError> {
    let tool_use = tool_use(incoming, &called, around)?;
    let Called { name, input, .. } = called;
    if tool_use.tool == "AskUserQuestion"
        && let Some(questions) = questions_in(&tool_use.input)
    {
        return Ok(Prompt::Questions(Questions { questions, input }));
    }
    let plan = tool_use.input.get("plan").and_then(Value::as_str);
    if tool_use.tool == "ExitPlanMode"
        && let Some(text) = plan.filter(|text| !text.trim().is_empty())
    {
        let file = tool_use.input.get("planFilePath").and_then(Value::as_str);
        return Ok(Prompt::Plan(Plan {
            text: text.to_owned(),
            file: file.map(str::to_owned),
            input,
        }));
    }
    Ok(Prompt::Tool(Box::new(ToolPrompt {
        tool_use,
        name,
        input,
        about_to_prompt,
    })))
}

/// The tool by the names that the rules know.
fn tool_use(
    incoming: &Incoming,
    called: &Called,
    around: &Surroundings,
) -> Result<ToolUse, ReadError> {
    let known = tools::by_known_names(incoming.harness, called, &incoming.folder)?;
    let workspace = around.workspace.as_ref().or(called.workspace.as_ref());
    Ok(ToolUse {
        tool: known.tool,
        input: known.input,
        folder: known.folder.unwrap_or_else(|| incoming.folder.clone()),
        workspace: workspace.unwrap_or(&incoming.folder).clone(),
        home: around.home.clone(),
        definition: None,
    })
}

/// A form of another server. Ours was asked by ourselves, and its answer is not ours to give here.
fn form(payload: &Payload<'_>) -> Result<Prompt, ReadError> {
    let server = payload.text("mcp_server_name")?;
    if server == OUR_SERVER {
        return Ok(Prompt::Nothing);
    }
    let wants = match payload.optional_text("mode")? {
        Some("url") => FormWants::Visit(payload.text("url")?.to_owned()),
        Some("form") | None => {
            let schema = payload.get("requested_schema");
            FormWants::Fields(schema.cloned().unwrap_or_else(|| json!({})))
        }
        Some(_) => return Err(ReadError::wrong("mode", "\"form\" or \"url\"")),
    };
    Ok(Prompt::Form(FormRequest {
        server: server.to_owned(),
        message: payload.text("message")?.to_owned(),
        wants,
    }))
}

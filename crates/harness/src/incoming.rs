//! What a harness tells its hook, in one shape for all of them.

use crate::{Harness, Question};
use holdpoint_policy::ToolUse;
use serde_json::{Value, json};

/// What is known from outside of the payload.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Surroundings {
    /// The person's home.
    pub home: Option<String>,
    /// The root of the workspace; the folder of the call where none is known.
    pub workspace: Option<String>,
    /// Nobody is at the harness: it runs headless.
    pub unattended: bool,
    /// The MCP servers that the harness has: some name a tool after its server so that the two cannot be told
    /// apart otherwise.
    pub mcp_servers: Vec<String>,
}

/// One call of the hook.
#[derive(Debug, Clone, PartialEq)]
pub struct Incoming {
    /// Who really calls, and in whose dialect the reply is: some run the file of another.
    pub harness: Harness,
    /// The event, as the harness names it.
    pub event: String,
    /// The harness's session.
    pub session: String,
    /// The turn within it, where the harness tells.
    pub turn: Option<String>,
    /// The folder that the agent works in.
    pub folder: String,
    /// The harness's id of the tool call, where it tells.
    pub call_id: Option<String>,
    /// The kind of agent that asks, where it is one that another agent started.
    pub subagent: Option<String>,
    /// Nobody is at the harness.
    pub unattended: bool,
    /// What it is about.
    pub prompt: Prompt,
}

/// What a call of the hook is about.
#[derive(Debug, Clone, PartialEq)]
pub enum Prompt {
    /// A tool is about to be used.
    Tool(Box<ToolPrompt>),
    /// The agent has questions.
    Questions(Questions),
    /// The agent has a plan, and wants to start.
    Plan(Plan),
    /// Another MCP server has a form.
    Form(FormRequest),
    /// Something ended; nothing is to be decided.
    Over(Over),
    /// Nothing that is to be decided.
    Nothing,
}

/// A tool that is about to be used.
#[derive(Debug, Clone, PartialEq)]
pub struct ToolPrompt {
    /// The tool with its arguments, by the names that the rules know.
    pub tool_use: ToolUse,
    /// What the harness calls the tool.
    pub name: String,
    /// The arguments as the harness has them.
    pub input: Value,
    /// The harness is about to prompt its user by itself; otherwise it merely announces the call.
    pub about_to_prompt: bool,
}

/// Questions of the agent.
#[derive(Debug, Clone, PartialEq)]
pub struct Questions {
    /// In order; at least one.
    pub questions: Vec<Question>,
    /// The arguments as the harness has them: answers go back with them.
    pub input: Value,
}

/// A plan of the agent.
#[derive(Debug, Clone, PartialEq)]
pub struct Plan {
    /// Its text, as Markdown.
    pub text: String,
    /// The file that the harness keeps it in.
    pub file: Option<String>,
    /// The arguments as the harness has them: an edited plan goes back with them.
    pub input: Value,
}

/// A form of another MCP server.
#[derive(Debug, Clone, PartialEq)]
pub struct FormRequest {
    /// The server, as the harness knows it.
    pub server: String,
    /// What it says.
    pub message: String,
    /// What it wants.
    pub wants: FormWants,
}

/// What another server wants of the person.
#[derive(Debug, Clone, PartialEq)]
pub enum FormWants {
    /// Values by this `requestedSchema`.
    Fields(Value),
    /// A visit to this address.
    Visit(String),
}

/// What ended. Open asks about it are withdrawn.
#[derive(Debug, Clone, PartialEq)]
pub enum Over {
    /// This tool was used: whoever allowed it, it needs no answer any more. It has the same binding as the call
    /// that was asked about, unless its arguments were changed.
    Tool(Box<ToolPrompt>),
    /// The turn.
    Turn,
    /// The session.
    Session,
}

impl Incoming {
    /// Whether the harness only announces this, and calls once more where it is about to prompt its user.
    pub fn prompts_later(&self) -> bool {
        let about_to_prompt = match &self.prompt {
            Prompt::Tool(tool) => tool.about_to_prompt,
            Prompt::Questions(_) | Prompt::Plan(_) => self.event != "PreToolUse",
            Prompt::Form(_) | Prompt::Over(_) | Prompt::Nothing => true,
        };
        let calls_again = match self.harness {
            Harness::Claude | Harness::Codex | Harness::Copilot => true,
            Harness::VsCode | Harness::Cursor | Harness::Gemini | Harness::OpenCode => false,
        };
        !about_to_prompt && calls_again
    }
}

impl Prompt {
    /// The arguments of the tool that it is about, as the harness has them.
    pub fn input(&self) -> Option<&Value> {
        match self {
            Self::Tool(tool) => Some(&tool.input),
            Self::Questions(questions) => Some(&questions.input),
            Self::Plan(plan) => Some(&plan.input),
            Self::Form(_) | Self::Over(_) | Self::Nothing => None,
        }
    }
}

impl Plan {
    /// The arguments that approve this text as the plan. Permissions that the agent would like to have with it
    /// are left out: nobody gave them.
    pub(crate) fn with_text(&self, text: &str) -> Value {
        match &self.file {
            Some(file) => json!({ "plan": text, "planFilePath": file }),
            None => json!({ "plan": text }),
        }
    }
}

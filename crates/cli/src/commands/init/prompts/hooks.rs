//! What is registered with each client: on which events it calls `holdpoint hook`, with how much time, and
//! what it does when that fails.

use crate::commands::init::{Client, program::NAME};
use serde_json::{Value, json};

/// How long a client waits, in seconds: the hook has to answer before that.
pub const TIMEOUT: u32 = 3_600;
/// How long the hook may take.
pub const WITHIN: u32 = 3_590;
/// The same for events that only tell: they never wait for a person.
const TIMEOUT_TOLD: u32 = 10;
const WITHIN_TOLD: u32 = 8;

/// At the end of a session nobody waits longer: Codex complains of more.
const TIMEOUT_AT_END: u32 = 3;
const WITHIN_AT_END: u32 = 2;

/// What a person reads meanwhile, where the client shows it.
const STATUS: &str = "Waiting for you in Holdpoint";

/// The names of servers whose forms are brought here. Ours are shown as they are: a hook on them would ask
/// twice, and answer in the person's place.
pub const OTHER_SERVERS: &str = "^(?!.*holdpoint)";

/// A client that has no switch for it goes on when the program is missing or dies, but not on this code;
/// and Codex not where a reason is given too.
const OR_REFUSES: &str = " || { echo 'The hook of Holdpoint failed.' >&2; exit 2; }";

/// What keeps a command from Copilot CLI, which sets this for its hooks.
pub const NOT_IN_COPILOT: &str = "[ -n \"$COPILOT_CLI\" ] || ";

/// An event on which a client calls the hook.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Event {
    /// As the client calls it.
    pub name: &'static str,
    /// For which tools or servers, where it is not for all.
    pub matcher: Option<&'static str>,
    /// What the hook does there.
    pub role: Role,
}

/// What the hook does on an event.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Role {
    /// It decides, and where it fails nothing may run.
    Decides,
    /// It answers, and where it fails the client asks the person itself.
    Answers,
    /// It hears what was answered elsewhere, and takes its own ask back.
    Hears,
}

/// The hook as it is registered with a client.
#[derive(Debug, Clone, Copy)]
pub struct Registration {
    /// With whom.
    pub client: Client,
    /// Where.
    pub events: &'static [Event],
    /// Copilot CLI runs Claude Code's hook, and only VS Code needs this one.
    is_beside_claude: bool,
    /// `linux`, `macos` or `windows`.
    os: &'static str,
}

const fn decides(name: &'static str, matcher: Option<&'static str>) -> Event {
    Event {
        name,
        matcher,
        role: Role::Decides,
    }
}

const fn hears(name: &'static str, matcher: Option<&'static str>) -> Event {
    Event {
        name,
        matcher,
        role: Role::Hears,
    }
}

const ALL: Option<&str> = Some("*");

const CLAUDE: &[Event] = &[
    decides("PreToolUse", ALL),
    decides("PermissionRequest", ALL),
    Event {
        name: "Elicitation",
        matcher: Some(OTHER_SERVERS),
        role: Role::Answers,
    },
    hears("PostToolUse", ALL),
    hears("PostToolUseFailure", ALL),
    hears("Stop", None),
    // After an interruption nothing else tells that the turn is over.
    hears("UserPromptSubmit", None),
    hears("SessionEnd", None),
];

const CODEX: &[Event] = &[
    decides("PreToolUse", None),
    decides("PermissionRequest", None),
    hears("PostToolUse", None),
    hears("Stop", None),
    hears("UserPromptSubmit", None),
    hears("SessionEnd", None),
];

/// VS Code reads Copilot CLI's files, and knows its events by their names.
const COPILOT: &[Event] = &[
    decides("preToolUse", None),
    decides("permissionRequest", None),
    hears("postToolUse", None),
    hears("postToolUseFailure", None),
    hears("agentStop", None),
    hears("userPromptSubmitted", None),
    hears("sessionEnd", None),
];

const CURSOR: &[Event] = &[
    decides("beforeShellExecution", None),
    decides("beforeMCPExecution", None),
    // Not for shell commands and MCP tools, which have their own events.
    decides("preToolUse", Some("Read|Write|Delete")),
    hears("stop", None),
];

const GEMINI: &[Event] = &[decides("BeforeTool", ALL)];

impl Registration {
    /// What is registered in a client's JSON; none where it has no such hooks, or is no JSON.
    pub fn new(client: Client, os: &'static str) -> Option<Self> {
        let events = match client {
            Client::Claude => CLAUDE,
            Client::Codex => CODEX,
            Client::Vscode | Client::Copilot => COPILOT,
            Client::Cursor => CURSOR,
            Client::Gemini => GEMINI,
            _ => return None,
        };
        Some(Self {
            client,
            events,
            is_beside_claude: false,
            os,
        })
    }

    /// The same, which leaves Copilot CLI to Claude Code's hook.
    pub fn beside_claude(self) -> Self {
        Self {
            is_beside_claude: true,
            ..self
        }
    }

    /// Whether the file says by `version` how it is to be read.
    pub fn has_version(&self) -> bool {
        matches!(
            self.client,
            Client::Vscode | Client::Copilot | Client::Cursor
        )
    }

    /// What the list of an event gets.
    pub fn item(&self, event: &Event) -> Value {
        let entry = self.entry(event);
        match self.client {
            Client::Claude | Client::Codex | Client::Gemini => match event.matcher {
                Some(matcher) => json!({ "matcher": matcher, "hooks": [entry] }),
                None => json!({ "hooks": [entry] }),
            },
            _ => entry,
        }
    }

    /// The call itself.
    pub fn entry(&self, event: &Event) -> Value {
        let (within, timeout) = match event.role {
            Role::Hears if event.name.ends_with("End") => (WITHIN_AT_END, TIMEOUT_AT_END),
            Role::Hears => (WITHIN_TOLD, TIMEOUT_TOLD),
            Role::Decides | Role::Answers => (WITHIN, TIMEOUT),
        };
        let word = match self.client {
            // One file for both; what comes in tells who calls.
            Client::Vscode | Client::Copilot => Client::Vscode.word(),
            own => own.word(),
        };
        let plain = format!("{NAME} hook {word} --within {within}");
        let closed = match event.role {
            Role::Decides => format!("{plain}{OR_REFUSES}"),
            Role::Answers | Role::Hears => plain.clone(),
        };
        let mut entry = json!({ "type": "command" });
        match self.client {
            // One line and no `args`: VS Code, Copilot CLI and Cursor read this too, and know none.
            Client::Claude => {
                entry["command"] = plain.into();
                entry["timeout"] = timeout.into();
                if event.role == Role::Decides {
                    entry["onFailure"] = "block".into();
                }
            }
            Client::Codex => {
                entry["command"] = closed.into();
                entry["timeout"] = timeout.into();
                if event.role == Role::Decides {
                    entry["commandWindows"] = plain.into();
                }
            }
            Client::Vscode | Client::Copilot => {
                let is_vscodes = self.is_beside_claude && event.role == Role::Decides;
                let unless = if is_vscodes { NOT_IN_COPILOT } else { "" };
                entry["bash"] = format!("{unless}{closed}").into();
                entry["powershell"] = plain.into();
                entry["timeoutSec"] = timeout.into();
            }
            Client::Cursor => {
                entry = json!({ "command": plain, "timeout": timeout });
                if event.role == Role::Decides {
                    entry["failClosed"] = true.into();
                }
                if let Some(matcher) = event.matcher {
                    entry["matcher"] = matcher.into();
                }
            }
            _ => {
                entry["name"] = NAME.into();
                // It runs PowerShell there, which may not know `||`.
                let command = if self.os == "windows" { plain } else { closed };
                entry["command"] = command.into();
                entry["timeout"] = (timeout * 1_000).into();
            }
        }
        let shows = matches!(self.client, Client::Claude | Client::Codex);
        if shows && event.role != Role::Hears {
            entry["statusMessage"] = STATUS.into();
        }
        entry
    }
}

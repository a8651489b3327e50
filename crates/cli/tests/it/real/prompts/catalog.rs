//! The clients whose prompts come to Holdpoint, as data.

use super::{
    clients::{CLAUDE_CODE, CODEX, COPILOT, RealClient},
    without_forms::{GEMINI, OPENCODE},
};

/// A client whose prompts come to Holdpoint.
pub struct Prompting {
    pub client: &'static RealClient,
    /// What `holdpoint init` calls it.
    pub word: &'static str,
    /// The file in which it registers the hook.
    pub hook: &'static str,
    /// Its arguments for one task; `TASK` stands for it.
    pub task: &'static [&'static str],
    /// The same, in the session of the task before.
    pub again: &'static [&'static str],
    /// The person's rules with which it asks before its shell is used.
    pub rules: &'static str,
    /// It lets nothing run when the hook is killed with the shell that it runs in. Nothing makes the others do so.
    pub closed_when_killed: bool,
}

/// The session, where a client can be told which.
const SESSION: &str = "7d1f6f0a-6a55-4c0e-9a0b-0d5f3c2b1a90";

pub const CLAUDE: Prompting = Prompting {
    client: &CLAUDE_CODE,
    word: "claude",
    hook: ".claude/settings.json",
    task: &[
        "-p",
        "TASK",
        "--model",
        "claude-sonnet-4-5",
        "--session-id",
        SESSION,
    ],
    again: &[
        "-p",
        "TASK",
        "--model",
        "claude-sonnet-4-5",
        "--resume",
        SESSION,
    ],
    rules: "",
    closed_when_killed: true,
};

/// The same before it would prompt: that hook is what it goes on without, if nothing tells it not to.
pub const CLAUDE_BY_RULE: Prompting = Prompting {
    rules: "ask = [\"Bash\"]\n",
    ..CLAUDE
};

pub const CODEX_EXEC: Prompting = Prompting {
    client: &CODEX,
    word: "codex",
    hook: ".codex/hooks.json",
    task: &[
        "exec",
        "--json",
        "--dangerously-bypass-hook-trust",
        "--dangerously-bypass-approvals-and-sandbox",
        "TASK",
    ],
    again: &[
        "exec",
        "resume",
        "--last",
        "--json",
        "--dangerously-bypass-hook-trust",
        "--dangerously-bypass-approvals-and-sandbox",
        "TASK",
    ],
    // It never prompts in such a run: only a rule asks.
    rules: "ask = [\"Bash\"]\n",
    closed_when_killed: false,
};

pub const GEMINI_CLI: Prompting = Prompting {
    client: &GEMINI,
    word: "gemini",
    hook: ".gemini/settings.json",
    task: &[
        "-m",
        "gemini-2.5-flash",
        "--approval-mode",
        "yolo",
        "--session-id",
        SESSION,
        "-p",
        "TASK",
    ],
    again: &[
        "-m",
        "gemini-2.5-flash",
        "--approval-mode",
        "yolo",
        "--resume",
        "latest",
        "-p",
        "TASK",
    ],
    rules: "",
    closed_when_killed: false,
};

pub const COPILOT_CLI: Prompting = Prompting {
    client: &COPILOT,
    word: "copilot",
    hook: ".github/hooks/holdpoint.json",
    task: &["-p", "TASK", "--allow-all-tools", "--session-id", SESSION],
    again: &["-p", "TASK", "--allow-all-tools", "--session-id", SESSION],
    rules: "",
    closed_when_killed: true,
};

pub const OPENCODE_RUN: Prompting = Prompting {
    client: &OPENCODE,
    word: "opencode",
    hook: ".opencode/plugin/holdpoint.js",
    task: &["run", "TASK"],
    again: &["run", "--continue", "TASK"],
    rules: "",
    closed_when_killed: true,
};

//! What lets a client call Holdpoint's tools without its own question first.
//!
//! Such a question shows the plan and asks "Do you want to proceed?", so people take it for the approval.
//! Whether it is left out is theirs to say: `--trust`.

use super::client::Client;

/// What is written so that a client does not ask.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Trust {
    /// A key of the entry.
    pub entry: Option<&'static str>,
    /// Among the permissions in the same file: what is allowed.
    pub permission: Option<&'static str>,
    /// Among what Claude Code's settings allow.
    pub settings: bool,
    /// Where that is, as people are told.
    pub place: &'static str,
}

const NONE: Trust = Trust {
    entry: None,
    permission: None,
    settings: false,
    place: "",
};

impl Client {
    /// What is written.
    ///
    /// # Errors
    /// When no file of the client's has such a setting, with what a person does instead.
    pub fn trust(self) -> Result<Trust, &'static str> {
        match self {
            Self::Claude => Ok(Trust {
                entry: Some("alwaysLoad"),
                settings: true,
                place: "`permissions.allow` in .claude/settings.json, and `alwaysLoad`",
                ..NONE
            }),
            Self::Gemini | Self::Qwen => Ok(Trust {
                entry: Some("trust"),
                place: "`trust`",
                ..NONE
            }),
            Self::Codex => Ok(Trust {
                entry: Some("default_tools_approval_mode"),
                place: "`default_tools_approval_mode`",
                ..NONE
            }),
            Self::Opencode | Self::Kilo => Ok(Trust {
                permission: Some("holdpoint_*"),
                place: "`permission`",
                ..NONE
            }),
            Self::Vscode => {
                Err("choose \"Always Allow\" for `holdpoint` when it asks for the first time")
            }
            Self::ClaudeDesktop => Err("choose \"Always allow\" when it asks for the first time"),
            Self::Cursor => Err("it is under auto-run in its own settings window"),
            Self::Copilot => Err("start it as `copilot --allow-tool holdpoint`"),
            Self::Continue => Err(
                "it keeps a list of tools in ~/.continue/permissions.yaml; choose to be asked no more when it asks for the first time",
            ),
            Self::Cline => Err("it has one switch for all tools, in its own settings"),
            Self::Zed => Err("choose \"Always for\" the tool when it asks for the first time"),
            Self::Windsurf => Err("choose so for each tool when it asks for the first time"),
            Self::FastAgent => Err("it does not ask before it calls a tool"),
        }
    }
}

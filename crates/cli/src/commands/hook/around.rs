//! What the hook knows from outside of its payload.

use crate::{config::Environment, prompts::rules_files::workspace_root};
use holdpoint_harness::{Incoming, Over, Prompt, Surroundings};
use std::path::{Path, PathBuf};

/// The person's home, and whether anybody is at the harness.
pub fn surroundings(environment: &Environment) -> Surroundings {
    let home = environment.home();
    Surroundings {
        home: home.and_then(|home| home.to_str()).map(str::to_owned),
        workspace: None,
        unattended: is_unattended(environment),
        mcp_servers: Vec::new(),
    }
}

/// Claude Code says in its variables that nobody is at it.
fn is_unattended(environment: &Environment) -> bool {
    let variable = |name: &str| environment.variable(name).and_then(|value| value.to_str());
    match variable("CLAUDE_CODE_SESSION_ATTENDED") {
        Some(attended) => attended == "0",
        None => variable("CLAUDE_CODE_ENTRYPOINT").is_some_and(|entry| entry.starts_with("sdk")),
    }
}

/// Finds the workspace that a prompt is about, and says it there.
pub fn find_workspace(incoming: &mut Incoming) -> PathBuf {
    let root = workspace_root(Path::new(&incoming.folder));
    let shown = root.to_string_lossy().into_owned();
    match &mut incoming.prompt {
        Prompt::Tool(prompt) => prompt.tool_use.workspace = shown,
        Prompt::Over(Over::Tool(tool)) => tool.tool_use.workspace = shown,
        _ => {}
    }
    PathBuf::from(&incoming.folder)
}

//! Claude Code's settings: what it may do without asking.

use super::{
    client::Machine,
    json_edit::{Step, left, list_at, push, take, value_at},
    server::Removed,
    user_file::Scope,
};
use serde_json::json;
use std::path::{Path, PathBuf};

/// All tools of the server.
const RULE: &str = "mcp__holdpoint";
/// Where it is.
const ALLOWED: [&str; 2] = ["permissions", "allow"];

/// The file that a team shares, or the person's own.
pub fn path(scope: Scope, folder: &Path, machine: &Machine) -> anyhow::Result<PathBuf> {
    let own = match scope {
        Scope::Project => folder.join(".claude"),
        Scope::User => machine.claude_folder()?,
    };
    Ok(own.join("settings.json"))
}

/// The text with the server's tools allowed.
pub fn allow(text: &str) -> anyhow::Result<String> {
    let allowed = list_at(text, &ALLOWED.map(Step::Key))?;
    if allowed.is_some_and(|allowed| allowed.contains(&json!(RULE))) {
        return Ok(text.to_owned());
    }
    push(text, &ALLOWED, &json!(RULE))
}

/// The text without that.
pub fn take_back(text: &str) -> anyhow::Result<Removed> {
    let [permissions, allow] = ALLOWED.map(Step::Key);
    let list = match value_at(text, &[permissions])? {
        Some(found) if found["allow"].is_array() => list_at(text, &[permissions, allow])?,
        _ => None,
    };
    let mut now = None;
    let ours = list.into_iter().flatten().enumerate();
    let ours: Vec<_> = ours.filter(|(_, rule)| *rule == json!(RULE)).collect();
    for (place, _) in ours.into_iter().rev() {
        let rest = now.as_deref().unwrap_or(text);
        now = take(rest, &[permissions, allow, place.into()])?;
    }
    Ok(now.map_or(Removed::Nothing, left))
}

//! Claude Code's settings: what it may do without asking.

use super::{
    client::Machine,
    json_edit::{checked, is_void, line, object, object_or_new, parse, property},
    server::Removed,
    user_file::Scope,
};
use anyhow::Context;
use jsonc_parser::cst::CstArray;
use serde_json::{Value, json};
use std::path::{Path, PathBuf};

/// All tools of the server.
const RULE: &str = "mcp__holdpoint";

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
    let (root, top) = parse(text)?;
    let permissions = object_or_new(&top, "permissions")?;
    let allowed = match property(&permissions, "allow")? {
        None => permissions.array_value_or_set("allow"),
        Some(found) => found
            .array_value()
            .with_context(|| format!("{}`allow` is not a list", line(found.clone())))?,
    };
    if ours(&allowed).is_empty() {
        allowed.append(RULE.into());
    }
    Ok(root.to_string())
}

/// The text without that.
pub fn take_back(text: &str) -> anyhow::Result<Removed> {
    let (root, top) = parse(text)?;
    let mut wanted = top.to_serde_value().unwrap_or_default();
    let Some(permissions) = object(&top, "permissions")? else {
        return Ok(Removed::Nothing);
    };
    let allowed = property(&permissions, "allow")?.and_then(|found| found.array_value());
    let ours = allowed.map(|allowed| ours(&allowed)).unwrap_or_default();
    if ours.is_empty() {
        return Ok(Removed::Nothing);
    }
    ours.into_iter().for_each(|rule| rule.remove());
    if let Some(Value::Array(rules)) = wanted.pointer_mut("/permissions/allow") {
        rules.retain(|rule| *rule != json!(RULE));
    }
    let text = checked(&root, &wanted)?;
    Ok(if is_void(&text) {
        Removed::Everything
    } else {
        Removed::Rest(text)
    })
}

fn ours(allowed: &CstArray) -> Vec<jsonc_parser::cst::CstNode> {
    let rules = allowed.elements().into_iter();
    let ours = rules.filter(|rule| rule.to_serde_value() == Some(json!(RULE)));
    ours.collect()
}

//! The tools of MCP servers: `mcp__server__tool`.

use super::Called;
use crate::Harness;

/// What the rules call the tool of an MCP server; none where it is not one, or its server cannot be told.
pub(super) fn mcp_name(harness: Harness, called: &Called) -> Option<String> {
    let name = called.name.as_str();
    if name.starts_with("mcp__") {
        return Some(name.to_owned());
    }
    if let Some((server, Some(tool))) = &called.server {
        return Some(joined(server, tool));
    }
    match harness {
        // Few servers have an underscore in their names.
        Harness::Gemini | Harness::VsCode => {
            let name = name.strip_prefix("mcp_")?;
            let split = after_server(called, name, '_').or_else(|| name.split_once('_'));
            let (server, tool) = split?;
            Some(joined(server, tool))
        }
        // It has a slash between the two where it is about to prompt, and a hyphen otherwise. None of its own
        // tools has a hyphen; most names of servers have, and few of tools.
        Harness::Copilot => {
            let split = name
                .split_once('/')
                .or_else(|| after_server(called, name, '-'));
            let (server, tool) = split.or_else(|| name.rsplit_once('-'))?;
            Some(joined(server, tool))
        }
        Harness::OpenCode => {
            let (server, tool) = after_server(called, name, '_')?;
            Some(joined(server, tool))
        }
        _ => None,
    }
}

/// The server that a tool is named after, and the rest of its name. The longest counts: one server may be named
/// like the beginning of another.
fn after_server<'a>(
    called: &'a Called,
    name: &'a str,
    divider: char,
) -> Option<(&'a str, &'a str)> {
    let splits = called.servers.iter().filter_map(|server| {
        let tool = name.strip_prefix(server.as_str())?;
        Some((server.as_str(), tool.strip_prefix(divider)?))
    });
    splits.max_by_key(|(server, _)| server.len())
}

/// The name of a tool of this server, whatever the server is called: what divides the two is in neither.
fn joined(server: &str, tool: &str) -> String {
    let mut plain = String::new();
    for char in server.chars() {
        match char {
            char if char.is_alphanumeric() || matches!(char, '-' | '.') => plain.push(char),
            _ if plain.ends_with('_') => {}
            _ => plain.push('_'),
        }
    }
    format!("mcp__{}__{tool}", plain.trim_matches('_'))
}

/// The server and the tool in a name that the rules know.
pub(crate) fn mcp_parts(name: &str) -> Option<(&str, &str)> {
    let (server, tool) = name.strip_prefix("mcp__")?.split_once("__")?;
    (!server.is_empty() && !tool.is_empty()).then_some((server, tool))
}

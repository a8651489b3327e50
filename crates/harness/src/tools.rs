//! The tools of harnesses by the names that the rules know, which are Claude Code's.
//!
//! A harness's own key for a thing counts, and no other: what an agent adds under a name that the rules look at
//! is overwritten, so that it cannot show the rules one path and the harness another.

mod input;
mod mcp;
mod patch;
mod table;

use crate::{
    Harness, ReadError,
    path::{folder_in, is_windows},
};
use input::Input;
use mcp::mcp_name;
use serde_json::{Map, Value, json};
use table::{Shape, row};

pub(crate) use mcp::mcp_parts;

/// A tool as a harness calls it.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Called {
    /// Its name there.
    pub name: String,
    /// Its arguments there.
    pub input: Value,
    /// The MCP server that it is of, and its name there, where the harness tells.
    pub server: Option<(String, Option<String>)>,
    /// The MCP servers that there are, where their tools are named after them.
    pub servers: Vec<String>,
    /// The root of the workspace, where the harness tells.
    pub workspace: Option<String>,
}

impl Called {
    pub fn new(name: impl Into<String>, input: Value) -> Self {
        Self {
            name: name.into(),
            input,
            server: None,
            servers: Vec::new(),
            workspace: None,
        }
    }
}

/// A tool by the names that the rules know.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Known {
    pub tool: String,
    pub input: Value,
    /// The folder that it is used in, where its arguments name one.
    pub folder: Option<String>,
}

/// Brings a tool and its arguments to the names that the rules know. What is not known keeps its own.
///
/// # Errors
/// When a known tool lacks what the rules look at: a command, a path.
pub(crate) fn by_known_names(
    harness: Harness,
    called: &Called,
    folder: &str,
) -> Result<Known, ReadError> {
    let plain = |tool: String| {
        Ok(Known {
            tool,
            input: called.input.clone(),
            folder: None,
        })
    };
    if called.name.trim().is_empty() {
        return Err(ReadError::Missing("tool_name".to_owned()));
    }
    if let Some(tool) = mcp_name(harness, called) {
        return plain(tool);
    }
    let Some(row) = row(harness, &called.name) else {
        return plain(called.name.clone());
    };
    let mut tool = row.tool.to_owned();
    let given = match &called.input {
        Value::Object(given) => given.clone(),
        // Some give a patch as it is.
        Value::String(text) => Map::from_iter([("input".to_owned(), json!(text))]),
        _ => return Err(ReadError::wrong("tool_input", "an object")),
    };
    let mut input = Input(given);
    let mut at = None;
    match row.shape {
        Shape::Plain => {}
        Shape::Shell { command, at: keys } => {
            // The same tool is PowerShell on Windows, of which the rules for Bash know nothing.
            let is_bash = harness == Harness::Claude || called.name == "bash";
            if is_windows(folder) && !is_bash {
                tool = "PowerShell".to_owned();
            }
            input.command(command)?;
            at = input.text(keys)?.map(|named| folder_in(folder, &named));
        }
        // Copilot calls a patch an edit, too, in events that are written as Claude Code's.
        Shape::File { path, .. } if !input.has(path) && input.is_patch() => input.patch()?,
        Shape::File { path, others } => {
            input.rename("file_path", path)?;
            for (known, keys) in others {
                input.rename_optional(known, keys)?;
            }
        }
        Shape::Edits { list, path } => input.edits(list, path)?,
        // Where it searches somewhere that is not known here, it is not a search that the rules know.
        Shape::Search(keys) if !input.searches_under(keys) => return plain(called.name.clone()),
        Shape::Search(keys) => drop(input.rename_optional("path", keys)?),
        Shape::Patch => input.patch()?,
        Shape::Editor => tool = input.editor()?.to_owned(),
        Shape::Fetch(key) => input.fetch(key)?,
    }
    Ok(Known {
        tool,
        input: Value::Object(input.0),
        folder: at,
    })
}

#[cfg(test)]
mod tests;

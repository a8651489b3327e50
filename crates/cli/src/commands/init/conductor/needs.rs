//! Whether the server that a client starts has the tools that the Conductor calls.

use super::super::{plan::Plan, registered::Entry};
use crate::{
    config::{ConfigError, Environment},
    tool_set::{ToolSelection, ToolSet},
};
use anyhow::bail;
use holdpoint_ask::visible;
use std::path::Path;

/// The tools of `orchestra` that this server would not have; none are known of one at an address.
///
/// # Errors
/// When the configuration is wrong.
pub fn missing(
    entry: &Entry,
    workspace: &Path,
    shell: &Environment,
) -> Result<Vec<&'static str>, ConfigError> {
    let tools = entry.tools(workspace, shell)?;
    let missing = tools.map(|tools| tools.missing_of(ToolSet::Orchestra));
    Ok(missing.unwrap_or_default())
}

/// Refuses agent files whose tools would not be there.
///
/// # Errors
/// When the planned server lacks some of them; the message says why.
pub fn check_tools(plan: &Plan, workspace: &Path, shell: &Environment) -> anyhow::Result<()> {
    let Some(entry) = plan.entry() else {
        return Ok(());
    };
    let missing = missing(&entry, workspace, shell)?;
    if missing.is_empty() {
        return Ok(());
    }
    let lacks = missing.join(", ");
    let list = entry.tool_list();
    let by_list = list.filter(|list| {
        let words = list.split(',').filter_map(|word| word.parse().ok());
        let named: Vec<ToolSelection> = words.collect();
        let named = ToolSelection::new(named.iter().flat_map(|words| words.names()).copied());
        !named.missing_of(ToolSet::Orchestra).is_empty()
    });
    match by_list.map(visible) {
        Some(list) => bail!(
            "The Conductor needs the tool set `orchestra`, and `--tools {list}` leaves out {lacks}. Run this with `--tools {list},orchestra`, or leave --conductor out; nothing was written."
        ),
        None => bail!(
            "The Conductor needs the tool set `orchestra`, and your configuration leaves out {lacks}. Add `orchestra` to `tools` in ~/.config/holdpoint/config.toml and in .holdpoint/config.toml here, where they set it, and see that HOLDPOINT_TOOLS has it; or leave --conductor out. Nothing was written."
        ),
    }
}

//! `[servers.NAME]`: what a person says of MCP servers.

use super::values::{File, Value};
use crate::{RulesError, rules::Server};
use holdpoint_ask::{Digest, nearest::did_you_mean};
use std::collections::HashMap;

pub(super) fn read(
    file: &File<'_>,
    value: &Value<'_>,
) -> Result<HashMap<String, Server>, RulesError> {
    let mut servers = HashMap::new();
    for (name, value) in file.table(value, "`servers`")? {
        let mut server = Server::default();
        for (key, value) in file.table(value, "what is said of a server")? {
            match key.get_ref().as_ref() {
                "trusted" => server.trusted = file.flag(value, "`trusted`")?,
                "tools" => server.tools = pins(file, value)?,
                other => {
                    let known = did_you_mean(other, ["trusted", "tools"]);
                    let what = format!("a server has no key `{other}`: {known}");
                    return Err(file.error(key.span().start, what));
                }
            }
        }
        servers.insert(as_in_tools(name.get_ref()), server);
    }
    Ok(servers)
}

fn pins(file: &File<'_>, value: &Value<'_>) -> Result<HashMap<String, Digest>, RulesError> {
    let mut pins = HashMap::new();
    for (tool, value) in file.table(value, "`tools`")? {
        let digest = file.text(value, "the digest of a tool's definition")?;
        let digest = digest.parse().map_err(|error| {
            let what = format!("`{digest}` is not the digest of a definition: {error}");
            file.error(value.span().start, what)
        })?;
        pins.insert(tool.get_ref().to_string(), digest);
    }
    Ok(pins)
}

/// A server's name as it stands in the names of its tools.
fn as_in_tools(name: &str) -> String {
    let plain = |char: char| char.is_ascii_alphanumeric() || matches!(char, '_' | '-');
    name.chars()
        .map(|char| if plain(char) { char } else { '_' })
        .collect()
}

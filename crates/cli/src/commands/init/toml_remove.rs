//! Taking the entry, or what trusts it, out of Codex's TOML file.

use super::{
    server::{NAME, Removed},
    toml::{KEY, TRUST, TRUSTING, parse},
};
use crate::config::toml_as_json;
use anyhow::ensure;
use serde_json::Value;
use toml_edit::Item;

/// The text without the entry.
pub fn remove(text: &str) -> anyhow::Result<Removed> {
    let document = parse(text)?;
    let servers = document.get(KEY).and_then(Item::as_table_like);
    let Some(entry) = servers.and_then(|servers| servers.get(NAME)) else {
        return Ok(Removed::Nothing);
    };
    let mut wanted = toml_as_json(document.as_item());
    let edited = match entry.as_table() {
        Some(table) if !table.is_dotted() => without_tables(text, table),
        _ => text.to_owned(),
    };
    if let Some(servers) = wanted.get_mut(KEY).and_then(Value::as_object_mut) {
        servers.remove(NAME);
    }
    checked(edited, &wanted)
}

/// The text without what trusts the entry, which stays.
pub fn distrust(text: &str) -> anyhow::Result<Removed> {
    let document = parse(text)?;
    let entry = document.get(KEY).and_then(|servers| servers.get(NAME));
    let setting = entry.and_then(|entry| entry.get(TRUST));
    let Some(setting) = setting.filter(|setting| setting.as_str() == Some(TRUSTING)) else {
        return Ok(Removed::Nothing);
    };
    let mut wanted = toml_as_json(document.as_item());
    let place = setting.span().map_or(0, |span| span.start);
    let lines: Vec<_> = text.split_inclusive('\n').collect();
    let at = line_of(text, place);
    let edited = [&lines[..at], &lines[at + 1..]].concat().concat();
    if let Some(Value::Object(entry)) = wanted.pointer_mut(&format!("/{KEY}/{NAME}")) {
        entry.remove(TRUST);
    }
    checked(edited, &wanted)
}

/// The text without the lines of a table and of those below it: from each header to its last value.
fn without_tables(text: &str, table: &toml_edit::Table) -> String {
    let lines: Vec<_> = text.split_inclusive('\n').collect();
    let mut gone = vec![false; lines.len()];
    let mut tables = vec![table];
    while let Some(table) = tables.pop() {
        let inner = table.iter().filter_map(|(_, item)| item.as_table());
        tables.extend(inner);
        let Some(header) = table.span() else {
            continue;
        };
        let first = line_of(text, header.start);
        let values = table.iter().filter(|(_, item)| !item.is_table());
        let ends = values.filter_map(|(_, item)| Some(line_of(text, item.span()?.end)));
        let last = ends.max().unwrap_or(first);
        gone[first..=last].fill(true);
        // The line that set it off from what is above, which the next one is set off with too.
        let blank = |line: &&str| line.trim().is_empty();
        if first > 0 && blank(&lines[first - 1]) {
            gone[first - 1] = true;
        }
    }
    let kept = lines.iter().zip(&gone).filter(|(_, gone)| !**gone);
    kept.map(|(line, _)| *line).collect()
}

/// The line of a place, from zero.
fn line_of(text: &str, place: usize) -> usize {
    text[..place.min(text.len())].matches('\n').count()
}

fn checked(edited: String, wanted: &Value) -> anyhow::Result<Removed> {
    let void = |value: &Value| value.as_object().is_some_and(|members| members.is_empty());
    // An empty table of servers says nothing.
    let plain = |mut value: Value| {
        if value.get(KEY).is_some_and(void)
            && let Some(members) = value.as_object_mut()
        {
            members.remove(KEY);
        }
        value
    };
    let now = parse(&edited).ok();
    let now = now.map(|now| plain(toml_as_json(now.as_item())));
    ensure!(
        now.as_ref() == Some(&plain(wanted.clone())),
        "`{KEY}.{NAME}` is written in a way that cannot be changed safely; change it by hand"
    );
    Ok(if edited.trim().is_empty() {
        Removed::Everything
    } else {
        Removed::Rest(edited)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_entry_goes_and_the_rest_stays() {
        let check = |text: &str, rest: &str| {
            for text in [text.to_owned(), text.replace('\n', "\r\n")] {
                let rest = if text.contains('\r') {
                    rest.replace('\n', "\r\n")
                } else {
                    rest.to_owned()
                };
                let wanted = if rest.is_empty() {
                    Removed::Everything
                } else {
                    Removed::Rest(rest)
                };
                assert_eq!(remove(&text).unwrap(), wanted, "{text}");
            }
        };
        let entry = "[mcp_servers.holdpoint]\ncommand = 'holdpoint'\nargs = [\n 'serve', # why\n]\n# about time\ntool_timeout_sec = 3600 # ours\n";
        check(entry, "");
        check(&format!("# kept\na = 1\n\n{entry}"), "# kept\na = 1\n");
        check(
            &format!("a = 1\n\n{entry}\n# of the next\n[b]\nc = 1\n"),
            "a = 1\n\n# of the next\n[b]\nc = 1\n",
        );
        check(
            &format!(
                "{entry}\n[mcp_servers.holdpoint.env]\nX = '1'\n\n[mcp_servers.other]\ncommand = 'y'\n"
            ),
            "\n[mcp_servers.other]\ncommand = 'y'\n",
        );
    }

    #[test]
    fn what_cannot_be_taken_out_safely_is_left() {
        for text in [
            "mcp_servers = { holdpoint = { command = 'x' } }\n",
            "mcp_servers.holdpoint.command = 'x'\n",
        ] {
            let said = remove(text).unwrap_err().to_string();
            assert!(said.contains("change it by hand"), "{said}");
        }
        assert_eq!(remove("a = 1\n").unwrap(), Removed::Nothing);
    }
}

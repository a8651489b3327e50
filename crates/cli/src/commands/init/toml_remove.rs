//! Taking the entry, or what trusts it, out of Codex's TOML file.

use super::{
    program::NAME,
    server::Removed,
    toml::{KEY, TRUST, TRUSTING, parse},
};
use crate::config::toml_as_json;
use anyhow::ensure;
use serde_json::Value as Json;
use toml_edit::{Item, TableLike, Value};

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
        _ => servers
            .and_then(|servers| without_inline(text, servers, NAME))
            .unwrap_or_else(|| text.to_owned()),
    };
    if let Some(servers) = wanted.get_mut(KEY).and_then(Json::as_object_mut) {
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
    let holder = entry.filter(|entry| entry.is_inline_table());
    let edited = match holder.and_then(Item::as_table_like) {
        Some(entry) => without_inline(text, entry, TRUST).unwrap_or_else(|| text.to_owned()),
        None => {
            let place = setting.span().map_or(0, |span| span.start);
            let at = line_of(text, place);
            without_lines(text, |line| line == at)
        }
    };
    if let Some(Json::Object(entry)) = wanted.pointer_mut(&format!("/{KEY}/{NAME}")) {
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
    without_lines(text, |line| gone[line])
}

/// The text without some of its lines. A file whose last line did not end keeps that.
fn without_lines(text: &str, is_gone: impl Fn(usize) -> bool) -> String {
    let lines: Vec<_> = text.split_inclusive('\n').collect();
    let kept = lines.iter().enumerate().filter(|(at, _)| !is_gone(*at));
    let mut kept: String = kept.map(|(_, line)| *line).collect();
    if !text.ends_with('\n') && kept.ends_with('\n') {
        kept.pop();
        if kept.ends_with('\r') {
            kept.pop();
        }
    }
    kept
}

/// The text without a member of an inline table, and without the comma that set it off.
fn without_inline(text: &str, table: &dyn TableLike, name: &str) -> Option<String> {
    let (key, value) = table.get_key_value(name)?;
    let value = value.as_value().and_then(Value::span)?;
    let key = key.span()?;
    let before = text[..key.start].trim_end();
    let after = text[value.end..].trim_start();
    let place = match (before.strip_suffix(','), after.strip_prefix(',')) {
        (Some(before), _) => before.len()..value.end,
        (None, Some(after)) => {
            let next = after.trim_start();
            key.start..text.len() - next.len()
        }
        // It was alone.
        (None, None) if before.ends_with('{') && after.starts_with('}') => {
            before.len()..text.len() - after.len()
        }
        (None, None) => return None,
    };
    Some(format!("{}{}", &text[..place.start], &text[place.end..]))
}

/// The line of a place, from zero.
fn line_of(text: &str, place: usize) -> usize {
    text[..place.min(text.len())].matches('\n').count()
}

fn checked(edited: String, wanted: &Json) -> anyhow::Result<Removed> {
    let void = |value: &Json| value.as_object().is_some_and(|members| members.is_empty());
    // An empty table of servers says nothing.
    let plain = |mut value: Json| {
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
    fn an_inline_entry_goes_with_its_comma() {
        let check = |text: &str, rest: &str| {
            assert_eq!(remove(text).unwrap(), Removed::Rest(rest.into()), "{text}");
        };
        let ours = "holdpoint = { command = 'x', args = [] }";
        check(
            &format!("mcp_servers = {{ {ours} }} # mine\n"),
            "mcp_servers = {} # mine\n",
        );
        check(
            &format!("mcp_servers = {{ a = {{ command = 'y' }}, {ours} }}\n"),
            "mcp_servers = { a = { command = 'y' } }\n",
        );
        check(
            &format!("mcp_servers = {{ {ours}, a = {{ command = 'y' }} }}\n"),
            "mcp_servers = { a = { command = 'y' } }\n",
        );
        let trusted = "mcp_servers = { holdpoint = { command = 'x', default_tools_approval_mode = \"approve\" } }\n";
        assert_eq!(
            distrust(trusted).unwrap(),
            Removed::Rest("mcp_servers = { holdpoint = { command = 'x' } }\n".into())
        );
    }

    #[test]
    fn a_last_line_that_did_not_end_does_not_end_again() {
        for newline in ["\n", "\r\n"] {
            let text =
                format!("a = 1{newline}{newline}[mcp_servers.holdpoint]{newline}command = 'x'");
            assert_eq!(remove(&text).unwrap(), Removed::Rest("a = 1".into()));
        }
    }

    #[test]
    fn what_cannot_be_taken_out_safely_is_left() {
        let said = remove("mcp_servers.holdpoint.command = 'x'\n").unwrap_err();
        assert!(said.to_string().contains("change it by hand"), "{said}");
        assert_eq!(remove("a = 1\n").unwrap(), Removed::Nothing);
    }
}

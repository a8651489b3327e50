//! One use of a tool in a line for people.

use crate::{
    ToolUse,
    place::{Bases, below},
    rule::file_argument,
};
use holdpoint_ask::visible;

/// The longest summary, in characters.
const LONGEST: usize = 160;

impl ToolUse {
    /// What is done, in one line: `Bash: git push origin main`, `Edit src/lib.rs`. Nothing in it is hidden, and
    /// what does not fit ends in `…`.
    ///
    /// ```
    /// use holdpoint_policy::ToolUse;
    ///
    /// assert_eq!(ToolUse::bash("git push\norigin", "/w").summary(), "Bash: git push ⏎ origin");
    /// ```
    pub fn summary(&self) -> String {
        let text = |name: &str| self.input.get(name).and_then(|value| value.as_str());
        let tool = &*self.tool;
        let line = match tool {
            "Bash" => match text("command") {
                Some(command) => format!("Bash: {}", command.trim()),
                None => tool.to_owned(),
            },
            "WebFetch" | "WebSearch" => match text("url").or_else(|| text("query")) {
                Some(what) => format!("{tool} {what}"),
                None => tool.to_owned(),
            },
            "Glob" | "Grep" => match (text("pattern"), text("path")) {
                (Some(pattern), Some(path)) => {
                    format!("{tool} {pattern} in {}", self.shown_path(path))
                }
                (Some(pattern), None) => format!("{tool} {pattern}"),
                _ => tool.to_owned(),
            },
            _ => match file_argument(tool).and_then(text) {
                Some(path) => format!("{tool} {}", self.shown_path(path)),
                None => self.arguments(),
            },
        };
        let line = line.replace('\n', " ⏎ ").replace('\t', " ");
        shortened(&visible(&line))
    }

    /// A path in the workspace is shown from there.
    fn shown_path(&self, path: &str) -> String {
        let bases = Bases::of(self);
        let Some(absolute) = bases.absolute(path) else {
            return path.to_owned();
        };
        match below(&absolute, &bases.workspace) {
            Some("") => ".".to_owned(),
            Some(inside) => inside.to_owned(),
            None => absolute,
        }
    }

    fn arguments(&self) -> String {
        let name = match self
            .tool
            .strip_prefix("mcp__")
            .and_then(|rest| rest.split_once("__"))
        {
            Some((server, tool)) => format!("{server}: {tool}"),
            None => self.tool.clone(),
        };
        match self.input.as_object() {
            Some(arguments) if !arguments.is_empty() => format!("{name} {}", self.input),
            _ => name,
        }
    }
}

fn shortened(line: &str) -> String {
    if line.chars().count() <= LONGEST {
        return line.to_owned();
    }
    let mut short: String = line.chars().take(LONGEST - 1).collect();
    short.push('…');
    short
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn a_use_in_one_line() {
        let check = |tool: &str, input: serde_json::Value, wanted: &str| {
            assert_eq!(ToolUse::new(tool, input, "/w").summary(), wanted);
        };
        check(
            "Bash",
            json!({"command": "git push origin main"}),
            "Bash: git push origin main",
        );
        check(
            "Edit",
            json!({"file_path": "/w/src/../src/lib.rs"}),
            "Edit src/lib.rs",
        );
        check(
            "Edit",
            json!({"file_path": "/etc/hosts"}),
            "Edit /etc/hosts",
        );
        check(
            "WebFetch",
            json!({"url": "https://example.com"}),
            "WebFetch https://example.com",
        );
        check("Grep", json!({"pattern": "x", "path": "/w"}), "Grep x in .");
        check(
            "mcp__github__get_issue",
            json!({"id": 1}),
            "github: get_issue {\"id\":1}",
        );
        check(
            "Bash",
            json!({"command": "ls \u{202e}x"}),
            "Bash: ls ⟨U+202E⟩x",
        );
        check("Bash", json!({"command": 1}), "Bash");
        let long = ToolUse::bash(&"x".repeat(500), "/w").summary();
        assert_eq!(long.chars().count(), LONGEST);
    }
}

//! Whether an agent runs us, by the marks that agents leave on what they start.

use super::parents;
use crate::config::Environment;
use std::ffi::OsStr;

/// A variable that an agent sets.
#[derive(Debug, Clone, Copy)]
pub struct Mark {
    /// Its name; a star stands for any ending.
    pub name: &'static str,
    /// What sets it.
    pub agent: &'static str,
    /// The commands of the agent's shell have it, and nothing else has. Other marks are also on the
    /// MCP servers that a harness starts, or in terminals where a person may type.
    pub only_in_shells: bool,
}

/// What agents set. Cursor's trace id, Aider's settings and Replit's id are where people type too;
/// they have the page, or another terminal.
pub const MARKS: [Mark; 24] = [
    shared("AI_AGENT", "an agent"),
    shell("CLAUDECODE", "Claude Code"),
    shell("CLAUDE_CODE_SESSION_ATTENDED", "Claude Code"),
    shared("CLAUDE_CODE_ENTRYPOINT", "Claude Code"),
    shared("CLAUDE_CODE_SESSION_ID", "Claude Code"),
    shared("CLAUDE_PID", "Claude Code"),
    shell("COPILOT_AGENT", "VS Code's agent"),
    shell("COPILOT_CLI*", "Copilot CLI"),
    shell("CURSOR_AGENT", "Cursor's agent"),
    shared("CURSOR_TRACE_ID", "Cursor"),
    shell("CODEX_SANDBOX*", "Codex"),
    shell("CODEX_THREAD_ID", "Codex"),
    shell("CODEX_CI", "Codex"),
    shell("GEMINI_CLI", "Gemini CLI"),
    shared("AIDER_*", "Aider"),
    shell("AMP_CURRENT_THREAD_ID", "Amp"),
    shell("ANTIGRAVITY_AGENT", "Antigravity"),
    shell("AUGMENT_AGENT", "Augment"),
    shell("CLINE_*", "Cline"),
    shell("GOOSE_TERMINAL", "Goose"),
    shared("OPENCODE", "OpenCode"),
    shared("OPENCODE_CLIENT", "OpenCode"),
    shell("QWEN_CODE", "Qwen Code"),
    shared("REPL_ID", "Replit"),
];

const fn shell(name: &'static str, agent: &'static str) -> Mark {
    Mark {
        name,
        agent,
        only_in_shells: true,
    }
}

const fn shared(name: &'static str, agent: &'static str) -> Mark {
    Mark {
        name,
        agent,
        only_in_shells: false,
    }
}

impl Mark {
    /// Whether a variable is this mark; an empty one says nothing.
    fn is(&self, name: &OsStr, value: &OsStr) -> bool {
        let fits = match self.name.strip_suffix('*') {
            Some(start) => name.as_encoded_bytes().starts_with(start.as_bytes()),
            None => name == self.name,
        };
        fits && !value.is_empty()
    }
}

/// The agent that runs this command: its mark is on this process, or on one of those that run it.
pub fn find(environment: &Environment) -> Option<String> {
    find_among(environment, |_| true)
}

/// The agent in whose shell this process was started, by itself or by a program that runs there.
///
/// A harness puts other marks on its servers than on the commands of its shell, so a server without
/// a shell's mark was started by the harness itself.
pub fn find_shell(environment: &Environment) -> Option<String> {
    find_among(environment, |mark| mark.only_in_shells)
}

fn find_among(environment: &Environment, counts: impl Fn(&Mark) -> bool) -> Option<String> {
    let own = environment.variables();
    let own = mark_in(
        own.map(|(name, value)| (name.as_os_str(), value.as_os_str())),
        &counts,
    );
    own.or_else(|| {
        parents::walk().parents.into_iter().find_map(|parent| {
            let variables = parent.variables.iter();
            let found = mark_in(variables.map(|(name, value)| (&**name, &**value)), &counts)?;
            Some(format!(
                "{found}, of the process {} that runs it",
                parent.id
            ))
        })
    })
}

/// The first mark of the table that is among these variables, with what sets it.
fn mark_in<'a>(
    variables: impl Iterator<Item = (&'a OsStr, &'a OsStr)>,
    counts: impl Fn(&Mark) -> bool,
) -> Option<String> {
    let variables: Vec<_> = variables.collect();
    let is_set = |mark: &&Mark| variables.iter().any(|(name, value)| mark.is(name, value));
    let found = MARKS.iter().filter(|mark| counts(mark)).find(is_set)?;
    Some(format!("{} ({})", found.agent, found.name))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(variables: &[(&str, &str)], any: Option<&str>, shell: Option<&str>) {
        let found = |counts: fn(&Mark) -> bool| {
            let variables = variables.iter();
            mark_in(
                variables.map(|(name, value)| (OsStr::new(*name), OsStr::new(*value))),
                counts,
            )
        };
        assert_eq!(found(|_| true).as_deref(), any, "{variables:?}");
        assert_eq!(
            found(|mark| mark.only_in_shells).as_deref(),
            shell,
            "{variables:?}"
        );
    }

    #[test]
    fn marks_of_shells() {
        for (name, wanted) in [
            ("CLAUDECODE", "Claude Code (CLAUDECODE)"),
            ("COPILOT_AGENT", "VS Code's agent (COPILOT_AGENT)"),
            ("COPILOT_CLI", "Copilot CLI (COPILOT_CLI*)"),
            ("CURSOR_AGENT", "Cursor's agent (CURSOR_AGENT)"),
            ("CODEX_SANDBOX_NETWORK_DISABLED", "Codex (CODEX_SANDBOX*)"),
            ("CODEX_THREAD_ID", "Codex (CODEX_THREAD_ID)"),
            ("GEMINI_CLI", "Gemini CLI (GEMINI_CLI)"),
            ("QWEN_CODE", "Qwen Code (QWEN_CODE)"),
            ("CLINE_ACTIVE", "Cline (CLINE_*)"),
        ] {
            check(&[(name, "1")], Some(wanted), Some(wanted));
        }
    }

    #[test]
    fn marks_that_servers_have_too() {
        check(&[("AI_AGENT", "x")], Some("an agent (AI_AGENT)"), None);
        check(
            &[("CLAUDE_CODE_ENTRYPOINT", "cli")],
            Some("Claude Code (CLAUDE_CODE_ENTRYPOINT)"),
            None,
        );
        check(&[("AIDER_MODEL", "x")], Some("Aider (AIDER_*)"), None);
    }

    #[test]
    fn what_is_not_a_mark() {
        check(&[("PATH", "/bin"), ("TERM_PROGRAM", "vscode")], None, None);
        check(&[("CLAUDECODE", "")], None, None);
        // The extension of an editor sets it in the terminals of people.
        check(&[("CLAUDE_CODE_SSE_PORT", "4711")], None, None);
    }
}

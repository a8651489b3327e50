//! Whether an agent runs us, by the marks that agents leave on the commands they run.

use crate::config::Environment;

/// Variables, and what sets them. A star stands for any ending.
///
/// Cursor's trace id is in its own terminals too, where a person may be; they have the page, or
/// another terminal.
pub const MARKS: [(&str, &str); 21] = [
    ("AI_AGENT", "an agent"),
    ("CLAUDECODE", "Claude Code"),
    ("CLAUDE_CODE*", "Claude Code"),
    ("COPILOT_AGENT", "VS Code's agent"),
    ("COPILOT_CLI*", "Copilot CLI"),
    ("CURSOR_AGENT", "Cursor's agent"),
    ("CURSOR_TRACE_ID", "Cursor"),
    ("CODEX_SANDBOX*", "Codex"),
    ("CODEX_THREAD_ID", "Codex"),
    ("CODEX_CI", "Codex"),
    ("GEMINI_CLI", "Gemini CLI"),
    ("AIDER_*", "Aider"),
    ("AMP_CURRENT_THREAD_ID", "Amp"),
    ("ANTIGRAVITY_AGENT", "Antigravity"),
    ("AUGMENT_AGENT", "Augment"),
    ("CLINE_*", "Cline"),
    ("GOOSE_TERMINAL", "Goose"),
    ("OPENCODE", "OpenCode"),
    ("OPENCODE_CLIENT", "OpenCode"),
    ("QWEN_CODE", "Qwen Code"),
    ("REPL_ID", "Replit"),
];

/// The agent that set a variable of this process, with the variable's name.
pub fn mark(environment: &Environment) -> Option<String> {
    let set = |name: &str| {
        environment.variables().any(|(variable, value)| {
            let fits = match name.strip_suffix('*') {
                Some(start) => variable
                    .to_str()
                    .is_some_and(|name| name.starts_with(start)),
                None => variable == name,
            };
            fits && !value.is_empty()
        })
    };
    let (name, agent) = MARKS.into_iter().find(|(name, _)| set(name))?;
    Some(format!("{agent} ({name})"))
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::path::Path;

    #[test]
    fn marks() {
        let check = |variables: &[(&str, &str)], wanted: Option<&str>| {
            let environment = Environment::new(Path::new("/"), variables.iter().copied());
            assert_eq!(mark(&environment).as_deref(), wanted, "{variables:?}");
        };
        check(&[("PATH", "/bin"), ("TERM_PROGRAM", "vscode")], None);
        check(&[("CLAUDECODE", "1")], Some("Claude Code (CLAUDECODE)"));
        check(&[("CLAUDECODE", "")], None);
        check(
            &[("CLAUDE_CODE_ENTRYPOINT", "cli")],
            Some("Claude Code (CLAUDE_CODE*)"),
        );
        check(
            &[("COPILOT_AGENT", "1")],
            Some("VS Code's agent (COPILOT_AGENT)"),
        );
        check(
            &[("AI_AGENT", "github_copilot_vscode_agent")],
            Some("an agent (AI_AGENT)"),
        );
        check(
            &[("CURSOR_AGENT", "1")],
            Some("Cursor's agent (CURSOR_AGENT)"),
        );
        check(
            &[("CODEX_SANDBOX_NETWORK_DISABLED", "1")],
            Some("Codex (CODEX_SANDBOX*)"),
        );
        check(&[("GEMINI_CLI", "1")], Some("Gemini CLI (GEMINI_CLI)"));
        check(&[("AIDER_MODEL", "x")], Some("Aider (AIDER_*)"));
    }
}

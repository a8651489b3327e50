//! Rules from harnesses: what is taken, and what is not.

use holdpoint_policy::{
    Rules,
    import::{Imported, claude, codex, gemini, opencode},
};

fn check(imported: Imported, allow: &[&str], ask: &[&str], deny: &[&str], skipped: &[&str]) {
    assert_eq!(imported.allow, allow, "{imported:?}");
    assert_eq!(imported.ask, ask);
    assert_eq!(imported.deny, deny);
    let not_taken: Vec<_> = imported
        .skipped
        .iter()
        .map(|(what, _)| what.as_str())
        .collect();
    assert_eq!(not_taken.len(), skipped.len(), "{:?}", imported.skipped);
    for (is, wanted) in not_taken.iter().zip(skipped) {
        assert!(is.contains(wanted), "{is} is not {wanted}");
    }
    Rules::own(&imported.rules_toml(), "rules.toml").unwrap();
}

#[test]
fn claude_codes_rules_are_taken_as_they_are() {
    let text = r#"{ "permissions": {
        "allow": ["Bash(npm run *)", "mcp__github__get_*", "Read(~/notes/**)", "Skill(x)", "Read(/x/**)", "mcp__*"],
        "ask": ["Bash(git push:*)"],
        "deny": ["Read(./.env)", "mcp__*", "Agent(model:opus)"],
        "defaultMode": "acceptEdits"
    } }"#;
    let taken = claude(text).unwrap();
    check(
        taken,
        &["Bash(npm run *)", "mcp__github__get_*", "Read(~/notes/**)"],
        &["Bash(git push:*)"],
        &["Read(./.env)", "mcp__*", "Agent(model:opus)"],
        &["Skill(x)", "Read(/x/**)", "mcp__*", "defaultMode"],
    );
    assert!(claude("{").is_err());
    check(claude("{}").unwrap(), &[], &[], &[], &[]);
}

#[test]
fn what_cannot_be_denied_is_not_allowed_either() {
    let text = r#"{ "permissions": { "allow": ["Read(src/**)", "Bash(ls *)"], "deny": ["Read(/secret/**)"] } }"#;
    check(
        claude(text).unwrap(),
        &["Bash(ls *)"],
        &[],
        &[],
        &["Read(/secret/**)", "Read(src/**)"],
    );
}

#[test]
fn codexs_prefix_rules_become_commands() {
    let text = r#"
# What may be done.
prefix_rule(
    pattern = ["git", ["push", "fetch"]],   # alternatives
    decision = "prompt",
    justification = "pushes leave the machine",
    match = [["git", "push"], "git fetch origin"],
)
prefix_rule(pattern = ["ls"])
prefix_rule(pattern = ['rm', '-rf'], decision = "forbidden")
prefix_rule(pattern = ["echo", "a b"], decision = "allow")
"#;
    check(
        codex(text),
        &["Bash(ls *)"],
        &["Bash(git push *)", "Bash(git fetch *)"],
        &["Bash(rm -rf *)"],
        &["a b"],
    );
    // What is not understood may have asked.
    let text = "prefix_rule(pattern = [\"ls\"])\nfor x in y:\n    prefix_rule(pattern = [x], decision = \"prompt\")\n";
    check(
        codex(text),
        &[],
        &[],
        &[],
        &["for x in y", "[x]", "Bash(ls *)"],
    );
    let text = "prefix_rule(pattern = [\"git\"])\nhost_executable(name = \"git\", paths = [\"/usr/bin/git\"])";
    check(
        codex(text),
        &[],
        &[],
        &[],
        &["host_executable", "Bash(git *)"],
    );
}

#[test]
fn geminis_rules_are_taken_by_the_names_of_tools_here() {
    let text = r#"
[[rule]]
toolName = "run_shell_command"
commandPrefix = ["git status", "ls"]
decision = "allow"
priority = 100
[[rule]]
mcpName = "github"
toolName = "get_issue"
decision = "allow"
[[rule]]
toolName = ["write_file", "replace"]
decision = "ask_user"
[[rule]]
toolName = "mcp_*_delete"
decision = "deny"
[[rule]]
toolName = "replace"
decision = "allow"
[[rule]]
toolName = "web_fetch"
modes = ["yolo"]
decision = "allow"
"#;
    check(
        gemini(text).unwrap(),
        &["Bash(git status *)", "Bash(ls *)", "mcp__github__get_issue"],
        &["Write", "Edit"],
        &["mcp__*__delete"],
        &["replace", "yolo"],
    );
    let text = r#"
rule = [
    { toolName = "run_shell_command", argsPattern = "rm", decision = "deny" },
    { toolName = "run_shell_command", commandPrefix = "ls", decision = "allow" },
]"#;
    check(
        gemini(text).unwrap(),
        &[],
        &[],
        &[],
        &["argsPattern", "Bash(ls *)"],
    );
    assert!(gemini("[[").is_err());
}

#[test]
fn opencodes_permissions_never_loosen() {
    let text = r#"{ "permission": {
        "bash": { "*": "ask", "git status *": "allow", "rm *": "deny" },
        "edit": { "src/*": "allow", "docs/*.key": "deny", "*.md": "allow", "notes": "allow" },
        "read": "allow",
        "doom_loop": "ask"
    } }"#;
    check(
        opencode(text).unwrap(),
        &[
            "Bash(git status *)",
            "Edit(/src/*)",
            "Edit(/**/*.md)",
            "Read",
        ],
        &[],
        &["Bash(rm *)", "Edit(/docs/**/*.key)"],
        &["bash: *", "edit: notes", "doom_loop"],
    );
    // There the later one wins: what it asks about is asked about here too.
    let text = r#"{ "permission": { "bash": { "ls *": "allow", "*": "ask", "git *": "allow" } } }"#;
    check(
        opencode(text).unwrap(),
        &["Bash(ls *)", "Bash(git *)"],
        &["Bash(*)"],
        &[],
        &[],
    );
    let text = r#"{ "permission": { "*": "deny", "bash": "allow" } }"#;
    check(opencode(text).unwrap(), &[], &[], &[], &["*", "Bash"]);
}

#[test]
fn garbage_is_reported_and_never_panics() {
    for text in [
        "",
        "(",
        "x(",
        "prefix_rule(",
        "prefix_rule(pattern=[[[[[[[[[[[[",
        "\"",
        "prefix_rule(pattern=['a\\q'])",
        "é(",
    ] {
        let _ = (codex(text), claude(text), gemini(text), opencode(text));
    }
}

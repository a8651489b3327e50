use super::*;

fn check(harness: Harness, name: &str, input: Value, known: &str) {
    let called = Called {
        servers: vec!["git".into(), "git_hub".into()],
        ..Called::new(name, input)
    };
    let read = match by_known_names(harness, &called, "/work") {
        Ok(known) => {
            let at = known.folder.map(|at| format!(" in {at}"));
            format!("{} {}{}", known.tool, known.input, at.unwrap_or_default())
        }
        Err(error) => error.to_string(),
    };
    assert_eq!(read, known, "{harness} {name}");
}

#[test]
fn tools_have_the_names_that_the_rules_know() {
    use Harness::*;
    let path = json!({ "path": "a.rs" });
    for (harness, name, input, known) in [
        (
            Claude,
            "Bash",
            json!({ "command": "ls" }),
            r#"Bash {"command":"ls"}"#,
        ),
        (
            Claude,
            "Frobnicate",
            json!({ "a": 1 }),
            r#"Frobnicate {"a":1}"#,
        ),
        (
            Codex,
            "shell",
            json!({ "command": ["bash", "-lc", "ls | wc"], "workdir": "sub" }),
            r#"Bash {"workdir":"sub","command":"ls | wc"} in /work/sub"#,
        ),
        (
            Codex,
            "shell",
            json!({ "command": ["git", "commit", "-m", "it's"] }),
            r#"Bash {"command":"git commit -m 'it'\\''s'"}"#,
        ),
        (
            Gemini,
            "run_shell_command",
            json!({ "command": "ls", "dir_path": "/etc" }),
            r#"Bash {"command":"ls","dir_path":"/etc"} in /etc"#,
        ),
        (
            Copilot,
            "view",
            path.clone(),
            r#"Read {"file_path":"a.rs"}"#,
        ),
        (
            Copilot,
            "create",
            json!({ "path": "a", "file_text": "x" }),
            r#"Write {"file_path":"a","content":"x"}"#,
        ),
        (
            Copilot,
            "str_replace_editor",
            json!({ "command": "str_replace", "path": "a", "old_str": "x", "new_str": "y" }),
            r#"Edit {"command":"str_replace","file_path":"a","old_string":"x","new_string":"y"}"#,
        ),
        (
            VsCode,
            "multi_replace_string_in_file",
            json!({ "replacements": [
                { "filePath": "a", "oldString": "x", "newString": "y" },
                { "filePath": "b", "oldString": "x", "newString": "y" },
            ]}),
            r#"Edit {"edits":[{"file_path":"a","old_string":"x","new_string":"y"},{"file_path":"b","old_string":"x","new_string":"y"}],"file_paths":["a","b"]}"#,
        ),
        (
            VsCode,
            "mcp_github_get_me",
            json!({}),
            "mcp__github__get_me {}",
        ),
        (OpenCode, "git_hub_get", json!({}), "mcp__git_hub__get {}"),
        (OpenCode, "gitx_get", json!({}), "gitx_get {}"),
        (
            Gemini,
            "grep_search",
            json!({ "pattern": "key", "dir_path": "/etc" }),
            r#"Grep {"pattern":"key","path":"/etc"}"#,
        ),
        (
            Copilot,
            "grep",
            json!({ "pattern": "key", "paths": ["/etc"] }),
            r#"grep {"pattern":"key","paths":["/etc"]}"#,
        ),
        (
            Gemini,
            "web_fetch",
            json!({ "prompt": "Sum up https://a.example/x please" }),
            r#"WebFetch {"prompt":"Sum up https://a.example/x please","url":"https://a.example/x"}"#,
        ),
        (
            VsCode,
            "fetch_webpage",
            json!({ "urls": ["https://a.example", "https://b.example"] }),
            r#"WebFetch {"urls":["https://a.example","https://b.example"]}"#,
        ),
    ] {
        check(harness, name, input, known);
    }
}

#[test]
fn what_the_rules_look_at_cannot_be_shown_to_them_alone() {
    use Harness::*;
    // The harness writes to `filePath`; the other key is an agent's.
    check(
        OpenCode,
        "write",
        json!({ "file_path": "/work/ok", "filePath": "/etc/passwd", "content": "x" }),
        r#"Write {"content":"x","file_path":"/etc/passwd"}"#,
    );
    check(
        VsCode,
        "create_file",
        json!({ "filePath": "/a", "path": "/b", "content": "x" }),
        "\"path\" in the payload is not the same under each of its names",
    );
    check(
        Gemini,
        "web_fetch",
        json!({ "prompt": "https://evil.example", "url": "https://good.example" }),
        r#"WebFetch {"prompt":"https://evil.example","url":"https://evil.example"}"#,
    );
    check(
        Codex,
        "apply_patch",
        json!({ "command": "*** Begin Patch\n*** Update File: .env\n@@\n-a\n+b\n*** End Patch", "file_path": "ok" }),
        r#"Edit {"patch":"*** Begin Patch\n*** Update File: .env\n@@\n-a\n+b\n*** End Patch","file_path":".env"}"#,
    );
}

#[test]
fn a_known_tool_without_what_it_works_on_is_an_error() {
    use Harness::*;
    check(Claude, "Bash", json!({}), "the payload has no \"command\"");
    check(
        Claude,
        "Bash",
        json!({ "command": 1 }),
        "\"command\" in the payload is not a text",
    );
    check(
        Claude,
        "Edit",
        json!({ "path": "a" }),
        "the payload has no \"file_path\"",
    );
    check(
        Codex,
        "apply_patch",
        json!({ "command": "nothing" }),
        "\"patch\" in the payload is not something that names its files",
    );
    check(Claude, " ", json!({}), "the payload has no \"tool_name\"");
}

#[test]
fn the_shell_of_windows_is_another_tool() {
    let called = Called::new("run_shell_command", json!({ "command": "dir" }));
    let known = by_known_names(Harness::Gemini, &called, "C:\\work").unwrap();
    assert_eq!(known.tool, "PowerShell");
}

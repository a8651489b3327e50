//! What the rules decide by themselves, and what a person is asked.

use super::station::{Station, allow, answer, decline, open};
use serde_json::json;

#[test]
fn what_is_allowed_or_denied_needs_no_record() {
    let station = Station::with_rules(
        r#"
        allow = ["Bash(git status *)"]
        deny = ["Bash(rm *)"]
        "#,
    );
    let said = station.say("claude", 5, &station.bash("git status --short"));
    assert_eq!(said.behavior(), "allow", "{said:?}");
    let said = station.say("claude", 5, &station.bash("git status && rm -rf x"));
    assert_eq!(said.behavior(), "deny", "{said:?}");
    assert!(said.message().contains("rules.toml, line 3"), "{said:?}");
    assert!(!station.home.journal().exists(), "nothing was written");
}

#[tokio::test]
async fn what_no_rule_decides_is_put_to_a_person() {
    let station = Station::new();
    let hook = station.start("claude", 60, &station.bash("touch here"));
    let desk = station.desk().await;
    let ask = station.open_ask(&desk).await;
    assert!(ask.ask.in_person && !ask.ask.dangerous);
    assert!(
        ask.ask.message.contains("touch here"),
        "{}",
        ask.ask.message
    );
    assert_eq!(ask.origin.client.as_deref(), Some("Claude Code"));
    allow(&desk, ask.id).await;
    let said = hook.said();
    assert_eq!(said.behavior(), "allow", "{said:?}");

    let hook = station.start("claude", 60, &station.bash("touch there"));
    let ask = station.open_ask(&desk).await;
    decline(&desk, ask.id, "Not in this folder.").await;
    let said = hook.said();
    assert_eq!(said.behavior(), "deny");
    assert!(said.message().contains("Not in this folder."), "{said:?}");
}

#[tokio::test]
async fn an_announced_call_is_decided_by_rules_only_where_the_harness_prompts_by_itself() {
    let station = Station::with_rules(r#"ask = ["Bash(git push *)"]"#);
    let announced =
        |command: &str| station.claude("PreToolUse", "Bash", json!({ "command": command }));
    let said = station.say("claude", 5, &announced("touch here"));
    assert_eq!((said.text.trim(), said.code), ("", 0), "{said:?}");

    let hook = station.start("claude", 60, &announced("git push"));
    let desk = station.desk().await;
    let ask = station.open_ask(&desk).await;
    answer(
        &desk,
        ask.id,
        json!({ "decision": "deny", "reason": "Not on Fridays" }),
    )
    .await;
    let said = hook.said();
    assert_eq!(said.before(), "deny", "{said:?}");
    assert!(said.message().contains("Not on Fridays"), "{said:?}");
    assert_eq!(open(&desk).await.len(), 0);
}

#[tokio::test]
async fn what_would_switch_the_hook_off_is_dangerous_whatever_the_rules_allow() {
    let station = Station::with_rules(r#"allow = ["Edit", "Write", "Bash(*)"]"#);
    let file = format!("{}/.claude/settings.json", station.folder());
    let edit = json!({ "file_path": file, "old_string": "a", "new_string": "b" });
    let before = station.claude("PreToolUse", "Edit", edit);
    let hook = station.start("claude", 60, &before);
    let desk = station.desk().await;
    let ask = station.open_ask(&desk).await;
    assert!(ask.ask.dangerous && ask.ask.remember.is_none());
    decline(&desk, ask.id, "no").await;
    assert_eq!(hook.said().before(), "deny");
    for command in [
        "holdpoint hook claude < forged.json",
        "pkill -9 -f 'holdpoint hook'",
        "true && pkill -9 -f holdpoint",
        "killall -9 holdpoint",
    ] {
        let said = station.say("claude", 5, &station.bash(command));
        assert_eq!(said.behavior(), "deny", "{command}: {said:?}");
        assert!(said.message().contains("built in"), "{command}: {said:?}");
    }
}

#[tokio::test]
async fn what_registers_the_hook_is_not_changed_unasked() {
    let station = Station::with_rules(r#"allow = ["Edit", "Edit(~/**)"]"#);
    let home = station.home.root().canonicalize().unwrap();
    let home = home.to_str().unwrap();
    let of_person = |file: &str| format!("{home}/{file}");
    let of_folder = |file: &str| format!("{}/{file}", station.folder());
    let files = [
        of_person(".claude/settings.json"),
        of_person(".codex/hooks.json"),
        of_person(".codex/config.toml"),
        of_person(".copilot/hooks/holdpoint.json"),
        of_person(".cursor/hooks.json"),
        of_person(".gemini/settings.json"),
        of_person(".gemini/policies/mine.toml"),
        of_person(".config/opencode/plugin/holdpoint.js"),
        of_folder(".claude/settings.local.json"),
        of_folder(".codex/hooks.json"),
        of_folder(".github/hooks/holdpoint.json"),
        of_folder(".cursor/hooks.json"),
        of_folder(".gemini/settings.json"),
        of_folder(".opencode/plugin/holdpoint.js"),
    ];
    let edit = |file: &str| {
        let edit = json!({ "file_path": file, "old_string": "a", "new_string": "b" });
        station.claude("PermissionRequest", "Edit", edit)
    };
    let free = station.say("claude", 1, &edit(&of_folder("README.md")));
    assert_eq!(free.behavior(), "allow", "{free:?}");
    let hooks = files
        .each_ref()
        .map(|file| station.start("claude", 1, &edit(file)));
    for (file, hook) in files.iter().zip(hooks) {
        let said = hook.said();
        assert!(said.message().contains("stays open"), "{file}: {said:?}");
    }
    let asks = open(&station.desk().await).await;
    assert_eq!(asks.len(), files.len());
    assert!(asks.iter().all(|asked| asked.ask.dangerous));
}

#[test]
fn a_patch_of_several_files_is_denied_by_a_rule_about_one() {
    let station = Station::with_rules("allow = [\"Edit\"]\ndeny = [\"Edit(README.md)\"]");
    let patch = |files: &[&str]| {
        let files: String = files
            .iter()
            .map(|file| format!("*** Update File: {file}\n@@\n-a\n+b\n"))
            .collect();
        json!({
            "session_id": "s", "turn_id": "t", "transcript_path": null, "cwd": station.folder(),
            "hook_event_name": "PermissionRequest", "model": "m", "permission_mode": "default",
            "tool_name": "apply_patch",
            "tool_input": { "command": format!("*** Begin Patch\n{files}*** End Patch\n") },
        })
    };
    let said = station.say("codex", 1, &patch(&["a.txt", "b.txt"]));
    assert_eq!(said.behavior(), "allow", "{said:?}");
    for files in [["a.txt", "README.md"], ["README.md", "a.txt"]] {
        let said = station.say("codex", 1, &patch(&files));
        assert_eq!(said.behavior(), "deny", "{said:?}");
    }
}

#[test]
fn the_keys_of_the_page_are_read_by_no_agent_whatever_is_allowed() {
    let station = Station::with_rules(r#"allow = ["Read", "Bash(cat *)", "Bash(cp *)"]"#);
    let key = ".local/state/holdpoint/journal.db-page-key";
    let path = station.home.root().join(key);
    let read = json!({ "file_path": path });
    let said = station.say("claude", 1, &station.claude("PreToolUse", "Read", read));
    assert_eq!(said.before(), "deny", "{said:?}");
    for command in [
        format!("cat {}", path.display()),
        format!("cat ~/{key}"),
        format!("cp -r ~/.local/state/holdpoint {}", station.folder()),
    ] {
        let said = station.say("claude", 1, &station.bash(&command));
        assert_eq!(said.behavior(), "deny", "{command}: {said:?}");
    }
    let said = station.say("claude", 1, &station.bash("cat README.md"));
    assert_eq!(said.behavior(), "allow", "{said:?}");
}

#[test]
fn our_own_tools_ask_by_themselves() {
    let station = Station::new();
    let ours = |tool: &str| station.claude("PermissionRequest", tool, json!({ "message": "?" }));
    let said = station.say("claude", 1, &ours("mcp__holdpoint__elicit_confirm"));
    assert_eq!(said.behavior(), "allow", "{said:?}");
    station.rules(r#"deny = ["mcp__holdpoint__elicit_confirm"]"#);
    let said = station.say("claude", 1, &ours("mcp__holdpoint__elicit_confirm"));
    assert_eq!(said.behavior(), "deny", "{said:?}");
    let said = station.say("claude", 1, &ours("mcp__holdpoints__elicit_confirm"));
    assert_eq!(said.behavior(), "deny", "another server: {said:?}");
}

#[test]
fn a_repository_only_tightens() {
    let station = Station::with_rules(r#"allow = ["Bash(make *)"]"#);
    let make = station.bash("make all");
    assert_eq!(station.say("claude", 5, &make).behavior(), "allow");
    station
        .home
        .work_file(".holdpoint/rules.toml", r#"deny = ["Bash(make *)"]"#);
    assert_eq!(station.say("claude", 5, &make).behavior(), "deny");
    // Not even by a repository inside of it.
    let inside = station.home.workspace().join("inside");
    std::fs::create_dir_all(inside.join(".git")).unwrap();
    let mut below = make.clone();
    below["cwd"] = format!("{}/inside", station.folder()).into();
    assert_eq!(station.say("claude", 5, &below).behavior(), "deny");
    station
        .home
        .work_file(".holdpoint/rules.toml", r#"allow = ["Bash(make *)"]"#);
    let said = station.say("claude", 5, &make);
    assert_eq!(said.behavior(), "deny", "a file that loosens is refused");
    assert!(said.message().contains("allow"), "{said:?}");
}
